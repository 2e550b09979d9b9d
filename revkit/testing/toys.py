"""Toy components, one of each kind that an experiment can contain: a plugin in one small file.

They serve tests of the core and show what a plugin looks like. Load them with
``revkit.run(spec, plugins=[revkit.testing.toys])``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from revkit.contracts import (
    Agent,
    Constraint,
    Context,
    Corpus,
    Defense,
    Embedder,
    Metric,
    Perturbation,
    Reporter,
    RunView,
)
from revkit.dataclass import dataclass
from revkit.hookspecs import Register, hookimpl
from revkit.model.edits import Edit
from revkit.model.paper import Labels, Paper, Skipped
from revkit.model.records import Records
from revkit.model.review import Failure, Review, Scale
from revkit.model.table import Cell, Column, Table
from revkit.model.variant import Check, Rejection
from revkit.options import option
from revkit.testing.embedding import embed

if TYPE_CHECKING:
    import numpy


@dataclass(frozen=True)
class ToyPapers(Corpus):
    """Papers of a few sentences, each with another number in it; every second one is accepted."""

    name: ClassVar[str] = "toy-papers"
    papers_: int = option(10, help="How many papers.", minimum=0)
    start: int = option(0, help="The number of the first paper.", minimum=0)
    skip_every: int = option(0, help="Skip each paper with a multiple of this (0: none).")

    def papers(self, ctx: Context) -> Iterator[Paper | Skipped]:
        """Yield paper ``start``, ``start + 1``, ..."""
        for number in range(self.start, self.start + self.papers_):
            if self.skip_every and number % self.skip_every == 0:
                yield Skipped(f"toy-{number}", "not wanted")
                continue
            yield Paper(
                f"toy-{number}",
                f"# Toy paper {number}\n\nWe may count {number} things. They may be few, and that "
                f"may be all.\n\n{'It goes on. ' * (number % 7)}\n",
                f"Toy paper {number}",
                Labels(accept=number % 2 == 0),
            )

    def count(self) -> int:
        """The number of records."""
        return self.papers_


@dataclass(frozen=True)
class ToyWords(Perturbation):
    """Removes each "may" with probability ``share``."""

    name: ClassVar[str] = "toy-words"
    share: float = option(0.5, help="Chance of each word to go.", minimum=0, maximum=1)

    def perturb(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Rejection:
        """Return one deletion for each word drawn; reject a paper without the word."""
        places = [
            sentence.start + offset
            for sentence in paper.sentences
            for offset in _finds(paper.text[sentence.start : sentence.end], " may ")
        ]
        if not places:
            return Rejection("no 'may' in it")
        return [Edit(at, at + 4, "") for at in places if ctx.rng.random() < self.share]


@dataclass(frozen=True)
class ToyLimit(Constraint):
    """Allows at most ``most`` edits and drops the others."""

    name: ClassVar[str] = "toy-limit"
    most: int = option(2, help="The largest number of edits.", minimum=0)

    def prune(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Sequence[Edit]:
        """Keep the first ``most``."""
        return edits[: self.most]

    def check(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Check:
        """Count the edits."""
        return Check("edits", len(edits), self.most, len(edits) <= self.most, "count")


@dataclass(frozen=True)
class ToyLength(Agent):
    """Scores a paper by the last digit of its length."""

    name: ClassVar[str] = "toy-length"
    deterministic: ClassVar[bool] = True
    scale = Scale("toy-1-10", 1, 10, accept_at=6)

    def review(self, paper: Paper, ctx: Context) -> Review | Failure:
        """Return a score from 1 to 10."""
        score = len(paper.text) % 10 + 1
        return Review(score >= 6, score, f"{len(paper.text)} characters")


@dataclass(frozen=True)
class ToyCoin(Agent):
    """Draws each score; refuses a share of the papers."""

    name: ClassVar[str] = "toy-coin"
    scale = Scale("toy-1-10", 1, 10, accept_at=6)
    refuse: float = option(0.0, help="The share of papers to refuse.", minimum=0, maximum=1)

    def review(self, paper: Paper, ctx: Context) -> Review | Failure:
        """Return a random score, or a refusal."""
        if ctx.rng.random() < self.refuse:
            return Failure("refusal", "not today")
        score = ctx.rng.randint(1, 10)
        return Review(score >= 6, score)


@dataclass(frozen=True)
class ToyScreen(Defense):
    """Removes every "few" from a paper; refuses papers that contain ``refuse``."""

    name: ClassVar[str] = "toy-screen"
    refuse: str = option("", help="A text that no paper may hold; empty refuses none.")

    def screen(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Failure:
        """Return one deletion for each word found."""
        if self.refuse and self.refuse in paper.text:
            return Failure("rejected", f"it holds {self.refuse!r}")
        return [Edit(at, at + 4, "") for at in _finds(paper.text, " few")]


@dataclass(frozen=True)
class ToyFlips(Metric):
    """Counts pairs, flips and failures of each agent."""

    name: ClassVar[str] = "toy-flips"

    def measure(self, records: Records) -> Table:
        """Return one row for each agent."""
        columns = [
            Column("agent", "Agent"),
            Column("pairs", "Pairs", "count"),
            Column("flips", "Flips", "count"),
            Column("failed", "Failed pairs", "count"),
        ]
        rows: list[Mapping[str, Cell]] = [
            {
                "agent": agent.name,
                "pairs": len(records.pairs(agent.name)),
                "flips": sum(bool(pair.flip) for pair in records.pairs(agent.name)),
                "failed": sum(pair.failed for pair in records.pairs(agent.name)),
            }
            for agent in records.agents
        ]
        return Table.of(self.name, "Flips", columns, rows)


@dataclass(frozen=True)
class ToyReport(Reporter):
    """Lists every table, and the text and edits of the first paper."""

    name: ClassVar[str] = "toy-report"

    def render(self, run: RunView) -> Mapping[str, str]:
        """Return one text file."""
        lines = [f"{run.name} {run.digest}"]
        for table in run.tables:
            lines += [table.title, *map(str, table.records())]
        if run.records.papers:
            lines.append(run.text_of(run.records.papers[0].id))
        return {"toy.txt": "\n".join(lines) + "\n"}

    def summary(self, files: Mapping[str, str]) -> str:
        """Return the first line of the report."""
        return files["toy.txt"].splitlines()[0]


@dataclass(frozen=True)
class ToyEmbedder(Embedder):
    """Unit vectors from character trigrams."""

    name: ClassVar[str] = "toy-embedder"

    def embed(self, texts: Sequence[str]) -> numpy.ndarray[Any, Any]:
        """Return float32 unit vectors, shape (len(texts), 64)."""
        return embed(texts)


def _finds(text: str, word: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + len(word))


@hookimpl
def register_corpora(register: Register) -> None:
    """Register the toy corpus."""
    register(ToyPapers)


@hookimpl
def register_perturbations(register: Register) -> None:
    """Register the toy perturbation."""
    register(ToyWords)


@hookimpl
def register_constraints(register: Register) -> None:
    """Register the toy constraint."""
    register(ToyLimit)


@hookimpl
def register_agents(register: Register) -> None:
    """Register the toy agents."""
    register(ToyLength)
    register(ToyCoin)


@hookimpl
def register_defenses(register: Register) -> None:
    """Register the toy defense."""
    register(ToyScreen)


@hookimpl
def register_metrics(register: Register) -> None:
    """Register the toy metric."""
    register(ToyFlips)


@hookimpl
def register_reporters(register: Register) -> None:
    """Register the toy report."""
    register(ToyReport)


@hookimpl
def register_embedders(register: Register) -> None:
    """Register the toy embedder."""
    register(ToyEmbedder)
