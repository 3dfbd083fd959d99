//! StableHLO's rng_bit_generator.

mod pairs;
mod state;

use seedproof_ops::{
    Dtype, Elements, Failure, Limits, Response, RngAlgorithm, RngBitGenerator, Shape, Stages, Tensor,
};

use self::pairs::Pairs;
use self::state::State;
use super::arithmetic::{Arithmetic, buffer, push, words_buffer};
use super::forms::{changed, joined};
use super::philox::{Block, split_64};
use super::plan::Plan as _;
use super::stream::{PhiloxWords, Words, as_u128, of_shape};
use super::{check, threefry};
use crate::answers::{
    Compiled, DefaultAlgorithm, EmptyDraw, FloatOutput, Layout, NarrowBits, StateGrowth, WideWords, WordOrder,
};
use crate::reading::Reading;
use crate::round::f64_of;

/// A request that will be answered.
pub(super) struct Plan<'a> {
    reading: &'a Reading,
    state: State,
    three_fry: bool,
    dtype: Dtype,
    shape: Shape,
}

/// Appends the words that THREE_FRY draws from key and counter for the first elements, each of one or two words, in
/// row-major order.
pub(super) fn three_fry(
    reading: &Reading,
    [key, counter]: [u64; 2],
    (shape, taken): (&Shape, usize),
    per_element: usize,
    words: &mut Vec<u32>,
) {
    let block = threefry::Block::new(&reading.threefry, key);
    let at = |pair: usize| {
        let number = u64::try_from(pair).unwrap_or(u64::MAX);
        block.words(threefry::counter(&reading.threefry, counter, number))
    };
    let from = words.len();
    if per_element == 2 && reading.stream.layout == Layout::WordPlanes {
        let word = |number: usize| at(number / 2)[number % 2];
        let count = shape.count();
        words.extend((0..taken).flat_map(|element| [word(element), word(count + element)]));
    } else if per_element == 2 {
        words.extend((0..taken).flat_map(at));
    } else {
        let pairs = Pairs::of(&reading.bit_generator, shape);
        words.extend((0..taken).map(|element| {
            let (pair, word) = pairs.place(element);
            at(pair)[word]
        }));
    }
    changed(reading.memory.words, &mut words[from..]);
    if per_element == 2 {
        joined(reading.memory.words, &mut words[from..]);
    }
}

impl<'a> Plan<'a> {
    /// The plan for a request.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for a refused request; [`Failure::Unsupported`] if the reading or the limits exclude it.
    pub(super) fn new(
        reading: &'a Reading,
        request: &RngBitGenerator,
        limits: Limits,
    ) -> Result<Self, Failure> {
        let three_fry = match check::known("rng_algorithm", &request.rng_algorithm)? {
            RngAlgorithm::ThreeFry => true,
            RngAlgorithm::Philox => false,
            RngAlgorithm::Default => reading.bit_generator.default == DefaultAlgorithm::ThreeFry,
        };
        let dtype = check::known("output_type", &request.output_type)?;
        check::dtype_is("initial_state", &request.initial_state, &[Dtype::U64])?;
        let plan = Self {
            reading,
            state: State::of(&reading.bit_generator, &request.initial_state, three_fry)?,
            three_fry,
            dtype,
            shape: limits.shape(dtype, &request.output_sizes)?,
        };
        if plan.is_left_out() {
            return Err(Failure::Unsupported(format!(
                "{} does not compile this",
                reading.name
            )));
        }
        Ok(plan)
    }

    fn is_left_out(&self) -> bool {
        let empty = self.three_fry && !self.is_wide() && self.shape.count() == 0 && self.shape.rank() > 1;
        self.reading.bit_generator.compiled == Compiled::NotHalvesDoublesEmpty
            && (empty || matches!(self.dtype, Dtype::F16 | Dtype::Bf16 | Dtype::F64))
    }

    const fn is_wide(&self) -> bool {
        self.dtype.size() == 8
    }

    fn output(&self, shape: &Shape, words: &[u32]) -> Result<Tensor, Failure> {
        let mut bytes = buffer(self.dtype, shape)?;
        if self.is_packed() {
            let all = words.iter().flat_map(|word| word.to_le_bytes());
            bytes.extend(all.take(shape.count() * self.dtype.size()));
        } else {
            let per_element = if self.is_wide() { self.wide_words() } else { 1 };
            for element in words.chunks_exact(per_element) {
                self.push_element(element, &mut bytes);
            }
        }
        Ok(bytes.into_tensor())
    }

    fn push_element(&self, words: &[u32], bytes: &mut Elements) {
        let answers = &self.reading.bit_generator;
        let width = 8 * u32::try_from(self.dtype.size()).unwrap_or(8);
        let bits = match (words, answers.wide_order) {
            (&[first, second], _) if answers.wide_words == WideWords::Ored => u64::from(first | second),
            (&[first, second], WordOrder::LowFirst) => u64::from(second) << 32 | u64::from(first),
            (&[first, second], WordOrder::HighFirst) => u64::from(first) << 32 | u64::from(second),
            (words, _) if width < 32 && answers.narrow == NarrowBits::High => {
                u64::from(words[0] >> (32 - width))
            }
            (words, _) if width < 32 && !self.dtype.is_float() && answers.narrow == NarrowBits::Saturated => {
                u64::from(words[0]).min((1 << (width - u32::from(self.dtype.is_signed()))) - 1)
            }
            (words, _)
                if width < 32 && !self.dtype.is_float() && answers.narrow == NarrowBits::SaturatedAsType =>
            {
                saturated(words[0], width, self.dtype.is_signed())
            }
            (words, _) => u64::from(words[0]),
        };
        if self.dtype.size() >= 4 && self.dtype.is_float() && answers.floats == FloatOutput::Value {
            let value = Arithmetic::ieee(self.dtype).of_f64(f64_of(bits));
            return push(self.dtype, value, *self.reading.nan, bytes);
        }
        if self.dtype.is_float() && answers.floats == FloatOutput::Uniform {
            let digits = self.dtype.mantissa_bits();
            let own = bits & (u64::MAX >> (64 - width));
            let unit = libm::ldexp(f64_of(own >> (width - digits)), -digits.cast_signed());
            push(
                self.dtype,
                Arithmetic::ieee(self.dtype).of_f64(unit),
                *self.reading.nan,
                bytes,
            );
        } else {
            bytes.extend_from_slice(&bits.to_le_bytes()[..self.dtype.size()]);
        }
    }

