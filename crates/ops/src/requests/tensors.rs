//! Tensors by what an op takes them for.

use crate::dtype::Dtype;
use crate::op::{InputInfo, Role, Types};
use crate::scalar::Scalar;
use crate::shape::Shape;
use crate::tensor::Tensor;

use super::chance::Chance;
use super::parts::Parts;

/// Any input but `draws`, whose shape follows from the others.
pub(super) fn input(chance: &mut Chance, info: &InputInfo, parts: &Parts) -> Tensor {
    let mistake = chance.mistake();
    if let (Role::Extents, Some(extents)) = (info.role, chance.extents.clone()) {
        return integers(dtype(chance, info, parts), &[extents.len() as u64], &extents);
    }
    if let (Role::Count, Some(&[.., last])) = (info.role, chance.extents.as_deref()) {
        let dims = vec![1; *info.ranks.start()];
        return integers(dtype(chance, info, parts), &dims, &[last]);
    }
    let dims = match info.role {
        Role::Extents if chance.long => vec![1],
        Role::Extents if mistake => chance.pick(&[vec![], vec![1, 2]]),
        Role::Extents => vec![chance.extent(0..4)],
        Role::Count
        | Role::Lower
        | Role::Upper
        | Role::Probability
        | Role::Parameter(_)
        | Role::Choice(_)
            if mistake =>
        {
            chance.pick(&[vec![0], vec![2], vec![1, 1]])
        }
        Role::Count
        | Role::Lower
        | Role::Upper
        | Role::Probability
        | Role::Parameter(_)
        | Role::Choice(_) => {
            let ranks: Vec<usize> = info.ranks.clone().collect();
            vec![1; chance.pick(&ranks)]
        }
        Role::Weights if mistake => chance.pick(&[vec![], vec![3], vec![1, 2, 2]]),
        Role::Weights => {
            let rows = chance.extents.as_deref().and_then(<[u64]>::split_last);
            let rows: Option<u64> = rows.map(|(_, rows)| rows.iter().product());
            let mut dims: Vec<u64> = (1..*info.ranks.start())
                .map(|_| rows.unwrap_or_else(|| chance.extent(0..4)))
                .collect();
            dims.push(chance.extent(0..7));
            dims
        }
        role @ (Role::Words(_) | Role::Key { .. }) => {
            let usual = role.words(|attribute| parts.text(attribute));
            words_dims(chance, &usual.unwrap_or_default())
        }
        Role::Elements => match &chance.extents {
            Some(extents) => extents.clone(),
            None => (0..chance.extent(0..4)).map(|_| chance.extent(0..5)).collect(),
        },
        Role::PerRow if mistake => chance.pick(&[vec![], vec![3], vec![1, 2]]),
        Role::PerRow => vec![parts.rows().unwrap_or_else(|| chance.extent(1..4))],
        Role::Draws => vec![1, 2],
    };
    let dtype = dtype(chance, info, parts);
    match info.role {
        Role::Words(_) | Role::Key { .. } => words(chance, dtype, &dims),
        role => tensor(chance, role, dtype, &dims),
    }
}

fn integers(dtype: Dtype, dims: &[u64], numbers: &[u64]) -> Tensor {
    let scalars = numbers.iter().map(|&number| Scalar::new(dtype, number));
    Tensor::from_scalars(dtype, Shape::new(dims).expect("few elements"), scalars)
        .expect("one for each element")
}

/// The element type of an input.
pub(super) fn dtype(chance: &mut Chance, info: &InputInfo, parts: &Parts) -> Dtype {
    match info.dtypes {
        _ if chance.mistake() => chance.pick(Dtype::ALL),
        Types::OneOf(types) => chance.pick(types),
        Types::Attribute(name) => parts.named_type(name),
    }
}

pub(super) fn tensor(chance: &mut Chance, role: Role, dtype: Dtype, dims: &[u64]) -> Tensor {
    let shape = Shape::new(dims).expect("few elements");
    let elements: Vec<Scalar> = (0..shape.count()).map(|_| element(chance, role, dtype)).collect();
    Tensor::from_scalars(dtype, shape, elements).expect("as many as the shape has")
}

