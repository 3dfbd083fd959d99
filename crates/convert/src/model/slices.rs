//! What becomes of the values after a dropout of an exported program that OpenVINO converts.
//!
//! OpenVINO's rule of `native_dropout`, which has two outputs, passes its input on, and the `getitem` for the first output
//! becomes a Gather of the first slice. Each value from there on has another shape than in PyTorch, which some ops refuse.
//! The shapes that ops make of it were measured with OpenVINO 2026.4 (`harness/conversion/slices.py`); of an op that was
//! not, nothing is claimed.

use std::collections::HashMap;

use serde_json::Value as Json;

/// The extents of a value, outermost first; `None` is one that the program leaves open.
type Shape = Vec<Option<u64>>;

/// A node of the program.
pub(super) struct Node<'a, 'b> {
    /// The name of its op, such as `torch.ops.aten.relu.default`.
    pub(super) target: &'a str,
    /// Its arguments, by their names.
    pub(super) arguments: &'b HashMap<&'a str, &'a Json>,
    /// The name of its first output.
    pub(super) output: &'a str,
    /// What the program says of each value.
    pub(super) values: &'a Json,
}

/// What OpenVINO makes of a node whose input is not as in PyTorch.
enum Fit {
    /// An output of this shape.
    Shape(Shape),
    /// An error.
    Refused,
    /// Either: the op was not measured, or a shape is not known.
    Open,
}

/// The values that OpenVINO has in another shape than PyTorch.
#[derive(Default)]
pub(super) struct Slices<'a> {
    /// Their shapes, where they are known, and the index of the dropout that took the first slice.
    values: HashMap<&'a str, (Option<Shape>, usize)>,
}

impl<'a> Slices<'a> {
    /// Follows the values into a node, which is the dropout of this index if it is one. Returns the index of a dropout
    /// because of which OpenVINO refuses the node, and whether it certainly does.
    pub(super) fn follow(&mut self, node: &Node<'a, '_>, dropout: Option<usize>) -> Option<(usize, bool)> {
        let tensors = node.tensors();
        let cut = tensors.iter().find_map(|name| Some(self.values.get(name)?.1));
        let index = cut.or(dropout)?;
        let shapes: Option<Vec<Shape>> = tensors.iter().map(|name| self.shape(node, name)).collect();
        let fit = match (shapes, dropout) {
            (Some(shapes), Some(_)) => {
                let first = shapes.first().and_then(|shape| shape.split_first());
                Fit::of(first.map(|(_, rest)| rest.to_vec()))
            }
            (Some(shapes), None) => node.fit(&shapes),
            // One value keeps its shape, whatever that is.
            (None, None) if tensors.len() == 1 && ELEMENTWISE.contains(&node.op()) => {
                self.values.insert(node.output, (None, index));
                return None;
            }
            (None, _) => Fit::Open,
        };
        let is_refused = match fit {
            Fit::Shape(shape) => {
                let shape = Some(shape);
                // A value that has PyTorch's shape again cannot be refused for what a dropout took.
                if shape != node.shape(node.output) {
                    self.values.insert(node.output, (shape, index));
                }
                return None;
            }
            Fit::Refused => true,
            Fit::Open => false,
        };
        self.values.insert(node.output, (None, index));
        Some((index, is_refused))
    }

    /// The shape of a value in OpenVINO, if it is known.
    fn shape(&self, node: &Node<'_, '_>, name: &str) -> Option<Shape> {
        match self.values.get(name) {
            Some((shape, _)) => shape.clone(),
            None => node.shape(name),
        }
    }
}

