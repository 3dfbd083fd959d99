//! Each method of a vector level beside the emulated one, for vectors of any bits.

use bytemuck::Pod;
use proptest::prelude::*;

use super::{Avx2, Avx512, Emulated, Mul52, Simd};

/// Sixteen words.
type V = <Emulated<true> as Simd>::V;

/// Both halves of sixteen words, where a vector has eight; else all of them.
fn parts<S: Simd>(words: V) -> Vec<S::V> {
    bytemuck::cast_slice(&words)
        .chunks_exact(4 * S::WORDS)
        .map(bytemuck::pod_read_unaligned)
        .collect()
}

fn bytes<T: Pod>(parts: &[T]) -> &[u8] {
    bytemuck::cast_slice(parts)
}

/// The bits of lanes where every NaN is the same one: of two operands that are NaNs, an instruction may keep another than
/// the portable function does.
fn lanes<T: Pod + PartialOrd, B>(bytes: &[u8], nan: T, bits: fn(T) -> B) -> Vec<B> {
    let lanes = bytes
        .chunks_exact(size_of::<T>())
        .map(bytemuck::pod_read_unaligned::<T>);
    lanes
        .map(|x| bits(if x.partial_cmp(&x).is_none() { nan } else { x }))
        .collect()
}

/// Methods that treat every lane alike, so that a vector's parts give the result's parts.
fn assert_lanes_agree<S: Simd>(s: S, a: V, b: V, by: u32) {
    let e = Emulated::<true>;
    let two = |name: &str, own: fn(S, S::V, S::V) -> S::V, other: fn(Emulated<true>, V, V) -> V| {
        let parts: Vec<S::V> = parts::<S>(a)
            .into_iter()
            .zip(parts::<S>(b))
            .map(|(a, b)| own(s, a, b))
            .collect();
        assert_eq!(bytes(&parts), bytes(&[other(e, a, b)]), "{name} {a:x?} {b:x?}");
    };
    two("and", S::and, Emulated::<true>::and);
    two("or", S::or, Emulated::<true>::or);
    two("xor", S::xor, Emulated::<true>::xor);
    two("add32", S::add32, Emulated::<true>::add32);
    two("sub32", S::sub32, Emulated::<true>::sub32);
    two("min32", S::min32, Emulated::<true>::min32);
    two("mul32", S::mul32, Emulated::<true>::mul32);
    two("add64", S::add64, Emulated::<true>::add64);
    two("sub64", S::sub64, Emulated::<true>::sub64);
    two("min64", S::min64, Emulated::<true>::min64);
    two("mul", S::mul, Emulated::<true>::mul);
    two("high_halves", S::high_halves, Emulated::<true>::high_halves);
    two(
        "interleave, first",
        |s, a, b| s.interleave(a, b)[0],
        |e, a, b| e.interleave(a, b)[0],
    );
    two(
        "interleave, then",
        |s, a, b| s.interleave(a, b)[1],
        |e, a, b| e.interleave(a, b)[1],
    );
    two(
        "reduce64",
        |s, a, b| s.reduce64(s.shr64(a, 1), s.shr64(b, 1)),
        |e, a, b| e.reduce64(e.shr64(a, 1), e.shr64(b, 1)),
    );
    let one = |name: &str, own: &dyn Fn(S::V) -> S::V, other: V| {
        let parts: Vec<S::V> = parts::<S>(a).into_iter().map(own).collect();
        assert_eq!(bytes(&parts), bytes(&[other]), "{name} {a:x?} {by}");
    };
    let both = || parts::<S>(a).into_iter().zip(parts::<S>(b));
    let narrow: Vec<S::V> = both().map(|(a, b)| s.fma_f32(a, b, s.swap(a))).collect();
    let other = e.fma_f32(a, b, e.swap(a));
    assert_eq!(
        lanes(bytes(&narrow), f32::NAN, f32::to_bits),
        lanes(bytes(&[other]), f32::NAN, f32::to_bits),
        "fma_f32 {a:x?} {b:x?}"
    );
    let wide: Vec<S::V> = both().map(|(a, b)| s.fma_f64(a, b, s.swap(a))).collect();
    let other = e.fma_f64(a, b, e.swap(a));
    assert_eq!(
        lanes(bytes(&wide), f64::NAN, f64::to_bits),
        lanes(bytes(&[other]), f64::NAN, f64::to_bits),
        "fma_f64 {a:x?} {b:x?}"
    );
    one("swap", &|a| s.swap(a), e.swap(a));
    // The root of a negative number is a NaN, whose sign an instruction sets and the portable root may not.
    one(
        "sqrt_f32",
        &|a| s.sqrt_f32(s.shr32(a, 1)),
        e.sqrt_f32(e.shr32(a, 1)),
    );
    one("to_f32", &|a| s.to_f32(a), e.to_f32(a));
    let table: [u64; 11] = std::array::from_fn(|i| u64::from(a[i]) << 32 | u64::from(b[i]));
    one(
        "gather64",
        &|a| s.gather64(&table, s.shr64(a, by)),
        e.gather64(&table, e.shr64(a, by)),
    );
    let rows: [[u64; 2]; 16] = std::array::from_fn(|i| [u64::from(a[i]) << 32, u64::from(b[i])]);
    for column in 0..2 {
        one("rows", &|a| s.rows(&rows, a)[column], e.rows(&rows, a)[column]);
    }
    one("shl32", &|a| s.shl32(a, by % 32), e.shl32(a, by % 32));
    one("shr32", &|a| s.shr32(a, by % 32), e.shr32(a, by % 32));
    one(
        "rotate32",
        &|a| s.rotate32(a, by % 31 + 1),
        e.rotate32(a, by % 31 + 1),
    );
    one("shl64", &|a| s.shl64(a, by), e.shl64(a, by));
    one("shr64", &|a| s.shr64(a, by), e.shr64(a, by));
}

