//! Proposes cases for any op from its description alone.
//!
//! Each variant of the op, by its enumerations and element types, is asked for outputs of extents at which blocks, vectors
//! and tiles are whole; all else is drawn as a random request draws it, at its edges often. The oracle says what each expects.
//! Examples of documents and captures of implementations are not proposed, because nothing here knows them.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use seedproof_check::SPEC;
use seedproof_corpus::{Case, CaseId, Corpus, Expectation, Name, ParsedFile, Provenance, Registry};
use seedproof_ops::requests::{Profile, request_with_extents};
use seedproof_ops::{Backend, Dtype, OpName, Request, Role, Tensor, Types};

use crate::by_chance::hangs_on_exp;
use crate::lint::id_parts;
use crate::regenerate::{SPEC_REVISION, expectation, sort_names};

/// Extents of which one axis or the whole is a multiple of what vectors, warps, blocked layouts and workgroups hold. A fast
/// path for whole blocks is taken by these and by no small prime, so that a corpus of primes never asks it.
///
/// Each set has a last extent and a second one that are multiples of 16 and greater, which a layout in blocks of 4, 8 or 16
/// rearranges, outputs of two, three and four axes, and totals of 64, 256 or 4,096 or one beside them. The variants of an op
/// take the sets in turn.
const EXTENTS: [[&[u64]; 7]; 3] = [
    [
        &[3, 64],
        &[2, 32, 3],
        &[4, 16],
        &[65, 63],
        &[257],
        &[1, 2, 3, 2, 32],
        &[1, 16, 2, 2],
    ],
    [
        &[5, 48],
        &[2, 48, 1, 2],
        &[8, 32],
        &[17, 241],
        &[5, 13],
        &[3, 2, 2, 2, 32],
        &[2, 32, 4],
    ],
    [
        &[7, 32],
        &[2, 64, 3],
        &[64, 64],
        &[3, 5, 17],
        &[63],
        &[2, 32, 1, 2, 2],
        &[2, 64, 1, 3],
    ],
];

/// How many requests are drawn for one case at most, and how many of those that the oracle answers are compared.
const TRIES: usize = 100;
const COMPARED: usize = 16;

/// An output of this variety is taken without a look at others. A mask of which half are ones has 50.
const VARIED: usize = 33;

/// A file of proposed cases, as [`crate::emit`] writes it, of requests and ids that the corpus does not have.
///
/// # Errors
/// A fragment that fits "failed to …", if the oracle answers none of the requests.
pub fn draft(
    op: OpName,
    topic: &str,
    corpus: &Corpus,
    known: &Registry,
    oracle: &dyn Backend,
) -> Result<ParsedFile, String> {
    // Of a fixed seed, so that the proposal is the same each time.
    let mut random = fastrand::Rng::with_seed(1);
    let mut asked: HashSet<Request> = corpus.cases().map(|case| case.request.clone()).collect();
    let mut found: Vec<(Request, Expectation)> = Vec::new();
    let types = types_of_elements(op);
    let profiles = Profile::all(op);
    let variants = profiles
        .iter()
        .flat_map(|profile| types.iter().map(move |filed| (profile, filed)));
    let count = profiles.len() * types.len();
    for (number, (profile, filed)) in variants.enumerate() {
        // An op with fewer variants than there are sets takes all of them with each.
        let sets = if count < EXTENTS.len() {
            &EXTENTS[..]
        } else {
            std::slice::from_ref(&EXTENTS[number % EXTENTS.len()])
        };
        let mut unanswered = false;
        for extents in sets.iter().flatten() {
            let answered = (0..TRIES).filter_map(|_| {
                let request = request_with_extents(profile, extents, &mut || random.u64(..));
                let is_of_type = filed.is_none_or(|filed| request.filed_type() == filed.name());
                if !is_of_type || asked.contains(&request) || request.is_unseeded() || hangs_on_exp(&request)
                {
                    return None;
                }
                let output = oracle.run(&request).ok()?.output;
                Some((variety(&output), request))
            });
            // Where most elements are equal, as between equal bounds, their order does not show.
            let mut telling: Option<(usize, Request, Expectation)> = None;
            for (varied, request) in answered.take(COMPARED) {
                if telling.as_ref().is_some_and(|best| varied <= best.0) {
                    continue;
                }
                if let Ok(expect @ (Expectation::Bits(_) | Expectation::Digest(_))) =
                    expectation(&request, oracle)
                {
                    telling = Some((varied, request, expect));
                }
                if telling.as_ref().is_some_and(|best| best.0 >= VARIED) {
                    break;
                }
            }
            if let Some((_, request, expect)) = telling {
                asked.insert(request.clone());
                found.push((request, expect));
            } else if unanswered {
                // A variant whose values are open has none at other extents.
                break;
            } else {
                unanswered = true;
            }
        }
    }
    let mut cases = cases(op, topic, found, &Clauses::of(op, corpus, known));
    let ids: HashSet<&CaseId> = corpus.cases().map(|case| &case.id).collect();
    cases.retain(|case| !ids.contains(&case.id));
    if cases.is_empty() {
        return Err(format!(
            "find a request of {op} that `{}` answers and the corpus does not have",
            oracle.id()
        ));
    }
    Ok(file(op, cases))
}

