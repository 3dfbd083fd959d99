//! Readings and mistakes that a user brings in a file: `--reading FILE.toml` and `--mistakes FILE.toml`.

use std::path::{Path, PathBuf};

use clap::Args;
use data_encoding::HEXLOWER;
use seedproof::judging::Catalogue;
use seedproof_ops::Digest;
use seedproof_readings::{Data, Reading, find, named, parse_data, questions};

use crate::exit::Error;
use crate::{io, quoting};

#[derive(Debug, Args)]
pub(crate) struct MistakesArgs {
    /// A TOML file of mistakes and readings that the diagnosis looks for as well
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) mistakes: Option<PathBuf>,
}

/// A catalogue with what a user brings, and the name of the reading that `--reading` means.
///
/// # Errors
/// [`Error::Usage`] for what is wrong with a file, [`Error::Infrastructure`] for one that cannot be read.
pub(crate) fn bring(
    catalogue: Catalogue,
    reading: &str,
    args: &MistakesArgs,
) -> Result<(Catalogue, String), Error> {
    let mut data = Data::default();
    let mut name = reading.to_owned();
    if is_file(reading) {
        data = read(Path::new(reading), &named())?;
        name = last(&data, reading)?.name.to_string();
    }
    if let Some(path) = &args.mistakes
        && path != Path::new(reading)
    {
        let known: Vec<Reading> = named().into_iter().chain(data.readings.iter().cloned()).collect();
        let more = read(path, &known)?;
        data.readings.extend(more.readings);
        data.mistakes.extend(more.mistakes);
    }
    let catalogue = catalogue
        .with_data(data)
        .map_err(|reason| Error::Usage(format!("failed to {reason}")))?;
    Ok((catalogue, name))
}

/// The reading of a file that `--reading` names; `None` for the name of a reading. What it was observed on ends with a
/// digest of its answers, which is how logs of backends of one name and other answers are told apart.
///
/// # Errors
/// As [`bring`].
pub(crate) fn reading(reading: &str) -> Result<Option<Reading>, Error> {
    if !is_file(reading) {
        return Ok(None);
    }
    let data = read(Path::new(reading), &named())?;
    let mut reading = last(&data, reading)?.clone();
    let digest = digest(&reading);
    reading.observed = format!("{} (answers {})", reading.observed, &digest[..16]).into();
    Ok(Some(reading))
}

/// A digest of the answers of a reading that a user brought; `None` for a reading of the program, which its version names.
pub(crate) fn answers(catalogue: &Catalogue, reading: &str) -> Option<String> {
    let mut all = catalogue.readings().map(|(reading, _)| reading);
    let brought = all.find(|it| it.name == reading && find(reading).is_none())?;
    Some(digest(brought))
}

fn digest(reading: &Reading) -> String {
    let text: String = questions(reading)
        .into_iter()
        .map(|it| format!("{}\n{}\n", it.question, it.answer))
        .collect();
    HEXLOWER.encode(&Digest::of_chunk(text.as_bytes()))
}

/// `--mistakes` as a rerun needs it, with a space before it.
pub(crate) fn rerun_flag(args: &MistakesArgs) -> String {
    args.mistakes.as_ref().map_or_else(String::new, |path| {
        format!(" --mistakes {}", quoting::quoted_os(path.as_os_str()))
    })
}

/// Whether `--reading` names a file. The name of a reading has no such end, which its file's parser does not check: a
/// reading `x.toml` would merely be out of reach.
pub(crate) fn is_file(reading: &str) -> bool {
    Path::new(reading)
        .extension()
        .is_some_and(|extension| extension == "toml")
}

/// The words after `--reading` that name no reading.
const MEANT: [&str; 2] = ["all", "auto"];

/// The reading that a file is about: its last, so that it may stand below those that it builds on.
fn last<'a>(data: &'a Data, file: &str) -> Result<&'a Reading, Error> {
    data.readings
        .last()
        .ok_or_else(|| Error::Usage(format!("failed to find a `[[reading]]` in {file}")))
}

fn read(path: &Path, known: &[Reading]) -> Result<Data, Error> {
    let text = io::read(path)?;
    let data = parse_data(&path.display().to_string(), &text, known);
    let data = data.map_err(|error| Error::Usage(error.to_string()))?;
    match data.readings.iter().find(|it| MEANT.contains(&it.name.as_ref())) {
        Some(reading) => Err(Error::Usage(format!(
            "{}: a reading cannot be named `{}`, which has a meaning of its own after --reading",
            path.display(),
            reading.name
        ))),
        None => Ok(data),
    }
}
