//! The program: its arguments, and the command that they name.

use std::ffi::OsString;
use std::panic::resume_unwind;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{CommandFactory as _, FromArgMatches as _};

use crate::args::{Cli, Command, CorpusDir};
use crate::exit::{CommandResult, Error, Exit};
use crate::{
    convert, corpus_command, documents, draw, explain, export, generate, inspect, interrupt, io, libm,
    quoting, registry, run, same, serve, smoke, starter, threads, whois, words,
};

/// Runs the program with these arguments, the first of which is its own name, and returns its exit status.
///
/// All of it, and the threads that it starts, work in the standard floating-point environment, whatever that of the caller is,
/// and on stacks of the program's own choice, since that of a process may be any. On Linux the process adopts what its adapters
/// leave behind and ends it with them ([`seedproof_wire::adopt_orphans`]): a host starts nothing else meanwhile.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments = arguments.into_iter().collect();
    std::thread::scope(|scope| {
        let program = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, || seedproof_ops::standard(|| run_program(arguments)));
        match program {
            Ok(program) => program.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Err(error) => said(&Error::failed("start threads", error)),
        }
    })
}

/// The bytes of the stack of the thread that parses the arguments and does what they say: what systems give a process.
const STACK: usize = 8 << 20;

/// Says why the program ends, and returns its exit status.
fn said(error: &Error) -> u8 {
    io::print_error(&format!("seedproof: {error}\n"));
    error.status()
}

fn run_program(arguments: Vec<OsString>) -> u8 {
    seedproof::judging::quiet_panics();
    interrupt::outlive_limits_of_files();
    seedproof_wire::adopt_orphans();
    let cli = match parse(&arguments) {
        Ok(cli) => cli,
        Err(message) => {
            let text = message.render().ansi().to_string();
            if message.use_stderr() {
                io::print_error_styled(&text);
            } else {
                io::print(&text);
            }
            return u8::try_from(message.exit_code()).unwrap_or(u8::MAX);
        }
    };
    quoting::keep(arguments);
    match threads::bound()
        .and_then(|()| dispatch(cli))
        .and_then(|exit| io::lost().map(|()| exit))
    {
        Ok(exit) => exit.status(),
        Err(error) => said(&error),
    }
}

/// The command line. `--corpus` may stand before a subcommand that reads a corpus; what else stands there is of a run,
/// which the subcommand is not.
fn parse(arguments: &[OsString]) -> Result<Cli, clap::Error> {
    let mut command = Cli::command();
    let matches = command.try_get_matches_from_mut(arguments)?;
    let mut cli = Cli::from_arg_matches(&matches)?;
    let (Some(subcommand), Some((name, _))) = (&mut cli.command, matches.subcommand()) else {
        return Ok(cli);
    };
    let is_given = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
    let stray = command.get_arguments().find(|argument| {
        let id = argument.get_id().as_str();
        id != "corpus" && is_given(id)
    });
    let stray = stray.map(ToString::to_string);
    let folder = cli.run.selection.dir.corpus.take();
    let message = match (stray, folder, subcommand.corpus()) {
        (Some(argument), ..) => {
            format!("put {argument} after `{name}`")
        }
        (None, None, _) => return Ok(cli),
        (None, Some(_), None) => format!("`{name}` does not take --corpus"),
        (None, Some(_), Some(CorpusDir { corpus: Some(_) })) => "--corpus is given twice".to_owned(),
        (None, folder, Some(dir)) => {
            dir.corpus = folder;
            return Ok(cli);
        }
    };
    Err(command.error(ErrorKind::ArgumentConflict, message))
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
        Some(Command::Same(args)) => same::same(&args),
        Some(Command::Words(args)) => words::words(&args),
        Some(Command::Libm(args)) => libm::libm(&args),
        Some(Command::Convert(args)) => convert::convert(&args),
        Some(Command::Export(args)) => export::export(&args),
        Some(Command::Gen(args)) => generate::generate(&args),
        Some(Command::Corpus(command)) => corpus_command::corpus(&command),
        Some(Command::Clause(args)) => registry::clause(&args),
        Some(Command::Errata(args)) => Ok(registry::errata(&args)),
        Some(Command::Backends) => inspect::backends(),
        Some(Command::Serve(args)) => serve::serve(&args),
        Some(Command::Report(args)) => documents::report(&args),
        Some(Command::Diff(args)) => documents::diff(&args),
        Some(Command::NewAdapter(args)) => starter::new_adapter(&args),
        Some(Command::Completions { shell }) => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "seedproof", &mut script);
            io::print(&String::from_utf8_lossy(&script));
            Ok(Exit::Conforms)
        }
    }
}
