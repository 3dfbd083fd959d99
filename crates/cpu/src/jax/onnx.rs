//! What ONNX's drafts make of words: states, and floats of the top digits.

use half::{bf16, f16};
use seedproof_ops::Dtype;

use super::values::fill_scaled;
use super::{Part, Stream, each};
use crate::bits::halves;
use crate::convert::convert;
use crate::level::Level;
use crate::op::bounds::single;
use crate::rule::{Bf16, Digits, F16, F32, F64, OneWordI64, Scale, Sixteen, scale_between};
use crate::split;
use crate::threefry::Counted;

/// Fills `out` with the states of a place, each two words of a block in i64: of the block of each number, or of its
/// index.
pub(crate) fn fill_states(level: Level, key: u64, place: [usize; 2], data: Option<&[u64]>, out: &mut [u8]) {
    let rule = OneWordI64 { min: 0, range: None };
    let Some(data) = data else {
        let stream = Stream::Counted(key);
        return each(level, [Part { stream, place }], 8, 16, out, &|[words], out| {
            convert(level, rule, words, out);
        });
    };
    let data = &data[place[0]..][..out.len() / 16];
    split::for_each(data.len(), out, 16 * STATES, |chunk, out| {
        let states = out.as_chunks_mut::<8>().0.as_chunks_mut::<2>().0;
        for (state, &number) in states.iter_mut().zip(&data[chunk * STATES..]) {
            let [low, high] = halves(number);
            let counter = [high, low];
            let words = Counted::<false> { key, counter }.block();
            *state = words.map(|word| u64::from(word).to_le_bytes());
        }
    });
}

/// States that a thread makes at a time.
const STATES: usize = 1 << 12;

/// Fills `out` with floats between two bounds of f32 and of any value, which are rounded to the type.
pub(crate) fn fill_digits(level: Level, part: Part, dtype: Dtype, bounds: [f64; 2], out: &mut [u8]) {
    let [low32, high32] = bounds.map(single);
    match dtype {
        Dtype::F16 => {
            let [low, high] = [low32, high32].map(|bound| f16::from_f32(bound).to_f32());
            let rule = Sixteen::<F16, Digits, false>::new(scale_between::<F16>(low, high));
            fill_scaled(level, part, 4, high - low, rule, out);
        }
        Dtype::Bf16 => {
            let [low, high] = [low32, high32].map(|bound| bf16::from_f32(bound).to_f32());
            let rule = Sixteen::<Bf16, Digits, false>::new(scale_between::<Bf16>(low, high));
            fill_scaled(level, part, 4, high - low, rule, out);
        }
        Dtype::F32 => {
            let (min, range) = (low32, high32 - low32);
            let rule = F32::<Digits, false>::new(Scale { min, range });
            fill_scaled(level, part, 4, range, rule, out);
        }
        _ => {
            let [low, high] = bounds;
            let (min, range) = (low, high - low);
            let rule = F64::<Digits, false>::new(Scale { min, range });
            fill_scaled(level, part, 8, range, rule, out);
        }
    }
}
