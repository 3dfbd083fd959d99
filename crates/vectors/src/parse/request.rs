//! Attributes and inputs into a request.

use seedproof_ops::{
    Attribute, DmlRandomGenerator, Dtype, Multinomial, OpName, RandomUniform, Request, Scalar, Shape, Tensor,
};

use super::raw::{At, Attrs, Field, Input, Inputs, List, Literal, LongInput};
use super::reader::{Keys, Reader};
use crate::error::Position;

const RANDOM_UNIFORM_ATTRS: &[&str] = &["output_type", "global_seed", "op_seed", "alignment"];
const RANDOM_UNIFORM_INPUTS: &[&str] = &["shape", "minval", "maxval"];
const MULTINOMIAL_ATTRS: &[&str] = &[
    "convert_type",
    "with_replacement",
    "log_probs",
    "global_seed",
    "op_seed",
];
const MULTINOMIAL_INPUTS: &[&str] = &["probs", "num_samples", "draws"];
const DML_ATTRS: &[&str] = &["type", "feature_level", "output_sizes", "output_state"];
const DML_INPUTS: &[&str] = &["input_state"];

/// The request of a case, or nothing if a part of it is missing or wrong.
pub(super) fn request(
    reader: &mut Reader<'_>,
    op: OpName,
    attrs: At<Attrs>,
    inputs: At<Inputs>,
    execution: Option<At<u32>>,
) -> Option<Request> {
    let (attr_keys, input_keys) = match op {
        OpName::RandomUniform => (RANDOM_UNIFORM_ATTRS, RANDOM_UNIFORM_INPUTS),
        OpName::Multinomial => (MULTINOMIAL_ATTRS, MULTINOMIAL_INPUTS),
        OpName::DmlRandomGenerator => (DML_ATTRS, DML_INPUTS),
    };
    let attr_keys = Keys {
        owner: "`attrs`",
        at: attrs.at,
        allowed: attr_keys,
    };
    let input_keys = Keys {
        owner: "`inputs`",
        at: inputs.at,
        allowed: input_keys,
    };
    reader.only(&attr_keys, &attr_positions(&attrs.value));
    reader.only(&input_keys, &input_positions(&inputs.value));
    let mut parts = Parts {
        reader,
        attr_keys,
        input_keys,
    };
    match op {
        OpName::RandomUniform => parts.random_uniform(attrs.value, inputs.value, execution),
        OpName::Multinomial => parts.multinomial(attrs.value, inputs.value, execution),
        OpName::DmlRandomGenerator => parts.dml_random_generator(attrs.value, inputs.value, execution),
    }
}

struct Parts<'a, 'b> {
    reader: &'a mut Reader<'b>,
    attr_keys: Keys,
    input_keys: Keys,
}

impl Parts<'_, '_> {
    fn attr<T>(&mut self, key: &str, field: Field<T>) -> Option<T> {
        self.reader
            .require(&self.attr_keys, key, field)
            .map(|value| value.value)
    }

    fn input(&mut self, key: &str, field: Field<Input>) -> Option<At<Input>> {
        self.reader.require(&self.input_keys, key, field)
    }

    fn random_uniform(
        &mut self,
        attrs: Attrs,
        inputs: Inputs,
        execution: Option<At<u32>>,
    ) -> Option<Request> {
        let output_type = self
            .attr("output_type", attrs.output_type)
            .map(|text| Attribute::<Dtype>::parse(&text));
        let global_seed = self.attr("global_seed", attrs.global_seed);
        let op_seed = self.attr("op_seed", attrs.op_seed);
        let alignment = self.attr("alignment", attrs.alignment);
        let bound_type = output_type.as_ref().and_then(Attribute::known);
        let shape = self
            .input("shape", inputs.shape)
            .and_then(|input| self.shape_input(input));
        let minval = self
            .input("minval", inputs.minval)
            .and_then(|input| self.scalar_input("minval", bound_type, input));
        let maxval = self
            .input("maxval", inputs.maxval)
            .and_then(|input| self.scalar_input("maxval", bound_type, input));
        Some(Request::RandomUniform(RandomUniform {
            shape: shape?,
            minval: minval?,
            maxval: maxval?,
            output_type: output_type?,
            global_seed: global_seed?.0,
            op_seed: op_seed?.0,
            alignment: Attribute::parse(&alignment?),
            execution: execution.map_or(0, |execution| execution.value),
        }))
    }

    fn multinomial(&mut self, attrs: Attrs, inputs: Inputs, execution: Option<At<u32>>) -> Option<Request> {
        let convert_type = self.attr("convert_type", attrs.convert_type);
        let with_replacement = self.attr("with_replacement", attrs.with_replacement);
        let log_probs = self.attr("log_probs", attrs.log_probs);
        let global_seed = self.attr("global_seed", attrs.global_seed);
        let op_seed = self.attr("op_seed", attrs.op_seed);
        let probs = self
            .input("probs", inputs.probs)
            .and_then(|input| self.long_input("probs", input));
        let num_samples = self
            .input("num_samples", inputs.num_samples)
            .and_then(|input| self.scalar_input("num_samples", Some(Dtype::I32), input));
        let given = inputs.draws.0.is_some();
        let draws = inputs.draws.0.and_then(|input| self.long_input("draws", input));
        if given && draws.is_none() {
            return None;
        }
        Some(Request::Multinomial(Multinomial {
            probs: probs?,
            num_samples: num_samples?,
            draws,
            convert_type: Attribute::parse(&convert_type?),
            with_replacement: with_replacement?,
            log_probs: log_probs?,
            global_seed: global_seed?.0,
            op_seed: op_seed?.0,
            execution: execution.map_or(0, |execution| execution.value),
        }))
    }

