//! The draft of a refusal.

use seedproof_ops::{ErrorKind, Request};

use crate::grid::draft::{Draft, Planned, names};

/// A draft that is refused for one reason.
pub(super) fn refused(id: &str, clause: &str, errata: &[&str], kind: ErrorKind, request: Request) -> Draft {
    Draft {
        errata: names(errata),
        expect: Planned::Rejected(kind),
        ..Draft::new(id, &[clause], request)
    }
}
