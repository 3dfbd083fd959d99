//! The asking side of the protocol: an adapter process as a backend.

mod child;
mod command;
mod dump;
#[cfg(unix)]
mod guard;
mod lost;
mod options;
#[cfg_attr(not(target_os = "linux"), path = "no_orphans.rs")]
mod orphans;
mod pool;
mod process;
mod reader;
mod restart;
mod stderr;

use seedproof_ops::{Answer, Ask, Backend, BackendId, Failure, Request, Response, Support, Value, Want};

pub use command::{AdapterCommand, InvalidCommand};
pub use lost::StartError;
pub use options::Options;
pub use orphans::{adopt_orphans, end_orphans};

use crate::capabilities::{Capabilities, DIGEST, WINDOW};
use crate::message::Implementation;
use crate::request::output_bytes;
use child::Launch;
use restart::Fleet;

/// An implementation behind the protocol: one or more child processes that run the same program.
///
/// Each child has one request in flight, so that a crash has one culprit. Dropping the backend sends `bye`, waits two
/// seconds, and then kills the children that are left, with everything that they started.
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
    /// [`StartError`]: the adapter cannot be used. This is not a verdict on the implementation.
    pub fn start(command: AdapterCommand, options: Options) -> Result<Self, StartError> {
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

    /// The implementation, as the adapter's hello line describes it.
    pub const fn implementation(&self) -> &Implementation {
        &self.implementation
    }

    /// The capabilities that the adapter announces.
    pub const fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    /// The number of restarts of children so far.
    pub fn restarts(&self) -> u32 {
        self.fleet.restarts()
    }
}

/// A name that a backend may have: lower case, and only letters, digits, `.`, `_` and `-`.
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
        let bytes = output_bytes(&request.output_forms().unwrap_or_default());
        match self.capabilities.support(request) {
            // Refused here rather than found too large in the reply, which would be a broken
            // protocol and cost a restart.
            Support::Supported if bytes > self.max_body && !self.capabilities.offers(request, DIGEST) => {
                Support::Unsupported(format!(
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
            Value::Digest(..) | Value::Window(_) => Err(Failure::error(
                "answered with a part of an output that was requested whole",
            )),
        }
    }

    fn end(&self) -> Vec<String> {
        self.fleet.end()
    }

    fn description(&self) -> String {
        let Implementation {
            name,
            version,
            language,
            device,
            homepage,
            issues,
        } = &self.implementation;
        let issues = issues.as_ref().map(|place| format!("issues: {place}"));
        let more: Vec<&str> = [language, device, homepage, &issues]
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
            Want::Digest => self.capabilities.offers(request, DIGEST),
            Want::Window { .. } => self.capabilities.offers(request, WINDOW),
        };
        match self.supports(request) {
            Support::Supported => {
                // The judge makes digests and windows from a whole output itself, so an adapter need not offer them.
                let want = if offered { want } else { Want::Full };
                self.fleet.ask(&Ask { case, request, want })
            }
            Support::Unsupported(reason) => Answer {
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
