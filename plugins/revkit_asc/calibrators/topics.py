"""Offsets of topical clusters, added to one map (opt-in).

An agent that is stricter on one topic cannot be put right by any function of its score alone. The
offsets are shrunken random effects; they give up that equal raw scores get equal mapped scores, so
the map has a flag.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from revkit.contracts import Curve
from revkit.dataclass import dataclass
from revkit.errors import BadAnchors, BadScores, TooFewAnchors, UnreadableMap
from revkit.model.values import Json, canonical_json
from revkit_asc.calibrators.anchors import HIGH, LOW, FloatArray, as_numbers
from revkit_asc.calibrators.curves import FittedCurve

NAME = "topic-offsets"
SCHEMA = "revkit-topic-curve/1"
FLAG = "topic_offsets"


@dataclass(frozen=True, eq=False)
class TopicCurve(Curve):
    """The value of ``curve`` plus the offset of an item's cluster, clipped to [0, 100].

    ``facts`` holds s and t in points (spread within and between clusters), and for each cluster
    n, the mean residual and the shrinkage.
    """

    curve: FittedCurve
    offsets: Mapping[str, float]
    facts: Mapping[str, Json]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TopicCurve) and self._text() == other._text()

    def __hash__(self) -> int:
        return hash(self._text())

    def _text(self) -> str:
        return canonical_json(self.to_json())

    def __call__(
        self,
        raw: Sequence[float] | np.ndarray[Any, Any],
        clusters: Sequence[str] | None = None,
    ) -> FloatArray:
        """Map raw scores of items in ``clusters``; an unknown cluster has offset 0.

        Without clusters it is the map without offsets.
        """
        middle: FloatArray = self.curve(raw)
        if clusters is None:
            return middle
        if len(clusters) != len(middle):
            raise BadScores(f"{len(middle)} scores and {len(clusters)} clusters must be as many")
        shift = np.array([self.offsets.get(cluster, 0.0) for cluster in clusters], dtype=float)
        return np.asarray(np.clip(middle + shift, LOW, HIGH))

    def unknown(self, clusters: Sequence[str]) -> int:
        """Count the items in a cluster without anchors."""
        return sum(cluster not in self.offsets for cluster in clusters)

    def extrapolated(
        self, raw: Sequence[float] | np.ndarray[Any, Any]
    ) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Return the extrapolated scores of the map without offsets."""
        return self.curve.extrapolated(raw)

    def interval(
        self,
        raw: Sequence[float] | np.ndarray[Any, Any],
        level: float = 0.9,
        clusters: Sequence[str] | None = None,
    ) -> tuple[FloatArray, FloatArray, Mapping[str, Json]]:
        """Return the interval of the map without offsets, shifted by the offset. Its width still
        contains the spread between clusters, so the interval is too wide rather than too narrow if
        offsets help.
        """
        middle = self(raw, clusters)
        low, high, known = self.curve.interval(raw, level)
        known = {**known, "note": str(known.get("note", "")) or "width of the map without offsets"}
        moved = middle - self.curve(raw)
        return np.clip(low + moved, LOW, HIGH), np.clip(high + moved, LOW, HIGH), known

    @property
    def flags(self) -> tuple[str, ...]:
        """The flags of the map, and a flag that equal raw scores may have different calibrated
        scores.
        """
        return (*self.curve.flags, FLAG)

    @property
    def diagnostics(self) -> Mapping[str, Json]:
        """The diagnostics of the map, and the offsets under ``topics``."""
        topics: dict[str, Json] = {**self.facts, "offsets": dict(self.offsets)}
        return {**self.curve.diagnostics, "flags": list(self.flags), "topics": topics}

    def to_json(self) -> dict[str, Json]:
        """Return the map and the offsets as JSON."""
        return {
            "schema": SCHEMA,
            "calibrator": NAME,
            "curve": self.curve.to_json(),
            "offsets": dict(self.offsets),
            "facts": dict(self.facts),
        }

    @classmethod
    def from_json(cls, value: Json, load: Callable[[Json], Curve]) -> TopicCurve:
        """Rebuild the curve, equal to the last bit; ``load`` rebuilds the map without offsets.

        Raises `UnreadableMap` with what is wrong.
        """
        if not isinstance(value, Mapping) or value.get("calibrator") != NAME:
            raise UnreadableMap(f"the stored map is not by {NAME!r}")
        if value.get("schema") != SCHEMA:
            raise UnreadableMap(
                f"the stored map has schema {value.get('schema')!r}; this version reads {SCHEMA!r}"
            )
        offsets, facts = value.get("offsets"), value.get("facts")
        if not isinstance(offsets, Mapping) or not isinstance(facts, Mapping):
            raise UnreadableMap("the stored map is damaged: 'offsets' or 'facts' is missing")
        numbers = as_numbers(list(offsets.values()))
        if not bool(np.isfinite(numbers).all()):
            raise UnreadableMap("the stored map is damaged: 'offsets' must hold numbers")
        curve = load(value.get("curve"))
        if not isinstance(curve, FittedCurve):
            raise UnreadableMap("the stored map is damaged: offsets on top of offsets")
        pairs = zip(map(str, offsets), numbers.tolist(), strict=True)
        return cls(curve, dict(pairs), dict(facts))


