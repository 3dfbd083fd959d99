"""One implementation of 48 ops in NumPy, right or wrong in one of 42 ways: `BUG=ru8_f16_ftz`. `second.json` says what each is.

The right code is that of `whole.py`, of which these functions stand in place of others; the mistakes are by somebody else, as
`README.md` says. Without BUG it is right.
"""
import whole
from whole import *

class MT:
    def __init__(self, seed):
        s = [int(seed) & M32]
        for i in range(1, 624):
            s.append((1812433253 * (s[-1] ^ s[-1] >> 30) + i) & M32)
        self.s = np.array(s, U32); self.buf = np.zeros(0, U32)
    def twist(self):
        s = self.s; n, m = 624, 397
        def mix(a, b):
            y = (a & U32(0x80000000)) | (b & U32(0x7FFFFFFF))
            return (y >> U32(1)) ^ np.where(b & U32(1), U32(0x9908B0DF), U32(0))
        s[:227] = s[397:] ^ mix(s[:227], s[1:228])
        s[227:454] = s[0:227] ^ mix(s[227:454], s[228:455])
        s[454:623] = s[227:396] ^ mix(s[454:623], s[455:624])
        s[623:] = s[396:397] ^ mix(s[623:], s[0:1])
        y = s.copy()
        y ^= y >> U32(11)
        y ^= (y << U32(7)) & U32(0x9D2C5680)
        y ^= (y << U32(15)) & U32(0xEFC60000); y ^= y >> U32(18)
        return y
    def words(self, n):
        while len(self.buf) < n: self.buf = np.concatenate([self.buf, self.twist()])
        r, self.buf = self.buf[:n], self.buf[n:]
        return r
    def f24(self, n): return (self.words(n) & U32(0xFFFFFF)).astype(np.float32) * np.float32(2**-24)
    def u64(self, n):
        w = self.words(2 * n).astype(U64)
        return w[0::2] << U64(32) | w[1::2]
    def f53(self, n): return (self.u64(n) & U64(2**53 - 1)).astype(np.float64) * 2.0**-53

def tf_unit(name, w):
    """TensorFlow's unit interval from words."""
    if name == "f64":
        a, b = w[0::2].astype(U64), w[1::2].astype(U64)
        if B("tf_f64_lohi"): a, b = b, a
        return ((a & U64(0xFFFFF)) << U64(32) | b | U64(1023 << 52)).view(np.float64) - 1.0
    if name == "f16": return ((w & U32(0x3FF)) | U32(15 << 10)).astype(np.uint16).view(np.float16) - np.float16(1)
    if name == "f32": return ((w & U32(0x7FFFFF)) | U32(127 << 23)).view(np.float32) - np.float32(1)
    return bf((((w & U32(0x7F)) | U32(127 << 7)) << U32(16)).view(np.float32) - np.float32(1))

def ftz(x):
    """f16 without subnormals: those become zeros of their sign."""
    x = np.asarray(x, np.float16)
    return np.where(np.abs(x) < np.float16(2.0**-14), np.copysign(np.float16(0), x), x).astype(np.float16)

def scale(name, u, low, high):
    """each operation rounded to the type"""
    with np.errstate(all="ignore"):
        if name == "bf16":
            r = bf(np.float32(high) - np.float32(low)); return bf(bf(u * r) + np.float32(low))
        t = NP[name]; low, high = t(low), t(high)
        if B("ru8_f16_ftz") and name == "f16":
            low, high = ftz(low), ftz(high); return ftz(ftz(u * ftz(high - low)) + low)
        return (u * (high - low) + low).astype(t)

def tf_int(name, w, low, high):
    bits = int(name[1:]); m = 2**bits - 1
    span = (int(high) - int(low)) & m
    if B("ru8_int_sat_span") and name[0] == "i": span = min(int(high) - int(low), m >> 1)
    if bits == 64:
        v = w[0::2].astype(U64) | w[1::2].astype(U64) << U64(32)
        if B("ru8_i64_number"): v = np.array([int(math.fmod(float(x), float(span))) & M64 for x in v.tolist()], U64)
        else: v = v % U64(span)
        with np.errstate(over="ignore"): return (v + U64(int(low) & m)).view(NP[name])
    v = w % U32(span)
    with np.errstate(over="ignore"): return (v + U32(int(low) & m)).view(NP[name])

def ru8(q):
    name, al = q.attrs["output_type"], q.attrs["alignment"]
    rej(al not in ("TENSORFLOW", "PYTORCH")); rej(name not in ("f16", "bf16", "f32", "f64", "i32", "i64"))
    shape = shape_of(q.inputs["shape"])
    for b in ("minval", "maxval"):
        t = q.inputs[b]; rej(t.dtype != name); rej(len(t.shape) > 1 or math.prod(t.shape) != 1)
    low, high = scalar(q.inputs["minval"]), scalar(q.inputs["maxval"])
    rej(not low < high)
    n = count_of(shape); key, op = int(q.attrs["global_seed"]), int(q.attrs["op_seed"])
    if key == 0 and op == 0: key = int.from_bytes(os.urandom(8), "little")
    wide = name in ("f64", "i64")
    if al == "TENSORFLOW":
        if B("ru8_getseed_mod"):
            key, op = key % (2**31 - 1), op % (2**31 - 1)
            if key == 0 and op == 0: op = 2**31 - 1
        w = pwords(key, 0, op, n * (1 + wide), 256 * n * q.execution)
        v = tf_int(name, w, low, high) if name[0] == "i" else scale(name, tf_unit(name, w), low, high)
    else:
        g = MT(key ^ key >> 32 if B("ru8pt_seed_fold") else key)
        for _ in range(q.execution + 1): v = pt_values(g, name, n, low, high)
    return {"output": out(name, shape, v)}

