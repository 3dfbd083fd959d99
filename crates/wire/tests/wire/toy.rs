//! A backend with nothing behind it: bytes that count up from the seeds, for tests of everything around a backend.

use seedproof_ops::{
    AttributeValue, Backend, BackendId, Dtype, ErrorKind, Failure, Kind, Limits, Request, Response, Role,
    Support, Tensor, Types,
};

/// Answers every request of any op with bytes that count up from the second seed. Some seeds make it fail.
pub(crate) struct Toy(BackendId);

impl Toy {
    /// A second seed for which it panics.
    pub(crate) const PANICS: u64 = 1313;
    /// A second seed that it takes a second for.
    pub(crate) const SLOW: u64 = 1515;
    /// A second seed that it does not support.
    pub(crate) const UNSUPPORTED: u64 = 1414;

    pub(crate) fn new() -> Self {
        Self(BackendId::new("toy"))
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

/// Refuses values and element types that the description does not name, and bounds that are the same.
fn check(request: &Request) -> Result<(), Failure> {
    for (info, value) in request.attributes() {
        if let (Kind::Enumeration(names), AttributeValue::Text(text)) = (info.kind, value)
            && !names.contains(&text.as_str())
        {
            return Err(Failure::rejected(
                ErrorKind::Attribute,
                format!("no such {}", info.name),
            ));
        }
    }
    for (info, tensor) in request.inputs() {
        if let Types::OneOf(types) = info.dtypes
            && !types.contains(&tensor.dtype())
        {
            return Err(Failure::rejected(
                ErrorKind::Dtype,
                format!("no such {}", info.name),
            ));
        }
    }
    let bounds = [Role::Lower, Role::Upper].map(|role| request.input_of(role).map(Tensor::bytes));
    if bounds[0].is_some() && bounds[0] == bounds[1] {
        return Err(Failure::rejected(
            ErrorKind::Range,
            "minval must be less than maxval",
        ));
    }
    Ok(())
}

impl Backend for Toy {
    fn id(&self) -> &BackendId {
        &self.0
    }

    fn supports(&self, request: &Request) -> Support {
        match request.execution() {
            0 => Support::Supported,
            _ => Support::Unsupported("a second execution".into()),
        }
    }

    fn run(&self, request: &Request) -> Result<Response, Failure> {
        let seed = match request.attribute("op_seed") {
            Some(AttributeValue::Seed(seed)) => seed,
            _ => 0,
        };
        assert_ne!(seed, Self::PANICS, "a panic was asked for");
        if seed == Self::SLOW {
            std::thread::sleep(std::time::Duration::from_secs(1));
        }
        if seed == Self::UNSUPPORTED {
            return Err(Failure::Unsupported("this seed".into()));
        }
        check(request)?;
        let forms = request
            .output_forms()
            .ok_or_else(|| Failure::rejected(ErrorKind::Attribute, "the output has no form"))?;
        let count = |(dtype, dims): &(Dtype, Vec<u64>)| Self::count_up(*dtype, dims, seed);
        let mut outputs = forms.iter().map(count).collect::<Result<Vec<_>, _>>()?;
        let more = outputs.split_off(1);
        Ok(Response {
            output: outputs.remove(0),
            more,
        })
    }
}
