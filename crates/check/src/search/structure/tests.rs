//! Every structure, made and found again.

use super::parts::Part;
use super::*;
use crate::fixtures::{Fake, multinomial, uniform, uniform_between};
use crate::model::exchange::FailedCase;
use crate::model::expected::Expected;
use seedproof_corpus::CaseId;
use seedproof_ops::{Alignment, Dtype, Response, Shape, Stages, Tensor};

mod elements;
mod tables;
mod texts;

fn stream(i: usize) -> u32 {
    let mut z = (crate::model::exchange::as_u64(i) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    u32::try_from((z ^ (z >> 31)) >> 32).unwrap()
}

fn i32s(dims: &[u64], value: impl Fn(usize) -> u32) -> Tensor {
    let shape = Shape::new(dims).unwrap();
    let values: Vec<i32> = (0..shape.count()).map(|i| value(i).cast_signed()).collect();
    Tensor::from_elements(shape, &values).unwrap()
}

fn oracle() -> Fake {
    oracle_of(1)
}

/// An oracle whose elements take as many words.
fn oracle_of(words_per_element: usize) -> Fake {
    let answer = |request: &Request| i32s(&request.output_form().unwrap().1, stream);
    Fake::new("oracle", move |request| Ok(Response::of(answer(request)))).showing(move |request| {
        Some(Stages {
            words: vec![0],
            words_per_element,
            words_per_block: 4,
            counters: Vec::new(),
            unit: None,
            scaled: answer(request),
        })
    })
}

fn wide(dims: &[u64]) -> Request {
    let Request::RandomUniform(mut op) = uniform_between(Dtype::I32, 1, ("-2147483648", "2147483647")) else {
        unreachable!()
    };
    let extents: Vec<i64> = dims.iter().map(|&dim| i64::try_from(dim).unwrap()).collect();
    op.shape = Tensor::vector(&extents);
    Request::RandomUniform(op)
}

fn failed(request: Request, expected: Tensor, actual: Tensor) -> FailedCase {
    FailedCase {
        case: CaseId::new("ru8/toy/x").unwrap(),
        request,
        expected: Expected::Value(Response::of(expected)),
        actual: Ok(Response::of(actual)),
        again: None,
        nan: NanRule::Class,
    }
}

/// The names of the structures with which element i of an output is `value(i)`.
fn names(dims: &[u64], value: impl Fn(usize) -> u32) -> Vec<String> {
    names_by(&oracle(), dims, value)
}

fn names_by(oracle: &Fake, dims: &[u64], value: impl Fn(usize) -> u32) -> Vec<String> {
    let case = failed(wide(dims), i32s(dims, stream), i32s(dims, value));
    let view = View::new(&case, Some(oracle)).unwrap();
    let found = structures(&view, oracle, &case.request, LOOKAHEAD);
    for structure in &found {
        let given = structure
            .apply(oracle, &case.request, &view.layout, case.nan, view.count())
            .unwrap();
        assert_eq!(given.len(), view.count());
        let is_noise = structure.cause().name.ends_with("noise)");
        assert_eq!(structure.is_noise(), is_noise, "{structure:?}");
        let mut pairs = given.iter().zip(&view.actual);
        assert!(
            pairs.all(|(given, actual)| given.map_or(is_noise, |given| given == *actual)),
            "{structure:?}"
        );
    }
    found.iter().map(|structure| structure.cause().name).collect()
}

/// Four words at a time are two doubles. Chunks of all but the last two elements are the same output, and a worse name for it.
#[test]
fn groups_of_words_are_named_where_elements_take_several() {
    let overlapping = |i: usize| stream(if i < 23 { i } else { i + 1 });
    let found = names_by(&oracle_of(2), &[25], overlapping);
    for name in ["tail-overlaps(group = 2)", "tail-overlaps(words = 4)"] {
        assert!(found.contains(&name.to_owned()), "{found:?}");
    }
    let zero = |i: usize| if i < 24 { stream(i) } else { 0 };
    let found = names_by(&oracle_of(2), &[27], zero);
    assert!(found.contains(&"tail(words = 8, zero)".to_owned()), "{found:?}");
    assert!(names(&[27], zero).iter().all(|name| !name.contains("words")));
}

#[test]
fn structure_finds_what_is_not_drawn() {
    assert_eq!(names(&[48], |_| 0), ["all-zero"]);
    assert_eq!(names(&[48], |_| 0xdead_beef), ["constant(bits deadbeef)"]);
    assert_eq!(names(&[48], |i| stream(i).swap_bytes()), ["bytes-swapped"]);
}

#[test]
fn structure_finds_blocks() {
    assert_eq!(names(&[48], |i| stream(i + 4)), ["blocks(i + 1)"]);
    assert_eq!(names(&[48], |i| stream(i + 1024)), ["blocks(i + 256)"]);
    assert_eq!(names(&[48], |i| stream(i / 4 * 8 + i % 4)), ["blocks(2 i)"]);
    assert_eq!(
        names(&[48], |i| stream(i / 4 * 12 + 8 + i % 4)),
        ["blocks(3 i + 2)"]
    );
    assert_eq!(names(&[48], |i| stream(i % 4)), ["blocks(0)"]);
    assert_eq!(
        names(&[48], |i| stream(i - i % 4 + [0, 2, 1, 3][i % 4])),
        ["order-in-block(0 2 1 3)"]
    );
    assert_eq!(
        names(&[48], |i| stream(i / 4 * 8 + 4 + 3 - i % 4)),
        ["blocks(2 i + 1) + order-in-block(3 2 1 0)"]
    );
}

#[test]
fn structure_finds_periods() {
    assert_eq!(names(&[48], |i| stream(i + 3)), ["shifted(by = 3)"]);
    assert_eq!(names(&[48], |i| stream(2 * i)), ["strided(2 i)"]);
    assert_eq!(names(&[48], |i| stream(i / 3)), ["held(times = 3)"]);
    assert_eq!(
        names(&[48], |i| stream(i % 12)),
        ["slices(threads = 4, from the start)", "repeated(size = 12)"]
    );
    assert_eq!(names(&[1000], |i| stream(i % 300)), ["repeated(size = 300)"]);
    assert_eq!(
        names(&[48], |i| stream(i / 6 * 10 + i % 6)),
        ["chunks(size = 6, apart = 10)"]
    );
    assert_eq!(
        names(&[48], |i| stream(i - i % 8 + [0, 1, 4, 5, 2, 3, 6, 7][i % 8])),
        ["order-in-group(0 1 4 5 2 3 6 7)"]
    );
    // A last group that is not whole is zero.
    assert_eq!(
        names(&[46], |i| if i < 40 { stream(i - i % 8 + 7 - i % 8) } else { 0 }),
        [
            "order-in-group(7 6 5 4 3 2 1 0) + tail(from = 40, zero)",
            "order-in-group(7 6 5 4 3 2 1 0) + last(6, zero)",
            "order-in-group(7 6 5 4 3 2 1 0) + tail(group = 8, zero)"
        ]
    );
}

#[test]
fn structure_finds_orders_of_the_whole() {
    assert_eq!(names(&[48], |i| stream(47 - i)), ["reversed"]);
    let threads = names(&[50], |i| stream((i % 7) * 8 + i / 7));
    // For this count, writing runs of seven in turns of eight comes to the same.
    assert_eq!(
        threads,
        ["interleaved(threads = 7)", "deinterleaved(threads = 8)"]
    );
    assert_eq!(
        names(&[6, 10], |i| stream(i % 10)),
        [
            "rows-restart",
            "slices(threads = 6, from the start)",
            "repeated(size = 10)"
        ]
    );
}

#[test]
fn structure_finds_nothing_in_other_words() {
    assert!(names(&[48], |i| stream(i) ^ 0x55).is_empty());
}

#[test]
fn stream_of_a_mistake_may_be_shorter_than_a_row() {
    let dims = [2, 3, 30];
    let case = failed(wide(&dims), i32s(&dims, stream), i32s(&dims, |i| stream(i % 7)));
    let short = Fake::giving("short", i32s(&[7], stream));
    let view = View::new(&case, Some(&oracle())).unwrap();
    for structure in structures(&view, &short, &case.request, LOOKAHEAD) {
        let all = structure.apply(&short, &case.request, &view.layout, case.nan, view.count());
        assert!(all.is_none_or(|all| all.len() == view.count()), "{structure:?}");
    }
}

#[test]
fn structure_needs_more_than_a_coincidence() {
    // Two coins: shifted, reversed and constant all at once, and none of it means anything.
    let request = uniform_between(Dtype::I32, 2, ("0", "2"));
    let case = failed(request, Tensor::vector(&[0, 1]), Tensor::vector(&[1, 1]));
    let view = View::new(&case, None).unwrap();
    assert!(structures(&view, &oracle(), &case.request, LOOKAHEAD).is_empty());
}

#[test]
fn structure_finds_orders_of_few_bits() {
    let coins = |i: usize| stream(i) & 7;
    let request = |count| uniform_between(Dtype::I32, count, ("0", "8"));
    let oracle = Fake::new("oracle", move |request| {
        Ok(Response::of(i32s(&request.output_form().unwrap().1, coins)))
    });
    let swapped = i32s(&[240], |i| coins(i ^ 1));
    let case = failed(request(240), i32s(&[240], coins), swapped);
    let view = View::new(&case, Some(&oracle)).unwrap();
    let found = structures(&view, &oracle, &case.request, LOOKAHEAD);
    assert_eq!(found[0].cause().name, "order-in-group(1 0)");
}

#[test]
fn structure_finds_swapped_halves_and_flushed_subnormals() {
    let recoded = |request: Request, right: Tensor, wrong: Tensor| {
        let oracle = Fake::giving("oracle", right.clone());
        let case = failed(request, right, wrong);
        let view = View::new(&case, Some(&oracle)).unwrap();
        structures(&view, &oracle, &case.request, 0)[0].cause().name
    };
    let request = uniform_between(Dtype::I64, 9, ("-9223372036854775808", "9223372036854775807"));
    let values: Vec<i64> = (0..9)
        .map(|i| (u64::from(stream(i)) << 32 | 7).cast_signed())
        .collect();
    let swapped: Vec<i64> = values.iter().map(|value| value.rotate_left(32)).collect();
    assert_eq!(
        recoded(request, Tensor::vector(&values), Tensor::vector(&swapped)),
        "word-halves-swapped"
    );
    let request = uniform_between(Dtype::F32, 9, ("0", "1"));
    let value = |i: u16| {
        if i.is_multiple_of(3) {
            -1e-40
        } else {
            f32::from(i) * 0.05
        }
    };
    let values: Vec<f32> = (1..10).map(value).collect();
    let flushed: Vec<f32> = values
        .iter()
        .map(|&value| if value < 0.0 { -0.0 } else { value })
        .collect();
    assert_eq!(
        recoded(request, Tensor::vector(&values), Tensor::vector(&flushed)),
        "subnormals-flushed"
    );
}

#[test]
fn subnormals_end_below_the_smallest_normal_value() {
    let flushed = |dtype, bits| Recode::Flushed.apply(bits, dtype);
    let f32s = [0x0080_0000, 0x007f_ffff, 0x8080_0000, 0x8000_0001, 0].map(|bits| flushed(Dtype::F32, bits));
    assert_eq!(f32s, [0x0080_0000, 0, 0x8080_0000, 0x8000_0000, 0]);
    assert_eq!(
        [0x0400, 0x83ff].map(|bits| flushed(Dtype::F16, bits)),
        [0x0400, 0x8000]
    );
    assert_eq!(flushed(Dtype::I32, 5), 5);
}

fn form_of(case: &FailedCase) -> String {
    form(case, View::new(case, None).as_ref()).unwrap().cause().name
}

#[test]
fn form_sees_bits_of_another_type() {
    let value = |i: u8| half::f16::from_f32(f32::from(i) / 9.0);
    let values: Vec<half::f16> = (0..9).map(value).collect();
    let other = |value: &half::f16| half::f16::from_bits(half::bf16::from_f32(value.to_f32()).to_bits());
    let wrong: Vec<half::f16> = values.iter().map(other).collect();
    let request = uniform(Alignment::Tensorflow, Dtype::F16, &[9]);
    let case = failed(request, Tensor::vector(&values), Tensor::vector(&wrong));
    assert_eq!(form_of(&case), "bits-of-another-type(bf16)");
}

#[test]
fn form_sees_floats_where_integers_belong() {
    let values: Vec<i32> = (0..9).map(|i| 100 + 37 * i).collect();
    let bits = |scale: f32| -> Vec<i32> {
        let float = |&it: &i32| f32::from(i16::try_from(it).unwrap()) * scale;
        values
            .iter()
            .map(|it| float(it).to_bits().cast_signed())
            .collect()
    };
    let of = |scale| {
        let request = uniform_between(Dtype::I32, 9, ("0", "1000"));
        let case = failed(request, Tensor::vector(&values), Tensor::vector(&bits(scale)));
        form(&case, View::new(&case, None).as_ref()).map(|form| form.cause().name)
    };
    assert_eq!(of(1.0).as_deref(), Some("bits-of-another-type(f32)"));
    // An element within eight bits differs by rounding. One that is farther off is a different value.
    assert_eq!(of(1.007).as_deref(), Some("bits-of-another-type(f32)"));
    assert_eq!(of(1.009), None);
    assert_eq!(of(0.991), None);
    // Badly rounded elements are of their own type, and a narrower type has fewer bytes.
    let values: Vec<f64> = (1..10).map(|i| f64::from(i) / 9.0).collect();
    let of = |change: fn(f64) -> f64| {
        let wrong: Vec<f64> = values.iter().map(|&it| change(it)).collect();
        let request = uniform(Alignment::Tensorflow, Dtype::F64, &[9]);
        let case = failed(request, Tensor::vector(&values), Tensor::vector(&wrong));
        form(&case, View::new(&case, None).as_ref()).map(|form| form.cause().name)
    };
    assert_eq!(of(|it| it * 1.005), None);
    #[expect(clippy::cast_possible_truncation, reason = "the narrower type")]
    let narrow = |it| f64::from_bits(u64::from((it as f32).to_bits()));
    assert_eq!(of(narrow), None);
}

#[test]
fn form_sees_another_shape_type_or_order() {
    let right = i32s(&[8], stream);
    let case = |actual| failed(wide(&[8]), right.clone(), actual);
    assert_eq!(form_of(&case(i32s(&[6], stream))), "wrong-element-count");
    assert_eq!(form_of(&case(i32s(&[2, 4], stream))), "wrong-shape");
    let dtype = Tensor::new(Dtype::U32, right.shape().clone(), right.bytes().to_vec()).unwrap();
    assert_eq!(form_of(&case(dtype)), "wrong-type(u32)");
    assert_eq!(form_of(&case(i32s(&[8], |i| stream(i * 5 % 8)))), "permuted");
}

#[test]
fn stale_tail_is_right_where_nothing_is_so_far_back() {
    let after = |count: usize| {
        let layout = Layout {
            dtype: Dtype::U32,
            dims: vec![count],
            count,
            per_block: 4,
            words: 1,
        };
        let tail = Tail {
            place: Place::Group(4),
            content: Content::Stale(69),
        };
        let mut given: Vec<Option<u64>> = (0..count).map(|i| Some(stream(i).into())).collect();
        tail.spoil(&layout, &Order::Stream, &mut given, &|_| None, &|_| None);
        given
    };
    let right = |count: usize| -> Vec<Option<u64>> { (0..count).map(|i| Some(stream(i).into())).collect() };
    assert_eq!(after(3), [None; 3], "what memory held");
    assert_eq!(after(69), right(69));
    let mut stale = right(74);
    (stale[72], stale[73]) = (stale[3], stale[4]);
    assert_eq!(after(74), stale);
}

#[test]
fn form_of_all_classes_in_another_order_says_nothing() {
    let order = |by: i32, count: i32| {
        let classes: Vec<i32> = (0..count).map(|i| i * by % 61).collect();
        let shape = Shape::new(&[1, u64::try_from(count).unwrap()]).unwrap();
        Tensor::from_elements(shape, &classes).unwrap()
    };
    let form = |replacement, count: i32| {
        let Request::Multinomial(mut op) = multinomial(&[1.0; 61], count) else {
            unreachable!()
        };
        op.with_replacement = replacement;
        let mut reversed: Vec<i32> = (0..count).rev().map(|i| i * 7 % 61).collect();
        reversed.swap(0, 5);
        let actual = Tensor::from_elements(order(7, count).shape().clone(), &reversed).unwrap();
        let case = failed(Request::Multinomial(op), order(7, count), actual);
        form(&case, View::new(&case, None).as_ref())
    };
    // Any output without replacement has all classes; with it, few outputs have each once.
    assert_eq!(form(false, 61), None);
    assert_eq!(form(true, 61), Some(Form::Permuted));
    assert_eq!(form(false, 30), Some(Form::Permuted));
}

#[test]
fn decimals_tell_values_apart() {
    let cut = |step: f32| {
        let values: Vec<f32> = (0..9).map(|i: u16| 1.0 + f32::from(i) * step).collect();
        let given: Vec<f32> = values.iter().map(|it| (it * 10.0).floor() / 10.0).collect();
        let request = uniform_between(Dtype::F32, 9, ("1", "7"));
        let case = failed(request, Tensor::vector(&values), Tensor::vector(&given));
        form(&case, View::new(&case, None).as_ref()).map(Form::cause)
    };
    let cause = cut(0.31).unwrap();
    assert_eq!(cause.name, "decimals(digits = 1)");
    assert!(cause.sentence.ends_with("they have 1 digit after the point"));
    // Within a hundred-thousandth every value is near to 1.0.
    assert_ne!(
        cut(1e-6).map(|cause| cause.name).as_deref(),
        Some("decimals(digits = 1)")
    );
}

#[test]
fn rounding_is_seen_in_few_ulps() {
    let values: Vec<f32> = (0..9).map(|i: u16| 2.0 + f32::from(i) * 0.31).collect();
    let near = |ulps: u32| -> Vec<f32> {
        values
            .iter()
            .map(|it| f32::from_bits(it.to_bits() + ulps))
            .collect()
    };
    let seen = |ulps| {
        let request = uniform_between(Dtype::F32, 9, ("2", "7"));
        let case = failed(request, Tensor::vector(&values), Tensor::vector(&near(ulps)));
        rounding(&case, &View::new(&case, None).unwrap())
    };
    assert_eq!([1, 4, 5, 9].map(seen), [Some(1), Some(4), None, None]);
}

#[test]
fn rounding_needs_24_bits_of_evidence() {
    // Eight bits an element.
    let values = [1.000_01_f32, 1.000_02, 1.000_005].map(f32::to_bits);
    let seen = |count: usize| {
        let of = |ulps| -> Vec<f32> {
            values[..count]
                .iter()
                .map(|bits| f32::from_bits(bits + ulps))
                .collect()
        };
        let request = uniform_between(
            Dtype::F32,
            i64::try_from(count).unwrap(),
            ("1", "1.000030517578125"),
        );
        let case = failed(request, Tensor::vector(&of(0)), Tensor::vector(&of(2)));
        rounding(&case, &View::new(&case, None).unwrap())
    };
    assert_eq!((seen(3), seen(2)), (Some(2), None));
    // A neighbouring integer is not a rounding error.
    let case = failed(wide(&[9]), i32s(&[9], stream), i32s(&[9], |i| stream(i) ^ 1));
    assert_eq!(rounding(&case, &View::new(&case, None).unwrap()), None);
}

#[test]
fn structure_finds_heads_and_ends() {
    let wrong = |is_wrong: fn(usize) -> bool| names(&[48], |i| if is_wrong(i) { 0 } else { stream(i) });
    assert_eq!(wrong(|i| i < 3), ["first(3, zero)"]);
    let noise = names(&[48], |i| if i == 0 { 0x1234_5678 } else { stream(i) });
    assert_eq!(noise, ["first(1, noise)"]);
}

/// The stream of a mistake may have zeros behind what it fills.
#[test]
fn structure_of_a_constant_in_some_places_is_no_order() {
    let of = |behind: fn(usize) -> u32| {
        let value = move |i: usize| if i < 40 { stream(i) } else { behind(i) };
        let spoiled = Fake::new("spoiled", move |request| {
            Ok(Response::of(i32s(&request.output_form().unwrap().1, value)))
        });
        let dims = [8, 3];
        let actual = i32s(&dims, |i| value(if i % 3 == 0 { i + 42 } else { i }));
        let case = failed(wide(&dims), i32s(&dims, stream), actual);
        let view = View::new(&case, Some(&spoiled)).unwrap();
        let found = structures(&view, &spoiled, &case.request, LOOKAHEAD).into_iter();
        let names: Vec<String> = found.map(|it| it.cause().name).collect();
        names.iter().any(|name| name.starts_with("elements("))
    };
    assert!(of(stream), "other elements of the stream");
    assert!(!of(|_| 0), "zeros of the stream");
}

#[test]
fn structure_finds_runs_whose_length_follows_from_the_size() {
    for (n, run) in [(36_usize, 9), (41, 11), (87, 22)] {
        let count = crate::model::exchange::as_u64(n);
        let found = names(&[count], |i| stream(i / run * run / 4 * 4 + i % run));
        assert!(
            found.contains(&"slices(threads = 4, from the block below)".to_owned()),
            "{n}: {found:?}"
        );
    }
}

#[test]
fn structure_finds_both_directions_of_a_permutation() {
    let rows = |i: usize| i % 5 * 8 + i / 5;
    assert_eq!(names(&[5, 8], |i| stream(rows(i)))[0], "column-major");
    let columns = |i: usize| i % 8 * 5 + i / 8;
    assert_eq!(names(&[5, 8], |i| stream(columns(i)))[0], "filled-column-major");
    // After the last whole group of 16, elements before them stand once more.
    let stale = |i: usize| stream(columns(if i < 32 { i } else { i - 16 }));
    let found = names(&[5, 8], stale);
    assert!(found[0].starts_with("filled-column-major + tail"), "{found:?}");
    assert!(found.contains(&"filled-column-major + tail(group = 16, stale by 16)".to_owned()));
    // Drawn as [2, 4, 5, 3] and handed back as [2, 3, 4, 5].
    let channels = |i: usize| i / 60 * 60 + i % 20 * 3 + i / 20 % 3;
    assert_eq!(
        names(&[2, 3, 4, 5], |i| stream(channels(i)))[0],
        "filled-axis-1-last"
    );
    // The same of six axes, whose permutations are too many to try.
    let six = |i: usize| i / 120 * 120 + i % 24 * 5 + i / 24 % 5;
    assert_eq!(
        names(&[2, 5, 3, 1, 2, 4], |i| stream(six(i)))[0],
        "filled-axis-1-last"
    );
    let blocked = |i: usize| i / 16 % 3 * 32 + i / 48 * 16 + i % 16;
    assert_eq!(
        names(&[3, 32], |i| stream(blocked(i)))[0],
        "channels-in-blocks(of = 16, last)"
    );
}

#[test]
fn structure_finds_chunks_and_tails_that_are_moved() {
    assert_eq!(
        names(&[1000], |i| stream(if i / 256 % 2 == 1 { i - 256 } else { i })),
        ["chunks-held(size = 256, times = 2)"]
    );
    let tail = |i: usize| stream(if i >= 80 { i - 40 } else { i });
    assert!(names(&[87], tail).contains(&"tail(group = 8, from / 2)".to_owned()));
    assert!(
        names(&[87], |i| stream(if i >= 84 { i + 4 } else { i }))
            .contains(&"tail(group = 4, ahead by 4)".to_owned())
    );
    assert!(
        names(&[87], |i| stream(if i >= 79 { i - 7 } else { i }))
            .contains(&"tail-overlaps(group = 8, the group before)".to_owned())
    );
    assert!(
        names(&[48], |i| stream(if i >= 46 { 93 - i } else { i })).contains(&"last(2, reversed)".to_owned())
    );
}

#[test]
fn words_of_a_long_order_count_chunks() {
    let order = |offsets: Vec<usize>| Order::Periodic {
        period: offsets.len(),
        advance: offsets.len(),
        offsets,
    };
    let of = |offsets: Vec<usize>| words::of(&order(offsets), None, None).remove(0);
    let blocks = |places: &[usize]| {
        places
            .iter()
            .flat_map(|at| 4 * at..4 * at + 4)
            .collect::<Vec<usize>>()
    };
    let Cause { name, sentence, .. } = of(blocks(&[0, 4, 1, 5, 2, 6, 3, 7]));
    assert_eq!(name, "order-of-chunks(size = 4, 0 4 1 5 2 6 3 7)");
    assert_eq!(
        sentence,
        "the chunks of 4 elements come in the order 0 4 1 5 2 6 3 7 in each group of 8"
    );
    // A short list is read at a glance, and one that tears neighbours apart has no chunks.
    assert_eq!(of(blocks(&[1, 0])).name, "order-in-group(4 5 6 7 0 1 2 3)");
    let reversed = of((0..24).rev().collect());
    assert!(
        reversed.name.starts_with("order-in-group(23 22"),
        "{}",
        reversed.name
    );
}
