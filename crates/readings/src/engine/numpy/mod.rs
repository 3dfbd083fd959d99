//! NumPy's `Generator`: `random`, `integers` and `permutation`; and its legacy `RandomState`, which draws likewise.

mod bits;

use seedproof_ops::{
    Attribute, Dtype, Elements, ErrorKind, Failure, Limits, NumpyBitGenerator, Request, Response, Shape,
    Tensor,
};
use seedproof_transcend::log;

use crate::answers::{
    LegacyFactor, LegacyFirst, LegacyOther, LegacyPair, LegacySquares, NumpyBound, NumpyCalls, NumpyDouble,
    NumpyInterval, NumpyMethod, NumpyMtDouble, NumpyPieces, NumpyPiecesLeft, NumpyShuffle, NumpyShuffleEnd,
    NumpySingle, NumpyWidth,
};
use crate::engine::arithmetic::{buffer, push};
use crate::engine::check;
use crate::engine::random_state::{Normal, polar};
use crate::engine::stream::as_u128;
use crate::engine::units::two_to;
use crate::reading::Reading;
use crate::round::{f32_of, f64_of};
use bits::Source;

/// How many draws are rejected at most. Every other one is accepted, so that only a reading whose words do not change comes
/// to the end, and it must come to one.
const TRIES: u32 = 4096;

/// More numbers of 64 bits than any limit allows, and fewer than NumPy refuses.
const MOST_COUNTED: u64 = (1 << 60) - 1;

/// A request that will be answered.
pub(super) struct Plan<'a> {
    reading: &'a Reading,
    dtype: Dtype,
    shape: Shape,
    seeded: Seeded,
    execution: u32,
    what: What,
}

/// What draws, and its seed.
#[derive(Clone, Copy)]
enum Seeded {
    Generator(NumpyBitGenerator, u128),
    /// A `RandomState` of a number, or of a list of this many words.
    Legacy(u128, Option<usize>),
}

#[derive(Clone, Copy)]
enum What {
    Numbers,
    Normals,
    /// The lowest number, and how far the greatest is from it.
    Integers {
        low: i128,
        most: u64,
    },
    Order,
}

