//! One end of a conversion: the way in which it draws, in parts that can be exchanged one by one.

use std::fmt;

use seedproof_ops::{
    Alignment, Attribute, Backend, Dtype, Failure, Limits, RandomUniform, Request, Response, Scalar,
};
use seedproof_readings::{Engine, Reading, find};

use crate::asked::{Asked, Parts};
use crate::drawn::Drawn;
use crate::source::{Step, number};

/// The generator of random words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generator {
    /// Philox4x32-10: key and counter from two seeds.
    Philox,
    /// MT19937, seeded with one word.
    Mt19937,
    /// MT19937, seeded through `std::seed_seq`.
    SeedSequence,
    /// `std::minstd_rand0`.
    Minstd,
    /// MKL's MCG31m1, seeded with a word of MT19937.
    Mcg31,
    /// NumPy's `RandomState`: MT19937 with its own doubles.
    RandomState,
}

impl fmt::Display for Generator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Philox => "Philox4x32-10",
            Self::Mt19937 => "MT19937",
            Self::SeedSequence => "MT19937 over a seed sequence",
            Self::Mcg31 => "MKL's MCG31m1",
            Self::Minstd => "minstd_rand0",
            Self::RandomState => "NumPy's RandomState",
        })
    }
}

/// The origin of the generator's seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seeds {
    /// These numbers, in the order of the op's attributes.
    Fixed(u64, u64),
    /// Chosen when the model is compiled or when the op first runs, because both seeds are zero or absent.
    AtRun,
    /// Chosen once in a process.
    AtProcess,
    /// Chosen by the converter, so that each conversion makes another model.
    AtConversion,
    /// The seed of PyTorch's global generator, which is not part of a model.
    OutsideModel,
}

impl fmt::Display for Seeds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(first, second) => write!(f, "({}, {})", Seed(*first), Seed(*second)),
            Self::AtRun => f.write_str("chosen at each run"),
            Self::AtProcess => f.write_str("chosen once in a process"),
            Self::AtConversion => f.write_str("chosen at each conversion"),
            Self::OutsideModel => f.write_str("of torch.manual_seed"),
        }
    }
}

/// A seed in decimal, followed by hexadecimal if it is large: a seed that is the bits of a float, or that has lost its
/// upper half, is recognised in hexadecimal.
pub(crate) struct Seed(pub(crate) u64);

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)?;
        // Floats from 2.0 have bits of 2^30 and more, while seeds that people choose are smaller.
        if self.0 >= 1 << 30 {
            write!(f, " = {:#X}", self.0)?;
        }
        Ok(())
    }
}

/// The place in the stream at which a second execution starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// After the words that the kernel reserves for the first execution.
    GoesOn,
    /// At the next block of Philox after the words that were used.
    NextBlock,
    /// At the beginning, so that it draws the same again.
    Repeats,
    /// At the beginning of the stream of the next seed.
    NextSeed,
    /// In the body of a loop: each inference starts at the beginning, and each iteration continues
    /// where the runtime chooses.
    InLoop,
}

/// The conversion of random words to elements of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// The names of two readings. In every implementation they are the same reading; a verdict
    /// exchanges them separately.
    Reading {
        /// Converts words to a number in [0, 1), or to a whole number.
        unit: &'static str,
        /// Brings that number into the bounds.
        range: &'static str,
    },
    /// A kernel without a reading. A kernel of the same name at both ends makes the same values.
    Kernel(&'static str),
    /// The values are not modelled.
    Unknown,
}

impl Values {
    /// The values of one reading.
    pub const fn reading(name: &'static str) -> Self {
        Self::Reading {
            unit: name,
            range: name,
        }
    }
}

/// The name of the reading or of the kernel.
impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Reading { unit, .. } => unit,
            Self::Kernel(name) => name,
            Self::Unknown => "unknown",
        })
    }
}

/// The comparison of a draw with a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Less.
    Below,
    /// Greater or equal.
    AtLeast,
}

impl Comparison {
    fn holds(self, draw: f64, than: f64) -> bool {
        match self {
            Self::Below => draw < than,
            Self::AtLeast => draw >= than,
        }
    }
}

/// A comparison of each draw with a constant that selects one of two elements, as in Bernoulli and dropout.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The comparison.
    pub comparison: Comparison,
    /// The constant.
    pub than: f64,
    /// The name of the elements' type.
    pub kind: String,
    /// The bits of the element if the comparison holds.
    pub yes: u64,
    /// The bits of the element otherwise.
    pub no: u64,
}

/// A multiplication and an addition after a draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Affine {
    /// The factor.
    pub scale: Scalar,
    /// What is added to the product.
    pub shift: Scalar,
    /// How often the result is rounded.
    pub rounding: Rounding,
}

/// The rounding of a multiplication and an addition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// The result of both is rounded once, to f32: the multiplication is fused.
    Once,
    /// The result of each operation is rounded to the elements' type.
    Twice,
}

