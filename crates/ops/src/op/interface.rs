//! What an op's interface says of a request: its outputs, its variant, shorter requests. Most of it follows from the
//! description, and an op has methods of its own where it differs.

use super::describe::Described;
use super::{AttributeInfo, AttributeValue, Distribution, InputInfo, Kind, OutputForm, OutputInfo, Types};
use crate::dtype::Dtype;
use crate::named::Attribute;
use crate::shape::Shape;
use crate::tensor::Tensor;

/// The behaviour of an op that its description cannot state, because it depends on the values of a request.
pub(crate) trait Interface: Described {
    /// The form of each output that the request asks for, in the order of the description; `None` where the
    /// request does not say, which makes it one that the op rejects. Nothing else is checked.
    ///
    /// Provided for an op whose description says it all: an element type, by itself or as an attribute's or an input's, and
    /// extents, as an attribute, an input or a list. [`Values::form`] has examples.
    fn outputs(&self) -> Option<Vec<OutputForm>> {
        let values = Values::of(self);
        asked(Self::DESCRIPTION.outputs, &values.attributes)
            .map(|output| values.form(output.form))
            .collect()
    }

    /// The op's first distinction, in words: `TENSORFLOW`, `with replacement`. Empty where nothing does.
    ///
    /// Provided for an op whose first enumeration is its first distinction, and for one without enumerations.
    fn variant(&self) -> String {
        let first = |(info, value): (&AttributeInfo, AttributeValue)| match (info.kind, value) {
            (Kind::Enumeration(_), AttributeValue::Text(name)) => Some(name),
            _ => None,
        };
        self.attributes().into_iter().find_map(first).unwrap_or_default()
    }

    /// The distribution of the first output; `None` where the request does not say.
    fn distribution(&self) -> Option<Distribution<'_>> {
        Some(Distribution::Bits)
    }

    /// Whether a longer output begins with a shorter one. Asked only where one value says how long the output is: extents, or
    /// the attribute `num`.
    ///
    /// Provided for an op whose later executions begin after the elements of those before.
    fn grows(&self) -> bool {
        self.earlier() == 0
    }

    /// A request whose first output is the first `count` elements of this one's stream, with no other output that can be
    /// left out; `None` where there is none.
    fn prefix(&self, count: u64) -> Option<Self>
    where
        Self: Sized,
    {
        let length = length(Self::DESCRIPTION.outputs.first()?.form).filter(|_| self.grows())?;
        let values = Values::of(self);
        let mut attribute = |info: &'static AttributeInfo| match values.attribute(info.name)? {
            AttributeValue::Extents(_) if info.name == length => Some(AttributeValue::Extents(vec![count])),
            AttributeValue::Number(_) if info.name == length => Some(AttributeValue::Number(count.into())),
            value => Some(value.clone()),
        };
        let mut input = |info: &'static InputInfo| match info.dtypes {
            _ if info.name != length => values.input(info.name).cloned(),
            Types::OneOf([Dtype::I32]) => Some(Tensor::vector(&[i32::try_from(count).ok()?])),
            _ => Some(Tensor::vector(&[i64::try_from(count).ok()?])),
        };
        Self::build(&mut attribute, &mut input, self.earlier()).ok()
    }

    /// Requests whose first outputs, one after the other, are this one's first output; `None` where it draws from one stream.
    fn items(&self) -> Option<Vec<Self>>
    where
        Self: Sized,
    {
        None
    }

    /// About how many elements' work the request is: those of the first output, and what comes before it.
    fn work(&self) -> u64 {
        elements(self.outputs()).saturating_add(16)
    }
}

/// The outputs that a request with these attributes asks for.
pub(crate) fn asked(
    outputs: &'static [OutputInfo],
    attributes: &[(&AttributeInfo, AttributeValue)],
) -> impl Iterator<Item = &'static OutputInfo> {
    outputs.iter().filter(|output| {
        attributes.iter().all(|(info, value)| {
            info.kind != Kind::WithOutput
                || info.name != output.name
                || *value == AttributeValue::Boolean(true)
        })
    })
}

