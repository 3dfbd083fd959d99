//! Bits against the definition, an element at a time, on every level and on vectors of sixteen words.

use seedproof_ops::{Dtype, JaxKeyImpl};

use super::*;
use crate::bits::{halves, join};
use crate::level::Level;
use crate::threefry::Threefry;

fn levels() -> impl Iterator<Item = Level> {
    Level::detect().into_iter().chain(Level::emulated())
}

const KEY: Key = Key {
    implementation: JaxKeyImpl::Threefry2x32,
    partitionable: true,
    words: [0x1234_5678, 0x9abc_def0, 0xffff_ffff, 0xffff_fffb],
};

/// The words of the original order, all counts in a list.
fn counted(total: usize) -> Vec<u32> {
    let mut counts: Vec<u32> = (0..).take(total).collect();
    counts.resize(total.next_multiple_of(2), 0);
    let (firsts, seconds) = counts.split_at(counts.len() / 2);
    let key = join(KEY.words[1], KEY.words[0]);
    let pairs = firsts.iter().zip(seconds);
    let (mut words, last): (Vec<_>, Vec<_>) = pairs
        .map(|(&first, &second)| {
            Threefry {
                key,
                counter: join(second, first),
            }
            .block(0)
        })
        .map(|[a, b]| (a, b))
        .unzip();
    words.extend(last);
    words.truncate(total);
    words
}

/// Elements of `size` bytes, as the definition has them.
fn defined(key: Key, size: usize, count: usize) -> Vec<u8> {
    let threefry = |counter| {
        let key = join(key.words[1], key.words[0]);
        Threefry { key, counter }.block(0)
    };
    let bytes = |numbers: Vec<u64>| {
        numbers
            .iter()
            .flat_map(|x| x.to_le_bytes()[..size].to_vec())
            .collect()
    };
    match (key.stream(), size) {
        (Stream::Philox(philox), _) => {
            let mut words = (0..).flat_map(|i| philox.block(i)).map(u64::from);
            let mut word = || words.next().unwrap();
            let element = |_| word() | if size == 8 { word() << 32 } else { 0 };
            bytes((0..count).map(element).collect())
        }
        (Stream::Counted(_), _) => {
            let element = |i: u64| {
                let [a, b] = threefry(i.rotate_left(32));
                if size == 8 { join(a, b) } else { u64::from(a ^ b) }
            };
            bytes((0..).map(element).take(count).collect())
        }
        (Stream::Halved(_), 8) => {
            let words = counted(2 * count);
            let element = |i: usize| join(words[i], words[count + i]);
            bytes((0..count).map(element).collect())
        }
        (Stream::Halved(_), _) => {
            let words = counted((count * size).div_ceil(4));
            let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            bytes.truncate(count * size);
            bytes
        }
    }
}

fn keys() -> [Key; 3] {
    let halved = Key {
        partitionable: false,
        ..KEY
    };
    let philox = Key {
        implementation: JaxKeyImpl::Rbg,
        ..KEY
    };
    [KEY, halved, philox]
}

#[test]
fn jax_bits_are_those_of_the_definition() {
    let counts = (0..140).chain([1023, 1024, 1025, 2049, 4097, 33_333, 65_537]);
    for count in counts {
        for key in keys() {
            for size in [1, 2, 4, 8] {
                let expected = defined(key, size, count);
                for level in levels() {
                    let mut out = vec![0; expected.len()];
                    fill_bits(level, key.part([0, count]), size, &mut out);
                    assert!(out == expected, "{} {key:?} {size} {count}", level.name());
                }
            }
        }
    }
}

/// Every level converts as the scalar one does, whose values are compared with the oracle's elsewhere.
#[test]
fn jax_values_are_those_of_the_scalar_level() {
    let agree = |what: &str, size: usize, fill: &dyn Fn(Level, &mut [u8])| {
        for count in [1, 7, 64, 129, 1500] {
            let filled = |level| {
                let mut out = vec![0; size * count];
                fill(level, &mut out);
                out
            };
            let expected = filled(Level::scalar());
            for level in levels() {
                assert!(filled(level) == expected, "{} {what} {count}", level.name());
            }
        }
    };
    for key in keys() {
        for dtype in [Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64] {
            for bounds in [[0.0, 1.0], [-1.5, 2.25], [3.0, -1.0], [0.0, f64::INFINITY]] {
                agree("floats", dtype.size(), &|level, out| {
                    fill_floats(level, key.part([0, out.len() / dtype.size()]), dtype, bounds, out);
                });
            }
        }
        for p in [0.0, 0.3, 1.0, -1.0, 7.0, f32::NAN] {
            agree("flags", 1, &|level, out| {
                fill_flags(level, key.part([0, out.len()]), p, out);
            });
        }
        for dtype in [Dtype::I8, Dtype::U16, Dtype::I32, Dtype::U64] {
            for bounds in [[0, 10], [-5, 1 << 40], [-7, 65_529], [i64::MIN, i64::MAX], [7, 7]] {
                agree("integers", dtype.size(), &|level, out| {
                    let place = [0, out.len() / dtype.size()];
                    Integers::new(dtype, bounds).fill(level, key, place, out).unwrap();
                });
            }
        }
    }
    for dtype in [Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64] {
        let philox = crate::Philox {
            key: 42,
            counter: 7 << 64,
        };
        let stream = Stream::Philox(philox);
        let part = Part {
            stream,
            place: [0, 0],
        };
        for bounds in [[0.0, 1.0], [-1.5, 2.25], [3.0, -1.0], [0.0, f64::INFINITY]] {
            agree("digits", dtype.size(), &|level, out| {
                fill_digits(level, part, dtype, bounds, out);
            });
        }
    }
    agree("states", 16, &|level, out| {
        fill_states(level, 42, [0, 0], None, out);
    });
}

/// The carry into the high half of a counter, which no output of today is long enough for.
#[test]
fn jax_counters_carry() {
    let key = join(KEY.words[1], KEY.words[0]);
    let first = u32::MAX as usize - 100;
    for level in levels() {
        let mut mixed = vec![0; 4 * 333];
        let mut pairs = vec![0; 8 * 333];
        Stream::Counted(key).fill(level, [first, 0], 4, &mut mixed);
        Stream::Counted(key).fill(level, [first, 0], 8, &mut pairs);
        let words = mixed.as_chunks().0.iter().zip(pairs.as_chunks::<8>().0);
        for (i, (mixed, pair)) in (u64::from(u32::MAX) - 100..).zip(words) {
            let [low, high] = halves(i);
            let [a, b] = Threefry {
                key,
                counter: join(low, high),
            }
            .block(0);
            assert_eq!(u32::from_le_bytes(*mixed), a ^ b, "{} {i}", level.name());
            assert_eq!(u64::from_le_bytes(*pair), join(b, a), "{} {i}", level.name());
        }
    }
}
