//! Splits work over threads by position, so that results do not depend on the number of threads or their order.

use bytemuck::Pod;
use std::process;
use std::sync::OnceLock;

use rayon::prelude::*;
use seedproof_ops::standard;

use crate::stop::{self, Stop};

/// The elements from which splitting pays if the caller is on a thread of the pool: they take about as long as another
/// thread needs to take over work.
const WARM: usize = 1 << 16;
/// The elements from which it pays to wake up the pool.
const COLD: usize = 1 << 20;

/// Whether `elements` elements of work pay for being split.
pub(crate) fn pays(elements: usize) -> bool {
    if rayon::current_thread_index().is_some() {
        return elements >= WARM && rayon::current_num_threads() > 1;
    }
    elements >= COLD && !is_forked() && rayon::current_num_threads() > 1
}

/// Whether this process is a fork of the one that started the pool, as Python's multiprocessing makes them. `fork`
/// copies only the calling thread, so work for the pool would wait for ever.
fn is_forked() -> bool {
    static STARTED_IN: OnceLock<u32> = OnceLock::new();
    let now = process::id();
    *STARTED_IN.get_or_init(|| now) != now
}

/// Calls `each` with the index and the elements of every chunk of `size`; the last chunk may be shorter.
/// `work` is the number of elements that the chunks come from or go to, all together.
pub(crate) fn for_each<T: Pod>(
    work: usize,
    out: &mut [T],
    size: usize,
    each: impl Fn(usize, &mut [T]) + Sync,
) {
    let all = try_for_each(work, out, size, |index, chunk| {
        each(index, chunk);
        Some(())
    });
    debug_assert!(all.is_some() || stop::is_set(), "no chunk fails");
}

/// [`for_each`] until a chunk fails or the work is stopped.
pub(crate) fn try_for_each<T: Pod>(
    work: usize,
    out: &mut [T],
    size: usize,
    each: impl Fn(usize, &mut [T]) -> Option<()> + Sync,
) -> Option<()> {
    let each = |index, chunk: &mut [u8]| each(index, bytemuck::cast_slice_mut(chunk));
    let splits = out.len() > size && pays(work);
    for_chunks(
        splits,
        bytemuck::cast_slice_mut(out),
        size * size_of::<T>(),
        &each,
    )
}

/// [`try_for_each`] over bytes, which is compiled only once. Copies of rayon's joins for each kernel were a
/// third of the crate's code.
fn for_chunks(
    splits: bool,
    out: &mut [u8],
    size: usize,
    each: &(dyn Fn(usize, &mut [u8]) -> Option<()> + Sync),
) -> Option<()> {
    if !splits {
        let mut chunks = out.chunks_mut(size).enumerate();
        return chunks.try_for_each(|(index, chunk)| if stop::is_set() { None } else { each(index, chunk) });
    }
    let stop = Stop::current();
    let chunks = out.par_chunks_mut(size).enumerate();
    chunks.try_for_each(|(index, chunk)| guarded(&stop, || each(index, chunk)))
}

/// Does a chunk's work on a thread of the pool, unless the work is stopped. The floating-point environment and the flag
/// to stop belong to a thread, so each thread of the pool is given them for its chunk.
fn guarded(stop: &Stop, each: impl FnOnce() -> Option<()>) -> Option<()> {
    if stop.is_set() {
        None
    } else {
        stop.clone().during(|| standard(each))
    }
}

/// Cuts `out` in two after the byte `first`, cuts both parts into chunks of `size` bytes, and calls `each` with an index
/// and both chunks of that index. The second part is not the longer one; where it has ended, its chunks are empty.
/// `work` is as for [`for_each`].
pub(crate) fn for_each_pair(
    work: usize,
    out: &mut [u8],
    [first, size]: [usize; 2],
    each: &(dyn Fn(usize, [&mut [u8]; 2]) + Sync),
) {
    let (first, second) = out.split_at_mut(first);
    let stop = Stop::current();
    if first.len() > size && pays(work) {
        let none = rayon::iter::once(<&mut [u8]>::default());
        let chunks = first
            .par_chunks_mut(size)
            .zip(second.par_chunks_mut(size).chain(none));
        chunks.enumerate().for_each(|(index, (first, second))| {
            guarded(&stop, || {
                each(index, [first, second]);
                Some(())
            });
        });
        return;
    }
    let mut seconds = second.chunks_mut(size);
    for (index, first) in first.chunks_mut(size).enumerate() {
        if stop.is_set() {
            return;
        }
        each(index, [first, seconds.next().unwrap_or_default()]);
    }
}
