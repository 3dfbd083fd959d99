"""ONNX's random ops, LiteRT's, inductor's and Triton's in NumPy, with the mistakes that the variable BUG names, plus-joined.

Without BUG the adapter is right: the ops of ONNX that have no generator draw as ONNX Runtime does, those of the two drafts as
the drafts say. onnx_litert.json has the truth: the parts of each mistake, and the query that shows it. The logarithm, the
sine and the cosine of f32 are the C library's own, so that the normals are right on glibc alone.
"""

import ctypes
import math
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "adapters"))
from seedproof_adapter import Rejected, Tensor, Unsupported, serve

BUG = set(filter(None, os.environ.get("BUG", "").split("+")))
u32, u64, f32, f64 = np.uint32, np.uint64, np.float32, np.float64
M31, M32, M64 = 2**31 - 1, 2**32 - 1, 2**64 - 1
LOW, HALF = u64(M32), u64(32)
FLOATS = ("f16", "bf16", "f32", "f64")
TYPES = {"f16": np.float16, "bf16": np.uint16, "f32": f32, "f64": f64}
TYPES.update({f"{s}{b}": np.dtype(f"{s}{b // 8}") for s in "iu" for b in (8, 16, 32, 64)})
np.seterr(all="ignore")


def c_function(name):
    function = getattr(ctypes.CDLL("libm.so.6"), name)
    function.argtypes, function.restype = [ctypes.c_float], ctypes.c_float
    return lambda x: f32(function(float(x)))


logf, sinf, cosf = (c_function(name) for name in ("logf", "sinf", "cosf"))


def array(tensor):
    values = np.frombuffer(tensor.data, TYPES[tensor.dtype])
    return wide(values) if tensor.dtype == "bf16" else values


def bf16(x):
    """f32 to the bits of the nearest bf16."""
    bits = np.asarray(x, f32).view(u32)
    nearest = (bits + u32(0x7FFF) + (bits >> u32(16) & u32(1))) >> u32(16)
    return np.where(np.isnan(x), u32(0x7FC0), nearest).astype(np.uint16)


def wide(bits):
    return (bits.astype(u32) << u32(16)).view(f32)


def rounded(x, dtype):
    """x, computed in f32 or f64, at the precision of the type; halves stay in f32."""
    if dtype == "bf16":
        return wide(bf16(x))
    return x.astype(np.float16).astype(f32) if dtype == "f16" else x.astype(TYPES[dtype])


def answer(values, dtype, shape, name="output"):
    values = bf16(values) if dtype == "bf16" else np.asarray(values).astype(TYPES[dtype])
    return {name: Tensor(dtype, list(shape), values.tobytes())}


def scalar(request, name, dtype):
    """The value of an input without extents; None where an optional one is absent."""
    tensor = request.inputs.get(name)
    if tensor is None:
        return None
    if tensor.dtype != dtype:
        raise Rejected("dtype", f"{name} is of {tensor.dtype}")
    if tensor.shape:
        raise Rejected("shape", f"{name} is not a scalar")
    return array(tensor)[0]


# --- ONNX Runtime: minstd_rand0 and the distributions of libstdc++ ------------------------------------------------------


class Engine:
    """std::minstd_rand0, seeded with the integer part of a float."""

    def __init__(self, seed):
        if "seedbf16" in BUG:  # the graph's attributes went through a bf16 pass
            seed = wide(bf16(np.array([seed], f32)))[0]
        self.state = (int(seed) & M32) % M31 or 1

    def next(self):
        before = self.state
        if "minstd48271" in BUG:
            self.state = before * 48271 % M31
        elif "wrap32" in BUG:  # no 64-bit integers in the shading language
            self.state = (before * 16807 & M32) % M31 or 1
        else:
            self.state = before * 16807 % M31
        return before if "prestep" in BUG else self.state

    def single(self):
        """generate_canonical of f32."""
        if "pairalways" in BUG:
            return f32(self.double())
        p = self.next() - 1
        if "trunc24" in BUG:
            return f32((p >> 7) * 2.0**-24)
        return min(f32(p) / f32(2147483646.0), np.nextafter(f32(1), f32(0)))

    def double(self):
        """generate_canonical of f64."""
        p, q = self.next() - 1, self.next() - 1
        if "firsthigh" in BUG:
            p, q = q, p
        t = 2147483646.0
        return min((p + q * t) / (t * t), 1 - 2.0**-53)

    def unit(self, dtype):
        return f64(self.double()) if dtype == "f64" else self.single()


