//! A guard over a process and everything that it starts, also where this process ends without ending it.

use std::io::{self, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

/// The variable that tells a process's descendants from others, in whatever group or session they are.
pub(super) const MARK: &str = "SEEDPROOF_CHILD";

/// Ends a group, and then what is marked, until twice nothing is found. Where there is no `/proc`, the group alone.
///
/// A process that makes a daemon of itself forks twice: a child that is born after `/proc` was listed is found by the next round
/// alone, as is its own child by the one after that. What was just becoming another program has no environment for a moment,
/// and is looked for again a second later, for which nobody waits.
///
/// If no group was given, this process ended while it started its child, whose environment may not be in place yet.
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
(sleep 1; sweep; sweep) </dev/null &
"#;

/// A mark that no other process has.
pub(super) fn mark() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let now = now.unwrap_or_default().as_nanos();
    format!("{}-{count}-{now}", std::process::id())
}

/// A shell that waits for the end of its input, which only this process holds open, and then ends a process group and
/// whatever has its mark. The end of this process, by whatever signal, is the end of that input.
///
/// It starts before the processes do: one that starts just as this process is killed is ended too.
pub(super) struct Guard {
    shell: Child,
}

impl Guard {
    /// Watches over what has a mark.
    ///
    /// # Errors
    /// If there is no shell.
    pub(super) fn over(mark: &str) -> io::Result<Self> {
        let shell = Command::new("/bin/sh")
            .args(["-c", SCRIPT, &format!("{MARK}={mark}")])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        Ok(Self { shell })
    }

    /// Watches over a group too, which a process with the mark leads.
    ///
    /// # Errors
    /// If the shell has ended.
    pub(super) fn add(&self, group: u32) -> io::Result<()> {
        let mut input = self.shell.stdin.as_ref().ok_or(io::ErrorKind::BrokenPipe)?;
        writeln!(input, "{group}")
    }

    /// Ends the processes. Their first one has not been waited for: the group's number is still theirs.
    pub(super) fn end(mut self) {
        drop(self.shell.stdin.take());
        let _ = self.shell.wait();
    }
}

impl Drop for Guard {
    /// Ends the shell before it sees the end of its input: the group's number may be another's by then.
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
