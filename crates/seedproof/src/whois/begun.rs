//! The seeds whose streams begin with the first elements of an array.
//!
//! Each seed costs only arithmetic: one block of Philox, or the seeding of MT19937 as far as its first words need it. Whether a
//! word may be that of the first element is one comparison, because most conversions grow with some bits of the word, and
//! because a pair of normals determines two words.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use seedproof_cpu::{Level, first};

use super::conversion::{Top, Way, power};
use super::generator::{High, halves, jax, number, numpy_numbers, philox};
use super::numbers::{EVIDENCE, as_f64};
use super::pairs::{Normals, Pair};
use super::scan::{QUICK, Searched, scan};
use super::seen::Seen;
use super::sought::Sought;
use super::source::Source;
use super::streams::{Ziggurat, is_begun_by_numbers, ways_of};

/// The first seeds, which are tried with every generator before the other seeds are tried with any: people choose small
/// numbers.
const CHOSEN: u64 = 1 << 22;
/// The number of elements that a seed must reproduce to be found. The caller compares the others.
const TOLD: usize = 256;
/// The most seeds that are found. If there are more, the array is too small to tell its seed.
const MAX_SEEDS: usize = 64;

/// The places of six points of the polar method. Each is outside of the circle with probability 1 - pi/4, so that for two seeds in
/// a thousand fewer than two are inside.
const POLAR: [&[usize]; 2] = [
    &[0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22],
    &[1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23],
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Generator {
    Philox,
    /// Philox as CUDA's threads have it: the key is that of all, and each element is the first word of its own thread.
    Threads,
    Mt,
    Jax,
    Numpy,
}

impl Generator {
    /// The name in a report of what was searched.
    const fn name(self) -> &'static str {
        match self {
            Self::Philox => "Philox",
            Self::Threads => "Philox in CUDA's threads",
            Self::Mt => "MT19937",
            Self::Jax => "JAX",
            Self::Numpy => "NumPy's default_rng",
        }
    }
}

/// The cheapest generator first, since a seed that it finds ends the search before the others begin.
const EVERY: [Generator; 5] = [
    Generator::Philox,
    Generator::Threads,
    Generator::Mt,
    Generator::Jax,
    Generator::Numpy,
];

/// An array in one of the types that it may have.
struct Asked<'a> {
    sought: &'a Sought,
    seen: Seen,
    /// Its first elements, by which normals are told, and these as normals.
    begins: Sought,
    first: Seen,
    normals: Option<Normals>,
}

/// A way to make an array of words, and a test of the first ones which hardly any seed passes.
struct Filter {
    /// The index of the array.
    of: usize,
    /// The way to make the elements. `None` for normals, for which a seed that passes is tried in every way.
    way: Option<Way>,
    /// The generators whose words are tested.
    generators: Vec<Generator>,
    test: Test,
}

