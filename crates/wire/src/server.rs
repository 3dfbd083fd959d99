//! The answering side of the protocol: serves any backend as an adapter.

use std::io::{self, BufRead, Write};
use std::thread;
use std::time::Duration;

use seedproof_ops::{Backend, Digest, Failure, Request, Tensor, Value, Want};
use serde::Deserialize;

use crate::capabilities::Capabilities;
use crate::framing::{self, Framing, Limits, MAX_BODY, MAX_HEADER, Message, Outgoing, ReadError, quote};
use crate::message::{Bye, Hello, HelloReply, Implementation, PROTOCOL, Probe, Run, to_json};
use crate::reply::{Shown, encode_failure, encode_ok};
use crate::request::decode;
use crate::strict::Object;
use crate::tensor_reader::Reader;
use crate::worker::{Job, Worker};

/// Serves a backend until `bye` or the end of the input, and announces the capabilities that
/// [`Capabilities::of`] finds.
///
/// # Errors
/// As [`Server::serve`].
pub fn serve(
    backend: &dyn Backend,
    framing: Framing,
    input: impl BufRead,
    output: impl Write,
) -> io::Result<()> {
    let capabilities = Capabilities::of(backend);
    Server {
        backend,
        framing,
        capabilities,
    }
    .serve(input, output)
}

/// A backend as an adapter.
///
/// Every message is answered. A message that does not parse, a panic of the backend, and a request that takes longer
/// than its `deadline_ms` are answered with an `error`. An output that is too large to be sent is refused before it is
/// computed, if the backend implements [`Backend::run_within`].
pub struct Server<'a> {
    /// Answers the requests.
    pub backend: &'a dyn Backend,
    /// The framing after the hello lines.
    pub framing: Framing,
    /// The announced capabilities. Requests beyond them are passed to the backend all the same.
    pub capabilities: Capabilities,
}

/// The state of a connection.
struct Session {
    /// [`Framing::Lines`] up to and including the hello lines, then the framing of the server.
    framing: Framing,
    /// The most bytes of tensors that the harness accepts in one message.
    max_body: u64,
    worker: Worker,
}

impl Server<'_> {
    /// Answers until `bye` or the end of the input.
    ///
    /// # Errors
    /// If the output fails, or the input fails in a way after which the start of the next message is unknown: it ends
    /// inside a message, or has bytes that are not a frame.
    pub fn serve(&self, input: impl BufRead, output: impl Write) -> io::Result<()> {
        self.serve_until(input, output, || {})
    }

    /// [`Self::serve`] for programs that must end at `bye` even while the backend computes an answer
    /// whose deadline has passed.
    ///
    /// A computation cannot be interrupted from outside, so this returns only after it. `abandoned` is called first, if
    /// there is one, and may exit the program.
    ///
    /// # Errors
    /// As [`Self::serve`].
    pub fn serve_until(
        &self,
        input: impl BufRead,
        output: impl Write,
        abandoned: impl FnOnce(),
    ) -> io::Result<()> {
        thread::scope(|scope| {
            let mut session = Session {
                framing: Framing::Lines,
                max_body: MAX_BODY,
                worker: Worker::start(scope, self.backend)?,
            };
            self.converse(&mut session, input, output)?;
            if session.worker.is_late() {
                abandoned();
            }
            Ok(())
        })
    }

    fn converse(
        &self,
        session: &mut Session,
        mut input: impl BufRead,
        mut output: impl Write,
    ) -> io::Result<()> {
        loop {
            // A line holds each byte of a tensor as two digits.
            let message = match session.framing {
                Framing::Lines => session.max_body.saturating_mul(2),
                Framing::Frames => session.max_body,
            };
            let limits = Limits {
                message: message.saturating_add(MAX_HEADER),
                body: session.max_body,
            };
            let error = match framing::read(session.framing, &mut input, limits) {
                Ok(None) => return Ok(()),
                Ok(Some(message)) => {
                    if !self.answer(session, message, &mut output)? {
                        return Ok(());
                    }
                    continue;
                }
                Err(ReadError::Io(error)) => return Err(error),
                // The last line of a file may lack its line feed: `seedproof serve <
                // requests.jsonl` answers it as well.
                Err(ReadError::Truncated(header)) if session.framing == Framing::Lines => {
                    self.answer(
                        session,
                        Message {
                            header,
                            body: Vec::new(),
                        },
                        &mut output,
                    )?;
                    return Ok(());
                }
                Err(error) => error,
            };
            let message = error.to_string();
            encode_failure(None, Failure::error(&message)).write(session.framing, &mut output)?;
            match error {
                // After the reply, because skipping waits for the rest of the message, which may never come.
                ReadError::TooLarge { rest, .. } => framing::skip(&mut input, rest)?,
                _ => return Err(io::Error::new(io::ErrorKind::InvalidData, message)),
            }
        }
    }

    /// Answers one message. Returns `false` if the message was `bye`.
    fn answer(&self, session: &mut Session, message: Message, output: &mut impl Write) -> io::Result<bool> {
        let Message { header, body } = message;
        let probe = match Probe::of(&header) {
            Ok(probe) => probe,
            Err(error) => {
                let message = format!("read a message: {error}; it begins with {}", quote(&header));
                encode_failure(None, Failure::error(message)).write(session.framing, output)?;
                return Ok(true);
            }
        };
        let seq = probe.seq();
        let failure = match probe.cmd().as_deref() {
            Some("hello") => match object::<Hello<'_>>(&header) {
                Ok(hello) if hello.protocol == PROTOCOL => {
                    let reply = Outgoing {
                        header: to_json(&self.hello()),
                        parts: Vec::new(),
                    };
                    // The reply to hello is still a line: the harness learns the framing from it.
                    reply.write(session.framing, output)?;
                    session.framing = self.framing;
                    session.max_body = hello.max_body;
                    return Ok(true);
                }
                Ok(hello) => Failure::error(format!(
                    "speak protocol {}: this program speaks protocol {PROTOCOL}",
                    hello.protocol
                )),
                Err(failure) => failure,
            },
            Some("bye") => match object::<Bye<'_>>(&header) {
                Ok(_) => return Ok(false),
                Err(failure) => failure,
            },
            Some("run") => match (seq, object::<Run<'_>>(&header)) {
                (Some(seq), Ok(run)) => {
                    let tensors = Reader::new(session.framing, body);
                    match decode(&run, tensors) {
                        Ok(request) => {
                            let deadline = run.deadline_ms.map(Duration::from_millis);
                            answer_run(session, seq, request, run.want, deadline, output)?;
                            return Ok(true);
                        }
                        Err(failure) => failure,
                    }
                }
                (_, Err(failure)) => failure,
                (None, Ok(_)) => Failure::error("read a request: it has no seq"),
            },
            _ => Failure::error("read a message: `cmd` is not hello, run or bye"),
        };
        encode_failure(seq, failure).write(session.framing, output)?;
        Ok(true)
    }

    fn hello(&self) -> HelloReply {
        HelloReply {
            protocol: PROTOCOL,
            framing: self.framing,
            implementation: Object(Implementation {
                name: self.backend.id().to_string(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                language: Some("rust".to_owned()),
                device: Some(self.backend.description()),
                homepage: None,
                issues: None,
            }),
            capabilities: self.capabilities.to_json(),
        }
    }
}

