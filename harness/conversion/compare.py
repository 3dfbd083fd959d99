"""Two capture files of the same pair: which models differ. What is not repeatable is not compared, and neither is what depends
on the instruction sets of the processor where these are others."""

import re
import sys

# The parts of a capture that change with each source, compilation or conversion.
UNSETTLED = {
    "restarted": ("source_draws",),
    "recompiled": ("target_draws",),
    "reconverted": ("target_draws", "graph"),
}


def models(path):
    """The fields of each model, by id: name to lines."""
    found, fields, name = {}, None, None
    for line in path.read_text().splitlines():
        if line.startswith("- id: "):
            fields = found[line.removeprefix("- id: ")] = {}
        elif fields is not None and (start := re.match(r"  (\w+):", line)):
            name = start[1]
            fields[name] = [line]
        elif fields is not None:
            fields[name].append(line)
    return found


def settled(fields, others):
    """The fields that must be equal: those that neither run found to change."""
    # `seedproof gen` writes errata and verdicts, which are not measured.
    left = {name: lines for name, lines in fields.items() if name not in ("errata", "verdicts")}
    for key, unsettled in UNSETTLED.items():
        if any(f"  {key}: other" in run.get(key, []) for run in (fields, others)):
            for field in unsettled:
                left.pop(field, None)
    return left


def head(path):
    return path.read_text().split("models:")[0].splitlines()


def differences(committed, fresh):
    """A line for each model that differs, and for what else does."""
    if not committed.exists():
        yield f"{committed.name}: not committed"
        return
    other_processor = False
    for line in head(fresh):
        if line in head(committed):
            continue
        if line.startswith("  processor:"):
            other_processor = True
            print(f"{committed.name}: {line.strip()}: models with another hint than f32 are not compared", file=sys.stderr)
        else:
            yield f"{committed.name}: measured with other {line.strip()}"
    old, new = models(committed), models(fresh)
    for name in dict.fromkeys([*old, *new]):
        if name not in new or name not in old:
            yield f"{name}: {'no longer measured' if name in old else 'not committed'}"
            continue
        if other_processor and "hint: f32" not in "".join(new[name].get("path", [])):
            continue
        one, other = settled(old[name], new[name]), settled(new[name], old[name])
        fields = [field for field in dict.fromkeys([*one, *other]) if one.get(field) != other.get(field)]
        if fields:
            yield f"{name}: {', '.join(fields)}"
