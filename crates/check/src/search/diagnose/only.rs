//! The property that all cases of a cause share and that no contradicting passing case has.

use std::collections::BTreeSet;

use seedproof_ops::{AttributeValue, Distribution, Kind, Named as _, Request, Scalar};

use crate::model::exchange::PassedCase;

/// The property in words: `only where the type is f16`. Empty if there is none, and if no passing case contradicts the
/// cause.
///
/// `is_nearly_all` says whether the cases are nearly all of their ops that fail. A range of numbers divides those of a part of them
/// by chance: a mistake that resembles another one does so in narrow ranges.
pub(crate) fn shared(failing: &[&Request], passing: &[&PassedCase], is_nearly_all: bool) -> String {
    // Without contradictions the property is a matter of which cases were asked, and says nothing of the cause.
    if failing.is_empty() || passing.is_empty() {
        return String::new();
    }
    let of_failing: Vec<Properties> = failing.iter().map(|request| properties_of(request)).collect();
    let of_passing: Vec<Properties> = passing.iter().map(|pass| properties_of(&pass.request)).collect();
    property(&of_failing, &of_passing)
        .map(|property| format!("only where {property}"))
        .or_else(|| attribute(failing, passing))
        .or_else(|| presence(failing, passing))
        .or_else(|| size(failing, passing))
        .or_else(|| input(failing, passing))
        .or_else(|| bounds(failing, passing).filter(|_| is_nearly_all))
        .or_else(|| parity(failing, passing))
        .or_else(|| ops(failing, passing))
        .or_else(|| exception(&of_failing, &of_passing).map(|property| format!("but not where {property}")))
        .unwrap_or_default()
}

/// The cases on each side that a property needs which divides requests into two: of fewer each such property divides some by
/// chance.
const FEWEST: usize = 6;

