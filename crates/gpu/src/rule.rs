//! The kernel of each element type, and its parameters.

use seedproof_cpu::op::bounds::Bounds;
use seedproof_cpu::op::draw::{Conversion, Draw, Source};
use seedproof_ops::Dtype;

/// The product of the unit interval is rounded to types of 16 bits, and not only the sum.
const ROUNDS_PRODUCT: u32 = 1;
/// The first of two words is the low one.
const LOW_FIRST: u32 = 2;
/// A number below the lower bound is that bound.
const AT_LEAST_MIN: u32 = 4;
/// Elements take two words.
const WIDE: u32 = 8;

/// A conversion from words to elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rule {
    /// The entry point.
    pub(crate) kernel: &'static str,
    /// Words per element: 1 or 2.
    pub(crate) words: usize,
    /// Bytes per element.
    pub(crate) size: usize,
    /// Bits of a word, or of a pair, that make a number of the unit interval.
    digits: u32,
    /// Low bits that are left out below them: of the high word of two, and of the other or of a word by itself.
    shifts: [u32; 2],
    bounds: Bounds,
    /// The factor of the higher bits, where words are sums.
    factor: u64,
    flags: u32,
}

impl Rule {
    /// Words as they are.
    pub(crate) const BITS: Self = Self::new("bits", 1, 4);

    /// f64 in `[0, 1)` of TENSORFLOW.
    pub(crate) const DRAWS: Self = Self {
        digits: 52,
        bounds: Bounds {
            min: 0,
            range: 1.0_f64.to_bits(),
        },
        ..Self::new("f64s", 2, 8)
    };

    /// i64 of a word each.
    pub(crate) const STATES: Self = Self {
        bounds: Bounds {
            min: 0,
            range: 1 << 32,
        },
        ..Self::new("one_word_i64s", 1, 8)
    };

    const fn new(kernel: &'static str, words: usize, size: usize) -> Self {
        Self {
            kernel,
            words,
            size,
            digits: 0,
            shifts: [0, 0],
            bounds: Bounds { min: 0, range: 0 },
            factor: 0,
            flags: 0,
        }
    }

    /// The rule of a valid request.
    pub(crate) fn of(draw: &Draw) -> Self {
        let (dtype, words) = (draw.dtype, draw.words_per_element());
        let is_pytorch = match draw.conversion {
            // PYTORCH's numbers have the high word first.
            Conversion::Integers { high_first, .. } => high_first,
            _ => matches!(draw.source, Source::Keys(_) | Source::Mt19937(_)),
        };
        if matches!(draw.conversion, Conversion::Floats { .. }) {
            return Self {
                digits: dtype.mantissa_bits() + u32::from(is_pytorch),
                bounds: draw.bounds(),
                flags: if is_pytorch { 0 } else { ROUNDS_PRODUCT },
                ..Self::new(float_kernel(dtype), words, dtype.size())
            };
        }
        if dtype.size() == 8 && words == 1 {
            return Self {
                bounds: draw.bounds(),
                ..Self::STATES
            };
        }
        Self::integers(dtype.size(), draw.bounds(), !is_pytorch)
    }

    /// The rule for integers of `size` bytes, each the remainder of a word, or of two.
    pub(crate) const fn integers(size: usize, bounds: Bounds, low_first: bool) -> Self {
        let kernel = match size {
            1 => "u8s",
            2 => "u16s",
            4 if bounds.min == 0 && bounds.range == 0 => "bits",
            4 => "i32s",
            _ => "i64s",
        };
        Self {
            bounds,
            flags: if low_first { LOW_FIRST } else { 0 },
            ..Self::new(kernel, size.div_ceil(4), size)
        }
    }

    /// [`Self::integers`] of sums, in which the higher bits have a factor.
    pub(crate) const fn sums(size: usize, bounds: Bounds, low_first: bool, factor: u64) -> Self {
        let rule = Self::integers(size, bounds, low_first);
        Self {
            factor,
            flags: rule.flags | if size == 8 { WIDE } else { 0 },
            ..rule
        }
    }

