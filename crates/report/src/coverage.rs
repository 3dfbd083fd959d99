//! The part of the corpus on which an implementation was tested: by op, variant and element type.

use std::collections::BTreeMap;

use seedproof_check::Outcome;
use seedproof_ops::BackendId;

use crate::facts::CaseFacts;
use crate::run::Run;
use crate::untrusted::one_line;

/// Counts of the cases of one op, variant and element type. Cases that expect a rejection or an output without elements do
/// not count: an implementation that draws nothing would otherwise seem to cover every type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// Judged cases.
    pub cases: usize,
    /// The cases that the implementation claims.
    pub asked: usize,
    /// The cases that passed.
    pub passed: usize,
}

/// The parts of a run for one implementation, by op, variant and element type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage(BTreeMap<String, BTreeMap<String, BTreeMap<String, Part>>>);

impl Coverage {
    /// The parts of an implementation's findings.
    pub fn of(run: &Run, backend: &BackendId) -> Self {
        let mut coverage = Self::default();
        for judged in run.cases() {
            let outcome = judged.finding(backend).map(|finding| finding.outcome);
            coverage.add(&judged.facts, outcome);
        }
        coverage
    }

    /// Adds a case, with its outcome on the implementation if it was judged there.
    pub fn add(&mut self, facts: &CaseFacts, outcome: Option<Outcome>) {
        if facts.is_refusal() || !facts.has_elements() {
            return;
        }
        let variants = self.0.entry(one_line(&facts.title)).or_default();
        let types = variants.entry(one_line(&facts.variant)).or_default();
        let part = types.entry(one_line(&facts.dtype)).or_default();
        part.cases += 1;
        // A case without a finding was not asked either: another shard has it, or the run was cut short.
        part.asked += usize::from(outcome.is_some_and(|outcome| outcome != Outcome::Unsupported));
        part.passed += usize::from(outcome == Some(Outcome::Pass));
    }

    /// Op, variant, element type and counts of each part, sorted.
    pub fn parts(&self) -> impl Iterator<Item = (&str, &str, &str, Part)> {
        self.0.iter().flat_map(|(op, variants)| {
            variants.iter().flat_map(move |(variant, types)| {
                let parts = types.iter();
                parts.map(move |(dtype, part)| (op.as_str(), variant.as_str(), dtype.as_str(), *part))
            })
        })
    }

    /// The tested parts in a few words, and the untested ones unless the first text already implies them. Both are
    /// empty if there are no parts. `whole` is whether the whole corpus was judged.
    pub fn words(&self, whole: bool) -> (String, String) {
        let asked = self.asked(whole);
        let (is_counted, not_asked) = self.lacking();
        match (whole, not_asked.as_str()) {
            // Cases that all expect a rejection have no parts, of which "all" would claim too much.
            (true, "") if !asked.is_empty() => ("all ops and types".to_owned(), not_asked),
            // Whichever list is shorter: an implementation may lack one element type of fifty ops.
            (true, few) if !is_counted && !few.is_empty() && few.len() < asked.len() => {
                (format!("all but {few}"), String::new())
            }
            _ => (asked, not_asked),
        }
    }

    /// The tested parts: `RandomUniform-8 TENSORFLOW f32 f64, Multinomial-13`. If the whole corpus was judged, an op
    /// all of whose parts were tested is named alone, and so is a variant.
    pub fn asked(&self, whole: bool) -> String {
        // Of a selection, the parts that it lacks are unknown here, so "all of an op" would claim too much.
        let named = self.list(whole, |part| part.asked > 0);
        named.map(|(_, name)| name).collect::<Vec<_>>().join(", ")
    }

    /// The untested parts; empty if there are none. Where more than eight ops have some, those without any tested part are
    /// counted: fifty names behind an adapter of one op would hide the types that it lacks.
    pub fn not_asked(&self) -> String {
        self.lacking().1
    }

    /// The untested parts, and whether ops among them are counted.
    fn lacking(&self) -> (bool, String) {
        let named: Vec<(bool, String)> = self.list(true, |part| part.asked == 0).collect();
        let whole = named.iter().filter(|(whole, _)| *whole).count();
        let is_counted = named.len() > 8 && whole > 1;
        let kept = named.into_iter().filter(|(whole, _)| !(is_counted && *whole));
        let mut kept: Vec<String> = kept.map(|(_, name)| name).collect();
        if is_counted {
            kept.push(format!("{whole} other ops"));
        }
        (is_counted, kept.join(", "))
    }

