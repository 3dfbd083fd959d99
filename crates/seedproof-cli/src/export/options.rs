//! The arguments of `seedproof export`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::run_args::Selection;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// Tests of ONNX's ops as ONNX keeps its own: a folder for each case, with a model and its data sets
    OnnxNodeTests,
    /// Arrays for NumPy, and the requests that they belong to as JSON
    Npz,
    /// Everything as JSON, with the bytes of tensors in hexadecimal
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// The form
    pub(crate) form: Form,
    /// A folder that does not exist yet, is empty, or holds an earlier export and nothing else, which is replaced
    pub(crate) dir: PathBuf,
    #[command(flatten)]
    pub(crate) selection: Selection,
    /// The reading whose answers are expected, or a TOML file of your own
    #[arg(long, value_name = "NAME|FILE.toml", default_value = "spec")]
    pub(crate) reading: String,
    /// Leave out cases with more bytes of outputs
    #[arg(long, value_name = "BYTES", default_value_t = 1 << 20)]
    pub(crate) max_output: u64,
}
