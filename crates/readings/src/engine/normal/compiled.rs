//! StatelessRandomNormalV2 as XLA compiles it: pairs along an extent, of the top bits of words.

use half::f16;
use seedproof_ops::Dtype;

use super::pair::Pair;
use crate::answers::BoxMuller;

/// The first `count` normals of an output with these extents. `words` returns the first words of the stream.
pub(super) fn normals(
    answers: &BoxMuller,
    dtype: Dtype,
    dims: &[usize],
    count: usize,
    words: &dyn Fn(usize) -> Vec<u32>,
) -> Vec<f64> {
    if count == 0 {
        return Vec::new();
    }
    // A scalar counts as a list of one element.
    let dims = if dims.is_empty() { &[1] } else { dims };
    let axis = axis(dims);
    let (extent, padded) = (dims[axis], dims[axis].next_multiple_of(2));
    let inner: usize = dims[axis + 1..].iter().product();
    // The rows of `inner` elements that begin, with the partner of the last one.
    let rows = count.div_ceil(inner);
    let words = words((rows / extent * padded + rows % extent).next_multiple_of(2) * inner);
    let mut values = vec![0.0; count];
    // Word and element share their place but for the padding, which ends each run along the axis.
    for run in 0..rows.div_ceil(extent) {
        let left = (rows - run * extent).min(extent);
        for row in (0..left).step_by(2) {
            let place = (run * padded + row) * inner;
            let own = (run * extent + row) * inner;
            for column in 0..inner.min(count - own) {
                let two = [words[place + column], words[place + inner + column]];
                let [first, second] = of_type(answers, dtype, two);
                values[own + column] = first;
                let next = own + inner + column;
                if row + 1 < extent && next < count {
                    values[next] = second;
                }
            }
        }
    }
    values
}

/// The first even extent, or the first of the greatest.
fn axis(dims: &[usize]) -> usize {
    let greatest = dims.iter().max();
    let even = dims.iter().position(|dim| dim.is_multiple_of(2));
    even.or_else(|| dims.iter().position(|dim| Some(dim) == greatest))
        .unwrap_or(0)
}

fn of_type(answers: &BoxMuller, dtype: Dtype, words: [u32; 2]) -> [f64; 2] {
    let pair = Pair(answers);
    if dtype == Dtype::F16 {
        return halves(pair, words);
    }
    let units = words.map(|word| small(word >> 9) / 8_388_608.0);
    let normals = pair.of(units);
    if dtype == Dtype::Bf16 {
        // The lower half of the f32 is cut, not rounded.
        return normals.map(|normal| f64::from(f32::from_bits(normal.to_bits() & 0xffff_0000)));
    }
    normals.map(f64::from)
}

/// f16 of the low ten bits of a word, every step computed in f32 and rounded to f16.
fn halves(pair: Pair<'_>, words: [u32; 2]) -> [f64; 2] {
    let round = |x: f32| f16::from_f32(x).to_f32();
    let [first, second] = words.map(|word| small(word & 0x3ff) / 1024.0);
    // 1e-7 as an f16 is 2^-23.
    let first = first.max(1.0 / 8_388_608.0);
    let radius = round(round(-2.0 * round(pair.log(first))).sqrt());
    let angle = round(round(std::f32::consts::TAU) * second);
    let [sine, cosine] = pair.sine_and_cosine(angle).map(round);
    [sine * radius, cosine * radius].map(|normal| f64::from(round(normal)))
}

#[expect(clippy::cast_precision_loss, reason = "23 bits are exact")]
const fn small(word: u32) -> f32 {
    word as f32
}
