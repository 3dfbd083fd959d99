//! NumPy's `Generator`: `random`, `integers` and `permutation`.

mod bits;

use seedproof_ops::{
    Attribute, Dtype, ErrorKind, Failure, Limits, NumpyBitGenerator, NumpyIntegers, Request, Response, Shape,
    Tensor,
};

use crate::answers::{
    NumpyBound, NumpyCalls, NumpyDouble, NumpyInterval, NumpyMethod, NumpyMtDouble, NumpyPieces,
    NumpyPiecesLeft, NumpyShuffle, NumpyShuffleEnd, NumpySingle, NumpyWidth,
};
use crate::engine::arithmetic::{buffer, push};
use crate::engine::check;
use crate::engine::stream::as_u128;
use crate::engine::units::two_to;
use crate::reading::Reading;
use crate::round::{f32_of, f64_of};
use bits::Source;

/// How many draws are rejected at most. Every other one is accepted, so that only a reading whose words do not change comes to the
/// end, and it must come to one.
const TRIES: u32 = 4096;

/// More numbers of 64 bits than any limit allows, and fewer than NumPy refuses.
const MOST_COUNTED: u64 = (1 << 60) - 1;

/// A request that will be answered.
pub(super) struct Plan<'a> {
    reading: &'a Reading,
    dtype: Dtype,
    shape: Shape,
    kind: NumpyBitGenerator,
    seed: u128,
    execution: u32,
    what: What,
}

#[derive(Clone, Copy)]
enum What {
    Numbers,
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
        let plan = |kind: &Attribute<NumpyBitGenerator>,
                    seed: i128,
                    execution: u32,
                    (dtype, sizes): (Dtype, &[u64]),
                    bounds: &dyn Fn() -> Result<What, Failure>| {
            let kind = check::known("bit_generator", kind)?;
            let seed = u128::try_from(seed)
                .or_else(|_| check::refuse(ErrorKind::Attribute, format!("the seed is {seed}")))?;
            let what = bounds()?;
            addressable(dtype, sizes)?;
            let shape = limits.shape(dtype, sizes)?;
            Limits::skipped(execution, u64::try_from(shape.count()).unwrap_or(u64::MAX))?;
            Ok(Self {
                reading,
                dtype,
                shape,
                kind,
                seed,
                execution,
                what,
            })
        };
        match request {
            Request::NumpyRandom(it) => {
                let dtype = of_types(&it.output_type, |dtype| matches!(dtype, Dtype::F32 | Dtype::F64))?;
                let form = (dtype, it.output_sizes.as_slice());
                plan(&it.bit_generator, it.seed, it.execution, form, &|| {
                    Ok(What::Numbers)
                })
            }
            Request::NumpyIntegers(it) => {
                let dtype = of_types(&it.output_type, |dtype| !dtype.is_float())?;
                let form = (dtype, it.output_sizes.as_slice());
                plan(&it.bit_generator, it.seed, it.execution, form, &|| {
                    bounds(it, dtype)
                })
            }
            Request::NumpyPermutation(it) => {
                // What is too long is refused by nobody, and is no output of any limit.
                let count = u64::try_from(it.n.max(0)).map_or(MOST_COUNTED, |count| count.min(MOST_COUNTED));
                let form = (Dtype::I64, &[count][..]);
                plan(&it.bit_generator, it.seed, it.execution, form, &|| {
                    if i64::try_from(it.n.min(0)).is_err() {
                        return check::refuse(ErrorKind::Attribute, format!("n is {}", it.n));
                    }
                    Ok(What::Order)
                })
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
        let mut draws = Draws {
            reading: self.reading,
            source: Source::new(self.reading, self.kind, self.seed),
            pieces: Vec::new(),
        };
        let mut bytes = self.call(&mut draws)?;
        if self.reading.numpy_bits.calls == NumpyCalls::GoOn {
            for _ in 0..self.execution {
                bytes = self.call(&mut draws)?;
            }
        }
        let output = Tensor::new(self.dtype, self.shape.clone(), bytes);
        Ok(Response::of(output.expect("each element has its bytes")))
    }
}

impl Plan<'_> {
    /// The bytes of the next call.
    fn call(&self, draws: &mut Draws) -> Result<Vec<u8>, Failure> {
        let mut bytes = buffer(self.shape.count(), self.dtype)?;
        if self.reading.numpy_draws.left == NumpyPiecesLeft::Dropped {
            draws.pieces.clear();
        }
        match self.what {
            What::Numbers => {
                for _ in 0..self.shape.count() {
                    let number = match self.dtype {
                        Dtype::F32 => draws.single(),
                        _ => draws.double(),
                    };
                    push(self.dtype, number, self.reading.nan, &mut bytes);
                }
            }
            What::Integers { low, most } => {
                for _ in 0..self.shape.count() {
                    let number = low.wrapping_add(draws.up_to(most, self.dtype.size()).into());
                    bytes.extend(&number.to_le_bytes()[..self.dtype.size()]);
                }
            }
            What::Order => {
                for number in draws.order(self.shape.count()) {
                    bytes.extend(number.to_le_bytes());
                }
            }
        }
        Ok(bytes)
    }
}

