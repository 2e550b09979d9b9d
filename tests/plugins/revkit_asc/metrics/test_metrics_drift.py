"""The drift simulation: costs and delays by hand, and the charts against what they promise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest

from revkit.errors import OptionError
from revkit.model.paper import Labels
from revkit.model.records import AgentRow, Anchors, FittedMap, PaperRow, Records, Verdict
from revkit.model.review import Scale
from revkit.model.table import Table
from revkit.stats.disagreement import item_disagreement
from revkit_asc.calibrators import Identity, Isotonic, Linear, MonotoneSpline
from revkit_asc.metrics import Drift, DriftCourse
from revkit_asc.metrics.drift import COURSE_COLUMNS, DRIFT_COLUMNS
from revkit_asc.metrics.drift_policies import NAMES, policies_of
from revkit_asc.metrics.drift_simulation import _blocks, _statistics
from revkit_asc.metrics.drift_world import GRID_HIGH, GRID_LOW, GRID_STEP, mapped

SEVERE = Scale("severity-0-100", 0, 100, higher_is_better=False)
Calibrators = Linear | MonotoneSpline | Isotonic | Identity
# Agents use a part of the scale: low end and width.
SPANS: Mapping[str, tuple[float, float]] = {"a": (20, 40), "b": (10, 60), "c": (30, 50)}


def world(
    calibrator: Calibrators, *, anchors: int = 60, items: int = 80, calls: int = 1,
    noise: float = 0.0, moved: float = 12.0, deterministic: bool = True,
    spans: Mapping[str, tuple[float, float]] = SPANS, seed: int = 0,
) -> Records:  # fmt: skip
    """Agents with a lasting error of each item; "new" scores ``moved`` points above the first."""
    rng = np.random.default_rng(seed)
    bank, held = np.linspace(0, 100, anchors), rng.uniform(0, 100, items)
    verdicts: dict[str, list[Verdict]] = {"x": [], "p": []}
    maps = []
    names = [*spans, "new"]
    kept: dict[str, Any] = {}
    for name in names:
        low, width = spans.get(name, next(iter(spans.values())))
        shift = moved if name == "new" else 0.0
        first = next(iter(spans))
        base = kept[first] if name == "new" else tuple(
            low + width * v / 100 + rng.normal(0, 3, len(v)) for v in (bank, held)
        )  # fmt: skip
        kept[name] = base
        for prefix, values, count in (("x", base[0], calls), ("p", base[1], 1)):
            given = [
                np.clip(values + shift + noise * rng.standard_normal(len(values)), 0, 100)
                for _ in range(count)
            ]
            verdicts[prefix] += [
                Verdict(name, f"{prefix}{i}", "", 0, k, None, float(scores[i]))
                for k, scores in enumerate(given)
                for i in range(len(values))
            ]
            if prefix == "x":
                fitted = calibrator.fit(np.mean(given, axis=0), bank)
                maps.append(FittedMap(name, "way", calibrator.name, fitted))
    return Records(
        seed, 1,
        [PaperRow(f"p{i}", Labels(severity=float(v))) for i, v in enumerate(held)],
        [], [AgentRow(name, "toy", SEVERE, deterministic) for name in names], [], verdicts["p"],
        anchors=Anchors(
            [PaperRow(f"x{i}", Labels(severity=float(v))) for i, v in enumerate(bank)],
            verdicts["x"], maps, {}, calls,
        ),
    )  # fmt: skip


def by_policy(table: Table) -> dict[str, dict[str, Any]]:
    return {str(row["policy"]): row for row in table.records()}


CHANGES = {"a": "new"}


def test_costs_and_delays_by_hand() -> None:
    """3 agents x 60 anchors, 90 days, change on day 37 of one agent, 1,000 reviews a day."""
    policies = tuple(name for name in NAMES if not name.startswith("cusum"))
    table = Drift(changes=CHANGES, per_day=1000, policies=policies, seeds=2).measure(
        world(Linear())
    )
    found = by_policy(table)
    calls = {
        "never": 0,
        "every 28 days": 3 * 180,
        "every 7 days": 12 * 180,
        "daily": 90 * 180,
        "rolling, 8 a day": 90 * 8 * 3,
        "new fingerprint": 60,
    }
    delays = {
        "never": None,
        "every 28 days": 56 - 37,
        "every 7 days": 42 - 37,
        "daily": 0,
        # 60 anchors take eight days: all are new from day 44 on, a map is fitted on day 49.
        "rolling, 8 a day": 49 - 37,
        "new fingerprint": 0,
    }
    assert {name: row["calls"] for name, row in found.items()} == calls
    assert {name: row["delay"] for name, row in found.items()} == delays
    for name, row in found.items():
        assert row["cost"] == pytest.approx(100 * calls[name] / 90_000)
        assert row["found"] == (0.0 if delays[name] is None else 1.0)
        assert row["alarms"] is None


def test_figures_without_wander_are_those_of_the_run() -> None:
    """Before the change D is that of the run's own maps on the drawn items, afterwards, without a
    new map, that of the old map on the moved scores."""
    records = world(Linear(), items=40)
    table = Drift(changes=CHANGES, wander=0.0, policies=("never",), seeds=1).measure(records)
    row = by_policy(table)["never"]
    assert records.anchors is not None
    curves = {m.agent: m.curve for m in records.anchors.maps}
    raw = {
        name: np.array([float(v.score or 0) for v in records.originals(name)])
        for name in ("a", "b", "c", "new")
    }
    drawn = np.random.default_rng([0, 0, 0]).integers(0, 40, 40)
    before = np.column_stack([curves[n](raw[n][drawn]) for n in ("a", "b", "c")])  # type: ignore[misc]
    after = before.copy()
    after[:, 0] = curves["a"](raw["new"][drawn])  # type: ignore[misc]
    assert row["d_before"] == pytest.approx(float(item_disagreement(before).mean()), abs=1e-6)
    for window in ("d_week", "d_until", "d_after"):
        assert row[window] == pytest.approx(float(item_disagreement(after).mean()), abs=1e-6)
    truth = np.array([float(p.labels.severity or 0) for p in records.papers])[drawn]
    assert row["mae"] == pytest.approx(float(np.abs(after - truth[:, None]).mean()), abs=1e-6)
    r = np.corrcoef(after.mean(axis=1), truth)[0, 1]
    assert row["r_mean"] == pytest.approx(float(r), abs=1e-6)
    assert row["spread"] == pytest.approx(float((after.std(axis=0) / truth.std()).mean()), abs=1e-6)


def test_course_is_the_same_simulation() -> None:
    records = world(Linear())
    options: dict[str, Any] = {"changes": CHANGES, "policies": ("every-7", "cusum-4-8"), "seeds": 2}
    drift = by_policy(Drift(**options).measure(records))
    course = DriftCourse(**options).measure(records)
    weekly = [r for r in course.records() if r["policy"] == "every 7 days"]
    assert [r["day"] for r in weekly] == list(range(1, 91))
    mean = sum(float(cast(Any, r["d"])) for r in weekly if int(cast(Any, r["day"])) < 37) / 36
    assert drift["every 7 days"]["d_before"] == pytest.approx(mean)
    (chart,) = course.charts
    assert chart.mark == (37.0, "a changes")
    assert DriftCourse(**options).measure(records) == course
    # Another simulation in between, and the same again.
    DriftCourse(**{**options, "seeds": 1}).measure(records)
    assert DriftCourse(**options).measure(replace(records)) == course


def test_policies_do_not_touch_one_another() -> None:
    records = world(Linear(), calls=2, noise=2.0, deterministic=False)
    alone = by_policy(Drift(changes=CHANGES, policies=("cusum-4-8",), seeds=2).measure(records))
    together = by_policy(
        Drift(changes=CHANGES, policies=("every-7", "cusum-4-8"), seeds=2).measure(records)
    )
    assert together["CUSUM, 4 a day, h 8"] == alone["CUSUM, 4 a day, h 8"]


def test_charts_find_the_change_and_cost_what_they_score() -> None:
    """12 raw points of a 40-point agent are 30 of the consensus: found on the first day."""
    records = world(MonotoneSpline(), calls=2, noise=2.0, deterministic=False)
    options: dict[str, Any] = {"changes": CHANGES, "policies": ("cusum-4-8",), "wander": 0.0}
    row = by_policy(Drift(**options, seeds=4, per_day=1000).measure(records))["CUSUM, 4 a day, h 8"]
    assert row["found"] == 1.0
    assert row["delay"] <= 1.0
    assert row["alarms"] <= 1.0
    assert row["calls"] == pytest.approx(90 * 4 * 3 + (1 + row["alarms"]) * 2 * 60)
    assert row["d_after"] == pytest.approx(row["d_before"], abs=1.5)


@pytest.mark.parametrize("calibrator", [Linear(), Isotonic(), MonotoneSpline()])
def test_renewed_maps_undo_the_change(calibrator: Calibrators) -> None:
    table = Drift(changes=CHANGES, policies=("never", "fingerprint"), seeds=2).measure(
        world(calibrator)
    )
    found = by_policy(table)
    assert found["never"]["d_after"] > found["never"]["d_before"] + 5
    new = found["new fingerprint"]
    assert new["d_after"] == pytest.approx(new["d_before"], abs=0.5)


def test_nothing_changes_without_changes() -> None:
    records = world(Linear())
    table = Drift(without=("new",), wander=0.0, policies=("never", "cusum-4-8"), seeds=2).measure(
        records
    )
    for row in table.records():
        assert row["d_week"] is None
        assert row["delay"] is None
        assert row["found"] is None
    assert by_policy(table)["CUSUM, 4 a day, h 8"]["alarms"] == 0.0
    assert any("No agent changes" in note for note in table.notes)


def test_assumed_noise_is_told() -> None:
    table = Drift(changes=CHANGES, policies=("never",), seeds=1).measure(
        world(Linear(), deterministic=False)
    )
    assert any("assumed, not measured: normal, 3 raw points, for a, b" in n for n in table.notes)
    measured = Drift(changes=CHANGES, policies=("never",), seeds=1).measure(
        world(Linear(), deterministic=False, calls=2, noise=1.0)
    )
    assert not any("assumed, not measured" in note for note in measured.notes)


def test_maps_that_do_not_follow_their_scores_are_not_simulated() -> None:
    table = Drift(changes=CHANGES).measure(world(Identity()))
    assert table.rows == ()
    assert any("identity depart from that by 1.7 points" in note for note in table.notes)


def test_what_cannot_be_simulated_says_so() -> None:
    records = world(Linear(), spans={"a": (20, 40)})
    assert "needs two agents" in Drift(changes=CHANGES).measure(records).notes[-1]
    silent = world(Linear())
    assert silent.anchors is not None
    mute = [replace(v, score=None, failure="timeout") if v.agent == "b" else v
            for v in silent.anchors.verdicts]  # fmt: skip
    broken = replace(silent, anchors=replace(silent.anchors, verdicts=mute))
    assert "b has no map" in Drift(changes=CHANGES).measure(broken).notes[-1]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"changes": {"z": "new"}}, "unknown agent 'z'"),
        ({"changes": {"a": "b", "b": "c"}}, "'b' cannot change and also replace"),
        ({"changes": {"a": "new", "b": "new"}}, "one agent replaces two"),
        ({"policies": ("weekly",)}, "unknown policy 'weekly'"),
        ({"policies": ("cusum-0-8",)}, "unknown policy"),
        ({"map": "wy"}, "did you mean 'way'"),
        ({"without": ("z",)}, "no agent is called 'z'"),
    ],
)
def test_wrong_options(options: dict[str, Any], told: str) -> None:
    with pytest.raises(OptionError, match=told):
        Drift(**options).measure(world(Linear()))


def test_policies_by_name() -> None:
    found = policies_of(("every-14", "cusum-6-9", "rolling-3"), "drift")
    assert [(p.kind, p.days, p.daily, p.threshold) for p in found] == [
        ("every", 14, 0, 0.0),
        ("cusum", 0, 6, 9.0),
        ("rolling", 7, 3, 0.0),
    ]


def test_tables_are_read_between_their_points() -> None:
    grid: Any = GRID_LOW + GRID_STEP * np.arange(round((GRID_HIGH - GRID_LOW) / GRID_STEP) + 1)
    assert mapped(2 * grid + 1, np.array([0.0, 33.333, -12.34])) == pytest.approx(
        [1.0, 67.666, -23.68]
    )
    # Beyond its ends a table is flat.
    assert mapped(grid, np.array([-1e3, 1e3])) == pytest.approx([GRID_LOW, GRID_HIGH])


def test_blocks_hold_one_anchor_of_each_stratum() -> None:
    consensus = np.arange(24.0)
    blocks = _blocks(consensus, 4, np.random.default_rng(0))
    assert blocks.shape == (6, 4)
    assert sorted(blocks.ravel().tolist()) == list(range(24))
    for column, start in zip(blocks.T, (0, 6, 12, 18), strict=True):
        assert set(column.tolist()) == set(range(start, start + 6))


def test_chart_statistics_by_hand() -> None:
    """e = 1, 2, 6 at consensus 0, 2, 4: mean 3, slope 10/3 / (8/3)."""
    found = _statistics(np.array([[1.0, 2.0, 6.0]]), np.array([[0.0, 2.0, 4.0]]))
    assert found[0] == pytest.approx([3.0, 1.25])


@pytest.mark.slow
def test_simulated_venue_is_near_the_measured_figures() -> None:
    """Six agents of the paper-like world, 240 anchors scored twice: measured elsewhere with fresh
    calls, D is 7.5 and rises to 11.3; charts take 0.2 to about a day and give 0 to 0.5 false alarms
    in 90 days where nothing moves."""
    from revkit_asc.simulation import World

    drawn = World("paper", 1)
    agents = [AgentRow(n, "simulated", SEVERE, False) for n in (*drawn.agents, "g3-updated")]
    verdicts: dict[str, list[Verdict]] = {"x": [], "p": []}
    maps = []
    for agent in agents:
        name, prompt = agent.name.removesuffix("-updated"), int(agent.name.endswith("-updated"))
        for prefix, items, calls in (("x", drawn.anchors, 2), ("p", drawn.held_out, 1)):
            for call in range(calls):
                scores = drawn.scores(name, items, call=call, prompt=prompt)
                verdicts[prefix] += [
                    Verdict(agent.name, f"{prefix}{i}", "", 0, call, None, float(score))
                    for i, score in enumerate(scores)
                ]
        first = drawn.scores(name, drawn.anchors, prompt=prompt)
        curve = MonotoneSpline().fit(first, drawn.anchors.consensus)
        maps.append(FittedMap(agent.name, "spline", "monotone-spline", curve))
    rows = {
        prefix: [PaperRow(f"{prefix}{i}", Labels(severity=float(v)))
                 for i, v in enumerate(items.consensus)]
        for prefix, items in (("x", drawn.anchors), ("p", drawn.held_out))
    }  # fmt: skip
    records = Records(1, 1, rows["p"], [], agents, [], verdicts["p"],
                      anchors=Anchors(rows["x"], verdicts["x"], maps, {}, 2))  # fmt: skip
    found = by_policy(Drift(changes={"g3": "g3-updated"}).measure(records))
    never, weekly = found["never"], found["every 7 days"]
    assert never["d_before"] == pytest.approx(7.5, abs=0.5)
    assert never["d_after"] == pytest.approx(11.3, abs=0.7)
    assert weekly["cost"] == pytest.approx(1.59, abs=0.005)
    assert found["every 28 days"]["cost"] == pytest.approx(0.40, abs=0.005)
    assert found["daily"]["cost"] == pytest.approx(11.9, abs=0.005)
    charted = found["CUSUM, 4 a day, h 8"]
    assert charted["delay"] <= 2.0
    assert charted["cost"] < weekly["cost"] / 3
    assert charted["d_after"] <= weekly["d_after"] + 0.2
    still = Drift(
        without=("g3-updated",), wander=0.0, policies=("cusum-4-8", "cusum-8-12")
    ).measure(records)
    for row in still.records():
        assert row["alarms"] is not None
        assert float(row["alarms"]) <= 1.0


def test_the_bounds_say_that_they_are_over_replications() -> None:
    # The tables' unit is the replication; items are drawn anew in each and are not the unit.
    bounds = [
        column for column in (*DRIFT_COLUMNS, *COURSE_COLUMNS) if column.role in ("low", "high")
    ]
    assert len(bounds) == 16
    assert all(column.help.endswith("over replications.") for column in bounds)


def test_findings_state_no_direction_that_is_not_in_the_rows() -> None:
    """Two agents change, on day 1 D before is not known, and one policy is not the lowest."""
    rows: list[dict[str, Any]] = [
        {"policy": "never", "d_before": 8.0, "d_week": 8.1, "cost": 0.0},
    ]
    metric = Drift(changes={"a": "new", "b": "new"}, seeds=4)
    question, never, section = metric._findings(rows)
    assert question.text.startswith(f"If a and b change on day {metric.day}, how often")
    assert never.text.endswith(
        "differ by 8.0 severity points (D) before the change of a and b and by 8.1 in the first "
        "week after it (lower is better; intervals over 4 replications)."
    )
    assert section.place == "section"
    del rows[0]["d_before"]
    assert [each.text for each in metric._findings(rows)] == [question.text, section.text]
