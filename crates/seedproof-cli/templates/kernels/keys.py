def keys(tensor):
    """The seed and the offset of each key."""
    if tensor.shape[-1] != 2:
        raise Rejected("shape", "a key must have the shape [..., 2]")
    values = tensor.values()
    return list(zip(values[::2], values[1::2]))


def fold_in(pairs, number):
    """Yours: of each key the words of the block at its offset plus a number, which are the new key."""
    blocks = (philox((offset + number) % 2**64, seed) for seed, offset in pairs)
    return b"".join(struct.pack("<4I", *words) for words in blocks)
