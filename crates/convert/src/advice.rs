//! What the owner of a model can do about lost bits.

use crate::source::{Framework, Hint, Path, Source};
use crate::verdict::{Cell, Stage, Verdict};

/// What keeps the bits, or makes them repeatable; `None` where nothing is lost.
pub fn advice(source: &Source, path: &Path, cell: &Cell) -> Option<&'static str> {
    // No stage differs where neither end has a seed.
    if cell.verdict == Verdict::NotRepeatable {
        return Some(if source.framework == Framework::Torch {
            "seeds of PyTorch stay behind: draw outside the model, or sample with torch.bernoulli and a \
             torch.Generator that the model makes, whose seed arrives"
        } else {
            "give the op a seed that is not zero"
        });
    }
    Some(match cell.stages.first()? {
        Stage::OpMapping => "draw outside the model, and feed the values as an input",
        Stage::SeedMapping => "set the seeds of the converted node to those of the source before compilation",
        Stage::Generator => {
            "no seed gives the source's bits: draw outside the model, or hold both ends against the converted model"
        }
        Stage::TypeLowering if source.kind == "f16" && path.hint != Hint::F16 => {
            "compile with INFERENCE_PRECISION_HINT f16, on a processor with AVX-512 FP16"
        }
        Stage::TypeLowering if source.kind == "i64" => {
            "draw i32 and cast the result: both ends draw i32 alike"
        }
        Stage::TypeLowering => "draw f32 and cast the result: both ends draw f32 alike",
        Stage::ConstantFolding => "draw in [0, 1) and scale by an input of the model, which cannot be folded",
        Stage::Range => "keep bounds whose difference is below 2^31, or draw in [0, 1) and scale after it",
        Stage::State => "compile anew for each draw, or draw all of them in one inference",
    })
}
