//! One invariant of joined logs, over random ones: for each implementation, the cases that passed, failed, are unsupported
//! or are left out are together the cases under the reading, or a caveat names what is missing, and no document says
//! that all was judged.

use std::collections::BTreeMap;

use proptest::prelude::*;
use seedproof_check::{Finding, Outcome};
use seedproof_ops::BackendId;
use seedproof_report::{CaseFacts, Event, Header, LeftOut, Palette, Run, markdown, summary};

use crate::sample::{CLEAN, events, log};

/// Cases of the made-up corpus.
const CASES: usize = 10;

/// One implementation's run, and what became of its logs.
#[derive(Clone, Debug)]
struct Spec {
    shards: u32,
    /// Cases that the queries select.
    selected: usize,
    /// The shard that is not there, from 0; none beyond the last.
    absent: u32,
    /// The shard whose log stops early.
    cut: u32,
    /// Findings that the first log has lost, with an `end` that does not count them.
    lost: usize,
    /// Cases that each log leaves out, with a reason.
    left_out: usize,
    /// Whether the second shard is one of another selection.
    other: bool,
    outcomes: Vec<Outcome>,
}

fn spec() -> impl Strategy<Value = Spec> {
    let outcome = prop::sample::select(vec![
        Outcome::Pass,
        Outcome::Pass,
        Outcome::Fail,
        Outcome::Unsupported,
        Outcome::Crash,
    ]);
    let often_none = |most: u32| prop_oneof![2 => Just(u32::MAX), 1 => 0..most];
    let shape = (1..=3_u32, 0..=CASES, often_none(3), often_none(3));
    let faults = (
        prop_oneof![2 => Just(0), 1 => 0..3_usize],
        0..2_usize,
        prop::bool::weighted(0.1),
    );
    (shape, faults, prop::collection::vec(outcome, CASES)).prop_map(
        |((shards, selected, absent, cut), (lost, left_out, other), outcomes)| Spec {
            shards,
            // All of them, every other time.
            selected: if selected % 2 == 0 { CASES } else { selected },
            absent,
            cut,
            lost,
            left_out,
            other,
            outcomes,
        },
    )
}

/// The header and the cases of the sample.
fn sample() -> (Header, Vec<CaseFacts>) {
    let mut all = events(&[CLEAN], 0).into_iter();
    let Some(Event::Run(mut header)) = all.next() else {
        panic!("a log begins with its run");
    };
    header.corpus.cases = CASES + 3;
    header.corpus.under_reading = CASES;
    let cases = all.filter_map(|event| match event {
        Event::Case(facts) => Some(*facts),
        _ => None,
    });
    (*header, cases.take(CASES).collect())
}

/// The logs of one implementation.
fn logs(spec: &Spec, id: &str, header: &Header, cases: &[CaseFacts]) -> Vec<String> {
    let mut logs = Vec::new();
    for shard in 0..spec.shards {
        if shard == spec.absent {
            continue;
        }
        let mut header = header.clone();
        header.implementations[0].id = BackendId::new(id);
        header.implementations[0].selected = spec.selected;
        header.shard = (spec.shards > 1).then_some((shard + 1, spec.shards));
        if spec.selected < CASES || (spec.other && shard == 1) {
            header.filter = vec![if spec.other && shard == 1 { "other" } else { "some" }.to_owned()];
        }
        let mut events = vec![Event::Run(Box::new(header))];
        let here = (0..spec.selected)
            .skip(shard as usize)
            .step_by(spec.shards as usize);
        let here: Vec<usize> = here.collect();
        let left_out = spec.left_out.min(here.len());
        if left_out > 0 {
            events.push(Event::LeftOut(LeftOut {
                cases: left_out,
                ..LeftOut::new(id, "it is judged by its own answers")
            }));
        }
        let lost = if logs.is_empty() { spec.lost } else { 0 };
        let judged = &here[left_out..];
        let kept = &judged[..judged.len().saturating_sub(lost)];
        for &case in kept {
            events.push(Event::Case(Box::new(cases[case].clone())));
            let finding = Finding::new(cases[case].id.clone(), BackendId::new(id), spec.outcomes[case]);
            events.push(Event::Finding(Box::new(finding)));
        }
        if shard == spec.cut {
            events.truncate(1 + events.len() / 2);
        } else {
            events.push(Event::End { findings: kept.len() });
        }
        logs.push(log(&events));
    }
    logs
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn joined_logs_account_for_every_case(specs in prop::collection::vec(spec(), 1..4)) {
        let (header, cases) = sample();
        let ids = ["a", "b", "c"];
        let texts: Vec<String> = specs
            .iter()
            .zip(ids)
            .flat_map(|(spec, id)| logs(spec, id, &header, &cases))
            .collect();
        let named: Vec<(&str, &str)> = texts.iter().map(|text| ("log", text.as_str())).collect();
        let mixed = specs.iter().any(|spec| {
            let there = |shard| shard != spec.absent;
            spec.other && spec.shards > 1 && there(1) && (there(0) || (spec.shards > 2 && there(2)))
        });
        let run = match Run::from_events(&named) {
            Ok(run) => run,
            Err(error) => {
                let text = error.to_string();
                prop_assert!(named.is_empty() || (mixed && text.contains("the filter of")), "{text}");
                return Ok(());
            }
        };
        prop_assert!(!mixed, "logs of different selections are joined");
        // Counted once more, from the lines alone.
        let mut counted: BTreeMap<&str, usize> = BTreeMap::new();
        for id in ids {
            let backend = format!("\"backend\":\"{id}\"");
            let what = format!("\"what\":\"{id}\"");
            for line in texts.iter().flat_map(|text| text.lines()) {
                let left_out = line.split_once("\"cases\":").filter(|_| line.contains(&what));
                let left_out = left_out.map_or(0, |(_, rest)| usize::from(rest.as_bytes()[0] - b'0'));
                *counted.entry(id).or_default() += left_out + usize::from(line.contains(&backend));
            }
        }
        for implementation in run.implementations() {
            let id = &implementation.id;
            let tally = run.tally(id);
            let unsupported = tally.judged - tally.claimed;
            let accounted = tally.passed + tally.failing + unsupported + tally.left_out;
            prop_assert_eq!(accounted, counted[id.as_str()]);
            if accounted == CASES {
                continue;
            }
            let caveats = run.caveats();
            let names = ["cut short", "filtered", "sharded", "incomplete"];
            prop_assert!(caveats.iter().any(|it| names.iter().any(|name| it.starts_with(name))), "{:?}", caveats);
            let texts = [run.verdict(id), run.headline()];
            prop_assert!(texts.iter().all(|text| !text.contains("all ")), "{texts:?}");
            for document in [summary(&run, Palette::plain()), markdown(&run)] {
                prop_assert!(caveats.iter().all(|it| document.replace('\\', "").contains(it)), "{document}");
            }
        }
        let missing = run.implementations().any(|it| run.tally(&it.id).missing() > 0);
        prop_assert_eq!(run.is_partial(), missing || run.cut_short() > 0);
    }
}
