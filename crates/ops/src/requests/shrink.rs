//! A request made smaller, step by step, while what is asked of it stays true.

use crate::op::{AttributeValue, Kind, Role};
use crate::request::Request;
use crate::scalar::Scalar;
use crate::shape::Shape;
use crate::tensor::Tensor;

/// The smallest request that single steps lead to from this one and for which `fails` is true, as it is for this one. At most
/// `most` requests are tried, since each may be asked of a slow program.
///
/// Steps leave the op, its variant and its types as they are: the element type of a failure is rarely beside the point, and its size
/// and its seeds mostly are.
pub fn shrink(request: &Request, most: u32, fails: &mut dyn FnMut(&Request) -> bool) -> Request {
    let mut smallest = request.clone();
    let mut left = most;
    loop {
        let next = steps(&smallest).into_iter().find(|step| {
            let Some(rest) = left.checked_sub(1) else {
                return false;
            };
            left = rest;
            fails(step)
        });
        match next {
            Some(step) => smallest = step,
            None => return smallest,
        }
    }
}

/// The requests that are one step smaller, the largest steps first. No step leads back, so that a walk along them ends.
fn steps(request: &Request) -> Vec<Request> {
    let attributes = request.attributes();
    let inputs = request.inputs();
    let mut all = Vec::new();
    let mut with = |attribute: Option<(&str, Option<AttributeValue>)>,
                    input: Option<(&str, Option<Tensor>)>,
                    execution: u32| {
        let step = Request::build(
            request.op(),
            &mut |info| match &attribute {
                Some((name, value)) if *name == info.name => value.clone(),
                _ => request.attribute(info.name),
            },
            &mut |info| match &input {
                Some((name, tensor)) if *name == info.name => tensor.clone(),
                _ => request.input(info.name).cloned(),
            },
            execution,
        );
        // Without an extent of 0, an empty output would have as many elements as its other extents say: 2^31 in a sweep.
        all.extend(
            step.ok()
                .filter(|step| step != request && step.work() <= request.work()),
        );
    };
    let execution = request.execution();
    for earlier in [0, execution.saturating_sub(1)] {
        if earlier < execution {
            with(None, None, earlier);
        }
    }
    for (info, _) in &attributes {
        if !info.required {
            with(Some((info.name, None)), None, execution);
        }
    }
    for (info, _) in &inputs {
        if !info.required {
            with(None, Some((info.name, None)), execution);
        }
    }
    for (info, value) in &attributes {
        let smaller = match value {
            AttributeValue::Extents(extents) => shorter(extents)
                .into_iter()
                .map(AttributeValue::Extents)
                .collect(),
            AttributeValue::Boolean(true) if info.kind == Kind::WithOutput => {
                vec![AttributeValue::Boolean(false)]
            }
            AttributeValue::Seed(seed) => lower(*seed).into_iter().map(AttributeValue::Seed).collect(),
            _ => Vec::new(),
        };
        for value in smaller {
            with(Some((info.name, Some(value))), None, execution);
        }
    }
    for (info, tensor) in &inputs {
        for smaller in smaller_inputs(info.role, tensor) {
            with(None, Some((info.name, Some(smaller))), execution);
        }
    }
    all
}

/// Lists of extents with fewer elements: without one of the extents, or with a lower one.
fn shorter(extents: &[u64]) -> Vec<Vec<u64>> {
    let mut all = Vec::new();
    for at in 0..extents.len() {
        let mut without = extents.to_vec();
        without.remove(at);
        all.push(without);
    }
    for (at, &extent) in extents.iter().enumerate() {
        for lower in lower(extent).into_iter().filter(|&lower| lower > 0) {
            let mut extents = extents.to_vec();
            extents[at] = lower;
            all.push(extents);
        }
    }
    all
}

/// Lower numbers: zero, one, a half, three quarters and one less, so that a walk reaches any limit in steps of its logarithm.
fn lower(number: u64) -> Vec<u64> {
    let mut all = vec![0, 1, number / 2, number - number / 4, number.saturating_sub(1)];
    all.retain(|&lower| lower < number);
    all.dedup();
    all
}

