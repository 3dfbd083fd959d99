//! Why a child is lost, and why an adapter does not start.

use std::io;
use std::time::Duration;

use seedproof_ops::untrusted::clip;

use super::command::AdapterCommand;

/// Why no answer came from a child. It is of no more use.
#[derive(Debug)]
pub(super) enum Lost {
    /// The process ended; how.
    Ended(String),
    /// It did not answer in time.
    Late(Duration),
    /// It breaks the protocol; how.
    Protocol(String),
    /// The harness cannot go on.
    Harness(io::Error),
}

/// Why an adapter does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The operating system does not start the program.
    #[error(
        "start the adapter `{command}`: {error} (is the program installed, and is its path right from this folder?)"
    )]
    Spawn {
        /// The command.
        command: String,
        /// What the operating system says.
        error: io::Error,
    },
    /// The program ended before it said hello.
    #[error("start the adapter `{command}`: before its hello line, {how} (run it by hand: it should wait for a line){}", said(.stderr))]
    Ended {
        /// The command.
        command: String,
        /// Its exit status or signal.
        how: String,
        /// What it wrote to its standard error.
        stderr: String,
    },
    /// No hello came in time.
    #[error("start the adapter `{command}`: no hello line within {} ms (does it flush its output?){}", .limit.as_millis(), said(.stderr))]
    Late {
        /// The command.
        command: String,
        /// How long it had.
        limit: Duration,
        /// What it wrote to its standard error.
        stderr: String,
    },
    /// Its hello breaks the protocol.
    #[error("start the adapter `{command}`: {message} (docs/protocol.md describes the hello line){}", said(.stderr))]
    Protocol {
        /// The command.
        command: String,
        /// How.
        message: String,
        /// What it wrote to its standard error.
        stderr: String,
    },
    /// The folder for dumps cannot be made, or a pipe or thread is missing.
    #[error("start the adapter `{command}`: {error}")]
    Harness {
        /// The command.
        command: String,
        /// What the operating system says.
        error: io::Error,
    },
}

/// The most lines of standard error that a message repeats.
const LINES: usize = 200;

fn said(stderr: &str) -> String {
    if stderr.is_empty() {
        String::new()
    } else {
        format!("; its standard error:\n{}", clip(stderr, LINES))
    }
}

impl StartError {
    pub(super) fn of(command: &AdapterCommand, lost: Lost, stderr: String) -> Self {
        let command = command.to_string();
        match lost {
            Lost::Ended(how) => Self::Ended { command, how, stderr },
            Lost::Late(limit) => Self::Late {
                command,
                limit,
                stderr,
            },
            Lost::Protocol(message) => Self::Protocol {
                command,
                message,
                stderr,
            },
            Lost::Harness(error) => Self::Harness { command, error },
        }
    }
}
