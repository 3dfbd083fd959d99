//! `seedproof corpus`: looking at the corpus itself.

use seedproof::Bank;
use seedproof::ops::Limits;
use seedproof::vectors;

use crate::args::CorpusCommand;
use crate::edge;
use crate::exit::{Exit, Outcome};

/// Lint, statistics, coverage, mutants.
pub(crate) fn corpus(command: &CorpusCommand) -> Outcome {
    match command {
        CorpusCommand::Lint(dir) => {
            let corpus = edge::corpus(dir)?;
            let errors = vectors::lint(&corpus);
            for error in &errors {
                edge::print(&format!("{error}\n"));
            }
            edge::print(&format!(
                "{} cases, {} faults\n",
                corpus.cases().len(),
                errors.len()
            ));
            Ok(if errors.is_empty() {
                Exit::Conforms
            } else {
                Exit::Drift
            })
        }
        CorpusCommand::Stats(dir) => {
            edge::print(&vectors::stats(&*edge::corpus(dir)?));
            Ok(Exit::Conforms)
        }
        CorpusCommand::Cover(dir) => {
            let corpus = edge::corpus(dir)?;
            let cover = vectors::cover(
                &corpus,
                seedproof::registry(),
                seedproof::reference::spec::SOURCES,
            );
            edge::print(&cover.to_string());
            Ok(if cover.uncovered().next().is_none() {
                Exit::Conforms
            } else {
                Exit::Drift
            })
        }
        CorpusCommand::Mutants(dir) => {
            let corpus = edge::corpus(dir)?;
            let matrix = seedproof::Matrix::of(&corpus, &Bank::new(Limits::default()));
            edge::print(&matrix.to_string());
            Ok(if matrix.survivors().next().is_none() {
                Exit::Conforms
            } else {
                Exit::Drift
            })
        }
    }
}
