"""Compare runs on the same papers, and test which differences are significant."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from revkit.dataclass import dataclass
from revkit.errors import RunError
from revkit.figures import (
    AGENT,
    CONFIDENCE,
    NOTE,
    UNIT,
    Figure,
    Resampling,
    join_notes,
    note_of,
)
from revkit.figures.numbers import cell_text, count_of, list_names
from revkit.model.table import Cell, Column, Finding, Table
from revkit.model.values import Json
from revkit.options import unknown_name
from revkit.runs.differences import Difference, differences_of
from revkit.runs.opened_run import OpenedRun, open_run
from revkit.runs.paired_papers import FIGURES, PairedValues, Side, paired_values, side_of
from revkit.runs.paper_matches import PaperMatch, match_papers

LEVEL = 0.05
_DIFFERENCE = Figure(
    "difference",
    "Difference",
    "",
    "The second run minus the first, over the same papers.",
    how="papers as independent units.",
    method=True,
)


@dataclass(frozen=True)
class ComparedRun:
    """One run against the first: which papers they share, and what differs in how they were made.

    ``agents`` gives the agents by their names in the first run and in this one.
    """

    run: OpenedRun
    label: str
    papers: PaperMatch
    agents: Mapping[str, str]
    differences: tuple[Difference, ...]

    def to_json(self) -> dict[str, Json]:
        return {
            "run": self.label,
            "folder": str(self.run.folder),
            "experiment": self.run.digest,
            "records": self.run.records_digest,
            "papers": self.papers.to_json(),
            "agents": dict(self.agents),
            "differences": [each.to_json() for each in self.differences],
        }


@dataclass(frozen=True)
class Comparison:
    """Several runs compared with the first: one table of differences, and what explains them."""

    first: OpenedRun
    label: str
    others: tuple[ComparedRun, ...]
    table: Table

    @property
    def real(self) -> list[dict[str, Cell]]:
        """The rows whose difference is significant after Holm's correction."""
        return [row for row in self.table.records() if row["real"]]

    @property
    def text(self) -> str:
        """What came out, as one sentence."""
        return self.table.findings[0].text

    def to_json(self) -> dict[str, Json]:
        return {
            "revkit": 1,
            "first": {
                "run": self.label,
                "folder": str(self.first.folder),
                "experiment": self.first.digest,
                "records": self.first.records_digest,
            },
            "others": [each.to_json() for each in self.others],
            "finding": self.text,
            "table": self.table.to_json(),
        }

    def __repr__(self) -> str:
        names = ", ".join(each.label for each in self.others)
        return f"Comparison({self.label} with {names}: {self.text})"


def compare_runs(
    runs: Sequence[OpenedRun | str | Path],
    *,
    agents: Mapping[str, str] | None = None,
    figures: Collection[str] = (),
    confidence: float = 0.95,
) -> Comparison:
    """Compare each of ``runs`` with the first of them, over the papers that both have.

    Papers are the same if their title and text are; those that only one run has are counted and
    left out. Agents are compared by their names; ``agents`` gives other pairs (the name in the
    first run, the name in the others). Runs with one agent each are compared whatever its name.
    ``figures`` limits the figures (see `FIGURES`), which also makes Holm's correction smaller: it
    is over all tests of the comparison.

    Repeats are reduced to one value a text before any test. The test is the sign test over papers
    (exact up to 16 informative papers, none below six), the interval that of a difference of means
    over papers. Raises `RunError` where two runs share no paper or no agent.
    """
    opened = [each if isinstance(each, OpenedRun) else open_run(each) for each in runs]
    if len(opened) < 2:
        raise RunError("a comparison needs two runs or more")
    for figure in figures:
        if figure not in FIGURES:
            raise RunError(unknown_name("figure", figure, FIGURES))
    labels = _labels(opened)
    first, side = opened[0], side_of(opened[0].records)
    resampling = Resampling(first.records.seed, confidence=confidence)
    compared, rows = [], []
    for run, label in zip(opened[1:], labels[1:], strict=True):
        other = side_of(run.records)
        each = ComparedRun(
            run,
            label,
            match_papers(side.records.papers, other.records.papers),
            _agents(side, other, agents or {}, label),
            tuple(differences_of(first, run)),
        )
        if not each.papers.shared:
            raise RunError(f"{labels[0]} and {label} share no paper (same title and text)")
        compared.append(each)
        rows += [
            _row(values, label, resampling)
            for values in paired_values(side, other, each.papers.shared, each.agents)
            if values.counts and (not figures or values.figure in figures)
        ]
    if not rows:
        raise RunError("the runs have no figure in common")
    return Comparison(first, labels[0], tuple(compared), _table(rows, labels[0], compared))


def _labels(runs: Sequence[OpenedRun]) -> list[str]:
    """Short names: those of the folders where they differ, else their paths."""
    names = [run.folder.resolve().name for run in runs]
    if len(set(names)) < len(names):
        names = [str(run.folder) for run in runs]
    if len(set(names)) < len(names):
        return [f"{name} ({number})" for number, name in enumerate(names, 1)]
    return names


