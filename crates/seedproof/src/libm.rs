//! Which known sequence a single-precision `logf`, `sinf` or `cosf` is.
//!
//! Two right normals of one seed differ if their libraries of functions do. Each library is one fixed sequence of
//! operations, and can be told by its results. Here are the sequences that frameworks draw with. The functions of
//! graphics devices and of vector libraries are absent.

use seedproof_ops::each;
use seedproof_readings::cephes;
use seedproof_transcend::proof::SEQUENCES;
use seedproof_transcend::{glibc, xla};

/// A function of one f32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// The natural logarithm, of numbers greater than zero.
    Logf,
    /// The sine, of angles from 0 to less than 120.
    Sinf,
    /// The cosine, of the same.
    Cosf,
}

/// How a sequence differs from the results that were given.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Whose sequence it is.
    pub sequence: &'static str,
    /// The number of inputs that were compared: all of them, unless a first pass over a part found a difference.
    pub compared: u64,
    /// The number of inputs with another result.
    pub differing: u64,
    /// The first input with another result.
    pub first: Option<Apart>,
}

/// An input whose results differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Apart {
    /// The number of the pair.
    pub index: u64,
    /// The input.
    pub input: f32,
    /// The result that was given.
    pub given: f32,
    /// The sequence's result.
    pub known: f32,
}

/// A known sequence, and how it computes a function if it has one.
type Known = (&'static str, fn(Function) -> Option<fn(f32) -> f32>);

const KNOWN: [Known; 5] = [
    ("glibc, 2.28 or later", |function| {
        Some(match function {
            Function::Logf => glibc::logf,
            Function::Sinf => glibc::sinf,
            Function::Cosf => glibc::cosf,
        })
    }),
    ("musl, and the Rust crate libm", |function| {
        Some(match function {
            Function::Logf => libm::logf,
            Function::Sinf => libm::sinf,
            Function::Cosf => libm::cosf,
        })
    }),
    (
        "Cephes, as PyTorch's AVX2 and AVX-512 kernels fuse it",
        |function| {
            Some(match function {
                Function::Logf => cephes::logf,
                Function::Sinf => |x| cephes::sincosf(x)[0],
                Function::Cosf => |x| cephes::sincosf(x)[1],
            })
        },
    ),
    ("XLA for a CPU", |function| {
        // Its sine and cosine are the C library's.
        (function == Function::Logf).then_some(xla::log as fn(f32) -> f32)
    }),
    (
        "correctly rounded: a double function, rounded to f32",
        |function| {
            Some(match function {
                Function::Logf => |x| narrow(libm::log(f64::from(x))),
                Function::Sinf => |x| narrow(libm::sin(f64::from(x))),
                Function::Cosf => |x| narrow(libm::cos(f64::from(x))),
            })
        },
    ),
];

/// The number of pairs of the first pass. Sequences differ in about one result of a hundred, so that a part of the
/// inputs excludes all but the right one.
const FIRST_PASS: u64 = 1 << 18;

impl Function {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Logf, Self::Sinf, Self::Cosf];

    /// The name in C.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Logf => "logf",
            Self::Sinf => "sinf",
            Self::Cosf => "cosf",
        }
    }

    /// This machine's function. Rust has no such functions of its own: it calls the platform's C library.
    ///
    /// ```
    /// use seedproof::libm::Function;
    ///
    /// let all = Function::ALL.map(|function| (function.name(), function.of_this_machine()(1.0)));
    /// assert_eq!(all.map(|(name, _)| name), ["logf", "sinf", "cosf"]);
    /// assert_eq!(all[0].1, 0.0);
    /// ```
    pub fn of_this_machine(self) -> fn(f32) -> f32 {
        match self {
            Self::Logf => f32::ln,
            Self::Sinf => f32::sin,
            Self::Cosf => f32::cos,
        }
    }

    /// Whether the sequences are known at an input.
    ///
    /// ```
    /// use seedproof::libm::Function;
    ///
    /// assert!(Function::Logf.takes(f32::MIN_POSITIVE) && !Function::Logf.takes(0.0));
    /// assert!(Function::Cosf.takes(6.28) && !Function::Cosf.takes(1e6));
    /// ```
    pub fn takes(self, input: f32) -> bool {
        match self {
            Self::Logf => input > 0.0 && input.is_finite(),
            Self::Sinf | Self::Cosf => (0.0..120.0).contains(&input),
        }
    }

    /// The input of this number among the 2^24 that a uniform number of 24 bits makes: k / 2^24 from 1 on for a
    /// logarithm, 2 pi k / 2^24 for an angle.
    ///
    /// ```
    /// use seedproof::libm::Function;
    ///
    /// assert_eq!(Function::Logf.input(0), f32::powi(2.0, -24));
    /// assert_eq!(Function::Sinf.input(1 << 22), std::f32::consts::FRAC_PI_2);
    /// ```
    pub fn input(self, k: u64) -> f32 {
        const UNIT: f64 = 1.0 / 16_777_216.0;
        let k = f64::from(u32::try_from(k).unwrap_or(u32::MAX));
        // A logarithm has no value at zero, so that its inputs begin one step later.
        narrow(match self {
            Self::Logf => (k + 1.0) * UNIT,
            Self::Sinf | Self::Cosf => k * UNIT * std::f64::consts::TAU,
        })
    }

    /// Every input that an op reaches: those on which glibc's sequence is proved.
    pub fn every_input(self) -> (u64, impl Fn(u64) -> f32 + Sync) {
        let sequence = SEQUENCES
            .iter()
            .find(|sequence| sequence.name.strip_prefix("glibc-") == Some(self.name()))
            .expect("glibc's sequences are proved");
        (sequence.count(), |index| sequence.input(index))
    }
}

