//! A kernel for RandomUniform-8, PYTORCH, every type, with a switch at each stage.

use half::{bf16, f16};
use seedproof_ops::{Dtype, RandomUniform, Response, Scalar, Tensor};

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
    /// Converts the word of an element to a number in [0, 1) with this many digits.
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

/// The kernel without a fault.
pub(super) const RIGHT: Twister = Twister {
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
