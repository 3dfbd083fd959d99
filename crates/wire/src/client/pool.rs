//! The places for children. Their number bounds the requests in flight.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Items that threads take and give back, one at a time.
pub(super) struct Pool<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

struct State<T> {
    free: Vec<T>,
    /// The number of free and taken items.
    total: usize,
}

impl<T> Pool<T> {
    /// A pool from which the first item is taken first.
    pub(super) fn new(items: impl IntoIterator<Item = T>) -> Self {
        let mut free: Vec<T> = items.into_iter().collect();
        // `take` pops from the end. The last item given back is taken again first, so that a run with one request at a
        // time stays with the child that runs already and starts no other.
        free.reverse();
        let total = free.len();
        Self {
            state: Mutex::new(State { free, total }),
            changed: Condvar::new(),
        }
    }

    /// Waits for a free item and takes it. Returns `None` once all are retired.
    pub(super) fn take(&self) -> Option<T> {
        let none_free = |state: &mut State<T>| state.free.is_empty() && state.total > 0;
        let waited = self.changed.wait_while(self.lock(), none_free);
        waited.unwrap_or_else(PoisonError::into_inner).free.pop()
    }

    pub(super) fn give_back(&self, item: T) {
        self.lock().free.push(item);
        self.changed.notify_one();
    }

    /// Removes an item that was taken for good.
    pub(super) fn retire(&self) {
        let mut state = self.lock();
        state.total = state.total.saturating_sub(1);
        drop(state);
        // All of them: when the last item is retired, every thread that waits must give up.
        self.changed.notify_all();
    }

    /// Takes all free items for good.
    pub(super) fn drain(&self) -> Vec<T> {
        let mut state = self.lock();
        state.total = 0;
        std::mem::take(&mut state.free)
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // No code that can panic runs under the lock, so the state of a poisoned one is sound.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn pool_hands_out_each_item_to_one_at_a_time() {
        let pool = Pool::new([1, 2]);
        assert_eq!((pool.take(), pool.take()), (Some(1), Some(2)));
        thread::scope(|scope| {
            let waiter = scope.spawn(|| pool.take());
            pool.give_back(7);
            assert_eq!(waiter.join().unwrap(), Some(7));
        });
    }

    #[test]
    fn pool_of_retired_items_keeps_nobody_waiting() {
        let pool = Pool::new([1]);
        assert_eq!(pool.take(), Some(1));
        thread::scope(|scope| {
            let waiter = scope.spawn(|| pool.take());
            pool.retire();
            assert_eq!(waiter.join().unwrap(), None);
        });
        assert!(pool.drain().is_empty());
    }
}
