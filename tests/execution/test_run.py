"""Whole runs of toys: what comes out, what is computed, what is seen."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

import revkit
from revkit.contracts import Agent, Constraint, Context, Corpus, Defense, Metric, Perturbation
from revkit.files import text_in_cell
from revkit.model.edits import Edit
from revkit.model.paper import Labels, Paper, Skipped
from revkit.model.review import Review, Scale
from revkit.model.table import Column, Table
from revkit.model.variant import Check
from revkit.spec import Experiment, PerturbationStep
from revkit.testing import toys

SEEN: list[tuple[str, Paper]] = []


@pytest.fixture(autouse=True)
def _nothing_seen() -> None:
    SEEN.clear()


@dataclass(frozen=True)
class Given(Corpus):
    """Gives the papers set by the test."""

    name: ClassVar[str] = "given"
    version: ClassVar[str] = "1"
    records: ClassVar[list[Paper | Skipped]] = []

    def papers(self, ctx: Context) -> Iterator[Paper | Skipped]:
        yield from self.records


@dataclass(frozen=True)
class Watcher(Agent):
    """Keeps what it was shown."""

    name: ClassVar[str] = "watcher"
    version: ClassVar[str] = "1"
    scale = Scale("ten", 1, 10, accept_at=6)
    mark: str = "agent"

    def review(self, paper: Paper, ctx: Context) -> Review:
        SEEN.append((self.mark, paper))
        score = 1 + ctx.rng.randrange(10)
        return Review(score >= 6, score)


@dataclass(frozen=True)
class WatchingPerturbation(Perturbation):
    """Keeps what it was shown; doubles the first letter."""

    name: ClassVar[str] = "watching"
    version: ClassVar[str] = "1"
    mark: str = "perturbation"

    def perturb(self, paper: Paper, ctx: Context) -> list[Edit]:
        SEEN.append((self.mark, paper))
        return [Edit(0, 0, ctx.rng.choice("abcdefgh") + self.mark)]

    def gates(self, paper: Paper, edits: Any, ctx: Context) -> list[Check]:
        SEEN.append(("gates", paper))
        return [Check("fits", 1.0, 2.0, True)]


@dataclass(frozen=True)
class WatchingConstraint(Constraint):
    """Keeps what it was shown."""

    name: ClassVar[str] = "watching"
    version: ClassVar[str] = "1"

    def check(self, paper: Paper, edits: Any, ctx: Context) -> Check:
        SEEN.append(("constraint", paper))
        return Check("seen", 0.0, 1.0, True)


@dataclass(frozen=True)
class WatchingDefense(Defense):
    """Keeps what it was shown."""

    name: ClassVar[str] = "watching"
    version: ClassVar[str] = "1"

    def screen(self, paper: Paper, ctx: Context) -> list[Edit]:
        SEEN.append(("defense", paper))
        return []


def experiment(**changes: Any) -> Experiment:
    given: dict[str, Any] = {
        "corpus": Given(),
        "perturbations": {
            "p": PerturbationStep(WatchingPerturbation(), (WatchingConstraint(),)),
        },
        "agents": {"a": revkit.AgentStep(Watcher(), (WatchingDefense(),))},
        "workers": 2,
    }
    return Experiment(**(given | changes))


def count(mark: str) -> int:
    return sum(seen == mark for seen, _ in SEEN)


def tree(folder: Path) -> dict[str, bytes]:
    """Every file that must be the same whenever the answers are."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in ("provenance.json", ".revkit-run")
    }


@pytest.fixture
def papers() -> Iterator[list[Paper | Skipped]]:
    Given.records[:] = [
        Paper(
            f"2604.0196{n}",
            f"Paper {n} text.",
            f"T{n}",
            Labels(accept=n % 2 == 0, decision="SECRET", quality=0.123),
            source="SECRET-SOURCE",
            notes=("SECRET",),
        )
        for n in range(3)
    ]
    yield Given.records
    Given.records.clear()


