"""DirectML RandomGenerator, with a mistake per name in the variable BUG (plus-joined)."""
import math, os, sys
import numpy as np
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'adapters'))
from seedproof_adapter import Tensor, check_random_generator, serve
BUG = set(filter(None, os.environ.get('BUG', '').split('+')))
IMPLEMENTATION = {'name': 'b-' + ('+'.join(sorted(BUG)) or 'right'), 'version': '0.1', 'language': 'python'}
CAPABILITIES = [{'op': 'directml.RandomGenerator', 'features': ['output_state']}]
M = (1 << 128) - 1
L = np.uint64(0xFFFFFFFF)
S = np.uint64(32)


def philox(counters, key):
    n = [np.array([c >> 32 * i & 0xFFFFFFFF for c in counters], np.uint64) for i in range(4)]
    k0, k1 = (key & 0xFFFFFFFF, key >> 32)
    for r in range(9 if 'nine' in BUG else 10):
        p, q = (np.uint64(0xD2511F53) * n[0], np.uint64(0xCD9E8D57) * n[2])
        n = [q >> S ^ n[1] ^ np.uint64(k0), q & L, p >> S ^ n[3] ^ np.uint64(k1), p & L]
        k0, k1 = (k0 + 0x9E3779B9 & 0xFFFFFFFF, k1 + 0xBB67AE85 & 0xFFFFFFFF)
    return np.stack(n, 1)


def layout(v, shape):
    if 'colmajor' in BUG and len(shape) >= 2 and v.size:
        v = np.asarray(v.reshape(shape, order='F')).reshape(-1)
    if 'tailzero' in BUG and v.size % 4:
        v[-(v.size % 4):] = 0
    if 'tail32stale' in BUG and v.size % 32 and (v.size > 32):
        t = v.size % 32
        v[-t:] = v[v.size - t - 32:v.size - 32]
    if 'lasttwo' in BUG and v.size >= 2:
        v[[-1, -2]] = v[[-2, -1]]
    return np.ascontiguousarray(v)


def dml(r):
    check_random_generator(r)
    st = [int(x) for x in np.frombuffer(r.inputs['input_state'].data, '<u4')]
    sizes = r.attrs['output_sizes']
    n = math.prod(sizes)
    if 'keyswap' in BUG:
        st = st[:4] + [st[5], st[4]]
    if 'statebe' in BUG:
        st = [int.from_bytes(x.to_bytes(4, 'little'), 'big') for x in st]
    c = sum((x << 32 * i for i, x in enumerate(st[:4])))
    key = st[4] | st[5] << 32
    blocks = -(-n // 4)
    i = list(range(blocks))
    if 'stride2' in BUG:
        i = [2 * x for x in i]
    if 'pairs' in BUG:
        i = [x ^ 1 for x in i]
    if 'wrap16' in BUG:
        i = [x % 16 for x in i]
    w = philox([c + x & M for x in i], key)
    if 'order0213' in BUG:
        w = w[:, [0, 2, 1, 3]]
    if 'bswap' in BUG:
        w = w.astype(np.uint32).byteswap().astype(np.uint64)
    if 'lanes8' in BUG:
        k = len(w)
        pad = -k % 8
        w = np.concatenate([w, philox([c + x & M for x in range(k, k + pad)], key)]) if pad else w
        w = w.reshape(-1, 8, 4).transpose(0, 2, 1)
    out = layout(w.reshape(-1)[:n].astype(np.uint32).copy(), sizes)
    res = {'output': Tensor('u32', sizes, out.astype('<u4').tobytes())}
    if r.attrs.get('output_state'):
        e = c + (n if 'statebyelements' in BUG else n // 4 if 'statefloor' in BUG else blocks) & M
        s = [e >> 32 * j & 0xFFFFFFFF for j in range(4)] + st[4:]
        if 'statekeyzero' in BUG:
            s[4:] = [0, 0]
        if 'statebe' in BUG:
            s = [int.from_bytes(x.to_bytes(4, 'little'), 'big') for x in s]
        if 'keyswap' in BUG:
            s = s[:4] + [s[5], s[4]]
        res['output_state'] = Tensor('u32', r.inputs['input_state'].shape, np.array(s, '<u4').tobytes())
    return res


def run(r):
    return dml(r)

if __name__ == '__main__':
    serve(IMPLEMENTATION, CAPABILITIES, run)
