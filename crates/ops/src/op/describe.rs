//! The macro that describes an op, and what it asks of the types of a request's fields.

use super::{AttributeInfo, AttributeValue, InputInfo, Op};
use crate::named::{Attribute, Named};
use crate::tensor::Tensor;

/// A request as its description has it: each value beside what is said of it.
pub(crate) trait Described {
    const DESCRIPTION: &'static Op;

    /// The request of these attributes and inputs, each asked for by its name.
    ///
    /// # Errors
    /// The first name that is required and absent, or whose value is of another kind.
    fn build(
        attribute: &mut dyn FnMut(&'static AttributeInfo) -> Option<AttributeValue>,
        input: &mut dyn FnMut(&'static InputInfo) -> Option<Tensor>,
        execution: u32,
    ) -> Result<Self, &'static str>
    where
        Self: Sized;

    /// How many executions of the same instance come before this one.
    fn earlier(&self) -> u32;

    fn attributes(&self) -> Vec<(&'static AttributeInfo, AttributeValue)>;

    fn inputs(&self) -> Vec<(&'static InputInfo, &Tensor)>;
}

/// The type of an attribute's field.
pub(crate) trait AttributeField: Sized {
    const REQUIRED: bool = true;

    fn value(&self) -> Option<AttributeValue>;

    /// `None` if the value is of another kind.
    fn from_value(value: Option<AttributeValue>) -> Option<Self>;
}

impl<T: Named> AttributeField for Attribute<T> {
    fn value(&self) -> Option<AttributeValue> {
        Some(AttributeValue::Text(self.text().to_owned()))
    }

    fn from_value(value: Option<AttributeValue>) -> Option<Self> {
        match value {
            Some(AttributeValue::Text(text)) => Some(Self::parse(&text)),
            _ => None,
        }
    }
}

impl<T: Named> AttributeField for Option<Attribute<T>> {
    const REQUIRED: bool = false;

    fn value(&self) -> Option<AttributeValue> {
        self.as_ref().and_then(AttributeField::value)
    }

    fn from_value(value: Option<AttributeValue>) -> Option<Self> {
        match value {
            None => Some(None),
            value => Attribute::from_value(value).map(Some),
        }
    }
}

impl AttributeField for Option<i128> {
    const REQUIRED: bool = false;

    fn value(&self) -> Option<AttributeValue> {
        self.map(AttributeValue::Number)
    }

    fn from_value(value: Option<AttributeValue>) -> Option<Self> {
        match value {
            Some(AttributeValue::Number(number)) => Some(Some(number)),
            None => Some(None),
            _ => None,
        }
    }
}

macro_rules! attribute_fields {
    ($($type:ty => $variant:ident),*) => {$(
        impl AttributeField for $type {
            fn value(&self) -> Option<AttributeValue> {
                Some(AttributeValue::$variant(self.clone()))
            }

            fn from_value(value: Option<AttributeValue>) -> Option<Self> {
                match value {
                    Some(AttributeValue::$variant(value)) => Some(value),
                    _ => None,
                }
            }
        }
    )*};
}

attribute_fields! { u64 => Seed, bool => Boolean, Vec<u64> => Extents, i128 => Number }

/// The type of an input's field.
pub(crate) trait InputField: Sized {
    const REQUIRED: bool;

    fn tensor(&self) -> Option<&Tensor>;

    fn from_tensor(tensor: Option<Tensor>) -> Option<Self>;
}

impl InputField for Tensor {
    const REQUIRED: bool = true;

    fn tensor(&self) -> Option<&Tensor> {
        Some(self)
    }

    fn from_tensor(tensor: Option<Tensor>) -> Option<Self> {
        tensor
    }
}

impl InputField for Option<Tensor> {
    const REQUIRED: bool = false;

    fn tensor(&self) -> Option<&Tensor> {
        self.as_ref()
    }

    fn from_tensor(tensor: Option<Tensor>) -> Option<Self> {
        Some(tensor)
    }
}

/// Describes an op and defines its request: a struct with a field per attribute and input.
///
/// The comment of a field is its description, for the documents too. `as "name"` gives the document's name where it is
/// no identifier of Rust.
macro_rules! op {
    (
        $(#[$meta:meta])*
        $op:ident {
            name: $name:literal,
            title: $title:literal,
            prefix: $prefix:literal,
            attributes: {$(
                $(#[doc = $attribute_doc:literal])+
                $attribute:ident $(as $attribute_name:literal)?: $attribute_type:ty = $kind:expr,
            )*},
            inputs: {$(
                $(#[doc = $input_doc:literal])+
                $input:ident: $input_type:ty = $role:expr, $types:expr, $extents:literal, $ranks:expr;
            )*},
            outputs: [$($output:literal: $form:literal),+ $(,)?],
            $($execution:ident: u32,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub struct $op {
            $($(#[doc = $input_doc])+ pub $input: $input_type,)*
            $($(#[doc = $attribute_doc])+ pub $attribute: $attribute_type,)*
            $(
                /// Which successive execution of one op instance this is, from 0; the earlier ones were equal.
                pub $execution: u32,
            )?
        }

        impl $op {
            pub(crate) const fn execution(&self) -> u32 {
                0 $(+ self.$execution)?
            }
        }

        impl $crate::op::describe::Described for $op {
            const DESCRIPTION: &'static $crate::op::Op = &$crate::op::Op {
                name: $name,
                title: $title,
                prefix: $prefix,
                attributes: &[$($crate::op::AttributeInfo {
                    name: op!(@name $attribute $($attribute_name)?),
                    doc: concat!($($attribute_doc),+),
                    kind: $kind,
                    required: <$attribute_type as $crate::op::describe::AttributeField>::REQUIRED,
                }),*],
                inputs: &[$($crate::op::InputInfo {
                    name: stringify!($input),
                    doc: concat!($($input_doc),+),
                    role: $role,
                    dtypes: $types,
                    extents: $extents,
                    ranks: $ranks,
                    required: <$input_type as $crate::op::describe::InputField>::REQUIRED,
                }),*],
                outputs: &[$($crate::op::OutputInfo { name: $output, form: $form }),+],
                successive: false $(|| stringify!($execution).len() > 0)?,
            };

            fn build(
                attribute: &mut dyn FnMut(&'static $crate::op::AttributeInfo) -> Option<$crate::op::AttributeValue>,
                input: &mut dyn FnMut(&'static $crate::op::InputInfo) -> Option<$crate::Tensor>,
                execution: u32,
            ) -> Result<Self, &'static str> {
                let mut attributes = Self::DESCRIPTION.attributes.iter().map(|info| (info.name, attribute(info)));
                let mut inputs = Self::DESCRIPTION.inputs.iter().map(|info| (info.name, input(info)));
                $(
                    let (name, value) = attributes.next().expect("the description has every attribute");
                    let $attribute = $crate::op::describe::AttributeField::from_value(value).ok_or(name)?;
                )*
                $(
                    let (name, tensor) = inputs.next().expect("the description has every input");
                    let $input = $crate::op::describe::InputField::from_tensor(tensor).ok_or(name)?;
                )*
                debug_assert!(attributes.next().is_none() && inputs.next().is_none());
                let request = Self { $($input,)* $($attribute,)* $($execution: execution)? };
                debug_assert!(request.execution() == execution || !Self::DESCRIPTION.successive);
                Ok(request)
            }

            fn earlier(&self) -> u32 {
                self.execution()
            }

            fn attributes(&self) -> Vec<(&'static $crate::op::AttributeInfo, $crate::op::AttributeValue)> {
                let values: Vec<Option<$crate::op::AttributeValue>> =
                    vec![$($crate::op::describe::AttributeField::value(&self.$attribute)),*];
                Self::DESCRIPTION
                    .attributes
                    .iter()
                    .zip(values)
                    .filter_map(|(info, value)| Some((info, value?)))
                    .collect()
            }

            fn inputs(&self) -> Vec<(&'static $crate::op::InputInfo, &$crate::Tensor)> {
                let tensors: Vec<Option<&$crate::Tensor>> = vec![$($crate::op::describe::InputField::tensor(&self.$input)),*];
                Self::DESCRIPTION
                    .inputs
                    .iter()
                    .zip(tensors)
                    .filter_map(|(info, tensor)| Some((info, tensor?)))
                    .collect()
            }
        }
    };
    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $name:literal) => { $name };
}
pub(crate) use op;