def test_a_run_by_hand(run_toy: Callable[..., Any], toy_spec: dict[str, Any]) -> None:
    toy_spec["corpus"]["with"] = {"papers": 4, "skip-every": 3}
    toy_spec["perturbations"] = {"all": {"use": "toy-words", "with": {"share": 1.0}}}
    toy_spec["agents"] = {"length": "toy-length"}
    run = run_toy(toy_spec)
    # Papers 0 and 3 are skipped. Of papers 1 and 2 three words of four characters are cut.
    assert [paper.id for paper in run.records.papers] == ["toy-1", "toy-2"]
    assert run.records.skipped == {"not wanted": 2}
    lengths = [len(row["text"]) for row in run.rows("papers")]
    scores = [n % 10 + 1 for length in lengths for n in (length, length - 12)]
    assert [v.score for v in run.records.verdicts] == scores
    assert [v.accept for v in run.records.verdicts] == [score >= 6 for score in scores]
    flips = sum((a >= 6) != (b >= 6) for a, b in zip(scores[::2], scores[1::2], strict=True))
    assert run.table("toy-flips").records() == [
        {"agent": "length", "pairs": 2, "flips": flips, "failed": 0}
    ]
    assert run.exit_code == 0
    assert run.faults == ()
    assert (run.counts.computed, run.counts.stored, run.counts.failed) == (6, 0, 0)
    assert run.summary.startswith("toy ")
    assert (run.folder / "toy.txt").read_text(encoding="utf-8").startswith(run.summary)
    edits = list(run.rows("edits"))
    assert [edit["old"] for edit in edits] == [" may "[:4]] * 6
    with pytest.raises(revkit.RevkitError, match="no table 'x'; it has toy-flips"):
        run.table("x")
    with pytest.raises(revkit.RevkitError, match="no records 'x'"):
        list(run.rows("x"))


def test_the_folder_holds_everything(run_toy: Callable[..., Any], toy_spec: dict[str, Any]) -> None:
    run = run_toy(toy_spec)
    names = set(tree(run.folder))
    records = ("papers", "skipped", "variants", "edits", "checks", "outcomes", "screens")
    assert names == {
        "result.json", "spec.yaml", "toy.txt", "tables/toy-flips.jsonl", "tables/toy-flips.csv",
        *(f"records/{name}.{ending}" for name in records for ending in ("jsonl", "csv")),
    }  # fmt: skip
    result = json.loads((run.folder / "result.json").read_text(encoding="utf-8"))
    assert result["papers"] == 6
    assert result["outcomes"] == len(run.records.verdicts)
    about = json.loads((run.folder / "provenance.json").read_text(encoding="utf-8"))
    assert {"packages", "core", "components", "git", "platform", "seed", "timing"} <= set(about)
    assert about["packages"]["revkit"] == revkit.__version__
    again = revkit.validate(run.folder / "spec.yaml", plugins=[toys])
    assert again.digest == run.experiment.digest
    for name in records:
        with (run.folder / "records" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))
        assert len(rows) - 1 == len(list(run.rows(name)))
        assert len({len(row) for row in rows}) == 1
    assert not list(run.folder.rglob("*.part"))


def test_a_variant_states_its_direction(
    run_toy: Callable[..., Any], toy_spec: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        Perturbation, "direction", lambda self, paper, edits: "add" if edits else ""
    )
    run = run_toy(toy_spec)
    assert {row["direction"] for row in run.rows("variants") if not row["rejected"]} == {"add"}
    assert {row.direction for row in run.records.variants if not row.rejected} == {"add"}


def test_the_same_bytes_whatever_the_workers_and_the_cache(
    run_toy: Callable[..., Any], toy_spec: dict[str, Any]
) -> None:
    toy_spec["corpus"]["with"]["papers"] = 25
    toy_spec["agents"]["guarded"] = {
        "use": "toy-coin", "with": {"refuse": 0.2}, "defenses": ["toy-screen"]
    }  # fmt: skip
    toy_spec["perturbations"]["words"] = {
        "use": "toy-words",
        "variants": 2,
        "keep-if": ["toy-limit"],
    }
    toy_spec["repeats"] = 2
    runs = [
        run_toy({**toy_spec, "workers": workers}, out=f"w{workers}", store=f"w{workers}.db")
        for workers in (1, 2, 8)
    ]
    again = run_toy(toy_spec, out="again", store="w8.db")
    trees = [tree(run.folder) for run in (*runs, again)]
    assert trees[0] == trees[1] == trees[2] == trees[3]
    failures = sum(bool(verdict.failure) for verdict in again.records.verdicts)
    # Failures are tried again, once for each text, and nothing else.
    assert 0 < again.counts.computed == again.counts.failed <= failures
    assert again.exit_code == 1


def test_a_second_run_does_nothing_again(papers: Any, run_toy: Callable[..., Any]) -> None:
    first = run_toy(experiment())
    # 3 papers: 3 variants, 6 reviews.
    assert (count("perturbation"), count("agent")) == (3, 6)
    assert (first.counts.computed, first.counts.stored) == (9, 0)
    second = run_toy(experiment())
    assert (count("perturbation"), count("agent")) == (3, 6)
    assert (second.counts.computed, second.counts.stored) == (0, 9)
    assert second.records.verdicts == first.records.verdicts


