"""Report: the evidence behind a review, as JSON for `Review.details` and as Markdown for
readers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from revkit.model.review import Failure
from revkit.model.values import Json
from revkit.prompting import RoleUsage
from revkit_reviewground.audits import Audit
from revkit_reviewground.checks import Finding
from revkit_reviewground.findings import numbered
from revkit_reviewground.related_work import Literature
from revkit_reviewground.role_call import failure_json

_NAMES = {
    "drafter": "Drafter",
    "searcher": "Literature searcher",
    "summarizer": "Debriefs of related work",
    "miner": "Insight miner",
    "analyzer": "Result analyzer",
    "aggregator": "Aggregator",
    "correction": "Correction",
}
_LACKS = {
    "searcher": "related work",
    "miner": "contributions and method",
    "analyzer": "experiments and results",
}
_ROWS = 40

RoleState = Literal["done", "empty", "titles alone", "failed", "left out", "from a file"]
"""How a role went. "titles alone": works were found, and no abstract of one was read."""


def status(
    role: str,
    without: Sequence[str],
    failure: Failure | None,
    empty: bool,
    *,
    titles_alone: bool = False,
) -> RoleState:
    """Return the status of a grounding role."""
    if role in without:
        return "left out"
    if failure is not None:
        return "failed"
    if empty:
        return "empty"
    return "titles alone" if titles_alone else "done"


def role_json(
    state: RoleState, usage: RoleUsage | None, failure: Failure | None
) -> dict[str, Json]:
    """Return one role for the record."""
    row: dict[str, Json] = {"status": state}
    if usage is not None:
        row.update(usage.to_json())
    if failure is not None:
        row["failure"] = failure_json(failure)
    return row


def lacking(states: Mapping[str, RoleState]) -> list[str]:
    """Return a line for each source in which the review was not grounded, with the reason."""
    return [
        f"{_LACKS[role]} ({_NAMES[role].lower()}: {states[role]})"
        for role in _LACKS
        if states[role] != "done"
    ]


def markdown(
    evidence: Mapping[str, Any],
    left: Sequence[Finding],
    literature: Literature | None,
    audits: Mapping[str, Audit],
) -> str:
    """Return the evidence report of a review. Texts by others are on separate lines and without
    line breaks, so that they cannot look like a part of the report.
    """
    lines = ["Evidence:"]
    lines.extend(f"- Not grounded in {each}" for each in evidence["not-grounded-in"])
    for name, role in evidence["roles"].items():
        lines.append(f"- {_NAMES[name]}: {_role_line(role)}")
    lines.extend(_findings_lines(evidence, left))
    numbers = evidence["scores"]
    for change in numbers["changed"]:
        kept = "" if numbers["kept"] == "aggregator" else ", not kept"
        lines.append(
            f"- Score {change['field']}: {change['draft']} in the draft, "
            f"{change['aggregator']} by the aggregator{kept}"
        )
    for name, reading in evidence["reading"].items():
        notes = (_line(note, 300) for note in reading["notes"])
        lines.extend(f"- Read by the {_NAMES[name].lower()}: {note}" for note in notes)
    for name, audit in audits.items():
        lines.extend(f"- {_NAMES[name]}: {_line(note, 200)}" for note in audit.notes)
        for each in audit.unsupported:
            message = _line(f"{each.excerpt}: {each.message}", 300)
            lines.append(
                f"- Evidence of the {_NAMES[name].lower()} that the paper lacks: {message}"
            )
    if literature is not None:
        lines.extend(_literature_lines(literature))
    return "\n".join(lines)


def _role_line(role: Mapping[str, Any]) -> str:
    parts = [str(role["status"])]
    if "calls" in role:
        calls = "1 call" if role["calls"] == 1 else f"{role['calls']} calls"
        failed = f" and {role['failed-calls']} failed" if role["failed-calls"] else ""
        parts.append(f"{role['model']}, {calls}{failed}")
        if role["prompt-tokens"] is not None and role["completion-tokens"] is not None:
            parts.append(
                f"{role['prompt-tokens']} tokens read, {role['completion-tokens']} written"
            )
    if "failure" in role:
        parts.append(f"{role['failure']['kind']}: {_line(role['failure']['detail'], 200)}")
    return "; ".join(parts)


def _findings_lines(evidence: Mapping[str, Any], left: Sequence[Finding]) -> list[str]:
    found = evidence["findings"]
    if found is None:
        return ["- The review was not checked against the paper"]
    lines = [
        f"- Checks: {len(found['first'])} findings at first, {len(found['fixed'])} of them fixed, "
        f"{len(found['remaining'])} at last (corrections: {found['corrections']})"
    ]
    for key, what in (("correction-failed", "A correction"), ("check-failed", "A check")):
        if key in found:
            failure = found[key]
            message = _line(failure["detail"], 200)
            lines.append(f"- {what} failed; {failure['kind']}: {message}")
    for mark, each in numbered(left):
        lines.append(f"- [{mark}] {each.field}: {_line(each.message, 400)}")
    return lines


def _literature_lines(literature: Literature) -> list[str]:
    lines = []
    read = literature.read
    if read.works:
        lines.append(
            f"- Read of {read.works} related works: {read.reported} abstracts; of the others "
            "the title alone"
            if read.reported < read.works
            else f"- Read of {read.works} related works: all abstracts"
        )
    if literature.keywords:
        lines.append("- Searched for: " + "; ".join(_line(k, 120) for k in literature.keywords))
    for reason, count in sorted(literature.dropped.items()):
        lines.append(f"- Works not taken, {reason}: {count}")
    for each in literature.works[:_ROWS]:
        year = each.work.year if each.work.year is not None else "year not known"
        where = f", {_line(each.work.identifier, 80)}" if each.work.identifier else ""
        failed = " (debrief failed)" if isinstance(each.debrief, Failure) else ""
        failed = " (title alone)" if each.debrief is None else failed
        lines.append(f"- Related work: {_line(each.work.title, 200)} ({year}{where}){failed}")
    return lines


def _line(text: str, most: int) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= most else plain[: most - 1] + "…"
