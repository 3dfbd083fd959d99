//! Seedproof: the same ops once more, as data: what ships, and classic mistakes.
#![forbid(unsafe_code)]
