//! `seedproof list`, `show`, `explain` and `backends`.

use std::fmt::Write as _;

use seedproof::judging::Bank;
use seedproof_ops::{
    Backend, BackendId, Failure, Limits, Request, Response, Scalar, Shape, Stages, Support, Tensor,
};
use seedproof_report::{CaseFacts, LeftOut, Palette};
use seedproof_vectors::Case;

use crate::args::{ExplainArgs, Selection, ShowArgs};
use crate::exit::{CommandResult, Error, Exit};
use crate::{dump, implementations, io, selection};

/// `seedproof list`: one id a line.
pub(crate) fn list(args: &Selection) -> CommandResult {
    let corpus = selection::corpus(&args.dir)?;
    let cases = selection::select(&corpus, &args.queries)?;
    if cases.is_empty() {
        io::print_error(&selection::nothing_selected(&corpus, &args.queries, None));
        return Ok(Exit::NothingSelected);
    }
    let mut text = String::new();
    for case in &cases {
        writeln!(text, "{}", case.id).expect("a String takes every write");
    }
    io::print(&text);
    Ok(Exit::Conforms)
}

/// `seedproof show`: a case with the stages of its computation, element by element.
pub(crate) fn show(args: &ShowArgs) -> CommandResult {
    let corpus = selection::corpus(&args.dir)?;
    let case = selection::find(&corpus, &args.case)?;
    let bank = Bank::new(Limits::default());
    let mut text = describe(case);
    match bank.reference().run(&case.request) {
        Ok(response) => {
            text.push_str(&match bank.reference().stages(&case.request) {
                Some(stages) => table(&stages, args.elements),
                None => values(&response.output, args.elements),
            });
            for (info, output) in case.request.outputs().iter().skip(1).zip(&response.more) {
                let elements: Vec<String> = output.scalars().take(args.elements).map(both).collect();
                writeln!(text, "{:>8}  {}", info.name, elements.join(" "))
                    .expect("a String takes every write");
            }
        }
        Err(failure) => writeln!(text, "\n{failure}").expect("a String takes every write"),
    }
    io::print(&text);
    Ok(Exit::Conforms)
}

/// The case in words: what is asked, where it comes from, what it covers.
fn describe(case: &Case) -> String {
    let facts = CaseFacts::of(case);
    let mut text = format!("{}\n{}\n", case.id, facts.line());
    let mut line = |name: &str, value: String| {
        if !value.is_empty() {
            writeln!(text, "  {name:<11} {value}").expect("a String takes every write");
        }
    };
    line("at", case.location.to_string());
    line("provenance", case.provenance.kind().to_owned());
    for input in &facts.inputs {
        line(&input.name, input.text.clone());
    }
    line("expects", facts.expects.clone());
    if let Some(printed) = &case.printed {
        let verdict = if printed.right {
            "and is right"
        } else {
            "and is wrong"
        };
        line("prints", format!("{} ({verdict})", printed.values.join(" ")));
    }
    line("note", case.note.clone().unwrap_or_default());
    for id in &case.clauses {
        let says = seedproof::registry()
            .clause(id)
            .map_or("", |clause| clause.says.as_str());
        line("clause", format!("{id}: {says}"));
    }
    for id in &case.errata {
        let question = seedproof::registry()
            .erratum(id)
            .map_or("", |erratum| erratum.question.as_str());
        line("erratum", format!("{id}: {question}"));
    }
    text
}

/// Words, unit interval and scaled value of each element.
fn table(stages: &Stages, most: usize) -> String {
    let mut text = format!(
        "\n{:>8}  {:<19} {:<38} value\n",
        "element", "words", "unit interval"
    );
    let shown = stages.scaled.count().min(most);
    for index in 0..shown {
        let start = index * stages.words_per_element;
        let words = stages
            .words
            .get(start..start + stages.words_per_element)
            .unwrap_or(&[]);
        let words: Vec<String> = words.iter().map(|word| format!("{word:08x}")).collect();
        let unit = stages
            .unit
            .as_ref()
            .and_then(|unit| unit.get(index))
            .map(both)
            .unwrap_or_default();
        let value = stages.scaled.get(index).map(both).unwrap_or_default();
        writeln!(text, "{index:>8}  {:<19} {unit:<38} {value}", words.join(" "))
            .expect("a String takes every write");
    }
    text + &rest(stages.scaled.count() - shown)
}

