//! The program `seedproof`.
#![forbid(unsafe_code)]

mod args;
mod ask;
mod auto;
mod corpus_command;
mod documents;
mod draw;
mod dump;
mod elements;
mod examples;
mod exit;
mod expectations;
mod explain;
mod generate;
#[cfg(feature = "gpu")]
mod gpu;
#[cfg(not(feature = "gpu"))]
#[path = "no_gpu.rs"]
mod gpu;
mod implementations;
mod inspect;
mod io;
mod literal;
mod nan;
mod new_adapter;
mod npy;
mod plan;
mod quoting;
mod registry;
mod run;
mod run_args;
mod selection;
mod serve;
mod shard;
mod smoke;
mod threads;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use args::{Cli, Command};
use exit::{CommandResult, Exit};

fn main() -> ExitCode {
    seedproof::judging::quiet_panics();
    match dispatch(Cli::parse()).and_then(|exit| io::lost().map(|()| exit)) {
        Ok(exit) => exit.into(),
        Err(error) => {
            io::print_error(&format!("seedproof: {error}\n"));
            (&error).into()
        }
    }
}

fn dispatch(cli: Cli) -> CommandResult {
    match cli.command {
        None => run::run(&cli.run),
        Some(Command::Run(args)) => run::run(&args),
        Some(Command::Smoke(args)) => smoke::smoke(&args),
        Some(Command::List(args)) => inspect::list(&args),
        Some(Command::Show(args)) => inspect::show(&args),
        Some(Command::Draw(args)) => draw::draw(&args),
        Some(Command::Explain(args)) => explain::explain(&args),
        Some(Command::Gen(args)) => generate::generate(&args),
        Some(Command::Corpus(command)) => corpus_command::corpus(&command),
        Some(Command::Clause(args)) => registry::clause(&args),
        Some(Command::Errata(args)) => Ok(registry::errata(&args)),
        Some(Command::Backends) => inspect::backends(),
        Some(Command::Serve(args)) => serve::serve(&args),
        Some(Command::Report(args)) => documents::report(&args),
        Some(Command::Diff(args)) => documents::diff(&args),
        Some(Command::NewAdapter(args)) => new_adapter::new_adapter(&args),
        Some(Command::Completions { shell }) => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "seedproof", &mut script);
            io::print(&String::from_utf8_lossy(&script));
            Ok(Exit::Conforms)
        }
    }
}
