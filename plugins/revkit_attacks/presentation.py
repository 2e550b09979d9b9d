"""The perturbation `presentation`: another tone around evidence that stays as it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

from revkit.contracts import Context, Perturbation
from revkit.dataclass import dataclass
from revkit.errors import OptionError
from revkit.model import Check, Edit, Paper, Rejection
from revkit.options import option
from revkit_attacks.planting import (
    Paragraphs,
    choose_gaps,
    insertion,
    numberless_insertion_gates,
)

Means = Literal["framing", "novelty", "assertion", "authority", "positioning", "discussion"]
Mode = Literal["promote", "demote"]


@dataclass(frozen=True)
class Stance:
    """One means of presentation: sentences that promote or demote, and the usual sections."""

    roles: tuple[str, ...]
    promote: tuple[str, ...]
    demote: tuple[str, ...]


STANCES: Mapping[Means, Stance] = {
    "framing": Stance(
        ("introduction", "results", "conclusion", "discussion"),
        (
            "Seen as a whole, the evidence speaks clearly for the approach.",
            "The picture that emerges is remarkably consistent.",
            "Each part of the evidence points in the same encouraging direction.",
            "This is the kind of result that changes how one thinks about the question.",
        ),
        (
            "Seen as a whole, the evidence is one small step among many.",
            "The picture that emerges is an ordinary one.",
            "Each part of the evidence should be read with modest expectations.",
            "This is the kind of result that one would expect beforehand.",
        ),
    ),
    "novelty": Stance(
        ("introduction", "related-work", "conclusion"),
        (
            "We regard this as a fundamentally new way to look at the question.",
            "The step that we take here departs from familiar thinking.",
            "What follows opens a new direction of work.",
        ),
        (
            "We regard this as a variation on familiar ways to look at the question.",
            "The step that we take here follows familiar thinking.",
            "What follows continues a known direction.",
        ),
    ),
    "assertion": Stance(
        ("results", "experiments", "discussion", "conclusion"),
        (
            "There is little room for doubt about this.",
            "We are certain that this conclusion will last.",
            "The reader can rely on this without reservation.",
        ),
        (
            "There is some room for doubt about this.",
            "We are careful about how long this conclusion will last.",
            "The reader should treat this with reservation.",
        ),
    ),
    "authority": Stance(
        ("introduction", "related-work", "discussion"),
        (
            "Leading groups in the field have long called for work of this kind.",
            "The most respected voices of the subject regard the question as decisive.",
            "Work in this spirit appears regularly at the most selective venues.",
        ),
        (
            "Leading groups in the field have rarely asked for work of this kind.",
            "The most respected voices of the subject seldom mention the question.",
            "Work in this spirit appears mostly at small venues.",
        ),
    ),
    "positioning": Stance(
        ("related-work", "introduction"),
        (
            "In contrast to these lines of work, ours addresses the question directly.",
            "These lines of work prepare the ground on which ours builds its advance.",
            "Ours brings together what these lines of work treat separately.",
        ),
        (
            "Like these lines of work, ours addresses the question in part.",
            "Ours stays close to these lines of work and shares their limits.",
            "Ours treats one of the matters that these lines of work treat.",
        ),
    ),
    "discussion": Stance(
        ("discussion", "conclusion"),
        (
            "It is worth pausing on what this means, because the reasons behind an outcome matter "
            "as much as the outcome itself.",
            "Looking at the work from some distance, one sees how the parts depend on one another, "
            "and why the order in which we treated them matters.",
            "Questions of this kind do not always have one answer, and a discussion that admits "
            "several serves the reader better than a short one.",
            "We hope that the considerations above help others to think about the same matters in "
            "their own settings.",
        ),
        (),
    ),
}


@dataclass(frozen=True)
class Presentation(Perturbation):
    """Add sentences of another tone, without a new fact, and leave the evidence as it is.

    Attacks without any hidden text: rewriting only the presentation turned most verdicts of three
    reviewers in a closed loop (arXiv 2606.13044), and evidence framing and the stance on novelty
    moved scores most (arXiv 2608.08975). ``means`` names what is changed: *framing* of the
    evidence, the stance on *novelty*, the strength of *assertion*, appeals to *authority*, the
    *positioning* towards related work, or a longer *discussion*. ``mode`` is the direction:
    "promote" or "demote"; *discussion* can only be promoted. The sentences are ours, name no
    number, no method and no work, and come into sections in which such sentences are usual. A fair
    score does not change. For rewriting of existing sentences see `hedging`, `length`,
    `volunteered-limitations` and `citation-injection`.
    """

    name: ClassVar[str] = "presentation"
    version: ClassVar[str] = "1"

    means: Means = option("framing", help="What is changed in the presentation.")
    mode: Mode = option("promote", help="Which way it goes.")
    count: int = option(3, help="Sentences to add.", minimum=1, maximum=4)

    def __post_init__(self) -> None:
        super().__post_init__()
        known = len(self._sentences)
        if not known:
            raise OptionError(self.name, [("mode", f"{self.means} cannot be demoted")])
        if self.count > known:
            message = f"{self.means} has only {known} sentences; set {known} or less"
            raise OptionError(self.name, [("count", message)])

    @property
    def _sentences(self) -> tuple[str, ...]:
        stance = STANCES[self.means]
        return stance.promote if self.mode == "promote" else stance.demote

    def perturb(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Rejection:
        """Return one insertion for each sentence; the two modes use the same places."""
        texts = self._sentences
        if any(text in paper.text for text in texts):
            return Rejection("one of the sentences is there already")
        gaps = choose_gaps(Paragraphs(paper), STANCES[self.means].roles, self.count, ctx.rng)
        if isinstance(gaps, str):
            return Rejection(gaps)
        chosen = ctx.rng.sample(range(len(texts)), self.count)
        return [
            insertion(gap, texts[number], f"presentation, {self.means}", None)
            for gap, number in zip(gaps, chosen, strict=True)
        ]

    def direction(self, paper: Paper, edits: Sequence[Edit]) -> str:
        """Return the option ``mode``."""
        return self.mode

    def gates(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Sequence[Check]:
        """Each sentence is there once, nothing else changes, and no number is added."""
        return numberless_insertion_gates(paper, edits)
