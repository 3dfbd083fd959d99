//! The streams in which an array stands, whatever op it is from: at any place, by any conversion, with edits.
//!
//! Here the search goes on for an array that no reading or mistake draws. The stages are ordered from few attempts to
//! many: other conversions at the beginning of a stream, the launch geometry of CUDA, JAX's orders, blocks that are
//! inverted to counters, slips in a generator, offsets, and edits. Every attempt is counted, and an agreement is
//! evidence only if it has more bits than the logarithm of their number.

mod choices;
mod edited;
mod integers;
mod inverses;
mod inverted;
mod keys;
mod launched;
mod line;
mod linear;
mod offset;
mod ranked;
mod standard;
mod told;
mod ziggurat;

pub(super) use line::{apart, line_over};
pub(super) use linear::dropped;
pub(super) use standard::{NORMAL_WIDTH, WITHIN_TWO};
pub use told::Stream;
use told::Told;
pub(super) use ziggurat::Ziggurat;

use std::cmp::Reverse;

use super::conversion::{Way, ways};
use super::generator::SLIPS;
use super::numbers::{EVIDENCE, as_f64};
use super::requests::suggested;
use super::seen::Seen;
use super::sought::Sought;
use super::source::{Named, Source};
use super::sources::{Among, of_items, sources};
use super::twister::Mt;
use super::twister::slips::slips;

/// The number of words of each stream in which the first elements are looked for.
const NEAR: usize = 1 << 16;
/// The same for the streams of the given seed, in a last stage: a tenth of a second for all conversions.
const FAR: usize = 1 << 19;
/// The same for PyTorch's layers. Sixteen sequences of normals are held at once, which takes 70 MB.
const LAYERS: usize = 1 << 18;
/// The number of words around an element's own place in which it is looked for, where the beginning of the array is
/// wrong.
const AROUND: usize = 1 << 12;
/// The words before the first of several choices: those of a few hundred draws.
const CHOICES: usize = 1 << 10;
/// The most distinct elements of an array for which the bounds between them are printed. An array with more is described
/// as a function of the stream.
const BOUNDS: usize = 6;
/// The fewest bits of an array that is looked for. With fewer it stands somewhere in every long stream by chance.
const FEWEST: f64 = 24.0;

/// The state of a search: the question, what was tried, and what was found.
struct Search<'a> {
    seen: &'a Seen,
    /// The places of the elements in the array, in ascending order, where not all of it is known.
    places: Option<&'a [usize]>,
    /// The number of elements of the array.
    count: usize,
    /// Whether the order of the elements is unknown. They are sorted then, and the numbers of each stream are sorted before they are
    /// compared.
    is_sorted: bool,
    ways: Vec<Way>,
    sources: Vec<Named>,
    sought: &'a Sought,
    attempts: f64,
    found: Vec<Stream>,
}

/// The streams in which an array stands, those that explain most elements first. `given` are the words of a known
/// request, which are searched first. There is no stream for an array of too few bits.
///
/// ```
/// use seedproof::ops::Tensor;
/// use seedproof::whois::{Sought, streams};
///
/// // The low 23 bits of Philox's first words for the key 150 and the second seed 10, as TensorFlow makes an f32 of them.
/// let drawn = [0x3f337cd6, 0x3e9c5ce8, 0x3f7076a8, 0x3f721312, 0x3def8250].map(f32::from_bits);
/// let sought = Sought::new(Tensor::vector(&drawn), 150, 10);
/// let found = streams(&sought, &[]);
/// assert_eq!((found[0].name.as_str(), found[0].is_whole()), ("philox4x32-10", true));
/// ```
pub fn streams(sought: &Sought, given: &[Vec<u32>]) -> Vec<Stream> {
    of_stages(
        sought,
        given,
        &[
            &|search| search.at_once(),
            &|search| search.ranked(1, BOUNDS),
            &|search| search.launched(),
            &|search| search.jax_integers(),
            &|search| search.chosen(0..1),
            &|search| search.drawn_again(false),
            &|search| search.chosen(1..CHOICES),
            &|search| search.inverted(),
            &|search| search.slipped(),
            &|search| search.offset(NEAR, false),
            // An element that is an ulp off is within the tolerance of a line, so that edits come first.
            &|search| search.edited(),
            &|search| search.far_keys(),
            &|search| search.linear(NEAR, Among::All),
            &|search| search.ranked(NEAR, usize::MAX),
            &|search| search.drawn_again(true),
            &|search| search.of_items(),
            &|search| search.linear(1, Among::Columns),
            &|search| search.offset(FAR, true),
            &|search| search.linear(LAYERS, Among::Layers),
        ],
    )
}

