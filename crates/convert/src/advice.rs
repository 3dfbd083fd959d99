//! Advice for the owner of a model that loses its bits.

use crate::source::{Framework, Hint, Path, Source, Target};
use crate::verdict::{Cell, Stage, Verdict};

/// A change that keeps the bits, or makes them repeatable, with its line of code; `None` if nothing is lost.
pub fn advice(source: &Source, path: &Path, cell: &Cell) -> Option<String> {
    // Before the stages: a cell has none if neither end has a seed, and a seed helps all the same.
    if cell.verdict == Verdict::NotRepeatable {
        return Some(seeding(source, path));
    }
    let first = *cell.stages.first()?;
    // If the generators differ, equal seeds would not help, whatever the first stage is.
    let first = if cell.stages.contains(&Stage::Generator) {
        Stage::Generator
    } else {
        first
    };
    let advice = match first {
        Stage::OpMapping if path.target == Target::Onnxruntime && cell.verdict == Verdict::NotDrawn => {
            "create the session with graph_optimization_level = GraphOptimizationLevel.ORT_DISABLE_ALL"
        }
        Stage::OpMapping
            if cell.verdict == Verdict::NotDrawn && source.shape.as_ref().is_some_and(Vec::is_empty) =>
        {
            "draw an output of the shape [1], and reshape it"
        }
        Stage::OpMapping => "draw outside the model, and feed the values as an input",
        Stage::SeedMapping if path.target == Target::Litert => {
            "keep both seeds below 2^31: LiteRT takes the low 32 bits of each"
        }
        Stage::SeedMapping => {
            "set the seeds of the converted node to those of the source before compilation: \
             node.set_attribute(\"global_seed\", …), node.set_attribute(\"op_seed\", …)"
        }
        Stage::Generator => {
            "the two generators differ, so that no seed helps: feed the random values as an input, or take the converted model's \
             values as the reference"
        }
        Stage::TypeLowering if source.op == "tf.nn.dropout" && path.hint == Hint::F16 => {
            "compile with INFERENCE_PRECISION_HINT f32, which keeps what follows the draw in f32"
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
        Stage::State if source.body().is_some() => {
            "draw all values before the loop or the condition, in one op, and take a slice in each iteration"
        }
        Stage::State => {
            "draw all values in one inference: later ones continue at another place in the stream"
        }
    };
    Some(advice.to_owned())
}

/// The way to give a seed to an op without one.
fn seeding(source: &Source, path: &Path) -> String {
    match source.framework {
        Framework::Torch if path.mode.starts_with("onnx-") => format!(
            "torch.onnx.export writes no seed, and no seed reproduces PyTorch's bits; a seed in the file makes the model repeatable: {}",
            onnx_attribute(source)
        ),
        Framework::Torch => "seeds of PyTorch stay behind: draw outside the model, or sample with torch.bernoulli and a torch.Generator that the \
             model makes, whose seed arrives in a traced module: \
             torch.bernoulli(p, generator=torch.Generator().manual_seed(7))"
            .to_owned(),
        Framework::Onnx | Framework::Onnxruntime => {
            format!("give the op a seed that is not zero: {}", onnx_attribute(source))
        }
        Framework::Openvino => "give the op a seed that is not zero, before compilation: \
             for node in model.get_ordered_ops(): if node.get_type_name() == \"RandomUniform\": node.set_attribute(\"global_seed\", 7)"
            .replace("RandomUniform", &source.op),
        Framework::Tensorflow => {
            let function = match source.op.as_str() {
                op if op.starts_with("tf.") => op,
                "RandomUniform" | "RandomUniformInt" => "tf.random.uniform",
                "RandomStandardNormal" => "tf.random.normal",
                "TruncatedNormal" => "tf.random.truncated_normal",
                "Multinomial" => "tf.random.categorical",
                "RandomShuffle" => "tf.random.shuffle",
                "RandomGamma" => "tf.random.gamma",
                "RandomPoissonV2" => "tf.random.poisson",
                op => return format!(
                    "give the op a seed that is not zero: {op} takes it from its input, which tf.random.Generator.from_seed(7) makes"
                ),
            };
            format!(
                "give the op a seed that is not zero: {function}(…, seed=7), or tf.random.set_seed(7) before the model is built"
            )
        }
    }
}

/// The line of code that seeds a node of ONNX. Nodes with equal seeds would draw equal numbers.
fn onnx_attribute(source: &Source) -> String {
    // ONNX declares the seed of Dropout as an integer and every other seed as a float. ONNX
    // Runtime refuses the wrong kind, and a second attribute of the same name.
    let (seed, field) = if source.op == "Dropout" {
        ("7", "i")
    } else {
        ("7.0", "f")
    };
    let line = if source.get("seed").is_some() {
        format!("next(a for a in node.attribute if a.name == \"seed\").{field} = {seed}")
    } else {
        format!("node.attribute.append(onnx.helper.make_attribute(\"seed\", {seed}))")
    };
    format!("{line}, with another number for each node")
}
