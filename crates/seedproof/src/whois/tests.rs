#![expect(clippy::cast_precision_loss, reason = "numbers of 24 bits")]

use seedproof_ops::{
    CurandDistribution, CurandPhilox, Distribution, Dtype, JaxKeyImpl, JaxPermutation, Limits, Named as _,
    NumpyBitGenerator, NumpyPermutation, NumpyRandom, OpName, RandomUniform, Request, Scalar, Shape, Tensor,
    each,
};

use super::seen::Seen;
use super::streams::ways_of;
use super::{Sought, beside, search, streams, who_drew};
use crate::judging::Catalogue;

fn catalogue() -> Catalogue {
    Catalogue::new(Limits::default())
}

/// A sequence of numbers that no op draws.
fn noise(count: usize, mut state: u64) -> impl Iterator<Item = u64> {
    std::iter::repeat_with(move || {
        state = state
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        state >> 20 ^ state >> 41
    })
    .take(count)
}

fn requests(dtype: Dtype, shape: &[u64], seed: u64, op_seed: u64) -> Vec<Request> {
    let form = Shape::new(shape).unwrap();
    let zeros = vec![0; form.count() * dtype.size()];
    let mut sought = Sought::new(Tensor::new(dtype, form, zeros).unwrap(), seed, op_seed);
    if !dtype.is_float() {
        sought.range = Some(
            ["-7", "1000"]
                .map(|it| Scalar::from_decimal(dtype, it).unwrap_or(Scalar::new(dtype, 9)))
                .into(),
        );
    }
    sought.requests()
}

#[test]
fn every_op_that_draws_from_a_seed_alone_is_asked() {
    let asked = |dtype, shape: &[u64]| {
        let requests = requests(dtype, shape, 42, 7);
        requests
            .iter()
            .map(Request::op)
            .collect::<std::collections::BTreeSet<_>>()
    };
    assert!(asked(Dtype::F32, &[9]).contains(&OpName::RandomUniform));
    assert!(asked(Dtype::U32, &[9]).contains(&OpName::DmlRandomGenerator));
    assert!(asked(Dtype::U64, &[1]).contains(&OpName::StatelessRandomGetKeyCounter));
    assert_eq!(OpName::NAMES.len(), OpName::ALL.len());
}

/// A permutation is drawn whole, a million numbers in a tenth of a second. Most readings that have it differ in how floats are
/// made, and in what else they have.
#[test]
fn readings_that_draw_alike_are_not_asked() {
    let catalogue = catalogue();
    let request = Request::JaxPermutation(JaxPermutation {
        implementation: JaxKeyImpl::Threefry2x32.into(),
        partitionable: true,
        n: 100,
        key: Tensor::vector(&[0_u32, 42]),
    });
    let (usual, reads) = catalogue.base().noted(&request);
    let usual = usual.unwrap();
    let (asked, alike): (Vec<_>, Vec<_>) = catalogue
        .asked_readings()
        .into_iter()
        .partition(|it| it.may_differ(request.op(), reads));
    let has = |it: &&crate::catalogue::Asked<'_>| it.backend.run(&request).is_ok();
    let asked: Vec<&str> = asked.iter().filter(has).map(|it| it.name).collect();
    assert_eq!(asked, ["jax-0.10-x32", "jax-js-0.1"]);
    assert!(alike.iter().any(|it| it.name == "jax-0.11-cuda"));
    for it in alike {
        assert_eq!(it.backend.run(&request).as_ref(), Ok(&usual), "{}", it.name);
    }
}

#[test]
fn every_reading_is_named_or_a_tie() {
    let catalogue = catalogue();
    let mut certain = 0;
    for dtype in RandomUniform::TYPES.into_iter().chain([Dtype::U32]) {
        for request in requests(dtype, &[30, 10], 42, 7) {
            // Most readings draw the same output, so that one question answers for all of them.
            let mut drawn: Vec<(Tensor, Vec<&str>)> = Vec::new();
            for (name, backend) in catalogue.others().into_iter().chain([("spec", catalogue.spec())]) {
                let Ok(response) = backend.run(&request) else {
                    continue;
                };
                match drawn
                    .iter_mut()
                    .find(|(output, _)| output.bytes() == response.output.bytes())
                {
                    Some((_, names)) => names.push(name),
                    None => drawn.push((response.output, vec![name])),
                }
            }
            for (output, names) in drawn {
                let mut sought = Sought::new(output, 42, 7);
                if let Some(Distribution::Uniform { lower, upper }) = request.distribution() {
                    sought.range = Some((lower, upper));
                }
                let answer = who_drew(&sought, &catalogue);
                // MLX has one order of Threefry, whichever is asked for, and is named with either.
                let draws_it = |name: &str, other: &Request| {
                    let drawn = catalogue.reading(name).and_then(|it| it.run(other).ok());
                    drawn.is_some_and(|drawn| drawn.output == sought.actual)
                };
                let is_named = |name: &&str| {
                    let mut draws = answer
                        .draws
                        .iter()
                        .filter(|draw| draw.names.iter().any(|it| it == name));
                    draws.any(|draw| draw.request == request || draws_it(name, &draw.request))
                };
                assert!(names.iter().all(is_named), "{names:?} {request:?} {answer:?}");
                assert_eq!(answer.word(), "named");
                certain += names.len();
            }
        }
    }
    assert!(certain > 50, "{certain}");
}

#[test]
fn bounds_are_read_off() {
    let catalogue = catalogue();
    let ranges = [
        (Dtype::F16, "-5", "100"),
        (Dtype::F32, "-5", "100"),
        (Dtype::F32, "-700", "1900"),
        (Dtype::I64, "-700", "1900"),
    ];
    for (offset, (dtype, low, high)) in ranges.into_iter().enumerate() {
        let bounds = [low, high].map(|it| Scalar::from_decimal(dtype, it).unwrap());
        let zeros = vec![0; 60 * dtype.size()];
        let empty = Sought::new(Tensor::new(dtype, Shape::vector(60), zeros).unwrap(), 11, 5);
        let with = Sought {
            range: Some(bounds.into()),
            ..empty
        };
        // Bounds of these ops are not read off: they have to be given.
        let given = [
            OpName::JaxUniform,
            OpName::JaxRandint,
            OpName::InductorRandint,
            OpName::NumpyIntegers,
            OpName::RandomStateRandint,
        ];
        let requests = with.requests().into_iter();
        let requests = requests.filter(|it| !given.contains(&it.op()));
        // A question takes half a second: half of the requests, the other half in the next type or range.
        for request in requests.skip(offset % 2).step_by(2) {
            let Ok(drawn) = catalogue.spec().run(&request) else {
                continue;
            };
            let actual = drawn.output;
            let answer = who_drew(&Sought::new(actual, 11, 5), &catalogue);
            assert!(
                answer.draws.iter().any(|it| it.names[0] == "spec"),
                "{request:?} {answer:?}"
            );
        }
    }
}

#[test]
fn elements_that_an_op_counts_are_those_of_the_array() {
    let catalogue = catalogue();
    let request = Request::CurandPhilox(CurandPhilox {
        distribution: CurandDistribution::Normal.into(),
        output_type: Dtype::F32.into(),
        num: 60,
        seed: 11,
        offset: 5,
        mean: None,
        stddev: None,
    });
    let actual = catalogue.spec().run(&request).unwrap().output;
    let answer = who_drew(&Sought::new(actual, 11, 5), &catalogue);
    assert!(answer.draws.iter().any(|it| it.request == request), "{answer:?}");
}

/// A seed that is a number of any size, and the length of a permutation.
#[test]
fn numpy_s_generators_are_named_by_their_seed() {
    let catalogue = catalogue();
    for &bit_generator in NumpyBitGenerator::ALL {
        for request in [
            Request::NumpyRandom(NumpyRandom {
                bit_generator: bit_generator.into(),
                seed: 42,
                output_type: Dtype::F64.into(),
                output_sizes: vec![5, 2],
                execution: 0,
            }),
            Request::NumpyPermutation(NumpyPermutation {
                bit_generator: bit_generator.into(),
                seed: 42,
                n: 40,
                execution: 0,
            }),
        ] {
            let actual = catalogue.spec().run(&request).unwrap().output;
            let answer = who_drew(&Sought::new(actual, 42, 0), &catalogue);
            assert!(answer.draws.iter().any(|it| it.request == request), "{answer:?}");
        }
    }
}

