"""The decorator that makes a function a test; pytest is not needed for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from ._judge import DEADLINE, Claims, check

F = TypeVar("F", bound=Callable[..., Any])

# The attribute of a decorated function.
MARK = "_seedproof"


@dataclass(frozen=True)
class Conformance:
    """What a decorated function is judged by."""

    claims: Claims
    queries: tuple[str, ...]
    reading: str
    strict_nan: bool
    deadline: float | None
    name: str


def conformance(
    *queries: str,
    ops: str | Iterable[str] | None = None,
    dtypes: Any = None,
    where: Mapping[str, Any] | None = None,
    skip: Iterable[str] | Mapping[str, str] | None = None,
    reading: str = "spec",
    strict_nan: bool = False,
    deadline: float | None = DEADLINE,
    name: str | None = None,
) -> Callable[[F], F]:
    """Makes a function that answers a request a test of pytest: an item for each case that it claims.

    The arguments are those of `judge`. Items have the ids of the cases, so that `-k` chooses among them.

    Raises:
        InvalidArgument: There is no such op or type.

    Example:
        >>> import seedproof as sp
        >>> @sp.conformance(ops="openvino.RandomUniform-8", dtypes=["f32"], where={"alignment": "PYTORCH"})
        ... def test_mine(request):
        ...     return request.run()
        >>> test_mine(sp.Case("ru8/pytorch/f32/range-negative").request).dtype
        dtype('float32')
    """
    claims = Claims.of(ops, dtypes, where, skip)
    check(name, deadline)

    def mark(function: F) -> F:
        own = name or getattr(function, "__name__", "function")
        # What claims something itself, such as a ready backend, still does.
        all_claims = replace(claims, own=getattr(function, "claims", None))
        setattr(function, MARK, Conformance(all_claims, queries, reading, strict_nan, deadline, own))
        return function

    return mark
