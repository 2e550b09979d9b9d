"""What each judge gave: mean score and drop by rubric and level, and the replies that failed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, get_args

from revkit.contracts import Metric
from revkit.figures import (
    CONFIDENCE,
    JUDGE,
    NOTE,
    POINTS,
    RUBRIC,
    UNIT,
    Resampled,
    Sums,
    join_notes,
    note_of,
)
from revkit.model.criterion import Criterion
from revkit.model.records import Judgement, Records
from revkit.model.review import FailureKind
from revkit.model.table import Cell, Chart, Column, Table
from revkit_yescieval.metrics.intervals import (
    FAMILY,
    FINE,
    LEVEL,
    bounds,
    estimate_cells,
    interval_note,
)
from revkit_yescieval.metrics.scored import (
    EXTREME,
    ORIGINAL,
    SUBTLE,
    Scored,
    Treatment,
    drops,
    sums,
)

if TYPE_CHECKING:
    from revkit.stats import Estimate

KINDS: tuple[str, ...] = get_args(FailureKind)
COLUMNS = (
    JUDGE,
    RUBRIC,
    FAMILY,
    LEVEL,
    Column("rejected", "Rejected", "count", "Texts for which the heuristic could not be applied."),
    Column(
        "coincide",
        "Coincide",
        "count",
        "Texts left out, since their subtle and extreme variants are the same text.",
    ),
    Column("planned", "Planned", "count", "Texts and repeats to score."),
    Column("missing", "Missing", "count", "Planned scores of which the run holds no outcome."),
    Column("failed", "Failed", "count", "Replies that gave no valid score."),
    *(Column(f"failed_{kind}", kind, "count", f'Failures of kind "{kind}".') for kind in KINDS),
    Column("n", "n", "count", "Valid scores."),
    Column("papers", "Papers", "count", "Papers with a valid score."),
    Column("mean", "Mean", POINTS, "The mean of the valid scores."),
    *bounds("mean", "Mean", POINTS),
    Column("pairs", "Pairs", "count", "Texts with a valid score before and after the edits."),
    Column("drop", "Drop", POINTS, "Mean of score before - score after, over the pairs."),
    *bounds("drop", "Drop", POINTS),
    CONFIDENCE,
    UNIT,
    NOTE,
)
_FINE = (
    "family",
    "planned",
    "missing",
    "rejected",
    "coincide",
    *(f"failed_{kind}" for kind in KINDS),
    "pairs",
    *FINE,
)


@dataclass(frozen=True)
class _Part:
    judge: str
    rubric: Criterion
    level: str
    rejected: int
    coincide: int
    planned: int
    scores: Sequence[Judgement]
    given: Sums
    fell: Sums | None


@dataclass(frozen=True)
class RubricScores(Resampled, Metric):
    """Mean score of each judge on each rubric: original texts, and those that its edits lowered.

    YESciEval compares these means over its levels. A drop is taken pair by pair, so it is not
    always the difference of two means: a text that lost its score on one side counts for one mean
    and for no drop. A text whose subtle and extreme variants are the same text is left out of
    both levels and counted ("levels coincide"). Failures are counted by kind and never scored.
    """

    name: ClassVar[str] = "rubric-scores"
    version: ClassVar[str] = "3"

    def measure(self, records: Records) -> Table:
        scored = Scored(records)
        parts = [
            part
            for judge in records.judges
            for rubric in records.rubrics
            for part in _parts(scored, judge.name, rubric)
        ]
        means = self.means(records, [part.given for part in parts])
        fallen = iter(self.means(records, [part.fell for part in parts if part.fell]))
        rows = [
            {
                **_row(part, mean, next(fallen) if part.fell else None),
                "confidence": self.confidence,
            }
            for part, mean in zip(parts, means, strict=True)
        ]
        return Table.of(
            self.name,
            "Scores by rubric and level",
            COLUMNS,
            rows,
            [*interval_note(self, records), *_notes(records)],
            headline=True,
            fine=_FINE,
            charts=[_chart(judge.name) for judge in records.judges],
        )


def _chart(judge: str) -> Chart:
    return Chart(
        "bars",
        f"Mean score by rubric and level: {judge}",
        "rubric",
        "mean",
        group="level",
        low="mean_low",
        high="mean_high",
        where=(("judge", judge),),
    )


def _notes(records: Records) -> list[str]:
    aimed = {row.target for row in records.perturbations}
    bare = [rubric.name for rubric in records.rubrics if rubric.name not in aimed]
    if not bare:
        return []
    return [f"No perturbation of this run aims at {', '.join(bare)}."]


def _parts(scored: Scored, judge: str, rubric: Criterion) -> list[_Part]:
    records = scored.records
    originals = scored.originals(judge, rubric.name)
    planned = len(records.papers) * records.repeats
    given = _given(records, originals)
    return [
        _Part(judge, rubric, ORIGINAL, 0, 0, planned, originals, given, None),
        *(_part(scored, judge, rubric, treatment) for treatment in scored.aimed_at(rubric.name)),
    ]


def _part(scored: Scored, judge: str, rubric: Criterion, treatment: Treatment) -> _Part:
    records = scored.records
    same = scored.coinciding(rubric.name) if treatment.level in (SUBTLE, EXTREME) else frozenset()
    scores = [
        each
        for each in scored.variants(judge, rubric.name, treatment)
        if (each.paper, each.index) not in same
    ]
    changes = [
        change
        for change in scored.changes(judge, rubric.name, treatment)
        if (change.after.paper, change.after.index) not in same
    ]
    return _Part(
        judge,
        rubric,
        treatment.level,
        scored.rejected(treatment),
        len(same),
        (scored.made(treatment) - len(same)) * records.repeats,
        scores,
        _given(records, scores),
        drops(records, changes),
    )


def _given(records: Records, scores: Sequence[Judgement]) -> Sums:
    return sums(records, ((each.paper, each.score) for each in scores))


def _row(part: _Part, mean: Estimate, fell: Estimate | None) -> dict[str, Cell]:
    kinds = Counter(each.failure for each in part.scores if each.failure)
    return {
        "judge": part.judge,
        "rubric": part.rubric.name,
        "family": part.rubric.family or None,
        "level": part.level,
        "rejected": part.rejected,
        "coincide": part.coincide,
        "planned": part.planned,
        "missing": part.planned - len(part.scores),
        "failed": sum(kinds.values()),
        **{f"failed_{kind}": kinds[kind] for kind in KINDS},
        "n": part.given.n,
        "papers": part.given.papers,
        **estimate_cells("mean", mean),
        "pairs": part.fell.n if part.fell else None,
        **(estimate_cells("drop", fell) if fell else {}),
        "unit": "paper",
        "note": join_notes(
            f"mean: {note_of(mean)}" if note_of(mean) else "",
            f"drop: {note_of(fell)}" if fell and note_of(fell) else "",
        ),
    }
