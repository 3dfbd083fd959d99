//! cuRAND's Philox4x32-10, as its host generators draw.
//!
//! What decides is the documentation and what cuRAND 10.4.5 answers on a CPU.
//!
//! There are no stages: an element is of one word, of two or of a pair's, and none of them needs to begin a block.

use seedproof_ops::{
    CurandDistribution, CurandPhilox, Dtype, Elements, ErrorKind, Failure, Limits, OpError, Response, Shape,
    Tensor,
};
use seedproof_transcend::glibc;

use crate::tensorflow_normal::{narrowed, only_f32};
use crate::{philox, servers, validate};

/// How many subsequences take turns.
const SUBSEQUENCES: u128 = 65_536;

/// The outputs that a subsequence makes in its turn.
const PER_TURN: u128 = 4;

/// A valid request.
pub struct Plan {
    what: What,
    shape: Shape,
    seed: u64,
    offset: u128,
}

enum What {
    Bits,
    UniformF32,
    UniformF64,
    NormalF32 { mean: f32, stddev: f32 },
}

impl Plan {
    /// The plan for a request.
    ///
    /// `[cup.type]`: bits are u32, the other outputs f32 or f64. `[cup.num]`: their number is not negative.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for normals of f64 and for an output over the limit.
    pub fn new(request: &CurandPhilox, limits: Limits) -> Result<Self, Failure> {
        let all = [
            CurandDistribution::Bits,
            CurandDistribution::Uniform,
            CurandDistribution::Normal,
        ];
        let distribution = validate::attribute("distribution", &request.distribution, &all)?;
        let types: &[Dtype] = match distribution {
            CurandDistribution::Bits => &[Dtype::U32],
            CurandDistribution::Uniform | CurandDistribution::Normal => &[Dtype::F32, Dtype::F64],
        };
        let dtype = validate::attribute("output_type", &request.output_type, types)?;
        let num = servers::count("num", request.num)?;
        let what = match (distribution, dtype) {
            (CurandDistribution::Normal, _) => normal(dtype, request)?,
            (_, Dtype::U32) => What::Bits,
            (_, Dtype::F32) => What::UniformF32,
            _ => What::UniformF64,
        };
        if distribution != CurandDistribution::Normal {
            absent("mean", request.mean.as_ref())?;
            absent("stddev", request.stddev.as_ref())?;
        }
        Ok(Self {
            what,
            shape: limits.shape(dtype, &[num])?,
            seed: request.seed,
            offset: request.offset.into(),
        })
    }

    /// The op's output.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for it.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        let dtype = match self.what {
            What::Bits => Dtype::U32,
            What::UniformF64 => Dtype::F64,
            What::UniformF32 | What::NormalF32 { .. } => Dtype::F32,
        };
        let mut elements = Elements::reserve(dtype, &self.shape)?;
        for j in (self.offset..).take(self.shape.count()) {
            match self.what {
                What::Bits => elements.push(self.word(j)),
                What::UniformF32 => elements.push(uniform(self.word(j))),
                What::UniformF64 => elements.push(uniform_double(self.pair_of_double(j))),
                // A NaN among the parameters is the canonical one in the output, as everywhere.
                What::NormalF32 { mean, stddev } => {
                    elements.push_bits(narrowed(Dtype::F32, mean + self.normal(j) * stddev));
                }
            }
        }
        Ok(Response::of(elements.into_tensor()))
    }

    /// `[cup.offset]`: element i is output `j = i + offset` of the generator. `[cup.subsequences]`: 65,536 subsequences make
    /// four outputs in turn, the words of a block whose counter has the subsequence in its high half and in its low half
    /// how many turns it has had.
    ///
    /// Erratum `cup.offset.end`.
    fn word(&self, j: u128) -> u32 {
        let turn = j / PER_TURN;
        let block = self.block(turn % SUBSEQUENCES, turn / SUBSEQUENCES);
        block[usize::try_from(j % PER_TURN).expect("less than 4")]
    }

    fn block(&self, subsequence: u128, n: u128) -> [u32; 4] {
        philox::block(self.seed, subsequence << 64 | n)
    }

    /// `[cup.double.blocks]`: four f64 of a turn take two blocks. A turn that is skipped by the offset takes one.
    ///
    /// Erratum `cup.double.skipped`.
    fn pair_of_double(&self, j: u128) -> [u32; 2] {
        let turn = j / PER_TURN;
        let skipped = self.offset / PER_TURN;
        // The subsequence's own turns in this draw, each of which takes a block more than one that is skipped.
        let drawn = (turn - skipped) / SUBSEQUENCES;
        let place = j % PER_TURN;
        let [x, y, z, w] = self.block(turn % SUBSEQUENCES, turn / SUBSEQUENCES + drawn + place / 2);
        if place.is_multiple_of(2) { [x, y] } else { [z, w] }
    }

    /// `[cup.normal.pair]`: outputs 2k and 2k + 1 are the sine and the cosine of words 2k and 2k + 1.
    ///
    fn normal(&self, j: u128) -> f32 {
        let first = j - j % 2;
        let [sine, cosine] = box_muller(self.word(first), self.word(first + 1));
        if j == first { sine } else { cosine }
    }
}

