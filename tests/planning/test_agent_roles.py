"""Roles of an agent in the run graph: checked, and shown once for each agent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

import revkit
from revkit import AgentRole
from revkit.errors import PluginError
from revkit.planning import build_graph, build_plan
from revkit.planning.roles import roles_of
from revkit.spec import Experiment
from revkit.testing.toys import ToyFlips, ToyLength, ToyPapers, ToyWords


@dataclass(frozen=True)
class Staged(revkit.Agent):
    """Tells of roles."""

    name: ClassVar[str] = "staged"
    uses: ClassVar[tuple[Any, ...]] = ("llm", "searcher")
    scale = revkit.Scale("1-10", 1, 10)
    told: Any = ()

    def models(self) -> Sequence[str]:
        return ("p/large", "p/small")

    def review_roles(self) -> Any:
        if isinstance(self.told, Exception):
            raise self.told
        return self.told

    def review(self, paper: revkit.Paper, ctx: revkit.Context) -> revkit.Outcome:
        return revkit.Review(score=5)


@dataclass(frozen=True)
class Nothing(revkit.Searcher):
    """Finds nothing."""

    name: ClassVar[str] = "nothing"

    def search(self, query: str, limit: int, ctx: revkit.Context) -> Any:
        return ()


ROLES = (
    AgentRole("seeker", "p/small", ("searcher",)),
    AgentRole("reader", "p/small", (), ("seeker",), 4),
    AgentRole("writer", "p/large", (), ("seeker", "reader")),
    AgentRole("clerk"),
)


def experiment(*told: Any) -> Experiment:
    agents = {f"a{number}": Staged(each) for number, each in enumerate(told)}
    return Experiment(
        corpus=ToyPapers(papers_=2),
        perturbations={"words": ToyWords(), "all": ToyWords(1.0)},
        agents={**agents, "plain": ToyLength()},
        metrics=[ToyFlips()],
        searcher=Nothing(),
    )


def test_text_shows_the_roles_once_however_many_nodes_an_agent_has() -> None:
    graph = build_graph(experiment(ROLES))
    plain = build_graph(experiment(()))
    assert graph.roles == {"a0": ROLES}
    assert graph.text() == plain.text() + (
        "\nroles of a0\n"
        "  seeker     p/small, searcher\n"
        "  reader x4  p/small            <- seeker\n"
        "  writer     p/large            <- seeker, reader\n"
        "  clerk\n"
    )
    assert graph.text().count("each    review/a0/") == 3
    assert build_plan(experiment(ROLES)).text().endswith(graph.text())


def test_without_roles_nothing_is_shown() -> None:
    graph = build_graph(experiment(()))
    assert graph.roles == {}
    assert "roles" not in graph.text()
    assert "subgraph" not in graph.mermaid()


def test_mermaid_has_a_subgraph_for_each_agent_with_roles() -> None:
    lines = build_graph(experiment(ROLES, (), (AgentRole("one", "p/large"),))).mermaid().split("\n")
    start, end = lines.index('    subgraph a0["roles of a0"]'), lines.index("    end")
    assert lines[start + 1 : end] == [
        '        a0r0["seeker<br/>p/small<br/>searcher"]',
        '        a0r1["reader x4<br/>p/small"]',
        '        a0r2["writer<br/>p/large"]',
        '        a0r3["clerk"]',
        "        a0r0 --> a0r1",
        "        a0r0 --> a0r2",
        "        a0r1 --> a0r2",
    ]
    # Nodes 3, 4 and 5 are the reviews of the first agent, 9 to 11 those of the third.
    assert [line.strip() for line in lines if "-.-" in line] == [
        *(f"n{number} -.- a0" for number in (3, 4, 5)),
        *(f"n{number} -.- a1" for number in (9, 10, 11)),
    ]
    assert lines.count("    end") == 2


@pytest.mark.parametrize(
    ("told", "wrong"),
    [
        ([AgentRole("x"), AgentRole("x")], "two roles are named 'x'"),
        ([AgentRole("x", reads=("y",))], "role 'x' reads 'y', which is not one of its roles"),
        ([AgentRole("x", reads=("x",))], "in a circle: x <- x"),
        ([AgentRole("x", reads=("y",)), AgentRole("y", reads=("x",))], "in a circle"),
        ([AgentRole("x", "p/other")], "asks the model 'p/other', which models"),
        ([AgentRole("x", uses=("embedder",))], "uses 'embedder', which the agent does not"),
        ([AgentRole("The Reader")], "kebab-case"),
        ([AgentRole('x"]\n')], "kebab-case"),
        ([AgentRole("x" * 65)], "kebab-case"),
        ([AgentRole("x", reads="y")], "reads must be a tuple"),  # type: ignore[arg-type]
        ([AgentRole("x"), AgentRole("y", reads=("x", "x"))], "reads has a name twice"),
        ([AgentRole("x", calls=0)], "calls must be a whole number"),
        ([AgentRole("x", calls=True)], "calls must be a whole number"),
        ([AgentRole("x", input_tokens=0.5)], "input_tokens must be"),  # type: ignore[arg-type]
        (["x"], "expected an AgentRole"),
        ([AgentRole(f"x{number}") for number in range(101)], "at most 100"),
        (None, "cannot list its roles: TypeError"),
        (ValueError("no"), "cannot list its roles: ValueError: no"),
    ],
)
def test_roles_that_cannot_be_are_an_error_of_the_plugin(told: Any, wrong: str) -> None:
    with pytest.raises(PluginError, match="agent 'staged'") as error:
        build_graph(experiment(told))
    assert wrong in str(error.value)


def test_an_agent_tells_of_no_roles_by_default() -> None:
    assert roles_of(ToyLength()) == ()


def test_a_label_of_a_request_is_kebab_case() -> None:
    with pytest.raises(ValueError, match="kebab-case"):
        revkit.ModelRequest("p/m", (), role="The Reader")
    assert revkit.ModelRequest("p/m", (), role="reader").role == "reader"


@dataclass(frozen=True)
class Doubled(Staged):
    """Has two roles of one name."""

    name: ClassVar[str] = "doubled"

    def review_roles(self) -> Any:
        return [AgentRole("x"), AgentRole("x")]


def test_the_check_of_a_component_tells_of_roles_that_cannot_be() -> None:
    from revkit.testing import check_component

    with pytest.raises(AssertionError, match=r"its roles raised PluginError.*named 'x'"):
        check_component(Doubled)
