//! Entry points for the fuzz targets. They are not part of the interface, and exist only in builds of `cargo fuzz`.

use clap::{CommandFactory as _, FromArgMatches as _};
use seedproof_ops::{Dtype, Shape};

use crate::args::Cli;
use crate::dump::{self, Form};
use seedproof_read::{self as read, Listing, Opened};

/// Reads a dump as outputs of several types and shapes.
pub fn dump(file: &[u8]) {
    for (dtype, dims) in [
        (Dtype::F32, &[3_u64][..]),
        (Dtype::I64, &[]),
        (Dtype::Bf16, &[2, 0]),
        (Dtype::U8, &[2, 3]),
        (Dtype::F64, &[1 << 20]),
    ] {
        let shape = Shape::new(dims).expect("small extents");
        let form = Form { dtype, shape: &shape };
        match dump::read(file, &form) {
            Ok(read) => assert_eq!((read.output.dtype(), read.output.shape()), (dtype, &shape)),
            Err(message) => assert!(message.len() < 1 << 16, "a message of its own scale"),
        }
    }
}

/// Opens a file. If it is text, parses its numbers as elements of every type.
pub fn numbers(file: &[u8]) {
    if let Err(message) = read::list(file, "a") {
        assert!(message.len() < 1 << 16, "a message of its own scale");
    }
    match read::open(file) {
        Ok(Opened::Text(text)) => {
            let listing = Listing::parse(&text);
            if let Some(dims) = &listing.dims {
                let count = usize::try_from(dims.iter().product::<u64>());
                assert_eq!(count, Ok(listing.numbers.len()), "an array has no gaps");
            }
            let stray = listing.stray(file);
            assert!(
                stray.is_none_or(|message| message.len() < 1 << 16),
                "a message of its own scale"
            );
            for &dtype in Dtype::ALL {
                for number in listing.numbers.iter().take(64) {
                    let _ = read::element(dtype, number);
                }
            }
            for extents in [&[1000][..], &[7, 1000], &[u64::MAX, 5, 8]] {
                if let Ok(places) = listing.places(extents) {
                    assert_eq!(places.len(), listing.numbers.len());
                }
            }
        }
        Ok(_) => {}
        Err(message) => assert!(message.len() < 1 << 16, "a message of its own scale"),
    }
}

/// Parses the arguments of the program.
pub fn arguments<'a>(words: impl Iterator<Item = &'a str>) {
    let words = ["seedproof"].into_iter().chain(words);
    if let Ok(matches) = Cli::command().try_get_matches_from(words) {
        let _ = Cli::from_arg_matches(&matches);
    }
}
