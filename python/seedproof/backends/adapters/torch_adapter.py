"""PyTorch on the CPU: Tensor.uniform_ and Tensor.random_ on a generator seeded with global_seed, and, where the release has
them, the functions of torch.func._random.

Install: pip install torch==2.15.0, or install_torch.py, which leaves the CUDA packages out
Usage:   torch_adapter.py    (ATEN_CPU_CAPABILITY=default in the environment: without fused multiply-add)
"""

import torch

from seedproof_adapter import Rejected, Request, Tensor, serve

try:
    import torch.func._random as keyed
except ImportError:
    keyed = None

NAMES = {"f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64"}
NAMES.update({f"i{width}": f"int{width}" for width in (8, 16, 32, 64)})
NAMES.update({f"u{width}": f"uint{width}" for width in (8, 16, 32, 64)})
# Older releases lack some.
TYPES = {name: getattr(torch, full) for name, full in NAMES.items() if hasattr(torch, full)}


def array(tensor):
    if not tensor.data:
        return torch.empty(tensor.shape, dtype=TYPES[tensor.dtype])
    return torch.frombuffer(bytearray(tensor.data), dtype=TYPES[tensor.dtype]).reshape(tensor.shape)


def number(tensor):
    """A bound or a parameter as the number that PyTorch takes for it."""
    # PyTorch takes a number of Python, so that the form is checked here; which of several faults is refused first is open.
    if tensor.dtype != "f64" or tensor.shape:
        raise Rejected(None, "bounds, means and standard deviations are single numbers of f64")
    return array(tensor).item()


def bits_of(tensor):
    """The bytes of the elements. NumPy, which has no bf16, has no array of large extents either, empty as it may be."""
    return tensor.contiguous().reshape(-1).view(torch.uint8).numpy().tobytes() if tensor.numel() else b""


def stateless(request):
    """A function of torch.func._random. A bound that is left out is None, the limit of the type."""
    attrs = request.attrs
    key = request.inputs["key"]
    try:
        dtype = getattr(torch, NAMES[key.dtype])
        words = torch.frombuffer(bytearray(key.data), dtype=dtype) if key.data else torch.empty(0, dtype=dtype)
        key = words.reshape(key.shape)
        if request.op == "torch.philox_key_split":
            output = keyed.split(key, int(attrs["num_splits"]))
        elif request.op == "torch.philox_key_fold_in":
            output = keyed.fold_in(key, int(attrs["data"]))
        else:
            if request.op == "torch.philox_randint":
                numbers = {bound: int(attrs[bound]) if bound in attrs else None for bound in ("low", "high")}
            else:
                numbers = {name: number(tensor) for name, tensor in request.inputs.items() if name != "key"}
            draw = getattr(keyed, request.op.removeprefix("torch.philox_"))
            dtype = getattr(torch, NAMES[attrs["output_type"]])
            output = draw(key, *attrs["output_sizes"], **numbers, dtype=dtype)
    except (RuntimeError, ValueError, TypeError, OverflowError, KeyError, AttributeError) as error:
        raise Rejected(None, str(error).splitlines()[0][:300]) from error
    name = next(name for name, full in NAMES.items() if getattr(torch, full) == output.dtype)
    return {"output": Tensor(name, list(output.shape), bits_of(output))}


def normal(request):
    """Tensor.normal_ of one generator, as often as the execution says."""
    generator = torch.Generator().manual_seed(int(request.attrs["seed"]))
    mean, std = (number(request.inputs[name]) for name in ("mean", "std"))
    name = request.attrs["output_type"]
    try:
        output = torch.empty(request.attrs["output_sizes"], dtype=TYPES[name])
        for _ in range(request.execution + 1):
            output.normal_(mean, std, generator=generator)
    except (RuntimeError, NotImplementedError, KeyError) as error:
        raise Rejected(None, str(error).splitlines()[0][:300]) from error
    return {"output": Tensor(name, list(output.shape), bits_of(output))}


def run(request: Request):
    if request.op == "torch.normal_":
        return normal(request)
    if request.op.startswith("torch."):
        return stateless(request)
    name = request.attrs["output_type"]
    dtype = TYPES[name]
    shape = array(request.inputs["shape"]).tolist()
    low, high = (array(request.inputs[bound]).item() for bound in ("minval", "maxval"))
    seed = int(request.attrs["global_seed"])
    generator = torch.Generator().manual_seed(seed)
    try:
        output = torch.empty(shape, dtype=dtype)
    except RuntimeError as error:
        raise Rejected("shape", str(error).splitlines()[0]) from error
    try:
        for _ in range(request.execution + 1):
            if dtype.is_floating_point:
                output.uniform_(low, high, generator=generator)
            else:
                output.random_(low, high, generator=generator)
    except RuntimeError as error:
        raise Rejected("range", str(error).splitlines()[0]) from error
    return {"output": Tensor(name, shape, bits_of(output))}


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
    capabilities = [{"op": "openvino.RandomUniform-8", "alignment": ["PYTORCH"], "features": ["execution"]}]
    capabilities.append({"op": "torch.normal_", "output_type": ["f16", "bf16", "f32"], "features": ["execution"]})
    # 2.13 has the functions and no kernel for the CPU.
    if keyed and tuple(map(int, torch.__version__.split(".")[:2])) >= (2, 14):
        ops = {"key_split": "split", "key_fold_in": "fold_in", "uniform": "uniform", "normal": "normal", "randint": "randint"}
        names = [name for name, function in ops.items() if hasattr(keyed, function)]
        types = {"normal": {"output_type": ["f16", "bf16", "f32"]}}
        capabilities += [{"op": f"torch.philox_{name}", **types.get(name, {})} for name in names]
    serve(implementation, capabilities, run)
