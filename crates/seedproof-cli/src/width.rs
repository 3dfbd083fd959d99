//! Lines as long as the terminal is wide. What goes to a file or a pipe is not broken.

use std::fmt::Write as _;

/// The width of the terminal that standard output is; else what `COLUMNS` says, as for the help.
pub(crate) fn of_terminal() -> Option<usize> {
    match terminal_size::terminal_size_of(std::io::stdout()) {
        Some((terminal_size::Width(columns), _)) => Some(columns.into()),
        None => std::env::var("COLUMNS").ok()?.parse().ok(),
    }
}

/// A line, broken at spaces after at most `width` characters where there are such, its further lines indented.
pub(crate) fn wrapped(line: &str, indent: usize, width: Option<usize>) -> String {
    // Narrower columns break almost every word.
    const NARROWEST: usize = 20;
    let Some(width) = width.filter(|&width| width >= indent + NARROWEST) else {
        return line.to_owned();
    };
    let mut text = String::new();
    let mut column = 0;
    for word in line.split_inclusive(' ') {
        let (length, bare) = (word.chars().count(), word.trim_end().chars().count());
        if column > indent && column + bare > width {
            text.truncate(text.trim_end().len());
            write!(text, "\n{:indent$}", "").expect("a String takes every write");
            column = indent;
        }
        text.push_str(word);
        column += length;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapped_lines_keep_every_word() {
        let line = format!("  clause      id: {}", "a word and naïve ones ".repeat(9));
        let line = line.trim_end();
        for width in 34..200 {
            let text = wrapped(line, 14, Some(width));
            assert!(
                text.lines().all(|line| line.chars().count() <= width),
                "{width}: {text}"
            );
            assert!(text.lines().skip(1).all(|line| line.starts_with(&" ".repeat(14))));
            assert!(
                text.split_whitespace().eq(line.split_whitespace()),
                "{width}: {text}"
            );
            assert_eq!(text.lines().count() == 1, line.chars().count() <= width);
            let is_full = |(line, next): (&str, &str)| {
                let word = next.split_whitespace().next().unwrap_or_default();
                line.chars().count() + 1 + word.chars().count() > width
            };
            assert!(
                text.lines().zip(text.lines().skip(1)).all(is_full),
                "{width}: {text}"
            );
        }
    }

    #[test]
    fn wrapped_without_a_width_is_the_line() {
        let line = "a b ".repeat(99);
        assert_eq!(wrapped(&line, 14, None), line);
        assert_eq!(wrapped(&line, 14, Some(3)), line);
        let word = "w".repeat(99);
        assert_eq!(wrapped(&word, 14, Some(60)), word, "a word is never broken");
        let named = format!("  clause      {word}");
        assert_eq!(wrapped(&named, 14, Some(60)), named, "it stays beside its name");
    }
}
