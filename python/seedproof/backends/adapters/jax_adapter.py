"""JAX: jax.random, and XLA's generators as StableHLO's rng_bit_generator and as DirectML's generator.

Install: pip install jax==0.10.2 jaxlib==0.10.2
Usage:   jax_adapter.py [--disable-jit] [--x32] [--cuda]

--disable-jit runs jax.random op by op; --x32 leaves jax_enable_x64 off, which is JAX's default. --cuda
draws on a GPU of NVIDIA (pip install jax[cuda13]) and not on the CPU.
jax.lax.rng_bit_generator casts its key, so the op is compiled from its StableHLO text.
"""

import os
import sys

PLATFORM = "cuda" if "--cuda" in sys.argv else "cpu"
os.environ["JAX_PLATFORMS"] = PLATFORM
# Several children share a GPU, of which JAX would take three quarters for the first.
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

import jax

X64 = "--x32" not in sys.argv
jax.config.update("jax_enable_x64", X64)
jax.config.update("jax_disable_jit", "--disable-jit" in sys.argv)

import numpy as np
from jaxlib import xla_client

from seedproof_adapter import Rejected, Request, Tensor, Unsupported, check_random_generator, serve
from stablehlo_text import bit_generator_module, numbers

DEVICES = jax.devices(PLATFORM)[:1]


def generate(state, algorithm, dtype, sizes):
    """The bytes of the output, and the state after it."""
    text = bit_generator_module(state, algorithm, dtype, sizes)
    options = xla_client.CompileOptions()
    program = DEVICES[0].client.compile_and_load(text, xla_client.DeviceList(tuple(DEVICES)), options)
    outputs = program.execute_sharded([jax.device_put(numbers(state))]).disassemble_into_single_device_arrays()
    after, bits = (np.asarray(output[0]) for output in outputs)
    return bits.tobytes(), after


def bit_generator(request):
    state, attrs = request.inputs["initial_state"], request.attrs
    try:
        bits, after = generate(state, attrs["rng_algorithm"], attrs["output_type"], attrs["output_sizes"])
    except (jax.errors.JaxRuntimeError, ValueError, TypeError) as error:
        raise Rejected(None, str(error)[:300]) from error
    outputs = {"output": Tensor(attrs["output_type"], attrs["output_sizes"], bits)}
    return {**outputs, "output_state": Tensor("u64", state.shape, after.tobytes())}


def random_generator(request):
    check_random_generator(request)
    state, sizes = request.inputs["input_state"], request.attrs["output_sizes"]
    low, high, key = np.frombuffer(state.data, np.uint64)
    words = Tensor("u64", [3], np.array([key, low, high], np.uint64).tobytes())
    bits, after = generate(words, "PHILOX", "u32", [int(np.prod(sizes, dtype=np.int64))])
    outputs = {"output": Tensor("u32", sizes, bits)}
    if request.attrs["output_state"]:
        outputs["output_state"] = Tensor("u32", state.shape, after[[1, 2, 0]].tobytes())
    return outputs


TYPES = {
    "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64", "i8": "int8", "i16": "int16", "i32": "int32",
    "i64": "int64", "f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64",
}  # fmt: skip


def array(tensor):
    return np.frombuffer(tensor.data, jax.numpy.dtype(TYPES[tensor.dtype])).reshape(tensor.shape)


def scalar(request, name, dtype):
    tensor = request.inputs[name]
    # JAX converts and broadcasts bounds; the op takes a scalar of the output's type.
    if tensor.dtype != dtype:
        raise Rejected("dtype", f"{name} is of {tensor.dtype}")
    if tensor.shape:
        raise Rejected("shape", f"{name} is not a scalar")
    return jax.numpy.asarray(array(tensor))

# The types that each function has without jax_enable_x64.
NARROW = {
    "bits": ["u8", "u16", "u32"],
    "uniform": ["f16", "bf16", "f32"],
    "normal": ["f16", "bf16", "f32"],
    "randint": ["i8", "i16", "i32", "u8", "u16", "u32"],
}


def key_of(request):
    tensor, attrs = request.inputs["key"], request.attrs
    if tensor.dtype != "u32":
        raise Rejected("dtype", f"the key is of {tensor.dtype}")
    # A key with more extents is a batch of keys, which the op does not take.
    if len(tensor.shape) != 1:
        raise Rejected("shape", "the key is not a list of words")
    try:
        return jax.random.wrap_key_data(jax.numpy.asarray(array(tensor)), impl=attrs["impl"])
    except (TypeError, ValueError) as error:
        raise Rejected("shape", str(error)[:300]) from error


