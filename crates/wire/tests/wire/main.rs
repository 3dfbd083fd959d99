//! The protocol from both sides, with real processes between them.

mod adapters;
mod common;
mod saboteurs;
mod toy;
