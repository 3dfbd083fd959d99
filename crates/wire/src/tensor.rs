//! Tensors in messages: hex in the JSON, or a span of the body. `tensor_reader` reads them.

use std::borrow::Cow;

use data_encoding::HEXLOWER;
use seedproof_ops::{Digest, Dtype, Shape, Tensor};
use serde::{Deserialize, Serialize};

use crate::framing::{Framing, align, length};
use crate::strict::present;

/// A string that is borrowed from the message unless it has escapes. Serde borrows a `Cow` only where a field itself
/// says `borrow`, which does not reach inside an `Option`; hence this type around it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(transparent)]
pub(crate) struct Text<'a>(#[serde(borrow)] pub(crate) Cow<'a, str>);

/// The JSON of a tensor. The framing, and the part of the output that was asked for, decide
/// which optional fields it has.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WireTensor<'a> {
    #[serde(borrow)]
    pub(crate) dtype: Cow<'a, str>,
    pub(crate) shape: Vec<u64>,
    #[serde(default, with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) window: Option<[usize; 2]>,
    #[serde(borrow, default, with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) hex: Option<Text<'a>>,
    #[serde(default, with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) offset: Option<u64>,
    #[serde(default, with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) length: Option<u64>,
    #[serde(default, with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) chunks: Option<Vec<String>>,
}

/// Places tensors in a message that is being written.
pub(crate) struct Writer<'a> {
    framing: Framing,
    /// The bytes of each tensor, in the order in which [`Outgoing`](crate::framing::Outgoing) writes them.
    pub(crate) parts: Vec<&'a [u8]>,
    end: u64,
}

impl<'a> Writer<'a> {
    pub(crate) const fn new(framing: Framing) -> Self {
        Self {
            framing,
            parts: Vec::new(),
            end: 0,
        }
    }

    pub(crate) fn tensor(&mut self, tensor: &'a Tensor) -> WireTensor<'static> {
        self.place(tensor, tensor.bytes())
    }

    /// `count` elements from index `start`. The caller has checked that the tensor has them.
    pub(crate) fn window(&mut self, tensor: &'a Tensor, start: usize, count: usize) -> WireTensor<'static> {
        let size = tensor.dtype().size();
        let mut placed = self.place(tensor, &tensor.bytes()[start * size..][..count * size]);
        placed.window = Some([start, count]);
        placed
    }

    pub(crate) fn digest(digest: &Digest) -> WireTensor<'static> {
        let mut placed = bare(digest.dtype, &digest.shape);
        placed.chunks = Some(digest.chunks.iter().map(|sum| HEXLOWER.encode(sum)).collect());
        placed
    }

    fn place(&mut self, tensor: &'a Tensor, bytes: &'a [u8]) -> WireTensor<'static> {
        let mut placed = bare(tensor.dtype(), tensor.shape());
        match self.framing {
            // Left empty: the message inserts the digits while it is written, so that they are never all in memory.
            Framing::Lines => placed.hex = Some(Text("".into())),
            Framing::Frames => {
                let offset = align(self.end);
                placed.offset = Some(offset);
                placed.length = Some(length(bytes));
                self.end = offset + length(bytes);
            }
        }
        self.parts.push(bytes);
        placed
    }
}

fn bare(dtype: Dtype, shape: &Shape) -> WireTensor<'static> {
    WireTensor {
        dtype: dtype.name().into(),
        shape: shape.to_u64(),
        window: None,
        hex: None,
        offset: None,
        length: None,
        chunks: None,
    }
}
