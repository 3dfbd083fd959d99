"""The ops as functions. Generated from their descriptions by `seedproof gen`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from . import _native

__all__ = [
    "multinomial",
    "random_generator",
    "random_uniform",
    "rng_bit_generator",
    "stateless_random_get_key_counter",
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
