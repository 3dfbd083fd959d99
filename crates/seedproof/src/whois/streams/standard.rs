//! Standard numbers that programs make of a stream: of the unit interval, normal, exponential.
//!
//! They are computed in f64, whatever the type in which a program computes them. That is enough to recognize them, and no
//! verdict depends on it: how a conforming implementation rounds is decided by other engines.

use std::f64::consts::{SQRT_2, TAU};

use seedproof_ops::Dtype;

use crate::whois::conversion::{Conversion, double_of, genrand_res53, power};

/// The words of a stream of which numbers are made.
#[derive(Clone, Copy)]
pub(super) struct Words<'a> {
    pub(super) all: &'a [u32],
    /// The words at which the first number may begin. A block of 16 numbers may begin at each of 16, and to draw all of these
    /// where only the first is asked about takes 16 times as long.
    pub(super) reach: usize,
}

/// Numbers in their order, each with the word of the stream at which it begins.
#[derive(Clone)]
pub(super) struct Sequence {
    pub(super) what: String,
    /// The conversion of which these are the numbers, where it is all that makes them.
    pub(super) conversion: Option<&'static Conversion>,
    pub(super) numbers: Vec<f64>,
    pub(super) words: Vec<usize>,
    /// The numbers between two places at which an array may begin. Of an array whose size is not a multiple of a block, the last
    /// block is drawn again.
    pub(super) block: usize,
    pub(super) kind: Kind,
}

/// The distribution of standard numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Unit,
    Normal,
    Exponential,
}

/// The share of normals within two standard deviations: the error function of the square root of two.
pub(in crate::whois) const WITHIN_TWO: f64 = 0.954_499_736_103_642;

/// The width of the range in which nearly all normals lie.
pub(in crate::whois) const NORMAL_WIDTH: f64 = 4.0;

impl Kind {
    /// Whether every program computes these numbers alike.
    pub(super) const fn is_exact(self) -> bool {
        matches!(self, Self::Unit)
    }

    /// The width of the range in which nearly all numbers lie.
    pub(super) const fn width(self) -> f64 {
        match self {
            Self::Unit => 1.0,
            Self::Normal => NORMAL_WIDTH,
            Self::Exponential => 3.0,
        }
    }
}

impl Sequence {
    /// An empty one, with room for some numbers.
    pub(super) fn new(what: &str, kind: Kind, room: usize) -> Self {
        Self {
            what: what.to_owned(),
            conversion: None,
            numbers: Vec::with_capacity(room),
            words: Vec::with_capacity(room),
            block: 1,
            kind,
        }
    }

    pub(super) fn is_usual_with(&self, generator: &str) -> bool {
        self.conversion.is_some_and(|it| it.is_usual_with(generator))
    }

    pub(super) fn push(&mut self, word: usize, number: f64) {
        self.words.push(word);
        self.numbers.push(number);
    }

    /// The numbers in each column of a table that they fill row by row. An array can only begin with the first of them.
    pub(super) fn columns(&self, columns: usize) -> impl Iterator<Item = Self> {
        (0..columns).map(move |column| {
            let numbers: Vec<f64> = self
                .numbers
                .iter()
                .skip(column)
                .step_by(columns)
                .copied()
                .collect();
            Self {
                what: format!("{}, in column {column} (from 0) of {columns}", self.what),
                conversion: self.conversion,
                words: first_alone(numbers.len()),
                numbers,
                block: 1,
                kind: self.kind,
            }
        })
    }

    /// Whether the last block of an array of `n` elements is drawn again.
    pub(super) fn is_redrawn(&self, n: usize) -> bool {
        self.block > 1 && !n.is_multiple_of(self.block)
    }

    /// The words that a number of a block takes.
    pub(super) fn each(&self) -> usize {
        let next = self.words.get(self.block);
        next.map_or(0, |next| (next - self.words[0]) / self.block)
    }

    /// The number of places at which an array may begin before a word.
    pub(super) fn places(&self, before: usize) -> usize {
        self.words.partition_point(|&word| word < before) / self.block
    }

    /// The word at which a number begins, and the numbers of that word before it: 1 for the second one of a pair.
    pub(super) fn place(&self, at: usize) -> (usize, usize) {
        let word = self.words[at];
        let before = self.words[..at].iter().rev();
        let after = before.take_while(|&&it| it == word).count();
        (word, if self.block == 1 { after } else { 0 })
    }
}

/// The words at which numbers begin of which an array can only begin with the first: a word that no stream reaches keeps the search
/// from the others.
pub(super) fn first_alone(count: usize) -> Vec<usize> {
    (0..count).map(|i| if i == 0 { 0 } else { usize::MAX }).collect()
}

