"""The leakage test: against SciPy, on planted leaks, and its level without any."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.stats import ttest_ind

from revkit.contracts import Curve
from revkit.errors import OptionError, StatisticsError
from revkit.model.paper import Labels
from revkit.model.records import AgentRow, Anchors, FittedMap, PaperRow, Records, Verdict
from revkit.model.review import Scale
from revkit.model.values import Json
from revkit.testing import check_component, tiny_records
from revkit_asc.bank.corpus import embedded_bank
from revkit_asc.bank.leakage import AnchorError, Leakage, old_against_fresh
from revkit_asc.bank.leakage_metric import AnchorLeakage

ANCHORS = embedded_bank().bank.anchors

AGENTS = ("g1", "g2", "g3", "g4", "g5", "g6")


def rows(old: list[float], fresh: list[float], tier: str = "major") -> list[AnchorError]:
    return [AnchorError(tier, False, e) for e in old] + [AnchorError(tier, True, e) for e in fresh]


def one(errors: list[AnchorError]) -> Leakage:
    [result] = old_against_fresh({"agent": errors})
    return result


def test_one_tier_is_the_test_of_welch() -> None:
    old, fresh = [3.0, 8.0, 1.0, 6.0, 4.5], [9.0, 14.0, 6.0, 11.5]
    found = one(rows(old, fresh))
    expected = ttest_ind(fresh, old, equal_var=False, alternative="greater")
    both = ttest_ind(fresh, old, equal_var=False).confidence_interval(0.95)
    assert found.excess == pytest.approx(10.125 - 4.5)
    assert found.p == found.p_holm == pytest.approx(expected.pvalue, rel=1e-9)
    assert (found.low, found.high) == pytest.approx((both.low, both.high), rel=1e-9)
    assert (found.old, found.fresh) == (5, 4)


def test_tiers_are_compared_within_themselves() -> None:
    """Fresh anchors lie in a tier of large errors: no leak, though the plain means differ by far.

    By hand: each tier has excess 0, and its variances 1/2 + 1/3 and 1/3 + 1/2 (errors 1, 2, 3 have
    variance 1; errors 1, 3 have 2, whose mean over two has 1).
    """
    errors = [
        *rows([1, 2, 3, 1, 2, 3], [1, 3], "none"),
        *rows([21, 23], [21, 22, 23, 21, 22, 23], "reject"),
    ]
    found = one(errors)
    assert found.excess == pytest.approx(0.0)
    assert found.p == pytest.approx(0.5)
    plain = ttest_ind([1, 3, 21, 22, 23, 21, 22, 23], [1, 2, 3, 1, 2, 3, 21, 23],
                      equal_var=False, alternative="greater")  # fmt: skip
    assert plain.pvalue < 0.1


def test_a_planted_leak_is_found_and_corrected_for_six_agents() -> None:
    found = {}
    for seed in range(5):
        tiers = np.arange(240) % 4
        fresh = np.arange(240) // 4 % 10 == 0  # 24 of 240, six in each tier
        rng = np.random.default_rng(seed)
        errors = {}
        for agent in AGENTS:
            error = np.abs(rng.normal(0, 14, 240))
            if agent == "g2":
                error[~fresh] = np.abs(rng.normal(0, 3, 216))
            errors[agent] = [
                AnchorError(str(tier), bool(new), float(size))
                for tier, new, size in zip(tiers, fresh, error, strict=True)
            ]
        results = old_against_fresh(errors)
        assert [result.agent for result in results] == list(AGENTS)
        for result in results:
            assert result.p is not None
            assert result.p_holm is not None
            assert result.p <= result.p_holm <= min(1.0, 6 * result.p)
            found.setdefault(result.agent, []).append(result.p_holm < 0.05)
    assert sum(found.pop("g2")) == 5
    assert sum(sum(each) for each in found.values()) <= 2


def test_without_a_leak_one_agent_in_twenty_is_flagged() -> None:
    """Level of the one-sided test on 400 draws: at most 5 % and three standard deviations."""
    rng = np.random.default_rng(1)
    flagged = 0
    for _ in range(400):
        errors = np.abs(rng.normal(0, 10, 80))
        made = [AnchorError("x", n < 16, float(e)) for n, e in enumerate(errors)]
        p = one(made).p
        assert p is not None
        flagged += p <= 0.05
    assert flagged <= 400 * 0.05 + 3 * math.sqrt(400 * 0.05 * 0.95)


def test_what_cannot_be_tested_says_why() -> None:
    assert one([]).note == "no anchors"
    lonely = one(rows([1.0, 2.0], [3.0]))
    assert (lonely.excess, lonely.p) == (None, None)
    assert lonely.note == "fewer than two old or fresh anchors in: major"
    flat = one(rows([1.0, 1.0], [3.0, 3.0]))
    assert (flat.excess, flat.p, flat.low) == (2.0, None, None)
    assert flat.note == "all errors of a tier are equal: no test"
    part = one([*rows([1.0, 2.0], [3.0, 5.0]), *rows([9.0], [1.0], "none")])
    assert (part.old, part.fresh) == (2, 2)
    assert part.note == "fewer than two old or fresh anchors in: none"
    assert old_against_fresh({}) == []
    with pytest.raises(StatisticsError, match="confidence"):
        old_against_fresh({}, confidence=1.0)


class Straight(Curve):
    """The identity, so that errors can be read off the scores."""

    def __call__(self, raw):  # type: ignore[no-untyped-def]
        return list(raw)

    def to_json(self) -> Json:
        return {}


def run_with(scores: Any) -> Records:
    """Records whose agents gave each anchor (quarter, consensus, first score, second score)."""
    scale = Scale("s-0-100", 0, 100, higher_is_better=False)
    rows = next(iter(scores.values()))
    papers = [
        PaperRow(str(n), Labels(severity=row[1], tier="minor", extra={"introduced": row[0]}))
        for n, row in enumerate(rows)
    ]
    verdicts = [
        Verdict(agent, str(n), "", 0, call, None, row[2 + call])
        for agent, rows in scores.items()
        for n, row in enumerate(rows)
        for call in (0, 1)
    ]
    maps = [FittedMap(agent, "plain", "identity", Straight()) for agent in scores]
    return replace(
        tiny_records(),
        agents=[AgentRow(agent, agent, scale, True) for agent in scores],
        anchors=Anchors(papers, verdicts, maps, repeats=2),
    )


def test_the_metric_compares_by_quarter_and_averages_calls() -> None:
    check_component(AnchorLeakage)
    old = [("2026-Q1", 30.0, 30 + 2 * e, 30.0) for e in (3.0, 8.0, 1.0, 6.0, 4.5)]
    fresh = [("2026-Q2", 60.0, 60 - 2 * e, 60.0) for e in (9.0, 14.0, 6.0, 11.5)]
    records = run_with({"a": old + fresh, "b": fresh + old})
    table = AnchorLeakage().measure(records)
    first, second = table.records()
    expected = ttest_ind(
        [9.0, 14.0, 6.0, 11.5], [3.0, 8.0, 1.0, 6.0, 4.5], equal_var=False, alternative="greater"
    )
    assert first["excess"] == pytest.approx(5.625)
    assert first["p"] == pytest.approx(expected.pvalue, rel=1e-9)
    assert first["p_holm"] == pytest.approx(2 * expected.pvalue, rel=1e-9)
    assert (first["old"], first["fresh"], first["map"]) == (5, 4, "plain")
    assert second["agent"] == "b"
    assert table.notes[0].startswith("Fresh: in use since 2026-Q2")


def test_the_metric_says_where_nothing_can_be_compared() -> None:
    assert "no calibration" in AnchorLeakage().measure(tiny_records()).notes[0]
    same = run_with({"a": [("2026-Q1", 10.0, 11.0, 12.0)] * 4})
    table = AnchorLeakage().measure(same)
    assert "All anchors are fresh, so nothing can be compared." in table.notes
    [row] = table.records()
    assert (row["p"], row["note"]) == (None, "fewer than two old or fresh anchors in: minor")
    unknown = run_with({"a": [("", 10.0, 11.0, 12.0)] * 4})
    assert "all count as old" in AnchorLeakage().measure(unknown).notes[0]
    refused = replace(
        same,
        anchors=replace(
            same.anchors,  # type: ignore[type-var]
            maps=[FittedMap("a", "plain", "identity", None, "anti_correlated")],
        ),
    )
    [row] = AnchorLeakage().measure(refused).records()
    assert row["note"] == "no map: anti_correlated"
    with pytest.raises(OptionError, match="plain"):
        AnchorLeakage(map="plan").measure(same)
    with pytest.raises(OptionError, match="quarter"):
        AnchorLeakage(fresh_since="spring")
