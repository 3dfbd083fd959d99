//! Reads the tensors of a message.

use std::ops::Range;

use data_encoding::{DecodeKind, HEXLOWER_PERMISSIVE};
use seedproof_ops::{Digest, Dtype, Shape, Tensor, UnknownDtype};

use crate::framing::Framing;
use crate::tensor::WireTensor;

/// Why a tensor cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Flaw {
    Malformed(String),
    /// The tensor parses, but its element type does not exist. As an input this is a request that an op
    /// rejects, not a broken message.
    UnknownDtype(String),
}

impl From<String> for Flaw {
    fn from(message: String) -> Self {
        Self::Malformed(message)
    }
}

impl Flaw {
    pub(crate) fn message(self) -> String {
        match self {
            Self::Malformed(message) | Self::UnknownDtype(message) => message,
        }
    }
}

/// The bytes of a tensor: decoded from hex, or still in the body.
enum Place {
    Here(Vec<u8>),
    Body(Range<usize>),
}

pub(crate) struct Reader {
    framing: Framing,
    body: Vec<u8>,
    /// The places of the tensors in the body, in bytes.
    used: Vec<Range<usize>>,
}

impl Reader {
    pub(crate) const fn new(framing: Framing, body: Vec<u8>) -> Self {
        Self {
            framing,
            body,
            used: Vec::new(),
        }
    }

    pub(crate) fn tensor(&mut self, tensor: &WireTensor<'_>) -> Result<Tensor, Flaw> {
        let (dtype, shape, place) = self.find(tensor, None)?;
        Ok(Tensor::new(dtype, shape, self.copy(place)).map_err(|error| error.to_string())?)
    }

    /// The last tensor that is read of a message: whole, or the elements of the requested window as a vector.
    ///
    /// It consumes the reader so that a tensor at the start of the body takes over its buffer,
    /// which may be 256 MiB, uncopied.
    pub(crate) fn last(
        mut self,
        tensor: &WireTensor<'_>,
        window: Option<[usize; 2]>,
    ) -> Result<Tensor, String> {
        let (dtype, shape, place) = self.find(tensor, window).map_err(Flaw::message)?;
        self.finish()?;
        let bytes = match place {
            Place::Body(span) if span.start == 0 => {
                self.body.truncate(span.end);
                self.body
            }
            place => self.copy(place),
        };
        Tensor::new(dtype, shape, bytes).map_err(|error| error.to_string())
    }

    /// Checks that the body has no bytes beside its tensors but padding to a multiple of eight. More would be a tensor that the
    /// header forgot.
    pub(crate) fn finish(&mut self) -> Result<(), String> {
        // An adapter may place its outputs in any order.
        self.used.sort_unstable_by_key(|span| span.start);
        let end = self.body.len();
        let mut from = 0_usize;
        for (start, next) in self
            .used
            .iter()
            .map(|span| (span.start, span.end))
            .chain([(end, end)])
        {
            if start > from.next_multiple_of(8) {
                return Err(format!(
                    "read a body of {end} bytes: no tensor uses those from {from} on"
                ));
            }
            from = from.max(next);
        }
        Ok(())
    }

    /// The element type, the shape and the bytes of a tensor or window. [`Tensor::new`] checks
    /// the number of bytes later.
    fn find(
        &mut self,
        tensor: &WireTensor<'_>,
        window: Option<[usize; 2]>,
    ) -> Result<(Dtype, Shape, Place), Flaw> {
        if tensor.window != window {
            return Err(Flaw::Malformed(match window {
                None => "read a tensor: a `window` was not asked for".to_owned(),
                Some(asked) => format!(
                    "read a tensor: the window {asked:?} was asked for, not {:?}",
                    tensor.window
                ),
            }));
        }
        // Before the form: a tensor that is malformed and has an unknown element type is malformed.
        let place = self.locate(tensor)?;
        let (dtype, shape) = form(tensor)?;
        Ok((
            dtype,
            window.map_or(shape, |[_, count]| Shape::vector(count)),
            place,
        ))
    }

