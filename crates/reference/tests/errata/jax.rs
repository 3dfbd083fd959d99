//! Errata of JAX's jax.random. Every number is JAX 0.10.2's, on a CPU, for the seed 42.

use seedproof_ops::{
    Dtype, ErrorKind, Failure, JaxBernoulli, JaxBits, JaxCategorical, JaxFoldIn, JaxGumbel, JaxKey,
    JaxKeyImpl, JaxNormal, JaxPermutation, JaxRandint, JaxSplit, JaxUniform, Limits, Request, Scalar, Tensor,
};

use crate::request::answer;

const IMPL: JaxKeyImpl = JaxKeyImpl::Threefry2x32;

fn key() -> Tensor {
    Tensor::vector(&[0_u32, 42])
}

fn bits(partitionable: bool, dtype: Dtype, count: u64) -> Vec<u64> {
    let request = JaxBits {
        key: key(),
        implementation: IMPL.into(),
        partitionable,
        output_type: dtype.into(),
        output_sizes: vec![count],
    };
    answer(&Request::JaxBits(request)).unwrap()
}

fn uniform(dtype: Dtype, count: u64, bounds: [f64; 2]) -> Vec<u64> {
    let [minval, maxval] = bounds.map(|bound| {
        let scalar = Scalar::from_decimal(dtype, &format!("{bound:e}")).unwrap();
        Tensor::from_scalar(scalar)
    });
    let request = JaxUniform {
        key: key(),
        minval,
        maxval,
        implementation: IMPL.into(),
        partitionable: true,
        output_type: dtype.into(),
        output_sizes: vec![count],
    };
    answer(&Request::JaxUniform(request)).unwrap()
}

fn randint(dtype: Dtype, minval: i128, maxval: i128) -> Vec<u64> {
    let request = JaxRandint {
        key: key(),
        implementation: IMPL.into(),
        partitionable: true,
        output_type: dtype.into(),
        output_sizes: vec![4],
        minval,
        maxval,
    };
    answer(&Request::JaxRandint(request)).unwrap()
}

fn permutation(n: i128) -> Vec<u64> {
    let request = JaxPermutation {
        key: key(),
        implementation: IMPL.into(),
        partitionable: true,
        n,
    };
    answer(&Request::JaxPermutation(request)).unwrap()
}

#[test]
fn jxk_seed_width() {
    let key = |seed| {
        answer(&Request::JaxKey(JaxKey {
            implementation: IMPL.into(),
            seed,
        }))
    };
    assert_eq!(key((1 << 32) + 5), Ok(vec![1, 5]));
    assert_eq!(key(-1), Ok(vec![0xffff_ffff, 0xffff_ffff]));
    assert_eq!(key(1 << 63), Err(Some(ErrorKind::Attribute)));
}

#[test]
fn jxs_order() {
    let split = |partitionable| {
        answer(&Request::JaxSplit(JaxSplit {
            key: key(),
            implementation: IMPL.into(),
            partitionable,
            num: 2,
        }))
    };
    assert_eq!(
        split(true),
        Ok(vec![0x6d3e_048f, 0x1022_172d, 0x03d7_b32d, 0xadd0_83f4])
    );
    assert_eq!(
        split(false),
        Ok(vec![0x92fb_20ea, 0xdb4c_98db, 0x0f38_d913, 0x0ff6_8959])
    );
}

#[test]
fn jxf_data_width() {
    for data in [-1, 1 << 32] {
        let request = JaxFoldIn {
            key: key(),
            implementation: IMPL.into(),
            partitionable: true,
            data,
        };
        assert_eq!(
            answer(&Request::JaxFoldIn(request)),
            Err(Some(ErrorKind::Attribute))
        );
    }
}

#[test]
fn jxb_partitionable_mixed() {
    assert_eq!(bits(true, Dtype::U32, 3), [0x7d1c_13a2, 0xae07_30d9, 0x9dc3_f9f9]);
    assert_eq!(bits(true, Dtype::U64, 1), [0x6d3e_048f_1022_172d]);
    assert_eq!(0x6d3e_048f ^ 0x1022_172d, 0x7d1c_13a2);
}

#[test]
fn jxb_original_odd() {
    assert_eq!(
        bits(false, Dtype::U32, 3),
        [0x92fb_20ea, 0x19a3_f86f, 0x0f38_d913]
    );
    assert_eq!(bits(false, Dtype::U8, 5), [0x2d, 0xb3, 0xd7, 0x03, 0xf4]);
}

#[test]
fn jxu_width_bf16() {
    assert_eq!(
        uniform(Dtype::Bf16, 4, [0.0, 1.0]),
        [0x3f22, 0x3f58, 0x3f78, 0x3f56]
    );
}

#[test]
fn jxu_scale_fused() {
    let drawn = uniform(Dtype::F32, 8, [-0.1, 0.3]);
    // Rounded apart, elements 4 and 5 are one less: that is what jax.disable_jit draws.
    assert_eq!(drawn[4..6], [0x3da4_5e3a, 0x3e09_9217]);
}

