//! Where the system makes no process the parent of orphans, what adapters leave behind is found by its mark alone.

/// Nothing.
pub const fn adopt_orphans() {}

/// Nothing.
pub const fn end_orphans() {}
