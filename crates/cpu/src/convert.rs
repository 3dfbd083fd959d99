//! Elements of words that lie in memory already, for draws that are not one stream from block to block.

use crate::level::Level;
use crate::rule::Rule;
use crate::simd::{Cached, Kernel, Simd};

/// Fills `out` with the elements of `words`, whose bytes are least significant first, on this thread.
///
/// # Panics
/// If the elements take more words.
pub(crate) fn convert<R: Rule>(level: Level, rule: R, words: &[u8], out: &mut [u8]) {
    mixed(level, rule, None, words, out);
}

/// [`convert`] of sums, each of 32 or 64 bits as elements take it: a word, and one of `others` times a number.
pub(crate) fn convert_sums<R: Rule>(
    level: Level,
    rule: R,
    (others, factor): (&[u8], u64),
    words: &[u8],
    out: &mut [u8],
) {
    mixed(level, rule, Some((others, factor)), words, out);
}

fn mixed<R: Rule>(level: Level, rule: R, others: Option<(&[u8], u64)>, words: &[u8], out: &mut [u8]) {
    let taken = out.len() / R::SIZE * 4 * R::WORDS;
    let others = others.map(|(others, factor)| (&others[..taken], factor));
    let words = &words[..taken];
    level.run(Convert {
        rule,
        others,
        words,
        out,
    });
}

struct Convert<'a, R> {
    rule: R,
    others: Option<(&'a [u8], u64)>,
    words: &'a [u8],
    out: &'a mut [u8],
}

impl<R: Rule> Kernel for Convert<'_, R> {
    type Output = ();
    const DIVIDES: bool = R::DIVIDES;

    fn scalar(self) {
        let number = |words: &[u8]| {
            let mut bytes = [0; 8];
            bytes[..words.len()].copy_from_slice(words);
            u64::from_le_bytes(bytes)
        };
        let taken = 4 * R::WORDS;
        for (i, out) in self.out.chunks_exact_mut(R::SIZE).enumerate() {
            let mut bits = number(&self.words[i * taken..][..taken]);
            if let Some((others, factor)) = self.others {
                let other = number(&others[i * taken..][..taken]);
                bits = bits.wrapping_add(other.wrapping_mul(factor));
            }
            let [low, high] = crate::bits::halves(bits);
            let second = if R::WORDS == 1 { low } else { high };
            out.copy_from_slice(self.rule.element(low, second).as_ref());
        }
    }

    #[inline(always)]
    fn vector<S: Simd, const GROUPS: usize>(self, s: S) {
        let Self {
            rule,
            others,
            words,
            out,
        } = self;
        let taken = 2 * size_of::<S::V>();
        let made = taken / (4 * R::WORDS) * R::SIZE;
        let whole = out.len() / made;
        let factor = others.map_or(0, |(_, factor)| factor);
        for group in 0..whole {
            let words = &words[group * taken..][..taken];
            let mut vectors = [s.load(words), s.load(&words[taken / 2..])];
            if let Some((others, _)) = others {
                let others = &others[group * taken..][..taken];
                let others = [s.load(others), s.load(&others[taken / 2..])];
                vectors = sums::<S, R>(s, vectors, others, factor);
            }
            let out = &mut out[group * made..][..made];
            if made < size_of::<S::V>() {
                rule.put_first(s, vectors, out);
            } else {
                let cells: &mut [S::Bytes] = bytemuck::cast_slice_mut(out);
                rule.put::<S, Cached>(s, vectors, cells);
            }
        }
        let out = &mut out[whole * made..];
        if out.is_empty() {
            return;
        }
        let padded = |rest: &[u8]| {
            let mut bytes = [0; 128];
            bytes[..rest.len()].copy_from_slice(rest);
            bytes
        };
        let bytes = padded(&words[whole * taken..]);
        let mut vectors = [s.load(&bytes[..taken]), s.load(&bytes[taken / 2..])];
        if let Some((others, _)) = others {
            let bytes = padded(&others[whole * taken..]);
            let others = [s.load(&bytes[..taken]), s.load(&bytes[taken / 2..])];
            vectors = sums::<S, R>(s, vectors, others, factor);
        }
        rule.put_first(s, vectors, out);
    }
}

/// Adds `factor` times `others` to `words`, in lanes as wide as the words of an element.
#[inline(always)]
fn sums<S: Simd, R: Rule>(s: S, mut words: [S::V; 2], others: [S::V; 2], factor: u64) -> [S::V; 2] {
    let [low, high] = crate::bits::halves(factor);
    for (word, other) in words.iter_mut().zip(others) {
        *word = if R::WORDS == 1 {
            s.add32(*word, s.mul32(other, s.splat32(low)))
        } else {
            let (low, high) = (s.splat64(low.into()), s.splat64(high.into()));
            let crossed = s.add64(s.mul(s.shr64(other, 32), low), s.mul(other, high));
            s.add64(*word, s.add64(s.mul(other, low), s.shl64(crossed, 32)))
        };
    }
    words
}
