"""NumPy's Generator in plain Python, with the mistake that the variable BUG names. Without BUG the adapter is right.

numpy_kernels.json has the truth: the parts of each mistake, and the query that shows it.
"""

import math
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "adapters"))
from seedproof_adapter import Rejected, Tensor, Unsupported, serve

BUG = os.environ.get("BUG", "")
M32, M64, M128 = 2**32 - 1, 2**64 - 1, 2**128 - 1
PCG = 47026247687942121848144207491837523525
CHEAP = 0xDA942042E4DD58B5
# More elements than this take too long in Python.
MOST = 5000


def pool(seed):
    words = [seed >> 32 * i & M32 for i in range(4)]
    if BUG == "seed64":
        words[2] = words[3] = 0
    constant = 0x43B0D7E5

    def hashed(value):
        nonlocal constant
        value ^= constant
        constant = constant * 0x931E8875 & M32
        value = value * constant & M32
        return value ^ value >> 16

    def mix(x, y):
        mixed = (x * 0xCA01F9DD - y * 0x4973F715) & M32
        return mixed ^ mixed >> 16

    words = [hashed(word) for word in words]
    for source in range(0 if BUG == "nomix" else 4):
        for into in range(4):
            if source != into:
                words[into] = mix(words[into], hashed(words[source]))
    return words


def state32(seed, count):
    words, constant, state = pool(seed), 0x43B0D7E5 if BUG == "statehash" else 0x8B51F9DD, []
    for i in range(count):
        value = words[i % 4] ^ constant
        constant = constant * 0x58F38DED & M32
        value = value * constant & M32
        state.append(value ^ value >> 16)
    return state


def state64(seed, count):
    words = state32(seed, 2 * count)
    if BUG == "rowstate":
        return [words[i] | words[i + count] << 32 for i in range(count)]
    return [words[2 * i] | words[2 * i + 1] << 32 for i in range(count)]


class Generator:
    def __init__(self, kind, seed):
        self.kind, self.half = kind, None
        if kind in ("PCG64", "PCG64DXSM"):
            a, b, c, d = state64(seed, 4)
            if BUG == "incfirst":
                a, b, c, d = c, d, a, b
            if BUG == "lowfirst":
                a, b, c, d = b, a, d, c
            self.increment = (c << 64 | d) << 1 & M128 | 1
            self.state = ((self.increment + (a << 64 | b)) * PCG + self.increment) & M128
        elif kind == "SFC64":
            self.words = state64(seed, 3) + [0 if BUG == "sfc0" else 1]
            for _ in range(8 if BUG == "sfc8" else 12):
                self.next64()
        elif kind == "Philox":
            self.key, self.counter, self.block = state64(seed, 2)[:: -1 if BUG == "keyswap" else 1], 0, []
        else:
            self.words = state32(seed, 624) if BUG == "firstword" else [2**31] + state32(seed, 624)[1:]
            self.at = 0 if BUG == "mtpos0" else 623

    def twister(self):
        if self.at == 624:
            for i in range(624):
                y = self.words[i] & 2**31 | self.words[(i + 1) % 624] & 2**31 - 1
                self.words[i] = self.words[(i + 397) % 624] ^ y >> 1 ^ (0x9908B0DF if y & 1 else 0)
            self.at = 0
        y = self.words[self.at]
        self.at += 1
        y ^= y >> 11
        y ^= y << 7 & 0x9D2C5680
        y ^= y << 15 & 0xEFC60000
        return (y ^ y >> 18) & M32

    def philox(self):
        if not self.block:
            self.counter += 2**64 if BUG == "ctrhigh" else 1
            a, b, c, d = self.counter & M64, self.counter >> 64 & M64, 0, 0
            k, l = self.key
            raises = [0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B]
            if BUG == "weylswap":
                raises.reverse()
            for _ in range(9 if BUG == "nine" else 10):
                x, y = a * 0xD2E7470EE14C6C93, c * 0xCA5A826395121157
                a, b, c, d = y >> 64 ^ b ^ k, y & M64, x >> 64 ^ d ^ l, x & M64
                k, l = k + raises[0] & M64, l + raises[1] & M64
            self.block = [a, b, c, d][:: -1 if BUG == "philoxrev" else 1]
        return self.block.pop(0)

    def next64(self):
        if self.kind == "PCG64":
            before = self.state
            self.state = (self.state * PCG + self.increment) & M128
            state = before if BUG == "before" else self.state
            high, low = state >> 64, state & M64
            by, x = high >> (59 if BUG == "rot5" else 58), high ^ low
            if BUG == "rotl":
                by = -by % 64
            return (x >> by | x << 64 - by) & M64
        if self.kind == "PCG64DXSM":
            high, low = self.state >> 64, self.state & M64 | 1
            high ^= high >> (48 if BUG == "dx48" else 32)
            high = high * CHEAP & M64
            high ^= high >> 48
            self.state = (self.state * CHEAP + self.increment) & M128
            return high * low & M64
        if self.kind == "SFC64":
            a, b, c, counter = self.words
            total = (a + b + counter) & M64
            left = 25 if BUG == "sfcrot" else 24
            rotated = (c << left | c >> 64 - left) & M64
            self.words = [b ^ b >> 11, c + (c << 3) & M64, rotated + total & M64, counter + 1 & M64]
            return total
        if self.kind == "Philox":
            return self.philox()
        high, low = self.twister(), self.twister()
        return high | low << 32 if BUG == "mtlow" else high << 32 | low

    def next32(self):
        if self.kind == "MT19937":
            return self.twister()
        if self.half is not None:
            half, self.half = self.half, None
            return half
        word = self.next64()
        if BUG == "halfhigh":
            word = word >> 32 | (word & M32) << 32
        if BUG != "nobuffer":
            self.half = word >> 32
        return word & M32

    def single(self):
        if BUG == "f32hi" and self.kind != "MT19937":
            return (self.next64() >> 40) / 2**24
        if BUG == "f32d23":
            return (self.next32() >> 9) / 2**23
        return self.next32() / 2**32 if BUG == "f32whole" else (self.next32() >> 8) / 2**24

    def double(self):
        if self.kind == "MT19937":
            a, b = self.twister(), self.twister()
            if BUG == "mtpair":
                a, b = b, a
            a, b = a >> 5, b >> 6
            return (a * 2**26 + b) / 2**53
        word = self.next64()
        return ((word >> 12) + 0.5) / 2**52 if BUG == "open" else (word >> 11) / 2**53

    def integers(self, low, high, count, bits):
        most = high - low if BUG == "inclusive" else high - 1 - low
        width = 32 if bits == 64 and most < 2**32 and BUG != "always64" else bits
        pieces = []

        def word():
            if width >= 32:
                return self.next64() if width == 64 else self.next32()
            if not pieces:
                whole = self.next32()
                pieces.extend(whole >> i & (1 << width) - 1 for i in range(0, 32, width))
                if BUG == "piecehigh":
                    pieces.reverse()
                if BUG == "onepiece":
                    del pieces[1:]
            return pieces.pop(0)

        def bounded():
            if most >= 2**width - 1:
                return word()
            while BUG == "masked":
                at = word() & (1 << most.bit_length()) - 1
                if at <= most:
                    return at
            if BUG == "modulo":
                return word() % (most + 1)
            while True:
                product, bound = word() * (most + 1), 2**width % (most + 1)
                rest = product % 2**width
                if BUG == "lemirebias" or (rest > bound if BUG == "strict" else rest >= bound):
                    return product >> width

        return [low + bounded() if most else low for _ in range(count)]

    def permutation(self, count):
        numbers = list(range(count))
        if BUG == "forward":
            for i in range(count - 1):
                at = i + self.integers(0, count - i, 1, 64)[0]
                numbers[i], numbers[at] = numbers[at], numbers[i]
            return numbers
        if BUG == "permlemire":
            for i in range(count - 1, 0, -1):
                at = self.integers(0, i + 1, 1, 64)[0]
                numbers[i], numbers[at] = numbers[at], numbers[i]
            return numbers
        for i in range(count - 1, -1 if BUG == "extra" else 0, -1):
            mask = (1 << i.bit_length()) - 1
            while True:
                word = self.next32()
                at = (word >> 32 - i.bit_length() if BUG == "topmask" else word) & mask
                if at <= i:
                    break
            if BUG == "never-itself" and at == i:
                at = max(i - 1, 0)
            numbers[i], numbers[at] = numbers[at], numbers[i]
        return numbers


