//! The made-up corpus.

use std::collections::BTreeMap;

use seedproof_corpus::{Case, CaseId, Digested, Expectation, Location, Name, OutputDigest, Provenance};
use seedproof_ops::{
    Alignment, Attribute, DmlGenerator, DmlRandomGenerator, Dtype, ErrorKind, FeatureLevel, Multinomial,
    RandomUniform, Request, Scalar, Shape, Tensor,
};

use super::toy::{LARGE_DIGEST, LARGE_ELEMENTS};

const GROUPS: [(&str, Alignment, Dtype); 8] = [
    ("tensorflow", Alignment::Tensorflow, Dtype::F16),
    ("tensorflow", Alignment::Tensorflow, Dtype::Bf16),
    ("tensorflow", Alignment::Tensorflow, Dtype::F32),
    ("tensorflow", Alignment::Tensorflow, Dtype::F64),
    ("tensorflow", Alignment::Tensorflow, Dtype::I32),
    ("tensorflow", Alignment::Tensorflow, Dtype::I64),
    ("pytorch", Alignment::Pytorch, Dtype::F32),
    ("pytorch", Alignment::Pytorch, Dtype::F64),
];

const TOPICS: [&str; 5] = [
    "range-negative",
    "spec-example-1",
    "seeds-high",
    "tail-of-block",
    "range-wide",
];

pub(super) fn name(text: &str) -> Name {
    Name::new(text).expect("a plain name")
}

fn scalar(dtype: Dtype, value: i32) -> Scalar {
    Scalar::from_decimal(dtype, &value.to_string()).expect("a small number")
}

fn case(id: &str, clauses: &[&str], request: Request, expect: Expectation) -> Case {
    Case {
        id: CaseId::new(id).expect("a plain id"),
        location: Location {
            file: "random-uniform-8/ranges.yaml".to_owned(),
            line: 1,
            column: 1,
        },
        clauses: clauses.iter().map(|clause| name(clause)).collect(),
        errata: Vec::new(),
        flags: Vec::new(),
        provenance: Provenance::Derived {
            reading: name("spec"),
            revision: 1,
        },
        request,
        expect,
        readings: BTreeMap::new(),
        printed: None,
        margin: None,
        note: None,
    }
}

fn uniform(alignment: Alignment, dtype: Dtype, topic: &str) -> Case {
    let group = match alignment {
        Alignment::Tensorflow => "tensorflow",
        Alignment::Pytorch => "pytorch",
    };
    let (low, high) = if topic.starts_with("range") {
        (-3, 5)
    } else {
        (0, 1)
    };
    let (low, high) = if dtype.is_float() {
        (low, high)
    } else {
        (low, high * 100)
    };
    let op_seed = match topic {
        "seeds-high" => u64::MAX,
        "tail-of-block" => 11,
        _ => 10,
    };
    let bounds = [low, high].map(|bound| scalar(dtype, bound));
    let request = RandomUniform::new(alignment, &[3, 2, 4], bounds, [150, op_seed]);
    let request = Request::RandomUniform(request);
    let clauses: &[&str] = match alignment {
        Alignment::Tensorflow => &["ru8.philox.round", "ru8.range.float"],
        Alignment::Pytorch => &["ru8.mt.twist", "ru8.range.float"],
    };
    let mut case = case(
        &format!("ru8/{group}/{dtype}/{topic}"),
        clauses,
        request,
        Expectation::Oracle,
    );
    case.flags = vec![name("fused-scale")];
    if topic.starts_with("range") {
        case.errata = vec![name("ru8.range.fused")];
        case.note = Some("The bounds have other signs, so that a fused scale rounds otherwise.".to_owned());
        case.readings = BTreeMap::from([(name("torch-2.12"), Box::new(Expectation::Oracle))]);
    }
    if topic == "spec-example-1" {
        case.flags.push(name("nine-rounds"));
        case.provenance = Provenance::SpecExample {
            document: "openvino-random-uniform-8".to_owned(),
            example: "1".to_owned(),
        };
    }
    case
}

fn multinomial(topic: &str, expect: Expectation) -> Case {
    let shape = Shape::new(&[1, 3]).expect("small");
    let middle = if topic == "probs-negative" { -0.5 } else { 0.5 };
    let op_seed = if expect == Expectation::Statistical { 0 } else { 2 };
    let request = Request::Multinomial(Multinomial {
        probs: Tensor::from_elements(shape, &[0.25_f32, middle, 0.25]).expect("three"),
        num_samples: Tensor::scalar(64_i32),
        draws: None,
        convert_type: Attribute::Known(Dtype::I64),
        with_replacement: true,
        log_probs: false,
        global_seed: op_seed,
        op_seed,
        execution: 0,
    });
    case(
        &format!("mn13/replacement/f32/{topic}"),
        &["mn13.select"],
        request,
        expect,
    )
}

fn dml(topic: &str, output_sizes: Vec<u64>, output_state: bool, expect: Expectation) -> Case {
    let state = Shape::new(&[1, 1, 1, 6]).expect("small");
    let request = Request::DmlRandomGenerator(DmlRandomGenerator {
        input_state: Tensor::from_elements(state, &[u32::MAX, 0, 0, 0, 1, 2]).expect("six"),
        output_sizes,
        generator: Attribute::Known(DmlGenerator::Philox4x32_10),
        feature_level: Attribute::Known(FeatureLevel::Level3_0),
        output_state,
    });
    case(
        &format!("dml/feature-level-3.0/{topic}"),
        &["dml.counter.carry"],
        request,
        expect,
    )
}

/// The large output, known by its digest.
fn large() -> Case {
    let digest = Digested {
        digest: OutputDigest::Chunks(LARGE_DIGEST.chunks.clone()),
        first: Vec::new(),
        last: Vec::new(),
        more: Vec::new(),
    };
    let sizes = vec![1, 1, 1, LARGE_ELEMENTS as u64];
    dml("large", sizes, false, Expectation::Digest(digest))
}

/// The cases of the made-up corpus; `more` of each topic beside the plain one.
pub(super) fn cases(more: usize) -> Vec<Case> {
    let mut all = Vec::new();
    for (_, alignment, dtype) in GROUPS {
        for topic in TOPICS {
            all.push(uniform(alignment, dtype, topic));
            for i in 0..more {
                all.push(uniform(alignment, dtype, &format!("{topic}-{i}")));
            }
        }
    }
    all.push(multinomial("dyadic", Expectation::Oracle));
    all.push(multinomial(
        "probs-negative",
        Expectation::Rejected(ErrorKind::Probabilities),
    ));
    all.push(multinomial("seeds-both-zero", Expectation::Statistical));
    all.push(dml(
        "carry-into-word-1",
        vec![1, 1, 3, 7],
        true,
        Expectation::Oracle,
    ));
    all.push(large());
    all
}
