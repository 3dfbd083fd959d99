"""Sixty mistakes over all ops, each a small change to a right kernel: `BUG=avx2order`. `fresh.json` says what each is.

They were written by someone who had not seen what the diagnosis knows. Without BUG the adapter is right: the uniforms, bits,
keys and classes of own.py, the normals of normals.py, PyTorch's samplers of torch_samplers.py, JAX's ops of jax_kernels.py with
jax.categorical beside them, and TensorFlow's shuffles and classes of tensorflow_samplers.py.
"""

import math
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "adapters"))
sys.path.insert(0, HERE)
# The mistakes here have names of their own: the modules are to be right.
BUG = os.environ.pop("BUG", "")

import jax_kernels
import normals
import own
import tensorflow_samplers
import torch_samplers
from patched import around
from ported import drawn
from own import LOW, SIZES, Tensor, array, bf16, u32, u64, wide
from seedproof_adapter import Rejected, Unsupported, serve

M32, M64 = 2**32 - 1, 2**64 - 1
MISTAKES = []


def mistake(make):
    """A function that makes the mistake of its name, and does so where BUG asks for it."""
    MISTAKES.append(make.__name__)
    if BUG == make.__name__:
        make()
    return make


# --- what several mistakes are made of --------------------------------------------------------------------------------


def values_of(tensor):
    return np.frombuffer(tensor.data, SIZES[tensor.dtype]).copy()


def with_values(tensor, values):
    return Tensor(tensor.dtype, tensor.shape, np.ascontiguousarray(values).tobytes())


def ones_product(a, b):
    return a * b >> u64(32), a * b & LOW


def philox_at(key, lo, hi, product=ones_product):
    """Blocks at counters of two 64-bit halves, with another product of a constant and a word."""
    c = [lo & LOW, lo >> u64(32), hi & LOW, hi >> u64(32)]
    k = [key & M32, key >> 32]
    for _ in range(10):
        (h0, l0), (h1, l1) = product(u64(0xD2511F53), c[0]), product(u64(0xCD9E8D57), c[2])
        c = [h1 ^ c[1] ^ u64(k[0]), l1, h0 ^ c[3] ^ u64(k[1]), l0]
        k = [(k[0] + 0x9E3779B9) & M32, (k[1] + 0xBB67AE85) & M32]
    return np.stack(c, 1).astype(u32)


def counters(counter, blocks):
    first = u64(counter & M64)
    lo = first + np.arange(blocks, dtype=u64)
    return lo, np.full(blocks, counter >> 64, u64) + (lo < first).astype(u64)


def philox_with(product):
    own.philox = lambda key, counter, blocks: philox_at(key, *counters(counter, blocks), product)


