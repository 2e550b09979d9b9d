"""The kinds of evidence marks that are counted; each is a rubric for checking reviews.

They are the faults of ReviewGrounder's case study (Li et al. 2026, appendix F): quotations that the
paper does not hold (F.2), places that it does not have (F.2), reviewers who do not exist (F.3), and
what its rubric of false claims adds: what is called missing and is there (appendix D).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from revkit.contracts import Rubric
from revkit.contracts.component import inherited_name
from revkit.dataclass import dataclass
from revkit.model.criterion import Criterion
from revkit.model.values import Json, digest_of
from revkit_reviewground.checks import Certainty, Finding, Kind

FAMILY = "evidence"
RULES = (
    "revkit_reviewground:checks/missing-wordings.toml",
    "revkit_reviewground:checks/missing.toml",
    "revkit_reviewground:checks/common_names.txt",
)
"""The lists by which the checks find marks."""


@dataclass(frozen=True, slots=True)
class EvidenceMark:
    """One kind of mark: the rubric that counts it, what it is of, and how it is described."""

    rubric: str
    kind: Kind
    certainties: tuple[Certainty, ...]
    title: str
    description: str

    def of(self, findings: Iterable[Finding]) -> list[Finding]:
        """Return the marks of this kind in ``findings``."""
        return [
            each
            for each in findings
            if each.kind == self.kind and each.certainty in self.certainties
        ]


MARKS: tuple[EvidenceMark, ...] = (
    EvidenceMark("no-false-quotes", "quote", ("false",), "False quotes",
         "a quotation ascribed to the paper that it does not hold"),
    EvidenceMark("no-suspect-quotes", "quote", ("suspect",), "Suspect quotes",
         "words in quotation marks, ascribed to nobody, that the paper does not hold"),
    EvidenceMark("no-false-anchors", "anchor", ("false",), "False anchors",
         "a section, table, figure or equation that the paper does not have"),
    EvidenceMark("no-phantom-reviewers", "reviewer", ("false", "suspect"), "Phantom reviewers",
         "another reviewer, a chair or a reply that was not in the input"),
    EvidenceMark("no-false-absences", "missing", ("false", "suspect"), "False absences",
         "something called missing that the paper has"),
    EvidenceMark("no-false-comparisons", "comparison", ("false", "suspect"), "False comparisons",
         "a method that the paper is said to compare with and does not name"),
    EvidenceMark("no-foreign-numbers", "number", ("false", "suspect"), "Foreign numbers",
         "a result that is not in the paper, nor a difference or ratio of its numbers"),
)  # fmt: skip
BY_RUBRIC: Mapping[str, EvidenceMark] = {mark.rubric: mark for mark in MARKS}


class _EvidenceRubric(Rubric):
    """A rubric that a review passes (1) without a mark of its kind, and fails (0) with one."""

    data: ClassVar[tuple[str, ...]] = RULES

    @property
    def criterion(self) -> Criterion:
        """Two levels: 0 with a mark, 1 without."""
        mark = BY_RUBRIC[inherited_name(type(self), BY_RUBRIC)]
        return Criterion(
            mark.rubric,
            f"Is the review free of {mark.title.lower()}?",
            ((0, f"It has {mark.description}."), (1, "It has none.")),
            FAMILY,
            "Compare the review with the text of the paper.",
        )

    def identity(self) -> Json:
        """Return the digest of the criterion's content."""
        return digest_of(self.criterion.to_json())


@dataclass(frozen=True)
class NoFalseQuotes(_EvidenceRubric):
    """Whether a review contains no quotation that it ascribes to the paper and that the paper
    lacks.
    """

    name: ClassVar[str] = "no-false-quotes"
    version: ClassVar[str] = "1"


@dataclass(frozen=True)
class NoSuspectQuotes(_EvidenceRubric):
    """Whether a review contains no quotation without a source that the paper lacks."""

    name: ClassVar[str] = "no-suspect-quotes"
    version: ClassVar[str] = "1"


@dataclass(frozen=True)
class NoFalseAnchors(_EvidenceRubric):
    """Whether a review names only sections, tables, figures and equations that exist."""

    name: ClassVar[str] = "no-false-anchors"
    version: ClassVar[str] = "1"


@dataclass(frozen=True)
class NoPhantomReviewers(_EvidenceRubric):
    """Whether a review cites no other reviewer, chair or reply (ReviewGrounder, F.3)."""

    name: ClassVar[str] = "no-phantom-reviewers"
    version: ClassVar[str] = "1"


@dataclass(frozen=True)
class NoFalseAbsences(_EvidenceRubric):
    """Whether a review calls nothing missing that the paper contains."""

    name: ClassVar[str] = "no-false-absences"
    version: ClassVar[str] = "1"


@dataclass(frozen=True)
class NoFalseComparisons(_EvidenceRubric):
    """Whether a review claims only comparisons with methods that the paper names."""

    name: ClassVar[str] = "no-false-comparisons"
    version: ClassVar[str] = "1"


@dataclass(frozen=True)
class NoForeignNumbers(_EvidenceRubric):
    """Whether a review reports only numbers that the paper has, or that follow from them."""

    name: ClassVar[str] = "no-foreign-numbers"
    version: ClassVar[str] = "1"
