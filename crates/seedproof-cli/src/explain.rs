//! `seedproof explain`: describes a case, or explains why an implementation's output is wrong.

use std::path::Path;

use seedproof::judging::{Catalogue, text_of};
use seedproof::whois::{self, Stream};
use seedproof_check::Verdict;
use seedproof_corpus::{Case, Expectation};
use seedproof_ops::{Backend, BackendId, Failure, Limits, Request, Response, Shape, Support, Tensor};
use seedproof_report::Palette;
use serde_json::json;

use crate::args::ExplainArgs;
use crate::dump::{Dump, Form};
use crate::exit::{CommandResult, Error, Exit};
use crate::{brought, dump, inspect, io, selection};

/// `seedproof explain`.
pub(crate) fn explain(args: &ExplainArgs) -> CommandResult {
    let corpus = selection::corpus(&args.dir)?;
    let case = selection::find(&corpus, &args.case)?;
    let Some(path) = &args.actual else {
        io::print(&inspect::describe(case));
        return Ok(Exit::Conforms);
    };
    let catalogue = Catalogue::new(Limits::default()).with_nan(args.nan.rule());
    let (catalogue, spec) = brought::bring(catalogue, "spec", &args.mistakes)?;
    judge(case, path, &catalogue, &spec, args.json)
}

/// Judges an output that a file has, under a reading, and prints what is wrong with it.
///
/// # Errors
/// [`Error::Usage`] for a case that has no single output, and for a file without such an output.
pub(crate) fn judge(
    case: &Case,
    path: &Path,
    catalogue: &Catalogue,
    reading: &str,
    is_json: bool,
) -> CommandResult {
    let id = &case.id;
    if case.expect == Expectation::Statistical {
        return Err(Error::Usage(format!(
            "both seeds of {id} are zero, so its output is random, and a single output cannot be judged"
        )));
    }
    let forms = case.request.output_forms().ok_or_else(|| refused(case))?;
    let mut outputs = Vec::new();
    let mut within = None;
    let names = case.request.outputs();
    for ((dtype, dims), info) in forms.into_iter().zip(names) {
        let first = outputs.is_empty();
        let shape = Shape::new(&dims).map_err(|error| Error::Usage(format!("failed to {error}")))?;
        let form = Form { dtype, shape: &shape };
        let path = if first {
            path.to_owned()
        } else {
            beside(path, info.name)
        };
        if !first && !path.is_file() {
            io::note(&format!(
                "{} is not judged: there is no {}",
                info.name,
                path.display()
            ));
            outputs.push(None);
        } else {
            let dump = read(&path, &form)?;
            if first {
                within = dump.within;
            }
            outputs.push(Some(dump.output));
        }
    }
    let given = Outputs { outputs, within };
    let judging = Judging {
        catalogue,
        reading,
        is_json,
        streams: None,
    };
    judge_outputs(case, given, &judging)
}

/// Outputs of an implementation, and for each element of the first the numbers that would have been written so.
pub(crate) struct Outputs {
    pub(crate) outputs: Vec<Option<Tensor>>,
    pub(crate) within: Option<Vec<[f64; 2]>>,
}

/// How outputs are judged, and how the answer is printed.
pub(crate) struct Judging<'a> {
    pub(crate) catalogue: &'a Catalogue,
    pub(crate) reading: &'a str,
    pub(crate) is_json: bool,
    /// The streams that the first output stands in, where it is more than the output of the request.
    pub(crate) streams: Option<&'a dyn Fn() -> Vec<Stream>>,
}

