"""Virtual environments in $SEEDPROOF_CACHE (~/.cache/seedproof), for what runs real implementations."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
RUNTIMES = ("openvino==2026.4.1", "onnx==1.23.2", "onnxruntime==1.31.1", "numpy==2.4.6")
CACHE = Path(os.environ.get("SEEDPROOF_CACHE", Path.home() / ".cache" / "seedproof"))


class NotRun(Exception):
    """Why an implementation cannot be run here."""


def call(*command, **options):
    print("+", shlex.join(map(str, command)), file=sys.stderr)
    done = subprocess.run([str(word) for word in command], check=False, stdout=sys.stderr, **options)
    if done.returncode != 0:
        words = shlex.join(map(str, command)).replace(str(CACHE), "$SEEDPROOF_CACHE").replace(f"{HERE}/", "")
        raise NotRun(f"`{words}` ended with status {done.returncode}")


def venv(name, *packages):
    """The folder of an environment with these packages."""
    folder = CACHE / name
    marker = folder / ".seedproof-packages"
    if not marker.exists() or marker.read_text() != "\n".join(packages):
        if not (folder / "bin" / "python").exists():
            call(sys.executable, "-m", "venv", folder)
        call(folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages)
        marker.write_text("\n".join(packages))
    return folder


def runtimes():
    """The folder of one environment for all that run these, which installs in a third of the time of several."""
    return venv("runtimes", *RUNTIMES)


def torch_environment(name, version, *packages):
    """The folder of an environment with this PyTorch, less its CUDA packages, and with these packages."""
    folder = CACHE / name
    if not list(folder.glob("lib/python3*/site-packages/torch/lib/libtorch_cpu.so")):
        if not shutil.which("readelf"):
            raise NotRun("readelf is absent: apt-get install binutils")
        call(sys.executable, HERE / "install_torch.py", folder, version)
    return venv(name, *packages) if packages else folder
