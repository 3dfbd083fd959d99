//! The scope of the named readings, the start of their executions, and the behaviour common to all.

use seedproof_ops::Alignment::{Pytorch, Tensorflow};
use std::collections::{BTreeSet, HashSet};

use seedproof_ops::{
    Backend, Dtype, Failure, FeatureLevel, JaxKeyImpl, JaxPermutation, Limits, Multinomial, Named as _,
    OnnxMultinomial, OnnxRandomNormal, RandomUniform, Request, Shape, StatelessRandomNormal, Support, Tensor,
    TorchRandperm,
};

use super::{UNIT, engine, first, literals};
use crate::requests::{dml, generated, random, rare, uniform};
use crate::{Engine, MISTAKES, Reading, find, named, with};

/// 0 and 1.
const WIDE: [&str; 2] = ["0000000000000000", "3ff0000000000000"];

fn executed(request: Request, execution: u32) -> Request {
    match request {
        Request::RandomUniform(request) => Request::RandomUniform(RandomUniform { execution, ..request }),
        Request::Multinomial(request) => Request::Multinomial(Multinomial { execution, ..request }),
        other => other,
    }
}

#[test]
fn executions_begin_where_the_implementation_s_do() {
    let request = |alignment, execution| {
        executed(
            uniform(alignment, Dtype::F32, 10, UNIT, [12345, 54321]),
            execution,
        )
    };
    let later = |name, alignment| first(name, &request(alignment, 1), 10);
    let blocks_on = |name, blocks: usize| {
        let whole = uniform(
            Tensorflow,
            Dtype::F32,
            4 * i64::try_from(blocks).unwrap() + 10,
            UNIT,
            [12345, 54321],
        );
        let response = engine(name).run(&whole).unwrap();
        literals(response.output.scalars().skip(4 * blocks))
    };
    assert_eq!(
        later("openvino-core-2026.4", Tensorflow),
        blocks_on("openvino-core-2026.4", 256 * 3)
    );
    assert_eq!(
        later("openvino-cpu-2026.4", Tensorflow),
        blocks_on("openvino-cpu-2026.4", 256 * 10)
    );
    assert_eq!(
        later("tensorflow-2.21", Tensorflow),
        blocks_on("tensorflow-2.21", 256 * 10)
    );
    assert_eq!(
        later("openvino-core-2026.4", Pytorch),
        first("openvino-core-2026.4", &request(Pytorch, 0), 10)
    );
    let twice = uniform(Pytorch, Dtype::F32, 20, UNIT, [12345, 54321]);
    let both = first("torch-2.7", &twice, 20);
    assert!(both.ends_with(&later("torch-2.7", Pytorch)));
    let classes = Request::Multinomial(Multinomial {
        log_probs: true,
        with_replacement: true,
        global_seed: 7,
        op_seed: 0,
        ..generated(
            Tensor::from_elements(Shape::new(&[1, 3]).unwrap(), &[0.5_f32, 1.5, 1.0]).unwrap(),
            6,
        )
    });
    let wide = uniform(Tensorflow, Dtype::F64, 6, WIDE, [7, 0]);
    let whole = uniform(Tensorflow, Dtype::F64, 12, WIDE, [7, 0]);
    let second = first("onnxruntime-1.31", &executed(wide, 1), 6);
    assert!(first("onnxruntime-1.31", &whole, 12).ends_with(&second));
    assert_ne!(
        first("onnxruntime-1.31", &executed(classes.clone(), 1), 6),
        first("onnxruntime-1.31", &classes, 6)
    );
    assert!(later("spec", Tensorflow).starts_with("unsupported"));
}

#[test]
fn integer_bounds_equal_as_f64_are_refused_by_openvino() {
    let request = |maxval| uniform(Tensorflow, Dtype::I64, 2, ["9007199254740992", maxval], [1, 2]);
    for name in ["openvino-core-2026.4", "openvino-cpu-2026.4"] {
        let refused = engine(name).run(&request("9007199254740993"));
        assert!(matches!(refused, Err(Failure::Rejected(_))), "{name}");
    }
    assert!(
        engine("openvino-core-2026.4")
            .run(&request("9007199254740994"))
            .is_ok()
    );
    assert!(engine("spec").run(&request("9007199254740993")).is_ok());
}