def test_only_what_is_new_is_computed(papers: Any, run_toy: Callable[..., Any]) -> None:
    run_toy(experiment())
    SEEN.clear()
    agents = {**experiment().agents, "b": Watcher("second")}
    run_toy(experiment(agents=agents), out="b")
    assert (count("agent"), count("second"), count("perturbation")) == (0, 6, 0)
    SEEN.clear()
    families = {**experiment().perturbations, "q": WatchingPerturbation("other")}
    run_toy(experiment(agents=agents, perturbations=families), out="c")
    # One more family: 3 variants and their reviews by both agents.
    assert (count("other"), count("perturbation")) == (3, 0)
    assert (count("agent"), count("second")) == (3, 3)
    SEEN.clear()
    Given.records.append(Paper("new", "New text."))
    run_toy(experiment(), out="d")
    assert (count("perturbation"), count("agent")) == (1, 2)
    SEEN.clear()
    Given.records.reverse()
    run_toy(experiment(), out="e")
    assert SEEN == []
    run_toy(experiment(seed=5), out="f")
    assert (count("perturbation"), count("agent")) == (4, 8)


def test_names_and_labels_are_no_part_of_an_answer(
    papers: Any, run_toy: Callable[..., Any]
) -> None:
    first = run_toy(experiment())
    SEEN.clear()
    Given.records[:] = [
        Paper(f"other-{n}", paper.text, paper.title)
        for n, paper in enumerate(papers)
        if isinstance(paper, Paper)
    ]
    step = experiment().agents["a"]
    second = run_toy(
        experiment(agents={"renamed": step}, perturbations={"z": experiment().perturbations["p"]}),
        out="b",
    )
    assert SEEN == []
    assert [v.score for v in second.records.verdicts] == [v.score for v in first.records.verdicts]


def test_two_papers_of_one_text_are_computed_once(run_toy: Callable[..., Any]) -> None:
    Given.records[:] = [Paper(f"p{n}", "One text.", "T") for n in range(30)]
    run = run_toy(experiment(workers=8))
    assert (count("perturbation"), count("agent")) == (1, 2)
    assert len(run.records.papers) == 30
    assert len({(v.perturbation, v.score) for v in run.records.verdicts}) == 2
    Given.records.clear()


def test_two_variants_of_one_text_are_reviewed_once(run_toy: Callable[..., Any]) -> None:
    Given.records[:] = [Paper("p", "One text.", "T")]
    step = PerturbationStep(WatchingPerturbation(), variants=40)
    run = run_toy(experiment(perturbations={"p": step}))
    texts = {row["digest"] for row in run.rows("variants")}
    assert count("perturbation") == 40
    assert 1 < len(texts) <= 8  # one of eight letters is put in front
    assert count("agent") == len(texts) + 1
    assert len(run.records.pairs("a")) == 40
    Given.records.clear()


def test_labels_and_ids_never_reach_a_component(papers: Any, run_toy: Callable[..., Any]) -> None:
    run = run_toy(experiment())
    assert {mark for mark, _ in SEEN} == {
        "perturbation", "gates", "constraint", "defense", "agent",
    }  # fmt: skip
    for _, paper in SEEN:
        assert paper.labels == Labels()
        assert "2604" not in repr(paper)
        assert "SECRET" not in repr(paper)
    assert run.records.labels["2604.01960"].decision == "SECRET"


def test_repeats_draw_anew_and_are_kept_apart(
    run_toy: Callable[..., Any], toy_spec: dict[str, Any]
) -> None:
    toy_spec["corpus"]["with"]["papers"] = 20
    toy_spec["agents"] = {"coin": "toy-coin"}
    once = run_toy(toy_spec, out="once")
    toy_spec["repeats"] = 3
    run = run_toy(toy_spec, out="thrice")
    scores: dict[tuple[str, str, int], list[float]] = {}
    for verdict in run.records.verdicts:
        place = (verdict.paper, verdict.perturbation, verdict.index)
        scores.setdefault(place, []).append(verdict.score)
    assert {len(drawn) for drawn in scores.values()} == {3}
    assert sum(len(set(drawn)) > 1 for drawn in scores.values()) > len(scores) * 0.8
    first = [v.score for v in run.records.verdicts if v.repeat == 0]
    assert first == [v.score for v in once.records.verdicts]
    assert run.counts.stored == once.counts.computed
    assert run_toy(toy_spec, out="again").counts.computed == 0


