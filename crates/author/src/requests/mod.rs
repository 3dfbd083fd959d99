//! Requests by chance for every op, from its description: valid ones mostly, at every edge often, and invalid in every
//! way now and then.

mod length;
mod tensors;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use seedproof_ops::{
    AttributeInfo, AttributeValue, Dtype, InputInfo, Kind, Named, OpName, Request, Role, Tensor,
};

use length::{Length, long_extent, mostly, optional};
use tensors::{dtype, elements, tensor};

/// Requests for all ops, of few elements.
pub fn requests() -> impl Strategy<Value = Request> {
    select(OpName::ALL).prop_flat_map(|op| of(op, Length::Short))
}

/// Valid requests of up to 70,000 elements, for whatever is made in groups, lanes or chunks: for all ops whose output's
/// extents are asked for. A counter is mostly within a few blocks of where a word of it wraps.
pub fn long_requests() -> impl Strategy<Value = Request> {
    let sized = |op: &OpName| {
        let op = op.description();
        let attribute = op
            .attributes
            .iter()
            .any(|info| matches!(info.kind, Kind::Extents(_)));
        attribute || op.inputs.iter().any(|info| info.role == Role::Extents)
    };
    let ops: Vec<OpName> = OpName::ALL.iter().copied().filter(sized).collect();
    select(ops).prop_flat_map(|op| of(op, Length::Long))
}

/// What a request is built from, in the order of the op's description.
#[derive(Clone, Debug)]
struct Parts {
    op: OpName,
    attributes: Vec<Option<AttributeValue>>,
    inputs: Vec<Option<Tensor>>,
    execution: u32,
}

impl Parts {
    fn build(&self) -> Result<Request, &'static str> {
        let mut attributes = self.attributes.iter();
        let mut inputs = self.inputs.iter();
        Request::build(
            self.op,
            &mut |_| attributes.next()?.clone(),
            &mut |_| inputs.next()?.clone(),
            self.execution,
        )
    }

    /// The type that a type attribute names, or f32 where it names none.
    fn named_type(&self, attribute: &str) -> Dtype {
        let named = self.op.description().attributes.iter().zip(&self.attributes);
        named
            .filter(|(info, _)| info.name == attribute)
            .find_map(|(_, value)| match value {
                Some(AttributeValue::Text(text)) => text.parse().ok(),
                _ => None,
            })
            .unwrap_or(Dtype::F32)
    }

    /// The bounds in order, as far as they have one.
    fn ordered(mut self) -> Self {
        let place = |role| {
            self.op
                .description()
                .inputs
                .iter()
                .position(|info| info.role == role)
        };
        let (Some(lower), Some(upper)) = (place(Role::Lower), place(Role::Upper)) else {
            return self;
        };
        let first = |at: usize| self.inputs[at].as_ref().and_then(|bound| bound.get(0));
        let swap = match (first(lower), first(upper)) {
            (Some(a), Some(b)) if a.dtype().is_float() => a.to_f64() > b.to_f64(),
            (Some(a), Some(b)) => a.to_i128() > b.to_i128(),
            _ => false,
        };
        if swap {
            self.inputs.swap(lower, upper);
        }
        self
    }
}

fn of(op: OpName, length: Length) -> BoxedStrategy<Request> {
    let description = op.description();
    let attributes: Vec<_> = description
        .attributes
        .iter()
        .map(|info| attribute(info, length))
        .collect();
    let execution = match length {
        Length::Short if description.successive => prop_oneof![20 => Just(0), 1 => 1..3_u32].boxed(),
        _ => Just(0).boxed(),
    };
    // Bounds by chance are a range half the time; in order they mostly are one.
    let in_order = match length {
        Length::Short => prop::bool::weighted(0.875).boxed(),
        Length::Long => Just(true).boxed(),
    };
    (attributes, execution)
        .prop_map(move |(attributes, execution)| Parts {
            op,
            attributes,
            inputs: Vec::new(),
            execution,
        })
        .prop_flat_map(move |parts| {
            let named = |attribute: &str| parts.named_type(attribute);
            let input = |info: &'static InputInfo| match info.role {
                Role::Draws => Just(None).boxed(),
                _ => optional(info.required, length, tensors::input(info, &named, length)),
            };
            let inputs: Vec<_> = description.inputs.iter().map(input).collect();
            inputs.prop_map(move |inputs| Parts {
                inputs,
                ..parts.clone()
            })
        })
        .prop_flat_map(move |parts| draws(parts, length))
        .prop_flat_map(move |parts| {
            in_order.clone().prop_map(move |order| {
                if order {
                    parts.clone().ordered()
                } else {
                    parts.clone()
                }
            })
        })
        .prop_map(|parts| parts.build().expect("every part has a value of its kind"))
        .boxed()
}

