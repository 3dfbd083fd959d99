//! Wrong stages of kernels, as several faults have them.

use half::f16;

use super::fault::{Fault, Kernel};
use super::uniform::Uniform;

pub(super) const fn fault(id: &'static str, named: &'static [&'static str], kernel: Uniform) -> Fault {
    Fault {
        id,
        named,
        kernel: Kernel::Uniform(kernel),
    }
}

pub(super) fn tail<T>(output: &mut [T], group: usize, what: impl Fn(&[T], usize) -> T) {
    let n = output.len();
    for i in n - n % group..n {
        output[i] = what(output, i);
    }
}

/// The last store of a group ends with the output, and has the elements of the group that is not whole.
pub(super) fn overlap(i: usize, dims: &[usize], group: usize) -> usize {
    let n = total(dims);
    if n > group && !n.is_multiple_of(group) && i >= n - group {
        i + group - n % group
    } else {
        i
    }
}

pub(super) fn transposed(i: usize, dims: &[usize], axes: &[usize]) -> usize {
    if axes.len() != dims.len() {
        return i;
    }
    let mut rest = i;
    let mut at = vec![0; dims.len()];
    for &axis in axes.iter().rev() {
        at[axis] = rest % dims[axis].max(1);
        rest /= dims[axis].max(1);
    }
    at.iter()
        .zip(dims)
        .fold(0, |flat, (at, extent)| flat * extent + at)
}

pub(super) fn column_major(i: usize, dims: &[usize]) -> usize {
    let axes: Vec<usize> = (0..dims.len()).rev().collect();
    transposed(i, dims, &axes)
}

pub(super) fn total(dims: &[usize]) -> usize {
    dims.iter().product()
}

pub(super) fn planes(i: usize, dims: &[usize]) -> usize {
    let blocks = total(dims).div_ceil(4);
    i % blocks * 4 + i / blocks
}

pub(super) fn lanes(i: usize) -> usize {
    i - i % 32 + i % 8 * 4 + i % 32 / 8
}

pub(super) fn through_f64(seed: u64) -> u64 {
    let wide = seed as f64;
    if wide >= 18_446_744_073_709_551_616.0 {
        0
    } else {
        wide as u64
    }
}

pub(super) fn top_23(word: u32) -> f32 {
    f32::from_bits(0x3f80_0000 | word >> 9) - 1.0
}

pub(super) fn fused(x: f32, min: f32, max: f32) -> f32 {
    x.mul_add(max - min, min)
}

/// A value of f16 arithmetic.
pub(super) fn half(value: f32) -> f32 {
    f16::from_f32(value).to_f32()
}

pub(super) fn scale_in_f16(x: f32, min: f32, max: f32) -> f32 {
    half(half(half(x) * half(half(max) - half(min))) + half(min))
}

pub(super) const fn swapped(global: u64, op: u64) -> (u64, u64) {
    (global.swap_bytes(), op.swap_bytes())
}

pub(super) const fn low_32(global: u64, op: u64) -> (u64, u64) {
    (global & 0xffff_ffff, op & 0xffff_ffff)
}
