//! Mistakes with a parameter. They are a file, `data/families.toml`.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde::Deserialize;

use crate::reading::Reading;

static FILE: LazyLock<File> = LazyLock::new(|| {
    toml::from_str(include_str!("../../data/families.toml")).expect("a test reads every file of this crate")
});

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(borrow)]
    sets: BTreeMap<&'static str, Numbers>,
    family: Vec<Family>,
}

/// A mistake with a parameter.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Family {
    /// The id of the listed mistake that is a member of the family.
    pub mistake: &'static str,
    /// A unique name: parts of `a-z`, set apart by `-`.
    pub name: &'static str,
    /// What the parameter is.
    pub parameter: Parameter,
    /// The programmer's slip, in one sentence with `N` in place of the parameter.
    pub sentence: &'static str,
    answers: BTreeMap<&'static str, &'static str>,
    numbers: Numbers,
}

/// The parameter of a family, and how it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Parameter {
    /// A number of this name, such as `threads`.
    Number(&'static str),
    /// A constant of a generator, in hexadecimal as its authors write it.
    Constant,
    /// One of several constants, of this name: 100 times its place, counted from 1, and the number that stands there.
    OneOf(&'static str),
}

/// The numbers that a parameter may be: all of these together, but for those excepted.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Numbers {
    /// A set of the file.
    set: Option<&'static str>,
    /// The first, the last and the step of each.
    ranges: Vec<[u32; 3]>,
    /// The least and the greatest exponent of two.
    powers: Option<[u32; 2]>,
    list: Vec<u32>,
    /// A constant that somebody mistypes.
    slips: Option<u32>,
    except: Vec<u32>,
}

impl Numbers {
    fn all(&self) -> BTreeSet<u32> {
        let mut all = self.set.map_or_else(BTreeSet::new, |name| FILE.sets[name].all());
        for &[first, last, step] in &self.ranges {
            all.extend((first..=last).step_by(usize::try_from(step).expect("steps are small")));
        }
        let powers = self.powers.into_iter();
        all.extend(powers.flat_map(|[least, greatest]| (least..=greatest).map(|power| 1 << power)));
        all.extend(&self.list);
        all.extend(self.slips.into_iter().flat_map(slips));
        for number in &self.except {
            all.remove(number);
        }
        all
    }
}

/// A constant as somebody types it: one hexadecimal digit another, or two neighbouring ones exchanged.
fn slips(constant: u32) -> impl Iterator<Item = u32> {
    let digits = (0..32).step_by(4);
    let another = digits.flat_map(move |at| (1..16).map(move |by| constant ^ by << at));
    let exchanged = (0..28).step_by(4).map(move |at| {
        let difference = (constant >> at ^ constant >> (at + 4)) & 0xf;
        constant ^ difference << at ^ difference << (at + 4)
    });
    another.chain(exchanged).filter(move |&slip| slip != constant)
}

impl Parameter {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Number(name) | Self::OneOf(name) => name,
            Self::Constant => "constant",
        }
    }

    /// A value of it.
    pub fn text(self, value: u32) -> String {
        match self {
            Self::Number(_) => value.to_string(),
            Self::Constant => format!("{value:08x}"),
            Self::OneOf(_) => format!("{} is {}", value / 100, value % 100),
        }
    }
}

/// The mistakes that have a parameter.
pub fn families() -> &'static [Family] {
    &FILE.family
}

/// The readings of a mistake with a parameter, each with its parameter, in ascending order.
pub fn family<'a>(family: &'a Family, reading: &'a Reading) -> impl Iterator<Item = (u64, Reading)> + 'a {
    family.parameters().into_iter().map(move |parameter| {
        let mut changed = reading.clone();
        family.make(&mut changed, parameter);
        changed.name = Cow::Owned(format!(
            "{} + {}({})",
            reading.name,
            family.name,
            family.parameter.text(parameter)
        ));
        (u64::from(parameter), changed)
    })
}

impl Family {
    /// The parameters to try, in ascending order.
    pub fn parameters(&self) -> Vec<u32> {
        self.numbers.all().into_iter().collect()
    }

    /// Whether its parameter is the size of something for which a kernel may be written, which may be any number. Of threads every
    /// usual number is listed, and more would only fit small outputs by chance.
    pub fn takes_any_size(&self) -> bool {
        self.numbers.set == Some("sizes")
    }

    /// Makes the mistake with this parameter to a reading.
    pub fn make(&self, reading: &mut Reading, parameter: u32) {
        for (question, answer) in &self.answers {
            reading
                .answer(question, &answer.replace('N', &parameter.to_string()))
                .expect("a test makes every member of every family");
        }
    }
}
