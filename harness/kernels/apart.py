"""Forty mistakes over all ops, each a small change to a right kernel: `BUG=tailblock`. `apart.json` says what each is.

They were written by someone who knew neither what the diagnosis knows nor the other mistakes. Without BUG the adapter is that of
fresh.py, which is right.
"""

import numpy as np

import fresh
from fresh import BUG, LOW, M32, M64, SIZES, Rejected, Tensor, blocks_reordered, jax_kernels, mistake, normals, own, philox_with
from fresh import serve, u32, u64, values_of, wide

# --- what several mistakes are made of --------------------------------------------------------------------------------


def on_stream(change):
    """The words are those of change(right, key, counter, count)."""
    right = own.stream
    own.stream = lambda key, counter, count: change(right, key, counter, count)


def on_uniform(change):
    """RandomUniform-8 is that of change(right, request)."""
    right = own.random_uniform
    own.OPS["openvino.RandomUniform-8"] = lambda request: change(right, request)


def words_of(counter):
    return [counter >> 32 * i & M32 for i in range(4)]


def turn(c, k0, k1):
    p, q = u64(0xD2511F53) * c[0], u64(0xCD9E8D57) * c[2]
    return [q >> u64(32) ^ c[1] ^ k0, q & LOW, p >> u64(32) ^ c[3] ^ k1, p & LOW]


def raised(key):
    return (key + 0x9E3779B9 & M32) | ((key >> 32) + 0xBB67AE85 & M32) << 32


def counted(counter, blocks):
    lo, hi = fresh.counters(counter, blocks)
    return [lo & LOW, lo >> u64(32), hi & LOW, hi >> u64(32)]


def philox_of(turn=turn, raised=raised, counted=counted):
    def wrong(key, counter, blocks):
        c = counted(counter, blocks)
        for _ in range(10):
            c = turn(c, u64(key & M32), u64(key >> 32))
            key = raised(key)
        return np.stack(c, 1).astype(u32)

    own.philox = wrong


def state_of(seed, shifted=lambda s: s >> 30):
    s = seed & M32
    state = [s]
    for i in range(1, 624):
        s = 1812433253 * (s ^ shifted(s)) + i & M32
        state.append(s)
    return np.array(state, u32)


def twist(state):
    for a, b in ((0, 227), (227, 454), (454, 623), (623, 624)):
        state[a:b] = twisted(state, np.arange(a, b))
    return state


def twisted(state, at):
    following = np.take(state, (at + 1) % 624)
    y = state[at] & u32(0x80000000) | following & u32(0x7FFFFFFF)
    return np.take(state, (at + 397) % 624) ^ y >> u32(1) ^ (following & u32(1)) * u32(0x9908B0DF)


