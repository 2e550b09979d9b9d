"""Errors of plugins whose message cannot be read, and invalid papers of a corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NoReturn

import pytest

from revkit.contracts import Agent, Context, Corpus, Metric, Perturbation, Reporter
from revkit.errors import RunError, describe_error, message_of
from revkit.model.paper import Paper, Skipped
from revkit.model.review import Scale
from revkit.options import option
from revkit.registry import load_registry
from revkit.testing import check_component

Run = Callable[..., Any]


class Unreadable(Exception):
    """An error without a message."""

    def __str__(self) -> str:
        raise ValueError("no text")


def fail() -> NoReturn:
    raise Unreadable


@dataclass(frozen=True)
class UnreadablePerturbation(Perturbation):
    name: ClassVar[str] = "unreadable"

    def perturb(self, paper: Paper, ctx: Context) -> Any:
        fail()


@dataclass(frozen=True)
class UnreadableAgent(Agent):
    name: ClassVar[str] = "unreadable"
    scale = Scale("toy-1-10", 1, 10)

    def review(self, paper: Paper, ctx: Context) -> Any:
        fail()


@dataclass(frozen=True)
class UnreadableMetric(Metric):
    name: ClassVar[str] = "unreadable"

    def measure(self, records: Any) -> Any:
        fail()


@dataclass(frozen=True)
class UnreadableReport(Reporter):
    name: ClassVar[str] = "unreadable"

    def render(self, run: Any) -> Any:
        fail()


@dataclass(frozen=True)
class UnreadableCorpus(Corpus):
    name: ClassVar[str] = "unreadable"

    def papers(self, ctx: Context) -> Iterator[Paper | Skipped]:
        yield Paper("a", "# A\n\nIt has some prose in it.")
        fail()


@dataclass(frozen=True)
class OddPapers(Corpus):
    """Two papers, then one that cannot be made."""

    name: ClassVar[str] = "odd-papers"
    id: str = option("", help="Id of the last paper.")
    text: str = option("It has some prose.", help="Text of the last paper.")

    def papers(self, ctx: Context) -> Iterator[Paper | Skipped]:
        yield Paper("a", "# A\n\nIt has some prose in it.")
        yield Paper("b", "# B\n\nIt has some prose in it.")
        yield Paper(self.id, self.text)


PARTS = [
    UnreadablePerturbation,
    UnreadableAgent,
    UnreadableMetric,
    UnreadableReport,
    UnreadableCorpus,
    OddPapers,
]
SPEC: dict[str, Any] = {
    "revkit": 1,
    "name": "t",
    "corpus": "toy-papers",
    "perturbations": {"words": "toy-words"},
    "agents": {"length": "toy-length"},
    "metrics": ["toy-flips"],
    "reports": ["toy-report"],
}


def test_an_error_without_a_message_has_a_name() -> None:
    assert message_of(Unreadable()) == "(no message: ValueError in __str__)"
    assert describe_error(Unreadable()) == "Unreadable: (no message: ValueError in __str__)"
    assert describe_error(KeyError("x")) == "KeyError: 'x'"


@pytest.mark.parametrize("processes", [0, 1])
def test_such_an_error_of_an_item_is_a_crash_of_this_item(run_toy: Run, processes: int) -> None:
    agents = {"length": "toy-length", "bad": "unreadable"}
    perturbations = {"words": "toy-words", "bad": "unreadable"}
    given = {**SPEC, "agents": agents, "perturbations": perturbations, "processes": processes}
    run = run_toy(given, plugins=PARTS)
    failed = [each for each in run.records.verdicts if each.failure]
    assert {each.failure for each in failed} == {"crashed"}
    assert {each.agent for each in failed} == {"bad"}
    assert any(each.outcome == "crashed" for each in run.records.variants)


@pytest.mark.parametrize(("section", "kind"), [("metrics", "metric"), ("reports", "report")])
def test_such_an_error_of_a_metric_or_report_is_a_fault(
    run_toy: Run, section: str, kind: str
) -> None:
    run = run_toy({**SPEC, section: [*SPEC[section], "unreadable"]}, plugins=PARTS)
    assert [(each.kind, each.error) for each in run.faults] == [(kind, "Unreadable")]


def test_such_an_error_of_a_corpus_names_the_corpus(run_toy: Run) -> None:
    with pytest.raises(RunError, match="corpus 'unreadable' crashed after 1 papers: Unreadable: "):
        run_toy({**SPEC, "corpus": "unreadable"}, plugins=PARTS)


def test_check_component_reports_such_an_error() -> None:
    with pytest.raises(AssertionError, match=r"Unreadable: \(no message"):
        check_component(UnreadableAgent())


def test_a_plugin_that_fails_with_such_an_error_is_broken(tmp_path: Path) -> None:
    path = tmp_path / "bad.py"
    path.write_text(
        "class Odd(Exception):\n    def __str__(self):\n        raise ValueError\nraise Odd\n"
    )
    [broken] = load_registry([path]).broken
    assert broken.reason == "Odd: (no message: ValueError in __str__)"


@pytest.mark.parametrize(
    ("options", "reason"),
    [({}, "a paper must have an id"), ({"id": "c", "text": " "}, "paper 'c' has no text")],
)
def test_an_invalid_paper_names_its_corpus(
    run_toy: Run, options: dict[str, str], reason: str
) -> None:
    with pytest.raises(RunError) as caught:
        run_toy({**SPEC, "corpus": {"use": "odd-papers", "with": options}}, plugins=PARTS)
    assert str(caught.value) == (
        "corpus 'odd-papers' made an invalid paper after 2 papers, the last of them 'b': "
        f"{reason}; the corpus has to yield a Skipped for such a record"
    )
