//! Multinomial-13 with generated draws: types, shapes, seeds and forms, pairwise.

use seedproof_ops::{Backend, Dtype, Multinomial, OpName, Request, Tensor};

use super::draft::{Draft, GridFile, Planned, names, tensor, without_repeats};
use super::margin::margin;
use super::pairwise::pairwise;

pub(super) const TYPES: [Dtype; 4] = [Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64];

const PAIRS: &str = "\
Probability types, shapes, numbers of samples, seeds, output types and forms of the inputs, with and
without replacement, combined so that any two of them meet. The weights are small integers, or
logarithms in halves, whose sum is not one: an implementation that forgets to divide, draws a row's
samples from the next row, or starts the sequence anew in each row is wrong here. The margin says
how far every draw is from a step, so that no last bit of exp decides.";
const FULL: &str = "\
Draws without replacement until nothing is left, up to a hundred classes. No class may come twice
and none of probability zero at all; implementations that lower and divide in 16 bits repeat classes
in a third of such runs, and some plugins leave elements unwritten.";
const BOTH_ZERO: &str = "\
Both seeds zero mean another sequence at each run. The document says it of RandomUniform and leaves
it open for Multinomial; OpenVINO takes the time in both.";

/// The clauses of any draw.
pub(super) fn clauses(request: &Multinomial) -> Vec<&'static str> {
    let mut clauses = vec![
        "mn13.probs.form",
        "mn13.probs.valid",
        "mn13.num-samples.form",
        "mn13.num-samples.count",
        "mn13.attributes.convert-type",
        "mn13.output.form",
        "mn13.cdf.sum",
        "mn13.cdf.normalize",
        "mn13.select",
    ];
    clauses.push(if request.draws.is_some() {
        "mn13.draws.given"
    } else {
        "mn13.draws.generated"
    });
    if request.log_probs {
        clauses.push("mn13.log-probs");
    }
    if !request.with_replacement {
        clauses.extend(["mn13.replacement.update", "mn13.replacement.distinct"]);
    }
    clauses
}

const fn replacement(request: &Multinomial) -> &'static str {
    if request.with_replacement {
        "replacement"
    } else {
        "no-replacement"
    }
}

/// `mn13/<replacement|no-replacement>/<type>`, the beginning of the id of a request.
pub(super) fn prefix(request: &Multinomial) -> String {
    format!("mn13/{}/{}", replacement(request), request.probs.dtype())
}

/// `no-replacement`, `f32`.
pub(super) fn id_parts(request: &Multinomial) -> Vec<Option<String>> {
    let replacement = replacement(request).to_owned();
    vec![Some(replacement), Some(request.probs.dtype().to_string())]
}

pub(super) fn files(oracle: &dyn Backend) -> Vec<GridFile> {
    let file = |path, comment, drafts| GridFile::new(OpName::Multinomial, path, comment, drafts);
    vec![
        file("multinomial-13/grid-pairs.yaml", PAIRS, pair_drafts(oracle)),
        file("multinomial-13/grid-full-draws.yaml", FULL, full_drafts(oracle)),
        file(
            "multinomial-13/grid-both-seeds-zero.yaml",
            BOTH_ZERO,
            zero_drafts(),
        ),
    ]
}

/// The weight of a class.
type Weight = fn(usize) -> usize;

/// How the weights of a row run from class to class.
const WEIGHTS: [(&str, Weight); 5] = [
    ("even", |_| 1),
    ("ramp", |i| i + 1),
    ("mixed", |i| (7 * i + 3) % 11 + 1),
    ("gaps", |i| (i + 1) % 3),
    ("peak", |i| if i % 5 == 2 { 200 } else { 1 }),
];

/// `batch` rows of weights, each row begun one class later, as decimals; as logarithms in steps of a half.
fn rows(weights: Weight, batch: usize, classes: usize, log: bool) -> Vec<String> {
    (0..batch)
        .flat_map(|row| (0..classes).map(move |class| weights(class + row)))
        .map(|weight| {
            if log {
                let halves = weight % 17;
                format!(
                    "{}{}.{}",
                    if halves % 2 == 0 { "-" } else { "" },
                    halves / 2,
                    5 * (halves % 2)
                )
            } else {
                weight.to_string()
            }
        })
        .collect()
}

