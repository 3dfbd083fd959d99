//! What documents say of runs that are rare: causes that passing cases contradict, later executions, implementations that
//! were asked little.

use seedproof_check::{Blocks, Finding, LowBits, Mismatch, Outcome, Places, StageValues, Tried};
use seedproof_ops::BackendId;
use seedproof_report::{
    Event, ExpectsKind, LeftOut, Palette, Run, Unclaimed, failure, html, json, junit, markdown, summary,
    tried,
};

use crate::sample::{ALL, CLEAN, FALLS, FUSED, SWAPPED, TAIL, events, found, log};

/// The finished run of these implementations, with every event edited.
fn edited(backends: &[&str], edit: impl FnMut(&mut Event)) -> Run {
    let mut events = events(backends, 0);
    events.iter_mut().for_each(edit);
    Run::from_events(&[("events.jsonl", &log(&events))]).expect("a good log")
}

fn finding(event: &mut Event) -> Option<&mut Finding> {
    match event {
        Event::Finding(finding) => Some(finding),
        _ => None,
    }
}

#[test]
fn causes_say_where_they_hold_and_how_many_passes_contradict_them() {
    let run = |sentence: &str| {
        edited(&[FUSED], |event| {
            if let Event::Diagnosis(it) = event {
                let first = &mut it.diagnosis.explanations[0];
                first.only = "where the range is negative".to_owned();
                first.evidence.contradicted = 3;
                first.cause.sentence = sentence.to_owned();
                for part in &mut first.parts {
                    part.cause.sentence = sentence.to_owned();
                }
            }
        })
    };
    let long = "x".repeat(90);
    let run_of_long = run(&long);
    let text = failure(
        &run_of_long,
        found(&run_of_long, FUSED, "ru8/tensorflow/f16/range-negative"),
        Palette::plain(),
    );
    assert!(text.contains("contradicted by 3 passing cases"), "{text}");
    let document: serde_json::Value = serde_json::from_str(&json(&run_of_long).unwrap()).unwrap();
    assert_eq!(
        document["implementations"][0]["causes"][0]["only"],
        "where the range is negative"
    );
    // A headline has sentences of at most 90 characters.
    assert!(
        run_of_long.headline().contains(&long),
        "{}",
        run_of_long.headline()
    );
    assert!(
        run(&"x".repeat(91))
            .headline()
            .ends_with("because of fused-scale")
    );
}

#[test]
fn headline_counts_what_fails_for_other_reasons() {
    let headline = edited(&[FALLS], |_| ()).headline();
    assert!(headline.ends_with("for other reasons"), "{headline}");
    let headline = edited(&[TAIL], |_| ()).headline();
    assert!(!headline.contains("other reasons"), "{headline}");
}

#[test]
fn later_executions_are_named() {
    let text = |execution| {
        let run = edited(&[FUSED], |event| {
            if let Event::Case(facts) = event {
                facts.execution = execution;
            }
        });
        failure(
            &run,
            found(&run, FUSED, "ru8/tensorflow/f16/range-negative"),
            Palette::plain(),
        )
    };
    assert!(text(2).contains(", execution 2"), "{}", text(2));
    assert!(!text(0).contains("execution"), "{}", text(0));
}

/// The verdict names what was asked, and a sentence the rest.
#[test]
fn what_was_not_asked_is_named_where_nothing_fails() {
    let asked = |backend: &str| {
        let mut kept = 0;
        edited(&[backend], |event| {
            if let Some(finding) = finding(event) {
                kept += 1;
                if finding.outcome == Outcome::Pass && !finding.case.as_str().starts_with("dml") && kept > 3 {
                    (finding.outcome, finding.refused) = (Outcome::Unsupported, false);
                }
            }
        })
    };
    let [passing, failing] = [CLEAN, FUSED].map(|id| summary(&asked(id), Palette::plain()));
    assert!(passing.contains("nothing asked of "), "{passing}");
    assert!(!failing.contains("nothing asked of "), "{failing}");
    let idle = edited(&[CLEAN], |event| {
        if let Some(finding) = finding(event) {
            let is_common = finding.case.as_str().starts_with("ru8");
            (finding.outcome, finding.refused) = (Outcome::Unsupported, false);
            finding.message = if is_common { "a common reason" } else { "the other" }.to_owned();
        }
    });
    let id = BackendId::new(CLEAN);
    assert!(
        idle.why_untested(&id).ends_with(": a common reason"),
        "{}",
        idle.why_untested(&id)
    );
    assert!(!summary(&idle, Palette::plain()).contains("nothing asked of "));
}

