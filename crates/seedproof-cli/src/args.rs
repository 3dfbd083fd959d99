//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use seedproof_ops::{Named as _, OpName, did_you_mean};

use crate::brought::MistakesArgs;
use crate::claimed::Required;
use crate::convert::ConvertArgs;
use crate::draw::options::DrawArgs;
use crate::examples;
use crate::export::options::ExportArgs;
use crate::nan::NanArgs;
pub(crate) use crate::run_args::{CorpusDir, DEADLINE, JunitArgs, MAX_OUTPUT, RunArgs, Selection};
use crate::same::SameArgs;
use crate::starter::NewAdapterArgs;
use crate::whois::WhoisArgs;
use crate::words::options::WordsArgs;

/// Does your implementation draw the bits that the specification promises, and if not, why?
///
/// Without a subcommand: run the corpus on every backend present and write the report.
#[derive(Debug, Parser)]
#[command(name = "seedproof", version, after_help = examples::PROGRAM, subcommand_precedence_over_arg = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run the corpus and judge what comes back
    #[command(after_help = examples::RUN)]
    Run(RunArgs),
    /// Try an adapter on a few cases of each claim, and stop at the first failure with the line that reruns it
    #[command(after_help = examples::SMOKE)]
    Smoke(SmokeArgs),
    /// Print the ids of the cases, one a line
    #[command(after_help = examples::LIST)]
    List(Selection),
    /// Print a case: the request, its words, unit interval and scaled values, and what is expected
    Show(ShowArgs),
    /// Print what a request must draw, or explain why your output differs
    #[command(after_help = examples::DRAW)]
    Draw(DrawArgs),
    /// Explain how an output differs from the expected one
    #[command(after_help = examples::EXPLAIN)]
    Explain(ExplainArgs),
    /// Print a generator's words, or explain why yours differ
    #[command(after_help = examples::WORDS)]
    Words(WordsArgs),
    /// Identify the implementations of logf, sinf and cosf, on this machine or from a file of results
    #[command(after_help = examples::LIBM)]
    Libm(LibmArgs),
    /// Find the implementation, mistake or stream that draws an array from a seed
    #[command(after_help = examples::WHOIS)]
    Whois(WhoisArgs),
    /// Compare two arrays bit by bit and show where they differ
    #[command(after_help = examples::SAME)]
    Same(SameArgs),
    /// Predict whether a converted model keeps its random numbers
    #[command(after_help = examples::CONVERT)]
    Convert(ConvertArgs),
    /// Write cases with their answers for other harnesses: as tests of ONNX nodes, arrays for NumPy, or JSON
    #[command(after_help = examples::EXPORT)]
    Export(ExportArgs),
    /// Recompute the derived expectations of the corpus in `--corpus`, or regenerate all generated files of this repository
    Gen(GenArgs),
    /// Check, count and extend the corpus
    ///
    /// At the root of a checkout of Seedproof the corpus is its `vectors`, unless `--corpus` names another.
    #[command(subcommand)]
    Corpus(CorpusCommand),
    /// Print a clause of the specifications: its text, its errata and the cases that cover it
    Clause(ClauseArgs),
    /// Print the errata of the specifications
    Errata(ErrataArgs),
    /// List the backends, GPU adapters and readings available on this machine
    Backends,
    /// Serve a backend or a reading over the adapter protocol on standard input and output
    Serve(ServeArgs),
    /// Write reports (HTML, JUnit, JSON, Markdown) from event logs
    #[command(after_help = examples::REPORT)]
    Report(ReportArgs),
    /// Compare two event logs: new failures, fixed ones, other changes
    #[command(after_help = examples::DIFF)]
    Diff(DiffArgs),
    /// Write a starter adapter
    NewAdapter(NewAdapterArgs),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
}

impl Command {
    /// The `--corpus` option of a subcommand that has one.
    pub(crate) fn corpus(&mut self) -> Option<&mut CorpusDir> {
        Some(match self {
            Self::Run(args) => &mut args.selection.dir,
            Self::Export(args) => &mut args.selection.dir,
            Self::List(selection) => &mut selection.dir,
            Self::Smoke(SmokeArgs { dir, .. })
            | Self::Show(ShowArgs { dir, .. })
            | Self::Explain(ExplainArgs { dir, .. })
            | Self::Gen(GenArgs { dir, .. })
            | Self::Clause(ClauseArgs { dir, .. })
            | Self::Corpus(
                CorpusCommand::Lint(dir)
                | CorpusCommand::Stats(dir)
                | CorpusCommand::Cover(dir)
                | CorpusCommand::Mutants(dir)
                | CorpusCommand::Draft(DraftArgs { dir, .. }),
            ) => dir,
            _ => return None,
        })
    }
}

