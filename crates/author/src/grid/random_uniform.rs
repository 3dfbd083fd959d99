//! RandomUniform-8: ranges, seeds, shapes, and everything with everything pairwise.

use seedproof_ops::{Alignment, Dtype, Named as _, OpName, RandomUniform};

use super::draft::{Draft, GridFile, Planned, names, without_repeats};
use super::extents::{factored, spelled};
use super::pairwise::pairwise;
use super::ranges::{BF16_THOUSAND, F16_THOUSAND, Range, ranges};
use super::request::{GridRequest, conversion_errata};

/// Global seed and op seed: each half of each at its ends, and one of the two zero.
const SEEDS: [(u64, u64); 12] = [
    (1, 2),
    (u32::MAX as u64, 1),
    (1, u32::MAX as u64),
    (1 << 32, 3),
    (3, 1 << 32),
    ((1 << 32) + 5, (1 << 32) + 7),
    (1 << 63, 1),
    (1, 1 << 63),
    (u64::MAX, u64::MAX),
    (0, 7),
    (7, 0),
    (0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210),
];

/// Around every place where a block, a vector, a state array or a work group ends.
const SIZES: [u64; 31] = [
    0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 227, 228, 623, 624, 625, 1000, 4095, 4096,
    4097, 65_535, 65_536, 65_537, 1_000_003,
];

/// How the request writes its shape and its bounds.
const FORMS: [(Dtype, bool); 4] = [
    (Dtype::I64, false),
    (Dtype::I32, false),
    (Dtype::I64, true),
    (Dtype::I32, true),
];

fn targets() -> impl Iterator<Item = (Alignment, Dtype)> {
    let alignments = Alignment::ALL.iter();
    alignments.flat_map(|&alignment| RandomUniform::TYPES.map(|dtype| (alignment, dtype)))
}

/// Unit for floats, a decade for integers: bounds that hide nothing of the generator.
fn plain_range(dtype: Dtype) -> Range {
    ranges(dtype)[usize::from(!dtype.is_float())]
}

/// `tensorflow`, `f32`.
pub(super) fn id_parts(request: &RandomUniform) -> Vec<Option<String>> {
    let alignment = request.alignment.known();
    vec![
        alignment.map(|alignment| alignment.to_string().to_lowercase()),
        request.output_type.known().map(|dtype| dtype.to_string()),
    ]
}

/// A file of this op's cases.
pub(super) fn file(path: &'static str, comment: &'static str, drafts: Vec<Draft>) -> GridFile {
    GridFile::new(OpName::RandomUniform, path, comment, drafts)
}

pub(super) fn files() -> Vec<GridFile> {
    vec![
        file("random-uniform-8/grid-ranges.yaml", RANGES, range_drafts()),
        file("random-uniform-8/grid-halves.yaml", HALVES, half_drafts()),
        file("random-uniform-8/grid-seeds.yaml", SEEDS_COMMENT, seed_drafts()),
        file("random-uniform-8/grid-shapes.yaml", SHAPES, shape_drafts()),
        file("random-uniform-8/grid-pairs.yaml", PAIRS, pair_drafts()),
        file(
            "random-uniform-8/grid-both-seeds-zero.yaml",
            BOTH_ZERO,
            zero_drafts(),
        ),
    ]
}

const RANGES: &str = "\
Every range with every type in both alignments, 33 elements each. The documents' own examples draw
from [0, 1), [2, 10) and [50, 100), where scaling is exact: a fused multiply-add, a scale computed
in f64 or rounded late, an interpolation, a signed remainder and a 32-bit width all pass them. Here
they do not.";
const HALVES: &str = "\
A thousand 16-bit numbers in ranges where a rounding decides: results below the smallest normal
number, products whose eleven leading bits are all ones (OpenVINO doubles those), widths that are no
value of the type, and ranges whose upper bound is returned now and then although it is exclusive.";
const SEEDS_COMMENT: &str = "\
Seeds at the ends of their halves. An implementation that keeps seeds in 32 bits, in a signed 64-bit
integer or in an f64, or that swaps key and counter, draws the right numbers for 150 and 10;
alignment PYTORCH takes the low half of the global seed and nothing else, so 2^32 + 5 draws what 5
draws.";
const SHAPES: &str = "\
Shapes of rank 0 to 8 and empty ones, given as i32 and i64, with bounds as scalars and as lists of
one. OpenVINO's own CPU plugin never runs a request for a scalar and returns whatever was in memory.";
const PAIRS: &str = "\
Types, alignments, sizes, ranges, seeds, ranks and forms of the inputs, combined so that any two of
them meet. The sizes stand around the ends of blocks, vectors, state arrays and work groups:
generators that lay the stream out by thread or by lane, keep the words that a last block leaves
over, or twist the Mersenne state one word late are wrong at some of them only.";
const BOTH_ZERO: &str = "\
Both seeds zero mean another sequence at each run, in either alignment. A backend that draws the
sequence of key 0 and counter 0 looks perfectly random and is the same every time.";

