"""The stateless ops of PyTorch, TensorFlow and StableHLO, Multinomial-13 and RandomUniform-8 in NumPy, with a mistake per name in the variable BUG (plus-joined).
ONLY says what is claimed, all without it: tku tkr tk tfsu tfsi tfsf tfkc shp sht mn, pt-TYPE and tf-TYPE with TYPE of f16 bf16 f32 f64 i32 i64. Without BUG it is right."""
import math, os, re, sys
import numpy as np
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'adapters'))
from seedproof_adapter import Rejected, Tensor, serve
BUG = [b for b in os.environ.get('BUG', '').split('+') if b]
ONLY = (os.environ.get('ONLY') or 'tku tkr tk tfsu tfsi tfsf tfkc shp sht mn ' + ' '.join((a + t for a in ('pt-', 'tf-') for t in ('f16', 'bf16', 'f32', 'f64', 'i32', 'i64')))).split()


def has(name):
    return name in BUG
U = np.uint64
L = U(0xFFFFFFFF)
S = U(32)
M32 = 0xFFFFFFFF
M64 = (1 << 64) - 1
M128 = (1 << 128) - 1
WIDTH = {'u8': 1, 'i8': 1, 'u16': 2, 'i16': 2, 'f16': 2, 'bf16': 2, 'u32': 4, 'i32': 4, 'f32': 4, 'u64': 8, 'i64': 8, 'f64': 8}
OPS = {'tku': ['torch.philox_uniform'], 'tkr': ['torch.philox_randint'], 'tk': ['torch.philox_key_split', 'torch.philox_key_fold_in'], 'tfsu': ['tensorflow.StatelessRandomUniformV2'], 'tfsi': ['tensorflow.StatelessRandomUniformIntV2'], 'tfsf': ['tensorflow.StatelessRandomUniformFullIntV2'], 'tfkc': ['tensorflow.StatelessRandomGetKeyCounter']}
CAPABILITIES = [{'op': op} for c in ONLY for op in OPS.get(c, [])]
if 'shp' in ONLY:
    CAPABILITIES.append({'op': 'stablehlo.rng_bit_generator', 'rng_algorithm': ['PHILOX']})
if 'sht' in ONLY:
    CAPABILITIES.append({'op': 'stablehlo.rng_bit_generator', 'rng_algorithm': ['THREE_FRY']})
if 'mn' in ONLY:
    CAPABILITIES.append({'op': 'openvino.Multinomial-13', 'features': ['draws']})
CAPABILITIES += [{'op': 'openvino.RandomUniform-8', 'alignment': [{'pt': 'PYTORCH', 'tf': 'TENSORFLOW'}[c[:2]]], 'output_type': [c[3:]]} for c in ONLY if c[2:3] == '-']
IMPLEMENTATION = {'name': 'c-' + ('+'.join(sorted(BUG)) or 'right'), 'version': '0.1', 'language': 'python'}


def philox(lo, hi, key):
    n = [lo & L, lo >> S, hi & L, hi >> S]
    k0, k1 = (key & M32, key >> 32)
    rounds, m0, m1, w0, w1 = (10, 0xD2511F53, 0xCD9E8D57, 0x9E3779B9, 0xBB67AE85)
    if has('weyldigit'):
        w1 = 0xBB67AE58
    if has('muldigit'):
        m0 = 0xD2511F35
    if has('bumpfirst'):
        k0, k1 = (k0 + w0 & M32, k1 + w1 & M32)
    for r in range(rounds):
        p, q = (U(m0) * n[0], U(m1) * n[2])
        ph, qh = (p >> S, q >> S)
        n = [qh ^ n[1] ^ U(k0), q & L, ph ^ n[3] ^ U(k1), p & L]
        k0, k1 = (k0 + w0 & M32, k1 + w1 & M32)
    return np.stack(n, 1)