/// The element types of the input whose elements decide about the output's, which no attribute names and no profile does.
fn types_of_elements(op: OpName) -> Vec<Option<Dtype>> {
    let mut inputs = op.description().inputs.iter();
    match inputs
        .find(|info| info.role == Role::Elements)
        .map(|info| info.dtypes)
    {
        Some(Types::OneOf(types)) => types.iter().copied().map(Some).collect(),
        _ => vec![None],
    }
}

/// How many elements in a hundred are not equal to the one before.
fn variety(output: &Tensor) -> usize {
    let elements: Vec<&[u8]> = output.bytes().chunks_exact(output.dtype().size()).collect();
    let changes = elements.windows(2).filter(|pair| pair[0] != pair[1]).count();
    changes * 100 / elements.len().max(1)
}

fn derived() -> Provenance {
    Provenance::Derived {
        reading: Name::new(SPEC).expect("a plain name"),
        revision: SPEC_REVISION,
    }
}

/// The requests as cases, in order of their variants and types.
fn cases(op: OpName, topic: &str, found: Vec<(Request, Expectation)>, clauses: &Clauses) -> Vec<Case> {
    let mut ids = BTreeMap::new();
    let cases = found.into_iter().map(|(request, expect)| {
        let parts = id_parts(&request)
            .into_iter()
            .map(|part| part.unwrap_or_else(|| "other".to_owned()));
        let parts: Vec<String> = parts.collect();
        let dims = request.output_form().map(|(_, dims)| dims).unwrap_or_default();
        let dims: Vec<String> = dims.iter().map(u64::to_string).collect();
        let shape = if dims.is_empty() {
            "scalar".to_owned()
        } else {
            dims.join("x")
        };
        let id = [
            &[op.description().prefix.to_owned()],
            &parts[..],
            &[format!("{topic}-{shape}")],
        ]
        .concat()
        .join("/");
        let number = ids.entry(id.clone()).and_modify(|count| *count += 1).or_insert(1);
        let id = if *number == 1 {
            id
        } else {
            format!("{id}-{number}")
        };
        Case {
            id: CaseId::new(&id).expect("a description's names are plain"),
            clauses: clauses.of_case(&parts),
            provenance: derived(),
            expect,
            ..seedproof::judging::ad_hoc(request)
        }
    });
    let mut cases: Vec<Case> = cases.collect();
    cases.sort_by_cached_key(|case| id_parts(&case.request));
    cases
}

fn file(op: OpName, cases: Vec<Case>) -> ParsedFile {
    let mut file = ParsedFile::new("draft.yaml", op);
    file.comment = vec![
        "Extents of which one axis or the whole is a multiple of 4 to 64, or is one beside: where all extents are small primes, a".to_owned(),
        "layout in blocks that is read as a plain one, or a loop that loses each last whole block, has all of them right.".to_owned(),
    ];
    file.clauses = shared(&cases);
    file.provenance = Some(derived());
    file.cases = cases;
    sort_names(&mut file);
    file
}

