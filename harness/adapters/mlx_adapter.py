"""MLX on a CPU: the keys of mlx.core.random, and what it draws by them.

Install: pip install 'mlx[cpu]==0.32.4' numpy==2.4.6
Usage:   mlx_adapter.py [--randint]

MLX has JAX's keys, and its words in the original order, for which Python has no function. --randint announces integers
too, which are the integer parts of floats, and which no reading describes.
"""

import math
import sys

import mlx.core as mx
import numpy as np

from seedproof_adapter import Rejected, Request, Tensor, Unsupported, serve

mx.set_default_device(mx.cpu)
MOST = 2**28
FLOATS = {"f16": mx.float16, "bf16": mx.bfloat16, "f32": mx.float32}
INTEGERS = {f"{name[0]}{bits}": getattr(mx, f"{name}{bits}") for name in ("int", "uint") for bits in (8, 16, 32, 64)}


def key_of(request):
    tensor = request.inputs["key"]
    # MLX converts other types, and takes more extents as a batch of keys.
    if tensor.dtype != "u32":
        raise Rejected("dtype", f"the key is of {tensor.dtype}")
    if tensor.shape != [2]:
        raise Rejected("shape", f"the key has the shape {tensor.shape}")
    return mx.array(np.frombuffer(tensor.data, np.uint32))


def bound(request, name, dtype):
    tensor = request.inputs[name]
    if tensor.dtype != dtype:
        raise Rejected("dtype", f"{name} is of {tensor.dtype}")
    if tensor.shape:
        raise Rejected("shape", f"{name} is not a scalar")
    if dtype == "bf16":
        return mx.array(np.frombuffer(tensor.data, np.uint16)).view(mx.bfloat16)[0]
    return mx.array(np.frombuffer(tensor.data, {"f16": np.float16, "f32": np.float32}[dtype])[0])


def drawn(request):
    attrs, random = request.attrs, mx.random
    if request.op == "jax.key":
        # MLX takes a u64, and JAX an i64.
        seed = request.number("seed")
        return random.key(seed + 2**64 if -(2**63) <= seed < 0 else seed)
    key = key_of(request)
    if request.op == "jax.split":
        return random.split(key, request.number("num"))
    if request.op == "jax.permutation":
        return random.permutation(max(0, request.number("n")), key=key).astype(mx.int64)
    sizes = attrs["output_sizes"]
    # An extent of more than an i32 ends the process, also of an output without elements.
    if MOST < math.prod(sizes) or any(size >= 2**31 for size in sizes):
        raise Unsupported("an output of this size")
    if request.op == "jax.uniform":
        dtype = attrs["output_type"]
        low, high = (bound(request, name, dtype) for name in ("minval", "maxval"))
        return random.uniform(low, high, sizes, FLOATS[dtype], key)
    if request.op == "jax.randint":
        return random.randint(request.number("minval"), request.number("maxval"), sizes, INTEGERS[attrs["output_type"]], key)
    return random.bernoulli(bound(request, "p", "f32"), sizes, key).astype(mx.uint8)


def run(request: Request):
    try:
        output = drawn(request)
        mx.eval(output)
    except (ValueError, OverflowError, TypeError) as error:
        raise Rejected("attribute", str(error)[:300]) from error
    names = {dtype: name for name, dtype in {**FLOATS, **INTEGERS}.items()}
    shape = list(output.shape)
    return {"output": Tensor(names[output.dtype], shape, bytes(memoryview(mx.contiguous(output).flatten().view(mx.uint8))))}


if __name__ == "__main__":
    implementation = {
        "name": "mlx",
        "version": mx.__version__,
        "language": "c++",
        "device": "CPU",
        "homepage": "https://github.com/ml-explore/mlx",
        "issues": "https://github.com/ml-explore/mlx/issues",
    }
    original = {"impl": ["threefry2x32"], "partitionable": [False]}
    ops = [
        {"op": "jax.key", "impl": ["threefry2x32"]},
        {"op": "jax.split", **original},
        {"op": "jax.uniform", "output_type": list(FLOATS), **original},
        {"op": "jax.bernoulli", **original},
        {"op": "jax.permutation", **original},
    ]
    if "--randint" in sys.argv:
        ops.append({"op": "jax.randint", "output_type": list(INTEGERS), **original})
    serve(implementation, ops, run)
