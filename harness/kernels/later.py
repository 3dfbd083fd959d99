"""Thirty-one more mistakes over all ops, each a small change to a right kernel: `BUG=fourcores`. `later.json` says what each is.

They were written before the diagnosis was asked for any of them. Without BUG the adapter is that of fresh.py, which is right.
"""

import math

import numpy as np

import fresh
from fresh import BUG, M32, SIZES, around, bf16, jax_kernels, mistake, normals, own, sampled, serve, tensorflow_samplers
from fresh import torch_samplers, twister_with, u32, u64, values_of, wide, with_values

# --- RandomUniform-8 --------------------------------------------------------------------------------------------------


@mistake
def fourcores():  # four cores: parts are rounded up to 8 elements, and a core's block is counted from the part before that
    right = own.stream

    def wrong(key, counter, count):
        part = -(-count // 4)
        size = -(-part // 8) * 8
        words = np.empty(0, u32)
        for core in range(4):
            first = core * part // 4
            words = np.concatenate([words, right(key, counter + first, size)])
        return words[:count]

    own.stream = wrong


@mistake
def crosspairs():  # a block gives two numbers of 64 bits, of words 0 and 2 and of words 1 and 3
    right, op = own.stream, own.random_uniform

    def crossed(key, counter, count):
        words = right(key, counter, -(-count // 4) * 4).reshape(-1, 4)[:, [0, 2, 1, 3]]
        return words.reshape(-1)[:count]

    def wrong(request):
        own.stream = crossed if str(request.attrs["output_type"])[1:] == "64" else right
        return op(request)

    own.OPS["openvino.RandomUniform-8"] = wrong


@mistake
def counter32():  # op_seed is put one word too low in the counter
    right = own.stream
    own.stream = lambda key, counter, count: right(key, counter >> 32, count)


@mistake
def unit22():  # the shift is one bit too far: f32 numbers have 22 bits
    right = own.mantissa

    def wrong(words, dtype):
        return right(words & ~u32(1) if dtype == "f32" else words, dtype)

    own.mantissa = wrong


@mistake
def oneminus():  # 1 - u, for numbers in (0, 1]
    right = own.mantissa

    def wrong(words, dtype):
        u = right(words, dtype)
        return bf16(1 - wide(u)) if dtype == "bf16" else type(u[:1].sum())(1) - u if len(u) else u

    own.mantissa = wrong


@mistake
def boustrophedon():  # every second block is stored backwards
    right = own.stream

    def wrong(key, counter, count):
        words = right(key, counter, -(-count // 8) * 8).reshape(-1, 2, 4)
        words[:, 1] = words[:, 1, ::-1]
        return words.reshape(-1)[:count]

    own.stream = wrong


@mistake
def oneahead():  # the first word is taken for a check, and the stream goes on from the second
    right = own.stream
    own.stream = lambda key, counter, count: right(key, counter, count + 1)[1:]


@mistake
def rowkeys():  # the last axis is a thread's: its key is the seed and the number of the row
    op, right = own.random_uniform, own.stream

    def wrong(request):
        shape = own.extents(request)
        width = shape[-1] if shape else 1

        def by_rows(key, counter, count):
            each = count // max(int(np.prod(shape, dtype=np.int64)), 1) * width
            rows = [right((key + row) % 2**64, counter, each) for row in range(count // max(each, 1))]
            return np.concatenate(rows) if rows else right(key, counter, 0)

        own.stream = by_rows
        return op(request)

    own.OPS["openvino.RandomUniform-8"] = wrong


@mistake
def temperswap():  # the two masks of the tempering are exchanged
    twister_with(masks=(0xEFC60000, 0x9D2C5680))


@mistake
def seedplus():  # the seed of MT19937 is the sum of both seeds
    op = own.random_uniform

    def wrong(request):
        if request.attrs["alignment"] == "PYTORCH":
            seeds = int(request.attrs["global_seed"]), int(request.attrs["op_seed"])
            request.attrs["global_seed"] = sum(seeds) % 2**64
        return op(request)

    own.OPS["openvino.RandomUniform-8"] = wrong


# --- Multinomial-13 ---------------------------------------------------------------------------------------------------


@mistake
def swaplast():  # without replacement the chosen class is overwritten by the last one that is left
    def choose(weights, row, u, samples, replace):
        u = u[row * samples : (row + 1) * samples]
        if replace:
            return fresh.drawn(weights, u, replace)
        left, picked = list(range(len(weights))), []
        for at in u:
            sums = np.cumsum(weights[left])
            k = min(int(np.searchsorted(sums / sums[-1], at)), len(left) - 1)
            picked.append(left[k])
            left[k] = left[-1]
            left.pop()
        return picked

    sampled(choose)


@mistake
def sumsf32():  # the total by which the sums are divided is rounded to f32
    def choose(weights, row, u, samples, replace):
        u = u[row * samples : (row + 1) * samples]
        if not replace:
            return fresh.drawn(weights, u, replace)
        sums = np.cumsum(weights)
        return np.minimum(np.searchsorted(sums / np.float64(np.float32(sums[-1])), u), len(weights) - 1)

    sampled(choose)


@mistake
def samplemajor():  # the draws are read column by column: all rows' first samples, then their second ones
    def choose(weights, row, u, samples, replace):
        return fresh.drawn(weights, u[row + choose.rows * np.arange(samples)], replace)

    sampled(choose)
    inner = own.OPS["openvino.Multinomial-13"]

    def wrong(request):
        probs = request.inputs["probs"]
        choose.rows = probs.shape[0] if len(probs.shape) == 2 else None
        return inner(request)

    own.OPS["openvino.Multinomial-13"] = wrong


# --- RandomGenerator and rng_bit_generator ----------------------------------------------------------------------------


@mistake
def preincrement():  # the counter is raised before a block is made
    right = own.philox
    own.philox = lambda key, counter, blocks: right(key, (counter + 1) % 2**128, blocks)


@mistake
def keyraised():  # the key is raised before the first round, too
    right = own.philox

    def wrong(key, counter, blocks):
        raised = (key + 0x9E3779B9) & M32 | ((key >> 32) + 0xBB67AE85 & M32) << 32
        return right(raised, counter, blocks)

    own.philox = wrong


@mistake
def pieces():  # elements of 8 and 16 bits are pieces of words, in place of the low bits of one each
    right = own.OPS["stablehlo.rng_bit_generator"]

    def wrong(request):
        out = right(request)
        tensor, dtype = out["output"], request.attrs["output_type"]
        size = np.dtype(SIZES[dtype]).itemsize
        if size > 2:
            return out
        request.attrs["output_type"] = "u32"
        words = values_of(right(request)["output"])
        out["output"] = with_values(tensor, np.ascontiguousarray(words).view(f"u{size}")[: len(words)])
        return out

    own.OPS["stablehlo.rng_bit_generator"] = wrong


@mistake
def lowcounter():  # of a state of three numbers the last one is not read
    right = own.OPS["stablehlo.rng_bit_generator"]

    def wrong(request):
        state = request.inputs["initial_state"]
        if len(state.data) == 24:
            values = values_of(state)
            values[2] = 0
            request.inputs["initial_state"] = with_values(state, values)
        return right(request)

    own.OPS["stablehlo.rng_bit_generator"] = wrong


# --- TensorFlow's and PyTorch's keyed uniforms ------------------------------------------------------------------------


@mistake
def counterswap():  # the two numbers of the counter are exchanged
    def before(request):
        counter = request.inputs["counter"]
        if len(counter.data) == 16:
            request.inputs["counter"] = with_values(counter, values_of(counter)[::-1])

    for op in ("UniformV2", "UniformIntV2", "UniformFullIntV2"):
        around("tensorflow.StatelessRandom" + op, before)


@mistake
def unsignedspan():  # a signed range of TensorFlow's integers is taken without its sign: from maxval to minval
    right = own.integers

    def wrong(words, lo, hi, dtype, low_first=True):
        return right(words, lo, hi if lo >= 0 or dtype[0] == "u" else max(hi, -lo), dtype, low_first)

    own.integers = wrong


@mistake
def randmul():  # torch's randint takes the high half of a product, where it should take a remainder
    def after(out, request):
        tensor = out["output"]
        bits = int(tensor.dtype[1:])
        lo, hi = request.number("low"), request.number("high")
        least = 0 if tensor.dtype[0] == "u" else -(2 ** (bits - 1))
        lo, hi = least if lo is None else lo, least + 2**bits if hi is None else hi
        if bits == 64 or (hi - lo) == 2**bits:
            return out
        words = own.keyed_words(request, tensor.shape, 1).astype(u64)
        x = (words * u64(hi - lo) >> u64(32)) + u64(lo % 2**64)
        return {"output": with_values(tensor, x.astype(f"u{bits // 8}"))}

    around("torch.philox_randint", after=after)


@mistake
def foldadd():  # data is folded in by addition to both numbers of the key
    own.fold = lambda seed, offset, data: [(int(seed) + data) % 2**64, (int(offset) + data) % 2**64]


# --- normals ----------------------------------------------------------------------------------------------------------


@mistake
def log1p():  # the radius is of log1p(-u)
    right = normals.logf
    normals.logf = lambda u: right(normals.f32(1.0 - u)) if u < 1 else -math.inf


@mistake
def oddswap():  # the second pair of a block is cosine first
    def wrong(words):
        return [*normals.tf_pair(*words[:2]), *normals.tf_pair(*words[2:])[::-1]]

    normals.tf_four = wrong


@mistake
def sharedangle():  # both pairs of a block have the angle of the first
    normals.tf_four = lambda words: [*normals.tf_pair(*words[:2]), *normals.tf_pair(words[2], words[1])]


@mistake
def stdsquared():  # the parameter is taken for a variance
    right = normals.scaled

    def wrong(normal, mean, std):
        return right(normal, mean, normals.f32(math.sqrt(std)) if std >= 0 else std)

    normals.scaled = wrong


# --- samplers ---------------------------------------------------------------------------------------------------------


@mistake
def pcomplement():  # a one is drawn where u is at least 1 - p
    torch_samplers.is_one = lambda u, p: u >= 1 - p


@mistake
def drophalf():  # the factor of what is kept is rounded to bf16
    right = torch_samplers.narrowed

    def wrong(dtype, x):
        x = right(dtype, x)
        return right("bf16", x) if 1 < x < 4 else x

    run = torch_samplers.run

    def called(request):
        torch_samplers.narrowed = wrong if request.op == "torch.dropout" else right
        return run(request)

    torch_samplers.run = called


@mistake
def backwards():  # TensorFlow's shuffle goes from the end, and takes the words from the last one on
    right = tensorflow_samplers.order
    tensorflow_samplers.order = lambda words, count: right(words[: max(count - 1, 0)][::-1] + [0] * 8, count)


# --- JAX --------------------------------------------------------------------------------------------------------------


@mistake
def onesort():  # a permutation is sorted once, however long it is
    def wrong(attrs, key, n):
        _, sub = jax_kernels.split(attrs, key, 2)
        return np.argsort(jax_kernels.bits(attrs, sub, 32, n), kind="stable").astype(np.int64)

    jax_kernels.permutation = wrong


@mistake
def samekey():  # the higher and the lower bits of randint are drawn by one key
    right = jax_kernels.randint
    split = jax_kernels.split

    def wrong(attrs, key, *rest):
        jax_kernels.split = lambda attrs, key, count: np.stack([split(attrs, key, count)[0]] * count)
        try:
            return right(attrs, key, *rest)
        finally:
            jax_kernels.split = split

    jax_kernels.randint = wrong


@mistake
def foldtwice():  # fold_in folds the high half of its number too, which is zero
    right = jax_kernels.fold_in
    jax_kernels.fold_in = lambda attrs, key, data: right(attrs, right(attrs, key, data), 0)


if __name__ == "__main__":
    if BUG and BUG not in fresh.MISTAKES:
        raise SystemExit(f"no mistake {BUG}")
    claims = [{"op": op, **({"features": fresh.EXTRAS[op]} if op in fresh.EXTRAS else {})} for op in [*fresh.WITH_EXECUTIONS, *fresh.OTHERS]]
    serve({"name": "later-kernel-" + (BUG or "right"), "version": "0.1", "language": "python"}, claims, fresh.run)
