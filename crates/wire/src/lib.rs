//! The adapter protocol: how the harness talks to implementations that are not Rust trait objects.
//!
//! `docs/protocol.md` describes the protocol and `docs/protocol/*.schema.json` its messages. This crate has its codec,
//! the client ([`AdapterBackend`], a child process as a [`Backend`](seedproof_ops::Backend)) and the server ([`serve`],
//! any backend as an adapter). It knows no rule of any op: an invalid request travels like any other.
//!
//! ```
//! use seedproof_ops::{Backend, BackendId, Failure, Request, Response, Shape, Support, Tensor};
//! use seedproof_wire::{Framing, serve};
//!
//! /// Answers every request with the same four words.
//! struct Fixed(BackendId, [u32; 4]);
//!
//! impl Backend for Fixed {
//!     fn id(&self) -> &BackendId {
//!         &self.0
//!     }
//!
//!     fn supports(&self, _: &Request) -> Support {
//!         Support::Supported
//!     }
//!
//!     fn run(&self, _: &Request) -> Result<Response, Failure> {
//!         let shape = Shape::new(&[1, 1, 1, 4]).expect("four elements fit any machine");
//!         Ok(Response::of(Tensor::from_elements(shape, &self.1).expect("the shape has four elements")))
//!     }
//! }
//!
//! let backend = Fixed(BackendId::new("fixed"), [1, 2, 3, 4]);
//! let run = r#"{"cmd":"run","seq":1,"op":"directml.RandomGenerator",
//!     "attrs":{"type":"PHILOX_4X32_10","feature_level":"3.0","output_sizes":[1,1,1,4],"output_state":false},
//!     "inputs":{"input_state":{"dtype":"u32","shape":[1,1,1,6],
//!         "hex":"000000000000000000000000000000000000000000000000"}}}"#;
//! let mut reply = Vec::new();
//! serve(&backend, Framing::Lines, run.replace('\n', "").as_bytes(), &mut reply)?;
//! let reply = String::from_utf8_lossy(&reply);
//! assert!(reply.contains(r#""hex":"01000000020000000300000004000000""#), "{reply}");
//! # Ok::<(), std::io::Error>(())
//! ```
#![forbid(unsafe_code)]

mod attribute;
mod capabilities;
mod client;
mod cover;
mod framing;
#[cfg(fuzzing)]
#[doc(hidden)]
pub mod fuzzing;
mod message;
mod reply;
mod request;
mod restriction;
mod server;
mod strict;
mod tensor;
mod tensor_reader;
mod worker;

#[cfg(any(test, fuzzing))]
#[path = "../tests/wire/requests.rs"]
mod requests;
#[cfg(test)]
#[path = "../tests/wire/toy.rs"]
mod toy;

pub use attribute::encode as attribute;
pub use capabilities::{Capabilities, Capability, FEATURES, InvalidCapability, features};
pub use client::{
    AdapterBackend, AdapterCommand, InvalidCommand, Options, StartError, adopt_orphans, end_orphans,
};
pub use framing::{Framing, MAX_BODY};
pub use message::{Implementation, PROTOCOL};
pub use server::{Server, serve};
