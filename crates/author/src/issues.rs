//! What is to be said of open issues of other projects: a failing example of each, and the readings that explain it.

use std::fmt::Write as _;

use seedproof::judging::Bank;
use seedproof::registry;
use seedproof_ops::{
    Backend as _, Dtype, Request, Response, RngAlgorithm, RngBitGenerator, Scalar, StatelessRandomUniform,
    Tensor,
};

use crate::command::command_line;

/// An issue of another project.
struct Issue {
    /// The project and the number: `openxla/stablehlo#415`.
    id: &'static str,
    title: &'static str,
    /// The answer, a paragraph each.
    says: &'static [&'static str],
    examples: Vec<Example>,
    /// Errata, and of each the answer of the implementation that departs from `spec`; empty where it has none of its own.
    errata: &'static [(&'static str, &'static str)],
}

/// A request that implementations answer differently.
struct Example {
    says: &'static str,
    request: Request,
    readings: &'static [&'static str],
}

fn bits(algorithm: RngAlgorithm, output_type: Dtype, sizes: &[u64], state: &[u64]) -> Request {
    Request::RngBitGenerator(RngBitGenerator {
        rng_algorithm: algorithm.into(),
        output_type: output_type.into(),
        output_sizes: sizes.to_vec(),
        initial_state: Tensor::vector(state),
    })
}

fn uniform(shape: [i64; 2], key: u64, counter: u64) -> Request {
    Request::StatelessRandomUniform(StatelessRandomUniform {
        output_type: Dtype::F32.into(),
        shape: Tensor::vector(&shape),
        key: Tensor::vector(&[key]),
        counter: Tensor::vector(&[0, counter]),
        alg: Tensor::scalar(1_i32),
    })
}

const COMPILED: &str = "Eager kernels and XLA draw the same words from the same key and counter; neither is scrambled \
                        another time. They make other floats of them. Eager f32 has the low 23 bits of a word for its \
                        mantissa, compiled f32 the high 23; of f64 the two words are in the other order, and bf16 is an f32 \
                        cut off. Integers are equal, and so is f16. Another conversion on either side makes both agree; \
                        another key or counter cannot.";

fn issues() -> Vec<Issue> {
    let wraps = || bits(RngAlgorithm::Philox, Dtype::U64, &[4], &[1, u64::MAX]);
    vec![
        Issue {
            id: "openxla/stablehlo#415",
            title: "Add spec for RngBitGeneratorOp",
            says: &[
                "The text calls values and state implementation-defined, and prints one example, whose bits XLA gives. Two \
                 shipping compilers, XLA on a CPU (jaxlib 0.10) and IREE 3.13, agree on the words of the state, the order of \
                 words and elements, the halves of THREE_FRY and narrow elements, so that each question below has an answer \
                 that the text can adopt without a change to XLA. They differ in two places: where a counter carries, and \
                 where the state has three words.",
            ],
            examples: vec![Example {
                says: "The counter wraps after the first block. XLA carries into the high half, IREE does not.",
                request: wraps(),
                readings: &["xla-cpu-0.10", "iree-3.13"],
            }],
            errata: &[
                ("shlo.algorithm.default", ""),
                ("shlo.bits.float", ""),
                ("shlo.bits.narrow", ""),
                ("shlo.bits.word-order", ""),
                ("shlo.philox.carry", "nothing"),
                ("shlo.philox.key-in-counter", ""),
                ("shlo.state.carry", ""),
                ("shlo.state.empty", ""),
                ("shlo.state.sizes", "two"),
                ("shlo.state.type", ""),
                ("shlo.state.words", ""),
                ("shlo.threefry.half-shape", ""),
                ("shlo.threefry.scalar", ""),
            ],
        },
        Issue {
            id: "iree-org/iree#14859",
            title: "Rework Philox RNG bit generator for 128-bit state",
            says: &[
                "The counter of 64 bits shows in two ways. A third word of the state is ignored and handed back unchanged; and \
                 a counter that wraps within a draw carries nothing, where XLA carries. All else that both answer is XLA's, bit \
                 for bit.",
            ],
            examples: vec![
                Example {
                    says: "A state of three words: IREE draws what the first two give.",
                    request: bits(RngAlgorithm::Philox, Dtype::U32, &[4], &[1, 2, 3]),
                    readings: &["xla-cpu-0.10", "iree-3.13"],
                },
                Example {
                    says: "The counter wraps after the first block.",
                    request: wraps(),
                    readings: &["xla-cpu-0.10", "iree-3.13"],
                },
            ],
            errata: &[("shlo.philox.carry", "nothing"), ("shlo.state.sizes", "two")],
        },
        Issue {
            id: "tensorflow/tensorflow#117644",
            title: "`tf.random.stateless_uniform` with fixed Philox seed returns different values under jit_compile=True",
            says: &[COMPILED],
            examples: vec![Example {
                says: "The script of the issue, seed `[123, 456]` and shape `[2, 3]`, with the key and the counter that \
                    StatelessRandomGetKeyCounter makes of that seed. TensorFlow 2.21 answers as both readings do.",
                request: uniform([2, 3], 2_492_621_719_746_014_174, 6_757_693_544_926_647_451),
                readings: &["tensorflow-2.21", "tensorflow-xla-2.21"],
            }],
            errata: &[("tfsu.convert.bits", "high")],
        },
        Issue {
            id: "tensorflow/tensorflow#121243",
            title: "XLA tf.random.stateless_uniform produces different values from eager and graph for the same seed",
            says: &[COMPILED],
            examples: vec![Example {
                says: "The script of the issue, seed `[1, 2]` and shape `[2, 2]`. The numbers are those that the issue shows.",
                request: uniform([2, 2], 10_413_732_777_507_651_514, 17_830_669_156_045_600_267),
                readings: &["tensorflow-2.21", "tensorflow-xla-2.21"],
            }],
            errata: &[("tfsu.convert.bits", "high")],
        },
    ]
}

