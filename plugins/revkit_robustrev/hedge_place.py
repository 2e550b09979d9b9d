"""`Place`: a form of the lexicon within its sentence, as the edits of hedges see it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from revkit import Edit
from revkit_robustrev.articles import repaired
from revkit_robustrev.guards import Side, side_after, side_before, words
from revkit_robustrev.hedge_lexicon import Hedge

NEGATIONS = words("not cannot never no nor neither hardly n't without")
EVIDENCE = words(
    "results result numbers scores trends experiments experiment findings finding analysis"
    " analyses evidence observation observations study studies work works data ablation"
    " ablations simulation simulations theory evaluation evaluations comparison comparisons"
    " figure figures plot plots this which it literature research tests test measurements"
    " curves visualization"
)


@dataclass(frozen=True)
class Place:
    """A form of the lexicon at ``start:end`` in the sentence ``low:high`` of ``text``."""

    text: str
    low: int
    high: int
    start: int
    end: int
    hedge: Hedge

    @cached_property
    def before(self) -> Side:
        return side_before(self.text, self.low, self.start)

    @cached_property
    def after(self) -> Side:
        return side_after(self.text, self.end, self.high)

    @property
    def form(self) -> str:
        return self.text[self.start : self.end]

    @property
    def rest(self) -> str:
        """The sentence from the end of the form."""
        return self.text[self.end : self.high]

    def edit(self, start: int, end: int, new: str) -> Edit | None:
        """An edit with "a"/"an" repaired before it, or None where that cannot be done."""
        old = self.text[start:end]
        place = repaired(self.text, self.low, start, old, new) if new else (start, new)
        return Edit(place[0], end, place[1], self.hedge.action) if place else None
