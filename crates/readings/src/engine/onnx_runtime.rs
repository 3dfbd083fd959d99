//! What runtimes of ONNX draw where no generator is named.

use seedproof_ops::{
    Alignment, Attribute, Dtype, Elements, ErrorKind, Failure, Limits, Multinomial, OnnxBernoulli,
    OnnxMultinomial, RandomUniform, Scalar, Shape, Tensor,
};
use seedproof_transcend::glibc;

use super::arithmetic::{Arithmetic, buffer, push};
use super::floats::saturated;
use super::philox::split_64;
use super::plan::Plan as _;
use super::random_state::{RandomState, decided};
use super::{check, multinomial, random_uniform, scope, session};
use crate::answers::{
    BernoulliInput, BernoulliType, OnnxDraws, OnnxOne, SessionRuns, SessionScale, SessionSeed,
};
use crate::reading::Reading;
use crate::round::f32_of;

/// A type and extents.
pub(super) type Form = (Dtype, Vec<u64>);

/// The form of an output like an input.
pub(super) fn like(output_type: Option<&Attribute<Dtype>>, input: &Tensor) -> Result<Form, Failure> {
    let dtype = match output_type {
        Some(dtype) => check::known("output_type", dtype)?,
        None => input.dtype(),
    };
    Ok((dtype, input.shape().to_u64()))
}

pub(super) struct Runtime<'a> {
    reading: &'a Reading,
    seed: f32,
    /// What is added to the seed.
    raised: u32,
    execution: u32,
    limits: Limits,
}

impl<'a> Runtime<'a> {
    pub(super) fn new(
        reading: &'a Reading,
        seed: Option<&Tensor>,
        execution: u32,
        limits: Limits,
    ) -> Result<Self, Failure> {
        let Some(seed) = seed else {
            return Err(scope::lacks(reading, "values that repeat without a seed"));
        };
        let seed = f32_of(check::one("seed", seed, Dtype::F32)?.to_f64());
        let session = reading.onnx_session.seed;
        let through = |dtype: Dtype| f32_of(Arithmetic::ieee(dtype).of_f64(seed.into()));
        let seed = match session {
            SessionSeed::Nothing => seed,
            SessionSeed::Bf16 => through(Dtype::Bf16),
            SessionSeed::F16 => through(Dtype::F16),
        };
        let [raised, execution] = match reading.onnx_session.runs {
            SessionRuns::GoesOn => [0, execution],
            SessionRuns::Seeded => [execution, 0],
        };
        let entropy = match reading.onnx_random.draws {
            OnnxDraws::RandomState => seed.is_nan(),
            OnnxDraws::Plugin => seed.to_bits() == 0,
            _ => false,
        };
        if entropy {
            return Err(scope::lacks(
                reading,
                &format!("values that repeat for the seed {seed}"),
            ));
        }
        Ok(Self {
            reading,
            seed,
            raised,
            execution,
            limits,
        })
    }

    /// The extents of floats, unless the runtime has no kernel of the type.
    fn shape(&self, (dtype, dims): &Form, is_like: bool) -> Result<Shape, Failure> {
        let has_type = match self.reading.onnx_random.draws {
            OnnxDraws::Session => matches!(dtype, Dtype::F32 | Dtype::F64),
            _ => matches!(dtype, Dtype::F16 | Dtype::F32 | Dtype::F64),
        };
        if !has_type {
            return Err(scope::lacks(self.reading, &format!("kernel of {dtype}")));
        }
        self.written(*dtype, dims, is_like)
    }

    /// The extents, unless the runtime has no such output.
    fn written(&self, dtype: Dtype, dims: &[u64], is_like: bool) -> Result<Shape, Failure> {
        match self.reading.onnx_random.draws {
            OnnxDraws::RandomState if dims.is_empty() => check::refuse(
                ErrorKind::Shape,
                // NumPy's scalars are not arrays, and the evaluator refuses them.
                if is_like {
                    "input is a scalar"
                } else {
                    "the output has no extent"
                },
            ),
            OnnxDraws::Plugin if dims.is_empty() => {
                Err(scope::lacks(self.reading, "written output of shape []"))
            }
            OnnxDraws::Plugin if dims.iter().any(|&dim| i32::try_from(dim).is_err()) => Err(scope::lacks(
                self.reading,
                "extent of more than 31 bits, which saturates",
            )),
            _ => self.limits.shape(dtype, dims),
        }
    }

