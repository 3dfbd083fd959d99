//! The kernel of each element type, and its parameters.

use seedproof_cpu::op::bounds::Bounds;
use seedproof_cpu::op::draw::{Conversion, Draw, Source};
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

    /// The rule of a valid request.
    pub(crate) fn of(draw: &Draw) -> Self {
        let (dtype, words) = (draw.dtype, draw.words_per_element());
        let is_pytorch = match draw.conversion {
            // PYTORCH's numbers have the high word first.
            Conversion::Integers { high_first, .. } => high_first,
            _ => matches!(draw.source, Source::Keys(_) | Source::Mt19937(_)),
        };
        let alignment = if is_pytorch {
            Alignment::Pytorch
        } else {
            Alignment::Tensorflow
        };
        let kernel = match (draw.conversion, dtype.size()) {
            (Conversion::Floats { .. }, _) => float_kernel(dtype),
            (Conversion::Integers { min: 0, range: 0, .. }, 4) => "bits",
            (_, 1) => "u8s",
            (_, 2) => "u16s",
            (_, 4) => "i32s",
            _ if words == 1 => "one_word_i64s",
            _ => "i64s",
        };
        Self {
            kernel,
            words,
            size: dtype.size(),
            digits: digits(dtype, alignment),
            bounds: draw.bounds(),
            alignment,
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
        other => unreachable!("{other} is not a float"),
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
