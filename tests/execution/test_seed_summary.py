"""The figures of a sweep over the seeds, against numpy and scipy."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from revkit.execution.seed_summary import summarise_seeds
from revkit.execution.sweep_tables import join_tables
from revkit.model.table import Cell, Column, Measure, Table
from revkit.spec.axes import Axis

SEEDS = Axis("seed", "seed", ("1", "2", "3"), (1, 2, 3))
LEVELS = Axis("agents.a.with.level", "level", ("2", "8"), (2, 8))
COLUMNS = [
    Column("agent", "Agent", "", "", "agent"),
    Column("kind", "Kind"),
    Column("rate", "Rate", "share"),
    Column("n", "N", "count"),
    Column("change", "Change", "points"),
]
MEASURES = (
    Measure("agent", "rate", (("kind", "all"),), title="Flip rate"),
    Measure("agent", "n", (("kind", "all"),)),
)


def table(rates: dict[str, float | None]) -> Table:
    rows = [
        {"agent": agent, "kind": kind, "rate": rate if kind == "all" else 0.9, "n": 3}
        for agent, rate in rates.items()
        for kind in ("all", "one")
    ]
    return Table.of("rates", "Rates", COLUMNS, rows, measures=MEASURES)


def test_mean_spread_and_interval_over_the_seeds() -> None:
    values = {"1": 0.3, "2": 0.5, "3": 0.45}
    tables: dict[tuple[str, ...], Table] = {
        (seed,): table({"a": value, "b": 0.5}) for seed, value in values.items()
    }
    tables["3",] = table({"a": 0.45, "b": None})
    [found] = summarise_seeds([SEEDS], [join_tables([SEEDS], tables)], set())
    a, b = found.records()
    assert (a["agent"], a["figure"], a["seeds"], a["least"], a["most"]) == (
        "a", "Flip rate", 3, 0.3, 0.5,
    )  # fmt: skip
    drawn = [*values.values()]
    low, high = scipy.stats.t.interval(0.95, 2, np.mean(drawn), scipy.stats.sem(drawn))
    expected = (np.mean(drawn), low, high, np.std(drawn, ddof=1))
    assert (a["mean"], a["mean_low"], a["mean_high"], a["sd"]) == pytest.approx(expected)
    assert (b["agent"], b["seeds"], b["mean"], b["mean_low"]) == ("b", 2, 0.5, None)


@pytest.mark.parametrize(
    ("values", "ends"),
    [((0.8, 0.95, 0.7), (None, 1.0)), ((0.05, 0.3, 0.1), (0.0, None)), ((-0.9, 0.8, 0.1), (-1, 1))],
)
def test_intervals_of_shares_stay_in_their_range(
    values: tuple[float, ...], ends: tuple[float | None, float | None]
) -> None:
    tables: dict[tuple[str, ...], Table] = {
        (seed,): table({"a": value}) for seed, value in zip(SEEDS.labels, values, strict=True)
    }
    [found] = summarise_seeds([SEEDS], [join_tables([SEEDS], tables)], set())
    free = scipy.stats.t.interval(0.95, 2, np.mean(values), scipy.stats.sem(values))
    assert not all(-1 <= end <= 1 for end in free) or min(free) < 0
    expected = [end if cut is None else cut for end, cut in zip(free, ends, strict=True)]
    [row] = found.records()
    assert [row["mean_low"], row["mean_high"]] == pytest.approx(expected)
    assert {each.unit for each in found.columns if each.name.startswith("mean")} == {"share"}


def test_other_units_have_their_own_table() -> None:
    changes = {"1": 2.0, "2": 18.5, "3": 0.5}
    tables: dict[tuple[str, ...], Table] = {}
    for seed, change in changes.items():
        rows: list[dict[str, Cell]] = [
            {"agent": "a", "kind": "all", "rate": 0.5, "n": 3, "change": change}
        ]
        measures = (*MEASURES, Measure("agent", "change"))
        tables[seed,] = Table.of("rates", "Rates", COLUMNS, rows, measures=measures)
    joined = [join_tables([SEEDS], tables)]
    shares, scores = summarise_seeds([SEEDS], joined, {"over-seeds-scores"})
    assert (shares.name, scores.name) == ("over-seeds", "sweep-over-seeds-scores")
    assert [row["figure"] for row in shares.records()] == ["Flip rate"]
    [row] = scores.records()
    assert (row["figure"], row["unit"], row["mean"]) == ("Change", "points", 7.0)
    low, _ = scipy.stats.t.interval(0.95, 2, 7.0, scipy.stats.sem([*changes.values()]))
    assert row["mean_low"] == pytest.approx(low)


def test_other_axes_stay_apart() -> None:
    axes = [LEVELS, SEEDS]
    tables: dict[tuple[str, ...], Table] = {
        (level, seed): table({"a": int(level) / 10 + int(seed) / 100})
        for level in LEVELS.labels
        for seed in SEEDS.labels
    }
    [found] = summarise_seeds(axes, [join_tables(axes, tables)], {"over-seeds"})
    assert found.name == "sweep-over-seeds"
    assert [(row["level"], row["mean"], row["seeds"]) for row in found.records()] == [
        (2, pytest.approx(0.22), 3),
        (8, pytest.approx(0.82), 3),
    ]


@pytest.mark.parametrize("axes", [[LEVELS], [Axis("seed", "seed", ("1",), (1,))]])
def test_without_several_seeds_there_is_no_summary(axes: list[Axis]) -> None:
    tables: dict[tuple[str, ...], Table] = {(label,): table({"a": 0.1}) for label in axes[0].labels}
    assert summarise_seeds(axes, [join_tables(axes, tables)], set()) == []
