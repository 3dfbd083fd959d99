//! What the bits of a key become.

use seedproof_ops::{Dtype, Failure};

use super::stream::PIECE;
use super::{Key, Part, Stream, each};
use crate::bits::{halves, low64};
use crate::convert::{convert, convert_sums};
use crate::divisor::Divisor;
use crate::level::Level;
use crate::op::bounds::single;
use crate::rule::{
    Bf16, F16, F32, F64, Format, HIGH_FIRST, I64, LOW_FIRST, Less, Narrow, Rule, Scale, Sixteen, Top,
    scale_between,
};

/// Fills `out` with unsigned integers of `size` bytes.
pub(crate) fn fill_bits(level: Level, part: Part, size: usize, out: &mut [u8]) {
    let Part { stream, place } = part;
    match (stream, size) {
        (Stream::Halved(key), 1 | 2 | 4) => {
            let words = [place[0] * size / 4, (place[1] * size).div_ceil(4)];
            super::stream::halved(level, key, words, out);
        }
        (Stream::Philox(_), 4 | 8) | (_, 4) => stream.fill(level, place, size, out),
        (_, 1) => fill_by(level, part, 1, Narrow::<1> { min: 0, range: None }, out),
        (_, 2) => fill_by(level, part, 2, Narrow::<2> { min: 0, range: None }, out),
        _ => {
            let rule = I64::<HIGH_FIRST> { min: 0, range: None };
            fill_by(level, part, 8, rule, out);
        }
    }
}

/// Fills `out` with elements of one rule, each of `taken` bytes of the stream.
pub(super) fn fill_by<R: Rule>(level: Level, part: Part, taken: usize, rule: R, out: &mut [u8]) {
    each(level, [part], taken, R::SIZE, out, &|[words], out| {
        convert(level, rule, words, out);
    });
}

/// Fills `out` with floats between two bounds of any value, which are numbers of the type.
pub(crate) fn fill_floats(level: Level, part: Part, dtype: Dtype, [low, high]: [f64; 2], out: &mut [u8]) {
    let [low32, high32] = [low, high].map(single);
    match (dtype, part.stream) {
        (Dtype::F16, _) => {
            let scale = scale_between::<F16>(low32, high32);
            fill_sixteens::<F16>(level, part, 2, scale, out);
        }
        (Dtype::Bf16, _) => {
            let scale = scale_between::<Bf16>(low32, high32);
            fill_sixteens::<Bf16>(level, part, 1, scale, out);
        }
        (Dtype::F32, _) => {
            let (min, range) = (low32, high32 - low32);
            let rule = F32::<Top<HIGH_FIRST>, false>::new(Scale { min, range });
            fill_scaled(level, part, 4, range, rule, out);
        }
        (_, Stream::Philox(_)) => fill_f64::<LOW_FIRST>(level, part, low, high - low, out),
        _ => fill_f64::<HIGH_FIRST>(level, part, low, high - low, out),
    }
}

fn fill_f64<const ORDER: bool>(level: Level, part: Part, min: f64, range: f64, out: &mut [u8]) {
    let rule = F64::<Top<ORDER>, false>::new(Scale { min, range });
    fill_scaled(level, part, 8, range, rule, out);
}

fn fill_sixteens<F: Format>(level: Level, part: Part, taken: usize, scale: Scale<f32>, out: &mut [u8]) {
    if scale.is_identity() {
        let rule = Sixteen::<F, Top<HIGH_FIRST>, true>::new(scale);
        return fill_by(level, part, taken, rule, out);
    }
    let rule = Sixteen::<F, Top<HIGH_FIRST>, false>::new(scale);
    fill_scaled(level, part, taken, scale.range, rule, out);
}

/// [`fill_by`] of numbers in a range. Vectors are for a range that is neither negative, so that no number is less than
/// the lower bound, nor infinite or NaN.
pub(super) fn fill_scaled<R: Rule>(
    level: Level,
    part: Part,
    taken: usize,
    range: impl Into<f64>,
    rule: R,
    out: &mut [u8],
) {
    let is_usual = (0.0..f64::INFINITY).contains(&range.into());
    let converting = if is_usual { level } else { Level::scalar() };
    each(level, [part], taken, R::SIZE, out, &|[words], out| {
        convert(converting, rule, words, out);
    });
}

/// Fills `out` with ones of a probability, and zeros.
pub(crate) fn fill_flags(level: Level, part: Part, p: f32, out: &mut [u8]) {
    fill_by(level, part, 4, Less(flags_below(p)), out);
}

/// How many of the 2^23 numbers of the unit interval are less than a probability, the only ones that make a one.
pub fn flags_below(p: f32) -> u32 {
    // The cast takes what is below 0, and NaN, for 0.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a whole number of at most 2^23 is left, or what the cast makes 0"
    )]
    let below = (f64::from(p) * f64::from(1 << 23)).ceil().min(f64::from(1 << 23)) as u32;
    if p.is_nan() { 0 } else { below }
}

