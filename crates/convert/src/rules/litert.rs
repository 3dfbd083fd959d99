//! LiteRT 2.3: its random kernels are TensorFlow's, with seeds of 32 bits and a state of their own.

use seedproof_ops::Dtype;

use super::outcome::{At, Converted, Refusal, Rule};
use super::tensorflow;
use crate::side::{Seeds, Side, State, Values};
use crate::source::{Path, Source, low_64};

/// The seed that LiteRT's kernels use: the low 32 bits as a signed number.
fn narrow(seed: u64) -> u64 {
    #[expect(clippy::cast_possible_truncation, reason = "the kernels take an int")]
    let int = seed as i32;
    low_64(int.into())
}

/// Whether the converter makes a constant of an output: of 8,192 bytes and fewer.
fn is_small(source: &Source) -> bool {
    let size = source.dtype().and_then(|dtype| u64::try_from(dtype.size()).ok());
    let mut extents = source.shape.iter().flatten();
    let bytes = size
        .filter(|_| source.shape.is_some())
        .and_then(|size| extents.try_fold(size, |bytes, &extent| bytes.checked_mul(extent)));
    bytes.is_some_and(|bytes| bytes <= 8192)
}

/// TensorFlow to LiteRT, by `TFLiteConverter`. An op without a LiteRT kernel needs the Flex delegate, which the
/// interpreter's package does not have.
pub(super) fn from_tensorflow(source: &Source, path: &Path) -> Option<Rule> {
    let from = tensorflow::side(source)?;
    let has_kernel = match source.op.as_str() {
        "RandomUniform"
        | "tf.random.uniform"
        | "tf.nn.dropout"
        | "RandomStandardNormal"
        | "tf.random.normal" => source.dtype() == Some(Dtype::F32),
        "Multinomial" | "tf.random.categorical" => true,
        _ => false,
    };
    let target = if source.get("key").is_some() && is_small(source) {
        // With a constant key and counter, the converter folds the draw into a constant, so the bits are kept.
        Ok(Converted::without_nodes(from.clone()))
    } else if has_kernel {
        let seeds = match from.seeds {
            // Two seeds whose low halves are zero mean a random seed, like two zeros.
            Seeds::Fixed(first, second) => crate::node::fixed((narrow(first), narrow(second))),
            other => other,
        };
        // The uniform and normal kernels reserve only the blocks that they used; Multinomial's
        // reserves as much as TensorFlow's.
        let state = if from.values == Values::Kernel("Multinomial") {
            State::GoesOn
        } else {
            State::NextBlock
        };
        Ok(Converted::without_nodes(Side {
            seeds,
            state,
            ..from.clone()
        }))
    } else if path.mode.contains("select_tf_ops") || source.op.starts_with("Flex") {
        Err(Refusal::at(At::Compile, "Select TensorFlow op(s)"))
    } else if source.op == "ParameterizedTruncatedNormal" {
        Err(Refusal::at(
            At::Convert,
            "op is neither a custom op nor a flex op",
        ))
    } else {
        Err(Refusal::at(
            At::Convert,
            format!("TF Select ops: {}", tensorflow::missing(&source.op)),
        ))
    };
    Some(Rule {
        source: Ok(from),
        target,
    })
}

/// LiteRT to OpenVINO, whose frontend has no translator for any random kernel.
pub(super) fn to_openvino(source: &Source, path: &Path) -> Option<Rule> {
    let kernel = match tensorflow::kernel(&source.op) {
        "RandomStandardNormal" => "RANDOM_STANDARD_NORMAL",
        "Multinomial" => "MULTINOMIAL",
        op if op.starts_with("Flex") => op,
        _ => "RANDOM_UNIFORM",
    };
    // The converter has made the draw a constant, so the model has no random op here.
    if source.get("key").is_some() {
        return None;
    }
    let rule = from_tensorflow(source, path)?;
    let refused = Refusal::at(At::Convert, format!("No translator found for {kernel} node"));
    Some(Rule {
        target: rule.target.and(Err(refused)),
        ..rule
    })
}
