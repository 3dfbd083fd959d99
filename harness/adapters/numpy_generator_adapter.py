"""NumPy's Generator: random, integers and permutation with each of its bit generators.

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


def call(request: Request, generator):
    """One call of the request's method."""
    if request.op == "numpy.permutation":
        return generator.permutation(request.number("n"))
    size = tuple(request.attrs["output_sizes"])
    if request.op == "numpy.random":
        return generator.random(size, FLOATS[request.one_of("output_type", *FLOATS)])
    dtype = INTEGERS[request.one_of("output_type", *INTEGERS)]
    return generator.integers(request.number("low"), request.number("high"), size, dtype)


def run(request: Request):
    kind = request.one_of("bit_generator", *BIT_GENERATORS)
    # More than memory holds is an error, and no refusal.
    extents = [request.number("n")] if request.op == "numpy.permutation" else request.attrs["output_sizes"]
    if MOST < math.prod(extents) < 2**63 // 8:
        raise Unsupported("an output of this size")
    try:
        generator = np.random.Generator(getattr(np.random, kind)(request.number("seed")))
    except ValueError as error:
        raise Rejected("attribute", str(error)) from error
    try:
        for _ in range(request.execution + 1):
            output = np.asarray(call(request, generator))
    except ValueError as error:
        if request.op == "numpy.permutation":
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
    ops = [{"op": f"numpy.{name}", "features": ["execution"]} for name in ("random", "integers", "permutation")]
    serve(implementation, ops, run)
