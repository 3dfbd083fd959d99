//! PyTorch's samplers on a CPU.

mod numbers;

use seedproof_ops::{
    Dtype, Elements, ErrorKind, Failure, Limits, Request, Response, Scalar, Shape, Tensor, TorchExponential,
};

use super::arithmetic::{Arithmetic, buffer, push};
use super::selection::{search, searched_from, several_greatest, shuffle, sums};
use super::servers;
use super::units::two_to;
use super::{check, scope};
use crate::answers::{
    DroppedTo, DroppedUnit, KeptScale, KeptWith, MaskDigits, NumberIn, OneSample, Precision, RaceOrder,
    RaceScore, RateIn, RowNoise, SamplesBy, ShuffleWord, SumsIn, TorchSuccess,
};
use crate::reading::Reading;
use crate::round::f32_of;
use numbers::{Draws, Generator};

/// A request that will be answered.
pub(super) struct Plan<'a> {
    reading: &'a Reading,
    dtype: Dtype,
    shape: Shape,
    generator: Generator,
    what: What,
}

enum What {
    /// Ones with a probability each.
    Each(Vec<f64>),
    /// Ones with one probability.
    One(f64),
    Dropout {
        input: Vec<Scalar>,
        p: f64,
    },
    Permutation,
    /// Bits that are known already, since they decide whether there is an answer.
    Known(Vec<u64>),
}

impl<'a> Plan<'a> {
    /// The plan for a request.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for a refused request; [`Failure::Unsupported`] if the reading or the limits exclude it, it
    /// is of another op, or another machine's logarithm might answer otherwise.
    pub(super) fn new(reading: &'a Reading, request: &Request, limits: Limits) -> Result<Self, Failure> {
        let plan = |dtype: Dtype, dims: &[u64], [seed, execution, words]: [u64; 3], what: What| {
            check::strides(&reading.validation, dims)?;
            Ok(Self {
                reading,
                dtype,
                shape: limits.shape(dtype, dims)?,
                generator: Generator::new(seed, execution, words)?,
                what,
            })
        };
        let in_two = words_each(reading);
        match request {
            Request::TorchBernoulli(request) => {
                let dtype = float("p", &request.p)?;
                let all: Vec<f64> = request.p.scalars().map(Scalar::to_f64).collect();
                all.iter().try_for_each(|&p| probability(p))?;
                let words = wide(all.len()) * if dtype == Dtype::F64 { in_two } else { 1 };
                let call = [request.seed, request.execution.into(), words];
                plan(dtype, &request.p.shape().to_u64(), call, What::Each(all))
            }
            Request::TorchBernoulliInPlace(request) => {
                let dtype = check::output_type(&request.output_type, |dtype| {
                    dtype.is_float() || matches!(dtype, Dtype::I64 | Dtype::U8)
                })?;
                let p = check::one("p", &request.p, Dtype::F64)?.to_f64();
                probability(p)?;
                let count = limits.shape(dtype, &request.output_sizes)?.count();
                let call = [request.seed, request.execution.into(), in_two * wide(count)];
                plan(dtype, &request.output_sizes, call, What::One(p))
            }
            Request::TorchDropout(request) => {
                let dtype = float("input", &request.input)?;
                let p = check::one("p", &request.p, Dtype::F64)?.to_f64();
                probability(p)?;
                let input: Vec<Scalar> = request.input.scalars().collect();
                let drawn = if p > 0.0 && p < 1.0 { input.len() } else { 0 };
                let call = [request.seed, request.execution.into(), in_two * wide(drawn)];
                plan(
                    dtype,
                    &request.input.shape().to_u64(),
                    call,
                    What::Dropout { input, p },
                )
            }
            Request::TorchRandperm(request) => {
                let dtype = check::output_type(&request.output_type, |dtype| {
                    matches!(dtype, Dtype::I32 | Dtype::I64)
                })?;
                let count = servers::number("n", request.n)?;
                if count >= u64::from(u32::MAX / 20) {
                    return Err(scope::lacks(reading, "known words for so long a permutation"));
                }
                let each = match reading.selection.word {
                    ShuffleWord::Two | ShuffleWord::TwoHighFirst => 2,
                    _ => 1,
                };
                let words = each * count.saturating_sub(1);
                let call = [request.seed, request.execution.into(), words];
                plan(dtype, &[count], call, What::Permutation)
            }
            Request::TorchExponential(request) => Self::exponential(reading, request, limits),
            Request::TorchMultinomial(request) => {
                let rows = Rows::new(&request.weights, request.num_samples, request.replacement)?;
                let mut dims = request.weights.shape().to_u64();
                dims.pop();
                dims.push(wide(rows.samples));
                let drawn = limits.shape(Dtype::I64, &dims)?.count();
                let races =
                    !request.replacement || rows.samples == 1 && reading.selection.one == OneSample::Race;
                let noises = match (races, reading.selection.noise) {
                    (false, _) if reading.selection.samples == SamplesBy::Repeated => drawn.min(rows.samples),
                    (false, _) => drawn,
                    (true, RowNoise::Own) => rows.weights.len(),
                    (true, RowNoise::Shared) => rows.weights.len().min(rows.classes),
                };
                let call = [request.seed, request.execution.into(), in_two * wide(noises)];
                let draws = Generator::new(call[0], call[1], call[2])?.draws(reading);
                let indices = if races {
                    rows.race(draws)?
                } else {
                    rows.search(draws)
                };
                let indices = indices.into_iter().map(wide).collect();
                plan(Dtype::I64, &dims, call, What::Known(indices))
            }
            _ => Err(Failure::no_op(request.op())),
        }
    }