/// Computes and sends the answer to a request.
fn answer_run(
    session: &mut Session,
    seq: u64,
    request: Request,
    want: Want,
    deadline: Option<Duration>,
    output: &mut impl Write,
) -> io::Result<()> {
    let outputs = request.outputs();
    // With the limit of the connection, a backend need not compute what could not be sent.
    let limits = seedproof_ops::Limits {
        max_output_bytes: session.max_body,
    };
    let job = Job {
        request,
        want,
        limits,
    };
    let (value, elapsed) = session.worker.run(job, deadline);
    let shown = value
        .as_ref()
        .map_err(Failure::clone)
        .and_then(|value| shown(value, want, session.max_body));
    let reply = match &shown {
        Ok((first, more)) => encode_ok(session.framing, seq, &outputs, first, more, elapsed),
        Err(failure) => encode_failure(Some(seq), failure.clone()),
    };
    reply.write(session.framing, output)
}

/// The requested part of the first output, and the further outputs.
fn shown(value: &Value, want: Want, max_body: u64) -> Result<(Shown<'_>, &[Tensor]), Failure> {
    let (first, bytes, more) = match (want, value) {
        (Want::Full, Value::Full(whole)) => (
            Shown::Full(&whole.output),
            whole.output.bytes().len(),
            &whole.more,
        ),
        // A digest travels in the header and counts nothing towards the limit of the body.
        (Want::Digest, Value::Full(whole)) => (Shown::Digest(Digest::of(&whole.output)), 0, &whole.more),
        (Want::Digest, Value::Digest(digest, more)) => (Shown::Digest(digest.clone()), 0, more),
        (Want::Window { start, count }, Value::Full(whole)) => {
            let length = whole.output.count();
            if start.checked_add(count).is_none_or(|end| end > length) {
                return Err(Failure::error(format!(
                    "show {count} elements from {start} on: the output has {length}"
                )));
            }
            let window = Shown::Window(&whole.output, start, count);
            (window, count * whole.output.dtype().size(), &whole.more)
        }
        _ => {
            return Err(Failure::error(
                "the backend returned a part of the output that was not asked for",
            ));
        }
    };
    let bytes = more
        .iter()
        .map(|tensor| tensor.bytes().len())
        .fold(bytes, usize::saturating_add);
    match u64::try_from(bytes) {
        Ok(bytes) if bytes <= max_body => Ok((first, more)),
        _ => Err(Failure::Unsupported(format!(
            "send {bytes} bytes of output: the harness takes at most {max_body}"
        ))),
    }
}

fn object<'a, T: Deserialize<'a>>(header: &'a [u8]) -> Result<T, Failure> {
    serde_json::from_slice::<Object<T>>(header)
        .map(|object| object.0)
        .map_err(|error| Failure::error(format!("read a message: {error}")))
}

#[cfg(test)]
#[path = "server_tests.rs"]
mod tests;
