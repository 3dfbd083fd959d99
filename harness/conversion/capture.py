"""What the drivers share: a model as it is measured, the capture file, and the guard around what may end the process.

A driver lists its models and calls `main`. Models are measured in a worker process, most of them in one together, and
once more in another process, for what changes from one to the next. A worker that dies has written which model it was
measuring and at which stage; that model is refused there, and all are measured again without that stage.
"""

import json
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

import numpy as np

CALLS = 3
# Where a seed is the time, it is the time in whole seconds.
SECOND = 1.1
# Shapes that an id does not name.
USUAL = ([8], [32], [1, 32])


class Refused(Exception):
    """Where on its path a model ends, and what was said."""

    def __init__(self, at, reason):
        super().__init__(str(reason))
        self.at, self.message = at, telling(str(reason))


@dataclass
class Model:
    """A source, a path, and how both are run.

    `start()` makes a fresh source and returns a function that draws once. `converter` converts, compiles and draws:
    `openvino.Converter` or one like it.
    """

    source: dict
    path: dict
    start: object
    converter: object
    # Known to end the process that runs it.
    dangerous: bool = False
    id: str = field(init=False)

    def __post_init__(self):
        own = {"framework", "op", "type", "shape", "seed", "seed2"}
        seeds = [str(self.source[key]) for key in ("seed", "seed2") if key in self.source]
        words = [key if value is True else f"{key}{spelled(value)}" for key, value in self.source.items() if key not in own]
        if self.source["shape"] not in USUAL:
            words.insert(0, "x".join(map(str, self.source["shape"])))
        parts = [self.source["framework"], self.source["op"], self.source["type"], "-".join(seeds + words)]
        parts += list(self.path.values())
        self.id = "/".join(part for part in parts if part)


def spelled(value):
    return re.sub(r"[\[\] ]", "", str(value).lower())


@dataclass
class Draw:
    """One output: the name of its type, and its bits element by element."""

    type: str
    bits: list

    def __str__(self):
        return " ".join([self.type, *self.bits])


TYPES = {
    "float16": "f16",
    "bfloat16": "bf16",
    "float32": "f32",
    "float64": "f64",
    "bool": "bool",
    "boolean": "bool",
    **{f"{word}{width}": f"{letter}{width}" for word, letter in (("int", "i"), ("uint", "u")) for width in (8, 16, 32, 64)},
}


def hexadecimal(array):
    """The bits of each element, row by row."""
    array = np.ascontiguousarray(array)
    width = array.dtype.itemsize
    words = array.reshape(-1).view(f"<u{width}")
    return [f"{int(word):0{2 * width}x}" for word in words]


def draw(array, name=None):
    array = np.asarray(array)
    name = name or str(array.dtype)
    return Draw(TYPES.get(name, name), hexadecimal(array))


# What says why, wherever it stands; then what never does.
KNOWN = ("No conversion rule", "[PyTorch Frontend]", "TF Select ops:", "neither a custom op nor a flex op")
ORNAMENT = re.compile(
    r"Exception from|Check '.*failed at|While validating|While compiling|Shape inference input|FrontEnd API failed|Model wasn't fully converted"
    r"|-- .* with a message|Exception happened during|-- Conversion is failed|Summary:|\[ (ERROR|INFO)|Traceback|File \""
)


