//! `seedproof smoke`: an adapter's first minute. Handshake, one case per claim, the first wrong thing.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use seedproof::Bank;
use seedproof_check::Outcome as Word;
use seedproof_ops::{Backend, Limits, Request, Support};
use seedproof_report::{CaseFacts, Palette};
use seedproof_vectors::{Case, Corpus, Expectation};
use seedproof_wire::{AdapterBackend, AdapterCommand, Options};

use crate::args::SmokeArgs;
use crate::exit::{Error, Exit, Outcome};
use crate::{edge, present};

/// Starts the adapter, asks it one small case of every sort that it claims, and stops at the first wrong thing.
pub(crate) fn smoke(args: &SmokeArgs) -> Outcome {
    let corpus = edge::corpus(&args.dir)?;
    let bank = Bank::new(Limits::default());
    if bank.reading(&args.reading).is_none() {
        return Err(present::unknown_reading(&args.reading));
    }
    let (command, text) = match &args.adapter {
        Some(text) => (AdapterCommand::parse(text), text.clone()),
        None => (
            AdapterCommand::new(args.argv.clone()),
            present::joined(&args.argv),
        ),
    };
    let rerun = format!(
        "seedproof run --adapter {}{}",
        present::quoted(&text),
        present::reading_flag(&args.reading)
    );
    let command = command.map_err(|error| Error::Usage(format!("failed to {error}")))?;
    let options = Options {
        deadline: Duration::from_millis(args.deadline),
        ..Options::default()
    };
    let adapter = AdapterBackend::start(command, options)
        .map_err(|error| Error::Infrastructure(format!("failed to {error}")))?;
    edge::print(&format!("handshake: {}\n", adapter.description()));
    let cases = one_per_claim(&corpus, &adapter);
    if cases.is_empty() {
        edge::print("it claims nothing that the corpus asks\n");
        return Ok(Exit::NothingSelected);
    }
    let mut text = String::new();
    for (claim, case) in cases {
        let judgement = match seedproof::judge_case(case, &adapter, &bank, Some(&args.reading)) {
            Ok(judgement) => judgement,
            Err(left_out) => {
                writeln!(text, "-     {claim:<56} {}", left_out.reason).expect("a String takes every write");
                continue;
            }
        };
        if judgement.finding.outcome != Word::Pass {
            text.push_str(&seedproof::failure_text(
                &rerun,
                &[(case, judgement)],
                &bank,
                Palette::ansi(),
            ));
            edge::print(&text);
            return Ok(Exit::DoesNotConform);
        }
        writeln!(text, "pass  {claim:<56} {}", case.id).expect("a String takes every write");
    }
    text.push_str("\nall of it answers. Next, the whole corpus:\n  ");
    text.push_str(&rerun);
    text.push('\n');
    edge::print(&text);
    Ok(Exit::Conforms)
}

/// For each sort of request that is claimed, the smallest case with a value to give and the smallest to refuse.
fn one_per_claim<'a>(corpus: &'a Corpus, adapter: &dyn Backend) -> Vec<(String, &'a Case)> {
    let mut chosen: BTreeMap<String, &Case> = BTreeMap::new();
    for case in corpus.cases() {
        let sort = match case.expect {
            Expectation::Bits(_) if seedproof::elements(&case.request) > 0 => "draws",
            Expectation::Rejected(_) => "refuses",
            _ => continue,
        };
        if adapter.supports(&case.request) != Support::Yes {
            continue;
        }
        let claim = format!("{} {sort}", claim(case));
        let known = chosen
            .get(&claim)
            .map_or(u64::MAX, |case| seedproof::elements(&case.request));
        if seedproof::elements(&case.request) < known {
            chosen.insert(claim, case);
        }
    }
    chosen.into_iter().collect()
}

/// What a request asks of an implementation: op, alignment, type, and whether a state is asked for.
fn claim(case: &Case) -> String {
    let facts = CaseFacts::of(case);
    let state = matches!(&case.request, Request::DmlRandomGenerator(request) if request.output_state);
    let parts = [
        facts.op.to_string(),
        facts.alignment,
        facts.dtype,
        if state {
            "output_state".to_owned()
        } else {
            String::new()
        },
    ];
    parts
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}
