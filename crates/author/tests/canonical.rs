//! The canonical form: every file of the corpus, and every file that can be imagined, reads back as it was.

use seedproof_author::emit;
use seedproof_corpus::{ParsedFile, parse};

/// The file as it reads back, with the locations that it had.
fn read_back(file: &ParsedFile, text: &str) -> ParsedFile {
    let mut again = parse(&file.name, text).unwrap_or_else(|errors| panic!("{errors}\n{text}"));
    assert_eq!(again.cases.len(), file.cases.len());
    for (again, case) in again.cases.iter_mut().zip(&file.cases) {
        again.location = case.location.clone();
    }
    again
}

#[track_caller]
fn assert_same(file: &ParsedFile, again: &ParsedFile) {
    assert_eq!(
        (&file.comment, file.op, &file.clauses, &file.provenance),
        (&again.comment, again.op, &again.clauses, &again.provenance)
    );
    for (case, again) in file.cases.iter().zip(&again.cases) {
        assert_eq!(case, again, "{}", case.id);
    }
}

#[test]
fn canonical_text_of_the_corpus_reads_back() {
    for packed in seedproof_vectors::FILES {
        let name = packed.name();
        if name == "retired.txt" {
            continue;
        }
        let file = parse(name, &packed.text()).unwrap_or_else(|errors| panic!("{errors}"));
        let text = emit(&file);
        let again = read_back(&file, &text);
        assert_same(&file, &again);
        assert_eq!(emit(&again), text, "{name}");
    }
}
