//! The order of numbers that a key makes: it sorts them by random words.

use rayon::slice::ParallelSliceMut as _;
use seedproof_ops::Failure;

use super::Key;
use crate::bits::{halves, join};
use crate::level::Level;
use crate::{memory, split, stop};

/// The greatest draw, to whose powers the number of rounds is proportional.
const GREATEST: u128 = 0xffff_ffff;

/// Fills `out` with the i64 below a number of at most 2^32, in the order of the key.
///
/// # Errors
/// [`Failure::Broken`] if there is no memory for the words by which they are sorted.
pub(crate) fn permute(level: Level, mut key: Key, out: &mut [u8]) -> Result<(), Failure> {
    let count = out.len() / 8;
    let mut places: Vec<u64> = Vec::new();
    let reserved = places.try_reserve_exact(count);
    reserved.map_err(|_| Failure::error(format!("allocate the order of {count} numbers")))?;
    for (number, place) in (0_u64..).zip(out.as_chunks_mut().0) {
        *place = number.to_le_bytes();
    }
    for _ in 0..rounds(count) {
        if stop::is_set() {
            break;
        }
        let [next, drawn] = key.halves()?;
        key = next;
        let mut words = memory::output(4 * count)?;
        super::fill_bits(level, drawn.part([0, count]), 4, &mut words);
        places.clear();
        // The place decides between equal words, so that the order is the one of a stable sort.
        let draws = words.as_chunks().0.iter().map(|&word| u32::from_le_bytes(word));
        places.extend(draws.zip(0..).map(|(word, place)| join(word, place)));
        if split::pays(count) {
            places.par_sort_unstable();
        } else {
            places.sort_unstable();
        }
        // The words are not needed any more, and each number fits the four bytes of one: what is held beside the output is
        // to stay below twice its size.
        let mut before = words;
        let (numbers, _) = out.as_chunks_mut::<8>();
        for (before, [low @ .., _, _, _, _]) in before.as_chunks_mut::<4>().0.iter_mut().zip(&*numbers) {
            *before = *low;
        }
        let (before, _) = before.as_chunks::<4>();
        for (out, &place) in numbers.iter_mut().zip(&places) {
            let [place, _] = halves(place);
            let number = before[usize::try_from(place).expect("a place fits an index")];
            *out = u64::from(u32::from_le_bytes(number)).to_le_bytes();
        }
    }
    Ok(())
}

/// `ceil(3 ln(max(1, count)) / ln(2^32 - 1))`, in integers.
fn rounds(count: usize) -> u32 {
    let count = u128::try_from(count).expect("a count fits 128 bits");
    let enough = |rounds: &u32| count.pow(3) <= GREATEST.pow(*rounds);
    (0..3).find(enough).unwrap_or(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_change_where_the_cube_passes_a_power() {
        let all = [0, 1, 2, 1625, 1626, 2_642_245, 2_642_246, 1 << 30].map(rounds);
        assert_eq!(all, [0, 0, 1, 1, 2, 2, 3, 3]);
    }
}