def telling(text):
    """The line of a message that says why, without what differs from one machine to the next."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    known = [line for pattern in KNOWN for line in lines if pattern in line]
    plain = [line for line in lines if not ORNAMENT.match(line)]
    line = (known or plain or lines or ["no message"])[0].removeprefix("-- ")
    line = re.sub(r"^.*\berror: ", "", line)
    line = re.sub(r"0x[0-9a-f]{6,}", "ADDRESS", line)
    line = re.sub(r"(/[\w.+-]+){2,}/([\w.+-]+)", r"\2", line)
    return line[:200].rstrip()


def stage(at, function, *arguments):
    """Calls it; what it raises is a refusal at this stage."""
    journal(at)
    try:
        return function(*arguments)
    except Refused:
        raise
    except Exception as reason:
        raise Refused(at, str(reason) or type(reason).__name__) from reason


JOURNAL = {"file": None, "id": None}


def journal(at):
    if JOURNAL["file"]:
        JOURNAL["file"].write(json.dumps([JOURNAL["id"], at]) + "\n")
        JOURNAL["file"].flush()


def calls(function):
    return [function() for _ in range(CALLS)]


def same(one, other):
    return "same" if str(one) == str(other) else "other"


class Worker:
    """Measures models one after the other; what is done again waits until a second has gone by."""

    def __init__(self, fatal):
        self.fatal = fatal
        self.sources, self.conversions, self.records = {}, {}, {}

    def source(self, model):
        """The draws of a fresh source and the time, or its refusal; once for all paths."""
        # An op set decides on what an ONNX runtime has.
        version = model.path["mode"] if "opset" in model.path["mode"] else None
        key = json.dumps([model.source, version], sort_keys=True)
        if key not in self.sources:
            try:
                self.spare(model, "source")
                drawn = stage("source", lambda: calls(model.start()))
                self.sources[key] = [drawn, time.monotonic(), None]
            except Refused as reason:
                self.sources[key] = [None, None, reason]
        return self.sources[key]

    def spare(self, model, *stages):
        """Refuses what is known to end the process at one of these stages."""
        at, message = self.fatal.get(model.id, (None, None))
        if at in stages:
            raise Refused(at, message)

    def again(self, model):
        """Whether another fresh source draws the same first output."""
        source = self.source(model)
        if len(source) == 3:
            wait(source[1])
            source.append(same(stage("source", lambda: model.start()()), source[0][0]))
        return source[3]

    def conversion(self, model):
        """The converted model, once for all hints."""
        key = json.dumps([model.source, {**model.path, "hint": None}], sort_keys=True)
        if key not in self.conversions:
            try:
                self.conversions[key] = [stage("convert", model.converter.convert), None, time.monotonic()]
            except Refused as reason:
                self.conversions[key] = [None, reason, None]
        return self.conversions[key]

    def first(self, model):
        record = {"source": model.source, "path": model.path}
        self.records[model.id] = record
        drawn, _, absent = self.source(model)
        try:
            self.spare(model, "convert", "compile", "infer")
            converted, reason, _ = self.conversion(model)
            if reason:
                raise reason
            # Absent where the converter is the runtime itself; empty where nothing random is left.
            record["graph"] = model.converter.graph(converted)
            infer = stage("compile", model.converter.compile, converted)
            record["target_draws"] = stage("infer", calls, infer)
            record["at"] = time.monotonic()
        except Refused as reason:
            record["refused"] = {"at": reason.at, "message": reason.message}
        if drawn:
            record["source_draws"] = drawn
        elif "refused" not in record:
            record["refused"] = {"at": "source", "message": absent.message}

    def second(self, model):
        record = self.records[model.id]
        try:
            if "source_draws" in record:
                record["restarted"] = self.again(model)
            if "target_draws" not in record:
                return
            converter, entry = model.converter, self.conversion(model)
            wait(record.pop("at"))
            fresh = stage("infer", stage("compile", converter.compile, entry[0]))
            record["recompiled"] = same(fresh, record["target_draws"][0])
            if len(entry) == 3:
                wait(entry[2])
                entry.append(stage("convert", converter.convert))
            fresh = stage("infer", stage("compile", converter.compile, entry[3]))
            before = [str(record["target_draws"][0]), nameless(record["graph"])]
            record["reconverted"] = same([str(fresh), nameless(converter.graph(entry[3]))], before)
        except Refused as reason:
            record["refused"] = {"at": reason.at, "message": reason.message}


def nameless(graph):
    """Without the names, which no draw depends on and some converters count up."""
    return [{key: value for key, value in node.items() if key != "name"} for node in graph or []]


def wait(since):
    time.sleep(max(0.0, since + SECOND - time.monotonic()))


# The file.


def scalar(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return {"inf": ".inf", "-inf": "-.inf", "nan": ".nan"}.get(str(value), repr(value))
    if isinstance(value, int):
        return str(value)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(scalar, value))}]"
    if isinstance(value, dict):
        return flow(value)
    plain = re.fullmatch(r"[A-Za-z_][\w./:-]*|0x[0-9a-f]+", value) and value.lower() not in ("true", "false", "null", "yes", "no", "on", "off")
    return value if plain and not value.endswith(":") else json.dumps(value, ensure_ascii=False)


def flow(mapping):
    return "{" + ", ".join(f"{key}: {scalar(value)}" for key, value in mapping.items()) + "}"


def written(name, record):
    """The lines of one model."""
    lines = [f"- id: {name}", f"  source: {flow(record['source'])}", f"  path: {flow(record['path'])}"]
    if record.get("graph") is not None:
        lines += ["  graph:", *(f"  - {flow(node)}" for node in record["graph"])] if record["graph"] else ["  graph: []"]
    for key in ("source_draws", "target_draws"):
        if key in record:
            lines += [f"  {key}:", *(f"  - {drawn}" for drawn in record[key])]
        if key == "source_draws" and "restarted" in record:
            lines.append(f"  restarted: {record['restarted']}")
    lines += [f"  {key}: {record[key]}" for key in ("recompiled", "reconverted") if key in record]
    if "refused" in record:
        lines.append(f"  refused: {flow(record['refused'])}")
    return lines


# Packages whose distribution has another name.
DISTRIBUTIONS = {"tensorflow": "tensorflow-cpu"}


def document(packages, records):
    lines = [
        "# Measured. Bits are hexadecimal, most significant digit first.",
        "schema: 2",
        "provenance:",
        "  kind: capture",
        "  method: harness/conversion/run",
        f"  packages: {flow({name: version(DISTRIBUTIONS.get(name, name)).split('+')[0] for name in packages})}",
        f"  processor: {scalar(processor())}",
        "models:",
    ]
    for name, record in records:
        lines += written(name, record)
    return "\n".join(lines) + "\n"


def processor():
    """The instruction sets on which a target's arithmetic depends."""
    flags = set(Path("/proc/cpuinfo").read_text().split()) if Path("/proc/cpuinfo").exists() else set()
    known = ("avx2", "avx512f", "avx512_bf16", "avx512_fp16", "amx_bf16", "amx_fp16")
    return [flag for flag in known if flag in flags]


