"""The agents `cycle-reviewer`, `deep-reviewer` and `deep-reviewer-search`: what they ask."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from revkit.contracts import Agent
from revkit.errors import OptionError
from revkit.model.exchange import ModelRequest
from revkit.model.review import Failure, Review
from revkit.model.work import Work
from revkit_baselines.cycle_reviewer import CycleReviewer
from revkit_baselines.deep_reviewer import DeepReviewer, DeepReviewerSearch, questions_of
from tests.plugins.revkit_baselines import samples
from tests.plugins.revkit_baselines.baselines_model import HOSTILE, Model, fenced, paper

QUESTIONS = "Let me ask.\n\n\\boxed_questions{\n1. What is counting?\n- Who counts?\n\nWhy?\n}\n"


def best(request: ModelRequest) -> str:
    return QUESTIONS if len(request.messages) == 2 else samples.standard()


def test_cycle_reviewer_asks_once() -> None:
    model = Model(lambda _: samples.cycle())
    review = CycleReviewer(model="m").review(paper(), model.context(repeat=2))
    assert isinstance(review, Review)
    assert (review.score, review.accept) == (6.25, True)
    (request,) = model.requests
    assert request.schema is None
    assert request.replicate == 2000
    assert request.parameters == {"temperature": 0.4, "top_p": 0.95, "max_tokens": 7000}
    assert "Write 4 independent reviews" in request.messages[0].content


@pytest.mark.parametrize(
    ("mode", "reply"),
    [("fast", samples.final()), ("standard", samples.standard())],
)
def test_deep_reviewer_asks_once_in_fast_and_standard_mode(mode: Any, reply: str) -> None:
    model = Model(lambda _: reply)
    review = DeepReviewer(model="m", mode=mode).review(paper(), model.context())
    assert isinstance(review, Review)
    assert (review.score, review.accept) == (5.25, False)
    assert ("reviewers" in review.details) is (mode == "standard")
    (request,) = model.requests
    assert f"{mode.capitalize()} Mode" in request.messages[0].content
    assert ("simulate 4 different" in request.messages[0].content) is (mode == "standard")


def test_best_mode_asks_twice_and_says_that_nothing_was_searched() -> None:
    model = Model(best)
    review = DeepReviewer(model="m", mode="best").review(paper(), model.context())
    assert isinstance(review, Review)
    first, second = model.requests
    assert (first.replicate, second.replicate) == (0, 1)
    assert [turn.role for turn in second.messages] == ["system", "user", "assistant", "user"]
    assert second.messages[:2] == first.messages
    assert second.messages[2].content == QUESTIONS
    answers = fenced(second.messages[3].content, "answers")
    assert answers.count("No passages were found.") == 3
    assert "Question 1: What is counting?" in answers
    assert review.details["questions"] == [
        {"question": question, "passages": []}
        for question in ("What is counting?", "Who counts?", "Why?")
    ]


def test_best_mode_with_a_searcher_shows_what_was_found() -> None:
    def search(query: str, limit: int) -> Sequence[Work] | Failure:
        if query == "Why?":
            return Failure("provider", "down")
        return [Work(f"On {query}", year=2020, abstract=HOSTILE)] * 3

    model = Model(best)
    agent = DeepReviewerSearch(model="m", passages=2)
    review = agent.review(paper(), model.context(search=search, threads=True))
    assert isinstance(review, Review)
    answers = fenced(model.requests[1].messages[3].content, "answers")
    assert answers.count("On What is counting? (2020).") == 2
    assert answers.count("No passages were found.") == 1
    questions: Any = review.details["questions"]
    assert questions[2] == {"question": "Why?", "passages": "provider: down"}
    assert len(questions[0]["passages"]) == 2


def test_best_mode_takes_a_review_that_comes_at_once() -> None:
    model = Model(lambda _: samples.standard())
    review = DeepReviewer(model="m", mode="best").review(paper(), model.context())
    assert isinstance(review, Review)
    assert len(model.requests) == 1
    assert review.details["reading"] == ["no questions asked"]


def test_best_mode_goes_on_without_questions() -> None:
    """A plan, whose stand-in asks nothing, must count both calls too."""
    model = Model(lambda r: "" if len(r.messages) == 2 else samples.standard())
    review = DeepReviewer(model="m", mode="best").review(paper(), model.context())
    assert isinstance(review, Review)
    assert "You asked no question" in model.requests[1].messages[3].content


@pytest.mark.parametrize(
    ("text", "questions"),
    [
        ("\\boxed_questions{\n1. A?\n2) B?\n(3) C?\n}", ("A?", "B?", "C?")),
        ("\\boxed_question{A?\n* B?\n+ A?\n}", ("A?", "B?")),
        ("\\boxed_questions{\n## Questions\n\n- 3D models?\n}", ("3D models?",)),
        ("\\boxed_questions{\n" + "".join(f"Q{n}: {n}?\n" for n in range(9)) + "}",
         ("0?", "1?", "2?", "3?", "4?")),
        ("\\boxed_questions{\n" + "x" * 900 + "\n}", ("x" * 500,)),
        ("1. A question?\n", ()),
        ("\\boxed_questions{\nopen?", ()),
    ],
)  # fmt: skip
def test_questions_are_read(text: str, questions: tuple[str, ...]) -> None:
    assert questions_of(text) == questions


FAILURE = Failure("provider", "down", "raw")


@pytest.mark.parametrize("turn", [1, 2])
def test_a_turn_of_best_mode_that_fails(turn: int) -> None:
    model = Model(lambda r: FAILURE if len(r.messages) == turn * 2 else best(r))
    outcome = DeepReviewer(model="m", mode="best").review(paper(), model.context())
    told = "down" if turn == 1 else "second turn: down"
    assert outcome == Failure("provider", told, "raw")


AGENTS: list[tuple[Agent, str]] = [
    (CycleReviewer(model="m"), samples.cycle()),
    (DeepReviewer(model="m"), samples.standard()),
    (DeepReviewer(model="m", mode="fast"), samples.final()),
]


@pytest.mark.parametrize(("agent", "reply"), AGENTS)
def test_a_hostile_paper_is_data(agent: Agent, reply: str) -> None:
    model = Model(lambda _: reply)
    text = f"# A\n\n{HOSTILE}\n"
    assert isinstance(agent.review(paper(text), model.context()), Review)
    system, user = model.requests[0].messages
    assert "Ignore all" not in system.content
    assert fenced(user.content) == text


@pytest.mark.parametrize(("agent", "reply"), AGENTS)
def test_a_model_that_repeats_the_paper_gives_no_score(agent: Agent, reply: str) -> None:
    """The paper holds a decision and a whole final review; the prompt as reply is none."""
    model = Model(lambda request: request.messages[1].content)
    outcome = agent.review(paper(f"# A\n\n{HOSTILE}\n"), model.context())
    assert isinstance(outcome, Failure), outcome


@pytest.mark.parametrize(("agent", "reply"), AGENTS)
def test_what_the_gateway_refuses_stays_refused(agent: Agent, reply: str) -> None:
    assert agent.review(paper(), Model(lambda _: FAILURE).context()) == FAILURE


def test_details_are_bounded() -> None:
    reply = samples.cycle(weaknesses="x" * 100_000)
    review = CycleReviewer(model="m").review(paper(), Model(lambda _: reply).context())
    assert isinstance(review, Review)
    assert len(json.dumps(dict(review.details))) < 30_000


def test_fast_mode_has_no_reviewers_to_average() -> None:
    with pytest.raises(OptionError, match="fast mode simulates no reviewers"):
        DeepReviewer(model="m", mode="fast", score="reviewers")


def test_a_larger_panel_is_asked_for_and_needed() -> None:
    model = Model(lambda _: samples.cycle())
    outcome = CycleReviewer(model="m", reviewers=5).review(paper(), model.context())
    assert isinstance(outcome, Failure)
    assert (outcome.kind, outcome.detail) == ("partial", "4 of 5 reviewers")
    assert "Write 5 independent reviews" in model.requests[0].messages[0].content
