"""More mistakes in the ops of own.py, each a small change to it: `BUG=mulhisigned`. `patched.json` says what each is.

They were written before the diagnosis had seen any of them. Without BUG the adapter is own.py, which is right.
"""

import numpy as np

import own
from own import BUG, LOW, Tensor, bf16, serve, u32, u64, wide


def changes(name):
    """Replaces a function of own.py by one made of it, where the mistake is asked for."""

    def replace(make):
        if name in BUG:
            function, wrong = make()
            setattr(own, function, wrong)

    return replace


# --- generators -------------------------------------------------------------------------------------------------------


def philox_with(high, low=lambda a, b: a * b & LOW, weyl=(0x9E3779B9, 0xBB67AE85), order=(0, 1, 2, 3)):
    """Philox with another product or another key schedule."""

    def blocks_of(key, counter, blocks):
        i = np.arange(blocks, dtype=u64)
        first = u64(counter & (2**64 - 1))
        lo = first + i
        hi = np.full(blocks, counter >> 64, u64) + (lo < first).astype(u64)
        c = [lo & LOW, lo >> u64(32), hi & LOW, hi >> u64(32)]
        k = [key & 0xFFFFFFFF, key >> 32]
        for _ in range(10):
            a, b = u64(0xD2511F53), u64(0xCD9E8D57)
            c = [high(b, c[2]) ^ c[1] ^ u64(k[0]), low(b, c[2]), high(a, c[0]) ^ c[3] ^ u64(k[1]), low(a, c[0])]
            k = [(k[j] + weyl[j]) & 0xFFFFFFFF for j in (0, 1)]
        return np.stack([c[j] for j in order], 1).astype(u32)

    return blocks_of


def high(a, b):
    return a * b >> u64(32)


@changes("mulhisigned")
def _():  # a language without unsigned numbers: the high half of a signed product
    def signed(a, b):
        a, b = (np.asarray(x, u64).astype(u32).view(np.int32).astype(np.int64) for x in (a, b))
        return (a * b >> np.int64(32)).view(u64) & LOW

    return "philox", philox_with(signed)


@changes("nocarry")
def _():  # the high half out of four products of 16 bits; the carry of the middle ones is lost
    def halves(a, b):
        m, s = u64(0xFFFF), u64(16)
        return (a >> s) * (b >> s) + ((a >> s) * (b & m) >> s) + ((a & m) * (b >> s) >> s) & LOW

    return "philox", philox_with(halves)


@changes("keyfixed")
def _():  # only the first word of the key is raised between rounds
    return "philox", philox_with(high, weyl=(0x9E3779B9, 0))


@changes("weylswapped")
def _():  # the increments of the two words of the key are exchanged
    return "philox", philox_with(high, weyl=(0xBB67AE85, 0x9E3779B9))


@changes("notempering")
def _():  # the last line of the tempering is missing
    right = own.twister

    def wrong(seed, count):
        y = right(seed, count)
        low = y >> u32(18)
        return y ^ low ^ (low >> u32(18))

    return "twister", wrong


@changes("stale624")
def _():  # the state is not twisted a second time: the words come again
    right = own.twister
    return "twister", lambda seed, count: np.resize(right(seed, 624), count) if count else right(seed, 0)


@changes("byarray")
def _():  # the state is made by init_by_array of one word
    def wrong(seed, count):
        import random

        state = [19650218]
        for i in range(1, 624):
            state.append((1812433253 * (state[-1] ^ state[-1] >> 30) + i) & 0xFFFFFFFF)
        i = 1
        for _ in range(624):
            state[i] = ((state[i] ^ (state[i - 1] ^ state[i - 1] >> 30) * 1664525) + (seed & 0xFFFFFFFF)) & 0xFFFFFFFF
            i += 1
            if i == 624:
                state[0], i = state[623], 1
        for _ in range(623):
            state[i] = ((state[i] ^ (state[i - 1] ^ state[i - 1] >> 30) * 1566083941) - i) & 0xFFFFFFFF
            i += 1
            if i == 624:
                state[0], i = state[623], 1
        state[0] = 0x80000000
        source = random.Random()
        source.setstate((3, tuple(state) + (624,), None))
        return np.array([source.getrandbits(32) for _ in range(count)], u32)

    return "twister", wrong


@changes("twicedrawn")
def _():  # a word is drawn for the test of the seed and thrown away before each number
    right = own.twister
    return "twister", lambda seed, count: right(seed, 2 * count)[1::2]


