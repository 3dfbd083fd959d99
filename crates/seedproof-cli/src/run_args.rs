//! The arguments of a run, and those that choose cases.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use seedproof_report::Unclaimed;

use crate::brought::MistakesArgs;
use crate::claimed::Required;
use crate::nan::NanArgs;
use crate::shard::Shard;

/// Milliseconds that an adapter has for one request, unless `--deadline` says otherwise.
pub(crate) const DEADLINE: u64 = 10_000;
/// The most bytes of one output, unless `--max-output` says otherwise.
pub(crate) const MAX_OUTPUT: u64 = 4 << 30;

#[derive(Debug, Args)]
pub(crate) struct CorpusDir {
    /// Read the corpus from this folder instead of the built-in one
    #[arg(long, value_name = "DIR")]
    pub(crate) corpus: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Selection {
    /// Queries that select cases; without a query, all cases
    #[arg(value_name = "QUERY")]
    pub(crate) queries: Vec<String>,
    #[command(flatten)]
    pub(crate) dir: CorpusDir,
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) selection: Selection,
    /// A backend to judge, as `seedproof backends` lists them. Exit 3 if it is not available
    #[arg(long = "backend", value_name = "NAME")]
    pub(crate) backends: Vec<String>,
    /// The graphics adapter of the GPU backend: its name, or its index from 0. Exit 3 if it is not available
    #[arg(long, value_name = "NAME|INDEX")]
    pub(crate) gpu_adapter: Option<String>,
    /// A program to judge that speaks the adapter protocol, as one quoted command line
    #[arg(long = "adapter", value_name = "CMD")]
    pub(crate) adapters: Vec<String>,
    /// A program to judge, as an argument vector: everything after `--`
    #[arg(last = true, value_name = "ARGV")]
    pub(crate) argv: Vec<OsString>,
    /// The reading to judge against: its name, a TOML file of your own, or `auto` to find the one that fits each
    /// implementation best
    #[arg(long, value_name = "NAME|FILE.toml", default_value = "spec")]
    pub(crate) reading: String,
    #[command(flatten)]
    pub(crate) mistakes: MistakesArgs,
    #[command(flatten)]
    pub(crate) nan: NanArgs,
    /// Judge this many random requests instead of the corpus; the reading's own engine computes what is expected
    #[arg(long, value_name = "N", conflicts_with = "corpus")]
    pub(crate) random: Option<u64>,
    /// The seed of the random requests
    #[arg(long, value_name = "SEED", default_value_t = 1, requires = "random")]
    pub(crate) random_seed: u64,
    /// Leave out random requests that the specification refuses
    #[arg(long, requires = "random")]
    pub(crate) random_valid: bool,
    /// Repeat each request this many times; an answer that changes is reported as not repeatable. A request with a wrong
    /// answer is always repeated once
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=MOST_REPEATS))]
    pub(crate) repeat: u32,
    /// Run only part I of N, for example 2/8
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<Shard>,
    /// Compare the findings with an expectation file
    #[arg(long, value_name = "FILE")]
    pub(crate) expect: Option<PathBuf>,
    /// Rewrite the expectation file so that it expects what was found
    #[arg(long, requires = "expect")]
    pub(crate) bless: bool,
    /// Exit 5 unless each implementation claims this many of the cases that are judged on it: a number, or a share such
    /// as 90%
    #[arg(long, value_name = "N|SHARE")]
    pub(crate) require_claimed: Option<Required>,
    /// Also write the event log here
    #[arg(long, value_name = "FILE")]
    pub(crate) events: Option<PathBuf>,
    /// The folder for the report
    #[arg(long, value_name = "DIR", default_value = "reports/out")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) junit: JunitArgs,
    #[command(flatten)]
    pub(crate) shown: ShownArgs,
    /// Milliseconds that an adapter has for one request
    #[arg(long, value_name = "MS", default_value_t = DEADLINE, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) deadline: u64,
    /// Processes per adapter; never more than there are cases
    #[arg(long, value_name = "N", default_value_t = NonZeroUsize::MIN, value_parser = jobs)]
    pub(crate) jobs: NonZeroUsize,
    /// Write an adapter's last request and reply into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) debug_frames: Option<PathBuf>,
    /// The largest output in bytes; larger ones are not drawn
    #[arg(long, value_name = "BYTES", default_value_t = MAX_OUTPUT)]
    pub(crate) max_output: u64,
}

#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct ShownArgs {
    /// Open the report when it is written
    #[arg(long)]
    pub(crate) open: bool,
    /// Also print how many candidates were tried for outputs that have no known cause
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct JunitArgs {
    /// Leave cases that an implementation does not claim out of the JUnit XML
    #[arg(long)]
    pub(crate) junit_without_unsupported: bool,
}

impl JunitArgs {
    pub(crate) const fn unclaimed(self) -> Unclaimed {
        if self.junit_without_unsupported {
            Unclaimed::LeftOut
        } else {
            Unclaimed::Skipped
        }
    }
}

/// An hour's requests of a small output to a program that answers in some milliseconds: more is a mistyped number.
const MOST_REPEATS: i64 = 1_000_000;

fn jobs(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| "expected a number from 1 on".to_owned())
}
