//! Classic mistakes: one wrong answer each, with its fix.

mod bit_generator;
mod convert;
mod dml;
mod family;
mod integers;
mod jax;
mod key_values;
mod layout;
mod memory;
mod mistake;
mod mt;
mod multinomial;
mod normal;
mod onnx;
mod philox;
mod philox_keys;
mod samplers;
mod scale;
mod seeds;
mod stateless;
mod threefry;
mod torch_samplers;
mod validation;

use std::borrow::Cow;
use std::sync::LazyLock;

use crate::reading::Reading;

pub use family::{Family, families, family};
pub use mistake::Mistake;

/// Every mistake, subject by subject.
pub static MISTAKES: LazyLock<Vec<Mistake>> = LazyLock::new(|| {
    [
        philox::MISTAKES,
        layout::MISTAKES,
        memory::MISTAKES,
        seeds::MISTAKES,
        convert::MISTAKES,
        scale::MISTAKES,
        integers::MISTAKES,
        mt::MISTAKES,
        multinomial::MISTAKES,
        dml::MISTAKES,
        threefry::MISTAKES,
        bit_generator::MISTAKES,
        stateless::MISTAKES,
        philox_keys::MISTAKES,
        key_values::MISTAKES,
        jax::MISTAKES,
        onnx::MISTAKES,
        normal::MISTAKES,
        samplers::MISTAKES,
        torch_samplers::MISTAKES,
        validation::MISTAKES,
    ]
    .concat()
});

/// The mistake with this id.
pub fn find_mistake(id: &str) -> Option<&'static Mistake> {
    MISTAKES.iter().find(|mistake| mistake.id == id)
}

/// A reading with mistakes made to it, in their order. Its name is the reading's and theirs, ` + ` between.
pub fn with(reading: &Reading, mistakes: &[&Mistake]) -> Reading {
    let mut changed = reading.clone();
    for mistake in mistakes {
        (mistake.apply)(&mut changed);
        changed.name = Cow::Owned(format!("{} + {}", changed.name, mistake.id));
    }
    changed
}

#[cfg(test)]
mod tests;
