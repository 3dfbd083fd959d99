//! The named readings: implementations that ship.

mod base;
mod samplers;
mod stateless;

use std::borrow::Cow;

use crate::answers::{
    AngleIn, AtMaximum, Bf16Rounding, BothZero, CdfRounding, CdfType, CounterLength, Divisor, Draws,
    EmptyOutput, Excluded, Execution, Executions, Exponent, F16Rounding, FloatBounds, Forms, Formula,
    Functions, HalfKernel, HalfSteps, Has, IntegerBounds, IntegerWords, JaxScale, NoMatch, NormalScale,
    Normalize, OnnxDraws, OnnxOne, PhiloxUnit, Probabilities, Reduction, RunsAs, SampleCount, SamplesType,
    Scale, Scope, SeedCount, SeedRoles, SeedWidth, Select, Strides, Subnormals, Through, Types, UniformTypes,
    UnsignedRange, WordsFrom,
};
use crate::reading::Reading;

use base::{NOTHING, reading};
use stateless::{iree, jax, jax_x32, tensorflow_xla, torch_stateless, xla};

/// Every named reading: `spec`, then the implementations that ship.
pub fn named() -> Vec<Reading> {
    let torch = |name, fused_name, change: &dyn Fn(&mut Reading)| {
        let mut plain = torch(name);
        change(&mut plain);
        let mut fused = plain.clone();
        fused.name = Cow::Borrowed(fused_name);
        fused.mt_scale.formula = Formula::Fused;
        // The wheel's kernel for AVX2 is another, by hand; single normals are compiled with fused operations.
        fused.torch_normal.functions = Functions::Cephes;
        fused.torch_normal.angle = AngleIn::Single;
        fused.torch_normal.scale = NormalScale::Once;
        fused.torch_single.scale = NormalScale::Once;
        [fused, plain]
    };
    let mut readings = vec![
        Reading::spec(),
        openvino_core(),
        openvino_template(),
        openvino_cpu(),
        openvino_cpu_f16(),
        openvino_cpu_f16_without(),
        openvino_cpu_avx2(),
        tensorflow(),
        tensorflow_xla(),
        onnxruntime(),
        onnx_reference(),
        openvino_onnx(),
        litert(),
        xla(),
        iree(),
        jax(
            "jax-0.10",
            "JAX 0.10.2 on x86-64, CPU, compiled, with jax_enable_x64",
            JaxScale::Fused,
        ),
        jax(
            "jax-0.10-nojit",
            "JAX 0.10.2 on x86-64, CPU, under jax.disable_jit, with jax_enable_x64",
            JaxScale::Separate,
        ),
        jax_x32(),
    ];
    readings.extend(torch("torch-1.13-nofma", "torch-1.13", &|reading| {
        reading.observed = "PyTorch 1.13.1, 2.3.1 and 2.6.0 on x86-64";
        reading.mt_integer.words = IntegerWords::RangeFrom2p32;
    }));
    readings.extend(torch("torch-2.7-nofma", "torch-2.7", &|reading| {
        reading.observed = "PyTorch 2.7.1, 2.8.0, 2.10.0 and 2.11.0 on x86-64";
    }));
    let since_2_12 = |reading: &mut Reading| {
        reading.types.f16 = RunsAs::Narrow;
        reading.types.bf16 = RunsAs::Narrow;
        reading.mt_scale.at_maximum = AtMaximum::Minimum;
        reading.scope.torch_normal = Has::Yes;
        reading.scope.torch_samplers = Has::Yes;
    };
    readings.extend(torch("torch-2.12-nofma", "torch-2.12", &|reading| {
        since_2_12(reading);
        reading.observed = "PyTorch 2.12.0 and 2.12.1 on x86-64";
        reading.torch_normal.scale = NormalScale::Twice;
        reading.torch_fill.half_kernel = HalfKernel::Plain;
    }));
    readings.extend(torch("torch-2.15-nofma", "torch-2.15", &|reading| {
        since_2_12(reading);
        reading.observed = "PyTorch 2.13.0, 2.14.1 and 2.15.0 on x86-64";
    }));
    readings.extend([
        torch_stateless(
            "torch-2.14-stateless",
            "PyTorch 2.14.0 on x86-64, torch.func._random",
            Has::No,
        ),
        torch_stateless(
            "torch-2.15-stateless",
            "PyTorch 2.15.0 on x86-64, torch.func._random",
            Has::Yes,
        ),
    ]);
    readings.extend(samplers::samplers());
    readings
}

