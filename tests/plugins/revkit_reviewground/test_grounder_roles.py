"""The roles that `review-grounder` lists are those that ask, and read what they are said to."""

from __future__ import annotations

import copy
import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from revkit.model.exchange import ModelRequest
from revkit.model.review import Review
from revkit.model.work import Work
from revkit.planning.roles import roles_of
from revkit_reviewground.agent import ReviewGrounder
from tests.plugins.revkit_reviewground.scripted import ANSWERS, DRAFT, PAPER, Model

NAMES = ("drafter", "searcher", "summarizer", "miner", "analyzer", "aggregator", "correction")
# What is wrong with the aggregator's review, so that it has to be corrected.
FALSE = 'It says "we never tested any of it at all".'
BAD_SCORES = {"soundness": 1, "presentation": 1, "rating": 10}


def marked(value: Any, mark: str) -> Any:
    """``value`` with ``mark`` in its first text."""
    done = False

    def walk(each: Any) -> Any:
        nonlocal done
        if isinstance(each, dict):
            return {key: walk(one) for key, one in each.items()}
        if isinstance(each, list):
            return [walk(one) for one in each]
        if isinstance(each, str) and not done:
            done = True
            return f"{mark} {each}"
        return each

    found = walk(copy.deepcopy(value))
    assert done
    return found


def mark_of(role: str) -> str:
    return f"XMARKX{role.upper()}"


class Marked(Model):
    """Each role's reply holds a mark; the aggregator's is wrong, the correction's, too."""

    def __init__(self, *, scores: bool) -> None:
        answers = {}
        for role in NAMES:
            answer = marked(ANSWERS[role], mark_of(role))
            if role in ("aggregator", "correction"):
                answer["weaknesses"] = [FALSE, f"Round {role}"]
                answer.update(BAD_SCORES if scores else {})
            answers[role] = answer
        each = ANSWERS["searcher"]["keywords"]
        answers["searcher"] = {"keywords": [f"{mark_of('searcher')} {name}" for name in each]}
        super().__init__(**answers)
        self.read: dict[str, set[str]] = defaultdict(set)
        self.models: dict[str, set[str]] = defaultdict(set)

    def complete(self, request: ModelRequest) -> Any:
        text = "\n".join(listed.content for listed in request.messages)
        with self._lock:
            self.read[request.role] |= {role for role in NAMES if mark_of(role) in text}
            self.models[request.role].add(request.model)
        return super().complete(request)


def found(query: str, limit: int) -> Sequence[Work]:
    """Works that show what was searched for: one with an abstract for each keyword, one without."""
    return [
        Work(f"Gates for {query}", year=2024, abstract=f"It is about {query}.", score=2.0),
        Work(f"Beyond {query}", year=2024, score=1.0),
    ]


def checked(agent: ReviewGrounder) -> Marked:
    """Review once, and hold what happened against what is listed; return the model."""
    model = Marked(scores="checks" in agent.without)
    review = agent.review(PAPER, model.context(found, agent.uses))
    assert isinstance(review, Review), review
    listed = {role.name: role for role in roles_of(agent)}
    calls = Counter(request.role for _, request in model.asked)
    assert set(calls) == set(listed)
    # The labels are right: forms and turns agree.
    assert all(request.role == role for role, request in model.asked)
    for name, role in listed.items():
        assert model.read[name] - {name} == set(role.reads), name
        assert model.models[name] == {role.model}
        assert calls[name] <= (role.calls or 0)
    return model


OPTIONS: list[dict[str, Any]] = [
    {},
    {"without": ("searcher",)},
    {"without": ("miner",)},
    {"without": ("analyzer",)},
    {"without": ("checks",)},
    {"without": ("searcher", "miner", "analyzer")},
    {"without": ("searcher", "miner", "analyzer", "checks")},
    {"without": ("checks",), "scores": "aggregator"},
    {"without": ("checks",), "scores": "keep-draft"},
    {"scores": "keep-draft"},
    {"scores": "aggregator"},
    {"corrections": 0},
    {"corrections": 3},
    {"reading": "sections"},
    {"works": 1},
    {"roles": {"miner": "m/a", "summarizer": {"model": "m/b"}, "aggregator": "m/c"}},
]


@pytest.mark.parametrize("options", OPTIONS, ids=repr)
def test_roles_read_what_they_are_said_to(options: dict[str, Any]) -> None:
    checked(ReviewGrounder(model="m/d", **options))


def test_drafts_of_a_file_have_no_drafter(tmp_path: Path) -> None:
    path = tmp_path / "drafts.jsonl"
    path.write_text(json.dumps({"title": PAPER.title, "review": DRAFT}), encoding="utf-8")
    agent = ReviewGrounder(model="m/d", draft_from=str(path), roles={"drafter": "m/unasked"})
    assert "m/unasked" not in agent.models()
    model = checked(agent)
    assert "drafter" not in model.read


def test_a_template_decides_what_is_read(tmp_path: Path) -> None:
    path = tmp_path / "aggregator.md"
    path.write_text(
        "This is a draft of a review: {{draft}}\n{{ results }}\nFill in:\n{{form}}\n",
        encoding="utf-8",
    )
    agent = ReviewGrounder(model="m/d", roles={"aggregator": {"prompt": str(path)}})
    checked(agent)
    listed = {role.name: role.reads for role in roles_of(agent)}
    assert listed["aggregator"] == ("drafter", "analyzer")
    assert listed["correction"] == ("drafter", "analyzer", "aggregator")


def test_the_whole_of_it_by_hand() -> None:
    agent = ReviewGrounder(model="m/d", works=7, corrections=2)
    last = ("drafter", "searcher", "summarizer", "miner", "analyzer")
    assert [(role.name, role.uses, role.reads, role.calls) for role in roles_of(agent)] == [
        ("drafter", (), (), 1),
        ("searcher", ("searcher",), (), 1),
        ("summarizer", (), ("searcher",), 7),
        ("miner", (), ("drafter",), 1),
        ("analyzer", (), ("drafter",), 1),
        ("aggregator", (), last, 1),
        ("correction", (), (*last, "aggregator"), 2),
    ]
