//! The difference between two outputs, as the page's script reads it: counts, the first element, the strip, the stages.

use seedproof_check::{Comparison, Element, Mismatch, STRIP, Stage, StageValues, differ, strip_cell};
use seedproof_ops::Scalar;
use serde::{Serialize, Serializer};

use super::table::{Table, letter};
use crate::text::{at_most, distance, low_bits, other_output, place, value, words};
use crate::untrusted::one_line;
use crate::words::{CHUNKS, ELEMENTS, thousands};

#[derive(Serialize, Default)]
pub(super) struct Differs {
    /// The sentence with the counts.
    says: String,
    /// The number of elements that differ, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    differing: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<First>,
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<Table>,
    #[serde(skip_serializing_if = "Option::is_none")]
    strip: Option<Strip>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    stages: Vec<StageRow>,
    /// Pairs of a name and a value, one line of the page each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pairs: Vec<(&'static str, String)>,
}

/// A map of the places that differ. Each cell stands for a run of neighbouring elements; the
/// runs are as equal as possible.
#[derive(Serialize)]
struct Strip {
    /// The number of elements or chunks.
    total: usize,
    /// `element` or `chunk`.
    noun: &'static str,
    /// The number of differing elements in each cell: as one string of digits if every number has one digit.
    #[serde(serialize_with = "digits")]
    cells: Vec<usize>,
}

/// A stage: its letter (`w` for words, `u` for the unit interval, `s` for the scale); `=` if all elements are
/// equal there, `!` if not, empty if unknown; and the expected and actual values of the first differing element
/// at this stage, empty if unknown.
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

/// Describes a mismatch of an output of this shape, with at most `rows` rows in the table of elements.
pub(super) fn differs(mismatch: &Mismatch, shape: Option<&[u64]>, rows: usize) -> Differs {
    match mismatch {
        Mismatch::Elements(comparison) => Differs {
            table: Table::of(&comparison.differences, shape, rows),
            ..elements(comparison)
        },
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
            says: other_output(name),
            pairs: vec![("expected", words(expected)), ("actual", words(actual))],
            ..Differs::default()
        },
        Mismatch::Chunks {
            differing,
            total,
            first,
        } => Differs {
            says: differ(differing.len(), *total, CHUNKS, thousands),
            first: first.as_ref().map(First::of),
            strip: Strip::of_chunks(differing, *total),
            ..Differs::default()
        },
        Mismatch::Statistics { message } => Differs {
            says: one_line(message),
            ..Differs::default()
        },
    }
}

fn elements(comparison: &Comparison) -> Differs {
    let far = comparison.max_ulps.map_or_else(String::new, |most| {
        format!("; {}", at_most(comparison.first.expected.dtype(), most))
    });
    Differs {
        says: format!(
            "{}{far}",
            differ(comparison.differing, comparison.total, ELEMENTS, thousands)
        ),
        differing: Some(comparison.differing),
        first: Some(First::of(&comparison.first)),
        strip: Strip::of_elements(comparison),
        stages: stages(comparison),
        ..Differs::default()
    }
}

/// The table of stages; empty if nothing is known beyond the output.
fn stages(comparison: &Comparison) -> Vec<StageRow> {
    let Comparison {
        expected_stages: expected,
        actual_stages: actual,
        first,
        ..
    } = comparison;
    let drawn = |values: &Option<StageValues>| {
        let words = values.iter().flat_map(|values| &values.words);
        let words: Vec<String> = words.map(|word| format!("{word:08x}")).collect();
        // A value determines the low bits of words that an implementation does not show.
        let low = || values.as_ref().and_then(|values| values.low_bits).map(low_bits);
        if words.is_empty() {
            low().unwrap_or_default()
        } else {
            words.join(" ")
        }
    };
    let unit = |values: &Option<StageValues>| {
        let unit = values.as_ref().and_then(|values| values.unit);
        unit.map(value).unwrap_or_default()
    };
    let known = |stage: Stage| {
        let result = comparison.stages.iter().find(|it| it.stage == stage);
        result.map_or("", |it| if it.equal { "=" } else { "!" })
    };
    if expected.is_none() && comparison.stages.is_empty() {
        return Vec::new();
    }
    let rows = [
        StageRow(
            letter(Stage::Words),
            known(Stage::Words),
            drawn(expected),
            drawn(actual),
        ),
        StageRow(
            letter(Stage::UnitInterval),
            known(Stage::UnitInterval),
            unit(expected),
            unit(actual),
        ),
        // The last stage needs no inference: these are the outputs, and a mismatch means that they differ.
        StageRow(
            letter(Stage::Scale),
            "!",
            value(first.expected),
            value(first.actual),
        ),
    ];
    let says = |row: &StageRow| !(row.1.is_empty() && row.2.is_empty());
    rows.into_iter().filter(says).collect()
}

fn digits<S: Serializer>(cells: &[usize], serializer: S) -> Result<S::Ok, S::Error> {
    // A string of 256 digits takes half of what the list takes. The script spreads both into one value per cell.
    let digit = |&cell: &usize| char::from_digit(u32::try_from(cell).ok()?, 10);
    match cells.iter().map(digit).collect::<Option<String>>() {
        Some(digits) => digits.serialize(serializer),
        None => cells.serialize(serializer),
    }
}

impl Strip {
    fn of_elements(comparison: &Comparison) -> Option<Self> {
        // A log may have more cells than a strip.
        let cells = comparison.strip.iter().take(STRIP);
        let cells: Vec<usize> = cells.map(|&n| usize::try_from(n).unwrap_or(usize::MAX)).collect();
        (!cells.is_empty()).then_some(Self {
            total: comparison.total,
            noun: "element",
            cells,
        })
    }

    fn of_chunks(differing: &[usize], total: usize) -> Option<Self> {
        let mut cells = vec![0; total.min(STRIP)];
        // A log may name chunks that the output does not have.
        for &chunk in differing.iter().filter(|&&chunk| chunk < total) {
            cells[strip_cell(chunk, total)] += 1;
        }
        (total > 0).then_some(Self {
            total,
            noun: "chunk",
            cells,
        })
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
    fn counts_of_one_are_in_the_singular() {
        let one = Mismatch::Chunks {
            differing: vec![0],
            total: 1,
            first: None,
        };
        assert_eq!(
            differs(&one, Some(&[1]), 0).says,
            "1 of 1 chunk (65,536 elements each) differs"
        );
    }

    #[test]
    fn strip_of_chunks_gathers_what_is_too_many() {
        let cells = |differing: &[usize], total| Strip::of_chunks(differing, total).unwrap().cells;
        assert_eq!(cells(&[1, 3], 4), [0, 1, 0, 1]);
        let half = cells(&(512..1024).collect::<Vec<_>>(), 1024);
        assert_eq!(half, [[0; 128], [4; 128]].concat());
        // The first cell of 257 chunks has two.
        assert_eq!(cells(&[0, 1, 2], 257)[..3], [2, 1, 0]);
        assert_eq!(cells(&[7], 3), [0, 0, 0]);
        assert!(Strip::of_chunks(&[], 0).is_none());
    }
}