/// Integers of a range.
#[derive(Clone, Copy, Debug)]
pub struct Integers {
    dtype: Dtype,
    /// The least, as two's complement of 64 bits.
    pub min: u64,
    /// The numbers in the range; 0 stands for all of the width.
    pub span: u64,
}

impl Integers {
    /// The integers from `min` to one less than `max`, which are cut to the limits of the type.
    pub(crate) fn new(dtype: Dtype, [min, max]: [i64; 2]) -> Self {
        let limits = dtype.integers().expect("the type is one of integers");
        // Types of 8 and 16 bits are drawn as i32, to which bounds are cut first.
        let cut = |bound: i64| match dtype.size() {
            1 | 2 => i128::from(halves(bound.cast_unsigned())[0].cast_signed()),
            _ => i128::from(bound),
        };
        let bounds = [cut(min), cut(max)];
        let [min, max] = bounds.map(|bound| bound.clamp(*limits.start(), *limits.end()));
        // A bound past the greatest number of the type includes that one.
        let past = i128::from(bounds[1] > *limits.end());
        let span = if min < max { max - min + past } else { 1 };
        let width = if dtype.size() == 8 { 64 } else { 32 };
        Self {
            dtype,
            min: low64(min.cast_unsigned()),
            span: low64(span.cast_unsigned() % (1 << width)),
        }
    }

    /// Fills `out` with those of a place, which a key draws.
    ///
    /// # Errors
    /// Those of [`Key::split`].
    pub(crate) fn fill(
        self,
        level: Level,
        key: Key,
        place: [usize; 2],
        out: &mut [u8],
    ) -> Result<(), Failure> {
        let parts = key.halves()?.map(|key| key.part(place));
        match (self.dtype.size(), parts[0].stream) {
            (1, _) => self.fill_narrow::<1>(level, parts, out),
            (2, _) => self.fill_narrow::<2>(level, parts, out),
            (4, _) => self.fill_narrow::<4>(level, parts, out),
            (_, Stream::Philox(_)) => self.fill_wide::<LOW_FIRST>(level, parts, out),
            _ => self.fill_wide::<HIGH_FIRST>(level, parts, out),
        }
        Ok(())
    }

    fn fill_narrow<const SIZE: usize>(self, level: Level, parts: [Part; 2], out: &mut [u8]) {
        let range = Divisor::<u32>::new(halves(self.span)[0]);
        let min = halves(self.min)[0];
        let rule = Narrow::<SIZE> { min, range };
        self.fill_sums(level, parts, Narrow::<4> { min: 0, range }, rule, rule, out);
    }

    fn fill_wide<const ORDER: bool>(self, level: Level, parts: [Part; 2], out: &mut [u8]) {
        let range = Divisor::<u64>::new(self.span);
        let min = self.min;
        let by_itself = I64::<ORDER> { min, range };
        self.fill_sums(
            level,
            parts,
            I64::<ORDER> { min: 0, range },
            by_itself,
            I64::<LOW_FIRST> { min, range },
            out,
        );
    }

    /// Fills `out` from the stream of the higher bits and that of the lower ones: by the rule for remainders of both and
    /// the rule for their sum, or by the rule for the lower ones by themselves.
    fn fill_sums<R: Rule>(
        self,
        level: Level,
        parts: [Part; 2],
        remainder: impl Rule,
        by_itself: impl Rule,
        sum: R,
        out: &mut [u8],
    ) {
        let taken = 4 * R::WORDS;
        let factor = self.factor();
        // The factor is zero for powers of two up to 2^(width / 2) and for all numbers of the width.
        if factor == 0 {
            return fill_by(level, parts[1], taken, by_itself, out);
        }
        each(level, parts, taken, R::SIZE, out, &|[higher, lower], out| {
            let mut rest = [[0; 4 * PIECE]; 2];
            for (words, rest) in [higher, lower].into_iter().zip(&mut rest) {
                convert(level, remainder, words, &mut rest[..words.len()]);
            }
            let [higher, lower] = &rest;
            convert_sums(level, sum, (higher, factor), lower, out);
        });
    }

    /// The factor of the higher bits: the square of 2^(width / 2), reduced by the span after each operation. Where it is
    /// 0, the lower bits alone decide.
    pub fn factor(self) -> u64 {
        let half = if self.dtype.size() == 8 { 1 << 32 } else { 1 << 16 };
        let Some(root) = u64::checked_rem(half, self.span) else {
            return 0;
        };
        // In 32 bits nothing is left of the square of 2^16.
        let square = if self.dtype.size() == 8 {
            root.wrapping_mul(root)
        } else {
            halves(root * root)[0].into()
        };
        square % self.span
    }
}
