//! Text that others wrote, made fit for documents.

pub(crate) use seedproof_ops::untrusted::{last_lines, one_line, paragraph};

/// The longest address that becomes a link.
#[cfg(feature = "documents")]
const WIDTH: usize = 400;

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
    fn web_is_nothing_but_an_address() {
        assert_eq!(web("https://a.org/b-c#d"), "https://a.org/b-c#d");
        let long = |length: usize| format!("https://{}", "a".repeat(length - 8));
        assert_eq!(web(&long(WIDTH - 1)), long(WIDTH - 1));
        assert_eq!(web(&long(WIDTH)), "");
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
