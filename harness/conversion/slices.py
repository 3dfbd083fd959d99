"""What OpenVINO makes of the slice that its rule of a dropout leaves, in random chains of ops of PyTorch: whether `seedproof convert`
says of no chain that it is refused, or that it is not, where OpenVINO does the other.

Usage: slices.py PROGRAM [COUNT [SEED]]

Prints a line for each statement that is wrong, and how many chains are said to be refused perhaps. Exits 1 if a statement is wrong.
"""

import collections
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import openvino
import torch

functional, ones = torch.nn.functional, torch.ones


def extents(rng, x):
    """Extents with the elements of `x`, of which one may be left open."""
    left, sizes = x.numel(), []
    while left > 1 and len(sizes) < 3:
        size = rng.choice([size for size in range(1, left + 1) if left % size == 0])
        sizes, left = [*sizes, size], left // size
    sizes.append(left)
    if rng.random() < 0.5:
        sizes[rng.randrange(len(sizes))] = -1
    return sizes


def step(rng, x):
    """An op on `x` with its name; the shape of `x` decides which arguments it has."""
    rank, axis = x.dim(), rng.randrange(-x.dim(), x.dim()) if x.dim() else 0
    last = x.shape[-1] if rank else 1
    order, sizes, keeps, rows = rng.sample(range(rank), rank), extents(rng, x), rng.random() < 0.5, rng.choice([1, 3])
    ops = {
        "relu": torch.relu,
        "gelu": functional.gelu,
        "add": lambda x: x + 1.0,
        "residual": lambda x: x + torch.sin(x),
        "mul_row": lambda x: x * ones(x.shape[-1:]),
        "mul_whole": lambda x: x * ones(x.shape),
        "dropout": lambda x: functional.dropout(x, 0.5, True),
        "softmax": lambda x: x.softmax(axis),
        "log_softmax": lambda x: x.log_softmax(axis),
        "mean": lambda x: x.mean(axis, keepdim=keeps),
        "sum": lambda x: x.sum(axis, keepdim=keeps),
        "mean_of_all": lambda x: x.mean(),
        "unsqueeze": lambda x: x.unsqueeze(axis),
        "squeeze": lambda x: x.squeeze(axis),
        "select": lambda x: x.select(axis, 0),
        "flatten": lambda x: x.flatten(axis % rank if rank else 0),
        "view": lambda x: x.reshape(sizes),
        "rows": lambda x: x.reshape(x.shape[0], -1),
        "permute": lambda x: x.permute(order),
        "transpose": lambda x: x.transpose(axis, 0),
        "linear": lambda x: functional.linear(x, ones(rows, last), ones(rows)),
        "matmul": lambda x: x @ ones(last, 3),
        "layer_norm": lambda x: functional.layer_norm(x, x.shape[-rows:], ones(x.shape[-rows:])),
        "conv1d": lambda x: functional.conv1d(x, ones(rows, x.shape[-2], 1)),
        "conv2d": lambda x: functional.conv2d(x, ones(rows, x.shape[-3], 1, 1)),
        "batch_norm": lambda x: functional.batch_norm(x, ones(x.shape[1]), ones(x.shape[1])),
        "max_pool2d": lambda x: functional.max_pool2d(x, 2),
        "avg_pool2d": lambda x: functional.avg_pool2d(x, 2),
        "adaptive_avg_pool2d": lambda x: functional.adaptive_avg_pool2d(x, 1),
        "cat": lambda x: torch.cat([x, torch.cos(x)], axis),
        "cat_with_whole": lambda x: torch.cat([x, ones(x.shape)], axis),
        "chunk": lambda x: x.chunk(2, axis)[0],
        "narrow": lambda x: x.narrow(axis, 0, 1),
    }
    name = rng.choice(list(ops))
    return name, ops[name]


class Chain(torch.nn.Module):
    def __init__(self, steps):
        super().__init__()
        self.steps = steps

    def forward(self, x):
        x = functional.dropout(x, 0.5, True)
        for _, op in self.steps:
            x = op(x)
        return x


def chain(rng):
    """A chain that PyTorch runs, and its input."""
    shape = [rng.choice([1, 2, 3, 4]) for _ in range(rng.randrange(1, 5))]
    given = torch.linspace(-1, 1, torch.Size(shape).numel()).reshape(shape)
    steps, x = [], given
    while len(steps) < 4:
        named = step(rng, x)
        try:
            made = named[1](x)
        except (RuntimeError, ValueError, IndexError):
            continue
        if not 0 < made.numel() <= 256:
            continue
        steps, x = [*steps, named], made
        # OpenVINO refuses axes of a scalar without a dropout too.
        if made.dim() == 0 or rng.random() < 0.3:
            break
    return Chain(steps), given


def refusal(exported, given):
    """Why OpenVINO refuses a program, or None."""
    try:
        compiled = openvino.compile_model(openvino.convert_model(exported, example_input=(given,)), "CPU")
        compiled([given.numpy()])
    except Exception as reason:
        return str(reason) or type(reason).__name__
    return None


def told(program, path):
    """Whether the program says that the model is refused; None if it leaves that open."""
    ended = subprocess.run([program, "convert", path, "--json"], check=False, capture_output=True, text=True)
    if ended.returncode > 1:
        raise SystemExit(ended.stderr.strip())
    document = json.loads(ended.stdout)
    (way,) = [way for way in document["paths"] if way["to"] == "OpenVINO"]
    if way["whole"]["verdict"] == "refused":
        return True
    return None if "may refuse" in json.dumps(document["ops"]) else False


def main(program, count="300", seed="1"):
    program, rng, wrong, open_after = Path(program).resolve(), random.Random(int(seed)), 0, collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(int(count)):
            module, given = chain(rng)
            exported, path = torch.export.export(module, (given,)), Path(folder, f"{number}.pt2")
            torch.export.save(exported, path)
            real, answer = refusal(exported, given), told(program, path)
            if answer is None:
                open_after[bool(real)] += 1
            elif answer != bool(real):
                wrong += 1
                names = " ".join(name for name, _ in module.steps)
                print(f"WRONG {list(given.shape)} {names}: said to be {'refused' if answer else 'taken'}; OpenVINO: {(real or 'takes it').strip()[-150:]!r}", flush=True)
            path.unlink()
    print(f"{count} chains, {wrong} wrong; of {sum(open_after.values())} nothing is claimed, {open_after[True]} of which OpenVINO refuses")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
