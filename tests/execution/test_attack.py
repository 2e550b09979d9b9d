"""Attacks within a run: what is found, what is counted, and that nothing changes a byte of it."""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

from revkit.contracts import (
    Agent,
    Constraint,
    Context,
    Corpus,
    Perturbation,
    Search,
    SearchSpace,
    ServiceName,
    Strategy,
)
from revkit.errors import Interrupted, SpecError
from revkit.execution import Run, run_experiment
from revkit.model.attack import AttackRow
from revkit.model.edits import Edit
from revkit.model.paper import Paper
from revkit.model.review import Failure, Outcome, Review, Scale
from revkit.model.variant import Check
from revkit.spec import Attack, Experiment
from revkit.testing.toys import ToyEmbedder
from revkit_attacks.strategies.bandit import Bandit
from revkit_attacks.strategies.beam import Beam
from revkit_attacks.strategies.best_of_n import BestOfN, RandomSets, Resubmit
from revkit_attacks.strategies.decision_boundary import DecisionBoundary
from revkit_attacks.strategies.evolution import Evolution
from revkit_attacks.strategies.greedy import Greedy
from revkit_attacks.strategies.square import Square

PLACES = 8
_MARK = re.compile(r"M(\d+)")
SCALE = Scale("ten", 1, 10, accept_at=6)


@dataclass(frozen=True)
class Lines(Corpus):
    """Papers of eight paragraphs."""

    name: ClassVar[str] = "lines"
    version: ClassVar[str] = "1"
    papers_: int = 3
    backwards: bool = False

    def papers(self, ctx: Context) -> Iterator[Paper]:
        numbers = range(self.papers_)
        for number in reversed(numbers) if self.backwards else numbers:
            body = "\n\n".join(f"Paragraph {line} of {number}." for line in range(PLACES))
            yield Paper(f"p{number}", f"# Title {number}\n\n{body}\n")

    def count(self) -> int:
        return self.papers_


@dataclass(frozen=True)
class Marks(Perturbation):
    """Puts a mark at the end of each paragraph from ``first`` on."""

    name: ClassVar[str] = "marks"
    version: ClassVar[str] = "1"
    first: int = 0

    def perturb(self, paper: Paper, ctx: Context) -> Sequence[Edit]:
        ends = [match.end() for match in re.finditer(r"Paragraph \d+ of \d+\.", paper.text)]
        return [Edit(end, end, f" M{n}.") for n, end in enumerate(ends) if n >= self.first]


@dataclass(frozen=True)
class Planted(Agent):
    """Accepts papers with the marks 2 and 5, unless they hold the mark 7: so no fixed attack
    succeeds. ``fails`` is the share of attacked texts that it refuses."""

    name: ClassVar[str] = "planted"
    version: ClassVar[str] = "1"
    deterministic: ClassVar[bool] = True
    scale = SCALE
    fails: float = 0.0
    calls: ClassVar[list[str]] = []
    stop: ClassVar[tuple[int, threading.Event] | None] = None

    def review(self, paper: Paper, ctx: Context) -> Outcome:
        self.calls.append(f"{paper.digest} {ctx.repeat}")
        if self.stop is not None and len(self.calls) >= self.stop[0]:
            self.stop[1].set()
        marks = {int(number) for number in _MARK.findall(paper.text)}
        draw = int(hashlib.sha256(paper.text.encode()).hexdigest()[:8], 16) / 2**32
        if marks and draw < self.fails:
            return Failure("refusal", "not this one", "no")
        score = 4.0 + ({2, 5} <= marks) * 2 + len(marks & {2, 5}) - 3 * (7 in marks)
        return Review(score >= 6, max(1.0, score), f"{len(marks)} marks")


@dataclass(frozen=True)
class One(Agent):
    """Gives one verdict to every paper."""

    name: ClassVar[str] = "one"
    version: ClassVar[str] = "1"
    scale = SCALE
    accept: bool = False

    def review(self, paper: Paper, ctx: Context) -> Outcome:
        return Review(self.accept, 8.0 if self.accept else 3.0)


@dataclass(frozen=True)
class Coin(Agent):
    """Draws each answer."""

    name: ClassVar[str] = "coin"
    version: ClassVar[str] = "1"
    scale = SCALE

    def review(self, paper: Paper, ctx: Context) -> Outcome:
        score = float(ctx.rng.randint(1, 10))
        return Review(score >= 6, score)


