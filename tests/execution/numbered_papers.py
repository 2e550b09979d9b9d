"""A corpus of short numbered texts, and an agent's scale, for tests of the loop."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from revkit.contracts import Context, Corpus
from revkit.model.paper import Paper
from revkit.model.review import Scale
from revkit.options import option

TEN = Scale("ten", 1, 10, accept_at=6)


@dataclass(frozen=True)
class NumberedPapers(Corpus):
    """Papers p0, p1, ... with ``texts`` different texts, "Text 0." and so on, in turn."""

    name: ClassVar[str] = "numbered-papers"
    papers_: int = option(3, help="Number of papers.")
    texts: int = option(3, help="Number of different texts.")

    def papers(self, ctx: Context) -> Iterator[Paper]:
        for number in range(self.papers_):
            yield Paper(f"p{number}", f"# Paper\n\nText {number % self.texts} of several.\n")
