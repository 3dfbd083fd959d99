//! Arrays that begin at a later place of a stream: whole numbers of other draws before them.

use seedproof_report::plural;

use seedproof_ops::each;

use super::Search;
use crate::whois::conversion::Way;
use crate::whois::numbers::as_f64;
use crate::whois::source::{Named, Source};

impl Search<'_> {
    /// Every conversion at every place of every stream up to `reach` words. With `is_far`, only in the streams of the
    /// given seed.
    pub(super) fn offset(&mut self, reach: usize, is_far: bool) {
        let n = self.seen.count();
        for named in self.sources.clone() {
            let is_slice = named.is_own() && named.source.is_sequence();
            if !(named.is_sequence() || is_slice) || is_far && !(named.is_own() && named.source.is_long()) {
                continue;
            }
            let words = named.source.words(0, reach, 1);
            let ways = std::mem::take(&mut self.ways);
            self.attempts += as_f64(reach * ways.len());
            let found = each(&ways, |way| {
                let each = way.words();
                let telling = self.telling(way, reach);
                let last = words.len().saturating_sub(telling * each);
                let begins =
                    |&at: &usize| (0..telling).all(|i| self.seen.is(i, way.drawn(&words[at + i * each..])));
                // Place 0 was tried before, as the beginning of the stream.
                let at = match way.top(self.seen, 0) {
                    Some(top) => {
                        let leads = words.get(way.lead() + 1..=way.lead() + last)?;
                        top.places(leads).map(|at| at + 1).find(begins)?
                    }
                    None => (1..=last).find(begins)?,
                };
                self.gives(way, &named.source.words(at, n * each, each), telling)
                    .then_some(at)
            });
            for (way, at) in ways.iter().zip(found) {
                if let Some(at) = at {
                    self.keep(&named, " + words dropped", way, &dropped(&named, way, at, n));
                }
            }
            self.ways = ways;
            if !is_far {
                self.executed(&named);
            }
        }
    }

    /// Later executions of TensorFlow's stateful ops. Each reserves 256 blocks for every element, so that for a large
    /// array they lie beyond the places that are searched.
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
                    self.keep(named, " + words dropped", &way, &dropped(named, &way, at, n));
                }
            }
        }
    }
}

/// The end of a sentence about a stream whose first words are dropped.
fn dropped(named: &Named, way: &Way, at: usize, count: usize) -> String {
    let each = way.words();
    let words = plural(at, ["word is", "words are"]);
    let mut what = format!("{at} {words} dropped before the first element");
    if matches!(named.source, Source::Philox { .. }) {
        what = format!("{what} ({} blocks and {} words)", at / 4, at % 4);
        if count > 0 && at.is_multiple_of(1024 * count) {
            // That these are the words of 256 times as many arrays would only distract.
            return format!(
                "; {what}: execution {} of an op of TensorFlow, which reserves 256 blocks for an element",
                at / (1024 * count)
            );
        }
    }
    if count > 0 && at.is_multiple_of(count * each) {
        let arrays = plural(
            at / (count * each),
            ["array of this size takes", "arrays of this size take"],
        );
        what = format!("{what}: as many as {} {arrays}", at / (count * each));
    }
    format!("; {what}")
}
