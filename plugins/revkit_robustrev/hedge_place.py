"""`HedgePlace`: a form of the lexicon within its sentence, as the edits of hedges see it."""

from __future__ import annotations

import re
from functools import cached_property

from revkit import Edit, english
from revkit.dataclass import dataclass
from revkit.english import repair_article
from revkit_robustrev.guards import Side, side_after, side_before, words
from revkit_robustrev.hedge_lexicon import Hedge

NEGATIONS = english.negations("place")
EVIDENCE = words(
    "results result numbers scores trends experiments experiment findings finding analysis"
    " analyses evidence observation observations study studies work works data ablation"
    " ablations simulation simulations theory evaluation evaluations comparison comparisons"
    " figure figures plot plots this which it literature research tests test measurements"
    " curves visualization"
)

_PEOPLE = words("we they i authors author et al. researchers who reviewers")
_PLURAL_EVIDENCE = words(
    "results experiments findings numbers observations scores ablations tests data studies analyses"
    " works simulations measurements curves plots figures comparisons evaluations trends"
)
_PLURAL_REPORTS = words("suggest indicate show demonstrate confirm reveal establish")


@dataclass(frozen=True)
class HedgePlace:
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
        place = repair_article(self.text, self.low, start, old, new) if new else (start, new)
        return Edit(place[0], end, place[1], self.hedge.action) if place else None


def from_evidence(place: HedgePlace) -> bool:
    """Whether the clause begins with evidence: "The results on both datasets suggest that"."""
    clause = re.split(r"[,;:]", place.text[max(place.low, place.start - 90) : place.start])[-1]
    opening = clause.lower().split()[:9]
    plural = place.form.split()[0] in _PLURAL_REPORTS
    wanted = _PLURAL_EVIDENCE if plural else EVIDENCE - _PLURAL_EVIDENCE | {"data"}
    return (
        place.before.mark == ""
        and not wanted.isdisjoint(opening[:3])
        and _PEOPLE.isdisjoint(opening)
        and "that" not in opening
        and "which" not in opening
    )
