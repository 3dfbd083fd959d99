//! Memory for outputs.

use seedproof_ops::Failure;

/// Bytes of an output from which the operating system is asked for large pages: more than an allocator keeps
/// for reuse, so that the memory is fresh each time.
const LARGE: usize = 32 << 20;

/// `size` bytes, to be overwritten. Memory that is fresh from the operating system is zero already, so that
/// large outputs are written once; memory that the allocator uses again is cleared first, since kernels are
/// safe code and see no uninitialised bytes.
///
/// # Errors
/// [`Failure::Broken`] if there is no memory for it.
pub(crate) fn output(size: usize) -> Result<Vec<u8>, Failure> {
    // No vector both is zero without being written and may fail: a large one is tried first, and given back.
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

/// Asks that fresh memory be handed over in pages of 2 MiB. In pages of 4 KiB that takes several times as
/// long as filling it.
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
