//! Which elements of a stream are asked for, and how much of it; evidence and priors.

use std::sync::{Arc, Mutex};

use super::super::slices::Runs;
use super::*;

fn shift(by: usize) -> Structure {
    Structure::of(Order::Periodic {
        period: 1,
        advance: 1,
        offsets: vec![by],
    })
}

/// An oracle that records how many elements it is asked for.
fn noting() -> (Fake, Arc<Mutex<Vec<usize>>>) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&asked);
    let fake = Fake::new("noting", move |request| {
        let output = i32s(&request.output_form().unwrap().1, stream);
        noted.lock().unwrap().push(output.count());
        Ok(Response::of(output))
    });
    (fake, asked)
}

fn layout(dims: &[usize], per_block: usize) -> Layout {
    Layout {
        dtype: Dtype::I32,
        dims: dims.to_vec(),
        count: dims.iter().product(),
        per_block,
        words: 1,
    }
}

#[test]
fn elements_are_asked_for_as_far_as_they_are_needed() {
    let (oracle, asked) = noting();
    let ask = |structure: &Structure, count| {
        let given = structure
            .apply(&oracle, &wide(&[48]), &layout(&[48], 4), NanRule::Class, count)
            .unwrap();
        let known = given.iter().flatten().count();
        (std::mem::take(&mut *asked.lock().unwrap()), given.len(), known)
    };
    let order = |step, first| {
        Structure::of(Order::Blocks {
            step,
            first,
            within: Vec::new(),
        })
    };
    assert_eq!(ask(&shift(3), 48), (vec![51], 48, 48));
    assert_eq!(ask(&shift(3), 16), (vec![19], 16, 16));
    // The request is asked as it is if no more than its output is needed.
    assert_eq!(ask(&order(0, 0), 48), (vec![48], 48, 48));
    assert_eq!(ask(&order(0, 0), 16), (vec![4], 16, 16));
    // No farther than four outputs and 4,096 elements.
    let most = 4 * 48 + 4096;
    assert_eq!(ask(&shift(most - 48), 48), (vec![most], 48, 48));
    assert_eq!(ask(&shift(most - 47), 48), (vec![most], 48, 47));
    assert_eq!(ask(&shift(usize::MAX), 48), (vec![most], 48, 0));
    // An overlap needs the elements after the output.
    let overlap = Structure {
        tail: Some(Tail {
            place: Place::Overlap(5),
            content: Content::Next,
        }),
        ..Structure::of(Order::Stream)
    };
    let (asked, count, known) = ask(&overlap, 48);
    assert_eq!((asked, count, known), (vec![53], 48, 48));
}

#[test]
fn streams_are_looked_at_no_farther_than_said() {
    let case = failed(wide(&[48]), i32s(&[48], stream), i32s(&[48], |i| stream(i + 3)));
    let (oracle, asked) = noting();
    let view = View::new(&case, None).unwrap();
    assert_eq!(structures(&view, &oracle, &case.request, 100).len(), 1);
    assert_eq!(*asked.lock().unwrap(), [148]);
}

#[test]
fn priors_grow_with_the_parameters() {
    let prior = |dims: &[u64], value: fn(usize) -> u32, name: &str| {
        let case = failed(wide(dims), i32s(dims, stream), i32s(dims, value));
        let oracle = oracle();
        let view = View::new(&case, Some(&oracle)).unwrap();
        let found = structures(&view, &oracle, &case.request, LOOKAHEAD).into_iter();
        found
            .into_iter()
            .find(|it| it.cause().name == name)
            .expect("it is found")
            .prior()
    };
    assert_eq!(prior(&[48], |_| 0, "all-zero"), 4.0);
    assert_eq!(prior(&[48], |i| stream(i).swap_bytes(), "bytes-swapped"), 4.0);
    assert_eq!(prior(&[48], |i| stream(47 - i), "reversed"), 10.0);
    let tail: fn(usize) -> u32 = |i| if i < 44 { stream(i) } else { 0 };
    assert_eq!(prior(&[46], tail, "tail(group = 4, zero)"), 10.0);
    assert_eq!(prior(&[46], tail, "last(2, zero)"), 10.0);
    assert_eq!(prior(&[46], tail, "tail(from = 44, zero)"), 14.0);
    assert_eq!(prior(&[200], |i| stream(i % 64), "repeated(size = 64)"), 10.0);
    assert_eq!(prior(&[200], |i| stream(i % 100), "repeated(size = 100)"), 14.0);
    assert_eq!(prior(&[48], |i| stream(5 * i + 2), "strided(5 i + 2)"), 10.0);
    let pairs: fn(usize) -> u32 = |i| stream(if i < 32 { i ^ 1 } else { i });
    assert_eq!(
        prior(&[33], pairs, "order-in-block(1 0 3 2) + last(1, in order)"),
        16.0
    );
}

