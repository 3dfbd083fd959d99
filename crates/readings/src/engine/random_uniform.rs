//! RandomUniform-8.

use seedproof_ops::{
    Alignment, Dtype, Elements, ErrorKind, Failure, Limits, RandomUniform, Response, Shape, Stages, Tensor,
};

use super::arithmetic::{buffer, push};
use super::check::{self, float_bounds, integer_bounds, refuse};
use super::floats::{Floats, saturated};
use super::integers::Integers;
use super::scope;
use super::seeds::Seeded;
use super::stream::{Words, part_of};
use super::units::Convert;
use crate::answers::{Execution, MtParts, RunsAs, WordsFrom};
use crate::reading::Reading;
use crate::round::f32_of;

/// Elements whose words are drawn at a time.
const CHUNK: usize = 4096;

/// A request that will be answered.
pub(super) struct Plan<'a> {
    reading: &'a Reading,
    request: &'a RandomUniform,
    dtype: Dtype,
    alignment: Alignment,
    shape: Shape,
    rule: Rule<'a>,
}

enum Rule<'a> {
    Floats(Floats<'a>),
    Integers(Integers<'a>),
}

impl Rule<'_> {
    fn words_per_element(&self) -> usize {
        match self {
            Self::Floats(floats) => floats.words_per_element(),
            Self::Integers(integers) => integers.words_per_element(),
        }
    }
}

impl<'a> Plan<'a> {
    /// The plan for a request.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for a refused request; [`Failure::Unsupported`] if the reading or the limits
    /// exclude it.
    pub(super) fn new(
        reading: &'a Reading,
        request: &'a RandomUniform,
        limits: Limits,
    ) -> Result<Self, Failure> {
        match request.alignment.known() {
            Some(Alignment::Tensorflow) => {
                scope::has(
                    reading,
                    |scope| scope.tensorflow,
                    "RandomUniform with TENSORFLOW alignment",
                )?;
            }
            Some(Alignment::Pytorch) => {
                scope::has(
                    reading,
                    |scope| scope.pytorch,
                    "RandomUniform with PYTORCH alignment",
                )?;
            }
            None => {}
        }
        scope::seeds(reading, [request.global_seed, request.op_seed])?;
        let checked = check::uniform(&reading.validation, request)?;
        scope::uniform_type(reading, checked.dtype)?;
        let rule = rule(reading, request, checked.dtype, checked.alignment)?;
        let execution = match checked.alignment {
            Alignment::Tensorflow => reading.executions.tensorflow,
            Alignment::Pytorch => reading.executions.pytorch,
        };
        scope::may_execute(reading, execution, request.execution)?;
        if checked.dims.is_empty() {
            scope::has(reading, |scope| scope.scalar_shape, "an output of shape []")?;
        }
        Ok(Self {
            reading,
            request,
            dtype: checked.dtype,
            alignment: checked.alignment,
            shape: limits.shape(checked.dtype, &checked.dims)?,
            rule,
        })
    }

    fn push_elements(&self, drawn: &[u32], bytes: &mut Elements) -> Result<(), Failure> {
        let per_element = self.rule.words_per_element();
        match &self.rule {
            Rule::Floats(floats) => {
                for words in drawn.chunks_exact(per_element) {
                    let value = floats.scaled(floats.unit(words));
                    if floats.is_unpredictable(value) {
                        return Err(unpredictable(self.reading));
                    }
                    push(self.dtype, value, *self.reading.nan, bytes);
                }
            }
            Rule::Integers(integers) => {
                for words in drawn.chunks_exact(per_element) {
                    let value = integers.value(words).to_le_bytes();
                    bytes.extend_from_slice(&value[..self.dtype.size()]);
                }
            }
        }
        Ok(())
    }

    fn draw(&self, words: &mut Words, elements: usize, drawn: &mut Vec<u32>) {
        match &self.rule {
            Rule::Floats(floats) => floats.draw(words, elements, drawn),
            Rule::Integers(integers) => integers.draw(words, elements, drawn),
        }
    }

    /// The first elements, as many as a shape has.
    fn first_of(&self, shape: &Shape, entropy: &dyn Fn() -> u64) -> Result<Tensor, Failure> {
        let count = shape.count();
        let mut words = self.words(entropy)?;
        let mut bytes = buffer(self.dtype, shape)?;
        let per_element = self.rule.words_per_element();
        let mut drawn = Vec::with_capacity(count.min(CHUNK) * per_element);
        let mut left = count;
        while left > 0 {
            let elements = left.min(CHUNK);
            drawn.clear();
            self.draw(&mut words, elements, &mut drawn);
            self.push_elements(&drawn, &mut bytes)?;
            left -= elements;
        }
        Ok(bytes.into_tensor())
    }

    fn words(&self, entropy: &dyn Fn() -> u64) -> Result<Words, Failure> {
        let count = self.shape.count();
        let per_element = self.rule.words_per_element();
        let seeded = Seeded::new(
            self.reading,
            self.request.global_seed,
            self.request.op_seed,
            entropy,
        );
        match self.alignment {
            Alignment::Tensorflow => seeded.tensorflow(
                self.reading.executions.tensorflow,
                self.request.execution,
                per_element,
                &self.shape,
            ),
            Alignment::Pytorch => {
                let runs = match self.reading.executions.pytorch {
                    Execution::Continues => self.request.execution,
                    _ => 0,
                };
                let words = u64::try_from(count.saturating_mul(per_element)).unwrap_or(u64::MAX);
                let form = self.reading.memory.words;
                if let Some(length) = part_of(self.reading.mt.parts, &self.shape) {
                    let generators = seeded.mt_of_parts(count.div_ceil(length))?;
                    return Ok(Words::mt_parts(generators, length, form));
                }
                let generator = seeded.mt(runs, words)?;
                Ok(match self.reading.mt.parts {
                    MtParts::WordPlanes if per_element == 2 => {
                        let elements = u64::try_from(count).unwrap_or(u64::MAX);
                        Words::mt_planes(*generator, elements, form)
                    }
                    _ => Words::mt(generator, form),
                })
            }
        }
    }
}