def threefry(x, key):
    ks = [key & M32, key >> 32]
    rot = [[13, 15, 26, 6], [17, 29, 16, 24]]
    parity = 0x1BD11BDA
    groups = 5
    ks.append(ks[0] ^ ks[1] ^ parity)
    a, b = ((x & L) + U(ks[0]) & L, (x >> S) + U(ks[1]) & L)
    for g in range(groups):
        for r in rot[g % 2]:
            a = a + b & L
            b = (b << U(r) | b >> U(32 - r)) & L
            b = b ^ a
        count = g + 1
        if has('tflast') and g == groups - 1:
            break
        a, b = (a + U(ks[(g + 1) % 3]) & L, b + U(ks[(g + 2) % 3]) + U(count) & L)
    return (a, b)


def numbers(n):
    i = np.arange(n, dtype=U)
    if has('skip16'):
        i = i + i // U(16)
    if has('warprev8'):
        i = i ^ U(7)
    return i


def counters(start, i, wide):
    low = U(start & M64)
    lo = low + i
    hi = np.full(len(i), start >> 64, U)
    if wide:
        hi = hi + (lo < low).astype(U)
    return (lo, hi)


def words(key, start, n, wide=True):
    j = np.arange(n)
    b, l = (j // 4, j % 4)
    if has('grid64'):
        b, l = (j // 64 // 4 * 64 + j % 64, j // 64 % 4)
    if has('chunk3'):
        p = -(-n // 3) or 1
        b, l = (j // p * p // 4 + j % p // 4, j % p % 4)
    w = philox(*counters(start, numbers(int(b.max()) + 1 if n else 0), wide), key)
    if has('w1032'):
        w = w[:, [1, 0, 3, 2]]
    if has('w3210'):
        w = w[:, ::-1]
    return w[b, l]


def sx(x):
    return (x & M32 ^ 0x80000000) - 0x80000000 & M64


def seeds(key, c):
    """The key and the counter or offset that goes with it, of 64 bits each."""
    if has('key32'):
        key &= M32
    if has('keysx'):
        key = sx(key)
    if has('keyf64'):
        key = int(float(key)) & M64
    if has('ctr32'):
        c &= M32
    if has('nooff'):
        c = 0
    return (key, c)


def order(shape):
    """Which element of the stream stands at each place, or None."""
    n = math.prod(shape)
    r = len(shape)
    a = np.arange(n)
    if not n:
        return None
    if has('ffill') and r >= 2:
        return a.reshape(shape, order='F').reshape(-1)
    if has('tonchw') and r == 4:
        return a.reshape(shape[0], shape[2], shape[3], shape[1]).transpose(0, 3, 1, 2).reshape(-1)
    return None
TAIL = re.compile('([ow])-(copy|nan|stale|zero)-(?:(\\d+)|(last)|(first))')


def tails(v, stage):
    for s, what, group, last, first in (m.groups() for m in map(TAIL.fullmatch, BUG) if m):
        n = len(v)
        if s != stage or not n:
            continue
        at = np.arange(n)
        g = int(group or 0)
        start = n - n % g if g else 0
        v = v.copy()
        at = at[start:] if g else at[-1:] if last else at[:1]
        if not len(at):
            continue
        if what == 'zero':
            v[at] = 0
        elif what == 'nan':
            v[at] = np.nan
        elif what == 'stale' and start >= g:
            v[at] = v[at - g]
        elif what == 'copy' and start:
            v[at] = v[start - 1]
    return v


def draw(source, shape, per, convert):
    """Elements of a shape, of `per` words each."""
    i = order(shape)
    n = math.prod(shape)
    m = n if i is None else int(i.max()) + 1
    v = convert(tails(source(m * per).reshape(m, per), 'w'))
    return tails(v if i is None else v[i], 'o')


def half(x):
    return np.asarray(x, np.float32).astype(np.float16).astype(np.float32)


def brain(x):
    x = np.ascontiguousarray(x, np.float32)
    b = x.view(np.uint32).astype(U)
    r = b + U(32767) + (b >> U(16) & U(1)) & U(0xFFFF0000)
    return np.where(np.isnan(x), np.float32(np.nan), r.astype(np.uint32).view(np.float32))
ROUND = {'f16': half, 'bf16': brain, 'f32': np.float32, 'f64': np.float64}


def single(x):
    return np.asarray(x, np.float64).astype(np.float32)


def pairs(w, low_first):
    a, b = (w[:, 0], w[:, 1])
    return a | b << S if low_first else a << S | b


def unit(t, w, torch):
    F = np.float64 if t == 'f64' else np.float32
    d = {'f16': 11, 'bf16': 8, 'f32': 24, 'f64': 53}[t] - (not torch)
    bits = 64 if t == 'f64' else 32
    z = pairs(w, False) if t == 'f64' else w[:, 0]
    m = z & U((1 << d) - 1)
    if has('top'):
        m = z >> U(bits - d)
    u = m.astype(F) * F(2.0 ** (-d))
    return u


def scale(t, u, lo, hi, torch):
    """Bounds are rounded to the type."""
    R = ROUND[t]
    F = np.float64 if t == 'f64' else np.float32
    lo, hi = (F(lo), F(hi))
    r = R(hi - lo)
    if has('fma'):
        v = (u.astype(np.longdouble) * np.longdouble(r) + np.longdouble(lo)).astype(np.float64 if t in ('f16', 'bf16') else F)
        return R(v)
    v = R(u * r + lo) if torch or t in ('f32', 'f64') else R(R(u * r) + lo)
    return v


def pack(t, v):
    if t == 'bf16':
        return (np.ascontiguousarray(v, np.float32).view(np.uint32) >> np.uint32(16)).astype('<u2').tobytes()
    return np.asarray(v).astype({'f16': '<f2', 'f32': '<f4', 'f64': '<f8'}[t]).tobytes()


def integers(z, lo, hi, bits):
    """Unsigned remainders of words of `bits` bits."""
    r = hi - lo & (1 << bits) - 1
    if has('smod'):
        s = z.view(np.int64) if bits == 64 else z.astype(np.uint32).view(np.int32).astype(np.int64)
        d = r - (1 << bits) if r >> bits - 1 else r
        return np.fmod(s, np.int64(d)).view(U) + U(lo & M64)
    return z % U(r) + U(lo & M64)


def cut(t, v):
    return np.asarray(v, U).astype('<u8').view('u1').reshape(-1, 8)[:, :WIDTH[t]].tobytes()


def out(t, shape, data):
    return {'output': Tensor(t, list(shape), data)}


def read(t):
    if t.dtype == 'bf16':
        return (np.frombuffer(t.data, '<u2').astype(np.uint32) << 16).view(np.float32)
    return np.frombuffer(t.data, '<' + t.dtype[0] + str(WIDTH[t.dtype]))


def refuse(no, why='not allowed'):
    if no:
        raise Rejected(None, why)


def key_of(r):
    k = r.inputs['key']
    refuse(k.dtype != 'u64' or not k.shape or k.shape[-1] != 2)
    return ([int(x) for x in read(k)], k.shape[:-1])


def folded(key, c, i):
    w = philox(*counters(c, np.array(i, U), False), key)
    return [w[:, 0] | w[:, 1] << S, w[:, 2] | w[:, 3] << S]


def split(r):
    k, batch = key_of(r)
    n = int(r.attrs['num_splits'])
    refuse(not 0 < n < 1 << 63)
    i = list(range(n))
    rows = [np.stack(folded(*seeds(k[q], k[q + 1]), i), 1) for q in range(0, len(k), 2)]
    v = np.stack(rows, 1) if rows else np.zeros((n, 0, 2), U)
    return out('u64', [n, *batch, 2], np.ascontiguousarray(v).tobytes())


def fold_in(r):
    k, batch = key_of(r)
    d = int(r.attrs['data'])
    refuse(not -1 << 63 <= d < 1 << 64)
    if has('fold32'):
        d &= M32
    rows = []
    for q in range(0, len(k), 2):
        key, c = seeds(k[q], k[q + 1])
        e = d & M64
        rows.append(np.stack(folded(key, c, [e]), 1))
    return out('u64', [*batch, 2], (np.concatenate(rows) if rows else np.zeros((0, 2), U)).astype('<u8').tobytes())


def batches(r, per, convert):
    k, b = key_of(r)
    shape = r.attrs['output_sizes']
    refuse(b and (len(b) != len(shape) or any((x not in (1, y) for x, y in zip(b, shape)))))

    def source(q):
        key, c = seeds(k[q], k[q + 1])
        return lambda n: words(key, c, n, False)
    if not b:
        return draw(source(0), shape, per, convert)
    d = max([i + 1 for i, x in enumerate(b) if x != 1], default=0)
    ev = shape[d:]
    rows = [draw(source(q), ev, per, convert) for q in range(0, len(k), 2)]
    v = np.stack(rows) if rows else np.zeros((0, math.prod(ev)))
    return np.broadcast_to(v.reshape([*b[:d], *ev]), shape).reshape(-1)


def uniform(r):
    t = r.attrs['output_type']
    refuse(t not in ROUND)
    lo, hi = (float(read(r.inputs[x])[0]) for x in ('low', 'high'))
    if t != 'f64':
        lo, hi = (ROUND[t](single(lo)), ROUND[t](single(hi)))
    return out(t, r.attrs['output_sizes'], pack(t, batches(r, 2 if t == 'f64' else 1, lambda w: scale(t, unit(t, w, True), lo, hi, True))))


def randint(r):
    t = r.attrs['output_type']
    refuse(t not in WIDTH or t[0] not in 'iu')
    bits = 8 * WIDTH[t]
    least, most = (-1 << bits - 1, 1 << bits - 1) if t[0] == 'i' else (0, 1 << bits)
    lo, hi = (int(r.attrs.get('low', least)), int(r.attrs.get('high', most)))
    span = hi - lo
    whole = span == 1 << bits
    refuse(not least <= lo < hi <= most or (bits == 32 and span >= 1 << 28 and span & span - 1))

    def convert(w):
        z = pairs(w, False) if w.shape[1] == 2 else w[:, 0]
        return z if whole else integers(z, lo, hi, max(bits, 32))
    per = 2 if bits == 64 else 1
    if has('oneword'):
        per = 1
    return out(t, r.attrs['output_sizes'], cut(t, batches(r, per, convert)))


def shape_of(r):
    s = r.inputs['shape']
    refuse(s.dtype not in ('i32', 'i64') or len(s.shape) != 1)
    s = [int(x) for x in read(s)]
    refuse(any((x < 0 for x in s)))
    return s


def stateless(r):
    t = r.attrs['output_type']
    i = r.inputs
    shape = shape_of(r)
    n = math.prod(shape)
    refuse(i['key'].dtype != 'u64' or i['key'].shape != [1] or i['counter'].dtype != 'u64' or (len(i['counter'].shape) != 1) or (i['counter'].shape[0] < 2))
    refuse(i['alg'].dtype != 'i32' or i['alg'].shape != [] or (n and int(read(i['alg'])[0]) not in (1, 3)))
    key, lo, hi = (int(read(i['key'])[0]), *(int(x) for x in read(i['counter'])[:2]))
    key, lo = seeds(key, lo)
    source = lambda m: words(key, hi << 64 | lo, m)
    if r.op.endswith('UniformV2'):
        refuse(t not in ROUND)
        return out(t, shape, pack(t, draw(source, shape, 2 if t == 'f64' else 1, lambda w: scale(t, unit(t, w, False), 0, 1, False))))
    refuse(t not in ('i32', 'i64', 'u32', 'u64'))
    bits = 8 * WIDTH[t]
    per = bits // 32
    if has('oneword'):
        per = 1
    z = lambda w: pairs(w, True) if w.shape[1] == 2 else w[:, 0]
    if r.op.endswith('FullIntV2'):
        return out(t, shape, cut(t, draw(source, shape, per, z)))
    refuse(any((i[b].dtype != t or i[b].shape != [] for b in ('minval', 'maxval'))))
    a, b = (int(read(i[x])[0]) for x in ('minval', 'maxval'))
    refuse(n and a >= b)
    return out(t, shape, cut(t, draw(source, shape, per, lambda w: integers(z(w), a, b, bits))))


def key_counter(r):
    s = r.inputs['seed']
    refuse(s.dtype not in ('i32', 'i64') or s.shape != [2])
    a, b = (int(x) & M64 for x in read(s))
    key = 0x2461E293EC8F720
    w = [int(x) for x in philox(np.array([a], U), np.array([b], U), key)[0]]
    k, c = (w[0] | w[1] << 32, [0, w[2] | w[3] << 32])
    return {'key': Tensor('u64', [1], np.array([k], '<u8').tobytes()), 'counter': Tensor('u64', [2], np.array(c, '<u8').tobytes())}


def bits_of(r):
    s = r.inputs['initial_state']
    t = r.attrs['output_type']
    shape = r.attrs['output_sizes']
    n = math.prod(shape)
    fry = r.attrs['rng_algorithm'] == 'THREE_FRY'
    refuse(t not in WIDTH or s.dtype != 'u64' or s.shape not in ([2], [3]) or (fry and s.shape == [3]))
    st = [int(x) for x in read(s)]
    wide = WIDTH[t] == 8
    key, c = seeds(st[0], st[1])
    if not fry:
        hi = st[2] if len(st) == 3 else key
        per = 2 if wide else 1
        steps = -(-n * per // 4)
        v = draw(lambda m: words(key, hi << 64 | c, m), shape, per, lambda w: pairs(w, True) if per == 2 else narrow(w[:, 0], t))
    elif wide or not shape:
        steps = n
        a, b = threefry(U(c) + numbers(n), key)
        v = a | b << S if wide else a
        i = order(shape)
        i = None if i is not None and i.max() >= n else i
        v = tails(v if i is None else v[i], 'o')
    else:
        even = [d for d, x in enumerate(shape) if x % 2 == 0]
        d = even[0] if even else shape.index(max(shape))
        if has('axislast'):
            d = len(shape) - 1
        h = list(shape)
        h[d] = -(-h[d] // 2)
        steps = math.prod(h)
        ab = np.stack(threefry(U(c) + numbers(steps), key), 1)
        v = np.moveaxis(ab.reshape(*h, 2), -1, d + 1).reshape(*h[:d], 2 * h[d], *h[d + 1:])
        v = np.take(v, np.arange(shape[d]), axis=d).reshape(-1)
        i = order(shape)
        v = tails(narrow(v if i is None or i.max() >= n else v[i], t), 'o')
    e = [st[0], *(lambda x: [x & M64, x >> 64][:len(st) - 1])((st[1] | (st[2] if len(st) == 3 else 0) << 64) + steps & M128)]
    if has('stkey'):
        e[0] = 0
    if has('stelements'):
        e[1] = st[1] + n & M64
    return {**out(t, shape, cut(t, v)), 'output_state': Tensor('u64', s.shape, np.array(e, '<u8').tobytes())}


def narrow(w, t):
    return w


def multinomial(r):
    a = r.attrs
    p, s = (r.inputs['probs'], r.inputs['num_samples'])
    refuse(a['convert_type'] not in ('i32', 'i64') or p.dtype not in ROUND or len(p.shape) != 2 or (p.shape[1] < 1) or (s.dtype not in ('i32', 'i64')) or (s.shape not in ([], [1])))
    n = int(read(s)[0])
    B, C = p.shape
    x = read(p).astype(np.float64).reshape(B, C)
    refuse(n < 0 or not np.isfinite(x).all())
    log, put = (a['log_probs'], a['with_replacement'])
    y = x
    weights = lambda z: np.array([math.exp(v) if v < 709.78 else math.inf for v in z.ravel()]).reshape(B, C) if log else z
    w = weights(x)
    refuse((w < 0).any() or not np.isfinite(w.sum(1)).all() or (w.sum(1) <= 0).any() or (not put and (n > (w > 0).sum(1)).any()))
    g, o = (int(a['global_seed']), int(a['op_seed']))
    if g == 0 and o == 0:
        g = int.from_bytes(os.urandom(8), 'little')
    g, o = seeds(g, o)
    if 'draws' in r.inputs:
        d = r.inputs['draws']
        refuse(d.dtype != 'f64' or d.shape != [B, n])
        u = read(d).copy()
        refuse(not ((u >= 0) & (u <= 1)).all())
        given = True
    else:
        given = False
        u = unit('f64', tails(words(g, o << 64, 2 * B * n).reshape(-1, 2), 'w'), False)
    u = u.reshape(B, n)
    if has('ushare') and B:
        u = np.repeat(u[:1], B, 0)
    if has('ucolumns') and (not given):
        u = u.reshape(-1).reshape(n, B).T
    res = np.zeros((B, n), np.int64)
    F = np.float64
    with np.errstate(all='ignore'):
        for b in range(B):
            c = np.cumsum(w[b].astype(F), dtype=F)
            total = c[-1]
            c = c / total
            live = w[b] > 0
            top = int(np.flatnonzero(live)[-1])
            for q in range(n):
                ok = live & (u[b, q] <= c)
                if has('upper'):
                    ok = live & (u[b, q] < c)
                k = int(np.argmax(ok)) if ok.any() else int(np.flatnonzero(live)[-1]) if live.any() else 0
                res[b, q] = k
                if put:
                    continue
                live = live.copy()
                live[k] = False
                f = c[k] - (c[k - 1] if k else F(0))
                c = np.where(np.arange(C) >= k, c - f, c)
                c = c / c[-1]
    v = tails(res.reshape(-1).astype(U), 'o')
    i = order([B, n])
    v = v if i is None or i.max() >= B * n else v[i]
    return out(a['convert_type'], [B, n], cut(a['convert_type'], v))


def random_uniform(r):
    a, t = (r.attrs, r.attrs['output_type'])
    shape = shape_of(r)
    torch = a['alignment'] == 'PYTORCH'
    refuse(a['alignment'] not in ('PYTORCH', 'TENSORFLOW') or any((r.inputs[b].dtype != t or r.inputs[b].shape not in ([], [1]) for b in ('minval', 'maxval'))))
    lo, hi = (read(r.inputs[b])[0] for b in ('minval', 'maxval'))
    refuse(not lo < hi)
    g, o = (int(a['global_seed']), int(a['op_seed']))
    if g == 0 and o == 0:
        g = int.from_bytes(os.urandom(8), 'little')
    g, o = seeds(g, o)
    source = (lambda n: twister(g, n)) if torch else lambda n: words(g, o << 64, n)
    if t[0] != 'i':
        return out(t, shape, pack(t, draw(source, shape, 2 if t == 'f64' else 1, lambda w: scale(t, unit(t, w, torch), lo, hi, torch))))
    lo, hi = (int(lo), int(hi))
    bits = 8 * WIDTH[t]
    per = bits // 32
    small = torch and t == 'i64' and (lo <= M32) and (hi <= M32)
    if small or has('oneword'):
        per = 1

    def convert(w):
        if small:
            d = hi - lo & M64
            d = d - (1 << 64) if d >> 63 else d
            return np.fmod(w[:, 0].astype(np.int64), np.int64(d)).view(U) + U(lo & M64)
        return integers(pairs(w, not torch) if w.shape[1] == 2 else w[:, 0], lo, hi, bits)
    return out(t, shape, cut(t, draw(source, shape, per, convert)))


def twister(seed, n):
    g = np.random.RandomState(seed & M32)
    m = n + 1300
    w = g.randint(0, 1 << 32, m, dtype=np.uint32).astype(U)
    return w[:n]


def run(r):
    with np.errstate(all='ignore'):
        return {'torch.philox_uniform': uniform, 'torch.philox_randint': randint, 'torch.philox_key_split': split, 'torch.philox_key_fold_in': fold_in, 'tensorflow.StatelessRandomGetKeyCounter': key_counter, 'stablehlo.rng_bit_generator': bits_of, 'openvino.Multinomial-13': multinomial, 'openvino.RandomUniform-8': random_uniform}.get(r.op, stateless)(r)

if __name__ == '__main__':
    serve(IMPLEMENTATION, CAPABILITIES, run)
