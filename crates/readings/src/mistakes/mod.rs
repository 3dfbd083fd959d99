//! Classic mistakes: one wrong answer each, with its fix. They are files, in `data/mistakes`.

mod family;
mod parameters;

use std::borrow::Cow;
use std::sync::LazyLock;

use crate::data;
use crate::mistake::Mistake;
use crate::reading::Reading;

pub use family::{Family, Parameter, families, family};

/// Every mistake, subject by subject.
pub static MISTAKES: LazyLock<Vec<Mistake>> = LazyLock::new(|| {
    let read = |(file, text)| {
        let data = data::parse_data(file, text, &[]).expect("a test reads every file of this crate");
        data.mistakes
    };
    data::MISTAKES.into_iter().flat_map(read).collect()
});

/// The mistake with this id.
pub fn find_mistake(id: &str) -> Option<&'static Mistake> {
    MISTAKES.iter().find(|mistake| mistake.id == id)
}

/// A reading with mistakes made to it, in their order. Its name is the reading's and theirs, ` + ` between.
pub fn with(reading: &Reading, mistakes: &[&Mistake]) -> Reading {
    let mut changed = reading.clone();
    for mistake in mistakes {
        mistake.make(&mut changed);
        changed.name = Cow::Owned(format!("{} + {}", changed.name, mistake.id));
    }
    changed
}

#[cfg(test)]
mod tests;
