//! The ways in which a child is lost and in which an adapter fails to start.

use std::io;
use std::time::Duration;

use seedproof_ops::untrusted::last_lines;

use super::command::AdapterCommand;

/// Why no answer came from a child, which must then be replaced.
#[derive(Debug)]
pub(super) enum Lost {
    /// The process ended, with this status or signal.
    Ended(String),
    /// No answer came within this time.
    Late(Duration),
    /// The child broke the protocol, in this way.
    Protocol(String),
    /// The fault is the harness's own: a thread, a pipe or a file failed.
    Harness(io::Error),
}

/// Why an adapter does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The operating system cannot start the program.
    #[error(
        "start the adapter `{command}`: {error} (is the program installed, and is its path right from this folder?)"
    )]
    Spawn {
        /// The command.
        command: String,
        /// The error of the operating system.
        error: io::Error,
    },
    /// The program ended before its hello line.
    #[error("start the adapter `{command}`: before its hello line, {how} (run it by hand: it should wait for a line){}", said(.stderr))]
    Ended {
        /// The command.
        command: String,
        /// Its exit status or signal.
        how: String,
        /// The text on its standard error.
        stderr: String,
    },
    /// No hello line came in time.
    #[error("start the adapter `{command}`: no hello line within {} ms (does it flush its output?){}", .limit.as_millis(), said(.stderr))]
    Late {
        /// The command.
        command: String,
        /// The time that it had.
        limit: Duration,
        /// The text on its standard error.
        stderr: String,
    },
    /// The hello line breaks the protocol.
    #[error("start the adapter `{command}`: {message} (docs/protocol.md describes the hello line){}", said(.stderr))]
    Protocol {
        /// The command.
        command: String,
        /// The fault of the line.
        message: String,
        /// The text on its standard error.
        stderr: String,
    },
    /// The folder for dumps, a pipe or a thread cannot be created.
    #[error("start the adapter `{command}`: {error}")]
    Harness {
        /// The command.
        command: String,
        /// The error of the operating system.
        error: io::Error,
    },
}

/// The most lines of standard error that a message repeats.
const LINES: usize = 200;

fn said(stderr: &str) -> String {
    if stderr.is_empty() {
        return String::new();
    }
    format!("; its standard error:\n{}", last_lines(stderr, LINES))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_error_is_clipped_at_its_beginning() {
        let warnings = "warning\n".repeat(LINES);
        let shown = said(&format!("{warnings}no such device\n"));
        let expected = "; its standard error:\n… 1 more line before\nwarning\n";
        assert!(shown.starts_with(expected), "{shown}");
        assert!(shown.ends_with("warning\nno such device"), "{shown}");
        assert_eq!(said("no such device\n"), "; its standard error:\nno such device");
    }
}
