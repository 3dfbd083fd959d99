"""ONNX to OpenVINO, whose source is ONNX Runtime, and to ONNX Runtime, whose source is the reference evaluator."""

import itertools

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

import openvino_target
from capture import Model, draw, main

ELEMENTS = {
    "f16": TensorProto.FLOAT16,
    "f32": TensorProto.FLOAT,
    "f64": TensorProto.DOUBLE,
    "i32": TensorProto.INT32,
    "i64": TensorProto.INT64,
    "u8": TensorProto.UINT8,
    "bool": TensorProto.BOOL,
}
NUMPY = {"f16": np.float16, "f32": np.float32, "f64": np.float64}
onnxruntime.set_default_logger_severity(4)


def single(value):
    return float(np.float32(value))


def attributes(form, *names):
    """The attributes of these names that the form has."""
    return {name: form[name] for name in names if name in form}


def model(form, opset):
    """The ONNX model of a form: its node, fed by nothing but constants and initializers, and one output `y`."""
    op, kind, shape = form["op"], form["type"], form["shape"]
    nodes, constants, inputs = [], [], []

    def constant(name, array):
        constants.append(onnx.numpy_helper.from_array(array, name))
        return name

    def fed(name, value):
        inputs.append((name, np.full(shape, value, NUMPY[form.get("input_type", kind)])))
        return name

    if op in ("RandomUniform", "RandomNormal"):
        names = ("low", "high", "mean", "scale", "seed")
        node = helper.make_node(op, [], ["output"], dtype=ELEMENTS[kind], **attributes(form, *names))
        # The type of an empty list is not guessed.
        node.attribute.append(helper.make_attribute("shape", shape, attr_type=onnx.AttributeProto.INTS))
        nodes.append(node)
    elif op in ("RandomUniformLike", "RandomNormalLike"):
        names = ("low", "high", "mean", "scale", "seed")
        # Of an input that is fed, since the element type of a constant is not always kept.
        nodes.append(helper.make_node(op, [fed("x", 1.0)], ["output"], dtype=ELEMENTS[kind], **attributes(form, *names)))
    elif op == "Bernoulli":
        # A list is a constant of the model.
        if isinstance(form["p"], list):
            taken = constant("x", np.array(form["p"]).reshape(shape).astype(NUMPY[form.get("input_type", kind)]))
        else:
            taken = fed("x", form["p"])
        nodes.append(helper.make_node(op, [taken], ["output"], dtype=ELEMENTS[kind], **attributes(form, "seed")))
    elif op == "Multinomial":
        if "logits" in form:
            logits = np.array(form["logits"]).reshape(shape[0], -1).astype(NUMPY[form["input_type"]])
        else:
            logits = np.log(np.array([form["probabilities"]])).astype(np.float32)
        nodes.append(helper.make_node(op, [constant("x", logits)], ["output"], dtype=ELEMENTS[kind], sample_size=form["samples"], **attributes(form, "seed")))
    elif op == "Dropout":
        ratio, training = constant("ratio", np.float32(form["rate"])), constant("training", np.array(True))
        data, result = fed("x", form["input"]), "output"
        if form.get("between_nodes"):
            # They keep the elements, and no optimiser knows it.
            nodes.append(helper.make_node("Relu", [data], ["data"]))
            data, result = "data", "result"
        nodes.append(helper.make_node(op, [data, ratio, training], [result], **attributes(form, "seed")))
        if result != "output":
            nodes.append(helper.make_node("Relu", [result], ["output"]))
    else:
        raise ValueError(op)
    values = [helper.make_tensor_value_info(name, ELEMENTS[form.get("input_type", kind)], array.shape) for name, array in inputs]
    result = [helper.make_tensor_value_info("output", ELEMENTS[kind], shape)]
    built = helper.make_model(helper.make_graph(nodes, op, values, result, constants), opset_imports=[helper.make_opsetid("", opset)])
    built.ir_version = 10
    onnx.checker.check_model(built)
    return built.SerializeToString(), dict(inputs)


def session(content, inputs):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    made = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    return lambda: draw(made.run(None, inputs)[0])


def evaluator(content, inputs):
    made = ReferenceEvaluator(onnx.load_from_string(content))
    return lambda: draw(made.run(None, inputs)[0])


