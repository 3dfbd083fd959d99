//! The changes of the goldens, in words, and whether their log records them.
//!
//! Goldens are what the program itself decides and tests hold to the byte: the corpus, the reports that no machine
//! decides, the snapshots of the documents. The last line of their log names their digest, so that none of them changes
//! without a line about it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use seedproof::files::{LoadError, parse};
use seedproof_check::ulps;
use seedproof_corpus::{Case, CaseId, Corpus, Expectation, VectorErrors};
use seedproof_report::{CaseFacts, plural};
use sha2::{Digest as _, Sha256};

/// Where the snapshots are.
const SNAPSHOTS: [&str; 2] = ["crates/report/tests/report/snapshots", "harness/tests/snapshots"];
/// The snapshot with a line for each other golden.
const OVERVIEW: &str = "goldens.snap";

/// Names and texts of all goldens of a repository: what is generated, and the snapshots.
///
/// # Errors
/// [`LoadError`] if the snapshots cannot be read.
pub fn goldens(root: &Path, generated: &[(String, String)]) -> Result<Vec<(String, String)>, LoadError> {
    let mut all = generated.to_vec();
    let failed = |path: &Path, error| LoadError::Io {
        path: path.display().to_string(),
        error,
    };
    for name in SNAPSHOTS {
        let folder = root.join(name);
        if !folder.is_dir() {
            continue;
        }
        for entry in std::fs::read_dir(&folder).map_err(|error| failed(&folder, error))? {
            let path = entry.map_err(|error| failed(&folder, error))?.path();
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            if path.extension().is_some_and(|extension| extension == "snap") && file != OVERVIEW {
                let text = std::fs::read_to_string(&path).map_err(|error| failed(&path, error))?;
                all.push((format!("{name}/{file}"), text));
            }
        }
    }
    Ok(all)
}

/// Names and texts as a table: the start of each text's SHA-256 and its name, a line each, in the order of the names.
pub fn table(goldens: &[(String, String)]) -> String {
    let lines: BTreeSet<(&str, String)> = goldens
        .iter()
        .map(|(name, text)| (name.as_str(), short(text)))
        .collect();
    lines
        .iter()
        .map(|(name, sum)| format!("{sum}  {name}\n"))
        .collect()
}

/// The digest that the log names.
pub fn digest(goldens: &[(String, String)]) -> String {
    short(&table(goldens))
}

fn short(text: &str) -> String {
    let sum = Sha256::digest(text.as_bytes());
    sum.iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}

/// The line that a log must end with, unless its last line names this digest.
pub fn missing_line(log: &str, digest: &str, summary: &str) -> Option<String> {
    let named = log
        .lines()
        .last()
        .is_some_and(|line| line.split(' ').next() == Some(digest));
    (!named).then(|| format!("{digest} {summary}"))
}

type ById<'a> = BTreeMap<&'a CaseId, &'a Case>;

fn by_id(corpus: &Corpus) -> ById<'_> {
    corpus.cases().map(|case| (&case.id, case)).collect()
}

/// A sentence about how the generated files change the corpus: see [`summary`].
///
/// # Errors
/// Every mistake in the files.
pub fn change(before: &[(String, String)], generated: &[(String, String)]) -> Result<String, VectorErrors> {
    let files = |(name, text): &(String, String)| {
        let name = name
            .strip_prefix("vectors/")
            .filter(|name| *name != "schema.json")?;
        Some((name.to_owned(), text.clone()))
    };
    let after: Vec<(String, String)> = generated.iter().filter_map(files).collect();
    Ok(summary(&parse(before)?, &parse(&after)?))
}

