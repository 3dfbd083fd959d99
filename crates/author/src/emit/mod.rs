//! Cases into their canonical YAML: one text for one content.
//!
//! What is written reads back as the same cases. Comments other than the leading one and those of decimals are
//! not kept; what is worth saying of a case belongs into its note.

mod layout;
mod text;

use seedproof_ops::{Attribute, Dtype, Named, Request, Scalar, Tensor};
use seedproof_vectors::{Case, Digested, Expectation, Name, OutputDigest, ParsedFile, Provenance};

use layout::{Lines, Node};
use text::{quoted, scalar};

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
    lines.push(0, "schema: 1");
    lines.push(0, format!("op: {}", file.op.name()));
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
    lines.push(4, format!("attrs: {}", attrs(&case.request)));
    lines.node(4, "inputs", &Node::Map(inputs(&case.request)));
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
    for (key, node) in expectation(&case.expect) {
        lines.node(6, key, &node);
    }
    if !case.readings.is_empty() {
        lines.push(4, "readings:");
        for (name, expect) in &case.readings {
            lines.node(6, name.as_str(), &Node::Map(expectation(expect)));
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

fn attrs(request: &Request) -> String {
    match request {
        Request::RandomUniform(request) => format!(
            "{{ output_type: {}, global_seed: {}, op_seed: {}, alignment: {} }}",
            attribute(&request.output_type),
            request.global_seed,
            request.op_seed,
            attribute(&request.alignment)
        ),
        Request::Multinomial(request) => format!(
            "{{ convert_type: {}, with_replacement: {}, log_probs: {}, global_seed: {}, op_seed: {} }}",
            attribute(&request.convert_type),
            request.with_replacement,
            request.log_probs,
            request.global_seed,
            request.op_seed
        ),
        Request::DmlRandomGenerator(request) => {
            let sizes: Vec<String> = request.output_sizes.iter().map(u64::to_string).collect();
            format!(
                "{{ type: {}, feature_level: {}, output_sizes: [{}], output_state: {} }}",
                attribute(&request.generator),
                attribute(&request.feature_level),
                sizes.join(", "),
                request.output_state
            )
        }
    }
}

fn attribute<T: Named>(attribute: &Attribute<T>) -> String {
    scalar(attribute.text())
}

fn inputs(request: &Request) -> Vec<(&'static str, Node)> {
    match request {
        Request::RandomUniform(request) => {
            let bound_type = request.output_type.known();
            let shape = &request.shape;
            let shape = if shape.dtype() == Dtype::I64 && shape.shape().rank() == 1 {
                Node::Literals(shape.scalars().collect())
            } else {
                long(shape)
            };
            vec![
                ("shape", shape),
                ("minval", short(&request.minval, bound_type)),
                ("maxval", short(&request.maxval, bound_type)),
            ]
        }
        Request::Multinomial(request) => {
            let mut inputs = vec![
                ("probs", long(&request.probs)),
                ("num_samples", short(&request.num_samples, Some(Dtype::I32))),
            ];
            inputs.extend(request.draws.as_ref().map(|draws| ("draws", long(draws))));
            inputs
        }
        Request::DmlRandomGenerator(request) => vec![("input_state", long(&request.input_state))],
    }
}

/// A scalar of the type that is understood, or the long form.
fn short(tensor: &Tensor, understood: Option<Dtype>) -> Node {
    match tensor.get(0) {
        Some(element) if tensor.shape().rank() == 0 && understood == Some(tensor.dtype()) => {
            Node::Literal(element)
        }
        _ => long(tensor),
    }
}

fn long(tensor: &Tensor) -> Node {
    let extents = tensor.shape().dims().iter().map(usize::to_string).collect();
    Node::Map(vec![
        ("dtype", Node::Text(tensor.dtype().to_string())),
        ("shape", Node::Texts(extents)),
        ("bits", Node::Literals(tensor.scalars().collect())),
    ])
}

fn expectation(expect: &Expectation) -> Vec<(&'static str, Node)> {
    let by = |by: &str| vec![("by", Node::Text(by.to_owned()))];
    match expect {
        Expectation::Bits(bits) => {
            let mut nodes = vec![("bits", literals(bits.output.scalars()))];
            nodes.extend(
                bits.state
                    .as_ref()
                    .map(|state| ("state", literals(state.scalars()))),
            );
            nodes
        }
        Expectation::Digest(digested) => {
            let mut nodes = vec![("digest", digest(digested))];
            nodes.extend(
                digested
                    .state
                    .as_ref()
                    .map(|state| ("state", literals(state.scalars()))),
            );
            nodes
        }
        Expectation::Rejected(kind) => vec![("rejected", Node::Text(kind.to_string()))],
        Expectation::Oracle => by("oracle"),
        Expectation::Statistical => by("statistics"),
        Expectation::Unspecified => by("readings"),
    }
}

fn digest(digested: &Digested) -> Node {
    let sums = match &digested.digest {
        OutputDigest::Chunks(sums) => {
            let sums = sums.iter().map(|sum| quoted(&to_hex(sum))).collect();
            ("chunks", Node::Texts(sums))
        }
        OutputDigest::Whole(sum) => ("whole", Node::Text(quoted(&to_hex(sum)))),
    };
    Node::Map(vec![
        sums,
        ("first", Node::Literals(digested.first.clone())),
        ("last", Node::Literals(digested.last.clone())),
    ])
}

/// Two lower-case digits a byte.
fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn literals(elements: impl Iterator<Item = Scalar>) -> Node {
    Node::Literals(elements.collect())
}

#[cfg(test)]
mod tests;
