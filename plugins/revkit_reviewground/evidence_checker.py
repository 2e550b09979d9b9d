"""The judge `evidence-checker`: compares a review with the text of its paper."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import ClassVar

from revkit.contracts import Agent, Context, ServiceName
from revkit.dataclass import dataclass
from revkit.model.criterion import Criterion
from revkit.model.paper import Paper
from revkit.model.review import Failure, Outcome, Review, Scale
from revkit.model.values import Json
from revkit.options import option
from revkit.prompting import Sampling
from revkit_reviewground.absence_verifier import verified_absences
from revkit_reviewground.checks import Finding, Participant, check_review
from revkit_reviewground.evidence_marks import BY_RUBRIC

PASSES = Scale("evidence", 0.0, 1.0, values=(0.0, 1.0))
_NO_REVIEW = "checks reviews by rubrics and does not review papers; list it under 'judges'"
_NO_PAPER = "the text has no paper with which it could be compared: use the corpus reviews-of-run"
_RULES_OF_RUBRIC = "no-false-absences"


@dataclass(frozen=True)
class EvidenceChecker(Agent):
    """Checks with rules on text what a review states about its paper: 1 without a mark, 0 with one.

    One rubric for each kind of mark: `no-false-quotes`, `no-suspect-quotes`, `no-false-anchors`,
    `no-phantom-reviewers`, `no-false-absences`, `no-false-comparisons` and `no-foreign-numbers`. It
    judges the reviews of a finished run (`reviews-of-run` with ``checklists: meta``), of whatever
    agent, recorded reviews and those of people (`human`) included. The marks are in the judgement's
    ``details``, each with the words of the review and the place of the paper. Its answers need no
    model and are the same each time. The metric `review-evidence` computes the rates.

    With ``verifier``, a language model reads each sentence that denies something, next to the
    passages of the paper that are nearest to it; a mark is made only if the model quotes words that
    the paper holds. ``rules: false`` leaves the rules for missing things out.

    A review written in a discussion may cite it: ``present`` names who was in its input.
    """

    name: ClassVar[str] = "evidence-checker"
    version: ClassVar[str] = "2"
    data: ClassVar[tuple[str, ...]] = (
        "revkit_reviewground:checks/missing-wordings.toml",
        "revkit_reviewground:checks/missing.toml",
        "revkit_reviewground:checks/common_names.txt",
        "revkit_reviewground:prompts/absence.md",
        "revkit_reviewground:schemas/absence.schema.json",
        "revkit.english:negations.tsv",
        "revkit.english:stop-words.tsv",
    )
    uses: ClassVar[tuple[ServiceName, ...]] = ("llm",)
    scale: ClassVar[Scale] = PASSES
    cannot_see: ClassVar[str] = (
        "It compares words of the review with the text of the paper. It cannot see whether a "
        "criticism is good, nor what is only in a figure."
    )
    verifier: str = option(
        "", help="Model that checks claims of missing content: provider/model; empty: none."
    )
    rules: bool = option(True, help="Whether rules check claims of missing content.")
    present: tuple[Participant, ...] = option(
        (), help="Further participants in the input: reviewers, chair, authors."
    )
    max_tokens: int = option(
        512, help="Maximum length of a reply of the verifier in tokens.", minimum=1
    )

    def models(self) -> Sequence[str]:
        """The verifier's model, if there is one."""
        return (self.verifier,) if self.verifier else ()

    def review(self, paper: Paper, ctx: Context) -> Outcome:
        """Refuse to review: this agent only judges by rubrics."""
        return Failure("rejected", _NO_REVIEW)

    def judge(self, paper: Paper, criterion: Criterion, ctx: Context) -> Outcome:
        """Return 1 for a review without a mark of the rubric's kind, else 0, with the marks."""
        mark = BY_RUBRIC.get(criterion.name)
        source = next((each for each in paper.materials if each.role == "source"), None)
        if mark is None:
            return Failure("rejected", f"{criterion.name!r} is not an evidence rubric")
        if source is None:
            return Failure("rejected", _NO_PAPER)
        found = mark.of(_findings(source.title, source.text, paper.text, self.present))
        if criterion.name == _RULES_OF_RUBRIC:
            found = found if self.rules else []
            if self.verifier:
                more = self._verified(source.title, source.text, paper.text, ctx)
                if isinstance(more, Failure):
                    return more
                found += [each for each in more if not _overlaps(each, found)]
        marks: list[Json] = [each.to_json() for each in found]
        return Review(
            score=0.0 if found else 1.0,
            text=f"{len(found)} marks: {mark.title.lower()}.",
            details={"marks": marks},
        )

    def _verified(
        self, title: str, text: str, review: str, ctx: Context
    ) -> list[Finding] | Failure:
        sampling = Sampling(self.verifier, 0.0, self.max_tokens)
        paper = Paper("source", text, title)
        return verified_absences(paper, {"review": review}, ctx, sampling)


def _overlaps(one: Finding, others: Sequence[Finding]) -> bool:
    """Return whether one of ``others`` concerns words of the same sentence."""
    end = one.at + len(one.excerpt)
    return any(one.at <= each.at < end for each in others)


@functools.lru_cache(maxsize=8)
def _findings(
    title: str, text: str, review: str, present: tuple[Participant, ...]
) -> tuple[Finding, ...]:
    """Return the findings on one review, cached while one rubric after the other judges it."""
    return check_review(Paper("source", text, title), {"review": review}, present=present)
