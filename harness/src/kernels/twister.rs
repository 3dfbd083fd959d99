//! A kernel for RandomUniform-8, PYTORCH, every type, with a switch at each stage, and its faults.

use half::{bf16, f16};
use seedproof_ops::{Dtype, RandomUniform, Response, Scalar, Tensor};

use super::fault::{Fault, Kernel};
use super::hooks::{column_major, tail};

/// The stages of the kernel. Each right one is in [`RIGHT`].
#[derive(Clone, Copy)]
pub(crate) struct Twister {
    pub(crate) seed: fn(u64, u64) -> u32,
    /// Word `i` of the state, from the one before.
    pub(crate) fill: fn(u32, u32) -> u32,
    /// The distance of the word that is mixed in.
    pub(crate) middle: usize,
    pub(crate) temper: fn(u32) -> u32,
    /// Words that are dropped before the first.
    pub(crate) dropped: usize,
    /// The number in [0, 1) of so many digits, of the words of an element.
    pub(crate) unit: fn(u64, u32) -> f64,
    /// The words of a pair together: the first and the second.
    pub(crate) pair: fn(u32, u32) -> u64,
    /// Whether an i64 in this range takes one word.
    pub(crate) is_one: fn(i64, i64) -> bool,
    pub(crate) remainder: fn(u64, u64) -> u64,
    /// The sum `x * range + min` in f32, of a half type's operands.
    pub(crate) scale: fn(f32, f32, f32) -> f32,
    pub(crate) scale_f64: fn(f64, f64, f64) -> f64,
    pub(crate) element: fn(usize, &[usize]) -> usize,
    pub(crate) store: fn(&mut Vec<u64>),
}

const RIGHT: Twister = Twister {
    seed: |global, _| global as u32,
    fill: |before, i| {
        1_812_433_253_u32
            .wrapping_mul(before ^ before >> 30)
            .wrapping_add(i)
    },
    middle: 397,
    temper: |y| {
        let y = y ^ y >> 11;
        let y = y ^ y << 7 & 0x9d2c_5680;
        let y = y ^ y << 15 & 0xefc6_0000;
        y ^ y >> 18
    },
    dropped: 0,
    unit: |word, digits| (word & ((1 << digits) - 1)) as f64 / (1_u64 << digits) as f64,
    pair: |first, second| u64::from(first) << 32 | u64::from(second),
    is_one: |min, max| min <= 0xffff_ffff && max <= 0xffff_ffff,
    remainder: |word, range| word % range,
    scale: |x, range, min| x * range + min,
    scale_f64: |x, range, min| x * range + min,
    element: |i, _| i,
    store: |_| {},
};

impl Twister {
    fn words(&self, seed: u32, count: usize) -> Vec<u32> {
        let mut state = vec![seed];
        for i in 1..624 {
            state.push((self.fill)(state[i as usize - 1], i));
        }
        // Each word follows from three of the 624 before it.
        for i in 0..count + self.dropped {
            let joined = state[i] & 0x8000_0000 | state[i + 1] & 0x7fff_ffff;
            let mixed = if joined & 1 == 1 { 0x9908_b0df } else { 0 };
            state.push(state[i + self.middle] ^ joined >> 1 ^ mixed);
        }
        state[624 + self.dropped..]
            .iter()
            .map(|&word| (self.temper)(word))
            .collect()
    }

