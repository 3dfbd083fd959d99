"""TensorFlow's shuffles and draws of classes in plain Python, with the mistake that the variable BUG names.

Without BUG the adapter is right. tensorflow_samplers.json has the truth: the parts of each mistake, and the query that shows it.
"""

import math
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "adapters"))
from seedproof_adapter import Rejected, Tensor, Unsupported, serve

BUG = os.environ.get("BUG", "")
M32 = 2**32 - 1
FLOATS = ("f16", "bf16", "f32", "f64")
LETTERS = {"f16": "e", "f32": "f", "f64": "d", "i32": "i", "i64": "q", "u64": "Q"}
# More draws than this take too long in Python.
MOST = 100_000


def philox(counter, key):
    words = [counter >> 32 * i & M32 for i in range(4)]
    low, high = key & M32, key >> 32
    for _ in range(9 if BUG == "rounds9" else 10):
        a, b = 0xD2511F53 * words[0], 0xCD9E8D57 * words[2]
        words = [b >> 32 ^ words[1] ^ low, b & M32, a >> 32 ^ words[3] ^ high, a & M32]
        low, high = low + 0x9E3779B9 & M32, high + 0xBB67AE85 & M32
    return words


class Stream:
    """Words of consecutive blocks."""

    def __init__(self, key, counter, blocks=0):
        self.key, self.counter = key, counter + blocks

    @classmethod
    def of(cls, request, blocks):
        seed, seed2 = (request.number(name) for name in ("seed", "seed2"))
        if seed == seed2 == 0:
            raise Unsupported("a seed of the system's")
        if BUG == "seedswap":
            seed, seed2 = seed2, seed
        return cls(seed, seed2 << 64, request.execution * blocks)

    def words(self, count):
        found = []
        while len(found) < count:
            block = philox(self.counter + len(found) // 4 & 2**128 - 1, self.key)
            found += block[::-1] if BUG == "reversed" else block
        return found[:count]


def numbers(tensor):
    if tensor.dtype == "bf16":
        (*halves,) = struct.unpack(f"<{len(tensor.data) // 2}H", tensor.data)
        return [struct.unpack("<f", struct.pack("<I", half << 16))[0] for half in halves]
    return list(struct.unpack(f"<{len(tensor.data) // struct.calcsize(LETTERS[tensor.dtype])}{LETTERS[tensor.dtype]}", tensor.data))


def order(words, count):
    places = list(range(count))
    if BUG == "skipfirst":
        words = words[1:]
    for i in range(count - 1):
        left = count - i
        if BUG == "wide":
            word = words[2 * i] | words[2 * i + 1] << 32
        else:
            word = words[i]
        if BUG == "sattolo" and left > 1:
            j = i + 1 + word % (left - 1)
        elif BUG == "product":
            j = i + (word * left >> 32)
        elif BUG == "modall":
            j = word % count
        elif BUG == "offbyone":
            j = i + word % max(left - 1, 1)
        else:
            j = i + word % left
        if BUG == "fromend":
            i, j = count - 1 - i, word % left
        places[i], places[j] = places[j], places[i]
    if BUG == "inverse":
        inverse = [0] * count
        for place, element in enumerate(places):
            inverse[element] = place
        return inverse
    if BUG == "sorted":
        return sorted(range(count), key=lambda i: words[i] if i < len(words) else 0)
    return places


def shuffled(value, stream_at):
    units = value.shape[0] if value.shape else 1
    count = math.prod(value.shape)
    if BUG == "elements":
        units = count
    if count > MOST:
        raise Unsupported("long")
    stream = stream_at(-(-max(units - 1, 0) // 4))
    if not count or units < 2:
        return {"output": value}
    size = len(value.data) // units
    parts = [value.data[size * i :][:size] for i in order(stream.words(2 * units + 1), units)]
    return {"output": Tensor(value.dtype, value.shape, b"".join(parts))}


def unit(first, second):
    if BUG == "highfirst":
        first, second = second, first
    if BUG == "single":
        return (first & 0x7FFFFF) / 2**23
    u = ((first & 0xFFFFF) << 32 | second) / 2**52
    return 1 - u if BUG == "complement" else u


def drawn(request, stream_at):
    logits, samples = request.tensor("logits", FLOATS, 0, 9), request.tensor("num_samples", ("i32",), 0, 9)
    dtype = request.one_of("output_type", "i32", "i64")
    if len(logits.shape) != 2 or logits.shape[1] == 0:
        raise Rejected("shape", "logits are not a matrix of classes")
    if samples.shape:
        raise Rejected("shape", "num_samples is not one number")
    count, (batch, classes) = numbers(samples)[0], logits.shape
    if count < 0:
        raise Rejected("samples", "num_samples is negative")
    if batch * (count + classes) > MOST:
        raise Unsupported("long")
    stream = stream_at(256 * batch * 2 * -(-count // 4) * 4, batch * count)
    each = 1 if BUG == "single" else 2
    words = stream.words(each * (batch + 1) * (count + 4))
    values, found = numbers(logits), []
    for row in range(batch if count else 0):
        own = values[row * classes :][:classes]
        finite = [x for x in own if math.isfinite(x)]
        greatest = max(finite, default=0.0)
        if BUG == "narrow":
            weights = [struct.unpack("<f", struct.pack("<f", math.exp(x - greatest)))[0] if math.isfinite(x) else 0.0 for x in own]
        elif BUG == "base2":
            weights = [2.0 ** (x - greatest) if math.isfinite(x) else 0.0 for x in own]
        elif BUG == "smallest":
            least = min(finite, default=0.0)
            weights = [math.exp(min(x - least, 700)) if math.isfinite(x) else 0.0 for x in own]
        else:
            weights = [math.exp(x - greatest) if math.isfinite(x) else 0.0 for x in own]
        if BUG == "backward":
            weights.reverse()
        sums, total = [], 0.0
        for weight in weights:
            total += weight
            sums.append(total)
        for sample in range(count):
            if BUG == "repeat":
                at = sample
            elif BUG == "turns":
                at = sample * batch + row
            elif BUG == "rowblocks":
                at = row * -(-count // 2) * 2 + sample
            elif BUG == "padded":
                at = row * -(-count // 4) * 4 + sample
            else:
                at = row * count + sample
            u = unit(words[at * each], words[at * each + each - 1])
            number = u if BUG == "unscaled" else u * total
            past = [s >= number if BUG == "lower" else s > number for s in sums]
            place = past.index(True) if True in past else classes
            if place == classes and BUG == "clamped":
                place -= 1
            if BUG == "backward" and place < classes:
                place = classes - 1 - place
            found.append(place)
    return {"output": Tensor(dtype, [batch, count], struct.pack(f"<{len(found)}{LETTERS[dtype]}", *found))}


def keyed(seed):
    """The key and the counter that TensorFlow's stateless ops make of a seed."""
    first, second = (x & 2**64 - 1 for x in numbers(seed))
    words = philox(second << 64 | first, 0x02461E293EC8F720)
    return words[0] | words[1] << 32, words[2] << 64 | words[3] << 96


def answer(request):
    if request.op == "tensorflow.RandomShuffle":
        return shuffled(
            request.inputs["value"], lambda blocks: Stream.of(request, 0 if BUG == "again" else blocks + (BUG == "onemore"))
        )
    if request.op == "tensorflow.StatelessShuffle":
        key, counter, alg = (request.inputs[name] for name in ("key", "counter", "alg"))
        if key.dtype != "u64" or counter.dtype != "u64" or alg.dtype != "i32":
            raise Rejected("dtype", "key and counter are u64, alg is i32")
        if key.shape != [1] or counter.shape != [2] or alg.shape:
            raise Rejected("shape", "key is [1], counter is [2], alg is one number")
        if numbers(alg)[0] not in (1, 3):
            raise Rejected("attribute", "alg is neither Philox nor that of the device")
        low, high = numbers(counter)
        if BUG == "counterswap":
            low, high = high, low
        return shuffled(request.inputs["value"], lambda _: Stream(numbers(key)[0], high << 64 | low))
    if request.op == "tensorflow.StatelessMultinomial":
        seed = request.tensor("seed", ("i32", "i64"), 0, 9)
        if seed.shape != [2]:
            raise Rejected("shape", "the seed is two numbers")
        return drawn(request, lambda *_: Stream(*keyed(seed)))
    return drawn(
        request, lambda reserved, used: Stream.of(request, -(-used // 2) if BUG == "used" else 0 if BUG == "again" else reserved)
    )


if __name__ == "__main__":
    ops = ("RandomShuffle", "StatelessShuffle", "Multinomial", "StatelessMultinomial")
    claims = [{"op": "tensorflow." + op, "features": ["execution"]} if not op.startswith("Stateless") else {"op": "tensorflow." + op} for op in ops]
    serve({"name": "tensorflow-sampler-kernel-" + (BUG or "right"), "version": "0.1", "language": "python"}, claims, answer)