@dataclass(frozen=True)
class Broken(Strategy):
    """Raises an error after its first proposal."""

    name: ClassVar[str] = "broken"
    version: ClassVar[str] = "1"

    def search(self, space: SearchSpace, ctx: Context) -> Search:
        yield [0]
        raise RuntimeError("no idea")


@dataclass(frozen=True)
class Odd(Strategy):
    """Proposes a unit that does not exist."""

    name: ClassVar[str] = "odd"
    version: ClassVar[str] = "1"

    def search(self, space: SearchSpace, ctx: Context) -> Search:
        yield [999]


@dataclass(frozen=True)
class Served(RandomSets):
    """Random sets of a strategy that asks a service."""

    name: ClassVar[str] = "served"
    version: ClassVar[str] = "1"
    uses: ClassVar[tuple[ServiceName, ...]] = ("embedder",)

    def search(self, space: SearchSpace, ctx: Context) -> Search:
        assert len(ctx.embed(["a"])) == 1
        return (yield from super().search(space, ctx))


@dataclass(frozen=True)
class Few(Constraint):
    """At most ``most`` edits in the whole text."""

    name: ClassVar[str] = "few"
    version: ClassVar[str] = "1"
    most: int = 2

    def check(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Check:
        return Check("few", len(edits), self.most, len(edits) <= self.most, "edits")


STRATEGIES: Mapping[str, Strategy] = {
    "random": RandomSets(),
    "greedy": Greedy(),
    "beam": Beam(),
    "bandit": Bandit(),
    "evolution": Evolution(),
    "square": Square(),
    "boundary": DecisionBoundary(),
}


def experiment(attack: Attack, **changes: Any) -> Experiment:
    fields: dict[str, Any] = {
        "corpus": Lines(),
        "perturbations": {"marks": Marks()},
        "agents": {"planted": Planted()},
        "attack": attack,
        "name": "attack",
        "seed": 3,
        **changes,
    }
    return Experiment(**fields)


def run(tmp_path: Path, found: Experiment, name: str = "run", **options: Any) -> Run:
    return run_experiment(found, out=tmp_path / name, store=tmp_path / f"{name}.db", **options)


def rows(done: Run) -> Sequence[AttackRow]:
    assert done.records.attack is not None
    return done.records.attack.rows


def tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name not in ("provenance.json", ".revkit-run")
    }


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> Run:
    attack = Attack(BestOfN(), STRATEGIES, budget=120, sees="score", prune=40)
    return run(tmp_path_factory.mktemp("searched"), experiment(attack))


@pytest.mark.parametrize("name", ["best-of-n", *STRATEGIES])
def test_each_strategy_finds_and_prunes_to_what_was_planted(searched: Run, name: str) -> None:
    assert not any(pair.flip for pair in searched.records.pairs("planted"))  # no fixed attack
    units = {
        (row["paper"], row["number"]): row["edits"][0]["new"] for row in searched.rows("units")
    }
    found = [row for row in searched.rows("attacks") if row["strategy"] == name]
    assert [row["outcome"] for row in found] == ["success"] * 3
    for row in found:
        assert sorted(units[row["paper"], unit] for unit in row["smallest"]) == [" M2.", " M5."]
        assert row["one_minimal"] is True
        assert (row["confirm_met"], row["confirm_calls"]) == (3, 3)
        assert (row["smallest_edits"], row["smallest_words"]) == (2, 2)
        assert 1 <= row["success_at"] <= row["queries"] <= 120


def test_calls_that_confirm_have_numbers_of_their_own(searched: Run) -> None:
    by_phase: dict[str, set[int]] = {}
    for row in searched.rows("queries"):
        by_phase.setdefault(row["phase"], set()).add(row["repeat"])
    assert by_phase["confirm"] == {1_000_000, 1_000_001, 1_000_002}
    assert max(by_phase["search"] | by_phase["prune"]) < 1_000_000


@pytest.mark.parametrize(
    "changes",
    [{"workers": 1}, {"workers": 16}],
    ids=["one worker", "many workers"],
)
def test_workers_change_no_byte(tmp_path: Path, changes: dict[str, Any]) -> None:
    attack = Attack(BestOfN(), {"greedy": Greedy(), "again": Resubmit()}, budget=15)
    agents = {"planted": Planted(), "coin": Coin()}
    first = run(tmp_path, experiment(attack, agents=agents), "first")
    second = run(tmp_path, experiment(attack, agents=agents, **changes), "second")
    trees = tree(first.folder), tree(second.folder)
    for each in trees:
        each.pop("spec.yaml")
    assert trees[0] == trees[1]


