//! Permutations that are drawn after other numbers of the same generator: the order of the first epoch after a model was
//! initialised, a `numpy.random.permutation` after the data were drawn.

use std::collections::HashMap;

use seedproof_ops::each;

use super::generator::{halves, joined};
use super::numbers::{as_f64, orders};
use super::sought::Sought;
use super::streams::Stream;
use super::twister::Mt;

/// The most words before a permutation, which a million weights take.
const MOST_BEFORE: usize = 1 << 20;

/// The most words before the seed that a `DataLoader` draws: each is the seed of a generator of its own, which takes a microsecond
/// to fill.
const MOST_BEFORE_SEED: usize = 1 << 17;

/// The seeds that one core tries at a time.
const SHARE: usize = 1 << 12;

/// The words that exclude nearly every seed.
const FEW: usize = 8;

/// The permutation that begins with `places` among those of PyTorch's and NumPy's generators of a seed, after any number of other
/// draws. `sizes` are the numbers of things that it may have.
pub(super) fn after_others(
    sought: &Sought,
    sizes: &[usize],
    places: &[usize],
    attempts: usize,
) -> Option<Stream> {
    let seed = sought.seed;
    let is_whole = sizes == [places.len()];
    let tried = (2 * MOST_BEFORE + MOST_BEFORE_SEED).saturating_mul(sizes.len());
    let found = |name: &str, n: usize, sentence: String| {
        let of = places.len();
        let attempts = sought.attempts(as_f64(attempts.saturating_add(tried)));
        Stream::whole(
            name.to_owned(),
            sentence,
            of,
            [orders(n, of), attempts],
            1 + usize::from(!is_whole),
        )
    };
    let sizes: Vec<usize> = sizes
        .iter()
        .copied()
        .filter(|&n| n >= places.len() && found("", n, String::new()).is_certain())
        .collect();
    let longest = *sizes.iter().max()?;
    let words = Mt::default().words(halves(seed)[0], MOST_BEFORE + 2 * longest);
    for &n in &sizes {
        if let Some(before) = (1..MOST_BEFORE).find(|before| torch(&words[*before..], n, places)) {
            let sentence =
                format!("torch.randperm({n}) after torch.manual_seed({seed}) and draws of {before} words");
            return Some(found("torch.randperm", n, sentence));
        }
    }
    if is_whole && let Some(before) = (1..MOST_BEFORE).find(|before| numpy(&words[*before..], places)) {
        let n = longest;
        let sentence = format!(
            "numpy.random.permutation({n}) after numpy.random.seed({seed}) and draws of {before} words"
        );
        return Some(found("numpy.random.permutation", n, sentence));
    }
    let shares: Vec<usize> = (1..MOST_BEFORE_SEED).step_by(SHARE).collect();
    let drawn_by = |before: usize| {
        let number = joined([words[before + 1], words[before]]) & (u64::MAX >> 1);
        let drawn = |count: usize| Mt::default().words(halves(number)[0], count);
        // The first few words exclude nearly every seed and size.
        let few = drawn(FEW.min(places.len()));
        let fits =
            |&&n: &&usize| torch(&few, n, &places[..few.len()]) && torch(&drawn(places.len()), n, places);
        sizes.iter().find(fits).map(|&n| (before, n))
    };
    let shares = each(&shares, |&from| (from..from + SHARE).find_map(drawn_by));
    let (before, n) = shares.into_iter().flatten().next()?;
    let sentence = format!(
        "torch.randperm({n}) of a generator whose seed is drawn after torch.manual_seed({seed}) and draws of {before} words, as a \
         shuffled DataLoader draws it"
    );
    Some(found("torch.utils.data.DataLoader", n, sentence))
}

