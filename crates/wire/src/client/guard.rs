//! A guard over a process and everything that it starts, also where this process ends without ending it.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

/// The variable that tells a process's descendants from others, in whatever group or session they are.
pub(super) const MARK: &str = "SEEDPROOF_CHILD";

/// Ends a group, and twice what a marked process has started meanwhile. Where there is no `/proc`, the group alone.
const SCRIPT: &str = r#"
read -r _
kill -s KILL -- "-$0"
for _ in 1 2; do
    for environ in $(grep -lz "^$1\$" /proc/[0-9]*/environ); do
        process=${environ#/proc/}
        kill -s KILL "${process%/environ}"
    done
done
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
pub(super) struct Guard {
    shell: Child,
}

impl Guard {
    /// Watches over the group that a process leads, and what has its mark.
    ///
    /// # Errors
    /// If there is no shell.
    pub(super) fn over(group: u32, mark: &str) -> io::Result<Self> {
        let shell = Command::new("/bin/sh")
            .args(["-c", SCRIPT, &group.to_string(), &format!("{MARK}={mark}")])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        Ok(Self { shell })
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
