import subprocess
import sys

import pytest

import seedproof as sp

# The readings that explain what ships here; the tests are left out where it is not installed.
SHIPS = {"openvino": "openvino-c", "torch": "torch-", "tensorflow": "tensorflow-", "jax": "spec"}


@pytest.mark.parametrize("name", SHIPS)
def test_backends_answer_as_their_readings(name):
    pytest.importorskip(name)
    backend = getattr(sp.backends, name)()
    result = sp.judge(backend, "*/*/f32/*", "dml/*", "*/*/i32/*", deadline=None)
    assert len(result.findings) > 5 and backend.implementation["version"] in result.name
    explained = {"pass", "other-reading"}
    wrong = [finding for finding in result.failures if finding.outcome not in explained]
    assert len(wrong) <= len(result.findings) // 20, [repr(finding) for finding in wrong]


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
