"""PyTorch on the CPU: its samplers, Tensor.uniform_ and Tensor.random_ on a seeded generator, and, where the release has
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


SAMPLERS = ["normal_", "bernoulli", "bernoulli_", "dropout", "randperm", "multinomial", "exponential_"]


def given(request, name):
    """An input of floats."""
    tensor = request.inputs[name]
    if tensor.dtype not in ["f16", "bf16", "f32", "f64"]:
        raise Rejected("dtype", f"`{name}` is of {tensor.dtype}")
    return array(tensor)


def sampled(request, generator):
    """One call of a sampler."""
    attrs, name = request.attrs, request.op.removeprefix("torch.")
    types = {
        "normal_": ["f16", "bf16", "f32"],
        "bernoulli_": ["f16", "bf16", "f32", "f64", "i64", "u8"],
        "exponential_": ["f16", "bf16", "f32", "f64"],
        "randperm": ["i32", "i64"],
    }
    if name in types and attrs["output_type"] not in types[name]:
        raise Rejected("attribute", f"`output_type` is {attrs['output_type']}")
    dtype = TYPES.get(attrs.get("output_type"))
    if name == "normal_":
        mean, std = (number(request.inputs[parameter]) for parameter in ("mean", "std"))
        return torch.empty(attrs["output_sizes"], dtype=dtype).normal_(mean, std, generator=generator)
    if name == "bernoulli":
        return torch.bernoulli(given(request, "p"), generator=generator)
    if name == "bernoulli_":
        p = number(request.inputs["p"])
        return torch.empty(attrs["output_sizes"], dtype=dtype).bernoulli_(p, generator=generator)
    if name == "exponential_":
        rate = number(request.inputs["lambd"])
        return torch.empty(attrs["output_sizes"], dtype=dtype).exponential_(rate, generator=generator)
    if name == "dropout":
        # The function draws from the default generator alone.
        return torch.dropout(given(request, "input"), number(request.inputs["p"]), True)
    if name == "randperm":
        return torch.randperm(int(attrs["n"]), generator=generator, dtype=dtype)
    weights = given(request, "weights")
    if weights.dim() == 0 or weights.dim() > 2 or weights.shape[-1] == 0:
        raise Rejected("shape", "`weights` has the wrong extents")
    return torch.multinomial(weights, int(attrs["num_samples"]), attrs["replacement"], generator=generator)


def sampler(request):
    """A sampler of one generator, called as often as the execution says."""
    generator = torch.default_generator
    # A seed past 2^63 is its two's complement.
    generator.manual_seed((int(request.attrs["seed"]) + 2**63) % 2**64 - 2**63)
    try:
        for _ in range(request.execution + 1):
            output = sampled(request, generator)
    except (RuntimeError, ValueError, OverflowError, TypeError) as error:
        raise Rejected(None, str(error).splitlines()[0][:300]) from error
    name = next(name for name, dtype in TYPES.items() if dtype == output.dtype)
    return {"output": Tensor(name, list(output.shape), bits_of(output))}


def run(request: Request):
    if request.op.removeprefix("torch.") in SAMPLERS:
        return sampler(request)
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
    release = tuple(map(int, torch.__version__.split(".")[:2]))
    types = {"normal_": {"output_type": ["f16", "bf16", "f32"]}}
    # No reading says what the other samplers of older releases draw.
    names = SAMPLERS if release >= (2, 12) else ["normal_"]
    capabilities += [{"op": f"torch.{name}", "features": ["execution"], **types.get(name, {})} for name in names]
    # 2.13 has the functions and no kernel for the CPU.
    if keyed and release >= (2, 14):
        ops = {"key_split": "split", "key_fold_in": "fold_in", "uniform": "uniform", "normal": "normal", "randint": "randint"}
        names = [name for name, function in ops.items() if hasattr(keyed, function)]
        types = {"normal": {"output_type": ["f16", "bf16", "f32"]}}
        capabilities += [{"op": f"torch.philox_{name}", **types.get(name, {})} for name in names]
    serve(implementation, capabilities, run)