    fn exponential(
        reading: &'a Reading,
        request: &TorchExponential,
        limits: Limits,
    ) -> Result<Self, Failure> {
        let dtype = check::output_type(&request.output_type, Dtype::is_float)?;
        let rate = check::one("lambd", &request.lambd, Dtype::F64)?.to_f64();
        if rate.is_nan() || rate <= 0.0 {
            return check::refuse(ErrorKind::Range, format!("lambd is {rate}"));
        }
        if dtype == Dtype::F64 {
            return Err(scope::lacks(reading, "known logarithm of f64"));
        }
        check::strides(&reading.validation, &request.output_sizes)?;
        let shape = limits.shape(dtype, &request.output_sizes)?;
        let rate = match reading.torch_masks.rate_in {
            RateIn::F64 => rate,
            RateIn::OfOutput => Arithmetic::ieee(dtype).of_f64(rate),
        };
        let words = words_each(reading) * wide(shape.count());
        let generator = Generator::new(request.seed, request.execution.into(), words)?;
        let mut draws = generator.draws(reading);
        let bits: Result<Vec<u64>, Failure> = (0..shape.count())
            .map(|_| Ok(decided(reading, dtype, draws.exponential(rate))?.1))
            .collect();
        Ok(Self {
            reading,
            dtype,
            shape,
            generator,
            what: What::Known(bits?),
        })
    }

    fn push_bits(&self, bits: u64, bytes: &mut Elements) {
        bytes.extend_from_slice(&bits.to_le_bytes()[..self.dtype.size()]);
    }

    /// A number in the type to which it is rounded. A flag of an integer type has none.
    fn number(&self, answer: NumberIn, u: f64) -> f64 {
        if answer == NumberIn::OfTensor && self.dtype.is_float() {
            Arithmetic::ieee(self.dtype).of_f64(u)
        } else {
            u
        }
    }

    fn push_truth(&self, u: f64, p: f64, bytes: &mut Elements) {
        let is_one = is_one(self.reading, u, p);
        if self.dtype.is_float() {
            push(self.dtype, f64::from(u8::from(is_one)), *self.reading.nan, bytes);
        } else {
            self.push_bits(u64::from(is_one), bytes);
        }
    }

    /// The first numbers of a permutation.
    fn permutation(&self, taken: usize, mut draws: Draws<'_>, bytes: &mut Elements) {
        let sizes = [taken, self.shape.count()];
        let numbers = shuffle(&self.reading.selection, sizes, || draws.generator.next());
        let numbers = numbers.into_iter().take(taken);
        numbers.for_each(|number| self.push_bits(wide(number), bytes));
    }

    fn dropout(&self, input: &[Scalar], p: f64, draws: &mut Draws, bytes: &mut Elements) {
        if p == 0.0 {
            for it in input {
                self.push_bits(it.bits(), bytes);
            }
            return;
        }
        let channel = match (self.reading.torch_masks.unit, self.shape.dims()) {
            (DroppedUnit::Channel, [_, _, inner @ ..]) => inner.iter().product::<usize>().max(1),
            _ => 1,
        };
        for channel in input.chunks(channel) {
            let u = self.number(self.reading.torch_masks.one_number_in, draws.wide());
            for &it in channel {
                self.push_dropped(it, p, u, bytes);
            }
        }
    }

