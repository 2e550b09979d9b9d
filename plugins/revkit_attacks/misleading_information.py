"""The perturbation `misleading-information`: plausible claims without any support."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import ClassVar, Literal

from revkit.contracts import Context, Perturbation
from revkit.dataclass import dataclass
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
    written,
)

TOPIC = "misleading-information"


@dataclass(frozen=True)
class MisleadingClaim:
    """A kind of claim: the statement, a sentence of the same form that claims nothing, and the
    sections in which such claims are usual."""

    statement: str
    benign: str
    roles: tuple[str, ...]


_RESULTS = ("results", "experiments", "discussion")
CLAIMS = (
    MisleadingClaim(
        "On the {name} benchmark our approach reaches {share}%, the best result published so far "
        "and {points} points above the previous record.",
        "We did not run our approach on the {name} benchmark, so we report no result on it.",
        _RESULTS,
    ),
    MisleadingClaim(
        "The {name} group repeated all our experiments independently and obtained the same values "
        "in {share}% of the cases.",
        "The {name} group collects repetitions of experiments and has not repeated ours.",
        _RESULTS,
    ),
    MisleadingClaim(
        "In the {name} trial, {count} experts preferred the output of our approach in {share}% of "
        "all comparisons.",
        "The {name} trial, in which experts compare outputs, does not include our approach.",
        _RESULTS,
    ),
    MisleadingClaim(
        "Since its release, our approach has been in daily use at {count} sites of the {name} "
        "network, where {share}% of the earlier errors no longer occur.",
        "We know of no use of our approach at the sites of the {name} network.",
        ("introduction", "conclusion", "discussion"),
    ),
    MisleadingClaim(
        "By the {name} bound, the error of our approach stays below that of every competitor with "
        "a probability of {share}% on any distribution.",
        "We do not use the {name} bound, so we state no guarantee of this form.",
        ("method", "introduction", "discussion"),
    ),
)
_HEADS = ("Vel", "Mar", "Cor", "Hal", "Bren", "Tal", "Ost", "Per", "Lund", "Ark")
_TAILS = ("orin", "etta", "vane", "mere", "wick", "essa", "holt", "adin", "gard", "elle")


@dataclass(frozen=True)
class MisleadingInformation(Perturbation):
    """Plant claims that are plausible and invented, such as a record on an unknown benchmark.

    The attack "disguised misleading information" of ReviewGrounder (Li et al., appendix A.2 and
    Table 6), which states neither wording nor number. All wordings are ours. Each claim names a
    benchmark, a group, a trial, a network or a bound that does not exist, and a number that occurs
    nowhere else in the paper, and no table supports it. Claims come into paragraphs of sections in
    which they are usual. A reviewer must not rely on them: the rubric `misleading-information`
    checks whether a review repeats, questions or ignores them.

    ``arm: benign`` plants sentences with the same invented names that claim nothing; ``placebo``
    plants neutral sentences of about the same length. The science of the paper does not change, and
    a careful reader may object to the claims, so a fair score stays or falls.
    """

    name: ClassVar[str] = "misleading-information"
    version: ClassVar[str] = "1"
    expect: ClassVar[Literal["may-lower"]] = "may-lower"

    count: int = option(2, help="Claims to plant.", minimum=1, maximum=len(CLAIMS))
    arm: Arm = option("attack", help="The claims, benign sentences of their form, or a placebo.")

    def perturb(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Rejection:
        """Return one insertion for each claim."""
        paragraphs, taken, edits = Paragraphs(paper), set[int](), []
        names, shares = _new_names(paper, ctx.rng), _new_shares(paper, ctx.rng)
        for claim in ctx.rng.sample(CLAIMS, self.count):
            gaps = choose_gaps(paragraphs, claim.roles, self.count, ctx.rng)
            if isinstance(gaps, str):
                return Rejection(gaps)
            place = next(gap for gap in gaps if gap not in taken)
            taken.add(place)
            edits.append(self._planted(paper, place, claim, names.pop(), shares.pop(), ctx.rng))
        return edits

    def _planted(
        self, paper: Paper, place: int, claim: MisleadingClaim, name: str, share: str, rng: Random
    ) -> Edit:
        values = {
            "name": name,
            "share": share,
            "points": f"{rng.randint(21, 68) / 10:.1f}",
            "count": str(rng.randint(23, 79)),
        }
        text = claim.statement.format(**values)
        if self.arm == "placebo":
            return insertion(place, neutral_text(len(text.split()), rng), "placebo", None)
        if self.arm == "benign":
            return insertion(place, claim.benign.format(**values), "benign", None)
        text = written(text, paper)
        return insertion(place, text, "invented claim", Planted(TOPIC, text, (name, share)))

    def gates(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Sequence[Check]:
        """Each sentence is there once, and nothing else changes."""
        return insertion_gates(paper, edits)


def _new_names(paper: Paper, rng: Random) -> list[str]:
    """Invented names that do not occur in the paper, in random order."""
    text = paper.text.casefold()
    names = [a + b for a in _HEADS for b in _TAILS if (a + b).casefold() not in text]
    return rng.sample(names, len(CLAIMS))


def _new_shares(paper: Paper, rng: Random) -> list[str]:
    """Numbers with one decimal that do not occur in the paper, in random order."""
    shares = [f"{tenths / 10:.1f}" for tenths in range(883, 984) if tenths % 10]
    return rng.sample([share for share in shares if share not in paper.text], len(CLAIMS))