    pub(super) fn uniform(
        &self,
        form: &Form,
        is_like: bool,
        bounds: [&Tensor; 2],
    ) -> Result<Tensor, Failure> {
        let [low, high] = [
            check::one("low", bounds[0], Dtype::F32)?.to_f64(),
            check::one("high", bounds[1], Dtype::F32)?.to_f64(),
        ];
        let (dtype, _) = *form;
        if self.reading.onnx_random.draws == OnnxDraws::Plugin && dtype.is_float() && dtype != Dtype::F32 {
            return check::refuse(
                ErrorKind::Attribute,
                format!("RandomUniform of {dtype} does not compile"),
            );
        }
        let shape = self.shape(form, is_like)?;
        if self.reading.onnx_random.draws != OnnxDraws::RandomState {
            return self.drawn(dtype, &shape, [low, high], self.bits());
        }
        let a = Arithmetic::ieee(dtype);
        // The evaluator's factor is a number of f32, which promotes a half to f32 for one operation.
        let factor = f64::from(f32_of(high) - f32_of(low));
        let mut state = self.random_state()?;
        filled(dtype, &shape, |bytes| {
            let unit = a.of_f64(state.double());
            let scaled = promoted(dtype, |wide| wide.mul(unit, factor));
            push(
                dtype,
                promoted(dtype, |wide| wide.add(scaled, low)),
                *self.reading.nan,
                bytes,
            );
            Ok(())
        })
    }

    /// The numbers that RandomUniform-8 of the implementation draws.
    fn drawn(&self, dtype: Dtype, shape: &Shape, bounds: [f64; 2], seed: u64) -> Result<Tensor, Failure> {
        let bound = |x: f64| self.scalar(dtype, x);
        let dims: Vec<i64> = shape
            .to_u64()
            .into_iter()
            .filter_map(|dim| i64::try_from(dim).ok())
            .collect();
        let request = RandomUniform {
            shape: Tensor::vector(&dims),
            minval: bound(bounds[0])?,
            maxval: bound(bounds[1])?,
            output_type: dtype.into(),
            global_seed: 0,
            op_seed: seed,
            alignment: Alignment::Tensorflow.into(),
            execution: self.execution,
        };
        Ok(random_uniform::Plan::new(self.reading, &request, self.limits)?
            .run(&|| 0)?
            .output)
    }

    fn scalar(&self, dtype: Dtype, x: f64) -> Result<Tensor, Failure> {
        let mut bytes = buffer(dtype, &Shape::scalar())?;
        push(dtype, x, *self.reading.nan, &mut bytes);
        Ok(bytes.into_tensor())
    }

    /// The seed as RandomUniform-8 and Multinomial-13 of the implementation take it: the bits of the number, or what a C++
    /// compiler for x86 makes of it.
    fn bits(&self) -> u64 {
        if self.reading.onnx_random.draws == OnnxDraws::Plugin {
            return self.seed.to_bits().into();
        }
        u64::from(self.word())
    }

    /// The low half of the number as an i64. A number that no i64 holds has the bits of the least one, whose low half is zero.
    fn word(&self) -> u32 {
        let in_range = self.seed.abs() < 9_223_372_036_854_775_808.0;
        #[expect(clippy::cast_possible_truncation, reason = "the fraction is dropped")]
        let whole = if in_range { self.seed as i64 } else { 0 };
        split_64(whole.wrapping_add(self.raised.into()).cast_unsigned())[0]
    }

    fn random_state(&self) -> Result<RandomState, Failure> {
        let whole = self.seed.trunc();
        if !(0.0..4_294_967_296.0).contains(&whole) {
            return check::refuse(ErrorKind::State, format!("the seed {} is not a u32", self.seed));
        }
        Ok(RandomState::new(&self.reading.mt, self.word()))
    }

    pub(super) fn normal(
        &self,
        form: &Form,
        is_like: bool,
        parameters: [&Tensor; 2],
    ) -> Result<Tensor, Failure> {
        let [mean, scale] = [
            check::one("mean", parameters[0], Dtype::F32)?.to_f64(),
            check::one("scale", parameters[1], Dtype::F32)?.to_f64(),
        ];
        let (dtype, _) = *form;
        if !dtype.is_float() {
            return Err(scope::lacks(self.reading, &format!("normals of {dtype}")));
        }
        let shape = self.shape(form, is_like)?;
        match self.reading.onnx_random.draws {
            OnnxDraws::Plugin => self.box_muller(dtype, &shape, [mean, scale]),
            _ if dtype == Dtype::F64 => Err(scope::lacks(self.reading, "known logarithm of f64")),
            OnnxDraws::RandomState => {
                let mut state = self.random_state()?;
                filled(dtype, &shape, |bytes| {
                    let normal = decided(dtype, state.normal())?;
                    let scaled = promoted(dtype, |wide| wide.mul(normal, scale));
                    push(
                        dtype,
                        promoted(dtype, |wide| wide.add(scaled, mean)),
                        *self.reading.nan,
                        bytes,
                    );
                    Ok(())
                })
            }
            _ => self.polar(&shape, [f32_of(mean), f32_of(scale)]),
        }
    }

