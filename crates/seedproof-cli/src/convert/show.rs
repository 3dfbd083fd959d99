//! What becomes of a model's random ops, as text and as JSON.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};

use seedproof_convert::{
    Assessed, Assessment, Body, Cell, Drawn, Framework, Model, Seeds, Source, Verdict, Whole, advice,
};
use seedproof_corpus::{Expectation, Name, Selection};
use seedproof_ops::untrusted::one_line;
use seedproof_ops::{Dtype, OpName, Scalar};
use seedproof_report::plural;
use serde_json::{Value, json};

/// `TensorFlow to OpenVINO`; the target alone of a model that is in its form already.
fn name_of(way: &Assessment) -> String {
    let from = match way.path.mode.as_str() {
        // The numbers were TensorFlow's, and the file is LiteRT's.
        "litert" => "LiteRT".to_owned(),
        _ if way.from == Framework::Openvino => return way.path.target.to_string(),
        _ => way.from.to_string(),
    };
    format!("{from} to {}", way.path.target)
}

const NO_RULE: &str = "No conversion rule found for operations: ";

/// What is refused, by the target's names, each once.
fn refusals(way: &Assessment) -> Vec<String> {
    let refused = way.ops.iter().filter_map(|op| op.cells.first());
    let messages = refused
        .filter(|cell| cell.verdict == Verdict::Refused)
        .map(|cell| cell.why.trim_start_matches("refused: "));
    let mut ops: BTreeSet<&str> = way.missing.iter().map(String::as_str).collect();
    let mut others = BTreeSet::new();
    // A converter lists all that it has no rule for in one line.
    for message in messages {
        match message.strip_prefix(NO_RULE) {
            Some(names) => ops.extend(names.split(", ")),
            None => drop(others.insert(message)),
        }
    }
    let ops: Vec<&str> = ops.into_iter().collect();
    let line = (!ops.is_empty()).then(|| format!("{NO_RULE}{}", ops.join(", ")));
    line.into_iter()
        .chain(others.into_iter().map(str::to_owned))
        .collect()
}

/// The inferences that go alike, together: one cell of each group, with the words for when it is. Of cells with one
/// verdict, that with the most stages stands for all.
fn groups(op: &Assessed, first: u32) -> Vec<(String, &Cell)> {
    let is_alike = |cells: &[Cell]| cells.iter().all(|cell| cell.verdict == cells[0].verdict);
    match op.cells.as_slice() {
        [] => Vec::new(),
        cells if is_alike(cells) => vec![(String::new(), fullest(cells))],
        [one, rest @ ..] if is_alike(rest) => vec![
            ("in the first inference ".to_owned(), one),
            ("after it ".to_owned(), fullest(rest)),
        ],
        cells => (first..)
            .zip(cells)
            .map(|(number, cell)| (format!("in inference {number} "), cell))
            .collect(),
    }
}

fn fullest(cells: &[Cell]) -> &Cell {
    let stages = |cell: &&Cell| cell.stages.len();
    cells.iter().max_by_key(stages).expect("a group has a cell")
}

/// The random nodes that an op becomes.
fn nodes(op: &Assessed) -> Vec<String> {
    let target = op.rule.iter().filter_map(|rule| rule.target.as_ref().ok());
    let nodes = target.flat_map(|converted| &converted.nodes);
    nodes
        .map(|node| {
            let alignment = match (node.op, node.is_pytorch) {
                ("Multinomial", _) => "",
                (_, true) => " PYTORCH",
                (_, false) => " TENSORFLOW",
            };
            let seeds = match node.seeds {
                Seeds::AtRun | Seeds::AtProcess | Seeds::OutsideModel => "0 and 0".to_owned(),
                Seeds::AtConversion => "that the converter chooses".to_owned(),
                Seeds::Fixed(..) => node.seeds.to_string(),
            };
            let bounds = node.bounds.map_or(String::new(), |(low, high)| {
                format!(", [{}, {})", low.decimal(), high.decimal())
            });
            format!("{}{alignment} {}, seeds {seeds}{bounds}", node.op, node.dtype)
        })
        .collect()
}

/// What the model's owner can do about the worst inference.
fn advised(way: &Assessment, op: &Assessed) -> Option<String> {
    let worst = op.cells.iter().max_by_key(|cell| cell.verdict)?;
    advice(&op.source, &way.path, worst)
}