fn attribute(info: &'static AttributeInfo, length: Length) -> BoxedStrategy<Option<AttributeValue>> {
    let text = |text: &str| AttributeValue::Text(text.to_owned());
    let value = match info.kind {
        Kind::Enumeration(names) => mostly(length, select(names), Just("odd")).prop_map(text).boxed(),
        Kind::Dtype(types) => mostly(
            length,
            select(types).prop_map(Dtype::name),
            prop_oneof![select(Dtype::NAMES), Just("odd")],
        )
        .prop_map(text)
        .boxed(),
        Kind::Seed => seed().prop_map(AttributeValue::Seed).boxed(),
        Kind::Boolean | Kind::WithOutput => any::<bool>().prop_map(AttributeValue::Boolean).boxed(),
        Kind::Extents(smallest) => extents(smallest, length)
            .prop_map(AttributeValue::Extents)
            .boxed(),
        Kind::Number => prop_oneof![any::<i128>(), any::<i64>().prop_map(i128::from), -3..100_i128]
            .prop_map(AttributeValue::Number)
            .boxed(),
    };
    optional(info.required, length, value)
}

fn seed() -> impl Strategy<Value = u64> {
    prop_oneof![
        any::<u64>(),
        select(vec![0, 1, 0xffff_ffff, 1 << 32, (1 << 53) + 1, 1 << 63, u64::MAX]),
    ]
}

fn extents(smallest: &'static [u64], length: Length) -> BoxedStrategy<Vec<u64>> {
    let usual = smallest.len();
    match length {
        Length::Short => prop_oneof![12 => Just(usual), 4 => 1..9_usize, 1 => select(vec![0, 9])]
            .prop_flat_map(move |rank| vec(mostly(length, 1..4_u64, select(vec![0, 1 << 40])), rank))
            .boxed(),
        Length::Long => long_extent()
            .prop_map(move |extent| {
                let mut extents = smallest.to_vec();
                extents[usual - 1] = extent;
                extents
            })
            .boxed(),
    }
}

/// The parts with the draws that are given, if the op takes any and the request has some: one for each element.
fn draws(parts: Parts, length: Length) -> BoxedStrategy<Parts> {
    const MOST: u64 = 4096;
    let inputs = parts.op.description().inputs;
    let Some(at) = inputs.iter().position(|info| info.role == Role::Draws) else {
        return Just(parts).boxed();
    };
    let dims = parts
        .build()
        .ok()
        .and_then(|request| request.output_form())
        .map(|(_, dims)| dims)
        .filter(|dims| {
            dims.iter()
                .try_fold(1, |n: u64, dim| n.checked_mul(*dim))
                .is_some_and(|n| n <= MOST)
        })
        .unwrap_or_else(|| vec![1, 2]);
    let dims = mostly(length, Just(dims), Just(vec![1, 2]));
    let given = (
        dtype(&inputs[at], &|attribute| parts.named_type(attribute), length),
        dims,
    )
        .prop_flat_map(move |(dtype, dims)| tensor(dtype, &dims, elements(Role::Draws, dtype, length)))
        .boxed();
    optional(inputs[at].required, length, given)
        .prop_map(move |given| {
            let mut parts = parts.clone();
            parts.inputs[at] = given;
            parts
        })
        .boxed()
}