/// One end of a conversion.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    /// Stage *generator*.
    pub generator: Generator,
    /// Stage *seeds*.
    pub seeds: Seeds,
    /// Stage *state*.
    pub state: State,
    /// Stages *type*, *folding* and *range*: the conversion of random words to elements.
    pub values: Values,
    /// The requested element type; `None` if the values are not modelled.
    pub dtype: Option<Dtype>,
    /// Stages *folding* and *range*: the bounds of the draw.
    pub bounds: Option<(Scalar, Scalar)>,
    /// The op that draws, if it is not RandomUniform.
    pub asked: Option<Asked>,
    /// The selection after a draw.
    pub choice: Option<Choice>,
    /// The multiplication and the addition after a draw.
    pub affine: Option<Affine>,
    /// Operations of the model after a draw, which are rounded one by one.
    pub then: Vec<Step>,
    /// The element type to which the result is converted.
    pub cast: Option<Dtype>,
}

impl Affine {
    fn of(self, element: Scalar) -> Option<Scalar> {
        let [element, scale, shift] = [element, self.scale, self.shift].map(Scalar::to_f64);
        let dtype = self.scale.dtype();
        match self.rounding {
            Rounding::Once => {
                // The product of two f32 is exact in a double, but the sum with a third may not be.
                let [element, scale, shift] =
                    [element, scale, shift].map(|number| crate::source::number(Dtype::F32, number));
                let single = |scalar: Scalar| u32::try_from(scalar.bits()).ok().map(f32::from_bits);
                let sum = single(element?)?.mul_add(single(scale?)?, single(shift?)?);
                Some(Scalar::new(Dtype::F32, sum.to_bits().into()))
            }
            // A double has more than twice the digits of the narrower types, so that rounding to it first changes nothing.
            Rounding::Twice => number(dtype, number(dtype, element * scale)?.to_f64() + shift),
        }
    }
}

/// The most elements that are drawn, including earlier ones of the stream that must be drawn to skip them.
const MAX_DRAWN_ELEMENTS: u64 = 1 << 16;

impl Side {
    /// A side whose words are known and whose values are not modelled.
    pub fn unmodelled(generator: Generator, seeds: Seeds, state: State) -> Self {
        Self {
            generator,
            seeds,
            state,
            values: Values::Unknown,
            dtype: None,
            bounds: None,
            asked: None,
            choice: None,
            affine: None,
            then: Vec::new(),
            cast: None,
        }
    }

    /// The elements of one execution (from 0): the first 65,536 of a larger output. `None` if they are unknown.
    pub fn draw(&self, shape: &[u64], execution: u32) -> Option<Drawn> {
        let (skipped, answer) = self.answer(shape, execution)?;
        let elements: Vec<Scalar> = answer.ok()?.output.scalars().collect();
        Some(self.finish(elements.get(usize::try_from(skipped).ok()?..)?))
    }

    /// The reason why the reading refuses an output of this shape, if it does.
    pub(crate) fn refusal(&self, shape: &[u64]) -> Option<String> {
        // Whatever the seeds: an op without any is refused alike.
        let seeded = Self {
            seeds: match self.seeds {
                Seeds::Fixed(..) => self.seeds,
                _ => Seeds::Fixed(1, 1),
            },
            ..self.clone()
        };
        match seeded.answer(shape, 0)? {
            (_, Err(Failure::Rejected(error))) => Some(error.message),
            _ => None,
        }
    }

