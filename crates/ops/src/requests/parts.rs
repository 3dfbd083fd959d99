//! A request before it is one.

use crate::dtype::Dtype;
use crate::op::{AttributeValue, InputInfo, Role};
use crate::request::{OpName, Request};
use crate::tensor::Tensor;

/// What a request is built from, in the order of the op's description.
pub(super) struct Parts {
    pub(super) op: OpName,
    pub(super) attributes: Vec<Option<AttributeValue>>,
    pub(super) inputs: Vec<Option<Tensor>>,
    pub(super) execution: u32,
}

impl Parts {
    pub(super) fn build(&self) -> Result<Request, &'static str> {
        let mut attributes = self.attributes.iter();
        let mut inputs = self.inputs.iter();
        Request::build(
            self.op,
            &mut |_| attributes.next()?.clone(),
            &mut |_| inputs.next()?.clone(),
            self.execution,
        )
    }

    /// The text value of this attribute.
    pub(super) fn text(&self, attribute: &str) -> Option<String> {
        let mut named = self.op.description().attributes.iter().zip(&self.attributes);
        named.find_map(|(info, value)| match value {
            Some(AttributeValue::Text(text)) if info.name == attribute => Some(text.clone()),
            _ => None,
        })
    }

    /// The type that a type attribute names, or f32 where it names none.
    pub(super) fn named_type(&self, attribute: &str) -> Dtype {
        let named = self.text(attribute).and_then(|text| text.parse().ok());
        named.unwrap_or(Dtype::F32)
    }

    pub(super) fn input_of(&self, role: Role) -> Option<usize> {
        let inputs = self.op.description().inputs;
        inputs.iter().position(|info| info.role == role)
    }

    /// The rows of the inputs so far, where one of them has rows.
    pub(super) fn rows(&self) -> Option<u64> {
        let with_rows = |info: &InputInfo| matches!(info.role, Role::Weights | Role::PerRow);
        let mut inputs = self.op.description().inputs.iter().zip(&self.inputs);
        inputs.find_map(|(info, input)| {
            let dims = input.as_ref().filter(|_| with_rows(info))?.shape().to_u64();
            dims.first().copied()
        })
    }

    /// Exchanges the bounds if the lower one is greater. NaNs stay.
    pub(super) fn order(&mut self) {
        let (Some(lower), Some(upper)) = (self.input_of(Role::Lower), self.input_of(Role::Upper)) else {
            return;
        };
        let first = |at: usize| self.inputs[at].as_ref().and_then(|bound| bound.get(0));
        let swap = match (first(lower), first(upper)) {
            (Some(a), Some(b)) if a.dtype().is_float() => a.to_f64() > b.to_f64(),
            (Some(a), Some(b)) => a.to_i128() > b.to_i128(),
            _ => false,
        };
        if swap {
            self.inputs.swap(lower, upper);
        }
    }
}
