//! The conversions, one by one.

use seedproof_ops::Dtype;

use crate::whois::generator::joined;

/// A conversion from words to a number.
#[derive(Clone, Copy)]
pub(in crate::whois) struct Conversion {
    /// What it does, and which program does it.
    pub(in crate::whois) what: &'static str,
    /// The number of words that an element takes.
    pub(in crate::whois) words: usize,
    pub(super) to: To,
    /// The number of bits of the words on which the number depends.
    pub(in crate::whois) bits: f64,
    pub(super) dtypes: &'static [Dtype],
    /// The word that decides, whatever the other one is: the first or the second, which after a shift to the left never makes a
    /// smaller number where it is greater. `None` where there is none, or where the sign decides.
    pub(super) lead: Option<Lead>,
    /// The name of the generator whose framework has this conversion. Printed digits fit several conversions, of which this one is
    /// told.
    usual_with: Option<&'static str>,
}

#[derive(Clone, Copy)]
pub(super) struct Lead {
    pub(super) word: usize,
    pub(super) left: u32,
    /// The low bits of the word that the other one changes.
    pub(super) right: u32,
    /// Whether the number is that of the word's magnitude: a word with its highest bit set counts as its complement.
    pub(super) is_folded: bool,
}

impl Lead {
    pub(super) const fn new(word: usize, left: u32) -> Self {
        Self {
            word,
            left,
            right: 0,
            is_folded: false,
        }
    }
}

#[derive(Clone, Copy)]
pub(super) enum To {
    /// A number of the unit interval.
    Unit(fn([u32; 2]) -> f64),
    /// A whole number: the bits of an integer, or a number that is then reduced to a range.
    Whole(fn([u32; 2]) -> u64),
}

/// A power of two.
pub(in crate::whois) const fn power(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent).cast_unsigned() as u64) << 52)
}

fn f32_of(word: u32) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "cuRAND rounds the word to f32 first")]
    f64::from(word as f32)
}

/// The 53 bits of two words after a shift to the left, as a number of the unit interval.
pub(in crate::whois) fn double_of(high: u32, low: u32, shift: u32) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "53 bits")]
    let significant = (joined([low, high]) << shift >> 11) as f64;
    significant * power(-53)
}

/// The double of `random()` in CPython and NumPy's `RandomState`: 27 and 26 bits of two words.
pub(in crate::whois) fn genrand_res53(words: &[u32]) -> f64 {
    (f64::from(words[0] >> 5) * 67_108_864.0 + f64::from(words[1] >> 6)) * power(-53)
}

impl Conversion {
    /// Whether the framework of this generator has the conversion.
    pub(in crate::whois) fn is_usual_with(&self, generator: &str) -> bool {
        self.usual_with == Some(generator)
    }

    /// The number of the unit interval that is made of the first of these words.
    pub(in crate::whois) fn unit(&self, words: &[u32]) -> f64 {
        match self.to {
            To::Unit(to) => to([words[0], words.get(1).copied().unwrap_or(0)]),
            To::Whole(_) => f64::NAN,
        }
    }

    /// Whether another conversion makes numbers of the same words that are off by less than `apart`.
    pub(in crate::whois) fn is_near(&self, other: &Self, apart: f64) -> bool {
        // Compared, and not declared in the table: a conversion that is added there later cannot be filed under a wrong one.
        let words = |i: u32| [i.wrapping_mul(0x9e37_79b9), i.wrapping_mul(0x85eb_ca6b)];
        let is_near = |words: [u32; 2]| (self.unit(&words) - other.unit(&words)).abs() < apart;
        self.words == other.words && (1..64).map(words).all(is_near)
    }
}

/// The conversions to numbers of the unit interval that a type or a wider one has.
pub(in crate::whois) fn units(dtype: Dtype) -> impl Iterator<Item = &'static Conversion> {
    let has = move |it: &&Conversion| {
        it.dtypes.contains(&dtype) || dtype != Dtype::F64 && it.dtypes.contains(&Dtype::F64)
    };
    ALL.iter().filter(|it| matches!(it.to, To::Unit(_))).filter(has)
}