#[test]
fn jxu_scale_f16() {
    let drawn = uniform(Dtype::F16, 8, [-0.1, 0.3]);
    // With AVX-512 FP16 elements 1 to 5 are 0xa619, 0x34a5, 0x327c, 0x2d19 and 0x25e6.
    assert_eq!(drawn[..6], [0xac73, 0xa618, 0x34a4, 0x327d, 0x2d1a, 0x25e8]);
}

#[test]
fn jxu_maxval_reached() {
    assert_eq!(
        uniform(Dtype::Bf16, 5, [256.0, 258.0]),
        [0x4381, 0x4381, 0x4381, 0x4381, 0x4380]
    );
}

#[test]
fn jxu_range_order() {
    assert_eq!(uniform(Dtype::F32, 3, [2.0, 1.0]), [0x4000_0000; 3]);
}

#[test]
fn jxu_subnormals() {
    let drawn = uniform(Dtype::F32, 3, [0.0, 1e-40]);
    // XLA's programs for a CPU draw zeros.
    assert!(drawn.iter().all(|&bits| bits > 0 && bits < 0x0080_0000));
}

#[test]
fn jxr_narrow_wraps() {
    // 2^32 - 5 is -5 by the time that it is compared.
    assert_eq!(randint(Dtype::I16, 1, (1 << 32) - 5), [1; 4]);
    assert_eq!(randint(Dtype::I8, 0, 1 << 32), [0; 4]);
}

#[test]
fn jxr_span_empty() {
    assert_eq!(randint(Dtype::I32, 7, 5), [7; 4]);
    assert_eq!(randint(Dtype::I32, 5, 5), [5; 4]);
}

#[test]
fn jxr_span_past_greatest() {
    let bits = |number: i8| u64::from(number.cast_unsigned());
    assert_eq!(randint(Dtype::I8, -128, 128), [68, -110, 55, 65].map(bits));
    assert_eq!(randint(Dtype::U8, 0, 256), [196, 18, 183, 193]);
}

#[test]
fn jxe_less_strict() {
    // The first number that uniform draws is 3efa3824: it is not less than itself.
    let ones = |p: u32| {
        let request = JaxBernoulli {
            key: key(),
            p: Tensor::scalar(f32::from_bits(p)),
            implementation: IMPL.into(),
            partitionable: true,
            output_sizes: vec![1],
        };
        answer(&Request::JaxBernoulli(request))
    };
    assert_eq!(ones(0x3efa_3824), Ok(vec![0]));
    assert_eq!(ones(0x3efa_3825), Ok(vec![1]));
}

#[test]
fn jxp_rounds_number() {
    assert_eq!(permutation(1625)[..4], [1566, 1524, 955, 1613]);
    assert_eq!(permutation(1626)[..4], [1292, 1395, 72, 1287]);
    assert_eq!(permutation(-1), [0; 0]);
}

#[test]
fn jxp_sort_ties() {
    // The last round draws one number for both of these.
    let drawn = permutation(100_000);
    assert_eq!(drawn[97_401..97_403], [9630, 636]);
}

fn normal(dtype: Dtype) -> Request {
    Request::JaxNormal(JaxNormal {
        key: key(),
        implementation: IMPL.into(),
        partitionable: true,
        output_type: dtype.into(),
        output_sizes: vec![4],
    })
}

#[test]
fn jxn_normal_erf_inv() {
    let normals = vec![0xbce7_df15, 0x3eef_2be8, 0x3e97_6661, 0x3e1d_3b24];
    assert_eq!(answer(&normal(Dtype::F32)), Ok(normals));
}

#[test]
fn jxn_double() {
    let answered = seedproof_reference::run(&normal(Dtype::F64), &Limits::default(), 1);
    assert!(matches!(answered, Err(Failure::Unsupported(_))), "{answered:?}");
}

#[test]
fn jxg_noise_log() {
    let request = JaxGumbel {
        key: key(),
        implementation: IMPL.into(),
        partitionable: true,
        output_type: Dtype::F32.into(),
        output_sizes: vec![4],
    };
    assert_eq!(
        answer(&Request::JaxGumbel(request)),
        Ok(vec![0x3eab_0e4a, 0x3f73_b78c, 0x3f39_bc5f, 0x3f0c_54f8])
    );
}

#[test]
fn jxc_nan() {
    let class = |logits: &[f32]| {
        answer(&Request::JaxCategorical(JaxCategorical {
            key: key(),
            logits: Tensor::vector(logits),
            implementation: IMPL.into(),
            partitionable: true,
        }))
    };
    assert_eq!(class(&[1.0, f32::NAN, f32::NAN]), Ok(vec![1]));
    assert_eq!(class(&[f32::NEG_INFINITY; 3]), Ok(vec![0]));
}
