"""Findings of the checks: sent to the aggregator, and marked in the review."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from revkit.forms import Form
from revkit.model.paper import Paper
from revkit.model.values import Json
from revkit_reviewground.checks import Finding, check_review
from revkit_reviewground.scores import Breach

# The findings that the aggregator gets and that are marked; others are only recorded.
VIOLATIONS = ("false", "suspect")
_CLOSING = "\"'”’»*_`"
_MOST_LISTED = 40
_NOT_THERE = " [not found in the paper]"
_NO_EVIDENCE = "not_found_in_text"


def violations(found: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the findings for which a review should be corrected."""
    return tuple(each for each in found if each.certainty in VIOLATIONS)


def findings_json(found: Sequence[Finding], broken: Sequence[Breach]) -> str:
    """Return findings and violations of the score policy in the form that the aggregator reads."""
    items: list[Json] = [
        {"field": each.field, "passage": each.excerpt, "wrong": each.message}
        for each in found[:_MOST_LISTED]
    ]
    if len(found) > _MOST_LISTED:
        items.append({"field": "", "wrong": f"{len(found) - _MOST_LISTED} more of these kinds"})
    items.extend({"field": each.field, "wrong": each.message} for each in broken)
    return json.dumps(items, ensure_ascii=False, indent=1)


def numbered(found: Sequence[Finding]) -> list[tuple[str, Finding]]:
    """Return the findings with their marks in the review: E1, E2, ..."""
    return [(f"E{number}", each) for number, each in enumerate(found, 1)]


def marked(review: Mapping[str, Any], found: Sequence[Finding]) -> dict[str, Any]:
    """Return ``review`` with the mark of each finding after the passage that it concerns.

    If the passage of a finding does not occur literally, it is only in the list below the review.
    """
    fields: dict[str, Any] = dict(review)
    # From the back, so that a mark does not move the passages before it.
    for mark, finding in sorted(numbered(found), key=lambda pair: (pair[1].field, -pair[1].at)):
        name, _, rest = finding.field.partition("[")
        value = fields.get(name)
        if isinstance(value, str):
            fields[name] = _with_mark(value, finding, mark)
        elif isinstance(value, list) and rest.rstrip("]").isdigit():
            index = int(rest.rstrip("]"))
            if index < len(value) and isinstance(value[index], str):
                changed = _with_mark(value[index], finding, mark)
                fields[name] = [*value[:index], changed, *value[index + 1 :]]
    return fields


def _with_mark(text: str, finding: Finding, mark: str) -> str:
    start = finding.at
    if not finding.excerpt:
        return text
    if not text.startswith(finding.excerpt, start):
        start = text.find(finding.excerpt)
        if start < 0:
            return text
    end = start + len(finding.excerpt)
    while end < len(text) and text[end] in _CLOSING:
        end += 1
    return f"{text[:end]} [{mark}]{text[end:]}"


def check(
    form: Form, paper: Paper, review: Mapping[str, Any], debriefs: Sequence[Mapping[str, Json]]
) -> tuple[Finding, ...]:
    """Return the findings of the evidence checks on ``review``'s texts against ``paper``."""
    texts = {field.name: review[field.name] for field in form.fields if not field.judges}
    return check_review(paper, texts, debriefs)


def verified(
    paper: Paper, report: Mapping[str, Any]
) -> tuple[Mapping[str, Any], tuple[Finding, ...]]:
    """Return a report of miner or analyzer with a note after each piece of evidence that the paper
    does not contain (a false quotation or a place that does not exist), and the findings.

    This keeps the aggregator from citing it. Uncertain evidence gets no note.
    """
    places: list[str] = []
    _collect(report, places)
    found = tuple(
        each
        for each in check_review(paper, {"evidence": list(places)})
        if each.kind in ("quote", "anchor") and each.certainty == "false"
    )
    wrong = {int(each.field.partition("[")[2].rstrip("]") or 0) for each in found}
    return _noted(report, iter(range(len(places))), wrong), found


def _is_evidence(key: str, value: Any) -> bool:
    return key == "evidence" and isinstance(value, str) and value.strip() not in ("", _NO_EVIDENCE)


def _collect(value: Any, places: list[str]) -> None:
    if isinstance(value, Mapping):
        for key, each in value.items():
            if _is_evidence(key, each):
                places.append(each)
            else:
                _collect(each, places)
    elif isinstance(value, list | tuple):
        for each in value:
            _collect(each, places)


def _noted(value: Any, numbers: Iterator[int], wrong: set[int]) -> Any:
    """Return ``value`` with the note after each piece of evidence whose number, in the order of
    `_collect`, is in ``wrong``.
    """
    if isinstance(value, Mapping):
        made = {}
        for key, each in value.items():
            if _is_evidence(key, each):
                made[key] = each + _NOT_THERE if next(numbers) in wrong else each
            else:
                made[key] = _noted(each, numbers, wrong)
        return made
    if isinstance(value, list | tuple):
        return [_noted(each, numbers, wrong) for each in value]
    return value
