"""The exceptions of the package."""

from __future__ import annotations

__all__ = ["InvalidArgument", "NotConforming", "Rejected", "SeedproofError", "Unsupported"]


class SeedproofError(Exception):
    """What all exceptions of the package are, but for `NotConforming`, which is an `AssertionError`."""


class InvalidArgument(SeedproofError, ValueError):
    """An argument that a function does not take. The message says what it takes."""


class Rejected(SeedproofError, ValueError):
    """A request that its op forbids. A function that is judged raises it to refuse one.

    Args:
        kind: What is wrong: `dtype`, `shape`, `range`, `attribute`, `probabilities`, `samples` or `state`; None where
            nothing is known but that it is refused.
        reason: A sentence for people.
        op: The op, by its full name.

    Example:
        >>> import seedproof as sp
        >>> try:
        ...     sp.random_uniform((3,), 1.0, 0.0, dtype="f32", seed=1, alignment="TENSORFLOW")
        ... except sp.Rejected as error:
        ...     print(error.kind, error.clauses)
        range ['ru8.bounds.less']
    """

    def __init__(self, kind: str | None, reason: str = "", op: str | None = None):
        super().__init__(reason)
        self.kind = kind
        self.op = op

    @property
    def clauses(self) -> list[str]:
        """The ids of the clauses that forbid it; `seedproof clause ID` prints one."""
        from . import _native

        return _native.clauses_of(self.op, self.kind) if self.op and self.kind else []

    def __str__(self) -> str:
        return f"{self.args[0]} ({self.kind})" if self.kind else str(self.args[0])

    def __reduce__(self):
        return type(self), (self.kind, self.args[0], self.op)


class Unsupported(SeedproofError, NotImplementedError):
    """A request that is well formed, and has no answer here. A function that is judged raises it where it claims too much."""


class NotConforming(AssertionError):
    """An implementation that does not draw what it should; the message is the diagnosis, `result` all findings."""

    def __init__(self, text: str, result=None):
        super().__init__(text)
        self.result = result
