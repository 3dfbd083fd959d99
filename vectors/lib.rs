//! The files of Seedproof's corpus, as text. The crate `seedproof-corpus` reads them.
#![forbid(unsafe_code)]

use std::sync::LazyLock;

use zlib_rs::{Inflate, InflateFlush, Status};

/// Name and length in bytes of each file, in the order of [`TEXT`].
const INDEX: &[(&str, usize)] = include!(concat!(env!("OUT_DIR"), "/index.rs"));

/// All files, one after the other. Text of numbers takes a seventh of its size packed, and unpacking takes milliseconds.
static TEXT: LazyLock<String> = LazyLock::new(|| {
    let packed = include_bytes!(concat!(env!("OUT_DIR"), "/files.deflate"));
    let mut text = vec![0; INDEX.iter().map(|(_, length)| length).sum()];
    let status = Inflate::new(false, 15).decompress(packed, &mut text, InflateFlush::Finish);
    assert_eq!(status, Ok(Status::StreamEnd), "the build script packed it");
    String::from_utf8(text).expect("the build script packed text")
});

/// Name and text of each file, sorted by name: every `.yaml` file, and `retired.txt`.
///
/// Names are relative to the corpus, with `/` between their parts.
pub static FILES: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    let mut rest = TEXT.as_str();
    let file = |&(name, length): &(&'static str, usize)| {
        let text;
        (text, rest) = rest.split_at(length);
        (name, text)
    };
    INDEX.iter().map(file).collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_those_of_the_folder() {
        assert!(FILES.len() > 70 && FILES.is_sorted());
        for (name, text) in FILES.iter() {
            let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
            assert_eq!(std::fs::read_to_string(path).unwrap(), *text, "{name}");
        }
        assert_eq!(
            FILES.iter().map(|(_, text)| text.len()).sum::<usize>(),
            TEXT.len()
        );
    }
}
