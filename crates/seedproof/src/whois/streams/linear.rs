//! Standard numbers at any place of a stream, times a number and plus another one: draws from bounds or with moments that are
//! not known, and arrays that were scaled afterwards.

use std::borrow::Cow;
use std::ops::Range;

use seedproof_ops::Dtype;
use seedproof_report::plural;

use super::Search;
use super::line::{FIRST, Given, Line, apart};
use super::standard::{self, Kind, Sequence, Words};
use crate::whois::conversion::units;
use crate::whois::numbers::{EVIDENCE, as_f64};
use crate::whois::parallel::each;
use crate::whois::seen::Elements;
use crate::whois::source::{Among, Named, Source, derived_sources};

/// The most elements of an array that is looked for under JAX's keys: dozens of them draw all of it.
const LARGEST: usize = 1 << 14;
/// What makes sequences of the words of a stream.
pub(super) type Made = dyn Fn(Words<'_>) -> Vec<Sequence> + Sync;

/// What makes numbers of one kind.
pub(super) struct Maker {
    pub(super) kind: Kind,
    pub(super) make: Box<Made>,
}

impl Maker {
    fn new(kind: Kind, make: impl Fn(Words<'_>) -> Vec<Sequence> + Sync + 'static) -> Self {
        let make = Box::new(make);
        Self { kind, make }
    }

    fn normals(make: impl Fn(Words<'_>) -> Vec<Sequence> + Sync + 'static) -> Self {
        Self::new(Kind::Normal, make)
    }

    /// The conversions to numbers of the unit interval.
    fn units(dtype: Dtype) -> impl Iterator<Item = Self> {
        units(dtype).map(|conversion| Self::new(Kind::Unit, move |words| standard::units(conversion, words)))
    }
}

/// The standard numbers that programs make of a generator's words.
pub(super) fn makers(source: &Source, dtype: Dtype) -> Vec<Maker> {
    let blocks = |dtype| Maker::normals(move |words| standard::torch_blocks(words, dtype));
    let mut all: Vec<Maker> = Maker::units(dtype).collect();
    match source {
        Source::Mt { .. } => {
            all.extend([blocks(Dtype::F32), blocks(Dtype::F64)]);
            // The uniform numbers of half types have as many bits as their significands.
            all.extend(matches!(dtype, Dtype::F16 | Dtype::Bf16).then(|| blocks(dtype)));
            all.extend([
                Maker::normals(standard::torch_pairs),
                Maker::normals(standard::polar),
                Maker::normals(standard::standard_library),
                Maker::normals(standard::torch_inverted),
                Maker::new(Kind::Exponential, standard::exponentials),
            ]);
        }
        Source::Python { .. } => all.extend([
            Maker::normals(standard::gauss),
            Maker::normals(standard::normalvariate),
            Maker::new(Kind::Exponential, standard::exponentials),
        ]),
        Source::R { .. } => all.push(Maker::normals(standard::inversion)),
        Source::Numpy { .. } => all.push(Maker::normals(standard::ziggurat)),
        Source::Philox { .. } => all.push(Maker::normals(standard::tensorflow_pairs)),
        Source::Jax { .. } => all.push(Maker::normals(standard::jax_normals)),
        Source::Given(_) => {}
    }
    all
}

/// The numbers of PyTorch's layers, which begin far from the first word where other layers come before.
fn of_layers(dtype: Dtype) -> Vec<Maker> {
    let blocks = if dtype == Dtype::F64 { dtype } else { Dtype::F32 };
    let normals = Maker::normals(move |words| standard::torch_blocks(words, blocks));
    let inverted = Maker::normals(standard::torch_inverted);
    Maker::units(dtype).chain([normals, inverted]).collect()
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
            Among::Layers => {
                sources.retain(|named| named.is_own() && matches!(named.source, Source::Mt { .. }));
            }
        }
        for named in sources {
            let reach = named.reach(reach);
            if !named.is_sequence() && n > LARGEST {
                continue;
            }
            let is_whole_needed = matches!(
                named.source,
                Source::Jax {
                    is_partitionable: false,
                    ..
                }
            );
            let count = if is_whole_needed {
                n
            } else {
                given.numbers_of_few()
            };
            let words = words_of(&named, 0, reach, count);
            let makers = if among == Among::Layers {
                of_layers(dtype)
            } else {
                makers(&named.source, dtype)
            };
            let found = each(&makers, |Maker { make, .. }| {
                let of = |sequence: Sequence| {
                    let sought = match &of_blocks {
                        Some(of_blocks) if sequence.block > 1 => of_blocks.as_ref(),
                        _ => Some(&given),
                    };
                    let found = sought.and_then(|sought| self.place(sought, &sequence, reach));
                    found.map(|place| (make, sequence, place))
                };
                let sequences = make(Words { all: &words, reach });
                let attempts = sequences.iter().map(|it| 2 * it.places(reach)).sum::<usize>();
                (attempts, sequences.into_iter().filter_map(of).collect::<Vec<_>>())
            });
            for (attempts, found) in found {
                self.attempts += as_f64(attempts);
                for (make, sequence, place) in found {
                    self.keep_line(&given, &named, &**make, &sequence, &place);
                }
            }
            // All conversions of a source are tried: printed digits fit several, one of which is usual with it.
            if self.found.iter().any(|it| it.is_followed && it.is_certain()) {
                return;
            }
        }
    }

    /// The first place in a sequence at which the first elements are the standard numbers themselves, or lie on a line.
    fn place(&self, given: &Given<'_>, sequence: &Sequence, reach: usize) -> Option<Place> {
        if self.count < sequence.block {
            return None;
        }
        let (few, count) = (given.few, given.numbers_of_few());
        let numbers = &sequence.numbers;
        let needed = EVIDENCE + (self.attempts() + 2.0 * as_f64(sequence.places(reach))).log2();
        let fits =
            |at: usize, line: Line| (0..few).all(|i| given.is_on(line, i, given.number(&numbers[at..], i)));
        let places = (0..sequence.places(reach)).map(|place| place * sequence.block);
        let identity = given.identity(sequence.kind);
        let apart = apart(given.dtype, sequence.kind.is_exact());
        let probe = (0..few).find(|i| ![given.least, given.most].contains(i));
        for at in places.take_while(|at| at + count <= numbers.len()) {
            let through = &numbers[at..];
            let may_pass = probe.is_none_or(|probe| given.may_pass(through, probe, apart));
            let line = may_pass.then(|| given.line(through, sequence.kind)).flatten();
            let line = [identity, line]
                .into_iter()
                .flatten()
                .find(|&line| fits(at, line) && given.bits_on(self.seen, line, few) > needed);
            if let Some(line) = line {
                let (word, after) = sequence.place(at);
                return Some(Place { word, after, line });
            }
        }
        None
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
        let numbers = from(word, n);
        let is_right = if is_redrawn {
            is_on(0..n - 16, &numbers) && is_on(n - 16..n, &from(word + n * each, 16))
        } else {
            numbers.len() >= after && is_on(0..n, &numbers[after..])
        };
        if !is_right {
            return;
        }
        let mut rest = given.describe(line, sequence.kind);
        rest.push_str(&dropped(word, after));
        let bits = given.bits_on(self.seen, line, given.ends.len());
        let is_later = word + after > 0;
        let is_scaled = line.is_computed && !given.is_unit(line);
        let kind = match (is_scaled, is_later) {
            (true, _) => " + scaled",
            (false, true) => " + words dropped",
            (false, false) => "",
        };
        let parameters = usize::from(is_later) + if is_scaled { 2 } else { 0 };
        self.keep_all(
            format!("{}{kind}", named.name),
            &format!("{}: ", named.sentence),
            &sequence.what,
            &rest,
            (bits, parameters),
        );
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
pub(super) fn dropped(word: usize, after: usize) -> String {
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

/// How many words these are. A number takes four at most, and a block of torch's 32. JAX's are one each, and in the original
/// order they depend on how many there are.
pub(super) fn length(named: &Named, reach: usize, count: usize) -> usize {
    if named.is_sequence() {
        reach + 4 * (count + FIRST)
    } else {
        count
    }
}