/// Compares pairs of an input and a result with every known sequence, the nearest first.
///
/// ```
/// use seedproof::libm::{Function, compare};
///
/// let logf = |k| (Function::Logf.input(k << 8), libm_of_rust(Function::Logf.input(k << 8)));
/// # fn libm_of_rust(x: f32) -> f32 { seedproof_transcend::glibc::logf(x) }
/// let [nearest, others @ ..] = &compare(Function::Logf, 1 << 16, &logf)[..] else { panic!() };
/// assert_eq!((nearest.sequence, nearest.differing), ("glibc, 2.28 or later", 0));
/// assert!(others.iter().all(|other| other.differing > 0));
/// ```
pub fn compare(
    function: Function,
    count: u64,
    pair: &(impl Fn(u64) -> (f32, f32) + Sync),
) -> Vec<Comparison> {
    // Evenly spaced, because two sequences may agree in one range of inputs and differ in another.
    let step = count.div_ceil(FIRST_PASS).max(1);
    let mut found: Vec<Comparison> = KNOWN
        .iter()
        .filter_map(|(name, of)| Some((*name, of(function)?)))
        .map(|(sequence, known)| {
            let first_pass = differences(sequence, known, count.div_ceil(step), &|k| {
                (k * step, pair(k * step))
            });
            if first_pass.differing > 0 || step == 1 {
                first_pass
            } else {
                differences(sequence, known, count, &|k| (k, pair(k)))
            }
        })
        .collect();
    // The sequences were compared on different numbers of inputs, so they are sorted by the share of results that differ,
    // scaled to all inputs.
    let share =
        |it: &Comparison| u128::from(it.differing) * u128::from(count) / u128::from(it.compared.max(1));
    found.sort_by_key(share);
    found
}

/// The inputs that a thread takes at a time. One takes nanoseconds, so that a turn for each would take longer than all of them.
const SHARE: usize = 1 << 16;

fn differences(
    sequence: &'static str,
    known: fn(f32) -> f32,
    count: u64,
    pair: &(impl Fn(u64) -> (u64, (f32, f32)) + Sync),
) -> Comparison {
    let apart = |k: u64| {
        let (index, (input, given)) = pair(k);
        let known = known(input);
        let same = given.to_bits() == known.to_bits() || given.is_nan() && known.is_nan();
        (!same).then_some(Apart {
            index,
            input,
            given,
            known,
        })
    };
    let starts: Vec<u64> = (0..count).step_by(SHARE).collect();
    let shares = each(&starts, |&start| {
        let all = (start..count).take(SHARE).filter_map(apart);
        all.fold((0, None), |(differing, first), apart| {
            (differing + 1, first.or(Some(apart)))
        })
    });
    Comparison {
        sequence,
        compared: count,
        differing: shares.iter().map(|(differing, _)| differing).sum::<u64>(),
        first: shares
            .into_iter()
            .filter_map(|(_, first)| first)
            .min_by_key(|apart| apart.index),
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the one rounding")]
const fn narrow(x: f64) -> f32 {
    x as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The results of each sequence are named as that one's, and no other's are.
    #[test]
    fn libm_names_each_known_sequence() {
        for function in Function::ALL {
            for (name, of) in KNOWN {
                let Some(real) = of(function) else { continue };
                let pair = |k: u64| {
                    let input = function.input(k * 61);
                    (input, real(input))
                };
                let found = compare(function, 1 << 18, &pair);
                let same: Vec<_> = found.iter().filter(|it| it.differing == 0).collect();
                assert_eq!(same.len(), 1, "{name}: {}", function.name());
                assert_eq!(same[0].sequence, name);
            }
        }
    }

    #[test]
    fn libm_finds_one_wrong_result_and_its_place() {
        let pair = |k: u64| {
            let input = Function::Sinf.input(k);
            let right = glibc::sinf(input);
            (input, if k == 1_234_567 { right.next_up() } else { right })
        };
        let found = compare(Function::Sinf, 1 << 21, &pair);
        assert_eq!((found[0].differing, found[0].compared), (1, 1 << 21));
        assert_eq!(found[0].first.expect("one differs").index, 1_234_567);
    }

    #[test]
    fn libm_every_input_is_one_that_the_sequences_take() {
        for function in Function::ALL {
            let (count, input) = function.every_input();
            assert!(count > 100_000_000);
            assert!(
                (0..count)
                    .step_by(997)
                    .chain([count - 1])
                    .all(|k| function.takes(input(k)))
            );
        }
    }
}