/// A case may expect whatever the oracle answers. Where that is a rejection, a pass compared no value, and an implementation that
/// refuses all of a thousand random requests has shown nothing.
#[test]
fn rejections_of_the_oracle_are_no_values() {
    let mut events = events(&[CLEAN], 0);
    events.retain(|event| !matches!(event, Event::Finding(finding) if !finding.refused));
    for event in &mut events {
        match event {
            Event::Case(facts) => facts.expects.kind = ExpectsKind::Oracle,
            Event::Run(header) => header.implementations[0].selected = 1,
            Event::End { findings } => *findings = 1,
            _ => {}
        }
    }
    let run = Run::from_events(&[("events.jsonl", &log(&events))]).expect("a good log");
    let tally = run.tally(&BackendId::new(CLEAN));
    assert_eq!((tally.passed, tally.valued, tally.values), (1, 1, 0));
    assert!(tally.is_untested());
}

#[test]
fn logs_without_an_end_are_counted_wherever_they_stop() {
    let whole = events(&[CLEAN], 0);
    // Two logs that were cut, one after another in a file, and one that is whole.
    let other = |id: &str| {
        let mut header = whole[0].clone();
        if let Event::Run(header) = &mut header {
            header.implementations[0].id = BackendId::new(id);
        }
        header
    };
    let text = log(&[other("a"), other("b")]) + &log(&whole);
    let cut_short = |text: &str| {
        Run::from_events(&[("events.jsonl", text)])
            .expect("a good log")
            .cut_short()
    };
    assert_eq!(cut_short(&text), 2);
    assert_eq!(cut_short(&(text + &log(&[other("c")]))), 3);
}

#[test]
fn what_is_left_out_for_one_reason_is_one_entry() {
    let left_out = |what: &str, reason: &str| Event::LeftOut(LeftOut::new(what, reason));
    let mut events = events(&[CLEAN], 0);
    let end = events.pop().expect("a log ends");
    events.extend([
        left_out("gpu", "no adapter was found"),
        left_out("gpu", "another"),
        left_out("cuda", "another"),
        end,
    ]);
    let run = Run::from_events(&[("events.jsonl", &log(&events))]).expect("a good log");
    let all: Vec<(&str, &str)> = run
        .left_out()
        .iter()
        .map(|it| (it.what.as_str(), it.reason.as_str()))
        .collect();
    assert_eq!(
        all,
        [
            ("cuda", "another"),
            ("gpu", "another"),
            ("gpu", "no adapter was found")
        ]
    );
}

/// One part of a run was asked for as such. Where several were joined for the whole, a missing one is a fault.
#[test]
fn shards_that_were_joined_say_what_is_missing() {
    let part = |part: u32| {
        let mut events = events(&[CLEAN], 0);
        let mut number = 0;
        events.retain(|event| {
            !matches!(event, Event::Finding(_)) || {
                number += 1;
                number % 3 + 1 == part
            }
        });
        if let Event::Run(header) = &mut events[0] {
            header.shard = Some((part, 3));
        }
        if let Some(Event::End { findings }) = events.last_mut() {
            *findings = 15;
        }
        log(&events)
    };
    let [first, second] = [part(1), part(2)];
    let alone = Run::from_events(&[("1", &first)]).expect("a good log");
    let joined = Run::from_events(&[("1", &first), ("2", &second)]).expect("good logs");
    let other = second.replace(&format!("\"{CLEAN}\""), "\"other\"");
    let of_two = Run::from_events(&[("1", &first), ("2", &other)]).expect("good logs");
    // The last line is often the only one that is read.
    for (run, says) in [
        (&alone, "all conform in shard 1/3: "),
        (&joined, "all conform in shards 1/3, 2/3: "),
        (&of_two, " in some of the shards: "),
    ] {
        let text = summary(run, Palette::plain());
        assert!(text.contains(says), "{text}");
    }
    let is_fault = |run: &Run| {
        junit(run, Unclaimed::Skipped)
            .unwrap()
            .contains("<error type=\"run\"")
    };
    assert_eq!([&alone, &joined].map(is_fault), [false, true]);
    assert_eq!([&alone, &joined].map(|run| run.caveats().len()), [1, 1]);
}

