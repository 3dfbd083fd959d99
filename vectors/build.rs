//! Lists the vector files for embedding.
//!
//! A macro that reads the directory would not run again when a file is added; cargo watches the directory for a
//! build script.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?);
    let out = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?).join("files.rs");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    list(&root, "", &mut files)?;
    files.sort();
    let mut code = String::from("&[\n");
    for (name, path) in files {
        writeln!(
            code,
            "    ({name:?}, include_str!({:?})),",
            path.display().to_string()
        )
        .map_err(io::Error::other)?;
    }
    code.push_str("]\n");
    fs::write(out, code)
}

/// Adds the vector files of a directory and of those below it, with their names relative to the first.
fn list(directory: &Path, prefix: &str, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        let relative = format!("{prefix}{name}");
        if relative == "conversion" {
            // Cases of another kind, which no program needs.
            continue;
        }
        if path.is_dir() {
            list(&path, &format!("{relative}/"), files)?;
        } else if relative == "retired.txt" || path.extension().is_some_and(|extension| extension == "yaml") {
            files.push((relative, path));
        }
    }
    Ok(())
}
