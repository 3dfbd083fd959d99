import importlib.util
import json
import os
import subprocess
import sys
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

import seedproof as sp

ADAPTERS = Path(__file__).resolve().parents[2] / "harness" / "adapters"
# The ready backends, and the file of what is known of them; a test is left out where nothing is installed.
SHIPS = {
    "onnxruntime": None,
    "openvino": "openvino-cpu",
    "torch": None,
    "tensorflow": "tensorflow",
    "jax": None,
    "vllm": None,
    "sglang": None,
    "triton": None,
}
# How many cases each is asked about at least.
ASKED = {"sglang": 60, "triton": 40}


@pytest.mark.parametrize("name", SHIPS)
def test_failures_of_backends_are_those_of_a_reading_or_known(name):
    # Importing a server needs half of CUDA, which its kernels do not.
    if importlib.util.find_spec(name) is None:
        pytest.skip(f"{name} is not installed here")
    backend = getattr(sp.backends, name)()
    result = sp.judge(backend, deadline=None)
    assert len(result.findings) >= ASKED.get(name, 100) and backend.implementation["version"] in result.name
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


def test_kernels_of_servers_say_what_they_lack(tmp_path):
    def error_of(version, before=""):
        """What `vllm()` says, with modules of which only the names are there."""
        installed = tmp_path / version
        for name in ("torch", "triton", "vllm"):
            (installed / name).mkdir(parents=True, exist_ok=True)
            (installed / name / "__init__.py").touch()
        (installed / "torch" / "__init__.py").write_text(
            "class cuda:\n    is_available = staticmethod(lambda: False)\n"
            "float32 = float64 = int64 = uint64 = uint32 = 0\n"
        )
        (installed / "triton" / "language.py").touch()
        (installed / f"vllm-{version}.dist-info").mkdir()
        (installed / f"vllm-{version}.dist-info" / "METADATA").write_text(f"Name: vllm\nVersion: {version}\n")
        program = f"{before}\nimport seedproof as sp\ntry:\n    sp.backends.vllm()\nexcept sp.SeedproofError as error:\n    print(error)\n"
        environment = {**os.environ, "PYTHONPATH": str(installed)}
        environment.pop("TRITON_INTERPRET", None)
        return subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True, env=environment).stdout

    assert "vllm is not installed here: pip install --no-deps vllm" in error_of("0.32", "import sys; sys.modules['vllm'] = None")
    assert "vllm 0.34 has no v1/worker/gpu/sample/gumbel.py, where its kernels are in 0.33.0" in error_of("0.34")
    gumbel = tmp_path / "0.36" / "vllm" / "v1" / "worker" / "gpu" / "sample"
    gumbel.mkdir(parents=True)
    (gumbel / "gumbel.py").write_text("from vllm.moved import noise\n")
    assert "vllm 0.36 needs vllm.moved in gumbel.py" in error_of("0.36")
    assert "set TRITON_INTERPRET=1 before Python starts" in error_of("0.35", "import triton")


def test_claims_are_those_of_the_protocol():
    claims = sp._native.Claims('[{"op": "openvino.RandomUniform-8", "alignment": ["PYTORCH"]}]')
    assert claims(sp.Case("ru8/pytorch/f32/range-negative").request) is None
    assert "alignment" in claims(sp.Case("ru8/tensorflow/f32/range-negative").request)
    with pytest.raises(sp.InvalidArgument):
        sp._native.Claims("[{}]")
