//! A valid request in the form that kernels use: streams of words, and a conversion of words to elements.

use std::iter::successors;

use half::{bf16, f16};
use seedproof_ops::{Digest, Dtype, Failure, Response, Shape, Stages, Tensor, standard};

use super::bounds::{Bounds, single};
use super::{assert_length, digest, output_bytes};
use crate::level::Level;
use crate::mt19937::{self, Mt19937, N, Start};
use crate::philox::{Philox, PhiloxKey};
use crate::plan::Entered;
use crate::plan::sealed::Fill as _;
use crate::rule::{Bits, HIGH_FIRST, LOW_FIRST};
use crate::threefry::{Pairs, Threefry};
use crate::value::{fill_integers, fill_normals, is_wide};
use crate::{split, stop};

/// A valid request.
#[derive(Clone, Debug)]
pub struct Draw {
    /// The element type of the first output.
    pub dtype: Dtype,
    /// The shape of the first output.
    pub shape: Shape,
    /// The streams of its words.
    pub source: Source,
    /// The conversion from words to elements.
    pub conversion: Conversion,
    /// The further outputs.
    pub more: Vec<Tensor>,
    /// Elements of the stream that the further outputs take, after those of the first.
    pub beyond: usize,
}

/// The streams of an output's words.
#[derive(Clone, Debug)]
pub enum Source {
    /// One stream, from its first word on.
    Philox(Philox),
    /// The words of MT19937 from a seed.
    Mt19937(u32),
    /// One stream for each run of elements.
    Keys(Keys),
    /// One stream of pairs of words. Elements of eight bytes take the pairs in order, and smaller ones
    /// in the order of [`Pairs`].
    Threefry(Threefry, Pairs),
}

/// Keys of `torch.func._random`, and the elements that each of them draws.
#[derive(Clone, Debug)]
pub struct Keys {
    /// The keys.
    pub keys: Vec<PhiloxKey>,
    /// The elements of one stream, at least 1.
    pub each: usize,
    /// The extents of the array of streams, outermost first, each with its stride in the list of keys.
    pub extents: Vec<[usize; 2]>,
    /// The first block of the first stream.
    pub first: u64,
    /// The number of streams after which they start one block later; 0 if they never do.
    pub period: usize,
}

impl Keys {
    /// The stream whose first element has the index `index * each`.
    pub fn stream(&self, index: usize) -> PhiloxKey {
        let (mut rest, mut key) = (index, 0);
        for &[extent, stride] in self.extents.iter().rev() {
            key += rest % extent * stride;
            rest /= extent;
        }
        let later = index.checked_div(self.period).unwrap_or(0);
        let later = u64::try_from(later).expect("an index fits 64 bits");
        self.keys[key].skip(self.first.wrapping_add(later))
    }
}

/// A conversion from words to elements.
#[derive(Clone, Copy, Debug)]
pub enum Conversion {
    /// Floats between two bounds of any value, by the rule of TENSORFLOW under [`Source::Philox`] and of PYTORCH under
    /// [`Source::Mt19937`] and [`Source::Keys`].
    Floats {
        /// Lower bound.
        low: f64,
        /// Upper bound.
        high: f64,
    },
    /// i32 or i64 in `[low, high)`, as RandomUniform-8 draws them: by the rule of TENSORFLOW under [`Source::Philox`]
    /// and of PYTORCH under [`Source::Mt19937`], where the upper bound decides the words that an i64 takes.
    Between {
        /// Lower bound.
        low: i64,
        /// Upper bound.
        high: i64,
    },
    /// Normals of f32, f16 or bf16, as TensorFlow makes them under [`Source::Philox`], and PyTorch under
    /// [`Source::Mt19937`] and [`Source::Keys`]; TensorFlow's have the mean 0 and the deviation 1.
    Normals {
        /// The mean.
        mean: f64,
        /// The standard deviation.
        std: f64,
    },
    /// Integers of the element's size, whatever its type.
    Integers {
        /// The number that is added.
        min: u64,
        /// The divisor whose remainder is taken; 0 for the number itself.
        range: u64,
        /// Whether the first of two words is the high one.
        high_first: bool,
    },
}

