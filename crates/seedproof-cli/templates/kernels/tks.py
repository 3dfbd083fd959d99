{{keys}}


def kernel(num_splits, key):
    """Independent keys from each key: key i is what `fold_in` makes of it and i."""
    if not 0 < num_splits < 2**63:
        raise Rejected("attribute", "num_splits must be from 1 to 2^63 - 1")
    pairs = keys(key)
    folded = b"".join(fold_in(pairs, i) for i in range(num_splits if pairs else 0))
    return {"output": Tensor("u64", [num_splits, *key.shape], folded)}
