//! The program: its arguments, and the command that they name.

use std::ffi::OsString;

use clap::{CommandFactory as _, Parser as _};

use crate::args::{Cli, Command};
use crate::exit::{CommandResult, Exit};
use crate::{
    convert, corpus_command, documents, draw, explain, generate, inspect, io, new_adapter, quoting, registry,
    run, serve, smoke, whois,
};

/// Runs the program with these arguments, the first of which is its own name, and returns its exit status.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    seedproof::judging::quiet_panics();
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(message) => {
            // Where nobody listens, the exit status says it.
            let _ = message.print();
            return u8::try_from(message.exit_code()).unwrap_or(u8::MAX);
        }
    };
    quoting::keep(arguments);
    match dispatch(cli).and_then(|exit| io::lost().map(|()| exit)) {
        Ok(exit) => exit.status(),
        Err(error) => {
            io::print_error(&format!("seedproof: {error}\n"));
            error.status()
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
        Some(Command::Whois(args)) => whois::whois(&args),
        Some(Command::Convert(args)) => convert::convert(&args),
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
