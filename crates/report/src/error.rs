//! Errors of event logs and of the documents made from them.

/// Why events are not a valid run, or a document cannot be made from one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReportError {
    /// An error in a line of a log.
    #[error("read {file}:{line}: {reason}")]
    At {
        /// The log, as the caller names it.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The error.
        reason: Box<ReportError>,
    },
    /// A line is not an event.
    #[error("read the event: {0}")]
    Syntax(String),
    /// The log is of another version of this format than the one that is read.
    #[error("read an event log of schema {0}: this program reads schema {1}")]
    Schema(u32, u32),
    /// A log does not begin with a `run` event, or there is no log.
    #[error("find the `run` event that begins an event log")]
    NoHeader,
    /// A field has a value that is invalid, or that contradicts another one.
    #[error("read the {what}: {reason}")]
    Invalid {
        /// The subject of the event.
        what: String,
        /// The contradiction.
        reason: String,
    },
    /// An event follows the `end` of its log.
    #[error("read an event after the `end` of the log")]
    AfterEnd,
    /// Two logs are not of the same corpus, program, reading, selection or implementation.
    #[error("join two logs: {what} is `{first}` in one and `{other}` in another")]
    OtherRun {
        /// The property that differs.
        what: String,
        /// Its value in the first log.
        first: String,
        /// Its value in the other log.
        other: String,
    },
    /// Two runs were judged under readings of the same name with different answers.
    #[error(
        "compare two logs: their reading `{reading}` has other answers in each, whose digests are {old} and {new}"
    )]
    OtherAnswers {
        /// The reading.
        reading: String,
        /// The digest of its answers in the old run.
        old: String,
        /// The digest of its answers in the new run.
        new: String,
    },
    /// An event names an implementation that no `run` event lists.
    #[error("find the implementation `{0}` among those of the run")]
    UnknownBackend(String),
    /// An event names a case that no `case` event describes.
    #[error("find the case `{0}`: its `case` event must come first")]
    UnknownCase(String),
    /// Two events describe the same case, clause, erratum or mistake differently.
    #[error("join two descriptions of `{0}`: they differ")]
    Differs(String),
    /// One case was judged twice on one implementation.
    #[error("add a second finding of `{case}` on `{backend}`")]
    Duplicate {
        /// The case.
        case: String,
        /// The implementation.
        backend: String,
    },
    /// An implementation has more findings than its header selects.
    #[error("count the cases of `{backend}`: more than the {selected} that the `run` event selects")]
    TooMany {
        /// The implementation.
        backend: String,
        /// The number of cases that the header selects.
        selected: usize,
    },
    /// An expected failure has no finding that fails.
    #[error("find a failure of `{case}` on `{backend}` to be expected")]
    NotFailing {
        /// The case.
        case: String,
        /// The implementation.
        backend: String,
    },
    /// The `end` event has a wrong number of findings.
    #[error("close the log: it counts {said} findings and holds {counted}")]
    Count {
        /// The number in the `end` event.
        said: usize,
        /// The number of findings in the log.
        counted: usize,
    },
    /// A document could not be written.
    #[error("write the document: {0}")]
    Document(String),
}

impl ReportError {
    /// The same error, with the line where it was found.
    pub(crate) fn at(self, file: &str, line: usize) -> Self {
        Self::At {
            file: file.to_owned(),
            line,
            reason: Box::new(self),
        }
    }
}
