//! The samplers of vLLM and SGLang.

use seedproof_ops::{Dtype, ErrorKind, Failure, Limits, Request, Response, Scalar, Shape, Tensor};

use super::arithmetic::{Arithmetic, buffer, push};
use super::check;
use super::philox::split_64;
use super::selection::{clearly_greatest, greatest};
use super::units::two_to;
use crate::answers::{
    DraftNoise, HashConstants, HashDivisor, HashFinish, HashOrder, HashRotations, HashSeed, HashUnit,
    HashWords, LogOfOne, LogitDigits, Mixed, NoiseRow, Precision, RaceNoise, Tempered,
};
use crate::reading::Reading;
use crate::round::{f32_of, f64_of};

/// A request that will be answered.
pub(super) struct Plan<'a> {
    reading: &'a Reading,
    dtype: Dtype,
    shape: Shape,
    what: What,
}

enum What {
    /// Hashes of rows, or numbers that are made of them.
    Words {
        rows: Vec<[u64; 2]>,
        count: u64,
    },
    Tokens(Vec<usize>),
}

impl<'a> Plan<'a> {
    /// The plan for a request.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for a refused request; [`Failure::Unsupported`] if the reading or the limits exclude it, it is
    /// of another op, or another machine's logarithm might select another token.
    pub(super) fn new(reading: &'a Reading, request: &Request, limits: Limits) -> Result<Self, Failure> {
        let plan = |dtype: Dtype, dims: &[u64], what: What| {
            Ok(Self {
                reading,
                dtype,
                shape: limits.shape(dtype, dims)?,
                what,
            })
        };
        match request {
            Request::VllmMurmur3Uniform(request) => {
                let dtype = check::output_type(&request.output_type, |dtype| {
                    matches!(dtype, Dtype::F32 | Dtype::F64)
                })?;
                let count = number("num", request.num)?;
                let row = [word("seed", &request.seed)?, word("pos", &request.pos)?];
                plan(
                    dtype,
                    &[count],
                    What::Words {
                        rows: vec![row],
                        count,
                    },
                )
            }
            Request::SglangMurmurHash32(request) => {
                let count = number("num_cols", request.num_cols)?;
                // A scalar has no rows; no list of positions is as long as this says, so that it is refused below.
                let rows = request.seed.shape().to_u64().first().copied().unwrap_or(u64::MAX);
                let seeds = check::list("seed", &request.seed, Dtype::U64, &[rows])?;
                let positions = check::list("positions", &request.positions, Dtype::I64, &[rows])?;
                let words = What::Words {
                    rows: seeds.into_iter().zip(positions).map(<[u64; 2]>::from).collect(),
                    count,
                };
                plan(Dtype::U32, &[rows, count], words)
            }
            Request::VllmGumbelSample(request) => {
                let logits = matrix("logits", &request.logits)?;
                let rows = request.logits.shape().to_u64()[0];
                let temperatures = check::list("temperature", &request.temperature, Dtype::F32, &[rows])?;
                let temperatures: Vec<f64> = temperatures
                    .into_iter()
                    .map(|bits| Scalar::new(Dtype::F32, bits).to_f64())
                    .collect();
                if let Some(odd) = temperatures.iter().find(|it| !(0.0..f64::INFINITY).contains(*it)) {
                    return check::refuse(ErrorKind::Range, format!("a temperature is {odd}"));
                }
                let seeds = check::list("seed", &request.seed, Dtype::I64, &[rows])?;
                let positions = check::list("pos", &request.pos, Dtype::I64, &[rows])?;
                limits.shape(Dtype::I64, &[rows])?;
                let drafted = match reading.race.draft {
                    DraftNoise::Apart if request.is_drafting => 1 << 30,
                    _ => 0,
                };
                let tokens = tokens(&logits, |row, logits| {
                    let at = of_row(reading, row);
                    let noise = |token: u64| {
                        let words = [seeds[at], positions[at].wrapping_add(drafted)];
                        gumbel(reading, request.use_fp64, words, token)
                    };
                    raced(reading, temperatures[row], request.use_fp64, logits, noise)
                })?;
                plan(Dtype::I64, &[rows], What::Tokens(tokens))
            }
            Request::SglangMultinomialWithSeed(request) => {
                let logprobs = matrix("logprobs", &request.logprobs)?;
                let rows = request.logprobs.shape().to_u64()[0];
                let seeds = check::list("seed", &request.seed, Dtype::I64, &[rows])?;
                let positions = check::list("positions", &request.positions, Dtype::I64, &[rows])?;
                limits.shape(Dtype::I64, &[rows, 1])?;
                let tokens = tokens(&logprobs, |row, logprobs| {
                    let at = of_row(reading, row);
                    let noise = |token: u64| {
                        let x = f64::from(hash(reading, 0, [seeds[at], positions[at]], token));
                        let greatest = match reading.race.one {
                            LogOfOne::Clamped => -two_to(-32),
                            LogOfOne::Zero => 0.0,
                        };
                        let log = match reading.race.divisor {
                            HashDivisor::Greatest => x / f64::from(u32::MAX),
                            HashDivisor::Count => x * two_to(-32),
                        };
                        let log = match reading.race.logarithm {
                            Precision::F64 => log.ln(),
                            Precision::F32 => f64::from(f32_of(log.ln())),
                        };
                        -(-log.min(greatest).max(f64::MIN)).ln()
                    };
                    let all: Vec<f64> = (0..).zip(logprobs).map(|(token, _)| noise(token)).collect();
                    clear(logprobs, &all, two_to(-50), |logprob, noise| logprob + noise)
                })?;
                plan(Dtype::I64, &[rows, 1], What::Tokens(tokens))
            }
            _ => Err(Failure::no_op(request.op())),
        }
    }
}

