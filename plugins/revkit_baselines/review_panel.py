"""Simulated reviewers: several reviews in one reply, and their averages."""

from __future__ import annotations

import re
import statistics
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

from revkit.dataclass import dataclass
from revkit.model.review import Failure, FailureKind, Scale
from revkit.model.values import Json
from revkit.options import option
from revkit.prompting import Sampling
from revkit_baselines.baseline import Baseline, bounded
from revkit_baselines.layout import Fields
from revkit_baselines.values import Unread, number

SCALE = Scale("rating-1-10", 1, 10)
_ASPECTS = ("soundness", "presentation", "contribution")
_TEXTS = ("summary", "strengths", "weaknesses", "suggestions", "questions")
_REFUSAL = re.compile(
    r"\s*(?:i['’]?m sorry|i am sorry|sorry\b|i apologi[sz]e|i (?:can['’]?t|cannot|can not|won['’]?t"
    r"|will not|am unable|am not able)|i['’]m (?:unable|not able)|as an ai\b)",
    re.IGNORECASE,
)
_LONGEST_RAW = 100_000


@dataclass(frozen=True)
class ReviewerReading:
    """The numbers (None: unreadable) and texts of one reviewer. ``rating`` is always present."""

    rating: float
    confidence: float | None
    aspects: dict[str, float]
    texts: dict[str, str]
    unread: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Json]:
        texts: Any = bounded(dict(self.texts))
        return {
            "rating": self.rating,
            "confidence": self.confidence,
            **self.aspects,
            **texts,
            **({"unread": list(self.unread)} if self.unread else {}),
        }

    def text(self) -> str:
        """Return the texts under the names of their sections."""
        return "\n\n".join(f"{name.capitalize()}:\n{text}" for name, text in self.texts.items())


@dataclass(frozen=True)
class Simulating(Baseline):
    """A model that was trained to write reviews in a special layout."""

    scale: ClassVar[Scale] = SCALE
    temperature: float = option(0.4, help="Sampling temperature.", minimum=0, maximum=5)
    top_p: float = option(
        0.95, help="Share of the probability to sample from.", minimum=0, maximum=1
    )
    reviewers: int = option(4, help="How many reviewers are simulated.", minimum=1, maximum=20)

    @property
    def sampling(self) -> Sampling:
        return replace(super().sampling, top_p=self.top_p)


def read(found: Fields) -> ReviewerReading | Unread:
    """Read one reviewer from its fields: the rating is required; other unreadable fields are
    listed.
    """
    rating = number(found.get("rating", ()), SCALE.minimum, SCALE.maximum)
    if isinstance(rating, Unread):
        return rating
    unread = []
    confidence: float | None = None
    aspects = {}
    for name, high in (("confidence", 5), *((name, 4) for name in _ASPECTS)):
        value = number(found.get(name, ()), 1, high)
        if isinstance(value, Unread):
            unread.append(f"{name}: {value.why}")
        elif name == "confidence":
            confidence = value
        else:
            aspects[name] = value
    texts = {name: "\n\n".join(found[name]).strip() for name in _TEXTS if any(found.get(name, ()))}
    return ReviewerReading(rating, confidence, aspects, texts, tuple(unread))


def read_panel(
    reviewers: Sequence[Fields], expected: int, raw: str
) -> list[ReviewerReading] | Failure:
    """Read all reviewers of a panel of ``expected`` members, or return a Failure.

    A rating outside its scale is "schema", and so are too many reviewers; a missing reviewer or an
    unreadable rating is "partial", and a reply without reviewers "unparseable".
    """
    outcomes = [read(each) for each in reviewers]
    good = [each for each in outcomes if isinstance(each, ReviewerReading)]
    bad = [(n, each) for n, each in enumerate(outcomes, 1) if isinstance(each, Unread)]
    off_scale = next((each for each in bad if each[1].kind == "schema"), None)
    if off_scale is not None:
        return failure("schema", f"reviewer {off_scale[0]}: rating: {off_scale[1].why}", raw)
    if len(reviewers) > expected:
        why = f"{len(reviewers)} reviewers where {expected} were requested"
        return failure("schema", why, raw)
    if not good:
        why = f"reviewer 1: rating: {bad[0][1].why}" if bad else "no reviewer in a known layout"
        return unreadable(why, raw)
    if bad:
        why = f"{len(good)} of {expected} reviewers with a readable rating"
        return failure("partial", f"{why}: reviewer {bad[0][0]}: {bad[0][1].why}", raw)
    if len(reviewers) < expected:
        return failure("partial", f"{len(reviewers)} of {expected} reviewers", raw)
    return good


def unreadable(why: str, raw: str) -> Failure:
    """Return the failure for a reply in an unknown layout: a refusal if it reads like one."""
    if _REFUSAL.match(raw):
        return failure("refusal", f"the model refused: {' '.join(raw.split())[:200]}", raw)
    return failure("unparseable", why, raw)


def failure(kind: FailureKind, why: str, raw: str) -> Failure:
    """Return a Failure with the reply, cut if it is very long."""
    return Failure(kind, why, raw[:_LONGEST_RAW])


def mean_of(panel: Sequence[ReviewerReading], name: str) -> float | None:
    """Return the mean of one number over all of ``panel``; None if a reviewer lacks it."""
    if name == "confidence":
        values = [each.confidence for each in panel]
    else:
        values = [each.aspects.get(name) for each in panel]
    known = [each for each in values if each is not None]
    return statistics.fmean(known) if len(known) == len(panel) else None


def aspects_of(panel: Sequence[ReviewerReading]) -> dict[str, float]:
    """Return the means of the aspects that all reviewers rate."""
    means = {name: mean_of(panel, name) for name in _ASPECTS}
    return {name: mean for name, mean in means.items() if mean is not None}
