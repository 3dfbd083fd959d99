//! What each op's interface is, as data: its attributes, inputs and outputs.
//!
//! An op is described once, in a module of its own, by the macro `op!` (`describe.rs`). From that description come the
//! typed request, the YAML of vectors, the adapter protocol, their JSON Schemas, the words that reports use of a request,
//! and the generators of random requests in the tests. What an op *computes* stands elsewhere.

mod curand;
mod describe;
mod distribution;
mod dml_random_generator;
mod interface;
mod jax;
mod jax_normals;
mod litert;
mod multinomial;
mod normals;
mod numpy;
mod onnx_prng;
mod onnx_random;
mod philox_keys;
mod random_state;
mod random_uniform;
mod rng_bit_generator;
mod servers;
mod stateless_random_get_key_counter;
mod stateless_random_uniform;
mod tensorflow_samplers;
mod torch_cuda;
mod torch_samplers;
mod triton;

use std::ops::RangeInclusive;

pub use curand::*;
pub(crate) use describe::{Described, op};
pub use distribution::*;
pub use dml_random_generator::*;
pub(crate) use interface::{Interface, asked, elements, extents};
pub use jax::*;
pub use jax_normals::*;
pub use litert::*;
pub use multinomial::*;
pub use normals::*;
pub use numpy::*;
pub use onnx_prng::*;
pub use onnx_random::*;
pub use philox_keys::*;
pub use random_state::*;
pub use random_uniform::*;
pub use rng_bit_generator::*;
pub use servers::*;
pub use stateless_random_get_key_counter::*;
pub use stateless_random_uniform::*;
pub use tensorflow_samplers::*;
pub use torch_cuda::*;
pub use torch_samplers::*;
pub use triton::*;

use crate::dtype::Dtype;
use crate::response::ErrorKind;
use crate::tensor::Tensor;

/// TensorFlow's numbers of Philox, of ThreeFry, and of whichever suits the device.
const ALGORITHMS: &[i64] = &[1, 2, 3];

/// The float types. The first of a list is the type of an input whose type a case leaves out.
const FLOATS: &[Dtype] = &[Dtype::F32, Dtype::F16, Dtype::Bf16, Dtype::F64];

/// The element types of an op that moves values, or takes only their shape.
const ANY: &[Dtype] = &[
    Dtype::F32,
    Dtype::F16,
    Dtype::Bf16,
    Dtype::F64,
    Dtype::I8,
    Dtype::I16,
    Dtype::I32,
    Dtype::I64,
    Dtype::U8,
    Dtype::U16,
    Dtype::U32,
    Dtype::U64,
];

/// Gives the list of ops to a macro.
macro_rules! all {
    ($macro:ident) => {
        $macro! {
            RandomUniform,
            Multinomial,
            DmlRandomGenerator,
            RngBitGenerator,
            PhiloxKeySplit,
            PhiloxKeyFoldIn,
            PhiloxUniform,
            PhiloxRandint,
            StatelessRandomGetKeyCounter,
            StatelessRandomUniform,
            StatelessRandomUniformInt,
            StatelessRandomUniformFullInt,
            JaxKey,
            JaxSplit,
            JaxFoldIn,
            JaxBits,
            JaxUniform,
            JaxRandint,
            JaxBernoulli,
            JaxPermutation,
            JaxNormal,
            JaxGumbel,
            JaxCategorical,
            OnnxRandomUniform,
            OnnxInitPrng,
            OnnxSplitPrng,
            RandomStandardNormal,
            TruncatedNormal,
            StatelessRandomNormal,
            StatelessTruncatedNormal,
            TorchNormal,
            PhiloxNormal,
            VllmMurmur3Uniform,
            VllmGumbelSample,
            SglangMurmurHash32,
            SglangMultinomialWithSeed,
            TritonRand,
            TritonRandint,
            InductorRandint,
            InductorRandom,
            TorchBernoulli,
            TorchBernoulliInPlace,
            TorchDropout,
            TorchRandperm,
            TorchMultinomial,
            TorchExponential,
            CurandPhilox,
            LitertRandomUniform,
            LitertRandomStandardNormal,
            OnnxRandomNormal,
            OnnxRandomUniformLike,
            OnnxRandomNormalLike,
            OnnxBernoulli,
            OnnxMultinomial,
            TorchCudaUniform,
            TorchCudaRandom,
            TorchCudaBernoulli,
            TorchCudaNormal,
            NumpyRandom,
            NumpyIntegers,
            NumpyPermutation,
            RandomStateRand,
            RandomStateRandn,
            RandomStateRandint,
            RandomStatePermutation,
            RandomShuffle,
            StatelessShuffle,
            TensorflowMultinomial,
            StatelessMultinomial,
        }
    };
}
pub(crate) use all;

