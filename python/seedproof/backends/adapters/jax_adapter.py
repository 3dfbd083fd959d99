"""JAX: XLA's generators on the CPU, as StableHLO's rng_bit_generator and as DirectML's generator.

Install: pip install jax==0.10.2 jaxlib==0.10.2
Usage:   jax_adapter.py

jax.lax.rng_bit_generator casts its key, so the op is compiled from its StableHLO text.
"""

import os

os.environ["JAX_PLATFORMS"] = "cpu"

import jax

jax.config.update("jax_enable_x64", True)

import numpy as np
from jaxlib import xla_client

from seedproof_adapter import Rejected, Request, Tensor, check_random_generator, serve
from stablehlo_text import bit_generator_module, numbers

DEVICES = jax.devices("cpu")[:1]


def generate(state, algorithm, dtype, sizes):
    """The bytes of the output, and the state after it."""
    text = bit_generator_module(state, algorithm, dtype, sizes)
    options = xla_client.CompileOptions()
    program = DEVICES[0].client.compile_and_load(text, xla_client.DeviceList(tuple(DEVICES)), options)
    outputs = program.execute_sharded([jax.device_put(numbers(state))]).disassemble_into_single_device_arrays()
    after, bits = (np.asarray(output[0]) for output in outputs)
    return bits.tobytes(), after


def bit_generator(request):
    state, attrs = request.inputs["initial_state"], request.attrs
    try:
        bits, after = generate(state, attrs["rng_algorithm"], attrs["output_type"], attrs["output_sizes"])
    except (jax.errors.JaxRuntimeError, ValueError, TypeError) as error:
        raise Rejected(None, str(error)[:300]) from error
    outputs = {"output": Tensor(attrs["output_type"], attrs["output_sizes"], bits)}
    return {**outputs, "output_state": Tensor("u64", state.shape, after.tobytes())}


def random_generator(request):
    check_random_generator(request)
    state, sizes = request.inputs["input_state"], request.attrs["output_sizes"]
    low, high, key = np.frombuffer(state.data, np.uint64)
    words = Tensor("u64", [3], np.array([key, low, high], np.uint64).tobytes())
    bits, after = generate(words, "PHILOX", "u32", [int(np.prod(sizes, dtype=np.int64))])
    outputs = {"output": Tensor("u32", sizes, bits)}
    if request.attrs["output_state"]:
        outputs["output_state"] = Tensor("u32", state.shape, after[[1, 2, 0]].tobytes())
    return outputs


def run(request: Request):
    return bit_generator(request) if request.op == "stablehlo.rng_bit_generator" else random_generator(request)


if __name__ == "__main__":
    implementation = {
        "name": "jax",
        "version": jax.__version__,
        "language": "c++",
        "device": DEVICES[0].device_kind,
        "homepage": "https://github.com/jax-ml/jax",
        "issues": "https://github.com/jax-ml/jax/issues",
    }
    generators = [
        {"op": "directml.RandomGenerator", "features": ["output_state"]},
        {"op": "stablehlo.rng_bit_generator"},
    ]
    serve(implementation, generators, run)
