//! Event logs, and every document made from one that is read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use seedproof_report::{Palette, Run, Unclaimed, failure, html, json, junit, markdown, summary};

fuzz_target!(|log: &str| {
    let Ok(run) = Run::from_events(&[("fuzzed", log)]) else {
        return;
    };
    let page = html(&run, &[]).expect("a page of whatever is read");
    assert!(!page.contains("<script>alert"), "text is inert");
    json(&run).expect("JSON of whatever is read");
    junit(&run, Unclaimed::Skipped).expect("JUnit of whatever is read");
    let _ = markdown(&run);
    let text = summary(&run, Palette::plain());
    assert!(!text.contains('\x1b'), "text is inert");
    for finding in run.cases().flat_map(seedproof_report::Judged::findings) {
        assert!(!failure(&run, finding, Palette::plain()).contains('\x1b'));
    }
});
