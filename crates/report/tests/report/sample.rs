//! Made-up runs: a clean implementation and six saboteurs that fail in every way a finding can tell.

use std::collections::BTreeMap;
use std::iter::repeat_n;

use seedproof_check::{
    CandidateKind, Comparison, Element, Evidence, Explanation, Finding, Mismatch, Outcome, Stage,
    StageVerdict, Verdict,
};
use seedproof_ops::{
    Alignment, Attribute, BackendId, DmlGenerator, DmlRandomGenerator, Dtype, ErrorKind, FeatureLevel,
    Multinomial, RandomUniform, Request, Scalar, Shape, Tensor,
};
use seedproof_report::{
    AnswerText, BenchFigure, CaseFacts, ClauseText, Corpus, Diagnosed, ErratumText, Event, Explained, Extras,
    Header, Implementation, LeftOut, MistakeText, Run,
};
use seedproof_vectors::{Case, CaseId, Expectation, Location, Name, Provenance};

pub(crate) const CLEAN: &str = "cpu/avx2";
pub(crate) const FUSED: &str = "saboteur/fused-scale";
pub(crate) const SWAPPED: &str = "saboteur/swapped-words";
pub(crate) const TORCH: &str = "saboteur/other-reading";
pub(crate) const FORM: &str = "saboteur/wrong-form";
pub(crate) const FALLS: &str = "saboteur/falls-over";
pub(crate) const TAIL: &str = "saboteur/lost-tail";

/// All of them, the clean one first.
pub(crate) const ALL: [&str; 7] = [CLEAN, FUSED, SWAPPED, TORCH, FORM, FALLS, TAIL];

const GROUPS: [(&str, Alignment, Dtype); 8] = [
    ("tensorflow", Alignment::Tensorflow, Dtype::F16),
    ("tensorflow", Alignment::Tensorflow, Dtype::Bf16),
    ("tensorflow", Alignment::Tensorflow, Dtype::F32),
    ("tensorflow", Alignment::Tensorflow, Dtype::F64),
    ("tensorflow", Alignment::Tensorflow, Dtype::I32),
    ("tensorflow", Alignment::Tensorflow, Dtype::I64),
    ("pytorch", Alignment::Pytorch, Dtype::F32),
    ("pytorch", Alignment::Pytorch, Dtype::F64),
];

const TOPICS: [&str; 5] = [
    "range-negative",
    "spec-example-1",
    "seeds-high",
    "tail-of-block",
    "range-wide",
];

fn name(text: &str) -> Name {
    Name::new(text).expect("a plain name")
}

fn scalar(dtype: Dtype, value: i32) -> Scalar {
    Scalar::from_decimal(dtype, &value.to_string()).expect("a small number")
}

fn case(id: &str, clauses: &[&str], request: Request, expect: Expectation) -> Case {
    Case {
        id: CaseId::new(id).expect("a plain id"),
        location: Location {
            file: "random-uniform-8/ranges.yaml".to_owned(),
            line: 1,
            column: 1,
        },
        clauses: clauses.iter().map(|clause| name(clause)).collect(),
        errata: Vec::new(),
        flags: Vec::new(),
        provenance: Provenance::Derived {
            reading: name("spec"),
            revision: 1,
        },
        request,
        expect,
        readings: BTreeMap::new(),
        printed: None,
        margin: None,
        note: None,
    }
}

fn uniform(alignment: Alignment, dtype: Dtype, topic: &str) -> Case {
    let group = match alignment {
        Alignment::Tensorflow => "tensorflow",
        Alignment::Pytorch => "pytorch",
    };
    let (low, high) = if topic.starts_with("range") {
        (-3, 5)
    } else {
        (0, 1)
    };
    let (low, high) = if dtype.is_float() {
        (low, high)
    } else {
        (low, high * 100)
    };
    let request = Request::RandomUniform(RandomUniform {
        shape: Tensor::vector(&[3_i64, 2, 4]),
        minval: Tensor::from_scalar(scalar(dtype, low)),
        maxval: Tensor::from_scalar(scalar(dtype, high)),
        output_type: Attribute::Known(dtype),
        global_seed: 150,
        op_seed: if topic == "seeds-high" { u64::MAX } else { 10 },
        alignment: Attribute::Known(alignment),
        execution: 0,
    });
    let clauses: &[&str] = match alignment {
        Alignment::Tensorflow => &["ru8.philox.round", "ru8.range.float"],
        Alignment::Pytorch => &["ru8.mt.twist", "ru8.range.float"],
    };
    let mut case = case(
        &format!("ru8/{group}/{dtype}/{topic}"),
        clauses,
        request,
        Expectation::Oracle,
    );
    case.flags = vec![name("fused-scale")];
    if topic.starts_with("range") {
        case.errata = vec![name("ru8.range.fused")];
        case.note = Some("The bounds have other signs, so that a fused scale rounds otherwise.".to_owned());
        case.readings = BTreeMap::from([(name("torch-2.12"), Expectation::Oracle)]);
    }
    if topic == "spec-example-1" {
        case.provenance = Provenance::SpecExample {
            document: "openvino-random-uniform-8".to_owned(),
            example: "1".to_owned(),
        };
    }
    case
}

