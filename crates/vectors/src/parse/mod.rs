//! YAML into cases, strictly, with every mistake located.
//!
//! Two steps: serde reads the shape of the file (unknown keys, keys given twice and values of the wrong sort end
//! it at the first mistake), then the conversion to the domain types reports every mistake that it finds.

mod decimals;
mod expect;
mod printed;
mod provenance;
pub(crate) mod raw;
mod reader;
mod request;
mod yaml;

use std::collections::HashMap;

use seedproof_ops::OpName;

pub use expect::SHOWN;
pub(crate) use reader::{Keys, Mention, Reader, Sort};
pub(crate) use yaml::from_yaml;

use crate::error::Position;
use crate::{Case, CaseId, Expectation, Name, Provenance, VectorErrors};
use raw::{At, Field};

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
/// Every mistake with its location; only the first if it is one of shape (an unknown key, a value of the wrong
/// sort, no YAML at all).
pub fn parse(file: &str, yaml: &str) -> Result<ParsedFile, VectorErrors> {
    let mut reader = Reader::new(file);
    let raw: At<raw::File> = from_yaml(file, yaml)?;
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

/// How ids of an op's cases begin.
pub const fn id_prefix(op: OpName) -> &'static str {
    match op {
        OpName::RandomUniform => "ru8",
        OpName::Multinomial => "mn13",
        OpName::DmlRandomGenerator => "dml",
    }
}

fn convert(reader: &mut Reader<'_>, file: At<raw::File>, yaml: &str) -> Option<ParsedFile> {
    let keys = Keys {
        owner: "this file",
        at: Position::START,
        allowed: &["schema", "op", "clauses", "provenance", "cases"],
    };
    let file = file.value;
    if let Some(schema) = reader.require(&keys, "schema", file.schema)
        && schema.value.0 != 1
    {
        reader.fail(schema.at, format!("read schema {}: expected 1", schema.value.0));
    }
    let op = reader.require(&keys, "op", file.op);
    let op = op.and_then(|op| reader.one_of::<OpName>("an op", &op));
    let clauses = reader.names(file.clauses, Some(Sort::Clause));
    let has_provenance = file.provenance.0.is_some();
    let provenance = file
        .provenance
        .0
        .and_then(|raw| provenance::provenance(reader, raw));
    let cases = reader.require(&keys, "cases", file.cases);
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
    let cases = cases
        .value
        .into_iter()
        .filter_map(|raw| case(reader, &shared, &mut seen, raw))
        .collect();
    Some(ParsedFile {
        comment: leading_comment(yaml),
        clauses: shared.clauses,
        provenance: shared.provenance,
        cases,
        ..ParsedFile::new(reader.file, op)
    })
}

/// What a file says for all of its cases.
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
    raw: At<raw::Case>,
) -> Option<Case> {
    let keys = Keys {
        owner: "this case",
        at: raw.at,
        allowed: &["id", "attrs", "inputs", "expect"],
    };
    let case = raw.value;
    let id = reader.require(&keys, "id", case.id);
    let id = id.and_then(|id| case_id(reader, shared.op, seen, &id));

    let own_at = case.clauses.position().unwrap_or(raw.at);
    let own = reader.names(case.clauses, Some(Sort::Clause));
    for name in own.iter().filter(|name| shared.clauses.contains(name)) {
        reader.fail(
            own_at,
            format!(
                "list `{name}` a second time: expected no clause that the file names for all of its cases"
            ),
        );
    }
    let clauses: Vec<Name> = shared.clauses.iter().cloned().chain(own).collect();
    if clauses.is_empty() {
        reader.fail(
            raw.at,
            "find a clause that this case covers: expected `clauses` in the case or in the file",
        );
    }
    let errata = reader.names(case.errata, Some(Sort::Erratum));
    let flags = reader.names(case.flags, None);

    let provenance = if let Field(Some(raw)) = case.provenance {
        provenance::provenance(reader, raw)
    } else {
        if !shared.has_provenance {
            reader.fail(
                raw.at,
                "find the provenance of this case: expected `provenance` in the case or in the file",
            );
        }
        shared.provenance.clone()
    };
    let margin = case.margin.0.and_then(|margin| {
        let fits = shared.op == OpName::Multinomial && margin.value.is_finite() && margin.value >= 0.0;
        if !fits {
            reader.fail(
                margin.at,
                format!(
                    "read the margin {}: expected a finite number from 0 on, for {}",
                    margin.value,
                    seedproof_ops::Named::name(OpName::Multinomial)
                ),
            );
        }
        fits.then_some(margin.value)
    });
    let execution = case.execution.0.and_then(|execution| {
        let value = reader.small("an execution", &execution)?;
        Some(At {
            value,
            at: execution.at,
        })
    });

    let attrs = reader.require(&keys, "attrs", case.attrs);
    let inputs = reader.require(&keys, "inputs", case.inputs);
    let expect = reader.require(&keys, "expect", case.expect);
    let request = request::request(reader, shared.op, attrs?, inputs?, execution)?;
    let expect = expect::expectation(reader, &request, expect?);
    let readings = expect::readings(reader, &request, case.readings);
    let printed = case
        .printed
        .0
        .and_then(|raw| printed::printed(reader, raw, expect.as_ref()));
    if expect == Some(Expectation::Unspecified) && readings.is_empty() {
        reader.fail(
            raw.at,
            "find what readings answer, as the case is judged by them: expected `readings`",
        );
    }
    Some(Case {
        id: id?,
        location: raw.at.in_file(reader.file),
        clauses,
        errata,
        flags,
        provenance: provenance?,
        request,
        expect: expect?,
        readings,
        printed,
        margin,
        note: case.note.0.map(|note| note.value),
    })
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
    let prefix = id_prefix(op);
    if id.as_str().split('/').next() != Some(prefix) {
        reader.fail(
            text.at,
            format!(
                "use the id `{id}` for {}: expected it to begin with `{prefix}/`",
                seedproof_ops::Named::name(op)
            ),
        );
    }
    Some(id)
}
