//! `seedproof whois`: which reading draws an array from a seed.

mod arrays;
mod tokens;

use std::fmt::Write as _;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use seedproof::judging::{Bank, ad_hoc, entropy};
use seedproof::whois::{
    Answer, Draw, SampledWith, Searched, Sought, beside, looks_normal, outside, search, who_drew,
};
use seedproof_author::command_line;
use seedproof_check::SPEC;
use seedproof_cpu::{Cpu, Level};
use seedproof_ops::{AttributeValue, Dtype, Limits, Request, Role, Scalar, Tensor};
use seedproof_readings::find_mistake;
use seedproof_report::CaseFacts;
use serde_json::{Value, json};

use arrays::{array, arrays};

use crate::exit::{CommandResult, Error, Exit};
use crate::nan::NanArgs;
use crate::progress::Progress;
use crate::{io, literal, read, seed};

#[derive(Debug, Args)]
pub(crate) struct WhoisArgs {
    /// The array, `-` for standard input: text, .npy, .npz, .pt or .safetensors
    pub(crate) file: PathBuf,
    /// The first seed, or the key; `0..100000` searches these seeds, the last included
    #[arg(long, value_name = "N|N..N", value_parser = seed::seeds, allow_hyphen_values = true)]
    pub(crate) seed: RangeInclusive<u64>,
    /// End a search of seeds after this time and say where to go on; without it, all are searched
    #[arg(long, value_name = "SECONDS", default_value_t = 0, hide_default_value = true)]
    pub(crate) seconds: u64,
    /// The second seed, or the counter; `0..1000` tries these
    #[arg(long, value_name = "N|N..N", default_value = "0", value_parser = seed::seeds, allow_hyphen_values = true)]
    pub(crate) op_seed: RangeInclusive<u64>,
    /// The element type of numbers as text; without it, what the text names or the likely ones are tried
    #[arg(long, value_name = "TYPE")]
    pub(crate) dtype: Option<Dtype>,
    /// Which array of a file that holds several, column of a table, or list of a JSON object
    #[arg(long, value_name = "NAME")]
    pub(crate) array: Option<String>,
    /// Both bounds; without them, round numbers around the elements are tried
    #[arg(long, value_name = "LOW,HIGH", allow_hyphen_values = true)]
    pub(crate) range: Option<String>,
    /// Which successive execution of one op instance, from 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) execution: u32,
    /// The logits that the array's tokens were sampled from: a row for each token, or one for all
    #[arg(long, value_name = "FILE")]
    pub(crate) logits: Option<PathBuf>,
    /// The position of the first token in its sequence, for samplers that hash it
    #[arg(long, value_name = "N", default_value_t = 0, requires = "logits")]
    pub(crate) position: i64,
    /// By what the sampler divides logits
    #[arg(long, value_name = "NUMBER", default_value_t = 1.0, requires = "logits", value_parser = temperature)]
    pub(crate) temperature: f32,
    /// Print what was found as JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) nan: NanArgs,
}

/// The most second seeds that are tried: each is a question of its own.
const MOST_OP_SEEDS: u64 = 1 << 16;

/// A temperature that is a number from 0 on.
fn temperature(text: &str) -> Result<f32, String> {
    let temperature: f32 = text.parse().map_err(|_| format!("`{text}` is not a number"))?;
    if temperature.is_finite() && temperature >= 0.0 {
        Ok(temperature)
    } else {
        Err(format!("{text} is not a finite number from 0 on"))
    }
}

