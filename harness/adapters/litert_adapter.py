"""LiteRT (TensorFlow Lite) on the CPU: its ops RANDOM_UNIFORM and RANDOM_STANDARD_NORMAL, and into a range SUB, MUL and ADD, the ops of
tf.random.uniform.

Install: pip install ai-edge-litert==2.3.0
Usage:   litert_adapter.py
"""

import importlib.metadata
import math

import flatbuffers
import numpy as np
from ai_edge_litert import interpreter
from ai_edge_litert import schema_py_generated as schema

from cpython_adapter import checked_uniform
from seedproof_adapter import Rejected, Request, Tensor, Unsupported, serve

TYPES = {np.dtype(np.float32): schema.TensorType.FLOAT32, np.dtype(np.int32): schema.TensorType.INT32, np.dtype(np.int64): schema.TensorType.INT64}


class Graph:
    """A model of one chain of ops."""

    def __init__(self):
        self.model, self.chain = schema.ModelT(), schema.SubGraphT()
        self.model.version, self.model.subgraphs = 3, [self.chain]
        self.model.buffers, self.model.operatorCodes = [schema.BufferT()], []
        self.chain.tensors, self.chain.operators, self.chain.inputs = [], [], []

    def tensor(self, dtype, shape, buffer=0):
        made = schema.TensorT()
        made.type, made.shape, made.buffer, made.name = TYPES[np.dtype(dtype)], list(shape), buffer, f"t{len(self.chain.tensors)}"
        self.chain.tensors.append(made)
        return len(self.chain.tensors) - 1

    def constant(self, array):
        buffer = schema.BufferT()
        buffer.data = np.frombuffer(array.tobytes(), np.uint8)
        self.model.buffers.append(buffer)
        return self.tensor(array.dtype, array.shape, len(self.model.buffers) - 1)

    def op(self, code, inputs, shape, options=None):
        """The output of an op, an f32 of this shape."""
        kind, made = schema.OperatorCodeT(), schema.OperatorT()
        kind.builtinCode, kind.deprecatedBuiltinCode, kind.version = code, min(code, 127), 1
        self.model.operatorCodes.append(kind)
        made.opcodeIndex, made.inputs, made.outputs = len(self.model.operatorCodes) - 1, inputs, [self.tensor(np.float32, shape)]
        if options is not None:
            made.builtinOptionsType, made.builtinOptions = getattr(schema.BuiltinOptions, type(options).__name__[:-1]), options
        self.chain.operators.append(made)
        return made.outputs[0]

    def run(self, output, execution):
        self.chain.outputs = [output]
        builder = flatbuffers.Builder(1024)
        builder.Finish(self.model.Pack(builder), file_identifier=b"TFL3")
        made = interpreter.Interpreter(model_content=bytes(builder.Output()), num_threads=1)
        made.allocate_tensors()
        for _ in range(execution + 1):
            made.invoke()
        return made.get_tensor(output)


def options(*seeds):
    made = schema.RandomOptionsT()
    made.seed, made.seed2 = (int(np.uint64(int(seed)).astype(np.int64)) for seed in seeds)
    return made


def drawn(request: Request):
    """One op by itself, of a shape that it has to check."""
    given = request.tensor("shape", ["i32", "i64"], 0, 8)
    shape = np.frombuffer(given.data, {"i32": np.int32, "i64": np.int64}[given.dtype]).reshape(given.shape)
    if shape.ndim == 1 and shape.size and shape.min() >= 0 and math.prod(shape.tolist()) > 2**28:
        raise Unsupported("an output of this size")
    graph = Graph()
    code = getattr(schema.BuiltinOperator, request.op.removeprefix("litert."))
    # The file says nothing of the extents, which the op makes of its input.
    output = graph.op(code, [graph.constant(shape)], [], options(request.attrs["seed"], request.attrs["seed2"]))
    try:
        array = graph.run(output, request.execution)
    except (RuntimeError, ValueError) as error:
        raise Rejected(None, str(error).splitlines()[0][:300]) from error
    return {"output": Tensor("f32", list(array.shape), array.tobytes())}


def run(request: Request):
    if request.op.startswith("litert."):
        return drawn(request)
    name, _, shape, low, high = checked_uniform(request)
    graph, seeds = Graph(), options(request.attrs["global_seed"], request.attrs["op_seed"])
    output = graph.op(schema.BuiltinOperator.RANDOM_UNIFORM, [graph.constant(np.array(shape, np.int32))], shape, seeds)
    if (low, high) != (0, 1):
        least, most = (graph.constant(np.float32(bound)) for bound in (low, high))
        span = graph.op(schema.BuiltinOperator.SUB, [most, least], [], schema.SubOptionsT())
        output = graph.op(schema.BuiltinOperator.MUL, [output, span], shape, schema.MulOptionsT())
        output = graph.op(schema.BuiltinOperator.ADD, [output, least], shape, schema.AddOptionsT())
    return {"output": Tensor(name, shape, graph.run(output, request.execution).tobytes())}


if __name__ == "__main__":
    implementation = {
        "name": "litert",
        "version": importlib.metadata.version("ai-edge-litert"),
        "language": "c++",
        "device": "CPU",
        "homepage": "https://github.com/google-ai-edge/LiteRT",
        "issues": "https://github.com/google-ai-edge/LiteRT/issues",
    }
    # Of more extents MUL and ADD are not XNNPACK's, but kernels that saturate and keep subnormal numbers.
    uniform = {"op": "openvino.RandomUniform-8", "alignment": ["TENSORFLOW"], "output_type": ["f32"], "rank": {"max": 6}, "features": ["execution"]}
    own = [{"op": f"litert.{name}", "features": ["execution"]} for name in ("RANDOM_UNIFORM", "RANDOM_STANDARD_NORMAL")]
    serve(implementation, [uniform, *own], run)
