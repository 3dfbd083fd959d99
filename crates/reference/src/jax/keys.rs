//! Keys of the three implementations, and the bits, keys and numbers that are made of them.

use seedproof_ops::{Attribute, Dtype, JaxKeyImpl, Named, OpError, Tensor};

use crate::{philox, threefry, validate};

/// A key and the flag `jax_threefry_partitionable`.
#[derive(Clone, Copy)]
pub(crate) struct Key {
    pub(crate) words: Words,
    pub(crate) partitionable: bool,
}

/// The words of a key.
#[derive(Clone, Copy)]
pub(crate) enum Words {
    Threefry([u32; 2]),
    Rbg([u32; 4]),
    UnsafeRbg([u32; 4]),
}

/// `[jxk.impl]`: one of the three.
pub(crate) fn implementation(attribute: &Attribute<JaxKeyImpl>) -> Result<JaxKeyImpl, OpError> {
    validate::attribute("impl", attribute, JaxKeyImpl::ALL)
}

/// `[jxs.key.form]`: as many u32 as the implementation has words.
pub(crate) fn given(
    implementation: JaxKeyImpl,
    partitionable: bool,
    tensor: &Tensor,
) -> Result<Key, OpError> {
    validate::dtype("key", tensor, &[Dtype::U32])?;
    let words: Vec<u32> = tensor.elements().map_or_else(|_| Vec::new(), Iterator::collect);
    let words = match (implementation, words.as_slice()) {
        _ if tensor.shape().rank() != 1 => None,
        (JaxKeyImpl::Threefry2x32, &[k0, k1]) => Some(Words::Threefry([k0, k1])),
        (JaxKeyImpl::Rbg, &[k0, k1, k2, k3]) => Some(Words::Rbg([k0, k1, k2, k3])),
        (JaxKeyImpl::UnsafeRbg, &[k0, k1, k2, k3]) => Some(Words::UnsafeRbg([k0, k1, k2, k3])),
        _ => None,
    };
    match words {
        Some(words) => Ok(Key { words, partitionable }),
        None => validate::shape("key", tensor, &format!("[{}]", implementation.words())),
    }
}

/// `[jxk.words]`: the high half of the seed as 64 bits, then the low one. `[jxk.rbg]`: both twice.
pub(crate) fn seeded(implementation: JaxKeyImpl, seed: u64) -> Words {
    let halves = philox::split(seed);
    match implementation {
        JaxKeyImpl::Threefry2x32 => Words::Threefry([halves.l, halves.r]),
        JaxKeyImpl::Rbg => Words::Rbg([halves.l, halves.r, halves.l, halves.r]),
        JaxKeyImpl::UnsafeRbg => Words::UnsafeRbg([halves.l, halves.r, halves.l, halves.r]),
    }
}

impl Words {
    pub(crate) fn to_vec(self) -> Vec<u32> {
        match self {
            Self::Threefry(words) => words.to_vec(),
            Self::Rbg(words) | Self::UnsafeRbg(words) => words.to_vec(),
        }
    }
}

impl Key {
    /// The element's bits for each of `count` elements of `width` bits, in row-major order.
    pub(crate) fn bits(self, width: u32, count: usize) -> impl Iterator<Item = u64> {
        let mask = u64::MAX >> (64 - width);
        (0_u64..).take(count).map(move |i| {
            mask & match self.words {
                Words::Threefry(key) if self.partitionable => partitionable(key, width, i),
                Words::Threefry(key) => original(key, width, as_u64(count), i),
                Words::Rbg(key) | Words::UnsafeRbg(key) => of_philox(key, width, i),
            }
        })
    }

    /// Key i of `count` new keys. `[jxs.rbg]`: the halves of a key of rbg are split as two keys of Threefry.
    /// `[jxs.unsafe]`: keys of `unsafe_rbg` are every tenth block of the stream of the key.
    pub(crate) fn split(self, count: u64, i: u64) -> Words {
        match self.words {
            Words::Threefry(key) => Words::Threefry(self.split_threefry(key, count, i)),
            Words::Rbg([k0, k1, k2, k3]) => {
                let [first, second] = [[k0, k1], [k2, k3]].map(|key| self.split_threefry(key, count, i));
                Words::Rbg([first[0], first[1], second[0], second[1]])
            }
            Words::UnsafeRbg(key) => Words::UnsafeRbg(block(key, 10 * i)),
        }
    }

