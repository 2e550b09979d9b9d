"""Figures: their columns and cells, sums over papers, and the options of resampling."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from revkit import stats
from revkit.contracts import Metric
from revkit.errors import StatisticsError
from revkit.figures import (
    FEW_PAPERS,
    Figure,
    Resampled,
    Resampling,
    Sums,
    arrays,
    bounds,
    copies_notes,
    count_kinds,
    interval_text,
    join_notes,
    note_of,
    sharp_width,
    sums,
)
from revkit.figures.numbers import between, share_of, towards
from revkit.model.records import Records
from revkit.model.table import Cell, Column, Table
from revkit.options import options_of
from revkit.stats import Estimate, Interval
from revkit.testing.records import tiny_records

VALUE = Estimate(0.5, 8, Interval(0.25, 0.75, 0.9, "by hand", "paper", 4))


@dataclass(frozen=True)
class Share(Resampled, Metric):
    """A metric of this test."""

    name: ClassVar[str] = "share"

    def measure(self, records: Records) -> Table:
        raise NotImplementedError


def test_a_figure_names_its_columns_and_fills_them() -> None:
    figure = Figure("rate", "Rate", "share", "Flips over pairs.", "over papers.")
    assert figure.columns == (
        Column("rate", "Rate", "share", "Flips over pairs."),
        Column("rate_low", "Rate, low", "share", "Lower bound: over papers.", "low", "rate"),
        Column("rate_high", "Rate, high", "share", "Upper bound: over papers.", "high", "rate"),
        *(
            Column(
                f"rate_sharp_{end}",
                f"Rate, sharper {end}",
                "share",
                f"{which} bound of a sharper, approximate interval; given where the interval is "
                "conservative.",
                f"sharp-{end}",  # type: ignore[arg-type]
                "rate",
            )
            for end, which in (("low", "Lower"), ("high", "Upper"))
        ),
    )
    assert figure.cells(VALUE) == {"rate": 0.5, "rate_low": 0.25, "rate_high": 0.75}
    assert figure.cells(None) == {}


def test_method_and_n_are_columns_on_request() -> None:
    figure = Figure("rate", "Rate", bounds="cluster", bounds_title="Cluster", method=True, n=True)
    names = [(column.name, column.role, column.of) for column in figure.columns]
    assert names == [
        ("rate", "", ""),
        ("cluster_low", "low", "rate"),
        ("cluster_high", "high", "rate"),
        ("cluster_sharp_low", "sharp-low", "rate"),
        ("cluster_sharp_high", "sharp-high", "rate"),
        ("cluster_method", "method", "rate"),
        ("cluster_n", "n", "rate"),
    ]
    cells = figure.cells(VALUE)
    assert (cells["cluster_method"], cells["cluster_n"]) == ("by hand", 8)
    filled = {column.name for column in figure.columns if not column.role.startswith("sharp")}
    assert set(cells) == filled


def test_a_conservative_interval_is_marked_and_the_width_of_a_sharper_one_is_known() -> None:
    figure = Figure("rate", "Rate", "share")
    sharp = replace(VALUE.interval, sharp=(0.35, 0.6))
    cells = figure.cells(replace(VALUE, interval=sharp))
    assert (cells["rate_sharp_low"], cells["rate_sharp_high"]) == (0.35, 0.6)
    assert interval_text(cells, "rate", 100) == "[25.0, 75.0]*"
    assert sharp_width(cells, "rate") == pytest.approx(0.25)
    assert between(0.25, 0.75, 100, sharp=(0.35, 0.6)) == "[25.0, 75.0]*"
    # A sharper interval with an open end has no width, yet the interval is marked.
    assert between(3.5, None, sharp=(3.9, None)) == "[3.5, ...]*"
    assert interval_text(figure.cells(VALUE), "rate", 100) == "[25.0, 75.0]"
    assert sharp_width(figure.cells(VALUE), "rate") is None


def test_bounds_of_a_second_interval_belong_to_no_column() -> None:
    assert [column.role for column in bounds("wald", "Wald", "share")] == ["", ""]


def test_a_table_finds_the_columns_of_a_figure_by_their_roles() -> None:
    rate = Figure("rate", "Rate", bounds="cluster")
    row: dict[str, Cell] = {**rate.cells(VALUE), "how": "by hand"}
    columns = (*rate.columns, Column("how", role="method"))
    table = Table.of("rates", "Rates", columns, [row])
    low, method = table.of_column("low", "rate"), table.of_column("method", "rate")
    assert (low and low.name, method and method.name) == ("cluster_low", "how")
    assert table.of_column("n", "rate") is None
    assert Table.from_json(table.to_json()) == table


def test_sums_by_hand() -> None:
    found = sums("abc", [("b", 1.0), ("a", 0.5), ("b", 2.0), ("c", None)])
    assert found == Sums((0.5, 3.0, 0.0), (1, 2, 0))
    assert (found.total, found.n, found.papers) == (3.5, 3, 2)
    with pytest.raises(KeyError):
        sums("a", [("z", 1.0)])


def test_sums_on_shared_papers() -> None:
    one, other = Sums((1.0, 2.0, 0.0), (1, 2, 0)), Sums((4.0, 0.0, 5.0), (1, 0, 1))
    assert one.shared(other) == (Sums((1.0, 0.0, 0.0), (1, 0, 0)), Sums((4.0, 0.0, 0.0), (1, 0, 0)))
    assert one + other == Sums((5.0, 2.0, 5.0), (2, 2, 1))


values = st.lists(st.tuples(st.sampled_from("abcd"), st.none() | st.floats(-1e6, 1e6)))


@given(values, st.randoms(use_true_random=False))
def test_the_order_of_values_has_no_influence_on_sums(
    drawn: list[tuple[str, float | None]], random: object
) -> None:
    shuffled = list(drawn)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    found = sums("abcd", drawn)
    assert sums("abcd", shuffled) == found
    assert found.n == sum(value is not None for _, value in drawn)
    assert found.total == pytest.approx(math.fsum(v for _, v in drawn if v is not None), abs=1e-6)


def test_arrays_have_a_column_for_each_part_and_a_row_for_each_paper() -> None:
    totals, counts = arrays([Sums((1.0, 2.0), (1, 1)), Sums((0.0, 3.0), (0, 2))], 2)
    assert totals.tolist() == [[1.0, 0.0], [2.0, 3.0]]
    assert counts.tolist() == [[1.0, 0.0], [1.0, 2.0]]
    assert arrays([], 5)[0].shape == (5, 0)


def test_estimates_are_those_of_the_statistics() -> None:
    records = tiny_records()
    metric = Share(resamples=200, confidence=0.9)
    how = Resampling(records.seed, 200, 0.9)
    assert metric.resampling(records) == how
    part = Sums((1.0, 0.0, 3.0), (2, 1, 4))
    (expected,) = stats.cluster_bootstrap_rates([[1], [0], [3]], [[2], [1], [4]], resampling=how)
    assert metric.rates(records, [part]) == [expected]
    # More parts than are estimated together give what each gives alone.
    assert metric.rates(records, [part] * 450) == [expected] * 450
    assert metric.means(records, []) == []


def test_the_options_of_a_resampled_metric() -> None:
    assert options_of(Share()) == {"resamples": 10_000, "confidence": 0.95}


@pytest.mark.parametrize("papers", [1, FEW_PAPERS - 1])
def test_few_papers_are_a_warning(papers: int) -> None:
    (warning,) = Share().few_papers(papers)
    assert warning.kind == "imprecise"
    assert warning.text.startswith(f"Only {papers} paper{'s' * (papers > 1)}: ")


def test_enough_papers_and_none_are_no_warning() -> None:
    assert Share().few_papers(FEW_PAPERS) == Share().few_papers(0) == ()


@pytest.mark.parametrize(
    "options",
    [
        {"seed": -1},
        {"seed": True},
        {"seed": 1.0},
        {"resamples": 0},
        {"confidence": 0.0},
        {"confidence": 1.0},
        {"confidence": float("nan")},
    ],
)
def test_resampling_refuses_what_has_no_meaning(options: dict[str, float]) -> None:
    given: dict[str, float] = {"seed": 1, **options}
    with pytest.raises(StatisticsError):
        Resampling(**given)  # type: ignore[arg-type]


def test_numbers_of_numpy_are_seeds() -> None:
    assert Resampling(np.int64(3)).seed == 3  # type: ignore[arg-type]


def test_words_for_cells() -> None:
    assert join_notes("a", "", "b", "a") == "a; b"
    assert join_notes("", "") is None
    assert note_of(Estimate(None, 0, VALUE.interval, "no pair")) == "no pair"
    assert count_kinds(["timeout", "refusal", "timeout"]) == "refusal 1, timeout 2"
    assert count_kinds([]) is None
    assert copies_notes(tiny_records()) == ()


def test_the_room_loads_no_heavy_package() -> None:
    code = "import sys, revkit.figures; print({'numpy', 'scipy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_a_table_warns_of_few_papers_or_of_its_short_intervals() -> None:
    rows: list[dict[str, Cell]] = [{"agent": "a", "short": "rate, gain"}, {"agent": "b"}]

    def name(row: Mapping[str, Cell]) -> str:
        return str(row["agent"])

    few = Share().imprecise(19, rows, name)
    assert [each.text for each in few] == [
        "Only 19 papers: intervals from resampling may be too short."
    ]
    enough = Share().imprecise(20, rows, name)
    assert len(enough) == 1
    assert enough[0].text.endswith("tables/share.csv (of 2 rows: rate in 1, gain in 1).")
    assert Share().imprecise(20, rows[1:], name) == ()


def test_a_warning_counts_the_rows_of_each_figure() -> None:
    rows: list[dict[str, Cell]] = [
        {"agent": f"a{number}, part", "short": "rate" if number else None} for number in range(8)
    ]

    def name(row: Mapping[str, Cell]) -> str:
        return str(row["agent"])

    (many,) = Share().imprecise(20, rows, name)
    assert many.text.endswith("tables/share.csv (of 8 rows: rate in 7).")
    (two,) = Share().imprecise(20, rows[:3], name)
    assert two.text.endswith("tables/share.csv (of 3 rows: rate in 2).")


def test_a_sentence_names_what_a_share_is_of_and_which_way_verdicts_move() -> None:
    assert share_of(0.057, 145, "pair") == "5.7% of 145 pairs"
    assert share_of(1.0, 1, "pair") == "100.0% of 1 pair"
    assert share_of(0.5, 1_200, "family", "families") == "50.0% of 1,200 families"
    assert towards(0.02) == "towards accept (more lenient)"
    assert towards(-0.02) == "towards reject (stricter)"
    assert towards(0.0) == "neither way"
