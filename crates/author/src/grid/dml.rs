//! DirectML RandomGenerator: counters around every carry, ranks, tails, keys.

use seedproof_ops::{DmlGenerator, DmlRandomGenerator, FeatureLevel, OpName, Request, Tensor};

use super::draft::{Draft, GridFile, names, shape, without_repeats};
use super::extents::{factored, spelled};
use super::memory::SHAPES;
use super::pairwise::pairwise;

const CLAUSES: [&str; 12] = [
    "dml.state.form",
    "dml.state.layout",
    "dml.output.form",
    "dml.output.bits",
    "dml.output.order",
    "dml.type",
    "ru8.philox.mul",
    "ru8.philox.round",
    "ru8.philox.rounds",
    "ru8.philox.key-raise",
    "dml.counter.increment",
    "dml.state.key-unchanged",
];

const KEYS: [[u32; 2]; 5] = [
    [0x0123_4567, 0x89ab_cdef],
    [0, 1],
    [u32::MAX, 0],
    [u32::MAX, u32::MAX],
    [0x9e37_79b9, 0xbb67_ae85],
];

const CARRIES: &str = "\
Counters a few blocks below 2^32, 2^64, 2^96 and 2^128. A test that starts at zero reaches the first
carry after seventeen billion words, so a counter that loses it, or carries into the key, ships; a
state that is saved and loaded again starts anywhere.";
const TAILS: &str = "\
Draws whose size is no multiple of four, at every output rank and both feature levels. The state
moves by whole blocks: ceil(n / 4), not n, not n / 4; the words that the last block leaves over
belong to nobody.";
const AXES: &str = "\
Two, three and four axes of unlike extents. An output that is stored along other axes than those of
its sizes has the right words in the wrong places.";
const KEYS_COMMENT: &str = "\
States in which every word is another number, so that any exchange of words shows: counter and key,
high and low, first and last. The key of a later state is the key of the earlier one.";

/// A request before its tensor is made.
struct DmlGridRequest<'a> {
    level: FeatureLevel,
    counter: u128,
    key: [u32; 2],
    state_dims: &'a [u64],
    sizes: &'a [u64],
    output_state: bool,
}

impl DmlGridRequest<'_> {
    fn draft(&self, topic: &str) -> Draft {
        let count: u64 = self.sizes.iter().product();
        let blocks = u128::from(count.div_ceil(4));
        let mut clauses = CLAUSES.to_vec();
        clauses.push(match self.level {
            FeatureLevel::Level3_0 => "dml.feature-level.3-0",
            FeatureLevel::Level4_0 => "dml.feature-level.4-0",
        });
        if self.output_state {
            clauses.push("dml.state.output");
        }
        if !count.is_multiple_of(4) {
            clauses.push("dml.output.tail-discarded");
        }
        if self.counter.wrapping_add(blocks) >> 32 != self.counter >> 32 {
            clauses.push("dml.counter.carry");
        }
        let mut errata = vec!["dml.counter.word-order"];
        if !count.is_multiple_of(4) && self.output_state {
            errata.push("dml.output.tail");
        }
        if self.counter.checked_add(blocks).is_none() {
            errata.push("dml.counter.wrap");
        }
        if self.state_dims.len() != self.sizes.len() {
            errata.push("dml.state.rank");
        }
        if self.output_state && self.state_dims.len() != 4 {
            errata.push("dml.state.same-sizes");
        }
        let id = format!("dml/feature-level-{}/{topic}", self.level);
        Draft {
            errata: names(&errata),
            ..Draft::new(&id, &clauses, Request::DmlRandomGenerator(self.request()))
        }
    }

    fn request(&self) -> DmlRandomGenerator {
        let state = [self.counter.to_le_bytes().to_vec(), words(self.key)].concat();
        DmlRandomGenerator {
            input_state: Tensor::new(seedproof_ops::Dtype::U32, shape(self.state_dims), state)
                .expect("a state has six words"),
            output_sizes: self.sizes.to_vec(),
            generator: DmlGenerator::Philox4x32_10.into(),
            feature_level: self.level.into(),
            output_state: self.output_state,
        }
    }
}