/// The names of the structures of numbers of few bits, from a generator with blocks of `per_block` elements.
fn of_numbers(bits: u32, per_block: usize, count: usize, at: impl Fn(usize) -> Option<usize>) -> Vec<String> {
    let number = move |i: usize| stream(i) & ((1 << bits) - 1);
    let request = uniform_between(
        Dtype::I32,
        i64::try_from(count).unwrap(),
        ("0", &(1 << bits).to_string()),
    );
    let answer = move |request: &Request| i32s(&request.output_form().unwrap().1, number);
    let oracle =
        Fake::new("oracle", move |request| Ok(Response::of(answer(request)))).showing(move |request| {
            Some(Stages {
                words_per_block: per_block,
                ..Stages::of_philox(vec![0], 1, answer(request))
            })
        });
    let dims = [crate::model::exchange::as_u64(count)];
    let case = failed(
        request,
        i32s(&dims, number),
        i32s(&dims, |i| at(i).map_or(0, number)),
    );
    let view = View::new(&case, Some(&oracle)).unwrap();
    let found = structures(&view, &oracle, &case.request, LOOKAHEAD);
    found.iter().map(|it| it.cause().name).collect()
}

#[test]
fn evidence_of_24_bits_is_needed_for_a_value_and_of_32_for_an_order() {
    assert_eq!(of_numbers(3, 1, 8, |_| None), ["all-zero"]);
    assert!(of_numbers(3, 1, 7, |_| None).is_empty());
    assert_eq!(of_numbers(8, 1, 4, |i| Some(3 - i)), ["reversed"]);
    assert!(of_numbers(8, 1, 3, |i| Some(2 - i)).is_empty());
}

#[test]
fn evidence_for_a_period_grows_with_what_is_read_off() {
    // 32 bits, and twelve bits of a place in the stream for each offset and for the advance.
    assert_eq!(of_numbers(3, 1, 24, |i| Some(i ^ 1)), ["order-in-group(1 0)"]);
    assert!(of_numbers(3, 1, 22, |i| Some(i ^ 1)).is_empty());
    // A statement about the last elements of a long output needs 32 bits as well.
    assert_eq!(
        of_numbers(16, 1, 102, |i| Some(if i < 100 { i } else { i + 28 })),
        ["chunks(size = 100, apart = 128)"]
    );
    assert!(
        of_numbers(15, 1, 102, |i| Some(if i < 100 { i } else { i + 28 }))
            .iter()
            .all(|it| !it.contains("apart"))
    );
}

#[test]
fn evidence_of_one_element_is_16_bits() {
    let stale = |bits| of_numbers(bits, 4, 48, |i| Some(if i < 47 { i } else { 43 })).concat();
    assert!(stale(16).contains("stale by 4"));
    assert!(!stale(15).contains("stale"));
    let again = of_numbers(3, 4, 48, |i| Some(if i < 40 { i } else { i - 40 }));
    assert_eq!(again[0], "tail(from = 40, the stream again)");
}

#[test]
fn periods_of_few_bits_have_usual_advances() {
    for (at, wanted) in [
        ((|i| i + 3) as fn(usize) -> usize, "shifted(by = 3)"),
        (|i| 2 * i, "strided(2 i)"),
        (|i| i / 2 * 8 + i % 2, "chunks(size = 2, apart = 8)"),
        (|i| i / 5 * 10 + i % 5, "chunks(size = 5, apart = 10)"),
        (|i| i / 5 * 15 + i % 5, "chunks(size = 5, apart = 15)"),
        (|i| i / 5 * 20 + i % 5, "chunks(size = 5, apart = 20)"),
        (|i| i / 5 * 40 + i % 5, "chunks(size = 5, apart = 40)"),
        (|i| i / 5 * 80 + i % 5, "chunks(size = 5, apart = 80)"),
        (|i| i / 5, "held(times = 5)"),
        (|i| i % 5, "repeated(size = 5)"),
    ] {
        assert_eq!(of_numbers(3, 4, 250, |i| Some(at(i))), [wanted]);
    }
    assert_eq!(of_numbers(3, 1, 300, |i| Some(i + 4)), ["shifted(by = 4)"]);
}

