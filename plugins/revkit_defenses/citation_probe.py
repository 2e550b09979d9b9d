"""The defense `citation-probe`: does the decision rest on the references?"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Literal

from revkit.contracts import Context, Defense, Reviewing
from revkit.dataclass import dataclass
from revkit.model.paper import Paper
from revkit.model.review import Failure, Outcome, Scale
from revkit.model.values import Json
from revkit.options import option
from revkit_defenses.removal import edits_without

_WARNING = "the decision is another one without the reference list (citation-probe)"


@dataclass(frozen=True)
class CitationProbe(Defense):
    """Review the paper twice, with its references and without, and compare.

    Real references that were added are not found by asking whether they exist. But a reviewer whose
    score falls when they are gone counted them. Nobody but the attacker knows which ones were
    added, so all entries go, and their marks with them. Where the decision changes, ``then: lower``
    returns the worse of both outcomes, ``refuse`` a Failure for a person to decide, ``report`` adds
    a warning. The details of the review hold both scores. In an experiment, the pair of a paper and
    its variant of `citation-injection` is the same probe with the added entries alone.
    """

    name: ClassVar[str] = "citation-probe"
    version: ClassVar[str] = "1"

    then: Literal["report", "lower", "refuse"] = option(
        "report", help="What becomes of a review whose decision rests on the references."
    )

    def guard(self, paper: Paper, review: Reviewing, ctx: Context) -> Outcome:
        """Review the paper, and the paper without references."""
        outcome = review(paper)
        places = range(len(paper.references))
        edits = edits_without(paper, dict.fromkeys(places, "probe"))
        if isinstance(outcome, Failure) or not edits:
            return outcome
        without = review(paper.edited(edits))
        if isinstance(without, Failure):
            return Failure(without.kind, f"{self.name}: {without.detail}", without.raw)
        found: dict[str, Json] = {"score": outcome.score, "score-without": without.score}
        found["accept"], found["accept-without"] = outcome.accept, without.accept
        details: dict[str, Json] = {**outcome.details, self.name: found}
        if outcome.accept == without.accept:
            return replace(outcome, details=details)
        if self.then == "refuse":
            return Failure("rejected", f"{self.name}: {_WARNING}", outcome.text)
        warnings = (*outcome.warnings, _WARNING)
        if self.then == "report":
            return replace(outcome, details=details, warnings=warnings)
        score = _worse(outcome.score, without.score, review.scale)
        accept = outcome.accept and without.accept
        return replace(outcome, accept=accept, score=score, details=details, warnings=warnings)


def _worse(one: float | None, other: float | None, scale: Scale) -> float | None:
    if one is None or other is None:
        return None
    return min(one, other) if scale.higher_is_better else max(one, other)
