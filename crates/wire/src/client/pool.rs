//! Places for children: as many requests are in flight as there are places.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Things of which one is taken at a time by whoever needs one.
pub(super) struct Pool<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

struct State<T> {
    free: Vec<T>,
    /// Those that are free and those that are taken.
    total: usize,
}

impl<T> Pool<T> {
    /// A pool of these. The first is taken first.
    pub(super) fn new(items: impl IntoIterator<Item = T>) -> Self {
        let mut free: Vec<T> = items.into_iter().collect();
        free.reverse();
        let total = free.len();
        Self {
            state: Mutex::new(State { free, total }),
            changed: Condvar::new(),
        }
    }

    /// Takes one, when one is free; `None` once all are retired.
    pub(super) fn take(&self) -> Option<T> {
        let none_free = |state: &mut State<T>| state.free.is_empty() && state.total > 0;
        let waited = self.changed.wait_while(self.lock(), none_free);
        waited.unwrap_or_else(PoisonError::into_inner).free.pop()
    }

    /// Gives one back.
    pub(super) fn give_back(&self, item: T) {
        self.lock().free.push(item);
        self.changed.notify_one();
    }

    /// Says that one which was taken will not come back.
    pub(super) fn retire(&self) {
        let mut state = self.lock();
        state.total = state.total.saturating_sub(1);
        drop(state);
        self.changed.notify_all();
    }

    /// All that are free, for good.
    pub(super) fn drain(&self) -> Vec<T> {
        let mut state = self.lock();
        state.total = 0;
        std::mem::take(&mut state.free)
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
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