fn unpredictable(reading: &Reading) -> Failure {
    Failure::Unsupported(format!(
        "{} has subnormal numbers here, which its kernels do not treat alike",
        reading.name
    ))
}

/// The computation of an element, and the bounds as the implementation sees them.
fn rule<'a>(
    reading: &'a Reading,
    request: &RandomUniform,
    dtype: Dtype,
    alignment: Alignment,
) -> Result<Rule<'a>, Failure> {
    if !dtype.is_float() {
        return integers(reading, request, dtype, alignment).map(Rule::Integers);
    }
    let runs_as = match dtype {
        Dtype::F16 => reading.types.f16,
        Dtype::Bf16 => reading.types.bf16,
        Dtype::F64 => reading.types.f64,
        _ => RunsAs::Native,
    };
    let (work, bounds) = match runs_as {
        RunsAs::Native => (dtype, float_bounds(request)),
        RunsAs::Narrow => (Dtype::F32, narrowed(reading, dtype, float_bounds(request))?),
    };
    let (convert, scale) = match alignment {
        Alignment::Tensorflow => (Convert::Philox(&reading.philox_convert), &*reading.philox_scale),
        Alignment::Pytorch => (Convert::Mt(&reading.mt_convert), &*reading.mt_scale),
    };
    let floats = Floats::new(convert, scale, dtype, work, bounds);
    if floats
        .bounds()
        .into_iter()
        .any(|bound| floats.is_unpredictable(bound))
    {
        return Err(unpredictable(reading));
    }
    Ok(Rule::Floats(floats))
}

/// Bounds as f32, which must still be a range. Those of f64 and bf16 saturate, as in the OpenVINO CPU plugin;
/// PyTorch, which also computes bf16 in f32, refuses infinite ones.
fn narrowed(reading: &Reading, dtype: Dtype, wide: [f64; 2]) -> Result<[f64; 2], Failure> {
    let held = if dtype == Dtype::F16 {
        wide
    } else {
        wide.map(saturated)
    };
    let narrow = held.map(|bound| f64::from(f32_of(bound)));
    if check::float_bounds_are_accepted(reading.validation.float_bounds, Dtype::F32, narrow) {
        Ok(narrow)
    } else {
        refuse(ErrorKind::Range, "minval must be less than maxval, as f32 too")
    }
}

fn integers<'a>(
    reading: &'a Reading,
    request: &RandomUniform,
    dtype: Dtype,
    alignment: Alignment,
) -> Result<Integers<'a>, Failure> {
    let answers = match alignment {
        Alignment::Tensorflow => &*reading.philox_integer,
        Alignment::Pytorch => &*reading.mt_integer,
    };
    let bounds = integer_bounds(request);
    if dtype == Dtype::I32 || reading.types.i64 == RunsAs::Native {
        return Ok(Integers::new(answers, dtype, bounds));
    }
    let saturated = bounds.map(|bound| bound.clamp(i64::from(i32::MIN), i64::from(i32::MAX)));
    if check::integer_bounds_are_accepted(reading.validation.integer_bounds, saturated) {
        Ok(Integers::new(answers, Dtype::I32, saturated))
    } else {
        refuse(ErrorKind::Range, "minval must be less than maxval, as i32 too")
    }
}

impl super::plan::Plan for Plan<'_> {
    /// Elements of the output.
    fn count(&self) -> usize {
        self.shape.count()
    }

    fn depends_on_values(&self) -> bool {
        self.request.execution > 0
            || [&*self.reading.philox_scale, &*self.reading.mt_scale]
                .iter()
                .any(|scale| scale.subnormals.is_unpredictable())
    }

    fn run(&self, entropy: &dyn Fn() -> u64) -> Result<Response, Failure> {
        self.first_of(&self.shape, entropy).map(Response::of)
    }

    /// A later execution begins after the words of all elements of those before, so that it has no shorter request.
    fn first(&self, count: usize, entropy: &dyn Fn() -> u64) -> Result<Tensor, Failure> {
        self.first_of(&Shape::vector(count.min(self.count())), entropy)
    }

    /// Words, unit interval and output.
    fn stages(&self, entropy: &dyn Fn() -> u64) -> Result<Stages, Failure> {
        let count = self.shape.count();
        let per_element = self.rule.words_per_element();
        let mut drawn = Vec::new();
        self.draw(&mut self.words(entropy)?, count, &mut drawn);
        let mut bytes = buffer(self.dtype, &self.shape)?;
        self.push_elements(&drawn, &mut bytes)?;
        let unit = match &self.rule {
            Rule::Floats(floats) => {
                let mut bytes = buffer(self.dtype, &self.shape)?;
                for words in drawn.chunks_exact(per_element) {
                    push(self.dtype, floats.unit(words), *self.reading.nan, &mut bytes);
                }
                Some(bytes.into_tensor())
            }
            Rule::Integers(_) => None,
        };
        Ok(Stages {
            words: drawn,
            words_per_element: per_element,
            words_per_block: match (self.alignment, self.reading.stream.words) {
                (Alignment::Tensorflow, WordsFrom::Philox) => 4,
                _ => 1,
            },
            counters: Vec::new(),
            unit,
            scaled: bytes.into_tensor(),
        })
    }
}
