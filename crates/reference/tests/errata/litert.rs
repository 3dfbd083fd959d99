//! Errata of LiteRT's random ops. Every number is LiteRT 2.3.0's, on a CPU.

use seedproof_ops::{
    Dtype, Failure, Limits, LitertRandomStandardNormal, LitertRandomUniform, RandomStandardNormal, Request,
    Tensor,
};
use seedproof_reference::{convert, philox};

use crate::request::answer;

fn uniform(seeds: [u64; 2], count: i32, execution: u32) -> Request {
    Request::LitertRandomUniform(LitertRandomUniform {
        shape: Tensor::vector(&[count]),
        seed: seeds[0],
        seed2: seeds[1],
        execution,
    })
}

/// The numbers of the words of a block.
fn block(key: u64, counter: u128) -> [u64; 4] {
    philox::block(key, counter).map(|word| u64::from(convert::f32::tensorflow(word).to_bits()))
}

#[test]
fn ltu_seeds_width() {
    let real = [0x3f02_f8bc, 0x3e4e_dc38, 0x3f22_d4b4, 0x3f06_94d4];
    let seeds = [1 << 31, (1 << 32) + 7];
    assert_eq!(answer(&uniform(seeds, 4, 0)).unwrap(), real);
    assert_eq!(block(0xffff_ffff_8000_0000, 7 << 64), real);
    assert_ne!(block(0x8000_0000, 7 << 64), real);
    assert_ne!(block(0x8000_0000, u128::from(seeds[1]) << 64), real);
}

#[test]
fn ltu_seeds_zero() {
    for seeds in [[0, 0], [1 << 32, 5 << 40]] {
        let answer = seedproof_reference::run(&uniform(seeds, 4, 0), &Limits::default(), 0);
        assert!(matches!(answer, Err(Failure::Unsupported(_))), "{seeds:?}");
    }
    assert!(answer(&uniform([0, 5], 4, 0)).is_ok());
}

#[test]
fn ltu_advance_blocks() {
    let real = [0x3f5e_7caa, 0x3d2c_f660, 0x3eb5_1118, 0x3e73_be98, 0x3d8b_f520];
    assert_eq!(answer(&uniform([1, 2], 5, 1)).unwrap(), real);
    assert_eq!(block(1, (2 << 64) + 2), real[..4]);
    assert_ne!(block(1, (2 << 64) + 256 * 5), real[..4]);
}

#[test]
fn ltn_normal_libm() {
    // The normals of these seeds are TensorFlow's, whose functions are compared in `tfrn_box_muller_libm`.
    let real = [0xbf85_fcdd, 0x3f56_f6e1, 0x3f9e_2fe3, 0x4004_150f];
    let normals = |count: i32| {
        let litert = LitertRandomStandardNormal {
            shape: Tensor::vector(&[count]),
            seed: 1,
            seed2: 2,
            execution: 0,
        };
        let tensorflow = RandomStandardNormal {
            shape: litert.shape.clone(),
            output_type: Dtype::F32.into(),
            seed: 1,
            seed2: 2,
            execution: 0,
        };
        [
            Request::LitertRandomStandardNormal(litert),
            Request::RandomStandardNormal(tensorflow),
        ]
        .map(|it| answer(&it).unwrap())
    };
    assert_eq!(normals(4)[0], real);
    let [litert, tensorflow] = normals(1000);
    assert_eq!(litert, tensorflow);
}
