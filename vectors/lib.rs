//! The files of Seedproof's corpus, as text. The crate `seedproof-corpus` reads them.
#![forbid(unsafe_code)]

use std::ops::Range;

use zlib_rs::{Inflate, InflateFlush, Status};

/// The files, sorted by name: every `.yaml` file, and `retired.txt`.
pub static FILES: &[File] = &include!(concat!(env!("OUT_DIR"), "/index.rs"));

/// SHA-256 over the names and texts of the files, in hexadecimal.
pub static HASH: &str = include_str!(concat!(env!("OUT_DIR"), "/hash.txt"));

static IDS: &str = include_str!(concat!(env!("OUT_DIR"), "/ids.txt"));

static PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/files.deflate"));

/// A file of the corpus. Text of numbers takes a seventh of its size packed, and all of it takes 17 MB unpacked, so that
/// each file is unpacked when it is read.
#[derive(Debug)]
pub struct File {
    name: &'static str,
    packed: Range<usize>,
    length: usize,
    op: &'static str,
    ids: Range<usize>,
    unspecified: usize,
}

impl File {
    /// Its name relative to the corpus, with `/` between its parts.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The name of the op of its cases; empty for `retired.txt`.
    pub const fn op(&self) -> &'static str {
        self.op
    }

    /// The ids of its cases, in order.
    ///
    /// ```
    /// let mut ids = seedproof_vectors::FILES.iter().flat_map(|file| file.ids());
    /// assert!(ids.any(|id| id == "ru8/tensorflow/f32/spec-example-1"));
    /// ```
    pub fn ids(&self) -> impl Iterator<Item = &'static str> {
        IDS[self.ids.clone()].lines()
    }

    /// How many of its cases leave their answer under the reading `spec` open.
    pub const fn unspecified(&self) -> usize {
        self.unspecified
    }

    /// Its text, which takes a millisecond or less to unpack.
    ///
    /// ```
    /// use seedproof_vectors::FILES;
    ///
    /// let examples = FILES.iter().find(|file| file.name() == "random-uniform-8/spec-examples.yaml");
    /// assert!(examples.expect("the document has examples").text().contains("op: openvino.RandomUniform-8\n"));
    /// ```
    pub fn text(&self) -> String {
        let mut text = vec![0; self.length];
        let packed = &PACKED[self.packed.clone()];
        let status = Inflate::new(false, 15).decompress(packed, &mut text, InflateFlush::Finish);
        assert_eq!(status, Ok(Status::StreamEnd), "the build script packed it");
        String::from_utf8(text).expect("the build script packed text")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_those_of_the_folder() {
        assert!(FILES.len() > 70 && FILES.is_sorted_by_key(File::name));
        for file in FILES {
            let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(file.name());
            assert_eq!(
                std::fs::read_to_string(path).unwrap(),
                file.text(),
                "{}",
                file.name()
            );
        }
    }
}
