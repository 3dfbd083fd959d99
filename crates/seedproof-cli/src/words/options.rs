//! The arguments of `seedproof words`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Generator {
    /// Philox4x32-10, four words a block
    #[value(name = "philox4x32-10", alias = "philox")]
    Philox,
    /// Threefry2x32-20, two words a block
    #[value(name = "threefry2x32-20", alias = "threefry")]
    Threefry,
    /// MT19937 seeded by one word
    #[value(name = "mt19937", alias = "mt")]
    Mt19937,
}

#[derive(Debug, Args)]
pub(crate) struct WordsArgs {
    /// The generator
    pub(crate) generator: Generator,
    /// The words that an implementation drew, `-` for standard input: text, .npy, .npz, .pt, .safetensors, or raw
    /// little-endian bytes; without a file, the right ones are printed
    pub(crate) file: Option<PathBuf>,
    /// The 64-bit key, low word first, in decimal or in hexadecimal with `0x`; for mt19937 the 32-bit seed
    #[arg(long, alias = "seed", value_name = "N", value_parser = number, allow_hyphen_values = true)]
    pub(crate) key: u128,
    /// The counter of the first block, low word first: 128 bits for philox4x32-10, 64 for threefry2x32-20
    #[arg(long, value_name = "N", value_parser = number)]
    pub(crate) counter: Option<u128>,
    /// How many words are printed, at most 1048576
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=1 << 20), conflicts_with = "file")]
    pub(crate) count: u32,
    /// Print what was found as JSON
    #[arg(long, requires = "file")]
    pub(crate) json: bool,
}

fn number(text: &str) -> Result<u128, String> {
    if text.starts_with('-') {
        return crate::seed::seed(text).map(u128::from);
    }
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let number = match digits {
        Some(digits) => u128::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number.map_err(|_| format!("`{text}` is not a whole number from 0 to 2^128 - 1"))
}
