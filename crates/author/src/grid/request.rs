//! One RandomUniform-8 request of the grid, and the clauses and errata that it goes through.

use seedproof_corpus::Name;
use seedproof_ops::{Alignment, Dtype, RandomUniform, Request, Tensor};

use super::draft::{Draft, element, names, shape, tensor};
use super::ranges::Range;

/// A request before its tensors are made.
pub(super) struct GridRequest<'a> {
    pub(super) alignment: Alignment,
    pub(super) dtype: Dtype,
    pub(super) range: Range,
    /// Global seed and op seed.
    pub(super) seeds: (u64, u64),
    pub(super) dims: &'a [u64],
    /// The type of the shape input, and whether the bounds have shape `[1]`.
    pub(super) form: (Dtype, bool),
}

impl GridRequest<'_> {
    /// The draft `ru8/<alignment>/<type>/<topic>`.
    pub(super) fn draft(&self, topic: &str) -> Draft {
        let (alignment, dtype) = (self.alignment, self.dtype);
        let id = format!("ru8/{}/{dtype}/{topic}", alignment.to_string().to_lowercase());
        Draft {
            errata: self.errata(),
            ..Draft::new(
                &id,
                &clauses(alignment, dtype),
                Request::RandomUniform(self.request()),
            )
        }
    }

    /// The range's errata, as far as they concern this alignment.
    fn errata(&self) -> Vec<Name> {
        let pytorch = self.alignment == Alignment::Pytorch;
        let concerns = |text: &&str| pytorch || !(text.starts_with("ru8.mt.") || text.contains("torch"));
        let texts: Vec<&str> = self.range.errata.iter().copied().filter(concerns).collect();
        names(&texts)
    }

    fn request(&self) -> RandomUniform {
        let bound = |decimal| {
            let dims: &[u64] = if self.form.1 { &[1] } else { &[] };
            let bytes = element(self.dtype, decimal).to_le_bytes();
            Tensor::new(self.dtype, shape(dims), bytes).expect("a bound is one element")
        };
        RandomUniform {
            shape: extents(self.form.0, self.dims),
            minval: bound(self.range.min),
            maxval: bound(self.range.max),
            output_type: self.dtype.into(),
            global_seed: self.seeds.0,
            op_seed: self.seeds.1,
            alignment: self.alignment.into(),
            execution: 0,
        }
    }
}

/// A shape input.
pub(super) fn extents(dtype: Dtype, dims: &[u64]) -> Tensor {
    let decimals: Vec<String> = dims.iter().map(u64::to_string).collect();
    let rank = u64::try_from(dims.len()).expect("a rank is small");
    tensor(dtype, &[rank], &decimals)
}

/// The clauses that any draw of this alignment and type goes through.
fn clauses(alignment: Alignment, dtype: Dtype) -> Vec<&'static str> {
    let philox: &[&str] = &[
        "ru8.seeds.key-counter",
        "ru8.philox.split",
        "ru8.philox.mul",
        "ru8.philox.round",
        "ru8.philox.rounds",
        "ru8.philox.key-raise",
        "ru8.philox.result-order",
        "ru8.philox.block",
    ];
    let mersenne: &[&str] = &[
        "ru8.mt.seed",
        "ru8.mt.twist",
        "ru8.mt.temper",
        "ru8.mt.op-seed-ignored",
    ];
    let common = [
        "ru8.bounds.form",
        "ru8.bounds.less",
        "ru8.shape.form",
        "ru8.attributes.output-type",
        "ru8.attributes.alignment",
        "ru8.output.form",
    ];
    let (generator, convert, range) = match (alignment, dtype) {
        (Alignment::Tensorflow, Dtype::F16) => (philox, "ru8.convert.f16", "ru8.range.float"),
        (Alignment::Tensorflow, Dtype::Bf16) => (philox, "ru8.convert.bf16", "ru8.range.float"),
        (Alignment::Tensorflow, Dtype::F32) => (philox, "ru8.convert.f32", "ru8.range.float"),
        (Alignment::Tensorflow, Dtype::F64) => (philox, "ru8.convert.f64", "ru8.range.float"),
        (Alignment::Tensorflow, Dtype::I64) => (philox, "ru8.convert.i64", "ru8.range.integer"),
        (Alignment::Tensorflow, _) => (philox, "ru8.convert.i32", "ru8.range.integer"),
        (Alignment::Pytorch, Dtype::F16) => (mersenne, "ru8.mt.convert.f16", "ru8.mt.range.half"),
        (Alignment::Pytorch, Dtype::Bf16) => (mersenne, "ru8.mt.convert.bf16", "ru8.mt.range.half"),
        (Alignment::Pytorch, Dtype::F32) => (mersenne, "ru8.mt.convert.f32", "ru8.range.float"),
        (Alignment::Pytorch, Dtype::F64) => (mersenne, "ru8.mt.convert.f64", "ru8.range.float"),
        (Alignment::Pytorch, Dtype::I64) => (mersenne, "ru8.mt.convert.i64", "ru8.range.integer"),
        (Alignment::Pytorch, _) => (mersenne, "ru8.mt.convert.i32", "ru8.range.integer"),
    };
    [generator, &common, &[convert, range]].concat()
}

/// The errata of a conversion itself, whatever the range.
pub(super) fn conversion_errata(alignment: Alignment, dtype: Dtype) -> &'static [&'static str] {
    match (alignment, dtype) {
        (Alignment::Tensorflow, Dtype::Bf16) => &["ru8.convert.bf16-missing"],
        (Alignment::Tensorflow, Dtype::I64) => &["ru8.convert.i64-words"],
        (Alignment::Pytorch, Dtype::F16 | Dtype::Bf16) => &["ru8.mt.mask-precedence", "ru8.mt.half-rounding"],
        (Alignment::Pytorch, Dtype::F32) => &["ru8.mt.mask-precedence"],
        (Alignment::Pytorch, Dtype::F64) => &["ru8.mt.f64-word-order", "ru8.mt.f64-uses-x"],
        (Alignment::Pytorch, Dtype::I32) => &["ru8.mt.integer-signed"],
        (Alignment::Pytorch, Dtype::I64) => &["ru8.mt.i64-two-words"],
        _ => &[],
    }
}
