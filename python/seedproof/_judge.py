"""Judging functions: all of their cases, or one output."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from . import _native
from ._function import Function, array
from .errors import InvalidArgument, NotConforming

# Seconds that a function has for one request, as an adapter has.
DEADLINE = 60.0
# Failures that are printed in full.
SHOWN = 10


def _texts(value: str | Iterable[str] | None) -> list[str]:
    return [] if value is None else [value] if isinstance(value, str) else list(value)


def _folded(value: Any) -> Any:
    return value.lower() if isinstance(value, str) else value


@dataclass(frozen=True)
class Claims:
    """What a function says that it answers: some ops, some element types, some values of attributes."""

    ops: list[str] = field(default_factory=list)
    dtypes: list[str] = field(default_factory=list)
    where: dict[str, list[Any]] = field(default_factory=dict)
    # Queries of cases that are left out, each with its reason.
    skip: dict[str, str] = field(default_factory=dict)
    # What the function says itself.
    own: Callable[[Any], str | None] | None = None

    @classmethod
    def of(cls, ops=None, dtypes=None, where=None, skip=None, function=None) -> Claims:
        names, _ = _native.names()
        prefixes = {name: _native.prefix(name) for name in names}
        known = []
        for op in _texts(ops):
            found = [name for name in names if isinstance(op, str) and op in (name, prefixes[name], name.split(".", 1)[1])]
            if not found:
                raise InvalidArgument(f"there is no op `{op}`; there are {', '.join(names)}")
            known += found
        types = [_native.dtype_name(dtype) for dtype in ([dtypes] if isinstance(dtypes, type) else _texts(dtypes))]
        attributes = {name for op in names for name in _native.attributes(op)}
        # Names are taken without regard to case, as queries and the command line take them.
        named = {_folded(name): name for name in attributes}
        if where is not None and not (isinstance(where, Mapping) and named.keys() >= set(map(_folded, where))):
            raise InvalidArgument(f"where is {where!r}: expected values by the names of attributes: {', '.join(sorted(attributes))}")
        lists = {name: value if isinstance(value, (list, tuple, set)) else [value] for name, value in (where or {}).items()}
        values = {named[_folded(name)]: [_folded(value) for value in given] for name, given in lists.items()}
        if not isinstance(skip, Mapping):
            skip = dict.fromkeys(_texts(skip), "skipped")
        return cls(known, types, values, dict(skip), getattr(function, "claims", None))

    def __call__(self, request) -> str | None:
        """None, or why the request is not claimed."""
        if self.ops and request.op not in self.ops:
            return f"{request.op} is not claimed"
        if self.dtypes and request.filed_type not in self.dtypes:
            return f"the element type {request.filed_type} is not claimed"
        attributes = request.attributes
        for name, values in self.where.items():
            if name in attributes and _folded(attributes[name]) not in values:
                return f"{name} {attributes[name]} is not claimed"
        return self.own(request) if self.own is not None else None

    def cases(self, queries: Iterable[str] = ()) -> list[tuple[Any, str | None]]:
        """The cases that are claimed, each with the reason for which it is skipped, if it is."""
        selected = [case for case in _native.cases(*queries) if self(case.request) is None]
        skipped = {case.id: reason for query, reason in self.skip.items() for case in _native.cases(query)}
        return [(case, skipped.get(case.id)) for case in selected]


def check(name: Any, deadline: Any) -> None:
    """Refuses a name that is not a string, and a deadline that is not a number of seconds."""
    if not (name is None or isinstance(name, str)):
        raise InvalidArgument(f"name is {name!r}: expected a text")
    if not (deadline is None or (isinstance(deadline, (int, float)) and deadline > 0)):
        raise InvalidArgument(f"deadline is {deadline!r}: expected seconds, or None")


class Result:
    """The findings of a function, and what they mean together."""

    def __init__(self, name: str, session, findings: list, skipped: list[tuple[Any, str]]):
        self.name = name
        self.session = session
        self.findings = findings
        self.skipped = skipped

    @property
    def failures(self) -> list:
        """The findings that do not conform."""
        return [finding for finding in self.findings if not finding.conforms]

    @property
    def conforms(self) -> bool:
        """Whether cases were asked, and all of them conform."""
        return bool(self.findings) and not self.failures

    @property
    def text(self) -> str:
        """The failures, each with its explanation, and a line that counts."""
        failures = self.failures
        # All of them are diagnosed together: what one shows explains the others.
        texts = _native.texts(failures[:SHOWN]) if failures else ""
        more = f"… and {len(failures) - SHOWN} more failures\n" if len(failures) > SHOWN else ""
        return f"{texts}{more}{self.summary}"

    @property
    def summary(self) -> str:
        """`conforms: 128 cases, 128 pass`."""
        counts = Counter(finding.outcome for finding in self.findings)
        outcomes = ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items()))
        reasons = Counter(reason for _, reason in self.skipped)
        skipped = "".join(f"; {count} skipped: {reason}" for reason, count in sorted(reasons.items()))
        verdict = "conforms" if self.conforms else "does not conform"
        return f"{self.name} {verdict}: {len(self.findings)} cases, {outcomes or 'nothing was asked'}{skipped}"

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Result {self.summary}>"


def judge(
    function: Callable[[Any], Any],
    *queries: str,
    ops: str | Iterable[str] | None = None,
    dtypes: Any = None,
    where: Mapping[str, Any] | None = None,
    skip: Iterable[str] | Mapping[str, str] | None = None,
    reading: str = "spec",
    strict_nan: bool = False,
    deadline: float | None = DEADLINE,
    name: str | None = None,
) -> Result:
    """The findings of a function on the cases that it claims.

    Args:
        function: Takes a `Request` and returns the output: an array, anything with `__array__` or DLPack, and for several
            outputs a tuple or a dict by their names. It raises `Rejected` (or any `ValueError`) for a request that the
            op forbids. One of `seedproof.backends` has its own claims.
        queries: Which cases are asked, such as `ru8/*/f32/*`; all that are claimed without one.
        ops: The ops that the function claims, by name or by the prefix of their cases; all of them without it.
        dtypes: The element types that it claims: ours (`f32`, `bf16`) or NumPy's.
        where: Values of attributes that it claims: `{"alignment": "TENSORFLOW"}`.
        skip: Queries of cases that are left out; a dict has the reasons.
        reading: What it is judged against: `spec`, or an implementation that ships.
        strict_nan: Whether a NaN must have the expected bits.
        deadline: Seconds for one request. None calls the function in this thread, for as long as it takes.
        name: What the findings call it.

    Returns:
        The findings. A function that raises, hangs or does not return an array has findings that say so.

    Raises:
        InvalidArgument: There is no such op, type, reading or case.

    Example:
        >>> import seedproof as sp
        >>> sp.judge(lambda request: request.run(), "ru8/tensorflow/f32/range-*", ops="ru8", dtypes="f32", name="own").conforms
        True
    """
    claims = Claims.of(ops, dtypes, where, skip, function)
    check(name, deadline)
    name = name or getattr(function, "__name__", "function").strip("<>") or "function"
    asked = Function(function, deadline)
    session = _native.Session(name, asked, claims, reading, strict_nan)
    findings, skipped = [], []
    try:
        for case, reason in claims.cases(queries):
            if reason is not None:
                skipped.append((case, reason))
            elif (finding := session.judge(case)) is not None:
                findings.append(finding)
    finally:
        asked.close()
    return Result(name, session, findings, skipped)


def assert_conforms(function: Callable[[Any], Any], *queries: str, **options: Any) -> Result:
    """Judges a function, and raises with the diagnosis unless it conforms. It takes what `judge` takes.

    Raises:
        NotConforming: An answer is wrong, or there was nothing to ask. The message is the diagnosis.

    Example:
        >>> import seedproof as sp
        >>> def right(request):
        ...     return request.run()
        >>> sp.assert_conforms(right, "ru8/pytorch/f64/*", ops="openvino.RandomUniform-8", dtypes=["f64"]).conforms
        True
    """
    result = judge(function, *queries, **options)
    if not result.conforms:
        raise NotConforming(result.text, result)
    return result


def explain(
    case: _native.Case | str, actual: Any, *, reading: str = "spec", strict_nan: bool = False
) -> _native.Finding:
    """Why an output is not the expected one of a case.

    Args:
        case: A case, or its id.
        actual: The output: an array, anything with `__array__` or DLPack, or a tuple of several.
        reading: What it is judged against.
        strict_nan: Whether a NaN must have the expected bits.

    Returns:
        The finding: `outcome`, `difference`, `causes()`, and the diagnosis as `text`.

    Raises:
        InvalidArgument: There is no such case or reading, or the case says nothing about the reading.

    Example:
        >>> import seedproof as sp
        >>> case = sp.cases("ru8/tensorflow/f32/spec-example-1")[0]
        >>> sp.explain(case, case.expected[::-1]).outcome
        'fail'
    """
    case = case if isinstance(case, _native.Case) else _native.Case(case)
    given = actual if isinstance(actual, tuple) else (actual,)
    outputs = [array(each) for each in given]
    session = _native.Session("actual", lambda _: ("value", outputs), lambda _: None, reading, strict_nan)
    finding = session.judge(case)
    if finding is None:
        raise InvalidArgument(f"{case.id} says nothing about the reading {reading}")
    return finding