#[derive(Debug, Args)]
pub(crate) struct SmokeArgs {
    /// The program, as one quoted command line
    #[arg(long, value_name = "CMD", required_unless_present = "argv")]
    pub(crate) adapter: Option<String>,
    /// The program, as an argument vector: everything after `--`
    #[arg(last = true, value_name = "ARGV")]
    pub(crate) argv: Vec<OsString>,
    /// Milliseconds that the program has for one request
    #[arg(long, value_name = "MS", default_value_t = DEADLINE, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) deadline: u64,
    /// The reading to judge against: its name, or a TOML file of your own
    #[arg(long, value_name = "NAME|FILE.toml", default_value = "spec")]
    pub(crate) reading: String,
    #[command(flatten)]
    pub(crate) mistakes: MistakesArgs,
    #[command(flatten)]
    pub(crate) nan: NanArgs,
    #[command(flatten)]
    pub(crate) dir: CorpusDir,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The case
    pub(crate) case: String,
    /// Print at most this many elements
    #[arg(long, value_name = "N", default_value_t = 64)]
    pub(crate) elements: usize,
    #[command(flatten)]
    pub(crate) dir: CorpusDir,
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// The case
    pub(crate) case: String,
    /// The output of an implementation, `-` for standard input: text, .npy, .npz, .pt, .safetensors, or raw
    /// little-endian bytes
    #[arg(long, value_name = "FILE")]
    pub(crate) actual: Option<PathBuf>,
    /// Print what was found as JSON
    #[arg(long, requires = "actual")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) mistakes: MistakesArgs,
    #[command(flatten)]
    pub(crate) nan: NanArgs,
    #[command(flatten)]
    pub(crate) dir: CorpusDir,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FunctionArg {
    /// The natural logarithm of an f32 greater than zero
    Logf,
    /// The sine of an f32 from 0 to less than 120
    Sinf,
    /// The cosine of an f32 from 0 to less than 120
    Cosf,
}

#[derive(Debug, Args)]
pub(crate) struct LibmArgs {
    /// The function; if it is left out, all three functions of this machine
    pub(crate) function: Option<FunctionArg>,
    /// Pairs of an f32 input and its result that another machine computed, `-` for standard input: .npy of shape [n, 2],
    /// raw little-endian bytes, or text
    #[arg(requires = "function")]
    pub(crate) file: Option<PathBuf>,
    /// Compare every input that an op reaches, over 100 million a function, instead of 2^24
    #[arg(long, conflicts_with = "file")]
    pub(crate) all: bool,
}

#[derive(Debug, Args)]
pub(crate) struct GenArgs {
    /// Write nothing; say what would change, and exit with 4 if anything would
    #[arg(long)]
    pub(crate) check: bool,
    /// The root of Seedproof's own repository
    #[arg(long, value_name = "DIR", default_value = ".", conflicts_with = "corpus")]
    pub(crate) root: PathBuf,
    #[command(flatten)]
    pub(crate) dir: CorpusDir,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CorpusCommand {
    /// Check the corpus for mistakes that its parser does not find
    Lint(CorpusDir),
    /// Count the cases
    Stats(CorpusDir),
    /// Print each clause with the code that follows it and the cases that cover it
    Cover(CorpusDir),
    /// Run every mistake over the corpus and print the cases that catch it
    Mutants(CorpusDir),
    /// Propose cases for an op from its description, and print them as a file of the corpus
    ///
    /// The cases ask every variant and element type for outputs whose extents are multiples of the sizes of vectors, blocks
    /// and tiles, with elements at their edges. The oracle computes what is expected.
    Draft(DraftArgs),
}

#[derive(Debug, Args)]
pub(crate) struct DraftArgs {
    /// The op, by its name or by the prefix of its cases
    #[arg(value_parser = op)]
    pub(crate) op: OpName,
    /// The topic: the first word of the last part of each id, as in `ru8/tensorflow/f32/TOPIC-…`
    #[arg(long, default_value = "extents")]
    pub(crate) topic: String,
    #[command(flatten)]
    pub(crate) dir: CorpusDir,
}

fn op(text: &str) -> Result<OpName, String> {
    let prefix = |op: &OpName| op.description().prefix;
    let found = OpName::ALL
        .iter()
        .find(|op| op.name() == text || prefix(op) == text);
    found.copied().ok_or_else(|| {
        let names = OpName::ALL.iter().flat_map(|op| [op.name(), prefix(op)]);
        format!("unknown op{}", did_you_mean(text, names))
    })
}

#[derive(Debug, Args)]
pub(crate) struct ClauseArgs {
    /// One clause, or a glob
    pub(crate) id: String,
    #[command(flatten)]
    pub(crate) dir: CorpusDir,
}

#[derive(Debug, Args)]
pub(crate) struct ErrataArgs {
    /// One erratum, or a glob
    pub(crate) id: Option<String>,
    /// Print Markdown
    #[arg(long)]
    pub(crate) markdown: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum FramingArg {
    /// One JSON object a line
    Lines,
    /// Binary frames
    Frames,
}

#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// Which backend answers
    #[arg(long, value_name = "NAME")]
    pub(crate) backend: Option<String>,
    /// The reading that answers: its name, or a TOML file of your own
    #[arg(long, value_name = "NAME|FILE.toml")]
    pub(crate) reading: Option<String>,
    /// How messages are framed after the hello lines
    #[arg(long, value_enum, default_value_t = FramingArg::Lines)]
    pub(crate) framing: FramingArg,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// Event logs; several are read as one run
    #[arg(required = true, value_name = "EVENTS")]
    pub(crate) events: Vec<PathBuf>,
    /// The HTML page
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// JUnit XML
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) junit_args: JunitArgs,
    /// JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// A Markdown summary
    #[arg(long, value_name = "FILE")]
    pub(crate) markdown: Option<PathBuf>,
    /// Exit 5 unless each implementation claims this many of the cases that are judged on it: a number, or a share such
    /// as 90%
    #[arg(long, value_name = "N|SHARE")]
    pub(crate) require_claimed: Option<Required>,
    /// Benchmark figures to add to the page as a section of their own: JSON lines with the fields what, implementation,
    /// figure and note
    #[arg(long, value_name = "FILE", requires = "output")]
    pub(crate) bench: Vec<PathBuf>,
    /// Open the page when it is written
    #[arg(long, requires = "output")]
    pub(crate) open: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// The event log of the earlier run
    pub(crate) old: PathBuf,
    /// The event log of the later run
    pub(crate) new: PathBuf,
    /// Do not exit with 1 where cases that passed are no longer judged
    #[arg(long)]
    pub(crate) allow_lost: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
