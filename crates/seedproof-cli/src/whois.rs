//! `seedproof whois`: which reading draws an array from a seed.

mod arrays;
mod seeds;
mod text;
mod tokens;

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::Args;
use seedproof::judging::{Catalogue, entropy};
use seedproof::whois::{Answer, MOST_ELEMENTS, SampledWith, Sought, beside, who_drew, who_drew_parts};
use seedproof_cpu::{Cpu, Level};
use seedproof_ops::{Dtype, Limits, Scalar, Shape, Tensor};
use seedproof_read::{self as read, literal};
use serde_json::json;

use arrays::{array, arrays, shown};
use text::{document, words};

use crate::exit::{CommandResult, Error, Exit};
use crate::nan::NanArgs;
use crate::{io, seed};

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
    /// The extents of numbers as text, of which some may be left out, as in `[0.5, ..., 0.25]`
    #[arg(long, value_name = "EXTENTS", value_delimiter = ',', conflicts_with_all = ["logits", "array", "seconds"])]
    pub(crate) shape: Option<Vec<u64>>,
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

/// The most second seeds of a range of first ones, which are searched once for each of them.
const MOST_OF_RANGE: u64 = 64;

/// The most elements of which each type is tried although a stream of one draws them.
const FEW: usize = 64;

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
        if args.op_seed.start() != args.op_seed.end() {
            return Err(Error::Usage("--logits asks about one --op-seed".to_owned()));
        }
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
    // A table whose columns are not all numbers is no array as a whole.
    let columns = || match read::names(&file) {
        columns if args.array.is_none() && columns.len() > 1 => Some(read::listed(columns.iter())),
        _ => None,
    };
    let failed = |what: String| {
        let columns = columns().map_or_else(String::new, |columns| {
            format!("; --array NAME asks about one of its columns {columns}")
        });
        Error::Usage(format!("failed to read {name}: {what}{columns}"))
    };
    let (arrays, parts) = match &args.shape {
        None => (
            arrays(&file, args.dtype, args.array.as_deref()).map_err(failed)?,
            None,
        ),
        Some(extents) => {
            let shape =
                Shape::new(extents).map_err(|error| Error::Usage(format!("--shape: failed to {error}")))?;
            let (arrays, places) = shown(&file, args.dtype, &shape).map_err(failed)?;
            let parts = places.map(|places| drawn_whole(args, shape, places));
            (arrays, parts.transpose().map_err(Error::Usage)?)
        }
    };
    let (most, among) = if args.seed.start() == args.seed.end() {
        (MOST_OP_SEEDS, "")
    } else {
        (MOST_OF_RANGE, " where --seed is a range")
    };
    if args.op_seed.end() - args.op_seed.start() >= most {
        return Err(Error::Usage(format!(
            "--op-seed tries at most {most} seeds{among}"
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
            range => range?.flatten(),
        };
        questions.push(Sought {
            range,
            within: dump.within.map(Into::into),
            execution: args.execution,
            name: args.array.clone().unwrap_or_default(),
            asked: questions
                .last()
                .map(|other: &Sought| other.actual.dtype())
                .filter(|dtype| !dtype.is_float() && !dump.output.dtype().is_float()),
            among: args.op_seed.end() - args.op_seed.start() + 1,
            ..Sought::new(dump.output, *args.seed.start(), *args.op_seed.start())
        });
    }
    let mut catalogue = Catalogue::new(Limits::default()).with_nan(args.nan.rule());
    if [*args.seed.start(), *args.op_seed.start()] == [0, 0] {
        // `spec` leaves two seeds of zero to chance, and PyTorch does not.
        catalogue = catalogue.determined();
    }
    let exit = if args.seed.start() == args.seed.end() {
        one_seed(args, &questions, parts.as_ref(), &catalogue)?
    } else {
        let of = |op_seed| {
            questions
                .iter()
                .cloned()
                .map(move |question| Sought { op_seed, ..question })
        };
        let questions: Vec<Sought> = args.op_seed.clone().flat_map(of).collect();
        seeds::whois(&args.seed, args.seconds, args.json, &questions, &catalogue)?
    };
    if exit == Exit::DoesNotConform
        && let Some(columns) = columns()
    {
        io::print_error(&format!(
            "seedproof: {name} is a table with the columns {columns}; --array NAME asks about one of them\n"
        ));
    }
    Ok(exit)
}

/// The shape and the places of an array that is known in parts, which candidates draw whole.
fn drawn_whole(args: &WhoisArgs, shape: Shape, places: Vec<usize>) -> Result<(Shape, Vec<usize>), String> {
    if args.seed.start() != args.seed.end() {
        return Err("--shape asks about one seed where elements are left out".to_owned());
    }
    if shape.count() > MOST_ELEMENTS {
        return Err(format!(
            "--shape has {} elements, of which at most {MOST_ELEMENTS} are drawn",
            shape.count(),
        ));
    }
    Ok((shape, places))
}

/// The best answer for one seed, with each second seed and each element type that the array may have.
fn best_answer<'a>(
    args: &WhoisArgs,
    questions: &'a [Sought],
    parts: Option<&(Shape, Vec<usize>)>,
    catalogue: &Catalogue,
) -> Option<(Answer, &'a Sought)> {
    // A mistake draws by one seed what the specification draws by the next one.
    let is_right = |answer: &Answer| {
        let mut names = answer.draws.iter().flat_map(|draw| &draw.names);
        names.any(|name| catalogue.reading(name).is_some()) || !answer.streams.is_empty()
    };
    // ONNX's reference evaluator rounds what NumPy draws to f32. Of a few printed digits either is right, and NumPy is what was
    // asked about far more often.
    let is_usual = |answer: &Answer| {
        let mut names = answer.draws.iter().flat_map(|draw| &draw.names);
        names.any(|name| !name.starts_with("onnx-reference")) || !answer.streams.is_empty()
    };
    // A stream of a few numbers may be the output of an op in another type, which says more.
    let is_request = |answer: &Answer| !answer.draws.is_empty();
    let rank = |answer: &Answer| {
        let words = ["unknown", "nearest", "possible", "named"];
        let word = words.iter().position(|word| *word == answer.word());
        (word, is_right(answer), is_usual(answer), is_request(answer))
    };
    let is_best = |answer: &Answer| answer.word() == "named" && is_right(answer) && is_usual(answer);
    let mut best: Option<(Answer, &Sought)> = None;
    for op_seed in args.op_seed.clone() {
        for question in questions {
            let asked = Sought {
                op_seed,
                ..question.clone()
            };
            let answer = match parts {
                None => who_drew(&asked, catalogue),
                Some((shape, places)) => who_drew_parts(&asked, shape, places, catalogue),
            };
            if best.as_ref().is_none_or(|(best, _)| rank(&answer) > rank(best)) {
                best = Some((answer, question));
            }
            let is_enough = |answer: &Answer| is_request(answer) || question.actual.count() > FEW;
            if best
                .as_ref()
                .is_some_and(|(best, _)| is_best(best) && is_enough(best))
            {
                break;
            }
        }
        if best.as_ref().is_some_and(|(best, _)| is_best(best)) {
            break;
        }
    }
    best
}

