//! The oracle: the reading `spec` of every op, literally.
//!
//! Every formula of the documents is one function here, in the documents' names and order, and says which
//! clause it is: `[ru8.philox.mul]`. Where the text is wrong, or leaves a choice, the line that departs from
//! it names the erratum that says why. [`spec`] holds the clauses and the errata themselves.
//!
//! * [`philox`], [`mt19937`], [`threefry`]: the generators.
//! * [`convert`]: words to numbers, a file per element type.
//! * [`random_uniform`], [`multinomial`], [`dml_random_generator`], [`rng_bit_generator`] and the others: the ops.
//!   Each checks a request once and keeps the proof in a `Plan`, which then only draws.
//! * [`Reference`], [`run`] and [`stages`]: the ops as a backend.
//!
//! ```
//! use seedproof_ops::{Alignment, Attribute, Dtype, Limits, RandomUniform, Request, Tensor};
//!
//! // Nine f32 in [0, 1) for the seeds 150 and 10, drawn from Philox.
//! let request = RandomUniform::new(Alignment::Tensorflow, &[9], [0.0_f32, 1.0], [150, 10]);
//! let request = Request::RandomUniform(request);
//! // The last argument replaces `global_seed` where both seeds are zero.
//! let response = seedproof_reference::run(&request, &Limits::default(), 0).expect("the request is valid");
//! let bits: Vec<u32> = response.output.elements::<f32>().expect("the output is of f32").map(f32::to_bits).collect();
//! assert_eq!(bits[..3], [0x3f337cd6, 0x3e9c5ce8, 0x3f7076a8]);
//! ```
//!
//! Deliberately absent: every other reading, speed beyond a plain loop, files, clocks, and a source of
//! entropy (the caller passes it).
#![forbid(unsafe_code)]

/// Gives a macro the list of ops: the request, the module, and the stem of its file in `spec`.
macro_rules! ops {
    ($macro:ident) => {
        $macro! {
            CurandPhilox, curand, "curand-philox";
            DmlRandomGenerator, dml_random_generator, "dml-random-generator";
            InductorRandint, inductor_randint, "inductor-randint";
            InductorRandom, inductor_random, "inductor-random";
            JaxBernoulli, jax_bernoulli, "jax-bernoulli";
            JaxBits, jax_bits, "jax-bits";
            JaxCategorical, jax_categorical, "jax-categorical";
            JaxFoldIn, jax_fold_in, "jax-fold-in";
            JaxGumbel, jax_gumbel, "jax-gumbel";
            JaxKey, jax_key, "jax-key";
            JaxNormal, jax_normal, "jax-normal";
            JaxPermutation, jax_permutation, "jax-permutation";
            JaxRandint, jax_randint, "jax-randint";
            JaxSplit, jax_split, "jax-split";
            JaxUniform, jax_uniform, "jax-uniform";
            LitertRandomStandardNormal, litert_random_standard_normal, "litert-random-standard-normal";
            LitertRandomUniform, litert_random_uniform, "litert-random-uniform";
            Multinomial, multinomial, "multinomial-13";
            NumpyIntegers, numpy_integers, "numpy-integers";
            NumpyPermutation, numpy_permutation, "numpy-permutation";
            NumpyRandom, numpy_random, "numpy-random";
            OnnxBernoulli, onnx_bernoulli, "onnx-bernoulli";
            OnnxInitPrng, onnx_init_prng, "onnx-init-prng";
            OnnxMultinomial, onnx_multinomial, "onnx-multinomial";
            OnnxRandomNormal, onnx_random_normal, "onnx-random-normal";
            OnnxRandomNormalLike, onnx_random_normal_like, "onnx-random-normal-like";
            OnnxRandomUniform, onnx_random_uniform, "onnx-random-uniform";
            OnnxRandomUniformLike, onnx_random_uniform_like, "onnx-random-uniform-like";
            OnnxSplitPrng, onnx_split_prng, "onnx-split-prng";
            PhiloxKeyFoldIn, philox_key_fold_in, "philox-key-fold-in";
            PhiloxKeySplit, philox_key_split, "philox-key-split";
            PhiloxNormal, philox_normal, "philox-normal";
            PhiloxRandint, philox_randint, "philox-randint";
            PhiloxUniform, philox_uniform, "philox-uniform";
            RandomShuffle, random_shuffle, "random-shuffle";
            RandomStandardNormal, random_standard_normal, "random-standard-normal";
            RandomStatePermutation, random_state_permutation, "random-state-permutation";
            RandomStateRand, random_state_rand, "random-state-rand";
            RandomStateRandint, random_state_randint, "random-state-randint";
            RandomStateRandn, random_state_randn, "random-state-randn";
            RandomUniform, random_uniform, "random-uniform-8";
            RngBitGenerator, rng_bit_generator, "rng-bit-generator";
            SglangMultinomialWithSeed, sglang_multinomial_with_seed, "sglang-multinomial-with-seed";
            SglangMurmurHash32, sglang_murmur_hash32, "sglang-murmur-hash32";
            StatelessMultinomial, stateless_multinomial, "stateless-multinomial";
            StatelessRandomGetKeyCounter, key_counter, "stateless-random-get-key-counter";
            StatelessRandomNormal, stateless_normal, "stateless-random-normal";
            StatelessRandomUniform, stateless_uniform, "stateless-random-uniform";
            StatelessRandomUniformFullInt, stateless_uniform_full_int, "stateless-random-uniform-full-int";
            StatelessRandomUniformInt, stateless_uniform_int, "stateless-random-uniform-int";
            StatelessShuffle, stateless_shuffle, "stateless-shuffle";
            StatelessTruncatedNormal, stateless_truncated_normal, "stateless-truncated-normal";
            TensorflowMultinomial, tensorflow_multinomial, "tensorflow-multinomial";
            TorchBernoulli, torch_bernoulli, "torch-bernoulli";
            TorchBernoulliInPlace, torch_bernoulli_in_place, "torch-bernoulli-in-place";
            TorchCudaBernoulli, torch_cuda_bernoulli, "torch-cuda-bernoulli";
            TorchCudaNormal, torch_cuda_normal, "torch-cuda-normal";
            TorchCudaRandom, torch_cuda_random, "torch-cuda-random";
            TorchCudaUniform, torch_cuda_uniform, "torch-cuda-uniform";
            TorchDropout, torch_dropout, "torch-dropout";
            TorchExponential, torch_exponential, "torch-exponential";
            TorchMultinomial, torch_multinomial, "torch-multinomial";
            TorchNormal, torch_normal, "torch-normal";
            TorchRandperm, torch_randperm, "torch-randperm";
            TruncatedNormal, truncated_normal, "truncated-normal";
            TritonRand, triton_rand, "triton-rand";
            TritonRandint, triton_randint, "triton-randint";
            VllmGumbelSample, vllm_gumbel_sample, "vllm-gumbel-sample";
            VllmMurmur3Uniform, vllm_murmur3_uniform, "vllm-murmur3-uniform";
        }
    };
}
pub(crate) use ops;