    pub(crate) fn run(&self, op: &RandomUniform, right: &Response) -> Response {
        let shape = right.output.shape().clone();
        let dtype = right.output.dtype();
        let (min, max) = (op.minval.get(0), op.maxval.get(0));
        let (min, max) = min.zip(max).expect("both bounds have an element");
        let one = match dtype {
            Dtype::F64 => false,
            Dtype::I64 => (self.is_one)(min.to_i64(), max.to_i64()),
            _ => true,
        };
        let per_element = if one { 1 } else { 2 };
        let words = self.words(
            (self.seed)(op.global_seed, op.op_seed),
            shape.count() * per_element,
        );
        let value = |i: usize| {
            let at = (self.element)(i, shape.dims()) * per_element;
            let word = if one {
                words[at].into()
            } else {
                (self.pair)(words[at], words[at + 1])
            };
            self.element(dtype, word, min, max)
        };
        let mut output: Vec<u64> = (0..shape.count()).map(value).collect();
        (self.store)(&mut output);
        let bytes = output
            .iter()
            .flat_map(|&bits| Scalar::new(dtype, bits).to_le_bytes());
        Response::of(Tensor::new(dtype, shape, bytes.collect()).expect("the number of elements stays"))
    }

    fn element(&self, dtype: Dtype, word: u64, min: Scalar, max: Scalar) -> u64 {
        let (low, high) = (min.to_f64() as f32, max.to_f64() as f32);
        let unit = |digits| (self.unit)(word, digits);
        match dtype {
            Dtype::F16 => {
                let range = f16::from_f32(high - low).to_f32();
                f16::from_f32((self.scale)(f16::from_f64(unit(11)).into(), range, low))
                    .to_bits()
                    .into()
            }
            Dtype::Bf16 => {
                let range = bf16::from_f32(high - low).to_f32();
                bf16::from_f32((self.scale)(bf16::from_f64(unit(8)).into(), range, low))
                    .to_bits()
                    .into()
            }
            Dtype::F32 => (self.scale)(unit(24) as f32, high - low, low).to_bits().into(),
            Dtype::F64 => {
                let (low, high) = (min.to_f64(), max.to_f64());
                (self.scale_f64)(unit(53), high - low, low).to_bits()
            }
            Dtype::I32 => {
                let range = max.to_i64().wrapping_sub(min.to_i64()) as u32;
                ((self.remainder)(word, range.into()) as u32)
                    .wrapping_add(min.to_i64() as u32)
                    .into()
            }
            _ => {
                let range = max.to_i64().wrapping_sub(min.to_i64()) as u64;
                (self.remainder)(word, range).wrapping_add(min.to_i64() as u64)
            }
        }
    }
}

