//! Seedproof: the program, and the library that others depend on.
#![forbid(unsafe_code)]
