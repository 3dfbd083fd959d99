//! `seedproof gen`: everything in the repository that the program itself decides, written anew or compared.

use seedproof::Bank;
use seedproof::ops::Limits;

use crate::args::GenArgs;
use crate::edge;
use crate::exit::{Error, Exit, Outcome};

/// Writes what has changed, or with `--check` says what would.
pub(crate) fn generate(args: &GenArgs) -> Outcome {
    let folder = args.root.join("vectors");
    let files = seedproof::read_files(&folder)
        .map_err(|error| Error::Infrastructure(format!("failed to {error}")))?;
    let bank = Bank::new(Limits::default());
    let wanted = seedproof::generated(&files, &bank).map_err(|errors| Error::Corpus(errors.to_string()))?;
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
    Ok(if args.check && !changed.is_empty() {
        Exit::Drift
    } else {
        Exit::Conforms
    })
}
