//! JAX's keys and what they draw, and ONNX's drafts. The halves of a seed are a key without a kernel.

use seedproof_cpu::Philox;
use seedproof_cpu::op::bounds::Bounds;
use seedproof_cpu::op::keyed::{Integers, Key, Keyed, Stream as Bits, What, flags_below};
use seedproof_ops::{Dtype, Failure, JaxKeyImpl, standard};

use crate::fill::{fill as fill_stream, reserved};
use crate::rule::Rule;
use crate::session::Session;
use crate::stream::{Counted, Counter, Stream};

/// The output of a valid request.
///
/// # Errors
/// [`Failure::Broken`] in the driver's words; [`Failure::Unsupported`] for permutations.
pub(crate) fn fill(session: Session<'_>, keyed: &Keyed) -> Result<Vec<u8>, Failure> {
    let (dtype, count) = (keyed.dtype, keyed.shape.count());
    let size = dtype.size();
    let draw = |counter, rule: Rule| fill_stream(session, Stream::Counted(counter), &rule, count);
    let bounds = |[low, high]: [f64; 2]| standard(|| Bounds::of_floats(dtype, low, high));
    match &keyed.what {
        What::Words(key) => Ok(bytes(key.own())),
        What::Folded(key, data) => fold_in(session, *key, *data),
        What::Keys(key) => split(session, *key, count),
        What::Bits(key) => {
            let all = Bounds { min: 0, range: 0 };
            draw(
                counter(*key, size, count),
                Rule::integers(size, all, is_philox(*key)),
            )
        }
        What::Floats(key, between) => {
            // JAX takes 8 bits for the 7 of a bf16 mantissa, and for each other type as many as the type has.
            let taken = if dtype == Dtype::Bf16 { 1 } else { size };
            let rule = Rule::top(dtype, bounds(*between), is_philox(*key));
            draw(counter(*key, taken, count), rule)
        }
        What::Integers(key, integers) => fill_integers(session, *key, *integers, size, count),
        What::Flags(key, p) => draw(counter(*key, 4, count), Rule::flags(flags_below(*p))),
        // `supports` has refused permutations: words are drawn here each by itself, and a sort needs all of them.
        What::Order(_) => Err(Failure::Unsupported(
            "permutations have no kernel here".to_owned(),
        )),
        // Two i64, whose high words are zero.
        What::State([high, low]) => Ok(bytes(&[*high, 0, *low, 0])),
        What::States(key, None) => draw(today(*key, 0), Rule::STATES),
        What::States(key, Some(data)) => {
            fill_stream(session, Stream::Listed(*key, data.clone()), &Rule::STATES, count)
        }
        What::Digits(philox, between) => draw(consecutive(*philox), Rule::onnx(dtype, bounds(*between))),
    }
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

const fn consecutive(philox: Philox) -> Counter {
    Counter::Philox(philox, 1)
}

/// Both words of the blocks of Threefry from a number on.
fn today(key: u64, first: u64) -> Counter {
    Counter::Threefry(Counted::today(key, first, true))
}

fn is_philox(key: Key) -> bool {
    matches!(key.stream(), Bits::Philox(_))
}

/// The words of `count` elements, which take `taken` bytes each.
fn counter(key: Key, taken: usize, count: usize) -> Counter {
    match key.stream() {
        Bits::Philox(philox) => consecutive(philox),
        Bits::Counted(key) => Counter::Threefry(Counted::today(key, 0, taken == 8)),
        Bits::Halved(key) => Counter::Threefry(Counted::original(key, count, taken)),
    }
}

fn fill_integers(
    session: Session<'_>,
    key: Key,
    integers: Integers,
    size: usize,
    count: usize,
) -> Result<Vec<u8>, Failure> {
    let bounds = Bounds {
        min: integers.min,
        range: integers.span,
    };
    // JAX draws integers of 8 and 16 bits in 32 (`jxr.narrow`).
    let [higher, lower] = key.halves()?.map(|key| counter(key, size.max(4), count));
    // A factor of 0, which powers of two have, leaves nothing of the higher bits, and half of the work.
    let (stream, rule) = match integers.factor() {
        0 => (
            Stream::Counted(lower),
            Rule::integers(size, bounds, is_philox(key)),
        ),
        factor => (
            Stream::Sums([lower, higher]),
            Rule::sums(size, bounds, is_philox(key), factor),
        ),
    };
    fill_stream(session, stream, &rule, count)
}

/// The key that a number makes of another.
fn fold_in(session: Session<'_>, key: Key, data: u32) -> Result<Vec<u8>, Failure> {
    let draw = |counter, words| fill_stream(session, Stream::Counted(counter), &Rule::BITS, words);
    match Key::of_seed(key.implementation, data.into()).stream() {
        // `rbg` draws by Philox too, and makes its keys by Threefry all the same.
        Bits::Philox(other) if key.implementation == JaxKeyImpl::UnsafeRbg => {
            let mut words = draw(consecutive(other.skip(Key::FOLDED)), 4)?;
            for (byte, own) in words.iter_mut().zip(bytes(key.own())) {
                *byte ^= own;
            }
            Ok(words)
        }
        _ => {
            let halves = key.threefry().into_iter().take(key.own().len() / 2);
            let halves: Result<Vec<_>, _> = halves.map(|half| draw(today(half, data.into()), 2)).collect();
            Ok(halves?.concat())
        }
    }
}

/// The keys whose words an output of `count` words holds.
fn split(session: Session<'_>, key: Key, count: usize) -> Result<Vec<u8>, Failure> {
    let draw = |counter, words| fill_stream(session, Stream::Counted(counter), &Rule::BITS, words);
    let half = |half, words| {
        let counter = if key.partitionable {
            today(half, 0)
        } else {
            Counter::Threefry(Counted::original(half, words, 4))
        };
        draw(counter, words)
    };
    let [first, second] = key.threefry();
    match (key.implementation, key.stream()) {
        (JaxKeyImpl::UnsafeRbg, Bits::Philox(philox)) => draw(Counter::Philox(philox, Key::STRIDE), count),
        (JaxKeyImpl::Threefry2x32, _) => half(first, count),
        _ => {
            // Two keys of Threefry lie side by side, of which each is split by itself.
            let [firsts, seconds] = [half(first, count / 2)?, half(second, count / 2)?];
            let mut out = reserved(4 * count)?;
            for (first, second) in firsts.chunks(8).zip(seconds.chunks(8)) {
                out.extend_from_slice(first);
                out.extend_from_slice(second);
            }
            Ok(out)
        }
    }
}
