//! `seedproof export`: the corpus in the forms that other harnesses read.
//!
//! A case goes out as it would be judged: with the one answer that a reading has to it. What has no such answer, or what a
//! form cannot say, is left out and counted.

mod answer;
mod document;
mod folder;
mod npz;
mod onnx;
pub(crate) mod options;

use rayon::prelude::*;
use seedproof::judging::Catalogue;
use seedproof_corpus::Case;
use seedproof_ops::Limits;
use seedproof_report::plural;

use crate::brought::{self, MistakesArgs};
use crate::exit::{CommandResult, Error, Exit};
use crate::interrupt::{self, SharedLog};
use crate::progress::Progress;
use crate::{implementations, io, selection};
use answer::{Common, LeftOut, answered};
use document::{CASES_SCHEMA, Index, Indexed};
use folder::Folder;
use npz::Arrays;
use options::{ExportArgs, Form};

/// The licence of the corpus that is built in. Another corpus has that of its owner.
const LICENSE: &str = "MIT OR Apache-2.0";

const LICENSES: [(&str, &str); 2] = [
    ("LICENSE-APACHE", include_str!("../../templates/LICENSE-APACHE")),
    ("LICENSE-MIT", include_str!("../../templates/LICENSE-MIT")),
];

impl Form {
    const fn readme(self) -> &'static str {
        match self {
            Self::OnnxNodeTests => include_str!("../../templates/export_onnx.md"),
            Self::Npz => include_str!("../../templates/export_npz.md"),
            Self::Json => include_str!("../../templates/export_json.md"),
        }
    }
}

/// `seedproof export`.
pub(crate) fn export(args: &ExportArgs) -> CommandResult {
    let catalogue = Catalogue::new(Limits {
        max_output_bytes: args.max_output,
    });
    let (catalogue, reading) = brought::bring(catalogue, &args.reading, &MistakesArgs { mistakes: None })?;
    if catalogue.reading(&reading).is_none() {
        return Err(implementations::unknown_reading(&reading));
    }
    interrupt::listen(SharedLog::default())?;
    // The folder comes before the corpus, which takes a while to read: a folder that cannot be written is an error at once.
    let mut folder = Folder::new(&args.dir)?;
    let corpus = selection::corpus(&args.selection.dir)?;
    let queries = &args.selection.queries;
    let cases = selection::select(&corpus, queries)?;
    if cases.is_empty() {
        io::print_error(&selection::nothing_selected(&corpus, queries, None));
        return Ok(Exit::NothingSelected);
    }
    let common = Common {
        catalogue: &catalogue,
        reading: &reading,
        corpus: corpus.hash(),
        license: args.selection.dir.corpus.is_none().then_some(LICENSE),
        max_output: args.max_output,
    };
    let (indexed, left_out) = write_cases(args.form, &cases, &common, &mut folder)?;
    let left_out_line = line(&left_out);
    if indexed.is_empty() {
        io::print_error(&format!("seedproof: nothing was exported\n{left_out_line}"));
        return Ok(Exit::NothingSelected);
    }
    let count = indexed.len();
    folder.write("README.md", args.form.readme().as_bytes())?;
    if common.license.is_some() {
        for (name, text) in LICENSES {
            folder.write(name, text.as_bytes())?;
        }
    }
    for (name, text) in seedproof_author::export_schemas() {
        if name != CASES_SCHEMA || args.form != Form::OnnxNodeTests {
            folder.write(name, text.as_bytes())?;
        }
    }
    let index = Index {
        form: args.form,
        common: &common,
        queries,
        cases: indexed,
        left_out: &left_out,
    };
    folder.exchange(&index)?;
    io::print(&format!(
        "exported {} to {}\n{left_out_line}",
        cases_of(count),
        args.dir.display()
    ));
    Ok(Exit::Conforms)
}

/// Writes the cases, a file of the corpus after the other so that the outputs of one file are in memory at a time.
fn write_cases(
    form: Form,
    cases: &[&Case],
    common: &Common<'_>,
    folder: &mut Folder,
) -> Result<(Vec<Indexed>, LeftOut), Error> {
    let progress = Progress::new("exporting", cases.len());
    let mut indexed = Vec::new();
    let mut left_out = LeftOut::new();
    for of_a_file in cases.chunk_by(|a, b| a.location.file == b.location.file) {
        let is_of_form = |case: &Case| form != Form::OnnxNodeTests || onnx::name(case).is_some();
        let answers = of_a_file.par_iter().map(|case| {
            let answer = if is_of_form(case) {
                answered(case, common)
            } else {
                Err(onnx::NO_OP)
            };
            progress.step();
            answer
        });
        let mut kept = Vec::new();
        for answer in answers.collect::<Vec<_>>() {
            match answer {
                Ok(answer) => kept.push(answer),
                Err(reason) => *left_out.entry(reason).or_default() += 1,
            }
        }
        if kept.is_empty() {
            continue;
        }
        let stem = of_a_file[0].location.file.trim_end_matches(".yaml");
        match form {
            Form::OnnxNodeTests => {
                for answer in &kept {
                    match onnx::test(answer, common) {
                        Ok(test) => indexed.push(test.write(answer, folder)?),
                        Err(reason) => *left_out.entry(reason).or_default() += 1,
                    }
                }
            }
            Form::Json => {
                let path = format!("cases/{stem}.json");
                let text = document::cases(common, None, &kept, &mut document::hexadecimal);
                folder.write(&path, text.as_bytes())?;
                indexed.extend(kept.iter().map(|answer| Indexed::new(answer.case, &path)));
            }
            Form::Npz => {
                let path = format!("cases/{stem}.json");
                let archive = format!("cases/{stem}.npz");
                let mut arrays = Arrays::default();
                let name = archive.rsplit('/').next().unwrap_or_default();
                let text = document::cases(common, Some(name), &kept, &mut |array, tensor| {
                    ("array", arrays.add(array, tensor).into())
                });
                folder.write(&path, text.as_bytes())?;
                folder.write(&archive, &arrays.archive(&archive)?)?;
                indexed.extend(kept.iter().map(|answer| Indexed::new(answer.case, &path)));
            }
        }
    }
    Ok((indexed, left_out))
}

/// A line that counts the cases left out by reason; empty if there are none.
fn line(left_out: &LeftOut) -> String {
    if left_out.is_empty() {
        return String::new();
    }
    let reasons: Vec<String> = left_out
        .iter()
        .map(|(reason, count)| format!("{count} {reason}"))
        .collect();
    format!(
        "left out {}: {}\n",
        cases_of(left_out.values().sum()),
        reasons.join(", ")
    )
}

fn cases_of(count: usize) -> String {
    format!("{count} {}", plural(count, ["case", "cases"]))
}
