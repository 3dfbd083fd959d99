//! What drivers print while adapters are looked for and devices are opened.
//!
//! Mesa asks for a window system, and complains on standard error where there is none: `error: XDG_RUNTIME_DIR is invalid
//! or not set in the environment.` Nothing here opens a window. All other lines are printed as they are.

/// The variable of a window system that drivers miss.
const NOISE: &str = "XDG_RUNTIME_DIR";

/// Does some work of a driver without its complaints about the window system.
#[cfg(target_os = "linux")]
pub(crate) fn hushed<T>(work: impl FnOnce() -> T) -> T {
    use std::fs::File;
    use std::io::{Read as _, Seek as _, Write as _};
    use std::os::fd::OwnedFd;
    use std::sync::{Mutex, PoisonError};

    use rustix::fs::{MemfdFlags, memfd_create};
    use rustix::stdio::{dup2_stderr, stderr};

    // One at a time, for each puts back what it finds.
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let redirect = || -> rustix::io::Result<(OwnedFd, OwnedFd)> {
        let before = rustix::io::dup(stderr())?;
        let kept = memfd_create("seedproof-driver", MemfdFlags::CLOEXEC)?;
        dup2_stderr(&kept)?;
        Ok((before, kept))
    };
    // Where that cannot be done, the complaints are heard.
    let Ok((before, kept)) = redirect() else {
        return work();
    };
    let done = work();
    let _ = dup2_stderr(&before);
    let mut kept = File::from(kept);
    let mut said = Vec::new();
    if kept.rewind().and_then(|()| kept.read_to_end(&mut said)).is_ok() {
        let _ = std::io::stderr().write_all(without_noise(&String::from_utf8_lossy(&said)).as_bytes());
    }
    done
}

/// Does some work of a driver.
#[cfg(not(target_os = "linux"))]
pub(crate) fn hushed<T>(work: impl FnOnce() -> T) -> T {
    work()
}

/// The lines but those about the window system.
#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only Mesa complains"))]
fn without_noise(said: &str) -> String {
    said.split_inclusive('\n')
        .filter(|line| !line.contains(NOISE))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hushed_drivers_are_heard_but_for_the_window_system() {
        let said = "error: XDG_RUNTIME_DIR is invalid or not set in the environment.\nout of memory\n";
        assert_eq!(without_noise(said), "out of memory\n");
        assert_eq!(hushed(|| 7), 7);
    }
}
