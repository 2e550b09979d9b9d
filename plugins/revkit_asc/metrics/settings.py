"""A setting: one way to bring the scores of several agents onto the common scale."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Literal

import numpy as np

from revkit.dataclass import dataclass
from revkit.errors import RevkitError
from revkit.model.records import FittedMap, Records
from revkit.stats.disagreement import best_increasing
from revkit_asc.metrics.heldout import HeldOut

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from revkit.stats.values import FloatArray

RAW = "raw"
FLOOR = "oracle floor"
# Raw severities of one agent to calibrated ones, and which of them lie outside the anchors' range.
Mapping_ = Callable[["FloatArray"], "tuple[FloatArray, NDArray[np.bool_]]"]


@dataclass(frozen=True)
class Setting:
    """The scores of the items that all agents of the setting scored, with one row for each item.

    ``items`` are places among the held-out papers, ``raw`` the severities that ``scores`` were made
    of, ``extrapolated`` None where the word has no meaning. ``refused`` says of each agent that has
    no map why; it is not among ``agents``. ``left_out`` counts the items that an agent did not
    score, ``unscored`` the calls without a score by reason. Where ``members`` is above 0 the
    setting is one score made of that many agents. ``kind`` says what the scores are: raw, those of
    the fitted maps, of the oracle floor, or derived from fitted ones.
    """

    kind: Literal["raw", "fitted", "floor", "derived"]
    name: str
    calibrator: str
    calls: int
    agents: tuple[str, ...]
    items: NDArray[np.intp]
    raw: FloatArray
    scores: FloatArray
    consensus: FloatArray
    extrapolated: NDArray[np.bool_] | None
    left_out: int
    unscored: Mapping[str, int]
    refused: Mapping[str, str] = field(default_factory=dict)
    members: int = 0


def fitted_ways(records: Records) -> dict[str, dict[str, FittedMap]]:
    """Return the fitted maps by calibrator, in the order of the experiment, and by agent."""
    ways: dict[str, dict[str, FittedMap]] = {}
    for fitted in records.anchors.maps if records.anchors is not None else ():
        ways.setdefault(fitted.name, {})[fitted.agent] = fitted
    return ways


def raw_setting(held: HeldOut, calls: int = 1) -> Setting:
    """Return the uncalibrated scores of the agents, on the severity axis of their scales."""
    return _setting("raw", held, RAW, "", dict.fromkeys(held.agents, _as_is), {}, calls)


def fitted_setting(
    held: HeldOut, name: str, maps: Mapping[str, FittedMap], calls: int = 1
) -> Setting:
    """Return the scores of the agents, mapped with one calibrator."""
    through: dict[str, Mapping_] = {}
    refused: dict[str, str] = {}
    for agent in held.agents:
        fitted = maps.get(agent)
        if fitted is None:
            refused[agent] = "no map was fitted"
        elif fitted.curve is None:
            refused[agent] = fitted.refused or "no map was fitted"
        else:
            through[agent] = curve_mapping(fitted)
    calibrator = next((m.calibrator for m in maps.values()), "")
    return _setting("fitted", held, name, calibrator, through, refused, calls)


def oracle_setting(held: HeldOut, calls: int = 1) -> Setting:
    """Return the best increasing map of each agent, fitted on the consensus of the held-out items
    themselves.
    """
    raw = raw_setting(held, calls)
    scores = np.array(raw.scores)
    for j in range(scores.shape[1]):
        scores[:, j] = best_increasing(raw.raw[:, j], raw.consensus)
    return Setting(
        "floor",
        FLOOR, "", calls, raw.agents, raw.items, raw.raw, scores, raw.consensus, None,
        raw.left_out, raw.unscored,
    )  # fmt: skip


def mapped_setting(
    held: HeldOut,
    name: str,
    calibrator: str,
    through: Mapping[str, Mapping_],
    refused: Mapping[str, str],
) -> Setting:
    """Return the scores of the agents, mapped with any functions; ``refused`` states why an agent
    has no function.
    """
    return _setting("derived", held, name, calibrator, through, refused, 1)


def _as_is(raw: FloatArray) -> tuple[FloatArray, NDArray[np.bool_]]:
    return raw, np.zeros(len(raw), dtype=bool)


def curve_mapping(fitted: FittedMap) -> Mapping_:
    """Return a fitted curve as a function of arrays. Raises `RevkitError` if the curve does not
    return numbers.
    """
    curve = fitted.curve
    assert curve is not None

    def mapping(raw: FloatArray) -> tuple[FloatArray, NDArray[np.bool_]]:
        scores = np.asarray(curve(raw), dtype=np.float64)
        if scores.shape != raw.shape or not bool(np.isfinite(scores).all()):
            raise RevkitError(
                f"the map {fitted.name!r} of {fitted.agent!r} returned no finite scores"
            )
        return scores, np.asarray(curve.extrapolated(raw), dtype=bool)

    return mapping


def calls_of(held: HeldOut, agent: str, calls: int) -> FloatArray:
    """Return the mean of an agent's first ``calls`` calls on each item; NaN if one call gave no
    score.
    """
    return np.asarray(held.scores[agent].severity[:, :calls].mean(axis=1))


def _setting(
    kind: Literal["raw", "fitted", "floor", "derived"],
    held: HeldOut,
    name: str,
    calibrator: str,
    through: Mapping[str, Mapping_],
    refused: Mapping[str, str],
    calls: int,
) -> Setting:
    agents = tuple(agent for agent in held.agents if agent in through)
    raw = np.column_stack(
        [calls_of(held, agent, calls) for agent in agents] or [np.empty((len(held.papers), 0))]
    )
    complete = ~np.isnan(raw).any(axis=1) if agents else np.zeros(len(raw), dtype=bool)
    items = np.flatnonzero(complete)
    kept = raw[items]
    scores, outside = np.array(kept), np.zeros(kept.shape, dtype=bool)
    for j, agent in enumerate(agents if len(items) else ()):
        scores[:, j], outside[:, j] = through[agent](kept[:, j])
    unscored: Counter[str] = Counter()
    for agent in agents:
        unscored += held.scores[agent].unscored(calls)
    return Setting(
        kind,
        name, calibrator, calls, agents, items, kept, scores, held.consensus[items],
        None if kind == "raw" else outside,
        len(held.papers) - len(items), dict(sorted(unscored.items())), dict(refused),
    )  # fmt: skip


def refusals(settings: Sequence[Setting]) -> list[str]:
    """Return one sentence for each setting with agents without a map; agents with the same reason
    are listed together.
    """
    texts = []
    for setting in settings:
        reasons: dict[str, list[str]] = {}
        for agent, why in setting.refused.items():
            reasons.setdefault(why, []).append(agent)
        parts = [f"{', '.join(agents)} ({why})" for why, agents in reasons.items()]
        if parts:
            texts.append(f"{setting.name}: no map for {'; '.join(parts)}.")
    return texts
