//! Other generators, filling the same slices with the same numbers.

use rand_mt::Mt;
use rand_philox::Philox;

/// f32 in [0, 1) from Philox, by some peer.
pub(crate) type PhiloxF32 = fn(&mut [f32], u64, u64);
/// f32 in [0, 1) from MT19937, by some peer.
pub(crate) type Mt19937F32 = fn(&mut [f32], u32);

/// Peers for Philox, each with its name.
pub(crate) fn philox() -> Vec<(&'static str, PhiloxF32)> {
    vec![
        ("rand_philox", rand_philox_f32 as PhiloxF32),
        #[cfg(feature = "peers")]
        ("Random123", foreign::random123_f32),
        #[cfg(mkl)]
        ("MKL", foreign::mkl_philox_f32),
    ]
}

/// Peers for MT19937, each with its name.
pub(crate) fn mt19937() -> Vec<(&'static str, Mt19937F32)> {
    vec![
        ("rand_mt", rand_mt_f32 as Mt19937F32),
        #[cfg(feature = "peers")]
        ("std::mt19937", foreign::mt19937_f32),
        #[cfg(mkl)]
        ("MKL", foreign::mkl_mt19937_f32),
    ]
}

/// Words of Threefry2x32-20, by some peer.
pub(crate) type ThreefryWords = fn(&mut [u32], u64, u64);

/// Peers for Threefry, each with its name.
pub(crate) fn threefry() -> Vec<(&'static str, ThreefryWords)> {
    vec![
        #[cfg(feature = "peers")]
        ("Random123", foreign::random123_threefry as ThreefryWords),
    ]
}

fn rand_philox_f32(out: &mut [f32], key: u64, counter: u64) {
    let mut words = Philox::new(key_words(key), u128::from(counter) << 64);
    for x in out {
        *x = f32::from_bits(0x3f80_0000 | (words.next_u32() & 0x7f_ffff)) - 1.0;
    }
}

/// A key's words, the least significant first.
fn key_words(key: u64) -> [u32; 2] {
    let [a, b, c, d, e, f, g, h] = key.to_le_bytes();
    [u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h])]
}

#[expect(clippy::cast_precision_loss, reason = "24 bits fit an f32")]
fn rand_mt_f32(out: &mut [f32], seed: u32) {
    let mut words = Mt::new(seed);
    for x in out {
        *x = (words.next_u32() & 0xff_ffff) as f32 / 16_777_216.0;
    }
}

/// The peers in C++.
#[cfg(feature = "peers")]
#[expect(unsafe_code, reason = "calls of another language, in measurements only")]
mod foreign {
    unsafe extern "C" {
        fn peer_random123_f32(out: *mut f32, count: usize, key: u64, counter: u64);
        fn peer_random123_threefry(out: *mut u32, count: usize, key: u64, counter: u64);
        fn peer_mt19937_f32(out: *mut f32, count: usize, seed: u32);
        #[cfg(mkl)]
        fn peer_mkl_philox_f32(out: *mut f32, count: usize, key: u64, counter: u64);
        #[cfg(mkl)]
        fn peer_mkl_mt19937_f32(out: *mut f32, count: usize, seed: u32);
    }

    pub(crate) fn random123_f32(out: &mut [f32], key: u64, counter: u64) {
        // SAFETY: the function writes `count` floats from `out` on, which the slice has.
        unsafe { peer_random123_f32(out.as_mut_ptr(), out.len(), key, counter) }
    }

    pub(crate) fn random123_threefry(out: &mut [u32], key: u64, counter: u64) {
        // SAFETY: the function writes `count` words from `out` on, which the slice has.
        unsafe { peer_random123_threefry(out.as_mut_ptr(), out.len(), key, counter) }
    }

    pub(crate) fn mt19937_f32(out: &mut [f32], seed: u32) {
        // SAFETY: the function writes `count` floats from `out` on, which the slice has.
        unsafe { peer_mt19937_f32(out.as_mut_ptr(), out.len(), seed) }
    }

    #[cfg(mkl)]
    pub(crate) fn mkl_philox_f32(out: &mut [f32], key: u64, counter: u64) {
        // SAFETY: the function writes `count` floats from `out` on, which the slice has.
        unsafe { peer_mkl_philox_f32(out.as_mut_ptr(), out.len(), key, counter) }
    }

    #[cfg(mkl)]
    pub(crate) fn mkl_mt19937_f32(out: &mut [f32], seed: u32) {
        // SAFETY: the function writes `count` floats from `out` on, which the slice has.
        unsafe { peer_mkl_mt19937_f32(out.as_mut_ptr(), out.len(), seed) }
    }
}
