//! What the judge found.

use seedproof_ops::{BackendId, Dtype, Scalar, Shape};
use seedproof_vectors::CaseId;

/// The outcome of one case on one backend. The same words everywhere.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// As expected.
    Pass,
    /// A value that no named reading gives, or a value where a rejection was due.
    Fail,
    /// Wrong under the requested reading, right under this one.
    Reading(String),
    /// Refused, though the case expects a value, or refused for another reason.
    Rejects,
    /// Not claimed.
    Unsupported,
    /// Claimed, then answered as unsupported.
    ClaimBroken,
    /// The implementation says that it could not.
    Error,
    /// Its process ended.
    Crash {
        /// Whether it answered when the request was tried alone.
        order_dependent: bool,
    },
    /// No answer in time.
    Timeout,
    /// An answer that breaks the protocol.
    ProtocolError,
    /// Our own fault.
    Infrastructure,
    /// Not asked.
    NotRun,
}

impl Outcome {
    /// The word for it: `pass`, `fail`, `reading`, …. [`Outcome::Reading`]'s name is not part of it.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Reading(_) => "reading",
            Self::Rejects => "rejects",
            Self::Unsupported => "unsupported",
            Self::ClaimBroken => "claim-broken",
            Self::Error => "error",
            Self::Crash {
                order_dependent: false,
            } => "crash",
            Self::Crash {
                order_dependent: true,
            } => "crash (order dependent)",
            Self::Timeout => "timeout",
            Self::ProtocolError => "protocol-error",
            Self::Infrastructure => "infrastructure",
            Self::NotRun => "not-run",
        }
    }

    /// Whether the run conforms as far as this outcome goes.
    pub const fn conforms(&self) -> bool {
        matches!(self, Self::Pass | Self::Unsupported)
    }
}

/// What the judge found for one case on one backend.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The case.
    pub case: CaseId,
    /// The backend.
    pub backend: BackendId,
    /// The outcome.
    pub outcome: Outcome,
    /// Why, in one line, unless it passed: the rejection's message, the fault's, what was expected.
    pub message: String,
    /// Where and how the output differs, if there is an output to compare.
    pub mismatch: Option<Mismatch>,
    /// What the implementation wrote to its standard error, if it did not pass.
    pub stderr: String,
}

/// How an output differs from the expected one.
#[derive(Clone, Debug, PartialEq)]
pub enum Mismatch {
    /// Another element type or shape.
    Form {
        /// What was expected.
        expected: (Dtype, Shape),
        /// What was given.
        actual: (Dtype, Shape),
    },
    /// Elements differ.
    Elements(Comparison),
    /// The output is right and the state after it is not.
    State {
        /// What was expected.
        expected: Vec<Scalar>,
        /// What was given; empty if there was none.
        actual: Vec<Scalar>,
    },
    /// Some chunks' digests differ, and only the first and last elements are known.
    Chunks {
        /// Indices of the chunks (65,536 elements each) that differ.
        differing: Vec<usize>,
        /// Number of chunks.
        total: usize,
        /// The first element known to differ, if any.
        first: Option<Element>,
    },
    /// A run with both seeds zero did not look like one.
    Statistics(String),
}

/// An element that differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    /// Row-major index.
    pub index: usize,
    /// Coordinates.
    pub coordinates: Vec<usize>,
    /// The block of the generator that it comes from, where the generator has blocks, and the word in it.
    pub block: Option<(u64, u32)>,
    /// Expected.
    pub expected: Scalar,
    /// Actual.
    pub actual: Scalar,
    /// Representable values between the two, plus one; `None` for a NaN.
    pub ulps: Option<u64>,
}

/// An element-wise comparison that found a difference.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Number of elements.
    pub total: usize,
    /// Number that differ.
    pub differing: usize,
    /// The first that differs.
    pub first: Element,
    /// The largest distance in ulps among those that differ, NaNs apart.
    pub max_ulps: Option<u64>,
    /// For the mismatch strip: for each of up to 256 equal runs of elements, how many differ.
    pub strip: Vec<u32>,
    /// What can be said of each stage, first to last; empty where the backend cannot show stages.
    pub stages: Vec<(Stage, StageVerdict)>,
    /// What the first differing element should have gone through; `None` where that is not known.
    pub expected_stages: Option<StageValues>,
    /// What it went through; `None` where the backend cannot show stages.
    pub actual_stages: Option<StageValues>,
}

/// What one element went through on its way to the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageValues {
    /// The generator's words that it took.
    pub words: Vec<u32>,
    /// Its value in the unit interval; `None` for integers.
    pub unit: Option<Scalar>,
}

/// A stage of the computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stage {
    /// The generator's words.
    Words,
    /// Values in the unit interval.
    UnitInterval,
    /// Values in the asked range.
    Scale,
}

/// Whether a stage is where the difference is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StageVerdict {
    /// As expected.
    Equal,
    /// Different.
    Differs,
}
