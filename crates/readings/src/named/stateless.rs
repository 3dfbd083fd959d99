//! The stateless ops of XLA, IREE, TensorFlow's compiled functions and PyTorch.

use super::base::{NOTHING, reading};
use crate::answers::{
    AngleIn, Compiled, CounterLength, DrawCarry, EmptyRange, F64Words, Functions, HalfUnit, Has, JaxBounds,
    JaxScale, Kernels, KeySeedBits, NoiseLog, NothingToDraw, PhiloxConvert, PhiloxUnit, Scope, SeedBits,
    Strides, Subnormals, ThirdWord, ThreeFryAlgorithm, ThreeFryState,
};
use crate::reading::Reading;

/// The functions that XLA compiles: other bits of the same words.
pub(super) fn tensorflow_xla() -> Reading {
    let mut reading = reading(
        "tensorflow-xla-2.21",
        "TensorFlow 2.21.0 on x86-64, functions compiled by XLA (jit_compile=True)",
    );
    reading.scope = Scope {
        key_counter: Has::Yes,
        stateless_uniform: Has::Yes,
        stateless_normal: Has::Yes,
        ..NOTHING
    };
    reading.tensorflow_normal.functions = Functions::Xla;
    reading.tensorflow_normal.angle = AngleIn::Single;
    reading.normal_fill.kernels = Kernels::Xla;
    reading.philox_convert = PhiloxConvert {
        unit: PhiloxUnit::HighMantissa,
        f16: HalfUnit::OwnLow,
        bf16: HalfUnit::TruncatedF32,
        f64_words: F64Words::FirstLow,
    };
    reading.stateless.seed_bits = SeedBits::Low32;
    reading.stateless.three_fry = ThreeFryAlgorithm::Drawn;
    reading.stateless.empty_output = NothingToDraw::Algorithm;
    reading.stateless.empty_range = EmptyRange::Wraps;
    reading.stateless.counter_length = CounterLength::ByAlgorithm;
    reading
}

pub(super) fn xla() -> Reading {
    let mut reading = reading("xla-cpu-0.10", "XLA on a CPU, through jaxlib 0.10.2, x86-64");
    reading.scope = Scope {
        bit_generator: Has::Yes,
        ..NOTHING
    };
    reading
}

/// IREE has XLA's bits but for two defects.
pub(super) fn iree() -> Reading {
    let mut reading = reading(
        "iree-3.13",
        "IREE 3.13.0, llvm-cpu, x86-64: the third word of a state ignored, the carry of a counter of one word lost",
    );
    reading.scope = Scope {
        bit_generator: Has::Yes,
        ..NOTHING
    };
    reading.bit_generator.third_word = ThirdWord::Ignored;
    reading.bit_generator.three_fry_state = ThreeFryState::TwoOrThree;
    reading.bit_generator.draw_carry = DrawCarry::Lost;
    reading.bit_generator.compiled = Compiled::NotHalvesDoublesEmpty;
    reading
}

/// JAX's `jax.random`, whose functions are compiled by XLA wherever they are called.
pub(super) fn jax(name: &'static str, observed: &'static str, scale: JaxScale) -> Reading {
    let mut reading = reading(name, observed);
    reading.scope = Scope {
        jax: Has::Yes,
        jax_wide: Has::Yes,
        ..NOTHING
    };
    reading.jax_values.scale = scale;
    if scale == JaxScale::Separate {
        reading.jax_values.noise_log = NoiseLog::XlaByItself;
    }
    reading.jax_values.subnormals = Subnormals::FlushedButF16;
    reading
}

/// JAX as it is configured when nothing is said.
pub(super) fn jax_x32() -> Reading {
    let mut reading = jax(
        "jax-0.10-x32",
        "JAX 0.10.2 on x86-64, CPU, compiled, without jax_enable_x64",
        JaxScale::Fused,
    );
    reading.scope.jax_wide = Has::No;
    reading.jax_keys.seed_bits = KeySeedBits::Low32;
    reading.jax_values.bounds = JaxBounds::I32;
    reading
}

/// The functions of `torch.func._random`.
pub(super) fn torch_stateless(name: &'static str, observed: &'static str, philox_randint: Has) -> Reading {
    let mut reading = reading(name, observed);
    reading.scope = Scope {
        philox_keys: Has::Yes,
        philox_randint,
        philox_normal: Has::Yes,
        ..NOTHING
    };
    reading.validation.strides = Strides::Fit;
    reading
}
