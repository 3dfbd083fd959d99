"""The generators that ops draw from: words of a counter and a key."""

MASK = 0xFFFFFFFF


def philox(counter, key):
    """Philox4x32-10: the four words of one block. `counter` has 128 bits, `key` 64, the low word first."""
    c0, c1, c2, c3 = (counter >> shift & MASK for shift in (0, 32, 64, 96))
    k0, k1 = key & MASK, key >> 32
    for _ in range(10):
        p, q = 0xD2511F53 * c0, 0xCD9E8D57 * c2
        c0, c1, c2, c3 = q >> 32 ^ c1 ^ k0, q & MASK, p >> 32 ^ c3 ^ k1, p & MASK
        k0, k1 = k0 + 0x9E3779B9 & MASK, k1 + 0xBB67AE85 & MASK
    return c0, c1, c2, c3


def threefry(counter, key):
    """Threefry2x32-20: the two words of one block. `counter` and `key` have 64 bits, the low word first."""
    keys = [key & MASK, key >> 32]
    keys.append(keys[0] ^ keys[1] ^ 0x1BD11BDA)
    x0, x1 = (counter & MASK) + keys[0] & MASK, (counter >> 32) + keys[1] & MASK
    for group in range(5):
        for turn in ((13, 15, 26, 6), (17, 29, 16, 24))[group % 2]:
            x0 = x0 + x1 & MASK
            x1 = (x1 << turn | x1 >> 32 - turn) & MASK ^ x0
        x0 = x0 + keys[(group + 1) % 3] & MASK
        x1 = x1 + keys[(group + 2) % 3] + group + 1 & MASK
    return x0, x1
