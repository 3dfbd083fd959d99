"""PyTorch's draws on CUDA and cuRAND's Philox in NumPy, with the mistakes that the variable BUG names, plus-joined.

Without BUG the adapter is right. cuda_kernels.json has the truth: the parts of each mistake, and the query that shows it. Normals,
which need CUDA's own logarithm, and cuRAND's numbers of f64 are left out.
"""

import math
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "adapters"))
from seedproof_adapter import Rejected, Tensor, Unsupported, serve

BUG = set(filter(None, os.environ.get("BUG", "").split("+")))
M32, S32 = np.uint64(0xFFFFFFFF), np.uint64(32)
FLOATS = ("f16", "bf16", "f32", "f64")
INTEGERS = {"i8": 8, "u8": 8, "i16": 16, "i32": 32, "i64": 64}
GREATEST = {"f16": 65504.0, "bf16": 3.3895313892515355e38, "f32": 3.4028234663852886e38, "f64": sys.float_info.max}


def philox(key, low, high):
    """The blocks at counters with these halves, one a row."""
    n = [low & M32, low >> S32, high & M32, high >> S32]
    k0, k1 = key & 0xFFFFFFFF, key >> 32
    for _ in range(7 if "seven" in BUG else 10):
        p, q = np.uint64(0xD2511F53) * n[0], np.uint64(0xCD9E8D57) * n[2]
        n = [q >> S32 ^ n[1] ^ np.uint64(k0), q & M32, p >> S32 ^ n[3] ^ np.uint64(k1), p & M32]
        k0, k1 = k0 + 0x9E3779B9 & 0xFFFFFFFF, k1 + 0xBB67AE85 & 0xFFFFFFFF
    return np.stack(n, 1)


