//! A file of cases: what parses is written in canonical form, and that form parses to the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use seedproof_corpus::{Corpus, parse};

fuzz_target!(|text: &str| {
    let name = "fuzzed.yaml";
    if let Ok(file) = parse(name, text) {
        let canonical = seedproof_author::emit(&file);
        let again = parse(name, &canonical).expect("what is written is read");
        assert_eq!(seedproof_author::emit(&again), canonical, "the canonical form is one");
        let requests = |file: &seedproof_corpus::ParsedFile| {
            let cases = file.cases.iter();
            cases.map(|case| (case.id.clone(), case.request.clone(), case.expect.clone())).collect::<Vec<_>>()
        };
        assert_eq!(requests(&file), requests(&again));
    }
    let _ = Corpus::from_files(&[(name.to_owned(), text.to_owned())], seedproof::registry(), &["spec"]);
});