/// The numbers that `numbers` makes of every `each` words: a sequence for each word of a stream at which the first number may
/// begin.
pub(super) fn at_every_place<N: IntoIterator<Item = f64>>(
    words: Words<'_>,
    each: usize,
    named: (&str, Kind),
    numbers: impl Fn(&[u32]) -> N,
) -> Vec<Sequence> {
    with_places(words, each, named, |_, words| numbers(words))
}

/// [`at_every_place`], where the place of the first word is known too.
fn with_places<N: IntoIterator<Item = f64>>(
    Words { all, reach }: Words<'_>,
    each: usize,
    (what, kind): (&str, Kind),
    mut numbers: impl FnMut(usize, &[u32]) -> N,
) -> Vec<Sequence> {
    let of = |first: usize| {
        // Each number of a pair takes two words.
        let mut sequence = Sequence::new(what, kind, all.len() / each.min(2));
        for (i, words) in all[first..].chunks_exact(each).enumerate() {
            let place = first + i * each;
            for number in numbers(place, words) {
                sequence.push(place, number);
            }
        }
        sequence
    };
    (0..each.min(all.len()).min(reach)).map(of).collect()
}

/// The cosine and the sine of Box and Muller, from a number of (0, 1] and a number of [0, 1).
fn box_muller(radius: f64, turn: f64) -> [f64; 2] {
    let length = self::radius(radius);
    let (sin, cos) = (TAU * turn).sin_cos();
    [length * cos, length * sin]
}

fn radius(unit: f64) -> f64 {
    (-2.0 * unit.ln()).sqrt()
}

/// A conversion at every place of a stream: numbers of the unit interval.
pub(super) fn units(conversion: &'static Conversion, words: Words<'_>) -> Vec<Sequence> {
    let unit = |words: &[u32]| [conversion.unit(words)];
    let mut all = at_every_place(words, conversion.words, (conversion.what, Kind::Unit), unit);
    for sequence in &mut all {
        sequence.conversion = Some(conversion);
    }
    all
}

/// The normals of `torch.randn` on a CPU for 16 elements and more: the first eight of 16 uniform numbers are radii, the others
/// angles.
///
/// Source: `normal_fill` in ATen's `native/cpu/DistributionTemplates.h`.
pub(super) fn torch_blocks(words: Words<'_>, dtype: Dtype) -> Vec<Sequence> {
    let (each, bits) = match dtype {
        Dtype::F64 => (2, 53),
        Dtype::F16 => (1, 11),
        Dtype::Bf16 => (1, 8),
        _ => (1, 24),
    };
    let what = "normals of blocks of 16, as torch.randn has them on a CPU";
    // Where a block begins decides whether a number is a radius or an angle. Over all of these places each is asked for eight
    // times, and its logarithm or its sine takes longer than all else.
    let mut radii: Vec<Option<f64>> = vec![None; words.all.len()];
    let mut turns: Vec<Option<[f64; 2]>> = vec![None; words.all.len()];
    let block = |place: usize, words: &[u32]| {
        let unit = |i: usize| match each {
            1 => f64::from(words[i] & ((1 << bits) - 1)) * power(-bits),
            _ => double_of(words[2 * i], words[2 * i + 1], 11),
        };
        let mut numbers = [0.0; 16];
        for i in 0..8 {
            let [first, second] = [i, i + 8].map(|i| place + i * each);
            let radius = *radii[first].get_or_insert_with(|| radius(1.0 - unit(i)));
            let [sin, cos] = *turns[second].get_or_insert_with(|| (TAU * unit(i + 8)).sin_cos().into());
            [numbers[i], numbers[i + 8]] = [radius * cos, radius * sin];
        }
        numbers
    };
    let sequences = with_places(words, 16 * each, (what, Kind::Normal), block);
    let in_blocks = |sequence| Sequence {
        block: 16,
        ..sequence
    };
    sequences.into_iter().map(in_blocks).collect()
}

/// The normals of `torch.randn` on a CPU for fewer than 16 elements: two doubles make two of them.
///
/// Source: `normal_distribution` in ATen's `core/DistributionsHelper.h`.
pub(super) fn torch_pairs(words: Words<'_>) -> Vec<Sequence> {
    let what = "normals of pairs of doubles, as torch.randn has them on a CPU for fewer than 16 elements";
    at_every_place(words, 4, (what, Kind::Normal), |words| {
        let [turn, radius] = [0, 2].map(|k| double_of(words[k], words[k + 1], 11));
        box_muller(1.0 - radius, turn)
    })
}