impl<'a> Node<'a, '_> {
    /// What OpenVINO makes of the node from inputs of these shapes.
    fn fit(&self, shapes: &[Shape]) -> Fit {
        let (Some(first), Some(output)) = (shapes.first(), self.shape(self.output)) else {
            return Fit::Open;
        };
        let tensors = self.tensors();
        let whole = self.shape(tensors[0]).unwrap_or_default();
        let is_of_rank = whole.len() == first.len();
        // OpenVINO refuses rows of another length only if the extents are known at compile time, so nothing is claimed.
        let keeps_rows = first.last().zip(whole.last()).is_none_or(agree);
        match self.op() {
            op if ELEMENTWISE.contains(&op) => Fit::of(broadcast(shapes)),
            "softmax" | "log_softmax" => Fit::of(self.axes(first).map(|_| first.clone())),
            // A scalar has no axis that could be kept.
            "mean" | "sum" if first.is_empty() && self.keeps() => Fit::Refused,
            "mean" | "sum" => Fit::of(self.axes(first).map(|axes| self.reduced(first, &axes))),
            "linear" | "layer_norm" if !keeps_rows => Fit::Open,
            "linear" => Fit::of(replaced(first, &output, 1)),
            // The norm is of the last axes.
            "layer_norm" => {
                let normed = self
                    .integers("normalized_shape")
                    .map_or(0, |extents| extents.len());
                Fit::of(replaced(first, &output, normed))
            }
            // Some sizes of its output are taken from a vector, others are not.
            "adaptive_avg_pool2d" if first.len() < 2 => Fit::Open,
            "adaptive_avg_pool2d" => Fit::of(replaced(first, &output, 2)),
            "max_pool2d" | "avg_pool2d" => {
                Fit::of(replaced(first, &output, 2).filter(|shape| shape.len() > 2))
            }
            "unsqueeze" => self.unsqueezed(first),
            "flatten" if output == whole => Fit::Shape(first.clone()),
            "flatten" if output.len() == 1 && !first.is_empty() => reshaped(first, &[Some(-1)]),
            "flatten" if output.len() > 1 => {
                let sizes: Vec<_> = output.iter().map(|size| i64::try_from((*size)?).ok()).collect();
                reshaped(first, &sizes)
            }
            "view" | "reshape" => {
                let sizes = self.integers("size").or_else(|| self.integers("shape"));
                sizes.map_or(Fit::Open, |sizes| reshaped(first, &sizes))
            }
            "transpose" if self.keeps_order(&whole) => Fit::Shape(first.clone()),
            "transpose" | "permute" | "t" if !is_of_rank => Fit::Refused,
            op if op.starts_with("conv") && !is_of_rank => Fit::Refused,
            // Of the second extent it has a mean each.
            op if op.contains("batch_norm") => {
                let is_like = first.get(1).zip(whole.get(1)).is_some_and(agree);
                Fit::of(is_like.then(|| first.clone()))
            }
            "cat" => self.joined(shapes),
            // With a matrix, rows are laid out as one matrix and put back.
            "matmul" if shapes.get(1).is_some_and(|matrix| matrix.len() == 2) => match whole.len() {
                2 if !keeps_rows => Fit::Open,
                2 => Fit::of(replaced(first, &output, 1)),
                _ if product(first).is_some() && product(first) == product(&whole) => Fit::Shape(output),
                _ => Fit::Refused,
            },
            // An axis that the slice does not have.
            _ if self.arguments.contains_key("dim") && self.axes(first).is_none() => Fit::Refused,
            _ => Fit::Open,
        }
    }

    /// The op of ATen without its overload, and without the mark of one that works in place.
    fn op(&self) -> &str {
        let op = self.target.strip_prefix("torch.ops.aten.").unwrap_or("");
        op.split_once('.')
            .map_or(op, |(name, _)| name)
            .trim_end_matches('_')
    }

    /// The names of the tensors among the arguments, `self` and `input` first.
    fn tensors(&self) -> Vec<&'a str> {
        let of = |argument: &'a Json| {
            let one = argument["as_tensor"]["name"].as_str();
            let many = argument["as_tensors"].as_array().into_iter().flatten();
            one.into_iter()
                .chain(many.filter_map(|tensor| tensor["name"].as_str()))
        };
        let is_first = |name: &&str| matches!(*name, "self" | "input" | "tensors");
        let mut names: Vec<&&str> = self.arguments.keys().collect();
        names.sort_by_key(|name| (!is_first(name), **name));
        names
            .into_iter()
            .flat_map(|name| of(self.arguments[*name]))
            .collect()
    }

    /// The shape of a value in PyTorch; `None` if the program does not say it.
    fn shape(&self, name: &str) -> Option<Shape> {
        let sizes = self.values[name]["sizes"].as_array()?;
        Some(sizes.iter().map(|size| size["as_int"].as_u64()).collect())
    }

    /// The integers of an argument, if it has any; `None` among them is one that the program computes.
    fn integers(&self, name: &str) -> Option<Vec<Option<i64>>> {
        // An axis of `None`, and no axes, are all of them in a sum.
        let is_none =
            |it: &&&Json| !it["as_none"].is_null() || it["as_ints"].as_array().is_some_and(Vec::is_empty);
        let argument = self.arguments.get(name).filter(|it| !is_none(it))?;
        let list = argument["as_ints"]
            .as_array()
            .or_else(|| argument["as_sym_ints"].as_array());
        Some(list.map_or_else(
            || vec![argument["as_int"].as_i64()],
            |list| {
                list.iter()
                    .map(|it| it.as_i64().or_else(|| it["as_int"].as_i64()))
                    .collect()
            },
        ))
    }

    /// The axes that the node names of a shape, all of them if it names none; `None` if one is beyond.
    fn axes(&self, shape: &Shape) -> Option<Vec<usize>> {
        // An axis of a scalar may be 0, as in PyTorch.
        let rank = shape.len().max(1);
        let Some(axes) = self.integers("dim") else {
            return Some((0..rank).collect());
        };
        axes.into_iter().map(|axis| place(axis?, rank)).collect()
    }

    /// Whether nothing is left of a transposition: the same axis counted from the other end is another one.
    fn keeps_order(&self, whole: &Shape) -> bool {
        let [axis0, axis1] = ["dim0", "dim1"].map(|name| self.integers(name));
        axis0.is_some() && axis0 == axis1 || whole.len() < 2
    }

    /// Whether the axes of a sum stay, with one element each.
    fn keeps(&self) -> bool {
        self.arguments
            .get("keepdim")
            .and_then(|it| it["as_bool"].as_bool())
            == Some(true)
    }

    fn reduced(&self, shape: &Shape, axes: &[usize]) -> Shape {
        let extents = shape.iter().enumerate();
        let extents = extents.map(|(axis, extent)| if axes.contains(&axis) { None } else { Some(*extent) });
        extents
            .filter_map(|extent| extent.or_else(|| self.keeps().then_some(Some(1))))
            .collect()
    }

    fn unsqueezed(&self, shape: &Shape) -> Fit {
        let axes = self.integers("dim").unwrap_or_default();
        let [Some(axis)] = axes[..] else { return Fit::Open };
        Fit::of(place(axis, shape.len() + 1).map(|axis| {
            let mut shape = shape.clone();
            shape.insert(axis, Some(1));
            shape
        }))
    }

    fn joined(&self, shapes: &[Shape]) -> Fit {
        let axis = match self.integers("dim") {
            Some(_) => self.axes(&shapes[0]).and_then(|axes| axes.first().copied()),
            None => Some(0),
        };
        let Some(axis) = axis.filter(|&axis| axis < shapes[0].len()) else {
            return Fit::Refused;
        };
        let mut joined = shapes[0].clone();
        for shape in &shapes[1..] {
            let is_like = |(at, (one, other))| at == axis || agree((one, other));
            if shape.len() != joined.len() || !joined.iter().zip(shape).enumerate().all(is_like) {
                return Fit::Refused;
            }
            joined[axis] = joined[axis]
                .zip(shape[axis])
                .and_then(|(one, other)| one.checked_add(other));
        }
        Fit::Shape(joined)
    }
}

