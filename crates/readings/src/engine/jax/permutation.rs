//! Permutations: numbers that are sorted by draws, several times over.
//!
//! A few places of a permutation are found without a sort: the draw of a rank is looked for among those that begin with the same
//! bits as it, which are a handful.

use std::collections::BTreeMap;

use seedproof_ops::Failure;

use super::keys::Key;
use crate::answers::{SortKey, SortPlaces, SortRounds, SortTies, SortedBy};
use crate::reading::Reading;

/// The low bits of a draw of 32, by which draws that begin alike are told apart.
const LOW: u32 = 16;

/// A permutation of the numbers below a count.
pub(super) struct Permutation<'a> {
    reading: &'a Reading,
    key: &'a Key<'a>,
    count: usize,
}

impl<'a> Permutation<'a> {
    pub(super) const fn new(reading: &'a Reading, key: &'a Key<'a>, count: usize) -> Self {
        Self { reading, key, count }
    }

    /// The numbers in their order.
    pub(super) fn numbers(&self) -> Result<Vec<u64>, Failure> {
        let mut numbers: Vec<u64> = (0_u64..).take(self.count).collect();
        for key in self.keys() {
            // Draws with their places: a sort of places alone would fetch each draw from anywhere in the list.
            let mut order = self.drawn(&key)?;
            order.sort_unstable();
            if self.reading.jax_sorts.places == SortPlaces::Inverse {
                let before = numbers.clone();
                for (drawn, number) in order.into_iter().zip(before) {
                    numbers[self.place(drawn)] = number;
                }
            } else {
                // The list that is sorted becomes that of the numbers, without a third one.
                let number = |drawn| numbers[self.place(drawn)];
                numbers = order.into_iter().map(number).collect();
            }
        }
        Ok(numbers)
    }

    /// The first `wanted` numbers of the order.
    pub(super) fn first(&self, wanted: usize) -> Result<Vec<u64>, Failure> {
        let mut places: Vec<usize> = (0..wanted.min(self.count)).collect();
        // From the last sort back to the first, before which each number stands at its own place.
        for key in self.keys().into_iter().rev() {
            let drawn = self.drawn(&key)?;
            let begins = Begins::of(&drawn);
            if self.reading.jax_sorts.places == SortPlaces::Inverse {
                let its: Vec<u64> = places.iter().map(|&place| drawn[place]).collect();
                places = begins.ranks(&drawn, &its);
            } else {
                let at = begins.at(&drawn, &places).into_iter();
                places = at.map(|drawn| self.place(drawn)).collect();
            }
        }
        Ok(places
            .into_iter()
            .map(|place| u64::try_from(place).unwrap_or(u64::MAX))
            .collect())
    }

    /// The key of each sort's draws.
    fn keys(&self) -> Vec<Key<'a>> {
        let answers = &self.reading.jax_sorts;
        let mut key = self.key.clone();
        let mut all = Vec::new();
        for _ in 0..rounds(answers.rounds, self.count) {
            let mut keys = key.split(2);
            match answers.sort_key {
                SortKey::Second => {}
                SortKey::Again => keys[0].clone_from(&key.words),
                SortKey::First => keys.reverse(),
                SortKey::Own => keys[1].clone_from(&key.words),
            }
            all.push(key.with(keys.swap_remove(1)));
            key = key.with(keys.swap_remove(0));
        }
        all
    }

    /// The draw by which the number at each place is sorted, in the high half, and what decides between equal draws.
    fn drawn(&self, key: &Key<'_>) -> Result<Vec<u64>, Failure> {
        if u32::try_from(self.count.saturating_sub(1)).is_err() {
            return Err(Failure::error(format!(
                "sort {} numbers: 2^32 at most",
                self.count
            )));
        }
        let answers = &self.reading.jax_sorts;
        let draws = key.bits(32, [self.count; 2])?;
        let of = |(place, draw): (usize, u64)| {
            // An f32 of the unit interval has the top 23 bits, and its order is theirs.
            let draw = match answers.sorted_by {
                SortedBy::Floats => draw >> 9,
                SortedBy::Words => draw,
            };
            // The draws are of 32 bits.
            let draw = match answers.places {
                SortPlaces::Signed => draw ^ 1 << 31,
                SortPlaces::Descending => u64::from(u32::MAX) - draw,
                _ => draw,
            };
            draw << 32 | u64::try_from(self.tie(place)).unwrap_or(u64::MAX)
        };
        Ok(draws.into_iter().enumerate().map(of).collect())
    }

    /// The place of a draw of [`Self::drawn`].
    fn place(&self, drawn: u64) -> usize {
        self.tie(usize::try_from(drawn & u64::from(u32::MAX)).expect("an index has 32 bits"))
    }

    /// What decides for a place among equal draws. Applied to that, it is the place again.
    fn tie(&self, place: usize) -> usize {
        match self.reading.jax_sorts.ties {
            SortTies::Reversed => self.count - 1 - place,
            SortTies::Stable => place,
        }
    }
}

