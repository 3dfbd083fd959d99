//! Mistakes with a parameter.

use std::borrow::Cow;

use crate::reading::Reading;

/// A mistake with a parameter.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// The id of the listed mistake that is a member of the family.
    pub mistake: &'static str,
    /// A unique name: parts of `a-z`, set apart by `-`.
    pub name: &'static str,
    /// What the parameter is.
    pub parameter: Parameter,
    /// The programmer's slip, in one sentence with `N` in place of the parameter.
    pub sentence: &'static str,
    pub(super) parameters: fn() -> Vec<u32>,
    pub(super) change: fn(&mut Reading, u32),
}

/// What the parameter of a family is, and how it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// A number of this name, such as `threads`.
    Number(&'static str),
    /// A constant of a generator, in hexadecimal as its authors write it.
    Constant,
    /// One of several constants, of this name: 100 times its place, counted from 1, and the number that stands there.
    OneOf(&'static str),
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
        (self.parameters)()
    }

    /// Makes the mistake with this parameter to a reading.
    pub fn make(&self, reading: &mut Reading, parameter: u32) {
        (self.change)(reading, parameter);
    }
}