/// A source, and what a call makes of its words.
struct Draws<'a> {
    reading: &'a Reading,
    source: Source<'a>,
    /// The pieces of 8 or 16 bits that are drawn next, the first of them last.
    pieces: Vec<u64>,
}

impl Draws<'_> {
    fn single(&mut self) -> f64 {
        match self.reading.numpy_draws.single {
            NumpySingle::Upper24 => f64::from(self.source.short() >> 8) * two_to(-24),
            NumpySingle::Upper23 => f64::from(self.source.short() >> 9) * two_to(-23),
            NumpySingle::Whole => f32_of(f64::from(self.source.short()) * two_to(-32)).into(),
            NumpySingle::Rounded => f32_of(self.double()).into(),
        }
    }

    fn double(&mut self) -> f64 {
        let answers = &self.reading.numpy_draws;
        if answers.double == NumpyDouble::Draw32 {
            return f64::from(self.source.short()) * two_to(-32);
        }
        let upper = match (self.source.twister(), answers.mt19937_double) {
            (Some(words), NumpyMtDouble::Upper27And26) => {
                let [first, second] = [words.next(), words.next()].map(u64::from);
                first >> 5 << 26 | second >> 6
            }
            _ => self.source.long() >> 11,
        };
        match answers.double {
            NumpyDouble::Upper52 => f64_of(upper >> 1) * two_to(-52),
            NumpyDouble::Open52 => f64_of(upper | 1) * two_to(-53),
            _ => f64_of(upper) * two_to(-53),
        }
    }

    /// An integer from 0 to `most`, of a type of this many bytes.
    fn up_to(&mut self, most: u64, size: usize) -> u64 {
        let bits = match (size, self.reading.numpy_draws.width) {
            (1, _) => 8,
            (2, _) => 16,
            (4, _) => 32,
            (_, NumpyWidth::OfRange) if most >> 32 == 0 => 32,
            _ => 64,
        };
        let answers = &self.reading.numpy_draws;
        let most = match answers.bound {
            NumpyBound::Exclusive => most,
            // A range that is whole already stays so.
            NumpyBound::Inclusive => most.saturating_add(1).min(u64::MAX >> (64 - bits)),
        };
        self.limited(most, bits, answers.method)
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
                NumpyShuffle::End | NumpyShuffle::Start => left,
            };
            let drawn = self.place(u64::try_from(most).unwrap_or(u64::MAX));
            match answers.shuffle {
                NumpyShuffle::End | NumpyShuffle::Cyclic => numbers.swap(left, drawn),
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
fn bounds(request: &NumpyIntegers, dtype: Dtype) -> Result<What, Failure> {
    let NumpyIntegers { low, high, .. } = *request;
    if request.output_sizes.contains(&0) {
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

fn of_types(attribute: &Attribute<Dtype>, allowed: impl Fn(Dtype) -> bool) -> Result<Dtype, Failure> {
    let dtype = check::known("output_type", attribute)?;
    if allowed(dtype) {
        return Ok(dtype);
    }
    check::refuse(ErrorKind::Attribute, format!("output_type cannot be {dtype}"))
}
