//! A backend with nothing behind it: bytes that count up from the seeds, for tests of everything around a backend.

use seedproof_ops::{
    Attribute, Backend, BackendId, Dtype, ErrorKind, Failure, Limits, Request, Response, Support, Tensor,
};

/// Answers every request with bytes that count up from the second seed. Some seeds make it fail.
pub(crate) struct Toy(BackendId);

impl Toy {
    /// A second seed for which it panics.
    pub(crate) const PANICS: u64 = 1313;
    /// A second seed that it does not support.
    pub(crate) const UNSUPPORTED: u64 = 1414;

    /// The toy.
    pub(crate) fn new() -> Self {
        Self(BackendId::new("toy"))
    }

    fn known(dtype: &Attribute<Dtype>) -> Result<Dtype, Failure> {
        dtype
            .known()
            .ok_or_else(|| Failure::rejected(ErrorKind::Attribute, format!("{dtype} is no type of output")))
    }

    fn count_up(dtype: Dtype, dims: &[u64], seed: u64) -> Result<Tensor, Failure> {
        let shape = Limits {
            max_output_bytes: 1 << 30,
        }
        .shape(dtype, dims)?;
        let [first, ..] = seed.to_le_bytes();
        let pattern: Vec<u8> = (0..=255_u8).map(|n| n.wrapping_add(first)).collect();
        let size = shape.count() * dtype.size();
        let mut bytes = pattern.repeat(size.div_ceil(256));
        bytes.truncate(size);
        Ok(Tensor::new(dtype, shape, bytes).expect("as many bytes as the shape calls for"))
    }
}

fn extents(tensor: &Tensor) -> Result<Vec<u64>, Failure> {
    let wide: Vec<i64> = match (tensor.elements::<i32>(), tensor.elements::<i64>()) {
        (Ok(narrow), _) => narrow.map(i64::from).collect(),
        (_, Ok(wide)) => wide.collect(),
        _ => return Err(Failure::rejected(ErrorKind::Dtype, "extents are i32 or i64")),
    };
    wide.into_iter()
        .map(|n| u64::try_from(n).map_err(|_| Failure::rejected(ErrorKind::Shape, "an extent is negative")))
        .collect()
}

impl Backend for Toy {
    fn id(&self) -> &BackendId {
        &self.0
    }

    fn supports(&self, request: &Request) -> Support {
        match request.execution() {
            0 => Support::Yes,
            _ => Support::No("a second execution".into()),
        }
    }

    fn run(&self, request: &Request) -> Result<Response, Failure> {
        match request {
            Request::RandomUniform(r) => {
                assert_ne!(r.op_seed, Self::PANICS, "a panic was asked for");
                if r.op_seed == Self::UNSUPPORTED {
                    return Err(Failure::Unsupported("this seed".into()));
                }
                if r.minval.bytes() == r.maxval.bytes() {
                    return Err(Failure::rejected(
                        ErrorKind::Range,
                        "minval must be less than maxval",
                    ));
                }
                if r.alignment.known().is_none() {
                    return Err(Failure::rejected(ErrorKind::Attribute, "no such alignment"));
                }
                Self::count_up(Self::known(&r.output_type)?, &extents(&r.shape)?, r.op_seed).map(Response::of)
            }
            Request::Multinomial(r) => {
                let batch = u64::try_from(r.probs.shape().dims()[0]).unwrap_or(0);
                let samples = extents(&r.num_samples)?[0];
                let seed = r.op_seed + u64::from(r.draws.is_some());
                Self::count_up(Self::known(&r.convert_type)?, &[batch, samples], seed).map(Response::of)
            }
            Request::DmlRandomGenerator(r) => Ok(Response {
                output: Self::count_up(Dtype::U32, &r.output_sizes, 0)?,
                state: r.output_state.then(|| r.input_state.clone()),
            }),
        }
    }
}
