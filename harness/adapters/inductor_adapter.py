"""PyTorch's compiler on the CPU: the primitives of inductor that draw, compiled.

Install: pip install torch==2.15.0, or install_torch.py, which leaves the CUDA packages out; g++
Usage:   inductor_adapter.py

The draws are compiled once, for any number of elements: an element's block is its place in row-major order, whatever the extents.
"""

import math
import warnings

warnings.filterwarnings("ignore", category=UserWarning)

import torch
from torch._inductor import inductor_prims

from seedproof_adapter import Rejected, Tensor, Unsupported, serve

# A number of elements of 0 or 1, and of 2 and more, are compiled apart.
torch._dynamo.config.recompile_limit = 64


@torch.compile(dynamic=True, fullgraph=True)
def rand(count, seed):
    return inductor_prims.random([count], seed, "rand")


@torch.compile(dynamic=True, fullgraph=True)
def randn(count, seed):
    return inductor_prims.random([count], seed, "randn")


@torch.compile(dynamic=True, fullgraph=True)
def randint(count, seed, low, high):
    return inductor_prims.randint(low, high, [count], seed)


def bounds(request):
    low, high = (request.number(name) for name in ("low", "high"))
    # The kernel divides by the number of integers that there are, whatever it is.
    if not -(2**63) <= low < high < 2**63:
        raise Rejected("range", f"low is {low} and high {high}")
    return low, high


def run(request):
    is_integer = request.op == "inductor.randint"
    draw = randint if is_integer else {"rand": rand, "randn": randn}[request.one_of("mode", "rand", "randn")]
    given = bounds(request) if is_integer else ()
    seed = request.tensor("seed", ["i64"], 0, 8)
    if seed.shape != []:
        raise Rejected("shape", f"seed has the shape {seed.shape}")
    sizes = request.attrs["output_sizes"]
    count = math.prod(sizes)
    if count > 2**28 or any(size >= 2**63 for size in sizes):
        raise Unsupported(f"an output of {count} elements")
    output = draw(count, torch.tensor(seed.values()[0], dtype=torch.int64), *given)
    return {"output": Tensor("i64" if is_integer else "f32", sizes, output.numpy().tobytes())}


if __name__ == "__main__":
    implementation = {
        "name": "inductor",
        "version": torch.__version__,
        "language": "c++",
        "device": "CPU",
        "homepage": "https://github.com/pytorch/pytorch",
    }
    serve(implementation, [{"op": "inductor.random"}, {"op": "inductor.randint"}], run)
