"""Coverage of every interval and level of every test, over the designs that reports are made of.

A cell is a figure of a design. It is warned where most of the intervals that are not named
conservative are marked as short; no figure is warned in more than a quarter of the grid. Every
other cell must cover 93 to 98 %. More is allowed only where most intervals are bounds that hold for
any dependence, which are named conservative and have a sharper interval beside them, whose width a
report prints. Every test may reject a true hypothesis in 6 % of runs. All of this holds within the
error of the simulation. ``python -m benchmarks.coverage 400 designs`` runs the full grid.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from benchmarks.coverage import AGAIN, grid
from revkit.model.resampling import Resampling
from revkit.simulation import Behaviour, Covered, Design, behaviour
from revkit.stats import mean_error

pytestmark = pytest.mark.simulation

RUNS = 300
LEAST, MOST, PLENTY = 0.93, 0.06, 0.98
ERRORS = 3.0  # standard errors of the simulation; some 500 shares are looked at
# Above 98 % three standard errors of 300 runs reach beyond 100 %, and the check could not fail.
ERRORS_ABOVE = 2.0

STEADY = [
    Design(papers, 4, (rate,) * 5, clustering=clustering, agreement=agreement)
    for papers in (20, 40, 150)
    for rate, clustering, agreement in (
        (0.05, 0.0, 0.0),
        (0.05, 0.7, 1.0),
        (0.15, 0.3, 0.5),
        (0.3, 0.7, 1.0),
        (0.3, 0.0, 0.5),
    )
]
ONE_SIDED = [
    Design(papers, 4, (0.1,) * 3, clustering=0.3, accepts=accepts, upward=upward)
    for papers in (20, 150)
    for accepts, upward in ((0.3, 0.8), (0.5, 0.1))
]
NOISY = [
    Design(papers, 3, (rate,) * 3, repeats=repeats, noise=noise, failures=failures)
    for papers in (20, 150)
    for rate, repeats, noise, failures in (
        (0.05, 1, 0.0, 0.1),
        (0.2, 2, 0.2, 0.0),
        (0.0, 2, 0.5, 0.0),
        (0.1, 10, 0.1, 0.3),
    )
]


def _margin(share: float, runs: int, errors: float = ERRORS) -> float:
    return errors * math.sqrt(share * (1 - share) / runs)


def _has_sharper_width(covered: Covered) -> bool:
    """Whether a width is printed beside the conservative one, and is smaller."""
    if covered.conservative_width is None or covered.sharp_width is None:
        return False
    return covered.sharp_width < covered.conservative_width


def _outside(found: Behaviour) -> dict[str, float]:
    """The cells and tests outside of the limits, beyond the error of the simulation."""
    outside = {}
    for each in found.intervals:
        if each.held is None or each.is_warned:
            continue
        named = each.conservative > 0.5 and _has_sharper_width(each)
        too_little = each.held < LEAST - _margin(LEAST, each.runs)
        too_much = each.held > PLENTY + _margin(PLENTY, each.runs, ERRORS_ABOVE)
        if too_little or (too_much and not named):
            outside[each.figure] = each.held
    for test in found.tests:
        one_sided = found.design.upward is not None and test.test.startswith("direction")
        if not one_sided and test.rejected > MOST + _margin(MOST, test.runs):
            outside[f"p, {test.test}"] = test.rejected
    return outside


@pytest.mark.parametrize("place", range(len(STEADY + ONE_SIDED + NOISY)))
def test_intervals_cover_and_tests_hold_their_level(place: int) -> None:
    design = (STEADY + ONE_SIDED + NOISY)[place]
    first = _outside(behaviour(design, runs=RUNS, seed=100 + place, resamples=800))
    if first:
        # Of 500 cells some are outside by chance, but hardly one of them a second time.
        runs, seed = AGAIN * RUNS, 1_000_000 + place
        second = _outside(behaviour(design, runs=runs, seed=seed, resamples=800))
        assert not first.keys() & second.keys(), f"{design}: {first}, then {second}"


@pytest.mark.parametrize("papers", [20, 40, 80, 150])
def test_mean_squared_errors_are_covered_or_warned(papers: int) -> None:
    rng = np.random.default_rng(papers)
    held = unwarned = 0
    for _ in range(RUNS):
        errors = rng.standard_normal(papers) ** 2
        bounds = mean_error(
            errors, np.ones(papers), power=2, resampling=Resampling(1, 800)
        ).interval
        held += bounds.low is not None and bounds.low <= 1 <= (bounds.high or math.inf)
        unwarned += not bounds.note
    assert held / RUNS >= LEAST - _margin(LEAST, RUNS)
    assert (unwarned > 0) == (papers >= 100)


def test_at_most_a_quarter_of_the_grid_is_warned() -> None:
    # The rules count papers and events, so that a few runs show what most intervals have.
    warned: dict[str, int] = {}
    for place, design in enumerate(grid()):
        found = behaviour(design, runs=20, seed=500 + place, resamples=100)
        for each in found.intervals:
            warned[each.figure] = warned.get(each.figure, 0) + each.is_warned
    # 20 runs may count a design that has a warning in half of all runs: one more is allowed.
    assert max(warned.values()) <= len(grid()) / 4 + 1, warned
