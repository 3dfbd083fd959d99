//! The search for the seed of an array.

use std::fmt::Write as _;
use std::io::IsTerminal as _;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use seedproof::judging::{Catalogue, entropy};
use seedproof::whois::{MAX_SEEDS_ASKED, Searched, Sought, lacking, search, who_drew};
use seedproof_cpu::{Cpu, Level};
use seedproof_ops::Limits;
use serde_json::{Value, json};

use super::text::{document, normality, words};
use crate::exit::{CommandResult, Exit};
use crate::io;
use crate::progress::Progress;

/// The seconds after which a search without a progress line says that it goes on.
const SILENT: u64 = 10;

/// The most seeds of which everything is asked that one seed is asked for.
const FEW: u64 = 32;

/// The seeds of which an array that is drawn by several is told.
const POSSIBLE: usize = 3;

/// Searches seeds, for this number of seconds unless it is 0.
pub(super) fn whois(
    seeds: &RangeInclusive<u64>,
    seconds: u64,
    is_json: bool,
    questions: &[Sought],
    catalogue: &Catalogue,
) -> CommandResult {
    let (first, last) = (*seeds.start(), *seeds.end());
    let all = (last - first).saturating_add(1);
    let cpu = Cpu::new(Level::best(), Limits::default(), entropy);
    let began = Instant::now();
    let in_time = || seconds == 0 || began.elapsed().as_secs() < seconds;
    let bar = Progress::new("seeds", last - first);
    let is_said = AtomicBool::new(std::io::stderr().is_terminal());
    let searched = search(questions, seeds, &cpu, catalogue, &|done| {
        bar.reach(done);
        // Nothing else tells a program or a log that ops are asked of hundreds of seeds a second.
        if seconds == 0 && began.elapsed().as_secs() >= SILENT && !is_said.swap(true, Ordering::Relaxed) {
            io::print_error(&format!(
                "seedproof: {done} of {all} seeds in {SILENT} s; --seconds N ends a search and says where it goes on\n"
            ));
        }
        in_time()
    });
    drop(bar);
    let among = |seed: u64, question: &Sought| Sought {
        seed,
        among: all.saturating_mul(question.among),
        ..question.clone()
    };
    let mut found = Found::new();
    let mut begun = searched.seeds.iter();
    // Where many seeds begin alike, the array tells none of them, and each takes a second.
    for &seed in begun.by_ref() {
        found.ask(seed, questions, &among, catalogue, Least::Possible);
        if !in_time() || found.is_certain || found.seeds >= POSSIBLE {
            break;
        }
    }
    let others: Vec<String> = begun.map(u64::to_string).collect();
    // Seeds are tried in their order.
    let mut tried = searched.tried;
    // That search is for arrays with which a seed's first call begins. What else one seed is asked for takes a second or a few, in which an
    // array of a few bits would be drawn by chance.
    let is_telling = |question: &Sought| lacking(&among(first, question), 1).is_none();
    if searched.seeds.is_empty() && tried == all && all <= FEW && questions.iter().any(is_telling) {
        let bar = Progress::new("seeds, for later calls and other orders", all);
        tried = 0;
        while tried < all && in_time() && !found.is_certain {
            found.ask(first + tried, questions, &among, catalogue, Least::Named);
            tried += 1;
            bar.reach(tried);
        }
    }
    let reached = match tried.checked_sub(1) {
        Some(after) => first.saturating_add(after),
        None => first.saturating_sub(1),
    };
    io::print(&if is_json {
        // Those of which more seeds were tried than `reached` says.
        let further = searched.streams.iter().map(|(name, tried)| {
            let reached = first.saturating_add(*tried).saturating_sub(1);
            json!({"generator": name, "reached": reached.to_string()})
        });
        let further: Vec<Value> = further.collect();
        let document = json!({
            "found": found.documents,
            "others": others,
            "first": first.to_string(),
            "reached": reached.to_string(),
            "further": further,
        });
        format!("{document}\n")
    } else {
        let mut text = found.text;
        if text.is_empty() {
            text = nothing([first, reached], all, questions, &searched);
        }
        if !others.is_empty() && !found.is_certain {
            let first = others
                .iter()
                .take(POSSIBLE)
                .cloned()
                .collect::<Vec<_>>()
                .join(", ");
            writeln!(text, "{} more seeds draw what the array begins with, such as {first}: it has too few bits to tell one", others.len())
                .expect("a String takes every write");
        }
        if reached < last && !found.is_certain {
            text.push_str(&end([first, reached, last], &searched));
        }
        text
    });
    Ok(if found.is_certain {
        Exit::Conforms
    } else {
        Exit::DoesNotConform
    })
}

/// The least answer that is told of a seed.
#[derive(Clone, Copy, PartialEq)]
enum Least {
    /// Of many seeds, those that only begin alike say nothing.
    Possible,
    /// Where every seed is asked, some draw an array of few bits by chance.
    Named,
}

/// What was found of some seeds.
struct Found {
    documents: Vec<Value>,
    text: String,
    /// The number of seeds that draw the array.
    seeds: usize,
    is_certain: bool,
}

impl Found {
    const fn new() -> Self {
        Self {
            documents: Vec::new(),
            text: String::new(),
            seeds: 0,
            is_certain: false,
        }
    }

    fn ask(
        &mut self,
        seed: u64,
        questions: &[Sought],
        among: &dyn Fn(u64, &Sought) -> Sought,
        catalogue: &Catalogue,
        least: Least,
    ) {
        let before = self.documents.len();
        for question in questions {
            let answer = who_drew(&among(seed, question), catalogue);
            let is_named = answer.word() == "named";
            let is_drawn = !answer.draws.is_empty() && (is_named || least == Least::Possible);
            if !is_drawn && answer.streams.is_empty() {
                continue;
            }
            let mut value = document(&answer, question);
            value["seed"] = seed.to_string().into();
            self.documents.push(value);
            writeln!(self.text, "seed {seed}").expect("a String takes every write");
            self.text.push_str(&words(&answer, question));
            if is_named {
                self.is_certain = true;
                break;
            }
        }
        self.seeds += usize::from(self.documents.len() > before);
    }
}

/// The text where no seed draws the array.
fn nothing([first, reached]: [u64; 2], all: u64, questions: &[Sought], searched: &Searched) -> String {
    let mut text = format!("unknown: no seed from {first} to {reached} draws it without a mistake\n");
    if all > FEW {
        text.push_str(&format!(
            "later calls, parts and other orders are looked for at up to {FEW} seeds; of these the first call was looked at\n"
        ));
    }
    text.extend(questions.first().and_then(|question| normality(&question.actual)));
    if !searched.is_asked {
        text.push_str(&format!(
            "only the streams of generators were searched: every op is asked of at most {MAX_SEEDS_ASKED} seeds at a time\n"
        ));
    }
    text
}

/// Where a search goes on that ended before its last seed.
fn end([first, reached, last]: [u64; 3], searched: &Searched) -> String {
    let mut text = String::new();
    // The generators are searched one after the other.
    for (name, tried) in &searched.streams {
        let tried = first.saturating_add(*tried).saturating_sub(1);
        writeln!(text, "the stream of {name} was searched to seed {tried}")
            .expect("a String takes every write");
    }
    text + &format!(
        "the search ended before its last seed: --seed {}..{last} goes on\n",
        reached + 1
    )
}
