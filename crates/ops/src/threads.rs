//! The stacks of threads.

use std::thread::Builder;

/// The bytes of the stack of a thread: what Rust gives a thread unless the environment has `RUST_MIN_STACK`.
pub const STACK: usize = 2 << 20;

/// What starts a thread whose stack has [`STACK`] bytes, whatever the environment says: a thread with a smaller one could end
/// the process.
///
/// ```
/// let thread = seedproof_ops::thread().spawn(|| 2 + 2)?;
/// assert_eq!(thread.join().ok(), Some(4));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn thread() -> Builder {
    Builder::new().stack_size(STACK)
}
