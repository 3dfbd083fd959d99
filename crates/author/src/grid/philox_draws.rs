//! What the grids of PyTorch's uniform and randint share: batches of keys, shapes and clauses.

use seedproof_ops::{Attribute, Dtype};

/// Extents of a batch, and of the output.
pub(super) const BATCHES: [(&[u64], &[u64]); 14] = [
    (&[3], &[3]),
    (&[1], &[5]),
    (&[1, 3], &[2, 3]),
    (&[3, 1], &[3, 5]),
    (&[1, 1], &[2, 3]),
    (&[2, 3], &[2, 3]),
    (&[2, 1], &[2, 3]),
    (&[2, 1, 1], &[2, 3, 4]),
    (&[1, 2, 1], &[3, 2, 5]),
    (&[2, 1, 3], &[2, 4, 3]),
    (&[2, 1, 1, 1], &[2, 1, 3, 2]),
    (&[5, 1], &[5, 9]),
    (&[3, 1], &[3, 0]),
    (&[0], &[0]),
];

/// Batches that do not fit.
pub(super) const MISFITS: [(&[u64], &[u64]); 7] = [
    (&[3], &[1]),
    (&[2], &[2, 3]),
    (&[2], &[]),
    (&[1], &[]),
    (&[2, 3], &[3, 2]),
    (&[0], &[3]),
    (&[2, 1], &[6]),
];

pub(super) const SIZES: [&[u64]; 9] = [&[], &[1], &[4], &[5], &[65], &[2, 3], &[3, 3, 3], &[0], &[3, 0]];

/// The output's type.
pub(super) fn id_parts(output_type: &Attribute<Dtype>) -> Vec<Option<String>> {
    vec![output_type.known().map(|dtype| dtype.to_string())]
}

/// Clauses of the keys and of what a batch of them fills.
pub(super) const SHARED: [&str; 6] = [
    "tks.key.form",
    "tks.key.block",
    "tku.words",
    "tku.batch.form",
    "tku.batch.fill",
    "tku.batch.broadcast",
];
