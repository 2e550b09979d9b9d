"""Faults that users of other tools reported, each as a small input that would show it here."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from revkit.errors import TooFewAnchors, UnreadableMap
from revkit.options import options_of
from revkit_asc.calibrators import CALIBRATORS, Identity, Isotonic, MonotoneSpline
from revkit_asc.calibrators.map_loader import load_curve

ROOT = Path(__file__).resolve().parents[3]
FITTING = [calibrator for calibrator in CALIBRATORS if calibrator is not Identity]
every = pytest.mark.parametrize("calibrator", FITTING, ids=lambda c: c.name)
all_of_them = pytest.mark.parametrize("calibrator", CALIBRATORS, ids=lambda c: c.name)


def world(seed: int = 1, n: int = 240, noise: float = 6.0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    target = rng.uniform(0, 100, n)
    return np.round(30 + 25 * np.tanh((target - 50) / 30) + rng.normal(0, noise, n)), target


@every
def test_no_nan_at_the_lowest_tie_nor_outside(calibrator: Any) -> None:
    curve = calibrator().fit([0.0, 0.0, 1.0], [10.0, 20.0, 80.0])
    assert np.isfinite(curve([0.0, -5.0, 5.0])).all()
    raw, target = world()
    narrow = 48 + (raw - raw.min()) / np.ptp(raw) * 4
    assert np.isfinite(calibrator().fit(narrow, target)([30.0, 65.0])).all()


def test_anchors_under_ties_get_the_fitted_values() -> None:
    curve = Isotonic().fit([1.0, 1.0, 2.0, 3.0, 4.0], [0.0, 20.0, 30.0, 50.0, 40.0])
    assert curve([1, 1, 2, 3, 4]).tolist() == [10.0, 10.0, 30.0, 45.0, 45.0]


@every
def test_gaps_near_the_smallest_floats_stay_finite(calibrator: Any) -> None:
    raw = [0.0, 1e-320, 1e-314, 1.0]
    curve = calibrator().fit(raw, [0.0, 10.0, 20.0, 90.0])
    asked = [*raw, 5e-321, 1e-300, 0.5, -1e-320]
    assert np.isfinite(curve(asked)).all()
    many = np.array([0.0, 1e-320, 1e-314, *np.linspace(0.1, 1, 30)])
    curve = calibrator().fit(many, np.linspace(0, 90, 33))
    mapped = curve(np.sort([*many, 5e-321, 1e-318, 1e-300, 0.05]))
    assert np.isfinite(mapped).all()
    assert np.diff(mapped).min() >= -1e-9
    # All raw scores within a span that has no finite inverse.
    tiny = np.arange(30) * 1e-322
    curve = calibrator().fit(tiny, np.linspace(0, 90, 30))
    mapped = curve([*tiny, 1.0, -1.0])
    assert np.isfinite(mapped).all()
    assert np.diff(mapped[:30]).min() >= -1e-9


@every
def test_single_precision_gives_the_same_map(calibrator: Any) -> None:
    rng = np.random.default_rng(2)
    target = rng.uniform(0, 100, 240)
    raw = (20 + 0.5 * target + rng.normal(0, 5, 240)).astype(np.float32)
    single = calibrator().fit(raw, target.astype(np.float32))
    double = calibrator().fit(raw.astype(np.float64), target.astype(np.float32).astype(float))
    grid = np.linspace(0, 100, 500)
    assert np.abs(single(grid) - double(grid)).max() <= 1e-5
    assert single(grid.astype(np.float32)).dtype == np.float64
    lists = calibrator().fit(raw.tolist(), target.astype(np.float32).tolist())
    assert (lists(grid) == double(grid)).all()


def test_rounding_of_the_input_to_single_precision_moves_the_spline_little() -> None:
    """At the anchors; between two that almost touch, ranks rise too steeply to promise it."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        target = rng.uniform(0, 100, 240)
        raw = 20 + 0.5 * target + rng.normal(0, 5, 240)
        single = MonotoneSpline().fit(raw.astype(np.float32), target.astype(np.float32))
        at_anchors = single(raw.astype(np.float32)) - MonotoneSpline().fit(raw, target)(raw)
        assert np.abs(at_anchors).max() <= 1e-5


