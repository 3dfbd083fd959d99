"""The ops that choose, as functions: classes and tokens, masks, permutations.

They are functions of the package under the same names. What they are for is beside them: `who_sampled` names whose sampler drew
tokens, right or wrong.

Example:
    >>> import numpy as np
    >>> import seedproof as sp
    >>> sp.samplers.torch_randperm(dtype="i64", n=5, seed=42)
    array([2, 4, 3, 0, 1])
"""

from ._ops import (
    jax_bernoulli,
    jax_categorical,
    jax_permutation,
    multinomial,
    numpy_permutation,
    numpy_random_state_permutation,
    onnx_bernoulli,
    onnx_multinomial,
    random_shuffle,
    sglang_multinomial_with_seed,
    stateless_multinomial,
    stateless_shuffle,
    tensorflow_multinomial,
    torch_bernoulli,
    torch_bernoulli_,
    torch_cuda_bernoulli_,
    torch_dropout,
    torch_multinomial,
    torch_randperm,
    vllm_gumbel_sample,
)
from .lab import who_sampled

__all__ = [
    "jax_bernoulli",
    "jax_categorical",
    "jax_permutation",
    "multinomial",
    "numpy_permutation",
    "numpy_random_state_permutation",
    "onnx_bernoulli",
    "onnx_multinomial",
    "random_shuffle",
    "sglang_multinomial_with_seed",
    "stateless_multinomial",
    "stateless_shuffle",
    "tensorflow_multinomial",
    "torch_bernoulli",
    "torch_bernoulli_",
    "torch_cuda_bernoulli_",
    "torch_dropout",
    "torch_multinomial",
    "torch_randperm",
    "vllm_gumbel_sample",
    "who_sampled",
]
