//! Work on every core.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{iter, thread};

/// The results of some work on each item, in their order. Each thread takes the next item, because one may take as long as
/// hundreds of others. Threads of their own begin with the floating-point state of this one, where those of a pool may not.
pub(super) fn each<'a, T: Sync, R: Send>(items: &'a [T], work: impl Fn(&'a T) -> R + Sync) -> Vec<R> {
    let threads = thread::available_parallelism()
        .map_or(1, NonZero::get)
        .min(items.len());
    let next = AtomicUsize::new(0);
    let share = || -> Vec<(usize, R)> {
        let places = iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        let taken = places.map_while(|at| Some((at, work(items.get(at)?))));
        taken.collect()
    };
    let mut all = thread::scope(|scope| {
        // Where no other thread can be started, this one does all.
        let start = |_| seedproof_ops::thread().spawn_scoped(scope, share).ok();
        let others: Vec<_> = (1..threads).filter_map(start).collect();
        let mut all = share();
        for other in others {
            all.extend(other.join().expect("the work does not panic"));
        }
        all
    });
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, result)| result).collect()
}
