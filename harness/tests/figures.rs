//! Figures of the diagnosis that take long: every mistake with each of nine structures, 300 triples of mistakes, and the
//! time that outputs without any cause take.
//!
//! `cargo test -p seedproof-harness --test figures -- --ignored --nocapture` writes `reports/diagnosis.md`
//! and prints the times.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

use rayon::prelude::*;
use seedproof::judging::{Catalogue, diagnose, elements, judge_case};
use seedproof_check::{Diagnosis, Judgement};
use seedproof_corpus::Case;
use seedproof_ops::{Backend, BackendId, Failure, Limits, Request, Response, Scalar, Support, Tensor};
use seedproof_readings::{Engine, MISTAKES, Mistake, Reading, with};

/// One small case in this many is asked.
const EVERY: usize = 48;

const TRIPLES: usize = 300;

/// What becomes of a stream on its way to the output.
struct Structure {
    /// Parts of the names of causes that are right, any of them. Of few elements, several are.
    names: &'static [&'static str],
    store: fn(&mut Vec<u64>),
}

fn tail(output: &mut [u64], group: usize, what: impl Fn(&[u64], usize) -> u64) {
    let n = output.len();
    for i in n - n % group..n {
        output[i] = what(output, i);
    }
}

const STRUCTURES: &[Structure] = &[
    Structure {
        names: &["tail(group = 4, zero)"],
        store: |output| tail(output, 4, |_, _| 0),
    },
    Structure {
        names: &["tail(group = 32, zero)"],
        store: |output| tail(output, 32, |_, _| 0),
    },
    Structure {
        names: &["tail(group = 8, stale by 8)"],
        store: |output| tail(output, 8, |output, i| if i < 8 { 0 } else { output[i - 8] }),
    },
    Structure {
        names: &["first(1, zero)"],
        store: |output| output.first_mut().into_iter().for_each(|element| *element = 0),
    },
    Structure {
        names: &["last(1, zero)"],
        store: |output| output.last_mut().into_iter().for_each(|element| *element = 0),
    },
    Structure {
        names: &["reversed"],
        store: |output| output.reverse(),
    },
    Structure {
        names: &[
            "order-in-group(1 0)",
            "order-in-group(1 0 ",
            "order-in-block(1 0 3 2)",
            "tail(group = 2, in order)",
        ],
        store: |output| output.chunks_exact_mut(2).for_each(|pair| pair.swap(0, 1)),
    },
    Structure {
        names: &["repeated(size = 64)", "chunk-restart(size = 64)"],
        store: |output| {
            for i in 64..output.len() {
                output[i] = output[i - 64];
            }
        },
    },
    Structure {
        names: &["lanes(3 of 4, zero)"],
        store: |output| {
            for element in output.iter_mut().skip(3).step_by(4) {
                *element = 0;
            }
        },
    },
];

/// A reading's engine whose output is stored as a structure says, or is something else altogether.
struct Stored<'a> {
    id: BackendId,
    engine: Engine,
    store: &'a (dyn Fn(&mut Vec<u64>) + Sync),
}

impl Stored<'_> {
    fn new(reading: Reading, store: &(dyn Fn(&mut Vec<u64>) + Sync)) -> Stored<'_> {
        Stored {
            id: BackendId::new("stored"),
            engine: Engine::new(reading, Limits::default(), || 1),
            store,
        }
    }
}

impl Backend for Stored<'_> {
    fn id(&self) -> &BackendId {
        &self.id
    }

    fn supports(&self, request: &Request) -> Support {
        self.engine.supports(request)
    }

    fn run(&self, request: &Request) -> Result<Response, Failure> {
        let right = self.engine.run(request)?;
        let (dtype, shape) = (right.output.dtype(), right.output.shape().clone());
        let mut bits: Vec<u64> = right.output.scalars().map(Scalar::bits).collect();
        (self.store)(&mut bits);
        let bytes = bits
            .iter()
            .flat_map(|&bits| Scalar::new(dtype, bits).to_le_bytes());
        Ok(Response {
            output: Tensor::new(dtype, shape, bytes.collect()).expect("the number of elements stays"),
            ..right
        })
    }
}

fn judged(backend: &dyn Backend, cases: &[&Case], catalogue: &Catalogue) -> Vec<Judgement> {
    cases
        .iter()
        .filter_map(|case| judge_case(case, backend, catalogue, None).ok())
        .collect()
}

fn diagnosis(backend: &dyn Backend, cases: &[&Case], catalogue: &Catalogue) -> Diagnosis {
    diagnose(&judged(backend, cases, catalogue), catalogue)
}

/// Whether nine in ten of the failing cases are given by causes that are made of these parts alone. In most cases not
/// all parts act.
fn names(diagnosis: &Diagnosis, parts: &[&str]) -> bool {
    let is_of_parts = |cause: &str| {
        let mut named = cause.split(" + ");
        named.all(|name| parts.iter().any(|part| name.contains(part)))
    };
    let right = diagnosis
        .explanations
        .iter()
        .filter(|explanation| is_of_parts(&explanation.cause.name));
    let given: BTreeSet<_> = right.flat_map(|explanation| &explanation.cases).collect();
    let failing = diagnosis.explanations.first();
    let failing = failing.map_or(u64::MAX, |explanation| explanation.evidence.cases_total);
    let given = u64::try_from(given.len()).expect("a count");
    given.saturating_mul(10) >= failing.saturating_mul(9)
}