fn pair_drafts(oracle: &dyn Backend) -> Vec<Draft> {
    const BATCHES: [usize; 4] = [1, 2, 3, 5];
    const CLASSES: [usize; 6] = [1, 2, 3, 7, 33, 100];
    const SAMPLES: [usize; 10] = [0, 1, 2, 3, 5, 8, 32, 64, 65, 1000];
    const SEEDS: [(u64, u64); 7] = [
        (234, 148),
        (1, 0),
        (0, 1),
        (u32::MAX as u64, 1 << 32),
        (1 << 32, u32::MAX as u64),
        (u64::MAX, 1 << 63),
        (0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210),
    ];
    const FORMS: [(Dtype, bool); 4] = [
        (Dtype::I32, false),
        (Dtype::I64, false),
        (Dtype::I32, true),
        (Dtype::I64, true),
    ];
    let levels = [
        SAMPLES.len(),
        SEEDS.len(),
        CLASSES.len(),
        WEIGHTS.len(),
        TYPES.len(),
        BATCHES.len(),
        FORMS.len(),
        2,
        2,
        2,
    ];
    let drafts = pairwise(&levels)
        .into_iter()
        .map(|row| {
            let (name, weights) = WEIGHTS[row[3]];
            let (batch, classes) = (BATCHES[row[5]], CLASSES[row[2]]);
            let (with_replacement, log_probs) = (row[7] == 0, row[8] == 0);
            let probs = rows(weights, batch, classes, log_probs);
            // A row of one class of weight zero has nothing to draw.
            let (name, probs) = if !log_probs && probs.chunks(classes).any(|row| row.iter().all(|p| p == "0"))
            {
                ("shifted", rows(WEIGHTS[1].1, batch, classes, log_probs))
            } else {
                (name, probs)
            };
            let drawable = probs
                .chunks(classes)
                .map(|row| row.iter().filter(|p| log_probs || *p != "0").count())
                .min()
                .unwrap_or(0);
            let samples = if with_replacement {
                SAMPLES[row[0]]
            } else {
                SAMPLES[row[0]].min(drawable)
            };
            let (sample_type, list) = FORMS[row[6]];
            let seeds = SEEDS[row[1]];
            let convert = if row[9] == 0 { Dtype::I32 } else { Dtype::I64 };
            let request = Multinomial {
                probs: table(TYPES[row[4]], batch, classes, &probs),
                num_samples: tensor(sample_type, if list { &[1] } else { &[] }, &[samples.to_string()]),
                draws: None,
                convert_type: convert.into(),
                with_replacement,
                log_probs,
                global_seed: seeds.0,
                op_seed: seeds.1,
                execution: 0,
            };
            let log = if log_probs { "log-" } else { "" };
            let form = if list { "-list" } else { "" };
            let topic = format!(
                "pairs-{log}{name}-{batch}x{classes}-{samples}-seeds-{}-{}-{sample_type}{form}-to-{convert}",
                seeds.0, seeds.1
            );
            measured(
                request,
                &topic,
                &["mn13.draws.generator", "mn13.convert-type.generator"],
                oracle,
            )
        })
        .collect();
    without_repeats(drafts)
}

fn full_drafts(oracle: &dyn Backend) -> Vec<Draft> {
    let mut drafts = Vec::new();
    for (i, classes) in [3, 4, 5, 8, 17, 33, 100].into_iter().enumerate() {
        for (j, (name, weights)) in WEIGHTS.into_iter().enumerate() {
            let log_probs = (i + j) % 3 == 2;
            let probs = rows(weights, 1, classes, log_probs);
            let drawable = probs.iter().filter(|p| log_probs || *p != "0").count();
            let request = Multinomial {
                probs: table(TYPES[(i + j) % TYPES.len()], 1, classes, &probs),
                num_samples: tensor(Dtype::I32, &[], &[drawable.to_string()]),
                draws: None,
                convert_type: Dtype::I32.into(),
                with_replacement: false,
                log_probs,
                global_seed: 4978,
                op_seed: 5164,
                execution: 0,
            };
            let log = if log_probs { "log-" } else { "" };
            drafts.push(measured(
                request,
                &format!("full-{log}{name}-{classes}"),
                &["mn13.replacement.which-probability", "mn13.replacement.divisor"],
                oracle,
            ));
        }
    }
    drafts
}

fn zero_drafts() -> Vec<Draft> {
    TYPES
        .into_iter()
        .flat_map(|dtype| [true, false].map(|with_replacement| (dtype, with_replacement)))
        .map(|(dtype, with_replacement)| {
            let probs = rows(WEIGHTS[1].1, 2, 100, false);
            let request = Multinomial {
                probs: table(dtype, 2, 100, &probs),
                num_samples: tensor(Dtype::I32, &[], &["50"]),
                draws: None,
                convert_type: Dtype::I32.into(),
                with_replacement,
                log_probs: false,
                global_seed: 0,
                op_seed: 0,
                execution: 0,
            };
            let id = format!("{}/both-seeds-zero", prefix(&request));
            Draft {
                expect: Planned::Statistics,
                ..Draft::new(
                    &id,
                    &["mn13.seeds.both-zero", "mn13.output.form"],
                    Request::Multinomial(request),
                )
            }
        })
        .collect()
}

/// A draft with its margin, or with a note where rounding decides.
pub(super) fn measured(request: Multinomial, topic: &str, errata: &[&str], oracle: &dyn Backend) -> Draft {
    let id = format!("{}/{topic}", prefix(&request));
    Draft {
        errata: names(errata),
        margin: margin(&request, oracle),
        ..Draft::new(&id, &clauses(&request), Request::Multinomial(request))
    }
}

/// A tensor of `batch` rows.
pub(super) fn table<T: AsRef<str>>(dtype: Dtype, batch: usize, classes: usize, decimals: &[T]) -> Tensor {
    let dims = [batch, classes].map(|n| u64::try_from(n).expect("a grid's shapes are small"));
    tensor(dtype, &dims, decimals)
}
