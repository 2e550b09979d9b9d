"""Review, Scale and Failure: the answer of an agent, and the scale of its scores."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from itertools import islice
from typing import Any, Literal, TypeAlias, get_args

from revkit.dataclass import dataclass
from revkit.errors import PaperError
from revkit.model.columns import column, row_of
from revkit.model.notebook import html_facts
from revkit.model.values import Json, canonical_json, is_number

FailureKind = Literal[
    "unparseable",
    "schema",
    "partial",
    "refusal",
    "truncated",
    "context",
    "timeout",
    "provider",
    "rejected",
    "budget",
    "crashed",
]

_MOST_WARNINGS = 20
_LONGEST_WARNING = 200


LARGEST_SEVERITY = 100.0  # of the common scale: 0 (no flaw) to 100 (reject)


def is_severity(value: float) -> bool:
    """Return whether ``value`` lies on the common severity scale."""
    return 0.0 <= value <= LARGEST_SEVERITY


@dataclass(frozen=True, slots=True)
class Scale:
    """The scale of one agent's scores: its range, its steps, its direction, its accept rule.

    ``minimum`` and ``maximum`` bound a score, inclusively. ``values`` lists the allowed scores
    where not every number in the range is one; empty allows all. ``accept_at`` is the score from
    which the agent's decision is accept (None: the scale implies no decision).
    ``higher_is_better`` is False for a severity scale. A score maps to the common 0-100 severity
    axis (0 no flaw, 100 reject) linearly from end to end; ``severity_loss`` says what that map
    ignores.
    """

    name: str
    minimum: float
    maximum: float
    higher_is_better: bool = True
    accept_at: float | None = None
    values: tuple[float, ...] = ()
    severity_loss: str = "linear between the ends; the steps are assumed to be equal"

    def __post_init__(self) -> None:
        if not (math.isfinite(self.minimum) and math.isfinite(self.maximum)):
            raise PaperError(f"scale {self.name!r}: the ends must be finite")
        if self.minimum >= self.maximum:
            raise PaperError(f"scale {self.name!r}: minimum must be below maximum")
        if self.accept_at is not None and not math.isfinite(self.accept_at):
            raise PaperError(f"scale {self.name!r}: accept_at must be finite")
        outside = [v for v in self.values if not self.minimum <= v <= self.maximum]
        if outside:
            raise PaperError(f"scale {self.name!r}: values {outside} lie outside the range")

    def allows(self, score: float) -> bool:
        """Return whether ``score`` is possible on this scale."""
        if not math.isfinite(score) or not self.minimum <= score <= self.maximum:
            return False
        return not self.values or score in self.values

    def accepts(self, score: float) -> bool | None:
        """Return the decision that follows from ``score``; None if the scale implies none."""
        if self.accept_at is None:
            return None
        return score >= self.accept_at if self.higher_is_better else score <= self.accept_at

    def to_severity(self, score: float) -> float:
        """Map ``score`` to the severity axis of 0 to 100. Raises `PaperError` for a score off the
        scale.
        """
        if not self.allows(score):
            raise PaperError(f"{score} is not a score of scale {self.name!r}")
        share = (score - self.minimum) / (self.maximum - self.minimum)
        return LARGEST_SEVERITY * (1.0 - share if self.higher_is_better else share)

    def to_json(self) -> dict[str, Json]:
        return {
            "name": self.name,
            "minimum": self.minimum,
            "maximum": self.maximum,
            "higher_is_better": self.higher_is_better,
            "accept_at": self.accept_at,
            "values": list(self.values),
            "severity_loss": self.severity_loss,
        }


@dataclass(frozen=True, slots=True)
class Review:
    """One review. A part that the agent does not return is None, and no metric invents it.

    ``score`` is on the agent's `Scale`; ``accept`` its verdict. ``aspects`` holds further scores by
    name, ``details`` whatever else explains the verdict (a scorecard, counts), as JSON.
    ``warnings`` states what a reader of figures must know about this review, such as that a part of
    the reviewer did not work; reports count them. At most 20 of at most 200 characters are used.
    ``certified`` is the largest number of parts of the paper (those that a defense defines) that an
    attacker may write anew without changing the verdict, where this is proved; None without proof.
    """

    accept: bool | None = None
    score: float | None = None
    text: str = ""
    confidence: float | None = None
    aspects: Mapping[str, float] = field(default_factory=dict)
    details: Mapping[str, Json] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    certified: int | None = column("Parts that an attacker may control.", sparse=True, default=None)

    def __repr__(self) -> str:
        parts = [f"accept={self.accept}", f"score={self.score}"]
        parts += [f"text={self.text!r:.60}"] if self.text else []
        parts += [f"aspects={self.aspects!r:.80}"] if self.aspects else []
        parts += [f"{len(self.warnings)} warnings"] if self.warnings else []
        return f"Review({', '.join(parts)})"

    def _repr_html_(self) -> str:
        facts: dict[str, object] = {"accept": self.accept, "score": self.score}
        facts |= dict(self.aspects)
        facts |= {"warnings": "; ".join(self.warnings)} if self.warnings else {}
        return html_facts("Review", facts, [self.text] if self.text else [])

    def to_json(self) -> dict[str, Json]:
        return row_of(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Review:
        return cls(**{**value, "warnings": tuple(value["warnings"])})


def bounded_warnings(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the first 20 of ``texts``, each cut to 200 characters."""
    return tuple(text[:_LONGEST_WARNING] for text in islice(texts, _MOST_WARNINGS))


