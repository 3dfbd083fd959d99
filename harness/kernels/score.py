"""Runs the kernels of a truth file and says which of them the diagnosis names: `python3 score.py others.json [NAME...]`.

The truth file has for each kernel its adapter, the value of BUG, the query, and the parts of the mistake in words. A part's
`fits` are regular expressions; a cause speaks of the part if one of them matches its name and sentence. The rule is that of
`README.md` beside this file. `--program` is the program to run, `--json FILE` keeps what each run said, and with
`--again FILE` nothing is run: what was kept is scored again. `--report FILE` runs all truth files beside this one and writes
reports/kernels.md. Needs NumPy.
"""

import argparse
import concurrent.futures
import json
import os
import re
import resource
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def command(kernel):
    """The adapter as an argument vector, built first where it is in C."""
    source = os.path.join(HERE, kernel["adapter"])
    if not source.endswith(".c"):
        return [sys.executable, source]
    program = os.path.join(tempfile.gettempdir(), f"seedproof-{os.path.basename(source)}-{os.getuid()}")
    if not os.path.exists(program) or os.path.getmtime(program) < os.path.getmtime(source):
        subprocess.run(["cc", "-O1", "-ffp-contract=off", "-o", program, source, "-lm"], check=True)
    return [program]


def run(program, kernel):
    """What `report.json` says of the kernel, and the seconds of CPU that the run took, adapter included."""
    with tempfile.TemporaryDirectory() as out:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        argv = [program, "run", "--out", out, *kernel["query"].split(), "--", *command(kernel)]
        done = subprocess.run(argv, env={**os.environ, "BUG": kernel["bug"], "SEEDPROOF": program}, capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode not in (0, 1):
            raise SystemExit(f"{argv} ended with {done.returncode}: {done.stderr[-2000:]}")
        with open(os.path.join(out, "report.json")) as file:
            found = json.load(file)["implementations"][0]
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    kept = ("name", "explained", "sentence", "only")
    causes = [{key: it[key] for key in kept} | {"cases": len(it["cases"]), "parts": [
        {key: part[key] for key in kept[::2]} for part in it["parts"]]} for it in found["causes"]]
    return {"failing": found["failing"], "causes": causes, "cpu": cpu}


def true_parts(cause, parts):
    """The parts of the mistake that a cause speaks of, each by another of its own; None where it is not true."""
    said = cause["parts"] or [cause]
    taken = []
    for part in said:
        text = f"{part['name']}: {part['sentence']}"
        short = len(part["sentence"].split()) <= 45
        free = [i for i, truth in enumerate(parts) if i not in taken and any(re.search(f, text) for f in truth["fits"])]
        if not (short and free):
            return None
        taken.append(free[0])
    return taken


def judged(kernel, found):
    """Whether the mistake is named, and the failing cases under true and under false causes."""
    parts = [p if isinstance(p, dict) else {"text": p, "fits": []} for p in kernel["parts"]]
    right, wrong, fitted = 0, 0, set()
    for cause in found["causes"]:
        if not cause["explained"]:
            continue
        fits = true_parts(cause, parts)
        if fits is None:
            wrong += cause["cases"]
        else:
            right += cause["cases"]
            fitted.update(fits)
    failing = found["failing"]
    named = failing > 0 and right >= 0.9 * failing and len(fitted) == len(parts) and wrong <= 0.05 * failing
    return named and found["cpu"] < 20, right, wrong


def scored(truth, args):
    """Scores the kernels of a truth file: one line for each, and the figures of all."""
    kept = json.load(open(args.again)) if args.again else {}
    named, failing, wrong, seconds, missed = 0, 0, 0, 0.0, []
    for name, kernel in truth.items():
        if args.again and name not in kept:
            continue
        found = kept[name] if args.again else run(args.program, kernel)
        kept[name] = found
        is_named, right, false = judged(kernel, found)
        named, failing, wrong, seconds = named + is_named, failing + found["failing"], wrong + false, seconds + found["cpu"]
        line = f"{'named ' if is_named else 'MISSED'} {name}: {right} of {found['failing']} true, {false} false, {found['cpu']:.1f} s"
        causes = "; ".join(f"{c['name']} [{c['cases']}{' ' + c['only'] if c['only'] else ''}]" for c in found["causes"])
        print(f"{line}: {causes[:600]}", flush=True)
        if not is_named:
            missed.append((name, right, false, found["failing"]))
        if args.json:
            with open(args.json, "w") as file:
                json.dump(kept, file)
    share = 100 * wrong / max(failing, 1)
    print(f"{named} of {len(kept)} named; false causes cover {wrong} of {failing} failing cases ({share:.1f} %); {seconds:.0f} s of CPU")
    return named, len(kept), wrong, failing, seconds, missed


HEAD = """# Kernels that share no code with the engines

Written by `python3 harness/kernels/score.py --report reports/kernels.md`, which runs each wrong kernel over its query.
[Its README](../harness/kernels/README.md) says who wrote them, and when one counts as named. reports/diagnosis.md has the
figures of the diagnosis's own candidates.

| kernels | named | of | failing cases under a false cause | CPU, s |
|---|---|---|---|---|
"""


def of_file(file, args):
    """The row of a truth file in the table, and its kernels that are not named."""
    with open(os.path.join(HERE, file)) as truth:
        named, all_, wrong, failing, seconds, not_named = scored(json.load(truth), args)
    row = f"| `{file}` | {named} | {all_} | {wrong} of {failing} | {seconds:.0f} |\n"
    missed = [f"* `{name}` ({file}): true causes cover {right} of {of}, false ones {false}\n" for name, right, false, of in not_named]
    return row, missed


def report(args):
    files = sorted(file for file in os.listdir(HERE) if file.endswith(".json"))
    # A process for each file: the seconds of CPU are those of a process's own children.
    with concurrent.futures.ProcessPoolExecutor(max_tasks_per_child=1) as pool:
        found = list(pool.map(of_file, files, [args] * len(files)))
    rows, missed = [row for row, _ in found], [line for _, lines in found for line in lines]
    with open(args.report, "w") as file:
        file.write(HEAD + "".join(rows) + "\nNot named:\n\n" + "".join(missed))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("truth", nargs="?")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--program", default=os.path.join(HERE, "..", "..", "target", "debug", "seedproof"))
    parser.add_argument("--json")
    parser.add_argument("--again")
    parser.add_argument("--report")
    args = parser.parse_intermixed_args()
    if args.report:
        report(args)
        return
    if args.truth is None:
        parser.error("name a truth file, or --report FILE")
    with open(args.truth) as file:
        scored({name: it for name, it in json.load(file).items() if not args.names or name in args.names}, args)


if __name__ == "__main__":
    main()
