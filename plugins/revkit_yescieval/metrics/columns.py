"""Columns, notes and warnings that the tables of several metrics share."""

from __future__ import annotations

from collections.abc import Iterable

from revkit.figures import Resampled, copies_notes
from revkit.figures.numbers import count_of
from revkit.model.records import Judgement, Records
from revkit.model.table import Column, TableWarning

FAMILY = Column("family", "Family", "", "The family of the rubric.")
LEVEL = Column("level", "Level", "", "How strongly the texts were perturbed: an option of edits.")
PERTURBED = Column("perturbed", "Perturbed", "", "The rubric that the edits target.")
COINCIDE = Column(
    "coincide",
    "Coincide",
    "count",
    "Texts left out because their subtle and extreme variants are the same text.",
)
FINE = ("confidence", "unit", "note")


def interval_note(metric: Resampled, records: Records) -> str:
    """How the intervals of a table were computed."""
    return (
        f"Intervals are {100 * metric.confidence:g} % intervals from {metric.resamples:,} "
        f"resamples of papers (seed {records.seed}). The unit is the paper, because its variants "
        "and repeats are not independent. If fewer than ten papers differ from the rest, shares "
        "have closed-form intervals over papers."
    )


def interval_notes(metric: Resampled, records: Records) -> tuple[str, ...]:
    """The sentences on intervals that every table with resampled bounds carries."""
    return (interval_note(metric, records), *copies_notes(records))


def warnings(
    metric: Resampled, records: Records, judgements: Iterable[Judgement]
) -> tuple[TableWarning, ...]:
    """What limits a table over ``judgements``: judges without a score, failures, few papers."""
    counts = {judge.name: [0, 0] for judge in records.judges}
    papers: set[str] = set()
    for each in judgements:
        counts[each.judge][0] += 1
        counts[each.judge][1] += each.score is None
        if each.score is not None:
            papers.add(each.paper)
    return (
        *(_of_judge(judge, *both) for judge, both in counts.items() if both[1]),
        *metric.few_papers(len(papers)),
    )


def _of_judge(judge: str, scores: int, failed: int) -> TableWarning:
    if failed == scores:
        return TableWarning("no-figure", f"{judge}: none of {count_of(scores, 'reply', 'replies')} "
                            "has a valid score.")  # fmt: skip
    text = f"{judge}: {failed:,} of {count_of(scores, 'reply', 'replies')} have no valid score."
    return TableWarning("incomplete", text)
