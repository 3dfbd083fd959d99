//! The words of the generators from which arrays are drawn, and the inverse from a block to its counter.
//!
//! These generators are written for the search: they start at any place of a stream, imitate slips in the
//! multiplication, and run backwards. Whether an implementation conforms is decided by other engines.

/// How the high half of a product of two words is computed: correctly, or with a slip that programs have had.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum High {
    #[default]
    Whole,
    /// From four products of halves, without the carry of their middle sum.
    CarryLost,
    /// From the product of the high halves alone.
    HighsAlone,
    /// From the product of the high halves and one of the two mixed products.
    OneMiddle,
    /// In f64, which rounds the product to 53 bits.
    Double,
    /// In f32, which rounds the product to 24 bits.
    Single,
    /// From the low 16 bits of the word alone.
    NarrowWord,
    /// In signed arithmetic.
    Signed,
}

/// The slips, each with a sentence.
pub(super) const SLIPS: [(High, &str); 7] = [
    (
        High::CarryLost,
        "the high half of a product is made of pieces, and the carry of the middle sum is lost",
    ),
    (
        High::HighsAlone,
        "the high half of a product is that of the high 16 bits alone",
    ),
    (
        High::OneMiddle,
        "the high half of a product is made of pieces, one of which is missing",
    ),
    (High::Double, "products are rounded to the 53 bits of an f64"),
    (
        High::Single,
        "the high half of a product is computed in f32, which rounds it to 24 bits",
    ),
    (High::NarrowWord, "a factor is cut to 16 bits before the product"),
    (High::Signed, "products are those of signed words"),
];

const M: [u32; 2] = [0xd251_1f53, 0xcd9e_8d57];
const W: [u32; 2] = [0x9e37_79b9, 0xbb67_ae85];

/// The low and the high word of a number.
pub(super) const fn halves(number: u64) -> [u32; 2] {
    let bytes = number.to_le_bytes();
    let [a, b, c, d, e, f, g, h] = bytes;
    [u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h])]
}

/// The words of a seed as Python takes it: as many as the number has.
pub(super) fn number(seed: u64) -> Vec<u32> {
    let [low, high] = halves(seed);
    if high == 0 { vec![low] } else { vec![low, high] }
}

pub(super) const fn joined([low, high]: [u32; 2]) -> u64 {
    (high as u64) << 32 | low as u64
}

fn words_of(counter: u128) -> [u32; 4] {
    let [low, high] = [counter, counter >> 64].map(|half| halves(u64_of(half)));
    [low[0], low[1], high[0], high[1]]
}

pub(super) fn counter_of([a, b, c, d]: [u32; 4]) -> u128 {
    u128::from(joined([c, d])) << 64 | u128::from(joined([a, b]))
}

fn u64_of(number: u128) -> u64 {
    let bytes = number.to_le_bytes();
    u64::from_le_bytes(*bytes.first_chunk().expect("sixteen bytes begin with eight"))
}

fn product(high: High, constant: u32, word: u32) -> [u32; 2] {
    let whole = halves(u64::from(constant) * u64::from(word));
    let [[ah, al], [bh, bl]] = [constant, word].map(|x| [x >> 16, x & 0xffff]);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_possible_wrap,
        clippy::cast_precision_loss,
        reason = "these are the casts of the programs that are imitated"
    )]
    match high {
        High::Whole => whole,
        High::CarryLost => [
            whole[0],
            (ah * bh)
                .wrapping_add(ah.wrapping_mul(bl) >> 16)
                .wrapping_add(al.wrapping_mul(bh) >> 16),
        ],
        High::HighsAlone => [whole[0], ah * bh],
        High::OneMiddle => [whole[0], (ah * bh).wrapping_add(ah.wrapping_mul(bl) >> 16)],
        High::Double => halves((f64::from(constant) * f64::from(word)) as u64),
        High::Single => [
            whole[0],
            ((constant as f32 * word as f32) * 2.0_f32.powi(-32)) as u32,
        ],
        High::NarrowWord => halves(u64::from(constant) * u64::from(bl)),
        High::Signed => halves((i64::from(constant as i32) * i64::from(word as i32)) as u64),
    }
}

