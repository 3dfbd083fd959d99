"""Forty-five mistakes over six ops, as engineers make them who write such kernels for vector units, GPUs and NPUs:
`BUG=ru8_key_sext`. `accelerated.json` says what each is.

They were written by someone who knew a dozen mistakes of `uniform_f32.py`, and nothing of what the diagnosis knows. Without BUG
the adapter is right. It shares no code with the others.
"""

import json
import math
import os
import sys

import numpy as np

BUG = os.environ.get("BUG", "")
U32, U64, F32, F64 = np.uint32, np.uint64, np.float32, np.float64
M32, M64, M128 = (1 << 32) - 1, (1 << 64) - 1, (1 << 128) - 1
NP = {"u8": "<u1", "u16": "<u2", "u32": "<u4", "u64": "<u8", "i8": "<i1", "i16": "<i2", "i32": "<i4", "i64": "<i8",
      "f16": "<f2", "bf16": "<u2", "f32": "<f4", "f64": "<f8"}
SIZE = {name: np.dtype(of).itemsize for name, of in NP.items()}
np.seterr(all="ignore")


def bug(name):
    return BUG == name


class Rejected(Exception):
    pass


class Tensor:
    def __init__(self, sent):
        self.dtype, self.shape = sent["dtype"], sent["shape"]
        self.values = np.frombuffer(bytes.fromhex(sent["hex"]), NP[self.dtype])


def from_bf16(bits):
    return (bits.astype(U32) << U32(16)).view(F32)


def to_bf16(x, truncated=False):
    x = np.ascontiguousarray(x, F32)
    b = x.view(U32)
    if not truncated:
        b = b + U32(0x7FFF) + (b >> U32(16) & U32(1))
    return np.where(np.isnan(x), U32(0x7FC0), b >> U32(16)).astype(np.uint16)


def as_bf16(x):
    return from_bf16(to_bf16(x))


# --- generators -------------------------------------------------------------------------------------------------------


def philox(c, key):
    c0, c1, c2, c3 = (x.astype(U64) for x in c)
    k0, k1 = key & M32, key >> 32
    for _ in range(10):
        p, q = c0 * U64(0xD2511F53), c2 * U64(0xCD9E8D57)
        c0, c1 = q >> U64(32) ^ c1 ^ U64(k0), q & U64(M32)
        c2, c3 = p >> U64(32) ^ c3 ^ U64(k1), p & U64(M32)
        k0, k1 = k0 + 0x9E3779B9 & M32, k1 + 0xBB67AE85 & M32
    return np.stack([c0, c1, c2, c3], 1).astype(U32)


def counters(i, base):
    """The four words of base + i."""
    lane = np.zeros_like(i)
    if bug("dml_lane_carry"):  # 8 lanes: the lane number is added to the lowest word only, without carry
        lane, i = i % U64(8), i // U64(8) * U64(8)
    lo = i + U64(base & M64)
    hi = U64(base >> 64 & M64) + (lo < i).astype(U64)
    return [(lo & U64(M32)) + lane & U64(M32), lo >> U64(32), hi & U64(M32), hi >> U64(32)]


