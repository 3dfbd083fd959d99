//! The difference between two outputs as lines of text.

use seedproof_check::{Comparison, Differences, Element, Finding, Mismatch, Stage, StageResult, differ};

use super::palette::Palette;
use super::scalar::{at_most, distance, low_bits, low_digits, other_output, place, value, words};
use crate::untrusted::one_line;
use crate::words::{CHUNKS, ELEMENTS, listed, plural, thousands};

/// The lines that describe the difference, or the message if there is nothing to compare.
pub(super) fn difference(finding: &Finding, palette: Palette) -> Vec<String> {
    match &finding.mismatch {
        Some(Mismatch::Elements(comparison)) => elements(comparison, palette),
        Some(Mismatch::Form { expected, actual }) => {
            vec![format!(
                "expected {} {}   actual {} {}",
                expected.dtype, expected.shape, actual.dtype, actual.shape
            )]
        }
        Some(Mismatch::Output {
            name,
            expected,
            actual,
        }) => vec![
            other_output(name),
            format!("  expected {}", words(expected)),
            format!("  actual   {}", words(actual)),
        ],
        Some(Mismatch::Chunks {
            differing,
            total,
            first,
        }) => chunks(differing, *total, first.as_ref(), palette),
        Some(Mismatch::Statistics { message }) => vec![one_line(message)],
        None => vec![one_line(&finding.message)],
    }
}

fn elements(comparison: &Comparison, palette: Palette) -> Vec<String> {
    let (differing, total) = (comparison.differing, comparison.total);
    let mut lines = vec![format!(
        "{}; the first at {}",
        differ(differing, total, ELEMENTS, thousands),
        place(&comparison.first)
    )];
    lines.push(pair(&comparison.first, palette));
    // The distance of a single element is in the line above.
    if let Some(most) = comparison.max_ulps
        && differing > 1
    {
        lines.push(format!("  {}", at_most(comparison.first.expected.dtype(), most)));
    }
    if !comparison.stages.is_empty() {
        let stages: Vec<String> = comparison.stages.iter().map(|&stage| stage_text(stage)).collect();
        lines.push(format!("  {}", stages.join(" · ")));
    } else if let Some(actual) = &comparison.actual_stages {
        let expected = comparison
            .expected_stages
            .as_ref()
            .and_then(|values| values.low_bits);
        lines.extend(match (expected, actual.low_bits) {
            (Some(expected), Some(actual)) if expected != actual => Some(format!(
                "  its word would end in {}, not in {}",
                low_bits(actual),
                low_digits(expected)
            )),
            // The value is not in the image of the conversion: no word is converted to it.
            (Some(_), None) => Some("  no random word is converted to this value".to_owned()),
            _ => None,
        });
    }
    lines.extend(found(&comparison.differences));
    lines
}

/// The places of the first wrong elements in the expected stream, or `None` if none of them is in it.
fn found(differences: &Differences) -> Option<String> {
    // Four places show a step, a swap or an offset, and fit one line.
    const MAX_PLACES: usize = 4;
    let places = differences.found.as_ref()?.places.iter().take(MAX_PLACES);
    if places.clone().all(Vec::is_empty) {
        return None;
    }
    let block = |place: usize| match differences.blocks {
        Some(blocks) => {
            let (block, word) = blocks.place(place);
            format!("{place} (block {block}, word {word})")
        }
        None => place.to_string(),
    };
    // The block and the word of the first place alone: the others follow from it, and the line would be too long.
    let place = |places: &Vec<usize>, first: bool| match places[..] {
        [] => "nowhere".to_owned(),
        [place] if first => block(place),
        [place] => place.to_string(),
        [place, ..] => format!("{place} and elsewhere"),
    };
    let at: Vec<String> = differences
        .indices
        .iter()
        .take(MAX_PLACES)
        .map(usize::to_string)
        .collect();
    let places: Vec<String> = places
        .enumerate()
        .map(|(i, places)| place(places, i == 0))
        .collect();
    Some(format!(
        "  actual {} {} {} at {} of the expected stream",
        plural(at.len(), ELEMENTS),
        listed(&at),
        plural(at.len(), ["is", "are"]),
        listed(&places)
    ))
}

/// `  expected bc56 (-1.08398438)   actual bc57 (-1.08496094)   1 ulp`.
fn pair(element: &Element, palette: Palette) -> String {
    let (good, bad) = (palette.good, palette.bad);
    let far = element.ulps.map_or_else(String::new, |ulps| {
        format!("   {}", distance(element.expected.dtype(), ulps))
    });
    format!(
        "  expected {good}{}{good:#}   actual {bad}{}{bad:#}{far}",
        value(element.expected),
        value(element.actual)
    )
}

fn stage_text(result: StageResult) -> String {
    let name = match result.stage {
        Stage::Words => "words",
        Stage::UnitInterval => "unit interval",
        Stage::Scale => "scale",
    };
    match (result.equal, result.stage) {
        (true, _) => format!("{name} equal"),
        // In capitals without colour too: the first stage that differs is what the reader looks for.
        (false, Stage::Words) => "WORDS differ".to_owned(),
        (false, _) => format!("{} differs", name.to_uppercase()),
    }
}

fn chunks(differing: &[usize], total: usize, first: Option<&Element>, palette: Palette) -> Vec<String> {
    const MAX_LISTED_CHUNKS: usize = 8;
    let mut which: Vec<String> = differing
        .iter()
        .take(MAX_LISTED_CHUNKS)
        .map(usize::to_string)
        .collect();
    if differing.len() > MAX_LISTED_CHUNKS {
        which.push(format!(
            "… {} more",
            thousands(differing.len() - MAX_LISTED_CHUNKS)
        ));
    }
    let mut lines = vec![format!(
        "{}: {}",
        differ(differing.len(), total, CHUNKS, thousands),
        which.join(", ")
    )];
    match first {
        Some(first) => {
            lines.push(format!(
                "the first element known to differ is at {}",
                place(first)
            ));
            lines.push(pair(first, palette));
        }
        None => {
            lines.push("the first and last elements are equal; the rest is known by its digest".to_owned());
        }
    }
    lines
}
