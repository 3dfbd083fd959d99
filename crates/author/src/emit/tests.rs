use std::collections::BTreeMap;

use proptest::collection::{btree_set, vec};
use proptest::prelude::*;
use seedproof_ops::{
    AttributeInfo, Dtype, ErrorKind, InputInfo, Kind, Named, OpName, OutputForm, Role, Shape,
};

use super::*;
use seedproof_corpus::{Bits, CaseId, Location, SHOWN_AT_EITHER_END, parse};

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

fn element(dtype: Dtype) -> impl Strategy<Value = Scalar> + Clone {
    any::<u64>().prop_map(move |bits| Scalar::new(dtype, bits))
}

fn elements(dtype: Dtype, count: usize) -> impl Strategy<Value = Vec<Scalar>> + Clone {
    vec(element(dtype), count)
}

fn tensor_of(dtype: Dtype, dims: &[u64]) -> impl Strategy<Value = Tensor> + Clone + use<> {
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

fn attribute(info: &AttributeInfo) -> BoxedStrategy<Option<AttributeValue>> {
    let one_of = |names: Vec<&'static str>| {
        prop_oneof![3 => prop::sample::select(names).prop_map(str::to_owned), 1 => text()]
            .prop_map(AttributeValue::Text)
            .boxed()
    };
    let value = match info.kind {
        Kind::Enumeration(names) => one_of(names.to_vec()),
        Kind::Dtype(dtypes) => one_of(dtypes.iter().map(|dtype| dtype.name()).collect()),
        Kind::Seed => any::<u64>().prop_map(AttributeValue::Seed).boxed(),
        Kind::Boolean | Kind::WithOutput => any::<bool>().prop_map(AttributeValue::Boolean).boxed(),
        Kind::Extents(_) => dims().prop_map(AttributeValue::Extents).boxed(),
        Kind::Number(_) => any::<i128>().prop_map(AttributeValue::Number).boxed(),
    };
    present(info.required, value)
}

/// A value that may be absent where it is not required.
fn present<T: Clone + std::fmt::Debug + 'static>(
    required: bool,
    value: BoxedStrategy<T>,
) -> BoxedStrategy<Option<T>> {
    if required {
        value.prop_map(Some).boxed()
    } else {
        proptest::option::of(value).boxed()
    }
}

/// Often in the short form, and small where an output's extents follow from it.
fn input(info: &InputInfo, attributes: &BTreeMap<&str, AttributeValue>) -> BoxedStrategy<Option<Tensor>> {
    let any_tensor = tensor().boxed();
    let short = match short_form(info, |name| attributes.get(name).cloned()) {
        Some((0, Some(dtype))) => tensor_of(dtype, &[]).boxed(),
        Some((1, Some(dtype))) => (0..5_u64)
            .prop_flat_map(move |count| tensor_of(dtype, &[count]))
            .boxed(),
        _ => any_tensor.clone(),
    };
    let short = if matches!(info.role, Role::Extents | Role::Count) {
        short.prop_map(|tensor| small(&tensor)).boxed()
    } else {
        short
    };
    present(info.required, prop_oneof![3 => short, 1 => any_tensor].boxed())
}

/// Every element from 0 to 7.
fn small(tensor: &Tensor) -> Tensor {
    let dtype = tensor.dtype();
    let bytes = tensor
        .scalars()
        .flat_map(|element| Scalar::new(dtype, element.bits() % 8).to_le_bytes())
        .collect();
    Tensor::new(dtype, tensor.shape().clone(), bytes).unwrap()
}

/// Not one of `seedproof_ops::requests`, whose texts and tensors are few: here any text is an attribute and any tensor an input.
fn request(op: OpName) -> BoxedStrategy<Request> {
    let description = op.description();
    let attributes: Vec<_> = description.attributes.iter().map(attribute).collect();
    (attributes, any::<u32>())
        .prop_flat_map(move |(values, execution)| {
            let names = description.attributes.iter().map(|info| info.name);
            let attributes: BTreeMap<_, _> = names
                .zip(values)
                .filter_map(|(name, value)| Some((name, value?)))
                .collect();
            let inputs: Vec<_> = description
                .inputs
                .iter()
                .map(|info| input(info, &attributes))
                .collect();
            let execution = if description.successive { execution } else { 0 };
            (Just(attributes), inputs, Just(execution))
        })
        .prop_map(move |(mut attributes, tensors, execution)| {
            let mut tensors = tensors.into_iter();
            let attribute = &mut |info: &AttributeInfo| attributes.remove(info.name);
            Request::build(op, attribute, &mut |_| tensors.next().unwrap(), execution).unwrap()
        })
        .boxed()
}

/// Bits, digests or a rejection, as the request allows.
fn answer(request: &Request) -> BoxedStrategy<Expectation> {
    let rejected = prop::sample::select(ErrorKind::ALL).prop_map(Expectation::Rejected);
    let forms = request.output_forms().unwrap_or_default();
    // An extent may be any number; the elements of an answer have to fit the test.
    let is_small = |(_, dims): &OutputForm| Shape::new(dims).is_ok_and(|shape| shape.count() <= 1000);
    let (Some((dtype, dims)), true) = (forms.first(), forms.iter().all(is_small)) else {
        return rejected.boxed();
    };
    let count = Shape::new(dims).unwrap().count();
    let shown = count.min(SHOWN_AT_EITHER_END);
    let more: Vec<_> = forms[1..]
        .iter()
        .map(|(dtype, dims)| tensor_of(*dtype, dims))
        .collect();
    let sums = prop_oneof![
        any::<[u8; 32]>().prop_map(OutputDigest::Whole),
        vec(any::<[u8; 32]>(), count.div_ceil(65_536)).prop_map(OutputDigest::Chunks),
    ];
    prop_oneof![
        3 => (tensor_of(*dtype, dims), more.clone())
            .prop_map(|(output, more)| Expectation::Bits(Bits { output, more })),
        1 => (sums, elements(*dtype, shown), elements(*dtype, shown), more).prop_map(
            |(digest, first, last, more)| Expectation::Digest(Digested { digest, first, last, more })
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
    let shared = (
        names(1..4),
        names(0..3),
        names(0..3),
        proptest::option::of(text()),
        0.0..1.0_f64,
    );
    let draws_by_weights = op
        .description()
        .inputs
        .iter()
        .any(|info| info.role == Role::Weights);
    request(op).prop_flat_map(move |request| {
        let expect = prop_oneof![
            4 => answer(&request),
            1 => Just(Expectation::Oracle),
            1 => Just(Expectation::Statistical),
        ];
        let readings = proptest::collection::btree_map(name(), answer(&request), 0..3);
        let request = Just(request);
        (
            request,
            expect,
            readings,
            shared.clone(),
            provenance_of_any_kind(),
        )
            .prop_map(
                move |(request, expect, readings, (clauses, errata, flags, note, margin), provenance)| Case {
                    id: CaseId::new(op.description().prefix).unwrap(),
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
                    readings: readings
                        .into_iter()
                        .map(|(name, it)| (name, Box::new(it)))
                        .collect(),
                    printed: None,
                    margin: (draws_by_weights && margin > 0.5).then_some(margin),
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
                case.id = CaseId::new(&format!("{}/{i}", op.description().prefix)).unwrap();
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
schema: 2
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
      output_state: [1, 0, 0, 0, 0, 0]
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
