"""The most common questions: whether two arrays have the same bits, which words a generator draws, and what drew an array or tokens."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from operator import index
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _native
from ._function import array as _array
from .errors import InvalidArgument

__all__ = ["Comparison", "Draw", "Drawn", "Sampled", "same_bits", "stream", "who_drew", "who_sampled"]

# Differences that are listed.
SHOWN = 8


@dataclass(frozen=True)
class Comparison:
    """Where two arrays differ in their bits.

    Attributes:
        total: Number of elements.
        differing: Number of those that differ.
        indices: The flat indices of those that differ.
        max_ulps: The largest distance among them in units of the last place; None where there is none to measure, as of a NaN.
        text: All of it in words, with the first differences in bits and decimals.
    """

    total: int
    differing: int
    indices: NDArray[np.intp]
    max_ulps: int | None
    text: str

    def __bool__(self) -> bool:
        return self.differing == 0

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Comparison {self.text.splitlines()[0]}>"


def same_bits(a: ArrayLike, b: ArrayLike) -> Comparison:
    """Compares two arrays of one type and shape by their bits.

    Args:
        a: An array, or anything with `__array__` or DLPack.
        b: Another one.

    Returns:
        A comparison, which is true where no bit differs.

    Raises:
        InvalidArgument: They have different types or shapes, or elements without bits.

    Example:
        >>> import numpy as np
        >>> from seedproof import lab
        >>> print(lab.same_bits(np.float32([1, 2, 0]), np.float32([1, 2.0000002, -0.0])))
        2 of 3 elements differ, by at most 1 ulp
          [1]  40000000 2.0  40000001 2.0000002  1 ulp
          [2]  00000000 0.0  80000000 -0.0  0 ulps
    """
    a, b = (np.asarray(_array(each)) for each in (a, b))
    a, b = (each.astype(each.dtype.newbyteorder("=")) for each in (a, b))
    if a.dtype != b.dtype or a.shape != b.shape:
        raise InvalidArgument(f"an array of {a.dtype} {a.shape} and one of {b.dtype} {b.shape} have no common elements")
    size = a.dtype.itemsize
    if a.dtype.kind not in "fiubV" or size not in (1, 2, 4, 8):
        raise InvalidArgument(f"elements of {a.dtype} have no bits that are compared")
    a, b = a.ravel(), b.ravel()
    bits = [np.ascontiguousarray(each).view(f"u{size}") for each in (a, b)]
    indices = np.flatnonzero(bits[0] != bits[1])
    distances = [_ulps(a[index], b[index], *(int(each[index]) for each in bits)) for index in indices[:SHOWN]]
    most = _most(a, b, bits, indices)
    rows = []
    for index, distance in zip(indices, distances):
        left, right = (f"{each[0][index]:0{2 * size}x} {each[1][index]!s}" for each in ((bits[0], a), (bits[1], b)))
        rows.append(f"  [{index}]  {left}  {right}{'' if distance is None else '  ' + _counted(distance)}")
    more = [f"  … and {len(indices) - SHOWN} more"] if len(indices) > SHOWN else []
    if not len(indices):
        head = f"the same bits: {len(a)} elements"
    else:
        by = "" if most is None else f", by at most {_counted(most)}"
        head = differ(len(indices), len(a)) + by
    return Comparison(len(a), len(indices), indices, most, "\n".join([head, *rows, *more]))


def differ(differing: int, total: int) -> str:
    """How many elements differ, as every report says it: `1 of 3 elements differs`."""
    return f"{differing} of {total} element{'' if total == 1 else 's'} differ{'s' if differing == 1 else ''}"


def _counted(ulps: int) -> str:
    return f"{ulps} ulp{'' if ulps == 1 else 's'}"


def _is_float(value) -> bool:
    return value.dtype.kind == "f" or value.dtype.name == "bfloat16"


def _ulps(a, b, left: int, right: int) -> int | None:
    if not _is_float(a):
        return abs(int(a) - int(b))
    if a != a or b != b:
        return None
    sign = 1 << (8 * a.dtype.itemsize - 1)
    return abs(*[x - y for x, y in [tuple(sign - each if each & sign else each for each in (left, right))]])


def _most(a, b, bits, indices) -> int | None:
    """The largest distance. Integers of Python: that of two f64 may have 65 bits."""
    if not _is_float(a):
        pairs = zip(a[indices].tolist(), b[indices].tolist())
        return max((abs(x - y) for x, y in pairs), default=None)
    sign = 1 << (8 * a.dtype.itemsize - 1)
    numbers = indices[(a[indices] == a[indices]) & (b[indices] == b[indices])]
    if len(numbers) < len(indices):
        return None
    pairs = zip(bits[0][numbers].tolist(), bits[1][numbers].tolist())
    order = lambda each: sign - each if each & sign else each
    return max((abs(order(x) - order(y)) for x, y in pairs), default=None)


def stream(generator: str, seed: int, *, counter: int = 0, skip: int = 0, words: int = 4) -> NDArray[np.uint32]:
    """Words of a generator, from any place on.

    Args:
        generator: `philox4x32`, `threefry2x32` or `mt19937`.
        seed: The key of Philox and of Threefry, 64 bits; the seed of MT19937, 32 bits.
        counter: The block to begin with: of Philox 128 bits, of Threefry 64.
        skip: Words to leave out.
        words: How many words.

    Returns:
        The words, `[words]`.

    Raises:
        InvalidArgument: There is no such generator, or a number is out of range.

    Example:
        >>> from seedproof import lab
        >>> lab.stream("mt19937", 5489, skip=9999, words=1).tolist()
        [4123659995]
    """
    seed, counter, skip, words = map(index, (seed, counter, skip, words))
    if min(seed, counter, skip, words) < 0:
        raise InvalidArgument("seeds, counters and numbers of words are not negative")
    try:
        for name, block, bits in (("philox4x32", 4, 128), ("threefry2x32", 2, 64)):
            if generator == name and counter < 1 << bits:
                counter = (counter + skip // block) % (1 << bits)
                return getattr(_native, name)(seed, counter, skip % block + max(words, 1))[skip % block :][:words]
        if generator == "mt19937" and counter == 0:
            return _native.mt19937(seed, skip + words)[skip:]
    except OverflowError as error:
        raise InvalidArgument(f"{error}: a key has 64 bits, a seed of MT19937 has 32") from error
    raise InvalidArgument(f"there is no generator `{generator}` with such a counter; there are philox4x32, threefry2x32 and mt19937")


@dataclass(frozen=True)
class Draw:
    """One way in which an array is drawn."""

    names: tuple[str, ...]
    request: Any

    def __str__(self) -> str:
        return f"{', '.join(self.names)}: {self.request}"


@dataclass(frozen=True)
class Drawn:
    """Who drew an array.

    Attributes:
        verdict: `named`; `possible` where the array has too few bits to be sure; `nearest`; or `unknown`.
        draws: What gives every element; several are ties.
        nearest: What comes nearest where nothing gives every element: `name`, `request`, `elements`, `of`, `first_missed`,
            `expected` and `max_ulps`.
        seeds: The seeds that draw it, of those that were searched.
        attempts: Requests, by readings and mistakes, that were tried.
    """

    verdict: str
    draws: tuple[Draw, ...] = ()
    nearest: dict[str, Any] | None = None
    seeds: tuple[int, ...] = ()
    attempts: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """The readings, or the mistakes, that reproduce every element."""
        return tuple(dict.fromkeys(name for draw in self.draws for name in draw.names))

    def __str__(self) -> str:
        if self.draws:
            return "\n".join(f"{self.verdict}: {draw}" for draw in self.draws)
        if self.nearest is not None:
            near = self.nearest
            ulps = "" if near["max_ulps"] is None else f", off by at most {_counted(near['max_ulps'])}"
            place = f"the first other at {near['first_missed']}, which would be {near['expected']}"
            reach = f"{near['elements']} of the first {near['of']} elements{ulps}"
            return f"nearest: {near['name']}, {reach}; {place}\n  {near['request']}"
        return f"unknown: tried {self.attempts} candidates, and none reproduces the array"

    def __repr__(self) -> str:
        return f"<Drawn {str(self).splitlines()[0]}>"


def who_drew(
    array: ArrayLike,
    seed: int | range,
    *,
    op_seed: int = 0,
    low: Any = None,
    high: Any = None,
    execution: int = 0,
    progress: bool | None = None,
    **known: Any,
) -> Drawn:
    """Which reading draws an array from a seed, of every op that needs nothing else than what is given.

    Args:
        array: The array, or anything with `__array__` or DLPack.
        seed: The first seed, or the key. A range of step 1 is searched on all cores, by the first two elements.
        op_seed: The second seed, or the counter.
        low: The lower bound; without it and `high`, round numbers around the elements are tried.
        high: The upper bound.
        execution: Which successive execution of one op instance it is.
        progress: Whether a search shows a bar on standard error; where that is a terminal, without it.
        known: Attributes and inputs that are known, by the names of the ops' documents, such as `alignment="PYTORCH"` or
            `probs=…`.

    Returns:
        A verdict with the candidates that draw the array, or the nearest one. All ties are listed.

    Raises:
        InvalidArgument: No op has such a field, or a value does not have its type.

    Example:
        >>> import seedproof as sp
        >>> drawn = sp.random_uniform((1000,), 0, 1, dtype="f16", seed=42, alignment="PYTORCH", reading="torch-1.13")
        >>> found = sp.lab.who_drew(drawn, seed=42)
        >>> found.verdict, "torch-1.13" in found.names
        ('named', True)
    """
    question = _native.Question(np.asarray(_array(array)), op_seed, low, high, execution, known)
    if not isinstance(seed, range):
        return _drawn(question.answer(seed))
    if seed.step != 1 or not len(seed) or seed.start < 0:
        raise InvalidArgument(f"{seed} is not a valid range of seeds: expected at least one seed, none below 0, and step 1")
    shown = sys.stderr.isatty() if progress is None else progress
    found = question.search(seed[0], seed[-1], _bar(len(seed)) if shown else lambda done: None)
    if shown:
        sys.stderr.write("\r\x1b[K")
    answers = [(each, _drawn(question.answer(each))) for each in found]
    answers = [(each, answer) for each, answer in answers if answer.draws]
    draws = tuple(draw for _, answer in answers for draw in answer.draws)
    sure = any(answer.verdict == "named" for _, answer in answers)
    verdict = "unknown" if not draws else "named" if sure else "possible"
    return Drawn(verdict, draws, None, tuple(each for each, _ in answers), len(seed))


def _drawn(answer: dict[str, Any]) -> Drawn:
    return Drawn(answer["word"], _draws(answer), answer["nearest"], (), answer["attempts"])


def _draws(answer: dict[str, Any]) -> tuple[Draw, ...]:
    return tuple(Draw(tuple(names), request) for names, request in answer["draws"])


@dataclass(frozen=True)
class Sampled:
    """Whose sampler drew tokens.

    Attributes:
        verdict: `named`; `greedy` where each token has the greatest logit of its row, and too few bits for more; `possible`
            where the tokens are too predictable to be sure; `nearest`; or `unknown`.
        draws: What draws every token; several are ties.
        stream: Where no sampler draws them, the generator whose numbers choose every token among the probabilities, as
            `numpy.random.choice(n, p=…)` does, in a sentence.
        nearest: What draws most of them where nothing draws all: `name`, `request`, `agreeing`, and `others`, the places of
            the other tokens with the tokens that it draws there.
        bits: The surprise of the tokens under the softmax of their logits, which is the evidence.
        attempts: Requests, by readings and mistakes, that were tried.
    """

    verdict: str
    draws: tuple[Draw, ...]
    nearest: dict[str, Any] | None
    bits: float
    attempts: int
    stream: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The readings, or the mistakes, that draw every token."""
        return tuple(dict.fromkeys(name for draw in self.draws for name in draw.names))

    def __str__(self) -> str:
        if self.draws and self.verdict != "greedy":
            return "\n".join(f"{self.verdict}: {draw}" for draw in self.draws)
        if self.stream is not None:
            return f"{self.verdict}: {self.stream}"
        if self.verdict == "greedy":
            return "greedy: each token has the greatest logit of its row"
        if self.nearest is not None:
            near = self.nearest
            place, token = near["others"][0]
            return f"nearest: {near['name']}, {near['agreeing']} tokens; at {place} it draws {token}\n  {near['request']}"
        return f"unknown: none of {self.attempts} attempts samples these tokens"


