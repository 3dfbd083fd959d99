//! Arrays in the order of standard numbers: masks of a probability that is not known, choices by weights, and every other
//! function of a number that never falls or never grows.
//!
//! Only the order of the elements is compared, so that no parameter of the function has to be known. The evidence is that
//! of an order: `n` different elements have `n!`, and `n` zeros and ones the number of ways to choose the ones.

use std::array;

use seedproof_ops::{Dtype, Scalar, each};

use super::line::short;
use super::linear::{ALIKE, Made, dropped, length, makers, remade, words_of};
use super::standard::{Kind, Sequence, Words};
use super::{BOUNDS, Search, Told};
use crate::whois::numbers::{EVIDENCE, as_f64};
use crate::whois::source::Named;
use crate::whois::sources::derived_sources;

/// How much lower than a number the one after it may be: functions in f32 are not monotone in their last places.
const APART: f64 = 1e-6;
/// The most elements of an array that is looked for: dozens of keys draw all of it.
const MAX_ELEMENTS: usize = 1 << 17;
/// The most elements of an array of which normals are drawn up to the block that is drawn again.
const MAX_REDRAWN: usize = 1 << 12;
/// The fewest elements that are compared at every place.
const MIN_COMPARED: usize = 16;
/// The number of words before which an array of other than uniform numbers is looked for.
const NORMALS: usize = 1 << 10;

/// Elements in groups, whose numbers are to lie one group above the other.
pub(super) struct Groups {
    /// For each element its group, from the lowest one.
    of: Vec<usize>,
    /// The elements in the order in which they are compared: one of each group, and then the second of each. Two elements
    /// of groups side by side exclude half of the places, where those of one group exclude none.
    order: Vec<usize>,
    count: usize,
    /// The logarithm of the number of ways to deal the elements out to the groups.
    bits: f64,
}

impl Groups {
    pub(super) fn of(keys: &[f64]) -> Self {
        let mut values = keys.to_vec();
        values.sort_by(f64::total_cmp);
        values.dedup();
        let group = |key: &f64| values.partition_point(|value| value < key);
        let of: Vec<usize> = keys.iter().map(group).collect();
        let mut sizes = vec![0_usize; values.len()];
        let mut bits = 0.0;
        let mut order = Vec::new();
        for (i, &group) in of.iter().enumerate() {
            sizes[group] += 1;
            bits += (as_f64(i + 1) / as_f64(sizes[group])).log2();
            order.push((sizes[group], group, i));
        }
        order.sort_unstable();
        Self {
            of,
            order: order.into_iter().map(|(.., i)| i).collect(),
            count: values.len(),
            bits,
        }
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Whether the numbers of each group lie above those of the group below. `ends` are the least and the greatest number
    /// of each group, and are written: their room is kept because this is asked at every place of a stream.
    /// Numbers that are `apart` may be in either order.
    pub(super) fn are_apart(
        &self,
        number: impl Fn(usize) -> f64,
        apart: f64,
        ends: &mut Vec<[f64; 2]>,
    ) -> bool {
        ends.clear();
        ends.resize(self.count, [f64::INFINITY, f64::NEG_INFINITY]);
        self.order.iter().all(|&i| {
            let group = self.of[i];
            let number = number(i);
            let [low, high] = ends[group];
            let [low, high] = [low.min(number), high.max(number)];
            ends[group] = [low, high];
            (group == 0 || ends[group - 1][1] - apart < low)
                && ends.get(group + 1).is_none_or(|above| high < above[0] + apart)
        })
    }
}

/// The groups of the whole array, and of a beginning that has bits enough to place it in a stream.
struct Ranked {
    /// How the elements of each group are printed.
    values: Vec<String>,
    first: Groups,
    whole: Groups,
}

impl Ranked {
    /// `None` for an array of too few bits to be told from chance.
    fn of(keys: &[f64], needed: f64, value: impl Fn(usize) -> String) -> Option<Self> {
        let whole = Groups::of(keys);
        let is_enough = |groups: &Groups| groups.bits > needed;
        if !is_enough(&whole) {
            return None;
        }
        let mut few = MIN_COMPARED.min(keys.len());
        let first = loop {
            let first = Groups::of(&keys[..few]);
            if is_enough(&first) {
                break first;
            }
            few = keys.len().min(2 * few);
        };
        let of = |group| {
            whole
                .of
                .iter()
                .position(|&it| it == group)
                .map_or_else(String::new, &value)
        };
        Some(Self {
            values: (0..whole.count.min(BOUNDS + 1)).map(of).collect(),
            first,
            whole,
        })
    }

