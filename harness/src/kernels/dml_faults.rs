//! Faults of kernels for DirectML's RandomGenerator.

use super::dml::{Dml, RIGHT};
use super::fault::{Fault, Kernel};
use super::hooks::{tail, transposed};

const fn fault(id: &'static str, named: &'static [&'static str], kernel: Dml) -> Fault {
    Fault {
        id,
        named,
        kernel: Kernel::Dml(kernel),
    }
}

pub(crate) const FAULTS: &[Fault] = &[
    fault(
        "dml-seven-rounds",
        &["rounds-7", "rounds(number = 7)"],
        Dml { rounds: 7, ..RIGHT },
    ),
    fault(
        "dml-words-reversed",
        &["words-reversed"],
        Dml {
            order: [3, 2, 1, 0],
            ..RIGHT
        },
    ),
    fault(
        "dml-words-1032",
        &["words-high-first"],
        Dml {
            order: [1, 0, 3, 2],
            ..RIGHT
        },
    ),
    fault(
        "dml-key-first",
        &["dml-key-first"],
        Dml {
            read: |[k0, k1, c0, c1, c2, c3]| ([c0, c1, c2, c3], [k0, k1]),
            write: |[c0, c1, c2, c3], [k0, k1]| [k0, k1, c0, c1, c2, c3],
            ..RIGHT
        },
    ),
    fault(
        "dml-key-words-exchanged",
        &[
            "dml-key-high-first",
            "key-words-exchanged",
            "key-halves-exchanged",
        ],
        Dml {
            read: |[c0, c1, c2, c3, k0, k1]| ([c0, c1, c2, c3], [k1, k0]),
            write: |[c0, c1, c2, c3], [k1, k0]| [c0, c1, c2, c3, k0, k1],
            ..RIGHT
        },
    ),
    fault(
        "dml-counter-high-first",
        &["dml-counter-high-first"],
        Dml {
            read: |[c3, c2, c1, c0, k0, k1]| ([c0, c1, c2, c3], [k0, k1]),
            write: |[c0, c1, c2, c3], [k0, k1]| [c3, c2, c1, c0, k0, k1],
            ..RIGHT
        },
    ),
    fault(
        "dml-carry-32",
        &["carry-lost-32"],
        Dml {
            block: |counter, i| counter & !0xffff_ffff | (counter + i) & 0xffff_ffff,
            ..RIGHT
        },
    ),
    fault(
        "dml-pre-increment",
        &["pre-increment", "blocks(i + 1)"],
        Dml {
            block: |counter, i| counter.wrapping_add(i + 1),
            ..RIGHT
        },
    ),
    fault(
        "dml-block-twice",
        &["blocks(2 i)"],
        Dml {
            block: |counter, i| counter.wrapping_add(2 * i),
            ..RIGHT
        },
    ),
    fault(
        "dml-31-bits",
        &["dml-31-bits"],
        Dml {
            word: |word| word >> 1,
            ..RIGHT
        },
    ),
    fault(
        "dml-bytes",
        &["word-bytes-reversed", "bytes-reversed"],
        Dml {
            word: u32::swap_bytes,
            ..RIGHT
        },
    ),
    fault(
        "dml-tail-zero",
        &["tail(group = 4, zero)"],
        Dml {
            store: |output| tail(output, 4, |_, _| 0),
            ..RIGHT
        },
    ),
    fault(
        "dml-tail-stale",
        &["tail(group = 8, stale by 8)"],
        Dml {
            store: |output| tail(output, 8, |output, i| if i < 8 { 7 } else { output[i - 8] }),
            ..RIGHT
        },
    ),
    fault(
        "dml-last",
        &["last(1"],
        Dml {
            store: |output| output.last_mut().into_iter().for_each(|last| *last = 0),
            ..RIGHT
        },
    ),
    fault(
        "dml-nhwc",
        &["channels-last", "axis-1-last"],
        Dml {
            element: |i, dims| transposed(i, dims, &[0, 2, 3, 1]),
            ..RIGHT
        },
    ),
    fault(
        "dml-restart-64",
        &["chunk-restart"],
        Dml {
            element: |i, _| i % 64,
            ..RIGHT
        },
    ),
    fault(
        "dml-state-as-it-was",
        &["dml-state-not-advanced"],
        Dml {
            after: |counter, _| counter,
            ..RIGHT
        },
    ),
    fault(
        "dml-state-by-n",
        &["dml-advanced-by-n"],
        Dml {
            after: u128::wrapping_add,
            ..RIGHT
        },
    ),
    fault(
        "dml-state-floor",
        &["leftover-words-reused"],
        Dml {
            after: |counter, count| counter.wrapping_add(count / 4),
            ..RIGHT
        },
    ),
    fault(
        "dml-state-by-one",
        &["dml-advanced-by-one"],
        Dml {
            after: |counter, _| counter.wrapping_add(1),
            ..RIGHT
        },
    ),
    fault(
        "dml-reversed-and-state",
        &["dml-state-not-advanced + words-reversed"],
        Dml {
            order: [3, 2, 1, 0],
            after: |counter, _| counter,
            ..RIGHT
        },
    ),
    fault(
        "dml-nine-and-tail",
        &["rounds-9 + tail(group = 4, zero)"],
        Dml {
            rounds: 9,
            store: |output| tail(output, 4, |_, _| 0),
            ..RIGHT
        },
    ),
];
