"""Notes of the calibration table, and checks of its figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from revkit.model.consensus import consensus_of
from revkit.model.records import Records
from revkit_asc.metrics.base import counted

if TYPE_CHECKING:
    from revkit_asc.metrics.figures import Figures
    from revkit_asc.metrics.heldout import HeldOut

READING = (
    "Each row is one way of mapping the scores of all agents. For D and MAE, fewer severity points "
    "(0 to 100) are better; for r, more is better. Agents that all give one constant score would "
    "have D = 0, so read D beside MAE."
)
AVERAGING = (
    "The mean of several agents correlates better with the consensus than one agent, without any "
    'map: compare "r of mean" between rows, not with "Best r".'
)
FLOOR_NOTE = (
    "No increasing map for each agent has a smaller mean squared error on these items than the "
    "oracle floor (isotonic regression on the same items); for D, MAE and r it is a guide, not a "
    "bound."
)
FLAT_MEANS = (
    "A flat map gives nearly one severity to all scores, so a small difference between agents with "
    "such maps does not show that they agree."
)
LIMIT = (
    "Agents that agree need not be right: D would be 0 if all gave the same score to all papers."
)


def counts(records: Records, held: HeldOut, without: Sequence[str]) -> Iterator[str]:
    """Return notes on the number of items and anchors, and on those that were left out before any
    agent was called.
    """
    anchors = records.anchors
    text = f"{len(held.papers)} held-out items with a consensus"
    if held.without_consensus:
        text += f"; {held.without_consensus} without one are left out"
    if held.also_anchors:
        text += f"; {held.also_anchors} with the text of an anchor are left out"
    yield text + "."
    if anchors is not None:
        origin = (
            "from a separate corpus"
            if anchors.shared is None
            else f"set aside from the corpus ({100 * anchors.shared:g} %)"
        )
        calls = "one call" if anchors.repeats == 1 else f"{anchors.repeats} calls"
        yield f"Maps: {len(anchors.papers)} anchors {origin}, {calls} of each agent on each."
        silent = sum(consensus_of(paper.labels) is None for paper in anchors.papers)
        if silent:
            yield f"{silent} anchors without a consensus take no part."
        if anchors.skipped:
            yield f"Anchors not loaded: {counted(anchors.skipped)}."
    if without:
        yield f"Left out by the option `without`: {', '.join(without)}."


def expected(found: Figures) -> float | None:
    """Return D by the second identity, for settings with calibrated scores."""
    from revkit.stats.disagreement import expected_disagreement

    setting = found.setting
    r, panel = found.of["r_single"].value, found.of["r_mean"].value
    if setting.members or len(setting.agents) < 2 or r is None or panel is None:
        return None
    if setting.kind == "raw":
        return None
    return expected_disagreement(r, panel, float(setting.consensus.std()), len(setting.agents))


def identities(figures: Sequence[Figures]) -> Iterator[str]:
    """Check the two identities that the figures of a calibration satisfy approximately.

    r(raw) = r(calibrated) corr(map, raw) holds where the map is the regression of the consensus on
    the raw score; the second one, D from correlations alone, is `expected_disagreement`.
    """
    import numpy as np

    checks = []
    for found in figures:
        setting = found.setting
        value = expected(found)
        if value is None or setting.calls > 1 or setting.kind == "derived":
            continue
        gaps = []
        for j, agent in enumerate(setting.agents):
            columns = (setting.raw[:, j], setting.scores[:, j], setting.consensus)
            if all(float(np.ptp(column)) > 0 for column in columns):
                r = np.atleast_2d(np.corrcoef(np.array(columns)))
                gaps.append((abs(float(r[0, 2] - r[1, 2] * r[0, 1])), agent))
        if gaps:
            gap, agent = max(gaps)
            checks.append(
                f"{setting.name}: largest gap {gap:.3f} ({agent}), D {value:.2f} predicted and "
                f"{found.of['d'].value:.2f} measured"
            )
    if checks:
        yield (
            "Check of the maps: if they are right on average for these items, r of the raw scores "
            "with the consensus is r of the calibrated scores with the consensus, multiplied by r "
            "of raw with calibrated scores (the gap is 0), and D is what these correlations "
            "predict for normal scores. A large gap, or another D, means that the maps are not "
            f"right on average. {'; '.join(checks)}."
        )