const SINGLE: &[Dtype] = &[Dtype::F32];
const DOUBLE: &[Dtype] = &[Dtype::F64];
/// Most programs draw half types as f32 and round.
const ROUNDED: &[Dtype] = &[Dtype::F32, Dtype::F16, Dtype::Bf16];
const WORDS: &[Dtype] = &[
    Dtype::U32,
    Dtype::I32,
    Dtype::U64,
    Dtype::I64,
    Dtype::U16,
    Dtype::U8,
    Dtype::I16,
    Dtype::I8,
];
const PAIRS: &[Dtype] = &[Dtype::U64, Dtype::I64];

/// All conversions. Each is tried with every generator, and not only with that of its framework, because ports mix
/// them.
pub(super) const ALL: [Conversion; 28] = [
    unit(
        "the low 24 bits of a word, as PyTorch has it on a CPU",
        24.0,
        ROUNDED,
        |w| f64::from(w[0] & 0x00ff_ffff) * power(-24),
    )
    .by(0, 8)
    .usual_with("mt19937"),
    unit(
        "the low 23 bits of a word as a mantissa, as TensorFlow has it",
        23.0,
        ROUNDED,
        |w| f64::from(w[0] & 0x007f_ffff) * power(-23),
    )
    .by(0, 9)
    .usual_with("philox4x32-10"),
    unit(
        "the high 23 bits of a word as a mantissa, as JAX and XLA have it",
        23.0,
        ROUNDED,
        |w| f64::from(w[0] >> 9) * power(-23),
    )
    .usual_with("jax.random"),
    unit("the high 24 bits of a word", 24.0, ROUNDED, |w| {
        f64::from(w[0] >> 8) * power(-24)
    })
    .usual_with("numpy.random.default_rng"),
    unit("a word times 2^-32", 24.0, ROUNDED, |w| {
        f64::from(w[0]) * power(-32)
    }),
    unit(
        "a word times 2^-32, plus 2^-33, which is cuRAND's and PyTorch's on CUDA",
        24.0,
        ROUNDED,
        |w| f32_of(w[0]) * power(-32) + power(-33),
    )
    .usual_with("cuda-launch"),
    unit("a word plus one half, times 2^-32", 24.0, SINGLE, |w| {
        (f64::from(w[0]) + 0.5) * power(-32)
    }),
    unit("a word over 2^32 - 1", 24.0, SINGLE, |w| {
        f64::from(w[0]) / 4_294_967_295.0
    }),
    unit("the high 31 bits of a word times 2^-31", 24.0, SINGLE, |w| {
        f64::from(w[0] >> 1) * power(-31)
    }),
    unit("the low 31 bits of a word times 2^-31", 24.0, SINGLE, |w| {
        f64::from(w[0] & 0x7fff_ffff) * power(-31)
    })
    .by(0, 1),
    unit(
        "a word's magnitude as a signed number, times a little less than 2^-31, as Triton has it",
        24.0,
        SINGLE,
        |w| f32_of(if w[0] >> 31 == 1 { !w[0] } else { w[0] }) * f64::from(f32::from_bits(0x2fff_ffff)),
    )
    .by_magnitude()
    .usual_with("triton"),
    unit(
        "the 32 bits of one word times 2^-32, as Torch7 and R have it",
        32.0,
        DOUBLE,
        |w| f64::from(w[0]) * power(-32),
    )
    .usual_with("r"),
    unit(
        "one word over 2^32 - 1, which is genrand_real1",
        32.0,
        DOUBLE,
        |w| f64::from(w[0]) / 4_294_967_295.0,
    ),
    unit(
        "one word plus one half, times 2^-32, which is genrand_real3",
        32.0,
        DOUBLE,
        |w| (f64::from(w[0]) + 0.5) * power(-32),
    ),
    unit("the low 24 bits of one word, drawn as f32", 24.0, DOUBLE, |w| {
        f64::from(w[0] & 0x00ff_ffff) * power(-24)
    })
    .by(0, 8),
    pair(
        "the high 27 bits of a word and the high 26 of the next, which is NumPy's RandomState",
        DOUBLE,
        |w| genrand_res53(&w),
    )
    .by(0, 0)
    .usual_with("python"),
    pair(
        "the low 53 bits of two words, the first one high, as PyTorch has it",
        DOUBLE,
        |w| double_of(w[0], w[1], 11),
    )
    .by(0, 11),
    pair("the low 53 bits of two words, the first one low", DOUBLE, |w| {
        double_of(w[1], w[0], 11)
    })
    .by(1, 11),
    pair("the high 53 bits of two words, the first one low", DOUBLE, |w| {
        double_of(w[1], w[0], 0)
    })
    .by(1, 0)
    .usual_with("numpy.random.default_rng"),
    pair("the high 53 bits of two words, the first one high", DOUBLE, |w| {
        double_of(w[0], w[1], 0)
    })
    .by(0, 0),
    pair(
        "the low 52 bits of two words as a mantissa, the first one high, as TensorFlow has it",
        DOUBLE,
        |w| double_of(w[0], w[1], 12),
    )
    .by(0, 12)
    .usual_with("philox4x32-10"),
    pair(
        "the high 52 bits of two words as a mantissa, the first one high, as JAX has it",
        DOUBLE,
        |w| double_of(w[0], w[1] & 0xffff_f000, 0),
    )
    .by(0, 0)
    .usual_with("jax.random"),
    pair(
        "53 bits of two words, x ^ y << 21, plus one half, times 2^-53, as cuRAND has doubles",
        DOUBLE,
        |w| double_of(w[1] >> 11, w[0] ^ w[1] << 21, 11) + power(-54),
    )
    .by_high_bits(1, 11)
    .usual_with("cuda-launch"),
    whole("one word", WORDS, 1, 32.0, |w| u64::from(w[0])),
    whole("the high 31 bits of one word", WORDS, 1, 31.0, |w| {
        u64::from(w[0] >> 1)
    }),
    whole("two words, the first one low", PAIRS, 2, 64.0, |w| {
        joined([w[0], w[1]])
    }),
    whole("two words, the first one high", PAIRS, 2, 64.0, |w| {
        joined([w[1], w[0]])
    }),
    unit(
        "the low 11 bits of a word for f16, or 8 for bf16, as PyTorch has half types since 2.12",
        8.0,
        &[Dtype::F16, Dtype::Bf16],
        |w| f64::from(w[0]),
    )
    .by_none(),
];

