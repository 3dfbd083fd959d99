"""The normals of TensorFlow and PyTorch in plain Python over the C library, with the mistakes that the variable BUG names, plus-joined.

Without BUG the adapter is right. normals.json has the truth: the parts of each mistake, and the query that shows it. The
logarithm, the sine and the cosine are the C library's own, so that the kernels are right on glibc alone.
"""

import ctypes
import math
import os
import random
import statistics
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "adapters"))
from seedproof_adapter import Rejected, Tensor, Unsupported, serve

BUG = set(filter(None, os.environ.get("BUG", "").split("+")))
M32, M64, M128 = 2**32 - 1, 2**64 - 1, 2**128 - 1


def c_function(name, arguments):
    function = getattr(ctypes.CDLL("libm.so.6"), name)
    function.argtypes, function.restype = [ctypes.c_float] * arguments, ctypes.c_float
    return function


logf, sinf, cosf, sqrtf = (c_function(name, 1) for name in ("logf", "sinf", "cosf", "sqrtf"))
fmaf = c_function("fmaf", 3)


def f32(x):
    return ctypes.c_float(x).value


if "rounded" in BUG:
    logf = lambda x: f32(math.log(x)) if x > 0 else -math.inf
    sinf, cosf = (lambda x: f32(math.sin(x))), (lambda x: f32(math.cos(x)))
TAU = f32(2 * math.pi)


def philox(key, counter):
    c = [counter >> 32 * i & M32 for i in range(4)]
    k0, k1 = key & M32, key >> 32
    for _ in range(10):
        p, q = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [q >> 32 ^ c[1] ^ k0, q & M32, p >> 32 ^ c[3] ^ k1, p & M32]
        k0, k1 = k0 + 0x9E3779B9 & M32, k1 + 0xBB67AE85 & M32
    return c


def radius(u):
    if "log2" in BUG:
        return sqrtf(f32(f32(-2.0 * math.log(2)) * f32(math.log2(u)))) if u > 0 else math.inf
    return sqrtf(f32(-2.0 * logf(u)))


# TensorFlow


def tf_unit(word):
    if "halfopen" in BUG:
        return f32(f32(word) * 2.0**-32 + 2.0**-33)
    if "unit24" in BUG:
        return (word >> 8) * 2.0**-24
    if "topbits" in BUG:
        word >>= 9
    return (word & 0x7FFFFF) * 2.0**-23


def tf_pair(first, second):
    if "swapuv" in BUG:
        first, second = second, first
    u = tf_unit(first)
    if "complement" in BUG:
        u = 1.0 - u
    if "unclamped" not in BUG:
        u = max(u, f32(1e-7))
    v = f32(TAU * tf_unit(second)) if "angle32" in BUG else f32(2 * math.pi * tf_unit(second))
    if "halfcircle" in BUG:
        v = f32(math.pi * tf_unit(second))
    if "double" in BUG:
        v, r = 2 * math.pi * tf_unit(second), math.sqrt(-2.0 * math.log(u))
        return f32(math.sin(v) * r), f32(math.cos(v) * r)
    r = radius(u)
    pair = f32(sinf(v) * r), f32(cosf(v) * r)
    return pair[::-1] if "cosfirst" in BUG else pair


def tf_four(words):
    if "inverse" in BUG:
        return [f32(statistics.NormalDist().inv_cdf((word + 0.5) * 2.0**-32)) for word in words]
    if "crosspair" in BUG:
        words = [words[i] for i in (0, 2, 1, 3)]
    if "oneofpair" in BUG:
        return [tf_pair(*words[:2])[0], tf_pair(*words[2:])[0]]
    return [*tf_pair(*words[:2]), *tf_pair(*words[2:])]


def tf_polar(key, counter, count):
    """Marsaglia's method: points of the square, those outside of the circle drawn again."""
    normals, block = [], 0
    while len(normals) < count:
        words = philox(key, counter + block & M128)
        block += 1
        for pair in (words[:2], words[2:]):
            x, y = (f32(2.0 * tf_unit(word) - 1.0) for word in pair)
            s = f32(f32(x * x) + f32(y * y))
            if 0 < s < 1:
                scale = sqrtf(f32(f32(-2.0 * logf(s)) / s))
                normals += f32(x * scale), f32(y * scale)
    return normals[:count]