impl Conversion {
    /// The words as they are, the low one first.
    pub const BITS: Self = Self::Integers {
        min: 0,
        range: 0,
        high_first: false,
    };
}

impl Draw {
    /// The bounds as kernels take them.
    pub fn bounds(&self) -> Bounds {
        match self.conversion {
            Conversion::Floats { low, high } => Bounds::of_floats(self.dtype, low, high),
            Conversion::Between { low, high } => Bounds::of_integers(self.dtype, low, high),
            Conversion::Normals { mean, std } => {
                let [min, range] = [mean, std].map(|x| u64::from(single(x).to_bits()));
                Bounds { min, range }
            }
            Conversion::Integers { min, range, .. } => Bounds { min, range },
        }
    }

    /// The words of each element: 1 or 2.
    pub const fn words_per_element(&self) -> usize {
        match (self.conversion, &self.source) {
            (Conversion::Between { high, .. }, Source::Mt19937(_)) if !is_wide(high) => 1,
            _ => self.dtype.size().div_ceil(4),
        }
    }

    /// The draw of the same words without a conversion. The words of an element are one element of 32 or 64 bits.
    fn words(&self) -> Self {
        let dims = match self.beyond {
            0 => self.shape.to_u64(),
            beyond => vec![u64::try_from(self.shape.count() + beyond).expect("a count fits 64 bits")],
        };
        Self {
            dtype: if self.words_per_element() == 2 {
                Dtype::U64
            } else {
                Dtype::U32
            },
            shape: Shape::new(&dims).expect("an output with this number of elements was within the limit"),
            source: self.source.clone(),
            conversion: Conversion::BITS,
            more: Vec::new(),
            beyond: 0,
        }
    }

    /// The draw of the values in the unit interval; `None` for integers and normals.
    fn unit(&self) -> Option<Self> {
        let conversion = match self.conversion {
            Conversion::Floats { .. } => Conversion::Floats { low: 0.0, high: 1.0 },
            // The uniforms of a radius and of an angle are not conversions of one kind.
            Conversion::Between { .. } | Conversion::Normals { .. } | Conversion::Integers { .. } => {
                return None;
            }
        };
        let more = Vec::new();
        Some(Self {
            conversion,
            more,
            ..self.clone()
        })
    }

    /// The words of a block, by which a report names the place of an element.
    fn words_per_block(&self) -> usize {
        match &self.source {
            // The elements of a batch come from several streams, unless each is a block.
            Source::Keys(keys) if keys.keys.len() > 1 && keys.period == 0 => 1,
            Source::Philox(_) | Source::Keys(_) => 4,
            Source::Threefry(..) if self.words_per_element() == 2 => 2,
            // Neighbours in the output of Threefry are not neighbours in the stream; words of
            // MT19937 are tempered one by one.
            Source::Threefry(..) | Source::Mt19937(_) => 1,
        }
    }

    /// The stages of this draw. `fill` makes the bytes of a draw, so that a GPU's kernels can be examined as well.
    ///
    /// # Errors
    /// Those of `fill`.
    pub fn stages<E>(self, fill: impl Fn(&Self) -> Result<Vec<u8>, E>) -> Result<Stages, E> {
        let words = fill(&self.words())?;
        let (words, _) = words.as_chunks();
        let unit = match self.unit() {
            Some(unit) => {
                let bytes = fill(&unit)?;
                Some(unit.response(bytes).output)
            }
            None => None,
        };
        let bytes = fill(&self)?;
        Ok(Stages {
            words: words.iter().map(|&word| u32::from_le_bytes(word)).collect(),
            words_per_element: self.words_per_element(),
            words_per_block: self.words_per_block(),
            counters: Vec::new(),
            unit,
            scaled: self.response(bytes).output,
        })
    }