/// The clauses that cases of an op have.
struct Clauses {
    /// By the parts of an id, those that each answered case with these parts names.
    by_parts: BTreeMap<Vec<String>, BTreeSet<Name>>,
    all: Vec<Name>,
}

impl Clauses {
    fn of(op: OpName, corpus: &Corpus, known: &Registry) -> Self {
        let mut by_parts: BTreeMap<Vec<String>, BTreeSet<Name>> = BTreeMap::new();
        let answered = |case: &&Case| {
            case.request.op() == op && matches!(case.expect, Expectation::Bits(_) | Expectation::Digest(_))
        };
        for case in corpus.cases().filter(answered) {
            let own: BTreeSet<Name> = case.clauses.iter().cloned().collect();
            by_parts
                .entry(id_parts(&case.request).into_iter().flatten().collect())
                .and_modify(|shared| shared.retain(|name| own.contains(name)))
                .or_insert(own);
        }
        let stem = format!("{}.", op.description().prefix);
        let all = known.clauses().map(|clause| clause.id.clone());
        Self {
            by_parts,
            all: all.filter(|id| id.as_str().starts_with(&stem)).collect(),
        }
    }

    /// The clauses that all answered cases of this variant name. Of a variant that the corpus does not have, all of the op's:
    /// the author keeps those that the cases are for.
    fn of_case(&self, parts: &[String]) -> Vec<Name> {
        let shared = self.by_parts.get(parts).filter(|names| !names.is_empty());
        shared.map_or_else(|| self.all.clone(), |names| names.iter().cloned().collect())
    }
}

fn shared(cases: &[Case]) -> Vec<Name> {
    let Some((first, others)) = cases.split_first() else {
        return Vec::new();
    };
    let in_all = |clause: &&Name| others.iter().all(|case| case.clauses.contains(clause));
    first.clauses.iter().filter(in_all).cloned().collect()
}

#[cfg(test)]
mod tests {
    use seedproof_ops::{AttributeValue, Kind, Limits, Named as _};
    use seedproof_reference::Reference;

    use super::*;

    /// Every op, also one that is new: each variant and type is asked for, and what is proposed is what `gen` writes.
    #[test]
    fn drafts_of_every_op_ask_each_variant_and_are_what_gen_writes() {
        let oracle = Reference::new(Limits::default(), || 1);
        let known = seedproof::registry();
        for &op in OpName::ALL {
            let empty = Corpus::from_files(&[], known, &[SPEC]).unwrap();
            // A document leaves the values of some ops open, and of other ops in some variants.
            let is_computed = |case: &&Case| {
                case.request.op() == op
                    && matches!(case.provenance, Provenance::Derived { .. })
                    && matches!(case.expect, Expectation::Bits(_) | Expectation::Digest(_))
            };
            let computed = seedproof::corpus().cases().filter(is_computed);
            let computed: Vec<&Case> = computed.collect();
            let file = match draft(op, "draft", &empty, known, &oracle) {
                Ok(file) => file,
                Err(reason) => {
                    assert!(computed.is_empty(), "{reason}");
                    continue;
                }
            };
            for info in op.description().attributes {
                let Kind::Enumeration(names) = info.kind else {
                    continue;
                };
                for name in names {
                    let value = AttributeValue::Text((*name).to_owned());
                    let asks = |case: &Case| case.request.attribute(info.name).as_ref() == Some(&value);
                    let is_asked = file.cases.iter().any(asks);
                    let is_open = !computed.iter().any(|case| asks(case));
                    assert!(is_asked || is_open, "{op} {} {name}", info.name);
                }
            }
            let files = [("draft.yaml".to_owned(), crate::emit(&file))];
            let again = crate::regenerate(&files, known, &oracle).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(again[0].1, files[0].1, "{op}");
            let corpus = Corpus::from_files(&files, known, &[SPEC]).unwrap();
            assert_eq!(crate::lint(&corpus, &oracle), [], "{op}");
        }
    }
}
