//! Fills the caller's memory with numbers within bounds.

use bytemuck::Pod;
use seedproof_ops::{Alignment, Element, ErrorKind, OpError, standard};

use crate::bits::halves;
use crate::level::Level;
use crate::mt19937::Start;
use crate::philox::{Philox, PhiloxKey};
use crate::threefry::Threefry;
use crate::{fill, rule};

pub(crate) mod sealed {
    use super::{Entered, Level};

    /// The kernels of a type. The trait is sealed, because its bounds must have been checked.
    pub trait Fill: Copy + PartialOrd {
        /// Writes `out.len() / size` elements in `[minval, maxval)`, least significant byte first. Integer bounds must
        /// be in order. For floats, the result of the formula is right whatever the bounds.
        fn fill(level: Level, generator: Entered<'_>, minval: Self, maxval: Self, out: &mut [u8]);
    }
}

/// The element types of RandomUniform-8: f16, bf16, f32, f64, i32 and i64.
pub trait Value: Element + Pod + sealed::Fill {}

impl<T: Element + Pod + sealed::Fill> Value for T {}

/// The source of words. It also decides by which of RandomUniform-8's conversions they become elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generator {
    /// Philox4x32-10 and the conversions of TENSORFLOW.
    Philox(Philox),
    /// MT19937 and the conversions of PYTORCH.
    Mt19937 {
        /// The seed: the low half of `global_seed`.
        seed: u32,
    },
    /// Philox4x32-10 and the conversions of PYTORCH, as PyTorch draws by a key that is a value. An i64 takes two
    /// words, the high one first.
    Key(PhiloxKey),
}

impl Generator {
    /// The generator of RandomUniform-8 for two seeds, which are not both zero. PYTORCH takes the low half of the first
    /// and ignores the second.
    pub const fn from_seeds(alignment: Alignment, global_seed: u64, op_seed: u64) -> Self {
        match alignment {
            Alignment::Tensorflow => Self::Philox(Philox::from_seeds(global_seed, op_seed)),
            Alignment::Pytorch => Self::Mt19937 {
                seed: halves(global_seed)[0],
            },
        }
    }
}

/// A generator that is entered at some word of its stream.
#[derive(Clone, Copy)]
pub enum Entered<'a> {
    Philox(Philox),
    Mt19937(Start<'a>),
    Key(PhiloxKey),
}

impl From<Generator> for Entered<'_> {
    fn from(generator: Generator) -> Self {
        match generator {
            Generator::Philox(philox) => Self::Philox(philox),
            Generator::Mt19937 { seed } => Self::Mt19937(Start::Seed(seed)),
            Generator::Key(key) => Self::Key(key),
        }
    }
}

/// Numbers of one type in `[minval, maxval)` from one generator: RandomUniform-8 without its tensors.
///
/// ```
/// use seedproof_cpu::{Generator, Level, Plan};
/// use seedproof_ops::Alignment;
///
/// let generator = Generator::from_seeds(Alignment::Tensorflow, 150, 10);
/// let plan = Plan::new(Level::best(), generator, 0.0_f32, 1.0)?;
/// let mut out = [0.0; 3];
/// plan.fill(&mut out);
/// assert_eq!(out, [0.7011236, 0.30539632, 0.93931055]);
/// # Ok::<(), seedproof_ops::OpError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Plan<T> {
    level: Level,
    generator: Generator,
    minval: T,
    maxval: T,
}

impl<T: Value> Plan<T> {
    /// A plan to draw from `[minval, maxval)`.
    ///
    /// # Errors
    /// [`ErrorKind::Range`] unless `minval < maxval`. Infinite bounds are allowed.
    pub fn new(level: Level, generator: Generator, minval: T, maxval: T) -> Result<Self, OpError> {
        if standard(|| minval < maxval) {
            return Ok(Self {
                level,
                generator,
                minval,
                maxval,
            });
        }
        Err(OpError::new(
            ErrorKind::Range,
            format!("minval {minval:?} is not less than maxval {maxval:?}"),
        ))
    }

    /// Fills `out` with the stream's first numbers. Nothing is allocated; large slices are split over the
    /// threads of the caller's rayon pool, and the numbers do not depend on how many there are.
    pub fn fill(&self, out: &mut [T]) {
        self.fill_bytes(bytemuck::cast_slice_mut(out));
        // Kernels write the bytes of a tensor, which are little-endian everywhere. `cfg!` rather than an attribute
        // keeps this code compiled on all targets.
        if cfg!(target_endian = "big") {
            in_native_order(out);
        }
    }

    /// Fills an array in its logical order, as [`Self::fill`] does a slice. Elements that do not lie one after another
    /// in that order, such as those of a transposed view, are made in memory of their own and copied.
    #[cfg(feature = "ndarray")]
    pub fn fill_array<D: ndarray::Dimension>(&self, mut out: ndarray::ArrayViewMut<'_, T, D>) {
        if let Some(out) = out.as_slice_mut() {
            return self.fill(out);
        }
        let mut elements = vec![self.minval; out.len()];
        self.fill(&mut elements);
        for (place, element) in out.iter_mut().zip(elements) {
            *place = element;
        }
    }

    /// [`Self::fill`] of elements as bytes, least significant first.
    pub(crate) fn fill_bytes(&self, out: &mut [u8]) {
        standard(|| T::fill(self.level, self.generator.into(), self.minval, self.maxval, out));
    }
}

