//! Readings and mistakes as files: those of this crate, in `data`, and those that a user brings.
//!
//! A file is TOML with any number of `[[reading]]` and `[[mistake]]`. Questions and answers have the names that reports
//! print. What a file says is checked when it is read, so that applying it later cannot fail.

use std::collections::BTreeMap;
use std::ops::Range;

use seedproof_ops::{Named as _, OpName, did_you_mean};
use serde::Deserialize;
use toml::Spanned;

use crate::mistake::Mistake;
use crate::reading::Reading;

/// The files of a folder of `data`, with their names, in the order in which reports and the diagnosis have them.
macro_rules! files {
    ($folder:literal: $($name:literal),* $(,)?) => {
        [$((
            concat!($folder, "/", $name, ".toml"),
            include_str!(concat!("../data/", $folder, "/", $name, ".toml")),
        )),*]
    };
}

pub(crate) const READINGS: [(&str, &str); 9] = files!["readings":
    "openvino",
    "tensorflow",
    "onnx",
    "litert",
    "xla",
    "iree",
    "jax",
    "torch",
    "samplers",
];

pub(crate) const MISTAKES: [(&str, &str); 25] = files!["mistakes":
    "philox",
    "layout",
    "memory",
    "seeds",
    "convert",
    "scale",
    "integers",
    "mt",
    "multinomial",
    "dml",
    "threefry",
    "bit-generator",
    "stateless",
    "philox-keys",
    "key-values",
    "jax",
    "onnx",
    "session",
    "normal",
    "samplers",
    "torch-samplers",
    "torch-cuda",
    "numpy",
    "tensorflow-samplers",
    "validation",
];

/// What is wrong with a file, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}:{column}: failed to {message}")]
pub struct DataError {
    /// The file's name, as it was passed.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// A fragment that fits "failed to …".
    pub message: String,
}

/// What a file has.
#[derive(Clone, Debug, Default)]
pub struct Data {
    /// Its readings, in its order.
    pub readings: Vec<Reading>,
    /// Its mistakes, in its order.
    pub mistakes: Vec<Mistake>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    reading: Vec<ReadingEntry>,
    #[serde(default)]
    mistake: Vec<MistakeEntry>,
}

