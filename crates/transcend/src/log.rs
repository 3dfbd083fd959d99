//! `log` of f64 to 100 bits, and what the GNU C library may round it to.
//!
//! `log` of glibc 2.28 and later is not correctly rounded, and differs in a last bit between processors with and without fused
//! multiplications: its bound is 0.520 units in the last place. Where the logarithm is further from the middle of two floats than the
//! errors of its steps reach (`sysdeps/ieee754/dbl-64/e_log.c`), all of them return the same float; elsewhere [`candidates`]
//! has both. These errors are
//!
//! * near 1, those of a polynomial: a relative one below 2^-62, and the rounding of terms of the third order;
//! * elsewhere the rounding of a quotient below 2^-8, which is at most 2^-62, and less than 3/8 of it for a table and a polynomial.
//!
//! `harness/tests/libm.rs` compares this with the machine's own `log`, whose errors reach 0.9 of them.

/// The logarithms that `log` of glibc may return, the nearer one first; twice the same one where its errors do not matter. The number
/// is positive, finite and normal.
///
/// ```
/// use seedproof_transcend::log::candidates;
///
/// assert_eq!(candidates(0.5), [-std::f64::consts::LN_2; 2]);
/// // The middle of two floats is nearer than one part in 100 of their distance.
/// let [nearer, other] = candidates(0.827_867_203_570_421_4);
/// assert_eq!(other, nearer.next_down());
/// ```
pub fn candidates(x: f64) -> [f64; 2] {
    let log = logarithm(x);
    if log.high == 0.0 {
        return [log.high; 2];
    }
    let other = if log.low > 0.0 {
        log.high.next_up()
    } else {
        log.high.next_down()
    };
    let to_the_middle = (other - log.high).abs() / 2.0 - log.low.abs();
    if to_the_middle > errors(x, log.high) {
        [log.high; 2]
    } else {
        [log.high, other]
    }
}

/// How far the sum that `log` rounds last may be from the logarithm.
pub fn errors(x: f64, log: f64) -> f64 {
    // 1 - 2^-4 and 1 + 0x1.09p-4 bound the polynomial.
    if (0.9375..1.0 + 265.0 / 4096.0).contains(&x) {
        let r = (x - 1.0).abs();
        log.abs() * negative_power(62) + r * r * r * negative_power(52)
    } else {
        1.375 * negative_power(62)
    }
}

/// 2 to a power that is not positive.
const fn negative_power(exponent: u64) -> f64 {
    f64::from_bits((1023 - exponent) << 52)
}

/// The logarithm, with a relative error below 2^-100.
pub fn logarithm(x: f64) -> Double {
    const LN_2: Double = Double {
        high: std::f64::consts::LN_2,
        low: f64::from_bits(0x3c7a_bc9e_3b39_803f),
    };
    // x = m * 2^exponent, of an m from 0.75 to 1.5: near 1 nothing is cancelled.
    let bits = x.to_bits();
    let mut exponent = f64::from(i32::try_from(bits >> 52).expect("eleven bits") - 1023);
    let mut m = f64::from_bits(bits & (u64::MAX >> 12) | 1023 << 52);
    if m >= 1.5 {
        m /= 2.0;
        exponent += 1.0;
    }
    // log m = 2 artanh s = 2 (s + s^3 / 3 + s^5 / 5 + …) of an s of at most 1/5.
    let s = Double::of(m - 1.0).over(Double::sum(m, 1.0));
    let square = s.times(s);
    let series = RECIPROCALS.iter().rev().fold(Double::of(0.0), |sum, reciprocal| {
        sum.times(square).plus(*reciprocal)
    });
    let log_m = s.times(series);
    let doubled = Double {
        high: 2.0 * log_m.high,
        low: 2.0 * log_m.low,
    };
    LN_2.times(Double::of(exponent)).plus(doubled)
}

/// 1, 1/3, 1/5 and so on: 25 terms reach 2^-120.
const RECIPROCALS: [Double; 25] = {
    let mut reciprocals = [Double::of(1.0); 25];
    let (mut i, mut odd) = (1, 3.0);
    while i < 25 {
        reciprocals[i] = Double::of(1.0).over(Double::of(odd));
        (i, odd) = (i + 1, odd + 2.0);
    }
    reciprocals
};

/// A number of about 106 bits: the sum of two floats, of which the first is the nearest one to it.
#[derive(Clone, Copy, Debug)]
pub struct Double {
    /// The nearest float.
    pub high: f64,
    /// The rest.
    pub low: f64,
}

impl Double {
    const fn of(high: f64) -> Self {
        Self { high, low: 0.0 }
    }

