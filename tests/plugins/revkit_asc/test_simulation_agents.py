"""Simulated agents: responses by hand, reviews without labels, taste and chance apart."""

from __future__ import annotations

import statistics
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from revkit.errors import OptionError
from revkit.model.paper import Labels, Paper
from revkit.model.review import Review
from revkit.testing import check_component, context
from revkit_asc.simulation import REGIMES, Response, SimulatedReviewer, SimulatedVenue, World
from revkit_asc.simulation.response import PROMPTS, cluster_views

PAPERS = list(SimulatedVenue(papers_=60).papers(context(seed=4)))


def score(agent: SimulatedReviewer, paper: Paper, seed: int = 0) -> float:
    review = agent.review(paper.blind(), context(seed=seed))
    assert isinstance(review, Review)
    assert review.score is not None
    return review.score


def test_a_response_by_hand() -> None:
    straight = Response(low=20, high=60, step=0)
    assert [float(straight(x)) for x in (-5, 0, 25, 50, 100, 130)] == [20, 20, 30, 40, 60, 60]
    # bend 0.25 puts the middle at a quarter of the range; steep 0.2: at a quarter of the way in,
    # half of bias(0.5) = 0.2, so 0.1 of the range.
    assert float(Response(low=20, high=60, step=0, bend=0.25)(50)) == pytest.approx(30)
    assert float(Response(low=0, high=100, step=0, steep=0.2)(25)) == pytest.approx(10)
    assert float(Response(low=0, high=100, step=0, steep=0.2)(75)) == pytest.approx(90)
    # Halves are rounded upwards, to multiples of the step.
    assert [float(Response(step=5)(x)) for x in (2.4, 2.5, 97.4, 97.5)] == [0, 5, 95, 100]
    moved = Response(floor=10, ceiling=90, step=0)
    assert [float(moved(x)) for x in (10, 50, 90)] == [0, 50, 100]


RESPONSES = st.builds(
    Response,
    low=st.floats(0, 45),
    high=st.floats(55, 100),
    floor=st.floats(-20, 30),
    ceiling=st.floats(60, 120),
    bend=st.floats(0.02, 0.98),
    steep=st.floats(0.02, 0.98),
    step=st.sampled_from([0.0, 1.0, 2.0, 5.0, 10.0]),
)


@settings(max_examples=100, deadline=None)
@given(RESPONSES, st.lists(st.floats(-200, 300), min_size=2, max_size=30))
def test_responses_never_decrease_and_give_the_same_bits_alone(
    response: Response, seen: list[float]
) -> None:
    ordered = np.sort(np.array(seen))
    scores = np.asarray(response(ordered))
    assert ((scores >= 0) & (scores <= 100)).all()
    assert (np.diff(scores) >= 0).all()
    assert [float(response(float(x))) for x in ordered] == scores.tolist()


@pytest.mark.parametrize("regime", list(REGIMES))
@pytest.mark.parametrize("profile", ["g1", "g6"])
def test_every_agent_keeps_its_contract(regime: str, profile: str) -> None:
    check_component(
        SimulatedReviewer(profile=profile, regime=regime),  # type: ignore[arg-type]
        papers=PAPERS[:4],
    )
    check_component(SimulatedReviewer)


def test_scores_use_the_range_and_the_steps_of_the_profile() -> None:
    for profile, low, high, step in (("g1", 31, 62, 2), ("g2", 10, 56, 5)):
        agent = SimulatedReviewer(profile=profile)  # type: ignore[arg-type]
        scores = [score(agent, paper, n) for n, paper in enumerate(PAPERS)]
        assert low - step <= min(scores)
        assert max(scores) <= high + step
        assert all(value % step == 0 for value in scores)
        assert len(set(scores)) > 4


def test_more_flaws_never_score_lower_when_nothing_else_changes() -> None:
    agent = SimulatedReviewer(noise=0.0, step=0.0)
    text = PAPERS[0].text
    worse = text + "\nAll figures come from a single seed. No part was ablated.\n"
    before, after = (score(agent, replace(PAPERS[0], text=body)) for body in (text, worse))
    assert after > before