    /// The answer whose first output has these bytes, least significant first.
    ///
    /// # Panics
    /// Unless they are as many as the output takes.
    pub fn response(self, bytes: Vec<u8>) -> Response {
        Response {
            output: Tensor::new(self.dtype, self.shape, bytes).expect("the bytes were counted by the shape"),
            more: self.more,
        }
    }

    /// The op's value.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for it.
    pub(crate) fn run(self, level: Level) -> Result<Response, Failure> {
        let bytes = self.bytes(level)?;
        Ok(self.response(bytes))
    }

    /// The bytes of the first output.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for them.
    pub(crate) fn bytes(&self, level: Level) -> Result<Vec<u8>, Failure> {
        let mut bytes = output_bytes(self.dtype, self.shape.count())?;
        self.fill(level, &mut bytes);
        Ok(bytes)
    }

    /// Writes the bytes of the first output.
    pub(crate) fn fill(&self, level: Level, out: &mut [u8]) {
        let (count, size) = (self.shape.count(), self.dtype.size());
        assert_length(out, self.dtype, count);
        if count == 0 {
            return;
        }
        standard(|| match &self.source {
            Source::Philox(philox) => self.fill_stream(level, Entered::Philox(*philox), out),
            Source::Mt19937(seed) => self.fill_stream(level, Entered::Mt19937(Start::Seed(*seed)), out),
            Source::Keys(keys) => split::for_each(count, out, keys.each * size, |index, out| {
                self.fill_stream(level, Entered::Key(keys.stream(index)), out);
            }),
            Source::Threefry(threefry, pairs) => fill_pairs(level, *threefry, *pairs, size, 0, out),
        });
    }

    /// The digest of the first output if it has many chunks. Of MT19937, a state of 2.5 KiB is kept for each chunk.
    pub(crate) fn digest(&self, level: Level) -> Option<Digest> {
        let (count, words) = (self.shape.count(), Digest::CHUNK * self.words_per_element());
        let states = match self.source {
            Source::Mt19937(seed) if count > Digest::CHUNK => {
                let next = |state: &Mt19937| (!stop::is_set()).then(|| state.clone().skip(words));
                let states = successors(Some(Mt19937::new(seed, N)), next);
                states.take(count.div_ceil(Digest::CHUNK) - 1).collect()
            }
            _ => Vec::new(),
        };
        digest(self.dtype, &self.shape, |first, out| {
            self.fill_chunk(level, first, &states, out)
        })
    }

    /// Writes the elements from `first` on, a multiple of [`Digest::CHUNK`]. `states` are those of MT19937 at all chunks
    /// but the last; `None` if they are fewer, because the work was stopped.
    fn fill_chunk(&self, level: Level, first: usize, states: &[Mt19937], out: &mut [u8]) -> Option<()> {
        let size = self.dtype.size();
        match &self.source {
            // A chunk begins with a block.
            Source::Philox(philox) => {
                let generator = Entered::Philox(philox.skip(self.blocks(first)));
                self.fill_stream(level, generator, out);
            }
            Source::Mt19937(_) => {
                // The last sixteen normals of PyTorch are made together and may lie in the last two chunks.
                let count = self.shape.count();
                let last = (count.div_ceil(Digest::CHUNK) - 2) * Digest::CHUNK;
                let start = first.min(last);
                let generator = Entered::Mt19937(Start::State(states.get(start / Digest::CHUNK)?));
                if start < last {
                    self.fill_stream(level, generator, out);
                } else {
                    let mut both = vec![0; (count - last) * size];
                    self.fill_stream(level, generator, &mut both);
                    out.copy_from_slice(&both[(first - last) * size..][..out.len()]);
                }
            }
            Source::Keys(keys) => self.fill_keys(level, keys, first, out),
            Source::Threefry(threefry, pairs) => fill_pairs(level, *threefry, *pairs, size, first, out),
        }
        Some(())
    }

