//! The one place that decides whether two elements are the same: by their bits, but for a NaN.

use crate::response::Response;
use crate::scalar::Scalar;
use crate::tensor::Tensor;

/// The NaNs that count as the same element.
///
/// Everything but a NaN is compared by its bits under either rule: `-0.0` is never `0.0`.
///
/// ```
/// use seedproof_ops::{NanRule, Tensor};
///
/// let ours = Tensor::vector(&[1.0_f32, f32::NAN]);
/// let theirs = Tensor::vector(&[1.0_f32, -f32::NAN]);
/// assert!(NanRule::Class.same(&ours, &theirs));
/// assert_eq!(NanRule::Bits.first_difference(&ours, &theirs), Some(1));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum NanRule {
    /// All NaNs of a type: IEEE 754 leaves sign and payload of a new NaN open.
    #[default]
    Class,
    /// Those with the same bits.
    Bits,
}

impl NanRule {
    /// The bits by which elements of one type are told apart: their own, or for a NaN those of the one that stands for
    /// all of them.
    pub const fn key(self, element: Scalar) -> u64 {
        match self {
            Self::Class if element.is_nan() => element.quiet_nan(),
            _ => element.bits(),
        }
    }

    /// Whether two elements are the same.
    ///
    /// ```
    /// use seedproof_ops::{NanRule, Scalar};
    ///
    /// let (quiet, negative) = (Scalar::from(f32::NAN), Scalar::from(-f32::NAN));
    /// assert!(NanRule::Class.same_element(quiet, negative));
    /// assert!(!NanRule::Bits.same_element(quiet, negative));
    /// // The zeros are two values under both rules: no specification leaves the sign of a zero open.
    /// assert!(!NanRule::Class.same_element(Scalar::from(0.0_f32), Scalar::from(-0.0_f32)));
    /// ```
    pub fn same_element(self, a: Scalar, b: Scalar) -> bool {
        a.dtype() == b.dtype() && self.key(a) == self.key(b)
    }

    /// Whether two tensors have the same type, shape and elements.
    pub fn same(self, a: &Tensor, b: &Tensor) -> bool {
        if (a.dtype(), a.shape()) != (b.dtype(), b.shape()) {
            return false;
        }
        a.bytes() == b.bytes()
            || self == Self::Class && a.dtype().is_float() && self.pairs(a, b).all(|(_, _, same)| same)
    }

    /// Whether two values have the same outputs.
    pub fn same_value(self, a: &Response, b: &Response) -> bool {
        self.same(&a.output, &b.output)
            && a.more.len() == b.more.len()
            && a.more.iter().zip(&b.more).all(|(a, b)| self.same(a, b))
    }

    /// Number of elements that two tensors of one type and shape have in common; 0 for tensors of two forms.
    ///
    /// ```
    /// use seedproof_ops::{NanRule, Tensor};
    ///
    /// let [right, wrong] = [[1_i32, 2, 3], [1, 2, 4]].map(|elements| Tensor::vector(&elements));
    /// assert_eq!(NanRule::default().agreeing(&right, &wrong), 2);
    /// assert_eq!(NanRule::default().agreeing(&right, &Tensor::scalar(1_i32)), 0);
    /// ```
    pub fn agreeing(self, a: &Tensor, b: &Tensor) -> usize {
        if (a.dtype(), a.shape()) != (b.dtype(), b.shape()) {
            return 0;
        }
        if a.bytes() == b.bytes() {
            return a.count();
        }
        // A search counts this for millions of candidates, most of which differ everywhere. A loop for each size compares
        // whole elements, and decodes those that differ only as far as to see whether both are NaNs.
        match a.dtype().size() {
            1 => self.agreeing_of::<1>(a, b),
            2 => self.agreeing_of::<2>(a, b),
            4 => self.agreeing_of::<4>(a, b),
            _ => self.agreeing_of::<8>(a, b),
        }
    }

    /// [`NanRule::agreeing`] for elements of `N` bytes.
    fn agreeing_of<const N: usize>(self, a: &Tensor, b: &Tensor) -> usize {
        let dtype = a.dtype();
        let of_class = self == Self::Class && dtype.is_float();
        let is_nan = |bytes: &[u8; N]| {
            let mut wide = [0; 8];
            wide[..N].copy_from_slice(bytes);
            Scalar::new(dtype, u64::from_le_bytes(wide)).is_nan()
        };
        let pairs = a.bytes().as_chunks().0.iter().zip(b.bytes().as_chunks().0);
        pairs
            .filter(|(a, b)| a == b || of_class && is_nan(a) && is_nan(b))
            .count()
    }

    /// The index of the first element that two tensors of one type and form do not have in common. Runs of the same bytes
    /// are passed over at the speed of memory.
    pub fn first_difference(self, a: &Tensor, b: &Tensor) -> Option<usize> {
        // A multiple of the size of every element. A search asks this for every candidate, so that the elements of the first
        // unequal run, which are decoded one by one, must be few.
        const CHUNK: usize = 64;
        let elements = CHUNK / a.dtype().size();
        let differ = |&index: &usize| {
            let pair = a.get(index).zip(b.get(index));
            pair.is_some_and(|(a, b)| !self.same_element(a, b))
        };
        let chunks = a.bytes().chunks(CHUNK).zip(b.bytes().chunks(CHUNK));
        let unequal = chunks.enumerate().filter(|(_, (a, b))| a != b);
        unequal
            .map(|(chunk, _)| chunk * elements)
            .find_map(|start| (start..start + elements).find(differ))
    }

