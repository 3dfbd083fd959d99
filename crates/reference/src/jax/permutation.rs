//! JAX permutation: the numbers below one in an order from a key.
//!
//! There are no stages: a number takes draws of each round.

use seedproof_ops::{Dtype, Failure, JaxPermutation, Limits, Response, Shape};

use super::bits::filled;
use super::keys::{self, Key};

/// A valid request.
pub struct Plan {
    key: Key,
    shape: Shape,
}

impl Plan {
    /// The plan for a request.
    ///
    /// `[jxp.n]`: a negative number stands for 0.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit.
    pub fn new(request: &JaxPermutation, limits: Limits) -> Result<Self, Failure> {
        let implementation = keys::implementation(&request.implementation)?;
        let key = keys::given(implementation, request.partitionable, &request.key)?;
        let n = u64::try_from(request.n.max(0)).unwrap_or(u64::MAX);
        Ok(Self {
            key,
            shape: limits.shape(Dtype::I64, &[n])?,
        })
    }

    /// `[jxp.sort]`: each round splits the key in two, goes on with the first, and sorts the numbers by the 32-bit draws
    /// of the second; those of equal draws stay in order.
    ///
    /// Erratum `jxp.sort.ties`.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for the output.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        let count = self.shape.count();
        let allocate = || {
            let mut list: Vec<u64> = Vec::new();
            let reserved = list.try_reserve_exact(count);
            reserved.map_err(|_| Failure::error(format!("allocate {count} numbers")))?;
            Ok::<_, Failure>(list)
        };
        if u32::try_from(count.saturating_sub(1)).is_err() {
            return Err(Failure::error(format!("sort {count} numbers: 2^32 at most")));
        }
        let mut numbers = allocate()?;
        numbers.extend((0_u64..).take(count));
        let mut key = self.key;
        for _ in 0..rounds(count) {
            let [next, sub] = [0, 1].map(|i| Key {
                words: key.split(2, i),
                ..key
            });
            // The place below the draw keeps those of equal draws in order. One list of both takes a third of the memory of a
            // stable sort of pairs.
            let mut order = allocate()?;
            order.extend(
                sub.bits(32, count)
                    .zip(0..)
                    .map(|(draw, place)| draw << 32 | place),
            );
            order.sort_unstable();
            let place = |drawn: u64| usize::try_from(drawn & 0xffff_ffff).expect("a place fits an index");
            numbers = order.into_iter().map(|drawn| numbers[place(drawn)]).collect();
            key = next;
        }
        filled(Dtype::I64, &self.shape, numbers)
    }
}

/// `[jxp.rounds]`: `ceil(3 ln(n) / ln(2^32 - 1))`, which is the least number of rounds whose draws number n^3.
///
/// Erratum `jxp.rounds.number`.
fn rounds(count: usize) -> u32 {
    let count = u128::try_from(count.max(1)).expect("a machine counts in 64 bits at most");
    let draws = u128::from(u32::MAX);
    // n^3 <= (2^32 - 1)^r in numbers of 128 bits: from the fourth round on n would have more than 42 bits.
    (0..4)
        .find(|&rounds| {
            count
                .checked_pow(3)
                .is_some_and(|cubed| draws.pow(rounds) >= cubed)
        })
        .unwrap_or(4)
}

#[cfg(test)]
mod tests {
    use super::rounds;

    #[test]
    fn permutation_rounds_change_at_the_cube_roots() {
        assert_eq!(
            [0, 1, 2, 1625, 1626, 2_642_245, 2_642_246].map(rounds),
            [0, 0, 1, 1, 2, 2, 3]
        );
    }
}
