"""Calls a function of CUDA on each float of standard input, and writes the results to standard output.

    harness/libm/nvidia.py version|logf|logf_of_logf|log1pf|sin_approx|cos_approx

It needs a GPU of NVIDIA, and CuPy (pip install cupy-cuda13x), whose compiler is CUDA's.
"""

import sys

import cupy
import numpy

BLOCK = 1 << 20
# Of two uses of one function, each has digests of its own.
FUNCTIONS = {
    "logf": "logf(x)",
    "logf_of_logf": "logf(x)",
    "log1pf": "log1pf(x)",
    "sin_approx": "__sinf(x)",
    "cos_approx": "__cosf(x)",
}


def main(word):
    if word == "version":
        version = cupy.cuda.runtime.runtimeGetVersion()
        device = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
        print(f"CUDA {version // 1000}.{version % 1000 // 10} on an {device}")
        return
    function = cupy.ElementwiseKernel("float32 x", "float32 y", f"y = {FUNCTIONS[word]}", f"call_{word}")
    while data := sys.stdin.buffer.read(4 * BLOCK):
        sys.stdout.buffer.write(cupy.asnumpy(function(cupy.asarray(numpy.frombuffer(data, numpy.float32)))).tobytes())


if len(sys.argv) != 2 or sys.argv[1] not in ("version", *FUNCTIONS):
    sys.exit("usage: nvidia.py version|logf|logf_of_logf|log1pf|sin_approx|cos_approx")
main(sys.argv[1])
