//! Every level against the scalar one.

use bytemuck::cast_slice;
use half::{bf16, f16};
use proptest::prelude::*;
use seedproof_cpu::{Generator, Level, Philox, PhiloxKey, Plan, Threefry, Value, absent};
use seedproof_ops::{Element, is_required};

/// Streams whose counters cross a boundary of words within a few blocks, and others.
fn generators() -> impl Strategy<Value = Generator> {
    let boundary =
        prop_oneof![Just(0), Just(32), Just(64), Just(96), 0_u32..128].prop_map(|bit| 1_u128 << bit);
    let counter = prop_oneof![
        (boundary, 0_u128..90).prop_map(|(boundary, before)| (boundary & !1).wrapping_sub(before)),
        any::<u128>(),
    ];
    prop_oneof![
        (any::<u64>(), counter).prop_map(|(key, counter)| Generator::Philox(Philox { key, counter })),
        any::<u32>().prop_map(|seed| Generator::Mt19937 { seed }),
        (any::<u64>(), 0_u64..90).prop_map(|(seed, before)| {
            let offset = before.wrapping_neg();
            Generator::Key(PhiloxKey { seed, offset })
        }),
    ]
}

/// Fills `count` elements `start` elements into a buffer, and sees that nothing else is touched.
fn filled<T: Value>(
    level: Level,
    generator: Generator,
    bounds: (T, T),
    start: usize,
    count: usize,
) -> Vec<u8> {
    let mut buffer = vec![T::zeroed(); start + count + 16];
    let plan = Plan::new(level, generator, bounds.0, bounds.1).unwrap();
    plan.fill(&mut buffer[start..start + count]);
    let untouched = |elements: &[T]| cast_slice::<T, u8>(elements).iter().all(|&byte| byte == 0);
    assert!(untouched(&buffer[..start]) && untouched(&buffer[start + count..]));
    cast_slice(&buffer[start..start + count]).to_vec()
}

fn assert_levels_agree<T: Value>(generator: Generator, bounds: (T, T), start: usize, count: usize) {
    let scalar = filled(Level::scalar(), generator, bounds, start, count);
    for level in Level::detect() {
        let other = filled(level, generator, bounds, start, count);
        let differs = scalar.iter().zip(&other).position(|(a, b)| a != b);
        assert_eq!(
            differs,
            None,
            "{} {generator:?} {bounds:?} [{start}; {count}]",
            level.name()
        );
    }
}

/// Bounds in order, of any bits.
fn bounds<T: Element + PartialOrd>(bits: impl Strategy<Value = (T, T)>) -> impl Strategy<Value = (T, T)> {
    bits.prop_filter_map("equal or not numbers", |(a, b)| match a.partial_cmp(&b)? {
        std::cmp::Ordering::Less => Some((a, b)),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some((b, a)),
    })
}

macro_rules! agree {
    ($($test:ident: $type:ty, $bounds:expr, $common:expr;)*) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(96))]
            $(
                #[test]
                fn $test(
                    generator in generators(),
                    bounds in prop_oneof![Just($common), bounds::<$type>($bounds)],
                    start in 0_usize..17,
                    count in prop_oneof![0_usize..70, 0_usize..2000],
                ) {
                    assert_levels_agree::<$type>(generator, bounds, start, count);
                }
            )*
        }
    };
}

agree! {
    levels_agree_f16: f16, any::<(u16, u16)>().prop_map(|(a, b)| (f16::from_bits(a), f16::from_bits(b))), (f16::ZERO, f16::ONE);
    levels_agree_bf16: bf16, any::<(u16, u16)>().prop_map(|(a, b)| (bf16::from_bits(a), bf16::from_bits(b))), (bf16::ZERO, bf16::ONE);
    levels_agree_f32: f32, any::<(u32, u32)>().prop_map(|(a, b)| (f32::from_bits(a), f32::from_bits(b))), (0.0, 1.0);
    levels_agree_f64: f64, any::<(u64, u64)>().prop_map(|(a, b)| (f64::from_bits(a), f64::from_bits(b))), (0.0, 1.0);
    levels_agree_i32: i32, any::<(i32, i32, u32)>().prop_map(|(a, b, by)| (a, a.wrapping_add(b >> (by % 32)))), (0, 1);
    levels_agree_i64: i64, any::<(i64, i64, u32)>().prop_map(|(a, b, by)| (a, a.wrapping_add(b >> (by % 64)))), (0, 1);
    levels_agree_i64_of_one_word: i64, any::<(u32, u32, i64)>().prop_map(|(a, b, c)| (c.min(i64::from(a)), i64::from(b))), (-7, 1 << 32);
}