impl super::plan::Plan for Plan<'_> {
    fn count(&self) -> usize {
        self.shape.count()
    }

    fn run(&self, _: &dyn Fn() -> u64) -> Result<Response, Failure> {
        let mut bytes = buffer(self.dtype, &self.shape)?;
        match &self.what {
            What::Tokens(tokens) => {
                let wide = |&token: &usize| u64::try_from(token).unwrap_or(u64::MAX);
                bytes.extend(tokens.iter().flat_map(|token| wide(token).to_le_bytes()));
            }
            What::Words { rows, count } => {
                for (&row, token) in rows
                    .iter()
                    .flat_map(|row| (0..*count).map(move |token| (row, token)))
                {
                    match self.dtype {
                        Dtype::U32 => bytes.extend(hash(self.reading, 0, row, token).to_le_bytes()),
                        dtype => {
                            let u = unit(self.reading, dtype == Dtype::F64, row, token);
                            push(dtype, u, *self.reading.nan, &mut bytes);
                        }
                    }
                }
            }
        }
        Ok(Response::of(bytes.into_tensor()))
    }
}

/// The row whose noise a row has.
fn of_row(reading: &Reading, row: usize) -> usize {
    match reading.race.row {
        NoiseRow::Own => row,
        NoiseRow::First => 0,
    }
}