    /// The first place in a sequence, of at most `last`, at which the first elements are in the order of the numbers, or with the
    /// sign -1 in the reverse of it. `number` is that of an element of an array that begins at a place.
    fn place(
        &self,
        sequence: &Sequence,
        reach: usize,
        (last, apart): (usize, f64),
        number: impl Fn(usize, usize) -> f64,
    ) -> Option<(usize, f64)> {
        let first = &self.first;
        let mut ends = Vec::new();
        // One element of each of the lowest groups. Their order excludes nearly every place. All are compared at every place: where
        // the first difference decided, the processor would guess wrong at every second one.
        let most = first.count.min(5) - 1;
        let lowest: [usize; 5] = array::from_fn(|i| first.order[i.min(most)]);
        let sign = |at: usize| {
            let steps: [f64; 4] = array::from_fn(|i| number(at, lowest[i + 1]) - number(at, lowest[i]));
            let least = steps.into_iter().fold(f64::INFINITY, f64::min);
            let most = steps.into_iter().fold(f64::NEG_INFINITY, f64::max);
            (least > -apart).then_some(1.0).or((most < apart).then_some(-1.0))
        };
        let places = (0..sequence.places(reach)).map(|place| place * sequence.block);
        places.take_while(|at| *at <= last).find_map(|at| {
            let sign = sign(at)?;
            first
                .are_apart(|i| sign * number(at, i), apart, &mut ends)
                .then_some((at, sign))
        })
    }

    /// How the elements follow from the numbers, whose ends in each group are known.
    fn sentence(&self, ends: &[[f64; 2]], sign: f64) -> String {
        // Every bound between the numbers of two groups divides the elements alike.
        let of = |(pair, value): (&[[f64; 2]], &String)| {
            let mut bounds = [pair[0][1], pair[1][0]].map(|bound| sign * bound);
            bounds.sort_by(f64::total_cmp);
            let [low, high] = bounds.map(|bound| short(bound, 1e-6));
            let above = if sign > 0.0 { "above" } else { "below" };
            format!("{value} where it is {above} some bound from {low} to {high}")
        };
        match &self.values[..] {
            values if values.len() <= BOUNDS => {
                // A number beyond the farthest bound is beyond the others too, so that its value is told first.
                let all: Vec<String> = ends.windows(2).zip(&values[1..]).map(of).rev().collect();
                format!("{}, and otherwise {}", all.join(", else "), values[0])
            }
            _ if sign > 0.0 => "the elements are a non-decreasing function of it".to_owned(),
            _ => "the elements are a non-increasing function of it".to_owned(),
        }
    }
}

/// The line near which the elements lie that are neither the least nor the greatest, in words: the moments of numbers that were
/// rounded and clipped afterwards.
fn near_line(values: &[f64], numbers: &[f64]) -> Option<String> {
    /// The share of their spread within which elements are near a line.
    const SHARE: f64 = 1.0 / 64.0;
    let ends = values
        .iter()
        .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], &it| {
            [low.min(it), high.max(it)]
        });
    let inner = || {
        values
            .iter()
            .zip(numbers)
            .filter(|(value, _)| !ends.contains(value))
    };
    let n = as_f64(inner().count());
    let mean = |of: &dyn Fn((&f64, &f64)) -> f64| inner().map(of).sum::<f64>() / n;
    let (value, number) = (mean(&|it| *it.0), mean(&|it| *it.1));
    let times = mean(&|it| (it.0 - value) * (it.1 - number)) / mean(&|it| (it.1 - number).powi(2));
    let plus = value - times * number;
    let off = inner()
        .map(|(value, number)| (number.mul_add(times, plus) - value).abs())
        .fold(0.0, f64::max);
    // Of a few elements the ends are most of what tells a line.
    (n >= 8.0 && off < SHARE * (ends[1] - ends[0])).then(|| {
        let [times, plus] = [times, plus].map(|it| short(it, off));
        match (times.as_str(), plus.as_str()) {
            ("1", "0") => ", and nearly itself".to_owned(),
            (_, "0") => format!(", nearly {times} times it"),
            _ => format!(", nearly {times} times it plus {plus}"),
        }
    })
}

