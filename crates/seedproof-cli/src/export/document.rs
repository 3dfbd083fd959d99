//! Cases and the index of an export as JSON: `docs/export/*.schema.json` describes both.

use data_encoding::HEXLOWER;
use seedproof_corpus::Case;
use seedproof_ops::Tensor;
use serde_json::{Map, Value, json};

use super::answer::{Answer, Answered, Common, LeftOut};
use super::options::Form;

/// The version of both documents.
const SCHEMA: u32 = 1;

/// The schema of a document of cases, as an export has it beside them.
pub(super) const CASES_SCHEMA: &str = "cases.schema.json";

/// What the index of every export says that it is. A folder without it was written by somebody else.
pub(super) const FORMAT: &str = "seedproof-export";

/// Where the elements of a tensor are: a key and what it says. The array of the first argument is one of a case's, and has
/// no other name.
type Place<'a> = dyn FnMut(String, &Tensor) -> (&'static str, Value) + 'a;

/// The bytes of a tensor in the document itself, row-major and little-endian. Hexadecimal, since numbers in JSON are doubles to
/// most readers, and have neither NaNs nor all integers of 64 bits.
pub(super) fn hexadecimal(_: String, tensor: &Tensor) -> (&'static str, Value) {
    ("hex", HEXLOWER.encode(tensor.bytes()).into())
}

/// The document of the cases of one file of the corpus. `arrays` is the file beside it that has the elements of the tensors.
pub(super) fn cases(
    common: &Common<'_>,
    arrays: Option<&str>,
    answers: &[Answered<'_>],
    place: &mut Place<'_>,
) -> String {
    let cases: Vec<Value> = answers.iter().map(|answer| case(answer, place)).collect();
    let mut document = json!({
        "schema": SCHEMA,
        "corpus": common.corpus,
        "reading": common.reading,
        "license": common.license,
        "cases": cases,
    });
    if let Some(arrays) = arrays {
        document["arrays"] = arrays.into();
    }
    text(&document)
}

fn text(value: &Value) -> String {
    // Indented, so that version control shows which answers of an export changed.
    serde_json::to_string_pretty(value).expect("a JSON value can always be written") + "\n"
}

fn case(answered: &Answered<'_>, place: &mut Place<'_>) -> Value {
    let Answered {
        case,
        answer,
        computed,
    } = answered;
    let request = &case.request;
    let attributes = request.attributes().into_iter();
    let attributes: Map<String, Value> = attributes
        .map(|(info, value)| (info.name.to_owned(), seedproof_wire::attribute(&value)))
        .collect();
    let mut tensors = |role: &str, tensors: &mut dyn Iterator<Item = (&str, &Tensor)>| -> Value {
        let value = tensors.map(|(name, it)| (name.to_owned(), tensor(case, role, name, it, place)));
        Value::Object(value.collect())
    };
    let inputs = request.inputs();
    let mut value = json!({
        "id": case.id.as_str(),
        "op": request.op().to_string(),
        "attrs": attributes,
        "inputs": tensors("inputs", &mut inputs.into_iter().map(|(info, tensor)| (info.name, tensor))),
        "execution": request.execution(),
        "computed": computed,
        "provenance": case.provenance,
        "clauses": case.clauses,
        "errata": case.errata,
    });
    match answer {
        Answer::Outputs(outputs) => {
            let mut outputs = outputs.iter().map(|(name, tensor)| (*name, tensor));
            value["outputs"] = tensors("outputs", &mut outputs);
        }
        Answer::Refusal(kind) => value["rejected"] = kind.map(|kind| kind.to_string()).into(),
    }
    if let Some(note) = &case.note {
        value["note"] = note.as_str().into();
    }
    value
}

fn tensor(case: &Case, role: &str, name: &str, tensor: &Tensor, place: &mut Place<'_>) -> Value {
    let (key, elements) = place(format!("{}/{role}/{name}", case.id), tensor);
    let mut value = json!({ "dtype": tensor.dtype().name(), "shape": tensor.shape().dims() });
    value[key] = elements;
    value
}

/// A case of an index: where it is.
pub(super) struct Indexed {
    id: String,
    op: String,
    path: String,
}

impl Indexed {
    pub(super) fn new(case: &Case, path: &str) -> Self {
        Self {
            id: case.id.to_string(),
            op: case.request.op().to_string(),
            path: path.to_owned(),
        }
    }
}

/// The index of an export.
pub(super) struct Index<'a> {
    pub(super) form: Form,
    pub(super) common: &'a Common<'a>,
    pub(super) queries: &'a [String],
    pub(super) cases: Vec<Indexed>,
    pub(super) left_out: &'a LeftOut,
}

impl Index<'_> {
    /// The text, with the names of all other files of the export, from which a later one knows that they are its own.
    pub(super) fn text(&self, files: impl Iterator<Item = String>) -> String {
        let form = match self.form {
            Form::OnnxNodeTests => "onnx-node-tests",
            Form::Npz => "npz",
            Form::Json => "json",
        };
        let case = |it: &Indexed| json!({ "id": it.id, "op": it.op, "path": it.path });
        let left_out = self.left_out.iter();
        let left_out = left_out.map(|(reason, cases)| json!({ "reason": reason, "cases": cases }));
        text(&json!({
            "format": FORMAT,
            "schema": SCHEMA,
            "form": form,
            "program": format!("seedproof {}", env!("CARGO_PKG_VERSION")),
            "corpus": self.common.corpus,
            "reading": self.common.reading,
            "queries": self.queries,
            "license": self.common.license,
            "cases": self.cases.iter().map(case).collect::<Vec<_>>(),
            "left_out": left_out.collect::<Vec<_>>(),
            "files": files.collect::<Vec<_>>(),
        }))
    }
}
