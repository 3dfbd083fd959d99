//! Requests: one execution of one op, as the caller describes it, and the list of ops.
//!
//! A request may be invalid. Types here keep apart only what could not be expressed otherwise; ranks, element
//! types of inputs, ranges and attribute values are for the backend to accept or to refuse.

use std::fmt;

use crate::named::Named;
use crate::op::{
    self, AttributeInfo, AttributeValue, Described as _, Distribution, InputInfo, Interface as _, Kind, Op,
    OutputForm, OutputInfo, Role,
};
use crate::response::ErrorKind;
use crate::tensor::Tensor;

/// Defines [`OpName`] and [`Request`]: a variant per op.
macro_rules! ops {
    ($($op:ident),* $(,)?) => {
        /// The ops.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum OpName { $(
            #[doc = concat!("Of [`", stringify!($op), "`](crate::", stringify!($op), ").")]
            $op,
        )* }

        impl OpName {
            /// The op's interface.
            pub const fn description(self) -> &'static Op {
                match self { $(Self::$op => op::$op::DESCRIPTION),* }
            }
        }

        impl Named for OpName {
            const ALL: &'static [Self] = &[$(Self::$op),*];
            const NAMES: &'static [&'static str] = &[$(op::$op::DESCRIPTION.name),*];

            fn name(self) -> &'static str {
                self.description().name
            }
        }

        /// One execution of one op. A backend answers an op that it does not have as unsupported.
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Request { $(
            #[doc = concat!("See [`", stringify!($op), "`](crate::", stringify!($op), ").")]
            $op(op::$op),
        )* }

        impl Request {
            /// The request of these attributes and inputs, each asked for by its description.
            ///
            /// # Errors
            /// The first name that is required and absent, or whose value is of another kind.
            pub fn build(
                op: OpName,
                attribute: &mut dyn FnMut(&'static AttributeInfo) -> Option<AttributeValue>,
                input: &mut dyn FnMut(&'static InputInfo) -> Option<Tensor>,
                execution: u32,
            ) -> Result<Self, &'static str> {
                match op { $(OpName::$op => op::$op::build(attribute, input, execution).map(Self::$op)),* }
            }

            /// The name of its op.
            pub const fn op(&self) -> OpName {
                match self { $(Self::$op(_) => OpName::$op),* }
            }

            /// Which successive execution of one op instance it is, from 0; always 0 for an op that keeps no state.
            pub const fn execution(&self) -> u32 {
                match self { $(Self::$op(request) => request.execution()),* }
            }

            /// The attributes that it has, in the order of the op's description.
            pub fn attributes(&self) -> Vec<(&'static AttributeInfo, AttributeValue)> {
                match self { $(Self::$op(request) => request.attributes()),* }
            }

            /// The inputs that it has, in the order of the op's description.
            pub fn inputs(&self) -> Vec<(&'static InputInfo, &Tensor)> {
                match self { $(Self::$op(request) => request.inputs()),* }
            }

            /// The op's first distinction, in words: `TENSORFLOW`, `with replacement`, `feature level 3.0`. Empty
            /// where nothing does.
            pub fn variant(&self) -> String {
                match self { $(Self::$op(request) => request.variant()),* }
            }

            /// The distribution that the first output is drawn from; `None` where the request does not say.
            pub fn distribution(&self) -> Option<Distribution<'_>> {
                match self { $(Self::$op(request) => request.distribution()),* }
            }

            /// A request whose first output is the first `count` elements of this one's stream, as one list, row or
            /// plane, with no other output that can be left out; `None` where there is none. This one's output may be
            /// shorter.
            #[must_use]
            pub fn prefix(&self, count: u64) -> Option<Self> {
                match self { $(Self::$op(request) => request.prefix(count).map(Self::$op)),* }
            }

            /// The same request for each of its streams: their first outputs, one after the other, are this one's. `None`
            /// where it draws from one stream, or from more than 1,024.
            ///
            /// ```
            /// use seedproof_ops::{Dtype, PhiloxUniform, Request, Shape, Tensor};
            ///
            /// let keys = Tensor::from_elements(Shape::new(&[2, 1, 2])?, &[7_u64, 0, 8, 0])?;
            /// let of = |key, sizes: &[u64]| Request::PhiloxUniform(PhiloxUniform {
            ///     key,
            ///     low: Tensor::scalar(0.0_f64),
            ///     high: Tensor::scalar(1.0_f64),
            ///     output_type: Dtype::F32.into(),
            ///     output_sizes: sizes.to_vec(),
            /// });
            /// let one = |seed| of(Tensor::vector(&[seed, 0_u64]), &[5]);
            /// assert_eq!(of(keys, &[2, 5]).items(), Some(vec![one(7), one(8)]));
            /// assert_eq!(one(7).items(), None);
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn items(&self) -> Option<Vec<Self>> {
                match self {
                    $(Self::$op(request) => Some(request.items()?.into_iter().map(Self::$op).collect())),*
                }
            }

            /// About how many elements' work it is: those of the first output, and what comes before it.
            pub fn work(&self) -> u64 {
                match self { $(Self::$op(request) => request.work()),* }
            }

            fn forms(&self) -> Option<Vec<OutputForm>> {
                match self { $(Self::$op(request) => request.outputs()),* }
            }
        }
    };
}