    /// Normals of a `std::normal_distribution<float>` that each run creates, so that the second number of its last pair is
    /// lost.
    fn polar(&self, shape: &Shape, [mean, scale]: [f32; 2]) -> Result<Tensor, Failure> {
        if scale.is_nan() || scale <= 0.0 {
            return check::refuse(
                ErrorKind::Range,
                "the scale ends the process: C++'s library asserts that it is positive",
            );
        }
        Limits::skipped(
            self.execution,
            3 * u64::try_from(shape.count()).unwrap_or(u64::MAX),
        )?;
        let answers = &self.reading.onnx_session;
        let normals = session::normals(answers, self.word(), self.execution, shape.count());
        let scale = match answers.scale {
            SessionScale::Deviation => scale,
            SessionScale::Variance => scale.sqrt(),
        };
        let mut run = normals.into_iter().map(|normal| normal * scale + mean);
        filled(Dtype::F32, shape, |bytes| {
            push(
                Dtype::F32,
                run.next().unwrap_or(0.0).into(),
                *self.reading.nan,
                bytes,
            );
            Ok(())
        })
    }

    /// Normals of two RandomUniform-8 and functions of f32.
    fn box_muller(&self, dtype: Dtype, shape: &Shape, parameters: [f64; 2]) -> Result<Tensor, Failure> {
        let is_half = dtype == Dtype::F16;
        let is_out = |x: &f64| x.is_nan() || x.abs() > f64::from(half::f16::MAX);
        if is_half && parameters.iter().any(is_out) {
            return check::refuse(
                ErrorKind::Range,
                "a parameter is not an f16, so that the model does not compile",
            );
        }
        if parameters[1].is_nan() {
            return Err(scope::lacks(self.reading, "known kernel for a scale that is NaN"));
        }
        let held = |x: f64| if dtype == Dtype::F64 { saturated(x) } else { x };
        let own = Arithmetic::ieee(if is_half { Dtype::F16 } else { Dtype::F32 });
        let [mean, scale] = parameters.map(|parameter| f32_of(own.of_f64(held(parameter))));
        let turn = f32_of(own.of_f64(std::f64::consts::TAU));
        let least = if is_half {
            0.0
        } else {
            f64::from(f32::MIN_POSITIVE)
        };
        let seed = self.bits();
        let radii = self.drawn(Dtype::F32, shape, [least, 1.0], seed)?;
        let angles = self.drawn(Dtype::F32, shape, [least, 1.0], seed.wrapping_add(10_000))?;
        let mut pairs = radii.scalars().zip(angles.scalars()).map(|(first, second)| {
            let [first, second] = [first, second].map(|it| f32_of(Scalar::to_f64(it)));
            let radius = (-2.0 * glibc::logf(first)).sqrt();
            let cosine = glibc::cosf(turn * second);
            // The kernel that is compiled for a chain of operations takes at most six extents, and fuses the last two
            // operations. A product with 1 is left out, and a sum with 0 keeps the sign of a zero.
            if shape.rank() > 6 {
                radius * cosine * scale + (mean + 0.0)
            } else if mean == 0.0 {
                radius * cosine * scale
            } else if scale.to_bits() == 1.0_f32.to_bits() {
                radius.mul_add(cosine, mean)
            } else {
                (radius * cosine).mul_add(scale, mean)
            }
        });
        filled(dtype, shape, |bytes| {
            let value = held(pairs.next().unwrap_or(0.0).into());
            push(dtype, value, *self.reading.nan, bytes);
            Ok(())
        })
    }

