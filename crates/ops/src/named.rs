//! Enumerations whose values have names in the documents, and attributes that may have any text.

use std::fmt;

/// An enumeration whose values have names in the documents.
pub trait Named: Copy + Eq + 'static {
    /// Every value.
    const ALL: &'static [Self];

    /// The names of the values, in the same order.
    const NAMES: &'static [&'static str];

    /// The name that documents, vectors and the wire protocol use.
    fn name(self) -> &'static str;
}

/// The value of an enumerated attribute, or a text that is not one of its values.
///
/// ```
/// use seedproof_ops::{Alignment, Attribute};
///
/// let known: Attribute<Alignment> = Attribute::parse("PYTORCH");
/// assert_eq!(known, Alignment::Pytorch.into());
/// // A request keeps what it was given, so that the op can refuse it.
/// let unknown: Attribute<Alignment> = Attribute::parse("pytorch");
/// assert_eq!((unknown.known(), unknown.text()), (None, "pytorch"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Attribute<T> {
    /// A value that the attribute's type knows. The op may still forbid it.
    Known(T),
    /// Any other text. Every op refuses it.
    Unknown(String),
}

impl<T: Named> Attribute<T> {
    /// The value with this name, or the text itself.
    pub fn parse(text: &str) -> Self {
        T::ALL
            .iter()
            .find(|value| value.name() == text)
            .map_or_else(|| Self::Unknown(text.to_owned()), |&value| Self::Known(value))
    }

    /// The value, if it is known.
    pub fn known(&self) -> Option<T> {
        match self {
            Self::Known(value) => Some(*value),
            Self::Unknown(_) => None,
        }
    }

    /// The name of the value, or the unknown text.
    pub fn text(&self) -> &str {
        match self {
            Self::Known(value) => value.name(),
            Self::Unknown(text) => text,
        }
    }
}

impl<T: Named> fmt::Display for Attribute<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text())
    }
}

impl<T> From<T> for Attribute<T> {
    fn from(value: T) -> Self {
        Self::Known(value)
    }
}

/// Defines an enumeration whose values have names.
macro_rules! named {
    ($(#[$meta:meta])* $type:ident { $($(#[$variant_meta:meta])* $variant:ident = $name:literal),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $type { $($(#[$variant_meta])* $variant),* }

        impl $crate::Named for $type {
            const ALL: &'static [Self] = &[$(Self::$variant),*];
            const NAMES: &'static [&'static str] = &[$($name),*];

            fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad($crate::Named::name(*self))
            }
        }
    };
}
pub(crate) use named;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::Dtype;
    use crate::op::{Alignment, DmlGenerator};
    use crate::request::OpName;

    #[test]
    fn attribute_keeps_unknown_text() {
        assert_eq!(Attribute::parse("PYTORCH"), Attribute::Known(Alignment::Pytorch));
        let jax = Attribute::<Alignment>::parse("JAX");
        assert_eq!(jax, Attribute::Unknown("JAX".to_owned()));
        assert_eq!((jax.text(), jax.known()), ("JAX", None));
    }

    #[test]
    fn attribute_names_are_those_of_the_documents() {
        for &op in OpName::ALL {
            assert_eq!(Attribute::<OpName>::parse(op.name()).known(), Some(op));
        }
        assert_eq!(DmlGenerator::Philox4x32_10.name(), "PHILOX_4X32_10");
        assert_eq!(Attribute::<Dtype>::parse("bf16").known(), Some(Dtype::Bf16));
    }
}