/// What a request has of each property, in words.
type Properties = [(&'static str, String); 6];

fn properties_of(request: &Request) -> Properties {
    let form = request.output_form();
    let rank = form.as_ref().map_or(0, |(_, dims)| dims.len());
    let bits = form.map_or(0, |(dtype, _)| 8 * dtype.size());
    [
        ("the op is", request.op().name().to_owned()),
        ("the type is", request.filed_type()),
        ("the variant is", request.variant()),
        ("an element has", format!("{bits} bits")),
        ("the rank is", rank.to_string()),
        ("the execution is", request.execution().to_string()),
    ]
}

/// The first property that has one value in all of some requests, and other values in all of the others.
fn property(all: &[Properties], others: &[Properties]) -> Option<String> {
    let mut alike = all.first()?.iter().enumerate().filter(|(i, (_, value))| {
        // Some ops have no variants.
        !value.is_empty()
            && all.iter().all(|it| it[*i].1 == *value)
            && others.iter().all(|it| it[*i].1 != *value)
    });
    alike.next().map(|(_, (name, value))| format!("{name} {value}"))
}

/// The ops of the cases, or those of the passing ones, where no op has cases of both kinds: each op may be a kernel of its own.
fn ops(failing: &[&Request], passing: &[&PassedCase]) -> Option<String> {
    let names = |all: &mut dyn Iterator<Item = &Request>| -> BTreeSet<&str> {
        all.map(|request| request.op().name()).collect()
    };
    let own = names(&mut failing.iter().copied());
    let others = names(&mut passing.iter().map(|pass| &pass.request));
    if failing.len().min(passing.len()) < FEWEST || !own.is_disjoint(&others) {
        return None;
    }
    let listed = |names: BTreeSet<&str>| names.into_iter().collect::<Vec<_>>().join(", ");
    Some(if others.len() < own.len() {
        format!("but not in {}", listed(others))
    } else {
        format!("only in {}", listed(own))
    })
}

/// A property of the passing cases that no case of the cause has: a kernel has a path of its own for one value, and the
/// mistake is in the path of all others.
fn exception(failing: &[Properties], passing: &[Properties]) -> Option<String> {
    // Of a few passing cases it is chance that they have something in common.
    const FEW: usize = 4;
    property(passing, failing).filter(|_| passing.len() >= FEW)
}

/// An attribute that chooses between paths of a kernel, such as a flag, and has one value in all cases of the cause, and others
/// in the passing ones.
fn attribute(failing: &[&Request], passing: &[&PassedCase]) -> Option<String> {
    failing[0].attributes().into_iter().find_map(|(info, first)| {
        let text = match (&info.kind, &first) {
            (Kind::Boolean, AttributeValue::Boolean(flag)) => flag.to_string(),
            (Kind::Enumeration(_), AttributeValue::Text(name)) => name.clone(),
            _ => return None,
        };
        let is_first = |request: &Request| {
            let mut all = request.attributes().into_iter();
            all.any(|(other, value)| other.name == info.name && value == first)
        };
        let is_shared = failing.iter().all(|request| is_first(request))
            && !passing.iter().any(|pass| is_first(&pass.request));
        is_shared.then(|| format!("only where {} is {text}", info.name))
    })
}

/// An optional input that all cases of the cause have and no passing one has, or the other way round.
fn presence(failing: &[&Request], passing: &[&PassedCase]) -> Option<String> {
    let has = |request: &Request, name: &str| request.inputs().iter().any(|(info, _)| info.name == name);
    let op = failing[0].op();
    let mut optional = op.description().inputs.iter().filter(|info| !info.required);
    let info = optional.find(|info| {
        let first = has(failing[0], info.name);
        failing
            .iter()
            .all(|request| request.op() == op && has(request, info.name) == first)
            && passing
                .iter()
                .all(|pass| pass.request.op() == op && has(&pass.request, info.name) != first)
    })?;
    let is = if has(failing[0], info.name) {
        "given"
    } else {
        "left out"
    };
    Some(format!("only where {} is {is}", info.name))
}

/// An input of one size in all cases of the cause, and of other sizes in the passing ones: one key, where a batch is right.
fn input(failing: &[&Request], passing: &[&PassedCase]) -> Option<String> {
    let size = |request: &Request, name: &str| {
        let inputs = request.inputs();
        let of = inputs.iter().find(|(info, _)| info.name == name);
        of.map(|(_, input)| input.count())
    };
    let inputs = failing[0].inputs();
    let mut names = inputs.iter().map(|(info, _)| info.name);
    let name = names.find(|name| {
        let first = size(failing[0], name);
        failing.iter().all(|request| size(request, name) == first)
            && passing.iter().all(|pass| size(&pass.request, name) != first)
    })?;
    let count = size(failing[0], name)?;
    let elements = if count == 1 { "element" } else { "elements" };
    Some(format!("only where {name} has {count} {elements}"))
}

/// A bound on the number of elements that separates the cases of the cause from the passing ones.
fn size(failing: &[&Request], passing: &[&PassedCase]) -> Option<String> {
    let count = |request: &Request| {
        request.output_form().map_or(0, |(_, dims)| {
            dims.iter().fold(1, |count: u64, &dim| count.saturating_mul(dim))
        })
    };
    let range = |counts: &mut dyn Iterator<Item = u64>| {
        counts.fold((u64::MAX, 0), |(least, most), count| {
            (count.min(least), count.max(most))
        })
    };
    let (least, most) = range(&mut failing.iter().map(|request| count(request)));
    let (least_passing, most_passing) = range(&mut passing.iter().map(|pass| count(&pass.request)));
    if least > most_passing {
        Some(format!("only in outputs of {least} elements and more"))
    } else if most < least_passing {
        Some(match most {
            1 => "only in outputs of one element".to_owned(),
            _ => format!("only in outputs of at most {most} elements"),
        })
    } else {
        None
    }
}

/// What separates the ranges of the cases from those of the passing ones: a sign that a kernel takes for another, or a limit up to
/// which a word is enough for a number.
fn bounds(failing: &[&Request], passing: &[&PassedCase]) -> Option<String> {
    if failing.len().min(passing.len()) < FEWEST {
        return None;
    }
    let of = |request: &Request| {
        let Some(Distribution::Uniform { lower, upper }) = request.distribution() else {
            return None;
        };
        let [low, high] = [lower, upper].map(Scalar::to_f64);
        Some([high - low, low, high, f64::from(low < 0.0 && high > 0.0)])
    };
    let own: Vec<[f64; 4]> = failing.iter().map(|it| of(it)).collect::<Option<_>>()?;
    let others: Vec<[f64; 4]> = passing.iter().map(|it| of(&it.request)).collect::<Option<_>>()?;
    let ends = |all: &[[f64; 4]], which: usize| {
        all.iter()
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], it| {
                [least.min(it[which]), most.max(it[which])]
            })
    };
    let names = ["the width of the range", "the lower bound", "the upper bound"];
    let limit = names.into_iter().enumerate().find_map(|(which, name)| {
        let ([least, most], [from, to]) = (ends(&own, which), ends(&others, which));
        if least > to {
            Some(format!("only where {name} is at least {least}"))
        } else if most < from {
            Some(format!("only where {name} is at most {most}"))
        } else {
            None
        }
    });
    limit.or_else(|| match (ends(&own, 3), ends(&others, 3)) {
        ([1.0, _], [_, 0.0]) => Some("only where the range reaches from below zero to above it".to_owned()),
        ([_, 0.0], [1.0, _]) => {
            Some("only where the range does not reach from below zero to above it".to_owned())
        }
        _ => None,
    })
}