type Answers = BTreeMap<String, Spanned<String>>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadingEntry {
    name: Spanned<String>,
    observed: String,
    /// The reading whose answers are kept where this one has no others: `spec` if there is none.
    base: Option<Spanned<String>>,
    /// The ops that the implementation has, and no others.
    has: Option<Vec<Spanned<String>>>,
    #[serde(default)]
    answers: Answers,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MistakeEntry {
    id: Spanned<String>,
    #[serde(default)]
    clause: String,
    reading: Option<Spanned<String>>,
    erratum: Option<String>,
    sentence: String,
    #[serde(default)]
    fix: String,
    answers: Answers,
}

/// Reads a file of readings and mistakes. A reading may build on another of the file, wherever it stands, and on those that
/// are `known`.
///
/// ```
/// use seedproof_readings::{named, parse_data};
///
/// let text = r#"
/// [[reading]]
/// name = "mine"
/// observed = "our kernels of last week"
/// base = "torch-2.12"
/// answers = { "mt.first" = "after dropped ones (words = 2)" }
/// "#;
/// let mine = parse_data("mine.toml", text, &named()).expect("it names a question and one of its answers");
/// assert_eq!(mine.readings[0].name, "mine");
/// let wrong = parse_data("mine.toml", &text.replace("dropped ones", "drops"), &named()).unwrap_err();
/// assert!(wrong.to_string().starts_with("mine.toml:6:26: failed to answer `mt.first` with `after drops (words = 2)`"));
/// ```
///
/// # Errors
/// The first thing that is wrong, with its line.
pub fn parse_data(file: &str, text: &str, known: &[Reading]) -> Result<Data, DataError> {
    let at = |span: Range<usize>, message: String| {
        let before = text.get(..span.start).unwrap_or(text);
        let line = before.rfind('\n').map_or(before, |end| &before[end + 1..]);
        DataError {
            file: file.to_owned(),
            line: before.matches('\n').count() + 1,
            column: line.chars().count() + 1,
            message,
        }
    };
    let parsed: File = toml::from_str(text).map_err(|error| {
        at(
            error.span().unwrap_or_default(),
            format!("read it: {}", error.message()),
        )
    })?;
    let mistakes = parsed.mistake.iter().map(|entry| mistake(entry, &at));
    let data = Data {
        mistakes: mistakes.collect::<Result<_, _>>()?,
        readings: readings(&parsed.reading, known, &at)?,
    };
    // The files of this crate are read without any known reading, and a test holds that their mistakes are of known ones.
    let made_to = parsed.mistake.iter().filter_map(|entry| entry.reading.as_ref());
    for name in made_to.filter(|_| !known.is_empty()) {
        let names: Vec<&str> = known
            .iter()
            .chain(&data.readings)
            .map(|reading| reading.name.as_ref())
            .collect();
        if !names.contains(&name.get_ref().as_str()) {
            let name_of = name.get_ref();
            let nearest = did_you_mean(name_of, names);
            return Err(at(name.span(), format!("find the reading `{name_of}`{nearest}")));
        }
    }
    Ok(data)
}

/// Makes an error of a place and a fragment.
type At<'a> = &'a dyn Fn(Range<usize>, String) -> DataError;

fn readings(entries: &[ReadingEntry], known: &[Reading], at: At<'_>) -> Result<Vec<Reading>, DataError> {
    let spec = Reading::spec();
    for (i, entry) in entries.iter().enumerate() {
        let name = entry.name.get_ref();
        check_name(&entry.name, at)?;
        let earlier = entries[..i].iter().map(|other| other.name.get_ref().as_str());
        if known
            .iter()
            .map(|other| other.name.as_ref())
            .chain(earlier)
            .any(|other| other == name)
        {
            return Err(at(
                entry.name.span(),
                format!("name a reading `{name}`: there is one already"),
            ));
        }
    }
    let mut made: Vec<Option<Reading>> = vec![None; entries.len()];
    // Each round makes at least one reading, or what is left builds on itself or on nothing.
    loop {
        let mut waiting = None;
        let mut is_progress = false;
        for (i, entry) in entries
            .iter()
            .enumerate()
            .filter(|(i, _)| made[*i].is_none())
            .collect::<Vec<_>>()
        {
            let base = match &entry.base {
                None => Some(&spec),
                Some(base) => made
                    .iter()
                    .flatten()
                    .chain(known)
                    .find(|other| other.name == *base.get_ref()),
            };
            match base {
                Some(base) => {
                    made[i] = Some(reading(entry, base, at)?);
                    is_progress = true;
                }
                None => waiting = entry.base.as_ref(),
            }
        }
        let Some(base) = waiting else {
            return Ok(made.into_iter().flatten().collect());
        };
        if !is_progress {
            let others = entries.iter().map(|entry| entry.name.get_ref().as_str());
            let names: Vec<&str> = known
                .iter()
                .map(|other| other.name.as_ref())
                .chain(others)
                .collect();
            let name = base.get_ref();
            let message = if names.contains(&name.as_str()) {
                format!("build on `{name}`: it builds on this reading")
            } else {
                format!("find the reading `{name}`{}", did_you_mean(name, names))
            };
            return Err(at(base.span(), message));
        }
    }
}

fn reading(entry: &ReadingEntry, base: &Reading, at: At<'_>) -> Result<Reading, DataError> {
    let mut reading = Reading {
        name: entry.name.get_ref().clone().into(),
        observed: entry.observed.clone().into(),
        ..base.clone()
    };
    if let Some(has) = &entry.has {
        reading.lacks.0 = OpName::ALL.iter().copied().collect();
        for name in has {
            let op = OpName::ALL.iter().find(|op| op.name() == name.get_ref());
            let Some(op) = op else {
                let nearest = did_you_mean(name.get_ref(), OpName::NAMES.iter().copied());
                return Err(at(
                    name.span(),
                    format!("find the op `{}`{nearest}", name.get_ref()),
                ));
            };
            reading.lacks.0.remove(op);
        }
    }
    answer(&mut reading, &entry.answers, at)?;
    Ok(reading)
}

fn mistake(entry: &MistakeEntry, at: At<'_>) -> Result<Mistake, DataError> {
    check_name(&entry.id, at)?;
    let mut changed = Reading::spec();
    answer(&mut changed, &entry.answers, at)?;
    if changed == Reading::spec() {
        let id = entry.id.get_ref();
        return Err(at(
            entry.id.span(),
            format!("make the mistake `{id}`: it answers as `spec` does"),
        ));
    }
    let answers = entry.answers.iter();
    Ok(Mistake {
        id: entry.id.get_ref().clone(),
        clause: entry.clause.clone(),
        reading: entry.reading.as_ref().map(|name| name.get_ref().clone()),
        erratum: entry.erratum.clone(),
        sentence: entry.sentence.clone(),
        fix: entry.fix.clone(),
        answers: answers
            .map(|(question, answer)| (question.clone(), answer.get_ref().clone()))
            .collect(),
    })
}

fn answer(reading: &mut Reading, answers: &Answers, at: At<'_>) -> Result<(), DataError> {
    for (question, answer) in answers {
        reading
            .answer(question, answer.get_ref())
            .map_err(|message| at(answer.span(), message))?;
    }
    Ok(())
}

/// Names stand in commands, in YAML and in the ids of backends, so that they are plain.
fn check_name(name: &Spanned<String>, at: At<'_>) -> Result<(), DataError> {
    let is_plain =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'.');
    if !name.get_ref().is_empty() && name.get_ref().bytes().all(is_plain) {
        return Ok(());
    }
    let message = format!(
        "use the name `{}`: expected letters from a to z, digits, `-` and `.`",
        name.get_ref()
    );
    Err(at(name.span(), message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::named;

    fn fails(text: &str) -> String {
        parse_data("a.toml", text, &named()).unwrap_err().to_string()
    }

    fn reading_with(lines: &str) -> String {
        format!("[[reading]]\nname = \"mine\"\nobserved = \"b\"\n{lines}\n")
    }

    #[test]
    fn data_that_is_wrong_is_refused_with_its_place_and_the_nearest_right_name() {
        for (lines, reason) in [
            (
                "base = \"torch-2.21\"",
                "a.toml:4:8: failed to find the reading `torch-2.21`; did you mean `torch-2.12`?",
            ),
            (
                "base = \"mine\"",
                "a.toml:4:8: failed to build on `mine`: it builds on this reading",
            ),
            (
                "has = [\"torch.philox_randin\"]",
                "a.toml:4:8: failed to find the op `torch.philox_randin`; did you mean `torch.philox_randint`?",
            ),
            (
                "answers = { \"philox.round\" = \"9\" }",
                "a.toml:4:30: failed to find the question `philox.round`; did you mean `philox.rounds`?",
            ),
            (
                "[reading.answers]\n\"philox.rounds\" = \"nine\"",
                "a.toml:5:19: failed to answer `philox.rounds` with `nine`. Its answers are `a number from 0 to 1000`",
            ),
            (
                "[[reading]]\nname = \"mine\"\nobserved = \"\"",
                "a.toml:5:8: failed to name a reading `mine`: there is one already",
            ),
            (
                "[[reading]]\nname = \"spec\"\nobserved = \"\"",
                "a.toml:5:8: failed to name a reading `spec`: there is one already",
            ),
            (
                "[[reading]]\nname = \"A b\"\nobserved = \"\"",
                "a.toml:5:8: failed to use the name `A b`: expected letters from a to z, digits, `-` and `.`",
            ),
        ] {
            assert_eq!(fails(&reading_with(lines)), reason);
        }
        assert!(
            fails(&reading_with("bass = \"spec\""))
                .contains("a.toml:4:1: failed to read it: unknown field `bass`")
        );
        assert!(fails("[[reading]\n").starts_with("a.toml:1:"));
        assert_eq!(
            fails("[[mistake]]\nid = \"m\"\nsentence = \"s\"\nanswers = { \"philox.rounds\" = \"10\" }\n"),
            "a.toml:2:6: failed to make the mistake `m`: it answers as `spec` does"
        );
        let mistake = |reading: &str| {
            format!(
                "[[mistake]]\nid = \"m\"\nreading = \"{reading}\"\nsentence = \"s\"\nanswers = {{ \"philox.rounds\" = \"7\" }}\n"
            )
        };
        assert_eq!(
            fails(&mistake("torch-2.21")),
            "a.toml:3:11: failed to find the reading `torch-2.21`; did you mean `torch-2.12`?"
        );
        let own = reading_with("base = \"torch-2.12\"") + &mistake("mine");
        let data = parse_data("a.toml", &own, &named()).unwrap();
        assert_eq!(data.mistakes[0].reading.as_deref(), Some("mine"));
    }

    #[test]
    fn data_may_build_on_what_comes_later() {
        let text = format!(
            "{}{}",
            reading_with("base = \"other\""),
            "[[reading]]\nname = \"other\"\nobserved = \"c\"\nanswers = { \"philox.rounds\" = \"7\" }\n"
        );
        let data = parse_data("a.toml", &text, &[]).unwrap();
        assert_eq!(data.readings[0].philox, data.readings[1].philox);
        assert_eq!(data.readings[0].philox.rounds.0, 7);
    }

    #[test]
    fn data_of_this_crate_is_read() {
        // A reading may build on one of an earlier file.
        let mut known = Vec::new();
        for (file, text) in READINGS {
            let data = parse_data(file, text, &known).unwrap_or_else(|error| panic!("{error}"));
            assert!(data.mistakes.is_empty() && !data.readings.is_empty(), "{file}");
            known.extend(data.readings);
        }
        for (file, text) in MISTAKES {
            let data = parse_data(file, text, &[]).unwrap_or_else(|error| panic!("{error}"));
            assert!(data.readings.is_empty() && !data.mistakes.is_empty(), "{file}");
        }
    }
}
