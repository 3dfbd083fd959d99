//! The seeds whose streams begin with the first elements of an array.
//!
//! Each seed costs only arithmetic: one block of Philox, or the seeding of MT19937 as far as its first two words need
//! it. Whether a word may be that of the first element is one comparison, because most conversions grow with some bits
//! of the word.

use std::ops::RangeInclusive;

use seedproof_cpu::{Level, first};

use super::conversion::{Top, Way};
use super::generator::{halves, jax};
use super::numbers::{EVIDENCE, as_f64};
use super::scan::{QUICK, Searched, scan};
use super::seen::Seen;
use super::sought::Sought;
use super::source::Source;
use super::streams::ways_of;

/// The first seeds, which are tried with every generator before the other seeds are tried with any: people choose small
/// numbers.
const CHOSEN: u64 = 1 << 22;
/// The number of elements that a seed must reproduce to be found. The caller compares the others.
const TOLD: usize = 256;
/// The most seeds that are found. If there are more, the array is too small to tell its seed.
const MAX_SEEDS: usize = 64;

#[derive(Clone, Copy)]
enum Generator {
    Philox,
    Mt,
    Jax,
}

/// A way from words to elements, and the words from which the first two elements may come.
struct Filter {
    way: Way,
    tops: Option<[Top; 2]>,
}

/// The seeds from which a generator's stream begins with the array.
pub(super) fn begun(
    sought: &Sought,
    seeds: &RangeInclusive<u64>,
    go_on: &(dyn Fn(u64) -> bool + Sync),
) -> Searched {
    let seen = Seen::of(sought);
    let (start, end) = (*seeds.start(), *seeds.end());
    let all = (end - start).saturating_add(1);
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    let needed = EVIDENCE + (all as f64).log2();
    let count = seen.count();
    let filters: Vec<Filter> = ways_of(sought, &seen)
        .into_iter()
        .filter(|way| way.bits(&seen) * as_f64(count) > needed && count > 1)
        .map(|way| Filter {
            tops: way
                .top(&seen, 0)
                .zip(way.top(&seen, 1))
                .map(|(first, second)| [first, second]),
            way,
        })
        .collect();
    let nothing = Searched {
        seeds: Vec::new(),
        tried: all,
        // Without a filter no stream was searched, so that every op is to be asked, however many seeds there are.
        is_asked: filters.is_empty(),
    };
    if filters.is_empty() {
        return nothing;
    }
    let search = Begun {
        sought,
        seen: &seen,
        filters: &filters,
        level: Level::best(),
    };
    let chosen = start..=end.min(start.saturating_add(CHOSEN - 1));
    let every = [Generator::Philox, Generator::Mt, Generator::Jax];
    let first = scan(&chosen, (QUICK, MAX_SEEDS), go_on, &|seeds, found| {
        for generator in every {
            search.try_seeds(generator, &seeds, found);
        }
        !found.is_empty()
    });
    let done = chosen.end() - chosen.start() + 1;
    if !first.seeds.is_empty() || first.tried < done || *chosen.end() == end {
        return first;
    }
    // The cheapest generator first, since a seed that it finds ends the search before the others begin.
    for (turn, generator) in (0..).zip(every) {
        let rest = chosen.end() + 1..=end;
        let rest = match generator {
            // PyTorch seeds it with the low 32 bits, so that larger seeds repeat the smaller ones.
            Generator::Mt if *rest.start() > u64::from(u32::MAX) => continue,
            Generator::Mt => *rest.start()..=end.min(u64::from(u32::MAX)),
            _ => rest,
        };
        // The caller counts seeds, and each of the three generators is a third of the work.
        let part = all / 3;
        let next = scan(
            &rest,
            (QUICK, MAX_SEEDS),
            &|now| go_on(done + part.saturating_mul(turn) + now / 3),
            &|seeds, found| {
                search.try_seeds(generator, &seeds, found);
                !found.is_empty()
            },
        );
        if !next.seeds.is_empty() {
            return next;
        }
        if next.tried < rest.end() - rest.start() + 1 {
            // The search was stopped. Only the first seeds were tried with every generator, and the count must not
            // promise more than that.
            return first;
        }
    }
    nothing
}

/// The array, and the filters by which most seeds are excluded.
struct Begun<'a> {
    sought: &'a Sought,
    seen: &'a Seen,
    filters: &'a [Filter],
    level: Level,
}

impl Begun<'_> {
    /// Tries some seeds with a generator.
    fn try_seeds(&self, generator: Generator, seeds: &RangeInclusive<u64>, found: &mut Vec<u64>) {
        let first = *seeds.start();
        let length = usize::try_from(seeds.end() - first + 1).unwrap_or(0);
        let (mut a, mut b) = (vec![0; length], vec![0; length]);
        let words = [&mut a[..], &mut b[..]];
        match (generator, u32::try_from(first), u32::try_from(*seeds.end())) {
            (Generator::Philox, ..) => {
                first::philox(self.level, first, u128::from(self.sought.op_seed) << 64, words);
            }
            (Generator::Mt, Ok(first), Ok(_)) => first::mt19937(self.level, first, words),
            // A larger seed is cut to its low 32 bits, which were tried as a seed of their own.
            (Generator::Mt, ..) => return,
            (Generator::Jax, ..) => {
                let [low, high] = words;
                for ((low, high), seed) in low.iter_mut().zip(high).zip(seeds.clone()) {
                    let [key1, key0] = halves(seed);
                    let two = jax([key0, key1], true, 2);
                    [*low, *high] = [two[0], two[1]];
                }
            }
        }
        for filter in self.filters {
            let keep = |place: usize| {
                let seed = first + u64::try_from(place).unwrap_or(0);
                // Several ways may accept the same seed.
                if gives(generator, seed, self.sought, self.seen, &filter.way) && !found.contains(&seed) {
                    found.push(seed);
                }
            };
            if let Some([one, two]) = filter.tops {
                // A step seldom has a match. Counting all of them compiles to vector instructions, where a search that
                // stops at the first one does not.
                if a.iter().filter(|&&word| one.holds(word)).count() > 0 {
                    let both = |place: &usize| one.holds(a[*place]) && two.holds(b[*place]);
                    (0..length).filter(both).for_each(keep);
                }
            } else {
                let is_first = |place: &usize| self.seen.is(0, filter.way.drawn(&[a[*place], b[*place]]));
                let is_second =
                    |place: &usize| filter.way.words() > 1 || self.seen.is(1, filter.way.drawn(&[b[*place]]));
                (0..length).filter(is_first).filter(is_second).for_each(keep);
            }
        }
    }
}

/// Whether a seed's stream begins with the first [`TOLD`] elements of the array.
fn gives(generator: Generator, seed: u64, sought: &Sought, seen: &Seen, way: &Way) -> bool {
    let each = way.words();
    let count = seen.count().min(TOLD);
    let source = match generator {
        Generator::Philox => Source::philox(seed, u128::from(sought.op_seed) << 64),
        Generator::Mt => Source::mt(halves(seed)[0]),
        Generator::Jax => Source::Jax {
            key: seed,
            is_partitionable: true,
        },
    };
    let words = source.words(0, count * each, each);
    (0..count).all(|i| seen.is(i, way.drawn(&words[i * each..])))
}
