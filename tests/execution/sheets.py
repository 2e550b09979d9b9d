"""Papers and variants for tests of runs that ask a language model: short, and no two alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from revkit.contracts import Context, Corpus, Perturbation
from revkit.model.edits import Edit
from revkit.model.paper import Labels, Paper
from revkit.options import option


@dataclass(frozen=True)
class Sheets(Corpus):
    """Short papers, each with another number in it."""

    name: ClassVar[str] = "sheets"
    papers_: int = option(1, help="How many papers.")

    def papers(self, ctx: Context) -> Iterator[Paper]:
        """Yield all papers."""
        for number in range(self.papers_):
            text = f"# Sheet {number}\n\nWe count {number} leaves and find as many.\n"
            yield Paper(f"s{number}", text, f"Sheet {number}", Labels(accept=number % 2 == 0))

    def count(self) -> int:
        """How many there are."""
        return self.papers_


@dataclass(frozen=True)
class Stamp(Perturbation):
    """Puts a drawn number at the end, so that no two variants are the same."""

    name: ClassVar[str] = "stamp"

    def perturb(self, paper: Paper, ctx: Context) -> list[Edit]:
        """Return the one edit."""
        at = len(paper.text)
        return [Edit(at, at, f"\nStamped {ctx.rng.getrandbits(64)}.\n")]
