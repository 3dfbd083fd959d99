"""The plugin, on functions that are right and on functions that are wrong."""

import re

import pytest

RIGHT = """
    import numpy as np
    import seedproof as sp

    @sp.conformance("ru8/tensorflow/f32/spec-*", "ru8/tensorflow/f32/range-*", ops="ru8", dtypes=["f32"], name="mine")
    def test_mine(request):
        return request.run()
"""
WRONG = RIGHT.replace("return request.run()", "return request.run() * np.float32(1.5)")


def test_each_case_is_an_item(pytester):
    pytester.makepyfile(RIGHT)
    result = pytester.runpytest("-v")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*test_mine::claims PASSED*", "*ru8/tensorflow/f32/spec-example-1 PASSED*"])
    only = pytester.runpytest("-k", "spec-example-1")
    only.assert_outcomes(passed=1, deselected=only.parseoutcomes()["deselected"])


def test_failures_have_the_text_of_the_program(pytester):
    pytester.makepyfile(WRONG)
    result = pytester.runpytest("-k", "spec-example-1")
    result.assert_outcomes(failed=1, deselected=result.parseoutcomes()["deselected"])
    result.stdout.fnmatch_lines(["mine *ru8/tensorflow/f32/spec-example-1*fail", "  9 of 9 elements differ*"])
    result.stdout.no_fnmatch_line("*plugin.py*")


def test_items_spread_over_processes(pytester):
    pytest.importorskip("xdist")
    pytester.makepyfile(WRONG)
    result = pytester.runpytest_subprocess("-n2", "--seedproof-report", "out/report.html")
    outcomes = result.parseoutcomes()
    assert outcomes["failed"] > 5 and outcomes["passed"] >= 1
    page = (pytester.path / "out" / "report.html").read_text()
    assert "spec-example-1" in page and "mine" in page


def test_the_page_is_written(pytester):
    pytester.makepyfile(WRONG)
    result = pytester.runpytest("--seedproof-report", "report.html")
    result.stdout.fnmatch_lines(["report: report.html"])
    assert (pytester.path / "report.html").read_text().lower().startswith("<!doctype html>")


EXPECT = """
schema: 1
expectations:
  - match: ["mine::ru8/tensorflow/f32/*"]
    outcome: fail
    reason: known since 2025
"""


def test_expected_failures_are_expected(pytester):
    pytester.makepyfile(WRONG)
    (pytester.path / "expect.yaml").write_text(EXPECT)
    result = pytester.runpytest("--seedproof-expect", "expect.yaml", "-rx")
    assert result.parseoutcomes()["xfailed"] > 5
    result.stdout.fnmatch_lines(["*known since 2025*"])


def test_expectations_that_do_not_hold_fail(pytester):
    pytester.makepyfile(RIGHT)
    (pytester.path / "expect.yaml").write_text(EXPECT)
    result = pytester.runpytest("--seedproof-expect", "expect.yaml")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*spec-example-1 passes*"])
    (pytester.path / "expect.yaml").write_text(EXPECT.replace("f32", "f99"))
    result = pytester.runpytest("--seedproof-expect", "expect.yaml")
    result.stdout.fnmatch_lines(["*`mine::ru8/tensorflow/f99/[*]` matches nothing*"])
    (pytester.path / "expect.yaml").write_text("schema: 7")
    result = pytester.runpytest("--seedproof-expect", "expect.yaml")
    assert result.ret == 4


def test_claims_that_are_too_large_fail(pytester):
    pytester.makepyfile(
        """
        import seedproof as sp

        @sp.conformance("ru8/tensorflow/f32/spec-*", ops="ru8")
        def test_more(request):
            raise sp.Unsupported("only f16 is here")

        @sp.conformance("ru8/tensorflow/f32/spec-*", dtypes="f64")
        def test_nothing(request):
            return request.run()

        @sp.conformance("ru8/tensorflow/f32/spec-*", skip={"ru8/*": "for later"})
        def test_later(request):
            return request.run()
        """
    )
    result = pytester.runpytest("-rs")
    result.stdout.fnmatch_lines(["*claim-broken*", "*test_nothing was not tested: it claims no case*", "*for later*"])
    assert result.ret == 1


