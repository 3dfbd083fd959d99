//! The GPU backend against the CPU backend, on every adapter present.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod agreement;
mod keyed;

use std::collections::BTreeSet;
use std::process::ExitCode;

use half::{bf16, f16};
use libtest_mimic::{Arguments, Trial};
use seedproof_gpu::{ABSENT, Gpu, Kernels, adapters, adapters_required, adapters_to_test};
use seedproof_ops::requests::requests_of;
use seedproof_ops::{
    Alignment, Backend, DmlGenerator, DmlRandomGenerator, Dtype, Failure, FeatureLevel, Limits, Multinomial,
    Named as _, OpName, RandomUniform, Request, Scalar, Shape, Support, Tensor,
};

use agreement::{ENTROPY, assert_agree, brief, cpu, gpus};
use keyed::{
    jax_of_several_chunks_agrees_with_the_cpu, jax_permutations_are_unsupported,
    onnx_splits_by_data_agree_with_the_cpu, onnx_uniforms_agree_with_the_cpu,
};

/// Random requests of an op.
const EACH: usize = 100;

/// A test by its name.
type Named = (&'static str, fn());

macro_rules! named {
    ($($test:ident),* $(,)?) => { &[$((stringify!($test), $test as fn())),*] };
}

/// Tests that need an adapter.
const ON_ADAPTERS: &[Named] = named![
    random_requests_agree_with_the_cpu,
    jax_of_several_chunks_agrees_with_the_cpu,
    jax_permutations_are_unsupported,
    onnx_splits_by_data_agree_with_the_cpu,
    onnx_uniforms_agree_with_the_cpu,
    multinomial_of_many_classes_agrees_with_the_cpu,
    uniform_of_several_chunks_agrees_with_the_cpu,
    multinomial_of_several_dispatches_agrees_with_the_cpu,
    multinomial_refuses_draws_without_replacement_that_take_too_long,
    multinomial_refuses_as_the_cpu_does,
    rows_that_no_device_binds_are_unsupported,
    stages_agree_with_the_cpu,
    kernels_that_do_not_compile_are_an_error,
    kernels_that_write_nothing_are_seen,
];
/// Tests of the kernels' texts.
const ANYWHERE: &[Named] = named![kernels_have_no_float_type, float_types_are_found];

/// A runner of its own, because libtest cannot ignore a test for a reason that only shows when it runs: without an adapter
/// these tests would loop over nothing and be reported as passed.
fn main() -> ExitCode {
    let is_absent = adapters().is_empty() && !adapters_required();
    let trial = |&(name, test): &Named| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    };
    let on_adapters = ON_ADAPTERS.iter().map(trial).map(|trial| {
        let kind = if is_absent { ABSENT } else { "" };
        trial.with_kind(kind).with_ignored_flag(is_absent)
    });
    let trials = on_adapters.chain(ANYWHERE.iter().map(trial)).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn uniform(dtype: Dtype, alignment: Alignment, count: usize, bounds: [u64; 2], seeds: [u64; 2]) -> Request {
    let bounds = bounds.map(|bits| Scalar::new(dtype, bits));
    let count = i64::try_from(count).unwrap();
    Request::RandomUniform(RandomUniform::new(alignment, &[count], bounds, seeds))
}

/// A weight of one of many magnitudes, or zero.
fn weight(random: &mut fastrand::Rng) -> f64 {
    match random.u8(..7) {
        0 => 0.0,
        1..5 => random.f64(),
        5 => 2.0_f64.powi(random.i32(-60..20)),
        _ => random.u8(..5).into(),
    }
}

fn probabilities(dtype: usize, rows: u64, classes: u64, weights: &[f64]) -> Tensor {
    let shape = Shape::new(&[rows, classes]).unwrap();
    let narrowed = |x: &f64| {
        #[expect(clippy::cast_possible_truncation, reason = "rounding is meant")]
        {
            *x as f32
        }
    };
    match dtype {
        0 => {
            let list: Vec<f16> = weights.iter().map(|&x| f16::from_f64(x)).collect();
            Tensor::from_elements(shape, &list)
        }
        1 => {
            let list: Vec<bf16> = weights.iter().map(|&x| bf16::from_f64(x)).collect();
            Tensor::from_elements(shape, &list)
        }
        2 => Tensor::from_elements(shape, &weights.iter().map(narrowed).collect::<Vec<f32>>()),
        _ => Tensor::from_elements(shape, weights),
    }
    .unwrap()
}

fn given_draw(random: &mut fastrand::Rng) -> f64 {
    match random.u8(..5) {
        0 => 0.0,
        1 => 1.0,
        2 => -0.0,
        3 => random.f64(),
        _ => random.f64() * 1e-9,
    }
}

/// Rows of up to 700 classes, of which random requests have six: a group of threads sums more than it has threads.
fn wide_multinomial(random: &mut fastrand::Rng) -> Request {
    let (rows, classes, samples) = (random.u64(1..6), random.u64(1..700), random.u64(..40));
    let weights: Vec<f64> = (0..rows * classes).map(|_| weight(random)).collect();
    let draws = random.bool().then(|| {
        let draws: Vec<f64> = (0..rows * samples).map(|_| given_draw(random)).collect();
        Tensor::from_elements(Shape::new(&[rows, samples]).unwrap(), &draws).unwrap()
    });
    Request::Multinomial(Multinomial {
        probs: probabilities(random.usize(..4), rows, classes, &weights),
        num_samples: Tensor::scalar(samples.cast_signed()),
        draws,
        convert_type: if random.bool() { Dtype::I64 } else { Dtype::I32 }.into(),
        with_replacement: random.bool(),
        log_probs: random.bool(),
        global_seed: random.u64(..),
        op_seed: random.u64(..),
        execution: 0,
    })
}

/// Requests of each op, also of those that a GPU has not: `supports` and `run` are to say so alike.
fn random_requests_agree_with_the_cpu() {
    for gpu in gpus() {
        let mut answered = BTreeSet::new();
        for &op in OpName::ALL {
            let mut random = fastrand::Rng::with_seed(1);
            for request in requests_of(op, EACH, &mut || random.u64(..)) {
                if let Support::Unsupported(_) = gpu.supports(&request) {
                    assert!(
                        matches!(gpu.run(&request), Err(Failure::Unsupported(_))),
                        "{}",
                        brief(&request)
                    );
                    continue;
                }
                assert_agree(&gpu, &request);
                if cpu().run(&request).is_ok() {
                    answered.insert(op.name());
                }
            }
        }
        assert_eq!(answered.len(), 22, "{answered:?}");
    }
}

fn multinomial_of_many_classes_agrees_with_the_cpu() {
    let mut random = fastrand::Rng::with_seed(1);
    for gpu in gpus() {
        for _ in 0..200 {
            assert_agree(&gpu, &wide_multinomial(&mut random));
        }
    }
}

/// Outputs that take more than one chunk, so that the counter and the state are carried.
fn uniform_of_several_chunks_agrees_with_the_cpu() {
    let one = |dtype, alignment, count, bounds| uniform(dtype, alignment, count, bounds, [150, u64::MAX]);
    for gpu in gpus().into_iter().take(1) {
        for request in [
            one(Dtype::I32, Alignment::Tensorflow, (1 << 24) + 5, [0, 1 << 20]),
            one(Dtype::F16, Alignment::Pytorch, (1 << 24) + 7, [0, 0x3c00]),
            one(Dtype::I64, Alignment::Pytorch, (1 << 23) + 9, [0, 1000]),
        ] {
            assert_agree(&gpu, &request);
        }
    }
}

/// Rows whose classes are summed, drawn from and shrunk in several dispatches, and several groups of rows.
fn multinomial_of_several_dispatches_agrees_with_the_cpu() {
    let request = |rows: u64, classes: u64, samples: i64, with_replacement| {
        let count = u32::try_from(rows * classes).unwrap();
        let weights: Vec<f64> = (0..count)
            .map(|i| f64::from(i.wrapping_mul(2_654_435_761) >> 8))
            .collect();
        Request::Multinomial(Multinomial {
            probs: probabilities(3, rows, classes, &weights),
            num_samples: Tensor::scalar(samples),
            draws: None,
            convert_type: Dtype::I32.into(),
            with_replacement,
            log_probs: false,
            global_seed: 3,
            op_seed: 4,
            execution: 0,
        })
    };
    for gpu in gpus().into_iter().take(1) {
        assert_agree(&gpu, &request(1, 40_000, 1001, true));
        assert_agree(&gpu, &request(3, 40_000, 150, false));
        assert_agree(&gpu, &request(40_000, 3, 3, true));
        assert_agree(&gpu, &request(40_000, 3, 3, false));
    }
}

fn multinomial_refuses_draws_without_replacement_that_take_too_long() {
    let request = Request::Multinomial(Multinomial {
        probs: probabilities(3, 1, 10_000, &vec![1.0; 10_000]),
        num_samples: Tensor::scalar(9_999),
        draws: None,
        convert_type: Dtype::I32.into(),
        with_replacement: false,
        log_probs: false,
        global_seed: 3,
        op_seed: 4,
        execution: 0,
    });
    for gpu in gpus() {
        assert!(matches!(gpu.supports(&request), Support::Unsupported(_)));
        assert!(matches!(gpu.run(&request), Err(Failure::Unsupported(_))));
    }
}

fn multinomial_refuses_as_the_cpu_does() {
    let request = |weights: &[f64], samples: i64, with_replacement, log_probs| {
        let classes = u64::try_from(weights.len()).unwrap();
        Request::Multinomial(Multinomial {
            probs: probabilities(3, 1, classes, weights),
            num_samples: Tensor::scalar(samples),
            draws: None,
            convert_type: Dtype::I64.into(),
            with_replacement,
            log_probs,
            global_seed: 1,
            op_seed: 2,
            execution: 0,
        })
    };
    for gpu in gpus() {
        for samples in [0, 1, 3] {
            for replacement in [false, true] {
                for log in [false, true] {
                    for weights in [
                        &[0.0, 0.0][..],
                        &[-1.0, 2.0],
                        &[f64::NAN, 1.0],
                        &[f64::INFINITY, 1.0],
                        &[f64::MAX, f64::MAX],
                        &[709.0, 709.0, 709.9],
                        &[-2000.0, -3000.0],
                        &[0.0, 1.0, 0.0],
                    ] {
                        assert_agree(&gpu, &request(weights, samples, replacement, log));
                    }
                }
            }
        }
    }
}

fn rows_that_no_device_binds_are_unsupported() {
    let classes = (1_u64 << 22) + 1;
    let request = Request::Multinomial(Multinomial {
        probs: Tensor::from_elements(
            Shape::new(&[1, classes]).unwrap(),
            &vec![f16::ONE; usize::try_from(classes).unwrap()],
        )
        .unwrap(),
        num_samples: Tensor::scalar(1_i32),
        draws: None,
        convert_type: Dtype::I32.into(),
        with_replacement: false,
        log_probs: false,
        global_seed: 1,
        op_seed: 2,
        execution: 0,
    });
    for gpu in gpus() {
        assert!(
            matches!(gpu.supports(&request), Support::Unsupported(reason) if reason.contains("4194305 classes"))
        );
    }
}

/// The stages are those of the CPU backend.
fn stages_agree_with_the_cpu() {
    for gpu in gpus() {
        for dtype in RandomUniform::TYPES {
            for alignment in [Alignment::Tensorflow, Alignment::Pytorch] {
                let one = match dtype {
                    Dtype::F16 => 0x4000,
                    Dtype::Bf16 | Dtype::F32 | Dtype::F64 => 0x4000 << (8 * dtype.size() - 16),
                    _ => 1 << 31,
                };
                let request = uniform(dtype, alignment, 7, [0, one - 1], [1, 2]);
                assert!(gpu.stages(&request).is_some());
                assert_eq!(
                    gpu.stages(&request),
                    cpu().stages(&request),
                    "{dtype} {alignment}"
                );
            }
        }
    }
}

fn kernels_that_do_not_compile_are_an_error() {
    for adapter in adapters_to_test() {
        let kernels = Kernels::shipped().with("philox.wgsl", |text| {
            text.replace("round < ROUNDS", "round < MANY")
        });
        let gpu = Gpu::with_kernels(adapter, kernels, Limits::default(), || ENTROPY).unwrap();
        let request = uniform(Dtype::F32, Alignment::Tensorflow, 7, [0, 0x3f80_0000], [1, 2]);
        for _ in 0..2 {
            let error = gpu.run(&request).unwrap_err().to_string();
            assert!(error.contains("MANY"), "{error}");
        }
    }
}

/// A kernel that writes nothing leaves what no kernel writes.
fn kernels_that_write_nothing_are_seen() {
    for adapter in adapters_to_test() {
        let kernels = Kernels::shipped().with("fill.wgsl", |text| {
            text.replace("out[i] = draw(i);", "if i == 0xffffffffu { out[i] = draw(i); }")
        });
        let gpu = Gpu::with_kernels(adapter, kernels, Limits::default(), || ENTROPY).unwrap();
        let request = Request::DmlRandomGenerator(DmlRandomGenerator {
            input_state: Tensor::from_elements(Shape::new(&[6]).unwrap(), &[0_u32; 6]).unwrap(),
            output_sizes: vec![5],
            generator: DmlGenerator::Philox4x32_10.into(),
            feature_level: FeatureLevel::Level4_0.into(),
            output_state: false,
        });
        let poison = Tensor::vector(&[0x3cc3_5aa5_u32; 5]);
        assert_eq!(gpu.run(&request).unwrap().output, poison);
    }
}

/// Whether a line of WGSL has a floating-point type or literal.
fn has_float(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default();
    code.split(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '.')
        .any(|word| {
            let vector = (word.starts_with("vec") || word.starts_with("mat")) && word.ends_with(['f', 'h']);
            let number =
                word.starts_with(|c: char| c.is_ascii_digit() || c == '.') && !word.starts_with("0x");
            ["f16", "f32", "f64"].contains(&word)
                || word.contains("float")
                || vector
                || number && word.contains(['.', 'e', 'f', 'h'])
        })
}

fn kernels_have_no_float_type() {
    let kernels = Kernels::shipped();
    for (file, text) in kernels.files() {
        for line in text.lines() {
            assert!(!has_float(line), "{file}: {line}");
        }
    }
    assert_eq!(kernels.files().count(), 20);
}

fn float_types_are_found() {
    for line in [
        "let x: f32 = y;",
        "array<vec2<f16>>",
        "return 2.5;",
        "x * 1f",
        "vec4f(1, 2, 3, 4)",
        "unpack2x16float(x)",
    ] {
        assert!(has_float(line), "{line}");
    }
    for line in [
        "// as f32",
        "f32_add(a, b.x)",
        "0x3f800000u",
        "64u * groups.x",
        "vec2<u32>(1u, 2u)",
    ] {
        assert!(!has_float(line), "{line}");
    }
}
