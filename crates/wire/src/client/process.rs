//! The process of a child, with everything that it starts.

use std::io;
use std::process::{ChildStderr, ChildStdin, ChildStdout, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap};

use super::command::AdapterCommand;
#[cfg(unix)]
use super::guard::{self, Guard};

pub(super) struct Process {
    child: Box<dyn ChildWrapper>,
    /// Whether nothing is left of the process. Its number may belong to another one then.
    ended: bool,
    /// Ends it where this process is killed; none where there is no shell.
    #[cfg(unix)]
    guard: Option<Guard>,
}

impl Process {
    /// Starts a program, all of whose streams are pipes.
    ///
    /// # Errors
    /// What the operating system says.
    pub(super) fn spawn(command: &AdapterCommand) -> io::Result<Self> {
        let mut wrapped = CommandWrap::with_new(&command.program, |inner| {
            inner
                .args(&command.args)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
        });
        #[cfg(unix)]
        let mark = guard::mark();
        #[cfg(unix)]
        wrapped.command_mut().env(guard::MARK, &mark);
        #[cfg(unix)]
        wrapped.wrap(process_wrap::std::ProcessGroup::leader());
        #[cfg(windows)]
        wrapped.wrap(process_wrap::std::JobObject);
        #[cfg(unix)]
        let guard = Guard::over(&mark).ok();
        let child = wrapped.spawn()?;
        Ok(Self {
            #[cfg(unix)]
            guard: guard.filter(|guard| guard.add(child.id()).is_ok()),
            child,
            ended: false,
        })
    }

    /// Its input, output and standard error. They are there once.
    ///
    /// # Errors
    /// If one of them is missing.
    pub(super) fn streams(&mut self) -> io::Result<(ChildStdin, ChildStdout, ChildStderr)> {
        let missing = || io::Error::other("a pipe to the child is missing");
        let stdin = self.child.stdin().take().ok_or_else(missing)?;
        let stdout = self.child.stdout().take().ok_or_else(missing)?;
        let stderr = self.child.stderr().take().ok_or_else(missing)?;
        Ok((stdin, stdout, stderr))
    }

    /// How it ended, if that happens within this time.
    pub(super) fn wait(&mut self, limit: Duration) -> Option<ExitStatus> {
        let started = Instant::now();
        let mut pause = Duration::from_micros(200);
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if started.elapsed() < limit => thread::sleep(pause),
                _ => return None,
            }
            pause = (pause * 2).min(Duration::from_millis(10));
        }
    }

    /// Ends it with everything that it started.
    pub(super) fn end(&mut self) {
        if std::mem::replace(&mut self.ended, true) {
            return;
        }
        // The group is ended even where its first process is gone: what that one started may live on. An error
        // says that there is nothing left to end.
        let _ = self.child.start_kill();
        #[cfg(unix)]
        if let Some(guard) = self.guard.take() {
            guard.end();
        }
        let _ = self.child.wait();
    }
}