/// The streams of the seed that begin with an array. It takes a few milliseconds.
pub(super) fn begun_streams(sought: &Sought) -> Vec<Stream> {
    of_stages(
        sought,
        &[],
        &[&|search| search.at_once(), &|search| search.linear(1, Among::All)],
    )
}

/// The streams that begin with the elements of an array in another order, of which nothing is known. The array is sorted.
pub(super) fn sorted_streams(sought: &Sought) -> Vec<Stream> {
    let seen = Seen::of(sought);
    let search = Search {
        is_sorted: true,
        ..Search::new(sought, &seen, &[])
    };
    found_in(search, &[&|search| search.linear(1, Among::All)])
}

/// The streams of the seed in which an array stands after others.
pub(super) fn later_streams(sought: &Sought) -> Vec<Stream> {
    of_stages(
        sought,
        &[],
        &[
            &|search| search.offset(NEAR, false),
            &|search| search.linear(NEAR, Among::Own),
            &|search| search.linear(LAYERS, Among::Layers),
        ],
    )
}

/// Whether standard numbers of a seed's own streams begin with an array, as they are or on a line. Most normals have no reading,
/// so that their seed is found here. It takes a fraction of a millisecond.
pub(super) fn is_begun_by_numbers(sought: &Sought, seen: &Seen) -> bool {
    // Normals whose last block is drawn again are looked for at that block, which two words of each element precede.
    let reach = match seen.count() {
        n if n > 16 && !n.is_multiple_of(16) => 2 * n + 1,
        _ => 1,
    };
    let mut search = Search::new(sought, seen, &[]);
    search.linear(reach, Among::Own);
    search.found.iter().any(|it| it.is_whole() && it.is_certain())
}

/// The streams of an array of `count` elements of which those at `places` are known, as standard numbers on a line: draws from
/// bounds and of moments that are not known, such as the weights of a layer that were printed with their middle left out.
pub(super) fn streams_of_parts(sought: &Sought, places: &[usize], count: usize) -> Vec<Stream> {
    let seen = Seen::of(sought);
    let search = Search {
        places: Some(places),
        count,
        ..Search::new(sought, &seen, &[])
    };
    found_in(
        search,
        &[&|search| search.linear(1, Among::All), &|search| {
            search.linear(LAYERS, Among::Layers);
        }],
    )
}

fn of_stages(sought: &Sought, given: &[Vec<u32>], stages: &[&dyn Fn(&mut Search<'_>)]) -> Vec<Stream> {
    let seen = Seen::of(sought);
    let search = Search {
        ways: ways_of(sought, &seen),
        ..Search::new(sought, &seen, given)
    };
    found_in(search, stages)
}

fn found_in(mut search: Search<'_>, stages: &[&dyn Fn(&mut Search<'_>)]) -> Vec<Stream> {
    for stage in stages {
        stage(&mut search);
        // Further attempts would only weaken the evidence.
        if search.is_found() {
            break;
        }
    }
    let mut found: Vec<Stream> = search.found.into_iter().filter(Stream::is_certain).collect();
    found.sort_by_key(|stream| (Reverse(stream.elements), stream.parameters));
    found.dedup_by(|a, b| a.sentence == b.sentence);
    // Printed digits fit several ways to make numbers. Where one needs no place in the stream, another at a place is chance.
    let least = found.first().filter(|it| it.is_whole()).map(|it| it.parameters);
    found.retain(|it| !it.is_whole() || least.is_none_or(|least| it.parameters <= least));
    found
}

