//! Standard numbers at any place of a stream, times a number and plus another one: draws from bounds or with moments that are
//! not known, and arrays that were scaled afterwards.

use std::borrow::Cow;
use std::ops::Range;

use seedproof_ops::{Dtype, each};
use seedproof_report::plural;

use super::inverses;
use super::line::{FIRST, Given, Line, apart};
use super::standard::{self, Kind, Sequence, Words, first_alone};
use super::ziggurat::{ziggurat, ziggurat_exponentials};
use super::{Search, Told};
use crate::whois::conversion::{Conversion, units};
use crate::whois::numbers::{EVIDENCE, as_f64, orders};
use crate::whois::seen::Elements;
use crate::whois::source::{Named, Source};
use crate::whois::sources::{Among, derived_sources};

/// The places that are tested at once.
const AT_ONCE: usize = 64;
/// What makes sequences of the words of a stream.
pub(super) type Made = dyn Fn(Words<'_>) -> Vec<Sequence> + Sync;

/// The most by which the numbers of two conversions differ that are looked for together.
pub(super) const ALIKE: f64 = 1.0 / (1 << 20) as f64;

/// What makes numbers of one kind.
pub(super) struct Maker {
    pub(super) kind: Kind,
    pub(super) make: Box<Made>,
    /// The first of several conversions whose numbers are [`ALIKE`], and how many there are. Where an array does not follow its
    /// numbers nearly, it follows those of none.
    first: Option<(Box<Made>, usize)>,
}

impl Maker {
    fn new(kind: Kind, make: impl Fn(Words<'_>) -> Vec<Sequence> + Sync + 'static) -> Self {
        let make = Box::new(make);
        Self {
            kind,
            make,
            first: None,
        }
    }

    fn normals(make: impl Fn(Words<'_>) -> Vec<Sequence> + Sync + 'static) -> Self {
        Self::new(Kind::Normal, make)
    }

    /// The conversions to numbers of the unit interval, of this number of words if it is given.
    fn units(dtype: Dtype, each: Option<usize>) -> impl Iterator<Item = Self> {
        let mut alike: Vec<Vec<&'static Conversion>> = Vec::new();
        let all = units(dtype).filter(|it| each.is_none_or(|each| it.words == each));
        for conversion in all {
            match alike.iter_mut().find(|them| them[0].is_near(conversion, ALIKE)) {
                Some(them) => them.push(conversion),
                None => alike.push(vec![conversion]),
            }
        }
        alike.into_iter().map(|them| {
            let (lead, count) = (them[0], them.len());
            let make =
                move |words: Words<'_>| them.iter().flat_map(|it| standard::units(it, words)).collect();
            let first: Box<Made> = Box::new(move |words| standard::units(lead, words));
            Self {
                first: (count > 1).then_some((first, count)),
                ..Self::new(Kind::Unit, make)
            }
        })
    }

    /// The sequences of these words that an array may follow before the word `reach`, and the number of places at which it may
    /// begin in all that were looked at. `may_hold` is asked whether it may follow the numbers to within [`ALIKE`].
    pub(super) fn sequences(
        &self,
        words: Words<'_>,
        reach: usize,
        may_hold: impl Fn(&Sequence) -> bool,
    ) -> (usize, Vec<Sequence>) {
        let places = |all: &[Sequence]| all.iter().map(|it| it.places(reach)).sum::<usize>();
        if let Some((first, count)) = &self.first {
            let first = first(words);
            if !first.iter().any(may_hold) {
                return (count * places(&first), Vec::new());
            }
        }
        let all = (self.make)(words);
        (places(&all), all)
    }
}

/// The standard numbers that programs make of a generator's words.
pub(super) fn makers(source: &Source, dtype: Dtype) -> Vec<Maker> {
    let blocks = |dtype| Maker::normals(move |words| standard::torch_blocks(words, dtype));
    let mut all: Vec<Maker> = Maker::units(dtype, source.each()).collect();
    match source {
        Source::Mt { .. } => {
            all.extend([blocks(Dtype::F32), blocks(Dtype::F64)]);
            // The uniform numbers of half types have as many bits as their significands.
            all.extend(matches!(dtype, Dtype::F16 | Dtype::Bf16).then(|| blocks(dtype)));
            all.extend([
                Maker::normals(standard::torch_pairs),
                Maker::normals(standard::polar),
                Maker::normals(standard::standard_library),
                Maker::normals(inverses::torch_inverted),
                Maker::new(Kind::Exponential, standard::exponentials),
                Maker::new(Kind::Exponential, inverses::legacy_inverted),
            ]);
        }
        Source::Python { .. } => all.extend([
            Maker::normals(standard::gauss),
            Maker::normals(standard::normalvariate),
            Maker::new(Kind::Exponential, standard::exponentials),
        ]),
        Source::R { .. } => all.push(Maker::normals(inverses::inversion)),
        Source::Numpy { .. } => all.extend([
            Maker::normals(ziggurat),
            Maker::new(Kind::Exponential, ziggurat_exponentials),
            Maker::new(Kind::Exponential, inverses::generator_inverted),
        ]),
        Source::Philox { .. } => all.extend([
            Maker::normals(standard::tensorflow_pairs),
            Maker::normals(standard::tensorflow_doubles),
        ]),
        Source::Jax { .. } | Source::JaxRows { .. } | Source::Pairs(_) => {
            let each = source.each().unwrap_or(1);
            all.extend([
                Maker::normals(move |words| inverses::jax_normals(words, each)),
                Maker::new(Kind::Exponential, move |words| {
                    inverses::jax_inverted(words, each)
                }),
            ]);
        }
        Source::Every { .. } | Source::Triton { .. } | Source::Given(_) => {}
    }
    all
}

/// The numbers of PyTorch's layers, which begin far from the first word where other layers come before.
fn of_layers(dtype: Dtype) -> Vec<Maker> {
    let blocks = if dtype == Dtype::F64 { dtype } else { Dtype::F32 };
    let normals = Maker::normals(move |words| standard::torch_blocks(words, blocks));
    let inverted = Maker::normals(inverses::torch_inverted);
    Maker::units(dtype, None).chain([normals, inverted]).collect()
}

/// The numbers in each column of a table of up to eight, as a program fills it that keeps one of them. Uniform numbers in columns are
/// looked for among the words of items.
fn of_columns(source: &Source, dtype: Dtype) -> Vec<Maker> {
    /// The most columns.
    const COLUMNS: usize = 8;
    let of = |columns: usize| {
        let normals = makers(source, dtype)
            .into_iter()
            .filter(|it| it.kind != Kind::Unit);
        normals.map(move |Maker { kind, make, .. }| {
            let source = source.clone();
            Maker::new(kind, move |words| {
                // The words that were drawn suffice for one column, and are not those of the others. To draw them here keeps the
                // search by columns out of every other one.
                let all = source.words(0, columns * words.all.len(), 1);
                let whole = make(Words { all: &all, reach: 1 });
                whole.iter().flat_map(|it| it.columns(columns)).collect()
            })
        })
    };
    (2..=COLUMNS).flat_map(of).collect()
}

/// A place in a sequence at which the first elements lie on a line.
struct Place {
    /// The word with which the number begins.
    word: usize,
    /// The numbers of that word before the first element: 1 for the second one of a pair.
    after: usize,
    line: Line,
}

impl Search<'_> {
    /// Looks for the array among standard numbers, as they are and on a line, where it begins before a word of a stream.
    pub(super) fn linear(&mut self, reach: usize, among: Among) {
        let dtype = self.seen.dtype;
        let Elements::Floats(ends) = &self.seen.elements else {
            return;
        };
        let n = self.count;
        let places = self
            .places
            .map_or_else(|| Cow::Owned((0..n).collect()), Cow::Borrowed);
        let Some(given) = Given::of(ends, places, dtype) else {
            return;
        };
        let given = Given {
            range: self.sought.range.map(|(low, high)| [low.to_f64(), high.to_f64()]),
            ..given
        };
        // Elements with one digit fit every line, so they prove nothing.
        let flat = Line {
            times: 0.0,
            plus: 0.0,
            is_computed: false,
            apart: apart(dtype, true),
        };
        if given.bits_on(self.seen, flat, ends.len()) < EVIDENCE {
            return;
        }
        // PyTorch draws the last block of such an array again, after the others. It is the one block that is certainly whole. Of
        // an array that is known in parts it has too few elements, so that the others are looked for.
        let is_redrawn = n > 16 && !n.is_multiple_of(16);
        let of_blocks = is_redrawn.then(|| match self.places {
            None => Given::of(&ends[n - 16..], Cow::Owned((0..16).collect()), dtype),
            Some(places) => {
                let before = places.partition_point(|place| place + 16 < n);
                Given::of(&ends[..before], Cow::Borrowed(&places[..before]), dtype)
            }
        });
        let mut sources = self.sources.clone();
        match among {
            Among::Own => sources.retain(Named::is_own),
            Among::All => sources.extend(derived_sources(self.sought)),
            // Where words depend on how many there are, the other columns would have to be known.
            Among::Columns => {
                sources.extend(derived_sources(self.sought));
                sources.retain(|named| named.is_own() && named.source.is_sequence());
            }
            Among::Layers => {
                sources.retain(|named| named.is_own() && matches!(named.source, Source::Mt { .. }));
            }
        }
        // JAX draws other words for numbers of 64 bits, so that each of its keys is a second stream.
        if dtype == Dtype::F64 {
            let wide = sources.iter().filter(|it| !it.is_sequence()).map(Named::in_pairs);
            sources.extend(wide.collect::<Vec<_>>());
        }
        for named in sources {
            let reach = named.reach(reach);
            let few = if self.is_sorted { n } else { given.numbers_of_few() };
            let beginning = named.source.beginning(n, few);
            let words = beginning.unwrap_or_else(|| words_of(&named, 0, reach, few));
            let makers = match among {
                Among::Layers => of_layers(dtype),
                Among::Columns => of_columns(&named.source, dtype),
                Among::Own | Among::All => makers(&named.source, dtype),
            };
            let found = each(&makers, |maker| {
                let may_hold = |it: &Sequence| {
                    let it = self.ordered(Cow::Borrowed(it));
                    self.lines(&given, &it, reach, 4.0 * ALIKE).next().is_some()
                };
                let (places, sequences) = maker.sequences(Words { all: &words, reach }, reach, may_hold);
                let sequences = sequences
                    .into_iter()
                    .map(|it| self.ordered(Cow::Owned(it)).into_owned());
                let of = |sequence: Sequence| {
                    let sought = match &of_blocks {
                        Some(of_blocks) if sequence.block > 1 => of_blocks.as_ref(),
                        _ => Some(&given),
                    };
                    let found = sought.and_then(|sought| self.place(sought, &sequence, reach));
                    found.map(|place| (&maker.make, sequence, place))
                };
                (2 * places, sequences.filter_map(of).collect::<Vec<_>>())
            });
            for (attempts, found) in found {
                self.attempts += as_f64(attempts);
                for (make, sequence, place) in found {
                    self.keep_line(&given, &named, &**make, &sequence, &place);
                }
            }
            // All conversions of a source are tried: printed digits fit several, one of which is usual with it.
            if self.is_found() {
                return;
            }
        }
    }

    /// A sequence in the order in which it is compared with the array.
    fn ordered<'s>(&self, sequence: Cow<'s, Sequence>) -> Cow<'s, Sequence> {
        if !self.is_sorted {
            return sequence;
        }
        let mut numbers: Vec<f64> = sequence.numbers.iter().take(self.count).copied().collect();
        numbers.sort_unstable_by(f64::total_cmp);
        Cow::Owned(Sequence {
            what: sequence.what.clone(),
            conversion: sequence.conversion,
            words: first_alone(numbers.len()),
            numbers,
            block: 1,
            kind: sequence.kind,
        })
    }

    /// The first place in a sequence at which the first elements are the standard numbers themselves, or lie on a line.
    fn place(&self, given: &Given<'_>, sequence: &Sequence, reach: usize) -> Option<Place> {
        let needed =
            EVIDENCE + self.orders() + (self.attempts() + 2.0 * as_f64(sequence.places(reach))).log2();
        let counted = if self.is_sorted {
            given.ends.len()
        } else {
            given.few
        };
        let is_enough = |line| given.bits_on(self.seen, line, counted) > needed;
        let mut lines = self.lines(given, sequence, reach, 0.0);
        let (at, line) = lines.find(|(_, line)| is_enough(*line))?;
        let (word, after) = sequence.place(at);
        Some(Place { word, after, line })
    }

    /// The places in a sequence at which the first elements are the standard numbers themselves, or lie on a line. The numbers
    /// may be off by a share `more` beside the usual one.
    fn lines(
        &self,
        given: &Given<'_>,
        sequence: &Sequence,
        reach: usize,
        more: f64,
    ) -> impl Iterator<Item = (usize, Line)> {
        let (few, count) = (given.few, given.numbers_of_few());
        let (numbers, block) = (&sequence.numbers[..], sequence.block);
        let apart = apart(given.dtype, sequence.kind.is_exact()) + more;
        let ends = numbers
            .len()
            .checked_sub(count)
            .map_or(0, |last| last / block + 1);
        let places = if self.count < block {
            0
        } else {
            sequence.places(reach).min(ends)
        };
        let known = given.known(sequence.kind);
        let lines = move |at: usize| {
            let line = given.line(&numbers[at..], sequence.kind, apart);
            let is_on = move |line, i| given.is_on(line, i, given.number(&numbers[at..], i));
            let lines = [known, line].into_iter().flatten();
            let on = lines.filter(move |&line| (0..few).all(|i| is_on(line, i)));
            on.map(move |line| (at, line))
        };
        let probe = given.probe(apart);
        let may_pass = move |place: usize| {
            probe.is_none_or(|it| it.may_pass(it.places.map(|i| numbers[place * block + i])))
        };
        // Hardly any place passes. The compiler tests several of them at once where they need no end and no bounds.
        let may_any_pass = move |among: &Range<usize>| {
            let Some(probe) = probe.filter(|_| block == 1) else {
                return true;
            };
            let [least, most, at] = probe.places.map(|i| &numbers[i..][among.clone()]);
            let ends = least.iter().zip(most);
            ends.zip(at).fold(false, |any, ((&least, &most), &at)| {
                any | probe.may_pass([least, most, at])
            })
        };
        let all = (0..places)
            .step_by(AT_ONCE)
            .map(move |from| from..places.min(from + AT_ONCE));
        let passing = all
            .filter(may_any_pass)
            .flatten()
            .filter(move |&place| may_pass(place));
        passing.flat_map(move |place| lines(place * block))
    }

    /// The bits of the order in which the elements were drawn, where it is not known.
    fn orders(&self) -> f64 {
        if self.is_sorted {
            orders(self.count, self.count)
        } else {
            0.0
        }
    }

    /// Compares the whole array, and keeps it if it lies on the line.
    fn keep_line(
        &mut self,
        given: &Given<'_>,
        named: &Named,
        make: &Made,
        sequence: &Sequence,
        place: &Place,
    ) {
        let n = self.count;
        let Place { word, after, line } = *place;
        let from = |word: usize, count: usize| remade(named, make, sequence, word, count);
        // The elements whose places are among these, of which the numbers are those from the first one on.
        let is_on = |among: Range<usize>, numbers: &[f64]| {
            let ends = [among.start, among.end].map(|end| given.places.partition_point(|place| *place < end));
            (ends[0]..ends[1]).all(|i| {
                let number = numbers.get(given.places[i] - among.start);
                number.is_some_and(|&number| given.is_on(line, i, number))
            })
        };
        // The place of a whole array whose last block is drawn again is that of the block.
        let is_redrawn = sequence.is_redrawn(n);
        let each = sequence.each();
        let before = if is_redrawn && self.places.is_none() {
            n * each
        } else {
            0
        };
        let Some(word) = word.checked_sub(before) else {
            return;
        };
        let mut numbers = from(word, n);
        if self.is_sorted {
            numbers.truncate(n);
            numbers.sort_unstable_by(f64::total_cmp);
        }
        let (first, is_right) = if is_redrawn {
            let first = &numbers[..numbers.len().min(n - 16)];
            let is_last = || is_on(n - 16..n, &from(word + n * each, 16));
            (first, is_on(0..n - 16, first) && is_last())
        } else {
            let first = numbers.get(after..).unwrap_or_default();
            (first, is_on(0..n, first))
        };
        if !is_right {
            return;
        }
        let mut rest = given.describe(line, sequence.kind, first);
        rest.push_str(&dropped(word, after));
        let bits = given.bits_on(self.seen, line, given.ends.len()) - self.orders();
        let is_later = word + after > 0;
        let is_scaled = line.is_computed && !given.is_unit(line);
        let kind = match (is_scaled, is_later) {
            (true, _) => " + scaled",
            (false, true) => " + words dropped",
            (false, false) => "",
        };
        let parameters = usize::from(is_later) + if is_scaled { 2 } else { 0 };
        self.keep_told(Told {
            is_usual: sequence.is_usual_with(named.name),
            rest,
            ..Told::of(named, kind, sequence.what.clone(), bits, parameters)
        });
    }
}

