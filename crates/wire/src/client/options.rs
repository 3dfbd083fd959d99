//! Options for running adapters.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use crate::framing::MAX_BODY;

/// Deadlines, limits and the number of processes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The time for one request, from sending it to the end of its reply. Default: 10 s.
    pub deadline: Duration,
    /// The time for the hello lines, during which many adapters load a framework. Default: 60 s.
    pub handshake: Duration,
    /// The most restarts of all children together. Default: 10.
    pub max_restarts: u32,
    /// The number of children that run side by side. Default: 1.
    pub jobs: NonZeroUsize,
    /// A folder for the last request and reply of each child, byte for byte. It is created if necessary.
    pub debug_frames: Option<PathBuf>,
    /// The name and version of the harness, for the hello line.
    pub harness: String,
    /// The most bytes of tensors in one message. Default: 256 MiB.
    pub max_body: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            deadline: Duration::from_secs(10),
            handshake: Duration::from_mins(1),
            max_restarts: 10,
            jobs: NonZeroUsize::MIN,
            debug_frames: None,
            harness: concat!("seedproof ", env!("CARGO_PKG_VERSION")).to_owned(),
            max_body: MAX_BODY,
        }
    }
}