/// How much is shown, and of which inference.
#[derive(Clone, Copy)]
pub(super) struct Shown {
    pub(super) inference: u32,
    pub(super) elements: usize,
}

/// The clauses that the corpus has of OpenVINO's ops: of RandomUniform by alignment and type, as each has its own.
struct Clauses(BTreeMap<(&'static str, String, String), BTreeSet<&'static str>>);

impl Clauses {
    fn of_corpus() -> Self {
        let mut all = BTreeMap::<_, BTreeSet<&str>>::new();
        let ops = [OpName::RandomUniform, OpName::Multinomial].map(|op| format!("op:{op}"));
        let selection = Selection::parse(&ops).expect("both are queries");
        for case in seedproof::corpus().select(&selection) {
            let request = &case.request;
            let key = match request.op() {
                OpName::RandomUniform => ("RandomUniform", request.variant(), request.filed_type()),
                OpName::Multinomial => ("Multinomial", String::new(), String::new()),
                _ => continue,
            };
            if !matches!(case.expect, Expectation::Rejected(_)) {
                all.entry(key)
                    .or_default()
                    .extend(case.clauses.iter().map(Name::as_str));
            }
        }
        Self(all)
    }

    /// Those that bear on an op.
    fn of(&self, source: &Source) -> Vec<&'static str> {
        let key = match source.op.as_str() {
            "RandomUniform" => {
                let alignment = source.get("alignment").map(ToString::to_string);
                let alignment = alignment.unwrap_or_else(|| "TENSORFLOW".to_owned());
                ("RandomUniform", alignment, source.kind.clone())
            }
            _ => ("Multinomial", String::new(), String::new()),
        };
        self.0.get(&key).into_iter().flatten().copied().collect()
    }
}

/// Values with their bits, as many as are asked for.
fn values(drawn: &Drawn, most: usize) -> Vec<String> {
    let dtype: Option<Dtype> = drawn.kind.parse().ok();
    let element = |bits: &u64| match dtype {
        Some(dtype) => Scalar::new(dtype, *bits).decimal(),
        None => bits.to_string(),
    };
    drawn.bits.iter().take(most).map(element).collect()
}

/// The values of both ends in one inference: in one line if they are the same.
fn drawn(cell: &Cell, source: &Source, shown: Shown) -> Vec<String> {
    let mut extents = source.shape.iter().flatten();
    let whole = source.shape.as_ref();
    let whole = whole.and_then(|_| extents.try_fold(1_u64, |count, &extent| count.checked_mul(extent)));
    let note = match source.body() {
        Some(Body::Loop) => ", first iteration",
        _ if matches!(source.op.as_str(), "tf.nn.dropout" | "Dropout") => ", of an input of ones",
        _ => "",
    };
    let line = |end: &str, drawn: &Drawn| {
        let count = u64::try_from(drawn.bits.len().min(shown.elements)).ok();
        let more = if whole == count { "" } else { ", …" };
        let values = values(drawn, shown.elements).join(", ");
        format!("{end}inference {}{note}: {values}{more}", shown.inference)
    };
    match (&cell.source, &cell.target) {
        _ if shown.elements == 0 => Vec::new(),
        (Some(from), Some(to)) if from != to => {
            vec![line("source, ", from), line("target, ", to)]
        }
        (Some(from), None) => vec![line("source, ", from)],
        (_, to) => to.iter().map(|to| line("", to)).collect(),
    }
}

