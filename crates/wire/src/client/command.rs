//! The command that starts an adapter: a program and its arguments, without a shell.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

/// A program with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdapterCommand {
    /// The program: a path, or a name that is looked up in `PATH`.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// The adapter's name in reports, after `adapter/`. By default the name in its hello line.
    pub name: Option<String>,
}

/// Why a text is not a command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidCommand {
    /// A quotation mark is not closed, or a backslash ends the text.
    #[error("split the command `{0}` into words: is a quotation mark not closed?")]
    Quoting(String),
    /// The text has no words, or the first one is empty.
    #[error("read a command: it names no program")]
    Empty,
}

impl AdapterCommand {
    /// A command from its words; the first is the program.
    ///
    /// # Errors
    /// [`InvalidCommand::Empty`] if there are no words or the first one is empty.
    pub fn new<T: Into<OsString>>(words: impl IntoIterator<Item = T>) -> Result<Self, InvalidCommand> {
        let mut words = words.into_iter().map(Into::into);
        let program = words
            .next()
            .filter(|program| !program.is_empty())
            .ok_or(InvalidCommand::Empty)?;
        Ok(Self {
            program: program.into(),
            args: words.collect(),
            name: None,
        })
    }

    /// A command from one text. Quotation marks and backslashes work as in a shell. There are no
    /// variables, globs or pipes.
    ///
    /// # Errors
    /// [`InvalidCommand`] if the quoting is wrong or there are no words.
    pub fn parse(text: &str) -> Result<Self, InvalidCommand> {
        Self::new(shlex::split(text).ok_or_else(|| InvalidCommand::Quoting(text.to_owned()))?)
    }

    /// The same command under another name in reports.
    #[must_use]
    pub fn named(self, name: impl Into<String>) -> Self {
        Self {
            name: Some(name.into()),
            ..self
        }
    }
}

impl fmt::Display for AdapterCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.program.display())?;
        self.args
            .iter()
            .try_for_each(|arg| write!(f, " {}", arg.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_is_split_as_by_a_shell() {
        let command =
            AdapterCommand::parse(r#"python3 'my adapter.py' --device "npu 0" a\ b $HOME"#).unwrap();
        assert_eq!(command.program, PathBuf::from("python3"));
        assert_eq!(
            command.args,
            ["my adapter.py", "--device", "npu 0", "a b", "$HOME"]
        );
        assert_eq!(
            command.to_string(),
            "python3 my adapter.py --device npu 0 a b $HOME"
        );
    }

    #[test]
    fn command_without_words_is_refused() {
        assert_eq!(AdapterCommand::parse("  "), Err(InvalidCommand::Empty));
        assert_eq!(AdapterCommand::parse("'' x"), Err(InvalidCommand::Empty));
        assert!(matches!(
            AdapterCommand::parse("a 'b"),
            Err(InvalidCommand::Quoting(_))
        ));
    }

    #[test]
    fn command_from_words_needs_no_quoting() {
        let command = AdapterCommand::new(["a b", "'c'"]).unwrap().named("abc");
        assert_eq!(
            (command.program, command.args),
            ("a b".into(), vec!["'c'".into()])
        );
        assert_eq!(command.name.as_deref(), Some("abc"));
    }
}
