//! The messages, with the fields that concern random ops.

use std::collections::HashMap;

use bytes::Bytes;

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct SavedModel {
    #[prost(message, repeated, tag = "2")]
    pub(super) meta_graphs: Vec<MetaGraph>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct MetaGraph {
    #[prost(message, optional, tag = "2")]
    pub(super) graph: Option<Graph>,
    #[prost(map = "string, message", tag = "5")]
    pub(super) signatures: HashMap<String, SignatureDef>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct SignatureDef {
    #[prost(map = "string, message", tag = "2")]
    pub(super) outputs: HashMap<String, TensorInfo>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct TensorInfo {
    #[prost(string, tag = "1")]
    pub(super) name: String,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Graph {
    #[prost(message, repeated, tag = "1")]
    pub(super) node: Vec<NodeDef>,
    #[prost(message, optional, tag = "2")]
    pub(super) library: Option<Library>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Library {
    #[prost(message, repeated, tag = "1")]
    pub(super) function: Vec<Function>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Function {
    #[prost(message, optional, tag = "1")]
    pub(super) signature: Option<Signature>,
    #[prost(message, repeated, tag = "3")]
    pub(super) node: Vec<NodeDef>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Signature {
    #[prost(string, tag = "1")]
    pub(super) name: String,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct NodeDef {
    #[prost(string, tag = "1")]
    pub(super) name: String,
    #[prost(string, tag = "2")]
    pub(super) op: String,
    #[prost(string, repeated, tag = "3")]
    pub(super) input: Vec<String>,
    #[prost(map = "string, message", tag = "5")]
    pub(crate) attr: HashMap<String, AttrValue>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct NameAttrList {
    #[prost(string, tag = "1")]
    pub(super) name: String,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct ListValue {
    #[prost(message, repeated, tag = "9")]
    pub(super) functions: Vec<NameAttrList>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct AttrValue {
    #[prost(message, optional, tag = "1")]
    pub(super) list: Option<ListValue>,
    #[prost(int64, optional, tag = "3")]
    pub(crate) i: Option<i64>,
    #[prost(int32, optional, tag = "6")]
    pub(super) kind: Option<i32>,
    #[prost(message, optional, tag = "8")]
    pub(super) tensor: Option<TensorProto>,
    #[prost(message, optional, tag = "10")]
    pub(super) function: Option<NameAttrList>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct TensorShape {
    #[prost(message, repeated, tag = "2")]
    pub(super) dim: Vec<Extent>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Extent {
    #[prost(int64, tag = "1")]
    pub(super) size: i64,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct TensorProto {
    #[prost(int32, tag = "1")]
    pub(super) dtype: i32,
    #[prost(message, optional, tag = "2")]
    pub(super) shape: Option<TensorShape>,
    #[prost(bytes = "bytes", tag = "4")]
    pub(super) content: Bytes,
    #[prost(float, repeated, tag = "5")]
    pub(super) floats: Vec<f32>,
    #[prost(double, repeated, tag = "6")]
    pub(super) doubles: Vec<f64>,
    #[prost(int32, repeated, tag = "7")]
    pub(super) ints: Vec<i32>,
    #[prost(int64, repeated, tag = "10")]
    pub(super) longs: Vec<i64>,
    #[prost(uint64, repeated, tag = "17")]
    pub(super) unsigned: Vec<u64>,
    #[prost(int32, repeated, tag = "13")]
    pub(super) halves: Vec<i32>,
}

/// The element types of random ops, by their numbers in `types.proto`.
pub(super) fn kind(number: i32) -> &'static str {
    match number {
        1 => "f32",
        2 => "f64",
        3 => "i32",
        9 => "i64",
        14 => "bf16",
        19 => "f16",
        22 => "u32",
        23 => "u64",
        _ => "unknown",
    }
}