impl<'a> Plan<'a> {
    /// The plan for a request.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for a refused request; [`Failure::Unsupported`] if the reading or the limits exclude it, or it
    /// is of another op.
    pub(super) fn new(reading: &'a Reading, request: &Request, limits: Limits) -> Result<Self, Failure> {
        let plan = |seeded: Seeded,
                    execution: u32,
                    (dtype, sizes): (Dtype, &[u64]),
                    bounds: &dyn Fn() -> Result<What, Failure>| {
            let what = bounds()?;
            addressable(dtype, sizes)?;
            let shape = limits.shape(dtype, sizes)?;
            Limits::skipped(execution, u64::try_from(shape.count()).unwrap_or(u64::MAX))?;
            Ok(Self {
                reading,
                dtype,
                shape,
                seeded,
                execution,
                what,
            })
        };
        match request {
            Request::NumpyRandom(it) => {
                let dtype =
                    check::output_type(&it.output_type, |dtype| matches!(dtype, Dtype::F32 | Dtype::F64))?;
                let seeded = generator(&it.bit_generator, it.seed)?;
                plan(seeded, it.execution, (dtype, &it.output_sizes), &|| {
                    Ok(What::Numbers)
                })
            }
            Request::NumpyIntegers(it) => {
                let dtype = check::output_type(&it.output_type, |dtype| !dtype.is_float())?;
                let form = (dtype, it.output_sizes.as_slice());
                let seeded = generator(&it.bit_generator, it.seed)?;
                plan(seeded, it.execution, form, &|| bounds(form, it.low, it.high))
            }
            Request::NumpyPermutation(it) => {
                let (form, seeded) = (counted(it.n), generator(&it.bit_generator, it.seed)?);
                plan(seeded, it.execution, (Dtype::I64, &form), &|| order(it.n))
            }
            Request::RandomStateRand(it) => {
                let seeded = legacy(it.seed, it.seed_words)?;
                plan(seeded, it.execution, (Dtype::F64, &it.output_sizes), &|| {
                    Ok(What::Numbers)
                })
            }
            Request::RandomStateRandn(it) => {
                let seeded = legacy(it.seed, it.seed_words)?;
                plan(seeded, it.execution, (Dtype::F64, &it.output_sizes), &|| {
                    Ok(What::Normals)
                })
            }
            Request::RandomStateRandint(it) => {
                let dtype = check::output_type(&it.output_type, |dtype| !dtype.is_float())?;
                let form = (dtype, it.output_sizes.as_slice());
                let seeded = legacy(it.seed, it.seed_words)?;
                plan(seeded, it.execution, form, &|| bounds(form, it.low, it.high))
            }
            Request::RandomStatePermutation(it) => {
                let (form, seeded) = (counted(it.n), legacy(it.seed, it.seed_words)?);
                plan(seeded, it.execution, (Dtype::I64, &form), &|| order(it.n))
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
        self.first_of(&self.shape).map(Response::of)
    }

    /// A later call begins after the numbers of those before, so that it has no shorter request.
    fn first(&self, count: usize, entropy: &dyn Fn() -> u64) -> Result<Tensor, Failure> {
        if matches!(self.what, What::Order) {
            return Ok(self.run(entropy)?.output);
        }
        let count = count.min(self.shape.count());
        self.first_of(&Shape::vector(count))
    }
}

impl Plan<'_> {
    /// The first elements, as many as a shape has.
    fn first_of(&self, shape: &Shape) -> Result<Tensor, Failure> {
        let (source, method) = match self.seeded {
            Seeded::Generator(kind, seed) => (
                Source::new(self.reading, kind, seed),
                self.reading.numpy_draws.method,
            ),
            Seeded::Legacy(seed, length) => (
                Source::legacy(self.reading, seed, length),
                self.reading.numpy_legacy.method,
            ),
        };
        let mut draws = Draws {
            reading: self.reading,
            source,
            method,
            pieces: Vec::new(),
            kept: None,
        };
        if self.reading.numpy_bits.calls == NumpyCalls::GoOn {
            for _ in 0..self.execution {
                self.call(&mut draws, &self.shape, false)?;
            }
        }
        Ok(self.call(&mut draws, shape, true)?.into_tensor())
    }

    /// The first elements of the next call. Those of the calls before the last are not used, so that normals have
    /// none there.
    fn call(&self, draws: &mut Draws, shape: &Shape, is_last: bool) -> Result<Elements, Failure> {
        let mut bytes = buffer(self.dtype, shape)?;
        let count = shape.count();
        if self.reading.numpy_draws.left == NumpyPiecesLeft::Dropped {
            draws.pieces.clear();
        }
        if self.reading.numpy_legacy.other == LegacyOther::DroppedAtEnd {
            draws.kept = None;
        }
        match self.what {
            What::Numbers => {
                for _ in 0..count {
                    let number = match self.dtype {
                        Dtype::F32 => draws.single(),
                        _ => draws.double(),
                    };
                    push(self.dtype, number, *self.reading.nan, &mut bytes);
                }
            }
            What::Normals => {
                for _ in 0..count {
                    let unscaled = draws.unscaled();
                    if !is_last {
                        continue;
                    }
                    let [normal, other] = draws.scaled(&unscaled);
                    if normal.to_bits() != other.to_bits() {
                        // Without the element's number, so that a run tells all cases of this kind in one line.
                        let message = "the last bit of a logarithm decides an element";
                        return Err(Failure::Unsupported(message.to_owned()));
                    }
                    push(self.dtype, normal, *self.reading.nan, &mut bytes);
                }
            }
            What::Integers { low, most } => {
                for _ in 0..count {
                    let number = low.wrapping_add(draws.up_to(most, self.dtype.size()).into());
                    bytes.extend_from_slice(&number.to_le_bytes()[..self.dtype.size()]);
                }
            }
            What::Order => bytes.extend(draws.order(count).into_iter().flat_map(u64::to_le_bytes)),
        }
        Ok(bytes)
    }
}

/// A source, and what a call makes of its words.
struct Draws<'a> {
    reading: &'a Reading,
    source: Source<'a>,
    method: NumpyMethod,
    /// The pieces of 8 or 16 bits that are drawn next, the first of them last.
    pieces: Vec<u64>,
    /// The other normal of a pair.
    kept: Option<Unscaled>,
}