    fn is_packed(&self) -> bool {
        self.dtype.size() < 4 && self.reading.bit_generator.narrow == NarrowBits::Packed
    }

    fn wide_words(&self) -> usize {
        match self.reading.bit_generator.wide_words {
            WideWords::Two | WideWords::Ored => 2,
            WideWords::One => 1,
        }
    }

    /// Words that the output takes of Philox.
    fn philox_words(&self) -> usize {
        if self.is_packed() {
            (self.count() * self.dtype.size()).div_ceil(4)
        } else if self.is_wide() {
            self.count() * self.wide_words()
        } else {
            self.count()
        }
    }

    /// The words of the first elements, in row-major order; of Philox, those of all.
    ///
    /// # Errors
    /// [`Failure::Unsupported`] if there is not memory enough.
    fn words(&self, taken: usize) -> Result<Vec<u32>, Failure> {
        let mut words = words_buffer(taken.saturating_mul(2))?;
        if self.three_fry {
            let state = [self.state.key, self.state.low];
            // A pair is a block, of which a wide element may take one word.
            let wide = if self.is_wide() { 2 } else { 1 };
            three_fry(self.reading, state, (&self.shape, taken), wide, &mut words);
            if self.is_wide() && self.wide_words() == 1 {
                words = words.into_iter().step_by(2).collect();
            }
        } else {
            let block = Block::new(&self.reading.philox, split_64(self.state.key));
            let (count, per_element) = match self.philox_words() {
                words if self.is_wide() && self.wide_words() == 2 => (words / 2, 2),
                words => (words, 1),
            };
            let layout = of_shape(self.reading.stream.layout, &self.shape);
            let stream = PhiloxWords::new(
                block,
                self.state.counter(self.reading),
                layout,
                per_element,
                count,
            );
            Words::philox(stream, self.reading.memory.words).take(count, per_element, &mut words);
        }
        Ok(words)
    }

    /// By how much the state's counter grows.
    fn growth(&self) -> u128 {
        let answers = &self.reading.bit_generator;
        if self.count() == 0 {
            return match answers.empty {
                EmptyDraw::Nothing => 0,
                EmptyDraw::OneBlock => 1,
            };
        }
        let per_block = if self.three_fry { 2 } else { 4 };
        let words = if self.three_fry {
            self.count() * if self.is_wide() { 2 } else { 1 }
        } else {
            self.philox_words()
        };
        let blocks = match (self.three_fry, self.is_wide()) {
            (true, true) => self.count(),
            (true, false) => Pairs::of(answers, &self.shape).count(),
            (false, _) => words.div_ceil(4),
        };
        as_u128(match answers.growth {
            StateGrowth::Blocks => blocks,
            StateGrowth::OneMore => blocks + 1,
            StateGrowth::WholeBlocks => words / per_block,
            StateGrowth::Elements => self.count(),
            StateGrowth::NarrowBlocks => self.count().div_ceil(per_block),
            StateGrowth::Words => words,
            StateGrowth::Bytes => {
                let bytes = self.count() * self.dtype.size();
                bytes.div_ceil(4 * per_block)
            }
            StateGrowth::One => 1,
            StateGrowth::Nothing => 0,
        })
    }
}

/// The nearest value of a narrow integer type to a word that is signed as the type is.
fn saturated(word: u32, width: u32, is_signed: bool) -> u64 {
    if is_signed {
        let greatest = (1 << (width - 1)) - 1;
        return i64::from(word.cast_signed().clamp(-greatest - 1, greatest)).cast_unsigned();
    }
    u64::from(word).min((1 << width) - 1)
}

impl super::plan::Plan for Plan<'_> {
    /// Elements of the output.
    fn count(&self) -> usize {
        self.shape.count()
    }

    /// Output and state.
    fn run(&self, _: &dyn Fn() -> u64) -> Result<Response, Failure> {
        let words = self.words(self.count())?;
        let output = self.output(&self.shape, &words)?;
        let state = self.state.after(self.reading, self.growth());
        Ok(Response {
            output,
            more: vec![Tensor::vector(&state)],
        })
    }

    fn first(&self, count: usize, entropy: &dyn Fn() -> u64) -> Result<Tensor, Failure> {
        if !self.three_fry || self.count() <= count {
            return Ok(self.run(entropy)?.output);
        }
        self.output(&Shape::vector(count), &self.words(count)?)
    }

    /// Words and output.
    fn stages(&self, _: &dyn Fn() -> u64) -> Result<Stages, Failure> {
        let words = self.words(self.count())?;
        Ok(Stages {
            words_per_element: if self.is_wide() { self.wide_words() } else { 1 },
            words_per_block: match (self.three_fry, self.is_wide()) {
                (false, _) => 4,
                (true, true) => 2,
                (true, false) => 1,
            },
            counters: Vec::new(),
            unit: None,
            scaled: self.output(&self.shape, &words)?,
            words,
        })
    }
}
