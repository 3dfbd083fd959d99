"""Calls a function of jax on each float of standard input, and writes the results to standard output.

    harness/libm/xla.py version|log|log1p|erf_inv

The environment is that of the jax adapter; it is made in $SEEDPROOF_CACHE where it is absent.
"""

import os
import sys
from pathlib import Path

BLOCK = 1 << 20

try:
    import jax
except ImportError:
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "adapters"))
    import environments

    python = environments.venv("jax", "jax==0.10.2", "numpy==2.4.6") / "bin" / "python"
    if Path(sys.prefix) == python.parent.parent:
        sys.exit(f"jax cannot be imported in {sys.prefix}")
    os.execv(python, [str(python), *sys.argv])

import numpy

FUNCTIONS = {"log": jax.lax.log, "log1p": jax.lax.log1p, "erf_inv": jax.lax.erf_inv}


def main(word):
    if word == "version":
        print(f"jax {jax.__version__}, XLA for a CPU")
        return
    function = jax.jit(FUNCTIONS[word])
    while data := sys.stdin.buffer.read(4 * BLOCK):
        values = numpy.frombuffer(data, numpy.float32)
        # One shape, so that the function is compiled once and its vector loop does all.
        padded = numpy.ones(BLOCK, numpy.float32)
        padded[: values.size] = values
        sys.stdout.buffer.write(numpy.asarray(function(padded))[: values.size].tobytes())


if len(sys.argv) != 2 or sys.argv[1] not in ("version", *FUNCTIONS):
    sys.exit("usage: xla.py version|log|log1p|erf_inv")
jax.config.update("jax_platforms", "cpu")
main(sys.argv[1])
