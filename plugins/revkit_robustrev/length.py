"""Length manipulation: change a paper to 70 % or to 130 % of its words."""

from __future__ import annotations

import math
import re
from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

from revkit.contracts import Context, Perturbation
from revkit.dataclass import dataclass
from revkit.errors import OptionError
from revkit.model import Check, Edit, Paper, Part, Rejection
from revkit.model.records import Expectation
from revkit.options import option
from revkit_robustrev.directions import PADDED
from revkit_robustrev.prose import refuse_other_language

if TYPE_CHECKING:
    from revkit_robustrev.length_compress import Aim

_DROPPED = "elaboration dropped"
_ADDED = "padding added"
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True)
class Resizing(Perturbation):
    """Bring a paper to a ratio of its words: the options and the draw that its families share."""

    needs: ClassVar[tuple[Part, ...]] = ("headings", "references")
    ratios: tuple[float, ...] = option(
        (0.7, 1.3),
        help="words after to words before; the first, in random order, that a paper can meet",
        minimum=0.3,
        maximum=3.0,
    )
    tolerance: float = option(
        0.05,
        help="greatest difference from the ratio, as a share; less than that of a ratio from 1",
        minimum=0.0,
        maximum=0.2,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.ratios:
            raise OptionError(self.name, [("ratios", "name at least one ratio")])
        if 1.0 in self.ratios:
            raise OptionError(self.name, [("ratios", "a ratio of 1 changes nothing")])
        if len(set(self.ratios)) < len(self.ratios):
            text = f"name each ratio once, not {', '.join(f'{each:g}' for each in self.ratios)}"
            raise OptionError(self.name, [("ratios", text)])
        near = [ratio for ratio in self.ratios if abs(ratio - 1.0) <= self.tolerance + 1e-9]
        if near and self._meets_ratio():
            text = (
                f"{near[0]:g} is within the tolerance ({self.tolerance:g}) of 1, so an unchanged "
                "paper would meet it; choose a ratio that is farther from 1, or a tolerance below "
                f"{abs(near[0] - 1.0):g}"
            )
            raise OptionError(self.name, [("ratios", text)])

    def _meets_ratio(self) -> bool:
        """Whether a variant must meet its ratio; otherwise the ratio only limits it."""
        return True

    def perturb(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Rejection:
        """Return edits that bring the paper to a drawn ratio, or why it meets none."""
        from revkit_robustrev.length_compress import Aim  # with all patterns

        words = paper.words
        if not words:
            return Rejection("no prose")
        if refusal := refuse_other_language(paper):
            return refusal
        reasons: list[str] = []
        for ratio in ctx.rng.sample(self.ratios, len(self.ratios)):
            share = abs(ratio - 1.0)
            aim = Aim(
                round(share * words),
                math.ceil((share - self.tolerance) * words - 1e-9),
                math.floor((share + self.tolerance) * words + 1e-9),
            )
            edits: Sequence[Edit] | Rejection
            if aim.words < 1:
                edits = Rejection("the paper is too short")
            elif ratio < 1.0:
                edits = self._shorten(paper, aim, ctx)
            else:
                edits = self._lengthen(paper, aim, ctx)
            if not isinstance(edits, Rejection):
                return edits
            reasons.append(f"{ratio:g}: {edits.reason}")
        return Rejection("; ".join(reasons))

    def direction(self, paper: Paper, edits: Sequence[Edit]) -> str:
        """Return "shorten" or "lengthen"."""
        growth = sum(len(edit.new) - (edit.end - edit.start) for edit in edits)
        return "lengthen" if growth > 0 else "shorten"

    @abstractmethod
    def _shorten(self, paper: Paper, aim: Aim, ctx: Context) -> Sequence[Edit] | Rejection:
        """Return edits that take as many words from the paper as ``aim`` says."""

    @abstractmethod
    def _lengthen(self, paper: Paper, aim: Aim, ctx: Context) -> Sequence[Edit] | Rejection:
        """Return edits that add as many words to the paper as ``aim`` says."""


@dataclass(frozen=True)
class Length(Resizing):
    """Shortens a paper by removing elaboration, or pads it, by words of prose.

    From *ROBUST-REV*, section 3: "Either compress to 70% length or expand to 130% by elaborating
    examples". Tables, formulas and references stay. Both directions can be noticed by a careful
    reader, so a fair score may get lower.

    Below a ratio of 1 ("shorten"), words that a sentence does not need go first (openers, wordy
    phrases, clauses that add nothing of weight), then whole sentences: examples, restatements,
    background and asides first, then description. Always kept are the abstract, list items, the
    last sentence left of a paragraph, the first one of a section, sentences with markup at their
    start, what reads as a definition, measured values, every number and pointer in sections that
    report results, and whatever its words show to be a claim, contribution, finding, comparison or
    limitation of the paper. (A finding in other words than those on the lists can go.) A
    sentence that the next one leans on ("This ...", "their work") goes only with it, and one that
    names something for the first time stays while a sentence near it uses the name. Of the
    sentences that may go, those without a sign that they would be missed go first. The share of
    citation markers that go is at most five points above that of the words. Few papers hold so much
    elaboration: of 102 real papers, 31 can be shortened to 70 %, all to 90 %; most cuts of whole
    sentences are faults at either ratio (docs/robust-rev.md). ``cuts: safe`` takes only words
    within sentences, roadmaps of the sections, and single sentences without such a sign that end a
    paragraph or lean on the sentence before. It makes the shortest variant that this allows: about
    3 % shorter, never a ratio of 0.7, and none below 2 %. Its dose is recorded. A ratio is then
    only the limit of the cuts, so ``ratios`` may not contain one above 1: padding to 1.3 and cuts
    of 3 % in one row of a table could not be compared.

    Above 1 ("pad"), sentences are added that walk once more through what has just been said ("To
    fix ideas, picture ..."): they name at most a noun phrase of the sentence before and bring no
    content. This is padding, not the elaboration that the seed asks for; `llm-length` elaborates.

    The ``ratios`` are put in a random order for each paper, and the first that can be met within
    ``tolerance`` is used: a paper with too little elaboration to shorten is padded where both are
    asked for (the direction of a variant states which way one went). A paper that meets none is
    rejected with the reason for each. Words are those of `Paper.words`.
    """

    name: ClassVar[str] = "length"
    version: ClassVar[str] = "7"
    expect: ClassVar[Expectation] = "may-lower"
    data: ClassVar[tuple[str, ...]] = (
        "elaborations.tsv",
        "trims.tsv",
        "pool.jsonl",
        "substitutions.tsv",
        "revkit.english:stop-words.tsv",
    )

    cuts: Literal["exact", "safe"] = option(
        "exact",
        help="Below a ratio of 1: exact meets the ratio or rejects the paper; safe takes only what"
        " a reader would hardly miss, and makes the shortest variant that this allows. With safe,"
        " ratios must be set, all below 1.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.cuts == "safe" and any(ratio > 1.0 for ratio in self.ratios):
            text = (
                "safe only shortens, so its variants cannot be pooled with padding; set ratios to "
                "values below 1 (ratios: [0.7]), and pad in a second family (ratios: [1.3])"
            )
            raise OptionError(self.name, [("cuts", text)])

    def _meets_ratio(self) -> bool:
        return self.cuts == "exact"

    def direction(self, paper: Paper, edits: Sequence[Edit]) -> str:
        """Return "shorten" or "pad"."""
        way = super().direction(paper, edits)
        return PADDED if way == "lengthen" else way

    def _shorten(self, paper: Paper, aim: Aim, ctx: Context) -> Sequence[Edit] | Rejection:
        from revkit_robustrev.length_compress import compress, compress_safely

        if self.cuts == "safe":
            return compress_safely(paper, aim, _DROPPED, ctx.rng)
        return compress(paper, aim, _DROPPED, ctx.rng)

    def _lengthen(self, paper: Paper, aim: Aim, ctx: Context) -> Sequence[Edit] | Rejection:
        from revkit_robustrev.length_expand import expand

        return expand(paper, aim, _ADDED, ctx.rng)

    def gates(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Sequence[Check]:
        """Check the ratio reached, that edits touch prose alone, and that no claim comes or
        goes."""
        from revkit_robustrev.elaboration import results_within

        before = paper.words
        after = paper.edited(edits).words
        ratio = after / before if before else 0.0
        target = min(self.ratios, key=lambda wanted: abs(wanted - ratio))
        safe = self.cuts == "safe" and min(self.ratios) - self.tolerance <= ratio < 1.0
        outside = sum(_touches_other(paper, edit) for edit in edits)
        changed = results_within(paper, [(e.start, e.end) for e in edits if e.end > e.start])
        changed += sum(bool(_DIGIT.search(edit.new)) for edit in edits)
        return [
            Check(
                "length-ratio",
                round(ratio, 6),
                self.tolerance,
                bool(before) and (safe or abs(ratio - target) <= self.tolerance + 1e-12),
                "words after / words before",
                f"target {target:g} ± {self.tolerance:g}; {before} -> {after} words",
            ),
            Check("edits-outside-prose", outside, 0, outside == 0, "edits"),
            Check("results-changed", changed, 0, changed == 0, "sentences"),
        ]


def _touches_other(paper: Paper, edit: Edit) -> bool:
    """Whether an edit reaches into a block that is not prose, or is between blocks."""
    blocks = paper.blocks
    place = bisect_right(blocks, edit.start, key=lambda block: block.start) - 1
    if edit.start == edit.end:
        return place < 0 or not (blocks[place].is_prose and edit.end <= blocks[place].end)
    for block in blocks[max(place, 0) :]:
        if block.start >= edit.end:
            break
        if block.end > edit.start and not block.is_prose:
            return True
    return False
