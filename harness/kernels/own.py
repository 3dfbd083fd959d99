"""Every op in NumPy: right without BUG, and wrong in one or two ways with it, as in `BUG=lanes`.

The mistakes were written before the diagnosis' candidates were looked at; `own.json` says what each is. The ops are written
as a porting engineer would write them, whole arrays at a time, and share no code with the engines.
"""

import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "adapters"))
from seedproof_adapter import Rejected, Tensor, Unsupported, check_random_generator, serve

BUG = set(os.environ.get("BUG", "").split("+")) - {""}
u32, u64 = np.uint32, np.uint64
LOW = u64(0xFFFFFFFF)
SIZES = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "bf16": np.uint16}
SIZES.update({f"{s}{b}": np.dtype(f"{s}{b // 8}") for s in "iu" for b in (8, 16, 32, 64)})
np.seterr(all="ignore")


# --- generators -------------------------------------------------------------------------------------------------------


def philox(key, counter, blocks):
    """The words of `blocks` blocks from a 128-bit counter on, as an array [blocks, 4]."""
    i = np.arange(blocks, dtype=u64)
    if "counter16" in BUG:
        i = i & u64(0xFFFF)
    if "repeat64" in BUG:  # the lane loop re-enters with the old base once in 64 blocks
        i = np.where(i % u64(64) == u64(63), i - u64(1), i)
    lo = u64(counter & (2**64 - 1)) + i
    hi = np.full(blocks, counter >> 64, u64)
    if "carry32" in BUG:
        lo = (u64(counter & (2**64 - 1)) & ~LOW) | (lo & LOW)
    elif "carry64" not in BUG:
        hi = hi + (lo < u64(counter & (2**64 - 1))).astype(u64)
    c = [lo & LOW, lo >> u64(32), hi & LOW, hi >> u64(32)]
    k = [key & 0xFFFFFFFF, key >> 32]
    for r in range(7 if "seven" in BUG else 10):
        p0, p1 = c[0] * u64(0xD2511F53), c[2] * u64(0xCD9E8D57)
        c = [(p1 >> u64(32)) ^ c[1] ^ u64(k[0]), p1 & LOW, (p0 >> u64(32)) ^ c[3] ^ u64(k[1]), p0 & LOW]
        k = [(k[0] + 0x9E3779B9) & 0xFFFFFFFF, (k[1] + (0x9E3779B9 if "weyl" in BUG else 0xBB67AE85)) & 0xFFFFFFFF]
    return np.stack(c, 1).astype(u32)


def rotl(x, n):
    return (x << u32(n)) | (x >> u32(32 - n))


def threefry(key, counters):
    """The pairs of words for 64-bit counters, as an array [blocks, 2]."""
    k = [u32(key & 0xFFFFFFFF), u32(key >> 32)]
    k.append(k[0] ^ k[1] ^ u32(0x1BD11BDA))
    x = [(counters & LOW).astype(u32) + k[0], (counters >> u64(32)).astype(u32) + k[1]]
    for j in range(5):
        for n in [(13, 15, 26, 6), (17, 29, 16, 25 if "rotation" in BUG else 24)][j % 2]:
            x[0] = x[0] + x[1]
            x[1] = rotl(x[1], n) ^ x[0]
        x = [x[0] + k[(j + 1) % 3], x[1] + k[(j + 2) % 3] + u32(j + 1)]
    return np.stack(x, 1)