/// `numpy.random.seed(42)` and `rand(5)` or `randn(5)`, and `RandomState(42).permutation(10)`, as NumPy 2.4.6 prints and
/// draws them.
#[test]
fn numpy_s_random_state_is_named_by_its_seed() {
    let catalogue = catalogue();
    let rand = [
        0x3fd7_f877_1e5f_51ec,
        0x3fee_6c40_68bb_d654,
        0x3fe7_6c7e_8f1e_6751,
        0x3fe3_2835_d663_2cb0,
        0x3fc3_f86b_3722_2184,
    ];
    let randn = [
        0x3fdf_ca2a_28a9_307c,
        0xbfc1_b2a5_05de_052a,
        0x3fe4_b9dd_5024_5e68,
        0x3ff8_5e54_8e01_aa2b,
        0xbfcd_f8bc_df57_a640,
    ];
    let floats = |bits: [u64; 5]| Tensor::vector(&bits.map(f64::from_bits));
    let order = Tensor::vector(&[8_i64, 1, 5, 0, 7, 2, 9, 4, 3, 6]);
    for (actual, op) in [
        (floats(rand), OpName::RandomStateRand),
        (floats(randn), OpName::RandomStateRandn),
        (order, OpName::RandomStatePermutation),
    ] {
        let answer = who_drew(&Sought::new(actual, 42, 0), &catalogue);
        assert!(answer.draws.iter().any(|it| it.request.op() == op), "{answer:?}");
    }
}

#[test]
fn noise_is_unknown() {
    let catalogue = catalogue();
    for seed in 0..2 {
        let floats: Vec<f32> = noise(1000, seed)
            .map(|it| (it % 16_777_216) as f32 / 16_777_216.0)
            .collect();
        let integers: Vec<i32> = noise(1000, seed)
            .map(|it| i32::try_from(it % 10).unwrap())
            .collect();
        for actual in [Tensor::vector(&floats), Tensor::vector(&integers)] {
            let answer = who_drew(&Sought::new(actual, seed, 0), &catalogue);
            assert_eq!(answer.word(), "unknown", "{answer:?}");
        }
    }
}

#[test]
fn few_bits_are_never_certain() {
    let catalogue = catalogue();
    let bounded = |it: &Request| matches!(it.distribution(), Some(Distribution::Uniform { .. }));
    // Each asks the whole catalogue, which takes about a second: every third is of any op and variant often enough.
    let requests = requests(Dtype::I32, &[3], 42, 0).into_iter().filter(bounded);
    for request in requests.step_by(3) {
        let Ok(response) = catalogue.spec().run(&request) else {
            continue;
        };
        let answer = who_drew(&Sought::new(response.output, 42, 0), &catalogue);
        assert_ne!(answer.word(), "named", "{answer:?}");
    }
    let empty = Tensor::vector::<f32>(&[]);
    assert_ne!(who_drew(&Sought::new(empty, 1, 1), &catalogue).word(), "named");
    let zeros = Tensor::vector(&[0.0_f32; 100]);
    // Words that are zero make zeros under every seed, so that no number of them is evidence for one.
    assert_ne!(who_drew(&Sought::new(zeros, 1, 1), &catalogue).word(), "named");
}

/// Counting, taking turns and short orders need no seed, and some mistake or some counter draws each of them.
#[test]
fn what_needs_no_seed_is_never_named() {
    let catalogue = catalogue();
    let counted: Vec<i64> = (0..200).collect();
    let turns: Vec<i32> = (0..200).map(|i| i % 4).collect();
    let colours: Vec<u8> = [200, 100, 50, 255].repeat(64);
    let arrays = [
        Tensor::vector(&counted),
        Tensor::vector(&counted[..10]),
        Tensor::vector(&turns),
        Tensor::vector(&colours),
    ];
    let orders = noise(4, 5).map(|number| {
        let mut left = vec![0_i64, 1, 2, 3, 4, 5];
        let mut number = usize::try_from(number % 720).unwrap();
        let order = (1..=6).rev().map(|of| {
            let at = number % of;
            number /= of;
            left.remove(at)
        });
        Tensor::vector(&order.collect::<Vec<_>>())
    });
    for actual in arrays.into_iter().chain(orders) {
        let seed = if actual.dtype() == Dtype::I64 && actual.count() > 6 {
            0
        } else {
            42
        };
        let answer = who_drew(&Sought::new(actual.clone(), seed, 0), &catalogue);
        assert_ne!(answer.word(), "named", "{actual:?} of {seed}: {answer:?}");
    }
}

#[test]
fn what_is_nearly_right_is_nearest() {
    let catalogue = catalogue();
    let request = requests(Dtype::F32, &[1000], 42, 7).remove(0);
    let mut bytes = catalogue.spec().run(&request).unwrap().output.into_bytes();
    bytes[4 * 700] ^= 1;
    let actual = Tensor::new(Dtype::F32, Shape::vector(1000), bytes).unwrap();
    let near = who_drew(&Sought::new(actual, 42, 7), &catalogue).nearest.unwrap();
    assert_eq!((near.elements, near.of, near.first_missed), (999, 1000, 700));
    assert_eq!(near.max_ulps, Some(1));
}

#[test]
fn mistakes_are_named_too() {
    let catalogue = catalogue();
    let request = requests(Dtype::F32, &[100], 42, 7).remove(0);
    let (_, nine) = catalogue.mistakes().find(|(it, _)| it.id == "rounds-9").unwrap();
    let answer = who_drew(
        &Sought::new(nine.run(&request).unwrap().output, 42, 7),
        &catalogue,
    );
    assert_eq!(answer.draws[0].names, ["rounds-9"]);
}

#[test]
fn seeds_are_found_among_many() {
    let catalogue = catalogue();
    for (offset, dtype) in [Dtype::F32, Dtype::F16, Dtype::U32, Dtype::I64]
        .into_iter()
        .enumerate()
    {
        // A search takes a second: a third of the requests, another third in each type.
        for request in requests(dtype, &[50], 4242, 7)
            .into_iter()
            .skip(offset % 3)
            .step_by(3)
        {
            let Ok(response) = catalogue.spec().run(&request) else {
                continue;
            };
            let mut sought = Sought::new(response.output, 0, 7);
            if let Some(Distribution::Uniform { lower, upper }) = request.distribution() {
                sought.range = Some((lower, upper));
            }
            let found = search(&[sought], &(4236..=4245), catalogue.spec(), &catalogue, &|_| true);
            assert!(found.seeds.contains(&4242), "{request:?} {found:?}");
            assert_eq!(found.tried, 10);
        }
    }
    let none = search(
        &[Sought::new(Tensor::vector(&[0.1_f32; 9]), 0, 0)],
        &(0..=u64::MAX),
        catalogue.spec(),
        &catalogue,
        &|_| false,
    );
    assert!(none.tried < 1 << 20);
    // A search that is stopped later tells how far the generators were searched of which more is known.
    let foreign = [0.1, 0.7, 0.3, 0.9, 0.2, 0.6_f32];
    let stopped = search(
        &[Sought::new(Tensor::vector(&foreign), 0, 0)],
        &(0..=1 << 26),
        catalogue.spec(),
        &catalogue,
        &|done| done < 1 << 23,
    );
    assert_eq!(stopped.tried, 1 << 22);
    let [("Philox", tried), ..] = stopped.streams[..] else {
        panic!("{stopped:?}");
    };
    assert!(tried > 1 << 22, "{stopped:?}");
    let none = search(
        &[Sought::new(Tensor::vector(&[0.1_f32; 9]), 0, 0)],
        &std::ops::RangeInclusive::new(5, 4),
        catalogue.spec(),
        &catalogue,
        &|_| true,
    );
    assert_eq!((none.seeds, none.tried), (Vec::new(), 0));
}

