"""RandomUniform-8 TENSORFLOW f32, with a mistake per the variable BUG (plus-joined)."""
import os, struct, sys, math
import numpy as np
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'adapters'))
from seedproof_adapter import Request, Tensor, Rejected, serve
BUG = set(filter(None, os.environ.get('BUG', '').split('+')))
IMPLEMENTATION = {'name': 'ru-' + ('+'.join(sorted(BUG)) or 'right'), 'version': '0.1', 'language': 'python'}
CAPABILITIES = [{'op': 'openvino.RandomUniform-8', 'alignment': ['TENSORFLOW'], 'output_type': ['f32']}]
M32 = np.uint64(0xFFFFFFFF)


def philox(n, c, key):
    """n: uint64 array of block numbers, c: op seed (array), key: global seed."""
    rounds = 9 if 'nine' in BUG else 10
    n0, n1 = (n & M32, n >> np.uint64(32))
    c0, c1 = (c & M32, c >> np.uint64(32))
    k0, k1 = (key & 0xFFFFFFFF, key >> 32)
    S = np.uint64(32)
    for _ in range(rounds):
        p = np.uint64(0xD2511F53) * n0
        q = np.uint64(0xCD9E8D57) * c0
        n0, n1, c0, c1 = (q >> S ^ n1 ^ np.uint64(k0), q & M32, p >> S ^ c1 ^ np.uint64(k1), p & M32)
        k0, k1 = (k0 + 0x9E3779B9 & 0xFFFFFFFF, k1 + 0xBB67AE85 & 0xFFFFFFFF)
    return np.stack([n0, n1, c0, c1], axis=1)