fn element(chance: &mut Chance, role: Role, dtype: Dtype) -> Scalar {
    let integer = |number: i64| Scalar::new(dtype, number.cast_unsigned());
    let number =
        |number: f64| Scalar::from_decimal(dtype, &format!("{number:e}")).unwrap_or(Scalar::new(dtype, 0));
    match role {
        Role::Extents if chance.long => Scalar::new(dtype, long_extent(chance)),
        Role::Extents if chance.odds(1, 31) => integer(chance.within(-2..(1 << 30) + 1)),
        Role::Extents if chance.odds(1, 6) => Scalar::new(dtype, border(chance)),
        Role::Extents => integer(chance.within(0..6)),
        Role::Count if chance.odds(1, 7) => integer(chance.within(-1..9)),
        Role::Count => integer(chance.within(0..5)),
        Role::Choice(_) if !chance.long && chance.odds(1, 9) => integer(chance.within(-1..9)),
        Role::Choice(choice) => integer(chance.pick(choice)),
        Role::Parameter(_) if chance.odds(1, 11) => bits(chance, dtype),
        Role::Parameter(_) => {
            number(chance.pick(&[0.0, 1.0, 0.5, 2.5, 0.1, 0.02, 1e-7, 100.0, -3.0, 70_000.0]))
        }
        // Now and then any number, but not in a request of given extents: one refused element among thousands would leave hardly
        // any with an answer.
        Role::Weights | Role::Elements if chance.extents.is_none() && chance.odds(1, 41) => {
            bits(chance, dtype)
        }
        // Small numbers, zeros among them.
        Role::Weights => number(f64::from(small(chance, 1000)) / 64.0),
        Role::Probability if chance.odds(1, 5) => bits(chance, dtype),
        Role::Elements if !dtype.is_float() => integer(chance.within(0..100)),
        Role::Probability | Role::Elements => number(f64::from(small(chance, 1025)) / 1024.0),
        Role::PerRow if dtype.is_float() && !chance.odds(1, 41) => number(f64::from(small(chance, 9)) / 4.0),
        Role::PerRow if chance.odds(1, 3) => integer(chance.within(0..10_000)),
        Role::Lower | Role::Upper | Role::Words(_) | Role::Key { .. } | Role::PerRow => bits(chance, dtype),
        Role::Draws => number(match chance.within(0..61) {
            0 => f64::from_bits(chance.word()),
            1..41 => f64::from(small(chance, 1025)) / 1024.0,
            _ => f64::from(u32::try_from(chance.word() >> 32).expect("32 bits")) / 4_294_967_296.0,
        }),
    }
}

fn small(chance: &mut Chance, end: i64) -> u16 {
    u16::try_from(chance.within(0..end)).expect("a small number")
}

/// Bits of any scalar, and often those at an edge: zeros, infinities, NaN, subnormals, one ulp from one, extremes.
fn bits(chance: &mut Chance, dtype: Dtype) -> Scalar {
    if chance.odds(3, 5) {
        return Scalar::new(dtype, chance.word());
    }
    let width = u32::try_from(8 * dtype.size()).expect("at most 64");
    let top = 1_u64 << (width - 1);
    let edge = if dtype.is_float() {
        let mantissa = dtype.mantissa_bits();
        let normal = 1 << mantissa;
        let infinity = (top - 1) ^ (normal - 1);
        let one = ((1 << (width - 2 - mantissa)) - 1) << mantissa;
        chance.pick(&[
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
        ])
    } else {
        chance.pick(&[
            0,
            1,
            u64::MAX,
            1 << 31,
            (1 << 31) - 1,
            1 << 32,
            (1 << 32) - 1,
            top,
            top - 1,
        ])
    };
    Scalar::new(dtype, edge)
}

/// Where vectors, blocks and tiles begin and end: a power of two or a small multiple of one, and the numbers beside it.
pub(super) fn border(chance: &mut Chance) -> u64 {
    let width = chance.pick(&[4, 8, 16, 32, 64]);
    width * chance.extent(1..5) - 1 + chance.extent(0..3)
}

pub(super) fn long_extent(chance: &mut Chance) -> u64 {
    if chance.odds(1, 2) {
        return 64 * chance.extent(1..1_090) - 1 + chance.extent(0..3);
    }
    let range = chance.pick(&[1..300, 16_000..17_000, 65_000..70_000]);
    chance.extent(range)
}

fn words_dims(chance: &mut Chance, usual: &[u64]) -> Vec<u64> {
    if chance.long || !chance.odds(1, 5) {
        let mut dims = usual.to_vec();
        if let Some(last) = dims.last_mut().filter(|_| chance.mistake()) {
            *last = chance.extent(0..8);
        }
        return dims;
    }
    let mut dims = vec![1; usize::from(small(chance, 9)) + 1];
    if let (Some(end), Some(last)) = (dims.last_mut(), usual.last()) {
        *end = *last;
    }
    dims
}

/// Words that begin with a counter of 128 bits, the least significant first. It often is a few blocks from where a word
/// of it wraps, or becomes negative as a signed number.
fn words(chance: &mut Chance, dtype: Dtype, dims: &[u64]) -> Tensor {
    let shape = Shape::new(dims).expect("few elements");
    let mut bytes = Vec::new();
    while bytes.len() < shape.count() * dtype.size() {
        bytes.extend(chance.word().to_le_bytes());
    }
    bytes.truncate(shape.count() * dtype.size());
    let end = chance.pick(&[4, 20_000]);
    let before = u128::from(chance.extent(0..end));
    let above = u128::from(chance.word()) << 64 | u128::from(chance.word());
    let sign = u128::from(chance.odds(1, 3));
    let counter = match chance.pick(&[0, 32, 64, 96, 128]) {
        0 => above,
        128 => (sign << 127).wrapping_sub(before),
        bits => (above << bits | sign << (bits - 1)).wrapping_sub(before),
    };
    for (byte, of_counter) in bytes.iter_mut().zip(counter.to_le_bytes()) {
        *byte = of_counter;
    }
    // Some ops take words of 32 bits as numbers of 64.
    if dtype.size() == 8 && chance.odds(1, 4) {
        for wide in bytes.as_chunks_mut::<8>().0 {
            wide[4..].fill(0);
        }
    }
    Tensor::new(dtype, shape, bytes).expect("as many as the shape has")
}
