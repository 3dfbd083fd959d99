//! A toy generator with flags stands in for the readings engine: each flag is one wrong answer.

use seedproof_ops::{Dtype, ErrorKind, Failure, Request, Response, Shape, Stages, Tensor};

use crate::fixtures::{Fake, uniform_between};
use crate::model::exchange::as_u64;

/// The mistakes that the toy can make: seeds cut to 32 bits, the lowest bit lost, i64 rejected, another hash, the first
/// word skipped, the halves of an i64 exchanged, and words swapped in pairs.
pub(super) const FLAGS: [&str; 7] = [
    "cut-seeds",
    "low-bit-lost",
    "no-i64",
    "other-hash",
    "skips-first",
    "swapped-halves",
    "swapped-words",
];

fn word(flags: &[String], seed: u64, index: u64) -> u64 {
    let has = |flag: &str| flags.iter().any(|own| own == flag);
    let seed = if has("cut-seeds") {
        seed & 0xffff_ffff
    } else {
        seed
    };
    let index = if has("swapped-words") { index ^ 1 } else { index } + u64::from(has("skips-first"));
    let multiplier = if has("other-hash") {
        0x9e37_79b9_7f4a_7c17
    } else {
        0x9e37_79b9_7f4a_7c15
    };
    let mut z = seed.wrapping_add((index + 1).wrapping_mul(multiplier));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^= z >> 31;
    if has("low-bit-lost") { z & !1 } else { z }
}

pub(super) fn toy(flags: &[&str]) -> Fake {
    let flags: Vec<String> = flags.iter().map(|&flag| flag.to_owned()).collect();
    let id = format!("toy/{}", flags.join("+"));
    let shown = flags.clone();
    Fake::new(&id, move |request| answer(&flags, request)).showing(move |request| {
        let scaled = answer(&shown, request).ok()?.output;
        Some(Stages {
            words: scaled
                .scalars()
                .map(|element| u32::try_from(element.bits() & 0xffff_ffff).unwrap())
                .collect(),
            words_per_element: 1,
            words_per_block: 4,
            counters: Vec::new(),
            unit: None,
            scaled,
        })
    })
}

pub(super) fn answer(flags: &[String], request: &Request) -> Result<Response, Failure> {
    let Request::RandomUniform(op) = request else {
        return Err(Failure::Unsupported("only RandomUniform".to_owned()));
    };
    let has = |flag: &str| flags.iter().any(|own| own == flag);
    let dtype = op.output_type.known().unwrap();
    if dtype == Dtype::I64 && has("no-i64") {
        return Err(Failure::rejected(ErrorKind::Dtype, "no i64"));
    }
    let dims: Vec<u64> = op.shape.scalars().map(seedproof_ops::Scalar::bits).collect();
    let shape = Shape::new(&dims).unwrap();
    let words = (0..as_u64(shape.count())).map(|index| word(flags, op.global_seed, index));
    let bytes = if dtype == Dtype::I64 {
        let turn = if has("swapped-halves") { 32 } else { 0 };
        words
            .flat_map(|word| word.rotate_left(turn).to_le_bytes())
            .collect()
    } else {
        words
            .flat_map(|word| word.to_le_bytes().into_iter().take(4))
            .collect()
    };
    Ok(Response::of(Tensor::new(dtype, shape, bytes).unwrap()))
}

/// The toy's output with its bytes changed; the function is told the size of an element.
pub(super) fn altered(
    flags: &'static [&'static str],
    change: impl Fn(&mut Vec<u8>, usize) + Send + Sync + 'static,
) -> Fake {
    let flags: Vec<String> = flags.iter().map(|&flag| flag.to_owned()).collect();
    Fake::new("altered", move |request| {
        let output = answer(&flags, request)?.output;
        let mut bytes = output.bytes().to_vec();
        change(&mut bytes, output.dtype().size());
        Ok(Response::of(
            Tensor::new(output.dtype(), output.shape().clone(), bytes).unwrap(),
        ))
    })
}

/// Makes bits of these bytes that no toy draws.
pub(super) fn scramble(bytes: &mut [u8]) {
    for byte in bytes {
        *byte = byte.rotate_left(3) ^ 0x5a;
    }
}

pub(super) fn noise() -> Fake {
    altered(&[], |bytes, _| scramble(bytes))
}

pub(super) fn zeros() -> Fake {
    altered(&[], |bytes, _| bytes.fill(0))
}

/// The last element first.
pub(super) fn backwards(flags: &'static [&'static str]) -> Fake {
    altered(flags, |bytes, size| {
        *bytes = bytes.chunks(size).rev().flatten().copied().collect();
    })
}

pub(super) fn request(dtype: Dtype, count: i64, seed: u64) -> Request {
    let bounds = match dtype {
        Dtype::I64 => ("-9223372036854775808", "9223372036854775807"),
        _ => ("-2147483648", "2147483647"),
    };
    let Request::RandomUniform(mut op) = uniform_between(dtype, count, bounds) else {
        unreachable!()
    };
    op.global_seed = seed;
    Request::RandomUniform(op)
}
