import _thread
import contextlib
import os
import signal
import threading
import time
import unittest

import numpy as np
import pytest

import seedproof as sp

CASE = "ru8/tensorflow/f32/spec-example-1"


def finding(function, query=CASE, **options):
    return sp.judge(function, query, **options).findings[0]


def raises(request):
    raise KeyError("seed")


def hangs(request):
    while True:
        time.sleep(0.01)


def strided(request):
    return np.repeat(request.run(), 2, axis=-1)[..., ::2]


def big_endian(request):
    drawn = request.run()
    return drawn.astype(drawn.dtype.newbyteorder(">"))


class Tensor:
    """What another library may have."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Wild:
    def __array__(self, *arguments, **options):
        raise RuntimeError("not today")


@pytest.mark.parametrize(
    ("function", "outcome", "message"),
    [
        (lambda request: request.run(), "pass", ""),
        (strided, "pass", ""),
        (big_endian, "pass", ""),
        (lambda request: np.asfortranarray(request.run()), "pass", ""),
        (lambda request: Tensor(request.run()), "pass", ""),
        (lambda request: {"output": request.run()}, "pass", ""),
        (lambda request: request.run().astype(np.float64), "fail", "expected f32"),
        (lambda request: request.run().tolist(), "fail", "expected f32"),
        (lambda request: request.run().ravel(), "fail", "expected f32"),
        (lambda request: 1 - request.run(), "fail", "elements differ"),
        (lambda request: None, "protocol-error", "None"),
        (lambda request: "text", "protocol-error", ""),
        (lambda request: Wild(), "protocol-error", "not today"),
        (lambda request: np.array([None]), "protocol-error", "objects"),
        (lambda request: {"result": 1}, "protocol-error", "no output `?output"),
        (lambda request: [1, [2]], "protocol-error", "cannot be read as an array"),
        (raises, "error", "KeyError: 'seed' at "),
        (lambda request: exec("raise SystemExit(3)"), "error", "SystemExit"),
        (lambda request: exec("raise Own('mine')", {"Own": type("Own", (BaseException,), {})}), "error", "Own: mine"),
        (lambda request: exec("raise GeneratorExit"), "error", "GeneratorExit"),
        (lambda: 1, "error", "TypeError"),
        (lambda request: int("x"), "rejects", "ValueError"),
        (lambda request: exec("raise sp.Unsupported('later')", {"sp": sp}), "claim-broken", "later"),
        (lambda request: exec("raise sp.Rejected('shape', 'no')", {"sp": sp}), "rejects", "no"),
    ],
)
@pytest.mark.parametrize("deadline", [None, 30.0])
def test_whatever_a_function_does_is_judged(function, outcome, message, deadline):
    found = finding(function, deadline=deadline)
    assert found.outcome == outcome
    import re

    assert re.search(message, found.message), found.message
    assert found.outcome in repr(found) and found.text


class Mute(Exception):
    def __str__(self):
        raise RuntimeError("no text")


class MuteValue(ValueError):
    def __str__(self):
        raise KeyboardInterrupt


class Bare(sp.Rejected):
    def __init__(self):
        pass


class Kindless(sp.Rejected):
    def __init__(self, reason):
        ValueError.__init__(self, reason)


class NoOrder(type):
    @property
    def __mro__(cls):
        raise RuntimeError("no order")


class Odd(BaseException, metaclass=NoOrder):
    pass


def throws(error):
    def function(request):
        raise error

    return function


@pytest.mark.parametrize("deadline", [None, 30.0])
@pytest.mark.parametrize(
    ("error", "outcome", "message"),
    [
        (Mute(), "error", "raised Mute, of which no text can be made: RuntimeError"),
        (MuteValue(), "error", "raised MuteValue, of which no text can be made: KeyboardInterrupt"),
        (Bare(), "error", "raised Bare, of which no text can be made: IndexError"),
        (Odd(), "error", "raised Odd"),
        (Kindless("not so"), "rejects", "not so"),
        (Exception("\udc80"), "error", r"Exception: \udc80"),
    ],
)
def test_an_exception_that_cannot_be_told_is_an_error_at_once(error, outcome, message, deadline):
    started = time.monotonic()
    found = finding(throws(error), deadline=deadline)
    assert found.outcome == outcome and message in found.message, found.message
    assert time.monotonic() - started < 20


@pytest.mark.parametrize("deadline", [None, 30.0])
@pytest.mark.parametrize("outcome", [pytest.skip.Exception("gone"), pytest.exit.Exception("gone"), unittest.SkipTest("gone")])
def test_what_a_test_runner_means_is_passed_on(outcome, deadline):
    with pytest.raises(type(outcome), match="gone"):
        finding(throws(outcome), deadline=deadline)


def test_a_function_that_hangs_is_left_alone():
    before = threading.active_count()
    result = sp.judge(hangs, "ru8/tensorflow/f32/range-*", deadline=0.2)
    outcomes = [finding.outcome for finding in result.findings]
    assert outcomes[:3] == ["timeout"] * 3 and set(outcomes[3:]) == {"not-run"}
    time.sleep(0.2)
    assert threading.active_count() <= before


def test_a_refusal_is_judged_by_its_kind():
    def refuses(kind):
        def function(request):
            raise sp.Rejected(kind, "no")

        return function

    query = "ru8/tensorflow/f32/refused-shape-f32"
    kind = sp.Case(query).expected.kind
    assert finding(refuses(kind), query).outcome == "pass"
    assert finding(refuses(None), query).outcome == "pass"
    assert not finding(refuses("samples"), query).conforms
    assert not finding(lambda request: np.zeros(3), query).conforms


def test_several_outputs_are_a_tuple_or_a_dict():
    query = "dml/*"
    options = {"ops": "directml.RandomGenerator"}
    as_dict = lambda request: dict(zip(request.outputs, request.run())) if len(request.outputs) > 1 else request.run()
    assert sp.judge(lambda request: request.run(), query, **options).conforms
    assert sp.judge(as_dict, query, **options).conforms
    first = sp.judge(lambda request: request.run()[:1] if len(request.outputs) > 1 else request.run(), query, **options)
    assert {finding.outcome for finding in first.failures} == {"protocol-error"}


def test_claims_choose_the_cases():
    result = sp.judge(
        lambda request: request.run(),
        ops="RandomUniform-8",
        dtypes=np.float16,
        where={"Alignment": "pytorch"},
        skip={"ru8/pytorch/f16/range-*": "ranges are for later"},
    )
    assert result.conforms and result.skipped
    assert all(finding.case.id.startswith("ru8/pytorch/f16/") for finding in result.findings)
    assert f"{len(result.skipped)} skipped: ranges are for later" in result.summary
    for wrong in [{"ops": "ru9"}, {"dtypes": "f31"}, {"reading": "torch"}, {"skip": "ru9/*"}, {"where": {"alinment": "PYTORCH"}}]:
        with pytest.raises(sp.InvalidArgument):
            sp.judge(lambda request: request.run(), **wrong)


def test_nothing_asked_is_no_success():
    with pytest.raises(sp.NotConforming, match="nothing was asked"):
        sp.assert_conforms(lambda request: request.run(), CASE, dtypes="f64")


def test_a_failure_has_its_diagnosis():
    def nine_rounds(request):
        return request.run()[..., ::-1]

    with pytest.raises(sp.NotConforming, match="explained by") as raised:
        sp.assert_conforms(nine_rounds, "ru8/tensorflow/f32/openvino-*", dtypes="f32")
    assert raised.value.result.failures
    case = sp.Case("ru8/tensorflow/f32/spec-example-1")
    found = sp.explain(case, case.expected.ravel()[::-1].reshape(3, 3))
    assert found.difference["index"] == 0 and found.difference["total"] == 9
    assert [cause["name"] for cause in found.causes()] == ["reversed"]


def test_other_readings_are_named_and_judged():
    ships = lambda request: request.run("openvino-core-2026.4")
    found = sp.judge(ships, "ru8/*", ops="ru8", deadline=None)
    assert "other-reading" in {finding.outcome for finding in found.failures}
    assert sp.judge(ships, "ru8/*", ops="ru8", reading="openvino-core-2026.4", deadline=None).conforms


@pytest.mark.parametrize("deadline", [None, 30.0])
def test_interrupts_end_a_judgement(deadline):
    def slow(request):
        time.sleep(0.2)
        return request.run()

    timer = threading.Timer(0.5, _thread.interrupt_main)
    timer.start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        sp.judge(slow, deadline=deadline)
    assert time.monotonic() - began < 5


def test_interrupts_end_a_draw():
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        while time.monotonic() - began < 20:
            sp.random_uniform((1 << 24,), 0, 1, dtype="f64", seed=1, alignment="PYTORCH", reading="torch-1.13")


OUT = np.zeros((1, 1 << 14), np.int64)


def long_draw(out):
    """As many steps as a draw may take: some tenths of a second."""
    return sp.multinomial(np.ones((1, 1 << 15)), 1 << 14, dtype="i64", seed=1, out=out)


@pytest.mark.parametrize(
    "draw",
    [
        # They take seconds.
        lambda out: [long_draw(out) for _ in range(1000)],
        lambda _: sp.mt19937(1, 1 << 28),
        lambda _: [sp.random_uniform((1 << 26,), 0, 1, dtype="f64", seed=1, alignment="PYTORCH") for _ in range(1000)],
    ],
)
@pytest.mark.parametrize("out", [None, OUT])
def test_signals_end_a_long_draw_of_spec(draw, out):
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        draw(out)
    assert time.monotonic() - began < 5
    # Nothing is written any more.
    before = OUT.copy()
    time.sleep(0.1)
    assert (before == OUT).all()


def test_out_that_another_call_fills_is_an_exception():
    out = np.zeros_like(OUT)
    fast = lambda out: sp.multinomial(np.ones((1, 2)), 1 << 14, dtype="i64", seed=1, with_replacement=True, out=out)
    ended = threading.Event()

    def fill():
        while not ended.is_set():
            with contextlib.suppress(sp.InvalidArgument):
                long_draw(out)

    thread = threading.Thread(target=fill)
    thread.start()
    try:
        for same in [out, out[:]]:
            began = time.monotonic()
            with pytest.raises(sp.InvalidArgument, match="out is being filled by another call"):
                while time.monotonic() - began < 20:
                    fast(same)
                    # Without a pause, this loop holds the array so often that the other call never gets it.
                    time.sleep(0.001)
    finally:
        ended.set()
        thread.join()
    assert fast(out) is out


def test_an_interrupt_in_a_function_is_raised_at_once():
    def interrupts(request):
        raise KeyboardInterrupt

    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        sp.judge(interrupts, "ru8/tensorflow/f32/range-*", deadline=60.0)
    assert time.monotonic() - started < 30
