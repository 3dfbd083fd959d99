//! The answer of `whois`, in words and as JSON.

use seedproof::judging::ad_hoc;
use seedproof::whois::{Answer, Draw, Sought, lacking, looks_normal, outside};
use seedproof_author::command_line;
use seedproof_check::SPEC;
use seedproof_ops::{AttributeValue, Request, Role, Scalar, Tensor};
use seedproof_readings::find_mistake;
use seedproof_report::CaseFacts;
use serde_json::{Value, json};

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
pub(super) fn document(answer: &Answer, question: &Sought) -> Value {
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

/// The answer in words.
pub(super) fn words(answer: &Answer, question: &Sought) -> String {
    let mut lines: Vec<String> = Vec::new();
    let today: Vec<String> = answer.draws.iter().map(|draw| draw.request.variant()).collect();
    for draw in &answer.draws {
        // Keys of Philox draw alike in both orders.
        let variant = draw.request.variant();
        let original = variant.strip_suffix("-original");
        if original.is_some_and(|variant| today.iter().any(|it| it == variant)) {
            continue;
        }
        let (first, others) = named(&draw.names);
        lines.push(format!("{}: {first}", answer.word()));
        let request = line(&draw.request);
        // A reading draws in both orders, so that its name does not say which.
        lines.push(format!("  {request}"));
        lines.extend(original.map(|_| format!("  {ORIGINAL}")));
        lines.extend(outside(&question.actual, &draw.request).map(|text| format!("  {text}")));
        lines.extend(draw.from.as_ref().map(|text| format!("  {text}")));
        lines.extend(command(draw).map(|line| format!("  drawn by: {line}")));
        let mistakes = draw.names.iter().filter_map(|name| find_mistake(name));
        lines.extend(mistakes.map(|it| format!("  {}: {}", it.id, it.sentence)));
        lines.extend(others.map(|others| format!("  the others: {others}")));
    }
    if !answer.draws.is_empty() && !answer.certain {
        lines.push("  the array has too few bits to be sure".to_owned());
    }
    for stream in &answer.streams {
        let word = if stream.is_whole() { "named" } else { "nearest" };
        let names: Vec<String> = stream.name.split(", ").map(str::to_owned).collect();
        let (first, others) = named(&names);
        lines.push(format!("{word}: {first}"));
        lines.push(format!("  {}", stream.sentence));
        lines.extend(others.map(|others| format!("  the others: {others}")));
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
    let is_found = answer.word() == "named" || !answer.streams.is_empty();
    if let Some(near) = answer.nearest.as_ref().filter(|_| !is_found) {
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
            text.push_str(&advice(answer, question));
        }
    }
    text
}

/// The names of those that draw an array, and the names of the others where they are many: readings of a dozen versions would hide
/// what follows.
fn named(names: &[String]) -> (String, Option<String>) {
    const MOST: usize = 4;
    match names {
        [first, others @ ..] if others.len() >= MOST => (
            format!("{first} and {} others", others.len()),
            Some(others.join(", ")),
        ),
        _ => (names.join(", "), None),
    }
}

/// The note on an array of JAX's older order.
const ORIGINAL: &str =
    "in the original order, under jax_threefry_partitionable=False: today JAX draws other numbers by default";

/// What may help after a search that found nothing.
fn advice(answer: &Answer, question: &Sought) -> String {
    let mut all: Vec<String> = Vec::new();
    if let Some([bits, needed]) = lacking(question, answer.attempts) {
        let elements = question.actual.count();
        all.push(format!(
            "more elements: these {elements} have about {bits} bits, and it takes {needed} to tell a draw from chance"
        ));
    }
    let numbers = || question.actual.scalars().map(Scalar::to_f64);
    // No range makes other flags or another order.
    let is_of_flags = numbers().all(|it| [0.0, 1.0].contains(&it));
    if question.range.is_none() && !is_of_flags {
        all.push("--range LOW,HIGH, if the bounds are known".to_owned());
    }
    // Each question is asked again, and of a range that was given nothing is gained by a shorter one.
    if question.among == 1 {
        all.push("--seed 0..9999, if it may be another seed".to_owned());
        all.push("--op-seed 0..9, if a second seed or a count of calls may be part of it".to_owned());
    }
    if question.actual.shape().dims().len() > 1 {
        all.push("a row or an item alone, if each has a key or a worker of its own".to_owned());
    }
    all.push(
        "`seedproof draw OP … --actual FILE`, if the op is known, which takes its inputs and looks for mistakes in them".to_owned(),
    );
    format!("what may help: {}\n", all.join("; "))
}

/// The message for an array that looks normal but that no known sequence draws.
pub(super) fn normality(actual: &Tensor) -> Option<String> {
    looks_normal(actual).map(|[mean, std]| {
        format!("the array looks normally distributed, with mean {mean:.4} and standard deviation {std:.4}, but no sequence that was tried draws it\n")
    })
}