def test_a_fixture_is_a_backend(pytester):
    pytester.makeconftest(
        """
        import pytest

        @pytest.fixture(scope="session")
        def seedproof_backend():
            def mine(request):
                return request.run()

            return mine
        """
    )
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.seedproof_queries("ru8/tensorflow/f32/spec-*")
        def test_case(seedproof_case):
            assert seedproof_case.id
        """
    )
    result = pytester.runpytest("-v")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*ru8/tensorflow/f32/spec-example-1*PASSED*"])


def test_a_fixture_may_have_a_reading_and_claims(pytester):
    pytester.makeconftest(
        """
        import pytest
        import seedproof as sp

        class Mine:
            __name__ = "mine"

            def claims(self, request):
                return None if request.dtype == "float32" else "only f32 is here"

            def __call__(self, request):
                return request.run("openvino-core-2026.4")

        @pytest.fixture(scope="session")
        def seedproof_backend():
            return sp.conformance(reading="openvino-core-2026.4")(Mine())
        """
    )
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.seedproof_queries("ru8/tensorflow/*/spec-*", "ru8/tensorflow/*/range-*")
        def test_case(seedproof_case):
            assert seedproof_case.id
        """
    )
    result = pytester.runpytest("-rs", "--strict-markers")
    outcomes = result.parseoutcomes()
    assert result.ret == 0 and outcomes["passed"] > 5 and outcomes["skipped"] > 5
    result.stdout.fnmatch_lines(["*only f32 is here*"])


def test_hostile_functions_are_failures(pytester):
    pytester.makepyfile(
        """
        import seedproof as sp

        @sp.conformance("ru8/tensorflow/f32/range-*", deadline=0.2)
        def test_hangs(request):
            while True:
                pass

        @sp.conformance("ru8/tensorflow/f32/spec-*")
        def test_exits(request):
            raise SystemExit(1)
        """
    )
    result = pytester.runpytest()
    result.stdout.fnmatch_lines(["*timeout*", "*the function raised SystemExit: 1*"])
    assert result.ret == 1


@pytest.mark.parametrize(("call", "outcome"), [("skip", "skipped"), ("xfail", "xfailed"), ("fail", "failed")])
def test_a_kernel_that_speaks_to_pytest_is_heard(pytester, call, outcome):
    speaks = RIGHT.replace("return request.run()", f"pytest.{call}('no device')")
    pytester.makepyfile(speaks.replace("import numpy as np", "import pytest"))
    result = pytester.runpytest("-k", "spec-example-1", "-rA")
    assert result.parseoutcomes()[outcome] == 1
    result.stdout.fnmatch_lines(["*no device*"])
    assert result.duration < 30


@pytest.mark.parametrize("options", [[], ["-n", "2"]])
def test_failures_end_with_their_cause(pytester, monkeypatch, options):
    # pytest cuts the reason where the line is full.
    monkeypatch.setenv("COLUMNS", "200")
    pytester.makepyfile(RIGHT.replace("return request.run()", "return np.flip(request.run())"))
    result = pytester.runpytest("-rf", *options)
    failures = result.parseoutcomes()["failed"]
    lines = [line for line in result.outlines if "explains" in line]
    explained = [re.search(r"mine: (\S+) explains (\d+) of (\d+) failures: ", line) for line in lines]
    assert sum(int(it[3]) for it in explained) == failures > 10
    assert all(it[2] == it[3] and it[1] == explained[0][1] for it in explained)
    if not options:
        summary = [line for line in result.outlines if line.startswith("FAILED ")]
        assert len(summary) == failures
        # A case alone may have another cause.
        assert sum(f" - {explained[0][1]}: " in line for line in summary) > failures // 2, summary[:3]
