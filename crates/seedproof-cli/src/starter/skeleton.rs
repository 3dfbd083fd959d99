//! The adapter of an op from its description: all but the kernel, which the user writes.

use seedproof_ops::Op;

use super::argument::Argument;
use super::language::Language;

/// A kernel that is short enough to be given whole, in Python.
fn kernel(op: &Op) -> &'static str {
    match op.prefix {
        "mn13" => template!("kernels/mn13.py"),
        "tfkc" => template!("kernels/tfkc.py"),
        "tkf" => template!("kernels/tkf.py"),
        "tks" => template!("kernels/tks.py"),
        _ => template!("kernels/stub.py"),
    }
}

/// The adapter of an op in a language.
pub(super) fn adapter(op: &Op, language: Language) -> String {
    let attributes = op.attributes.iter().map(Argument::Attribute);
    let arguments: Vec<Argument> = attributes.chain(op.inputs.iter().map(Argument::Input)).collect();
    let text = match language {
        Language::Python => template!("op.py"),
        Language::C => template!("op.c"),
        Language::Cpp => template!("op.cpp"),
        Language::Rust => template!("op.rs"),
        Language::Javascript => template!("op.mjs"),
        Language::Go => template!("op.go"),
    };
    let each = |text: &dyn Fn(&Argument) -> String| arguments.iter().map(text).collect::<Vec<_>>();
    let outputs = op
        .outputs
        .iter()
        .map(|output| format!("{}: {}", output.name, output.form));
    let named = |argument: &Argument| language.name(argument.name());
    let document = |argument: &Argument| format!("{}: {}", named(argument), argument.document());
    [
        ("kernel", lines(kernel(op))),
        ("keys", lines(template!("kernels/keys.py"))),
        ("declarations", language.declarations(&arguments)),
        ("readings", language.readings(&arguments)),
        ("documents", each(&document)),
        ("names", vec![each(&named).join(", ")]),
        ("outputs", outputs.collect()),
        ("capability", vec![language.capability(op)]),
        ("op", vec![op.name.to_owned()]),
    ]
    .iter()
    .fold(text.to_owned(), |text, (marker, lines)| {
        fill(&text, marker, lines)
    })
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

/// The text with lines in place of a marker. Each begins with what stands before the marker, and ends without blanks.
fn fill(text: &str, marker: &str, lines: &[String]) -> String {
    let marker = format!("{{{{{marker}}}}}");
    let mut filled = String::new();
    for line in text.lines() {
        let Some((before, after)) = line.split_once(&marker) else {
            filled += line;
            filled.push('\n');
            continue;
        };
        let last = lines.len().saturating_sub(1);
        for (index, inner) in lines.iter().enumerate() {
            let after = if index == last { after } else { "" };
            filled += format!("{before}{inner}{after}").trim_end();
            filled.push('\n');
        }
    }
    filled
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum as _;
    use seedproof_ops::{Named as _, OpName};

    use super::super::whole;
    use super::*;

    #[test]
    fn fill_repeats_what_stands_before_a_marker() {
        let lines = ["a".to_owned(), String::new(), "b".to_owned()];
        assert_eq!(fill("x\n * {{m}};\ny", "m", &lines), "x\n * a\n *\n * b;\ny\n");
        assert_eq!(fill("  {{m}}\n", "m", &[]), "");
    }

    #[test]
    fn skeletons_of_every_op_have_every_argument_and_no_marker() {
        for (&name, &language) in OpName::ALL.iter().flat_map(|op| {
            Language::value_variants()
                .iter()
                .map(move |language| (op, language))
        }) {
            if whole(name, language).is_none() {
                let op = name.description();
                let text = adapter(op, language);
                assert!(!text.contains("{{"), "{}: {text}", op.name);
                for name in op.names() {
                    assert!(
                        text.contains(&format!("\"{name}\"")),
                        "{}: {name} in {text}",
                        op.name
                    );
                }
                let longest = text.lines().map(str::len).max();
                assert!(longest <= Some(140), "{} {language:?}: {longest:?}", op.name);
            }
        }
    }

    /// Whoever writes the kernel reads these lines, and a compiler or gofmt reads them only where there is one.
    #[test]
    fn skeletons_declare_and_read_arguments_as_their_language_does() {
        use Language::{C, Cpp, Go, Javascript, Python, Rust};
        for (op, language, lines) in [
            (
                OpName::CurandPhilox,
                Rust,
                &[
                    r#"json!([{"op": "curand.Philox4_32_10", "features": ["mean", "stddev"]}]);"#,
                    "    /// a number. The seed, which is the key.\n    seed: u64,",
                    "    /// of `output_type`, [], or absent. The mean of normals; 0 if it is left out.\n    \
                     mean: Option<seedproof_adapter::Tensor>,",
                    r#"        mean: request.optional_tensor("mean", &[request.text("output_type")], 0..=0)?,"#,
                ][..],
            ),
            (
                OpName::CurandPhilox,
                Go,
                &[
                    "\t\t{\"op\": \"curand.Philox4_32_10\", \"features\": []string{\"mean\", \"stddev\"}},",
                    "\t// a number. The seed, which is the key.\n\tseed uint64\n",
                    "\tmean Tensor\n",
                    "\t\tdistribution: request.OneOf(\"distribution\", \"bits\", \"uniform\", \"normal\"),\n\
                     \t\toutputType:   request.OneOf(\"output_type\", \"u32\", \"f32\", \"f64\"),\n",
                    "\t\tmean:         request.Tensor(\"mean\", 0, 0, request.Text(\"output_type\")),\n",
                ],
            ),
            (
                OpName::CurandPhilox,
                Javascript,
                &[r#"[{ op: "curand.Philox4_32_10", features: ["mean", "stddev"] }]"#],
            ),
            (
                OpName::CurandPhilox,
                C,
                &[
                    r#"[{\"op\": \"curand.Philox4_32_10\", \"features\": [\"mean\", \"stddev\"]}]"#,
                    "    /* a number. The seed, which is the key. */\n    uint64_t seed;\n",
                ],
            ),
            (
                OpName::CurandPhilox,
                Cpp,
                &["    /// a number. The seed, which is the key.\n    uint64_t seed;\n"],
            ),
            (
                OpName::TorchCudaRandom,
                Rust,
                &[
                    r#"json!([{"op": "torch_cuda.random_"}]);"#,
                    "    from: Option<i128>,\n",
                    r#"        offset: request.number("offset")?,"#,
                    r#"        from: request.optional_number("from")?,"#,
                ],
            ),
            (
                OpName::TorchCudaRandom,
                Python,
                &[
                    "    from_: a number, or absent. The lower bound, inclusive; zero if `to` alone is there.\n",
                    r#"        from_=request.number("from"),"#,
                ],
            ),
        ] {
            let text = adapter(op.description(), language);
            for line in lines {
                assert!(text.contains(line), "{op} {language:?}: {line} in\n{text}");
            }
        }
    }
}
