"""One implementation of 56 ops in NumPy, right or wrong in one of 40 ways: `BUG=philox_smulhi`. `third.json` says what each is.

The right code is that of `whole.py`, and of eight ops that it has not; a mistake is a line of either that is replaced, or a function.
The mistakes are by somebody else, as `README.md` says. Without BUG it is right.
"""
import inspect
import whole
from whole import *

def H(name): return MODE == name
def P(name, i):
    """Part i of two mistakes; a part can be had alone."""
    return MODE in (name, name.split("+")[i])
SOURCE = {}
def patch(name, *pairs):
    """Compiles a function of `whole` again with lines replaced."""
    f = getattr(whole, name); src = SOURCE.get(name) or inspect.getsource(f)
    for old, new in pairs:
        assert src.count(old) == 1, (name, old, src.count(old)); src = src.replace(old, new)
    SOURCE[name] = src
    exec(compile(src, f"<{name}>", "exec"), whole.__dict__)
    g = whole.__dict__[name]
    for k, v in list(OPS.items()):
        if v is f: OPS[k] = g
    globals()[name] = g
def put(f):
    old = getattr(whole, f.__name__); setattr(whole, f.__name__, f)
    for k, v in list(OPS.items()):
        if v is old: OPS[k] = f
    return f

# ---------------------------------------------------------------- arithmetic of f32
F = np.float32
def fh(*b): return [F(v) for v in np.array(b, U32).view(np.float32)]
def fma32(a, b, c):
    """a * b + c of f32 in one rounding: the sum in f64, rounded to odd."""
    p = np.asarray(a, np.float64) * np.asarray(b, np.float64); c = np.broadcast_to(np.asarray(c, np.float64), p.shape)
    s = p + c; t = s - p; e = (p - (s - t)) + (c - t)
    s = np.atleast_1d(s); e = np.atleast_1d(e); b64 = s.view(np.int64).copy()
    fix = np.isfinite(s) & (e != 0) & (b64 & 1 == 0) & (s != 0)
    b64[fix] += np.where((e[fix] > 0) == (s[fix] > 0), 1, -1)
    return b64.view(np.float64).astype(np.float32)
def xlog(x):
    x = np.atleast_1d(np.asarray(x, np.float32)); x0 = x; x = np.maximum(x, F(2.0**-126)); b = x.view(U32)
    e = ((b >> U32(23)).astype(np.int32) - 126).astype(np.float32)
    m = ((b & U32(0x7FFFFF)) | U32(0x3F000000)).view(np.float32)
    less = m < fh(0x3F3504F3)[0]
    e = np.where(less, e - F(1), e).astype(np.float32); v = np.where(less, (m - F(1)) + m, m - F(1)).astype(np.float32)
    v2 = v * v; v3 = v2 * v
    def ch(p, q, r): p, q, r = fh(p, q, r); return fma32(fma32(v, p, q), v, r)
    a, bb, c = ch(0x3D9021BB, 0xBDEBD1B8, 0x3DEF251A), ch(0xBDFE5D4F, 0x3E11E9BF, 0xBE2AAE50), ch(0x3E4CCEAC, 0xBE7FFFFC, 0x3EAAAAAA)
    q = fma32(fma32(a, v3, bb), v3, c)
    y = fma32(q, v3, e * fh(0xB95E8083)[0]); z = fma32(-v2, F(0.5), v)
    r = fma32(e, fh(0x3F318000)[0], z + y)
    r = np.where(x0 == 0, F(-np.inf), r); return np.where(x0 < 0, F(np.nan), r).astype(np.float32)
def horner(t, first, cs):
    for c in fh(*cs): first = fma32(first, t, c)
    return first
def xlog1p(t):
    t2 = t * t
    A = horner(t, fma32(t, F(0), F(1)), (0x417101AD, 0x42A6185B, 0x435DC32D, 0x439A8CA3, 0x43586D8A, 0x42707982))
    Bd = horner(t, fma32(t, F(0), F(4.527e-05)), (0x3EFF40C5, 0x40D284FA, 0x41EF4B9C, 0x4273CC76, 0x426473AD, 0x41A05101))
    w = fma32(t2, F(-0.5), (t * t2) * (Bd / A))
    return np.where(np.abs(t) < fh(0x3ED413CD)[0], t + w, xlog(t + F(1))).astype(np.float32)
