//! JAX's keys and draws.

use super::mistake::mistakes;
use crate::answers::{
    Bf16Width, BlockMix, CountPairs, FirstWord, FoldedBlock, GumbelFrom, HigherKey, JaxOrder, JaxScale,
    KeyHalves, KeySeedBits, LeastNumber, Multiplier, NarrowBounds, NarrowPart, NarrowWords, NoiseLog,
    NormalFrom, OddPad, PastGreatest, RootOfTwo, SortKey, SortRounds, SplitStride, SplitWords, Success,
    UnitDigits, WordOrder,
};

const COUNTER: &str =
    "put the high half of the number into the first word of the counter, and the low half into the second";
const ORIGINAL: &str = "pad the counts with a zero at the end, pair those of the first half with those of the second, and put all first words before all second ones";
const ORDER: &str = "draw in the order that jax_threefry_partitionable names";

mistakes! {
    clause: "jxk.words", erratum: None, fix: "put the high half of the seed first" => {
        "jax-seed-halves-exchanged": "the words of a key are exchanged: the low half of the seed comes first",
            |r| r.jax_keys.seed_order = FirstWord::Low;
    }
    clause: "jxk.words", erratum: Some("jxk.seed.width"), fix: "keep all 64 bits of the seed" => {
        "jax-seed-32-bits": "the seed is cut to its low 32 bits",
            |r| r.jax_keys.seed_bits = KeySeedBits::Low32;
    }
    clause: "jxs.partitionable", erratum: Some("jxs.order"), fix: ORDER => {
        "jax-order-original": "Threefry draws in the original order where the partitionable one is asked for",
            |r| r.jax_keys.order = JaxOrder::Original;
        "jax-order-partitionable": "Threefry draws in the partitionable order where the original one is asked for",
            |r| r.jax_keys.order = JaxOrder::Partitionable;
    }
    clause: "jxb.partitionable", erratum: None, fix: COUNTER => {
        "jax-counter-halves-exchanged": "the halves of the partitionable counter are exchanged",
            |r| r.jax_keys.counter = FirstWord::Low;
    }
    clause: "jxb.partitionable", erratum: Some("jxb.partitionable.mixed"),
    fix: "mix both words of the block by exclusive or" => {
        "jax-first-word-alone": "a partitionable number is the first word of its block alone, not both mixed by exclusive or",
            |r| r.jax_keys.mix = BlockMix::First;
        "jax-second-word-alone": "a partitionable number is the second word of its block alone, not both mixed by exclusive or",
            |r| r.jax_keys.mix = BlockMix::Second;
        "jax-words-added": "a partitionable number is the sum of both words of its block",
            |r| r.jax_keys.mix = BlockMix::Added;
    }
    clause: "jxb.partitionable.wide", erratum: None, fix: "take the first word for the high half" => {
        "jax-wide-exchanged": "the two words of a 64-bit number are exchanged in the partitionable order",
            |r| r.jax_keys.wide = FirstWord::Low;
    }
    clause: "jxb.original.wide", erratum: None,
    fix: "take word i for the high half and word n + i for the low one" => {
        "jax-planes-exchanged": "the two words of a 64-bit number are exchanged in the original order",
            |r| r.jax_keys.planes = FirstWord::Low;
    }
    clause: "jxb.partitionable", erratum: None, fix: "keep the low bits of the word" => {
        "jax-narrow-top-bits": "narrow numbers are the top bits of a word, not the low ones",
            |r| r.jax_keys.narrow = NarrowPart::Top;
    }
    clause: "jxb.original.words", erratum: Some("jxb.original.odd"), fix: ORIGINAL => {
        "jax-odd-padded-in-front": "an odd number of counts is padded at its beginning",
            |r| r.jax_keys.pad = OddPad::Front;
        "jax-odd-repeats-last": "an odd number of counts is padded with its last count, not with zero",
            |r| r.jax_keys.pad = OddPad::Repeated;
    }
    clause: "jxb.original.words", erratum: None, fix: ORIGINAL => {
        "jax-counts-neighbours": "the original order pairs neighbouring counts, not those of its two halves",
            |r| r.jax_keys.pairs = CountPairs::Neighbours;
    }
    clause: "jxs.original", erratum: None, fix: "give each key two neighbouring words" => {
        "jax-split-columns": "a split in the original order takes its words by columns",
            |r| r.jax_keys.split = SplitWords::Columns;
    }
    clause: "jxf.threefry", erratum: None, fix: COUNTER => {
        "jax-fold-in-high-half": "a folded number stands in the high half of the counter",
            |r| r.jax_keys.folded = FirstWord::Low;
    }
    clause: "jxf.unsafe", erratum: None, fix: "mix in block 9 of the stream of the number's key" => {
        "jax-unsafe-fold-first-block": "unsafe_rbg folds in the first block of the other key's stream, not the tenth",
            |r| r.jax_keys.folded_block = FoldedBlock::First;
    }
    clause: "jxs.unsafe", erratum: None, fix: "take every tenth block" => {
        "jax-unsafe-split-successive": "unsafe_rbg splits into successive blocks, not every tenth one",
            |r| r.jax_keys.stride = SplitStride::One;
    }
    clause: "jxb.philox.counter", erratum: None,
    fix: "take words 2 and 3 for the low half of the counter, and words 0 and 1 for the high half" => {
        "jax-rbg-counter-halves": "the halves of the counter of an rbg key are exchanged",
            |r| r.jax_keys.halves = KeyHalves::KeyIsLow;
    }
    clause: "jxb.philox.narrow", erratum: None, fix: "take a word for each narrow number" => {
        "jax-rbg-pieces": "narrow numbers of rbg are pieces of a word, not a word each",
            |r| r.jax_keys.narrow_words = NarrowWords::Pieces;
    }
    clause: "jxb.philox", erratum: None, fix: "take the first word for the low half" => {
        "jax-rbg-wide-exchanged": "the two words of a 64-bit number of rbg are exchanged",
            |r| r.jax_keys.philox_wide = WordOrder::HighFirst;
    }
    clause: "jxu.unit", erratum: None, fix: "take as many bits as the mantissa has" => {
        "jax-unit-digit-more": "the unit interval has one binary digit more than the mantissa: 24 of f32, not 23",
            |r| r.jax_values.digits = UnitDigits::Significand;
    }
    clause: "jxu.width", erratum: Some("jxu.width.bf16"), fix: "draw 8-bit numbers for bf16" => {
        "jax-bf16-of-16-bits": "bf16 takes the top bits of 16-bit numbers, not of 8-bit ones",
            |r| r.jax_values.bf16 = Bf16Width::Sixteen;
    }
    clause: "jxu.scale", erratum: Some("jxu.scale.fused"), fix: "round product and sum once" => {
        "jax-scale-rounded-twice": "product and sum of the scale are rounded apart, as under jax.disable_jit",
            |r| r.jax_values.scale = JaxScale::Separate;
    }
    clause: "jxu.least", erratum: Some("jxu.range.order"), fix: "take the greater of the number and minval" => {
        "jax-below-minval": "a number below minval is kept where the bounds are in the wrong order",
            |r| r.jax_values.least = LeastNumber::Kept;
    }
    clause: "jxr.multiplier", erratum: None, fix: "square 2^(width / 2) modulo the span" => {
        "jax-multiplier-not-squared": "the multiplier of randint is not squared",
            |r| r.jax_values.multiplier = Multiplier::Once;
    }
    clause: "jxr.draws", erratum: None, fix: "draw the higher bits too" => {
        "jax-lower-bits-alone": "randint reduces the lower word alone",
            |r| r.jax_values.multiplier = Multiplier::Zero;
    }
    clause: "jxr.draws", erratum: None, fix: "draw the higher bits by the first key" => {
        "jax-randint-keys-exchanged": "the two keys of randint are exchanged",
            |r| r.jax_values.higher = HigherKey::Second;
    }
    clause: "jxr.span", erratum: Some("jxr.span.past-greatest"), fix: "count one number more" => {
        "jax-past-greatest-clipped": "a maxval past the greatest value of the type is taken for the greatest value",
            |r| r.jax_values.past_greatest = PastGreatest::Clipped;
    }
    clause: "jxr.narrow", erratum: Some("jxr.narrow.wraps"), fix: "cut the bounds to 32 bits first" => {
        "jax-narrow-bounds-clipped": "bounds of narrow types are clipped without being cut to 32 bits first",
            |r| r.jax_values.narrow_bounds = NarrowBounds::Clip;
    }
    clause: "jxe.less", erratum: None, fix: "set a one where the number is less than p" => {
        "jax-bernoulli-complement": "the comparison with p is turned round: ones come with probability 1 - p",
            |r| r.jax_values.success = Success::Greater;
    }
    clause: "jxe.uniform", erratum: None, fix: "draw numbers of f32" => {
        "jax-bernoulli-f64": "the numbers that are compared with p are f64, not f32",
            |r| r.jax_values.success = Success::LessInF64;
    }
    clause: "jxp.rounds", erratum: Some("jxp.rounds.number"), fix: "sort as often as the cube of n needs" => {
        "jax-permutation-one-round": "a permutation is sorted once where it needs two rounds",
            |r| r.jax_values.rounds = SortRounds::Once;
    }
    clause: "jxp.sort", erratum: None, fix: "draw by the second key, and keep the first for the next round" => {
        "jax-permutation-first-key": "a permutation sorts by the first of the two keys",
            |r| r.jax_values.sort_key = SortKey::First;
    }
    clause: "jxn.uniform", erratum: None, fix: "draw from the number after -1" => {
        "jax-normal-from-minus-one": "numbers of normals are drawn from -1, not from the number after it",
            |r| r.jax_values.normal_from = NormalFrom::MinusOne;
    }
    clause: "jxn.normal", erratum: None, fix: "round the root of 2 to f32 before it is multiplied" => {
        "jax-normal-root-in-double": "the root of 2 is multiplied in double, and the product is rounded",
            |r| r.jax_values.root = RootOfTwo::Double;
    }
    clause: "jxg.uniform", erratum: None, fix: "draw from the least normal f32" => {
        "jax-gumbel-from-zero": "numbers of Gumbel noise are drawn from 0, whose logarithm is infinite",
            |r| r.jax_values.gumbel_from = GumbelFrom::Zero;
        "jax-gumbel-from-epsilon": "numbers of Gumbel noise are drawn from 2^-23, not from the least normal f32",
            |r| r.jax_values.gumbel_from = GumbelFrom::Epsilon;
    }
    clause: "jxg.noise", erratum: Some("jxg.noise.log"), fix: "take XLA's logarithm" => {
        "jax-gumbel-log-glibc": "the logarithm of Gumbel noise is that of the GNU C library",
            |r| r.jax_values.noise_log = NoiseLog::Glibc;
        "jax-gumbel-log-correct": "the logarithm of Gumbel noise is correctly rounded",
            |r| r.jax_values.noise_log = NoiseLog::Correct;
    }
}
