//! A kernel for RandomUniform-8, TENSORFLOW, f32, as one would write it for a GPU, with a switch at each stage.

use seedproof_ops::{RandomUniform, Response, Tensor};

/// The stages of the kernel. Each right one is in [`RIGHT`].
#[derive(Clone, Copy)]
pub(crate) struct Uniform {
    /// global_seed and op_seed as they arrive.
    pub(crate) seeds: fn(u64, u64) -> (u64, u64),
    /// Whether two seeds of zero are used as they are.
    pub(crate) zeros: bool,
    pub(crate) rounds: u32,
    /// Whether the key is raised from round to round.
    pub(crate) raised: bool,
    /// The index of the block that thread `i` computes.
    pub(crate) block: fn(u64) -> u64,
    /// The order in which a block's words are stored.
    pub(crate) order: [usize; 4],
    pub(crate) word: fn(u32) -> u32,
    pub(crate) unit: fn(u32) -> f32,
    pub(crate) bound: fn(f32) -> f32,
    pub(crate) scale: fn(f32, f32, f32) -> f32,
    /// The element of the stream that element `i` of an output is.
    pub(crate) element: fn(usize, &[usize]) -> usize,
    /// What happens to the finished output.
    pub(crate) store: fn(&mut Vec<f32>, &[usize]),
}

/// The kernel without a fault.
pub(crate) const RIGHT: Uniform = Uniform {
    seeds: |global, op| (global, op),
    zeros: false,
    rounds: 10,
    raised: true,
    block: |i| i,
    order: [0, 1, 2, 3],
    word: |word| word,
    unit: |word| f32::from_bits(0x3f80_0000 | word & 0x7f_ffff) - 1.0,
    bound: |bound| bound,
    scale: |x, min, max| x * (max - min) + min,
    element: |i, _| i,
    store: |_, _| {},
};

pub(super) fn philox(mut counter: [u32; 4], mut key: [u32; 2], rounds: u32, raised: bool) -> [u32; 4] {
    for _ in 0..rounds {
        let wide = |a: u32, b: u32| {
            let product = u64::from(a) * u64::from(b);
            ((product >> 32) as u32, product as u32)
        };
        let (high0, low0) = wide(0xd251_1f53, counter[0]);
        let (high1, low1) = wide(0xcd9e_8d57, counter[2]);
        counter = [
            high1 ^ counter[1] ^ key[0],
            low1,
            high0 ^ counter[3] ^ key[1],
            low0,
        ];
        if raised {
            key = [key[0].wrapping_add(0x9e37_79b9), key[1].wrapping_add(0xbb67_ae85)];
        }
    }
    counter
}

const fn halves(value: u64) -> [u32; 2] {
    [value as u32, (value >> 32) as u32]
}

impl Uniform {
    fn draw(&self, seeds: (u64, u64), bounds: [f32; 2], dims: &[usize]) -> Vec<f32> {
        let count = dims.iter().product();
        let (global, op) = (self.seeds)(seeds.0, seeds.1);
        let [op_low, op_high] = halves(op);
        let value = |i: usize| {
            let at = (self.element)(i, dims);
            let [low, high] = halves((self.block)(at as u64 / 4));
            let block = philox(
                [low, high, op_low, op_high],
                halves(global),
                self.rounds,
                self.raised,
            );
            let word = (self.word)(block[self.order[at % 4]]);
            (self.scale)(
                (self.unit)(word),
                (self.bound)(bounds[0]),
                (self.bound)(bounds[1]),
            )
        };
        let mut output: Vec<f32> = (0..count).map(value).collect();
        (self.store)(&mut output, dims);
        output
    }

    pub(super) fn run(&self, op: &RandomUniform, right: Response) -> Response {
        if (op.global_seed, op.op_seed) == (0, 0) && !self.zeros {
            return right;
        }
        let bound = |tensor: &Tensor| tensor.get(0).map_or(0.0, |it| it.to_f64() as f32);
        let bounds = [bound(&op.minval), bound(&op.maxval)];
        let shape = right.output.shape().clone();
        let output = self.draw((op.global_seed, op.op_seed), bounds, shape.dims());
        Response::of(Tensor::from_elements(shape, &output).expect("the number of elements stays"))
    }
}
