"""OpenVINO: its CPU plugin, or the reference that its core library evaluates.

Install: pip install openvino==2026.4.1 numpy==2.4.6
Usage:   openvino_adapter.py cpu [--hint f32|f16] | core
"""

import argparse
import struct
import time

import numpy as np
import openvino as ov

from seedproof_adapter import Rejected, Request, Tensor, Unsupported, serve

INTEGERS = ["u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64"]
TYPES = {"f16": np.float16, "bf16": np.uint16, "f32": np.float32, "f64": np.float64}
TYPES |= {name: np.dtype(f"{name[0]}{int(name[1:]) // 8}") for name in INTEGERS}
PRECISION = {"f16": "FP16", "bf16": "BF16", "f32": "FP32", "f64": "FP64"} | {name: name.upper() for name in INTEGERS}


def layer(index, kind, version, attributes, inputs, output):
    """One layer of an IR document. Ports are (precision, dims)."""
    ports = "".join(port(i, *value) for i, value in enumerate(inputs))
    data = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return (
        f'<layer id="{index}" name="n{index}" type="{kind}" version="{version}"><data{data}/>'
        + (f"<input>{ports}</input>" if inputs else "")
        + (f"<output>{port(len(inputs), *output)}</output>" if output else "")
        + "</layer>"
    )


def port(index, precision, dims):
    return f'<port id="{index}" precision="{precision}">' + "".join(f"<dim>{d}</dim>" for d in dims) + "</port>"


def signed(seed):
    """IR documents hold seeds as signed numbers, though the op reads them as unsigned."""
    return struct.unpack("<q", struct.pack("<Q", int(seed)))[0]


def document(kind, version, attributes, inputs, output_type, rank):
    """An IR document of one op on constants, and the constants' bytes."""
    weights, layers, edges, ports = bytearray(), [], [], []
    for index, tensor in enumerate(inputs):
        weights.extend(bytes(-len(weights) % 64))
        shape = ",".join(map(str, tensor.shape))
        attributes_of = {"element_type": tensor.dtype, "shape": shape, "offset": len(weights), "size": len(tensor.data)}
        weights.extend(tensor.data)
        ports.append((PRECISION[tensor.dtype], tensor.shape))
        layers.append(layer(index, "Const", "opset1", attributes_of, [], (PRECISION[tensor.dtype], tensor.shape)))
        edges.append((index, 0, len(inputs), index))
    op = len(inputs)
    result = (PRECISION.get(output_type, output_type.upper()), [-1] * rank)
    layers.append(layer(op, kind, version, attributes, ports, result))
    layers.append(layer(op + 1, "Result", "opset1", {}, [result], None))
    edges.append((op, op, op + 1, 0))
    links = "".join(
        f'<edge from-layer="{a}" from-port="{b}" to-layer="{c}" to-port="{d}"/>' for a, b, c, d in edges
    )
    text = f'<net name="seedproof" version="11"><layers>{"".join(layers)}</layers><edges>{links}</edges></net>'
    return text, bytes(weights)


def describe(request):
    """The op as an IR layer: type, opset, attributes, inputs in order, output type, output rank."""
    attrs = dict(request.attrs)
    for seed in ("global_seed", "op_seed"):
        attrs[seed] = signed(attrs[seed])
    if request.op == "openvino.RandomUniform-8":
        if attrs["alignment"] not in ("TENSORFLOW", "PYTORCH"):
            raise Rejected("attribute", "an unknown alignment")
        attrs["alignment"] = attrs["alignment"].lower()
        inputs = [request.inputs[name] for name in ("shape", "minval", "maxval")]
        return "RandomUniform", "opset8", attrs, inputs, attrs["output_type"], inputs[0].shape[0] if inputs[0].shape else 0
    for flag in ("with_replacement", "log_probs"):
        attrs[flag] = str(attrs[flag]).lower()
    inputs = [request.inputs[name] for name in ("probs", "num_samples")]
    return "Multinomial", "opset13", attrs, inputs, attrs["convert_type"], 2


def refusal(error):
    text = str(error)
    if "Min value must be less than max value" in text:
        return Rejected("range", "Min value must be less than max value")
    return Rejected(None, text.strip().splitlines()[-1][:300])


class Runner:
    def __init__(self, path, hint):
        self.core, self.path = ov.Core(), path
        self.config = {"INFERENCE_PRECISION_HINT": hint}

    def run(self, request: Request):
        kind, version, attrs, inputs, output_type, rank = describe(request)
        if int(request.attrs["global_seed"]) == int(request.attrs["op_seed"]) == 0:
            # The seed is then the time in whole seconds: another run can differ in the next second only.
            time.sleep(1.05 - time.time() % 1)
        text, weights = document(kind, version, attrs, inputs, output_type, rank)
        try:
            model = self.core.read_model(text.encode(), ov.Tensor(np.frombuffer(weights or b"\0", np.uint8)))
            output = (self.on_cpu if self.path == "cpu" else self.in_core)(model, inputs, request.execution)
        except RuntimeError as error:
            raise refusal(error) from error
        shape = list(output.shape)
        data = b"" if 0 in shape else bytes(np.ascontiguousarray(self.array(output)))
        return {"output": Tensor(output_type, shape, data)}

    def array(self, tensor):
        if tensor.get_element_type() == ov.Type.bf16:
            return np.frombuffer(tensor.data, np.uint16) if tensor.size else np.empty(0, np.uint16)
        return tensor.data

    def on_cpu(self, model, _, execution):
        request = self.core.compile_model(model, "CPU", self.config).create_infer_request()
        for _ in range(execution + 1):
            # `infer` makes arrays of NumPy, which has none of large extents, empty as it may be.
            request.start_async()
            request.wait()
        return request.get_output_tensor()

    def in_core(self, model, inputs, execution):
        node = next(op for op in model.get_ops() if op.get_type_name() == "RandomUniform")
        tensors = [self.tensor(value) for value in inputs]
        output = ov.Tensor(node.get_output_element_type(0), ov.Shape([0]))
        for _ in range(execution + 1):
            if not node.evaluate([output], tensors):
                raise Unsupported("the core library does not evaluate this op")
        return output

    def tensor(self, value):
        if value.dtype == "bf16":
            tensor = ov.Tensor(ov.Type.bf16, ov.Shape(value.shape))
            np.frombuffer(tensor.data, np.uint16)[...] = np.frombuffer(value.data, np.uint16)
            return tensor
        return ov.Tensor(np.frombuffer(value.data, TYPES[value.dtype]).reshape(value.shape).copy())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", choices=["cpu", "core"])
    parser.add_argument("--hint", choices=["f32", "f16"], default="f32")
    args = parser.parse_args()
    name = {"cpu": "openvino-cpu", "core": "openvino-core"}[args.path]
    uniform = {"op": "openvino.RandomUniform-8", "features": ["execution"]}
    if args.path == "cpu":
        # With an empty shape input the plugin never runs the node: its memory is unwritten.
        uniform["rank"] = {"min": 1}
    multinomial = {"op": "openvino.Multinomial-13", "convert_type": ["i32", "i64"], "features": ["execution"]}
    implementation = {
        "name": name + ("-f16" if args.hint == "f16" else ""),
        "version": ov.get_version().split("-")[0],
        "language": "c++",
        "homepage": "https://github.com/openvinotoolkit/openvino",
        "issues": "https://github.com/openvinotoolkit/openvino/issues",
    }
    serve(implementation, [uniform, multinomial] if args.path == "cpu" else [uniform], Runner(args.path, args.hint).run)


if __name__ == "__main__":
    main()