def test_the_order_of_papers_changes_no_answer(tmp_path: Path) -> None:
    attack = Attack(BestOfN(), {"greedy": Greedy()}, budget=15)
    agents = {"planted": Planted(), "coin": Coin()}
    first = run(tmp_path, experiment(attack, agents=agents), "first")
    corpus = Lines(backwards=True)
    second = run(tmp_path, experiment(attack, agents=agents, corpus=corpus), "second")
    assert sorted(map(repr, rows(first))) == sorted(map(repr, rows(second)))


def test_a_run_that_was_stopped_goes_on_from_its_queries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    attack = Attack(BestOfN(), {"greedy": Greedy(), "served": Served()}, budget=20)
    services: dict[str, Any] = {"embedder": ToyEmbedder()}
    found = experiment(attack, **services)

    def calls_of(name: str, **options: Any) -> list[str]:
        monkeypatch.setattr(Planted, "calls", [])
        run(tmp_path, found, name, **options)
        return Planted.calls

    whole = calls_of("undisturbed")
    stop = threading.Event()
    monkeypatch.setattr(Planted, "stop", (40, stop))
    with pytest.raises(Interrupted):
        calls_of("stopped", stop=stop)
    before = Planted.calls
    monkeypatch.setattr(Planted, "stop", None)
    after = calls_of("stopped")
    assert tree(tmp_path / "stopped") == tree(tmp_path / "undisturbed")
    assert 40 <= len(before) < len(whole)
    assert sorted(before + after) == sorted(whole)


def test_unreadable_replies_are_a_third_outcome(tmp_path: Path) -> None:
    attack = Attack(BestOfN(), {"greedy": Greedy()}, budget=30, sees="score")
    half = run(tmp_path, experiment(attack, agents={"half": Planted(fails=0.5)}), "half")
    assert {row.outcome for row in rows(half)} <= {"success", "unconfirmed", "resisted"}
    assert sum(row.unreadable for row in rows(half)) > 10
    for row in half.rows("queries"):
        assert (row["met"] is None) == bool(row["failure"])
    none = run(tmp_path, experiment(attack, agents={"none": Planted(fails=1.0)}), "none")
    assert [(row.outcome, row.assessed) for row in rows(none)] == [("unassessed", False)] * 6
    assert all(row.queries == row.unreadable == 30 for row in rows(none)[:1])


def test_a_strategy_that_crashes_is_counted(tmp_path: Path) -> None:
    attack = Attack(BestOfN(), {"broken": Broken(), "odd": Odd()}, budget=5, transfer=False)
    done = run(tmp_path, experiment(attack))
    found = [row for row in done.rows("attacks") if row["strategy"] != "best-of-n"]
    assert [row["outcome"] for row in found] == ["crashed"] * 6
    detail = found[0]["detail"]
    assert detail.startswith("the strategy crashed: RuntimeError: no idea (in execution/")
    assert detail.endswith(" in search)")
    assert "there is no unit 999" in found[1]["detail"]


def test_a_gate_judges_the_whole_text_and_costs_no_query(tmp_path: Path) -> None:
    attack = Attack(BestOfN(), budget=25, sees="score", keep_if=(Few(most=3),))
    done = run(tmp_path, experiment(attack))
    assert sum(row.gated for row in rows(done)) > 0
    for query in done.rows("queries"):
        assert len(query["units"]) <= 3
    assert all(row.queries <= 25 for row in rows(done))


@pytest.mark.parametrize("budget", [1, 2])
def test_a_budget_of_one_query_is_one_query(tmp_path: Path, budget: int) -> None:
    done = run(tmp_path, experiment(Attack(BestOfN(), {"greedy": Greedy()}, budget=budget)))
    assert all(row.queries == budget for row in rows(done))


@pytest.mark.parametrize(("accept", "outcome"), [(False, "resisted"), (True, "ineligible")])
def test_an_agent_with_one_verdict_is_never_turned(
    tmp_path: Path, accept: bool, outcome: str
) -> None:
    attack = Attack(BestOfN(), {"greedy": Greedy()}, budget=4, sees="score")
    done = run(tmp_path, experiment(attack, agents={"one": One(accept=accept)}))
    assert {row.outcome for row in rows(done)} == {outcome}
    assert {row.queries for row in rows(done)} == {0 if accept else 4}


