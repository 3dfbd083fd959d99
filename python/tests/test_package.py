"""The package as a whole: its documents, its stub, its program."""

import ast
import doctest
import importlib
import inspect
import json
import pkgutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import seedproof as sp

MODULES = [f"seedproof.{module.name}" for module in pkgutil.iter_modules(sp.__path__)]
DOCUMENTED = [name for name in MODULES if not name.endswith(("__main__", "backends"))]


@pytest.mark.parametrize("name", ["seedproof", *DOCUMENTED])
def test_examples_are_true(name):
    module = importlib.import_module(name)
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    assert doctest.testmod(module, extraglobs={"np": np, "sp": sp}, optionflags=flags).failed == 0


def test_public_functions_have_a_document_and_an_example():
    for module in (sp, sp.lab):
        for name in module.__all__:
            value = getattr(module, name)
            if callable(value):
                assert value.__doc__, name
            if inspect.isroutine(value):
                tests = doctest.DocTestFinder(recurse=False).find(value, name, False)
                assert tests and tests[0].examples, f"{name} has no example"


def test_the_stub_has_every_name():
    stub = ast.parse((Path(sp.__file__).parent / "_native.pyi").read_text())
    described = {node.name: node for node in stub.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    native = sp._native
    names = {name for name in dir(native) if not name.startswith("__") and callable(getattr(native, name))}
    assert names == set(described)
    for name, node in described.items():
        if isinstance(node, ast.ClassDef):
            members = {it.name for it in node.body if isinstance(it, ast.FunctionDef) and not it.name.startswith("_")}
            assert members == {it for it in vars(getattr(native, name)) if not it.startswith("_")}, name


def program(*arguments):
    return subprocess.run([sys.executable, "-m", "seedproof", *arguments], check=False, capture_output=True, text=True)


def test_the_program_is_the_same(tmp_path):
    done = program("run", "--backend", "reference", "--out", str(tmp_path), "ru8/tensorflow/f32/spec-*")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "index.html").exists()
    assert program("--version").stdout.split()[1] == sp.__version__
    assert program("--no-such-option").returncode == 2
    assert program("list", "ru8/nothing").returncode == 5


def test_the_program_and_the_package_have_the_same_cases():
    assert program("list").stdout.split() == [case.id for case in sp.cases()]


# A reading is compared on one op that it answers, and `spec` on all.
@pytest.mark.parametrize(
    ("reading", "queries"),
    [
        ("spec", []),
        ("openvino-core-2026.4", ["ru8/*"]),
        ("tensorflow-xla-2.21", ["tfsu/*"]),
        ("torch-2.15-stateless", ["tku/*"]),
    ],
)
def test_the_program_and_the_package_say_the_same_of_every_case(reading, queries, tmp_path):
    log = tmp_path / "events.jsonl"
    backend = "reference" if reading == "spec" else f"readings/{reading}"
    program("run", "--backend", backend, "--events", str(log), "--out", str(tmp_path), *queries)
    events = [json.loads(line) for line in log.read_text().splitlines()]
    found = {event["case"]: event["outcome"] for event in events if event["event"] == "finding"}
    ours = sp.judge(lambda request: request.run(reading), *queries, deadline=None)
    # What a reading does not answer, a function without claims claims all the same.
    words = {"claim-broken": "unsupported"}
    assert {it.case.id: words.get(it.outcome, it.outcome) for it in ours.findings} == found
    assert reading != "spec" or set(found.values()) == {"pass"}