#[test]
fn orders_that_change_nothing_are_none() {
    // The stream of a mistake that is the answer itself.
    let dims = [6, 16];
    let case = failed(wide(&dims), i32s(&dims, |i| !stream(i)), i32s(&dims, stream));
    let oracle = oracle();
    let view = View::new(&case, Some(&oracle)).unwrap();
    assert!(structures(&view, &oracle, &case.request, LOOKAHEAD).is_empty());
}

#[test]
fn orders_of_other_ranks_say_nothing_of_an_output() {
    let at = |order: &Order, dims: &[usize], i| order.position(&layout(dims, 4), i);
    let axes = Order::Axes(order::Way::Stored, vec![1, 0]);
    assert_eq!((at(&axes, &[2, 3], 1), at(&axes, &[6], 1)), (Some(3), Some(1)));
    assert_eq!(at(&axes, &[2, 3, 2], 7), Some(7));
    let axis = Order::ReversedAxis(1);
    assert_eq!((at(&axis, &[3, 2], 0), at(&axis, &[6], 2)), (Some(4), Some(2)));
    let rows = Order::RowsOfBlocks;
    assert_eq!((at(&rows, &[2, 5], 7), at(&rows, &[], 0)), (Some(10), Some(0)));
    let blocks = Order::Blocks {
        step: 3,
        first: 2,
        within: vec![3, 2, 1],
    };
    assert_eq!(
        [0, 5, 7].map(|i| at(&blocks, &[8], i)),
        [Some(11), Some(22), None]
    );
    assert_eq!(at(&Order::Apart(Part::Row, Gap::Fixed(0)), &[3, 4], 9), Some(1));
    assert_eq!(
        at(&Order::Apart(Part::Row, Gap::Multiple(8)), &[3, 4], 9),
        Some(17)
    );
    assert_eq!(
        [1, 4, 6].map(|i| at(&Order::Interleaved(3, Runs::Alike), &[7], i)),
        [Some(3), Some(4), Some(2)]
    );
    assert_eq!(
        [1, 4, 6].map(|i| at(&Order::Deinterleaved(3, Runs::Alike), &[7], i)),
        [Some(3), Some(4), Some(2)]
    );
    // An index that overflows has no position.
    let far = Order::Blocks {
        step: usize::MAX,
        first: 0,
        within: Vec::new(),
    };
    assert_eq!(at(&far, &[12], 8), None);
    let far = Order::Periodic {
        period: 1,
        advance: usize::MAX,
        offsets: vec![],
    };
    assert_eq!(at(&far, &[12], 2), None);
}

/// The count that a report shows was 26 long after there were more sorts. A new variant does not compile until it has a
/// number here, and then the sum is wrong.
#[test]
fn sorts_of_structure_are_counted() {
    let order = |order: &Order| match order {
        Order::Stream => 0,
        Order::Blocks { .. } => 1,
        Order::Periodic { .. } => 2,
        Order::Interleaved(..) => 3,
        Order::Deinterleaved(..) => 4,
        Order::Chunks { .. } => 5,
        Order::Slices { .. } => 6,
        Order::Axes(..) => 7,
        Order::ColumnMajor(_) => 8,
        Order::Channels { .. } => 9,
        Order::Reversed => 10,
        Order::ReversedAxis(_) => 11,
        Order::Apart(..) => 12,
        Order::RowsOfBlocks => 13,
        Order::ColumnMajorItems(_) => 14,
        Order::Slabs(_) => 15,
        Order::HeadFirst(_) => 16,
        Order::RowsRotated(_) => 17,
        Order::RowsExchanged => 18,
        Order::RowsSkewed(_) => 19,
        Order::OddRowsReversed(_) => 20,
        Order::RowsHeld => 21,
        Order::Pitched(_) => 22,
        Order::HalvesExchanged(_) => 23,
        Order::Tiles(..) => 24,
        Order::OfParts(..) => 25,
        Order::Within(..) => 26,
        Order::AxesMoved(..) => 27,
        Order::InWords(_) => 28,
    };
    let place = |place: &Place| match place {
        Place::All => 1,
        Place::Group(_) => 2,
        Place::Along(it) => match it.span {
            Span::Group(_) => 3,
            Span::Begins(_) => 8,
            Span::Ends(_) => 9,
            Span::From(_) => 10,
            Span::Lanes { .. } => 11,
        },
        Place::From(_) => 4,
        Place::First(_) => 5,
        Place::Last(_) => 6,
        Place::Overlap(_) => 7,
        Place::Figure(_) => 12,
        Place::Beyond => 13,
        Place::Lanes { .. } => 14,
        Place::GroupOfWords(_) | Place::OverlapOfWords(_) => 15,
    };
    let form = |form: &Form| match form {
        Form::Type(_) => 1,
        Form::Shape => 2,
        Form::Count => 3,
        Form::BitsOf(_) => 4,
        Form::Permuted => 5,
        Form::Decimals(_) => 6,
        Form::Rounding => 7,
        Form::OtherKeys => 8,
        Form::Further(..) => 9,
    };
    let words = super::super::form::FurtherWords::Zero;
    let last = place(&Place::OverlapOfWords(4)) + form(&Form::Further(1, 1, words));
    let in_words = Order::InWords(Box::new(Order::Reversed));
    assert_eq!(order(&in_words) + Recode::ALL.len() + 2 + last, SORTS);
}

