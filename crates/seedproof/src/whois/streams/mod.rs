//! Streams that an array stands in, whatever op it is from: at any place, by any conversion, with edits.
//!
//! What readings and mistakes do not give is looked for here, from few attempts to many: other conversions at the beginning
//! of a stream, the launch geometry of CUDA, JAX's orders, counters that blocks are inverted to, offsets, slips in a
//! generator, and edits. Every attempt is counted; an agreement counts for more than their logarithm or is no evidence.

mod edited;
mod inverted;
mod launched;

use std::cmp::Reverse;

use super::conversion::{Way, ways};
use super::generator::SLIPS;
use super::numbers::{EVIDENCE, as_f64};
use super::requests::suggested;
use super::seen::Seen;
use super::sought::Sought;
use super::source::{Named, Source, sources};
use super::twister::{Mt, slips};

/// Words of each stream in which the first elements are looked for.
const NEAR: usize = 1 << 16;
/// Words of the streams of the seed itself: a tenth of a second for all conversions.
const FAR: usize = 1 << 19;
/// Words around the place of an element in which it is looked for where the beginning is another.
const AROUND: usize = 1 << 12;
/// Elements of an array that has fewer bits than these stand in any stream somewhere.
const FEWEST: f64 = 24.0;

/// A stream that an array stands in.
#[derive(Clone, Debug, PartialEq)]
pub struct Stream {
    /// A short name: `mt19937 + words dropped`.
    pub name: String,
    /// The generator with its seed, the conversion, and what else became of the stream.
    pub sentence: String,
    /// Elements that it gives.
    pub elements: usize,
    /// Elements of the array.
    pub of: usize,
    /// Whether the whole array follows the stream, with edits that are told.
    pub is_followed: bool,
    /// Other conversions that give the same elements.
    pub ties: usize,
    /// Bits of agreement, less those that were read off from the array.
    pub bits: f64,
    /// Number of attempts until then.
    pub attempts: f64,
}

impl Stream {
    /// Whether the agreement is more than chance could give in so many attempts.
    pub fn is_certain(&self) -> bool {
        self.bits > EVIDENCE + self.attempts.max(1.0).log2()
    }

    /// Whether every element is explained.
    pub const fn is_whole(&self) -> bool {
        self.elements == self.of
    }
}

/// The search, with what was tried and found.
struct Search<'a> {
    seen: Seen,
    ways: Vec<Way>,
    sources: Vec<Named>,
    sought: &'a Sought,
    attempts: f64,
    found: Vec<Stream>,
}

