//! Standard numbers at any place of a stream, times a number and plus another one: draws from bounds or with moments that are
//! not known, and arrays that were scaled afterwards.

use std::borrow::Cow;
use std::ops::Range;

use seedproof_ops::Dtype;
use seedproof_report::plural;

use super::Search;
use super::standard::{self, Kind, Sequence, Words};
use crate::whois::conversion::units;
use crate::whois::numbers::{EVIDENCE, as_f64};
use crate::whois::parallel::each;
use crate::whois::seen::{Elements, Seen};
use crate::whois::source::{Among, Named, Source, derived_sources};

/// The most elements of an array that is looked for under JAX's keys: dozens of them draw all of it.
const LARGEST: usize = 1 << 14;
/// The elements that are compared before an array is compared whole.
const FIRST: usize = 64;
/// The same of an array that is known in parts, where they are mostly those of the first three rows.
const FIRST_ROWS: usize = 18;
/// The numbers among which these are, of an array that is known in parts. With more, each stream would take longer to draw
/// than all that is compared.
const HORIZON: usize = 1 << 16;
/// The elements among which the least and the greatest one give the line.
const ENDS: usize = 16;

/// A line through standard numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Line {
    times: f64,
    plus: f64,
    /// Whether it was computed from two elements, whose tolerances then move it.
    is_computed: bool,
    /// The share of a number by which programs differ in its last places.
    apart: f64,
}

/// The elements of an array that are known, and the two that are farthest apart among the first ones.
struct Given<'a> {
    ends: &'a [[f64; 2]],
    /// The places of the elements in the array.
    places: Cow<'a, [usize]>,
    least: usize,
    most: usize,
    dtype: Dtype,
    /// The elements that are compared before the array is compared whole.
    few: usize,
}

impl<'a> Given<'a> {
    /// `None` for an array of one value.
    fn of(ends: &'a [[f64; 2]], places: Cow<'a, [usize]>, dtype: Dtype) -> Option<Self> {
        let is_whole = places.len() == places.last().map_or(0, |last| last + 1);
        let few = places.partition_point(|place| *place < HORIZON);
        let few = few.min(if is_whole { FIRST } else { FIRST_ROWS });
        let middle = |index: &usize| f64::midpoint(ends[*index][0], ends[*index][1]);
        let by = |a: &usize, b: &usize| middle(a).total_cmp(&middle(b));
        let among = 0..ENDS.min(few);
        let (least, most) = among.clone().min_by(by).zip(among.max_by(by))?;
        (middle(&least) < middle(&most)).then_some(Self {
            ends,
            places,
            least,
            most,
            dtype,
            few,
        })
    }

    /// The number that an element has, where the array begins with the first of these numbers.
    fn number(&self, numbers: &[f64], index: usize) -> f64 {
        numbers[self.places[index]]
    }

    /// The numbers among which the first elements are.
    fn numbers_of_few(&self) -> usize {
        self.places[..self.few].last().map_or(0, |last| last + 1)
    }

    fn middle(&self, index: usize) -> f64 {
        f64::midpoint(self.ends[index][0], self.ends[index][1])
    }

    fn half(&self, index: usize) -> f64 {
        (self.ends[index][1] - self.ends[index][0]) / 2.0
    }

    fn spread(&self) -> f64 {
        self.middle(self.most) - self.middle(self.least)
    }

    /// The line through the two elements that are farthest apart. Numbers that are close together decide for none: every
    /// array lies on a steep line, as far as its tolerances go.
    fn line(&self, numbers: &[f64], kind: Kind) -> Option<Line> {
        let [least, most] = [self.least, self.most].map(|end| self.number(numbers, end));
        let between = most - least;
        let times = self.spread() / between;
        let plus = self.middle(self.least) - times * least;
        (between > kind.width() / 16.0).then_some(Line {
            times,
            plus,
            is_computed: true,
            apart: apart(self.dtype, kind.is_exact()),
        })
    }