/// What the polar method makes a normal of. The logarithm takes a hundred times as long as the rest, so that it is left to
/// those whose value is asked for.
struct Unscaled {
    number: f64,
    square: f64,
}

impl Draws<'_> {
    fn single(&mut self) -> f64 {
        match self.reading.numpy_draws.single {
            NumpySingle::Upper24 => f64::from(self.source.short() >> 8) * two_to(-24),
            NumpySingle::Upper23 => f64::from(self.source.short() >> 9) * two_to(-23),
            NumpySingle::Whole => f32_of(f64::from(self.source.short()) * two_to(-32)).into(),
            NumpySingle::Upper24Of64 => f64_of(self.source.long() >> 40) * two_to(-24),
            NumpySingle::Rounded => f32_of(self.double()).into(),
        }
    }

    fn double(&mut self) -> f64 {
        let answers = &self.reading.numpy_draws;
        match answers.double {
            NumpyDouble::Draw32 => return f64::from(self.source.short()) * two_to(-32),
            NumpyDouble::Draw24 => return f64::from(self.source.short() >> 8) * two_to(-24),
            _ => {}
        }
        let upper = match (self.source.twister(), answers.mt19937_double) {
            (Some(words), order) if order != NumpyMtDouble::Upper53 => {
                let [first, second] = [words.next(), words.next()].map(u64::from);
                match order {
                    NumpyMtDouble::Exchanged => second >> 5 << 26 | first >> 6,
                    NumpyMtDouble::In32 => first >> 5 << 26 & 0xffff_ffff | second >> 6,
                    NumpyMtDouble::Upper26And27 => first >> 6 << 27 | second >> 5,
                    _ => first >> 5 << 26 | second >> 6,
                }
            }
            _ => self.source.long() >> 11,
        };
        match answers.double {
            NumpyDouble::Upper52 => f64_of(upper >> 1) * two_to(-52),
            NumpyDouble::Open52 => f64_of(upper | 1) * two_to(-53),
            _ => f64_of(upper) * two_to(-53),
        }
    }

    fn unscaled(&mut self) -> Unscaled {
        if let Some(kept) = self.kept.take() {
            return kept;
        }
        let answers = &self.reading.numpy_legacy;
        let number = || match answers.pair {
            LegacyPair::Signed => 2.0 * self.double() - 1.0,
            LegacyPair::Unit => self.double(),
        };
        let [x, y, square] = polar(number, |x, y| match answers.squares {
            LegacySquares::Rounded => x * x + y * y,
            LegacySquares::FirstFused => x.mul_add(x, y * y),
            LegacySquares::SecondFused => y.mul_add(y, x * x),
        });
        let [first, other] = match answers.first {
            LegacyFirst::Second => [y, x],
            LegacyFirst::First => [x, y],
        }
        .map(|number| Unscaled { number, square });
        self.kept = (answers.other != LegacyOther::Dropped).then_some(other);
        first
    }

    fn scaled(&self, of: &Unscaled) -> Normal {
        log::candidates(of.square).map(|log| {
            let factor = match self.reading.numpy_legacy.factor {
                LegacyFactor::Whole => -2.0 * log / of.square,
                LegacyFactor::Undivided => -2.0 * log,
            };
            factor.sqrt() * of.number
        })
    }

    /// An integer from 0 to `most`, of a type of this many bytes.
    fn up_to(&mut self, most: u64, size: usize) -> u64 {
        let bits = match (size, self.reading.numpy_draws.width) {
            (1, _) => 8,
            (2, _) => 16,
            (4, _) | (_, NumpyWidth::Always32) => 32,
            (_, NumpyWidth::OfRange) if most >> 32 == 0 => 32,
            _ => 64,
        };
        let most = match self.reading.numpy_draws.bound {
            NumpyBound::Exclusive => most,
            NumpyBound::Inclusive => most.saturating_add(1),
        };
        // A range that is whole already stays so.
        self.limited(most.min(u64::MAX >> (64 - bits)), bits, self.method)
    }

    fn limited(&mut self, most: u64, bits: u32, method: NumpyMethod) -> u64 {
        if most == 0 {
            return 0;
        }
        // The number of numbers would not fit into the draw's own type, so that implementations treat it apart.
        if most == u64::MAX >> (64 - bits) {
            return self.word(bits);
        }
        let count = u128::from(most) + 1;
        match method {
            NumpyMethod::Remainder => self.word(bits) % (most + 1),
            NumpyMethod::Mask => self.first_within(most, bits, 0),
            NumpyMethod::ShortMask => self.word(bits) & u64::MAX >> most.leading_zeros() >> 1,
            NumpyMethod::Lemire | NumpyMethod::Unrejected | NumpyMethod::RejectedAtBound => {
                let rejected = match method {
                    NumpyMethod::Unrejected => 0,
                    NumpyMethod::RejectedAtBound => (1_u128 << bits) % count + 1,
                    _ => (1_u128 << bits) % count,
                };
                let drawn = (0..TRIES).find_map(|_| {
                    let product = u128::from(self.word(bits)) * count;
                    let number = product >> bits;
                    (product - (number << bits) >= rejected).then_some(number)
                });
                drawn
                    .and_then(|number| u64::try_from(number).ok())
                    .unwrap_or(most)
            }
        }
    }

    /// The first draw of which the bits that `most` has, those above the `skipped` lowest, are not greater.
    fn first_within(&mut self, most: u64, bits: u32, skipped: u32) -> u64 {
        let mask = u64::MAX >> most.leading_zeros();
        let drawn = (0..TRIES).find_map(|_| {
            let drawn = self.word(bits) >> skipped & mask;
            (drawn <= most).then_some(drawn)
        });
        drawn.unwrap_or(most)
    }

    /// A draw of this number of bits.
    fn word(&mut self, bits: u32) -> u64 {
        if bits == 64 {
            return self.source.long();
        }
        if bits == 32 {
            return self.source.short().into();
        }
        if self.pieces.is_empty() {
            let word = u64::from(self.source.short());
            let mut pieces: Vec<u64> = (0..32 / bits)
                .map(|piece| word >> (piece * bits) & ((1 << bits) - 1))
                .collect();
            match self.reading.numpy_draws.pieces {
                NumpyPieces::LowFirst => pieces.reverse(),
                NumpyPieces::HighFirst => {}
                NumpyPieces::Single => pieces.truncate(1),
            }
            self.pieces = pieces;
        }
        self.pieces.pop().unwrap_or(0)
    }

    fn order(&mut self, count: usize) -> Vec<u64> {
        let answers = &self.reading.numpy_draws;
        let mut numbers: Vec<u64> = (0..).take(count).collect();
        for step in 1..count {
            let left = count - step;
            let most = match answers.shuffle {
                NumpyShuffle::Cyclic => left - 1,
                NumpyShuffle::Forward => step,
                NumpyShuffle::End | NumpyShuffle::Start => left,
            };
            let drawn = self.place(u64::try_from(most).unwrap_or(u64::MAX));
            match answers.shuffle {
                NumpyShuffle::End | NumpyShuffle::Cyclic => numbers.swap(left, drawn),
                NumpyShuffle::Forward => numbers.swap(step, drawn),
                NumpyShuffle::Start => numbers.swap(step - 1, step - 1 + drawn),
            }
        }
        if count > 0 && answers.shuffle_end == NumpyShuffleEnd::First {
            // It changes no order, and what is drawn after it.
            self.word(32);
        }
        numbers
    }

    /// A place from 0 to `most`.
    fn place(&mut self, most: u64) -> usize {
        let bits = if most >> 32 == 0 { 32 } else { 64 };
        let drawn = match self.reading.numpy_draws.interval {
            NumpyInterval::Mask => self.limited(most, bits, NumpyMethod::Mask),
            NumpyInterval::Lemire => self.limited(most, bits, NumpyMethod::Lemire),
            NumpyInterval::Remainder => self.limited(most, bits, NumpyMethod::Remainder),
            NumpyInterval::Upper if most == 0 => 0,
            NumpyInterval::Upper => self.first_within(most, bits, bits + most.leading_zeros() - 64),
        };
        usize::try_from(drawn).unwrap_or(0)
    }
}

