//! What a report needs to know of a case, once, whatever the number of implementations.

use std::fmt::Write as _;

use seedproof_ops::{Named, OpName, Request, Scalar, Tensor};
use seedproof_vectors::{Case, CaseId, Expectation, Name, Provenance};

/// A case as reports tell it: a plain description of its request and of what is expected.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseFacts {
    /// The case.
    pub id: CaseId,
    /// The op.
    pub op: OpName,
    /// What the op distinguishes first: RandomUniform's alignment, `with replacement`, `feature level 3.0`.
    pub alignment: String,
    /// The output's element type, or the text that is none.
    pub dtype: String,
    /// The asked output's extents; `None` where the request has none that could be read.
    pub shape: Option<Vec<u64>>,
    /// Global seed and op seed; `None` for DirectML.
    pub seeds: Option<(u64, u64)>,
    /// Lower and upper bound, for RandomUniform with scalar bounds.
    pub range: Option<(Scalar, Scalar)>,
    /// Which successive execution of one op instance it is, from 0.
    pub execution: u32,
    /// The inputs in words.
    pub inputs: Vec<Input>,
    /// What is expected, in words.
    pub expects: String,
    /// The clauses that it covers.
    pub clauses: Vec<Name>,
    /// The errata whose answers it tells apart.
    pub errata: Vec<Name>,
    /// The mistakes that it is there to catch.
    pub flags: Vec<Name>,
    /// Other readings whose answers it knows.
    pub readings: Vec<Name>,
    /// Where the expectation comes from.
    pub provenance: Provenance,
    /// A sentence for people.
    pub note: Option<String>,
}

/// An input or attribute in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Its name in the documents.
    pub name: String,
    /// Its value: type, shape, literals and decimals, the first sixteen elements of them.
    pub text: String,
}

impl CaseFacts {
    /// The description of a case.
    pub fn of(case: &Case) -> Self {
        let described = Described::of(&case.request);
        Self {
            id: case.id.clone(),
            op: case.request.op(),
            alignment: described.alignment,
            dtype: described.dtype,
            shape: described.shape,
            seeds: described.seeds,
            range: described.range,
            execution: case.request.execution(),
            inputs: described.inputs,
            expects: expects(&case.expect),
            clauses: case.clauses.clone(),
            errata: case.errata.clone(),
            flags: case.flags.clone(),
            readings: case.readings.keys().cloned().collect(),
            provenance: case.provenance.clone(),
            note: case.note.clone(),
        }
    }

    /// The op as people name it: `RandomUniform-8`, `Multinomial-13`, `DirectML RandomGenerator`.
    pub const fn op_title(&self) -> &'static str {
        match self.op {
            OpName::RandomUniform => "RandomUniform-8",
            OpName::Multinomial => "Multinomial-13",
            OpName::DmlRandomGenerator => "DirectML RandomGenerator",
        }
    }

    /// The request in one line: `RandomUniform-8 TENSORFLOW f16 [3,2,4], seeds 150/10, range [-1.5, -1.0)`.
    pub fn line(&self) -> String {
        const FITS: &str = "a String takes every write";
        let mut line = format!("{} {} {}", self.op_title(), self.alignment, self.dtype);
        if let Some(shape) = &self.shape {
            let extents: Vec<String> = shape.iter().map(u64::to_string).collect();
            write!(line, " [{}]", extents.join(",")).expect(FITS);
        }
        if let Some((global, op)) = self.seeds {
            write!(line, ", seeds {global}/{op}").expect(FITS);
        }
        if let Some((low, high)) = self.range {
            write!(line, ", range [{}, {})", decimal(low), decimal(high)).expect(FITS);
        }
        if self.execution > 0 {
            write!(line, ", execution {}", self.execution).expect(FITS);
        }
        line
    }

    /// The group of cases that it belongs to: see [`group_of`].
    pub fn group(&self) -> &str {
        group_of(&self.id)
    }
}

/// The group of cases that a case belongs to: its id's first parts, `ru8/tensorflow/f16`.
pub fn group_of(case: &CaseId) -> &str {
    let id = case.as_str();
    let end = id
        .match_indices('/')
        .nth(2)
        .or_else(|| id.match_indices('/').next_back())
        .map_or(id.len(), |(at, _)| at);
    &id[..end]
}

/// The part of the facts that differs from op to op.
struct Described {
    alignment: String,
    dtype: String,
    shape: Option<Vec<u64>>,
    seeds: Option<(u64, u64)>,
    range: Option<(Scalar, Scalar)>,
    inputs: Vec<Input>,
}