    pub(super) fn bernoulli(&self, request: &OnnxBernoulli) -> Result<Tensor, Failure> {
        let input = &request.input;
        let (dtype, dims) = like(request.output_type.as_ref(), input)?;
        let draws = self.reading.onnx_random.draws;
        match input.dtype() {
            Dtype::F16 | Dtype::F64 if draws == OnnxDraws::Plugin => {
                return check::refuse(
                    ErrorKind::Dtype,
                    format!("Bernoulli of {} does not compile", input.dtype()),
                );
            }
            Dtype::F16 | Dtype::F32 | Dtype::F64 => {}
            other => return Err(scope::lacks(self.reading, &format!("Bernoulli of {other}"))),
        }
        if dtype == Dtype::Bf16 {
            return Err(scope::lacks(self.reading, "Bernoulli to bf16"));
        }
        let shape = self.written(dtype, &dims, true)?;
        let own = Arithmetic::ieee(if input.dtype() == Dtype::F64 {
            Dtype::F64
        } else {
            Dtype::F32
        });
        let probability = |x: f64| match self.reading.onnx_session.input {
            BernoulliInput::Probability => x,
            BernoulliInput::Logit => own.of_f64(1.0 / (1.0 + libm::exp(-x))),
        };
        let probabilities: Vec<f64> = input.scalars().map(Scalar::to_f64).map(probability).collect();
        let ones: Vec<bool> = if draws == OnnxDraws::RandomState {
            {
                if !probabilities.iter().all(|p| (0.0..=1.0).contains(p)) {
                    return check::refuse(ErrorKind::Range, "input has a number that is not a probability");
                }
                let mut state = self.random_state()?;
                probabilities
                    .iter()
                    .map(|&p| state.success(p))
                    .collect::<Result<_, _>>()?
            }
        } else {
            let drawn = match self.reading.onnx_session.bernoulli {
                BernoulliType::Input => input.dtype(),
                BernoulliType::Output => dtype,
            };
            let own = if drawn == Dtype::F64 {
                Dtype::F64
            } else {
                Dtype::F32
            };
            let units = self.drawn(own, &shape, [0.0, 1.0], self.bits())?;
            // The plugin asks whether `u <= p` is false.
            let is_one = |(u, &p): (Scalar, &f64)| match self.reading.onnx_random.one {
                OnnxOne::Greater if draws == OnnxDraws::Plugin && p.is_nan() => true,
                OnnxOne::Less => u.to_f64() < p,
                OnnxOne::Greater => u.to_f64() > p,
            };
            units.scalars().zip(&probabilities).map(is_one).collect()
        };
        let mut ones = ones.into_iter();
        filled(dtype, &shape, |bytes| {
            let one = u8::from(ones.next().unwrap_or(false));
            if dtype.is_float() {
                push(dtype, one.into(), *self.reading.nan, bytes);
            } else {
                bytes.extend_from_slice(&u64::from(one).to_le_bytes()[..dtype.size()]);
            }
            Ok(())
        })
    }

    /// Multinomial-13 of the implementation, by logarithms and with replacement.
    pub(super) fn multinomial(&self, request: &OnnxMultinomial) -> Result<Tensor, Failure> {
        let draws = self.reading.onnx_random.draws;
        let input = &request.input;
        let session = draws == OnnxDraws::Session;
        let has_type =
            matches!(input.dtype(), Dtype::F16 | Dtype::F32) || !session && input.dtype() == Dtype::F64;
        if draws == OnnxDraws::RandomState || !has_type {
            return Err(scope::lacks(
                self.reading,
                &format!("Multinomial of {}", input.dtype()),
            ));
        }
        // The plugin does not check the number: it writes beside an output that it makes empty for a negative one.
        let is_sound = (0..=i128::from(i32::MAX)).contains(&request.sample_size);
        if !session && (input.count() == 0 || !is_sound) {
            return Err(scope::lacks(
                self.reading,
                "checked number of samples or classes here",
            ));
        }
        let Ok(samples) = i64::try_from(request.sample_size) else {
            return check::refuse(
                ErrorKind::Samples,
                format!("sample_size is {}", request.sample_size),
            );
        };
        if session && input.count() == 0 {
            return check::refuse(ErrorKind::Shape, "input has no row or no class");
        }
        // A half is widened first.
        let probs = if session {
            let mut numbers = input.scalars();
            filled(Dtype::F32, input.shape(), |bytes| {
                let x = numbers.next().map_or(0.0, Scalar::to_f64);
                push(Dtype::F32, x, *self.reading.nan, bytes);
                Ok(())
            })?
        } else {
            input.clone()
        };
        let request = Multinomial {
            probs,
            num_samples: Tensor::scalar(samples),
            draws: None,
            convert_type: request.output_type.clone(),
            with_replacement: true,
            log_probs: true,
            global_seed: self.bits(),
            op_seed: 0,
            execution: self.execution,
        };
        Ok(multinomial::Plan::new(self.reading, &request, self.limits)?
            .run(&|| 0)?
            .output)
    }
}

/// An operation of a type and a number of f32, rounded to the type.
fn promoted(dtype: Dtype, operation: impl Fn(Arithmetic) -> f64) -> f64 {
    let wide = if dtype == Dtype::F64 {
        Dtype::F64
    } else {
        Dtype::F32
    };
    Arithmetic::ieee(dtype).of_f64(operation(Arithmetic::ieee(wide)))
}

fn filled(
    dtype: Dtype,
    shape: &Shape,
    mut element: impl FnMut(&mut Elements) -> Result<(), Failure>,
) -> Result<Tensor, Failure> {
    let mut bytes = buffer(dtype, shape)?;
    for _ in 0..shape.count() {
        element(&mut bytes)?;
    }
    Ok(bytes.into_tensor())
}
