//! Reports to the projects whose conversions lose random bits: the version, the cause, a mapping that would keep the
//! bits, and a short program that shows the fault.

use crate::case::Capture;
use crate::source::{Framework, Target};
use crate::verdict::Verdict;

/// An erratum of a conversion: a report, and the captures that are its evidence.
pub struct Upstream {
    /// The name of its program in `crates/convert/reports`, and its anchor.
    pub id: &'static str,
    /// The project to which it is reported.
    pub project: &'static str,
    /// The versions that were run.
    pub version: &'static str,
    /// The fault in one line.
    pub title: &'static str,
    /// The cause of the fault.
    pub cause: &'static str,
    /// The proposed fix.
    pub proposal: &'static str,
    /// A program that exits with an error once the fault is fixed.
    pub program: &'static str,
    /// Whether a capture shows the fault.
    pub shows: fn(&Capture) -> bool,
}

const OPENVINO: &str = "OpenVINO";
const VINO: &str = "openvino 2026.4.1, CPU plugin";

/// Makes a report. The id is also the name of its program.
macro_rules! report {
    ($id:literal to $project:expr, $version:expr; $($field:ident: $value:expr,)*) => {
        Upstream {
            id: $id,
            project: $project,
            version: $version,
            program: include_str!(concat!("../reports/", $id, ".py")),
            $($field: $value),*
        }
    };
}

fn is(capture: &Capture, framework: Framework, target: Target) -> bool {
    capture.source.framework == framework && capture.path.target == target
}

fn tensorflow(capture: &Capture, ops: &[&str]) -> bool {
    is(capture, Framework::Tensorflow, Target::Openvino) && ops.contains(&capture.source.op.as_str())
}

fn onnx(capture: &Capture, op: &str) -> bool {
    is(capture, Framework::Onnxruntime, Target::Openvino) && capture.source.op.starts_with(op)
}

fn torch(capture: &Capture, ops: &[&str]) -> bool {
    is(capture, Framework::Torch, Target::Openvino) && ops.contains(&capture.source.op.as_str())
}

fn loses(capture: &Capture) -> bool {
    capture
        .verdicts
        .iter()
        .any(|judged| judged.verdict != Verdict::SameBits)
}

fn refused(capture: &Capture, message: &str) -> bool {
    capture
        .refused
        .as_ref()
        .is_some_and(|refused| refused.message.contains(message))
}

/// The errata that a capture with verdicts shows.
pub(crate) fn errata(capture: &Capture) -> impl Iterator<Item = &'static Upstream> {
    UPSTREAM.iter().filter(|report| (report.shows)(capture))
}

const UNIFORM: [&str; 2] = ["RandomUniform", "tf.random.uniform"];
const INTEGERS: [&str; 2] = ["RandomUniformInt", "tf.random.uniform"];

