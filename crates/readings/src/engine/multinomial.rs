//! Multinomial-13.

use seedproof_ops::{
    Dtype, ErrorKind, Failure, Limits, Multinomial, Response, Scalar, Shape, Stages, Tensor,
};

use super::arithmetic::{Arithmetic, buffer};
use super::check::{self, Samples, refuse};
use super::draws::{DrawPlan, DrawStream};
use super::rows::{Chosen, Row, sums, total, weights};
use super::scope;
use super::seeds::Seeded;
use crate::answers::{
    Bf16Rounding, CdfRounding, CdfType, ClassOrder, DrawOrder, F16Rounding, FirstIndex, Forms, HalfRead,
    IndexIn, NoMatch, Probabilities, Replacement, RowWeights, SampleCount, SampleOrder, Select,
};
use crate::reading::Reading;

/// Samples whose draws are made at a time.
const CHUNK: usize = 4096;

/// A request that will be answered.
pub(super) struct Plan<'a> {
    reading: &'a Reading,
    request: &'a Multinomial,
    samples: Samples,
    arithmetic: Arithmetic,
    replacement: bool,
    /// All rows' weights, one after the other.
    weights: Vec<f64>,
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
        request: &'a Multinomial,
        limits: Limits,
    ) -> Result<Self, Failure> {
        if request.draws.is_some() {
            scope::has(reading, |scope| scope.draws, "input `draws`")?;
        }
        scope::seeds(reading, [request.global_seed, request.op_seed])?;
        let is_onnx = request.log_probs && request.with_replacement && request.probs.dtype() == Dtype::F32;
        if reading.scope.forms == Forms::Logarithms && !is_onnx {
            return Err(scope::lacks(
                reading,
                "Multinomial of any but f32 logarithms with replacement",
            ));
        }
        let samples = check::multinomial(&reading.validation, request)?;
        let arithmetic = arithmetic(reading, request.probs.dtype())?;
        let inputs: Vec<f64> = request
            .probs
            .scalars()
            .map(|scalar| as_read(reading.multinomial.half, scalar).to_f64())
            .collect();
        let weights: Vec<f64> = inputs
            .chunks(samples.classes.max(1))
            .flat_map(|row| {
                weights(
                    &reading.multinomial,
                    (arithmetic, request.probs.dtype()),
                    request.log_probs,
                    row,
                )
            })
            .collect();
        let weights = of_rows(reading.multinomial.weights, weights, &samples);
        let replacement = match reading.multinomial.replacement {
            Replacement::AsSaid | Replacement::FirstRow => request.with_replacement,
            Replacement::Inverted => !request.with_replacement,
            Replacement::Always => true,
        };
        let plan = Self {
            reading,
            request,
            arithmetic,
            replacement,
            weights,
            shape: Shape::scalar(),
            samples,
        };
        plan.check_probabilities(&inputs)?;
        let columns = plan.check_samples()?;
        scope::may_execute(reading, reading.executions.multinomial, request.execution)?;
        plan.check_rows()?;
        let batch = u64::try_from(plan.samples.batch).unwrap_or(u64::MAX);
        let shape = limits.shape(plan.samples.convert_type, &[batch, columns])?;
        if !plan.replacement || plan.is_unsorted() {
            Limits::steps(
                batch,
                columns,
                u64::try_from(plan.samples.classes).unwrap_or(u64::MAX),
            )?;
        }
        Ok(Self { shape, ..plan })
    }

    fn rows(&self) -> impl Iterator<Item = &[f64]> {
        // `chunks` has no chunks of nothing: rows without classes are made by hand.
        let classes = self.samples.classes;
        (0..self.samples.batch).map(move |row| &self.weights[row * classes..][..classes])
    }

    /// Whether a row with replacement is searched class by class: weights that are not checked need not have a sorted
    /// distribution function.
    fn is_unsorted(&self) -> bool {
        self.reading.multinomial.select == Select::LastInterval
            && self.weights.iter().any(|weight| weight.is_nan() || *weight < 0.0)
    }

    fn check_probabilities(&self, inputs: &[f64]) -> Result<(), Failure> {
        if self.reading.validation.probabilities == Probabilities::Unchecked {
            return Ok(());
        }
        if let Some(input) = inputs.iter().find(|input| !input.is_finite()) {
            return refuse(ErrorKind::Probabilities, format!("probs contain {input}"));
        }
        if let Some(input) = inputs.iter().find(|&&input| input < 0.0)
            && !self.request.log_probs
        {
            return refuse(ErrorKind::Probabilities, format!("probs contain {input}"));
        }
        if self.reading.validation.probabilities == Probabilities::SumUnchecked {
            return Ok(());
        }
        for row in self.rows() {
            let sum = sums(self.arithmetic, row).last().copied().unwrap_or(0.0);
            if sum == 0.0 || sum.is_infinite() {
                return refuse(ErrorKind::Probabilities, format!("the sum of a row is {sum}"));
            }
        }
        Ok(())
    }

    fn check_samples(&self) -> Result<u64, Failure> {
        let columns = self.samples.count;
        let is_empty = columns == 0 || self.samples.batch == 0 || self.samples.classes == 0;
        if is_empty && self.reading.validation.samples == SampleCount::Positive {
            return refuse(ErrorKind::Samples, "no samples are asked for");
        }
        if self.request.with_replacement || self.reading.validation.samples == SampleCount::Any {
            return Ok(columns);
        }
        let non_zero = |row: &[f64]| row.iter().filter(|&&weight| weight != 0.0).count();
        let fewest = match self.reading.validation.samples {
            SampleCount::NonZeroClasses => self.rows().map(non_zero).min(),
            _ => None,
        };
        // A batch without rows still has classes.
        let classes = fewest.unwrap_or(self.samples.classes);
        if u64::try_from(classes).is_ok_and(|classes| columns > classes) {
            return refuse(
                ErrorKind::Samples,
                format!("{columns} samples without replacement from {classes} classes"),
            );
        }
        Ok(columns)
    }

    /// Rows that an implementation without checks crashes on.
    fn check_rows(&self) -> Result<(), Failure> {
        let crashes = match self.reading.multinomial.no_match {
            NoMatch::ZeroThenPastRow => self.samples.batch == 0 || self.samples.classes == 0,
            NoMatch::Unwritten => self.samples.batch > 0 && self.samples.classes == 0,
            NoMatch::LastLeft | NoMatch::Count => false,
        };
        if crashes {
            return Err(Failure::Unsupported(format!(
                "{} divides by zero or reads past its row where there is no row or no class",
                self.reading.name
            )));
        }
        Ok(())
    }

    fn columns(&self) -> usize {
        self.shape.dims().last().copied().unwrap_or(0)
    }

    /// The output, and the words that one draw took. `see` is shown the words as they are drawn.
    fn select(
        &self,
        entropy: &dyn Fn() -> u64,
        mut see: impl FnMut(&[u32]),
    ) -> Result<(Tensor, usize), Failure> {
        let convert_type = self.samples.convert_type;
        let seeded = Seeded::new(
            self.reading,
            self.request.global_seed,
            self.request.op_seed,
            entropy,
        );
        let mut draws = DrawStream::new(DrawPlan {
            reading: self.reading,
            request: self.request,
            seeded: &seeded,
            samples: &self.samples,
            arithmetic: self.arithmetic,
        })?;
        let mut bytes = buffer(convert_type, &self.shape)?;
        let (mut values, mut words) = (Vec::new(), Vec::new());
        let answers = &self.reading.multinomial;
        // A row is kept whole, since its samples may be stored in another order than they are drawn in.
        let mut numbers = Vec::new();
        let total = total(answers, self.arithmetic, self.rows());
        let mut flags = vec![false; self.samples.classes];
        for (place, weights) in self.rows().enumerate() {
            if place > 0 {
                draws.begin_row(place)?;
            }
            let order = searched(answers.classes, weights);
            let weights: Vec<f64> = order.iter().map(|&class| weights[class]).collect();
            let is_kept = place > 0 && answers.replacement == Replacement::FirstRow;
            let mut row = Row::new(
                answers,
                self.arithmetic,
                &weights,
                self.replacement || is_kept,
                total,
                flags,
            );
            let mut left = self.columns();
            let is_repeated = answers.draw_order == DrawOrder::RowFirst && !self.replacement;
            let mut first = None;
            while left > 0 {
                let count = left.min(CHUNK);
                values.clear();
                words.clear();
                draws.take(count, &mut values, &mut words);
                see(&words);
                for &u in &values {
                    let u = if is_repeated { *first.get_or_insert(u) } else { u };
                    let class = match row.sample(u) {
                        Chosen::Class(class) if answers.classes == ClassOrder::Descending => {
                            Chosen::Class(order.get(class).copied().unwrap_or(class))
                        }
                        chosen => chosen,
                    };
                    numbers.push(self.numbered(place, class)?);
                }
                left -= count;
            }
            flags = row.flags();
            match answers.sample_order {
                SampleOrder::Ascending => numbers.sort_unstable(),
                SampleOrder::Reversed => numbers.reverse(),
                SampleOrder::NeverLess if self.replacement => {
                    let mut greatest = 0;
                    for number in &mut numbers {
                        greatest = greatest.max(*number);
                        *number = greatest;
                    }
                }
                SampleOrder::Drawn | SampleOrder::NeverLess => {}
            }
            for number in numbers.drain(..) {
                bytes.extend_from_slice(&number.to_le_bytes()[..convert_type.size()]);
            }
        }
        Ok((bytes.into_tensor(), draws.words_per_draw()))
    }

    fn numbered(&self, row: usize, chosen: Chosen) -> Result<u64, Failure> {
        let Chosen::Class(class) = chosen else {
            return Err(Failure::Unsupported(format!(
                "{} finds no class for this draw, and returns what memory held before",
                self.reading.name
            )));
        };
        let before = match self.reading.multinomial.index {
            IndexIn::Batch => row * self.samples.classes,
            IndexIn::Classes | IndexIn::Left | IndexIn::LeftOrZero => 0,
        };
        let class = u64::try_from(before + class).unwrap_or(u64::MAX);
        Ok(match self.reading.multinomial.first_index {
            FirstIndex::Zero => class,
            FirstIndex::One => class.wrapping_add(1),
        })
    }
}