    /// The numbers themselves. Those that every program computes alike were compared exactly before.
    fn identity(&self, kind: Kind) -> Option<Line> {
        (!kind.is_exact()).then(|| Line {
            times: 1.0,
            plus: 0.0,
            is_computed: false,
            apart: apart(self.dtype, false),
        })
    }

    /// Whether an element lies on the line.
    fn is_on(&self, line: Line, index: usize, number: f64) -> bool {
        let value = number.mul_add(line.times, line.plus);
        let size = value.abs().max(line.plus.abs()).max(line.times);
        let mut tolerance = self.half(index) + line.apart * size;
        if line.is_computed {
            let [low, high] = [self.middle(self.least), self.middle(self.most)];
            let beyond = 1.0 + (low - value).max(value - high).max(0.0) / self.spread();
            tolerance += beyond * self.moved(line);
        }
        (value - self.middle(index)).abs() <= tolerance
    }

    /// Whether the line through the two elements that are farthest apart may pass the element `probe`, by a tolerance that is at
    /// least that of [`Self::is_on`]. Without a branch it excludes nearly every place of a stream, of which there are millions.
    fn may_pass(&self, numbers: &[f64], probe: usize, apart: f64) -> bool {
        let [low, high] = [self.middle(self.least), self.middle(self.most)];
        let from = self.number(numbers, self.least);
        let times = (high - low) / (self.number(numbers, self.most) - from);
        let value = low + times * (self.number(numbers, probe) - from);
        let sizes = low.abs() + high.abs() + times * (1.0 + from.abs());
        let moved = self.half(self.least) + self.half(self.most) + apart * sizes;
        let beyond = (low - value).max(value - high).max(0.0) / self.spread();
        let tolerance = self.half(probe) + apart * (value.abs() + sizes) + (1.0 + beyond) * moved;
        // Rounding in another order is far below the share by which programs differ.
        (value - self.middle(probe)).abs() <= tolerance * (1.0 + 1e-9)
    }

    /// The most by which the tolerances of its two end points shift the line.
    fn moved(&self, line: Line) -> f64 {
        let size = self
            .middle(self.least)
            .abs()
            .max(self.middle(self.most).abs())
            .max(line.times);
        self.half(self.least).max(self.half(self.most)) + line.apart * size
    }

    /// Whether the numbers of the line are those of the stream, as far as the elements tell. The streams of seeds that a
    /// framework makes are not compared exactly before.
    fn is_unit(&self, line: Line) -> bool {
        let moved = 2.0 * self.moved(line);
        line.plus.abs() <= moved && (line.times - 1.0).abs() <= moved
    }

    /// The evidence in elements on a line. Those that the line was computed from have none.
    fn bits_on(&self, seen: &Seen, line: Line, count: usize) -> f64 {
        let spread = self.spread();
        // An element has its own tolerance and those of the ends, to both sides.
        let each = (spread / (4.0 * self.moved(line))).log2().max(0.0);
        seen.bits(spread, each) * as_f64(count.saturating_sub(if line.is_computed { 2 } else { 0 }))
    }

    /// The line in words.
    fn describe(&self, line: Line, kind: Kind) -> String {
        if !line.is_computed {
            return String::new();
        }
        let moved = self.moved(line);
        let short = |value: f64| short(value, 2.0 * moved);
        if kind.is_exact() {
            if self.is_unit(line) {
                return String::new();
            }
            let [low, high] = [line.plus, line.plus + line.times];
            return format!(", in [{}, {}){}", short(low), short(high), root(high, moved));
        }
        let plus = match line.plus {
            plus if plus.abs() <= 2.0 * moved => String::new(),
            plus => format!(", plus {}", short(plus)),
        };
        format!(", times {}{}{plus}", short(line.times), root(line.times, moved))
    }
}

/// The decimal with the fewest digits that is within the tolerance of a number.
pub(super) fn short(value: f64, tolerance: f64) -> String {
    let near = |digits: usize| {
        let text = format!("{value:.digits$e}");
        let rounded: f64 = text.parse().ok()?;
        ((rounded - value).abs() <= tolerance).then_some(rounded)
    };
    let rounded = if value.abs() <= tolerance {
        0.0
    } else {
        (0..17).find_map(near).unwrap_or(value)
    };
    rounded.to_string()
}