class Runtime:
    """ONNX Runtime as a target. The graph that it draws from is the model's own."""

    def __init__(self, content, inputs):
        self.content, self.inputs = content, inputs

    def convert(self):
        return self.content

    def graph(self, _):
        return None

    def compile(self, content):
        return session(content, self.inputs)


SEEDS = [7.0, 7.9, 0.0, None, -3.5, 1e10, 16777217.0]
RANGES = [(0.0, 1.0), (0.0, 4.0), (-1.0, 1.0), (0.1, 0.7), (-3.3, 100.7)]
NORMALS = [(0.0, 1.0), (1.5, 0.1), (-2.0, 3.3)]


def seeded(form, seed):
    return form if seed is None else {**form, "seed": single(seed)}


def forms():
    """Pairs of a form and an opset, pairwise over what may vary."""
    for seed in SEEDS:
        yield seeded({"op": "RandomUniform", "type": "f32", "shape": [8], "low": 0.0, "high": 1.0}, seed), 15
    for low, high in RANGES[1:]:
        yield seeded({"op": "RandomUniform", "type": "f32", "shape": [8], "low": single(low), "high": single(high)}, 7.0), 15
    yield {"op": "RandomUniform", "type": "f32", "shape": [8], "low": 0.0, "high": 1.0, "seed": 7.0}, 22
    yield {"op": "RandomUniform", "type": "f32", "shape": [8], "low": single(0.1), "high": single(0.7), "seed": -3.5}, 22
    for kind, seed in itertools.product(("f64", "f16"), (7.0, None)):
        yield seeded({"op": "RandomUniform", "type": kind, "shape": [8], "low": 0.0, "high": 1.0}, seed), 15
    yield {"op": "RandomUniform", "type": "f64", "shape": [8], "low": single(0.1), "high": single(0.7), "seed": 7.0}, 15
    for seed, opset in ((7.0, 15), (7.9, 22), (0.0, 15), (None, 15), (1e10, 15)):
        yield seeded({"op": "RandomUniformLike", "type": "f32", "shape": [8], "low": 0.0, "high": 1.0}, seed), opset
    for kind in ("f64", "f16"):
        yield {"op": "RandomUniformLike", "type": kind, "shape": [8], "low": 0.0, "high": 1.0, "seed": 7.0}, 15
    for seed in SEEDS:
        yield seeded({"op": "RandomNormal", "type": "f32", "shape": [8], "mean": 0.0, "scale": 1.0}, seed), 15
    for mean, scale in NORMALS[1:]:
        yield {"op": "RandomNormal", "type": "f32", "shape": [8], "mean": single(mean), "scale": single(scale), "seed": 7.0}, 15
    yield {"op": "RandomNormal", "type": "f32", "shape": [8], "mean": 0.0, "scale": 1.0, "seed": 7.0}, 22
    for kind in ("f64", "f16"):
        yield {"op": "RandomNormal", "type": kind, "shape": [8], "mean": 0.0, "scale": 1.0, "seed": 7.0}, 15
    yield {"op": "RandomNormal", "type": "f64", "shape": [8], "mean": single(1.5), "scale": single(0.1), "seed": 7.0}, 15
    for scale in (0.0, -1.0):
        yield {"op": "RandomNormal", "type": "f32", "shape": [8], "mean": 0.0, "scale": scale, "seed": 7.0}, 15
    for kind, seed, opset in (("f32", 7.0, 15), ("f32", 0.0, 15), ("f32", -3.5, 22), ("f64", 7.0, 15), ("f16", 7.0, 15)):
        yield {"op": "RandomNormalLike", "type": kind, "shape": [8], "mean": 0.0, "scale": 1.0, "seed": seed}, opset
    for seed in SEEDS[:5]:
        yield seeded({"op": "Bernoulli", "type": "f32", "shape": [32], "p": 0.25}, seed), 15
    for probability in (0.0, 0.3, 1.0):
        yield {"op": "Bernoulli", "type": "f32", "shape": [32], "p": single(probability), "seed": 7.0}, 15
    yield {"op": "Bernoulli", "type": "f32", "shape": [32], "p": 0.25, "seed": 7.0}, 22
    yield {"op": "Bernoulli", "type": "i32", "shape": [32], "p": 0.25, "seed": 7.0, "input_type": "f32"}, 15
    for kind in ("f64", "f16"):
        yield {"op": "Bernoulli", "type": kind, "shape": [32], "p": 0.25, "seed": 7.0}, 15
    for seed in SEEDS[:5]:
        yield seeded({"op": "Multinomial", "type": "i32", "shape": [1, 32], "probabilities": [0.25, 0.5, 0.25], "samples": 32}, seed), 15
    yield {"op": "Multinomial", "type": "i64", "shape": [1, 32], "probabilities": [0.1, 0.2, 0.3, 0.4], "samples": 32, "seed": 7.0}, 15
    yield {"op": "Multinomial", "type": "i64", "shape": [1, 32], "probabilities": [0.25, 0.5, 0.25], "samples": 32, "seed": 7.9}, 22
    for seed, opset in ((7, 15), (7, 22), (0, 15), (None, 15), (4294967303, 15), (-3, 15)):
        form = {"op": "Dropout", "type": "f32", "shape": [32], "rate": 0.5, "input": 1.0}
        yield form if seed is None else {**form, "seed": seed}, opset
    yield {"op": "Dropout", "type": "f32", "shape": [32], "rate": single(0.3), "input": 1.0, "seed": 7}, 15
    for given in ({"rate": 0.5, "seed": 7}, {"rate": single(0.3), "seed": 7}, {"rate": 0.5}):
        yield {"op": "Dropout", "type": "f32", "shape": [32], "input": 1.0, "between_nodes": True, **given}, 15
    for seed in (7.0, -3.5):
        yield {"op": "RandomUniform", "type": "f32", "shape": [], "low": 0.0, "high": 1.0, "seed": seed}, 15
    yield {"op": "RandomNormal", "type": "f32", "shape": [], "mean": 0.0, "scale": 1.0, "seed": 7.0}, 15
    # Older op sets draw alike.
    for opset in (7, 11):
        yield {"op": "RandomUniform", "type": "f32", "shape": [8], "low": 0.0, "high": 1.0, "seed": 7.0}, opset
        yield {"op": "RandomNormalLike", "type": "f32", "shape": [8], "mean": 0.0, "scale": 1.0, "seed": 7.0}, opset
        yield {"op": "Multinomial", "type": "i32", "shape": [1, 32], "probabilities": [0.25, 0.5, 0.25], "samples": 32, "seed": 7.0}, opset
    yield {"op": "Dropout", "type": "f32", "shape": [32], "rate": single(0.3), "input": 1.0, "seed": 7}, 12


