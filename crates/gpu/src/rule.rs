//! The kernel of each element type, and its parameters.

use seedproof_cpu::op::bounds::Bounds;
use seedproof_cpu::op::draw::{Conversion, Draw, Source};
use seedproof_cpu::op::random_uniform::Valid;
use seedproof_ops::{Alignment, Dtype};

/// A conversion from words to elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rule {
    /// The entry point.
    pub(crate) kernel: &'static str,
    /// Words per element: 1 or 2.
    pub(crate) words: usize,
    /// Bytes per element.
    pub(crate) size: usize,
    /// Low bits of a word, or of a pair, that make a number of the unit interval.
    digits: u32,
    bounds: Bounds,
    alignment: Alignment,
}

impl Rule {
    /// The words themselves.
    pub(crate) const BITS: Self = Self {
        kernel: "bits",
        words: 1,
        size: 4,
        digits: 0,
        bounds: Bounds { min: 0, range: 0 },
        alignment: Alignment::Tensorflow,
    };

    /// f64 in `[0, 1)` of TENSORFLOW.
    pub(crate) const DRAWS: Self = Self {
        kernel: "f64s",
        words: 2,
        size: 8,
        digits: 52,
        bounds: Bounds {
            min: 0,
            range: 1.0_f64.to_bits(),
        },
        alignment: Alignment::Tensorflow,
    };

    /// The rule of a stateless op's valid request.
    pub(crate) fn of_draw(draw: &Draw) -> Self {
        let dtype = draw.dtype;
        let (kernel, alignment) = match (draw.conversion, &draw.source) {
            (Conversion::Floats { .. }, Source::Keys(_)) => (float_kernel(dtype), Alignment::Pytorch),
            (Conversion::Floats { .. }, _) => (float_kernel(dtype), Alignment::Tensorflow),
            (Conversion::Integers { high_first, .. }, _) => {
                let kernel = match dtype.size() {
                    1 => "u8s",
                    2 => "u16s",
                    4 => "i32s",
                    _ => "i64s",
                };
                // PYTORCH's numbers have the high word first.
                let alignment = if high_first {
                    Alignment::Pytorch
                } else {
                    Alignment::Tensorflow
                };
                (kernel, alignment)
            }
        };
        Self {
            kernel,
            words: draw.words_per_element(),
            size: dtype.size(),
            digits: digits(dtype, alignment),
            bounds: draw.bounds(),
            alignment,
        }
    }

    /// The rule of a valid request.
    pub(crate) fn of(valid: &Valid<'_>) -> Self {
        Self::between(valid, valid.bounds())
    }

    /// The rule of a valid request for floats in `[0, 1)`; `None` for integers.
    pub(crate) fn unit(valid: &Valid<'_>) -> Option<Self> {
        let one = match valid.dtype() {
            // Sixteen bits are computed in f32.
            Dtype::F16 | Dtype::Bf16 | Dtype::F32 => u64::from(1.0_f32.to_bits()),
            Dtype::F64 => 1.0_f64.to_bits(),
            _ => return None,
        };
        Some(Self::between(valid, Bounds { min: 0, range: one }))
    }

    fn between(valid: &Valid<'_>, bounds: Bounds) -> Self {
        let dtype = valid.dtype();
        let words = valid.words_per_element();
        let kernel = match (dtype, words) {
            (Dtype::I32, _) => "i32s",
            (Dtype::I64, 1) => "one_word_i64s",
            (Dtype::I64, _) => "i64s",
            (float, _) => float_kernel(float),
        };
        Self {
            kernel,
            words,
            size: dtype.size(),
            digits: digits(dtype, valid.alignment()),
            bounds,
            alignment: valid.alignment(),
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

    /// The parameters of `fill.wgsl` for some blocks.
    pub(crate) fn parameters(&self, counter: [u32; 4], key: u64, blocks: u32, first: u32) -> [u32; 16] {
        let [c0, c1, c2, c3] = counter;
        let [k0, k1] = halves(key);
        let [m0, m1] = halves(self.bounds.min);
        let [r0, r1] = halves(self.bounds.range);
        let [q0, q1] = halves(u64::MAX.checked_div(self.bounds.range).unwrap_or(0));
        let tensorflow = u32::from(self.alignment == Alignment::Tensorflow);
        [
            c0,
            c1,
            c2,
            c3,
            k0,
            k1,
            blocks,
            self.digits,
            m0,
            m1,
            r0,
            r1,
            q0,
            q1,
            tensorflow,
            first,
        ]
    }
}

/// The kernel of floats of a type.
fn float_kernel(dtype: Dtype) -> &'static str {
    match dtype {
        Dtype::F16 => "f16s",
        Dtype::Bf16 => "bf16s",
        Dtype::F32 => "f32s",
        Dtype::F64 => "f64s",
        other => unreachable!("{other} is no float"),
    }
}

/// Low bits of a word, or of a pair, that make a number of the unit interval.
fn digits(dtype: Dtype, alignment: Alignment) -> u32 {
    dtype.mantissa_bits() + u32::from(alignment == Alignment::Pytorch)
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
