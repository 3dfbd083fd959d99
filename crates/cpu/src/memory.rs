//! Memory for outputs.

use seedproof_ops::Failure;

/// The size of an output from which large pages are requested. It is the greatest threshold of glibc's `malloc` for
/// memory that comes fresh from the operating system: smaller blocks may be reused, and have their pages already.
const LARGE: usize = 32 << 20;

/// `size` bytes, to be overwritten. Fresh memory from the operating system is zero already, so a large output
/// is written once. Memory that the allocator reuses is cleared first, since kernels are safe code and must
/// not see uninitialised bytes.
///
/// # Errors
/// [`Failure::Broken`] if there is no memory for it.
pub(crate) fn output(size: usize) -> Result<Vec<u8>, Failure> {
    // `vec!` alone gets zeroed pages without writing them, but aborts the process if it fails. So a large allocation is
    // tried with `try_reserve` first and freed again.
    if size >= LARGE {
        let tried = Vec::<u8>::new().try_reserve_exact(size);
        tried.map_err(|_| Failure::error(format!("allocate the {size} bytes of the output")))?;
    }
    let mut bytes = vec![0; size];
    if size >= LARGE {
        ask_for_large_pages(&mut bytes);
    }
    Ok(bytes)
}

/// Requests pages of 2 MiB. With pages of 4 KiB, the faults on first use take several times as
/// long as filling the memory.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "the system's calls take addresses")]
fn ask_for_large_pages(bytes: &mut [u8]) {
    use rustix::mm::{Advice, madvise};

    let page = rustix::param::page_size();
    let start = bytes.as_ptr().align_offset(page);
    let Some(pages) = bytes.get_mut(start..) else {
        return;
    };
    // SAFETY: the pages are those of a slice that is ours alone, and this advice changes no byte of them.
    // A system without large pages refuses the advice, which changes nothing else.
    let _ = unsafe { madvise(pages.as_mut_ptr().cast(), pages.len(), Advice::LinuxHugepage) };
}

#[cfg(not(target_os = "linux"))]
fn ask_for_large_pages(_bytes: &mut [u8]) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_is_as_long_as_asked_for_and_zero() {
        for size in [0, 1, LARGE - 1, LARGE, LARGE + 5] {
            let bytes = output(size).unwrap();
            assert_eq!(bytes.len(), size);
            assert!(bytes.iter().all(|&byte| byte == 0));
        }
    }

    #[test]
    fn output_that_no_machine_holds_is_an_error() {
        let error = output(usize::MAX / 2).unwrap_err();
        assert!(error.to_string().contains("bytes of the output"), "{error}");
    }
}
