//! The arguments of `seedproof draw`.

use std::path::PathBuf;

use clap::{ArgMatches, Args, Command, FromArgMatches};
use seedproof_ops::{Named as _, OpName};

use crate::ask;
use crate::brought::MistakesArgs;
use crate::nan::NanArgs;

/// The word that asks for every reading which draws otherwise.
pub(super) const ALL: &str = "all";

/// The arguments: an op, as a command of its own, with the options of its request and those of every op.
#[derive(Debug)]
pub(crate) struct DrawArgs {
    pub(super) op: OpName,
    pub(super) request: ArgMatches,
    pub(super) options: Options,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "What is printed")]
pub(super) struct Options {
    /// Write the output into this .npy file, and further outputs beside it
    #[arg(short, long = "out", value_name = "FILE.npy")]
    pub(super) out: Option<PathBuf>,
    /// Print words, unit interval and value of each element, and the generator's block that it comes from
    #[arg(long)]
    pub(super) stages: bool,
    /// Draw as this reading does: its name, or a TOML file of your own; `all` adds each reading that draws something else
    #[arg(long, value_name = "NAME|FILE.toml|all", default_value = "spec")]
    pub(super) reading: String,
    #[command(flatten)]
    pub(super) mistakes: MistakesArgs,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
    /// Print the request and its answer as a case of the corpus, to paste
    #[arg(long, conflicts_with_all = ["json", "stages"])]
    pub(super) yaml: bool,
    /// Judge this output instead, `-` for standard input: text, .npy, .npz, .pt, .safetensors, or raw little-endian bytes
    #[arg(long, value_name = "FILE", conflicts_with_all = ["out", "stages", "yaml"])]
    pub(super) actual: Option<PathBuf>,
    #[command(flatten)]
    pub(super) nan: NanArgs,
    /// Print at most this many elements of each output: 64, or 65536 in JSON
    #[arg(long, value_name = "N")]
    pub(super) elements: Option<usize>,
    /// The most bytes that one output may take
    #[arg(long, value_name = "BYTES", default_value_t = 1 << 30)]
    pub(super) max_output: u64,
}

impl Args for DrawArgs {
    fn augment_args(command: Command) -> Command {
        let command = command
            .subcommand_required(true)
            .arg_required_else_help(true)
            .disable_help_subcommand(true)
            .subcommand_value_name("OP")
            .subcommand_help_heading("Ops");
        let options = |op: &OpName| Options::augment_args(ask::command(*op));
        command.subcommands(OpName::ALL.iter().map(options))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for DrawArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let missing = || clap::Error::new(clap::error::ErrorKind::MissingSubcommand);
        let (prefix, request) = matches.subcommand().ok_or_else(missing)?;
        let op = OpName::ALL.iter().find(|op| op.description().prefix == prefix);
        Ok(Self {
            op: *op.ok_or_else(missing)?,
            options: Options::from_arg_matches(request)?,
            request: request.clone(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
