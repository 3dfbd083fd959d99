//! `seedproof gen`: writes or checks every generated file of the repository, or the derived expectations of a user's own
//! corpus.

use std::path::{Path, PathBuf};

use seedproof::judging::Catalogue;
use seedproof_ops::Limits;

use crate::args::GenArgs;
use crate::exit::{CommandResult, Error, Exit};
use crate::io;

/// The log of changes to the goldens: a digest and what changed, a line each.
const LOG: &str = "reports/goldens.txt";

/// The corpus of Seedproof's own repository, where the working folder is its root.
pub(crate) fn checkout() -> Option<PathBuf> {
    let vectors = Path::new("vectors");
    (vectors.is_dir() && Path::new(LOG).is_file()).then(|| vectors.to_owned())
}

/// Writes what has changed, or with `--check` says what would.
pub(crate) fn generate(args: &GenArgs) -> CommandResult {
    if let Some(folder) = &args.dir.corpus {
        return fill_in(folder, args.check);
    }
    let folder = args.root.join("vectors");
    let files = seedproof::files::read_files(&folder)
        .map_err(|error| Error::Infrastructure(format!("failed to {error}")))?;
    let catalogue = Catalogue::new(Limits::default());
    let guide = std::fs::read_to_string(args.root.join(seedproof_author::GUIDE)).ok();
    let wanted = seedproof_author::generated(&files, guide.as_deref(), &catalogue)
        .map_err(|errors| Error::Corpus(errors.to_string()))?;
    let changed = write_changed(&args.root, &wanted, args.check)?;
    let line = missing_line(&args.root, &files, &wanted)?;
    print_changed(&args.root, &wanted, &changed, args.check);
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

/// Computes the expectations of a user's own corpus. Only its folder is read and written.
fn fill_in(folder: &Path, check: bool) -> CommandResult {
    let files = seedproof::files::read_files(folder)
        .map_err(|error| Error::Infrastructure(format!("failed to {error}")))?;
    let catalogue = Catalogue::new(Limits::default());
    let wanted = seedproof_author::regenerate(&files, seedproof::registry(), catalogue.reference())
        .map_err(|errors| Error::Corpus(errors.to_string()))?;
    let changed = write_changed(folder, &wanted, check)?;
    print_changed(folder, &wanted, &changed, check);
    Ok(if check && !changed.is_empty() {
        Exit::Drift
    } else {
        Exit::Conforms
    })
}

/// The names of the files that are not as they should be, which are then written unless this is a check.
fn write_changed<'a>(
    root: &Path,
    wanted: &'a [(String, String)],
    check: bool,
) -> Result<Vec<&'a str>, Error> {
    let mut changed = Vec::new();
    for (name, text) in wanted {
        let path = root.join(name);
        if std::fs::read_to_string(&path).ok().as_deref() != Some(text) {
            changed.push(name.as_str());
            if !check {
                io::write(&path, text)?;
            }
        }
    }
    Ok(changed)
}

fn print_changed(root: &Path, wanted: &[(String, String)], changed: &[&str], check: bool) {
    let verb = if check { "would change" } else { "wrote" };
    for name in changed {
        let path = if root == Path::new(".") {
            PathBuf::from(name)
        } else {
            root.join(name)
        };
        io::print(&format!("{verb} {}\n", path.display()));
    }
    io::print(&format!("{} files, {} {verb}\n", wanted.len(), changed.len()));
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