/// The name of the value that alone says how long an output of this form is. It is not `n`, which says of how many things an
/// output is the order: an order does not begin with that of fewer things.
fn length(form: &'static str) -> Option<&'static str> {
    let (_, extents) = form.split_once(", ")?;
    if extents == "[`num`]" {
        return Some("num");
    }
    quoted(extents.strip_prefix("the extents in ")?).next()
}

/// The names between backticks.
fn quoted(words: &str) -> impl Iterator<Item = &str> {
    words.split('`').skip(1).step_by(2)
}

/// The values of a request, by their names.
struct Values<'a> {
    attributes: Vec<(&'static AttributeInfo, AttributeValue)>,
    inputs: Vec<(&'static InputInfo, &'a Tensor)>,
}

impl<'a> Values<'a> {
    fn of<T: Described + ?Sized>(request: &'a T) -> Self {
        Self {
            attributes: request.attributes(),
            inputs: request.inputs(),
        }
    }

    fn attribute(&self, name: &str) -> Option<&AttributeValue> {
        let mut attributes = self.attributes.iter();
        attributes
            .find(|(info, _)| info.name == name)
            .map(|(_, value)| value)
    }

    fn input(&self, name: &str) -> Option<&'a Tensor> {
        let mut inputs = self.inputs.iter();
        inputs
            .find(|(info, _)| info.name == name)
            .map(|&(_, tensor)| tensor)
    }

    /// What a form stands for: ``u32, [`num`, 2]``, ``of `output_type`, the extents in `shape` ``, ``as `value` ``.
    fn form(&self, form: &str) -> Option<OutputForm> {
        let (dtype, extents) = form.split_once(", ").unwrap_or((form, form));
        Some((self.dtype(dtype)?, self.extents(extents)?))
    }

    /// A type that has its name, or that of the first of the attributes and inputs that the request has.
    fn dtype(&self, words: &str) -> Option<Dtype> {
        let of_value = quoted(words).find_map(|name| match (self.attribute(name), self.input(name)) {
            (Some(AttributeValue::Text(dtype)), _) => Some(Attribute::parse(dtype)),
            (_, Some(tensor)) => Some(Attribute::Known(tensor.dtype())),
            _ => None,
        });
        of_value.unwrap_or_else(|| Attribute::parse(words)).known()
    }

    /// Extents in a list of numbers and of attributes, in an attribute, in an input that lists them, or an input's.
    fn extents(&self, words: &str) -> Option<Vec<u64>> {
        if let Some(listed) = words.strip_prefix('[') {
            let each = listed.trim_end_matches(']').split(", ");
            return each.map(|extent| self.extent(extent)).collect();
        }
        let name = quoted(words).next()?;
        if let Some(AttributeValue::Extents(extents)) = self.attribute(name) {
            return Some(extents.clone());
        }
        let input = self.input(name)?;
        if !words.starts_with("the extents in ") {
            return Some(input.shape().to_u64());
        }
        if input.shape().rank() == 1 {
            extents(input)
        } else {
            None
        }
    }

    fn extent(&self, word: &str) -> Option<u64> {
        let Some(name) = quoted(word).next() else {
            return word.parse().ok();
        };
        match self.attribute(name)? {
            AttributeValue::Number(extent) => u64::try_from(*extent).ok(),
            _ => None,
        }
    }
}

/// The number of elements of the first of these outputs; 0 if the shape is invalid.
pub(crate) fn elements(outputs: Option<Vec<OutputForm>>) -> u64 {
    let first = outputs.and_then(|forms| forms.into_iter().next());
    let shape = first.and_then(|(_, dims)| Shape::new(&dims).ok());
    shape.map_or(0, |shape| u64::try_from(shape.count()).unwrap_or(u64::MAX))
}

