//! An ONNX model of one node, and the tensors that it takes and returns, as ONNX's own tests of nodes keep them.

use bytes::Bytes;
use prost::Message as _;
use seedproof_ops::{Dtype, Tensor};

use super::proto::{
    AttributeProto, Dimension, GraphProto, ModelProto, NodeProto, OperatorSet, StringEntry, TensorProto,
    TensorShape, TensorType, TypeProto, ValueInfo, number,
};
use super::{FLOAT, INT};

/// The numbers of the attributes' types STRING and INTS.
const STRING: i32 = 3;
const INTS: i32 = 7;

/// The version of the format. Nothing here needs a later one, and runtimes refuse versions that they do not know.
const IR_VERSION: i64 = 8;

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum OnnxAttribute {
    /// FLOAT, bit for bit.
    Float(f32),
    /// INT.
    Integer(i64),
    /// INTS.
    Integers(Vec<i64>),
    /// STRING.
    Text(String),
    /// INT: the number that ONNX has for an element type.
    Dtype(Dtype),
}

/// A tensor that a model takes or returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnnxValue {
    /// Its name.
    pub name: String,
    /// The type of its elements.
    pub dtype: Dtype,
    /// Its extents, outermost first.
    pub shape: Vec<u64>,
}

/// A model of one node of the standard op set.
///
/// ```
/// use seedproof_convert::{Format, OnnxAttribute, OnnxModel, OnnxValue, read_model};
/// use seedproof_ops::Dtype;
///
/// let model = OnnxModel {
///     op: "RandomNormal",
///     opset: 15,
///     attributes: vec![
///         ("dtype", OnnxAttribute::Dtype(Dtype::F32)),
///         ("seed", OnnxAttribute::Float(42.0)),
///         ("shape", OnnxAttribute::Integers(vec![2, 3])),
///     ],
///     inputs: Vec::new(),
///     outputs: vec![OnnxValue { name: "output".to_owned(), dtype: Dtype::F32, shape: vec![2, 3] }],
///     doc: "Six normals.".to_owned(),
///     metadata: Vec::new(),
/// };
/// let read = read_model(Format::Onnx, model.encode(), &[])?;
/// assert_eq!(read.found[0].source.shape, Some(vec![2, 3]));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct OnnxModel<'a> {
    /// The op.
    pub op: &'a str,
    /// The version of the op set.
    pub opset: i64,
    /// Names and values of the node's attributes.
    pub attributes: Vec<(&'a str, OnnxAttribute)>,
    /// The inputs of the node, which are those of the graph.
    pub inputs: Vec<OnnxValue>,
    /// The outputs of the node, which are those of the graph.
    pub outputs: Vec<OnnxValue>,
    /// What the model is, for people.
    pub doc: String,
    /// The same for programs: keys and values.
    pub metadata: Vec<(&'a str, String)>,
}

impl OnnxModel<'_> {
    /// The bytes of a `.onnx` file.
    pub fn encode(&self) -> Vec<u8> {
        let names = |values: &[OnnxValue]| values.iter().map(|value| value.name.clone()).collect();
        let node = NodeProto {
            input: names(&self.inputs),
            output: names(&self.outputs),
            op_type: self.op.to_owned(),
            attribute: self.attributes.iter().map(attribute).collect(),
            ..NodeProto::default()
        };
        let entry = |(key, value): &(&str, String)| StringEntry {
            key: (*key).to_owned(),
            value: value.clone(),
        };
        let model = ModelProto {
            ir_version: IR_VERSION,
            producer: "seedproof".to_owned(),
            producer_version: env!("CARGO_PKG_VERSION").to_owned(),
            doc: self.doc.clone(),
            graph: Some(GraphProto {
                node: vec![node],
                name: self.op.to_owned(),
                input: self.inputs.iter().map(value_info).collect(),
                output: self.outputs.iter().map(value_info).collect(),
                ..GraphProto::default()
            }),
            opset_import: vec![OperatorSet {
                domain: String::new(),
                version: self.opset,
            }],
            metadata: self.metadata.iter().map(entry).collect(),
            ..ModelProto::default()
        };
        model.encode_to_vec()
    }
}

/// The bytes of a `.pb` file that holds a tensor.
pub fn onnx_tensor(name: &str, tensor: &Tensor) -> Vec<u8> {
    let tensor = TensorProto {
        dims: signed(&tensor.shape().to_u64()),
        data_type: number(tensor.dtype()),
        name: name.to_owned(),
        // The bytes are little-endian and row-major in both formats. ONNX also has a list of numbers for some of the types,
        // but raw bytes serve all of them.
        raw_data: Bytes::copy_from_slice(tensor.bytes()),
        ..TensorProto::default()
    };
    tensor.encode_to_vec()
}

