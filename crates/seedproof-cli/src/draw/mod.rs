//! `seedproof draw`: the output of a request that is in no corpus.

mod answer;
mod json;
pub(crate) mod options;
mod text;

use std::path::Path;

use seedproof::judging::{Catalogue, ad_hoc};
use seedproof_ops::{Failure, Limits, Request, Response};

use crate::exit::{CommandResult, Error, Exit};
use crate::{ask, brought, explain, implementations, io};
use answer::Drawn;
use options::{ALL, DrawArgs, Options};
use seedproof_read::npy;

/// Draws, and prints what was drawn; or judges what another implementation drew.
pub(crate) fn draw(args: &DrawArgs) -> CommandResult {
    let options = &args.options;
    let request = ask::request(args.op, &args.request)?;
    let catalogue = Catalogue::new(Limits {
        max_output_bytes: options.max_output,
    })
    .with_nan(options.nan.rule());
    let reading = if options.reading == ALL {
        "spec"
    } else {
        &options.reading
    };
    let (catalogue, reading) = brought::bring(catalogue, reading, &options.mistakes)?;
    if options.yaml {
        let oracle = catalogue.reading(&reading);
        let oracle = oracle.ok_or_else(|| implementations::unknown_reading(&reading))?;
        io::print(&seedproof_author::pasted(&request, oracle));
        return Ok(Exit::Conforms);
    }
    let drawn = answer::draw(&catalogue, &reading, &request)?;
    if let Err(failure) = &drawn.answer {
        refuse(failure, options)?;
    }
    if let Some(path) = &options.actual {
        let catalogue = catalogue.based_on(&reading);
        return judge(request, path, &catalogue, &drawn, options.json);
    }
    if let (Some(path), Ok(response)) = (&options.out, &drawn.answer) {
        write(path, &request, response)?;
    }
    let shown = answer::Shown {
        elements: options
            .elements
            .unwrap_or(if options.json { 1 << 16 } else { 64 }),
        stages: options.stages,
        others: options.reading == ALL,
    };
    io::print(&if options.json {
        json::document(&request, &drawn, shown)
    } else {
        text::document(&request, &drawn, shown)
    });
    Ok(Exit::Conforms)
}

/// An error for a failure that is not an answer, or that leaves nothing to write or to judge.
fn refuse(failure: &Failure, options: &Options) -> Result<(), Error> {
    match failure {
        Failure::Rejected(_) if options.out.is_none() && options.actual.is_none() => Ok(()),
        Failure::Rejected(_) => Err(Error::Usage(format!("the request has no output: {failure}"))),
        Failure::Unsupported(reason) => Err(Error::Usage(format!("failed to draw: {reason}"))),
        Failure::Broken(fault) => Err(Error::Infrastructure(format!("failed to draw: {fault}"))),
    }
}

fn judge(
    request: Request,
    path: &Path,
    catalogue: &Catalogue,
    drawn: &Drawn,
    is_json: bool,
) -> CommandResult {
    if drawn.is_random {
        const MAX_LISTED_READINGS: usize = 3;
        let readings = answer::determining(catalogue, &request);
        let listed = readings
            .iter()
            .take(MAX_LISTED_READINGS)
            .map(|name| format!("`--reading {name}`"));
        let help = match listed.collect::<Vec<_>>() {
            names if names.is_empty() => String::new(),
            names => format!("; some readings determine it: {}", names.join(", ")),
        };
        return Err(Error::Usage(format!(
            "the output of this request is random, so there is nothing to compare with{help}"
        )));
    }
    explain::judge(&ad_hoc(request), path, catalogue, &drawn.reading, is_json)
}

/// Writes the first output to a file, and the further ones beside it.
fn write(path: &Path, request: &Request, response: &Response) -> Result<(), Error> {
    if path.as_os_str() == "-" {
        return Err(Error::Usage(
            "--out expects a file name, not `-`; use --json to print the bits".to_owned(),
        ));
    }
    let names = request.outputs();
    for (index, output) in response.outputs().enumerate() {
        let path = match names.get(index) {
            Some(info) if index > 0 => explain::beside(path, info.name),
            _ => path.to_owned(),
        };
        io::write_bytes(&path, &npy::write(output))?;
        io::print_error(&format!(
            "wrote {} ({} {})\n",
            path.display(),
            output.dtype(),
            output.shape()
        ));
    }
    Ok(())
}
