//! The program: its arguments, and the command that they name.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{CommandFactory as _, FromArgMatches as _};

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
    let cli = match parse(&arguments) {
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

/// The command line. `--corpus` may stand before a subcommand; what else stands there is of a run, which the
/// subcommand is not.
fn parse(arguments: &[OsString]) -> Result<Cli, clap::Error> {
    let mut command = Cli::command();
    let matches = command.try_get_matches_from_mut(arguments)?;
    if let Some((name, _)) = matches.subcommand() {
        let given = |id: &&str| matches.value_source(id) == Some(ValueSource::CommandLine);
        let ids: Vec<&str> = matches.ids().map(clap::Id::as_str).collect();
        let arguments = command.get_arguments();
        let stray = arguments
            .filter(|argument| !argument.is_global_set())
            .find(|argument| ids.contains(&argument.get_id().as_str()) && given(&argument.get_id().as_str()));
        if let Some(stray) = stray {
            let message = format!("{stray} stands before `{name}`: expected it after the subcommand");
            return Err(command.error(ErrorKind::ArgumentConflict, message));
        }
    }
    Cli::from_arg_matches(&matches)
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
