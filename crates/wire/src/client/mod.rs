//! The side that asks: an adapter process as a backend.

mod child;
mod command;
mod dump;
mod pool;
mod reader;
mod restart;
mod stderr;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use seedproof_ops::{Answer, Ask, Backend, BackendId, Failure, Request, Response, Support, Value, Want};

pub use child::StartError;
pub use command::{AdapterCommand, InvalidCommand};

use crate::capabilities::{Capabilities, Feature};
use crate::message::Implementation;
use crate::request::output_bytes;
use crate::{MAX_BODY, PROTOCOL};
use child::Launch;
use restart::Fleet;

/// How adapters are run.
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

/// An implementation behind the protocol: one or more child processes that run the same program.
///
/// Each child has one request in flight. Dropping this says `bye`, waits two seconds, and ends what is left with
/// everything that it started.
pub struct AdapterBackend {
    id: BackendId,
    implementation: Implementation,
    capabilities: Capabilities,
    max_body: u64,
    fleet: Fleet,
}

impl AdapterBackend {
    /// Starts the program and exchanges hello with it.
    ///
    /// # Errors
    /// [`StartError`]: the harness cannot go on with this adapter, and nobody is to be judged for it.
    pub fn start(command: AdapterCommand, options: Options) -> Result<Self, StartError> {
        debug_assert_eq!(PROTOCOL, 1, "what follows speaks version 1");
        let max_body = options.max_body;
        let name = command.name.clone();
        let (fleet, hello) = Fleet::start(Launch { command, options })?;
        let name = name.unwrap_or_else(|| plain(&hello.implementation.name));
        Ok(Self {
            id: BackendId::new(format!("adapter/{name}")),
            implementation: hello.implementation,
            capabilities: hello.capabilities,
            max_body,
            fleet,
        })
    }

    /// What the adapter says of the implementation.
    pub const fn implementation(&self) -> &Implementation {
        &self.implementation
    }

    /// What the adapter announces.
    pub const fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    /// How often children have been started again.
    pub fn restarts(&self) -> u32 {
        self.fleet.restarts()
    }
}

/// A name fit for a backend's: lower case, and nothing but letters, digits, `.`, `_` and `-`.
fn plain(name: &str) -> String {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let name: String = name
        .chars()
        .map(|c| if allowed(c) { c.to_ascii_lowercase() } else { '-' })
        .take(64)
        .collect();
    if name.is_empty() {
        "unnamed".to_owned()
    } else {
        name
    }
}

impl Backend for AdapterBackend {
    fn id(&self) -> &BackendId {
        &self.id
    }

    fn supports(&self, request: &Request) -> Support {
        let bytes = output_bytes(request);
        match self.capabilities.support(request) {
            Support::Yes if bytes > self.max_body && !self.capabilities.offers(request, Feature::Digest) => {
                Support::No(format!(
                    "the output takes {bytes} bytes: at most {} are read",
                    self.max_body
                ))
            }
            support => support,
        }
    }

    fn run(&self, request: &Request) -> Result<Response, Failure> {
        let ask = Ask {
            case: "",
            request,
            want: Want::Full,
        };
        match self.ask(&ask).result? {
            Value::Full(response) => Ok(response),
            Value::Digest(..) | Value::Window(_) => {
                Err(Failure::error("answered in part what was asked in full"))
            }
        }
    }

    fn description(&self) -> String {
        let Implementation {
            name,
            version,
            language,
            device,
            ..
        } = &self.implementation;
        let more: Vec<&str> = [language, device]
            .into_iter()
            .flatten()
            .map(String::as_str)
            .collect();
        match more.join(", ") {
            more if more.is_empty() => format!("{name} {version}"),
            more => format!("{name} {version} ({more})"),
        }
    }

    fn ask(&self, ask: &Ask<'_>) -> Answer {
        let Ask { case, request, want } = *ask;
        let offered = match want {
            Want::Full => true,
            Want::Digest => self.capabilities.offers(request, Feature::Digest),
            Want::Window { .. } => self.capabilities.offers(request, Feature::Window),
        };
        match self.supports(request) {
            Support::Yes => {
                let want = if offered { want } else { Want::Full };
                let (result, stderr) = self.fleet.ask(case, request, want.into());
                Answer { result, stderr }
            }
            Support::No(reason) => Answer {
                result: Err(Failure::Unsupported(reason)),
                stderr: String::new(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_backends_are_plain() {
        assert_eq!(plain("My NPU/2"), "my-npu-2");
        assert_eq!(plain(""), "unnamed");
    }
}