/// How the expectations of a corpus differ from those of an earlier one: `17 cases, all f16, at most 1 ulp`.
pub fn summary(earlier: &Corpus, later: &Corpus) -> String {
    let (before, after) = (by_id(earlier), by_id(later));
    let both = after
        .iter()
        .filter_map(|(id, case)| Some((*before.get(id)?, *case)));
    let changed: Vec<(&Case, &Case)> = both
        .filter(|(old, new)| {
            (&old.request, &old.expect, &old.readings) != (&new.request, &new.expect, &new.readings)
        })
        .collect();
    let mut parts = Vec::new();
    if !changed.is_empty() {
        parts.push(describe(&changed));
    }
    let count =
        |these: &ById<'_>, others: &ById<'_>| these.keys().filter(|id| !others.contains_key(*id)).count();
    for (n, word) in [(count(&after, &before), "new"), (count(&before, &after), "gone")] {
        if n > 0 {
            parts.push(format!("{n} {word}"));
        }
    }
    if parts.is_empty() {
        return "no case expects anything else".to_owned();
    }
    parts.join("; ")
}

/// `17 cases, all f16, at most 1 ulp`, and what is not a matter of ulps.
fn describe(changed: &[(&Case, &Case)]) -> String {
    let noun = plural(changed.len(), ["case", "cases"]);
    let mut parts = vec![format!("{} {noun}", changed.len())];
    let dtypes: BTreeSet<String> = changed.iter().map(|(_, new)| CaseFacts::of(new).dtype).collect();
    match dtypes.len() {
        1 => parts.extend(dtypes.iter().map(|dtype| format!("all {dtype}"))),
        _ => parts.push(dtypes.into_iter().collect::<Vec<_>>().join(" ")),
    }
    let far: Vec<Option<u64>> = changed.iter().map(|(old, new)| distance(old, new)).collect();
    if let Some(most) = far.iter().flatten().max() {
        let unit = plural(*most, ["ulp", "ulps"]);
        parts.push(format!("at most {most} {unit}"));
    }
    let others = far.iter().filter(|far| far.is_none()).count();
    if others > 0 && others < far.len() {
        parts.push(format!("{others} in another way"));
    }
    parts.join(", ")
}

/// The largest distance between the elements of two expectations of bits of the same form.
fn distance(old: &Case, new: &Case) -> Option<u64> {
    let (Expectation::Bits(before), Expectation::Bits(after)) = (&old.expect, &new.expect) else {
        return None;
    };
    let (before, after) = (&before.output, &after.output);
    if (before.dtype(), before.shape()) != (after.dtype(), after.shape()) || before == after {
        return None;
    }
    before
        .scalars()
        .zip(after.scalars())
        .filter_map(|(a, b)| ulps(a, b))
        .max()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "# A test.\nschema: 2\nop: directml.RandomGenerator\nclauses: [dml.output.bits]\ncases:\n  - id: dml/feature-level-4.0/one\n    provenance: { kind: derived, reading: spec, revision: 1 }\n    attrs: { type: PHILOX_4X32_10, feature_level: \"4.0\", output_sizes: [4], output_state: false }\n    inputs: { input_state: { dtype: u32, shape: [6], bits: [0, 0, 0, 0, 0, 0] } }\n    expect:\n      bits: [1, 2, 3, 4]\n";

    fn files(text: &str) -> Vec<(String, String)> {
        vec![("vectors/one.yaml".to_owned(), text.to_owned())]
    }

    fn between(earlier: &str, later: &str) -> String {
        change(&[("one.yaml".to_owned(), earlier.to_owned())], &files(later)).unwrap()
    }

    #[test]
    fn goldens_change_is_told_in_words() {
        assert_eq!(between(FILE, FILE), "no case expects anything else");
        assert_eq!(
            between(FILE, &FILE.replace("3, 4]", "3, 9]")),
            "1 case, all u32, at most 5 ulps"
        );
        assert_eq!(between(FILE, &FILE.replace("/one", "/two")), "1 new; 1 gone");
    }

    #[test]
    fn goldens_want_their_digest_in_the_last_line_of_the_log() {
        let sum = digest(&files(FILE));
        let line = missing_line("0123456789ab the first\n", &sum, "1 new").unwrap();
        assert_eq!(line, format!("{sum} 1 new"));
        assert_eq!(
            missing_line(&format!("0123456789ab the first\n{line}\n"), &sum, ""),
            None
        );
        assert!(missing_line(&format!("{line}\n0123456789ab later\n"), &sum, "").is_some());
        assert!(missing_line(&format!("{line}\n"), &digest(&files("other")), "").is_some());
        assert!(missing_line("", &sum, "").is_some());
    }
}