def pt_values(g, name, n, low, high):
    with np.errstate(all="ignore"):
        if name == "f64": return g.f53(n) * (high - low) + low
        if name == "f32": return g.f24(n) * (high - low) + low
        if name in ("f16", "bf16"):
            d = 11 if name == "f16" else 8
            u = (g.words(n) & U32(2**d - 1)).astype(np.float32) * np.float32(2.0**-d)
            flush = (lambda x: ftz(x)) if B("ru8_f16_ftz") and name == "f16" else (lambda x: x)
            low, high = np.float32(flush(low)), np.float32(flush(high))
            r = flush(rnd(name, high - low)).astype(np.float32)
            return flush(rnd(name, u * r + low))
        if name == "i32":
            return (g.words(n) % U32((int(high) - int(low)) & M32) + U32(int(low) & M32)).view(np.int32)
        low, high = int(low), int(high)
        span = (high - low) & M64
        if low <= M32 and high <= M32:
            v = np.fmod(g.words(n).astype(np.int64), np.array(span, U64).astype(np.int64))
        else: v = (g.u64(n) % U64(span)).view(np.int64)
        return (v.view(U64) + U64(low & M64)).view(np.int64)

def mn13(q):
    ct = q.attrs["convert_type"]; rej(ct not in ("i32", "i64"))
    t = q.inputs["probs"]; rej(t.dtype not in ("f16", "bf16", "f32", "f64")); rej(len(t.shape) != 2 or t.shape[1] == 0)
    ns = q.inputs["num_samples"]; rej(ns.dtype not in ("i32", "i64") or len(ns.shape) > 1 or math.prod(ns.shape) != 1)
    s = int(scalar(ns)); rej(s < 0)
    rep, logp = q.attrs["with_replacement"], q.attrs["log_probs"]
    rows, classes = t.shape; rej(not rep and s > classes)
    x = arr(t).astype(np.float64)
    rej(not np.isfinite(x).all())
    if logp: w = np.exp2(x) if B("mn13_exp2") else each(exp, x, np.float64)
    else: rej((x < 0).any()); w = x
    cdf = np.cumsum(w, axis=1)
    if rows: rej(not (np.isfinite(cdf[:, -1]) & (cdf[:, -1] > 0)).all()); rej(not rep and (np.count_nonzero(w, axis=1) < s).any())
    cdf = cdf / cdf[:, -1:]
    if "draws" in q.inputs:
        d = q.inputs["draws"]; rej(d.dtype != "f64" or list(d.shape) != [rows, s]); u = arr(d); rej(not ((u >= 0) & (u <= 1)).all())
    else:
        key, op = int(q.attrs["global_seed"]), int(q.attrs["op_seed"])
        if key == 0 and op == 0: key = int.from_bytes(os.urandom(8), "little")
        u = tf_unit("f64", pwords(key, 0, op, 2 * rows * s, 256 * rows * s * q.execution)).reshape(rows, s)
        if B("mn13_row0_draws"): u = np.repeat(u[:1], rows, 0)
    res = np.zeros((rows, s), np.int64)
    for r in range(rows):
        c = cdf[r].copy(); gone = w[r] == 0; left = list(range(classes))
        for k in range(s):
            ok = (c >= u[r, k]) & ~gone
            i = int(np.argmax(ok)) if ok.any() else int(np.flatnonzero(~gone)[-1])
            res[r, k] = left.index(i) if B("mn13_compacted") else i
            if not rep:
                left.remove(i)
                gone[i] = True
                p = c[i] if i == 0 else c[i] - c[i - 1]
                c[i:] = c[i:] - p
                c = c / c[-1]
    return {"output": out(ct, [rows, s], res)}

