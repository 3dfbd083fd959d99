//! The two framings of messages on a stream, and the limits within which messages are read.
//!
//! The JSON of a message is not parsed here.

use std::io::{self, BufRead, BufWriter, Read, Write};

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};

/// How messages are separated, and where the bytes of tensors are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Framing {
    /// One JSON object on each line, with tensors in hex.
    #[default]
    Lines,
    /// `SPW1`, header length (u32 LE), body length (u64 LE), header (a JSON object), body (the bytes of the tensors).
    Frames,
}

/// The first bytes of a frame.
const MAGIC: [u8; 4] = *b"SPW1";

/// Bytes of tensors that one message may carry by default: 256 MiB.
pub const MAX_BODY: u64 = 256 << 20;

/// The longest header: 1 MiB.
pub(crate) const MAX_HEADER: u64 = 1 << 20;

/// The most bytes of a malformed message that an error quotes. `docs/protocol.md` promises this number.
const QUOTED: usize = 64;

/// The most bytes that are read of one message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    /// The longest message: of a line, or of header and body together.
    pub(crate) message: u64,
    /// The longest body of a frame.
    pub(crate) body: u64,
}

/// One message: its JSON and, under [`Framing::Frames`], the bytes of its tensors.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Message {
    /// A JSON object, if the other side follows the protocol.
    pub(crate) header: Vec<u8>,
    /// Empty under [`Framing::Lines`].
    pub(crate) body: Vec<u8>,
}

/// Why no message could be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadError {
    /// The stream failed.
    #[error("read: {0}")]
    Io(#[from] io::Error),
    /// The bytes are not a frame.
    #[error("read a frame: it begins with {} in place of \"SPW1\"", quote(.0))]
    Magic(Vec<u8>),
    /// The stream ended inside a message. These are the bytes that arrived; under [`Framing::Lines`] all of them.
    #[error("read a message: it breaks off after {}", quote(.0))]
    Truncated(Vec<u8>),
    /// The message is longer than the limit. `rest` must be skipped to reach the next message.
    #[error("read a {what} of {size} bytes: the limit is {limit}; it begins with {}", quote(.quoted))]
    TooLarge {
        /// `header`, `body` or `line`.
        what: &'static str,
        /// The length that a frame claims, or `over N` for a line, whose length is not known in advance.
        size: String,
        limit: u64,
        /// The first bytes of the message.
        quoted: Vec<u8>,
        rest: Rest,
    },
}

/// The unread part of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    /// Everything up to the end of the line.
    Line,
    /// This many bytes of the header, then this many of the body. Two numbers, because their sum may exceed a u64.
    Bytes(u64, u64),
}

/// The first 64 bytes as text in quotes, with unprintable bytes escaped.
pub(crate) fn quote(bytes: &[u8]) -> String {
    let shown = &bytes[..bytes.len().min(QUOTED)];
    let more = if bytes.len() > QUOTED { "…" } else { "" };
    format!("\"{}{more}\"", shown.escape_ascii())
}

/// The bytes that are buffered, without consuming them. Blocks only while there are none.
fn waiting(input: &mut impl BufRead) -> Vec<u8> {
    input
        .fill_buf()
        .map(|bytes| bytes[..bytes.len().min(QUOTED + 1)].to_vec())
        .unwrap_or_default()
}

/// Reads one message, or `None` where the stream ends before one.
///
/// Memory grows with what arrives, not with what is claimed, and never past the limits.
pub(crate) fn read(
    framing: Framing,
    input: &mut impl BufRead,
    limits: Limits,
) -> Result<Option<Message>, ReadError> {
    match framing {
        Framing::Lines => read_line(input, limits.message),
        Framing::Frames => read_frame(input, limits),
    }
}

