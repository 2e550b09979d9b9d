"""Read an evaluator's reply, which must answer each key point once and quote the review."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from revkit.dataclass import dataclass
from revkit.model.values import Json
from revkit_reviewbench.checklists import Checklist
from revkit_reviewbench.quotation import fold, quoted_in
from revkit_reviewbench.scoring import FaultVerdict, PointVerdict

LEAST = 3  # words of a quotation: fewer occur in any review
# How models fill in a text that should be empty.
_NOTHING = ("", "-", "none", "n/a", "na", "null", "no", "nothing", "not applicable")


@dataclass(frozen=True)
class EvaluatorReply:
    """Valid verdicts, one for each key point, in order; ``points`` contains them with
    quotations.
    """

    points: tuple[Json, ...]
    merits: tuple[PointVerdict, ...] = ()
    faults: tuple[FaultVerdict, ...] = ()


def merits_of(data: Json, checklist: Checklist, review: str) -> EvaluatorReply | tuple[str, ...]:
    """Return the verdicts on the key points of a positive dimension, or the fault of the reply."""
    rows, problems = _rows(data, "verdicts", len(checklist.points))
    text = fold(review)
    merits, points = [], []
    for number, (point, row) in enumerate(zip(checklist.points, rows, strict=False), 1):
        verdict, evidence = row["verdict"], row["evidence"]
        wrong, claim = row["material_error"], row["false_claim"]
        if verdict != "not" and not quoted_in(evidence, text, LEAST):
            problems.append(_missing_quote(number, f"the verdict {verdict!r}", evidence))
        if wrong and not quoted_in(claim, text, LEAST):
            problems.append(_missing_quote(number, "material_error", claim))
        if not wrong and not _is_nothing(claim):
            problems.append(f"key point {number}: false_claim is given, material_error is false")
        merits.append(PointVerdict(verdict, point.minor, wrong))
        points.append({"point": point.point, **_verdict_json(row)})
    return tuple(problems) if problems else EvaluatorReply(tuple(points), merits=tuple(merits))


def faults_of(data: Json, checklist: Checklist, review: str) -> EvaluatorReply | tuple[str, ...]:
    """Return the verdicts on the faults of the pitfall, or the fault of the reply."""
    rows, problems = _rows(data, "faults", len(checklist.points))
    text = fold(review)
    faults, points = [], []
    for number, (point, row) in enumerate(zip(checklist.points, rows, strict=False), 1):
        shown, severe = row["shown"], row["severe"]
        if shown and not quoted_in(row["evidence"], text, LEAST):
            problems.append(_missing_quote(number, "shown", row["evidence"]))
        if severe and not shown:
            problems.append(f"key point {number}: it is severe, but not shown")
        faults.append(FaultVerdict(shown, severe))
        points.append({"point": point.point, **_verdict_json(row)})
    return tuple(problems) if problems else EvaluatorReply(tuple(points), faults=tuple(faults))


def _rows(data: Json, name: str, count: int) -> tuple[list[Mapping[str, Any]], list[str]]:
    """Return the rows by number, and a problem unless there is exactly one for each key point."""
    rows: Any = data.get(name) if isinstance(data, Mapping) else None
    if not isinstance(rows, list):
        return [], [f'the field "{name}" is missing']
    numbers = [row["number"] for row in rows]
    if sorted(numbers) != list(range(1, count + 1)):
        return [], [f"expected one object for each key point from 1 to {count}, got {numbers}"]
    return sorted(rows, key=lambda row: int(row["number"])), []


def _is_nothing(text: str) -> bool:
    return text.strip(" \t\n.()[]\"'").casefold() in _NOTHING


def _missing_quote(number: int, what: str, quote: str) -> str:
    message = f"{quote[:200]!r} is not there" if quote.strip() else "there is none"
    return (
        f"key point {number}: {what} needs a quotation of {LEAST} words or more from the review; "
        f"{message}"
    )


def _verdict_json(row: Mapping[str, Any]) -> dict[str, Json]:
    return {key: value for key, value in row.items() if key != "number"}
