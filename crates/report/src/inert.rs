//! Text that others wrote, made fit to be shown: nothing in it moves a cursor, turns the reading direction or floods
//! a page. Markup is for each document's own escaping; it is not touched here.

use std::fmt::Write as _;

/// Characters that are not shown as themselves: controls, and those that have no width or turn the direction.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
        || (u32::from(c) & 0xfffe) == 0xfffe
}

fn push(out: &mut String, c: char) {
    if is_hidden(c) {
        write!(out, "\\u{{{:x}}}", u32::from(c)).expect("a String takes every write");
    } else {
        out.push(c);
    }
}

/// A text on one line: line ends become spaces, hidden characters are written `\u{1b}`, and what is longer than
/// `limit` characters is cut with a mark that says how much is missing.
pub fn inert(text: &str, limit: usize) -> String {
    let text = text.trim_end();
    let mut out = String::with_capacity(text.len().min(limit) + 16);
    for c in text.chars().take(limit) {
        match c {
            '\n' | '\t' => out.push(' '),
            '\r' => {}
            c => push(&mut out, c),
        }
    }
    mark(&mut out, text.chars().skip(limit).count());
    out
}

/// A text on its own lines: each of the first `lines` as [`inert`] has it with `width` characters, then a mark that
/// says how many lines are missing.
pub fn cut(text: &str, lines: usize, width: usize) -> String {
    let text = text.trim_end();
    let mut out: String = text
        .lines()
        .take(lines)
        .map(|line| inert(line, width))
        .collect::<Vec<_>>()
        .join("\n");
    let missing = text.lines().skip(lines).count();
    if missing > 0 {
        write!(out, "\n… {missing} more lines").expect("a String takes every write");
    }
    out
}

fn mark(out: &mut String, missing: usize) {
    if missing > 0 {
        write!(out, "… {missing} more characters").expect("a String takes every write");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inert_shows_what_would_act() {
        assert_eq!(inert("\u{1b}[31mred\u{7}", 80), "\\u{1b}[31mred\\u{7}");
        assert_eq!(inert("abc\u{202e}fdp.exe", 80), "abc\\u{202e}fdp.exe");
        assert_eq!(inert("a\r\nb\tc\0", 80), "a b c\\u{0}");
        assert_eq!(
            inert("tag\u{e0041}\u{feff}\u{fffe}", 80),
            "tag\\u{e0041}\\u{feff}\\u{fffe}"
        );
    }

    #[test]
    fn inert_leaves_plain_text() {
        for text in ["", "naïve — 多項式 🎲", "<script>&\"'"] {
            assert_eq!(inert(text, 80), text);
        }
    }

    #[test]
    fn inert_cuts_a_long_line_with_a_mark() {
        let long = "x".repeat(1 << 20);
        let shown = inert(&long, 100);
        assert!(shown.ends_with("x… 1048476 more characters"), "{shown}");
        assert_eq!(shown.chars().filter(|&c| c == 'x').count(), 100);
    }

    #[test]
    fn cut_counts_the_lines_it_leaves_out() {
        let text = "one\ntwo\u{8}\nthree\nfour\n\n";
        assert_eq!(cut(text, 2, 80), "one\ntwo\\u{8}\n… 2 more lines");
        assert_eq!(cut("one\n", 2, 80), "one");
        assert_eq!(cut("\n\n", 2, 80), "");
    }
}