def test_labels_change_nothing_and_noise_differs_from_call_to_call() -> None:
    agent = SimulatedReviewer(step=0.0)
    paper = PAPERS[1]
    disguised = replace(paper, id="x", labels=Labels(accept=True, severity=0.0))
    assert agent.review(paper, context(seed=3)) == agent.review(disguised, context(seed=3))
    assert score(agent, paper, 3) != score(agent, paper, 4)
    quiet = replace(agent, noise=0.0)
    assert score(quiet, paper, 3) == score(quiet, paper, 4)


def test_taste_stays_with_the_title_and_differs_between_agents() -> None:
    straight = {"low": 0.0, "high": 100.0, "bend": 0.5, "steep": 0.5, "step": 0.0, "noise": 0.0}
    tasteful = SimulatedReviewer(taste=5.0, **straight)  # type: ignore[arg-type]
    plain = SimulatedReviewer(taste=0.0, **straight)  # type: ignore[arg-type]
    moved = [
        score(tasteful, p) - score(plain, p)
        for p in PAPERS
        if 25 < p.labels.extra["shown"] < 75  # type: ignore[operator]
    ]
    # The profile g1 has floor 6 and ceiling 91: one severity point is 100 / 85 points of score.
    assert statistics.pstdev(moved) == pytest.approx(5.0 * 100 / 85, rel=0.35)
    other = replace(tasteful, agent_seed=2)
    assert [score(other, p) for p in PAPERS[:5]] != [score(tasteful, p) for p in PAPERS[:5]]


def test_views_of_clusters() -> None:
    views = cluster_views("s", ["a", "b", "c"], 10.0)
    assert cluster_views("s", ["c"], 10.0) == {"c": views["c"]}
    assert cluster_views("s", ["c"], 5.0)["c"] == pytest.approx(views["c"] / 2)
    many = cluster_views("s", [str(n) for n in range(2000)], 10.0)
    assert statistics.pstdev(many.values()) == pytest.approx(10.0, rel=0.06)


def test_a_changed_prompt_is_stricter_and_part_of_the_identity() -> None:
    assert len(PROMPTS) == 4
    first, second = SimulatedReviewer(profile="g3"), SimulatedReviewer(profile="g3", prompt=1)
    assert first.identity() != second.identity()
    before = [score(first, paper) for paper in PAPERS]
    after = [score(second, paper) for paper in PAPERS]
    assert all(b >= a for a, b in zip(before, after, strict=True))
    assert statistics.mean(after) > statistics.mean(before) + 8


def test_verdicts_follow_the_scale() -> None:
    for profile in ("g1", "g2", "g3", "g4", "g5", "g6"):
        agent = SimulatedReviewer(profile=profile, noise=0.0, taste=0.0)  # type: ignore[arg-type]
        assert agent.scale.higher_is_better is False
        for paper in PAPERS[:20]:
            review = agent.review(paper, context())
            assert isinstance(review, Review)
            assert review.accept is agent.scale.accepts(review.score or 0.0)
            if paper.labels.extra["shown"] <= 50:  # type: ignore[operator]
                assert review.accept


def test_options_that_make_no_scale_are_refused() -> None:
    with pytest.raises(OptionError, match="must be below high: 62 and 62"):
        SimulatedReviewer(low=62.0)
    with pytest.raises(OptionError, match="profile"):
        SimulatedReviewer(profile="g7")  # type: ignore[arg-type]


def test_both_roads_share_the_response() -> None:
    """The same severity, taste and noise give the same score by text and by number."""
    agent = SimulatedReviewer(noise=0.0, taste=0.0)
    world = World(replace(REGIMES["paper"], agents={"g1": agent.response}), 0)
    by_number = world.scores("g1", world.held_out)
    known = {int(s): float(v) for s, v in zip(world.held_out.shown, by_number, strict=True)}
    compared = 0
    for paper in PAPERS:
        shown = int(cast(Any, paper.labels.extra["shown"]))
        if shown in known:
            assert score(agent, paper) == known[shown]
            compared += 1
    assert compared > 40
