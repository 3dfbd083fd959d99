//! YAML into cases, strictly, with every mistake located.
//!
//! Two steps: the YAML parser returns values with their positions, and stops if the text is not YAML or repeats a key;
//! then the conversion to the domain types reports every mistake. Attributes, inputs and outputs are read as the
//! description of the op has them.

mod decimals;
mod expect;
mod printed;
mod provenance;
mod raw;
mod reader;
mod request;
mod yaml;

use std::collections::{HashMap, HashSet};

use seedproof_ops::{OpName, Role, standard};

pub use expect::SHOWN_AT_EITHER_END;
pub(crate) use raw::{At, List, Value};
pub(crate) use reader::{Mention, Reader, Sort};
pub use request::short_form;
pub(crate) use yaml::from_yaml;

use crate::error::Position;
use crate::{Case, CaseId, Expectation, Name, Provenance, VectorErrors};
use raw::Entries;

/// The version of the corpus's form that is read and written.
pub const SCHEMA: u64 = 2;

/// A file of the corpus.
#[derive(Clone, Debug)]
pub struct ParsedFile {
    /// Its path within the corpus, parts set apart by `/`.
    pub name: String,
    /// The comment that it begins with, without `#`: why the file exists. One line per line, none ends in a newline.
    pub comment: Vec<String>,
    /// The op of its cases.
    pub op: OpName,
    /// The clauses that all of its cases cover.
    pub clauses: Vec<Name>,
    /// The provenance of the cases that name none.
    pub provenance: Option<Provenance>,
    /// Its cases, in order.
    pub cases: Vec<Case>,
    pub(crate) mentions: Vec<Mention>,
}

impl ParsedFile {
    /// A file without cases.
    pub fn new(name: &str, op: OpName) -> Self {
        Self {
            name: name.to_owned(),
            comment: Vec::new(),
            op,
            clauses: Vec::new(),
            provenance: None,
            cases: Vec::new(),
            mentions: Vec::new(),
        }
    }
}

/// Reads one file of cases. `file` names it in locations.
///
/// Clauses, errata and readings are not looked up here: [`crate::Corpus::from_files`] does.
///
/// # Errors
/// Every mistake with its location; only the first if the text is not YAML or repeats a key.
pub fn parse(file: &str, yaml: &str) -> Result<ParsedFile, VectorErrors> {
    standard(|| parse_numbers(file, yaml))
}

/// [`parse`], where decimals are rounded as the standard environment has it.
fn parse_numbers(file: &str, yaml: &str) -> Result<ParsedFile, VectorErrors> {
    let mut reader = Reader::new(file);
    let raw = from_yaml(file, yaml)?;
    let parsed = convert(&mut reader, raw, yaml);
    decimals::check(&mut reader, yaml);
    let errors = std::mem::take(&mut reader.errors);
    let parsed = VectorErrors::unless_none(parsed, errors)?;
    let mut parsed = parsed.expect("a file that cannot be converted has a mistake");
    parsed.mentions = reader.mentions;
    Ok(parsed)
}

/// The lines of the comment that a text begins with.
pub(crate) fn leading_comment(yaml: &str) -> Vec<String> {
    yaml.lines()
        .map_while(|line| line.strip_prefix('#'))
        .map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end().to_owned())
        .collect()
}

fn convert(reader: &mut Reader<'_>, file: At<Value>, yaml: &str) -> Option<ParsedFile> {
    let value = match file.value {
        Value::Nothing => Value::Map(Entries::new()),
        value => value,
    };
    let at = Position::START;
    let optional = ["clauses", "provenance"];
    let mut file = reader.entries(
        "this file",
        At { value, at },
        &["schema", "op", "cases"],
        &optional,
    )?;
    if let Some(schema) = reader.take::<u64>(&mut file, "schema")
        && schema.value != SCHEMA
    {
        reader.fail(
            schema.at,
            format!("read schema {}: expected {SCHEMA}", schema.value),
        );
    }
    let op = reader.take::<String>(&mut file, "op");
    let op = op.and_then(|op| reader.one_of::<OpName>("an op", &op));
    let clauses = reader.names(&mut file, "clauses", Some(Sort::Clause));
    let provenance = file.remove("provenance");
    let has_provenance = provenance.is_some();
    let provenance = provenance.and_then(|value| provenance::provenance(reader, value));
    let cases = reader.take::<List>(&mut file, "cases");
    let (op, cases) = (op?, cases?);
    if cases.value.is_empty() {
        reader.fail(cases.at, "find a case in this file: expected at least one");
    }
    let shared = Shared {
        op,
        clauses,
        has_provenance,
        provenance,
    };
    let mut seen = HashMap::new();
    let mut cases: Vec<_> = cases
        .value
        .into_iter()
        .filter_map(|value| case(reader, &shared, &mut seen, value))
        .collect();
    // A corpus keeps them for as long as the program runs.
    cases.shrink_to_fit();
    Some(ParsedFile {
        comment: leading_comment(yaml),
        clauses: shared.clauses,
        provenance: shared.provenance,
        cases,
        ..ParsedFile::new(reader.file, op)
    })
}

