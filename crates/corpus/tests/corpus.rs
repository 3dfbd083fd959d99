//! The corpus as a whole: what holds over several files, and what is selected.

use seedproof_corpus::{Case, Query, Registry, Selection};

mod small;

use small::*;

fn ids<'a>(cases: impl Iterator<Item = &'a Case>) -> Vec<&'a str> {
    cases.map(|case| case.id.as_str()).collect()
}

#[test]
fn corpus_is_in_the_order_of_its_files() {
    let corpus = small();
    assert_eq!(
        ids(corpus.cases()),
        [
            "ru8/tensorflow/i32/a",
            "ru8/tensorflow/i32/b-2",
            "ru8/tensorflow/i32/b-1"
        ]
    );
    assert_eq!(corpus.get("ru8/tensorflow/i32/b-1").unwrap().location.line, 16);
    assert!(corpus.get("ru8/tensorflow/i32/c").is_none());
    assert_eq!(corpus.files().len(), 2);
}

#[test]
fn corpus_hash_follows_the_texts_and_not_their_order() {
    let a = ("a.yaml", file(&[case("ru8/tensorflow/i32/a", DERIVED, 1)]));
    let b = ("b.yaml", file(&[case("ru8/tensorflow/i32/b", DERIVED, 2)]));
    let hash = |files: &[(&str, String)]| corpus(files).map(|corpus| corpus.hash().to_owned());
    let first = hash(&[a.clone(), b.clone()]);
    assert_eq!(first, hash(&[b.clone(), a.clone()]));
    assert_eq!(first.as_ref().map(String::len), Ok(64));
    let other = ("b.yaml", file(&[case("ru8/tensorflow/i32/b", DERIVED, 3)]));
    assert_ne!(first, hash(&[a, other]));
}

#[test]
fn corpus_names_every_mistake_of_every_file() {
    let twice = file(&[case("ru8/tensorflow/i32/a", DERIVED, 1)]);
    let retired = file(&[case("ru8/tensorflow/i32/old", DERIVED, 2)]);
    let unknown = file(&[case("ru8/tensorflow/i32/c", DERIVED, 3)])
        .replace("ru8.convert.i32", "ru8.convert.i31")
        .replace("ru8.range.fused", "ru8.range.used")
        .replace("tensorflow-2.21", "tensorflow-2.22");
    let Err(errors) = corpus(&[
        ("a.yaml", twice.clone()),
        ("b.yaml", twice),
        ("c.yaml", unknown),
        ("d.yaml", retired),
        ("e.yaml", "schema: one".to_owned()),
        (
            "retired.txt",
            "# Gone.\nru8/tensorflow/i32/old # since 0.2\n".to_owned(),
        ),
    ]) else {
        panic!("the mistakes are accepted");
    };
    assert_eq!(
        errors.to_string(),
        "b.yaml:6:5: failed to use the id `ru8/tensorflow/i32/a` a second time, after a.yaml:6:5: expected an id of \
         its own\n\
         c.yaml:4:11: failed to find the clause `ru8.convert.i31`: expected one of the registry\n\
         c.yaml:7:14: failed to find the erratum `ru8.range.used`: expected one of the registry\n\
         c.yaml:15:24: failed to find the reading `tensorflow-2.22`: expected one of spec, tensorflow-2.21\n\
         d.yaml:6:5: failed to use the id `ru8/tensorflow/i32/old`, which retired.txt lists: expected an id that no \
         case ever had\n\
         e.yaml:1:1: failed to find `cases` in this file: expected the keys schema, op, cases\n\
         e.yaml:1:1: failed to find `op` in this file: expected the keys schema, op, cases\n\
         e.yaml:1:9: failed to read `one` as `schema`: expected a whole number from 0 to 18446744073709551615, \
         without quotes"
    );
    let same = file(&[case("ru8/tensorflow/i32/a", DERIVED, 1)]);
    let Err(errors) = corpus(&[("a.yaml", same.clone()), ("a.yaml", same)]) else {
        panic!("a file is accepted twice");
    };
    assert_eq!(
        errors.0[0].to_string(),
        "a.yaml:1:1: failed to read this file a second time: expected it once"
    );
}