def drawn(request):
    """What jax.random answers, as an array of its own type."""
    attrs, name, random = request.attrs, request.op.split(".")[1], jax.random
    if attrs["impl"] not in ("threefry2x32", "rbg", "unsafe_rbg"):
        raise Rejected("attribute", "impl")
    if name == "key":
        return random.key_data(random.key(int(attrs["seed"]), impl=attrs["impl"]))
    jax.config.update("jax_threefry_partitionable", attrs["partitionable"])
    sizes, named = tuple(attrs.get("output_sizes", ())), attrs.get("output_type")
    dtype = TYPES.get(named)
    if named is not None and dtype is None:
        raise Rejected("attribute", "output_type")
    if not X64 and named in ("u64", "i64", "f64"):
        raise Unsupported("64-bit types need jax_enable_x64")
    if name == "split":
        return random.key_data(random.split(key_of(request), int(attrs["num"])))
    if name == "fold_in":
        return random.key_data(random.fold_in(key_of(request), int(attrs["data"])))
    if name == "bits":
        return random.bits(key_of(request), sizes, dtype)
    if name == "uniform":
        key = key_of(request)
        minval, maxval = (scalar(request, bound, named) for bound in ("minval", "maxval"))
        return random.uniform(key, sizes, dtype, minval, maxval)
    if name == "normal":
        return random.normal(key_of(request), sizes, dtype)
    if name == "gumbel":
        if named != "f32":
            raise Rejected("attribute", "the op has no other type than f32")
        return random.gumbel(key_of(request), sizes, dtype)
    if name == "categorical":
        key, logits = key_of(request), request.inputs["logits"]
        if logits.dtype != "f32":
            raise Rejected("dtype", f"logits are of {logits.dtype}")
        # JAX says of these that an index or an argument is wrong, of which neither is a shape.
        if logits.shape[-1:] in ([], [0]):
            raise Rejected("shape", f"logits have the shape {logits.shape}")
        return np.asarray(random.categorical(key, jax.numpy.asarray(array(logits)))).astype("int64")
    if name == "randint":
        return random.randint(key_of(request), sizes, int(attrs["minval"]), int(attrs["maxval"]), dtype)
    if name == "bernoulli":
        key = key_of(request)
        return random.bernoulli(key, scalar(request, "p", "f32"), sizes).astype("uint8")
    n = int(attrs["n"])
    if n >= 2**31:
        raise Unsupported("as many numbers do not fit into memory")
    return np.asarray(random.permutation(key_of(request), n)).astype("int64")


def jax_random(request):
    try:
        output = np.asarray(drawn(request))
    except OverflowError as error:
        raise Rejected("range" if request.op == "jax.randint" else "attribute", str(error)[:300]) from error
    except (TypeError, ValueError, jax.errors.JaxRuntimeError) as error:
        raise Rejected("attribute", str(error)[:300]) from error
    except Exception as error:
        # A negative number of keys is refused by MLIR, whose error has no public class.
        if "invalid tensor dimension" in str(error):
            raise Rejected("attribute", str(error)[:300]) from error
        raise
    dtype = next(name for name, it in TYPES.items() if it == str(output.dtype))
    return {"output": Tensor(dtype, list(output.shape), np.ascontiguousarray(output).tobytes())}


def run(request: Request):
    if request.op.startswith("jax."):
        return jax_random(request)
    return bit_generator(request) if request.op == "stablehlo.rng_bit_generator" else random_generator(request)


if __name__ == "__main__":
    implementation = {
        "name": "jax",
        "version": jax.__version__,
        "language": "c++",
        "device": DEVICES[0].device_kind,
        "homepage": "https://github.com/jax-ml/jax",
        "issues": "https://github.com/jax-ml/jax/issues",
    }
    functions = ["key", "split", "fold_in", "bits", "uniform", "randint", "bernoulli", "permutation"]
    functions += ["normal", "gumbel", "categorical"]
    if X64:
        generators = [
            {"op": "directml.RandomGenerator", "features": ["output_state"]},
            {"op": "stablehlo.rng_bit_generator"},
        ]
    else:
        generators = []
    narrow = {} if X64 else NARROW
    generators += [{"op": f"jax.{name}", **({"output_type": narrow[name]} if name in narrow else {})} for name in functions]
    serve(implementation, generators, run)
