//! `seedproof gen`: everything in the repository that the program itself decides, written anew or compared.

use std::fmt::Write as _;

use seedproof::Bank;
use seedproof::ops::Limits;
use seedproof::vectors::{self, Corpus};

use crate::args::GenArgs;
use crate::exit::{Error, Exit, Outcome};
use crate::{edge, mutants};

/// Writes what has changed, or with `--check` says what would.
pub(crate) fn generate(args: &GenArgs) -> Outcome {
    let folder = args.root.join("vectors");
    let files = seedproof::read_files(&folder).map_err(|error| Error::Infrastructure(format!("failed to {error}")))?;
    let bank = Bank::new(Limits::default());
    let texts = vectors::regenerate(&files, seedproof::registry(), bank.reference())
        .map_err(|errors| Error::Corpus(errors.to_string()))?;
    let corpus = seedproof::parse(&texts).map_err(|errors| Error::Corpus(errors.to_string()))?;
    let mut wanted: Vec<(String, String)> =
        texts.into_iter().map(|(name, text)| (format!("vectors/{name}"), text)).collect();
    wanted.push(("vectors/schema.json".to_owned(), vectors::schema()));
    wanted.extend(reports(&corpus, &bank));
    let mut changed = Vec::new();
    for (name, text) in &wanted {
        let path = args.root.join(name);
        if std::fs::read_to_string(&path).ok().as_deref() != Some(text) {
            changed.push(name.as_str());
            if !args.check {
                edge::write(&path, text)?;
            }
        }
    }
    let verb = if args.check { "would change" } else { "wrote" };
    for name in &changed {
        edge::print(&format!("{verb} {name}\n"));
    }
    edge::print(&format!("{} files, {} {verb}\n", wanted.len(), changed.len()));
    Ok(if args.check && !changed.is_empty() { Exit::Drift } else { Exit::Conforms })
}

/// The committed reports that no machine decides.
fn reports(corpus: &Corpus, bank: &Bank) -> Vec<(String, String)> {
    let cover = vectors::cover(corpus, seedproof::registry(), seedproof::reference::spec::SOURCES);
    [
        ("reports/conformance.txt", conformance(corpus, bank)),
        ("reports/coverage.txt", cover.to_string()),
        ("reports/errata.md", errata_markdown()),
        ("reports/mutants.txt", mutants::Matrix::of(corpus, bank).to_string()),
        ("reports/readings.md", crate::scores::readings(corpus, bank)),
    ]
    .map(|(name, text)| (name.to_owned(), text))
    .into()
}

/// What the corpus holds, and that both oracles agree on it.
fn conformance(corpus: &Corpus, bank: &Bank) -> String {
    let mut text = vectors::stats(corpus);
    text.push('\n');
    for backend in [bank.reference(), bank.spec()] {
        let outcomes = crate::scores::outcomes(corpus, backend, bank, "spec");
        let judged: usize = outcomes.values().sum();
        let words: Vec<String> = outcomes.iter().map(|(word, count)| format!("{count} {word}")).collect();
        writeln!(text, "{}: {judged} cases judged: {}", backend.id(), words.join(", ")).expect("a String takes every write");
    }
    text
}

/// The errata as one document, fit to be sent to those who maintain the specifications.
pub(crate) fn errata_markdown() -> String {
    let mut text = String::from(
        "# Errata\n\nQuestions that the specifications answer wrongly, twice or not at all; the answers that are possible; the one \
         that the reading `spec` adopts, and the evidence for it. Generated from the registry by `seedproof gen`.\n",
    );
    let mut document = "";
    for erratum in seedproof::registry().errata() {
        if erratum.document != document {
            document = &erratum.document;
            write!(text, "\n## {document}\n").expect("a String takes every write");
        }
        write!(text, "\n### {}\n\n*{}* {}\n\n", erratum.id, erratum.section, erratum.question)
            .expect("a String takes every write");
        for answer in &erratum.answers {
            let adopted = if answer.id == erratum.adopted { " **(adopted)**" } else { "" };
            writeln!(text, "* `{}`{adopted}: {}", answer.id, answer.says).expect("a String takes every write");
        }
        text.push_str("\nEvidence:\n\n");
        for evidence in &erratum.evidence {
            writeln!(text, "* {evidence}").expect("a String takes every write");
        }
    }
    text
}