fn read_line(input: &mut impl BufRead, limit: u64) -> Result<Option<Message>, ReadError> {
    const STEP: usize = 8 << 10;
    // One byte more than the limit, for the line feed of a line that is as long as it may be.
    let allowed = usize::try_from(limit).unwrap_or(usize::MAX).saturating_add(1);
    let mut header: Vec<u8> = Vec::new();
    loop {
        // Doubling keeps the number of copies logarithmic. `read_until` alone would let the vector round its capacity
        // up past the limit, and would abort the process where memory is short; a failed reservation is an error.
        let step = STEP.max(header.len()).min(allowed - header.len());
        header.try_reserve_exact(step).map_err(io::Error::from)?;
        let read = input
            .take(u64::try_from(step).unwrap_or(u64::MAX))
            .read_until(b'\n', &mut header)?;
        let ended = header.pop_if(|&mut last| last == b'\n').is_some();
        if ended {
            return Ok(Some(Message {
                header,
                body: Vec::new(),
            }));
        }
        if read == 0 {
            return if header.is_empty() {
                Ok(None)
            } else {
                Err(ReadError::Truncated(header))
            };
        }
        if header.len() >= allowed {
            header.truncate(QUOTED + 1);
            return Err(ReadError::TooLarge {
                what: "line",
                size: format!("over {limit}"),
                limit,
                quoted: header,
                rest: Rest::Line,
            });
        }
    }
}

fn read_frame(input: &mut impl BufRead, limits: Limits) -> Result<Option<Message>, ReadError> {
    let mut seen = Vec::new();
    for expected in MAGIC {
        // Each byte is checked as it arrives. A program that prints `hi` by mistake and then waits would never send the
        // sixteen bytes of a whole prefix, and its fault would be reported as a timeout.
        let waiting = waiting(input);
        match waiting.first() {
            // An end between two messages is not a fault of the framing: to a server it means the same as `bye`.
            None if seen.is_empty() => return Ok(None),
            None => return Err(ReadError::Truncated(seen)),
            Some(&byte) if byte == expected => {
                input.consume(1);
                seen.push(byte);
            }
            Some(_) => {
                seen.extend(waiting);
                return Err(ReadError::Magic(seen));
            }
        }
    }
    let mut lengths = [0; 12];
    read_exact(input, &mut lengths)?;
    let [h0, h1, h2, h3, body @ ..] = lengths;
    let header_length = u64::from(u32::from_le_bytes([h0, h1, h2, h3]));
    let body_length = u64::from_le_bytes(body);
    // Both lengths are checked before anything is allocated for them: a frame may claim up to 16 EiB.
    let header_limit = MAX_HEADER.min(limits.message);
    if header_length > header_limit {
        return Err(ReadError::TooLarge {
            what: "header",
            size: header_length.to_string(),
            limit: header_limit,
            quoted: waiting(input),
            rest: Rest::Bytes(header_length, body_length),
        });
    }
    let header = read_bytes(input, header_length)?;
    // The header and the body share one limit. The subtraction cannot wrap, since the header was within it.
    let body_limit = limits.body.min(limits.message - header_length);
    if body_length > body_limit {
        return Err(ReadError::TooLarge {
            what: "body",
            size: body_length.to_string(),
            limit: body_limit,
            quoted: header[..header.len().min(QUOTED + 1)].to_vec(),
            rest: Rest::Bytes(0, body_length),
        });
    }
    let body = read_bytes(input, body_length)?;
    Ok(Some(Message { header, body }))
}

fn read_exact(input: &mut impl Read, bytes: &mut [u8]) -> Result<(), ReadError> {
    input.read_exact(bytes).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => ReadError::Truncated(MAGIC.to_vec()),
        _ => ReadError::Io(error),
    })
}

/// Reads exactly `length` bytes; the caller has checked that this is within the limit.
fn read_bytes(input: &mut impl Read, length: u64) -> Result<Vec<u8>, ReadError> {
    const STEP: u64 = 64 << 10;
    let mut bytes = Vec::new();
    let mut left = length;
    while left > 0 {
        // Never more than doubles what has arrived: a sender that claims 256 MiB and sends nothing costs us 64 KiB.
        let step = left.min(STEP.max(length - left));
        bytes
            .try_reserve_exact(usize::try_from(step).map_err(io::Error::other)?)
            .map_err(io::Error::from)?;
        let read = u64::try_from(input.take(step).read_to_end(&mut bytes)?).unwrap_or(step);
        left -= read;
        if read < step {
            return Err(ReadError::Truncated(bytes));
        }
    }
    Ok(bytes)
}

