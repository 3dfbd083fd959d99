//! The corpus alone, on the oracle: what `cargo mutants` holds a changed oracle against. Large outputs are
//! left to the conformance run.

use std::collections::BTreeSet;

use seedproof_corpus::{Case, Expectation, OutputDigest, parse};
use seedproof_ops::{
    Ask, Backend, BackendId, Digest, Failure, Limits, Named as _, OpName, Request, Response, Shape, Stages,
    Support, Tensor, Value, Want,
};
use seedproof_reference::Reference;
use sha2::{Digest as _, Sha256};

const LARGEST: u64 = 5000;

/// Most failures that are shown.
const MAX_SHOWN_FAILURES: usize = 5;

#[test]
fn corpus_is_what_the_oracle_answers() {
    let reference = Reference::new(Limits::default(), || 0x0123_4567_89ab_cdef);
    let other = Reference::new(Limits::default(), || 0xfedc_ba98_7654_3210);
    let mut judged = 0;
    let mut counting = BTreeSet::new();
    let mut failures = Vec::new();
    for packed in seedproof_vectors::FILES {
        let file = packed.name();
        if !file.ends_with("yaml") {
            continue;
        }
        let cases = parse(file, &packed.text())
            .unwrap_or_else(|errors| panic!("{errors}"))
            .cases;
        for case in cases.iter().filter(|case| is_small(case)) {
            match holds(case, &reference, &other) {
                Ok(says) => {
                    judged += usize::from(says);
                    let stages = reference.stages(&case.request);
                    counting.extend(
                        stages
                            .filter(|it| !it.counters.is_empty())
                            .map(|_| case.request.op()),
                    );
                }
                Err(what) => failures.push(failure(case, &what)),
            }
        }
    }
    let more = failures.len().saturating_sub(MAX_SHOWN_FAILURES);
    let shown: String = failures
        .iter()
        .take(MAX_SHOWN_FAILURES)
        .map(String::as_str)
        .collect();
    assert!(failures.is_empty(), "\n{shown}{more} more");
    assert!(judged > 2000, "only {judged} cases were judged");
    assert!(counting.len() >= 8, "only {counting:?} show counters");
}

/// The text of a failure, and the line that judges the case with a diagnosis.
fn failure(case: &Case, what: &str) -> String {
    format!(
        "reference  {0}  fail\n  {1}\n  {what}\n  rerun: cargo test -p seedproof-harness --test conformance -- --exact \
         reference::{0}\n\n",
        case.id, case.location
    )
}

fn is_small(case: &Case) -> bool {
    let count = |dims: Vec<u64>| dims.iter().fold(1, |count: u64, &dim| count.saturating_mul(dim));
    case.request
        .output_form()
        .is_none_or(|(_, dims)| count(dims) <= LARGEST)
}

