//! A guard over a process group, for the case that this process ends without ending it.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};

/// A shell that waits for the end of its input, which only this process holds open, and then ends a process group. The
/// end of this process, by whatever signal, is the end of that input.
pub(super) struct Guard {
    shell: Child,
}

impl Guard {
    /// Watches over the group that a process leads.
    ///
    /// # Errors
    /// If there is no shell.
    pub(super) fn over(group: u32) -> io::Result<Self> {
        let shell = Command::new("/bin/sh")
            .args(["-c", "read -r _; kill -s KILL -- \"-$0\"", &group.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        Ok(Self { shell })
    }
}

impl Drop for Guard {
    /// Ends the shell before it sees the end of its input: the group's number may be another's by then.
    fn drop(&mut self) {
        let _ = self.shell.kill();
        let _ = self.shell.wait();
    }
}
