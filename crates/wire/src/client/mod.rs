//! The side that asks: an adapter process as a backend.

mod child;
mod command;
mod dump;
#[cfg(unix)]
mod guard;
mod lost;
mod options;
mod pool;
mod process;
mod reader;
mod restart;
mod stderr;

use seedproof_ops::{Answer, Ask, Backend, BackendId, Failure, Request, Response, Support, Value, Want};

pub use command::{AdapterCommand, InvalidCommand};
pub use lost::StartError;
pub use options::Options;

use crate::capabilities::{Capabilities, DIGEST, WINDOW};
use crate::message::Implementation;
use crate::request::output_bytes;
use child::Launch;
use restart::Fleet;

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
        let bytes = output_bytes(&request.output_forms().unwrap_or_default());
        match self.capabilities.support(request) {
            Support::Yes if bytes > self.max_body && !self.capabilities.offers(request, DIGEST) => {
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
            Support::Yes => {
                let want = if offered { want } else { Want::Full };
                self.fleet.ask(&Ask { case, request, want })
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
