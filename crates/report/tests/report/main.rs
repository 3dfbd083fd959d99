//! Documents of made-up runs: what each format shows of every kind of failure, and that it is well formed.

mod diff;
mod expected;
mod formats;
mod golden;
mod hostile;
mod joined;
mod log;
mod notes;
mod page;
mod rare;
mod sample;
mod text;
