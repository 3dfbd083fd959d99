//! PyTorch's randint by key: every type, ranges at every border, batches of keys, and what is refused.

use seedproof_ops::{Dtype, ErrorKind, OpName, PhiloxRandint, Request, Tensor};

use super::draft::{Draft, GridFile, Planned, names, without_repeats};
use super::philox_draws::{BATCHES, MISFITS, SHARED, SIZES};
use super::philox_keys::{KEYS, NO_KEYS, keys, ones, spelled};

const RANDINT: &str = "\
Ranges at every border of every type: the whole type, one less, powers of two around the limit of 2^28, bounds that are left
out.";

/// The generated file.
pub(super) fn file() -> GridFile {
    GridFile::new(
        OpName::PhiloxRandint,
        "torch-philox-randint/grid.yaml",
        RANDINT,
        without_repeats(randints()),
    )
}

fn randint(
    topic: &str,
    dtype: Dtype,
    sizes: &[u64],
    key: Tensor,
    bounds: [Option<i128>; 2],
    errata: &[&str],
) -> Draft {
    let [low, high] = bounds;
    let request = PhiloxRandint {
        key,
        output_type: dtype.into(),
        output_sizes: sizes.to_vec(),
        low,
        high,
    };
    let own = [
        "tkr.bounds.left-out",
        "tkr.bounds.order",
        "tkr.range",
        "tkr.whole",
    ];
    let wide: &[&str] = match dtype.size() {
        8 => &["tkr.words"],
        4 => &["tkr.limit"],
        _ => &[],
    };
    let clauses = [&SHARED[..], &own, wide].concat();
    Draft {
        errata: names(errata),
        ..Draft::new(
            &format!("tkr/{dtype}/{topic}"),
            &clauses,
            Request::PhiloxRandint(request),
        )
    }
}

fn refused(draft: Draft, kind: ErrorKind) -> Draft {
    let errata: &[&str] = if kind == ErrorKind::Range {
        &["tkr.bounds.limit"]
    } else {
        &[]
    };
    Draft {
        expect: Planned::Rejected(kind),
        errata: names(errata),
        ..draft
    }
}

/// The draft, or its refusal where the span of a 32-bit type decides so.
fn limited(draft: Draft, dtype: Dtype, span: i128) -> Draft {
    let biased = dtype.size() == 4 && span >= 1 << 28 && (1 << 32) % span != 0;
    if biased {
        refused(draft, ErrorKind::Range)
    } else {
        draft
    }
}

/// The `i`th integer type.
#[derive(Clone, Copy)]
struct Type {
    i: usize,
    dtype: Dtype,
    least: i128,
    past: i128,
}

impl Type {
    fn key(self, j: usize) -> Tensor {
        Tensor::vector(&KEYS[(self.i + j) % KEYS.len()])
    }

    fn ranges(self) -> Vec<Draft> {
        const OMITTED: &[&str] = &["tkr.bounds.omitted"];
        const WHOLE: &[&str] = &["tkr.whole.raw"];
        let Self {
            dtype, least, past, ..
        } = self;
        let ranges = [
            ("whole-left-out", [None, None], WHOLE),
            ("whole", [Some(least), Some(past)], WHOLE),
            ("but-the-greatest", [Some(least), Some(past - 1)], &[]),
            ("but-the-least", [Some(least + 1), Some(past)], &[]),
            ("from-zero", [Some(0), None], OMITTED),
            ("to-ninety", [None, Some(90)], OMITTED),
            ("hundred", [Some(3), Some(103)], &[]),
            ("one", [Some(7), Some(8)], &[]),
            ("least-alone", [Some(least), Some(least + 1)], &[]),
            ("greatest-alone", [Some(past - 1), Some(past)], &[]),
            ("last-three", [Some(past - 3), Some(past)], &[]),
            ("upper-half", [Some(i128::midpoint(least, past)), Some(past)], &[]),
            ("seven", [Some(least), Some(least + 7)], &[]),
            ("least-to-three", [None, Some(least + 3)], OMITTED),
        ];
        let mut drafts = Vec::new();
        for (j, (topic, bounds, errata)) in ranges.into_iter().enumerate() {
            let draft = randint(
                &format!("range-{topic}"),
                dtype,
                &[33],
                self.key(j),
                bounds,
                errata,
            );
            let span = bounds[1].unwrap_or(past) - bounds[0].unwrap_or(least);
            drafts.push(limited(draft, dtype, span));
        }
        drafts
    }