def test_the_spline_makes_few_ties() -> None:
    raw, target = world()
    levels = np.unique(raw)
    tied = {
        calibrator.name: int((np.diff(calibrator().fit(raw, target)(levels)) == 0).sum())
        for calibrator in (MonotoneSpline, Isotonic)
    }
    assert tied["monotone-spline"] < tied["isotonic"] / 2


def test_the_scale_of_the_target_plays_no_part() -> None:
    raw, target = world()
    whole = MonotoneSpline(domain="range").fit(raw, target)
    grid = np.linspace(0, 70, 300)
    for factor in (1e-9, 1e-3, 0.5):
        small = MonotoneSpline(domain="range").fit(raw, target * factor)
        assert small(grid) / factor == pytest.approx(whole(grid), abs=0.02)
    inner = MonotoneSpline().fit(raw, 20 + target / 2)
    tiny = MonotoneSpline().fit(raw, (20 + target / 2) * 1e-9)
    assert tiny(grid) * 1e9 == pytest.approx(inner(grid), abs=1e-5)


@pytest.mark.parametrize("scale", [1e-9, 1e9, 1e-300, 1e300])
def test_the_scale_of_the_raw_scores_plays_no_part(scale: float) -> None:
    raw, target = world()
    grid = np.linspace(0, 70, 300)
    plain = MonotoneSpline().fit(raw, target)(grid)
    assert MonotoneSpline().fit(raw * scale, target)(grid * scale) == pytest.approx(plain, abs=1e-9)


def test_steps_and_waves_stay_monotone() -> None:
    rng = np.random.default_rng(4)
    raw = rng.uniform(0, 100, 240)
    for target in (
        np.where(raw < 50, 0.0, 100.0),
        np.sqrt(raw) * 5 + 20 * (1 + np.sin(raw / 4)),
        np.clip(raw + 40 * np.sin(raw / 6), 0, 100),
    ):
        for domain in ("auto", "range", "rank", "unit"):
            mapped = MonotoneSpline(domain=domain).fit(raw, target)(np.linspace(-50, 150, 100001))
            assert np.diff(mapped).min() >= -1e-9
            assert mapped.min() >= 0
            assert mapped.max() <= 100


def test_the_start_is_not_pinned_to_zero() -> None:
    raw = np.linspace(300, 1000, 40)
    curve = MonotoneSpline().fit(raw, 0.5 + 0.3 * np.arange(40))
    assert curve([300.0]) == pytest.approx([0.5], abs=0.05)


@every
def test_no_finite_interval_where_none_exists(calibrator: Any) -> None:
    rng = np.random.default_rng(5)
    raw = np.arange(8.0)
    curve = calibrator().fit(raw, 10 * raw + rng.uniform(0, 5, 8))
    low, high, known = curve.interval([3.0, 4.0], 0.95)
    assert low.tolist() == [-np.inf, -np.inf]
    assert high.tolist() == [np.inf, np.inf]
    assert known["bounded"] is False
    assert known["held_out_anchors"] is None
    assert "unbounded: 8 held-out residuals, 19 are needed" in known["note"]
    assert calibrator().fit(raw, 10 * raw).interval([3.0], 0.8)[2]["bounded"] is True


def test_the_bound_is_the_order_statistic_by_hand() -> None:
    from revkit_asc.calibrators.intervals import HeldOut

    # Sizes without places, as maps of older versions have them: one width everywhere.
    nine = HeldOut.from_json([[1.0, 4.0, 7.0], [2.0, 5.0, 8.0], [3.0, 6.0, 9.0]])
    at = np.array([10.0, 90.0])

    def width(level: float) -> list[float] | None:
        found = nine.widths(at, level)[0]
        return None if found is None else found.tolist()

    # k = ceil(10 x 0.9) = 9 of nine; at 0.5 the fifth; above 0.9 there is none.
    assert width(0.9) == [9.0, 9.0]
    assert width(0.5) == [5.0, 5.0]
    assert width(0.91) is None
    # At 0.5, k = ceil(7 / 2) = 4 of the six others: 6, 6 and 5, which hold 2, 2 and 1 of three.
    known = nine.widths(at, 0.5)[1]
    assert known["held_out_anchors"] == pytest.approx(5 / 9)
    assert known["method"] == "cross-conformal, absolute residuals, constant width"
    assert nine.to_json() == [[1.0, 4.0, 7.0], [2.0, 5.0, 8.0], [3.0, 6.0, 9.0]]


