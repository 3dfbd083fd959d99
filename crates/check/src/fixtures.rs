//! Requests, cases and table-driven backends for the tests of this crate.

use seedproof_corpus::{Bits, Case, CaseId, Expectation, Location, Name, Provenance};
use seedproof_ops::{
    Alignment, Backend, BackendId, DmlGenerator, DmlRandomGenerator, Dtype, Failure, FeatureLevel,
    Multinomial, RandomUniform, Request, Response, Scalar, Stages, Support, Tensor,
};

/// RandomUniform with seeds 150 and 10 over [0, 1), or [0, 1000) for integers, [0, 100) for those of one byte.
pub(crate) fn uniform(alignment: Alignment, dtype: Dtype, shape: &[i64]) -> Request {
    let upper = match dtype.size() {
        _ if dtype.is_float() => "1",
        1 => "100",
        _ => "1000",
    };
    between(alignment, dtype, shape, ("0", upper))
}

fn between(alignment: Alignment, dtype: Dtype, shape: &[i64], bounds: (&str, &str)) -> Request {
    let bounds = <[&str; 2]>::from(bounds).map(|text| Scalar::from_decimal(dtype, text).unwrap());
    Request::RandomUniform(RandomUniform::new(alignment, shape, bounds, [150, 10]))
}

/// RandomUniform like [`uniform`], between bounds that are given as decimals.
pub(crate) fn uniform_between(dtype: Dtype, count: i64, bounds: (&str, &str)) -> Request {
    between(Alignment::Tensorflow, dtype, &[count], bounds)
}

/// Multinomial with replacement of one row.
pub(crate) fn multinomial(probs: &[f64], samples: i32) -> Request {
    let shape = seedproof_ops::Shape::new(&[1, u64::try_from(probs.len()).unwrap()]).unwrap();
    Request::Multinomial(Multinomial {
        probs: Tensor::from_elements(shape, probs).unwrap(),
        num_samples: Tensor::scalar(samples),
        draws: None,
        convert_type: Dtype::I32.into(),
        with_replacement: true,
        log_probs: false,
        global_seed: 1,
        op_seed: 2,
        execution: 0,
    })
}

/// DirectML with counter and key zero.
pub(crate) fn dml(sizes: &[u64]) -> Request {
    Request::DmlRandomGenerator(DmlRandomGenerator {
        input_state: Tensor::vector(&[0_u32; 6]),
        output_sizes: sizes.to_vec(),
        generator: DmlGenerator::Philox4x32_10.into(),
        feature_level: FeatureLevel::Level3_0.into(),
        output_state: true,
    })
}

/// A derived case with this expectation.
pub(crate) fn case(id: &str, request: Request, expect: Expectation) -> Case {
    Case {
        id: CaseId::new(id).unwrap(),
        location: Location {
            file: "test.yaml".to_owned(),
            line: 1,
            column: 1,
        },
        clauses: vec![Name::new("ru8.philox.round").unwrap()],
        errata: Vec::new(),
        flags: Vec::new(),
        provenance: Provenance::Derived {
            reading: Name::new("spec").unwrap(),
            revision: 1,
        },
        request,
        expect,
        readings: std::collections::BTreeMap::new(),
        printed: None,
        margin: None,
        note: None,
    }
}

/// An expectation of these elements.
pub(crate) fn bits(output: Tensor) -> Expectation {
    Expectation::Bits(Bits {
        output,
        more: Vec::new(),
    })
}

type Run = dyn Fn(&Request) -> Result<Response, Failure> + Send + Sync;
type Show = dyn Fn(&Request) -> Option<Stages> + Send + Sync;

/// A backend that answers with a function.
pub(crate) struct Fake {
    id: BackendId,
    support: Support,
    run: Box<Run>,
    show: Box<Show>,
}

impl Fake {
    pub(crate) fn new(
        id: &str,
        run: impl Fn(&Request) -> Result<Response, Failure> + Send + Sync + 'static,
    ) -> Self {
        Self {
            id: BackendId::new(id),
            support: Support::Supported,
            run: Box::new(run),
            show: Box::new(|_| None),
        }
    }

    /// A backend with the same answer to every request.
    pub(crate) fn always(id: &str, answer: Result<Response, Failure>) -> Self {
        Self::new(id, move |_| answer.clone())
    }

    /// A backend with the same output for every request.
    pub(crate) fn giving(id: &str, output: Tensor) -> Self {
        Self::always(id, Ok(Response::of(output)))
    }

    pub(crate) fn refusing_to_claim(mut self, reason: &str) -> Self {
        self.support = Support::Unsupported(reason.to_owned());
        self
    }

    pub(crate) fn showing(
        mut self,
        show: impl Fn(&Request) -> Option<Stages> + Send + Sync + 'static,
    ) -> Self {
        self.show = Box::new(show);
        self
    }
}

impl Backend for Fake {
    fn id(&self) -> &BackendId {
        &self.id
    }

    fn supports(&self, _request: &Request) -> Support {
        self.support.clone()
    }

    fn run(&self, request: &Request) -> Result<Response, Failure> {
        (self.run)(request)
    }

    fn stages(&self, request: &Request) -> Option<Stages> {
        (self.show)(request)
    }
}
