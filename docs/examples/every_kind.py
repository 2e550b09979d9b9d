"""The smallest component of each kind; ``revkit plugins --plugin every_kind.py`` lists them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from revkit import (
    Agent,
    Calibrator,
    Check,
    Column,
    Constraint,
    Context,
    Corpus,
    Criterion,
    Curve,
    Defense,
    Edit,
    Embedder,
    Executor,
    ExperimentView,
    Exported,
    Exporter,
    Failure,
    Labels,
    Metric,
    Paper,
    Perturbation,
    Records,
    Register,
    Rejection,
    Reporter,
    Review,
    Rubric,
    RunView,
    Scale,
    Searcher,
    SearchSpace,
    Skipped,
    Strategy,
    Table,
    Work,
    hookimpl,
    option,
)
from revkit.contracts import Numbers, Search
from revkit.errors import UnreadableMap

if TYPE_CHECKING:
    import numpy


# corpus
@dataclass(frozen=True)
class TwoNotes(Corpus):
    """One note that is a paper, and one that is too short to be one."""

    name = "two-notes"

    def papers(self, ctx: Context) -> Iterator[Paper | Skipped]:
        """Yield the paper, and skip the other note with a reason."""
        yield Paper("n1", "# Gates\n\nThis may work [1].\n", labels=Labels(accept=True))
        yield Skipped("n2", "no text")


# perturbation
@dataclass(frozen=True)
class Certain(Perturbation):
    """Drop the first "may" of each sentence."""

    name = "certain"

    def perturb(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Rejection:
        """Return the deletions, or a rejection if the paper contains no "may"."""
        places = [paper.text.find(" may ", each.start, each.end) for each in paper.sentences]
        edits = [Edit(place, place + 4, "", "a hedge") for place in places if place >= 0]
        return edits or Rejection("no hedge to remove")


# constraint
@dataclass(frozen=True)
class FewEdits(Constraint):
    """Limit the number of edits of a variant."""

    name = "few-edits"
    most: int = option(20, help="Upper limit of edits in one variant.", minimum=1)

    def check(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Check:
        """Count the edits."""
        return Check("few-edits", len(edits), self.most, len(edits) <= self.most, "edits")


# agent
@dataclass(frozen=True)
class TableReader(Agent):
    """Score a paper by its tables; refuse one that has no prose."""

    name = "table-reader"
    deterministic = True
    scale = Scale("tables-0-5", 0, 5, accept_at=1)

    def review(self, paper: Paper, ctx: Context) -> Review | Failure:
        """Return the number of tables, at most 5."""
        if not paper.sentences:
            return Failure("unparseable", "the paper has no prose")
        tables = sum(block.kind == "table" for block in paper.blocks)
        score = float(min(5, tables))
        return Review(accept=self.scale.accepts(score), score=score)


# defense
@dataclass(frozen=True)
class NoComments(Defense):
    """Remove HTML comments from a paper before the agent sees it."""

    name = "no-comments"

    def screen(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Failure:
        """Return a deletion for each comment."""
        return [
            Edit(block.start, block.end, "", "a comment")
            for block in paper.blocks
            if block.kind == "html" and paper.text.startswith("<!--", block.start)
        ]


# rubric
@dataclass(frozen=True)
class Mentions(Rubric):
    """Whether a text states its limits."""

    name = "mentions-limits"
    criterion = Criterion(
        "mentions-limits",
        "Does the text say what its findings do not show?",
        ((1, "It names no limit."), (2, "It names one in passing."), (3, "It names them plainly.")),
    )


# strategy
@dataclass(frozen=True)
class OneByOne(Strategy):
    """Try each unit of edits alone, in the order of the text."""

    name = "one-by-one"

    def search(self, space: SearchSpace, ctx: Context) -> Search:
        """Yield one unit after another, and stop at the first success."""
        for unit in space.units:
            tried = yield [unit.number]
            if tried.met:
                return


# calibrator
class Line(Curve):
    """target = slope * raw + shift, also outside the range that was fitted."""

    def __init__(self, slope: float, shift: float) -> None:
        self.slope, self.shift = slope, shift

    def __call__(self, raw: Numbers) -> Numbers:
        """Map each score."""
        return [self.slope * score + self.shift for score in raw]

    def to_json(self) -> Mapping[str, float]:
        """Return both numbers."""
        return {"slope": self.slope, "shift": self.shift}


@dataclass(frozen=True)
class EndToEnd(Calibrator):
    """The line through the lowest and the highest anchor."""

    name = "end-to-end"

    def fit(self, raw: Numbers, target: Numbers, weights: Numbers | None = None) -> Curve:
        """Fit the line; the weights are not used."""
        (x1, y1), (x2, y2) = min(zip(raw, target, strict=True)), max(zip(raw, target, strict=True))
        slope = (y2 - y1) / (x2 - x1)
        return Line(slope, y1 - slope * x1)

    def load(self, value: Any) -> Curve:
        """Rebuild the line of a stored map."""
        try:
            return Line(value["slope"], value["shift"])
        except (KeyError, TypeError):
            raise UnreadableMap(f"{self.name}: slope and shift are not in this map") from None


# metric
@dataclass(frozen=True)
class MeanScore(Metric):
    """The mean score of each agent on unchanged papers, one review a paper."""

    name = "mean-score"

    def measure(self, records: Records) -> Table:
        """Return a row for each agent; a value that cannot be measured is an empty cell."""
        from revkit.stats import mean_interval

        rows = []
        for agent in records.agents:
            verdicts = [verdict for verdict in records.originals(agent.name) if not verdict.repeat]
            scores = [verdict.score for verdict in verdicts if verdict.score is not None]
            mean = mean_interval(scores, unit="paper")
            low, high = mean.interval.low, mean.interval.high
            rows.append(
                {"agent": agent.name, "mean": mean.value, "low": low, "high": high, "n": mean.n}
            )
        columns = [Column(name) for name in ("agent", "mean", "low", "high", "n")]
        return Table.of("mean-score", "Mean score", columns, rows, ["unit: the paper"])


# searcher
@dataclass(frozen=True)
class OneShelf(Searcher):
    """A literature of one work."""

    name = "one-shelf"

    def search(self, query: str, limit: int, ctx: Context) -> Sequence[Work]:
        """Return the work if the query contains a word of its title."""
        work = Work("Sparse gates", ("A. Marsh",), 2019)
        return [work][:limit] if {"sparse", "gates"} & set(query.lower().split()) else []


# embedder
@dataclass(frozen=True)
class Letters(Embedder):
    """How often each letter from a to z occurs, as a unit vector."""

    name = "letters"

    def embed(self, texts: Sequence[str]) -> numpy.ndarray[Any, Any]:
        """Return one row for each text; a text without letters points along the last axis."""
        import numpy

        rows = [[text.lower().count(chr(97 + i)) for i in range(26)] for text in texts]
        counts = numpy.asarray([[*row, not any(row)] for row in rows], dtype="float32")
        counts /= numpy.linalg.norm(counts, axis=1, keepdims=True)
        return counts


# reporter
@dataclass(frozen=True)
class Plain(Reporter):
    """The title of each table, a line each."""

    name = "plain"

    def render(self, run: RunView) -> Mapping[str, str]:
        """Return the file ``titles.txt``."""
        return {"titles.txt": "".join(f"{table.title}\n" for table in run.tables)}


# exporter
@dataclass(frozen=True)
class Titles(Exporter):
    """Write the titles of all papers, a line each."""

    name = "titles"
    upper: bool = option(False, help="In capital letters.")

    def export(self, experiment: ExperimentView, folder: Path) -> Exported:
        """Write the file ``titles.txt``."""
        papers = [each for each in experiment.papers() if isinstance(each, Paper)]
        lines = "".join(f"{paper.title}\n" for paper in papers)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "titles.txt").write_text(lines.upper() if self.upper else lines, "utf-8")
        return Exported(f"{len(papers)} titles")


# executor
@dataclass(frozen=True)
class InTurn(Executor):
    """Run one shard after the other, each in another process."""

    name = "in-turn"
    shards: int = option(2, help="Parts of the experiment.", minimum=1)
    at_once: int = option(1, help="Always 1.", minimum=1, maximum=1)

    def run(
        self, work: Callable[[str], str], tasks: Sequence[str], stopped: Callable[[], bool]
    ) -> Iterator[str]:
        """Call ``work`` here; another executor sends it to another machine."""
        for task in tasks:
            if stopped():
                return
            yield work(task)


# hooks
@hookimpl
def register_corpora(register: Register) -> None:
    register(TwoNotes)


@hookimpl
def register_perturbations(register: Register) -> None:
    register(Certain)


@hookimpl
def register_constraints(register: Register) -> None:
    register(FewEdits)


@hookimpl
def register_agents(register: Register) -> None:
    register(TableReader)


@hookimpl
def register_defenses(register: Register) -> None:
    register(NoComments)


@hookimpl
def register_rubrics(register: Register) -> None:
    register(Mentions)


@hookimpl
def register_strategies(register: Register) -> None:
    register(OneByOne)


@hookimpl
def register_calibrators(register: Register) -> None:
    register(EndToEnd)


@hookimpl
def register_metrics(register: Register) -> None:
    register(MeanScore)


@hookimpl
def register_searchers(register: Register) -> None:
    register(OneShelf)


@hookimpl
def register_embedders(register: Register) -> None:
    register(Letters)


@hookimpl
def register_reporters(register: Register) -> None:
    register(Plain)


@hookimpl
def register_exporters(register: Register) -> None:
    register(Titles)


@hookimpl
def register_executors(register: Register) -> None:
    register(InTurn)
