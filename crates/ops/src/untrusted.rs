//! Text that others wrote, made fit to be kept and to be shown: nothing in it moves a cursor, turns the reading direction, floods
//! a page or gives a command to a CI system. Each document escapes markup itself; it is not touched here.

use std::borrow::Cow;

/// Most bytes of a message, and of a standard error, that a finding keeps: both of each case of the corpus are 60 MB. This
/// project's own messages have a few hundred.
const KEPT: usize = 2 << 10;

/// Most characters of a line.
const WIDTH: usize = 400;

/// Controls, and characters that have no width or turn the direction: they are not shown as themselves.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
        || (u32::from(c) & 0xfffe) == 0xfffe
}

/// A text on one line: line ends become spaces, hidden characters are written `\u{1b}`, and a text of more than 400
/// characters is clipped, with a mark that counts the missing ones.
///
/// ```
/// use seedproof_ops::untrusted::one_line;
///
/// assert_eq!(one_line("out of\nmemory\u{1b}[2J"), "out of memory\\u{1b}[2J");
/// ```
pub fn one_line(text: &str) -> String {
    limited(text, WIDTH)
}

/// [`one_line`] for what may take several lines on a screen: up to 1,600 characters.
pub fn paragraph(text: &str) -> String {
    limited(text, 4 * WIDTH)
}

/// A text as a finding keeps it: of one of more than 2 KiB its two ends, with a mark that counts the bytes between them. A log
/// writes some characters with six bytes each, which are counted.
pub fn bounded(text: String) -> String {
    bounded_to(KEPT, text)
}

/// [`bounded`] to another number of bytes, and those of the mark.
///
/// ```
/// use seedproof_ops::untrusted::bounded_to;
///
/// assert_eq!(bounded_to(8, "0123456789".to_owned()), "0123… 2 more bytes …6789");
/// ```
pub fn bounded_to(most: usize, text: String) -> String {
    let written = |c: char| match c {
        '"' | '\\' => 2,
        c if c.is_control() => 6,
        c => c.len_utf8(),
    };
    if text.chars().map(written).sum::<usize>() <= most {
        return text;
    }
    let fits = |chars: &mut dyn Iterator<Item = char>| {
        let mut left = most / 2;
        let mut length = 0;
        for c in chars {
            let Some(rest) = left.checked_sub(written(c)) else {
                break;
            };
            left = rest;
            length += c.len_utf8();
        }
        length
    };
    let first = fits(&mut text.chars());
    let last = text.len() - fits(&mut text.chars().rev());
    let mut ends = format!(
        "{}… {} more bytes …{}",
        &text[..first],
        last - first,
        &text[last..]
    );
    // Thousands are kept, and a text that grew by pieces has up to twice the room that it needs.
    ends.shrink_to_fit();
    ends
}

