//! A kernel for Multinomial-13 with a switch at each stage.

use seedproof_ops::{Dtype, Multinomial, Response, Scalar, Tensor};

use super::uniform::philox;

/// The stages of the kernel. Each right one is in [`RIGHT`].
#[derive(Clone, Copy)]
pub(crate) struct Classes {
    /// A draw, of its two words.
    pub(crate) draw: fn(u32, u32) -> f64,
    /// The index of the draw for sample `j` of row `i`, given the numbers of rows and samples.
    pub(crate) index: fn(usize, usize, usize, usize) -> usize,
    pub(crate) rounds: u32,
    pub(crate) exp: fn(f64) -> f64,
    pub(crate) normalize: bool,
    /// Whether class `k` is the one, of a draw and the class's cumulative probability.
    pub(crate) is_it: fn(f64, f64) -> bool,
    /// Whether sums are lowered after a class was drawn.
    pub(crate) lowered: bool,
    pub(crate) replacement: fn(bool) -> bool,
    pub(crate) class: fn(usize) -> usize,
    pub(crate) store: fn(&mut Vec<i64>),
}

/// The kernel without a fault.
pub(super) const RIGHT: Classes = Classes {
    draw: |first, second| {
        f64::from_bits(1023 << 52 | u64::from(first & 0xf_ffff) << 32 | u64::from(second)) - 1.0
    },
    index: |i, j, _, samples| i * samples + j,
    rounds: 10,
    exp: libm::exp,
    normalize: true,
    is_it: |u, c| u <= c,
    lowered: true,
    replacement: |flag| flag,
    class: |k| k,
    store: |_| {},
};

impl Classes {
    fn draws(&self, op: &Multinomial, count: usize) -> Vec<f64> {
        if let Some(draws) = &op.draws {
            return draws.scalars().map(Scalar::to_f64).collect();
        }
        let halves = |value: u64| [value as u32, (value >> 32) as u32];
        let ([k0, k1], [c2, c3]) = (halves(op.global_seed), halves(op.op_seed));
        let block = |i: u32| philox([i, 0, c2, c3], [k0, k1], self.rounds, true);
        let draw = |i: usize| {
            let words = block(i as u32 / 2);
            (self.draw)(words[i % 2 * 2], words[i % 2 * 2 + 1])
        };
        (0..count).map(draw).collect()
    }

    pub(crate) fn run(&self, op: &Multinomial, right: &Response) -> Response {
        let shape = right.output.shape().clone();
        let [rows, samples] = *shape.dims() else {
            unreachable!("an output has two axes")
        };
        let draws = self.draws(op, rows * samples);
        let classes = op.probs.shape().dims()[1];
        let probs: Vec<f64> = op.probs.scalars().map(Scalar::to_f64).collect();
        let mut output = Vec::new();
        for i in 0..rows {
            let weights = probs[i * classes..][..classes].iter();
            let weights = weights.map(|&x| if op.log_probs { (self.exp)(x) } else { x });
            let row: Vec<f64> = weights.collect();
            let mut sums: Vec<f64> = row
                .iter()
                .scan(0.0, |sum, weight| {
                    *sum += weight;
                    Some(*sum)
                })
                .collect();
            if self.normalize {
                divide(&mut sums);
            }
            let mut allowed: Vec<bool> = row.iter().map(|&weight| weight != 0.0).collect();
            for j in 0..samples {
                let u = draws[(self.index)(i, j, rows, samples)];
                let found = (0..classes).find(|&k| allowed[k] && (self.is_it)(u, sums[k]));
                let last = || (0..classes).rev().find(|&k| allowed[k]);
                let k = found.or_else(last).unwrap_or(0);
                output.push((self.class)(k) as i64);
                if (self.replacement)(op.with_replacement) {
                    continue;
                }
                allowed[k] = false;
                if self.lowered {
                    let before = if k == 0 { 0.0 } else { sums[k - 1] };
                    let share = sums[k] - before;
                    sums[k..].iter_mut().for_each(|sum| *sum -= share);
                    divide(&mut sums);
                }
            }
        }
        (self.store)(&mut output);
        let tensor = if right.output.dtype() == Dtype::I32 {
            let narrow: Vec<i32> = output.iter().map(|&k| k as i32).collect();
            Tensor::from_elements(shape, &narrow)
        } else {
            Tensor::from_elements(shape, &output)
        };
        Response::of(tensor.expect("the number of elements stays"))
    }
}

fn divide(sums: &mut [f64]) {
    let last = sums.last().copied().unwrap_or(1.0);
    for sum in sums {
        *sum /= last;
    }
}