def test_the_scale_at_a_place_by_hand() -> None:
    from revkit_asc.calibrators.intervals import scale_at

    places, sizes = np.arange(50.0), np.where(np.arange(50) < 25, 1.0, 3.0)
    # The 20 nearest of 50 have size 1 at 0 and 3 at 49; the mean is 2, and counts half.
    assert scale_at(places, sizes, np.array([0.0, 49.0])).tolist() == [1.5, 2.5]
    # At 24.5 both sides weigh the same.
    assert scale_at(places, sizes, np.array([24.5])) == pytest.approx([2.0])


def test_the_width_follows_the_place() -> None:
    """Errors that grow from 3 to 15 points: a constant width covers all of one end and too little
    of the other; the width by place covers each third better, and states its own coverage."""
    shares = []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        raw, new = rng.uniform(0, 100, 240), rng.uniform(0, 100, 3000)

        def target(raw: Any, rng: Any = rng) -> Any:
            return np.clip(10 + 0.8 * raw + (3 + 0.12 * raw) * rng.normal(size=len(raw)), 0, 100)

        curve = MonotoneSpline().fit(raw, target(raw))
        low, high, known = curve.interval(new, 0.9)
        truth = target(new)
        inside = (low <= truth) & (truth <= high)
        thirds = [inside[(new >= a) & (new < a + 100 / 3)].mean() for a in (0, 100 / 3, 200 / 3)]
        parts = cast(Any, known["by_place"])
        assert parts[0]["half_width"] < parts[2]["half_width"]
        shares.append([*thirds, inside.mean(), known["held_out_anchors"]])
    first, second, third, whole, measured = np.mean(shares, axis=0)
    # A constant width covers 100, 95 and 78 % here.
    assert first <= 0.99
    assert second == pytest.approx(0.9, abs=0.05)
    assert third >= 0.82
    assert whole == pytest.approx(0.9, abs=0.025)
    assert measured == pytest.approx(0.9, abs=0.025)


@pytest.mark.parametrize("bad", [[[1.0, -1.0]], [[[1.0, -2.0]]], [[["1", 2.0]]], [[True]], [[[1]]]])
def test_damaged_residuals_are_refused(bad: Any) -> None:
    from revkit_asc.calibrators.intervals import HeldOut

    with pytest.raises(UnreadableMap, match="'residuals' must hold numbers"):
        HeldOut.from_json(bad)


def test_the_interval_covers_new_items_as_measured() -> None:
    covered, measured = [], []
    for seed in range(8):
        curve = MonotoneSpline().fit(*world(seed))
        raw, target = world(100 + seed, 2000)
        low, high, known = curve.interval(raw, 0.9)
        assert ((low >= 0) & (high <= 100)).all()
        covered.append(((low <= target) & (target <= high)).mean())
        measured.append(known["held_out_anchors"])
    assert np.mean(covered) == pytest.approx(0.9, abs=0.03)
    assert np.mean(cast(Any, measured)) == pytest.approx(0.9, abs=0.03)


def test_no_anchors_are_a_typed_error() -> None:
    with pytest.raises(TooFewAnchors):
        Isotonic().fit([], [])


