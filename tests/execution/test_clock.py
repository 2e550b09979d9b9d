"""The seconds of each agent: in provenance alone, for reviews that this run computed."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

from revkit.contracts import Agent, Context
from revkit.execution.work.clock import ReviewClock
from revkit.model.paper import Paper
from revkit.model.review import Outcome, Review, Scale
from revkit.spec import AgentStep
from revkit.testing.toys import ToyScreen


class Slow(Agent):
    """Takes some time for each review."""

    name = "slow"
    version = "1"
    scale = Scale("ten", 1, 10, accept_at=6)

    def review(self, paper: Paper, ctx: Context) -> Outcome:
        return Review(score=5.0)


def test_reviews_and_seconds_add_up_by_agent_and_defense() -> None:
    clock = ReviewClock()
    plain, guarded = AgentStep(Slow()), AgentStep(Slow(), (ToyScreen(),))
    for _ in range(3):
        with clock.timing(plain):
            time.sleep(0.02)
    with clock.timing(guarded):
        pass
    found: Any = clock.to_json({"plain": plain, "guarded": guarded, "never": AgentStep(Slow())})
    assert {name: row["reviews"] for name, row in found.items()} == {"plain": 3, "guarded": 1}
    assert 0.06 <= found["plain"]["seconds"] < 5
    assert found["guarded"]["seconds"] < found["plain"]["seconds"]


def test_a_run_states_the_reviews_that_it_computed_and_no_stored_ones(
    run_toy: Callable[..., Any], toy_spec: dict[str, Any]
) -> None:
    run = run_toy(toy_spec)
    timing = json.loads((run.folder / "provenance.json").read_text(encoding="utf-8"))["timing"]
    texts = {(row.paper, row.perturbation, row.index) for row in run.records.verdicts}
    counts = {name: row["reviews"] for name, row in timing["agents"].items()}
    assert set(counts) == {agent.name for agent in run.records.agents}
    assert all(0 < count <= len(texts) for count in counts.values())
    again = run_toy(toy_spec)
    about = json.loads((again.folder / "provenance.json").read_text(encoding="utf-8"))
    assert about["timing"]["agents"] == {}