/// The numbers of a sequence from a word on.
pub(super) fn remade(named: &Named, make: &Made, sequence: &Sequence, word: usize, count: usize) -> Vec<f64> {
    // The first sequence of this kind begins with the first of these words.
    let words = words_of(named, word, 0, count);
    let all = make(Words {
        all: &words,
        reach: 1,
    });
    all.into_iter()
        .find(|it| it.what == sequence.what)
        .map_or_else(Vec::new, |it| it.numbers)
}

/// The end of a sentence about an array that begins at a later place of a sequence.
pub(in crate::whois) fn dropped(word: usize, after: usize) -> String {
    let words = plural(word, ["word is", "words are"]);
    let pair = if after > 0 {
        ", and the first of a pair"
    } else {
        ""
    };
    if word + after == 0 {
        String::new()
    } else {
        format!("; {word} {words} dropped before the first element{pair}")
    }
}

/// The words for numbers that begin at a place of a stream or up to `reach` words later.
pub(super) fn words_of(named: &Named, word: usize, reach: usize, count: usize) -> Vec<u32> {
    let from = if named.is_sequence() { word } else { 0 };
    named.source.words(from, length(named, reach, count), 1)
}

/// How many words these are. A number takes four at most, and a block of torch's 32. JAX's are one each, or two in f64, and in
/// the original order they depend on how many there are.
pub(super) fn length(named: &Named, reach: usize, count: usize) -> usize {
    if named.is_sequence() {
        reach + 4 * (count + FIRST)
    } else {
        count * named.source.each().unwrap_or(1)
    }
}
