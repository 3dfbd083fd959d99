"""TensorFlow on the CPU: its raw random ops, those with seeds scaled as tf.random.uniform scales.

Install: pip install tensorflow-cpu==2.21.0
Usage:   tensorflow_adapter.py             eager
         tensorflow_adapter.py compiled    the stateless ops alone, compiled by XLA (jit_compile=True)
"""

import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")

import numpy as np
import tensorflow as tf

from seedproof_adapter import Rejected, Request, Tensor, Unsupported, serve

TYPES = {"f16": tf.float16, "bf16": tf.bfloat16, "f32": tf.float32, "f64": tf.float64}
TYPES.update({f"i{width}": getattr(tf, f"int{width}") for width in (8, 16, 32, 64)})
TYPES.update({f"u{width}": getattr(tf, f"uint{width}") for width in (8, 16, 32, 64)})
NAMES = {dtype.name: name for name, dtype in TYPES.items()}

# A function that cannot be traced ends in an AssertionError.
REFUSALS = (
    tf.errors.InvalidArgumentError,
    tf.errors.UnimplementedError,
    AssertionError,
    KeyError,
    TypeError,
    ValueError,
)


def array(tensor):
    return np.frombuffer(tensor.data, TYPES[tensor.dtype].as_numpy_dtype).reshape(tensor.shape)


def signed(seed):
    return int(np.uint64(int(seed)).astype(np.int64))


def random_uniform(request):
    attrs = request.attrs
    if attrs["output_type"] not in TYPES:
        raise Rejected("attribute", "an unknown output type")
    if any(request.inputs[name].shape not in ([], [1]) for name in ("minval", "maxval")):
        raise Rejected("shape", "bounds are scalars")
    dtype = TYPES[attrs["output_type"]]
    shape = array(request.inputs["shape"])
    low, high = (array(request.inputs[name]).reshape(()) for name in ("minval", "maxval"))
    seeds = {"seed": signed(attrs["global_seed"]), "seed2": signed(attrs["op_seed"])}
    # A graph and a session of its own, so that execution k is the k-th of one op instance.
    with tf.Graph().as_default():
        if dtype.is_floating:
            drawn = tf.raw_ops.RandomUniform(shape=shape, dtype=dtype, **seeds)
        else:
            drawn = tf.raw_ops.RandomUniformInt(shape=shape, minval=low, maxval=high, **seeds)
        with tf.compat.v1.Session() as session:
            for _ in range(request.execution + 1):
                value = session.run(drawn)
    if dtype.is_floating:
        value = tf.add(tf.multiply(value, tf.subtract(tf.constant(high), tf.constant(low))), tf.constant(low)).numpy()
    return value


def random_normal(request):
    """An op with two seeds, in a graph of its own, so that execution k is the k-th of one op instance."""
    op = getattr(tf.raw_ops, request.op.removeprefix("tensorflow."))
    dtype = TYPES[request.attrs["output_type"]]
    seeds = {name: signed(request.attrs[name]) for name in ("seed", "seed2")}
    with tf.Graph().as_default():
        drawn = op(shape=tf.constant(array(request.inputs["shape"])), dtype=dtype, **seeds)
        with tf.compat.v1.Session() as session:
            for _ in range(request.execution + 1):
                value = session.run(drawn)
    return value


def successive(request):
    """A shuffle or a draw of classes, in a graph of its own: what a raw op draws eagerly depends on the calls before."""
    op = getattr(tf.raw_ops, request.op.removeprefix("tensorflow."))
    options = {name: signed(request.attrs[name]) for name in ("seed", "seed2")}
    if "output_type" in request.attrs:
        options["output_dtype"] = TYPES[request.attrs["output_type"]]
    with tf.Graph().as_default():
        drawn = op(**{name: tf.constant(array(tensor)) for name, tensor in request.inputs.items()}, **options)
        with tf.compat.v1.Session() as session:
            for _ in range(request.execution + 1):
                value = session.run(drawn)
    return np.asarray(value)


def random_generator(request):
    state = array(request.inputs["input_state"]).reshape(-1).astype(np.uint64)
    c0, c1, c2, c3, k0, k1 = state
    wide = np.uint64(32)
    return tf.raw_ops.StatelessRandomUniformFullIntV2(
        shape=np.array(request.attrs["output_sizes"], np.int64),
        key=[k0 | k1 << wide],
        counter=[c0 | c1 << wide, c2 | c3 << wide],
        alg=1,
        dtype=tf.uint32,
    ).numpy()


