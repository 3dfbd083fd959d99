//! Outputs stored along other axes than those of their shape.

use std::iter;

use seedproof_ops::{Response, Tensor};

use crate::answers::{Axes, Memory, Seam};

/// A response whose first output is stored as the answers say.
pub(super) fn stored(response: Response, memory: &Memory) -> Response {
    let response = in_order(response, memory.axes);
    match memory.seam {
        Seam::Behind => response,
        Seam::Line(bytes) => Response {
            output: seamed(&response.output, bytes),
            ..response
        },
    }
}

/// An output whose second half is stored from its address rounded down to whole lines.
fn seamed(output: &Tensor, line: u32) -> Tensor {
    let size = output.dtype().size();
    let (first, second) = output.bytes().split_at(output.count().div_ceil(2) * size);
    // Halves meet within an element only where a line is shorter than one, which no memory has.
    let line = usize::try_from(line).unwrap_or(usize::MAX).max(size);
    let from = first.len() / line * line;
    let mut bytes = output.bytes().to_vec();
    bytes[from..].fill(0);
    bytes[from..first.len()].copy_from_slice(&first[from..]);
    bytes[from..from + second.len()].copy_from_slice(second);
    Tensor::new(output.dtype(), output.shape().clone(), bytes).expect("as many bytes as before")
}

fn in_order(response: Response, axes: Axes) -> Response {
    let dims = response.output.shape().dims();
    let output = match axes {
        Axes::Blocked(size) => {
            blocked(dims, size).map(|dims| permuted(&response.output, &dims, &[0, 1, 3, 2]))
        }
        Axes::Tiled(size) => tiled(dims, size).map(|dims| permuted(&response.output, &dims, &[1, 0, 2])),
        Axes::FilledFirstFastest if dims.len() > 1 => {
            let mut drawn = dims.to_vec();
            drawn.rotate_left(1);
            let order: Vec<usize> = iter::once(dims.len() - 1).chain(0..dims.len() - 1).collect();
            Some(permuted(&response.output, &drawn, &order))
        }
        _ => order(axes, dims.len()).map(|order| permuted(&response.output, dims, &order)),
    };
    match output {
        Some(output) => Response { output, ..response },
        None => response,
    }
}

/// The axes of an output whose second axis is stored in blocks: those before, blocks, the elements of a block and the
/// axes behind, of which the last two change places.
fn blocked(dims: &[usize], size: u32) -> Option<[usize; 4]> {
    let size = usize::try_from(size).ok()?;
    match *dims {
        [images, channels, ref inner @ ..] if !inner.is_empty() && channels.is_multiple_of(size) => {
            Some([images, channels / size, size, count(inner)])
        }
        _ => None,
    }
}

/// The axes of an output whose last axis is stored in tiles: rows, tiles and the elements of a tile, of which the first two
/// change places.
fn tiled(dims: &[usize], size: u32) -> Option<[usize; 3]> {
    let size = usize::try_from(size).ok()?;
    match *dims {
        [ref rows @ .., last] if !rows.is_empty() && last.is_multiple_of(size) => {
            Some([count(rows), last / size, size])
        }
        _ => None,
    }
}

/// The product of extents. Of an output without elements the others may be as large as they like.
fn count(extents: &[usize]) -> usize {
    extents.iter().copied().fold(1, usize::saturating_mul)
}

/// The axes in the order of storage, the slowest first; `None` where that is the order of the shape.
fn order(axes: Axes, rank: usize) -> Option<Vec<usize>> {
    let order: Vec<usize> = match axes {
        Axes::AsShaped | Axes::FilledFirstFastest | Axes::Blocked(_) | Axes::Tiled(_) => return None,
        Axes::Reversed => (0..rank).rev().collect(),
        Axes::Permuted(number) => number
            .to_string()
            .bytes()
            .map(|digit| usize::from(digit.wrapping_sub(b'1')))
            .collect(),
    };
    let is_permutation = order.len() == rank && (0..rank).all(|axis| order.contains(&axis));
    is_permutation.then_some(order)
}