/// The ways to the elements of an array, in the known range or in those that the elements suggest.
pub(super) fn ways_of(sought: &Sought, seen: &Seen) -> Vec<Way> {
    let dtype = sought.actual.dtype();
    let mut all = ways(dtype, sought.range);
    if sought.range.is_none() {
        for range in suggested(&sought.actual) {
            all.extend(ways(dtype, Some(range)));
        }
    }
    let mut ways: Vec<Way> = Vec::new();
    for way in all {
        // Several ranges have ways in common, such as the bits of a word, which count as one attempt.
        let is_same =
            |other: &Way| std::ptr::eq(other.conversion, way.conversion) && other.scale == way.scale;
        let was_asked = sought.asked.is_some_and(|dtype| way.is_alike_in(dtype));
        if !was_asked && !ways.iter().any(is_same) && way.bits(seen) * as_f64(seen.count()) > FEWEST {
            ways.push(way);
        }
    }
    ways
}

impl<'a> Search<'a> {
    /// The search for a whole array, without ways to make its elements of words.
    fn new(sought: &'a Sought, seen: &'a Seen, given: &[Vec<u32>]) -> Self {
        Self {
            sources: sources(sought, given),
            seen,
            places: None,
            count: seen.count(),
            is_sorted: false,
            ways: Vec::new(),
            sought,
            attempts: 0.0,
            found: Vec::new(),
        }
    }
}

