//! Outputs with the names of all their structures.

use super::*;

/// The extents of an output, its elements, and the names of its structures.
type Row = (&'static [u64], fn(usize) -> u32, &'static [&'static str]);

fn hold(rows: &[Row]) {
    for (number, (dims, value, wanted)) in rows.iter().enumerate() {
        assert_eq!(names(dims, value), *wanted, "row {number}");
    }
}

const ORDERS: &[Row] = &[
    (
        &[6, 8],
        |i| stream(i % 6 * 8 + i / 6),
        &[
            "column-major",
            "interleaved(threads = 6)",
            "deinterleaved(threads = 8)",
        ],
    ),
    (
        &[1, 3, 4, 5],
        |i| stream(i % 3 * 20 + i / 3),
        &[
            "axis-1-last",
            "interleaved(threads = 3)",
            "deinterleaved(threads = 20)",
        ],
    ),
    (
        &[3, 4, 5],
        |i| stream(i % 3 * 20 + i / 3 % 4 * 5 + i / 12),
        &["column-major"],
    ),
    (
        &[3, 4, 5],
        |i| stream(i / 20 * 20 + i % 4 * 5 + i / 4 % 5),
        &["axes(0 2 1)"],
    ),
    (&[6, 8], |i| stream(i - i % 8 + 7 - i % 8), &["rows-reversed"]),
    (
        &[5, 7],
        |i| stream(i - i % 7 + (i % 7 + 6) % 7),
        &["rows-rotated(by = 1)"],
    ),
    (
        &[5, 7],
        |i| stream(i - i % 7 + (i % 7 + 1) % 7),
        &["rows-rotated(by = -1)"],
    ),
    (
        &[4, 3, 9],
        |i| stream(i - i % 9 + (i % 9 + 6) % 9),
        &["rows-rotated(by = 3)"],
    ),
    (
        &[5, 7],
        |i| stream(if i < 28 { ((i / 7) ^ 1) * 7 + i % 7 } else { i }),
        &["rows-exchanged"],
    ),
    (
        &[6, 10],
        |i| stream((5 - i / 10) * 10 + i % 10),
        &["axis-reversed(from the innermost = 1)", "items(reversed)"],
    ),
    (
        &[4, 3, 5],
        |i| stream(i / 15 * 15 + (2 - i / 5 % 3) * 5 + i % 5),
        &["axis-reversed(from the innermost = 1)"],
    ),
    (
        &[6, 10],
        |i| stream(i / 10 * 12 + i % 10),
        &[
            "rows-begin-blocks",
            "rows-padded(to = 4)",
            "rows-apart(row + 2)",
            "rows-apart(12)",
            "chunks(size = 10, apart = 12)",
        ],
    ),
    (
        &[6, 10],
        |i| stream(i / 10 * 16 + i % 10),
        &[
            "rows-padded(to = 8)",
            "rows-apart(row + 6)",
            "rows-apart(16)",
            "chunks(size = 10, apart = 16)",
        ],
    ),
    (
        &[6, 10],
        |i| stream(i / 10 * 32 + i % 10),
        &[
            "rows-padded(to = 32)",
            "rows-apart(row + 22)",
            "rows-apart(32)",
            "chunks(size = 10, apart = 32)",
        ],
    ),
    (
        &[50],
        |i| stream(i % 8 * 7 + i / 8),
        &["deinterleaved(threads = 7)", "interleaved(threads = 8)"],
    ),
    (
        &[48],
        |i| stream(i % 2 * 24 + i / 2),
        &["interleaved(threads = 2)", "deinterleaved(threads = 24)"],
    ),
    (&[48], |i| stream(5 * i + 2), &["strided(5 i + 2)"]),
    (
        &[48],
        |i| stream(i / 3 * 5 + [4, 0, 2][i % 3]),
        &["elements(5 q + 4 0 2)"],
    ),
    (
        &[200],
        |i| stream(if i < 100 { i } else { i + 28 }),
        &["chunks(size = 100, apart = 128)"],
    ),
    (
        &[200],
        |i| stream(i % 100),
        &["slices(threads = 2, from the start)", "repeated(size = 100)"],
    ),
    // Five threads write 35 elements each, rounded up to 40, and begin at the block of their multiple of 35.
    (
        &[171],
        |i| stream(i / 40 * 35 / 4 * 4 + i % 40),
        &["slices(threads = 5, in groups of 8, from the block below equal parts)"],
    ),
    // Six threads share 130 elements, the first four one more each, and begin at their multiples of 21.
    (
        &[130],
        |i| stream(if i < 88 { i / 22 * 21 + i % 22 } else { i - 4 }),
        &[
            "slices(threads = 6, evenly, from equal parts)",
            "chunks(size = 22, apart = 21) + tail(from = 110, ahead by -4)",
            "chunks(size = 22, apart = 21) + last(20, ahead by -4)",
            "chunks(size = 22, apart = 21) + tail(group = 22, ahead by -4)",
            "chunks(size = 22, apart = 21) + tail(group = 55, ahead by -4)",
        ],
    ),
    (&[200], |i| stream(i % 64), &["repeated(size = 64)"]),
    (&[70], |i| stream(if i < 64 { i } else { i + 28 }), &[]),
    (
        &[70],
        |i| stream(i % 64),
        &[
            "repeated(size = 64)",
            "tail(from = 64, the stream again)",
            "tail(from = 64, stale by 64)",
            "last(6, the stream again)",
            "last(6, stale by 64)",
            "tail(group = 8, the stream again)",
            "tail(group = 8, stale by 64)",
            "tail(group = 16, the stream again)",
            "tail(group = 16, stale by 64)",
            "tail(group = 32, the stream again)",
            "tail(group = 32, stale by 64)",
            "tail(group = 64, the stream again)",
            "tail(group = 64, stale by 64)",
        ],
    ),
    (&[40], |i| stream(if i < 30 { i } else { i + 28 }), &[]),
    (&[1, 48], |i| stream(47 - i), &["reversed"]),
    (&[48], |i| stream(5 * i + 4), &["strided(5 i + 4)"]),
    (&[101], |i| stream(if i < 100 { i } else { i + 28 }), &[]),
    (
        &[102],
        |i| stream(if i < 100 { i } else { i + 28 }),
        &["chunks(size = 100, apart = 128)"],
    ),
    (
        &[200],
        |i| stream(i % 120),
        &[
            "repeated(size = 120)",
            "tail(from = 120, the stream again)",
            "tail(from = 120, stale by 120)",
            "tail(group = 120, the stream again)",
            "tail(group = 120, stale by 120)",
        ],
    ),
    (
        &[6, 10],
        |i| stream(if i % 10 < 8 { i } else { i - 8 }),
        &[
            "in-rows(repeated(size = 8))",
            "elements(10 q + 0 1 2 3 4 5 6 7 0 1)",
        ],
    ),
];

#[test]
fn tables_of_orders() {
    hold(ORDERS);
}

const TAILS: &[Row] = &[
    (
        &[46],
        |i| if i < 44 { stream(i) } else { 0 },
        &["tail(from = 44, zero)", "last(2, zero)", "tail(group = 4, zero)"],
    ),
    (
        &[46],
        |i| if i < 44 { stream(i) } else { 0xcdcd_cdcd },
        &[
            "tail(from = 44, bytes of cd)",
            "last(2, bytes of cd)",
            "tail(group = 4, bytes of cd)",
        ],
    ),
    (
        &[46],
        |i| stream(if i < 44 { i } else { i - 4 }),
        &[
            "tail(from = 44, stale by 4)",
            "last(2, stale by 4)",
            "tail(group = 4, stale by 4)",
        ],
    ),
    (
        &[46],
        |i| stream(if i < 44 { i } else { i - 44 }),
        &[
            "repeated(size = 44)",
            "tail(from = 44, the stream again)",
            "tail(from = 44, stale by 44)",
            "last(2, the stream again)",
            "last(2, stale by 44)",
            "tail(group = 4, the stream again)",
            "tail(group = 4, stale by 44)",
        ],
    ),
    (
        &[48],
        |i| stream(if i < 40 { i } else { i - 40 }),
        &[
            "repeated(size = 40)",
            "tail(from = 40, the stream again)",
            "tail(from = 40, stale by 40)",
            "last(8, the stream again)",
            "last(8, stale by 40)",
            "tail(group = 10, the stream again)",
            "tail(group = 10, stale by 40)",
            "tail(group = 20, the stream again)",
            "tail(group = 20, stale by 40)",
            "tail(group = 40, the stream again)",
            "tail(group = 40, stale by 40)",
        ],
    ),
    (
        &[48],
        |i| stream(if i < 47 { i } else { 43 }),
        &[
            "tail(from = 47, stale by 4)",
            "last(1, stale by 4)",
            "tail(group = 47, stale by 4)",
        ],
    ),
    (
        &[48],
        |i| stream(if i < 47 { i } else { 0 }),
        &[
            "tail(from = 47, the stream again)",
            "tail(from = 47, stale by 47)",
            "last(1, the stream again)",
            "last(1, stale by 47)",
            "tail(group = 47, the stream again)",
            "tail(group = 47, stale by 47)",
        ],
    ),
    (
        &[20],
        |i| if i < 9 { stream(i) } else { 0 },
        &["tail(from = 9, zero)"],
    ),
    (
        &[20],
        |i| if i < 10 { stream(i) } else { 0 },
        &["tail(from = 10, zero)", "last(10, zero)"],
    ),
    (
        &[46],
        |i| if i < 44 { stream(i) } else { !stream(i) },
        &["last(2, noise)", "tail(group = 4, noise)"],
    ),
    (
        &[46],
        |i| stream(if i < 42 { i } else { i + 2 }),
        &["tail-overlaps(group = 4)"],
    ),
    (
        &[48],
        |i| if i < 45 { stream(i) } else { 0 },
        &[
            "tail(from = 45, zero)",
            "last(3, zero)",
            "tail(group = 5, zero)",
            "tail(group = 9, zero)",
            "tail(group = 15, zero)",
            "tail(group = 45, zero)",
        ],
    ),
    (
        &[48],
        |i| if i < 47 { stream(i) } else { 0 },
        &["tail(from = 47, zero)", "last(1, zero)", "tail(group = 47, zero)"],
    ),
    (
        &[33],
        |i| stream(if i < 32 { i ^ 1 } else { i }),
        &[
            "order-in-block(1 0 3 2) + tail(from = 32, in order)",
            "order-in-block(1 0 3 2) + last(1, in order)",
            "order-in-block(1 0 3 2) + tail(group = 2, in order)",
            "order-in-block(1 0 3 2) in whole groups",
            "order-in-block(1 0 3 2) + tail(group = 8, in order)",
            "order-in-block(1 0 3 2) + tail(group = 16, in order)",
            "order-in-block(1 0 3 2) + tail(group = 32, in order)",
        ],
    ),
    (
        &[200],
        |i| if i < 135 { stream(i) } else { 0 },
        &["tail(from = 135, zero)"],
    ),
    (
        &[200],
        |i| if i < 136 { stream(i) } else { 0 },
        &[
            "tail(from = 136, zero)",
            "last(64, zero)",
            "tail(group = 136, zero)",
        ],
    ),
    (
        &[4996],
        |i| if i < 4096 { stream(i) } else { !stream(i) },
        &["tail(from = 4096, noise)", "tail(group = 1024, noise)"],
    ),
    (
        &[4000],
        |i| if i < 2048 { stream(i) } else { !stream(i) },
        &["tail(from = 2048, noise)"],
    ),
    (&[4000], |i| if i < 2049 { stream(i) } else { !stream(i) }, &[]),
];

#[test]
fn tables_of_tails() {
    hold(TAILS);
}

const HEADS: &[Row] = &[
    (
        &[32],
        |i| if i < 16 { 0 } else { stream(i) },
        &["first(16, zero)"],
    ),
    (&[32], |i| if i < 17 { 0 } else { stream(i) }, &[]),
    (
        &[200],
        |i| if i < 64 { 0 } else { stream(i) },
        &["first(64, zero)"],
    ),
    (&[200], |i| if i < 65 { 0 } else { stream(i) }, &[]),
];

#[test]
fn tables_of_heads() {
    hold(HEADS);
}

const ROWS_AND_LANES: &[Row] = &[
    (
        &[6, 10],
        |i| if i % 10 < 8 { stream(i) } else { 0 },
        &[
            "tail-of-rows(group = 4, zero)",
            "tail-of-rows(group = 8, zero)",
            "last-of-rows(2, zero)",
            "rows-from(8, zero)",
            "lanes(8 9 of 10, zero)",
        ],
    ),
    (
        &[6, 10],
        |i| if i % 10 < 8 { stream(i) } else { !stream(i) },
        &[
            "tail-of-rows(group = 4, noise)",
            "tail-of-rows(group = 8, noise)",
            "last-of-rows(2, noise)",
            "rows-from(8, noise)",
            "lanes(8 9 of 10, noise)",
        ],
    ),
    (
        &[6, 10],
        |i| if i % 10 < 9 { stream(i) } else { 0 },
        &[
            "tail-of-rows(group = 3, zero)",
            "tail-of-rows(group = 9, zero)",
            "last-of-rows(1, zero)",
            "lanes(9 of 10, zero)",
        ],
    ),
    (
        &[6, 11],
        |i| if i % 11 < 9 { stream(i) } else { 0 },
        &[
            "tail-of-rows(group = 3, zero)",
            "tail-of-rows(group = 9, zero)",
            "last-of-rows(2, zero)",
            "lanes(9 10 of 11, zero)",
        ],
    ),
    (
        &[6, 10],
        |i| if i % 10 < 6 { stream(i) } else { 0 },
        &[
            "tail-of-rows(group = 6, zero)",
            "last-of-rows(4, zero)",
            "lanes(6 7 8 9 of 10, zero)",
        ],
    ),
    (
        &[2, 24],
        |i| if i % 24 < 20 { stream(i) } else { 0 },
        &[
            "tail-of-rows(group = 5, zero)",
            "tail-of-rows(group = 10, zero)",
            "tail-of-rows(group = 20, zero)",
            "last-of-rows(4, zero)",
        ],
    ),
    (
        &[6, 10],
        |i| {
            if i % 10 > 7 && i < 39 {
                !stream(i)
            } else {
                stream(i)
            }
        },
        &[],
    ),
    (
        &[6, 10],
        |i| {
            if i % 10 > 7 && i < 20 {
                !stream(i)
            } else {
                stream(i)
            }
        },
        &[],
    ),
    // A row is longer than the longest period of lanes.
    (
        &[3, 70],
        |i| if i % 70 == 0 { 0 } else { stream(i) },
        &["first-of-rows(1, zero)"],
    ),
    (
        &[3, 70],
        |i| if i % 70 < 2 { !stream(i) } else { stream(i) },
        &["first-of-rows(2, noise)"],
    ),
    (
        &[3, 71],
        |i| if i % 71 > 69 { 0 } else { stream(i) },
        &["tail-of-rows(group = 2, zero)", "last-of-rows(1, zero)"],
    ),
    // The first element has none before it.
    (
        &[60],
        |i| {
            if i % 7 == 0 && i > 0 {
                stream(i - 1)
            } else {
                stream(i)
            }
        },
        &["lanes(0 of 7, stale by 1)"],
    ),
    (
        &[48],
        |i| if i % 8 == 5 { 0 } else { stream(i) },
        &["lanes(5 of 8, zero)"],
    ),
    (
        &[48],
        |i| if i % 16 == 3 { !stream(i) } else { stream(i) },
        &["lanes(3 of 16, noise)"],
    ),
    (
        &[60],
        |i| if i % 2 == 1 { !stream(i) } else { stream(i) },
        &["lanes(1 of 2, noise)"],
    ),
    (
        &[60],
        |i| {
            if (1..4).contains(&(i % 5)) {
                !stream(i)
            } else {
                stream(i)
            }
        },
        &[],
    ),
    (&[48], |i| if i % 20 == 7 { !stream(i) } else { stream(i) }, &[]),
    (
        &[48],
        |i| if i % 16 == 15 { stream(i - 4) } else { stream(i) },
        &["elements(16 q + 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 11)"],
    ),
    (
        &[60],
        |i| {
            if [2, 4].contains(&(i % 9)) {
                !stream(i)
            } else {
                stream(i)
            }
        },
        &["lanes(2 4 of 9, noise)"],
    ),
    (
        &[60],
        |i| if [2, 4].contains(&(i % 9)) { 7 } else { stream(i) },
        &["lanes(2 4 of 9, bits 7)"],
    ),
];

#[test]
fn tables_of_rows_and_lanes() {
    hold(ROWS_AND_LANES);
}

/// Structures that follow from the rows, the items and the matrices of an output.
const MATRICES: &[Row] = &[
    (
        &[24],
        |i| stream((i + 12) % 24),
        &["rows-rotated(by = 12)", "halves-exchanged"],
    ),
    (
        &[27],
        |i| stream((i + 13) % 27),
        &["rows-rotated(by = -13)", "halves-exchanged"],
    ),
    (
        &[27],
        |i| stream((i + 14) % 27),
        &["rows-rotated(by = 13)", "halves-exchanged(the shorter first)"],
    ),
    (
        &[2, 5, 7],
        |i| stream(i - i % 7 + (i % 7 + 2 * 7 - i / 7 % 5) % 7),
        &["rows-skewed(by = 1)"],
    ),
    (
        &[2, 5, 7],
        |i| stream(i - i % 7 + (i % 7 + i / 7 % 5) % 7),
        &["rows-skewed(by = -1)"],
    ),
    (
        &[2, 5, 7],
        |i| stream(if i / 7 % 2 == 1 { i - i % 7 + 6 - i % 7 } else { i }),
        &["odd-rows-reversed"],
    ),
    (
        &[2, 5, 7],
        |i| {
            stream(if i / 7 % 5 % 2 == 1 {
                i - i % 7 + 6 - i % 7
            } else {
                i
            })
        },
        &["odd-rows-reversed(in each matrix)"],
    ),
    (&[8, 70], |i| stream(i - i % 70), &["rows-held"]),
    (
        &[7, 9],
        |i| {
            let (row, column) = (i / 9, i % 9);
            let (height, width) = (if row < 4 { 4 } else { 3 }, if column < 8 { 4 } else { 1 });
            stream(row / 4 * 36 + column / 4 * 4 * height + row % 4 * width + column % 4)
        },
        &["filled-tiles(4 x 4)"],
    ),
    (
        &[7, 9],
        |i| {
            let (row, column) = (i / 9, i % 9);
            stream((row / 4 * 3 + column / 4) * 16 + column % 4 * 4 + row % 4)
        },
        &["filled-tiles(4 x 4, column-major, whole)"],
    ),
    // The second tile is a column.
    (
        &[4, 5],
        |i| {
            stream(if i < 16 {
                i / 4 * 5 + i % 4
            } else {
                (i - 16) * 5 + 4
            })
        },
        &["tiles(4 x 4)"],
    ),
    (
        &[10, 9],
        |i| {
            let row = [0, 4, 8, 1, 5, 9, 2, 6, 3, 7][i / 9];
            stream(row * 9 + i % 9)
        },
        &["rows(deinterleaved(threads = 4, evenly))"],
    ),
    (
        &[2, 8, 9],
        |i| stream((i / 9 % 8) / 2 * 2 * 9 + (1 - i / 9 % 2) * 9 + i / 72 * 72 + i % 9),
        &["rows-exchanged"],
    ),
    (
        &[2, 6, 9],
        |i| stream(i / 9 % 5 * 9 + i % 9),
        &["rows(repeated(size = 5))", "repeated(size = 45)"],
    ),
    (
        &[7, 2, 5],
        |i| stream((i + 30) % 70),
        &[
            "rows(rotated(by = -6))",
            "items(rotated(by = -3))",
            "items(halves-exchanged)",
        ],
    ),
    // Padded to 16, and read without the padding.
    (
        &[6, 10],
        |i| {
            if i % 16 < 10 {
                stream(i / 16 * 10 + i % 16)
            } else {
                0
            }
        },
        &[
            "pitched(to = 8) + beyond(zero)",
            "pitched(to = 8) + lanes(10 11 12 13 14 15 of 16, zero)",
            "pitched(to = 16) + beyond(zero)",
            "pitched(to = 16) + lanes(10 11 12 13 14 15 of 16, zero)",
        ],
    ),
    (
        &[6, 10],
        |i| {
            let at = i / 10 * 16 + i % 10;
            if at < 60 { stream(at) } else { 0 }
        },
        &[
            "rows-padded(to = 8) + tail(from = 40, zero)",
            "rows-padded(to = 8) + last(20, zero)",
            "rows-padded(to = 8) + tail(group = 40, zero)",
            "rows-padded(to = 8) + beyond(zero)",
            "rows-padded(to = 16) + tail(from = 40, zero)",
            "rows-padded(to = 16) + last(20, zero)",
            "rows-padded(to = 16) + tail(group = 40, zero)",
            "rows-padded(to = 16) + beyond(zero)",
        ],
    ),
    (
        &[60],
        |i| if 3 * i < 60 { stream(3 * i) } else { 0 },
        &[
            "strided(3 i) + tail(from = 20, zero)",
            "strided(3 i) + beyond(zero)",
        ],
    ),
    (
        &[5, 9],
        |i| if i % 9 > i / 9 { 0 } else { stream(i) },
        &["above-diagonal(zero)"],
    ),
    (
        &[2, 9, 5],
        |i| if i % 5 < i / 5 % 9 { 0 } else { stream(i) },
        &["below-diagonal(zero)"],
    ),
    (
        &[2, 5, 5],
        |i| if i % 5 == i / 5 % 5 { !stream(i) } else { stream(i) },
        &["diagonal(noise)"],
    ),
    (
        &[6, 11],
        |i| {
            if i / 11 % 5 == 0 || i % 11 % 10 == 0 {
                0
            } else {
                stream(i)
            }
        },
        &["border(zero)"],
    ),
    (
        &[9, 3, 5],
        |i| if i < 5 { 0 } else { stream(i) },
        &["first(5, zero)", "first-of-all-rows(1, zero)"],
    ),
    (
        &[7, 3, 5],
        |i| stream(if i >= 100 { i - 5 } else { i }),
        &[
            "chunks(size = 100, apart = 95)",
            "tail(from = 100, stale by 5)",
            "last(5, stale by 5)",
            "tail(group = 10, stale by 5)",
            "tail(group = 20, stale by 5)",
            "tail(group = 25, stale by 5)",
            "tail(group = 50, stale by 5)",
            "tail-of-all-rows(group = 2, stale by 5)",
            "tail-of-all-rows(group = 2, stale by an index)",
            "tail-of-all-rows(group = 4, stale by 5)",
            "tail-of-all-rows(group = 4, stale by an index)",
            "last-of-all-rows(1, stale by 5)",
            "last-of-all-rows(1, stale by an index)",
        ],
    ),
    (
        &[5, 3, 5],
        |i| if i < 15 { stream(i) } else { 0 },
        &[
            "tail(from = 15, zero)",
            "axis-2-from(1, zero)",
            "items-from(1, zero)",
        ],
    ),
    // Channels are in blocks of four, and the rest of them is not computed.
    (
        &[2, 7, 2, 5],
        |i| if i / 10 % 7 >= 4 { 0 } else { stream(i) },
        &[
            "tail-of-axis-2(group = 4, zero)",
            "last-of-axis-2(3, zero)",
            "axis-2-from(4, zero)",
            "lanes-of-all-rows(8 9 10 11 12 13 of 14, zero)",
            "tail-of-channels(group = 4, zero)",
            "last-of-channels(3, zero)",
            "channels-from(4, zero)",
        ],
    ),
    (
        &[3, 21],
        |i| if i % 21 % 4 == 3 { 0 } else { stream(i) },
        &["lanes-of-rows(3 of 4, zero)", "lanes(3 7 11 15 19 of 21, zero)"],
    ),
    (
        &[5, 9],
        |i| stream(if i % 9 == 0 && i > 0 { i - 1 } else { i }),
        &["first-of-rows(1, stale by 1)", "lanes(0 of 9, stale by 1)"],
    ),
    (
        &[4, 7],
        |i| stream(i - i % 7 + [0, 2, 4, 6, 1, 3, 5][i % 7]),
        &[
            "in-rows(deinterleaved(threads = 2))",
            "in-rows(interleaved(threads = 4))",
            "order-in-group(0 2 4 6 1 3 5)",
        ],
    ),
    (
        &[3, 6, 11],
        |i| stream(i - i % 66 + 65 - i % 66),
        &["in-items(reversed)"],
    ),
    (
        &[5, 7],
        |i| stream(if i % 7 < 6 { i - i % 7 + ((i % 7) ^ 1) } else { i }),
        &["in-rows(order-in-group(1 0))", "order-in-group(1 0 3 2 5 4 6)"],
    ),
    (
        &[6, 10],
        |i| stream(i - i % 10 + (i + 5) % 10),
        &["in-rows(halves-exchanged)", "rows-rotated(by = 5)"],
    ),
    (
        &[9, 5],
        |i| stream(if i < 20 { i } else { 15 + i % 5 }),
        &[
            "tail(from = 20, stale by 5)",
            "axis-1-from(4, stale by 5)",
            "axis-1-from(4, stale by an index)",
            "items-from(4, stale by 5)",
            "items-from(4, stale by an index)",
            "all-rows-from(4, stale by 5)",
            "all-rows-from(4, stale by an index)",
        ],
    ),
    (
        &[47],
        |i| stream(if i < 44 { i } else { 0 }),
        &[
            "tail(from = 44, the first element)",
            "last(3, the first element)",
            "tail(group = 4, the first element)",
        ],
    ),
    (
        &[3, 2, 7],
        |i| stream(i / 14 * 16 + i % 14),
        &[
            "items-padded(to = 4)",
            "items-apart(item + 2)",
            "items-apart(16)",
            "chunks(size = 14, apart = 16)",
        ],
    ),
    (
        &[6, 70],
        |i| stream(i / 70 * 75 + i % 70),
        &[
            "rows-apart(row + 5)",
            "rows-apart(75)",
            "chunks(size = 70, apart = 75)",
        ],
    ),
    (
        &[6, 70],
        |i| stream(i / 70 * 67 + i % 70),
        &[
            "rows-apart(row - 3)",
            "rows-apart(67)",
            "chunks(size = 70, apart = 67)",
        ],
    ),
];

/// Sizes that no list has, which are read off.
const READ_OFF: &[Row] = &[
    // Tiles of 5 rows and 7 columns of all rows, and tiles as high as the matrix.
    (
        &[3, 4, 16],
        |i| {
            let (row, column) = (i / 16, i % 16);
            let (height, width) = ((12 - row / 5 * 5).min(5), (16 - column / 7 * 7).min(7));
            stream(row / 5 * 80 + column / 7 * 7 * height + row % 5 * width + column % 7)
        },
        &["filled-tiles(5 x 7, of all rows)"],
    ),
    (
        &[6, 20],
        |i| {
            let (row, column) = (i / 20, i % 20);
            let width = (20 - column / 13 * 13).min(13);
            stream(column / 13 * 13 * 6 + row * width + column % 13)
        },
        &["filled-tiles(all x 13)"],
    ),
    // Chunks of 22 elements begin at whole blocks, and those of 3000 at the block that their first element numbers.
    (
        &[90],
        |i| stream(i / 22 * 22 / 4 * 4 + i % 22),
        &["chunks(size = 22, from the block below)"],
    ),
    (
        &[7000],
        |i| stream(i / 3000 * 12_000 + i % 3000),
        &["chunks(size = 3000, apart = 12000)"],
    ),
];

#[test]
fn tables_of_sizes_that_are_read_off() {
    hold(READ_OFF);
    // Of the last one of five rows, two of which are computed at a time, the elements say only how far back they are from.
    let found = names(&[5, 9], |i| stream(if i < 36 { i } else { i - 18 }));
    for name in [
        "tail-of-all-rows(group = 2, stale by 18)",
        "tail-of-all-rows(group = 2, stale by 2 indices)",
    ] {
        assert!(found.contains(&name.to_owned()), "{found:?}");
    }
    // Nor does a second chunk that is the last one say that others follow.
    let found = names(&[35], |i| stream(i / 20 * 24 + i % 20));
    for name in ["chunks(size = 20, apart = 24)", "tail(from = 20, ahead by 4)"] {
        assert!(found.contains(&name.to_owned()), "{found:?}");
    }
}

#[test]
fn tables_of_matrices() {
    hold(MATRICES);
}