/// The interface of an op.
#[derive(Debug)]
pub struct Op {
    /// The name in vectors and in the protocol: `openvino.RandomUniform-8`.
    pub name: &'static str,
    /// The name in reports: `RandomUniform-8`.
    pub title: &'static str,
    /// The first part of the ids of its cases and the stem of its clauses: `ru8`.
    pub prefix: &'static str,
    /// Its attributes, in the order of vectors and documents.
    pub attributes: &'static [AttributeInfo],
    /// Its inputs, in the order of vectors and documents.
    pub inputs: &'static [InputInfo],
    /// Its outputs. The first is the one that is judged element by element, or by its digest.
    pub outputs: &'static [OutputInfo],
    /// Whether an instance of the op keeps a state, so that successive executions differ.
    pub successive: bool,
}

/// An attribute of an op.
#[derive(Debug)]
pub struct AttributeInfo {
    /// The name in the op's document.
    pub name: &'static str,
    /// A sentence or two for people.
    pub doc: &'static str,
    /// The values that it takes.
    pub kind: Kind,
    /// Whether a request must have it.
    pub required: bool,
}

/// The values of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One of these names.
    Enumeration(&'static [&'static str]),
    /// An element type: one of these.
    Dtype(&'static [Dtype]),
    /// A number from 0 to 2^64 - 1; a decimal string in the protocol.
    Seed,
    /// True or false.
    Boolean,
    /// Asks for the output of this attribute's name where it is true. An adapter announces it as a feature.
    WithOutput,
    /// A list of extents, each from 0 to 2^64 - 1. These are the smallest that every variant of the op accepts.
    Extents(&'static [u64]),
    /// A number from -2^127 to 2^127 - 1; a decimal string in the protocol and in vectors. Random requests mostly take one of
    /// these, where there are some: any other would be refused.
    Number(&'static [i128]),
}

/// An input of an op.
#[derive(Debug)]
pub struct InputInfo {
    /// The name in the op's document.
    pub name: &'static str,
    /// A sentence or two for people.
    pub doc: &'static str,
    /// The role that it plays in the op.
    pub role: Role,
    /// The element types that the op accepts.
    pub dtypes: Types,
    /// The extents as documents write them: `[batch, class_size]`.
    pub extents: &'static str,
    /// The numbers of extents that the op accepts.
    pub ranks: RangeInclusive<usize>,
    /// Whether a request must have it. An adapter announces an optional input as a feature.
    pub required: bool,
}

/// The role of an input in its op. Tests choose values by it, and reports choose words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The output's extents.
    Extents,
    /// The number of elements in each row of the output.
    Count,
    /// The lower bound of the output, inclusive.
    Lower,
    /// The upper bound of the output, exclusive.
    Upper,
    /// A parameter of the distribution. A search that is not told it tries this number.
    Parameter(&'static str),
    /// A row of weights per row of the output, or their logarithms.
    Weights,
    /// Uniform numbers in `[0, 1]` in place of drawn ones.
    Draws,
    /// How probable each element is.
    Probability,
    /// A number for each row of the output: a seed, a position, a temperature.
    PerRow,
    /// What the elements of the output are made of, one by one: probabilities, or what is rearranged, dropped or imitated.
    Elements,
    /// A number that selects something: one of these.
    Choice(&'static [i64]),
    /// Words of any bits: a seed, a key, a counter, a state. These are the smallest extents.
    Words(&'static [u64]),
    /// A key that an op makes of a seed, in a list of as many words as the value of an attribute says.
    Key {
        /// The attribute.
        attribute: &'static str,
        /// The number of words for each of its values; that of the first is the smallest.
        words: &'static [(&'static str, u64)],
    },
}

impl Role {
    /// The extents of words of any bits, a key's by the value of the attribute that it depends on; `None` for other roles.
    ///
    /// ```
    /// use seedproof_ops::OpName;
    ///
    /// // The state of DirectML's generator: four words of counter and two of key.
    /// let state = OpName::DmlRandomGenerator.description().input("input_state");
    /// assert_eq!(state.and_then(|info| info.role.words(|_| None)), Some(vec![1, 1, 1, 6]));
    /// ```
    pub fn words(self, value: impl FnOnce(&str) -> Option<String>) -> Option<Vec<u64>> {
        match self {
            Self::Words(dims) => Some(dims.to_vec()),
            Self::Key { attribute, words } => {
                let value = value(attribute);
                let of_value = words.iter().find(|(name, _)| Some(*name) == value.as_deref());
                of_value.or(words.first()).map(|&(_, count)| vec![count])
            }
            _ => None,
        }
    }

    /// The kind of rejection for a value that the op forbids there.
    pub const fn kind(self) -> ErrorKind {
        match self {
            Self::Extents => ErrorKind::Shape,
            Self::Count => ErrorKind::Samples,
            Self::Lower
            | Self::Upper
            | Self::Draws
            | Self::Probability
            | Self::Parameter(_)
            | Self::PerRow
            | Self::Elements => ErrorKind::Range,
            Self::Weights => ErrorKind::Probabilities,
            Self::Choice(_) => ErrorKind::Attribute,
            Self::Words(_) | Self::Key { .. } => ErrorKind::State,
        }
    }
}

impl InputInfo {
    /// Whether a tensor has extents that the op forbids there, where these do not depend on other inputs.
    pub(crate) fn is_misshapen(&self, tensor: &Tensor) -> bool {
        let dims = tensor.shape().dims();
        let of_role = match self.role {
            Role::Lower
            | Role::Upper
            | Role::Count
            | Role::Probability
            | Role::Parameter(_)
            | Role::Choice(_) => tensor.count() != 1,
            Role::Weights => dims.last() == Some(&0),
            Role::Words(smallest) => !dims
                .iter()
                .map(|&dim| u64::try_from(dim))
                .eq(smallest.iter().map(|&dim| Ok(dim))),
            Role::Extents | Role::Draws | Role::PerRow | Role::Key { .. } | Role::Elements => return false,
        };
        of_role || !self.ranks.contains(&dims.len())
    }
}

/// The element types of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Types {
    /// One of these. Where vectors leave out the type, it is the first.
    OneOf(&'static [Dtype]),
    /// The value of the attribute of this name.
    Attribute(&'static str),
}

/// An output of an op.
#[derive(Debug)]
pub struct OutputInfo {
    /// The name in vectors, in the protocol and in reports.
    pub name: &'static str,
    /// The element type and extents as documents write them.
    pub form: &'static str,
}

/// The element type and the extents of an output, outermost first.
pub type OutputForm = (Dtype, Vec<u64>);

/// The value of an attribute, without the types of its op.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttributeValue {
    /// The value of an enumeration or an element type: a name, or a text that is not one of the names.
    Text(String),
    /// Of a seed.
    Seed(u64),
    /// Of a truth value.
    Boolean(bool),
    /// Of a list of extents.
    Extents(Vec<u64>),
    /// Of a number.
    Number(i128),
}

impl Op {
    /// The attribute of this name.
    pub fn attribute(&self, name: &str) -> Option<&'static AttributeInfo> {
        self.attributes.iter().find(|info| info.name == name)
    }

    /// The input of this name.
    pub fn input(&self, name: &str) -> Option<&'static InputInfo> {
        self.inputs.iter().find(|info| info.name == name)
    }

    /// The names of attributes, then of inputs.
    ///
    /// ```
    /// use seedproof_ops::OpName;
    ///
    /// let names: Vec<&str> = OpName::DmlRandomGenerator.description().names().collect();
    /// assert_eq!(names, ["type", "feature_level", "output_sizes", "output_state", "input_state"]);
    /// ```
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        let attributes = self.attributes.iter().map(|info| info.name);
        attributes.chain(self.inputs.iter().map(|info| info.name))
    }

    /// The features that an adapter announces for this op, beside those that the protocol defines for every op.
    ///
    /// ```
    /// use seedproof_ops::OpName;
    ///
    /// assert!(OpName::Multinomial.description().features().any(|feature| feature == "draws"));
    /// ```
    pub fn features(&self) -> impl Iterator<Item = &'static str> {
        let outputs = self
            .attributes
            .iter()
            .filter(|info| info.kind == Kind::WithOutput)
            .map(|info| info.name);
        outputs.chain(
            self.inputs
                .iter()
                .filter(|info| !info.required)
                .map(|info| info.name),
        )
    }
}
