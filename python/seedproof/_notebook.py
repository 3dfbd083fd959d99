"""Cases and findings as a notebook shows them."""

from html import escape

from .lab import differ

# Elements that are shown.
SHOWN = 8


def _table(head, rows) -> str:
    def cells(tag, row):
        return "".join(f"<{tag} style='text-align:left'>{escape(str(cell))}</{tag}>" for cell in row)

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f"<table><thead><tr>{cells('th', head)}</tr></thead><tbody>{body}</tbody></table>"


def _stages(case) -> str:
    stages = case.stages()
    if stages is None:
        return ""
    values, units = stages["value"].ravel(), stages["unit"]
    rows = []
    for index, (words, value) in enumerate(zip(stages["words"][:SHOWN], values[:SHOWN])):
        unit = "" if units is None else units.ravel()[index]
        rows.append((index, " ".join(f"{word:08x}" for word in words), unit, value))
    more = f"<p>… and {len(values) - SHOWN} more</p>" if len(values) > SHOWN else ""
    return _table(("element", "words", "unit interval", "value"), rows) + more


def case(case) -> str:
    head = f"<p><b>{escape(case.id)}</b><br>{escape(str(case.request))}<br>expects {escape(case.expects)}</p>"
    details = _table(("input", "value"), case.request.details)
    return f"<div>{head}{details}{_stages(case)}</div>"


def finding(finding) -> str:
    head = f"<p><b>{escape(finding.case.id)}</b>: {escape(finding.outcome)}<br>{escape(str(finding.case.request))}</p>"
    difference = finding.difference
    if difference is None:
        return f"<div>{head}<p>{escape(finding.message)}</p></div>"
    names = ("coordinates", "expected", "actual", "ulps")
    first = _table(("first difference at", *names[1:]), [[difference[name] for name in names]])
    count = f"<p>{differ(difference['differing'], difference['total'])}</p>"
    text = f"<pre>{escape(finding.text)}</pre>"
    return f"<div>{head}{count}{first}{_stages(finding.case)}{text}</div>"