/// MurmurHash3 x86-32 of seed, position and token, begun with `start`.
fn hash(reading: &Reading, start: u32, [seed, position]: [u64; 2], token: u64) -> u32 {
    let answers = &reading.murmur;
    let [low, high] = split_64(seed);
    let [first, second] = match answers.seed {
        HashSeed::Both => [low, high],
        HashSeed::HighFirst => [high, low],
        HashSeed::Low => [low, 0],
        HashSeed::PlusPosition => split_64(seed.wrapping_add(position)),
    };
    let [position, token] = [position, token].map(|number| split_64(number)[0]);
    let position = if answers.position == Mixed::In && answers.seed != HashSeed::PlusPosition {
        position
    } else {
        0
    };
    let [third, fourth] = match answers.order {
        HashOrder::PositionFirst => [position, token],
        HashOrder::TokenFirst => [token, position],
    };
    let mut state = start;
    let [multiplier, second_multiplier, addend, factor, second_factor] = constants(answers.constants);
    let [of_block, of_state] = match answers.rotations {
        HashRotations::Right => [15, 13],
        HashRotations::Exchanged => [13, 15],
        HashRotations::Other(number) if number < 200 => [number - 100, 13],
        HashRotations::Other(number) => [15, number - 200],
    };
    for block in [first, second, third, fourth] {
        let mixed = block.wrapping_mul(multiplier).rotate_left(of_block);
        state ^= mixed.wrapping_mul(second_multiplier);
        state = state.rotate_left(of_state).wrapping_mul(5).wrapping_add(addend);
    }
    if answers.length == Mixed::In {
        state ^= 16;
    }
    if answers.finish == HashFinish::Nothing {
        return state;
    }
    let [first, second, last] = match answers.finish {
        HashFinish::Shift(number) if number < 200 => [number - 100, 13, 16],
        HashFinish::Shift(number) if number < 300 => [16, number - 200, 16],
        HashFinish::Shift(number) => [16, 13, number - 300],
        _ => [16, 13, 16],
    };
    for (shift, factor) in [(first, factor), (second, second_factor)] {
        state = (state ^ state >> (shift & 31)).wrapping_mul(factor);
    }
    match answers.finish {
        HashFinish::WithoutLastShift => state,
        _ => state ^ state >> (last & 31),
    }
}

/// The two multipliers of a block, the addend, and the two multipliers of the finish.
const fn constants(answer: HashConstants) -> [u32; 5] {
    let [a, b, c, d, e] = [0xcc9e_2d51, 0x1b87_3593, 0xe654_6b64, 0x85eb_ca6b, 0xc2b2_ae35];
    match answer {
        HashConstants::Right => [a, b, c, d, e],
        HashConstants::MultipliersExchanged => [b, a, c, d, e],
        HashConstants::FinishExchanged => [a, b, c, e, d],
        HashConstants::First(other) => [other, b, c, d, e],
        HashConstants::Second(other) => [a, other, c, d, e],
        HashConstants::Addend(other) => [a, b, other, d, e],
        HashConstants::FinishFirst(other) => [a, b, c, other, e],
        HashConstants::FinishSecond(other) => [a, b, c, d, other],
    }
}

/// The number of the unit interval of a token, as f32 or f64.
fn unit(reading: &Reading, wide: bool, words: [u64; 2], token: u64) -> f64 {
    let first = hash(reading, 0, words, token);
    if !wide {
        return f64::from(f32_of(match reading.race.unit {
            HashUnit::Midpoint => (f64::from(first) + 0.5) * two_to(-32),
            HashUnit::Top24 => (f64::from(first >> 8) + 0.5) * two_to(-24),
            HashUnit::Begin => f64::from(first) * two_to(-32),
        }));
    }
    if reading.race.words == HashWords::One {
        return (f64::from(first) + 0.5) * two_to(-32);
    }
    let second = hash(reading, 0x9e37_79b9, words, token);
    let digits = (u64::from(second) << 32 | u64::from(first)) >> 11;
    ((f64_of(digits) + 0.5) * two_to(-53)).min(1.0 - two_to(-53))
}

/// The noise of a token, of f32 where scores are not `wide`.
fn gumbel(reading: &Reading, wide: bool, words: [u64; 2], token: u64) -> f64 {
    let u = unit(reading, wide, words, token);
    let noise = reading.race.noise;
    if noise == RaceNoise::Number {
        return u;
    }
    if wide {
        return match noise {
            RaceNoise::Exponential => -u.ln(),
            RaceNoise::Base2 => -(-u.log2()).log2(),
            RaceNoise::Gumbel | RaceNoise::Number => -(-u.ln()).ln(),
        };
    }
    let u = f32_of(u);
    let log = |x: f32| f32_of(f64::from(x).ln());
    let exponential = if u < 0.25 {
        let terms = [7.0_f32, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0];
        let mut sum = 0.125_f32;
        for term in terms {
            sum = 1.0 / term + u * sum;
        }
        u * sum
    } else {
        -log((1.0 - u).max(f32_of(two_to(-24))))
    };
    match noise {
        RaceNoise::Exponential => f64::from(exponential),
        RaceNoise::Base2 => {
            let base = f64::from(exponential) / std::f64::consts::LN_2;
            f64::from(f32_of(-base.log2()))
        }
        RaceNoise::Gumbel | RaceNoise::Number => f64::from(-log(exponential)),
    }
}