    /// An element where its number is `u`.
    fn push_dropped(&self, element: Scalar, p: f64, u: f64, bytes: &mut Elements) {
        let answers = &self.reading.torch_masks;
        let kept_with = match answers.kept {
            KeptWith::Complement | KeptWith::FromP => 1.0 - p,
            KeptWith::P => p,
        };
        let is_kept = match answers.kept {
            KeptWith::FromP => u >= p,
            KeptWith::Complement | KeptWith::P => is_one(self.reading, u, kept_with),
        };
        let (is_dropped, to) = if p < 1.0 {
            (!is_kept, answers.dropped)
        } else {
            (true, answers.all_dropped)
        };
        if is_dropped && to == DroppedTo::Zero {
            push(self.dtype, 0.0, *self.reading.nan, bytes);
            return;
        }
        let mask = f64::from(u8::from(p < 1.0 && is_kept));
        let narrow = Arithmetic::ieee(match self.dtype {
            Dtype::F64 => Dtype::F64,
            _ => Dtype::F32,
        });
        let own = Arithmetic::ieee(self.dtype);
        let divisor = narrow.of_f64(if answers.scale == KeptScale::OverP {
            p
        } else {
            1.0 - p
        });
        let x = element.to_f64();
        let value = match answers.scale {
            _ if p >= 1.0 => own.mul(x, 0.0),
            KeptScale::Nothing => own.mul(x, mask),
            KeptScale::Quotient | KeptScale::OverP => own.mul(x, own.of_f64(narrow.div(mask, divisor))),
            KeptScale::Divided => own.of_f64(narrow.div(own.mul(x, mask), divisor)),
        };
        push(self.dtype, value, *self.reading.nan, bytes);
    }
}

impl super::plan::Plan for Plan<'_> {
    fn count(&self) -> usize {
        self.shape.count()
    }

    fn run(&self, _: &dyn Fn() -> u64) -> Result<Response, Failure> {
        let mut bytes = buffer(self.dtype, &self.shape)?;
        let mut draws = self.generator.draws(self.reading);
        match &self.what {
            What::Known(bits) => bits.iter().for_each(|&bits| self.push_bits(bits, &mut bytes)),
            What::Each(all) => {
                for &p in all {
                    let u = if self.dtype == Dtype::F64 {
                        draws.wide()
                    } else {
                        draws.one_word()
                    };
                    let u = self.number(self.reading.torch_masks.number_in, u);
                    self.push_truth(u, p, &mut bytes);
                }
            }
            What::One(p) => {
                let p = match self.reading.torch_masks.probability {
                    Precision::F64 => *p,
                    Precision::F32 => f64::from(f32_of(*p)),
                };
                let answer = self.reading.torch_masks.one_number_in;
                (0..self.count())
                    .for_each(|_| self.push_truth(self.number(answer, draws.wide()), p, &mut bytes));
            }
            What::Dropout { input, p } => self.dropout(input, *p, &mut draws, &mut bytes),
            What::Permutation => {
                self.permutation(self.count(), draws, &mut bytes);
            }
        }
        Ok(Response::of(bytes.into_tensor()))
    }

    fn first(&self, count: usize, entropy: &dyn Fn() -> u64) -> Result<Tensor, Failure> {
        if !matches!(self.what, What::Permutation) || self.count() <= count {
            return self.run(entropy).map(|response| response.output);
        }
        let mut bytes = buffer(self.dtype, &Shape::vector(count))?;
        self.permutation(count, self.generator.draws(self.reading), &mut bytes);
        Ok(bytes.into_tensor())
    }
}

/// Rows of weights.
struct Rows {
    dtype: Dtype,
    classes: usize,
    weights: Vec<f64>,
    samples: usize,
}

impl Rows {
    fn new(tensor: &Tensor, samples: i128, replacement: bool) -> Result<Self, Failure> {
        let dtype = float("weights", tensor)?;
        let dims = tensor.shape().dims();
        let classes = dims.last().copied().unwrap_or(0);
        if classes == 0 || dims.len() > 2 {
            return check::shape("weights", tensor);
        }
        let in_range = i64::try_from(samples)
            .ok()
            .and_then(|it| usize::try_from(it).ok());
        let Some(count) = in_range.filter(|&it| it > 0 && (replacement || it <= classes)) else {
            return check::refuse(ErrorKind::Samples, format!("num_samples is {samples}"));
        };
        let weights: Vec<f64> = tensor.scalars().map(Scalar::to_f64).collect();
        let is_allowed = |weight: &f64| (0.0..f64::INFINITY).contains(weight);
        let is_zero = |row: &[f64]| row.iter().all(|&weight| weight == 0.0);
        if !weights.iter().all(is_allowed) || weights.chunks(classes).any(is_zero) {
            return check::refuse(
                ErrorKind::Probabilities,
                "the weights are negative, not finite, or zero in a whole row",
            );
        }
        Ok(Self {
            dtype,
            classes,
            weights,
            samples: count,
        })
    }

