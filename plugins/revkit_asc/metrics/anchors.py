"""The anchors of a run as arrays, and new fits on them with the experiment's calibrators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from revkit.contracts import Calibrator, Curve
from revkit.dataclass import dataclass
from revkit.model.consensus import consensus_of
from revkit.model.records import AgentRow, PaperRow, Records
from revkit.options import from_options
from revkit_asc.calibrators import CALIBRATORS
from revkit_asc.calibrators.weights import anchor_weights
from revkit_asc.metrics.heldout import Scores, scores_of

if TYPE_CHECKING:
    from revkit.stats.values import FloatArray

BANDS = ((25.0, "0-25"), (50.0, "25-50"), (75.0, "50-75"))
LAST_BAND = "75-100"


@dataclass(frozen=True)
class AnchorTable:
    """Anchors with a consensus, one row each in every array; ``errors`` is None if any is unknown.

    ``tiers`` are those that the labels name; where one names none, bands of the consensus
    replace all of them, and ``banded`` is true.
    """

    papers: tuple[PaperRow, ...]
    consensus: FloatArray
    errors: FloatArray | None
    scores: Mapping[str, Scores]
    tiers: tuple[str, ...]
    topics: tuple[str, ...]
    banded: bool
    calls: int = 1

    def raw(self, agent: str) -> FloatArray:
        """Return an agent's severity of each anchor: the mean of the calls with a score, else
        NaN.
        """
        severity = self.scores[agent].severity
        count = (~np.isnan(severity)).sum(axis=1)
        with np.errstate(invalid="ignore"):
            return np.asarray(np.nansum(severity, axis=1) / np.where(count > 0, count, np.nan))

    def first(self, agent: str) -> FloatArray:
        """Return an agent's severity of each anchor at its first call with a score, else NaN: the
        values on which the experiment's maps are fitted.
        """
        severity = self.scores[agent].severity
        known = ~np.isnan(severity)
        return np.asarray(severity[np.arange(len(severity)), known.argmax(axis=1)])


def anchor_table(records: Records, agents: Sequence[AgentRow]) -> AnchorTable:
    """Read the anchors of a run; the table is empty if the run has none."""
    anchors = records.anchors
    rows = () if anchors is None else anchors.papers
    known = [(paper, c) for paper in rows if (c := consensus_of(paper.labels)) is not None]
    papers = tuple(paper for paper, _ in known)
    consensus = np.array([c.severity for _, c in known], dtype=np.float64)
    errors = [c.error for _, c in known if c.error is not None]
    named = all(paper.labels.tier for paper in papers)
    scores = {} if anchors is None else scores_of(papers, agents, anchors.verdicts, anchors.repeats)
    return AnchorTable(
        papers,
        consensus,
        np.array(errors) if len(errors) == len(known) and known else None,
        scores,
        tuple(p.labels.tier if named else band(c.severity) for p, c in known),
        tuple(paper.labels.topic for paper in papers),
        not named,
        1 if anchors is None else anchors.repeats,
    )


def band(severity: float) -> str:
    """Return the quarter of the severity scale that contains ``severity``."""
    return next((name for end, name in BANDS if severity < end), LAST_BAND)


def calibrator_of(curve: Curve) -> Calibrator | None:
    """Return the calibrator of this plugin, with its options, that fitted ``curve``; else None."""
    value = curve.to_json()
    if not isinstance(value, Mapping):
        return None
    for kind in CALIBRATORS:
        if kind.name == value.get("calibrator"):
            options = value.get("options")
            made: Calibrator = from_options(kind, options if isinstance(options, Mapping) else {})
            return made
    return None


def weights_of(
    calibrator: Calibrator, raw: FloatArray, consensus: FloatArray, errors: FloatArray | None
) -> FloatArray | None:
    """Return weights from the standard errors of the consensus; None if they are equal for all
    anchors. ``raw`` contains no NaN. Raises the errors of the calibrator.
    """
    if errors is None or len(set(errors.tolist())) < 2:
        return None
    curve = calibrator.fit(raw, consensus)
    return anchor_weights(consensus - np.asarray(curve(raw)), errors)
