//! What the grids of TensorFlow's three stateless ops share: streams, and inputs that are refused.

use seedproof_ops::{Dtype, ErrorKind, Tensor};

use super::draft::{Draft, Planned, names, tensor};
use super::philox_keys::{ones, spelled};
use super::request::extents;

pub(super) const KEYS: [u64; 5] = [0, 1, 0x0123_4567_89ab_cdef, 1 << 63, u64::MAX];

pub(super) const COUNTERS: [[u64; 2]; 9] = [
    [0, 0],
    [2, 3],
    [0xffff_fffe, 7],
    [u64::MAX - 1, 5],
    [u64::MAX, 0xffff_ffff],
    [u64::MAX - 2, u64::MAX],
    [0, u64::MAX],
    [0x1122_3344_5566_7788, 0x99aa_bbcc_ddee_ff00],
    [1 << 32, 1 << 32],
];

pub(super) const SIZES: [&[u64]; 9] = [
    &[],
    &[1],
    &[2],
    &[33],
    &[65],
    &[2, 3],
    &[3, 3, 3],
    &[0],
    &[3, 0, 2],
];

/// What the three ops have in common.
#[derive(Clone)]
pub(super) struct Common {
    pub(super) shape: Tensor,
    pub(super) key: Tensor,
    pub(super) counter: Tensor,
    pub(super) alg: Tensor,
}

pub(super) fn common(sizes: &[u64], key: u64, counter: [u64; 2], alg: i32) -> Common {
    Common {
        shape: extents(Dtype::I64, sizes),
        key: Tensor::vector(&[key]),
        counter: Tensor::vector(&counter),
        alg: Tensor::scalar(alg),
    }
}

pub(super) const SHARED: [&str; 7] = [
    "tfsu.shape.form",
    "tfsu.key.form",
    "tfsu.counter.form",
    "tfsu.algorithm.form",
    "tfsu.algorithm",
    "tfsu.empty",
    "tfsu.stream",
];

/// Drafts of streams: counters, shapes, and the algorithm that the device chooses.
pub(super) fn streams(types: [Dtype; 4], draft: impl Fn(&str, Dtype, Common) -> Draft) -> Vec<Draft> {
    let mut drafts = Vec::new();
    for (i, dtype) in types.into_iter().enumerate() {
        for (j, counter) in COUNTERS.into_iter().enumerate() {
            let common = common(&[17], KEYS[(i + j) % KEYS.len()], counter, 1);
            drafts.push(draft(&format!("counter-{j}"), dtype, common));
        }
        for (j, sizes) in SIZES.into_iter().enumerate() {
            let alg = if j % 3 == 0 { 3 } else { 1 };
            let common = common(
                sizes,
                KEYS[j % KEYS.len()],
                COUNTERS[(i + j) % COUNTERS.len()],
                alg,
            );
            drafts.push(draft(&format!("shape-{}", spelled(sizes)), dtype, common));
        }
    }
    let dtype = types[0];
    let plain = common(&[3], 1, [2, 3], 1);
    let longer = Common {
        counter: Tensor::vector(&[2_u64, 3, 4]),
        ..plain.clone()
    };
    drafts.push(Draft {
        errata: names(&["tfsu.counter.length"]),
        ..draft("counter-of-three", dtype, longer)
    });
    for alg in [0, 2, -1] {
        let topic = format!("no-elements-algorithm-{}", alg.to_string().replace('-', "minus-"));
        drafts.push(Draft {
            errata: names(&["tfsu.empty.unchecked"]),
            ..draft(&topic, dtype, common(&[0, 3], 1, [2, 3], alg))
        });
    }
    drafts.extend(refused_inputs(|topic: &str, kind, errata: &[&str], common| {
        Draft {
            expect: Planned::Rejected(kind),
            errata: names(errata),
            ..draft(&format!("refused-{topic}"), dtype, common)
        }
    }));
    drafts
}

/// Drafts of inputs that are refused.
fn refused_inputs(refused: impl Fn(&str, ErrorKind, &[&str], Common) -> Draft) -> Vec<Draft> {
    let plain = common(&[3], 1, [2, 3], 1);
    let mut drafts = Vec::new();
    for (topic, alg) in [
        ("three-fry", 2),
        ("algorithm-0", 0),
        ("algorithm-4", 4),
        ("algorithm-minus-1", -1),
    ] {
        let errata: &[&str] = if alg == 2 {
            &["tfsu.algorithm.three-fry"]
        } else {
            &[]
        };
        drafts.push(refused(
            topic,
            ErrorKind::Attribute,
            errata,
            common(&[3], 1, [2, 3], alg),
        ));
    }
    for (topic, dtype, dims, kind) in [
        ("key-scalar", Dtype::U64, &[][..], ErrorKind::Shape),
        ("key-two", Dtype::U64, &[2], ErrorKind::Shape),
        ("key-rank-2", Dtype::U64, &[1, 1], ErrorKind::Shape),
        ("key-empty", Dtype::U64, &[0], ErrorKind::Shape),
        ("key-i64", Dtype::I64, &[1], ErrorKind::Dtype),
        ("key-u32", Dtype::U32, &[2], ErrorKind::Dtype),
    ] {
        let key = ones(dtype, dims);
        drafts.push(refused(topic, kind, &[], Common { key, ..plain.clone() }));
    }
    for (topic, dtype, dims, kind) in [
        ("counter-scalar", Dtype::U64, &[][..], ErrorKind::Shape),
        ("counter-one", Dtype::U64, &[1], ErrorKind::Shape),
        ("counter-rank-2", Dtype::U64, &[1, 2], ErrorKind::Shape),
        ("counter-i64", Dtype::I64, &[2], ErrorKind::Dtype),
        ("counter-u32", Dtype::U32, &[4], ErrorKind::Dtype),
    ] {
        let counter = ones(dtype, dims);
        let errata: &[&str] = if topic == "counter-one" {
            &["tfsu.counter.length"]
        } else {
            &[]
        };
        drafts.push(refused(
            topic,
            kind,
            errata,
            Common {
                counter,
                ..plain.clone()
            },
        ));
    }
    for (topic, dtype, dims, kind) in [
        ("algorithm-i64", Dtype::I64, &[][..], ErrorKind::Dtype),
        ("algorithm-list", Dtype::I32, &[1], ErrorKind::Shape),
    ] {
        let alg = ones(dtype, dims);
        drafts.push(refused(topic, kind, &[], Common { alg, ..plain.clone() }));
    }
    for (topic, shape, kind) in [
        ("shape-scalar", tensor(Dtype::I64, &[], &["3"]), ErrorKind::Shape),
        (
            "shape-rank-2",
            tensor(Dtype::I64, &[1, 1], &["3"]),
            ErrorKind::Shape,
        ),
        (
            "shape-negative",
            tensor(Dtype::I64, &[2], &["2", "-1"]),
            ErrorKind::Shape,
        ),
        ("shape-u64", tensor(Dtype::U64, &[1], &["3"]), ErrorKind::Dtype),
        ("shape-f32", tensor(Dtype::F32, &[1], &["3"]), ErrorKind::Dtype),
    ] {
        drafts.push(refused(
            topic,
            kind,
            &[],
            Common {
                shape,
                ..plain.clone()
            },
        ));
    }
    drafts
}