/// The named reading called `name`.
pub fn find(name: &str) -> Option<Reading> {
    named().into_iter().find(|reading| reading.name == name)
}

/// OpenVINO's 16-bit roundings, with their two defects.
fn openvino_roundings(scale: &mut Scale) {
    scale.f16 = F16Rounding::OpenVino;
    scale.f16_range = F16Rounding::OpenVino;
    scale.bf16 = Bf16Rounding::OpenVino;
    scale.bf16_range = Bf16Rounding::OpenVino;
}

fn openvino_core() -> Reading {
    let mut reading = reading(
        "openvino-core-2026.4",
        "OpenVINO 2026.4.1, Node.evaluate of the core library, x86-64",
    );
    reading.scope = Scope {
        tensorflow: Has::Yes,
        pytorch: Has::Yes,
        ..NOTHING
    };
    openvino_roundings(&mut reading.philox_scale);
    openvino_roundings(&mut reading.mt_scale);
    reading.validation.integer_bounds = IntegerBounds::LessAsF64;
    reading.executions.tensorflow = Execution::Blocks256;
    reading.executions.pytorch = Execution::Afresh;
    reading
}

fn openvino_template() -> Reading {
    let mut reading = reading(
        "openvino-template-2024",
        "OpenVINO's reference of Multinomial, as its template plugin runs it, compiled from the sources of 2024",
    );
    reading.scope = Scope {
        multinomial: Has::Yes,
        ..NOTHING
    };
    unchecked_multinomial(&mut reading);
    reading.multinomial.cdf = CdfType::OfProbs;
    reading.multinomial.draws = Draws::OfProbs;
    reading.multinomial.no_match = NoMatch::ZeroThenPastRow;
    reading
}

/// The common answers of OpenVINO's two implementations of Multinomial.
fn unchecked_multinomial(reading: &mut Reading) {
    reading.validation.probabilities = Probabilities::Unchecked;
    reading.validation.samples = SampleCount::Any;
    reading.multinomial.rounding = CdfRounding::OpenVino;
    reading.multinomial.excluded = Excluded::None;
    reading.multinomial.divisor = Divisor::OneLessShare;
    reading.executions.multinomial = Execution::Afresh;
}

fn openvino_cpu() -> Reading {
    let mut reading = reading(
        "openvino-cpu-2026.4",
        "OpenVINO 2026.4.1, CPU plugin, x86-64 with AVX-512, precision hint f32",
    );
    reading.scope = Scope {
        tensorflow: Has::Yes,
        pytorch: Has::Yes,
        multinomial: Has::Yes,
        scalar_shape: Has::Unwritten,
        ..NOTHING
    };
    reading.types = Types {
        f16: RunsAs::Narrow,
        f64: RunsAs::Narrow,
        i64: RunsAs::Narrow,
        bf16: RunsAs::Native,
    };
    reading.philox_scale.formula = Formula::Fused;
    reading.philox_scale.bf16_steps = HalfSteps::RangeAndEnd;
    reading.philox_scale.bf16_range = Bf16Rounding::OpenVino;
    reading.philox_scale.f16_range = F16Rounding::OpenVino;
    reading.philox_scale.subnormals = Subnormals::UnpredictableButBf16;
    reading.philox_integer.reduction = Reduction::SignedRange;
    reading.mt_scale.bf16 = Bf16Rounding::OpenVino;
    reading.mt_scale.bf16_range = Bf16Rounding::OpenVino;
    reading.mt_scale.subnormals = Subnormals::Unpredictable;
    reading.mt_integer.reduction = Reduction::FlooredSignedRange;
    reading.validation.integer_bounds = IntegerBounds::LessAsF64;
    unchecked_multinomial(&mut reading);
    reading.validation.samples_type = SamplesType::Integer;
    reading.multinomial.cdf = CdfType::Plugin;
    reading.multinomial.draws = Draws::SeedSeq;
    reading.multinomial.exponent = Exponent::Unrounded;
    reading.multinomial.normalize = Normalize::ByLastFloored;
    reading.multinomial.select = Select::LastInterval;
    reading.multinomial.no_match = NoMatch::Unwritten;
    reading.executions.tensorflow = Execution::Elements256;
    reading.executions.pytorch = Execution::Afresh;
    reading
}

