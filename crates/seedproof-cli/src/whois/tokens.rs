//! `seedproof whois --logits`: whose sampler drew tokens.

use std::ops::RangeInclusive;

use seedproof::judging::{Catalogue, ad_hoc};
use seedproof::whois::{Sampled, SampledWith, Sampler, Samplers, who_sampled};
use seedproof_ops::{Limits, Request, Role, Scalar, Tensor};
use seedproof_report::CaseFacts;
use serde_json::{Value, json};

use crate::exit::{CommandResult, Error, Exit};
use crate::io;
use seedproof_read::literal::clipped;

/// The most seeds that are tried: each takes every sampler once.
const MOST_SEEDS: u64 = 1 << 10;

/// Tokens that differ, as far as they are printed.
const SHOWN: usize = 5;

/// `seedproof whois --logits`, with one seed or several.
pub(super) fn whois(
    tokens: &Tensor,
    logits: &Tensor,
    seeds: RangeInclusive<u64>,
    with: SampledWith,
    is_json: bool,
) -> CommandResult {
    if seeds.end() - seeds.start() >= MOST_SEEDS {
        return Err(Error::Usage(format!(
            "with --logits, --seed tries at most {MOST_SEEDS} seeds"
        )));
    }
    let catalogue = Catalogue::new(Limits::default()).determined();
    let samplers = if seeds.start() == seeds.end() {
        Samplers::WithMistakes
    } else {
        Samplers::OfSeeds(seeds.end() - seeds.start() + 1)
    };
    let mut best: Option<(u64, Sampler)> = None;
    for seed in seeds {
        let sampled = Sampled::new(tokens, logits, SampledWith { seed, ..with }).map_err(Error::Usage)?;
        let answer = who_sampled(&sampled, samplers, &catalogue);
        if best.as_ref().is_none_or(|(_, best)| rank(&answer) > rank(best)) {
            best = Some((seed, answer));
        }
        if best.as_ref().is_some_and(|(_, best)| best.word() == "named") {
            break;
        }
    }
    let (seed, answer) = best.expect("a range of seeds has one");
    io::print(&if is_json {
        format!("{}\n", document(seed, &answer))
    } else {
        words(&answer, tokens)
    });
    Ok(if answer.word() == "named" {
        Exit::Conforms
    } else {
        Exit::DoesNotConform
    })
}

fn rank(answer: &Sampler) -> Option<usize> {
    let words = ["unknown", "nearest", "greedy", "possible", "named"];
    words.iter().position(|word| *word == answer.word())
}

/// A filter changes the shares of all tokens, which shows in a few of them.
const EXCLUDED: &str = "logits of -inf for tokens that top-k, top-p or a grammar excluded";

fn words(answer: &Sampler, tokens: &Tensor) -> String {
    let mut lines = Vec::new();
    if answer.greedy {
        lines.push("greedy: each token has the greatest logit of its row, as at temperature 0".to_owned());
    }
    let is_greedy = answer.word() == "greedy";
    for draw in answer.draws.iter().filter(|_| !is_greedy) {
        lines.push(format!("{}: {}", answer.word(), draw.names.join(", ")));
        lines.extend(described(&draw.request));
        lines.extend(draw.from.as_ref().map(|from| format!("  {from}")));
    }
    if let Some(stream) = &answer.stream {
        lines.push(format!("named: {}", stream.name));
        lines.push(format!("  {}", stream.sentence));
    }
    if !answer.certain && !answer.draws.is_empty() && !is_greedy {
        let bits = answer.bits;
        lines.push(format!(
            "  the tokens carry only {bits:.0} bits under these logits, too few to be sure"
        ));
    }
    if let Some(near) = answer.nearest.as_ref().filter(|_| answer.draws.is_empty()) {
        let all = tokens.count();
        lines.push(format!(
            "nearest: {}, {} of {all} tokens",
            near.name, near.agreeing
        ));
        lines.extend(described(&near.request));
        for &(place, drawn) in near.others.iter().take(SHOWN) {
            let token = tokens.get(place).map_or_else(String::new, Scalar::decimal);
            lines.push(format!("  at {place} it draws {drawn}, and the token is {token}"));
        }
        if near.others.len() > SHOWN {
            lines.push(format!("  and {} more", near.others.len() - SHOWN));
        }
        lines.push(format!("  what may help: {EXCLUDED}"));
    }
    if lines.is_empty() {
        lines.push(format!(
            "unknown: none of {} attempts samples these tokens",
            answer.attempts
        ));
        lines.push(format!(
            "what may help: --temperature T, if the logits were divided by one; --position N; {EXCLUDED}"
        ));
    }
    lines.join("\n") + "\n"
}

/// A request, and what it has beside its logits: what tells one way to ask an op from another.
fn described(request: &Request) -> Vec<String> {
    let facts = CaseFacts::of(&ad_hoc(request.clone()));
    let weights = request
        .description()
        .inputs
        .iter()
        .find(|info| info.role == Role::Weights);
    let mut lines = vec![format!("  {}", facts.line())];
    let others = facts
        .inputs
        .iter()
        .filter(|input| weights.is_none_or(|it| it.name != input.name));
    lines.extend(others.map(|input| format!("    {}: {}", input.name, clipped(&input.text))));
    lines
}

fn line(request: &Request) -> String {
    CaseFacts::of(&ad_hoc(request.clone())).line()
}

/// The answer as JSON.
fn document(seed: u64, answer: &Sampler) -> Value {
    let draws = answer
        .draws
        .iter()
        .map(|draw| json!({"names": draw.names, "from": draw.from, "request": line(&draw.request)}));
    let nearest = answer.nearest.as_ref().map(|near| {
        let others = near
            .others
            .iter()
            .map(|(place, drawn)| json!({"token": place, "draws": drawn}));
        json!({
            "name": near.name,
            "request": line(&near.request),
            "agreeing": near.agreeing,
            "others": others.collect::<Vec<_>>(),
        })
    });
    json!({
        "answer": answer.word(),
        "seed": seed.to_string(),
        "greedy": answer.greedy,
        "bits": answer.bits.round(),
        "draws": draws.collect::<Vec<_>>(),
        "stream": answer.stream.as_ref().map(|it| json!({"name": it.name, "sentence": it.sentence})),
        "nearest": nearest,
        "attempts": answer.attempts,
    })
}
