//! Threads, and work that is shared among them.

use std::iter;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{Builder, available_parallelism, scope};

/// The bytes of the stack of a thread: what Rust gives a thread unless the environment has `RUST_MIN_STACK`.
pub const STACK: usize = 2 << 20;

/// What starts a thread whose stack has [`STACK`] bytes, whatever the environment says: a thread with a smaller one could end
/// the process.
///
/// ```
/// let thread = seedproof_ops::thread().spawn(|| 2 + 2)?;
/// assert_eq!(thread.join().ok(), Some(4));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn thread() -> Builder {
    Builder::new().stack_size(STACK)
}

/// The results of the same work on this thread and on as many others as make `threads` in all.
///
/// The threads are started for this work and end with it. They begin with the floating-point state of this one, where those of a pool
/// may not, and a fork of the host has them too. To start one takes some ten microseconds.
///
/// # Panics
/// Panics if the work does.
pub fn on_threads<R: Send>(threads: usize, work: impl Fn() -> R + Sync) -> Vec<R> {
    scope(|scope| {
        // Where no other thread can be started, this one does all.
        let start = |_| thread().spawn_scoped(scope, &work).ok();
        let others: Vec<_> = (1..threads).filter_map(start).collect();
        let own = work();
        let results = others
            .into_iter()
            .map(|other| other.join().expect("the work does not panic"));
        iter::once(own).chain(results).collect()
    })
}

/// The results of some work on each item, in their order, by a thread for each processor. Each takes the next item, because one may
/// take as long as hundreds of others.
///
/// ```
/// assert_eq!(seedproof_ops::each(&[1, 2, 3], |it| it * it), [1, 4, 9]);
/// ```
///
/// # Panics
/// Panics if the work on an item does.
pub fn each<'a, T: Sync, R: Send>(items: &'a [T], work: impl Fn(&'a T) -> R + Sync) -> Vec<R> {
    let threads = available_parallelism().map_or(1, NonZero::get).min(items.len());
    let next = AtomicUsize::new(0);
    let share = || -> Vec<(usize, R)> {
        let places = iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        let taken = places.map_while(|at| Some((at, work(items.get(at)?))));
        taken.collect()
    };
    let mut all: Vec<(usize, R)> = on_threads(threads, share).into_iter().flatten().collect();
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, result)| result).collect()
}