def hints(form):
    """The precision hints of a form: all of them for a few, else f32."""
    few = form.get("seed") == 7.0 and (form.get("low"), form.get("high")) in ((None, None), (0.0, 1.0)) and form.get("mean", 0.0) == 0.0 and form.get("scale", 1.0) == 1.0
    return ("f32", "default", "f16", "bf16") if few and form["op"] in ("RandomUniform", "RandomNormal", "Bernoulli") else ("f32",)


def models():
    for form, opset in forms():
        content, inputs = model(form, opset)
        mode = f"opset-{opset}"
        # libstdc++ asserts that the deviation of a normal distribution is positive.
        dangerous = form.get("scale", 1.0) <= 0.0
        opened = lambda content=content: openvino_target.CORE.read_model(content)
        for hint in hints(form) if opset == 15 else ("f32",):
            yield Model(
                {"framework": "onnxruntime", **form},
                {"target": "openvino", "mode": mode, "hint": hint},
                lambda content=content, inputs=inputs: session(content, inputs),
                openvino_target.Converter(opened, hint, list(inputs.values())),
                dangerous,
            )
        yield Model(
            {"framework": "onnx", **form},
            {"target": "onnxruntime", "mode": mode},
            lambda content=content, inputs=inputs: evaluator(content, inputs),
            Runtime(content, inputs),
            dangerous,
        )


if __name__ == "__main__":
    main(
        list(models()),
        {
            ("onnxruntime", "openvino"): ["onnx", "onnxruntime", "openvino"],
            ("onnx", "onnxruntime"): ["onnx", "onnxruntime"],
        },
    )