    /// The answer of the reading, and the number of elements before those of this execution.
    fn answer(&self, shape: &[u64], execution: u32) -> Option<(u64, Result<Response, Failure>)> {
        let whole = shape
            .iter()
            .try_fold(1_u64, |count, &extent| count.checked_mul(extent));
        let count = whole.unwrap_or(u64::MAX).min(MAX_DRAWN_ELEMENTS);
        // A later execution starts after all elements of the earlier ones, so a truncated count
        // would lead to the wrong place.
        let begins_anew = matches!(self.state, State::Repeats | State::InLoop | State::NextSeed);
        if whole != Some(count) && execution > 0 && !begins_anew {
            return None;
        }
        let Seeds::Fixed(first, second) = self.seeds else {
            return None;
        };
        let first = match self.state {
            // minstd_rand0 takes 64 bits, of which it keeps the remainder.
            State::NextSeed => first.wrapping_add(execution.into()) % 2_147_483_647,
            _ => first,
        };
        // LiteRT takes whole blocks of four words, so the next execution starts at a block.
        let (count, skipped, execution) = match self.state {
            State::GoesOn => (count, 0, execution),
            // In a loop, the elements are those of the first iteration; where later ones draw is unknown.
            State::Repeats | State::InLoop | State::NextSeed => (count, 0, 0),
            State::NextBlock => {
                let skipped = count.next_multiple_of(4).checked_mul(execution.into())?;
                let all = count
                    .checked_add(skipped)
                    .filter(|&all| all <= MAX_DRAWN_ELEMENTS)?;
                (all, skipped, 0)
            }
        };
        let dtype = self.dtype?;
        let request = if let Some(asked) = &self.asked {
            // ONNX's reference evaluator seeds itself in every run, so that its reading has nothing to go on with.
            if self.generator == Generator::RandomState && execution > 0 {
                return None;
            }
            // Some kernels depend on the number of extents, so a part of an output has as many of them.
            let mut part = vec![1; shape.len()];
            part.pop();
            part.push(count);
            asked.request(&Parts {
                dtype,
                seeds: (first, second),
                float_seed: self.float_seed((first, second)),
                shape: if whole == Some(count) { shape } else { &part },
                execution,
            })?
        } else {
            let alignment = match self.generator {
                Generator::Philox => Alignment::Tensorflow,
                Generator::Mt19937 => Alignment::Pytorch,
                _ => return None,
            };
            let (low, high) = self.bounds?;
            Request::RandomUniform(RandomUniform {
                output_type: Attribute::Known(dtype),
                execution,
                ..RandomUniform::new(
                    alignment,
                    &[i64::try_from(count).ok()?],
                    [low, high],
                    [first, second],
                )
            })
        };
        // Entropy is never asked for: two zero seeds are `Seeds::AtRun`, which was excluded above.
        let engine = Engine::new(self.named()?, Limits::default(), || 0);
        Some((skipped, engine.run(&request)))
    }

    /// The seed of an op of ONNX, of which the runtimes keep one word: OpenVINO the bits of the float in its second
    /// seed, and the others the integer part.
    // The low 32 bits of a whole f32 are an f32 as a signed number, and those of a u32 as an unsigned one, which NumPy asks
    // for. The seed of Dropout is an integer, and may be neither.
    fn float_seed(&self, (first, second): (u64, u64)) -> Option<f32> {
        let word = u32::try_from(first.wrapping_add(second) & u64::from(u32::MAX)).ok()?;
        let whole = match self.generator {
            Generator::Philox => return Some(f32::from_bits(word)),
            Generator::RandomState => f64::from(word),
            _ => f64::from(word.cast_signed()),
        };
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the next line looks whether it is exact"
        )]
        let seed = whole as f32;
        f64::from(seed).total_cmp(&whole).is_eq().then_some(seed)
    }

    /// The reading that draws: one reading, or one with the scaling of another.
    fn named(&self) -> Option<Reading> {
        let Values::Reading { unit, range } = self.values else {
            return None;
        };
        let mut reading = find(unit)?;
        if range != unit {
            let other = find(range)?;
            reading.philox_scale = other.philox_scale;
            reading.philox_integer = other.philox_integer;
            reading.mt_scale = other.mt_scale;
            reading.mt_integer = other.mt_integer;
        }
        Some(reading)
    }

    fn finish(&self, elements: &[Scalar]) -> Drawn {
        let finished: Vec<Scalar> = elements.iter().map(|&element| self.after(element)).collect();
        match &self.choice {
            Some(choice) => Drawn {
                kind: choice.kind.clone(),
                bits: finished
                    .iter()
                    .map(|element| {
                        if choice.comparison.holds(element.to_f64(), choice.than) {
                            choice.yes
                        } else {
                            choice.no
                        }
                    })
                    .collect(),
            },
            None => Drawn {
                kind: self
                    .cast
                    .or(self.dtype)
                    .map_or("", |dtype| dtype.name())
                    .to_owned(),
                bits: finished.iter().map(|element| element.bits()).collect(),
            },
        }
    }

    /// A draw after its arithmetic and its conversion to another type.
    fn after(&self, mut element: Scalar) -> Scalar {
        if let Some(affine) = self.affine {
            element = affine.of(element).unwrap_or(element);
        }
        for step in &self.then {
            element = step.apply(element).unwrap_or(element);
        }
        self.cast
            .and_then(|dtype| number(dtype, element.to_f64()))
            .unwrap_or(element)
    }

    /// The same side with plain draws: a float in [0, 1) or an integer in [0, 256), and nothing after it. Two sides
    /// whose plain draws are equal take the same bits of the same words.
    // 256 divides every word, so an integer in [0, 256) is the low byte of its word, whatever the
    // kernel does with large ranges.
    #[must_use]
    pub fn plain(&self) -> Self {
        let bounds = self.dtype.and_then(|dtype| {
            let element = |value: i32| number(dtype, value.into());
            Some((element(0)?, element(if dtype.is_float() { 1 } else { 256 })?))
        });
        Self {
            bounds,
            choice: None,
            affine: None,
            then: Vec::new(),
            cast: None,
            ..self.clone()
        }
    }
}
