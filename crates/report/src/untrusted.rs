//! Text that others wrote, as documents show it.

pub(crate) use seedproof_ops::untrusted::{clip, one_line, paragraph};

/// The longest address: the width of a line.
#[cfg(feature = "documents")]
const WIDTH: usize = 400;

/// An address of the web, to be followed by a click; empty for any other text.
#[cfg(feature = "documents")]
pub(crate) fn web(url: &str) -> &str {
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
