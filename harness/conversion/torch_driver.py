"""PyTorch to OpenVINO, by tracing, by scripting and by torch.export."""

import importlib.util
import tempfile
import warnings
from pathlib import Path

import numpy as np
import torch

import openvino_target
from capture import Model, draw, main
from openvino_target import convert_model

warnings.filterwarnings("ignore")
torch.set_num_threads(1)

ELEMENTS = {"f16": "torch.float16", "bf16": "torch.bfloat16", "f32": "torch.float32", "f64": "torch.float64", "i32": "torch.int32", "i64": "torch.int64"}
NUMPY = {"f16": np.float16, "f32": np.float32, "f64": np.float64}
MODES = ("trace", "script", "export")


def expression(form):
    """What the module returns, of its input `x`."""
    op, shape, kind = form["op"], form["shape"], f"dtype={ELEMENTS[form['type']]}"
    generator = f"torch.Generator().manual_seed({form['generator_seed']})" if "generator_seed" in form else None
    given = f", generator={generator}" if generator else ""
    low, high, mean, scale, p = (form.get(key) for key in ("low", "high", "mean", "scale", "p"))
    samples, replacement = form.get("samples"), form.get("replacement")
    filled = "torch.zeros_like(x)"
    return {
        "torch.rand": f"torch.rand({shape}, {kind}{given})",
        "torch.rand_like": "torch.rand_like(x)",
        "torch.randint": f"torch.randint({low}, {high}, {shape}, {kind}{given})",
        "torch.randint_like": f"torch.randint_like(x, {low}, {high})",
        "torch.randperm": f"torch.randperm({shape[0]}, {kind}{given})",
        "torch.randn": f"torch.randn({shape}, {kind}{given})",
        "torch.randn_like": "torch.randn_like(x)",
        "torch.normal": f"torch.normal({mean}, {scale}, {shape})",
        "torch.normal-tensor": f"torch.normal(x, {scale})",
        "torch.bernoulli": f"torch.bernoulli(x{given})",
        "torch.multinomial": f"torch.multinomial(x, {samples}, replacement={replacement}{given})",
        "torch.poisson": f"torch.poisson(x{given})",
        "torch.nn.functional.dropout": f"torch.nn.functional.dropout(x, {p}, training=True)",
        "torch.nn.functional.alpha_dropout": f"torch.nn.functional.alpha_dropout(x, {p}, training=True)",
        "torch.nn.functional.dropout1d": f"torch.nn.functional.dropout1d(x, {p}, training=True)",
        "torch.nn.functional.rrelu": f"torch.nn.functional.rrelu(x, {low}, {high}, training=True)",
        "torch.nn.functional.gumbel_softmax": "torch.nn.functional.gumbel_softmax(x, dim=0)",
        "Tensor.uniform_": f"{filled}.uniform_({low}, {high}{given})",
        "Tensor.normal_": f"{filled}.normal_({mean}, {scale}{given})",
        "Tensor.bernoulli_": f"{filled}.bernoulli_({p}{given})",
        "Tensor.exponential_": f"{filled}.exponential_(1.0{given})",
        "Tensor.random_": f"{filled}.random_({low}, {high}{given})",
        "Tensor.log_normal_": f"{filled}.log_normal_({mean}, {scale}{given})",
        "Tensor.cauchy_": f"{filled}.cauchy_(0.0, 1.0{given})",
        "Tensor.geometric_": f"{filled}.geometric_({p}{given})",
    }[op]


def given(form):
    """The module's input: the form's probabilities, or its constant, or ones."""
    kind = NUMPY[form.get("input_type", form["type"] if form["type"] in NUMPY else "f32")]
    if "probabilities" in form:
        return np.array(form["probabilities"], kind)
    value = form.get("p", 1.0) if form["op"] == "torch.bernoulli" else form.get("input", form.get("mean", 1.0))
    return np.full(form["shape"], value, kind)