/// A block of Philox4x32-10.
pub(super) fn philox(high: High, key: u64, counter: u128) -> [u32; 4] {
    let mut k = halves(key);
    let mut c = words_of(counter);
    for _ in 0..10 {
        let [p, q] = [product(high, M[0], c[0]), product(high, M[1], c[2])];
        c = [q[1] ^ c[1] ^ k[0], q[0], p[1] ^ c[3] ^ k[1], p[0]];
        k = [k[0].wrapping_add(W[0]), k[1].wrapping_add(W[1])];
    }
    c
}

/// The counter of a block of Philox4x32-10. Each round can be inverted, because its multipliers are odd.
pub(super) fn counter_of_philox(key: u64, block: [u32; 4]) -> u128 {
    // The inverses of the multipliers modulo 2^32.
    const INVERSE: [u32; 2] = [inverse(M[0]), inverse(M[1])];
    let k = halves(key);
    let mut c = block;
    for round in (0..10).rev() {
        let [k0, k1] = [0, 1].map(|i| k[i].wrapping_add(W[i].wrapping_mul(round)));
        let (c0, c2) = (c[3].wrapping_mul(INVERSE[0]), c[1].wrapping_mul(INVERSE[1]));
        let [p, q] = [product(High::Whole, M[0], c0), product(High::Whole, M[1], c2)];
        c = [c0, c[0] ^ q[1] ^ k0, c2, c[2] ^ p[1] ^ k1];
    }
    counter_of(c)
}

/// The inverse of an odd number modulo 2^32, by Newton's method: each step doubles the number of right bits.
pub(super) const fn inverse(odd: u32) -> u32 {
    // An odd number is its own inverse modulo 8. Three right bits become 96 in five steps, of which 32 are needed.
    let mut inverse = odd;
    let mut step = 0;
    while step < 5 {
        inverse = inverse.wrapping_mul(2_u32.wrapping_sub(odd.wrapping_mul(inverse)));
        step += 1;
    }
    inverse
}

const ROTATIONS: [[u32; 4]; 2] = [[13, 15, 26, 6], [17, 29, 16, 24]];

fn threefry_keys([k0, k1]: [u32; 2]) -> [u32; 3] {
    [k0, k1, k0 ^ k1 ^ 0x1bd1_1bda]
}

/// A block of Threefry2x32-20.
pub(super) fn threefry(key: [u32; 2], counter: [u32; 2]) -> [u32; 2] {
    let k = threefry_keys(key);
    let [mut a, mut b] = [counter[0].wrapping_add(k[0]), counter[1].wrapping_add(k[1])];
    for group in 0..5_u32 {
        for rotation in ROTATIONS[usize::from(group % 2 == 1)] {
            a = a.wrapping_add(b);
            b = b.rotate_left(rotation) ^ a;
        }
        let [i, j] = threefry_places(group);
        a = a.wrapping_add(k[i]);
        b = b.wrapping_add(k[j]).wrapping_add(group + 1);
    }
    [a, b]
}

/// The indices of the key words that are added after a group of four rounds.
const fn threefry_places(group: u32) -> [usize; 2] {
    match group % 3 {
        0 => [1, 2],
        1 => [2, 0],
        _ => [0, 1],
    }
}

/// The counter of a block of Threefry2x32-20.
pub(super) fn counter_of_threefry(key: [u32; 2], [mut a, mut b]: [u32; 2]) -> [u32; 2] {
    let k = threefry_keys(key);
    for group in (0..5_u32).rev() {
        let [i, j] = threefry_places(group);
        a = a.wrapping_sub(k[i]);
        b = b.wrapping_sub(k[j]).wrapping_sub(group + 1);
        for rotation in ROTATIONS[usize::from(group % 2 == 1)].into_iter().rev() {
            b = (b ^ a).rotate_right(rotation);
            a = a.wrapping_sub(b);
        }
    }
    [a.wrapping_sub(k[0]), b.wrapping_sub(k[1])]
}

