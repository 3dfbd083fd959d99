//! Tensors by what an op takes them for.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use seedproof_ops::{Dtype, InputInfo, Role, Scalar, Shape, Tensor, Types};

use super::length::{Length, long_extent, mostly};

/// An input, except the draws that are given, whose extents follow from the others.
pub(super) fn input(
    info: &'static InputInfo,
    named: &dyn Fn(&str) -> Dtype,
    length: Length,
) -> BoxedStrategy<Tensor> {
    let dims = match info.role {
        Role::Extents => match length {
            Length::Short => mostly(
                length,
                (0..4_u64).prop_map(|rank| vec![rank]),
                select(vec![vec![], vec![1, 2]]),
            ),
            Length::Long => Just(vec![1]).boxed(),
        },
        Role::Count | Role::Lower | Role::Upper | Role::Choice(_) => mostly(
            length,
            info.ranks.clone().prop_map(|rank| vec![1; rank]),
            select(vec![vec![0], vec![2], vec![1, 1]]),
        ),
        Role::Weights => mostly(
            length,
            (vec(0..4_u64, info.ranks.start() - 1), 0..7_u64).prop_map(|(mut dims, classes)| {
                dims.push(classes);
                dims
            }),
            select(vec![vec![], vec![3], vec![1, 2, 2]]),
        ),
        Role::Words(dims) => words_dims(dims, length),
        Role::Draws => Just(vec![1, 2]).boxed(),
    };
    (dtype(info, named, length), dims)
        .prop_flat_map(move |(dtype, dims)| match info.role {
            Role::Words(_) => words(dtype, &dims),
            role => tensor(dtype, &dims, elements(role, dtype, length)),
        })
        .boxed()
}

/// The element type of an input, where `named` is the one that a type attribute names.
pub(super) fn dtype(
    info: &'static InputInfo,
    named: &dyn Fn(&str) -> Dtype,
    length: Length,
) -> BoxedStrategy<Dtype> {
    let usual = match info.dtypes {
        Types::OneOf(types) => select(types).boxed(),
        Types::Attribute(name) => Just(named(name)).boxed(),
    };
    mostly(length, usual, select(Dtype::ALL))
}

pub(super) fn elements(role: Role, dtype: Dtype, length: Length) -> BoxedStrategy<Scalar> {
    let integer = move |number: i64| Scalar::new(dtype, number.cast_unsigned());
    let number = move |number: f64| {
        Scalar::from_decimal(dtype, &format!("{number:e}")).unwrap_or(Scalar::new(dtype, 0))
    };
    match (role, length) {
        (Role::Extents, Length::Long) => long_extent()
            .prop_map(move |extent| Scalar::new(dtype, extent))
            .boxed(),
        (Role::Extents, Length::Short) => prop_oneof![30 => 0..6_i64, 1 => -2..=1_i64 << 30]
            .prop_map(integer)
            .boxed(),
        (Role::Count, _) => prop_oneof![6 => 0..5_i64, 1 => -1..9_i64]
            .prop_map(integer)
            .boxed(),
        (Role::Lower | Role::Upper | Role::Words(_), _) => bits(dtype).boxed(),
        (Role::Choice(choice), Length::Long) => select(choice).prop_map(integer).boxed(),
        (Role::Choice(choice), Length::Short) => prop_oneof![8 => select(choice), 1 => -1..9_i64]
            .prop_map(integer)
            .boxed(),
        // Small numbers, zeros among them, and now and then any.
        (Role::Weights, _) => {
            let small = (0..1000_u16).prop_map(move |weight| number(f64::from(weight) / 64.0));
            prop_oneof![40 => small, 1 => bits(dtype)].boxed()
        }
        (Role::Draws, _) => {
            let even = (0..=1024_u16).prop_map(|draw| f64::from(draw) / 1024.0);
            prop_oneof![40 => even, 20 => 0.0..=1.0_f64, 1 => any::<f64>()]
                .prop_map(number)
                .boxed()
        }
    }
}

/// Bits of any scalar, and often those at an edge: zeros, infinities, NaN, subnormals, one ulp from one, extremes.
fn bits(dtype: Dtype) -> impl Strategy<Value = Scalar> {
    let width = u32::try_from(8 * dtype.size()).expect("at most 64");
    let top = 1_u64 << (width - 1);
    let edges = if dtype.is_float() {
        let mantissa = dtype.mantissa_bits();
        let normal = 1 << mantissa;
        let infinity = (top - 1) ^ (normal - 1);
        let one = ((1 << (width - 2 - mantissa)) - 1) << mantissa;
        vec![
            0,
            top,
            1,
            normal - 1,
            normal,
            one - 1,
            one,
            one + 1,
            infinity - 1,
            infinity,
            top | infinity,
            infinity | normal >> 1,
            infinity | 1,
        ]
    } else {
        vec![
            0,
            1,
            u64::MAX,
            1 << 31,
            (1 << 31) - 1,
            1 << 32,
            (1 << 32) - 1,
            top,
            top - 1,
        ]
    };
    prop_oneof![3 => any::<u64>(), 2 => select(edges)].prop_map(move |bits| Scalar::new(dtype, bits))
}

pub(super) fn tensor(dtype: Dtype, dims: &[u64], scalars: BoxedStrategy<Scalar>) -> BoxedStrategy<Tensor> {
    let shape = Shape::new(dims).expect("few elements");
    vec(scalars, shape.count())
        .prop_map(move |scalars| {
            let bytes = scalars.iter().flat_map(|scalar| scalar.to_le_bytes()).collect();
            Tensor::new(dtype, shape.clone(), bytes).expect("as many as the shape has")
        })
        .boxed()
}

fn words_dims(usual: &'static [u64], length: Length) -> BoxedStrategy<Vec<u64>> {
    if length == Length::Long {
        return Just(usual.to_vec()).boxed();
    }
    let last = usual.last().copied().unwrap_or(1);
    let rank = prop_oneof![4 => Just(usual.len()), 1 => 1..10_usize];
    (rank, mostly(length, Just(last), 0..8_u64))
        .prop_map(|(rank, last)| {
            let mut dims = vec![1; rank];
            if let Some(end) = dims.last_mut() {
                *end = last;
            }
            dims
        })
        .boxed()
}

/// Words that begin with a counter of 128 bits, the least significant first. It often is a few blocks from where a word
/// of it wraps.
fn words(dtype: Dtype, dims: &[u64]) -> BoxedStrategy<Tensor> {
    let shape = Shape::new(dims).expect("few elements");
    let size = shape.count() * dtype.size();
    let before = prop_oneof![0..4_u128, 0..20_000_u128];
    (
        select(vec![0, 32, 64, 96, 128]),
        before,
        any::<u128>(),
        vec(any::<u8>(), size),
    )
        .prop_map(move |(wraps, before, above, mut bytes)| {
            let counter = match wraps {
                0 => above,
                128 => 0_u128.wrapping_sub(before),
                bits => (above << bits).wrapping_sub(before),
            };
            for (byte, of_counter) in bytes.iter_mut().zip(counter.to_le_bytes()) {
                *byte = of_counter;
            }
            Tensor::new(dtype, shape.clone(), bytes).expect("as many as the shape has")
        })
        .boxed()
}