def _agents(first: Side, second: Side, chosen: Mapping[str, str], label: str) -> dict[str, str]:
    ours = [row.name for row in first.records.agents]
    theirs = [row.name for row in second.records.agents]
    for one, other in chosen.items():
        for name, known in ((one, ours), (other, theirs)):
            if name not in known:
                raise RunError(unknown_name("agent", name, known))
    found = {name: chosen.get(name, name) for name in ours}
    found = {one: other for one, other in found.items() if other in theirs}
    if not found and len(ours) == len(theirs) == 1:
        return {ours[0]: theirs[0]}
    judges = {row.name for row in first.records.judges} & {
        row.name for row in second.records.judges
    }
    if not found and not judges:
        raise RunError(
            f"no agent of the first run ({list_names(ours)}) is in {label} ({list_names(theirs)}); "
            "name a pair, as in --agents OLD=NEW"
        )
    return found


def _row(values: PairedValues, label: str, resampling: Resampling) -> dict[str, Cell]:
    """One figure of one agent: both values, the difference with its interval, and the test."""
    import numpy as np

    from revkit.stats import cluster_mean_shift, cluster_rate_difference, cluster_sign_test

    first, second = np.array(values.first), np.array(values.second)
    counts = np.array(values.counts)
    if values.unit == "share":
        estimate = cluster_rate_difference(
            second, counts, first, counts, resampling=resampling, fractional=True
        )
    else:
        estimate = cluster_mean_shift(second - first, counts, values.limit, resampling=resampling)
    moved = second - first
    moved[np.abs(moved) < 1e-12] = 0.0
    test = cluster_sign_test(moved)
    total = int(counts.sum())
    note = join_notes(
        note_of(estimate),
        test.note,
        f"{count_of(values.left_out, 'value')} without a valid answer in both"
        if values.left_out
        else "",
    )
    return {
        "run": label,
        "figure": values.figure,
        "agent": values.agent,
        "family": values.family or None,
        "papers": len(counts),
        "n": total,
        "first": float(first.sum() / total),
        "second": float(second.sum() / total),
        **_DIFFERENCE.cells(estimate),
        "informative": test.informative,
        "p": test.p_value,
        "value_unit": values.unit,
        "confidence": resampling.confidence,
        "unit": resampling.unit,
        "note": note,
    }


_COLUMNS = (
    Column("run", "Run", "", "The run that is compared with the first."),
    Column("figure", "Figure", "", "What is compared."),
    AGENT,
    Column("family", "Family or rubric", "", "The family of edits, or the rubric."),
    Column("papers", "Papers", "count", "Papers with valid values in both runs."),
    Column("n", "n", "count", "Values (pairs, or papers) that both runs have."),
    Column("first", "First", "value", "The figure in the first run, on the shared papers."),
    Column("second", "Second", "value", "The figure in the second run, on the shared papers."),
    *_DIFFERENCE.columns,
    Column("informative", "Differ", "count", "Papers on which the two runs differ."),
    Column("p", "p", "p", "Sign test over papers, two-sided."),
    Column("p_holm", "p, Holm", "p", "p corrected for all tests of the comparison."),
    Column("real", "Significant", "", "Whether the corrected p is at most 0.05."),
    Column("value_unit", "Value in", "", "The unit of the values and of their difference."),
    CONFIDENCE,
    UNIT,
    NOTE,
)


def _table(rows: Sequence[dict[str, Cell]], label: str, compared: Sequence[ComparedRun]) -> Table:
    from revkit.stats import holm

    p_values = [value if isinstance(value := row["p"], float) else None for row in rows]
    for row, corrected in zip(rows, holm(p_values), strict=True):
        row["p_holm"] = corrected
        row["real"] = None if corrected is None else corrected <= LEVEL
    tests = sum(p is not None for p in p_values)
    notes = [
        f"{each.label}: {count_of(len(each.papers.shared), 'paper')} in both runs (same title and "
        f"text). Left out: {count_of(len(each.papers.only_first), 'paper')} that only the run "
        f"{label!r} has and {len(each.papers.only_second):,} that only the run {each.label!r} has; "
        f"{len(each.papers.changed):,} of them have the same id and another text."
        for each in compared
    ]
    notes += [
        f"Differences are {'each run' if len(compared) > 1 else compared[0].label} minus {label}. "
        "Papers are the independent unit; repeats of a review are one value.",
        "p: sign test over the papers on which the runs differ (exact with up to 16 such papers; "
        f"no p with fewer than 6). Holm's correction is over {count_of(tests, 'test')}.",
        "A difference that is not significant does not prove equality: look at its interval.",
    ]
    return Table.of(
        "comparison",
        f"Differences from {label}",
        _COLUMNS,
        rows,
        notes,
        headline=True,
        fine=("value_unit", "confidence", "unit", "difference_method"),
        findings=(Finding(_finding(rows, tests)),),
    )


def _finding(rows: Sequence[Mapping[str, Cell]], tests: int) -> str:
    real = [row for row in rows if row["real"]]
    tried = f"of {count_of(len(rows), 'figure')} ({count_of(tests, 'test')})"
    if not real:
        return f"No difference is statistically significant, {tried}."
    named = [_named(row) for row in real[:5]]
    more = f" and {len(real) - 5} more" if len(real) > 5 else ""
    verb = "is" if len(real) == 1 else "are"
    return (
        f"{count_of(len(real), 'difference')} {tried} {verb} statistically significant: "
        f"{'; '.join(named)}{more}."
    )


def _named(row: Mapping[str, Cell]) -> str:
    parts = [str(row["figure"]).replace("_", " "), f"of {row['agent']}"]
    if row["family"]:
        parts.append(f"({row['family']})")
    column = Column("value", unit="share" if row["value_unit"] == "share" else "")
    return (
        f"{' '.join(parts)} {cell_text(row['first'], column)} to {cell_text(row['second'], column)}"
    )
