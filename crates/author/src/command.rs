//! The command line that draws a request.
//!
//! It is here, and not beside the options of `seedproof draw`, because the texts of issues contain such lines too. A test
//! of the program parses them back.

use seedproof_ops::{AttributeValue, InputInfo, Kind, Request, Role, Scalar, Tensor, Types};

/// The command that draws a request, quoted for a shell. `None` if no option can express the request: an attribute or an
/// input that the op does not have, a NaN, whose payload no decimal has, or an empty array of several axes.
///
/// ```
/// use seedproof_author::command_line;
/// use seedproof_ops::{Alignment, RandomUniform, Request};
///
/// let request = RandomUniform::new(Alignment::Tensorflow, &[3, 2], [0.0_f32, 1.0], [150, 10]);
/// assert_eq!(
///     command_line(&Request::RandomUniform(request)).as_deref(),
///     Some("seedproof draw ru8 --output_type f32 --global_seed 150 --op_seed 10 --alignment TENSORFLOW --shape 3,2 \
///      --minval 0 --maxval 1"),
/// );
/// ```
pub fn command_line(request: &Request) -> Option<String> {
    let mut words = vec![format!("seedproof draw {}", request.op().description().prefix)];
    let list = |numbers: &[u64]| match numbers {
        [] => "'[]'".to_owned(),
        _ => numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(","),
    };
    for (info, value) in request.attributes() {
        let name = info.name;
        words.push(match (info.kind, value) {
            (Kind::Enumeration(names), AttributeValue::Text(text)) if !names.contains(&&*text) => {
                return None;
            }
            (Kind::Dtype(dtypes), AttributeValue::Text(text))
                if dtypes.iter().all(|dtype| dtype.name() != text) =>
            {
                return None;
            }
            // These are the defaults of the options, so the command line leaves them out.
            (Kind::Enumeration([_]), _) | (_, AttributeValue::Boolean(false)) => continue,
            (_, AttributeValue::Boolean(true)) => format!("--{name}"),
            (_, AttributeValue::Text(text)) => format!("--{name} {text}"),
            (_, AttributeValue::Seed(seed)) => format!("--{name} {seed}"),
            (_, AttributeValue::Number(number)) => format!("--{name} {number}"),
            (_, AttributeValue::Extents(extents)) => format!("--{name} {}", list(&extents)),
        });
    }
    for (info, input) in request.inputs() {
        words.push(format!("--{} {}", info.name, literal(request, info, input)?));
    }
    if request.execution() > 0 {
        words.push(format!("--execution {}", request.execution()));
    }
    Some(words.join(" "))
}

/// An input as a literal, in quotes where a shell would read brackets itself.
fn literal(request: &Request, info: &InputInfo, input: &Tensor) -> Option<String> {
    // If an input may have several types and none is written, the first is meant, unless the value depends on the type.
    let prefix = match info.dtypes {
        Types::Attribute(name) => {
            let mut attributes = request.attributes().into_iter();
            let of = AttributeValue::Text(input.dtype().name().to_owned());
            attributes
                .any(|(info, value)| info.name == name && value == of)
                .then(String::new)?
        }
        Types::OneOf(&[dtype]) if dtype == input.dtype() => String::new(),
        Types::OneOf(dtypes)
            if dtypes.iter().all(|dtype| !dtype.is_float()) && dtypes.first() == Some(&input.dtype()) =>
        {
            String::new()
        }
        Types::OneOf(dtypes) if dtypes.contains(&input.dtype()) => format!("{}:", input.dtype()),
        Types::OneOf(_) => return None,
    };
    let dims = input.shape().dims();
    let elements: Vec<String> = input.scalars().map(Scalar::decimal).collect();
    let is_nan = |scalar: Scalar| scalar.dtype().is_float() && scalar.to_f64().is_nan();
    if !info.ranks.contains(&dims.len())
        || dims.len() > 1 && elements.is_empty()
        || input.scalars().any(is_nan)
    {
        return None;
    }
    // A list is written without brackets, except a list of one element where a scalar would be a different input.
    let is_plain = match (dims, info.role) {
        // The list of a state stands for the state.
        ([count], Role::Words(usual))
            if usual.len() > 1 && usual.iter().product::<u64>() == *count as u64 =>
        {
            return None;
        }
        ([1], _) => *info.ranks.start() == 1,
        ([] | [_], _) => true,
        (_, Role::Words(usual)) => input.shape().to_u64() == usual,
        _ => false,
    };
    if is_plain && !elements.is_empty() {
        return Some(format!("{prefix}{}", elements.join(",")));
    }
    let nested = dims.iter().rev().fold(elements, |inner, &extent| {
        let lists = inner.chunks(extent.max(1));
        lists.map(|list| format!("[{}]", list.join(","))).collect()
    });
    Some(format!("'{prefix}{}'", nested.join(",")))
}