/// `seedproof whois`.
pub(crate) fn whois(args: &WhoisArgs) -> CommandResult {
    if let Some(logits) = &args.logits {
        let with = SampledWith {
            temperature: args.temperature,
            seed: *args.seed.start(),
            op_seed: *args.op_seed.start(),
            position: args.position,
        };
        let tokens = array(&args.file, args.dtype.unwrap_or(Dtype::I64))?;
        let logits = array(logits, Dtype::F32)?;
        return tokens::whois(&tokens, &logits, args.seed.clone(), with, args.json);
    }
    let (name, file) = io::file(&args.file)?;
    let arrays = arrays(&file, args.dtype, args.array.as_deref())
        .map_err(|what| Error::Usage(format!("failed to read {name}: {what}")))?;
    if args.op_seed.end() - args.op_seed.start() >= MOST_OP_SEEDS {
        return Err(Error::Usage(format!(
            "--op-seed tries at most {MOST_OP_SEEDS} seeds"
        )));
    }
    let mut questions = Vec::new();
    for dump in arrays {
        let range = args
            .range
            .as_deref()
            .map(|text| range(text, &dump.output))
            .transpose();
        // A bound that a narrower type cannot hold shows that the array has another type.
        let range = match range {
            Err(_) if !questions.is_empty() => continue,
            range => range?,
        };
        questions.push(Sought {
            seed: *args.seed.start(),
            op_seed: *args.op_seed.start(),
            range,
            actual: dump.output,
            within: dump.within.map(Into::into),
            known: Vec::new(),
            execution: args.execution,
            among: args.op_seed.end() - args.op_seed.start() + 1,
        });
    }
    let mut bank = Bank::new(Limits::default()).with_nan(args.nan.rule());
    if *args.seed.start() == 0 && *args.op_seed.start() == 0 {
        // `spec` leaves two seeds of zero to chance, and PyTorch does not.
        bank = bank.determined();
    }
    let exit = if args.seed.start() == args.seed.end() {
        one_seed(args, &questions, &bank)?
    } else {
        many_seeds(args, &questions, &bank)?
    };
    if exit == Exit::DoesNotConform && args.array.is_none() {
        let columns = read::names(&file);
        if columns.len() > 1 {
            io::print_error(&format!(
                "seedproof: {name} is a table with the columns {}; --array NAME asks about one of them\n",
                read::listed(columns.iter())
            ));
        }
    }
    Ok(exit)
}

/// Answers for one seed, with each second seed and each element type that the array may have; the best answer.
fn one_seed(args: &WhoisArgs, questions: &[Sought], bank: &Bank) -> CommandResult {
    let rank = |answer: &Answer| {
        ["unknown", "nearest", "possible", "named"]
            .iter()
            .position(|word| *word == answer.word())
    };
    let mut best: Option<(Answer, &Sought)> = None;
    for op_seed in args.op_seed.clone() {
        for question in questions {
            let answer = who_drew(
                &Sought {
                    op_seed,
                    ..question.clone()
                },
                bank,
            );
            if best.as_ref().is_none_or(|(best, _)| rank(&answer) > rank(best)) {
                best = Some((answer, question));
            }
            if best.as_ref().is_some_and(|(best, _)| best.word() == "named") {
                break;
            }
        }
        if best.as_ref().is_some_and(|(best, _)| best.word() == "named") {
            break;
        }
    }
    let (answer, question) = best.ok_or_else(|| Error::Usage("there is no array".to_owned()))?;
    let cpu = Cpu::new(Level::best(), Limits::default(), entropy);
    if ["unknown", "nearest"].contains(&answer.word())
        && let Some((answer, question)) = questions.iter().find_map(|it| beside(it, &cpu, bank))
    {
        let (given, seed) = (args.seed.start(), question.seed);
        io::print(&if args.json {
            let mut document = document(&answer, &question);
            document["seed"] = seed.to_string().into();
            format!("{document}\n")
        } else {
            format!(
                "seed {given} does not draw it, and seed {seed} does\n{}",
                words(&answer, &question)
            )
        });
        // Whoever asks about a seed in a script is told that it is not this one.
        return Ok(Exit::DoesNotConform);
    }
    io::print(&if args.json {
        format!("{}\n", document(&answer, question))
    } else {
        words(&answer, question)
    });
    Ok(if answer.word() == "named" {
        Exit::Conforms
    } else {
        Exit::DoesNotConform
    })
}

