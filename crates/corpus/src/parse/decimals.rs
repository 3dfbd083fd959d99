//! Decimal comments: `# 0.5, 1, …` after float literals on the same line, compared with the bits.
//!
//! Integers are their own decimals and take no part. A comment on a line without float literals is just text.

use std::collections::BTreeMap;

use seedproof_ops::Scalar;

use super::reader::Reader;
use crate::error::Position;

/// Reports every comment that contradicts the literals of its line.
pub(super) fn check(reader: &mut Reader<'_>, source: &str) {
    let mut lines: BTreeMap<usize, Vec<(usize, Scalar)>> = BTreeMap::new();
    for (at, scalar) in std::mem::take(&mut reader.literals) {
        lines.entry(at.line).or_default().push((at.column, scalar));
    }
    // YAML ends lines at a lone carriage return too.
    let mut sources = source.lines().flat_map(|line| line.split('\r')).enumerate();
    for (line, mut literals) in lines {
        let Some((_, text)) = sources.find(|(i, _)| i + 1 == line) else {
            return;
        };
        let Some((column, comment)) = comment(text) else {
            continue;
        };
        literals.sort_by_key(|&(column, _)| column);
        let scalars: Vec<Scalar> = literals.into_iter().map(|(_, scalar)| scalar).collect();
        if let Err(message) = compare(comment, &scalars) {
            reader.fail(Position { line, column }, message);
        }
    }
}

/// The comment of a line, without its `#`, and the column of the `#`.
fn comment(line: &str) -> Option<(usize, &str)> {
    let mut quote = None;
    let mut before = ' ';
    for (i, (start, c)) in line.char_indices().enumerate() {
        match (quote, c) {
            (Some(open), _) if c == open && before != '\\' => quote = None,
            (None, '"' | '\'') if !before.is_alphanumeric() => quote = Some(c),
            (None, '#') if before.is_whitespace() => return Some((i + 1, &line[start + 1..])),
            _ => {}
        }
        before = c;
    }
    None
}

fn compare(comment: &str, scalars: &[Scalar]) -> Result<(), String> {
    let expected = || {
        let decimals: Vec<String> = scalars.iter().map(|scalar| scalar.decimal()).collect();
        decimals.join(", ")
    };
    let comment = comment.trim();
    let (listed, more) = comment.strip_suffix('…').map_or((comment, false), |rest| {
        (rest.trim_end().trim_end_matches(','), true)
    });
    let decimals: Vec<&str> = listed
        .split(',')
        .map(str::trim)
        .filter(|text| !listed.is_empty() || !text.is_empty())
        .collect();
    let fits = if more {
        decimals.len() < scalars.len()
    } else {
        decimals.len() == scalars.len()
    };
    if !fits {
        return Err(format!(
            "match the comment `{comment}` with the {} literals of its line: expected {}",
            scalars.len(),
            expected()
        ));
    }
    for (text, &scalar) in decimals.iter().zip(scalars) {
        let read = Scalar::from_decimal(scalar.dtype(), text);
        let agrees = read == Some(scalar) || scalar.to_f64().is_nan() && *text == "NaN";
        if !agrees {
            return Err(format!(
                "match the comment `{text}` with the bits {}: expected {}",
                scalar.literal(),
                scalar.decimal()
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use seedproof_ops::Dtype;

    use super::*;

    #[test]
    fn decimals_comment_starts_outside_quotes_and_after_a_space() {
        assert_eq!(comment("a: \"x # y\" # 1"), Some((12, " 1")));
        assert_eq!(comment("a: b#c"), None);
        assert_eq!(comment("# all"), Some((1, " all")));
        assert_eq!(comment("note: it's so # 1"), Some((15, " 1")));
    }

    #[test]
    fn decimals_are_compared_by_value_in_order() {
        let scalars = [0x3f80_0000, 0x3f00_0000].map(|bits| Scalar::new(Dtype::F32, bits));
        for text in [" 1, 0.5", "1.0,0.5", "1, …", "…"] {
            assert_eq!(compare(text, &scalars), Ok(()), "{text}");
        }
        for text in [
            "0.5, 1",
            "1",
            "1, 0.5, …",
            "1, 0.5, 2",
            "one, half",
            "",
            "1, , 0.5",
            "1, 0.5,",
        ] {
            assert!(compare(text, &scalars).is_err(), "{text}");
        }
        assert_eq!(
            compare("1, 0.25", &scalars),
            Err("match the comment `0.25` with the bits 3f000000: expected 0.5".to_owned())
        );
        // Any NaN, as decimals say nothing of its bits.
        let nan = [Scalar::new(Dtype::F32, 0xffc0_0001)];
        assert_eq!(compare("NaN", &nan), Ok(()));
        assert!(compare("1", &nan).is_err());
        assert!(compare("NaN", &scalars[..1]).is_err());
    }
}
