"""The plugin of pytest: an item for each case of a function under `conformance`, or of the fixture `seedproof_backend`."""

from __future__ import annotations

import datetime
import inspect
import shlex
import types
from pathlib import Path

import pytest

from . import _native
from ._conformance import MARK, Conformance
from ._function import Function
from ._judge import DEADLINE, Claims

FIXTURE = "seedproof_backend"
RUN = pytest.StashKey["Run"]()


def pytest_addoption(parser):
    group = parser.getgroup("seedproof")
    group.addoption("--seedproof-expect", metavar="FILE", help="an expectation file: known failures, each with its reason")
    group.addoption("--seedproof-report", metavar="FILE", help="write the page of all findings, as the program makes it")


def pytest_configure(config):
    config.addinivalue_line("markers", "seedproof: an item for one case of the corpus")
    config.addinivalue_line("markers", "seedproof_queries(*queries): the cases for which a test with seedproof_case runs")
    config.stash[RUN] = Run(config)


class Run:
    """What one process of pytest finds, and what it holds its findings against."""

    def __init__(self, config):
        self.config = config
        self.judges: dict[str, Judge] = {}
        self.logs: list[tuple[str, str]] = []
        # What the failures have in common, by function and process.
        self.causes: list[str] = []
        self.parametrized = 0
        self.report = config.getoption("--seedproof-report")
        path = config.getoption("--seedproof-expect")
        try:
            self.expectations = _native.Expectations(path, Path(path).read_text()) if path else None
        except (OSError, ValueError) as error:
            raise pytest.UsageError(f"--seedproof-expect: {error}") from error

    def log(self) -> str | None:
        """The event log of this process, if anything was judged."""
        judges = [judge for judge in self.judges.values() if judge.session is not None]
        if not judges:
            return None
        judged = [(judge.session, judge.findings, judge.selected or self.parametrized) for judge in judges]
        worker = getattr(self.config, "workerinput", None)
        shard = None
        if worker is not None:
            shard = int(worker["workerid"].removeprefix("gw")) + 1, worker["workercount"]
        # Every worker collects all items, so that one of them says which of these are left out.
        collected = [judge.left_out for judge in self.judges.values() if shard is None or shard[0] == 1]
        skipped = [judge.skipped for judge in self.judges.values()]
        left_out = [line for lines in collected + skipped for line in lines]
        command = shlex.join(["pytest", *map(str, self.config.invocation_params.args)])
        date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M:%S UTC")
        keyword = self.config.getoption("keyword", "")
        return _native.log(judged, command, date, [keyword] if keyword else [], shard, left_out)


class Judge:
    """The judge of one function, which all of its items share."""

    def __init__(self, mark: Conformance, name: str):
        self.mark = mark
        self.name = name
        self.asked: Function | None = None
        self.session = None
        self.findings: list = []
        # Those of them that are failures of a test: an expected one is not.
        self.failures: list = []
        # The number of items that were collected for it, and those of them that a mark skips.
        self.selected = 0
        self.left_out: list[tuple[str, str, str]] = []
        # The cases that turned out not to be for it when they ran.
        self.skipped: list[tuple[str, str, str]] = []

    def judge(self, function, case):
        if self.session is None:
            self.asked = Function(function, self.mark.deadline)
            mark = self.mark
            self.session = _native.Session(self.name, self.asked, mark.claims, mark.reading, mark.strict_nan)
        # A fixture may make another object for each item.
        self.asked.renew(function)
        finding = self.session.judge(case)
        if finding is not None:
            self.findings.append(finding)
        return finding


class NotAsConformance(Exception):
    """A failure whose text says everything, and its reason in a line."""

    def __init__(self, text, reason=None):
        super().__init__(text)
        self.reason = reason or text.partition("\n")[0]


class _Failure:
    """What pytest prints of a failure: its text, and in the summary its reason. pytest asks for these names alone."""

    def __init__(self, error, path, line):
        self.text = str(error)
        self.reprcrash = types.SimpleNamespace(path=str(path), lineno=line, message=error.reason)

    def toterminal(self, terminal):
        terminal.line(self.text)

    def __str__(self):
        return self.text


def pytest_pycollect_makeitem(collector, name, obj):
    mark = getattr(obj, MARK, None)
    if isinstance(mark, Conformance) and inspect.isroutine(obj):
        return Group.from_parent(collector, name=name, function=obj, mark=mark)
    return None


class Group(pytest.Collector):
    """The cases of one function."""

    def __init__(self, name, parent, function, mark):
        super().__init__(name, parent)
        self.function = function
        self.mark = mark
        code = getattr(inspect.unwrap(function), "__code__", None)
        self.line = code.co_firstlineno - 1 if code is not None else 0

    def collect(self):
        path = self.nodeid.replace("::", "/").replace("\\", "/")
        judge = Judge(self.mark, self.mark.name)
        run = self.config.stash[RUN]
        taken = run.judges.get(judge.name)
        if taken is not None:
            judge = Judge(self.mark, path)
        run.judges[judge.name] = judge
        cases = self.mark.claims.cases(self.mark.queries)
        yield Whole.from_parent(self, name="claims", judge=judge, cases=[case for case, _ in cases])
        for case, reason in cases:
            yield Item.from_parent(self, name=case.id, function=self.function, judge=judge, case=case, reason=reason)


