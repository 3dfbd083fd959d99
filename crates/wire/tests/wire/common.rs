//! The adapter that most tests drive.

use std::path::PathBuf;
use std::time::Duration;

use seedproof_wire::{AdapterBackend, AdapterCommand, Options, StartError};

/// The adapter program `examples/saboteur.rs` with these arguments.
pub(crate) fn saboteur(args: &[&str]) -> AdapterCommand {
    let test = std::env::current_exe().expect("a test knows its program");
    let folder = test.ancestors().nth(2).expect("tests are in target/PROFILE/deps");
    let program: PathBuf = folder
        .join("examples")
        .join(format!("saboteur{}", std::env::consts::EXE_SUFFIX));
    assert!(
        program.is_file(),
        "{} is missing: build it with `cargo build -p seedproof-wire --examples` in the same profile",
        program.display()
    );
    let words = std::iter::once(program.into_os_string()).chain(args.iter().map(Into::into));
    AdapterCommand::new(words)
        .expect("it has a program")
        .named("saboteur")
}

/// Options with a short deadline.
pub(crate) fn options() -> Options {
    Options {
        deadline: Duration::from_millis(400),
        ..Options::default()
    }
}

/// The saboteur, started.
pub(crate) fn start(args: &[&str]) -> Result<AdapterBackend, StartError> {
    AdapterBackend::start(saboteur(args), options())
}
