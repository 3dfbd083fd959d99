//! Queries over the corpus, and command lines: of an adapter, and of the program itself.
#![no_main]

use libfuzzer_sys::fuzz_target;
use seedproof_corpus::Query;
use seedproof_wire::AdapterCommand;

fuzz_target!(|text: &str| {
    if let Ok(query) = Query::parse(text) {
        let corpus = seedproof::corpus();
        if !corpus.cases().step_by(97).any(|case| query.matches(case)) {
            let _ = query.nearest(corpus);
        }
    }
    let _ = AdapterCommand::parse(text);
    seedproof_cli::fuzzing::arguments(text.split(' '));
});