def twister_of(state_of=state_of, twist=twist):
    def wrong(seed, count):
        state, out = state_of(seed), [np.empty(0, u32)]
        for _ in range(-(-count // 624)):
            state = twist(state)
            out.append(state.copy())
        y = np.concatenate(out)[:count]
        y ^= y >> u32(11)
        y ^= y << u32(7) & u32(0x9D2C5680)
        y ^= y << u32(15) & u32(0xEFC60000)
        return y ^ y >> u32(18)

    own.twister = wrong


def classes_of(row_of, numbers=lambda key, counter, n: own.mantissa(own.stream(key, counter, 2 * n), "f64")):
    """Multinomial-13 whose rows are row_of(weights, numbers, attrs)."""
    right = own.multinomial

    def wrong(request):
        answer = right(request)
        key, op_seed = (int(request.attrs[name]) for name in ("global_seed", "op_seed"))
        draws, probs, out = request.inputs.get("draws"), request.inputs["probs"], answer["output"]
        if not draws and key == op_seed == 0:
            return answer
        weights = (wide(values_of(probs)) if probs.dtype == "bf16" else values_of(probs)).astype(np.float64)
        weights = (np.exp(weights) if request.attrs["log_probs"] else weights).reshape(probs.shape)
        rows, samples = out.shape
        u = (values_of(draws) if draws else numbers(key, op_seed << 64, rows * samples)).reshape(rows, samples)
        found = [row_of(weights[row], u[row], request.attrs) for row in range(rows)]
        return {"output": fresh.with_values(out, np.array(found, SIZES[out.dtype]).reshape(-1))}

    own.OPS["openvino.Multinomial-13"] = wrong


# --- RandomUniform-8, words of Philox ---------------------------------------------------------------------------------


@mistake
def tailblock():  # after the loop over vectors of 16, the tail takes its counter from the number of vectors, not of blocks
    def wrong(right, key, counter, count):
        vectors = count // 16
        return np.concatenate([right(key, counter, 16 * vectors), right(key, counter + vectors, count - 16 * vectors)])

    on_stream(wrong)


@mistake
def signseed():  # global_seed passes through an int, whose sign fills the key's high word
    on_stream(lambda right, key, counter, count: right(((key & M32 ^ 2**31) - 2**31) % 2**64, counter, count))


@mistake
def stridebump():  # 48 threads in a grid-stride loop: a thread's counter grows by 1 from turn to turn, not by 48
    blocks_reordered(lambda b: b % 48 + b // 48)


@mistake
def halfblock():  # a thread has four elements for all types, but a block has two of 64 bits: it stores both twice
    def wrong(right, key, counter, count):
        i = np.arange(count // 2)
        blocks = right(key, counter, -(-len(i) // 4) * 4).reshape(-1, 2, 2)
        return blocks[i // 4, i % 2].reshape(-1)

    on_stream(wrong)


@mistake
def halfup():  # f32 becomes bf16 by adding half a unit and cutting: ties are rounded away from zero
    right = own.bf16

    def wrong(x):
        bits = np.asarray(x, np.float32).view(u32)
        return np.where(np.isnan(x), right(x), bits + u32(0x8000) >> u32(16)).astype(np.uint16)

    own.bf16 = wrong


@mistake
def modparts():  # a range below 2^32: the remainder of 64 bits is put together of two words, in a product of 32 bits
    right = own.integers

    def wrong(words, lo, hi, dtype, low_first=True):
        span = hi - lo
        if dtype != "i64" or span > M32:
            return right(words, lo, hi, dtype, low_first)
        a, b = words[0::2].astype(u64), words[1::2].astype(u64)
        x = (a % u64(span) * u64(2**32 % span) + b % u64(span) & LOW) % u64(span)
        return x + u64(lo % 2**64)

    own.integers = wrong


@mistake
def graphseed():  # a global_seed of 0 counts as not set, and is replaced by TensorFlow's default of a graph, 87654321
    def wrong(right, request):
        if int(request.attrs["global_seed"]) == 0 and int(request.attrs["op_seed"]):
            request.attrs["global_seed"] = 87654321
        return right(request)

    on_uniform(wrong)


@mistake
def grid2d():  # a grid of two axes: a row takes as many blocks as the grid is wide, which is a multiple of 8
    def wrong(right, request):
        shape = own.extents(request)
        width, words = shape[-1] if shape else 1, own.stream

        def by_rows(key, counter, count):
            rows = int(np.prod(shape[:-1], dtype=np.int64))
            each = count // max(rows, 1)
            across = -(-each // 32) * 8
            return np.concatenate([words(key, counter, 0)] + [words(key, counter + across * row, each) for row in range(rows)])

        own.stream = by_rows if width else words
        try:
            return right(request)
        finally:
            own.stream = words

    on_uniform(wrong)


@mistake
def weyl64():  # the key is raised as one number of 64 bits, with a carry from the low word into the high one
    philox_of(raised=lambda key: key + 0xBB67AE859E3779B9 & M64)


@mistake
def neonstore():  # four blocks in four lanes are stored register by register; and op_seed is an unsigned int
    def wrong(right, key, counter, count):
        words = right(key, counter & M64 | (counter >> 64 & M32) << 64, count)
        whole = count // 16 * 16
        words[:whole] = words[:whole].reshape(-1, 4, 4).transpose(0, 2, 1).reshape(-1)
        return words

    on_stream(wrong)


# --- RandomUniform-8, words of MT19937 --------------------------------------------------------------------------------


@mistake
def canonical():  # std::uniform_real_distribution over the words: all bits count, and the first word of a f64 is the low one
    right = own.fraction

    def wrong(words, dtype):
        if dtype == "f32":
            u = words.astype(np.float32) * np.float32(2.0**-32)
        elif dtype == "f64":
            u = (words[0::2].astype(np.float64) + words[1::2].astype(np.float64) * 2.0**32) * 2.0**-64
        else:
            return right(words, dtype)
        return np.minimum(u, np.nextafter(u.dtype.type(1), u.dtype.type(0)))

    own.fraction = wrong


@mistake
def outofplace():  # the twist goes from one buffer into another: all 624 words are made of old ones
    twister_of(twist=lambda state: twisted(state, np.arange(624)))


@mistake
def seedseq():  # MT19937 is seeded by std::seed_seq{global_seed}, not by the number itself
    def mixed(seed):
        b, seeds, n, m = [0x8B8B8B8B] * 624, [seed & M32], 624, 624
        t = 11
        p = (n - t) // 2
        q = p + t
        for k in range(m):
            r = b[k % n] ^ b[(k + p) % n] ^ b[(k - 1) % n]
            r = 1664525 * (r ^ r >> 27) & M32
            b[(k + p) % n] = b[(k + p) % n] + r & M32
            r = r + (1 if k == 0 else k % n + (seeds[k - 1] if k <= 1 else 0)) & M32
            b[(k + q) % n] = b[(k + q) % n] + r & M32
            b[k % n] = r
        for k in range(m, m + n):
            r = b[k % n] + b[(k + p) % n] + b[(k - 1) % n] & M32
            r = 1566083941 * (r ^ r >> 27) & M32
            b[(k + p) % n] ^= r
            r = r - k % n & M32
            b[(k + q) % n] ^= r
            b[k % n] = r
        return np.array(b, u32)

    twister_of(state_of=mixed)


@mistake
def arithshift():  # the state is filled in ints: the shift by 30 keeps the sign
    twister_of(state_of=lambda seed: state_of(seed, lambda s: s >> 30 | (M32 ^ 3 if s >> 31 else 0)))


@mistake
def evalorder():  # a f64 is `draw() << 32 | draw()` with the second call made first; and its top 53 bits are taken
    right = own.fraction

    def wrong(words, dtype):
        if dtype != "f64":
            return right(words, dtype)
        x = words[1::2].astype(u64) << u64(32) | words[0::2].astype(u64)
        return (x >> u64(11)).astype(np.float64) / 2.0**53

    own.fraction = wrong


@mistake
def keptgen():  # the generator is kept between calls, and seeded again only where the seed differs from that of the call before
    right, last = own.twister, [None, 0]

    def wrong(seed, count):
        if last[0] != seed:
            last[:] = [seed, 0]
        last[1] += count
        return right(seed, last[1])[last[1] - count :]

    own.twister = wrong


# --- Multinomial-13 ---------------------------------------------------------------------------------------------------


@mistake
def rowoffset():  # the drawn class is removed from the first row, whichever row it was drawn for
    right = own.multinomial

    def wrong(request):
        first = right(request)["output"]
        request.attrs["with_replacement"] = True
        values = values_of(right(request)["output"]).reshape(first.shape)
        values[:1] = values_of(first).reshape(first.shape)[:1]
        return {"output": fresh.with_values(first, values)}

    own.OPS["openvino.Multinomial-13"] = wrong


@mistake
def logzero():  # a drawn class is removed by a weight of 0 also where weights are logarithms: it has then a weight of 1
    def row_of(weights, numbers, attrs):
        w, found = weights.copy(), []
        for u in numbers:
            sums = np.cumsum(w)
            hit = np.flatnonzero((sums / sums[-1] >= u) & (w > 0)) if sums[-1] > 0 else []
            found.append(int(hit[0]) if len(hit) else int(np.flatnonzero(weights)[-1]))
            if not attrs["with_replacement"]:
                w[found[-1]] = 1.0 if attrs["log_probs"] else 0.0
        return found

    classes_of(row_of)


@mistake
def rowskip():  # a row's generator skips a block for each four numbers of the rows before, but a block has two of them
    right = own.multinomial

    def wrong(request):
        rows, words = request.inputs["probs"].shape[0], own.stream

        def by_rows(key, counter, count):
            each = count // max(rows, 1)
            starts = (counter + -(-(each // 2) // 4) * row for row in range(rows))
            return np.concatenate([words(key, counter, 0)] + [words(key, start, each) for start in starts])

        own.stream = by_rows
        try:
            return right(request)
        finally:
            own.stream = words

    own.OPS["openvino.Multinomial-13"] = wrong


@mistake
def bisect32():  # the search for the class lowers its upper end below the middle that may be the answer; and numbers are f32
    def row_of(weights, numbers, attrs):
        sums, found = np.cumsum(weights), []
        for u in numbers:
            low, high = 0, len(sums) - 1
            while low < high:
                middle = (low + high) // 2
                low, high = (middle + 1, high) if sums[middle] / sums[-1] < u else (low, middle - 1)
            found.append(low)
        return found

    classes_of(row_of, lambda key, counter, n: own.mantissa(own.stream(key, counter, n), "f32").astype(np.float64))


# --- DirectML and StableHLO -------------------------------------------------------------------------------------------


@mistake
def zerocarry():  # the counter's third word grows whenever the second is zero after a step, not where it has just become so
    def wrong(counter, blocks):
        w, i = words_of(counter), np.arange(blocks, dtype=u64)
        lo = u64(w[0]) + i
        c1 = u64(w[1]) + (lo >> u64(32)) & LOW
        c2 = u64(w[2]) + np.cumsum((c1 == 0) & (i > 0), dtype=u64) & LOW
        c3 = u64(w[3]) + np.cumsum((c2 == 0) & (i > 0), dtype=u64) & LOW
        return [lo & LOW, c1, c2, c3]

    philox_of(counted=wrong)


@mistake
def statequad():  # the key's words are exchanged; and the counter is moved on by the number of elements
    right = own.random_generator
    on_stream(lambda words, key, counter, count: words(key >> 32 | (key & M32) << 32, counter, count))

    def wrong(request):
        out = right(request)
        if "output_state" in out:
            state = [int(x) for x in values_of(request.inputs["input_state"])]
            after = sum(x << 32 * i for i, x in enumerate(state[:4])) + int(np.prod(request.attrs["output_sizes"], dtype=np.int64))
            out["output_state"] = fresh.with_values(out["output_state"], np.array(words_of(after) + state[4:], u32))
        return out

    own.OPS["directml.RandomGenerator"] = wrong


@mistake
def flathalf():  # Threefry's first words fill the first half of the flat output, the second words the second half
    right = own.halved

    def wrong(key, first, shape):
        n = int(np.prod(shape, dtype=np.int64))
        pairs = own.threefry(key, u64(first) + np.arange(-(-n // 2), dtype=u64))
        return pairs.T.reshape(-1)[:n], right(key, first, shape)[1]

    own.halved = wrong


@mistake
def signedrot():  # the words of Threefry are ints: a rotation's shift to the right brings in the sign
    own.rotl = lambda x, n: x << u32(n) | (x.view(np.int32) >> np.int32(32 - n)).view(u32)


@mistake
def shlotwo():  # a state of two words leaves the counter's high half 0; and 64-bit numbers have their first word high
    right = own.rng_bit_generator

    def wrong(request):
        short, words = request.inputs["initial_state"].shape == [2], own.stream
        double = request.attrs["output_type"][1:] == "64"

        def changed(key, counter, count):
            found = words(key, counter & M64 if short else counter, count)
            return found.reshape(-1, 2)[:, ::-1].reshape(-1).copy() if double else found

        own.stream = changed
        try:
            return right(request)
        finally:
            own.stream = words

    own.OPS["stablehlo.rng_bit_generator"] = wrong


# --- PyTorch's ops with keys ------------------------------------------------------------------------------------------


@mistake
def inplace():  # a round works in place: the low products are stored before the words they replace are mixed in
    def wrong(c, k0, k1):
        p, q = u64(0xD2511F53) * c[0], u64(0xCD9E8D57) * c[2]
        c[1], c[3] = q & LOW, p & LOW
        c[0], c[2] = q >> u64(32) ^ c[1] ^ k0, p >> u64(32) ^ c[3] ^ k1
        return c

    philox_of(turn=wrong)


@mistake
def globalblock():  # with several keys, the block's number counts from the start of the output, not from that of the key's part
    right, keyed, at = own.stream_64, own.keyed_words, [0]

    def wrong(seed, offset, count):
        first, at[0] = at[0], at[0] + count
        return right(seed, (offset + first // 4) % 2**64, first % 4 + count)[first % 4 :]

    def from_start(*arguments):
        at[0] = 0
        return keyed(*arguments)

    own.stream_64, own.keyed_words = wrong, from_start


@mistake
def lerp():  # the range is a linear interpolation, low (1 - u) + high u
    def wrong(u, lo, hi, dtype, rounded):
        kind = np.float64 if dtype == "f64" else np.float32
        lo, hi = (kind(wide(x) if dtype == "bf16" else x) for x in (lo, hi))
        u = u.astype(kind)
        value = lo * (kind(1) - u) + hi * u
        return own.bf16(value) if dtype == "bf16" else value.astype(SIZES[dtype])

    own.scaled = wrong


@mistake
def narrowfirst():  # a word is cut to the output's 8 or 16 bits before the remainder is taken
    right = own.keyed_words

    def wrong(request, shape, per):
        words = right(request, shape, per)
        return words & u32(min(2 ** int(request.attrs["output_type"][1:]) - 1, M32))

    own.keyed_words = wrong


@mistake
def simdpairs():  # radii are made of a vector's first two words and angles of the last two; both cosines are stored first
    def wrong(seed, offset, count, mean, std):
        values = []
        for block in range(-(-count // 4)):
            a, b, c, d = normals.philox(seed, offset + block & M64)
            (x0, y0), (x1, y1) = normals.philox_pair(a, c, mean, std), normals.philox_pair(b, d, mean, std)
            values += [x0, x1, y0, y1]
        return values[:count]

    normals.philox_stream = wrong


# --- TensorFlow's stateless ops and truncated normals -----------------------------------------------------------------


@mistake
def mulhisigned():  # the high half of a product is that of signed words, as mul_hi gives it for ints
    def wrong(a, b):
        product = a * b
        high = (product >> u64(32)) - (b if int(a) >> 31 else u64(0)) - (b >> u64(31)) * a
        return high & LOW, product & LOW

    philox_with(wrong)


@mistake
def halfpairs():  # a word gives two numbers of 16 bits, of its low and of its high half
    def wrong(right, key, counter, count):
        words = np.repeat(right(key, counter, -(-count // 2)), 2)
        words[1::2] >>= u32(16)
        return words[:count]

    on_stream(wrong)


@mistake
def packedseed():  # the seed's bytes are copied to the start of the counter: two numbers of 32 bits fill one half of it
    right = own.get_key_counter

    def wrong(request):
        seed = request.inputs["seed"]
        if seed.dtype == "i32" and seed.shape == [2]:
            request.inputs["seed"] = Tensor("i64", [2], bytes(seed.data) + bytes(8))
        return right(request)

    own.OPS["tensorflow.StatelessRandomGetKeyCounter"] = wrong


@mistake
def wordswap64():  # each number of 64 bits of the counter is taken apart high word first
    def wrong(right, key, counter, count):
        a, b, c, d = words_of(counter)
        return right(key, b | a << 32 | d << 64 | c << 96, count)

    on_stream(wrong)


@mistake
def signedmod():  # signed numbers take the remainder of signed words, with their sign; and the counter grows before a draw
    right = own.integers
    on_stream(lambda words, key, counter, count: words(key, (counter + 1) % 2**128, count))

    def wrong(words, lo, hi, dtype, low_first=True):
        if dtype[0] != "i":
            return right(words, lo, hi, dtype, low_first)
        x = words[0::2].astype(u64) << u64(32) | words[1::2].astype(u64) if dtype == "i64" else words
        signed = x.view(SIZES[dtype]).astype(np.int64)
        bits = int(dtype[1:])
        span = (hi - lo + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1)
        rest = np.fmod(signed, np.int64(span)) if span != -1 else 0 * signed
        return (rest.astype(u64) + u64(lo % 2**64)).astype(SIZES["u" + dtype[1:]])

    own.integers = wrong


@mistake
def samelane():  # each of a group's four lanes draws blocks until the number at its own place is within the bounds
    def wrong(key, counter, count):
        values = []
        for group in range(-(-count // 4)):
            missing, found, block = {0, 1, 2, 3}, [0.0] * 4, group * 256
            while missing:
                drawn = normals.tf_four(normals.philox(key, counter + block & 2**128 - 1))
                block += 1
                for lane in [lane for lane in missing if abs(drawn[lane]) < 2.0]:
                    found[lane] = drawn[lane]
                    missing.remove(lane)
            values += found
        return values[:count]

    normals.tf_truncated = wrong


# --- JAX's ops and ONNX's drafts --------------------------------------------------------------------------------------


@mistake
def widebits():  # f16 and bf16 are made of the top bits of whole 32-bit words, not of 16- or 8-bit numbers
    uniform, bits = jax_kernels.uniform, jax_kernels.bits

    def top(attrs, key, width, count):
        if width >= 32:
            return bits(attrs, key, width, count)
        return (bits(attrs, key, 32, count) >> u32(32 - width)).astype(f"u{width // 8}")

    def wrong(*arguments):
        jax_kernels.bits = top
        try:
            return uniform(*arguments)
        finally:
            jax_kernels.bits = bits

    jax_kernels.uniform = wrong


@mistake
def onedraw():  # randint takes the remainder of one draw of 64 bits, not of two draws of 32 by a split key
    right = jax_kernels.randint

    def wrong(attrs, key, dtype, count, low, high):
        width = jax_kernels.WIDTH[dtype]
        least = -(2 ** (width - 1)) if dtype[0] == "i" else 0
        if width > 32 or not least <= low < high <= least + 2**width:
            return right(attrs, key, dtype, count, low, high)
        offsets = jax_kernels.bits(attrs, key, 64, count) % u64(high - low)
        return (offsets + u64(low % 2**64)).astype(f"<u{width // 8}").tobytes()

    jax_kernels.randint = wrong


@mistake
def signedsort():  # the words of a permutation are sorted as signed numbers
    permutation, bits = jax_kernels.permutation, jax_kernels.bits

    def wrong(*arguments):
        jax_kernels.bits = lambda *given: bits(*given).view(np.int32)
        try:
            return permutation(*arguments)
        finally:
            jax_kernels.bits = bits

    jax_kernels.permutation = wrong


@mistake
def narrowlate():  # f16 and bf16 are drawn as f32, with 24 bits, and rounded at the product with the range
    jax_kernels.MANTISSA.update(f16=23, bf16=23)



def onnx_uniform(request):
    """ONNX's draft, which is not among the ops of fresh.py, with what jax_kernels.py does not refuse."""
    tensors = [request.tensor(name, (dtype,), 0, 9) for name, dtype in (("low", "f32"), ("high", "f32"), ("offset", "i64"))]
    if any(tensor and tensor.shape for tensor in tensors):
        raise Rejected("shape", "a bound or the offset")
    if not -(2**63) <= (request.number("seed_int64") or 0) < 2**63:
        raise Rejected("attribute", "seed_int64")
    return jax_kernels.run(request)


fresh.OTHERS["onnx.RandomUniform"] = onnx_uniform
fresh.EXTRAS["onnx.RandomUniform"] = ["seed", "offset"]


if __name__ == "__main__":
    if BUG and BUG not in fresh.MISTAKES:
        raise SystemExit(f"no mistake {BUG}")
    claims = [{"op": op, **({"features": fresh.EXTRAS[op]} if op in fresh.EXTRAS else {})} for op in [*fresh.WITH_EXECUTIONS, *fresh.OTHERS]]
    serve({"name": "apart-kernel-" + (BUG or "right"), "version": "0.1", "language": "python"}, claims, fresh.run)
