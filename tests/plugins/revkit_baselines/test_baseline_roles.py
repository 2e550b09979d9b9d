"""The roles that baselines tell of are those that ask, and read what they are said to."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from revkit.model.exchange import ModelRequest
from revkit.model.review import Review
from revkit.model.work import Work
from revkit.planning.roles import roles_of
from revkit_baselines.agent_review import AgentReview
from revkit_baselines.ai_scientist import AiScientist
from revkit_baselines.baseline import Baseline
from revkit_baselines.cycle_reviewer import CycleReviewer
from revkit_baselines.deep_reviewer import DeepReviewer, DeepReviewerSearch
from tests.plugins.revkit_baselines.baselines_model import Model, paper, role_of
from tests.plugins.revkit_baselines.samples import standard
from tests.plugins.revkit_baselines.test_agent_review_agent import answering as phases
from tests.plugins.revkit_baselines.test_ai_scientist_agent import FILLED

# What the forms tell of who asks, and the name of the role.
_SAME = {"member": "reviewer"}


def mark_of(role: str) -> str:
    return f"XMARKX{role.upper()}"


def scientist(request: ModelRequest) -> Any:
    role = role_of(request)
    mark = mark_of(_SAME.get(role, role))
    more = {"Done": False} if role == "reflection" else {}
    return {**FILLED, "Summary": f"{mark} It counts words.", **more}


def five_phases(request: ModelRequest) -> Any:
    found = dict(phases((5, 6, 8), (3, 5, 8))(request))
    first = next(name for name, value in found.items() if isinstance(value, str))
    found[first] = f"{mark_of(role_of(request))} {found[first]}"
    return found


def two_turns(request: ModelRequest) -> str:
    if len(request.messages) > 2:
        return f"{mark_of('answers')}\n\n{standard()}"
    return f"\\boxed_questions{{\n1. {mark_of('best')} why?\n}}"


def found(query: str, limit: int) -> list[Work]:
    return [Work(f"On {query}", year=2024, abstract="It is.")]


def check(agent: Baseline, answer: Any, names: tuple[str, ...]) -> None:
    read: dict[str, set[str]] = defaultdict(set)

    def noting(request: ModelRequest) -> Any:
        text = "\n".join(message.content for message in request.messages)
        read[request.role] |= {name for name in names if mark_of(name) in text}
        return answer(request)

    model = Model(noting)
    review = agent.review(paper(), model.context(search=found))
    assert isinstance(review, Review), review
    told = {role.name: role for role in roles_of(agent)}
    calls = Counter(request.role for request in model.requests)
    assert calls == {name: role.calls for name, role in told.items()}
    for name, role in told.items():
        assert read[name] - {name} == set(role.reads), name
        assert role.model == agent.model


SCIENTISTS: list[dict[str, Any]] = [
    {"ensemble": 3, "reflections": 2},
    {"ensemble": 3, "reflections": 2, "reflect_on": "members"},
    {"ensemble": 3, "reflections": 0},
    {"ensemble": 1, "reflections": 2},
    {"ensemble": 1, "reflections": 2, "reflect_on": "members"},
]


@pytest.mark.parametrize("options", SCIENTISTS, ids=repr)
def test_ai_scientist(options: dict[str, Any]) -> None:
    check(AiScientist(model="m", **options), scientist, ("reviewer", "chair", "reflection"))


PHASES: list[dict[str, Any]] = [
    {},
    {"rebuttal": False},
    {"discussion": False},
    {"rebuttal": False, "discussion": False},
    {"reviewers": ("neutral",)},
]


@pytest.mark.parametrize("options", PHASES, ids=repr)
def test_agent_review(options: dict[str, Any]) -> None:
    names = ("reviewer", "author", "discussion", "chair", "decision")
    check(AgentReview(model="m", **options), five_phases, names)


def test_a_template_without_the_record_reads_none(tmp_path: Path) -> None:
    path = tmp_path / "decision.md"
    path.write_text("Decide by {{ meta-review }} with\n{{form}}\n", encoding="utf-8")
    agent = AgentReview(model="m", prompts={"decision": str(path)})
    check(agent, five_phases, ("reviewer", "author", "discussion", "chair", "decision"))
    assert roles_of(agent)[-1].reads == ("chair",)


@pytest.mark.parametrize("kind", [DeepReviewer, DeepReviewerSearch])
def test_deep_reviewer_in_best_mode(kind: type[DeepReviewer]) -> None:
    agent = kind(model="m", mode="best")
    check(agent, two_turns, ("best", "answers"))
    searches = kind is DeepReviewerSearch
    assert [role.uses for role in roles_of(agent)] == [("searcher",) if searches else (), ()]


@pytest.mark.parametrize(
    "agent",
    [
        CycleReviewer(model="m"),
        DeepReviewer(model="m"),
        DeepReviewer(model="m", mode="fast"),
        AiScientist(model="m", ensemble=1, reflections=0),
    ],
    ids=lambda agent: agent.name,
)
def test_who_asks_once_tells_no_roles(agent: Baseline) -> None:
    assert roles_of(agent) == ()
