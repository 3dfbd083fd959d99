"""JAX: XLA's Philox on the CPU, as DirectML's generator.

Install: pip install jax==0.10.2 jaxlib==0.10.2
Usage:   jax_adapter.py

jax.lax.rng_bit_generator ties half of the counter to the key. The op below it takes the key and both halves of the
counter, so the op is compiled from its StableHLO text.
"""

import os

os.environ["JAX_PLATFORMS"] = "cpu"

import jax

jax.config.update("jax_enable_x64", True)

import numpy as np
from jaxlib import xla_client

from seedproof_adapter import Request, Tensor, check_random_generator, serve

MODULE = """
module {{
  func.func @main(%state: tensor<3xui64>) -> (tensor<3xui64>, tensor<{count}xui32>) {{
    %after, %words = "stablehlo.rng_bit_generator"(%state) {{rng_algorithm = #stablehlo<rng_algorithm PHILOX>}}
      : (tensor<3xui64>) -> (tensor<3xui64>, tensor<{count}xui32>)
    return %after, %words : tensor<3xui64>, tensor<{count}xui32>
  }}
}}
"""

DEVICES = jax.devices("cpu")[:1]


def generate(state, count):
    """`state` is key, low and high half of the counter; returns the state after it and the words."""
    program = DEVICES[0].client.compile_and_load(
        MODULE.format(count=count), xla_client.DeviceList(tuple(DEVICES)), xla_client.CompileOptions()
    )
    outputs = program.execute_sharded([jax.device_put(state)]).disassemble_into_single_device_arrays()
    return tuple(np.asarray(output[0]) for output in outputs)


def run(request: Request):
    check_random_generator(request)
    state, sizes = request.inputs["input_state"], request.attrs["output_sizes"]
    low, high, key = np.frombuffer(state.data, np.uint64)
    after, words = generate(np.array([key, low, high], np.uint64), int(np.prod(sizes, dtype=np.int64)))
    outputs = {"output": Tensor("u32", sizes, words.astype(np.uint32).tobytes())}
    if request.attrs["output_state"]:
        outputs["output_state"] = Tensor("u32", state.shape, after[[1, 2, 0]].tobytes())
    return outputs


if __name__ == "__main__":
    implementation = {
        "name": "jax",
        "version": jax.__version__,
        "language": "c++",
        "device": DEVICES[0].device_kind,
        "homepage": "https://github.com/jax-ml/jax",
        "issues": "https://github.com/jax-ml/jax/issues",
    }
    serve(implementation, [{"op": "directml.RandomGenerator", "features": ["output_state"]}], run)