    fn race(&self, mut draws: Draws) -> Result<Vec<usize>, Failure> {
        let reading = draws.reading;
        let a = Arithmetic::ieee(self.dtype);
        let error = if self.dtype == Dtype::F64 {
            two_to(-47)
        } else {
            0.0
        };
        let mut indices = Vec::new();
        let mut noise: Vec<f64> = Vec::new();
        for row in self.weights.chunks(self.classes) {
            if noise.is_empty() || reading.selection.noise == RowNoise::Own {
                noise.clear();
                for _ in row {
                    let number = draws.exponential(1.0);
                    noise.push(match self.dtype {
                        Dtype::F64 => number,
                        dtype => decided(reading, dtype, number)?.0,
                    });
                }
            }
            let scores: Vec<f64> = row
                .iter()
                .zip(&noise)
                .map(|(&weight, &q)| match reading.selection.score {
                    RaceScore::Quotient => a.div(weight, q),
                    RaceScore::Product => a.mul(weight, q),
                    RaceScore::WeightLessLogarithm => a.sub(weight, a.of_f64(libm::log(q))),
                })
                .collect();
            let Some(mut greatest) = several_greatest(&scores, self.samples, error) else {
                return Err(Failure::Unsupported("scores are equal, or nearly so".to_owned()));
            };
            if reading.selection.order == RaceOrder::Least {
                greatest.reverse();
            }
            indices.extend(greatest);
        }
        Ok(indices)
    }

    fn search(&self, mut draws: Draws) -> Vec<usize> {
        let answers = &draws.reading.selection;
        let in_f64 = self.dtype == Dtype::F64 || answers.sums == SumsIn::F64;
        let a = Arithmetic::ieee(if in_f64 { Dtype::F64 } else { Dtype::F32 });
        let rows: Vec<(Vec<f64>, f64)> = self
            .weights
            .chunks(self.classes)
            .map(|row| sums(answers.over, row, |x| a.of_f64(x)))
            .collect();
        let drawn = match answers.samples {
            SamplesBy::Repeated => self.samples,
            SamplesBy::Rows | SamplesBy::Samples => rows.len() * self.samples,
        };
        let numbers: Vec<f64> = (0..drawn).map(|_| draws.wide()).collect();
        let number = |row: usize, sample: usize| match answers.samples {
            SamplesBy::Repeated => numbers[sample],
            SamplesBy::Rows => numbers[row * self.samples + sample],
            SamplesBy::Samples => numbers[sample * rows.len() + row],
        };
        let mut indices = Vec::new();
        for (place, (sums, factor)) in rows.iter().enumerate() {
            // No number reaches a NaN among the sums, so the search would end past the last class.
            let last = self.classes - 1;
            let mut previous = 0;
            indices.extend((0..self.samples).map(|sample| {
                let found = search(answers.bound, sums, number(place, sample) * factor).min(last);
                searched_from(answers.search_from, &mut previous, found)
            }));
        }
        indices
    }
}

/// A number in a type and its bits, if the last bits of a logarithm do not decide them.
fn decided(reading: &Reading, dtype: Dtype, x: f64) -> Result<(f64, u64), Failure> {
    let bits_of = |x: f64| {
        let mut bytes = Vec::new();
        push(dtype, x, *reading.nan, &mut bytes);
        bytes.resize(8, 0);
        bytes
            .iter()
            .rev()
            .fold(0_u64, |bits, &byte| bits << 8 | u64::from(byte))
    };
    let error = x.abs() * two_to(-50);
    if x.is_finite() && bits_of(x - error) != bits_of(x + error) {
        return Err(Failure::Unsupported(
            "the last bits of a logarithm decide a number".to_owned(),
        ));
    }
    let bits = bits_of(x);
    Ok((Scalar::new(dtype, bits).to_f64(), bits))
}

/// The words of a number that scalars are compared with.
fn words_each(reading: &Reading) -> u64 {
    match reading.torch_masks.digits {
        MaskDigits::Wide => 2,
        MaskDigits::Narrow => 1,
    }
}

fn is_one(reading: &Reading, u: f64, p: f64) -> bool {
    match reading.torch_masks.success {
        TorchSuccess::Less => u < p,
        TorchSuccess::LessOrEqual => u <= p,
        TorchSuccess::Greater => u > p,
        TorchSuccess::FromComplement => u >= 1.0 - p,
    }
}

fn probability(p: f64) -> Result<(), Failure> {
    if (0.0..=1.0).contains(&p) {
        return Ok(());
    }
    check::refuse(ErrorKind::Range, format!("a probability is {p}"))
}

fn float(name: &str, tensor: &Tensor) -> Result<Dtype, Failure> {
    check::dtype_is(name, tensor, &check::FLOATS)?;
    Ok(tensor.dtype())
}

fn wide(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}