class Whole(pytest.Item):
    """What is asked of all cases together: that there are any, and that no expectation is stale."""

    def __init__(self, name, parent, judge, cases):
        super().__init__(name, parent)
        self.judge = judge
        self.cases = cases
        self.add_marker("seedproof")

    def runtest(self):
        check_whole(self.config, self.judge.name, self.cases)

    def repr_failure(self, excinfo, style=None):
        return _failure(self, excinfo) or super().repr_failure(excinfo, style)

    def reportinfo(self):
        return self.path, self.parent.line, f"{self.parent.name}::{self.name}"


class Item(pytest.Item):
    """One case."""

    def __init__(self, name, parent, function, judge, case, reason):
        super().__init__(name, parent)
        self.function = function
        self.judge = judge
        self.case = case
        self.reason = reason
        self.add_marker("seedproof")
        if reason is not None:
            self.add_marker(pytest.mark.skip(reason=reason))

    def runtest(self):
        check_case(self.config, self.judge, self.function, self.case)

    def repr_failure(self, excinfo, style=None):
        return _failure(self, excinfo) or super().repr_failure(excinfo, style)

    def reportinfo(self):
        return self.path, self.parent.line, f"{self.parent.name}::{self.name}"


def _failure(item, excinfo):
    if not isinstance(excinfo.value, NotAsConformance):
        return None
    return _Failure(excinfo.value, item.path, item.parent.line)


def check_whole(config, name, cases):
    """Fails if a function claims nothing, or if an expectation matches none of its cases."""
    if not cases:
        raise NotAsConformance(f"{name} was not tested: it claims no case of the corpus")
    run = config.stash[RUN]
    if run.expectations is not None:
        stale = run.expectations.stale(name, cases)
        # A file may be about several functions; an entry of another one names it.
        stale = [line for line in stale if "::" not in line.split("`")[1] or f"`{name}::" in line]
        if stale:
            raise NotAsConformance("\n".join(stale))


def check_case(config, judge, function, case):
    """Judges one case; fails, or is expected to."""
    finding = judge.judge(function, case)
    run = config.stash[RUN]
    if finding is None:
        reason = f"the case says nothing about the reading {judge.mark.reading}"
        judge.skipped.append((judge.name, case.id, reason))
        pytest.skip(reason)
    if run.expectations is not None:
        today = datetime.date.today()
        expected, violations = run.expectations.review(finding, today.isoformat())
        if violations:
            raise NotAsConformance("\n".join([*violations, "" if finding.conforms else finding.text]))
        if expected is not None:
            pytest.xfail(expected)
    if not finding.conforms:
        judge.failures.append(finding)
        reason, text = finding.told()
        raise NotAsConformance(text, reason)


@pytest.fixture(scope="session")
def seedproof_backend():
    """The function that a test with `seedproof_case` judges; a suite defines its own in conftest.py."""
    raise NotAsConformance(f"define a fixture `{FIXTURE}` that returns a function of a request")


@pytest.fixture
def seedproof_case(request, seedproof_backend):
    """Judges one case of the corpus on the fixture `seedproof_backend`; a test that takes it runs once for each case."""
    case = request.param
    run = request.config.stash[RUN]
    name = getattr(seedproof_backend, "__name__", FIXTURE)
    mark = getattr(seedproof_backend, MARK, None)
    mark = mark or Conformance(Claims.of(function=seedproof_backend), (), "spec", False, DEADLINE, name)
    judge = run.judges.setdefault(name, Judge(mark, name))
    if (reason := mark.claims(case.request)) is not None:
        judge.skipped.append((judge.name, case.id, reason))
        pytest.skip(reason)
    check_case(request.config, judge, seedproof_backend, case)
    return case


def pytest_generate_tests(metafunc):
    if "seedproof_case" in metafunc.fixturenames:
        marker = metafunc.definition.get_closest_marker("seedproof_queries")
        cases = _native.cases(*(marker.args if marker else ()))
        metafunc.parametrize("seedproof_case", cases, ids=[case.id for case in cases], indirect=True)


def pytest_collection_finish(session):
    """Counts what is to be judged, after `-k` and other plugins have chosen."""
    for item in session.items:
        if isinstance(item, Item):
            item.judge.selected += 1
            if item.reason is not None:
                item.judge.left_out.append((item.judge.name, item.case.id, item.reason))
        elif "seedproof_case" in getattr(getattr(item, "callspec", None), "params", {}):
            session.config.stash[RUN].parametrized += 1


def pytest_sessionfinish(session):
    run = session.config.stash.get(RUN, None)
    if run is None:
        return
    for judge in run.judges.values():
        if judge.asked is not None:
            judge.asked.close()
        if judge.failures:
            passes = [finding for finding in judge.findings if finding.conforms]
            run.causes += _native.causes(judge.name, passes + judge.failures)
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["seedproof_causes"] = run.causes
    if run.report is None:
        return
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["seedproof_log"] = run.log()
        return
    log = run.log()
    if log is not None:
        run.logs.append(("this process", log))
    if run.logs:
        path = Path(run.report)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_native.page(run.logs), encoding="utf-8")


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node, error):
    output = getattr(node, "workeroutput", {})
    node.config.stash[RUN].causes += [f"{node.gateway.id}: {line}" for line in output.get("seedproof_causes", [])]
    log = output.get("seedproof_log")
    if log is not None:
        node.config.stash[RUN].logs.append((node.gateway.id, log))


def pytest_terminal_summary(terminalreporter, config):
    run = config.stash[RUN]
    for line in run.causes:
        terminalreporter.write_line(line)
    if run.report is not None and run.logs:
        terminalreporter.write_line(f"report: {run.report}")