    /// The ops with named parts, and whether all parts of the op are named.
    fn list<'a>(
        &'a self,
        brief: bool,
        is_named: impl Fn(&Part) -> bool + 'a,
    ) -> impl Iterator<Item = (bool, String)> + 'a {
        let of_types = move |types: &BTreeMap<String, Part>| {
            let named = types.iter().filter(|(_, part)| is_named(part));
            let named: Vec<&str> = named.map(|(dtype, _)| dtype.as_str()).collect();
            (brief && named.len() == types.len(), named.join(" "))
        };
        let of_op = move |(op, variants): (&String, &BTreeMap<String, BTreeMap<String, Part>>)| {
            let mut whole = brief;
            let mut named = Vec::new();
            for (variant, types) in variants {
                let (all, types) = of_types(types);
                whole &= all;
                match (all, types.is_empty()) {
                    (_, true) => {}
                    (true, _) if !variant.is_empty() => named.push(variant.clone()),
                    _ => named.push(format!("{variant} {types}").trim().to_owned()),
                }
            }
            match (whole, named.as_slice()) {
                (_, []) => None,
                (true, _) => Some((true, op.clone())),
                (_, [one]) => Some((false, format!("{op} {one}"))),
                _ => Some((false, format!("{op} ({})", named.join(", ")))),
            }
        };
        self.0.iter().filter_map(of_op)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coverage_names_what_was_asked_and_what_was_not() {
        let mut coverage = Coverage::default();
        for (op, variant, dtype, asked) in [
            ("A", "LEFT", "f16", 0),
            ("A", "LEFT", "f32", 2),
            ("A", "LEFT", "f64", 1),
            ("A", "RIGHT", "f32", 1),
            ("B", "", "u64", 3),
            ("C", "", "f32", 1),
            ("C", "", "f64", 0),
            ("D", "ONE", "f32", 0),
            ("D", "TWO", "f32", 0),
        ] {
            let variants = coverage.0.entry(op.to_owned()).or_default();
            let part = Part {
                cases: 3,
                asked,
                passed: 0,
            };
            variants
                .entry(variant.to_owned())
                .or_default()
                .insert(dtype.to_owned(), part);
        }
        assert_eq!(coverage.asked(true), "A (LEFT f32 f64, RIGHT), B, C f32");
        assert_eq!(coverage.asked(false), "A (LEFT f32 f64, RIGHT f32), B u64, C f32");
        assert_eq!(coverage.not_asked(), "A LEFT f16, C f64, D");
        let words = |whole: bool| coverage.words(whole);
        assert_eq!(
            words(true),
            ("all but A LEFT f16, C f64, D".to_owned(), String::new())
        );
        assert_eq!(words(false), (coverage.asked(false), coverage.not_asked()));
        assert_eq!(Coverage::default().words(true), (String::new(), String::new()));
        assert_eq!(coverage.parts().count(), 9);
        for op in 'E'..='K' {
            let types = BTreeMap::from([("f32".to_owned(), Part::default())]);
            let variants = BTreeMap::from([(String::new(), types)]);
            coverage.0.insert(op.to_string(), variants);
        }
        assert_eq!(coverage.not_asked(), "A LEFT f16, C f64, 8 other ops");
        // The text of what lacks does not name what was asked, so that it cannot stand for it.
        assert_eq!(coverage.words(true), (coverage.asked(true), coverage.not_asked()));
    }

    /// Ops of one type, of which some were asked.
    fn ops(asked: &[(&str, &str, bool)]) -> Coverage {
        let mut coverage = Coverage::default();
        for &(op, dtype, is_asked) in asked {
            let (cases, asked) = (1, usize::from(is_asked));
            let part = Part {
                cases,
                asked,
                passed: 0,
            };
            let types = coverage
                .0
                .entry(op.to_owned())
                .or_default()
                .entry(String::new())
                .or_default();
            types.insert(dtype.to_owned(), part);
        }
        coverage
    }

    #[test]
    fn coverage_takes_the_shorter_list_and_names_eight_ops() {
        // What is as long as what was asked says less.
        assert_eq!(ops(&[("A", "f32", true), ("B", "f32", false)]).words(true).0, "A");
        let eight: Vec<String> = (0..8).map(|op| format!("op{op}")).collect();
        let mut all: Vec<(&str, &str, bool)> = eight.iter().map(|op| (op.as_str(), "f32", false)).collect();
        assert_eq!(ops(&all).not_asked(), eight.join(", "));
        // Nine of which one lacks all: to count one would name nothing.
        all.extend(eight.iter().skip(1).map(|op| (op.as_str(), "f64", true)));
        all.extend([("op8", "f32", false), ("op8", "f64", true)]);
        assert!(ops(&all).not_asked().starts_with("op0, op1 f32"));
        assert!(ops(&all).not_asked().ends_with("op8 f32"));
    }
}
