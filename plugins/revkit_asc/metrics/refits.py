"""Settings with refitted maps: under the severity mix of the new papers, or with topic offsets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from revkit.contracts import Calibrator
from revkit.errors import CalibrationError
from revkit.model.records import AgentRow, FittedMap, Records
from revkit_asc.calibrators.curves import FittedCurve
from revkit_asc.calibrators.prior import StreamPrior, fit_under, stream_prior
from revkit_asc.calibrators.topics import TopicCurve, fit_topics
from revkit_asc.metrics.anchors import AnchorTable, anchor_table, calibrator_of, weights_of
from revkit_asc.metrics.heldout import HeldOut
from revkit_asc.metrics.settings import (
    Mapping_,
    Setting,
    fitted_setting,
    mapped_setting,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from revkit.stats.values import FloatArray

FOREIGN = "its calibrator is of another plugin"


def prior_setting(
    held: HeldOut,
    records: Records,
    agents: Sequence[AgentRow],
    way: str,
    maps: Mapping[str, FittedMap],
) -> tuple[Setting, str]:
    """Fit maps under the mix of the held-out items, which is estimated from scores without the
    consensus.

    One mix for all agents, from the mean of their calibrated scores. The second value states the
    mix; where none could be learnt, every agent is refused for that reason.
    """
    name = f"{way}, stream prior"
    table = anchor_table(records, agents)
    plain = fitted_setting(held, way, maps)
    calibrator = next((m.calibrator for m in maps.values()), "")
    refused = dict(plain.refused)
    through: dict[str, Mapping_] = {}
    try:
        prior = _panel_prior(table, plain, maps)
    except CalibrationError as error:
        refused |= dict.fromkeys(plain.agents, str(error))
        return mapped_setting(held, name, calibrator, through, refused), ""
    for agent in plain.agents:
        fitted = _under(table, agent, maps[agent], prior)
        if isinstance(fitted, str):
            refused[agent] = fitted
        else:
            through[agent] = _mapping(fitted)
    mix = ", ".join(f"{tier} {share:.2f}" for tier, share in prior.shares.items())
    text = f"mix {mix}; {prior.effective:.0f} effective anchors"
    if table.banded:
        text += "; tiers are bands of the consensus"
    return mapped_setting(held, name, calibrator, through, refused), text


def _panel_prior(table: AnchorTable, plain: Setting, maps: Mapping[str, FittedMap]) -> StreamPrior:
    columns = []
    for agent in plain.agents:
        curve = maps[agent].curve
        assert curve is not None
        raw = table.raw(agent)
        mapped = np.full(len(raw), np.nan)
        usable = ~np.isnan(raw)
        mapped[usable] = np.asarray(curve(raw[usable]))
        columns.append(mapped)
    anchors = np.column_stack(columns).mean(axis=1) if columns else np.empty(0)
    stream = plain.scores.mean(axis=1) if columns else np.empty(0)
    return stream_prior(anchors, table.tiers[: len(anchors)], stream)


def _under(
    table: AnchorTable, agent: str, fitted: FittedMap, prior: StreamPrior
) -> FittedCurve | str:
    """Return the map of one agent under a prior, or the reason why there is none."""
    rows = _rows(table, agent, fitted)
    if rows is None:
        return FOREIGN
    calibrator, usable, raw, target = rows
    tiers = [tier for tier, used in zip(table.tiers, usable.tolist(), strict=True) if used]
    errors = None if table.errors is None else table.errors[usable]
    try:
        weights = weights_of(calibrator, raw, target, errors)
        return fit_under(calibrator, raw, target, tiers, prior, weights)
    except CalibrationError as error:
        return str(error)


def topic_setting(
    held: HeldOut,
    records: Records,
    agents: Sequence[AgentRow],
    way: str,
    maps: Mapping[str, FittedMap],
) -> tuple[Setting, str]:
    """Add a shrunken offset for each topic of the anchors to the fitted maps.

    The second value counts the held-out items whose topic no anchor has: their offset is 0.
    """
    table = anchor_table(records, agents)
    plain = fitted_setting(held, way, maps)
    calibrator = next((m.calibrator for m in maps.values()), "")
    refused = dict(plain.refused)
    through: dict[str, Mapping_] = {}
    topics = [held.papers[i].labels.topic for i in plain.items.tolist()]
    named = any(table.topics)
    if not named:
        refused |= dict.fromkeys(plain.agents, "the anchors name no topics")
    for agent in plain.agents if named else ():
        rows, curve = _rows(table, agent, maps[agent]), maps[agent].curve
        if rows is None or not isinstance(curve, FittedCurve):
            refused[agent] = FOREIGN
            continue
        _, usable, raw, target = rows
        clusters = [t for t, used in zip(table.topics, usable.tolist(), strict=True) if used]
        try:
            through[agent] = _with_topics(fit_topics(curve, raw, target, clusters), topics)
        except CalibrationError as error:
            refused[agent] = str(error)
    if named and set(through) != set(plain.agents):
        # Other agents mean other items, and offsets are bound to items: none is better than wrong.
        refused |= dict.fromkeys(through, "another agent has no offsets")
        through = {}
    known = set(table.topics)
    unknown = sum(topic not in known for topic in topics)
    text = f"{unknown} items of a topic without anchors: offset 0" if unknown else ""
    return mapped_setting(held, f"{way}, topic offsets", calibrator, through, refused), text


def _rows(
    table: AnchorTable, agent: str, fitted: FittedMap
) -> tuple[Calibrator, NDArray[np.bool_], FloatArray, FloatArray] | None:
    """Return the calibrator, the selected anchors, their raw scores and consensus; None if another
    plugin fitted the curve.
    """
    calibrator = None if fitted.curve is None else calibrator_of(fitted.curve)
    if calibrator is None:
        return None
    raw = table.raw(agent)
    usable = np.asarray(~np.isnan(raw))
    return calibrator, usable, raw[usable], table.consensus[usable]


def _mapping(curve: FittedCurve) -> Mapping_:
    return lambda raw: (np.asarray(curve(raw)), np.asarray(curve.extrapolated(raw)))


def _with_topics(curve: TopicCurve, topics: Sequence[str]) -> Mapping_:
    return lambda raw: (np.asarray(curve(raw, topics)), np.asarray(curve.extrapolated(raw)))
