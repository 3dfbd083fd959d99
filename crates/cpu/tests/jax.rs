//! JAX's keys and ONNX's drafts: figures that jax 0.10.2 and the drafts gave, and what is refused, in which order.

use seedproof_cpu::{Cpu, Level};
use seedproof_ops::{
    Attribute, Backend as _, Dtype, ErrorKind, Failure, JaxBits, JaxFoldIn, JaxKey, JaxKeyImpl,
    JaxPermutation, JaxRandint, JaxSplit, JaxUniform, Limits, OnnxGenerator, OnnxInitPrng, OnnxRandomUniform,
    OnnxSplitPrng, Request, Support, Tensor,
};

use crate::requests::{bits, run};

const THREEFRY: Attribute<JaxKeyImpl> = Attribute::Known(JaxKeyImpl::Threefry2x32);

/// The bits of the output.
fn drawn(request: impl Into<Request>) -> Vec<u64> {
    bits(&run(&request.into()).unwrap().output)
}

/// The kind of a rejection; `None` for a value.
fn kind(request: &Request) -> Option<ErrorKind> {
    match run(request) {
        Ok(_) => None,
        Err(Failure::Rejected(error)) => error.kind,
        Err(other) => panic!("{other}"),
    }
}

fn randint(implementation: JaxKeyImpl, partitionable: bool, key: &[u32]) -> JaxRandint {
    JaxRandint {
        implementation: implementation.into(),
        partitionable,
        output_type: Dtype::I8.into(),
        output_sizes: vec![9],
        minval: 0,
        maxval: 10,
        key: Tensor::vector(key),
    }
}

fn split(implementation: JaxKeyImpl, partitionable: bool, num: i128, key: &[u32]) -> JaxSplit {
    JaxSplit {
        implementation: implementation.into(),
        partitionable,
        num,
        key: Tensor::vector(key),
    }
}

#[test]
fn jax_keys_are_the_halves_of_a_seed() {
    let key = |implementation: JaxKeyImpl, seed| {
        drawn(Request::JaxKey(JaxKey {
            implementation: implementation.into(),
            seed,
        }))
    };
    assert_eq!(key(JaxKeyImpl::Threefry2x32, 1 << 32 | 5), [1, 5]);
    assert_eq!(key(JaxKeyImpl::Rbg, -1), [0xffff_ffff; 4]);
}

#[test]
fn jax_captures_of_keys() {
    let keys = drawn(Request::JaxSplit(split(
        JaxKeyImpl::Threefry2x32,
        true,
        4,
        &[621_939_733, 2_923_962_257],
    )));
    assert_eq!(
        keys,
        [
            3_268_918_446,
            3_246_534_617,
            3_189_366_925,
            1_512_320_990,
            1_224_163_691,
            3_385_676_781,
            762_035_551,
            1_893_674_920
        ]
    );
    let keys = drawn(Request::JaxSplit(split(
        JaxKeyImpl::Threefry2x32,
        false,
        9,
        &[419_043_590, 210_801_565],
    )));
    assert_eq!(
        keys[..4],
        [963_658_004, 3_920_892_740, 4_267_572_856, 4_241_984_981]
    );
    assert_eq!(keys[16..], [1_114_551_207, 866_072_286]);
    let keys = drawn(Request::JaxSplit(split(
        JaxKeyImpl::Rbg,
        true,
        5,
        &[1_442_816_606, 1, 2_235_043_965, 3_548_707_797],
    )));
    assert_eq!(
        keys[..4],
        [1_647_780_344, 179_213_089, 722_861_691, 2_737_927_786]
    );
    // The draft onnx/onnx#8420 has it too.
    let folded = drawn(Request::JaxFoldIn(JaxFoldIn {
        implementation: THREEFRY,
        partitionable: true,
        data: 42,
        key: Tensor::vector(&[0_u32, 0]),
    }));
    assert_eq!(folded, [2_814_562_516, 111_458_285]);
}

#[test]
fn jax_captures_of_values() {
    let uniform = |partitionable, key: [u32; 2]| {
        let mut values = drawn(Request::JaxUniform(JaxUniform {
            implementation: THREEFRY,
            partitionable,
            output_type: Dtype::F16.into(),
            output_sizes: vec![2, 3],
            key: Tensor::vector(&key),
            minval: Tensor::scalar(half::f16::ZERO),
            maxval: Tensor::scalar(half::f16::ONE),
        }));
        values.truncate(3);
        values
    };
    assert_eq!(
        uniform(true, [3_578_258_578, 544_104_062]),
        [0x35e8, 0x39d6, 0x3b0c]
    );
    assert_eq!(
        uniform(false, [3_450_648_867, 1_327_539_670]),
        [0x380a, 0x3a88, 0x3574]
    );
    let request = randint(JaxKeyImpl::Threefry2x32, true, &[3_846_022_175, 2_205_793_029]);
    assert_eq!(drawn(Request::JaxRandint(request)), [1, 9, 9, 3, 6, 6, 5, 9, 1]);
    let mut request = randint(
        JaxKeyImpl::Rbg,
        true,
        &[1_430_502_322, 2_147_483_648, 2_649_810_864, 1_723_729_659],
    );
    request.maxval = 100;
    assert_eq!(
        drawn(Request::JaxRandint(request)),
        [88, 50, 86, 43, 59, 5, 48, 43, 98]
    );
}

/// The bits of the output of the fastest level.
fn best(request: &Request) -> Vec<u64> {
    let cpu = Cpu::new(Level::best(), Limits::default(), || 0);
    bits(&cpu.run(request).unwrap().output)
}

