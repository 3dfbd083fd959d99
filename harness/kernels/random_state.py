"""NumPy's legacy RandomState in plain Python, with the mistake that the variable BUG names. Without BUG the adapter is right.

random_state.json has the truth: the parts of each mistake, and the query that shows it.
"""

import math
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "adapters"))
from seedproof_adapter import Rejected, Tensor, Unsupported, serve

BUG = os.environ.get("BUG", "")
M32 = 2**32 - 1
# More elements, and longer seeds, than these take too long in Python.
MOST = 5000


def genrand(seed):
    state = [seed & M32]
    for i in range(1, 624):
        state.append((1812433253 * (state[-1] ^ state[-1] >> 30) + i) & M32)
    return state


def by_array(key):
    state, i = genrand(19650218), 1

    def step():
        nonlocal i
        i += 1
        if i == 624:
            state[0], i = state[623], 1

    for k in range(max(624, len(key))):
        j = k % len(key)
        state[i] = ((state[i] ^ (state[i - 1] ^ state[i - 1] >> 30) * 1664525) + key[j] + j) & M32
        step()
    for _ in range(623):
        state[i] = ((state[i] ^ (state[i - 1] ^ state[i - 1] >> 30) * 1566083941) - i) & M32
        step()
    return [2**31] + state[1:]


def sequence(entropy):
    """The words of a SeedSequence, as Generator's MT19937 is seeded."""
    constant = 0x43B0D7E5

    def hashed(value, by):
        nonlocal constant
        value ^= constant
        constant = constant * by & M32
        value = value * constant & M32
        return value ^ value >> 16

    words = [hashed(entropy >> 32 * i & M32, 0x931E8875) for i in range(4)]
    for source in range(4):
        for into in range(4):
            if source != into:
                mixed = (words[into] * 0xCA01F9DD - hashed(words[source], 0x931E8875) * 0x4973F715) & M32
                words[into] = mixed ^ mixed >> 16
    constant = 0x8B51F9DD
    return [2**31] + [hashed(words[i % 4], 0x58F38DED) for i in range(624)][1:]


class RandomState:
    def __init__(self, seed, key):
        self.at, self.kept, self.pieces = 624, None, []
        if BUG == "sequence":
            self.state, self.at = sequence(seed), 623
        elif key is None:
            self.state = by_array([seed]) if BUG == "array" else genrand(seed)
        else:
            self.state = genrand(key[0]) if BUG == "firstword" else by_array(key[::-1] if BUG == "keyrev" else key)

    def word(self):
        if self.at == 624:
            for i in range(624):
                y = self.state[i] & 2**31 | self.state[(i + 1) % 624] & 2**31 - 1
                self.state[i] = self.state[(i + 397) % 624] ^ y >> 1 ^ (0x9908B0DF if y & 1 else 0)
            self.at = 0
        y = self.state[self.at]
        self.at += 1
        y ^= y >> 11
        y ^= y << 7 & 0x9D2C5680
        y ^= y << 15 & 0xEFC60000
        return (y ^ y >> 18) & M32

    def wide(self):
        first, second = self.word(), self.word()
        return second << 32 | first if BUG == "lowfirst" else first << 32 | second

    def double(self):
        if BUG == "f24":
            return (self.word() >> 8) / 2**24
        if BUG == "f64of32":
            return self.word() / 2**32
        if BUG == "generator53":
            return (self.wide() >> 11) / 2**53
        a, b = self.word(), self.word()
        if BUG == "halves":
            a, b = b, a
        return ((a >> 5) * 2**26 + (b >> 6)) / 2**53

    def normal(self):
        if self.kept is not None:
            kept, self.kept = self.kept, None
            return kept
        if BUG == "boxmuller":
            radius, angle = math.sqrt(-2 * math.log(1 - self.double())), 2 * math.pi * self.double()
            self.kept = radius * math.sin(angle)
            return radius * math.cos(angle)
        while True:
            x, y = 2 * self.double() - 1, 2 * self.double() - 1
            square = x * x + y * y
            if 0 < square < 1:
                factor = math.sqrt(-2 * math.log(square) / square)
                if BUG == "firstfirst":
                    x, y = y, x
                if BUG != "dropped":
                    self.kept = factor * x
                return factor * y

    def integers(self, low, high, count, bits):
        most = high - 1 - low
        width = 32 if bits == 64 and most < 2**32 and BUG != "wide" else bits
        if BUG != "bufkept":
            self.pieces = []

        def draw():
            if width >= 32:
                return self.wide() if width == 64 else self.word()
            if BUG == "unbuffered":
                return self.word() & (1 << width) - 1
            if not self.pieces:
                whole = self.word()
                self.pieces = [whole >> i & (1 << width) - 1 for i in range(0, 32, width)]
                if BUG == "piecesrev":
                    self.pieces.reverse()
            return self.pieces.pop(0)

        def bounded():
            if most == 2**width - 1:
                return draw()
            if BUG == "modulo":
                return draw() % (most + 1)
            while BUG == "lemire":
                product = draw() * (most + 1)
                if product % 2**width >= 2**width % (most + 1):
                    return product >> width
            mask = (1 << most.bit_length() - (BUG == "maskshort")) - 1
            while True:
                value = draw() & mask
                if value <= most:
                    return value

        return [low + bounded() if most else low for _ in range(count)]

    def interval(self, most):
        mask = (1 << most.bit_length()) - 1
        while most:
            value = (self.word() if most < 2**32 else self.wide()) & mask
            if value <= most:
                return value
        return 0

    def permutation(self, count):
        numbers = list(range(count))
        if BUG == "front":
            for i in range(count - 1):
                at = i + self.interval(count - 1 - i)
                numbers[i], numbers[at] = numbers[at], numbers[i]
            return numbers
        for i in range(1, count) if BUG == "forward" else range(count - 1, 0, -1):
            at = self.interval(i - (BUG == "sattolo"))
            numbers[i], numbers[at] = numbers[at], numbers[i]
        return numbers


