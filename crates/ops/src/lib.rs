//! The vocabulary of Seedproof: element types, shapes, tensors, the ops' interfaces as data, their requests and answers, and the
//! [`Backend`] trait that every implementation speaks.
//!
//! No algorithm lives here and no rule of any specification: a [`Request`] may be invalid in any way that its
//! types can express, and whoever runs it says so. What is checked here is only what keeps the types sound:
//! a shape's element count fits `usize`, and a tensor has exactly the bytes that its shape and type call for.
#![forbid(unsafe_code)]

mod backend;
mod dtype;
mod element;
mod limits;
mod named;
mod nan;
mod nearest;
mod op;
mod request;
mod response;
mod scalar;
mod shape;
mod tensor;
#[cfg(feature = "ndarray")]
mod view;

pub use backend::{Answer, Ask, Backend, BackendId, Digest, Stages, Support, Value, Want};
pub use dtype::{Dtype, UnknownDtype};
pub use element::Element;
pub use limits::Limits;
pub use named::{Attribute, Named};
pub use nan::NanRule;
pub use nearest::{did_you_mean, nearest};
pub use op::*;
pub use request::{OpName, Request};
pub use response::{ErrorKind, Failure, Fault, FaultKind, OpError, Response};
pub use scalar::Scalar;
pub use shape::{Shape, ShapeError};
pub use tensor::{Tensor, TensorError};
