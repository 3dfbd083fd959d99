//! Documents of a conformance run: a [`Run`] is read from its event log, and text, HTML, JSON, JUnit and Markdown
//! are derived from it.
//!
//! Pure: no files, clocks or processes. Dates, versions and command lines come in as data, and the same events give
//! the same bytes. `seedproof-check` decides what a finding means; this crate describes it.
#![forbid(unsafe_code)]

mod caveats;
mod coverage;
mod diff;
mod error;
mod event;
mod facts;
mod group;
#[cfg(feature = "documents")]
mod html;
mod json;
#[cfg(feature = "documents")]
mod junit;
mod markdown;
mod notes;
mod run;
mod text;
mod untrusted;
mod verdict;
mod why;
mod words;

pub use coverage::{Coverage, Part};
pub use diff::{Change, Changes, Diff};
pub use error::ReportError;
pub use event::{
    Answer, Clause, Corpus, Diagnosed, EVENTS_SCHEMA, Erratum, Event, Expectations, Expected, Header,
    Implementation, LeftOut, Mistake,
};
pub use facts::{CaseFacts, Input, group_of};
pub use group::{Group, Reason, groups};
#[cfg(feature = "documents")]
pub use html::{BenchFigure, html};
pub use json::json;
#[cfg(feature = "documents")]
pub use junit::junit;
pub use markdown::markdown;
pub use run::{Judged, Run, Tally};
pub use text::{Failure, Palette, failure, summary};
pub use why::{Given, Why};
