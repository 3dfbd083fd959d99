//! Floats of the unit interval to floats of a range.

use seedproof_ops::Dtype;

use super::arithmetic::{Arithmetic, below, is_subnormal, next_below};
use super::stream::Words;
use super::units::{Convert, two_to};
use crate::answers::{
    AtMaximum, Bf16Rounding, F16Rounding, Formula, HalfSteps, LastRounding, Scale, Subnormals, Through,
    WhichBound,
};
use crate::round::{f32_of, low_16};

/// A conversion with its bounds, ready for any number of elements.
pub(super) struct Floats<'a> {
    convert: Convert<'a>,
    scale: &'a Scale,
    /// The type of the output.
    output: Dtype,
    /// The type that elements are computed in.
    work: Dtype,
    min: f64,
    max: f64,
    range: f64,
    /// The arithmetic between unit interval and result.
    inner: Arithmetic,
    /// That of the product, and that of the last operation.
    product: Arithmetic,
    last: Arithmetic,
    /// The rounding of the result.
    end: Arithmetic,
}

impl<'a> Floats<'a> {
    /// `min` and `max` are values of `work`.
    pub(super) fn new(
        convert: Convert<'a>,
        scale: &'a Scale,
        output: Dtype,
        work: Dtype,
        [min, max]: [f64; 2],
    ) -> Self {
        let steps = match work {
            Dtype::F16 => scale.f16_steps,
            Dtype::Bf16 => scale.bf16_steps,
            _ => HalfSteps::EachOperation,
        };
        let with = |dtype, f16, bf16| Arithmetic {
            dtype,
            f16,
            bf16,
            flush: match scale.subnormals {
                Subnormals::Flushed => true,
                Subnormals::FlushedButF16 => dtype != Dtype::F16,
                Subnormals::Kept | Subnormals::Unpredictable | Subnormals::UnpredictableButBf16 => false,
            },
        };
        let result = |dtype| with(dtype, scale.f16, scale.bf16);
        let for_range = |dtype| with(dtype, scale.f16_range, scale.bf16_range);
        let halves = narrow(scale.formula, work);
        let (inner, of_range) = match (scale.formula, steps) {
            (Formula::InF16 | Formula::InBf16, _) if halves.is_some() => {
                let half = halves.unwrap_or(work);
                (result(half), for_range(half))
            }
            (Formula::InF64 | Formula::InF64OfGiven, _) => (result(Dtype::F64), for_range(Dtype::F64)),
            (Formula::InF32, _) | (_, HalfSteps::End | HalfSteps::ProductAndEnd) => {
                (result(Dtype::F32), for_range(Dtype::F32))
            }
            (_, HalfSteps::EachOperation) => (result(work), for_range(work)),
            (_, HalfSteps::RangeAndEnd) => (result(Dtype::F32), for_range(work)),
        };
        // A kernel that computes in f32 and stores the upper half of a result's bits cuts at the end alone.
        let last = |arithmetic: Arithmetic| match scale.last {
            LastRounding::AsOthers => arithmetic,
            LastRounding::TowardZero => Arithmetic {
                f16: F16Rounding::TowardZero,
                bf16: Bf16Rounding::TowardZero,
                ..arithmetic
            },
        };
        let bounds = result(work);
        let narrowed = |bound: f64, other: WhichBound| {
            let goes = if scale.which_bound == other {
                Through::Nothing
            } else {
                scale.bounds
            };
            let bound = through(goes, work, bounds.flushed(bound));
            halves.map_or(bound, |half| Arithmetic::ieee(half).of_f64(bound))
        };
        let (min, max) = (
            narrowed(min, WhichBound::Maximum),
            narrowed(max, WhichBound::Minimum),
        );
        Self {
            convert,
            scale,
            output,
            work,
            min,
            max,
            range: through(scale.range, work, of_range.sub(max, min)),
            inner,
            product: if steps == HalfSteps::ProductAndEnd {
                result(work)
            } else {
                inner
            },
            last: last(inner),
            end: last(result(output)),
        }
    }

    /// Words that one element takes.
    pub(super) fn words_per_element(&self) -> usize {
        self.convert.words_per_element(self.work)
    }

    /// Appends the words of the next elements.
    pub(super) fn draw(&self, words: &mut Words, elements: usize, drawn: &mut Vec<u32>) {
        self.convert.draw(self.work, words, elements, drawn);
    }

    /// The value in the unit interval, of the type that elements are computed in.
    pub(super) fn unit(&self, words: &[u32]) -> f64 {
        self.convert.unit(self.work, words)
    }