/// The streams that an array stands in, those that explain most first. `given` are the words of a request that is known.
///
/// Nothing is returned for an array that has too few bits to be told from any other.
pub fn streams(sought: &Sought, given: &[Vec<u32>]) -> Vec<Stream> {
    let seen = Seen::of(sought);
    let ways = ways_of(sought, &seen);
    let mut search = Search {
        sources: sources(sought, given),
        seen,
        ways,
        sought,
        attempts: 0.0,
        found: Vec::new(),
    };
    let stages: [&dyn Fn(&mut Search<'_>); 8] = [
        &|search| search.at_once(),
        &|search| search.launched(),
        &|search| search.jax_integers(),
        &|search| search.inverted(),
        &|search| search.slipped(),
        &|search| search.offset(NEAR, false),
        &|search| search.edited(),
        &|search| search.offset(FAR, true),
    ];
    for stage in stages {
        stage(&mut search);
        // What explains every element for certain ends the search: more attempts would only weaken it.
        if search.found.iter().any(|it| it.is_followed && it.is_certain()) {
            break;
        }
    }
    let mut found: Vec<Stream> = search.found.into_iter().filter(Stream::is_certain).collect();
    found.sort_by_key(|stream| Reverse(stream.elements));
    found.dedup_by(|a, b| a.sentence == b.sentence);
    found
}

/// The ways to the elements of an array, in the range that is known or in those that the elements suggest.
pub(super) fn ways_of(sought: &Sought, seen: &Seen) -> Vec<Way> {
    let dtype = sought.actual.dtype();
    let mut all = ways(dtype, sought.range);
    if sought.range.is_none() {
        for range in suggested(&sought.actual, dtype) {
            all.extend(ways(dtype, Some(range)));
        }
    }
    let mut ways: Vec<Way> = Vec::new();
    for way in all {
        let is_same =
            |other: &Way| std::ptr::eq(other.conversion, way.conversion) && other.scale == way.scale;
        if !ways.iter().any(is_same) && way.bits(seen) * as_f64(seen.count()) > FEWEST {
            ways.push(way);
        }
    }
    ways
}

impl Search<'_> {
    fn gives(&self, way: &Way, words: &[u32], from: usize) -> bool {
        let each = way.words();
        words.len() >= self.seen.count() * each
            && (from..self.seen.count()).all(|i| self.seen.is(i, way.drawn(&words[i * each..])))
    }

    /// Keeps a stream that gives every element in a way. Several ways are one answer.
    fn keep(&mut self, named: &Named, what: &str, way: &Way, rest: &str) {
        let plus = if what.is_empty() { "" } else { " + " };
        let name = format!("{}{plus}{what}", named.name);
        let bits = self.whole_bits(way);
        self.keep_all(
            name,
            &format!("{}: ", named.sentence),
            &way.sentence(),
            rest,
            bits,
        );
    }

    fn keep_all(&mut self, name: String, source: &str, way: &str, rest: &str, bits: f64) {
        let of = self.seen.count();
        let custom = match name.split(' ').next() {
            Some("jax.random") => "JAX",
            Some("cuda-launch") => "cuRAND",
            Some("philox4x32-10") => "TensorFlow",
            _ => "PyTorch has it on a CPU",
        };
        let sentence = format!("{source}{way}{rest}");
        let is_tie = |other: &&mut Stream| other.name == name && other.sentence.starts_with(source);
        if let Some(other) = self.found.iter_mut().find(is_tie) {
            other.ties += 1;
            // Of conversions that the elements do not tell apart, the one that belongs to the generator.
            if way.contains(custom) {
                other.sentence = sentence;
            }
            return;
        }
        self.found.push(Stream {
            name,
            sentence,
            elements: of,
            of,
            is_followed: true,
            ties: 0,
            bits,
            attempts: self.attempts,
        });
    }

    /// Number of first elements that tell a place from all others of a long stream.
    fn telling(&self, way: &Way, places: usize) -> usize {
        let bits = EVIDENCE + as_f64(places).log2();
        let elements = (bits / way.bits(&self.seen).max(1e-3)).ceil();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is at most the count"
        )]
        let elements = elements.min(as_f64(self.seen.count())) as usize;
        elements.max(1)
    }

    fn whole_bits(&self, way: &Way) -> f64 {
        way.bits(&self.seen) * as_f64(self.seen.count())
    }

    /// Every conversion at the beginning of every stream.
    fn at_once(&mut self) {
        for named in self.sources.clone() {
            for each in [1, 2] {
                let ways: Vec<Way> = self
                    .ways
                    .iter()
                    .filter(|way| way.words() == each)
                    .copied()
                    .collect();
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

    /// Slips in a generator, at the beginning of its stream.
    fn slipped(&mut self) {
        for named in self.sources.clone().into_iter().filter(|named| named.is_own) {
            for way in self.ways.clone() {
                let each = way.words();
                let telling = self.telling(&way, 1 << 15).min(8);
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
                        let source = format!("{}, but ", named.sentence);
                        let slip = format!("{slip}: {}", way.sentence());
                        self.keep_all(name.to_owned(), &source, &slip, "", bits);
                    }
                }
            }
        }
    }

    /// Every conversion at every place of every stream up to `reach` words; `is_far` on, of the seed itself alone.
    fn offset(&mut self, reach: usize, is_far: bool) {
        let n = self.seen.count();
        for named in self.sources.clone() {
            if !named.source.is_sequence() || is_far && !named.is_own {
                continue;
            }
            let words = named.source.words(0, reach, 1);
            for way in self.ways.clone() {
                let each = way.words();
                let telling = self.telling(&way, reach);
                self.attempts += as_f64(reach);
                let last = words.len().saturating_sub(telling * each);
                let top = way.top(&self.seen, 0);
                let begins = |&at: &usize| {
                    top.is_none_or(|top| top.holds(words[at]))
                        && (0..telling).all(|i| self.seen.is(i, way.drawn(&words[at + i * each..])))
                };
                let Some(at) = (1..=last).find(begins) else {
                    continue;
                };
                if self.gives(&way, &named.source.words(at, n * each, each), telling) {
                    self.keep(&named, "words dropped", &way, &dropped(&named, &way, at, n));
                }
            }
            if !is_far {
                self.executed(&named);
            }
        }
    }

    /// Later executions of TensorFlow's stateful ops, each of which reserves 256 blocks for an element.
    fn executed(&mut self, named: &Named) {
        const EXECUTIONS: usize = 8;
        let Source::Philox { .. } = named.source else {
            return;
        };
        let n = self.seen.count();
        for way in self.ways.clone() {
            for execution in 1..=EXECUTIONS {
                self.attempts += 1.0;
                let Some(at) = (1024 * execution).checked_mul(n) else {
                    continue;
                };
                let each = way.words();
                let short = named.source.words(at, n.min(8) * each, each);
                if !(0..n.min(8)).all(|i| self.seen.is(i, way.drawn(&short[i * each..]))) {
                    continue;
                }
                if self.gives(&way, &named.source.words(at, n * each, each), 0) {
                    self.keep(named, "words dropped", &way, &dropped(named, &way, at, n));
                }
            }
        }
    }
}

/// What is said of a stream whose first words are dropped.
fn dropped(named: &Named, way: &Way, at: usize, count: usize) -> String {
    let each = way.words();
    let plural = if at == 1 { "word is" } else { "words are" };
    let mut what = format!("{at} {plural} dropped before the first element");
    if matches!(named.source, Source::Philox { .. }) {
        what = format!("{what} ({} blocks and {} words)", at / 4, at % 4);
        if count > 0 && at.is_multiple_of(1024 * count) {
            what = format!(
                "{what}: execution {} of an op of TensorFlow, which reserves 256 blocks for an element",
                at / (1024 * count)
            );
        }
    }
    if count > 0 && at.is_multiple_of(count * each) {
        what = format!(
            "{what}: as many as {} arrays like this one take",
            at / (count * each)
        );
    }
    format!("; {what}")
}