/// Arrays that nothing draws: floats of every type, whole numbers, masks, and numbers printed with few digits.
fn is_silent_about_noise(arrays: u64, sizes: &[usize]) {
    let catalogue = catalogue();
    let indices: Vec<u64> = (0..arrays).collect();
    // Most of a search is the work of one thread.
    each(&indices, |&index| {
        let count = sizes[usize::try_from(index).unwrap() / 8 % sizes.len()];
        let seed = index.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let units: Vec<f64> = noise(count, seed)
            .map(|it| (it % (1 << 40)) as f64 / (1_u64 << 40) as f64)
            .collect();
        let rounded = |dtype: Dtype| {
            let texts = units
                .iter()
                .map(|unit| Scalar::from_decimal(dtype, &unit.to_string()).unwrap());
            let bytes = texts.flat_map(Scalar::to_le_bytes).collect();
            Tensor::new(dtype, Shape::vector(count), bytes).unwrap()
        };
        let whole = |range: u64| -> Vec<i32> {
            noise(count, seed)
                .map(|it| i32::try_from(it % range).unwrap())
                .collect()
        };
        let mut question = match index % 8 {
            1 => Sought::new(rounded(Dtype::F16), index, 0),
            2 => Sought::new(rounded(Dtype::Bf16), index, 0),
            3 => Sought::new(rounded(Dtype::F64), index, 0),
            4 => Sought::new(Tensor::vector(&whole(2)), index, 0),
            5 => Sought::new(Tensor::vector(&whole(1000)), index, 0),
            6 => {
                let words: Vec<u32> = noise(count, seed)
                    .map(|it| u32::try_from(it >> 5 & 0xffff_ffff).unwrap())
                    .collect();
                Sought::new(Tensor::vector(&words), index, 0)
            }
            // The last of the eight are printed with few digits.
            _ => Sought::new(rounded(Dtype::F32), index, 0),
        };
        if index % 8 == 7 {
            let digits = [1e-4, 1e-5, 1e-6, 1e-8][usize::try_from(index / 8 % 4).unwrap()];
            let ends = units.iter().map(|unit| {
                let middle = (unit / digits).round() * digits;
                [middle - digits / 2.0, middle + digits / 2.0]
            });
            question.within = Some(ends.collect());
        }
        let answer = who_drew(&question, &catalogue);
        assert_ne!(answer.word(), "named", "{index}: {answer:?}");
        assert!(answer.streams.is_empty(), "{index}: {answer:?}");
    });
}

#[test]
fn noise_is_never_named() {
    is_silent_about_noise(6, &[8, 300]);
}

/// No cause is named for 10,000 arrays of noise.
#[test]
#[ignore = "slow: 10,000 arrays"]
fn noise_of_ten_thousand_arrays_is_never_named() {
    is_silent_about_noise(9_900, &[8, 9, 16, 30, 64, 100, 300, 1000, 4096]);
    is_silent_about_noise(100, &[1 << 14, 1 << 17, 1_000_000]);
}

/// The stream that is named for numbers as they were printed, with half a unit of the last digit to each side.
/// Each seed that was tried is an attempt: what names one seed is chance among a million.
#[test]
fn few_digits_name_no_seed_among_many() {
    let numbers = [0.454_f32, 0.1965, 0.921];
    let near = |x: &f32| [f64::from(*x) - 0.00005, f64::from(*x) + 0.00005];
    let word = |among| {
        let question = Sought {
            within: Some(numbers.iter().map(near).collect()),
            among,
            ..Sought::new(Tensor::vector(&numbers), 43, 0)
        };
        who_drew(&question, &catalogue()).word()
    };
    assert_eq!([word(1), word(1 << 20)], ["named", "possible"]);
}

fn printed(numbers: &[f64], digits: i32, seed: u64) -> Sought {
    let half = 0.5 * 10.0_f64.powi(-digits);
    Sought {
        within: Some(numbers.iter().map(|&x| [x - half, x + half]).collect()),
        ..Sought::new(Tensor::vector(numbers), seed, 0)
    }
}

fn stream_of(numbers: &[f64], digits: i32, seed: u64) -> String {
    let stream = streams(&printed(numbers, digits, seed), &[]).into_iter().next();
    stream.map_or_else(String::new, |stream| stream.sentence)
}

