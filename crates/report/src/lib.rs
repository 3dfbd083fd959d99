//! Documents of a conformance run: a [`Run`] is read from its event log, and text, HTML, JSON, JUnit and Markdown
//! are derived from it.
//!
//! Pure: no files, clocks or processes. Dates, versions and command lines come in as data, and the same events give
//! the same bytes. What a finding means is not decided here (that is `seedproof-check`); how it is told is.
#![forbid(unsafe_code)]

mod banner;
mod error;
mod event;
mod expected;
mod facts;
mod group;
#[cfg(feature = "documents")]
mod html;
mod inert;
mod json;
#[cfg(feature = "documents")]
mod junit;
mod markdown;
mod run;
mod text;

pub use error::ReportError;
pub use event::Event;
pub use expected::{Expectations, Expected};
pub use facts::{CaseFacts, Input, group_of};
pub use group::{Cause, Group, groups};
#[cfg(feature = "documents")]
pub use html::{AnswerText, BenchFigure, ClauseText, ErratumText, Extras, MistakeText, html};
pub use inert::{cut, inert};
pub use json::json;
#[cfg(feature = "documents")]
pub use junit::junit;
pub use markdown::markdown;
pub use run::{Corpus, Diagnosed, Header, Implementation, Judged, LeftOut, Run, Tally};
pub use text::{Palette, failure, summary};
