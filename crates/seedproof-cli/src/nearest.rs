//! The nearest name to a text that is none.

/// `; did you mean …?` with the name that a text is nearest to, or nothing if it is near none.
pub(crate) fn did_you_mean<'a>(text: &str, names: impl Iterator<Item = &'a str>) -> String {
    nearest(text, names).map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

/// The name with the fewest edits to a text, or to a text that is a part of it. A third of the text may be edited.
fn nearest<'a>(text: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let text: Vec<char> = text
        .chars()
        .filter(|c| !matches!(c, '*' | '?' | '!'))
        .map(|c| c.to_ascii_lowercase())
        .collect();
    if text.is_empty() {
        return None;
    }
    names
        .map(|name| (edits(&text, name), name.len(), name))
        .filter(|&(edits, ..)| edits * 3 <= text.len())
        .min()
        .map(|(_, _, name)| name)
}

/// Insertions, deletions and replacements that make a text a part of a name.
fn edits(text: &[char], name: &str) -> usize {
    // A part may begin anywhere and end anywhere, at no cost.
    let mut previous = vec![0; name.len() + 1];
    for (row, a) in (1..).zip(text) {
        let mut current = vec![row];
        for (column, b) in name.bytes().enumerate() {
            let replaced = previous[column] + usize::from(*a != char::from(b.to_ascii_lowercase()));
            current.push(replaced.min(previous[column + 1] + 1).min(current[column] + 1));
        }
        previous = current;
    }
    previous.into_iter().min().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_name_is_a_few_letters_away_or_has_the_text_as_a_part() {
        let names = ["ru8.philox.rounds", "ru8.philox.round", "mn13.select.comparison"];
        let near = |text| nearest(text, names.into_iter());
        assert_eq!(near("ru8.philox.rond"), Some("ru8.philox.round"));
        assert_eq!(near("RU8.PHILOX.ROUNDS"), Some("ru8.philox.rounds"));
        assert_eq!(near("comparision"), Some("mn13.select.comparison"));
        assert_eq!(near("mn13.selct.*"), Some("mn13.select.comparison"));
        assert_eq!(near("quaternion"), None);
        assert_eq!(near("*"), None);
    }
}