fn openvino_cpu_f16() -> Reading {
    let mut reading = openvino_cpu();
    reading.name = Cow::Borrowed("openvino-cpu-2026.4-f16");
    reading.observed = "OpenVINO 2026.4.1, CPU plugin, x86-64 with AVX-512 FP16, precision hint f16";
    reading.types.f16 = RunsAs::Native;
    reading.mt_scale.f16 = F16Rounding::OpenVino;
    reading.mt_scale.f16_range = F16Rounding::OpenVino;
    reading.multinomial.cdf = CdfType::PluginF16;
    reading
}

/// Without instructions for f16 but with those for bf16, bounds are held within bf16.
fn openvino_cpu_f16_without() -> Reading {
    let mut reading = openvino_cpu();
    reading.name = Cow::Borrowed("openvino-cpu-2026.4-f16-bf16");
    reading.observed =
        "OpenVINO 2026.4.1, CPU plugin, x86-64 with AVX-512 and bf16 but not FP16, precision hint f16";
    reading.philox_scale.bounds = Through::Bf16Limits;
    reading.mt_scale.bounds = Through::Bf16Limits;
    reading
}

/// Without instructions for it, the plugin runs bf16 in f32, as it runs f16 everywhere.
fn openvino_cpu_avx2() -> Reading {
    let mut reading = openvino_cpu();
    reading.name = Cow::Borrowed("openvino-cpu-2026.4-avx2");
    reading.observed =
        "OpenVINO 2026.4.1, CPU plugin, x86-64 with AVX2 and neither AVX-512 nor bf16, any precision hint";
    reading.types.bf16 = RunsAs::Narrow;
    reading.philox_scale.subnormals = Subnormals::FlushedButF16;
    reading.philox_scale.bf16 = Bf16Rounding::OpenVino;
    reading.mt_scale.subnormals = Subnormals::FlushedButF16;
    reading.multinomial.cdf = CdfType::F32;
    reading
}

fn tensorflow() -> Reading {
    let mut reading = reading(
        "tensorflow-2.21",
        "TensorFlow 2.21.0 on x86-64: the raw ops, and tf.random.uniform's scaling of their values",
    );
    reading.scope = Scope {
        tensorflow: Has::Yes,
        key_counter: Has::Yes,
        stateless_uniform: Has::Yes,
        normal: Has::Yes,
        stateless_normal: Has::Yes,
        stateless_truncated: Has::Yes,
        ..NOTHING
    };
    reading.stateless.counter_length = CounterLength::ByNumber;
    reading.stateless.unsigned = UnsignedRange::NoKernel;
    reading.validation.float_bounds = FloatBounds::Any;
    reading.validation.empty_output = EmptyOutput::Unchecked;
    reading.philox_scale.subnormals = Subnormals::FlushedButF16;
    reading.executions.tensorflow = Execution::Elements256Wide;
    reading
}