fn smaller_inputs(role: Role, tensor: &Tensor) -> Vec<Tensor> {
    let numbers = || {
        let numbers = tensor.scalars().map(|scalar| u64::try_from(scalar.to_i64()).ok());
        numbers.collect::<Option<Vec<u64>>>().unwrap_or_default()
    };
    let of =
        |numbers: &[u64], dims: &[u64]| made(tensor, dims, |at| Scalar::new(tensor.dtype(), numbers[at]));
    let dims: Vec<u64> = tensor
        .shape()
        .dims()
        .iter()
        .map(|&extent| extent as u64)
        .collect();
    match role {
        Role::Extents => shorter(&numbers())
            .into_iter()
            .filter_map(|numbers| of(&numbers, &[u64::try_from(numbers.len()).ok()?]))
            .collect(),
        Role::Count => {
            let number = numbers().first().copied().unwrap_or(0);
            let lower = lower(number).into_iter();
            lower.filter_map(|number| of(&[number], &dims)).collect()
        }
        Role::Lower | Role::Upper | Role::Parameter(_) => {
            let plain = match role {
                Role::Parameter(usual) => usual,
                Role::Lower => "0",
                _ => "1",
            };
            let plain = Scalar::from_decimal(tensor.dtype(), plain).or(Scalar::from_i128(
                tensor.dtype(),
                i128::from(u8::from(role == Role::Upper)),
            ));
            let is_plain = plain.is_some_and(|plain| tensor.get(0) == Some(plain));
            plain
                .filter(|_| !is_plain)
                .and_then(|plain| made(tensor, &dims, |_| plain))
                .into_iter()
                .collect()
        }
        Role::Weights => match *dims {
            // Fewer rows; fewer classes would leave the draws of each row to other weights.
            [rows, classes] => lower(rows)
                .into_iter()
                .filter(|&rows| rows > 0)
                .filter_map(|rows| {
                    made(tensor, &[rows, classes], |at| {
                        tensor.get(at).expect("a row that is there")
                    })
                })
                .collect(),
            _ => Vec::new(),
        },
        Role::Draws
        | Role::Probability
        | Role::PerRow
        | Role::Elements
        | Role::Choice(_)
        | Role::Words(_)
        | Role::Key { .. } => Vec::new(),
    }
}

fn made(tensor: &Tensor, dims: &[u64], element: impl Fn(usize) -> Scalar) -> Option<Tensor> {
    let shape = Shape::new(dims).ok()?;
    let elements = (0..shape.count()).map(element);
    Tensor::from_scalars(tensor.dtype(), shape, elements).ok()
}

#[cfg(test)]
mod tests {
    use crate::dtype::Dtype;
    use crate::op::{Alignment, RandomUniform};

    use super::*;

    fn request(dims: &[i64]) -> Request {
        let seeds = [0x1234_5678_9abc, 77];
        Request::RandomUniform(RandomUniform {
            execution: 2,
            ..RandomUniform::new(Alignment::Tensorflow, dims, [0.5_f32, 7.0], seeds)
        })
    }

    #[test]
    fn a_failure_shrinks_to_what_it_depends_on() {
        let mut asked = 0;
        let smallest = shrink(&request(&[9, 5, 131]), 400, &mut |request| {
            asked += 1;
            let count = |dims: &[u64]| dims.iter().product::<u64>();
            request.output_form().is_some_and(|(_, dims)| count(&dims) >= 37)
        });
        let plain = RandomUniform::new(Alignment::Tensorflow, &[37], [0.0_f32, 1.0], [0, 0]);
        let expected = Request::RandomUniform(plain);
        assert_eq!(smallest, expected);
        assert!(asked <= 400, "{asked}");
        assert_eq!(smallest.filed_type(), Dtype::F32.name());
    }

    #[test]
    fn an_empty_output_stays_empty() {
        let mut asked = 0;
        let smallest = shrink(&request(&[1 << 31, 0]), 1_000, &mut |request| {
            asked += 1;
            assert!(request.work() < 1 << 10, "{request:?}");
            true
        });
        assert!(asked > 0 && smallest.output_form().is_some_and(|(_, dims)| dims == [0]));
    }

    #[test]
    fn a_walk_ends_where_everything_fails_and_where_its_budget_does() {
        let whole = request(&[4, 4]);
        assert_eq!(shrink(&whole, 0, &mut |_| true), whole);
        assert_eq!(shrink(&whole, 100, &mut |_| false), whole);
        let smallest = shrink(&whole, 1_000, &mut |_| true);
        assert_eq!(steps(&smallest), []);
    }
}
