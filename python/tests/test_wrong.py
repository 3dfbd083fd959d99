"""Wrong arguments of every function: exceptions, and the process goes on."""

import inspect
import math
import re

import numpy as np
import pytest

import seedproof as sp
from seedproof import lab

CASE = "ru8/tensorflow/f32/spec-example-1"
FROZEN = np.zeros((3, 3), np.float32)
FROZEN.flags.writeable = False
# Of any type, shape, sign and layout; read-only; too large to be made.
VALUES = [
    None, True, -1, 0, 1, 3, 2**34, 2**63, 2**64, -(2**70), 0.5, -0.0, math.inf, math.nan, "", "f32", "u8", "PYTORCH", "spec", b"x", [],
    [3], [-1], [2**34], [2**62] * 3, [[1, 2], [3]], (2, 0), {}, {"a": 1}, object(), np.float16(1), np.int8(-3), np.zeros((2, 2)),
    np.zeros(3, "V4"), np.datetime64(0, "s"), np.zeros(2, object), np.arange(6)[::-2], np.zeros((), ">f4"), np.array([-1, 2]),
    np.zeros((3, 6), np.float32)[:, ::2], FROZEN, np.empty((3, 3), np.float32), np.full(2, 2**63, np.uint64), np.float32, type,
    lambda *given: given, 1j, range(3), memoryview(b"ab"),
]  # fmt: skip
# What the document of an op calls a parameter.
FIELDS = {"dtype": ("output_type", "convert_type"), "seed": ("seed", "global_seed"), "from_": ("from",)}


def case_of(function):
    """The first case of a function's op that has an answer of at least one element; any case where the document leaves all open."""
    op = re.search(r"\(`(.*?)`\)", function.__doc__)[1]
    cases = sp.cases(f"{sp._native.prefix(op)}/*")
    answered = (case for case in cases if isinstance(case.expected, (np.ndarray, tuple)))
    shaped = (case for case in answered if case.request.output_shape and 0 not in case.request.output_shape)
    return next(shaped, cases[0])


def arguments(function, request):
    """A request as a function takes it."""
    given = {**request.attributes, **request.inputs, "execution": request.execution}
    found = {}
    for name in inspect.signature(function).parameters:
        field = next((field for field in FIELDS.get(name, (name,)) if field in given), None)
        if field is not None:
            found[name] = given[field]
    return found


def arrays(answer):
    return answer if isinstance(answer, tuple) else (answer,)


@pytest.mark.parametrize("name", sp._ops.__all__)
def test_functions_answer_and_wrong_arguments_are_exceptions(name):
    function = getattr(sp, name)
    case = case_of(function)
    right = arguments(function, case.request)
    if not isinstance(case.expected, (np.ndarray, tuple)):
        with pytest.raises(sp.Unsupported):
            function(**right)
        return
    answer = arrays(function(**right))
    assert [each.tobytes() for each in answer] == [each.tobytes() for each in arrays(case.expected)]
    fuzz(function, right, [*inspect.signature(function).parameters])


@pytest.mark.parametrize(
    ("function", "right"),
    [
        (sp.philox4x32, {"key": 1}),
        (sp.threefry2x32, {"key": 1}),
        (sp.mt19937, {"seed": 1}),
        (sp.cases, {"query": CASE}),
        (sp.Case, {"id": CASE}),
        (sp.request, {"op": "openvino.RandomUniform-8", **sp.Case(CASE).request.attributes, **sp.Case(CASE).request.inputs}),
        (sp.explain, {"case": CASE, "actual": sp.Case(CASE).expected}),
        (sp.judge, {"function": lambda request: request.run(), "query": CASE}),
        (sp.conformance, {"query": CASE}),
        (lab.same_bits, {"a": np.zeros(3), "b": np.zeros(3)}),
        (lab.stream, {"generator": "mt19937", "seed": 1}),
        (lab.who_drew, {"array": sp.Case(CASE).expected, "seed": 150, "op_seed": 10, "low": 0, "high": 1}),
    ],
    ids=lambda value: getattr(value, "__name__", "right"),
)
def test_wrong_arguments_of_other_functions_are_exceptions(function, right):
    parameters = inspect.signature(function).parameters.values()
    names = [it.name for it in parameters if it.kind not in (it.VAR_POSITIONAL, it.VAR_KEYWORD)]
    fuzz(function, right, [*{**dict.fromkeys(names), **right}], 100)


def fuzz(function, right, names, times=400):
    chance = np.random.default_rng(1)
    call(function, dict(right))
    refused = 0
    for _ in range(times):
        chosen = chance.choice(len(names), chance.integers(1, min(3, len(names)) + 1), replace=False)
        wrong = {names[index]: VALUES[chance.integers(len(VALUES))] for index in chosen}
        try:
            call(function, {**right, **wrong})
        except (sp.SeedproofError, TypeError, OverflowError):
            refused += 1
    assert refused > times // 10


def call(function, given):
    """Calls a function; what cannot be given by its name stands in its place."""
    first = [given.pop(name) for name in ("op", "function", "query") if name in given and function in (sp.request, sp.judge, sp.cases, sp.conformance)]
    return function(*first, **given)
