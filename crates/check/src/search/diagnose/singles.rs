//! Single candidates: readings, mistakes, and members of families.

use std::sync::Arc;

use seedproof_ops::{Backend, each};

use super::suspects::Suspects;
use crate::model::diagnosis::{Cause, CauseKind};

/// A backend of the caller, or one that was made for this diagnosis.
#[derive(Clone)]
pub(crate) enum Source<'a> {
    Borrowed(&'a dyn Backend),
    Owned(Arc<dyn Backend + 'a>),
}

impl Source<'_> {
    pub(crate) fn get(&self) -> &dyn Backend {
        match self {
            Self::Borrowed(backend) => *backend,
            Self::Owned(backend) => &**backend,
        }
    }
}

/// A candidate.
pub(crate) struct Single<'a> {
    pub(crate) cause: Cause,
    pub(crate) backend: Source<'a>,
    /// Whether it is a member of a family.
    pub(crate) is_member: bool,
    /// Whether the failing cases show its parameter.
    pub(crate) is_shown: bool,
    /// What it changes, as bits.
    pub(crate) changes: u64,
}

impl Single<'_> {
    pub(crate) fn is_reading(&self) -> bool {
        self.cause.kind == CauseKind::Reading
    }

    /// Whether it may change the answer to a request that reads this. Readings always may: that one changes nothing is what
    /// makes it explain an answer that is wrong under another reading alone.
    pub(crate) fn may_act(&self, reads: u64) -> bool {
        self.is_reading() || self.changes & reads != 0
    }
}

/// The trials that a thread is started for. One takes a microsecond or a few, and a thread some ten to start.
pub(crate) const TRIALS: usize = 128;

/// The same for searches of a stream, of which each takes fifty.
pub(crate) const SEARCHES: usize = 8;

/// Does something for each of these with all processors, a share of this size at a time. The results are in the order of the
/// candidates, so that a diagnosis does not depend on the number of threads.
pub(crate) fn at_once<T: Sync, R: Send>(all: &[T], share: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let shares: Vec<&[T]> = all.chunks(share).collect();
    let done = each(&shares, |share| share.iter().map(&work).collect::<Vec<R>>());
    done.into_iter().flatten().collect()
}

/// All single candidates, those without a parameter first.
pub(crate) fn singles<'a>(suspects: &Suspects<'a>, sizes: &[u32]) -> Vec<Single<'a>> {
    let plain = suspects.candidates.iter().map(|candidate| Single {
        cause: candidate.cause.clone(),
        backend: Source::Borrowed(candidate.backend),
        is_member: false,
        is_shown: false,
        changes: candidate.changes,
    });
    // By the name, because a size that is listed may be shown as well.
    let shown: Vec<String> = sizes.iter().map(|size| format!(" = {size})")).collect();
    let members = (suspects.families)(sizes).into_iter().map(|found| Single {
        is_shown: shown.iter().any(|size| found.cause.name.ends_with(size)),
        cause: found.cause,
        backend: Source::Owned(Arc::from(found.backend)),
        is_member: true,
        changes: found.changes,
    });
    plain.chain(members).collect()
}
