"""ONNX Runtime on the CPU: RandomUniform and Multinomial of ONNX, whose one seed is that of the two which is not zero.

Install: pip install onnxruntime==1.31.1 onnx==1.23.2
Usage:   onnxruntime_adapter.py
"""

import numpy as np
import onnx
import onnxruntime

from seedproof_adapter import Rejected, Request, Tensor, Unsupported, serve

TYPES = {"f32": np.float32, "f64": np.float64, "i32": np.int32, "i64": np.int64}
NAMES = {np.dtype(dtype): name for name, dtype in TYPES.items()}
# RandomUniform of later op sets has no kernel.
OPSET, IR = 15, 8


def session(op, inputs, **attributes):
    """A session on a model of one node, whose state lasts as long as the session does."""
    tensors = [onnx.helper.make_tensor_value_info(name, onnx.helper.np_dtype_to_tensor_dtype(array.dtype), array.shape) for name, array in inputs.items()]
    node = onnx.helper.make_node(op, list(inputs), ["output"])
    node.attribute.extend(onnx.helper.make_attribute(name, value, attr_type=kind) for name, (value, kind) in attributes.items())
    output = onnx.helper.make_tensor_value_info("output", attributes["dtype"][0], None)
    graph = onnx.helper.make_graph([node], "model", tensors, [output])
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", OPSET)], ir_version=IR)
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
    op, inputs, attributes, name = (random_uniform if request.op == "openvino.RandomUniform-8" else multinomial)(request)
    attributes["seed"] = real(int(request.attrs["global_seed"]) + int(request.attrs["op_seed"]))
    attributes["dtype"] = integer(onnx.helper.np_dtype_to_tensor_dtype(np.dtype(TYPES[name])))
    try:
        model = session(op, inputs, **attributes)
        for _ in range(request.execution + 1):
            (output,) = model.run(None, inputs)
    except onnxruntime.capi.onnxruntime_pybind11_state.NotImplemented as error:
        raise Unsupported(str(error)) from error
    except (onnxruntime.capi.onnxruntime_pybind11_state.Fail, onnxruntime.capi.onnxruntime_pybind11_state.InvalidArgument,
            onnxruntime.capi.onnxruntime_pybind11_state.RuntimeException) as error:
        raise Rejected(None, str(error).splitlines()[0][:300]) from error
    return {"output": Tensor(NAMES[output.dtype], list(output.shape), output.tobytes())}


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
    serve(implementation, capabilities, run)
