"""The rows of records that only some runs have: judgements, probes, attacks, anchors and maps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from revkit.dataclass import dataclass
from revkit.execution.record_rows import (
    DETAIL_HELP,
    FAILURE_HELP,
    INDEX_HELP,
    PERTURBATION_HELP,
    RAW_HELP,
    REPEAT_HELP,
    AnswerTexts,
)
from revkit.model.attack import AttackOutcome, Phase
from revkit.model.columns import column
from revkit.model.edits import Edit


@dataclass(frozen=True, slots=True, kw_only=True)
class _ScoredTexts(AnswerTexts):
    """The same fields for records whose CSV contains only the score."""

    accept: bool | None = column("The verdict, if there is one.", csv=False)
    confidence: float | None = column("The confidence, if there is one.", csv=False)
    warnings: tuple[str, ...] = column("Warnings about this answer.", csv=False)


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
    perturbation: str = column(PERTURBATION_HELP)
    index: int = column(INDEX_HELP)
    repeat: int = column("Number of the judgement of one text, from 0.")
    score: float | None = column("The score on the rubric's scale; empty if there is none.")
    failure: str = column(FAILURE_HELP)
    detail: str | None = column(DETAIL_HELP, sparse=True, default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRecord(_ScoredTexts):
    """Every score of an anchor by an agent, and every failure to return one."""

    agent: str = column("Your name of the agent.")
    paper: str = column("Id of the anchor.")
    repeat: int = column(REPEAT_HELP)
    score: float | None = column("The score on the agent's scale; empty if there is none.")
    failure: str = column(FAILURE_HELP)
    detail: str | None = column(DETAIL_HELP, sparse=True, default=None)


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
    detail: str | None = column(DETAIL_HELP, sparse=True, default=None)
    raw: str | None = column(RAW_HELP, csv=False, sparse=True, default=None)


_UNITS = "Numbers of the units of edits, as in `units`."


@dataclass(frozen=True, slots=True)
class UnitRecord:
    """Every unit of edits that an attacker could choose."""

    paper: str = column("Id of the paper.")
    number: int = column("Number of the unit in the space of this paper, from 0.")
    arm: str = column("Your name of the perturbation that it comes from.")
    index: int = column(INDEX_HELP)
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
    repeat: int = column(REPEAT_HELP)
    units: tuple[int, ...] = column(_UNITS)
    accept: bool | None = column("The verdict; empty where there is none.")
    score: float | None = column("The score on the agent's scale; empty where there is none.")
    met: bool | None = column("Whether it is what the attacker wants; empty: unreadable.")
    failure: str = column(FAILURE_HELP)
    digest: str = column("SHA-256 of title and text of the attacked paper.")
    detail: str | None = column(DETAIL_HELP, sparse=True, default=None)
    raw: str | None = column(RAW_HELP, csv=False, sparse=True, default=None)


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
    failure: str = column(FAILURE_HELP)
    detail: str | None = column(DETAIL_HELP, sparse=True, default=None)
    raw: str | None = column(RAW_HELP, csv=False, sparse=True, default=None)


@dataclass(frozen=True, slots=True)
class MapRecord:
    """Every map that was fitted to the anchors, or refused."""

    agent: str = column("Your name of the agent.")
    name: str = column("Your name of the map.")
    calibrator: str = column("Name of the calibrator.")
    refused: str = column("Why there is no map; empty if there is one.")
    synthetic_anchors: bool = column("Whether a program made the anchors and their severities.")
    curve: Any = column("The map.", csv=False)


SECTION_ROWS: Mapping[str, type] = {
    "judgements": JudgementRecord,
    "probes": ProbeRecord,
    "units": UnitRecord,
    "attacks": AttackRecord,
    "queries": QueryRecord,
    "transfers": TransferRecord,
    "scores": ScoreRecord,
    "maps": MapRecord,
}