def blocks_reordered(number_of):
    """The stream takes block number_of(i) where it should take block i."""
    right = own.stream

    def wrong(key, counter, count):
        numbers = number_of(np.arange(-(-count // 4)))
        if not count:
            return right(key, counter, 0)
        return right(key, counter, 4 * (int(numbers.max()) + 1)).reshape(-1, 4)[numbers].reshape(-1)[:count]

    own.stream = wrong


def twister_with(seeded=lambda s: s, stale=False, masks=(0x9D2C5680, 0xEFC60000)):
    def wrong(seed, count):
        key = np.empty(624, u32)
        s = seeded(seed & M32)
        for i in range(624):
            key[i] = s
            s = (1812433253 * (s ^ (s >> 30)) + i + 1) & M32
        out = []
        for _ in range(-(-count // 624)):
            old = key[0]
            for a, b in ((0, 227), (227, 454), (454, 623), (623, 624)):
                following = np.take(key, np.arange(a + 1, b + 1) % 624)
                if stale and a == 623:
                    following = np.array([old], u32)
                y = (key[a:b] & u32(0x80000000)) | (following & u32(0x7FFFFFFF))
                key[a:b] = np.take(key, (np.arange(a, b) + 397) % 624) ^ (y >> u32(1)) ^ ((following & u32(1)) * u32(0x9908B0DF))
            out.append(key.copy())
        y = np.concatenate(out)[:count] if out else np.empty(0, u32)
        y ^= y >> u32(11)
        y ^= (y << u32(7)) & u32(masks[0])
        y ^= (y << u32(15)) & u32(masks[1])
        return y ^ (y >> u32(18))

    own.twister = wrong


def integers_with(kinds, function):
    """Other integers of these types: from numbers of 32 or 64 bits, or the words themselves, and the bounds."""
    right = own.integers

    def wrong(words, lo, hi, dtype, low_first=True):
        if dtype not in kinds:
            return right(words, lo, hi, dtype, low_first)
        return (function(words, lo, hi) + u64(lo % 2**64)).astype(SIZES["u" + dtype[1:]])

    own.integers = wrong


# --- RandomUniform-8 --------------------------------------------------------------------------------------------------


@mistake
def avx2order():  # eight blocks are transposed within the 128-bit lanes, and stored without the exchange of lanes behind it
    right = own.stream

    def wrong(key, counter, count):
        words = right(key, counter, count)
        body = count // 32 * 32
        words[:body] = words[:body].reshape(-1, 8, 4)[:, [0, 4, 1, 5, 2, 6, 3, 7]].reshape(-1)
        return words

    own.stream = wrong


@mistake
def gridlap():  # 2 groups of 32 threads, a block each: a lap advances the output by the grid and the counter by the group
    blocks_reordered(lambda b: b % 64 + b // 64 * 32)


@mistake
def splitskip():  # six threads share out n elements, the first n mod 6 take one more; each skips t * (n div 6) of the stream
    right = own.stream

    def wrong(key, counter, count):
        words, parts = right(key, counter, count), []
        for t in range(6):
            size = count // 6 + (t < count % 6)
            parts.append(words[t * (count // 6) :][:size])
        return np.concatenate(parts)

    own.stream = wrong


@mistake
def f64hi20():  # the upper part of an f64's mantissa is the top 20 bits of its word
    right = own.mantissa

    def wrong(words, dtype):
        if dtype == "f64":
            words = words.copy()
            words[0::2] >>= u32(12)
        return right(words, dtype)

    own.mantissa = wrong


@mistake
def maskwide():  # the mask of the 16-bit types has one bit more than the mantissa, and the exponent is added, not or-ed in
    right = own.mantissa

    def wrong(words, dtype):
        if dtype == "f16":
            return ((words & u32(0x7FF)) + u32(15 << 10)).astype(np.uint16).view(np.float16) - np.float16(1)
        if dtype == "bf16":
            return bf16((((words & u32(0xFF)) << u32(16)) + u32(127 << 23)).view(np.float32) - np.float32(1))
        return right(words, dtype)

    own.mantissa = wrong


@mistake
def spanwide():  # the bounds of an i32 are widened to 64 bits without their sign before the range is taken
    integers_with(("i32",), lambda words, lo, hi: words.astype(u64) % u64(((hi & M32) - (lo & M32)) % 2**64))


@mistake
def spansign():  # the range of an i32 is an int: from 2^31 on it is negative, and the remainder is by its amount
    def of(words, lo, hi):
        span = hi - lo
        return words.astype(u64) % u64(abs(span - 2**32 if span >= 2**31 else span))

    integers_with(("i32",), of)


@mistake
def shift32():  # the high word is not widened before the shift by 32, which x86 takes modulo 32
    right = own.integers

    def wrong(words, lo, hi, dtype, low_first=True):
        if dtype == "i64":
            words = words.copy()
            words[0::2] |= words[1::2]
            words[1::2] = 0
        return right(words, lo, hi, dtype, low_first)

    own.integers = wrong


@mistake
def batchlast():  # the buffer has the first axis innermost (sequence before batch), and is transposed on its way out
    right = own.stored

    def wrong(values, shape):
        values = right(values, shape)
        if len(shape) < 2 or not len(values):
            return values
        return np.moveaxis(values.reshape(shape[1:] + shape[:1]), -1, 0).reshape(-1)

    own.stored = wrong


@mistake
def scalarzero():  # the elements are counted with a product that is 0 for no extents: a scalar is never written
    def after(out, request):
        tensor = out["output"]
        return {"output": Tensor(tensor.dtype, [], bytes(len(tensor.data)))} if not tensor.shape else out

    around("openvino.RandomUniform-8", after=after)


@mistake
def alignmentless():  # the attribute is checked and not read
    def before(request):
        if request.attrs["alignment"] == "PYTORCH":
            request.attrs["alignment"] = "TENSORFLOW"

    around("openvino.RandomUniform-8", before)


@mistake
def byrange():  # PyTorch's i64 takes one word where the range fits 32 bits, not where both bounds do
    def after(out, request):
        attrs, tensor = request.attrs, out["output"]
        seed = int(attrs["global_seed"])
        if (attrs["alignment"], tensor.dtype) != ("PYTORCH", "i64") or (seed, int(attrs["op_seed"])) == (0, 0):
            return out
        lo, hi = (int(array(request.inputs[name])[0]) for name in ("minval", "maxval"))
        n, span = len(tensor.data) // 8, hi - lo
        if span > M32:
            words = own.twister(seed, 2 * n).astype(u64)
            x = words[0::2] << u64(32) | words[1::2]
        else:
            x = own.twister(seed, n).astype(u64)
        return {"output": with_values(tensor, x % u64(span) + u64(lo % 2**64))}

    around("openvino.RandomUniform-8", after=after)


@mistake
def half16():  # PyTorch's f16 is a number of 16 bits over 2^16, rounded
    right = own.fraction

    def wrong(words, dtype):
        if dtype != "f16":
            return right(words, dtype)
        return ((words & u32(0xFFFF)).astype(np.float32) / np.float32(65536)).astype(np.float16).astype(np.float32)

    own.fraction = wrong


@mistake
def mask52():  # PyTorch's f64 keeps 52 bits and divides by 2^53
    right = own.fraction

    def wrong(words, dtype):
        if dtype != "f64":
            return right(words, dtype)
        x = words[0::2].astype(u64) << u64(32) | words[1::2].astype(u64)
        return (x & u64(2**52 - 1)).astype(np.float64) / 2.0**53

    own.fraction = wrong


@mistake
def default5489():  # a seed of zero stands for none, and MT19937 then has its default
    twister_with(seeded=lambda s: s or 5489)


@mistake
def mtwrap():  # the last word of the state is twisted with the first as it was before the twist
    twister_with(stale=True)


# --- Multinomial-13 ---------------------------------------------------------------------------------------------------


def sampled(choose, weights_of=None):
    """Multinomial-13 with another choice: from the weights of a row, its number, the draws as drawn, and the extents."""
    right = own.OPS["openvino.Multinomial-13"]

    def wrong(request):
        out = right(request)  # what it refuses is refused here
        seeds = int(request.attrs["global_seed"]), int(request.attrs["op_seed"])
        given = request.inputs.get("draws")
        rows, samples = out["output"].shape
        if not rows * samples or (seeds == (0, 0) and not given):
            return out
        probs = request.inputs["probs"]
        raw = wide(array(probs)) if probs.dtype == "bf16" else array(probs)
        if weights_of:
            weights = weights_of(raw, probs, request.attrs["log_probs"])
        else:
            weights = np.exp(raw.astype(np.float64)) if request.attrs["log_probs"] else raw.astype(np.float64)
        weights = weights.reshape(rows, -1)
        more = max(rows, 1) * max(samples, weights.shape[1])
        u = array(given) if given else own.mantissa(own.stream(seeds[0], seeds[1] << 64, 2 * more), "f64")
        made = [choose(weights[row], row, u, samples, request.attrs["with_replacement"]) for row in range(rows)]
        kind = request.attrs["convert_type"]
        return own.answer(np.array(made, np.int64).reshape(-1).astype(SIZES[kind]), kind, [rows, samples])

    own.OPS["openvino.Multinomial-13"] = wrong


def own_draws(row, u, samples):
    return u[row * samples : (row + 1) * samples]


@mistake
def cursor():  # the search goes on from the class of the sample before, as if the draws were sorted
    def choose(weights, row, u, samples, replace):
        picked = drawn(weights, own_draws(row, u, samples), replace)
        return np.maximum.accumulate(picked) if replace else picked

    sampled(choose)


@mistake
def explow():  # the exponential of a log probability is rounded to the type of the input
    def weights_of(raw, probs, logs):
        if not logs:
            return raw.astype(np.float64)
        if probs.dtype == "bf16":
            return wide(bf16(np.exp(raw.astype(np.float32)))).astype(np.float64)
        return np.exp(raw.astype(np.float64)).astype(raw.dtype).astype(np.float64)

    sampled(lambda weights, row, u, samples, replace: drawn(weights, own_draws(row, u, samples), replace), weights_of)


@mistake
def bf16asf16():  # the 16 bits of a bf16 are read as those of an f16
    def weights_of(raw, probs, logs):
        if probs.dtype == "bf16":
            raw = np.frombuffer(probs.data, np.float16)
        return np.exp(raw.astype(np.float64)) if logs else raw.astype(np.float64)

    sampled(lambda weights, row, u, samples, replace: drawn(weights, own_draws(row, u, samples), replace), weights_of)


@mistake
def drawstride():  # the draws of a row begin at row * classes, not at row * samples; past the end of given ones is the last
    def choose(weights, row, u, samples, replace):
        return drawn(weights, u[np.minimum(row * len(weights) + np.arange(samples), len(u) - 1)], replace)

    sampled(choose)


@mistake
def onedraw():  # without replacement the draw is read before the loop: all samples of a row have the row's first
    def choose(weights, row, u, samples, replace):
        u = own_draws(row, u, samples)
        return drawn(weights, u if replace else np.repeat(u[:1], samples), replace)

    sampled(choose)


# --- RandomGenerator --------------------------------------------------------------------------------------------------


@mistake
def simdcarry():  # the base of eight lanes is counted in 128 bits, and the lane is added to its lowest word alone
    def wrong(key, counter, blocks):
        lane = np.arange(blocks, dtype=u64) % u64(8)
        lo, hi = counters(counter, blocks)
        lo, hi = lo[::8].repeat(8)[:blocks], hi[::8].repeat(8)[:blocks]
        return philox_at(key, lo & ~LOW | lo + lane & LOW, hi)

    own.philox = wrong


@mistake
def mul24():  # the low half of a product is that of a multiplication of 24 bits
    small = u64(0xFFFFFF)
    philox_with(lambda a, b: (a * b >> u64(32), (a & small) * (b & small) & LOW))


def other_output_state(op, name, kind, change):
    def after(out, request):
        if "output_state" in out:
            new = change(values_of(out["output_state"]), array(request.inputs[name]))
            out["output_state"] = with_values(out["output_state"], new)
        return out

    around(op, after=after)


@mistake
def state64():  # the counter of the output state is one of 64 bits: its words 2 and 3 never change
    def change(new, old):
        new[2:4] = old[2:4]
        return new

    other_output_state("directml.RandomGenerator", "input_state", u32, change)


@mistake
def keytwin():  # copied and pasted: the last word of the output state is the first of the key too
    def change(new, old):
        new[5] = new[4]
        return new

    other_output_state("directml.RandomGenerator", "input_state", u32, change)


# --- rng_bit_generator ------------------------------------------------------------------------------------------------


@mistake
def rotgroups():  # the two groups of four rotations are exchanged
    def wrong(key, counts):
        k = [u32(key & M32), u32(key >> 32)]
        k.append(k[0] ^ k[1] ^ u32(0x1BD11BDA))
        x = [(counts & LOW).astype(u32) + k[0], (counts >> u64(32)).astype(u32) + k[1]]
        for j in range(5):
            for n in [(17, 29, 16, 24), (13, 15, 26, 6)][j % 2]:
                x[0] = x[0] + x[1]
                x[1] = own.rotl(x[1], n) ^ x[0]
            x = [x[0] + k[(j + 1) % 3], x[1] + k[(j + 2) % 3] + u32(j + 1)]
        return np.stack(x, 1)

    own.threefry = wrong


def halved_with(axis_of, last=lambda words, axis: words):
    right = own.halved

    def wrong(key, first, shape):
        if not shape:
            return right(key, first, shape)
        even = [i for i, extent in enumerate(shape) if extent % 2 == 0]
        axis = even[0] if even else axis_of(shape)
        half = list(shape)
        half[axis] = -(-half[axis] // 2)
        used = int(np.prod(half, dtype=np.int64))
        pairs = own.threefry(key, u64(first) + np.arange(used, dtype=u64))
        words = np.stack([pairs[:, 0].reshape(half), pairs[:, 1].reshape(half)], axis + 1)
        words = words.reshape(half[:axis] + [2 * half[axis]] + half[axis + 1 :])
        words = np.take(words, np.arange(shape[axis]), axis)
        return (words if even else last(words, axis)).reshape(-1), used

    own.halved = wrong


@mistake
def firstodd():  # where no extent is even the first is halved, not the greatest
    halved_with(lambda shape: 0)


@mistake
def oddzero():  # an odd extent is halved rounded down: its last index is never written
    def last(words, axis):
        words = words.copy()
        words[(slice(None),) * axis + (-1,)] = 0
        return words

    halved_with(lambda shape: shape.index(max(shape)), last)


def bits_after(change):
    """rng_bit_generator with the output made of the words of u32 or u64."""
    right = own.OPS["stablehlo.rng_bit_generator"]

    def wrong(request):
        out = right(request)
        dtype = request.attrs["output_type"]
        request.attrs["output_type"] = "u64" if dtype[1:] == "64" else "u32"
        words = values_of(right(request)["output"])
        out["output"] = with_values(out["output"], change(words, dtype, values_of(out["output"])))
        return out

    own.OPS["stablehlo.rng_bit_generator"] = wrong


@mistake
def saturated():  # a word is cast to a narrow integer with saturation
    def change(words, dtype, right):
        greatest = {"u8": 255, "i8": 127, "u16": 65535, "i16": 32767}.get(dtype)
        return np.minimum(words, u32(greatest)).astype(SIZES[dtype]) if greatest else right

    bits_after(change)


@mistake
def valuecast():  # a word is converted to f32 or f64, where its bits should be taken for one
    bits_after(lambda words, dtype, right: words.astype(SIZES[dtype]) if dtype in ("f32", "f64") else right)


# --- TensorFlow's stateless uniforms ----------------------------------------------------------------------------------


@mistake
def evenhi():  # a product of even lanes alone: the high half of an odd block's product is that of the block before it
    def product(a, b):
        high = a * b >> u64(32)
        return high[np.arange(len(high)) & ~1], a * b & LOW

    philox_with(product)


@mistake
def unbiased():  # numbers past the greatest multiple of the range are drawn again, so that the remainder has no bias
    right, stream, at = own.integers, own.stream, {}

    def remembered(key, counter, count):
        at["key"], at["counter"] = key, counter
        return stream(key, counter, count)

    def wrong(words, lo, hi, dtype, low_first=True):
        wide_type = dtype[1:] == "64"
        each, bits = (2, 64) if wide_type else (1, 32)
        n, limit = len(words) // each, 2**bits - 2**bits % ((hi - lo) % 2**bits or 2**bits)
        more = stream(at["key"], at["counter"], 8 * each * n + 64)
        x = more.view(u64) if wide_type else more
        kept = x[x < limit] if limit < 2**bits else x
        return right(np.ascontiguousarray(kept[:n]).view(u32), lo, hi, dtype, low_first)

    own.stream, own.integers = remembered, wrong


@mistake
def onepair():  # a block gives one number of 64 bits: its third and fourth word are thrown away
    right, op = own.stream, own.OPS["tensorflow.StatelessRandomUniformFullIntV2"]

    def half(key, counter, count):
        return right(key, counter, 2 * count).reshape(-1, 4)[:, :2].reshape(-1)

    def wrong(request):
        own.stream = half if str(request.attrs["output_type"])[1:] == "64" else right
        return op(request)

    own.OPS["tensorflow.StatelessRandomUniformFullIntV2"] = wrong


@mistake
def keybig():  # the first word of the scrambled seed is the high half of the key
    def after(out, request):
        key = values_of(out["key"])
        out["key"] = with_values(out["key"], key << u64(32) | key >> u64(32))
        return out

    around("tensorflow.StatelessRandomGetKeyCounter", after=after)


# --- PyTorch's keys ---------------------------------------------------------------------------------------------------


@mistake
def keystride():  # a batch of keys is read with a stride of one number, not of two
    right = own.keys

    def wrong(request):
        pairs, shape = right(request)
        flat = pairs.reshape(-1)
        return np.array([flat[b : b + 2] for b in range(len(pairs))], u64).reshape(-1, 2), shape

    own.keys = wrong


@mistake
def interleaved():  # keys that are broadcast are repeated one by one, where the whole batch should be repeated
    def wrong(request, shape, per):
        right = keyed(request, shape, per)  # what it refuses is refused here
        pairs, kshape = own.keys(request)
        batch = kshape[:-1]
        n = int(np.prod(shape, dtype=np.int64))
        filled = 0
        while filled < len(batch) and batch[-1 - filled] == 1:
            filled += 1
        run = int(np.prod(shape[len(shape) - filled :], dtype=np.int64)) if batch else n
        if not n:
            return right
        runs, out = n // run, []
        for r in range(runs):
            seed, offset = (int(x) for x in pairs[r * len(pairs) // runs])
            out.append(own.stream_64(seed, offset, run * per))
        return np.concatenate(out)

    keyed = own.keyed_words
    own.keyed_words = wrong


@mistake
def carryhigh():  # the offset carries into the high half of the counter
    own.stream_64 = lambda seed, offset, count: own.stream(seed, offset, count)


@mistake
def span64():  # the range of an f32 is taken of the f64 bounds and then rounded
    op, right, bounds = own.OPS["torch.philox_uniform"], own.scaled_right, []

    def wrong(request):
        bounds[:] = [float(array(request.inputs[name])[0]) if request.inputs[name].dtype == "f64" else 0.0 for name in ("low", "high")]
        return op(request)

    def scaled(u, lo, hi, dtype, rounded):
        if dtype != "f32":
            return right(u, lo, hi, dtype, rounded)
        return (u.astype(np.float32) * np.float32(bounds[1] - bounds[0]) + np.float32(lo)).astype(np.float32)

    own.scaled.right, own.OPS["torch.philox_uniform"] = scaled, wrong


@mistake
def fullrange():  # the least value is added to a whole word too, where a range is all of its type
    def after(out, request):
        dtype = out["output"].dtype
        bits = int(dtype[1:])
        least = 0 if dtype[0] == "u" else -(2 ** (bits - 1))
        lo, hi = request.number("low"), request.number("high")
        if (least if lo is None else lo, least + 2**bits if hi is None else hi) == (least, least + 2**bits):
            values = np.frombuffer(out["output"].data, SIZES[f"u{bits}"])
            out["output"] = with_values(out["output"], values + SIZES[f"u{bits}"].type(least % 2**bits))
        return out

    around("torch.philox_randint", after=after)


@mistake
def narrow64():  # a 64-bit integer takes one word where the range is at most 2^32
    def after(out, request):
        tensor = out["output"]
        lo, hi = request.number("low"), request.number("high")
        least = 0 if tensor.dtype[0] == "u" else -(2**63)
        lo, hi = least if lo is None else lo, least + 2**64 if hi is None else hi
        if tensor.dtype[1:] != "64" or hi - lo > 2**32:
            return out
        x = own.keyed_words(request, tensor.shape, 1).astype(u64) % u64(hi - lo) + u64(lo % 2**64)
        return {"output": with_values(tensor, x)}

    around("torch.philox_randint", after=after)


@mistake
def foldhigh():  # data is the high half of the counter, not added to the offset
    def wrong(seed, offset, data):
        w = own.philox(int(seed), int(offset) | data << 64, 1)[0].astype(u64)
        return [w[0] | w[1] << u64(32), w[2] | w[3] << u64(32)]

    own.fold = wrong


# --- normals ----------------------------------------------------------------------------------------------------------


def truncated_with(group_of):
    """TruncatedNormal with another way to fill a group of four from the blocks of its own."""

    def wrong(key, counter, count):
        out = []
        for group in range(-(-count // 4)):
            blocks = (normals.tf_four(normals.philox(key, counter + 256 * group + b & normals.M128)) for b in range(256))
            out += group_of(blocks)
        return out[:count]

    normals.tf_truncated = wrong


@mistake
def lanewise():  # a normal beyond the bound is replaced by that of the same place of the next block
    def group_of(blocks):
        made = next(blocks)
        while any(abs(x) >= 2 for x in made):
            made = [y if abs(x) >= 2 else x for x, y in zip(made, next(blocks))]
        return made

    truncated_with(group_of)


@mistake
def pairreject():  # with a normal beyond the bound the other of its pair is rejected too
    def group_of(blocks):
        made = []
        while len(made) < 4:
            four = next(blocks)
            for pair in (four[:2], four[2:]):
                made += pair if all(abs(x) < 2 for x in pair) else []
        return made[:4]

    truncated_with(group_of)


@mistake
def rsqrt():  # the square root is the number times its reciprocal square root, in f32
    def root(x):
        return normals.f32(x * normals.f32(1 / math.sqrt(x))) if 0 < x < math.inf else x

    normals.radius = lambda u: root(normals.f32(-2.0 * normals.logf(u)))


@mistake
def meanfirst():  # the mean is added before the product with the standard deviation
    right, f32 = normals.philox_pair, normals.f32
    normals.philox_pair = lambda a, b, mean, std: [f32(f32(x + mean) * std) for x in right(a, b, 0.0, 1.0)]


@mistake
def tailreuse():  # the last 16 are made again of the last 16 uniforms that there are, and not of 16 new ones
    right = normals.torch_blocks

    def wrong(generator, count, mean, std, narrow):
        if narrow or count < 16:
            return right(generator, count, mean, std, narrow)
        ahead = [generator.single() for _ in range(count)]
        mean, std, values = normals.f32(mean), normals.f32(std), []
        for start in range(0, count // 16 * 16, 16):
            values += normals.torch_block(ahead[start : start + 16], mean, std)
        return values[: count - 16] + normals.torch_block(ahead[-16:], mean, std) if count % 16 else values

    normals.torch_blocks = wrong


@mistake
def single32():  # a single normal is rounded to f32 before the scale, which is computed in f32
    right, f32 = normals.torch_scalar, normals.f32

    def wrong(generator, count, mean, std):
        return [f32(f32(f32(x) * f32(std)) + f32(mean)) for x in right(generator, count, 0.0, 1.0)]

    normals.torch_scalar = wrong


@mistake
def freshtwist():  # a call keeps the state and not the place in it: the next one begins with a twist
    class Fresh(normals.Generator):
        def __init__(self, seed):
            super().__init__(seed)
            self.bits, self.used, self.random = self.random.getrandbits, 0, self

        def getrandbits(self, width):
            self.used += 1
            return self.bits(width)

        def twist(self):
            while self.used % 624:
                self.getrandbits(32)

    scalar, blocks = normals.torch_scalar, normals.torch_blocks

    def before(fill):
        def wrong(generator, *rest):
            generator.twist()
            return fill(generator, *rest)

        return wrong

    normals.Generator, normals.torch_scalar, normals.torch_blocks = Fresh, before(scalar), before(blocks)


# --- PyTorch's samplers -----------------------------------------------------------------------------------------------


@mistake
def bits31():  # a place is made of the low 31 bits of a word
    right = torch_samplers.mt19937
    torch_samplers.mt19937 = lambda seed: (word & 0x7FFFFFFF for word in right(seed))


@mistake
def uround():  # the number is rounded to the type of p before the two are compared
    run, kind = torch_samplers.run, {}

    def wrong(request):
        kind["of"] = request.inputs["p"].dtype if request.op == "torch.bernoulli" else "f64"
        return run(request)

    torch_samplers.run = wrong
    torch_samplers.is_one = lambda u, p: torch_samplers.narrowed(kind["of"], u) < p


@mistake
def timesnoise():  # weights are multiplied by the exponential noise, not divided
    right = torch_samplers.divided
    multinomial = torch_samplers.multinomial

    def wrong(request, weights, dtype, rows, classes, count, replacement):
        torch_samplers.divided = right if replacement and count > 1 else lambda a, b: a * b
        return multinomial(request, weights, dtype, rows, classes, count, replacement)

    torch_samplers.multinomial = wrong


@mistake
def lambdatype():  # the rate is rounded to the type of the output
    right = torch_samplers.exponential
    torch_samplers.exponential = lambda u, lambd, dtype: right(u, torch_samplers.narrowed(dtype, lambd), dtype)


def dropout_with(drawn_at, zero):
    """dropout where element i takes draw drawn_at(shape, i), and a dropped element is zero(element)."""
    run, narrowed = torch_samplers.run, torch_samplers.narrowed

    def wrong(request):
        out = run(request)  # what it refuses is refused here
        if request.op != "torch.dropout":
            return out
        (dtype, shape, x), p = torch_samplers.floats(request, "input"), torch_samplers.scalar(request, "p")
        if not 0 < p < 1:
            return out
        draws = torch_samplers.Draws(request, 2 * len(x))
        u = [draws.unit53() for _ in x]
        by = narrowed(dtype, 1 / narrowed("f64" if dtype == "f64" else "f32", 1 - p))
        kept = [u[drawn_at(shape, i)] < 1 - p for i in range(len(x))]
        return torch_samplers.packed(dtype, shape, [narrowed(dtype, v * by) if k else zero(v) for v, k in zip(x, kept)])

    torch_samplers.run = wrong


@mistake
def features():  # from rank 3 on whole channels are dropped: a number for each slice of the first two axes
    def drawn_at(shape, i):
        return i // math.prod(shape[2:]) if len(shape) > 2 else i

    dropout_with(drawn_at, lambda v: v * 0.0)


@mistake
def selected():  # what is dropped is +0 by a selection, whatever it was, and not a product with 0
    dropout_with(lambda shape, i: i, lambda v: 0.0)


# --- JAX --------------------------------------------------------------------------------------------------------------


@mistake
def sortsigned():  # permutation sorts its keys as signed numbers
    def wrong(attrs, key, n):
        rounds = math.ceil(3 * math.log(max(1, n)) / math.log(2**32 - 1))
        values = np.arange(n, dtype=np.int64)
        for _ in range(rounds):
            key, sub = jax_kernels.split(attrs, key, 2)
            drawn = np.ascontiguousarray(jax_kernels.bits(attrs, sub, 32, n)).view(np.int32)
            values = values[np.argsort(drawn, kind="stable")]
        return values

    jax_kernels.permutation = wrong


@mistake
def rbgtwin():  # copied and pasted: both halves of a split rbg key come of the first half
    right = jax_kernels.split

    def wrong(attrs, key, count):
        if attrs["impl"] == "rbg":
            key = np.concatenate([key[:2], key[:2]])
        return right(attrs, key, count)

    jax_kernels.split = wrong


@mistake
def planes64():  # 64-bit numbers of rbg: all low words are drawn, and then all high ones
    right = jax_kernels.bits

    def wrong(attrs, key, width, count):
        if attrs["impl"] == "threefry2x32" or width != 64:
            return right(attrs, key, width, count)
        words = jax_kernels.rbg_words(key, 2 * count).astype(u64)
        return words[:count] | words[count:] << u64(32)

    jax_kernels.bits = wrong


@mistake
def randsigned():  # randint of a signed type reduces signed words: the remainder has the sign of the word
    def signed(attrs, key, dtype, count, low, high):
        if dtype not in ("i32", "i64"):
            return right(attrs, key, dtype, count, low, high)
        width = jax_kernels.WIDTH[dtype]
        least, modulus = -(2 ** (width - 1)), 2**width
        above = high > least + modulus - 1
        low, high = (min(max(x, least), least + modulus - 1) for x in (low, high))
        narrow = lambda x: (x - least) % modulus + least
        span = 1 if high <= low else narrow(high - low + (1 if above else 0))

        def rest(x):
            return int(math.copysign(1, x)) * (abs(x) % abs(span)) if span else x

        k1, k2 = jax_kernels.split(attrs, key, 2)
        more, less = ([narrow(int(x)) for x in jax_kernels.bits(attrs, k, width, count)] for k in (k1, k2))
        multiplier = rest(2 ** (width // 2))
        multiplier = rest(narrow(multiplier * multiplier))
        offsets = [rest(narrow(narrow(rest(h) * multiplier) + rest(l))) for h, l in zip(more, less)]
        return np.array([(low + x) % modulus for x in offsets], dtype=f"<u{width // 8}").tobytes()

    right = jax_kernels.randint
    jax_kernels.randint = signed


def categorical(request, noise_at=lambda rows, classes: np.arange(rows * classes).reshape(rows, classes)):
    """The first greatest sum of a logit and a Gumbel number; JAX's logarithms are within an ulp of these."""
    attrs, key, logits = request.attrs, request.inputs["key"], request.inputs["logits"]
    if attrs["impl"] not in ("threefry2x32", "rbg", "unsafe_rbg"):
        raise Rejected("attribute", "impl")
    if key.dtype != "u32" or logits.dtype != "f32":
        raise Rejected("dtype", "key or logits")
    if key.shape != [2 if attrs["impl"] == "threefry2x32" else 4]:
        raise Rejected("shape", "key")
    if not logits.shape or not logits.shape[-1]:
        raise Rejected("shape", "logits")
    values, classes = array(logits), logits.shape[-1]
    rows = len(values) // classes
    tiny = float(np.finfo(np.float32).tiny)
    u = jax_kernels.uniform(attrs, array(key), "f32", rows * classes, tiny, 1.0)
    noise = -np.log((-np.log(u)).astype(np.float32).astype(np.float64))
    sums = noise.astype(np.float32)[noise_at(rows, classes)] + values.reshape(rows, classes)
    found = np.argmax(sums, axis=1) if rows else np.empty(0)
    return {"output": Tensor("i64", logits.shape[:-1], found.astype(np.int64).tobytes())}


@mistake
def noisecolumns():  # the noise is drawn class by class: its first axis is that of the classes
    global categorical
    right = categorical
    categorical = lambda request: right(request, lambda rows, classes: np.arange(rows * classes).reshape(classes, rows).T)


# --- TensorFlow's samplers --------------------------------------------------------------------------------------------


@mistake
def lastaxis():  # the elements of the last axis are shuffled, not those of the first
    right = tensorflow_samplers.answer

    def wrong(request):
        value = request.inputs.get("value")
        if request.op != "tensorflow.RandomShuffle" or len(value.shape) < 2:
            return right(request)
        values = np.frombuffer(value.data, SIZES[value.dtype]).reshape(value.shape)
        turned = np.ascontiguousarray(np.moveaxis(values, -1, 0))
        request.inputs["value"] = Tensor(value.dtype, list(turned.shape), turned.tobytes())
        out = np.frombuffer(right(request)["output"].data, SIZES[value.dtype]).reshape(turned.shape)
        return {"output": with_values(value, np.moveaxis(out, 0, -1))}

    tensorflow_samplers.answer = wrong


# --- the adapter ------------------------------------------------------------------------------------------------------

WITH_EXECUTIONS = {}
for op in ("RandomStandardNormal", "TruncatedNormal", "StatelessRandomNormalV2", "StatelessTruncatedNormalV2"):
    WITH_EXECUTIONS["tensorflow." + op] = lambda request: normals.run(request)
for op in ("normal_", "philox_normal"):
    WITH_EXECUTIONS["torch." + op] = lambda request: normals.run(request)
for op in ("bernoulli", "bernoulli_", "dropout", "randperm", "multinomial", "exponential_"):
    WITH_EXECUTIONS["torch." + op] = lambda request: torch_samplers.run(request)
for op in ("RandomShuffle", "Multinomial"):
    WITH_EXECUTIONS["tensorflow." + op] = lambda request: tensorflow_samplers.answer(request)
OTHERS = {op: own.run for op in own.OPS}
OTHERS.update({op: lambda request: jax_kernels.run(request) for op in ["jax.key", *jax_kernels.KEYED]})
OTHERS["jax.categorical"] = lambda request: categorical(request)
for op in ("StatelessShuffle", "StatelessMultinomial"):
    OTHERS["tensorflow." + op] = lambda request: tensorflow_samplers.answer(request)
EXTRAS = {"openvino.Multinomial-13": ["draws"], "directml.RandomGenerator": ["output_state"]}
EXTRAS.update({op: ["execution"] for op in WITH_EXECUTIONS})


def run(request):
    return (WITH_EXECUTIONS.get(request.op) or OTHERS[request.op])(request)


if __name__ == "__main__":
    if BUG and BUG not in MISTAKES:
        raise SystemExit(f"no mistake {BUG}")
    claims = [{"op": op, **({"features": EXTRAS[op]} if op in EXTRAS else {})} for op in [*WITH_EXECUTIONS, *OTHERS]]
    serve({"name": "fresh-kernel-" + (BUG or "right"), "version": "0.1", "language": "python"}, claims, run)