/// What a number is the root of, where it is that of a small number over a whole one: initializers of layers divide by the
/// number of inputs.
fn root(value: f64, moved: f64) -> String {
    /// How near to a whole number is near: one in a hundred numbers is, by chance, for one of the four numerators.
    const NEAR: f64 = 1.0 / 512.0;
    let of = |over: &u32| {
        let below = f64::from(*over) / (value * value);
        let whole = below.round();
        // A number that is known to few digits is near to the root of some fraction in any case.
        let error = 4.0 * moved / value * below;
        (error < NEAR && (below - whole).abs() <= error && whole >= 2.0)
            .then(|| format!(", which is the root of {over}/{whole}"))
    };
    // 0.25 is plainer than the root of 1/16.
    if short(value, 2.0 * moved).len() <= 6 {
        String::new()
    } else {
        [1, 2, 3, 6].iter().find_map(of).unwrap_or_default()
    }
}

/// The line on which the first elements of an array lie over these numbers, which are normals, in words, and its evidence in
/// bits. `None` where they do not lie on one.
pub(in crate::whois) fn line_over(seen: &Seen, normals: &[f64]) -> Option<(String, f64)> {
    let Elements::Floats(ends) = &seen.elements else {
        return None;
    };
    let places = Cow::Owned((0..normals.len()).collect());
    let given = Given::of(ends.get(..normals.len())?, places, seen.dtype)?;
    let line = given.line(normals, Kind::Normal)?;
    let is_on = (0..normals.len()).all(|i| given.is_on(line, i, normals[i]));
    is_on.then(|| {
        (
            given.describe(line, Kind::Normal),
            given.bits_on(seen, line, normals.len()),
        )
    })
}

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

/// The share of a number by which programs differ in its last places: a few roundings and, where they are not exact, other
/// elementary functions.
fn apart(dtype: Dtype, is_exact: bool) -> f64 {
    let functions = if is_exact { 0 } else { 3 };
    2.0_f64.powi(match dtype {
        Dtype::F16 => functions - 10,
        Dtype::Bf16 => functions - 7,
        // The inverse error function of XLA is off by 3e-6 in its tails.
        Dtype::F32 => functions - 21,
        _ => 2 * functions - 50,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test before a line is only worth its place if it never excludes what the line itself would accept.
    #[test]
    fn what_lies_on_a_line_may_pass() {
        let mut state = 7_u64;
        let mut unit = || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            as_f64(usize::try_from(state >> 44).unwrap()) / f64::from(1 << 20)
        };
        let (mut on, mut excluded) = (0, 0);
        for round in 0..20_000 {
            let half = [0.0, 1e-6, 1e-3, 0.05][round % 4];
            let (times, plus) = (1e3 * unit(), 1e3 * unit() - 500.0);
            let numbers: [f64; 3] = std::array::from_fn(|_| 4.0 * unit() - 2.0);
            let stray = [0.0, 0.5, 1.0, 2.0, 1e3][round % 5];
            let ends = numbers.map(|number| {
                let middle = number.mul_add(times, plus) + stray * half * (2.0 * unit() - 1.0);
                [middle - half, middle + half]
            });
            let Some(given) = Given::of(&ends, Cow::Borrowed(&[0, 1, 2]), Dtype::F32) else {
                continue;
            };
            let kind = [Kind::Unit, Kind::Normal, Kind::Exponential][round % 3];
            let probe = (0..3).find(|i| ![given.least, given.most].contains(i)).unwrap();
            let may_pass = given.may_pass(&numbers, probe, apart(Dtype::F32, kind.is_exact()));
            if let Some(line) = given.line(&numbers, kind) {
                let is_on = given.is_on(line, probe, numbers[probe]);
                assert!(!is_on || may_pass, "{numbers:?} {ends:?}");
                on += usize::from(is_on);
                excluded += usize::from(!may_pass);
            }
        }
        assert!(on > 1000 && excluded > 1000, "{on} {excluded}");
    }
}
