//! Classic mistakes: one wrong answer each, with how to mend it.

mod convert;
mod dml;
mod family;
mod layout;
mod mt;
mod multinomial;
mod philox;
mod scale;
mod seeds;
mod validation;

use std::borrow::Cow;

use crate::reading::Reading;

pub use family::{Family, families, family};

/// One wrong answer that a programmer gives.
#[derive(Clone, Copy, Debug)]
pub struct Mistake {
    /// Its id: parts of `a-z 0-9`, set apart by `-`.
    pub id: &'static str,
    /// What the programmer did, in one sentence.
    pub sentence: &'static str,
    /// How to mend it, in one sentence.
    pub mend: &'static str,
    /// The clause that it departs from.
    pub clause: &'static str,
    /// The erratum that it answers otherwise; empty if none.
    pub erratum: &'static str,
    /// Makes the mistake to a reading.
    pub apply: fn(&mut Reading),
}

const fn mistake(
    id: &'static str,
    clause: &'static str,
    erratum: &'static str,
    sentence: &'static str,
    mend: &'static str,
    apply: fn(&mut Reading),
) -> Mistake {
    Mistake {
        id,
        sentence,
        mend,
        clause,
        erratum,
        apply,
    }
}

const GROUPS: [&[Mistake]; 9] = [
    philox::MISTAKES,
    layout::MISTAKES,
    seeds::MISTAKES,
    convert::MISTAKES,
    scale::MISTAKES,
    mt::MISTAKES,
    multinomial::MISTAKES,
    dml::MISTAKES,
    validation::MISTAKES,
];

const COUNT: usize = {
    let (mut count, mut group) = (0, 0);
    while group < GROUPS.len() {
        count += GROUPS[group].len();
        group += 1;
    }
    count
};

static ALL: [Mistake; COUNT] = {
    let mut all = [GROUPS[0][0]; COUNT];
    let (mut at, mut group) = (0, 0);
    while group < GROUPS.len() {
        let mut index = 0;
        while index < GROUPS[group].len() {
            all[at] = GROUPS[group][index];
            at += 1;
            index += 1;
        }
        group += 1;
    }
    all
};

/// Every mistake, subject by subject.
pub const MISTAKES: &[Mistake] = &ALL;

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