/// Judges outputs of a case, the first of them given, and prints what is wrong with them. A further one that is not given is
/// taken for right.
///
/// # Errors
/// [`Error::Usage`] for a case that does not ask for an output.
pub(crate) fn judge_outputs(case: &Case, given: Outputs, judging: &Judging<'_>) -> CommandResult {
    let &Judging {
        catalogue,
        reading,
        is_json,
        ..
    } = judging;
    let request = &case.request;
    let mut outputs = given.outputs.into_iter();
    let output = outputs.next().flatten().ok_or_else(|| refused(case))?;
    let sought = whois::of_request(request, &output, given.within.map(Into::into));
    let oracle = catalogue
        .reading(reading)
        .and_then(|backend| backend.run(request).ok());
    let output = match &oracle {
        Some(expected) => whois::likeliest(request, &sought, &expected.output, catalogue),
        None => output,
    };
    let right = oracle.map_or_else(Vec::new, |response| response.more);
    let more = right
        .into_iter()
        .map(|right| outputs.next().flatten().unwrap_or(right))
        .collect();
    let outside = whois::outside(&sought.actual, request);
    let backend = OutputAlone {
        id: BackendId::new("dump"),
        response: Response { output, more },
    };
    let judgement = seedproof::judging::judge_case(case, &backend, catalogue, Some(reading))
        .map_err(|idle| Error::Usage(idle.reason))?;
    let failed = !judgement.finding.outcome.conforms();
    let is_decided = failed || whois::is_decided(request, &sought);
    let mut streams = Vec::new();
    let mut diagnosis = seedproof::judging::diagnose([&judgement], catalogue);
    // Before the streams, whose search takes longest.
    if let Some(narrowed) = failed
        .then(|| whois::narrowed(&case.id, request, &sought, catalogue))
        .flatten()
    {
        diagnosis = narrowed;
    } else if failed {
        streams = judging.streams.map_or_else(
            || whois::streams_of(request, &sought, catalogue),
            |streams| streams(),
        );
        diagnosis = whois::diagnosed(&case.id, diagnosis, &streams);
    }
    // A stream that explains a part of the output, and that the diagnosis does not say already.
    let is_open = matches!(diagnosis.verdict, Verdict::Unexplained | Verdict::Partly);
    let partly = streams.first().filter(|_| is_open);
    if is_json {
        let document = json!({
            "conforms": is_decided.then_some(!failed),
            "finding": judgement.finding,
            "diagnosis": diagnosis,
            "stream": partly.map(|stream| &stream.sentence),
            "outside": outside,
        });
        io::print(&format!("{document}\n"));
    } else if !is_decided {
        io::print(&format!("undecided  {}\n  {TOO_FEW_DIGITS}\n", case.id));
    } else {
        io::print(&text_of(
            "",
            reading,
            &[(case, judgement)],
            &diagnosis,
            Palette::ansi(),
        ));
        for line in partly.map(|stream| &stream.sentence).into_iter().chain(&outside) {
            io::print(&format!("  {line}\n"));
        }
    }
    Ok(match (failed, is_decided) {
        (true, _) => Exit::DoesNotConform,
        (false, true) => Exit::Conforms,
        (false, false) => Exit::NothingSelected,
    })
}

const TOO_FEW_DIGITS: &str = "the numbers agree as far as they are written, which is with too few digits to tell a right output from a \
     wrong one; print more digits, or save a .npy file";

fn refused(case: &Case) -> Error {
    Error::Usage(format!("{} has no expected output: it must be refused", case.id))
}

/// The file of a further output: `out.output_state.npy` beside `out.npy`.
pub(crate) fn beside(path: &Path, output: &str) -> std::path::PathBuf {
    let ending = path.extension().map_or_else(
        || output.to_owned(),
        |ending| format!("{output}.{}", ending.to_string_lossy()),
    );
    path.with_extension(ending)
}

fn read(path: &Path, form: &Form<'_>) -> Result<Dump, Error> {
    let (name, file) = io::file(path)?;
    let dump =
        dump::read(&file, form).map_err(|what| Error::Usage(format!("failed to read {name}: {what}")))?;
    for text in &dump.notes {
        io::note(&format!("{name}: {text}"));
    }
    Ok(dump)
}

/// The output of an implementation that is not here, as a backend that has only this.
struct OutputAlone {
    id: BackendId,
    response: Response,
}

impl Backend for OutputAlone {
    fn id(&self) -> &BackendId {
        &self.id
    }

    fn supports(&self, _: &Request) -> Support {
        Support::Supported
    }

    fn run(&self, _: &Request) -> Result<Response, Failure> {
        Ok(self.response.clone())
    }
}