enum Test {
    /// The words at these places must be among these.
    Words(Pair),
    /// The first elements must be made of the first words in this way.
    Drawn(Way),
    /// The first normals must be those of the polar method, whose numbers of two words have the high one at these places: those of
    /// NumPy's `RandomState`, or one word later those of libstdc++.
    Polar(&'static [usize]),
    /// The first normal must be made of the first words, as NumPy's `Generator` makes those of f64 or of f32.
    Ziggurat { is_double: bool },
}

/// A place, the words that some filters have in common there, and these filters.
type Group<'a> = (usize, Top, Vec<(&'a Filter, &'a Pair)>);

impl Filter {
    /// The places of the words that are tested.
    fn places(&self) -> &[usize] {
        match &self.test {
            Test::Words(pair) => &pair.places,
            Test::Drawn(_) => &[0, 1],
            Test::Polar(places) => places,
            // A normal is rejected once in eighty times, and then takes another number or two.
            Test::Ziggurat { .. } => &[0, 1, 2, 3, 4, 5, 6, 7],
        }
    }
}

/// The filters for the conversions to an array, and for normals.
fn filters(of: usize, asked: &Asked<'_>, all: u64) -> Vec<Filter> {
    let seen = &asked.seen;
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    let needed = EVIDENCE + (all as f64).log2();
    let count = seen.count();
    if count < 2 {
        return Vec::new();
    }
    let is_told = |way: &Way| way.bits(seen) * as_f64(count) > needed && way.may_draw(seen);
    let ways = ways_of(asked.sought, seen).into_iter().filter(is_told);
    let mut filters: Vec<Filter> = ways
        .map(|way| {
            let tops = way.top(seen, 0).zip(way.top(seen, 1));
            let words = |(first, second)| {
                // Philox and Threefry give two words, so that the second element of two words is left to the comparison.
                let is_one = way.words() == 1;
                Test::Words(Pair {
                    places: [way.lead(), if is_one { 1 } else { way.lead() }],
                    tops: [first, if is_one { second } else { first }],
                })
            };
            // A thread of CUDA has one word for each element, and JAX makes the two words of one otherwise than those of two.
            let is_tried =
                |it: &Generator| way.words() == 1 || !matches!(it, Generator::Threads | Generator::Jax);
            Filter {
                of,
                way: Some(way),
                generators: EVERY.into_iter().filter(is_tried).collect(),
                test: tops.map_or(Test::Drawn(way), words),
            }
        })
        .collect();
    let Some(normals) = asked.normals.as_ref().filter(|it| it.bits(&asked.first) > needed) else {
        return filters;
    };
    let mut add = |generator, test| {
        filters.push(Filter {
            of,
            way: None,
            generators: vec![generator],
            test,
        });
    };
    let pairs = [
        (Generator::Mt, normals.of_twister()),
        (Generator::Philox, normals.of_philox().into_iter().collect()),
        (Generator::Jax, normals.of_jax()),
    ];
    for (generator, pairs) in pairs {
        for pair in pairs {
            add(generator, Test::Words(pair));
        }
    }
    for places in POLAR {
        add(Generator::Mt, Test::Polar(places));
    }
    for is_double in [true, false] {
        add(Generator::Numpy, Test::Ziggurat { is_double });
    }
    filters
}

/// The filters of words in groups. Most conversions to one number differ in the last bits of a word, so that one range excludes nearly
/// all seeds for all of them.
fn groups<'a>(filters: impl Iterator<Item = &'a Filter>) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for filter in filters {
        let Test::Words(pair) = &filter.test else {
            continue;
        };
        let ([place, _], [top, _]) = (pair.places, pair.tops);
        let joined = groups.iter_mut().find_map(|group| {
            let joined = group.1.joined(top).filter(|_| group.0 == place)?;
            Some((group, joined))
        });
        match joined {
            Some((group, joined)) => {
                group.1 = joined;
                group.2.push((filter, pair));
            }
            None => groups.push((place, top, vec![(filter, pair)])),
        }
    }
    groups
}

