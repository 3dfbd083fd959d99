//! MT19937, the Mersenne Twister of Matsumoto and Nishimura (1998), in the words of RandomUniform-8.
//!
//! Seeded by one word, as `std::mt19937(seed)`, `torch.manual_seed(seed)` and NumPy's `RandomState(seed)`
//! are, or by an array, as `RandomState` is by a list.

/// The number of words of the state: i cannot exceed 623.
const N: usize = 624;

/// The distance, in words, of the word that a new one is mixed with.
const M: usize = 397;

type State = [u32; N];

/// `[ru8.mt.seed]`: `state[0] = global_seed & 0xffffffff`, and each further word from the one before.
///
/// Erratum `ru8.mt.seed-precedence`: the exclusive or comes before the product; everything is modulo 2^32.
/// Erratum `ru8.seeds.high-half`: bits 32 and up of the seed have no effect.
pub fn seed(global_seed: u64) -> State {
    let [b0, b1, b2, b3, ..] = global_seed.to_le_bytes();
    let mut state = [0; N];
    state[0] = u32::from_le_bytes([b0, b1, b2, b3]);
    for (i, addend) in (1..N).zip(1_u32..) {
        let s = state[i - 1];
        state[i] = 1_812_433_253_u32.wrapping_mul(s ^ (s >> 30)).wrapping_add(addend);
    }
    state
}

/// `[rsr.list]`: `init_by_array` of mt19937ar.c, two passes over the state of the seed 19650218. The key has a word or more.
pub fn seed_by_array(key: &[u32]) -> State {
    let mut state = seed(19_650_218);
    let mixed = |state: &State, i: usize, factor: u32| {
        let s = state[i - 1];
        state[i] ^ (s ^ (s >> 30)).wrapping_mul(factor)
    };
    // The last word is the one before the second, so that each pass goes round without the first.
    let next = |state: &mut State, i: usize| {
        if i + 1 < N {
            return i + 1;
        }
        state[0] = state[N - 1];
        1
    };
    let mut i = 1;
    for (&word, j) in key.iter().zip(0_u32..).cycle().take(N.max(key.len())) {
        state[i] = mixed(&state, i, 1_664_525).wrapping_add(word).wrapping_add(j);
        i = next(&mut state, i);
    }
    for _ in 1..N {
        let index = u32::try_from(i).expect("an index below 624");
        state[i] = mixed(&state, i, 1_566_083_941).wrapping_sub(index);
        i = next(&mut state, i);
    }
    // Only the top bit of the first word is part of the state: with it set, no key makes a state of zeros.
    state[0] = 0x8000_0000;
    state
}

/// `[ru8.mt.twist]`: a new state array, word by word in place, once all words are used; also before the
/// first.
///
/// Erratum `ru8.mt.twist-wrap`: past the end, the word at distance m is `state[i + m - 624]`.
pub fn twist(state: &mut State) {
    for i in 0..N {
        let current_state = state[i];
        let next_state = state[(i + 1) % N];
        let next_m_state = state[(i + M) % N];
        let twisted_state = (((current_state & 0x8000_0000) | (next_state & 0x7fff_ffff)) >> 1)
            ^ if next_state & 1 == 1 { 0x9908_b0df } else { 0 };
        state[i] = next_m_state ^ twisted_state;
    }
}

/// `[ru8.mt.temper]`: a word of the state as it is handed out.
pub const fn temper(state_i: u32) -> u32 {
    let mut y = state_i;
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c_5680;
    y ^= (y << 15) & 0xefc6_0000;
    y ^ (y >> 18)
}

/// The words for a seed, one at a time and without end.
///
/// Erratum `ru8.generators.counter-based`: there is no counter, and no group of four.
pub fn words(global_seed: u64) -> impl Iterator<Item = u32> {
    words_of(seed(global_seed))
}

/// The words that a seeded state makes.
fn words_of(mut state: State) -> impl Iterator<Item = u32> {
    std::iter::repeat_with(move || {
        twist(&mut state);
        state
    })
    .flatten()
    .map(temper)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mt_10000th_word_is_that_of_the_cpp_standard() {
        assert_eq!(words(5489).nth(9_999), Some(4123659995));
    }

    #[test]
    fn mt_seeded_by_an_array_meets_mt19937ar() {
        let drawn: Vec<u32> = words_of(seed_by_array(&[0x123, 0x234, 0x345, 0x456]))
            .take(1000)
            .collect();
        assert_eq!(
            drawn[..5],
            [1067595299, 955945823, 477289528, 4107218783, 4228976476]
        );
        assert_eq!(drawn[999], 3460025646);
    }

    /// Words 1 to 4, 623 to 626 and 10,000 for a seed, as libstdc++'s `std::mt19937` draws them.
    #[test]
    fn mt_meets_libstdcpp_for_ten_seeds() {
        for (seed, first, around_624, word_10000) in [
            (
                0,
                [2357136044, 2546248239, 3071714933, 3626093760],
                [631131020, 3791854820, 341544762, 1076416385],
                1543171712,
            ),
            (
                1,
                [1791095845, 4282876139, 3093770124, 4005303368],
                [3906854836, 2006116153, 1104314680, 939235918],
                1237896635,
            ),
            (
                42,
                [1608637542, 3421126067, 4083286876, 787846414],
                [336967606, 1077437785, 108880612, 791707097],
                1399405940,
            ),
            (
                80,
                [2241610927, 2904069308, 3003927462, 2273937619],
                [2786094246, 2143566926, 2275781990, 3579350937],
                783934599,
            ),
            (
                150,
                [3902338276, 4002113978, 1107979771, 2492776473],
                [2840466710, 140646027, 4269071052, 250883206],
                98686678,
            ),
            (
                5489,
                [3499211612, 581869302, 3890346734, 3586334585],
                [2227348307, 4020325887, 4178893912, 610818241],
                4123659995,
            ),
            (
                19650218,
                [2325592414, 482149846, 4177211283, 3872387439],
                [820513206, 1314818247, 481983660, 4207455015],
                499790840,
            ),
            (
                2147483647,
                [1689602031, 3831148394, 2820341149, 2744746572],
                [596190594, 783587695, 3361712287, 3597854408],
                1158878309,
            ),
            (
                2147483648,
                [652847386, 1439962116, 3524204305, 1548966947],
                [3482533866, 2283417207, 2355930816, 862435388],
                110181776,
            ),
            (
                4294967295,
                [419326371, 479346978, 3918654476, 2416749639],
                [1222270187, 1027084080, 3860652269, 657474326],
                1117955853,
            ),
        ] {
            let drawn: Vec<u32> = words(seed).take(10_000).collect();
            assert_eq!(drawn[..4], first);
            assert_eq!(drawn[622..626], around_624);
            assert_eq!(drawn[9_999], word_10000);
        }
    }

    #[test]
    fn mt_seed_keeps_its_low_32_bits() {
        assert_eq!(seed(150), seed((1 << 32) + 150));
        assert_ne!(seed(150), seed(151));
    }
}