    /// Spans around powers of two.
    fn spans(self) -> Vec<Draft> {
        let Self {
            i,
            dtype,
            least,
            past,
        } = self;
        let errata: &[&str] = if dtype.size() == 4 {
            &["tkr.bounds.limit"]
        } else {
            &["tkr.word-order"]
        };
        let mut drafts = Vec::new();
        for power in [27, 28, 29, 30, 31, 32, 33, 40, 62, 63] {
            for (name, more) in [("-less-1", -1), ("", 0), ("-and-1", 1)] {
                let span = (1_i128 << power) + more;
                let low = if i % 2 == 0 {
                    least
                } else {
                    (past - span).max(least)
                };
                if dtype.size() < 4 || low + span > past {
                    continue;
                }
                let topic = format!("span-2-{power}{name}");
                let key = Tensor::vector(&KEYS[power % KEYS.len()]);
                let draft = randint(&topic, dtype, &[9], key, [Some(low), Some(low + span)], errata);
                drafts.push(limited(draft, dtype, span));
            }
        }
        drafts
    }

    fn refusals(self) -> Vec<Draft> {
        let Self {
            dtype, least, past, ..
        } = self;
        let bounds = [
            ("empty", &[3][..], 5, 5),
            ("exchanged", &[3], 6, 5),
            ("below", &[3], least - 1, 3),
            ("past", &[3], 0, past + 1),
            ("past-alone", &[3], past, past + 1),
            ("empty-no-elements", &[0], 5, 5),
        ];
        let draft = |(topic, sizes, low, high): (&str, &[u64], i128, i128)| {
            let topic = format!("refused-{topic}");
            let draft = randint(&topic, dtype, sizes, keys(&[]), [Some(low), Some(high)], &[]);
            refused(draft, ErrorKind::Range)
        };
        bounds.into_iter().map(draft).collect()
    }

    fn batches_and_shapes(self) -> Vec<Draft> {
        let Self { i, dtype, .. } = self;
        let mut drafts = Vec::new();
        for (batch, sizes) in BATCHES.into_iter().skip(i % 4).step_by(4) {
            let topic = format!("batch-{}-for-{}", spelled(batch), spelled(sizes));
            let errata = ["tku.batch.fill", "tku.batch.broadcast"];
            let bounds = [Some(0), Some(100)];
            drafts.push(randint(&topic, dtype, sizes, keys(batch), bounds, &errata));
        }
        for (j, sizes) in SIZES.into_iter().enumerate().filter(|(j, _)| j % 2 == i % 2) {
            let topic = format!("shape-{}", spelled(sizes));
            drafts.push(randint(
                &topic,
                dtype,
                sizes,
                self.key(j),
                [Some(0), Some(100)],
                &[],
            ));
        }
        drafts
    }
}

fn randints() -> Vec<Draft> {
    let mut drafts = Vec::new();
    let integers = Dtype::ALL.iter().filter(|dtype| !dtype.is_float());
    for (i, &dtype) in integers.enumerate() {
        let limits = dtype.integers().expect("an integer type has limits");
        let of_type = Type {
            i,
            dtype,
            least: *limits.start(),
            past: limits.end() + 1,
        };
        drafts.extend(of_type.ranges());
        drafts.extend(of_type.spans());
        drafts.extend(of_type.refusals());
        drafts.extend(of_type.batches_and_shapes());
    }
    for (batch, sizes) in MISFITS {
        let topic = format!("refused-batch-{}-for-{}", spelled(batch), spelled(sizes));
        let draft = randint(&topic, Dtype::I32, sizes, keys(batch), [Some(0), Some(9)], &[]);
        drafts.push(refused(draft, ErrorKind::Shape));
    }
    for (topic, dtype, dims, kind) in NO_KEYS {
        let bounds = [Some(0), Some(9)];
        let draft = randint(
            &format!("refused-{topic}"),
            Dtype::I32,
            &[3],
            ones(dtype, dims),
            bounds,
            &[],
        );
        drafts.push(refused(draft, kind));
    }
    drafts
}