/// The `n` words of `jax.random.bits` of a key. In today's order each word is the exclusive or of a block. In the order
/// before `jax_threefry_partitionable` the first words of all blocks come before the second ones, so that every word
/// depends on `n`.
pub(super) fn jax(key: [u32; 2], is_partitionable: bool, n: usize) -> Vec<u32> {
    let count = u32::try_from(n).unwrap_or(u32::MAX);
    if is_partitionable {
        let word = |i| {
            let [a, b] = threefry(key, [0, i]);
            a ^ b
        };
        return (0..count).map(word).collect();
    }
    let half = count.div_ceil(2);
    // JAX pads an odd number of counters with a zero.
    let blocks = (0..half).map(|i| threefry(key, [i, if half + i < count { half + i } else { 0 }]));
    let (first, second): (Vec<u32>, Vec<u32>) = blocks.map(|[a, b]| (a, b)).unzip();
    first.into_iter().chain(second).take(n).collect()
}

/// The first of the `n` words that JAX draws in its older order.
pub(super) fn jax_beginning(key: [u32; 2], n: usize, few: usize) -> Vec<u32> {
    let half = n.div_ceil(2);
    // The first words of all blocks come first. The last block of an odd number is padded.
    if few >= half {
        let mut words = jax(key, false, n);
        words.truncate(few);
        return words;
    }
    let second = u32::try_from(half).unwrap_or(u32::MAX);
    (0..)
        .take(few)
        .map(|i| threefry(key, [i, second + i])[0])
        .collect()
}

/// The first words of the `n` numbers of two words that JAX draws in its older order. The high halves of all come first there, so
/// that both halves of a number are those of one block.
pub(super) fn jax_pairs_beginning(key: [u32; 2], n: usize, few: usize) -> Vec<u32> {
    let second = u32::try_from(n).unwrap_or(u32::MAX);
    let blocks = (0..).take(few.min(n));
    blocks.flat_map(|i| threefry(key, [i, second + i])).collect()
}

/// The keys of `jax.random.split(key, count)`.
pub(super) fn jax_keys_of_split(key: [u32; 2], count: usize, is_partitionable: bool) -> Vec<[u32; 2]> {
    if is_partitionable {
        (0..).take(count).map(|i| threefry(key, [0, i])).collect()
    } else {
        let words = jax(key, false, 2 * count);
        words.as_chunks::<2>().0.to_vec()
    }
}

/// The two keys of `jax.random.split`.
pub(super) fn jax_split(key: [u32; 2], is_partitionable: bool) -> [[u32; 2]; 2] {
    if is_partitionable {
        return [threefry(key, [0, 0]), threefry(key, [0, 1])];
    }
    let [a, c] = threefry(key, [0, 2]);
    let [b, d] = threefry(key, [1, 3]);
    [[a, b], [c, d]]
}

/// A number below a bound, by Lemire's method; `None` after the last word.
pub(super) fn below(words: &mut impl Iterator<Item = u32>, bound: usize) -> Option<usize> {
    let bound = u64::try_from(bound).ok()?;
    // Without the draws below this some numbers would have a word more than others.
    let least = (1 << 32) % bound;
    let mut products = words.map(|word| u64::from(word) * bound);
    let product = products.find(|product| product & 0xffff_ffff >= least)?;
    usize::try_from(product >> 32).ok()
}

/// The low and the high halves of the numbers of `numpy.random.default_rng` with these words of entropy.
///
/// Source: `SeedSequence` in NumPy's `random/bit_generator.pyx`, and `pcg64.h`.
pub(super) fn numpy(entropy: &[u32], count: usize) -> Vec<u32> {
    let mut next = numpy_numbers(entropy);
    let mut words = Vec::with_capacity(count + 1);
    while words.len() < count {
        words.extend(halves(next()));
    }
    words.truncate(count);
    words
}

/// The numbers of 64 bits of the same generator, one by one. Zeros at the end of the entropy change nothing up to four words.
pub(super) fn numpy_numbers(entropy: &[u32]) -> impl FnMut() -> u64 + use<> {
    const MULTIPLIER: u128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;
    let wide = |words: [u32; 4]| {
        let [a, b, c, d] = words.map(u128::from);
        (b << 32 | a) << 64 | d << 32 | c
    };
    let [start, sequence] = seed_sequence(entropy).map(wide);
    let increment = sequence << 1 | 1;
    let step = move |state: u128| state.wrapping_mul(MULTIPLIER).wrapping_add(increment);
    let mut state = step(increment.wrapping_add(start));
    move || {
        state = step(state);
        let turn = halves(u64_of(state >> 122))[0];
        (u64_of(state >> 64) ^ u64_of(state)).rotate_right(turn)
    }
}

