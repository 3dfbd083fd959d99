//! The name that a misspelt text probably means.

use std::cmp::Reverse;

/// The name with the fewest edits to a text, or to a text that is a part of it, whatever the case of letters. A third
/// of the text may be edited; the wildcards of a glob do not count. Where there is none, the longest name that
/// abbreviates the text: `f32` for `float32`.
///
/// ```
/// use seedproof_ops::nearest;
///
/// assert_eq!(nearest("tensorfow", ["pytorch", "tensorflow"]), Some("tensorflow"));
/// assert_eq!(nearest("float32", ["f16", "f32"]), Some("f32"));
/// assert_eq!(nearest("jax", ["pytorch", "tensorflow"]), None);
/// ```
pub fn nearest<'a>(text: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters = text.chars().filter(|c| !matches!(c, '*' | '?' | '!'));
    let text: Vec<char> = letters.map(|c| c.to_ascii_lowercase()).collect();
    let names: Vec<&str> = names.into_iter().collect();
    // What a text is longer than a name by is edited away.
    let scored = names
        .iter()
        .filter(|name| text.len().saturating_sub(name.chars().count()) * 3 <= text.len())
        // Of names that are as near, the one that begins alike: `ru8` and not `oru` for `ru9`.
        .map(|&name| (edits(&text, name), name.len(), Reverse(alike(&text, name)), name))
        .filter(|&(edits, ..)| edits * 3 <= text.len());
    let within = || {
        let parts = names.iter().filter(|name| is_within(name, &text));
        parts.copied().max_by_key(|name| name.len())
    };
    if text.is_empty() {
        return None;
    }
    scored.min().map(|(.., name)| name).or_else(within)
}

/// The letters with which both begin.
fn alike(text: &[char], name: &str) -> usize {
    let name = name.chars().map(|c| c.to_ascii_lowercase());
    text.iter().zip(name).take_while(|(a, b)| **a == *b).count()
}

/// `; did you mean …?` with the name that a text is nearest to, or nothing if it is near none.
///
/// ```
/// use seedproof_ops::did_you_mean;
///
/// assert_eq!(did_you_mean("float64", ["f16", "f32", "f64"]), "; did you mean `f64`?");
/// ```
pub fn did_you_mean<'a>(text: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    nearest(text, names).map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

/// Whether a short name begins and ends as the text does and has its letters in order: an abbreviation of it.
fn is_within(name: &str, text: &[char]) -> bool {
    let name: Vec<char> = name.chars().map(|c| c.to_ascii_lowercase()).collect();
    let mut rest = text.iter();
    name.len() > 1
        && name.first() == text.first()
        && name.last() == text.last()
        && name.iter().all(|c| rest.any(|other| other == c))
}

/// Insertions, deletions, replacements and exchanges of neighbours that make a text a part of a name.
fn edits(text: &[char], name: &str) -> usize {
    let name: Vec<char> = name.chars().map(|c| c.to_ascii_lowercase()).collect();
    // A part may begin anywhere and end anywhere, at no cost.
    let mut rows = vec![vec![0; name.len() + 1]];
    for (row, a) in text.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, b) in name.iter().enumerate() {
            let replaced = rows[row][column] + usize::from(a != b);
            let edited = replaced.min(rows[row][column + 1] + 1).min(current[column] + 1);
            let exchanged = row > 0 && column > 0 && *a == name[column - 1] && *b == text[row - 1];
            let before = exchanged.then(|| rows[row - 1][column - 1] + 1);
            current.push(before.map_or(edited, |exchanged| edited.min(exchanged)));
        }
        rows.push(current);
    }
    rows.last()
        .and_then(|last| last.iter().min())
        .copied()
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_name_is_a_few_letters_away_or_has_the_text_as_a_part() {
        let names = ["ru8.philox.rounds", "ru8.philox.round", "mn13.select.comparison"];
        let near = |text| nearest(text, names);
        assert_eq!(near("ru8.philox.rond"), Some("ru8.philox.round"));
        assert_eq!(near("RU8.PHILOX.ROUNDS"), Some("ru8.philox.rounds"));
        assert_eq!(near("comparision"), Some("mn13.select.comparison"));
        assert_eq!(near("mn13.selct.*"), Some("mn13.select.comparison"));
        assert_eq!(nearest("lsit", ["show", "list"]), Some("list"));
        assert_eq!(near("quaternion"), None);
        assert_eq!(near("*"), None);
    }

    /// With every edit of these counted the test would take minutes.
    #[test]
    fn nearest_name_of_a_long_text_is_none_and_found_at_once() {
        let names: Vec<String> = (0..6_000).map(|n| format!("b{n}/tensorflow/f32")).collect();
        let names = || names.iter().map(String::as_str);
        assert_eq!(nearest(&"a".repeat(1 << 20), names()), None);
        assert_eq!(nearest("b17/tensorflow/f23", names()), Some("b17/tensorflow/f32"));
    }

    #[test]
    fn nearest_name_may_abbreviate_the_text() {
        let types = ["u8", "f16", "bf16", "f32", "f64", "i32", "i64"];
        let near = |text| nearest(text, types);
        assert_eq!(near("float32"), Some("f32"));
        assert_eq!(near("bfloat16"), Some("bf16"));
        assert_eq!(near("Int64"), Some("i64"));
        assert_eq!(near("uint8"), Some("u8"));
        assert_eq!(near("string"), None);
    }
}
