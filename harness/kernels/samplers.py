"""The seeded samplers of vLLM, SGLang, Triton and inductor in plain Python, with the mistakes that the variable BUG names, plus-joined.

Without BUG the adapter is right. samplers.json has the truth: the parts of each mistake, and the query that shows it.
"""

import math
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "adapters"))
from seedproof_adapter import Rejected, Tensor, Unsupported, serve

BUG = set(filter(None, os.environ.get("BUG", "").split("+")))
M32, M64 = 2**32 - 1, 2**64 - 1


def f32(x):
    return struct.unpack("<f", struct.pack("<f", x))[0] if abs(x) < 3.4e38 or math.isinf(x) else math.copysign(math.inf, x)


def rotate(x, r):
    return (x << r | x >> 32 - r) & M32


def murmur(seed, position, token, start=0):
    low, high = seed & M32, seed >> 32 & M32
    position &= M32
    blocks = [low, 0 if "seed32" in BUG else high, 0 if "noposition" in BUG else position, token]
    if "tokenfirst" in BUG:
        blocks[2:] = blocks[3], blocks[2]
    if "seedhigh" in BUG:
        blocks[:2] = blocks[1], blocks[0]
    h = start
    if "seedadded" in BUG:
        low = seed + position & M64
        blocks = [low & M32, low >> 32, 0, token]
    one, two = (13, 15) if "rotations" in BUG else (15, 13)
    c1, c2 = (0x1B873593, 0xCC9E2D51) if "constants" in BUG else (0xCC9E2D51, 0x1B873593)
    for k in blocks:
        k = rotate(k * c1 & M32, one) * c2 & M32
        h = rotate(h ^ k, two) * 5 + (0 if "addend" in BUG else 0xE6546B64) & M32
    if "lengthless" not in BUG:
        h ^= 16
    h ^= h >> 16
    h = h * 0x85EBCA6B & M32
    h ^= h >> 13
    h = h * 0xC2B2AE35 & M32
    return h if "lastshift" in BUG else h ^ h >> 16


def uniform32(seed, position, token):
    h = murmur(seed, position, token)
    if "digits24" in BUG:
        return ((h >> 8) + 0.5) * 2.0**-24
    return f32((h + (0.0 if "zeroed" in BUG else 0.5)) * 2.0**-32)


def uniform64(seed, position, token):
    low, high = (murmur(seed, position, token, start) for start in (0, 0x9E3779B9))
    if "onehash" in BUG:
        return (low + 0.5) * 2.0**-32
    u = (((high << 32 | low) >> 11) + 0.5) * 2.0**-53
    return 1 - 2.0**-53 if u == 1 else u


def log(x):
    return math.log(x) if x > 0 else -math.inf


def noise32(u):
    if u < 0.25:
        sum_ = f32(1 / 8)
        for term in (7, 6, 5, 4, 3, 2, 1):
            sum_ = f32(f32(1 / term) + f32(u * sum_))
        inner = f32(-u * sum_)
    else:
        inner = f32(log(max(f32(1 - u), 2.0**-24)))
    if "logu" in BUG:
        inner = f32(log(u))
    if "exponential" in BUG:
        return f32(-inner)
    if "base2" in BUG:
        return f32(-math.log2(-inner / math.log(2))) if inner else math.inf
    return f32(-log(-inner))


def first_greatest(scores):
    best = 0
    for token, score in enumerate(scores):
        if score > scores[best]:
            best = token
    return best


def vllm(attrs, logits, temperature, seed, position):
    if temperature == 0:
        return first_greatest(logits)
    if attrs["is_drafting"] and "draftless" not in BUG:
        position += 2**30
    scores = []
    for token, logit in enumerate(logits):
        if "bf16" in BUG:
            (word,) = struct.unpack("<I", struct.pack("<f", logit))
            logit = struct.unpack("<f", struct.pack("<I", word & 0xFFFF0000))[0]
        scaled = f32(logit if "untempered" in BUG else logit * f32(1 / temperature) if "reciprocal" in BUG else logit / temperature)
        if attrs["use_fp64"]:
            scores.append(scaled - log(-log(uniform64(seed, position, token))))
        else:
            scores.append(f32(scaled + noise32(uniform32(seed, position, token))))
    return first_greatest(scores)


def sglang(logprobs, seed, position):
    scores = []
    for token, logprob in enumerate(logprobs):
        x = log(murmur(seed, position, token) / (2**32 if "whole" in BUG else M32))
        if "single" in BUG:
            x = f32(x)
        if "unclamped" not in BUG:
            x = min(max(x, -sys.float_info.max), -(2.0**-32))
        scores.append(logprob + (math.inf if x == 0 else -log(-x)))
    return first_greatest(scores)


def philox(key, counter):
    c = [counter >> 32 * i & M32 for i in range(4)]
    k0, k1 = key & M32, key >> 32
    for _ in range(10):
        p, q = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [q >> 32 ^ c[1] ^ k0, q & M32, p >> 32 ^ c[3] ^ k1, p & M32]
        k0, k1 = k0 + 0x9E3779B9 & M32, k1 + 0xBB67AE85 & M32
    return c