def threads(attrs, count):
    size = 128 if "block128" in BUG else 256
    held = 2048 if "held2048" in BUG else int(attrs["threads_per_multiprocessor"])
    most = int(attrs["multiprocessors"]) * (held // size)
    needed = max(1, count // size if "floor" in BUG else -(-count // size))
    if "quarter" in BUG:
        needed = max(1, -(-count // (4 * size)))
    return (needed if "unbounded" in BUG else max(1, min(needed, most))) * size


def drawn(attrs, count, parts):
    """The words of each element: one of four of a block, or two of them."""
    element, t = np.arange(count, dtype=np.uint64), np.uint64(threads(attrs, count))
    seed, offset, parts = int(attrs["seed"]), int(attrs["offset"]), np.uint64(parts)
    if "offset32" in BUG:
        offset &= 0xFFFFFFFF
    before = offset if "blocks" in BUG else offset // 4
    if "keyed" in BUG:
        seed, before = seed + offset & 2**64 - 1, 0
    before = np.uint64(before)
    if "onestream" in BUG:
        blocks = philox(seed, before + element // parts, element * np.uint64(0))
        part = element % parts
    else:
        turn, thread = element // t, element % t
        if "neighbours" in BUG:
            turn, thread = element // parts // t * parts + element % parts, element // parts % t
        lap, part = turn // parts, turn % parts
        if "everylap" in BUG:
            lap, part = turn, turn * np.uint64(0)
        if "fourlaps" in BUG:
            lap = lap * np.uint64(4)
        low, high = before + lap, thread
        if "threadlow" in BUG:
            low, high = high, low
        if "thread32" in BUG:
            low, high = low | thread << S32, high * np.uint64(0)
        blocks = philox(seed, low, high)
    width = 4 // int(parts)
    if "lastfirst" in BUG:
        part = parts - np.uint64(1) - part
    at = part.astype(np.int64) * width
    return [blocks[np.arange(count), at + i] for i in range(width)]


def single(attrs, count):
    word = drawn(attrs, count, 4)[0]
    if "whole" in BUG:
        return ((word.astype(np.float64) + 0.5) * 2.0**-32).astype(np.float32)
    if "digits23" in BUG:
        return ((word >> np.uint64(9)).astype(np.float32) + np.float32(0.5)) * np.float32(2.0**-23)
    half = 0.0 if "fromzero" in BUG else 2.0**-33
    return word.astype(np.float32) * np.float32(2.0**-32) + np.float32(half)


def double(attrs, count):
    if "shortdouble" in BUG:
        return single(attrs, count).astype(np.float64)
    x, y = drawn(attrs, count, 2)
    if "doublehigh" in BUG:
        return ((x << S32 | y) >> np.uint64(11)).astype(np.float64) * 2.0**-53 + 2.0**-54
    return (x ^ y << np.uint64(21)).astype(np.float64) * 2.0**-53 + 2.0**-54


def narrowed(dtype, x):
    """The nearest numbers of a type, as f64."""
    with np.errstate(over="ignore"):
        if dtype == "f64":
            return np.asarray(x, np.float64)
        x = np.asarray(x).astype(np.float32)
        if dtype == "f16":
            return x.astype(np.float16).astype(np.float64)
    if dtype == "bf16":
        word = x.view(np.uint32)
        x = (word + np.uint32(0x7FFF) + (word >> np.uint32(16) & np.uint32(1)) & np.uint32(0xFFFF0000)).view(np.float32)
    return x.astype(np.float64)


def fused(dtype, u, by, plus):
    """u * by + plus, rounded once."""
    if dtype != "f64":
        # The product of two f32 is exact in f64, and the sum is rounded to odd before it is rounded to f32.
        product = u.astype(np.float64) * by
        total = product + plus
        other = total - product
        error = (product - (total - other)) + (plus - other)
        word = total.view(np.int64)
        away = np.where((error > 0) == (total > 0), 1, -1)
        word = np.where((error != 0) & (word & 1 == 0), word + np.where(total == 0, 0, away), word)
        return word.view(np.float64).astype(np.float32)
    from fractions import Fraction

    if not (math.isfinite(by) and math.isfinite(plus)):
        return u * by + plus
    exact = [Fraction(float(x)) * Fraction(by) + Fraction(plus) for x in u]
    return np.array([float(x) if x else 0.0 + plus for x in exact])


def uniform(request, dtype, count):
    attrs = request.attrs
    low, high = (scalar(request, name) for name in ("from", "to"))
    greatest = GREATEST[dtype]
    if not (abs(low) <= greatest and abs(high) <= greatest and low <= high and high - low <= greatest):
        raise Rejected("range", "bounds")
    low, high = (float(narrowed(dtype, np.array([x]))[0]) for x in (low, high))
    u = double(attrs, count) if dtype == "f64" else single(attrs, count)
    by = high - low if dtype == "f64" else float(np.float32(high) - np.float32(low))
    by = float(narrowed(dtype, np.array([by]))[0])
    if "halfunit" in BUG:
        u = narrowed(dtype, u).astype(u.dtype)
    if "rangeless" in BUG:
        by = high
    if "twice" in BUG:
        value = (u * u.dtype.type(by)).astype(u.dtype) + u.dtype.type(low)
    elif "mixed" in BUG:
        value = ((1 - u) * u.dtype.type(low)).astype(u.dtype) + (u * u.dtype.type(high)).astype(u.dtype)
    else:
        value = fused(dtype, u, by, low)
    value = narrowed(dtype, value)
    return value if "closed" in BUG else np.where(value == high, low, value)


def bounds(attrs, dtype):
    """The least integer, how many there are, and whether they take two words."""
    bits = INTEGERS[dtype]
    last_of_type = 2 ** (bits - (dtype[0] == "i")) - 1
    first_of_type = last_of_type + 1 - 2**bits
    low, high = (None if attrs.get(name) is None else int(attrs[name]) for name in ("from", "to"))
    if low is None and high is None:
        return 0, last_of_type + 1, dtype == "i64"
    if low == -(2**63) and high is None:
        return 0, 2**64, True
    if high is not None and high > 2**63 - 1:
        raise Rejected("range", "to")
    low, last = low or 0, last_of_type if high is None else high - 1
    if low > last or low < first_of_type or last > last_of_type:
        raise Rejected("range", "bounds")
    count = last - low + 1
    return low, count, count >= 2 ** (32 if "bits32" in BUG else 28)


def integers(attrs, dtype, count):
    low, number, wide = bounds(attrs, dtype)
    if number == 2**64 and dtype != "i64" and count:
        raise Rejected("range", "64 bits")
    if "inclusive" in BUG and attrs.get("to") is not None:
        number += 1
    if wide:
        first, second = drawn(attrs, count, 2)
        word = second << S32 | first if "lowhigh" in BUG else first << S32 | second
        word = word if number == 2**64 else word % np.uint64(number)
    else:
        word = drawn(attrs, count, 4)[0]
        if "multiplied" in BUG:
            word = word * np.uint64(number) >> S32
        elif "mask" in BUG:
            word &= np.uint64(2 ** (number - 1).bit_length() - 1)
            word = np.where(word >= np.uint64(number), word - np.uint64(number), word)
        else:
            word %= np.uint64(number)
    values = word + np.uint64(low & 2**64 - 1)
    return values.astype("<u%d" % (INTEGERS[dtype] // 8)).tobytes()


def bernoulli(request, dtype, count):
    p = scalar(request, "p")
    if not 0 <= p <= 1:
        raise Rejected("range", "p")
    u = double(request.attrs, count) if dtype == "f64" else single(request.attrs, count)
    p = u.dtype.type(p)
    if "orequal" in BUG:
        return u <= p
    return u > 1 - p if "upper" in BUG else u < p


def curand(attrs, count):
    """Words of cuRAND's host generator: 2^16 subsequences take turns."""
    output, subsequences = np.arange(count, dtype=np.uint64), 2 ** (12 if "few" in BUG else 16)
    start = int(attrs["offset"])
    if "wholeblocks" in BUG:
        start -= start % 4
    if "offset32" in BUG:
        start &= 0xFFFFFFFF
    starts = [start + i for i in (0, max(count - 1, 0))]
    if starts[1] >= 2**64:
        turns = np.array([(start + i) // 4 for i in range(count)], np.uint64)
    else:
        turns = (np.uint64(start) + output) // np.uint64(4)
    part = ((start % 4 + output) % np.uint64(4)).astype(np.int64)
    low, high = turns // np.uint64(subsequences), turns % np.uint64(subsequences)
    if "turnlow" in BUG:
        low, high = high, low
    return philox(int(attrs["seed"]), low, high)[np.arange(count), part]


def run_curand(request):
    attrs = request.attrs
    kind, dtype = attrs["distribution"], attrs["output_type"]
    if kind not in ("bits", "uniform", "normal"):
        raise Rejected("attribute", "distribution")
    if dtype not in (("u32",) if kind == "bits" else ("f32", "f64")):
        raise Rejected("attribute", "output_type")
    if kind == "normal" or dtype == "f64":
        raise Unsupported(f"{kind} of {dtype}")
    if any(request.inputs.get(name) is not None for name in ("mean", "stddev")):
        raise Rejected("attribute", "mean")
    count = int(attrs["num"])
    if not 0 <= count < 2**63:
        raise Rejected("attribute", "num")
    words = curand(attrs, count)
    if kind == "bits":
        return {"output": Tensor("u32", [count], words.astype("<u4").tobytes())}
    if "digits24" in BUG:
        u = (words >> np.uint64(8)).astype(np.float32) * np.float32(2.0**-24)
    else:
        u = words.astype(np.float32) * np.float32(2.0**-32) + np.float32(2.0**-33)
    return {"output": Tensor("f32", [count], u.astype("<f4").tobytes())}


def scalar(request, name):
    tensor = request.inputs[name]
    if tensor.dtype != "f64":
        raise Rejected("dtype", name)
    if tensor.shape:
        raise Rejected("shape", name)
    return tensor.values()[0]


def packed(dtype, shape, x):
    if dtype in INTEGERS:
        return {"output": Tensor(dtype, shape, x.astype("<i8").view(np.uint64).astype("<u%d" % (INTEGERS[dtype] // 8)).tobytes())}
    if dtype == "bf16":
        data = (x.astype(np.float32).view(np.uint32) >> np.uint32(16)).astype("<u2").tobytes()
    else:
        data = x.astype({"f16": "<f2", "f32": "<f4", "f64": "<f8"}[dtype]).tobytes()
    return {"output": Tensor(dtype, shape, data)}


def run(request):
    if request.op == "curand.Philox4_32_10":
        return run_curand(request)
    attrs, op = request.attrs, request.op
    dtype, shape = attrs["output_type"], attrs["output_sizes"]
    types = {"torch_cuda.uniform_": FLOATS, "torch_cuda.random_": tuple(INTEGERS)}.get(op, (*FLOATS, "i64", "u8"))
    if dtype not in types:
        raise Rejected("attribute", "output_type")
    if int(attrs["offset"]) not in range(0, 2**64, 4):
        raise Rejected("attribute", "offset")
    card = [int(attrs[name]) for name in ("multiprocessors", "threads_per_multiprocessor")]
    if not (0 < card[0] < 2**32 and 256 <= card[1] < 2**32):
        raise Rejected("attribute", "a card")
    count = math.prod(shape)
    if count > 10**7:
        raise Unsupported("as many elements")
    if op == "torch_cuda.random_":
        return {"output": Tensor(dtype, shape, integers(attrs, dtype, count))}
    if op == "torch_cuda.uniform_":
        return packed(dtype, shape, uniform(request, dtype, count))
    return packed(dtype, shape, bernoulli(request, dtype, count).astype(np.float64 if dtype in FLOATS else np.int64))


if __name__ == "__main__":
    ops = [{"op": f"torch_cuda.{name}_"} for name in ("uniform", "random", "bernoulli")]
    ops += [{"op": "curand.Philox4_32_10", "distribution": ["bits", "uniform"], "output_type": ["u32", "f32"]}]
    name = "cuda-kernel-" + ("+".join(sorted(BUG)) or "right")
    serve({"name": name, "version": "0.1", "language": "python"}, ops, run)
