//! The program `seedproof`.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    seedproof_cli::main(std::env::args_os()).into()
}
