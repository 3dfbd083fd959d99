//! Tensors in a message: hex in the JSON, or a span of the body. `tensor_reader` reads them.

use std::borrow::Cow;

use data_encoding::HEXLOWER;
use seedproof_ops::{Digest, Dtype, Shape, Tensor};
use serde::{Deserialize, Serialize};

use crate::framing::{Framing, align, length};
use crate::strict::present;

/// Text borrowed from the message where it has no escapes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(transparent)]
pub(crate) struct Text<'a>(#[serde(borrow)] pub(crate) Cow<'a, str>);

/// A tensor as JSON has it. Which of the optional fields there are depends on the framing and on what was wanted.
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
    /// The bytes that go into the body, or in the places of their digits.
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

    /// A whole tensor.
    pub(crate) fn tensor(&mut self, tensor: &'a Tensor) -> WireTensor<'static> {
        self.place(tensor, tensor.bytes())
    }

    /// The elements from `start` on, of a tensor that has `start + count` of them or more.
    pub(crate) fn window(&mut self, tensor: &'a Tensor, start: usize, count: usize) -> WireTensor<'static> {
        let size = tensor.dtype().size();
        let mut placed = self.place(tensor, &tensor.bytes()[start * size..][..count * size]);
        placed.window = Some([start, count]);
        placed
    }

    /// A digest in place of the elements.
    pub(crate) fn digest(digest: &Digest) -> WireTensor<'static> {
        let mut placed = bare(digest.dtype, &digest.shape);
        placed.chunks = Some(digest.chunks.iter().map(|sum| HEXLOWER.encode(sum)).collect());
        placed
    }

    fn place(&mut self, tensor: &'a Tensor, bytes: &'a [u8]) -> WireTensor<'static> {
        let mut placed = bare(tensor.dtype(), tensor.shape());
        match self.framing {
            // The digits are written in its place.
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
