//! Names, sentences and fixes of structures.

use super::*;
use crate::search::structure::order::{Channel, Way};
use crate::search::structure::slices::Begin;

fn order(order: Order) -> Cause {
    Structure::of(order).cause()
}

fn tail(place: Place, content: Content) -> Cause {
    let tail = Some(Tail { place, content });
    Structure {
        tail,
        ..Structure::of(Order::Stream)
    }
    .cause()
}

fn blocks(step: usize, first: usize, within: &[usize]) -> Order {
    let within = within.to_vec();
    Order::Blocks { step, first, within }
}

fn periodic(period: usize, advance: usize, offsets: &[usize]) -> Order {
    let offsets = offsets.to_vec();
    Order::Periodic {
        period,
        advance,
        offsets,
    }
}

/// Orders with their names, and how their sentences and fixes begin.
fn hold(rows: Vec<(Order, &str, &str, &str)>) {
    for (of, name, sentence, fix) in rows {
        let cause = order(of);
        assert_eq!(cause.name, name);
        assert!(cause.sentence.starts_with(sentence), "{}", cause.sentence);
        assert!(cause.fix.starts_with(fix), "{}", cause.fix);
    }
}

/// The second row of four of 40 elements begins with the stream's element 40, which is the row's first.
#[test]
fn texts_of_orders_within_a_row_are_about_the_row() {
    let start = Order::Slices {
        threads: 2,
        share: Share::Even,
        begin: Begin::Start,
    };
    let within = |order| Order::Within(Part::Row, Box::new(order));
    hold(vec![
        (
            within(periodic(1, 2, &[])),
            "in-rows(strided(2 i))",
            "in each row, element i is the row's element 2 i",
            "use every word of a block",
        ),
        (
            within(periodic(3, 1, &[0, 0, 0])),
            "in-rows(held(times = 3))",
            "in each row, each element of the row is given 3 times",
            "give each element words",
        ),
    ]);
    let sentence = order(within(start)).sentence;
    assert!(
        sentence.ends_with("each begins at the row's first element"),
        "{sentence}"
    );
}

/// Only what was stored in blocks is in another order than the shape's.
#[test]
fn fixes_of_channels_in_blocks_undo_no_order_that_is_right() {
    let fix = |way| {
        let channels = Order::Channels {
            way,
            axis: Channel::Second,
            size: 4,
        };
        order(channels).fix
    };
    assert!(fix(Way::Stored).starts_with("bring the output from the blocked layout back"));
    assert!(fix(Way::Filled).starts_with("fill the output in row-major order"));
}

#[test]
fn texts_of_blocks_say_which_element_stands_where() {
    hold(vec![
        (
            blocks(1, 2, &[]),
            "blocks(i + 2)",
            "block i of the output is block i + 2 of the stream",
            "raise the counter",
        ),
        (
            blocks(0, 7, &[]),
            "blocks(7)",
            "block i of the output is block 7 of the stream",
            "raise the counter",
        ),
        (
            blocks(3, 0, &[]),
            "blocks(3 i)",
            "block i of the output is block 3 i of the stream",
            "raise the counter",
        ),
        (
            blocks(1, 0, &[1, 0]),
            "order-in-block(1 0)",
            "the elements of each block come in the order 1 0",
            "write the words of a block in their order",
        ),
        (
            blocks(2, 1, &[1, 0]),
            "blocks(2 i + 1) + order-in-block(1 0)",
            "block i of the output is block 2 i + 1 of the stream; and the elements of each block come in the order 1 0",
            "raise the counter by one from block to block",
        ),
    ]);
}

#[test]
fn texts_of_periods_say_which_element_stands_where() {
    hold(vec![
        (
            periodic(1, 1, &[3]),
            "shifted(by = 3)",
            "element i is the stream's element i + 3",
            "begin with the first block",
        ),
        (
            periodic(1, 2, &[]),
            "strided(2 i)",
            "element i is the stream's element 2 i",
            "use every word of a block",
        ),
        (
            periodic(3, 1, &[0, 0, 0]),
            "held(times = 3)",
            "each element of the stream is given 3 times",
            "give each element words",
        ),
        (
            periodic(2, 1, &[4, 4]),
            "held(times = 2)",
            "each element of the stream from element 4 on is given 2 times",
            "give each element words",
        ),
        (
            periodic(12, 0, &[]),
            "repeated(size = 12)",
            "the first 12 elements are repeated to the end",
            "advance the counter",
        ),
        (
            periodic(3, 1, &[]),
            "chunks(size = 3, apart = 1)",
            "chunk q, of 3 elements, begins 1 q elements into the stream",
            "begin each chunk",
        ),
        (
            periodic(2, 1, &[2, 0]),
            "elements(1 q + 2 0)",
            "element j of group q, of 2 elements each, is the stream's element 1 q + o, where o is 2 0 for j = 0, 1, …",
            "let element i take",
        ),
        (
            periodic(6, 10, &[]),
            "chunks(size = 6, apart = 10)",
            "chunk q, of 6 elements, begins 10 q elements into the stream",
            "begin each chunk",
        ),
        (
            periodic(3, 3, &[2, 0, 1]),
            "order-in-group(2 0 1)",
            "the elements of each group of 3 come in the order 2 0 1",
            "let element i take",
        ),
        (
            periodic(2, 3, &[1, 0]),
            "elements(3 q + 1 0)",
            "element j of group q, of 2 elements each, is the stream's element 3 q + o, where o is 1 0 for j = 0, 1, …",
            "let element i take",
        ),
        (
            periodic(2, 0, &[5, 5]),
            "elements(0 q + 5 5)",
            "element j of group q, of 2 elements each",
            "let element i take",
        ),
        (
            periodic(2, 2, &[0, 2]),
            "elements(2 q + 0 2)",
            "element j of group q, of 2 elements each",
            "let element i take",
        ),
    ]);
}

