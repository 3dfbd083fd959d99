//! The vocabulary of Seedproof: element types, shapes, tensors, the ops' interfaces as data, their requests and answers, and the
//! [`Backend`] trait that every implementation speaks.
//!
//! No algorithm lives here and no rule of any specification: a [`Request`] may be invalid in any way that its
//! types can express, and whoever runs it says so. What is checked here is only what keeps the types sound:
//! a shape's element count fits `usize`, and a tensor has exactly the bytes that its shape and type call for.
//!
//! ```
//! use seedproof_ops::{Alignment, Dtype, OpName, RandomUniform, Request, Tensor};
//!
//! let request = Request::RandomUniform(RandomUniform {
//!     shape: Tensor::vector(&[2_i64, 3]),
//!     minval: Tensor::scalar(0.0_f32),
//!     maxval: Tensor::scalar(1.0_f32),
//!     output_type: Dtype::F32.into(),
//!     global_seed: 150,
//!     op_seed: 10,
//!     alignment: Alignment::Tensorflow.into(),
//!     execution: 0,
//! });
//! assert_eq!(request.output_form(), Some((Dtype::F32, vec![2, 3])));
//!
//! // What an op is stands in its description alone.
//! let op = OpName::RandomUniform.description();
//! assert!(op.names().eq(["output_type", "global_seed", "op_seed", "alignment", "shape", "minval", "maxval"]));
//! // Tensors are equal where their bits are.
//! assert_ne!(Tensor::scalar(0.0_f32), Tensor::scalar(-0.0_f32));
//! ```
#![deny(unsafe_code)]

mod backend;
mod dtype;
mod element;
mod elements;
mod environment;
mod limits;
mod named;
mod nan;
mod nearest;
mod op;
mod request;
#[cfg(any(test, feature = "requests"))]
pub mod requests;
mod required;
mod response;
mod scalar;
mod shape;
mod shortened;
mod tensor;
mod threads;
pub mod untrusted;
#[cfg(feature = "ndarray")]
mod view;

pub use backend::{Answer, Ask, Backend, BackendId, Digest, Stages, Support, Value, Want};
pub use dtype::{Dtype, UnknownDtype};
pub use element::Element;
pub use elements::{Elements, digested};
pub use environment::{Environment, standard};
pub use limits::Limits;
pub use named::{Attribute, Named};
pub use nan::NanRule;
pub use nearest::{did_you_mean, nearest};
pub use op::*;
pub use request::{OpName, Request};
pub use required::is_required;
pub use response::{ErrorKind, Failure, Fault, FaultKind, OpError, Response};
pub use scalar::Scalar;
pub use shape::{Shape, ShapeError};
pub use shortened::shortened;
pub use tensor::{Tensor, TensorError};
pub use threads::{STACK, each, on_threads, thread};