const fn fault(id: &'static str, named: &'static [&'static str], kernel: Twister) -> Fault {
    Fault {
        id,
        named,
        kernel: Kernel::Twister(kernel),
    }
}

pub(crate) const FAULTS: &[Fault] = &[
    fault(
        "mt-seed-69069",
        &["mt-seed-69069"],
        Twister {
            fill: |before, _| before.wrapping_mul(69069),
            ..RIGHT
        },
    ),
    fault(
        "mt-seed-precedence",
        &["mt-seed-precedence"],
        Twister {
            fill: |before, i| 1_812_433_253_u32.wrapping_mul(before) ^ (before >> 30).wrapping_add(i),
            ..RIGHT
        },
    ),
    fault(
        "mt-index-forgotten",
        &["mt-seed-index-forgotten"],
        Twister {
            fill: |before, _| 1_812_433_253_u32.wrapping_mul(before ^ before >> 30),
            ..RIGHT
        },
    ),
    fault(
        "mt-op-seed-added",
        &["mt-op-seed-added"],
        Twister {
            seed: |global, op| global.wrapping_add(op) as u32,
            ..RIGHT
        },
    ),
    fault(
        "mt-seed-folded",
        &["mt-seed-folded"],
        Twister {
            seed: |global, _| (global ^ global >> 32) as u32,
            ..RIGHT
        },
    ),
    fault(
        "mt-not-tempered",
        &["mt-not-tempered"],
        Twister {
            temper: |y| y,
            ..RIGHT
        },
    ),
    fault(
        "mt-last-shift-forgotten",
        &["mt-temper-last-forgotten"],
        Twister {
            temper: |y| {
                let y = y ^ y >> 11;
                let y = y ^ y << 7 & 0x9d2c_5680;
                y ^ y << 15 & 0xefc6_0000
            },
            ..RIGHT
        },
    ),
    fault(
        "mt-one-dropped",
        &["mt-first-word-dropped"],
        Twister { dropped: 1, ..RIGHT },
    ),
    fault(
        "mt-state-dropped",
        &["mt-words-dropped(number = 624)"],
        Twister {
            dropped: 624,
            ..RIGHT
        },
    ),
    fault(
        "mt-high-digits",
        &["mt-high-digits"],
        Twister {
            unit: |word, digits| {
                (word >> (if digits == 53 { 11 } else { 32 - digits })) as f64 / (1_u64 << digits) as f64
            },
            ..RIGHT
        },
    ),
    fault(
        "mt-digit-too-few",
        &["mt-mask-23"],
        Twister {
            unit: |word, digits| (word & ((1 << (digits - 1)) - 1)) as f64 / (1_u64 << (digits - 1)) as f64,
            ..RIGHT
        },
    ),
    fault(
        "mt-inclusive",
        &["mt-inclusive"],
        Twister {
            unit: |word, digits| (word & ((1 << digits) - 1)) as f64 / ((1_u64 << digits) - 1) as f64,
            ..RIGHT
        },
    ),
    fault(
        "mt-pairs-swapped",
        &["mt-f64-words-swapped", "mt-i64-words-swapped"],
        Twister {
            pair: |first, second| u64::from(second) << 32 | u64::from(first),
            ..RIGHT
        },
    ),
    fault(
        "mt-i64-two",
        &["mt-i64-two-words"],
        Twister {
            is_one: |_, _| false,
            ..RIGHT
        },
    ),
    fault(
        "mt-i64-one",
        &["mt-i64-one-word"],
        Twister {
            is_one: |_, _| true,
            ..RIGHT
        },
    ),
    fault(
        "mt-i64-by-range",
        &["mt-i64-range-2p32", "torch-2.", "torch-1"],
        Twister {
            is_one: |min, max| (max.wrapping_sub(min) as u64) < 1 << 32,
            ..RIGHT
        },
    ),
    fault(
        "mt-fused",
        &["fused-scale", "torch"],
        Twister {
            scale: |x, range, min| x.mul_add(range, min),
            scale_f64: f64::mul_add,
            ..RIGHT
        },
    ),
    fault(
        "mt-multiply-shift",
        &["multiply-shift"],
        Twister {
            remainder: |word, range| {
                if range >> 32 == 0 && word >> 32 == 0 {
                    (word * range) >> 32
                } else {
                    (u128::from(word) * u128::from(range) >> 64) as u64
                }
            },
            ..RIGHT
        },
    ),
    fault(
        "mt-tail-zero",
        &["tail(group = 4, zero)"],
        Twister {
            store: |output| tail(output, 4, |_, _| 0),
            ..RIGHT
        },
    ),
    fault(
        "mt-tail-stale",
        &["tail(group = 16, stale by 16)"],
        Twister {
            store: |output| tail(output, 16, |output, i| if i < 16 { 1 } else { output[i - 16] }),
            ..RIGHT
        },
    ),
    fault(
        "mt-first-zero",
        &["first(1, zero)"],
        Twister {
            store: |output| output.first_mut().into_iter().for_each(|it| *it = 0),
            ..RIGHT
        },
    ),
    fault(
        "mt-reversed",
        &["reversed"],
        Twister {
            element: |i, dims| dims.iter().product::<usize>() - 1 - i,
            ..RIGHT
        },
    ),
    fault(
        "mt-column-major",
        &["column-major"],
        Twister {
            element: column_major,
            ..RIGHT
        },
    ),
    fault(
        "mt-restart-256",
        &["chunk-restart", "repeated(size = 256)"],
        Twister {
            element: |i, _| i % 256,
            ..RIGHT
        },
    ),
    fault(
        "mt-untempered-and-tail",
        &["mt-not-tempered + tail(group = 4, zero)"],
        Twister {
            temper: |y| y,
            store: |output| tail(output, 4, |_, _| 0),
            ..RIGHT
        },
    ),
];