/// The token of a row of logits.
fn raced(
    reading: &Reading,
    temperature: f64,
    wide: bool,
    logits: &[f64],
    noise: impl Fn(u64) -> f64,
) -> Option<usize> {
    if temperature == 0.0 {
        return greatest(logits);
    }
    let temperature = match reading.race.tempered {
        Tempered::Logits => temperature,
        Tempered::Nothing => 1.0,
    };
    let digits = |logit: f64| match reading.race.logits {
        LogitDigits::F32 => logit,
        LogitDigits::Bf16 => Arithmetic::ieee(Dtype::Bf16).of_f64(logit),
        LogitDigits::F16 => Arithmetic::ieee(Dtype::F16).of_f64(logit),
        LogitDigits::Bf16Cut => f64::from(f32::from_bits(f32_of(logit).to_bits() & 0xffff_0000)),
    };
    // The quotient of two f32 in f64, rounded to f32, is their quotient in f32.
    let logits: Vec<f64> = logits
        .iter()
        .map(|&logit| f64::from(f32_of(digits(logit) / temperature)))
        .collect();
    let all: Vec<f64> = (0..).zip(&logits).map(|(token, _)| noise(token)).collect();
    let ulps = two_to(if wide { -50 } else { -21 });
    clear(&logits, &all, ulps, |logit, noise| {
        if wide {
            logit + noise
        } else {
            f64::from(f32_of(logit) + f32_of(noise))
        }
    })
}

/// The token whose score is greatest, whatever a logarithm's last bits are.
fn clear(logits: &[f64], noise: &[f64], ulps: f64, score: impl Fn(f64, f64) -> f64) -> Option<usize> {
    let pairs = || logits.iter().zip(noise);
    let scores: Vec<f64> = pairs().map(|(&logit, &noise)| score(logit, noise)).collect();
    let errors: Vec<f64> = pairs()
        .map(|(logit, noise)| logit.abs().max(noise.abs()).max(1.0) * ulps)
        .collect();
    clearly_greatest(&scores, &errors)
}

/// A token for each row.
fn tokens(rows: &[Vec<f64>], token: impl Fn(usize, &[f64]) -> Option<usize>) -> Result<Vec<usize>, Failure> {
    if rows.iter().flatten().any(|number| number.is_nan()) {
        return Err(Failure::Unsupported("a logit is NaN".to_owned()));
    }
    let selected = rows.iter().enumerate().map(|(row, numbers)| token(row, numbers));
    let all: Option<Vec<usize>> = selected.collect();
    all.ok_or_else(|| Failure::Unsupported("the last bits of a logarithm decide a token".to_owned()))
}

pub(super) fn number(name: &str, number: i128) -> Result<u64, Failure> {
    let fits = i64::try_from(number)
        .ok()
        .and_then(|number| u64::try_from(number).ok());
    fits.map_or_else(|| check::attribute(format!("{name} is {number}")), Ok)
}

/// The bits of one i64.
pub(super) fn word(name: &str, tensor: &Tensor) -> Result<u64, Failure> {
    check::one(name, tensor, Dtype::I64).map(Scalar::bits)
}

/// Rows of f32.
fn matrix(name: &str, tensor: &Tensor) -> Result<Vec<Vec<f64>>, Failure> {
    check::dtype_is(name, tensor, &[Dtype::F32])?;
    let classes = match *tensor.shape().dims() {
        [_, classes] if classes > 0 => classes,
        _ => return check::shape(name, tensor),
    };
    let numbers: Vec<f64> = tensor.scalars().map(Scalar::to_f64).collect();
    Ok(numbers.chunks(classes).map(<[f64]>::to_vec).collect())
}
