//! Each function of the arithmetic in integers against the CPU's own.

use std::sync::Arc;

use half::{bf16, f16};
use seedproof_cpu::{Level, Philox};
use seedproof_ops::Failure;

use crate::adapter::adapters_to_test;
use crate::device::Device;
use crate::kernels::{Entry, Kernels, Module};
use crate::session::{Compiled, Session};
use crate::stream::{as_u32, as_u64};

/// Pairs per function and kind of input.
const SAMPLES: usize = 1 << 18;
/// Pairs at a time.
const BATCH: usize = 1 << 18;

/// The devices of all adapters.
fn devices() -> Vec<Arc<Device>> {
    adapters_to_test()
        .iter()
        .map(|adapter| adapter.device().expect("the driver opens a device"))
        .collect()
}

/// `expression` of all pairs `a` and `b`, each two words.
fn apply(device: &Device, compiled: &Compiled, a: &[u64], b: &[u64]) -> Vec<u64> {
    try_apply(device, compiled, a, b).unwrap()
}

fn try_apply(device: &Device, compiled: &Compiled, a: &[u64], b: &[u64]) -> Result<Vec<u64>, Failure> {
    let bytes = |list: &[u64]| list.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    let out = Session::run(device, compiled, |session| {
        let (a_bytes, b_bytes) = (session.input(&bytes(a)), session.input(&bytes(b)));
        let out = session.output(8 * as_u64(a.len()));
        let back = session.readback(8 * as_u64(a.len()));
        let mut encoder = session.encoder();
        session.poison(&mut encoder, &out);
        let entry = Entry {
            module: Module::Applied,
            name: "applied",
        };
        let bindings = [(0, &a_bytes), (1, &b_bytes), (2, &out)];
        session.dispatch_grid(&mut encoder, entry, &bindings, as_u32(a.len()))?;
        let index = session.submit(encoder, &out, &back, 8 * as_u64(a.len()));
        let mut read = Vec::new();
        session.read(&back, 8 * as_u64(a.len()), index, &mut read)?;
        Ok(read)
    })?;
    Ok(out
        .as_chunks()
        .0
        .iter()
        .map(|&word| u64::from_le_bytes(word))
        .collect())
}