def stream(count, key, base):
    """The first words of Philox from the counter base on."""
    blocks = -(-count // 4)
    i = np.arange(blocks, dtype=U64)
    if bug("ru8_launch_elems"):  # launches of 3,071 blocks begin at their first element's number, not a quarter of it
        i = i % U64(3071) + i // U64(3071) * U64(4 * 3071)
    if bug("dml_group_mismatch"):  # groups of 56 threads, but the counter of a group begins at group * 64
        i = i // U64(56) * U64(64) + i % U64(56)
    if bug("tfsu_unroll_skip"):  # unrolled by five blocks, but the counter is stepped by six
        i = i // U64(5) * U64(6) + i % U64(5)
    w = philox(counters(i, base), key)
    if bug("ru8_avx2_unpack"):  # a transposition of 8 blocks that leaves out the swap of 128-bit halves
        whole = blocks // 8 * 8
        w[:whole] = w[:whole].reshape(-1, 8, 4)[:, [0, 4, 1, 5, 2, 6, 3, 7]].reshape(-1, 4)
    if bug("ru8_grid_stride"):  # each of 36 threads writes the words of its block 36 elements apart
        whole = blocks // 36 * 36
        w[:whole] = w[:whole].reshape(-1, 36, 4).transpose(0, 2, 1).reshape(-1, 4)
    if bug("shlo_pairs_swapped_late"):  # from block 6 on, the words of a block come in the order 2 3 0 1
        w[6:] = w[6:, [2, 3, 0, 1]]
    tail = count % 4
    if bug("dml_tail_right") and tail:  # the last 1 to 3 elements take the last words of their block
        w[-1, :tail] = w[-1, 4 - tail:].copy()
    return w.reshape(-1)[:count]


def threefry(key, counter):
    k0, k1 = key & M32, key >> 32
    keys = [U32(k0), U32(k1), U32(k0 ^ k1 ^ 0x1BD11BDA)]
    rotations = [[13, 15, 26, 6], [17, 29, 16, 24]]
    if bug("shlo_tf_rot_order"):  # the last two of the first group are exchanged
        rotations[0] = [13, 15, 6, 26]
    x0, x1 = (counter & U64(M32)).astype(U32) + keys[0], (counter >> U64(32)).astype(U32) + keys[1]
    for group in range(5):
        for r in rotations[group % 2]:
            x0 = x0 + x1
            x1 = (x1 << U32(r) | x1 >> U32(32 - r)) ^ x0
        x0 = x0 + keys[(group + 1) % 3]
        x1 = x1 + keys[(group + 2) % 3] + U32(group + 1)
    return x0, x1


def mixed(a, b):
    y = a & U32(0x80000000) | b & U32(0x7FFFFFFF)
    return y >> U32(1) ^ (b & U32(1)) * U32(0x9908B0DF)


def seeded(seed):
    s = [seed & M32]
    for i in range(1, 624):
        s.append(1812433253 * (s[-1] ^ s[-1] >> 30) + i & M32)
    return s


def seeded_by_array(key):
    s = seeded(19650218)
    i = 1
    for step in range(624 + 623):
        before = s[i - 1] ^ s[i - 1] >> 30
        if step < 624:
            s[i] = (s[i] ^ before * 1664525) + key[step % len(key)] + step % len(key) & M32
        else:
            s[i] = (s[i] ^ before * 1566083941) - i & M32
        i += 1
        if i == 624:
            s[0], i = s[623], 1
    s[0] = 0x80000000
    return s


class Mt19937:
    def __init__(self, state):
        self.state, self.at = np.array(state, U32), 624

    def twist(self):
        s, n = self.state, np.empty(624, U32)
        n[:227] = s[397:] ^ mixed(s[:227], s[1:228])
        n[227:454] = n[:227] ^ mixed(s[227:454], s[228:455])
        if bug("pt_twist_vec"):  # 8 words a step: that over 224 to 231 uses words 0 to 4 from before the twist
            n[227:232] = s[:5] ^ mixed(s[227:232], s[228:233])
        n[454:623] = n[227:396] ^ mixed(s[454:623], s[455:624])
        n[623] = n[396] ^ mixed(s[623], n[0])
        self.state, self.at = n, 0

    def words(self, count):
        y = np.empty(0, U32)
        while len(y) < count:
            if self.at == 624:
                self.twist()
            taken = self.state[self.at:self.at + count - len(y)]
            self.at += len(taken)
            y = np.concatenate([y, taken])
        y = y ^ y >> U32(11)
        y = y ^ y << U32(7) & U32(0x9D2C5680)
        y = y ^ y << U32(15) & U32(0xEFC60000)
        return y ^ y >> U32(18)


KEPT = {}


def mt_words(count, seed):
    if bug("pt_kept"):  # the generator of the request before goes on where that ended, if the seed is the same
        if seed not in KEPT:
            KEPT.clear()
            KEPT[seed] = Mt19937(seeded(seed))
        return KEPT[seed].words(count)
    if bug("pt_split_reseed"):  # workers of 1,040 elements, each with a generator seeded by seed + number of the worker
        starts = range(0, max(count, 1), 1040)
        return np.concatenate([Mt19937(seeded(seed + i)).words(min(1040, count - x)) for i, x in enumerate(starts)])
    if bug("pt_skip_refill") and count > 624:  # refilled one word early: the last word of a state is never handed out
        w = Mt19937(seeded(seed)).words(count + count // 623 + 1)
        return np.delete(w, np.s_[623::624])[:count]
    if bug("pt_seed_array") and seed > M32:  # a seed of 2^32 or more seeds by init_by_array, not by its low half
        return Mt19937(seeded_by_array([seed & M32, seed >> 32])).words(count)
    return Mt19937(seeded(seed)).words(count)


# --- what the uniform ops are made of ---------------------------------------------------------------------------------


def tiled(rows, width, high, wide):
    """Where each element is drawn if the tiles are drawn one after the other."""
    at, drawn = np.empty((rows, width), int), 0
    for y in range(0, rows, high):
        for x in range(0, width, wide):
            tile = at[y:y + high, x:x + wide]
            tile[:] = np.arange(drawn, drawn + tile.size).reshape(tile.shape)
            drawn += tile.size
    return at.reshape(-1)


def layout(shape, dtype):
    """Which element of the sequence each element of the output is, and how many are drawn."""
    at = np.arange(math.prod(shape))
    if len(shape) > 1 and len(at):
        width = shape[-1]
        rows = len(at) // width
        if bug("ru8_pitch_64B"):  # each row begins at a multiple of 64 bytes: its padding is drawn too
            unit = 64 // SIZE[dtype]
            at = at // width * (-(-width // unit) * unit) + at % width
        if bug("ru8_tiles_13"):  # column tiles 13 wide, each from its top row to its bottom row
            at = tiled(rows, width, rows, 13)
        if bug("dml_tile_32x6"):  # tiles 32 wide and 6 high
            at = tiled(rows, width, 6, 32)
        rest = rows % 3
        if bug("ru8_last_row_repeat") and rest and rows > 3:  # three rows at a time; the rest holds those three above
            at[-rest * width:] -= 3 * width
    if bug("tfsu_shard"):  # shards of 1,002 elements, each from a whole block on
        shard = at // 1002 * 1002
        at = shard // 4 * 4 + at - shard
    return at, int(at.max(initial=-1)) + 1


def shape_of(t):
    if t.dtype not in ("i32", "i64") or len(t.shape) != 1:
        raise Rejected("shape")
    shape = [int(x) for x in t.values]
    if any(x < 0 for x in shape):
        raise Rejected("negative extent")
    return shape


def bound(t, dtype, shapes):
    if t.dtype != dtype or t.shape not in shapes:
        raise Rejected("bound")
    value = (from_bf16(t.values) if dtype == "bf16" else t.values)[0]
    return value if "f" in dtype else int(value)


def low_first(w):
    return w[0::2].astype(U64) | w[1::2].astype(U64) << U64(32)


def high_first(w):
    return w[0::2].astype(U64) << U64(32) | w[1::2].astype(U64)


def unit(w, dtype):
    """TensorFlow's uniforms in [0, 1); bf16 as f32."""
    if dtype == "f16":
        return (w & U32(0x3FF) | U32(0x3C00)).astype(np.uint16).view(np.float16) - np.float16(1)
    if dtype == "bf16":
        return ((w & U32(0x7F) | U32(0x3F80)) << U32(16)).view(F32) - F32(1)
    if dtype == "f32":
        return (w & U32(0x7FFFFF) | U32(0x3F800000)).view(F32) - F32(1)
    x = high_first(w)
    if bug("ru8_f64_sext"):  # the second word is joined as a signed int
        x |= w[1::2].view(np.int32).astype(np.int64).view(U64)
    if bug("tfsu_f64_low_first"):  # the first word is joined as the low one
        x = low_first(w)
    return (x & U64((1 << 52) - 1) | U64(1023 << 52)).view(F64) - F64(1)


def scaled(u, lo, hi, dtype):
    span = hi - lo
    if dtype == "bf16":
        product = as_bf16(u * as_bf16([span])[0])
        if bug("ru8_bf16_trunc_last"):  # the last conversion truncates
            return from_bf16(to_bf16(product + lo, truncated=True))
        return product + lo
    if bug("ru8_f16_range_wide") and dtype == "f16":  # maxval - minval stays in f32
        return (u.astype(F32) * (F32(hi) - F32(lo))).astype(np.float16) + lo
    if bug("ru8_shifted_one") and dtype == "f32":  # the subtraction of 1.0 is folded into the bounds
        return (u + F32(1)) * span + (lo - span)
    v = u * span + lo
    if bug("ru8_fma_body") and dtype == "f32":  # fused in whole vectors of 8, product and sum apart in the tail
        body = len(u) // 8 * 8
        v[:body] = u[:body].astype(np.longdouble) * np.longdouble(span) + np.longdouble(lo)
    return v


def reduced(x, lo, hi, dtype):
    wide = SIZE[dtype] == 8
    span = hi - lo
    if bug("tfsi_range_f64") and wide:  # maxval - minval in double
        span = min(int(float(hi) - float(lo)), M64)
    if bug("tfsi_pow2_mask") and span & span - 1:  # a mask, and one subtraction if the result is greater than the range
        y = x & U64((1 << span.bit_length()) - 1)
        y = np.where(y > U64(span), y - U64(span), y)
    elif bug("ru8_i64_recip") and wide:  # the quotient by a reciprocal in double, not corrected
        quotient = np.floor(x.astype(F64) * (1.0 / float(span)))
        y = x - np.minimum(quotient, 2.0**64 - 2048).astype(U64) * U64(span)
    elif bug("pt_i32_mulhi") and not wide:  # the high half of word * range instead of the remainder
        y = x * U64(span) >> U64(32)
    else:
        y = x % U64(span)
    return (y + U64(lo & M64)).astype(NP[dtype])


def encoded(values, dtype):
    return (to_bf16(values) if dtype == "bf16" else values.astype(NP[dtype])).tobytes()


# --- uniform ops ------------------------------------------------------------------------------------------------------


def tensorflow_values(count, global_seed, op_seed, lo, hi, dtype):
    if bug("ru8_key_sext"):  # global_seed goes through a signed 32-bit int
        global_seed = (global_seed & M32 ^ 1 << 31) - (1 << 31) & M64
    if bug("ru8_opseed_default") and op_seed == 0:  # 0 is taken for "not set"
        op_seed = 87654321
    w = stream(count * max(SIZE[dtype] // 4, 1), global_seed, op_seed << 64)
    if "f" in dtype:
        return scaled(unit(w, dtype), lo, hi, dtype)
    if dtype == "i32":
        return reduced(w.astype(U64), lo, hi, dtype)
    x = low_first(w)
    if bug("ru8_i64_swap_late"):  # from the second block on, the high word comes first
        x[2:] = high_first(w)[2:]
    return reduced(x, lo, hi, dtype)


def pytorch_values(count, seed, lo, hi, dtype):
    two = dtype == "f64" or dtype == "i64" and max(lo, hi) > M32
    w = mt_words(count * (1 + two), seed)
    x = high_first(w) if two else w.astype(U64)
    if dtype == "i32":
        return reduced(x, lo, hi, dtype)
    if dtype == "i64":
        return (x % U64(hi - lo) + U64(lo & M64)).view(np.int64)
    bits = {"f16": 11, "bf16": 8, "f32": 24, "f64": 53}[dtype]
    real = F64 if two else F32
    u = (x & U64((1 << bits) - 1)).astype(real) * real(2.0**-bits)
    if bug("pt_f32_incl") and dtype == "f32":  # divided by 2^24 - 1
        u = (x & U64(0xFFFFFF)).astype(F32) / F32(0xFFFFFF)
    span = as_bf16([hi - lo])[0] if dtype == "bf16" else hi - lo
    return u * real(span) + real(lo)


BUFFER = {}


def random_uniform(attrs, inputs):
    dtype, alignment = attrs["output_type"], attrs["alignment"]
    if dtype not in ("f16", "bf16", "f32", "f64", "i32", "i64") or alignment not in ("TENSORFLOW", "PYTORCH"):
        raise Rejected("attribute")
    global_seed, op_seed = int(attrs["global_seed"]), int(attrs["op_seed"])
    if global_seed == op_seed == 0:
        global_seed = int.from_bytes(os.urandom(8), "little")
    shape = shape_of(Tensor(inputs["shape"]))
    lo, hi = (bound(Tensor(inputs[name]), dtype, ([], [1])) for name in ("minval", "maxval"))
    if not lo < hi:
        raise Rejected("minval is not less than maxval")
    at, count = layout(shape, dtype)
    if alignment == "TENSORFLOW":
        v = tensorflow_values(count, global_seed, op_seed, lo, hi, dtype)[at]
    else:
        v = pytorch_values(count, global_seed, lo, hi, dtype)[at]
    n = len(v)
    if bug("ru8_tail20_shift") and n > 20 and n % 20:  # the last 20 are stored with the values of the last whole vector
        v[-20:] = v[n // 20 * 20 - 20:n // 20 * 20].copy()
    if bug("ru8_i64_out_cast") and dtype == "i64":  # through double at the end
        v = v.astype(F64).astype(np.int64)
    if bug("ru8_stale_tail") and n % 8:  # the last partial vector of 8 is never stored
        stale = BUFFER.get(dtype, v[:0])[:n]
        v[n // 8 * 8:] = 0
        v[n // 8 * 8:len(stale)] = stale[n // 8 * 8:]
        BUFFER[dtype] = v
    return {"output": (dtype, shape, encoded(v, dtype))}


def stateless_state(inputs):
    key, counter, alg = (Tensor(inputs[name]) for name in ("key", "counter", "alg"))
    shape = shape_of(Tensor(inputs["shape"]))
    if (key.dtype, key.shape, counter.dtype, alg.dtype, alg.shape) != ("u64", [1], "u64", "i32", []):
        raise Rejected("state")
    if len(counter.shape) != 1 or counter.shape[0] < 2:
        raise Rejected("counter")
    if 0 not in shape and alg.values[0] not in (1, 3):
        raise Rejected("algorithm")
    k = int(key.values[0])
    if bug("tfsi_key_from_auto") and alg.values[0] == 3:  # the key is cut to its low 32 bits
        k &= M32
    return shape, k, int(counter.values[0]) | int(counter.values[1]) << 64


def stateless_uniform(attrs, inputs):
    dtype = attrs["output_type"]
    if dtype not in ("f16", "bf16", "f32", "f64"):
        raise Rejected("type")
    shape, key, base = stateless_state(inputs)
    at, count = layout(shape, dtype)
    u = unit(stream(count * max(SIZE[dtype] // 4, 1), key, base), dtype)[at]
    return {"output": (dtype, shape, encoded(u, dtype))}


def stateless_uniform_int(attrs, inputs):
    dtype = attrs["output_type"]
    if dtype not in ("i32", "i64", "u32", "u64"):
        raise Rejected("type")
    shape, key, base = stateless_state(inputs)
    lo, hi = (bound(Tensor(inputs[name]), dtype, ([],)) for name in ("minval", "maxval"))
    if 0 in shape:
        return {"output": (dtype, shape, b"")}
    if not lo < hi:
        raise Rejected("minval is not less than maxval")
    at, count = layout(shape, dtype)
    w = stream(count * SIZE[dtype] // 4, key, base)
    v = reduced(low_first(w) if SIZE[dtype] == 8 else w.astype(U64), lo, hi, dtype)[at]
    return {"output": (dtype, shape, encoded(v, dtype))}


# --- words and state --------------------------------------------------------------------------------------------------


def directml(attrs, inputs):
    level, sizes, state = attrs["feature_level"], attrs["output_sizes"], Tensor(inputs["input_state"])
    if attrs["type"] != "PHILOX_4X32_10" or level not in ("3.0", "4.0"):
        raise Rejected("attribute")
    if state.dtype != "u32" or state.shape[-1:] != [6] or len(state.values) != 6:
        raise Rejected("state")
    if any(rank not in ([4] if level == "3.0" else range(1, 9)) for rank in (len(state.shape), len(sizes))):
        raise Rejected("rank")
    if 0 in sizes:
        raise Rejected("empty")
    s = [int(x) for x in state.values]
    base = s[0] | s[1] << 32 | s[2] << 64 | s[3] << 96
    at, count = layout(sizes, "u32")
    out = {"output": ("u32", sizes, encoded(stream(count, s[4] | s[5] << 32, base)[at], "u32"))}
    if attrs.get("output_state"):
        blocks = -(-len(at) // 4)
        if bug("dml_state_group"):  # the number of blocks is rounded up to whole groups of 12
            blocks = -(-blocks // 12) * 12
        new = [base + blocks >> 32 * i & M32 for i in range(4)] + s[4:]
        out["output_state"] = ("u32", state.shape, np.array(new, "<u4").tobytes())
    return out


def three_fry_words(s, sizes, size):
    """The words of the output, and how many counters they take."""
    def drawn(count):
        return threefry(s[0], U64(s[1]) + np.arange(count, dtype=U64))

    if size == 8:
        x0, x1 = drawn(math.prod(sizes))
        return x0.astype(U64) | x1.astype(U64) << U64(32), len(x0)
    sizes = sizes or [1]
    even = [d for d, extent in enumerate(sizes) if extent % 2 == 0]
    halved = even[0] if even else sizes.index(max(sizes))
    if bug("shlo_tf_last_even") and even:  # the last even dimension is halved, not the first
        halved = even[-1]
    half = list(sizes)
    half[halved] = -(-half[halved] // 2)
    x0, x1 = (x.reshape(half) for x in drawn(math.prod(half)))
    both = list(half)
    both[halved] *= 2
    w = np.stack([x0, x1], halved + 1).reshape(both).take(np.arange(sizes[halved]), halved)
    if bug("shlo_tf_odd_rows") and 0 < halved == len(sizes) - 1 and sizes[-1] % 2:  # a row's last is its pair's second
        w[..., -1] = x1[..., -1]
    return w.reshape(-1), x0.size


def rng_bit_generator(attrs, inputs):
    algorithm, dtype, sizes = attrs["rng_algorithm"], attrs["output_type"], attrs["output_sizes"]
    if algorithm not in ("DEFAULT", "THREE_FRY", "PHILOX") or dtype not in NP:
        raise Rejected("attribute")
    state = Tensor(inputs["initial_state"])
    if state.dtype != "u64" or state.shape not in ([[2]] if algorithm == "THREE_FRY" else [[2], [3]]):
        raise Rejected("state")
    s = [int(x) for x in state.values]
    size, n = SIZE[dtype], math.prod(sizes)
    if algorithm == "THREE_FRY":
        w, counted = three_fry_words(s, sizes, size)
        new = [s[0], s[1] + counted & M64]
    else:
        words = n * 2 if size == 8 else n
        if bug("shlo_packed16") and size == 2:  # two elements from each word, low half first
            words = -(-n // 2)
        w = stream(words, s[0], s[0] << 64 | s[1] if len(s) == 2 else s[2] << 64 | s[1])
        if size == 8:
            w = low_first(w)
        elif words < n:
            w = w.view("<u2")[:n]
        after = (s[1] if len(s) == 2 else s[2] << 64 | s[1]) + -(-words // 4)
        new = [s[0], after & M64, after >> 64 & M64][:len(s)]
    return {"output": (dtype, sizes, w.astype(f"<u{size}").tobytes()),
            "output_state": ("u64", state.shape, np.array(new, "<u8").tobytes())}


# --- classes ----------------------------------------------------------------------------------------------------------


def exp(x):
    """That of fdlibm."""
    x = float(x)
    if x > 709.782712893383973096:
        return math.inf
    if x < -745.13321910194110842:
        return 0.0
    high = int(F64(x).view(U64)) >> 32 & 0x7FFFFFFF
    if high <= 0x3E300000:
        return 1.0 + x
    k = 0
    if high >= 0x3FF0A2B2:
        k = int(1.44269504088896338700e+00 * x + math.copysign(0.5, x))
    elif high > 0x3FD62E42:
        k = int(math.copysign(1, x))
    h = x - k * 6.93147180369123816490e-01
    low = k * 1.90821492927058770002e-10
    x = h - low
    xx = x * x
    c = 0.0
    for p in (4.13813679705723846039e-08, -1.65339022054652515390e-06, 6.61375632143793436117e-05,
              -2.77777777770155933842e-03, 1.66666666666666019037e-01):
        c = p + xx * c
    c = x - xx * c
    return math.ldexp(1.0 + (x * c / (2.0 - c) - low + h), k)


def with_replacement(c, classes, draws):
    if bug("mn_bsearch_steps"):  # a fixed number of halvings, one too few, and then the lower end
        low, high = np.zeros(len(draws), int), np.full(len(draws), len(classes))
        for _ in range(int(math.log2(len(classes)))):
            middle = (low + high) // 2
            above = (low < high) & (c[classes[middle.clip(max=len(classes) - 1)]] < draws)
            low, high = np.where(above, middle + 1, low), np.where(above | (low >= high), high, middle)
        found = low.clip(max=len(classes) - 1)
    else:
        found = [next((i for i, k in enumerate(classes) if u <= c[k]), -1) for u in draws]
    chosen = classes[found]
    if bug("mn_last_sample_stale") and len(draws) % 2 and len(draws) > 1:  # two at a time: an odd last one repeats
        chosen[-1] = chosen[-2]
    return chosen


def without_replacement(c, classes, draws):
    chosen, left = [], list(classes)
    for u in draws:
        if not left:
            raise Rejected("samples")
        k = next((k for k in left if u <= c[k]), left[-1])
        left.remove(k)
        chosen.append(k)
        lowered = k + 1 if bug("mn_norep_from_next") else k  # from the class after the chosen one on
        c[lowered:] -= c[k] - c[k - 1] if k else c[0]
        c /= c[-1]
    return chosen


def multinomial(attrs, inputs):
    dtype, log, replacing = attrs["convert_type"], attrs["log_probs"], attrs["with_replacement"]
    if dtype not in ("i32", "i64"):
        raise Rejected("convert_type")
    probs, num_samples = Tensor(inputs["probs"]), Tensor(inputs["num_samples"])
    if probs.dtype not in ("f16", "bf16", "f32", "f64") or len(probs.shape) != 2 or probs.shape[1] == 0:
        raise Rejected("probs")
    rows, width = probs.shape
    v = (from_bf16(probs.values) if probs.dtype == "bf16" else probs.values).astype(F64).reshape(rows, width)
    if not np.all(np.isfinite(v)) or not log and np.any(v < 0):
        raise Rejected("probs")
    if log:
        v = np.array([exp(x) for x in v.reshape(-1)], F64).reshape(rows, width)
    sums = np.cumsum(v, 1)
    if not np.all(np.isfinite(sums[:, -1])) or np.any(sums[:, -1] <= 0):
        raise Rejected("sum")
    if num_samples.dtype not in ("i32", "i64") or num_samples.shape not in ([], [1]):
        raise Rejected("num_samples")
    samples = int(num_samples.values[0])
    if samples < 0 or not replacing and samples > width:
        raise Rejected("num_samples")
    if "draws" in inputs:
        draws = Tensor(inputs["draws"])
        if draws.dtype != "f64" or draws.shape != [rows, samples]:
            raise Rejected("draws")
        draws = draws.values
        if not np.all((draws >= 0) & (draws <= 1)):
            raise Rejected("draws")
    else:
        global_seed, op_seed = int(attrs["global_seed"]), int(attrs["op_seed"])
        if global_seed == op_seed == 0:
            global_seed = int.from_bytes(os.urandom(8), "little")
        draws = unit(stream(rows * samples * 2, global_seed, op_seed << 64), "f64")
    out = np.zeros((rows, samples), NP[dtype])
    for row, weights, c, u in zip(out, v, sums, draws.reshape(rows, samples)):
        if bug("mn_scan_block"):  # to each block of 11 only the sum of the one just before is added
            c = np.concatenate([np.cumsum(weights[x:x + 11]) + (weights[x - 11:x].sum() if x else 0)
                                for x in range(0, width, 11)])
        row[:] = (with_replacement if replacing else without_replacement)(c / c[-1], np.nonzero(weights > 0)[0], u)
    return {"output": (dtype, [rows, samples], out.tobytes())}


OPS = {
    "openvino.RandomUniform-8": (random_uniform, []),
    "directml.RandomGenerator": (directml, ["output_state"]),
    "stablehlo.rng_bit_generator": (rng_bit_generator, []),
    "tensorflow.StatelessRandomUniformV2": (stateless_uniform, []),
    "tensorflow.StatelessRandomUniformIntV2": (stateless_uniform_int, []),
    "openvino.Multinomial-13": (multinomial, ["draws"]),
}


def answer(request):
    if request["cmd"] == "hello":
        return {"protocol": 1, "framing": "lines", "implementation": {"name": "accelerated", "version": "1.0"},
                "capabilities": [{"op": op, "features": features} for op, (_, features) in OPS.items()]}
    try:
        outputs = OPS[request["op"]][0](request["attrs"], request["inputs"])
    except Rejected as reason:
        return {"seq": request["seq"], "status": "rejected", "reason": str(reason)}
    except Exception as error:
        return {"seq": request["seq"], "status": "error", "message": repr(error)}
    return {"seq": request["seq"], "status": "ok",
            "outputs": {name: {"dtype": d, "shape": s, "hex": b.hex()} for name, (d, s, b) in outputs.items()}}


for line in sys.stdin:
    request = json.loads(line)
    if request["cmd"] == "bye":
        break
    print(json.dumps(answer(request)), flush=True)
