//! TensorFlow StatelessRandomGetKeyCounter: seeds at every border of their two words, and what is refused.

use seedproof_ops::{Dtype, ErrorKind, OpName, Request, StatelessRandomGetKeyCounter};

use super::draft::{Draft, GridFile, Planned, names, tensor};

const CLAUSES: [&str; 6] = [
    "tfkc.seed.form",
    "tfkc.seed.extended",
    "tfkc.scramble.key",
    "tfkc.scramble.counter",
    "tfkc.key",
    "tfkc.counter",
];

const COMMENT: &str = "\
Seeds around zero, 2^31, 2^32 and 2^63, each of both numbers in turn: a seed that is cut to 32 bits, or extended
without its sign, or exchanged with its neighbour, gives another stream and no error.";

/// The generated file.
pub(super) fn file() -> GridFile {
    let narrow = ["0", "1", "-1", "2147483647", "-2147483648"];
    let wide = [
        "4294967295",
        "4294967296",
        "-4294967297",
        "9223372036854775807",
        "-9223372036854775808",
    ];
    let mut drafts = Vec::new();
    for (dtype, numbers) in [
        (Dtype::I32, narrow.to_vec()),
        (Dtype::I64, [narrow, wide].concat()),
    ] {
        for number in numbers {
            let plain = number.replace('-', "minus-");
            for (topic, seed) in [("first", [number, "7"]), ("second", ["7", number])] {
                drafts.push(draft(&format!("{dtype}/{topic}-{plain}"), dtype, &[2], &seed));
            }
        }
    }
    for (topic, dtype, dims, kind) in [
        ("u64", Dtype::U64, &[2][..], ErrorKind::Dtype),
        ("f32", Dtype::F32, &[2], ErrorKind::Dtype),
        ("scalar", Dtype::I64, &[], ErrorKind::Shape),
        ("one-number", Dtype::I64, &[1], ErrorKind::Shape),
        ("three-numbers", Dtype::I64, &[3], ErrorKind::Shape),
        ("rank-2", Dtype::I32, &[1, 2], ErrorKind::Shape),
    ] {
        let count = dims.iter().product::<u64>();
        let numbers = vec!["1"; usize::try_from(count).expect("few")];
        drafts.push(Draft {
            expect: Planned::Rejected(kind),
            clauses: names(&["tfkc.seed.form"]),
            ..draft(&format!("{dtype}/refused-{topic}"), dtype, dims, &numbers)
        });
    }
    GridFile::new(
        OpName::StatelessRandomGetKeyCounter,
        "tensorflow-key-counter/grid.yaml",
        COMMENT,
        drafts,
    )
}

fn draft(topic: &str, dtype: Dtype, dims: &[u64], seed: &[&str]) -> Draft {
    let request = StatelessRandomGetKeyCounter {
        seed: tensor(dtype, dims, seed),
    };
    Draft::new(
        &format!("tfkc/{topic}"),
        &CLAUSES,
        Request::StatelessRandomGetKeyCounter(request),
    )
}

/// The seed's type.
pub(super) fn id_parts(request: &StatelessRandomGetKeyCounter) -> Vec<Option<String>> {
    vec![Some(request.seed.dtype().to_string())]
}
