//! Changes to a reading by their names.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use seedproof_readings::{Family, MISTAKES, MISTAKES_OF_READINGS, Mistake, Reading};

/// A change to a reading: a mistake, or a member of a family of mistakes with its parameter.
pub(crate) enum Change {
    Mistake(Mistake),
    Member(&'static Family, u32),
}

impl Change {
    pub(crate) fn make(&self, reading: &mut Reading) {
        match self {
            Self::Mistake(mistake) => mistake.make(reading),
            Self::Member(family, parameter) => family.make(reading, *parameter),
        }
    }

    /// The member of a family with a size that is not among those that are tried in any case, by its name.
    pub(crate) fn of_size(name: &str) -> Option<Self> {
        let (family, parameter) = name.strip_suffix(')')?.split_once('(')?;
        let mut families = seedproof_readings::families().iter();
        let family = families.find(|it| it.name == family && it.takes_any_size())?;
        let (_, size) = parameter.split_once(" = ")?;
        Some(Self::Member(family, size.parse().ok()?))
    }

    /// All changes by their names.
    pub(crate) fn all() -> HashMap<String, Self> {
        let mistakes = MISTAKES
            .iter()
            .chain(&*MISTAKES_OF_READINGS)
            .map(|mistake| (mistake.id.clone(), Self::Mistake(mistake.clone())));
        let members = seedproof_readings::families().iter().flat_map(|family| {
            let parameters = family.parameters();
            parameters
                .into_iter()
                .map(move |it| (member_name(family, it), Self::Member(family, it)))
        });
        mistakes.chain(members).collect()
    }
}

/// The name of a member of a family.
pub(crate) fn member_name(family: &Family, parameter: u32) -> String {
    format!(
        "{}({} = {})",
        family.name,
        family.parameter.name(),
        family.parameter.text(parameter)
    )
}

/// The members of families that are not listed as mistakes of their own.
// Found once, since it takes a hash of every answer of thousands of readings. What makes two changes alike is the same for
// every base.
pub(crate) static UNLISTED: LazyLock<Vec<(&'static Family, u32)>> = LazyLock::new(|| {
    // Two readings of the same answers are the same engine, whatever their names.
    let nameless = |reading: Reading| Reading {
        name: "".into(),
        ..reading
    };
    let spec = Reading::spec();
    let with = |mistake| nameless(seedproof_readings::with(&spec, &[mistake]));
    let listed: HashSet<Reading> = MISTAKES.iter().map(with).collect();
    let members = seedproof_readings::families().iter().flat_map(|family| {
        let parameters = family.parameters().into_iter();
        parameters.map(move |parameter| (family, parameter))
    });
    let is_unlisted = |(family, parameter): &(&'static Family, u32)| {
        let mut reading = spec.clone();
        family.make(&mut reading, *parameter);
        !listed.contains(&nameless(reading))
    };
    members.filter(is_unlisted).collect()
});