/// Searches seeds.
fn many_seeds(args: &WhoisArgs, questions: &[Sought], bank: &Bank) -> CommandResult {
    let (first, last) = (*args.seed.start(), *args.seed.end());
    let cpu = Cpu::new(Level::best(), Limits::default(), entropy);
    let began = Instant::now();
    let in_time = || args.seconds == 0 || began.elapsed().as_secs() < args.seconds;
    let mut text = String::new();
    let mut found = Vec::new();
    let mut exit = Exit::DoesNotConform;
    let mut reached = last;
    let mut is_every_op = true;
    for question in questions {
        let bar = Progress::new("seeds", last - first);
        let Searched {
            seeds,
            tried,
            is_asked,
        } = search(question, &args.seed, &cpu, bank, &|done| {
            bar.reach(done);
            in_time()
        });
        drop(bar);
        is_every_op &= is_asked;
        // Seeds are tried in their order.
        reached = reached.min(first.saturating_add(tried).saturating_sub(1));
        for seed in seeds {
            let answer = who_drew(
                &Sought {
                    seed,
                    among: (last - first).saturating_add(1).saturating_mul(question.among),
                    ..question.clone()
                },
                bank,
            );
            // Of many seeds, those that only begin alike say nothing.
            if answer.draws.is_empty() && answer.streams.is_empty() {
                continue;
            }
            if answer.word() == "named" {
                exit = Exit::Conforms;
            }
            let mut value = document(&answer, question);
            value["seed"] = seed.to_string().into();
            found.push(value);
            writeln!(text, "seed {seed}").expect("a String takes every write");
            text.push_str(&words(&answer, question));
        }
        if exit == Exit::Conforms {
            break;
        }
    }
    if args.json {
        let document = json!({"found": found, "first": first.to_string(), "reached": reached.to_string()});
        io::print(&format!("{document}\n"));
        return Ok(exit);
    }
    if text.is_empty() {
        writeln!(
            text,
            "unknown: no seed from {first} to {reached} draws it without a mistake"
        )
        .expect("a String takes every write");
        text.extend(questions.first().and_then(|question| normality(&question.actual)));
        if !is_every_op {
            text.push_str(
                "only the streams of Philox, MT19937 and JAX were searched: every op is asked of at most 4194304 seeds at a \
                 time\n",
            );
        }
    }
    if reached < last && exit != Exit::Conforms {
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

/// The request in a line. Numbers that are seeds and bounds in an op's own words are shown too: a search of seeds has no other
/// answer.
fn line(request: &Request) -> String {
    let facts = CaseFacts::of(&ad_hoc(request.clone()));
    let mut line = facts.line();
    let number = |names: &[&str]| {
        let mut all = request.attributes().into_iter();
        all.find_map(|(info, value)| match value {
            AttributeValue::Number(number) if names.contains(&info.name) => Some(number),
            _ => None,
        })
    };
    if let Some(seed) = number(&["seed"]).filter(|_| facts.seeds.is_empty()) {
        line.push_str(&format!(", seed {seed}"));
    }
    let key = request
        .inputs()
        .into_iter()
        .find(|(info, _)| matches!(info.role, Role::Key { .. }));
    if let Some((_, key)) = key {
        let words: Vec<String> = key.scalars().map(Scalar::decimal).collect();
        line.push_str(&format!(", key [{}]", words.join(", ")));
    }
    if let Some((low, high)) = number(&["low", "minval"])
        .zip(number(&["high", "maxval"]))
        .filter(|_| facts.range.is_none())
    {
        line.push_str(&format!(", range [{low}, {high})"));
    }
    line
}

/// The command that draws the array, or that of which it is a part or another order; `None` for what a mistake draws, and
/// for inputs that are too long for a line.
fn command(draw: &Draw) -> Option<String> {
    const LONGEST: usize = 1_000;
    let reading = draw.names.first().filter(|name| find_mistake(name).is_none())?;
    let mut line = command_line(&draw.request)?;
    if reading != SPEC {
        line.push_str(&format!(" --reading {reading}"));
    }
    (line.len() <= LONGEST).then_some(line)
}

/// The answer as JSON.
fn document(answer: &Answer, question: &Sought) -> Value {
    let draws: Vec<Value> = answer
        .draws
        .iter()
        .map(|draw| {
            json!({
                "names": draw.names,
                "from": draw.from,
                "request": line(&draw.request),
                "command": command(draw),
                "outside": outside(&question.actual, &draw.request),
            })
        })
        .collect();
    let streams: Vec<Value> = answer
        .streams
        .iter()
        .map(|stream| {
            json!({
                "name": stream.name,
                "sentence": stream.sentence,
                "elements": stream.elements,
                "of": stream.of,
                "bits": stream.bits.round(),
                "attempts": stream.attempts.round(),
            })
        })
        .collect();
    let nearest = answer.nearest.as_ref().map(|near| {
        json!({
            "name": near.name,
            "request": line(&near.request),
            "elements": near.elements,
            "of": near.of,
            "first_missed": near.first_missed,
            "expected": near.expected.decimal(),
            "max_ulps": near.max_ulps,
        })
    });
    json!({
        "answer": answer.word(),
        "dtype": answer.dtype.to_string(),
        "draws": draws,
        "streams": streams,
        "nearest": nearest,
        "attempts": answer.attempts,
    })
}

fn words(answer: &Answer, question: &Sought) -> String {
    let mut lines: Vec<String> = Vec::new();
    for draw in &answer.draws {
        lines.push(format!("{}: {}", answer.word(), draw.names.join(", ")));
        lines.push(format!("  {}", line(&draw.request)));
        lines.extend(outside(&question.actual, &draw.request).map(|text| format!("  {text}")));
        lines.extend(draw.from.as_ref().map(|text| format!("  {text}")));
        lines.extend(command(draw).map(|line| format!("  drawn by: {line}")));
        let mistakes = draw.names.iter().filter_map(|name| find_mistake(name));
        lines.extend(mistakes.map(|it| format!("  {}: {}", it.id, it.sentence)));
    }
    if !answer.draws.is_empty() && !answer.certain {
        lines.push("  the array has too few bits to be sure".to_owned());
    }
    for stream in &answer.streams {
        let word = if stream.is_whole() { "named" } else { "nearest" };
        lines.push(format!("{word}: {}", stream.name));
        lines.push(format!("  {}", stream.sentence));
    }
    if answer.dtype != question.actual.dtype() && !lines.is_empty() {
        lines.push(format!(
            "  every element is of {}, and was saved as {}",
            answer.dtype,
            question.actual.dtype()
        ));
    }
    if question.within.is_some() && !lines.is_empty() {
        lines.push("  compared to the printed digits only".to_owned());
    }
    // A stream that is followed with a few others says more than how many there are.
    if let Some(near) = answer.nearest.as_ref().filter(|_| answer.streams.is_empty()) {
        let ulps = near.max_ulps.map_or_else(String::new, |ulps| {
            format!(", the others off by at most {ulps} ulps")
        });
        lines.push(format!(
            "nearest: {}, {} of the first {} elements{ulps}; the first difference at {}, expected {}",
            near.name,
            near.elements,
            near.of,
            near.first_missed,
            near.expected.decimal(),
        ));
        lines.push(format!("  {}", line(&near.request)));
    }
    if lines.is_empty() {
        lines.push(match answer.attempts {
            0 => "unknown: the array is too small to tell seeds apart".to_owned(),
            attempts => format!("unknown: tried {attempts} candidates, and none reproduces the array"),
        });
    }
    let mut text = lines.join("\n") + "\n";
    if answer.word() == "unknown" {
        text.extend(normality(&question.actual));
        if answer.attempts > 0 {
            text.push_str(MORE);
        }
    }
    text
}

/// Advice for a search that found nothing.
const MORE: &str = "what may help: --range LOW,HIGH, if the bounds are not round numbers; `seedproof draw OP … --actual FILE`, \
                    if the op is known, which takes its inputs and looks for mistakes in them\n";

/// The message for an array that looks normal but that no known sequence draws.
fn normality(actual: &Tensor) -> Option<String> {
    looks_normal(actual).map(|[mean, std]| {
        format!("the array looks normally distributed, with mean {mean:.4} and standard deviation {std:.4}, but no sequence that was tried draws it\n")
    })
}
