//! `seedproof smoke`: an adapter's first minute. Handshake, one case per claim, the first wrong thing.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use seedproof::judging::Catalogue;
use seedproof_check::Outcome;
use seedproof_corpus::{Case, Corpus, Expectation};
use seedproof_ops::untrusted::one_line;
use seedproof_ops::{Backend, Limits, Support};
use seedproof_report::{CaseFacts, Ended, Palette, plural};
use seedproof_wire::Options;

use crate::args::SmokeArgs;
use crate::exit::{CommandResult, Exit};
use crate::implementations::{self, Adapter};
use crate::{brought, io, plan, selection};

/// Starts the adapter, asks it one small case of every sort that it claims, and stops at the first wrong thing.
pub(crate) fn smoke(args: &SmokeArgs) -> CommandResult {
    let corpus = selection::corpus(&args.dir)?;
    let nan = args.nan.rule();
    let catalogue = Catalogue::new(Limits::default()).with_nan(nan);
    let (catalogue, reading) = brought::bring(catalogue, &args.reading, &args.mistakes)?;
    if catalogue.reading(&reading).is_none() {
        return Err(implementations::unknown_reading(&reading));
    }
    let adapter = match &args.adapter {
        Some(line) => Adapter::parse(line)?,
        None => Adapter::from_words(&args.argv)?,
    };
    let flags = plan::judging_flags(&args.reading, nan) + &brought::rerun_flag(&args.mistakes);
    let corpus_flag = args.dir.corpus.as_deref().map(plan::corpus_flag);
    let rerun = format!("{}{flags}{}", adapter.rerun, corpus_flag.unwrap_or_default());
    let implementation = adapter.start(Options {
        deadline: Duration::from_millis(args.deadline),
        ..Options::default()
    })?;
    let adapter = implementation.backend.as_ref();
    io::print(&format!("handshake: {}\n", one_line(&adapter.description())));
    let cases = one_per_claim(&corpus, adapter);
    if cases.is_empty() {
        io::print("the adapter claims none of the cases of the corpus\n");
        return Ok(Exit::NothingSelected);
    }
    let mut text = String::new();
    let mut exit = Exit::Conforms;
    let mut has_values = false;
    let asked = cases.len();
    for (claim, case) in cases {
        let judgement = match seedproof::judging::judge_case(case, adapter, &catalogue, Some(&reading)) {
            Ok(judgement) => judgement,
            Err(left_out) => {
                let reason = one_line(&left_out.reason);
                writeln!(text, "-     {claim:<56} {reason}").expect("a String takes every write");
                continue;
            }
        };
        if judgement.finding.outcome != Outcome::Pass {
            text.push_str(&seedproof::judging::failure_text(
                &format!("{rerun} "),
                &reading,
                &[(case, judgement)],
                &catalogue,
                Palette::ansi(),
            ));
            exit = Exit::DoesNotConform;
            break;
        }
        has_values |= judgement.finding.has_value();
        writeln!(text, "pass  {claim:<56} {}", case.id).expect("a String takes every write");
        if let Some(nans) = judgement.finding.nans {
            writeln!(text, "      {}", nans.sentence(&reading)).expect("a String takes every write");
        }
    }
    if exit == Exit::Conforms && !has_values {
        text.push_str("\nno value was compared: the adapter was asked for none, or refused every request\n");
        exit = Exit::NothingSelected;
    } else if exit == Exit::Conforms {
        // A kernel that is wrong for most lengths passes these few.
        let these = plural(asked, ["case was", "cases were"]);
        write!(
            text,
            "\n{asked} {these} answered correctly, one or two of each claim. Next, run the whole corpus:\n  "
        )
        .expect("a String takes every write");
        text.push_str(&rerun);
        text.push('\n');
    }
    // Before the end, which may take an adapter's deadline.
    io::print(&text);
    for how in adapter.end() {
        let backend = adapter.id().clone();
        io::print(&format!("{}\n", Ended { backend, how }.sentence()));
    }
    Ok(exit)
}

/// Elements of the output in rows that is asked for: several blocks of four words, and few enough for any language.
const IN_ROWS: std::ops::RangeInclusive<u64> = 9..=1024;

/// For each sort of request that is claimed, the smallest case with a value to give, the largest of a few blocks in rows,
/// and the smallest to refuse. A wrong tile, tail or split of the work shows in no scalar.
fn one_per_claim<'a>(corpus: &'a Corpus, adapter: &dyn Backend) -> Vec<(String, &'a Case)> {
    let mut chosen: BTreeMap<String, &Case> = BTreeMap::new();
    for case in corpus.cases() {
        let sort = match case.expect {
            Expectation::Bits(_) if seedproof::judging::elements(&case.request) > 0 => "draws",
            Expectation::Rejected(_) => "refuses",
            _ => continue,
        };
        if adapter.supports(&case.request) != Support::Supported {
            continue;
        }
        let elements = seedproof::judging::elements(&case.request);
        let name = format!("{} {sort}", claim(case));
        let known = |chosen: &BTreeMap<String, &Case>, name: &str| {
            let case = chosen.get(name)?;
            Some(seedproof::judging::elements(&case.request))
        };
        let is_in_rows = sort == "draws"
            && IN_ROWS.contains(&elements)
            && case
                .request
                .output_form()
                .is_some_and(|(_, dims)| dims.len() == 2);
        let rows = format!("{name} in rows");
        if is_in_rows && known(&chosen, &rows).is_none_or(|known| elements > known) {
            chosen.insert(rows, case);
        }
        if known(&chosen, &name).is_none_or(|known| elements < known) {
            chosen.insert(name, case);
        }
    }
    chosen.into_iter().collect()
}

/// The claim that a request needs: op, variant, type, and the further outputs that are asked for.
fn claim(case: &Case) -> String {
    let facts = CaseFacts::of(case);
    let further = case
        .request
        .outputs()
        .into_iter()
        .skip(1)
        .map(|info| info.name.to_owned());
    let parts: Vec<String> = [facts.op.into_owned(), facts.variant, facts.dtype]
        .into_iter()
        .chain(further)
        .filter(|part| !part.is_empty())
        .collect();
    parts.join(" ")
}
