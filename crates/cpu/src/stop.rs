//! Stops work before it is done, by a flag of the caller that long loops check.
//!
//! The flag belongs to a thread, like the floating-point environment. It is not an argument of every kernel, because
//! only programs with an interrupt need it. `split` passes it on to other threads.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    static CURRENT: RefCell<Stop> = const { RefCell::new(Stop(None)) };
}

/// Does work whose draws stop early once `stop` is set. Memory that is not filled by then is left as it was, and the
/// results of draws have no meaning.
///
/// ```
/// use std::sync::{Arc, atomic::AtomicBool};
/// use seedproof_cpu::{Level, Philox, until};
///
/// let mut words = vec![0; 1 << 20];
/// let stop = Arc::new(AtomicBool::new(true));
/// until(&stop, || Level::best().fill_words(Philox::from_seeds(150, 10), &mut words));
/// assert_eq!(words[0], 0);
/// ```
pub fn until<T>(stop: &Arc<AtomicBool>, work: impl FnOnce() -> T) -> T {
    Stop(Some(Arc::clone(stop))).during(work)
}

/// The flag of a piece of work, if it has one.
#[derive(Clone)]
pub(crate) struct Stop(Option<Arc<AtomicBool>>);

impl Stop {
    /// The flag of the work on this thread.
    pub(crate) fn current() -> Self {
        CURRENT.with_borrow(Clone::clone)
    }

    pub(crate) fn is_set(&self) -> bool {
        // Relaxed: nothing else is read depending on the flag, and seeing it a little later does no harm.
        self.0.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Does work on this thread that can be stopped by this flag.
    pub(crate) fn during<T>(self, work: impl FnOnce() -> T) -> T {
        // A guard, so that the flag of the caller is restored even if the work panics.
        let _before = Restored(CURRENT.replace(self));
        work()
    }
}

/// The flag that is restored when this guard is dropped.
struct Restored(Stop);

impl Drop for Restored {
    fn drop(&mut self) {
        CURRENT.set(Stop(self.0.0.take()));
    }
}

/// Whether the work on this thread should stop.
pub(crate) fn is_set() -> bool {
    CURRENT.with_borrow(Stop::is_set)
}

#[cfg(test)]
mod tests {
    use seedproof_ops::{
        Alignment, Attribute, Backend as _, Dtype, JaxBits, JaxKeyImpl, Limits, Multinomial, RandomUniform,
        Request, RngAlgorithm, RngBitGenerator, Tensor,
    };

    use super::*;
    use crate::backend::Cpu;
    use crate::level::Level;

    fn uniform(alignment: Alignment) -> Request {
        Request::RandomUniform(RandomUniform::new(
            alignment,
            &[1 << 20],
            [1.0_f64, 2.0],
            [150, 10],
        ))
    }

    fn multinomial(with_replacement: bool) -> Request {
        Request::Multinomial(Multinomial {
            probs: Tensor::new(
                Dtype::F64,
                seedproof_ops::Shape::new(&[1, 4096]).unwrap(),
                1.0_f64.to_le_bytes().repeat(4096),
            )
            .unwrap(),
            num_samples: Tensor::scalar(4096_i64),
            draws: None,
            convert_type: Attribute::Known(Dtype::I64),
            with_replacement,
            log_probs: false,
            global_seed: 1,
            op_seed: 2,
            execution: 0,
        })
    }

    fn words() -> Request {
        Request::RngBitGenerator(RngBitGenerator {
            rng_algorithm: Attribute::Known(RngAlgorithm::ThreeFry),
            output_type: Attribute::Known(Dtype::U32),
            output_sizes: vec![3, 1 << 20],
            initial_state: Tensor::vector(&[1_u64, 2]),
        })
    }

    fn halves(output_type: Dtype) -> Request {
        Request::JaxBits(JaxBits {
            implementation: Attribute::Known(JaxKeyImpl::Threefry2x32),
            partitionable: false,
            output_type: Attribute::Known(output_type),
            output_sizes: vec![1 << 20],
            key: Tensor::vector(&[1_u32, 2]),
        })
    }

    #[test]
    fn draws_end_early_once_it_is_set() {
        let requests = [
            uniform(Alignment::Tensorflow),
            uniform(Alignment::Pytorch),
            multinomial(true),
            multinomial(false),
            words(),
            halves(Dtype::U32),
            halves(Dtype::U64),
        ];
        for request in requests {
            for level in Level::detect() {
                let cpu = Cpu::new(level, Limits::default(), || 0);
                let full = cpu
                    .run(&request)
                    .expect("the request is valid")
                    .output
                    .bytes()
                    .to_vec();
                for (stops, expected) in [(true, vec![0; full.len()]), (false, full)] {
                    let mut out = vec![0; expected.len()];
                    let stop = Arc::new(AtomicBool::new(stops));
                    let _ = until(&stop, || cpu.fill(&request, &mut out));
                    let differing = out
                        .iter()
                        .zip(&expected)
                        .filter(|(one, other)| one != other)
                        .count();
                    // The first elements, up to where a vector may stand, are drawn before anything is looked at.
                    assert!(differing <= 64, "{request:?} {stops}: {differing} bytes differ");
                    assert!(!is_set());
                }
            }
        }
    }
}
