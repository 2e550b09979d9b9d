"""Tables that compare: with a reference, before and after, by venue. Every figure by hand."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
import scipy.stats

from revkit.errors import OptionError
from revkit.testing import tiny_records
from revkit_reviewbench.dimensions import NAMES
from revkit_reviewbench.metrics import BenchChange, BenchDifference, BenchScores, BenchVenues
from revkit_reviewbench.metrics.bench_change import NO_PAIRS
from revkit_reviewbench.metrics.review_scores import NO_REVIEWS
from tests.plugins.revkit_reviewbench.bench_records import judged

ALL = [name.replace("-", "_") for name in NAMES]


def rows(metric: Any, records: Any, **where: Any) -> list[dict[str, Any]]:
    return [
        row
        for row in metric.measure(records).records()
        if all(row[key] == value for key, value in where.items())
    ]


FULL: dict[Any, list[float | str]] = {
    ("full", "p1"): [2, 1, 1, 0, 1, 1, 2, 0],  # 8
    ("full", "p2"): [2, 2, 2, 2, 2, 2, 2, 0],  # 14
    ("less", "p1"): [1, 0, 1, 0, 1, 0, 2, -1],  # 4
    ("less", "p2"): [2, 2, 0, 2, 2, 2, 2, 0],  # 12
    ("less", "p3"): [0, 0, 0, 0, 0, 0, 0, 0],  # the reference has no review of it
    ("lost", "p1"): ["timeout", 1, 1, 1, 1, 1, 1, 0],
}


def test_differences_are_on_shared_papers_and_add_up() -> None:
    table = BenchDifference(resamples=500, reference="full").measure(judged(FULL))
    less, lost = table.records()
    assert (less["agent"], less["mean"], less["reference"]) == ("less", 8.0, 11.0)
    assert (less["difference"], less["shared"], less["n"]) == (-3.0, 2, 2)
    # Two papers: a resample is p1 twice (-4), p2 twice (-2) or both (-3); the ends are -4 and -2.
    assert (less["difference_low"], less["difference_high"]) == (-4.0, -2.0)
    assert [less[name] for name in ALL] == [-0.5, -0.5, -1, 0, 0, -0.5, 0, -0.5]
    assert sum(less[name] for name in ALL) == less["difference"]
    assert (lost["agent"], lost["difference"], lost["n"]) == ("lost", None, 0)
    assert "no paper has complete reviews of both" in lost["note"]
    assert any("Differences are from 'full'" in note for note in table.notes)


def test_the_gain_as_a_share_has_an_interval() -> None:
    (less,) = rows(BenchScores(resamples=500, reference="full"), judged(FULL), agent="less")
    # On the two shared papers: 11 over 8; on p1 alone 8 over 4, on p2 alone 14 over 12.
    assert (less["gain"], less["gain_share"]) == (3.0, 11 / 8 - 1)
    assert (less["gain_share_low"], less["gain_share_high"]) == pytest.approx((14 / 12 - 1, 1.0))


def test_without_a_name_the_best_is_the_reference() -> None:
    table = BenchDifference(resamples=200).measure(judged(FULL))
    assert {row["agent"] for row in table.records()} == {"less", "lost"}
    assert any("name a reference in advance" in note for note in table.notes)


def test_in_a_sweep_the_reference_is_that_of_the_point() -> None:
    scores = {
        (f"by={point}/{agent}", paper): [value, 0, 0, 0, 0, 0, 0, 0]
        for point, agent, value in (("x", "a", 2), ("x", "b", 1), ("y", "a", 1), ("y", "b", 1))
        for paper in ("p1", "p2")
    }
    own = rows(BenchDifference(resamples=200, reference="a"), judged(scores))
    assert {row["agent"]: row["difference"] for row in own} == {"by=x/b": -1.0, "by=y/b": 0.0}
    named = rows(BenchDifference(resamples=200, reference="by=x/a"), judged(scores))
    assert {row["agent"]: row["difference"] for row in named} == {
        "by=x/b": -1.0, "by=y/a": -1.0, "by=y/b": -1.0,
    }  # fmt: skip
    for reference in ("c", "x/a", "/a"):
        with pytest.raises(OptionError, match="unknown agent"):
            BenchDifference(reference=reference).measure(judged(scores))


def test_p_values_are_exact_and_corrected_for_all_comparisons() -> None:
    rng = random.Random(4)
    papers = [f"p{i}" for i in range(9)]
    levels = [[rng.choice([0, 1, 2]) for _ in range(7)] + [0] for _ in papers]
    scores: dict[Any, list[float | str]] = {}
    for number, paper in enumerate(papers):
        scores["full", paper] = [*levels[number]]
        scores["a", paper] = [*(max(0, level - 1) for level in levels[number][:7]), -1]
        scores["b", paper] = [*reversed(levels[number][:7]), 0]
    table = BenchDifference(resamples=100, reference="full").measure(judged(scores))
    found = {row["agent"]: row for row in table.records()}

    def exact(agent: str, places: Sequence[int]) -> float | None:
        moved = [
            sum(float(scores[agent, p][i]) - float(scores["full", p][i]) for i in places)
            for p in papers
        ]
        if sum(each != 0 for each in moved) < 6:
            return None
        return float(
            scipy.stats.permutation_test(
                (moved,), lambda x, axis: x.sum(axis=axis), permutation_type="samples",
                n_resamples=np.inf,
            ).pvalue
        )  # fmt: skip

    def corrected(values: Mapping[Any, float | None]) -> dict[Any, float | None]:
        known = sorted((p, key) for key, p in values.items() if p is not None)
        highest, adjusted = 0.0, dict.fromkeys(values)
        for rank, (p, key) in enumerate(known):
            highest = max(highest, min(1.0, (len(known) - rank) * p))
            adjusted[key] = highest
        return adjusted

    overall = corrected({agent: exact(agent, range(8)) for agent in "ab"})
    assert {agent: found[agent]["p_holm"] for agent in "ab"} == pytest.approx(overall)
    single = corrected({(a, name): exact(a, [i]) for a in "ab" for i, name in enumerate(ALL)})
    assert {(a, name): found[a][f"{name}_p"] for a in "ab" for name in ALL} == pytest.approx(single)
    assert min(value for value in single.values() if value is not None) > 0.0039
    assert None in single.values()


ATTACKED: dict[Any, list[float | str]] = {
    ("a", "p1"): [2, 1, 1, 0, 1, 1, 2, 0],  # 8
    ("a", "p2"): [1, 1, 0, 0, 1, 1, 2, 0],  # 6
    ("a", "p3"): [1, 1, 1, 1, 1, 1, 1, 0],
    ("a", "p1", "x"): [1, 1, 0, 0, 1, 1, 2, -1],  # 5
    ("a", "p2", "x"): [2, 1, 0, 0, 1, 1, 2, 0],  # 7
    ("a", "p3", "x"): [1, 1, 1, "timeout", 1, 1, 1, 0],  # no pair
    ("b", "p1"): [1, 1, 1, 1, 1, 1, 1, 0],
}
RATINGS = {("a", "p1"): 5.0, ("a", "p2"): 4.0, ("a", "p1", "x"): 9.0, ("a", "p2", "x"): 10.0}
TALLIES = {
    "a": {
        "": {"planned": 4, "failed": 1, "empty": 0},
        "x": {"planned": 4, "failed": 0, "empty": 1},
    },
    "b": {"": {"planned": 1, "failed": 0, "empty": 0}},
}


def test_before_and_after() -> None:
    records = judged(ATTACKED, tallies=TALLIES, ratings=RATINGS)
    (row,) = rows(BenchChange(resamples=500), records)
    assert (row["agent"], row["perturbation"]) == ("a", "x")
    assert (row["before"], row["after"], row["change"]) == (7.0, 6.0, -1.0)
    assert (row["change_low"], row["change_high"]) == (-3.0, 1.0)  # p1 alone, p2 alone
    assert (row["rose"], row["fell"], row["n"], row["papers"]) == (1, 1, 2, 2)
    assert row["lost"] == 2  # of four asked for: one without text, one without a score
    changes = [row[f"{name}_change"] for name in ALL]
    assert changes == [0.0, 0.0, -0.5, 0.0, 0.0, 0.0, 0.0, -0.5]
    assert math.fsum(changes) == row["change"]
    core = [row[f"core_contribution_accuracy_{end}"] for end in ("before", "after")]
    assert core == [1.5, 1.5]
    assert (row["rating_before"], row["rating_after"], row["rating_change"]) == (4.5, 9.5, 5.0)


def test_scores_of_an_attack_stand_beside_those_before() -> None:
    records = judged(ATTACKED, tallies=TALLIES)
    found = rows(BenchScores(resamples=200, reference="a"), records)
    by_kind = {(row["agent"], row["perturbation"]): row for row in found}
    assert list(by_kind) == [("a", "unchanged"), ("a", "x"), ("b", "unchanged")]
    assert (by_kind["a", "unchanged"]["planned"], by_kind["a", "unchanged"]["failed"]) == (4, 1)
    assert (by_kind["a", "x"]["overall"], by_kind["a", "x"]["incomplete"]) == (6.0, 1)
    assert by_kind["b", "unchanged"]["gain"] == 1.0  # 8 - 7, on p1
    table = BenchScores(resamples=200).measure(records)
    assert "perturbation" not in table.fine
    assert "perturbation" in BenchScores(resamples=200).measure(judged(FULL)).fine


def test_without_pairs_or_reviews_it_says_so() -> None:
    assert BenchChange().measure(judged(FULL)).notes[0] == NO_PAIRS
    for metric in (BenchChange(), BenchDifference(), BenchVenues()):
        table = metric.measure(tiny_records())
        assert table.rows == ()
        assert NO_REVIEWS in table.notes


def test_by_venue() -> None:
    venues = {"p1": "Alder", "p2": "Birch", "p3": "Birch"}
    table = BenchVenues(resamples=200).measure(judged(FULL, venues=venues))
    rows = {(row["agent"], row["venue"]): row for row in table.records()}
    assert [venue for agent, venue in rows if agent == "less"] == ["all venues", "Alder", "Birch"]
    assert [rows["less", venue]["overall"] for venue in ("all venues", "Alder", "Birch")] == [
        16 / 3, 4.0, 6.0,
    ]  # fmt: skip
    assert [rows["less", venue]["n"] for venue in ("all venues", "Alder", "Birch")] == [3, 1, 2]
    assert (rows["lost", "Alder"]["overall"], rows["lost", "Alder"]["incomplete"]) == (None, 1)
    assert rows["lost", "Birch"]["n"] == 0
    assert rows["less", "Birch"]["core_contribution_accuracy"] == 1.0


def test_venues_of_unchanged_papers_only() -> None:
    table = BenchVenues(resamples=200).measure(judged(ATTACKED, tallies=TALLIES))
    rows = {(row["agent"], row["venue"]): row["n"] for row in table.records()}
    assert rows == {
        ("a", "all venues"): 3, ("a", "no venue"): 3, ("b", "all venues"): 1, ("b", "no venue"): 1,
    }  # fmt: skip
    assert any("names a venue" in note for note in table.notes)
