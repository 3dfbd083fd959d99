"""ONNX's random ops as models of one node, for whatever runs such models."""

import numpy as np
import onnx

from seedproof_adapter import Rejected, Request, Tensor, Unsupported

OPS = ["RandomUniform", "RandomNormal", "RandomUniformLike", "RandomNormalLike", "Bernoulli", "Multinomial"]
FLOATS = {"f16": np.float16, "f32": np.float32, "f64": np.float64}
TYPES = FLOATS | {f"{kind[0]}{8 * width}": np.dtype(f"{kind[0]}{width}").type for kind in ("int", "uint") for width in (1, 2, 4, 8)}
NAMES = {np.dtype(dtype): name for name, dtype in TYPES.items()}


def model(node, inputs, dtype, opset):
    """A model of one node. Random ops of op set 22 have no kernel in ONNX Runtime, and no other text."""
    of = onnx.helper.np_dtype_to_tensor_dtype
    values = [onnx.helper.make_tensor_value_info(name, of(array.dtype), array.shape) for name, array in inputs.items()]
    output = onnx.helper.make_tensor_value_info("output", of(np.dtype(dtype)), None)
    graph = onnx.helper.make_graph([node], "model", values, [output])
    return onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", opset)], ir_version=8)


def of_request(request: Request, opset):
    """The model of a request, and what it is fed."""
    op, inputs, given = request.op.removeprefix("onnx."), {}, {}
    if request.attrs.get("generator", "unspecified") != "unspecified" or "seed_int64" in request.attrs or "offset" in request.inputs:
        raise Unsupported("a generator that is named: it is a draft")
    for name, tensor in request.inputs.items():
        if name != "input":
            if tensor.dtype != "f32" or tensor.shape:
                raise Rejected(None, f"`{name}` is one f32")
            given[name] = (tensor.values()[0], onnx.AttributeProto.FLOAT)
    if "seed" not in given:
        raise Unsupported("no seed: nothing repeats")
    tensor = request.inputs.get("input")
    if tensor:
        if tensor.dtype not in TYPES:
            raise Unsupported(f"an input of {tensor.dtype}")
        inputs["input"] = np.frombuffer(tensor.data, TYPES[tensor.dtype]).reshape(tensor.shape)
    name = request.attrs.get("output_type")
    if name:
        if name not in TYPES:
            raise Rejected("attribute", f"`output_type` is {name}")
        given["dtype"] = (onnx.helper.np_dtype_to_tensor_dtype(np.dtype(TYPES[name])), onnx.AttributeProto.INT)
    if "output_sizes" in request.attrs:
        given["shape"] = (request.attrs["output_sizes"], onnx.AttributeProto.INTS)
    if "sample_size" in request.attrs:
        given["sample_size"] = (int(request.attrs["sample_size"]), onnx.AttributeProto.INT)
    node = onnx.helper.make_node(op, list(inputs), ["output"])
    try:
        node.attribute.extend(onnx.helper.make_attribute(name, value, attr_type=kind) for name, (value, kind) in given.items())
    except (ValueError, OverflowError) as error:
        raise Rejected(None, str(error)[:300]) from error
    return model(node, inputs, TYPES[name or tensor.dtype], opset), inputs


def tensor_of(output):
    return {"output": Tensor(NAMES[output.dtype], list(output.shape), output.tobytes())}


def capabilities(*ops):
    """What is claimed: seeded requests, of the types that NumPy has."""
    types = {
        "Multinomial": {"output_type": ["i32", "i64"], "input": list(FLOATS)},
        "Bernoulli": {"output_type": list(TYPES), "input": list(FLOATS)},
        "RandomUniform": {"output_type": list(FLOATS), "generator": ["unspecified"]},
    }
    for op in ("RandomUniformLike", "RandomNormalLike"):
        types[op] = {"output_type": list(FLOATS), "input": list(TYPES)}
    return [{"op": f"onnx.{op}", "features": ["execution", "seed"], **types.get(op, {"output_type": list(FLOATS)})} for op in ops]