/// The part of a file that holds for all of its cases.
struct Shared {
    op: OpName,
    clauses: Vec<Name>,
    /// Whether there is a provenance, be it right or wrong.
    has_provenance: bool,
    provenance: Option<Provenance>,
}

fn case(
    reader: &mut Reader<'_>,
    shared: &Shared,
    seen: &mut HashMap<CaseId, usize>,
    value: At<Value>,
) -> Option<Case> {
    let at = value.at;
    let op = shared.op.description();
    let mut optional = vec![
        "clauses",
        "errata",
        "flags",
        "note",
        "provenance",
        "printed",
        "readings",
    ];
    if op.inputs.iter().any(|info| info.role == Role::Weights) {
        optional.push("margin");
    }
    if op.successive {
        optional.push("execution");
    }
    let owner = format!("this case of {}", op.name);
    let required = ["id", "attrs", "inputs", "expect"];
    let mut case = reader.entries(&owner, value, &required, &optional)?;
    let id = reader.take::<String>(&mut case, "id");
    let id = id.and_then(|id| case_id(reader, shared.op, seen, &id));
    let clauses = clauses(reader, shared, &mut case, at);
    let errata = reader.names(&mut case, "errata", Some(Sort::Erratum));
    let flags = reader.names(&mut case, "flags", None);
    let note = reader.take::<String>(&mut case, "note").map(|note| note.value);

    let provenance = if let Some(value) = case.remove("provenance") {
        provenance::provenance(reader, value)
    } else {
        if !shared.has_provenance {
            reader.fail(
                at,
                "find the provenance of this case: expected `provenance` in the case or in the file",
            );
        }
        shared.provenance.clone()
    };
    let margin = reader.take::<f64>(&mut case, "margin").map(|margin| {
        if margin.value < 0.0 {
            let message = format!("read the margin {:?}: expected a number from 0 on", margin.value);
            reader.fail(margin.at, message);
        }
        margin.value
    });
    let execution = reader.take::<u32>(&mut case, "execution");

    let (attrs, inputs, expect) = (case.remove("attrs"), case.remove("inputs"), case.remove("expect"));
    let execution = execution.map_or(0, |execution| execution.value);
    let request = request::request(reader, shared.op, attrs?, inputs?, execution)?;
    let expect = expect::expectation(reader, &request, expect?);
    let readings = expect::readings(reader, &request, &mut case);
    let printed = case
        .remove("printed")
        .and_then(|value| printed::printed(reader, value, expect.as_ref()));
    if expect == Some(Expectation::Unspecified) && readings.is_empty() {
        reader.fail(
            at,
            "find what readings answer, as the case is judged by them: expected `readings`",
        );
    }
    Some(Case {
        id: id?,
        location: at.in_file(reader.file),
        clauses,
        errata,
        flags,
        provenance: provenance?,
        request,
        expect: expect?,
        readings,
        printed,
        margin,
        note,
    })
}

/// The clauses of the file, then those of the case.
fn clauses(reader: &mut Reader<'_>, shared: &Shared, case: &mut Entries, at: Position) -> Vec<Name> {
    let own_at = case.get("clauses").map_or(at, |clauses| clauses.at);
    let own = reader.names(case, "clauses", Some(Sort::Clause));
    let of_file: HashSet<&Name> = shared.clauses.iter().collect();
    for name in own.iter().filter(|name| of_file.contains(name)) {
        reader.fail(
            own_at,
            format!(
                "list `{name}` a second time: expected no clause that the file names for all of its cases"
            ),
        );
    }
    if shared.clauses.is_empty() && own.is_empty() {
        reader.fail(
            at,
            "find a clause that this case covers: expected `clauses` in the case or in the file",
        );
    }
    shared.clauses.iter().cloned().chain(own).collect()
}

fn case_id(
    reader: &mut Reader<'_>,
    op: OpName,
    seen: &mut HashMap<CaseId, usize>,
    text: &At<String>,
) -> Option<CaseId> {
    let id = CaseId::new(&text.value)
        .inspect_err(|error| reader.fail(text.at, error.to_string()))
        .ok()?;
    if let Some(line) = seen.insert(id.clone(), text.at.line) {
        reader.fail(
            text.at,
            format!("use the id `{id}` a second time, after line {line}: expected an id of its own"),
        );
    }
    let prefix = op.description().prefix;
    if id.as_str().split('/').next() != Some(prefix) {
        reader.fail(
            text.at,
            format!("use the id `{id}` for {op}: expected it to begin with `{prefix}/`"),
        );
    }
    Some(id)
}
