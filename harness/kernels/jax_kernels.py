"""JAX's keys and draws and ONNX's two drafts in NumPy, with the mistakes that the variable BUG names, plus-joined.

Without BUG the adapter is right. jax_kernels.json has the truth: the parts of each mistake, and the query that shows it.
"""

import math
import os
import sys
from fractions import Fraction

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "adapters"))
from seedproof_adapter import Rejected, Tensor, serve

BUG = set(filter(None, os.environ.get("BUG", "").split("+")))
M32, S32 = np.uint64(0xFFFFFFFF), np.uint64(32)
WIDTH = {"u8": 8, "i8": 8, "u16": 16, "i16": 16, "u32": 32, "i32": 32, "u64": 64, "i64": 64}
MANTISSA = {"f16": 10, "bf16": 7, "f32": 23, "f64": 52}
KEYED = ["jax.split", "jax.fold_in", "jax.bits", "jax.uniform", "jax.randint", "jax.bernoulli", "jax.permutation"]


def threefry(key, x0, x1):
    k = [int(key[0]), int(key[1])]
    k.append(k[0] ^ k[1] ^ 0x1BD11BDA)
    x = [x0.astype(np.uint32), x1.astype(np.uint32)]
    if "nofirst" not in BUG:
        x = [x[0] + np.uint32(k[0]), x[1] + np.uint32(k[1])]
    for group in range(4 if "sixteen" in BUG else 5):
        for r in ((13, 15, 26, 6), (17, 29, 16, 24))[group % 2]:
            x[0] = x[0] + x[1]
            r = 32 - r if "rotr" in BUG else r
            x[1] = (x[1] << np.uint32(r) | x[1] >> np.uint32(32 - r)) ^ x[0]
        x[0] = x[0] + np.uint32(k[(group + 1) % 3])
        x[1] = x[1] + np.uint32((k[(group + 2) % 3] + group + ("inject" not in BUG)) & 0xFFFFFFFF)
    return x


def pairs(key, count):
    i = np.arange(count, dtype=np.uint64)
    high, low = i >> S32, i & M32
    return threefry(key, low, high) if "counterswap" in BUG else threefry(key, high, low)


def original_words(key, m):
    c = np.arange(m + m % 2, dtype=np.uint64)
    if "padfront" in BUG and m % 2:
        c = np.concatenate([c[-1:] * np.uint64(0), np.arange(m, dtype=np.uint64)])
    elif m % 2:
        c[-1] = 0
    if "interleave" in BUG:
        return np.stack(threefry(key, c[0::2], c[1::2]), 1).reshape(-1)[:m]
    half = len(c) // 2
    return np.concatenate(threefry(key, c[:half], c[half:]))[:m]


def philox(key, counters):
    n = [np.array([c >> 32 * i & 0xFFFFFFFF for c in counters], np.uint64) for i in range(4)]
    k0, k1 = key & 0xFFFFFFFF, key >> 32 & 0xFFFFFFFF
    for _ in range(10):
        p, q = np.uint64(0xD2511F53) * n[0], np.uint64(0xCD9E8D57) * n[2]
        n = [q >> S32 ^ n[1] ^ np.uint64(k0), q & M32, p >> S32 ^ n[3] ^ np.uint64(k1), p & M32]
        k0, k1 = k0 + 0x9E3779B9 & 0xFFFFFFFF, k1 + 0xBB67AE85 & 0xFFFFFFFF
    return np.stack(n, 1).astype(np.uint32)


def rbg_blocks(key, numbers):
    k = [int(word) for word in key]
    low, high = k[2] | k[3] << 32, k[0] | k[1] << 32
    if "rbgkey" in BUG:
        low, high = high, low
    start = low | high << 64
    return philox(k[0] | k[1] << 32, [(start + i) % 2**128 for i in numbers])


