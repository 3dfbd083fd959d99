//! JAX's `jax.random`.

mod keys;
mod noise;
mod permutation;
mod values;

use seedproof_ops::{
    Dtype, Elements, ErrorKind, Failure, JaxKeyImpl, Limits, Request, Response, Shape, Tensor,
};

use self::keys::Key;
use self::permutation::Permutation;
use self::values::{Floats, Integers};
use super::arithmetic::{buffer, push};
use super::plan::Plan as _;
use super::units::word_of;
use super::{check, scope};
use crate::answers::{HigherKey, JaxBounds, JaxRefused, KeySeedBits, NoiseOrder, Success};
use crate::reading::Reading;

/// A request that will be answered.
pub(super) struct Plan<'a> {
    reading: &'a Reading,
    key: Key<'a>,
    dtype: Dtype,
    shape: Shape,
    what: What,
}

enum What {
    Seeded,
    Split,
    Folded(u32),
    Bits,
    Floats(Floats),
    Integers(Integers),
    Bernoulli(f64),
    Permutation,
    Normal,
    Gumbel,
    /// The logits, row by row.
    Categorical(Tensor),
}

impl What {
    /// The key, which knows the extents whose elements it counts.
    fn counted<'a>(&self, key: Key<'a>, dims: &[u64]) -> Key<'a> {
        match self {
            Self::Categorical(logits) => key.of_extents(&logits.shape().to_u64()),
            // Keys are split and folded by counts of their own, and a permutation sorts by a list.
            Self::Seeded | Self::Split | Self::Folded(_) | Self::Permutation => key,
            _ => key.of_extents(dims),
        }
    }
}

