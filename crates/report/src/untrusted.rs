//! Text that others wrote, made fit for documents.

use seedproof_ops::untrusted::clip;
pub(crate) use seedproof_ops::untrusted::{one_line, paragraph};

/// The longest address that becomes a link.
#[cfg(feature = "documents")]
const WIDTH: usize = 400;

/// The last lines of a text, after a mark that counts the ones before. It is for standard error, whose last lines have
/// the reason for a failure: a traceback ends in it, and a framework's warnings come before.
pub(crate) fn last_lines(text: &str, lines: usize) -> String {
    let all: Vec<&str> = text.trim_end().lines().collect();
    let before = all.len().saturating_sub(lines);
    let shown = clip(&all[before..].join("\n"), lines);
    match before {
        0 => shown,
        1 => format!("… 1 more line before\n{shown}"),
        _ => format!("… {before} more lines before\n{shown}"),
    }
}

/// The address if it may become a link, else an empty text.
#[cfg(feature = "documents")]
pub(crate) fn web(url: &str) -> &str {
    // Only https, and only characters that need no escape in an attribute: `javascript:` runs code at a click, and the
    // address may come from a log that somebody else wrote.
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"/.-_~%#?=&:+,".contains(&b);
    let is_web = url.starts_with("https://") && url.len() < WIDTH && url.bytes().all(plain);
    if is_web { url } else { "" }
}

#[cfg(all(test, feature = "documents"))]
mod tests {
    use super::*;

    #[test]
    fn last_lines_have_the_reason() {
        let text = "warning\n".repeat(3) + "no such device\n\n";
        assert_eq!(
            last_lines(&text, 2),
            "… 2 more lines before\nwarning\nno such device"
        );
        assert_eq!(last_lines(&text, 3).lines().next(), Some("… 1 more line before"));
        assert_eq!(last_lines(&text, 4).lines().count(), 4);
        assert_eq!(last_lines("\n", 2), "");
    }

    #[test]
    fn web_is_nothing_but_an_address() {
        assert_eq!(web("https://a.org/b-c#d"), "https://a.org/b-c#d");
        for other in [
            "javascript:alert(1)",
            "http://a.org",
            "https://a.org/\"><b>",
            "//a.org",
            "",
        ] {
            assert_eq!(web(other), "", "{other}");
        }
    }
}
