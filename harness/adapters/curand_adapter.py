"""cuRAND's host generator of Philox4_32_10, which draws on the CPU and needs no GPU.

Install: pip install nvidia-curand==10.4.5.25 nvidia-cuda-runtime==13.5.37
Usage:   curand_adapter.py
"""

import ctypes
import importlib.metadata
import importlib.util
from pathlib import Path

from seedproof_adapter import Rejected, Tensor, Unsupported, serve

PHILOX4_32_10 = 161
ALLOCATION_FAILED = 102
WIDTH = {"u32": 4, "f32": 4, "f64": 8}
PARAMETER = {"f32": ctypes.c_float, "f64": ctypes.c_double}
FUNCTIONS = {
    ("bits", "u32"): "curandGenerate",
    ("uniform", "f32"): "curandGenerateUniform",
    ("uniform", "f64"): "curandGenerateUniformDouble",
    ("normal", "f32"): "curandGenerateNormal",
    ("normal", "f64"): "curandGenerateNormalDouble",
}


def loaded(name):
    """A library of an installed package. Its symbols are for those that are loaded later, which do not find it by themselves."""
    for folder in importlib.util.find_spec("nvidia").submodule_search_locations:
        for path in sorted(Path(folder).glob(f"*/lib/{name}")):
            return ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL)
    raise SystemExit(f"{name} is in no package")


loaded("libcudart.so.*")
CURAND = loaded("libcurand.so.*")


def call(function, *arguments):
    status = getattr(CURAND, function)(*arguments)
    if status == ALLOCATION_FAILED:
        raise Unsupported("there is no memory for it")
    if status != 0:
        raise Rejected(None, f"{function} returned the status {status}")


def parameter(request, name, dtype, absent):
    """The mean or the standard deviation, an argument of the C function and so of one type and no extents."""
    tensor = request.tensor(name, [dtype], 0, 8)
    if tensor and tensor.shape != []:
        raise Rejected("shape", f"{name} has the shape {tensor.shape}")
    return PARAMETER[dtype](tensor.values()[0] if tensor else absent)


def run(request):
    kind, dtype, num = request.attrs["distribution"], request.attrs["output_type"], request.number("num")
    if (kind, dtype) not in FUNCTIONS:
        raise Rejected("attribute", f"the library has no {kind} of {dtype}")
    if not 0 <= num < 2**63:
        raise Rejected("attribute", f"num is {num}")
    parameters = []
    if kind == "normal":
        parameters = [parameter(request, "mean", dtype, 0), parameter(request, "stddev", dtype, 1)]
    elif request.inputs:
        raise Rejected("attribute", f"the function for {kind} takes no {next(iter(request.inputs))}")
    try:
        output = ctypes.create_string_buffer(max(num * WIDTH[dtype], 1))
    except (MemoryError, OverflowError):
        raise Unsupported(f"an output of {num} elements") from None
    generator = ctypes.c_void_p()
    call("curandCreateGeneratorHost", ctypes.byref(generator), PHILOX4_32_10)
    try:
        call("curandSetPseudoRandomGeneratorSeed", generator, ctypes.c_ulonglong(request.number("seed")))
        call("curandSetGeneratorOffset", generator, ctypes.c_ulonglong(request.number("offset")))
        call(FUNCTIONS[kind, dtype], generator, output, ctypes.c_size_t(num), *parameters)
    finally:
        CURAND.curandDestroyGenerator(generator)
    return {"output": Tensor(dtype, [num], output.raw[: num * WIDTH[dtype]])}


if __name__ == "__main__":
    implementation = {
        "name": "curand",
        "version": importlib.metadata.version("nvidia-curand"),
        "language": "c++",
        "device": "CPU",
        "homepage": "https://docs.nvidia.com/cuda/curand",
    }
    serve(implementation, [{"op": "curand.Philox4_32_10", "features": ["mean", "stddev"]}], run)
