"""tinygrad: the words behind Tensor.rand, and its uniform numbers from 0 to 1.

Install: pip install tinygrad==0.14.0 numpy==2.4.6, and Clang 16 or later, with which tinygrad compiles for a CPU
Usage:   tinygrad_adapter.py

Tensor.random_bits makes a key, a block of Threefry of the device's key and a counter, and draws by it as JAX does in its
original order. The counter is therefore the one whose block, by a device's key of zeros, is the key that is asked for.
"""

import math
import os
import shutil
from importlib.metadata import version

CLANGS = [f"clang-{number}" for number in range(25, 15, -1)]
os.environ.setdefault("CC", next(filter(shutil.which, CLANGS), "clang"))
os.environ.setdefault("DEV", "CPU")

import numpy as np
import tinygrad
from tinygrad import dtypes

from seedproof_adapter import Rejected, Request, Tensor, Unsupported, serve

FLOATS = {"f16": dtypes.float16, "bf16": dtypes.bfloat16, "f32": dtypes.float32}
MOST = 2**24


def counter_of(key):
    """The counter whose block by the key 0, 0 is this key: the rounds of Threefry from the last to the first."""
    keys, (x0, x1) = (0, 0, 0x1BD11BDA), key
    for turn in reversed(range(5)):
        x0, x1 = x0 - keys[(turn + 1) % 3], x1 - keys[(turn + 2) % 3] - turn - 1
        for by in reversed(((13, 15, 26, 6), (17, 29, 16, 24))[turn % 2]):
            mixed = (x0 ^ x1) & 0xFFFFFFFF
            x1 = (mixed >> by | mixed << (32 - by)) & 0xFFFFFFFF
            x0 = (x0 - x1) & 0xFFFFFFFF
    return [x0, x1]


def key_of(request):
    tensor = request.inputs["key"]
    if tensor.dtype != "u32":
        raise Rejected("dtype", f"the key is of {tensor.dtype}")
    if tensor.shape != [2]:
        raise Rejected("shape", f"the key has the shape {tensor.shape}")
    counter = counter_of([int(word) for word in np.frombuffer(tensor.data, np.uint32)])
    return (tinygrad.Tensor(words, dtype=dtypes.uint32) for words in ([0, 0], counter))


def check_bounds(request):
    for name in ("minval", "maxval"):
        tensor = request.inputs[name]
        if tensor.dtype != request.attrs["output_type"]:
            raise Rejected("dtype", f"{name} is of {tensor.dtype}")
        if tensor.shape:
            raise Rejected("shape", f"{name} is not a scalar")


def run(request: Request):
    sizes, name = request.attrs["output_sizes"], request.attrs["output_type"]
    count = math.prod(sizes)
    if count > MOST:
        raise Unsupported("an output of this size")
    key, counter = key_of(request)
    if request.op == "jax.bits":
        bits = tinygrad.Tensor.random_bits(key, counter, count)
    else:
        check_bounds(request)
        floats = tinygrad.Tensor._rand(key, counter, (count,), FLOATS[name])
        bits = floats.bitcast(dtypes.uint32 if name == "f32" else dtypes.uint16)
    return {"output": Tensor(name, sizes, bits.numpy().tobytes())}


if __name__ == "__main__":
    implementation = {
        "name": "tinygrad",
        "version": version("tinygrad"),
        "language": "python",
        "device": "CPU",
        "homepage": "https://github.com/tinygrad/tinygrad",
        "issues": "https://github.com/tinygrad/tinygrad/issues",
    }
    original = {"impl": ["threefry2x32"], "partitionable": [False]}
    unit = {"minval": {"values": ["0"]}, "maxval": {"values": ["1"]}}
    ops = [
        {"op": "jax.bits", "output_type": ["u32"], **original},
        {"op": "jax.uniform", "output_type": list(FLOATS), **original, **unit},
    ]
    serve(implementation, ops, run)
