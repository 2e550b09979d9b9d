"""The defense `output-rule`: a score must follow from the weaknesses that the review lists."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Literal

from revkit.contracts import Context, Defense, Reviewing
from revkit.dataclass import dataclass
from revkit.model.paper import Paper
from revkit.model.review import Failure, Outcome, Review, Scale
from revkit.model.values import Json
from revkit.options import option

_HEADING = re.compile(
    r"^[#*_ \t]{0,8}(?P<name>[A-Za-z][A-Za-z ,&/-]{1,40}?)[*_ \t]{0,4}:?[*_ \t]{0,4}$"
)
_WEAKNESSES = re.compile(r"weakness|\bcons\b|concern|limitation|reasons? to reject", re.IGNORECASE)
_FIGURE = re.compile(
    r"^[*_ ]{0,4}(?:overall |final )?(?:rating|score|decision|confidence|recommendation|verdict"
    r"|soundness|presentation|contribution)\b[*_ ]{0,4}:",
    re.IGNORECASE,
)
_ITEM = re.compile(r"^[ \t]{0,8}(?:[-*•]|\(?\d{1,2}[.)])[ \t]+\S")
_NONE = re.compile(r"\W*(?:none|no (?:major )?weakness\w*|n/?a|nothing)\W*", re.IGNORECASE)


@dataclass(frozen=True)
class OutputRule(Defense):
    """Check that a favourable decision rests on a review that found something to criticise.

    Orders in papers ask for praise and for silence about weaknesses, and reviewers who were misled
    accept a paper in the same text that lists its faults (the conflict that "BadScientist", arXiv
    2510.18003, reports). Both can be checked without a model. An accepting review breaks the rule
    if its section of weaknesses lists fewer than ``least`` or more than ``most`` points.

    ``then: refuse`` returns a Failure of kind "rejected", for a person to decide; ``reject`` turns
    the decision, with the worst score; ``report`` adds a warning. A review without a section of
    weaknesses is a Failure of kind "schema": the rule cannot be checked.
    """

    name: ClassVar[str] = "output-rule"
    version: ClassVar[str] = "1"

    least: int = option(1, help="Least weaknesses of an accepting review.", minimum=0)
    most: int = option(10, help="Most weaknesses of an accepting review.", minimum=0)
    then: Literal["refuse", "reject", "report"] = option(
        "refuse", help="What becomes of a review that breaks the rule."
    )

    def guard(self, paper: Paper, review: Reviewing, ctx: Context) -> Outcome:
        """Review once, and apply the rule to an accepting review."""
        outcome = review(paper)
        if isinstance(outcome, Failure) or not outcome.accept:
            return outcome
        points = weaknesses(outcome.text)
        if points is None:
            detail = f"{self.name}: the review has no sections, so its weaknesses cannot be counted"
            return Failure("schema", detail, outcome.text)
        if self.least <= len(points) <= self.most:
            return outcome
        return self._broken(outcome, len(points), review.scale)

    def _broken(self, outcome: Review, count: int, scale: Scale) -> Outcome:
        what = f"accepts with {count} weaknesses (rule: {self.least} to {self.most})"
        if self.then == "refuse":
            return Failure("rejected", f"{self.name}: {what}", outcome.text)
        details: dict[str, Json] = {**outcome.details, "output-rule": what}
        found = replace(outcome, details=details, warnings=(*outcome.warnings, what))
        if self.then == "report":
            return found
        worst = scale.minimum if scale.higher_is_better else scale.maximum
        return replace(found, accept=False, score=None if outcome.score is None else worst)


def weaknesses(text: str) -> Sequence[str] | None:
    """The points in the section of weaknesses of a review; None where it has no sections.

    A review with sections of which none is on weaknesses lists none: forms leave out what is empty.
    Points are list items, or the lines of a section without a list. "None" does not count.
    """
    inside, seen, lines = False, False, []
    for line in text.splitlines():
        heading = _HEADING.match(line)
        if _FIGURE.match(line):
            inside = False
        elif heading is not None and not _ITEM.match(line):
            inside, seen = _WEAKNESSES.search(heading["name"]) is not None, True
        elif inside and line.strip():
            lines.append(line.strip())
    if not seen:
        return None
    items = [line for line in lines if _ITEM.match(line)] or lines
    return [item for item in items if not _NONE.fullmatch(_ITEM.sub("", item) or item)]
