//! Seedproof: the adapter protocol: codec, client and server.
#![forbid(unsafe_code)]
