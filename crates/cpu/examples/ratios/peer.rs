//! A real implementation in a Python process that times itself, so that the pipe between the two costs it nothing.

use std::error::Error;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The process, until it is dropped.
pub(crate) struct Peer {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
    pub(crate) version: String,
}

impl Peer {
    /// Starts a script, which prints the version of its package, then the seconds for each line of a count and of repeats.
    pub(crate) fn start(
        python: impl AsRef<OsStr>,
        script: &str,
        arguments: &[&str],
    ) -> Result<Self, Box<dyn Error>> {
        let mut child = Command::new(python)
            .args(["-c", script])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = child.stdin.take().ok_or("the child has no input")?;
        let mut output = BufReader::new(child.stdout.take().ok_or("the child has no output")?).lines();
        let version = output.next().ok_or("the interpreter lacks the package")??;
        Ok(Self {
            child,
            input,
            output,
            version,
        })
    }

    /// The seconds that `repeats` draws of `count` elements take.
    pub(crate) fn time(&mut self, count: usize, repeats: u32) -> Result<f64, Box<dyn Error>> {
        writeln!(self.input, "{count} {repeats}")?;
        Ok(self.output.next().ok_or("the child ended")??.parse()?)
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
