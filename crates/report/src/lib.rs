//! Documents of a conformance run. A [`Run`] is read from its event log, and text, HTML, JSON, JUnit and
//! Markdown are derived from it.
//!
//! The crate uses no files, clocks or processes. Dates, versions and command lines come in as data, so that the same
//! events make the same bytes. `seedproof-check` decides what a finding means; this crate describes it.
//!
//! ```
//! use seedproof_report::{Palette, Run, summary};
//!
//! // Any log that `seedproof run --events` wrote; this one stops before its first case.
//! let log = r#"{"event":"run","schema":SCHEMA,"seedproof":"0.1.0","date":"2026-11-22","command":"seedproof run",
//!     "corpus":{"hash":"9f2b1c7d","cases":2606,"under_reading":2513},"reading":"spec","filter":[],
//!     "implementations":[{"id":"cpu/avx2","description":"AVX2","selected":2513,"rerun":"seedproof run --backend cpu/avx2"}]}"#;
//! # let log = log.replace("SCHEMA", &seedproof_report::EVENTS_SCHEMA.to_string());
//! let log = log.replace('\n', "") + "\n";
//! let run = Run::from_events(&[("events.jsonl", &log)])?;
//! assert_eq!(run.cut_short(), 1);
//! assert!(summary(&run, Palette::plain()).contains("cpu/avx2"));
//! # Ok::<(), seedproof_report::ReportError>(())
//! ```
#![forbid(unsafe_code)]

mod caveats;
mod coverage;
mod diff;
#[cfg(feature = "documents")]
mod document;
mod error;
mod event;
mod facts;
mod group;
mod headline;
#[cfg(feature = "documents")]
mod html;
#[cfg(feature = "documents")]
mod json;
#[cfg(feature = "documents")]
mod junit;
mod known;
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
#[cfg(feature = "documents")]
pub use document::{Document, html, json, junit};
pub use error::ReportError;
pub use event::{
    Answer, Clause, Corpus, Diagnosed, EVENTS_SCHEMA, Ended, Erratum, Event, Expectations, Expected, Header,
    Implementation, LeftOut, Mistake,
};
pub use facts::{CaseFacts, Expects, ExpectsKind, Input, group_of};
pub use group::{Group, Reason, ReasonKind, groups};
#[cfg(feature = "documents")]
pub use html::BenchFigure;
#[cfg(feature = "documents")]
pub use json::REPORT_SCHEMA;
#[cfg(feature = "documents")]
pub use junit::Unclaimed;
pub use markdown::markdown;
pub use run::{Judged, Run, Tally};
pub use text::{Failure, Palette, failure, summary, tried};
pub use why::{CaseExplanation, Why};
pub use words::plural;
