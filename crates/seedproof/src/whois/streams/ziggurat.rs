//! The normals and the exponentials of NumPy's `Generator`.

use std::sync::LazyLock;

use super::standard::{Kind, Sequence, Words};
use crate::whois::conversion::power;
use crate::whois::generator::joined;

/// The layers of the ziggurat of Marsaglia and Tsang with 256 layers, as NumPy's `Generator` has it.
pub(in crate::whois) struct Ziggurat {
    /// The right end of each layer; of the lowest one, the width of a rectangle of its area.
    ends: [f64; 256],
    heights: [f64; 256],
}

/// Where the tail begins, of normals and of exponentials.
const TAIL: f64 = 3.654_152_885_361_009;
const LONG_TAIL: f64 = 7.697_117_470_131_05;

impl Ziggurat {
    /// The layers of normals.
    pub(in crate::whois) fn new() -> Self {
        let height = |x: f64| (-0.5 * x * x).exp();
        Self::of(TAIL, 0.004_928_673_233_974_658, height, |height| {
            (-2.0 * height.ln()).sqrt()
        })
    }

    /// The layers of exponentials.
    fn exponential() -> Self {
        let height = |x: f64| (-x).exp();
        Self::of(LONG_TAIL, 0.003_949_659_822_581_572, height, |height| {
            -height.ln()
        })
    }

    /// Layers of this area, up to where the tail begins, of a density and its inverse.
    fn of(tail: f64, area: f64, height: impl Fn(f64) -> f64, inverse: impl Fn(f64) -> f64) -> Self {
        let mut ends = [0.0; 256];
        ends[0] = area / height(tail);
        ends[255] = tail;
        for i in (1..255).rev() {
            let above = ends[i + 1];
            ends[i] = inverse(area / above + height(above));
        }
        let mut heights = ends.map(height);
        heights[0] = 1.0;
        Self { ends, heights }
    }

    /// Up to where every point of a layer is below the density.
    const fn inner(&self, layer: usize, tail: f64) -> f64 {
        match layer {
            0 => tail,
            1 => 0.0,
            _ => self.ends[layer - 1],
        }
    }

    /// The exponential in f64 that begins at a pair of words, and the pair after it. `None` where there are too few words.
    ///
    /// Source: `random_standard_exponential` in NumPy's `random/src/distributions/distributions.c`.
    fn exponential_double(&self, words: &[u32], at: usize) -> Option<(f64, usize)> {
        let mut next = at;
        let mut take = || {
            next += 1;
            wide(words, next - 1)
        };
        loop {
            let word = take()?;
            let layer = usize::try_from(word >> 3 & 0xff).ok()?;
            let x = unit(word) * self.ends[layer];
            let inner = self.inner(layer, LONG_TAIL);
            let is_inside = x < inner
                || layer > 0 && {
                    let [below, above] = [self.heights[layer], self.heights[layer - 1]];
                    (above - below).mul_add(unit(take()?), below) < (-x).exp()
                };
            if is_inside {
                return Some((x, next));
            }
            if layer == 0 {
                return Some((LONG_TAIL - (-unit(take()?)).ln_1p(), next));
            }
        }
    }

    /// The normal in f64 that begins at a pair of words, and the pair after it. `None` where there are too few words.
    pub(in crate::whois) fn double(&self, words: &[u32], at: usize) -> Option<(f64, usize)> {
        self.number(&|at| wide(words, at), &unit, 52, at)
    }

    /// The same in f32, of single words.
    pub(in crate::whois) fn single(&self, words: &[u32], at: usize) -> Option<(f64, usize)> {
        let narrow = |at: usize| words.get(at).map(|&word| u64::from(word));
        #[expect(clippy::cast_precision_loss, reason = "24 bits at most")]
        let unit = |word: u64| (word >> 8) as f64 * power(-24);
        self.number(&narrow, &unit, 23, at)
    }

    fn number(
        &self,
        bits: &dyn Fn(usize) -> Option<u64>,
        unit: &dyn Fn(u64) -> f64,
        significant: u32,
        at: usize,
    ) -> Option<(f64, usize)> {
        let mut next = at;
        let take = |next: &mut usize| {
            *next += 1;
            bits(*next - 1)
        };
        loop {
            let word = take(&mut next)?;
            let layer = usize::try_from(word & 0xff).ok()?;
            let magnitude = word >> 9 & ((1 << significant) - 1);
            #[expect(clippy::cast_precision_loss, reason = "52 bits at most")]
            let share = magnitude as f64 / (1_u64 << significant) as f64;
            let x = share * self.ends[layer];
            let sign = if word >> 8 & 1 == 1 { -1.0 } else { 1.0 };
            let inner = self.inner(layer, TAIL);
            if x < inner {
                return Some((sign * x, next));
            }
            if layer == 0 {
                loop {
                    let x = -(-unit(take(&mut next)?)).ln_1p() / TAIL;
                    let y = -(-unit(take(&mut next)?)).ln_1p();
                    if y + y > x * x {
                        let sign = if magnitude >> 8 & 1 == 1 { -1.0 } else { 1.0 };
                        return Some((sign * (TAIL + x), next));
                    }
                }
            }
            let [below, above] = [self.heights[layer], self.heights[layer - 1]];
            if (above - below).mul_add(unit(take(&mut next)?), below) < (-0.5 * x * x).exp() {
                return Some((sign * x, next));
            }
        }
    }
}

/// A number of 64 bits, whose low half comes first.
fn wide(words: &[u32], at: usize) -> Option<u64> {
    Some(joined(*words.get(2 * at..)?.first_chunk()?))
}

#[expect(clippy::cast_precision_loss, reason = "53 bits at most")]
fn unit(word: u64) -> f64 {
    (word >> 11) as f64 * power(-53)
}

/// The normals of NumPy's `Generator`, of f64 and of f32. `words` are the low and the high halves of its numbers of 64 bits.
///
/// Source: `random_standard_normal` in NumPy's `random/src/distributions/distributions.c`.
pub(super) fn ziggurat(words: Words<'_>) -> Vec<Sequence> {
    // A search of seeds asks for a few numbers a hundred thousand times.
    static TABLE: LazyLock<Ziggurat> = LazyLock::new(Ziggurat::new);
    let table = &*TABLE;
    let words = words.all;
    let what = "normals as standard_normal of NumPy's Generator has them";
    let single = format!("{what} in float32");
    vec![
        of((what, Kind::Normal), words, 2, &|at| table.double(words, at)),
        of((&single, Kind::Normal), words, 1, &|at| table.single(words, at)),
    ]
}

/// The exponentials of NumPy's `Generator`.
pub(super) fn ziggurat_exponentials(words: Words<'_>) -> Vec<Sequence> {
    static TABLE: LazyLock<Ziggurat> = LazyLock::new(Ziggurat::exponential);
    let table = &*TABLE;
    let what = "exponentials as standard_exponential of NumPy's Generator has them";
    vec![of((what, Kind::Exponential), words.all, 2, &|at| {
        table.exponential_double(words.all, at)
    })]
}

/// One number after the other, of `each` words or more.
fn of(
    (what, kind): (&str, Kind),
    words: &[u32],
    each: usize,
    next: &dyn Fn(usize) -> Option<(f64, usize)>,
) -> Sequence {
    let mut sequence = Sequence::new(what, kind, words.len() / each);
    let mut at = 0;
    while let Some((number, after)) = next(at) {
        sequence.push(each * at, number);
        at = after;
    }
    sequence
}