fn range_drafts() -> Vec<Draft> {
    let seeds = (0x0001_2345_6789, 0x0009_8765_4321);
    targets()
        .flat_map(|(alignment, dtype)| {
            ranges(dtype).into_iter().map(move |range| {
                let request = GridRequest {
                    alignment,
                    dtype,
                    range,
                    seeds,
                    dims: &[33],
                    form: FORMS[0],
                };
                let mut draft = request.draft(&format!("range-{}", range.name));
                draft.errata.extend(names(conversion_errata(alignment, dtype)));
                draft
            })
        })
        .collect()
}

fn half_drafts() -> Vec<Draft> {
    let mut drafts = Vec::new();
    for &alignment in Alignment::ALL {
        for (dtype, ranges) in [(Dtype::F16, F16_THOUSAND), (Dtype::Bf16, BF16_THOUSAND)] {
            for &range in ranges {
                let request = GridRequest {
                    alignment,
                    dtype,
                    range,
                    seeds: (12_345, 54_321),
                    dims: &[1000],
                    form: FORMS[0],
                };
                drafts.push(request.draft(&format!("thousand-{}", range.name)));
            }
        }
    }
    drafts
}

fn seed_drafts() -> Vec<Draft> {
    targets()
        .flat_map(|(alignment, dtype)| {
            let low_half_five = [(5, 1), ((1 << 32) + 5, 1)];
            SEEDS.into_iter().chain(low_half_five).map(move |seeds| {
                let errata: &[&str] = match seeds {
                    (0, _) | (_, 0) => &["ru8.seeds.zero-allowed"],
                    (global, _) if global % (1 << 32) == 5 => &["ru8.seeds.high-half"],
                    _ => &[],
                };
                let range = plain_range(dtype);
                let request = GridRequest {
                    alignment,
                    dtype,
                    range: Range { errata, ..range },
                    seeds,
                    dims: &[5],
                    form: FORMS[0],
                };
                request.draft(&format!("seeds-{}-{}", seeds.0, seeds.1))
            })
        })
        .collect()
}

fn shape_drafts() -> Vec<Draft> {
    const SHAPES: [&[u64]; 17] = [
        &[],
        &[1],
        &[6],
        &[2, 3],
        &[3, 1, 2],
        &[2, 1, 3, 2],
        &[1, 2, 2, 1, 3],
        &[2, 1, 2, 1, 3, 1],
        &[1, 1, 2, 1, 1, 5, 1],
        &[2, 1, 2, 1, 2, 1, 2, 1],
        &[1, 1, 1, 1, 1, 1, 1, 7],
        &[3, 1, 1, 1, 1, 1, 1, 1],
        &[0],
        &[0, 5],
        &[3, 0, 4],
        &[2, 2, 2, 0],
        &[0, 0, 0, 0, 0, 0, 0, 0],
    ];
    let mut drafts = Vec::new();
    for (i, dims) in SHAPES.into_iter().enumerate() {
        for (j, &alignment) in Alignment::ALL.iter().enumerate() {
            for (k, &form) in FORMS.iter().enumerate() {
                let dtype = RandomUniform::TYPES[(i + 3 * j + k) % RandomUniform::TYPES.len()];
                let request = GridRequest {
                    alignment,
                    dtype,
                    range: plain_range(dtype),
                    seeds: (80, 100),
                    dims,
                    form,
                };
                drafts.push(request.draft(&format!("shape-{}-{}", spelled(dims), spelled_form(form))));
            }
        }
    }
    drafts
}

fn pair_drafts() -> Vec<Draft> {
    const RANGES: usize = 16;
    let targets: Vec<_> = targets().collect();
    let levels = [SIZES.len(), RANGES, targets.len(), SEEDS.len(), 9, FORMS.len()];
    let drafts = pairwise(&levels)
        .into_iter()
        .map(|row| {
            let (alignment, dtype) = targets[row[2]];
            let ranges = ranges(dtype);
            let range = ranges[row[1] % ranges.len()];
            let seeds = SEEDS[row[3]];
            let dims = factored(SIZES[row[0]], row[4]);
            let request = GridRequest {
                alignment,
                dtype,
                range: Range { errata: &[], ..range },
                seeds,
                dims: &dims,
                form: FORMS[row[5]],
            };
            request.draft(&format!(
                "pairs-{}-{}-rank-{}-seeds-{}-{}-{}",
                range.name,
                SIZES[row[0]],
                dims.len(),
                seeds.0,
                seeds.1,
                spelled_form(FORMS[row[5]])
            ))
        })
        .collect();
    without_repeats(drafts)
}

fn zero_drafts() -> Vec<Draft> {
    targets()
        .map(|(alignment, dtype)| {
            let request = GridRequest {
                alignment,
                dtype,
                range: Range {
                    errata: if alignment == Alignment::Pytorch {
                        &["ru8.seeds.both-zero-pytorch"]
                    } else {
                        &[]
                    },
                    ..ranges(dtype)[3]
                },
                seeds: (0, 0),
                dims: &[1000],
                form: FORMS[0],
            };
            let draft = request.draft("both-seeds-zero");
            Draft {
                clauses: names(&["ru8.seeds.both-zero", "ru8.output.form"]),
                expect: Planned::Statistics,
                ..draft
            }
        })
        .collect()
}

fn spelled_form((dtype, lists): (Dtype, bool)) -> String {
    format!("{dtype}{}", if lists { "-lists" } else { "" })
}