/// Runs that are no shards may have been asked for otherwise: they are disjoint parts.
#[test]
fn runs_of_other_selections_add_up() {
    let of = |keeps: fn(&str) -> bool, filter: &str| {
        let mut events = events(&[CLEAN], 0);
        events.retain(|event| !matches!(event, Event::Finding(it) if !keeps(it.case.as_str())));
        let kept = events
            .iter()
            .filter(|event| matches!(event, Event::Finding(_)))
            .count();
        if let Event::Run(header) = &mut events[0] {
            header.filter = vec![filter.to_owned()];
            header.implementations[0].selected = kept;
        }
        if let Some(Event::End { findings }) = events.last_mut() {
            *findings = kept;
        }
        log(&events)
    };
    let [one, other] = [
        of(|case| case.starts_with("dml"), "dml"),
        of(|case| !case.starts_with("dml"), "rest"),
    ];
    let run = Run::from_events(&[("1", &one), ("2", &other)]).expect("good logs");
    let tally = run.tally(&BackendId::new(CLEAN));
    assert_eq!((tally.selected, tally.judged), (45, 45));
}

/// The other logs do not test what the log of an adapter that refuses everything selects.
#[test]
fn log_that_tests_nothing_is_named_beside_others() {
    fn refuse(finding: &mut Finding) {
        (finding.outcome, finding.refused) = (Outcome::Unsupported, false);
    }
    let of = |filter: Option<&str>, edit: fn(&mut Finding)| {
        let mut events = events(&[CLEAN], 0);
        let is_first = |id: &str| id.starts_with("dml");
        let is_wanted = |event: &Event| match event {
            Event::Finding(it) => is_first(it.case.as_str()) == filter.is_none(),
            _ => true,
        };
        events.retain(is_wanted);
        events.iter_mut().filter_map(finding).for_each(edit);
        let kept = events.iter().filter(|it| matches!(it, Event::Finding(_))).count();
        if let Event::Run(header) = &mut events[0] {
            header.filter = filter.map(str::to_owned).into_iter().collect();
            header.implementations[0].selected = kept;
        }
        if let Some(Event::End { findings }) = events.last_mut() {
            *findings = kept;
        }
        log(&events)
    };
    let said = |logs: [&str; 2]| {
        let run = Run::from_events(&[("1", logs[0]), ("2", logs[1])]).expect("good logs");
        let untested = |it: &String| it.starts_with("untested: ");
        let caveats: Vec<String> = run.caveats().into_iter().filter(untested).collect();
        (summary(&run, Palette::plain()), caveats)
    };
    let [all, rest] = [of(None, |_| ()), of(Some("rest"), |_| ())];
    let (text, caveats) = said([&all, &rest]);
    assert!(
        text.contains("all conform") && caveats.is_empty(),
        "{text}{caveats:?}"
    );
    for (logs, selected) in [
        ([&all, &of(Some("rest"), refuse)], "cases that match rest"),
        ([&of(None, refuse), &rest], "all cases"),
    ] {
        let (text, caveats) = said(logs.map(String::as_str));
        assert!(text.contains("nothing was tested in 1 log: "), "{text}");
        assert_eq!(
            caveats,
            [format!(
                "untested: nothing was asked of {CLEAN} in its log of {selected}"
            )]
        );
    }
}

