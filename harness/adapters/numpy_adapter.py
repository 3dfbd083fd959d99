"""NumPy: the words of its legacy MT19937, converted in NumPy's own arithmetic.

Install: pip install numpy==2.4.6
Usage:   numpy_adapter.py
"""

import secrets

import numpy as np

from seedproof_adapter import Rejected, Request, Tensor, serve

TYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "i32": np.int32, "i64": np.int64}
WORD = 0xFFFFFFFF


def pairs(words):
    """Two words to one of 64 bits; the first is the high half."""
    return words[0::2] << np.uint64(32) | words[1::2]


def integers(draw, count, low, high, unsigned):
    """uint % uint + low, all wrapping."""
    wide = unsigned is np.uint64 and not (low <= WORD and high <= WORD)
    words = pairs(draw(2 * count)) if wide else draw(count)
    if unsigned is np.uint64 and not wide:
        # One word per element, and the signed remainder of C.
        span = np.array(high - low & 2**64 - 1, np.uint64).astype(np.int64)
        return np.fmod(words.astype(np.int64), span) + np.int64(low)
    span = unsigned(high - low & int(np.iinfo(unsigned).max))
    return words.astype(unsigned) % span + unsigned(low & int(np.iinfo(unsigned).max))


def floats(draw, count, low, high, dtype):
    if dtype is np.float64:
        unit = (pairs(draw(2 * count)) & np.uint64(2**53 - 1)).astype(np.float64) * 2.0**-53
        return unit * (high - low) + low
    digits = 24 if dtype is np.float32 else 11
    unit = (draw(count) & np.uint64(2**digits - 1)).astype(np.float32) * np.float32(2.0**-digits)
    span = dtype(high - low)
    return (unit * np.float32(span) + np.float32(low)).astype(dtype)


def run(request: Request):
    name = request.attrs["output_type"]
    dtype = TYPES[name]
    shape = np.frombuffer(request.inputs["shape"].data, TYPES[request.inputs["shape"].dtype]).tolist()
    low, high = (np.frombuffer(request.inputs[bound].data, dtype)[0] for bound in ("minval", "maxval"))
    if not low < high:
        raise Rejected("range", "minval must be less than maxval")
    seed = int(request.attrs["global_seed"])
    if seed == 0 and int(request.attrs["op_seed"]) == 0:
        seed = secrets.randbits(32)
    generator = np.random.RandomState(seed & WORD)._bit_generator

    def draw(count):
        return np.asarray(generator.random_raw(count), np.uint64)

    count = int(np.prod(shape, dtype=np.int64))
    with np.errstate(all="ignore"):
        if np.issubdtype(dtype, np.integer):
            unsigned = np.uint64 if dtype is np.int64 else np.uint32
            value = integers(draw, count, int(low), int(high), unsigned).astype(dtype)
        else:
            value = floats(draw, count, low, high, dtype)
    return {"output": Tensor(name, shape, value.astype(dtype).tobytes())}


if __name__ == "__main__":
    implementation = {
        "name": "numpy-mt19937",
        "version": np.__version__,
        "language": "c",
        "homepage": "https://github.com/numpy/numpy",
        "issues": "https://github.com/numpy/numpy/issues",
    }
    uniform = {"op": "openvino.RandomUniform-8", "alignment": ["PYTORCH"], "output_type": sorted(TYPES)}
    serve(implementation, [uniform], run)