/// The elements in the order in which a walk over permuted axes of these extents meets them, under the old shape.
fn permuted(tensor: &Tensor, dims: &[usize], order: &[usize]) -> Tensor {
    let size = tensor.dtype().size();
    let mut strides = vec![1_usize; dims.len()];
    for axis in (1..dims.len()).rev() {
        strides[axis - 1] = strides[axis].saturating_mul(dims[axis]);
    }
    let mut at = vec![0; dims.len()];
    let mut bytes = Vec::with_capacity(tensor.bytes().len());
    for _ in 0..tensor.count() {
        let from: usize = at
            .iter()
            .zip(&strides)
            .map(|(index, stride)| index * stride)
            .sum();
        bytes.extend_from_slice(&tensor.bytes()[from * size..(from + 1) * size]);
        for &axis in order.iter().rev() {
            at[axis] += 1;
            if at[axis] < dims[axis] {
                break;
            }
            at[axis] = 0;
        }
    }
    Tensor::new(tensor.dtype(), tensor.shape().clone(), bytes).expect("every element was met once")
}

#[cfg(test)]
mod tests {
    use seedproof_ops::Shape;

    use super::*;

    fn numbers(dims: &[u64]) -> Response {
        let shape = Shape::new(dims).unwrap();
        let count = i32::try_from(shape.count()).unwrap();
        let elements: Vec<i32> = (0..count).collect();
        Response::of(Tensor::from_elements(shape, &elements).unwrap())
    }

    fn elements(axes: Axes, dims: &[u64]) -> Vec<i32> {
        let output = in_order(numbers(dims), axes).output;
        assert_eq!(output.shape(), numbers(dims).output.shape());
        output.elements().unwrap().collect()
    }

    #[test]
    fn axes_are_stored_in_the_order_of_their_number() {
        assert_eq!(elements(Axes::Permuted(21), &[2, 3]), [0, 3, 1, 4, 2, 5]);
        assert_eq!(elements(Axes::Reversed, &[2, 3]), [0, 3, 1, 4, 2, 5]);
        assert_eq!(
            elements(Axes::Permuted(132), &[2, 2, 3]),
            [0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11]
        );
        // Channels last: of one pixel after the other all channels.
        assert_eq!(elements(Axes::Permuted(1342), &[1, 3, 1, 2]), [0, 2, 4, 1, 3, 5]);
        assert_eq!(elements(Axes::Reversed, &[2, 2, 2]), [0, 4, 2, 6, 1, 5, 3, 7]);
    }

    #[test]
    fn axes_in_blocks_are_stored_block_by_block_where_the_size_divides_them() {
        // Two pixels of four channels, in blocks of two: of each pixel the first two channels, then the others.
        assert_eq!(elements(Axes::Blocked(2), &[1, 4, 2]), [0, 2, 1, 3, 4, 6, 5, 7]);
        assert_eq!(elements(Axes::Tiled(2), &[2, 4]), [0, 1, 4, 5, 2, 3, 6, 7]);
        for axes in [Axes::Blocked(3), Axes::Tiled(3)] {
            assert_eq!(elements(axes, &[1, 4, 2]), [0, 1, 2, 3, 4, 5, 6, 7]);
            assert_eq!(elements(axes, &[6]), [0, 1, 2, 3, 4, 5]);
            assert!(elements(axes, &[0, 3, 0]).is_empty());
        }
    }

    #[test]
    fn axes_of_another_rank_and_no_permutations_change_nothing() {
        let straight = [0, 1, 2, 3, 4, 5];
        for axes in [0, 1, 12, 22, 31, 132, 1342, u32::MAX].map(Axes::Permuted) {
            assert_eq!(elements(axes, &[2, 3]), straight, "{axes:?}");
        }
        assert_eq!(elements(Axes::Reversed, &[6]), straight);
        assert_eq!(elements(Axes::Reversed, &[]), [0]);
        assert!(elements(Axes::Permuted(21), &[0, 3]).is_empty());
    }

    #[test]
    fn axes_may_meet_where_the_second_half_covers_the_first() {
        let halves = |bytes| {
            seamed(&numbers(&[7]).output, bytes)
                .elements()
                .unwrap()
                .collect::<Vec<i32>>()
        };
        // The second half begins with element 4, at byte 16.
        assert_eq!(halves(16), [0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(halves(12), [0, 1, 2, 4, 5, 6, 0]);
        assert_eq!(halves(64), [4, 5, 6, 3, 0, 0, 0]);
    }
}
