//! StableHLO rng_bit_generator: states about to wrap, shapes whose halves differ, every element type, and what is
//! refused.

use seedproof_ops::{Dtype, Named, OpName, Request, RngAlgorithm, RngBitGenerator, Tensor};

use super::draft::{Draft, GridFile, names, without_repeats};
use super::pairwise::pairwise;

const COUNTERS: &str = "\
Counters a few blocks from 2^32, 2^64 and 2^128, in states of two and three words. A counter of one word carries into
the key that stands above it while blocks are drawn, and not in the state after them.";

const SHAPES: &str = "\
Elements of up to 32 bits of THREE_FRY fill the output in pairs along its first even dimension, or the greatest if none
is even: shapes where another dimension, or another order, gives other elements. Those of 64 bits and PHILOX have
none of this.";

pub(super) const ALGORITHMS: [RngAlgorithm; 3] = [
    RngAlgorithm::Philox,
    RngAlgorithm::ThreeFry,
    RngAlgorithm::Default,
];

/// Ranks 0 to 5; extents even and odd, equal and not, of one and of none.
const EXTENTS: &[&[u64]] = &[
    &[],
    &[1],
    &[2],
    &[7],
    &[64],
    &[65],
    &[2, 3],
    &[3, 2],
    &[2, 4],
    &[4, 2],
    &[3, 5],
    &[5, 3],
    &[3, 3],
    &[1, 9],
    &[9, 1],
    &[1, 1],
    &[6, 5],
    &[2, 3, 5],
    &[3, 2, 5],
    &[3, 5, 2],
    &[3, 4, 2],
    &[3, 5, 7],
    &[7, 5, 3],
    &[5, 7, 7],
    &[1, 3, 1, 3],
    &[3, 1, 4, 1],
    &[2, 2, 2, 2],
    &[1, 3, 2, 3, 2],
    &[3, 1, 3, 1, 3],
    &[0],
    &[0, 3],
    &[3, 0],
    &[3, 0, 2],
];

/// The generated files.
pub(super) fn files() -> Vec<GridFile> {
    let file = |path, comment, drafts| {
        GridFile::new(OpName::RngBitGenerator, path, comment, without_repeats(drafts))
    };
    vec![
        file(
            "stablehlo-rng-bit-generator/grid-counters.yaml",
            COUNTERS,
            counters(),
        ),
        file("stablehlo-rng-bit-generator/grid-shapes.yaml", SHAPES, shapes()),
    ]
}

/// The algorithm as ids have it, and the output's type.
pub(super) fn id_parts(request: &RngBitGenerator) -> Vec<Option<String>> {
    let algorithm = request.rng_algorithm.known().map(algorithm_name);
    vec![
        algorithm,
        request.output_type.known().map(|dtype| dtype.to_string()),
    ]
}

/// The algorithm as ids have it.
pub(super) fn algorithm_name(algorithm: RngAlgorithm) -> String {
    algorithm.name().to_lowercase().replace('_', "-")
}

fn counters() -> Vec<Draft> {
    const EDGES: [u32; 4] = [32, 64, 96, 128];
    const SIZES: [u64; 6] = [1, 4, 5, 9, 17, 33];
    const KEYS: [u64; 4] = [0, 1, 0x0123_4567_89ab_cdef, u64::MAX];
    let levels = [
        ALGORITHMS.len(),
        EDGES.len(),
        4,
        SIZES.len(),
        KEYS.len(),
        Dtype::ALL.len(),
        2,
    ];
    pairwise(&levels)
        .into_iter()
        .map(|row| {
            let (edge, size, key) = (EDGES[row[1]], SIZES[row[3]], KEYS[row[4]]);
            let algorithm = ALGORITHMS[row[0]];
            let below = u128::try_from(row[2]).expect("a level is small");
            let upper = if edge < 96 {
                0xa5a5_a5a5_0000_0000_0000_0000_0000_0000
            } else {
                0
            };
            let counter = 1_u128.checked_shl(edge).unwrap_or(0).wrapping_sub(below) | upper;
            let [low, high] = halves(counter);
            let state = if row[6] == 0 && algorithm != RngAlgorithm::ThreeFry {
                vec![key, low, high]
            } else {
                vec![key, low]
            };
            let words = state.len();
            let dtype = Dtype::ALL[row[5]];
            draft(
                algorithm,
                dtype,
                &[size],
                &state,
                &format!("words-{words}-{below}-below-2-{edge}-size-{size}-key-{}", row[4]),
            )
        })
        .collect()
}

