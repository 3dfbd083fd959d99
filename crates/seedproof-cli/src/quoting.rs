//! Command lines as a shell takes them.

use std::ffi::{OsStr, OsString};
use std::sync::OnceLock;

/// A word as a shell takes it.
pub(crate) fn quoted(word: &str) -> String {
    // Only a zero byte cannot be quoted, and no argument has one.
    shlex::try_quote(word).map_or_else(|_| word.to_owned(), Into::into)
}

/// An argument as a shell takes it. Bytes that are not UTF-8, and characters that end a line, are written as bash, zsh and
/// POSIX of 2024 read them: `$'a\xff'`.
pub(crate) fn quoted_os(word: &OsStr) -> String {
    match word.to_str() {
        Some(text) if !text.contains(char::is_control) => quoted(text),
        _ => {
            let escaped = word.as_encoded_bytes().iter().map(|&byte| match byte {
                b'\\' | b'\'' => format!("\\{}", char::from(byte)),
                b' '..=b'~' => char::from(byte).to_string(),
                _ => format!("\\x{byte:02x}"),
            });
            format!("$'{}'", escaped.collect::<String>())
        }
    }
}

/// The arguments of the program, which in another program are not those of the process.
static ARGUMENTS: OnceLock<Vec<OsString>> = OnceLock::new();

/// Keeps the program's arguments for [`command_line`]. The first ones of a process stay.
pub(crate) fn keep(arguments: Vec<OsString>) {
    let _ = ARGUMENTS.set(arguments);
}

/// The command line of the program, to be pasted into a shell.
pub(crate) fn command_line() -> String {
    let arguments = ARGUMENTS.get().into_iter().flatten().skip(1);
    let words: Vec<String> = arguments.map(|argument| quoted_os(argument)).collect();
    ["seedproof".to_owned()]
        .into_iter()
        .chain(words)
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_words_survive_a_shell() {
        for word in ["./adapter", "python3 it's.py", "", "a \"b\" $c"] {
            assert_eq!(shlex::split(&quoted(word)), Some(vec![word.to_owned()]));
            assert_eq!(quoted_os(OsStr::new(word)), quoted(word));
        }
        assert_eq!(quoted("./adapter"), "./adapter");
        assert_eq!(quoted("python3 my.py"), "'python3 my.py'");
        assert_eq!(quoted_os(OsStr::new("a\nb'c\\")), r"$'a\x0ab\'c\\'");
    }

    #[cfg(unix)]
    #[test]
    fn quoted_bytes_need_be_no_text() {
        use std::os::unix::ffi::OsStrExt as _;
        assert_eq!(quoted_os(OsStr::from_bytes(b"o-\xff")), r"$'o-\xff'");
    }
}