fn assert_products_agree<S: Simd<V: std::fmt::Debug>>(s: S, a: V, b: V) {
    let product = s.mul52().expect("the level has IFMA");
    for (a, b) in parts::<S>(a).into_iter().zip(parts::<S>(b)) {
        let results = [product.low(b, a, b), product.high(a, b)];
        let [a, b] = [a, b].map(|v| bytemuck::pod_read_unaligned(bytes(&[v])));
        let e = Emulated::<true>;
        assert_eq!(
            bytes(&results),
            bytes(&[e.low(b, a, b), e.high(a, b)]),
            "{a:x?} {b:x?}"
        );
    }
}

/// Methods that change the width of lanes, which are the same however many vectors they take.
fn assert_widths_agree<S: Simd>(s: S, a: V, b: V) {
    let e = Emulated::<true>;
    // An f32 of any bits is a double, and its square the number whose rounding or cut is compared.
    let numbers = [a, b].map(|v| v.map(|x| (x & 0xbfff_ffff) | 0x3000_0000));
    let squares = numbers.map(|v| e.widen_f32(v).map(|x| e.mul_f64(x, x)));
    let wide: Vec<S::V> = parts::<S>(numbers[0])
        .into_iter()
        .flat_map(|v| s.widen_f32(v))
        .collect();
    assert_eq!(bytes(&wide), bytes(&e.widen_f32(numbers[0])));
    for squares in squares {
        let own: Vec<S::V> = squares.into_iter().flat_map(parts::<S>).collect();
        let (pairs, _) = own.as_chunks();
        let rounded: Vec<S::V> = pairs.iter().map(|&pair| s.round_f32(pair)).collect();
        assert_eq!(bytes(&rounded), bytes(&[e.round_f32(squares)]));
        let cut: Vec<S::V> = pairs.iter().map(|&pair| s.truncate_f64(pair)).collect();
        assert_eq!(bytes(&cut), bytes(&[e.truncate_f64(squares)]));
    }
    let [first, second] = [parts::<S>(a), parts::<S>(b)];
    let own = [*first.first().expect("a part"), *second.last().expect("a part")];
    let eights = |v: &[S::V]| -> Vec<[u32; 8]> { bytemuck::cast_slice(v).as_chunks().0.to_vec() };
    let (before, after) = (eights(&own), eights(&s.alternate(own)));
    let alternating: Vec<[u32; 8]> = [0, 1]
        .into_iter()
        .flat_map(|odd| before.iter().skip(odd).step_by(2).copied())
        .collect();
    assert_eq!(after, alternating);
}

/// Columns hold their rows in order, however many vectors they take.
fn assert_columns_are_widened<S: Simd>(s: S) {
    let number = |row: u8, column: u8| f32::from(row) - f32::from(column) / 16.0;
    let rows: [[u8; 16]; 8] = std::array::from_fn(|row| {
        let numbers: [f32; 4] =
            std::array::from_fn(|column| number(row.to_le_bytes()[0], column.to_le_bytes()[0]));
        bytemuck::cast(numbers)
    });
    for (column, vectors) in (0..).zip(s.columns_f32(rows.each_ref())) {
        let expected: Vec<f64> = (0..8).map(|row| f64::from(number(row, column))).collect();
        assert_eq!(bytes(&vectors)[..64], *bytes(&expected));
    }
}

#[test]
fn instructions_widen_columns() {
    assert_columns_are_widened(Emulated::<true>);
    if let Some(s) = Avx2::new() {
        assert_columns_are_widened(s);
    }
    if let Some(s) = Avx512::<false>::new() {
        assert_columns_are_widened(s);
    }
}

/// A gather has an address for each lane only where the table has a number.
#[test]
fn instructions_gather_nothing_from_an_empty_table() {
    fn assert_refused<S: Simd>(s: S) {
        let gather = || s.gather64(&[], s.splat64(0));
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(gather)).is_err());
    }
    assert_refused(Emulated::<true>);
    if let Some(s) = Avx2::new() {
        assert_refused(s);
    }
    if let Some(s) = Avx512::<false>::new() {
        assert_refused(s);
    }
}

proptest! {
    #[test]
    fn instructions_do_what_they_are_said_to(a: [u32; 16], b: [u32; 16], by in 0_u32..64) {
        if let Some(s) = Avx2::new() {
            assert_lanes_agree(s, a, b, by);
            assert_widths_agree(s, a, b);
        }
        if let Some(s) = Avx512::<false>::new() {
            assert_lanes_agree(s, a, b, by);
            assert_widths_agree(s, a, b);
        }
        if let Some(s) = Avx512::<true>::new() {
            assert_products_agree(s, a, b);
        }
    }
}