def words(count, gseed, oseed):
    blocks = (count + 3) // 4
    n = np.arange(blocks, dtype=np.uint64)
    c = np.full(blocks, oseed, dtype=np.uint64)
    key = gseed
    if 'endian' in BUG:
        key = int.from_bytes(key.to_bytes(8, 'little'), 'big')
        c = np.full(blocks, int.from_bytes(oseed.to_bytes(8, 'little'), 'big'), dtype=np.uint64)
    if 'seedswap' in BUG:
        key = oseed
        c = np.full(blocks, gseed, dtype=np.uint64)
    if 'seed32' in BUG:
        key &= 0xFFFFFFFF
        c &= M32
    if 'seedf64' in BUG:
        key = int(float(key)) % 2 ** 64
        c = np.full(blocks, int(float(oseed)) % 2 ** 64, dtype=np.uint64)
    if 'seedsigned32' in BUG:
        f = lambda s: (s & 0xFFFFFFFF ^ 0x80000000) - 0x80000000 & 0xFFFFFFFFFFFFFFFF
        key = f(key)
        c = np.full(blocks, f(oseed), dtype=np.uint64)
    if 'offbyone' in BUG:
        n = n + np.uint64(1)
    if 'workgroup' in BUG:
        n = n % np.uint64(64)
    if 'workgroup16' in BUG:
        n = n % np.uint64(4)
    if 'twice' in BUG:
        n = n * np.uint64(2)
    if 'skip8' in BUG:
        n = n // np.uint64(2) * np.uint64(4) + n % np.uint64(2)
    if 'exec' in BUG:
        n = n + np.uint64(256)
    w = philox(n, c, key)
    if 'swapwords' in BUG:
        w = w[:, [0, 2, 1, 3]]
    if 'revwords' in BUG:
        w = w[:, ::-1]
    if 'swappairs' in BUG:
        w = w[:, [1, 0, 3, 2]]
    if 'oneperblock' in BUG:
        n = np.arange(count, dtype=np.uint64)
        w = philox(n, np.full(count, oseed, dtype=np.uint64), key)[:, :1]
    if 'laneblock' in BUG:
        k = len(w)
        pad = -k % 8
        w = np.concatenate([w, philox(np.arange(k, k + pad, dtype=np.uint64), np.full(pad, oseed, dtype=np.uint64), key)])
        w = w.reshape(-1, 8, 4).transpose(0, 2, 1)
    if 'planes' in BUG:
        w = w.T
    w = w.reshape(-1).astype(np.uint32)
    out = w[:count].copy()
    if 'tailreuse' in BUG and count % 4 and (count > 4):
        t = count % 4
        out[-t:] = w[(count // 4 - 1) * 4:(count // 4 - 1) * 4 + t]
    if 'tailoverlap' in BUG and count % 8 and (count > 8):
        t = count % 8
        out[-8:] = w[count // 8 * 8 - 8:count // 8 * 8]
    if 'tailzero' in BUG and count % 4:
        out[-(count % 4):] = 0
    return out


def run(r: Request):
    dt = {'i32': '<i4', 'i64': '<i8'}
    sh = r.inputs['shape']
    if sh.dtype not in dt:
        raise Rejected('dtype', 'shape')
    if len(sh.shape) != 1:
        raise Rejected('shape', 'shape rank')
    shape = [int(x) for x in np.frombuffer(sh.data, dt[sh.dtype])]
    if any((x < 0 for x in shape)):
        raise Rejected('shape', 'negative')
    lo, hi = (r.inputs['minval'], r.inputs['maxval'])
    for t in (lo, hi):
        if t.dtype != 'f32':
            raise Rejected('dtype', 'bounds')
        if t.shape not in ([], [1]):
            raise Rejected('shape', 'bounds')
    if r.attrs['alignment'] not in ('TENSORFLOW', 'PYTORCH'):
        raise Rejected('attribute', 'alignment')
    lo, hi = (np.frombuffer(t.data, '<f4')[0] for t in (lo, hi))
    if not lo < hi:
        raise Rejected('range', 'min >= max')
    gs, os_ = (int(r.attrs['global_seed']), int(r.attrs['op_seed']))
    count = math.prod(shape)
    if gs == 0 and os_ == 0:
        gs = int.from_bytes(os.urandom(8), 'little')
    w = words(count, gs, os_)
    if 'bswap' in BUG:
        w = w.byteswap()
    pass
    if 'top23' in BUG:
        m = w >> np.uint32(9)
    else:
        m = w & np.uint32(0x7FFFFF)
    x = (m | np.uint32(0x3F800000)).view(np.float32) - np.float32(1)
    if 'mul24' in BUG:
        x = (w >> np.uint32(8)).astype(np.float32) * np.float32(2 ** (-24))
    if 'mul32' in BUG:
        x = w.astype(np.float32) * np.float32(2 ** (-32))
    if 'bounds16' in BUG:
        lo, hi = (np.float32(np.float16(lo)), np.float32(np.float16(hi)))
    if 'boundsbf16' in BUG:
        b = lambda v: (np.array([v], np.float32).view(np.uint32) + np.uint32(32768) & np.uint32(0xFFFF0000)).view(np.float32)[0]
        lo, hi = (b(lo), b(hi))
    with np.errstate(all='ignore'):
        if 'fma' in BUG:
            v = (x.astype(np.longdouble) * np.longdouble(hi - lo) + np.longdouble(lo)).astype(np.float32)
        elif 'f64scale' in BUG:
            v = (x.astype(np.float64) * (np.float64(hi) - np.float64(lo)) + np.float64(lo)).astype(np.float32)
        elif 'lerp' in BUG:
            v = lo * (np.float32(1) - x) + hi * x
        elif 'f16scale' in BUG:
            v = (x.astype(np.float16) * np.float16(hi - lo) + np.float16(lo)).astype(np.float32)
        else:
            v = x * (hi - lo) + lo
        if 'clamp' in BUG:
            v = np.minimum(v, np.nextafter(hi, lo))
        if 'oneminus' in BUG:
            v = (np.float32(1) - x) * (hi - lo) + lo
        if 'ftz' in BUG:
            v = np.where(np.abs(v) < np.float32(2 ** (-126)), np.float32(0), v)
        if 'ignorebounds' in BUG:
            v = x
    v = v.astype(np.float32)
    v[np.isnan(v)] = np.float32('nan')
    if 'transposed' in BUG and len(shape) >= 2:
        v = v.reshape(shape[::-1]).T.reshape(-1)
    if 'colmajor' in BUG and len(shape) >= 2:
        v = np.asarray(v.reshape(shape, order='F')).reshape(-1)
    if 'nchw' in BUG and len(shape) == 4:
        v = np.ascontiguousarray(v.reshape(shape[0], shape[2], shape[3], shape[1]).transpose(0, 3, 1, 2)).reshape(-1)
    if 'tailuninit' in BUG and count % 8:
        v[-(count % 8):] = np.frombuffer(os.urandom(4 * (count % 8)), np.float32)
    if 'tailnan' in BUG and count % 8:
        v[-(count % 8):] = np.nan
    if 'rev' in BUG:
        v = v[::-1]
    return {'output': Tensor('f32', shape, v.astype('<f4').tobytes())}

if __name__ == '__main__':
    serve(IMPLEMENTATION, CAPABILITIES, run)
