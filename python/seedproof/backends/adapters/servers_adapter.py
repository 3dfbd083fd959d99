"""vLLM, SGLang and Triton: their own kernels, on a GPU of NVIDIA or in Triton's interpreter on a CPU.

Install: pip install triton==3.9.0 torch==2.15.0, and vllm==0.33.0 and sglang==0.5.23 with --no-deps
Usage:   servers_adapter.py vllm | sglang | triton

The packages themselves import half of CUDA; their kernels need only torch and Triton, so their files are loaded one by one.
"""

import ast
import importlib.metadata
import importlib.util
import os
import sys
import types

import numpy as np
import torch

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
if DEVICE == "cpu" and os.environ.get("TRITON_INTERPRET") != "1":
    # Triton reads this when it is imported.
    if "triton" in sys.modules:
        sys.exit("Triton is imported already and PyTorch sees no GPU: set TRITON_INTERPRET=1 before Python starts")
    os.environ["TRITON_INTERPRET"] = "1"

import triton
import triton.language as tl

from seedproof_adapter import Rejected, Tensor, serve

TYPES = {"f32": torch.float32, "f64": torch.float64, "i64": torch.int64, "u64": torch.uint64, "u32": torch.uint32}
WIDTH = {"f32": 4, "f64": 8, "i64": 8, "u64": 8, "u32": 4}


def left(package, lacks):
    """Ends where an installed package is not as this file expects it."""
    sys.exit(f"{package} {importlib.metadata.version(package)} {lacks}, where its kernels are in {VERSIONS[package]}")


def source(package, *path):
    """The path of a file of an installed package, which is not imported."""
    found = importlib.util.find_spec(package)
    if found is None:
        sys.exit(f"{package} is not installed here: pip install --no-deps {package}")
    file = os.path.join(found.submodule_search_locations[0], *path)
    if not os.path.exists(file):
        left(package, f"has no {'/'.join(path)}")
    return file


def loaded(name, path, package):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except ImportError as error:
        # Another version may have moved a part of its kernels, and says that a stub lacks it, or that it is not installed.
        left(package, f"needs {error.name} in {os.path.basename(path)}")
    return module


def vllm_kernels():
    path = source("vllm", "v1", "worker", "gpu", "sample", "gumbel.py")
    stubs = {name: types.ModuleType(name) for name in ("vllm", "vllm.triton_utils")}
    stubs["vllm.triton_utils"].tl, stubs["vllm.triton_utils"].triton = tl, triton
    # A process that tests a server has imported the real modules, and goes on with them.
    before = {name: sys.modules.get(name) for name in stubs}
    sys.modules.update(stubs)
    try:
        return loaded("vllm_gumbel", path, "vllm")
    finally:
        for name, module in before.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module


def sglang_kernels():
    path = source("sglang", "kernels", "ops", "sampling", "murmur_hash.py")
    hashes = loaded("sglang_murmur_hash", path, "sglang")

    def murmur_hash32(seed, positions, columns):
        # The function of the package takes a compiled kernel for tensors of a CPU.
        output = torch.empty((len(seed), len(columns)), dtype=torch.uint32, device=DEVICE)
        grid = (len(seed), triton.cdiv(len(columns), 1024))
        hashes.murmur_hash32_kernel[grid](seed, positions, columns, output, *output.shape, BLOCK_SIZE=1024)
        return output

    # The file of the sampler imports the server, so that its one function is taken out of it, and not what decorates it, which
    # compiles it where the server says so.
    with open(source("sglang", "srt", "layers", "sampler.py"), encoding="utf-8") as file:
        functions = [it for it in ast.parse(file.read()).body if getattr(it, "name", "") == "multinomial_with_seed"]
    if not functions:
        left("sglang", "has no multinomial_with_seed in srt/layers/sampler.py")
    functions[0].decorator_list = []
    names = {"torch": torch, "murmur_hash32": murmur_hash32}
    exec(compile(ast.Module(functions, []), "sampler.py", "exec"), names)
    return murmur_hash32, names["multinomial_with_seed"]


# The versions that this file was written for.
VERSIONS = {"vllm": "0.33.0", "sglang": "0.5.23"}
FAMILY = sys.argv[1] if len(sys.argv) > 1 else "triton"
GUMBEL = vllm_kernels() if FAMILY == "vllm" else None
MURMUR, MULTINOMIAL = sglang_kernels() if FAMILY == "sglang" else (None, None)


@triton.jit
def draw(output, seed, offset, count, RAND: tl.constexpr, BLOCK: tl.constexpr):
    lane = tl.arange(0, BLOCK)
    offsets = tl.load(offset) + lane.to(tl.int64)
    value = tl.rand(tl.load(seed), offsets) if RAND else tl.randint(tl.load(seed), offsets)
    tl.store(output + lane, value, mask=lane < count)


