//! Errata of RandomUniform-8 outside its generators: ranges, roundings, bounds, seeds, executions.

use half::{bf16, f16};
use seedproof_ops::{Alignment, ErrorKind, Limits, NanRule, RandomUniform, Request, Support, Tensor};
use seedproof_ops::{Backend, Failure};
use seedproof_reference::{Reference, convert, mt19937};

use crate::request::{decimals, pytorch, refusal, request, tensorflow};

fn bits<const N: usize>(values: &[f32]) -> [u32; N] {
    std::array::from_fn(|i| values[i].to_bits())
}

/// Under PYTORCH, one f16 in 2,048 from 1 to 2 is 2. TensorFlow 2.21 draws 101 for 173 of 5,000 f16 from 100
/// to 101.
#[test]
fn ru8_range_maxval_reached() {
    let two = f16::from_f32(2.0);
    let last = convert::f16::pytorch(2_047);
    assert_eq!(convert::f16::in_range_pytorch(last, f16::ONE, two), two);
    let below = convert::f16::pytorch(2_046);
    assert_ne!(convert::f16::in_range_pytorch(below, f16::ONE, two), two);

    let range = (f16::from_f32(100.0), f16::from_f32(101.0));
    let reached = tensorflow((150, 10), 5_000, range)
        .iter()
        .filter(|&&x| x == range.1)
        .count();
    assert!((100..250).contains(&reached), "{reached}");
    let avoided = tensorflow((150, 10), 5_000, range)
        .iter()
        .map(|&x| if x == range.1 { range.0 } else { x })
        .max_by(f16::total_cmp);
    assert_ne!(avoided, Some(range.1));
}

/// TensorFlow 2.21, f16 from -0.1 to 0.3 with the seeds 80 and 100.
#[test]
fn ru8_range_rounding() {
    let (minval, maxval) = (f16::from_f32(-0.1), f16::from_f32(0.3));
    let tensorflow_2_21 = [0x2b0c, 0x33d3, 0x306d, 0xa5b4, 0x32a5, 0x2768, 0x30c3, 0x2fa6];
    let drawn: Vec<u16> = tensorflow((80, 100), 8, (minval, maxval))
        .into_iter()
        .map(f16::to_bits)
        .collect();
    assert_eq!(drawn, tensorflow_2_21);
    let once: Vec<u16> = tensorflow((80, 100), 8, (f16::ZERO, f16::ONE))
        .into_iter()
        .map(|x| f16::from_f32(x.to_f32() * (maxval.to_f32() - minval.to_f32()) + minval.to_f32()).to_bits())
        .collect();
    assert_ne!(once, tensorflow_2_21);
}

/// PyTorch 1.13, f32 from -0.1 to 0.3, seed 80: without AVX2, then with it.
#[test]
fn ru8_range_fused() {
    let (minval, maxval) = (-0.1_f32, 0.3_f32);
    let separate = [0x3e13a118, 0xbd7c481a, 0xbda57453, 0x3deb4f71];
    let fused = [0x3e13a118, 0xbd7c481a, 0xbda57453, 0x3deb4f70];
    assert_eq!(bits(&pytorch(80, 4, (minval, maxval))), separate);
    let by_fma: Vec<f32> = pytorch(80, 4, (0.0_f32, 1.0))
        .iter()
        .map(|x| x.mul_add(maxval - minval, minval))
        .collect();
    assert_eq!(bits(&by_fma), fused);
}

/// OpenVINO 2026.4 core, seed 755; its CPU plugin draws the least i32 every time.
#[test]
fn ru8_range_integer_overflow() {
    let core = [1636206740, 1102826007, 53408299, -1538654078];
    assert_eq!(pytorch(755, 4, (i32::MIN, i32::MAX)), core);
    let signed: Vec<i32> = mt19937::words(755)
        .take(4)
        .map(|x| {
            (x % i32::MAX.wrapping_sub(i32::MIN).unsigned_abs())
                .cast_signed()
                .wrapping_add(i32::MIN)
        })
        .collect();
    assert_eq!(signed, [i32::MIN; 4]);
}

