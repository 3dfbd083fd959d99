//! Where in the computation a wrong output goes wrong: the stage, the generator's block, the place in the stream.

use seedproof_ops::{Backend, NanRule, Request, Response};

use crate::judge::invert::Fraction;
use crate::judge::stages::{compare_stages, infer_stages, is_worth_staging};
use crate::model::comparison::Comparison;
use crate::model::expected::{Expected, Judges};
use crate::model::finding::Mismatch;
use crate::model::stage::Blocks;
use crate::model::stage::StageValues;

/// A request with the backends that can show the stages of its computation.
#[derive(Clone, Copy)]
pub(crate) struct Locate<'a> {
    request: &'a Request,
    /// The backend of the reading that is judged against.
    judge: &'a dyn Backend,
    /// The implementation.
    backend: &'a dyn Backend,
    nan: NanRule,
}

impl<'a> Locate<'a> {
    pub(crate) fn new(request: &'a Request, backend: &'a dyn Backend, judges: &Judges<'a>) -> Self {
        Self {
            request,
            judge: judges.reading().1,
            backend,
            nan: judges.nan,
        }
    }

    /// The mismatch with the stages of the computation, the generator's blocks, and the places where the wrong elements
    /// stand in the expected stream, as far as they are known.
    pub(crate) fn elements(self, mut mismatch: Mismatch, expected: &Expected, actual: &Response) -> Mismatch {
        if let (Mismatch::Elements(comparison), Expected::Value(expected)) = (&mut mismatch, expected) {
            if is_worth_staging(&actual.output) {
                self.stages(comparison, actual);
            }
            // After the stages, because elements whose words are right are not looked up.
            let differences = &mut comparison.differences;
            differences.search(self.judge, self.request, &expected.output);
        }
        self.blocks(mismatch)
    }

    fn stages(self, comparison: &mut Comparison, actual: &Response) {
        let Some(expected) = self.judge.stages(self.request) else {
            return;
        };
        let shown = self.backend.stages(self.request);
        let first = &comparison.first;
        // Most implementations show an output and nothing before it. Some stages follow from the output all the same.
        comparison.stages = match &shown {
            Some(actual) => compare_stages(&expected, actual, self.nan),
            None => infer_stages(self.request, &expected, &actual.output),
        };
        let differences = &mut comparison.differences;
        differences.set_stages(&expected, shown.as_ref(), &comparison.stages);
        let mut values = StageValues::of(&expected, first.index);
        comparison.actual_stages = match shown {
            Some(actual) => Some(StageValues::of(&actual, first.index)),
            None => Fraction::of(&expected).map(|fraction| {
                values.low_bits = fraction.values(first.expected).low_bits;
                fraction.values(first.actual)
            }),
        };
        comparison.expected_stages = Some(values);
    }

    /// The mismatch with the generator's block of its first element.
    pub(crate) fn blocks(self, mut mismatch: Mismatch) -> Mismatch {
        let first = match &mut mismatch {
            Mismatch::Elements(comparison) => Some(&mut comparison.first),
            Mismatch::Chunks { first, .. } => first.as_mut(),
            _ => None,
        };
        let Some(first) = first else {
            return mismatch;
        };
        let blocks = Blocks::of(self.judge, self.request);
        first.block = blocks.map(|blocks| blocks.place(first.index));
        if let Mismatch::Elements(comparison) = &mut mismatch {
            comparison.differences.blocks = blocks;
        }
        mismatch
    }
}
