"""Settings that use the whole panel: its mean, scores shrunken towards the mean, and a stacked
score.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from revkit.model.records import AgentRow, FittedMap, Records
from revkit_asc.metrics.anchors import anchor_table
from revkit_asc.metrics.settings import Setting, curve_mapping

if TYPE_CHECKING:
    from collections.abc import Mapping

    from revkit.stats.values import FloatArray

ONE = "one score"
# Below this many anchors for each agent and the constant the stacked weights would be noise.
ANCHORS_PER_WEIGHT = 5


def mean_of(setting: Setting) -> Setting:
    """Return the mean of the agents as one score, since averaging alone already raises the
    correlation.
    """
    return _one(setting, f"{setting.name}, mean of agents", setting.scores.mean(axis=1))


def half_shrunk(setting: Setting) -> Setting:
    """Move each score half way to the mean of the panel: this halves D and leaves r of the mean
    unchanged.

    No score of one agent any more, since it needs the others' scores of the same item.
    """
    middle = setting.scores.mean(axis=1, keepdims=True)
    return replace(
        setting,
        kind="derived",
        name=f"{setting.name}, half-shrunk to the panel",
        scores=(setting.scores + middle) / 2,
    )


def stacked(
    setting: Setting,
    records: Records,
    agents: Sequence[AgentRow],
    maps: Mapping[str, FittedMap],
) -> tuple[Setting, str]:
    """Return one score: the regression of the consensus on the agents' calibrated scores of the
    anchors.

    Weights are not negative (nonnegative least squares) beside a free constant, and the score is
    kept in [0, 100]. The second value says why there is none; the setting is then without items.
    """
    name = f"{setting.name}, stacked"
    members = [agent for agent in agents if agent.name in setting.agents]
    design, target = _anchor_design(records, members, maps)
    if len(target) < ANCHORS_PER_WEIGHT * (len(members) + 1):
        nothing = replace(setting, items=setting.items[:0], left_out=0)
        empty = replace(
            nothing, raw=setting.raw[:0], scores=setting.scores[:0], consensus=setting.consensus[:0]
        )
        return _one(
            empty, name, empty.scores.mean(axis=1)
        ), "too few anchors that all agents scored"
    from scipy.optimize import nnls

    centre, level = design.mean(axis=0), float(target.mean())
    weights, _ = nnls(design - centre, target - level)
    score = np.clip((setting.scores - centre) @ weights + level, 0.0, 100.0)
    return _one(setting, name, score), ""


def _anchor_design(
    records: Records, agents: Sequence[AgentRow], maps: Mapping[str, FittedMap]
) -> tuple[FloatArray, FloatArray]:
    """Return the calibrated scores and the consensus of the anchors that all agents scored."""
    table = anchor_table(records, agents)
    raw = np.column_stack([table.raw(agent.name) for agent in agents])
    complete = ~np.isnan(raw).any(axis=1)
    columns = [
        curve_mapping(maps[agent.name])(raw[complete, j])[0] for j, agent in enumerate(agents)
    ]
    return np.column_stack(columns), table.consensus[complete]


def _one(setting: Setting, name: str, score: FloatArray) -> Setting:
    return replace(
        setting,
        kind="derived",
        name=name,
        agents=(ONE,),
        members=len(setting.agents),
        scores=score[:, None],
        raw=setting.raw.mean(axis=1)[:, None],
        extrapolated=None,
    )