/// TensorFlow's kernel with seeds of 32 bits; XNNPACK, which flushes, computes the range.
fn litert() -> Reading {
    let mut reading = reading(
        "litert-2.3",
        "LiteRT 2.3.0 on x86-64, CPU with XNNPACK, at most 6 extents: RANDOM_UNIFORM, then SUB, MUL and ADD",
    );
    reading.scope = Scope {
        tensorflow: Has::Yes,
        uniform_types: UniformTypes::Single,
        ..NOTHING
    };
    reading.seeds.global_seed = SeedWidth::SignExtended32;
    reading.seeds.op_seed = SeedWidth::SignExtended32;
    reading.seeds.both_zero = BothZero::OnceCut;
    reading.philox_scale.subnormals = Subnormals::Flushed;
    reading.executions.tensorflow = Execution::Continues;
    reading
}

/// ONNX's ops have one seed, a float, and attributes of f32; the kernels are C++'s library over `minstd_rand0`.
fn onnxruntime() -> Reading {
    let mut reading = reading(
        "onnxruntime-1.31",
        "ONNX Runtime 1.31.1 and 1.32.0 on x86-64, CPU: the random ops of op set 15",
    );
    reading.scope = Scope {
        tensorflow: Has::Yes,
        multinomial: Has::Yes,
        uniform_types: UniformTypes::Wide,
        seeds: SeedCount::One,
        forms: Forms::Logarithms,
        ..NOTHING
    };
    reading.seeds.global_seed = SeedWidth::ThroughF32;
    reading.seeds.op_seed = SeedWidth::ThroughF32;
    reading.seeds.roles = SeedRoles::Summed;
    reading.seeds.both_zero = BothZero::Deterministic;
    reading.stream.words = WordsFrom::Minstd;
    reading.validation.float_bounds = FloatBounds::LessOrEqualAsF32;
    reading.validation.probabilities = Probabilities::Unchecked;
    reading.validation.samples = SampleCount::Positive;
    reading.philox_convert.unit = PhiloxUnit::Canonical;
    reading.philox_scale.bounds = Through::F32;
    reading.multinomial.exponent = Exponent::LessFinite;
    reading.multinomial.normalize = Normalize::DrawsByLast;
    reading.multinomial.select = Select::Below;
    reading.multinomial.excluded = Excluded::None;
    reading.multinomial.no_match = NoMatch::Count;
    reading.executions.tensorflow = Execution::Continues;
    reading.executions.multinomial = Execution::Continues;
    reading.onnx_random.draws = OnnxDraws::Session;
    reading.onnx_random.one = OnnxOne::Greater;
    reading
}

fn onnx_reference() -> Reading {
    let mut reading = reading(
        "onnx-reference-1.23",
        "ReferenceEvaluator of onnx 1.23.2, with NumPy 2.4.6",
    );
    reading.scope = NOTHING;
    reading.onnx_random.draws = OnnxDraws::RandomState;
    reading
}

/// The draws are those of the plugin's own ops.
fn openvino_onnx() -> Reading {
    let mut reading = openvino_cpu();
    reading.name = Cow::Borrowed("openvino-onnx-2026.4");
    reading.observed = "OpenVINO 2026.4.1, ONNX frontend and CPU plugin, x86-64, precision hint f32";
    reading.scope = Scope {
        scalar_shape: Has::Unwritten,
        ..NOTHING
    };
    reading.onnx_random.draws = OnnxDraws::Plugin;
    reading.onnx_random.one = OnnxOne::Greater;
    reading
}

fn torch(name: &'static str) -> Reading {
    let mut reading = reading(name, "PyTorch");
    reading.scope = Scope {
        pytorch: Has::Yes,
        ..NOTHING
    };
    reading.validation.float_bounds = FloatBounds::FiniteLessOrEqual;
    reading.validation.strides = Strides::Fit;
    reading.seeds.both_zero = BothZero::Deterministic;
    reading.mt_integer.words = IntegerWords::RangeFrom2p28;
    reading.executions = Executions {
        pytorch: Execution::Continues,
        ..Executions::default()
    };
    reading
}
