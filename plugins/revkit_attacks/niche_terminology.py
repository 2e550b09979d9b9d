"""The perturbation `niche-terminology`: technical terms that nobody defined."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import ClassVar, Literal

from revkit.contracts import Context, Perturbation
from revkit.dataclass import dataclass
from revkit.english import capitalise
from revkit.model import Check, Edit, Paper, Rejection
from revkit.model.planted_statements import Planted
from revkit.options import option
from revkit_attacks.planting import (
    Arm,
    Paragraphs,
    choose_gaps,
    insertion,
    insertion_gates,
    neutral_text,
)

TOPIC = "niche-terminology"
_FIRST = (
    "quasi-laminar",
    "hypo-cyclic",
    "para-convex",
    "supra-modal",
    "ortho-sparse",
    "meta-axial",
)
_SECOND = ("drift", "torsion", "lattice", "flux", "phase", "cascade")
_THIRD = ("gating", "anchoring", "unrolling", "coupling", "levelling", "quenching")
# The first use of a term, its first use with a definition, and further uses.
_INTRODUCED = (
    "In every step we apply {term} to the inputs.",
    "All values that we report are obtained with {term}.",
    "Our approach relies on {term} throughout.",
)
_DEFINED = (
    "In every step we apply {term} to the inputs, by which we mean division by the largest entry.",
    "All values that we report are obtained with {term}, that is, rounded to the printed digits.",
    "Our approach relies on {term} throughout, which means that inputs are sorted by length first.",
)
_USED = (
    "{Term} is set to its usual constant here.",
    "Without {term} the settings could not be compared.",
    "We keep {term} fixed in this part.",
    "{Term} is what separates our approach from earlier work.",
)
MOST = 4


@dataclass(frozen=True)
class NicheTerminology(Perturbation):
    """Plant technical terms that do not exist, without a definition.

    The attack "niche terminology induction" of ReviewGrounder (Li et al., appendix A.2 and Table
    6), which states neither terms nor number. Each term consists of three words of a table of ours,
    does not occur in the paper, and comes ``uses`` times into different paragraphs. A reviewer
    must neither explain the term nor credit the paper with it: the rubric `niche-terminology`
    checks whether a review repeats, questions or ignores it.

    ``arm: benign`` defines each term where it first occurs; ``placebo`` plants neutral sentences of
    about the same length. The science of the paper does not change, and a careful reader may miss a
    definition, so a fair score stays or falls.
    """

    name: ClassVar[str] = "niche-terminology"
    version: ClassVar[str] = "1"
    expect: ClassVar[Literal["may-lower"]] = "may-lower"

    count: int = option(2, help="Terms to plant.", minimum=1, maximum=MOST)
    uses_: int = option(2, help="Sentences with each term.", minimum=1, maximum=MOST)
    arm: Arm = option("attack", help="Undefined terms, defined terms, or a placebo.")

    def perturb(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Rejection:
        """Return one insertion for each use of a term."""
        paragraphs = Paragraphs(paper)
        needed = self.count * self.uses_
        roles = ("method", "experiments", "results", "introduction", "discussion")
        gaps = choose_gaps(paragraphs, roles, needed, ctx.rng)
        if isinstance(gaps, str):
            return Rejection(gaps)
        edits: list[Edit] = []
        for number, term in enumerate(_new_terms(paper, self.count, ctx.rng)):
            own = sorted(gaps[number * self.uses_ : (number + 1) * self.uses_])
            edits += self._planted(term, own, ctx.rng)
        return edits

    def _planted(self, term: str, places: Sequence[int], rng: Random) -> list[Edit]:
        first = rng.randrange(len(_INTRODUCED))
        opening = (_DEFINED if self.arm == "benign" else _INTRODUCED)[first]
        forms = [opening, *rng.sample(_USED, len(places) - 1)]
        texts = [form.format(term=term, Term=capitalise(term)) for form in forms]
        if self.arm == "placebo":
            return [
                insertion(place, neutral_text(len(text.split()), rng), "placebo", None)
                for place, text in zip(places, texts, strict=True)
            ]
        planted = Planted(TOPIC, texts[0], (term,)) if self.arm == "attack" else None
        return [
            insertion(place, text, "invented term", planted)
            for place, text in zip(places, texts, strict=True)
        ]

    def units(self, paper: Paper, edits: Sequence[Edit]) -> Sequence[Sequence[Edit]]:
        """Return the uses of one term as one group."""
        groups: dict[tuple[str, ...], list[Edit]] = {}
        for number, edit in enumerate(edits):
            groups.setdefault(edit.about or (str(number),), []).append(edit)
        return list(groups.values())

    def gates(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Sequence[Check]:
        """Each sentence is there once, and nothing else changes."""
        return insertion_gates(paper, edits)


def _new_terms(paper: Paper, count: int, rng: Random) -> list[str]:
    """Terms that do not occur in the paper; no two have a word in common."""
    columns = (_FIRST, _SECOND, _THIRD)
    drawn = [rng.sample(column, len(column)) for column in columns]
    text = paper.text.casefold()
    terms = [" ".join(words) for words in zip(*drawn, strict=True)]
    return [term for term in terms if term not in text][:count]