impl<'a> Plan<'a> {
    /// The plan for a request.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for a refused request; [`Failure::Unsupported`] if the reading or the limits exclude it, or it
    /// is of another op.
    pub(super) fn new(reading: &'a Reading, request: &Request, limits: Limits) -> Result<Self, Failure> {
        let plan = |key: Key<'a>, dtype: Dtype, dims: &[u64], what: What| {
            if dtype.size() == 8 && !matches!(what, What::Permutation | What::Categorical(_)) {
                scope::has(reading, |scope| scope.jax_wide, "64-bit type")?;
            }
            if dtype.size() < 4 && !matches!(what, What::Bernoulli(_)) {
                scope::has(reading, |scope| scope.jax_narrow, "type of 8 or 16 bits")?;
            }
            if key.kind != JaxKeyImpl::Threefry2x32 {
                scope::has(reading, |scope| scope.jax_rbg, "key of Philox")?;
            }
            Ok(Self {
                reading,
                key: what.counted(key, dims),
                dtype,
                shape: limits.shape(dtype, dims)?,
                what,
            })
        };
        match request {
            Request::JaxKey(request) => {
                let kind = check::known("impl", &request.implementation)?;
                let seed = match i64::try_from(request.seed) {
                    Ok(seed) if is_safe(seed) || reading.jax_keys.seed_bits != KeySeedBits::Low32OfSafe => {
                        seed
                    }
                    _ => return check::attribute(format!("seed is {}", request.seed)),
                };
                let key = Key::of_seed(reading, kind, seed.cast_unsigned());
                plan(key, Dtype::U32, &[kind.words()], What::Seeded)
            }
            Request::JaxSplit(request) => {
                let kind = check::known("impl", &request.implementation)?;
                let count = match i64::try_from(request.num).map(u64::try_from) {
                    Ok(Ok(count)) if count > 0 || accepts_empty(reading) => count,
                    _ => return check::attribute(format!("num is {}", request.num)),
                };
                let key = Key::new(reading, kind, request.partitionable, &request.key)?;
                plan(key, Dtype::U32, &[count, kind.words()], What::Split)
            }
            Request::JaxFoldIn(request) => {
                let kind = check::known("impl", &request.implementation)?;
                let Ok(data) = u32::try_from(request.data) else {
                    return check::attribute(format!("data is {}", request.data));
                };
                let key = Key::new(reading, kind, request.partitionable, &request.key)?;
                plan(key, Dtype::U32, &[kind.words()], What::Folded(data))
            }
            Request::JaxBits(request) => {
                let kind = check::known("impl", &request.implementation)?;
                let unsigned = |dtype: Dtype| dtype.integers().is_some_and(|limits| *limits.start() == 0);
                let dtype = check::output_type(&request.output_type, unsigned)?;
                let key = Key::new(reading, kind, request.partitionable, &request.key)?;
                plan(key, dtype, &request.output_sizes, What::Bits)
            }
            Request::JaxUniform(request) => {
                let kind = check::known("impl", &request.implementation)?;
                let dtype = check::output_type(&request.output_type, Dtype::is_float)?;
                let key = Key::new(reading, kind, request.partitionable, &request.key)?;
                let minval = check::one("minval", &request.minval, dtype)?.to_f64();
                let maxval = check::one("maxval", &request.maxval, dtype)?.to_f64();
                // Before the order of the bounds, which an implementation that confuses these may not see either.
                if !minval.is_finite() || !maxval.is_finite() {
                    scope::has(reading, |scope| scope.jax_infinite, "range that is not finite")?;
                }
                if minval >= maxval && !accepts_empty(reading) {
                    return check::refuse(ErrorKind::Range, format!("the range is [{minval}, {maxval})"));
                }
                let floats = Floats::new(reading, dtype, [minval, maxval]);
                plan(key, dtype, &request.output_sizes, What::Floats(floats))
            }
            Request::JaxRandint(request) => {
                let kind = check::known("impl", &request.implementation)?;
                let dtype = check::output_type(&request.output_type, |dtype| !dtype.is_float())?;
                let bounds = [request.minval, request.maxval];
                accepted(reading, dtype, bounds)?;
                let key = Key::new(reading, kind, request.partitionable, &request.key)?;
                let integers = Integers::new(reading, dtype, bounds);
                plan(key, dtype, &request.output_sizes, What::Integers(integers))
            }
            Request::JaxBernoulli(request) => {
                let kind = check::known("impl", &request.implementation)?;
                let key = Key::new(reading, kind, request.partitionable, &request.key)?;
                let p = check::one("p", &request.p, Dtype::F32)?.to_f64();
                plan(key, Dtype::U8, &request.output_sizes, What::Bernoulli(p))
            }
            Request::JaxPermutation(request) => {
                let kind = check::known("impl", &request.implementation)?;
                let key = Key::new(reading, kind, request.partitionable, &request.key)?;
                let count = u64::try_from(request.n.max(0)).unwrap_or(u64::MAX);
                plan(key, Dtype::I64, &[count], What::Permutation)
            }
            _ => {
                let (key, dtype, dims, what) = Self::of_noise(reading, request)?;
                plan(key, dtype, &dims, what)
            }
        }
    }

    /// The key, the output's form and what it is, of the ops that take a logarithm.
    fn of_noise(
        reading: &'a Reading,
        request: &Request,
    ) -> Result<(Key<'a>, Dtype, Vec<u64>, What), Failure> {
        match request {
            Request::JaxNormal(request) => {
                let kind = check::known("impl", &request.implementation)?;
                let dtype = check::output_type(&request.output_type, Dtype::is_float)?;
                let key = Key::new(reading, kind, request.partitionable, &request.key)?;
                if dtype == Dtype::F64 {
                    return Err(Failure::Unsupported(
                        "normals of f64 take XLA's double functions, which are not known here".to_owned(),
                    ));
                }
                Ok((key, dtype, request.output_sizes.clone(), What::Normal))
            }
            Request::JaxGumbel(request) => {
                let kind = check::known("impl", &request.implementation)?;
                let dtype = check::output_type(&request.output_type, |dtype| dtype == Dtype::F32)?;
                let key = Key::new(reading, kind, request.partitionable, &request.key)?;
                Ok((key, dtype, request.output_sizes.clone(), What::Gumbel))
            }
            Request::JaxCategorical(request) => {
                let kind = check::known("impl", &request.implementation)?;
                let key = Key::new(reading, kind, request.partitionable, &request.key)?;
                let given = &request.logits;
                if given.dtype() != Dtype::F32 {
                    let message = format!("logits are of type {}", given.dtype());
                    return check::refuse(ErrorKind::Dtype, message);
                }
                let dims = given.shape().to_u64();
                match dims.split_last() {
                    Some((&classes, rows)) if classes > 0 => {
                        Ok((key, Dtype::I64, rows.to_vec(), What::Categorical(given.clone())))
                    }
                    _ => check::refuse(
                        ErrorKind::Shape,
                        format!("logits have the shape {}", given.shape()),
                    ),
                }
            }
            _ => Err(Failure::no_op(request.op())),
        }
    }

    /// The first elements, of all, of the noise of a tensor of these extents.
    fn noise(&self, dims: &[u64], elements: [usize; 2]) -> Result<Vec<f32>, Failure> {
        let floats = noise::of_noise(self.reading);
        let bits = self.key.bits(floats.width(self.reading), elements)?;
        let numbers: Vec<f64> = bits
            .into_iter()
            .map(|bits| floats.value(self.reading, bits))
            .collect();
        Ok(noise::noise(self.reading, dims, &numbers))
    }

    /// The noise of all logits, of these extents.
    fn noise_of_classes(&self, dims: &[u64], count: usize) -> Result<Vec<f32>, Failure> {
        let rows = self.count();
        let classes = count / rows.max(1);
        match self.reading.jax_noise.noise_order {
            NoiseOrder::Rows => self.noise(dims, [count; 2]),
            NoiseOrder::Classes => {
                let noise = self.noise(dims, [count; 2])?;
                let at = |i: usize| noise[i % classes * rows + i / classes];
                Ok((0..count).map(at).collect())
            }
            // Drawn by itself, and not cut from all rows: in the original order a word depends on how many there are.
            NoiseOrder::FirstRow => {
                let row = dims.last().map_or(&[][..], std::slice::from_ref);
                Ok(self.noise(row, [classes; 2])?.repeat(rows))
            }
        }
    }

    fn integers(
        &self,
        integers: &Integers,
        elements: [usize; 2],
        bytes: &mut Elements,
    ) -> Result<(), Failure> {
        let higher = self.reading.jax_values.higher;
        if higher == HigherKey::Together && integers.width() == 32 {
            for drawn in self.key.bits(64, elements)? {
                integers.push_remainder(drawn, bytes);
            }
            return Ok(());
        }
        let mut keys = self.key.split(2);
        match higher {
            HigherKey::First | HigherKey::Together => {}
            HigherKey::Second => keys.reverse(),
            HigherKey::FirstTwice => {
                let first = keys[0].clone();
                keys.fill(first);
            }
            HigherKey::SecondTwice => {
                let second = keys[1].clone();
                keys.fill(second);
            }
            HigherKey::Own => keys.fill(self.key.words.clone()),
        }
        let mut draws = Vec::new();
        for words in keys {
            draws.push(self.key.with(words).bits(integers.width(), elements)?);
        }
        for (&higher, &lower) in draws[0].iter().zip(&draws[1]) {
            integers.push(self.reading, [higher, lower], bytes);
        }
        Ok(())
    }

    fn bernoulli(&self, p: f64, elements: [usize; 2], bytes: &mut Elements) -> Result<(), Failure> {
        let success = self.reading.jax_values.success;
        if success == Success::Words {
            let threshold = word_of(p);
            let words = self.key.bits(32, elements)?.into_iter();
            bytes.extend(words.map(|word| u8::from(word < threshold)));
            return Ok(());
        }
        let dtype = match success {
            Success::LessInF64 => Dtype::F64,
            _ => Dtype::F32,
        };
        let floats = Floats::new(self.reading, dtype, [0.0, 1.0]);
        for bits in self.key.bits(floats.width(self.reading), elements)? {
            let u = floats.value(self.reading, bits);
            bytes.push(u8::from(match success {
                Success::Less | Success::LessInF64 | Success::Words => u < p,
                Success::LessOrEqual => u <= p,
                Success::Greater => u > p,
            }));
        }
        Ok(())
    }

    /// The first elements, as many as a shape has. The words of the original order depend on the number of all.
    fn first_of(&self, shape: &Shape) -> Result<Tensor, Failure> {
        let mut bytes = buffer(self.dtype, shape)?;
        let taken = shape.count();
        let count = self.count();
        let elements = [taken, count];
        let size = self.dtype.size();
        match &self.what {
            What::Seeded => push_words(&self.key.words, &mut bytes),
            What::Split => {
                let each = self.key.words.len();
                for key in self.key.split(count / each) {
                    push_words(&key, &mut bytes);
                }
            }
            What::Folded(data) => push_words(&self.key.folded(*data), &mut bytes),
            What::Bits => {
                for bits in self.key.bits(8 * size, elements)? {
                    bytes.extend_from_slice(&bits.to_le_bytes()[..size]);
                }
            }
            What::Floats(floats) => {
                for bits in self.key.bits(floats.width(self.reading), elements)? {
                    floats.push(self.reading, bits, &mut bytes);
                }
            }
            What::Integers(integers) => self.integers(integers, elements, &mut bytes)?,
            What::Bernoulli(p) => self.bernoulli(*p, elements, &mut bytes)?,
            What::Permutation => {
                let permutation = Permutation::new(self.reading, &self.key, self.count());
                let numbers = if taken < self.count() {
                    permutation.first(taken)?
                } else {
                    permutation.numbers()?
                };
                for number in numbers {
                    bytes.extend_from_slice(&number.to_le_bytes());
                }
            }
            What::Normal => {
                let floats = noise::of_normals(self.reading, self.dtype);
                for bits in self.key.bits(floats.width(self.reading), elements)? {
                    let number = floats.value(self.reading, bits);
                    let normal = noise::normal(self.reading, self.dtype, number);
                    push(self.dtype, normal, *self.reading.nan, &mut bytes);
                }
            }
            What::Gumbel => {
                for noise in self.noise(&self.shape.to_u64(), elements)? {
                    bytes.extend_from_slice(&noise.to_le_bytes());
                }
            }
            What::Categorical(logits) => {
                let dims = logits.shape().to_u64();
                let logits: Vec<f32> = logits.elements().map_or_else(|_| Vec::new(), Iterator::collect);
                let noise = self.noise_of_classes(&dims, logits.len())?;
                let sums: Vec<f32> = noise
                    .iter()
                    .zip(&logits)
                    .map(|(noise, logit)| noise + logit)
                    .collect();
                for row in sums.chunks(logits.len().checked_div(count).unwrap_or(1).max(1)) {
                    let class = u64::try_from(noise::greatest(row)).unwrap_or(u64::MAX);
                    bytes.extend_from_slice(&class.to_le_bytes());
                }
            }
        }
        Ok(bytes.into_tensor())
    }
}