    /// `[jxs.partitionable]`: the words of block i. `[jxs.original]`: words 2 i and 2 i + 1 of a stream of 2 n.
    fn split_threefry(self, key: [u32; 2], count: u64, i: u64) -> [u32; 2] {
        if self.partitionable {
            threefry_block(key, i)
        } else {
            [0, 1].map(|word| original_word(key, 2 * count, 2 * i + word))
        }
    }

    /// `[jxf.threefry]`: the words of the block of this number. `[jxf.rbg]`: of each half of the key. `[jxf.unsafe]`: the
    /// key mixed by exclusive or with block 9 of the stream of the key that the number makes as a seed.
    pub(crate) fn fold_in(self, data: u32) -> Words {
        let folded = |key| threefry_block(key, u64::from(data));
        match self.words {
            Words::Threefry(key) => Words::Threefry(folded(key)),
            Words::Rbg([k0, k1, k2, k3]) => {
                let [first, second] = [[k0, k1], [k2, k3]].map(folded);
                Words::Rbg([first[0], first[1], second[0], second[1]])
            }
            Words::UnsafeRbg(key) => {
                let of_data = block([0, data, 0, data], 9);
                Words::UnsafeRbg(std::array::from_fn(|word| key[word] ^ of_data[word]))
            }
        }
    }
}

/// A counter of Threefry, which has the high half of the number first.
fn threefry_block(key: [u32; 2], number: u64) -> [u32; 2] {
    let halves = philox::split(number);
    threefry::block(key, [halves.l, halves.r])
}

/// `[jxb.partitionable]`: up to 32 bits are the low ones of both words of block i, mixed by exclusive or.
/// `[jxb.partitionable.wide]`: of 64 bits the first word is the high one.
///
/// Erratum `jxb.partitionable.mixed`.
fn partitionable(key: [u32; 2], width: u32, i: u64) -> u64 {
    let [a, b] = threefry_block(key, i);
    if width == 64 {
        u64::from(a) << 32 | u64::from(b)
    } else {
        u64::from(a ^ b)
    }
}

/// `[jxb.original.narrow]`: words are cut into pieces, the low one first. `[jxb.original.wide]`: of `n` numbers of 64 bits,
/// number i has word i for its high half and word n + i for its low one.
fn original(key: [u32; 2], width: u32, count: u64, i: u64) -> u64 {
    let words = (u128::from(width) * u128::from(count)).div_ceil(32);
    let words = u64::try_from(words).expect("an output has fewer words than bytes");
    let word = |number| u64::from(original_word(key, words, number));
    match width {
        64 => word(i) << 32 | word(count + i),
        32 => word(i),
        _ => {
            let each = u64::from(32 / width);
            word(i / each) >> (u64::from(width) * (i % each))
        }
    }
}

/// `[jxb.original.words]`: the counts 0 to m - 1, an odd number of them padded with a zero, are cut in half; block j has
/// count j of either half, and the first words of all blocks come before the second ones.
///
/// Erratum `jxb.original.odd`.
fn original_word(key: [u32; 2], words: u64, number: u64) -> u32 {
    let half = words.div_ceil(2);
    let first = number % half;
    let second = if first + half < words { first + half } else { 0 };
    let pair = threefry::block(key, [first, second].map(|count| philox::split(count).r));
    if number < half { pair[0] } else { pair[1] }
}

/// `[jxb.philox]`: u32 are the words of the stream, u64 two each, the low one first. `[jxb.philox.narrow]`: up to 16 bits
/// are the low ones of a word each.
fn of_philox(key: [u32; 4], width: u32, i: u64) -> u64 {
    let word = |number: u64| {
        let [r0, r1, r2, r3] = block(key, number / 4).map(u64::from);
        [r0, r1, r2, r3][usize::try_from(number % 4).expect("below four")]
    };
    if width == 64 {
        word(2 * i) | word(2 * i + 1) << 32
    } else {
        word(i)
    }
}

/// `[jxb.philox.counter]`: words 0 and 1 are the key of Philox, the low one first, and the high half of the counter; words
/// 2 and 3 are its low half.
fn block([k0, k1, k2, k3]: [u32; 4], i: u64) -> [u32; 4] {
    let [high, low] = [[k0, k1], [k2, k3]].map(|[low, high]| u64::from(low) | u64::from(high) << 32);
    let counter = u128::from(high) << 64 | u128::from(low);
    philox::block(high, counter.wrapping_add(u128::from(i)))
}

fn as_u64(count: usize) -> u64 {
    u64::try_from(count).expect("a machine counts in 64 bits at most")
}
