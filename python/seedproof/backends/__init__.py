"""Ready functions for the judge: implementations that people have, as the adapters of the harness ask them.

Each returns a `Backend` for `judge`, `assert_conforms` and the fixture `seedproof_backend`. What it needs is imported when it is
made. The mapping of requests to each framework stands in `adapters`, once: the harness runs the same files as programs over a pipe.
"""

from __future__ import annotations

import importlib
import json
import os
import runpy
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from .. import _native
from ..errors import Rejected, SeedproofError, Unsupported

__all__ = ["Backend", "jax", "onnxruntime", "openvino", "sglang", "tensorflow", "torch", "triton", "vllm"]

ADAPTERS = Path(__file__).parent / "adapters"


class Backend:
    """An implementation: a function of a request that says itself what it claims.

    Attributes:
        name: The implementation and its version.
        implementation: What its adapter says of it: version, device, homepage.
        claims: Takes a request and returns None, or why it is not claimed.
    """

    def __init__(self, protocol, implementation: dict[str, Any], capabilities: list[dict[str, Any]], run):
        self.protocol = protocol
        self.implementation = implementation
        self.name = self.__name__ = f"{implementation['name']}-{implementation['version']}"
        self.claims = _native.Claims(json.dumps(capabilities))
        self.run = run

    def __call__(self, request) -> dict[str, Any]:
        protocol = self.protocol
        try:
            outputs = self.run(protocol.Request(request.op, _attributes(request), self._inputs(request), request.execution))
        except protocol.Rejected as error:
            raise Rejected(error.kind, str(error)) from error
        except protocol.Unsupported as error:
            raise Unsupported(str(error)) from error
        return {name: _array(tensor) for name, tensor in outputs.items()}

    def __repr__(self) -> str:
        return f"<Backend {self.name}>"

    def _inputs(self, request):
        tensors = {}
        for name, array in request.inputs.items():
            dtype = _native.dtype_name(array.dtype)
            # Without ml_dtypes the bits of bfloat16 are in uint16.
            dtype = "bf16" if dtype == "u16" and request.filed_type == "bf16" else dtype
            tensors[name] = self.protocol.Tensor(dtype, list(array.shape), array.tobytes())
        return tensors


def _attributes(request) -> dict[str, Any]:
    """The attributes as the protocol has them: numbers as texts, extents as lists."""
    plain = {}
    for name, value in request.attributes.items():
        if isinstance(value, tuple):
            value = list(value)
        elif isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        plain[name] = value
    return plain


NUMPY = {"bf16": "uint16", "f16": "float16", "f32": "float32", "f64": "float64"}


def _array(tensor):
    name = NUMPY.get(tensor.dtype) or tensor.dtype.replace("u", "uint").replace("i", "int", tensor.dtype[0] == "i")
    return np.frombuffer(bytearray(tensor.data), name).reshape(tensor.shape)


class _Served(BaseException):
    """What an adapter would serve."""


@contextmanager
def _as_adapter(arguments):
    """The path and the arguments that an adapter is started with."""
    path, argv = list(sys.path), list(sys.argv)
    sys.path.insert(0, str(ADAPTERS))
    sys.argv[1:] = arguments
    try:
        yield importlib.import_module("seedproof_adapter")
    finally:
        sys.path[:], sys.argv[:] = path, argv


def _load(adapter: str, *arguments: str) -> Backend:
    with _as_adapter(arguments) as protocol:

        def served(implementation, capabilities, run, **options):
            raise _Served(implementation, capabilities, run)

        serve, protocol.serve = protocol.serve, served
        try:
            runpy.run_path(str(ADAPTERS / f"{adapter}.py"), run_name="__main__")
        except _Served as found:
            return Backend(protocol, *found.args)
        except ImportError as error:
            raise SeedproofError(f"{error.name} is not installed here: {error}") from error
        except SystemExit as left:
            raise SeedproofError(str(left)) from left
        finally:
            protocol.serve = serve
    raise SeedproofError(f"{adapter} serves nothing")


def openvino(device: str = "CPU", hint: str = "f32") -> Backend:
    """OpenVINO: its CPU plugin (`CPU`), with a hint for the precision, or what its core library evaluates (`core`).

    Raises:
        SeedproofError: It is not installed.
    """
    path = {"CPU": "cpu", "CORE": "core"}.get(device.upper())
    if path is None or hint not in ("f32", "f16"):
        raise SeedproofError(f"OpenVINO is asked on CPU or core, with the hint f32 or f16, not {device} with {hint}")
    return _load("openvino_adapter", path, *([] if hint == "f32" else ["--hint", hint]))


def onnxruntime() -> Backend:
    """ONNX Runtime on the CPU: ONNX's random ops, and the requests of OpenVINO's two that have one seed, as its ops have.

    Raises:
        SeedproofError: It is not installed, or `onnx`, which makes its models, is not.
    """
    return _load("onnxruntime_adapter")


def torch() -> Backend:
    """PyTorch on the CPU.

    Raises:
        SeedproofError: It is not installed.
    """
    return _load("torch_adapter")


def tensorflow() -> Backend:
    """TensorFlow on the CPU.

    Raises:
        SeedproofError: It is not installed.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
    return _load("tensorflow_adapter")


def jax() -> Backend:
    """JAX on the CPU, with 64-bit types, which its adapter turns on for the process.

    Raises:
        SeedproofError: It is not installed.
    """
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    return _load("jax_adapter")


def vllm() -> Backend:
    """vLLM's sampling kernels: `vllm.murmur3_uniform` and `vllm.gumbel_sample`.

    They run on a GPU, or in Triton's interpreter where PyTorch sees none. Their file alone is loaded, and not the server.

    Raises:
        SeedproofError: vLLM, Triton or PyTorch is not installed, that version keeps its kernels elsewhere, or Triton was
            imported before in a process without a GPU, when it is too late to turn its interpreter on.
    """
    return _load("servers_adapter", "vllm")


def sglang() -> Backend:
    """SGLang's sampling kernels: `sglang.murmur_hash32` and `sglang.multinomial_with_seed`; see `vllm` for where they run.

    Raises:
        SeedproofError: As for `vllm`.
    """
    return _load("servers_adapter", "sglang")


def triton() -> Backend:
    """Triton's `tl.rand` and `tl.randint` in a kernel of one block; see `vllm` for where it runs.

    Raises:
        SeedproofError: As for `vllm`.
    """
    return _load("servers_adapter", "triton")
