//! What becomes of a model's random ops, as text and as JSON.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};

use seedproof_convert::{Cell, Drawn, Found, Framework, Path, Source, Verdict};
use seedproof_corpus::{Expectation, Name};
use seedproof_ops::untrusted::one_line;
use seedproof_ops::{Dtype, OpName, Scalar};
use serde_json::{Value, json};

/// One op on one path.
pub(super) struct Line {
    pub(super) path: Path,
    pub(super) from: Framework,
    /// Nothing is known of an op without a rule.
    pub(super) cell: Option<Cell>,
    pub(super) nodes: Vec<String>,
    pub(super) advice: Option<&'static str>,
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
        for case in seedproof::corpus().cases() {
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

pub(super) fn text(name: &str, lines: &[(&Found, Vec<Line>)], shown: Shown) -> String {
    let mut text = format!(
        "{name}: {} random op{}\n",
        lines.len(),
        if lines.len() == 1 { "" } else { "s" }
    );
    let clauses = LazyCell::new(Clauses::of_corpus);
    let mut put = |line: String| text.push_str(&format!("{line}\n"));
    for (found, lines) in lines {
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
        for line in lines {
            let way = if line.from == Framework::Openvino {
                line.path.target.to_string()
            } else {
                format!("{} to {}", line.from, line.path.target)
            };
            let Some(cell) = &line.cell else {
                put(format!(
                    "  {way}: nothing is known of this op with these parameters"
                ));
                continue;
            };
            if line.from == Framework::Openvino {
                put(format!(
                    "  {way}: {}",
                    if matches!(cell.verdict, Verdict::NotRepeatable) {
                        cell.why.as_str()
                    } else {
                        "draws by its attributes"
                    }
                ));
            } else {
                let stages: Vec<String> = cell.stages.iter().map(ToString::to_string).collect();
                let stages = if stages.is_empty() {
                    String::new()
                } else {
                    format!(" ({})", stages.join(", "))
                };
                put(format!("  {way}: {}{stages}\n    {}", cell.verdict, cell.why));
                line.nodes
                    .iter()
                    .for_each(|node| put(format!("    becomes {node}")));
            }
            if line.from == Framework::Openvino {
                put(format!("    clauses: {}", clauses.of(&found.source).join(", ")));
            }
            if let Some(drawn) = &cell.target {
                let more = if drawn.bits.len() > shown.elements {
                    ", …"
                } else {
                    ""
                };
                put(format!(
                    "    inference {}: {}{more}",
                    shown.inference,
                    values(drawn, shown.elements).join(", ")
                ));
            }
            if let Some(advice) = line.advice {
                put(format!("    instead: {advice}"));
            }
        }
    }
    text
}

pub(super) fn document(name: &str, lines: &[(&Found, Vec<Line>)], shown: Shown) -> String {
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
    let path = |line: &Line| {
        json!({
            "from": line.from.to_string(),
            "to": line.path.target.to_string(),
            "verdict": line.cell.as_ref().map(|cell| cell.verdict),
            "stages": line.cell.as_ref().map(|cell| &cell.stages),
            "why": line.cell.as_ref().map(|cell| &cell.why),
            "nodes": line.nodes,
            "source": line.cell.as_ref().and_then(|cell| drawn(&cell.source)),
            "target": line.cell.as_ref().and_then(|cell| drawn(&cell.target)),
            "instead": line.advice,
        })
    };
    let ops: Vec<Value> = lines
        .iter()
        .map(|(found, lines)| {
            let source = &found.source;
            json!({
                "name": found.name,
                "op": source.op,
                "type": source.kind,
                "shape": source.shape,
                "parameters": source.parameters,
                "clauses": if source.framework == Framework::Openvino { clauses.of(source) } else { Vec::new() },
                "paths": lines.iter().map(path).collect::<Vec<_>>(),
            })
        })
        .collect();
    let document = json!({"model": name, "inference": shown.inference, "ops": ops});
    format!("{document:#}\n")
}