/// A probability as it is read, whose bits stay.
fn as_read(answer: HalfRead, scalar: Scalar) -> Scalar {
    match (answer, scalar.dtype()) {
        (HalfRead::Bf16AsF16, Dtype::Bf16) => Scalar::new(Dtype::F16, scalar.bits()),
        (HalfRead::F16AsBf16, Dtype::F16) => Scalar::new(Dtype::Bf16, scalar.bits()),
        _ => scalar,
    }
}

/// The weights that rows are taken to have.
fn of_rows(answer: RowWeights, mut weights: Vec<f64>, samples: &Samples) -> Vec<f64> {
    let classes = samples.classes;
    if weights.is_empty() || answer == RowWeights::Own {
        return weights;
    }
    if answer == RowWeights::BySamples {
        let columns = usize::try_from(samples.count).unwrap_or(usize::MAX);
        let last = weights.len() - 1;
        let at = |i: usize| (i / classes).saturating_mul(columns).saturating_add(i % classes);
        return (0..weights.len()).map(|i| weights[at(i).min(last)]).collect();
    }
    let (first, others) = weights.split_at_mut(classes);
    if answer == RowWeights::Batch {
        for row in others.chunks(classes) {
            for (sum, weight) in first.iter_mut().zip(row) {
                *sum += weight;
            }
        }
    }
    for row in others.chunks_mut(classes) {
        row.copy_from_slice(first);
    }
    weights
}