fn words(words: [u32; 2]) -> Vec<u8> {
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// The old level has four dimensions alone.
const fn level(old: bool) -> FeatureLevel {
    if old {
        FeatureLevel::Level3_0
    } else {
        FeatureLevel::Level4_0
    }
}

/// Ones and a final `last`.
fn ones_then(rank: usize, last: u64) -> Vec<u64> {
    let mut dims = vec![1; rank];
    dims[rank - 1] = last;
    dims
}

/// `feature-level-4.0`.
pub(super) fn id_parts(request: &DmlRandomGenerator) -> Vec<Option<String>> {
    let level = request.feature_level.known();
    vec![level.map(|level| format!("feature-level-{level}"))]
}

pub(super) fn files() -> Vec<GridFile> {
    let file = |path, comment, drafts| GridFile::new(OpName::DmlRandomGenerator, path, comment, drafts);
    vec![
        file("dml-random-generator/grid-carries.yaml", CARRIES, carry_drafts()),
        file("dml-random-generator/grid-axes.yaml", AXES, axis_drafts()),
        file("dml-random-generator/grid-tails.yaml", TAILS, tail_drafts()),
        file(
            "dml-random-generator/grid-words.yaml",
            KEYS_COMMENT,
            word_drafts(),
        ),
    ]
}

fn carry_drafts() -> Vec<Draft> {
    const EDGES: [u32; 4] = [32, 64, 96, 128];
    const SIZES: [u64; 7] = [1, 4, 5, 8, 9, 17, 64];
    let levels = [EDGES.len(), 4, SIZES.len(), 8, KEYS.len(), 2, 2];
    let drafts = pairwise(&levels)
        .into_iter()
        .map(|row| {
            let (edge, size) = (EDGES[row[0]], SIZES[row[2]]);
            let below = u128::try_from(row[1]).expect("a level is small");
            // Two to the 128 is zero in 128 bits; so many below it is the wrapped difference. The upper words
            // are not zero, so that a carry into them is no mere 1.
            let upper = if edge < 96 {
                0xa5a5_a5a5_0000_0000_0000_0000_0000_0000
            } else {
                0
            };
            let counter = 1_u128.checked_shl(edge).unwrap_or(0).wrapping_sub(below) | upper;
            let old = row[5] == 0;
            let rank = if old { 4 } else { row[3] + 1 };
            let sizes = factored(size, rank);
            let state_dims = if old {
                vec![1, 1, 1, 6]
            } else {
                ones_then(row[3] + 1, 6)
            };
            let request = DmlGridRequest {
                level: level(old),
                counter,
                key: KEYS[row[4]],
                state_dims: &state_dims,
                sizes: &sizes,
                output_state: row[6] == 0,
            };
            let state = if request.output_state { "" } else { "-no-state" };
            let distance = if below == 0 {
                "at".to_owned()
            } else {
                format!("{below}-below")
            };
            request.draft(&format!(
                "carry-{distance}-2-{edge}-size-{size}-rank-{rank}-key-{}{state}",
                row[4]
            ))
        })
        .collect();
    without_repeats(drafts)
}

fn axis_drafts() -> Vec<Draft> {
    let draft = |level, sizes: &[u64]| {
        let old = level == FeatureLevel::Level3_0;
        let request = DmlGridRequest {
            level,
            counter: 0x0f0e_0d0c_1b1a_1918_2726_2524_3332_3130,
            key: KEYS[0],
            state_dims: if old { &[1, 1, 1, 6] } else { &[6] },
            sizes,
            output_state: true,
        };
        request.draft(&format!("axes-{}", spelled(sizes)))
    };
    let mut drafts: Vec<Draft> = SHAPES
        .iter()
        .map(|sizes| draft(FeatureLevel::Level4_0, sizes))
        .collect();
    let four = [&[2, 3, 5, 4], &[5, 2, 3, 7], &[3, 1, 4, 5]];
    drafts.extend(four.map(|sizes| draft(FeatureLevel::Level3_0, sizes)));
    drafts
}

fn tail_drafts() -> Vec<Draft> {
    let mut drafts = Vec::new();
    for count in [
        1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 63, 64, 65, 255, 256, 257, 1000, 4095, 4097, 65_537,
    ] {
        for rank in [1, 4, 8] {
            let old = rank == 4;
            let request = DmlGridRequest {
                level: level(old),
                counter: 10,
                key: KEYS[0],
                state_dims: if old { &[1, 1, 1, 6] } else { &[6] },
                sizes: &factored(count, rank),
                output_state: true,
            };
            drafts.push(request.draft(&format!("tail-size-{count}-rank-{rank}")));
        }
    }
    for rank in 1..=8 {
        for state_rank in [1, 4, 8] {
            let request = DmlGridRequest {
                level: FeatureLevel::Level4_0,
                counter: 3,
                key: KEYS[1],
                state_dims: &ones_then(state_rank, 6),
                sizes: &factored(30, rank),
                output_state: rank % 2 == 0,
            };
            drafts.push(request.draft(&format!("rank-{rank}-state-rank-{state_rank}")));
        }
    }
    drafts
}

fn word_drafts() -> Vec<Draft> {
    const COUNTERS: [(&str, u128); 9] = [
        ("zero", 0),
        ("one", 1),
        ("word-0", 0x8000_0001),
        ("word-1", 0x8000_0001 << 32),
        ("word-2", 0x8000_0001 << 64),
        ("word-3", 0x8000_0001 << 96),
        ("all-different", 0x0f0e_0d0c_1b1a_1918_2726_2524_3332_3130),
        ("high-bits", 0x8000_0000_8000_0000_8000_0000_8000_0000),
        ("text", 0x4865_6c6c_6f46_726f_6d53_6561_7474_6c65),
    ];
    let mut drafts = Vec::new();
    for (name, counter) in COUNTERS {
        for (i, key) in KEYS.into_iter().enumerate() {
            let request = DmlGridRequest {
                level: FeatureLevel::Level4_0,
                counter,
                key,
                state_dims: &[6],
                sizes: &[2, 3],
                output_state: true,
            };
            drafts.push(request.draft(&format!("words-counter-{name}-key-{i}")));
        }
    }
    drafts
}
