"""What a component lacks is told before anything is computed, and not where all is stored."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

import revkit
from revkit.cache import Store
from revkit.errors import RunError
from revkit.execution.work import ItemWorker
from revkit.testing import context, tiny_papers
from revkit.testing.toys import ToyPapers

Run = Callable[..., Any]


@dataclass(frozen=True)
class NeedsKey(revkit.Agent):
    """Reviews only while an environment variable is set."""

    name: ClassVar[str] = "needs-key"
    version: ClassVar[str] = "1"
    deterministic: ClassVar[bool] = True
    scale = revkit.Scale("1-10", 1, 10, accept_at=5)

    def ready(self) -> Sequence[str]:
        return () if "TEST_NEEDS_KEY" in os.environ else ("set TEST_NEEDS_KEY",)

    def review(self, paper: revkit.Paper, ctx: revkit.Context) -> revkit.Outcome:
        return revkit.Review(True, 7)


@dataclass(frozen=True)
class CannotTell(NeedsKey):
    """Fails even to say what it lacks."""

    name: ClassVar[str] = "cannot-tell"

    def ready(self) -> Sequence[str]:
        raise OSError("no such thing")


def test_a_run_ends_before_it_computes(
    run_toy: Run, toy_spec: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TEST_NEEDS_KEY", raising=False)
    toy_spec["agents"] = {"mine": "needs-key"}
    with pytest.raises(RunError, match="agent 'mine' cannot run: set TEST_NEEDS_KEY"):
        run_toy(toy_spec, plugins=[NeedsKey])


def test_stored_answers_need_nothing(
    run_toy: Run, toy_spec: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    toy_spec["agents"] = {"mine": "needs-key"}
    monkeypatch.setenv("TEST_NEEDS_KEY", "x")
    first = run_toy(toy_spec, plugins=[NeedsKey])
    monkeypatch.delenv("TEST_NEEDS_KEY")
    again = run_toy(toy_spec, plugins=[NeedsKey])
    assert again.counts.computed == 0
    assert again.records.verdicts == first.records.verdicts


def test_a_component_that_cannot_tell_is_told(run_toy: Run, toy_spec: dict[str, Any]) -> None:
    toy_spec["agents"] = {"mine": "cannot-tell"}
    with pytest.raises(RunError, match="cannot-tell: OSError: no such thing"):
        run_toy(toy_spec, plugins=[CannotTell])


def test_explain_holds_the_outcome() -> None:
    told = NeedsKey().explain(tiny_papers()[0], context())
    assert told["outcome"]["score"] == 7  # type: ignore[index,call-overload]


@dataclass(frozen=True)
class NoLibrary(revkit.Searcher):
    """Lacks what it would search in."""

    name: ClassVar[str] = "no-library"
    version: ClassVar[str] = "1"

    def ready(self) -> Sequence[str]:
        return ("there is no library",)

    def search(self, query: str, limit: int, ctx: revkit.Context) -> Sequence[revkit.Work]:
        return ()


@dataclass(frozen=True)
class Searches(NeedsKey):
    """Asks the run's searcher."""

    name: ClassVar[str] = "searches"
    uses: ClassVar[tuple[Any, ...]] = ("searcher",)

    def ready(self) -> Sequence[str]:
        return ()


@dataclass(frozen=True)
class NeedsNothing(Searches):
    """Asks nobody."""

    name: ClassVar[str] = "needs-nothing"
    uses: ClassVar[tuple[str, ...]] = ()


def test_what_the_services_of_a_component_lack_ends_a_run_too(
    run_toy: Run, toy_spec: dict[str, Any]
) -> None:
    toy_spec["services"] = {"searcher": "no-library"}
    toy_spec["agents"] = {"mine": "searches"}
    told = "agent 'mine' cannot run: there is no library"
    with pytest.raises(RunError, match=told):
        run_toy(toy_spec, plugins=[NoLibrary, Searches])
    toy_spec["agents"] = {"mine": "needs-nothing"}
    run_toy(toy_spec, plugins=[NoLibrary, NeedsNothing])


@dataclass(frozen=True)
class AsksAModel(NeedsNothing):
    """May ask a language model."""

    name: ClassVar[str] = "asks-a-model"
    uses: ClassVar[tuple[str, ...]] = ("llm",)


def test_the_models_are_opened_when_one_is_asked() -> None:
    corpus = ToyPapers()
    nothing: dict[str, Any] = {"command": [], "experiment": []}
    for agent, spending in ((AsksAModel(), nothing), (NeedsNothing(), None)):
        experiment = revkit.Experiment(corpus=corpus, agents={"mine": agent})
        with Store(None) as store, ItemWorker(experiment, store) as desk:
            assert desk.spending() == spending
            assert desk._gateway is None
            assert (desk.gateway is None) == (spending is None)
            assert desk.gateway is desk.gateway
            assert desk.spending() == spending
