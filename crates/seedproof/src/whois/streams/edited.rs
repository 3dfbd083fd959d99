//! Streams with edits: skipped, repeated, replaced or inserted elements.

use seedproof_ops::Scalar;
use seedproof_report::plural;

use super::{AROUND, Search, Stream};
use crate::whois::edits::{Aligned, Edit, align};
use crate::whois::numbers::as_f64;
use crate::whois::seen::Drawn;

/// The bits by which an edit reduces the evidence, because its place and its length are read off from the array: twelve
/// for a length of at most 4,096, and as many for a place in an array of that size.
const EDIT: f64 = 24.0;

/// The edits that are told one by one, and fewer than the elements of one that are.
const SHOWN: usize = 3;

impl Search<'_> {
    /// Aligns the array with the streams of the given seed, and keeps the best alignment.
    pub(super) fn edited(&mut self) {
        let n = self.seen.count();
        let mut best: Option<(f64, Stream)> = None;
        for named in self.sources.clone() {
            if !named.is_own() || !named.source.is_sequence() {
                continue;
            }
            let reach = (n + AROUND) * 2;
            let words = named.source.words(0, reach, 1);
            for way in self.ways.clone() {
                let each = way.words();
                let telling = self.telling(&way, 4 * AROUND);
                let length = words.len() / each;
                let is = |i: usize, p: usize| self.seen.is(i, way.drawn(&words[p * each..]));
                // The beginning of the array may be foreign, so that the alignment starts from other elements too.
                let mut anchors: Vec<usize> = [0, 1, n / 4, n / 2, 3 * n / 4].into_iter().collect();
                anchors.dedup();
                for anchor in anchors {
                    // An element stands a little before its own place where elements were repeated, and may stand far
                    // after it where some were skipped.
                    let (from, to) = (anchor.saturating_sub(64), (anchor + AROUND).min(length));
                    self.attempts += as_f64(to.saturating_sub(from));
                    let stands = |&p: &usize| {
                        anchor + telling <= n
                            && p + telling <= length
                            && (0..telling).all(|k| is(anchor + k, p + k))
                    };
                    let Some(place) = (from..to).find(stands) else {
                        continue;
                    };
                    let Some(start) = place.checked_sub(anchor) else {
                        continue;
                    };
                    let aligned = align(n, length, start, telling, &is);
                    // An array that goes on and back with every few elements is in another order, as a transposed one is, which a
                    // list of steps would hide.
                    let is_back = |edit: &Edit| matches!(edit, Edit::Repeated { .. });
                    if 4 * aligned.edits.len() > n && aligned.edits.iter().any(is_back) {
                        continue;
                    }
                    let each_bits = way.bits(self.seen);
                    let bits = each_bits * as_f64(aligned.right) - EDIT * as_f64(aligned.edits.len());
                    if best.as_ref().is_some_and(|(most, _)| *most >= bits) {
                        break;
                    }
                    let what = self.describe(&aligned, &|p: usize| words[p * each], &|p| {
                        way.drawn(&words[p * each..])
                    });
                    let stream = Stream {
                        name: format!("{} + edits", named.name),
                        sentence: format!("{}: {}; {what}", named.sentence, way.sentence()),
                        elements: aligned.right,
                        of: n,
                        is_followed: aligned.reached == n,
                        ties: 0,
                        bits,
                        attempts: self.attempts(),
                        parameters: aligned.edits.len(),
                    };
                    best = Some((bits, stream));
                    break;
                }
            }
        }
        self.found.extend(best.map(|(_, stream)| stream));
    }

    /// Elements from `at` on in place of those of a stream from `place` on, in words.
    fn replaced(&self, at: usize, place: usize, count: usize, drawn: &dyn Fn(usize) -> Drawn) -> String {
        let is_other = |k: &usize| !self.seen.is(at + k, drawn(place + k));
        let others: Vec<usize> = (0..count).filter(is_other).collect();
        if others.len() > SHOWN + 1 {
            return format!("elements {at} to {} differ from the stream's", at + count - 1);
        }
        let each = others.into_iter().map(|k| self.other(at + k, drawn(place + k)));
        each.collect::<Vec<_>>().join(", ")
    }

    /// The edits in words.
    fn describe(
        &self,
        aligned: &Aligned,
        word: &dyn Fn(usize) -> u32,
        drawn: &dyn Fn(usize) -> Drawn,
    ) -> String {
        let n = self.seen.count();
        let Aligned {
            edits,
            start,
            reached,
            right,
            longest,
        } = aligned;
        let mut parts = Vec::new();
        if *start > 0 {
            parts.push(format!("it begins {start} elements into the stream"));
        }
        if let Some(bound) = refused(aligned, word) {
            parts.push(format!("words from {bound:#x} on are rejected and drawn again"));
        } else {
            let mut place = *start;
            let mut last = 0;
            for edit in edits.iter().take(SHOWN) {
                let then = |at: usize, text: String| match at {
                    0 => format!("first {text}"),
                    at => format!("right up to element {}, then {text}", at - 1),
                };
                let at = edit.at();
                place += at - last;
                last = at;
                let what = match *edit {
                    Edit::Skipped { from, count, .. } => {
                        place += count;
                        then(
                            at,
                            format!("{count} of the stream, from {from} on, {} skipped", are(count)),
                        )
                    }
                    Edit::Repeated { from, count, .. } => {
                        place = place.saturating_sub(count);
                        let text = format!(
                            "the {count} before, from {from} of the stream on, {} repeated",
                            are(count)
                        );
                        then(at, text)
                    }
                    Edit::Inserted { count, .. } => {
                        place = place.saturating_sub(count);
                        then(at, format!("{count} {} not from the stream", are(count)))
                    }
                    Edit::Replaced { count, .. } => self.replaced(at, place, count, drawn),
                };
                parts.push(what);
            }
            if let Some(more) = edits.len().checked_sub(SHOWN).filter(|&more| more > 0) {
                parts.push(format!("{more} more such edits"));
            }
        }
        if *right < n {
            parts.push(format!("{right} of {n} elements are in the stream"));
        }
        if *reached < n {
            let (from, length) = longest;
            parts.push(format!(
                "elements {from} to {} are the longest run that agrees; from element {reached} on, nothing that is looked for follows the stream",
                from + length - 1
            ));
            // Workers and ranks draw a row or an item each.
            let row = self.sought.actual.shape().dims().last().copied().unwrap_or(n);
            if row < n && *from == 0 && length.is_multiple_of(row) {
                parts.push(format!(
                    "each row of {row} may have a seed of its own: ask about one of the others alone"
                ));
            }
        }
        parts.join("; ")
    }

    /// A sentence about an element that differs from the stream's.
    fn other(&self, index: usize, drawn: Drawn) -> String {
        let value = self.seen.decimal(index);
        let expected = match drawn {
            Drawn::Float(value) => value.to_string(),
            Drawn::Whole(value) => value.to_string(),
        };
        // A zero was probably never written, which says more than its distance.
        if self.seen.is_zero(index) {
            return format!("element {index} is zero in place of {expected}");
        }
        let apart = match drawn {
            Drawn::Float(value) => {
                let dtype = self.seen.dtype;
                let scalar = Scalar::from_decimal(dtype, &value.to_string());
                scalar
                    .zip(self.sought.actual.get(index))
                    .and_then(|(a, b)| seedproof_check::ulps(a, b))
            }
            Drawn::Whole(_) => None,
        };
        match apart {
            Some(1) => format!("element {index} is 1 ulp off: {value} in place of {expected}"),
            Some(ulps) if ulps < 1 << 20 => {
                format!("element {index} is {ulps} ulps off: {value} in place of {expected}")
            }
            _ => format!("element {index} is {value} in place of {expected}"),
        }
    }
}

fn are(count: usize) -> &'static str {
    plural(count, ["is", "are"])
}

/// The smallest refused word, if the skipped words are exactly those from some word on: a generator that refuses words
/// to avoid a modulo bias.
fn refused(aligned: &Aligned, word: &dyn Fn(usize) -> u32) -> Option<u32> {
    let mut skipped = Vec::new();
    let mut kept = Vec::new();
    let (mut place, mut element) = (aligned.start, 0);
    for edit in &aligned.edits {
        let Edit::Skipped { at, from, count } = *edit else {
            return None;
        };
        kept.extend(place..place + at - element);
        skipped.extend(from..from + count);
        (place, element) = (from + count, at);
    }
    kept.extend(place..place + aligned.reached - element);
    let least = skipped.iter().map(|&p| word(p)).min()?;
    let most = kept.iter().map(|&p| word(p)).max()?;
    // Words that are skipped for another reason are of any size, and among four of them one is probably below the
    // largest kept word.
    (skipped.len() >= 4 && most < least).then_some(least)
}