/// Whether the case says anything of `spec`.
///
/// # Errors
/// What of the answer is not what the case expects.
fn holds(case: &Case, reference: &dyn Backend, other: &dyn Backend) -> Result<bool, String> {
    let answer = reference.run(&case.request);
    let value = || {
        answer
            .clone()
            .map_err(|failure| format!("expected a value   actual {failure}"))
    };
    let wrong = |what: &str| Err(format!("{what} differs"));
    match &case.expect {
        Expectation::Bits(bits) => {
            let answer = value()?;
            same("the output", &bits.output, &answer.output)?;
            if bits.more.len() != answer.more.len() {
                return wrong("the number of outputs");
            }
            let further = bits.more.iter().zip(&answer.more);
            further
                .into_iter()
                .try_for_each(|(expected, actual)| same("a further output", expected, actual))?;
        }
        Expectation::Digest(digested) => {
            let answer = value()?;
            let is_same = match &digested.digest {
                OutputDigest::Whole(sum) => sum_of(answer.output.bytes()) == *sum,
                OutputDigest::Chunks(sums) => chunks(&answer.output) == *sums,
            };
            if !is_same {
                return wrong("the digest");
            }
            if answer.more != digested.more {
                return wrong("a further output");
            }
        }
        Expectation::Rejected(kind) => match &answer {
            Err(Failure::Rejected(error)) if error.kind == Some(*kind) => {}
            Err(failure) => return Err(format!("expected a rejection ({kind})   actual {failure}")),
            Ok(_) => return Err(format!("expected a rejection ({kind})   actual a value")),
        },
        Expectation::Statistical => {
            let answer = value()?;
            let form = case.request.output_form();
            let dims = answer.output.shape().dims().iter();
            let dims: Option<Vec<u64>> = dims.map(|&dim| dim.try_into().ok()).collect();
            if dims.map(|dims| (answer.output.dtype(), dims)) != form {
                return wrong("the form of the output");
            }
            if answer.output.bytes().len() >= 32 && other.run(&case.request) == Ok(answer) {
                return Err("two runs gave the same output".to_owned());
            }
        }
        Expectation::Oracle | Expectation::Unspecified => return Ok(false),
    }
    let digest = reference.ask(&Ask {
        case: "",
        request: &case.request,
        want: Want::Digest,
    });
    let of_whole = answer
        .clone()
        .map(|answer| Value::Digest(Digest::of(&answer.output), answer.more));
    if digest.result != of_whole {
        return wrong("the digest of a digested output");
    }
    if let Ok(answer) = &answer {
        stages_hold(case.request.op(), reference.stages(&case.request), answer)?;
    }
    Ok(true)
}

/// # Errors
/// What of the stages does not fit the answer.
fn stages_hold(op: OpName, stages: Option<Stages>, answer: &Response) -> Result<(), String> {
    let Some(stages) = stages else {
        // Draws that are given, or follow from no seed, have none; neither have ops whose elements mix words. Normals of which
        // words are no elements lack them too: truncated ones, and those that PyTorch makes one by one.
        let mixes = [
            "curand.",
            "inductor.",
            "jax.",
            "numpy.",
            "onnx.",
            "sglang.",
            "torch.",
            "torch_cuda.",
            "triton.",
            "vllm.",
        ]
        .iter()
        .any(|start| op.name().starts_with(start) && !op.name().starts_with("torch.philox_"));
        let may_lack = mixes
            || matches!(
                op,
                OpName::RandomUniform
                    | OpName::Multinomial
                    | OpName::TruncatedNormal
                    | OpName::StatelessTruncatedNormal
                    | OpName::RandomShuffle
                    | OpName::StatelessShuffle
                    | OpName::TensorflowMultinomial
                    | OpName::StatelessMultinomial
            );
        return may_lack
            .then_some(())
            .ok_or_else(|| "there are no stages".to_owned());
    };
    same("the last stage", &answer.output, &stages.scaled)?;
    let elements = answer.output.shape().count();
    // The last block may be shown to its end, of which the elements take a part.
    let left_over = stages
        .words
        .len()
        .checked_sub(elements * stages.words_per_element);
    if left_over.is_none_or(|words| words >= 4) {
        return Err(format!("{} words for {elements} elements", stages.words.len()));
    }
    if let Some(unit) = &stages.unit
        && unit.shape().count() != elements
    {
        return Err(format!(
            "{} in the unit interval for {elements} elements",
            unit.shape()
        ));
    }
    // MT19937 has no counters, and the hidden state of the oldest ops says none.
    let has_counters = !stages.counters.is_empty();
    let words = if answer.output.dtype().size() == 8 { 2 } else { 1 };
    if has_counters && !stages.words_per_element.is_multiple_of(words) {
        return Err(format!("{} words for an element", stages.words_per_element));
    }
    if has_counters && stages.counters.len() != elements {
        return Err(format!(
            "{} counters for {elements} elements",
            stages.counters.len()
        ));
    }
    if op == OpName::RngBitGenerator {
        // Elements of one word are halves of Threefry's blocks, which are no neighbours.
        let block = if stages.words_per_block == 4 { 4 } else { 2 };
        let alike = |counter| stages.counters.iter().filter(|other| *other == counter).count();
        let most = stages.counters.iter().map(alike).max().unwrap_or(0);
        if stages.words_per_block != 4 && stages.words_per_block != words
            || most != elements.min(block / words)
        {
            return Err(format!("{most} elements of one block of {block} words"));
        }
    }
    // Halves of Threefry's blocks, and rows of a batch, are not drawn in the order of the elements. Each key has counters of
    // its own.
    let is_of_keys = matches!(op, OpName::PhiloxKeySplit | OpName::PhiloxKeyFoldIn);
    let block = |i: usize| i * stages.words_per_element / stages.words_per_block;
    for (i, pair) in stages.counters.windows(2).enumerate() {
        if stages.words_per_block == 4 && !is_of_keys && (pair[0] == pair[1]) != (block(i) == block(i + 1)) {
            return Err(format!("elements {i} and the next have the counters {pair:x?}"));
        }
    }
    Ok(())
}

