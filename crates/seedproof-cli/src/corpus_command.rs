//! `seedproof corpus`: looking at the corpus itself.

use seedproof::judging::Catalogue;
use seedproof_ops::Limits;
use seedproof_ops::untrusted::paragraph;

use crate::args::{CorpusCommand, CorpusDir};
use crate::exit::{CommandResult, Error, Exit};
use crate::{generate, io, selection};

/// The corpus that is meant. The built-in one does not know what was changed in a checkout since the program was built.
fn here(dir: &CorpusDir) -> CorpusDir {
    CorpusDir {
        corpus: dir.corpus.clone().or_else(generate::checkout),
    }
}

/// Lint, statistics, coverage, mutants, drafts.
pub(crate) fn corpus(command: &CorpusCommand) -> CommandResult {
    match command {
        CorpusCommand::Lint(dir) => {
            let dir = here(dir);
            let corpus = selection::corpus(&dir)?;
            let errors = seedproof_author::lint(&corpus, Catalogue::new(Limits::default()).reference());
            for error in &errors {
                io::print(&format!("{}\n", paragraph(&error.to_string())));
            }
            let read = dir.corpus.as_ref().map(|folder| folder.display().to_string());
            io::print(&format!(
                "{} cases, {} fault{} in {}\n",
                corpus.size(),
                errors.len(),
                if errors.len() == 1 { "" } else { "s" },
                read.as_deref().unwrap_or("the built-in corpus")
            ));
            Ok(if errors.is_empty() {
                Exit::Conforms
            } else {
                Exit::Drift
            })
        }
        CorpusCommand::Stats(dir) => {
            io::print(&seedproof_author::stats(&*selection::corpus(&here(dir))?));
            Ok(Exit::Conforms)
        }
        CorpusCommand::Cover(dir) => {
            let corpus = selection::corpus(&here(dir))?;
            let cover = seedproof_author::cover(&corpus, seedproof::registry(), seedproof_author::ORACLE);
            io::print(&cover.to_string());
            Ok(if cover.uncovered().next().is_none() {
                Exit::Conforms
            } else {
                Exit::Drift
            })
        }
        CorpusCommand::Draft(args) => {
            let corpus = selection::corpus(&here(&args.dir))?;
            let oracle = Catalogue::new(Limits::default());
            let file = seedproof_author::draft(
                args.op,
                &args.topic,
                &corpus,
                seedproof::registry(),
                oracle.reference(),
            );
            io::print(&seedproof_author::emit(&file.map_err(Error::Usage)?));
            Ok(Exit::Conforms)
        }
        CorpusCommand::Mutants(dir) => {
            let corpus = selection::corpus(&here(dir))?;
            let matrix = seedproof_author::Matrix::of(&corpus, &Catalogue::new(Limits::default()));
            io::print(&matrix.to_string());
            Ok(if matrix.survivors().next().is_none() {
                Exit::Conforms
            } else {
                Exit::Drift
            })
        }
    }
}
