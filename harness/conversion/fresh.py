"""Fresh models: whether `seedproof convert` shows what the real packages draw, at both ends and in three inferences.

Each model has one random op, is written to a file and read from there by all. A value that is shown must be the one that the
package draws, a verdict must be that of the packages' outputs, and a refusal must be theirs. A driver of fresh models has a
function that makes one: what to count it as, its description, its file, and the outputs of each package by its name in
`seedproof convert`.
"""

import collections
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from capture import Refused, calls, stage


def outputs(at, start):
    """What a package draws in three inferences, or that it refuses."""
    try:
        return [str(drawn) for drawn in stage(at, lambda: calls(start()))]
    except Refused as reason:
        return reason


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
            # A few coins fall alike by chance, and samples of one class in any case.
            kinds, count = len(set(real["source"][number].split()[1:])), len(real["source"][number].split())
            chance = kinds <= 1 or kinds == 2 and count < 40
            if same != (cell["verdict"] == "same-bits") and not (same and chance):
                yield f"inference {number}: {cell['verdict']}, and the packages draw {'the same' if same else 'other bits'}"


def main(make):
    """Usage of a driver: PROGRAM COUNT SEED."""
    program, count, chance = Path(sys.argv[1]).resolve(), int(sys.argv[2]), random.Random(int(sys.argv[3]))
    tally, wrong = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(count):
            op, what, told, path, drawn = make(chance, Path(folder, str(number)))
            answer = subprocess.run([program, "convert", path, "--hint", "f32", "--json", "--elements", "1000000"], check=False, capture_output=True, text=True)
            if answer.returncode > 1:
                raise SystemExit(f"{told}: {answer.stderr}")
            tally[f"models of {op}"] += 1
            for way in json.loads(answer.stdout)["ops"][0]["paths"]:
                if way["from"] not in drawn or way["to"] not in drawn:
                    continue
                for fault in faults(way, drawn, what, tally):
                    wrong += 1
                    print(f"{told[:300]}, {way['from']} to {way['to']}: {fault}")
    for what, times in sorted(tally.items()):
        print(f"{times:6} {what}")
    print(f"{count} models, {wrong} faults")
    sys.exit(1 if wrong else 0)