/// OpenVINO 2026.4 core draws infinity and NaN.
#[test]
fn ru8_range_infinite() {
    let inf = f32::INFINITY;
    assert_eq!(bits(&tensorflow((150, 10), 2, (0.0, inf))), [0x7f80_0000; 2]);
    let [a, b] = tensorflow((150, 10), 2, (-inf, 0.0))[..] else {
        panic!("two elements")
    };
    assert!(a.is_nan() && b.is_nan());
    let bounds = request(Alignment::Tensorflow, (150, 10), 2, (-inf, inf));
    assert_eq!(refusal(&Request::RandomUniform(bounds)), None);
}

/// The oracle gives one NaN on every processor. The processor's own differs in sign, and is as right.
#[test]
fn ru8_range_nan() {
    let inf = f32::INFINITY;
    let drawn = pytorch(150, 2, (-inf, inf));
    assert_eq!(bits(&drawn), [0x7fc0_0000; 2]);
    let machine = std::hint::black_box(inf) - std::hint::black_box(inf);
    let (drawn, machine, negative) = (drawn[0], machine, f32::from_bits(0xffc0_0000));
    for other in [machine, negative] {
        let (a, b) = (Tensor::scalar(drawn), Tensor::scalar(other));
        assert!(NanRule::Class.same(&a, &b));
    }
}

/// OpenVINO's own rounding to bf16: truncation where the kept lowest bit is 0, half up where it is 1.
fn openvino_bf16(value: f32) -> bf16 {
    let bits = value.to_bits();
    let sum = bits.wrapping_add((bits & 0x1_0000) >> 1);
    bf16::from_bits(u16::try_from(sum >> 16).unwrap())
}

/// From -100 to 250 with the seeds 12345 and 54321 the fifth bf16 is 141 in TensorFlow 2.21, 140 in OpenVINO
/// 2026.4.
#[test]
fn ru8_rounding_bf16() {
    let (minval, maxval) = (bf16::from_f32(-100.0), bf16::from_f32(250.0));
    assert_eq!(
        tensorflow((12345, 54321), 5, (minval, maxval))[4]
            .to_f32()
            .to_string(),
        "141"
    );
    let x = tensorflow((12345, 54321), 5, (bf16::ZERO, bf16::ONE))[4];
    let range = openvino_bf16(maxval.to_f32() - minval.to_f32());
    let product = openvino_bf16(x.to_f32() * range.to_f32());
    assert_eq!(
        openvino_bf16(product.to_f32() + minval.to_f32())
            .to_f32()
            .to_string(),
        "140"
    );
}

/// OpenVINO's own rounding to f16: what is below 2^-15 and has a fraction of 7ff000 or more is doubled.
fn openvino_f16(value: f32) -> f16 {
    let doubled = value.abs() < 2_f32.powi(-15) && value.to_bits() & 0x7f_ffff >= 0x7f_f000;
    f16::from_f32(if doubled { value * 2.0 } else { value })
}

/// OpenVINO 2026.4 rounds 337ff966 to 0002 and b7fffc44 to 8400.
#[test]
fn ru8_rounding_f16_subnormal() {
    for (bits, openvino, nearest) in [(0x337f_f966, 0x0002, 0x0001), (0xb7ff_fc44, 0x8400, 0x8200)] {
        let value = f32::from_bits(bits);
        assert_eq!(openvino_f16(value).to_bits(), openvino);
        assert_eq!(f16::from_f32(value).to_bits(), nearest);
    }
    // The document's formulas meet the defect in a range of three times the least f16.
    let maxval = f16::from_bits(3);
    let x = convert::f16::pytorch(1_365);
    let product = x.to_f32() * maxval.to_f32();
    let spec = convert::f16::in_range_pytorch(x, f16::ZERO, maxval);
    assert_eq!((spec.to_bits(), openvino_f16(product).to_bits()), (2, 4));
}

