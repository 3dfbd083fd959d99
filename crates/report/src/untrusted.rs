//! Text that others wrote, made fit to be shown: nothing in it moves a cursor, turns the reading direction or floods
//! a page. Each document escapes markup itself; it is not touched here.

/// Most characters of a line.
const WIDTH: usize = 400;

/// Controls, and characters that have no width or turn the direction: they are not shown as themselves.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
        || (u32::from(c) & 0xfffe) == 0xfffe
}

/// A text on one line: line ends become spaces, hidden characters are written `\u{1b}`, and a text of more than 400
/// characters is clipped, with a mark that counts the missing ones.
pub(crate) fn one_line(text: &str) -> String {
    limited(text, WIDTH)
}

/// [`one_line`] for what may take several lines on a screen: up to 1,600 characters.
pub(crate) fn paragraph(text: &str) -> String {
    limited(text, 4 * WIDTH)
}

fn limited(text: &str, limit: usize) -> String {
    let text = text.trim_end();
    let mut out = String::with_capacity(text.len().min(limit) + 16);
    for c in text.chars().take(limit) {
        match c {
            '\n' | '\t' => out.push(' '),
            '\r' => {}
            c if is_hidden(c) => out.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
            c => out.push(c),
        }
    }
    let missing = text.chars().skip(limit).count();
    if missing > 0 {
        out.push_str(&format!("… {missing} more characters"));
    }
    out
}

/// An address of the web, to be followed by a click; empty for any other text.
#[cfg(feature = "documents")]
pub(crate) fn web(url: &str) -> &str {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"/.-_~%#?=&:+,".contains(&b);
    let is_web = url.starts_with("https://") && url.len() < WIDTH && url.bytes().all(plain);
    if is_web { url } else { "" }
}

/// A text on its own lines: each of the first `lines` as [`one_line`] has it, then a mark that counts the missing lines.
pub(crate) fn clip(text: &str, lines: usize) -> String {
    let text = text.trim_end();
    let shown = text.lines().take(lines).map(one_line);
    let mut out = shown.collect::<Vec<_>>().join("\n");
    let missing = text.lines().skip(lines).count();
    if missing > 0 {
        out.push_str(&format!("\n… {missing} more lines"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_shows_what_would_act() {
        assert_eq!(one_line("\u{1b}[31mred\u{7}"), "\\u{1b}[31mred\\u{7}");
        assert_eq!(one_line("abc\u{202e}fdp.exe"), "abc\\u{202e}fdp.exe");
        assert_eq!(one_line("a\r\nb\tc\0"), "a b c\\u{0}");
        assert_eq!(
            one_line("tag\u{e0041}\u{feff}\u{fffe}"),
            "tag\\u{e0041}\\u{feff}\\u{fffe}"
        );
    }

    #[test]
    #[cfg(feature = "documents")]
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

    #[test]
    fn one_line_leaves_plain_text() {
        for text in ["", "naïve — 多項式 🎲", "<script>&\"'"] {
            assert_eq!(one_line(text), text);
        }
    }

    #[test]
    fn one_line_clips_a_long_text_with_a_mark() {
        let long = "x".repeat(1 << 20);
        let shown = one_line(&long);
        assert!(shown.ends_with("x… 1048176 more characters"), "{shown}");
        assert_eq!(shown.chars().filter(|&c| c == 'x').count(), 400);
    }

    #[test]
    fn clip_counts_the_missing_lines() {
        let text = "one\ntwo\u{8}\nthree\nfour\n\n";
        assert_eq!(clip(text, 2), "one\ntwo\\u{8}\n… 2 more lines");
        assert_eq!(clip("one\n", 2), "one");
        assert_eq!(clip("\n\n", 2), "");
    }
}
