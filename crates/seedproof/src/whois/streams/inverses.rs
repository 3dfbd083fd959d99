//! Standard numbers that programs make by inverting a distribution: of one uniform number each.

use std::f64::consts::{PI, SQRT_2, TAU};

use super::standard::{Kind, Sequence, WITHIN_TWO, Words, at_every_place};
use crate::whois::conversion::{double_of, genrand_res53, power};

/// The normals of `torch.nn.init.trunc_normal_` in f32, which inverts the distribution: of the whole line where the bounds are
/// many deviations away, as they are for the weights of most vision transformers, and within two deviations.
///
/// Source: `_no_grad_trunc_normal_` in PyTorch's `torch/nn/init.py`.
pub(super) fn torch_inverted(words: Words<'_>) -> Vec<Sequence> {
    let of = |what: &str, bound: f64| {
        at_every_place(words, 1, (what, Kind::Normal), move |words| {
            let unit = f64::from(words[0] & 0x00ff_ffff) * power(-24);
            [SQRT_2 * inverse_error_function(bound * unit.mul_add(2.0, -1.0))]
        })
    };
    let whole = of("normals as torch.nn.init.trunc_normal_ has them", 1.0);
    let within = of(
        "normals within two standard deviations, as torch.nn.init.trunc_normal_ has them",
        WITHIN_TWO,
    );
    whole.into_iter().chain(within).collect()
}

/// The normals of R's `rnorm`, whose number of the unit interval has 27 bits of one word and 32 of the next.
///
/// Source: `norm_rand` in R's `src/nmath/snorm.c`.
pub(super) fn inversion(words: Words<'_>) -> Vec<Sequence> {
    let what = "normals by inversion, as rnorm of R has them";
    at_every_place(words, 2, (what, Kind::Normal), |words| {
        let unit = f64::from(words[0] >> 5) + f64::from(words[1]) * power(-32);
        [quantile(unit * power(-27))]
    })
}

/// The normal below which a share of all normals lies.
fn quantile(share: f64) -> f64 {
    let start = SQRT_2 * inverse_error_function(2.0_f64.mul_add(share, -1.0));
    // Each step of Newton's method doubles the seven digits of the start.
    (0..2).fold(start, |x, _| {
        let density = (-0.5 * x * x).exp() / TAU.sqrt();
        x - (0.5 * libm::erfc(-x / SQRT_2) - share) / density
    })
}

/// JAX's number of the unit interval: the high bits of one word in f32, or of two in f64.
fn jax_unit(words: &[u32]) -> f64 {
    match *words {
        [high, low] => double_of(high, low & 0xffff_f000, 0),
        _ => f64::from(words[0] >> 9) * power(-23),
    }
}

/// The normals of `jax.random.normal`, of one word each in f32 and of two in f64, and those of `truncated_normal` within two
/// standard deviations, which initializers of Flax divide by 0.8796.
///
/// Source: `_normal_real` and `_truncated_normal` in JAX's `_src/random.py`.
pub(super) fn jax_normals(words: Words<'_>, each: usize) -> Vec<Sequence> {
    // JAX leaves out -1, of which the normal is infinite. In f64 seven digits would be taken for other numbers.
    let (epsilon, inverse): (f64, fn(f64) -> f64) = match each {
        1 => (f32::EPSILON.into(), inverse_error_function),
        _ => (f64::EPSILON, precise_inverse_error_function),
    };
    let of = |(what, [low, high]): (&str, [f64; 2])| {
        at_every_place(words, each, (what, Kind::Normal), |words| {
            [SQRT_2 * inverse(jax_unit(words).mul_add(high - low, low))]
        })
    };
    let whole = "normals as jax.random.normal has them";
    let within = "normals within two standard deviations, as jax.random.truncated_normal has them";
    let all = [
        (whole, [-1.0 + epsilon / 2.0, 1.0]),
        (within, [-WITHIN_TWO, WITHIN_TWO]),
    ];
    all.into_iter().flat_map(of).collect()
}

