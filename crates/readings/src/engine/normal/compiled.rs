//! StatelessRandomNormalV2 as XLA compiles it: pairs along an extent, of the top bits of words.

use half::f16;
use seedproof_ops::Dtype;

use super::pair::Pair;
use crate::answers::BoxMuller;

/// The normals of an output with these extents. `words` returns the first words of the stream.
pub(super) fn normals(
    answers: &BoxMuller,
    dtype: Dtype,
    dims: &[usize],
    words: &dyn Fn(usize) -> Vec<u32>,
) -> Vec<f64> {
    if dims.contains(&0) {
        return Vec::new();
    }
    // A scalar counts as a list of one element.
    let dims = if dims.is_empty() { &[1] } else { dims };
    let axis = axis(dims);
    let padded = dims[axis].next_multiple_of(2);
    let outer: usize = dims[..axis].iter().product();
    let inner: usize = dims[axis + 1..].iter().product();
    let words = words(outer * padded * inner);
    let mut values = vec![0.0; outer * dims[axis] * inner];
    // Word and element share their place but for the padding, which ends each run along the axis.
    for run in 0..outer {
        for pair in 0..padded / 2 {
            for column in 0..inner {
                let place = |row: usize| (run * padded + row) * inner + column;
                let two = [words[place(2 * pair)], words[place(2 * pair + 1)]];
                for (row, value) in (2 * pair..).zip(of_type(answers, dtype, two)) {
                    if row < dims[axis] {
                        values[(run * dims[axis] + row) * inner + column] = value;
                    }
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