/// The eight words that `SeedSequence.generate_state` makes of entropy.
fn seed_sequence(entropy: &[u32]) -> [[u32; 4]; 2] {
    const POOL: usize = 4;
    let hashed = |word: u32, constant: &mut u32, multiplier: u32| {
        let mixed = word ^ *constant;
        *constant = constant.wrapping_mul(multiplier);
        let mixed = mixed.wrapping_mul(*constant);
        mixed ^ mixed >> 16
    };
    let mut constant = 0x43b0_d7e5;
    let mut into = |word: u32| hashed(word, &mut constant, 0x931e_8875);
    let mixed = |into: u32, other: u32| {
        let sum = into
            .wrapping_mul(0xca01_f9dd)
            .wrapping_sub(other.wrapping_mul(0x4973_f715));
        sum ^ sum >> 16
    };
    let mut pool: [u32; POOL] = std::array::from_fn(|i| into(entropy.get(i).copied().unwrap_or(0)));
    for from in 0..POOL {
        for to in (0..POOL).filter(|&to| to != from) {
            pool[to] = mixed(pool[to], into(pool[from]));
        }
    }
    for &word in entropy.iter().skip(POOL) {
        for to in &mut pool {
            *to = mixed(*to, into(word));
        }
    }
    let mut constant = 0x8b51_f9dd;
    [(); 2].map(|()| pool.map(|word| hashed(word, &mut constant, 0x58f3_8ded)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_of_jax_words_is_that_of_all() {
        for (n, few) in [(9, 4), (9, 5), (10, 4), (10, 5), (10, 9), (1, 1), (2, 1)] {
            let all = jax([3, 7], false, n);
            assert_eq!(jax_beginning([3, 7], n, few), all[..few], "{n} {few}");
        }
    }

    #[test]
    fn philox_and_threefry_give_the_known_answers() {
        let counter = 0x0370_7344_1319_8a2e_85a3_08d3_243f_6a88;
        let block = philox(High::Whole, 0x299f_31d0_a409_3822, counter);
        assert_eq!(block, [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]);
        assert_eq!(counter_of_philox(0x299f_31d0_a409_3822, block), counter);
        let (key, counter) = ([0x1319_8a2e, 0x0370_7344], [0x243f_6a88, 0x85a3_08d3]);
        let block = threefry(key, counter);
        assert_eq!(block, [0xc492_3a9c, 0x483d_f7a0]);
        assert_eq!(counter_of_threefry(key, block), counter);
    }

    /// Of NumPy 2.4: `default_rng(42)`, `default_rng(1 << 40)`, and `default_rng(SeedSequence(5).spawn(3)[2])`.
    #[test]
    fn numpy_s_numbers_are_those_of_a_seed_and_of_a_child() {
        let first = |entropy: &[u32]| joined([0, 1].map(|i| numpy(entropy, 2)[i]));
        assert_eq!(first(&[42]), 0xc621_fbcd_16d9_2688);
        assert_eq!(first(&[0, 256]), 0x5c5e_0425_ec26_0d81);
        assert_eq!(first(&[5, 0, 0, 0, 2]), 0xa23c_1888_cdd6_6fdb);
    }

    /// `jax.random.uniform(key(0), (4,))` of JAX 0.10, and of a release before the partitionable order.
    #[test]
    fn jax_has_two_orders() {
        let uniform = |words: Vec<u32>| -> Vec<f32> {
            words
                .iter()
                .map(|word| f32::from_bits(word >> 9 | 0x3f80_0000) - 1.0)
                .collect()
        };
        assert_eq!(
            uniform(jax([0, 0], true, 4)),
            [0.947_667, 0.978_579_9, 0.332_291_48, 0.468_668_46]
        );
        assert_eq!(
            uniform(jax([0, 0], false, 4)),
            [0.965_321_4, 0.225_158_93, 0.633_029_94, 0.296_381_83]
        );
    }
}
