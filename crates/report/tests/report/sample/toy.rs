//! A toy generator, and implementations that get it wrong, each in its own way.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use seedproof_ops::{
    Alignment, Answer, Ask, Attribute, Backend, BackendId, Digest, Dtype, ErrorKind, Failure, Fault,
    FaultKind, OpError, Request, Response, Scalar, Shape, Stages, Support, Tensor, Value, Want,
};

use super::{FALLS, FORM, FUSED, SWAPPED, TAIL, TORCH};

/// Elements of the large output: 33 chunks.
pub(super) const LARGE_ELEMENTS: usize = 33 * Digest::CHUNK;

static LARGE_OUTPUT: LazyLock<Tensor> = LazyLock::new(|| {
    let words: Vec<u32> = (0..LARGE_ELEMENTS as u64).map(|index| word(7, index)).collect();
    let shape = Shape::new(&[1, 1, 1, LARGE_ELEMENTS as u64]).expect("a large one");
    Tensor::from_elements(shape, &words).expect("the count fits")
});

/// The digest of the large output.
pub(super) static LARGE_DIGEST: LazyLock<Digest> = LazyLock::new(|| Digest::of(&LARGE_OUTPUT));

/// A backend with the faults that belong to its name; with any other name it has none.
pub(super) struct Toy {
    id: BackendId,
    /// Stands for entropy.
    runs: AtomicU64,
}

/// A word of the toy's stream: SplitMix64.
fn word(seed: u64, index: u64) -> u32 {
    let mut z = (seed ^ index << 8).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    u32::try_from((z ^ (z >> 31)) >> 32).expect("half of the bits")
}

fn tensor(dims: &[u64], scalars: &[Scalar]) -> Tensor {
    let bytes = scalars.iter().flat_map(|scalar| scalar.to_le_bytes()).collect();
    let shape = Shape::new(dims).expect("small");
    Tensor::new(scalars[0].dtype(), shape, bytes).expect("the count fits")
}

fn float(dtype: Dtype, value: f64) -> Scalar {
    Scalar::from_decimal(dtype, &value.to_string()).expect("a short decimal")
}

fn rejected(kind: ErrorKind, message: &str) -> Failure {
    Failure::Rejected(OpError::new(kind, message))
}

const fn next(scalar: Scalar) -> Scalar {
    Scalar::new(scalar.dtype(), scalar.bits() + 1)
}

impl Toy {
    pub(super) fn new(id: &str) -> Self {
        Self {
            id: BackendId::new(id),
            runs: AtomicU64::new(0),
        }
    }

    fn is(&self, id: &str) -> bool {
        self.id.as_str() == id
    }

    fn uniform(&self, request: &Request) -> Option<Stages> {
        let Request::RandomUniform(ru) = request else {
            return None;
        };
        let (dtype, dims) = request.output_form()?;
        let (low, high) = (ru.minval.get(0)?, ru.maxval.get(0)?);
        let tensorflow = ru.alignment == Attribute::Known(Alignment::Tensorflow);
        let mut words: Vec<u32> = (0..dims.iter().product())
            .map(|index| word(ru.global_seed ^ ru.op_seed, index))
            .collect();
        if self.is(SWAPPED) && tensorflow {
            words.chunks_mut(4).for_each(<[u32]>::reverse);
        }
        let unit = |&word: &u32| f64::from(word >> 24) / 256.0;
        let scaled = |word: &u32| {
            if dtype.is_float() {
                float(dtype, low.to_f64() + unit(word) * (high.to_f64() - low.to_f64()))
            } else {
                Scalar::from_decimal(dtype, &(low.to_i64() + i64::from(word % 100)).to_string())
                    .expect("small")
            }
        };
        let mut scalars: Vec<Scalar> = words.iter().map(scaled).collect();
        let ranged = dtype.is_float() && low.to_f64() < 0.0;
        if self.is(FUSED) && ranged {
            let odd = scalars.iter_mut().zip(&words).filter(|(_, word)| *word % 3 == 0);
            odd.for_each(|(scalar, _)| *scalar = next(*scalar));
        }
        if (self.is(TORCH) || self.is("torch-2.11") || self.is("torch-2.12")) && low.bits() != 0 {
            *scalars.last_mut()? = next(*scalars.last()?);
        }
        if self.is(TAIL) && ru.op_seed == 11 {
            let end = scalars.len() - 4;
            scalars[end..]
                .iter_mut()
                .for_each(|scalar| *scalar = Scalar::new(dtype, 0));
        }
        let units = || {
            words
                .iter()
                .map(|word| float(dtype, unit(word)))
                .collect::<Vec<_>>()
        };
        Some(Stages {
            words_per_element: 1,
            words_per_block: 4,
            counters: Vec::new(),
            unit: dtype.is_float().then(|| tensor(&dims, &units())),
            scaled: tensor(&dims, &scalars),
            words,
        })
    }

