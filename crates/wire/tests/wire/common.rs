//! The adapter that most tests drive.

use std::path::PathBuf;
use std::time::Duration;

use seedproof_ops::{Answer, Ask, Backend, Failure, Request, Value, Want};
use seedproof_wire::{AdapterBackend, AdapterCommand, Options, StartError};

/// The adapter program `examples/misbehaving.rs` with these arguments.
pub(crate) fn misbehaving(args: &[&str]) -> AdapterCommand {
    let test = std::env::current_exe().expect("a test knows its program");
    let folder = test.ancestors().nth(2).expect("tests are in target/PROFILE/deps");
    let program: PathBuf = folder
        .join("examples")
        .join(format!("misbehaving{}", std::env::consts::EXE_SUFFIX));
    assert!(
        program.is_file(),
        "{} is missing: build it with `cargo build -p seedproof-wire --examples` in the same profile",
        program.display()
    );
    let words = std::iter::once(program.into_os_string()).chain(args.iter().map(Into::into));
    AdapterCommand::new(words)
        .expect("it has a program")
        .named("misbehaving")
}

/// Options with a deadline that a busy machine meets.
pub(crate) fn options() -> Options {
    Options {
        deadline: Duration::from_secs(20),
        ..Options::default()
    }
}

/// The program, started.
pub(crate) fn start(args: &[&str]) -> Result<AdapterBackend, StartError> {
    AdapterBackend::start(misbehaving(args), options())
}

/// Asks for a whole output, under the name of a case.
pub(crate) fn ask(adapter: &AdapterBackend, case: &str, request: &Request) -> Answer {
    adapter.ask(&Ask {
        case,
        request,
        want: Want::Full,
    })
}

/// Asks for a part of an output.
pub(crate) fn part(adapter: &AdapterBackend, request: &Request, want: Want) -> Result<Value, Failure> {
    let ask = Ask {
        case: "",
        request,
        want,
    };
    adapter.ask(&ask).result
}