/// Skips the unread part of a message that was too large.
pub(crate) fn skip(input: &mut impl BufRead, rest: Rest) -> io::Result<()> {
    match rest {
        Rest::Line => input.skip_until(b'\n').map(drop),
        Rest::Bytes(header, body) => {
            io::copy(&mut input.take(header), &mut io::sink())?;
            io::copy(&mut input.take(body), &mut io::sink()).map(drop)
        }
    }
}

/// A message to be written: its JSON and the bytes of its tensors.
#[derive(Debug, Default)]
pub(crate) struct Outgoing<'a> {
    /// A JSON object without line breaks.
    pub(crate) header: Vec<u8>,
    /// The bytes of the tensors. Under [`Framing::Frames`] each begins at a multiple of eight in the body. Under
    /// [`Framing::Lines`] its hex digits are inserted in the next empty `hex` string of the header.
    pub(crate) parts: Vec<&'a [u8]>,
}

impl Outgoing<'_> {
    /// Writes the message and flushes.
    pub(crate) fn write(&self, framing: Framing, output: impl Write) -> io::Result<()> {
        // A small message leaves in one `write`. `BufWriter` passes a slice that is larger than its buffer straight
        // through, so a large tensor is not copied.
        let mut output = BufWriter::with_capacity(64 << 10, output);
        match framing {
            Framing::Lines => self.write_line(&mut output)?,
            Framing::Frames => {
                let header = u32::try_from(self.header.len())
                    .map_err(|_| io::Error::other("a header takes over 4 GiB"))?;
                let body = self.parts.iter().fold(0, |at, part| align(at) + length(part));
                output.write_all(&MAGIC)?;
                output.write_all(&header.to_le_bytes())?;
                output.write_all(&body.to_le_bytes())?;
                output.write_all(&self.header)?;
                let mut at = 0;
                for part in &self.parts {
                    let padding = usize::try_from(align(at) - at).expect("at most seven bytes");
                    output.write_all(&[0; 8][..padding])?;
                    output.write_all(part)?;
                    at = align(at) + length(part);
                }
            }
        }
        output.flush()
    }

    /// Writes the header with the hex digits of the tensors, which are made 8 KiB at a time. A string of all digits,
    /// and a header that contains it, would take four times the memory of the output itself.
    fn write_line(&self, output: &mut impl Write) -> io::Result<()> {
        // Text in a message cannot contain this sequence, because JSON escapes the quotes inside strings.
        const PLACE: &[u8] = b"\"hex\":\"\"";
        let mut rest = self.header.as_slice();
        let mut digits = [0; 8 << 10];
        for part in &self.parts {
            let place = rest.windows(PLACE.len()).position(|bytes| bytes == PLACE);
            let place = place.expect("each tensor has its place in the header");
            // Split before the closing quote of the empty string.
            let (before, after) = rest.split_at(place + PLACE.len() - 1);
            output.write_all(before)?;
            for bytes in part.chunks(digits.len() / 2) {
                let digits = &mut digits[..2 * bytes.len()];
                HEXLOWER.encode_mut(bytes, digits);
                output.write_all(digits)?;
            }
            rest = after;
        }
        output.write_all(rest)?;
        output.write_all(b"\n")
    }
}

/// The first multiple of eight at or after `offset`. Eight is the width of the largest element type, so an adapter in C
/// may use a pointer into the body as an array of any type.
pub(crate) const fn align(offset: u64) -> u64 {
    offset.next_multiple_of(8)
}

pub(crate) fn length(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).expect("a slice is shorter than 2^64 bytes")
}

#[cfg(test)]
#[path = "framing_tests.rs"]
mod tests;