/// How often a permutation of `count` numbers is sorted: so often that all draws of a number together are unlikely to
/// equal another's.
fn rounds(answer: SortRounds, count: usize) -> u64 {
    let wide = u64::try_from(count.max(1)).unwrap_or(u64::MAX);
    let quotient = 3.0 * crate::round::f64_of(wide).ln() / f64::from(u32::MAX).ln();
    let rounds = (0..8_u64)
        .find(|&rounds| crate::round::f64_of(rounds) >= quotient)
        .unwrap_or(0);
    match answer {
        SortRounds::Cubed => rounds,
        SortRounds::Once => rounds.min(1),
    }
}

/// How many draws are less than those that begin with the same high bits, for each value of these bits, and at last how many there
/// are.
struct Begins(Vec<usize>);

impl Begins {
    fn of(drawn: &[u64]) -> Self {
        let mut less = vec![0; (1 << LOW) + 1];
        for &drawn in drawn {
            less[high(drawn) + 1] += 1;
        }
        for i in 1..less.len() {
            less[i] += less[i - 1];
        }
        Self(less)
    }

    /// What stands at each of these ranks once all are sorted.
    fn at(&self, drawn: &[u64], ranks: &[usize]) -> Vec<u64> {
        let begins = |rank: usize| self.0.partition_point(|&less| less <= rank) - 1;
        let lists = self.lists(drawn, ranks.iter().map(|&rank| begins(rank)));
        let of = |&rank: &usize| lists[&begins(rank)][rank - self.0[begins(rank)]];
        ranks.iter().map(of).collect()
    }

    /// The rank of each of these once all are sorted.
    fn ranks(&self, drawn: &[u64], of: &[u64]) -> Vec<usize> {
        let lists = self.lists(drawn, of.iter().map(|&it| high(it)));
        let rank = |it: &u64| {
            let begins = high(*it);
            self.0[begins] + lists[&begins].partition_point(|other| other < it)
        };
        of.iter().map(rank).collect()
    }

    /// The sorted draws that begin with each of these high bits.
    fn lists(&self, drawn: &[u64], begins: impl Iterator<Item = usize>) -> BTreeMap<usize, Vec<u64>> {
        let mut lists: BTreeMap<usize, Vec<u64>> = begins.map(|high| (high, Vec::new())).collect();
        // A flag is looked up for each draw, and a list for hardly any.
        let mut is_wanted = vec![false; self.0.len()];
        for &high in lists.keys() {
            is_wanted[high] = true;
        }
        for &it in drawn.iter().filter(|&&it| is_wanted[high(it)]) {
            lists.entry(high(it)).or_default().push(it);
        }
        for list in lists.values_mut() {
            list.sort_unstable();
        }
        lists
    }
}

/// The high bits of a draw of 32, which stands above its place.
fn high(drawn: u64) -> usize {
    usize::try_from(drawn >> (32 + LOW)).expect("a draw has 32 bits") & ((1 << LOW) - 1)
}