def test_wrong_settings_are_reported_with_their_place() -> None:
    attack = Attack(BestOfN(), budget=0, agents=("nobody",), goal="score-up")
    with pytest.raises(SpecError) as error:
        experiment(attack)
    text = str(error.value)
    assert "attack.budget: must be 1 to 100,000, not 0" in text
    assert "attack.agents.0: unknown agent 'nobody'; known: planted" in text
    assert "attack.by: the goal score-up needs a number of points above 0" in text
    assert "attack.sees: an attacker with the goal score-up must see the score" in text
    with pytest.raises(SpecError, match="searches among the edits of perturbations"):
        experiment(Attack(BestOfN()), perturbations={})
    with pytest.raises(SpecError, match="'best-of-n' is the baseline already"):
        experiment(Attack(BestOfN(), {"best-of-n": BestOfN()}))


def test_the_goal_decides_who_is_eligible(tmp_path: Path) -> None:
    reject = run(tmp_path, experiment(Attack(BestOfN(), goal="reject", budget=5)), "reject")
    assert {row.outcome for row in rows(reject)} == {"ineligible"}
    up = Attack(BestOfN(), goal="score-up", by=1.0, sees="score", budget=40)
    raised = run(tmp_path, experiment(up), "up")
    assert [(row.outcome, row.smallest_edits) for row in rows(raised)] == [("success", 1)] * 3
    high = Attack(BestOfN(), goal="score-up", by=7.0, sees="score", budget=5)
    assert {row.outcome for row in rows(run(tmp_path, experiment(high), "h"))} == {"ineligible"}


def test_overlapping_edits_are_not_applied_together(tmp_path: Path) -> None:
    arms = {"marks": Marks(), "more": Marks(first=4)}
    attack = Attack(BestOfN(), {"random": RandomSets()}, budget=30)
    done = run(tmp_path, experiment(attack, perturbations=arms))
    units = {(row["paper"], row["number"]): row["edits"][0] for row in done.rows("units")}
    assert len(units) == 3 * (8 + 4)
    for query in done.rows("queries"):
        starts = [units[query["paper"], unit]["start"] for unit in query["units"]]
        assert len(set(starts)) == len(starts)


def test_sets_are_transferred_to_the_other_agents(tmp_path: Path) -> None:
    agents = {"planted": Planted(), "same": Planted(), "coin": Coin()}
    attack = Attack(BestOfN(), {"greedy": Greedy()}, budget=60, sees="score")
    done = run(tmp_path, experiment(attack, agents=agents))
    assert done.records.attack is not None
    transfers = [each for each in done.records.attack.transfers if each.target == "planted"]
    assert [(each.agent, each.met) for each in transfers if each.agent == "same"] == [
        ("same", True)
    ] * 3
    assert {each.agent for each in transfers} == {"same", "coin"}


def test_resubmitting_measures_the_noise(tmp_path: Path) -> None:
    attack = Attack(BestOfN(), {"again": Resubmit()}, budget=20, prune=0)
    agents = {"planted": Planted(), "coin": Coin()}
    done = run(tmp_path, experiment(attack, agents=agents, repeats=2, corpus=Lines(8)))
    found = {(row.agent, row.outcome) for row in rows(done) if row.strategy == "again"}
    assert ("planted", "resisted") in found
    assert ("planted", "success") not in found
    # A fair coin accepts one of twenty reviews of a rejected paper.
    again = [row for row in rows(done) if (row.agent, row.strategy) == ("coin", "again")]
    assert all(row.success_at is not None for row in again if row.eligible)
    # Clean reviews of the run are not asked for again.
    repeats = {q["repeat"] for q in done.rows("queries") if not q["units"]}
    assert min(repeats) == 2


def test_a_plan_counts_queries() -> None:
    from revkit.planning import build_plan

    attack = Attack(BestOfN(), {"greedy": Greedy()}, budget=10, prune=5, confirm=2)
    agents = {"planted": Planted(), "coin": Coin()}
    plan = build_plan(experiment(attack, agents=agents))
    # 3 papers x (2 agents x 2 strategies x (10 + 5 + 2 x 2) + 2 transfers)
    assert plan.queries == 3 * (2 * 2 * 19 + 2)
    assert "attack queries at most 234" in plan.text()
    assert "attack/coin/greedy" in plan.graph.by_id


def test_nothing_changes_without_the_section(tmp_path: Path) -> None:
    with_attack = experiment(Attack(BestOfN()))
    without = replace(with_attack, attack=None)
    assert "attack" not in without.to_json()
    done = run(tmp_path, without)
    assert not (done.folder / "records" / "attacks.jsonl").exists()
    assert done.records.attack is None
