//! Filling of the caller's memory with numbers of a range.

use bytemuck::Pod;
use seedproof_ops::{Element, ErrorKind, OpError};

use crate::{Level, Philox, philox, rule};

pub(crate) mod sealed {
    use super::{Generator, Level};

    /// What the kernels know about a type, out of callers' reach.
    pub trait Fill: Copy + PartialOrd {
        /// Writes `out.len() / size` elements in `[minval, maxval)`, least significant byte first. The bounds
        /// are in order.
        fn fill(level: Level, generator: Generator, minval: Self, maxval: Self, out: &mut [u8]);
    }
}

/// The element types of RandomUniform-8: f16, bf16, f32, f64, i32 and i64.
pub trait Value: Element + Pod + sealed::Fill {}

impl<T: Element + Pod + sealed::Fill> Value for T {}

/// Where words come from, and with it which conversions RandomUniform-8 prescribes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generator {
    /// Philox4x32-10 and the conversions of TENSORFLOW.
    Philox(Philox),
    /// MT19937 and the conversions of PYTORCH.
    Mt19937 {
        /// The seed: the low half of `global_seed`.
        seed: u32,
    },
}

/// Numbers of one type in `[minval, maxval)` from one generator: RandomUniform-8 without its tensors.
///
/// ```
/// use seedproof_cpu::{Generator, Level, Philox, Plan};
///
/// let philox = Philox { key: 150, counter: 10 << 64 };
/// let plan = Plan::new(Level::best(), Generator::Philox(philox), 0.0_f32, 1.0)?;
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
        if minval < maxval {
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
        if cfg!(target_endian = "big") {
            for element in out {
                *element = T::from_le(bytemuck::bytes_of(element));
            }
        }
    }

    /// Fills an array in its logical order, as [`Self::fill`] does a slice.
    ///
    /// # Errors
    /// The array itself, untouched, if its elements do not lie one after another in that order.
    #[cfg(feature = "ndarray")]
    pub fn fill_array<'a, D: ndarray::Dimension>(
        &self,
        mut out: ndarray::ArrayViewMut<'a, T, D>,
    ) -> Result<(), ndarray::ArrayViewMut<'a, T, D>> {
        match out.as_slice_mut() {
            Some(out) => {
                self.fill(out);
                Ok(())
            }
            None => Err(out),
        }
    }

    /// [`Self::fill`] of elements as bytes, least significant first.
    pub(crate) fn fill_bytes(&self, out: &mut [u8]) {
        T::fill(self.level, self.generator, self.minval, self.maxval, out);
    }
}

impl Level {
    /// Fills `out` with a stream's words. Nothing is allocated; large slices are split over the threads of the
    /// caller's rayon pool.
    pub fn fill_words(self, philox: Philox, out: &mut [u32]) {
        philox::fill(self, philox, rule::Bits, bytemuck::cast_slice_mut(out));
        if cfg!(target_endian = "big") {
            for word in out {
                *word = u32::from_le(*word);
            }
        }
    }
}
