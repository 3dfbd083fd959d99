"""CPython alone: the words of its own MT19937, of a Philox in Python, and the arithmetic of its floats.

Install: nothing; Python 3.8 and its standard library
Usage:   cpython_adapter.py
"""

import math
import platform
import random
import secrets
import struct
from itertools import islice

from seedproof_adapter import Rejected, Request, Tensor, check_random_generator, serve

WORD, LONG = 2**32 - 1, 2**64 - 1
FORMAT = {"u32": "I", "i32": "i", "i64": "q", "f16": "e", "f32": "f", "f64": "d"}
# Bits of the mantissa that TENSORFLOW fills, and those of the fraction that PYTORCH does.
DIGITS = {"f16": (10, 11), "bf16": (7, 8), "f32": (23, 24), "f64": (52, 53)}


def philox(counter, key):
    """Words of Philox4x32-10 without end; counter and key are integers of 128 and of 64 bits."""
    keys = [(key + 0x9E3779B9 * i & WORD, (key >> 32) + 0xBB67AE85 * i & WORD) for i in range(10)]
    while True:
        a, b, c, d = counter & WORD, counter >> 32 & WORD, counter >> 64 & WORD, counter >> 96
        for k, l in keys:
            low, high = 0xD2511F53 * a, 0xCD9E8D57 * c
            a, b, c, d = high >> 32 ^ b ^ k, high & WORD, low >> 32 ^ d ^ l, low & WORD
        yield from (a, b, c, d)
        counter = counter + 1 & 2**128 - 1


def twister_state(seed):
    """MT19937 seeded with one word."""
    state = [seed]
    for i in range(1, 624):
        state.append(1812433253 * (state[-1] ^ state[-1] >> 30) + i & WORD)
    return state


def mersenne_twister(seed):
    """Words of MT19937 without end, from the seeding with one word, which random.seed does not do."""
    generator = random.Random()
    generator.setstate((3, (*twister_state(seed), 624), None))
    while True:
        # The first word is the lowest.
        yield from struct.unpack("<624I", generator.getrandbits(624 * 32).to_bytes(624 * 4, "little"))


def rounded(values, dtype):
    """The nearest values of the type, ties to even. A float of 64 bits holds a sum or product of narrower ones well enough."""
    if dtype == "f64":
        return values
    # What rounds to a power of two that the type lacks, which `struct` refuses.
    limit = 65520 if dtype == "f16" else 2.0**128 - 2.0**103
    values = [math.copysign(math.inf, value) if abs(value) >= limit else value for value in values]
    if dtype == "bf16":
        bits = struct.unpack(f"<{len(values)}I", struct.pack(f"<{len(values)}f", *values))
        nearest = [word if word & 0x7F800000 == 0x7F800000 else word + 0x7FFF + (word >> 16 & 1) & 0xFFFF0000 for word in bits]
        return struct.unpack(f"<{len(values)}f", struct.pack(f"<{len(values)}I", *nearest))
    form = f"<{len(values)}{FORMAT[dtype]}"
    return struct.unpack(form, struct.pack(form, *values))


def pack(values, dtype):
    if dtype == "bf16":
        return b"".join(struct.pack("<f", value)[2:] for value in values)
    return struct.pack(f"<{len(values)}{FORMAT[dtype]}", *values)


def unpack(tensor):
    if tensor.dtype == "bf16":
        return [struct.unpack("<f", b"\0\0" + tensor.data[i : i + 2])[0] for i in range(0, len(tensor.data), 2)]
    return [value for (value,) in struct.iter_unpack("<" + FORMAT[tensor.dtype], tensor.data)]


def floats(words, count, dtype, alignment, low, high):
    mantissa, fraction = DIGITS[dtype]
    digits = mantissa if alignment == "TENSORFLOW" else fraction
    # PYTORCH computes the two halves in f32 and rounds once, at the end.
    inner = "f32" if alignment == "PYTORCH" and dtype in ("f16", "bf16") else dtype
    (span,), scale, mask = rounded([high - low], dtype), 2.0**-digits, 2**digits - 1
    bits = (word << 32 | next(words) for word in words) if dtype == "f64" else words
    above = rounded([(word & mask) * scale * span for word in islice(bits, count)], inner)
    return rounded(rounded([value + low for value in above], inner), dtype)