fn attribute((name, value): &(&str, OnnxAttribute)) -> AttributeProto {
    let named = AttributeProto {
        name: (*name).to_owned(),
        ..AttributeProto::default()
    };
    match value {
        OnnxAttribute::Float(float) => AttributeProto {
            f: Some(*float),
            kind: FLOAT,
            ..named
        },
        OnnxAttribute::Integer(integer) => AttributeProto {
            i: Some(*integer),
            kind: INT,
            ..named
        },
        OnnxAttribute::Dtype(dtype) => AttributeProto {
            i: Some(number(*dtype).into()),
            kind: INT,
            ..named
        },
        OnnxAttribute::Integers(integers) => AttributeProto {
            ints: integers.clone(),
            kind: INTS,
            ..named
        },
        OnnxAttribute::Text(text) => AttributeProto {
            s: Some(text.clone().into()),
            kind: STRING,
            ..named
        },
    }
}

fn value_info(value: &OnnxValue) -> ValueInfo {
    let dimension = |extent| Dimension { value: Some(extent) };
    ValueInfo {
        name: value.name.clone(),
        kind: Some(TypeProto {
            tensor: Some(TensorType {
                element: number(value.dtype),
                // A scalar has a shape without extents: no shape at all would be any shape.
                shape: Some(TensorShape {
                    dim: signed(&value.shape).into_iter().map(dimension).collect(),
                }),
            }),
        }),
    }
}

/// Extents as ONNX has them. A tensor in memory has no extent beyond i64.
fn signed(extents: &[u64]) -> Vec<i64> {
    let extent = |&extent| i64::try_from(extent).unwrap_or(i64::MAX);
    extents.iter().map(extent).collect()
}

#[cfg(test)]
mod tests {
    use super::super::proto::kind;
    use super::*;
    use crate::model::protobuf::decode;
    use crate::{Format, Value, read_model};

    fn model(attributes: Vec<(&str, OnnxAttribute)>) -> OnnxModel<'_> {
        let value = |name: &str, shape: &[u64]| OnnxValue {
            name: name.to_owned(),
            dtype: Dtype::F16,
            shape: shape.to_vec(),
        };
        OnnxModel {
            op: "RandomUniformLike",
            opset: 22,
            attributes,
            inputs: vec![value("input", &[])],
            outputs: vec![value("output", &[])],
            doc: "a test".to_owned(),
            metadata: vec![("licence", "any".to_owned())],
        }
    }

    #[test]
    fn onnx_model_is_read_as_it_was_written() {
        let bits = [0x8000_0000, 0x7fc0_1234, 0x3f80_0001].map(f32::from_bits);
        let [low, high, seed] = bits.map(OnnxAttribute::Float);
        let dtype = OnnxAttribute::Dtype(Dtype::F64);
        let written = model(vec![
            ("low", low),
            ("high", high),
            ("seed", seed),
            ("dtype", dtype),
        ])
        .encode();
        let read = read_model(Format::Onnx, written, &[]).unwrap();
        assert_eq!((read.opset, read.producer.as_str()), (22, "seedproof"));
        let source = &read.found[0].source;
        assert_eq!(
            (source.op.as_str(), source.kind.as_str()),
            ("RandomUniformLike", "f64")
        );
        assert_eq!(source.shape, Some(Vec::new()), "a scalar has a shape");
        for (name, expected) in ["low", "high", "seed"].into_iter().zip(bits) {
            let Some(Value::Real(value)) = source.parameters.get(name) else {
                panic!("{name} is a float");
            };
            assert_eq!(value.to_bits(), f64::from(expected).to_bits(), "{name}");
        }
    }

    #[test]
    fn onnx_attributes_of_other_types_keep_their_values() {
        let sizes = OnnxAttribute::Integers(vec![0, 5]);
        let seed = OnnxAttribute::Integer(i64::MIN);
        let generator = OnnxAttribute::Text("philox4x32_10".to_owned());
        let written = model(vec![
            ("shape", sizes),
            ("seed_int64", seed),
            ("generator", generator),
        ])
        .encode();
        let read: ModelProto = decode(written, "a model").unwrap();
        let node = &read.graph.as_ref().unwrap().node[0];
        let [shape, seed, generator] = &node.attribute[..] else {
            panic!("three attributes");
        };
        assert_eq!((&shape.ints[..], shape.kind), (&[0, 5][..], INTS));
        assert_eq!((seed.i, seed.kind), (Some(i64::MIN), INT));
        assert_eq!(generator.s.as_deref(), Some(&b"philox4x32_10"[..]));
        assert_eq!(
            (read.doc.as_str(), read.metadata[0].value.as_str()),
            ("a test", "any")
        );
    }

    #[test]
    fn onnx_tensor_has_the_bytes_of_the_tensor() {
        let tensor = Tensor::vector(&[1_i64, -2]);
        let read: TensorProto = decode(onnx_tensor("data", &tensor), "a tensor").unwrap();
        assert_eq!((read.dims, read.name.as_str()), (vec![2], "data"));
        assert_eq!(
            (&read.raw_data[..], kind(read.data_type.into())),
            (tensor.bytes(), "i64")
        );
    }
}