# The processes.


def work(models, fatal, journal_file, result):
    worker = Worker(fatal)
    with open(journal_file, "w") as JOURNAL["file"]:
        for phase in (worker.first, worker.second):
            for model in models:
                JOURNAL["id"] = model.id
                phase(model)
    for record in worker.records.values():
        for key in ("source_draws", "target_draws"):
            if key in record:
                record[key] = [str(drawn) for drawn in record[key]]
    Path(result).write_text(json.dumps(worker.records))


def guarded(models, known):
    """Measures models in a worker, until it comes through without the stages that end it."""
    fatal = {}
    while models:
        with tempfile.TemporaryDirectory() as folder:
            journal_file, result, task = (Path(folder) / name for name in ("journal", "result", "task"))
            task.write_text(json.dumps([[model.id for model in models], fatal]))
            command = [sys.executable, sys.argv[0], "--worker", task, journal_file, result]
            done = subprocess.run([str(word) for word in command], check=False)
            if result.exists():
                known.update(json.loads(result.read_text()))
                return
            lines = journal_file.read_text().splitlines() if journal_file.exists() else []
            if not lines:
                sys.exit(f"the worker ended with status {done.returncode} before its first model")
            name, at = json.loads(lines[-1])
        kind = "signal" if done.returncode < 0 else "status"
        message = f"the process ends with {kind} {abs(done.returncode)}"
        print(f"{name}: {message} at: {at}", file=sys.stderr)
        if name in fatal:
            sys.exit(f"{name}: ends the process at two stages")
        fatal[name] = (at, message)


def measured(models):
    """The records of all models, from one process and compared with another."""
    known, again = {}, {}
    for records in (known, again):
        guarded([model for model in models if not model.dangerous], records)
        for model in models:
            if model.dangerous:
                guarded([model], records)
    for name, record in known.items():
        other = again[name]
        if "restarted" in record and first(record, "source_draws") != first(other, "source_draws"):
            record["restarted"] = "other"
        drawn = [[first(run, "target_draws"), nameless(run.get("graph"))] for run in (record, other)]
        if "reconverted" in record and drawn[0] != drawn[1]:
            record["reconverted"] = "other"
    return known


def first(record, key):
    return record.get(key, [None])[0]


def main(models, packages, suffix=""):
    """Writes a file for each pair of source and target into the folder that the command line names."""
    names = [model.id for model in models]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        sys.exit(f"two models of one id: {', '.join(twice)}")
    if sys.argv[1] == "--worker":
        wanted, fatal = json.loads(Path(sys.argv[2]).read_text())
        return work([model for model in models if model.id in set(wanted)], fatal, sys.argv[3], sys.argv[4])
    folder, only = Path(sys.argv[1]), sys.argv[2:]
    models = [model for model in models if not only or any(word in model.id for word in only)]
    known = measured(models)
    folder.mkdir(parents=True, exist_ok=True)
    for pair in dict.fromkeys((model.source["framework"], model.path["target"]) for model in models):
        records = [(model.id, known[model.id]) for model in models if (model.source["framework"], model.path["target"]) == pair]
        framework, target = pair
        (folder / f"capture-{framework}-{target}{suffix}.yaml").write_text(document(packages[pair], records))
        refused = sum("refused" in record for _, record in records)
        print(f"{framework} to {target}: {len(records)} models, {refused} refused", file=sys.stderr)
