"""`Hedging`: remove hedges from the claims of a paper, or add them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import ClassVar, Literal

from revkit import Check, Context, Edit, Paper, Perturbation, Rejection, Sentence, option
from revkit.model.edits import apply_edits
from revkit.model.records import Expectation
from revkit.model.structure import Part
from revkit_robustrev.changed_sentences import changed_sentences, unchanged_checks
from revkit_robustrev.hedge_addition import add_hedge, allowed_in
from revkit_robustrev.hedge_lexicon import count_hedges, lexicon
from revkit_robustrev.hedge_limits import OwnClaims, beyond_doubt, left_open
from revkit_robustrev.hedge_place import HedgePlace
from revkit_robustrev.hedge_removal import remove_hedge
from revkit_robustrev.prose import Prose

Direction = Literal["remove", "add"]


@dataclass(frozen=True)
class HedgeOptions(Perturbation):
    """What the families of hedges share: what to do with hedges, and to how many sentences."""

    needs: ClassVar[tuple[Part, ...]] = ("headings", "references")
    mode: Literal["remove", "add", "either"] = option(
        "either",
        help="What to do with hedges; either: drawn for each paper, and the other one where the"
        " drawn one changes nothing.",
    )
    share: float = option(
        1.0, help="Share of the sentences that can be edited that are.", minimum=0, maximum=1
    )

    def directions(self, rng: Random) -> list[Direction]:
        """What to try, in order."""
        directions: list[Direction] = ["remove", "add"]
        if self.mode != "either":
            return [self.mode]
        rng.shuffle(directions)
        return directions

    def direction(self, paper: Paper, edits: Sequence[Edit]) -> str:
        """Return "remove" or "add", which every edit of a variant has as its kind."""
        return edits[0].kind if edits else ""


@dataclass(frozen=True)
class Hedging(HedgeOptions):
    """Remove or add hedges (ROBUST-REV, section 3, family 3), with a grammatical result.

    Remove: "may improve" becomes "improves" with the number of its subject, or "can improve" where
    the number is not clear or a case is meant; "appears to be" becomes "is", "possibly" goes with
    its commas, "It is likely that X" becomes "X". Add: "is" becomes "appears to be", "improves"
    becomes "may improve", "the results show that" becomes "the results suggest that".
    ``hedge-edits.tsv`` in this package lists every form, its class and its treatment.

    Left alone are questions, quotations, examples, protected spans, names and months; "could"
    (ability as often as possibility); permissions, conditions, hopes; theorems and their
    surroundings, mathematics, definitions and what is said to be certain; the design and the intent
    of the paper; and every place whose grammar is in doubt: a missed edit costs little, a false one
    spoils the pair. Statements of the world take a hedge only in sections that speak of the world
    (introduction, related work, discussion, conclusion): elsewhere they are measured or designed.
    Removing takes every hedge that it can from a sentence, adding puts one into it.
    """

    name: ClassVar[str] = "hedging"
    version: ClassVar[str] = "7"
    expect: ClassVar[Expectation] = "may-lower"
    data: ClassVar[tuple[str, ...]] = (
        "hedge-edits.tsv",
        "substitutions.tsv",
        "revkit.english:hedges.tsv",
        "revkit.english:negations.tsv",
    )

    def perturb(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Rejection:
        """Return the edits of the sentences drawn, or why there are none."""
        directions = self.directions(ctx.rng)
        for direction in directions:
            edits = self._edits(paper, direction, ctx.rng)
            if edits:
                return edits
        return Rejection(f"nothing to edit ({', '.join(directions)})")

    def gates(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Sequence[Check]:
        """The number of hedges moved the right way; numbers and citations are as before."""
        changed, _ = changed_sentences(paper, edits)
        added = sum(count_hedges(run.new) - count_hedges(run.old) for run in changed)
        adding = self.direction(paper, edits) == "add"
        name, value = ("hedges-added", added) if adding else ("hedges-removed", -added)
        return [
            Check(name, float(value), 1.0, value >= 1, "count"),
            *unchanged_checks(paper, edits),
        ]

    def _edits(self, paper: Paper, direction: Direction, rng: Random) -> list[Edit]:
        prose, own = Prose(paper), OwnClaims(paper)
        found = [
            edits
            for sentence in paper.sentences
            if (edits := _sentence_edits(prose, own, sentence, direction, rng))
        ]
        wanted = round(self.share * len(found))
        if wanted < len(found):
            found = [found[index] for index in sorted(rng.sample(range(len(found)), wanted))]
        return [replace(edit, kind=direction) for edits in found for edit in edits]


def _sentence_edits(
    prose: Prose, own: OwnClaims, sentence: Sentence, direction: Direction, rng: Random
) -> list[Edit]:
    words = lexicon()
    removing = direction == "remove"
    pattern = words.removal_pattern if removing else words.addition_pattern
    hits = list(pattern.finditer(prose.text, sentence.start, sentence.end))
    if (
        not hits
        or not prose.editable(sentence)
        or "?" in prose.text[sentence.end - 3 : sentence.end]
    ):
        return []
    if not removing:
        rng.shuffle(hits)
    rows = words.removal if removing else words.addition
    section = prose.paper.blocks[sentence.block].section
    edits: list[Edit] = []
    for hit in hits:
        hedge = rows[hit[0].lower().replace("\n", " ")]
        place = HedgePlace(prose.text, sentence.start, sentence.end, *hit.span(), hedge)
        if not removing and not allowed_in(section, hedge.action):
            continue
        edit = remove_hedge(place) if removing else add_hedge(place)
        if edit is None or prose.blocked(sentence, edit.start, max(edit.end, hit.end())):
            continue
        if all(edit.end <= other.start or edit.start >= other.end for other in edits):
            edits.append(edit)
            if not removing:
                break
    if not edits or not own.holds(sentence):
        return []
    if settled(prose.text, sentence) if not removing else _half_done(prose.text, sentence, edits):
        return []
    return sorted(edits)


# A doubt that stays beside one that went: "and might make", "perhaps".
_DOUBT = re.compile(r"\b(?:may|might|perhaps|possibly|probably|presumably)\b")


def _half_done(text: str, sentence: Sentence, edits: Sequence[Edit]) -> bool:
    """Whether a doubt would stay in the sentence, or it says that its matter is open."""
    low = sentence.start
    moved = [replace(edit, start=edit.start - low, end=edit.end - low) for edit in edits]
    after = apply_edits(text[low : sentence.end], moved)
    return _DOUBT.search(after) is not None or left_open(text, low, sentence.end)


def settled(text: str, sentence: Sentence) -> bool:
    """Whether a sentence takes no hedge: it has one, allows none, or leads to a list or formula."""
    low, high = sentence.start, sentence.end
    return (
        text[low:high].rstrip().endswith(":")
        or lexicon().counting_pattern.search(text, low, high) is not None
        or beyond_doubt(text, low, high)
    )
