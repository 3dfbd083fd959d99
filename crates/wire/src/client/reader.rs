//! The thread that reads the standard output of a child. A read cannot be given a deadline, but
//! the wait for a thread can.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use crate::framing::{self, Framing, Limits, Message, ReadError, quote};

/// An event on the standard output of a child.
#[derive(Debug)]
pub(super) enum Event {
    /// The expected message.
    Message(Heard),
    /// Bytes that break the protocol. Nothing is read after them.
    Broken(String),
    /// The end of the stream, with the incomplete message before it.
    Ended(Vec<u8>),
}

/// A message whose JSON has not been parsed yet.
#[derive(Debug)]
pub(super) struct Heard {
    pub(super) message: Message,
    /// The error for bytes right after the message, if there were any.
    after: Option<String>,
}

impl Heard {
    /// Parses the message, and only then complains about bytes after it, so that the first fault is the one reported.
    ///
    /// # Errors
    /// The error of `read`, or that bytes follow the message.
    pub(super) fn read<T>(self, read: impl FnOnce(Message) -> Result<T, String>) -> Result<T, String> {
        let value = read(self.message)?;
        self.after.map_or(Ok(value), Err)
    }
}

/// The framing and the limits of the next message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expected {
    pub(super) framing: Framing,
    pub(super) limits: Limits,
}

/// The standard output of a child.
pub(super) struct Stdout {
    expected: Arc<Mutex<Option<Expected>>>,
    /// Events in the order of the stream.
    pub(super) events: Receiver<Event>,
}

impl Stdout {
    /// Starts to listen.
    ///
    /// # Errors
    /// If no thread can be started.
    pub(super) fn listen(stream: impl Read + Send + 'static) -> io::Result<Self> {
        let expected = Arc::<Mutex<Option<Expected>>>::default();
        let theirs = Arc::clone(&expected);
        let (sender, events) = channel();
        seedproof_ops::thread()
            .name("adapter-stdout".into())
            .spawn(move || read(&mut BufReader::with_capacity(64 << 10, stream), &theirs, &sender))?;
        Ok(Self { expected, events })
    }

    /// Expects one message. Must be called before the request is sent, or a fast reply would count as unasked for.
    pub(super) fn expect(&self, message: Expected) {
        *self.expected.lock().unwrap_or_else(PoisonError::into_inner) = Some(message);
    }
}

/// Reads expected messages until the stream ends or breaks the protocol.
fn read(input: &mut BufReader<impl Read>, expected: &Mutex<Option<Expected>>, events: &Sender<Event>) {
    loop {
        let event = next(input, expected);
        let last = !matches!(event, Event::Message(_));
        // Sending fails once the child has been given up and dropped.
        if events.send(event).is_err() || last {
            return;
        }
    }
}

fn next(input: &mut BufReader<impl Read>, expected: &Mutex<Option<Expected>>) -> Event {
    // Waits for the first byte before it looks for an expectation: the thread arrives here
    // long before the next request.
    match input.fill_buf() {
        Ok([]) | Err(_) => return Event::Ended(Vec::new()),
        Ok(_) => {}
    }
    // Bytes that arrive while nothing is expected cannot be a reply.
    let Some(expected) = expected.lock().unwrap_or_else(PoisonError::into_inner).take() else {
        return Event::Broken(format!(
            "read {} with no request to answer: does the program print to stdout?",
            quote(input.buffer())
        ));
    };
    match framing::read(expected.framing, input, expected.limits) {
        Ok(Some(message)) => {
            // Only what is buffered already. Bytes that arrive later are found by the next
            // request, without a wait here.
            let more = input.buffer();
            let after = (!more.is_empty()).then(|| {
                format!(
                    "read {} after the reply: does the program print to stdout?",
                    quote(more)
                )
            });
            Event::Message(Heard { message, after })
        }
        Err(ReadError::Truncated(heard)) => Event::Ended(heard),
        Ok(None) | Err(ReadError::Io(_)) => Event::Ended(Vec::new()),
        Err(error) => Event::Broken(format!("{error}: does the program print to stdout?")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: Expected = Expected {
        framing: Framing::Lines,
        limits: Limits {
            message: 100,
            body: 0,
        },
    };

    fn heard(bytes: &'static [u8], due: Option<Expected>) -> Event {
        next(&mut BufReader::new(bytes), &Mutex::new(due))
    }

    #[test]
    fn reader_takes_what_is_expected() {
        let Event::Message(heard) = heard(b"{}\n", Some(LINE)) else {
            panic!("a line is a message");
        };
        assert_eq!(heard.read(|message| Ok(message.header)), Ok(b"{}".to_vec()));
    }

    #[test]
    fn reader_reports_the_first_fault() {
        let two = || match heard(b"{}\nand more", Some(LINE)) {
            Event::Message(heard) => heard,
            other => panic!("{other:?}"),
        };
        let first: Result<(), String> = two().read(|_| Err("the first".to_owned()));
        assert_eq!(first, Err("the first".to_owned()));
        let more = two().read(|_| Ok(())).unwrap_err();
        assert!(more.contains(r#""and more" after the reply"#), "{more}");
    }

    #[test]
    fn reader_takes_nothing_else() {
        let Event::Broken(unasked) = heard(b"hello\n", None) else {
            panic!("nothing was expected");
        };
        assert!(unasked.contains(r#""hello\n" with no request"#), "{unasked}");
    }

    #[test]
    fn reader_knows_the_end_of_the_stream() {
        let ended = |bytes, due| match heard(bytes, Some(due)) {
            Event::Ended(heard) => heard,
            other => panic!("{other:?}"),
        };
        let frame = Expected {
            framing: Framing::Frames,
            ..LINE
        };
        assert_eq!(ended(b"", LINE), b"");
        assert_eq!(ended(b"{\"seq\"", LINE), b"{\"seq\"");
        assert_eq!(ended(b"SPW1\x02\x00\x00\x00", frame), b"SPW1");
    }
}
