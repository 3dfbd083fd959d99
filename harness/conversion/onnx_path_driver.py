"""ONNX to OpenVINO once more, read from a file as most people read it.

OpenVINO expands the functions of the op set, such as Bernoulli, only in a model that it is given as bytes. So each form is written to a
file here, with op sets from 15 to 22 and with names, domains and seeds that the other driver does not vary.
"""

import tempfile
from pathlib import Path

import openvino_target
from capture import Model, main
from onnx_driver import forms, model, seeded, session, single

FOLDER = tempfile.TemporaryDirectory()


def more():
    """Op sets, shapes and seeds beyond those of the other driver."""
    for opset in (16, 17, 18, 19, 20, 21):
        yield {"op": "RandomUniform", "type": "f32", "shape": [8], "low": 0.0, "high": 1.0, "seed": 7.0}, opset
        yield {"op": "Bernoulli", "type": "f32", "shape": [32], "p": 0.25, "seed": 7.0}, opset
    for shape in ([1], [5], [2, 3], [2, 3, 4], [1, 1, 65]):
        yield {"op": "RandomUniform", "type": "f32", "shape": shape, "low": -1.0, "high": 1.0, "seed": single(1234.5)}, 15
        yield {"op": "RandomNormal", "type": "f32", "shape": shape, "mean": 0.0, "scale": 1.0, "seed": single(1234.5)}, 15
    for seed in (1.0, -1.0, 0.5, 65536.0, 2147483648.0):
        yield seeded({"op": "RandomUniformLike", "type": "f32", "shape": [8], "low": single(0.1), "high": single(0.7)}, seed), 17
        yield seeded({"op": "Multinomial", "type": "i64", "shape": [1, 32], "probabilities": [0.1, 0.2, 0.3, 0.4], "samples": 32}, seed), 17


def opened(number, content):
    path = Path(FOLDER.name, f"{number}.onnx")
    path.write_bytes(content)
    return lambda: openvino_target.CORE.read_model(path)


def models():
    for number, (form, opset) in enumerate([*forms(), *more()]):
        content, inputs = model(form, opset)
        yield Model(
            {"framework": "onnxruntime", **form},
            {"target": "openvino", "mode": f"path-opset-{opset}", "hint": "f32"},
            lambda content=content, inputs=inputs: session(content, inputs),
            openvino_target.Converter(opened(number, content), "f32", list(inputs.values())),
            form.get("scale", 1.0) <= 0.0,
        )


if __name__ == "__main__":
    main(list(models()), {("onnxruntime", "openvino"): ["onnx", "onnxruntime", "openvino"]}, "-path")
