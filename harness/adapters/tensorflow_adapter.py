"""TensorFlow on the CPU: its raw random ops, scaled as tf.random.uniform scales.

Install: pip install tensorflow-cpu==2.21.0
Usage:   tensorflow_adapter.py
"""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")

import numpy as np
import tensorflow as tf

from seedproof_adapter import Rejected, Request, Tensor, serve

TYPES = {"f16": tf.float16, "bf16": tf.bfloat16, "f32": tf.float32, "f64": tf.float64, "i32": tf.int32, "i64": tf.int64}


def array(tensor):
    dtype = {"u32": np.uint32}.get(tensor.dtype) or TYPES[tensor.dtype].as_numpy_dtype
    return np.frombuffer(tensor.data, dtype).reshape(tensor.shape)


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


def run(request: Request):
    try:
        value = random_uniform(request) if request.op == "openvino.RandomUniform-8" else random_generator(request)
    except (tf.errors.InvalidArgumentError, ValueError, TypeError) as error:
        raise Rejected("range" if "minval" in str(error) else None, str(error)[:300]) from error
    dtype = request.attrs.get("output_type", "u32")
    return {"output": Tensor(dtype, list(value.shape), np.ascontiguousarray(value).tobytes())}


if __name__ == "__main__":
    implementation = {
        "name": "tensorflow",
        "version": tf.__version__,
        "language": "c++",
        "homepage": "https://github.com/tensorflow/tensorflow",
        "issues": "https://github.com/tensorflow/tensorflow/issues",
    }
    uniform = {"op": "openvino.RandomUniform-8", "alignment": ["TENSORFLOW"], "features": ["execution"]}
    generator = {"op": "directml.RandomGenerator", "type": ["PHILOX_4X32_10"]}
    serve(implementation, [uniform, generator], run)