#[test]
fn texts_of_axes_and_rows_say_which_element_stands_where() {
    hold(vec![
        (
            Order::ReversedAxis(2),
            "axis-reversed(from the innermost = 2)",
            "an axis, 2 from the innermost, is in the opposite order",
            "fill the output in row-major order",
        ),
        (
            Order::Apart(Part::Row, Gap::Fixed(0)),
            "rows-restart",
            "each row begins again at the stream's first element",
            "go on in the stream",
        ),
        (
            Order::Apart(Part::Row, Gap::Multiple(8)),
            "rows-padded(to = 8)",
            "each row takes a multiple of 8 elements",
            "go on in the stream",
        ),
    ]);
}

#[test]
fn texts_of_several_are_joined() {
    let cause = Structure {
        order: Order::Reversed,
        recode: Some(Recode::Bytes),
        tail: Some(Tail {
            place: Place::Last(3),
            content: Content::Noise,
        }),
    }
    .cause();
    assert_eq!(cause.name, "reversed + bytes-swapped + last(3, noise)");
    assert_eq!(
        cause.sentence,
        "the elements are in the opposite order; and the bytes of each element are in the opposite order; \
         and right up to 3 before the end; the elements from there on are not from this stream"
    );
    assert_eq!(cause.fix.matches("; and ").count(), 2);
}

#[test]
fn texts_of_tails_say_where_and_what() {
    let sentence = |place, content| tail(place, content).sentence;
    assert_eq!(sentence(Place::All, Content::Zero), "every element is zero");
    assert_eq!(
        sentence(Place::All, Content::Value(0xab)),
        "all elements have the bits ab"
    );
    assert_eq!(
        sentence(Place::Group(4), Content::Byte(0xcd)),
        "right up to the last whole group of 4; the elements after it consist of bytes cd, as memory does that nothing wrote"
    );
    // Boundaries with a meaning are named.
    let landmark = |from| {
        let sentence = sentence(Place::From(from), Content::Nan);
        let text = sentence
            .strip_prefix(&format!("right up to element {from}"))
            .unwrap()
            .to_owned();
        text.strip_suffix("; the elements from there on are NaN")
            .unwrap()
            .to_owned()
    };
    assert_eq!([0, 1, 16, 33, 625].map(landmark), ["", "", "", "", ""]);
    assert_eq!(
        [32, 4096].map(landmark),
        [" (a power of two)", " (a power of two)"]
    );
    assert_eq!(
        landmark(624),
        " (1 times 624, the size of a Mersenne Twister's state)"
    );
    assert_eq!(
        landmark(1872),
        " (3 times 624, the size of a Mersenne Twister's state)"
    );
    let fix = |content| tail(Place::Group(4), content).fix;
    assert!(fix(Content::InOrder).starts_with("see that vectors"));
    assert!(fix(Content::Zero).starts_with("see that the launch"));
}

#[test]
fn contents_of_a_tail_are_told_by_their_bits() {
    // Elements of f16, the last four of which are equal.
    let of = |bits: u16| {
        let values: Vec<half::f16> = (0..48)
            .map(|i| half::f16::from_f32(f32::from(i * 37_u16 % 101) / 101.0))
            .collect();
        let mut wrong = values.clone();
        wrong[44..].fill(half::f16::from_bits(bits));
        let request = uniform(Alignment::Tensorflow, Dtype::F16, &[48]);
        let oracle = Fake::giving("oracle", Tensor::vector(&values));
        let case = failed(request, Tensor::vector(&values), Tensor::vector(&wrong));
        let view = View::new(&case, Some(&oracle)).unwrap();
        structures(&view, &oracle, &case.request, 0)[0].cause().name
    };
    assert_eq!(of(0), "tail(from = 44, zero)");
    assert_eq!(of(0x7e01), "tail(from = 44, NaN)");
    assert_eq!(of(0x4242), "tail(from = 44, bytes of 42)");
    assert_eq!(of(0x4243), "tail(from = 44, bits 4243)");
}