/// `[cup.parameters]`: a mean and a standard deviation of the output's type, 0 and 1 if they are left out; any numbers.
/// `[cup.normal.scale]`: the mean plus the product, each rounded by itself.
///
/// Errata `cup.parameters.unchecked` and `cup.normal.scale-apart`.
fn normal(dtype: Dtype, request: &CurandPhilox) -> Result<What, Failure> {
    for (name, tensor) in [("mean", &request.mean), ("stddev", &request.stddev)] {
        if let Some(tensor) = tensor {
            validate::dtype(name, tensor, &[dtype])?;
            crate::stateless::scalar(name, tensor)?;
        }
    }
    only_f32(dtype)?;
    let parameter = |name, tensor: &Option<Tensor>, absent| match tensor {
        Some(tensor) => validate::scalar::<f32>(name, tensor),
        None => Ok(absent),
    };
    Ok(What::NormalF32 {
        mean: parameter("mean", &request.mean, 0.0)?,
        stddev: parameter("stddev", &request.stddev, 1.0)?,
    })
}

/// `[cup.parameters]`: only normals have them.
fn absent(name: &str, tensor: Option<&Tensor>) -> Result<(), OpError> {
    if tensor.is_none() {
        return Ok(());
    }
    let message = format!("take a {name}: only normals have one");
    validate::refuse(ErrorKind::Attribute, message)
}

/// 2^-32.
const UNIT: f32 = 1.0 / 4_294_967_296.0;

/// `[cup.uniform]`: a word, rounded to f32, times 2^-32 and 2^-33 more, in (0, 1].
///
/// Erratum `cup.uniform.rounded`.
fn uniform(word: u32) -> f32 {
    float(word).mul_add(UNIT, UNIT / 2.0)
}

/// `[cup.double.uniform]`: of two words the first, exclusive-or the second shifted by 21, times 2^-53 and 2^-54 more.
///
/// Erratum `cup.double.words`.
#[expect(clippy::cast_precision_loss, reason = "53 bits at most are set")]
fn uniform_double([x, y]: [u32; 2]) -> f64 {
    /// 2^-53.
    const STEP: f64 = f64::EPSILON / 2.0;
    let z = u64::from(x) ^ u64::from(y) << 21;
    z as f64 * STEP + STEP / 2.0
}

/// `[cup.normal.box-muller]`: the first word's number of the unit interval makes the radius. The second word, rounded to f32,
/// is multiplied by the f32 product of 2^-32 and 2 pi, and half of that is added, product and sum rounded apart; sine and
/// cosine of that angle are multiplied by the radius.
///
/// Errata `cup.normal.libm`, `cup.normal.angle-apart` and `cup.normal.sine-first`.
fn box_muller(x: u32, y: u32) -> [f32; 2] {
    const STEP: f32 = UNIT * std::f32::consts::TAU;
    let u = uniform(x);
    let v = float(y) * STEP + STEP / 2.0;
    let s = (-2.0 * glibc::logf(u)).sqrt();
    [glibc::sinf(v) * s, glibc::cosf(v) * s]
}

#[expect(clippy::cast_precision_loss, reason = "the rounding is the point")]
const fn float(word: u32) -> f32 {
    word as f32
}