def who_sampled(
    tokens: ArrayLike,
    logits: ArrayLike,
    seed: int,
    *,
    op_seed: int = 0,
    position: int = 0,
    temperature: float = 1.0,
) -> Sampled:
    """Whose sampler drew tokens from their logits: vLLM's, SGLang's, JAX's, PyTorch's, OpenVINO's or ONNX's, right or wrong.

    Args:
        tokens: Whole numbers, of one sequence or of one step in several.
        logits: Floats of the shape `[tokens, vocabulary]`, before temperature; one row stands for all tokens.
        seed: The seed, or the key.
        op_seed: The second seed of the samplers that have one.
        position: The place of the first token in its sequence.
        temperature: What divides the logits; 0 stands for the greatest logit.

    Returns:
        A verdict with what draws the tokens, or what draws most of them.

    Raises:
        InvalidArgument: The tokens and the logits do not fit, or a token is not in the vocabulary.

    Example:
        >>> import numpy as np
        >>> import seedproof as sp
        >>> n, logits = 40, np.sin(np.arange(40 * 50, dtype=np.float32)).reshape(40, 50)
        >>> at = dict(temperature=np.ones(n, np.float32), seed=np.full(n, 42), pos=np.arange(7, 7 + n))
        >>> tokens = sp.samplers.vllm_gumbel_sample(logits, use_fp64=False, is_drafting=False, **at)
        >>> sp.lab.who_sampled(tokens, logits, 42, position=7).names
        ('spec', 'vllm-0.33')
    """
    arrays = np.asarray(_array(tokens)), np.asarray(_array(logits))
    answer = _native.who_sampled(*arrays, seed, op_seed, position, temperature)
    return Sampled(
        answer["word"], _draws(answer), answer["nearest"], answer["bits"], answer["attempts"], answer["stream"]
    )


def _bar(total: int):
    def show(done: int) -> None:
        part = min(done / total, 1)
        sys.stderr.write(f"\rseeds {'#' * int(40 * part):40} {done}/{total}")
        sys.stderr.flush()

    return show