/// Seeds, digits, numbers, and parts of the sentences that name them.
type Drawn = (u64, i32, &'static [f64], &'static [&'static str]);

fn assert_named(draws: &[Drawn]) {
    for (seed, digits, numbers, parts) in draws {
        let sentence = stream_of(numbers, *digits, *seed);
        for part in *parts {
            assert!(sentence.contains(part), "{part}: {sentence}");
        }
    }
}

/// One number of items of which several are drawn: every third corner of crops of PyTorch, `torch.randint(0, 9)`; the second
/// `random.random()` of CPython; `1 + 5 * random()` after another double and an integer of NumPy's `Generator`.
#[test]
fn numbers_of_items_are_named() {
    let corners = [
        8_i64, 6, 7, 0, 6, 2, 5, 2, 8, 8, 1, 6, 1, 7, 7, 5, 5, 2, 8, 4, 4, 6, 4, 4,
    ];
    let second = [
        0.962, 0.705, 0.247, 0.209, 0.459, 0.495, 0.831, 0.234, 0.267, 0.902, 0.114, 0.992, 0.620, 0.661,
        0.691, 0.650, 0.582, 0.064, 0.489, 0.946, 0.729, 0.286, 0.878, 0.764, 0.690, 0.950, 0.504, 0.150,
        0.510, 0.903,
    ];
    let third = [
        2.59355, 2.95542, 1.53477, 2.28573, 5.06914, 3.95451, 5.55678, 2.42310, 2.97334, 3.26133, 1.66994,
        2.82920, 5.33512, 4.60051, 2.87511, 2.55515, 3.24583, 4.52095, 1.45073, 1.67427,
    ];
    let said = |question: &Sought| {
        let found = streams(question, &[]).into_iter().next();
        found.map_or_else(String::new, |it| it.sentence)
    };
    assert_eq!(
        said(&Sought::new(Tensor::vector(&corners), 0, 0)),
        "1 word of every 3, from word 0 on, of MT19937 seeded by 0: one word modulo 9"
    );
    for (numbers, digits, parts) in [
        (
            &second[..],
            3,
            [
                "2 words of every 4, from word 2 on, of MT19937 after random.seed(8)",
                "RandomState",
            ],
        ),
        (
            &third,
            5,
            [
                "2 words of every 6, from word 4 on, of numpy.random.default_rng(8)",
                "in [1, 6)",
            ],
        ),
    ] {
        let found = said(&printed(numbers, digits, 8));
        assert!(parts.iter().all(|part| found.contains(part)), "{found}");
        assert_eq!(said(&printed(numbers, digits, 9)), "");
    }
}

/// NumPy 2.4: `sort(randn(15))` of seed 42, `default_rng(3).normal(size=16)` that was shuffled, and the third fold of scikit-learn's
/// `KFold(5, shuffle=True, random_state=0)` of 100 things. `sort(6 * torch.rand(40) - 2)` of seed 11, PyTorch 2.15.
#[test]
fn elements_in_another_order_are_named() {
    let randn = [
        -1.913_280, -1.724_918, -0.469_474, -0.465_730, -0.463_418, -0.234_153, -0.234_137, -0.138_264,
        0.241_962, 0.496_714, 0.542_560, 0.647_689, 0.767_435, 1.523_030, 1.579_213,
    ];
    let uniform = [
        -1.64293, -1.54249, -1.38498, -1.22937, -1.10575, -1.02427, -0.98959, -0.83349, -0.53717, -0.42696,
        -0.38397, -0.36867, 0.02904, 0.55331, 0.58892, 0.62928, 0.65475, 0.77939, 0.91932, 1.01456, 1.43274,
        1.49214, 1.49851, 1.50366, 1.78042, 2.16159, 2.33833, 2.55998, 2.59178, 2.60279, 2.69474, 2.82125,
        3.01860, 3.03680, 3.22542, 3.26505, 3.30843, 3.54904, 3.91397, 3.94019,
    ];
    let said = |numbers: &[f64], digits, seed| {
        let answer = who_drew(&printed(numbers, digits, seed), &catalogue());
        answer
            .streams
            .first()
            .map(|it| it.sentence.clone())
            .unwrap_or_default()
    };
    assert!(said(&randn, 6, 42).ends_with("numpy.random.randn has them; then its numbers were sorted"));
    assert_eq!(said(&randn, 6, 43), "");
    // Fifteen numbers of one digit are in some order of those of any seed.
    assert_eq!(said(&randn.map(|it: f64| it.round()), 0, 42), "");
    let mut shuffled = uniform;
    shuffled.swap(3, 30);
    shuffled.swap(5, 12);
    for (numbers, what) in [
        (uniform, "were sorted"),
        (shuffled, "were shuffled, in an order that is not known"),
    ] {
        let found = said(&numbers, 5, 11);
        assert!(found.contains("in [-2, 4)") && found.contains(what), "{found}");
    }
    let fold = [
        0, 1, 4, 5, 11, 15, 17, 23, 28, 34, 35, 38, 40, 41, 42, 50, 52, 59, 61, 91,
    ];
    let answer = |seed| who_drew(&Sought::new(Tensor::vector::<i64>(&fold), seed, 0), &catalogue());
    let sentence = &answer(0).streams[0].sentence;
    assert!(
        sentence.ends_with("elements 40 to 59 of the 100, in ascending order"),
        "{sentence}"
    );
    assert_eq!(answer(1).word(), "unknown");
}

/// `1 + 3 * jax.random.exponential(key(7), (12,))`, and distributions of `key(3)`, JAX 0.10.
#[test]
fn distributions_of_jax_are_named() {
    let drawn: [(u64, &[f32], &str); 4] = [
        (
            7,
            &[
                4.363_401, 12.021_013, 2.082_236, 2.760_737, 4.937_867, 3.990_304, 2.785_614, 2.590_439,
                1.216_951,
            ],
            "as jax.random.exponential has them, times 3, plus 1",
        ),
        (
            3,
            &[
                -2.526_042, 2.719_1, 0.614_458, 3.689_352, -0.952_523, 0.334_846, -2.126_943,
            ],
            "as jax.random.logistic has them",
        ),
        (
            3,
            &[
                1.909_832, -2.089_805, -0.353_7, -3.020_887, 0.585_629, -0.181_373, 1.546_411,
            ],
            "as jax.random.laplace has them",
        ),
        (
            3,
            &[
                -4.220_596, 5.081_072, 0.505_405, 13.031_175, -0.835_892, 0.266_619, -2.876_293,
            ],
            "as jax.random.cauchy has them",
        ),
    ];
    for (seed, numbers, end) in drawn {
        let of = |seed| {
            let half = 5e-7;
            let ends = numbers
                .iter()
                .map(|&x| [f64::from(x) - half, f64::from(x) + half]);
            let question = Sought {
                within: Some(ends.collect()),
                ..Sought::new(Tensor::vector(numbers), seed, 0)
            };
            streams(&question, &[]).first().map(|it| it.sentence.clone())
        };
        let found = of(seed).unwrap();
        assert!(found.ends_with(end), "{found}");
        assert_eq!(of(seed + 1), None);
    }
}

/// The second `uniform(-0.05, 0.05, 4).astype("float32")` of `default_rng(42)`: four numbers are too few for bounds that are not
/// known, and no op draws doubles that are rounded since.
#[test]
fn known_bounds_take_no_bits() {
    let numbers = [-0.040_582_27_f32, 0.047_562_23, 0.026_113_97, 0.028_606_43];
    let bound = |text| Scalar::from_decimal(Dtype::F32, text);
    let asked = |seed, range| {
        let ends = numbers.map(f64::from).map(|x| [x - 5e-9, x + 5e-9]);
        let question = Sought {
            within: Some(ends.into()),
            range,
            ..Sought::new(Tensor::vector(&numbers), seed, 0)
        };
        streams(&question, &[]).first().map(|it| it.sentence.clone())
    };
    let range = bound("-0.05").zip(bound("0.05"));
    let found = asked(42, range).unwrap();
    let end = "the first one low, in [-0.05, 0.05); 8 words are dropped before the first element";
    assert!(found.ends_with(end), "{found}");
    assert_eq!([asked(43, range), asked(42, None)], [None, None]);
}

/// A dropout of Triton, `tl.rand(123, 64 + i) > 0.3`: the first words of blocks.
#[test]
fn masks_of_first_words_are_named() {
    let mask = "1011111111101101000011111111100111111000111101100111101100111110";
    let flags: Vec<i32> = mask.bytes().map(|it| i32::from(it == b'1')).collect();
    let of = |seed| streams(&Sought::new(Tensor::vector(&flags), seed, 0), &[]);
    assert!(of(123)[0].sentence.contains("as Triton takes them"));
    assert!(of(123)[0].sentence.contains("64 words are dropped"));
    assert!(of(124).is_empty());
}

/// `torch.randn(8, 4)` of PyTorch after `torch.manual_seed(42)`.
pub(super) const NORMALS: [f32; 32] = [
    1.926_915_3,
    1.487_284_1,
    0.900_717_2,
    -2.105_521,
    0.678_418_46,
    -1.234_544_9,
    -0.043_067_478,
    -1.604_667,
    -0.752_135_3,
    1.648_723,
    -0.392_478_64,
    -1.403_607_1,
    -0.727_881_3,
    -0.559_430_2,
    -0.768_838_9,
    0.762_445_4,
    1.642_316_9,
    -0.159_597_47,
    -0.497_397_54,
    0.439_589_26,
    -0.758_131_15,
    1.078_317_6,
    0.800_800_56,
    1.680_620_6,
    1.279_124_4,
    1.296_422_8,
    0.610_466_5,
    1.334_737_8,
    -0.231_624_32,
    0.041_759_49,
    -0.251_575_3,
    0.859_858_5,
];

/// Draws of NumPy 2.4, CPython 3.11, PyTorch 2.12, JAX 0.10 and TensorFlow 2.21.
#[test]
fn draws_from_unknown_bounds_and_moments_are_named_at_any_place() {
    assert_named(LINES);
    // Draws of another seed, and draws with one element changed in the middle, are not named.
    for (seed, digits, numbers, parts) in LINES.iter().step_by(8) {
        assert!(
            !stream_of(numbers, *digits, seed + 1).contains(parts[0]),
            "{parts:?}"
        );
        let mut changed = numbers.to_vec();
        changed[numbers.len() / 2] += 30.0 * 10.0_f64.powi(-digits);
        let changed = stream_of(&changed, *digits, *seed);
        assert!(!parts.iter().all(|part| changed.contains(part)), "{changed}");
    }
}

/// The numbers of [`LINES`] that begin a stream of their seed are found among other seeds, although no reading draws them.
#[test]
fn seeds_of_normals_are_found_among_many() {
    let catalogue = catalogue();
    let mut found = 0;
    for (seed, digits, numbers, parts) in LINES {
        let question = printed(numbers, *digits, 0);
        let stream = stream_of(numbers, *digits, *seed);
        if ["dropped", "where", "layer"]
            .iter()
            .any(|part| stream.contains(part))
        {
            continue;
        }
        let seeds = seed.saturating_sub(3)..=seed + 3;
        let searched = search(&[question], &seeds, catalogue.spec(), &catalogue, &|_| true);
        assert_eq!(searched.seeds, [*seed], "{parts:?} {stream}");
        found += 1;
    }
    assert!(found > 3, "{found}");
}

/// JAX 0.10 and TensorFlow 2.21: batches whose items have keys of their own, and normals of f64 from two seeds.
#[test]
fn batches_of_keys_and_doubles_of_tensorflow_are_named() {
    let named = |shape: &[u64], numbers: &[f64], [seed, op_seed]: [u64; 2], digits| {
        let shape = Shape::new(shape).unwrap();
        let sought = Sought {
            actual: Tensor::from_elements(shape, numbers).unwrap(),
            op_seed,
            ..printed(numbers, digits, seed)
        };
        let answer = who_drew(&sought, &catalogue());
        assert_eq!(answer.word(), "named", "{answer:?}");
        answer.streams[0].sentence.clone()
    };
    // `vmap(lambda k: normal(k, (4,)))(split(key(11), 6))`.
    let batch = [
        -0.309_88, -0.572_99, 2.014_49, -0.275_31, 0.280_16, -3.916_86, 0.005_44, -0.017_97, 0.361_11,
        -0.339_19, 2.086_42, 0.373_73, -1.967_03, -0.606_62, -0.701_74, -0.182_07, 0.329_3, -0.846_25,
        2.205_86, -2.524_78, 0.161_24, -1.050_2, -0.394_15, 0.990_81,
    ];
    let said = named(&[6, 4], &batch, [11, 0], 5);
    assert!(
        said.contains("item i is jax.random.split(jax.random.key(11), 6)[i]"),
        "{said}"
    );
    // The rows in the other order, as a sort or a flip leaves them.
    let flipped: Vec<f64> = batch.chunks(4).rev().flatten().copied().collect();
    let said = named(&[6, 4], &flipped, [11, 0], 5);
    assert!(said.ends_with("; then its rows were reversed"), "{said}");
    // `vmap(lambda k: uniform(k, (2, 3)))(split(split(key(12))[1], 3))`.
    let uniform = [
        0.570_03, 0.356_15, 0.469_46, 0.353_67, 0.838_06, 0.769_3, 0.212_24, 0.065_89, 0.958_49, 0.448_87,
        0.117_16, 0.487_81, 0.446_21, 0.142_81, 0.018_48, 0.042_53, 0.047_94, 0.607_94,
    ];
    let said = named(&[3, 2, 3], &uniform, [12, 0], 5);
    assert!(
        said.contains("jax.random.split(jax.random.split(jax.random.key(12))[1], 3)[i]"),
        "{said}"
    );
    // The first batch's function under `jax_threefry_partitionable = False`, of key 13, three normals each.
    let original = [
        0.695_48, -0.471_03, -0.436_4, -1.419_55, -0.442_46, -0.092_85, 0.232_21, -1.604_89, -0.854_7,
        0.255_39, 0.511_79, 0.309_37, -0.324_08, -0.356_5, -1.774_29,
    ];
    let said = named(&[5, 3], &original, [13, 0], 5);
    assert!(said.contains("in the original order"), "{said}");
    // `tf.random.stateless_normal([8], seed=[5, 9], dtype=tf.float64)`, with the seeds as they are and exchanged.
    let doubles = [
        0.587_698, -0.118_469, -0.709_137, 0.721_857, -1.624_597, -0.291_354, -2.427_603, 2.450_734,
    ];
    for seeds in [[5, 9], [9, 5]] {
        let said = named(&[8], &doubles, seeds, 6);
        assert!(said.contains("seed=[5, 9]") && said.contains("in f64"), "{said}");
        assert_eq!(said.contains("exchanged"), seeds == [9, 5], "{said}");
    }
}

/// First normals that real programs drew, each of its own seed, are found among as many seeds as no op could be asked.
#[test]
fn seeds_of_first_normals_are_found_among_millions() {
    let catalogue = catalogue();
    let mut asked = 0;
    for (kind, seed, digits, numbers) in FIRST_NORMALS {
        let doubles = printed(numbers, *digits, 0);
        #[expect(clippy::cast_possible_truncation, reason = "the digits are what is compared")]
        let singles: Vec<f32> = numbers.iter().map(|&number| number as f32).collect();
        let singles = Sought {
            actual: Tensor::vector(&singles),
            ..doubles.clone()
        };
        // More seeds than are asked of every op, so that nothing but the first words can tell them.
        let seeds = seed.saturating_sub(1 << 14)..=seed + (1 << 23);
        let searched = search(&[singles, doubles], &seeds, catalogue.spec(), &catalogue, &|_| {
            true
        });
        assert_eq!(searched.seeds, [*seed], "{kind}");
        asked += 1;
    }
    assert_eq!(asked, FIRST_NORMALS.len());
}

/// `torch.rand(5, device="cuda")` of PyTorch 2.11 on an H200 after the seed 5489, and `default_rng(1021388428).random(6)` of NumPy
/// 2.4: uniform numbers whose words are not the first ones of one generator of Philox, MT19937 or JAX.
#[test]
fn seeds_of_cuda_and_of_numpy_are_found_among_millions() {
    let catalogue = catalogue();
    let cuda = [0x3f631cd2, 0x3f3cfe58, 0x3e632688, 0x3ec01708, 0x3efdba4f].map(f32::from_bits);
    let numpy = printed(&[0.0425, 0.6287, 0.4666, 0.5341, 0.4695, 0.3334], 4, 0);
    for (question, seed) in [
        (Sought::new(Tensor::vector(&cuda), 0, 0), 5489),
        (numpy, 1_021_388_428_u64),
    ] {
        let seeds = seed.saturating_sub(1 << 14)..=seed + (1 << 23);
        let searched = search(&[question], &seeds, catalogue.spec(), &catalogue, &|_| true);
        assert_eq!(searched.seeds, [seed]);
    }
}

#[test]
fn seeds_that_are_off_by_a_few_are_named() {
    let catalogue = catalogue();
    let seed = |question: Sought| Some(beside(&question, catalogue.spec(), &catalogue)?.1.seed);
    // `torch.randn(20, dtype=torch.float64)` of seed 100, whose last block is drawn again.
    let doubles = [
        2.0897, 0.1177, -0.9251, -0.4363, -0.5252, 0.0311, -1.1411, -0.7884, -0.4072, 0.2387, -0.4221,
        -2.4347, -0.0557, 0.6313, 0.5262, -0.5123, 0.6202, 1.259, -1.3863, -1.0154,
    ];
    assert_eq!(seed(printed(&doubles, 4, 99)), Some(100));
    assert_eq!(seed(printed(&doubles, 4, 110)), None);
    // `torch.randn(16, dtype=torch.bfloat16).float()` of seed 77 in PyTorch 2.3.
    let halves = [
        1.351_562_5,
        -0.172_851_56,
        -0.515_625,
        -1.8125,
        -1.0625,
        0.5,
        -0.957_031_25,
        0.173_828_13,
        -1.351_562_5,
        -0.945_312_5,
        -0.730_468_75,
        0.494_140_63,
        -1.960_937_5,
        0.25,
        -0.945_312_5,
        1.382_812_5_f32,
    ];
    assert_eq!(seed(Sought::new(Tensor::vector(&halves), 70, 0)), Some(77));
    // `np.random.default_rng(99).integers(1, 7, 100)`, the first two of which one seed in 36 draws. Each of those would take
    // seconds, so that the others exclude them.
    let dice = b"6454246664244264331436224233526356535551123513561324544424246211122161224433453652625524352442664425"
        .map(|digit| i64::from(digit - b'0'));
    let dice = Sought::new(Tensor::vector(&dice), 42, 0);
    let searched = search(
        std::slice::from_ref(&dice),
        &(34..=106),
        catalogue.spec(),
        &catalogue,
        &|_| true,
    );
    assert_eq!(searched.seeds, [99]);
    assert_eq!(seed(dice), Some(99));
}

#[test]
fn parts_of_permutations_and_orders_of_loaders_are_named() {
    let from = |numbers: &[i64], seed| {
        let answer = who_drew(&Sought::new(Tensor::vector(numbers), seed, 0), &catalogue());
        let draw = answer.draws.first().expect("a draw");
        assert_eq!(answer.word(), "named");
        assert!(!draw.names.is_empty(), "{draw:?}");
        (draw.request.op(), draw.from.clone().unwrap_or_default())
    };
    // `train_test_split(range(150), random_state=42)` of scikit-learn 1.9: the test set is the beginning.
    let test = [
        73, 18, 118, 78, 76, 31, 64, 141, 68, 82, 110, 12, 36, 9, 19, 56, 104, 69, 55, 132,
    ];
    let (op, text) = from(&test, 42);
    assert_eq!(
        (op, text.as_str()),
        (OpName::RandomStatePermutation, "elements 0 to 19 of the 150")
    );
    // `list(DataLoader(range(24), batch_size=None, shuffle=True))` after `torch.manual_seed(5)`, in the second epoch.
    let (op, text) = from(LOADER, 5);
    assert_eq!(op, OpName::TorchRandperm);
    assert!(text.contains("in epoch 1"), "{text}");
    // `default_rng(3).choice(1000, 10, replace=False)` of NumPy 2.4.
    let chosen = [798_i64, 580, 866, 178, 804, 84, 39, 180, 94, 235];
    let answer = who_drew(&Sought::new(Tensor::vector(&chosen), 3, 0), &catalogue());
    assert_eq!(
        answer.streams[0].sentence,
        "numpy.random.default_rng(3).choice(1000, 10, replace=False)"
    );
    // An order that no generator drew.
    let sorted = who_drew(
        &Sought::new(Tensor::vector(&[3_i64, 5, 8, 9, 12, 30, 31, 35, 40, 77]), 42, 0),
        &catalogue(),
    );
    assert!(!sorted.certain && sorted.draws.is_empty(), "{sorted:?}");
}

#[test]
fn arrays_in_another_order_are_named() {
    let image = RandomUniform::new(
        seedproof_ops::Alignment::Pytorch,
        &[2, 3, 4, 5],
        [0.0_f32, 1.0],
        [7, 0],
    );
    let drawn = catalogue()
        .spec()
        .run(&Request::RandomUniform(image))
        .expect("it is valid")
        .output;
    let all: Vec<f32> = drawn.elements().expect("it is of f32").collect();
    let moved: Vec<f32> = (0..2 * 4 * 5 * 3)
        .map(|i| {
            let (batch, place, channel) = (i / 60, i % 60 / 3, i % 3);
            all[batch * 60 + channel * 20 + place]
        })
        .collect();
    let doubles: Vec<f64> = {
        let drawn = RandomUniform::new(seedproof_ops::Alignment::Pytorch, &[60], [0.0_f64, 1.0], [7, 0]);
        let drawn = catalogue()
            .spec()
            .run(&Request::RandomUniform(drawn))
            .expect("it is valid")
            .output;
        drawn.elements().expect("it is of f64").collect()
    };
    // Of few elements, a list of skipped and repeated ones would fit as well, and say nothing.
    for [rows, columns] in [[6, 4], [5, 3], [12, 5]] {
        let transposed: Vec<f64> = (0..rows * columns)
            .map(|i| doubles[i % rows * columns + i / rows])
            .collect();
        let shape = Shape::new(&[columns as u64, rows as u64]).unwrap();
        let transposed = Tensor::from_elements(shape, &transposed).unwrap();
        let answer = who_drew(&Sought::new(transposed, 7, 0), &catalogue());
        assert!(
            answer.draws[0].from.is_some() && answer.streams.is_empty(),
            "{answer:?}"
        );
    }
    let reversed: Vec<f64> = doubles.into_iter().rev().collect();
    let answer = who_drew(&Sought::new(Tensor::vector(&reversed), 7, 0), &catalogue());
    assert_eq!(
        answer.draws[0].from.as_deref(),
        Some("then it was reversed"),
        "{answer:?}"
    );
    let nhwc = Tensor::from_elements(Shape::new(&[2, 4, 5, 3]).unwrap(), &moved).unwrap();
    let answer = who_drew(&Sought::new(nhwc, 7, 0), &catalogue());
    assert_eq!(answer.word(), "named");
    assert_eq!(
        answer.draws[0].from.as_deref(),
        Some("then its axes were permuted, as by permute(0, 2, 3, 1)")
    );
}

/// `torch.rand(2, 3, 4).permute(1, 2, 0)` after `torch.manual_seed(2024); torch.rand(7)`.
#[test]
fn arrays_in_another_order_are_named_after_other_draws() {
    let permuted = [
        0.620_128_1_f32,
        0.610_116_84,
        0.484_850_47,
        0.891_379_3,
        0.749_214_1,
        0.908_950_27,
        0.152_095_85,
        0.665_173_2,
        0.562_518_84,
        0.678_625_94,
        0.173_475_44,
        0.226_827_56,
        0.704_594_25,
        0.503_073_63,
        0.926_532_86,
        0.215_058_03,
        0.406_095_5,
        0.798_814_54,
        0.304_498_97,
        0.078_374_565,
        0.907_317_9,
        0.070_558_965,
        0.763_732,
        0.297_183_4,
    ];
    let array = Tensor::from_elements(Shape::new(&[3, 4, 2]).unwrap(), &permuted).unwrap();
    let answer = who_drew(&Sought::new(array.clone(), 2024, 0), &catalogue());
    assert_eq!(answer.word(), "named");
    let sentence = &answer.streams[0].sentence;
    let end =
        "7 words are dropped before the first element; then its axes were permuted, as by permute(1, 2, 0)";
    assert!(sentence.contains(end), "{sentence}");
    assert_eq!(
        who_drew(&Sought::new(array, 2023, 0), &catalogue()).word(),
        "unknown"
    );
}

/// `jax.nn.initializers.lecun_normal()(jax.random.split(jax.random.key(1701))[1], (8, 4))` of JAX 0.10.
#[test]
fn lines_come_before_monotone_functions_of_far_keys() {
    let weights = [
        0.336_641_46_f32,
        -0.159_141_15,
        0.453_556_93,
        0.621_988_2,
        0.270_772_7,
        -0.039_167_486,
        -0.069_886_41,
        0.597_715_44,
        -0.119_830_035,
        -0.641_507_1,
        0.450_116_5,
        -0.047_138_196,
        0.537_553_2,
        -0.426_721_07,
        0.198_712_6,
        0.083_374_29,
        -0.101_456_32,
        0.123_557_284,
        0.675_247_4,
        0.086_275_99,
        0.087_316_36,
        0.380_158_34,
        -0.138_311_19,
        0.061_306_532,
        -0.207_349_5,
        -0.030_380_419,
        0.430_125_6,
        -0.142_132_71,
        0.735_778_87,
        0.068_375_29,
        -0.394_118_13,
        -0.225_848_3,
    ];
    let array = Tensor::from_elements(Shape::new(&[8, 4]).unwrap(), &weights).unwrap();
    let answer = who_drew(&Sought::new(array, 1701, 0), &catalogue());
    assert_eq!(answer.streams[0].name, "jax.random + scaled", "{answer:?}");
}

/// The first normals of PyTorch 2.15, NumPy 2.4, JAX 0.10, TensorFlow 2.21 and libstdc++ 12: the program, the seed, digits, and numbers.
const FIRST_NORMALS: &[(&str, u64, i32, &[f64])] = &[
    (
        "std::normal_distribution<double>",
        3545474761,
        4,
        &[-0.2964, -0.9890, 1.0405, 0.5984, 1.1555, -0.6137],
    ),
    (
        "np.random.randn",
        1021388428,
        4,
        &[-0.2100, -0.6384, 1.2981, -1.4824, -0.8166, -0.7838],
    ),
    (
        "np.random.normal(0, 0.02)",
        1021388428,
        6,
        &[
            -0.004200, -0.012767, 0.025962, -0.029648, -0.016333, -0.015675, -0.014719, -0.020522, -0.018227,
            -0.017466, -0.017634, -0.043598,
        ],
    ),
    (
        "default_rng.standard_normal",
        1021388428,
        4,
        &[-0.2549, -0.0553, 0.9534, -0.3607, 1.4519, 0.9934],
    ),
    (
        "default_rng.standard_normal in f32",
        1021388428,
        4,
        &[-0.5277, 0.1467, -1.4149, 0.9103, 0.2446, 1.4389],
    ),
    (
        "jax.random.normal",
        1021388428,
        4,
        &[-1.5782, -0.1550, -1.3054, -1.0084, 0.1288, -1.2190],
    ),
    (
        "jax.random.truncated_normal",
        1021388428,
        4,
        &[-1.4227, -0.1479, -1.2041, -0.9453, 0.1229, -1.1306, -0.3859],
    ),
    (
        "tf.raw_ops.RandomStandardNormal",
        510694214,
        4,
        &[-0.6243, 0.3813, 0.1999, 0.1291, 0.2398, 1.1808],
    ),
    (
        "torch.randn(6)",
        2344741610,
        4,
        &[-0.3516, 0.0579, 1.5716, 1.0398, 0.7381, 0.4030],
    ),
    (
        "torch.randn(16)",
        2344741610,
        4,
        &[
            1.1386, 1.2785, 0.2277, 1.2623, 0.4349, -0.3920, -0.5911, 0.6292, -1.0046, -0.5077, -0.9555,
            -0.5346, 0.3235, 1.8285, 1.5035, -0.8482,
        ],
    ),
    (
        "torch.randn(20)",
        2344741610,
        4,
        &[
            1.1386, 1.2785, 0.2277, 1.2623, -0.5790, 0.0853, 0.3305, 1.3049, -0.4425, 1.1831, -0.7814,
            -0.5209, 1.0220, -0.1341, 1.6788, 0.1441, 0.4332, 0.3094, 0.4990, -0.0764,
        ],
    ),
    (
        "torch.randn(27)",
        2344741610,
        4,
        &[
            1.1386, 1.2785, 0.2277, 1.2623, 0.4349, -0.3920, -0.5911, 0.6292, -1.0046, -0.5077, -0.9555,
            -0.5209, 0.4941, 1.8666, -0.7031, 0.0834, -0.6103, -0.0948, 0.6844, -0.0764, 0.7503, 0.4278,
            -0.0105, 0.1684, -0.7570, 0.2723, -0.7651,
        ],
    ),
    (
        "torch.randn(6) in f64",
        2344741610,
        4,
        &[-0.3516, 0.0579, 1.5716, 1.0398, 0.7381, 0.4030],
    ),
    (
        "torch.randn(20) in f64",
        2344741610,
        4,
        &[
            -0.7701, 0.3012, 0.4404, 1.1142, -0.2009, 2.1775, 0.5227, -1.6672, -0.4161, -0.5616, -0.3203,
            -1.1972, 0.5022, -0.7454, -1.3698, -0.1524, -0.3169, -1.8752, -0.3205, -0.9115,
        ],
    ),
    (
        "torch.randn(32) in f64",
        2344741610,
        4,
        &[
            -0.7701, 0.3012, 0.4404, 1.1142, -0.3229, 0.2344, -1.0190, 0.0178, 0.8318, 0.1902, -0.0369,
            1.5197, 0.2480, -0.8077, -1.5262, -1.1384, 0.1147, 0.4842, 0.6326, -0.0863, -0.2009, 2.1775,
            0.5227, -1.6672, 0.1189, -0.6424, 0.4448, -0.1764, 0.5022, -0.7454, -1.3698, -0.1524,
        ],
    ),
    (
        "torch.randn(16) * 0.02",
        2344741610,
        6,
        &[
            0.022773, 0.025570, 0.004554, 0.025247, 0.008698, -0.007840, -0.011822, 0.012585, -0.020091,
            -0.010153, -0.019109, -0.010691, 0.006470, 0.036570, 0.030070, -0.016965,
        ],
    ),
    (
        "torch.randn(8) * 3.7",
        2344741610,
        4,
        &[-1.3008, 0.2141, 5.8147, 3.8471, 2.7311, 1.4912, 1.6566, -3.8730],
    ),
];

const LINES: &[Drawn] = &[
    (
        11,
        6,
        &[
            -0.269418, 2.161826, -0.807998, -0.665771, 1.712427, -0.000580, 3.877800, 2.086405, 0.966704,
            1.761010,
        ],
        &["gumbel of numpy.random", "20 words are dropped"],
    ),
    (
        11,
        6,
        &[
            3.294187, 4.009413, -0.285506, -0.518595, -3.147767, -3.779617, 2.817321, 1.807126, -4.661929,
            0.838290,
        ],
        &["logistic of numpy.random", "times 2", "plus 1", "40 words"],
    ),
    (
        11,
        6,
        &[
            -0.656883, 3.571768, 1.716499, 0.684951, 0.332016, 6.854377, 10.874523, -1.174207, -2.203474,
            2.695879,
        ],
        &["laplace of numpy.random", "times 3", "60 words"],
    ),
    (
        11,
        6,
        &[
            0.573981, 1.345768, 2.806019, 0.114493, 0.291461, 9.477154, 0.178517, 0.471735, 0.729817,
            1.759454,
        ],
        &["standard_exponential of NumPy's Generator", "times 2.5"],
    ),
    (
        11,
        6,
        &[
            -4.415304, 1.928085, 0.444183, 11.444419, -13.979344, 0.503784, -0.482280, -0.419336, 1.767052,
            -2.171946,
        ],
        &["laplace of NumPy's Generator", "times 3", "4146 words"],
    ),
    (
        3,
        4,
        &[
            -0.4447, -0.9509, -0.0562, -1.4396, -1.2133, 1.0947, -0.4957, 0.7577, -0.6791,
        ],
        &["fewer than 16 elements", "100 words are dropped"],
    ),
    (
        8,
        4,
        &[
            -0.1249, -0.0941, 0.088, -0.0021, -0.157, 0.0104, 0.0636, 0.0796, 0.0898, -0.0897, 0.0925,
            -0.0627, -0.0388, -0.1324, -0.1847, 0.166,
        ],
        &["in [-0.204", "384 words are dropped"],
    ),
    (
        9,
        5,
        &[
            0.97865, 0.98566, 1.02179, 0.96851, 1.02892, 0.96948, 0.96918, 0.98417, 1.01675, 1.0032, 0.99329,
            0.97086, 1.00118, 0.97886, 0.96859, 0.97169, 0.98611, 0.99294, 0.9556, 1.01937, 1.05334,
        ],
        &["blocks of 16", "times 0.02", "plus 1"],
    ),
    (
        4,
        4,
        &[
            4.3224, 5.7325, 4.39, 4.0302, 4.7587, 4.8423, 6.1275, 4.6392, 5.4044,
        ],
        &["numpy.random.randn", "times 2", "plus 5", "the first of a pair"],
    ),
    (
        4,
        4,
        &[
            8.5304, 1.9809, 9.0007, 3.1366, 2.9911, 0.6087, 9.353, 0.0156, 0.7292,
        ],
        &["numpy.random.exponential", "times 2.5"],
    ),
    (
        42,
        4,
        &[
            6.0935, 10.3835, 9.0513, 9.9496, 7.4409, 12.6382, 12.3334, 10.1981, 13.3817,
        ],
        &["standard_normal", "times 3", "plus 10", "10 words are dropped"],
    ),
    (
        1,
        4,
        &[
            1.7291, -1.4285, 1.0277, 1.8821, 0.0751, 0.4172, -1.8202, 1.774, 0.4562,
        ],
        &["in float32"],
    ),
    (
        1,
        4,
        &[
            -0.2386, 6.8007, 1.2285, 2.2041, 5.7424, 2.0805, 3.3089, -1.2589, 5.0932,
        ],
        &["in [-1.5, 7.25)"],
    ),
    (
        7,
        4,
        &[
            2.4233, 2.5892, 2.5565, 2.2723, 1.8851, 2.1292, 1.8619, 1.9935, 1.826,
        ],
        &["random.gauss", "times 0.5", "plus 2"],
    ),
    (
        11,
        4,
        &[
            -4.9011, -0.8199, -1.1052, 0.4538, -0.0756, 2.8817, 4.8858, -2.2153, 2.449,
        ],
        &["n)[3]", "times 3", "plus 1"],
    ),
    (
        11,
        5,
        &[
            -0.07621, -0.17433, 0.05742, -0.03796, 0.02659, -0.04693, -0.17243, 0.08954, -0.00235,
        ],
        &["within two standard deviations", "times 0.1"],
    ),
    (
        5,
        4,
        &[
            3.1133, 3.4053, 3.3733, 3.3875, 3.3622, 3.7109, 2.9554, 3.6732, 2.4895,
        ],
        &["tf.random.normal", "call 2", "times 0.5"],
    ),
    // `torch.nn.init.trunc_normal_` of PyTorch 2.8, `std=.02` and `std=.5, a=-1, b=1`.
    (
        12,
        4,
        &[
            -0.0017, -0.0146, -0.0024, 0.0044, -0.0046, -0.0228, 0.0070, -0.0140, 0.0123, 0.0118, -0.0169,
            0.0102, 0.0042, 0.0067, 0.0028, -0.0229, 0.0407, 0.0202, -0.0230, -0.0027, 0.0083,
        ],
        &["normals as torch.nn.init.trunc_normal_ has them", "times 0.02"],
    ),
    (
        13,
        4,
        &[
            -0.6122, -0.0247, 0.4145, -0.8923, -0.8911, 0.1252, -0.3467, 0.5113, 0.8981, -0.4010, -0.6352,
        ],
        &[
            "within two standard deviations, as torch.nn.init.trunc_normal_",
            "times 0.5",
        ],
    ),
    // `random.normalvariate(5, 2)` of CPython 3.11.
    (
        9,
        12,
        &[
            4.797468922322499,
            5.485731084454761,
            2.4633464464444685,
            6.274049600218694,
            5.91619901660858,
        ],
        &["random.normalvariate of Python", "times 2, plus 5"],
    ),
];

const LOADER: &[i64] = &[
    13, 12, 5, 14, 15, 18, 17, 19, 3, 10, 2, 21, 23, 4, 6, 16, 8, 1, 11, 22, 9, 7, 20, 0,
];

/// What torch 2.12, NumPy 2.4, JAX 0.10 and Keras 3 drew.
const RANKED: &[Drawn] = &[
    // `dropout(ones(64), 0.25)` after `rand(9)`.
    (
        23,
        0,
        &[
            1.0, 0.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0,
            1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0,
            1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0,
            1.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0,
        ],
        &["1 where it is below some bound from 0.7", "9 words are dropped"],
    ),
    // `choice(4, 60, p=[.4, .3, .2, .1])` of `numpy.random`.
    (
        77,
        0,
        &[
            3.0, 1.0, 2.0, 0.0, 0.0, 2.0, 0.0, 1.0, 0.0, 1.0, 1.0, 2.0, 2.0, 1.0, 0.0, 0.0, 2.0, 1.0, 0.0,
            2.0, 1.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 2.0, 0.0, 0.0, 1.0, 0.0,
            0.0, 0.0, 1.0, 3.0, 2.0, 0.0, 2.0, 2.0, 0.0, 0.0, 0.0, 1.0, 3.0, 0.0, 1.0, 3.0, 3.0, 0.0, 2.0,
            0.0, 0.0, 1.0,
        ],
        &[
            "RandomState",
            "1 where it is above some bound from 0.3",
            "and otherwise 0",
        ],
    ),
    // `bernoulli(fold_in(key(6), 3), 0.35, (64,))` of `jax.random`.
    (
        6,
        0,
        &[
            0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0,
            0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0,
            1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0,
            0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0,
        ],
        &["fold_in(jax.random.key(6), 3)", "1 where it is below"],
    ),
    // `lognormal(0, 1, 20).round(4)` of `default_rng(9)`.
    (
        9,
        4,
        &[
            0.4481, 1.2749, 0.1908, 1.9273, 3.1376, 0.636, 1.538, 1.2852, 0.6741, 0.4221, 0.131, 4.0977,
            0.9535, 12.4576, 2.2847, 1.3202, 0.5182, 4.0248, 0.6027, 4.8064,
        ],
        &["standard_normal of NumPy's Generator", "non-decreasing"],
    ),
    // `torch.randn(20).exp()`, whose last 16 elements are drawn after the others.
    (
        8,
        4,
        &[
            0.3045, 4.0279, 8.2145, 0.7015, 0.6738, 0.3224, 1.5178, 0.5664, 5.8380, 0.6873, 0.7150, 2.9670,
            0.6257, 1.4673, 1.2557, 3.3556, 1.0362, 1.2150, 2.4526, 0.7176,
        ],
        &["normals of blocks of 16", "a non-decreasing function of it"],
    ),
    // `set.seed(42); runif(5)` and `set.seed(123); rnorm(6)` of R, as its documentation and tutorials print them.
    (
        42,
        7,
        &[0.914_806_0, 0.937_075_4, 0.286_139_5, 0.830_447_6, 0.641_745_5],
        &["set.seed(42) of R", "2^-32"],
    ),
    (
        123,
        8,
        &[
            -0.560_475_65,
            -0.230_177_49,
            1.558_708_31,
            0.070_508_39,
            0.129_287_74,
            1.715_064_99,
        ],
        &["set.seed(123) of R", "as rnorm of R has them"],
    ),
    // `default_rng(SeedSequence(9).spawn(4)[3]).random(4)`.
    (
        9,
        16,
        &[
            0.7466226350899471,
            0.46263091731038997,
            0.575374018283438,
            0.8496480012901283,
        ],
        &["child 3 of SeedSequence(9)"],
    ),
    // `default_rng([9, 2]).normal(1, 2, 5)`.
    (
        9,
        15,
        &[
            -2.6525610888029054,
            1.0084027067454433,
            1.0260361360156354,
            -1.5324206926782038,
            2.7528537131852167,
        ],
        &["default_rng([9, 2])", "times 2, plus 1"],
    ),
];

/// What was looked for in one type is not looked for again in the other, and what only the other has is.
#[test]
fn numbers_of_two_types_are_asked_about_once() {
    let wide = Sought::new(Tensor::vector(&[7_i64, 20, 51, 19, 10, 85, 2, 35, 4, 26]), 0, 0);
    let ways = |sought: &Sought| ways_of(sought, &Seen::of(sought));
    let all = ways(&wide);
    let others = ways(&Sought {
        asked: Some(Dtype::I32),
        ..wide
    });
    assert!(!others.is_empty() && others.len() < all.len());
    assert!(others.iter().all(|way| !way.is_alike_in(Dtype::I32)));
}

/// `tf.random.shuffle(tf.range(20))` of TensorFlow 2.21 after `tf.random.set_seed(3)`.
#[test]
fn shuffled_numbers_are_named() {
    let order = [
        4, 16, 2, 11, 7, 19, 15, 17, 10, 13, 0, 3, 8, 1, 9, 5, 14, 6, 12, 18,
    ];
    let answer = who_drew(&Sought::new(Tensor::vector(&order), 3, 0), &catalogue());
    assert_eq!(answer.word(), "named");
    let draw = &answer.draws[0];
    assert_eq!(draw.request.op(), OpName::RandomShuffle);
    assert!(draw.from.as_ref().is_some_and(|from| from.contains("call 1")));
}

#[test]
fn masks_choices_and_seeds_of_frameworks_are_named() {
    assert_named(RANKED);
    // The numbers of another seed are in another order.
    for (seed, digits, numbers, parts) in RANKED.iter().step_by(3) {
        assert_eq!(stream_of(numbers, *digits, seed + 1), "", "{parts:?}");
    }
    // The first row of the kernel of the third `Dense(4)` of four inputs after `keras.utils.set_random_seed(9)`.
    let kernel = [
        -0.806_546_9_f32,
        -0.100_535_27,
        0.633_078_75,
        0.482_747_38,
        0.844_558_06,
        0.258_899_03,
    ];
    let found = streams(&Sought::new(Tensor::vector(&kernel), 9, 0), &[]);
    let sentence = &found[0].sentence;
    for part in ["number 3 of those that Keras draws", "the root of 3/4"] {
        assert!(sentence.contains(part), "{part}: {sentence}");
    }
    // `g = tf.random.Generator.from_seed(77)`, `g.normal((3,))`, and then `g.uniform((6,), -2, 3)` of TensorFlow 2.21.
    let uniform = [
        -1.2343813_f32,
        -1.3571061,
        -1.1508222,
        -1.6880007,
        -1.7231424,
        0.48283982,
    ];
    let found = streams(&Sought::new(Tensor::vector(&uniform), 77, 0), &[]);
    let sentence = &found[0].sentence;
    for part in ["Generator.from_seed(77)", "in [-2, 3)", "3072 words are dropped"] {
        assert!(sentence.contains(part), "{part}: {sentence}");
    }
    // `default_rng(99).random(6, dtype=float32) * 1.7 - 0.3`, which 23 bits of a word fit as well.
    let scaled = [
        1.328_895_6_f32,
        0.560_252_1,
        0.988_007_37,
        0.660_655_74,
        0.002_289_265_4,
        0.570_257_07,
    ];
    let found = streams(&Sought::new(Tensor::vector(&scaled), 99, 0), &[]);
    let sentence = &found[0].sentence;
    let end = "default_rng(99): the high 24 bits of a word, in [-0.3, 1.4)";
    assert!(sentence.ends_with(end), "{sentence}");
}

/// What JAX 0.10 draws with `jax_enable_x64` from `key(7)`: `3 * normal(key, (50,)) + 1`, `uniform(key, (50,), minval=-0.3,
/// maxval=1.7)`, `gumbel(key, (50,))`, and `normal(key, (6,))` without `jax_threefry_partitionable`. Of the others these
/// are the first numbers.
#[test]
fn doubles_of_jax_are_named() {
    let normals = [
        4.034_444_006_677_26,
        -4.073_182_726_371_912,
        -1.266_398_869_977_928_5,
        -3.556_896_142_253_344_3,
    ];
    let uniform = [
        1.388_213_890_164_705_6,
        -0.209_174_829_746_687_05,
        0.149_969_251_385_707_66,
        -0.171_228_789_732_663_14,
    ];
    let gumbel = [
        1.775_043_481_703_371_1,
        -1.128_807_136_782_53,
        -0.399_931_968_060_742_1,
    ];
    for (numbers, said) in [
        (&normals[..], "jax.random.normal has them, times 3, plus 1"),
        (&uniform, "as JAX has it, in [-0.3, 1.7)"),
        (&gumbel, "jax.random.gumbel has them"),
    ] {
        let found = streams(&Sought::new(Tensor::vector(numbers), 7, 0), &[]);
        let sentence = &found[0].sentence;
        assert!(
            sentence.starts_with("jax.random with key(7): ") && sentence.ends_with(said),
            "{sentence}"
        );
    }
    // In the older order each number depends on how many there are: these are all of six.
    let six = [
        0.320_320_224_633_536_5,
        -1.217_679_438_004_763,
        -0.947_248_281_371_667_3,
        -0.628_927_457_930_927_1,
        -0.056_627_138_949_704_836,
        1.538_543_047_731_471_5,
    ];
    let found = streams(&Sought::new(Tensor::vector(&six), 7, 0), &[]);
    assert!(found[0].sentence.contains("in the original order"), "{found:?}");
}

/// The first and the fourth child of `tf.random.Generator.from_seed(42).split(5)` of TensorFlow 2.21.
#[test]
fn children_of_tensorflow_s_generators_are_named() {
    let fourth = [
        0.250_644_45_f32,
        0.805_780_65,
        0.243_917_23,
        0.823_763_13,
        0.010_902_047,
        0.897_224_9,
    ];
    let first = [
        0.209_809_3_f32,
        0.217_948_56,
        0.115_697_86,
        0.086_150_65,
        0.391_102_55,
        0.642_253_5,
    ];
    for (child, numbers) in [(3, fourth), (0, first)] {
        let found = streams(&Sought::new(Tensor::vector(&numbers), 42, 0), &[]);
        let sentence = &found[0].sentence;
        let said = format!("tf.random.Generator.from_seed(42).split(n)[{child}]: ");
        assert!(sentence.starts_with(&said), "{sentence}");
    }
}

/// `numpy.random.randn(6, 4)[:, 2]` after `numpy.random.seed(7)`, printed as a column of a data frame, and
/// `(torch.randn(8, 4) * 2 + 1)[:, 3]` after `torch.manual_seed(3)`.
#[test]
fn columns_of_normals_are_named() {
    const FRAME: [f64; 6] = [0.03282, -0.00089, -0.625_429, -0.242_749, 0.274_46, -0.387_14];
    const LAYER: [f64; 8] = [
        1.143_055_4,
        -2.193_416_1,
        0.554_878_35,
        1.832_662_6,
        -2.303_330_9,
        1.106_066_8,
        -1.390_468_6,
        0.706_383_55,
    ];
    assert_named(&[
        (7, 6, &FRAME, &["numpy.random.randn", "in column 2 (from 0) of 4"]),
        (
            3,
            6,
            &LAYER,
            &["torch.randn", "in column 3 (from 0) of 4, times 2, plus 1"],
        ),
    ]);
    assert_eq!(stream_of(&FRAME, 6, 8), "");
}
