"""The calibration table, by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import scipy.stats

from revkit.contracts import Curve
from revkit.errors import OptionError, RevkitError
from revkit.model.records import Records
from revkit.model.table import Table
from revkit_asc.calibrators import MonotoneSpline
from revkit_asc.metrics import Calibration

CONSENSUS = [10.0, 30.0, 50.0, 90.0]
Build = Callable[..., Records]


class Scaled(Curve):
    """Raw scores times ``slope``."""

    def __init__(self, slope: float) -> None:
        self.slope = slope

    def __call__(self, raw: Any) -> Any:
        return self.slope * np.asarray(raw, dtype=float)

    def to_json(self) -> float:
        return self.slope


def rows(table: Table) -> dict[Any, dict[str, Any]]:
    return {row["setting"]: row for row in table.records()}


def test_raw_scores_by_hand(four: Records) -> None:
    """|a - b| is 20, 5, 35, 40; the errors of a 10, 10, 10, 30 and of b 10, 5, 25, 10."""
    raw = rows(Calibration().measure(four))["raw"]
    assert raw["d"] == pytest.approx(25.0)
    assert raw["mae"] == pytest.approx((15.0 + 12.5) / 2)
    assert raw["rmse"] == pytest.approx(((1200 / 4 + 850 / 4) / 2) ** 0.5)
    assert (raw["items"], raw["agents"], raw["pairs"], raw["left_out"]) == (4, 2, 1, 0)
    assert raw["d_sd"] is None
    assert raw["reduction"] is None
    a = scipy.stats.pearsonr([20, 20, 40, 60], CONSENSUS).statistic
    b = scipy.stats.pearsonr([0, 25, 75, 100], CONSENSUS).statistic
    mean = scipy.stats.pearsonr([10, 22.5, 57.5, 80], CONSENSUS).statistic
    assert raw["r_best"] == pytest.approx(max(a, b))
    assert raw["best_agent"] == ("a" if a > b else "b")
    assert raw["r_single"] == pytest.approx((a + b) / 2)
    assert raw["r_mean"] == pytest.approx(mean)


def test_calibrated_scores_by_hand(four: Records) -> None:
    """a becomes 10, 10, 50, 90: |a - b| is 10, 15, 25, 10. Two of eight scores lie below 25."""
    line = rows(Calibration().measure(four))["line"]
    assert line["d"] == pytest.approx(15.0)
    assert line["reduction"] == pytest.approx(40.0)
    assert line["mae"] == pytest.approx((5.0 + 12.5) / 2)
    assert line["mae_mean"] == pytest.approx((5 + 12.5 + 12.5 + 5) / 4)
    # cov / var: 3800 / 4400 and 4500 / 6250.
    assert line["slope"] == pytest.approx((3800 / 4400 + 4500 / 6250) / 2)
    spread = (
        np.std([10, 10, 50, 90]) / np.std(CONSENSUS),
        np.std([0, 25, 75, 100]) / np.std(CONSENSUS),
    )
    assert line["spread"] == pytest.approx(sum(spread) / 2)
    assert line["extrapolated"] == pytest.approx(2 / 8)
    assert line["calibrator"] == "line"


def test_mean_of_raw_agents_is_a_row_of_its_own(four: Records) -> None:
    """10, 22.5, 57.5, 80 against 10, 30, 50, 90: errors 0, 7.5, 7.5, 10."""
    mean = rows(Calibration().measure(four))["raw, mean of agents"]
    assert mean["d"] is None
    assert mean["mae"] == pytest.approx(6.25)
    assert mean["scores"] == "one score"
    assert mean["agents"] == 2
    assert "D is not defined for a single score" in mean["note"]


def test_oracle_floor_by_hand(four: Records) -> None:
    """a pools its two 20s to consensus 20; b is in order already."""
    floor = rows(Calibration().measure(four))["oracle floor"]
    assert floor["d"] == pytest.approx((10 + 10 + 0 + 0) / 4)
    assert floor["mae"] == pytest.approx(2.5)
    assert floor["rmse"] == pytest.approx(5.0)
    assert floor["slope"] == pytest.approx(1.0)


def test_disagreement_never_stands_alone(four: Records) -> None:
    table = Calibration().measure(four)
    shown = {column.name for column in table.columns} - set(table.fine)
    assert {"d", "d_low", "d_high", "mae", "r_best", "r_mean", "spread", "slope"} <= shown
    assert table.headline


def test_what_is_left_out_is_counted(build: Build) -> None:
    records = build(
        [10.0, 30.0, 50.0, None, 70.0, 80.0],
        {
            "a": [20.0, 20.0, 40.0, 50.0, 60.0, 70.0],
            "b": [10.0, "timeout", None, 50.0, 70.0, 80.0],
        },
        {"line": {"a": Scaled(1.0), "b": Scaled(1.0)}},
        anchors=[10.0],
        digests=["1", "2", "3", "4", "anchor 0", "6"],
    )
    table = Calibration().measure(records)
    raw = rows(table)["raw"]
    assert (raw["items"], raw["left_out"], raw["unscored"]) == (2, 2, 2)
    assert raw["note"].startswith("1 no score, 1 timeout")
    text = " ".join(table.notes)
    assert "4 held-out items with a consensus; 1 without one are left out; 1 with the text" in text


def test_refused_agent_is_named_and_compared_like_with_like(build: Build) -> None:
    """Without c the raw scores differ by 10 on both items, the maps by 5."""
    half = Scaled(0.5)
    records = build(
        [10.0, 90.0],
        {"a": [20.0, 60.0], "b": [30.0, 70.0], "c": [90.0, 10.0]},
        {"line": {"a": half, "b": half, "c": "anti_correlated: c runs against the anchors"}},
    )
    table = Calibration().measure(records)
    line = rows(table)["line"]
    assert (line["agents"], line["refused"]) == (2, 1)
    assert line["d"] == pytest.approx(5.0)
    assert line["reduction"] == pytest.approx(50.0)
    assert "no map: c" in line["note"]
    assert any("anti_correlated: c runs against" in note for note in table.notes)
    assert rows(table)["raw"]["agents"] == 3


def test_agent_without_any_score_leaves_figures_undefined(build: Build) -> None:
    records = build([10.0, 90.0], {"a": [1.0, 2.0], "b": ["refusal", "refusal"]})
    raw = rows(Calibration().measure(records))["raw"]
    assert raw["items"] == 0
    assert raw["d"] is None
    assert "2 refusal" in raw["note"]
    assert "no item that all agents scored" in raw["note"]
    kept = rows(Calibration(without=("b",)).measure(records))["raw"]
    assert kept["d"] is None
    assert kept["mae"] == pytest.approx((9 + 88) / 2)


def test_constant_scores_have_no_disagreement_and_no_slope(build: Build) -> None:
    records = build([10.0, 90.0, 40.0], {"a": [50.0] * 3, "b": [50.0] * 3})
    raw = rows(Calibration().measure(records))["raw"]
    assert raw["d"] == 0.0
    assert raw["spread"] == 0.0
    assert raw["slope"] is None
    assert raw["r_mean"] is None


def test_repeated_calls_have_rows_of_their_own(build: Build) -> None:
    """First calls 20 and 40 against 10 and 60; means of two calls 30 and 40 against 20 and 70."""
    records = build(
        [10.0, 90.0],
        {"a": [[20.0, 40.0], [40.0, 40.0]], "b": [[10.0, 30.0], [60.0, 80.0]]},
        {"line": {"a": Scaled(1.0), "b": Scaled(1.0)}},
        repeats=2,
    )
    found = rows(Calibration().measure(records))
    assert found["raw"]["d"] == pytest.approx((10 + 20) / 2)
    for name in ("raw", "line"):
        several = found[f"{name}, mean of 2 calls"]
        assert several["calls"] == 2
        assert several["d"] == pytest.approx((10 + 30) / 2)
    assert "oracle floor, mean of 2 calls" in found


def test_without_names_agents_of_the_run(four: Records) -> None:
    with pytest.raises(OptionError, match="no agent is called 'z'"):
        Calibration(without=("z",)).measure(four)
    assert rows(Calibration(without=("b",)).measure(four))["raw"]["agents"] == 1


def test_map_without_numbers_is_an_error(build: Build) -> None:
    records = build([10.0, 90.0], {"a": [20.0, 60.0]}, {"line": {"a": Scaled(float("nan"))}})
    with pytest.raises(RevkitError, match="no finite scores"):
        Calibration().measure(records)


def fitted(build: Build, count: int = 160) -> Records:
    """Two noisy agents with monotone splines fitted on anchors of four tiers and two topics."""
    rng = np.random.default_rng(5)
    tiers = ["none", "minor", "major", "reject"] * (count // 4)
    severity = np.array([12.0, 37.0, 62.0, 87.0] * (count // 4)) + rng.uniform(-12, 12, count)
    held = rng.uniform(0, 100, count)
    scores, anchor_scores, maps = {}, {}, {}
    for j, name in enumerate(("a", "b")):
        on_anchors = np.round(np.clip(20 + 0.5 * severity + rng.normal(0, 5, count), 0, 100))
        anchor_scores[name] = on_anchors.tolist()
        scores[name] = np.round(np.clip(20 + 0.5 * held + rng.normal(0, 5, count), 0, 100)).tolist()
        maps[name] = MonotoneSpline(knots=4 + j).fit(on_anchors, severity)
    return build(
        held.tolist(), scores, {"spline": maps}, anchors=severity.tolist(),
        anchor_scores=anchor_scores, tiers=tiers, topics=["x", "y"] * (count // 2),
    )  # fmt: skip


def test_opt_in_rows(build: Build) -> None:
    records = fitted(build)
    plain = rows(Calibration().measure(records))
    assert not [name for name in plain if "," in name and not name.startswith("raw")]
    found = rows(Calibration(prior="stream", panel=True).measure(records))
    spline = found["spline"]
    assert found["spline, half-shrunk to the panel"]["d"] == pytest.approx(spline["d"] / 2)
    # D halves with every refit, so both parts of its interval do; the other rows state their limit.
    half = found["spline, half-shrunk to the panel"]
    assert half["refits"] == spline["refits"]
    for end in ("d_low", "d_high"):
        assert half["d"] - half[end] == pytest.approx((spline["d"] - spline[end]) / 2, rel=0.02)
    assert half["d_low"] < half["d_items_low"]
    assert "maps as fitted" in str(found["spline, stream prior"]["note"])
    assert found["spline, mean of agents"]["mae"] == pytest.approx(spline["mae_mean"])
    assert found["spline, stacked"]["d"] is None
    assert found["spline, stacked"]["mae"] < spline["mae"]
    assert found["spline, stream prior"]["note"].startswith("mix major ")
    assert found["spline, stream prior"]["d"] is not None


def test_topic_offsets_need_topics_on_the_anchors(build: Build) -> None:
    """The anchors here name no topic, so every agent is refused, and one sentence says why."""
    table = Calibration(topics=True).measure(fitted(build))
    row = rows(table)["spline, topic offsets"]
    assert (row["agents"], row["refused"], row["d"]) == (0, 2, None)
    assert any("no map for a, b (the anchors name no topics)" in note for note in table.notes)


def test_topic_offsets_take_out_what_an_agent_adds_to_a_topic(build: Build) -> None:
    """Both agents score topic x 8 raw points (16 of the consensus) higher, in opposite turns."""
    rng = np.random.default_rng(8)
    topics = ["x", "y"] * 60
    severity, held = rng.uniform(0, 100, 120), rng.uniform(0, 100, 120)
    inside = np.array([topic == "x" for topic in topics])
    on_anchors, scores, maps = {}, {}, {}
    for name, sign in (("a", 8.0), ("b", -8.0)):
        on_anchors[name] = 25 + severity / 2 + sign * inside
        scores[name] = (25 + held / 2 + sign * inside).tolist()
        maps[name] = MonotoneSpline().fit(on_anchors[name], severity)
    records = build(
        held.tolist(), scores, {"spline": maps}, anchors=severity.tolist(),
        anchor_scores={k: v.tolist() for k, v in on_anchors.items()}, topics=topics,
        anchor_topics=topics,
    )  # fmt: skip
    found = rows(Calibration(topics=True).measure(records))
    plain, moved = found["spline"], found["spline, topic offsets"]
    assert moved["d"] < plain["d"] / 3
    assert moved["mae"] < plain["mae"] / 2
    assert moved["items"] == plain["items"] == 120


def test_prior_of_few_anchors_is_refused_in_the_row(build: Build) -> None:
    records = fitted(build, 40)
    row = rows(Calibration(prior="stream").measure(records))["spline, stream prior"]
    assert (row["agents"], row["refused"], row["d"]) == (0, 2, None)


def test_unknown_way_for_opt_in_rows(build: Build) -> None:
    with pytest.raises(OptionError, match="did you mean 'spline'"):
        Calibration(panel=True, map="splin").measure(fitted(build, 40))


def test_checks_stand_in_the_notes(build: Build) -> None:
    """The first identity, recomputed: r(raw) - r(calibrated) corr(map, raw), largest gap."""
    records = fitted(build)
    table = Calibration().measure(records)
    (note,) = [note for note in table.notes if note.startswith("Check of the maps")]
    truth = [paper.labels.severity for paper in records.papers]
    gaps = {}
    assert records.anchors is not None
    for fit in records.anchors.maps:
        raw = [v.score for v in records.originals(fit.agent)]
        assert fit.curve is not None
        mapped = fit.curve([float(score or 0.0) for score in raw])
        r = np.corrcoef([raw, mapped, truth])
        gaps[fit.agent] = abs(r[0, 2] - r[1, 2] * r[0, 1])
    agent = max(gaps, key=lambda name: gaps[name])
    assert f"spline: largest gap {gaps[agent]:.3f} ({agent})" in note


def test_order_of_papers_and_agents_changes_no_figure(four: Records) -> None:
    turned = replace(
        four,
        papers=list(four.papers)[::-1],
        agents=list(four.agents)[::-1],
        verdicts=list(four.verdicts)[::-1],
    )
    first, second = rows(Calibration().measure(four)), rows(Calibration().measure(turned))
    for name, row in first.items():
        for key, value in row.items():
            if isinstance(value, float):
                assert second[name][key] == pytest.approx(value, rel=1e-9), (name, key)


def test_a_way_may_be_called_like_the_raw_scores(build: Build) -> None:
    half = Scaled(0.5)
    records = build(
        [10.0, 90.0],
        {"a": [20.0, 60.0], "b": [30.0, 70.0]},
        {"raw-halved": {"a": half, "b": half}},
    )
    assert rows(Calibration().measure(records))["raw-halved"]["reduction"] == pytest.approx(50.0)


class Flagged(Scaled):
    """The same with flags."""

    def __init__(self, slope: float, *flags: str) -> None:
        super().__init__(slope)
        self._flags = flags

    @property
    def flags(self) -> tuple[str, ...]:
        return self._flags


def test_flat_and_weak_maps_are_in_the_answer_and_the_warnings(build: Build) -> None:
    scores = {"a": [20.0, 20.0, 40.0, 60.0], "b": [0.0, 25.0, 75.0, 100.0]}
    maps = {
        "even": {"a": Flagged(0.09), "b": Flagged(0.05)},  # 0 to 9, and 0 to 5
        "doubtful": {"a": Flagged(1.0, "flat", "weak"), "b": Flagged(1.0, "few_anchors", "weak")},
        "good": {"a": Flagged(1.0, "few_anchors"), "b": Flagged(1.0)},
    }
    table = Calibration(refits=0).measure(build(CONSENSUS, scores, maps))
    answer = " ".join(each.text for each in table.findings)
    assert "with even maps (2 of 2 maps are flat)" in answer
    assert "with doubtful maps (1 of 2 maps is flat, 1 of 2 maps is weak)" in answer
    assert "with good maps (smaller is better)" in answer
    assert "does not show that they agree" in answer
    texts = [each.text for each in table.warnings if each.text.startswith("Of the 2 ")]
    assert [text.split()[3] for text in texts] == ["even", "doubtful"]
    assert "flat are those of a;" in texts[1] or "flat are those of a (" in texts[1]
    assert "weak are those of b (" in texts[1]
    assert not any("good" in text for text in texts)


def test_few_new_papers_make_no_map_flat(build: Build) -> None:
    maps = {"steep": {"a": Flagged(1.0), "b": Flagged(0.9)}}
    table = Calibration(refits=0).measure(build([50.0], {"a": [50.0], "b": [60.0]}, maps))
    texts = [each.text for each in table.findings] + [each.text for each in table.warnings]
    assert not any("flat" in text for text in texts)


def test_nearly_constant_scores_have_no_slope(build: Build) -> None:
    rng = np.random.default_rng(5)
    consensus = rng.uniform(20, 80, 60)
    raw = consensus + rng.uniform(-20, 20, 60)
    scores = {"a": [*raw], "b": [*raw]}
    maps = {
        "flat": {"a": Scaled(0.001), "b": Scaled(1.0)},
        "steep": {"a": Scaled(0.5), "b": Scaled(1.0)},
    }
    table = rows(Calibration(refits=0).measure(build([*consensus], scores, maps)))
    assert table["flat"]["slope"] is None
    assert "nearly constant" in str(table["flat"]["note"])
    fit = np.polyfit(raw, consensus, 1)[0]
    assert table["steep"]["slope"] == pytest.approx((fit / 0.5 + fit) / 2)
