//! What is to be said of open issues of other projects: a failing example of each, and the readings that explain it. The
//! issues are data, in `issues/issues.yaml`, with their examples beside them as cases in the corpus's form.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use seedproof::judging::Catalogue;
use seedproof::registry;
use seedproof_corpus::{Case, parse};
use seedproof_ops::{Backend as _, Request, Response, Scalar};
use serde::Deserialize;

use crate::command::command_line;

/// An issue of another project.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Issue {
    /// The project and the number: `openxla/stablehlo#415`.
    id: String,
    title: String,
    /// The answer, a paragraph each.
    says: Vec<String>,
    examples: Vec<Example>,
    /// Errata, and of each the answer of the implementation that departs from `spec`.
    errata: BTreeMap<String, Option<String>>,
}

/// A request that implementations answer differently.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Example {
    says: String,
    case: String,
    readings: Vec<String>,
}

fn issues() -> Vec<Issue> {
    serde_yaml::from_str(include_str!("issues/issues.yaml")).expect("a test reads the issues")
}

/// The cases that the examples name.
fn cases() -> Vec<Case> {
    let files = [
        include_str!("issues/rng-bit-generator.yaml"),
        include_str!("issues/stateless-random-uniform.yaml"),
    ];
    let cases = files.map(|text| parse("issues", text).expect("a test reads the cases").cases);
    cases.concat()
}

impl Example {
    fn request<'a>(&self, cases: &'a [Case]) -> &'a Request {
        let case = cases.iter().find(|case| case.id.as_str() == self.case);
        &case.expect("a test looks up each example").request
    }
}

/// The issues as a part of the page of errata.
pub(crate) fn issues_markdown(catalogue: &Catalogue) -> String {
    let mut text = String::from(
        "\n# Open issues\n\nWhat these errata say of open issues of other projects, each with an example that fails there and the \
         readings that explain it.\n",
    );
    let cases = cases();
    for issue in issues() {
        let url = format!("https://github.com/{}", issue.id.replace('#', "/issues/"));
        write!(text, "\n## {}\n\n[{}]({url})\n", issue.id, issue.title).expect("a String takes every write");
        for paragraph in &issue.says {
            write!(text, "\n{paragraph}\n").expect("a String takes every write");
        }
        for example in &issue.examples {
            text.push_str(&shown(example, example.request(&cases), catalogue));
        }
        text.push_str("\nThe answers:\n\n");
        for (id, other) in &issue.errata {
            text.push_str(&answered(id, other.as_deref()));
        }
    }
    text
}

/// The example, its request, the words that it takes, and what each reading answers.
fn shown(example: &Example, request: &Request, catalogue: &Catalogue) -> String {
    let mut text = format!(
        "\n{}\n\n```\n{} --reading all\n```\n\n| | output |\n|---|---|\n",
        example.says,
        command_line(request).expect("an example is a request of its op")
    );
    let mut row = |name: &str, cells: &str| {
        writeln!(text, "| {name} | {cells} |").expect("a String takes every write");
    };
    if let Some(stages) = catalogue.reference().stages(request) {
        let words: Vec<String> = stages.words.iter().map(|word| format!("{word:08x}")).collect();
        row("words", &words.join(" "));
    }
    for name in &example.readings {
        let answer = catalogue.reading(name).map(|reading| reading.run(request));
        let cells = match answer {
            Some(Ok(response)) => outputs(request, &response),
            other => format!("{other:?}"),
        };
        row(&format!("`{name}`"), &cells);
    }
    text
}

/// Integers as bits, and floats as decimals with their bits.
fn outputs(request: &Request, response: &Response) -> String {
    let element = |scalar: Scalar| {
        let bits = format!("{:0width$x}", scalar.bits(), width = 2 * scalar.dtype().size());
        if scalar.dtype().is_float() {
            format!("{} ({bits})", scalar.decimal())
        } else {
            bits
        }
    };
    let outputs = request.outputs().into_iter().zip(response.outputs());
    let outputs = outputs.map(|(info, output)| {
        let elements: Vec<String> = output.scalars().map(element).collect();
        format!("{}: {}", info.name, elements.join(" "))
    });
    outputs.collect::<Vec<_>>().join("<br>")
}

/// An erratum with the answer of `spec`, and the other one of the implementation.
fn answered(id: &str, other: Option<&str>) -> String {
    let Some(erratum) = registry().errata().find(|erratum| erratum.id.as_str() == id) else {
        return format!("* `{id}`\n");
    };
    let says = |wanted: &str| {
        let answer = erratum.answers.iter().find(|answer| answer.id.as_str() == wanted);
        answer.map_or("", |answer| answer.says.as_str())
    };
    let mut text = format!(
        "* `{id}`: {} {}",
        erratum.question,
        says(erratum.adopted.as_str())
    );
    if let Some(other) = other {
        write!(text, " The last row answers: {}", says(other)).expect("a String takes every write");
    }
    text + "\n"
}

#[cfg(test)]
mod tests {
    use seedproof_ops::Limits;

    use super::*;

    #[test]
    fn issues_have_errata_that_exist_and_readings_that_differ() {
        let catalogue = Catalogue::new(Limits::default());
        let cases = cases();
        for issue in issues() {
            for (id, other) in &issue.errata {
                let text = answered(id, other.as_deref());
                assert!(text.contains(": ") && !text.contains("answers: \n"), "{text}");
            }
            for example in &issue.examples {
                let request = example.request(&cases);
                let answer = |name: &String| catalogue.reading(name).unwrap().run(request).unwrap();
                let answers: Vec<Response> = example.readings.iter().map(answer).collect();
                assert_ne!(answers[0], answers[1], "{}", issue.id);
                assert_eq!(
                    answers[0],
                    catalogue.reference().run(request).unwrap(),
                    "{}",
                    issue.id
                );
            }
        }
    }

    /// As TensorFlow 2.21 prints them, and the second issue.
    #[test]
    fn issues_of_tensorflow_show_its_numbers() {
        let text = issues_markdown(&Catalogue::new(Limits::default()));
        for number in [
            "0.8440604",
            "0.25750792",
            "0.18864691",
            "0.19763398",
            "0.011949301",
        ] {
            assert!(text.contains(&format!(" {number} (")), "{number}");
        }
        assert!(text.contains(
            "seedproof draw tfsu --output_type f32 --shape 2,2 --key 10413732777507651514 \
             --counter 0,17830669156045600267 --alg 1"
        ));
    }
}