@changes("parity")
def _():  # the parity constant of Threefry has a wrong last digit
    def wrong(key, counters):
        k = [u32(key & 0xFFFFFFFF), u32(key >> 32)]
        k.append(k[0] ^ k[1] ^ u32(0x1BD11BD0))
        x = [(counters & LOW).astype(u32) + k[0], (counters >> u64(32)).astype(u32) + k[1]]
        for j in range(5):
            for n in [(13, 15, 26, 6), (17, 29, 16, 24)][j % 2]:
                x[0] = x[0] + x[1]
                x[1] = own.rotl(x[1], n) ^ x[0]
            x = [x[0] + k[(j + 1) % 3], x[1] + k[(j + 2) % 3] + u32(j + 1)]
        return np.stack(x, 1)

    return "threefry", wrong


@changes("counterhalves")
def _():  # the halves of Threefry's counter are exchanged
    right = own.threefry
    return "threefry", lambda key, counters: right(key, counters >> u64(32) | (counters & LOW) << u64(32))


# --- streams ----------------------------------------------------------------------------------------------------------


def reordered(group, order):
    """Each whole group of the stream in another order; the rest as it is."""
    right = own.stream

    def wrong(key, counter, count):
        words = right(key, counter, count)
        body = count // group * group
        words[:body] = words[:body].reshape(-1, group)[:, order].reshape(-1)
        return words

    return "stream", wrong


@changes("packs")
def _():  # _mm256_packus_epi32 without the permutation behind it: quarters of 16 elements, 0 2 1 3
    return reordered(16, np.arange(16).reshape(4, 4)[[0, 2, 1, 3]].reshape(-1))


@changes("unpacks")
def _():  # _mm256_unpacklo_epi64 and unpackhi, stored one behind the other: pairs of 8 elements, 0 2 1 3
    return reordered(8, np.arange(8).reshape(4, 2)[[0, 2, 1, 3]].reshape(-1))