@all_of_them
def test_a_stored_map_is_the_same_in_another_process(calibrator: Any, tmp_path: Path) -> None:
    raw, target = world()
    curve = calibrator().fit(raw + np.random.default_rng(0).normal(0, 1e-3, 240), target)
    text = json.dumps(curve.to_json())
    assert json.dumps(load_curve(json.loads(text)).to_json()) == text
    assert calibrator().load(json.loads(text)) == curve
    grid = np.linspace(-10, 110, 4001)
    (tmp_path / "map.json").write_text(text)
    program = (
        "import json, sys, numpy as np\n"
        "from revkit_asc.calibrators.map_loader import load_curve\n"
        "curve = load_curve(json.load(open(sys.argv[1])))\n"
        "low, high, known = curve.interval(np.linspace(-10, 110, 4001))\n"
        "print(curve(np.linspace(-10, 110, 4001)).tobytes().hex(), low.tobytes().hex(),\n"
        "      json.dumps(known))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "map.json")],
        capture_output=True, text=True, check=True, timeout=60,
        env={"PYTHONPATH": f"{ROOT}:{ROOT / 'plugins'}", "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    low, _, known = curve.interval(grid)
    mapped, lower, told = done.stdout.split(" ", 2)
    assert mapped == curve(grid).tobytes().hex()
    assert lower == low.tobytes().hex()
    assert json.loads(told) == known


@all_of_them
def test_a_foreign_map_is_refused_by_name(calibrator: Any) -> None:
    value = calibrator().fit(*world()).to_json()
    with pytest.raises(
        UnreadableMap, match=r"'revkit-curve/9'; this version reads 'revkit-curve/1"
    ):
        calibrator().load({**value, "schema": "revkit-curve/9"})
    with pytest.raises(UnreadableMap, match="by 'other', not by"):
        calibrator().load({**value, "calibrator": "other"})
    with pytest.raises(UnreadableMap, match="unknown calibrator: 'other'"):
        load_curve({**value, "calibrator": "other"})
    for bad in (None, [], "text", 3):
        with pytest.raises(UnreadableMap, match="JSON object"):
            calibrator().load(bad)
        with pytest.raises(UnreadableMap, match="JSON object"):
            load_curve(bad)
    for key in ("options", "shape", "flags", "diagnostics", "residuals", "range"):
        with pytest.raises(UnreadableMap, match=key):
            calibrator().load({name: part for name, part in value.items() if name != key})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"coefficients": [0.0, 10.0]}, "coefficients must be a list of at least 4"),
        ({"coefficients": [*range(8), 3.0]}, "coefficients must increase"),
        ({"coefficients": [*range(8), 101.0]}, r"\[0, 100\]"),
        ({"coefficients": [*range(8), True]}, "not a number"),
        ({"coefficients": [*range(8), "8"]}, "not a number"),
        ({"coefficients": [*range(8), float("nan")]}, "not finite"),
        ({"coefficients": [*range(10)]}, "inconsistent lengths"),
        ({"knots": [0.1, 0.3, 0.2, 0.6, 0.8]}, "knots must increase"),
        ({"knots": [0.0, 0.1, 0.2, 0.6, 0.8]}, r"lie in \[0, 1\]"),
        ({"x": [3.0, 3.0]}, "x must increase"),
        ({"u": [0.0, 1.5]}, r"lie in \[0, 1\]"),
        ({"domain": "log"}, "unknown domain 'log'"),
        ({"kind": "tree"}, "unknown kind 'tree'"),
    ],
)
def test_a_damaged_shape_is_refused(change: dict[str, Any], message: str) -> None:
    value: Any = MonotoneSpline(domain="range").fit(*world(n=60)).to_json()
    broken = {**value, "shape": {**value["shape"], **change}}
    with pytest.raises(UnreadableMap, match=message):
        MonotoneSpline().load(broken)


def test_a_map_keeps_the_options_it_was_fitted_with() -> None:
    fitted = MonotoneSpline(domain="rank", knots=3)
    value: Any = fitted.fit(*world(n=60)).to_json()
    assert value["options"] == options_of(fitted)
    assert value["options"]["domain"] == "rank"
    assert MonotoneSpline().load(value).options["knots"] == 3


def test_the_record_of_a_fit() -> None:
    raw, target = world()
    facts: Any = MonotoneSpline().fit(raw, target).diagnostics
    assert facts["n"] == 240
    assert facts["distinct"] == len(np.unique(raw))
    assert facts["range"] == {"low": raw.min(), "high": raw.max(), "behaviour": "flat"}
    assert facts["kkt"] <= 1e-8
    assert facts["domain"] in ("range", "rank")
    assert 2 <= facts["df"] <= 9
    assert 1e-7 <= facts["lambda"] <= 10
    assert 0 < facts["residual_sd"] < 20
    assert len(facts["knots"]) == 5
    assert set(facts["active"]) <= {"lower", "upper", *(f"step {i}" for i in range(1, 9))}
    fits = [MonotoneSpline(domain=d).fit(raw, target).diagnostics for d in ("range", "rank")]
    assert facts["gcv"] == min(fit["gcv"] for fit in fits)  # type: ignore[type-var]