impl Conversion {
    /// Decided by a word after a shift to the left.
    const fn by(self, word: usize, left: u32) -> Self {
        let lead = Some(Lead::new(word, left));
        Self { lead, ..self }
    }

    const fn by_magnitude(self) -> Self {
        let lead = Some(Lead {
            is_folded: true,
            ..Lead::new(0, 0)
        });
        Self { lead, ..self }
    }

    /// Decided by the high bits of a word, of which the other one changes the low ones.
    const fn by_high_bits(self, word: usize, right: u32) -> Self {
        let lead = Some(Lead {
            right,
            ..Lead::new(word, 0)
        });
        Self { lead, ..self }
    }

    const fn by_none(self) -> Self {
        Self { lead: None, ..self }
    }

    const fn usual_with(self, generator: &'static str) -> Self {
        let usual_with = Some(generator);
        Self { usual_with, ..self }
    }
}

const fn unit(
    what: &'static str,
    bits: f64,
    dtypes: &'static [Dtype],
    to: fn([u32; 2]) -> f64,
) -> Conversion {
    Conversion {
        what,
        words: 1,
        to: To::Unit(to),
        bits,
        dtypes,
        lead: Some(Lead::new(0, 0)),
        usual_with: None,
    }
}

const fn pair(what: &'static str, dtypes: &'static [Dtype], to: fn([u32; 2]) -> f64) -> Conversion {
    Conversion {
        what,
        words: 2,
        to: To::Unit(to),
        bits: 52.0,
        dtypes,
        lead: None,
        usual_with: None,
    }
}

const fn whole(
    what: &'static str,
    dtypes: &'static [Dtype],
    words: usize,
    bits: f64,
    to: fn([u32; 2]) -> u64,
) -> Conversion {
    Conversion {
        what,
        words,
        to: To::Whole(to),
        bits,
        dtypes,
        lead: None,
        usual_with: None,
    }
}
