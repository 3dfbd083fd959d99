//! How adapters are run.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use crate::framing::MAX_BODY;

/// Deadlines, limits and the number of processes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// How long one request may take, from sending it to the end of its reply. Default: 10 s.
    pub deadline: Duration,
    /// How long the first exchange may take, in which many adapters load a framework. Default: 60 s.
    pub handshake: Duration,
    /// How many times children are started again, in all. Default: 10.
    pub max_restarts: u32,
    /// How many children run side by side. Default: 1.
    pub jobs: NonZeroUsize,
    /// A folder for each child's last request and reply as they travelled, made if it does not exist.
    pub debug_frames: Option<PathBuf>,
    /// What the harness calls itself: name and version.
    pub harness: String,
    /// Bytes of tensors that one message may carry. Default: 256 MiB.
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
