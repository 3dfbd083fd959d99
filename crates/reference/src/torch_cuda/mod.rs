//! PyTorch's elementwise draws on CUDA: Philox4x32-10 with a counter for each thread and lap of a launch.
//!
//! Source: `aten/src/ATen/native/cuda/DistributionTemplates.h`, `TransformationHelper.h`, and cuRAND's `curand_uniform.h` and
//! `curand_normal.h`. An H200 answered as these modules do, under PyTorch 2.11.0 and CUDA 13.0.
//!
//! There are no stages: an element takes words of a block that others share.

use seedproof_ops::{ErrorKind, OpError};

use crate::{philox, validate};

/// The launch of a request of any of the ops. Their fields have no type in common.
macro_rules! launch {
    ($request:ident) => {
        Launch::new(
            $request.seed,
            $request.offset,
            $request.multiprocessors,
            $request.threads_per_multiprocessor,
        )
    };
}

pub mod bernoulli;
pub mod normal;
pub mod random;
pub mod uniform;

/// Threads of a block.
const BLOCK: u64 = 256;

/// The generator at a call, and the launch of its kernel.
struct Launch {
    seed: u64,
    /// Blocks that were drawn of each subsequence before the call.
    blocks: u64,
    /// The most threads that the card runs at once.
    most: u64,
}

impl Launch {
    /// `[tcu.offset]`: the offset is a multiple of 4. `[tcu.threads]`: a multiprocessor takes whole blocks of 256 threads.
    fn new(seed: u64, offset: i128, processors: i128, threads: i128) -> Result<Self, OpError> {
        let refuse = |message: String| validate::refuse(ErrorKind::Attribute, message);
        let blocks = match u64::try_from(offset) {
            Ok(offset) if offset.is_multiple_of(4) => offset / 4,
            _ => {
                return refuse(format!(
                    "draw at the offset {offset}: expected a multiple of 4 from 0 to 2^64 - 4"
                ));
            }
        };
        let per = u32::try_from(threads).map(|threads| u64::from(threads) / BLOCK);
        let (Ok(processors @ 1..), Ok(per @ 1..)) = (u32::try_from(processors), per) else {
            return refuse(format!(
                "launch on {processors} multiprocessors of {threads} threads: expected at least one of at least {BLOCK}"
            ));
        };
        Ok(Self {
            seed,
            blocks,
            most: u64::from(processors) * per * BLOCK,
        })
    }

    /// What each element of an output draws: `N` parts of a block, of which an element takes one.
    ///
    /// `[tcu.threads]`: as many threads as there are elements, in whole blocks, but no more than the card runs.
    /// `[tcu.lap]`: an element at i stands in the lap i div (`N` T), takes the part (i mod (`N` T)) div T and the thread
    /// i mod T. `[tcu.counter]`: the counter has the blocks before the lap as its low half and the thread as its high half.
    fn draws<T, const N: usize>(
        &self,
        count: usize,
        parts: impl Fn([u32; 4]) -> [T; N],
    ) -> impl Iterator<Item = T> {
        let count = u64::try_from(count).expect("a machine counts in 64 bits at most");
        let threads = count
            .div_ceil(BLOCK)
            .saturating_mul(BLOCK)
            .clamp(BLOCK, self.most);
        (0..count).map(move |i| {
            let round = i / threads;
            let n = u64::try_from(N).expect("a block has four words");
            let (lap, part) = (round / n, round % n);
            let low = self.blocks.wrapping_add(lap);
            let counter = u128::from(i % threads) << 64 | u128::from(low);
            let parts = parts(philox::block(self.seed, counter));
            let part = usize::try_from(part).expect("less than four");
            parts.into_iter().nth(part).expect("a part of the block")
        })
    }
}

/// Two numbers of a block, of the words first and second, and third and fourth.
fn pairs<T>(words: [u32; 4], of: impl Fn(u32, u32) -> T) -> [T; 2] {
    let [a, b, c, d] = words;
    [of(a, b), of(c, d)]
}

/// `[tcu.unit]`: the word is rounded to f32 before it is divided by 2^32; half a step is added, so that the number is in (0, 1].
///
/// The product is exact, so that it makes no difference that the compiler fuses it with the sum.
#[expect(clippy::cast_precision_loss, reason = "the rounding is cuRAND's")]
fn unit(word: u32) -> f32 {
    (word as f32).mul_add(1.0 / 4_294_967_296.0, 1.0 / 8_589_934_592.0)
}

/// `[tcu.unit.f64]`: 53 bits, of which the second word's are the higher, and half a step.
#[expect(clippy::cast_precision_loss, reason = "54 bits, which are rounded to 53")]
fn unit_f64(first: u32, second: u32) -> f64 {
    let bits = u64::from(first) ^ u64::from(second) << 21;
    (bits as f64).mul_add(2.0_f64.powi(-53), 2.0_f64.powi(-54))
}
