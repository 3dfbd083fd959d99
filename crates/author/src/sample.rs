//! An implementation that is broken on purpose, in most of the ways in which one can be: the picture of what a
//! report shows. `seedproof run --backend sample` judges it, and `reports/sample.html` is its report.

use std::sync::Arc;

use rayon::prelude::*;
use seedproof::judging::{Catalogue, applies, diagnosed, judge_case, under_reading};
use seedproof_check::{Judgement, Outcome};
use seedproof_corpus::{Case, Corpus, Selection};
use seedproof_ops::{
    Alignment, Attribute, Backend, BackendId, Dtype, Failure, Limits, Request, Response, Stages, Support,
};
use seedproof_readings::{Engine, Reading, find, find_mistake, with};
use seedproof_report::{
    CaseFacts, EVENTS_SCHEMA, Event, Expectations, Expected, Header, Implementation, ReportError, Run, html,
};

use crate::References;

/// The implementation's name.
pub const SAMPLE: &str = "sample";

/// The queries of the committed sample: enough to show every sort of failure, and little enough to stay small.
const QUERIES: &[&str] = &[
    "dml/feature-level-3.0/carry-*",
    "ru8/*/spec-example-*",
    "ru8/pytorch/f32/range-*",
    "ru8/tensorflow/*/range-*",
];

/// The implementation that is broken on purpose.
///
/// * DirectML: the carry out of the low word of the counter is lost.
/// * RandomUniform TENSORFLOW: floats are scaled with a fused multiply-add; i64 is claimed and not there.
/// * RandomUniform PYTORCH: as PyTorch 2.12 does.
/// * bf16 and Multinomial are not claimed; f64 in more than one dimension fails.
pub struct Sample {
    id: BackendId,
    carry: Engine,
    fused: Engine,
    torch: Engine,
}

impl Sample {
    /// The implementation, with outputs of at most this size.
    ///
    /// # Panics
    /// Never: a test makes one.
    pub fn new(limits: Limits, entropy: impl Fn() -> u64 + Send + Sync + 'static) -> Self {
        let entropy = Arc::new(entropy);
        let engine = |reading: Reading| {
            let entropy = Arc::clone(&entropy);
            Engine::new(reading, limits, move || entropy())
        };
        let with_mistake = |id: &str| {
            let mistake = find_mistake(id).expect("it is one of the mistakes");
            engine(with(&Reading::spec(), &[mistake]))
        };
        Self {
            id: BackendId::new(SAMPLE),
            carry: with_mistake("carry-lost-32"),
            fused: with_mistake("fused-scale"),
            torch: engine(find("torch-2.12").expect("it is one of the readings")),
        }
    }

    fn engine(&self, request: &Request) -> &Engine {
        match request {
            Request::RandomUniform(op) if op.alignment == Attribute::Known(Alignment::Pytorch) => &self.torch,
            Request::RandomUniform(_) | Request::Multinomial(_) => &self.fused,
            _ => &self.carry,
        }
    }
}

impl Backend for Sample {
    fn id(&self) -> &BackendId {
        &self.id
    }

    fn supports(&self, request: &Request) -> Support {
        match request {
            Request::Multinomial(_) => Support::Unsupported("there is no Multinomial".to_owned()),
            Request::RandomUniform(op) if op.output_type.known() == Some(Dtype::Bf16) => {
                Support::Unsupported("bf16 is not in this build".to_owned())
            }
            _ => self.engine(request).supports(request),
        }
    }

    fn run(&self, request: &Request) -> Result<Response, Failure> {
        if let Request::RandomUniform(op) = request {
            match op.output_type.known() {
                Some(Dtype::I64) if op.alignment == Attribute::Known(Alignment::Tensorflow) => {
                    return Err(Failure::Unsupported("no kernel for i64".to_owned()));
                }
                Some(Dtype::F64) if op.shape.count() > 1 => {
                    return Err(Failure::error(
                        "index out of bounds: the len is 1 but the index is 1",
                    ));
                }
                _ => {}
            }
        }
        self.engine(request).run(request)
    }

    fn stages(&self, request: &Request) -> Option<Stages> {
        self.engine(request).stages(request)
    }

    fn description(&self) -> String {
        "broken on purpose, to show what a report shows".to_owned()
    }
}

/// The page of the sample over a part of a corpus, with nothing in it that another run or machine would change.
///
/// # Errors
/// [`ReportError`] if the page cannot be made.
pub fn sample_page(corpus: &Corpus, catalogue: &Catalogue) -> Result<String, ReportError> {
    let selection = Selection::parse(QUERIES).expect("a test parses them");
    let sample = Sample::new(Limits::default(), || 1);
    let says = |case: &&Case| selection.matches(case) && applies(case, catalogue, "spec");
    let cases: Vec<&Case> = corpus.cases().filter(says).collect();
    let judged: Vec<Judgement> = cases
        .par_iter()
        .filter_map(|case| judge_case(case, &sample, catalogue, Some("spec")).ok())
        .collect();
    let queries: Vec<String> = QUERIES.iter().map(|&query| query.to_owned()).collect();
    let header = Header {
        schema: EVENTS_SCHEMA,
        seedproof: env!("CARGO_PKG_VERSION").to_owned(),
        date: String::new(),
        command: "seedproof gen".to_owned(),
        corpus: seedproof_report::Corpus {
            hash: corpus.hash().to_owned(),
            cases: corpus.size(),
            under_reading: under_reading(corpus, catalogue, "spec"),
        },
        reading: "spec".to_owned(),
        answers: None,
        strict_nan: false,
        filter: queries,
        options: Vec::new(),
        shard: None,
        implementations: vec![Implementation {
            id: sample.id.clone(),
            description: sample.description(),
            selected: judged.len(),
            claims: None,
            rerun: format!("seedproof run --backend {SAMPLE}"),
        }],
    };
    let mut run = Run::new(header)?;
    let mut references = References::default();
    let described = References::of_cases(cases.iter().copied());
    for event in references.describe(&described, corpus, catalogue) {
        run.apply(event)?;
    }
    for case in &cases {
        run.apply(Event::Case(Box::new(CaseFacts::of(case))))?;
    }
    for judgement in &judged {
        run.apply(Event::Finding(Box::new(judgement.finding.clone())))?;
    }
    let diagnosed = diagnosed(
        &sample.id,
        judged.iter().filter_map(|it| it.exchange.clone()),
        catalogue,
        &|| (),
    );
    let named = References::of_diagnosis(&diagnosed.diagnosis);
    for event in references.describe(&named, corpus, catalogue) {
        run.apply(event)?;
    }
    run.apply(Event::Diagnosis(diagnosed))?;
    let errors = judged.iter().filter(|it| it.finding.outcome == Outcome::Error);
    run.apply(Event::Expectations(Expectations {
        file: "known.yaml".to_owned(),
        expected: errors
            .map(|it| Expected {
                backend: sample.id.clone(),
                case: it.finding.case.clone(),
                reason: "f64 is fixed in the next release".to_owned(),
            })
            .collect(),
        violations: Vec::new(),
    }))?;
    run.apply(Event::End {
        findings: judged.len(),
    })?;
    html(&run, &[])
}
