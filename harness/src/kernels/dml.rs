//! A kernel for DirectML's RandomGenerator, with a switch at each stage.

use seedproof_ops::{DmlRandomGenerator, Response, Tensor};

use super::uniform::philox;

/// The words of the counter and of the key.
pub(crate) type CounterAndKey = ([u32; 4], [u32; 2]);

/// The stages of the kernel. Each right one is in [`RIGHT`].
#[derive(Clone, Copy)]
pub(crate) struct Dml {
    /// The words of the state as they are read: the counter's and the key's.
    pub(crate) read: fn([u32; 6]) -> CounterAndKey,
    /// The counter of block `i`.
    pub(crate) block: fn(u128, u128) -> u128,
    pub(crate) rounds: u32,
    pub(crate) order: [usize; 4],
    pub(crate) word: fn(u32) -> u32,
    /// The element of the stream that element `i` of an output is.
    pub(crate) element: fn(usize, &[usize]) -> usize,
    pub(crate) store: fn(&mut Vec<u32>),
    /// The counter after this many elements.
    pub(crate) after: fn(u128, u128) -> u128,
    /// The words of the state as they are written.
    pub(crate) write: fn([u32; 4], [u32; 2]) -> [u32; 6],
}

/// The kernel without a fault.
pub(super) const RIGHT: Dml = Dml {
    read: |[c0, c1, c2, c3, k0, k1]| ([c0, c1, c2, c3], [k0, k1]),
    block: u128::wrapping_add,
    rounds: 10,
    order: [0, 1, 2, 3],
    word: |word| word,
    element: |i, _| i,
    store: |_| {},
    after: |counter, count| counter.wrapping_add(count.div_ceil(4)),
    write: |[c0, c1, c2, c3], [k0, k1]| [c0, c1, c2, c3, k0, k1],
};

fn words(counter: u128) -> [u32; 4] {
    [0, 32, 64, 96].map(|shift| (counter >> shift) as u32)
}

impl Dml {
    pub(crate) fn run(&self, request: &DmlRandomGenerator, right: &Response) -> Response {
        let state: Vec<u32> = request
            .input_state
            .elements()
            .expect("the state is u32")
            .collect();
        let state: [u32; 6] = state.try_into().expect("the state has six words");
        let (counter, key) = (self.read)(state);
        let counter = (0..4).fold(0, |all, i| all | u128::from(counter[i]) << (32 * i));
        let shape = right.output.shape().clone();
        let value = |i: usize| {
            let at = (self.element)(i, shape.dims());
            let block = (self.block)(counter, at as u128 / 4);
            (self.word)(philox(words(block), key, self.rounds, true)[self.order[at % 4]])
        };
        let count = shape.count();
        let mut output: Vec<u32> = (0..count).map(value).collect();
        (self.store)(&mut output);
        let after = (self.write)(words((self.after)(counter, count as u128)), key);
        let more = right.more.iter().map(|state| {
            Tensor::from_elements(state.shape().clone(), &after).expect("the state has six words")
        });
        Response {
            more: more.collect(),
            output: Tensor::from_elements(shape, &output).expect("the number of elements stays"),
        }
    }
}