    /// The sum of two floats, of which the first is not smaller (Dekker).
    const fn ordered_sum(a: f64, b: f64) -> Self {
        let high = a + b;
        Self {
            high,
            low: b - (high - a),
        }
    }

    /// The sum of two floats (Knuth).
    const fn sum(a: f64, b: f64) -> Self {
        let high = a + b;
        let of_b = high - a;
        Self {
            high,
            low: (a - (high - of_b)) + (b - of_b),
        }
    }

    /// The product of two floats, of which each is split into halves whose products are exact (Dekker).
    const fn product(a: f64, b: f64) -> Self {
        let ([a1, a2], [b1, b2]) = (halves(a), halves(b));
        let high = a * b;
        Self {
            high,
            low: ((a1 * b1 - high) + a1 * b2 + a2 * b1) + a2 * b2,
        }
    }

    const fn plus(self, other: Self) -> Self {
        let (high, low) = (Self::sum(self.high, other.high), Self::sum(self.low, other.low));
        let sum = Self::ordered_sum(high.high, high.low + low.high);
        Self::ordered_sum(sum.high, sum.low + low.low)
    }

    const fn times(self, other: Self) -> Self {
        let product = Self::product(self.high, other.high);
        let crossed = self.high * other.low + self.low * other.high;
        Self::ordered_sum(product.high, product.low + crossed)
    }

    /// By long division with three digits, each a float.
    const fn over(self, other: Self) -> Self {
        let first = self.high / other.high;
        let rest = self.plus(other.times(Self::of(-first)));
        let second = rest.high / other.high;
        let rest = rest.plus(other.times(Self::of(-second)));
        let quotient = Self::ordered_sum(first, second);
        quotient.plus(Self::of(rest.high / other.high))
    }
}

/// A float as a sum of two of 26 bits.
const fn halves(a: f64) -> [f64; 2] {
    let shifted = 134_217_729.0 * a;
    let high = shifted - (shifted - a);
    [high, a - high]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By Python's `decimal` with 60 digits: the nearest float, and the float nearest to the rest.
    #[test]
    fn logarithms_have_a_hundred_bits() {
        for (x, high, low) in [
            (0.5, 0xbfe6_2e42_fefa_39ef, 0xbc7a_bc9e_3b39_803f),
            (0.75, 0xbfd2_6962_1134_db92, 0xbc7e_0efa_dd9d_b02b),
            (0.749_9, 0xbfd2_6b91_5854_06d0, 0xbc6f_17ce_8d4e_7a6c),
            (0.999_999_9, 0xbe7a_d7f2_b104_9b9f, 0xbb1a_bda4_42e8_2e0d),
            (
                0.936_529_620_727_764,
                0xbfb0_c977_5104_41d4,
                0xbc42_2c6f_c8d3_a5cd,
            ),
            (1e-20, 0xc047_069e_2aa2_aa5b, 0x3cca_7183_4167_debf),
            (1.499_9, 0x3fd9_f20c_4b92_ee84, 0xbc3d_2195_071e_498a),
            (
                1.0 - 0.5_f64.powi(53),
                0xbca0_0000_0000_0000,
                0xb940_0000_0000_0000,
            ),
            (0.5_f64.powi(104), 0xc052_0596_6f2b_4f12, 0xbcf6_dca0_480f_5c1a),
        ] {
            let (log, low) = (logarithm(x), f64::from_bits(low));
            assert_eq!(log.high.to_bits(), high, "{x}");
            // 2^-100 of the whole.
            let most = log.high.abs() * negative_power(100);
            assert!((log.low - low).abs() <= most, "{x}: {:e}", log.low);
        }
        assert_eq!(candidates(1.0).map(f64::to_bits), [0; 2]);
    }

    /// What glibc 2.36 returns is one of two floats where it is not the nearest.
    #[test]
    fn both_sides_of_a_middle_are_candidates() {
        for x in [
            0.827_867_203_570_421_4,
            0.906_407_347_651_258_1,
            0.153_152_024_371_335_63,
        ] {
            let [nearer, other] = candidates(x);
            assert_eq!(nearer.to_bits().abs_diff(other.to_bits()), 1, "{x}");
        }
        // A wider margin would leave no number decided, and a narrower one each.
        let decided = |x: f64| candidates(x)[0].to_bits() == candidates(x)[1].to_bits();
        let numbers = (1..=10_000_u32).map(|i| f64::from(i) / 10_007.0);
        let count = numbers.filter(|&x| decided(x)).count();
        assert!((9_850..9_950).contains(&count), "{count}");
    }
}