impl Level {
    /// Fills `out` with a stream's words. Nothing is allocated; large slices are split over the threads of
    /// the caller's rayon pool.
    pub fn fill_words(self, philox: Philox, out: &mut [u32]) {
        fill_bits(self, philox, out);
    }

    /// [`Self::fill_words`] of Threefry.
    pub fn fill_threefry(self, threefry: Threefry, out: &mut [u32]) {
        fill_bits(self, threefry, out);
    }
}

fn fill_bits(level: Level, stream: impl fill::Stream, out: &mut [u32]) {
    fill::fill(level, stream, rule::Bits, bytemuck::cast_slice_mut(out));
    if cfg!(target_endian = "big") {
        in_native_order(out);
    }
}

/// Converts numbers from the byte order of kernels, least significant first, to that of the processor.
fn in_native_order<T: Element + Pod>(out: &mut [T]) {
    for element in out {
        *element = T::from_le(bytemuck::bytes_of(element));
    }
}

#[cfg(test)]
mod tests {
    use half::{bf16, f16};
    use proptest::prelude::*;
    use seedproof_ops::Tensor;

    use super::*;

    /// Bytes at any address, filled by every level and by vectors of sixteen words.
    fn assert_bytes_agree<T: Value>(generator: Generator, minval: T, maxval: T, start: usize, count: usize) {
        let filled = |level| {
            let mut buffer = vec![0; start + count * T::DTYPE.size()];
            let plan = Plan::new(level, generator, minval, maxval).unwrap();
            plan.fill_bytes(&mut buffer[start..]);
            buffer
        };
        let expected = filled(Level::scalar());
        for level in Level::detect().into_iter().chain(Level::emulated()) {
            let name = level.name();
            assert!(
                filled(level) == expected,
                "{name} {generator:?} {minval:?} {maxval:?} {start} {count}"
            );
        }
    }

    fn assert_types_agree(generator: Generator, start: usize, count: usize) {
        assert_bytes_agree(generator, f16::ZERO, f16::ONE, start, count);
        assert_bytes_agree(generator, f16::NEG_ONE, f16::PI, start, count);
        assert_bytes_agree(generator, bf16::ZERO, bf16::ONE, start, count);
        assert_bytes_agree(generator, bf16::NEG_ONE, bf16::PI, start, count);
        assert_bytes_agree(generator, 0.0_f32, 1.0, start, count);
        assert_bytes_agree(generator, -1.5_f32, f32::INFINITY, start, count);
        assert_bytes_agree(generator, -1.5_f32, 0.1, start, count);
        assert_bytes_agree(generator, 0.0_f64, 1.0, start, count);
        assert_bytes_agree(generator, -1.5_f64, 0.1, start, count);
        assert_bytes_agree(generator, i32::MIN, i32::MAX, start, count);
        assert_bytes_agree(generator, -7_i32, 43, start, count);
        assert_bytes_agree(generator, -7_i64, 43, start, count);
        assert_bytes_agree(generator, i64::MIN, i64::MAX, start, count);
        assert_bytes_agree(generator, i64::MIN, -1, start, count);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn fill_bytes_agrees_at_any_address(
            key: u64, high: u64, low in 0_u64..80, start in 0_usize..70, count in 0_usize..1400, seed: u32,
        ) {
            let counter = (u128::from(high) << 64).wrapping_sub(low.into());
            assert_types_agree(Generator::Philox(Philox { key, counter }), start, count);
            assert_types_agree(Generator::Mt19937 { seed }, start, count);
            let offset = 0_u64.wrapping_sub(low);
            assert_types_agree(Generator::Key(PhiloxKey { seed: key, offset }), start, count);
        }
    }

    /// The step that a processor of the other byte order takes, on elements whose bytes lie as kernels write them.
    #[test]
    fn native_order_is_that_of_the_numbers() {
        fn assert_native<T: Element + Pod + PartialEq>(numbers: &[T]) {
            let mut memory: Vec<T> = numbers.to_vec();
            for (number, place) in numbers.iter().zip(&mut memory) {
                let bytes = Tensor::scalar(*number).bytes().to_vec();
                bytemuck::bytes_of_mut(place).copy_from_slice(&bytes);
            }
            in_native_order(&mut memory);
            assert!(memory == numbers);
        }
        assert_native(&[f16::PI, f16::from_bits(0x0102)]);
        assert_native(&[bf16::PI, bf16::from_bits(0x0102)]);
        assert_native(&[1.5_f32, f32::from_bits(0x0102_0304)]);
        assert_native(&[1.5_f64, f64::from_bits(0x0102_0304_0506_0708)]);
        assert_native(&[-2_i32, 0x0102_0304]);
        assert_native(&[-2_i64, 0x0102_0304_0506_0708]);
        assert_native(&[7_u32, 0x0102_0304]);
    }

    /// Enough to be streamed, whose first place in a line may lie within an element or a block.
    #[test]
    fn fill_bytes_agrees_when_streamed() {
        let generators = [
            Generator::Philox(Philox {
                key: 1,
                counter: (1 << 32) - 99,
            }),
            Generator::Mt19937 { seed: 1 },
        ];
        for generator in generators {
            for start in [0, 2, 4, 7, 16] {
                assert_bytes_agree(generator, f16::ZERO, f16::ONE, start, (4 << 20) + 77);
            }
            assert_bytes_agree(generator, 0_i64, 1000, 8, (1 << 20) + 77);
        }
    }
}