@dataclass(frozen=True, slots=True)
class Failure:
    """An answer without a review, and the reason. It is recorded and counted, never scored, and
    tried again in the next run.

    ``detail`` is one line for a person; ``raw`` the reply as it came, for the record. The kind
    "partial" is a panel of which some members gave no opinion: what the others said is in ``raw``.
    """

    kind: FailureKind
    detail: str = ""
    raw: str = ""

    def __post_init__(self) -> None:
        if self.kind not in get_args(FailureKind):
            raise PaperError(f"unknown kind of failure {self.kind!r}")

    def to_json(self) -> dict[str, Json]:
        return row_of(self)


Outcome: TypeAlias = Review | Failure


def plain_failure(failure: Failure) -> Failure:
    """Return ``failure`` with all texts as strings, even if a plugin used other types."""
    if isinstance(failure.detail, str) and isinstance(failure.raw, str):
        return failure
    return Failure(failure.kind, str(failure.detail), str(failure.raw))


def checked(outcome: Outcome, scale: Scale) -> Outcome:
    """Return ``outcome``, or a Failure of kind "schema" if a review violates its scale.

    Checked are the types (a bool is not a score, text is not a number), the scale's range and
    values, that nothing is NaN, that warnings are texts (of which too many or too long ones are
    cut), and that JSON can hold all of it. A review with neither verdict nor score says nothing
    that a metric could read, yet stays: its text may be what the experiment is about.
    """
    if isinstance(outcome, Failure):
        return plain_failure(outcome)
    if not isinstance(outcome, Review):
        return Failure("schema", f"expected a Review or a Failure, not {type(outcome).__name__}")
    if outcome.accept is not None and not isinstance(outcome.accept, bool):
        return Failure("schema", f"accept must be true or false, not {outcome.accept!r}")
    numbers = {"score": outcome.score, "confidence": outcome.confidence, **outcome.aspects}
    for name, value in numbers.items():
        if value is None:
            continue
        if not is_number(value):
            return Failure("schema", f"{name} must be a number, not {value!r}")
        if not math.isfinite(value):
            return Failure("schema", f"{name} must be finite, not {value!r}")
    if outcome.score is not None and not scale.allows(outcome.score):
        return Failure("schema", f"{outcome.score!r} is not a score of scale {scale.name!r}")
    certified = outcome.certified
    if certified is not None and (type(certified) is not int or certified < 0):
        return Failure("schema", f"certified must be a whole number, not {certified!r}")
    if not isinstance(outcome.details, Mapping):
        return Failure("schema", f"details must be a mapping, not {outcome.details!r:.200}")
    if not isinstance(outcome.text, str):
        return Failure("schema", f"text must be text, not {type(outcome.text).__name__}")
    warnings = outcome.warnings
    if not isinstance(warnings, list | tuple) or not all(isinstance(w, str) for w in warnings):
        return Failure("schema", f"warnings must be a list of strings, not {warnings!r:.200}")
    if (bounded := bounded_warnings(warnings)) != warnings:
        outcome = replace(outcome, warnings=bounded)
    try:  # what else it holds was checked above
        canonical_json([outcome.details, outcome.aspects])
    except (TypeError, ValueError, RecursionError) as error:
        return Failure("schema", f"details are not JSON: {error}")
    return outcome
