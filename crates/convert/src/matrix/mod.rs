//! The matrix of conversions: what is measured, op by path, with the reason in every cell.

mod page;
mod table;

pub use table::Matrix;
