"""ONNX Runtime on the CPU: the random ops of ONNX. RandomUniform-8 and Multinomial-13 are RandomUniform and Multinomial, whose one
seed is that of the two which is not zero.

Install: pip install onnxruntime==1.31.1 onnx==1.23.2
Usage:   onnxruntime_adapter.py
"""

import numpy as np
import onnx
import onnxruntime

import onnx_model
from seedproof_adapter import Rejected, Request, Unsupported, serve

TYPES = {"f32": np.float32, "f64": np.float64, "i32": np.int32, "i64": np.int64}
# The random ops of later op sets have no kernel.
OPSET = 15


def of_openvino(op, inputs, dtype, **attributes):
    """The model of an op of OpenVINO's."""
    attributes["dtype"] = integer(onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype)))
    node = onnx.helper.make_node(op, list(inputs), ["output"])
    node.attribute.extend(onnx.helper.make_attribute(name, value, attr_type=kind) for name, (value, kind) in attributes.items())
    return onnx_model.model(node, inputs, dtype, OPSET), inputs


def of_onnx(request):
    """The model of an op of ONNX, unless C++'s library ends the process with it."""
    made = onnx_model.of_request(request, OPSET)
    of = {name: request.inputs[name].values()[0] for name in ("low", "high", "scale") if name in request.inputs}
    if "high" in of and not of["low"] <= of["high"] or "scale" in of and not of["scale"] > 0:
        # Which of several faults is refused first is open.
        raise Rejected(None, f"{of}: C++'s library would end the process of ONNX Runtime")
    return made


def session(model):
    """A session on a model of one node, whose state lasts as long as the session does."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def real(number):
    """A number as an attribute holds it, an f32, and its kind."""
    with np.errstate(over="ignore"):
        return float(np.float32(number)), onnx.AttributeProto.FLOAT


def integer(number):
    return int(number), onnx.AttributeProto.INT


def array(tensor):
    return np.frombuffer(tensor.data, TYPES[tensor.dtype]).reshape(tensor.shape)


def single(request, name, dtypes):
    """The number in an input of shape [] or [1]."""
    values = request.tensor(name, dtypes, 0, 1).values()
    if len(values) != 1:
        raise Rejected("shape", f"{name} is a single number")
    return values[0]


def random_uniform(request):
    shape = [int(extent) for extent in request.tensor("shape", ("i32", "i64"), 1, 1).values()]
    if any(extent < 0 for extent in shape):
        raise Rejected("shape", f"the shape {shape} has a negative extent")
    name = request.attrs["output_type"]
    low, high = (real(single(request, bound, (name,))) for bound in ("minval", "maxval"))
    if not low[0] <= high[0]:
        raise Rejected("range", "low > high: C++'s library ends the process of ONNX Runtime")
    return "RandomUniform", {}, {"low": low, "high": high, "shape": (shape, onnx.AttributeProto.INTS)}, name


def multinomial(request):
    probs = request.tensor("probs", ("f32",), 2, 2)
    samples = integer(single(request, "num_samples", ("i32", "i64")))
    return "Multinomial", {"input": array(probs)}, {"sample_size": samples}, request.attrs["convert_type"]


def run(request: Request):
    if request.op.startswith("onnx."):
        model, inputs = of_onnx(request)
    else:
        op, inputs, attributes, name = (random_uniform if request.op == "openvino.RandomUniform-8" else multinomial)(request)
        attributes["seed"] = real(int(request.attrs["global_seed"]) + int(request.attrs["op_seed"]))
        model, inputs = of_openvino(op, inputs, TYPES[name], **attributes)
    try:
        running = session(model)
        for _ in range(request.execution + 1):
            (output,) = running.run(None, inputs)
    except onnxruntime.capi.onnxruntime_pybind11_state.NotImplemented as error:
        raise Unsupported(str(error)) from error
    except (onnxruntime.capi.onnxruntime_pybind11_state.Fail, onnxruntime.capi.onnxruntime_pybind11_state.InvalidArgument,
            onnxruntime.capi.onnxruntime_pybind11_state.InvalidGraph,
            onnxruntime.capi.onnxruntime_pybind11_state.RuntimeException) as error:
        raise Rejected(None, str(error).splitlines()[0][:300]) from error
    return onnx_model.tensor_of(output)


if __name__ == "__main__":
    implementation = {
        "name": "onnxruntime",
        "version": onnxruntime.__version__,
        "language": "c++",
        "device": "CPUExecutionProvider",
        "homepage": "https://github.com/microsoft/onnxruntime",
        "issues": "https://github.com/microsoft/onnxruntime/issues",
    }
    uniform = {"op": "openvino.RandomUniform-8", "alignment": ["TENSORFLOW"], "output_type": ["f32", "f64"], "features": ["execution"]}
    classes = {
        "op": "openvino.Multinomial-13",
        "probs": ["f32"],
        "convert_type": ["i32", "i64"],
        "with_replacement": [True],
        "log_probs": [True],
        "features": ["execution"],
    }
    capabilities = [{**op, seed: ["0"]} for op in (uniform, classes) for seed in ("global_seed", "op_seed")]
    capabilities += onnx_model.capabilities(*onnx_model.OPS)
    serve(implementation, capabilities, run)
