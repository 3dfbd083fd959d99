{{keys}}


def kernel(data, key):
    """A key from each key and a number."""
    if not -(2**63) <= data < 2**64:
        raise Rejected("attribute", "data must be from -2^63 to 2^64 - 1")
    return {"output": Tensor("u64", key.shape, fold_in(keys(key), data))}