/// The normals of NumPy's `RandomState`: the polar method, the second of a pair first.
///
/// Source: `legacy_gauss` in NumPy's `random/src/legacy/legacy-distributions.c`.
pub(super) fn polar(words: Words<'_>) -> Vec<Sequence> {
    polar_of(words, "normals as numpy.random.randn has them", genrand_res53)
}

/// The normals of `std::normal_distribution<double>` in libstdc++: the same method, and of the two words of a number the second
/// is the high one.
///
/// Source: `operator()` of `normal_distribution` in libstdc++'s `bits/random.tcc`.
pub(super) fn standard_library(words: Words<'_>) -> Vec<Sequence> {
    let unit = |words: &[u32]| double_of(words[1], words[0], 0);
    polar_of(
        words,
        "normals as std::normal_distribution<double> of libstdc++ has them",
        unit,
    )
}

fn polar_of(words: Words<'_>, what: &str, unit: fn(&[u32]) -> f64) -> Vec<Sequence> {
    at_every_place(words, 4, (what, Kind::Normal), |words| {
        let [x, y] = [0, 2].map(|k| unit(&words[k..]).mul_add(2.0, -1.0));
        let square = x.mul_add(x, y * y);
        let factor = (-2.0 * square.ln() / square).sqrt();
        let pair = (square < 1.0 && square > 0.0).then_some([factor * y, factor * x]);
        pair.into_iter().flatten()
    })
}

/// The normals of Python's `random.gauss`.
pub(super) fn gauss(words: Words<'_>) -> Vec<Sequence> {
    let what = "normals as random.gauss of Python has them";
    at_every_place(words, 4, (what, Kind::Normal), |words| {
        let [turn, radius] = [0, 2].map(|k| genrand_res53(&words[k..]));
        box_muller(1.0 - radius, turn)
    })
}

/// The normals of Python's `random.normalvariate`, by the method of Kinderman and Monahan.
///
/// Source: `normalvariate` in CPython's `Lib/random.py`.
pub(super) fn normalvariate(words: Words<'_>) -> Vec<Sequence> {
    let what = "normals as random.normalvariate of Python has them";
    // 4 e^(-1/2) / sqrt 2
    let factor = 4.0 * (-0.5_f64).exp() / SQRT_2;
    at_every_place(words, 4, (what, Kind::Normal), |words| {
        let [u, v] = [0, 2].map(|k| genrand_res53(&words[k..]));
        let v = 1.0 - v;
        let normal = factor * (u - 0.5) / v;
        (normal * normal / 4.0 <= -v.ln()).then_some(normal)
    })
}

/// The normals of TensorFlow's ops in f32, whose sines come first.
///
/// Source: `BoxMullerFloat` in TensorFlow's `core/lib/random/random_distributions_utils.h`.
pub(super) fn tensorflow_pairs(words: Words<'_>) -> Vec<Sequence> {
    let unit = |word: u32| f64::from(word & 0x007f_ffff) * power(-23);
    let mut sequence = Sequence::new(
        "normals as tf.random.normal has them",
        Kind::Normal,
        words.all.len(),
    );
    for (i, &[a, b]) in words.all.as_chunks::<2>().0.iter().enumerate() {
        let [cos, sin] = box_muller(unit(a).max(1e-7), unit(b));
        sequence.push(2 * i, sin);
        sequence.push(2 * i, cos);
    }
    vec![sequence]
}

/// The same in f64, of two words each, the high one first.
///
/// Source: `BoxMullerDouble` in the same file.
pub(super) fn tensorflow_doubles(words: Words<'_>) -> Vec<Sequence> {
    let what = "normals as tf.random.normal has them in f64";
    at_every_place(words, 4, (what, Kind::Normal), |words| {
        let unit = |high: u32, low: u32| double_of(high, low, 12);
        let [cos, sin] = box_muller(unit(words[0], words[1]).max(1e-7), unit(words[2], words[3]));
        [sin, cos]
    })
}

/// Exponential numbers of doubles: `-log(1 - u)`, which NumPy's `RandomState`, Python and PyTorch have.
pub(super) fn exponentials(words: Words<'_>) -> Vec<Sequence> {
    let of = |what: &str, unit: fn(&[u32]) -> f64| {
        at_every_place(words, 2, (what, Kind::Exponential), |words| {
            [-(-unit(words)).ln_1p()]
        })
    };
    let numpy = of("exponentials as numpy.random.exponential has them", genrand_res53);
    let torch = of(
        "exponentials as torch's exponential_ has them on a CPU",
        |words| double_of(words[0], words[1], 11),
    );
    numpy.into_iter().chain(torch).collect()
}