def test_agents_of_one_component_share_their_answers(
    papers: Any, run_toy: Callable[..., Any]
) -> None:
    run = run_toy(experiment(agents={"a": Watcher(), "b": Watcher()}))
    assert count("agent") == 6
    by_agent = [[v.score for v in run.records.verdicts if v.agent == name] for name in "ab"]
    assert by_agent[0] == by_agent[1]


def test_verdicts_follow_the_order_of_the_spec(
    run_toy: Callable[..., Any], toy_spec: dict[str, Any]
) -> None:
    toy_spec["corpus"]["with"]["papers"] = 2
    toy_spec["repeats"] = 2
    toy_spec["agents"] = {"z": "toy-coin", "a": "toy-length"}
    toy_spec["perturbations"] = {"q": {"use": "toy-words", "with": {"share": 1.0}}}
    run = run_toy(toy_spec)
    assert [(v.paper, v.agent, v.perturbation, v.repeat) for v in run.records.verdicts] == [
        (paper, agent, perturbation, repeat)
        for paper in ("toy-0", "toy-1")
        for agent in "za"
        for perturbation in ("", "q")
        for repeat in (0, 1)
    ]


def test_limit_and_doubled_ids(run_toy: Callable[..., Any]) -> None:
    Given.records[:] = [
        Paper("a", "One."), Paper("a", "Two."), Skipped("x", "no text"), Paper("b", "Three."),
        Paper("c", "Four."),
    ]  # fmt: skip
    run = run_toy(experiment(limit=2))
    assert [paper.id for paper in run.records.papers] == ["a", "b"]
    assert run.records.skipped == {"duplicate id": 1, "no text": 1}
    assert [(row["id"], row["reason"]) for row in run.rows("skipped")] == [
        ("a", "duplicate id"), ("x", "no text"),
    ]  # fmt: skip
    assert next(iter(run.rows("papers")))["text"] == "One."
    Given.records.clear()


def test_ids_stay_text(run_toy: Callable[..., Any]) -> None:
    ids = ["2604.01960", "2604.0196", "007", "7", "1e3", "null", "=1+1", 'a"b,c', "né\u2028x"]
    Given.records[:] = [Paper(name, f"We study the paper {name} and its text.") for name in ids]
    run = run_toy(experiment())
    assert [paper.id for paper in run.records.papers] == ids
    assert [row["id"] for row in run.rows("papers")] == ids
    with (run.folder / "records" / "papers.csv").open(encoding="utf-8", newline="") as file:
        assert [text_in_cell(row["id"]) for row in csv.DictReader(file)] == ids
    Given.records.clear()


def test_odd_unicode_in_what_a_corpus_skips(run_toy: Callable[..., Any]) -> None:
    Given.records[:] = [Skipped("bad\udcff.md", "not UTF-8\0"), Paper("a", "Text.")]
    run = run_toy(experiment())
    assert next(iter(run.rows("skipped")))["id"] == "bad\udcff.md"
    assert b"bad\\udcff.md" in (run.folder / "records" / "skipped.csv").read_bytes()
    Given.records.clear()


def test_a_run_without_perturbations(run_toy: Callable[..., Any], toy_spec: dict[str, Any]) -> None:
    del toy_spec["perturbations"], toy_spec["metrics"], toy_spec["reports"]
    run = run_toy(toy_spec)
    assert run.exit_code == 0
    assert len(run.records.verdicts) == 12
    assert run.tables == {}
    assert run.records.pairs("coin") == []


@dataclass(frozen=True)
class Measured(Metric):
    """Notes that it was asked."""

    name: ClassVar[str] = "measured"
    version: ClassVar[str] = "1"

    def measure(self, records: Any) -> Table:
        SEEN.append(("metric", records))
        rows = [{"target": row.target, "expect": row.expect} for row in records.perturbations]
        return Table.of("measured", "M", [Column("target"), Column("expect")], rows)


def test_tables_are_found_again_but_never_for_other_records(
    papers: Any, run_toy: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    run_toy(experiment(metrics=[Measured()]))
    run_toy(experiment(metrics=[Measured()]))
    assert count("metric") == 1
    # A class attribute of a component with its own version is no part of any key of its answers.
    monkeypatch.setattr(WatchingPerturbation, "expect", "decrease")
    run = run_toy(experiment(metrics=[Measured()]))
    assert count("metric") == 2
    assert run.table("measured").records() == [{"target": "", "expect": "decrease"}]
    Given.records.pop()
    run_toy(experiment(metrics=[Measured()]), out="b")
    assert count("metric") == 3
