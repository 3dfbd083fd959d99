//! The corpus in numbers.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use seedproof_corpus::{Case, Corpus, Provenance};
use seedproof_ops::Shape;

/// Elements of an output up to which a size is counted, and what the size is called.
const SIZES: [(usize, &str); 7] = [
    (0, "0"),
    (1, "1"),
    (16, "2 to 16"),
    (64, "17 to 64"),
    (4096, "65 to 4,096"),
    (65_536, "4,097 to 65,536"),
    (usize::MAX, "over 65,536"),
];

/// Tables of how many cases there are: by op, variant, element type, provenance, expectation and output size.
///
/// The same for the same corpus, to the byte.
pub fn stats(corpus: &Corpus) -> String {
    let mut text = format!("{} cases in {} files\n", corpus.size(), corpus.files().len());
    table(&mut text, corpus, "op", |case| case.request.op().to_string());
    table(&mut text, corpus, "variant", |case| {
        Some(case.request.variant())
            .filter(|variant| !variant.is_empty())
            .unwrap_or_else(|| "none".to_owned())
    });
    table(&mut text, corpus, "element type", |case| {
        case.request.filed_type()
    });
    table(&mut text, corpus, "provenance", source);
    table(&mut text, corpus, "expectation", |case| {
        case.expect.kind().to_owned()
    });
    table(&mut text, corpus, "elements", size);
    text
}

/// The kind, and for a capture whose it is.
fn source(case: &Case) -> String {
    match &case.provenance {
        Provenance::Capture { implementation, .. } => format!("capture of {implementation}"),
        other => other.kind().to_owned(),
    }
}

/// How large the output is, with an ordinal that sorts the rows.
fn size(case: &Case) -> String {
    let count = case
        .request
        .output_form()
        .and_then(|(_, dims)| Shape::new(&dims).ok());
    match count.map(|shape| shape.count()) {
        None => "unknown".to_owned(),
        Some(count) => SIZES
            .iter()
            .find(|(most, _)| count <= *most)
            .map_or("unknown", |(_, name)| name)
            .to_owned(),
    }
}

fn table(text: &mut String, corpus: &Corpus, title: &str, row: impl Fn(&Case) -> String) {
    let mut counts: BTreeMap<(usize, String), usize> = BTreeMap::new();
    for case in corpus.cases() {
        let name = row(case);
        let ordinal = SIZES
            .iter()
            .position(|(_, size)| *size == name)
            .unwrap_or(SIZES.len());
        *counts.entry((ordinal, name)).or_default() += 1;
    }
    write!(text, "\nby {title}\n").expect("writing to a string cannot fail");
    for ((_, name), count) in counts {
        writeln!(text, "{count:>6}  {name}").expect("writing to a string cannot fail");
    }
}
