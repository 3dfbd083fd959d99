//! How a text is written in YAML: as it is where every parser reads that text and nothing else, else in double quotes.

use std::fmt::Write as _;

/// The text as a value or a key, also within `{}` and `[]`.
pub fn scalar(text: &str) -> String {
    let plain = is_plain(text)
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || " ._/+-".contains(c));
    if plain { text.to_owned() } else { quoted(text) }
}

/// Whether a text may stand plain after a key of a block mapping: no parser takes it for anything but this text.
pub fn is_plain(text: &str) -> bool {
    let words = [
        "true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf", "infinity",
    ];
    let begins = text.starts_with(|c: char| c.is_ascii_alphanumeric());
    let number_like = text.starts_with(|c: char| c.is_ascii_digit())
        && (text.parse::<f64>().is_ok() || !text.contains('.') || text.contains(['_', ':', '-']));
    begins
        && !number_like
        && !words.contains(&text.to_ascii_lowercase().as_str())
        && !text.ends_with([' ', ':'])
        && !["  ", ": ", " #"].iter().any(|mark| text.contains(mark))
        && text.chars().all(|c| !must_escape(c))
}

/// The text in double quotes, with escapes for what cannot stand there.
pub fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            c if must_escape(c) => {
                write!(quoted, "\\U{:08X}", u32::from(c)).expect("writing to a string cannot fail");
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Control characters, line ends of every sort, byte-order marks and what Unicode reserves.
fn must_escape(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_plain_only_where_it_is_safe() {
        for text in ["openvino", "2026.4.1", "torch 2.7", "a/b_c-d"] {
            assert_eq!(scalar(text), text);
        }
        for text in [
            "", "2.21", "150", "true", "No", "a, b", "a: b", "- a", "a #b", "{a}", " a", "a ", "0x10", "1_0",
            "é", "1:2.5",
        ] {
            assert!(scalar(text).starts_with('"'), "{text}");
        }
        assert_eq!(quoted("a\"\\\n\u{85}"), "\"a\\\"\\\\\\n\\U00000085\"");
    }
}
