"""Labels, copies, rubrics, judges and components that misbehave."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

import revkit
from revkit.cache import Store
from revkit.contracts import (
    Agent,
    Context,
    Corpus,
    Perturbation,
    Rubric,
)
from revkit.errors import PluginError, RunError, SpecError
from revkit.execution.sources import digest_of_peers
from revkit.model.criterion import Criterion
from revkit.model.edits import Edit
from revkit.model.exchange import ModelRequest
from revkit.model.paper import Labels, Paper, Skipped
from revkit.model.review import Review, Scale
from revkit.model_settings import Cost
from revkit.options import option
from revkit.testing import toys
from tests.execution.test_judging_and_calibration import (
    PARTS,
    Counting,
    Short,
    Words,
    calibrated,
    judged,
    spec,
)

Run = Callable[..., Any]


LABELS: dict[str, Labels] = {
    "text": Labels(severity="50"),  # type: ignore[arg-type]
    "bool": Labels(severity=True),
    "nan": Labels(severity=float("nan")),
    "huge": Labels(severity=10**400),
    "rating": Labels(ratings=("a",), rating_scale="x-1-10"),  # type: ignore[arg-type]
    "true-rating": Labels(ratings=(True, 4.0), rating_scale="x-1-10"),
    "scale": Labels(ratings=(5.0,), rating_scale=None),  # type: ignore[arg-type]
    "topic": Labels(topic=None),  # type: ignore[arg-type]
    "accept": Labels(accept="yes"),  # type: ignore[arg-type]
    "ratings": Labels(ratings=5),  # type: ignore[arg-type]
    "extra": Labels(extra=None),  # type: ignore[arg-type]
    "none": None,  # type: ignore[dict-item]
}


@dataclass(frozen=True)
class Labelled(Corpus):
    """Two papers with one sort of labels."""

    name: ClassVar[str] = "labelled"
    version: ClassVar[str] = "1"
    how: str = option("text", help="Which labels.")

    def papers(self, ctx: Context) -> Iterator[Paper | Skipped]:
        yield Paper("a", "one word", "", LABELS[self.how])


@pytest.mark.parametrize("how", LABELS)
def test_labels_of_another_type_end_the_run_with_their_name(run_toy: Run, how: str) -> None:
    given = calibrated(anchors={"use": "labelled", "with": {"how": how}})
    with pytest.raises(RunError, match="TypeError: paper 'a': "):
        run_toy(given, plugins=[*PARTS, Labelled])


@dataclass(frozen=True)
class Copies(Corpus):
    """Three texts, twice each, the copies under other topics."""

    name: ClassVar[str] = "copies"
    version: ClassVar[str] = "1"
    back: bool = option(False, help="The other way round.")

    def papers(self, ctx: Context) -> Iterator[Paper | Skipped]:
        for number in range(6)[:: -1 if self.back else 1]:
            labels = Labels(topic="ab"[number % 2])
            yield Paper(f"p{number}", "word " * (number // 2 + 3), "", labels)

    def identity(self) -> Any:
        return "copies"


@dataclass(frozen=True)
class Topics(Perturbation):
    """Tells how many peers there are, and their topics."""

    name: ClassVar[str] = "topics"
    version: ClassVar[str] = "1"
    uses: ClassVar[Any] = ("corpus",)

    def perturb(self, paper: Paper, ctx: Context) -> Any:
        return [Edit(0, 0, "".join(peer.topic for peer in ctx.peers()) + " ")]


def test_copies_are_one_peer_whatever_their_order(run_toy: Run, tmp_path: Path) -> None:
    plugins: list[Any] = [*PARTS, Copies, Topics]
    given = {
        **spec(corpus="copies", perturbations={"t": "topics"}),
        "judges": {"j": "counting"},
        "rubrics": ["short"],
    }
    run = run_toy(given, plugins=plugins)
    assert {row["new"] for row in run.rows("edits")} == {"aaa "}
    other = {**given, "corpus": {"use": "copies", "with": {"back": True}}}
    assert run_toy(other, out="back", plugins=plugins).counts.computed == 0
    # An experiment of judges alone, with copies among its papers, is exported and replayed.
    bundle, known = tmp_path / "b.zip", [toys, *plugins]
    revkit.export(tmp_path / "run", bundle, store=tmp_path / "store.db", plugins=known)
    assert revkit.replay(bundle, out=tmp_path / "again", plugins=known).identical
    with pytest.raises(RunError, match=r"perturbations\.t contain texts of other papers"):
        revkit.export(
            tmp_path / "run", bundle, store=tmp_path / "store.db", texts=False, plugins=known
        )


def test_the_digest_of_peers_knows_each_text_once() -> None:
    rows = [("x", "b"), ("y", ""), ("x", "a")]
    assert digest_of_peers(rows) == digest_of_peers([("y", ""), ("x", "a")])
    assert digest_of_peers(rows) == digest_of_peers(rows[::-1])
    assert digest_of_peers(rows) != digest_of_peers([("y", ""), ("x", "b")])


CRITERIA: dict[str, Callable[[], Any]] = {
    "raises": lambda: 1 / 0,
    "leaves": lambda: sys.exit(3),
    "none": lambda: None,
    "name": lambda: Criterion(7, "q", ((1, "a"), (2, "b"))),  # type: ignore[arg-type]
    "text-levels": lambda: Criterion("x", "q", (("1", "a"), ("2", "b"))),  # type: ignore[arg-type]
    "bool-levels": lambda: Criterion("x", "q", ((False, "a"), (True, "b"))),
    "huge-levels": lambda: Criterion("x", "q", ((1, "a"), (10**400, "b"))),
    "question": lambda: Criterion("x", None, ((1, "a"), (2, "b"))),  # type: ignore[arg-type]
    "told": lambda: Criterion("x", "q", ((1, None), (2, "b"))),  # type: ignore[arg-type]
    "path": lambda: Criterion("../x", "q", ((1, "a"), (2, "b"))),
    "line": lambda: Criterion("x\n", "q", ((1, "a"), (2, "b"))),
}


@dataclass(frozen=True)
class OddRubric(Rubric):
    """No rubric."""

    name: ClassVar[str] = "odd-rubric"
    version: ClassVar[str] = "1"
    how: str = option("none", help="What is odd.")

    @property
    def criterion(self) -> Criterion:
        return CRITERIA[self.how]()  # type: ignore[no-any-return]


@pytest.mark.parametrize("how", CRITERIA)
def test_what_is_no_criterion_is_a_problem_of_the_spec(run_toy: Run, how: str) -> None:
    given = {**judged(), "rubrics": [{"use": "odd-rubric", "with": {"how": how}}]}
    with pytest.raises(SpecError, match=r"rubrics\.0: "):
        run_toy(given, plugins=[*PARTS, OddRubric])


@dataclass(frozen=True)
class Vague(Counting):
    """Cannot say what it is."""

    name: ClassVar[str] = "vague"
    how: str = option("identity", help="What it cannot say.")

    def identity(self) -> Any:
        return {"x": float("nan")} if self.how == "nan" else self.told("identity")

    def files_needed(self) -> Any:
        return self.told("files") or ()

    def ready(self) -> Any:
        return self.told("ready") or ()

    def told(self, what: str) -> Any:
        if what == self.how:
            raise SystemExit("gone") if what == "ready" else OSError("gone")
        return None


def test_a_component_that_cannot_say_what_it_is_is_named(run_toy: Run, tmp_path: Path) -> None:
    def run(how: str) -> Any:
        agents = {"a": {"use": "vague", "with": {"how": how}}}
        return run_toy(spec(agents=agents), out=how, plugins=[*PARTS, Vague])

    for how, error in (("identity", "OSError: gone"), ("nan", "ValueError: Out of range")):
        with pytest.raises(PluginError, match=f"agent 'vague': its identity: {error}"):
            run(how)
    with pytest.raises(RunError, match="agent 'a' cannot run: vague: SystemExit: gone"):
        run("ready")
    run("files")
    with pytest.raises(RunError, match=r"the files of agents\.a: OSError: gone"):
        revkit.export(
            tmp_path / "files", tmp_path / "b.zip", store=tmp_path / "store.db",
            plugins=[toys, *PARTS, Vague],
        )  # fmt: skip


@dataclass(frozen=True)
class Half(Agent):
    """Judges in halves, as text, and as a bool."""

    name: ClassVar[str] = "half"
    version: ClassVar[str] = "1"
    scale = Scale("x", 0, 10)

    def review(self, paper: Paper, ctx: Context) -> revkit.Outcome:
        return Review(score=1.0)

    def judge(self, paper: Paper, criterion: Criterion, ctx: Context) -> revkit.Outcome:
        scores: list[Any] = [1.0, 2, 2.0000001, True, "2", float("nan"), 10**400, None]
        return Review(score=scores[len(paper.text.split()) - 1])


def test_only_scores_of_the_scale_are_judgements(run_toy: Run) -> None:
    given = {**judged(most=8), "perturbations": {}, "judges": {"j": "half"}, "repeats": 1}
    found = run_toy(given, plugins=[*PARTS, Half]).records.judgements
    assert [j.score for j in found] == [1.0, 2, None, None, None, None, None, None]
    assert {j.failure for j in found[2:]} == {"schema", "crashed"}


def test_a_shared_component_is_told_under_all_its_names(run_toy: Run) -> None:
    from revkit.execution.work import ItemWorker

    one, rubric = Counting(), Short()
    experiment = revkit.Experiment(
        corpus=Words(), agents={"a": one, "b": one}, judges={"j": one}, rubrics=(rubric,)
    )
    labels: list[str] = []

    class Gateway:
        gather = None
        spent = Cost()

        def complete(self, request: Any, label: str) -> None:
            labels.append(label)

        def close(self) -> None: ...

    @dataclass(frozen=True)
    class Asking(Counting):
        """Asks."""

        name: ClassVar[str] = "asking"
        uses: ClassVar[Any] = ("llm",)

    asking = Asking()
    experiment = replace(experiment, agents={"a": asking, "b": one}, judges={"j": asking})
    with pytest.MonkeyPatch.context() as patch, Store(None) as store:
        patch.setattr("revkit.services.llm.ModelGateway", lambda *a, **k: Gateway())
        with ItemWorker(experiment, store) as desk:
            for component in (asking, one):
                complete: Any = desk.services_of(component).complete
                complete(ModelRequest("m", ()))
            assert labels == ["agents.a, judges.j", "agents.b"]
