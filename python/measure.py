"""The speed of the package beside the Rust fill, NumPy and PyTorch, and how often `who_drew` is right; for reports/performance.md.

Usage: measure.py [seed]     with seedproof installed; PyTorch is left out where it is absent
"""

import random
import statistics
import sys
import time
import timeit

import numpy as np

import seedproof as sp

LARGE = 1 << 26
TIMES = 15


def best_of(*functions):
    """The median seconds of each, taken in turn, so that a busy machine is busy for all of them."""
    seconds = [[] for _ in functions]
    for _ in range(TIMES):
        for each, function in zip(seconds, functions):
            began = time.perf_counter()
            function()
            each.append(time.perf_counter() - began)
    return [statistics.median(each) for each in seconds]


def large():
    out = np.empty(LARGE, np.float32)
    fields = {"minval": 0.0, "maxval": 1.0, "global_seed": 150, "op_seed": 10, "alignment": "TENSORFLOW"}
    request = sp.request("openvino.RandomUniform-8", shape=[LARGE], output_type="f32", **fields)
    generator = np.random.default_rng(1)
    rust = []
    functions = [
        lambda: rust.extend(sp._native.fill_seconds(request, out, 1)),
        lambda: sp.random_uniform(
            (LARGE,), 0.0, 1.0, dtype=np.float32, seed=150, op_seed=10, alignment="TENSORFLOW", out=out
        ),
        lambda: generator.random(LARGE, np.float32, out),
    ]
    names = ["sp.random_uniform(out=)", "numpy.random.Generator.random(out=)"]
    try:
        import torch

        tensor = torch.from_numpy(out)
        functions.append(lambda: torch.rand(LARGE, out=tensor))
        names.append("torch.rand(out=)")
    except ImportError:
        pass
    _, *others = best_of(*functions)
    fill = statistics.median(rust)
    print(f"2^26 f32: the Rust fill {fill * 1e3:.1f} ms, {4 * LARGE / fill / 1e9:.1f} GB/s")
    for name, seconds in zip(names, others):
        print(f"  {name} {seconds * 1e3:.1f} ms, {fill / seconds:.3f} of the speed of the fill")


def small():
    draw = lambda: sp.random_uniform((9,), 0.0, 1.0, dtype=np.float32, seed=150, op_seed=10, alignment="TENSORFLOW")
    generator = np.random.default_rng(1)
    functions = {"sp.random_uniform": draw, "numpy.random.Generator.random": lambda: generator.random(9, np.float32)}
    try:
        import torch

        functions["torch.rand"] = lambda: torch.rand(9)
    except ImportError:
        pass
    for name, function in functions.items():
        seconds = min(timeit.repeat(function, number=20_000, repeat=7)) / 20_000
        print(f"9 f32: {name} {seconds * 1e6:.2f} us")


def installed():
    """The ready backends of RandomUniform-8 that are installed here, each with the first part of its readings' names."""
    for name in ("openvino", "tensorflow", "torch"):
        try:
            yield name, getattr(sp.backends, name)()
        except sp.SeedproofError:
            pass


def by_backend(backend, shape, low, high, **fields):
    """What an implementation itself draws, or None if it claims no such request."""
    request = sp.request("openvino.RandomUniform-8", shape=shape, minval=low, maxval=high, **fields)
    if backend.claims(request) is not None:
        return None
    drawn = backend(request)["output"]
    # Without a type of NumPy's these are the bits.
    return drawn.view(request.dtype) if fields["output_type"] == "bf16" else drawn


def who(seed, arrays=500):
    """Arrays of any reading and of what is installed, of any type, shape and seed; half of them with their bounds. Then noise."""
    sources = [*sp.READINGS, *5 * list(installed())]
    chance = random.Random(seed)
    verdicts, asked, wrong, slowest, counted = {}, set(), 0, 0.0, 0
    while counted < arrays:
        reading, alignment = chance.choice(sources), chance.choice(["TENSORFLOW", "PYTORCH"])
        dtype = chance.choice(["f16", "bf16", "f32", "f64", "i32", "i64"])
        seeds = {"seed": chance.randrange(1, 2 ** chance.choice([4, 16, 32, 63])), "op_seed": chance.choice([0, chance.randrange(2**32)])}
        shape = chance.choice([(10,), (100,), (7, 11), (1000,), (100_000,), (10, 100, 100)])
        floats, integers = [(0, 1), (-1, 1), (0, 10), (-5, 100)], [(0, 10), (0, 1000), (-7, 100), (0, 2**31 - 1)]
        low, high = chance.choice(integers if dtype[0] == "i" else floats)
        try:
            backend = None
            if isinstance(reading, tuple):
                reading, backend = reading
                fields = {"output_type": dtype, "alignment": alignment, "global_seed": seeds["seed"], "op_seed": seeds["op_seed"]}
                drawn = by_backend(backend, shape, low, high, **fields)
                if drawn is None:
                    continue
                asked.add(backend.name)
            else:
                options = {"dtype": dtype, "alignment": alignment, "reading": reading}
                drawn = sp.random_uniform(shape, low, high, **options, **seeds)
        except sp.SeedproofError:
            continue
        bounds = {"low": low, "high": high} if chance.random() < 0.5 else {}
        began = time.perf_counter()
        found = sp.lab.who_drew(drawn, **seeds, **bounds)
        slowest = max(slowest, time.perf_counter() - began)
        verdicts[found.verdict] = verdicts.get(found.verdict, 0) + 1
        is_it = any(name.startswith(f"{reading}-") if backend else name == reading for name in found.names)
        wrong += found.verdict == "named" and not is_it
        counted += 1
    noise = 0
    for index in range(200):
        other = np.random.default_rng([seed, index])
        kinds = [lambda: other.random(1000, np.float32), lambda: other.random(1000), lambda: other.integers(0, 10, 1000, np.int32)]
        noise += sp.lab.who_drew(kinds[index % 3](), index).verdict != "unknown"
    print(f"who_drew: {counted} arrays by readings and {', '.join(sorted(asked))}: {verdicts}, {wrong} named wrongly, the slowest {slowest:.2f} s; of 200 arrays of noise {noise} are not unknown")


if __name__ == "__main__":
    print(f"seedproof {sp.__version__}, NumPy {np.__version__}, Python {sys.version.split()[0]}")
    large()
    small()
    who(int(sys.argv[1]) if len(sys.argv) > 1 else 7)