def dml(q):
    from seedproof_adapter import check_random_generator
    check_random_generator(q)
    st = arr(q.inputs["input_state"]).reshape(-1).tolist(); shape = sizes_of(q); n = count_of(shape)
    lo, hi, key = st[0] | st[1] << 32, st[2] | st[3] << 32, st[4] | st[5] << 32
    if B("dml_high_and_state"):
        w = philox(key, U64(lo), np.array([hi + i & M64 for i in range(-(-n // 4))], U64)).reshape(-1)[:n]
    else: w = pwords(key, lo, hi, n)
    res = {"output": out("u32", shape, w)}
    if q.attrs["output_state"]:
        c = (lo | hi << 64) + -(-n // 4)
        c = [c >> 32 * i & M32 for i in range(4)]
        if B("dml_high_and_state"): c = c[::-1]
        res["output_state"] = out("u32", q.inputs["input_state"].shape, np.array(c + st[4:6], U32))
    return res

def shlo(q):
    alg, name = q.attrs["rng_algorithm"], q.attrs["output_type"]
    rej(alg not in ("DEFAULT", "THREE_FRY", "PHILOX"))
    rej(name not in "u8 u16 u32 u64 i8 i16 i32 i64 f16 bf16 f32 f64".split())
    t = q.inputs["initial_state"]; rej(t.dtype != "u64"); rej(list(t.shape) not in ([2], [3])); rej(alg == "THREE_FRY" and t.shape != [2])
    st = arr(t).tolist(); shape = sizes_of(q); n = count_of(shape)
    bits = int(name.lstrip("uibf")) ; wide = bits == 64
    if alg == "THREE_FRY":
        o, adv = shlo_fry(st, shape, n, wide); c = (st[1] + adv) & M64; new = [st[0], c]
    else:
        hi = st[0] if len(st) == 2 else st[2]
        w = pwords(st[0], st[1], hi, n * (1 + wide))
        adv = -(-n * (1 + wide) // 4)
        c = (st[1] + adv) if len(st) == 2 else (st[1] | st[2] << 64) + adv
        new = [st[0], c & M64] + ([c >> 64 & M64] if len(st) == 3 else [])
        if B("shlo_shard_repeat") and shape and shape[0] % 2 == 0: w = np.tile(w[:len(w) // 2], 2)
        o = w[0::2].astype(U64) | w[1::2].astype(U64) << U64(32) if wide else w
    if B("shlo_int_sat") and bits < 32 and name[0] in "iu":
        o = np.clip(o.view(np.int32).astype(np.int64) if name[0] == "i" else o.astype(np.int64), np.iinfo(NP[name]).min, np.iinfo(NP[name]).max)
    o = o.astype(np.dtype(f"u{bits//8}"))
    return {"output": Tensor(name, shape, o.tobytes()), "output_state": out("u64", t.shape, np.array(new, U64))}

def seed2(t):
    rej(t.dtype not in ("i32", "i64")); rej(list(t.shape) != [2])
    if B("tfkc_zero_extend") and t.dtype == "i32": return arr(t).view(U32).tolist()
    return arr(t).tolist()

def tfs(q):
    name = q.attrs["output_type"]; op = q.op.split(".")[1]
    floats = op == "StatelessRandomUniformV2"
    rej(name not in (("f16", "bf16", "f32", "f64") if floats else ("i32", "i64", "u32", "u64")))
    shape = shape_of(q.inputs["shape"]); n = count_of(shape)
    k, lo, hi = stateless(q, n)
    wide = name in ("f64", "i64", "u64")
    if "Int" in op and "Full" not in op:
        for b in ("minval", "maxval"): rej(q.inputs[b].dtype != name or len(q.inputs[b].shape))
        low, high = scalar(q.inputs["minval"]), scalar(q.inputs["maxval"]); rej(n and not low < high)
    w = pwords(k, lo, hi, n * (1 + wide))
    if B("tfsu_auto_threefry") and floats and n and int(scalar(q.inputs["alg"])) == 3:
        w = shlo_fry([k, lo], shape, n, wide)[0]
        if wide: w = np.stack([w & U64(M32), w >> U64(32)], 1).reshape(-1).astype(U32)
    if B("tfsi_narrow_draw") and wide and op == "StatelessRandomUniformIntV2" and n and int(high) - int(low) <= 2**32:
        v = pwords(k, lo, hi, n).astype(U64) % U64(int(high) - int(low))
        return {"output": out(name, shape, (v + U64(int(low) & M64)).view(NP[name]))}
    if floats: v = tf_unit(name, w)
    elif "Full" in op: v = (w[0::2].astype(U64) | w[1::2].astype(U64) << U64(32)).view(NP[name]) if wide else w.view(NP[name])
    elif n: v = tf_int(name, w, low, high)
    else: v = np.zeros(0, NP[name])
    return {"output": out(name, shape, v)}

def boxmuller(w):
    """4 words a row -> 4 normals f32."""
    r = np.empty(w.size, np.float32)
    u = tf_unit("f32", w.reshape(-1)); a, b = u[0::2], u[1::2]
    if B("bm_log_complement"): a = np.float32(1) - a
    if B("bm_eps_add"): a = a + np.float32(1e-7)
    a = np.maximum(a, np.float32(1e-7)); v = (2 * math.pi * b.astype(np.float64)).astype(np.float32)
    rad = np.sqrt(np.float32(-2) * each(logf, a)).astype(np.float32)
    r[0::2] = each(sinf, v) * rad; r[1::2] = each(cosf, v) * rad
    return r

def tfnormal(q):
    name = q.attrs["output_type"]; op = q.op.split(".")[1]
    rej(name not in ("f16", "bf16", "f32", "f64"))
    shape = shape_of(q.inputs["shape"]); n = count_of(shape)
    if name == "f64" or n > 2**17: raise Unsupported("f64")
    if op.startswith("Stateless"): key, lo, hi = stateless(q, n)
    else:
        key, hi = int(q.attrs["seed"]), int(q.attrs["seed2"]); lo = 0
        lo = 256 * n * q.execution
        if B("tfrn_folded_small") and n <= 64: lo = 0
    if "Truncated" in op and B("tfst_serial"):
        got, at = [], 0
        while len(got) < n:
            got += [x for x in boxmuller(pwords(key, lo, hi, 64, at)).tolist() if abs(x) < 2]; at += 16
        v = np.array(got[:n], np.float32)
    elif "Truncated" in op:
        g = -(-n // 4); v = np.zeros(g * 4, np.float32)
        for i in range(g):
            c = ((lo | hi << 64) + 256 * i) % 2**128; got = []
            for tries in range(0, 256, 2):
                z = boxmuller(pwords(key, c & M64, c >> 64, 8, tries)).tolist()
                if B("tftn_clipped"): got += [min(max(x, -2.0), 2.0) for x in z]
                else: got += [x for x in z if abs(x) < 2]
                if len(got) >= 4: break
            v[4 * i:4 * i + 4] = got[:4]
        v = v[:n]
    else: v = boxmuller(pwords(key, lo, hi, -(-n // 4) * 4))[:n]
    return {"output": out(name, shape, rnd(name, v))}

def tfshuffle(q):
    t = q.inputs["value"]
    rows = t.shape[0] if t.shape else 1
    step = -(-max(rows - 1, 0) // 4)
    if q.op.endswith("StatelessShuffle"): key, lo, hi = stateless(q, 1); start = 0
    else: key, lo, hi = int(q.attrs["seed"]), 0, int(q.attrs["seed2"]); start = step * q.execution
    if rows <= 1: return {"output": t}
    w = pwords(key, lo, hi, rows - 1, start).tolist(); p = list(range(rows))
    for i in range(rows - 1):
        j = i + w[i] % (rows - i)
        p[i], p[j] = p[j], p[i]
    if B("tfss_inverse"): p = np.argsort(p).tolist()
    size = len(t.data) // rows
    return {"output": Tensor(t.dtype, t.shape, b"".join(t.data[size * i:size * (i + 1)] for i in p))}

def tfmulti(q):
    name = q.attrs["output_type"]; rej(name not in ("i32", "i64"))
    t = q.inputs["logits"]; rej(t.dtype not in ("f16", "bf16", "f32", "f64") or len(t.shape) != 2 or t.shape[1] == 0)
    s = q.inputs["num_samples"]; rej(s.dtype != "i32" or s.shape); s = int(scalar(s)); rej(s < 0)
    rows, classes = t.shape; x = arr(t).astype(np.float64)
    if q.op.endswith("StatelessMultinomial"): 
        key, lo, hi = kc(seed2(q.inputs["seed"])); start = 0
        if B("tfsm_seed_direct"): key, hi = (v & M64 for v in seed2(q.inputs["seed"]))
    else: key, lo, hi = int(q.attrs["seed"]), 0, int(q.attrs["seed2"]); start = q.execution * 512 * rows * (-(-s // 4) * 4)
    u = tf_unit("f64", pwords(key, lo, hi, 2 * rows * s, start)).reshape(rows, s)
    res = np.zeros((rows, s), np.int64)
    for r in range(rows):
        fin = np.isfinite(x[r]); m = x[r][fin].max() if fin.any() else 0.0
        tot, c = 0.0, []
        for v, f in zip(x[r].tolist(), fin.tolist()):
            if f: tot += exp(v - m)
            c.append(tot)
        for k in range(s):
            d = u[r, k] * tot
            res[r, k] = next((j for j in range(classes) if c[j] > d), classes)
    return {"output": out(name, [rows, s], res)}

def jbits(q, k, width, n):
    ut = np.dtype(f"u{width//8}")
    if q.attrs["impl"] == "threefry2x32":
        if q.attrs["partitionable"]:
            a, b = threefry(k[0], k[1], *halves(np.arange(n, dtype=U64)))
            return a.astype(U64) << U64(32) | b.astype(U64) if width == 64 else (a ^ b).astype(ut)
        m = -(-width * n // 32); w = fry_stream(k, m)
        if width == 64: return w[:n].astype(U64) << U64(32) | w[n:].astype(U64)
        if B("jxb_bytes_be") and width < 32: return w.view(ut).reshape(-1, 32 // width)[:, ::-1].reshape(-1)[:n]
        return w if width == 32 else w.view(ut)[:n]
    w = rbgwords(k, n * (2 if width == 64 else 1))
    if width == 64: return w[0::2].astype(U64) | w[1::2].astype(U64) << U64(32)
    return w.astype(ut)

def seedkey(impl, s):
    s &= M64; k = [s >> 32, s & M32]
    return k if impl == "threefry2x32" else k + ([0, 0] if B("jxk_rbg_zero_pad") else k)

def jaxop(q):
    op = q.op.split(".")[1]; impl = q.attrs["impl"]; rej(impl not in IMPL)
    if op == "key":
        s = int(q.attrs["seed"]); rej(not -2**63 <= s < 2**63)
        k = seedkey(impl, s); return {"output": out("u32", [len(k)], np.array(k, U32))}
    k = jkey(q)
    if op == "split":
        n = int(q.attrs["num"]); rej(n < 0); return {"output": out("u32", [n, len(k)], jsplit(q, k, n))}
    if op == "fold_in":
        d = int(q.attrs["data"]); rej(not 0 <= d < 2**32)
        def f(kk):
            return threefry(kk[0], kk[1], 0, d)
        if impl == "unsafe_rbg": o = np.array(k, U32) ^ rbgwords(seedkey(impl, d), 4, 9)
        else: o = np.concatenate([x for h in range(0, len(k), 2) for x in f(k[h:h + 2])])
        return {"output": out("u32", [len(k)], o)}
    if op == "permutation":
        n = max(0, int(q.attrs["n"])); count_of([n])
        rounds = math.ceil(3 * math.log(max(1, n)) / math.log(2**32 - 1)); x = np.arange(n)
        for _ in range(rounds):
            s = jsplit(q, k, 2).tolist()
            k, sub = s[0], s[1]; b = jbits(q, sub, 32, n)
            x = x[np.argsort(b.view(np.int32) if B("jxp_signed_sort") else b, kind="stable")]
        return {"output": out("i64", [n], x)}
    shape = sizes_of(q); n = count_of(shape)
    name = q.attrs.get("output_type")
    if op == "bits":
        rej(name not in ("u8", "u16", "u32", "u64")); v = jbits(q, k, int(name[1:]), n)
        return {"output": out(name, shape, v)}
    if op == "bernoulli":
        p = q.inputs["p"]; rej(p.dtype != "f32" or p.shape)
        return {"output": out("u8", shape, juni(q, k, "f32", n, np.float32(0), np.float32(1)) < scalar(p))}
    if op == "uniform":
        rej(name not in ("f16", "bf16", "f32", "f64"))
        for b in ("minval", "maxval"): rej(q.inputs[b].dtype != name or q.inputs[b].shape)
        return {"output": out(name, shape, juni(q, k, name, n, scalar(q.inputs["minval"]), scalar(q.inputs["maxval"])))}
    # randint
    rej(name not in "i8 i16 i32 i64 u8 u16 u32 u64".split())
    lo, hi = int(q.attrs["minval"]), int(q.attrs["maxval"]); rej(not all(-2**63 <= b < 2**63 for b in (lo, hi)))
    return {"output": out(name, shape, jrandint(q, k, name, n, lo, hi))}

def juni(q, k, name, n, low, high):
    w = {"f64": 64, "f32": 32, "f16": 16, "bf16": 8}[name]; b = jbits(q, k, w, n)
    with np.errstate(all="ignore"):
        if name in ("f32", "f64"):
            t = NP[name]; low, high = t(low), t(high)
            if B("jxu_low_nofma") and w == 32:
                u = ((b & U32(0x7FFFFF)) | U32(0x3F800000)).view(t) - t(1); return np.maximum(low, u * (high - low) + low)
            u = ((b >> U32(9)) | U32(0x3F800000)).view(t) - t(1) if w == 32 else ((b >> U64(12)) | U64(1023 << 52)).view(t) - t(1)
            v = fmas(u, high - low, low, t)
            return np.maximum(low, v)
        if name == "f16":
            u = ((b >> np.uint16(6)) | np.uint16(15 << 10)).view(np.float16) - np.float16(1)
            low, high = np.float16(low), np.float16(high); return np.maximum(low, u * (high - low) + low)
        b = b.astype(U32) >> U32(w - 7)
        u = ((b | U32(127 << 7)) << U32(16)).view(np.float32) - np.float32(1)
        low = np.float32(low); return np.maximum(low, bf(bf(u * bf(np.float32(high) - low)) + low))

def jrandint(q, k, name, n, lo, hi):
    info = np.iinfo(NP[name]); w = max(32, info.bits); m = 2**w - 1
    over = hi > info.max
    if name[0] == "u" and info.bits < 32 or info.bits < 32:
        cut = lambda b: int(np.int64(b).astype(np.int32))
        lo, hi = cut(lo), cut(hi); over = hi > info.max
    lo2, hi2 = (min(max(b, info.min), info.max) for b in (lo, hi))
    span = (hi2 - lo2) & m
    if hi2 <= lo2 and not (over and hi > lo): span = 1
    elif over: span = (span + 1) & m
    if hi2 < lo2: span = 1
    s = jsplit(q, k, 2).tolist(); H, L = jbits(q, s[0], w, n), jbits(q, s[1], w, n)
    t = U64 if w == 64 else U32
    with np.errstate(over="ignore"):
        if span == 0: off = (H * t(0) + L)
        else:
            mul = 2**(w // 2) % span
            if not B("jxr_mul_unsquared"): mul = mul * mul % 2**w % span
            off = ((H % t(span)) * t(mul) + L % t(span)) % t(span)
        v = off + t(lo2 & m)
    return v.astype(np.dtype(f"u{info.bits//8}")).view(NP[name])

class Gen:
    """bit generators; PCG64 and Philox of our own."""
    def __init__(self, kind, seed):
        self.kind, self.half = kind, None
        ss = np.random.SeedSequence(seed)
        if kind == "PCG64":
            a = [int(v) for v in ss.generate_state(4, np.uint64)]
            i = a[2] << 64 | a[3]
            self.inc = (i << 1 | 1) & (2**128 - 1)
            self.st = 0; self.step(); self.st = (self.st + (a[0] << 64 | a[1])) & (2**128 - 1); self.step()
        else: self.g = getattr(np.random, kind)(ss)
    def step(self):
        self.st = (self.st * 47026247687942121848144207491837523525 + self.inc) & (2**128 - 1)
    def raw(self, n):
        if self.kind != "PCG64": return [int(v) for v in np.atleast_1d(self.g.random_raw(n))] if n else []
        r = []
        for _ in range(n):
            self.step(); x = (self.st >> 64) ^ (self.st & M64); k = self.st >> 122
            r.append((x >> k | x << (64 - k) & M64) & M64 if k else x)
        return r
    def u64(self):
        if self.kind == "MT19937": a, b = self.raw(2); return a << 32 | b
        return self.raw(1)[0]
    def u32(self):
        if self.kind == "MT19937": return self.raw(1)[0]
        if self.half is not None: h, self.half = self.half, None; return h
        v = self.raw(1)[0]; self.half = v >> 32
        return v & M32
    def f64(self):
        if self.kind == "MT19937": a, b = self.raw(2); return ((a >> 5) * 67108864 + (b >> 6)) / 2**53
        return (self.u64() >> 11) / 2**53

class Legacy(Gen):
    """RandomState"""
    def __init__(self, seed, words):
        self.kind, self.half = "MT19937", None
        if words is None:
            rej(not 0 <= seed < 2**32); self.m = MT(seed)
            if B("rs_by_array"): self.m.s = np.random.RandomState([seed])._bit_generator.state["state"]["key"].astype(U32).copy()
        else:
            L = int(words); rej(L < 1 or L > 2**20 or seed < 0); last = seed >> 32 * (L - 1); rej(last >= 2**32)
            bg = np.random.RandomState([seed >> 32 * i & M32 for i in range(L)])._bit_generator
            self.m = MT(0); self.m.s = bg.state["state"]["key"].astype(U32).copy()
    def raw(self, n): return [int(v) for v in self.m.words(n)]

def npop(q):
    op = q.op.rsplit(".", 1)[1]; legacy = "RandomState" in q.op
    seed = int(q.attrs["seed"])
    if legacy: g = Legacy(seed, q.attrs.get("seed_words"))
    else:
        rej(q.attrs["bit_generator"] not in ("PCG64", "PCG64DXSM", "Philox", "SFC64", "MT19937") or seed < 0)
        g = Gen(q.attrs["bit_generator"], seed)
    for _ in range(q.execution + 1):
        if op == "permutation":
            n = int(q.attrs["n"]); rej(not -2**63 <= n < 2**63); n = max(n, 0); count_of([n]); p = list(range(n))
            for i in range(n - 1, 0, -1):
                j = masked(g.u32, i)
                p[i], p[j] = p[j], p[i]
            v, name, shape = p, "i64", [n]
        else:
            shape = sizes_of(q)
            nz = math.prod(s for s in shape if s); rej(nz * {"f32": 4, "f64": 8}.get(q.attrs.get("output_type"), (int(q.attrs.get("output_type", "f64")[1:]) // 8)) >= 2**63); n = count_of(shape)
            if n > 2**18: raise Unsupported("size")
            if op in ("random", "rand"):
                name = q.attrs.get("output_type", "f64"); rej(name not in ("f32", "f64"))
                v = [g.f64() if name == "f64" or B("npr_f32_from_f64") else (g.u32() >> 8) / 2**24 for _ in range(n)]
            else:
                name = q.attrs["output_type"]; rej(name not in "i8 i16 i32 i64 u8 u16 u32 u64".split())
                v = np_integers(g, name, n, int(q.attrs["low"]), int(q.attrs["high"]), legacy)
    return {"output": out(name, shape, np.array(v, NP[name]))}

def torch1(q, op, g):
    if op == "bernoulli":
        t = q.inputs["p"]; rej(t.dtype not in FL); p = arr(t); rej(not ((p >= 0) & (p <= 1)).all()); n = p.size
        if t.dtype == "f64": u = g.f53(n)
        else: u = g.f24(n); p = p.astype(np.float32)
        return out(t.dtype, t.shape, (u < p.reshape(-1)).astype(np.float32))
    if op == "bernoulli_":
        name = q.attrs["output_type"]; rej(name not in FL + ("i64", "u8")); t = q.inputs["p"]; rej(t.dtype != "f64" or t.shape)
        p = float(scalar(t)); rej(not 0 <= p <= 1); shape = sizes_of(q)
        return out(name, shape, (g.f53(count_of(shape)) < p).astype(np.float32))
    if op == "dropout":
        t = q.inputs["input"]; rej(t.dtype not in FL); pt = q.inputs["p"]; rej(pt.dtype != "f64" or pt.shape); p = float(scalar(pt)); rej(not 0 <= p <= 1)
        x = arr(t).reshape(-1)
        if p == 0 or x.size == 0: return t
        if p == 1 and B("tdo_where"): return out(t.dtype, t.shape, np.zeros(x.shape, np.float32))
        if p == 1: return out(t.dtype, t.shape, rnd(t.dtype, x * x.dtype.type(0)))
        u = g.f53(x.size)
        keep = u < 1 - p
        if B("tdo_where"): x = np.where(keep, x, x.dtype.type(0))
        if t.dtype == "f64": m = keep / (1 - p); return out(t.dtype, t.shape, x * m)
        m = rnd(t.dtype, keep.astype(np.float32) / np.float32(1 - p)).astype(np.float32)
        return out(t.dtype, t.shape, rnd(t.dtype, x.astype(np.float32) * m))
    if op == "randperm":
        name = q.attrs["output_type"]; rej(name not in ("i32", "i64")); n = int(q.attrs["n"]); rej(n < 0); count_of([n]); p = list(range(n))
        w = (g.u64 if B("tpe_i64_wide") and name == "i64" else g.words)(max(n - 1, 0)).tolist()
        for i in range(n - 1):
            z = w[i] % (n - i); p[i], p[i + z] = p[i + z], p[i]
        return out(name, [n], np.array(p, NP[name]))
    t = q.inputs["weights"]; rej(t.dtype not in FL or len(t.shape) not in (1, 2) or t.shape[-1] == 0)
    s = int(q.attrs["num_samples"]); rep = q.attrs["replacement"]; c = t.shape[-1]; rej(s < 1 or not rep and s > c)
    w = arr(t).reshape(-1, c); rej(not (np.isfinite(w) & (w >= 0)).all() or (w.sum(1) == 0).any()); rows = len(w)
    if not rep or s == 1:
        e = np.array([(-dlog(u) if B("tmu_log_u") else -log1p(-u)) for u in g.f53(w.size).tolist()]).reshape(w.shape)
        e = e if t.dtype == "f64" else rnd(t.dtype, e.astype(np.float32))
        with np.errstate(all="ignore"): qn = rnd(t.dtype, w / e)
        r = np.argsort(-qn.astype(np.float64), axis=1, kind="stable")[:, :s]
    else:
        dt = np.float64 if t.dtype == "f64" else np.float32
        cdf = np.cumsum(w.astype(dt), axis=1, dtype=dt); cdf = cdf / cdf[:, -1:]; cdf[:, -1] = 1
        u = g.f53(rows * s).reshape(rows, s)
        r = np.array([np.searchsorted(cdf[i].astype(np.float64), u[i], "left") for i in range(rows)])
    return out("i64", ([] if len(t.shape) == 1 else [rows]) + [s], r)

def tkop(q):
    name = q.attrs["output_type"]; shape = sizes_of(q); n = count_of(shape); batch, keys = tkeys(q)
    if batch: rej(len(batch) != len(shape) or any(b not in (1, s) for b, s in zip(batch, shape)))
    uni = q.op.endswith("uniform")
    if uni:
        rej(name not in FL)
        for b in ("low", "high"): rej(q.inputs[b].dtype != "f64" or q.inputs[b].shape)
        low, high = float(scalar(q.inputs["low"])), float(scalar(q.inputs["high"]))
    else:
        rej(name not in "i8 i16 i32 i64 u8 u16 u32 u64".split()); info = np.iinfo(NP[name])
        low = int(q.attrs["low"]) if "low" in q.attrs else int(info.min); high = int(q.attrs["high"]) if "high" in q.attrs else int(info.max) + 1
        rej(high <= low or low < info.min or high > int(info.max) + 1); span = high - low
        rej(info.bits == 32 and span >= 2**28 and 2**32 % span)
        if B("tkr_default_high") and "high" not in q.attrs: span -= 1
    wide = name in ("f64", "i64", "u64")
    tail = len(batch)
    while tail and batch[tail - 1] == 1: tail -= 1
    per = math.prod(shape[tail:])
    vals = []
    for key in keys:
        w = tkwords(keys[0] if B("tk_first_key") else key, per * (1 + wide))
        if wide: w = w[0::2].astype(U64) << U64(32) | w[1::2].astype(U64)
        with np.errstate(all="ignore"):
            if not uni:
                m = 2**info.bits - 1; ut = np.dtype(f"u{info.bits//8}")
                if span == 2**info.bits: v = w.astype(ut)
                else: v = (w % w.dtype.type(span)).astype(ut) + ut.type(low & m)
                v = v.view(NP[name])
            elif name == "f64": v = (w & U64(2**53 - 1)).astype(np.float64) * 2.0**-53 * (high - low) + low
            else:
                d = {"f32": 24, "f16": 11, "bf16": 8}[name]; u = (w & U32(2**d - 1)).astype(np.float32) * np.float32(2.0**-d)
                l, h = rnd(name, np.float32(low)).astype(np.float32), rnd(name, np.float32(high)).astype(np.float32)
                v = rnd(name, u * rnd(name, h - l).astype(np.float32) + l)
        vals.append(v)
    v = np.array(vals).reshape(list(batch[:tail]) + shape[tail:]) if batch else vals[0].reshape(shape) if shape or True else vals[0]
    return {"output": out(name, shape, np.broadcast_to(v, shape))}

def cuda(q):
    name = q.attrs["output_type"]; shape = sizes_of(q); n = count_of(shape); op = q.op.split(".")[1]
    seed, off = int(q.attrs["seed"]), int(q.attrs["offset"]); rej(off % 4 or not 0 <= off < 2**64)
    mp, tp = int(q.attrs["multiprocessors"]), int(q.attrs["threads_per_multiprocessor"]); rej(mp < 1 or tp < 256)
    info = None
    if op == "uniform_":
        rej(name not in FL)
        for b in ("from", "to"): rej(q.inputs[b].dtype != "f64" or q.inputs[b].shape)
        lo, hi = float(scalar(q.inputs["from"])), float(scalar(q.inputs["to"])); wide = name == "f64"
        lim = {"f16": 65504.0, "bf16": 3.3895313892515355e38, "f32": 3.4028234663852886e38, "f64": 1.7976931348623157e308}[name]
        rej(not (-lim <= lo <= hi <= lim) or hi - lo > lim)
    else:
        rej(name not in ("i64", "i32", "i16", "i8", "u8")); info = np.iinfo(NP[name])
        if "to" in q.attrs or "from" in q.attrs:
            lo = int(q.attrs.get("from", 0)); hi = int(q.attrs["to"]) if "to" in q.attrs else None
            if hi is None: rej(lo > info.max); hi = int(info.max) + 1
            rej(lo >= hi or lo < info.min or hi - 1 > info.max or hi >= 2**63 and "to" in q.attrs or lo < -2**63); span = hi - lo
            wide = span >= 2**28
        else: lo, span, wide = 0, int(info.max) + 1, name == "i64"
    if n == 0: return {"output": out(name, shape, np.zeros(0))}
    bs = 256
    T = min(-(-n // bs), max(1, mp * (tp // bs))) * bs
    un = 2 if wide else 4
    step = ((n - 1) // (T * un) + 1) * 4
    off = (off + step * q.execution) & M64
    li = np.arange(n, dtype=np.int64); lap, comp, th = li // (un * T), li % (un * T) // T, li % T
    if B("tcr_vec_store") and info is not None: th, comp = li % (un * T) // un, li % (un * T) % un
    w = philox(seed, U64(off if B("tcu_offset_blocks") and info is None else off // 4) + lap.astype(U64), th.astype(U64))
    with np.errstate(all="ignore"):
        if wide: a = w[li, 2 * comp].astype(U64); b = w[li, 2 * comp + 1].astype(U64)
        else: a = w[li, comp]
        if info is not None:
            if wide: v = (a << U64(32) | b)
            else: v = a.astype(U64)
            if span < 2**64: v = v % U64(span)
            else: lo = 0
            v = (v + U64(lo & M64)).astype(np.dtype(f"u{info.bits//8}")).view(NP[name])
        elif wide:
            u = (a ^ b << U64(21)).astype(np.float64) * 2.0**-53 + 2.0**-54
            v = fmas(u, hi - lo, lo, np.float64); v[v == hi] = lo
        else:
            u = a.astype(np.float32) * np.float32(2.0**-32) + np.float32(2.0**-33)
            l, h = rnd(name, np.float32(lo)).astype(np.float32), rnd(name, np.float32(hi)).astype(np.float32)
            v = rnd(name, fmas(u, rnd(name, h - l), l, np.float32)).astype(np.float32); v[v == h] = l
    return {"output": out(name, shape, v)}

def triton(q):
    n = int(q.attrs["num"]); rej(n < 0); count_of([n])
    for b in ("seed", "offset"): rej(q.inputs[b].dtype != "i64" or q.inputs[b].shape)
    s, o = int(scalar(q.inputs["seed"])), int(scalar(q.inputs["offset"]))
    with np.errstate(over="ignore"): lo = np.arange(n, dtype=U64) + U64(o & M64)
    w = philox(s & M64, lo, U64(0))[:, 0] if n else np.zeros(0, U32)
    if B("tri_stream"): w = philox(s & M64, lo[:-(-n // 4)], U64(0)).reshape(-1)[:n] if n else w
    if q.op.endswith("randint"): return {"output": out("u32", [n], w)}
    x = w.view(np.int32)
    x = np.where(x < 0, ~x, x)
    return {"output": out("f32", [n], x.astype(np.float32) * np.float32(4.6566127342e-10))}

def vmu(q):
    name = q.attrs["output_type"]; rej(name not in ("f32", "f64")); n = int(q.attrs["num"]); rej(n < 0); count_of([n])
    for b in ("seed", "pos"): rej(q.inputs[b].dtype != "i64" or q.inputs[b].shape)
    s, p = int(scalar(q.inputs["seed"])) & M64, int(scalar(q.inputs["pos"])) & M32
    v = []
    for t in range(n):
        if B("vmu_local_token"): t %= -(-n // 2)
        h = murmur([s & M32, s >> 32, p, t])
        if name == "f32": v.append(np.float32((h + 0.5) * 2.0**-32))
        else:
            h2 = murmur([s & M32, s >> 32, p, t], 0x9E3779B9)
            v.append(min((float((h2 << 32 | h) >> 11) + 0.5) * 2.0**-53, 1 - 2.0**-53))
    return {"output": out(name, [n], np.array(v, NP[name]))}

def onnx_uniform(q):
    name = q.attrs["output_type"]; rej(name not in FL)
    gen = q.attrs.get("generator", "unspecified"); rej(gen not in ("unspecified", "philox4x32_10"))
    if gen == "unspecified": raise Unsupported("unspecified")
    rej("seed_int64" not in q.attrs or "seed" in q.inputs)
    for b in ("low", "high"): rej(q.inputs[b].dtype != "f32" or q.inputs[b].shape)
    shape = sizes_of(q); rej(not shape); n = count_of(shape)
    seed = int(q.attrs["seed_int64"]); rej(not -2**63 <= seed < 2**63)
    off = 0
    if "offset" in q.inputs: t = q.inputs["offset"]; rej(t.dtype != "i64" or t.shape); off = int(scalar(t)) & M64
    if B("oru_trunc_offset"): off = 0
    w = pwords(seed & M64, 0, off, n * (2 if name == "f64" else 1))
    low, high = scalar(q.inputs["low"]), scalar(q.inputs["high"])
    if name == "f64":
        a, b = w[0::2].astype(U64), w[1::2].astype(U64); u = ((a >> U64(5)) * U64(2**26) + (b >> U64(6))).astype(np.float64) * 2.0**-53
    else:
        d = {"f32": 24, "f16": 11, "bf16": 8}[name]; u = (w >> U32(32 - d)).astype(np.float32) * np.float32(2.0**-d)
        u = rnd(name, u)
    with np.errstate(all="ignore"): low, high = rnd(name, low), rnd(name, high)
    if B("oru_trunc_offset") and name == "bf16":
        cut = lambda x: (np.atleast_1d(np.asarray(x, np.float32)).view(U32) & U32(0xFFFF0000)).view(np.float32)
        low, high = cut(scalar(q.inputs["low"])), cut(scalar(q.inputs["high"]))
        return {"output": out(name, shape, cut(cut(u * cut(high - low)) + low))}
    return {"output": out(name, shape, scale(name, u, low, high))}

def oip(q):
    t = q.inputs["seed"]; rej(t.dtype != "i64" or t.shape); s = int(scalar(t)) & M64
    k = np.array([s >> 32, s & M32], U32)
    return {"prng_state": out("i64", [2], k.view(np.int32) if B("oip_signed_words") else k)}

def osp(q):
    t = q.inputs["prng_state"]; rej(t.dtype != "i64" or list(t.shape) != [2]); k = arr(t).tolist(); rej(any(not 0 <= v < 2**32 for v in k))
    n = int(q.attrs["num_outputs"]); rej(n < 1); count_of([n])
    i = np.arange(n, dtype=U64)
    if "data" in q.inputs: d = q.inputs["data"]; rej(d.dtype != "i64" or list(d.shape) != [n]); i = i if B("osp_data_ignored") else arr(d).view(U64)
    hi, lo = halves(i)
    a, b = threefry(k[0], k[1], hi, lo)
    return {"split_prng_states": out("i64", [n, 2], np.stack([a, b], 1).astype(np.int64))}

def inductor(q):
    t = q.inputs["seed"]; rej(t.dtype != "i64" or t.shape); key = int(scalar(t)) & M32; shape = sizes_of(q); n = count_of(shape)
    w = philox(key, np.arange(n, dtype=U64), U64(0)) if n else np.zeros((0, 4), U32)
    if q.op.endswith("randint"):
        lo, hi = int(q.attrs["low"]), int(q.attrs["high"]); rej(lo >= hi or lo < -2**63 or hi >= 2**63)
        v = w[:, 0].astype(U64) | w[:, 1].astype(U64) << U64(32)
        with np.errstate(over="ignore"): return {"output": out("i64", shape, ((v % U64(hi - lo)) + U64(lo & M64)).view(np.int64))}
    rej(q.attrs["mode"] not in ("rand", "randn"))
    u = lambda x: (x & U32(0x7FFFFFFF)).astype(np.float32) * np.float32(4.6566127342e-10)
    if q.attrs["mode"] == "rand": return {"output": out("f32", shape, u(w[:, 0]))}
    cos = libm("cos", ctypes.c_double)
    u1, u2 = np.float32(1) - u(w[:, 0]), np.float32(1) - u(w[:, 1])
    if B("idn_f32"): return {"output": out("f32", shape, np.sqrt(np.float32(-2) * each(logf, u1)) * each(cosf, np.float32(2 * math.pi) * u2))}
    a = 2 * math.pi * u2.astype(np.float64)
    return {"output": out("f32", shape, np.sqrt(-2.0 * each(logf, u1).astype(np.float64)) * each(cos, a, np.float64))}

# The functions of `whole.py` call those of this file, too.
vars(whole).update({name: value for name, value in globals().items() if getattr(value, "__module__", None) == __name__})
OPS = {op: globals()[function.__name__] for op, function in OPS.items()}

if __name__ == "__main__":
    np.seterr(all="ignore")
    serve({"name": "second-" + MODE.replace("_", "-"), "version": "1"}, caps(), lambda q: OPS[q.op](q))