def integers(words, count, dtype, alignment, low, high):
    width, span = 64 if dtype == "i64" else 32, high - low
    if dtype == "i32" or (alignment == "PYTORCH" and low <= WORD and high <= WORD):
        bits = words
        if dtype == "i64":
            # The remainder is C's of signed numbers: the sign of a span that has wrapped does not count.
            span = abs(signed(span, 64))
    elif alignment == "TENSORFLOW":
        bits = (next(words) << 32 | word for word in words)
    else:
        bits = (word << 32 | next(words) for word in words)
    return [signed(word % span + low, width) for word in islice(bits, count)]


def signed(value, width):
    return (value + 2 ** (width - 1)) % 2**width - 2 ** (width - 1)


def checked_uniform(request):
    """The type, alignment, extents and bounds of a request for RandomUniform-8, or what its document refuses."""
    dtype, alignment = request.attrs["output_type"], request.attrs["alignment"]
    if dtype not in ("f16", "bf16", "f32", "f64", "i32", "i64") or alignment not in ("PYTORCH", "TENSORFLOW"):
        raise Rejected("attribute", "an unknown type or alignment")
    extents = request.inputs["shape"]
    if extents.dtype not in ("i32", "i64"):
        raise Rejected("dtype", "the shape must be i32 or i64")
    if len(extents.shape) != 1:
        raise Rejected("shape", "the shape must be a list")
    shape = unpack(extents)
    for bound in (request.inputs["minval"], request.inputs["maxval"]):
        if bound.dtype != dtype:
            raise Rejected("dtype", "the bounds must have the type of the output")
        if bound.shape not in ([], [1]):
            raise Rejected("shape", "a bound must be one number")
    (low,), (high,) = (unpack(request.inputs[bound]) for bound in ("minval", "maxval"))
    if min(shape, default=0) < 0:
        raise Rejected("shape", "an extent is negative")
    if not low < high:
        raise Rejected("range", "minval must be less than maxval")
    return dtype, alignment, shape, low, high


def random_uniform(request):
    dtype, alignment, shape, low, high = checked_uniform(request)
    key, counter = int(request.attrs["global_seed"]), int(request.attrs["op_seed"])
    if key == counter == 0:
        key = secrets.randbits(64)
    words = philox(counter << 64, key) if alignment == "TENSORFLOW" else mersenne_twister(key & WORD)
    convert = integers if dtype in ("i32", "i64") else floats
    values = convert(words, math.prod(shape), dtype, alignment, low, high)
    return {"output": Tensor(dtype, shape, pack(values, dtype))}


def random_generator(request):
    check_random_generator(request)
    state, sizes = request.inputs["input_state"], request.attrs["output_sizes"]
    state_words = unpack(state)
    counter = sum(word << 32 * i for i, word in enumerate(state_words[:4]))
    count = math.prod(sizes)
    words = list(islice(philox(counter, state_words[4] | state_words[5] << 32), count))
    outputs = {"output": Tensor("u32", sizes, pack(words, "u32"))}
    if request.attrs["output_state"]:
        after = counter + (count + 3) // 4
        after = [after >> shift & WORD for shift in (0, 32, 64, 96)] + state_words[4:]
        outputs["output_state"] = Tensor("u32", state.shape, pack(after, "u32"))
    return outputs


def run(request: Request):
    return random_generator(request) if request.op == "directml.RandomGenerator" else random_uniform(request)


if __name__ == "__main__":
    implementation = {
        "name": "cpython",
        "version": platform.python_version(),
        "language": "python",
        "homepage": "https://docs.python.org/3/library/random.html",
    }
    uniform = {"op": "openvino.RandomUniform-8", "alignment": ["PYTORCH", "TENSORFLOW"]}
    serve(implementation, [uniform, {"op": "directml.RandomGenerator", "features": ["output_state"]}], run)