/// The classes of a row in the order in which they are searched.
fn searched(answer: ClassOrder, weights: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..weights.len()).collect();
    if answer != ClassOrder::Given {
        // Equal ones stay in their order.
        order.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]));
    }
    order
}

/// The arithmetic of the distribution function.
fn arithmetic(reading: &Reading, probs: Dtype) -> Result<Arithmetic, Failure> {
    let dtype = match (reading.multinomial.cdf, probs) {
        (CdfType::F64 | CdfType::SumsF32 | CdfType::SumsF16, _) => Dtype::F64,
        (CdfType::OfProbs, _) => probs,
        (CdfType::Plugin | CdfType::PluginF16, Dtype::Bf16) => Dtype::Bf16,
        (CdfType::PluginF16, Dtype::F64) => {
            return Err(Failure::Unsupported(format!(
                "{} was not observed with f64 probabilities",
                reading.name
            )));
        }
        (CdfType::PluginF16, _) => Dtype::F16,
        (CdfType::F32 | CdfType::Plugin, _) => Dtype::F32,
    };
    let (f16, bf16) = match reading.multinomial.rounding {
        CdfRounding::NearestEven => (F16Rounding::NearestEven, Bf16Rounding::NearestEven),
        CdfRounding::OpenVino => (F16Rounding::OpenVino, Bf16Rounding::OpenVino),
    };
    Ok(Arithmetic {
        f16,
        bf16,
        ..Arithmetic::ieee(dtype)
    })
}

impl super::plan::Plan for Plan<'_> {
    /// Elements of the output.
    fn count(&self) -> usize {
        self.shape.count()
    }

    fn depends_on_values(&self) -> bool {
        matches!(
            self.reading.multinomial.no_match,
            NoMatch::ZeroThenPastRow | NoMatch::Unwritten
        )
    }

    /// The value.
    fn run(&self, entropy: &dyn Fn() -> u64) -> Result<Response, Failure> {
        let (output, _) = self.select(entropy, |_| ())?;
        Ok(Response::of(output))
    }

    /// The words of the draws and the output; indices have no unit interval.
    fn stages(&self, entropy: &dyn Fn() -> u64) -> Result<Stages, Failure> {
        let mut words = Vec::new();
        let (scaled, words_per_element) = self.select(entropy, |drawn| words.extend_from_slice(drawn))?;
        Ok(Stages::of_philox(words, words_per_element, scaled))
    }
}