@triton.jit
def uniform(output, seed, pos, count, WIDE: tl.constexpr, BLOCK: tl.constexpr):
    lane = tl.arange(0, BLOCK)
    if WIDE:
        value = GUMBEL.murmur3_uniform64(tl.load(seed), tl.load(pos), lane)
    else:
        value = GUMBEL.murmur3_uniform32(tl.load(seed), tl.load(pos), lane)
    tl.store(output + lane, value, mask=lane < count)


def given(request, name, dtype, shape):
    """An input as a tensor. The kernels take pointers, and check neither types nor extents."""
    tensor = request.inputs[name]
    if tensor.dtype != dtype:
        raise Rejected("dtype", f"{name} is of {tensor.dtype}")
    if shape is not None and tensor.shape != shape:
        raise Rejected("shape", f"{name} has the shape {tensor.shape}")
    words = torch.frombuffer(bytearray(tensor.data) or bytearray(8), dtype=TYPES[dtype])
    return words[: len(tensor.data) // WIDTH[dtype]].reshape(tensor.shape).to(DEVICE)


def count_of(request, name):
    count = int(request.attrs[name])
    if not 0 <= count < 2**63:
        raise Rejected("attribute", f"{name} is {count}")
    return count


def rows_of(request, name):
    rows = given(request, name, "f32", None)
    if rows.dim() != 2 or rows.shape[1] == 0:
        raise Rejected("shape", name)
    return rows


def answer(request):
    if request.op == "vllm.gumbel_sample":
        logits = rows_of(request, "logits")
        rows = [len(logits)]
        temperature = given(request, "temperature", "f32", rows)
        if not bool(((temperature >= 0) & torch.isfinite(temperature)).all()):
            raise Rejected("range", "vLLM refuses such a temperature before it samples")
        seed, pos = (given(request, name, "i64", rows) for name in ("seed", "pos"))
        index = torch.arange(rows[0], dtype=torch.int32, device=DEVICE)
        attrs = request.attrs
        return GUMBEL.gumbel_sample(
            logits, index, temperature, seed, pos, True, attrs["is_drafting"], use_fp64=attrs["use_fp64"]
        )
    if request.op == "sglang.multinomial_with_seed":
        logprobs = rows_of(request, "logprobs")
        seed, positions = (given(request, name, "i64", [len(logprobs)]) for name in ("seed", "positions"))
        return MULTINOMIAL(logprobs, seed, positions)
    if request.op == "sglang.murmur_hash32":
        columns = count_of(request, "num_cols")
        seed = given(request, "seed", "u64", None)
        if seed.dim() != 1:
            raise Rejected("shape", "seed")
        return MURMUR(seed, given(request, "positions", "i64", [len(seed)]), torch.arange(columns, device=DEVICE))
    wide = request.op == "vllm.murmur3_uniform" and request.attrs["output_type"] == "f64"
    if request.op == "vllm.murmur3_uniform" and request.attrs["output_type"] not in ("f32", "f64"):
        raise Rejected("attribute", "output_type")
    count = count_of(request, "num")
    other = "pos" if FAMILY == "vllm" else "offset"
    seed, start = (given(request, name, "i64", []).reshape(1) for name in ("seed", other))
    is_rand = request.op == "triton.rand"
    dtype = torch.float64 if wide else torch.float32 if is_rand or FAMILY == "vllm" else torch.uint32
    output = torch.empty(count, dtype=dtype, device=DEVICE)
    block = triton.next_power_of_2(max(count, 2))
    if FAMILY == "vllm":
        uniform[(1,)](output, seed, start, count, WIDE=wide, BLOCK=block)
    else:
        draw[(1,)](output, seed, start, count, RAND=is_rand, BLOCK=block)
    return output


def run(request):
    with np.errstate(all="ignore"):
        output = answer(request)
    (name,) = (name for name, dtype in TYPES.items() if dtype == output.dtype)
    return {"output": Tensor(name, list(output.shape), output.cpu().numpy().tobytes())}


OPS = {
    "vllm": ["vllm.murmur3_uniform", "vllm.gumbel_sample"],
    "sglang": ["sglang.murmur_hash32", "sglang.multinomial_with_seed"],
    "triton": ["triton.rand", "triton.randint"],
}

if __name__ == "__main__":
    implementation = {
        "name": FAMILY,
        "version": importlib.metadata.version(FAMILY),
        "language": "python",
        "device": torch.cuda.get_device_name() if DEVICE == "cuda" else "CPU",
        "homepage": f"https://github.com/{ {'vllm': 'vllm-project/vllm', 'sglang': 'sgl-project/sglang', 'triton': 'triton-lang/triton'}[FAMILY] }",
    }
    serve(implementation, [{"op": op} for op in OPS[FAMILY]], run)
