"""The ops as functions. Generated from their descriptions by `seedproof gen`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from . import _native

__all__ = [
    "curand_philox4_32_10",
    "inductor_randint",
    "inductor_random",
    "jax_bernoulli",
    "jax_bits",
    "jax_categorical",
    "jax_fold_in",
    "jax_gumbel",
    "jax_key",
    "jax_normal",
    "jax_permutation",
    "jax_randint",
    "jax_split",
    "jax_uniform",
    "litert_random_standard_normal",
    "litert_random_uniform",
    "multinomial",
    "normal_",
    "numpy_integers",
    "numpy_permutation",
    "numpy_random",
    "numpy_random_state_permutation",
    "numpy_random_state_rand",
    "numpy_random_state_randint",
    "numpy_random_state_randn",
    "onnx_bernoulli",
    "onnx_init_prng",
    "onnx_multinomial",
    "onnx_random_normal",
    "onnx_random_normal_like",
    "onnx_random_uniform",
    "onnx_random_uniform_like",
    "onnx_split_prng",
    "philox_key_fold_in",
    "philox_key_split",
    "philox_normal",
    "philox_randint",
    "philox_uniform",
    "random_generator",
    "random_shuffle",
    "random_standard_normal",
    "random_uniform",
    "rng_bit_generator",
    "sglang_multinomial_with_seed",
    "sglang_murmur_hash32",
    "stateless_multinomial",
    "stateless_random_get_key_counter",
    "stateless_random_normal_v2",
    "stateless_random_uniform_full_int_v2",
    "stateless_random_uniform_int_v2",
    "stateless_random_uniform_v2",
    "stateless_shuffle",
    "stateless_truncated_normal_v2",
    "tensorflow_multinomial",
    "torch_bernoulli",
    "torch_bernoulli_",
    "torch_cuda_bernoulli_",
    "torch_cuda_normal_",
    "torch_cuda_random_",
    "torch_cuda_uniform_",
    "torch_dropout",
    "torch_exponential_",
    "torch_multinomial",
    "torch_randperm",
    "triton_rand",
    "triton_randint",
    "truncated_normal",
    "vllm_gumbel_sample",
    "vllm_murmur3_uniform",
]


def random_uniform(
    shape: ArrayLike,
    minval: ArrayLike,
    maxval: ArrayLike,
    *,
    dtype: DTypeLike,
    seed: int = 0,
    op_seed: int = 0,
    alignment: str,
    execution: int = 0,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """RandomUniform-8 (`openvino.RandomUniform-8`).

    Args:
        shape: The output's extents. Shape `[rank]`; i64, i32.
        minval: Lower bound, inclusive. Shape `[] or [1]`; of `dtype`.
        maxval: Upper bound, exclusive. Shape `[] or [1]`; of `dtype`.
        dtype: The output's element type. NumPy's type or our name: f16, bf16, f32, f64, i32, i64.
        seed: First seed. From 0 to 2^64 - 1.
        op_seed: Second seed. From 0 to 2^64 - 1.
        alignment: Which generator and which conversions. One of TENSORFLOW, PYTORCH.
        execution: Which successive execution of one op instance it is, from 0.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (of `output_type`, the extents in `shape`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.random_uniform([3, 3], 0.0, 1.0, dtype="f32", seed=150, op_seed=10, alignment="TENSORFLOW")
        >>> drawn.ravel()[:3].tolist()
        [0.7011235952377319, 0.30539631843566895, 0.9393105506896973]
    """
    return _native.draw(
        "openvino.RandomUniform-8",
        (dtype, seed, op_seed, alignment),
        (shape, minval, maxval),
        execution,
        reading,
        out,
    )


def multinomial(
    probs: ArrayLike,
    num_samples: ArrayLike,
    draws: ArrayLike | None = None,
    *,
    dtype: DTypeLike,
    with_replacement: bool = False,
    log_probs: bool = False,
    seed: int = 0,
    op_seed: int = 0,
    execution: int = 0,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """Multinomial-13 (`openvino.Multinomial-13`).

    Args:
        probs: Probabilities, or their logarithms. Shape `[batch, classes]`; f16, bf16, f32, f64.
        num_samples: Samples per row. Shape `[] or [1]`; i32, i64.
        draws: The uniform draws to use in place of generated ones, in `[0, 1]`. Shape `[batch, num_samples]`; f64.
        dtype: The output's element type. NumPy's type or our name: i32, i64.
        with_replacement: Whether a class may be drawn more than once.
        log_probs: Whether `probs` are logarithms.
        seed: First seed. From 0 to 2^64 - 1.
        op_seed: Second seed. From 0 to 2^64 - 1.
        execution: Which successive execution of one op instance it is, from 0.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (of `convert_type`, [batch, num_samples]).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.multinomial(np.array([[0.1, 0.5, 0.4]], np.float64), 5, draws=np.array([[0.2, 0.4, 0.6, 0.8, 1.0]], np.float64), dtype="i32", with_replacement=True, seed=1, op_seed=2)
        >>> drawn.ravel()[:3].tolist()
        [1, 1, 1]
    """
    return _native.draw(
        "openvino.Multinomial-13",
        (dtype, with_replacement, log_probs, seed, op_seed),
        (probs, num_samples, draws),
        execution,
        reading,
        out,
    )


def random_generator(
    input_state: ArrayLike,
    *,
    type: str = "PHILOX_4X32_10",
    feature_level: str,
    output_sizes: Any,
    output_state: bool = False,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any] | tuple[NDArray[Any], ...]:
    """DirectML RandomGenerator (`directml.RandomGenerator`).

    Args:
        input_state: Counter (four words, least significant first) and key (two words, least significant first): extents `[1,1,1,6]` at feature level 3.0, ones and a final 6 at 4.0. Shape `[..., 6]`; u32.
        type: The generator. One of PHILOX_4X32_10.
        feature_level: Whose tensor constraints apply. One of 3.0, 4.0.
        output_sizes: The output's extents.
        output_state: Whether the state after the draw is asked for.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (u32, the extents in `output_sizes`), `output_state` (u32, the extents of `input_state`). A tuple where there are several.

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.random_generator([1953786981, 1834181985, 1866887791, 1214606444, 1, 2], feature_level="4.0", output_sizes=[4], output_state=True)
        >>> drawn[0].ravel()[:3].tolist()
        [2929551913, 2566651113, 2023614968]
    """
    return _native.draw(
        "directml.RandomGenerator",
        (type, feature_level, output_sizes, output_state),
        (input_state,),
        0,
        reading,
        out,
    )


def rng_bit_generator(
    initial_state: ArrayLike,
    *,
    rng_algorithm: str,
    dtype: DTypeLike,
    output_sizes: Any,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> tuple[NDArray[Any], ...]:
    """rng_bit_generator (`stablehlo.rng_bit_generator`).

    Args:
        initial_state: The key, and the counter in one or two words, the low one first. Shape `[2] or [3]`; u64.
        rng_algorithm: The generator. One of DEFAULT, THREE_FRY, PHILOX.
        dtype: The output's element type. NumPy's type or our name: u8, u16, u32, u64, i8, i16, i32, i64, f16, bf16, f32, f64.
        output_sizes: The output's extents.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (of `output_type`, the extents in `output_sizes`), `output_state` (u64, the extents of `initial_state`). A tuple where there are several.

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.rng_bit_generator([81985529216486895, 18364758544493064720], rng_algorithm="PHILOX", dtype="u32", output_sizes=[])
        >>> drawn[0].ravel().tolist()
        [516242754]
    """
    return _native.draw(
        "stablehlo.rng_bit_generator",
        (rng_algorithm, dtype, output_sizes),
        (initial_state,),
        0,
        reading,
        out,
    )


def philox_key_split(
    key: ArrayLike,
    *,
    num_splits: int,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """philox_key_split (`torch.philox_key_split`).

    Args:
        key: Seed and offset, or a batch of them. Shape `[..., 2]`; u64.
        num_splits: The number of keys that are made of each.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (u64, `num_splits` and the extents of `key`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.philox_key_split([0, 0], num_splits=1)
        >>> drawn.ravel().tolist()
        [16242730742183356629, 11169168799798111308]
    """
    return _native.draw(
        "torch.philox_key_split",
        (num_splits,),
        (key,),
        0,
        reading,
        out,
    )


def philox_key_fold_in(
    key: ArrayLike,
    *,
    data: int,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """philox_key_fold_in (`torch.philox_key_fold_in`).

    Args:
        key: Seed and offset, or a batch of them. Shape `[..., 2]`; u64.
        data: The number, from -2^63 to 2^64 - 1.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (u64, the extents of `key`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.philox_key_fold_in([0, 0], data=0)
        >>> drawn.ravel().tolist()
        [16242730742183356629, 11169168799798111308]
    """
    return _native.draw(
        "torch.philox_key_fold_in",
        (data,),
        (key,),
        0,
        reading,
        out,
    )


def philox_uniform(
    key: ArrayLike,
    low: ArrayLike,
    high: ArrayLike,
    *,
    dtype: DTypeLike,
    output_sizes: Any,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """philox_uniform (`torch.philox_uniform`).

    Args:
        key: Seed and offset, or a batch of them. Shape `[..., 2]`; u64.
        low: Lower bound, inclusive. Shape `[]`; f64.
        high: Upper bound, exclusive. Shape `[]`; f64.
        dtype: The output's element type. NumPy's type or our name: f16, bf16, f32, f64.
        output_sizes: The output's extents.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (of `output_type`, the extents in `output_sizes`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.philox_uniform([0, 0], np.array(0.0, np.float64), np.array(1.0, np.float64), dtype="f16", output_sizes=[])
        >>> drawn.ravel().tolist()
        [0.10400390625]
    """
    return _native.draw(
        "torch.philox_uniform",
        (dtype, output_sizes),
        (key, low, high),
        0,
        reading,
        out,
    )


def philox_randint(
    key: ArrayLike,
    *,
    dtype: DTypeLike,
    output_sizes: Any,
    low: int | None = None,
    high: int | None = None,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """philox_randint (`torch.philox_randint`).

    Args:
        key: Seed and offset, or a batch of them. Shape `[..., 2]`; u64.
        dtype: The output's element type. NumPy's type or our name: u8, i8, u16, i16, u32, i32, u64, i64.
        output_sizes: The output's extents.
        low: Lower bound, inclusive; the least value of the type if it is left out.
        high: Upper bound, exclusive; one past the greatest value of the type if it is left out.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (of `output_type`, the extents in `output_sizes`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.philox_randint([0, 0], dtype="u8", output_sizes=[], low=0, high=10)
        >>> drawn.ravel().tolist()
        [1]
    """
    return _native.draw(
        "torch.philox_randint",
        (dtype, output_sizes, low, high),
        (key,),
        0,
        reading,
        out,
    )


def stateless_random_get_key_counter(
    seed: ArrayLike,
    *,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> tuple[NDArray[Any], ...]:
    """StatelessRandomGetKeyCounter (`tensorflow.StatelessRandomGetKeyCounter`).

    Args:
        seed: Two numbers of any value. Shape `[2]`; i64, i32.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `key` (u64, [1]), `counter` (u64, [2]). A tuple where there are several.

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.stateless_random_get_key_counter(np.array([0, 0], np.int32))
        >>> drawn[0].ravel().tolist()
        [16103252647613272195]
    """
    return _native.draw(
        "tensorflow.StatelessRandomGetKeyCounter",
        (),
        (seed,),
        0,
        reading,
        out,
    )


def stateless_random_uniform_v2(
    shape: ArrayLike,
    key: ArrayLike,
    counter: ArrayLike,
    alg: ArrayLike,
    *,
    dtype: DTypeLike,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """StatelessRandomUniformV2 (`tensorflow.StatelessRandomUniformV2`).

    Args:
        shape: The output's extents. Shape `[rank]`; i64, i32.
        key: The key. Shape `[1]`; u64.
        counter: The counter, the low half first. Shape `[2]`; u64.
        alg: 1 for Philox, 2 for ThreeFry, 3 for whichever suits the device. Shape `[]`; i32.
        dtype: The output's element type. NumPy's type or our name: f16, bf16, f32, f64.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (of `output_type`, the extents in `shape`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.stateless_random_uniform_v2([3], [0], [0, 0], 1, dtype="f16")
        >>> drawn.ravel().tolist()
        [0.2080078125, 0.3876953125, 0.07421875]
    """
    return _native.draw(
        "tensorflow.StatelessRandomUniformV2",
        (dtype,),
        (shape, key, counter, alg),
        0,
        reading,
        out,
    )


def stateless_random_uniform_int_v2(
    shape: ArrayLike,
    key: ArrayLike,
    counter: ArrayLike,
    alg: ArrayLike,
    minval: ArrayLike,
    maxval: ArrayLike,
    *,
    dtype: DTypeLike,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """StatelessRandomUniformIntV2 (`tensorflow.StatelessRandomUniformIntV2`).

    Args:
        shape: The output's extents. Shape `[rank]`; i64, i32.
        key: The key. Shape `[1]`; u64.
        counter: The counter, the low half first. Shape `[2]`; u64.
        alg: 1 for Philox, 2 for ThreeFry, 3 for whichever suits the device. Shape `[]`; i32.
        minval: Lower bound, inclusive. Shape `[]`; of `dtype`.
        maxval: Upper bound, exclusive. Shape `[]`; of `dtype`.
        dtype: The output's element type. NumPy's type or our name: i32, i64, u32, u64.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (of `output_type`, the extents in `shape`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.stateless_random_uniform_int_v2([9], [0], [0, 0], 1, 0, 10, dtype="i32")
        >>> drawn.ravel()[:3].tolist()
        [1, 3, 8]
    """
    return _native.draw(
        "tensorflow.StatelessRandomUniformIntV2",
        (dtype,),
        (shape, key, counter, alg, minval, maxval),
        0,
        reading,
        out,
    )


def stateless_random_uniform_full_int_v2(
    shape: ArrayLike,
    key: ArrayLike,
    counter: ArrayLike,
    alg: ArrayLike,
    *,
    dtype: DTypeLike,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """StatelessRandomUniformFullIntV2 (`tensorflow.StatelessRandomUniformFullIntV2`).

    Args:
        shape: The output's extents. Shape `[rank]`; i64, i32.
        key: The key. Shape `[1]`; u64.
        counter: The counter, the low half first. Shape `[2]`; u64.
        alg: 1 for Philox, 2 for ThreeFry, 3 for whichever suits the device. Shape `[]`; i32.
        dtype: The output's element type. NumPy's type or our name: i32, i64, u32, u64.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (of `output_type`, the extents in `shape`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.stateless_random_uniform_full_int_v2([1], [0], [0, 0], 1, dtype="i32")
        >>> drawn.ravel().tolist()
        [1713891541]
    """
    return _native.draw(
        "tensorflow.StatelessRandomUniformFullIntV2",
        (dtype,),
        (shape, key, counter, alg),
        0,
        reading,
        out,
    )


def jax_key(
    *,
    impl: str,
    seed: int,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """jax.key (`jax.key`).

    Args:
        impl: The implementation of the key. One of threefry2x32, rbg, unsafe_rbg.
        seed: The seed, from -2^63 to 2^63 - 1.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (u32, [2] or [4]).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.jax_key(impl="threefry2x32", seed=0)
        >>> drawn.ravel().tolist()
        [0, 0]
    """
    return _native.draw(
        "jax.key",
        (impl, seed),
        (),
        0,
        reading,
        out,
    )


def jax_split(
    key: ArrayLike,
    *,
    impl: str,
    partitionable: bool = False,
    num: int,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """jax.split (`jax.split`).

    Args:
        key: The key. Shape `[2] or [4]`; u32.
        impl: The implementation of the key. One of threefry2x32, rbg, unsafe_rbg.
        partitionable: The flag `jax_threefry_partitionable`: each element has a counter of its own.
        num: How many keys are made.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (u32, `num` and the extents of `key`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.jax_split([4243900086, 61487255], impl="threefry2x32", partitionable=True, num=1)
        >>> drawn.ravel().tolist()
        [3049957041, 3194374610]
    """
    return _native.draw(
        "jax.split",
        (impl, partitionable, num),
        (key,),
        0,
        reading,
        out,
    )


def jax_fold_in(
    key: ArrayLike,
    *,
    impl: str,
    partitionable: bool = False,
    data: int,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """jax.fold_in (`jax.fold_in`).

    Args:
        key: The key. Shape `[2] or [4]`; u32.
        impl: The implementation of the key. One of threefry2x32, rbg, unsafe_rbg.
        partitionable: The flag `jax_threefry_partitionable`, which changes nothing here.
        data: The number, from 0 to 2^32 - 1.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (u32, the extents of `key`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.jax_fold_in([313141617, 0], impl="threefry2x32", partitionable=True, data=0)
        >>> drawn.ravel().tolist()
        [453071824, 2708245074]
    """
    return _native.draw(
        "jax.fold_in",
        (impl, partitionable, data),
        (key,),
        0,
        reading,
        out,
    )


def jax_bits(
    key: ArrayLike,
    *,
    impl: str,
    partitionable: bool = False,
    dtype: DTypeLike,
    output_sizes: Any,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """jax.bits (`jax.bits`).

    Args:
        key: The key. Shape `[2] or [4]`; u32.
        impl: The implementation of the key. One of threefry2x32, rbg, unsafe_rbg.
        partitionable: The flag `jax_threefry_partitionable`: each element has a counter of its own.
        dtype: The output's element type. NumPy's type or our name: u8, u16, u32, u64.
        output_sizes: The output's extents.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (of `output_type`, the extents in `output_sizes`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.jax_bits([4165894930, 804218099], impl="threefry2x32", partitionable=True, dtype="u32", output_sizes=[8])
        >>> drawn.ravel()[:3].tolist()
        [1214273199, 3384852239, 1707608394]
    """
    return _native.draw(
        "jax.bits",
        (impl, partitionable, dtype, output_sizes),
        (key,),
        0,
        reading,
        out,
    )


def jax_uniform(
    key: ArrayLike,
    minval: ArrayLike,
    maxval: ArrayLike,
    *,
    impl: str,
    partitionable: bool = False,
    dtype: DTypeLike,
    output_sizes: Any,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """jax.uniform (`jax.uniform`).

    Args:
        key: The key. Shape `[2] or [4]`; u32.
        minval: Lower bound, inclusive. Shape `[]`; of `dtype`.
        maxval: Upper bound, exclusive. Shape `[]`; of `dtype`.
        impl: The implementation of the key. One of threefry2x32, rbg, unsafe_rbg.
        partitionable: The flag `jax_threefry_partitionable`: each element has a counter of its own.
        dtype: The output's element type. NumPy's type or our name: f16, bf16, f32, f64.
        output_sizes: The output's extents.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (of `output_type`, the extents in `output_sizes`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.jax_uniform([0, 0], 0.0, 1.0, impl="threefry2x32", dtype="f32", output_sizes=[4])
        >>> drawn.ravel()[:3].tolist()
        [0.96532142162323, 0.2251589298248291, 0.6330299377441406]
    """
    return _native.draw(
        "jax.uniform",
        (impl, partitionable, dtype, output_sizes),
        (key, minval, maxval),
        0,
        reading,
        out,
    )


def jax_randint(
    key: ArrayLike,
    *,
    impl: str,
    partitionable: bool = False,
    dtype: DTypeLike,
    output_sizes: Any,
    minval: int,
    maxval: int,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """jax.randint (`jax.randint`).

    Args:
        key: The key. Shape `[2] or [4]`; u32.
        impl: The implementation of the key. One of threefry2x32, rbg, unsafe_rbg.
        partitionable: The flag `jax_threefry_partitionable`: each element has a counter of its own.
        dtype: The output's element type. NumPy's type or our name: i8, i16, i32, i64, u8, u16, u32, u64.
        output_sizes: The output's extents.
        minval: Lower bound, inclusive, from -2^63 to 2^63 - 1.
        maxval: Upper bound, exclusive, from -2^63 to 2^63 - 1.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (of `output_type`, the extents in `output_sizes`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.jax_randint([369178770, 3309983211], impl="threefry2x32", partitionable=True, dtype="i32", output_sizes=[8], minval=0, maxval=10)
        >>> drawn.ravel()[:3].tolist()
        [4, 6, 1]
    """
    return _native.draw(
        "jax.randint",
        (impl, partitionable, dtype, output_sizes, minval, maxval),
        (key,),
        0,
        reading,
        out,
    )


def jax_bernoulli(
    key: ArrayLike,
    p: ArrayLike,
    *,
    impl: str,
    partitionable: bool = False,
    output_sizes: Any,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """jax.bernoulli (`jax.bernoulli`).

    Args:
        key: The key. Shape `[2] or [4]`; u32.
        p: The probability of a one. Shape `[]`; f32.
        impl: The implementation of the key. One of threefry2x32, rbg, unsafe_rbg.
        partitionable: The flag `jax_threefry_partitionable`: each element has a counter of its own.
        output_sizes: The output's extents.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (u8, the extents in `output_sizes`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.jax_bernoulli([2493146227, 504487485], np.array(0.08749999850988388, np.float32), impl="threefry2x32", output_sizes=[1, 9])
        >>> drawn.ravel()[:3].tolist()
        [0, 0, 0]
    """
    return _native.draw(
        "jax.bernoulli",
        (impl, partitionable, output_sizes),
        (key, p),
        0,
        reading,
        out,
    )


def jax_permutation(
    key: ArrayLike,
    *,
    impl: str,
    partitionable: bool = False,
    n: int,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """jax.permutation (`jax.permutation`).

    Args:
        key: The key. Shape `[2] or [4]`; u32.
        impl: The implementation of the key. One of threefry2x32, rbg, unsafe_rbg.
        partitionable: The flag `jax_threefry_partitionable`: each element has a counter of its own.
        n: How many numbers there are; a negative number stands for 0.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (i64, [`n`]).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.jax_permutation([552427673, 1395216532], impl="threefry2x32", partitionable=True, n=1)
        >>> drawn.ravel().tolist()
        [0]
    """
    return _native.draw(
        "jax.permutation",
        (impl, partitionable, n),
        (key,),
        0,
        reading,
        out,
    )


def jax_normal(
    key: ArrayLike,
    *,
    impl: str,
    partitionable: bool = False,
    dtype: DTypeLike,
    output_sizes: Any,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """jax.normal (`jax.normal`).

    Args:
        key: The key. Shape `[2] or [4]`; u32.
        impl: The implementation of the key. One of threefry2x32, rbg, unsafe_rbg.
        partitionable: The flag `jax_threefry_partitionable`: each element has a counter of its own.
        dtype: The output's element type. NumPy's type or our name: f16, bf16, f32, f64.
        output_sizes: The output's extents.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (of `output_type`, the extents in `output_sizes`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.jax_normal([928981903, 3453687069], impl="threefry2x32", partitionable=True, dtype="f32", output_sizes=[8])
        >>> drawn.ravel()[:3].tolist()
        [-2.442455768585205, -2.0356805324554443, 0.20554423332214355]
    """
    return _native.draw(
        "jax.normal",
        (impl, partitionable, dtype, output_sizes),
        (key,),
        0,
        reading,
        out,
    )


def jax_gumbel(
    key: ArrayLike,
    *,
    impl: str,
    partitionable: bool = False,
    dtype: DTypeLike,
    output_sizes: Any,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """jax.gumbel (`jax.gumbel`).

    Args:
        key: The key. Shape `[2] or [4]`; u32.
        impl: The implementation of the key. One of threefry2x32, rbg, unsafe_rbg.
        partitionable: The flag `jax_threefry_partitionable`: each element has a counter of its own.
        dtype: The output's element type. NumPy's type or our name: f32.
        output_sizes: The output's extents.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (of `output_type`, the extents in `output_sizes`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.jax_gumbel([185123175, 3829869885], impl="threefry2x32", partitionable=True, dtype="f32", output_sizes=[3])
        >>> drawn.ravel().tolist()
        [0.6593454480171204, -0.26176148653030396, 1.0389459133148193]
    """
    return _native.draw(
        "jax.gumbel",
        (impl, partitionable, dtype, output_sizes),
        (key,),
        0,
        reading,
        out,
    )


def jax_categorical(
    key: ArrayLike,
    logits: ArrayLike,
    *,
    impl: str,
    partitionable: bool = False,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """jax.categorical (`jax.categorical`).

    Args:
        key: The key. Shape `[2] or [4]`; u32.
        logits: A logit for each class, along the last extent. Shape `[..., classes]`; f32.
        impl: The implementation of the key. One of threefry2x32, rbg, unsafe_rbg.
        partitionable: The flag `jax_threefry_partitionable`: each element has a counter of its own.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (i64, the extents of `logits` but the last).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.jax_categorical([0, 0], np.array([1.441749930381775, 2.7468223571777344, -0.026476949453353882, 0.3141654431819916, -0.9793297052383423, 0.1590927541255951, 0.8814883232116699], np.float32), impl="threefry2x32", partitionable=True)
        >>> drawn.ravel().tolist()
        [1]
    """
    return _native.draw(
        "jax.categorical",
        (impl, partitionable),
        (key, logits),
        0,
        reading,
        out,
    )


def onnx_random_uniform(
    low: ArrayLike,
    high: ArrayLike,
    seed: ArrayLike | None = None,
    offset: ArrayLike | None = None,
    *,
    dtype: DTypeLike,
    output_sizes: Any,
    generator: str | None = None,
    seed_int64: int | None = None,
    execution: int = 0,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """onnx.RandomUniform (`onnx.RandomUniform`).

    Args:
        low: Lower bound, inclusive. Shape `[]`; f32.
        high: Upper bound, exclusive. Shape `[]`; f32.
        seed: The seed of an implementation's own generator. Shape `[]`; f32.
        offset: Which stream of the key is drawn. Shape `[]`; i64.
        dtype: The output's element type. NumPy's type or our name: f16, bf16, f32, f64.
        output_sizes: The output's extents.
        generator: The generator; `unspecified` if it is left out. One of unspecified, philox4x32_10.
        seed_int64: The key of the generator, from -2^63 to 2^63 - 1.
        execution: Which successive execution of one op instance it is, from 0.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (of `output_type`, the extents in `output_sizes`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.onnx_random_uniform(np.array(0.0, np.float32), np.array(1.0, np.float32), dtype="f32", output_sizes=[3, 4], generator="philox4x32_10", seed_int64=42)
        >>> drawn.ravel()[:3].tolist()
        [0.6129598617553711, 0.4685865044593811, 0.07323169708251953]
    """
    return _native.draw(
        "onnx.RandomUniform",
        (dtype, output_sizes, generator, seed_int64),
        (low, high, seed, offset),
        execution,
        reading,
        out,
    )


def onnx_init_prng(
    seed: ArrayLike,
    *,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """onnx.InitPRNG (`onnx.InitPRNG`).

    Args:
        seed: The seed. Shape `[]`; i64.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `prng_state` (i64, [2]).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.onnx_init_prng(81985529216486895)
        >>> drawn.ravel().tolist()
        [19088743, 2309737967]
    """
    return _native.draw(
        "onnx.InitPRNG",
        (),
        (seed,),
        0,
        reading,
        out,
    )


def onnx_split_prng(
    prng_state: ArrayLike,
    data: ArrayLike | None = None,
    *,
    num_outputs: int,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """onnx.SplitPRNG (`onnx.SplitPRNG`).

    Args:
        prng_state: The state: two words of 32 bits, the high one of a seed first. Shape `[2]`; i64.
        data: A number for each state, which is its index if they are left out. Shape `[num_outputs]`; i64.
        num_outputs: How many states are made.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `split_prng_states` (i64, [`num_outputs`, 2]).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.onnx_split_prng([0, 0], num_outputs=2)
        >>> drawn.ravel()[:3].tolist()
        [1797259609, 2579123966, 928981903]
    """
    return _native.draw(
        "onnx.SplitPRNG",
        (num_outputs,),
        (prng_state, data),
        0,
        reading,
        out,
    )


def random_standard_normal(
    shape: ArrayLike,
    *,
    dtype: DTypeLike,
    seed: int = 0,
    seed2: int = 0,
    execution: int = 0,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """RandomStandardNormal (`tensorflow.RandomStandardNormal`).

    Args:
        shape: The output's extents. Shape `[rank]`; i32, i64.
        dtype: The output's element type. NumPy's type or our name: f16, bf16, f32, f64.
        seed: The seed that is the key; -1 is 2^64 - 1. From 0 to 2^64 - 1.
        seed2: The seed that is the high half of the counter. From 0 to 2^64 - 1.
        execution: Which successive execution of one op instance it is, from 0.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (of `output_type`, the extents in `shape`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.random_standard_normal([1, 1], dtype="f32", seed=16611596008261000617, seed2=20827)
        >>> drawn.ravel().tolist()
        [-1.2372379302978516]
    """
    return _native.draw(
        "tensorflow.RandomStandardNormal",
        (dtype, seed, seed2),
        (shape,),
        execution,
        reading,
        out,
    )


def truncated_normal(
    shape: ArrayLike,
    *,
    dtype: DTypeLike,
    seed: int = 0,
    seed2: int = 0,
    execution: int = 0,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """TruncatedNormal (`tensorflow.TruncatedNormal`).

    Args:
        shape: The output's extents. Shape `[rank]`; i32, i64.
        dtype: The output's element type. NumPy's type or our name: f16, bf16, f32, f64.
        seed: The seed that is the key; -1 is 2^64 - 1. From 0 to 2^64 - 1.
        seed2: The seed that is the high half of the counter. From 0 to 2^64 - 1.
        execution: Which successive execution of one op instance it is, from 0.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (of `output_type`, the extents in `shape`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.truncated_normal([8], dtype="f32", seed=36199, seed2=78655)
        >>> drawn.ravel()[:3].tolist()
        [-0.854868471622467, -1.0104265213012695, 1.6267077922821045]
    """
    return _native.draw(
        "tensorflow.TruncatedNormal",
        (dtype, seed, seed2),
        (shape,),
        execution,
        reading,
        out,
    )


def stateless_random_normal_v2(
    shape: ArrayLike,
    key: ArrayLike,
    counter: ArrayLike,
    alg: ArrayLike,
    *,
    dtype: DTypeLike,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """StatelessRandomNormalV2 (`tensorflow.StatelessRandomNormalV2`).

    Args:
        shape: The output's extents. Shape `[rank]`; i64, i32.
        key: The key. Shape `[1]`; u64.
        counter: The counter, the low half first. Shape `[2]`; u64.
        alg: 1 for Philox, 2 for ThreeFry, 3 for whichever suits the device. Shape `[]`; i32.
        dtype: The output's element type. NumPy's type or our name: f16, bf16, f32, f64.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (of `output_type`, the extents in `shape`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.stateless_random_normal_v2([2], [1673356646845739015], [18446744073709551614, 0], 1, dtype="f32")
        >>> drawn.ravel().tolist()
        [0.9567598700523376, -0.9796438813209534]
    """
    return _native.draw(
        "tensorflow.StatelessRandomNormalV2",
        (dtype,),
        (shape, key, counter, alg),
        0,
        reading,
        out,
    )


def stateless_truncated_normal_v2(
    shape: ArrayLike,
    key: ArrayLike,
    counter: ArrayLike,
    alg: ArrayLike,
    *,
    dtype: DTypeLike,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """StatelessTruncatedNormalV2 (`tensorflow.StatelessTruncatedNormalV2`).

    Args:
        shape: The output's extents. Shape `[rank]`; i64, i32.
        key: The key. Shape `[1]`; u64.
        counter: The counter, the low half first. Shape `[2]`; u64.
        alg: 1 for Philox, 2 for ThreeFry, 3 for whichever suits the device. Shape `[]`; i32.
        dtype: The output's element type. NumPy's type or our name: f16, bf16, f32, f64.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (of `output_type`, the extents in `shape`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.stateless_truncated_normal_v2([1], [12156002925471304653], [6951557653913534188, 0], 1, dtype="f32")
        >>> drawn.ravel().tolist()
        [1.2167750597000122]
    """
    return _native.draw(
        "tensorflow.StatelessTruncatedNormalV2",
        (dtype,),
        (shape, key, counter, alg),
        0,
        reading,
        out,
    )


def normal_(
    mean: ArrayLike,
    std: ArrayLike,
    *,
    dtype: DTypeLike,
    output_sizes: Any,
    seed: int = 0,
    execution: int = 0,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """normal_ (`torch.normal_`).

    Args:
        mean: The mean. Shape `[]`; f64.
        std: The standard deviation, which is not negative. Shape `[]`; f64.
        dtype: The output's element type. NumPy's type or our name: f16, bf16, f32, f64.
        output_sizes: The output's extents.
        seed: The generator's seed, of which MT19937 takes the low 32 bits. From 0 to 2^64 - 1.
        execution: Which successive execution of one op instance it is, from 0.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (of `output_type`, the extents in `output_sizes`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.normal_(np.array(1.1, np.float64), np.array(2.3, np.float64), dtype="f32", output_sizes=[1], seed=4865275960760113798)
        >>> drawn.ravel().tolist()
        [-2.8872263431549072]
    """
    return _native.draw(
        "torch.normal_",
        (dtype, output_sizes, seed),
        (mean, std),
        execution,
        reading,
        out,
    )


def philox_normal(
    key: ArrayLike,
    mean: ArrayLike,
    std: ArrayLike,
    *,
    dtype: DTypeLike,
    output_sizes: Any,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """philox_normal (`torch.philox_normal`).

    Args:
        key: Seed and offset, or a batch of them. Shape `[..., 2]`; u64.
        mean: The mean. Shape `[]`; f64.
        std: The standard deviation; any number. Shape `[]`; f64.
        dtype: The output's element type. NumPy's type or our name: f16, bf16, f32, f64.
        output_sizes: The output's extents.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (of `output_type`, the extents in `output_sizes`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.philox_normal([0, 1808481918937479319], np.array(3.0, np.float64), np.array(0.0, np.float64), dtype="f32", output_sizes=[2, 3])
        >>> drawn.ravel()[:3].tolist()
        [3.0, 3.0, 3.0]
    """
    return _native.draw(
        "torch.philox_normal",
        (dtype, output_sizes),
        (key, mean, std),
        0,
        reading,
        out,
    )


def vllm_murmur3_uniform(
    seed: ArrayLike,
    pos: ArrayLike,
    *,
    dtype: DTypeLike,
    num: int,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """vllm.murmur3_uniform (`vllm.murmur3_uniform`).

    Args:
        seed: The seed of the request. Shape `[]`; i64.
        pos: The position of the token in its sequence. Shape `[]`; i64.
        dtype: The output's element type. NumPy's type or our name: f32, f64.
        num: How many tokens there are.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (of `output_type`, [`num`]).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.vllm_murmur3_uniform(-8123443808418655643, 3341, dtype="f64", num=1)
        >>> drawn.ravel().tolist()
        [0.31483573420840477]
    """
    return _native.draw(
        "vllm.murmur3_uniform",
        (dtype, num),
        (seed, pos),
        0,
        reading,
        out,
    )


def vllm_gumbel_sample(
    logits: ArrayLike,
    temperature: ArrayLike,
    seed: ArrayLike,
    pos: ArrayLike,
    *,
    use_fp64: bool = False,
    is_drafting: bool = False,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """vllm.gumbel_sample (`vllm.gumbel_sample`).

    Args:
        logits: A row of logits for each token. Shape `[n, vocab]`; f32.
        temperature: By what a row is divided; 0 takes the greatest logit. Shape `[n]`; f32.
        seed: The seed of each row. Shape `[n]`; i64.
        pos: The position of each row's token in its sequence. Shape `[n]`; i64.
        use_fp64: Whether scores are f64.
        is_drafting: Whether the tokens are proposals, which have noise of their own.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (i64, [n]).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.vllm_gumbel_sample(np.array([[-0.21645182371139526, 0.2593430280685425], [-2.7876014709472656, -1.1887568235397339]], np.float32), np.array([1.0, 0.0], np.float32), [-6315115750233768563, 7809931166722285860], [73691, 53475])
        >>> drawn.ravel().tolist()
        [1, 1]
    """
    return _native.draw(
        "vllm.gumbel_sample",
        (use_fp64, is_drafting),
        (logits, temperature, seed, pos),
        0,
        reading,
        out,
    )


def sglang_murmur_hash32(
    seed: ArrayLike,
    positions: ArrayLike,
    *,
    num_cols: int,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """sglang.murmur_hash32 (`sglang.murmur_hash32`).

    Args:
        seed: The seed of each row. Shape `[n]`; u64.
        positions: The position of each row's token in its sequence. Shape `[n]`; i64.
        num_cols: How many tokens there are.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (u32, [n, `num_cols`]).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.sglang_murmur_hash32([10215905837238169072, 399858328697625643], [3813441137, 511291102], num_cols=5)
        >>> drawn.ravel()[:3].tolist()
        [898465252, 3606713869, 224307539]
    """
    return _native.draw(
        "sglang.murmur_hash32",
        (num_cols,),
        (seed, positions),
        0,
        reading,
        out,
    )


def sglang_multinomial_with_seed(
    logprobs: ArrayLike,
    seed: ArrayLike,
    positions: ArrayLike,
    *,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """sglang.multinomial_with_seed (`sglang.multinomial_with_seed`).

    Args:
        logprobs: A row of logarithms of probabilities for each token. Shape `[n, vocab]`; f32.
        seed: The seed of each row. Shape `[n]`; i64.
        positions: The position of each row's token in its sequence. Shape `[n]`; i64.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (i64, [n, 1]).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.sglang_multinomial_with_seed(np.array([[-1.1188737154006958, -2.223396062850952, -1.9146292209625244, -3.3540210723876953, -4.090391159057617, -1.070971131324768, -3.7565865516662598]], np.float32), [3473048559387619808], [76835])
        >>> drawn.ravel().tolist()
        [0]
    """
    return _native.draw(
        "sglang.multinomial_with_seed",
        (),
        (logprobs, seed, positions),
        0,
        reading,
        out,
    )


def triton_rand(
    seed: ArrayLike,
    offset: ArrayLike,
    *,
    num: int,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """triton.rand (`triton.rand`).

    Args:
        seed: The seed. Shape `[]`; i64.
        offset: The first offset. Shape `[]`; i64.
        num: How many offsets there are.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (f32, [`num`]).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.triton_rand(5441885541857103802, 1651539035, num=1)
        >>> drawn.ravel().tolist()
        [0.6435441970825195]
    """
    return _native.draw(
        "triton.rand",
        (num,),
        (seed, offset),
        0,
        reading,
        out,
    )


def triton_randint(
    seed: ArrayLike,
    offset: ArrayLike,
    *,
    num: int,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """triton.randint (`triton.randint`).

    Args:
        seed: The seed. Shape `[]`; i64.
        offset: The first offset. Shape `[]`; i64.
        num: How many offsets there are.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (u32, [`num`]).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.triton_randint(5947045093962246618, 4294967293, num=7)
        >>> drawn.ravel()[:3].tolist()
        [1051922292, 1611105638, 99722460]
    """
    return _native.draw(
        "triton.randint",
        (num,),
        (seed, offset),
        0,
        reading,
        out,
    )


def inductor_randint(
    seed: ArrayLike,
    *,
    output_sizes: Any,
    low: int,
    high: int,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """inductor.randint (`inductor.randint`).

    Args:
        seed: The seed, whose low 32 bits count. Shape `[]`; i64.
        output_sizes: The output's extents.
        low: Lower bound, inclusive.
        high: Upper bound, exclusive.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (i64, the extents in `output_sizes`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.inductor_randint(-1713386846590386991, output_sizes=[7], low=-82, high=-80)
        >>> drawn.ravel()[:3].tolist()
        [-81, -82, -81]
    """
    return _native.draw(
        "inductor.randint",
        (output_sizes, low, high),
        (seed,),
        0,
        reading,
        out,
    )


def inductor_random(
    seed: ArrayLike,
    *,
    mode: str,
    output_sizes: Any,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """inductor.random (`inductor.random`).

    Args:
        seed: The seed, whose low 32 bits count. Shape `[]`; i64.
        mode: What is drawn. One of rand, randn.
        output_sizes: The output's extents.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (f32, the extents in `output_sizes`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.inductor_random(214808013554052315, mode="rand", output_sizes=[1])
        >>> drawn.ravel().tolist()
        [0.670862078666687]
    """
    return _native.draw(
        "inductor.random",
        (mode, output_sizes),
        (seed,),
        0,
        reading,
        out,
    )


def torch_bernoulli(
    p: ArrayLike,
    *,
    seed: int = 0,
    execution: int = 0,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """torch.bernoulli (`torch.bernoulli`).

    Args:
        p: The probability of each element. Shape `any`; f32, f16, bf16, f64.
        seed: The seed of the generator. From 0 to 2^64 - 1.
        execution: Which successive execution of one op instance it is, from 0.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (as `p`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.torch_bernoulli(np.array([1.0, 0.4999857544898987, 0.25605976581573486, 0.5, 0.0, 0.25, 0.25], np.float32))
        >>> drawn.ravel()[:3].tolist()
        [1.0, 0.0, 1.0]
    """
    return _native.draw(
        "torch.bernoulli",
        (seed,),
        (p,),
        execution,
        reading,
        out,
    )


def torch_bernoulli_(
    p: ArrayLike,
    *,
    dtype: DTypeLike,
    output_sizes: Any,
    seed: int = 0,
    execution: int = 0,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """torch.bernoulli_ (`torch.bernoulli_`).

    Args:
        p: The probability of a one. Shape `[]`; f64.
        dtype: The output's element type. NumPy's type or our name: f16, bf16, f32, f64, i64, u8.
        output_sizes: The output's extents.
        seed: The seed of the generator. From 0 to 2^64 - 1.
        execution: Which successive execution of one op instance it is, from 0.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (of `output_type`, the extents in `output_sizes`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.torch_bernoulli_(np.array(0.5, np.float64), dtype="f32", output_sizes=[9])
        >>> drawn.ravel()[:3].tolist()
        [0.0, 0.0, 1.0]
    """
    return _native.draw(
        "torch.bernoulli_",
        (dtype, output_sizes, seed),
        (p,),
        execution,
        reading,
        out,
    )


def torch_dropout(
    input: ArrayLike,
    p: ArrayLike,
    *,
    seed: int = 0,
    execution: int = 0,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """torch.dropout (`torch.dropout`).

    Args:
        input: What is dropped or scaled. Shape `any`; f32, f16, bf16, f64.
        p: The probability that an element is dropped. Shape `[]`; f64.
        seed: The seed of the generator. From 0 to 2^64 - 1.
        execution: Which successive execution of one op instance it is, from 0.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (as `input`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.torch_dropout(np.array([-1.5310477018356323, 1.4371845722198486, -0.4155651330947876, 0.06675774604082108, 0.06309033185243607], np.float32), np.array(0.3, np.float64), seed=10298356508384469029)
        >>> drawn.ravel()[:3].tolist()
        [-2.187211036682129, 2.0531208515167236, -0.5936644673347473]
    """
    return _native.draw(
        "torch.dropout",
        (seed,),
        (input, p),
        execution,
        reading,
        out,
    )


def torch_randperm(
    *,
    dtype: DTypeLike,
    n: int,
    seed: int = 0,
    execution: int = 0,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """torch.randperm (`torch.randperm`).

    Args:
        dtype: The output's element type. NumPy's type or our name: i32, i64.
        n: How many numbers are permuted.
        seed: The seed of the generator. From 0 to 2^64 - 1.
        execution: Which successive execution of one op instance it is, from 0.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (of `output_type`, [`n`]).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.torch_randperm(dtype="i32", n=2, seed=1828171530)
        >>> drawn.ravel().tolist()
        [0, 1]
    """
    return _native.draw(
        "torch.randperm",
        (dtype, n, seed),
        (),
        execution,
        reading,
        out,
    )


def torch_multinomial(
    weights: ArrayLike,
    *,
    num_samples: int,
    replacement: bool = False,
    seed: int = 0,
    execution: int = 0,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """torch.multinomial (`torch.multinomial`).

    Args:
        weights: A row of weights, or several. Shape `[classes] or [batch, classes]`; f32, f16, bf16, f64.
        num_samples: How many classes are drawn in each row.
        replacement: Whether a class may be drawn more than once.
        seed: The seed of the generator. From 0 to 2^64 - 1.
        execution: Which successive execution of one op instance it is, from 0.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (i64, [`num_samples`] or [batch, `num_samples`]).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.torch_multinomial(np.array([[0.1864714073437539, 0.7143884119988408, 0.16918271621646264], [0.5129494121546262, 0.8556191063740983, 0.39742960496724555]], np.float64), num_samples=2, seed=16526964735451594753)
        >>> drawn.ravel()[:3].tolist()
        [0, 1, 2]
    """
    return _native.draw(
        "torch.multinomial",
        (num_samples, replacement, seed),
        (weights,),
        execution,
        reading,
        out,
    )


def torch_exponential_(
    lambd: ArrayLike,
    *,
    dtype: DTypeLike,
    output_sizes: Any,
    seed: int = 0,
    execution: int = 0,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """torch.exponential_ (`torch.exponential_`).

    Args:
        lambd: The rate. Shape `[]`; f64.
        dtype: The output's element type. NumPy's type or our name: f16, bf16, f32, f64.
        output_sizes: The output's extents.
        seed: The seed of the generator. From 0 to 2^64 - 1.
        execution: Which successive execution of one op instance it is, from 0.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (of `output_type`, the extents in `output_sizes`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.torch_exponential_(np.array(0.5, np.float64), dtype="f32", output_sizes=[1], seed=16118635)
        >>> drawn.ravel().tolist()
        [0.25421369075775146]
    """
    return _native.draw(
        "torch.exponential_",
        (dtype, output_sizes, seed),
        (lambd,),
        execution,
        reading,
        out,
    )


def curand_philox4_32_10(
    mean: ArrayLike | None = None,
    stddev: ArrayLike | None = None,
    *,
    distribution: str,
    dtype: DTypeLike,
    num: int,
    seed: int = 0,
    offset: int = 0,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """curand.Philox4_32_10 (`curand.Philox4_32_10`).

    Args:
        mean: The mean of normals; 0 if it is left out. Shape `[]`; of `dtype`.
        stddev: Their standard deviation, any number; 1 if it is left out. Shape `[]`; of `dtype`.
        distribution: What is drawn. One of bits, uniform, normal.
        dtype: The output's element type: u32 for bits, f32 or f64 for the others. NumPy's type or our name: u32, f32, f64.
        num: How many elements there are.
        seed: The seed, which is the key. From 0 to 2^64 - 1.
        offset: How many outputs of the generator come before these. From 0 to 2^64 - 1.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (of `output_type`, [`num`]).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.curand_philox4_32_10(distribution="bits", dtype="u32", num=8, seed=7413702201216388670, offset=8)
        >>> drawn.ravel()[:3].tolist()
        [1700608847, 2288924903, 3254014873]
    """
    return _native.draw(
        "curand.Philox4_32_10",
        (distribution, dtype, num, seed, offset),
        (mean, stddev),
        0,
        reading,
        out,
    )


def litert_random_uniform(
    shape: ArrayLike,
    *,
    seed: int = 0,
    seed2: int = 0,
    execution: int = 0,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """litert.RANDOM_UNIFORM (`litert.RANDOM_UNIFORM`).

    Args:
        shape: The output's extents. Shape `[rank]`; i32.
        seed: The seed that is the key, of which the low 32 bits count. From 0 to 2^64 - 1.
        seed2: The seed that is the high half of the counter, of which the low 32 bits count. From 0 to 2^64 - 1.
        execution: Which successive execution of one op instance it is, from 0.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (f32, the extents in `shape`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.litert_random_uniform([1], seed=2306168453, seed2=9964088781535290291)
        >>> drawn.ravel().tolist()
        [0.9184521436691284]
    """
    return _native.draw(
        "litert.RANDOM_UNIFORM",
        (seed, seed2),
        (shape,),
        execution,
        reading,
        out,
    )


def litert_random_standard_normal(
    shape: ArrayLike,
    *,
    seed: int = 0,
    seed2: int = 0,
    execution: int = 0,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """litert.RANDOM_STANDARD_NORMAL (`litert.RANDOM_STANDARD_NORMAL`).

    Args:
        shape: The output's extents. Shape `[rank]`; i32.
        seed: The seed that is the key, of which the low 32 bits count. From 0 to 2^64 - 1.
        seed2: The seed that is the high half of the counter, of which the low 32 bits count. From 0 to 2^64 - 1.
        execution: Which successive execution of one op instance it is, from 0.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (f32, the extents in `shape`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.litert_random_standard_normal([5], seed=4279373238, seed2=10342049863898764177)
        >>> drawn.ravel()[:3].tolist()
        [-1.0299386978149414, 1.3455950021743774, 1.348924994468689]
    """
    return _native.draw(
        "litert.RANDOM_STANDARD_NORMAL",
        (seed, seed2),
        (shape,),
        execution,
        reading,
        out,
    )


def onnx_random_normal(
    mean: ArrayLike,
    scale: ArrayLike,
    seed: ArrayLike | None = None,
    *,
    dtype: DTypeLike,
    output_sizes: Any,
    execution: int = 0,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """onnx.RandomNormal (`onnx.RandomNormal`).

    Args:
        mean: The mean. Shape `[]`; f32.
        scale: The standard deviation. Shape `[]`; f32.
        seed: The seed, of which nothing repeats if it is left out. Shape `[]`; f32.
        dtype: The output's element type. NumPy's type or our name: f32, f16, bf16, f64.
        output_sizes: The output's extents.
        execution: Which successive execution of one op instance it is, from 0.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (of `output_type`, the extents in `output_sizes`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.onnx_random_normal(np.array(0.0, np.float32), np.array(1.0, np.float32), seed=np.array(7151.0, np.float32), dtype="f32", output_sizes=[7], reading="onnx-reference-1.23")
        >>> drawn.ravel()[:3].tolist()
        [0.40856513381004333, -0.6434378623962402, 0.12609760463237762]
    """
    return _native.draw(
        "onnx.RandomNormal",
        (dtype, output_sizes),
        (mean, scale, seed),
        execution,
        reading,
        out,
    )


def onnx_random_uniform_like(
    input: ArrayLike,
    low: ArrayLike,
    high: ArrayLike,
    seed: ArrayLike | None = None,
    *,
    dtype: DTypeLike | None = None,
    execution: int = 0,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """onnx.RandomUniformLike (`onnx.RandomUniformLike`).

    Args:
        input: What has the output's extents. Shape `any`; f32, f16, bf16, f64, i8, i16, i32, i64, u8, u16, u32, u64.
        low: Lower bound, inclusive. Shape `[]`; f32.
        high: Upper bound, exclusive. Shape `[]`; f32.
        seed: The seed, of which nothing repeats if it is left out. Shape `[]`; f32.
        dtype: The output's element type; by default the input's. NumPy's type or our name: f32, f16, bf16, f64.
        execution: Which successive execution of one op instance it is, from 0.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (of `output_type` or as `input`, the extents of `input`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.onnx_random_uniform_like(np.array([0.3688384516244639, 0.8092537999282418], np.float64), np.array(0.0, np.float32), np.array(1.0, np.float32), seed=np.array(7501230.0, np.float32), dtype="f64", reading="onnx-reference-1.23")
        >>> drawn.ravel().tolist()
        [0.9463490599969836, 0.6366198742049979]
    """
    return _native.draw(
        "onnx.RandomUniformLike",
        (dtype,),
        (input, low, high, seed),
        execution,
        reading,
        out,
    )


def onnx_random_normal_like(
    input: ArrayLike,
    mean: ArrayLike,
    scale: ArrayLike,
    seed: ArrayLike | None = None,
    *,
    dtype: DTypeLike | None = None,
    execution: int = 0,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """onnx.RandomNormalLike (`onnx.RandomNormalLike`).

    Args:
        input: What has the output's extents. Shape `any`; f32, f16, bf16, f64, i8, i16, i32, i64, u8, u16, u32, u64.
        mean: The mean. Shape `[]`; f32.
        scale: The standard deviation. Shape `[]`; f32.
        seed: The seed, of which nothing repeats if it is left out. Shape `[]`; f32.
        dtype: The output's element type; by default the input's. NumPy's type or our name: f32, f16, bf16, f64.
        execution: Which successive execution of one op instance it is, from 0.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (of `output_type` or as `input`, the extents of `input`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.onnx_random_normal_like(np.array([1.544282078742981, -0.14899739623069763, -0.7378398180007935, 0.06261029839515686, 1.1325417757034302, 0.3470292389392853, 1.0365849733352661], np.float32), np.array(1.100000023841858, np.float32), np.array(2.299999952316284, np.float32), seed=np.array(10369160.0, np.float32), reading="onnx-reference-1.23")
        >>> drawn.ravel()[:3].tolist()
        [-0.8756494522094727, -2.9770421981811523, -0.09733617305755615]
    """
    return _native.draw(
        "onnx.RandomNormalLike",
        (dtype,),
        (input, mean, scale, seed),
        execution,
        reading,
        out,
    )


def onnx_bernoulli(
    input: ArrayLike,
    seed: ArrayLike | None = None,
    *,
    dtype: DTypeLike | None = None,
    execution: int = 0,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """onnx.Bernoulli (`onnx.Bernoulli`).

    Args:
        input: The probability of each element. Shape `any`; f32, f16, bf16, f64.
        seed: The seed, of which nothing repeats if it is left out. Shape `[]`; f32.
        dtype: The output's element type; by default the input's. NumPy's type or our name: u8, u16, u32, u64, i8, i16, i32, i64, f16, bf16, f32, f64.
        execution: Which successive execution of one op instance it is, from 0.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (of `output_type` or as `input`, the extents of `input`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.onnx_bernoulli(np.array([0.3887488543987274, 0.30510562658309937, 0.8796557188034058], np.float32), seed=np.array(1851395.0, np.float32), dtype="f64", reading="onnx-reference-1.23")
        >>> drawn.ravel().tolist()
        [0.0, 1.0, 1.0]
    """
    return _native.draw(
        "onnx.Bernoulli",
        (dtype,),
        (input, seed),
        execution,
        reading,
        out,
    )


def onnx_multinomial(
    input: ArrayLike,
    seed: ArrayLike | None = None,
    *,
    dtype: DTypeLike,
    sample_size: int,
    execution: int = 0,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """onnx.Multinomial (`onnx.Multinomial`).

    Args:
        input: The logarithms of the classes' weights, which need not be normalized. Shape `[batch, classes]`; f32, f16, f64.
        seed: The seed, of which nothing repeats if it is left out. Shape `[]`; f32.
        dtype: The output's element type. NumPy's type or our name: i32, i64.
        sample_size: How many classes are drawn in each row.
        execution: Which successive execution of one op instance it is, from 0.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (of `output_type`, [batch, `sample_size`]).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.onnx_multinomial(np.array([[-0.451416015625, -0.61865234375, 0.8291015625], [0.3955078125, -1.169921875, 0.123291015625], [0.463623046875, 0.1446533203125, -0.0921630859375]], np.float16), seed=np.array(5091.82763671875, np.float32), dtype="i64", sample_size=2, reading="onnxruntime-1.31")
        >>> drawn.ravel()[:3].tolist()
        [2, 2, 2]
    """
    return _native.draw(
        "onnx.Multinomial",
        (dtype, sample_size),
        (input, seed),
        execution,
        reading,
        out,
    )


def torch_cuda_uniform_(
    from_: ArrayLike,
    to: ArrayLike,
    *,
    dtype: DTypeLike,
    output_sizes: Any,
    seed: int = 0,
    offset: int,
    multiprocessors: int,
    threads_per_multiprocessor: int,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """torch_cuda.uniform_ (`torch_cuda.uniform_`).

    Args:
        from_: The lower bound, inclusive. Shape `[]`; f64.
        to: The upper bound, exclusive. Shape `[]`; f64.
        dtype: The output's element type. NumPy's type or our name: f32, f16, bf16, f64.
        output_sizes: The output's extents.
        seed: The generator's seed, which is the key. From 0 to 2^64 - 1.
        offset: The generator's offset at the call: a multiple of 4.
        multiprocessors: The card's multiprocessors: 132 for an H100 SXM.
        threads_per_multiprocessor: Threads that one of them holds: 2048, 1536 or 1024.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (of `output_type`, the extents in `output_sizes`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.torch_cuda_uniform_(np.array(0.0, np.float64), np.array(1.0, np.float64), dtype="f16", output_sizes=[1], seed=1, offset=4, multiprocessors=132, threads_per_multiprocessor=2048)
        >>> drawn.ravel().tolist()
        [0.671875]
    """
    return _native.draw(
        "torch_cuda.uniform_",
        (dtype, output_sizes, seed, offset, multiprocessors, threads_per_multiprocessor),
        (from_, to),
        0,
        reading,
        out,
    )


def torch_cuda_random_(
    *,
    dtype: DTypeLike,
    output_sizes: Any,
    seed: int = 0,
    offset: int,
    multiprocessors: int,
    threads_per_multiprocessor: int,
    from_: int | None = None,
    to: int | None = None,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """torch_cuda.random_ (`torch_cuda.random_`).

    Args:
        dtype: The output's element type. NumPy's type or our name: i64, i32, i16, i8, u8.
        output_sizes: The output's extents.
        seed: The generator's seed, which is the key. From 0 to 2^64 - 1.
        offset: The generator's offset at the call: a multiple of 4.
        multiprocessors: The card's multiprocessors: 132 for an H100 SXM.
        threads_per_multiprocessor: Threads that one of them holds: 2048, 1536 or 1024.
        from_: The lower bound, inclusive; zero if `to` alone is there.
        to: The upper bound, exclusive; one past the greatest number of the type if `from` alone is there.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (of `output_type`, the extents in `output_sizes`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.torch_cuda_random_(dtype="i8", output_sizes=[5], seed=42, offset=0, multiprocessors=132, threads_per_multiprocessor=2048)
        >>> drawn.ravel()[:3].tolist()
        [83, 105, 38]
    """
    return _native.draw(
        "torch_cuda.random_",
        (dtype, output_sizes, seed, offset, multiprocessors, threads_per_multiprocessor, from_, to),
        (),
        0,
        reading,
        out,
    )


def torch_cuda_bernoulli_(
    p: ArrayLike,
    *,
    dtype: DTypeLike,
    output_sizes: Any,
    seed: int = 0,
    offset: int,
    multiprocessors: int,
    threads_per_multiprocessor: int,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """torch_cuda.bernoulli_ (`torch_cuda.bernoulli_`).

    Args:
        p: The probability of a one. Shape `[]`; f64.
        dtype: The output's element type. NumPy's type or our name: f32, f16, bf16, f64, i64, u8.
        output_sizes: The output's extents.
        seed: The generator's seed, which is the key. From 0 to 2^64 - 1.
        offset: The generator's offset at the call: a multiple of 4.
        multiprocessors: The card's multiprocessors: 132 for an H100 SXM.
        threads_per_multiprocessor: Threads that one of them holds: 2048, 1536 or 1024.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (of `output_type`, the extents in `output_sizes`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.torch_cuda_bernoulli_(np.array(0.0, np.float64), dtype="u8", output_sizes=[9], seed=42, offset=0, multiprocessors=1, threads_per_multiprocessor=256)
        >>> drawn.ravel()[:3].tolist()
        [0, 0, 0]
    """
    return _native.draw(
        "torch_cuda.bernoulli_",
        (dtype, output_sizes, seed, offset, multiprocessors, threads_per_multiprocessor),
        (p,),
        0,
        reading,
        out,
    )


def torch_cuda_normal_(
    mean: ArrayLike,
    std: ArrayLike,
    *,
    dtype: DTypeLike,
    output_sizes: Any,
    seed: int = 0,
    offset: int,
    multiprocessors: int,
    threads_per_multiprocessor: int,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """torch_cuda.normal_ (`torch_cuda.normal_`).

    Args:
        mean: The mean. Shape `[]`; f64.
        std: The standard deviation, which is not negative. Shape `[]`; f64.
        dtype: The output's element type. NumPy's type or our name: f32, f16, bf16, f64.
        output_sizes: The output's extents.
        seed: The generator's seed, which is the key. From 0 to 2^64 - 1.
        offset: The generator's offset at the call: a multiple of 4.
        multiprocessors: The card's multiprocessors: 132 for an H100 SXM.
        threads_per_multiprocessor: Threads that one of them holds: 2048, 1536 or 1024.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (of `output_type`, the extents in `output_sizes`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.torch_cuda_normal_(np.array(0.0, np.float64), np.array(1.0, np.float64), dtype="f16", output_sizes=[5], offset=0, multiprocessors=132, threads_per_multiprocessor=2048)
        >>> drawn.ravel()[:3].tolist()
        [-0.9248046875, -0.42529296875, -2.64453125]
    """
    return _native.draw(
        "torch_cuda.normal_",
        (dtype, output_sizes, seed, offset, multiprocessors, threads_per_multiprocessor),
        (mean, std),
        0,
        reading,
        out,
    )


def numpy_random(
    *,
    bit_generator: str,
    seed: int,
    dtype: DTypeLike,
    output_sizes: Any,
    execution: int = 0,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """numpy.random (`numpy.random`).

    Args:
        bit_generator: The bit generator. One of PCG64, PCG64DXSM, Philox, SFC64, MT19937.
        seed: The seed, from 0 to 2^127 - 1.
        dtype: The output's element type. NumPy's type or our name: f32, f64.
        output_sizes: The output's extents.
        execution: Which successive execution of one op instance it is, from 0.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (of `output_type`, the extents in `output_sizes`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.numpy_random(bit_generator="PCG64", seed=561, dtype="f64", output_sizes=[1])
        >>> drawn.ravel().tolist()
        [0.699806260460309]
    """
    return _native.draw(
        "numpy.random",
        (bit_generator, seed, dtype, output_sizes),
        (),
        execution,
        reading,
        out,
    )


def numpy_integers(
    *,
    bit_generator: str,
    seed: int,
    dtype: DTypeLike,
    output_sizes: Any,
    low: int,
    high: int,
    execution: int = 0,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """numpy.integers (`numpy.integers`).

    Args:
        bit_generator: The bit generator. One of PCG64, PCG64DXSM, Philox, SFC64, MT19937.
        seed: The seed, from 0 to 2^127 - 1.
        dtype: The output's element type. NumPy's type or our name: i8, i16, i32, i64, u8, u16, u32, u64.
        output_sizes: The output's extents.
        low: Lower bound, inclusive.
        high: Upper bound, exclusive: at most one more than the greatest number of the type.
        execution: Which successive execution of one op instance it is, from 0.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (of `output_type`, the extents in `output_sizes`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.numpy_integers(bit_generator="Philox", seed=722031084, dtype="i64", output_sizes=[1], low=3, high=10)
        >>> drawn.ravel().tolist()
        [8]
    """
    return _native.draw(
        "numpy.integers",
        (bit_generator, seed, dtype, output_sizes, low, high),
        (),
        execution,
        reading,
        out,
    )


def numpy_permutation(
    *,
    bit_generator: str,
    seed: int,
    n: int,
    execution: int = 0,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """numpy.permutation (`numpy.permutation`).

    Args:
        bit_generator: The bit generator. One of PCG64, PCG64DXSM, Philox, SFC64, MT19937.
        seed: The seed, from 0 to 2^127 - 1.
        n: How many numbers there are; a negative number stands for 0.
        execution: Which successive execution of one op instance it is, from 0.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (i64, [`n`]).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.numpy_permutation(bit_generator="MT19937", seed=2365351705, n=1)
        >>> drawn.ravel().tolist()
        [0]
    """
    return _native.draw(
        "numpy.permutation",
        (bit_generator, seed, n),
        (),
        execution,
        reading,
        out,
    )


def numpy_random_state_rand(
    *,
    seed: int,
    seed_words: int | None = None,
    output_sizes: Any,
    execution: int = 0,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """numpy.RandomState.rand (`numpy.RandomState.rand`).

    Args:
        seed: The seed: a word, or the words of a list of `seed_words`, the lowest first.
        seed_words: How many words of 32 bits the seed has as a list; where it is absent, the seed is a number.
        output_sizes: The output's extents.
        execution: Which successive execution of one op instance it is, from 0.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (f64, the extents in `output_sizes`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.numpy_random_state_rand(seed=14028002272983218757285445632, seed_words=3, output_sizes=[5])
        >>> drawn.ravel()[:3].tolist()
        [0.6818751712894449, 0.07966235030955737, 0.6865480450755846]
    """
    return _native.draw(
        "numpy.RandomState.rand",
        (seed, seed_words, output_sizes),
        (),
        execution,
        reading,
        out,
    )


def numpy_random_state_randn(
    *,
    seed: int,
    seed_words: int | None = None,
    output_sizes: Any,
    execution: int = 0,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """numpy.RandomState.randn (`numpy.RandomState.randn`).

    Args:
        seed: The seed: a word, or the words of a list of `seed_words`, the lowest first.
        seed_words: How many words of 32 bits the seed has as a list; where it is absent, the seed is a number.
        output_sizes: The output's extents.
        execution: Which successive execution of one op instance it is, from 0.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (f64, the extents in `output_sizes`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.numpy_random_state_randn(seed=0, output_sizes=[8])
        >>> drawn.ravel()[:3].tolist()
        [1.764052345967664, 0.4001572083672233, 0.9787379841057392]
    """
    return _native.draw(
        "numpy.RandomState.randn",
        (seed, seed_words, output_sizes),
        (),
        execution,
        reading,
        out,
    )


def numpy_random_state_randint(
    *,
    seed: int,
    seed_words: int | None = None,
    dtype: DTypeLike,
    output_sizes: Any,
    low: int,
    high: int,
    execution: int = 0,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """numpy.RandomState.randint (`numpy.RandomState.randint`).

    Args:
        seed: The seed: a word, or the words of a list of `seed_words`, the lowest first.
        seed_words: How many words of 32 bits the seed has as a list; where it is absent, the seed is a number.
        dtype: The output's element type. NumPy's type or our name: i8, i16, i32, i64, u8, u16, u32, u64.
        output_sizes: The output's extents.
        low: Lower bound, inclusive.
        high: Upper bound, exclusive: at most one more than the greatest number of the type.
        execution: Which successive execution of one op instance it is, from 0.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (of `output_type`, the extents in `output_sizes`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.numpy_random_state_randint(seed=3303764786, dtype="i8", output_sizes=[5], low=-128, high=128)
        >>> drawn.ravel()[:3].tolist()
        [40, -81, -103]
    """
    return _native.draw(
        "numpy.RandomState.randint",
        (seed, seed_words, dtype, output_sizes, low, high),
        (),
        execution,
        reading,
        out,
    )


def numpy_random_state_permutation(
    *,
    seed: int,
    seed_words: int | None = None,
    n: int,
    execution: int = 0,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """numpy.RandomState.permutation (`numpy.RandomState.permutation`).

    Args:
        seed: The seed: a word, or the words of a list of `seed_words`, the lowest first.
        seed_words: How many words of 32 bits the seed has as a list; where it is absent, the seed is a number.
        n: How many numbers there are; a negative number stands for 0.
        execution: Which successive execution of one op instance it is, from 0.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (i64, [`n`]).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.numpy_random_state_permutation(seed=3020442975, seed_words=1, n=1)
        >>> drawn.ravel().tolist()
        [0]
    """
    return _native.draw(
        "numpy.RandomState.permutation",
        (seed, seed_words, n),
        (),
        execution,
        reading,
        out,
    )


def random_shuffle(
    value: ArrayLike,
    *,
    seed: int = 0,
    seed2: int = 0,
    execution: int = 0,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """RandomShuffle (`tensorflow.RandomShuffle`).

    Args:
        value: What is shuffled along its first extent. Shape `any`; f32, f16, bf16, f64, i8, i16, i32, i64, u8, u16, u32, u64.
        seed: The seed that is the key; -1 is 2^64 - 1. From 0 to 2^64 - 1.
        seed2: The seed that is the high half of the counter. From 0 to 2^64 - 1.
        execution: Which successive execution of one op instance it is, from 0.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (as `value`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.random_shuffle(np.array([1, 0], np.int32), seed=12450698192071163905, seed2=9356)
        >>> drawn.ravel().tolist()
        [0, 1]
    """
    return _native.draw(
        "tensorflow.RandomShuffle",
        (seed, seed2),
        (value,),
        execution,
        reading,
        out,
    )


def stateless_shuffle(
    value: ArrayLike,
    key: ArrayLike,
    counter: ArrayLike,
    alg: ArrayLike,
    *,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """StatelessShuffle (`tensorflow.StatelessShuffle`).

    Args:
        value: What is shuffled along its first extent. Shape `any`; f32, f16, bf16, f64, i8, i16, i32, i64, u8, u16, u32, u64.
        key: The key. Shape `[1]`; u64.
        counter: The counter, the low half first. Shape `[2]`; u64.
        alg: 1 for Philox, 2 for ThreeFry, 3 for whichever suits the device. Shape `[]`; i32.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (as `value`).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.stateless_shuffle(np.array([0], np.int32), [9551122471856487378], [18446744073709551610, 7794461483580504355], 1)
        >>> drawn.ravel().tolist()
        [0]
    """
    return _native.draw(
        "tensorflow.StatelessShuffle",
        (),
        (value, key, counter, alg),
        0,
        reading,
        out,
    )


def tensorflow_multinomial(
    logits: ArrayLike,
    num_samples: ArrayLike,
    *,
    dtype: DTypeLike,
    seed: int = 0,
    seed2: int = 0,
    execution: int = 0,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """tensorflow.Multinomial (`tensorflow.Multinomial`).

    Args:
        logits: The logarithms of the classes' weights, which need not be normalized. Shape `[batch, classes]`; f32, f16, bf16, f64.
        num_samples: How many classes are drawn in each row. Shape `[]`; i32.
        dtype: The output's element type. NumPy's type or our name: i32, i64.
        seed: The seed that is the key; -1 is 2^64 - 1. From 0 to 2^64 - 1.
        seed2: The seed that is the high half of the counter. From 0 to 2^64 - 1.
        execution: Which successive execution of one op instance it is, from 0.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (of `output_type`, [batch, num_samples]).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.tensorflow_multinomial(np.array([[-0.5117605924606323]], np.float32), 1, dtype="i64", seed=1, seed2=2)
        >>> drawn.ravel().tolist()
        [0]
    """
    return _native.draw(
        "tensorflow.Multinomial",
        (dtype, seed, seed2),
        (logits, num_samples),
        execution,
        reading,
        out,
    )


def stateless_multinomial(
    logits: ArrayLike,
    num_samples: ArrayLike,
    seed: ArrayLike,
    *,
    dtype: DTypeLike,
    reading: str = "spec",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """StatelessMultinomial (`tensorflow.StatelessMultinomial`).

    Args:
        logits: The logarithms of the classes' weights, which need not be normalized. Shape `[batch, classes]`; f32, f16, bf16, f64.
        num_samples: How many classes are drawn in each row. Shape `[]`; i32.
        seed: Two numbers of any value. Shape `[2]`; i64, i32.
        dtype: The output's element type. NumPy's type or our name: i32, i64.
        reading: The reading that answers: `spec`, or an implementation that ships (`sp.READINGS`).
        out: An array to be filled, of the output's type and shape, C-contiguous. No memory is copied under `spec`.

    Returns:
        `output` (of `output_type`, [batch, num_samples]).

    Raises:
        Rejected: The op forbids the request.
        Unsupported: The reading has no answer, or the output takes more than 4 GiB.
        InvalidArgument: A value is of no type that the parameter takes.

    Example:
        >>> drawn = sp.stateless_multinomial(np.array([[-0.1791455349575921, -0.9412937502844421, 3.5454063471224755, 3.1640410432709434, -1.6089994315203642, 3.0015461710831586, 2.0728335464344885]], np.float64), 5, [497855787, -5823373318360029462], dtype="i32")
        >>> drawn.ravel()[:3].tolist()
        [2, 3, 2]
    """
    return _native.draw(
        "tensorflow.StatelessMultinomial",
        (dtype,),
        (logits, num_samples, seed),
        0,
        reading,
        out,
    )
