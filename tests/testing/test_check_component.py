"""`check_component` finds the fault that was planted, and none where there is none."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import pytest

from revkit.contracts import (
    Agent,
    Calibrator,
    Constraint,
    Context,
    Corpus,
    Curve,
    Defense,
    Embedder,
    Metric,
    Perturbation,
    Reporter,
    Rubric,
    RunView,
    Searcher,
)
from revkit.model.criterion import Criterion
from revkit.model.edits import Edit
from revkit.model.paper import Paper
from revkit.model.records import Records
from revkit.model.review import Review, Scale
from revkit.model.table import Column, Table
from revkit.model.values import Json
from revkit.model.variant import Check
from revkit.options import option
from revkit.registry import load_registry
from revkit.testing import check_component, context, embed, tiny_papers, tiny_records, toys

pytestmark = pytest.mark.usefixtures("no_plugins")
COUNTER = itertools.count()
SCALE = Scale("ten", 1, 10, accept_at=6)


@pytest.mark.parametrize(
    "component", [e.component for e in load_registry([toys]).entries if e.plugin == toys.__name__]
)
def test_the_toys_keep_their_contracts(component: Any) -> None:
    check_component(component)
    check_component(component())


@dataclass(frozen=True)
class Base(Agent):
    """An agent without fault."""

    name: ClassVar[str] = "base"
    scale = SCALE

    def review(self, paper: Paper, ctx: Context) -> Any:
        return Review(True, 7)


@dataclass(frozen=True)
class Undocumented(Base):
    name: ClassVar[str] = "undocumented"


@dataclass(frozen=True)
class Headless(Base):
    """no sentence"""

    name: ClassVar[str] = "headless"


@dataclass(frozen=True)
class Helpless(Base):
    """An option without help."""

    name: ClassVar[str] = "helpless"
    mood: str = "good"


@dataclass(frozen=True)
class Forgetful(Base):
    """Gives another answer each time."""

    name: ClassVar[str] = "forgetful"

    def review(self, paper: Paper, ctx: Context) -> Any:
        return Review(True, 7, text=str(next(COUNTER)))


@dataclass(frozen=True)
class Global(Base):
    """Draws from the wrong source."""

    name: ClassVar[str] = "global"

    def review(self, paper: Paper, ctx: Context) -> Any:
        return Review(True, random.uniform(6, 10))


@dataclass(frozen=True)
class Peeking(Base):
    """Reads the label."""

    name: ClassVar[str] = "peeking"

    def review(self, paper: Paper, ctx: Context) -> Any:
        accept = bool(paper.labels.accept)
        return Review(accept, 9 if accept else 2)


@dataclass(frozen=True)
class Naming(Base):
    """Reads the id."""

    name: ClassVar[str] = "naming"

    def review(self, paper: Paper, ctx: Context) -> Any:
        return Review(True, 7, text=paper.id)


@dataclass(frozen=True)
class Boasting(Base):
    """Says that it is deterministic, and draws."""

    name: ClassVar[str] = "boasting"
    deterministic = True

    def review(self, paper: Paper, ctx: Context) -> Any:
        return Review(True, 6 + ctx.rng.random())


@dataclass(frozen=True)
class OffScale(Base):
    """Leaves its scale."""

    name: ClassVar[str] = "off-scale"

    def review(self, paper: Paper, ctx: Context) -> Any:
        return Review(True, 70)


@dataclass(frozen=True)
class Contradicting(Base):
    """Accepts below its own threshold."""

    name: ClassVar[str] = "contradicting"

    def review(self, paper: Paper, ctx: Context) -> Any:
        return Review(True, 2)


@dataclass(frozen=True)
class Raising(Base):
    """Raises."""

    name: ClassVar[str] = "raising"

    def review(self, paper: Paper, ctx: Context) -> Any:
        raise KeyError("x")


@dataclass(frozen=True)
class Restless(Base):
    """Has another identity each time."""

    name: ClassVar[str] = "restless"

    def identity(self) -> Json:
        return next(COUNTER)


@dataclass(frozen=True)
class Scaleless(Base):
    """Has no scale."""

    name: ClassVar[str] = "scaleless"
    scale = None  # type: ignore[assignment]


@dataclass(frozen=True)
class Shifting(Base):
    """Changes its own option."""

    name: ClassVar[str] = "shifting"
    size: int = option(1, help="A size.")

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "size", self.size + 1)


@dataclass(frozen=True)
class Locked(Base):
    """Holds what cannot be pickled."""

    name: ClassVar[str] = "locked"
    hook: Any = field(default=None, init=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "hook", lambda: None)


@dataclass(frozen=True)
class Edits(Perturbation):
    """Edits as it is told."""

    name: ClassVar[str] = "edits"
    kind: str = option("words", help="What to edit.")

    def perturb(self, paper: Paper, ctx: Context) -> Any:
        find = paper.text.find
        return {
            "words": [Edit(find("We "), find("We ") + 2, "They")] if "We " in paper.text else [],
            "heading": [Edit(0, 1, "")],
            "table": [Edit(find("| Full"), find("| Full") + 3, "x")]
            if "| Full" in paper.text
            else [],
            "citation": [Edit(c.start, c.end, "") for c in paper.citations[:1]],
            "overlap": [Edit(2, 9, "a"), Edit(3, 4, "b")],
            "nothing": [Edit(0, 1, "#")],
            "title": [Edit(len(paper.text), len(paper.text), paper.labels.decision or "?")],
            "nan": [Edit(len(paper.text), len(paper.text), "?")],
            "none": None,
        }[self.kind]

    def gates(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Any:
        return [Check("g", float("nan") if self.kind == "nan" else 0.0, 1.0, True)]


@dataclass(frozen=True)
class Silent(Base):
    """An agent that returns nothing."""

    name: ClassVar[str] = "silent"

    def review(self, paper: Paper, ctx: Context) -> Any:
        return None


FAULTS = [
    (Undocumented, "no docstring"),
    (Headless, "is not a sentence"),
    (Helpless, "option 'mood' has no help"),
    (Forgetful, "another answer the second time"),
    (Global, "another answer the second time"),
    (Peeking, "depends on the id or the labels"),
    (Naming, "depends on the id or the labels"),
    (Boasting, "declares itself deterministic"),
    (OffScale, "70 is not a score of scale 'ten'"),
    (Contradicting, "contradicts its score 2"),
    (Raising, "raised KeyError: 'x'"),
    (Restless, "identity differs from call to call"),
    (Scaleless, "its scale must be a Scale, not None"),
    (Shifting, "rebuilt from its own options, it becomes"),
    (Locked, "pickling raised"),
    (Edits("heading"), "change blocks that are not prose: [('heading', 'Sparse Gates"),
    (Edits("nan"), "a check as JSON raised ValueError"),
    (Edits("table"), "touches a table"),
    (Edits("citation"), "which is not prose"),
    (Edits("overlap"), "overlap"),
    (Edits("nothing"), "change nothing"),
    (Edits("title"), "depends on the id or the labels"),
    (Edits("none"), "expected edits, a Layout or a Rejection, not NoneType"),
    (Silent, "expected a Review or a Failure, not NoneType"),
]


@pytest.mark.parametrize(
    ("component", "fault"),
    FAULTS,
    ids=[f"{getattr(c, 'name', '')}-{getattr(c, 'kind', '')}" for c, _ in FAULTS],
)
def test_planted_faults_are_found(component: Any, fault: str) -> None:
    with pytest.raises(AssertionError) as caught:
        check_component(component)
    assert fault in str(caught.value)
    assert "breaks its contract:\n- " in str(caught.value)


def test_no_fault_is_seen_where_there_is_none() -> None:
    check_component(Base)
    check_component(Edits())
    check_component(Edits("citation"), may_edit=["protected"])
    check_component(Edits("table"), may_edit=["table"])
    check_component(Edits("words"), papers=tiny_papers()[:1])


@dataclass(frozen=True)
class Odd:
    """Where faults of the other kinds are planted."""


@dataclass(frozen=True)
class OddCorpus(Corpus):
    """Doubles an id, miscounts, and yields a mapping."""

    name: ClassVar[str] = "odd"

    def papers(self, ctx: Context) -> Iterator[Any]:
        yield Paper("a", "A.")
        yield Paper("a", "B.")
        yield {"id": "c"}

    def count(self) -> int:
        return 2


@dataclass(frozen=True)
class OddConstraint(Constraint):
    """Makes edits of its own, and passes without measuring."""

    name: ClassVar[str] = "odd"

    def prune(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Sequence[Edit]:
        return [Edit(0, 0, "!")]

    def check(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Check:
        return Check("odd", None, 0.05, True)


@dataclass(frozen=True)
class OddDefense(Defense):
    """Takes the first table away."""

    name: ClassVar[str] = "odd"

    def screen(self, paper: Paper, ctx: Context) -> Sequence[Edit]:
        return [Edit(b.start, b.end, "") for b in paper.blocks if b.kind == "table"]


@dataclass(frozen=True)
class OddMetric(Metric):
    """Divides by the number of pairs."""

    name: ClassVar[str] = "odd"

    def measure(self, records: Records) -> Table:
        rows = [{"x": 1 / len(records.pairs(agent.name))} for agent in records.agents]
        return Table.of("odd", "Odd", [Column("x")], rows)


@dataclass(frozen=True)
class OddReporter(Reporter):
    """Counts its calls, and leaves the folder."""

    name: ClassVar[str] = "odd"

    def render(self, run: RunView) -> Mapping[str, str]:
        return {"../a.txt": str(next(COUNTER))}


@dataclass(frozen=True)
class OddEmbedder(Embedder):
    """Gives vectors of length 2 in double precision."""

    name: ClassVar[str] = "odd"

    def embed(self, texts: Sequence[str]) -> Any:
        return embed(texts).astype("f8") * 2


@dataclass(frozen=True)
class OddSearcher(Searcher):
    """Gives more than was asked for."""

    name: ClassVar[str] = "odd"

    def search(self, query: str, limit: int, ctx: Context) -> Any:
        return [{"title": "x"}] * (limit + 1)


@dataclass(frozen=True)
class OddRubric(Rubric):
    """Gives a bare number."""

    name: ClassVar[str] = "odd"

    criterion: ClassVar[Any] = 5


class OddCurve(Curve):
    def __call__(self, raw: Any) -> Any:
        return [float("nan")] * len(raw)

    def to_json(self) -> Json:
        return {}


@dataclass(frozen=True)
class OddCalibrator(Calibrator):
    """Fits nothing."""

    name: ClassVar[str] = "odd"

    def fit(self, raw: Any, target: Any, weights: Any = None) -> Curve:
        return OddCurve()


@dataclass(frozen=True)
class EmptyRubric(Rubric):
    """Has no criterion."""

    name: ClassVar[str] = "empty"

    criterion: ClassVar[Any] = None


@dataclass(frozen=True)
class MisnamedRubric(Rubric):
    """Has a criterion whose name no run accepts."""

    name: ClassVar[str] = "misnamed"

    criterion: ClassVar[Any] = Criterion("R 8!", "Is it clear?", ((1, "no"), (2, "yes")))


@dataclass(frozen=True)
class LetteredRubric(Rubric):
    """Has levels whose scores are text."""

    name: ClassVar[str] = "lettered"

    criterion: ClassVar[Any] = Criterion(
        "clear",
        "Is it clear?",
        (("1", "no"), ("2", "yes")),  # type: ignore[arg-type]
    )


@dataclass(frozen=True)
class EmptyCalibrator(Calibrator):
    """Returns no curve."""

    name: ClassVar[str] = "empty"

    def fit(self, raw: Any, target: Any, weights: Any = None) -> Any:
        return None


@dataclass(frozen=True)
class SortingCalibrator(OddCalibrator):
    """Sorts the scores that it is given."""

    name: ClassVar[str] = "sorting"

    def fit(self, raw: Any, target: Any, weights: Any = None) -> Curve:
        raw.sort()
        return OddCurve()


class Line(Curve):
    """A line with a slope."""

    def __init__(self, slope: float) -> None:
        self.slope = slope

    def __call__(self, raw: Any) -> Any:
        return [self.slope * value for value in raw]

    def to_json(self) -> Json:
        return {"slope": self.slope}


@dataclass(frozen=True)
class LineCalibrator(Calibrator):
    """Fits a line, and loads it again."""

    name: ClassVar[str] = "line"

    def fit(self, raw: Any, target: Any, weights: Any = None) -> Curve:
        return Line(max(target) / max(raw))

    def load(self, value: Any) -> Any:
        return Line(value["slope"])


@dataclass(frozen=True)
class ForgetfulCalibrator(LineCalibrator):
    """Loads another line."""

    name: ClassVar[str] = "forgetful"

    def load(self, value: Any) -> Any:
        return Line(1.0)


@dataclass(frozen=True)
class UnloadedCalibrator(LineCalibrator):
    """Loads nothing."""

    name: ClassVar[str] = "unloaded"

    def load(self, value: Any) -> Any:
        return None


def test_a_calibrator_that_loads_its_curve_has_no_fault() -> None:
    check_component(LineCalibrator)


@pytest.mark.parametrize(
    ("component", "faults"),
    [
        (OddCorpus, ["two papers share an id", "its count is 2, but it yields 3", "yields a dict"]),
        (OddConstraint, ["prune returns new edits", "limit that it passed without a value"]),
        (OddDefense, ["touches a table"]),
        (OddMetric, ["degenerate records raised ZeroDivisionError"]),
        (OddReporter, ["lies outside the run folder", "rendering twice gives two reports"]),
        (OddEmbedder, ["not unit vectors", "expected float32, not float64"]),
        (OddSearcher, ["asked for 3 works, it returns 4", "expected a Work, not dict"]),
        (OddRubric, ["its criterion must be a Criterion, not 5"]),
        (EmptyRubric, ["its criterion must be a Criterion, not None"]),
        (MisnamedRubric, ["'R 8!' is not a valid name of a criterion"]),
        (LetteredRubric, ["the score of a level must be a whole number, not '1'"]),
        (OddCalibrator, ["not finite"]),
        (EmptyCalibrator, ["expected a Curve from fit, not NoneType"]),
        (SortingCalibrator, ["fit raised AttributeError"]),
        (ForgetfulCalibrator, ["load returns another curve than the one stored"]),
        (UnloadedCalibrator, ["expected a Curve from load, not NoneType"]),
    ],
)
def test_faults_of_every_kind(component: Any, faults: list[str]) -> None:
    with pytest.raises(AssertionError) as caught:
        check_component(component)
    for fault in faults:
        assert fault in str(caught.value)


def test_the_tiny_papers_hold_what_they_promise() -> None:
    numeric, author_year, plain = tiny_papers()
    assert numeric.citation_style == "numeric"
    assert author_year.citation_style == "author-year"
    assert plain.citation_style == "none"
    assert [len(paper.references) for paper in (numeric, author_year, plain)] == [3, 3, 0]
    assert {"table", "math", "code", "list-item", "heading"} <= {b.kind for b in numeric.blocks}
    for paper in (numeric, author_year, plain):
        assert any(word in paper.text for word in (" may ", " might ", " could "))
        assert paper.words > 40
    assert (numeric.labels.accept, author_year.labels.accept, plain.labels.accept) == (
        True, False, None,
    )  # fmt: skip
    assert tiny_papers() == tiny_papers()
    assert tiny_records() == tiny_records()


@dataclass(frozen=True)
class Borrowing(Perturbation):
    """Append the first sentence of another paper."""

    name: ClassVar[str] = "borrowing"
    uses: ClassVar[Any] = ("corpus",)

    def perturb(self, paper: Paper, ctx: Context) -> list[Edit]:
        other = next(p.paper for p in ctx.peers() if p.paper.digest != paper.digest)
        start, end = other.sentences[0].start, other.sentences[0].end
        place = paper.sentences[-1].end
        return [Edit(place, place, f" {other.text[start:end]}")]


def test_a_perturbation_that_borrows_is_shown_the_papers_of_the_check() -> None:
    check_component(Borrowing)
    check_component(Borrowing, papers=tiny_papers()[:2])
    seen = [peer.paper for peer in context().peers()]
    assert sorted(paper.text for paper in seen) == sorted(p.text for p in tiny_papers())
    assert all(paper.labels.accept is None for paper in seen)


def test_a_context_is_seeded_and_embeds() -> None:
    assert context(1).rng.random() == context(1).rng.random() != context(2).rng.random()
    vectors = context().embed(["We may show it.", "We may show it!", "Something else entirely"])
    near, far = vectors[0] @ vectors[1], vectors[0] @ vectors[2]
    assert near > 0.8 > far
