"""Mistakes that porting an op makes, each a small change to own.py: `BUG=slices5`. `ported.json` says what each is.

They were written by someone who did not know what the diagnosis can name. Without BUG the adapter is own.py, which is right.
"""

import numpy as np

import own
from own import BUG, LOW, Rejected, Tensor, u32, u64, wide
from patched import around, changed_output_state, changed_state, changes, main, philox_with, put, reordered, words_of


# --- Philox -----------------------------------------------------------------------------------------------------------


def philox_at(key, lo, hi, every=1):
    """Blocks at counters of two halves; the key is raised after each `every` rounds."""
    c = [lo & LOW, lo >> u64(32), hi & LOW, hi >> u64(32)]
    k = [key & 0xFFFFFFFF, key >> 32]
    for r in range(10):
        p0, p1 = c[0] * u64(0xD2511F53), c[2] * u64(0xCD9E8D57)
        c = [(p1 >> u64(32)) ^ c[1] ^ u64(k[0]), p1 & LOW, (p0 >> u64(32)) ^ c[3] ^ u64(k[1]), p0 & LOW]
        if r % every == every - 1:
            k = [(k[0] + 0x9E3779B9) & 0xFFFFFFFF, (k[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return np.stack(c, 1).astype(u32)


@changes("doubleproduct")
def _():  # a language whose numbers are all f64: the product of 32 by 32 bits has 53 bits, the halves are taken from that
    def product(a, b):
        return np.asarray(a, np.float64) * np.asarray(b, np.float64)

    def high(a, b):
        return np.floor(product(a, b) / 2.0**32).astype(u64)

    def low(a, b):
        return np.fmod(product(a, b), 2.0**32).astype(u64)

    return "philox", philox_with(high, low)


@changes("raised2")
def _():  # the loop is unrolled by two, and the key is raised once in it
    right = own.philox

    def wrong(key, counter, blocks):
        first = u64(counter & (2**64 - 1))
        lo = first + np.arange(blocks, dtype=u64)
        hi = np.full(blocks, counter >> 64, u64) + (lo < first).astype(u64)
        return philox_at(key, lo, hi, 2) if blocks else right(key, counter, 0)

    return "philox", wrong


# --- Threefry ---------------------------------------------------------------------------------------------------------


def threefry_with(rounds=20, number=1, right=lambda x, n: x >> u32(n)):
    """Threefry with other rounds; the number of an injection goes to word `number`, and `right` is the shift of a rotation."""

    def wrong(key, counters):
        k = [u32(key & 0xFFFFFFFF), u32(key >> 32)]
        k.append(k[0] ^ k[1] ^ u32(0x1BD11BDA))
        x = [(counters & LOW).astype(u32) + k[0], (counters >> u64(32)).astype(u32) + k[1]]
        for r in range(rounds):
            n = (13, 15, 26, 6, 17, 29, 16, 24)[r % 8]
            x[0] = x[0] + x[1]
            x[1] = ((x[1] << u32(n)) | right(x[1], 32 - n)) ^ x[0]
            if r % 4 == 3:
                j = r // 4 + 1
                x = [x[0] + k[j % 3], x[1] + k[(j + 1) % 3]]
                x[number] = x[number] + u32(j)
        return np.stack(x, 1)

    return "threefry", wrong


@changes("thirteen")
def _():  # 13 rounds, as of the fast variant
    return threefry_with(rounds=13)


@changes("injectx0")
def _():  # the number of an injection is added to the first word, not to the second
    return threefry_with(number=0)


@changes("rotlsigned")
def _():  # a rotation of a signed number: the right shift draws the sign in
    return threefry_with(right=lambda x, n: (x.view(np.int32) >> np.int32(n)).view(u32))


# --- MT19937 ----------------------------------------------------------------------------------------------------------


def arithmetic(x, n):
    return (x.view(np.int32) >> np.int32(n)).view(u32)


def twister_with(init=lambda s: s >> 30, shift=lambda x, n: x >> u32(n), parts=((0, 227), (227, 454), (454, 623), (623, 624))):
    """MT19937 with another shift at the start, other right shifts in the tempering, or a twist in other parts."""

    def wrong(seed, count):
        key = np.empty(624, u32)
        s = seed & 0xFFFFFFFF
        for i in range(624):
            key[i] = s
            s = (1812433253 * (s ^ (init(s) & 0xFFFFFFFF)) + i + 1) & 0xFFFFFFFF
        out = []
        for _ in range(-(-count // 624)):
            for a, b in parts:
                following = np.take(key, np.arange(a + 1, b + 1) % 624)
                y = (key[a:b] & u32(0x80000000)) | (following & u32(0x7FFFFFFF))
                key[a:b] = np.take(key, (np.arange(a, b) + 397) % 624) ^ (y >> u32(1)) ^ ((following & u32(1)) * u32(0x9908B0DF))
            out.append(key.copy())
        y = np.concatenate(out)[:count] if out else np.empty(0, u32)
        y = y ^ shift(y, 11)
        y = y ^ ((y << u32(7)) & u32(0x9D2C5680))
        y = y ^ ((y << u32(15)) & u32(0xEFC60000))
        return y ^ shift(y, 18)

    return "twister", wrong


@changes("mtsignedinit")
def _():  # no unsigned numbers: s >> 30 in the initialisation draws the sign in
    return twister_with(init=lambda s: (s - (s >> 31 << 32)) >> 30)


@changes("temperarith")
def _():  # no unsigned numbers: the right shifts of the tempering draw the sign in
    return twister_with(shift=arithmetic)


@changes("mtparallel")
def _():  # 624 threads twist at once, with no barrier: each reads the state as it was before
    return twister_with(parts=((0, 624),))


@changes("twister64")
def _():  # the twister of 64 bits, of which each number gives its low half
    def wrong(seed, count):
        key = np.empty(312, u64)
        s = seed & 0xFFFFFFFF
        for i in range(312):
            key[i] = s
            s = (6364136223846793005 * (s ^ (s >> 62)) + i + 1) & (2**64 - 1)
        out = []
        for _ in range(-(-count // 312)):
            for a, b in ((0, 156), (156, 311), (311, 312)):
                following = np.take(key, np.arange(a + 1, b + 1) % 312)
                y = (key[a:b] & u64(0xFFFFFFFF80000000)) | (following & u64(0x7FFFFFFF))
                odd = (following & u64(1)) * u64(0xB5026F5AA96619E9)
                key[a:b] = np.take(key, (np.arange(a, b) + 156) % 312) ^ (y >> u64(1)) ^ odd
            out.append(key.copy())
        y = np.concatenate(out)[:count] if out else np.empty(0, u64)
        y = y ^ ((y >> u64(29)) & u64(0x5555555555555555))
        y = y ^ ((y << u64(17)) & u64(0x71D67FFFEDA60000))
        y = y ^ ((y << u64(37)) & u64(0xFFF7EEE000000000))
        return (y ^ (y >> u64(43))).astype(u32)

    return "twister", wrong


@changes("longhash")
def _():  # the seed of 64 bits becomes one of 32 by the xor of its halves
    right = own.twister
    return "twister", lambda seed, count: right((seed ^ seed >> 32) & 0xFFFFFFFF, count)


# --- seeds ------------------------------------------------------------------------------------------------------------


def other_seeds(change):
    """RandomUniform-8 with other seeds, but for the pair of zeros, which asks for a random one."""

    def before(request):
        seeds = int(request.attrs["global_seed"]), int(request.attrs["op_seed"])
        if seeds != (0, 0):
            seeds = change(*seeds)
            request.attrs["global_seed"], request.attrs["op_seed"] = (str(seed) for seed in seeds)

    return around("openvino.RandomUniform-8", before)


@changes("saturated31")
def _():  # a conversion to i32 that saturates: greater seeds are 2^31 - 1
    return other_seeds(lambda g, o: (min(g, 2**31 - 1), min(o, 2**31 - 1)))


@changes("hashcombine")
def _():  # one key is hashed from both seeds, and the counter begins at zero
    return other_seeds(lambda g, o: ((g ^ (o + 0x9E3779B9 + (g << 6) + (g >> 2))) % 2**64, 0))


# --- streams and stores -----------------------------------------------------------------------------------------------


@changes("slices5")
def _():  # five slices take the blocks in turns, and each stores its own one behind the other
    right = own.stream

    def wrong(key, counter, count):
        blocks = right(key, counter, -(-count // 4) * 4).reshape(-1, 4)
        return np.concatenate([blocks[c::5] for c in range(5)]).reshape(-1)[:count]

    return "stream", wrong


@changes("overlap6")
def _():  # eight blocks a turn of the loop, and the counter goes on by six
    right = own.stream

    def wrong(key, counter, count):
        b = np.arange(-(-count // 4))
        return right(key, counter, len(b) * 4).reshape(-1, 4)[b // 8 * 6 + b % 8].reshape(-1)[:count]

    return "stream", wrong


@changes("uzp")
def _():  # two registers of four words are unzipped on their way to memory: 0 2 4 6 1 3 5 7
    return reordered(8, np.array([0, 2, 4, 6, 1, 3, 5, 7]))


@changes("channels3")
def _():  # axis 1 is drawn in packs of three channels, side by side as the pixels of an image; the last pack is filled up
    right, made = own.stream, own.random_uniform

    def op(request):
        shape = own.extents(request)
        if len(shape) < 2 or not min(shape):
            own.stream = right
            return made(request)
        channels, inner = shape[1], int(np.prod(shape[2:], dtype=np.int64))
        packs = -(-channels // 3)
        n, c, s = np.unravel_index(np.arange(shape[0] * channels * inner), (shape[0], channels, inner))
        at = ((n * packs + c // 3) * inner + s) * 3 + c % 3

        def packed(key, counter, count):
            per = count // len(at)
            words = right(key, counter, shape[0] * packs * inner * 3 * per)
            return words.reshape(-1, per)[at].reshape(-1)

        own.stream = packed
        return made(request)

    own.OPS["openvino.RandomUniform-8"] = op
    return "OPS", own.OPS


@changes("burst64")
def _():  # two cores, half the output each; the address of the second is rounded down to 64 bytes
    right = own.stored

    def wrong(values, shape):
        values = right(values, shape)
        size, first = values.itemsize, -(-len(values) // 2)
        at = first * size // 64 * 64 // size
        out = np.zeros_like(values)
        out[:first] = values[:first]
        out[at : at + len(values) - first] = values[first:]
        return out

    return "stored", wrong


@changes("vec3")
def _():  # vectors of three words have a stride of four: each fourth element is not stored
    right = own.stored

    def wrong(values, shape):
        values = right(values, shape).copy()
        values[3::4] = 0
        return values

    return "stored", wrong


# --- conversions ------------------------------------------------------------------------------------------------------


@changes("tf32")
def _():  # the operands of the product have the 10 digits of TF32
    right = own.scaled_right

    def short(x):
        bits = np.asarray(x, np.float32).view(u32)
        near = ((bits + u32(0xFFF) + ((bits >> u32(13)) & u32(1))) & u32(0xFFFFE000)).view(np.float32)
        return np.where(np.isfinite(x), near, x)

    def wrong(u, lo, hi, dtype, rounded):
        if dtype != "f32":
            return right(u, lo, hi, dtype, rounded)
        return (short(u) * short(np.float32(hi) - np.float32(lo)) + np.float32(lo)).astype(np.float32)

    return "scaled_right", wrong


@changes("low24")
def _():  # f32 takes the 24 low bits over 2^24, as PyTorch does
    right = own.mantissa
    return "mantissa", lambda words, dtype: own.fraction(words, "f32") if dtype == "f32" else right(words, dtype)


@changes("twohalves")
def _():  # a word gives two f16 numbers, from its low half and from its high half
    right = own.mantissa

    def wrong(words, dtype):
        if dtype == "f16":
            words = np.stack([words & u32(0xFFFF), words >> u32(16)], 1).reshape(-1)[: len(words)]
        return right(words, dtype)

    return "mantissa", wrong


@changes("bf16away")
def _():  # rounding to bf16 adds a half and cuts: ties go away from zero, not to even
    def wrong(x):
        bits = np.asarray(x, np.float32).view(u32)
        return np.where(np.isnan(x), u32(0x7FC0), (bits + u32(0x8000)) >> u32(16)).astype(np.uint16)

    return "bf16", wrong


@changes("javalong")
def _():  # the second word of an f64 is added to the first as a signed int
    right = own.mantissa

    def wrong(words, dtype):
        if dtype != "f64":
            return right(words, dtype)
        x0, x1 = words[0::2].astype(u64), words[1::2].copy().view(np.int32).astype(np.int64).view(u64)
        bits = u64(1023 << 52) + ((x0 & u64(0xFFFFF)) << u64(32)) + x1
        return bits.view(np.float64) - 1.0

    return "mantissa", wrong


@changes("stepsrounded")
def _():  # PyTorch's halves are rounded after the product too
    right = own.scaled_right
    return "scaled_right", lambda u, lo, hi, dtype, rounded: right(u, lo, hi, dtype, True)


@changes("res53")
def _():  # PyTorch's f64 is Python's: 27 high bits of the first word and 26 of the second
    right = own.fraction

    def wrong(words, dtype):
        if dtype != "f64":
            return right(words, dtype)
        return ((words[0::2] >> u32(5)) * 67108864.0 + (words[1::2] >> u32(6))) / 2.0**53

    return "fraction", wrong


@changes("inclusive24")
def _():  # the digits are divided by the greatest number that they make, not by the power of two
    right = own.fraction

    def wrong(words, dtype):
        if dtype == "f64":
            return right(words, dtype)
        greatest = 2 ** {"f16": 11, "bf16": 8, "f32": 24}[dtype] - 1
        return (words & u32(greatest)).astype(np.float32) / np.float32(greatest)

    return "fraction", wrong


def integers_of(kinds, function):
    """Other integers below a range, of these types: from numbers of 32 or 64 bits and the range."""
    right = own.integers

    def wrong(words, lo, hi, dtype, low_first=True):
        if dtype not in kinds:
            return right(words, lo, hi, dtype, low_first)
        x, bits = words.astype(u64), 8 * own.SIZES[dtype].itemsize
        if bits == 64:
            x = x[0::2] | x[1::2] << u64(32) if low_first else x[0::2] << u64(32) | x[1::2]
        return (function(x, (hi - lo) % 2**bits) + u64(lo % 2**64)).astype(own.SIZES["u" + dtype[1:]])

    return "integers", wrong


@changes("recipmod")
def _():  # no division of integers: the quotient is a product with the reciprocal in f32, put right by one step at most
    def wrong(x, span):
        quotient = (x.astype(np.float32) * (np.float32(1) / np.float32(span))).astype(np.int64)
        rest = x.astype(np.int64) - quotient * span
        rest = np.where(rest < 0, rest + span, rest)
        return np.where(rest >= span, rest - span, rest).view(u64)

    return integers_of(("i32",), wrong)


@changes("i64double")
def _():  # a word of 64 bits is an f64 when the remainder is taken
    return integers_of(("i64",), lambda x, span: np.fmod(x.astype(np.float64), np.float64(span)).astype(u64))


@changes("floormod")
def _():  # the word is signed, and the remainder that of a floored division
    def wrong(bits):
        def of(x, span):
            signed = [value - (value >> (bits - 1) << bits) for value in x.tolist()]
            return np.array([value % span for value in signed], u64)

        return of

    narrow = integers_of(("i32",), wrong(32))
    setattr(own, *narrow)
    return integers_of(("i64",), wrong(64))


@changes("mulshift64")
def _():  # 64 bits are reduced by the high half of a product of 128 bits, not by a remainder
    return integers_of(("i64", "u64"), lambda x, span: np.array([value * span >> 64 for value in x.tolist()], u64))


# --- RandomGenerator --------------------------------------------------------------------------------------------------


def raised(state, by):
    """A state of DirectML with its counter raised."""
    counter = (sum(int(w) << 32 * i for i, w in enumerate(state[:4])) + by) % 2**128
    return np.array([counter >> 32 * i & 0xFFFFFFFF for i in range(4)] + list(state[4:]), u32)


def stepped(step):
    """DirectML with another step of the counter, of the number of blocks."""

    def after(out, request):
        blocks = -(-int(np.prod(request.attrs["output_sizes"], dtype=np.int64)) // 4)
        return changed_output_state(lambda new, old: raised(old, step(blocks)))(out, request)

    return around("directml.RandomGenerator", after=after)


@changes("skips256")
def _():  # the state goes on by 256 for each block
    return stepped(lambda blocks: 256 * blocks)


@changes("reserved12")
def _():  # work-groups of 12 lanes: the state goes on by whole groups
    return stepped(lambda blocks: -(-blocks // 12) * 12)


@changes("aliased")
def _():  # the state is raised in place before the words are drawn, where it is asked for
    right = own.OPS["directml.RandomGenerator"]

    def wrong(request):
        out = right(request)
        if request.attrs["output_state"]:
            put(request, "input_state", words_of(out["output_state"], u32))
            out["output"] = right(request)["output"]
        return out

    own.OPS["directml.RandomGenerator"] = wrong
    return "OPS", own.OPS


@changes("counterbig")
def _():  # the counter's most significant word comes first, in the state that is read and in the one that is written
    turned = lambda state: np.concatenate([state[3::-1], state[4:]])
    right = own.OPS["directml.RandomGenerator"]

    def wrong(request):
        right(request)  # what it refuses is refused here
        changed_state(turned)(request)
        return changed_output_state(lambda new, old: turned(new))(right(request), request)

    own.OPS["directml.RandomGenerator"] = wrong
    return "OPS", own.OPS


# --- rng_bit_generator ------------------------------------------------------------------------------------------------


def bits_with(before, after=lambda out, request: out):
    """The op of StableHLO with another request, where the right one is not refused."""
    right = own.OPS["stablehlo.rng_bit_generator"]

    def wrong(request):
        right(request)
        before(request)
        return after(right(request), request)

    own.OPS["stablehlo.rng_bit_generator"] = wrong
    return "OPS", own.OPS


@changes("defaultfry")
def _():  # DEFAULT is THREE_FRY, where the state has two words
    def before(request):
        if request.attrs["rng_algorithm"] == "DEFAULT" and request.inputs["initial_state"].shape == [2]:
            request.attrs["rng_algorithm"] = "THREE_FRY"

    return bits_with(before)


@changes("highzero")
def _():  # the counter's high half is zero where the state has two words
    def before(request):
        state = request.inputs["initial_state"]
        if request.attrs["rng_algorithm"] != "THREE_FRY" and state.shape == [2]:
            request.inputs["initial_state"] = Tensor("u64", [3], state.data + bytes(8))
            request.two_words = True

    def after(out, request):
        if hasattr(request, "two_words"):
            out["output_state"] = Tensor("u64", [2], out["output_state"].data[:16])
        return out

    return bits_with(before, after)


@changes("bytespacked")
def _():  # Philox: a word gives four elements of one byte, or two of two bytes
    def after(out, request):
        output, state = out["output"], words_of(request.inputs["initial_state"], u64)
        kind = own.SIZES[output.dtype]
        size = np.dtype(kind).itemsize
        if request.attrs["rng_algorithm"] == "THREE_FRY" or size > 2:
            return out
        count = -(-len(output.data) // 4)
        counter = int(state[1]) | int(state[-1] if len(state) == 3 else state[0]) << 64
        packed = own.stream(int(state[0]), counter, count).tobytes()[: len(output.data)]
        out["output"] = Tensor(output.dtype, output.shape, packed)
        end = (counter + -(-count // 4)) % 2**128
        made = [int(state[0]), end % 2**64, end >> 64][: len(state)]
        out["output_state"] = Tensor("u64", [len(state)], np.array(made, u64).tobytes())
        return out

    return around("stablehlo.rng_bit_generator", after=after)


# --- TensorFlow -------------------------------------------------------------------------------------------------------


@changes("scrambleorder")
def _():  # the words of the constant key of the scrambling are exchanged
    right = own.philox
    swap = lambda key: 0x3EC8F72002461E29 if key == 0x02461E293EC8F720 else key
    return "philox", lambda key, counter, blocks: right(swap(key), counter, blocks)


@changes("seedabs")
def _():  # a negative number of the seed is taken without its sign
    def before(request):
        tensor = request.inputs["seed"]
        if tensor.dtype in ("i32", "i64"):
            put(request, "seed", np.abs(words_of(tensor, own.SIZES[tensor.dtype])))

    return around("tensorflow.StatelessRandomGetKeyCounter", before)


@changes("orsigned")
def _():  # 64 bits are the high word, shifted, or the low word as a signed int: its sign covers the high word
    def after(out, request):
        tensor = out["output"]
        if tensor.dtype[1:] == "64":
            words = words_of(tensor, u32).reshape(-1, 2)
            words[:, 1] |= arithmetic(words[:, 0].copy(), 31)
            out["output"] = Tensor(tensor.dtype, tensor.shape, words.tobytes())
        return out

    return around("tensorflow.StatelessRandomUniformFullIntV2", after=after)


@changes("counterexchanged")
def _():  # the counter is taken for its high half and its low half
    def before(request):
        tensor = request.inputs["counter"]
        if tensor.dtype == "u64" and len(tensor.shape) == 1 and tensor.shape[0] > 1:
            halves = words_of(tensor, u64)
            halves[:2] = halves[1::-1]
            put(request, "counter", halves)

    return around("tensorflow.StatelessRandomUniformV2", before)


# --- PyTorch's keys ---------------------------------------------------------------------------------------------------


@changes("offsetor")
def _():  # the number of a block is or-ed into the key's offset, not added to it
    def wrong(seed, offset, count):
        lo = u64(offset) | np.arange(-(-count // 4), dtype=u64)
        return philox_at(seed, lo, np.zeros_like(lo)).reshape(-1)[:count]

    return "stream_64", wrong


@changes("subsequences")
def _():  # a thread an element: its number is the counter's high half, and it takes the first words of its block
    right = own.keyed_words

    def wrong(request, shape, per):
        def first(seed, offset, count):
            i = np.arange(count // per, dtype=u64)
            return philox_at(seed, np.full_like(i, offset), i)[:, :per].reshape(-1)

        own.stream_64 = first
        return right(request, shape, per)

    return "keyed_words", wrong


@changes("cutfirst")
def _():  # the word is cut to the width of the type before the remainder is taken
    right = own.keyed_words

    def wrong(request, shape, per):
        bits = 8 * np.dtype(own.SIZES[request.attrs["output_type"]]).itemsize
        return right(request, shape, per) & u32(min(2**bits - 1, 0xFFFFFFFF))

    return "keyed_words", wrong


@changes("splitflat")
def _():  # the splits of all keys of a batch are numbered through
    def wrong(request):
        pairs, shape = own.keys(request)
        splits = request.number("num_splits")
        if not 1 <= splits < 2**63:
            raise Rejected("attribute", "num_splits")
        out = [own.fold(s, o, i * len(pairs) + b) for i in range(splits) for b, (s, o) in enumerate(pairs)]
        return own.answer(np.array(out, u64).reshape(-1), "u64", [splits] + shape)

    own.OPS["torch.philox_key_split"] = wrong
    return "OPS", own.OPS


@changes("offsetzero")
def _():  # a new key has the offset zero
    right = own.fold
    return "fold", lambda seed, offset, data: [right(seed, offset, data)[0], 0]


# --- Multinomial-13 ---------------------------------------------------------------------------------------------------


def sampled(choose):
    """Multinomial-13 with another choice of a row's classes, from its weights, its draws and all the weights."""
    right = own.OPS["openvino.Multinomial-13"]

    def wrong(request):
        out = right(request)  # what it refuses is refused here
        seeds = int(request.attrs["global_seed"]), int(request.attrs["op_seed"])
        given = request.inputs.get("draws")
        rows, samples = out["output"].shape
        if not rows * samples or (seeds == (0, 0) and not given):
            return out
        probs = request.inputs["probs"]
        weights = wide(own.array(probs)) if probs.dtype == "bf16" else own.array(probs)
        weights = weights.astype(np.float64).reshape(rows, -1)
        weights = np.exp(weights) if request.attrs["log_probs"] else weights
        u = own.array(given) if given else own.mantissa(own.stream(seeds[0], seeds[1] << 64, 2 * rows * samples), "f64")
        u = u.reshape(rows, samples)
        made = np.array([choose(weights, row, u[row], request.attrs["with_replacement"]) for row in range(rows)])
        kind = request.attrs["convert_type"]
        return own.answer(made.reshape(-1).astype(own.SIZES[kind]), kind, [rows, samples])

    own.OPS["openvino.Multinomial-13"] = wrong
    return "OPS", own.OPS


def drawn(weights, u, replace, sums=np.cumsum):
    """The classes of one row, as own.py draws them."""
    c, free, picked = sums(weights), weights > 0, []
    c = c / c[-1]
    for at in u:
        allowed = np.flatnonzero(free)
        hit = allowed[c[allowed] >= at]
        k = hit[0] if len(hit) else allowed[-1] if len(allowed) else 0
        picked.append(k)
        if not replace:
            c[k:] = c[k:] - (c[k] - (c[k - 1] if k else 0))
            c = c / c[-1]
            free[k] = False
    return picked


@changes("unchained")
def _():  # vectors of four are summed up, and the sum of those before is not added
    def sums(weights):
        padded = np.concatenate([weights, np.zeros(-len(weights) % 4)])
        return np.cumsum(padded.reshape(-1, 4), 1).reshape(-1)[: len(weights)]

    return sampled(lambda weights, row, u, replace: drawn(weights[row], u, replace, sums))


@changes("swapremove")
def _():  # without replacement the last class takes the place of the one that was drawn
    def choose(weights, row, u, replace):
        if replace:
            return drawn(weights[row], u, True)
        left, names, picked = list(weights[row]), list(range(len(weights[row]))), []
        for at in u:
            c = np.cumsum(left)
            allowed = np.flatnonzero(np.array(left) > 0)
            hit = allowed[c[allowed] / c[-1] >= at]
            k = hit[0] if len(hit) else allowed[-1]
            picked.append(names[k])
            left[k], names[k] = left[-1], names[-1]
            left.pop()
            names.pop()
        return picked

    return sampled(choose)


@changes("samplestride")
def _():  # a row of the weights begins at row * num_samples; what would be past the end is the last weight
    def choose(weights, row, u, replace):
        flat, classes = weights.reshape(-1), weights.shape[1]
        return drawn(flat[np.minimum(row * len(u) + np.arange(classes), len(flat) - 1)], u, replace)

    return sampled(choose)


@changes("logclamped")
def _():  # logarithms above zero are taken for zero
    right = own.OPS["openvino.Multinomial-13"]

    def wrong(request):
        out = right(request)
        if not request.attrs["log_probs"]:
            return out
        probs = request.inputs["probs"]
        values = words_of(probs, own.SIZES[probs.dtype])
        values[(wide(values) if probs.dtype == "bf16" else values) > 0] = 0
        put(request, "probs", values)
        return right(request)

    own.OPS["openvino.Multinomial-13"] = wrong
    return "OPS", own.OPS


if __name__ == "__main__":
    main("ported")