/// Refuses extents that NumPy does not count the bytes of.
fn addressable(dtype: Dtype, sizes: &[u64]) -> Result<(), Failure> {
    let bytes = sizes
        .iter()
        .filter(|&&extent| extent > 0)
        .try_fold(as_u128(dtype.size()), |bytes, &extent| {
            bytes.checked_mul(extent.into())
        });
    match bytes {
        Some(bytes) if bytes >> 63 == 0 => Ok(()),
        _ => check::refuse(ErrorKind::Shape, "the extents overflow 63 bits"),
    }
}

/// The range of a request, which one without elements need not have.
fn bounds((dtype, sizes): (Dtype, &[u64]), low: i128, high: i128) -> Result<What, Failure> {
    if sizes.contains(&0) {
        return Ok(What::Integers { low: 0, most: 0 });
    }
    let bits = 8 * dtype.size();
    let least = if dtype.is_signed() {
        -(1_i128 << (bits - 1))
    } else {
        0
    };
    if low < high && low >= least && high <= least + (1 << bits) {
        let most = u64::try_from(high - 1 - low).unwrap_or(u64::MAX);
        return Ok(What::Integers { low, most });
    }
    check::refuse(
        ErrorKind::Range,
        format!("low is {low} and high {high}, of {dtype}"),
    )
}