    fn dml_random_generator(
        &mut self,
        attrs: Attrs,
        inputs: Inputs,
        execution: Option<At<u32>>,
    ) -> Option<Request> {
        if let Some(execution) = execution {
            self.reader.fail(
                execution.at,
                "use `execution` with directml.RandomGenerator: expected no such key, as the op keeps no state",
            );
        }
        let generator = self.attr("type", attrs.generator);
        let feature_level = self.attr("feature_level", attrs.feature_level);
        let output_sizes = self.attr("output_sizes", attrs.output_sizes);
        let output_state = self.attr("output_state", attrs.output_state);
        let input_state = self
            .input("input_state", inputs.input_state)
            .and_then(|input| self.long_input("input_state", input));
        Some(Request::DmlRandomGenerator(DmlRandomGenerator {
            input_state: input_state?,
            output_sizes: output_sizes?.into_iter().map(|size| size.value.0).collect(),
            generator: Attribute::parse(&generator?),
            feature_level: Attribute::parse(&feature_level?),
            output_state: output_state?,
        }))
    }

    /// `[2, 3]` is i64 of shape `[2]`.
    fn shape_input(&mut self, input: At<Input>) -> Option<Tensor> {
        match input.value {
            Input::List(list) => {
                let extents = self.reader.scalars(Dtype::I64, &list)?;
                tensor(Dtype::I64, Shape::vector(extents.len()), &extents)
            }
            Input::Long(long) => self.long(input.at, *long),
            Input::One(_) => {
                self.reader.fail(
                    input.at,
                    "read `shape`: expected a list of extents or { dtype: …, shape: […], bits: […] }",
                );
                None
            }
        }
    }

    /// `"3f800000"` or `7` is a scalar of `dtype`.
    fn scalar_input(&mut self, key: &str, dtype: Option<Dtype>, input: At<Input>) -> Option<Tensor> {
        match (input.value, dtype) {
            (Input::One(literal), Some(dtype)) => {
                let literal = At {
                    value: literal,
                    at: input.at,
                };
                self.reader.scalar(dtype, &literal).map(Tensor::from_scalar)
            }
            (Input::Long(long), _) => self.long(input.at, *long),
            (Input::List(_), _) => {
                self.reader.fail(
                    input.at,
                    format!("read `{key}`: expected one element or {{ dtype: …, shape: […], bits: […] }}"),
                );
                None
            }
            (Input::One(_), None) => {
                self.reader.fail(
                    input.at,
                    format!(
                        "know the type of `{key}`, as `output_type` is none: expected {{ dtype: …, shape: […], bits: […] }}"
                    ),
                );
                None
            }
        }
    }

    fn long_input(&mut self, key: &str, input: At<Input>) -> Option<Tensor> {
        if let Input::Long(long) = input.value {
            return self.long(input.at, *long);
        }
        self.reader.fail(
            input.at,
            format!("read `{key}`: expected {{ dtype: …, shape: […], bits: […] }}"),
        );
        None
    }

    fn long(&mut self, at: Position, long: LongInput) -> Option<Tensor> {
        let keys = Keys {
            owner: "this input",
            at,
            allowed: &["dtype", "shape", "bits"],
        };
        let dtype = self.reader.require(&keys, "dtype", long.dtype);
        let extents = self.reader.require(&keys, "shape", long.shape);
        let bits: Option<At<List<Literal>>> = self.reader.require(&keys, "bits", long.bits);
        let dtype = self.reader.one_of::<Dtype>("an element type", &dtype?)?;
        let (extents, bits) = (extents?, bits?);
        let dims: Vec<u64> = extents.value.iter().map(|extent| extent.value.0).collect();
        let shape = Shape::new(&dims)
            .inspect_err(|_| {
                self.reader.fail(
                    extents.at,
                    format!(
                        "count the elements of {dims:?}: expected a number that this machine can address"
                    ),
                );
            })
            .ok()?;
        let scalars = self.reader.scalars(dtype, &bits.value)?;
        if scalars.len() != shape.count() {
            self.reader.fail(
                bits.at,
                format!(
                    "read {} elements as {dtype}{shape}: expected {}",
                    scalars.len(),
                    shape.count()
                ),
            );
            return None;
        }
        tensor(dtype, shape, &scalars)
    }
}

/// A tensor of elements whose type and number are known to be right.
pub(super) fn tensor(dtype: Dtype, shape: Shape, scalars: &[Scalar]) -> Option<Tensor> {
    let bytes = scalars.iter().flat_map(|scalar| scalar.to_le_bytes()).collect();
    Tensor::new(dtype, shape, bytes).ok()
}

fn attr_positions(attrs: &Attrs) -> [(&'static str, Option<Position>); 11] {
    [
        ("output_type", attrs.output_type.position()),
        ("convert_type", attrs.convert_type.position()),
        ("with_replacement", attrs.with_replacement.position()),
        ("log_probs", attrs.log_probs.position()),
        ("global_seed", attrs.global_seed.position()),
        ("op_seed", attrs.op_seed.position()),
        ("alignment", attrs.alignment.position()),
        ("type", attrs.generator.position()),
        ("feature_level", attrs.feature_level.position()),
        ("output_sizes", attrs.output_sizes.position()),
        ("output_state", attrs.output_state.position()),
    ]
}

fn input_positions(inputs: &Inputs) -> [(&'static str, Option<Position>); 7] {
    [
        ("shape", inputs.shape.position()),
        ("minval", inputs.minval.position()),
        ("maxval", inputs.maxval.position()),
        ("probs", inputs.probs.position()),
        ("num_samples", inputs.num_samples.position()),
        ("draws", inputs.draws.position()),
        ("input_state", inputs.input_state.position()),
    ]
}