def fit_topics(
    curve: FittedCurve, raw: Any, target: Any, clusters: Sequence[str], weights: Any = None
) -> TopicCurve:
    """Estimate the offsets from the residuals of ``curve`` on its anchors.

    Residual r = consensus - phi(raw); s^2 is the variance within clusters, t^2 that between them
    (method of moments of the one-way layout, not below 0; Searle, Casella and McCulloch 1992,
    Variance Components, ch. 3). An offset is the cluster's mean residual less the overall one,
    times n t^2 / (n t^2 + s^2). Rows without usable numbers take no part. Raises `TooFewAnchors`
    below two clusters, or with no more rows than clusters.
    """
    x, y = as_numbers(raw), as_numbers(target)
    w = np.ones(len(x)) if weights is None else as_numbers(weights)
    if not len(x) == len(y) == len(w) == len(clusters):
        raise BadAnchors("raw, target, weights and clusters must have the same length")
    usable = np.isfinite(x) & np.isfinite(y) & np.isfinite(w) & (w > 0) & (y >= LOW) & (y <= HIGH)
    found: dict[str, list[tuple[float, float]]] = {}
    miss = y - curve(np.where(usable, x, np.nan))
    for place in np.flatnonzero(usable).tolist():
        found.setdefault(clusters[place], []).append((float(miss[place]), float(w[place])))
    if len(found) < 2 or int(usable.sum()) <= len(found):
        raise TooFewAnchors(
            f"offsets need two clusters and more rows than clusters, not {int(usable.sum())} "
            f"rows in {len(found)}"
        )
    return _shrunken(curve, {name: np.array(sorted(found[name])) for name in sorted(found)})


def _shrunken(curve: FittedCurve, rows: Mapping[str, FloatArray]) -> TopicCurve:
    """Return shrunken means by cluster from residuals and weights. Weights enter the means; n is
    Kish's effective size.
    """
    mean, size, within, freedom = {}, {}, 0.0, -len(rows)
    for name, pairs in rows.items():
        r, w = pairs.T
        mean[name] = float(w @ r / w.sum())
        size[name] = float(w.sum() ** 2 / (w @ w))
        within += float(w @ (r - mean[name]) ** 2) * len(r) / float(w.sum())
        freedom += len(r)
    total = sum(size.values())
    centre = sum(size[name] * mean[name] for name in rows) / total
    s2 = within / freedom
    between = sum(size[name] * (mean[name] - centre) ** 2 for name in rows)
    typical = (total - sum(n * n for n in size.values()) / total) / (len(rows) - 1)
    t2 = max(0.0, (between / (len(rows) - 1) - s2) / typical)
    offsets, facts_of = {}, {}
    for name in rows:
        both = size[name] * t2 + s2
        shrinkage = size[name] * t2 / both if both > 0 else 0.0
        offsets[name] = shrinkage * (mean[name] - centre)
        facts_of[name] = {"n": len(rows[name]), "mean_residual": mean[name], "shrinkage": shrinkage}
    facts: dict[str, Json] = {"s": s2**0.5, "t": t2**0.5, "clusters": dict(facts_of)}
    return TopicCurve(curve, offsets, facts)