/// # Errors
/// The number of elements that differ, and the bits of the first.
fn same(what: &str, expected: &Tensor, actual: &Tensor) -> Result<(), String> {
    if (expected.dtype(), expected.shape()) != (actual.dtype(), actual.shape()) {
        return Err(format!(
            "{what} is {} {}, expected {} {}",
            actual.dtype(),
            actual.shape(),
            expected.dtype(),
            expected.shape()
        ));
    }
    let elements = expected.scalars().zip(actual.scalars()).enumerate();
    let differing: Vec<_> = elements
        .filter(|(_, (expected, actual))| expected != actual)
        .collect();
    let Some((index, (expected, actual))) = differing.first() else {
        return Ok(());
    };
    Err(format!(
        "{} elements of {what} differ; the first at {index}\n    expected {} ({})   actual {} ({})",
        differing.len(),
        expected.literal(),
        expected.decimal(),
        actual.literal(),
        actual.decimal()
    ))
}

#[test]
fn corpus_failures_name_the_case_the_element_and_the_bits() {
    struct Zeros(BackendId);

    impl Backend for Zeros {
        fn id(&self) -> &BackendId {
            &self.0
        }

        fn supports(&self, _: &Request) -> Support {
            Support::Supported
        }

        fn run(&self, _: &Request) -> Result<Response, Failure> {
            let shape = Shape::new(&[3, 3]).expect("nine elements");
            Ok(Response::of(
                Tensor::from_elements(shape, &[0.0_f32; 9]).expect("nine elements"),
            ))
        }
    }

    let packed = seedproof_vectors::FILES
        .iter()
        .find(|file| file.name() == "random-uniform-8/spec-examples.yaml")
        .expect("the document has examples");
    let cases = parse(packed.name(), &packed.text())
        .expect("the corpus is read")
        .cases;
    let zeros = Zeros(BackendId::new("zeros"));
    let what = holds(&cases[0], &zeros, &zeros).expect_err("zeros are wrong");
    let location = &cases[0].location;
    assert_eq!(
        failure(&cases[0], &what),
        format!(
            "reference  ru8/tensorflow/f32/spec-example-1  fail\n  {location}\n  9 elements of the output differ; the \
             first at 0\n    expected 3f337cd6 (0.7011236)   actual 00000000 (0)\n  rerun: cargo test -p \
             seedproof-harness --test conformance -- --exact reference::ru8/tensorflow/f32/spec-example-1\n\n"
        )
    );
}

fn chunks(output: &Tensor) -> Vec<[u8; 32]> {
    output
        .bytes()
        .chunks(Digest::CHUNK * output.dtype().size())
        .map(sum_of)
        .collect()
}

fn sum_of(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}