impl super::plan::Plan for Plan<'_> {
    fn count(&self) -> usize {
        self.shape.count()
    }

    fn run(&self, _: &dyn Fn() -> u64) -> Result<Response, Failure> {
        self.first_of(&self.shape).map(Response::of)
    }

    fn first(&self, count: usize, entropy: &dyn Fn() -> u64) -> Result<Tensor, Failure> {
        let is_whole = match self.what {
            What::Seeded | What::Split | What::Folded(_) | What::Categorical(_) => true,
            // The logarithm of a few elements depends on their number too.
            What::Gumbel => self.count() < 16,
            _ => false,
        };
        if is_whole || self.count() <= count {
            return Ok(self.run(entropy)?.output);
        }
        self.first_of(&Shape::vector(count))
    }
}

fn push_words(words: &[u32], bytes: &mut Elements) {
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
}

/// Refuses bounds of integers.
fn accepted(reading: &Reading, dtype: Dtype, [minval, maxval]: [i128; 2]) -> Result<(), Failure> {
    let fits = |bound: i128| match reading.jax_values.bounds {
        JaxBounds::I64 => i64::try_from(bound).is_ok(),
        JaxBounds::I32 => i32::try_from(bound).is_ok(),
        JaxBounds::Safe => i64::try_from(bound).is_ok_and(is_safe),
    };
    let is_empty = minval >= maxval || dtype == Dtype::U32 && minval < 0;
    if fits(minval) && fits(maxval) && (!is_empty || accepts_empty(reading)) {
        return Ok(());
    }
    check::refuse(
        ErrorKind::Range,
        format!("minval is {minval} and maxval {maxval}"),
    )
}

/// Whether a number of JavaScript holds an integer, and no other.
fn is_safe(number: i64) -> bool {
    number.unsigned_abs() < 1 << 53
}

fn accepts_empty(reading: &Reading) -> bool {
    reading.jax_keys.refused == JaxRefused::None
}
