"""A Seedproof adapter. Replace `words` with your generator, or `draw` with your operator, and say in CAPABILITIES what
it has.

Try it:  seedproof smoke --adapter 'python3 adapter.py'
Run it:  seedproof run --adapter 'python3 adapter.py'
"""

import math
import secrets
import struct
from ctypes import c_float

from generators import philox
from seedproof_adapter import Rejected, Request, Tensor, serve

IMPLEMENTATION = {"name": "my-implementation", "version": "0.1", "language": "python"}

# What is not named is not restricted. What is announced must be answered.
# Restrict what your kernel restricts: attributes by values ("op_seed": ["0"]), inputs by types or by values
# ("minval": {"values": ["0"]}), and the output by its rank ("rank": {"min": 1, "max": 4}).
CAPABILITIES = [{"op": "openvino.RandomUniform-8", "alignment": ["TENSORFLOW"], "output_type": ["f32"]}]


def words(global_seed, op_seed, count):
    """Yours: the first `count` words of the seeds' stream."""
    drawn = []
    for index in range((count + 3) // 4):
        drawn.extend(philox(((op_seed << 64) + index) % 2**128, global_seed))
    return drawn[:count]


def f32(value):
    """The f32 nearest to a number: Python computes in f64."""
    return c_float(value).value


def draw(global_seed, op_seed, count, minval, maxval):
    """Yours: numbers in [minval, maxval), each operation rounded to f32."""
    span = f32(maxval - minval)
    units = ((word & 0x7FFFFF) / 0x800000 for word in words(global_seed, op_seed, count))
    return [f32(f32(unit * span) + minval) for unit in units]


def extents(shape):
    """The output's extents, or a refusal."""
    if shape.dtype not in ("i32", "i64"):
        raise Rejected("dtype", "shape must be i32 or i64")
    if len(shape.shape) != 1:
        raise Rejected("shape", "shape must have one dimension")
    dims = struct.unpack(f"<{shape.shape[0]}{'i' if shape.dtype == 'i32' else 'q'}", shape.data)
    if any(dim < 0 for dim in dims):
        raise Rejected("shape", "an extent is negative")
    return list(dims)


def bound(tensor):
    """A bound, or a refusal."""
    if tensor.dtype != "f32":
        raise Rejected("dtype", "the bounds must have the output's type")
    if tensor.shape not in ([], [1]):
        raise Rejected("shape", "a bound must have the shape [] or [1]")
    return struct.unpack("<f", tensor.data)[0]


def run(request: Request):
    shape = extents(request.inputs["shape"])
    minval, maxval = bound(request.inputs["minval"]), bound(request.inputs["maxval"])
    if not minval < maxval:
        raise Rejected("range", "minval must be less than maxval")
    global_seed, op_seed = int(request.attrs["global_seed"]), int(request.attrs["op_seed"])
    if global_seed == op_seed == 0:  # any numbers, and others each time
        global_seed = secrets.randbits(64)
    count = math.prod(shape)
    drawn = draw(global_seed, op_seed, count, minval, maxval)
    return {"output": Tensor("f32", shape, struct.pack(f"<{count}f", *drawn))}


if __name__ == "__main__":
    serve(IMPLEMENTATION, CAPABILITIES, run, framing="lines")
