use seedproof_check::{Finding, Outcome};
use seedproof_report::{BenchFigure, Event, Run, html};

use crate::golden::assert_golden;
use crate::sample::{ALL, CLEAN, FALLS, FUSED, SWAPPED, TAIL, TORCH, events, log, run};

/// The part of a page between two texts, the first of them included.
fn part<'a>(page: &'a str, from: &str, to: &str) -> &'a str {
    let start = page.find(from).expect("the part begins");
    let end = page[start..].find(to).expect("the part ends");
    &page[start..start + end]
}

#[test]
fn page_says_what_ran_and_who_conforms() {
    let bench = BenchFigure {
        what: "RandomUniform-8 TENSORFLOW f32, 16 Mi elements".to_owned(),
        implementation: CLEAN.to_owned(),
        figure: "9.8 GB/s".to_owned(),
        note: "median of 30 runs, 2 threads".to_owned(),
    };
    let page = html(&run(&[CLEAN, FUSED, FALLS]), &[bench]).unwrap();
    assert_golden!("page_head", part(&page, "<header>", "</header>"));
    assert_golden!(
        "page_cards",
        part(&page, "<section id=\"verdicts\">", "</section>")
    );
    assert_golden!(
        "page_errata",
        part(&page, "<section id=\"errata\">", "</section>")
    );
    assert_golden!(
        "page_clauses",
        part(&page, "<section id=\"clauses\">", "</section>")
    );
    assert_golden!(
        "page_mistakes",
        part(&page, "<section id=\"mistakes\">", "</section>")
    );
    assert_golden!("page_bench", part(&page, "<section id=\"bench\"", "</section>"));
}

/// An op of which nothing was asked is named below the table.
#[test]
fn page_shows_how_much_of_each_type_passed() {
    let mut events = events(&[CLEAN, TORCH, FALLS], 0);
    for event in &mut events {
        if let Event::Finding(finding) = event
            && finding.case.as_str().starts_with("dml")
        {
            *finding = Finding::new(
                finding.case.clone(),
                finding.backend.clone(),
                Outcome::Unsupported,
            )
            .into();
        }
    }
    let page = html(
        &Run::from_events(&[("events.jsonl", &log(&events))]).unwrap(),
        &[],
    )
    .unwrap();
    assert_golden!(
        "page_overview",
        part(&page, "<section id=\"overview-of-types\"", "</section>")
    );
    assert!(page.contains("<title>Seedproof: 1 of 3 conform</title>"));
    assert!(page.contains("Follows <b>torch-2.11</b>"));
    // The script and the style are named by their sums, of 44 characters.
    let policy = part(&page, "script-src ", "; style-src");
    let sum = policy
        .split("sha256-")
        .nth(1)
        .and_then(|rest| rest.split('=').next());
    assert_eq!(sum.map(str::len), Some(43), "{policy}");
}

#[test]
fn page_data_of_one_case() {
    let run = run(&[CLEAN, FUSED, TAIL]);
    let page = html(&run, &[]).unwrap();
    let data = part(
        &page,
        "<script type=\"application/json\" id=\"data\">",
        "</script>",
    );
    let data = data.split_once('>').expect("a tag ends").1;
    let data: serde_json::Value = serde_json::from_str(data).expect("the data is JSON");
    let passes = data["outcomes"]
        .as_array()
        .into_iter()
        .flatten()
        .find(|it| it["name"] == "pass");
    let passed: usize = run.implementations().map(|it| run.tally(&it.id).passed).sum();
    assert_eq!(passes.map(|it| &it["count"]), Some(&passed.into()));
    let case = |id: &str| {
        let cases = data["cases"].as_array().expect("a list");
        let case = cases.iter().find(|case| case["i"] == id).expect("the case");
        serde_json::to_string_pretty(case).expect("JSON")
    };
    assert_golden!("page_data_elements", case("ru8/tensorflow/f16/range-negative"));
    assert_golden!("page_data_chunks", case("dml/feature-level-3.0/large"));
    assert_golden!(
        "page_data_causes",
        serde_json::to_string_pretty(&data["causes"]).expect("JSON")
    );
}