/// Answers for one seed.
fn one_seed(
    args: &WhoisArgs,
    questions: &[Sought],
    parts: Option<&(Shape, Vec<usize>)>,
    catalogue: &Catalogue,
) -> CommandResult {
    let best = best_answer(args, questions, parts, catalogue);
    let (mut answer, mut question) = best.ok_or_else(|| Error::Usage("there is no array".to_owned()))?;
    // Bounds that are wrong hide the op, of which a stream of words is found at best.
    let unbounded = |it: &Sought| Sought {
        range: None,
        ..it.clone()
    };
    let unbounded: Vec<Sought> = questions.iter().map(unbounded).collect();
    let mut other_range = None;
    if let Some(range) = args.range.as_deref().filter(|_| answer.draws.is_empty())
        && let Some((found, asked)) = best_answer(args, &unbounded, parts, catalogue)
        && found.word() == "named"
        && !found.draws.is_empty()
    {
        (answer, question) = (found, asked);
        other_range = Some(range);
    }
    let cpu = Cpu::new(Level::best(), Limits::default(), entropy);
    if parts.is_none()
        && ["unknown", "nearest"].contains(&answer.word())
        && let Some((answer, question)) = questions.iter().find_map(|it| beside(it, &cpu, catalogue))
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
        let mut document = document(&answer, question);
        if let Some((shape, places)) = parts {
            document["compared"] = json!({"elements": places.len(), "of": shape.count()});
        }
        format!("{document}\n")
    } else {
        let parts = parts.filter(|_| answer.word() != "unknown");
        let compared = parts.map_or_else(String::new, |(shape, places)| {
            format!("  compared: {} of {} elements\n", places.len(), shape.count())
        });
        let range = other_range.map_or_else(String::new, |range| {
            format!("the range {range} does not draw it, and another one does\n")
        });
        range + &words(&answer, question) + &compared
    });
    Ok(if answer.word() == "named" && other_range.is_none() {
        Exit::Conforms
    } else {
        Exit::DoesNotConform
    })
}

fn range(text: &str, actual: &Tensor) -> Result<Option<(Scalar, Scalar)>, Error> {
    let (low, high) = text
        .split_once(',')
        .ok_or_else(|| Error::Usage(format!("--range is `{text}`: expected LOW,HIGH")))?;
    let dtype = actual.dtype();
    let number = |text: &str| text.trim().parse::<i128>().ok();
    // The bound above all numbers of a type is none of them, and numbers in the whole type are drawn without bounds.
    let is_all = |low: i128, high: i128| {
        let is_of_type = |number: i128| Scalar::from_i128(dtype, number).is_some();
        !dtype.is_float()
            && is_of_type(low)
            && !is_of_type(low - 1)
            && is_of_type(high - 1)
            && !is_of_type(high)
    };
    if number(low)
        .zip(number(high))
        .is_some_and(|(low, high)| is_all(low, high))
    {
        return Ok(None);
    }
    let element = |text: &str| literal::element(dtype, text.trim()).map_err(Error::Usage);
    Ok(Some((element(low)?, element(high)?)))
}