fn small() -> Vec<&'static Case> {
    let cases = seedproof::corpus()
        .cases()
        .filter(|case| elements(&case.request) <= 4096);
    cases.step_by(EVERY).collect()
}

fn combined(mistakes: &[&Mistake]) -> Reading {
    Reading {
        name: "combined".into(),
        ..with(&Reading::spec(), mistakes)
    }
}

/// Three random mistakes that all act, and in any order alike.
fn triples() -> impl Iterator<Item = [&'static Mistake; 3]> {
    let mut state = 1_u64;
    let mut next = move || {
        // Knuth's multiplier, and the high bits of the product.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        &MISTAKES[usize::try_from(state >> 33).expect("31 bits") % MISTAKES.len()]
    };
    std::iter::from_fn(move || Some([next(), next(), next()])).filter(|&[a, b, c]| {
        let all = combined(&[a, b, c]);
        let orders = [[a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]];
        let parts = [[a, b], [a, c], [b, c]];
        orders.iter().all(|order| combined(order) == all) && parts.iter().all(|part| combined(part) != all)
    })
}

/// How many mistakes with a structure, and triples of mistakes, the diagnosis names; writes reports/diagnosis.md.
#[test]
#[ignore = "takes many minutes; writes reports/diagnosis.md"]
fn figures_of_structures_with_mistakes_and_of_triples() {
    let cases = small();
    let mut text = String::from(
        "# What the diagnosis names\n\nWritten by `cargo test -p seedproof-harness --test figures -- \
         --ignored`. A pair or a triple counts as named if causes that are made of its parts alone give nine in \
         ten of the failing cases; in most cases not all parts act. kernels.md has the figures of kernels \
         that share no code with the candidates.\n\n",
    );
    writeln!(
        text,
        "{} mistakes, each with a structure of its output, over {} cases:\n\n| structure | named | of |\n|---|---|---|",
        MISTAKES.len(),
        cases.len()
    )
    .expect("a String takes every write");
    let mut total = 0;
    for structure in STRUCTURES {
        let is_named = |mistake: &&Mistake| {
            let backend = Stored::new(combined(&[mistake]), &structure.store);
            let catalogue = Catalogue::new(Limits::default());
            names(
                &diagnosis(&backend, &cases, &catalogue),
                &[&[mistake.id.as_str()], structure.names].concat(),
            )
        };
        let named = MISTAKES.par_iter().filter(is_named).count();
        println!("{}: {named}", structure.names[0]);
        total += named;
        writeln!(
            text,
            "| `{}` | {named} | {} |",
            structure.names[0],
            MISTAKES.len()
        )
        .expect("a String takes every write");
    }
    let all = STRUCTURES.len() * MISTAKES.len();
    let triples: Vec<[&Mistake; 3]> = triples().take(TRIPLES).collect();
    let is_named = |triple: &&[&Mistake; 3]| {
        let backend = Stored::new(combined(&triple[..]), &|_| {});
        let catalogue = Catalogue::new(Limits::default());
        names(
            &diagnosis(&backend, &cases, &catalogue),
            &triple.map(|mistake| mistake.id.as_str()),
        )
    };
    let named = triples.par_iter().filter(is_named).count();
    writeln!(
        text,
        "| all | {total} | {all} |\n\nOf {TRIPLES} random triples of mistakes, {named} are named."
    )
    .expect("a String takes every write");
    println!("{text}");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../reports/diagnosis.md");
    std::fs::write(path, text).expect("the report can be written");
    assert!(total * 2 > all, "{total} of {all}");
}

/// How long the diagnosis takes for outputs that nothing explains.
#[test]
#[ignore = "measures time"]
fn figures_of_time() {
    type Store = fn(&mut Vec<u64>);
    let wrongs: [(&str, Store); 3] = [
        ("noise", |output| {
            for (i, element) in (0_u64..).zip(output.iter_mut()) {
                *element = element
                    .wrapping_add(i)
                    .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                    .rotate_left(17)
                    | 1;
            }
        }),
        ("ones in every bit", |output| output.fill(u64::MAX)),
        ("zeros", |output| output.fill(0)),
    ];
    let cases: Vec<&Case> = seedproof::corpus().cases().collect();
    for (name, store) in wrongs {
        let backend = Stored::new(combined(&[]), &store);
        for count in [150, 2413, cases.len()] {
            let catalogue = Catalogue::new(Limits::default());
            let some: Vec<&Case> = (0..count).map(|i| cases[i * cases.len() / count]).collect();
            let judgements = judged(&backend, &some, &catalogue);
            let start = Instant::now();
            let found = diagnose(&judgements, &catalogue);
            println!(
                "{name}: {} cases, {:?}, {:?}, {} unexplained",
                some.len(),
                start.elapsed(),
                found.verdict,
                found.unexplained.len()
            );
            assert!(found.verdict != seedproof_check::Verdict::Explained || name != "noise");
        }
    }
}