#[test]
fn orders_of_items_and_heads_hold_for_every_shape() {
    let all = |order: &Order, dims: &[usize]| -> Vec<usize> {
        let count = dims.iter().product();
        (0..count)
            .map(|i| order.position(&layout(dims, 4), i).unwrap())
            .collect()
    };
    assert_eq!(all(&Order::Slabs(1), &[2, 1, 3]), [0, 1, 2, 0, 1, 2]);
    assert_eq!(all(&Order::Slabs(2), &[2, 2, 1, 2]), [0, 1, 0, 1, 0, 1, 0, 1]);
    assert_eq!(all(&Order::Slabs(1), &[3]), [0, 1, 2]);
    assert_eq!(all(&Order::Slabs(1), &[0, 3]), [0; 0]);
    assert_eq!(all(&Order::HeadFirst(4), &[6]), [0, 1, 4, 5, 6, 7]);
    assert_eq!(all(&Order::HeadFirst(4), &[4]), [0, 1, 2, 3]);
    assert_eq!(all(&Order::HeadFirst(4), &[3]), [0, 1, 2]);
    let tile = Order::Periodic {
        period: 2,
        advance: 0,
        offsets: Vec::new(),
    };
    let double = Layout {
        words: 2,
        ..layout(&[6], 2)
    };
    let in_words = tile.in_words(&double).unwrap();
    let at = |i| in_words.position(&double, i);
    assert_eq!([0, 1, 2, 5].map(at), [Some(0), Some(1), Some(0), Some(1)]);
    assert_eq!(
        [0, 3, 4, 5].map(|i| in_words.position(&layout(&[6], 4), i)),
        [Some(0), Some(3), Some(0), Some(1)]
    );
    assert!(tile.in_words(&layout(&[6], 4)).is_none() && Order::Reversed.in_words(&double).is_none());
    let items = Order::ColumnMajorItems(order::Way::Filled);
    assert_eq!(all(&items, &[2, 2, 2]), [0, 2, 1, 3, 4, 6, 5, 7]);
    assert_eq!((all(&items, &[]), all(&items, &[3])), (vec![0], vec![0, 1, 2]));
}

/// Some streams cannot be drawn past the output: a later execution begins where a longer one ends.
#[test]
fn structure_of_a_stream_that_ends_too_soon_reproduces_nothing() {
    let ahead = Structure::of(Order::Blocks {
        step: 1,
        first: 4,
        within: Vec::new(),
    });
    let Request::RandomUniform(first) = wide(&[8]) else {
        unreachable!()
    };
    let later = Request::RandomUniform(seedproof_ops::RandomUniform {
        execution: 1,
        ..first.clone()
    });
    let made = |request: &Request| ahead.apply(&oracle(), request, &layout(&[8], 4), NanRule::Class, 8);
    let there: Vec<Option<u64>> = (16..24).map(|i| Some(u64::from(stream(i)))).collect();
    assert_eq!(made(&Request::RandomUniform(first)), Some(there));
    assert_eq!(made(&later), None);
}
