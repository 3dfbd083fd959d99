//! The side that answers: any backend as an adapter.

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

/// Answers the protocol for a backend until `bye` or the end of the input, announcing what the backend claims.
///
/// # Errors
/// If the output fails, or the input does in a way after which no message can be found.
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
/// Whatever arrives is answered: what does not parse with an `error`, a panic of the backend as well, and a request
/// that is not computed within its `deadline_ms`. An output that could not be sent is refused before it is computed,
/// where the backend can ([`Backend::run_within`]).
pub struct Server<'a> {
    /// What answers the requests.
    pub backend: &'a dyn Backend,
    /// The framing after the hello lines.
    pub framing: Framing,
    /// What is announced. Requests beyond it are answered as well as the backend can.
    pub capabilities: Capabilities,
}

/// What a conversation has settled so far.
struct Session {
    framing: Framing,
    max_body: u64,
    worker: Worker,
}

impl Server<'_> {
    /// Answers until `bye` or the end of the input.
    ///
    /// # Errors
    /// If the output fails, or the input does in a way after which no message can be found: it breaks off within
    /// a message, or something else than a frame stands in it.
    pub fn serve(&self, input: impl BufRead, output: impl Write) -> io::Result<()> {
        self.serve_until(input, output, || {})
    }

    /// [`Self::serve`], which calls `abandoned` at `bye` and at the end of the input if the backend still computes what
    /// nobody waits for. It returns after that computation, which only the end of the program ends.
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
                worker: Worker::start(scope, self.backend),
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
            // A line holds a tensor's bytes as twice as many digits.
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
                // The last line of a file may lack its end.
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
                ReadError::TooLarge { rest, .. } => framing::skip(&mut input, rest)?,
                _ => return Err(io::Error::new(io::ErrorKind::InvalidData, message)),
            }
        }
    }

    /// Answers one message; `false` if it was `bye`.
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
            _ => Failure::error("read a message: `cmd` is none of hello, run, bye"),
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

/// What is wanted of the first output, and the further outputs.
fn shown(value: &Value, want: Want, max_body: u64) -> Result<(Shown<'_>, &[Tensor]), Failure> {
    let (first, bytes, more) = match (want, value) {
        (Want::Full, Value::Full(whole)) => (
            Shown::Full(&whole.output),
            whole.output.bytes().len(),
            &whole.more,
        ),
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
                "the backend gave another part of the output than was asked for",
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