op::all!(ops);

impl fmt::Display for OpName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Request {
    /// The op's interface.
    pub const fn description(&self) -> &'static Op {
        self.op().description()
    }

    /// The outputs that it asks for, in the order of the op's description.
    ///
    /// ```
    /// use seedproof_ops::{DmlGenerator, DmlRandomGenerator, FeatureLevel, Request, Tensor};
    ///
    /// // Without the state after the draw, which is optional.
    /// let request = Request::DmlRandomGenerator(DmlRandomGenerator {
    ///     generator: DmlGenerator::Philox4x32_10.into(),
    ///     feature_level: FeatureLevel::Level4_0.into(),
    ///     output_sizes: vec![2, 3],
    ///     output_state: false,
    ///     input_state: Tensor::vector(&[0_u32; 6]),
    /// });
    /// let names: Vec<&str> = request.outputs().iter().map(|output| output.name).collect();
    /// assert_eq!(names, ["output"]);
    /// ```
    pub fn outputs(&self) -> Vec<&'static OutputInfo> {
        op::asked(self.description().outputs, &self.attributes()).collect()
    }

    /// The element type and extents of each of [`Self::outputs`]; `None` where the request does not say, which makes
    /// it one that its op rejects: an attribute with an unknown value, extents that are not a list, a negative extent.
    /// Nothing else is checked.
    pub fn output_forms(&self) -> Option<Vec<OutputForm>> {
        self.forms()
    }

    /// The element type and the extents, outermost first, of the first output; `None` as in
    /// [`Self::output_forms`].
    pub fn output_form(&self) -> Option<OutputForm> {
        self.forms()?.into_iter().next()
    }

    /// The value of an attribute.
    ///
    /// ```
    /// use seedproof_ops::{Alignment, AttributeValue, RandomUniform, Request};
    ///
    /// let request = Request::RandomUniform(RandomUniform::new(Alignment::Tensorflow, &[9], [0.0_f32, 1.0], [150, 10]));
    /// assert_eq!(request.attribute("op_seed"), Some(AttributeValue::Seed(10)));
    /// assert_eq!(request.input("maxval").and_then(|it| it.get(0)).map(|it| it.decimal()).as_deref(), Some("1"));
    /// assert_eq!(request.attribute("seed"), None);
    /// ```
    pub fn attribute(&self, name: &str) -> Option<AttributeValue> {
        self.attributes()
            .into_iter()
            .find(|(info, _)| info.name == name)
            .map(|(_, value)| value)
    }

    /// The input of this name.
    pub fn input(&self, name: &str) -> Option<&Tensor> {
        self.inputs()
            .into_iter()
            .find(|(info, _)| info.name == name)
            .map(|(_, tensor)| tensor)
    }

    /// Whether it has seeds and all of them are zero: the frameworks then take entropy, so that nothing determines the output.
    ///
    /// ```
    /// use seedproof_ops::{Alignment, RandomUniform, Request};
    ///
    /// let with = |seeds| Request::RandomUniform(RandomUniform::new(Alignment::Tensorflow, &[9], [0.0_f32, 1.0], seeds));
    /// assert!(with([0, 0]).is_unseeded());
    /// assert!(!with([0, 10]).is_unseeded());
    /// ```
    pub fn is_unseeded(&self) -> bool {
        let attributes = self.attributes();
        let mut seeds = attributes.iter().filter_map(|(_, value)| match value {
            AttributeValue::Seed(seed) => Some(*seed),
            _ => None,
        });
        seeds.next() == Some(0) && seeds.all(|seed| seed == 0)
    }

    /// The first input that the op takes for this.
    pub fn input_of(&self, role: Role) -> Option<&Tensor> {
        self.inputs()
            .into_iter()
            .find(|(info, _)| info.role == role)
            .map(|(_, tensor)| tensor)
    }

    /// Whether an implementation that refuses the request with the kind `given` is right where `expected` is the kind.
    ///
    /// A fault in the extents of an input is a fault of the extents and of the input: `probs` without a class are not
    /// probabilities, and a state of five words is not a state. Either kind is accepted. A state is refused for no other
    /// reason.
    ///
    /// ```
    /// use seedproof_ops::{Alignment, ErrorKind, RandomUniform, Request};
    ///
    /// // Bounds in the wrong order are refused for their range, and for no other reason.
    /// let request = Request::RandomUniform(RandomUniform::new(Alignment::Tensorflow, &[9], [1.0_f32, 0.0], [150, 10]));
    /// assert!(request.is_refusal(ErrorKind::Range, ErrorKind::Range));
    /// assert!(!request.is_refusal(ErrorKind::Range, ErrorKind::Shape));
    /// ```
    pub fn is_refusal(&self, expected: ErrorKind, given: ErrorKind) -> bool {
        let of_input =
            |(info, tensor): (&InputInfo, &Tensor)| info.role.kind() == given && self.is_misfit(info, tensor);
        match (expected, given) {
            _ if expected == given => true,
            (ErrorKind::State, ErrorKind::Shape) => true,
            (ErrorKind::Shape, _) => self.inputs().into_iter().any(of_input),
            _ => false,
        }
    }

    /// Whether an input has extents that the op forbids there, beside these attributes and other inputs.
    fn is_misfit(&self, info: &InputInfo, tensor: &Tensor) -> bool {
        let dims = tensor.shape().to_u64();
        let text = |name: &str| {
            let mut attributes = self.attributes().into_iter();
            attributes.find_map(|(info, value)| match value {
                AttributeValue::Text(text) if info.name == name => Some(text),
                _ => None,
            })
        };
        match info.role {
            Role::Key { .. } => info.role.words(text).as_ref() != Some(&dims),
            // Which of two numbers of rows is the wrong one, nothing says.
            Role::PerRow => {
                let mut inputs = self.inputs().into_iter();
                dims.len() != 1 || inputs.any(|(_, other)| other.shape().to_u64().first() != dims.first())
            }
            _ => info.is_misshapen(tensor),
        }
    }

    /// The element type that a case of this request is filed under: that of its weights, else the one that an
    /// attribute names, else the first output's.
    ///
    /// ```
    /// use seedproof_ops::{Alignment, RandomUniform, Request};
    ///
    /// let request = Request::RandomUniform(RandomUniform::new(Alignment::Pytorch, &[9], [0_i64, 100], [150, 10]));
    /// assert_eq!(request.filed_type(), "i64");
    /// ```
    pub fn filed_type(&self) -> String {
        let named = self
            .attributes()
            .into_iter()
            .find_map(|(info, value)| match (info.kind, value) {
                (Kind::Dtype(_), AttributeValue::Text(text)) => Some(text),
                _ => None,
            });
        match self.input_of(Role::Weights) {
            Some(weights) => weights.dtype().to_string(),
            None => named.unwrap_or_else(|| {
                self.forms()
                    .map_or_else(String::new, |forms| forms[0].0.to_string())
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::Dtype;
    use crate::named::Attribute;
    use crate::op::{DmlGenerator, DmlRandomGenerator};
    use crate::shape::Shape;

    fn dml(output_state: bool) -> Request {
        let shape = Shape::new(&[1, 1, 1, 6]).unwrap();
        Request::DmlRandomGenerator(DmlRandomGenerator {
            input_state: Tensor::from_elements(shape, &[0_u32; 6]).unwrap(),
            output_sizes: vec![1, 2],
            generator: DmlGenerator::Philox4x32_10.into(),
            feature_level: Attribute::parse("3.0"),
            output_state,
        })
    }

    #[test]
    fn request_is_rebuilt_from_its_parts() {
        let request = dml(true);
        let rebuilt = Request::build(
            request.op(),
            &mut |info| request.attribute(info.name),
            &mut |info| request.input(info.name).cloned(),
            0,
        );
        assert_eq!(rebuilt, Ok(request.clone()));
        let without = Request::build(
            request.op(),
            &mut |info| request.attribute(info.name),
            &mut |_| None,
            0,
        );
        assert_eq!(without, Err("input_state"));
        let wrong = Request::build(
            request.op(),
            &mut |_| Some(AttributeValue::Seed(1)),
            &mut |info| request.input(info.name).cloned(),
            0,
        );
        assert_eq!(wrong, Err("type"));
    }

    #[test]
    fn request_names_the_outputs_that_it_asks_for() {
        let names = |request: &Request| request.outputs().iter().map(|info| info.name).collect::<Vec<_>>();
        assert_eq!(names(&dml(true)), ["output", "output_state"]);
        assert_eq!(names(&dml(false)), ["output"]);
        assert_eq!(
            dml(true).output_forms(),
            Some(vec![(Dtype::U32, vec![1, 2]), (Dtype::U32, vec![1, 1, 1, 6])])
        );
    }

    #[test]
    fn request_for_a_prefix_keeps_all_but_the_count() {
        let prefix = dml(true).prefix(9).unwrap();
        assert_eq!(prefix.output_forms(), Some(vec![(Dtype::U32, vec![1, 9])]));
        assert_eq!(prefix.input("input_state"), dml(true).input("input_state"));
        assert_eq!((dml(true).work(), prefix.work()), (18, 25));
    }

    #[test]
    fn refusals_of_malformed_inputs_have_two_kinds() {
        use ErrorKind::{Dtype, Probabilities, Range, Samples, Shape, State};
        let weights = |dims: &[u64]| {
            let shape = crate::Shape::new(dims).unwrap();
            let probs = vec![0.5_f32; shape.count()];
            Request::Multinomial(crate::Multinomial {
                probs: Tensor::from_elements(shape, &probs).unwrap(),
                num_samples: Tensor::scalar(1_i32),
                draws: None,
                convert_type: crate::Dtype::I32.into(),
                with_replacement: true,
                log_probs: false,
                global_seed: 1,
                op_seed: 2,
                execution: 0,
            })
        };
        for empty in [&[2, 0][..], &[3], &[1, 2, 3]] {
            assert!(weights(empty).is_refusal(Shape, Probabilities), "{empty:?}");
            assert!(!weights(empty).is_refusal(Shape, Samples), "{empty:?}");
        }
        // If the extents of the probabilities are right, only the kind of the fault itself is accepted.
        for (expected, given) in [(Shape, Probabilities), (Probabilities, Shape), (Samples, Shape)] {
            assert!(!weights(&[1, 3]).is_refusal(expected, given), "{expected:?}");
        }
        let state = |words: &[u32]| {
            Request::DmlRandomGenerator(crate::DmlRandomGenerator {
                input_state: Tensor::vector(words),
                output_sizes: vec![1, 1, 1, 4],
                generator: crate::DmlGenerator::Philox4x32_10.into(),
                feature_level: crate::FeatureLevel::Level4_0.into(),
                output_state: false,
            })
        };
        assert!(state(&[0; 5]).is_refusal(State, Shape) && state(&[0; 5]).is_refusal(Shape, State));
        assert!(!state(&[0; 5]).is_refusal(State, Dtype) && !state(&[0; 5]).is_refusal(State, Range));
        assert!(state(&[0; 6]).is_refusal(State, State));
    }

    #[test]
    fn descriptions_are_complete() {
        for op in OpName::ALL.iter().map(|op| op.description()) {
            let names: Vec<&str> = op.names().collect();
            assert!(
                names
                    .iter()
                    .all(|name| names.iter().filter(|other| *other == name).count() == 1)
            );
            assert!(op.attributes.iter().all(|info| !info.doc.trim().is_empty()));
            assert!(
                op.inputs
                    .iter()
                    .all(|info| !info.doc.trim().is_empty() && !info.extents.is_empty())
            );
            for info in op.attributes.iter().filter(|info| info.kind == Kind::WithOutput) {
                assert!(op.outputs.iter().skip(1).any(|output| output.name == info.name));
            }
            for info in op.inputs {
                if let crate::Types::Attribute(name) = info.dtypes {
                    assert!(matches!(
                        op.attribute(name).map(|info| info.kind),
                        Some(Kind::Dtype(_))
                    ));
                }
                if let Role::Words(dims) = info.role {
                    assert!(info.ranks.contains(&dims.len()));
                }
            }
        }
    }
}
