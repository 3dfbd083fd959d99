//! Where in the computation a wrong output goes wrong: the stage, the generator's block, the place in the stream.

use seedproof_ops::Tensor;

use crate::judge::invert::Fraction;
use crate::judge::question::Question;
use crate::judge::stages::{compare_stages, infer_stages, is_worth_staging};
use crate::model::comparison::Comparison;
use crate::model::finding::Mismatch;
use crate::model::stage::{Blocks, StageValues};

/// Adds to a mismatch the stages of the computation, the generator's blocks, and the places where the wrong elements
/// stand in the expected stream, as far as they are known. `outputs` are the expected and the actual output, if both
/// are known in full.
pub(crate) fn locate(question: &Question<'_>, mismatch: &mut Mismatch, outputs: Option<[&Tensor; 2]>) {
    let (request, oracle) = (&question.case.request, question.oracle());
    match mismatch {
        Mismatch::Elements(comparison) => {
            if let Some([expected, actual]) = outputs {
                if is_worth_staging(actual) {
                    add_stages(question, comparison, actual);
                }
                // After the stages, because elements whose words are right are not looked up.
                comparison.differences.search(oracle, request, expected);
            }
            let blocks = Blocks::of(oracle, request);
            comparison.first.block = blocks.map(|blocks| blocks.place(comparison.first.index));
            comparison.differences.blocks = blocks;
        }
        Mismatch::Chunks {
            first: Some(first), ..
        } => {
            first.block = Blocks::of(oracle, request).map(|blocks| blocks.place(first.index));
        }
        _ => {}
    }
}

fn add_stages(question: &Question<'_>, comparison: &mut Comparison, actual: &Tensor) {
    let request = &question.case.request;
    let Some(expected) = question.oracle().stages(request) else {
        return;
    };
    let shown = question.stages();
    let first = &comparison.first;
    // Most implementations show an output and nothing before it. Some stages follow from the output all the same.
    comparison.stages = match &shown {
        Some(actual) => compare_stages(&expected, actual, question.judges.nan),
        None => infer_stages(request, &expected, actual),
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