fn multinomial(topic: &str, expect: Expectation) -> Case {
    let shape = Shape::new(&[1, 3]).expect("small");
    let request = Request::Multinomial(Multinomial {
        probs: Tensor::from_elements(shape, &[0.25_f32, 0.5, 0.25]).expect("three"),
        num_samples: Tensor::scalar(5_i32),
        draws: None,
        convert_type: Attribute::Known(Dtype::I64),
        with_replacement: true,
        log_probs: false,
        global_seed: 1,
        op_seed: 2,
        execution: 0,
    });
    case(
        &format!("mn13/replacement/f32/{topic}"),
        &["mn13.select"],
        request,
        expect,
    )
}

fn dml(topic: &str) -> Case {
    let state = Shape::new(&[1, 1, 1, 6]).expect("small");
    let request = Request::DmlRandomGenerator(DmlRandomGenerator {
        input_state: Tensor::from_elements(state, &[u32::MAX, 0, 0, 0, 1, 2]).expect("six"),
        output_sizes: vec![1, 1, 3, 7],
        generator: Attribute::Known(DmlGenerator::Philox4x32_10),
        feature_level: Attribute::Known(FeatureLevel::Level3_0),
        output_state: true,
    });
    case(
        &format!("dml/feature-level-3.0/{topic}"),
        &["dml.counter.carry"],
        request,
        Expectation::Oracle,
    )
}

/// The cases of the made-up corpus; `more` of each topic beside the plain one.
pub(crate) fn cases(more: usize) -> Vec<Case> {
    let mut all = Vec::new();
    for (_, alignment, dtype) in GROUPS {
        for topic in TOPICS {
            all.push(uniform(alignment, dtype, topic));
            for i in 0..more {
                all.push(uniform(alignment, dtype, &format!("{topic}-{i}")));
            }
        }
    }
    all.push(multinomial("dyadic", Expectation::Oracle));
    all.push(multinomial(
        "probs-negative",
        Expectation::Rejected(ErrorKind::Probabilities),
    ));
    all.push(multinomial("seeds-both-zero", Expectation::Statistical));
    all.push(dml("carry-into-word-1"));
    all.push(dml("large"));
    all
}

/// A finding that the judge could have made.
fn finding(
    case: &Case,
    backend: &str,
    outcome: Outcome,
    message: &str,
    mismatch: Option<Mismatch>,
) -> Finding {
    Finding {
        case: case.id.clone(),
        backend: BackendId::new(backend),
        outcome,
        message: message.to_owned(),
        mismatch,
        stderr: String::new(),
    }
}

fn dtype(case: &Case) -> Dtype {
    match &case.request {
        Request::RandomUniform(request) => request.output_type.known().expect("known"),
        Request::Multinomial(_) => Dtype::I64,
        Request::DmlRandomGenerator(_) => Dtype::U32,
    }
}

fn element(dtype: Dtype, index: usize) -> Element {
    let expected = scalar(dtype, if dtype.is_float() { -1 } else { 40 }).bits();
    Element {
        index,
        coordinates: Shape::new(&[3, 2, 4]).expect("small").coordinates(index),
        block: Some((index as u64 / 4, (index % 4).try_into().expect("small"))),
        expected: Scalar::new(dtype, expected + 0x56),
        actual: Scalar::new(dtype, expected + 0x57),
        ulps: Some(1),
    }
}

fn differ(case: &Case, strip: &[u32], stages: &[(Stage, StageVerdict)]) -> Mismatch {
    let first = strip.iter().position(|&n| n > 0).expect("something differs");
    Mismatch::Elements(Comparison {
        total: strip.len(),
        differing: strip.iter().filter(|&&n| n > 0).count(),
        first: element(dtype(case), first),
        max_ulps: Some(3),
        strip: strip.to_vec(),
        stages: stages.to_vec(),
    })
}