#[test]
fn cases_that_are_left_out_for_one_reason_are_counted_together() {
    let mut events = events(&[CLEAN], 0);
    let left_out = |cases| {
        Event::LeftOut(LeftOut {
            cases,
            ..LeftOut::new(CLEAN, "no answer")
        })
    };
    let findings = events.iter().position(|event| matches!(event, Event::Finding(_)));
    let mut number = 0;
    events.retain(|event| {
        !matches!(event, Event::Finding(_)) || {
            number += 1;
            number > 5
        }
    });
    if let Some(Event::End { findings }) = events.last_mut() {
        *findings = 40;
    }
    let at = findings.expect("there are findings");
    events.splice(at..at, [left_out(2), left_out(3)]);
    let run = Run::from_events(&[("1", &log(&events))]).expect("a good log");
    assert_eq!(
        (
            run.tally(&BackendId::new(CLEAN)).left_out,
            run.left_out()[0].cases
        ),
        (5, 5)
    );
}

#[test]
fn what_was_tried_is_told_without_what_was_not() {
    let run = edited(&[SWAPPED], |event| {
        if let Event::Diagnosis(it) = event {
            let tried = |what: &str, candidates| Tried {
                what: what.to_owned(),
                candidates,
                cases: 30,
            };
            it.diagnosis.tried = vec![tried("readings", 7), tried("pairs of mistakes", 0)];
        }
    });
    let text = tried(&run);
    assert!(text.contains("7 readings") && !text.contains("pairs"), "{text}");
    assert_eq!(tried(&edited(&[CLEAN], |_| ())), "");
}

/// Twelve causes are shown.
#[test]
fn markdown_counts_the_causes_that_it_does_not_show() {
    let run = |causes: usize| {
        let cause = events(&[FUSED], 0).into_iter().find_map(|event| match event {
            Event::Diagnosis(it) => it.diagnosis.explanations.into_iter().next(),
            _ => None,
        });
        let cause = cause.expect("a cause was found");
        let mut failing = Vec::new();
        edited(&[SWAPPED], |event| match event {
            Event::Finding(finding) if !finding.outcome.conforms() => failing.push(finding.case.clone()),
            Event::Diagnosis(it) => {
                it.diagnosis.unexplained.clear();
                // The last one has all that is left.
                let mut of = |number: usize| {
                    let mut cause = cause.clone();
                    cause.cause.name = format!("cause-{number}");
                    cause.cases = failing.split_off(if number + 1 < causes { failing.len() - 1 } else { 0 });
                    cause.parts.clear();
                    cause
                };
                it.diagnosis.explanations = (0..causes).map(&mut of).collect();
            }
            _ => {}
        })
    };
    let text = |causes| summary(&run(causes), Palette::plain());
    assert!(!text(12).contains("more cause"), "{}", text(12));
    assert!(text(13).contains("… 1 more cause"), "{}", text(13));
    assert!(!markdown(&run(12)).contains("more cause"));
    assert!(markdown(&run(13)).contains("- … 1 more cause"));
}

#[test]
fn logs_that_describe_one_thing_in_two_ways_do_not_join() {
    let reason = |edit: fn(&mut Event)| {
        let events = events(&[CLEAN], 0);
        let mut other = events.clone();
        other.iter_mut().for_each(edit);
        for event in &mut other {
            match event {
                Event::Run(header) => header.implementations[0].id = BackendId::new("other"),
                Event::Finding(finding) => finding.backend = BackendId::new("other"),
                _ => {}
            }
        }
        let joined = Run::from_events(&[("1", &log(&events)), ("2", &log(&other))]);
        joined.err().map(|error| error.to_string())
    };
    assert_eq!(reason(|_| ()), None);
    let case = reason(|event| {
        if let Event::Case(facts) = event {
            facts.execution = 7;
        }
    });
    assert!(case.is_some_and(|reason| reason.contains("ru8/tensorflow/f16/range-negative")));
    let mistake = reason(|event| {
        if let Event::Clause(clause) = event {
            clause.says.push('.');
        }
    });
    assert!(mistake.is_some());
}

#[test]
fn junit_leaves_out_what_is_not_claimed_and_explains_what_says_nothing() {
    let run = edited(&ALL, |event| {
        if let Some(finding) = finding(event) {
            finding.message.clear();
        }
    });
    let [skipped, left_out] =
        [Unclaimed::Skipped, Unclaimed::LeftOut].map(|unclaimed| junit(&run, unclaimed).unwrap());
    assert!(skipped.contains("<skipped") && !left_out.contains("<skipped"));
    assert!(left_out.contains("<failure"));
    assert!(!left_out.contains("message=\"\""), "{left_out}");
    // Markdown shows twelve causes, and says how many more there are only then.
    assert!(!markdown(&run).contains("more causes"));
}