/// The seeds from which a generator's stream begins with an array, which is asked about in several types. Beside each stands its
/// beginning, by which normals are told.
pub(super) fn begun(
    arrays: &[(Sought, Sought)],
    seeds: &RangeInclusive<u64>,
    go_on: &(dyn Fn(u64) -> bool + Sync),
) -> Searched {
    let (start, end) = (*seeds.start(), *seeds.end());
    let all = (end - start).saturating_add(1);
    let mut asked: Vec<Asked<'_>> = arrays
        .iter()
        .map(|(sought, begins)| {
            let first = Seen::of(begins);
            Asked {
                sought,
                seen: Seen::of(sought),
                begins: begins.clone(),
                normals: Normals::of(&first),
                first,
            }
        })
        .collect();
    // Printed digits are the same in each type. The first one is the narrowest, within whose tolerance the others lie.
    for it in asked.iter_mut().skip(1).filter(|it| it.begins.within.is_some()) {
        it.normals = None;
    }
    let filters: Vec<Filter> = (0..)
        .zip(&asked)
        .flat_map(|(of, asked)| filters(of, asked, all))
        .collect();
    let nothing = Searched {
        tried: all,
        // Without a filter no stream was searched, so that every op is to be asked, however many seeds there are.
        is_asked: filters.is_empty(),
        ..Searched::default()
    };
    if filters.is_empty() {
        return nothing;
    }
    let search = Begun {
        asked: &asked,
        table: Ziggurat::new(),
        filters: &filters,
        level: Level::best(),
    };
    let chosen = start..=end.min(start.saturating_add(CHOSEN - 1));
    let first = scan(&chosen, (QUICK, MAX_SEEDS), go_on, &|seeds, found| {
        for generator in EVERY {
            search.try_seeds(generator, &seeds, found);
        }
        !found.is_empty()
    });
    let done = chosen.end() - chosen.start() + 1;
    if !first.seeds.is_empty() || first.tried < done || *chosen.end() == end {
        return first;
    }
    let turns = u64::try_from(EVERY.len()).unwrap_or(1);
    let mut streams = Vec::new();
    for (turn, generator) in (0..).zip(EVERY) {
        let rest = chosen.end() + 1..=end;
        let rest = match generator {
            // PyTorch seeds it with the low 32 bits, so that larger seeds repeat the smaller ones.
            Generator::Mt if *rest.start() > u64::from(u32::MAX) => continue,
            Generator::Mt => *rest.start()..=end.min(u64::from(u32::MAX)),
            _ => rest,
        };
        // The caller counts seeds, and each generator is a share of the work.
        let part = all / turns;
        let next = scan(
            &rest,
            (QUICK, MAX_SEEDS),
            &|now| go_on(done + part.saturating_mul(turn) + now / turns),
            &|seeds, found| {
                search.try_seeds(generator, &seeds, found);
                !found.is_empty()
            },
        );
        if !next.seeds.is_empty() {
            return next;
        }
        streams.push((generator.name(), done + next.tried));
        if next.tried < rest.end() - rest.start() + 1 {
            // The search was stopped. Only the first seeds were tried with every generator, and the count must not
            // promise more than that.
            return Searched { streams, ..first };
        }
    }
    nothing
}

/// The arrays, and the filters by which most seeds are excluded.
struct Begun<'a> {
    asked: &'a [Asked<'a>],
    table: Ziggurat,
    filters: &'a [Filter],
    level: Level,
}

