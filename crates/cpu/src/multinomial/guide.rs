//! A table that leads from most draws to their class in one step.

use super::Row;
use crate::level::Level;
use crate::rule::ONE_F64;
use crate::simd::{Kernel, Simd};

/// The quotients of the sums, and the first class for each of equal parts of the unit interval.
///
/// Everything is counted in units of 2^-52. Generated draws are whole numbers of these, so such a draw is greater than
/// a share exactly if it is greater than the share rounded down to a whole number.
#[derive(Clone, Copy)]
pub(crate) struct Guide<'a> {
    /// Running sums divided by the last.
    shares: &'a [f64],
    /// One number for each part. Its lowest `spare - 2` bits are the first class with a weight whose share is not below
    /// the lower end of the part. The bit above is set if the shares of several classes lie in the part. The bits above
    /// that, except the uppermost, are the place of this one's share in the part, or the end of the part if the share
    /// lies beyond. One more part begins at 1.
    parts: &'a [u64],
    /// The bits of an f64 in `[1, 2)` that are not the place in a part.
    spare: u32,
}

/// 2^52.
pub(super) const UNITS: f64 = 4_503_599_627_370_496.0;

impl<'a> Guide<'a> {
    /// The parts per class, unless there are fewer draws. With this many, few draws fall into
    /// a part with several shares.
    const PARTS: usize = 16;
    /// The most classes whose index fits the lowest bits of [`Self::parts`], for at least as many draws as classes.
    pub(super) const CLASSES: usize = 1 << 25;

    /// A table for `draws` draws from a row, whose sums become shares. The contents of `parts` do not matter.
    pub(crate) fn new(row: Row<'a>, draws: usize, parts: &'a mut Vec<u64>) -> Self {
        let first = row.first();
        let shares = row.sums;
        let total = shares[shares.len() - 1];
        for share in &mut *shares {
            *share /= total;
        }
        let count = (Self::PARTS * shares.len())
            .min(draws)
            .clamp(1 << 6, 1 << 15)
            .next_power_of_two();
        let spare = 12 + count.ilog2();
        parts.clear();
        for (class, &share) in (0_u64..).zip(&*shares).skip(first) {
            let units = whole(share * UNITS);
            let part = index(units >> (64 - spare));
            if let Some(several) = parts.get_mut(part) {
                *several |= 1 << (spare - 2);
            } else {
                let begin = |units: u64| units << spare >> 1 | class;
                parts.resize(part, begin(u64::MAX));
                parts.push(begin(units));
            }
            if part == count {
                break;
            }
        }
        Self { shares, parts, spare }
    }

    /// Writes the class of each draw in `[0, 1]`, converted by `index`. Draws are the bytes of f64, least significant
    /// first. If they are `generated`, they are multiples of 2^-52 below 1.
    #[inline(always)]
    pub(crate) fn find_each<T>(
        self,
        level: Level,
        draws: &[[u8; 8]],
        generated: bool,
        out: &mut [T],
        index: impl Fn(usize) -> T,
    ) {
        if generated {
            level.run(Find {
                guide: self,
                draws,
                out,
                index,
            });
        } else {
            for (out, &draw) in out.iter_mut().zip(draws) {
                *out = index(self.find_any(f64::from_le_bytes(draw)));
            }
        }
    }

    /// The class of a draw in `[0, 1)` that is a multiple of 2^-52, unless the shares of several lie in its part.
    #[inline(always)]
    fn find(self, draw: f64) -> Option<usize> {
        let (part, place) = self.place((draw + 1.0).to_bits());
        let begin = self.parts[part];
        let one = begin & self.several() == 0;
        one.then(|| self.class(begin) + usize::from(place > begin))
    }

    /// [`Self::find`] of some draws: classes, with the bit [`Self::several`] where there is none.
    #[inline(always)]
    fn find_vector<S: Simd>(self, s: S, draws: S::V) -> S::V {
        let one = s.splat64(ONE_F64);
        let bits = s.add_f64(draws, one);
        let part = s.shr64(s.sub64(bits, one), 64 - self.spare);
        let begin = s.gather64(self.parts, part);
        let place = s.shr64(s.shl64(bits, self.spare), 1);
        // Both are less than 2^63, so the sign of the difference shows which is greater.
        let beyond = s.shr64(s.sub64(begin, place), 63);
        s.add64(s.and(begin, s.splat64(2 * self.several() - 1)), beyond)
    }

