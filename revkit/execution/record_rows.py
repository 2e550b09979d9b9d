"""The records of a run: one dataclass for each file in ``records/``, one field for each column.

The JSON Lines hold every field, the CSV those that are not long texts. The documentation of the
columns is generated from here, and bundles are read back by the same classes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from revkit.dataclass import dataclass
from revkit.model.columns import column, csv_columns
from revkit.model.consensus import consensus_of
from revkit.model.edits import Edit
from revkit.model.paper import Labels
from revkit.model.review import Failure, Review
from revkit.model.variant import Check, VariantOutcome

PERTURBATION_HELP = "Your name of the perturbation; empty for the unchanged paper."
INDEX_HELP = "Number of the variant of one paper, from 0."
REPEAT_HELP = "Number of the review of one text, from 0."
_START = "First character of the original text that the edit replaces."
_END = "End of the replaced span: the first character after it."
_NEW = "The text that replaces the span."
_NOTE = "Why the edit was made, for a reader."
_KIND = "Kind of the edit, as its family names it; empty if the family names none."
_ABOUT = "Subject of the edit, such as the keys of the works that it cites."
FAILURE_HELP = "Kind of the failure; empty for a valid answer."
DETAIL_HELP = "The error; empty for a valid answer."
RAW_HELP = "The unchanged reply, for a failure."


@dataclass(frozen=True, slots=True)
class PaperRecord:
    """Every paper, with its human ratings and decision."""

    id: str = column("Id of the paper in its corpus.")
    title: str = column("Its title.")
    words: int = column("Words of prose.")
    accept: bool | None = column("Whether the venue accepted the paper.")
    decision: str = column("The decision in the words of the source.")
    ratings: tuple[float, ...] = column("The human scores, on `rating_scale`.")
    rating_scale: str = column("Name of the scale of the ratings.")
    form: str = column(
        "Review form whose scale has known ends; (assumed): the ends have no source."
    )
    consensus: float | None = column("Severity 0-100 of the mean rating, or as stated.")
    consensus_se: float | None = column("Standard error of the consensus, if known.")
    severity: float | None = column("Severity from 0 (no flaw) to 100 (reject), if stated.")
    tier: str = column("Tier of severity, if stated.")
    topic: str = column("Its topic.")
    quality: float | None = column("Latent quality of a generated paper.")
    notes: tuple[str, ...] = column("Repairs and omissions of the loader.")
    digest: str = column("SHA-256 of title and text.")
    confidences: tuple[float | None, ...] = column("Confidences of the ratings.", csv=False)
    extra: Mapping[str, Any] = column("Further labels of the corpus.", csv=False)
    scale: Mapping[str, Any] | None = column("The scale of the ratings.", csv=False)
    severity_se: float | None = column("Standard error of the stated severity.", csv=False)
    unmapped: tuple[Any, ...] = column("Wordings of labels without a known meaning.", csv=False)
    left_out: tuple[str, ...] = column("The notes on parts that could not be used.", csv=False)
    source: str = column("Where the paper came from.", csv=False)
    text: str = column("The whole text.", csv=False)
    materials: tuple[Any, ...] = column(
        "The sources from which the text was written, if any.", csv=False, sparse=True, default=()
    )
    hidden_notes: tuple[str, ...] = column(
        "The notes on text that a reader does not see.", csv=False, sparse=True, default=()
    )
    file: Mapping[str, Any] | None = column(
        "Format and SHA-256 of the file that agents may get unchanged.",
        csv=False,
        sparse=True,
        default=None,
    )
    reviews_digest: str = column(
        "SHA-256 of the human reviews, if an agent read them.",
        csv=False,
        sparse=True,
        default="",
    )
    structure: float | None = column(
        "Structure score of the text, 0-1: the mean of the parts below.", default=None
    )
    has_title: bool | None = column("Whether a title was found.", default=None)
    has_abstract: bool | None = column("Whether an abstract was found.", default=None)
    headings: int | None = column("Headings below the title.", default=None)
    references: int | None = column("Entries of the reference list.", default=None)
    works_cited: int | None = column("Works that citation markers name.", default=None)
    works_matched: int | None = column(
        "Cited works that are entries of the reference list.", default=None
    )
    known_text: float | None = column(
        "Share 0-1 of the words in blocks of a known kind.", default=None
    )
    repairs: int | None = column("Notes of the loader: repairs and parts left out.", default=None)
    unread: tuple[str, ...] = column(
        "Expected parts (for a text of this length) that were not recognised.", default=()
    )
    leaks: tuple[str, ...] = column(
        "Signs that the text contains its own reviews: ratings, a decision and so on.", default=()
    )


@dataclass(frozen=True, slots=True)
class SkippedRecord:
    """Every record of a corpus that did not become a paper."""

    id: str = column("Id of the record, if it has one.")
    reason: str = column("Why the record was skipped.")
    source: str = column("Place of the record in its source.")


@dataclass(frozen=True, slots=True)
class UndrawnRecord:
    """Every paper of the corpus that the sample left out."""

    id: str = column("Id of the paper.")
    stratum: str = column("Its stratum: the decision, topic or tier; empty without strata.")
    source: str = column("Place of the paper in its source.")


@dataclass(frozen=True, slots=True)
class VariantRecord:
    """Every variant, made or not."""

    paper: str = column("Id of the paper.")
    perturbation: str = column("Your name of the perturbation.")
    index: int = column(INDEX_HELP)
    rejected: str = column("Why there is no variant, in words; empty if it was made.")
    edits: tuple[Edit, ...] = column("Its edits.")
    dropped: int = column("Edits that a constraint removed.")
    digest: str = column("SHA-256 of title and text of the variant; empty if none was made.")
    outcome: VariantOutcome = column("made, declined, gate or crashed.")
    gate: str = column("The gate or constraint that rejected the variant.")
    direction: str = column(
        "Direction of the edits, such as add or remove; empty if the family has only one direction."
    )
    words_changed: int = column(
        "Words that the edits insert, delete or replace; a replaced word counts once."
    )
    words_moved: int = column("Words that only move within their sentence; counted separately.")
    dose: float | None = column("Words changed over the words of prose of the paper.")
    sentences: float | None = column(
        "Sentences changed, removed or inserted over the sentences of the paper."
    )
    distance: float | None = column(
        "Mean embedding distance over the sentences of the paper; empty if no check measured it."
    )
    checks: tuple[Check, ...] = column("Its checks.", csv=False)
    layout: str = column(
        "Layout of the file that agents get, if the variant differs in it alone.",
        csv=False,
        sparse=True,
        default="",
    )


@dataclass(frozen=True, slots=True)
class EditRecord:
    """Every edit of a variant."""

    paper: str = column("Id of the paper.")
    perturbation: str = column("Your name of the perturbation.")
    index: int = column(INDEX_HELP)
    start: int = column(_START)
    end: int = column(_END)
    old: str = column("The text before the edit.")
    new: str = column(_NEW)
    note: str = column(_NOTE)
    kind: str = column(_KIND, sparse=True, default="")
    about: tuple[str, ...] = column(_ABOUT, sparse=True, default=())


@dataclass(frozen=True, slots=True)
class CheckRecord:
    """Every check of a variant."""

    paper: str = column("Id of the paper.")
    perturbation: str = column("Your name of the perturbation.")
    index: int = column(INDEX_HELP)
    name: str = column("Name of the gate or constraint.")
    value: float | None = column("The measured value, in `unit`.")
    limit: float | None = column("The limit, in `unit`.")
    passed: bool = column("Whether the variant passed.")
    unit: str = column("Unit of value and limit.")
    detail: str = column("Details for a reader.")


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerTexts:
    """The fields of a review, a judgement or a score besides its numbers."""

    text: str = column("The review, or the reasons of a judgement.", csv=False)
    aspects: Mapping[str, Any] = column("Further scores by name.", csv=False)
    details: Mapping[str, Any] = column("Details that explain the answer.", csv=False)
    raw: str | None = column(RAW_HELP, csv=False, sparse=True, default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeRecord(AnswerTexts):
    """Every review, and every failure to return one."""

    agent: str = column("Your name of the agent.")
    paper: str = column("Id of the paper.")
    perturbation: str = column(PERTURBATION_HELP)
    index: int = column(INDEX_HELP)
    repeat: int = column(REPEAT_HELP)
    accept: bool | None = column("The verdict; empty if there is none.")
    score: float | None = column("The score on the agent's scale; empty if there is none.")
    confidence: float | None = column("The agent's confidence, if it states one.")
    failure: str = column(FAILURE_HELP)
    detail: str | None = column(DETAIL_HELP, sparse=True, default=None)
    warnings: tuple[str, ...] = column("Warnings of the agent about this review.")
    common: float | None = column(
        "Severity 0-100 by the agent's map, if it has one.",
        csv=False,
        sparse=True,
        default=None,
    )
    extrapolated: bool | None = column(
        "Whether the score lies outside the range of the map's anchors.",
        csv=False,
        sparse=True,
        default=None,
    )
    asked: int = column(
        "How often the agent was asked for this outcome; absent where once.",
        csv=False,
        sparse=True,
        default=1,
    )
    certified: int | None = column(
        "Parts of the paper that an attacker may control without changing the verdict, as proved.",
        csv=False,
        sparse=True,
        default=None,
    )


@dataclass(frozen=True, slots=True)
class ScreenRecord:
    """Every edit that a defense made before its agent saw the paper."""

    agent: str = column("Your name of the agent.")
    paper: str = column("Id of the paper.")
    perturbation: str = column(PERTURBATION_HELP)
    index: int = column(INDEX_HELP)
    repeat: int = column(REPEAT_HELP)
    defense: str = column("Name of the defense.")
    start: int = column(_START)
    end: int = column(_END)
    new: str = column(_NEW)
    note: str = column(_NOTE)
    kind: str = column(_KIND, sparse=True, default="")
    about: tuple[str, ...] = column(_ABOUT, sparse=True, default=())


RECORDS = ("papers", "skipped", "variants", "edits", "checks", "outcomes", "screens")
SAMPLED = ("undrawn",)
JUDGED = ("judgements",)
PROBED = ("probes",)
ATTACKED = ("units", "attacks", "queries", "transfers")
CALIBRATED = ("anchors", "anchors-skipped", "scores", "maps")
_ROWS: Mapping[str, type] = {
    "papers": PaperRecord,
    "skipped": SkippedRecord,
    "undrawn": UndrawnRecord,
    "variants": VariantRecord,
    "edits": EditRecord,
    "checks": CheckRecord,
    "outcomes": OutcomeRecord,
    "screens": ScreenRecord,
    "anchors": PaperRecord,
    "anchors-skipped": SkippedRecord,
}
# What says nothing about an anchor, whose consensus counts.
_NOT_OF_ANCHORS = ("accept", "decision", "quality")


def row_class(name: str) -> type:
    """Return the class of the rows in ``records/NAME.jsonl``."""
    if name in _ROWS:
        return _ROWS[name]
    from revkit.execution.section_rows import SECTION_ROWS  # few runs have these

    return SECTION_ROWS[name]


def csv_columns_of(name: str) -> tuple[str, ...]:
    """Return the columns of ``records/NAME.csv``."""
    columns = csv_columns(row_class(name))
    if name != "anchors":
        return columns
    return tuple(column for column in columns if column not in _NOT_OF_ANCHORS)


def agreement(labels: Labels) -> dict[str, Any]:
    """Return the columns of `PaperRecord` on the consensus of reviewers."""
    consensus = consensus_of(labels)
    return {
        "form": "" if labels.scale is None else labels.scale.label,
        "consensus": None if consensus is None else consensus.severity,
        "consensus_se": None if consensus is None else consensus.error,
    }


def answer_columns(outcome: Review | Failure) -> dict[str, Any]:
    """Return the columns of a review or a failure, as in `OutcomeRecord` and similar records."""
    review = outcome if isinstance(outcome, Review) else Review()
    columns: dict[str, Any] = {
        "accept": review.accept,
        "score": review.score,
        "confidence": review.confidence,
        "text": review.text,
        "aspects": review.aspects,
        "details": review.details,
        "warnings": review.warnings,
        "failure": "",
    }
    if isinstance(outcome, Failure):
        columns |= {"failure": outcome.kind, "detail": outcome.detail, "raw": outcome.raw}
    return columns


def outcome_in(row: Mapping[str, Any]) -> Review | Failure:
    """Return the review or the failure in a row of outcomes."""
    if row["failure"]:
        return Failure(row["failure"], row.get("detail") or "", row.get("raw") or "")
    return Review(
        accept=row["accept"],
        score=row["score"],
        confidence=row.get("confidence"),
        text=row.get("text") or "",
        aspects=row.get("aspects") or {},
        details=row.get("details") or {},
        warnings=tuple(row.get("warnings") or ()),
        certified=row.get("certified"),
    )


def failure_in(row: Mapping[str, Any]) -> Failure | None:
    """Return the failure in a row of outcomes, judgements or scores; None for an answer."""
    return Failure(row["failure"], row["detail"], row["raw"]) if row["failure"] else None