def stateless(request, compiled):
    """One of the stateless ops. What XLA computes must be an argument, or TensorFlow folds it eagerly beforehand."""
    counter, alg = (request.inputs.get(name) for name in ("counter", "alg"))
    if not compiled and counter and counter.shape == [1] and alg.data[:4] in (b"\1\0\0\0", b"\3\0\0\0"):
        raise Unsupported("TensorFlow would read past the end of a counter of one")
    op = getattr(tf.raw_ops, request.op.removeprefix("tensorflow."))
    inputs = {name: tf.constant(array(tensor)) for name, tensor in request.inputs.items()}
    if "output_type" in request.attrs and "minval" not in inputs:
        name = "output_dtype" if "logits" in inputs else "dtype"
        inputs[name] = TYPES[request.attrs["output_type"]]
    if not compiled:
        values = op(**inputs)
    else:
        varying = {name: value for name, value in inputs.items() if name in ("seed", "key", "counter", "minval", "maxval")}
        fixed = {name: value for name, value in inputs.items() if name not in varying}
        values = tf.function(lambda **given: op(**given, **fixed), jit_compile=True)(**varying)
    values = values if isinstance(values, tuple) else [values]
    return [value.numpy() for value in values]


def run(request: Request, compiled=False):
    names = ["output"]
    try:
        if request.op == "openvino.RandomUniform-8":
            values = [random_uniform(request)]
        elif request.op in ("tensorflow.RandomStandardNormal", "tensorflow.TruncatedNormal"):
            values = [random_normal(request)]
        elif request.op in ("tensorflow.RandomShuffle", "tensorflow.Multinomial"):
            values = [successive(request)]
        elif request.op == "directml.RandomGenerator":
            values = [random_generator(request)]
        else:
            values = stateless(request, compiled)
            names = ["key", "counter"] if request.op.endswith("GetKeyCounter") else names
    except REFUSALS as error:
        raise Rejected("range" if "Need minval" in str(error) else None, str(error)[:300]) from error
    except tf.errors.NotFoundError as error:
        # Draws of classes have a kernel for each type of logits that the op takes.
        if "logits" in request.inputs:
            raise Rejected("dtype", str(error)[:300]) from error
        raise Unsupported(str(error)[:300]) from error
    return {
        name: Tensor(NAMES[value.dtype.name], list(value.shape), np.ascontiguousarray(value).tobytes())
        for name, value in zip(names, values)
    }


if __name__ == "__main__":
    compiled = sys.argv[1:] == ["compiled"]
    implementation = {
        "name": "tensorflow-xla" if compiled else "tensorflow",
        "version": tf.__version__,
        "language": "c++",
        "homepage": "https://github.com/tensorflow/tensorflow",
        "issues": "https://github.com/tensorflow/tensorflow/issues",
    }
    # Eager TensorFlow has no kernel for unsigned numbers in a range.
    integers = {} if compiled else {"output_type": ["i32", "i64"]}
    capabilities = [
        {"op": "tensorflow.StatelessRandomGetKeyCounter"},
        {"op": "tensorflow.StatelessRandomUniformFullIntV2"},
        {"op": "tensorflow.StatelessRandomUniformIntV2", **integers},
        {"op": "tensorflow.StatelessRandomUniformV2"},
    ]
    # Normals of f64 depend on the version of the C library.
    narrow = {"output_type": ["f16", "bf16", "f32"]}
    capabilities.append({"op": "tensorflow.StatelessRandomNormalV2", **narrow})
    if not compiled:
        capabilities.append({"op": "tensorflow.StatelessTruncatedNormalV2", **narrow})
        for op in ("Shuffle", "Multinomial"):
            capabilities.append({"op": f"tensorflow.Stateless{op}"})
        for op in ("RandomShuffle", "Multinomial"):
            capabilities.append({"op": f"tensorflow.{op}", "features": ["execution"]})
        for op in ("RandomStandardNormal", "TruncatedNormal"):
            capabilities.append({"op": f"tensorflow.{op}", **narrow, "features": ["execution"]})
        capabilities.append({"op": "openvino.RandomUniform-8", "alignment": ["TENSORFLOW"], "features": ["execution"]})
        capabilities.append({"op": "directml.RandomGenerator", "type": ["PHILOX_4X32_10"]})
    serve(implementation, capabilities, lambda request: run(request, compiled))
