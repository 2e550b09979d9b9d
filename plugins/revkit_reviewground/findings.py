"""Findings: what the checks say of a review, told to the aggregator and marked in the review."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from revkit.model.paper import Paper
from revkit.model.values import Json
from revkit_reviewground.checks import Finding, check_review
from revkit_reviewground.form import Form
from revkit_reviewground.scores import Breach

# What goes back to the aggregator and is marked; the rest is recorded.
VIOLATIONS = ("false", "suspect")


def violations(found: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings that a review should be corrected for."""
    return tuple(each for each in found if each.certainty in VIOLATIONS)


def told(found: Sequence[Finding], broken: Sequence[Breach]) -> str:
    """Findings and breaches of the score policy as the aggregator reads them."""
    items: list[Json] = [
        {"field": each.field, "passage": each.excerpt, "wrong": each.message} for each in found
    ]
    items.extend({"field": each.field, "wrong": each.message} for each in broken)
    return json.dumps(items, ensure_ascii=False, indent=1)


def numbered(found: Sequence[Finding]) -> list[tuple[str, Finding]]:
    """The findings with the marks that stand for them in the review: E1, E2, ..."""
    return [(f"E{number}", each) for number, each in enumerate(found, 1)]


def marked(review: Mapping[str, Any], found: Sequence[Finding]) -> dict[str, Any]:
    """``review`` with the mark of each finding behind the passage that it speaks of.

    A finding whose passage is not found as it is written stands in the list below the review alone.
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
    return f"{text[:end]} [{mark}]{text[end:]}"


def check(
    form: Form, paper: Paper, review: Mapping[str, Any], debriefs: Sequence[Mapping[str, Json]]
) -> tuple[Finding, ...]:
    """The evidence checks of ``review``'s texts against ``paper``."""
    texts = {field.name: review[field.name] for field in form.fields if not field.judges}
    return check_review(paper, texts, debriefs)