pub(super) fn text(name: &str, model: &Model, ways: &[Assessment], shown: Shown) -> String {
    let mut text = format!("{name}: {}\n", counted(model.found.len()));
    let clauses = LazyCell::new(Clauses::of_corpus);
    let mut put = |line: String| text.push_str(&format!("{line}\n"));
    if !model.found.is_empty() {
        put(String::new());
        for way in ways {
            put(format!("{}: {}", name_of(way), headline(way)));
            for refusal in refusals(way) {
                put(format!("  {refusal}"));
            }
        }
    }
    for (index, found) in model.found.iter().enumerate() {
        put(format!(
            "\n{}\n  {}, {}",
            one_line(&found.name),
            one_line(&found.source.to_string()),
            found
                .source
                .shape
                .as_ref()
                .map_or("of any shape".to_owned(), |shape| format!("shape {shape:?}"))
        ));
        for way in ways {
            let op = &way.ops[index];
            let name = name_of(way);
            let Some(first) = op.cells.first() else {
                put(format!("  {name}: no rule for this op with these parameters"));
                continue;
            };
            if way.from == Framework::Openvino {
                put(format!(
                    "  {name}: {}",
                    match (first.verdict, &first.target) {
                        (Verdict::SameBits, Some(_)) => "draws these values by its attributes",
                        (Verdict::SameBits, None) =>
                            "draws by its attributes; which values is not known, since not all of its inputs and extents \
                             are constants in the file",
                        _ => first.why.as_str(),
                    }
                ));
                put(format!("    {}", few_clauses(&clauses.of(&found.source))));
            } else {
                // An op that keeps its bits in a model that is refused keeps nothing.
                let sunk = matches!(way.whole, Whole::Refused { .. }) && first.verdict != Verdict::Refused;
                let condition = if sunk { ", if the model were taken" } else { "" };
                for (when, cell) in &groups(op, shown.inference) {
                    let stages: Vec<String> = cell.stages.iter().map(ToString::to_string).collect();
                    let stages = if stages.is_empty() {
                        String::new()
                    } else {
                        format!(" ({})", stages.join(", "))
                    };
                    put(format!("  {name}: {when}{}{stages}{condition}", cell.verdict));
                    put(format!("    {}", cell.why));
                }
                for node in nodes(op) {
                    put(format!("    becomes {node}"));
                }
            }
            for line in drawn(first, &found.source, shown) {
                put(format!("    {line}"));
            }
            if let Some(advice) = advised(way, op) {
                put(format!("    instead: {advice}"));
            }
        }
    }
    text
}

fn counted(ops: usize) -> String {
    format!("{ops} random {}", plural(ops, ["op", "ops"]))
}

/// The verdict on the model, with how many of its ops it is due to.
fn headline(way: &Assessment) -> String {
    let (ops, what) = match way.whole {
        Whole::Refused { ops: 0 } => {
            return format!(
                "{}: it has no rule for what stands beside the random ops",
                way.whole
            );
        }
        Whole::Refused { ops } => (ops, "refused"),
        Whole::NotRepeatable { ops } => (ops, "not repeatable"),
        Whole::NotDrawn { ops } => (ops, "replaced by something that does not draw"),
        Whole::Unknown { ops } => (ops, "unknown with these parameters"),
        Whole::Same if way.from == Framework::Openvino => {
            return "the model draws by its attributes".to_owned();
        }
        Whole::NothingRandom | Whole::Same | Whole::SameAtFirst | Whole::SameWords | Whole::OwnBits => {
            return way.whole.to_string();
        }
    };
    let verb = plural(ops, ["is", "are"]);
    let whole = match &way.whole {
        Whole::NotDrawn { ops } if *ops < way.ops.len() => "less random than before".to_owned(),
        whole => whole.to_string(),
    };
    let open = match way.whole {
        Whole::Refused { .. } => "",
        _ if way.may_be_refused() => ", or refused",
        _ => "",
    };
    format!("{whole}{open}: {ops} of {} {verb} {what}", counted(way.ops.len()))
}

/// The clauses that bear on an op, of which the text names two: all of them would hide what else there is to say.
fn few_clauses(clauses: &[&str]) -> String {
    match clauses {
        [first, second, rest @ ..] if !rest.is_empty() => {
            format!(
                "clauses: {first}, {second} and {} more, which --json lists",
                rest.len()
            )
        }
        clauses => format!("clauses: {}", clauses.join(", ")),
    }
}