    /// The rule for floats of JAX: of the high bits of as many as the type has, but of 8 for bf16; rounded once in f32
    /// and f64.
    pub(crate) fn top(dtype: Dtype, bounds: Bounds, low_first: bool) -> Self {
        let digits = dtype.mantissa_bits();
        let kernel = match dtype {
            Dtype::F32 => "fused_f32s",
            Dtype::F64 => "fused_f64s",
            _ => float_kernel(dtype),
        };
        Self {
            digits,
            // The bits that JAX draws are the next power of two above the mantissa: 8, 16, 32 or 64.
            shifts: [0, (digits + 1).next_power_of_two() - digits],
            bounds,
            flags: ROUNDS_PRODUCT | AT_LEAST_MIN | if low_first { LOW_FIRST } else { 0 },
            ..Self::new(kernel, dtype.size().div_ceil(4), dtype.size())
        }
    }

    /// The rule for floats of ONNX's draft: of the high bits of a word, one more than the mantissa has. An f64 takes 27
    /// of the first word and 26 of the second.
    pub(crate) fn onnx(dtype: Dtype, bounds: Bounds) -> Self {
        let digits = dtype.mantissa_bits() + 1;
        Self {
            digits,
            // 32 - 5 and 32 - 6 bits are the 53 of an f64; NumPy makes its doubles so.
            shifts: if digits > 32 { [5, 6] } else { [0, 32 - digits] },
            bounds,
            flags: ROUNDS_PRODUCT,
            ..Self::new(float_kernel(dtype), dtype.size().div_ceil(4), dtype.size())
        }
    }

    /// The rule for ones where the number of a word's 23 high bits is below another.
    pub(crate) fn flags(below: u32) -> Self {
        Self {
            shifts: [0, 9],
            bounds: Bounds {
                min: 0,
                range: below.into(),
            },
            ..Self::new("flags", 1, 1)
        }
    }

    /// Elements that a block of four words makes: 2 or 4.
    pub(crate) const fn elements_per_block(&self) -> usize {
        4 / self.words
    }

    /// Bytes that a block of four words makes: 4, 8, 16 or 32.
    pub(crate) const fn bytes_per_block(&self) -> usize {
        self.elements_per_block() * self.size
    }

    /// The kernel's binding of its output.
    pub(crate) const fn output_binding(&self) -> u32 {
        match self.size {
            1 => 4,
            2 => 2,
            _ => 1,
        }
    }

    /// The parameters of `fill.wgsl` for some blocks of an origin, and of that of the higher bits of sums.
    pub(crate) fn parameters(&self, blocks: u32, origins: [Origin; 2]) -> [u32; 32] {
        let mut parameters = [0; 32];
        let reciprocal = u64::MAX.checked_div(self.bounds.range).unwrap_or(0);
        let numbers = [self.bounds.min, self.bounds.range, reciprocal, self.factor];
        let words = origins
            .into_iter()
            .flat_map(Origin::words)
            .chain(numbers.into_iter().flat_map(halves))
            .chain(self.shifts)
            .chain([blocks, self.digits, self.flags]);
        for (place, word) in parameters.iter_mut().zip(words) {
            *place = word;
        }
        parameters
    }
}

/// Where words begin: `Origin` of `fill.wgsl`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Origin {
    pub(crate) counter: [u32; 4],
    pub(crate) key: u64,
    pub(crate) first: u32,
    pub(crate) step: u32,
}

impl Origin {
    const fn words(self) -> [u32; 8] {
        let ([c0, c1, c2, c3], [k0, k1]) = (self.counter, halves(self.key));
        [c0, c1, c2, c3, k0, k1, self.first, self.step]
    }
}

/// The kernel of floats of a type.
fn float_kernel(dtype: Dtype) -> &'static str {
    match dtype {
        Dtype::F16 => "f16s",
        Dtype::Bf16 => "bf16s",
        Dtype::F32 => "f32s",
        Dtype::F64 => "f64s",
        other => unreachable!("{other} is not a float"),
    }
}

/// The words of a counter, the least significant first.
pub(crate) fn words(counter: u128) -> [u32; 4] {
    let ([c0, c1], [c2, c3]) = (halves(low64(counter)), halves(low64(counter >> 64)));
    [c0, c1, c2, c3]
}

/// The low and the high half.
#[expect(clippy::cast_possible_truncation, reason = "halves are meant")]
pub(crate) const fn halves(x: u64) -> [u32; 2] {
    [x as u32, (x >> 32) as u32]
}

#[expect(clippy::cast_possible_truncation, reason = "the low half is meant")]
const fn low64(x: u128) -> u64 {
    x as u64
}