ERF = [(0x32F16588, 0xB951F09B), (0x34B84B36, 0x38D3B56B), (0xB66C7357, 0x3AB0DC72), (0xB6935AC1, 0xBB70BDE7), (0x396532DB, 0x3BBC127B),
       (0xBAA45408, 0xBBF9C5D7), (0xBB88E4EF, 0x3C1AA57E), (0x3E7C8F63, 0x3F8036DB), (0x3FC02E2F, 0x40354F7E)]
def erf_inv(u):
    l = xlog1p(-(u * u)); near = l > F(-5)
    if H("jxn_one_branch"): near = np.ones_like(near)
    z = np.where(near, F(-2.5) - l, np.sqrt(-l) - F(3)).astype(np.float32); p = None
    for c in ERF:
        a, b = fh(*c); k = np.where(near, a, b).astype(np.float32)
        p = k if p is None else fma32(p, z, k)
    return np.where(np.abs(u) == 1, u * F(np.inf), u * p).astype(np.float32)

# ---------------------------------------------------------------- ops that `whole` has not
def jnormal(q):
    name = q.attrs["output_type"]; rej(name not in FL)
    k = jkey(q); shape = sizes_of(q); n = count_of(shape)
    if name == "f64": raise Unsupported("f64")
    if n == 0: return {"output": out(name, shape, np.zeros(0, np.float32))}
    low = {"f32": np.nextafter(F(-1), F(0)), "f16": np.float16(-1 + 2.0**-11), "bf16": F(-1 + 2.0**-8)}[name]
    u = whole.juni(q, k, name, n, low, NP.get(name, F)(1)).astype(np.float32)
    e = erf_inv(u); s2 = F(math.sqrt(2))
    v = s2 * e if name == "f32" else rnd(name, rnd(name, e).astype(np.float32) * rnd(name, s2).astype(np.float32))
    return {"output": out(name, shape, v)}

def gumbel(q, k, n): return -xlog(-xlog(whole.juni(q, k, "f32", n, F(2.0**-126), F(1)))) if n else np.zeros(0, np.float32)
def jgumbel(q):
    rej(q.attrs["output_type"] != "f32"); k = jkey(q); shape = sizes_of(q)
    return {"output": out("f32", shape, gumbel(q, k, count_of(shape)))}
def jcat(q):
    k = jkey(q); t = q.inputs["logits"]; rej(t.dtype != "f32" or not t.shape or t.shape[-1] == 0)
    x = arr(t).reshape(-1, t.shape[-1]); rows, c = x.shape
    if H("jxc_one_row"): g = np.broadcast_to(gumbel(q, k, c), x.shape)
    else: g = gumbel(q, k, rows * c).reshape(x.shape)
    return {"output": out("i64", t.shape[:-1], np.argmax(g + x, axis=1) if rows else np.zeros(0, np.int64))}

def tkey1(q, ds):
    batch, keys = tkeys(q); r = []
    for d in ds:
        for s, o in keys:
            if H("tks_no_offset"): o = 0
            w = [int(v) for v in philox(s, U64((o + d) & M64), U64(0))[0]]
            r += [w[0] | w[1] << 32, w[2] | w[3] << 32]
    return list(batch) + [2], np.array(r, U64)
def tsplit(q):
    n = int(q.attrs["num_splits"]); tkeys(q); rej(not 1 <= n < 2**63); count_of([n]); s, v = tkey1(q, range(n)); return {"output": out("u64", [n] + s, v)}
def tfold(q):
    d = int(q.attrs["data"]); rej(not -2**63 <= d < 2**64); s, v = tkey1(q, [d]); return {"output": out("u64", s, v)}

