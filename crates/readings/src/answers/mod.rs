//! The questions that the documents leave open or answer wrongly, and the answers that are given to them.
//!
//! One struct per subject, one field per question, one enum per set of answers. The `Default` of every enum
//! is the answer of the reading `spec`; where an answer is known to belong to somebody, its documentation
//! says to whom. No arithmetic lives here.
//!
//! Every answer has a name and is found by it, so that readings and mistakes are files (`data`).

mod bit_generator;
mod convert;
mod curand;
mod dml;
mod jax;
mod jax_values;
mod key_values;
mod mt;
mod multinomial;
mod normal;
mod numpy;
mod numpy_bits;
mod onnx;
mod philox;
mod philox_keys;
mod samplers;
mod scale;
mod seeds;
mod session;
mod stateless;
mod stream;
mod tensorflow_samplers;
mod threefry;
mod torch_cuda;
mod torch_samplers;
mod validation;
mod words;

pub use bit_generator::*;
pub use convert::*;
pub use curand::*;
pub use dml::*;
pub use jax::*;
pub use jax_values::*;
pub use key_values::*;
pub use mt::*;
pub use multinomial::*;
pub use normal::*;
pub use numpy::*;
pub use numpy_bits::*;
pub use onnx::*;
pub use philox::*;
pub use philox_keys::*;
pub use samplers::*;
pub use scale::*;
pub use seeds::*;
pub use session::*;
pub use stateless::*;
pub use stream::*;
pub use tensorflow_samplers::*;
pub use threefry::*;
pub use torch_cuda::*;
pub use torch_samplers::*;
pub use validation::*;
pub use words::*;

use std::fmt;
use std::ops::RangeInclusive;

/// An answer to one question.
pub trait Answer: Sized {
    /// Its name, with its parameter in brackets where it has one.
    fn name(&self) -> String;

    /// The answer of this name; `None` where it is of no answer, or its parameter is not one of those that the engine
    /// can work with.
    fn parse(name: &str) -> Option<Self>;

    /// The names of all answers, the range of a parameter in its place.
    fn names() -> Vec<String>;
}

/// A group of questions with the answers of a reading.
pub(crate) trait Subject {
    /// Each question with its answer, in the order of the fields.
    fn questions(&self) -> Vec<(&'static str, String)>;

    /// Each question with the names of all its answers.
    fn choices(&self) -> Vec<(&'static str, Vec<String>)>;

    /// Answers a question.
    ///
    /// # Errors
    /// [`NoSuch`]: what is not there, question or answer.
    fn answer(&mut self, question: &str, answer: &str) -> Result<(), NoSuch>;
}

/// What a subject does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoSuch {
    Question,
    Answer,
}

/// The parameters that the engine can work with. A number out of range would divide by zero or draw for hours.
pub(crate) enum Allowed {
    Numbers(RangeInclusive<u32>),
    /// The digits from 1 to as many as there are, each once.
    Orders(RangeInclusive<u32>),
}

/// A constant of a generator.
pub(crate) const CONSTANT: Allowed = Allowed::Numbers(0..=u32::MAX);

/// Elements of a vector, a workgroup, a chunk or a launch.
pub(crate) const SIZE: Allowed = Allowed::Numbers(1..=1 << 20);

impl Allowed {
    fn contains(&self, number: u32) -> bool {
        match self {
            Self::Numbers(range) => range.contains(&number),
            Self::Orders(digits) => {
                let text = number.to_string();
                let count = u32::try_from(text.len()).expect("at most ten digits");
                digits.contains(&count) && (1..=count).all(|digit| text.contains(&digit.to_string()))
            }
        }
    }
}

impl fmt::Display for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Numbers(range) => write!(f, "a number from {} to {}", range.start(), range.end()),
            Self::Orders(digits) if digits.start() == digits.end() => {
                write!(f, "the digits 1 to {} in any order", digits.end())
            }
            Self::Orders(digits) => {
                write!(
                    f,
                    "the digits from 1 on in any order, {} to {}",
                    digits.start(),
                    digits.end()
                )
            }
        }
    }
}