class Lanes:
    """Eight engines in a vector register: element i takes the next number of lane i mod 8, which is seeded with seed + lane."""

    def __init__(self, seed):
        self.lanes, self.at = [Engine(f64(seed) + i) for i in range(8)], 0

    def unit(self, dtype):
        self.at += 1
        return self.lanes[(self.at - 1) % 8].unit(dtype)


def polar(engine, count, dtype):
    """std::normal_distribution, which each run creates."""
    real = TYPES[dtype]
    log = (lambda x: f64(math.log(x))) if dtype == "f64" else logf
    values, one, two = [], real(1), real(2)
    firsts, seconds = [], []
    while len(firsts) < -(-count // 2):
        if "boxmuller" in BUG:
            u, v = engine.unit(dtype), engine.unit(dtype)
            r, angle = np.sqrt(real(-2) * log(u)) if u > 0 else real(0), 2 * math.pi * float(v)
            firsts.append(real(float(r) * math.cos(angle)))
            seconds.append(real(float(r) * math.sin(angle)))
            continue
        x = y = None
        while True:
            if "slide" in BUG and x is not None:  # a rejected point keeps its second coordinate, as the first of the next
                x, y = y, two * engine.unit(dtype) - one
            else:
                x, y = two * engine.unit(dtype) - one, two * engine.unit(dtype) - one
            r2 = x * x + y * y
            if 0 < r2 <= 1:
                break
        if "rsqrt" in BUG:
            m = np.sqrt(real(-2) * log(r2)) * (one / np.sqrt(r2))
        else:
            m = np.sqrt(real(-2) * log(r2) / r2)
        firsts.append(y * m)
        seconds.append(x * m)
    if "planar8" in BUG:  # vectors of eight: the first numbers of eight pairs, and then their second ones
        for at in range(0, len(firsts), 8):
            values += firsts[at : at + 8] + seconds[at : at + 8]
    else:
        values = [value for pair in zip(firsts, seconds) for value in pair]
    return np.array(values[:count], real)


def begun(request):
    """The engine of an op at its first run, and the runs that are drawn: those before the one that is asked for too."""
    seed = scalar(request, "seed", "f32")
    if seed is None:
        raise Unsupported("no seed: nothing repeats")
    if "seedplusrun" in BUG:
        seed, runs = f64(seed) + request.execution, range(1)
    else:
        runs = range(request.execution + 1)
    return (Lanes if "lanes8" in BUG else Engine)(seed), runs


def uniforms(request, count, dtype):
    engine, runs = begun(request)
    for _ in runs:
        values = np.array([engine.unit(dtype) for _ in range(count)], TYPES[dtype])
    return values


def runtime_uniform(request, shape, dtype):
    low, high = (scalar(request, name, "f32") for name in ("low", "high"))
    if dtype not in ("f32", "f64"):
        raise Unsupported(dtype)
    real = TYPES[dtype]
    u = uniforms(request, math.prod(shape), dtype)
    return answer(u * (real(high) - real(low)) + real(low), dtype, shape)


def runtime_normal(request, shape, dtype):
    mean, scale = (scalar(request, name, "f32") for name in ("mean", "scale"))
    if dtype not in ("f32", "f64") or not scale > 0:
        raise Unsupported(f"{dtype}, scale {scale}")
    real, count = TYPES[dtype], math.prod(shape)
    engine, runs = begun(request)
    if "skipn" in BUG:  # earlier runs are skipped, and not drawn: a draw (of f64 two) for each of their elements
        for _ in range(request.execution * count * (1 + (dtype == "f64"))):
            engine.next()
        runs = range(1)
    for _ in runs:
        values = polar(engine, count, dtype)
    scale = np.sqrt(real(scale)) if "variance" in BUG else real(scale)
    return answer(values * scale + real(mean), dtype, shape)


def bernoulli(request):
    tensor = request.tensor("input", FLOATS, 0, 64)
    if tensor.dtype == "bf16":
        raise Unsupported("bf16")
    dtype = request.attrs.get("output_type", tensor.dtype)
    if dtype not in TYPES or dtype == "bf16":
        raise Unsupported(dtype)
    drawn = "f64" if (dtype if "drawout" in BUG else tensor.dtype) == "f64" else "f32"
    p = array(tensor).astype(TYPES["f64" if tensor.dtype == "f64" else "f32"])
    if "logistic" in BUG:
        p = (1 / (1 + np.exp(-p.astype(f64)))).astype(p.dtype)
    u = uniforms(request, len(p), drawn)
    return answer(u > p, dtype, tensor.shape)


def multinomial(request):
    tensor, dtype = request.tensor("input", ("f16", "f32", "f64"), 2, 2), request.one_of("output_type", "i32", "i64")
    if tensor.dtype == "f64":
        raise Unsupported("f64")
    samples, (rows, classes) = request.number("sample_size"), tensor.shape
    if samples <= 0:
        raise Rejected("attribute", "sample_size")
    logits = array(tensor).astype(f64).reshape(rows, classes)
    out = np.empty((rows, samples), np.int64)
    places = [(row, sample) for row in range(rows) for sample in range(samples)]
    if "samplemajor" in BUG:
        places.sort(key=lambda place: place[1])
    engine, runs = begun(request)
    sums = []
    for row in logits:
        top, total = max(row), 0.0
        sums.append([total := total + math.exp(x - top) for x in row])
    for _ in runs:
        for row, sample in places:
            if "gumbel" in BUG:
                noise = [-math.log(max(-math.log(max(engine.unit("f64"), 1e-300)), 1e-300)) for _ in range(classes)]
                out[row, sample] = np.argmax(logits[row] + noise)
                continue
            at = float(engine.unit("f64")) * sums[row][-1]
            out[row, sample] = next((i for i, s in enumerate(sums[row]) if s > at), classes - 1)
    return answer(out.reshape(-1), dtype, [rows, samples])


# --- the drafts: Philox by attribute, and Threefry states --------------------------------------------------------------


def philox(key, c0, c1=0, c2=0, c3=0):
    """Blocks of Philox4x32-10 as an array [blocks, 4] of u64; the counter words are numbers or arrays of the low 32 bits."""
    c = [np.atleast_1d(np.asarray(word, u64)) for word in (c0, c1, c2, c3)]
    k0, k1 = key & M32, key >> 32
    for _ in range(10):
        p, q = u64(0xD2511F53) * c[0], u64(0xCD9E8D57) * c[2]
        c = [q >> HALF ^ c[1] ^ u64(k0), q & LOW, p >> HALF ^ c[3] ^ u64(k1), p & LOW]
        k0, k1 = k0 + 0x9E3779B9 & M32, k1 + 0xBB67AE85 & M32
    return np.stack(np.broadcast_arrays(*c), 1)


def draft_uniform(request):
    attrs, inputs = request.attrs, request.inputs
    dtype, shape = request.one_of("output_type", *FLOATS), attrs["output_sizes"]
    if not shape:
        raise Rejected("shape", "no extents")
    seed = request.number("seed_int64")
    if seed is None or not -(2**63) <= seed < 2**63:
        raise Rejected("attribute", "seed_int64")
    if "seed" in inputs:
        raise Rejected("attribute", "a seed beside seed_int64")
    low, high = (scalar(request, name, "f32") for name in ("low", "high"))
    offset = int(scalar(request, "offset", "i64") or 0) & M64
    count, double = math.prod(shape), dtype == "f64"
    block = np.arange(-(-count // (2 if double else 4)), dtype=u64)
    streams = (offset >> 32, offset & M32) if "offsetswap" in BUG else (offset & M32, offset >> 32)
    words = philox(seed & M64, block & LOW, block >> HALF, *streams).reshape(-1)
    if double:
        a, b = words[0 : 2 * count : 2], words[1 : 2 * count : 2]
        if "top53" in BUG:
            r = ((a << HALF | b) >> u64(11)).astype(f64) * 2.0**-53
        else:
            r = ((a >> u64(5)).astype(f64) * 2.0**26 + (b >> u64(6)).astype(f64)) * 2.0**-53
    else:
        digits = {"f16": 11, "bf16": 8, "f32": 24}[dtype] - ("storedbits" in BUG)
        r = (words[:count] >> u64(32 - digits)).astype(f32) * f32(2.0**-digits)
    low, high = (rounded(np.array([x], f64 if double else f32), dtype) for x in (low, high))
    if "endround" in BUG:
        return answer(rounded(r * (high - low) + low, dtype), dtype, shape)
    return answer(rounded(rounded(r * rounded(high - low, dtype), dtype) + low, dtype), dtype, shape)


def threefry(key, counter):
    """One block of Threefry2x32-20."""
    parity = 0xA9FC1A22 if "parity64" in BUG else 0x1BD11BDA  # the two halves of the 64-bit constant
    k = [*key, key[0] ^ key[1] ^ parity]
    x, y = counter[0] + k[0] & M32, counter[1] + k[1] & M32
    for group in range(5):
        for r in ((13, 15, 26, 6), (17, 29, 16, 24))[group % 2]:
            x = x + y & M32
            y = (y << r | y >> 32 - r) & M32 ^ x
        x, y = x + k[(group + 1) % 3] & M32, y + k[(group + 2) % 3] + group + 1 & M32
    return [x, y]


def init_prng(request):
    seed = int(scalar(request, "seed", "i64"))
    high = int(math.copysign(abs(seed) >> 32, seed)) if "truncdiv" in BUG else seed >> 32
    return answer(np.array([high & M32, seed & M32], np.int64), "i64", [2], "prng_state")


def split_prng(request):
    count = request.number("num_outputs")
    if not 0 < count < 2**63:
        raise Rejected("attribute", "num_outputs")
    for name, extents in (("prng_state", [2]), ("data", [count])):
        tensor = request.inputs.get(name)
        if tensor and tensor.dtype != "i64":
            raise Rejected("dtype", name)
        if tensor and tensor.shape != extents:
            raise Rejected("shape", name)
    state = [int(word) for word in array(request.inputs["prng_state"])]
    if not all(0 <= word <= M32 for word in state):
        raise Rejected("range", "prng_state")
    data = request.inputs.get("data")
    out = []
    for number in array(data) if data else range(count):
        number = int(number) & M64
        out.append(threefry(state, [number >> 32, number & M32]))
        if "chain" in BUG:  # the next state is split off the one before
            state = out[-1]
    return answer(np.array(out, np.int64), "i64", [count, 2], "split_prng_states")


def onnx(request):
    op = request.op.split(".")[1]
    if op in ("InitPRNG", "SplitPRNG"):
        return init_prng(request) if op == "InitPRNG" else split_prng(request)
    if op == "Bernoulli":
        return bernoulli(request)
    if op == "Multinomial":
        return multinomial(request)
    if op == "RandomUniform" and request.attrs.get("generator", "unspecified") != "unspecified":
        if request.attrs["generator"] != "philox4x32_10":
            raise Rejected("attribute", "generator")
        return draft_uniform(request)
    if op.endswith("Like"):
        tensor = request.inputs["input"]
        shape, dtype = tensor.shape, request.attrs.get("output_type", tensor.dtype)
    else:
        shape, dtype = request.attrs["output_sizes"], request.attrs["output_type"]
    return (runtime_normal if "Normal" in op else runtime_uniform)(request, shape, dtype)


# --- LiteRT --------------------------------------------------------------------------------------------------------------


def litert(request):
    tensor = request.inputs["shape"]
    if tensor.dtype != "i32":
        raise Rejected("dtype", "shape")
    if len(tensor.shape) != 1:
        raise Rejected("shape", "shape")
    shape = [int(x) for x in array(tensor)]
    if min(shape, default=0) < 0:
        raise Rejected("shape", "a negative extent")
    seeds = [int(request.attrs[name]) for name in ("seed", "seed2")]
    if "saturated" in BUG:  # a conversion to int that saturates
        key, high = (min(seed, M31) for seed in seeds)
    else:
        key, high = (((seed & M32 ^ 2**31) - 2**31) & M64 for seed in seeds)
    count = math.prod(shape)
    blocks = -(-count // 4)
    first = request.execution * blocks
    if "packkey" in BUG:
        key, high = key & M32 | (high & M32) << 32, 0
    if "runhigh" in BUG:  # each run draws from a sub-sequence of its own
        first, high = 0, high + request.execution & M64
    at = np.arange(blocks, dtype=u64) + u64(first)
    words = philox(key, at & LOW, at >> HALF, high & M32, high >> 32)
    units = ((words & u64(0x7FFFFF)).astype(u32) | u32(127 << 23)).view(f32) - f32(1)
    if request.op.endswith("NORMAL"):
        values = np.empty((blocks, 4), f32)
        for block, unit in zip(values, units):
            for pair in (0, 2):
                r = np.sqrt(f32(-2) * logf(max(unit[pair], f32(1e-7))))
                v = f32(2 * math.pi * float(unit[pair + 1]))
                cosine = sinf(v + f32(math.pi / 2)) if "shiftedsine" in BUG else cosf(v)
                block[pair], block[pair + 1] = sinf(v) * r, cosine * r
        units = values[:, [0, 2, 1, 3]] if "sinescosines" in BUG else values
    return answer(units.reshape(-1)[:count], "f32", shape)


# --- inductor and Triton -------------------------------------------------------------------------------------------------

SCALE = f32(4.6566127342e-10)


def folded(words):
    return np.where(words >> u64(31), LOW - words, words).astype(f32) * SCALE


def inductor(request):
    shape = request.attrs["output_sizes"]
    if request.op == "inductor.random":
        mode = request.one_of("mode", "rand", "randn")
    else:
        low, high = request.number("low"), request.number("high")
        if not -(2**63) <= low < high < 2**63:
            raise Rejected("range", "low and high")
    seed, count = int(scalar(request, "seed", "i64")), math.prod(shape)
    words = philox(seed & M32, np.arange(count, dtype=u64))
    if request.op == "inductor.randint":
        number = words[:, 0] | words[:, 1] << HALF
        if "shift1" in BUG:  # made a positive long first
            number = number >> u64(1)
        return answer((number % u64(high - low) + u64(low & M64)).view(np.int64), "i64", shape)
    unit = folded if "foldsign" in BUG else lambda words: (words & u64(M31)).astype(f32) * SCALE
    if mode == "rand":
        return answer(unit(words[:, 0]), "f32", shape)
    u, v = (f32(1) - unit(words[:, i]) for i in (0, 1))
    values = [math.sqrt(-2.0 * float(logf(a))) * math.cos(2 * math.pi * float(b)) for a, b in zip(u, v)]
    return answer(np.array(values, f64), "f32", shape)


def triton(request):
    count = request.number("num")
    if not 0 <= count < 2**63:
        raise Rejected("attribute", "num")
    seed, offset = (int(scalar(request, name, "i64")) & M64 for name in ("seed", "offset"))
    quarter = -(-count // 4)
    if "offsetwords" in BUG:  # an offset counts words, as the stream of a generator does
        offset //= 4
    at = np.arange(quarter if "quarters" in BUG else count, dtype=u64) + u64(offset)
    if "seedcounter" in BUG:  # the key is an unsigned int, and the rest of the seed goes into the counter
        blocks = philox(seed & M32, at & LOW, at >> HALF, seed >> 32)
    else:
        blocks = philox(seed, at & LOW, at >> HALF)
    words = blocks.T.reshape(-1)[:count] if "quarters" in BUG else blocks[:, 0]
    if request.op == "triton.randint":
        return answer(words, "u32", [count])
    return answer(folded(words), "f32", [count])


def run(request):
    return {"onnx": onnx, "litert": litert, "inductor": inductor, "triton": triton}[request.op.split(".")[0]](request)


if __name__ == "__main__":
    seeded = ["RandomUniformLike", "RandomNormal", "RandomNormalLike", "Bernoulli", "Multinomial"]
    claims = [{"op": f"onnx.{op}", "features": ["seed", "execution"]} for op in seeded]
    claims.append({"op": "onnx.RandomUniform", "features": ["seed", "offset", "execution"]})
    claims += [{"op": "onnx.InitPRNG"}, {"op": "onnx.SplitPRNG", "features": ["data"]}]
    claims += [{"op": f"litert.RANDOM_{op}", "features": ["execution"]} for op in ("UNIFORM", "STANDARD_NORMAL")]
    claims += [{"op": op} for op in ("inductor.random", "inductor.randint", "triton.rand", "triton.randint")]
    name = "onnx-litert-kernel-" + ("+".join(sorted(BUG)) or "right")
    serve({"name": name, "version": "0.1", "language": "python"}, claims, run)