def twister(seed, count):
    """Words of MT19937."""
    seed &= 0xFFFF if "seed16" in BUG else 0xFFFFFFFF
    key = np.empty(624, u32)
    s = seed
    for i in range(624):
        key[i] = s
        s = (1812433253 * (s ^ (s >> 30)) + i + 1) & 0xFFFFFFFF
    out, per = [], 623 if "early" in BUG else 624
    for _ in range(-(-count // per)):
        for a, b in ((0, 227), (227, 454), (454, 623), (623, 624)):
            here, following = key[a:b], np.take(key, np.arange(a + 1, b + 1) % 624)
            y = (here & u32(0x80000000)) | (following & u32(0x7FFFFFFF))
            odd = (here if "oddhere" in BUG else following) & u32(1)
            key[a:b] = np.take(key, (np.arange(a, b) + 397) % 624) ^ (y >> u32(1)) ^ (odd * u32(0x9908B0DF))
        out.append(key[:per].copy())
    y = np.concatenate(out)[:count] if out else np.empty(0, u32)
    y ^= y >> u32(11)
    y ^= (y << u32(7)) & u32(0x9D2C5680)
    y ^= (y << u32(15)) & u32(0xEFC60000)
    return y ^ (y >> u32(18))


# --- stores and streams -----------------------------------------------------------------------------------------------


def stream(key, counter, count):
    """`count` words of Philox."""
    blocks = lambda first, n: philox(key, (counter + first) % 2**128, n).reshape(-1)
    words = blocks(0, -(-count // 4))[:count]
    if "cores3" in BUG and count:  # three cores, ceil(n / 3) words each, and each begins at a whole block
        part = -(-count // 3)
        words = np.concatenate([blocks(c * part // 4, part // 4 + 2)[:part] for c in range(3)])[:count]
    if "tailblock" in BUG:  # the tail of a loop over 8 words counts vectors where it should count blocks
        body = count // 8 * 8
        words[body:] = blocks(body // 8, 2)[: count - body]
    if "lanes" in BUG:  # four blocks at once, stored a register at a time: word 0 of all four, then word 1
        body = count // 16 * 16
        words[:body] = words[:body].reshape(-1, 4, 4).transpose(0, 2, 1).reshape(-1)
    if "droplast" in BUG:  # the fourth word of a block is lost
        words = blocks(0, -(-count // 3)).reshape(-1, 4)[:, :3].reshape(-1)[:count]
    if "halves" in BUG:  # two threads; the second has the op's counter and one more in the high half
        first = (count + 1) // 2
        words[first:] = philox(key, (counter + 2**64) % 2**128, -(-count // 4) + 1).reshape(-1)[: count - first]
    return words


def stored(values, shape):
    """What the output buffer holds."""
    n = len(values)
    if "unwritten" in BUG:  # the last partial vector of four is never stored
        values = values.copy()
        values[n // 4 * 4 :] = 0
    if "fortran" in BUG:
        values = values.reshape(shape, order="C").reshape(-1, order="F") if n else values
    if "fillfortran" in BUG and n:
        values = values.reshape(shape, order="F").reshape(-1)
    if "nhwc" in BUG and len(shape) == 4 and n:  # drawn in NHWC, returned as NCHW
        a, c, h, w = shape
        values = values.reshape(a, h, w, c).transpose(0, 3, 1, 2).reshape(-1)
    if "pitch16" in BUG and len(shape) > 1 and n:  # rows are copied out of a buffer whose pitch is rounded up to 16
        w = shape[-1]
        pitch = -(-w // 16) * 16
        values = np.concatenate([values, np.zeros(pitch * n, values.dtype)])
        at = (np.arange(n) // w) * pitch + np.arange(n) % w
        values = np.where(at < n, values[at], 0).astype(values.dtype)
    return values


# --- conversions ------------------------------------------------------------------------------------------------------


def bf16(x):
    """f32 to the bits of the nearest bf16."""
    bits = np.asarray(x, np.float32).view(u32)
    nearest = bits >> u32(16) if "bf16cut" in BUG else (bits + u32(0x7FFF) + ((bits >> u32(16)) & u32(1))) >> u32(16)
    return np.where(np.isnan(x), u32(0x7FC0), nearest).astype(np.uint16)


def wide(b):
    """bf16 bits to f32."""
    return (np.asarray(b, np.uint16).astype(u32) << u32(16)).view(np.float32)


def mantissa(words, dtype):
    """TensorFlow's conversion: the low bits of a word below a fixed exponent."""
    if dtype == "f16":
        x = words >> u32(16) if "f16high" in BUG else words
        return ((x & u32(0x3FF)).astype(np.uint16) | np.uint16(15 << 10)).view(np.float16) - np.float16(1)
    if dtype == "bf16":
        return bf16(((words & u32(0x7F)) << u32(16) | u32(127 << 23)).view(np.float32) - np.float32(1))
    if dtype == "f32":
        if "divide" in BUG:  # the usual way of others
            return (words.astype(np.float64) / 2.0**32).astype(np.float32)
        return ((words >> u32(9) if "top23" in BUG else words & u32(0x7FFFFF)) | u32(127 << 23)).view(np.float32) - np.float32(1)
    x0, x1 = words[0::2].astype(u64), words[1::2].astype(u64)
    return (((x0 & u64(0xFFFFF)) << u64(32)) | x1 | u64(1023 << 52)).view(np.float64) - 1.0


def fraction(words, dtype):
    """PyTorch's conversion: the low bits as a fraction."""
    if dtype == "f64":
        x, y = words[0::2].astype(u64), words[1::2].astype(u64)
        x, y = (y, x) if "pairswap" in BUG else (x, y)
        return (((x << u64(32)) + y) & u64(2**53 - 1)).astype(np.float64) / 2.0**53
    digits = {"f16": 11, "bf16": 8, "f32": 24}[dtype]
    x = words >> u32(32 - digits) if "topbits" in BUG else words & u32(2**digits - 1)
    return (x.astype(np.float64) / 2.0**digits).astype(np.float32)


def scaled(u, lo, hi, dtype, rounded):
    """u (hi - lo) + lo; `rounded` where each step is rounded to a 16-bit type."""
    if "unscaledtail" in BUG:  # the scale is in the vector body alone
        body = len(u) // 8 * 8
        whole = scaled.right(u, lo, hi, dtype, rounded)
        tail = bf16(wide(u[body:])) if dtype == "bf16" and u.dtype == np.uint16 else u[body:].astype(whole.dtype)
        return np.concatenate([whole[:body], tail])
    return scaled.right(u, lo, hi, dtype, rounded)


def scaled_right(u, lo, hi, dtype, rounded):
    if dtype == "bf16":
        u = wide(u) if u.dtype == np.uint16 else u
        lo, hi = wide(lo), wide(hi)
        span = wide(bf16(hi - lo))
        product = u * span
        return bf16((wide(bf16(product)) if rounded else product) + lo)
    if dtype == "f16":
        span = np.float16(np.float32(hi) - np.float32(lo))
        if rounded:
            return (u.astype(np.float16) * span).astype(np.float16) + np.float16(lo)
        return (u.astype(np.float32) * np.float32(span) + np.float32(lo)).astype(np.float16)
    t = SIZES[dtype]
    u, lo, hi = u.astype(t), t(lo), t(hi)
    if "maxf16" in BUG:
        hi = t(np.float16(hi))
    if "lerp" in BUG:
        return ((t(1) - u) * lo + u * hi).astype(t)
    return (u * (hi - lo) + lo).astype(t)


scaled.right = scaled_right


def integers(words, lo, hi, dtype, low_first=True):
    """Words modulo a range, unsigned."""
    if SIZES[dtype].itemsize == 8:
        a, b = words[0::2].astype(u64), words[1::2].astype(u64)
        x = a | b << u64(32) if low_first != ("wordswap" in BUG) else a << u64(32) | b
        bits = 64
    else:
        x, bits = words.astype(u64), 32
    span = (hi - lo) % 2**bits
    if "inclusive" in BUG:
        span = (span + 1) % 2**bits or span
    if "signedmod" in BUG:
        signed = x.astype(u32).view(np.int32).astype(np.int64) if bits == 32 else x.view(np.int64)
        rest = np.fmod(signed, np.int64(span)) if span < 2**63 else signed
        x = rest.view(u64)
    elif "bits31" in BUG:
        x = (x & u64(2 ** (bits - 1) - 1)) % u64(span)
    elif "multiply" in BUG and bits == 32:  # Lemire's multiplication in place of the remainder
        x = (x * u64(span)) >> u64(32)
    else:
        x = x % u64(span)
    return (x + u64(lo % 2**64)).astype(SIZES["u" + dtype[1:]])


# --- ops --------------------------------------------------------------------------------------------------------------


def array(tensor):
    return np.frombuffer(tensor.data, SIZES[tensor.dtype])


def answer(values, dtype, shape):
    return {"output": Tensor(dtype, list(shape), stored(values, shape).tobytes())}


def extents(request, name="shape"):
    tensor = request.tensor(name, ("i32", "i64"), 1, 1)
    shape = [int(x) for x in array(tensor)]
    if min(shape, default=0) < 0:
        raise Rejected("shape", "a negative extent")
    return shape


def single(request, name, dtype, ranks=(0, 0)):
    tensor = request.tensor(name, (dtype,), *ranks)
    if len(tensor.data) != np.dtype(SIZES[dtype]).itemsize:
        raise Rejected("shape", name)
    return array(tensor)[0]


def ordered(lo, hi, dtype):
    low, high = (wide(lo), wide(hi)) if dtype == "bf16" else (lo, hi)
    if not low < high:
        raise Rejected("range", "minval must be less than maxval")


def random_uniform(request):
    dtype = request.one_of("output_type", "f16", "bf16", "f32", "f64", "i32", "i64")
    alignment = request.one_of("alignment", "TENSORFLOW", "PYTORCH")
    shape = extents(request)
    lo, hi = (array(request.tensor(name, (dtype,), 0, 1)) for name in ("minval", "maxval"))
    if len(lo) != 1 or len(hi) != 1:
        raise Rejected("shape", "a bound")
    lo, hi = lo[0], hi[0]
    ordered(lo, hi, dtype)
    n = int(np.prod(shape, dtype=np.int64))
    seed, op_seed = int(request.attrs["global_seed"]), int(request.attrs["op_seed"])
    if (seed, op_seed) == (0, 0):
        seed = int.from_bytes(os.urandom(8), "little")
    if "opseedsigned" in BUG:  # an int on the way
        op_seed = ((op_seed & 0xFFFFFFFF) ^ 0x80000000) - 0x80000000 & (2**64 - 1)
    if "seedfloat" in BUG:
        seed = int(np.float64(seed)) & (2**64 - 1)
    if "seedsswapped" in BUG:
        seed, op_seed = op_seed, seed
    if "seedsadded" in BUG:
        seed, op_seed = (seed + op_seed) % 2**64, 0
    double = dtype in ("f64", "i64")
    if alignment == "TENSORFLOW":
        words = stream(seed, op_seed << 64, n * (1 + double))
        if dtype[0] == "i":
            return answer(integers(words, int(lo), int(hi), dtype), dtype, shape)
        return answer(scaled(mantissa(words, dtype), lo, hi, dtype, True), dtype, shape)
    if dtype == "i64" and max(int(lo), int(hi)) <= 2**32 - 1 and "alwaystwo" not in BUG:
        words = twister(seed, n)
        x = words.astype(u64) % u64((int(hi) - int(lo)) % 2**64) + u64(int(lo) % 2**64)
        return answer(x, dtype, shape)
    words = twister(seed, n * (1 + double))
    if dtype[0] == "i":
        return answer(integers(words, int(lo), int(hi), dtype, False), dtype, shape)
    return answer(scaled(fraction(words, dtype), lo, hi, dtype, False), dtype, shape)


def multinomial(request):
    probs = request.tensor("probs", ("f16", "bf16", "f32", "f64"), 2, 2)
    if len(array(request.inputs["num_samples"])) != 1:
        raise Rejected("shape", "num_samples")
    samples = int(array(request.tensor("num_samples", ("i32", "i64"), 0, 1))[0])
    if samples < 0:
        raise Rejected("samples", "num_samples")
    dtype = request.one_of("convert_type", "i32", "i64")
    rows, classes = probs.shape
    if not classes:
        raise Rejected("shape", "probs")
    weights = (wide(array(probs)) if probs.dtype == "bf16" else array(probs)).astype(np.float64).reshape(rows, classes)
    if request.attrs["log_probs"] and "logs" not in BUG:
        weights = np.exp(weights)
    given = wide(array(probs)) if probs.dtype == "bf16" else array(probs)
    sums = weights.sum(1)
    if (weights < 0).any() or not np.isfinite(given).all() or not ((sums > 0) & np.isfinite(sums)).all():
        raise Rejected("probabilities", "probs")
    replace = request.attrs["with_replacement"]
    if not replace and samples > (weights > 0).sum(1).min(initial=samples + 1):
        raise Rejected("samples", "more samples than classes")
    draws = request.tensor("draws", ("f64",), 0, 9)
    if draws and (draws.shape != [rows, samples] or not ((array(draws) >= 0) & (array(draws) <= 1)).all()):
        raise Rejected("shape" if draws.shape != [rows, samples] else "range", "draws")
    seed, op_seed = int(request.attrs["global_seed"]), int(request.attrs["op_seed"])
    if (seed, op_seed) == (0, 0):
        seed = int.from_bytes(os.urandom(8), "little")
    if draws:
        u = array(draws)
    elif "rowrestart" in BUG:  # each row begins the stream again
        u = np.tile(mantissa(stream(seed, op_seed << 64, samples * 2), "f64"), rows)
    else:
        u = mantissa(stream(seed, op_seed << 64, rows * samples * 2), "f64")
    if "draws32" in BUG:
        u = u.astype(np.float32).astype(np.float64)
    out = np.empty((rows, samples), np.int64)
    for row in range(rows):
        w = weights[row]
        c = np.cumsum(w.astype(np.float32), dtype=np.float32).astype(np.float64) if "cdf32" in BUG else np.cumsum(w)
        c = c / c[-1]
        gone = w == 0
        for s in range(samples):
            at = u[row * samples + s]
            allowed = np.flatnonzero(~gone)
            hit = allowed[c[allowed] > at if "strict" in BUG else c[allowed] >= at]
            k = hit[0] if len(hit) else allowed[-1]
            out[row, s] = k
            if not replace:
                c[k:] = c[k:] - (c[k] - (c[k - 1] if k else 0))
                if "notnormalised" not in BUG:
                    c = c / c[-1]
                gone = gone.copy()
                gone[k] = True
    return answer(out.reshape(-1).astype(SIZES[dtype]), dtype, [rows, samples])


def random_generator(request):
    check_random_generator(request)
    state = [int(x) for x in array(request.inputs["input_state"])]
    counter = sum(w << 32 * i for i, w in enumerate(state[:4]))
    sizes = request.attrs["output_sizes"]
    n = int(np.prod(sizes, dtype=np.int64))
    if "keyorder" in BUG:
        state[4:] = state[5], state[4]
    out = answer(stream(state[4] | state[5] << 32, counter, n), "u32", sizes)
    if request.attrs["output_state"]:
        step = n if "stepelements" in BUG else n // 4 if "stepfloor" in BUG else -(-n // 4)
        after = counter + step
        if "aftercarry" in BUG:
            after = counter >> 32 << 32 | after & 0xFFFFFFFF
        words = [after >> 32 * i & 0xFFFFFFFF for i in range(4)] + state[4:]
        out["output_state"] = Tensor("u32", request.inputs["input_state"].shape, np.array(words, u32).tobytes())
    return out


def rng_bit_generator(request):
    algorithm = request.one_of("rng_algorithm", "DEFAULT", "THREE_FRY", "PHILOX")
    dtype = request.attrs["output_type"]
    state = [int(x) for x in array(request.tensor("initial_state", ("u64",), 1, 1))]
    if len(state) not in ((2,) if algorithm == "THREE_FRY" else (2, 3)):
        raise Rejected("state", "initial_state")
    if dtype not in SIZES:
        raise Rejected("attribute", "output_type")
    shape = request.attrs["output_sizes"]
    n = int(np.prod(shape, dtype=np.int64))
    size = np.dtype(SIZES[dtype]).itemsize
    if algorithm == "THREE_FRY":
        key, first = state
        if size == 8:
            pairs = threefry(key, u64(first) + np.arange(n, dtype=u64))
            words, used = pairs[:, ::-1].reshape(-1) if "highfirst" in BUG else pairs.reshape(-1), n
        else:
            words, used = halved(key, first, shape)
        after = [key, (first + used) % 2**64]
    else:
        key = state[0]
        counter = state[1] | (state[0] if len(state) == 2 else state[2]) << 64
        count = n * max(size // 4, 1)
        words = stream(key, counter, count)
        end = (counter + -(-count // 4)) % 2**128
        if "statewords" in BUG:  # the state grows by what was stored
            end = (counter + n) % 2**128
        after = [key, end % 2**64] + ([end >> 64] if len(state) == 3 else [])
    if "statezerokey" in BUG:
        after[0] = 0
    if size == 8:
        bits = words.view(u64)
    elif "topbyte" in BUG:
        bits = (words >> u32(32 - 8 * size)).astype(SIZES[f"u{8 * size}"])
    else:
        bits = words.astype(SIZES[f"u{8 * size}"])
    out = answer(bits, dtype, shape)
    out["output_state"] = Tensor("u64", [len(state)], np.array(after, u64).tobytes())
    return out


def halved(key, first, shape):
    """Threefry for up to 32 bits: neighbours along the first even extent, or the first of the greatest."""
    if not shape:
        return threefry(key, np.array([first], u64))[0, :1], 1
    even = [i for i, extent in enumerate(shape) if extent % 2 == 0]
    axis = even[0] if even else shape.index(max(shape))
    if "lastaxis" in BUG:
        axis = len(shape) - 1
    half = list(shape)
    half[axis] = -(-half[axis] // 2)
    used = int(np.prod(half, dtype=np.int64))
    pairs = threefry(key, u64(first) + np.arange(used, dtype=u64))
    if "concatenated" in BUG:  # first words, then second words, along the axis
        words = np.concatenate([pairs[:, 0].reshape(half), pairs[:, 1].reshape(half)], axis)
    else:
        words = np.stack([pairs[:, 0].reshape(half), pairs[:, 1].reshape(half)], axis + 1)
        words = words.reshape(half[:axis] + [2 * half[axis]] + half[axis + 1 :])
    return np.take(words, np.arange(shape[axis]), axis).reshape(-1), used


def keys(request):
    tensor = request.tensor("key", ("u64",), 0, 99)
    if not tensor.shape or tensor.shape[-1] != 2:
        raise Rejected("shape", "key")
    return array(tensor).reshape(-1, 2), tensor.shape


def fold(seed, offset, data):
    if "data32" in BUG:
        data &= 0xFFFFFFFF
    w = philox(int(seed), (int(offset) + data) % 2**64, 1)[0].astype(u64)
    return [w[2] | w[3] << u64(32), w[0] | w[1] << u64(32)] if "foldhalves" in BUG else [w[0] | w[1] << u64(32), w[2] | w[3] << u64(32)]


def key_split(request):
    pairs, shape = keys(request)
    splits = request.number("num_splits")
    if not 1 <= splits < 2**63:
        raise Rejected("attribute", "num_splits")
    first = 1 if "fromone" in BUG else 0
    out = np.array([[fold(s, o, i + first) for s, o in pairs] for i in range(splits)], u64).reshape([splits, len(pairs), 2])
    if "splitinner" in BUG:
        out = out.transpose(1, 0, 2)
    return answer(out.reshape(-1), "u64", [splits] + shape)


def key_fold_in(request):
    pairs, shape = keys(request)
    data = request.number("data")
    if not -(2**63) <= data < 2**64:
        raise Rejected("attribute", "data")
    return answer(np.array([fold(s, o, data % 2**64) for s, o in pairs], u64).reshape(-1), "u64", shape)


def keyed_words(request, shape, per):
    """The words for an output whose trailing extents are filled by one key each."""
    pairs, kshape = keys(request)
    batch = kshape[:-1]
    if batch and (len(batch) != len(shape) or any(k not in (1, s) for k, s in zip(batch, shape))):
        raise Rejected("shape", "key")
    n = int(np.prod(shape, dtype=np.int64))
    filled = 0
    while filled < len(batch) and batch[-1 - filled] == 1:
        filled += 1
    run = int(np.prod(shape[len(shape) - filled :], dtype=np.int64)) if batch else n
    which = np.broadcast_to(np.arange(len(pairs)).reshape(batch or [1] * len(shape)), shape).reshape(-1)
    out = np.empty(n * per, u32)
    for at in range(0, n, max(run, 1)):
        seed, offset = (int(x) for x in pairs[which[at]])
        if "offsetelements" in BUG:
            offset //= 4
        if "batchcontinues" in BUG:  # the counter is the element's number in the whole output
            offset += at * per // 4
        lo = stream_64(seed, offset, run * per)
        out[at * per : (at + run) * per] = lo
    return out


def stream_64(seed, offset, count):
    """The counter of these ops has 64 bits: it does not carry into the high half."""
    before = min(-(-count // 4), 2**64 - offset)
    if before * 4 >= count:
        return stream(seed, offset, count)
    return np.concatenate([stream(seed, offset, before * 4), stream(seed, 0, count - before * 4)])


def philox_uniform(request):
    dtype = request.one_of("output_type", "f16", "bf16", "f32", "f64")
    shape = request.attrs["output_sizes"]
    lo, hi = (single(request, name, "f64") for name in ("low", "high"))
    words = keyed_words(request, shape, 2 if dtype == "f64" else 1)
    if dtype != "f64":
        lo, hi = np.float32(lo), np.float32(hi)
    if dtype == "bf16":
        lo, hi = bf16(lo), bf16(hi)
    if dtype == "f16":
        lo, hi = np.float16(lo), np.float16(hi)
    return answer(scaled(fraction(words, dtype), lo, hi, dtype, False), dtype, shape)


def philox_randint(request):
    dtype = request.attrs["output_type"]
    if dtype[0] not in "iu" or dtype not in SIZES:
        raise Rejected("attribute", "output_type")
    bits = SIZES[dtype].itemsize * 8
    least, past = (0, 2**bits) if dtype[0] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1))
    lo, hi = request.number("low"), request.number("high")
    lo, hi = least if lo is None else lo, past if hi is None else hi
    span = hi - lo
    if span <= 0 or lo < least or hi > past or (bits == 32 and span >= 2**28 and 2**32 % span):
        raise Rejected("range", "low and high")
    shape = request.attrs["output_sizes"]
    words = keyed_words(request, shape, 2 if bits == 64 else 1)
    if bits == 64:
        x = words[0::2].astype(u64) << u64(32) | words[1::2].astype(u64)
        if "oneword" in BUG:
            x = words[1::2].astype(u64)
    else:
        x = words.astype(u64)
    if (lo, hi) != (least, past):
        x = x % u64(span) + u64(lo % 2**64)
    return answer(x.astype(SIZES[f"u{bits}"]), dtype, shape)


def get_key_counter(request):
    tensor = request.tensor("seed", ("i32", "i64"), 1, 1)
    seed = [int(x) % 2**64 for x in array(tensor)]
    if len(seed) != 2:
        raise Rejected("shape", "seed")
    if "zeroextended" in BUG and tensor.dtype == "i32":
        seed = [s & 0xFFFFFFFF for s in seed]
    if "pairreversed" in BUG:
        seed.reverse()
    w = [int(x) for x in philox(0x02461E293EC8F720, seed[0] | seed[1] << 64, 1)[0]]
    key, high = w[0] | w[1] << 32, w[2] | w[3] << 32
    counter = [high, 0] if "counterlow" in BUG else [0, high]
    return {"key": Tensor("u64", [1], np.array([key], u64).tobytes()), "counter": Tensor("u64", [2], np.array(counter, u64).tobytes())}


def stateless(request):
    op = request.op.split(".")[1]
    dtype = request.attrs["output_type"]
    if dtype not in (("f16", "bf16", "f32", "f64") if op == "StatelessRandomUniformV2" else ("i32", "i64", "u32", "u64")):
        raise Rejected("attribute", "output_type")
    shape = extents(request)
    key = array(request.tensor("key", ("u64",), 1, 1))
    counter = array(request.tensor("counter", ("u64",), 1, 1))
    alg = single(request, "alg", "i32")
    if len(key) != 1 or len(counter) < 2:
        raise Rejected("shape", "key or counter")
    n = int(np.prod(shape, dtype=np.int64))
    lo = hi = None
    if op == "StatelessRandomUniformIntV2":
        lo, hi = (int(single(request, name, dtype)) for name in ("minval", "maxval"))
    if n and alg not in (1, 3):
        raise Rejected("attribute", "alg")
    if n and lo is not None and lo >= hi:
        raise Rejected("range", "minval and maxval")
    start = int(counter[0]) | int(counter[1]) << 64
    if "counterhigh" in BUG:
        start = int(counter[0])
    words = stream(int(key[0]), start, n * (2 if dtype[1:] == "64" else 1))
    if op == "StatelessRandomUniformV2":
        return answer(mantissa(words, dtype), dtype, shape)
    if op == "StatelessRandomUniformIntV2":
        return answer(integers(words, lo, hi, dtype) if n else np.empty(0, SIZES[dtype]), dtype, shape)
    if dtype[1:] == "64" and "wordswap" in BUG:
        words = words.reshape(-1, 2)[:, ::-1].reshape(-1)
    return answer(np.ascontiguousarray(words).view(SIZES[dtype]), dtype, shape)


OPS = {
    "openvino.RandomUniform-8": random_uniform,
    "openvino.Multinomial-13": multinomial,
    "directml.RandomGenerator": random_generator,
    "stablehlo.rng_bit_generator": rng_bit_generator,
    "torch.philox_key_split": key_split,
    "torch.philox_key_fold_in": key_fold_in,
    "torch.philox_uniform": philox_uniform,
    "torch.philox_randint": philox_randint,
    "tensorflow.StatelessRandomGetKeyCounter": get_key_counter,
    "tensorflow.StatelessRandomUniformV2": stateless,
    "tensorflow.StatelessRandomUniformIntV2": stateless,
    "tensorflow.StatelessRandomUniformFullIntV2": stateless,
}


def run(request):
    if request.execution:
        raise Unsupported("a second execution")
    return OPS[request.op](request)


if __name__ == "__main__":
    claims = [{"op": op} for op in OPS]
    claims[1]["features"] = ["draws"]
    claims[2]["features"] = ["output_state"]
    serve({"name": "own", "version": "1"}, claims, run)
