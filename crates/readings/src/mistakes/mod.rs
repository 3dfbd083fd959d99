//! Classic mistakes: one wrong answer each, with its fix. They are files, in `data/mistakes`.

mod family;

use std::borrow::Cow;
use std::sync::LazyLock;

use crate::data;
use crate::mistake::Mistake;
use crate::reading::Reading;

pub use family::{Family, Parameter, families, family};

/// Every mistake that is made to any reading, subject by subject.
pub static MISTAKES: LazyLock<Vec<Mistake>> = LazyLock::new(|| read(false));

/// Every mistake that is made to one reading.
pub static MISTAKES_OF_READINGS: LazyLock<Vec<Mistake>> = LazyLock::new(|| read(true));

fn read(is_of_reading: bool) -> Vec<Mistake> {
    let read = |(file, text)| {
        let data = data::parse_data(file, text, &[]).expect("a test reads every file of this crate");
        data.mistakes
    };
    let all = data::MISTAKES.into_iter().flat_map(read);
    all.filter(|mistake| mistake.reading.is_some() == is_of_reading)
        .collect()
}

/// The mistake with this id.
pub fn find_mistake(id: &str) -> Option<&'static Mistake> {
    let mut all = MISTAKES.iter().chain(&*MISTAKES_OF_READINGS);
    all.find(|mistake| mistake.id == id)
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
