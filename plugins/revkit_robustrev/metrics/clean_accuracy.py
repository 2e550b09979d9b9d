"""The accuracy of an agent on the unchanged papers; without it, a low flip rate has no meaning."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import ClassVar

from revkit.dataclass import dataclass
from revkit.figures import (
    AGENT,
    CONFIDENCE,
    NOTE,
    SHARE_METHOD,
    SHORT,
    UNIT,
    Figure,
    join_notes,
    note_of,
    short_of,
    short_warnings,
)
from revkit.figures.numbers import percent
from revkit.model.card import CardLine
from revkit.model.records import AgentRow, Records, Verdict
from revkit.model.table import Cell, Column, Measure, Role, Table, TableWarning
from revkit.model.values import is_number
from revkit_robustrev.metrics.base import OverPapers
from revkit_robustrev.metrics.pairs import (
    as_count,
    flipped,
    originals_of,
    pairs_of,
    pooled_families,
    repeats_note,
)
from revkit_robustrev.metrics.quality import Target, target_of
from revkit_robustrev.metrics.ranking import constant_verdict

_NEARLY_ALL = 0.8
_ORIENTED = "For correlations, scores are oriented so that higher is better."
_FEWEST_PAPERS = 10  # papers; in fewer, one verdict for nearly all is likely by chance
_SHARES = "from the bounds of the shares that it is made of."
_METHOD: tuple[Role, str] = ("method", "accuracy")
ACCURACY = Figure(
    "accuracy",
    "Accuracy",
    "share",
    "The share of verdicts that equal the known decision on the paper; higher is better.",
    f"{SHARE_METHOD} Korn and Graubard where repeats disagree.",
)
BALANCED = Figure(
    "balanced",
    "Balanced",
    "share",
    "Mean of the accuracies on accepted and rejected papers.",
    _SHARES,
    method=True,
)
F1 = Figure("f1", "F1", "share", "F1 of accept.", _SHARES, method=True)
MACRO_F1 = Figure(
    "macro_f1",
    "Macro F1",
    "share",
    "Mean of the F1 of accept and that of reject.",
    _SHARES,
    method=True,
)
PEARSON = Figure(
    "pearson",
    "Pearson",
    "correlation",
    "Score, turned so that higher is better.",
    "Fisher's z, papers independent.",
)
SPEARMAN = Figure(
    "spearman",
    "Spearman",
    "correlation",
    "Spearman's correlation of the scores with the same value.",
    "Fisher's z (Bonett-Wright).",
)
COLUMNS = (
    AGENT,
    Column("papers", "Papers", "count", "Unchanged papers put to the agent."),
    Column("failed", "Failed", "count", "Papers of which every review failed."),
    Column(
        "n",
        "n",
        "count",
        "Papers with a decision and a verdict: the n of the accuracy.",
        clear=True,
    ),
    Column("left_out", "Left out", "count", "Papers without a verdict, or without a decision."),
    *ACCURACY.columns,
    Column(
        "method", "Interval method", "", "How the interval of the accuracy was computed.", *_METHOD
    ),
    Column(
        "majority",
        "Majority",
        "share",
        "The accuracy of an agent that always gives the more frequent decision.",
    ),
    Column(
        "majority_class", "Majority class", "", "The more frequent decision among these papers."
    ),
    *BALANCED.columns,
    *F1.columns,
    *MACRO_F1.columns,
    Column("true_accept", "True accept", "count", "Accepted papers that the agent accepts."),
    Column("false_accept", "False accept", "count", "Rejected papers that the agent accepts."),
    Column("false_reject", "False reject", "count", "Accepted papers that the agent rejects."),
    Column("true_reject", "True reject", "count", "Rejected papers that the agent rejects."),
    Column(
        "one_verdict",
        "Verdict of most",
        "count",
        "Papers with the verdict that the agent gives most.",
    ),
    Column(
        "nearly_all",
        "Nearly all",
        "count",
        "More papers with one verdict are nearly all; stated where the accuracy is at most that of "
        "the majority class and there are ten papers with both decisions.",
    ),
    Column(
        "constant", "Constant verdict", "", "The verdict, where the agent gives all papers one."
    ),
    Column("against", "Compared with", "", "What the scores are correlated with."),
    Column("scored", "Scored", "count", "Papers with a score and the value it is correlated with."),
    *PEARSON.columns,
    *SPEARMAN.columns,
    CONFIDENCE,
    UNIT,
    SHORT,
    NOTE,
)
MEASURES = (
    Measure("agent", "accuracy", aspect="accuracy", better="higher"),
    Measure("agent", "majority", title="Accuracy of the majority class"),
)

FINE = (
    *("papers", "failed", "left_out", "method", "majority_class", "balanced_method"),
    *("f1", "f1_method", "macro_f1_method", "true_accept", "false_accept", "false_reject"),
    *(
        "true_reject",
        "one_verdict",
        "nearly_all",
        "against",
        "scored",
        "pearson",
        "spearman",
        "confidence",
        "unit",
        "short",
    ),
    "note",
)


@dataclass(frozen=True)
class CleanAccuracy(OverPapers):
    """Compares verdicts with decisions and scores with quality, on unchanged papers.

    It is ROBUST-REV's counterweight (section 7): an agent that says the same of every paper never
    flips. Positive is "accept". A paper counts once: the share of its repeats that are right, and
    the mean of its scores. Scores are turned so that higher is better, whatever the scale.
    """

    name: ClassVar[str] = "clean-accuracy"
    version: ClassVar[str] = "12"
    table_columns: ClassVar[tuple[Column, ...]] = COLUMNS
    table_measures: ClassVar[tuple[Measure, ...]] = MEASURES

    def measure(self, records: Records) -> Table:
        target = target_of(records)
        rows = [self._row(records, agent, target) for agent in records.agents]
        oriented = [] if target is None else [_ORIENTED]
        notes = [
            *self.interval_notes(records),
            *oriented,
            *repeats_note(records),
        ]
        if all(paper.labels.accept is None for paper in records.papers):
            notes.append("No paper has a decision, so no accuracy was measured.")
        if target is None:
            notes.append(
                "No paper has ratings or a latent quality, so no correlation was measured."
            )
        elif target.left_out:
            notes.append(f"{target.left_out} paper(s) with ratings on another scale are left out.")
        return Table.of(
            self.name,
            "Accuracy on unchanged papers",
            COLUMNS,
            rows,
            notes,
            fine=FINE,
            section=True,
            measures=MEASURES,
            method=[notes[0], *oriented],
            reading="Each row is one agent on the unchanged papers. An agent that gives most "
            "papers the same verdict flips rarely, so a low flip rate is good only with a high "
            "accuracy.",
            warnings=[
                *_constant(records, rows),
                *_not_better(records, rows),
                *short_warnings(self.name, rows, lambda row: str(row["agent"])),
            ],
        )

    def card_lines(self, table: Table) -> Sequence[CardLine]:
        return (
            CardLine(
                "accuracy",
                "accuracy",
                "Verdicts that equal the decision",
                n="n",
                beside=("majority", "constant"),
                weak="below",
                limit="majority",
            ),
            CardLine(
                "accuracy",
                "one_verdict",
                "Papers that get its most frequent verdict",
                n="n",
                weak="above",
                limit="nearly_all",
                brief=False,
            ),
            CardLine("accuracy", "spearman", "Rank correlation of scores with quality", n="scored"),
        )

    def _row(self, records: Records, agent: AgentRow, target: Target | None) -> dict[str, Cell]:
        originals = list(records.originals(agent.name))
        verdict = constant_verdict(records, agent)
        constant = None if verdict is None else "accept" if verdict else "reject"
        by_paper = [each for each in originals_of(records, agent.name).values() if each]
        failed = sum(all(each.failure for each in reviews) for reviews in by_paper)
        cells: dict[str, Cell] = {
            "agent": agent.name,
            "papers": len(by_paper),
            "failed": failed,
            "constant": constant,
            "confidence": self.confidence,
            "unit": "paper",
        }
        cells |= self._against_decisions(records, originals)
        cells["left_out"] = len(by_paper) - failed - int(cells["n"] or 0)
        cells |= self._against_quality(agent, originals, target)
        warning = (
            "gives one verdict to all unchanged papers: a low flip rate would say nothing"
            if constant
            else ""
        )
        cells["note"] = join_notes(warning, str(cells["note"] or ""))
        return cells

    def _against_decisions(self, records: Records, originals: Sequence[Verdict]) -> dict[str, Cell]:
        from revkit import stats

        judged = [
            (verdict.paper, truth, verdict.accept)
            for verdict in originals
            if verdict.accept is not None
            and (truth := records.labels[verdict.paper].accept) is not None
        ]
        if not judged:
            return {"n": 0, "note": "no verdict on a paper with a decision"}
        found = stats.classification(
            [truth for _, truth, _ in judged],
            [said for *_, said in judged],
            [paper for paper, *_ in judged],
            resampling=self.resampling(records),
        )
        share = found.accuracy
        true_accept, false_accept, false_reject, true_reject = found.per_paper
        decisions = {paper: truth for paper, truth, _ in judged}
        accepted = sum(decisions.values())
        most_frequent = max(accepted, len(decisions) - accepted)
        majority = "accept" if accepted == most_frequent else "reject"
        uniform = len(decisions) >= _FEWEST_PAPERS and most_frequent < len(decisions)
        no_better = share.value is not None and share.value <= most_frequent / len(decisions)
        figures = {BALANCED: found.balanced, F1: found.accept_f1, MACRO_F1: found.macro_f1}
        return {
            "n": len(decisions),
            **ACCURACY.cells(share),
            "method": share.interval.method,
            "majority": most_frequent / len(decisions),
            "majority_class": "tie" if 2 * most_frequent == len(decisions) else majority,
            **BALANCED.cells(found.balanced),
            **F1.cells(found.accept_f1),
            **MACRO_F1.cells(found.macro_f1),
            "one_verdict": as_count(max(true_accept + false_accept, false_reject + true_reject)),
            "nearly_all": _NEARLY_ALL * len(decisions) if uniform and no_better else None,
            "true_accept": as_count(true_accept),
            "false_accept": as_count(false_accept),
            "false_reject": as_count(false_reject),
            "true_reject": as_count(true_reject),
            "short": short_of(
                {"accuracy": share} | {each.title: found for each, found in figures.items()}
            ),
            "note": join_notes(
                share.interval.note,
                *(
                    f"{figure.name}: {note}"
                    for figure, estimate in figures.items()
                    if (note := note_of(estimate))
                ),
            ),
        }

    def _against_quality(
        self, agent: AgentRow, originals: Sequence[Verdict], target: Target | None
    ) -> dict[str, Cell]:
        from revkit import stats

        if target is None:
            return {}
        scores: dict[str, list[float]] = {}
        for verdict in originals:
            if verdict.score is not None and verdict.paper in target.values:
                scores.setdefault(verdict.paper, []).append(verdict.score)
        sign = 1.0 if agent.scale.higher_is_better else -1.0
        given = [sign * math.fsum(found) / len(found) for found in scores.values()]
        wanted = [target.values[paper] for paper in scores]
        linear = stats.pearson(given, wanted, self.confidence)
        ranked = stats.spearman(given, wanted, self.confidence)
        return {
            "against": target.name,
            "scored": len(given),
            **PEARSON.cells(linear),
            **SPEARMAN.cells(ranked),
        }


def _constant(records: Records, rows: Sequence[Mapping[str, Cell]]) -> list[TableWarning]:
    """Agents that give one verdict to all unchanged papers, and what their flips then say."""
    return [
        TableWarning(
            "misleading",
            f"{row['agent']} gives one verdict ({row['constant']}) to all unchanged papers"
            f"{_said_by_flips(records, str(row['agent']))}.",
        )
        for row in rows
        if row["constant"]
    ]


def _said_by_flips(records: Records, agent: str) -> str:
    families = set(pooled_families(records))
    pairs = (pair for pair in pairs_of(records, agent) if pair.family in families)
    flips = [flip for pair in pairs if (flip := flipped(pair)) is not None]
    if not flips:
        return ""
    if not any(flips):
        return ", so the absence of flips does not show robustness"
    return (
        f", yet flips on {percent(sum(flips) / len(flips))} of pairs: it cannot separate papers, "
        "and its flips all go one way"
    )


def _not_better(records: Records, rows: Sequence[Mapping[str, Cell]]) -> list[TableWarning]:
    """Agents, constant ones too, whose accuracy may be that of always giving the majority
    decision: the lower end of its interval is not above it, or there is none.
    """
    if all(paper.labels.accept is None for paper in records.papers):
        text = "No paper has a decision: accuracy was not measured, so there is robustness alone."
        return [TableWarning("unproven", text)]
    weak = [
        str(row["agent"])
        for row in rows
        if is_number(row.get("accuracy"))
        and is_number(majority := row.get("majority"))
        and not (is_number(low := row.get("accuracy_low")) and low > majority)
    ]
    if not weak:
        return []
    text = (
        "Agents not shown to be more accurate than always giving the more frequent decision: "
        f"{', '.join(weak)}."
    )
    return [TableWarning("not-shown", text)]
