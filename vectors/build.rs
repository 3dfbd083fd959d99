//! Packs the vector files for embedding, with what is asked of all of them at once, so that a program that runs one case need not
//! unpack them.
//!
//! A macro that reads the directory would not run again when a file is added; cargo watches the directory for a
//! build script.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use data_encoding::HEXLOWER;
use sha2::{Digest as _, Sha256};
use zlib_rs::{Deflate, DeflateFlush, Status, compress_bound};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?);
    let out = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?);
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    list(&root, "", &mut files)?;
    files.sort();
    let (mut all, mut ids) = (Vec::new(), String::new());
    let mut index = String::from("[\n");
    let mut sum = Sha256::new();
    for (name, path) in files {
        let text = fs::read_to_string(path)?;
        // As `seedproof_corpus` sums the files of any corpus: lengths are part of it, so that no two sets of files have the
        // same sum by shifting text.
        for part in [&name, &text] {
            sum.update(u64::try_from(part.len()).map_err(io::Error::other)?.to_le_bytes());
            sum.update(part);
        }
        let place = all.len();
        all.extend(packed(text.as_bytes())?);
        let first = ids.len();
        // Each id begins a line of a file as `gen` writes it, and no other line begins so.
        for id in text.lines().filter_map(|line| line.strip_prefix("  - id: ")) {
            ids.push_str(id);
            ids.push('\n');
        }
        let op = text
            .lines()
            .find_map(|line| line.strip_prefix("op: "))
            .unwrap_or("");
        let unspecified = text.lines().filter(|line| *line == "      by: readings").count();
        let (packed, ids, length) = (place..all.len(), first..ids.len(), text.len());
        let file = format!(
            "File {{ name: {name:?}, packed: {packed:?}, length: {length}, op: {op:?}, ids: {ids:?}, unspecified: {unspecified} }},"
        );
        writeln!(index, "    {file}").map_err(io::Error::other)?;
    }
    index.push_str("]\n");
    fs::write(out.join("index.rs"), index)?;
    fs::write(out.join("ids.txt"), ids)?;
    fs::write(out.join("hash.txt"), HEXLOWER.encode(&sum.finalize()))?;
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