def run(request):
    name, seed, words = request.op.rsplit(".", 1)[1], request.number("seed"), request.number("seed_words")
    if words is not None and words > MOST:
        raise Unsupported("a seed of this length")
    if seed < 0 or words is not None and words < 1 or seed >> 32 * (1 if words is None else words):
        raise Rejected("attribute", f"the seed is {seed}, of {words} words")
    random = RandomState(seed, None if words is None else [seed >> 32 * i & M32 for i in range(words)])
    if name == "permutation":
        n = request.number("n")
        if n < -(2**63) - 1024:
            raise Rejected("attribute", f"{n} numbers")
        kept, sizes, dtype = max(n, 0), [max(n, 0)], "i64"
        draw = lambda: random.permutation(kept)
    else:
        sizes = request.attrs["output_sizes"]
        kept, dtype = math.prod(sizes), "f64"
        if name == "randint":
            dtype = request.one_of("output_type", *[letter + bits for letter in "iu" for bits in ("8", "16", "32", "64")])
        bits = int(dtype[1:])
        if math.prod(size for size in sizes if size) * bits // 8 >= 2**63:
            raise Rejected("shape", f"{sizes}")
        if name == "randint":
            least = -(2 ** (bits - 1)) if dtype[0] == "i" else 0
            low, high = request.number("low"), request.number("high")
            if kept and not least <= low < high <= least + 2**bits:
                raise Rejected("range", f"{low} to {high}")
            draw = lambda: random.integers(low, high, kept, bits) if kept else []
        else:
            draw = lambda: [random.double() if name == "rand" else random.normal() for _ in range(kept)]
    if kept > MOST:
        raise Unsupported("an output of this size")
    for _ in range(request.execution + 1):
        drawn = draw()
        if BUG == "callend":
            random.kept = None
    if dtype == "f64":
        return {"output": Tensor(dtype, sizes, struct.pack(f"<{kept}d", *drawn))}
    size = int(dtype[1:]) // 8
    # A mistake may draw what the type does not have.
    return {"output": Tensor(dtype, sizes, b"".join((x % 256**size).to_bytes(size, "little") for x in drawn))}


if __name__ == "__main__":
    ops = [{"op": f"numpy.RandomState.{name}", "features": ["execution"]} for name in ("rand", "randn", "randint", "permutation")]
    serve({"name": "random-state-kernels", "version": "1"}, ops, run)
