//! NumPy's legacy generator `RandomState`: MT19937, seeded by a number or by a list, and what is drawn from it.
//!
//! NEP 19 promises that its streams never change. Permutations of an array and the other distributions are absent.

pub mod permutation;
pub mod rand;
pub mod randint;
pub mod randn;

use seedproof_ops::{ErrorKind, Failure, Limits};

use crate::numpy::{Start, bit_generator::BitGenerator};
use crate::{mt19937, validate};

/// `[rsr.seed]`: a number of 32 bits fills the state as one word. `[rsr.list]`: a list fills it as an array, also where it has
/// one word. `[rsr.words]`: the state is twisted before the first draw.
///
/// Errata `rsr.list.one`, `rsr.list.order` and `rsr.position`.
fn start(seed: i128, words: Option<i128>, execution: u32) -> Result<Start, Failure> {
    let refused = || {
        let of = words.map_or_else(String::new, |words| format!(" of {words} words"));
        let message = format!("take the seed {seed}{of}: expected words of 32 bits");
        Ok(validate::refuse(ErrorKind::Attribute, message)?)
    };
    let (Ok(number), Ok(count)) = (u128::try_from(seed), u128::try_from(words.unwrap_or(1))) else {
        return refused();
    };
    // Four words hold every seed, and all that follow them are zero.
    let bits = u32::try_from(32 * count.min(4)).expect("at most 128");
    if bits == 0 || number.checked_shr(bits).unwrap_or(0) > 0 {
        return refused();
    }
    let word = |place: u32| {
        let shifted = number.checked_shr(32 * place).unwrap_or(0);
        u32::try_from(shifted & 0xffff_ffff).expect("32 bits")
    };
    let state = if words.is_none() {
        mt19937::seed(word(0).into())
    } else {
        let length = Limits::seed_words(count)?;
        let key: Vec<u32> = (0..4)
            .map(word)
            .chain(std::iter::repeat(0))
            .take(length)
            .collect();
        mt19937::seed_by_array(&key)
    };
    Ok(Start::of(BitGenerator::of_state(Box::new(state)), execution))
}