fn halves(counter: u128) -> [u64; 2] {
    let bytes = counter.to_le_bytes();
    let half = |from: usize| {
        bytes[from..from + 8]
            .iter()
            .rev()
            .fold(0, |half, &byte| half << 8 | u64::from(byte))
    };
    [half(0), half(8)]
}

fn shapes() -> Vec<Draft> {
    let state = [0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210];
    let mut drafts = Vec::new();
    for (i, sizes) in EXTENTS.iter().enumerate() {
        let three_fry = [
            Dtype::U32,
            Dtype::ALL[i % Dtype::ALL.len()],
            Dtype::ALL[(i + 5) % Dtype::ALL.len()],
        ];
        let philox = [Dtype::U32, Dtype::ALL[(i + 3) % Dtype::ALL.len()]];
        let three_fry = three_fry.map(|dtype| (RngAlgorithm::ThreeFry, dtype));
        let philox = philox.map(|dtype| (RngAlgorithm::Philox, dtype));
        for (algorithm, dtype) in three_fry.into_iter().chain(philox) {
            let spelled: Vec<String> = sizes.iter().map(u64::to_string).collect();
            let spelled = if sizes.is_empty() {
                "scalar".to_owned()
            } else {
                spelled.join("x")
            };
            drafts.push(draft(
                algorithm,
                dtype,
                sizes,
                &state,
                &format!("shape-{spelled}"),
            ));
        }
    }
    for dtype in Dtype::ALL {
        for algorithm in ALGORITHMS {
            drafts.push(draft(algorithm, *dtype, &[513], &[9, 7], "long"));
        }
    }
    drafts
}

pub(super) fn request(
    algorithm: RngAlgorithm,
    dtype: Dtype,
    sizes: &[u64],
    state: Tensor,
) -> RngBitGenerator {
    RngBitGenerator {
        initial_state: state,
        rng_algorithm: algorithm.into(),
        output_type: dtype.into(),
        output_sizes: sizes.to_vec(),
    }
}

fn draft(algorithm: RngAlgorithm, dtype: Dtype, sizes: &[u64], state: &[u64], topic: &str) -> Draft {
    let name = algorithm_name(algorithm);
    let elements: u64 = sizes.iter().product();
    let (mut clauses, mut errata) = (
        vec![
            "shlo.algorithm",
            "shlo.output.form",
            "shlo.state.form",
            "shlo.state.words",
            "shlo.state.after",
            "shlo.state.carry",
        ],
        vec!["shlo.state.words"],
    );
    match dtype.size() {
        8 => {
            clauses.push("shlo.bits.wide");
            errata.push("shlo.bits.word-order");
        }
        size => {
            clauses.push("shlo.bits.narrow");
            errata.extend((size < 4).then_some("shlo.bits.narrow"));
        }
    }
    clauses.extend((dtype.is_signed() || dtype.is_float()).then_some("shlo.bits.raw"));
    errata.extend(dtype.is_float().then_some("shlo.bits.float"));
    errata.extend((elements == 0).then_some("shlo.state.empty"));
    if algorithm == RngAlgorithm::Default {
        clauses.push("shlo.algorithm.default");
        errata.push("shlo.algorithm.default");
    }
    if algorithm == RngAlgorithm::ThreeFry {
        clauses.extend([
            "shlo.threefry.key",
            "shlo.threefry.rounds",
            "shlo.threefry.round",
            "shlo.threefry.rotations",
            "shlo.threefry.inject",
            "shlo.threefry.counter",
        ]);
        match (dtype.size(), sizes) {
            (8, _) => clauses.push("shlo.threefry.wide"),
            (_, []) => {
                clauses.push("shlo.threefry.scalar");
                errata.push("shlo.threefry.scalar");
            }
            _ => {
                clauses.extend(["shlo.threefry.half-shape", "shlo.threefry.interleaved"]);
                errata.push("shlo.threefry.half-shape");
            }
        }
    } else {
        clauses.extend(["shlo.philox.order", "shlo.philox.carry"]);
        if state.len() == 2 {
            clauses.push("shlo.philox.key-in-counter");
            errata.push("shlo.philox.key-in-counter");
        }
    }
    Draft {
        errata: names(&errata),
        ..Draft::new(
            &format!("shlo/{name}/{dtype}/{topic}"),
            &clauses,
            Request::RngBitGenerator(request(algorithm, dtype, sizes, Tensor::vector(state))),
        )
    }
}