#[test]
fn page_is_made_from_its_log_alone() {
    let text = log(&events(&[CLEAN, FUSED, FALLS], 0));
    let page = |text: &str| html(&Run::from_events(&[("events.jsonl", text)]).unwrap(), &[]).unwrap();
    let edit = |text: String| {
        text.replace("9f2b1c7de044", "000000000000")
            .replace("0.1.0", "9.9.9")
    };
    // The log of another program over another corpus, of which this one knows nothing.
    assert_eq!(page(&edit(text.clone())), edit(page(&text)));
    let renamed = text
        .replace("ru8.mt.twist", "x.y")
        .replace("nine-rounds", "some-other");
    let page = page(&renamed);
    assert!(page.contains("<code>x.y</code>") && page.contains("<code>some-other</code>"));
    assert!(!page.contains("ru8.mt.twist") && !page.contains("nine-rounds"));
}

#[test]
fn page_leaves_out_what_its_log_does_not_have() {
    let mut events = events(&[CLEAN], 0);
    events.retain(|event| !matches!(event, Event::Clause(_) | Event::Erratum(_) | Event::Mistake(_)));
    let run = Run::from_events(&[("events.jsonl", &log(&events))]).unwrap();
    let page = html(&run, &[]).unwrap();
    for absent in [
        "id=\"errata\"",
        "id=\"clauses\"",
        "id=\"mistakes\"",
        "id=\"bench\"",
        "class=\"banner\" role",
    ] {
        assert!(!page.contains(absent), "{absent}");
    }
}

#[test]
fn page_names_nothing_outside_itself() {
    let page = html(&run(&ALL), &[]).unwrap();
    let namespace = "http://www.w3.org/2000/svg";
    // Links to the documents are followed by a click alone.
    let document = "https://example.org/random-uniform-8\"";
    let outside = page
        .replace(namespace, "")
        .replace(&format!("<a href=\"{document}"), "")
        .replace(&format!("\"url\":\"{document}"), "");
    for link in ["http:", "https:", " src=", "@import", "url("] {
        assert!(!outside.contains(link), "{link}");
    }
}

#[test]
fn page_of_two_thousand_cases_is_small() {
    let events = events(&[CLEAN, FUSED, FALLS, SWAPPED], 49);
    let run = Run::from_events(&[("events.jsonl", &log(&events))]).unwrap();
    let size = html(&run, &[]).unwrap().len();
    assert_eq!(run.cases().len(), 2005);
    println!("{size} bytes");
    assert!(size < 3_000_000, "{size} bytes");
}

#[test]
fn page_asks_no_more_of_a_run_than_its_cases() {
    // Cases that say nothing under the reading are judged of nobody; they are named, and no caveat.
    let mut events = events(&[CLEAN, FUSED], 0);
    let Event::Run(header) = &mut events[0] else {
        panic!("a log begins with its run");
    };
    header.corpus.cases += 93;
    let whole = Run::from_events(&[("events.jsonl", &log(&events))]).unwrap();
    assert_eq!(whole.caveats(), Vec::<String>::new());
    let at = events
        .iter()
        .rposition(|event| matches!(event, Event::Finding(_)))
        .unwrap();
    events.remove(at);
    events.retain(|event| !matches!(event, Event::End { .. }));
    events.push(Event::End { findings: 89 });
    let short = Run::from_events(&[("events.jsonl", &log(&events))]).unwrap();
    assert_eq!(
        short.caveats(),
        ["incomplete: saboteur/fused-scale has findings for 44 of 45 selected cases"]
    );
    assert!(html(&short, &[]).unwrap().contains("has findings for 44 of 45"));
}
