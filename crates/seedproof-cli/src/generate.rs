//! `seedproof gen`: everything in the repository that the program itself decides, written anew or compared.

use std::path::Path;

use seedproof::judging::Bank;
use seedproof_ops::Limits;

use crate::args::GenArgs;
use crate::exit::{CommandResult, Error, Exit};
use crate::io;

/// The log of changes to the goldens: a digest and what changed, a line each.
const LOG: &str = "reports/goldens.txt";

/// Writes what has changed, or with `--check` says what would.
pub(crate) fn generate(args: &GenArgs) -> CommandResult {
    let folder = args.root.join("vectors");
    let files = seedproof::files::read_files(&folder)
        .map_err(|error| Error::Infrastructure(format!("failed to {error}")))?;
    let bank = Bank::new(Limits::default());
    let guide = std::fs::read_to_string(args.root.join(seedproof_author::GUIDE)).ok();
    let wanted = seedproof_author::generated(&files, guide.as_deref(), &bank)
        .map_err(|errors| Error::Corpus(errors.to_string()))?;
    let mut changed = Vec::new();
    for (name, text) in &wanted {
        let path = args.root.join(name);
        if std::fs::read_to_string(&path).ok().as_deref() != Some(text) {
            changed.push(name.as_str());
            if !args.check {
                io::write(&path, text)?;
            }
        }
    }
    let line = missing_line(&args.root, &files, &wanted)?;
    let verb = if args.check { "would change" } else { "wrote" };
    for name in &changed {
        io::print(&format!("{verb} {name}\n"));
    }
    io::print(&format!("{} files, {} {verb}\n", wanted.len(), changed.len()));
    if let Some(line) = &line {
        io::print(&format!(
            "{LOG}: goldens have changed; it must end with a line such as this one, and the reason\n{line}\n"
        ));
    }
    Ok(if args.check && (line.is_some() || !changed.is_empty()) {
        Exit::Drift
    } else {
        Exit::Conforms
    })
}

/// The line that the log lacks, if goldens have changed and it does not say so. A folder without a log needs none.
fn missing_line(
    root: &Path,
    before: &[(String, String)],
    wanted: &[(String, String)],
) -> Result<Option<String>, Error> {
    let Ok(log) = std::fs::read_to_string(root.join(LOG)) else {
        return Ok(None);
    };
    let goldens = seedproof_author::goldens(root, wanted)
        .map_err(|error| Error::Infrastructure(format!("failed to {error}")))?;
    let summary =
        seedproof_author::change(before, wanted).map_err(|errors| Error::Corpus(errors.to_string()))?;
    Ok(seedproof_author::missing_line(
        &log,
        &seedproof_author::digest(&goldens),
        &summary,
    ))
}
