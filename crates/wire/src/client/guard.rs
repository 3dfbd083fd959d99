//! Kills a process and everything that it started, even if the harness itself is killed.

use std::io::{self, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

/// The environment variable that marks the descendants of a process. They inherit it even in another group or session. One
/// that clears its environment is found by the module `orphans`, as long as the harness lives.
pub(super) const MARK: &str = "SEEDPROOF_CHILD";

/// Kills a process group, then every marked process, until two sweeps in a row find none. Without
/// `/proc` only the group is killed.
///
/// One sweep is not enough: a process that daemonizes forks twice, and a child that is born after `/proc` was listed is
/// found only by the next sweep, as is its own child by the one after that. A process in the middle of `execve` has no
/// environment for a moment, which a busy machine makes a long one, so there are two more sweeps a second later and one
/// after five. Nobody waits for these.
///
/// If the input ends without a group, the harness was killed while it started the child, whose environment may not be
/// in place yet. Hence the first `sleep`.
const SCRIPT: &str = r#"
if read -r group; then
    read -r _
    kill -s KILL -- "-$group"
else
    sleep 1
fi
sweep() {
    left=1
    for environ in $(grep -lz "^$0\$" /proc/[0-9]*/environ); do
        process=${environ#/proc/}
        kill -s KILL "${process%/environ}" && left=0
    done
    return $left
}
none=0
rounds=0
while [ $none -lt 2 ] && [ $rounds -lt 100 ]; do
    if sweep; then none=0; else none=$((none + 1)); fi
    rounds=$((rounds + 1))
done
(sleep 1; sweep; sweep; sleep 4; sweep) </dev/null &
"#;

/// A value that marks one child and its descendants. The time is part of it because process ids are reused.
pub(super) fn mark() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let now = now.unwrap_or_default().as_nanos();
    format!("{}-{count}-{now}", std::process::id())
}

/// A shell that waits for the end of its input and then kills a process group and every process with its mark. Only the
/// harness holds the other end of that input, and the kernel closes it when the harness ends, even by SIGKILL.
///
/// The shell starts before the child, so that a child that starts just as the harness is killed is killed too.
pub(super) struct Guard {
    shell: Child,
}

impl Guard {
    /// Guards every process with this mark.
    ///
    /// # Errors
    /// If there is no `/bin/sh`.
    pub(super) fn over(mark: &str) -> io::Result<Self> {
        let shell = Command::new("/bin/sh")
            .args(["-c", SCRIPT, &format!("{MARK}={mark}")])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // A group of its own: Ctrl-C in a terminal goes to the whole group of the harness
            // and would end the guard too.
            .process_group(0)
            .spawn()?;
        Ok(Self { shell })
    }

    /// The number of the shell's process.
    pub(super) fn id(&self) -> u32 {
        self.shell.id()
    }

    /// Guards a process group as well, whose leader has the mark.
    ///
    /// # Errors
    /// If the shell has ended.
    pub(super) fn add(&self, group: u32) -> io::Result<()> {
        let mut input = self.shell.stdin.as_ref().ok_or(io::ErrorKind::BrokenPipe)?;
        writeln!(input, "{group}")
    }

    /// Kills the processes. To be called before their leader is waited for, or right after, while the number of the
    /// group has not been reused.
    pub(super) fn end(mut self) {
        drop(self.shell.stdin.take());
        let _ = self.shell.wait();
    }
}

impl Drop for Guard {
    /// Kills the shell before it sees the end of its input, because the number of the group may
    /// belong to another one by then.
    fn drop(&mut self) {
        let _ = self.shell.kill();
        let _ = self.shell.wait();
    }
}

#[cfg(test)]
mod tests {
    /// As if this process had been killed while it started its child.
    #[cfg(target_os = "linux")]
    #[test]
    fn guard_that_is_told_of_no_group_ends_what_is_marked() {
        use std::os::unix::process::ExitStatusExt as _;
        use std::process::Command;

        use super::{Guard, MARK, mark};

        let mark = mark();
        let guard = Guard::over(&mark).unwrap();
        let mut child = Command::new("sleep").arg("20").env(MARK, &mark).spawn().unwrap();
        guard.end();
        assert_eq!(child.wait().unwrap().signal(), Some(9));
    }
}
