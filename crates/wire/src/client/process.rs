//! The process of a child and its descendants.

use std::io;
use std::process::{ChildStderr, ChildStdin, ChildStdout, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap};

use super::command::AdapterCommand;
#[cfg(unix)]
use super::guard::{self, Guard};
#[cfg(target_os = "linux")]
use super::orphans;

pub(super) struct Process {
    child: Box<dyn ChildWrapper>,
    /// Whether `end` has run. The process's number may belong to another one from then on.
    ended: bool,
    /// Kills the process if the harness is killed. `None` if there is no shell.
    #[cfg(unix)]
    guard: Option<Guard>,
    /// The numbers of the process and its guard, by which they are told from orphans.
    #[cfg(target_os = "linux")]
    numbers: Vec<u32>,
}

impl Process {
    /// Starts a program with pipes for its three streams.
    ///
    /// # Errors
    /// If the operating system cannot start it.
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
        #[cfg(target_os = "linux")]
        let mut family = orphans::family();
        #[cfg(target_os = "linux")]
        family.adopt();
        // Before the child, so that a harness that is killed between the two leaves nothing behind. A system without a
        // shell goes without: the guard matters only where the harness is killed.
        #[cfg(unix)]
        let guard = Guard::over(&mark).ok();
        let child = wrapped.spawn()?;
        #[cfg(target_os = "linux")]
        let numbers: Vec<u32> = guard.iter().map(Guard::id).chain([child.id()]).collect();
        #[cfg(target_os = "linux")]
        family.started(numbers.iter().copied());
        Ok(Self {
            #[cfg(unix)]
            guard: guard.filter(|guard| guard.add(child.id()).is_ok()),
            #[cfg(target_os = "linux")]
            numbers,
            child,
            ended: false,
        })
    }

    /// The three streams, which can be taken once.
    ///
    /// # Errors
    /// If they were taken before.
    pub(super) fn streams(&mut self) -> io::Result<(ChildStdin, ChildStdout, ChildStderr)> {
        let missing = || io::Error::other("a pipe to the child is missing");
        let stdin = self.child.stdin().take().ok_or_else(missing)?;
        let stdout = self.child.stdout().take().ok_or_else(missing)?;
        let stderr = self.child.stderr().take().ok_or_else(missing)?;
        Ok((stdin, stdout, stderr))
    }

    /// The exit status, if the process ends within this time.
    pub(super) fn wait(&mut self, limit: Duration) -> Option<ExitStatus> {
        let started = Instant::now();
        // The standard library cannot wait with a time limit, so this polls: often at first, so that a process
        // that ends at once costs less than a millisecond, and then every 10 ms.
        let mut pause = Duration::from_micros(200);
        loop {
            // Of the leader alone: a member of its group that this process has adopted would make the wait last until that
            // member ends too, so that an adapter which has crashed and left something behind would look alive.
            match self.child.inner_mut().try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if started.elapsed() < limit => thread::sleep(pause),
                _ => return None,
            }
            pause = (pause * 2).min(Duration::from_millis(10));
        }
    }

    /// Kills the process with everything that it started.
    pub(super) fn end(&mut self) {
        // Only once: after the last `wait` below, the number of the group may belong to others.
        if std::mem::replace(&mut self.ended, true) {
            return;
        }
        // The group is killed even if its leader has exited, because other members may live on. An error means that
        // nothing is left to kill.
        let _ = self.child.start_kill();
        // The guard goes before `wait`, which frees the number of the group.
        #[cfg(unix)]
        if let Some(guard) = self.guard.take() {
            guard.end();
        }
        let _ = self.child.wait();
        #[cfg(target_os = "linux")]
        orphans::family().ended(&self.numbers);
    }
}
