//! `seedproof new-adapter`: a starter that builds and answers.

/// The text of a template.
macro_rules! template {
    ($name:literal) => {
        include_str!(concat!("../../templates/", $name))
    };
}

mod argument;
mod language;
mod skeleton;

use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use seedproof_ops::{Named as _, OpName, did_you_mean};

use crate::exit::{CommandResult, Error, Exit};
use crate::io;
use language::Language;

#[derive(Debug, Args)]
pub(crate) struct NewAdapterArgs {
    /// The language
    pub(crate) language: Language,
    /// A folder that does not exist yet, or is empty
    pub(crate) dir: PathBuf,
    /// The op that it answers, by its name or the first part of its cases' ids: openvino.RandomUniform-8 or ru8. The
    /// starters of ru8 and dml, and in Python those of mn13, tfkc, tks and tkf, are whole; in the others one function, the
    /// kernel, is left to write
    #[arg(long, value_name = "OP", default_value = "openvino.RandomUniform-8")]
    pub(crate) op: String,
}

/// A language of starters: the files beside the adapter itself, how it is built, and how it is run from its folder.
struct Starter {
    adapter: &'static str,
    files: &'static [(&'static str, &'static str)],
    build: Option<&'static str>,
    run: &'static str,
}

const HEADERS: &[(&str, &str)] = &[
    ("seedproof_adapter.h", template!("seedproof_adapter.h")),
    ("generators.h", template!("generators.h")),
];

const fn starter(language: Language) -> Starter {
    match language {
        Language::Python => Starter {
            adapter: "adapter.py",
            files: &[
                ("seedproof_adapter.py", template!("seedproof_adapter.py")),
                ("generators.py", template!("generators.py")),
            ],
            build: None,
            run: "python3 adapter.py",
        },
        Language::C => Starter {
            adapter: "adapter.c",
            files: HEADERS,
            build: Some("cc -std=c11 -O2 -ffp-contract=off -o adapter adapter.c"),
            run: "./adapter",
        },
        Language::Cpp => Starter {
            adapter: "adapter.cpp",
            files: HEADERS,
            build: Some("c++ -std=c++17 -O2 -ffp-contract=off -o adapter adapter.cpp"),
            run: "./adapter",
        },
        Language::Rust => Starter {
            adapter: "src/main.rs",
            files: &[
                ("Cargo.toml", template!("rust.toml")),
                ("src/seedproof_adapter.rs", template!("seedproof_adapter.rs")),
                ("src/generators.rs", template!("generators.rs")),
            ],
            build: Some("cargo build --release"),
            run: "target/release/adapter",
        },
        Language::Javascript => Starter {
            adapter: "adapter.mjs",
            files: &[
                ("seedproof_adapter.mjs", template!("seedproof_adapter.mjs")),
                ("generators.mjs", template!("generators.mjs")),
            ],
            build: None,
            run: "node adapter.mjs",
        },
        Language::Go => Starter {
            adapter: "adapter.go",
            files: &[
                ("go.mod", template!("go.mod.txt")),
                ("seedproof_adapter.go", template!("seedproof_adapter.go")),
                ("generators.go", template!("generators.go")),
            ],
            build: Some("go build -o adapter"),
            run: "./adapter",
        },
    }
}

/// The adapter of an op in a language: a whole one where there is one, else all but the kernel.
fn adapter(op: OpName, language: Language) -> Cow<'static, str> {
    whole(op, language).map_or_else(
        || skeleton::adapter(op.description(), language).into(),
        Cow::Borrowed,
    )
}

/// The adapters that are given whole, with a kernel.
const fn whole(op: OpName, language: Language) -> Option<&'static str> {
    Some(match (op, language) {
        (OpName::RandomUniform, Language::Python) => template!("random_uniform.py"),
        (OpName::RandomUniform, Language::C) => template!("random_uniform.c"),
        (OpName::RandomUniform, Language::Cpp) => template!("random_uniform.cpp"),
        (OpName::RandomUniform, Language::Rust) => template!("random_uniform.rs"),
        (OpName::RandomUniform, Language::Javascript) => template!("random_uniform.mjs"),
        (OpName::RandomUniform, Language::Go) => template!("random_uniform.go"),
        (OpName::DmlRandomGenerator, Language::Python) => template!("random_generator.py"),
        (OpName::DmlRandomGenerator, Language::C) => template!("random_generator.c"),
        (OpName::DmlRandomGenerator, Language::Cpp) => template!("random_generator.cpp"),
        (OpName::DmlRandomGenerator, Language::Rust) => template!("random_generator.rs"),
        (OpName::DmlRandomGenerator, Language::Javascript) => template!("random_generator.mjs"),
        (OpName::DmlRandomGenerator, Language::Go) => template!("random_generator.go"),
        _ => return None,
    })
}

/// The op of a name: the full one, or the first part of its cases' ids.
fn named(name: &str) -> Result<OpName, Error> {
    let is_called = |op: &&OpName| [op.name(), op.description().prefix].contains(&name);
    OpName::ALL.iter().find(is_called).copied().ok_or_else(|| {
        let names = OpName::ALL
            .iter()
            .flat_map(|op| [op.name(), op.description().prefix]);
        Error::Usage(format!("there is no op `{name}`{}", did_you_mean(name, names)))
    })
}

/// Writes the starter and says what to do with it.
pub(crate) fn new_adapter(args: &NewAdapterArgs) -> CommandResult {
    if !is_free(&args.dir) {
        return Err(Error::Usage(format!(
            "{} already exists and is not empty; choose a new folder",
            args.dir.display()
        )));
    }
    let op = named(&args.op)?;
    let adapter = adapter(op, args.language);
    let starter = starter(args.language);
    for (name, text) in starter.files.iter().chain(&[(starter.adapter, &*adapter)]) {
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
    use clap::ValueEnum as _;

    use super::*;

    fn args(op: &str, dir: std::path::PathBuf) -> NewAdapterArgs {
        NewAdapterArgs {
            language: Language::Python,
            dir,
            op: op.to_owned(),
        }
    }

    #[test]
    fn new_adapter_starters_are_short_and_know_their_op() {
        for &op in OpName::ALL {
            for &language in Language::value_variants() {
                let text = adapter(op, language);
                assert!(text.lines().count() <= 130, "{op} {language:?}");
                assert!(text.contains(op.name()), "{op} {language:?}");
            }
        }
    }

    #[test]
    fn new_adapter_leaves_what_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join("new");
        assert!(new_adapter(&args("ru8", dir.clone())).is_ok());
        assert!(matches!(new_adapter(&args("ru8", dir)), Err(Error::Usage(_))));
    }

    #[test]
    fn new_adapter_takes_an_op_by_either_name() {
        for &op in OpName::ALL {
            assert_eq!(named(op.name()).unwrap(), op);
            assert_eq!(named(op.description().prefix).unwrap(), op);
        }
        let message = |name: &str, dir: &str| {
            let written = new_adapter(&args(name, dir.into()));
            written.err().unwrap().to_string()
        };
        assert!(
            message("openvino.RandomUnifrom-8", "new").contains("did you mean `openvino.RandomUniform-8`?")
        );
    }
}