/// The name of a distribution, and its number for one of the unit interval.
type Inverted = (&'static str, fn(f64) -> f64);

fn gumbel(unit: f64) -> f64 {
    -(-unit.ln()).ln()
}

fn logistic(unit: f64) -> f64 {
    (unit / (1.0 - unit)).ln()
}

fn laplace(unit: f64) -> f64 {
    let twice = 2.0 * unit;
    if unit < 0.5 {
        twice.ln()
    } else {
        -(2.0 - twice).ln()
    }
}

/// Those of `jax.random`, of one word each in f32 and of two in f64, and its exponentials.
///
/// Source: `_exponential`, `_gumbel`, `_logistic`, `_laplace` and `_cauchy` in JAX's `_src/random.py`.
pub(super) fn jax_inverted(words: Words<'_>, each: usize) -> Vec<Sequence> {
    let all: [Inverted; 5] = [
        ("gumbel", gumbel),
        ("logistic", logistic),
        // For the same uniform number, NumPy's has the opposite sign.
        ("laplace", |unit| -laplace(unit)),
        ("cauchy", |unit| ((unit - 0.5) * PI).tan()),
        ("exponential", |unit| -(-unit).ln_1p()),
    ];
    let of = |(name, number): Inverted| {
        let what = format!("numbers as jax.random.{name} has them");
        at_every_place(words, each, (&what, Kind::Exponential), |words| {
            [number(jax_unit(words))]
        })
    };
    all.into_iter().flat_map(of).collect()
}

/// Those of NumPy's `RandomState` and `Generator`, which differ in how `unit` makes a number of the unit interval of two words. A
/// Cauchy number is the ratio of two normals there.
///
/// Source: `random_gumbel`, `random_logistic` and `random_laplace` in NumPy's `random/src/distributions/distributions.c`.
fn numpy_inverted(words: Words<'_>, whose: &str, unit: fn(&[u32]) -> f64) -> Vec<Sequence> {
    let all: [Inverted; 3] = [
        // NumPy takes the number from (0, 1].
        ("gumbel", |unit| gumbel(1.0 - unit)),
        ("logistic", logistic),
        ("laplace", laplace),
    ];
    let of = |(name, number): Inverted| {
        let what = format!("numbers as {name} of {whose} has them");
        at_every_place(words, 2, (&what, Kind::Exponential), |words| {
            [number(unit(words))]
        })
    };
    all.into_iter().flat_map(of).collect()
}

/// Those of `numpy.random`.
pub(super) fn legacy_inverted(words: Words<'_>) -> Vec<Sequence> {
    numpy_inverted(words, "numpy.random", genrand_res53)
}

/// Those of its `Generator`.
pub(super) fn generator_inverted(words: Words<'_>) -> Vec<Sequence> {
    numpy_inverted(words, "NumPy's Generator", |words| {
        double_of(words[1], words[0], 0)
    })
}

/// The inverse of the error function, to the seven digits of XLA's in f32.
///
/// Source: Giles, "Approximating the erfinv function" (2010).
fn inverse_error_function(x: f64) -> f64 {
    const NEAR: [f64; 9] = [
        2.810_226_36e-8,
        3.432_739_39e-7,
        -3.523_387_7e-6,
        -4.391_506_54e-6,
        0.000_218_580_87,
        -0.001_253_725_03,
        -0.004_177_681_64,
        0.246_640_727,
        1.501_409_41,
    ];
    const FAR: [f64; 9] = [
        -0.000_200_214_257,
        0.000_100_950_558,
        0.001_349_343_22,
        -0.003_673_428_44,
        0.005_739_507_73,
        -0.007_622_461_3,
        0.009_438_870_47,
        1.001_674_06,
        2.832_976_82,
    ];
    let w = -(-x * x).ln_1p();
    let (at, factors) = if w < 5.0 {
        (w - 2.5, NEAR)
    } else {
        (w.sqrt() - 3.0, FAR)
    };
    x * factors
        .iter()
        .fold(0.0, |sum: f64, factor| sum.mul_add(at, *factor))
}

/// The inverse of the error function to the digits of a double.
fn precise_inverse_error_function(x: f64) -> f64 {
    // Each step of Newton's method doubles the seven digits of the start. Where the function is near one, its complement has more
    // digits.
    (0..2).fold(inverse_error_function(x), |y, _| {
        let off = if x.abs() < 0.5 {
            libm::erf(y) - x
        } else {
            x.signum() * ((1.0 - x.abs()) - libm::erfc(y.abs()))
        };
        y - off * PI.sqrt() / 2.0 * (y * y).exp()
    })
}
