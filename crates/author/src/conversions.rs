//! The corpus of conversions with its verdicts, its derived part, and its reports.

use seedproof_convert::{Matrix, grid, with_verdicts};
use seedproof_corpus::{CONVERSIONS, Location, VectorError, VectorErrors};

/// What is generated of the corpus of conversions: its files (names relative to the repository's root) and reports.
/// `files` are the captured ones, with names relative to `vectors`.
///
/// # Errors
/// Every file that cannot be read.
pub fn conversions(files: &[(String, String)]) -> Result<Vec<(String, String)>, VectorErrors> {
    let mut errors = Vec::new();
    let mut all = Vec::new();
    let is_derived = |name: &str| {
        name.strip_prefix(CONVERSIONS)
            .is_some_and(|name| name.starts_with("grid-"))
    };
    let captured = files.iter().filter(|(name, _)| !is_derived(name)).cloned();
    let derived = grid()
        .into_iter()
        .map(|(name, text)| (format!("{CONVERSIONS}{name}"), text));
    for (name, text) in captured.chain(derived) {
        match with_verdicts(&text) {
            Ok(text) => all.push((format!("vectors/{name}"), text)),
            Err(message) => errors.push(VectorError {
                location: Location {
                    file: name,
                    line: 1,
                    column: 1,
                },
                message: format!("read conversions: {message}"),
            }),
        }
    }
    let mut all = VectorErrors::unless_none(all, errors)?;
    let matrix = Matrix::of(&all);
    all.push(("reports/conversion.md".to_owned(), matrix.markdown()));
    all.push(("reports/conversion.html".to_owned(), matrix.html()));
    Ok(all)
}