/// Whether these words begin a permutation of `n` things with `places` in `torch.randperm`, which chooses the first thing first.
///
/// Source: `randperm_cpu` in `aten/src/ATen/native/TensorFactories.cpp`.
fn torch(words: &[u32], n: usize, places: &[usize]) -> bool {
    // Nearly all words are excluded by the first thing, before anything is moved.
    let mut moved: HashMap<usize, usize> = HashMap::new();
    words.len() >= places.len()
        && places.iter().zip(words).enumerate().all(|(at, (&place, &word))| {
            let from = at + usize::try_from(word).unwrap_or(usize::MAX) % (n - at);
            let drawn = moved.get(&from).copied().unwrap_or(from);
            drawn == place && {
                let own = moved.get(&at).copied().unwrap_or(at);
                moved.insert(from, own);
                true
            }
        })
}

/// Whether these words make a permutation of `numpy.random.permutation`, from its last thing on: a word below the least mask that
/// holds the index is taken, and others are drawn again.
///
/// Source: `random_interval` in `numpy/random/src/legacy/legacy-distributions.c`.
fn numpy(words: &[u32], places: &[usize]) -> bool {
    let mut words = words.iter();
    let mut moved: HashMap<usize, usize> = HashMap::new();
    (1..places.len()).rev().all(|at| {
        let mask = u32::try_from(at).map_or(u32::MAX, |at| u32::MAX >> at.leading_zeros());
        let index = words
            .by_ref()
            .map(|word| usize::try_from(word & mask).unwrap_or(usize::MAX))
            .find(|index| *index <= at);
        let Some(from) = index else { return false };
        let drawn = moved.get(&from).copied().unwrap_or(from);
        drawn == places[at] && {
            let own = moved.get(&at).copied().unwrap_or(at);
            moved.insert(from, own);
            true
        }
    })
}

#[cfg(test)]
mod tests {
    use seedproof_ops::Tensor;

    use super::*;

    /// PyTorch 2.15: `torch.manual_seed(3); torch.rand(1000); torch.randperm(20)`, and the order of a `DataLoader` after it.
    /// NumPy 2.4: `numpy.random.seed(3); numpy.random.rand(1000); numpy.random.permutation(20)`.
    #[test]
    fn permutations_after_other_draws_are_named() {
        let asked = |seed| Sought::new(Tensor::vector(&[0_i64]), seed, 0);
        let sentence = |seed, places: &[usize]| {
            after_others(&asked(seed), &[places.len()], places, 1).map(|it| it.sentence)
        };
        for (places, said) in [TORCH, LOADER, NUMPY] {
            let found = sentence(3, &places).expect("it is drawn");
            assert!(found.contains(said), "{found}");
            assert_eq!(sentence(4, &places), None);
            // So few things are in an order by chance.
            let few: Vec<usize> = places.into_iter().filter(|place| *place < 12).collect();
            assert_eq!(sentence(3, &few), None);
        }
        // The first batch of an epoch.
        for (places, said) in [TORCH, LOADER] {
            let found = after_others(&asked(3), &[16, 20, 21], &places[..16], 1)
                .expect("it is drawn")
                .sentence;
            assert!(found.contains(said), "{found}");
        }
    }

    type Drawn = ([usize; 20], &'static str);

    const TORCH: Drawn = (
        [
            7, 16, 12, 4, 10, 3, 9, 2, 17, 6, 19, 15, 18, 13, 11, 8, 1, 5, 14, 0,
        ],
        "torch.randperm(20) after torch.manual_seed(3) and draws of 1000 words",
    );
    const LOADER: Drawn = (
        [
            8, 4, 1, 14, 15, 19, 13, 11, 6, 18, 10, 5, 2, 12, 9, 3, 7, 17, 16, 0,
        ],
        "torch.manual_seed(3) and draws of 1002 words, as a shuffled DataLoader draws it",
    );
    const NUMPY: Drawn = (
        [
            14, 1, 0, 4, 15, 8, 16, 2, 11, 13, 7, 6, 12, 3, 17, 5, 10, 9, 18, 19,
        ],
        "numpy.random.permutation(20) after numpy.random.seed(3) and draws of 2000 words",
    );
}