/// The extents that a tensor of integers lists; `None` if it is not integers, or one of them is negative.
pub(crate) fn extents(tensor: &Tensor) -> Option<Vec<u64>> {
    let listed = || {
        tensor
            .scalars()
            .map(|extent| u64::try_from(extent.to_i128()).ok())
            .collect()
    };
    if tensor.dtype().is_float() { None } else { listed() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::named::Named as _;
    use crate::request::{OpName, Request};

    /// A request with the first of the values that each attribute and input takes, and 3 for a number.
    fn simplest(op: OpName) -> Request {
        let mut attribute = |info: &'static AttributeInfo| {
            Some(match info.kind {
                Kind::Enumeration(names) => AttributeValue::Text(names[0].to_owned()),
                Kind::Dtype(dtypes) => AttributeValue::Text(dtypes[0].to_string()),
                Kind::Seed => AttributeValue::Seed(7),
                Kind::Boolean | Kind::WithOutput => AttributeValue::Boolean(true),
                Kind::Extents(smallest) => AttributeValue::Extents(smallest.to_vec()),
                Kind::Number(_) => AttributeValue::Number(3),
            })
        };
        let mut input = |info: &'static InputInfo| {
            let dtype = match info.dtypes {
                Types::OneOf(dtypes) => dtypes[0],
                Types::Attribute(_) => Dtype::F32,
            };
            let dims = vec![1; *info.ranks.start()];
            let shape = Shape::new(&info.role.words(|_| None).unwrap_or(dims)).unwrap();
            let bytes = vec![0; shape.count() * dtype.size()];
            Some(Tensor::new(dtype, shape, bytes).unwrap())
        };
        Request::build(op, &mut attribute, &mut input, 0).unwrap()
    }

    #[test]
    fn each_op_says_the_form_of_each_output() {
        for &op in OpName::ALL {
            let request = simplest(op);
            let forms = request.output_forms().unwrap_or_else(|| panic!("{op}"));
            assert_eq!(forms.len(), request.outputs().len(), "{op}");
        }
    }

    #[test]
    fn prefix_of_a_request_has_as_many_elements_as_it_is_asked_for() {
        let is_counted = |op: &OpName| length(op.description().outputs[0].form).is_some();
        let (with, without): (Vec<OpName>, Vec<OpName>) = OpName::ALL
            .iter()
            .filter(|op| is_counted(op))
            .partition(|&&op| simplest(op).prefix(32).is_some());
        for op in with {
            let (request, prefix) = (simplest(op), simplest(op).prefix(32).unwrap());
            assert_eq!(elements(prefix.output_forms()), 32, "{op}");
            assert_eq!(prefix.prefix(1), request.prefix(1), "{op}");
        }
        // The elements of these depend on how many there are, or are open.
        let without: Vec<&str> = without.iter().map(|op| op.name()).collect();
        let expected = [
            "tensorflow.StatelessRandomNormalV2",
            "torch.normal_",
            "onnx.RandomNormal",
            "torch_cuda.uniform_",
            "torch_cuda.random_",
            "torch_cuda.bernoulli_",
            "torch_cuda.normal_",
        ];
        assert_eq!(without, expected);
    }

    /// An execution may begin after all elements of those before, as many as the longer output has.
    #[test]
    fn later_executions_have_no_prefix() {
        let first = crate::RandomUniform::new(crate::Alignment::Tensorflow, &[9], [0.0_f32, 1.0], [150, 10]);
        assert!(first.prefix(2).is_some());
        assert!(
            crate::RandomUniform {
                execution: 3,
                ..first
            }
            .prefix(2)
            .is_none()
        );
        let Request::NumpyRandom(numpy) = simplest(OpName::NumpyRandom) else {
            panic!("the op is the request's");
        };
        assert_eq!(numpy.prefix(2).map(|prefix| prefix.output_sizes), Some(vec![2]));
        let later = crate::NumpyRandom {
            execution: 1,
            ..numpy
        };
        assert_eq!(later.prefix(2), None);
    }
}
