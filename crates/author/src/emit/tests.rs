use std::collections::BTreeMap;

use proptest::collection::{btree_set, vec};
use proptest::prelude::*;
use seedproof_ops::{DmlRandomGenerator, ErrorKind, Multinomial, OpName, RandomUniform, Shape};

use super::*;
use seedproof_vectors::{Bits, CaseId, Location, SHOWN, id_prefix, output_form, parse};

fn name() -> impl Strategy<Value = Name> + Clone {
    (0..20_u32, 0..20_u32).prop_map(|(a, b)| Name::new(&format!("topic-{a}.part_{b}")).unwrap())
}

fn names(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Name>> + Clone {
    btree_set(name(), count).prop_map(|names| names.into_iter().collect())
}

/// Texts that YAML could take for something else, and any others.
fn text() -> impl Strategy<Value = String> + Clone {
    const TRAPS: &[&str] = &[
        "",
        "true",
        "No",
        "null",
        "~",
        "1",
        "1.5",
        "0x1f",
        "1_000",
        "2026.4.1",
        "- a",
        "a: b",
        "a #b",
        "#",
        "{a}",
        "[a",
        "'a'",
        "\"a\"",
        "a\nb",
        "a\tb",
        " a",
        "a ",
        "*a",
        "&a",
        "!a",
        "%a",
        "@a",
        "`a`",
        "a:",
        "? a",
        "| a",
        "> a",
        "a, b",
        "---",
        "...",
        "1:30",
        ".inf",
        ".nan",
        "2026-04-01",
        "\u{feff}a",
        "a\u{85}b",
        "\u{0}",
        "é…",
        "12e03",
        "a  b",
        "<<",
        "=",
    ];
    prop_oneof![
        2 => prop::sample::select(TRAPS).prop_map(str::to_owned),
        1 => vec(any::<char>(), 0..12).prop_map(String::from_iter),
        1 => vec(prop::sample::select(&["word", "a", "12", "-", "#", ":", "(x)", "it's"][..]), 0..40)
            .prop_map(|words| words.join(" ")),
    ]
}

fn dtype() -> impl Strategy<Value = Dtype> {
    prop::sample::select(Dtype::ALL)
}

fn element(dtype: Dtype) -> impl Strategy<Value = Scalar> {
    any::<u64>().prop_map(move |bits| Scalar::new(dtype, bits))
}

fn elements(dtype: Dtype, count: usize) -> impl Strategy<Value = Vec<Scalar>> {
    vec(element(dtype), count)
}

fn tensor_of(dtype: Dtype, dims: &[u64]) -> impl Strategy<Value = Tensor> + use<> {
    let shape = Shape::new(dims).unwrap();
    elements(dtype, shape.count()).prop_map(move |elements| {
        let bytes = elements
            .iter()
            .flat_map(|element| element.to_le_bytes())
            .collect();
        Tensor::new(dtype, shape.clone(), bytes).unwrap()
    })
}

fn dims() -> impl Strategy<Value = Vec<u64>> {
    vec(0..5_u64, 0..4)
}

fn tensor() -> impl Strategy<Value = Tensor> {
    (dtype(), dims()).prop_flat_map(|(dtype, dims)| tensor_of(dtype, &dims))
}

fn attribute<T: Named + std::fmt::Debug>() -> impl Strategy<Value = Attribute<T>> {
    prop_oneof![
        3 => prop::sample::select(T::ALL).prop_map(Attribute::Known),
        1 => text().prop_map(|text| Attribute::parse(&text)),
    ]
}

fn request(op: OpName) -> BoxedStrategy<Request> {
    match op {
        OpName::RandomUniform => {
            let extents = vec(0..5_i64, 0..4).prop_map(|extents| Tensor::vector(&extents));
            let shape = prop_oneof![3 => extents, 1 => tensor()];
            let types = (attribute::<Dtype>(), dtype()).prop_flat_map(|(output_type, other)| {
                let bound = prop_oneof![
                    3 => tensor_of(output_type.known().unwrap_or(other), &[]),
                    1 => tensor(),
                ];
                (Just(output_type), bound.clone().boxed(), bound)
            });
            (shape, types, any::<[u64; 2]>(), attribute(), 0..3_u32)
                .prop_map(
                    |(shape, (output_type, minval, maxval), seeds, alignment, execution)| {
                        Request::RandomUniform(RandomUniform {
                            shape,
                            minval,
                            maxval,
                            output_type,
                            global_seed: seeds[0],
                            op_seed: seeds[1],
                            alignment,
                            execution,
                        })
                    },
                )
                .boxed()
        }
        OpName::Multinomial => {
            let samples = prop_oneof![3 => (0..9_i32).prop_map(Tensor::scalar), 1 => tensor()];
            let draws = proptest::option::of(tensor());
            let attrs = (attribute(), any::<[bool; 2]>(), any::<[u64; 2]>(), any::<u32>());
            (tensor(), samples, draws, attrs)
                .prop_map(
                    |(probs, num_samples, draws, (convert_type, flags, seeds, execution))| {
                        Request::Multinomial(Multinomial {
                            probs,
                            num_samples,
                            draws,
                            convert_type,
                            with_replacement: flags[0],
                            log_probs: flags[1],
                            global_seed: seeds[0],
                            op_seed: seeds[1],
                            execution,
                        })
                    },
                )
                .boxed()
        }
        OpName::DmlRandomGenerator => (tensor(), dims(), attribute(), attribute(), any::<bool>())
            .prop_map(
                |(input_state, output_sizes, generator, feature_level, output_state)| {
                    Request::DmlRandomGenerator(DmlRandomGenerator {
                        input_state,
                        output_sizes,
                        generator,
                        feature_level,
                        output_state,
                    })
                },
            )
            .boxed(),
    }
}

/// Bits, digests or a rejection, as the request allows.
fn answer(request: &Request) -> BoxedStrategy<Expectation> {
    let rejected = prop::sample::select(ErrorKind::ALL).prop_map(Expectation::Rejected);
    let form =
        output_form(request).and_then(|(dtype, dims)| Some((dtype, Shape::new(&dims).ok()?.count(), dims)));
    // An extent may be any number; what an answer is made of has to fit the test.
    let Some((dtype, count, dims)) = form.filter(|(_, count, _)| *count <= 1000) else {
        return rejected.boxed();
    };
    let shown = count.min(SHOWN);
    let state = match request {
        Request::DmlRandomGenerator(request) if request.output_state => {
            let dims: Vec<u64> = request
                .input_state
                .shape()
                .dims()
                .iter()
                .map(|&dim| u64::try_from(dim).unwrap())
                .collect();
            proptest::option::of(tensor_of(Dtype::U32, &dims)).boxed()
        }
        _ => Just(None).boxed(),
    };
    let sums = prop_oneof![
        any::<[u8; 32]>().prop_map(OutputDigest::Whole),
        vec(any::<[u8; 32]>(), count.div_ceil(65_536)).prop_map(OutputDigest::Chunks),
    ];
    prop_oneof![
        3 => (tensor_of(dtype, &dims), state.clone())
            .prop_map(|(output, state)| Expectation::Bits(Bits { output, state })),
        1 => (sums, elements(dtype, shown), elements(dtype, shown), state).prop_map(
            |(digest, first, last, state)| Expectation::Digest(Digested { digest, first, last, state })
        ),
        1 => rejected,
    ]
    .boxed()
}

fn provenance_of_any_kind() -> impl Strategy<Value = Provenance> {
    prop_oneof![
        (text(), text()).prop_map(|(document, example)| Provenance::SpecExample { document, example }),
        text().prop_map(|source| Provenance::KnownAnswer { source }),
        (text(), text(), text()).prop_map(|(implementation, version, method)| Provenance::Capture {
            implementation,
            version,
            method
        }),
        (name(), any::<u32>()).prop_map(|(reading, revision)| Provenance::Derived { reading, revision }),
    ]
}

fn case(op: OpName) -> impl Strategy<Value = Case> {
    let told = (
        names(1..4),
        names(0..3),
        names(0..3),
        proptest::option::of(text()),
        0.0..1.0_f64,
    );
    request(op).prop_flat_map(move |request| {
        let expect = prop_oneof![
            4 => answer(&request),
            1 => Just(Expectation::Oracle),
            1 => Just(Expectation::Statistical),
        ];
        let readings = proptest::collection::btree_map(name(), answer(&request), 0..3);
        let request = Just(request);
        (request, expect, readings, told.clone(), provenance_of_any_kind()).prop_map(
            move |(request, expect, readings, (clauses, errata, flags, note, margin), provenance)| Case {
                id: CaseId::new(id_prefix(op)).unwrap(),
                location: Location {
                    file: "a.yaml".to_owned(),
                    line: 1,
                    column: 1,
                },
                clauses,
                errata,
                flags,
                provenance,
                request,
                expect,
                readings,
                printed: None,
                margin: (op == OpName::Multinomial && margin > 0.5).then_some(margin),
                note,
            },
        )
    })
}

fn file() -> impl Strategy<Value = ParsedFile> {
    let comment = vec(
        "[ -~é…]{0,30}".prop_map(|line: String| line.trim_end().to_owned()),
        0..3,
    );
    prop::sample::select(OpName::ALL)
        .prop_flat_map(move |op| {
            let shared = (names(0..3), proptest::option::of(provenance_of_any_kind()));
            (Just(op), comment.clone(), shared, vec(case(op), 1..4))
        })
        .prop_map(|(op, comment, (clauses, provenance), mut cases)| {
            for (i, case) in cases.iter_mut().enumerate() {
                case.id = CaseId::new(&format!("{}/{i}", id_prefix(op))).unwrap();
                let own = case.clauses.iter().filter(|name| !clauses.contains(name));
                case.clauses = clauses.iter().chain(own).cloned().collect();
            }
            let mut file = ParsedFile::new("a.yaml", op);
            file.comment = comment;
            file.clauses = clauses;
            file.provenance = provenance;
            file.cases = cases;
            file
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn emit_writes_what_reads_back(file in file()) {
        let text = emit(&file);
        let mut again = parse(&file.name, &text).unwrap_or_else(|errors| panic!("{errors}\n{text}"));
        for (again, case) in again.cases.iter_mut().zip(&file.cases) {
            again.location = case.location.clone();
        }
        prop_assert_eq!(&file.comment, &again.comment);
        prop_assert_eq!(file.op, again.op);
        prop_assert_eq!(&file.clauses, &again.clauses);
        prop_assert_eq!(&file.provenance, &again.provenance);
        prop_assert_eq!(&file.cases, &again.cases);
        prop_assert_eq!(emit(&again), text);
    }

    #[test]
    fn emit_keeps_lines_of_literals_within_120_columns(file in file()) {
        for line in emit(&file).lines() {
            let literals = line.trim_start().starts_with(['"', '-', '[']) || line.contains("bits: [");
            prop_assert!(!literals || line.chars().count() <= 120, "{line}");
        }
    }
}

#[test]
fn emit_repeats_nothing_that_the_file_says() {
    let text = "# Why.
#
# More.
schema: 1
op: directml.RandomGenerator
clauses: [dml.type]
provenance: { kind: derived, reading: spec, revision: 1 }
cases:
  - id: dml/feature-level-4.0/one
    clauses: [dml.output.form]
    note: One sentence.
    attrs: { type: PHILOX_4X32_10, feature_level: \"4.0\", output_sizes: [2], output_state: true }
    inputs: { input_state: { dtype: u32, shape: [6], bits: [0, 0, 0, 0, 0, 0] } }
    expect:
      bits: [1713891541, 3781805453]
      state: [1, 0, 0, 0, 0, 0]
  - id: dml/feature-level-4.0/two
    attrs: { type: PHILOX_4X32_10, feature_level: \"4.0\", output_sizes: [0], output_state: true }
    inputs: { input_state: { dtype: u32, shape: [6], bits: [0, 0, 0, 0, 0, 0] } }
    expect:
      rejected: shape
";
    let file = parse("a.yaml", text).unwrap();
    assert_eq!(file.cases[0].clauses.len(), 2);
    assert_eq!(emit(&file), text);
    assert_eq!(file.cases[0].readings, BTreeMap::new());
}
