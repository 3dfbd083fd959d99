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

/// Gives a macro the list of ops: the request, the module, the stem of its file in `spec`, and `stages` where its `Plan` has them.
///
/// An op has stages if each of its elements is made of as many words as every other, in the order of the elements: an order, a
/// class and what a comparison says are not. The modules of the others say what is in the way.
macro_rules! ops {
    ($macro:ident) => {
        $macro! {
            CurandPhilox, curand, "curand-philox";
            DmlRandomGenerator, dml_random_generator, "dml-random-generator", stages;
            InductorRandint, triton::inductor_randint, "inductor-randint";
            InductorRandom, triton::inductor_random, "inductor-random";
            JaxBernoulli, jax::bernoulli, "jax-bernoulli";
            JaxBits, jax::bits, "jax-bits";
            JaxCategorical, jax::categorical, "jax-categorical";
            JaxFoldIn, jax::fold_in, "jax-fold-in";
            JaxGumbel, jax::gumbel, "jax-gumbel";
            JaxKey, jax::key, "jax-key";
            JaxNormal, jax::normal, "jax-normal";
            JaxPermutation, jax::permutation, "jax-permutation";
            JaxRandint, jax::randint, "jax-randint";
            JaxSplit, jax::split, "jax-split";
            JaxUniform, jax::uniform, "jax-uniform";
            LitertRandomStandardNormal, litert::random_standard_normal, "litert-random-standard-normal", stages;
            LitertRandomUniform, litert::random_uniform, "litert-random-uniform", stages;
            Multinomial, multinomial, "multinomial-13", stages;
            NumpyIntegers, numpy::integers, "numpy-integers";
            NumpyPermutation, numpy::permutation, "numpy-permutation";
            NumpyRandom, numpy::random, "numpy-random";
            OnnxBernoulli, onnx::open::bernoulli, "onnx-bernoulli";
            OnnxInitPrng, onnx::init_prng, "onnx-init-prng";
            OnnxMultinomial, onnx::open::multinomial, "onnx-multinomial";
            OnnxRandomNormal, onnx::open::random_normal, "onnx-random-normal";
            OnnxRandomNormalLike, onnx::open::random_normal_like, "onnx-random-normal-like";
            OnnxRandomUniform, onnx::random_uniform, "onnx-random-uniform";
            OnnxRandomUniformLike, onnx::open::random_uniform_like, "onnx-random-uniform-like";
            OnnxSplitPrng, onnx::split_prng, "onnx-split-prng";
            PhiloxKeyFoldIn, philox_key_fold_in, "philox-key-fold-in", stages;
            PhiloxKeySplit, philox_key_split, "philox-key-split", stages;
            PhiloxNormal, philox_normal, "philox-normal", stages;
            PhiloxRandint, philox_randint, "philox-randint", stages;
            PhiloxUniform, philox_uniform, "philox-uniform", stages;
            RandomShuffle, tensorflow_samplers::random_shuffle, "random-shuffle";
            RandomStandardNormal, random_standard_normal, "random-standard-normal", stages;
            RandomStatePermutation, random_state::permutation, "random-state-permutation";
            RandomStateRand, random_state::rand, "random-state-rand";
            RandomStateRandint, random_state::randint, "random-state-randint";
            RandomStateRandn, random_state::randn, "random-state-randn";
            RandomUniform, random_uniform, "random-uniform-8", stages;
            RngBitGenerator, rng_bit_generator, "rng-bit-generator", stages;
            SglangMultinomialWithSeed, servers::multinomial_with_seed, "sglang-multinomial-with-seed";
            SglangMurmurHash32, servers::murmur_hash32, "sglang-murmur-hash32";
            StatelessMultinomial, tensorflow_samplers::stateless_multinomial, "stateless-multinomial";
            StatelessRandomGetKeyCounter, key_counter, "stateless-random-get-key-counter", stages;
            StatelessRandomNormal, stateless_normal, "stateless-random-normal", stages;
            StatelessRandomUniform, stateless_uniform, "stateless-random-uniform", stages;
            StatelessRandomUniformFullInt, stateless_uniform_full_int, "stateless-random-uniform-full-int", stages;
            StatelessRandomUniformInt, stateless_uniform_int, "stateless-random-uniform-int", stages;
            StatelessShuffle, tensorflow_samplers::stateless_shuffle, "stateless-shuffle";
            StatelessTruncatedNormal, stateless_truncated_normal, "stateless-truncated-normal";
            TensorflowMultinomial, tensorflow_samplers::multinomial, "tensorflow-multinomial";
            TorchBernoulli, torch::bernoulli, "torch-bernoulli";
            TorchBernoulliInPlace, torch::bernoulli_in_place, "torch-bernoulli-in-place";
            TorchCudaBernoulli, torch_cuda::bernoulli, "torch-cuda-bernoulli";
            TorchCudaNormal, torch_cuda::normal, "torch-cuda-normal";
            TorchCudaRandom, torch_cuda::random, "torch-cuda-random";
            TorchCudaUniform, torch_cuda::uniform, "torch-cuda-uniform";
            TorchDropout, torch::dropout, "torch-dropout";
            TorchExponential, torch::exponential, "torch-exponential";
            TorchMultinomial, torch::multinomial, "torch-multinomial";
            TorchNormal, torch_normal, "torch-normal", stages;
            TorchRandperm, torch::randperm, "torch-randperm";
            TruncatedNormal, truncated_normal, "truncated-normal";
            TritonRand, triton::rand, "triton-rand";
            TritonRandint, triton::randint, "triton-randint";
            VllmGumbelSample, servers::gumbel_sample, "vllm-gumbel-sample";
            VllmMurmur3Uniform, servers::murmur3_uniform, "vllm-murmur3-uniform";
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