/// The page has the end of each standard error until there are 400,000 bytes of them, and the same text once.
#[test]
fn page_has_standard_errors_while_its_budget_lasts() {
    // 20,000 bytes with the first line and the end of the last one.
    let rest = format!("\n{}", "z".repeat(398)).repeat(50) + "\n" + &"z".repeat(39);
    let shown = |backends: &[&str], is_same: bool| {
        let mut number = 10;
        let run = edited(backends, |event| {
            if let Some(finding) = finding(event) {
                number += usize::from(!is_same && !finding.outcome.conforms());
                finding.stderr = match finding.outcome {
                    Outcome::Pass | Outcome::Unsupported => String::new(),
                    _ => format!("device {number}{rest}"),
                };
            }
        });
        let page = html(&run, &[]).unwrap();
        (
            page.matches("device ").count(),
            page.contains("left out of this page"),
        )
    };
    assert_eq!(shown(&[FUSED], false), (12, false));
    assert_eq!(shown(&ALL, true), (1, false));
    assert_eq!(shown(&ALL, false), (20, true));
}

/// An implementation of which nothing but its output is known: what its bits say of its words, and where its elements stand.
#[test]
fn words_behind_a_value_are_told_where_they_can_be_known() {
    let text = |expected: u64, actual: Option<u64>, places: &[&[usize]], has_blocks: bool| {
        let values = |low: Option<u64>| StageValues {
            words: Vec::new(),
            low_bits: low.map(|value| LowBits { count: 23, value }),
            unit: None,
        };
        let run = edited(&[FUSED], |event| {
            if let Some(Mismatch::Elements(it)) = finding(event).and_then(|it| it.mismatch.as_mut()) {
                it.stages.clear();
                (it.expected_stages, it.actual_stages) = (Some(values(Some(expected))), Some(values(actual)));
                it.differences.indices = (0..places.len()).collect();
                it.differences.found = Some(Places {
                    searched: 400,
                    places: places.iter().map(|it| it.to_vec()).collect(),
                });
                it.differences.blocks = has_blocks.then_some(Blocks {
                    words_per_element: 1,
                    words_per_block: 4,
                });
            }
        });
        failure(
            &run,
            found(&run, FUSED, "ru8/tensorflow/f16/range-negative"),
            Palette::plain(),
        )
    };
    let other = text(0x7dcab0, Some(0x1), &[], false);
    assert!(
        other.contains("its word would end in …000001 (23 bits), not in …7dcab0"),
        "{other}"
    );
    let same = text(0x1, Some(0x1), &[], false);
    assert!(
        !same.contains("its word") && !same.contains("expected stream"),
        "{same}"
    );
    let none = text(0x1, None, &[&[]], false);
    assert!(
        none.contains("no random word is converted to this value"),
        "{none}"
    );
    assert!(!none.contains("expected stream"), "{none}");
    let moved = text(0x1, Some(0x1), &[&[9], &[10], &[], &[3, 7], &[1]], true);
    let says = "actual elements 0, 1, 2 and 3 are at 9 (block 2, word 1), 10, nowhere and 3 and elsewhere of the expected stream";
    assert!(moved.contains(says), "{moved}");
    let one = text(0x1, Some(0x1), &[&[9]], false);
    assert!(
        one.contains("actual element 0 is at 9 of the expected stream"),
        "{one}"
    );
}

/// A log may name chunks that the output does not have.
#[test]
fn chunks_beyond_the_output_are_not_drawn() {
    let run = edited(&[FUSED], |event| {
        if let Some(finding) = finding(event)
            && !finding.outcome.conforms()
        {
            let (differing, total, first) = (vec![1, 3, 4], 3, None);
            finding.mismatch = Some(Mismatch::Chunks {
                differing,
                total,
                first,
            });
        }
    });
    assert!(html(&run, &[]).unwrap().contains("\"cells\":\"010\""));
}
