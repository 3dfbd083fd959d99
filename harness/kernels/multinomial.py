"""Multinomial-13 once more, with mistakes in what is drawn, summed and left out: `BUG=samplemajor`.

multinomial.json says what each is. Without BUG the adapter is right. Words and their conversion are those of own.py.
"""

import os

import numpy as np

import own
from own import Rejected, array, mantissa, serve, stream, u64, wide

BUG = own.BUG
OP = "openvino.Multinomial-13"


def uniform(words):
    if "torchunit" in BUG:
        x, y = words[0::2].astype(u64), words[1::2].astype(u64)
        return (((x << u64(32)) + y) & u64(2**53 - 1)).astype(np.float64) / 2.0**53
    return mantissa(words, "f64")


def draws(seed, op_seed, rows, samples):
    """A number for each row and sample."""
    if "oneword" in BUG:
        return (stream(seed, op_seed << 64, rows * samples).astype(np.float64) / 2.0**32).reshape(rows, samples)
    if "rowseed" in BUG:
        of_row = lambda row: uniform(stream(seed, (op_seed + row) % 2**64 << 64, 2 * samples))
        return np.array([of_row(row) for row in range(rows)]).reshape(rows, samples)
    if "rowblock" in BUG:  # a row begins at a whole block
        each = -(-samples // 2) * 2
        return uniform(stream(seed, op_seed << 64, 2 * rows * each)).reshape(rows, each)[:, :samples]
    u = uniform(stream(seed, op_seed << 64, 2 * rows * samples))
    return u.reshape(samples, rows).T if "samplemajor" in BUG else u.reshape(rows, samples)


def sums(weights):
    kind = np.float16 if "cdf16" in BUG else np.float64
    with np.errstate(over="ignore"):
        total = np.cumsum(weights.astype(kind), dtype=kind).astype(np.float64)
    if "exclusive" in BUG:
        total = np.concatenate([[0.0], total[:-1]])
    return total


def without(weights, chosen, order):
    """Samples of one row without replacement, a number for each."""
    c, gone = sums(weights) / weights.sum(), weights == 0
    picked = []
    for u in chosen:
        allowed = np.flatnonzero(~gone)
        hit = allowed[c[allowed] > u if "strict" in BUG else c[allowed] >= u]
        k = hit[0] if len(hit) else allowed[-1]
        picked.append(np.flatnonzero(allowed == k)[0] if "shifted" in BUG else k)
        c[k:] = c[k:] - (c[k] - (c[k - 1] if k else 0))
        if "notnormalised" not in BUG:
            c = c / c[-1]
        if "previous" in BUG:
            gone = weights == 0
        gone = gone.copy()
        gone[k] = True
        if "previous" in BUG:
            c = sums(weights) / weights.sum()
    return [order[k] for k in picked]


def selected(weights, chosen, replace):
    order = np.argsort(-weights, kind="stable") if "descending" in BUG else np.arange(len(weights))
    weights = weights[order]
    if "unsorted" in BUG:
        order = np.arange(len(weights))
    if not replace:
        return without(weights, chosen, order)
    c = sums(weights)
    c = c / (c[-1] or 1.0)
    side = "right" if "strict" in BUG else "left"
    at = np.searchsorted(c, chosen, side)
    if "gone" not in BUG:
        last = np.flatnonzero(weights)[-1]
        at = np.minimum(at, last)
    return [order[k] for k in at]


def multinomial(request):
    right = own.multinomial(request)  # what it refuses is refused here
    if not right["output"].data or request.tensor("draws", ("f64",), 0, 9):
        return right
    probs = request.inputs["probs"]
    rows, classes = probs.shape
    weights = (wide(array(probs)) if probs.dtype == "bf16" else array(probs)).astype(np.float64).reshape(rows, classes)
    if request.attrs["log_probs"]:
        weights = np.exp2(weights) if "log2" in BUG else np.exp(weights)
    if "wholebatch" in BUG:
        weights = np.tile(weights.sum(0), (rows, 1))
    if "firstrow" in BUG:
        weights = np.tile(weights[0], (rows, 1))
    if "temperature" in BUG:  # a square root on the way, as of a temperature of 2
        weights = np.sqrt(weights)
    dtype = request.attrs["convert_type"]
    samples = right["output"].shape[1]
    seed, op_seed = int(request.attrs["global_seed"]), int(request.attrs["op_seed"])
    if (seed, op_seed) == (0, 0):
        return right
    u = draws(seed, op_seed, rows, samples)
    out = np.array([selected(weights[row], u[row], request.attrs["with_replacement"]) for row in range(rows)])
    if "sortedout" in BUG:
        out = np.sort(out, axis=1)
    if "reversedout" in BUG:
        out = out[:, ::-1]
    if "flat" in BUG:  # the index in the whole matrix
        out = out + classes * np.arange(rows)[:, None]
    return own.answer(out.reshape(-1).astype(own.SIZES[dtype]), dtype, [rows, samples])


if __name__ == "__main__":
    name = "multinomial-kernel-" + ("+".join(sorted(BUG)) or "right")
    serve({"name": name, "version": "0.1", "language": "python"}, [{"op": OP, "features": ["draws"]}], multinomial)
