"""The record of one attempt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from revkit.model.review import Failure, Outcome
from revkit.model.values import Json, canonical_json
from revkit_external.call.attempt import Answered
from revkit_external.parse.documents import Document
from revkit_external.parse.fields import Reading

RAW = 40_000


@dataclass
class Try:
    """All facts about one attempt, for the outcome and for `External.explain`."""

    outcome: Outcome
    reasons: tuple[str, ...] = ()
    after: float | None = None
    answered: Answered | None = None
    document: Document | None = None
    reading: Reading | None = None
    given: Mapping[str, Json] = None  # type: ignore[assignment]
    shown: Mapping[str, Json] = None  # type: ignore[assignment]


def count_tries(outcome: Outcome, tries: int) -> Outcome:
    """Return ``outcome`` with the number of calls: in the details of a review, in the message of a
    failure.
    """
    if isinstance(outcome, Failure):
        return replace(outcome, detail=f"{outcome.detail} (try {tries} of {tries})")
    return replace(outcome, details={**outcome.details, "tries": tries})


def raw_of(parts: Mapping[str, Json]) -> str:
    """Return the answer as one JSON text; long texts are shortened in the middle, with a note."""
    return canonical_json({name: _cut(value) for name, value in parts.items()})


def _cut(value: Json) -> Json:
    if isinstance(value, Mapping):
        return {name: _cut(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_cut(item) for item in value]
    if isinstance(value, str) and len(value) > RAW:
        half = RAW // 2
        return f"{value[:half]}\n[{len(value) - RAW} characters left out]\n{value[-half:]}"
    return value
