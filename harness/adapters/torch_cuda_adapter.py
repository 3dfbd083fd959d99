"""PyTorch on a GPU of NVIDIA: uniform_, random_, bernoulli_ and normal_ on the device's generator.

Install: pip install torch==2.11.0
Usage:   torch_cuda_adapter.py

The geometry of the card is a part of each request; those of other cards are not claimed.
"""

import torch

from seedproof_adapter import Rejected, Tensor, Unsupported, serve
from torch_adapter import TYPES, array, bits_of, number

CARD = torch.cuda.get_device_properties(0)
GEOMETRY = (CARD.multi_processor_count, CARD.max_threads_per_multi_processor)
OPS = {
    "torch_cuda.uniform_": (["f16", "bf16", "f32", "f64"], ["from", "to"]),
    "torch_cuda.random_": (["i8", "i16", "i32", "i64", "u8"], []),
    "torch_cuda.bernoulli_": (["f16", "bf16", "f32", "f64", "i64", "u8"], ["p"]),
    "torch_cuda.normal_": (["f16", "bf16", "f32", "f64"], ["mean", "std"]),
}


def generator_at(attrs):
    """The device's generator at the offset of a request."""
    processors, threads = int(attrs["multiprocessors"]), int(attrs["threads_per_multiprocessor"])
    offset = int(attrs["offset"])
    if processors < 1 or threads < 256 or max(processors, threads) >= 2**32 or offset % 4 or not 0 <= offset < 2**64:
        raise Rejected("attribute", "no card or no offset")
    generator = torch.cuda.default_generators[0]
    # Past 2^63, either is its two's complement.
    generator.manual_seed((int(attrs["seed"]) + 2**63) % 2**64 - 2**63)
    generator.set_offset((offset + 2**63) % 2**64 - 2**63)
    return generator


def run(request):
    attrs, (types, inputs) = request.attrs, OPS[request.op]
    if attrs["output_type"] not in types:
        raise Rejected("attribute", f"`output_type` is {attrs['output_type']}")
    generator = generator_at(attrs)
    parameters = [number(request.inputs[name]) for name in inputs]
    if request.op == "torch_cuda.random_":
        if "to" in attrs:
            parameters = [int(attrs.get("from", 0)), int(attrs["to"])]
        elif "from" in attrs:
            parameters = [int(attrs["from"]), None]
    method = request.op.split(".")[1]
    try:
        output = torch.empty(attrs["output_sizes"], dtype=TYPES[attrs["output_type"]], device="cuda")
        output = getattr(output, method)(*parameters, generator=generator).cpu()
    except torch.cuda.OutOfMemoryError as error:
        raise Unsupported(str(error)[:300]) from error
    except (RuntimeError, ValueError, OverflowError, TypeError) as error:
        raise Rejected(None, str(error).splitlines()[0][:300]) from error
    return {"output": Tensor(attrs["output_type"], list(output.shape), bits_of(output))}


if __name__ == "__main__":
    implementation = {
        "name": "torch-cuda",
        "version": torch.__version__.split("+")[0],
        "language": "c++",
        "device": CARD.name,
        "homepage": "https://github.com/pytorch/pytorch",
        "issues": "https://github.com/pytorch/pytorch/issues",
    }
    card = {"multiprocessors": [str(GEOMETRY[0])], "threads_per_multiprocessor": [str(GEOMETRY[1])]}
    serve(implementation, [{"op": op, **card} for op in OPS], run)