mod backend;
pub mod cephes;
pub mod convert;
pub mod curand;
pub mod dml_random_generator;
mod fill;
pub mod jax;
pub mod key_counter;
pub mod litert;
pub mod mt19937;
pub mod multinomial;
pub mod numpy;
pub mod onnx;
pub mod philox;
mod philox_key;
pub mod philox_key_fold_in;
pub mod philox_key_split;
pub mod philox_normal;
pub mod philox_randint;
pub mod philox_uniform;
pub mod random_standard_normal;
pub mod random_state;
pub mod random_uniform;
pub mod rng_bit_generator;
pub mod servers;
pub mod spec;
mod stateless;
pub mod stateless_normal;
pub mod stateless_truncated_normal;
pub mod stateless_uniform;
pub mod stateless_uniform_full_int;
pub mod stateless_uniform_int;
mod tensorflow_normal;
pub mod tensorflow_samplers;
pub mod threefry;
pub mod torch;
pub mod torch_cuda;
pub mod torch_normal;
pub mod triton;
pub mod truncated_normal;
mod validate;

pub use backend::{Reference, run, stages};
use jax::{
    bernoulli as jax_bernoulli, bits as jax_bits, categorical as jax_categorical, fold_in as jax_fold_in,
    gumbel as jax_gumbel, key as jax_key, normal as jax_normal, permutation as jax_permutation,
    randint as jax_randint, split as jax_split, uniform as jax_uniform,
};
use litert::{
    random_standard_normal as litert_random_standard_normal, random_uniform as litert_random_uniform,
};
use numpy::{integers as numpy_integers, permutation as numpy_permutation, random as numpy_random};
use onnx::{
    init_prng as onnx_init_prng,
    open::{
        bernoulli as onnx_bernoulli, multinomial as onnx_multinomial, random_normal as onnx_random_normal,
        random_normal_like as onnx_random_normal_like, random_uniform_like as onnx_random_uniform_like,
    },
    random_uniform as onnx_random_uniform, split_prng as onnx_split_prng,
};
use random_state::{
    permutation as random_state_permutation, rand as random_state_rand, randint as random_state_randint,
    randn as random_state_randn,
};
use servers::{
    gumbel_sample as vllm_gumbel_sample, multinomial_with_seed as sglang_multinomial_with_seed,
    murmur_hash32 as sglang_murmur_hash32, murmur3_uniform as vllm_murmur3_uniform,
};
use tensorflow_samplers::{
    multinomial as tensorflow_multinomial, random_shuffle, stateless_multinomial, stateless_shuffle,
};
use torch::{
    bernoulli as torch_bernoulli, bernoulli_in_place as torch_bernoulli_in_place, dropout as torch_dropout,
    exponential as torch_exponential, multinomial as torch_multinomial, randperm as torch_randperm,
};
use torch_cuda::{
    bernoulli as torch_cuda_bernoulli, normal as torch_cuda_normal, random as torch_cuda_random,
    uniform as torch_cuda_uniform,
};
use triton::{inductor_randint, inductor_random, rand as triton_rand, randint as triton_randint};