#[test]
fn executions_too_far_on_are_unsupported() {
    let far = executed(uniform(Pytorch, Dtype::F32, 1 << 20, UNIT, [1, 2]), u32::MAX);
    assert!(matches!(
        engine("torch-2.7").run(&far),
        Err(Failure::Unsupported(_))
    ));
    assert!(matches!(
        engine("torch-2.7").supports(&far),
        Support::Unsupported(_)
    ));
}

#[test]
fn named_readings_say_what_they_lack() {
    let philox = uniform(Tensorflow, Dtype::F32, 3, UNIT, [1, 2]);
    let mt = uniform(Pytorch, Dtype::F32, 3, UNIT, [1, 2]);
    let classes = Request::Multinomial(generated(
        Tensor::from_elements(Shape::new(&[1, 2]).unwrap(), &[1.0_f32, 2.0]).unwrap(),
        1,
    ));
    let words = dml(FeatureLevel::Level3_0, &[1, 1, 1, 4], &[1, 1, 1, 6], [0; 6]);
    let has = |name: &str| {
        [&philox, &mt, &classes, &words].map(|request| engine(name).supports(request) == Support::Supported)
    };
    assert_eq!(has("spec"), [true; 4]);
    assert_eq!(has("openvino-core-2026.4"), [true, true, false, false]);
    assert_eq!(has("openvino-template-2024"), [false, false, true, false]);
    assert_eq!(has("openvino-cpu-2026.4-f16"), [true, true, true, false]);
    assert_eq!(has("tensorflow-2.21"), [true, false, false, false]);
    assert_eq!(has("torch-2.12"), [false, true, false, false]);
    assert_eq!(has("onnxruntime-1.31"), [false; 4]);
    let lacks = |request| match engine("onnxruntime-1.31").supports(&request) {
        Support::Unsupported(reason) => reason,
        Support::Supported => "nothing".to_owned(),
    };
    assert_eq!(lacks(uniform(Tensorflow, Dtype::F32, 3, UNIT, [0, 2])), "nothing");
    assert!(lacks(uniform(Tensorflow, Dtype::F32, 3, UNIT, [1, 2])).ends_with("no second seed"));
    assert!(
        lacks(uniform(Tensorflow, Dtype::I32, 3, ["0", "9"], [1, 0])).ends_with("no RandomUniform of i32")
    );
    let Request::RandomUniform(scalar) = philox else {
        unreachable!("it was just made");
    };
    let scalar = Request::RandomUniform(RandomUniform {
        shape: Tensor::vector::<i64>(&[]),
        ..scalar
    });
    assert_eq!(engine("spec").supports(&scalar), Support::Supported);
    assert_eq!(
        engine("openvino-cpu-2026.4").supports(&scalar),
        Support::Unsupported("openvino-cpu-2026.4 leaves an output of shape [] unwritten".into())
    );
}

/// What PyTorch 2.15 answered. NumPy has no array of such a shape, so that no case of the corpus asks for one.
#[test]
fn samples_below_zero_damage_the_memory_of_openvino() {
    let classes = |name, sample_size| {
        let request = OnnxMultinomial {
            input: Tensor::from_elements(Shape::new(&[1, 2]).unwrap(), &[0.5_f32, 0.5]).unwrap(),
            seed: Some(Tensor::scalar(7.0_f32)),
            output_type: Dtype::I32.into(),
            sample_size,
            execution: 0,
        };
        engine(name).run(&Request::OnnxMultinomial(request))
    };
    let plugin = "openvino-onnx-2026.4";
    assert!(matches!(classes(plugin, -1), Err(Failure::Unsupported(_))));
    assert!(classes(plugin, 0).is_ok_and(|drawn| drawn.output.count() == 0));
    assert!(matches!(
        classes("onnxruntime-1.31", -1),
        Err(Failure::Rejected(_))
    ));
}

#[test]
fn extents_that_overflow_are_refused_by_pytorch() {
    let far = 1_i64 << 40;
    let refuses = |extents: &[i64]| {
        let Request::RandomUniform(request) = uniform(Pytorch, Dtype::F32, 3, UNIT, [1, 2]) else {
            unreachable!("it was just made");
        };
        let shape = Tensor::vector(extents);
        let request = Request::RandomUniform(RandomUniform { shape, ..request });
        assert!(engine("spec").run(&request).is_ok());
        engine("torch-2.12").run(&request).is_err()
    };
    assert!(refuses(&[far, far, 0]));
    assert!(refuses(&[0, far, far]));
    assert!(!refuses(&[far, 0, far]));
    assert!(!refuses(&[1 << 62, 2, 0]));
    assert!(refuses(&[1 << 62, 4, 0]));
}

