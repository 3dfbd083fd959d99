//! Shapes of a number of elements, and how an id spells them.

/// `count` elements in so many extents, its prime factors dealt out from the last extent on; rank 1 where a
/// scalar cannot hold them.
pub(super) fn factored(count: u64, rank: usize) -> Vec<u64> {
    let mut dims = vec![1; if count == 1 { rank } else { rank.max(1) }];
    if dims.is_empty() {
        return dims;
    }
    if count == 0 {
        dims.fill(2);
        let middle = dims.len() / 2;
        dims[middle] = 0;
        return dims;
    }
    let (mut rest, mut prime, mut at) = (count, 2, dims.len() - 1);
    while rest > 1 {
        if rest % prime == 0 {
            rest /= prime;
            dims[at] *= prime;
            at = if at == 0 { dims.len() - 1 } else { at - 1 };
        } else if prime * prime > rest {
            prime = rest;
        } else {
            prime += 1;
        }
    }
    dims
}

pub(super) fn spelled(dims: &[u64]) -> String {
    let extents: Vec<String> = dims.iter().map(u64::to_string).collect();
    if dims.is_empty() {
        "scalar".to_owned()
    } else {
        extents.join("x")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factored_shapes_have_the_count_and_the_rank() {
        for count in [0, 1, 2, 12, 623, 65_537, 1_000_003] {
            for rank in 0..9 {
                let dims = factored(count, rank);
                assert_eq!(dims.iter().product::<u64>(), count);
                assert!(dims.len() == rank || (rank == 0 && dims.len() == 1));
            }
        }
        assert!(factored(1, 0).is_empty());
        assert_eq!(factored(12, 2), [2, 6]);
    }
}
