"""Dose beside flip rates, and the rows of each direction, counted by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from revkit.model.records import Records, VariantRow
from revkit.model.table import Cell, Table
from revkit_robustrev.metrics import FlipRate
from revkit_robustrev.metrics.doses import LOWER_BOUND

DOSES = {"a": 0.02, "b": 0.10, "c": 0.06}
WAYS = {"a": "add", "b": "remove", "c": "add"}


def variant(paper: str, family: str) -> VariantRow:
    return VariantRow(
        *(paper, family, 0, 4, 0, ()),
        direction=WAYS[paper] if family == "citations" else "",
        words_changed=10,
        words_moved=3,
        dose=DOSES[paper],
        sentences=2 * DOSES[paper],
        distance=0.01 if family == "rewording" and paper != "c" else None,
    )


@pytest.fixture
def dosed(small: Records) -> Records:
    """The small records, with "citations" in two directions: "add" on a and c, "remove" on b."""
    variants = [variant(p, f) for p in "abc" for f in ("rewording", "citations")]
    return replace(small, variants=[*variants, small.variants[-1]])


def rows(table: Table, **match: Cell) -> list[dict[str, Cell]]:
    found = table.records()
    return [dict(row) for row in found if all(row[key] == cell for key, cell in match.items())]


def test_median_and_tenth_percentile_over_papers(dosed: Records) -> None:
    (row,) = rows(FlipRate().measure(dosed), agent="points", family="rewording", statistic="rate")
    assert row["dose_median"] == pytest.approx(0.06)
    assert row["dose_p10"] == pytest.approx(np.percentile([0.02, 0.06, 0.10], 10))
    assert row["dose_p10"] == pytest.approx(0.028)
    assert row["dose_sentences_median"] == pytest.approx(0.12)
    assert (row["dose_edits_median"], row["dose_words_moved_median"]) == (4, 3)
    assert (row["distance_median"], row["dose_papers"]) == (pytest.approx(0.01), 3)


def test_several_variants_of_a_paper_count_with_their_mean(dosed: Records) -> None:
    more = replace(variant("a", "rewording"), index=1, dose=0.04)
    records = replace(dosed, variants=[*dosed.variants, more])
    (row,) = rows(FlipRate().measure(records), agent="points", family="rewording")
    assert row["dose_p10"] == pytest.approx(np.percentile([0.03, 0.06, 0.10], 10))


def test_rejected_variants_have_no_dose(dosed: Records) -> None:
    (row,) = rows(FlipRate().measure(dosed), agent="points", family="citations", statistic="rate")
    assert row["dose_papers"] == 3


def test_a_dose_that_is_not_known_is_an_empty_cell(small: Records) -> None:
    for row in rows(FlipRate().measure(small)):
        assert (row["dose_median"], row["dose_p10"], row["dose_edits_median"]) == (None,) * 3
        assert row["dose_papers"] == 0


@pytest.mark.parametrize(
    ("agent", "direction", "valid", "flips", "dose"),
    [("points", "add", 2, 2, 0.04), ("points", "remove", 1, 1, 0.10),
     ("harsh", "add", 2, 1, 0.04), ("harsh", "remove", 1, 0, 0.10)],
)  # fmt: skip
def test_each_direction_has_its_own_row(
    dosed: Records, agent: str, direction: str, valid: int, flips: int, dose: float
) -> None:
    table = FlipRate().measure(dosed)
    (row,) = rows(table, agent=agent, direction=direction, statistic="rate of a direction")
    assert (row["family"], row["pairs"], row["valid"], row["flips"]) == (
        *("citations", valid, valid), flips,
    )  # fmt: skip
    assert (row["papers"], row["rate"]) == (valid, flips / valid)
    assert (row["cluster_low"] is None) == (valid == 1)  # one paper has no interval
    assert row["dose_median"] == pytest.approx(dose)
    assert row["rejected"] is None


def test_the_mean_of_agents_by_direction(dosed: Records) -> None:
    mean = {"agent": "all agents", "statistic": "mean of agents, a direction"}
    (row,) = rows(FlipRate().measure(dosed), direction="add", **mean)
    assert (row["rate"], row["papers"]) == (pytest.approx((1 + 0.5) / 2), 2)


def test_directions_move_no_other_row(dosed: Records) -> None:
    plain = replace(dosed, variants=[replace(row, direction="") for row in dosed.variants])
    whole = FlipRate().measure(dosed).records()
    others = [row for row in whole if not row["direction"]]
    assert others == FlipRate().measure(plain).records()
    assert len(whole) == len(others) + 6


def test_the_lower_bound_and_the_directions_are_stated(dosed: Records) -> None:
    table = FlipRate().measure(dosed)
    assert LOWER_BOUND in table.notes
    assert LOWER_BOUND in table.method
    _, worst, ways, limit = table.findings
    # harsh has no rank, so its rate is not in the list.
    assert worst.text.endswith("points under citations, 100.0% [29.2, 100.0]* of 3 pairs.")
    assert limit.part == "limit"
    assert limit.text.count(LOWER_BOUND) == 1
    assert ways.place == "section"
    assert "citations: add 75.0%" in ways.text
