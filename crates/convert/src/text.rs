//! The corpus of conversions as text, in one form for captured and derived models.

use serde::Serialize;

use crate::case::{Capture, File, Judged, SCHEMA, read};
use crate::hold::verdicts;
use crate::source::Value;
use crate::upstream::errata;

/// The keys of the lines that `seedproof gen` writes below each model.
const ERRATA: &str = "  errata: ";
const VERDICTS: &str = "  verdicts: ";

/// A file of captures with the errata and verdicts of each model brought up to date.
///
/// # Errors
/// The fault of the file, with line and column.
pub fn with_verdicts(yaml: &str) -> Result<String, String> {
    let file = read(yaml)?;
    // By lines, and not by writing the parsed file: comments and the layout of the driver stay as they are, so that a
    // new verdict is one line of a diff.
    let mut models = file.models.iter();
    let mut text = String::new();
    let mut pending = None;
    for line in yaml.lines() {
        if line.starts_with("- id: ") {
            close(&mut text, &file, pending.take());
            pending = models.next();
        }
        if !line.starts_with(VERDICTS) && !line.starts_with(ERRATA) {
            text.push_str(line);
            text.push('\n');
        }
    }
    close(&mut text, &file, pending);
    Ok(text)
}

fn close(text: &mut String, file: &File, model: Option<&Capture>) {
    let Some(model) = model else { return };
    let model = Capture {
        verdicts: verdicts(file, model),
        ..model.clone()
    };
    let errata: Vec<&str> = errata(&model).map(|erratum| erratum.id.as_str()).collect();
    if !errata.is_empty() {
        text.push_str(&format!("{ERRATA}[{}]\n", errata.join(", ")));
    }
    let judged: Vec<String> = model.verdicts.iter().map(judged).collect();
    text.push_str(&format!("{VERDICTS}[{}]\n", judged.join(", ")));
}

fn judged(judged: &Judged) -> String {
    let mut text = format!("{{verdict: {}", name(&judged.verdict));
    if !judged.stages.is_empty() {
        let stages: Vec<String> = judged.stages.iter().map(name).collect();
        text.push_str(&format!(", stages: [{}]", stages.join(", ")));
    }
    text.push('}');
    text
}

/// The name of an enum's variant in the files of the corpus.
///
/// # Panics
/// Never: a name can be written.
pub(crate) fn name(value: &impl Serialize) -> String {
    let value = serde_json::to_value(value).expect("a name can be written");
    value.as_str().expect("a name is a text").to_owned()
}

/// A file of derived models.
pub(crate) fn derived(processor: &[&str], models: &[Capture]) -> String {
    let mut text =
        String::from("# Derived from the readings. Bits are hexadecimal, most significant digit first.\n");
    text.push_str(&format!(
        "schema: {SCHEMA}\nprovenance:\n  kind: derived\n  method: seedproof gen\n  processor: [{}]\nmodels:\n",
        processor.join(", ")
    ));
    for model in models {
        let source = &model.source;
        let shape: Vec<String> = source.extents().iter().map(ToString::to_string).collect();
        let framework = name(&source.framework);
        let mut put = |line: String| text.push_str(&format!("{line}\n"));
        put(format!("- id: {}", model.id));
        let parameters: String = source
            .parameters
            .iter()
            .map(|(name, value)| format!(", {name}: {}", scalar(value)))
            .collect();
        put(format!(
            "  source: {{framework: {framework}, op: {}, type: {}, shape: [{}]{parameters}}}",
            source.op,
            source.kind,
            shape.join(", ")
        ));
        let path = &model.path;
        let hint = name(&path.hint);
        let target = name(&path.target);
        put(format!(
            "  path: {{target: {target}, mode: {}, hint: {hint}}}",
            path.mode
        ));
        for (name, draws) in [
            ("source_draws", &model.source_draws),
            ("target_draws", &model.target_draws),
        ] {
            if !draws.is_empty() {
                put(format!("  {name}:"));
                for drawn in draws {
                    put(format!("  - {drawn}"));
                }
            }
        }
    }
    text
}

/// A parameter in YAML's flow style. A real number keeps its decimal point, or it would be read as an integer.
fn scalar(value: &Value) -> String {
    match value {
        Value::Text(text) => format!("{text:?}"),
        value => value.to_string(),
    }
}
