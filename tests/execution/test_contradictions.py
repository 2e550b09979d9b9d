"""An agent that is not as deterministic as it declares is reported, with the number of texts."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import revkit
from revkit.contracts import Agent, Context, Defense, Reviewing, Rubric
from revkit.model.criterion import Criterion
from revkit.model.edits import Edit
from revkit.model.paper import Paper
from revkit.model.records import AgentRow, Verdict
from revkit.model.repeats import find_contradictions
from revkit.model.review import Failure, Outcome, Review, Scale
from tests.execution.numbered_papers import TEN, NumberedPapers

Run = Callable[..., revkit.Run]


@dataclass(frozen=True)
class Counting(Agent):
    """Gives another score in each repeat of the first text, and fails once on the second."""

    name: ClassVar[str] = "counting"
    deterministic: ClassVar[bool] = True
    scale = TEN

    def review(self, paper: Paper, ctx: Context) -> Outcome:
        if "Text 1" in paper.text:
            return Failure("timeout", "late") if ctx.repeat == 1 else Review(True, 7)
        return Review(True, 6 + ctx.repeat if "Text 0" in paper.text else 7)

    def judge(self, paper: Paper, criterion: Criterion, ctx: Context) -> Outcome:
        return Review(score=float(ctx.repeat))


@dataclass(frozen=True)
class Honest(Counting):
    """The same, without the declaration."""

    name: ClassVar[str] = "honest"
    deterministic: ClassVar[bool] = False


@dataclass(frozen=True)
class Short(Rubric):
    """Whether a text is short."""

    name: ClassVar[str] = "short"
    criterion = Criterion("short", "Is it short?", ((0, "no"), (2, "yes")))


SPEC: dict[str, Any] = {
    "revkit": 1,
    "repeats": 3,
    "corpus": {"use": "numbered-papers", "with": {"papers": 4, "texts": 4}},
    "agents": {"lies": "counting", "open": "honest"},
    "workers": 4,
}


def test_a_declaration_that_the_run_disproves_is_a_warning(run_toy: Run) -> None:
    done = run_toy(SPEC, plugins=[NumberedPapers, Counting, Honest])
    [warning] = done.warnings
    assert (warning.kind, warning.subject) == ("not-deterministic", "lies")
    assert "but 1 of 4 texts that it reviewed more than once have different" in warning.detail
    about = json.loads((done.folder / "provenance.json").read_text(encoding="utf-8"))
    assert about["warnings"] == [warning.to_json()]


def test_one_review_of_each_text_disproves_nothing(run_toy: Run) -> None:
    done = run_toy({**SPEC, "repeats": 1}, plugins=[NumberedPapers, Counting, Honest])
    assert done.warnings == ()


def test_judges_are_checked_too(run_toy: Run) -> None:
    spec = {**SPEC, "judges": {"judge": "counting"}, "rubrics": ["short"]}
    done = run_toy(spec, plugins=[NumberedPapers, Counting, Honest, Short])
    assert {each.subject: each.detail.partition(" texts")[0][-6:] for each in done.warnings} == {
        "lies": "1 of 4",
        "judge": "4 of 4",
    }


@dataclass(frozen=True)
class Harsh(Agent):
    """Rejects the first text with a score that its scale accepts."""

    name: ClassVar[str] = "harsh"
    scale = Scale("ten-6", 1, 10, accept_at=6)

    def review(self, paper: Paper, ctx: Context) -> Outcome:
        return Review("Text 0" not in paper.text, 9.0)


def test_verdicts_against_the_scale_of_their_agent_are_counted(run_toy: Run) -> None:
    given = {**SPEC, "agents": {"h": "harsh", "open": "honest"}, "repeats": 1}
    run = run_toy(given, plugins=[Harsh, Counting, Honest, NumberedPapers])
    [warning] = [each for each in run.warnings if each.kind == "verdict-against-scale"]
    assert warning.subject == "h"
    assert warning.detail.startswith("1 of 4 verdicts of agent 'h' contradict the accept rule")


@dataclass(frozen=True)
class Doubt(Defense):
    """Rejects every paper."""

    name: ClassVar[str] = "doubt"

    def guard(self, paper: Paper, review: Reviewing, ctx: Context) -> Outcome:
        return Review(False, 9.0)


@dataclass(frozen=True)
class Glance(Defense):
    """Looks at the paper and edits nothing."""

    name: ClassVar[str] = "glance"

    def screen(self, paper: Paper, ctx: Context) -> list[Edit]:
        return []


def test_an_agent_whose_defense_decides_is_left_out(run_toy: Run) -> None:
    agents = {
        "decided": {"use": "harsh", "defenses": ["doubt"]},
        "screened": {"use": "harsh", "defenses": ["glance"]},
    }
    given = {**SPEC, "agents": agents, "repeats": 1}
    run = run_toy(given, plugins=[Harsh, Doubt, Glance, Counting, Honest, NumberedPapers])
    found = [each for each in run.warnings if each.kind == "verdict-against-scale"]
    assert [each.subject for each in found] == ["screened"]


def test_people_who_review_in_turn_do_not_contradict_a_declaration() -> None:
    verdicts = [Verdict("a", "p", "", 0, repeat, True, 5.0 + repeat) for repeat in range(3)]
    row = AgentRow("a", "human", TEN, True)
    [found] = find_contradictions([row], verdicts)
    assert (found.differing, found.texts) == (1, 1)
    assert find_contradictions([replace(row, originals_only=True)], verdicts) == []
