//! `seedproof corpus`: looking at the corpus itself.

use seedproof::Bank;
use seedproof_ops::Limits;

use crate::args::CorpusCommand;
use crate::edge;
use crate::exit::{Exit, Outcome};

/// Lint, statistics, coverage, mutants.
pub(crate) fn corpus(command: &CorpusCommand) -> Outcome {
    match command {
        CorpusCommand::Lint(dir) => {
            let corpus = edge::corpus(dir)?;
            let errors = seedproof_author::lint(&corpus);
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
            edge::print(&seedproof_author::stats(&*edge::corpus(dir)?));
            Ok(Exit::Conforms)
        }
        CorpusCommand::Cover(dir) => {
            let corpus = edge::corpus(dir)?;
            let cover =
                seedproof_author::cover(&corpus, seedproof::registry(), seedproof_reference::spec::SOURCES);
            edge::print(&cover.to_string());
            Ok(if cover.uncovered().next().is_none() {
                Exit::Conforms
            } else {
                Exit::Drift
            })
        }
        CorpusCommand::Mutants(dir) => {
            let corpus = edge::corpus(dir)?;
            let matrix = seedproof_author::Matrix::of(&corpus, &Bank::new(Limits::default()));
            edge::print(&matrix.to_string());
            Ok(if matrix.survivors().next().is_none() {
                Exit::Conforms
            } else {
                Exit::Drift
            })
        }
    }
}
