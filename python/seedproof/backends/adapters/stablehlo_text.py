"""rng_bit_generator as StableHLO text, and the state that its program takes."""

import numpy as np

from seedproof_adapter import Rejected

MODULE = """
module @m {{
  func.func @main(%state: {state}) -> ({state}, {output}) {{
    %after, %bits = "stablehlo.rng_bit_generator"(%state) {{rng_algorithm = #stablehlo<rng_algorithm {algorithm}>}}
      : ({state}) -> ({state}, {output})
    return %after, %bits : {state}, {output}
  }}
}}
"""


def tensor_type(dtype, shape):
    element = dtype.replace("u", "ui") if dtype.startswith("u") else dtype
    return f"tensor<{''.join(f'{extent}x' for extent in shape)}{element}>"


def bit_generator_module(state, algorithm, dtype, sizes):
    """The text of a program that draws an output from a state of this form."""
    types = {"state": tensor_type(state.dtype, state.shape), "output": tensor_type(dtype, sizes)}
    return MODULE.format(algorithm=algorithm, **types)


def numbers(state):
    kinds = {"u": "uint", "i": "int", "f": "float"}
    if state.dtype == "bf16":
        raise Rejected("dtype", "the state must be of integers")
    return np.frombuffer(state.data, kinds[state.dtype[0]] + state.dtype[1:]).reshape(state.shape)