def rbg_words(key, count):
    return rbg_blocks(key, range(-(-count // 4))).reshape(-1)[:count]


def is_original(attrs):
    flag = not attrs["partitionable"]
    return (flag or "original" in BUG) and "partitionable" not in BUG


def bits(attrs, key, width, count):
    """Unsigned numbers of a width."""
    kind = np.dtype(f"u{width // 8}")
    if attrs["impl"] != "threefry2x32":
        if width < 32 and "rbgpieces" in BUG:
            return rbg_words(key, -(-count * width // 32)).view(kind)[:count]
        words = rbg_words(key, count * max(1, width // 32))
        return words.view(kind) if width == 64 else words.astype(kind)
    if is_original(attrs):
        words = original_words(key, -(-width * count // 32))
        if width == 64:
            first, second = words[:count].astype(np.uint64), words[count:].astype(np.uint64)
            return second << S32 | first if "wideswap" in BUG else first << S32 | second
        return words.view(kind)[:count]
    if width < 32 and "packed" in BUG:
        a, b = pairs(key, -(-count * width // 32))
        return (a ^ b).view(kind)[:count]
    if width == 64 and "successive" in BUG:
        a, b = pairs(key, 2 * count)
        return (a ^ b).astype(np.uint64)[0::2] << S32 | (a ^ b)[1::2]
    a, b = pairs(key, count)
    if width == 64:
        a, b = (b, a) if "wideswap" in BUG else (a, b)
        return a.astype(np.uint64) << S32 | b
    word = a if "first" in BUG else a ^ b
    return (word >> np.uint32(32 - width) if "top" in BUG else word).astype(kind)


def split(attrs, key, count):
    if attrs["impl"] == "rbg":
        threefried = dict(attrs, impl="threefry2x32")
        return np.concatenate([split(threefried, key[:2], count), split(threefried, key[2:], count)], 1)
    if attrs["impl"] == "unsafe_rbg":
        stride = 1 if "stride" in BUG else 10
        return rbg_blocks(key, range(0, stride * count, stride)).reshape(count, 4)
    if is_original(attrs):
        words = original_words(key, 2 * count)
        return words.reshape(2, count).T if "columns" in BUG else words.reshape(count, 2)
    if "fromone" in BUG:
        return np.stack(pairs(key, count + 1), 1)[1:]
    return np.concatenate(pairs(key, count)).reshape(count, 2) if "planes" in BUG else np.stack(pairs(key, count), 1)


def fold_in(attrs, key, data):
    if attrs["impl"] == "rbg":
        threefried = dict(attrs, impl="threefry2x32")
        return np.concatenate([fold_in(threefried, key[:2], data), fold_in(threefried, key[2:], data)])
    if attrs["impl"] == "unsafe_rbg":
        other = seeded("unsafe_rbg", data)
        return key ^ rbg_blocks(other, [0 if "foldblock" in BUG else 9])[0]
    x = np.array([0], np.uint64), np.array([data], np.uint64)
    if "foldrev" in BUG:
        return np.concatenate(threefry((0, data), key[:1].astype(np.uint64), key[1:].astype(np.uint64)))
    return np.concatenate(threefry(key, *(x[::-1] if "foldswap" in BUG else x)))


def seeded(impl, seed):
    seed = abs(seed) if "absseed" in BUG else seed
    low, high = seed & 0xFFFFFFFF, seed >> 32 & 0xFFFFFFFF
    if "seed32" in BUG:
        high = 0
    words = [low, high] if "seedswap" in BUG else [high, low]
    if "rbgzero" in BUG and impl != "threefry2x32":
        return np.array([*words, 0, 0], np.uint32)
    return np.array(words * (1 if impl == "threefry2x32" else 2), np.uint32)


def round_to(dtype, value):
    """f64 values, the nearest of an element type that f32 arithmetic is wide enough for."""
    if dtype == "f64":
        return value
    single = value.astype(np.float32)
    if dtype == "f16":
        single = single.astype(np.float16)
    if dtype == "bf16":
        word = single.view(np.uint32)
        single = (word + np.uint32(0x7FFF) + (word >> np.uint32(16) & np.uint32(1)) & np.uint32(0xFFFF0000)).view(np.float32)
    return single.astype(np.float64)


def stored(dtype, value):
    if dtype == "bf16":
        return (value.astype(np.float32).view(np.uint32) >> np.uint32(16)).astype("<u2").tobytes()
    return value.astype({"f16": "<f2", "f32": "<f4", "f64": "<f8"}[dtype]).tobytes()


def loaded(tensor):
    if tensor.dtype == "bf16":
        return (np.frombuffer(tensor.data, "<u2").astype(np.uint32) << np.uint32(16)).view(np.float32).astype(np.float64)
    kind = {"f16": "<f2", "f32": "<f4", "f64": "<f8", "u32": "<u4", "i64": "<i8"}[tensor.dtype]
    return np.frombuffer(tensor.data, kind)


def fused(dtype, u, scale, shift):
    """u * scale + shift, rounded once."""
    if not (math.isfinite(scale) and math.isfinite(shift)):
        return round_to(dtype, u * scale + shift)
    exact = [Fraction(float(x)) * Fraction(scale) + Fraction(shift) for x in u]
    if dtype == "f64":
        return np.array([float(x) for x in exact])
    near = np.array([np.float32(float(x)) for x in exact], np.float32)
    for at, (x, value) in enumerate(zip(near, exact)):  # the f64 between may have been rounded on to a tie
        options = [x, np.nextafter(x, np.float32(-np.inf)), np.nextafter(x, np.float32(np.inf))]
        even = lambda y: int(np.float32(y).view(np.uint32)) & 1
        near[at] = min(options, key=lambda y: (abs(Fraction(float(y)) - value), even(y)))
    return near.astype(np.float64)


def uniform(attrs, key, dtype, count, low, high):
    mantissa = MANTISSA[dtype]
    width = {"f16": 16, "bf16": 16 if "bf16wide" in BUG else 8, "f32": 32, "f64": 64}[dtype]
    drawn = bits(attrs, key, width, count)
    digits = mantissa + ("digit" in BUG)
    u = (drawn >> np.array(width - digits, drawn.dtype)).astype(np.float64) * 2.0**-digits
    if "wholeword" in BUG:
        u = round_to(dtype, drawn.astype(np.float64) * 2.0**-width)
    scale = round_to(dtype, np.array([high - low]))[0]
    if "lerp" in BUG:
        return np.maximum(round_to(dtype, round_to(dtype, round_to(dtype, 1 - u) * low) + round_to(dtype, u * high)), low)
    if dtype in ("f16", "bf16") or "twice" in BUG:
        value = round_to(dtype, round_to(dtype, u * scale) + low)
    else:
        value = fused(dtype, u, scale, low)
    return np.where(value < low, low, value)  # of two zeros np.maximum may take either


def randint(attrs, key, dtype, count, low, high):
    width = WIDTH[dtype]
    signed, least = dtype[0] == "i", -(2 ** (width - 1)) if dtype[0] == "i" else 0
    greatest = least + 2**width - 1
    if width < 32:  # the bounds go through an i32
        low, high = ((x + 2**31) % 2**32 - 2**31 for x in (low, high))
    above = high > greatest
    low, high = (min(max(x, least), greatest) for x in (low, high))
    drawn = max(width, 32)
    modulus = 2**drawn
    k1, k2 = (key, key) if "nosplit" in BUG else split(attrs, key, 2)
    if "exchanged" in BUG:
        k1, k2 = k2, k1
    more, less = ([int(x) for x in bits(attrs, k, drawn, count)] for k in (k1, k2))
    span = 1 if high <= low else high - low
    if above and high > low and "whole" not in BUG:
        span = (span + 1) % modulus
    rest = lambda x: x % span if span else x
    multiplier = rest(2 ** (drawn // 2))
    if "nosquare" not in BUG:
        multiplier = rest(multiplier * multiplier % modulus)
    if "onedraw" in BUG:
        multiplier = 0
    offsets = [rest((rest(h) * multiplier + rest(l)) % modulus) for h, l in zip(more, less)]
    return np.array([(low + x) % 2**width for x in offsets], dtype=f"<u{width // 8}").tobytes()


def permutation(attrs, key, n):
    rounds = math.ceil(3 * math.log(max(1, n)) / math.log(2**32 - 1))
    values = np.arange(n, dtype=np.int64)
    for _ in range(min(rounds, 1) if "oneround" in BUG else rounds):
        other, sub = split(attrs, key, 2)
        key = key if "samekey" in BUG else other
        if "subkey" in BUG:
            key, sub = sub, key
        drawn = bits(attrs, sub, 32, n)
        if "descending" in BUG:
            drawn = ~drawn
        if "inverse" in BUG:
            values[np.argsort(drawn, kind="stable")] = values.copy()
        else:
            values = values[np.argsort(drawn, kind="stable")]
    return values


def onnx_uniform(attrs, inputs):
    if attrs.get("generator") != "philox4x32_10" or "seed_int64" not in attrs or "seed" in inputs:
        raise Rejected("attribute", "philox4x32_10 with seed_int64 and without seed")
    dtype, sizes = attrs["output_type"], attrs["output_sizes"]
    if not sizes:
        raise Rejected("shape", "rank 0")
    seed, count = int(attrs["seed_int64"]), math.prod(sizes)
    key = (abs(seed) if "abs" in BUG else seed) % 2**64
    offset = int(loaded(inputs["offset"])[0]) % 2**64 if "offset" in inputs else 0
    wide = dtype == "f64"
    blocks = range(-(-count * (2 if wide else 1) // 4))
    counters = [(b + offset) % 2**128 if "added" in BUG else b | offset << 64 for b in blocks]
    words = philox(key, counters).reshape(-1).astype(np.uint64) if count else np.zeros(0, np.uint64)
    if wide:
        a, b = words[0 : 2 * count : 2], words[1 : 2 * count : 2]
        a, b = (b, a) if "wideswap" in BUG else (a, b)
        u = ((a >> np.uint64(5)) * np.uint64(2**26) + (b >> np.uint64(6))).astype(np.float64) * 2.0**-53
    else:
        digits = MANTISSA[dtype] + 1
        word = words[:count] & np.uint64(2**digits - 1) if "low" in BUG else words[:count] >> np.uint64(32 - digits)
        u = word.astype(np.float64) * 2.0**-digits
    low, high = (round_to(dtype, loaded(inputs[name]).astype(np.float64)) for name in ("low", "high"))
    value = round_to(dtype, round_to(dtype, u * round_to(dtype, high - low)) + low)
    return {"output": Tensor(dtype, sizes, stored(dtype, value))}


def drafts(request):
    attrs, inputs = request.attrs, request.inputs
    if request.op == "onnx.RandomUniform":
        return onnx_uniform(attrs, inputs)
    name = "seed" if request.op == "onnx.InitPRNG" else "prng_state"
    given = inputs[name]
    if given.dtype != "i64":
        raise Rejected("dtype", name)
    if given.shape != ([] if name == "seed" else [2]):
        raise Rejected("shape", name)
    if name == "seed":
        key = seeded("threefry2x32", int(loaded(given)[0]))
        return {"prng_state": Tensor("i64", [2], key.astype("<i8").tobytes())}
    state, count = loaded(given), int(attrs["num_outputs"])
    if not all(0 <= word < 2**32 for word in state):
        raise Rejected("range", "a word of prng_state")
    if count < 1:
        raise Rejected("attribute", "num_outputs")
    numbers = np.arange(count, dtype=np.int64)
    if "data" in inputs:
        data = inputs["data"]
        if data.dtype != "i64":
            raise Rejected("dtype", "data")
        if data.shape != [count]:
            raise Rejected("shape", "data")
        numbers = loaded(data)
    low, high = numbers.astype(np.uint64) & M32, numbers.astype(np.uint64) >> S32
    if "datahigh" in BUG:
        high = high * np.uint64(0)
    words = np.stack(threefry(state, *((low, high) if "counterswap" in BUG else (high, low))), 1)
    return {"split_prng_states": Tensor("i64", [count, 2], words.astype("<i8").tobytes())}


def run(request):
    attrs, inputs = request.attrs, request.inputs
    if request.op.startswith("onnx."):
        return drafts(request)
    impl = attrs["impl"]
    if impl not in ("threefry2x32", "rbg", "unsafe_rbg"):
        raise Rejected("attribute", "impl")
    words = 2 if impl == "threefry2x32" else 4
    if request.op == "jax.key":
        seed = int(attrs["seed"])
        if not -(2**63) <= seed < 2**63:
            raise Rejected("attribute", "seed")
        return {"output": Tensor("u32", [words], seeded(impl, seed).tobytes())}
    given = inputs["key"]
    if given.dtype != "u32":
        raise Rejected("dtype", "key")
    if given.shape != [words]:
        raise Rejected("shape", "key")
    key, sizes = loaded(given), attrs.get("output_sizes", [])
    count, dtype = math.prod(sizes), attrs.get("output_type")
    if request.op == "jax.split":
        number = int(attrs["num"])
        if number < 0:
            raise Rejected("attribute", "num")
        return {"output": Tensor("u32", [number, words], np.ascontiguousarray(split(attrs, key, number)).tobytes())}
    if request.op == "jax.fold_in":
        data = int(attrs["data"])
        if not 0 <= data < 2**32:
            raise Rejected("attribute", "data")
        return {"output": Tensor("u32", [words], fold_in(attrs, key, data).astype("<u4").tobytes())}
    if request.op == "jax.bits":
        if dtype not in ("u8", "u16", "u32", "u64"):
            raise Rejected("attribute", "output_type")
        return {"output": Tensor(dtype, sizes, bits(attrs, key, WIDTH[dtype], count).tobytes())}
    if request.op == "jax.uniform":
        if dtype not in MANTISSA:
            raise Rejected("attribute", "output_type")
        low, high = inputs["minval"], inputs["maxval"]
        for bound in (low, high):
            if bound.dtype != dtype:
                raise Rejected("dtype", "bound")
            if bound.shape:
                raise Rejected("shape", "bound")
        low, high = (loaded(bound)[0].astype(np.float64) for bound in (low, high))
        return {"output": Tensor(dtype, sizes, stored(dtype, uniform(attrs, key, dtype, count, low, high)))}
    if request.op == "jax.randint":
        if dtype not in WIDTH:
            raise Rejected("attribute", "output_type")
        low, high = int(attrs["minval"]), int(attrs["maxval"])
        if not all(-(2**63) <= bound < 2**63 for bound in (low, high)):
            raise Rejected("range", "bounds")
        return {"output": Tensor(dtype, sizes, randint(attrs, key, dtype, count, low, high))}
    if request.op == "jax.bernoulli":
        p = inputs["p"]
        if p.dtype != "f32":
            raise Rejected("dtype", "p")
        if p.shape:
            raise Rejected("shape", "p")
        u = uniform(attrs, key, "f64" if "wideuniform" in BUG else "f32", count, 0.0, 1.0)
        p = float(loaded(p)[0])
        return {"output": Tensor("u8", sizes, (u > p if "complement" in BUG else u < p).astype(np.uint8).tobytes())}
    n = max(0, int(attrs["n"]))
    return {"output": Tensor("i64", [n], permutation(attrs, key, n).tobytes())}


if __name__ == "__main__":
    np.seterr(all="ignore")
    ops = ["jax.key", *KEYED, "onnx.InitPRNG"]
    capabilities = [{"op": op} for op in ops]
    capabilities += [
        {"op": "onnx.RandomUniform", "features": ["seed", "offset"]},
        {"op": "onnx.SplitPRNG", "features": ["data"]},
    ]
    name = "jax-kernel-" + ("+".join(sorted(BUG)) or "right")
    serve({"name": name, "version": "0.1", "language": "python"}, capabilities, run)