/// OpenVINO 2026.4 refuses these, in core and in the CPU plugin.
#[test]
fn ru8_bounds_enforced() {
    for (alignment, range) in [
        (Alignment::Tensorflow, (5.0_f32, 3.0)),
        (Alignment::Pytorch, (2.0, 2.0)),
        (Alignment::Tensorflow, (f32::NAN, 1.0)),
    ] {
        let request = request(alignment, (3, 4), 3, range);
        assert_eq!(refusal(&Request::RandomUniform(request)), Some(ErrorKind::Range));
    }
    // The formulas alone would divide by the range, 0.
    assert_eq!(7_u32.checked_rem(0), None);
}

fn answer(request: RandomUniform, entropy: u64) -> Vec<f32> {
    let request = Request::RandomUniform(request);
    let response = seedproof_reference::run(&request, &Limits::default(), entropy).unwrap();
    response.output.elements().unwrap().collect()
}

/// torch.manual_seed(0) begins 0.49625659 0.76822180, and so does OpenVINO 2026.4 with the seeds 0 and 5.
#[test]
fn ru8_seeds_both_zero_pytorch() {
    let with = |op_seed| request(Alignment::Pytorch, (0, op_seed), 2, (0.0_f32, 1.0));
    let torch: Vec<String> = answer(with(5), 7).iter().map(|x| format!("{x:.8}")).collect();
    assert_eq!(torch, ["0.49625659", "0.76822180"]);
    assert_eq!(bits::<2>(&answer(with(5), 7)), bits::<2>(&answer(with(5), 8)));
    assert_ne!(bits::<2>(&answer(with(0), 7)), bits::<2>(&answer(with(0), 8)));
    assert_ne!(bits::<2>(&answer(with(0), 7)), bits::<2>(&answer(with(5), 7)));
}

#[test]
fn ru8_seeds_zero_allowed() {
    for alignment in [Alignment::Tensorflow, Alignment::Pytorch] {
        for seeds in [(0, 1), (1, 0)] {
            let with = || request(alignment, seeds, 2, (0.0_f32, 1.0));
            assert_eq!(refusal(&Request::RandomUniform(with())), None);
            assert_eq!(bits::<2>(&answer(with(), 7)), bits::<2>(&answer(with(), 8)));
        }
    }
    // TensorFlow 2.21, f16 in the unit interval with the seeds 0 and 1.
    let drawn: Vec<u16> = tensorflow((0, 1), 4, (f16::ZERO, f16::ONE))
        .into_iter()
        .map(f16::to_bits)
        .collect();
    assert_eq!(drawn, [0x3784, 0x3954, 0x2d30, 0x37c0]);
}

/// The two rules that ship give different numbers for the second execution of nine f32.
#[test]
fn ru8_state_executions() {
    let first = request(Alignment::Tensorflow, (150, 10), 9, (0.0_f32, 1.0));
    let second = Request::RandomUniform(RandomUniform {
        execution: 1,
        ..first.clone()
    });
    assert!(matches!(
        seedproof_reference::run(&second, &Limits::default(), 1),
        Err(Failure::Unsupported(_))
    ));
    assert!(matches!(
        Reference::new(Limits::default(), || 1).supports(&second),
        Support::Unsupported(_)
    ));

    let from_block = |n: u128| {
        let words = seedproof_reference::philox::words(150, (10 << 64) + n);
        decimals(words.take(9).map(convert::f32::tensorflow))
    };
    let (repeats, by_blocks, by_elements) = (from_block(0), from_block(256 * 3), from_block(256 * 9));
    assert_eq!(repeats, decimals(answer(first, 1)));
    assert_ne!(repeats, by_blocks);
    assert_ne!(by_blocks, by_elements);
}
