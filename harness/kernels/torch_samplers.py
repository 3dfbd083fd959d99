"""PyTorch's samplers on a CPU in plain Python, with the mistakes that the variable BUG names, plus-joined.

Without BUG the adapter is right. samplers.json has the truth: the parts of each mistake, and the query that shows it.
"""

import math
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "adapters"))
from seedproof_adapter import Rejected, Tensor, Unsupported, serve

BUG = set(filter(None, os.environ.get("BUG", "").split("+")))
FLOATS = ("f16", "bf16", "f32", "f64")
LETTERS = {"f16": "e", "f32": "f", "f64": "d", "i32": "i", "i64": "q", "u8": "B"}


def mt19937(seed):
    state = [seed & 0xFFFFFFFF]
    for i in range(1, 624):
        state.append(1812433253 * (state[-1] ^ state[-1] >> 30) + i & 0xFFFFFFFF)
    while True:
        for i in range(624):
            y = state[i] & 0x80000000 | state[(i + 1) % 624] & 0x7FFFFFFF
            state[i] = state[(i + 397) % 624] ^ y >> 1 ^ (0x9908B0DF if y & 1 else 0)
        for y in state:
            y ^= y >> 11
            y ^= y << 7 & 0x9D2C5680
            y ^= y << 15 & 0xEFC60000
            yield y ^ y >> 18


