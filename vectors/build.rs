//! Packs the vector files for embedding.
//!
//! A macro that reads the directory would not run again when a file is added; cargo watches the directory for a
//! build script.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use zlib_rs::{Deflate, DeflateFlush, Status, compress_bound};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?);
    let out = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?);
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    list(&root, "", &mut files)?;
    files.sort();
    let mut all = Vec::new();
    let mut index = String::from("[\n");
    for (name, path) in files {
        let text = fs::read_to_string(path)?;
        let (begin, length) = (all.len(), text.len());
        all.extend(packed(text.as_bytes())?);
        let place = format!(
            "File {{ name: {name:?}, packed: {begin}..{}, length: {length} }},",
            all.len()
        );
        writeln!(index, "    {place}").map_err(io::Error::other)?;
    }
    index.push_str("]\n");
    fs::write(out.join("index.rs"), index)?;
    fs::write(out.join("files.deflate"), all)
}

fn packed(text: &[u8]) -> io::Result<Vec<u8>> {
    let mut packed = vec![0; compress_bound(text.len())];
    let mut deflate = Deflate::new(6, false, 15);
    let status = deflate.compress(text, &mut packed, DeflateFlush::Finish);
    if status != Ok(Status::StreamEnd) {
        return Err(io::Error::other(format!("pack the vector files: {status:?}")));
    }
    packed.truncate(usize::try_from(deflate.total_out()).map_err(io::Error::other)?);
    Ok(packed)
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