impl Begun<'_> {
    /// Tries some seeds with a generator.
    fn try_seeds(&self, generator: Generator, seeds: &RangeInclusive<u64>, found: &mut Vec<u64>) {
        let filters = || {
            self.filters
                .iter()
                .filter(|it| it.generators.contains(&generator))
        };
        let places: BTreeSet<usize> = filters().flat_map(Filter::places).copied().collect();
        let places: Vec<usize> = places.into_iter().collect();
        let Some(words) = self
            .words(generator, seeds, &places)
            .filter(|_| !places.is_empty())
        else {
            return;
        };
        let length = words.first().map_or(0, Vec::len);
        let column = |place: usize| &words[places.partition_point(|it| *it < place)][..];
        let mut keep = |filter: &Filter, at: usize| {
            let seed = seeds.start() + u64::try_from(at).unwrap_or(0);
            let asked = &self.asked[filter.of];
            // Several filters may accept the same seed.
            if !found.contains(&seed) && gives(generator, seed, asked, filter.way.as_ref()) {
                found.push(seed);
            }
        };
        for (place, top, members) in groups(filters()) {
            for at in top.places(column(place)) {
                let is_both = |pair: &Pair| (0..2).all(|i| pair.tops[i].holds(column(pair.places[i])[at]));
                for (filter, _) in members.iter().filter(|(_, pair)| is_both(pair)) {
                    keep(filter, at);
                }
            }
        }
        for filter in filters() {
            let asked = &self.asked[filter.of];
            match &filter.test {
                Test::Words(_) => {}
                Test::Drawn(way) => {
                    let [a, b] = [0, 1].map(column);
                    let is_first = |at: &usize| asked.seen.is(0, way.drawn(&[a[*at], b[*at]]));
                    let is_second = |at: &usize| way.words() > 1 || asked.seen.is(1, way.drawn(&[b[*at]]));
                    (0..length)
                        .filter(is_first)
                        .filter(is_second)
                        .for_each(|at| keep(filter, at));
                }
                Test::Polar(places) => {
                    let columns: Vec<&[u32]> = places.iter().map(|&place| column(place)).collect();
                    let unit = |words: &[u32], at: usize| f64::from(words[at]).mul_add(power(-31), -1.0);
                    let points = |at: usize| {
                        columns
                            .chunks(2)
                            .map(move |xy| [unit(xy[0], at), unit(xy[1], at)])
                    };
                    let may_be = |at: &usize| {
                        asked
                            .normals
                            .as_ref()
                            .is_some_and(|it| it.may_be_polar(points(*at)))
                    };
                    (0..length).filter(may_be).for_each(|at| keep(filter, at));
                }
                Test::Ziggurat { is_double } => {
                    let columns: [&[u32]; 8] = std::array::from_fn(column);
                    let first = |at: usize| {
                        let words = columns.map(|words| words[at]);
                        let number = if *is_double {
                            Ziggurat::double
                        } else {
                            Ziggurat::single
                        };
                        number(&self.table, &words, 0).map_or(f64::NAN, |(number, _)| number)
                    };
                    let is_first =
                        |at: &usize| asked.normals.as_ref().is_some_and(|it| it.is_first(first(*at)));
                    (0..length).filter(is_first).for_each(|at| keep(filter, at));
                }
            }
        }
    }

    /// The words at some places of each seed's stream. `None` for seeds that repeat others.
    fn words(
        &self,
        generator: Generator,
        seeds: &RangeInclusive<u64>,
        places: &[usize],
    ) -> Option<Vec<Vec<u32>>> {
        let first = *seeds.start();
        let length = usize::try_from(seeds.end() - first + 1).unwrap_or(0);
        let mut words = vec![vec![0; length]; places.len()];
        let mut each = |of: &dyn Fn(u64) -> [u32; 8]| {
            for (at, seed) in seeds.clone().enumerate() {
                let all = of(seed);
                for (words, &place) in words.iter_mut().zip(places) {
                    words[at] = all[place];
                }
            }
        };
        let second = self.asked.first().map_or(0, |asked| asked.sought.op_seed);
        match (generator, u32::try_from(first), u32::try_from(*seeds.end())) {
            (Generator::Philox, ..) => {
                let [a, b] = &mut words[..] else { return None };
                first::philox(self.level, first, u128::from(second) << 64, [a, b]);
            }
            (Generator::Threads, ..) => {
                let [a, b] = &mut words[..] else { return None };
                let mut unused = vec![0; length];
                for (thread, words) in (0_u128..).zip([a, b]) {
                    first::philox(self.level, first, thread << 64, [words, &mut unused]);
                }
            }
            (Generator::Mt, Ok(first), Ok(_)) => first::mt19937(self.level, first, places, &mut words),
            // A larger seed is cut to its low 32 bits, which were tried as a seed of their own.
            (Generator::Mt, ..) => return None,
            (Generator::Jax, ..) => each(&|seed| {
                let [low, high] = halves(seed);
                let two = jax([high, low], true, 2);
                [two[0], two[1], 0, 0, 0, 0, 0, 0]
            }),
            (Generator::Numpy, ..) => each(&|seed| {
                let mut numbers = numpy_numbers(&halves(seed));
                let pairs: [[u32; 2]; 4] = std::array::from_fn(|_| halves(numbers()));
                std::array::from_fn(|i| pairs[i / 2][i % 2])
            }),
        }
        Some(words)
    }
}

/// Whether a seed's stream begins with the first [`TOLD`] elements of an array.
fn gives(generator: Generator, seed: u64, asked: &Asked<'_>, way: Option<&Way>) -> bool {
    let Some(way) = way else {
        let begins = Sought {
            seed,
            ..asked.begins.clone()
        };
        return is_begun_by_numbers(&begins, &asked.first);
    };
    let each = way.words();
    let count = asked.seen.count().min(TOLD);
    let source = match generator {
        Generator::Philox => Source::philox(seed, u128::from(asked.sought.op_seed) << 64),
        Generator::Threads => {
            let threads = (0..).take(count);
            Source::Given(
                threads
                    .map(|thread| philox(High::Whole, seed, thread << 64)[0])
                    .collect(),
            )
        }
        Generator::Mt => Source::mt(halves(seed)[0]),
        Generator::Jax => Source::Jax {
            key: seed,
            is_partitionable: true,
        },
        Generator::Numpy => Source::Numpy {
            entropy: number(seed),
        },
    };
    let words = source.words(0, count * each, each);
    (0..count).all(|i| asked.seen.is(i, way.drawn(&words[i * each..])))
}
