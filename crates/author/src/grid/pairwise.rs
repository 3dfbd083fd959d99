//! Rows of a table in which every two levels of every two factors meet.

use std::cmp::Reverse;
use std::collections::BTreeSet;

/// A level of one factor.
type Level = (usize, usize);

/// For factors with so many levels each, rows of one level per factor, such that any level of any factor meets
/// any level of any other in at least one row. Greedy: each row begins with the first pair that has not met and
/// takes, factor by factor, the level that makes most new pairs; among equals the row's number decides, so that
/// levels take turns.
///
/// The full product of seven factors has millions of rows; two factors that conspire are found in hundreds
/// (D. M. Cohen, S. R. Dalal, M. L. Fredman, G. C. Patton, "The AETG system", 1997).
pub(super) fn pairwise(levels: &[usize]) -> Vec<Vec<usize>> {
    let mut open: BTreeSet<(Level, Level)> = BTreeSet::new();
    for (f, &first) in levels.iter().enumerate() {
        for (g, &second) in levels.iter().enumerate().skip(f + 1) {
            open.extend((0..first).flat_map(|a| (0..second).map(move |b| ((f, a), (g, b)))));
        }
    }
    let mut rows = Vec::new();
    while let Some(&(one, other)) = open.first() {
        let mut chosen = vec![one, other];
        for (factor, &count) in levels.iter().enumerate() {
            if factor == one.0 || factor == other.0 {
                continue;
            }
            let best = (0..count)
                .max_by_key(|&level| {
                    let gain = chosen
                        .iter()
                        .filter(|&&before| open.contains(&pair(before, (factor, level))))
                        .count();
                    (gain, Reverse((level + count - rows.len() % count) % count))
                })
                .expect("every factor has a level");
            chosen.push((factor, best));
        }
        for (i, &a) in chosen.iter().enumerate() {
            for &b in &chosen[i + 1..] {
                open.remove(&pair(a, b));
            }
        }
        chosen.sort_unstable();
        rows.push(chosen.into_iter().map(|(_, level)| level).collect());
    }
    rows
}

fn pair(a: Level, b: Level) -> (Level, Level) {
    (a.min(b), a.max(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairwise_rows_cover_every_pair() {
        let levels = [5, 3, 4, 2, 7];
        let rows = pairwise(&levels);
        for f in 0..levels.len() {
            for g in f + 1..levels.len() {
                for a in 0..levels[f] {
                    for b in 0..levels[g] {
                        assert!(
                            rows.iter().any(|row| row[f] == a && row[g] == b),
                            "{f}:{a} {g}:{b}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn pairwise_rows_are_few() {
        let rows = pairwise(&[12, 30, 16, 10, 9, 2, 2]);
        assert!(rows.len() >= 30 * 16);
        assert!(rows.len() < 30 * 16 * 5 / 4, "{}", rows.len());
    }
}