/// The issues as a part of the page of errata.
pub(crate) fn issues_markdown(bank: &Bank) -> String {
    let mut text = String::from(
        "\n# Open issues\n\nWhat these errata say of open issues of other projects, each with an example that fails there and the \
         readings that explain it.\n",
    );
    for issue in issues() {
        let url = format!("https://github.com/{}", issue.id.replace('#', "/issues/"));
        write!(text, "\n## {}\n\n[{}]({url})\n", issue.id, issue.title).expect("a String takes every write");
        for paragraph in issue.says {
            write!(text, "\n{paragraph}\n").expect("a String takes every write");
        }
        for example in &issue.examples {
            text.push_str(&shown(example, bank));
        }
        text.push_str("\nThe answers:\n\n");
        for (id, other) in issue.errata {
            text.push_str(&answered(id, other));
        }
    }
    text
}

/// The example, its request, the words that it takes, and what each reading answers.
fn shown(example: &Example, bank: &Bank) -> String {
    let request = &example.request;
    let mut text = format!(
        "\n{}\n\n```\n{} --reading all\n```\n\n| | output |\n|---|---|\n",
        example.says,
        command_line(request).expect("an example is a request of its op")
    );
    let mut row = |name: &str, cells: &str| {
        writeln!(text, "| {name} | {cells} |").expect("a String takes every write");
    };
    if let Some(stages) = bank.reference().stages(request) {
        let words: Vec<String> = stages.words.iter().map(|word| format!("{word:08x}")).collect();
        row("words", &words.join(" "));
    }
    for name in example.readings {
        let answer = bank.reading(name).map(|reading| reading.run(request));
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
fn answered(id: &str, other: &str) -> String {
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
    if !other.is_empty() {
        write!(text, " The last row answers: {}", says(other)).expect("a String takes every write");
    }
    text + "\n"
}

#[cfg(test)]
mod tests {
    use seedproof_ops::Limits;

    use super::*;

    #[test]
    fn issues_have_errata_that_there_are_and_readings_that_differ() {
        let bank = Bank::new(Limits::default());
        for issue in issues() {
            for (id, other) in issue.errata {
                let text = answered(id, other);
                assert!(text.contains(": ") && !text.contains("answers: \n"), "{text}");
                assert!(other.is_empty() || !text.ends_with("answers: \n"), "{text}");
            }
            for example in issue.examples {
                let answer = |name: &&str| bank.reading(name).unwrap().run(&example.request).unwrap();
                let answers: Vec<Response> = example.readings.iter().map(answer).collect();
                assert_ne!(answers[0], answers[1], "{}", issue.id);
                assert_eq!(
                    answers[0],
                    bank.reference().run(&example.request).unwrap(),
                    "{}",
                    issue.id
                );
            }
        }
    }

    /// As TensorFlow 2.21 prints them, and the second issue.
    #[test]
    fn issues_of_tensorflow_show_its_numbers() {
        let text = issues_markdown(&Bank::new(Limits::default()));
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
