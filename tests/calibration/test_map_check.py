"""The check of a map: its statistics against scipy's, by hand, and where it has nothing to say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import stats

from revkit.calibration import CalibrationMap, check_map
from revkit.contracts import Calibrator, Curve
from revkit.errors import CalibrationError, OutsideScale, StatisticsError, TooFewAnchors
from revkit.model.review import Scale
from revkit.stats.spread import detectable_ratio, paired_errors

Made = Callable[..., CalibrationMap]
SEVERE = Scale("severity", 0.0, 100.0, higher_is_better=False)


def known(a_map: Made, then: list[float], consensus: list[float]) -> CalibrationMap:
    """Common is half of the severity."""
    scored = {f"a{i}": pair for i, pair in enumerate(zip(then, consensus, strict=True))}
    return a_map(scale=SEVERE, scored=scored, anchors=len(scored))


rows = st.lists(
    st.tuples(*[st.floats(0, 100, allow_subnormal=False)] * 3), min_size=8, max_size=40
)  # fmt: skip


@given(rows)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_statistics_are_those_of_scipy(a_map: Made, drawn: list[tuple[float, ...]]) -> None:
    then, consensus, now = (np.round([row[i] for row in drawn], 3) for i in range(3))
    told = check_map(
        known(a_map, then.tolist(), consensus.tolist()),
        {f"a{i}": [value] for i, value in enumerate(now)},
        deterministic=True,
    )
    moved = now / 2 - then / 2
    assert told.shift == pytest.approx(moved.mean(), abs=1e-9)
    if moved.std() > 1e-6:
        test = stats.ttest_rel(now / 2, then / 2)
        assert told.shift_p == pytest.approx(test.pvalue, rel=1e-6, abs=1e-12)
    if np.ptp(consensus) > 1e-2 and moved.std() > 1e-3:
        line = stats.linregress(consensus, moved)
        assert told.slope == pytest.approx(line.slope, rel=1e-6, abs=1e-9)
        assert told.slope_error == pytest.approx(line.stderr, rel=1e-5, abs=1e-9)
        assert told.slope_p == pytest.approx(line.pvalue, rel=1e-4, abs=1e-9)
    assert told.error_now == pytest.approx(np.abs(now / 2 - consensus).mean())
    assert told.error_then == pytest.approx(np.abs(then / 2 - consensus).mean())


def test_by_hand(a_map: Made) -> None:
    # Moves of +1 and +3 in turn on the common scale: mean 2, sd sqrt(8/7), error sqrt(1/7).
    then = [10.0 * i for i in range(8)]
    now = {f"a{i}": [t + (2 if i % 2 else 6)] for i, t in enumerate(then)}
    told = check_map(known(a_map, then, [50.0] * 8), {**now, "z": [5.0]})
    assert (told.anchors, told.strangers, told.unscored) == (8, 1, 0)
    assert told.shift == pytest.approx(2)
    assert told.shift_error == pytest.approx((1 / 7) ** 0.5)
    assert told.slope is told.slope_p is None
    assert not told.holds
    # t(7) at 1 - 0.01/4 is 4.0293, at 0.8 0.8960: tables of Student's t.
    assert told.detectable == pytest.approx((4.0293 + 0.8960) * (1 / 7) ** 0.5, abs=1e-3)
    assert "not valid" in told.text()
    assert "1 more are not anchors" in told.text()


def test_an_agent_that_says_the_same_moves_nothing(a_map: Made) -> None:
    then = [3.7 * i for i in range(9)]
    found = known(a_map, then, [11.0 * i for i in range(9)])
    same = {f"a{i}": [t] for i, t in enumerate(then)}
    with pytest.raises(CalibrationError, match="scores of all 9 anchors are those of the fit"):
        check_map(found, same)
    told = check_map(found, same, deterministic=True)
    assert told.holds
    assert (told.shift, told.shift_p, told.slope_p, told.detectable) == (0.0, 1.0, 1.0, None)
    # Repeats that a run summed in another order differ in the last bit: no move either.
    nearly = {f"a{i}": [np.nextafter(t, 200.0)] for i, t in enumerate(then)}
    assert check_map(found, nearly, deterministic=True).shift == 0.0
    with pytest.raises(CalibrationError, match="are those of the fit"):
        check_map(found, nearly)
    # One anchor with another score is a score of today.
    assert check_map(found, {**same, "a8": [30.0]}).anchors == 9


def test_a_move_of_all_alike_is_certain(a_map: Made) -> None:
    then = [10.0 + i for i in range(8)]
    told = check_map(known(a_map, then, then), {f"a{i}": [t + 2] for i, t in enumerate(then)})
    assert (told.shift, told.shift_error, told.shift_p, told.holds) == (1.0, 0.0, 0.0, False)


def test_repeats_are_averaged_and_gaps_counted(a_map: Made) -> None:
    then = [10.0] * 10
    now = {f"a{i}": [10.0, 14.0, 18.0] for i in range(8)} | {"a8": [], "a9": []}
    told = check_map(known(a_map, then, then), now)
    assert (told.anchors, told.unscored, told.shift) == (8, 2, 2.0)
    assert "2 have no score" in told.text()


def test_repeats_on_a_map_that_bends_do_not_seem_to_move(a_map: Made) -> None:
    class Step:
        """0 up to 50, and 100 above: at a mean of calls it is not the mean of itself."""

        def __call__(self, raw: list[float]) -> list[float]:
            return [100.0 * (value > 50) for value in raw]

    then = [40.0, 60.0] * 5
    found = replace(known(a_map, then, [50.0] * 10), curve=Step())  # type: ignore[arg-type]
    # Each anchor once below the step and once above, as at the fit: the mean of calls stays 50.
    told = check_map(found, {f"a{i}": [40.0, 61.0] for i in range(10)})
    assert told.shift == 0.0
    # Every single call is 50 points off, though their mean is right.
    assert (told.error_then, told.error_now) == (50.0, 50.0)


def test_too_few_and_off_the_scale(a_map: Made) -> None:
    found = known(a_map, [10.0] * 10, [10.0] * 10)
    with pytest.raises(TooFewAnchors, match="7 of the scores belong to anchors"):
        check_map(found, {f"a{i}": [1.0] for i in range(7)} | {"z": [1.0]})
    with pytest.raises(OutsideScale, match=r"anchor 'a3': 101\.0 is not a score"):
        check_map(found, {f"a{i}": [98.0 + i] for i in range(8)})
    with pytest.raises(StatisticsError, match="between 0 and 1"):
        check_map(found, {f"a{i}": [98.0] for i in range(8)}, level=1.0)


def test_false_alarms_and_power_are_as_the_documentation_says(a_map: Made) -> None:
    """24 anchors, both calls with noise of 4 points raw (2 on the common scale): with level 0.01
    at most 1 % of alarms where nothing changed, and 80 % at the shift that is called detectable."""
    rng = np.random.default_rng(5)
    true = rng.uniform(20, 80, 24)
    # moved has sd 2 sqrt(2); its error over 24 anchors is 0.577; t(23) gives 3.104 + 0.858.
    detectable = (3.104 + 0.858) * 2 * 2**0.5 / 24**0.5
    alarms = {0.0: 0, detectable: 0}
    runs = 400
    for _ in range(runs):
        then = true + rng.normal(0, 4, 24)
        found = known(a_map, then.tolist(), true.tolist())
        for shift in alarms:
            now = true + 2 * shift + rng.normal(0, 4, 24)
            told = check_map(found, {f"a{i}": [value] for i, value in enumerate(now)})
            alarms[shift] += not told.holds
    assert alarms[0.0] <= 10  # 4 expected, 10 lies three standard deviations above
    assert 0.72 <= alarms[detectable] / runs <= 0.88


class Unbounded(Curve):
    """The score itself, for the scale from -1000 to 1000."""

    def __call__(self, raw: Any) -> Any:
        return [20.0 * value - 1000.0 for value in raw]

    def extrapolated(self, raw: Any) -> Any:
        return [False for _ in raw]

    def to_json(self) -> Any:
        return {}


@dataclass(frozen=True)
class Keeping(Calibrator):
    """The score itself, whatever the anchors."""

    name: ClassVar[str] = "keeping"
    version: ClassVar[str] = "1"

    def fit(self, raw: Any, target: Any, weights: Any = None) -> Curve:
        return Unbounded()


@pytest.mark.parametrize(("anchors", "most"), [(60, 0.5), (240, 0.95)])
def test_an_agent_that_became_noisier_is_found(a_map: Made, anchors: int, most: float) -> None:
    """Mean absolute errors of 12 points at the fit and 17 now, 8 of which belong to the anchor."""
    rng = np.random.default_rng(anchors)
    counts, errors, runs = {12.0: 0, 17.0: 0}, [], 60
    wide = Scale("wide", -1000.0, 1000.0, higher_is_better=False)
    for _ in range(runs):
        true = rng.uniform(25, 75, anchors)
        own = 8.0 * rng.standard_normal(anchors)

        def scores(error: float) -> list[float]:
            # The mean of |x| is sqrt(2 / pi) sd for a normal x.
            sd = float(np.sqrt(np.pi / 2 * error**2 - 64.0))
            return [float(v) for v in true + own + sd * rng.standard_normal(anchors)]  # noqa: B023

        scored = {
            f"a{i}": ((value + 1000.0) / 20.0, float(target))
            for i, (value, target) in enumerate(zip(scores(12.0), true, strict=True))
        }
        found = a_map(scale=wide, scored=scored, anchors=anchors, curve=Unbounded())
        for error in counts:
            now = {f"a{i}": [value] for i, value in enumerate(scores(error))}
            check = check_map(found, now, calibrator=Keeping())
            counts[error] += not check.holds
            if error == 17.0:
                errors.append((check.error_then, check.error_now))
    assert np.mean(errors, axis=0) == pytest.approx([12, 17], abs=0.5)
    assert counts[12.0] <= 3  # 0.6 expected at the level 0.01
    assert counts[17.0] >= most * runs


def test_the_error_test_by_hand() -> None:
    # Means 2 and 3; u = |second| / 3 - |first| / 2 = 1/6, 1/6, -1/2, 1/6; sum u^2 = 1/3.
    test = paired_errors([1.0, -1.0, 3.0, 3.0], [2.0, -2.0, 3.0, 5.0])
    assert test.ratio == pytest.approx(1.5)
    assert test.error == pytest.approx((1 / 3 / 12) ** 0.5)
    assert test.p == pytest.approx(stats.t.sf(np.log(1.5) / (1 / 36) ** 0.5, 3), rel=1e-9)
    wanted = np.exp((stats.t.ppf(0.99, 59) + stats.t.ppf(0.8, 59)) * 0.1)
    assert detectable_ratio(0.1, 60, 0.01) == pytest.approx(wanted, rel=1e-9)


def test_the_error_test_keeps_its_level_where_errors_are_gross() -> None:
    rng = np.random.default_rng(8)
    gross = np.where(rng.random((2000, 1, 40)) < 0.05, 4.0, 1.0)
    both = gross * rng.standard_normal((2000, 2, 40))
    p = [paired_errors(first, second).p for first, second in both]
    assert np.mean([value is not None and value < 0.05 for value in p]) <= 0.065
    assert np.mean([value is not None and value < 0.01 for value in p]) <= 0.017


def test_degenerate_errors() -> None:
    assert paired_errors([0.0] * 5, [0.0] * 5).note == "all errors are 0"
    assert paired_errors([0.0] * 5, [1.0, -1.0, 1.0, -1.0, 3.0]).p == 0.0
    assert paired_errors([1.0, -1.0, 1.0, -1.0, 3.0], [0.0] * 5).p == 1.0
    assert paired_errors([1.0] * 5, [2.0] * 5).p == 0.0
    assert paired_errors([1.0] * 5, [1.0] * 5).p == 1.0
    with pytest.raises(StatisticsError, match="needs 4 items or more, not 3"):
        paired_errors([1.0] * 3, [1.0] * 3)
    with pytest.raises(StatisticsError, match="same length"):
        paired_errors([1.0] * 3, [1.0] * 4)
