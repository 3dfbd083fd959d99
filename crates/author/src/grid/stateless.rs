//! TensorFlow's StatelessRandomUniformV2, StatelessRandomUniformIntV2 and StatelessRandomUniformFullIntV2: counters about
//! to wrap, every type, ranges at every border, and what is refused.

use seedproof_ops::{
    Attribute, Dtype, ErrorKind, OpName, Request, StatelessRandomUniform, StatelessRandomUniformFullInt,
    StatelessRandomUniformInt, Tensor,
};

use super::draft::{Draft, GridFile, Planned, names, tensor, without_repeats};
use super::stateless_streams::{COUNTERS, Common, KEYS, SHARED, common, streams};

const FLOATS: &str = "\
Keys and counters at every border of their words, for all four types. Eager and compiled TensorFlow take other bits of the
same words, so that a port of one fails the other.";

const RANGES: &str = "\
Integers of all four types in ranges at every border, and what is refused.";

const FULL: &str = "\
Integers of all bits, in which a counter that is exchanged, cut or not carried shows at once.";

/// The generated files.
pub(super) fn files() -> Vec<GridFile> {
    let file = |path, comment, op, drafts| GridFile::new(op, path, comment, without_repeats(drafts));
    vec![
        file(
            "tensorflow-stateless-uniform/grid.yaml",
            FLOATS,
            OpName::StatelessRandomUniform,
            floats(),
        ),
        file(
            "tensorflow-stateless-uniform-int/grid.yaml",
            RANGES,
            OpName::StatelessRandomUniformInt,
            ranges(),
        ),
        file(
            "tensorflow-stateless-uniform-full-int/grid.yaml",
            FULL,
            OpName::StatelessRandomUniformFullInt,
            full(),
        ),
    ]
}

/// The output's type.
pub(super) fn id_parts(output_type: &Attribute<Dtype>) -> Vec<Option<String>> {
    vec![output_type.known().map(|dtype| dtype.to_string())]
}

/// A request of one of the ops, with the inputs that all of them have.
macro_rules! request {
    ($op:ident, $dtype:expr, $common:expr $(, $bound:ident)*) => {
        Request::$op($op {
            shape: $common.shape,
            key: $common.key,
            counter: $common.counter,
            alg: $common.alg,
            $($bound,)*
            output_type: $dtype.into(),
        })
    };
}

fn draft(id: &str, own: &[&str], errata: &[&str], request: Request) -> Draft {
    Draft {
        errata: names(errata),
        ..Draft::new(id, &[&SHARED[..], own].concat(), request)
    }
}

fn float(topic: &str, dtype: Dtype, common: Common) -> Draft {
    let own = if dtype == Dtype::F64 {
        "tfsu.convert.f64"
    } else {
        "tfsu.convert"
    };
    let request = request!(StatelessRandomUniform, dtype, common);
    draft(
        &format!("tfsu/{dtype}/{topic}"),
        &[own],
        &["tfsu.convert.bits"],
        request,
    )
}

fn full_int(topic: &str, dtype: Dtype, common: Common) -> Draft {
    let errata: &[_] = if dtype.size() == 8 {
        &["tfsf.word-order"]
    } else {
        &[]
    };
    let request = request!(StatelessRandomUniformFullInt, dtype, common);
    draft(&format!("tfsf/{dtype}/{topic}"), &["tfsf.bits"], errata, request)
}

fn integer(topic: &str, dtype: Dtype, common: Common, [minval, maxval]: [Tensor; 2]) -> Draft {
    let own = ["tfsi.bounds.form", "tfsi.bounds.less", "tfsi.words", "tfsi.range"];
    let unsigned = matches!(dtype, Dtype::U32 | Dtype::U64);
    let errata: &[_] = if unsigned { &["tfsi.range.unsigned"] } else { &[] };
    let request = request!(StatelessRandomUniformInt, dtype, common, minval, maxval);
    draft(&format!("tfsi/{dtype}/{topic}"), &own, errata, request)
}

fn floats() -> Vec<Draft> {
    streams([Dtype::F32, Dtype::F16, Dtype::Bf16, Dtype::F64], float)
}

fn full() -> Vec<Draft> {
    streams([Dtype::U32, Dtype::I32, Dtype::I64, Dtype::U64], full_int)
}

fn ranges() -> Vec<Draft> {
    let types = [Dtype::I32, Dtype::I64, Dtype::U32, Dtype::U64];
    let bound = |dtype, number: i128| tensor(dtype, &[], &[number.to_string()]);
    let bounds = |dtype, [min, max]: [i128; 2]| [bound(dtype, min), bound(dtype, max)];
    let mut drafts = streams(types, |topic, dtype, common| {
        integer(topic, dtype, common, bounds(dtype, [3, 100]))
    });
    for (i, dtype) in types.into_iter().enumerate() {
        let limits = dtype.integers().expect("an integer type has limits");
        let (least, most) = (*limits.start(), *limits.end());
        let middle = i128::midpoint(least, most);
        for (j, (topic, range)) in [
            ("whole-but-one", [least, most]),
            ("upper-half", [middle, most]),
            ("lower-half", [least, middle]),
            ("over-half", [least + 7, middle + 1_000_000_007]),
            ("one", [5, 6]),
            ("last", [most - 1, most]),
            ("first", [least, least + 1]),
            ("around-middle", [middle - 3, middle + 4]),
            ("power-of-two", [0, 1 << 30]),
            ("ten", [0, 10]),
        ]
        .into_iter()
        .enumerate()
        {
            let common = common(&[33], KEYS[(i + j) % KEYS.len()], COUNTERS[j % COUNTERS.len()], 1);
            drafts.push(integer(
                &format!("range-{topic}"),
                dtype,
                common,
                bounds(dtype, range),
            ));
        }
        let empty = ["tfsi.range.empty"];
        for (topic, range) in [
            ("equal", [5, 5]),
            ("exchanged", [6, 5]),
            ("limits-exchanged", [most, least]),
        ] {
            drafts.push(Draft {
                expect: Planned::Rejected(ErrorKind::Range),
                errata: names(&empty),
                ..integer(
                    &format!("refused-range-{topic}"),
                    dtype,
                    common(&[5], 1, [2, 3], 1),
                    bounds(dtype, range),
                )
            });
        }
        drafts.push(Draft {
            errata: names(&["tfsu.empty.unchecked"]),
            ..integer(
                "no-elements-range-exchanged",
                dtype,
                common(&[0], 1, [2, 3], 1),
                bounds(dtype, [6, 5]),
            )
        });
    }
    for (topic, wrong, kind) in [
        ("of-one", tensor(Dtype::I32, &[1], &["5"]), ErrorKind::Shape),
        ("i64", tensor(Dtype::I64, &[], &["5"]), ErrorKind::Dtype),
    ] {
        let plain = common(&[3], 1, [2, 3], 1);
        let right = bound(Dtype::I32, 7);
        for (name, pair) in [
            ("minval", [wrong.clone(), right.clone()]),
            ("maxval", [right.clone(), wrong]),
        ] {
            drafts.push(Draft {
                expect: Planned::Rejected(kind),
                ..integer(
                    &format!("refused-{name}-{topic}"),
                    Dtype::I32,
                    plain.clone(),
                    pair,
                )
            });
        }
    }
    drafts
}
