//! How an output differs, as the page's script shows it: counts, the first element, the strip, the stages.

use seedproof_check::{Comparison, Element, Mismatch, Stage, StageValues};
use seedproof_ops::Scalar;
use serde::Serialize;

use super::data::WIDTH;
use crate::inert;
use crate::text::{at_most, distance, place, thousands, value};

/// Most cells of a mismatch strip.
const CELLS: usize = 256;

/// How an output differs.
#[derive(Serialize, Default)]
pub(super) struct Differs {
    /// The sentence with the counts.
    says: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<First>,
    /// A digit per cell, 0 for none differing and 9 for all.
    #[serde(skip_serializing_if = "String::is_empty")]
    strip: String,
    /// What a cell of the strip is.
    #[serde(skip_serializing_if = "String::is_empty")]
    cell: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    stages: Vec<StageRow>,
    /// Names and values to set side by side.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pairs: Vec<(&'static str, String)>,
}

/// A stage: `w` for words, `u` for the unit interval, `s` for the scale; whether all elements are equal there, `=` or
/// `!`, if that is known; what the first differing element should be there, and what it is, as far as they are known.
#[derive(Serialize)]
struct StageRow(char, &'static str, String, String);

/// The first element that differs.
#[derive(Serialize)]
struct First {
    at: String,
    dtype: &'static str,
    expected: (String, String),
    actual: (String, String),
    #[serde(skip_serializing_if = "String::is_empty")]
    far: String,
}

/// What the page tells of a mismatch.
pub(super) fn differs(mismatch: &Mismatch) -> Differs {
    match mismatch {
        Mismatch::Elements(comparison) => elements(comparison),
        Mismatch::Form { expected, actual } => Differs {
            says: "another element type or shape".to_owned(),
            pairs: vec![
                ("expected", format!("{} {}", expected.dtype, expected.shape)),
                ("actual", format!("{} {}", actual.dtype, actual.shape)),
            ],
            ..Differs::default()
        },
        Mismatch::Output {
            name,
            expected,
            actual,
        } => Differs {
            says: format!("the first output is right, `{}` is not", inert(name, WIDTH)),
            pairs: vec![("expected", list(expected)), ("actual", list(actual))],
            ..Differs::default()
        },
        Mismatch::Chunks {
            differing,
            total,
            first,
        } => Differs {
            says: format!(
                "{} of {} chunks (65,536 elements each) differ",
                thousands(differing.len()),
                thousands(*total)
            ),
            first: first.as_ref().map(First::of),
            strip: chunk_strip(differing, *total),
            cell: cell(*total, (*total).min(CELLS), "chunk"),
            ..Differs::default()
        },
        Mismatch::Statistics { message } => Differs {
            says: inert(message, WIDTH),
            ..Differs::default()
        },
    }
}

fn list(state: &[Scalar]) -> String {
    if state.is_empty() {
        return "none".to_owned();
    }
    let words: Vec<String> = state.iter().take(16).map(|word| word.literal()).collect();
    words.join(" ")
}

fn elements(comparison: &Comparison) -> Differs {
    let far = comparison.max_ulps.map_or_else(String::new, |most| {
        format!("; {}", at_most(comparison.first.expected.dtype(), most))
    });
    let cells = comparison.strip.len().min(CELLS);
    let strip = comparison
        .strip
        .iter()
        .take(CELLS)
        .enumerate()
        .map(|(cell, &differing)| {
            level(
                usize::try_from(differing).unwrap_or(usize::MAX),
                share(comparison.total, cells, cell),
            )
        })
        .collect();
    Differs {
        says: format!(
            "{} of {} elements differ{far}",
            thousands(comparison.differing),
            thousands(comparison.total)
        ),
        first: Some(First::of(&comparison.first)),
        strip,
        cell: cell(comparison.total, cells, "element"),
        stages: stages(comparison),
        ..Differs::default()
    }
}

/// The stage table; empty where nothing is known beyond the output.
fn stages(comparison: &Comparison) -> Vec<StageRow> {
    let Comparison {
        expected_stages: expected,
        actual_stages: actual,
        first,
        ..
    } = comparison;
    let words = |values: &Option<StageValues>| {
        let words = values.iter().flat_map(|values| &values.words);
        words
            .map(|word| format!("{word:08x}"))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let unit = |values: &Option<StageValues>| {
        let unit = values.as_ref().and_then(|values| values.unit);
        unit.map(value).unwrap_or_default()
    };
    let known = |stage: Stage| {
        let of = comparison.stages.iter().find(|it| it.stage == stage);
        of.map_or("", |it| if it.equal { "=" } else { "!" })
    };
    if expected.is_none() && comparison.stages.is_empty() {
        return Vec::new();
    }
    let rows = [
        StageRow('w', known(Stage::Words), words(expected), words(actual)),
        StageRow('u', known(Stage::UnitInterval), unit(expected), unit(actual)),
        // The output is compared, not inferred: it differs here.
        StageRow('s', "!", value(first.expected), value(first.actual)),
    ];
    let says = |row: &StageRow| !(row.1.is_empty() && row.2.is_empty());
    rows.into_iter().filter(says).collect()
}

/// Elements in one cell of a strip of `cells` nearly equal runs.
fn share(total: usize, cells: usize, cell: usize) -> usize {
    let edge = |cell: usize| total.saturating_mul(cell) / cells.max(1);
    edge(cell + 1) - edge(cell)
}

/// A digit for how many of a run differ: 0 for none, 1 to 8 for some, 9 for all.
fn level(differing: usize, run: usize) -> char {
    let digit = if differing == 0 {
        0
    } else if differing >= run {
        9
    } else {
        1 + differing.saturating_mul(8) / run
    };
    char::from_digit(u32::try_from(digit.min(9)).unwrap_or(9), 10).unwrap_or('9')
}

fn chunk_strip(differing: &[usize], total: usize) -> String {
    let cells = total.min(CELLS);
    let mut counts = vec![0_usize; cells];
    for &chunk in differing.iter().filter(|&&chunk| chunk < total) {
        let (mut cell, edge) = (chunk.saturating_mul(cells) / total, |cell: usize| {
            total.saturating_mul(cell) / cells
        });
        while edge(cell + 1) <= chunk {
            cell += 1;
        }
        counts[cell] += 1;
    }
    counts
        .iter()
        .enumerate()
        .map(|(cell, &count)| level(count, share(total, cells, cell)))
        .collect()
}

fn cell(total: usize, cells: usize, noun: &str) -> String {
    if cells == total {
        format!("one {noun}")
    } else {
        format!("about {} {noun}s", thousands(total.div_ceil(cells.max(1))))
    }
}

impl First {
    fn of(element: &Element) -> Self {
        let both = |scalar: Scalar| {
            let shown = value(scalar);
            let decimal = shown
                .split_once(" (")
                .map_or("", |(_, rest)| rest.trim_end_matches(')'));
            (scalar.literal(), decimal.to_owned())
        };
        let dtype = element.expected.dtype();
        Self {
            at: place(element),
            dtype: dtype.name(),
            expected: both(element.expected),
            actual: both(element.actual),
            far: element
                .ulps
                .map_or_else(String::new, |ulps| distance(dtype, ulps)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strip_levels_tell_none_some_and_all() {
        assert_eq!(
            [level(0, 10), level(1, 10), level(9, 10), level(10, 10)],
            ['0', '1', '8', '9']
        );
        assert_eq!(level(1, 1), '9');
        assert_eq!(level(5, 0), '9');
    }

    #[test]
    fn strip_of_chunks_gathers_what_is_too_many() {
        assert_eq!(chunk_strip(&[1, 3], 4), "0909");
        let strip = chunk_strip(&(512..1024).collect::<Vec<_>>(), 1024);
        assert_eq!(strip, "0".repeat(128) + &"9".repeat(128));
        assert_eq!(chunk_strip(&[7], 3), "000");
        assert_eq!(chunk_strip(&[], 0), "");
    }
}