@changes("subgroup")
def _():  # 32 lanes draw a block each, and store word j at 32 j + lane; what falls behind the end is not stored
    right = own.stream

    def wrong(key, counter, count):
        whole = -(-count // 128) * 128
        return right(key, counter, whole).reshape(-1, 32, 4).transpose(0, 2, 1).reshape(-1)[:count]

    return "stream", wrong


@changes("prologue")
def _():  # n mod 4 elements are drawn first, from block 0; the whole blocks follow from block 1
    right = own.stream

    def wrong(key, counter, count):
        rest = count % 4
        if not rest:
            return right(key, counter, count)
        words = right(key, counter, count - rest + 4)
        return np.concatenate([words[:rest], words[4:]])

    return "stream", wrong


@changes("unaligned")
def _():  # the last vector of 8 is stored at n - 8, with the words of the block in which it begins, from its first
    right = own.stream

    def wrong(key, counter, count):
        words = right(key, counter, count)
        if count > 8 and count % 8:
            words[count - 8 :] = right(key, counter, count + 8)[(count - 8) // 4 * 4 :][:8]
        return words

    return "stream", wrong


@changes("pingpong")
def _():  # of two buffers of 512 words only the first is filled: every second tile repeats the one before it
    right = own.stream

    def wrong(key, counter, count):
        words = right(key, counter, count)
        at = np.arange(count)
        return words[np.where(at // 512 % 2 == 1, at - 512, at)]

    return "stream", wrong


@changes("threads4")
def _():  # four threads, each with its own sub-sequence (the high half of the counter), take the elements in turns
    right = own.stream

    def wrong(seed, offset, count):
        each = -(-count // 4)
        before = min(-(-each // 4), 2**64 - offset) * 4
        of = [
            np.concatenate([right(seed, offset | t << 64, min(each, before)), right(seed, t << 64, max(each - before, 0))])
            for t in range(4)
        ]
        return np.stack(of, 1).reshape(-1)[:count]

    return "stream_64", wrong


@changes("even")
def _():  # elements are written two at a time: the last of an odd count is the one before it
    right = own.stored

    def wrong(values, shape):
        values = right(values, shape).copy()
        if len(values) % 2 and len(values) > 1:
            values[-1] = values[-2]
        return values

    return "stored", wrong


@changes("batchsame")
def _():  # every slice along the first axis has the numbers of the first
    right = own.stored

    def wrong(values, shape):
        values = right(values, shape)
        return np.resize(values[: len(values) // shape[0]], len(values)) if len(shape) > 1 and len(values) else values

    return "stored", wrong


@changes("lastfirst")
def _():  # the axes but the first are reversed: NHWC for NCHW at rank 3, by C order
    right = own.stored

    def wrong(values, shape):
        values = right(values, shape)
        if len(shape) < 3 or not len(values):
            return values
        axes = [0] + list(range(len(shape) - 1, 0, -1))
        return values.reshape([shape[a] for a in axes]).transpose(np.argsort(axes)).reshape(-1)

    return "stored", wrong


def by_rows(stream_of):
    """RandomUniform-8 with a stream that knows how long a row of the output is."""
    right, made = own.stream, own.random_uniform

    def op(request):
        shape = own.extents(request)
        row = shape[-1] if shape else 1
        own.stream = lambda key, counter, count: stream_of(right, row, key, counter, count) if count else right(key, counter, 0)
        return made(request)

    own.OPS["openvino.RandomUniform-8"] = op
    return "OPS", own.OPS


@changes("rowpad4")
def _():  # each row begins with a block of its own: a row takes a multiple of four elements of the stream
    def wrong(right, row, key, counter, count):
        pitch = -(-row // 4) * 4
        at = np.arange(count)
        return right(key, counter, count // row * pitch)[at // row * pitch + at % row]

    return by_rows(wrong)


@changes("rowseed")
def _():  # a thread draws a row, with op_seed + row
    def wrong(right, row, key, counter, count):
        return np.concatenate([right(key, (counter + (r << 64)) % 2**128, row) for r in range(count // row)])

    return by_rows(wrong)


# --- conversions ------------------------------------------------------------------------------------------------------


def floats(function):
    """Another unit interval for f32 in TensorFlow's conversion."""
    right = own.mantissa
    return "mantissa", lambda words, dtype: function(words) if dtype == "f32" else right(words, dtype)


@changes("exponent126")
def _():  # the exponent is that of 1/2, and 1/2 is subtracted: half the range
    return floats(lambda w: ((w & u32(0x7FFFFF)) | u32(126 << 23)).view(np.float32) - np.float32(0.5))


@changes("oneleft")
def _():  # 1 is not subtracted
    return floats(lambda w: ((w & u32(0x7FFFFF)) | u32(127 << 23)).view(np.float32))


@changes("signedhalf")
def _():  # a word is a signed number, times 2^-32, plus 1/2
    return floats(lambda w: w.view(np.int32).astype(np.float32) * np.float32(2.0**-32) + np.float32(0.5))


@changes("shift1")
def _():  # the sign bit is cleared by a shift, and the rest divided by 2^31
    return floats(lambda w: (w >> u32(1)).astype(np.float32) * np.float32(2.0**-31))


@changes("open")
def _():  # half a step is added, so that zero is never drawn
    return floats(lambda w: ((w & u32(0x7FFFFF)) | u32(127 << 23)).view(np.float32) - np.float32(1 - 2.0**-24))


@changes("f16wide")
def _():  # f16 numbers are f32 numbers, rounded at the end
    right = own.mantissa
    return "mantissa", lambda w, dtype: right(w, "f32") if dtype == "f16" else right(w, dtype)


@changes("bf16wide")
def _():  # bf16 numbers are f32 numbers, rounded
    right = own.mantissa
    return "mantissa", lambda w, dtype: bf16(right(w, "f32")) if dtype == "bf16" else right(w, dtype)


@changes("f64one")
def _():  # the low word of an f64 is left zero
    right = own.mantissa

    def wrong(words, dtype):
        words = words.copy()
        if dtype == "f64":
            words[1::2] = 0
        return right(words, dtype)

    return "mantissa", wrong


@changes("f64exchanged")
def _():  # the two words of an f64 are exchanged
    right = own.mantissa
    return "mantissa", lambda w, dtype: right(w.reshape(-1, 2)[:, ::-1].reshape(-1), dtype) if dtype == "f64" else right(w, dtype)


@changes("f32of32")
def _():  # PyTorch's f32 is the whole word over 2^32
    right = own.fraction
    return "fraction", lambda w, dtype: (w.astype(np.float64) / 2.0**32).astype(np.float32) if dtype == "f32" else right(w, dtype)


@changes("f64of1")
def _():  # PyTorch's f64 has 32 bits, of its second word
    right = own.fraction
    return "fraction", lambda w, dtype: w[1::2].astype(np.float64) / 2.0**32 if dtype == "f64" else right(w, dtype)


def whole(function):
    """Another way from words to integers of 32 bits."""
    right = own.integers

    def wrong(words, lo, hi, dtype, low_first=True):
        if own.SIZES[dtype].itemsize == 8:
            return right(words, lo, hi, dtype, low_first)
        return (function(words, lo, hi) + np.int64(lo)).astype(np.int64).astype(own.SIZES["u" + dtype[1:]])

    return "integers", wrong


@changes("floored")
def _():  # integers are the floor of a real number in the range
    return whole(lambda w, lo, hi: np.floor(own.mantissa(w, "f32").astype(np.float64) * (hi - lo)).astype(np.int64))


@changes("absolute")
def _():  # the word is a signed number without its sign
    return whole(lambda w, lo, hi: np.abs(w.view(np.int32).astype(np.int64)) % (hi - lo))


@changes("maxrange")
def _():  # the range is maxval, not maxval less minval
    return whole(lambda w, lo, hi: w.astype(np.int64) % (abs(hi) or 1))


@changes("plusone")
def _():  # maxval is drawn too
    return whole(lambda w, lo, hi: w.astype(np.int64) % (hi - lo + 1))


@changes("pow2mask")
def _():  # a range of a power of two takes the top bits, as a scaled number would
    def wrong(w, lo, hi):
        span = hi - lo
        if span & (span - 1):
            return w.astype(np.int64) % span
        return w.astype(np.int64) >> (33 - span.bit_length())

    return whole(wrong)


@changes("i64low")
def _():  # only the low word of an i64 is reduced
    right = own.integers

    def wrong(words, lo, hi, dtype, low_first=True):
        words = words.copy()
        if own.SIZES[dtype].itemsize == 8:
            words[1::2] = 0
        return right(words, lo, hi, dtype, low_first)

    return "integers", wrong


@changes("span32")
def _():  # the range of an i64 is cut to 32 bits
    right = own.integers

    def wrong(words, lo, hi, dtype, low_first=True):
        if own.SIZES[dtype].itemsize == 8:
            hi = lo + ((hi - lo) % 2**32 or 1)
        return right(words, lo, hi, dtype, low_first)

    return "integers", wrong


@changes("spanf32")
def _():  # the difference of two f64 bounds is rounded to f32
    right = own.scaled_right

    def wrong(u, lo, hi, dtype, rounded):
        if dtype != "f64":
            return right(u, lo, hi, dtype, rounded)
        return u * np.float64(np.float32(hi - lo)) + lo

    return "scaled_right", wrong


@changes("addfirst")
def _():  # the scale is (u + lo / (hi - lo)) * (hi - lo)
    right = own.scaled_right

    def wrong(u, lo, hi, dtype, rounded):
        if dtype not in ("f32", "f64"):
            return right(u, lo, hi, dtype, rounded)
        t = own.SIZES[dtype]
        u, lo, hi = u.astype(t), t(lo), t(hi)
        return (u + lo / (hi - lo)) * (hi - lo)

    return "scaled_right", wrong


@changes("cutf16")
def _():  # f16 results are cut, not rounded, where the scale is computed in f32
    right = own.scaled_right

    def wrong(u, lo, hi, dtype, rounded):
        if dtype != "f16":
            return right(u, lo, hi, dtype, rounded)
        exact = u.astype(np.float64) * np.float64(np.float16(np.float32(hi) - np.float32(lo))) + np.float64(lo)
        near = exact.astype(np.float16)
        past = np.abs(near.astype(np.float64)) > np.abs(exact)
        return np.where(past, np.nextafter(near, np.float16(0)), near)

    return "scaled_right", wrong


# --- ops --------------------------------------------------------------------------------------------------------------


def around(op, before=lambda request: None, after=lambda out, request: out):
    """An op with something done to its request or to its answer."""
    right = own.OPS[op]

    def wrong(request):
        before(request)
        return after(right(request), request)

    own.OPS[op] = wrong
    return "OPS", own.OPS


def words_of(tensor, dtype):
    return np.frombuffer(tensor.data, dtype).copy()


def put(request, name, values):
    tensor = request.inputs[name]
    request.inputs[name] = Tensor(tensor.dtype, tensor.shape, values.tobytes())


def changed_state(change):
    def before(request):
        put(request, "input_state", change(words_of(request.inputs["input_state"], u32)))

    return before


@changes("keyfirst")
def _():  # the state is read as two words of key and then four of counter
    return around("directml.RandomGenerator", changed_state(lambda s: np.concatenate([s[2:6], s[0:2]])))


@changes("keyhalf")
def _():  # the second word of the key is not read
    return around("directml.RandomGenerator", changed_state(lambda s: np.concatenate([s[:5], s[5:] * u32(0)])))


def changed_output_state(change):
    def after(out, request):
        if "output_state" in out:
            tensor = out["output_state"]
            kind = u32 if tensor.dtype == "u32" else u64
            name = "input_state" if kind is u32 else "initial_state"
            made = change(words_of(tensor, kind), words_of(request.inputs[name], kind))
            out["output_state"] = Tensor(tensor.dtype, tensor.shape, made.tobytes())
        return out

    return after


@changes("samestate")
def _():  # the state comes back as it was
    return around("directml.RandomGenerator", after=changed_output_state(lambda new, old: old))


@changes("onefurther")
def _():  # the state goes one block too far
    def change(new, old):
        new[0] += u32(1)
        return new

    return around("directml.RandomGenerator", after=changed_output_state(change))


@changes("statereversed")
def _():  # the words of the state come back in reverse order
    return around("stablehlo.rng_bit_generator", after=changed_output_state(lambda new, old: new[::-1].copy()))


@changes("keyscramble")
def _():  # the constant key of TensorFlow's scrambling has a wrong digit
    right = own.philox
    swap = lambda key: 0x02461E293EC8F721 if key == 0x02461E293EC8F720 else key
    return "philox", lambda key, counter, blocks: right(swap(key), counter, blocks)


@changes("seedpacked")
def _():  # the two numbers of the seed are packed into the low 64 bits of the counter, 32 bits each
    right = own.philox

    def wrong(key, counter, blocks):
        if key == 0x02461E293EC8F720:
            counter = counter & 0xFFFFFFFF | (counter >> 64 & 0xFFFFFFFF) << 32
        return right(key, counter, blocks)

    return "philox", wrong


@changes("keycounter")
def _():  # key and counter are exchanged: words 2 and 3 are the key
    right = own.philox
    return "philox", lambda k, c, b: right(k, c, b)[:, [2, 3, 0, 1]] if k == 0x02461E293EC8F720 else right(k, c, b)


@changes("offsethigh")
def _():  # the key's offset is the high half of the counter
    right = own.stream_64
    return "stream_64", lambda seed, offset, count: own.stream(seed, offset << 64, count)


@changes("seedoffset")
def _():  # seed and offset of the key are exchanged
    right = own.stream_64
    return "stream_64", lambda seed, offset, count: right(offset, seed, count)


@changes("foldadd")
def _():  # data is added to the seed, not to the offset
    right = own.fold
    return "fold", lambda seed, offset, data: right((int(seed) + data) % 2**64, int(offset), 0)


@changes("foldxor")
def _():  # data is mixed into the offset by xor
    right = own.fold
    return "fold", lambda seed, offset, data: right(seed, int(offset) ^ data, 0)


@changes("splitoffset")
def _():  # keys after the first have the seed of the first, and the next offsets
    right = own.fold

    def wrong(seed, offset, data):
        first = right(seed, offset, 0)
        return [first[0], (int(first[1]) + data) % 2**64]

    return "fold", wrong


@changes("classes1")
def _():  # classes are counted from 1
    def after(out, request):
        tensor = out["output"]
        kind = own.SIZES[tensor.dtype]
        return {"output": Tensor(tensor.dtype, tensor.shape, (words_of(tensor, kind) + kind.type(1)).tobytes())}

    return around("openvino.Multinomial-13", after=after)


@changes("replaced")
def _():  # with_replacement is not read: classes are put back
    def before(request):
        request.attrs["with_replacement"] = True

    return around("openvino.Multinomial-13", before)


@changes("mirrored")
def _():  # 1 - u is looked for
    right = own.mantissa
    return "mantissa", lambda words, dtype: 1.0 - right(words, dtype)


@changes("u32bits")
def _():  # the draws are f32 numbers
    right, stream = own.mantissa, own.stream
    own.stream = lambda key, counter, count: np.repeat(stream(key, counter, count // 2), 2)
    return "mantissa", lambda words, dtype: right(words[::2], "f32").astype(np.float64)


@changes("tailzeros")
def _():  # the classes after the last whole group of 4 samples are 0
    def after(out, request):
        tensor = out["output"]
        values = words_of(tensor, own.SIZES[tensor.dtype])
        values[len(values) // 4 * 4 :] = 0
        return {"output": Tensor(tensor.dtype, tensor.shape, values.tobytes())}

    return around("openvino.Multinomial-13", after=after)


def main(name):
    """Serves own.py with what was replaced in it."""
    own.scaled.right = own.scaled_right
    claims = [{"op": op} for op in own.OPS]
    claims[1]["features"] = ["draws"]
    claims[2]["features"] = ["output_state"]
    serve({"name": name, "version": "1"}, claims, own.run)


if __name__ == "__main__":
    main("patched")
