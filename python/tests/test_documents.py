"""Every block of Python in the documents runs, and so does every test in them that takes nothing."""

import inspect
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT.parent / "docs" / "python").glob("**/*.md"))]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_blocks_run(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", path.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert blocks
    names = {}
    for block in blocks:
        exec(compile(block, str(path), "exec"), names)
    for name, value in names.items():
        if name.startswith("test_") and not inspect.signature(value).parameters:
            value()