def triton_words(seed, offset, count):
    if "packed" in BUG:
        return [philox(seed, offset + i // 4 & M64)[i % 4] for i in range(count)]
    narrow = M32 if "offset32" in BUG else M64
    if "seedhigh0" in BUG:
        seed &= M32
    if "highcounter" in BUG:
        return [philox(seed, (offset + i & M64) << 64)[0] for i in range(count)]
    return [philox(seed, offset + i & narrow)["second" in BUG] for i in range(count)]


def triton_unit(word):
    folded = word & 0x7FFFFFFF if "cleared" in BUG else M32 - word if word >> 31 else word
    if "exact" in BUG:
        return f32(folded * 2.0**-31)
    if "unsigned" in BUG:
        return f32(f32(word) * 2.0**-32)
    return f32(f32(folded) * struct.unpack("<f", struct.pack("<f", 4.6566127342e-10))[0])


def inductor(seed, count, low, high):
    key = seed & (M64 if "key64" in BUG else M32)
    numbers = []
    for i in range(count):
        words = philox(key, i)
        word = words[0] if "oneword" in BUG else words[0] | words[1] << 32
        if "highfirst" in BUG:
            word = words[1] | words[0] << 32
        number = word % (high - low)
        if "product" in BUG:
            number = word * (high - low) >> 64
        if "inclusive" in BUG:
            number = word % min(high - low + 1, M64)
        numbers.append((number + low + 2**63 & M64) - 2**63)
    return numbers


def given(request, name, dtype, shape):
    tensor = request.inputs[name]
    if tensor.dtype != dtype:
        raise Rejected("dtype", name)
    if shape is not None and tensor.shape != shape:
        raise Rejected("shape", name)
    return tensor.values()


def number(attrs, name):
    value = int(attrs[name])
    if not 0 <= value < 2**63:
        raise Rejected("attribute", name)
    return value


def rows(request, name):
    numbers = given(request, name, "f32", None)
    shape = request.inputs[name].shape
    if len(shape) != 2 or shape[1] == 0:
        raise Rejected("shape", name)
    return shape[0], [numbers[i * shape[1] : (i + 1) * shape[1]] for i in range(shape[0])]


def packed(dtype, shape, letter, values):
    return {"output": Tensor(dtype, shape, struct.pack(f"<{len(values)}{letter}", *values))}


def run(request):
    attrs, op = request.attrs, request.op
    if op == "vllm.murmur3_uniform":
        if attrs["output_type"] not in ("f32", "f64"):
            raise Rejected("attribute", "output_type")
        count = number(attrs, "num")
        seed, pos = (given(request, name, "i64", [])[0] & M64 for name in ("seed", "pos"))
        wide = attrs["output_type"] == "f64"
        values = [(uniform64 if wide else uniform32)(seed, pos, token) for token in range(count)]
        return packed(attrs["output_type"], [count], "d" if wide else "f", values)
    if op == "vllm.gumbel_sample":
        count, logits = rows(request, "logits")
        temperature = given(request, "temperature", "f32", [count])
        seed, pos = (given(request, name, "i64", [count]) for name in ("seed", "pos"))
        if not all(0 <= t < math.inf for t in temperature):
            raise Rejected("range", "temperature")
        if any(math.isnan(x) for row in logits for x in row):
            raise Unsupported("NaN")
        return packed("i64", [count], "q", [vllm(attrs, *of) for of in zip(logits, temperature, seed, pos)])
    if op == "sglang.murmur_hash32":
        columns = number(attrs, "num_cols")
        seed = given(request, "seed", "u64", None)
        if len(request.inputs["seed"].shape) != 1:
            raise Rejected("shape", "seed")
        pos = given(request, "positions", "i64", [len(seed)])
        values = [murmur(s, p, token) for s, p in zip(seed, pos) for token in range(columns)]
        return packed("u32", [len(seed), columns], "I", values)
    if op == "sglang.multinomial_with_seed":
        count, logprobs = rows(request, "logprobs")
        seed, pos = (given(request, name, "i64", [count]) for name in ("seed", "positions"))
        if any(math.isnan(x) for row in logprobs for x in row):
            raise Unsupported("NaN")
        return packed("i64", [count, 1], "q", [sglang(*of) for of in zip(logprobs, seed, pos)])
    if op == "inductor.randint":
        low, high = int(attrs["low"]), int(attrs["high"])
        if not -(2**63) <= low < high < 2**63:
            raise Rejected("range", "bounds")
        seed = given(request, "seed", "i64", [])[0] & M64
        sizes = attrs["output_sizes"]
        return packed("i64", sizes, "q", inductor(seed, math.prod(sizes), low, high))
    count = number(attrs, "num")
    seed, offset = (given(request, name, "i64", [])[0] & M64 for name in ("seed", "offset"))
    words = triton_words(seed, offset, count)
    if op == "triton.randint":
        return packed("u32", [count], "I", words)
    return packed("f32", [count], "f", [triton_unit(word) for word in words])


if __name__ == "__main__":
    ops = ["vllm.murmur3_uniform", "vllm.gumbel_sample", "sglang.murmur_hash32", "sglang.multinomial_with_seed"]
    ops += ["triton.rand", "triton.randint", "inductor.randint"]
    name = "sampler-kernel-" + ("+".join(sorted(BUG)) or "right")
    serve({"name": name, "version": "0.1", "language": "python"}, [{"op": op} for op in ops], run)