/// The reports, in the order of their projects.
pub const UPSTREAM: &[Upstream] = &[
    report! {
        "tf-f64" to OPENVINO, VINO;
        title: "RandomUniform of f64 draws f32 and widens it",
        cause: "The CPU plugin lowers f64 to f32 before the draw: one word an element in place of two, and 23 bits of 52.",
        proposal: "Draw f64 in f64, as the core's reference does, or refuse the element type.",
        shows: |capture| tensorflow(capture, &UNIFORM) && capture.source.kind == "f64" && loses(capture),
    },
    report! {
        "tf-i64" to OPENVINO, VINO;
        title: "RandomUniform of i64 draws i32, and clips its bounds",
        cause: "The CPU plugin lowers i64 to i32: constant bounds beyond i32 become its limits, and one word is drawn in place of two.",
        proposal: "Draw 64 bits an element, as the document and the core's reference do, or refuse bounds beyond i32.",
        shows: |capture| tensorflow(capture, &INTEGERS) && capture.source.kind == "i64" && loses(capture),
    },
    report! {
        "tf-span" to OPENVINO, VINO;
        title: "RandomUniform of i32 takes a range of more than 2^31 as a signed number",
        cause: "The kernel's divisor is `maxval - minval` as an i32. Over the full range it is -1, and every element is minval.",
        proposal: "Take the range as an unsigned number of 32 bits.",
        shows: |capture| tensorflow(capture, &INTEGERS) && capture.source.kind == "i32" && loses(capture),
    },
    report! {
        "tf-folding" to OPENVINO, VINO;
        title: "tf.random.uniform with bounds is rounded once where TensorFlow rounds twice",
        cause: "A transformation moves the multiplication and the addition after RandomUniform into its bounds, where the kernel fuses them.",
        proposal: "Fold only where both agree: a range that is a power of two, or a lower bound of 0.",
        shows: |capture| {
            tensorflow(capture, &UNIFORM)
                && capture
                    .verdicts
                    .iter()
                    .any(|judged| judged.verdict == Verdict::SameWords)
                && capture.source.kind == "f32"
        },
    },
    report! {
        "tf-multinomial" to OPENVINO, VINO;
        title: "Multinomial draws from another generator than the source and the document, and repeats",
        cause: "The CPU plugin draws from MT19937 over a seed sequence; TensorFlow and the document of Multinomial-13 draw from Philox, and TensorFlow goes on in a second call.",
        proposal: "Draw from Philox with both seeds, as the document says, and keep the state as RandomUniform does.",
        shows: |capture| {
            tensorflow(capture, &["Multinomial", "tf.random.categorical"]) && capture.refused.is_none()
        },
    },
    report! {
        "tf-default-attribute" to OPENVINO, VINO;
        title: "A SavedModel with tf.random.categorical is refused",
        cause: "SavedModels leave out attributes that have their default; the frontend asks Multinomial for `output_dtype` without one.",
        proposal: "Take i64, the default of the attribute, where it is absent.",
        shows: |capture| refused(capture, "output_dtype"),
    },
    report! {
        "onnx-seed" to OPENVINO, VINO;
        title: "A float seed of ONNX arrives as its bit pattern, and 0.0 as no seed",
        cause: "The frontend copies the bits of the attribute into `op_seed`: 7.0 becomes 0x40E00000, and 0.0 becomes 0 beside a `global_seed` of 0, for which the clock stands in.",
        proposal: "Convert the number to an integer, as ONNX Runtime does, and give `global_seed` a constant, so that a seed of 0 is one.",
        shows: |capture| {
            onnx(capture, "Random") && capture.refused.is_none() && capture.source.get("seed").is_some()
        },
    },
    report! {
        "onnx-types" to OPENVINO, VINO;
        title: "RandomUniform of ONNX is refused for f64 and f16",
        cause: "The frontend makes constants of f32 for `low` and `high` whatever `dtype` says.",
        proposal: "Make the constants of the type that `dtype` names.",
        shows: |capture| refused(capture, "should have the same type as 'out_type'"),
    },
    report! {
        "onnx-bernoulli-seed" to OPENVINO, VINO;
        title: "Bernoulli of ONNX without a seed is refused",
        cause: "The function body of Bernoulli refers to the attribute `seed`, which is absent; the frontend takes its type from it.",
        proposal: "Drop a reference to an attribute that the node does not have.",
        shows: |capture| refused(capture, "Invalid attribute type UNDEFINED"),
    },
    report! {
        "onnx-bernoulli-path" to OPENVINO, VINO;
        title: "Bernoulli of ONNX is refused in a model that is read from a file",
        cause: "Functions of the op set are expanded only in a model that is given as bytes; read from its file, the same model has \
                no conversion rule for Bernoulli.",
        proposal: "Expand them whichever way the model comes.",
        shows: |capture| onnx(capture, "Bernoulli") && refused(capture, "operations: Bernoulli-"),
    },
    report! {
        "torch-seed" to OPENVINO, VINO;
        title: "The seed of torch.manual_seed does not arrive",
        cause: "The frontend makes RandomUniform with both seeds 0, for which the clock stands in: no two compilations draw alike.",
        proposal: "Write a seed of PyTorch's generator into the graph at conversion, in the alignment PYTORCH, and say in the documentation what is kept.",
        shows: |capture| {
            torch(
                capture,
                &[
                    "torch.rand",
                    "torch.rand_like",
                    "torch.randint",
                    "torch.randperm",
                    "torch.bernoulli",
                    "torch.multinomial",
                ],
            ) && capture.refused.is_none()
                && capture.source.get("generator_seed").is_none()
        },
    },
    report! {
        "torch-randn" to OPENVINO, VINO;
        title: "Each conversion of torch.randn is another model",
        cause: "The frontend chooses the seeds of both RandomUniforms anew at each conversion, whatever torch.manual_seed said.",
        proposal: "Derive them from PyTorch's initial seed, so that two conversions after one manual_seed agree.",
        shows: |capture| {
            torch(
                capture,
                &[
                    "torch.randn",
                    "torch.randn_like",
                    "torch.normal",
                    "torch.normal-tensor",
                    "Tensor.normal_",
                ],
            ) && capture.refused.is_none()
        },
    },
    report! {
        "torch-dropout" to OPENVINO, VINO;
        title: "torch.nn.functional.dropout(training=True) vanishes, or becomes the first element of its input",
        cause: "The rule of TorchScript drops the op without a warning; the rule of `native_dropout` takes the first element of the tensor in place of the first output of the op.",
        proposal: "Convert it to RandomUniform, GreaterEqual and Select, as the TensorFlow frontend does, or refuse it.",
        shows: |capture| {
            torch(
                capture,
                &["torch.nn.functional.dropout", "torch.nn.functional.dropout1d"],
            ) && capture.refused.is_none()
        },
    },
    report! {
        "torch-dtype" to OPENVINO, VINO;
        title: "torch.rand of an exported program loses its element type",
        cause: "The rule of `aten.rand.default` does not read `dtype`: f64 and f16 become f32.",
        proposal: "Read `dtype`.",
        shows: |capture| {
            torch(capture, &["torch.rand"])
                && capture.path.mode == "export"
                && capture.source.kind != "f32"
                && capture.refused.is_none()
        },
    },
    report! {
        "onnx-bernoulli-sense" to "ONNX", "onnx 1.23.2, onnxruntime 1.31.1";
        title: "The function body of Bernoulli gives ones with the probability 1 - p",
        cause: "The body is `Greater(RandomUniformLike(x), x)`. Runtimes that expand it, as ONNX Runtime and OpenVINO do, disagree with the op's text and with the reference evaluator.",
        proposal: "`Less` in place of `Greater`, in a new version of the op.",
        shows: |capture| capture.source.op == "Bernoulli" && capture.refused.is_none(),
    },
    report! {
        "ort-normal-scale" to "ONNX Runtime", "onnxruntime 1.31.1";
        title: "RandomNormal with a scale of 0 ends the process",
        cause: "`std::normal_distribution` is made with a deviation of 0, which an assertion of libstdc++ forbids.",
        proposal: "Refuse a scale that is not positive, or fill with the mean.",
        shows: |capture| refused(capture, "signal 6"),
    },
    report! {
        "ort-opset-22" to "ONNX Runtime", "onnxruntime 1.31.1";
        title: "The random ops of op set 22 have no kernel",
        cause: "The kernels are registered for the versions before 22, which added bfloat16 and changed nothing else.",
        proposal: "Register them for version 22 too.",
        shows: |capture| refused(capture, "(22) node"),
    },
    report! {
        "litert-seed" to "LiteRT", "ai-edge-litert 2.3.0";
        title: "Seeds are cut to 32 bits, and a second call goes on at another block than TensorFlow's",
        cause: "The kernels take both seeds of 64 bits as an `int`; they reserve the blocks that they used, where TensorFlow reserves 256 an element.",
        proposal: "Take the seeds as 64 bits, and reserve as TensorFlow's kernels do.",
        shows: |capture| {
            is(capture, Framework::Tensorflow, Target::Litert) && capture.refused.is_none() && loses(capture)
        },
    },
];
