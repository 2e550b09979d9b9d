"""Anchors and anchor banks: their fields and their file format.

A bank is a JSON Lines file. Its first line is a header, every other line an anchor; the JSON Schema
``anchor-bank`` describes both. `write_bank` gives the same bytes for the same bank.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace

from revkit.dataclass import dataclass
from revkit.model.paper import Labels, Paper
from revkit.model.rating_scale import RatingScale
from revkit.model.values import Json

FORMAT = "revkit-anchor-bank"
VERSION = 1
TIERS = ("none", "minor", "major", "reject")
_SCALE = RatingScale("anchor-bank-0-100", 0, 100, source="the format of the bank")
GAP = 20.0
"""Scores that span more than this are adjudicated, where a bank's header says nothing else."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """An anchor: a manuscript with a consensus severity from human scores.

    ``scores`` are the severities that people gave it, from 0 (no flaw) to 100 (reject);
    ``adjudicated`` is the value that settled a disagreement, or None. ``consensus`` is the
    adjudicated value, else the mean of the scores; ``error`` its standard error, None where it is
    not known. ``introduced`` is the quarter since which it is in use ("2026-Q1", "" for not known),
    ``watermark`` the id under which its text is marked ("" for none).
    """

    id: str
    tier: str
    cluster: str
    title: str
    text: str
    scores: tuple[float, ...]
    consensus: float
    error: float | None = None
    adjudicated: float | None = None
    introduced: str = ""
    watermark: str = ""

    def to_json(self) -> dict[str, Json]:
        return {
            "id": self.id,
            "tier": self.tier,
            "cluster": self.cluster,
            "title": self.title,
            "text": self.text,
            "scores": list(self.scores),
            "adjudicated": self.adjudicated,
            "consensus": self.consensus,
            "consensus_se": self.error,
            "introduced": self.introduced,
            "watermark": self.watermark,
        }

    def introduced_in(self, quarter: str) -> Anchor:
        """Return the same anchor with ``quarter`` as the quarter of its first use."""
        return replace(self, introduced=quarter)

    def paper(self, source: str = "", notes: tuple[str, ...] = ()) -> Paper:
        """Return the anchor as a paper; its ratings are the inverted scores, so that higher is
        better.
        """
        extra: dict[str, Json] = {"scores": list(self.scores), "introduced": self.introduced}
        if self.adjudicated is not None:
            extra["adjudicated"] = self.adjudicated
        if self.watermark:
            extra["watermark"] = self.watermark
        labels = Labels(
            ratings=tuple(100.0 - score for score in self.scores),
            scale=_SCALE if self.scores else None,
            confidences=(None,) * len(self.scores),
            severity=self.consensus,
            severity_se=self.error,
            tier=self.tier,
            topic=self.cluster,
            extra=extra,
        )
        return Paper(self.id, self.text, self.title, labels, source, notes)


@dataclass(frozen=True, slots=True)
class Bank:
    """A bank of anchors with its header.

    ``clusters`` lists the topical clusters; ``gap`` is the span of scores, in points, above which a
    case is adjudicated; ``secret_digest`` identifies the secret of its watermarks ("" for
    none), ``about`` whatever else a user should know.
    """

    name: str
    date: str
    licence: str
    clusters: tuple[str, ...]
    anchors: tuple[Anchor, ...]
    gap: float = GAP
    secret_digest: str = ""
    about: str = ""

    def header(self) -> dict[str, Json]:
        """Return the first line of the file."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "name": self.name,
            "date": self.date,
            "licence": self.licence,
            "about": self.about,
            "clusters": list(self.clusters),
            "adjudication_gap": self.gap,
            "watermark": self.secret_digest,
            "anchors": len(self.anchors),
        }

    def with_anchors(self, anchors: Sequence[Anchor], date: str = "") -> Bank:
        """Return the same bank with other anchors and, if given, another date."""
        return replace(self, anchors=tuple(anchors), date=date or self.date)


def write_bank(bank: Bank) -> str:
    """Return the content of the file as text."""
    rows = [bank.header(), *(anchor.to_json() for anchor in bank.anchors)]
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def consensus_of_scores(scores: Sequence[float], adjudicated: float | None) -> float:
    """Return the adjudicated value if there is one, else the mean of the scores."""
    return adjudicated if adjudicated is not None else math.fsum(scores) / len(scores)


def standard_errors(scores: Sequence[Sequence[float]]) -> list[float | None]:
    """Return the standard error of each anchor's mean score, in points; None with fewer than two
    scores.

    Three scores say little about their own spread (and where all three are equal, nothing), so each
    anchor's variance is drawn towards that of the whole bank, which counts as four further degrees
    of freedom. For an adjudicated value it is kept as a cautious bound.
    """
    spreads = [_squares(row) for row in scores]
    freedom = sum(len(row) - 1 for row in scores if len(row) > 1)
    pooled = math.fsum(spreads) / freedom if freedom else 0.0
    found: list[float | None] = []
    for row, squares in zip(scores, spreads, strict=True):
        if len(row) < 2:
            found.append(None)
            continue
        variance = (4.0 * pooled + squares) / (4.0 + len(row) - 1)
        found.append(round(math.sqrt(variance / len(row)), 3))
    return found


def _squares(row: Sequence[float]) -> float:
    if len(row) < 2:
        return 0.0
    mean = math.fsum(row) / len(row)
    return math.fsum((score - mean) ** 2 for score in row)