impl Fit {
    /// An output of a shape, or an error if there is none.
    fn of(shape: Option<Shape>) -> Self {
        shape.map_or(Self::Refused, Self::Shape)
    }
}

/// The axis that an integer stands for, from the end if it is negative.
fn place(axis: i64, rank: usize) -> Option<usize> {
    let rank = i64::try_from(rank).ok()?;
    let axis = if axis < 0 { axis + rank } else { axis };
    usize::try_from(axis).ok().filter(|_| axis < rank)
}

/// Whether two extents may be the same.
fn agree((one, other): (&Option<u64>, &Option<u64>)) -> bool {
    one.zip(*other).is_none_or(|(one, other)| one == other)
}

/// The shape that inputs have together; `None` if they do not fit.
fn broadcast(shapes: &[Shape]) -> Option<Shape> {
    let rank = shapes.iter().map(Vec::len).max()?;
    let mut all = vec![Some(1); rank];
    for shape in shapes {
        for (extent, other) in all[rank - shape.len()..].iter_mut().zip(shape) {
            if *extent == Some(1) {
                *extent = *other;
            } else if *other != Some(1) {
                if !agree((extent, other)) {
                    return None;
                }
                *extent = extent.or(*other);
            }
        }
    }
    Some(all)
}

/// A shape with the last extents of another one, which it needs that many for.
fn replaced(shape: &Shape, other: &Shape, last: usize) -> Option<Shape> {
    let kept = shape.len().checked_sub(last)?;
    Some([&shape[..kept], &other[other.len().checked_sub(last)?..]].concat())
}

/// The number of elements; `None` if an extent is open.
fn product(shape: &Shape) -> Option<u64> {
    shape
        .iter()
        .try_fold(1_u64, |all, extent| all.checked_mul((*extent)?))
}

/// What a reshape makes of a shape. -1 stands for what is left.
fn reshaped(shape: &Shape, sizes: &[Option<i64>]) -> Fit {
    let Some(count) = product(shape) else {
        return Fit::Open;
    };
    let Some(sizes) = sizes.iter().copied().collect::<Option<Vec<i64>>>() else {
        return Fit::Open;
    };
    let mut extents: Shape = sizes.iter().map(|&size| u64::try_from(size).ok()).collect();
    let known: Shape = extents.iter().flatten().copied().map(Some).collect();
    let part = product(&known).unwrap_or(0);
    if let Some(open) = extents.iter_mut().find(|extent| extent.is_none()) {
        // OpenVINO checks what -1 stands for only where it knows the extents, which some ops before this one prevent.
        if part == 0 || count % part != 0 {
            return Fit::Open;
        }
        *open = Some(count / part);
    }
    let fits = product(&extents) == Some(count);
    Fit::of(fits.then_some(extents))
}

/// Ops whose output has the broadcast shape of their inputs.
const ELEMENTWISE: &[&str] = &[
    "add",
    "sub",
    "mul",
    "div",
    "relu",
    "relu6",
    "leaky_relu",
    "elu",
    "selu",
    "gelu",
    "silu",
    "hardswish",
    "hardsigmoid",
    "hardtanh",
    "sigmoid",
    "tanh",
    "exp",
    "clone",
    "contiguous",
    // One outside training, or with a probability of zero.
    "dropout",
];
