//! Mistakes of seeds in the words of the op that makes them.
//!
//! One mistake is tried on every op that takes seeds, and its sentence names the seeds of OpenVINO's ops. A reader of a
//! failure of TensorFlow's `RandomStandardNormal` would look for an attribute `op_seed` that the op does not have.

use std::collections::{BTreeSet, HashMap};

use seedproof_check::{Cause, Diagnosis, FailedCase};
use seedproof_corpus::{CaseId, Name};
use seedproof_ops::{Kind, Op};

use crate::registry::registry;

/// OpenVINO's names, and the stem of the clauses about them.
const SEEDS: [&str; 2] = ["global_seed", "op_seed"];
const CLAUSES: &str = "ru8.seeds.";

/// A diagnosis of these failures whose causes name the seeds, and cite the clause, of the op that failed.
pub(crate) fn in_words_of_ops(mut diagnosis: Diagnosis, failures: &[FailedCase]) -> Diagnosis {
    let ops: HashMap<&CaseId, &'static Op> = failures
        .iter()
        .map(|it| (&it.case, it.request.description()))
        .collect();
    for it in &mut diagnosis.explanations {
        let of = it.cases.iter().filter_map(|case| ops.get(case).copied());
        let of: Vec<&Op> = of.collect();
        in_words_of(&mut it.cause, &of);
        for part in &mut it.parts {
            in_words_of(&mut part.cause, &of);
        }
    }
    for it in &mut diagnosis.unexplained {
        if let (Some(nearest), Some(op)) = (&mut it.nearest, ops.get(&it.case)) {
            in_words_of(&mut nearest.cause, &[op]);
        }
    }
    diagnosis
}

fn in_words_of(cause: &mut Cause, ops: &[&Op]) {
    let names: BTreeSet<Vec<&str>> = ops.iter().map(|op| seeds(op)).collect();
    let Some(names) = names.first().filter(|_| names.len() == 1) else {
        // Ops of several frameworks: no word is right for all of them.
        return;
    };
    if names.len() == 1 {
        cause.sentence = cause.sentence.replace(", and not op_seed,", "");
        if cause.fix.contains("op_seed") {
            cause.fix.clear();
        }
    }
    for (seed, name) in SEEDS.iter().zip(names) {
        for text in [&mut cause.sentence, &mut cause.fix] {
            *text = text.replace(seed, name);
        }
    }
    if let Some(own) = ops.first().and_then(|op| clause(op, names)) {
        let clauses = cause.clause.split(", ");
        let clauses: Vec<&str> = clauses
            .map(|id| if id.starts_with(CLAUSES) { own.as_str() } else { id })
            .collect();
        cause.clause = clauses.join(", ");
        // An erratum about the seeds of OpenVINO's op says nothing about another's.
        let errata: Vec<&str> = cause
            .erratum
            .split(", ")
            .filter(|id| !id.starts_with(CLAUSES))
            .collect();
        cause.erratum = errata.join(", ");
    }
}

/// The names of the seeds of an op.
fn seeds(op: &Op) -> Vec<&'static str> {
    let seeds = op.attributes.iter().filter(|info| info.kind == Kind::Seed);
    seeds.map(|info| info.name).collect()
}

/// The clause about the seeds of an op that are not OpenVINO's: its own, or the one that TensorFlow's normals share.
fn clause(op: &Op, names: &[&str]) -> Option<String> {
    let own = ["seeds", "seed"].map(|last| format!("{}.{last}", op.prefix));
    let shared = (names == ["seed", "seed2"]).then(|| "tfrn.seeds".to_owned());
    let is_there = |id: &String| Name::new(id).is_ok_and(|id| registry().clause(&id).is_some());
    own.into_iter()
        .chain(shared)
        .find(is_there)
        .filter(|_| names != SEEDS)
}

#[cfg(test)]
mod tests {
    use seedproof_corpus::Selection;
    use seedproof_ops::Limits;

    use crate::judging::{Catalogue, diagnose, judge_case};

    /// The causes of a mistake that is made on the cases of a query: clause, erratum, sentence and fix.
    fn causes(mistake: &str, query: &str) -> Vec<[String; 4]> {
        let catalogue = Catalogue::new(Limits::default());
        let candidates = catalogue.candidates();
        let wrong = candidates
            .iter()
            .find(|it| it.cause.name == mistake)
            .expect("there is this mistake");
        let selection = Selection::parse(&[query]).expect("it is a query");
        let cases = crate::corpus().select(&selection);
        let judged = cases
            .iter()
            .map(|case| judge_case(case, wrong.backend, &catalogue, None));
        let judged: Vec<_> = judged.filter_map(Result::ok).collect();
        let of = |cause: seedproof_check::Cause| [cause.clause, cause.erratum, cause.sentence, cause.fix];
        let diagnosis = diagnose(&judged, &catalogue);
        diagnosis
            .explanations
            .into_iter()
            .map(|it| of(it.cause))
            .collect()
    }

    #[test]
    fn mistakes_of_seeds_name_the_seeds_of_the_op() {
        let own = causes("op-seed-dropped", "ru8/tensorflow/f32/*seed*");
        assert_eq!(own[0][0], "ru8.seeds.key-counter");
        assert!(own[0][2].starts_with("op_seed is not used"), "{own:?}");
        for (query, clause) in [
            ("tfrn/f32/*", "tfrn.seeds"),
            ("tftn/f32/*", "tfrn.seeds"),
            ("tfrs/*", "tfrs.seeds"),
        ] {
            let found = causes("op-seed-dropped", query);
            let [cited, erratum, sentence, fix] = &found[0];
            assert_eq!((cited.as_str(), erratum.as_str()), (clause, ""), "{query}");
            assert!(sentence.starts_with("seed2 is not used"), "{query}: {sentence}");
            assert_eq!(
                fix, "let seed be the key and seed2 the upper half of the counter",
                "{query}"
            );
        }
    }

    #[test]
    fn mistakes_of_the_only_seed_name_it() {
        let found = causes("global-seed-dropped", "tbe/f32/*");
        assert!(found[0][2].starts_with("seed is not used"), "{found:?}");
        assert!(
            !found[0][2].contains("op_seed") && !found[0][3].contains("op_seed"),
            "{found:?}"
        );
    }
}
