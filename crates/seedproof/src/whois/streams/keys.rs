//! Arrays of JAX whose key is far from the one that a seed makes: a step of a loop that is folded in, a child of many, a long
//! chain of splits.

use super::Search;
use super::ranked::Groups;
use crate::whois::derived::{JaxKey, far_jax_keys};
use crate::whois::generator::{jax, threefry};
use crate::whois::numbers::as_f64;
use crate::whois::sources::Among;

/// The elements whose order is compared before an array is compared whole.
const FIRST: usize = 32;
/// The most elements of an array of JAX's original order, in which each word depends on their number.
const LARGEST: usize = 1 << 10;

impl Search<'_> {
    /// Whatever JAX draws from the keys that programs make of a seed's by folding numbers in and by splitting. An array is
    /// compared whole only if its first elements are in the order of a key's words, as every function of them is that never
    /// falls or never grows.
    pub(super) fn far_keys(&mut self) {
        let n = self.seen.count();
        let few = n.min(FIRST);
        let elements = self.sought.actual.scalars().take(few);
        let values: Vec<f64> = elements.map(|it| it.to_f64() + 0.0).collect();
        if values.iter().any(|value| value.is_nan()) || self.sought.asked.is_some() {
            return;
        }
        let groups = Groups::of(&values);
        if groups.count() < 2 {
            return;
        }
        let seed = self.sought.seed;
        let keys = far_jax_keys(seed, &self.sought.name, n <= LARGEST);
        let ranges = self.ranges();
        // An order and its reverse, of the words of an element as one and of its first word.
        self.attempts += as_f64(4 * keys.len());
        let mut room = Vec::new();
        let mut are_in_order = |word: &dyn Fn(usize) -> u32| {
            [1.0, -1.0].into_iter().any(|sign| {
                let number = |i| sign * f64::from(word(i));
                groups.are_apart(number, 0.0, &mut room)
            })
        };
        for it in keys {
            let JaxKey {
                words: key,
                is_partitionable,
                ..
            } = it;
            let of = || it.from(seed);
            self.integers_of(key, is_partitionable, &ranges, &|| format!(", where {},", of()));
            let begins = if is_partitionable {
                let block = |i: usize| threefry(key, [0, u32::try_from(i).unwrap_or(u32::MAX)]);
                are_in_order(&|i| block(i)[0]) || are_in_order(&|i| block(i)[0] ^ block(i)[1])
            } else {
                let words = jax(key, false, n);
                are_in_order(&|i| words[i])
            };
            if begins {
                let others = std::mem::replace(&mut self.sources, vec![it.named(seed)]);
                self.at_once();
                self.linear(1, Among::Own);
                // A line is monotone too, and says more.
                if self.found.is_empty() {
                    self.ranked_in(&self.sources.clone(), 1, usize::MAX);
                }
                self.sources = others;
            }
            if self.is_found() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use seedproof_ops::Tensor;

    use crate::whois::streams::of_stages;
    use crate::whois::{Sought, Stream};

    fn named(sought: &Sought) -> Option<Stream> {
        of_stages(sought, &[], &[&|search| search.far_keys()])
            .into_iter()
            .next()
    }

    /// What JAX 0.10 drew from keys that were made of `jax.random.key(0)`.
    #[test]
    fn arrays_of_far_keys_are_named() {
        // `normal(fold_in(key, 1000), (3, 4))`.
        let folded = [
            1.269_707_2_f32,
            1.178_290_6,
            -0.058_758_62,
            1.928_888_1,
            -1.029_949_5,
            -0.411_519_05,
            -1.594_004_4,
            -0.440_775_96,
        ];
        // `key, used = split(key)`, forty times, and `normal(used, (10,))`.
        let split = [
            1.187_866_9_f32,
            -0.336_422_83,
            -0.506_486_7,
            0.612_093_7,
            0.278_382_5,
            0.311_734_26,
            0.198_161_97,
            0.014_295_49,
        ];
        // `uniform(fold_in(fold_in(key, 3), 5), (10,))`.
        let both = [
            0.500_098_8_f32,
            0.904_645_8,
            0.110_057_23,
            0.906_205_4,
            0.456_911_68,
            0.989_681_1,
            0.531_148_1,
            0.589_072_94,
        ];
        for (numbers, part) in [
            (folded, "fold_in(jax.random.key(0), 1000)"),
            (
                split,
                "`used` after 40 rounds of `key, used = jax.random.split(key)`",
            ),
            (both, "fold_in(jax.random.fold_in(jax.random.key(0), 3), 5)"),
        ] {
            let within = numbers.map(|x| [f64::from(x) - 1e-7, f64::from(x) + 1e-7]);
            let sought = Sought {
                within: Some(within.into()),
                ..Sought::new(Tensor::vector(&numbers), 0, 0)
            };
            let sentence = named(&sought).expect("it is drawn").sentence;
            assert!(sentence.contains(part), "{sentence}");
            assert_eq!(named(&Sought { seed: 1, ..sought }), None);
        }
        // `randint(fold_in(key, 30), (20,), 0, 100)`.
        let whole = [
            7, 20, 51, 19, 10, 85, 2, 35, 4, 26, 43, 10, 80, 58, 94, 49, 94, 32, 99, 21,
        ];
        let of = |seed| named(&Sought::new(Tensor::vector(&whole), seed, 0));
        let sentence = of(0).expect("it is drawn").sentence;
        assert!(sentence.contains("fold_in(jax.random.key(0), 30)"), "{sentence}");
        assert_eq!(of(1), None);
    }

    /// What Flax 0.12 drew for the kernel of a `Dense` in a module `encoder`, by `jax.random.key(42)`.
    #[test]
    fn key_of_a_module_is_made_of_its_name() {
        let kernel = [
            -0.012_956_351_f32,
            0.428_492_46,
            0.102_638_6,
            -0.755_166_8,
            -0.043_473_7,
            0.548_131_05,
            0.043_524_78,
            0.260_967_67,
            -0.016_529_543,
            -0.467_847_26,
            0.490_889_16,
            0.265_499_7,
            -0.092_814_386,
            0.137_097_82,
            0.476_479_47,
            -0.635_244_1,
        ];
        let of = |name: &str| {
            let sought = Sought {
                name: name.to_owned(),
                ..Sought::new(Tensor::vector(&kernel), 42, 0)
            };
            named(&sought)
        };
        for name in ["params/encoder/Dense_0/kernel", "encoder.Dense_0.kernel"] {
            let sentence = of(name).expect("it is drawn").sentence;
            assert!(sentence.contains("in `encoder/Dense_0`"), "{sentence}");
        }
        assert_eq!(of("encoder/Dense_1/kernel"), None);
    }
}
