"""PyTorch on the CPU: Tensor.uniform_ and Tensor.random_ on a generator seeded with global_seed.

Install: pip install torch==2.15.0, or install_torch.py, which leaves the CUDA packages out
Usage:   torch_adapter.py    (ATEN_CPU_CAPABILITY=default in the environment: without fused multiply-add)
"""

import torch

from seedproof_adapter import Rejected, Request, Tensor, serve

TYPES = {
    "f16": (torch.float16, torch.int16),
    "bf16": (torch.bfloat16, torch.int16),
    "f32": (torch.float32, torch.int32),
    "f64": (torch.float64, torch.int64),
    "i32": (torch.int32, torch.int32),
    "i64": (torch.int64, torch.int64),
}


def array(tensor):
    if not tensor.data:
        return torch.empty(tensor.shape, dtype=TYPES[tensor.dtype][0])
    return torch.frombuffer(bytearray(tensor.data), dtype=TYPES[tensor.dtype][0]).reshape(tensor.shape)


def run(request: Request):
    name = request.attrs["output_type"]
    dtype, bits = TYPES[name]
    shape = array(request.inputs["shape"]).tolist()
    low, high = (array(request.inputs[bound]).item() for bound in ("minval", "maxval"))
    seed = int(request.attrs["global_seed"])
    generator = torch.Generator().manual_seed(seed)
    output = torch.empty(shape, dtype=dtype)
    try:
        for _ in range(request.execution + 1):
            if dtype.is_floating_point:
                output.uniform_(low, high, generator=generator)
            else:
                output.random_(low, high, generator=generator)
    except RuntimeError as error:
        raise Rejected("range", str(error).splitlines()[0]) from error
    raw = output.view(bits) if output.dim() else output.reshape(1).view(bits)
    return {"output": Tensor(name, shape, bytes(raw.numpy().tobytes()))}


if __name__ == "__main__":
    capability = getattr(getattr(torch.backends, "cpu", None), "get_cpu_capability", lambda: "?")()
    implementation = {
        "name": "torch",
        "version": torch.__version__,
        "language": "c++",
        "device": f"CPU capability {capability}",
        "homepage": "https://github.com/pytorch/pytorch",
        "issues": "https://github.com/pytorch/pytorch/issues",
    }
    serve(implementation, [{"op": "openvino.RandomUniform-8", "alignment": ["PYTORCH"], "features": ["execution"]}], run)