/// Kernels with one that writes `expression` of `a` and `b`, pairs of words.
fn applied(expression: &str) -> Compiled {
    let text = format!(
        "@group(0) @binding(0) var<storage, read> list_a: array<vec2<u32>>;
        @group(0) @binding(1) var<storage, read> list_b: array<vec2<u32>>;
        @group(0) @binding(2) var<storage, read_write> out: array<vec2<u32>>;

        @compute @workgroup_size(64)
        fn applied(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {{
            for (var i = id.x; i < arrayLength(&out); i += 64u * groups.x) {{
                let a = list_a[i];
                let b = list_b[i];
                out[i] = {expression};
            }}
        }}"
    );
    Compiled::new(Arc::new(Kernels::shipped().and("applied.wgsl", text)))
}

/// Words that look random, from a stream of their own for each `key`.
fn words(key: u64, start: usize, count: usize) -> Vec<u64> {
    let mut words = vec![0_u32; 2 * count];
    let philox = Philox { key, counter: 0 }.skip(as_u64(start / 2));
    Level::best().fill_words(philox, &mut words);
    words
        .chunks_exact(2)
        .map(|pair| u64::from(pair[0]) | u64::from(pair[1]) << 32)
        .collect()
}

/// A floating-point format in the low bits of 64.
#[derive(Clone, Copy)]
struct Format {
    width: u32,
    mantissa: u32,
}

const F32: Format = Format {
    width: 32,
    mantissa: 23,
};
const F64: Format = Format {
    width: 64,
    mantissa: 52,
};
const F16: Format = Format {
    width: 16,
    mantissa: 10,
};
const BITS: Format = Format {
    width: 64,
    mantissa: 0,
};

/// A way to make inputs from random words.
#[derive(Clone, Copy, Debug)]
enum Inputs {
    /// All bits alike.
    Any,
    /// Exponents close to one another, so that sums cancel and align.
    Close,
    /// Exponents about the smallest, or about half of it, so that results are subnormal.
    Tiny,
    /// Numbers at the edges, with few bits set: zeros, infinities, NaN, powers of two, ties.
    Edges,
}

impl Inputs {
    const ALL: [Self; 4] = [Self::Any, Self::Close, Self::Tiny, Self::Edges];

    fn shape(self, format: Format, x: u64) -> u64 {
        let Format { width, mantissa } = format;
        let all = u64::MAX >> (64 - width);
        let x = x.rotate_left(19) & all;
        if mantissa == 0 {
            return match self {
                Self::Any => x,
                // Numbers of every length.
                _ => x >> (x.rotate_left(7) % 64),
            };
        }
        let exponent_bits = width - 1 - mantissa;
        let fraction = x & ((1 << mantissa) - 1);
        let sign = x & (1 << (width - 1));
        let choice = x >> mantissa & 0xff;
        let bias = (1_u64 << (exponent_bits - 1)) - 1;
        let highest = (1_u64 << exponent_bits) - 1;
        let exponent = match self {
            Self::Any => return x,
            Self::Close => bias - 4 + choice % 8,
            Self::Tiny if choice.is_multiple_of(2) => choice / 2 % 4,
            Self::Tiny => bias / 2 + choice / 2 % (u64::from(mantissa) / 2),
            Self::Edges => match choice % 8 {
                0 => 0,
                1 => highest,
                2 => highest - 1,
                3 => 1,
                _ => bias - 2 + choice / 8 % 4,
            },
        };
        let fraction = match self {
            Self::Edges => match fraction % 6 {
                0 => 0,
                1 => (1 << mantissa) - 1,
                2 => 1,
                3 => 1 << (mantissa - 1),
                4 => 1 << (fraction / 6 % u64::from(mantissa)),
                _ => fraction,
            },
            _ => fraction,
        };
        sign | exponent << mantissa | fraction
    }
}

/// Compares a function with the CPU's on `samples` pairs of each kind. `same` says whether two results are.
fn compare(expression: &str, format: Format, samples: usize, expected: impl Fn(u64, u64) -> u64) {
    for device in devices() {
        let compiled = applied(expression);
        for inputs in Inputs::ALL {
            for start in (0..samples).step_by(BATCH) {
                let count = BATCH.min(samples - start);
                let list = |key| -> Vec<u64> {
                    words(key, start, count)
                        .into_iter()
                        .map(|x| inputs.shape(format, x))
                        .collect()
                };
                let (a, b) = (list(1), list(2));
                let actual = apply(&device, &compiled, &a, &b);
                for ((&a, &b), actual) in a.iter().zip(&b).zip(actual) {
                    let expected = expected(a, b);
                    assert!(
                        actual == expected,
                        "{expression} {inputs:?}: a {a:x} b {b:x}: {actual:x}, not {expected:x}"
                    );
                }
            }
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the low half is meant")]
fn f32_of(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn bits32(x: f32) -> u64 {
    if x.is_nan() {
        0x7fc0_0000
    } else {
        x.to_bits().into()
    }
}

fn bits64(x: f64) -> u64 {
    if x.is_nan() { 0x7ff8 << 48 } else { x.to_bits() }
}

fn f16_bits(x: f32) -> u64 {
    if x.is_nan() {
        0x7e00
    } else {
        f16::from_f32(x).to_bits().into()
    }
}

fn bf16_bits(x: f32) -> u64 {
    if x.is_nan() {
        0x7fc0
    } else {
        bf16::from_f32(x).to_bits().into()
    }
}

fn float32(samples: usize) {
    compare("vec2<u32>(f32_add(a.x, b.x), 0u)", F32, samples, |a, b| {
        bits32(f32_of(a) + f32_of(b))
    });
    compare("vec2<u32>(f32_mul(a.x, b.x), 0u)", F32, samples, |a, b| {
        bits32(f32_of(a) * f32_of(b))
    });
    // Added to the product: a number of about its exponent, and one that leaves what the product's rounding loses.
    let fused = "vec2<u32>(f32_fma(a.x, b.x, (a.x & 0xff800000u) | (b.x & 0x7fffffu)), 0u)";
    compare(fused, F32, samples, |a, b| {
        let c = a & 0xff80_0000 | b & 0x7f_ffff;
        bits32(f32_of(a).mul_add(f32_of(b), f32_of(c)))
    });
    let rest = "vec2<u32>(f32_fma(a.x, b.x, f32_mul(a.x, b.x) ^ F32_SIGN), 0u)";
    compare(rest, F32, samples, |a, b| {
        bits32(f32_of(a).mul_add(f32_of(b), -(f32_of(a) * f32_of(b))))
    });
    let less = "vec2<u32>(select(0u, 1u, f32_less(a.x, b.x)), 0u)";
    compare(less, F32, samples, |a, b| u64::from(f32_of(a) < f32_of(b)));
    let fraction = "vec2<u32>(f32_fraction(a.x & 0xffffffu, b.x % 25u), 0u)";
    compare(fraction, BITS, samples, |a, b| {
        let digits = i32::try_from((b & 0xffff_ffff) % 25).unwrap();
        #[expect(clippy::cast_precision_loss, reason = "24 bits are kept")]
        let x = (a & 0xff_ffff) as f32;
        bits32(x * 2.0_f32.powi(-digits))
    });
}

fn float64(samples: usize) {
    let of = f64::from_bits;
    compare("f64_add(a, b)", F64, samples, |a, b| bits64(of(a) + of(b)));
    compare("f64_sub(a, b)", F64, samples, |a, b| bits64(of(a) - of(b)));
    compare("f64_mul(a, b)", F64, samples, |a, b| bits64(of(a) * of(b)));
    compare("f64_div(a, b)", F64, samples, |a, b| bits64(of(a) / of(b)));
    let fused = "f64_fma(a, b, vec2<u32>(b.x, (a.y & 0xfff00000u) | (b.y & 0xfffffu)))";
    compare(fused, F64, samples, |a, b| {
        let c = a & 0xfff0_0000_0000_0000 | b & 0xf_ffff_ffff_ffff;
        bits64(of(a).mul_add(of(b), of(c)))
    });
    let rest = "f64_fma(a, b, f64_mul(a, b) ^ vec2<u32>(0u, F64_SIGN))";
    compare(rest, F64, samples, |a, b| {
        bits64(of(a).mul_add(of(b), -(of(a) * of(b))))
    });
    let less = "vec2<u32>(select(0u, 1u, f64_less(a, b)), 0u)";
    compare(less, F64, samples, |a, b| u64::from(of(a) < of(b)));
    let at_most = "vec2<u32>(select(0u, 1u, f64_at_most(a, b)), 0u)";
    compare(at_most, F64, samples, |a, b| u64::from(of(a) <= of(b)));
    let itself = "vec2<u32>(select(0u, 1u, f64_at_most(a, a)), 0u)";
    compare(itself, F64, samples, |a, _| u64::from(!of(a).is_nan()));
    let fraction = "f64_fraction(vec2<u32>(a.x, a.y & 0x1fffffu), b.x % 54u)";
    compare(fraction, BITS, samples, |a, b| {
        let digits = i32::try_from((b & 0xffff_ffff) % 54).unwrap();
        #[expect(clippy::cast_precision_loss, reason = "53 bits are kept")]
        let x = (a & 0x1f_ffff_ffff_ffff) as f64;
        bits64(x * 2.0_f64.powi(-digits))
    });
}

fn float16(samples: usize) {
    compare("vec2<u32>(f16_from_f32(a.x), 0u)", F32, samples, |a, _| {
        f16_bits(f32_of(a))
    });
    compare("vec2<u32>(bf16_from_f32(a.x), 0u)", F32, samples, |a, _| {
        bf16_bits(f32_of(a))
    });
    compare(
        "vec2<u32>(f32_from_bf16(a.x & 0xffffu), 0u)",
        F32,
        samples,
        |a, _| (a & 0xffff) << 16,
    );
    // Halves and their neighbours: every rounding of f16 lies between two of them.
    let between = "vec2<u32>(f16_from_f32(f32_from_f16(a.x) + (b.x & 0x3fffu)), 0u)";
    compare(between, F16, samples, |a, b| {
        let half = f16::from_bits(u16::try_from(a).unwrap()).to_f32();
        let half = if half.is_nan() { f32_of(0x7fc0_0000) } else { half };
        f16_bits(f32_of(u64::from(half.to_bits()) + (b & 0x3fff)))
    });
}

fn integers(samples: usize) {
    compare("mul_wide(a.x, b.x)", BITS, samples, |a, b| {
        (a & 0xffff_ffff) * (b & 0xffff_ffff)
    });
    compare("add64(a, b)", BITS, samples, u64::wrapping_add);
    compare("sub64(a, b)", BITS, samples, u64::wrapping_sub);
    compare("mul64(a, b)", BITS, samples, u64::wrapping_mul);
    compare("mul_high64(a, b)", BITS, samples, |a, b| a.carrying_mul(b, 0).1);
    compare(
        "vec2<u32>(select(0u, 1u, less64(a, b)), 0u)",
        BITS,
        samples,
        |a, b| u64::from(a < b),
    );
    compare("shl64(a, b.x & 63u)", BITS, samples, |a, b| a << (b & 63));
    compare("shr64(a, b.x & 63u)", BITS, samples, |a, b| a >> (b & 63));
    let sticky = |a: u64, n: u64| {
        let n = u32::try_from(n).unwrap();
        let kept = a.checked_shr(n).unwrap_or(0);
        kept | u64::from(kept.checked_shl(n).unwrap_or(0) != a)
    };
    compare("shr64_sticky(a, b.x & 127u)", BITS, samples, |a, b| {
        sticky(a, b & 127)
    });
    compare(
        "vec2<u32>(shr_sticky(a.x, b.x & 63u), 0u)",
        BITS,
        samples,
        |a, b| sticky(a & 0xffff_ffff, b & 63),
    );
    compare("vec2<u32>(leading_zeros64(a), 0u)", BITS, samples, |a, _| {
        a.leading_zeros().into()
    });
}

/// [`compare`] of the remainder, whose reciprocal is the host's.
fn remainder(samples: usize) {
    for device in devices() {
        for divisor in words(3, 0, 32)
            .into_iter()
            .enumerate()
            .map(|(i, x)| (x >> (2 * i)).max(1))
            .chain([1, 2, 3, 1 << 32, (1 << 32) - 1, 1 << 63, u64::MAX, u64::MAX - 1])
        {
            let reciprocal = u64::MAX / divisor;
            let pair = |x: u64| format!("vec2<u32>({}u, {}u)", x & 0xffff_ffff, x >> 32);
            let expression = format!("remainder64(a, {}, {})", pair(divisor), pair(reciprocal));
            let compiled = applied(&expression);
            let near = |x: u64| (x % 1024).wrapping_mul(divisor).wrapping_sub(x >> 62);
            let a: Vec<u64> = words(4, 0, samples / 64)
                .into_iter()
                .flat_map(|x| [x, near(x)])
                .collect();
            let actual = apply(&device, &compiled, &a, &a);
            for (&a, actual) in a.iter().zip(actual) {
                assert!(actual == a % divisor, "{a} % {divisor}: {actual}");
            }
        }
    }
}

#[test]
fn float32_equals_the_cpu() {
    float32(SAMPLES);
}

#[test]
fn float64_equals_the_cpu() {
    float64(SAMPLES);
}

#[test]
fn float16_equals_the_cpu() {
    float16(SAMPLES);
}

#[test]
fn integers_equal_the_cpu() {
    integers(SAMPLES / 4);
    remainder(SAMPLES / 4);
}

#[test]
fn a_device_that_is_lost_is_an_error() {
    for adapter in adapters_to_test() {
        let device = adapter.another_device();
        let compiled = applied("add64(a, b)");
        assert_eq!(try_apply(&device, &compiled, &[1], &[2]), Ok(vec![3]));
        device.lose();
        let error = try_apply(&device, &compiled, &[1], &[2]).unwrap_err().to_string();
        assert!(
            error.contains("the graphics driver says") || error.contains("graphics device"),
            "{error}"
        );
    }
}

/// Every f16, and all that rounds to one from above it.
#[test]
fn float16_widens_every_half() {
    for device in devices() {
        let all: Vec<u64> = (0..1 << 16).collect();
        let compiled = applied("vec2<u32>(f32_from_f16(a.x), 0u)");
        for (half, actual) in all.iter().zip(apply(&device, &compiled, &all, &all)) {
            let expected = bits32(f16::from_bits(u16::try_from(*half).unwrap()).to_f32());
            assert_eq!(actual, expected, "{half:x}");
        }
    }
}

/// Every function of the soft floats equals the processor's on 2^24 pairs of each kind.
#[test]
#[ignore = "takes minutes on a software driver"]
fn every_function_equals_the_cpu_on_many_pairs() {
    float32(1 << 24);
    float64(1 << 24);
    float16(1 << 24);
    integers(1 << 24);
    remainder(1 << 24);
}
