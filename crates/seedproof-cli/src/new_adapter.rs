//! `seedproof new-adapter`: a starter that builds, answers and passes `smoke`.

use std::fmt::Write as _;
use std::path::Path;

use crate::args::{Language, NewAdapterArgs};
use crate::exit::{CommandResult, Error, Exit};
use crate::io;

const C: &str = include_str!("../templates/adapter.c");
const HEADER: &str = include_str!("../templates/seedproof_adapter.h");
const PYTHON: &str = include_str!("../templates/adapter.py");
const PYTHON_LOOP: &str = include_str!("../templates/seedproof_adapter.py");
const RUST: &str = include_str!("../templates/adapter.rs");
const RUST_MANIFEST: &str = include_str!("../templates/adapter.toml");

/// The files of a starter, how it is built, and how it is run from its folder.
struct Starter {
    files: &'static [(&'static str, &'static str)],
    build: Option<&'static str>,
    run: &'static str,
}

const fn starter(language: Language) -> Starter {
    match language {
        Language::Python => Starter {
            files: &[("adapter.py", PYTHON), ("seedproof_adapter.py", PYTHON_LOOP)],
            build: None,
            run: "python3 adapter.py",
        },
        Language::C => Starter {
            files: &[("adapter.c", C), ("seedproof_adapter.h", HEADER)],
            build: Some("cc -std=c11 -O2 -o adapter adapter.c"),
            run: "./adapter",
        },
        Language::Cpp => Starter {
            files: &[("adapter.cpp", C), ("seedproof_adapter.h", HEADER)],
            build: Some("c++ -std=c++17 -O2 -o adapter adapter.cpp"),
            run: "./adapter",
        },
        Language::Rust => Starter {
            files: &[("Cargo.toml", RUST_MANIFEST), ("src/main.rs", RUST)],
            build: Some("cargo build --release"),
            run: "target/release/adapter",
        },
    }
}

/// Writes the starter and says what to do with it.
pub(crate) fn new_adapter(args: &NewAdapterArgs) -> CommandResult {
    if !is_free(&args.dir) {
        return Err(Error::Usage(format!(
            "{} is there and not empty; name a new folder",
            args.dir.display()
        )));
    }
    let starter = starter(args.language);
    for (name, text) in starter.files {
        io::write(&args.dir.join(name), text)?;
    }
    let mut text = format!("wrote {}\n\n  cd {}\n", args.dir.display(), args.dir.display());
    if let Some(build) = starter.build {
        writeln!(text, "  {build}").expect("a String takes every write");
    }
    for command in ["smoke", "run"] {
        writeln!(text, "  seedproof {command} --adapter '{}'", starter.run)
            .expect("a String takes every write");
    }
    io::print(&text);
    Ok(Exit::Conforms)
}

fn is_free(dir: &Path) -> bool {
    !dir.exists() || std::fs::read_dir(dir).is_ok_and(|mut entries| entries.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_adapter_starters_are_short() {
        for text in [C, PYTHON, RUST] {
            assert!(text.lines().count() <= 100);
        }
    }

    #[test]
    fn new_adapter_leaves_what_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let args = NewAdapterArgs {
            language: Language::Python,
            dir: folder.path().join("new"),
        };
        assert!(new_adapter(&args).is_ok());
        assert!(matches!(new_adapter(&args), Err(Error::Usage(_))));
    }
}