def run(request):
    kind = request.one_of("bit_generator", "PCG64", "PCG64DXSM", "Philox", "SFC64", "MT19937")
    seed = request.number("seed")
    if seed < 0:
        raise Rejected("attribute", f"the seed {seed} is negative")
    generator = Generator(kind, seed)
    if request.op == "numpy.permutation":
        n = request.number("n")
        if n < -(2**63):
            raise Rejected("attribute", f"{n} numbers")
        kept, sizes, dtype = max(n, 0), [max(n, 0)], "i64"
        draw = lambda: generator.permutation(kept)
    else:
        sizes = request.attrs["output_sizes"]
        kept = math.prod(sizes)
        floats = request.op == "numpy.random"
        names = ("f32", "f64") if floats else [letter + bits for letter in "iu" for bits in ("8", "16", "32", "64")]
        dtype = request.one_of("output_type", *names)
        bits = int(dtype[1:])
        if math.prod(size for size in sizes if size) * bits // 8 >= 2**63:
            raise Rejected("shape", f"{sizes}")
        if floats:
            draw = lambda: [generator.single() if dtype == "f32" else generator.double() for _ in range(kept)]
        else:
            least = -(2 ** (bits - 1)) if dtype[0] == "i" else 0
            low, high = request.number("low"), request.number("high")
            if kept and not least <= low < high <= least + 2**bits:
                raise Rejected("range", f"{low} to {high}")
            draw = lambda: generator.integers(low, high, kept, bits) if kept else []
    if kept > MOST:
        raise Unsupported("an output of this size")
    for _ in range(request.execution + 1):
        drawn = draw()
    if dtype[0] == "f":
        return {"output": Tensor(dtype, sizes, struct.pack(f"<{kept}{'f' if dtype == 'f32' else 'd'}", *drawn))}
    size = int(dtype[1:]) // 8
    # A mistake may draw what the type does not have.
    return {"output": Tensor(dtype, sizes, b"".join((x % 256**size).to_bytes(size, "little") for x in drawn))}


ops = [{"op": f"numpy.{name}", "features": ["execution"]} for name in ("random", "integers", "permutation")]
serve({"name": "numpy-kernels", "version": "1"}, ops, run)