def narrowed(dtype, x):
    """The nearest number of a type. bf16 and f16 are made of f32."""
    if dtype == "f64" or x != x or math.isinf(x):
        return x
    try:
        x = struct.unpack("<f", struct.pack("<f", x))[0]
        if dtype == "f16":
            return struct.unpack("<e", struct.pack("<e", x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)
    if dtype == "bf16":
        (word,) = struct.unpack("<I", struct.pack("<f", x))
        return struct.unpack("<f", struct.pack("<I", word + 0x7FFF + (word >> 16 & 1) & 0xFFFF0000))[0]
    return x


def packed(dtype, shape, values):
    if dtype == "bf16":
        data = b"".join(struct.pack("<f", x)[2:] for x in values)
    else:
        data = struct.pack(f"<{len(values)}{LETTERS[dtype]}", *values)
    return {"output": Tensor(dtype, shape, data)}


class Draws:
    """The words of one generator, after those of the calls before."""

    def __init__(self, request, words_of_a_call):
        self.words = mt19937(int(request.attrs["seed"]))
        for _ in range(request.execution * words_of_a_call):
            next(self.words)

    def unit24(self):
        return (next(self.words) & 0xFFFFFF) / 2.0**24

    def unit53(self):
        if "unit24" in BUG:
            return self.unit24()
        first, second = next(self.words), next(self.words)
        if "lowfirst" in BUG:
            first, second = second, first
        if "high53" in BUG:
            return ((first << 32 | second) >> 11) / 2.0**53
        return ((first << 32 | second) & 2**53 - 1) / 2.0**53


def is_one(u, p):
    return u > p if "complement" in BUG else u <= p if "orequal" in BUG else u < p


def divided(a, b):
    return a / b if b else math.nan if a == 0 or a != a else math.copysign(math.inf, a) * math.copysign(1, b)


def exponential(u, lambd, dtype):
    log = (math.log(u) if u else -math.inf) if "logu" in BUG else math.log1p(-u)
    if "log32" in BUG:
        log = narrowed("f32", math.log(x)) if (x := narrowed("f32", 1 - u)) else -math.inf
    if "timeslambda" in BUG:
        return narrowed(dtype, -lambd * log)
    return narrowed(dtype, -1 / lambd * log if lambd else math.inf)


def multinomial(request, weights, dtype, rows, classes, count, replacement):
    if replacement and (count > 1 or "searchone" in BUG):
        draws = Draws(request, 2 * rows * count)
        indices = []
        for row in weights:
            total, sums = 0.0, []
            for weight in row:
                total = total + weight if dtype == "f64" or "sum64" in BUG else narrowed("f32", total + weight)
                sums.append(total)
            if "unnormalised" not in BUG:
                sums = [divided(x, total) if dtype == "f64" or "sum64" in BUG else narrowed("f32", divided(x, total)) for x in sums]
                sums[-1] = 1.0
            for _ in range(count):
                u = draws.unit53() * (total if "unnormalised" in BUG else 1)
                low, high = 0, classes
                while low < high:
                    middle = (low + high) // 2
                    if sums[middle] <= u if "upper" in BUG else sums[middle] < u:
                        low = middle + 1
                    else:
                        high = middle
                indices.append(min(low, classes - 1))
        return indices
    draws = Draws(request, 2 * rows * classes)
    indices = []
    for row in weights:
        noise = [exponential(draws.unit53(), 1.0, dtype) for _ in row]
        if "shared" in BUG and indices:
            noise = first
        first = noise
        scores = [narrowed(dtype, divided(weight, q)) for weight, q in zip(row, noise)]
        order = sorted(range(classes), key=lambda i: (scores[i] == scores[i], -scores[i]))
        indices += order[:count][::-1] if "ascending" in BUG else order[:count]
    return indices


def permutation(request, n):
    draws = Draws(request, max(n - 1, 0))
    values = list(range(n))
    for i in range(n - 1):
        word = next(draws.words)
        if "sattolo" in BUG:
            j = i + 1 + word % (n - i - 1)
            values[i], values[j] = values[j], values[i]
        elif "insideout" in BUG:
            j = word % (i + 2)
            values[i + 1] = values[j]
            values[j] = i + 1
        elif "scaledword" in BUG:
            j = i + (word * (n - i) >> 32)
            values[i], values[j] = values[j], values[i]
        elif "fromend" in BUG:
            j = word % (n - i)
            values[n - 1 - i], values[j] = values[j], values[n - 1 - i]
        else:
            j = word % n if "modn" in BUG else i + word % (n - i)
            values[i], values[j] = values[j], values[i]
    return values


def floats(request, name):
    tensor = request.inputs[name]
    if tensor.dtype not in FLOATS:
        raise Rejected("dtype", name)
    return tensor.dtype, tensor.shape, tensor.values()


def scalar(request, name):
    tensor = request.inputs[name]
    if tensor.dtype != "f64":
        raise Rejected("dtype", name)
    if tensor.shape:
        raise Rejected("shape", name)
    return tensor.values()[0]


def run(request):
    attrs, op = request.attrs, request.op
    if op == "torch.bernoulli":
        dtype, shape, p = floats(request, "p")
        if not all(0 <= x <= 1 for x in p):
            raise Rejected("range", "p")
        wide = dtype == "f64"
        draws = Draws(request, (2 if wide else 1) * len(p))
        return packed(dtype, shape, [int(is_one(draws.unit53() if wide else draws.unit24(), x)) for x in p])
    if op == "torch.bernoulli_":
        dtype, shape, p = attrs["output_type"], attrs["output_sizes"], scalar(request, "p")
        if dtype not in (*FLOATS, "i64", "u8"):
            raise Rejected("attribute", "output_type")
        if not 0 <= p <= 1:
            raise Rejected("range", "p")
        count = math.prod(shape)
        draws = Draws(request, 2 * count)
        if "p32" in BUG:
            p = narrowed("f32", p)
        return packed(dtype, shape, [int(is_one(draws.unit53(), p)) for _ in range(count)])
    if op == "torch.dropout":
        dtype, shape, x = floats(request, "input")
        p = scalar(request, "p")
        if not 0 <= p <= 1:
            raise Rejected("range", "p")
        if p == 0:
            return {"output": request.inputs["input"]}
        if p == 1:
            return packed(dtype, shape, [v * 0.0 for v in x])
        draws = Draws(request, 2 * len(x))
        opmath = "f64" if dtype == "f64" else "f32"
        keep = p if "keepdrop" in BUG else 1 - p
        by = narrowed(opmath, p if "inversep" in BUG else 1 - p)
        values = []
        for v in x:
            u = draws.unit53()
            one = int(not is_one(u, 1 - keep) if "dropped" in BUG else is_one(u, keep))
            if "unscaled" in BUG:
                by = 1.0
            if "late" in BUG:
                values.append(narrowed(dtype, divided(narrowed(dtype, v * one), by)))
            else:
                values.append(narrowed(dtype, v * narrowed(dtype, one / by if by else math.inf)))
        return packed(dtype, shape, values)
    if op == "torch.randperm":
        n = int(attrs["n"])
        if attrs["output_type"] not in ("i32", "i64"):
            raise Rejected("attribute", "output_type")
        if not 0 <= n < 2**63:
            raise Rejected("attribute", "n")
        if n > 10**6:
            raise Unsupported("as many numbers")
        return packed(attrs["output_type"], [n], permutation(request, n))
    if op == "torch.exponential_":
        dtype, shape, lambd = attrs["output_type"], attrs["output_sizes"], scalar(request, "lambd")
        if dtype not in FLOATS:
            raise Rejected("attribute", "output_type")
        if not lambd > 0:
            raise Rejected("range", "lambd")
        count = math.prod(shape)
        draws = Draws(request, 2 * count)
        return packed(dtype, shape, [exponential(draws.unit53(), lambd, dtype) for _ in range(count)])
    dtype, shape, weights = floats(request, "weights")
    count = int(attrs["num_samples"])
    if len(shape) not in (1, 2) or shape[-1] == 0:
        raise Rejected("shape", "weights")
    classes, rows = shape[-1], shape[0] if len(shape) == 2 else 1
    if not 0 < count < 2**63 or count > classes and not attrs["replacement"]:
        raise Rejected("samples", "num_samples")
    weights = [weights[i * classes : (i + 1) * classes] for i in range(rows)]
    if not all(0 <= x < math.inf for row in weights for x in row) or not all(any(row) for row in weights):
        raise Rejected("probabilities", "weights")
    indices = multinomial(request, weights, dtype, rows, classes, count, attrs["replacement"])
    return packed("i64", [*shape[:-1], count], indices)


if __name__ == "__main__":
    ops = ["torch.bernoulli", "torch.bernoulli_", "torch.dropout", "torch.randperm", "torch.multinomial", "torch.exponential_"]
    capabilities = [{"op": op, "features": ["execution"]} for op in ops]
    name = "torch-sampler-kernel-" + ("+".join(sorted(BUG)) or "right")
    serve({"name": name, "version": "0.1", "language": "python"}, capabilities, run)