/// What the implementation of this name answers in the made-up world.
pub(crate) fn judged(case: &Case, backend: &str) -> Finding {
    use StageVerdict::{Differs, Equal};
    let id = case.id.as_str();
    let pass = finding(case, backend, Outcome::Pass, "", None);
    let uniform = id.starts_with("ru8/");
    match backend {
        FUSED if uniform && id.contains("range") && dtype(case).is_float() => {
            let strip: Vec<u32> = (0..24)
                .map(|i| u32::from([2, 3, 7, 11, 13, 17, 19].contains(&i)))
                .collect();
            let stages = [
                (Stage::Words, Equal),
                (Stage::UnitInterval, Equal),
                (Stage::Scale, Differs),
            ];
            let mismatch = differ(case, &strip, &stages);
            finding(
                case,
                backend,
                Outcome::Fail,
                "7 of 24 elements differ",
                Some(mismatch),
            )
        }
        SWAPPED if uniform && id.contains("tensorflow") => {
            let strip: Vec<u32> = [0, 1, 1, 1].into_iter().cycle().take(24).collect();
            let stages = [
                (Stage::Words, Differs),
                (Stage::UnitInterval, Differs),
                (Stage::Scale, Differs),
            ];
            let mismatch = differ(case, &strip, &stages);
            finding(
                case,
                backend,
                Outcome::Fail,
                "18 of 24 elements differ",
                Some(mismatch),
            )
        }
        TORCH if uniform && id.contains("range") => {
            let strip: Vec<u32> = repeat_n(0, 23).chain([1]).collect();
            let mismatch = differ(case, &strip, &[]);
            let outcome = Outcome::Reading("torch-2.12".to_owned());
            finding(case, backend, outcome, "1 of 24 elements differ", Some(mismatch))
        }
        FORM => wrong_form(case, backend, pass),
        FALLS => falls_over(case, backend, pass),
        TAIL if id.contains("large") => {
            let mismatch = Mismatch::Chunks {
                differing: (3..33).collect(),
                total: 33,
                first: Some(element(Dtype::U32, 2_097_150)),
            };
            finding(
                case,
                backend,
                Outcome::Fail,
                "30 of 33 chunks differ",
                Some(mismatch),
            )
        }
        TAIL if id.contains("carry") => {
            let words = |words: [u64; 6]| words.map(|w| Scalar::new(Dtype::U32, w)).to_vec();
            let mismatch = Mismatch::State {
                expected: words([5, 1, 0, 0, 1, 2]),
                actual: words([5, 0, 0, 0, 1, 2]),
            };
            finding(case, backend, Outcome::Fail, "the state differs", Some(mismatch))
        }
        TAIL if id.contains("tail-of-block") => {
            let strip: Vec<u32> = repeat_n(0, 20).chain(repeat_n(1, 4)).collect();
            let mismatch = differ(case, &strip, &[]);
            finding(
                case,
                backend,
                Outcome::Fail,
                "4 of 24 elements differ",
                Some(mismatch),
            )
        }
        TAIL if id.contains("both-zero") => {
            let mismatch = Mismatch::Statistics("two runs gave the same 24 elements".to_owned());
            finding(case, backend, Outcome::Fail, "two runs are equal", Some(mismatch))
        }
        _ => pass,
    }
}

fn wrong_form(case: &Case, backend: &str, pass: Finding) -> Finding {
    let id = case.id.as_str();
    if id.contains("bf16/") {
        let message = "bf16 is not in this build";
        return finding(case, backend, Outcome::Unsupported, message, None);
    }
    if id.contains("f64/seeds") {
        let mismatch = Mismatch::Form {
            expected: (Dtype::F64, Shape::new(&[3, 2, 4]).expect("small")),
            actual: (Dtype::F32, Shape::new(&[24]).expect("small")),
        };
        return finding(case, backend, Outcome::Fail, "another form", Some(mismatch));
    }
    if id.contains("i64/range-wide") {
        let message = "refused: maxval 500 is not allowed (range), a value was due";
        return finding(case, backend, Outcome::Rejects, message, None);
    }
    if id.contains("probs-negative") {
        let message = "a value, where a rejection (probabilities) was due";
        return finding(case, backend, Outcome::Fail, message, None);
    }
    if id.contains("i32/") {
        let message = "claimed, then: no kernel for i32";
        return finding(case, backend, Outcome::ClaimBroken, message, None);
    }
    pass
}

