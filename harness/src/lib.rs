//! What Seedproof's own tests share and users do not need: requests by chance, the comparison of two backends, and
//! backends that are wrong, each in one known way.
#![forbid(unsafe_code)]

pub mod agree;
pub mod requests;
pub mod saboteur;
