"""Guards: defenses that wrap the review, in a run, in the store, and in records."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import pytest

from revkit.contracts import (
    Agent,
    Context,
    Defense,
    Reviewing,
    Services,
    guarded,
    guards_of,
)
from revkit.errors import SpecError
from revkit.execution.work import Answer
from revkit.model.exchange import Message, ModelReply, ModelRequest
from revkit.model.paper import Paper
from revkit.model.review import Failure, Outcome, Review, Scale, checked
from revkit.options import option
from revkit.spec import AgentStep, Experiment
from revkit.testing import check_component
from revkit.testing.toys import ToyLength, ToyPapers, ToyScreen

SCALE = Scale("ten", 1, 10, accept_at=6)


@dataclass(frozen=True)
class Twice(Defense):
    """Asks twice, adds its mark to each prompt, and returns the lower score plus ``add``."""

    name: ClassVar[str] = "twice"
    version: ClassVar[str] = "1"
    mark: str = option("", help="A mark.")

    def guard(self, paper: Paper, review: Reviewing, ctx: Context) -> Outcome:
        def marked(request: ModelRequest) -> ModelRequest:
            (turn,) = request.messages
            return replace(request, messages=(Message("user", turn.content + self.mark),))

        review(paper, marked)
        outcome = review(paper, marked)
        if isinstance(outcome, Failure):
            return outcome
        return replace(outcome, certified=2, details={**outcome.details, self.mark: True})


@dataclass(frozen=True)
class Broken(Defense):
    """Returns a score off the scale."""

    name: ClassVar[str] = "broken"
    version: ClassVar[str] = "1"

    def guard(self, paper: Paper, review: Reviewing, ctx: Context) -> Outcome:
        return Review(score=-1.0)


@dataclass(frozen=True)
class Prompting(Defense):
    """Declares that it changes prompts."""

    name: ClassVar[str] = "prompting"
    version: ClassVar[str] = "1"
    changes_prompts: ClassVar[bool] = True


def test_first_guard_is_the_outermost_and_changes_the_prompt_last() -> None:
    prompts: list[str] = []

    def complete(request: ModelRequest) -> ModelReply:
        prompts.append(request.messages[0].content)
        return ModelReply("")

    def ask(paper: Paper, change: Any) -> Outcome:
        ctx = Context(services=Services(complete=complete))
        ctx = ctx if change is None else ctx.changing(change)
        ctx.complete(ModelRequest("m", (Message("user", paper.text),)))
        return Review(score=3.0)

    review = guarded([Twice("a"), Twice("b")], Reviewing(SCALE, ask), lambda *_: Context())
    outcome = review(Paper("p", "text"))
    assert prompts == ["textba"] * 4
    assert isinstance(outcome, Review)
    assert list(outcome.details) == ["b", "a"]
    assert guards_of([ToyScreen(), Twice()]) == [Twice()]


def test_guard_sees_no_label_and_agent_too() -> None:
    seen: list[Paper] = []

    def ask(paper: Paper, change: Any) -> Outcome:
        seen.append(paper)
        return Review(score=3.0)

    guarded([Twice()], Reviewing(SCALE, ask), lambda *_: Context())(Paper("SECRET", "text"))
    assert {paper.id for paper in seen} == {Paper("x", "text").blind().id}


def test_records_count_reviews_and_hold_the_certificate(run_toy: Callable[..., Any]) -> None:
    agents: dict[str, Agent | AgentStep] = {
        "plain": ToyLength(),
        "twice": AgentStep(ToyLength(), (ToyScreen(), Twice("x"))),
        "broken": AgentStep(ToyLength(), (Broken(),)),
    }
    experiment = Experiment(corpus=ToyPapers(4), agents=agents)
    run = run_toy(experiment)
    by_agent = {name: [v for v in run.records.verdicts if v.agent == name] for name in agents}
    assert {(v.asked, v.certified) for v in by_agent["plain"]} == {(1, None)}
    assert {(v.asked, v.certified) for v in by_agent["twice"]} == {(2, 2)}
    assert {v.failure for v in by_agent["broken"]} == {"schema"}
    rows = [row for row in run.rows("outcomes") if row["agent"] == "plain"]
    assert not any({"asked", "certified"} & row.keys() for row in rows)
    base = {agent.name: agent.base for agent in run.records.agents}
    assert base == {"plain": "", "twice": "plain", "broken": "plain"}


def test_answer_keeps_how_often_the_agent_was_asked() -> None:
    from revkit.execution.work import answer_from_json

    answer = Answer(Review(score=1.0, certified=3), asked=4)
    assert answer_from_json(answer.to_json(), "review") == answer
    assert "asked" not in Answer(Review(score=1.0)).to_json()
    assert "certified" not in Review(score=1.0).to_json()
    with pytest.raises(ValueError, match="number of reviews"):
        answer_from_json({**answer.to_json(), "asked": -1}, "review")


@pytest.mark.parametrize("certified", [-1, 1.5, True])
def test_certificate_is_a_whole_number(certified: Any) -> None:
    found = checked(Review(score=2.0, certified=certified), SCALE)
    assert isinstance(found, Failure)


def test_prompt_defense_needs_an_agent_that_asks_a_model() -> None:
    with pytest.raises(SpecError, match="asks none"):
        Experiment(corpus=ToyPapers(2), agents={"a": AgentStep(ToyLength(), (Prompting(),))})


def test_check_component_checks_guards() -> None:
    assert check_component(Twice("x")) is None
    with pytest.raises(AssertionError, match="not a score"):
        check_component(Broken())