/// The extents of a permutation. A length beyond `MOST_COUNTED` is cut: NumPy does not refuse it, but it exceeds every limit.
fn counted(n: i128) -> [u64; 1] {
    [u64::try_from(n.max(0)).map_or(MOST_COUNTED, |count| count.min(MOST_COUNTED))]
}

fn order(n: i128) -> Result<What, Failure> {
    if i64::try_from(n.min(0)).is_err() {
        return check::attribute(format!("n is {n}"));
    }
    Ok(What::Order)
}

fn generator(kind: &Attribute<NumpyBitGenerator>, seed: i128) -> Result<Seeded, Failure> {
    let kind = check::known("bit_generator", kind)?;
    match u128::try_from(seed) {
        Ok(seed) => Ok(Seeded::Generator(kind, seed)),
        Err(_) => check::attribute(format!("the seed is {seed}")),
    }
}

/// A seed whose words, of which there is one without a list, have 32 bits each.
fn legacy(seed: i128, words: Option<i128>) -> Result<Seeded, Failure> {
    let bits = words.unwrap_or(1).clamp(0, 4) * 32;
    let left = seed.checked_shr(u32::try_from(bits).unwrap_or(0));
    if bits == 0 || left.unwrap_or(seed >> 127) != 0 {
        return check::attribute(format!("the seed is {seed}, of {words:?} words"));
    }
    let (seed, words) = (seed.unsigned_abs(), words.map(i128::unsigned_abs));
    Ok(Seeded::Legacy(seed, words.map(Limits::seed_words).transpose()?))
}
