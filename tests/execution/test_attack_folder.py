"""An attack in a run folder: exported, replayed, and opened again without its plugins."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

import revkit
from revkit.contracts import Context, Search, SearchSpace, ServiceName
from revkit.execution import Run
from revkit.runs import open_run
from revkit.testing import toys
from revkit_attacks.strategies.best_of_n import RandomSets

SPEC: dict[str, Any] = {
    "revkit": 1,
    "name": "attacked",
    "corpus": {"use": "synthetic", "with": {"papers": 8}},
    "perturbations": {"hedging": {"use": "hedging", "with": {"mode": "remove"}}},
    "agents": {"coin": {"use": "toy-coin", "with": {"refuse": 0.4}}, "sum": "toy-length"},
    "attack": {
        "budget": 12,
        "sees": "review",
        "keep-if": ["same-structure"],
        "strategies": {"asking": "asking", "greedy": "greedy"},
    },
    "metrics": ["attack-success", "attack-curve", "attack-gap", "attack-transfer"],
    "reports": ["terminal"],
    "services": {"embedder": "toy-embedder"},
}


@dataclass(frozen=True)
class Asking(RandomSets):
    """Random sets of a strategy that asks a service, which a replay does not have."""

    name: ClassVar[str] = "asking"
    version: ClassVar[str] = "1"
    uses: ClassVar[tuple[ServiceName, ...]] = ("embedder",)

    def search(self, space: SearchSpace, ctx: Context) -> Search:
        assert len(ctx.embed(["a"])) == 1
        return (yield from super().search(space, ctx))


PLUGINS: list[Any] = [toys, Asking]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("attacked")


@pytest.fixture(scope="module")
def run(place: Path) -> Run:
    return revkit.run(SPEC, out=place / "run", store=place / "s.db", plugins=PLUGINS)


def test_a_run_with_failing_queries_replays_to_the_byte(run: Run, place: Path) -> None:
    failures = [row for row in run.rows("queries") if row["failure"]]
    assert {row["phase"] for row in failures} >= {"search", "confirm"}
    revkit.export(run.folder, place / "b.zip", store=place / "s.db", plugins=PLUGINS)
    replayed = revkit.replay(place / "b.zip", out=place / "again", plugins=PLUGINS)
    assert replayed.identical, replayed.differences


def test_an_opened_run_has_the_same_searches(run: Run) -> None:
    opened = open_run(run.folder).records.attack
    assert opened is not None
    assert run.records.attack is not None
    expected = run.records.attack
    assert list(opened.rows) == list(expected.rows)
    assert list(opened.transfers) == list(expected.transfers)
    assert (opened.goal, opened.sees, opened.budget, opened.confirm) == (
        expected.goal,
        expected.sees,
        expected.budget,
        expected.confirm,
    )
    assert list(opened.agents) == list(expected.agents)
    assert list(opened.arms) == list(expected.arms)
    assert list(opened.strategies) == list(expected.strategies)


def test_the_resolved_spec_loads_as_the_same_experiment(run: Run) -> None:
    again = revkit.load(run.folder / "spec.yaml", plugins=PLUGINS)
    assert isinstance(again, type(run.experiment))
    assert again.digest == run.experiment.digest
    assert again.attack is not None
    assert again.attack.budget == 12


def test_every_report_states_that_an_attack_was_simulated(run: Run) -> None:
    report = (run.folder / "report.txt").read_text(encoding="utf-8")
    assert "An attacker was simulated on the papers of this run." in " ".join(report.split())
    assert "Attack success" in report


def test_a_bad_section_is_reported_with_line_and_remedy(tmp_path: Path) -> None:
    spec = tmp_path / "spec.yaml"
    spec.write_text(
        "revkit: 1\ncorpus: synthetic\nperturbations: {h: hedging}\n"
        "agents: {a: citation-counter}\n"
        "attack:\n  budget: 0\n  strategies: {x: greedyy}\n",
        encoding="utf-8",
    )
    with pytest.raises(revkit.RevkitError) as error:
        revkit.load(spec)
    text = str(error.value)
    assert f"{spec}:6" in text
    assert "did you mean 'greedy'" in text


def test_the_price_counts_reviews_and_proposals() -> None:
    models = {"model": "openai/gpt-4.1", "max-tokens": 100}
    spec = {
        **SPEC,
        "corpus": {"use": "synthetic", "with": {"papers": 2}},
        "agents": {"a": {"use": "llm", "with": models}},
        "attack": {
            "budget": 4,
            "confirm": 1,
            "prune": 0,
            "strategies": {"m": {"use": "llm", "with": models}},
        },
        "services": {},
    }
    found = revkit.forecast(spec)
    assert found is not None
    # 2 papers x 2 texts, 2 papers x 2 strategies x (4 + 1) queries, 2 papers x 4 proposals
    assert found.calls == 4 + 20 + 8
    without = {key: value for key, value in spec.items() if key != "attack"}
    plain = revkit.forecast({**without, "metrics": []})
    assert plain is not None
    assert plain.calls == 4
    assert replace(found, calls=4) != plain