def tf_normal(key, counter, count):
    if "polar" in BUG:
        return tf_polar(key, counter, count)
    normals = []
    for block in range(-(-count // (2 if "oneofpair" in BUG else 4))):
        normals += tf_four(philox(key, counter + block & M128))
    return normals[:count]


def tf_truncated(key, counter, count):
    bound = 3.0 if "bound3" in BUG else 2.0
    normals, block = [], 0
    while len(normals) < count:
        if "onerun" not in BUG and len(normals) % 4 == 0:
            block = len(normals) // 4 * (128 if "stride128" in BUG else 256)
        group = []
        while len(group) < 4:
            drawn = tf_four(philox(key, counter + block & M128))
            block += 1
            if "clipped" in BUG:
                drawn = [max(-bound, min(bound, x)) for x in drawn]
                group += drawn
            elif "reflected" in BUG:
                group += [math.copysign(f32(2 * bound - abs(x)), x) if abs(x) >= bound else x for x in drawn]
            elif "redrawn" in BUG:
                group = drawn if all(abs(x) < bound for x in drawn) else []
            else:
                group += [x for x in drawn if abs(x) < bound]
        normals += group[:4]
    return normals[:count]


def tensorflow(request):
    sizes = request.inputs["shape"]
    if len(sizes.shape) != 1:
        raise Rejected("shape", "shape")
    if sizes.dtype not in ("i32", "i64"):
        raise Rejected("dtype", "shape")
    extents = sizes.values()
    if any(extent < 0 for extent in extents):
        raise Rejected("shape", "a negative extent")
    count = math.prod(extents)
    if request.op.startswith("tensorflow.Stateless"):
        for name, dtype, shape in (("key", "u64", [1]), ("counter", "u64", [2]), ("alg", "i32", [])):
            tensor = request.inputs[name]
            if tensor.dtype != dtype:
                raise Rejected("dtype", name)
            if tensor.shape != shape:
                raise Rejected("shape", name)
        if count and request.inputs["alg"].values()[0] not in (1, 3):
            raise Rejected("attribute", "alg")
        (key,), (low, high) = request.inputs["key"].values(), request.inputs["counter"].values()
        counter = high << 64 | low
    else:
        key, step = int(request.attrs["seed"]), 256 * count
        if "narrowstep" in BUG:
            step = -(-count // 4)
        if key == 0 and int(request.attrs["seed2"]) == 0:
            raise Unsupported("seeds of zero")
        counter = (int(request.attrs["seed2"]) << 64) + step * request.execution
    fill = tf_truncated if "Truncated" in request.op else tf_normal
    return extents, fill(key, counter, count)


# PyTorch


class Generator:
    def __init__(self, seed):
        state = [seed & M32]
        for i in range(1, 624):
            state.append(1812433253 * (state[-1] ^ state[-1] >> 30) + i & M32)
        self.random = random.Random()
        self.random.setstate((3, (*state, 624), None))
        self.cached = None

    def single(self):
        return (self.random.getrandbits(32) & 0xFFFFFF) * 2.0**-24

    def double(self):
        high = self.random.getrandbits(32)
        return (high << 32 | self.random.getrandbits(32)) % 2**53 * 2.0**-53


def torch_scalar(generator, count, mean, std):
    values = []
    for _ in range(count):
        if generator.cached is not None and "uncached" not in BUG:
            normal, generator.cached = generator.cached, None
        else:
            draw = generator.single if "scalar24" in BUG else generator.double
            u1, u2 = draw(), draw()
            if "scalarswap" in BUG:
                u1, u2 = u2, u1
            r = math.sqrt(-2.0 * (math.log(u2) if "plainlog" in BUG else math.log1p(-u2)))
            normal, generator.cached = r * math.cos(2 * math.pi * u1), r * math.sin(2 * math.pi * u1)
            if "sincache" in BUG:
                normal, generator.cached = generator.cached, normal
        values.append(normal * std + mean)
    if "callcache" in BUG:
        generator.cached = None
    return values


def scaled(normal, mean, std):
    if "unfused" in BUG:
        return f32(f32(normal * std) + mean)
    return fmaf(normal, std, mean)


def torch_block(units, mean, std):
    pairs = zip(units[::2], units[1::2]) if "neighbours" in BUG else zip(units[: len(units) // 2], units[len(units) // 2 :])
    if "angles" in BUG:
        pairs = ((b, a) for a, b in pairs)
    first, second = [], []
    for u1, u2 in pairs:
        r = radius(u1 if "nocomplement" in BUG else 1.0 - u1)
        angle = f32(2 * math.pi * u2)
        first.append(scaled(f32(r * cosf(angle)), mean, std))
        second.append(scaled(f32(r * sinf(angle)), mean, std))
    if "neighbours" in BUG:
        return [value for pair in zip(first, second) for value in pair]
    return second + first if "sines" in BUG else first + second


def torch_blocks(generator, count, mean, std, narrow):
    values = []
    mean, std = f32(mean), f32(std)
    if "padded" in BUG:
        ahead = [generator.single() for _ in range(-(-count // 16) * 16)]
        blocks = [torch_block(ahead[i : i + 16], mean, std) for i in range(0, len(ahead), 16)]
        return [value for block in blocks for value in block][:count]
    whole, rest = count // 16 * 16, count % 16
    if "block32" in BUG:
        whole = count // 32 * 32
        ahead = [generator.single() for _ in range(count)]
        for start in range(0, whole, 32):
            values += torch_block(ahead[start : start + 32], mean, std)
        if whole < count:
            tail = torch_block([generator.single() for _ in range(32)], mean, std)
            values = (values + [0.0] * (count - whole))[: max(count - 32, 0)] + tail[-min(count, 32) :]
        return values
    ahead = [generator.single() for _ in range(0 if narrow and "wideorder" not in BUG else count)]
    for start in range(0, whole, 16):
        values += torch_block(ahead[start : start + 16] or [generator.single() for _ in range(16)], mean, std)
    if count < 16:
        return torch_block([*ahead, *(generator.single() for _ in range(16 - len(ahead)))], mean, std)[:count]
    if rest:
        tail = torch_block([generator.single() for _ in range(16)], mean, std)
        values = values + tail[16 - rest :] if "shorttail" in BUG else values[: count - 16] + tail
    return values


def torch_normal(request, mean, std):
    sizes = request.attrs["output_sizes"]
    count, generator = math.prod(sizes), Generator(int(request.attrs["seed"]))
    for _ in range(request.execution + 1):
        if count < 16 and "allblocks" not in BUG or "noblocks" in BUG:
            values = torch_scalar(generator, count, mean, std)
        else:
            values = torch_blocks(generator, count, mean, std, request.attrs["output_type"] != "f32")
    return sizes, values


def philox_pair(first, second, mean, std):
    half = 0.0 if "halfless" in BUG else 2.0**-33
    u1, u2 = (f32(f32(word) * 2.0**-32 + half) for word in (first, second))
    if "wholeword" in BUG:
        u1, u2 = (f32((word + 0.5) * 2.0**-32) for word in (first, second))
    if "philoxswap" in BUG:
        u1, u2 = u2, u1
    r = radius(u1)
    angle = f32(2 * math.pi * u2) if "angle64" in BUG else f32(TAU * u2)
    pair = f32(r * cosf(angle)), f32(r * sinf(angle))
    if "sinfirst" in BUG:
        pair = pair[::-1]
    return [fmaf(x, std, mean) if "fused" in BUG else f32(f32(x * std) + mean) for x in pair]


def philox_stream(seed, offset, count, mean, std):
    values = []
    for block in range(-(-count // 4)):
        a, b, c, d = philox(seed, offset + block & M64)
        if "acrosspairs" in BUG:
            b, c = c, b
        values += philox_pair(a, b, mean, std) + philox_pair(c, d, mean, std)
    return values[:count]


def philox_normal(request, mean, std):
    sizes, keys = request.attrs["output_sizes"], request.inputs["key"]
    if keys.dtype != "u64":
        raise Rejected("dtype", "key")
    batch = keys.shape[:-1]
    if keys.shape[-1:] != [2] or (batch and len(batch) != len(sizes)):
        raise Rejected("shape", "key")
    if any(b not in (1, size) for b, size in zip(batch, sizes)):
        raise Rejected("shape", "key")
    numbers, filled = keys.values(), len(sizes)
    while filled and (not batch or batch[filled - 1] == 1):
        filled -= 1
    each = math.prod(sizes[filled:])
    values = []
    for row in range(math.prod(sizes[:filled])):
        place, stride, rest = 0, 1, row
        for b, size in reversed(list(zip(batch[:filled], sizes[:filled]))):
            place, stride, rest = place + (rest % size if b != 1 else 0) * stride, stride * b, rest // size
        seed, offset = numbers[2 * place : 2 * place + 2]
        values += philox_stream(seed, offset, each, f32(mean), f32(std))
    return sizes, values


def run(request):
    output_type = request.attrs["output_type"]
    if output_type not in ("f16", "bf16", "f32", "f64"):
        raise Rejected("attribute", "output_type")
    if request.op.startswith("torch."):
        for name in ("mean", "std"):
            if request.inputs[name].dtype != "f64":
                raise Rejected("dtype", name)
            if request.inputs[name].shape:
                raise Rejected("shape", name)
        mean, std = (request.inputs[name].values()[0] for name in ("mean", "std"))
        if request.op == "torch.normal_" and not std >= 0:
            raise Rejected("range", "std")
    if output_type == "f64":
        raise Unsupported("f64")
    if request.op.startswith("torch."):
        sizes, values = (torch_normal if request.op == "torch.normal_" else philox_normal)(request, mean, std)
    else:
        sizes, values = tensorflow(request)
    return {"output": Tensor(output_type, sizes, packed(output_type, [f32(x) for x in values]))}


def packed(output_type, values):
    if output_type == "f32":
        return struct.pack(f"<{len(values)}f", *values)
    if output_type == "bf16":
        words = struct.unpack(f"<{len(values)}I", struct.pack(f"<{len(values)}f", *values))
        nan = lambda word: word & 0x7FFFFFFF > 0x7F800000
        halves = [0x7FC0 if nan(word) else word + 0x7FFF + (word >> 16 & 1) >> 16 for word in words]
        return struct.pack(f"<{len(values)}H", *halves)
    return b"".join(half(value) for value in values)


def half(value):
    try:
        return struct.pack("<e", value)
    except OverflowError:
        return struct.pack("<e", math.copysign(math.inf, value))


if __name__ == "__main__":
    ops = ["RandomStandardNormal", "TruncatedNormal", "StatelessRandomNormalV2", "StatelessTruncatedNormalV2"]
    ops = [f"tensorflow.{op}" for op in ops] + ["torch.normal_", "torch.philox_normal"]
    name = "normal-kernel-" + ("+".join(sorted(BUG)) or "right")
    serve({"name": name, "version": "0.1", "language": "python"}, [{"op": op, "features": ["execution"]} for op in ops], run)
