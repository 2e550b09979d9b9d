"""The records of a run: one dataclass for each file in ``records/``, one field for each column.

The JSON Lines hold every field, the CSV those that are not long texts. The documentation of the
columns is generated from here, and bundles are read back by the same classes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from revkit.model.attack import AttackOutcome, Phase
from revkit.model.columns import column, csv_columns
from revkit.model.consensus import consensus_of
from revkit.model.edits import Edit
from revkit.model.paper import Labels
from revkit.model.review import Failure, Review
from revkit.model.variant import Check, VariantOutcome

_PERTURBATION = "Your name of the perturbation; empty for the unchanged paper."
_INDEX = "Number of the variant of one paper, from 0."
_REPEAT = "Number of the review of one text, from 0."
_START = "First character of the original text that the edit replaces."
_END = "End of the replaced span: the first character after it."
_NEW = "The text that replaces the span."
_NOTE = "Why the edit was made, for a reader."
_KIND = "Kind of the edit, as its family names it; empty if the family names none."
_ABOUT = "Subject of the edit, such as the keys of the works that it cites."
_FAILURE = "Kind of the failure; empty for a valid answer."
_DETAIL = "The error; empty for a valid answer."
_RAW = "The unchanged reply, for a failure."


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
    index: int = column(_INDEX)
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
    index: int = column(_INDEX)
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
    index: int = column(_INDEX)
    name: str = column("Name of the gate or constraint.")
    value: float | None = column("The measured value, in `unit`.")
    limit: float | None = column("The limit, in `unit`.")
    passed: bool = column("Whether the variant passed.")
    unit: str = column("Unit of value and limit.")
    detail: str = column("Details for a reader.")


@dataclass(frozen=True, slots=True, kw_only=True)
class _AnswerTexts:
    """The fields of a review, a judgement or a score besides its numbers."""

    text: str = column("The review, or the reasons of a judgement.", csv=False)
    aspects: Mapping[str, Any] = column("Further scores by name.", csv=False)
    details: Mapping[str, Any] = column("Details that explain the answer.", csv=False)
    raw: str | None = column(_RAW, csv=False, sparse=True, default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _ScoredTexts(_AnswerTexts):
    """The same fields for records whose CSV contains only the score."""

    accept: bool | None = column("The verdict, if there is one.", csv=False)
    confidence: float | None = column("The confidence, if there is one.", csv=False)
    warnings: tuple[str, ...] = column("Warnings about this answer.", csv=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeRecord(_AnswerTexts):
    """Every review, and every failure to return one."""

    agent: str = column("Your name of the agent.")
    paper: str = column("Id of the paper.")
    perturbation: str = column(_PERTURBATION)
    index: int = column(_INDEX)
    repeat: int = column(_REPEAT)
    accept: bool | None = column("The verdict; empty if there is none.")
    score: float | None = column("The score on the agent's scale; empty if there is none.")
    confidence: float | None = column("The agent's confidence, if it states one.")
    failure: str = column(_FAILURE)
    detail: str | None = column(_DETAIL, sparse=True, default=None)
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
    perturbation: str = column(_PERTURBATION)
    index: int = column(_INDEX)
    repeat: int = column(_REPEAT)
    defense: str = column("Name of the defense.")
    start: int = column(_START)
    end: int = column(_END)
    new: str = column(_NEW)
    note: str = column(_NOTE)
    kind: str = column(_KIND, sparse=True, default="")
    about: tuple[str, ...] = column(_ABOUT, sparse=True, default=())


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgementRecord(_ScoredTexts):
    """Every judgement of a judge by a rubric, and every failure to return one."""

    judge: str = column("Your name of the judge.")
    rubric: str = column("Name of the rubric.")
    agent: str = column(
        "Your name of the agent whose review was judged; empty for a judged paper.",
        sparse=True,
        default="",
    )
    paper: str = column("Id of the paper.")
    perturbation: str = column(_PERTURBATION)
    index: int = column(_INDEX)
    repeat: int = column("Number of the judgement of one text, from 0.")
    score: float | None = column("The score on the rubric's scale; empty if there is none.")
    failure: str = column(_FAILURE)
    detail: str | None = column(_DETAIL, sparse=True, default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRecord(_ScoredTexts):
    """Every score of an anchor by an agent, and every failure to return one."""

    agent: str = column("Your name of the agent.")
    paper: str = column("Id of the anchor.")
    repeat: int = column(_REPEAT)
    score: float | None = column("The score on the agent's scale; empty if there is none.")
    failure: str = column(_FAILURE)
    detail: str | None = column(_DETAIL, sparse=True, default=None)


@dataclass(frozen=True, slots=True)
class ProbeRecord:
    """How far every agent that asks a language model reads the longest paper."""

    agent: str = column("Your name of the agent.")
    paper: str = column("Id of the paper.")
    basis: str = column(
        "How the range was measured: markers (words to repeat) or tokens (of the prompts)."
    )
    characters: int = column("Characters of the paper.")
    markers: tuple[str, ...] = column(
        "The marker words (start, middle, end) that the model repeated."
    )
    least: int | None = column("The agent reads at least to this character; empty: unknown.")
    most: int | None = column("The agent reads at most to this character; empty: unknown.")
    failure: str = column("Kind of the failure of the probe; empty if it was answered.")
    detail: str | None = column(_DETAIL, sparse=True, default=None)
    raw: str | None = column(_RAW, csv=False, sparse=True, default=None)


_UNITS = "Numbers of the units of edits, as in `units`."


@dataclass(frozen=True, slots=True)
class UnitRecord:
    """Every unit of edits that an attacker could choose."""

    paper: str = column("Id of the paper.")
    number: int = column("Number of the unit in the space of this paper, from 0.")
    arm: str = column("Your name of the perturbation that it comes from.")
    index: int = column(_INDEX)
    block: int = column("Number of the block of the paper in which its first edit lies.")
    edits: tuple[Edit, ...] = column("Its edits.", csv=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackRecord:
    """Every search: one strategy against one agent on one paper."""

    agent: str = column("Your name of the attacked agent.")
    strategy: str = column("Your name of the strategy.")
    paper: str = column("Id of the paper.")
    outcome: AttackOutcome = column(
        "success, unconfirmed, resisted, no-edits, unassessed, crashed, ineligible or "
        "no-clean-review."
    )
    units: int = column("Units of edits that the strategy could choose from.", default=0)
    queries: int = column("Reviews that the search asked for.", default=0)
    unreadable: int = column("Those of them without a usable reply.", default=0)
    gated: int = column("Proposals that a gate on the whole text refused.", default=0)
    success_at: int | None = column(
        "Number of the first query with the event, from 1; empty without one.", default=None
    )
    confirm_calls: int = column("Fresh reviews of the success.", default=0)
    confirm_met: int = column("Those of them with the event.", default=0)
    confirm_unreadable: int = column("Those of them without a usable reply.", default=0)
    edits: int | None = column("Edits of the successful set.", default=None)
    words: int | None = column("Words that it changes.", default=None)
    dose: float | None = column("These words over the words of the paper.", default=None)
    arms: tuple[str, ...] = column("The arms of its edits.", default=())
    found: tuple[int, ...] = column(_UNITS, csv=False, default=())
    prune_queries: int = column("Further reviews that looked for a smaller set.", default=0)
    smallest_edits: int | None = column("Edits of the smallest successful set.", default=None)
    smallest_words: int | None = column("Words that it changes.", default=None)
    smallest_dose: float | None = column("These words over the words of the paper.", default=None)
    smallest_arms: tuple[str, ...] = column("The arms of its edits.", default=())
    smallest: tuple[int, ...] = column(_UNITS, csv=False, default=())
    smallest_met: int = column("Fresh reviews of it with the event.", default=0)
    smallest_calls: int = column("Fresh reviews of it.", default=0)
    one_minimal: bool | None = column(
        "Whether no single unit of it can be left out; empty where the budget ended before.",
        default=None,
    )
    crashed_at: int | None = column("Number of the request that crashed.", default=None)
    detail: str = column("Why there is no result; empty where there is one.", default="")


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryRecord:
    """Every review that an attacker asked for."""

    agent: str = column("Your name of the attacked agent.")
    strategy: str = column("Your name of the strategy.")
    paper: str = column("Id of the paper.")
    number: int = column("Number of the request of one search, from 0.")
    phase: Phase = column("search, confirm, prune or confirm-smallest.")
    repeat: int = column(_REPEAT)
    units: tuple[int, ...] = column(_UNITS)
    accept: bool | None = column("The verdict; empty where there is none.")
    score: float | None = column("The score on the agent's scale; empty where there is none.")
    met: bool | None = column("Whether it is what the attacker wants; empty: unreadable.")
    failure: str = column(_FAILURE)
    digest: str = column("SHA-256 of title and text of the attacked paper.")
    detail: str | None = column(_DETAIL, sparse=True, default=None)
    raw: str | None = column(_RAW, csv=False, sparse=True, default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferRecord:
    """Every review of a set of edits that was successful against another agent."""

    target: str = column("Your name of the agent against which it was found.")
    agent: str = column("Your name of the agent that reviewed it.")
    paper: str = column("Id of the paper.")
    strategy: str = column("Your name of the strategy that found it.")
    units: tuple[int, ...] = column(_UNITS)
    eligible: bool | None = column(
        "Whether the event was possible for this agent; empty where its clean review failed."
    )
    accept: bool | None = column("The verdict; empty where there is none.")
    score: float | None = column("The score on the agent's scale; empty where there is none.")
    met: bool | None = column("Whether it is what the attacker wants; empty: unreadable.")
    failure: str = column(_FAILURE)
    detail: str | None = column(_DETAIL, sparse=True, default=None)
    raw: str | None = column(_RAW, csv=False, sparse=True, default=None)


@dataclass(frozen=True, slots=True)
class MapRecord:
    """Every map that was fitted to the anchors, or refused."""

    agent: str = column("Your name of the agent.")
    name: str = column("Your name of the map.")
    calibrator: str = column("Name of the calibrator.")
    refused: str = column("Why there is no map; empty if there is one.")
    curve: Any = column("The map.", csv=False)


RECORDS: Mapping[str, type] = {
    "papers": PaperRecord,
    "skipped": SkippedRecord,
    "variants": VariantRecord,
    "edits": EditRecord,
    "checks": CheckRecord,
    "outcomes": OutcomeRecord,
    "screens": ScreenRecord,
}
SAMPLED: Mapping[str, type] = {"undrawn": UndrawnRecord}
JUDGED: Mapping[str, type] = {"judgements": JudgementRecord}
PROBED: Mapping[str, type] = {"probes": ProbeRecord}
ATTACKED: Mapping[str, type] = {
    "units": UnitRecord,
    "attacks": AttackRecord,
    "queries": QueryRecord,
    "transfers": TransferRecord,
}
CALIBRATED: Mapping[str, type] = {
    "anchors": PaperRecord,
    "anchors-skipped": SkippedRecord,
    "scores": ScoreRecord,
    "maps": MapRecord,
}
# What says nothing about an anchor, whose consensus counts.
_NOT_OF_ANCHORS = ("accept", "decision", "quality")


def csv_columns_of(name: str) -> tuple[str, ...]:
    """Return the columns of ``records/NAME.csv``."""
    sections = (RECORDS, SAMPLED, JUDGED, ATTACKED, PROBED, CALIBRATED)
    columns = csv_columns(next(section[name] for section in sections if name in section))
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