/// [`Ranked::place`] for an array of `n` elements, whose last block may be drawn again. That block begins at a word of another
/// sequence.
fn place(
    ranked: &Ranked,
    sequences: &[Sequence],
    sequence: &Sequence,
    reach: usize,
    n: usize,
    apart: f64,
) -> Option<(usize, f64)> {
    let Sequence {
        numbers,
        words,
        block,
        ..
    } = sequence;
    if !sequence.is_redrawn(n) {
        let last = numbers.len().checked_sub(ranked.first.of.len())?;
        return ranked.place(sequence, reach, (last, apart), |at, i| numbers[at + i]);
    }
    let before = n.checked_sub(*block)?;
    let again = |at: usize| {
        let word = words[at] + n * sequence.each();
        (
            &sequences[word % sequences.len()].numbers,
            word / sequences.len() * block,
        )
    };
    // The numbers of the sequences differ by a block at most.
    let last = numbers.len().checked_sub(n + 2 * block)?;
    ranked.place(sequence, reach, (last, apart), |at, i| {
        if i < before {
            numbers[at + i]
        } else {
            let (numbers, from) = again(at);
            numbers[from + i - before]
        }
    })
}

impl Search<'_> {
    /// Looks for an array that begins in the first `reach` words of a stream and is ordered as its numbers are. Arrays of more
    /// than `most` different elements are left out.
    pub(super) fn ranked(&mut self, reach: usize, most: usize) {
        let sources = self.sources.iter().cloned().chain(derived_sources(self.sought));
        self.ranked_in(&sources.collect::<Vec<_>>(), reach, most);
    }

    /// [`Self::ranked`] in some streams.
    pub(super) fn ranked_in(&mut self, sources: &[Named], reach: usize, most: usize) {
        if self.sought.asked.is_some() {
            return;
        }
        let n = self.seen.count();
        // The sum is zero without a sign, which a product with a mask may have.
        let keys: Vec<f64> = self
            .sought
            .actual
            .scalars()
            .map(|scalar| scalar.to_f64() + 0.0)
            .collect();
        if n > MAX_ELEMENTS || keys.iter().any(|key| key.is_nan()) {
            return;
        }
        // About 2^9 sequences of standard numbers are compared at each place.
        let needed = EVIDENCE + (self.attempts() + as_f64(reach << 9)).log2();
        let decimal = |i| {
            self.sought
                .actual
                .get(i)
                .map_or_else(String::new, Scalar::decimal)
        };
        let values = Ranked::of(&keys, needed, decimal);
        // A dropout leaves zeros among elements that have an order of their own, and of which hardly any two are equal. Of
        // choices among a dozen values it would tell the zeros alone.
        let is_zero: Vec<f64> = keys.iter().map(|&key| f64::from(u8::from(key == 0.0))).collect();
        let name = |i: usize| if keys[i] == 0.0 { "0" } else { "another number" };
        let zeros = Ranked::of(&is_zero, needed, |i| name(i).to_owned());
        let zeros = zeros.filter(|_| {
            values
                .as_ref()
                .is_none_or(|values| values.whole.count > BOUNDS.max(n / 4))
        });
        let values = values.filter(|values| values.whole.count <= most);
        let all_ranked: Vec<Ranked> = values.into_iter().chain(zeros).collect();
        let Some(few) = all_ranked.iter().map(|it| it.first.of.len()).max() else {
            return;
        };
        for named in sources {
            let reach = named.reach(reach);
            // The last block of PyTorch's normals is drawn after all others.
            let is_whole_needed = !named.source.is_sequence() || n <= MAX_REDRAWN;
            let count = if is_whole_needed { n } else { few };
            let words = words_of(named, 0, reach, count);
            let found = each(&makers(&named.source, Dtype::F32), |maker| {
                let reach = match maker.kind {
                    Kind::Unit => reach,
                    _ => NORMALS.min(reach),
                };
                // The block that is drawn again may begin at any word.
                let words = Words {
                    all: &words[..words.len().min(length(named, reach, count))],
                    reach: usize::MAX,
                };
                let may_hold = |sequence: &Sequence| {
                    let all = std::slice::from_ref(sequence);
                    let holds =
                        |ranked| place(ranked, all, sequence, reach, n, APART + 2.0 * ALIKE).is_some();
                    all_ranked.iter().any(holds)
                };
                let (places, sequences) = maker.sequences(words, reach, may_hold);
                let mut found = Vec::new();
                for sequence in &sequences {
                    for ranked in &all_ranked {
                        let place = place(ranked, &sequences, sequence, reach, n, APART);
                        let follows = |place| self.follows(ranked, (named, &*maker.make), sequence, place);
                        found.extend(place.and_then(follows));
                    }
                }
                (places * all_ranked.len(), found)
            });
            for (attempts, found) in found {
                self.attempts += as_f64(attempts);
                for it in found {
                    self.keep_told(it);
                }
            }
            if self.is_found() {
                return;
            }
        }
    }

    /// An explanation of the whole array, if it is in the order of the numbers from this place on.
    fn follows(
        &self,
        ranked: &Ranked,
        (named, make): (&Named, &Made),
        sequence: &Sequence,
        (at, sign): (usize, f64),
    ) -> Option<Told> {
        let n = self.seen.count();
        let (word, after) = sequence.place(at);
        let mut numbers = remade(named, make, sequence, word, n);
        numbers.drain(..after.min(numbers.len()));
        if sequence.is_redrawn(n) && numbers.len() >= n {
            // The last block is drawn again, after the others.
            numbers.truncate(n - sequence.block);
            numbers.extend(remade(
                named,
                make,
                sequence,
                word + n * sequence.each(),
                sequence.block,
            ));
        }
        // Comparisons with a NaN exclude nothing.
        if numbers.len() < n || numbers.iter().any(|number| number.is_nan()) {
            return None;
        }
        let mut ends = Vec::new();
        if !ranked.whole.are_apart(|i| sign * numbers[i], APART, &mut ends) {
            return None;
        }
        let thresholds = ends.len() - 1;
        let (kind, parameters) = match thresholds {
            1 => (" + threshold", 1),
            ..BOUNDS => (" + thresholds", thresholds),
            _ => (" + monotone function", 1),
        };
        let near = if thresholds < BOUNDS {
            String::new()
        } else {
            let values: Vec<f64> = self.sought.actual.scalars().map(Scalar::to_f64).collect();
            near_line(&values, &numbers).unwrap_or_default()
        };
        let parameters = parameters + usize::from(word + after > 0);
        Some(Told {
            rest: format!("; {}{near}{}", ranked.sentence(&ends, sign), dropped(word, after)),
            is_usual: sequence.is_usual_with(named.name),
            ..Told::of(named, kind, sequence.what.clone(), ranked.whole.bits, parameters)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::near_line;

    /// Grades of mean 70 and deviation 18, clipped at 100 and rounded.
    #[test]
    fn a_line_that_was_rounded_and_clipped_is_told() {
        let numbers: Vec<f64> = (0..40).map(|i| f64::from(i * 37 % 40) / 8.0 - 2.5).collect();
        let grades: Vec<f64> = numbers
            .iter()
            .map(|number| (number.mul_add(180.0, 700.0).round() / 10.0).min(100.0))
            .collect();
        assert_eq!(
            near_line(&grades, &numbers).as_deref(),
            Some(", nearly 18 times it plus 70")
        );
        let clipped: Vec<f64> = numbers.iter().map(|number| number.clamp(-1.0, 1.0)).collect();
        assert_eq!(
            near_line(&clipped, &numbers).as_deref(),
            Some(", and nearly itself")
        );
        let squares: Vec<f64> = numbers.iter().map(|number| (number / 2.0).exp()).collect();
        assert_eq!(near_line(&squares, &numbers), None);
        assert_eq!(near_line(&grades[..8], &numbers), None);
    }
}