def ptn(q):
    name = q.attrs["output_type"]; rej(name not in FL); shape = sizes_of(q); n = count_of(shape); g = MT(int(q.attrs["seed"])); cache = []
    for b in ("mean", "std"): rej(q.inputs[b].dtype != "f64" or q.inputs[b].shape)
    mean, std = float(scalar(q.inputs["mean"])), float(scalar(q.inputs["std"])); rej(not std >= 0)
    if name == "f64": raise Unsupported("f64")
    def sixteen(d):
        u1 = F(1) - d[:, :8]; u2 = d[:, 8:]
        r = np.sqrt(F(-2) * each(logf, u1)).astype(np.float32); a = (2 * math.pi * u2.astype(np.float64)).astype(np.float32)
        c, s = r * each(cosf, a), r * each(sinf, a)
        z = np.stack([c, s], 2).reshape(-1, 16) if H("ptn_interleaved") else np.concatenate([c, s], 1)
        return fma32(z, F(std), F(mean)).reshape(-1, 16)
    for _ in range(q.execution + 1):
        if n < 16:
            v = np.zeros(n)
            for i in range(n):
                if cache: z = cache.pop()
                else:
                    u1, u2 = g.f53(2).tolist(); r = math.sqrt(-2 * log1p(-u2)); a = 2 * math.pi * u1
                    cache.append(r * dsin(a)); z = r * dcos(a)
                v[i] = z * std + mean
            v = v.astype(np.float32)
        else:
            m = n // 16 * 16; half = name != "f32"; d = g.f24(m if half else n)
            v = np.zeros(n, np.float32); v[:m] = sixteen(d[:m].reshape(-1, 16)).reshape(-1)
            if n % 16: v[-16:] = sixteen(g.f24(16).reshape(1, 16)).reshape(-1)
    return {"output": out(name, shape, rnd(name, v))}
dsin, dcos = libm("sin", ctypes.c_double), libm("cos", ctypes.c_double)