    /// The elements of two tensors of one type side by side, and whether they are the same.
    fn pairs<'a>(
        self,
        a: &'a Tensor,
        b: &'a Tensor,
    ) -> impl Iterator<Item = (Scalar, Scalar, bool)> + use<'a> {
        a.scalars()
            .zip(b.scalars())
            .map(move |(a, b)| (a, b, self.same_element(a, b)))
    }
}

#[cfg(test)]
mod tests {
    use super::NanRule::{Bits, Class};
    use super::*;
    use crate::dtype::Dtype;
    use crate::shape::Shape;

    fn scalar(dtype: Dtype, bits: u64) -> Scalar {
        Scalar::new(dtype, bits)
    }

    #[test]
    fn nan_of_any_sign_and_payload_is_one_class() {
        for (dtype, nans) in [
            (Dtype::F16, [0x7e00, 0xfe00, 0x7c01, 0xffff]),
            (Dtype::Bf16, [0x7fc0, 0xffc0, 0x7f81, 0xffff]),
            (Dtype::F32, [0x7fc0_0000, 0xffc0_0000, 0x7f80_0001, 0xffff_ffff]),
            (
                Dtype::F64,
                [
                    f64::NAN.to_bits(),
                    (-f64::NAN).to_bits(),
                    0x7ff0_0000_0000_0001,
                    u64::MAX,
                ],
            ),
        ] {
            for a in nans {
                for b in nans {
                    let (a, b) = (scalar(dtype, a), scalar(dtype, b));
                    assert!(a.is_nan() && Class.same_element(a, b), "{a:?} {b:?}");
                    assert_eq!(Bits.same_element(a, b), a == b);
                }
            }
        }
    }

    #[test]
    fn nan_is_no_number_and_no_integer() {
        for (dtype, nan, other) in [
            (Dtype::F32, 0x7fc0_0000, 0x7f80_0000),
            (Dtype::F32, 0xffc0_0000, 0xff80_0000),
            (Dtype::F16, 0x7e00, 0x7c00),
            (Dtype::F32, 0x8000_0000, 0),
            (Dtype::I32, 0x7fc0_0000, 0xffc0_0000),
            (Dtype::U32, 0x7fc0_0000, 0xffc0_0000),
        ] {
            let (nan, other) = (scalar(dtype, nan), scalar(dtype, other));
            assert!(!Class.same_element(nan, other), "{nan:?} {other:?}");
        }
        assert!(!Class.same_element(scalar(Dtype::F16, 0x7e00), scalar(Dtype::Bf16, 0x7fc0)));
    }

    #[test]
    fn first_difference_is_found_behind_equal_runs_and_other_nans() {
        for dtype in [Dtype::F32, Dtype::F64, Dtype::F16, Dtype::I64, Dtype::U8] {
            let tensor = |others: &[(usize, u64)]| {
                let mut bits = vec![1; 10_000];
                for &(index, value) in others {
                    bits[index] = value;
                }
                let bytes: Vec<u8> = bits
                    .iter()
                    .flat_map(|bits: &u64| bits.to_le_bytes().into_iter().take(dtype.size()))
                    .collect();
                Tensor::new(dtype, Shape::vector(10_000), bytes).unwrap()
            };
            let plain = tensor(&[]);
            assert_eq!(Class.first_difference(&plain, &plain), None);
            for index in [0, 511, 512, 4095, 4096, 9999] {
                let other = tensor(&[(index, 2), (9999, 3)]);
                assert_eq!(Class.first_difference(&plain, &other), Some(index), "{dtype}");
            }
        }
        let nan = |payload: u32| Tensor::vector(&[f32::from_bits(0x7fc0_0000 + payload), 1.0]);
        assert_eq!(Class.first_difference(&nan(0), &nan(1)), None);
        assert_eq!(Bits.first_difference(&nan(0), &nan(1)), Some(0));
    }

    #[test]
    fn tensors_are_the_same_but_for_a_nan() {
        let tensor = |bits: [u32; 3]| Tensor::vector(&bits.map(f32::from_bits));
        let expected = tensor([0x7fc0_0000, 0, 0x3f80_0000]);
        let other_nan = tensor([0xffc0_0000, 0, 0x3f80_0000]);
        let other_zero = tensor([0xffc0_0000, 0x8000_0000, 0x3f80_0000]);
        assert!(Class.same(&expected, &other_nan) && !Bits.same(&expected, &other_nan));
        assert!(!Class.same(&expected, &other_zero));
        assert_eq!(
            (
                Class.agreeing(&expected, &other_zero),
                Bits.agreeing(&expected, &other_zero)
            ),
            (2, 1)
        );
        let column = Tensor::from_elements(Shape::new(&[3, 1]).unwrap(), &[f32::NAN; 3]).unwrap();
        assert!(!Class.same(&column, &Tensor::vector(&[f32::NAN; 3])));
        assert_eq!(Class.agreeing(&column, &Tensor::vector(&[f32::NAN; 3])), 0);
    }

    #[test]
    fn values_are_the_same_in_every_output() {
        let value = |nan: f32, state: &[u32]| Response {
            output: Tensor::scalar(nan),
            more: state.iter().map(|&word| Tensor::scalar(word)).collect(),
        };
        assert!(Class.same_value(&value(f32::NAN, &[1]), &value(-f32::NAN, &[1])));
        assert!(!Bits.same_value(&value(f32::NAN, &[1]), &value(-f32::NAN, &[1])));
        assert!(!Class.same_value(&value(f32::NAN, &[1]), &value(f32::NAN, &[2])));
        assert!(!Class.same_value(&value(f32::NAN, &[1]), &value(f32::NAN, &[])));
    }
}
