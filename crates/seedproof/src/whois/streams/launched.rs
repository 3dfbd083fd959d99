//! Streams that come in another order: CUDA's launches, and the integers of `jax.random`.

use std::collections::BTreeSet;

use super::Search;
use crate::whois::conversion::Scale;
use crate::whois::generator::{High, halves, jax, jax_split, philox};
use crate::whois::numbers::as_f64;
use crate::whois::seen::Drawn;

/// Cards by the threads that PyTorch launches on them: multiprocessors times the threads of one.
const CARDS: [(usize, &str); 10] = [
    (40_960, "a T4"),
    (43_008, "an RTX 3060"),
    (89_088, "an L4"),
    (122_880, "an A10G"),
    (129_024, "an RTX A6000"),
    (196_608, "an RTX 4090"),
    (218_112, "an L40 or L40S"),
    (221_184, "an A100"),
    (233_472, "an H100 PCIe"),
    (270_336, "an H100 SXM"),
];

impl Search<'_> {
    /// Elements as threads of a CUDA kernel draw them: a subsequence for each, and four elements of it a whole launch apart.
    pub(super) fn launched(&mut self) {
        const CALLS: u128 = 16;
        let n = self.seen.count();
        let key = self.sought.seed;
        for way in self.ways.clone() {
            let each = way.words();
            let word = |thread: usize, block: u128, component: usize| {
                let counter = (u128::try_from(thread).unwrap_or(0) << 64) + block;
                let block = philox(High::Whole, key, counter);
                way.drawn(&block[component * each..])
            };
            for call in 0..CALLS {
                self.attempts += 1.0;
                if !(0..n.min(8)).all(|i| self.seen.is(i, word(i, call, 0))) {
                    continue;
                }
                let same = (0..n).take_while(|&i| self.seen.is(i, word(i, call, 0))).count();
                // The first element of a second round tells how many threads there are; they come in blocks of 256.
                let threads = if same == n { n } else { same / 256 * 256 };
                let per = 4 / each;
                let is_right = |i: usize| {
                    let lap = u128::try_from(i / (per * threads)).unwrap_or(0);
                    self.seen
                        .is(i, word(i % threads, call + lap, i % (per * threads) / threads))
                };
                if threads == 0 || !(same..n).all(is_right) {
                    continue;
                }
                let launch = if same == n {
                    format!("up to {n} threads, where every card gives the same")
                } else {
                    let cards: Vec<&str> = CARDS
                        .iter()
                        .filter(|(t, _)| *t == threads)
                        .map(|(_, card)| *card)
                        .collect();
                    let cards = if cards.is_empty() {
                        String::new()
                    } else {
                        format!(", as on {}", cards.join(" or "))
                    };
                    format!(
                        "{threads} threads{cards}: element i takes word (i mod {}) div {threads} of the block of counter \
                         (i div {0}, 0, i mod {threads}, 0)",
                        per * threads
                    )
                };
                let after = if call == 0 {
                    String::new()
                } else {
                    format!(", after {call} blocks of each thread")
                };
                let source =
                    format!("Philox4x32-10 of key {key:#x} as CUDA's kernels draw it, {launch}{after}: ");
                let bits = self.whole_bits(&way);
                let note = " (a prediction: no output of a GPU was captured)";
                self.keep_all("cuda-launch".to_owned(), &source, &way.sentence(), note, bits);
            }
        }
    }

    /// `jax.random.randint`, which draws twice from a key that is split.
    pub(super) fn jax_integers(&mut self) {
        let [low, high] = halves(self.sought.seed);
        let n = self.seen.count();
        let ranges: BTreeSet<(i128, u32)> = self
            .ways
            .iter()
            .filter_map(|way| match way.scale {
                Scale::Remainder { low, range } => Some((low, u32::try_from(range).ok()?)),
                _ => None,
            })
            .collect();
        if ranges.is_empty() {
            return;
        }
        for is_partitionable in [true, false] {
            let keys = jax_split([high, low], is_partitionable);
            let drawn = |count: usize| keys.map(|key| jax(key, is_partitionable, count));
            // Before the partitionable order, every word depends on how many there are.
            let short = drawn(if is_partitionable { n.min(8) } else { n });
            for &(least, span) in &ranges {
                self.attempts += 1.0;
                let factor = 65_536 % span;
                let factor = factor.wrapping_mul(factor) % span;
                let value = |upper: u32, lower: u32| {
                    let sum = (upper % span).wrapping_mul(factor).wrapping_add(lower % span);
                    Drawn::Whole(least + i128::from(sum % span))
                };
                let gives = |[upper, lower]: &[Vec<u32>; 2]| {
                    let mut pairs = upper.iter().zip(lower).enumerate();
                    pairs.all(|(i, (&upper, &lower))| self.seen.is(i, value(upper, lower)))
                };
                if !gives(&short) || is_partitionable && !gives(&drawn(n)) {
                    continue;
                }
                let order = if is_partitionable {
                    ""
                } else {
                    ", in the order before jax_threefry_partitionable"
                };
                let source = format!(
                    "jax.random.randint with key({}) in [{least}, {}){order}",
                    self.sought.seed,
                    least + i128::from(span)
                );
                let bits = self.seen.bits(f64::from(span), 32.0) * as_f64(n);
                self.keep_all("jax.random.randint".to_owned(), &source, "", "", bits);
            }
        }
    }
}