#[test]
fn named_readings_have_their_names() {
    let names: Vec<String> = named().iter().map(|reading| reading.name.to_string()).collect();
    assert_eq!(
        names,
        [
            "spec",
            "openvino-core-2026.4",
            "openvino-template-2024",
            "openvino-cpu-2026.4",
            "openvino-cpu-2026.4-f16",
            "openvino-cpu-2026.4-f16-bf16",
            "openvino-cpu-2026.4-avx2",
            "tensorflow-2.21",
            "tensorflow-xla-2.21",
            "onnxruntime-1.31",
            "onnx-reference-1.23",
            "openvino-onnx-2026.4",
            "litert-2.3",
            "xla-cpu-0.10",
            "iree-3.13",
            "jax-0.10",
            "jax-0.10-fp16",
            "jax-0.10-nojit",
            "jax-0.10-x32",
            "jax-0.11-cuda",
            "jax-js-0.1",
            "mlx-0.32",
            "tinygrad-0.14",
            "torch-1.13",
            "torch-1.13-nofma",
            "torch-2.3",
            "torch-2.3-nofma",
            "torch-2.7",
            "torch-2.7-nofma",
            "torch-2.12",
            "torch-2.12-nofma",
            "torch-2.15",
            "torch-2.15-nofma",
            "torch-2.14-stateless",
            "torch-2.15-stateless",
            "torch-cuda-2.11",
            "curand-host-10.4",
            "triton-3.9",
            "torch-inductor-2.15",
            "vllm-0.33",
            "sglang-0.5",
            "numpy-2.4"
        ]
    );
    assert!(find("torch-3.0").is_none());
}

#[test]
fn spec_gives_the_captured_template_figures_apart_from_its_type() {
    let probs = Tensor::from_elements(Shape::new(&[1, 3]).unwrap(), &[0.1_f32, 0.5, 0.4]).unwrap();
    let request = Request::Multinomial(Multinomial {
        with_replacement: true,
        ..generated(probs, 5)
    });
    assert_eq!(first("openvino-template-2024", &request, 5), "0 2 1 1 1");
    assert_eq!(first("openvino-cpu-2026.4", &request, 5), "1 1 2 1 2");
    let wide = Tensor::from_elements(Shape::new(&[1, 3]).unwrap(), &[0.1_f64, 0.5, 0.4]).unwrap();
    let wide = Request::Multinomial(Multinomial {
        with_replacement: true,
        ..generated(wide, 5)
    });
    assert_eq!(first("openvino-template-2024", &wide, 5), "1 2 2 2 1");
    assert_eq!(first("spec", &wide, 5), "1 2 2 2 1");
}

#[test]
fn limits_are_kept_after_the_checks() {
    let small = Limits { max_output_bytes: 64 };
    let tight = Engine::new(Reading::spec(), small, || 1);
    let request = uniform(Tensorflow, Dtype::F32, 17, UNIT, [1, 2]);
    assert!(matches!(tight.run(&request), Err(Failure::Unsupported(_))));
    assert!(matches!(tight.supports(&request), Support::Unsupported(_)));
    let wrong = uniform(Tensorflow, Dtype::F32, 17, [UNIT[0], UNIT[0]], [1, 2]);
    assert!(matches!(tight.run(&wrong), Err(Failure::Rejected(_))));
}

/// Weights that nobody checks: where one is negative, every sample looks at every class.
#[test]
fn unsorted_rows_are_bounded() {
    let drawn = |last: f32, samples: i64| {
        let mut weights = vec![1.0_f32; 1 << 12];
        weights[4095] = last;
        let probs = Tensor::from_elements(Shape::new(&[1, 1 << 12]).unwrap(), &weights).unwrap();
        engine("openvino-cpu-2026.4").run(&Request::Multinomial(Multinomial {
            with_replacement: true,
            ..generated(probs, samples)
        }))
    };
    assert!(drawn(-1.0, 1 << 10).is_ok());
    assert!(matches!(drawn(-1.0, (1 << 19) + 1), Err(Failure::Unsupported(_))));
    assert!(drawn(0.0, (1 << 19) + 1).is_ok());
}

