//! Arrays whose elements were put in another order after they were drawn.

use seedproof_ops::{Shape, Tensor};

use super::sought::Sought;

/// The array with its elements in an order in which it may have been drawn, and what was done to it since.
pub(super) fn arranged(sought: &Sought) -> Vec<(&'static str, Sought)> {
    let dims = sought.actual.shape().dims();
    // An array without elements may have any extents.
    if sought.actual.count() < 2 {
        return Vec::new();
    }
    let rank = dims.len();
    let mut axes: Vec<(&str, Vec<usize>)> = Vec::new();
    if rank >= 2 {
        axes.push(("its axes were reversed since", (0..rank).rev().collect()));
    }
    if rank >= 3 {
        let moved = |from: usize, to: usize| {
            let mut order: Vec<usize> = (0..rank).collect();
            let axis = order.remove(from);
            order.insert(to, axis);
            order
        };
        axes.push(("its channels were moved to the end since", moved(rank - 1, 1)));
        axes.push(("its channels were moved from the end since", moved(1, rank - 1)));
        let mut last: Vec<usize> = (0..rank).collect();
        last.swap(rank - 2, rank - 1);
        axes.push(("its last two axes were exchanged since", last));
    }
    let mut orders: Vec<(&str, Vec<usize>, Vec<usize>)> = axes
        .into_iter()
        .map(|(what, order)| {
            let from = places(dims, &order);
            (what, from, order.iter().map(|&axis| dims[axis]).collect())
        })
        .collect();
    let count = sought.actual.count();
    if rank >= 2 {
        let row = count / dims[0];
        let from = (0..count).map(|i| (dims[0] - 1 - i / row) * row + i % row);
        orders.push(("its rows were reversed since", from.collect(), dims.to_vec()));
        let last = dims[rank - 1];
        let from = (0..count).map(|i| i / last * last + last - 1 - i % last);
        orders.push((
            "each of its rows was reversed since",
            from.collect(),
            dims.to_vec(),
        ));
    } else {
        orders.push(("it was reversed since", (0..count).rev().collect(), dims.to_vec()));
    }
    // Axes of one element leave the elements in their order, and two orders of axes may be the same one.
    let mut seen: Vec<Vec<usize>> = vec![(0..count).collect()];
    let mut all = Vec::new();
    for (what, from, dims) in orders {
        if !seen.contains(&from) {
            let dims: Vec<u64> = dims.iter().map(|&extent| extent as u64).collect();
            let shape = Shape::new(&dims).ok();
            all.extend(
                shape
                    .and_then(|shape| taken(sought, &from, shape))
                    .map(|it| (what, it)),
            );
            seen.push(from);
        }
    }
    all
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

fn taken(sought: &Sought, from: &[usize], shape: Shape) -> Option<Sought> {
    let actual = &sought.actual;
    let size = actual.dtype().size();
    let bytes = from
        .iter()
        .flat_map(|place| &actual.bytes()[place * size..(place + 1) * size]);
    let actual = Tensor::new(actual.dtype(), shape, bytes.copied().collect()).ok()?;
    let within = sought.within.as_ref();
    Some(Sought {
        actual,
        within: within.map(|within| from.iter().map(|&place| within[place]).collect()),
        ..sought.clone()
    })
}