    fn locate(&mut self, tensor: &WireTensor<'_>) -> Result<Place, String> {
        if tensor.chunks.is_some() {
            return Err("read a tensor: `chunks` were not asked for".into());
        }
        match (self.framing, &tensor.hex, tensor.offset, tensor.length) {
            (Framing::Lines, Some(digits), None, None) => decode_hex(&digits.0).map(Place::Here),
            (Framing::Lines, ..) => {
                Err("read a tensor: under `lines` it has `hex` and no span of a body".into())
            }
            (Framing::Frames, None, Some(offset), Some(length)) => self.span(offset, length).map(Place::Body),
            (Framing::Frames, ..) => {
                Err("read a tensor: under `frames` it has `offset` and `length` and no `hex`".into())
            }
        }
    }

    fn span(&mut self, offset: u64, length: u64) -> Result<Range<usize>, String> {
        if !offset.is_multiple_of(8) {
            return Err(format!(
                "read a tensor at offset {offset}: it is not a multiple of 8"
            ));
        }
        let outside = || {
            format!(
                "read a tensor at offset {offset} of length {length}: the body has {} bytes",
                self.body.len()
            )
        };
        let end = offset.checked_add(length).ok_or_else(outside)?;
        match (usize::try_from(offset), usize::try_from(end)) {
            (Ok(start), Ok(end)) if end <= self.body.len() => {
                self.used.push(start..end);
                Ok(start..end)
            }
            _ => Err(outside()),
        }
    }

    fn copy(&self, place: Place) -> Vec<u8> {
        match place {
            Place::Here(bytes) => bytes,
            Place::Body(span) => self.body[span].to_vec(),
        }
    }
}

/// The most extents of a tensor, which is also NumPy's limit. A message of `1,1,1,…` would otherwise take four times
/// its own size in memory, two bytes of text becoming an extent of eight.
const MOST_EXTENTS: usize = 64;

fn form(tensor: &WireTensor<'_>) -> Result<(Dtype, Shape), Flaw> {
    let rank = tensor.shape.len();
    if rank > MOST_EXTENTS {
        return Err(Flaw::Malformed(format!(
            "read a shape of {rank} extents: at most {MOST_EXTENTS} are read"
        )));
    }
    let shape = Shape::new(&tensor.shape).map_err(|error| error.to_string())?;
    let dtype = tensor
        .dtype
        .parse()
        .map_err(|error: UnknownDtype| Flaw::UnknownDtype(error.to_string()))?;
    Ok((dtype, shape))
}

/// Decodes hexadecimal digits of either case.
fn decode_hex(digits: &str) -> Result<Vec<u8>, String> {
    HEXLOWER_PERMISSIVE
        .decode(digits.as_bytes())
        .map_err(|error| match error.kind {
            DecodeKind::Length => format!("read hex: {} digits are not whole bytes", digits.len()),
            _ => format!(
                "read hex: character {} is not a hexadecimal digit",
                error.position
            ),
        })
}

/// The digest in a reply to a request for one.
pub(crate) fn digest(tensor: &WireTensor<'_>) -> Result<Digest, String> {
    let (dtype, shape) = form(tensor).map_err(Flaw::message)?;
    let WireTensor {
        window: None,
        hex: None,
        offset: None,
        length: None,
        chunks: Some(chunks),
        ..
    } = tensor
    else {
        return Err("read a digest: it has `dtype`, `shape` and `chunks` and nothing else".into());
    };
    let expected = shape.count().div_ceil(Digest::CHUNK);
    if chunks.len() != expected {
        return Err(format!(
            "read a digest of {} elements: it has {expected} chunks, not {}",
            shape.count(),
            chunks.len()
        ));
    }
    let sum = |text: &String| {
        let bytes = decode_hex(text)?;
        <[u8; 32]>::try_from(bytes).map_err(|_| "read a digest: a chunk's SHA-256 has 64 digits".to_owned())
    };
    let chunks = chunks.iter().map(sum).collect::<Result<_, String>>()?;
    Ok(Digest { dtype, shape, chunks })
}
