//! Cases into their canonical YAML: one text for one content.
//!
//! The text reads back as the same cases. Comments other than the leading one and those of decimals are
//! not kept; what is worth saying of a case belongs into its note.

mod layout;

use data_encoding::HEXLOWER;
use seedproof_corpus::yaml::{quoted, scalar};
use seedproof_corpus::{
    Case, Digested, Expectation, Name, OutputDigest, ParsedFile, Provenance, SCHEMA, short_form,
};
use seedproof_ops::{AttributeValue, Request, Scalar, Tensor};

use layout::{Lines, Node};

/// The canonical text of a file.
///
/// Lines of literals are at most 120 columns long, each with the decimals of its floats behind it; inputs are
/// written in their short form where they have one; clauses and provenance of the file are not repeated in its
/// cases.
pub fn emit(file: &ParsedFile) -> String {
    let mut lines = Lines::default();
    for line in &file.comment {
        lines.push(
            0,
            if line.is_empty() {
                "#".to_owned()
            } else {
                format!("# {line}")
            },
        );
    }
    lines.push(0, format!("schema: {SCHEMA}"));
    lines.push(0, format!("op: {}", file.op));
    lines.names(0, "clauses", file.clauses.iter());
    if let Some(provenance) = &file.provenance {
        lines.node(0, "provenance", &self::provenance(provenance));
    }
    lines.push(0, "cases:");
    for case in &file.cases {
        emit_case(&mut lines, file, case);
    }
    lines.text()
}

fn emit_case(lines: &mut Lines, file: &ParsedFile, case: &Case) {
    lines.push(2, format!("- id: {}", case.id));
    let own = |name: &&Name| !file.clauses.contains(name);
    lines.names(4, "clauses", case.clauses.iter().filter(own));
    lines.names(4, "errata", case.errata.iter());
    lines.names(4, "flags", case.flags.iter());
    if let Some(note) = &case.note {
        lines.note(4, note);
    }
    if let Some(margin) = case.margin {
        lines.push(4, format!("margin: {margin:?}"));
    }
    if file.provenance.as_ref() != Some(&case.provenance) {
        lines.node(4, "provenance", &provenance(&case.provenance));
    }
    lines.push(4, format!("attrs: {}", attrs(&case.request).flow()));
    lines.node(4, "inputs", &inputs(&case.request));
    if case.request.execution() > 0 {
        lines.push(4, format!("execution: {}", case.request.execution()));
    }
    if let Some(printed) = &case.printed {
        let values = printed.values.iter().map(|value| quoted(value)).collect();
        let right = Node::Text(printed.right.to_string());
        lines.node(
            4,
            "printed",
            &Node::Map(vec![("values", Node::Texts(values)), ("right", right)]),
        );
    }
    lines.push(4, "expect:");
    for (key, node) in expectation(&case.request, &case.expect) {
        lines.node(6, key, &node);
    }
    if !case.readings.is_empty() {
        lines.push(4, "readings:");
        for (name, expect) in &case.readings {
            lines.node(6, name.as_str(), &Node::Map(expectation(&case.request, expect)));
        }
    }
}

fn provenance(provenance: &Provenance) -> Node {
    let mut entries = vec![("kind", Node::Text(provenance.kind().to_owned()))];
    let rest = match provenance {
        Provenance::SpecExample { document, example } => {
            vec![("document", scalar(document)), ("example", quoted(example))]
        }
        Provenance::KnownAnswer { source } => vec![("source", scalar(source))],
        Provenance::Capture {
            implementation,
            version,
            method,
        } => vec![
            ("implementation", scalar(implementation)),
            ("version", scalar(version)),
            ("method", scalar(method)),
        ],
        Provenance::Derived { reading, revision } => {
            vec![
                ("reading", reading.to_string()),
                ("revision", revision.to_string()),
            ]
        }
    };
    entries.extend(rest.into_iter().map(|(key, text)| (key, Node::Text(text))));
    Node::Map(entries)
}

fn attrs(request: &Request) -> Node {
    let node = |value| match value {
        AttributeValue::Text(text) => Node::Text(scalar(&text)),
        AttributeValue::Seed(seed) => Node::Text(seed.to_string()),
        AttributeValue::Boolean(value) => Node::Text(value.to_string()),
        AttributeValue::Extents(extents) => Node::Texts(extents.iter().map(u64::to_string).collect()),
        AttributeValue::Number(number) => Node::Text(quoted(&number.to_string())),
    };
    let attributes = request.attributes().into_iter();
    Node::Map(attributes.map(|(info, value)| (info.name, node(value))).collect())
}

fn inputs(request: &Request) -> Node {
    let node = |info, tensor: &Tensor| match short_form(info, |name| request.attribute(name)) {
        Some((rank, Some(dtype))) if (tensor.shape().rank(), tensor.dtype()) == (rank, dtype) => {
            let elements: Vec<Scalar> = tensor.scalars().collect();
            match (rank, &elements[..]) {
                (0, [element]) => Node::Literal(*element),
                _ => Node::Literals(elements),
            }
        }
        _ => long(tensor),
    };
    let inputs = request.inputs().into_iter();
    Node::Map(
        inputs
            .map(|(info, tensor)| (info.name, node(info, tensor)))
            .collect(),
    )
}

fn long(tensor: &Tensor) -> Node {
    let extents = tensor.shape().dims().iter().map(usize::to_string).collect();
    Node::Map(vec![
        ("dtype", Node::Text(tensor.dtype().to_string())),
        ("shape", Node::Texts(extents)),
        ("bits", literals(tensor)),
    ])
}

fn expectation(request: &Request, expect: &Expectation) -> Vec<(&'static str, Node)> {
    let (first, more) = match expect {
        Expectation::Bits(bits) => (literals(&bits.output), &bits.more),
        Expectation::Digest(digested) => (digest(digested), &digested.more),
        Expectation::Rejected(kind) => return vec![("rejected", Node::Text(kind.to_string()))],
        Expectation::Oracle | Expectation::Statistical | Expectation::Unspecified => {
            return vec![("by", Node::Text(expect.kind().to_owned()))];
        }
    };
    let further = request.outputs().into_iter().skip(1).zip(more);
    let mut nodes = vec![(expect.kind(), first)];
    nodes.extend(further.map(|(info, tensor)| (info.name, literals(tensor))));
    nodes
}

fn digest(digested: &Digested) -> Node {
    let sums = match &digested.digest {
        OutputDigest::Chunks(sums) => {
            let sums = sums.iter().map(|sum| quoted(&HEXLOWER.encode(sum))).collect();
            ("chunks", Node::Texts(sums))
        }
        OutputDigest::Whole(sum) => ("whole", Node::Text(quoted(&HEXLOWER.encode(sum)))),
    };
    Node::Map(vec![
        sums,
        ("first", Node::Literals(digested.first.clone())),
        ("last", Node::Literals(digested.last.clone())),
    ])
}

fn literals(tensor: &Tensor) -> Node {
    Node::Literals(tensor.scalars().collect())
}

#[cfg(test)]
mod tests;
