import json
import subprocess
import sys
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

import seedproof as sp

ADAPTERS = Path(__file__).resolve().parents[2] / "harness" / "adapters"
# The ready backends, and the file of what is known of them; a test is left out where nothing is installed.
SHIPS = {"onnxruntime": None, "openvino": "openvino-cpu", "torch": None, "tensorflow": "tensorflow", "jax": None}


@pytest.mark.parametrize("name", SHIPS)
def test_failures_of_backends_are_those_of_a_reading_or_known(name):
    pytest.importorskip(name)
    backend = getattr(sp.backends, name)()
    result = sp.judge(backend, deadline=None)
    assert len(result.findings) > 100 and backend.implementation["version"] in result.name
    wrong = [finding for finding in result.failures if finding.outcome != "other-reading"]
    entries = []
    if SHIPS[name] is not None:
        path = ADAPTERS / "expectations" / f"{SHIPS[name]}.yaml"
        entries = json.loads(path.read_text(encoding="utf-8"))["expectations"]
    # Any entry may be about a finding: unwritten memory is sometimes the same twice, and sometimes not.
    is_known = lambda finding: any(
        entry["outcome"] == finding.outcome and any(fnmatchcase(finding.case.id, pattern) for pattern in entry["match"])
        for entry in entries
    )
    assert not [finding for finding in wrong if not is_known(finding)]


def test_backends_that_are_absent_say_so():
    program = (
        "import sys\n"
        "sys.modules['torch'] = None\n"
        "import seedproof as sp\n"
        "try:\n"
        "    sp.backends.torch()\n"
        "except sp.SeedproofError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert "torch is not installed here" in done.stdout
    with pytest.raises(sp.SeedproofError, match="CPU or core"):
        sp.backends.openvino("GPU")


def test_claims_are_those_of_the_protocol():
    claims = sp._native.Claims('[{"op": "openvino.RandomUniform-8", "alignment": ["PYTORCH"]}]')
    assert claims(sp.Case("ru8/pytorch/f32/range-negative").request) is None
    assert "alignment" in claims(sp.Case("ru8/tensorflow/f32/range-negative").request)
    with pytest.raises(sp.InvalidArgument):
        sp._native.Claims("[{}]")
