"""The scores of each judge: mean and drop by rubric and level, and the replies that failed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, get_args

from revkit.contracts import Metric
from revkit.dataclass import dataclass
from revkit.figures import (
    CONFIDENCE,
    JUDGE,
    NOTE,
    POINTS,
    RUBRIC,
    SHORT,
    UNIT,
    Figure,
    Resampled,
    Sums,
    join_notes,
    note_of,
    short_of,
)
from revkit.model.criterion import Criterion
from revkit.model.records import Judgement, Records
from revkit.model.review import FailureKind
from revkit.model.table import Cell, Chart, Column, Table
from revkit_yescieval.metrics.columns import (
    COINCIDE,
    FAMILY,
    FINE,
    LEVEL,
    interval_note,
    interval_notes,
)
from revkit_yescieval.metrics.scores import (
    COINCIDE_NOTE,
    ORIGINAL,
    RunScores,
    Treatment,
    drops,
    sums_of_scores,
)
from revkit_yescieval.terms import TERMS

if TYPE_CHECKING:
    from revkit.stats import Estimate

KINDS: tuple[str, ...] = get_args(FailureKind)
MEAN = Figure("mean", "Mean", POINTS, "Mean of the valid scores.")
DROP = Figure("drop", "Drop", POINTS, "Mean score before the edits minus mean score after.")
COLUMNS = (
    JUDGE,
    RUBRIC,
    FAMILY,
    LEVEL,
    Column("rejected", "Rejected", "count", "Texts to which the heuristic could not be applied."),
    COINCIDE,
    Column("planned", "Planned", "count", "Texts and repeats to score."),
    Column("missing", "Missing", "count", "Planned scores of which the run holds no outcome."),
    Column("failed", "Failed", "count", "Replies without a valid score."),
    *(Column(f"failed_{kind}", kind, "count", f'Failures of kind "{kind}".') for kind in KINDS),
    Column("n", "n", "count", "Valid scores.", clear=True),
    Column("papers", "Papers", "count", "Papers with a valid score."),
    *MEAN.columns,
    Column("pairs", "Pairs", "count", "Texts with a valid score before and after the edits."),
    *DROP.columns,
    CONFIDENCE,
    UNIT,
    SHORT,
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
    """The scores of one row; ``drops`` only for edited texts."""

    judge: str
    rubric: Criterion
    level: str
    rejected: int
    coincide: int
    planned: int
    scores: Sequence[Judgement]
    sums: Sums
    drops: Sums | None


@dataclass(frozen=True)
class RubricScores(Resampled, Metric):
    """Mean score of each judge on each rubric, for original texts and for texts whose edits target
    the rubric.

    YESciEval compares these means between levels. A drop is computed pair by pair, so it is not
    always the difference of two means: a text without a score on one side counts for one mean
    and for no drop. A text whose subtle and extreme variants are the same text is left out of
    both levels and counted ("coincide"). Failures are counted by kind and never scored.
    """

    name: ClassVar[str] = "rubric-scores"
    version: ClassVar[str] = "6"
    table_columns: ClassVar[tuple[Column, ...]] = COLUMNS

    def measure(self, records: Records) -> Table:
        run = RunScores(records)
        parts = [
            part
            for judge in records.judges
            for rubric in records.rubrics
            for part in _parts(run, judge.name, rubric)
        ]
        means = self.means(records, [part.sums for part in parts])
        fallen = iter(self.means(records, [part.drops for part in parts if part.drops]))
        rows = [
            {
                **_row(part, mean, next(fallen) if part.drops else None),
                "confidence": self.confidence,
            }
            for part, mean in zip(parts, means, strict=True)
        ]
        return Table.of(
            self.name,
            "Scores by rubric and level",
            COLUMNS,
            rows,
            [*interval_notes(self, records), COINCIDE_NOTE, *_untargeted(records)],
            headline=True,
            fine=_FINE,
            charts=[_chart(judge.name) for judge in records.judges],
            warnings=self.imprecise(
                max((part.sums.papers for part in parts), default=0),
                rows,
                lambda row: f"{row['judge']}, {row['rubric']}",
            ),
            method=[interval_note(self, records), COINCIDE_NOTE],
            reading="Each row is one judge, rubric and level; the edits target this rubric. "
            "A higher drop means that the judge sees the fault.",
            terms=TERMS,
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


def _untargeted(records: Records) -> list[str]:
    targets = {row.target for row in records.perturbations}
    names = [rubric.name for rubric in records.rubrics if rubric.name not in targets]
    return [f"No perturbation of this run targets {', '.join(names)}."] if names else []


def _parts(run: RunScores, judge: str, rubric: Criterion) -> list[_Part]:
    records = run.records
    originals = run.originals(judge, rubric.name)
    planned = len(records.papers) * records.repeats
    sums = sums_of_scores(records, originals)
    return [
        _Part(judge, rubric, ORIGINAL, 0, 0, planned, originals, sums, None),
        *(_part(run, judge, rubric, treatment) for treatment in run.targeting(rubric.name)),
    ]


def _part(run: RunScores, judge: str, rubric: Criterion, treatment: Treatment) -> _Part:
    scores = run.variants(judge, rubric.name, treatment)
    return _Part(
        judge,
        rubric,
        treatment.level,
        run.rejected(treatment),
        run.coincide(treatment),
        run.planned(treatment),
        scores,
        sums_of_scores(run.records, scores),
        drops(run.records, run.changes(judge, rubric.name, treatment)),
    )


def _row(part: _Part, mean: Estimate, drop: Estimate | None) -> dict[str, Cell]:
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
        "n": part.sums.n,
        "papers": part.sums.papers,
        **MEAN.cells(mean),
        "pairs": part.drops.n if part.drops else None,
        **DROP.cells(drop),
        "unit": "paper",
        "short": short_of({"mean": mean, "drop": drop}),
        "note": join_notes(
            f"mean: {note_of(mean)}" if note_of(mean) else "",
            f"drop: {note_of(drop)}" if drop and note_of(drop) else "",
        ),
    }
