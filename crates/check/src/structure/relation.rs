//! Relations between an expected output and an actual one that give every element of it.

use seedproof_ops::Dtype;

use super::view::View;
use crate::ulp::sign_bit;

/// A rule that makes the actual output from the expected stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Relation {
    /// Every element is zero.
    AllZero,
    /// Every element has these bits.
    Constant(u64),
    /// Right up to this element, then these bits over and over.
    RightThen(usize, u64),
    /// The bytes of each element are reversed.
    ByteSwapped,
    /// The two words of each 64-bit element are swapped.
    HalvesSwapped,
    /// Subnormal elements are zeros of the same sign.
    FlushedToZero,
    /// Element i is the stream's element i + k.
    Shifted(i64),
    /// The elements of each group of b are reversed.
    ReversedInGroup(usize),
    /// Element j of each group of b is its element j + r, wrapping.
    RotatedInGroup(usize, usize),
    /// The first p elements over and over.
    Repeated(usize),
    /// Element i is the stream's element i s.
    Strided(usize),
    /// Element i is the stream's element i / s.
    Held(usize),
    /// Row-major and column-major are exchanged.
    Transposed,
    /// All elements are in the opposite order.
    Reversed,
    /// s threads each draw a run of their own and write in turns.
    Interleaved(usize),
    /// s threads draw in turns and each writes a run of its own.
    Deinterleaved(usize),
}

impl Relation {
    /// The bits of an element by this rule; `None` where the stream is not known that far.
    pub(crate) fn given(self, view: &View, i: usize) -> Option<u64> {
        match self {
            Self::AllZero => Some(0),
            Self::Constant(bits) => Some(bits),
            Self::RightThen(from, bits) => Some(if i < from { view.expected[i] } else { bits }),
            Self::ByteSwapped => Some(swap_bytes(view.expected[i], view.dtype.size())),
            Self::HalvesSwapped => (view.dtype.size() == 8).then(|| view.expected[i].rotate_left(32)),
            Self::FlushedToZero => Some(flush(view.expected[i], view.dtype)),
            _ => view.stream.get(self.position(view, i)?).copied(),
        }
    }

    /// The position in the stream that an element is taken from.
    fn position(self, view: &View, i: usize) -> Option<usize> {
        let n = view.count();
        Some(match self {
            Self::Shifted(k) => i.checked_add_signed(isize::try_from(k).ok()?)?,
            Self::ReversedInGroup(b) => i - i % b + (b - 1 - i % b),
            Self::RotatedInGroup(b, r) => i - i % b + (i % b + r) % b,
            Self::Repeated(p) => i % p,
            Self::Strided(s) => i.checked_mul(s)?,
            Self::Held(s) => i / s,
            Self::Transposed => column_major(view, i),
            Self::Reversed => n - 1 - i,
            Self::Interleaved(s) => (i % s) * n.div_ceil(s) + i / s,
            Self::Deinterleaved(s) => {
                let run = n.div_ceil(s);
                (i % run) * s + i / run
            }
            _ => return None,
        })
    }