fn falls_over(case: &Case, backend: &str, pass: Finding) -> Finding {
    let (outcome, message, stderr) = match case.id.as_str() {
        id if id.contains("f16/range-negative") => (
            Outcome::Crash {
                order_dependent: false,
            },
            "its process ended with signal 11",
            "thread 'main' panicked at src/kernel.rs:41:9:\nindex out of bounds: the len is 24\n",
        ),
        id if id.contains("f32/range-wide") => (
            Outcome::Crash {
                order_dependent: true,
            },
            "its process ended with status 3; asked alone, it answered",
            "",
        ),
        id if id.contains("f64/range-wide") => (Outcome::Timeout, "no answer in 10 s", ""),
        id if id.contains("f32/spec-example-1") => (
            Outcome::ProtocolError,
            "the answer is no frame: expected 4 bytes of length, got `{\"id\"`",
            "debug: answering\n",
        ),
        id if id.contains("i32/seeds-high") => (Outcome::Error, "out of memory", ""),
        id if id.contains("i64/seeds-high") => (Outcome::Infrastructure, "the pipe broke", ""),
        id if id.contains("dml/") => (Outcome::NotRun, "three restarts came before", ""),
        _ => return pass,
    };
    let mut finding = finding(case, backend, outcome, message, None);
    finding.stderr = stderr.to_owned();
    finding
}

fn header(backends: &[&str], cases: usize) -> Header {
    Header {
        seedproof: "0.1.0".to_owned(),
        date: "2026-11-21T02:43:18Z".to_owned(),
        command: "seedproof run".to_owned(),
        corpus: Corpus {
            hash: "9f2b1c7de04455aa".to_owned(),
            cases,
        },
        reading: "spec".to_owned(),
        filter: Vec::new(),
        shard: None,
        implementations: backends
            .iter()
            .map(|&id| Implementation {
                id: BackendId::new(id),
                description: format!("{id} 0.1.0"),
                device: if id == CLEAN { "AVX2, 2 threads" } else { "" }.to_owned(),
                rerun: format!("seedproof run --backend {id}"),
            })
            .collect(),
    }
}

fn explanation(
    name: &str,
    kind: CandidateKind,
    sentence: &str,
    cases: Vec<CaseId>,
    total: usize,
) -> Explained {
    let count = |n: usize| u64::try_from(n).expect("small");
    Explained {
        explanation: Explanation {
            name: name.to_owned(),
            kind,
            sentence: sentence.to_owned(),
            mend: "multiply and add with a rounding each".to_owned(),
            stage: Some(Stage::Scale),
            clause: "ru8.range.float".to_owned(),
            erratum: "ru8.range.fused".to_owned(),
            evidence: Evidence {
                elements: 24 * count(cases.len()),
                elements_total: 24 * count(total),
                cases: count(cases.len()),
                cases_total: count(total),
            },
        },
        cases,
    }
}

fn diagnosis(backend: &str, failing: &[CaseId]) -> Option<Diagnosed> {
    let (verdict, name, kind, sentence, skip) = match backend {
        FUSED => (
            Verdict::Explained,
            "fused-scale",
            CandidateKind::Mistake,
            "the scale is computed as fma(x, max-min, min)",
            0,
        ),
        SWAPPED => (
            Verdict::Several,
            "words-reversed",
            CandidateKind::Structure,
            "the four words of each block come in reverse order",
            2,
        ),
        TAIL => (
            Verdict::Unexplained,
            "shifted(n = 1)",
            CandidateKind::Structure,
            "the output is shifted by n elements",
            failing.len(),
        ),
        _ => return None,
    };
    let given = failing[skip..].to_vec();
    Some(Diagnosed {
        backend: BackendId::new(backend),
        verdict,
        explanations: vec![explanation(name, kind, sentence, given, failing.len())],
    })
}

/// The events of a finished run of these implementations over [`cases`]`(more)`.
pub(crate) fn events(backends: &[&str], more: usize) -> Vec<Event> {
    let cases = cases(more);
    let mut events = vec![Event::Run(Box::new(header(backends, cases.len())))];
    let mut failing: BTreeMap<&str, Vec<CaseId>> = BTreeMap::new();
    for case in &cases {
        events.push(Event::Case(Box::new(CaseFacts::of(case))));
        for &backend in backends {
            let finding = judged(case, backend);
            if finding.outcome == Outcome::Fail {
                failing.entry(backend).or_default().push(case.id.clone());
            }
            events.push(Event::Finding(Box::new(finding)));
        }
    }
    for &backend in backends {
        let failing = failing.get(backend).map_or(&[][..], Vec::as_slice);
        events.extend(diagnosis(backend, failing).map(Event::Diagnosis));
    }
    events.push(Event::LeftOut(LeftOut {
        what: "gpu".to_owned(),
        reason: "no adapter was found".to_owned(),
    }));
    events.push(Event::End {
        findings: cases.len() * backends.len(),
    });
    events
}