    /// The bit of parts in which the shares of several classes lie.
    #[inline(always)]
    const fn several(self) -> u64 {
        1 << (self.spare - 2)
    }

    /// The class of any draw in `[0, 1]`.
    #[inline(always)]
    fn find_any(self, draw: f64) -> usize {
        if draw >= 1.0 {
            return self.class(self.parts[self.parts.len() - 1]);
        }
        let nearest = draw + 1.0;
        let below = nearest.to_bits() - u64::from(nearest - 1.0 > draw);
        self.search(self.place(below).0, draw)
    }

    /// The part of a number in `[1, 2)`, and its place there in the uppermost bits.
    #[inline(always)]
    fn place(self, bits: u64) -> (usize, u64) {
        (index(bits << 12 >> (76 - self.spare)), bits << self.spare >> 1)
    }

    /// The class that a part begins with.
    #[inline(always)]
    fn class(self, begin: u64) -> usize {
        index(begin & (self.several() - 1))
    }

    /// The class of a draw in a part.
    fn search(self, part: usize, draw: f64) -> usize {
        let [start, end] = [part, part + 1].map(|part| self.class(self.parts[part]));
        start + self.shares[start..end].partition_point(|&share| share < draw)
    }
}

/// Draws that are found at the same time: four vectors of the widest level.
const TOGETHER: usize = 32;

/// Classes at the start of a cache line: a vector across two lines takes longer to store and to load again.
#[repr(align(64))]
struct Classes([u64; TOGETHER]);

/// The classes of generated draws.
struct Find<'a, T, I> {
    guide: Guide<'a>,
    draws: &'a [[u8; 8]],
    out: &'a mut [T],
    index: I,
}

impl<T, I: Fn(usize) -> T> Find<'_, T, I> {
    /// The class of one draw.
    #[inline(always)]
    fn one(guide: Guide<'_>, draw: [u8; 8]) -> usize {
        let draw = f64::from_le_bytes(draw);
        guide.find(draw).unwrap_or_else(|| guide.find_any(draw))
    }
}

impl<T, I: Fn(usize) -> T> Kernel for Find<'_, T, I> {
    type Output = ();

    #[inline(always)]
    fn scalar(self) {
        for (out, &draw) in self.out.iter_mut().zip(self.draws) {
            *out = (self.index)(Self::one(self.guide, draw));
        }
    }

    #[inline(always)]
    fn vector<S: Simd, const GROUPS: usize>(self, s: S) {
        let Self {
            guide,
            draws,
            out,
            index: as_index,
        } = self;
        for (draws, out) in draws.chunks(TOGETHER).zip(out.chunks_mut(TOGETHER)) {
            let Some(draws) = draws.first_chunk::<TOGETHER>() else {
                let rest = Find {
                    guide,
                    draws,
                    out,
                    index: as_index,
                };
                return rest.scalar();
            };
            let Classes(classes) = &mut Classes([0; TOGETHER]);
            let vectors = classes.chunks_exact_mut(S::WORDS / 2);
            for (classes, draws) in vectors.zip(draws.chunks_exact(S::WORDS / 2)) {
                s.store(classes, guide.find_vector(s, s.load(draws)));
            }
            for (out, &class) in out.iter_mut().zip(&*classes) {
                *out = as_index(index(class));
            }
            if classes.iter().fold(0, |all, class| all | class) & guide.several() != 0 {
                let found = classes.iter().zip(draws).zip(out);
                for ((_, &draw), out) in found.filter(|((class, _), _)| *class & guide.several() != 0) {
                    *out = as_index(guide.find_any(f64::from_le_bytes(draw)));
                }
            }
        }
    }
}

/// The greatest whole number that is not above a positive number.
#[inline(always)]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a share is at most 1, and what is after the point is left out on purpose"
)]
pub(super) fn whole(x: f64) -> u64 {
    x as u64
}

/// A class or a part as an index.
#[inline(always)]
fn index(x: u64) -> usize {
    usize::try_from(x).expect("a class or a part is one of a row's")
}
