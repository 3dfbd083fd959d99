//! A valid request in the form that kernels use: streams of words, and a conversion of words to elements.

use half::{bf16, f16};
use seedproof_ops::{Digest, Dtype, Failure, Response, Shape, Stages, Tensor, standard};

use super::bounds::{Bounds, single};
use super::{assert_length, output_bytes};
use crate::plan::sealed::Fill as _;
use crate::rule::{HIGH_FIRST, LOW_FIRST};
use crate::value::{fill_integers, fill_normals, is_wide};
use crate::{Generator, Level, Pairs, Philox, PhiloxKey, Threefry, split};

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
            Source::Philox(philox) => self.fill_stream(level, Generator::Philox(*philox), out),
            Source::Mt19937(seed) => self.fill_stream(level, Generator::Mt19937 { seed: *seed }, out),
            Source::Keys(keys) => split::for_each(count, out, keys.each * size, |index, out| {
                self.fill_stream(level, Generator::Key(keys.stream(index)), out);
            }),
            Source::Threefry(threefry, pairs) => match size {
                1 => pairs.fill::<1>(level, *threefry, out),
                2 => pairs.fill::<2>(level, *threefry, out),
                4 => pairs.fill::<4>(level, *threefry, out),
                _ => fill_integers::<LOW_FIRST>(level, *threefry, size, [0, 0], out),
            },
        });
    }

    /// The digest of the first output, of which each thread holds one chunk at a time; `None` unless the stream can be
    /// entered at every chunk. MT19937 has no such entrance, and the pairs of Threefry lie in an order of the whole output.
    pub(crate) fn digest(&self, level: Level) -> Option<Digest> {
        if !matches!(self.source, Source::Philox(_) | Source::Keys(_)) {
            return None;
        }
        let (count, size) = (self.shape.count(), self.dtype.size());
        let mut chunks = vec![[0; 32]; count.div_ceil(Digest::CHUNK)];
        split::for_each(count, &mut chunks, 1, |index, digest| {
            let first = index * Digest::CHUNK;
            let mut out = vec![0; (count - first).min(Digest::CHUNK) * size];
            standard(|| self.fill_chunk(level, first, &mut out));
            digest[0] = Digest::of_chunk(&out);
        });
        let (dtype, shape) = (self.dtype, self.shape.clone());
        Some(Digest { dtype, shape, chunks })
    }

    /// Writes the elements from `first` on, a multiple of [`Digest::CHUNK`] and so the beginning of a block of an output
    /// of one stream.
    fn fill_chunk(&self, level: Level, first: usize, out: &mut [u8]) {
        let (size, words) = (self.dtype.size(), self.words_per_element());
        let blocks = |elements: usize| u64::try_from(elements * words / 4).expect("an index fits 64 bits");
        let keys = match &self.source {
            Source::Philox(philox) => {
                let philox = philox.skip(blocks(first));
                return self.fill_stream(level, Generator::Philox(philox), out);
            }
            Source::Keys(keys) => keys,
            Source::Mt19937(_) | Source::Threefry(..) => unreachable!("these are not drawn in chunks"),
        };
        let (mut at, mut rest) = (first, out);
        while !rest.is_empty() {
            let (stream, start) = (keys.stream(at / keys.each), at % keys.each);
            let part;
            let left = (keys.each - start) * size;
            (part, rest) = rest.split_at_mut(left.min(rest.len()));
            at += part.len() / size;
            let generator = Generator::Key(stream.skip(blocks(start)));
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

    fn fill_stream(&self, level: Level, generator: Generator, out: &mut [u8]) {
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
            (Conversion::Integers { min, range, .. }, Generator::Philox(philox)) => {
                fill_integers::<LOW_FIRST>(level, philox, size, [min, range], out);
            }
            (
                Conversion::Integers {
                    min,
                    range,
                    high_first,
                },
                Generator::Key(key),
            ) => {
                if high_first {
                    fill_integers::<HIGH_FIRST>(level, key, size, [min, range], out);
                } else {
                    fill_integers::<LOW_FIRST>(level, key, size, [min, range], out);
                }
            }
            // The words themselves, for the stages: no op draws other integers of all bits from MT19937.
            (Conversion::Integers { .. }, Generator::Mt19937 { .. }) => generator.fill_bytes(level, out),
        }
    }
}