fn values(output: &Tensor, most: usize) -> String {
    let mut text = format!("\n{:>8}  value\n", "element");
    let shown = output.count().min(most);
    for (index, value) in output.scalars().take(shown).enumerate() {
        writeln!(text, "{index:>8}  {}", both(value)).expect("a String takes every write");
    }
    text + &rest(output.count() - shown)
}

fn rest(count: usize) -> String {
    if count == 0 {
        String::new()
    } else {
        format!("{count} more: --elements N shows them\n")
    }
}

/// Bits and decimal of a float, the number of an integer.
fn both(value: Scalar) -> String {
    if value.dtype().is_float() {
        format!("{} {}", value.literal(), value.decimal())
    } else {
        value.literal()
    }
}

/// `seedproof explain`: a case in words, or why a dump is not what is expected.
pub(crate) fn explain(args: &ExplainArgs) -> CommandResult {
    let corpus = selection::corpus(&args.dir)?;
    let case = selection::find(&corpus, &args.case)?;
    let Some(path) = &args.actual else {
        io::print(&describe(case));
        return Ok(Exit::Conforms);
    };
    let (dtype, dims) = case.request.output_form().ok_or_else(|| {
        Error::Usage(format!(
            "{} asks for no output: it is there to be refused",
            case.id
        ))
    })?;
    let shape = Shape::new(&dims).map_err(|error| Error::Usage(format!("failed to {error}")))?;
    let name = path.display();
    let actual = dump::read(&io::read_bytes(path)?, &dump::Form { dtype, shape: &shape })
        .map_err(|what| Error::Usage(format!("failed to read {name}: {what}")))?;
    let bank = Bank::new(Limits::default());
    let backend = Dump {
        id: BackendId::new("dump"),
        output: actual,
    };
    let judgement = seedproof::judging::judge_case(case, &backend, &bank, None)
        .map_err(|idle| Error::Usage(idle.reason))?;
    let failed = !judgement.finding.outcome.conforms();
    io::print(&seedproof::judging::failure_text(
        "",
        &[(case, judgement)],
        &bank,
        Palette::ansi(),
    ));
    Ok(if failed {
        Exit::DoesNotConform
    } else {
        Exit::Conforms
    })
}

/// The output of an implementation that is not here, as a backend that has only this.
struct Dump {
    id: BackendId,
    output: Tensor,
}

impl Backend for Dump {
    fn id(&self) -> &BackendId {
        &self.id
    }

    fn supports(&self, _: &Request) -> Support {
        Support::Yes
    }

    fn run(&self, _: &Request) -> Result<Response, Failure> {
        Ok(Response::of(self.output.clone()))
    }
}

/// `seedproof backends`: what can be named here.
pub(crate) fn backends() -> CommandResult {
    let (present, absent) = implementations::all(None, Limits::default())?;
    let mut text = String::new();
    for implementation in present {
        writeln!(
            text,
            "{:<32} {}",
            implementation.backend.id().as_str(),
            implementation.backend.description()
        )
        .expect("a String takes every write");
    }
    for LeftOut { what, reason } in absent {
        writeln!(text, "{what:<32} absent: {reason}").expect("a String takes every write");
    }
    for reading in seedproof_readings::named() {
        writeln!(
            text,
            "{:<32} {}",
            format!("readings/{}", reading.name),
            reading.observed
        )
        .expect("a String takes every write");
    }
    let sample = seedproof_author::Sample::new(Limits::default(), seedproof::judging::entropy);
    writeln!(text, "{:<32} {}", seedproof_author::SAMPLE, sample.description())
        .expect("a String takes every write");
    io::print(&text);
    Ok(Exit::Conforms)
}
