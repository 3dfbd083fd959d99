//! Lists the oracle's sources for embedding: their documentation says which function each clause is.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var("DEP_SEEDPROOF_REFERENCE_SOURCES").map_err(io::Error::other)?);
    let out = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?).join("oracle.rs");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut code = String::from("&[\n");
    list(&root, "", &mut code)?;
    code.push_str("]\n");
    fs::write(out, code)
}

/// Adds the sources of a directory and of those below it, with their names relative to the first.
fn list(directory: &Path, prefix: &str, code: &mut String) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        if path.is_dir() {
            list(&path, &format!("{prefix}{name}/"), code)?;
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && !["lib.rs", "tests.rs"].contains(&name)
        {
            let path = path.display().to_string();
            writeln!(code, "    (\"{prefix}{name}\", include_str!({path:?})),").map_err(io::Error::other)?;
        }
    }
    Ok(())
}
