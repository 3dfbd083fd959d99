//! A search through a range of seeds, in steps, on every core.

use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use seedproof_ops::on_threads;

/// The number of seeds that a thread takes at a time where each takes nanoseconds. After each step it asks whether to go
/// on: often enough to stop at once, and seldom enough that asking costs nothing.
pub(super) const QUICK: u64 = 1 << 12;

/// The same where each seed is asked of every op, which takes up to half a second.
pub(super) const SLOW: u64 = 1 << 2;

/// The result of a search: the seeds from which the first elements of an array are drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Searched {
    /// The seeds in ascending order. Each is still to be tried on the whole array.
    pub seeds: Vec<u64>,
    /// The number of seeds that were tried, from the first on.
    pub tried: u64,
    /// Generators whose streams were tried with more seeds than that, and the number of these: those of a search that was
    /// stopped before its end.
    pub streams: Vec<(&'static str, u64)>,
    /// Whether every op was asked. Otherwise only the streams of the generators were searched.
    pub is_asked: bool,
}

/// Tries seeds in steps on every core until `work` returns that one is certain, `most` are found, or `go_on` returns
/// no.
pub(super) fn scan(
    seeds: &RangeInclusive<u64>,
    (step, most): (u64, usize),
    go_on: &(dyn Fn(u64) -> bool + Sync),
    work: &(dyn Fn(RangeInclusive<u64>, &mut Vec<u64>) -> bool + Sync),
) -> Searched {
    let (first, last) = (*seeds.start(), *seeds.end());
    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let stopped = AtomicBool::new(false);
    let all_found = Mutex::new(Vec::new());
    let run = || {
        while !stopped.load(Ordering::Relaxed) {
            let offset = next.fetch_add(step, Ordering::Relaxed);
            // Steps are handed out in order and each is finished, so that the seeds that were tried are the first ones.
            let Some(start) = first.checked_add(offset).filter(|&start| start <= last) else {
                break;
            };
            let end = start.saturating_add(step - 1).min(last);
            let mut found = Vec::new();
            let is_certain = work(start..=end, &mut found);
            if !found.is_empty() {
                let mut all = all_found.lock().unwrap_or_else(PoisonError::into_inner);
                all.extend(found);
                stopped.fetch_or(is_certain || all.len() >= most, Ordering::Relaxed);
            }
            let tried = end - start + 1;
            let all = done.fetch_add(tried, Ordering::Relaxed) + tried;
            stopped.fetch_or(!go_on(all), Ordering::Relaxed);
        }
    };
    let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    on_threads(threads, run);
    let mut seeds = all_found.into_inner().unwrap_or_else(PoisonError::into_inner);
    seeds.sort_unstable();
    Searched {
        seeds,
        tried: done.into_inner(),
        streams: Vec::new(),
        is_asked: true,
    }
}
