//! Which answers of a reading a request asks for.

use std::cell::Cell;
use std::ops::{BitAnd, Deref, DerefMut};

thread_local! {
    static READ: Cell<u64> = const { Cell::new(0) };
}

/// Some subjects of a reading.
///
/// A mistake that changes no subject that the answer to a request was made from cannot change that answer. Most mistakes
/// are of subjects that most ops never read, so that this spares most of the draws of a diagnosis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subjects(pub(crate) u64);

impl Subjects {
    /// All of them.
    pub const ALL: Self = Self(u64::MAX);

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// One bit for each of them.
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The result of some work on this thread, and the subjects that it read.
    pub(crate) fn read_by<T>(work: impl FnOnce() -> T) -> (T, Self) {
        let outer = READ.replace(0);
        let result = work();
        let read = READ.replace(outer);
        // Work that is noted inside of other work is a part of it.
        READ.set(outer | read);
        (result, Self(read))
    }
}

impl BitAnd for Subjects {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

/// A subject of a reading, the one numbered `AT`, which notes that it is read.
///
/// The alternative is a list for each op of what its engine reads. A list can be wrong, and then a cause would never be
/// found where it acts; that a field is only reached through this type cannot be forgotten.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Noted<T, const AT: u32>(T);

impl<T, const AT: u32> Noted<T, AT> {
    pub(crate) const fn new(answers: T) -> Self {
        Self(answers)
    }
}

impl<T, const AT: u32> Deref for Noted<T, AT> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        READ.set(READ.get() | 1 << AT);
        &self.0
    }
}

impl<T, const AT: u32> DerefMut for Noted<T, AT> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}
