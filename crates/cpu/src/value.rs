//! The conversion rule of each element type for each generator.

use half::{bf16, f16};
use seedproof_ops::Dtype;

use crate::bits::halves;
use crate::divisor::Divisor;
use crate::fill::{Stream, fill as fill_from};
use crate::level::Level;
use crate::philox::Philox;
use crate::plan::sealed::Fill;
use crate::plan::{Entered, Generator};
use crate::rule::{
    Bf16, Bits, F16, F32, F64, HIGH_FIRST, I64, LOW_FIRST, Narrow, OneWordI64, Pytorch, Rule, Scale, Single,
    Sixteen, Tensorflow, scale_between,
};
use crate::{mt19937, normals};

/// Fills with the first rule for TENSORFLOW's generator and with the second for PyTorch's.
fn fill(level: Level, generator: Entered<'_>, tensorflow: impl Rule, pytorch: impl Rule, out: &mut [u8]) {
    match generator {
        Entered::Philox(philox) => fill_from(level, philox, tensorflow, out),
        Entered::Mt19937(start) => mt19937::fill(level, start, pytorch, out, &mut []),
        Entered::Key(key) => fill_from(level, key, pytorch, out),
    }
}

/// Fills with integers of `size` bytes: `min`, in the form of [`Bounds`](crate::op::bounds::Bounds), plus a remainder
/// by `range`, or plus the word itself if `range` is 0.
pub(crate) fn fill_integers<const ORDER: bool>(
    level: Level,
    stream: impl Stream,
    size: usize,
    [min, range]: [u64; 2],
    out: &mut [u8],
) {
    let [low_min, low_range] = [min, range].map(|x| halves(x)[0]);
    let (min32, range32) = (low_min, Divisor::<u32>::new(low_range));
    match size {
        1 => fill_from(
            level,
            stream,
            Narrow::<1> {
                min: min32,
                range: range32,
            },
            out,
        ),
        2 => fill_from(
            level,
            stream,
            Narrow::<2> {
                min: min32,
                range: range32,
            },
            out,
        ),
        4 => fill_from(
            level,
            stream,
            Narrow::<4> {
                min: min32,
                range: range32,
            },
            out,
        ),
        _ => {
            let range = Divisor::<u64>::new(range);
            fill_from(level, stream, I64::<ORDER> { min, range }, out);
        }
    }
}

impl Generator {
    /// Fills `out` with the stream's words as they are, each least significant byte first.
    ///
    /// # Panics
    /// Unless the bytes are those of whole words.
    pub fn fill_bytes(self, level: Level, out: &mut [u8]) {
        assert!(out.len().is_multiple_of(4), "a word has four bytes");
        fill(level, self.into(), Bits, Bits, out);
    }
}

/// The stream's f64 in `[0, 1)` under Philox.
pub(crate) fn fill_unit_f64(level: Level, philox: Philox, out: &mut [u8]) {
    let scale = Scale { min: 0.0, range: 1.0 };
    fill_from(level, philox, F64::<Tensorflow, true>::new(scale), out);
}

/// Fills with normals of f32, f16 or bf16.
pub(crate) fn fill_normals(
    level: Level,
    generator: Entered<'_>,
    dtype: Dtype,
    [mean, std]: [f64; 2],
    out: &mut [u8],
) {
    match dtype {
        Dtype::F16 => normals::fill::<F16>(level, generator, [mean, std], out),
        Dtype::Bf16 => normals::fill::<Bf16>(level, generator, [mean, std], out),
        _ => normals::fill::<Single>(level, generator, [mean, std], out),
    }
}

/// Implements the kernels of a float type. Infinite bounds make NaN, whose bits the scalar code makes
/// canonical and vectors do not.
macro_rules! float {
    ($float:ty, $scale:expr, $rule:ident $(, $format:ident)?) => {
        impl Fill for $float {
            fn fill(level: Level, generator: Entered<'_>, minval: Self, maxval: Self, out: &mut [u8]) {
                let scale = $scale(minval, maxval);
                // `[0, 1)` is the usual range. Leaving out its multiplication and addition changes no bit.
                if scale.is_identity() {
                    let tensorflow = $rule::<$($format,)? Tensorflow, true>::new(scale);
                    let pytorch = $rule::<$($format,)? Pytorch, true>::new(scale);
                    return fill(level, generator, tensorflow, pytorch, out);
                }
                let level = if scale.is_finite() { level } else { Level::scalar() };
                let tensorflow = $rule::<$($format,)? Tensorflow, false>::new(scale);
                let pytorch = $rule::<$($format,)? Pytorch, false>::new(scale);
                fill(level, generator, tensorflow, pytorch, out);
            }
        }
    };
}

float!(
    f32,
    |min, max| Scale {
        min,
        range: max - min
    },
    F32
);
float!(
    f64,
    |min, max| Scale {
        min,
        range: max - min
    },
    F64
);
float!(
    f16,
    |min: f16, max: f16| scale_between::<F16>(min.to_f32(), max.to_f32()),
    Sixteen,
    F16
);
float!(
    bf16,
    |min: bf16, max: bf16| scale_between::<Bf16>(min.to_f32(), max.to_f32()),
    Sixteen,
    Bf16
);

impl Fill for i32 {
    fn fill(level: Level, generator: Entered<'_>, minval: Self, maxval: Self, out: &mut [u8]) {
        let range = maxval.cast_unsigned().wrapping_sub(minval.cast_unsigned());
        let range = Divisor::<u32>::new(range);
        let rule = Narrow::<4> {
            min: minval.cast_unsigned(),
            range,
        };
        fill(level, generator, rule, rule, out);
    }
}

/// Whether an i64 takes two words in PYTORCH: if either bound is above 2^32 - 1. Then the upper bound is.
pub(crate) const fn is_wide(maxval: i64) -> bool {
    maxval > 0xffff_ffff
}

impl Fill for i64 {
    fn fill(level: Level, generator: Entered<'_>, minval: Self, maxval: Self, out: &mut [u8]) {
        let min = minval.cast_unsigned();
        let divisor = maxval.cast_unsigned().wrapping_sub(min);
        let range = Divisor::<u64>::new(divisor);
        let tensorflow = I64::<LOW_FIRST> { min, range };
        if is_wide(maxval) || matches!(generator, Entered::Key(_)) {
            let pytorch = I64::<HIGH_FIRST> { min, range };
            fill(level, generator, tensorflow, pytorch, out);
        } else {
            let range = u32::try_from(divisor).ok().and_then(Divisor::<u32>::new);
            let pytorch = OneWordI64 { min: minval, range };
            fill(level, generator, tensorflow, pytorch, out);
        }
    }
}