fn input(name: &str, text: impl Into<String>) -> Input {
    Input {
        name: name.to_owned(),
        text: text.into(),
    }
}

impl Described {
    fn of(request: &Request) -> Self {
        match request {
            Request::RandomUniform(ru) => Self {
                alignment: ru.alignment.to_string(),
                dtype: ru.output_type.to_string(),
                shape: extents(&ru.shape),
                seeds: Some((ru.global_seed, ru.op_seed)),
                range: single(&ru.minval).zip(single(&ru.maxval)),
                inputs: vec![
                    input("shape", tensor(&ru.shape)),
                    input("minval", tensor(&ru.minval)),
                    input("maxval", tensor(&ru.maxval)),
                ],
            },
            Request::Multinomial(mn) => {
                let replacement = if mn.with_replacement {
                    "with replacement"
                } else {
                    "without replacement"
                };
                let mut inputs = vec![
                    input("probs", tensor(&mn.probs)),
                    input("num_samples", tensor(&mn.num_samples)),
                ];
                inputs.extend(mn.draws.as_ref().map(|draws| input("draws", tensor(draws))));
                inputs.push(input("log_probs", mn.log_probs.to_string()));
                let batch = mn
                    .probs
                    .shape()
                    .dims()
                    .first()
                    .and_then(|&n| u64::try_from(n).ok());
                let samples = extents(&mn.num_samples).and_then(|all| all.first().copied());
                Self {
                    alignment: replacement.to_owned(),
                    dtype: mn.convert_type.to_string(),
                    shape: batch.zip(samples).map(|(rows, columns)| vec![rows, columns]),
                    seeds: Some((mn.global_seed, mn.op_seed)),
                    range: None,
                    inputs,
                }
            }
            Request::DmlRandomGenerator(dml) => Self {
                alignment: format!("feature level {}", dml.feature_level),
                dtype: "u32".to_owned(),
                shape: Some(dml.output_sizes.clone()),
                seeds: None,
                range: None,
                inputs: vec![
                    input("input_state", tensor(&dml.input_state)),
                    input("type", dml.generator.text()),
                    input("output_state", dml.output_state.to_string()),
                ],
            },
        }
    }
}

/// The elements of an integer tensor as extents, unless one is negative or the tensor is no such list.
fn extents(tensor: &Tensor) -> Option<Vec<u64>> {
    const MOST: usize = 64;
    if tensor.dtype().is_float() || tensor.count() > MOST {
        return None;
    }
    tensor
        .scalars()
        .map(|extent| u64::try_from(extent.to_i64()).ok())
        .collect()
}

fn single(tensor: &Tensor) -> Option<Scalar> {
    if tensor.count() == 1 { tensor.get(0) } else { None }
}

/// A tensor in words: type and shape, then literals, then decimals where literals are bits.
fn tensor(tensor: &Tensor) -> String {
    const SHOWN: usize = 16;
    let list = |text: fn(Scalar) -> String| {
        let mut all: Vec<String> = tensor.scalars().take(SHOWN).map(text).collect();
        if tensor.count() > SHOWN {
            all.push(format!("… {} more", tensor.count() - SHOWN));
        }
        all.join(" ")
    };
    let (dtype, shape) = (tensor.dtype(), tensor.shape());
    let literals = list(Scalar::literal);
    if dtype.is_float() && tensor.count() > 0 {
        format!("{dtype} {shape}: {literals} ({})", list(decimal))
    } else {
        format!("{dtype} {shape}: {literals}")
    }
}

fn expects(expectation: &Expectation) -> String {
    match expectation {
        Expectation::Bits(bits) => {
            let state = if bits.more.is_empty() { "" } else { ", and a state" };
            format!(
                "{} {} elements, bit for bit{state}",
                bits.output.count(),
                bits.output.dtype()
            )
        }
        Expectation::Digest(digested) => {
            let state = if digested.more.is_empty() { "" } else { ", and a state" };
            format!("an output with known SHA-256 sums{state}")
        }
        Expectation::Rejected(kind) => format!("a rejection ({})", kind.name()),
        Expectation::Oracle => "what the oracle answers".to_owned(),
        Expectation::Statistical => "numbers in range, other ones each time".to_owned(),
        Expectation::Unspecified => "nothing under spec; what the readings it names answer".to_owned(),
    }
}

/// The shortest decimal, with a point for every finite float: `-1.0`, `3e-5`, `7`.
pub(crate) fn decimal(scalar: Scalar) -> String {
    let text = scalar.decimal();
    let plain = text.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    if scalar.dtype().is_float() && plain {
        text + ".0"
    } else {
        text
    }
}
