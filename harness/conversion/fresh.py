"""Fresh ONNX models: whether `seedproof convert` shows what the real packages draw, at both ends and in three inferences.

Usage: fresh.py PROGRAM COUNT SEED

Each model has one random op, is written to a file and read from there by all. A value that is shown must be the one that the
package draws, a verdict must be that of the packages' outputs, and a refusal must be theirs.
"""

import collections
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx

import openvino_target
from capture import Refused, calls, stage
from onnx_driver import evaluator, model, session, single

FLOATS = ("f32", "f32", "f64", "f16")


def seed(chance):
    return single(
        chance.choice(
            [
                float(chance.randrange(1, 1000)),
                chance.uniform(0.0, 100.0),
                chance.uniform(-1e4, 1e4),
                chance.uniform(0.0, 1e10),
                float(chance.randrange(1, 1 << 32)),
            ]
        )
    )


def extents(chance):
    shape = [chance.choice((1, 2, 3, 5, 8, 17)) for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 4, 7)))]
    return [chance.randrange(1, 1500)] if np.prod(shape) > 4000 else shape


def form(chance):
    """A form of `onnx_driver`, and the op set."""
    op = chance.choice(["RandomUniform", "RandomNormal", "RandomUniformLike", "RandomNormalLike", "Bernoulli", "Bernoulli", "Multinomial", "Multinomial"])
    made = {"op": op, "type": chance.choice(FLOATS), "shape": extents(chance)}
    if "Uniform" in op:
        low = chance.uniform(-10.0, 10.0)
        made |= {"low": single(low), "high": single(low + chance.uniform(0.1, 100.0))}
    elif "Normal" in op:
        # A scale that is not positive ends the process of ONNX Runtime.
        made |= {"mean": single(chance.choice((0.0, chance.uniform(-5.0, 5.0)))), "scale": single(chance.choice((1.0, chance.uniform(0.1, 9.0))))}
    elif op == "Bernoulli":
        made |= {"type": chance.choice((*FLOATS, "i32", "i64", "u8", "bool")), "input_type": chance.choice(FLOATS)}
        one = chance.choice((0.0, 0.5, 1.0, chance.random()))
        many = chance.random() < 0.5
        made["p"] = [chance.random() if many else one for _ in range(int(np.prod(made["shape"])))]
    else:
        rows, classes, samples = chance.randrange(1, 4), chance.randrange(1, 30), chance.randrange(1, 60)
        made |= {"type": chance.choice(("i32", "i64")), "input_type": chance.choice(FLOATS), "shape": [rows, samples], "samples": samples}
        made["logits"] = [chance.gauss(0.0, 2.0) for _ in range(rows * classes)]
    if chance.random() < 0.95:
        made["seed"] = 0.0 if chance.random() < 0.03 else seed(chance)
    return made, chance.choice((7, 11, 15, 15, 15, 17, 20, 21, 22)) if op != "Bernoulli" else chance.choice((15, 15, 17, 21, 22))


def listed(content, chance):
    """The same model, in half of the cases with its constants as lists of numbers and not as bytes."""
    if chance.random() < 0.5:
        return content
    read = onnx.load_from_string(content)
    for tensor in read.graph.initializer:
        array = onnx.numpy_helper.to_array(tensor)
        tensor.CopyFrom(onnx.helper.make_tensor(tensor.name, tensor.data_type, array.shape, array.ravel()))
    return read.SerializeToString()


def outputs(at, start):
    """What a package draws in three inferences, or that it refuses."""
    try:
        return [str(drawn) for drawn in stage(at, lambda: calls(start()))]
    except Refused as reason:
        return reason


def measured(path, inputs):
    """The outputs of each package by its name in `seedproof convert`."""
    converter = openvino_target.Converter(lambda: openvino_target.CORE.read_model(path), "f32", list(inputs.values()))
    content = path.read_bytes()
    return {
        "ONNX Runtime": outputs("compile", lambda: session(str(path), inputs)),
        "ONNX reference evaluator": outputs("source", lambda: evaluator(content, inputs)),
        "OpenVINO": outputs("convert", lambda: converter.compile(converter.convert())),
    }


def faults(way, drawn, what, tally):
    """What a path of the answer says otherwise than the packages."""
    real = {"source": drawn[way["from"]], "target": drawn[way["to"]]}
    cells = way["inferences"]
    refused = isinstance(real["target"], Refused)
    if not cells or (cells[0]["verdict"] == "refused") != refused:
        yield f"the verdict is {cells and cells[0]['verdict']}, and the package {'refuses: ' + real['target'].message if refused else 'draws'}"
        return
    for number, cell in enumerate(cells):
        for end, package in (("source", way["from"]), ("target", way["to"])):
            if isinstance(real[end], Refused):
                if cell[end]:
                    yield f"inference {number} of {package}: values of an op that it refuses: {real[end].message}"
                continue
            shown = cell[end] and cell[end]["bits"]
            tally[f"{package}: {'shown' if shown else f'not shown, {what}'}"] += 1
            if shown and shown != real[end][number]:
                yield f"inference {number} of {package}: {shown[:60]} for {real[end][number][:60]}"
        if not any(isinstance(ends, Refused) for ends in real.values()):
            same = real["source"][number] == real["target"][number]
            tally["verdicts of both ends"] += 1
            # A few coins fall alike by chance.
            chance = len(set(real["source"][number].split()[1:])) <= 2 and len(real["source"][number].split()) < 40
            if same != (cell["verdict"] == "same-bits") and not (same and chance):
                yield f"inference {number}: {cell['verdict']}, and the packages draw {'the same' if same else 'other bits'}"


def main(program, count, start):
    chance, tally, wrong = random.Random(start), collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(count):
            made, opset = form(chance)
            content, inputs = model(made, opset)
            path = Path(folder, f"{number}.onnx")
            path.write_bytes(listed(content, chance))
            answer = subprocess.run([program, "convert", path, "--hint", "f32", "--json", "--elements", "1000000"], check=False, capture_output=True, text=True)
            if answer.returncode > 1:
                raise SystemExit(f"{made}, opset {opset}: {answer.stderr}")
            drawn = measured(path, inputs)
            tally[f"models of {made['op']}"] += 1
            what = f"{made['op']} {made['type']}" if made.get("seed") else "no seed, or 0"
            for way in json.loads(answer.stdout)["ops"][0]["paths"]:
                for fault in faults(way, drawn, what, tally):
                    wrong += 1
                    print(f"{str(made)[:300]}, opset {opset}, {way['from']} to {way['to']}: {fault}")
    for what, times in sorted(tally.items()):
        print(f"{times:6} {what}")
    print(f"{count} models, {wrong} faults")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), int(sys.argv[2]), int(sys.argv[3])))
