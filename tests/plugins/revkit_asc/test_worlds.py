"""Worlds in numbers: their figures, and the default calibrator beside isotonic in all of them."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from revkit_asc.calibrators import Isotonic, MeanSigma, MonotoneSpline
from revkit_asc.simulation import REGIMES, World

SEEDS = range(12)
Array = np.ndarray[Any, Any]


def disagreement(scores: Array) -> float:
    """D-bar: mean over pairs of agents and items of the absolute difference."""
    pairs = combinations(range(len(scores)), 2)
    return float(np.mean([np.abs(scores[i] - scores[j]).mean() for i, j in pairs]))


def raw(world: World) -> tuple[list[Array], Array]:
    anchors = [world.scores(agent, world.anchors) for agent in world.agents]
    return anchors, np.array([world.scores(agent, world.held_out) for agent in world.agents])


def mapped(calibrator: Any, world: World) -> Array:
    anchors, stream = raw(world)
    target = world.anchors.consensus
    return np.array(
        [
            np.asarray(calibrator.fit(seen, target)(new))
            for seen, new in zip(anchors, stream, strict=True)
        ]
    )


def figures(scores: Array, consensus: Array) -> dict[str, float]:
    slopes = [np.polyfit(row, consensus, 1)[0] for row in scores]
    return {
        "d": disagreement(scores),
        "mae": float(np.abs(scores - consensus).mean()),
        "r": float(np.corrcoef(scores.mean(axis=0), consensus)[0, 1]),
        "best": max(float(np.corrcoef(row, consensus)[0, 1]) for row in scores),
        "spread": float(np.mean(scores.std(axis=1)) / consensus.std()),
        "slope": float(np.mean(slopes)),
    }


def test_a_world_is_drawn_by_its_seed() -> None:
    first, again, other = World("paper", 1), World("paper", 1), World("paper", 2)
    assert (first.held_out.consensus == again.held_out.consensus).all()
    assert (first.held_out.consensus != other.held_out.consensus).any()
    for call in (0, 1):
        one, two = (w.scores("g4", w.anchors, call=call) for w in (first, again))
        assert (one == two).all()
    assert (first.scores("g1", first.anchors) != first.scores("g1", first.anchors, call=1)).any()
    assert first.anchors.consensus.shape == (240,)
    assert first.held_out.taste.shape == (6, 1050)


@pytest.mark.parametrize("regime", list(REGIMES))
def test_anchors_are_even_and_every_consensus_lies_in_its_tier(regime: str) -> None:
    world = World(regime, 3)
    assert np.bincount(world.anchors.tiers).tolist() == [60, 60, 60, 60]
    assert set(np.bincount(world.anchors.clusters).tolist()) == {34, 35}
    for items in (world.anchors, world.held_out):
        assert (items.consensus >= 25 * items.tiers).all()
        assert (items.consensus <= 25 * (items.tiers + 1)).all()
        assert (items.error > 0).all()
        for agent in world.agents:
            scores = world.scores(agent, items)
            assert ((scores >= 0) & (scores <= 100)).all()


def test_the_stream_of_the_concentrated_world_is_concentrated() -> None:
    shares = np.bincount(World("concentrated", 0).held_out.tiers) / 1050
    assert shares == pytest.approx([0.02, 0.08, 0.80, 0.10], abs=0.04)


def test_the_paper_like_world_has_the_figures_of_the_paper_that_fit_together() -> None:
    """Means over twelve seeds. The paper: 22.4 raw, 14.0 linear, 6.1 ASC, r 0.58 and 0.79. Of these
    0.58 and 6.1 cannot stand beside the others; 0.71 to 0.74 and 7.6 can."""
    rows: dict[str, list[dict[str, float]]] = {"raw": [], "linear": [], "asc": []}
    for seed in SEEDS:
        world = World("paper", seed)
        consensus = world.held_out.consensus
        rows["raw"].append(figures(raw(world)[1], consensus))
        rows["linear"].append(figures(mapped(MeanSigma(), world), consensus))
        rows["asc"].append(figures(mapped(MonotoneSpline(), world), consensus))
    mean = {
        name: {key: float(np.mean([row[key] for row in found])) for key in found[0]}
        for name, found in rows.items()
    }
    assert mean["raw"]["d"] == pytest.approx(22.4, abs=0.6)
    assert mean["raw"]["best"] == pytest.approx(0.72, abs=0.03)
    assert mean["linear"]["d"] == pytest.approx(12.5, abs=0.6)
    assert mean["asc"]["d"] == pytest.approx(7.6, abs=0.3)
    assert mean["asc"]["r"] == pytest.approx(0.79, abs=0.01)
    assert mean["asc"]["mae"] == pytest.approx(13.4, abs=0.4)
    assert mean["asc"]["slope"] == pytest.approx(0.84, abs=0.03)


def test_a_changed_prompt_of_one_agent_lifts_the_disagreement() -> None:
    """Section 5 of the paper has 6.1 to 9.4; the facts' drift table 7.5 to 11.3."""
    before, after = [], []
    for seed in SEEDS[:6]:
        world = World("paper", seed)
        curves = {
            agent: MonotoneSpline().fit(world.scores(agent, world.anchors), world.anchors.consensus)
            for agent in world.agents
        }
        for prompt, found in ((0, before), (1, after)):
            scores = [
                np.asarray(
                    curve(
                        world.scores(agent, world.held_out, prompt=prompt if agent == "g3" else 0)
                    )
                )
                for agent, curve in curves.items()
            ]
            found.append(disagreement(np.array(scores)))
    assert np.mean(before) == pytest.approx(7.6, abs=0.4)
    assert np.mean(after) == pytest.approx(11.0, abs=0.7)


def test_a_shift_moves_what_an_agent_sees() -> None:
    world = World("clean", 0)
    still, moved = (world.scores("g1", world.held_out, shift=shift) for shift in (0.0, 3.0))
    assert (moved >= still).all()
    assert 1.5 < (moved - still).mean() < 3.0


@pytest.mark.parametrize("regime", list(REGIMES))
def test_the_default_is_never_worse_than_isotonic_and_does_not_shrink(
    regime: str, record_property: Any
) -> None:
    """Twelve seeds: means of D and MAE at most 0.2 and 0.1 above isotonic's.

    A smaller spread would lower D for nothing (a constant has none), so the spread must stay that
    of isotonic, and the slope of consensus on score may not leave it on the far side of 1.
    """
    differences = []
    for seed in SEEDS:
        world = World(regime, seed)
        consensus = world.held_out.consensus
        spline = figures(mapped(MonotoneSpline(), world), consensus)
        isotonic = figures(mapped(Isotonic(), world), consensus)
        differences.append([spline[key] - isotonic[key] for key in ("d", "mae", "r")]
                           + [spline["spread"] / isotonic["spread"], spline["slope"]])  # fmt: skip
    found = np.array(differences)
    record_property("per seed: D, MAE, r, spread ratio, slope", found.round(3).tolist())
    print(regime, found.round(3).tolist(), sep="\n")  # noqa: T201 - shown where a test fails
    d, mae, r, spread, slope = found.mean(axis=0)
    assert d <= 0.2
    assert mae <= 0.1
    assert r >= -0.002
    assert spread >= 0.98
    assert slope <= 1.02
    # No single seed is far from that either.
    assert found[:, 0].max() <= 0.3
    assert found[:, 1].max() <= 0.2
    assert found[:, 3].min() >= 0.96
