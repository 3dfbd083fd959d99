//! What StableHLO's rng_bit_generator refuses.

use seedproof_ops::{Attribute, Dtype, ErrorKind, OpName, Request, RngAlgorithm, RngBitGenerator, Tensor};

use super::bit_generator::{ALGORITHMS, algorithm_name, request};
use super::draft::{Draft, GridFile, Planned, names, tensor};

const REFUSALS: &str = "\
States of another size or type, three words for THREE_FRY, and attributes that are none.";

/// The generated file.
pub(super) fn file() -> GridFile {
    GridFile::new(
        OpName::RngBitGenerator,
        "stablehlo-rng-bit-generator/grid-refusals.yaml",
        REFUSALS,
        states().into_iter().chain(attributes()).collect(),
    )
}

fn refused(id: &str, clause: &str, errata: &[&str], kind: ErrorKind, request: RngBitGenerator) -> Draft {
    Draft {
        expect: Planned::Rejected(kind),
        errata: names(errata),
        ..Draft::new(id, &[clause], Request::RngBitGenerator(request))
    }
}

fn states() -> Vec<Draft> {
    let mut drafts = Vec::new();
    for algorithm in ALGORITHMS {
        let name = algorithm_name(algorithm);
        let refused_state = |topic: &str, erratum, kind, dtype, dims: &[u64]| {
            let count = usize::try_from(dims.iter().product::<u64>()).expect("few");
            let state = tensor(dtype, dims, &vec!["1"; count]);
            let request = request(algorithm, Dtype::U32, &[3], state);
            let id = format!("shlo/{name}/u32/refused-{topic}");
            refused(&id, "shlo.state.form", &[erratum], kind, request)
        };
        for (topic, dims) in [
            ("scalar", &[][..]),
            ("no-words", &[0]),
            ("one-word", &[1]),
            ("four-words", &[4]),
            ("six-words", &[6]),
            ("rank-2", &[1, 2]),
            ("column", &[2, 1]),
            ("rank-2-of-three", &[1, 3]),
        ] {
            drafts.push(refused_state(
                topic,
                "shlo.state.sizes",
                ErrorKind::State,
                Dtype::U64,
                dims,
            ));
        }
        for (dtype, dims) in [
            (Dtype::U32, [4]),
            (Dtype::U32, [6]),
            (Dtype::U32, [2]),
            (Dtype::I64, [2]),
            (Dtype::I64, [3]),
            (Dtype::F64, [2]),
            (Dtype::U8, [16]),
        ] {
            let topic = format!("{dtype}-{}", dims[0]);
            drafts.push(refused_state(
                &topic,
                "shlo.state.type",
                ErrorKind::Dtype,
                dtype,
                &dims,
            ));
        }
    }
    drafts
}

fn attributes() -> Vec<Draft> {
    let mut drafts = Vec::new();
    for dtype in [Dtype::U8, Dtype::U32, Dtype::F32, Dtype::F64] {
        let request = request(
            RngAlgorithm::ThreeFry,
            dtype,
            &[4],
            Tensor::vector(&[1_u64, 2, 3]),
        );
        let id = format!("shlo/three-fry/{dtype}/refused-three-words");
        drafts.push(refused(
            &id,
            "shlo.state.form",
            &["shlo.state.sizes"],
            ErrorKind::State,
            request,
        ));
    }
    let plain = request(
        RngAlgorithm::Philox,
        Dtype::U32,
        &[3],
        Tensor::vector(&[1_u64, 2]),
    );
    for name in ["", "philox", "PHILOX_4X32_10", "THREEFRY"] {
        let request = RngBitGenerator {
            rng_algorithm: Attribute::parse(name),
            ..plain.clone()
        };
        let topic = if name.is_empty() {
            "empty".to_owned()
        } else {
            name.to_lowercase().replace('_', "-")
        };
        let id = format!("shlo/unknown/u32/refused-algorithm-{topic}");
        drafts.push(refused(&id, "shlo.algorithm", &[], ErrorKind::Attribute, request));
    }
    for name in ["i1", "complex64", "complex128", "float32"] {
        let request = RngBitGenerator {
            output_type: Attribute::parse(name),
            ..plain.clone()
        };
        let id = format!("shlo/philox/unknown/refused-type-{}", name.to_lowercase());
        drafts.push(refused(
            &id,
            "shlo.output.form",
            &[],
            ErrorKind::Attribute,
            request,
        ));
    }
    drafts
}