impl Search<'_> {
    /// The number of attempts so far, with every pair of seeds.
    fn attempts(&self) -> f64 {
        self.sought.attempts(self.attempts)
    }

    /// Whether there is a certain explanation of every element.
    fn is_found(&self) -> bool {
        self.found.iter().any(|it| it.is_followed && it.is_certain())
    }

    fn gives(&self, way: &Way, words: &[u32], from: usize) -> bool {
        let each = way.words();
        words.len() >= self.seen.count() * each
            && (from..self.seen.count()).all(|i| self.seen.is(i, way.drawn(&words[i * each..])))
    }

    /// Keeps a stream that has every element in a way. Several ways with the same elements are one answer.
    fn keep(&mut self, named: &Named, kind: &str, way: &Way, rest: &str) {
        let bits = self.whole_bits(way);
        self.keep_told(Told {
            rest: rest.to_owned(),
            is_usual: way.conversion.is_usual_with(named.name),
            ..Told::of(named, kind, way.sentence(), bits, usize::from(!kind.is_empty()))
        });
    }

    fn keep_told(&mut self, told: Told) {
        let of = self.seen.count();
        let Told {
            name,
            source,
            what,
            rest,
            is_usual,
            bits,
            parameters,
        } = told;
        let sentence = format!("{source}{what}{rest}");
        // The same words by another conversion are one answer: printed digits seldom tell two conversions apart.
        let is_tie = |other: &&mut Stream| {
            other.name == name && other.sentence.starts_with(&source) && other.parameters == parameters
        };
        if let Some(other) = self.found.iter_mut().find(is_tie) {
            other.ties += 1;
            // Where the elements do not tell two conversions apart, the one that is usual with this generator is named.
            if is_usual {
                other.sentence = sentence;
            }
            return;
        }
        let evidence = [bits, self.attempts()];
        self.found
            .push(Stream::whole(name, sentence, of, evidence, parameters));
    }

    /// The number of elements that suffice to tell their place in a stream from `places` others.
    fn telling(&self, way: &Way, places: usize) -> usize {
        let bits = EVIDENCE + as_f64(places).log2();
        let elements = (bits / way.bits(self.seen).max(1e-3)).ceil();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is at most the count"
        )]
        let elements = elements.min(as_f64(self.seen.count())) as usize;
        elements.max(1)
    }

    fn whole_bits(&self, way: &Way) -> f64 {
        way.bits(self.seen) * as_f64(self.seen.count())
    }

    /// Every conversion at the beginning of every stream.
    fn at_once(&mut self) {
        for named in self.sources.clone() {
            let widths = [1, 2].into_iter();
            for each in widths.filter(|each| named.source.each().is_none_or(|only| only == *each)) {
                let ways: Vec<Way> = self
                    .ways
                    .iter()
                    .filter(|way| way.words() == each)
                    .copied()
                    .collect();
                // Eight elements exclude nearly every way. The words of JAX's older order depend on the number of
                // elements, so that they are drawn whole.
                let short = named.source.words(0, 8 * each, each);
                let is_whole_needed = !named.source.is_sequence();
                let mut whole = None;
                for way in ways {
                    self.attempts += 1.0;
                    let few = self.seen.count().min(8);
                    let begins = is_whole_needed
                        || short.len() >= few * each
                            && (0..few).all(|i| self.seen.is(i, way.drawn(&short[i * each..])));
                    if !begins {
                        continue;
                    }
                    let words =
                        whole.get_or_insert_with(|| named.source.words(0, self.seen.count() * each, each));
                    if self.gives(&way, words, 0) {
                        self.keep(&named, "", &way, "");
                    }
                }
            }
        }
    }

    /// The numbers of items of which a program draws several numbers each, such as the corners and the flips of augmented images.
    fn of_items(&mut self) {
        const MOST: usize = 1 << 12;
        if self.seen.count() > MOST {
            return;
        }
        let every = of_items(&self.sources);
        let own = std::mem::replace(&mut self.sources, every);
        // A double that was rounded to f32 is looked for before a number of f32 that has the same digits.
        let stages: [&dyn Fn(&mut Self); 3] = [
            &|search| search.linear(1, Among::Own),
            &|search| search.at_once(),
            &|search| search.ranked(1, BOUNDS),
        ];
        for stage in stages {
            if !self.is_found() {
                stage(self);
            }
        }
        self.sources = own;
    }

    /// Slips in a generator, at the beginning of its stream.
    fn slipped(&mut self) {
        const TOLD: usize = 64;
        for named in self.sources.clone().into_iter().filter(Named::is_own) {
            for way in self.ways.clone() {
                let each = way.words();
                // Of flags a few begin as a slip by chance, and the rest of the array would be drawn for each of them.
                let telling = self.telling(&way, 1 << 15).min(TOLD);
                let begins =
                    |words: &[u32]| (0..telling).all(|i| self.seen.is(i, way.drawn(&words[i * each..])));
                let count = self.seen.count() * each;
                let mut found: Vec<(&str, String, Vec<u32>)> = Vec::new();
                let mut tried = 0;
                match named.source {
                    Source::Mt { seed, .. } => {
                        let (all, attempts) = slips(seed, telling * each, &begins);
                        tried += attempts;
                        let words = |mt: &Mt| mt.words(seed, count);
                        found.extend(
                            all.into_iter()
                                .map(|it| ("mt19937 + slip", it.sentence, words(&it.mt))),
                        );
                    }
                    Source::Philox { key, counter, .. } => {
                        for (high, sentence) in SLIPS {
                            tried += 1;
                            let source = Source::Philox { key, counter, high };
                            if begins(&source.words(0, telling * each, each)) {
                                found.push((
                                    "philox4x32-10 + product",
                                    sentence.to_owned(),
                                    source.words(0, count, each),
                                ));
                            }
                        }
                    }
                    _ => {}
                }
                self.attempts += as_f64(tried);
                for (name, slip, words) in found {
                    if self.gives(&way, &words, 0) {
                        let bits = self.whole_bits(&way);
                        self.keep_told(Told {
                            name: name.to_owned(),
                            source: format!("{}, but ", named.sentence),
                            is_usual: way.conversion.is_usual_with(named.name),
                            ..Told::of(&named, "", format!("{slip}: {}", way.sentence()), bits, 1)
                        });
                    }
                }
            }
        }
    }
}
