//! `seedproof whois`: which reading draws an array from a seed.

use std::fmt::Write as _;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use seedproof::judging::{Bank, ad_hoc, entropy};
use seedproof::whois::{Answer, Searched, Sought, search, who_drew};
use seedproof_cpu::{Cpu, Level};
use seedproof_ops::{Limits, Request, Scalar, Tensor};
use seedproof_report::CaseFacts;

use crate::exit::{CommandResult, Error, Exit};
use crate::nan::NanArgs;
use crate::progress::Progress;
use crate::{io, literal, npy};

#[derive(Debug, Args)]
pub(crate) struct WhoisArgs {
    /// The array, `-` for standard input: .npy
    pub(crate) file: PathBuf,
    /// The first seed, or the key; `0..100000` searches these seeds, the last included
    #[arg(long, value_name = "N|N..N", value_parser = seeds)]
    pub(crate) seed: RangeInclusive<u64>,
    /// End a search of seeds after this time and say where to go on; 0 searches them all
    #[arg(long, value_name = "SECONDS", default_value_t = 8)]
    pub(crate) seconds: u64,
    /// The second seed, or the counter
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) op_seed: u64,
    /// Both bounds; without them, round numbers around the elements are tried
    #[arg(long, value_name = "LOW,HIGH", allow_hyphen_values = true)]
    pub(crate) range: Option<String>,
    /// Which successive execution of one op instance, from 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) execution: u32,
    #[command(flatten)]
    pub(crate) nan: NanArgs,
}

fn seeds(text: &str) -> Result<RangeInclusive<u64>, String> {
    let number = |text: &str| {
        let digits = text.parse();
        digits.map_err(|_| format!("`{text}` is no whole number from 0 to 2^64 - 1"))
    };
    let (first, last) = match text.split_once("..") {
        Some((first, last)) => (number(first)?, number(last.strip_prefix('=').unwrap_or(last))?),
        None => (number(text)?, number(text)?),
    };
    if first > last {
        return Err(format!("{first} is more than {last}"));
    }
    Ok(first..=last)
}

/// `seedproof whois`.
pub(crate) fn whois(args: &WhoisArgs) -> CommandResult {
    let bytes = if args.file.as_os_str() == "-" {
        io::read_standard_input()?
    } else {
        io::read_bytes(&args.file)?
    };
    let read = npy::read(&bytes);
    let actual = read
        .map_err(|error| Error::Usage(format!("failed to read {}: {error}", args.file.display())))?
        .tensor;
    let sought = Sought {
        seed: *args.seed.start(),
        op_seed: args.op_seed,
        range: args
            .range
            .as_deref()
            .map(|text| range(text, &actual))
            .transpose()?,
        actual,
        known: Vec::new(),
        execution: args.execution,
    };
    let bank = Bank::new(Limits::default()).with_nan(args.nan.rule());
    let (first, last) = (*args.seed.start(), *args.seed.end());
    let mut searched = Searched {
        seeds: vec![first],
        tried: 1,
    };
    if first != last {
        let bar = Progress::new("seeds", Some(last - first));
        let cpu = Cpu::new(Level::best(), Limits::default(), entropy);
        let began = Instant::now();
        let in_time = || args.seconds == 0 || began.elapsed().as_secs() < args.seconds;
        searched = search(&sought, &args.seed, &cpu, &bank, &|done| {
            bar.reach(done);
            in_time()
        });
    }
    // Seeds are tried in their order.
    let reached = first.saturating_add(searched.tried).saturating_sub(1).min(last);
    let mut exit = Exit::DoesNotConform;
    let mut text = String::new();
    for seed in searched.seeds {
        let sought = Sought {
            seed,
            ..sought.clone()
        };
        let answer = who_drew(&sought, &bank);
        let named = answer.word() == "named";
        // Of many seeds, those that only begin alike say nothing.
        if first != last && answer.draws.is_empty() {
            continue;
        }
        text.push_str(&words(&answer));
        if named {
            exit = Exit::Conforms;
        }
    }
    if text.is_empty() {
        writeln!(text, "unknown: no seed from {first} to {reached} draws it")
            .expect("a String takes every write");
    }
    if reached < last {
        writeln!(
            text,
            "the search ended before its last seed: --seed {}..{last} goes on",
            reached + 1
        )
        .expect("a String takes every write");
    }
    io::print(&text);
    Ok(exit)
}

fn range(text: &str, actual: &Tensor) -> Result<(Scalar, Scalar), Error> {
    let (low, high) = text
        .split_once(',')
        .ok_or_else(|| Error::Usage(format!("--range is `{text}`: expected LOW,HIGH")))?;
    let element = |text: &str| literal::element(actual.dtype(), text.trim()).map_err(Error::Usage);
    Ok((element(low)?, element(high)?))
}

fn line(request: &Request) -> String {
    CaseFacts::of(&ad_hoc(request.clone())).line()
}

fn words(answer: &Answer) -> String {
    let mut text = String::new();
    for draw in &answer.draws {
        writeln!(
            text,
            "{}: {}\n  {}",
            answer.word(),
            draw.names.join(", "),
            line(&draw.request)
        )
        .expect("a String takes every write");
    }
    if !answer.draws.is_empty() && !answer.certain {
        text.push_str("  the array has too few bits to be sure\n");
    }
    if let Some(near) = &answer.nearest {
        let ulps = near
            .max_ulps
            .map_or_else(String::new, |ulps| format!(", off by at most {ulps} ulps"));
        writeln!(
            text,
            "nearest: {}, {} of the first {} elements{ulps}; the first other at {}, which would be {}\n  {}",
            near.name,
            near.elements,
            near.of,
            near.first_missed,
            near.expected.decimal(),
            line(&near.request)
        )
        .expect("a String takes every write");
    }
    if text.is_empty() {
        writeln!(text, "unknown: none of {} attempts gives it", answer.attempts)
            .expect("a String takes every write");
    }
    text
}
