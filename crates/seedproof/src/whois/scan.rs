//! Seeds in steps, on every core.

use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Seeds between two looks at whether to go on.
const STEP: u64 = 1 << 12;

/// The seeds whose first elements are an array's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Searched {
    /// The seeds, least first. Each is to be tried on the whole array.
    pub seeds: Vec<u64>,
    /// How many seeds were tried: so many of the first ones.
    pub tried: u64,
    /// Whether every op was asked, and not only the streams of the generators were searched.
    pub is_asked: bool,
}

/// Seeds in steps, on every core, until `work` says that one is certain, `most` are found or `go_on` says no.
pub(super) fn scan(
    seeds: &RangeInclusive<u64>,
    most: usize,
    go_on: &(dyn Fn(u64) -> bool + Sync),
    work: &(dyn Fn(RangeInclusive<u64>, &mut Vec<u64>) -> bool + Sync),
) -> Searched {
    let (first, last) = (*seeds.start(), *seeds.end());
    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let stopped = AtomicBool::new(false);
    let all_found = Mutex::new(Vec::new());
    let run = || {
        while !stopped.load(Ordering::Relaxed) {
            let offset = next.fetch_add(STEP, Ordering::Relaxed);
            let Some(start) = first.checked_add(offset).filter(|&start| start <= last) else {
                break;
            };
            let end = start.saturating_add(STEP - 1).min(last);
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
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(run);
        }
    });
    let mut seeds = all_found.into_inner().unwrap_or_else(PoisonError::into_inner);
    seeds.sort_unstable();
    Searched {
        seeds,
        tried: done.into_inner(),
        is_asked: true,
    }
}