def curand(q):
    d, name = q.attrs["distribution"], q.attrs["output_type"]; n = int(q.attrs["num"])
    rej(d not in ("bits", "uniform", "normal")); rej(name not in (("u32",) if d == "bits" else ("f32", "f64"))); rej(n < 0); count_of([n])
    if d == "normal" or name == "f64": raise Unsupported("not here")
    seed, off = int(q.attrs["seed"]), int(q.attrs["offset"]) & M64
    if n == 0: return {"output": out(name, [0], np.zeros(0))}
    j = np.arange(n, dtype=U64)
    if H("cup_offset_each"): w = philox(seed, j // U64(262144) + U64(off // 4), (j // U64(4)) % U64(65536))
    else:
        f = U64(off % 4) + j; at = f // U64(4) + U64(off // 4)    # the sum of index and offset has more than 64 bits
        w = philox(seed, at // U64(65536), at % U64(65536)); j = f
    w = np.take_along_axis(w, (j % U64(4)).astype(np.int64)[:, None], 1)[:, 0]
    return {"output": out(name, [n], w if d == "bits" else fma32(w.astype(np.float32), F(2.0**-32), F(2.0**-33)))}

def mur32(seed, pos, tok, h=0):
    """the hash over an array of tokens"""
    m = U64(M32); rot = lambda v, r: (v << U64(r) | v >> U64(32 - r)) & m
    h = np.full(len(tok), h, U64)
    if P("vgs_late_heat+seed32", 1): seed &= M32
    for k in (np.full(len(tok), seed & M32, U64), np.full(len(tok), seed >> 32, U64), np.full(len(tok), pos & M32, U64), tok):
        k = rot(k * U64(0xCC9E2D51) & m, 15) * U64(0x1B873593) & m
        h = (rot(h ^ k, 13) * U64(5) + U64(0xE6546B64)) & m
    h ^= U64(16); h ^= h >> U64(16); h = h * U64(0x85EBCA6B) & m
    h ^= h >> U64(13); h = h * U64(0xC2B2AE35) & m
    return h ^ h >> U64(16)
def vgs(q):
    t, te, s, p = (q.inputs[k] for k in ("logits", "temperature", "seed", "pos"))
    rej(t.dtype != "f32" or len(t.shape) != 2 or t.shape[1] == 0); n, c = t.shape
    rej(te.dtype != "f32" or list(te.shape) != [n]); rej(s.dtype != "i64" or list(s.shape) != [n] or p.dtype != "i64" or list(p.shape) != [n])
    x = arr(t); r = np.zeros(n, np.int64); rej(not (np.isfinite(arr(te)) & (arr(te) >= 0)).all())
    for i, (T, sd, ps) in enumerate(zip(arr(te), arr(s).tolist(), arr(p).tolist())):
        y = x[i]
        if T != 0:
            if q.attrs["is_drafting"]: ps += 2**30
            h = mur32(sd & M64, ps & M32, np.arange(c, dtype=U64))
            u = ((h.astype(np.float64) + 0.5) * 2.0**-32).astype(np.float32)
            if q.attrs["use_fp64"]:
                h2 = mur32(sd & M64, ps & M32, np.arange(c, dtype=U64), 0x9E3779B9)
                d = np.minimum((((h2 << U64(32) | h) >> U64(11)).astype(np.float64) + 0.5) * 2.0**-53, 1 - 2.0**-53)
                g = -np.log(-np.log(d)); y = (y + g) / float(T) if P("vgs_late_heat+seed32", 0) else (y / T).astype(np.float64) + g
                r[i] = int(np.argmax(y)); continue
            ser = np.zeros_like(u)
            for k in range(8, 0, -1): ser = (ser + F(-1.0 / k)) * u
            l = np.where(u < F(0.25), ser, each(logf, np.maximum(F(1) - u, F(2.0**-24)))).astype(np.float32)
            g = -each(logf, -l)
            y = (y + g) / T if P("vgs_late_heat+seed32", 0) else y / T + g
        r[i] = int(np.argmax(y))
    return {"output": out("i64", [n], r)}

OPS.update({"jax.normal": jnormal, "jax.gumbel": jgumbel, "jax.categorical": jcat, "torch.philox_key_split": tsplit, "torch.philox_key_fold_in": tfold,
            "torch.normal_": ptn, "curand.Philox4_32_10": curand, "vllm.gumbel_sample": vgs})
EXEC.add("torch.normal_")
rightcaps = whole.caps
def caps():
    r = rightcaps()
    for c in r:
        if c["op"] in ("jax.normal", "torch.normal_"): c.update(NORMAL)
    return r

# ---------------------------------------------------------------- RandomUniform-8
if H("ru8i_float_recip"):
    patch("tf_int", ("else: v = w % U32(span)", "else: v = w - np.minimum(w.astype(np.float32) * (np.float32(1) / np.float32(span)), np.float32(4294967040.0)).astype(U32) * U32(span)"))
if H("tfsi_pow2_top"):
    patch("tf_int", ("        v = v % U64(span)", "        v = v >> U64(65 - span.bit_length()) if span > 1 and not span & span - 1 else v % U64(span)"),
          ("else: v = w % U32(span)", "else: v = w >> U32(33 - span.bit_length()) if span > 1 and not span & span - 1 else w % U32(span)"))
if H("ru8d_low_signed"):
    patch("tf_unit", ("((a & U64(mask)) << U64(32) | b | U64(1023 << 52))", "((a << U64(32) | w[1::2].view(np.int32).astype(np.int64).view(U64)) & U64(2**52 - 1) | U64(1023 << 52))"))
if P("ru8d_bounds32+op32", 0): patch("ru8", ("    rej(not low < high)\n", "    rej(not low < high)\n    if name == 'f64': low, high = np.float64(np.float32(low)), np.float64(np.float32(high))\n"))
if P("ru8d_bounds32+op32", 1): patch("ru8", ("    wide = name in", "    op = ((op & M32 ^ 2**31) - 2**31) & M64\n    wide = name in"))
if H("mt_seed_signed"): patch("MT", ("s[-1] ^ s[-1] >> 30", "s[-1] ^ (s[-1] - (s[-1] >> 31 << 32)) >> 30"))
if H("mt_last_old"): patch("MT", ("s = self.s; n, m = 624, 397", "s = self.s; first = s[0:1].copy()"), ("mix(s[623:], s[0:1])", "mix(s[623:], first)"))

# ---------------------------------------------------------------- Multinomial-13
if P("mn_exp2+flags_kept", 0): patch("mn13", ("each(exp, x, np.float64)", "np.exp2(x)"))
if P("mn_exp2+flags_kept", 1):
    patch("mn13", ("    for r in range(rows):\n", "    kept = np.zeros(classes, bool)\n    for r in range(rows):\n"),
          ("gone = w[r] == 0", "gone = (w[r] == 0) | kept"), ("else int(np.flatnonzero(~gone)[-1])", "else classes - 1 if gone.all() else int(np.flatnonzero(~gone)[-1])"),
          ("gone[i] = True", "gone[i] = kept[i] = True"))
if H("mn_mass_inherited"):
    patch("mn13", ("                c[i:] = c[i:] - p\n", ""), ('if not B("mn13_no_renorm"): c = c / c[-1]', "pass"))

# ---------------------------------------------------------------- Philox
if H("philox_smulhi"):
    patch("philox", ("(q >> s) ^ c[1]", "sh(c[2], m1) ^ c[1]"), ("(p >> s) ^ c[3]", "sh(c[0], m0) ^ c[3]"), ("    k0, k1 = key & M32, key >> 32", "    k0, k1 = key & M32, key >> 32\n    sh = lambda a, b: (a.astype(U32).view(np.int32).astype(np.int64) * (b - 2**32) >> 32).view(U64) & m"))
if H("oru_double_product"):
    patch("philox", ("p, q = c[0] * U64(m0), c[2] * U64(m1)", "p, q = dm(c[0], m0), dm(c[2], m1)"), ("    k0, k1 = key & M32, key >> 32", "    k0, k1 = key & M32, key >> 32\n    dm = lambda a, b: (a.astype(np.float64) * float(b)).astype(U64)"))
philox, MT = whole.philox, whole.MT

# ---------------------------------------------------------------- DirectML, StableHLO
if H("dml_state_word0"):
    patch("dml", ("        k0, k1 = st[4], st[5]\n", "        c = (lo | hi << 64) - st[0] + ((st[0] + -(-n // 4)) & M32)\n        k0, k1 = st[4], st[5]\n"))
if H("shlo_flush"):
    patch("shlo", ('    o = o.astype(np.dtype(f"u{bits//8}"))\n', '''    o = o.astype(np.dtype(f"u{bits//8}"))
    if "f" in name:
        mant = {"f16": 10, "bf16": 7, "f32": 23, "f64": 52}[name]; sign = o.dtype.type(2**(bits - 1))
        o = np.where((o & ~sign) >> o.dtype.type(mant) == 0, o & sign, o)
'''))

# ---------------------------------------------------------------- TensorFlow
if H("tfkc_add_signed"): patch("kc", ("return m[0] | m[1] << 32,", "return ((m[0] ^ 2**31) - 2**31 + (m[1] << 32)) & M64,"))
if H("tfsu_centred"): patch("tf_unit", ("        return f\n", "        return f + np.float32(2**-24)\n"))
if H("tfsf_planes"): patch("tfs", ("    if floats: v", "    if 'Full' in op and wide: w = w.reshape(2, n).T.reshape(-1)\n    if floats: v"))
if H("tfs_rest_counter"):
    patch("tfs", ("    if floats: v", "    full = len(w) // 16\n    w[16 * full:] = pwords(k, lo, hi, len(w) % 16, full)\n    if floats: v"))
if H("tftn_lanes"):
    patch("tfnormal", ("got = []\n", "lane = [None] * 4\n"), ("                z = boxmuller(pwords(key, c & M64, c >> 64, 8, tries)).tolist()\n", '''                z = boxmuller(pwords(key, c & M64, c >> 64, 8, tries)).tolist()
                for h in range(8):
                    if lane[h % 4] is None and abs(z[h]) < 2: lane[h % 4] = z[h]
                got = [x for x in lane if x is not None]
                if len(got) == 4: break
                continue
'''))
if H("tfrs_row_rest"):
    patch("tfshuffle", ("t.data[size * i:size * (i + 1)] for i in p", "t.data[size * i:size * i + (size // 16 * 16 if size > 16 else size)] + t.data[size * at + (size // 16 * 16 if size > 16 else size):size * (at + 1)] for at, i in enumerate(p)"))

# ---------------------------------------------------------------- JAX
if H("jxb_row_column"):
    patch("jbits", ("            a, b = threefry(k[0], k[1], *halves(np.arange(n, dtype=U64)))\n", '''            i = np.arange(n, dtype=U64); x = halves(i); shape = q.attrs.get("output_sizes")
            if shape and len(shape) > 1 and n: x = (i // U64(shape[-1])).astype(U32), (i % U64(shape[-1])).astype(U32)
            a, b = threefry(k[0], k[1], *x)
'''))
if H("jxu_f64_halves"): patch("juni", ("(b >> U64(12)) | U64(1023 << 52)", "(b >> U64(44) << U64(32)) | (b & U64(M32)) | U64(1023 << 52)"))
if H("jxr_exact_power"): patch("jrandint", ("mul = 2**(w // 2) % span; mul = mul * mul % 2**w % span", "mul = 2**w % span"))
if H("jxp_signed_keys"): patch("jaxop", ('np.argsort(jbits(q, sub, 32, n), kind="stable")', 'np.argsort(jbits(q, sub, 32, n).view(np.int32), kind="stable")'))
if P("jxe_wrap+odd_pad", 1): patch("fry_stream", ("    if m & 1: c[-1] = 0\n", ""))
if P("jxe_wrap+odd_pad", 0):
    patch("jaxop", ('juni(q, k, "f32", n, np.float32(0), np.float32(1)) < scalar(p)', 'jbits(q, k, 32, n) < U32(int(max(0.0, float(scalar(p))) * 2**32) & M32 if np.isfinite(scalar(p)) else 0)'))

# ---------------------------------------------------------------- NumPy
if H("npr_f32_wide"): patch("npop", ("else (g.u32() >> 8) / 2**24", "else (g.u64() >> 40) / 2**24"))
if H("npi_word_each"): patch("np_integers", ("buf.extend(w >> s & (2**bits - 1) for s in range(0, 32, bits))", "buf.append(w & (2**bits - 1))"))
if H("rsr_shifts"):
    def f64(self):
        if self.kind == "MT19937": a, b = self.raw(2); return ((a >> 6) * 134217728 + (b >> 5)) / 2**53
        return (self.u64() >> 11) / 2**53
    whole.Gen.f64 = f64

# ---------------------------------------------------------------- torch
if H("torch_block_per_call"): patch("torch1", ("def torch1(q, op, g):\n", "def torch1(q, op, g):\n    g.buf = g.buf[:0]\n"))
if H("tmu_sorted_draws"):
    patch("torch1", ('        r = np.array([np.searchsorted(cdf[i].astype(np.float64), u[i], "left") for i in range(rows)])\n',
          '        r = np.array([np.maximum.accumulate(np.searchsorted(cdf[i].astype(np.float64), u[i], "left")) for i in range(rows)])\n'))
if P("tbe_cast_u+tdo_select", 0): patch("torch1", ("else: u = g.f24(n); p = p.astype(np.float32)", "else: u = rnd(t.dtype, g.f24(n)).astype(np.float32); p = p.astype(np.float32)"))
if P("tbe_cast_u+tdo_select", 1):
    patch("torch1", ("return out(t.dtype, t.shape, x * m)", "return out(t.dtype, t.shape, np.where(keep, x * m, 0))"),
          ("return out(t.dtype, t.shape, rnd(t.dtype, x.astype(np.float32) * m))", "return out(t.dtype, t.shape, rnd(t.dtype, np.where(keep, x.astype(np.float32) * m, np.float32(0))))"))
if P("tku_key_cycle+f64_scale", 1):
    patch("tkop", ("else: v = rnd(name, u * rnd(name, h - l).astype(np.float32) + l)", "elif name == 'f32': v = (u.astype(np.float64) * (high - low) + low).astype(np.float32)\n                else: v = rnd(name, u * rnd(name, h - l).astype(np.float32) + l)"))
if P("tku_key_cycle+f64_scale", 0):
    patch("tkop", ("    per = math.prod(shape[tail:])\n", "    cycle = bool(batch) and len(keys) > 1 and n > 0\n    per = -(-n // len(keys)) if cycle else math.prod(shape[tail:])\n"),
          ("    v = np.array(vals).reshape(list(batch[:tail])", "    if cycle: return {\"output\": out(name, shape, np.array(vals).T.reshape(-1)[:n])}\n    v = np.array(vals).reshape(list(batch[:tail])"))
if H("tcu_f64_shift32"): patch("cuda", ("(a ^ b << U64(21))", "(a ^ (b << U64(21) & U64(M32)))"))

# ---------------------------------------------------------------- the others
if H("trr_2_31"): patch("triton", ("np.float32(4.6566127342e-10)", "np.float32(2.0**-31)"))
if H("idn_shift"): patch("inductor", ("(x & U32(0x7FFFFFFF))", "(x >> U32(1))"))
if H("osp_planes"): patch("osp", ("np.stack([a, b], 1)", "np.stack([a, b], 0)"))
if P("vgs_late_heat+seed32", 1):
    patch("murmur", ("    for k in words:\n", "    words = [words[0], 0] + list(words[2:])\n    for k in words:\n"))

if __name__ == "__main__":
    np.seterr(all="ignore")
    serve({"name": "third-" + MODE.replace("_", "-").replace("+", "-"), "version": "1"}, caps(), lambda q: OPS[q.op](q))