/// The parameter in the name of an answer, `grid stride (threads = 512)`.
pub(crate) fn parameter(name: &str, answer: &str, parameter: &str, allowed: &Allowed) -> Option<u32> {
    let number = name
        .strip_prefix(answer)?
        .strip_prefix(&format!(" ({parameter} = "))?
        .strip_suffix(')')?;
    // `parse` takes a sign and leading zeros, which would be second names of one answer.
    let value: u32 = number.parse().ok()?;
    (allowed.contains(value) && value.to_string() == number).then_some(value)
}

/// An enumeration of the answers to one question, each with its name in reports. The variant marked `#[default]` is
/// that of `spec`. A parameter has the values beside its name.
macro_rules! question {
    ($(#[$doc:meta])* $type:ident {
        $($(#[$variant_doc:meta])* $variant:ident $(($parameter:ident: $allowed:expr))? = $name:literal),* $(,)?
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub enum $type { $(
            $(#[$variant_doc])*
            #[doc = concat!("In reports: `", $name, "`.")]
            $variant $((question!(@type $parameter)))?
        ),* }

        impl $crate::answers::Answer for $type {
            fn name(&self) -> String {
                match self {
                    $(Self::$variant $(($parameter))? => {
                        let name = String::from($name);
                        $(let name = format!("{name} ({} = {})", stringify!($parameter), $parameter);)?
                        name
                    })*
                }
            }

            fn parse(name: &str) -> Option<Self> {
                $(
                    let parsed = question!(@parse name, $name, Self::$variant $(, $parameter, $allowed)?);
                    if parsed.is_some() {
                        return parsed;
                    }
                )*
                None
            }

            fn names() -> Vec<String> {
                vec![$({
                    let name = String::from($name);
                    $(let name = format!("{name} ({} = {})", stringify!($parameter), $allowed);)?
                    name
                }),*]
            }
        }
    };
    (@type $parameter:ident) => { u32 };
    (@parse $given:ident, $name:literal, $variant:expr) => { ($given == $name).then_some($variant) };
    (@parse $given:ident, $name:literal, $variant:expr, $parameter:ident, $allowed:expr) => {
        $crate::answers::parameter($given, $name, stringify!($parameter), &$allowed).map($variant)
    };
}

/// A struct of questions with its list of names.
macro_rules! subject {
    ($(#[$doc:meta])* $type:ident as $subject:literal {
        $($(#[$field_doc:meta])* $field:ident: $answer:ty),* $(,)?
    }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $type { $($(#[$field_doc])* pub $field: $answer),* }

        impl $type {
            /// The name of the subject.
            pub const SUBJECT: &'static str = $subject;
        }

        impl $crate::answers::Subject for $type {
            fn questions(&self) -> Vec<(&'static str, String)> {
                vec![$((stringify!($field), $crate::answers::Answer::name(&self.$field))),*]
            }

            fn choices(&self) -> Vec<(&'static str, Vec<String>)> {
                vec![$((stringify!($field), <$answer as $crate::answers::Answer>::names())),*]
            }

            fn answer(&mut self, question: &str, answer: &str) -> Result<(), $crate::answers::NoSuch> {
                match question {
                    $(stringify!($field) => {
                        self.$field =
                            $crate::answers::Answer::parse(answer).ok_or($crate::answers::NoSuch::Answer)?;
                        Ok(())
                    })*
                    _ => Err($crate::answers::NoSuch::Question),
                }
            }
        }
    };
}

/// A number as the answer to a question.
macro_rules! number {
    ($type:ident, $allowed:expr) => {
        impl $crate::answers::Answer for $type {
            fn name(&self) -> String {
                self.0.to_string()
            }

            fn parse(name: &str) -> Option<Self> {
                let number = name.parse().ok()?;
                ($allowed.contains(number) && number.to_string() == name).then_some(Self(number))
            }

            fn names() -> Vec<String> {
                vec![$allowed.to_string()]
            }
        }
    };
}

use {number, question, subject};
