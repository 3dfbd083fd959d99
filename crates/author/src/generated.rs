//! Everything in the repository that the program itself decides, as texts. Files are for the program.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use seedproof::files::parse;
use seedproof::judging::Bank;
use seedproof::registry;
use seedproof_corpus::{CONVERSIONS, Corpus, Name, VectorErrors};

use crate::issues::issues_markdown;
use crate::{Matrix, outcomes, readings_table, sample_page};

/// The guide to the adapter protocol, relative to the repository's root.
pub const GUIDE: &str = "docs/protocol.md";

/// Names, relative to the repository's root, and texts of all that is generated: the corpus anew from its files
/// (names relative to `vectors`), its schema, the functions of the Python package, the reports that no machine decides, the
/// schemas of the adapter protocol, and the tables of its guide, of which `guide` is the present text.
///
/// # Errors
/// Every mistake in the files.
pub fn generated(
    files: &[(String, String)],
    guide: Option<&str>,
    bank: &Bank,
) -> Result<Vec<(String, String)>, VectorErrors> {
    let (conversions, files): (Vec<_>, Vec<_>) = files
        .iter()
        .cloned()
        .partition(|(name, _)| name.starts_with(CONVERSIONS));
    let texts = crate::regenerate(&files, registry(), bank.reference())?;
    let matrix = Matrix::of(&parse(&texts)?, bank);
    let texts = flagged(texts, &matrix.flags())?;
    let corpus = parse(&texts)?;
    let mut all: Vec<(String, String)> = texts
        .into_iter()
        .map(|(name, text)| (format!("vectors/{name}"), text))
        .collect();
    all.push(("vectors/schema.json".to_owned(), crate::schema()));
    all.push((crate::python::OPS.to_owned(), crate::python::functions(&corpus)));
    all.extend(reports(&corpus, bank, &matrix));
    all.extend(crate::conversions(&conversions)?);
    all.extend(crate::protocol::schemas());
    all.extend(guide.map(|text| (GUIDE.to_owned(), crate::protocol::guide(text))));
    Ok(all)
}

/// The files with the flags of their cases set: the mistakes that each is there to catch.
fn flagged(
    texts: Vec<(String, String)>,
    flags: &BTreeMap<&str, Vec<&'static str>>,
) -> Result<Vec<(String, String)>, VectorErrors> {
    let flag = |id: &&str| Name::new(id).expect("a mistake's id is a name");
    texts
        .into_iter()
        .map(|(name, text)| {
            if Path::new(&name)
                .extension()
                .is_none_or(|extension| extension != "yaml")
            {
                return Ok((name, text));
            }
            let mut file = seedproof_corpus::parse(&name, &text)?;
            for case in &mut file.cases {
                case.flags = flags
                    .get(case.id.as_str())
                    .into_iter()
                    .flatten()
                    .map(flag)
                    .collect();
            }
            Ok((name, crate::emit(&file)))
        })
        .collect()
}

/// The committed reports that no machine decides.
fn reports(corpus: &Corpus, bank: &Bank, matrix: &Matrix) -> Vec<(String, String)> {
    let cover = crate::cover(corpus, registry(), crate::ORACLE);
    [
        ("reports/conformance.txt", conformance(corpus, bank)),
        ("reports/coverage.txt", cover.to_string()),
        ("reports/errata.md", errata_markdown() + &issues_markdown(bank)),
        ("reports/mutants.txt", matrix.to_string()),
        ("reports/readings.md", readings_table(corpus, bank)),
        (
            "reports/sample.html",
            sample_page(corpus, bank).expect("a test makes the page"),
        ),
    ]
    .map(|(name, text)| (name.to_owned(), text))
    .into()
}

/// Statistics of the corpus, and the agreement of both oracles on it.
fn conformance(corpus: &Corpus, bank: &Bank) -> String {
    let mut text = crate::stats(corpus);
    text.push('\n');
    for backend in [bank.reference(), bank.spec()] {
        let outcomes = outcomes(corpus, backend, bank, "spec");
        let judged: usize = outcomes.values().sum();
        let words: Vec<String> = outcomes
            .iter()
            .map(|(word, count)| format!("{count} {word}"))
            .collect();
        writeln!(
            text,
            "{}: {judged} cases judged: {}",
            backend.id(),
            words.join(", ")
        )
        .expect("a String takes every write");
    }
    text
}

/// The errata as one document, fit to be sent to those who maintain the specifications.
pub fn errata_markdown() -> String {
    let mut text = String::from(
        "# Errata\n\nQuestions that the specifications answer wrongly, twice or not at all; the answers that are possible; the one \
         that the reading `spec` adopts, and the evidence for it. Generated from the registry by `seedproof gen`.\n",
    );
    let mut document = "";
    for erratum in registry().errata() {
        if erratum.document != document {
            document = &erratum.document;
            write!(text, "\n## {document}\n").expect("a String takes every write");
        }
        write!(
            text,
            "\n### {}\n\n*{}* {}\n\n",
            erratum.id, erratum.section, erratum.question
        )
        .expect("a String takes every write");
        for answer in &erratum.answers {
            let adopted = if answer.id == erratum.adopted {
                " **(adopted)**"
            } else {
                ""
            };
            writeln!(text, "* `{}`{adopted}: {}", answer.id, answer.says)
                .expect("a String takes every write");
        }
        text.push_str("\nEvidence:\n\n");
        for evidence in &erratum.evidence {
            writeln!(text, "* {evidence}").expect("a String takes every write");
        }
    }
    text
}