/// A line that no CI system takes for a command of its own, whatever colours it begins with.
pub fn inert(line: &str) -> Cow<'_, str> {
    if !line.contains("::") && !line.contains("##") {
        return Cow::Borrowed(line);
    }
    let mut out = String::with_capacity(line.len() + 16);
    for (at, c) in line.char_indices() {
        match c {
            ':' | '#' if is_command(line, at) => escape(c, &mut out),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Whether a CI system may take a text from here on for a command: GitHub's runner `::set-env …` after any space that begins a
/// line, and `##[set-env …` anywhere in one; Azure and TeamCity `##vso[…` and `##teamcity[…`. A text may come to begin a line, so
/// that each word counts, and not only the first.
fn is_command(text: &str, at: usize) -> bool {
    let (before, rest) = text.split_at(at);
    if rest.starts_with("::") {
        // The end of a colour stands before it where there is no space.
        let begins = |c: char| c.is_whitespace() || is_hidden(c) || c == 'm';
        let word = before.rsplit(|c: char| c.is_whitespace()).next().unwrap_or("");
        return before
            .chars()
            .next_back()
            .is_none_or(|c| begins(c) && (c != 'm' || word.contains('\u{1b}')));
    }
    let Some(rest) = rest.strip_prefix("##") else {
        return false;
    };
    rest.trim_start_matches(|c: char| c.is_ascii_alphabetic())
        .starts_with('[')
}

fn escape(c: char, out: &mut String) {
    out.push_str(&format!("\\u{{{:x}}}", u32::from(c)));
}

fn limited(text: &str, limit: usize) -> String {
    let text = text.trim_end();
    let mut out = String::with_capacity(text.len().min(limit) + 16);
    for (at, c) in text.char_indices().take(limit) {
        match c {
            ':' | '#' if is_command(text, at) => escape(c, &mut out),
            '\n' | '\t' => out.push(' '),
            '\r' => {}
            c if is_hidden(c) => escape(c, &mut out),
            c => out.push(c),
        }
    }
    let missing = text.chars().skip(limit).count();
    if missing > 0 {
        out.push_str(&format!("… {missing} more characters"));
    }
    out
}

/// The last lines of a text, each as [`one_line`] has it, after a mark that counts the lines before. It is for standard
/// error: a traceback ends in the reason for a failure, and a framework may warn at length before it.
pub fn last_lines(text: &str, lines: usize) -> String {
    let all: Vec<&str> = text.trim_end().lines().collect();
    let before = all.len().saturating_sub(lines);
    let mark = match before {
        0 => None,
        1 => Some("… 1 more line before".to_owned()),
        _ => Some(format!("… {before} more lines before")),
    };
    let shown = all[before..].iter().map(|line| one_line(line));
    mark.into_iter().chain(shown).collect::<Vec<_>>().join("\n")
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
    fn one_line_leaves_plain_text() {
        for text in ["", "naïve — 多項式 🎲", "<script>&\"'"] {
            assert_eq!(one_line(text), text);
        }
    }

    #[test]
    fn text_is_no_command_of_a_ci_system() {
        for text in [
            "::stop-commands::x",
            "  ::error::x",
            "a\n::error::x",
            "\u{a0}::x",
            "\u{feff}::x",
            "a ##[error]b",
        ] {
            let shown = one_line(text);
            assert!(
                !shown.contains(" ::") && !shown.starts_with("::") && !shown.contains("##["),
                "{shown}"
            );
        }
        assert_eq!(one_line("::x::y"), "\\u{3a}:x::y");
        assert_eq!(one_line("x##vso[task]"), "x\\u{23}#vso[task]");
        assert_eq!(inert("\u{1b}[31m::x"), "\u{1b}[31m\\u{3a}:x");
        assert_eq!(inert("  ##teamcity[x"), "  \\u{23}#teamcity[x");
        for plain in [
            "std::vector",
            "a: :b",
            "## Heading",
            "item::name [x]",
            "##",
            "f32::MAX",
        ] {
            assert_eq!(one_line(plain), plain);
            assert_eq!(inert(plain), plain);
        }
    }

    #[test]
    fn bounded_text_keeps_its_ends_and_counts_what_a_log_writes() {
        let short = "é".repeat(KEPT / 2);
        assert_eq!(bounded(short.clone()), short);
        for c in ['x', 'é', '\u{1}', '🎲'] {
            let text = bounded(format!("first{}last", c.to_string().repeat(1 << 20)));
            assert!(text.starts_with("first") && text.ends_with("last"));
            assert!(text.contains(" more bytes …"));
            let written = text
                .chars()
                .map(|c| if c.is_control() { 6 } else { c.len_utf8() });
            assert!(written.sum::<usize>() <= KEPT + 64, "{c:?}");
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
    fn last_lines_have_the_reason() {
        let text = "warning\n".repeat(3) + "no such\u{8} device\n\n";
        assert_eq!(
            last_lines(&text, 2),
            "… 2 more lines before\nwarning\nno such\\u{8} device"
        );
        assert_eq!(last_lines(&text, 3).lines().next(), Some("… 1 more line before"));
        assert_eq!(last_lines(&text, 4).lines().count(), 4);
        assert_eq!(last_lines("\n", 2), "");
    }
}