/// Whether an extent is even, which decides on the path of a kernel that shares out halves.
fn parity(failing: &[&Request], passing: &[&PassedCase]) -> Option<String> {
    if failing.len().min(passing.len()) < FEWEST {
        return None;
    }
    let is_even = |request: &Request, is_first: bool| {
        let (_, dims) = request.output_form()?;
        let dim = if is_first { dims.first() } else { dims.last() };
        dim.map(|dim| dim % 2 == 0)
    };
    [("first", true), ("last", false)]
        .into_iter()
        .find_map(|(name, is_first)| {
            let first = is_even(failing[0], is_first)?;
            let is_shared = failing
                .iter()
                .all(|request| is_even(request, is_first) == Some(first))
                && !passing
                    .iter()
                    .any(|pass| is_even(&pass.request, is_first) == Some(first));
            let is = if first { "even" } else { "odd" };
            is_shared.then(|| format!("only where the {name} extent is {is}"))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{dml, uniform, uniform_between};
    use seedproof_corpus::CaseId;
    use seedproof_ops::{Alignment, Dtype, ErrorKind, NanRule, OpError, Shape};

    fn of(failing: &[Request], passing: &[Request]) -> String {
        let passing: Vec<PassedCase> = passing
            .iter()
            .map(|request| PassedCase {
                case: CaseId::new("ru8/toy/any").unwrap(),
                request: request.clone(),
                reply: Err(OpError::new(ErrorKind::Range, "")),
                nan: NanRule::Class,
            })
            .collect();
        shared(
            &failing.iter().collect::<Vec<_>>(),
            &passing.iter().collect::<Vec<_>>(),
            true,
        )
    }

    fn sized(dtype: Dtype, shape: &[i64]) -> Request {
        uniform(Alignment::Tensorflow, dtype, shape)
    }

    #[test]
    fn shared_is_what_all_have_and_no_passing_case_has() {
        let halves = [sized(Dtype::F16, &[3]), sized(Dtype::F16, &[9])];
        assert_eq!(
            of(&halves, &[sized(Dtype::F32, &[4])]),
            "only where the type is f16"
        );
        // One that passes has it too, or one that fails has it not: the sizes overlap.
        assert_eq!(
            of(&halves, &[sized(Dtype::F32, &[4]), sized(Dtype::F16, &[4])]),
            ""
        );
        let mixed = [sized(Dtype::F16, &[3]), sized(Dtype::F64, &[9])];
        assert_eq!(of(&mixed, &[sized(Dtype::F32, &[4])]), "");
        assert_eq!(
            of(
                &[sized(Dtype::F16, &[3]), sized(Dtype::Bf16, &[9])],
                &[sized(Dtype::F32, &[4])]
            ),
            "only where an element has 16 bits"
        );
        // A path of its own for one type is right, as enough cases show.
        let passing = [3, 4, 5, 6].map(|count| sized(Dtype::F32, &[count]));
        assert_eq!(of(&mixed, &passing), "but not where the type is f32");
        assert_eq!(of(&mixed, &passing[1..]), "");
        // Where several properties hold, the first one is named.
        assert_eq!(
            of(&halves, &[dml(&[1, 1, 1, 4])]),
            "only where the op is openvino.RandomUniform-8"
        );
        let torch = uniform(Alignment::Pytorch, Dtype::F16, &[4]);
        assert_eq!(of(&halves, &[torch]), "only where the variant is TENSORFLOW");
        assert_eq!(
            of(&halves, &[sized(Dtype::F16, &[2, 2])]),
            "only where the rank is 1"
        );
        let Request::RandomUniform(mut again) = sized(Dtype::F16, &[3]) else {
            unreachable!()
        };
        again.execution = 2;
        let again = Request::RandomUniform(again);
        assert_eq!(of(&[again], &halves), "only where the execution is 2");
        assert_eq!(of(&[], &halves), "");
        assert_eq!(of(&halves, &[]), "");
    }

    #[test]
    fn shared_is_what_divides_the_ranges() {
        let of_ranges = |failing: [[i64; 2]; 6], passing: [[i64; 2]; 6]| {
            let request =
                |[low, high]: [i64; 2]| uniform_between(Dtype::I64, 5, (&low.to_string(), &high.to_string()));
            of(&failing.map(request), &passing.map(request))
        };
        let around = [[-1, 1], [-5, 900], [-70, 3], [-2, 40], [-1000, 7], [-6, 6]];
        let beside = [[0, 9], [-9, 0], [4, 90], [-80, -3], [1, 1000], [-3000, -2]];
        assert_eq!(
            of_ranges(around, beside),
            "only where the range reaches from below zero to above it"
        );
        assert_eq!(
            of_ranges(beside, around),
            "only where the range does not reach from below zero to above it"
        );
        let wide = around.map(|[low, high]| [low << 32, high << 32]);
        assert_eq!(
            of_ranges(wide, beside),
            "only where the width of the range is at least 8589934592"
        );
        let mut mixed = beside;
        mixed[5] = [-3, 2];
        assert_eq!(of_ranges(around, mixed), "");
    }

    #[test]
    fn shared_is_a_flag_where_there_is_nothing_else() {
        let sampled = |use_fp64: bool, is_drafting: bool, seed: i64| {
            Request::VllmGumbelSample(seedproof_ops::VllmGumbelSample {
                logits: seedproof_ops::Tensor::from_elements(Shape::new(&[1, 2]).unwrap(), &[0.0_f32, 1.0])
                    .unwrap(),
                temperature: seedproof_ops::Tensor::vector(&[1.0_f32]),
                seed: seedproof_ops::Tensor::vector(&[seed]),
                pos: seedproof_ops::Tensor::vector(&[3_i64]),
                use_fp64,
                is_drafting,
            })
        };
        let narrow = [sampled(false, false, 1), sampled(false, true, 2)];
        assert_eq!(
            of(&narrow, &[sampled(true, false, 3)]),
            "only where use_fp64 is false"
        );
        // One that passes has it too.
        assert_eq!(
            of(&narrow, &[sampled(true, false, 3), sampled(false, false, 4)]),
            ""
        );
    }

    #[test]
    fn shared_is_whether_an_input_is_there() {
        let with = |draws: Option<[f64; 2]>, seed: u64| {
            Request::Multinomial(seedproof_ops::Multinomial {
                probs: seedproof_ops::Tensor::from_elements(Shape::new(&[1, 2]).unwrap(), &[0.5_f32, 0.5])
                    .unwrap(),
                num_samples: seedproof_ops::Tensor::scalar(2_i64),
                convert_type: Dtype::I64.into(),
                with_replacement: true,
                log_probs: false,
                global_seed: seed,
                op_seed: 0,
                execution: 0,
                draws: draws.map(|draws| {
                    seedproof_ops::Tensor::from_elements(Shape::new(&[1, 2]).unwrap(), &draws).unwrap()
                }),
            })
        };
        let drawn = [with(None, 1), with(None, 2)];
        assert_eq!(
            of(&drawn, &[with(Some([0.1, 0.2]), 1)]),
            "only where draws is left out"
        );
        assert_eq!(
            of(&[with(Some([0.1, 0.2]), 1)], &drawn),
            "only where draws is given"
        );
        assert_eq!(of(&drawn, &[with(Some([0.1, 0.2]), 1), with(None, 4)]), "");
    }

    #[test]
    fn shared_is_the_size_of_an_input_where_there_is_nothing_else() {
        let keyed = |keys: usize, count: u64| {
            Request::PhiloxUniform(seedproof_ops::PhiloxUniform {
                key: seedproof_ops::Tensor::vector(&vec![1_u64; 2 * keys]),
                low: seedproof_ops::Tensor::scalar(0.0_f64),
                high: seedproof_ops::Tensor::scalar(1.0_f64),
                output_type: Dtype::F32.into(),
                output_sizes: vec![count],
            })
        };
        let one = [keyed(1, 4), keyed(1, 9)];
        assert_eq!(of(&one, &[keyed(3, 6)]), "only where key has 2 elements");
        assert_eq!(of(&one, &[keyed(3, 6), keyed(1, 7)]), "");
    }

    #[test]
    fn shared_is_whether_an_extent_is_even() {
        let of = |failing: &[[i64; 2]], passing: &[[i64; 2]]| {
            let sized = |shape: &[i64; 2]| sized(Dtype::F32, shape);
            let [failing, passing] = [failing, passing].map(|all| all.iter().map(sized).collect::<Vec<_>>());
            of(&failing, &passing)
        };
        let even = [[2, 3], [4, 9], [6, 4], [8, 8], [2, 5], [12, 4]];
        let odd = [[1, 3], [3, 8], [5, 4], [7, 9], [1, 2], [11, 40]];
        assert_eq!(of(&even, &odd), "only where the first extent is even");
        assert_eq!(of(&odd, &even), "only where the first extent is odd");
        let swapped = |all: [[i64; 2]; 6]| all.map(|[a, b]| [b, a]);
        assert_eq!(
            of(&swapped(even), &swapped(odd)),
            "only where the last extent is even"
        );
        // Of a few cases it is chance.
        assert_eq!(of(&even[1..], &odd), "");
        assert_eq!(of(&even, &[odd, even].concat()), "");
    }

    #[test]
    fn shared_is_a_size_where_there_is_nothing_else() {
        let counts = |counts: &[i64]| -> Vec<Request> {
            counts
                .iter()
                .map(|&count| uniform_between(Dtype::F32, count, ("0", "1")))
                .collect()
        };
        let of = |failing: &[i64], passing: &[i64]| of(&counts(failing), &counts(passing));
        assert_eq!(of(&[17, 40], &[1, 16]), "only in outputs of 17 elements and more");
        assert_eq!(of(&[1, 16], &[17, 40]), "only in outputs of at most 16 elements");
        for (failing, passing) in [([17, 40], [1, 17]), ([1, 17], [17, 40]), ([5, 9], [1, 40])] {
            assert_eq!(of(&failing, &passing), "");
        }
    }
}
