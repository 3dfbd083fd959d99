//! The keys of Flax's modules, which are made of the names of the modules and not of numbers.

use std::iter;

use sha1::{Digest, Sha1};

/// The names that Flax gives to modules that have none of their own, without their numbers.
const MODULES: [&str; 12] = [
    "Dense",
    "Conv",
    "Embed",
    "Dropout",
    "DenseGeneral",
    "ConvTranspose",
    "Einsum",
    "Bilinear",
    "MultiHeadDotProductAttention_0/query",
    "MultiHeadDotProductAttention_0/key",
    "MultiHeadDotProductAttention_0/value",
    "MultiHeadDotProductAttention_0/out",
];

/// The modules whose keys are tried for an array: that of which the array's name says that it is a parameter, and those of a
/// small model that names none of them. A name is `params/encoder/Dense_0/kernel` or the like.
pub(super) fn modules(array: &str) -> impl Iterator<Item = Vec<String>> {
    const NUMBERS: u32 = 16;
    let is_within = |at: char| at.is_alphanumeric() || at == '_';
    let parts: Vec<&str> = array
        .split(|at| !is_within(at))
        .filter(|part| !part.is_empty() && *part != "params")
        .collect();
    let named = match parts.as_slice() {
        [only] => only.rsplit_once('_').map(|(module, _)| vec![module.to_owned()]),
        [module @ .., _] => Some(module.iter().map(|&part| part.to_owned()).collect()),
        [] => None,
    };
    let numbered = MODULES.into_iter().flat_map(|name| {
        let of = move |number: u32| match name.split_once('/') {
            Some((module, part)) => vec![module.to_owned(), part.to_owned()],
            None => vec![format!("{name}_{number}")],
        };
        let count = if name.contains('/') { 1 } else { NUMBERS };
        (0..count).map(of)
    });
    // A model of one layer has no name.
    named.into_iter().chain(iter::once(Vec::new())).chain(numbered)
}

/// The number that is folded into the key of a model by the call `count`, from 1, of `make_rng` in a module.
///
/// Source: `_fold_in_static` in Flax's `core/scope.py`, without `flax_fix_rng_separator`.
pub(super) fn folded(module: &[String], count: u8) -> u32 {
    let mut hash = Sha1::new();
    for name in module {
        hash.update(name);
    }
    hash.update([count]);
    let digest: [u8; 20] = hash.finalize().into();
    let [a, b, c, d, ..] = digest;
    u32::from_be_bytes([a, b, c, d])
}
