//! The registry of clauses and errata.

use std::sync::OnceLock;

use seedproof_corpus::Registry;

/// The clauses and errata of the specifications.
///
/// ```
/// let mut clauses = seedproof::registry().clauses();
/// assert!(clauses.any(|clause| clause.id.as_str() == "ru8.philox.round"));
/// ```
///
/// # Panics
/// Never: a test reads what is built in.
pub fn registry() -> &'static Registry {
    static REGISTRY: OnceLock<Registry> = OnceLock::new();
    REGISTRY.get_or_init(|| {
        Registry::parse(
            seedproof_reference::spec::CLAUSES,
            seedproof_reference::spec::ERRATA,
        )
        .expect("the tests read the registry that is built in")
    })
}

/// A document to which clauses and errata refer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Document {
    /// Its id in the registry: `openvino-random-uniform-8`.
    pub id: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Its address on the web.
    pub url: &'static str,
}

const DOCUMENTS: [Document; 34] = [
    Document {
        id: "openvino-random-uniform-8",
        title: "OpenVINO RandomUniform-8",
        url: "https://github.com/openvinotoolkit/openvino/blob/master/docs/articles_en/documentation/openvino-ir-format/operation-sets/operation-specs/generation/random-uniform-8.rst",
    },
    Document {
        id: "openvino-multinomial-13",
        title: "OpenVINO Multinomial-13",
        url: "https://github.com/openvinotoolkit/openvino/blob/master/docs/articles_en/documentation/openvino-ir-format/operation-sets/operation-specs/generation/multinomial-13.rst",
    },
    Document {
        id: "directml-random-generator",
        title: "DirectML DML_RANDOM_GENERATOR_OPERATOR_DESC",
        url: "https://learn.microsoft.com/en-us/windows/win32/api/directml/ns-directml-dml_random_generator_operator_desc",
    },
    Document {
        id: "directml-random-generator-zh-tw",
        title: "DirectML DML_RANDOM_GENERATOR_OPERATOR_DESC (zh-tw)",
        url: "https://learn.microsoft.com/zh-tw/windows/win32/api/directml/ns-directml-dml_random_generator_operator_desc",
    },
    Document {
        id: "tensorflow-stateless-random-get-key-counter",
        title: "TensorFlow StatelessRandomGetKeyCounter",
        url: "https://www.tensorflow.org/api_docs/python/tf/raw_ops/StatelessRandomGetKeyCounter",
    },
    Document {
        id: "stablehlo-rng-bit-generator",
        title: "StableHLO rng_bit_generator",
        url: "https://github.com/openxla/stablehlo/blob/main/docs/spec.md#rng_bit_generator",
    },
    Document {
        id: "tensorflow-stateless-random-uniform-v2",
        title: "TensorFlow StatelessRandomUniformV2",
        url: "https://www.tensorflow.org/api_docs/python/tf/raw_ops/StatelessRandomUniformV2",
    },
    Document {
        id: "tensorflow-stateless-random-uniform-int-v2",
        title: "TensorFlow StatelessRandomUniformIntV2",
        url: "https://www.tensorflow.org/api_docs/python/tf/raw_ops/StatelessRandomUniformIntV2",
    },
    Document {
        id: "tensorflow-stateless-random-uniform-full-int-v2",
        title: "TensorFlow StatelessRandomUniformFullIntV2",
        url: "https://www.tensorflow.org/api_docs/python/tf/raw_ops/StatelessRandomUniformFullIntV2",
    },
    Document {
        id: "torch-func-random",
        title: "PyTorch torch.func._random",
        url: "https://github.com/pytorch/pytorch/blob/main/torch/func/_random.py",
    },
    Document {
        id: "jax-random",
        title: "JAX jax.random",
        url: "https://docs.jax.dev/en/latest/jax.random.html",
    },
    Document {
        id: "onnx-8161",
        title: "ONNX RandomUniform, draft onnx/onnx#8161",
        url: "https://github.com/onnx/onnx/pull/8161",
    },
    Document {
        id: "onnx-8420",
        title: "ONNX InitPRNG and SplitPRNG, draft onnx/onnx#8420",
        url: "https://github.com/onnx/onnx/pull/8420",
    },
    Document {
        id: "onnx-operators",
        title: "ONNX operators",
        url: "https://onnx.ai/onnx/operators/",
    },
    Document {
        id: "tensorflow-random-standard-normal",
        title: "TensorFlow RandomStandardNormal",
        url: "https://www.tensorflow.org/api_docs/python/tf/raw_ops/RandomStandardNormal",
    },
    Document {
        id: "tensorflow-truncated-normal",
        title: "TensorFlow TruncatedNormal",
        url: "https://www.tensorflow.org/api_docs/python/tf/raw_ops/TruncatedNormal",
    },
    Document {
        id: "tensorflow-stateless-random-normal-v2",
        title: "TensorFlow StatelessRandomNormalV2",
        url: "https://www.tensorflow.org/api_docs/python/tf/raw_ops/StatelessRandomNormalV2",
    },
    Document {
        id: "tensorflow-stateless-truncated-normal-v2",
        title: "TensorFlow StatelessTruncatedNormalV2",
        url: "https://www.tensorflow.org/api_docs/python/tf/raw_ops/StatelessTruncatedNormalV2",
    },
    Document {
        id: "tensorflow-random-shuffle",
        title: "TensorFlow RandomShuffle",
        url: "https://www.tensorflow.org/api_docs/python/tf/raw_ops/RandomShuffle",
    },
    Document {
        id: "tensorflow-stateless-shuffle",
        title: "TensorFlow StatelessShuffle",
        url: "https://www.tensorflow.org/api_docs/python/tf/raw_ops/StatelessShuffle",
    },
    Document {
        id: "tensorflow-multinomial",
        title: "TensorFlow Multinomial",
        url: "https://www.tensorflow.org/api_docs/python/tf/raw_ops/Multinomial",
    },
    Document {
        id: "tensorflow-stateless-multinomial",
        title: "TensorFlow StatelessMultinomial",
        url: "https://www.tensorflow.org/api_docs/python/tf/raw_ops/StatelessMultinomial",
    },
    Document {
        id: "torch-normal",
        title: "PyTorch Tensor.normal_",
        url: "https://docs.pytorch.org/docs/stable/generated/torch.Tensor.normal_.html",
    },
    Document {
        id: "vllm-gumbel",
        title: "vLLM gumbel_sample",
        url: "https://github.com/vllm-project/vllm/blob/main/vllm/v1/worker/gpu/sample/gumbel.py",
    },
    Document {
        id: "sglang-sampler",
        title: "SGLang multinomial_with_seed",
        url: "https://github.com/sgl-project/sglang/blob/main/python/sglang/srt/layers/sampler.py",
    },
    Document {
        id: "triton-random",
        title: "Triton triton.language.random",
        url: "https://github.com/triton-lang/triton/blob/main/python/triton/language/random.py",
    },
    Document {
        id: "torch-inductor-decomp",
        title: "PyTorch inductor",
        url: "https://github.com/pytorch/pytorch/blob/main/torch/_inductor/inductor_prims.py",
    },
    Document {
        id: "litert-random-ops",
        title: "LiteRT random ops",
        url: "https://github.com/google-ai-edge/LiteRT/blob/main/tflite/kernels/random_ops.cc",
    },
    Document {
        id: "curand-host",
        title: "cuRAND host API",
        url: "https://docs.nvidia.com/cuda/curand/host-api-overview.html",
    },
    Document {
        id: "torch-random-sampling",
        title: "PyTorch random sampling",
        url: "https://docs.pytorch.org/docs/stable/torch.html#random-sampling",
    },
    Document {
        id: "torch-cuda-draws",
        title: "PyTorch draws on CUDA",
        url: "https://github.com/pytorch/pytorch/blob/main/aten/src/ATen/native/cuda/DistributionTemplates.h",
    },
    Document {
        id: "numpy-generator",
        title: "NumPy Generator",
        url: "https://numpy.org/doc/stable/reference/random/generator.html",
    },
    Document {
        id: "numpy-bit-generators",
        title: "NumPy bit generators",
        url: "https://numpy.org/doc/stable/reference/random/bit_generators/index.html",
    },
    Document {
        id: "numpy-random-state",
        title: "NumPy RandomState",
        url: "https://numpy.org/doc/stable/reference/random/legacy.html",
    },
];

/// A document by its id.
///
/// ```
/// let document = seedproof::document("openvino-random-uniform-8").expect("clauses are from it");
/// assert_eq!(document.title, "OpenVINO RandomUniform-8");
/// ```
pub fn document(id: &str) -> Option<&'static Document> {
    DOCUMENTS.iter().find(|document| document.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_of_the_registry_have_a_name_and_an_address() {
        let clauses = registry().clauses().map(|clause| &clause.document);
        let errata = registry().errata().map(|erratum| &erratum.document);
        for id in clauses.chain(errata) {
            let document = document(id).unwrap_or_else(|| panic!("{id} has no name"));
            assert!(document.url.starts_with("https://"), "{id}");
        }
    }
}
