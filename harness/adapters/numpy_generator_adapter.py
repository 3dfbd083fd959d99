"""NumPy's Generator, with each of its bit generators, and its legacy RandomState.

Install: pip install numpy==2.4.6
Usage:   numpy_generator_adapter.py
"""

import math

import numpy as np

from seedproof_adapter import Rejected, Request, Tensor, Unsupported, serve

BIT_GENERATORS = ["PCG64", "PCG64DXSM", "Philox", "SFC64", "MT19937"]
FLOATS = {"f32": np.float32, "f64": np.float64}
INTEGERS = {f"{letter}{bits}": np.dtype(f"{letter}{bits // 8}") for letter in "iu" for bits in (8, 16, 32, 64)}
MOST = 2**28
MOST_SEED_WORDS = 2**20
OPS = ["random", "integers", "permutation", "RandomState.rand", "RandomState.randn", "RandomState.randint", "RandomState.permutation"]


def seeded(request: Request):
    """The object whose methods draw."""
    seed = request.number("seed")
    if ".RandomState." not in request.op:
        kind = request.one_of("bit_generator", *BIT_GENERATORS)
        return np.random.Generator(getattr(np.random, kind)(seed))
    length = request.number("seed_words")
    if length is None:
        return np.random.RandomState(seed)
    if length > MOST_SEED_WORDS:
        raise Unsupported("a seed of this length")
    # The last word has what is left, so that NumPy itself refuses a seed of more words.
    last = [seed >> 32 * (length - 1)] if length > 0 else []
    return np.random.RandomState([seed >> 32 * i & 0xFFFFFFFF for i in range(length - 1)] + last)


def call(request: Request, generator):
    """One call of the request's method."""
    method = getattr(generator, request.op.rsplit(".", 1)[1])
    if "n" in request.attrs:
        return method(request.number("n"))
    size = tuple(request.attrs["output_sizes"])
    if method.__name__ in ("rand", "randn"):
        return method(*size)
    types = FLOATS if method.__name__ == "random" else INTEGERS
    dtype = types[request.one_of("output_type", *types)]
    if method.__name__ == "random":
        return method(size, dtype)
    return method(request.number("low"), request.number("high"), size, dtype)


def run(request: Request):
    # More than memory holds is an error, and no refusal.
    extents = [request.number("n")] if "n" in request.attrs else request.attrs["output_sizes"]
    if MOST < math.prod(extents) < 2**63 // 8:
        raise Unsupported("an output of this size")
    try:
        generator = seeded(request)
    except (TypeError, ValueError) as error:
        raise Rejected("attribute", str(error)) from error
    try:
        for _ in range(request.execution + 1):
            output = np.asarray(call(request, generator))
    except ValueError as error:
        if "n" in request.attrs:
            raise Rejected("attribute", str(error)) from error
        too_long = any(words in str(error) for words in ("array is too big", "Maximum allowed dimension"))
        raise Rejected("shape" if too_long else "range", str(error)) from error
    name = output.dtype.kind + str(8 * output.dtype.itemsize)
    return {"output": Tensor(name, list(output.shape), output.tobytes())}


if __name__ == "__main__":
    implementation = {
        "name": "numpy-generator",
        "version": np.__version__,
        "language": "c",
        "device": "CPU",
        "homepage": "https://github.com/numpy/numpy",
        "issues": "https://github.com/numpy/numpy/issues",
    }
    serve(implementation, [{"op": f"numpy.{name}", "features": ["execution"]} for name in OPS], run)