    /// Its id, without parameters.
    pub(crate) const fn id(self) -> &'static str {
        match self {
            Self::AllZero => "all-zero",
            Self::Constant(_) => "constant",
            Self::RightThen(..) => "unwritten-tail",
            Self::ByteSwapped => "bytes-swapped",
            Self::HalvesSwapped => "word-halves-swapped",
            Self::FlushedToZero => "subnormals-flushed",
            Self::Shifted(_) => "shifted",
            Self::ReversedInGroup(_) => "reversed-in-group",
            Self::RotatedInGroup(..) => "rotated-in-group",
            Self::Repeated(_) => "repeated",
            Self::Strided(_) => "strided",
            Self::Held(_) => "held",
            Self::Transposed => "transposed",
            Self::Reversed => "reversed",
            Self::Interleaved(_) => "interleaved",
            Self::Deinterleaved(_) => "deinterleaved",
        }
    }

    /// Its parameter, as a name shows it.
    pub(crate) fn parameter(self, dtype: Dtype) -> Option<String> {
        let literal = |bits| seedproof_ops::Scalar::new(dtype, bits).literal();
        Some(match self {
            Self::Constant(bits) => format!("value = {}", literal(bits)),
            Self::RightThen(from, bits) => format!("from = {from}, value = {}", literal(bits)),
            Self::Shifted(k) => format!("k = {k}"),
            Self::ReversedInGroup(b) => format!("n = {b}"),
            Self::RotatedInGroup(b, r) => format!("n = {b}, by = {r}"),
            Self::Repeated(p) => format!("n = {p}"),
            Self::Strided(s) | Self::Held(s) | Self::Interleaved(s) | Self::Deinterleaved(s) => {
                format!("n = {s}")
            }
            _ => return None,
        })
    }

    /// A sentence about the output.
    pub(crate) const fn sentence(self) -> &'static str {
        match self {
            Self::AllZero => "every element is zero",
            Self::Constant(_) => "every element is the same",
            Self::RightThen(..) => "right up to an element, and one value from there on",
            Self::ByteSwapped => "the bytes of each element are in the opposite order",
            Self::HalvesSwapped => "the two 32-bit halves of each element are exchanged",
            Self::FlushedToZero => "subnormal values are flushed to zero",
            Self::Shifted(_) => "element i is the stream's element i + k",
            Self::ReversedInGroup(_) => "the elements of each group of n are in the opposite order",
            Self::RotatedInGroup(..) => "the elements of each group of n are rotated",
            Self::Repeated(_) => "the first n elements are repeated to the end",
            Self::Strided(_) => "element i is the stream's element i n: n - 1 of n are left out",
            Self::Held(_) => "element i is the stream's element i / n: each is given n times",
            Self::Transposed => "the elements are laid out column-major",
            Self::Reversed => "the elements are in the opposite order",
            Self::Interleaved(_) => {
                "n threads each draw a run of the stream, and their elements are written in turns"
            }
            Self::Deinterleaved(_) => {
                "n threads draw from the stream in turns, and each writes a run of the output"
            }
        }
    }

    pub(crate) const fn fix(self) -> &'static str {
        match self {
            Self::AllZero | Self::Constant(_) => {
                "see that the kernel runs, that it writes the buffer that is read back, and that its counter advances"
            }
            Self::RightThen(..) => "see that the launch covers every element, the last partial group too",
            Self::ByteSwapped => "write elements least significant byte first",
            Self::HalvesSwapped => "exchange the two words that make an element",
            Self::FlushedToZero => "turn off flush-to-zero and denormals-are-zero around the kernel",
            Self::Shifted(_) => "begin with the first block, and with its first word",
            Self::ReversedInGroup(_) | Self::RotatedInGroup(..) => {
                "write the words of a block in their order"
            }
            Self::Repeated(_) => "advance the counter from block to block, and from thread to thread",
            Self::Strided(_) => "use every word of a block, and each block once",
            Self::Held(_) => "give each element words of its own",
            Self::Transposed | Self::Reversed => "fill the output in row-major order, last extent fastest",
            Self::Interleaved(_) | Self::Deinterleaved(_) => {
                "let element i take the i-th value of the stream, whatever thread writes it"
            }
        }
    }
}

fn swap_bytes(bits: u64, size: usize) -> u64 {
    let shift = if size == 2 {
        48
    } else if size == 4 {
        32
    } else {
        0
    };
    bits.swap_bytes() >> shift
}

fn flush(bits: u64, dtype: Dtype) -> u64 {
    let sign = sign_bit(dtype);
    let smallest_normal = 1 << dtype.mantissa_bits();
    if dtype.is_float() && bits & !sign < smallest_normal {
        bits & sign
    } else {
        bits
    }
}

/// The index that an element's coordinates have in column-major order.
fn column_major(view: &View, i: usize) -> usize {
    view.shape
        .coordinates(i)
        .into_iter()
        .zip(view.shape.dims())
        .rev()
        .fold(0, |index, (coordinate, extent)| index * extent + coordinate)
}
