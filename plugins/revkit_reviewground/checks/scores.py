"""Scores: between draft and review, numbers and the decision change only as the policy allows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from revkit.errors import OptionError
from revkit.model.values import Json
from revkit_reviewground.checks.finding import Finding

_LEADING = re.compile(r"\s*(-?\d{1,4}(?:\.\d{1,4})?)(?=\s*(?:[:/(,;-]|\s[A-Za-z]|\Z))")


@dataclass(frozen=True)
class ScorePolicy:
    """How far an aggregator may change what the drafter scored.

    The seed's default is to keep all; a change is allowed only where the text would contradict the
    score, and then "the minimum number of fields" by little (ReviewGrounder, appendix E.2.5, rule
    5). Whether the text calls for it, no code can tell; how much changed, it can.

    ``changes`` is how many numeric fields may differ; ``largest`` by how much each; ``decision``
    whether the decision may differ. Raises `OptionError` for negative numbers.
    """

    changes: int = 0
    largest: float = 1.0
    decision: bool = False

    def __post_init__(self) -> None:
        if self.changes < 0 or not self.largest >= 0:
            problem = ("changes", "a score policy allows no negative number or size of changes")
            raise OptionError("score policy", [problem])


def check_scores(
    draft: Mapping[str, Json], review: Mapping[str, Json], policy: ScorePolicy | None = None
) -> Iterator[Finding]:
    """Yield a finding for each numeric field of ``draft``, and for its decision, that ``review``
    lacks, holds as no number, or changes beyond ``policy`` (default: no change).

    A number may be written as text that starts with it ("6: marginally above"). Field names are
    compared without case. With more changes than allowed, each changed field is a finding.
    """
    policy = policy or ScorePolicy()
    given = {str(key).lower(): value for key, value in review.items()}
    changed: list[tuple[str, float, float, Json]] = []
    for key, value in draft.items():
        old = score_of(value)
        name = str(key)
        if name.lower() == "decision":
            yield from _decision(name, value, given.get("decision"), policy)
            continue
        if old is None:
            continue
        if name.lower() not in given:
            yield Finding("score", name, "", f"{name} of the draft is missing from the review")
            continue
        new = score_of(given[name.lower()])
        if new is None:
            shown = str(given[name.lower()])[:80]
            yield Finding(
                "score", name, shown, f"{name} is {old:g} in the draft and no number here"
            )
        elif new != old:
            changed.append((name, old, new, given[name.lower()]))
    for name, old, new, written in changed:
        message = f"{name} changed from {old:g} to {new:g}"
        if len(changed) > policy.changes:
            message += f"; {policy.changes or 'no'} changed fields are allowed"
        elif abs(new - old) > policy.largest:
            message += f"; the largest change allowed is {policy.largest:g}"
        else:
            continue
        yield Finding("score", name, str(written)[:80], message)


def _decision(name: str, old: Json, new: Json, policy: ScorePolicy) -> Iterator[Finding]:
    if not isinstance(old, str) or not old.strip():
        return
    if not isinstance(new, str) or not new.strip():
        yield Finding("score", name, "", "the decision of the draft is missing from the review")
    elif not policy.decision and new.strip().lower() != old.strip().lower():
        message = f"the decision changed from {old.strip()[:40]!r} to {new.strip()[:40]!r}"
        yield Finding("score", name, new[:80], message)


def score_of(value: Json) -> float | None:
    """The number that a field holds, or `None` where it holds none."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return float(value) if value == value else None
    if isinstance(value, str):
        match = _LEADING.match(value)
        return float(match[1]) if match else None
    return None