#[test]
fn levels_agree_on_words() {
    for before in 0..9 {
        let philox = Philox {
            key: 7,
            counter: (1 << 96) - before,
        };
        for count in 0..100 {
            let answers = Level::detect().into_iter().map(|level| {
                let mut words = vec![0; count];
                level.fill_words(philox, &mut words);
                words
            });
            let answers: Vec<_> = answers.collect();
            assert!(
                answers.iter().all(|words| *words == answers[0]),
                "{before} {count}"
            );
        }
    }
}

#[test]
fn levels_agree_on_words_of_threefry() {
    for before in 0..40_u64 {
        let threefry = Threefry {
            key: 7 << 40 | 3,
            counter: ((before % 2) << 40_u32).wrapping_sub(before),
        };
        let blocks = (0..).flat_map(|index| threefry.block(index));
        for count in [0, 1, 5, 6, 7, 63, 64, 65, 127, 1000] {
            let expected: Vec<u32> = blocks.clone().take(count).collect();
            for level in Level::detect() {
                let mut words = vec![0; count];
                level.fill_threefry(threefry, &mut words);
                assert!(words == expected, "{} {before} {count}", level.name());
            }
        }
    }
}

/// Enough for threads and for streaming past the caches, an odd number, at an odd place.
#[test]
fn levels_agree_on_large_outputs_for_any_number_of_threads() {
    let count = (9 << 18) + 5;
    let generators = [
        Generator::Philox(Philox {
            key: 1,
            counter: (1 << 64) - 1000,
        }),
        Generator::Mt19937 { seed: 1 },
    ];
    for generator in generators {
        let scalar = filled(Level::scalar(), generator, (-1.5_f32, 2.25), 3, count);
        for threads in [1, 2, 3] {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            for level in Level::detect() {
                for start in [1, 4] {
                    let other = pool.install(|| filled(level, generator, (-1.5_f32, 2.25), start, count));
                    assert!(other == scalar, "{} {threads} {generator:?}", level.name());
                }
            }
        }
    }
}

#[test]
fn levels_are_named_present_or_absent() {
    let mut names: Vec<String> = Level::detect()
        .iter()
        .map(|level| format!("cpu/{}", level.name()))
        .collect();
    for (name, reason) in absent() {
        assert!(!reason.is_empty());
        assert!(
            !is_required("LEVELS"),
            "find {name}, which SEEDPROOF_REQUIRE_LEVELS asks for: {reason}"
        );
        names.push(name.to_owned());
    }
    names.sort();
    assert_eq!(names, ["cpu/avx2", "cpu/avx512", "cpu/avx512-ifma", "cpu/scalar"]);
    assert_eq!(Level::detect().last(), Some(&Level::best()));
}

#[cfg(feature = "ndarray")]
#[test]
fn array_views_of_any_layout_are_filled_in_logical_order() {
    let plan = Plan::new(Level::best(), Generator::Mt19937 { seed: 3 }, 0_i32, 1000).unwrap();
    let mut slice = [0; 6];
    plan.fill(&mut slice);
    let mut array = ndarray::Array2::<i32>::zeros((2, 3));
    plan.fill_array(array.view_mut());
    assert_eq!(array.as_slice(), Some(&slice[..]));
    let mut columns = ndarray::Array2::<i32>::zeros((3, 2));
    plan.fill_array(columns.view_mut().reversed_axes());
    assert_eq!(columns.t(), array);
    let mut wide = ndarray::Array2::<i32>::zeros((4, 6));
    let view = ndarray::s![1..;2, ..;-2];
    plan.fill_array(wide.slice_mut(view));
    assert_eq!(wide.slice(view), array);
    assert_eq!(wide.iter().filter(|&&element| element == 0).count(), 18);
    let mut reversed = ndarray::Array1::<i32>::zeros(6);
    reversed.invert_axis(ndarray::Axis(0));
    plan.fill_array(reversed.view_mut());
    assert!(reversed.iter().eq(&slice));
}
