"""The scoreboard: what reports say of real implementations, and what explains it.

A finding is explained when it passes, when a named reading gives the same answer, or when the expectation file of the
implementation expects it, which `seedproof run --expect` decides.
"""

import collections
import json
import re
from dataclasses import dataclass, replace

FEATURES = ["avx2", "fma", "f16c", "avx512f", "avx512_bf16", "avx512_fp16", "amx_bf16"]


@dataclass(frozen=True)
class Finding:
    """The outcome of one case, every reading that gives the same answer, and why it is expected, if it is."""

    outcome: str
    readings: tuple = ()
    message: str = ""
    expected: str | None = None

    def under(self, reading):
        """A finding of a run that was held against another reading than `spec`."""
        return replace(self, outcome="other-reading", readings=(reading,)) if self.outcome == "pass" else self


def read_report(path):
    """The header of the run of one implementation, and its findings by case."""
    report = json.loads(path.read_text(encoding="utf-8"))
    findings = {case: Finding(outcome) for case, by_id in report["outcomes"].items() for outcome in by_id.values()}
    for failure in report["failures"]:
        it = failure["finding"]
        message = it.get("message", "")
        findings[it["case"]] = Finding(it["outcome"], tuple(it.get("readings", [])), message, failure.get("expected"))
    return report["runs"][0], findings


def attribute(findings):
    """How many findings each reading explains: first the one that explains most, then that of what is left."""
    left = [finding.readings for finding in findings.values() if finding.outcome == "other-reading"]
    explained = {}
    while left:
        counts = collections.Counter(reading for readings in left for reading in readings)
        best = min(counts, key=lambda reading: (-counts[reading], reading))
        explained[best] = counts[best]
        left = [readings for readings in left if best not in readings]
    return explained


def own_reading(findings):
    return next(iter(attribute(findings)), None)


def row(name, header, findings, reasons):
    """What the scoreboard says of one implementation, whose expectation file has these reasons."""
    implementation = header["implementations"][0]
    failures = {case: it for case, it in sorted(findings.items()) if it.outcome not in ("pass", "other-reading", "unsupported")}
    used = collections.Counter((it.expected, it.outcome) for it in failures.values() if it.expected)
    # Of rng_bit_generator, `spec` says what XLA answers: the row of jax shows it.
    compiled = [finding.outcome for case, finding in findings.items() if case.startswith("shlo/") and finding.outcome != "unsupported"]
    of_xla = {"xla": {"asked": len(compiled), "alike": compiled.count("pass")}} if compiled else {}
    return {
        "name": name,
        "version": re.sub(r" \(.*", "", implementation["description"]),
        "corpus": header["corpus"]["cases"],
        "corpus_hash": header["corpus"]["hash"],
        "claimed": sum(finding.outcome != "unsupported" for finding in findings.values()),
        "passed": sum(finding.outcome == "pass" for finding in findings.values()),
        "readings": attribute(findings),
        "expected": [{"outcome": outcome, "cases": cases, "reason": reason} for (reason, outcome), cases in used.items()],
        "unused": [reason for reason in reasons if all(reason != other for other, _ in used)],
        "unexplained": [f"{case}: {it.outcome}: {it.message}" for case, it in failures.items() if not it.expected],
        **of_xla,
    }


def line(row):
    if "not_run" in row:
        return f"{row['name']}: not run: {row['not_run']}"
    if "passed" not in row:
        return f"{row['name']}: {row['fresh']['alike']} / {row['fresh']['asked']} fresh requests as {row['fresh']['reading']}"
    others = "".join(f"\n  unexplained: {finding}" for finding in row["unexplained"])
    others += "".join(f"\n  an expectation that no finding needs here: {reason}" for reason in row["unused"])
    return f"{row['name']}: {row['passed']} / {row['claimed']} / {row['corpus']}, {len(row['unexplained'])} unexplained{others}"


def processor():
    """The instruction sets of this machine that change what implementations answer."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            flags = next((text.split(":")[1].split() for text in file if text.startswith("flags")), [])
    except OSError:
        flags = []
    return [feature for feature in FEATURES if feature in flags]


def document(rows):
    """The JSON document."""
    return json.dumps({"schema": 1, "processor": processor(), "implementations": rows}, indent=2, ensure_ascii=False) + "\n"


def verdict(figures):
    return ("yes, " if figures["alike"] == figures["asked"] else "no, ") + "{alike:,} of {asked:,}".format(**figures)


def markdown(rows):
    """The Markdown document."""
    ran = [row for row in rows if "not_run" not in row]
    lacks = [feature for feature in FEATURES if feature not in processor()]
    out = [
        "# Scoreboard",
        "",
        "Real implementations over the whole corpus, each answer held against the reading `spec`. `harness/adapters/run-all`",
        "writes this page; `harness/adapters/README.md` says what each adapter claims.",
        "",
        f"Processor: x86-64 with {', '.join(processor()) or 'none of ' + ', '.join(FEATURES)}"
        + (f"; without {', '.join(lacks)}." if lacks else "."),
        f"Corpus: {ran[0]['corpus']} cases, `{ran[0]['corpus_hash'][:16]}`." if ran else "Nothing was run.",
        "",
        "| run | implementation | passed | claimed | corpus | as another reading | expected otherwise | unexplained | fresh requests | XLA's bits |",
        "|---|---|---:|---:|---:|---|---:|---:|---:|---|",
    ]
    for row in rows:
        if "not_run" in row:
            out.append(f"| {row['name']} | not run: {row['not_run']} | | | | | | | | |")
            continue
        readings = ", ".join(f"{count} {name}" for name, count in row["readings"].items()) or "0"
        expected = sum(entry["cases"] for entry in row["expected"])
        cells = [row["name"], row["version"], row["passed"], row["claimed"], row["corpus"], readings, expected, len(row["unexplained"])]
        cells.append("{alike:,} of {asked:,}".format(**row["fresh"]) if "fresh" in row else "")
        cells.append(verdict(row["xla"]) if "xla" in row else "")
        out.append("| " + " | ".join(map(str, cells)) + " |")
    fresh = [row["fresh"] for row in ran if "fresh" in row]
    alike, asked = (sum(figures[key] for figures in fresh) for key in ("alike", "asked"))
    out += [
        "",
        f"*fresh requests*: of {asked:,} random requests that are in no corpus, asked of {len(fresh)} implementations, {alike:,} are",
        "answered as the reading says that describes the implementation, bit by bit (`run-all --update --sweep N NAME…`).",
        "",
        "*XLA's bits*: whether a compiler gives them: of the cases of `stablehlo.rng_bit_generator` that it claims, those that it",
        "answers as XLA does, which is what `spec` says.",
        "",
        "*claimed*: the cases that the adapter announces; what is not announced is never sent. *as another reading*: wrong",
        "under `spec`, and right, bit for bit, under the named one; cases that are only about other readings are held",
        "against the one that explains the implementation best. *expected otherwise*: explained below.",
    ]
    for row in ran:
        if row["expected"]:
            out += ["", f"## {row['name']}", ""]
            out += [f"* {entry['cases']} `{entry['outcome']}`: {entry['reason']}" for entry in row["expected"]]
        if row["unexplained"]:
            out += ["", f"## {row['name']}: unexplained", ""] + [f"* {finding}" for finding in row["unexplained"]]
    return "\n".join(out) + "\n"