#[test]
fn both_seeds_zero_draw_from_the_entropy_given() {
    let request = uniform(Tensorflow, Dtype::F32, 9, UNIT, [0, 0]);
    let from = |entropy: u64| Engine::new(Reading::spec(), Limits::default(), move || entropy).run(&request);
    assert_ne!(from(1), from(2));
    assert_eq!(
        from(150),
        engine("spec").run(&uniform(Tensorflow, Dtype::F32, 9, UNIT, [150, 0]))
    );
}

#[test]
fn stages_end_in_the_output() {
    let engine = engine("spec");
    let (mut staged, mut unstaged) = (BTreeSet::new(), BTreeSet::new());
    for request in random(240) {
        match (engine.stages(&request), engine.run(&request)) {
            (Some(stages), Ok(response)) => {
                assert_eq!(stages.scaled, response.output);
                if let Some(unit) = &stages.unit {
                    assert_eq!(stages.words.len(), unit.count() * stages.words_per_element);
                }
                staged.insert(request.op().name());
            }
            (Some(_), Err(failure)) => panic!("{failure}: {request:?}"),
            (None, Ok(_)) => {
                unstaged.insert(request.op().name());
            }
            (None, Err(_)) => {}
        }
    }
    // Of the other ops no stage shows how an element is made: some mix words, draw again, or select something.
    assert_eq!(staged.len(), 18, "{staged:?}");
    // Fewer than 16 normals are drawn one after another, from a cache.
    let sometimes: Vec<_> = staged.intersection(&unstaged).collect();
    assert_eq!(sometimes, [&"torch.normal_"]);
}

#[test]
fn readings_answer_every_small_request_and_claim_what_they_answer() {
    let requests: Vec<Request> = rare()
        .into_iter()
        .map(|(_, request)| request)
        .chain(random(60))
        .collect();
    for reading in named() {
        let engine = Engine::new(reading, Limits::default(), || 1);
        for request in &requests {
            let unsupported = match engine.run(request) {
                // Only a draw can tell.
                Err(Failure::Unsupported(reason)) => {
                    reason != "the last bit of a logarithm decides an element"
                }
                _ => false,
            };
            assert_eq!(
                engine.supports(request) == Support::Supported,
                !unsupported,
                "{request:?}"
            );
        }
    }
}

/// A search rejects candidates by their first elements, so that one whose beginning is drawn otherwise would never be found.
#[test]
fn beginnings_without_a_shorter_form_are_those_of_the_whole() {
    let spec = Reading::spec();
    let engine = Engine::new(spec.clone(), Limits::default(), || 7);
    let count = |drawn: Result<Tensor, Failure>| drawn.map_or(0, |tensor| tensor.count());
    let is_cut = |request: &Request| {
        let whole = engine.run(request).map(|response| response.output);
        request.prefix(5).is_none() && count(engine.first(request, 5)) < count(whole)
    };
    let requests: Vec<Request> = random(60).into_iter().filter(is_cut).collect();
    assert!(
        requests.len() > 10,
        "{} requests have their own beginning",
        requests.len()
    );
    let mistaken = MISTAKES.iter().map(|mistake| with(&spec, &[mistake]));
    for reading in mistaken.chain(named().iter().cloned()) {
        let engine = Engine::new(reading, Limits::default(), || 7);
        for request in &requests {
            let whole = engine.run(request).map(|response| response.output);
            let of = |tensor: Tensor| tensor.scalars().take(5).collect::<Vec<_>>();
            let first = engine.first(request, 5).map(of);
            assert_eq!(first, whole.map(of), "{} {request:?}", engine.id());
        }
    }
}

