//! Arrays whose elements were put in another order after they were drawn.

use seedproof_ops::{Shape, Tensor};

use super::sought::Sought;

/// An order in which the elements of an array may have been drawn.
pub(super) struct Arrangement {
    /// What was done to the array since.
    pub(super) what: String,
    order: Order,
}

enum Order {
    /// With its axes in this order.
    Axes(Vec<usize>),
    RowsReversed,
    /// With the elements of each row from its end.
    WithinRows,
    Reversed,
}

/// The orders in which an array may have been drawn but its own, the usual ones first.
pub(super) fn arrangements(array: &Tensor) -> Vec<Arrangement> {
    let dims = array.shape().dims();
    let rank = dims.len();
    let mut all: Vec<Arrangement> = Vec::new();
    // An array without elements may have any extents.
    if array.count() < 2 {
        return all;
    }
    // Axes of one element leave the others in their order.
    let long = |order: &[usize]| -> Vec<usize> {
        let axes = order.iter().copied();
        axes.filter(|&axis| dims[axis] > 1).collect()
    };
    let mut seen = vec![long(&(0..rank).collect::<Vec<_>>())];
    for order in axes_in_other_orders(rank) {
        let moves = long(&order);
        if !seen.contains(&moves) {
            seen.push(moves);
            all.push(Arrangement {
                what: moved(&order),
                order: Order::Axes(order),
            });
        }
    }
    let mut add = |what: &str, order| {
        all.push(Arrangement {
            what: format!("then {what}"),
            order,
        });
    };
    let [rows, columns] = [dims.first(), dims.last()].map(|extent| extent.is_some_and(|&it| it > 1));
    if rank < 2 {
        add("it was reversed", Order::Reversed);
    } else {
        if rows {
            add("its rows were reversed", Order::RowsReversed);
        }
        if columns {
            add("each of its rows was reversed", Order::WithinRows);
        }
    }
    all
}

impl Arrangement {
    /// The question about the array with its elements in this order.
    pub(super) fn of(&self, sought: &Sought) -> Option<Sought> {
        let (dims, count) = (sought.actual.shape().dims(), sought.actual.count());
        let row = count / dims.first().copied().unwrap_or(1);
        let last = dims.last().copied().unwrap_or(1);
        let from: Vec<usize> = match &self.order {
            Order::Axes(order) => places(dims, order),
            Order::RowsReversed => (0..count)
                .map(|i| count - row - i / row * row + i % row)
                .collect(),
            Order::WithinRows => (0..count)
                .map(|i| i / last * last + last - 1 - i % last)
                .collect(),
            Order::Reversed => (0..count).rev().collect(),
        };
        let extents: Vec<u64> = match &self.order {
            Order::Axes(order) => order.iter().map(|&axis| dims[axis] as u64).collect(),
            _ => dims.iter().map(|&extent| extent as u64).collect(),
        };
        let list = sought.gather(&from)?;
        Some(Sought {
            actual: list.actual.reshaped(Shape::new(&extents).ok()?)?,
            ..list
        })
    }
}

/// The orders of the axes of an array of this rank, the usual ones first. Of more than four axes there are hundreds, of which only
/// those are tried.
fn axes_in_other_orders(rank: usize) -> Vec<Vec<usize>> {
    let own: Vec<usize> = (0..rank).collect();
    let reversed: Vec<usize> = own.iter().rev().copied().collect();
    let moved = |from: usize, to: usize| {
        let mut order = own.clone();
        let axis = order.remove(from);
        order.insert(to, axis);
        order
    };
    let mut all = vec![reversed];
    if rank > 2 {
        // Channels behind the batch and at the end, of images and of kernels.
        all.extend([moved(rank - 1, 1), moved(1, rank - 1), moved(rank - 1, rank - 2)]);
        all.extend([moved(rank - 1, 0), moved(0, rank - 1)]);
    }
    if rank == 4 {
        all.splice(3..3, [vec![3, 2, 0, 1], vec![2, 3, 1, 0]]);
        let ranks = || own.iter().copied();
        let orders = ranks().flat_map(|a| ranks().flat_map(move |b| ranks().map(move |c| [a, b, c])));
        all.extend(orders.filter_map(|[a, b, c]| Some(vec![a, b, c, 6_usize.checked_sub(a + b + c)?])));
        all.retain(|order| own.iter().all(|axis| order.contains(axis)));
    }
    all
}

/// What was done to the axes of an array that was drawn with them in this order.
fn moved(order: &[usize]) -> String {
    if order.iter().rev().copied().eq(0..order.len()) {
        return "then its axes were reversed".to_owned();
    }
    let mut since: Vec<usize> = (0..order.len()).collect();
    since.sort_by_key(|&axis| order[axis]);
    let since: Vec<String> = since.iter().map(usize::to_string).collect();
    format!("then its axes were permuted, as by permute({})", since.join(", "))
}

/// For each element of the array with its axes in this order, its place in the array as it is.
fn places(dims: &[usize], order: &[usize]) -> Vec<usize> {
    let mut strides = vec![1; dims.len()];
    for axis in (1..dims.len()).rev() {
        strides[axis - 1] = strides[axis] * dims[axis];
    }
    let mut all = vec![0];
    for &axis in order {
        all = all
            .iter()
            .flat_map(|&place| (0..dims[axis]).map(move |i| (place, i)))
            .map(|(place, i)| place + i * strides[axis])
            .collect();
    }
    all
}
