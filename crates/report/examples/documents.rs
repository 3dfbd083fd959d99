//! What the documents of 20,020 findings cost: 5,005 cases on four implementations, three of which fail.
//!
//! `cargo run --release -p seedproof-report --example documents`
#![expect(clippy::print_stdout, reason = "it prints figures")]

use std::time::Instant;

use seedproof_report::{Run, Unclaimed, html, json, junit, markdown};

#[expect(dead_code, reason = "the tests use all of it")]
#[path = "../tests/report/sample/mod.rs"]
mod sample;

fn main() {
    let events = sample::events(
        &[sample::CLEAN, sample::FUSED, sample::FALLS, sample::SWAPPED],
        124,
    );
    let text = sample::log(&events);

    println!("event log: {} bytes; peak memory so far: {}", text.len(), peak());
    let timed = |what: &str, make: &dyn Fn() -> String| {
        let begun = Instant::now();
        let size = make().len();
        println!(
            "{what:<10} {:>6.0} ms {size:>9} bytes",
            begun.elapsed().as_secs_f64() * 1e3
        );
    };
    let begun = Instant::now();
    let run = Run::from_events(&[("events.jsonl", &text)]).expect("a good log");
    println!(
        "{:<10} {:>6.0} ms",
        "reading",
        begun.elapsed().as_secs_f64() * 1e3
    );
    timed("page", &|| html(&run, &[]).expect("a page"));
    timed("JUnit", &|| junit(&run, Unclaimed::Skipped).expect("XML"));
    timed("JSON", &|| json(&run).expect("JSON"));
    timed("Markdown", &|| markdown(&run));
    println!("peak memory: {}", peak());
}

/// The most memory that this process has held, where the system tells.
fn peak() -> String {
    std::fs::read_to_string("/proc/self/status")
        .ok()
        .and_then(|status| {
            Some(
                status
                    .lines()
                    .find_map(|line| line.strip_prefix("VmHWM:"))?
                    .trim()
                    .to_owned(),
            )
        })
        .unwrap_or_else(|| "not known".to_owned())
}