/// The first numbers are found without a sort, also among thousands of draws of which some are equal.
#[test]
fn permutations_begin_as_the_whole() {
    let permutation = |kind: JaxKeyImpl, n: i128, seed: u32| {
        let words = u32::try_from(kind.words()).unwrap();
        Request::JaxPermutation(JaxPermutation {
            implementation: kind.into(),
            partitionable: seed.is_multiple_of(2),
            n,
            key: Tensor::vector(&(0..words).map(|word| seed + word).collect::<Vec<u32>>()),
        })
    };
    let kinds = [JaxKeyImpl::Threefry2x32, JaxKeyImpl::Rbg, JaxKeyImpl::UnsafeRbg];
    let shuffled = [7, 12_000].map(|n| {
        Request::TorchRandperm(TorchRandperm {
            output_type: Dtype::I64.into(),
            n,
            seed: 9,
            execution: 1,
        })
    });
    let requests: Vec<Request> = (3..7)
        .flat_map(|seed| kinds.map(|kind| [7, 12_000].map(|n| permutation(kind, n, seed))))
        .flatten()
        .chain(shuffled)
        .collect();
    let spec = Reading::spec();
    let mistakes = MISTAKES.iter().map(|mistake| with(&spec, &[mistake]));
    let others = mistakes.filter(|it| {
        let is_jax = *it.jax_sorts != *spec.jax_sorts || *it.jax_keys != *spec.jax_keys;
        is_jax || *it.selection != *spec.selection
    });
    let mut found = 0;
    for reading in others.chain([spec.clone()]) {
        let engine = Engine::new(reading, Limits::default(), || 7);
        for request in &requests {
            let whole = engine.run(request).map(|response| response.output);
            let first = engine.first(request, 5);
            found += usize::from(first.as_ref().is_ok_and(|first| first.count() == 5));
            let of = |tensor: Tensor| tensor.scalars().take(5).collect::<Vec<_>>();
            assert_eq!(first.map(of), whole.map(of), "{} {request:?}", engine.id());
        }
    }
    assert!(found > 10 * requests.len(), "{found} are cut");
}

/// XLA puts the words of a pair apart, and OpenVINO fuses other operations of more than six extents.
#[test]
fn beginnings_keep_what_the_extents_decide() {
    let shapes: [&[u64]; 7] = [
        &[9],
        &[4, 5],
        &[3, 5],
        &[5, 4, 7],
        &[3, 1, 5],
        &[2, 40],
        &[1, 2, 1, 1, 1, 1, 9],
    ];
    let compiled = |dims: &[u64], dtype: Dtype| {
        let dims: Vec<i64> = dims.iter().map(|&dim| i64::try_from(dim).unwrap()).collect();
        Request::StatelessRandomNormal(StatelessRandomNormal {
            shape: Tensor::vector(&dims),
            key: Tensor::vector(&[7_u64]),
            counter: Tensor::vector(&[9_u64, 0]),
            alg: Tensor::scalar(1_i32),
            output_type: dtype.into(),
        })
    };
    let of_runtime = |dims: &[u64], dtype: Dtype| {
        Request::OnnxRandomNormal(OnnxRandomNormal {
            output_type: dtype.into(),
            output_sizes: dims.to_vec(),
            mean: Tensor::scalar(0.5_f32),
            scale: Tensor::scalar(3.0_f32),
            seed: Some(Tensor::scalar(7.0_f32)),
            execution: 0,
        })
    };
    let mut compared = HashSet::new();
    for engine in named()
        .into_iter()
        .map(|reading| Engine::new(reading, Limits::default(), || 7))
    {
        for (&dims, dtype) in shapes
            .iter()
            .flat_map(|dims| [(dims, Dtype::F32), (dims, Dtype::F16)])
        {
            for request in [compiled(dims, dtype), of_runtime(dims, dtype)] {
                let whole = engine.run(&request).map(|response| response.output);
                for count in 1..=9 {
                    let of = |tensor: Tensor| tensor.scalars().take(count).collect::<Vec<_>>();
                    let first = engine.first(&request, count);
                    let is_cut = first.as_ref().is_ok_and(|first| first.count() < 9);
                    if is_cut {
                        compared.insert((engine.reading().name.clone(), request.op()));
                    }
                    let name = engine.id();
                    assert_eq!(first.map(of), whole.clone().map(of), "{name} {count} {request:?}");
                }
            }
        }
    }
    for name in ["onnxruntime-1.31", "openvino-onnx-2026.4", "tensorflow-xla-2.21"] {
        assert!(
            compared.iter().any(|(it, _)| it.starts_with(name)),
            "{name}: {compared:?}"
        );
    }
}
