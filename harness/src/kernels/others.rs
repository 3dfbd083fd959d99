//! Other faults of orders than those that users were seen to have, written after the diagnosis and not tuned to it.

use super::fault::Fault;
use super::hooks::{fault, lanes, total, transposed};
use super::uniform::{RIGHT, Uniform};

fn rows(dims: &[usize]) -> usize {
    dims.last().copied().unwrap_or(1).max(1)
}

pub(crate) const FAULTS: &[Fault] = &[
    fault(
        "eight-rounds",
        &["rounds(number = 8)"],
        Uniform { rounds: 8, ..RIGHT },
    ),
    fault(
        "eleven-rounds",
        &["rounds-11", "rounds(number = 11)"],
        Uniform { rounds: 11, ..RIGHT },
    ),
    fault(
        "words-2301",
        &["2 3 0 1", "words-counter-first"],
        Uniform {
            order: [2, 3, 0, 1],
            ..RIGHT
        },
    ),
    fault(
        "words-0132",
        &["0 1 3 2", "0132", "words(order = 1243)"],
        Uniform {
            order: [0, 1, 3, 2],
            ..RIGHT
        },
    ),
    fault(
        "words-1230",
        &["1 2 3 0", "words-rotated"],
        Uniform {
            order: [1, 2, 3, 0],
            ..RIGHT
        },
    ),
    fault(
        "block-skips-two",
        &["blocks(i + 2)"],
        Uniform {
            block: |i| i + 2,
            ..RIGHT
        },
    ),
    fault(
        "block-from-seven",
        &["blocks(i + 7)"],
        Uniform {
            block: |i| i + 7,
            ..RIGHT
        },
    ),
    fault(
        "block-thrice",
        &["blocks(3 i)"],
        Uniform {
            block: |i| 3 * i,
            ..RIGHT
        },
    ),
    fault(
        "block-by-four-words",
        &["blocks(4 i)"],
        Uniform {
            block: |i| 4 * i,
            ..RIGHT
        },
    ),
    fault(
        "pairs-exchanged",
        &[
            "order-in-group(1 0)",
            "order-in-block(1 0 3 2)",
            "tail(group = 2, in order)",
        ],
        Uniform {
            // Of an odd number of elements, the last one stays.
            element: |i, dims| if (i | 1) < total(dims) { i ^ 1 } else { i },
            ..RIGHT
        },
    ),
    fault(
        "pairs-of-blocks",
        &["order-in-group(4 5 6 7 0 1 2 3)"],
        Uniform {
            block: |i| i ^ 1,
            ..RIGHT
        },
    ),
    fault(
        "blocks-in-eights",
        &["chunk-restart(size = 32)", "repeated(size = 32)"],
        Uniform {
            block: |i| i % 8,
            ..RIGHT
        },
    ),
    fault(
        "blocks-held",
        &["chunks", "elements(", "held"],
        Uniform {
            block: |i| i / 2,
            ..RIGHT
        },
    ),
    fault(
        "restart-64",
        &["chunk-restart(size = 64)", "repeated(size = 64)"],
        Uniform {
            element: |i, _| i % 64,
            ..RIGHT
        },
    ),
    fault(
        "restart-100",
        &["chunk-restart(size = 100)", "repeated(size = 100)"],
        Uniform {
            element: |i, _| i % 100,
            ..RIGHT
        },
    ),
    fault(
        "rows-restart",
        &["rows-restart"],
        Uniform {
            element: |i, dims| i % rows(dims),
            ..RIGHT
        },
    ),
    fault(
        "rows-begin-blocks",
        &["rows-begin-blocks", "rows-padded(to = 4)"],
        Uniform {
            element: |i, dims| i / rows(dims) * rows(dims).next_multiple_of(4) + i % rows(dims),
            ..RIGHT
        },
    ),
    fault(
        "rows-padded-8",
        &["rows-padded(to = 8)"],
        Uniform {
            element: |i, dims| i / rows(dims) * rows(dims).next_multiple_of(8) + i % rows(dims),
            ..RIGHT
        },
    ),
    fault(
        "rows-reversed",
        &["rows-reversed"],
        Uniform {
            element: |i, dims| i - i % rows(dims) + rows(dims) - 1 - i % rows(dims),
            ..RIGHT
        },
    ),
    fault(
        "words-reversed-in-eights",
        &["reversed", "7 6 5 4 3 2 1 0"],
        Uniform {
            element: |i, _| i ^ 7,
            ..RIGHT
        },
    ),
    fault(
        "groups-of-six",
        &["order-in-group(5 4 3 2 1 0)"],
        Uniform {
            element: |i, _| i - i % 6 + 5 - i % 6,
            ..RIGHT
        },
    ),
    fault(
        "lanes-8-and-skip",
        &["lanes", "blocks(i + 1)"],
        Uniform {
            element: |i, _| lanes(i),
            block: |i| i + 1,
            ..RIGHT
        },
    ),
    fault(
        "strided-2",
        &["strided(2 i)"],
        Uniform {
            element: |i, _| 2 * i,
            ..RIGHT
        },
    ),
    fault(
        "strided-3",
        &["strided(3 i)"],
        Uniform {
            element: |i, _| 3 * i,
            ..RIGHT
        },
    ),
    fault(
        "held-2",
        &["held(times = 2)"],
        Uniform {
            element: |i, _| i / 2,
            ..RIGHT
        },
    ),
    fault(
        "shifted-1",
        &["shifted(by = 1)"],
        Uniform {
            element: |i, _| i + 1,
            ..RIGHT
        },
    ),
    fault(
        "shifted-3",
        &["shifted(by = 3)"],
        Uniform {
            element: |i, _| i + 3,
            ..RIGHT
        },
    ),
    fault(
        "axes-1-0-2-3",
        &["axes(1 0 2 3)", "1 0 2 3"],
        Uniform {
            element: |i, dims| transposed(i, dims, &[1, 0, 2, 3]),
            ..RIGHT
        },
    ),
    fault(
        "axes-0-3-1-2",
        &["axes(0 3 1 2)", "0 3 1 2", "channels-first"],
        Uniform {
            element: |i, dims| transposed(i, dims, &[0, 3, 1, 2]),
            ..RIGHT
        },
    ),
    fault(
        "axes-0-2-1",
        &["axes(0 2 1)", "last-axes-exchanged"],
        Uniform {
            element: |i, dims| transposed(i, dims, &[0, 2, 1]),
            ..RIGHT
        },
    ),
    fault(
        "interleaved-4",
        &["interleaved(threads = 4)", "planar"],
        Uniform {
            element: |i, dims| {
                let n: usize = dims.iter().product();
                i % 4 * n.div_ceil(4) + i / 4
            },
            ..RIGHT
        },
    ),
];
