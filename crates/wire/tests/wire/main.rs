//! The protocol from both sides, with real processes between them.

mod adapters;
mod common;
mod conversations;
mod requests;
mod saboteurs;
mod schemas;
mod toy;