    /// The value in the range, of the output's type.
    #[expect(
        clippy::float_cmp,
        reason = "whether a result is maxval itself is the question"
    )]
    pub(super) fn scaled(&self, u: f64) -> f64 {
        let Self { min, max, range, .. } = *self;
        let a = self.inner;
        let u = narrow(self.scale.formula, self.work).map_or(u, |half| Arithmetic::ieee(half).of_f64(u));
        let inner = match self.scale.formula {
            Formula::Separate
            | Formula::InF64
            | Formula::InF64OfGiven
            | Formula::InF32
            | Formula::InF16
            | Formula::InBf16 => self.last.add(self.product.mul(u, range), min),
            Formula::Fused => a.fused(u, range, min),
            Formula::Lerp => a.add(a.mul(min, a.sub(1.0, u)), a.mul(max, u)),
            Formula::ByMaximum => a.add(a.mul(u, max), min),
            Formula::MaximumAlone => a.mul(u, max),
            Formula::RangeAlone => a.mul(u, range),
            Formula::FromMaximum => a.sub(max, a.mul(u, range)),
            Formula::ToMaximum => a.sub(max, a.mul(a.sub(1.0, u), range)),
            Formula::MinimumFirst => a.mul(a.add(u, a.div(min, range)), range),
            Formula::FromOneToTwo => a.add(a.mul(a.add(1.0, u), range), a.sub(min, range)),
            Formula::UnitInF16 => a.add(a.mul(through(Through::F16, self.work, u), range), min),
            Formula::UnitInBf16 => a.add(a.mul(through(Through::Bf16, self.work, u), range), min),
            Formula::InTf32 if self.work == Dtype::F32 => a.add(a.mul(tf32(u), tf32(range)), min),
            Formula::InTf32 => a.add(a.mul(u, range), min),
            Formula::Unscaled => u,
        };
        let result = if self.output == self.inner.dtype {
            inner
        } else if self.output == Dtype::F64 && self.work == Dtype::F32 {
            saturated(inner)
        } else if self.inner.dtype == Dtype::F64 {
            self.end.of_f64(inner)
        } else {
            let narrow = f32_of(inner);
            // The instruction that rounds to bf16 takes subnormal numbers as zero, whatever the processor's modes.
            let is_lost = self.scale.subnormals == Subnormals::UnpredictableButBf16
                && self.output == Dtype::Bf16
                && is_subnormal(Dtype::F32, narrow.into());
            self.end
                .round(if is_lost { 0.0_f32.copysign(narrow) } else { narrow })
        };
        match self.scale.at_maximum {
            AtMaximum::Minimum if result == max => min,
            AtMaximum::JustBelow if result == max => next_below(self.output, max),
            AtMaximum::Clamped if result >= max => below(self.output, max),
            _ => result,
        }
    }

    /// Whether the implementation's kernels disagree on this value or bound.
    pub(super) fn is_unpredictable(&self, x: f64) -> bool {
        self.scale.subnormals.is_unpredictable() && self.work == Dtype::F32 && is_subnormal(Dtype::F32, x)
    }

    /// minval and maxval, as the computation sees them.
    pub(super) const fn bounds(&self) -> [f64; 2] {
        [self.min, self.max]
    }
}

/// The 16-bit type that a formula computes a wider type in.
const fn narrow(formula: Formula, work: Dtype) -> Option<Dtype> {
    match formula {
        Formula::InF16 if work.size() > 2 => Some(Dtype::F16),
        Formula::InBf16 if work.size() > 2 => Some(Dtype::Bf16),
        _ => None,
    }
}

/// An f32 rounded to the 11 significant bits of TF32, ties to even.
fn tf32(x: f64) -> f64 {
    let bits = f32_of(x).to_bits();
    if !x.is_finite() {
        return x;
    }
    let nearest = bits.wrapping_add(0xfff + (bits >> 13 & 1)) & !0x1fff;
    f32::from_bits(nearest).into()
}

/// A value of a wider type, rounded to a 16-bit type on its way.
fn through(half: Through, work: Dtype, x: f64) -> f64 {
    match half {
        Through::F16 if work.size() > 2 => Arithmetic::ieee(Dtype::F16).of_f64(x),
        Through::Bf16 if work.size() > 2 => Arithmetic::ieee(Dtype::Bf16).of_f64(x),
        Through::F32 => f64::from(f32_of(x)),
        Through::Bf16Limits if x.is_finite() => x.clamp(-half::bf16::MAX.to_f64(), half::bf16::MAX.to_f64()),
        _ => x,
    }
}

/// A result on its way from f32 to f64 where such conversions saturate, as those of the bounds do.
pub(super) fn saturated(x: f64) -> f64 {
    x.clamp(f64::from(f32::MIN), f64::from(f32::MAX))
}

/// The smallest positive number that `std::numeric_limits<P>::min()` gives in OpenVINO: half of the smallest
/// normal f16, and a bf16 that is not normal.
pub(super) fn openvino_min(dtype: Dtype) -> f64 {
    match dtype {
        Dtype::F16 => two_to(-15),
        Dtype::Bf16 => half::bf16::from_bits(low_16(0x007f)).to_f64(),
        Dtype::F64 => f64::MIN_POSITIVE,
        _ => f64::from(f32::MIN_POSITIVE),
    }
}
