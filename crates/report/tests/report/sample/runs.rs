//! Runs with something rare in them: text that wants to be more than text, a NaN with other bits, expected failures.

use seedproof_check::{Finding, OtherNans};
use seedproof_ops::{BackendId, Dtype, Scalar};
use seedproof_report::{Event, Expectations, Expected, Run};

use super::{CLEAN, FALLS, FUSED, TORCH, events, log};

pub(crate) const WICKED: &str = "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">\
    '\"&amp;{{7*7}}`]]>\u{202e}txt.exe\u{2066}\u{200b}\u{0}\u{7}\u{1b}[2J\u{1b}]0;owned\u{7}\u{ffff}|#1 @all\n\n# heading\r\n";

/// A run in which everything that others write is wicked.
pub(crate) fn wicked() -> Run {
    let long = WICKED.to_owned() + &"long ".repeat(1 << 18);
    let backend = BackendId::new(WICKED);
    let events: Vec<Event> = events(&[FALLS], 0)
        .into_iter()
        .map(|event| match event {
            Event::Run(mut header) => {
                header.command.clone_from(&long);
                header.filter = vec![WICKED.to_owned()];
                WICKED.clone_into(&mut header.corpus.hash);
                let [implementation] = &mut header.implementations[..] else {
                    panic!("one implementation");
                };
                implementation.id = backend.clone();
                implementation.description.clone_from(&long);
                implementation.rerun.clone_from(&long);
                Event::Run(header)
            }
            Event::Case(mut facts) => {
                facts.note = Some(long.clone());
                WICKED.clone_into(&mut facts.variant);
                facts.inputs[0].text.clone_from(&long);
                Event::Case(facts)
            }
            Event::Finding(mut finding) => {
                finding.backend = backend.clone();
                if !finding.outcome.conforms() {
                    finding.message.clone_from(&long);
                    finding.stderr = long.clone() + &"\n".repeat(10_000) + &long;
                }
                Event::Finding(finding)
            }
            Event::LeftOut(mut left_out) => {
                WICKED.clone_into(&mut left_out.what);
                left_out.reason.clone_from(&long);
                Event::LeftOut(left_out)
            }
            other => other,
        })
        .collect();
    Run::from_events(&[("events.jsonl", &log(&events))]).expect("a good log")
}

/// The case with another NaN, and what documents say of it.
pub(crate) const NOTED: &str = "ru8/tensorflow/f16/range-negative";
pub(crate) const NOTE: &str = "2 NaNs have other bits than spec's: fe00 for 7e00";

/// A run of an implementation that passes, in one case with a NaN of its own.
pub(crate) fn noted() -> Run {
    let mut events = events(&[CLEAN], 0);
    for event in &mut events {
        if let Event::Finding(finding) = event
            && finding.case.as_str() == NOTED
        {
            finding.nans = Some(OtherNans {
                count: 2,
                expected: Scalar::new(Dtype::F16, 0x7e00),
                actual: Scalar::new(Dtype::F16, 0xfe00),
            });
        }
    }
    Run::from_events(&[("events.jsonl", &log(&events))]).expect("a good log")
}

pub(crate) const REASON: &str = "fixed in the next release";

/// A run of a clean implementation and two failing ones, of which the first `known` failures are expected.
pub(crate) fn expecting(known: usize, violations: &[&str]) -> Run {
    let mut events = events(&[CLEAN, FUSED, TORCH], 0);
    let failing = |event: &Event| match event {
        Event::Finding(finding) if !finding.outcome.conforms() => Some(expected(finding)),
        _ => None,
    };
    let expectations = Expectations {
        file: "known.yaml".to_owned(),
        expected: events.iter().filter_map(failing).take(known).collect(),
        violations: violations.iter().map(|&it| it.to_owned()).collect(),
    };
    events.insert(events.len() - 1, Event::Expectations(expectations));
    Run::from_events(&[("events.jsonl", &log(&events))]).expect("a good log")
}

fn expected(finding: &Finding) -> Expected {
    Expected {
        backend: finding.backend.clone(),
        case: finding.case.clone(),
        reason: REASON.to_owned(),
    }
}