    fn value(&self, request: &Request) -> Option<Response> {
        match request {
            Request::RandomUniform(_) => Some(Response::of(self.uniform(request)?.scaled)),
            Request::Multinomial(mn) => {
                let (dtype, dims) = request.output_form()?;
                let mut seed = mn.op_seed;
                if mn.op_seed == 0 && !self.is(TAIL) {
                    seed = self.runs.fetch_add(1, Ordering::Relaxed) + 1;
                }
                let class = |index| Scalar::new(dtype, u64::from(word(seed, index) % 3));
                let classes: Vec<Scalar> = (0..dims.iter().product()).map(class).collect();
                Some(Response::of(tensor(&dims, &classes)))
            }
            Request::DmlRandomGenerator(dml) if dml.output_state => {
                let (_, dims) = request.output_form()?;
                let words =
                    (0..dims.iter().product()).map(|index| Scalar::new(Dtype::U32, word(3, index).into()));
                let carry = u64::from(!self.is(TAIL));
                let state = [5, carry, 0, 0, 1, 2].map(|word| Scalar::new(Dtype::U32, word));
                Some(Response {
                    output: tensor(&dims, &words.collect::<Vec<_>>()),
                    more: vec![tensor(&[1, 1, 1, 6], &state)],
                })
            }
            _ => Some(Response::of(LARGE_OUTPUT.clone())),
        }
    }

    /// The answer in another form, for cases by their names.
    fn otherwise(&self, case: &str, request: &Request) -> Option<Result<Response, Failure>> {
        let broken = |kind, message: &str| {
            Some(Err(Failure::Broken(Fault {
                kind,
                message: message.to_owned(),
            })))
        };
        match self.id.as_str() {
            FORM if case.contains("f64/seeds") => {
                let wide = self.value(request)?.output;
                let narrow: Vec<Scalar> = wide.scalars().map(|it| float(Dtype::F32, it.to_f64())).collect();
                Some(Ok(Response::of(tensor(&[24], &narrow))))
            }
            FORM if case.contains("i64/range-wide") => {
                Some(Err(rejected(ErrorKind::Range, "maxval 500 is not allowed")))
            }
            FORM if case.contains("i32/") => Some(Err(Failure::Unsupported("no kernel for i32".to_owned()))),
            FALLS if case.contains("f16/range-negative") => {
                broken(FaultKind::Crash, "its process ended with signal 11")
            }
            FALLS if case.contains("f32/range-wide") => broken(
                FaultKind::OrderDependentCrash,
                "its process ended with status 3; asked alone, it answered",
            ),
            FALLS if case.contains("f64/range-wide") => broken(FaultKind::Timeout, "no answer in 10 s"),
            FALLS if case.contains("f32/spec-example-1") => broken(
                FaultKind::Protocol,
                "the answer is no frame: expected 4 bytes of length, got `{\"id\"`",
            ),
            FALLS if case.contains("i32/seeds-high") => broken(FaultKind::Error, "out of memory"),
            FALLS if case.contains("i64/seeds-high") => broken(FaultKind::Infrastructure, "the pipe broke"),
            FALLS if case.contains("dml/") => broken(FaultKind::NotRun, "three restarts came before"),
            _ => None,
        }
    }

    /// The large output by its digest, or a window of it. Behind a lost tail, all but three chunks differ.
    fn part(&self, want: Want) -> Value {
        if let Want::Window { start, count } = want {
            let scalars = LARGE_OUTPUT.scalars().skip(start).take(count);
            let odd = |scalar| {
                if self.is(TAIL) && start > 0 {
                    next(scalar)
                } else {
                    scalar
                }
            };
            return Value::Window(tensor(&[count as u64], &scalars.map(odd).collect::<Vec<_>>()));
        }
        let mut digest = LARGE_DIGEST.clone();
        if self.is(TAIL) {
            digest.chunks[3..].iter_mut().for_each(|sum| sum[0] ^= 1);
        }
        Value::Digest(digest, Vec::new())
    }
}

impl Backend for Toy {
    fn id(&self) -> &BackendId {
        &self.id
    }

    fn supports(&self, request: &Request) -> Support {
        match request {
            Request::RandomUniform(ru) if self.is(FORM) && ru.output_type.known() == Some(Dtype::Bf16) => {
                Support::Unsupported("bf16 is not in this build".to_owned())
            }
            _ => Support::Supported,
        }
    }

    fn run(&self, request: &Request) -> Result<Response, Failure> {
        if let Request::Multinomial(mn) = request
            && mn.probs.scalars().any(|it| it.to_f64() < 0.0)
            && !self.is(FORM)
        {
            return Err(rejected(ErrorKind::Probabilities, "probs[1] is negative"));
        }
        self.value(request)
            .ok_or_else(|| Failure::error("no such request"))
    }

    fn stages(&self, request: &Request) -> Option<Stages> {
        (!self.is(TORCH)).then(|| self.uniform(request)).flatten()
    }

    fn ask(&self, ask: &Ask<'_>) -> Answer {
        let result = match self.otherwise(ask.case, ask.request) {
            Some(result) => result.map(Value::Full),
            None if ask.want != Want::Full => Ok(self.part(ask.want)),
            None => self.run(ask.request).map(Value::Full),
        };
        let stderr = match &result {
            Err(Failure::Broken(fault)) if fault.kind == FaultKind::Crash => {
                "thread 'main' panicked at src/kernel.rs:41:9:\nindex out of bounds: the len is 24\n"
            }
            Err(Failure::Broken(fault)) if fault.kind == FaultKind::Protocol => "debug: answering\n",
            _ => "",
        };
        Answer {
            result,
            stderr: stderr.to_owned(),
        }
    }

    fn description(&self) -> String {
        format!("{} 0.1.0", self.id)
    }
}
