//! One child process: its start, its exchanges of messages, and its end.

use std::io::{self, Write};
use std::process::ChildStdin;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use super::command::AdapterCommand;
use super::dump::Dump;
use super::lost::{Lost, StartError};
use super::options::Options;
use super::process::Process;
use super::reader::{Event, Expected, Heard, Stdout};
use super::stderr::Stderr;
use crate::capabilities::Capabilities;
use crate::framing::{Framing, Limits, MAX_HEADER, Outgoing, quote};
use crate::message::{Bye, Hello, HelloReply, Implementation, PROTOCOL, Probe, to_json};
use crate::strict::Object;

/// The time that a child has to end after `bye`, which `docs/protocol.md` promises.
const FAREWELL: Duration = Duration::from_secs(2);

/// How often the process is polled while its output is silent. A descendant may hold the output open after the process
/// itself has ended, so the end of the stream alone would not tell.
const LOOK: Duration = Duration::from_millis(100);

/// The time between the end of a child's output and the end of its process, after which the process counts as alive: a
/// process that exits closes its files first and can be waited for only later.
const ENDING: Duration = Duration::from_millis(200);

/// The command and options with which children are started.
#[derive(Debug)]
pub(super) struct Launch {
    pub(super) command: AdapterCommand,
    pub(super) options: Options,
}

/// The content of an adapter's hello line.
#[derive(Clone, Debug)]
pub(super) struct Introduction {
    pub(super) implementation: Implementation,
    pub(super) capabilities: Capabilities,
}

/// A running child.
pub(super) struct Child {
    process: Process,
    /// Takes whole messages to the thread that writes; `None` once the input is closed.
    requests: Option<Sender<Vec<u8>>>,
    stdout: Stdout,
    stderr: Stderr,
    framing: Framing,
    dump: Option<Dump>,
    /// The ids of the cases that the child has answered, in order.
    pub(super) answered: Vec<String>,
}

impl Child {
    /// Starts a child and exchanges hello lines. `number` distinguishes the children of one adapter.
    ///
    /// # Errors
    /// [`StartError`]; the child has been killed then.
    pub(super) fn start(launch: &Launch, number: usize) -> Result<(Self, Introduction), StartError> {
        let Launch { command, options } = launch;
        let spawned = |error| StartError::Spawn {
            command: command.to_string(),
            error,
        };
        let harness = |error| StartError::of(command, Lost::Harness(error), String::new());
        // Before the process: a folder that cannot be created is the harness's fault and must start nothing.
        let dump = options
            .debug_frames
            .as_deref()
            .map(|folder| Dump::new(folder, number));
        let dump = dump.transpose().map_err(harness)?;
        let process = Process::spawn(command).map_err(spawned)?;
        let mut child = Self::around(process, dump).map_err(harness)?;
        match child.greet(options) {
            Ok(introduction) => Ok((child, introduction)),
            Err(lost) => {
                let stderr = child.last_words();
                Err(StartError::of(command, lost, stderr))
            }
        }
    }

    fn around(mut process: Process, dump: Option<Dump>) -> io::Result<Self> {
        let (stdin, stdout, stderr) = process.streams()?;
        Ok(Self {
            requests: Some(writer(stdin)?),
            stdout: Stdout::listen(stdout)?,
            stderr: Stderr::listen(stderr)?,
            process,
            framing: Framing::Lines,
            dump,
            answered: Vec::new(),
        })
    }

    fn greet(&mut self, options: &Options) -> Result<Introduction, Lost> {
        let hello = Hello {
            cmd: "hello".into(),
            protocol: PROTOCOL,
            harness: options.harness.as_str().into(),
            max_body: options.max_body,
        };
        let hello = Outgoing {
            header: to_json(&hello),
            parts: Vec::new(),
        };
        let reply = self.exchange(
            &hello,
            Limits {
                message: MAX_HEADER,
                body: 0,
            },
            options.handshake,
        )?;
        let reply: HelloReply = reply
            .read(|message| {
                let hello = serde_json::from_slice::<Object<_>>(&message.header);
                hello.map(|object| object.0).map_err(|error| {
                    // A JSON object is a hello line with a mistake. Anything else was never
                    // meant to be one, so quote it.
                    let hint = match Probe::of(&message.header) {
                        Ok(_) => String::new(),
                        Err(_) => format!(
                            "; it begins with {}: does the program print to stdout?",
                            quote(&message.header)
                        ),
                    };
                    format!("read its hello line: {error}{hint}")
                })
            })
            .map_err(Lost::Protocol)?;
        if reply.protocol != PROTOCOL {
            return Err(Lost::Protocol(format!(
                "speak protocol {}: this harness speaks protocol {PROTOCOL}",
                reply.protocol
            )));
        }
        // Only after the version was checked: a later protocol may frame its messages in another way.
        self.framing = reply.framing;
        let capabilities = Capabilities::from_json(&reply.capabilities);
        Ok(Introduction {
            implementation: reply.implementation.0,
            capabilities: capabilities.map_err(|error| Lost::Protocol(error.to_string()))?,
        })
    }