pub(super) fn document(name: &str, model: &Model, ways: &[Assessment], shown: Shown) -> String {
    let drawn = |drawn: &Option<Drawn>| {
        drawn.as_ref().map(|drawn| {
            let cut = Drawn {
                kind: drawn.kind.clone(),
                bits: drawn.bits.iter().copied().take(shown.elements).collect(),
            };
            json!({"values": values(drawn, shown.elements), "bits": cut.to_string()})
        })
    };
    let clauses = LazyCell::new(Clauses::of_corpus);
    let inference = |(number, cell): (u32, &Cell)| {
        json!({
            "inference": number,
            "verdict": cell.verdict,
            "stages": cell.stages,
            "why": cell.why,
            "source": drawn(&cell.source),
            "target": drawn(&cell.target),
        })
    };
    let path = |way: &Assessment, op: &Assessed| {
        // The worst inference stands for the op.
        let worst = op.cells.iter().rev().max_by_key(|cell| cell.verdict);
        let first = op.cells.first();
        json!({
            "from": way.from.to_string(),
            "to": way.path.target.to_string(),
            "verdict": worst.map(|cell| cell.verdict),
            "stages": worst.map(|cell| &cell.stages),
            "why": worst.map(|cell| &cell.why),
            "nodes": nodes(op),
            "source": first.and_then(|cell| drawn(&cell.source)),
            "target": first.and_then(|cell| drawn(&cell.target)),
            "inferences": (shown.inference..).zip(&op.cells).map(inference).collect::<Vec<_>>(),
            "instead": advised(way, op),
        })
    };
    let ops: Vec<Value> = model
        .found
        .iter()
        .enumerate()
        .map(|(index, found)| {
            let source = &found.source;
            json!({
                "name": found.name,
                "op": source.op,
                "type": source.kind,
                "shape": source.shape,
                "parameters": source.parameters,
                "clauses": if source.framework == Framework::Openvino { clauses.of(source) } else { Vec::new() },
                "paths": ways.iter().map(|way| path(way, &way.ops[index])).collect::<Vec<_>>(),
            })
        })
        .collect();
    let paths: Vec<Value> = ways
        .iter()
        .map(|way| {
            json!({
                "from": way.from.to_string(),
                "to": way.path.target.to_string(),
                "whole": way.whole,
                "says": headline(way),
                "refusals": refusals(way),
            })
        })
        .collect();
    let document = json!({"model": name, "paths": paths, "inference": shown.inference, "ops": ops});
    format!("{document:#}\n")
}

#[cfg(test)]
mod tests {
    use seedproof_convert::{Hint, Path, Target};

    use super::*;

    /// A dropout with these verdicts on its inferences.
    fn dropout(verdicts: &[Verdict]) -> Assessed {
        let cell = |&verdict: &Verdict| Cell {
            verdict,
            stages: Vec::new(),
            why: String::new(),
            source: None,
            target: None,
        };
        Assessed {
            source: Source {
                framework: Framework::Torch,
                op: "torch.nn.functional.dropout".to_owned(),
                kind: "f32".to_owned(),
                shape: None,
                parameters: BTreeMap::new(),
            },
            rule: None,
            cells: verdicts.iter().map(cell).collect(),
        }
    }

    #[test]
    fn inferences_that_go_alike_are_told_together() {
        use Verdict::{OwnBits, SameBits};

        let told = |verdicts: &[Verdict]| -> Vec<String> {
            groups(&dropout(verdicts), 0)
                .into_iter()
                .map(|(when, cell)| format!("{when}{}", cell.verdict))
                .collect()
        };
        assert_eq!(told(&[SameBits, SameBits, SameBits]), ["same bits"]);
        assert_eq!(
            told(&[SameBits, OwnBits, OwnBits]),
            [
                "in the first inference same bits",
                "after it own bits, repeatable",
            ]
        );
        assert_eq!(
            told(&[SameBits, OwnBits, SameBits]),
            [
                "in inference 0 same bits",
                "in inference 1 own bits, repeatable",
                "in inference 2 same bits",
            ]
        );
    }

    /// That an op behind a dropout may be refused, too, adds nothing then.
    #[test]
    fn model_that_is_refused_is_said_to_be_refused_once() {
        let mut op = dropout(&[Verdict::Refused]);
        let behind = seedproof_convert::Value::Text("aten.chunk.default".to_owned());
        op.source.parameters.insert("taken by".to_owned(), behind);
        let way = Assessment {
            from: Framework::Torch,
            path: Path {
                target: Target::Openvino,
                mode: "export".to_owned(),
                hint: Hint::Default,
            },
            whole: Whole::Refused { ops: 1 },
            missing: Vec::new(),
            ops: vec![op],
        };
        assert!(way.may_be_refused());
        assert_eq!(headline(&way), "refused as a whole: 1 of 1 random op is refused");
    }

    #[test]
    fn clauses_beyond_the_second_are_counted() {
        assert_eq!(few_clauses(&["a", "b"]), "clauses: a, b");
        assert_eq!(
            few_clauses(&["a", "b", "c"]),
            "clauses: a, b and 1 more, which --json lists"
        );
    }
}
