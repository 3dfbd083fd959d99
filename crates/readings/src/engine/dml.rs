//! DirectML's RandomGenerator.

use seedproof_ops::{DmlRandomGenerator, Dtype, Failure, Limits, Response, Shape, Stages, Tensor};

use super::arithmetic::buffer;
use super::check;
use super::philox::{Block, join, raise, split, split_64};
use super::seeds::cut;
use super::stream::{Counter, PhiloxWords, Words, as_u128, of_shape};
use crate::answers::{DrawnFrom, Increment, KeyAfter, OutputBits, StateLayout, StateShape};
use crate::reading::Reading;

/// Elements whose words are drawn at a time.
const CHUNK: usize = 4096;

/// A request that will be answered.
pub(super) struct Plan<'a> {
    reading: &'a Reading,
    request: &'a DmlRandomGenerator,
    shape: Shape,
}

impl<'a> Plan<'a> {
    /// The plan for a request.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for a refused request; [`Failure::Unsupported`] if the reading or the limits
    /// exclude it.
    pub(super) fn new(
        reading: &'a Reading,
        request: &'a DmlRandomGenerator,
        limits: Limits,
    ) -> Result<Self, Failure> {
        check::dml(reading, request)?;
        Ok(Self {
            reading,
            request,
            shape: limits.shape(Dtype::U32, &request.output_sizes)?,
        })
    }

    fn stream(&self) -> Words {
        let (mut counter, key) = self.state_before();
        if self.reading.dml.drawn_from == DrawnFrom::Output && self.request.output_state {
            counter.base = self.raised(counter);
        }
        let block = Block::new(&self.reading.philox, key);
        let layout = of_shape(self.reading.stream.layout, &self.shape);
        let words = PhiloxWords::new(block, counter, layout, 1, self.shape.count());
        Words::philox(words, self.reading.memory.words)
    }

    fn handed_out(&self, word: u32) -> u32 {
        match self.reading.dml.output_bits {
            OutputBits::All => word,
            OutputBits::High31 => word >> 1,
        }
    }

    fn state_before(&self) -> (Counter, [u32; 2]) {
        let state: Vec<u32> = self
            .request
            .input_state
            .elements()
            .map(Iterator::collect)
            .unwrap_or_default();
        let &[a, b, c, d, e, f] = state.as_slice() else {
            unreachable!("a state of another form was refused");
        };
        let (counter, key) = match self.reading.dml.state_layout {
            StateLayout::LowFirst | StateLayout::CounterHighFirstWritten => ([a, b, c, d], [e, f]),
            StateLayout::CounterHighFirst | StateLayout::CounterHighFirstRead => ([d, c, b, a], [e, f]),
            StateLayout::CounterHalvesExchanged => ([c, d, a, b], [e, f]),
            StateLayout::KeyHighFirst => ([a, b, c, d], [f, e]),
            StateLayout::KeyFirst | StateLayout::KeyFirstRead => ([c, d, e, f], [a, b]),
            StateLayout::BytesReversed => ([a, b, c, d].map(u32::swap_bytes), [e, f].map(u32::swap_bytes)),
        };
        let key = cut(
            self.reading.stream.key_bits,
            u64::from(key[1]) << 32 | u64::from(key[0]),
        );
        (Counter::new(join(counter), &self.reading.stream), split_64(key))
    }

    /// The counter after the run.
    fn raised(&self, counter: Counter) -> u128 {
        let count = as_u128(self.shape.count());
        let quarter = count.div_ceil(4);
        match self.reading.dml.increment {
            Increment::CeilQuarter => counter.raised(counter.base, quarter),
            Increment::FloorQuarter => counter.raised(counter.base, count / 4),
            Increment::OneMore => counter.raised(counter.base, quarter + 1),
            Increment::Elements => counter.raised(counter.base, count),
            Increment::Rows => {
                let row = as_u128(self.shape.dims().last().copied().unwrap_or(1));
                counter.raised(counter.base, count / row.max(1) * row.div_ceil(4))
            }
            Increment::One => counter.raised(counter.base, 1),
            Increment::Nothing => counter.base,
            Increment::Blocks256 => counter.raised(counter.base, 256 * quarter),
            Increment::Groups(blocks) => {
                counter.raised(counter.base, quarter.next_multiple_of(u128::from(blocks.max(1))))
            }
            Increment::Within32 => counter.raised_within(32, quarter),
            Increment::Within64 => counter.raised_within(64, quarter),
            Increment::Within96 => counter.raised_within(96, quarter),
            Increment::Lowered => counter.base.wrapping_sub(quarter),
        }
    }

    fn state_after(&self) -> Tensor {
        let (counter, mut key) = self.state_before();
        let value = self.raised(counter);
        match self.reading.dml.key_after {
            KeyAfter::Unchanged => {}
            KeyAfter::Raised | KeyAfter::OfLastRound => {
                let raised = self.reading.dml.key_after == KeyAfter::Raised;
                for _ in u32::from(!raised)..self.reading.philox.rounds.0 {
                    raise(&self.reading.philox, &mut key);
                }
            }
            KeyAfter::LowTwice => key[1] = key[0],
            KeyAfter::Incremented => {
                let carried = u32::from(key[0] == u32::MAX);
                key = [key[0].wrapping_add(1), key[1].wrapping_add(carried)];
            }
        }
        let ([a, b, c, d], [e, f]) = (split(value), key);
        let words = match self.reading.dml.state_layout {
            StateLayout::LowFirst | StateLayout::KeyFirstRead | StateLayout::CounterHighFirstRead => {
                [a, b, c, d, e, f]
            }
            StateLayout::CounterHighFirst | StateLayout::CounterHighFirstWritten => [d, c, b, a, e, f],
            StateLayout::CounterHalvesExchanged => [c, d, a, b, e, f],
            StateLayout::KeyHighFirst => [a, b, c, d, f, e],
            StateLayout::KeyFirst => [e, f, a, b, c, d],
            StateLayout::BytesReversed => [a, b, c, d, e, f].map(u32::swap_bytes),
        };
        let shape = match self.reading.dml.state_shape {
            StateShape::AsInput => self.request.input_state.shape().clone(),
            StateShape::Rank4 => Shape::new(&[1, 1, 1, 6]).expect("six elements fit"),
        };
        Tensor::from_elements(shape, &words).expect("a state has six words")
    }
}

impl super::plan::Plan for Plan<'_> {
    /// Elements of the output.
    fn count(&self) -> usize {
        self.shape.count()
    }

    /// The value, and the state if it is asked for.
    fn run(&self, _: &dyn Fn() -> u64) -> Result<Response, Failure> {
        let mut bytes = buffer(Dtype::U32, &self.shape)?;
        let mut words = self.stream();
        let mut drawn = Vec::new();
        let mut left = self.shape.count();
        while left > 0 {
            let count = left.min(CHUNK);
            drawn.clear();
            words.take(count, 1, &mut drawn);
            bytes.extend(drawn.iter().flat_map(|&word| self.handed_out(word).to_le_bytes()));
            left -= count;
        }
        Ok(Response {
            output: bytes.into_tensor(),
            more: self
                .request
                .output_state
                .then(|| self.state_after())
                .into_iter()
                .collect(),
        })
    }

    /// The generator's words and the output.
    fn stages(&self, _: &dyn Fn() -> u64) -> Result<Stages, Failure> {
        let mut words = Vec::new();
        self.stream().take(self.shape.count(), 1, &mut words);
        Ok(Stages::of_philox(words, 1, self.run(&|| 0)?.output))
    }
}