    /// The framing in the child's hello line.
    pub(super) const fn framing(&self) -> Framing {
        self.framing
    }

    /// Sends a message and waits for the reply, whose JSON is not parsed.
    ///
    /// # Errors
    /// [`Lost`]; the child has been killed then. It may still be busy with this request, and its late
    /// reply must not meet the next.
    pub(super) fn exchange(
        &mut self,
        message: &Outgoing<'_>,
        limits: Limits,
        deadline: Duration,
    ) -> Result<Heard, Lost> {
        let result = self.try_exchange(message, limits, deadline);
        if result.is_err() {
            self.end();
        }
        result
    }

    fn try_exchange(
        &mut self,
        message: &Outgoing<'_>,
        limits: Limits,
        deadline: Duration,
    ) -> Result<Heard, Lost> {
        let started = Instant::now();
        // The copy is written before the request is sent, because the request that matters is the
        // one that crashes the child.
        if let Some(dump) = &self.dump {
            dump.request(self.framing, message).map_err(Lost::Harness)?;
        }
        let mut bytes = Vec::new();
        message.write(self.framing, &mut bytes).map_err(Lost::Harness)?;
        // An event from before this request cannot be its reply: the child printed something, or has ended.
        if let Ok(event) = self.stdout.events.try_recv() {
            return self.judge(event);
        }
        self.stdout.expect(Expected {
            framing: self.framing,
            limits,
        });
        if let Some(requests) = &self.requests {
            // If the writer has gone, the child has closed its input. Its output or its exit
            // status tells more about why.
            let _ = requests.send(bytes);
        }
        loop {
            let left = deadline.saturating_sub(started.elapsed());
            if left.is_zero() {
                return Err(Lost::Late(deadline));
            }
            match self.stdout.events.recv_timeout(left.min(LOOK)) {
                Ok(event) => return self.judge(event),
                Err(RecvTimeoutError::Disconnected) => return self.judge(Event::Ended(Vec::new())),
                Err(RecvTimeoutError::Timeout) => {
                    if self.process.wait(Duration::ZERO).is_some() {
                        // The reply may have been written just before the end, and be on its way
                        // through the reading thread.
                        let last = self.stdout.events.recv_timeout(LOOK);
                        return self.judge(last.unwrap_or(Event::Ended(Vec::new())));
                    }
                }
            }
        }
    }

    fn judge(&mut self, event: Event) -> Result<Heard, Lost> {
        match event {
            Event::Message(heard) => {
                if let Some(dump) = &self.dump {
                    dump.reply(self.framing, &heard.message).map_err(Lost::Harness)?;
                }
                Ok(heard)
            }
            Event::Broken(message) => Err(Lost::Protocol(message)),
            Event::Ended(heard) => {
                let heard = if heard.is_empty() {
                    String::new()
                } else {
                    format!(" after {}", quote(&heard))
                };
                Err(match self.process.wait(ENDING) {
                    Some(status) => Lost::Ended(format!("the program ended ({status}){heard}")),
                    None => Lost::Protocol(format!("the program closed its standard output{heard}")),
                })
            }
        }
    }

    /// The text on the child's standard error since the last request.
    pub(super) fn words(&self) -> String {
        self.stderr.take()
    }

    /// Like [`Self::words`], but waits briefly for what a failing process prints.
    pub(super) fn words_soon(&self) -> String {
        self.stderr.take_soon()
    }

    /// Kills the child and returns the rest of its standard error.
    pub(super) fn last_words(mut self) -> String {
        self.end();
        self.stderr.take_last()
    }

    /// Sends `bye` and closes the child's input.
    pub(super) fn bye(&mut self) {
        if let Some(requests) = self.requests.take() {
            let bye = Outgoing {
                header: to_json(&Bye { cmd: "bye".into() }),
                parts: Vec::new(),
            };
            let mut bytes = Vec::new();
            if bye.write(self.framing, &mut bytes).is_ok() {
                let _ = requests.send(bytes);
            }
        }
    }

    /// Waits for a child to end until two seconds after `bye` was sent. Returns how it ended, unless it ended with
    /// success. A child that is still alive then is killed when it is dropped, and not reported.
    pub(super) fn farewell(&mut self, sent: Instant) -> Option<String> {
        let status = self.process.wait(FAREWELL.saturating_sub(sent.elapsed()))?;
        (!status.success()).then(|| format!("its process ended with {status}"))
    }

    /// Kills the process with everything that it started.
    fn end(&mut self) {
        // Ends the writing thread, which would otherwise wait for the next message for ever.
        self.requests = None;
        self.process.end();
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.end();
    }
}

/// Starts the thread that writes to a child. A child that does not read would block a write for ever; it blocks only
/// this thread. When the sender is dropped, the thread ends and closes the child's input.
fn writer(mut stdin: ChildStdin) -> io::Result<Sender<Vec<u8>>> {
    let (sender, messages) = channel::<Vec<u8>>();
    seedproof_ops::thread()
        .name("adapter-stdin".into())
        .spawn(move || {
            for message in messages {
                if stdin.write_all(&message).is_err() {
                    return;
                }
            }
        })?;
    Ok(sender)
}