#[test]
fn registry_names_every_mistake() {
    let first = "documents:\n\
                 - { id: d, title: t, url: https://example.org }\n\
                 - { id: d, title: t, url: ftp://example.org }\n\
                 clauses:\n\
                 - { id: a, document: d, section: s, says: w, level: must }\n\
                 - { id: a, document: d, section: s, says: w, level: may }\n\
                 - { document: d, section: s, says: w, level: must }\n\
                 - { id: a, document: c, section: s, says: w, level: must }\n\
                 errata:\n\
                 - id: e\n  document: d\n  section: s\n  question: q\n\
                 \x20 answers: [{ id: x, says: w }, { id: x, says: w }]\n\
                 \x20 adopted: y\n  evidence: []\n  clauses: [a, b, later]\n";
    let second = "errata: [{ id: e, document: d, section: s, question: 7, answers: [], adopted: x, evidence: [], \
                  claims: [a] }]\n\
                  clauses: [{ id: later, document: d, section: s, says: w, level: must }]";
    let Err(errors) = Registry::parse(&[("a.yaml", first), ("b.yaml", second), ("c.yaml", "[]")]) else {
        panic!("the mistakes are accepted");
    };
    assert_eq!(
        errors.to_string(),
        "a.yaml:3:9: failed to use the id `d` a second time: expected one document of that id\n\
         a.yaml:3:27: failed to read `ftp://example.org` as `url`: expected an address that begins with https://\n\
         a.yaml:6:53: failed to read `may` as a level: expected one of must, should, informative\n\
         a.yaml:7:3: failed to find `id` in this clause: expected the keys id, document, section, says, level\n\
         a.yaml:8:9: failed to use the id `a` a second time: expected one clause of that id\n\
         a.yaml:8:22: failed to find the document `c`: expected one of the registry\n\
         a.yaml:14:39: failed to use the id `x` a second time: expected one answer of that id\n\
         a.yaml:15:12: failed to adopt `y`: expected the id of one of the answers\n\
         a.yaml:17:16: failed to find the clause `b`: expected one of the registry\n\
         b.yaml:1:10: failed to find `clauses` in this erratum: expected the keys id, document, section, question, \
         answers, adopted, evidence, clauses\n\
         b.yaml:1:54: failed to read the number 7 as `question`: expected a text\n\
         b.yaml:1:79: failed to adopt `x`: expected the id of one of the answers\n\
         b.yaml:1:104: failed to use `claims` in this erratum: expected only id, document, section, question, \
         answers, adopted, evidence, clauses\n\
         c.yaml:1:1: failed to read a list as this file: expected a mapping"
    );
}

#[test]
fn selection_is_a_union_less_what_is_excluded() {
    let corpus = small();
    for (queries, expected) in [
        (&[][..], &["a", "b-2", "b-1"][..]),
        (&["ru8/*/a"], &["a"]),
        (&["ru8/*/a", "ru8/*/b-1"], &["a", "b-1"]),
        (&["!*b*"], &["a"]),
        (&["provenance:capture", "!file:*/a.yaml"], &["b-1"]),
        (&["op:ru8"], &["a", "b-2", "b-1"]),
        (&["op:openvino.RandomUniform-8"], &["a", "b-2", "b-1"]),
        (&["op:mn13", "dtype:f16", "flag:other", "alignment:pytorch"], &[]),
        (&["dtype:i32", "!flag:fused-*"], &[]),
        (&["clause:ru8.convert.*"], &["a", "b-2", "b-1"]),
        (&["erratum:*", "!provenance:derived"], &["a", "b-1"]),
        (&["alignment:tensorflow"], &["a", "b-2", "b-1"]),
        (&["global_seed:2"], &["b-1"]),
        (&["shape:I64", "!global_seed:3"], &["b-2", "b-1"]),
        (&["shape:i32", "log_probs:*", "draws:f64"], &[]),
        (&["op:ru8+provenance:capture"], &["a", "b-1"]),
        (&["op:ru8 + provenance:capture + !file:*/a.yaml"], &["b-1"]),
        (&["provenance:derived+ru8/*/a"], &[]),
        (&["op:ru8+!ru8/*/b-?"], &["a"]),
        (&["!provenance:capture+file:*/a.yaml"], &["b-2", "b-1"]),
        (
            &["provenance:derived", "provenance:capture+global_seed:2"],
            &["b-2", "b-1"],
        ),
    ] {
        let selection = Selection::parse(queries).unwrap();
        let found = ids(corpus.cases().filter(|case| selection.matches(case)));
        let topics: Vec<&str> = found.iter().filter_map(|id| id.rsplit('/').next()).collect();
        assert_eq!(topics, expected, "{queries:?}");
    }
}

#[test]
fn query_that_begins_with_an_exclamation_mark_excludes() {
    for (text, excludes) in [("ru8/*", false), ("!ru8/*", true), ("op:ru8+!ru8/*", false)] {
        assert_eq!(Query::parse(text).unwrap().excludes(), excludes, "{text}");
    }
}

#[test]
fn query_that_selects_nothing_has_a_nearest_one() {
    let corpus = small();
    for (text, expected) in [
        ("ru8/tensorfow/*", Some("ru8/tensorflow/*")),
        ("ru8/tensorflow/i23/*", Some("ru8/tensorflow/i32/*")),
        ("ru8/tensorfow/i*2/*", Some("ru8/tensorflow/i*2/*")),
        ("RU8/tensorfow/*", Some("RU8/tensorflow/*")),
        ("!ru8/tensorfow/*", Some("!ru8/tensorflow/*")),
        ("ru8/tensorfow/quaternion/*", None),
        ("op:ru8+provenance:captur", Some("op:ru8+provenance:capture")),
        ("op:ru8+!dtype:i32", None),
        ("alignment:tensorfow", Some("alignment:TENSORFLOW")),
        ("dtype:int32", Some("dtype:i32")),
        ("quaternion", None),
        (
            &format!("op:rux+{}", "a".repeat(397)),
            Some(format!("op:ru8+{}", "a".repeat(397)).as_str()),
        ),
        (&format!("op:rux+{}", "a".repeat(398)), None),
        (&"a/".repeat(60_000), None),
        (&vec!["op:rux"; 20_000].join("+"), None),
    ] {
        let nearest = Query::parse(text).unwrap().nearest(&corpus);
        assert_eq!(nearest.as_deref(), expected, "{text}");
    }
}