/// Events as a log.
pub(crate) fn log(events: &[Event]) -> String {
    events.iter().map(|event| event.line() + "\n").collect()
}

/// A finished run of these implementations.
pub(crate) fn run(backends: &[&str]) -> Run {
    Run::from_events(&[("events.jsonl", &log(&events(backends, 0)))]).expect("a good log")
}

/// The finding of a case on an implementation of a run.
pub(crate) fn found<'a>(run: &'a Run, backend: &str, case: &str) -> &'a Finding {
    let id = CaseId::new(case).expect("a plain id");
    &run.case(&id).expect("a case of the run").findings[&BackendId::new(backend)]
}

/// Registries and figures as the program would give them.
pub(crate) fn extras() -> Extras {
    let clause = |id: &str, says: &str| ClauseText {
        id: id.to_owned(),
        source: "openvino-random-uniform-8, Philox".to_owned(),
        says: says.to_owned(),
        level: "must".to_owned(),
    };
    let answer = |id: &str, says: &str, followers: &[&str]| AnswerText {
        id: id.to_owned(),
        says: says.to_owned(),
        followers: followers.iter().map(|&name| name.to_owned()).collect(),
    };
    let kills = |part: &str| -> Vec<CaseId> {
        let of = |case: Case| case.id.as_str().contains(part).then_some(case.id);
        cases(0).into_iter().filter_map(of).collect()
    };
    let mistake = |id: &str, sentence: &str, clause: &str, part: &str| MistakeText {
        id: id.to_owned(),
        sentence: sentence.to_owned(),
        clause: clause.to_owned(),
        kills: kills(part),
        proof: String::new(),
    };
    let mut equivalent = mistake(
        "mullo-unsigned",
        "the low half is taken of an unsigned product",
        "",
        "no case",
    );
    equivalent.proof = "low halves of signed and unsigned products are equal".to_owned();
    Extras {
        clauses: vec![
            clause(
                "ru8.philox.round",
                "One round multiplies two words by constants and mixes the halves.",
            ),
            clause(
                "ru8.range.float",
                "A float is scaled by the width of the range, then shifted by minval.",
            ),
            clause("ru8.mt.twist", "The state of 624 words is renewed as a whole."),
            clause("ru8.mt.temper", "A word is tempered by four shifts."),
        ],
        errata: vec![
            ErratumText {
                id: "ru8.range.fused".to_owned(),
                source: "openvino-random-uniform-8, Detailed description".to_owned(),
                question: "May multiplication and addition of the scale be fused?".to_owned(),
                answers: vec![
                    answer(
                        "apart",
                        "No: each is rounded.",
                        &["spec", "openvino-core-2026.4", "tensorflow-2.21"],
                    ),
                    answer("fused", "Yes, where the machine can.", &["torch-2.12"]),
                ],
                adopted: "apart".to_owned(),
                evidence: vec!["Captures of OpenVINO 2026.4 on range-negative.".to_owned()],
            },
            ErratumText {
                id: "ru8.bounds.enforced".to_owned(),
                source: "openvino-random-uniform-8, Inputs".to_owned(),
                question: "Is minval >= maxval refused?".to_owned(),
                answers: vec![
                    answer("yes", "Yes, as `range`.", &["spec", "openvino-core-2026.4"]),
                    answer("no", "No: the range is turned around.", &["tensorflow-2.21"]),
                ],
                adopted: "yes".to_owned(),
                evidence: Vec::new(),
            },
        ],
        mistakes: vec![
            mistake(
                "fused-scale",
                "the scale is computed as fma",
                "ru8.range.float",
                "range",
            ),
            mistake(
                "nine-rounds",
                "Philox has nine rounds",
                "ru8.philox.round",
                "tensorflow",
            ),
            mistake(
                "tail-kept",
                "unused words are kept",
                "ru8.philox.block",
                "no case",
            ),
            equivalent,
        ],
        bench: vec![BenchFigure {
            what: "RandomUniform-8 TENSORFLOW f32, 16 Mi elements".to_owned(),
            implementation: CLEAN.to_owned(),
            figure: "9.8 GB/s".to_owned(),
            note: "median of 30 runs, 2 threads".to_owned(),
        }],
    }
}