class Module(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


def functions(forms):
    """A function for each form, from a file, since scripting reads its source."""
    folder = tempfile.mkdtemp()
    path = Path(folder) / "forms.py"
    lines = [f"def form_{number}(x: torch.Tensor):\n    return {expression(form)}\n" for number, form in enumerate(forms)]
    path.write_text("import torch\n\n\n" + "\n\n".join(lines))
    description = importlib.util.spec_from_file_location("forms", path)
    module = importlib.util.module_from_spec(description)
    description.loader.exec_module(module)
    return [getattr(module, f"form_{number}") for number in range(len(forms))]


def start(form, function):
    torch.manual_seed(form["manual_seed"])
    module, x = Module(function).eval(), torch.tensor(given(form))
    return lambda: drawn(module(x))


def drawn(tensor):
    if tensor.dtype == torch.bfloat16:
        return draw(tensor.view(torch.int16).numpy(), "bf16")
    return draw(tensor.numpy())


def convert(form, function, mode):
    torch.manual_seed(form["manual_seed"])
    module, x = Module(function).eval(), torch.tensor(given(form))
    if mode == "trace":
        return convert_model(torch.jit.trace(module, (x,), check_trace=False), example_input=(x,))
    if mode == "script":
        return convert_model(torch.jit.script(module), example_input=(x,))
    return convert_model(torch.export.export(module, (x,)))


def form(op, kind="f32", shape=(8,), manual_seed=7, **rest):
    return {"op": op, "type": kind, "shape": list(shape), "manual_seed": manual_seed, **rest}


ALL = ("f32", "default", "f16", "bf16")
ONE = ("f32",)
TRACE = ("trace",)
WEIGHTS = {"probabilities": [0.1, 0.2, 0.3, 0.4]}


def forms():
    """Each form with its hints and modes."""
    for seed in (7, 0, 2**32 + 7, -7):
        yield form("torch.rand", manual_seed=seed), ONE, MODES if seed == 7 else TRACE
    for kind in ("f16", "bf16", "f64"):
        yield form("torch.rand", kind), ONE, ("trace", "export")
    yield form("torch.rand", generator_seed=5), ONE, MODES
    yield form("torch.rand_like"), ONE, MODES
    for kind, low, high in (("i64", 0, 10), ("i64", -5, 2**40), ("i32", -5, 6)):
        yield form("torch.randint", kind, low=low, high=high), ONE, MODES if high == 10 else TRACE
    yield form("torch.randint_like", low=0, high=10), ONE, MODES
    yield form("torch.randperm", "i64"), ONE, MODES
    yield form("torch.randn"), ("f32", "f16"), MODES
    yield form("torch.randn", manual_seed=0), ONE, TRACE
    yield form("torch.randn", "f64"), ONE, TRACE
    yield form("torch.randn", generator_seed=5), ONE, MODES
    yield form("torch.randn_like"), ONE, MODES
    yield form("torch.normal", mean=1.5, scale=0.1), ONE, MODES
    yield form("torch.normal-tensor", mean=1.5, scale=0.1), ONE, MODES
    for seed in (7, 0):
        yield form("torch.bernoulli", shape=(32,), p=0.25, manual_seed=seed), ONE, MODES if seed else TRACE
    for seed in (5, 0, 150, 2**31 + 5, 2**32 + 5, 2**63 - 1, -3):
        yield form("torch.bernoulli", shape=(32,), p=0.25, generator_seed=seed), ALL if seed == 5 else ONE, MODES if seed == 5 else TRACE
    for p in (0.1, 0.3, 0.5):
        yield form("torch.bernoulli", shape=(32,), p=p, generator_seed=150), ONE, TRACE
    for kind in ("f16", "f64"):
        yield form("torch.bernoulli", kind, (32,), p=0.25, generator_seed=5), ALL if kind == "f16" else ONE, TRACE
    yield form("Tensor.bernoulli_", shape=(32,), p=0.25), ONE, MODES
    yield form("Tensor.bernoulli_", shape=(32,), p=0.25, generator_seed=5), ONE, MODES
    for replacement in (True, False):
        samples = 32 if replacement else 3
        yield form("torch.multinomial", "i64", (samples,), samples=samples, replacement=replacement, **WEIGHTS), ONE, MODES
        yield form("torch.multinomial", "i64", (samples,), samples=samples, replacement=replacement, generator_seed=5, **WEIGHTS), ONE, TRACE
    for p in (0.3, 0.5):
        yield form("torch.nn.functional.dropout", shape=(32,), p=p, input=1.0), ONE, MODES
    yield form("torch.nn.functional.dropout", "f16", (32,), p=0.5, input=1.0), ONE, TRACE
    yield form("torch.nn.functional.alpha_dropout", shape=(32,), p=0.3, input=1.0), ONE, MODES
    yield form("torch.nn.functional.dropout1d", shape=(4, 8), p=0.3, input=1.0), ONE, MODES
    yield form("torch.nn.functional.rrelu", shape=(8,), low=0.125, high=0.5, input=-1.0), ONE, MODES
    yield form("torch.nn.functional.gumbel_softmax", shape=(8,), input=1.0), ONE, MODES
    yield form("torch.poisson", input=3.5), ONE, MODES
    yield form("Tensor.uniform_", low=-1.0, high=1.0), ONE, MODES
    yield form("Tensor.normal_", mean=0.0, scale=1.0), ONE, MODES
    yield form("Tensor.normal_", mean=1.5, scale=0.1, generator_seed=5), ONE, TRACE
    for op in ("Tensor.exponential_", "Tensor.cauchy_"):
        yield form(op), ONE, MODES
    yield form("Tensor.random_", low=0, high=10), ONE, MODES
    yield form("Tensor.log_normal_", mean=0.0, scale=1.0), ONE, MODES
    yield form("Tensor.geometric_", p=0.25), ONE, MODES


def models():
    listed = list(forms())
    for (keys, hints, modes), function in zip(listed, functions([keys for keys, _, _ in listed])):
        for mode in modes:
            for hint in hints if mode == "trace" else hints[:1]:
                yield Model(
                    {"framework": "torch", **keys},
                    {"target": "openvino", "mode": mode, "hint": hint},
                    lambda keys=keys, function=function: start(keys, function),
                    openvino_target.Converter(lambda keys=keys, function=function, mode=mode: convert(keys, function, mode), hint, [given(keys)]),
                )


if __name__ == "__main__":
    main(list(models()), {("torch", "openvino"): ["torch", "openvino"]})
