//! PyTorch's split and fold_in: keys about to wrap, numbers at every border, batches, and what is refused.

use seedproof_ops::{Dtype, ErrorKind, OpName, PhiloxKeyFoldIn, PhiloxKeySplit, Request, Tensor};

use super::draft::{Draft, GridFile, Planned, names, shape, tensor};

const SPLIT: &str = "\
Keys whose offset is about to wrap at 2^32 and 2^64, split into one and several, alone and in batches.";

const FOLD_IN: &str = "\
Numbers around zero, 2^31, 2^32, 2^63 and 2^64, folded into keys whose offset is about to wrap: a number that is cut to 32
bits, or stands in another place of the counter, gives another key and no error.";

/// Seeds and offsets: zero, plain, about to wrap.
pub(super) const KEYS: [[u64; 2]; 6] = [
    [0, 0],
    [42, 0],
    [0x0123_4567_89ab_cdef, 7],
    [9, 0xffff_ffff],
    [5, u64::MAX - 1],
    [u64::MAX, u64::MAX],
];

/// Extents of batches of keys.
const BATCHES: [&[u64]; 7] = [&[1], &[3], &[2, 3], &[4, 1], &[1, 1], &[0], &[2, 0, 2]];

/// A tensor of keys that differ, under these extents.
pub(super) fn keys(batch: &[u64]) -> Tensor {
    let dims: Vec<u64> = batch.iter().copied().chain([2]).collect();
    let shape = shape(&dims);
    let words: Vec<u64> = KEYS.into_iter().flatten().cycle().take(shape.count()).collect();
    Tensor::from_elements(shape, &words).expect("as many as the shape has")
}

/// Keys that no function takes: a name, the element type and the extents.
pub(super) const NO_KEYS: [(&str, Dtype, &[u64], ErrorKind); 10] = [
    ("key-scalar", Dtype::U64, &[], ErrorKind::Shape),
    ("key-one-word", Dtype::U64, &[1], ErrorKind::Shape),
    ("key-three-words", Dtype::U64, &[3], ErrorKind::Shape),
    ("key-column", Dtype::U64, &[2, 1], ErrorKind::Shape),
    ("key-empty", Dtype::U64, &[0], ErrorKind::Shape),
    ("key-i64", Dtype::I64, &[2], ErrorKind::Dtype),
    ("key-u32", Dtype::U32, &[2], ErrorKind::Dtype),
    ("key-u32-4", Dtype::U32, &[4], ErrorKind::Dtype),
    ("key-f64", Dtype::F64, &[2], ErrorKind::Dtype),
    ("key-u8", Dtype::U8, &[16], ErrorKind::Dtype),
];

/// A tensor of ones.
pub(super) fn ones(dtype: Dtype, dims: &[u64]) -> Tensor {
    let count = usize::try_from(dims.iter().product::<u64>()).expect("few");
    tensor(dtype, dims, &vec!["1"; count])
}

/// Extents as ids have them.
pub(super) fn spelled(dims: &[u64]) -> String {
    let texts: Vec<String> = dims.iter().map(u64::to_string).collect();
    if dims.is_empty() {
        "one".to_owned()
    } else {
        texts.join("x")
    }
}

/// The generated files.
pub(super) fn files() -> Vec<GridFile> {
    vec![
        GridFile::new(
            OpName::PhiloxKeySplit,
            "torch-philox-key-split/grid.yaml",
            SPLIT,
            splits(),
        ),
        GridFile::new(
            OpName::PhiloxKeyFoldIn,
            "torch-philox-key-fold-in/grid.yaml",
            FOLD_IN,
            folds(),
        ),
    ]
}

fn splits() -> Vec<Draft> {
    const CLAUSES: [&str; 5] = [
        "tks.key.form",
        "tks.key.block",
        "tks.num-splits",
        "tks.split.form",
        "tks.split.numbers",
    ];
    let draft = |topic: &str, key, num_splits| {
        let request = Request::PhiloxKeySplit(PhiloxKeySplit { key, num_splits });
        Draft {
            errata: names(&["tks.key.carry"]),
            ..Draft::new(&format!("tks/{topic}"), &CLAUSES, request)
        }
    };
    let mut drafts = Vec::new();
    for (i, key) in KEYS.iter().enumerate() {
        for count in [1, 2, 3, 17, 100] {
            drafts.push(draft(
                &format!("key-{i}-into-{count}"),
                Tensor::vector(key),
                count,
            ));
        }
    }
    for batch in BATCHES {
        for count in [1, 2, 3] {
            let topic = format!("batch-{}-into-{count}", spelled(batch));
            drafts.push(draft(&topic, keys(batch), count));
        }
    }
    let refused = |topic: &str, kind, key, num_splits| Draft {
        expect: Planned::Rejected(kind),
        errata: Vec::new(),
        ..draft(&format!("refused-{topic}"), key, num_splits)
    };
    for (topic, count) in [
        ("zero", 0),
        ("minus-1", -1),
        ("past-2-63", 1 << 63),
        ("past-2-64", 1 << 64),
    ] {
        drafts.push(refused(topic, ErrorKind::Attribute, keys(&[]), count));
    }
    for (topic, dtype, dims, kind) in NO_KEYS {
        drafts.push(refused(topic, kind, ones(dtype, dims), 2));
    }
    drafts
}

fn folds() -> Vec<Draft> {
    const CLAUSES: [&str; 5] = [
        "tks.key.form",
        "tks.key.block",
        "tkf.data",
        "tkf.fold",
        "tkf.batch",
    ];
    const NUMBERS: [i128; 12] = [
        0,
        1,
        7,
        -1,
        -7,
        (1 << 31) - 1,
        1 << 32,
        (1 << 32) + 5,
        (1 << 63) - 1,
        -(1 << 63),
        1 << 63,
        (1 << 64) - 1,
    ];
    let draft = |topic: &str, key, data: i128| {
        let request = Request::PhiloxKeyFoldIn(PhiloxKeyFoldIn { key, data });
        let negative = (data < 0).then_some("tkf.data.negative");
        let errata: Vec<&str> = ["tkf.words", "tks.key.carry"]
            .into_iter()
            .chain(negative)
            .collect();
        Draft {
            errata: names(&errata),
            ..Draft::new(&format!("tkf/{topic}"), &CLAUSES, request)
        }
    };
    let plain = |number: i128| number.to_string().replace('-', "minus-");
    let mut drafts = Vec::new();
    for (i, key) in KEYS.iter().enumerate() {
        for number in NUMBERS {
            drafts.push(draft(
                &format!("key-{i}-and-{}", plain(number)),
                Tensor::vector(key),
                number,
            ));
        }
    }
    for batch in BATCHES {
        for number in [0, 5, -1] {
            let topic = format!("batch-{}-and-{}", spelled(batch), plain(number));
            drafts.push(draft(&topic, keys(batch), number));
        }
    }
    let refused = |topic: &str, kind, key, data| Draft {
        expect: Planned::Rejected(kind),
        errata: Vec::new(),
        ..draft(&format!("refused-{topic}"), key, data)
    };
    for (topic, data) in [
        ("2-64", 1 << 64),
        ("below-minus-2-63", -(1 << 63) - 1),
        ("2-100", 1 << 100),
    ] {
        drafts.push(refused(topic, ErrorKind::Attribute, keys(&[]), data));
    }
    for (topic, dtype, dims, kind) in NO_KEYS {
        drafts.push(refused(topic, kind, ones(dtype, dims), 2));
    }
    drafts
}
