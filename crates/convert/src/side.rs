//! One end of a conversion: how it draws, in parts that can be exchanged one by one.

use std::fmt;

use seedproof_ops::{Alignment, Attribute, Backend, Dtype, Limits, RandomUniform, Request, Scalar};
use seedproof_readings::answers::SeedWidth;
use seedproof_readings::{Engine, Reading, find};

use crate::drawn::Drawn;
use crate::sequential;
use crate::source::{fused, number};
use crate::weights::Weights;

/// Where random words come from.
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

/// What the generator begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seeds {
    /// These, in the order of the op's attributes.
    Fixed(u64, u64),
    /// Chosen when the model is compiled or the op first runs: what an op does with two zeros or without a seed.
    AtRun,
    /// Chosen once in a process.
    AtProcess,
    /// Chosen by the converter, so that each conversion is another model.
    AtConversion,
    /// PyTorch's own generator has it, which is no part of a model.
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

/// A seed in decimal, and a large one in hexadecimal beside it, where the bits of a float or the halves of a number show.
pub(crate) struct Seed(pub(crate) u64);

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)?;
        if self.0 >= 1 << 30 {
            write!(f, " = {:#X}", self.0)?;
        }
        Ok(())
    }
}

/// What a second execution does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It goes on in the stream, as far on as its generator's kernels reserve.
    GoesOn,
    /// It goes on with the next block of Philox.
    NextBlock,
    /// It draws the same again.
    Repeats,
    /// In the body of a loop: each inference begins anew, and each iteration goes on in a way of the runtime's own.
    InLoop,
}

/// What makes the elements of an output from random words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// Readings: the name of that which makes a number of the type from words, and of that which brings it into the
    /// bounds. They are one reading in every implementation. A verdict exchanges them apart.
    Reading {
        /// Words to a number in [0, 1), or to a whole number.
        unit: &'static str,
        /// That number to one within the bounds.
        range: &'static str,
    },
    /// A kernel without a reading. A kernel of the same name at both ends makes the same values.
    Kernel(&'static str),
    /// Nothing is known of the values.
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

/// How a draw is compared with a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Less.
    Below,
    /// Greater.
    Above,
    /// Greater or equal.
    AtLeast,
}

impl Comparison {
    fn holds(self, draw: f64, than: f64) -> bool {
        match self {
            Self::Below => draw < than,
            Self::Above => draw > than,
            Self::AtLeast => draw >= than,
        }
    }
}

/// A comparison of each draw with a constant, which chooses one of two elements.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The comparison.
    pub comparison: Comparison,
    /// The constant.
    pub than: f64,
    /// The name of the type of what is chosen.
    pub kind: String,
    /// The bits where the comparison holds.
    pub yes: u64,
    /// The bits where it does not.
    pub no: u64,
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
    /// Stages *type*, *folding* and *range*: what makes elements of random words.
    pub values: Values,
    /// The element type that is asked for.
    pub dtype: Option<Dtype>,
    /// Stages *folding* and *range*: the bounds of the draw.
    pub bounds: Option<(Scalar, Scalar)>,
    /// What Multinomial chooses by.
    pub weights: Option<Weights>,
    /// What becomes of a draw.
    pub choice: Option<Choice>,
    /// The multiplication and the addition after a draw, in f32 and rounded once.
    pub affine: Option<(Scalar, Scalar)>,
    /// The element type that the result is converted to.
    pub cast: Option<Dtype>,
}

/// The most elements that are drawn. What comes before them in a stream is counted where it has to be drawn too.
const MOST: u64 = 1 << 16;

impl Side {
    /// A side whose words are known, and whose values are not.
    pub fn unmodelled(generator: Generator, seeds: Seeds, state: State) -> Self {
        Self {
            generator,
            seeds,
            state,
            values: Values::Unknown,
            dtype: None,
            bounds: None,
            weights: None,
            choice: None,
            affine: None,
            cast: None,
        }
    }

    /// The elements of one execution (from 0), the first 65,536 of an output that has more; `None` where they cannot be
    /// known.
    pub fn draw(&self, shape: &[u64], execution: u32) -> Option<Drawn> {
        let whole = shape
            .iter()
            .try_fold(1_u64, |count, &extent| count.checked_mul(extent));
        let count = whole.unwrap_or(u64::MAX).min(MOST);
        // Where a later execution begins depends on all elements of those before it.
        if whole != Some(count) && execution > 0 && !matches!(self.state, State::Repeats | State::InLoop) {
            return None;
        }
        // Whole blocks of four words are taken, so that what follows begins at a block.
        let (count, skipped, execution) = match self.state {
            State::GoesOn => (count, 0, execution),
            // Of a loop, the first iteration.
            State::Repeats | State::InLoop => (count, 0, 0),
            State::NextBlock => {
                let skipped = count.next_multiple_of(4).checked_mul(execution.into())?;
                let all = count.checked_add(skipped).filter(|&all| all <= MOST)?;
                (all, skipped, 0)
            }
        };
        let Seeds::Fixed(first, second) = self.seeds else {
            return None;
        };
        let dtype = self.dtype?;
        if let Some(weights) = &self.weights {
            return Some(self.finish(&weights.draw(self.named()?, dtype, (first, second), execution)?));
        }
        let (low, high) = self.bounds?;
        let elements = match self.generator {
            Generator::Philox | Generator::Mt19937 | Generator::Minstd => {
                let alignment = if self.generator == Generator::Mt19937 {
                    Alignment::Pytorch
                } else {
                    Alignment::Tensorflow
                };
                let request = Request::RandomUniform(RandomUniform {
                    output_type: Attribute::Known(dtype),
                    execution,
                    ..RandomUniform::new(
                        alignment,
                        &[i64::try_from(count).ok()?],
                        [low, high],
                        [first, second],
                    )
                });
                // No entropy is taken: both seeds are zero nowhere here.
                let engine = Engine::new(self.named()?, Limits::default(), || 0);
                engine.run(&request).ok()?.output.scalars().collect()
            }
            Generator::RandomState => sequential::random_state(first, dtype, (low, high), count, execution)?,
            Generator::SeedSequence | Generator::Mcg31 => return None,
        };
        Some(self.finish(elements.get(usize::try_from(skipped).ok()?..)?))
    }

    /// The reading that draws, with the seeds as they arrive there.
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
        if self.generator == Generator::Minstd {
            // A seed of ONNX may be negative: it arrives as the integer that its kernel makes of it.
            reading.seeds.global_seed = SeedWidth::Full;
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

    /// A draw with its arithmetic and its conversion done.
    fn after(&self, mut element: Scalar) -> Scalar {
        if let Some((scale, shift)) = self.affine {
            element = fused(element, scale, shift).unwrap_or(element);
        }
        self.cast
            .and_then(|dtype| number(dtype, element.to_f64()))
            .unwrap_or(element)
    }

    /// The same side with plain draws: a float in [0, 1), an integer in [0, 256), nothing after it. Two sides whose
    /// plain draws are equal take the same bits of the same words.
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
            cast: None,
            ..self.clone()
        }
    }
}
