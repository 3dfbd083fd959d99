//! Nothing that is read panics, hangs, or takes more memory than its own size calls for.

use proptest::prelude::*;
use seedproof_corpus::{Query, Registry, parse};

const VALID: &str = r#"# Why.
schema: 2
op: openvino.Multinomial-13
clauses: [mn13.select]
provenance: { kind: derived, reading: spec, revision: 1 }
cases:
  - id: mn13/replacement/f32/one
    errata: [mn13.select.comparison]
    note: "One \"sentence\"."
    margin: 0.25
    attrs: { convert_type: i32, with_replacement: true, log_probs: false, global_seed: 1, op_seed: 2 }
    inputs:
      probs: { dtype: f32, shape: [1, 2], bits: ["3f000000", "3f000000"] } # 0.5, 0.5
      num_samples: 2
      draws: { dtype: f64, shape: [1, 2], bits: ["3fe0000000000000", "0000000000000000"] } # 0.5, 0
    printed: { values: ["0", "1"], right: false }
    expect:
      bits: [0, 0]
    readings:
      openvino-core-2026.4: { rejected: samples }
  - id: mn13/replacement/f32/two
    attrs: { convert_type: i32, with_replacement: true, log_probs: false, global_seed: 1, op_seed: 2 }
    inputs: { probs: { dtype: f32, shape: [1, 1], bits: ["3f000000"] }, num_samples: 65537 } # 0.5
    expect:
      digest:
        chunks: ["0000000000000000000000000000000000000000000000000000000000000001",
                 "0000000000000000000000000000000000000000000000000000000000000002"]
        first: [0, 0, 0, 0, 0, 0, 0, 0]
        last: [0, 0, 0, 0, 0, 0, 0, 0]
"#;

/// Pieces that YAML or the format gives a meaning to.
const PIECES: &[&str] = &[
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    ": ",
    "- ",
    "? ",
    "\"",
    "'",
    "#",
    " # ",
    "\n",
    "\n  ",
    "\r",
    "\t",
    "&a ",
    "*a",
    "!!int ",
    "!x ",
    "<<: ",
    "| ",
    "> ",
    "---\n",
    "...\n",
    "%YAML 1.2\n",
    "4294967296",
    "18446744073709551616",
    "-1",
    "1e999",
    "~",
    "null",
    "true",
    "…",
    "\u{0}",
    "\u{feff}",
    "\u{85}",
    "bits",
    "shape: [4294967296, 4294967296]",
    "dtype",
    "printed: { values: [\"1e99999999\", \"0.00000000000000000000000000000000000000001\"], right: true }",
];

#[derive(Clone, Debug)]
enum Edit {
    Delete(usize, usize),
    Insert(usize, String),
    Copy(usize, usize, usize),
}

fn edit() -> impl Strategy<Value = Edit> {
    let at = 0..VALID.len();
    let piece = prop_oneof![
        prop::sample::select(PIECES).prop_map(str::to_owned),
        any::<char>().prop_map(String::from),
    ];
    prop_oneof![
        (at.clone(), 1..40_usize).prop_map(|(at, length)| Edit::Delete(at, length)),
        (at.clone(), piece).prop_map(|(at, text)| Edit::Insert(at, text)),
        (at.clone(), 1..200_usize, at).prop_map(|(from, length, to)| Edit::Copy(from, length, to)),
    ]
}

fn edited(edits: &[Edit]) -> String {
    let mut chars: Vec<char> = VALID.chars().collect();
    for edit in edits {
        let clamp = |at: usize| at.min(chars.len());
        match *edit {
            Edit::Delete(at, length) => {
                let range = clamp(at)..clamp(at + length);
                chars.drain(range);
            }
            Edit::Insert(at, ref text) => {
                let at = clamp(at);
                chars.splice(at..at, text.chars());
            }
            Edit::Copy(from, length, to) => {
                let copied = chars[clamp(from)..clamp(from + length)].to_vec();
                let to = clamp(to);
                chars.splice(to..to, copied);
            }
        }
    }
    chars.into_iter().collect()
}

/// Whatever a text is, it is read or every mistake has a place in it.
fn assert_judged(text: &str) {
    let lines = text.lines().flat_map(|line| line.split('\r')).count().max(1);
    if let Err(errors) = parse("a.yaml", text) {
        assert!(!errors.0.is_empty());
        for error in errors.0 {
            assert!(
                error.location.line >= 1 && error.location.line <= lines + 1,
                "{error}\n{text}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn robust_against_arbitrary_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        assert_judged(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn robust_against_arbitrary_pieces(pieces in proptest::collection::vec(prop::sample::select(PIECES), 0..60)) {
        assert_judged(&pieces.concat());
    }

    #[test]
    fn robust_against_edits_of_valid_text(edits in proptest::collection::vec(edit(), 1..6)) {
        assert_judged(&edited(&edits));
    }

    #[test]
    fn robust_registry_against_arbitrary_pieces(
        pieces in proptest::collection::vec(prop::sample::select(PIECES), 0..60)
    ) {
        let text = pieces.concat();
        let _ = Registry::parse(&[("c.yaml", &text)]);
    }

    #[test]
    fn robust_query_against_arbitrary_text(text in any::<String>()) {
        if let Err(error) = Query::parse(&text) {
            prop_assert!(error.to_string().starts_with("read the query"));
        }
    }
}

#[test]
fn robust_valid_text_is_valid() {
    assert!(parse("a.yaml", VALID).is_ok());
}

#[test]
fn robust_against_long_texts_of_one_piece() {
    for piece in PIECES
        .iter()
        .chain(&["a", "a: ", "- - ", "[a, ", "{a: ", "'a' ", "a\n", "\"\\x41"])
    {
        assert_judged(&piece.repeat(20_000));
        assert_judged(&format!("cases: {}", piece.repeat(5_000)));
        assert_judged(&format!("note: \"{}", piece.repeat(5_000)));
    }
}

#[test]
fn robust_against_long_lists_of_literals() {
    let zeros = vec!["\"00000000\""; 100_000].join(", ");
    let text = VALID.replace("bits: [0, 0]", &format!("bits: [{zeros}]"));
    let Err(errors) = parse("a.yaml", &text) else {
        panic!("a hundred thousand literals are accepted for two elements");
    };
    assert!(
        errors
            .to_string()
            .contains("failed to read 100000 elements as i32 [1, 2]: expected 2")
    );
}

#[test]
fn robust_against_many_mistakes() {
    let cases = VALID.replace("  - id:", &format!("{}  - id:", "  - {}\n".repeat(20_000)));
    let Err(errors) = parse("a.yaml", &cases) else {
        panic!("cases of nothing are accepted");
    };
    assert_eq!(errors.0.len(), 1_001);
    assert!(errors.to_string().contains("it has more than 1000"));
}

/// Compared each with each, these names would take minutes.
#[test]
fn robust_against_many_names() {
    let names: Vec<String> = (0..50_000).map(|n| format!("x.n{n}")).collect();
    let many = format!("[mn13.select, {}]", names.join(", "));
    let flags = format!("    flags: {many}\n    errata:");
    let text = VALID
        .replace("clauses: [mn13.select]", &format!("clauses: {many}"))
        .replacen("    errata:", &flags, 1);
    let file = parse("a.yaml", &text).unwrap();
    assert_eq!((file.clauses.len(), file.cases[0].flags.len()), (50_001, 50_001));
}
