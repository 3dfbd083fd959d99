//! The order in which XLA puts blocks, pairs of words, into an output of elements of at most four bytes.

use super::block::Threefry;
use crate::fill::fill;
use crate::level::Level;
use crate::rule::Narrow;
use crate::split;

/// The blocks that are made at a time, before their elements are put in their places.
const CHUNK: usize = 1024;

/// An output cut into halves along one dimension. The two words of a block lie beside each other along it, and blocks
/// follow one another in row-major order; of an odd dimension the last words have no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairs {
    /// The extent of the halved dimension: the first even one, or the first of the greatest if all are odd.
    pub halved: usize,
    /// The product of the extents after it.
    pub inner: usize,
}

impl Pairs {
    /// The halves of an output; of one without elements they have no meaning.
    pub fn of(dims: &[usize]) -> Self {
        if dims.contains(&0) {
            return Self { halved: 1, inner: 1 };
        }
        let even = dims.iter().position(|dim| dim.is_multiple_of(2));
        let greatest = || (0..dims.len()).rev().max_by_key(|&at| dims[at]);
        match even.or_else(greatest) {
            Some(at) => Self {
                halved: dims[at],
                inner: dims[at + 1..].iter().product(),
            },
            // A scalar is the first word of a pair.
            None => Self { halved: 1, inner: 1 },
        }
    }

    /// The elements after which the order starts again, and the blocks that make them.
    pub const fn period(self) -> [usize; 2] {
        if self.halved.is_multiple_of(2) {
            [2 * self.inner, self.inner]
        } else {
            [self.halved * self.inner, self.halved.div_ceil(2) * self.inner]
        }
    }

    /// Blocks of an output of `count` elements.
    pub const fn blocks(self, count: usize) -> usize {
        let [elements, blocks] = self.period();
        count / elements * blocks
    }

    /// Fills `out` with the low bytes of words, `SIZE` of each, from the element `start` on.
    pub(crate) fn fill<const SIZE: usize>(
        self,
        level: Level,
        threefry: Threefry,
        start: usize,
        out: &mut [u8],
    ) {
        let rule = Narrow::<SIZE> { min: 0, range: None };
        let [elements, blocks] = self.period();
        let count = out.len() / SIZE;
        let block = |index: usize| threefry.skip(u64::try_from(index).expect("an index fits 64 bits"));
        // A part of an output begins and ends anywhere, and finds the block of each element by itself.
        if !(start.is_multiple_of(elements) && count.is_multiple_of(elements)) {
            let mut pairs = [[[0; SIZE]; 2]; CHUNK];
            let mut made = 0..0;
            for (element, place) in (start..).zip(out.as_chunks_mut().0) {
                let (row, column) = (element % elements / self.inner, element % self.inner);
                let index = element / elements * blocks + row / 2 * self.inner + column;
                if !made.contains(&index) {
                    made = index..index + CHUNK;
                    let bytes = pairs.as_flattened_mut().as_flattened_mut();
                    fill(level, block(index), rule, bytes);
                }
                *place = pairs[index - made.start][row % 2];
            }
            return;
        }
        let threefry = block(start / elements * blocks);
        // Along the last dimension the pairs lie in the order of the stream, so nothing has to be moved.
        if self.inner == 1 && (elements == 2 || elements == count) {
            return fill(level, threefry, rule, out);
        }
        let periods = (CHUNK / blocks).max(1);
        split::for_each(count, out, periods * elements * SIZE, |chunk, out| {
            let skipped = chunk * periods * blocks;
            let mut threefry = threefry.skip(u64::try_from(skipped).expect("an index fits 64 bits"));
            let mut left = out.len() / SIZE / elements * blocks;
            let mut pairs = [[[0_u8; SIZE]; 2]; CHUNK];
            let mut made = 0..0;
            for period in out.as_chunks_mut().0.chunks_mut(elements) {
                for rows in period.chunks_mut(2 * self.inner) {
                    let (firsts, seconds) = rows.split_at_mut(self.inner);
                    for (place, first) in firsts.iter_mut().enumerate() {
                        if made.is_empty() {
                            made = 0..left.min(CHUNK);
                            let pairs = pairs[made.clone()].as_flattened_mut().as_flattened_mut();
                            fill(level, threefry, rule, pairs);
                            threefry = threefry.skip(CHUNK as u64);
                            left -= made.len();
                        }
                        let pair = pairs[made.start];
                        made.start += 1;
                        *first = pair[0];
                        // The last row of an odd dimension has no partner, and drops the second words of its blocks.
                        if let Some(second) = seconds.get_mut(place) {
                            *second = pair[1];
                        }
                    }
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of an output, each put in its place as the rule says.
    fn placed(threefry: Threefry, dims: &[usize], at: usize) -> Vec<u32> {
        let count = dims.iter().product();
        let inner: usize = dims[at + 1..].iter().product();
        let mut out = vec![0; count];
        let half = dims[at].div_ceil(2);
        for pair in 0..count / dims[at] * half {
            let (outer, k, i) = (pair / inner / half, pair / inner % half, pair % inner);
            let words = threefry.block(u64::try_from(pair).unwrap());
            for (word, value) in words.into_iter().enumerate() {
                if 2 * k + word < dims[at] {
                    out[(outer * dims[at] + 2 * k + word) * inner + i] = value;
                }
            }
        }
        out
    }

    #[test]
    fn pairs_lie_beside_each_other_along_the_halved_dimension() {
        let threefry = Threefry {
            key: 7,
            counter: u64::MAX - 5,
        };
        let shapes: [(&[usize], usize); 9] = [
            (&[1], 0),
            (&[7], 0),
            (&[3, 5], 1),
            (&[5, 3, 5], 0),
            (&[3, 4, 5], 1),
            (&[3, 5, 2], 2),
            (&[2, 1000, 3], 0),
            (&[3, 1001, 3], 1),
            (&[1025, 3, 1025], 0),
        ];
        for (dims, at) in shapes {
            let expected = placed(threefry, dims, at);
            for level in Level::detect().into_iter().chain(Level::emulated()) {
                let pairs = Pairs::of(dims);
                let mut words = vec![0_u8; 4 * expected.len()];
                pairs.fill::<4>(level, threefry, 0, &mut words);
                let (words, _) = words.as_chunks();
                assert!(
                    words
                        .iter()
                        .map(|&word| u32::from_le_bytes(word))
                        .eq(expected.iter().copied()),
                    "{dims:?}"
                );
                let mut bytes = vec![0_u8; expected.len()];
                pairs.fill::<1>(level, threefry, 0, &mut bytes);
                assert!(
                    bytes
                        .iter()
                        .zip(&expected)
                        .all(|(byte, word)| *byte == word.to_le_bytes()[0]),
                    "{dims:?}"
                );
            }
        }
    }

    #[test]
    fn pairs_are_counted_in_halves_rounded_up() {
        let blocks = |dims: &[usize]| Pairs::of(dims).blocks(dims.iter().product());
        assert_eq!(blocks(&[]), 1);
        assert_eq!(blocks(&[7]), 4);
        assert_eq!(blocks(&[3, 5, 5]), 45);
        assert_eq!(blocks(&[3, 4, 6]), 36);
        assert_eq!(Pairs::of(&[1 << 40, 0, 1 << 40]).blocks(0), 0);
    }
}
