"""The contracts of components that provide or change papers: corpora, perturbations,
constraints.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import ClassVar

from revkit.contracts.component import Component
from revkit.contracts.context import Context
from revkit.model.edits import Edit
from revkit.model.pair_set import PairSet
from revkit.model.paper import Labels, Material, Paper, Skipped
from revkit.model.records import Expectation
from revkit.model.structure import Part
from revkit.model.variant import Check, Layout, Rejection


class Corpus(Component):
    """A source of papers.

    ``has_texts`` is false for a corpus whose papers represent texts that it does not have, such as
    a table of scores. Of other corpora, a paper without a word of prose is skipped.
    """

    has_texts: ClassVar[bool] = True

    @property
    def synthetic(self) -> bool:
        """Whether a program made its papers and their labels. Maps that are fitted on such papers
        show that calibration works, and nothing about people's scores; a run warns of them.
        """
        return False

    @abstractmethod
    def papers(self, ctx: Context) -> Iterable[Paper | Skipped]:
        """Yield papers one by one, and a `Skipped` for each record that is not loaded.

        The order is the corpus's own and stable. Nothing is dropped without a `Skipped`. A source
        that cannot be read at all raises `revkit.errors.RunError` with the path and the remedy.
        """

    def count(self) -> int | None:
        """Return how many records `papers` will yield, if this is cheap to find out; else None."""
        return None

    def most_papers(self) -> int | None:
        """Return how many papers `papers` will yield at most, for the plan of a run: `count`, less
        the records that are known to be skipped, such as files that the corpus cannot read.
        """
        return self.count()

    def judging_materials(self, labels: Labels) -> Sequence[Material]:
        """Return what a judge of a review reads besides the review and the paper with ``labels``:
        the paper's checklists (role "rubric"). No agent sees them. Default: nothing.
        """
        return ()


class Perturbation(Component):
    """A change to a paper with a known effect on a fair review.

    ``expect`` says what a fair score does: "invariant" (a flip is a fault), "may-lower" (the
    science stays, but a careful reader may notice the edits: a better score is a fault),
    "decrease" or "increase". ``target`` names the review aspect that should move, where there is
    one. ``needs`` lists the parts of a paper that it must see to leave them alone: a paper of which
    one of them was not recognised gives no variant (the gate "structure").
    """

    expect: ClassVar[Expectation] = "invariant"
    target: ClassVar[str] = ""
    needs: ClassVar[tuple[Part, ...]] = ()

    @abstractmethod
    def perturb(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Layout | Rejection:
        """Return the edits of ``paper.text`` that make the variant, or the reason why there is
        none; or the layout of a variant that has the same text.

        Edits must not overlap; an empty sequence counts as a rejection ("nothing to edit"). No
        constraint or gate is asked about a layout.
        """

    def direction(self, paper: Paper, edits: Sequence[Edit]) -> str:
        """Return the direction of a variant's edits, such as "add" or "remove".

        For families that draw it for each paper; metrics report each direction with its own n. ""
        where a family has one only.
        """
        return ""

    def units(self, paper: Paper, edits: Sequence[Edit]) -> Sequence[Sequence[Edit]]:
        """Return the edits of a variant in the groups that an attacker may choose from, each edit
        in one of them. Default: each edit alone.

        A family of which some edits only make sense together, such as a citation mark and the
        entry of its work, puts these into one group.
        """
        return [(edit,) for edit in edits]

    def pair_set(self) -> PairSet | None:
        """Return the published set that the variants come from, which result and reports of a run
        state. Default: none.
        """
        return None

    def gates(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Sequence[Check]:
        """Return this family's own checks of a variant; a failed check rejects the variant."""
        return ()


class Constraint(Component):
    """A condition that variants must meet, set on a perturbation with ``keep-if``."""

    @abstractmethod
    def check(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Check:
        """Check the variant ``paper.edited(edits)`` as a whole; a failed check rejects it."""

    def prune(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Sequence[Edit]:
        """Return the edits to keep, before `check` judges the remaining ones. Default: all."""
        return edits
