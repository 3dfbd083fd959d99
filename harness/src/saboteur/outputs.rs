//! The oracle's answers, spoilt on their way out: what goes wrong between a right generator and the caller.

use seedproof_ops::{Backend, Dtype, Response, Scalar, Shape, Tensor};

use super::behaviour::{Behaviour, EXAMPLE, Saboteur, oracle, saboteur};

/// The oracle with a spoilt output.
fn spoilt(spoil: fn(&Tensor) -> Tensor) -> Behaviour {
    let oracle = oracle();
    Behaviour::running(move |request| {
        let Response { output, more } = oracle.run(request)?;
        let output = spoil(&output);
        Ok(Response { output, more })
    })
}

/// The oracle with a spoilt state.
fn with_state(state: fn(Tensor) -> Option<Tensor>) -> Behaviour {
    let oracle = oracle();
    Behaviour::running(move |request| {
        let answer = oracle.run(request)?;
        Ok(Response {
            output: answer.output,
            more: answer.more.into_iter().filter_map(state).collect(),
        })
    })
}

fn rebuilt(like: &Tensor, bytes: Vec<u8>) -> Tensor {
    Tensor::new(like.dtype(), like.shape().clone(), bytes).expect("as many bytes as before")
}

/// Each element changed, by its index and its bytes.
fn each(output: &Tensor, change: impl Fn(usize, &[u8]) -> Vec<u8>) -> Tensor {
    let elements = output.bytes().chunks(output.dtype().size()).enumerate();
    let bytes = elements.flat_map(|(index, bytes)| change(index, bytes)).collect();
    rebuilt(output, bytes)
}

fn filled(output: &Tensor, byte: u8) -> Tensor {
    rebuilt(output, vec![byte; output.bytes().len()])
}

fn last_bit_flipped(output: &Tensor) -> Tensor {
    let last = output.count().saturating_sub(1);
    each(output, |index, bytes| {
        let mut bytes = bytes.to_vec();
        bytes[0] ^= u8::from(index == last);
        bytes
    })
}

/// The same bits under another type of the same width.
fn other_type(output: &Tensor) -> Tensor {
    let other = match output.dtype() {
        Dtype::F16 => Dtype::Bf16,
        Dtype::Bf16 => Dtype::F16,
        Dtype::F32 => Dtype::I32,
        Dtype::I32 => Dtype::U32,
        Dtype::U32 => Dtype::F32,
        Dtype::F64 => Dtype::I64,
        Dtype::I64 => Dtype::F64,
        integer => Dtype::ALL
            .iter()
            .copied()
            .find(|other| other.size() == integer.size() && *other != integer)
            .expect("every width has two types"),
    };
    Tensor::new(other, output.shape().clone(), output.bytes().to_vec()).expect("the widths are equal")
}

fn one_rank_more(output: &Tensor) -> Tensor {
    let dims: Vec<u64> = output
        .shape()
        .dims()
        .iter()
        .map(|&dim| wide(dim))
        .chain([1])
        .collect();
    let shape = Shape::new(&dims).expect("the number of elements is as before");
    Tensor::new(output.dtype(), shape, output.bytes().to_vec()).expect("the number of elements is as before")
}

/// A list without the last element.
fn too_few(output: &Tensor) -> Tensor {
    let count = output.count().saturating_sub(1);
    let bytes = output.bytes()[..count * output.dtype().size()].to_vec();
    Tensor::new(output.dtype(), Shape::vector(count), bytes).expect("as many bytes as the list has")
}

fn byte_swapped(output: &Tensor) -> Tensor {
    each(output, |_, bytes| bytes.iter().rev().copied().collect())
}

fn backwards(output: &Tensor) -> Tensor {
    let elements = output.bytes().chunks(output.dtype().size()).rev();
    rebuilt(output, elements.flatten().copied().collect())
}

/// What a kernel of 64 threads leaves that takes one element each.
fn first_64(output: &Tensor) -> Tensor {
    each(output, |index, bytes| {
        if index < 64 {
            bytes.to_vec()
        } else {
            vec![0; bytes.len()]
        }
    })
}

/// What is left of a number after `printf("%g")`.
fn six_digits(output: &Tensor) -> Tensor {
    let dtype = output.dtype();
    if !dtype.is_float() {
        return output.clone();
    }
    each(output, |_, bytes| {
        let number = Scalar::from_le_bytes(dtype, bytes);
        let printed = format!("{:.5e}", number.to_f64());
        Scalar::from_decimal(dtype, &printed)
            .unwrap_or(number)
            .to_le_bytes()
    })
}

fn wide(dim: usize) -> u64 {
    u64::try_from(dim).expect("an extent fits 64 bits")
}

const TAIL: &str = "dml/feature-level-3.0/tail-size-5-rank-4";

pub(super) const SABOTEURS: &[Saboteur] = &[
    saboteur(
        "zeros",
        EXAMPLE,
        "fail",
        "The output is never written: zeros.",
        || spoilt(|output| filled(output, 0)),
    ),
    saboteur(
        "poison",
        EXAMPLE,
        "fail",
        "The output is never written: what lay there.",
        || spoilt(|output| filled(output, 0xcd)),
    ),
    saboteur(
        "not-a-number",
        EXAMPLE,
        "fail",
        "Every bit is set: of floats, NaN.",
        || spoilt(|output| filled(output, 0xff)),
    ),
    saboteur(
        "last-bit",
        EXAMPLE,
        "fail",
        "The last bit of the last element is wrong.",
        || spoilt(last_bit_flipped),
    ),
    saboteur(
        "other-type",
        EXAMPLE,
        "fail",
        "The bits are right and called another type.",
        || spoilt(other_type),
    ),
    saboteur(
        "one-rank-more",
        EXAMPLE,
        "fail",
        "The shape has a 1 at its end.",
        || spoilt(one_rank_more),
    ),
    saboteur("too-few", EXAMPLE, "fail", "The last element is missing.", || {
        spoilt(too_few)
    }),
    saboteur(
        "byte-swapped",
        EXAMPLE,
        "fail",
        "Bytes are most significant first.",
        || spoilt(byte_swapped),
    ),
    saboteur("backwards", EXAMPLE, "fail", "Elements come last first.", || {
        spoilt(backwards)
    }),
    saboteur(
        "first-64",
        "ru8/pytorch/i64/mt19937-seed-5489-first-626",
        "fail",
        "Elements after the first 64 are never written.",
        || spoilt(first_64),
    ),
    saboteur(
        "six-digits",
        "ru8/tensorflow/f64/spec-example-2",
        "fail",
        "Numbers were printed with six digits and read again.",
        || spoilt(six_digits),
    ),
    saboteur(
        "state-missing",
        TAIL,
        "fail",
        "The state after the draw is not given.",
        || with_state(|_| None),
    ),
    saboteur(
        "state-other-type",
        TAIL,
        "fail",
        "The state is not of u32.",
        || with_state(|right| Some(other_type(&right))),
    ),
];
