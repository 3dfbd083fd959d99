//! The adapter protocol: how the harness talks to implementations that are not Rust trait objects.
//!
//! `docs/protocol.md` describes the protocol and `docs/protocol/*.schema.json` its messages. Here are its codec,
//! the side that asks ([`AdapterBackend`], a child process seen as a [`Backend`](seedproof_ops::Backend)) and the
//! side that answers ([`serve`], any backend seen as an adapter). No rule of any op lives here: an invalid request
//! travels like any other.
#![forbid(unsafe_code)]

mod attribute;
mod capabilities;
mod client;
mod cover;
mod framing;
mod message;
mod reply;
mod request;
mod restriction;
mod server;
mod strict;
mod tensor;
mod tensor_reader;

#[cfg(test)]
#[path = "../tests/wire/requests.rs"]
mod requests;
#[cfg(test)]
#[path = "../tests/wire/toy.rs"]
mod toy;

pub use capabilities::{Capabilities, Capability, FEATURES, InvalidCapability, features};
pub use client::{AdapterBackend, AdapterCommand, InvalidCommand, Options, StartError};
pub use framing::{Framing, MAX_BODY};
pub use message::{Implementation, PROTOCOL};
pub use server::{Server, serve};
