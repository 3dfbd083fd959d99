//! The program `seedproof`.
#![deny(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    if !is_search() {
        memory::returned_to_the_system();
    }
    seedproof_cli::main(std::env::args_os()).into()
}

/// Whether the command searches for one array. It frees blocks of streams by the thousand, each of which the next one can use:
/// returning them takes a sixth of the time, and nothing else is held meanwhile.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn is_search() -> bool {
    let command = std::env::args_os().nth(1);
    ["whois", "words"]
        .iter()
        .any(|name| command.as_deref().is_some_and(|it| it == *name))
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "a setting of the allocator that has no other name")]
mod memory {
    use std::ffi::c_int;

    unsafe extern "C" {
        fn mallopt(parameter: c_int, value: c_int) -> c_int;
    }

    /// The number of the parameter in `malloc.h`.
    const M_MMAP_THRESHOLD: c_int = -3;

    /// Blocks of a quarter of a megabyte go back to the system as soon as they are freed. On its own glibc raises this size to
    /// that of the largest block that was ever freed, and keeps what is smaller for the thread that asked for it: a run whose
    /// every answer is wrong took a third more memory over the corpus.
    pub(super) fn returned_to_the_system() {
        // SAFETY: the parameter is one that `mallopt` knows, any size is valid, and no thread has been started.
        unsafe { mallopt(M_MMAP_THRESHOLD, 1 << 18) };
    }
}