/// Enough for threads, an odd number, and long enough that some draws of 32 bits are equal.
#[test]
fn jax_permutations_have_every_number_once() {
    let count = (1 << 20) + 1;
    for partitionable in [true, false] {
        let request = Request::JaxPermutation(JaxPermutation {
            implementation: THREEFRY,
            partitionable,
            n: count,
            key: Tensor::vector(&[1_u32, 2]),
        });
        let mut numbers = best(&request);
        let few = |numbers: &[u64]| numbers[..9].to_vec();
        assert_ne!(few(&numbers), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
        numbers.sort_unstable();
        assert!(numbers.into_iter().map(i128::from).eq(0..count));
    }
}

/// A large output has the numbers of small ones, for any number of threads, where the order does not depend on its length.
#[test]
fn jax_bits_do_not_depend_on_threads() {
    let count = (1 << 20) + 77;
    for (implementation, words) in [(JaxKeyImpl::Threefry2x32, 2), (JaxKeyImpl::Rbg, 4)] {
        for partitionable in [true, false] {
            for output_type in [Dtype::U8, Dtype::U16, Dtype::U32, Dtype::U64] {
                let request = Request::JaxBits(JaxBits {
                    implementation: implementation.into(),
                    partitionable,
                    output_type: output_type.into(),
                    output_sizes: vec![count],
                    key: Tensor::vector(&[7_u32, 9, 11, 13][..words]),
                });
                let answers = [1, 3].map(|threads| {
                    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
                    pool.build().unwrap().install(|| best(&request))
                });
                assert!(answers[0] == answers[1], "{request:?}");
            }
        }
    }
}

#[test]
fn jax_refusals_come_in_order() {
    let mut request = randint(JaxKeyImpl::Threefry2x32, true, &[1, 2]);
    let mut assert_kind = |change: &dyn Fn(&mut JaxRandint), expected| {
        change(&mut request);
        assert_eq!(kind(&Request::JaxRandint(request.clone())), expected);
    };
    assert_kind(&|_| (), None);
    assert_kind(
        &|request| request.key = Tensor::vector(&[1_u32, 2, 3]),
        Some(ErrorKind::Shape),
    );
    assert_kind(
        &|request| request.key = Tensor::vector(&[1_i32]),
        Some(ErrorKind::Dtype),
    );
    assert_kind(&|request| request.maxval = 1 << 63, Some(ErrorKind::Range));
    assert_kind(
        &|request| request.output_type = Dtype::F32.into(),
        Some(ErrorKind::Attribute),
    );
    assert_kind(
        &|request| request.implementation = Attribute::parse("philox"),
        Some(ErrorKind::Attribute),
    );
    for num in [-1, 1 << 63] {
        let request = split(JaxKeyImpl::Threefry2x32, true, num, &[1]);
        assert_eq!(kind(&Request::JaxSplit(request)), Some(ErrorKind::Attribute));
    }
}

/// More words than a count of 32 bits has, where the order counts them.
#[test]
fn jax_draws_beyond_all_counts_are_unsupported() {
    let limits = Limits {
        max_output_bytes: u64::MAX,
    };
    let supports = |implementation: JaxKeyImpl, partitionable, key: &[u32]| {
        let request = Request::JaxRandint(JaxRandint {
            output_sizes: vec![1 << 33],
            ..randint(implementation, partitionable, key)
        });
        Cpu::new(Level::best(), limits, || 0).supports(&request) == Support::Supported
    };
    assert!(supports(JaxKeyImpl::Threefry2x32, true, &[1, 2]));
    assert!(!supports(JaxKeyImpl::Threefry2x32, false, &[1, 2]));
}

#[test]
fn onnx_drafts_have_their_node_tests() {
    let state = |seed: i64| {
        drawn(Request::OnnxInitPrng(OnnxInitPrng {
            seed: Tensor::scalar(seed),
        }))
    };
    assert_eq!(state(0x0123_4567_89ab_cdef), [0x0123_4567, 0x89ab_cdef]);
    assert_eq!(state(-1), [0xffff_ffff; 2]);
    let mut split = OnnxSplitPrng {
        num_outputs: 2,
        prng_state: Tensor::vector(&[0_i64, 0]),
        data: None,
    };
    let states = |split: &OnnxSplitPrng| drawn(Request::OnnxSplitPrng(split.clone()));
    assert_eq!(
        states(&split),
        [1_797_259_609, 2_579_123_966, 928_981_903, 3_453_687_069]
    );
    split.data = Some(Tensor::vector(&[42_i64, -1]));
    assert_eq!(
        states(&split),
        [2_814_562_516, 111_458_285, 145_227_835, 1_976_240_827]
    );
    split.prng_state = Tensor::vector(&[0_i64, 1 << 32]);
    assert_eq!(
        kind(&Request::OnnxSplitPrng(split.clone())),
        Some(ErrorKind::Range)
    );

    let mut uniform = OnnxRandomUniform {
        output_type: Dtype::F32.into(),
        output_sizes: vec![3, 4],
        generator: Some(OnnxGenerator::Philox4x32_10.into()),
        seed_int64: Some(42),
        low: Tensor::scalar(0.0_f32),
        high: Tensor::scalar(1.0_f32),
        seed: None,
        offset: None,
        execution: 0,
    };
    let first = drawn(Request::OnnxRandomUniform(uniform.clone()))[0];
    assert_eq!(first, 0x3f1c_eaf0);
    uniform.seed = Some(Tensor::scalar(1.0_f32));
    assert_eq!(
        kind(&Request::OnnxRandomUniform(uniform.clone())),
        Some(ErrorKind::Attribute)
    );
    uniform.generator = None;
    assert!(matches!(
        run(&Request::OnnxRandomUniform(uniform)),
        Err(Failure::Unsupported(_))
    ));
}
