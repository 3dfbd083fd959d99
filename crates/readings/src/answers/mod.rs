//! The questions that the documents leave open or answer wrongly, and the answers that are given to them.
//!
//! One struct per subject, one field per question, one enum per set of answers. The `Default` of every enum
//! is the answer of the reading `spec`; where an answer is known to belong to somebody, its documentation
//! says to whom. No arithmetic lives here.

mod bit_generator;
mod convert;
mod dml;
mod jax;
mod key_values;
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
mod stream;
mod threefry;
mod torch_samplers;
mod validation;
mod words;

pub use bit_generator::*;
pub use convert::*;
pub use dml::*;
pub use jax::*;
pub use key_values::*;
pub use mt::*;
pub use multinomial::*;
pub use normal::*;
pub use onnx::*;
pub use philox::*;
pub use philox_keys::*;
pub use samplers::*;
pub use scale::*;
pub use seeds::*;
pub use stateless::*;
pub use stream::*;
pub use threefry::*;
pub use torch_samplers::*;
pub use validation::*;
pub use words::*;

/// An answer to one question.
pub trait Answer {
    /// Its name, with its parameter in brackets where it has one.
    fn name(&self) -> String;
}

/// An enumeration of the answers to one question, each with its name in reports. The variant marked `#[default]` is
/// that of `spec`.
macro_rules! question {
    ($(#[$doc:meta])* $type:ident {
        $($(#[$variant_doc:meta])* $variant:ident $(($parameter:ident))? = $name:literal),* $(,)?
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
        }
    };
    (@type $parameter:ident) => { u32 };
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

            /// Each question with its answer, in the order of the fields.
            pub fn questions(&self) -> Vec<(&'static str, String)> {
                vec![$((stringify!($field), $crate::answers::Answer::name(&self.$field))),*]
            }
        }
    };
}

use {question, subject};