    /// The blocks that make some elements of one stream.
    fn blocks(&self, elements: usize) -> u64 {
        u64::try_from(elements * self.words_per_element() / 4).expect("an index fits 64 bits")
    }

    fn fill_keys(&self, level: Level, keys: &Keys, first: usize, out: &mut [u8]) {
        let (size, words) = (self.dtype.size(), self.words_per_element());
        let (mut at, mut rest) = (first, out);
        while !rest.is_empty() {
            let (stream, start) = (keys.stream(at / keys.each), at % keys.each);
            let part;
            let left = (keys.each - start) * size;
            (part, rest) = rest.split_at_mut(left.min(rest.len()));
            at += part.len() / size;
            let generator = Entered::Key(stream.skip(self.blocks(start)));
            // A stream that begins within a chunk may be cut by the next one inside a block.
            let lead = start % (4 / words) * size;
            if lead == 0 {
                self.fill_stream(level, generator, part);
            } else {
                let mut whole = vec![0; lead + part.len()];
                self.fill_stream(level, generator, &mut whole);
                part.copy_from_slice(&whole[lead..]);
            }
        }
    }

    fn fill_stream(&self, level: Level, generator: Entered<'_>, out: &mut [u8]) {
        let size = self.dtype.size();
        match (self.conversion, generator) {
            (Conversion::Floats { low, high }, _) => {
                // Half types are rounded by way of f32, as PyTorch converts its bounds. Those of
                // RandomUniform-8 are exact already.
                let [low32, high32] = [low, high].map(single);
                let [low16, high16] = [low32, high32].map(f16::from_f32);
                let [low_b16, high_b16] = [low32, high32].map(bf16::from_f32);
                match self.dtype {
                    Dtype::F16 => f16::fill(level, generator, low16, high16, out),
                    Dtype::Bf16 => bf16::fill(level, generator, low_b16, high_b16, out),
                    Dtype::F32 => f32::fill(level, generator, low32, high32, out),
                    _ => f64::fill(level, generator, low, high, out),
                }
            }
            (Conversion::Between { low, high }, _) if self.dtype == Dtype::I64 => {
                i64::fill(level, generator, low, high, out);
            }
            (Conversion::Between { low, high }, _) => {
                let [low, high] =
                    [low, high].map(|bound| i32::try_from(bound).expect("bounds of an i32 are i32"));
                i32::fill(level, generator, low, high, out);
            }
            (Conversion::Normals { mean, std }, _) => {
                fill_normals(level, generator, self.dtype, [mean, std], out);
            }
            (Conversion::Integers { min, range, .. }, Entered::Philox(philox)) => {
                fill_integers::<LOW_FIRST>(level, philox, size, [min, range], out);
            }
            (
                Conversion::Integers {
                    min,
                    range,
                    high_first,
                },
                Entered::Key(key),
            ) => {
                if high_first {
                    fill_integers::<HIGH_FIRST>(level, key, size, [min, range], out);
                } else {
                    fill_integers::<LOW_FIRST>(level, key, size, [min, range], out);
                }
            }
            // The words themselves, for the stages: no op draws other integers of all bits from MT19937.
            (Conversion::Integers { .. }, Entered::Mt19937(start)) => {
                mt19937::fill(level, start, Bits, out, &mut []);
            }
        }
    }
}

/// Fills `out` with elements of `size` bytes of the pairs, from the element `first` on.
fn fill_pairs(level: Level, threefry: Threefry, pairs: Pairs, size: usize, first: usize, out: &mut [u8]) {
    match size {
        1 => pairs.fill::<1>(level, threefry, first, out),
        2 => pairs.fill::<2>(level, threefry, first, out),
        4 => pairs.fill::<4>(level, threefry, first, out),
        _ => {
            let blocks = u64::try_from(first).expect("an index fits 64 bits");
            fill_integers::<LOW_FIRST>(level, threefry.skip(blocks), size, [0, 0], out);
        }
    }
}
