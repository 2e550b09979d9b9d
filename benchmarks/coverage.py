"""Coverage of intervals and level of tests: ``python -m benchmarks.coverage [RUNS] [WHAT]``.

Prints the figures of docs/statistics.md: mean errors, balanced accuracy, D and MAE after
calibration with and without the choice of anchors, what a check of a map finds, and, alone with
``designs``, the figures of flips over a grid of designs, or, with ``unequal``, how often the bound
for no flip misses the rate where papers have unequal numbers of pairs. RUNS (default 1,000) sets
the number of simulations of each cell; worlds are a fortieth of it, at least 10.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import repeat
from typing import Any, Literal

import numpy as np

from revkit.figures import Resampling
from revkit.simulation import Behaviour, Covered, Design, behaviour
from revkit.stats import (
    classification,
    clopper_pearson_interval,
    cluster_bootstrap_rates,
    mean_error,
    paired_errors,
)
from revkit_asc.calibrators import MonotoneSpline
from revkit_asc.metrics.figures import figures_of, values_of
from revkit_asc.metrics.settings import Setting
from revkit_asc.metrics.totals import Refits, total
from revkit_asc.simulation.worlds import World

Array = np.ndarray[Any, np.dtype[np.float64]]
REFITS = 50
LEAST_COVERED, MOST_COVERED, MOST_REJECTED = 0.93, 0.98, 0.06
AGAIN, TESTS_AGAIN = 4, 25
# Seeds of this page alone, which no rule was chosen with.
FIRST_SEED, SECOND_SEED = 4_100_000, 4_200_000


def normal(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Normal errors with standard deviation 1."""
    return rng.standard_normal(shape)


def gross(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """The same, four times as large on one item in 20, on every occasion."""
    size = np.where(rng.random((1, shape[-1])) < 0.05, 4.0, 1.0)
    return np.asarray(rng.standard_normal(shape) * size)


def mean_errors(runs: int) -> None:
    """Coverage of MSE and MAE by papers, and the share of samples with a note."""
    rng = np.random.default_rng(1)
    for name, draw, truths in (
        ("normal", normal, {1: np.sqrt(2 / np.pi), 2: 1.0}),
        ("gross", gross, {1: 1.15 * np.sqrt(2 / np.pi), 2: 1.75}),
    ):
        for papers in (10, 20, 40, 80, 150, 300):
            for power, truth in truths.items():
                hits, notes = _of_errors(rng, draw, papers, power, float(truth), runs)  # type: ignore[arg-type]
                what = "MSE" if power == 2 else "MAE"
                print(f"{what} {name:7}{papers:4} papers: covers {hits:.1%}, noted {notes:.0%}")


def _of_errors(
    rng: np.random.Generator,
    draw: Callable[[np.random.Generator, tuple[int, ...]], Array],
    papers: int,
    power: Literal[1, 2],
    truth: float,
    runs: int,
) -> tuple[float, float]:
    hits = notes = 0
    for _ in range(runs):
        errors = np.abs(draw(rng, (papers,)).reshape(papers)) ** power
        bounds = mean_error(
            errors, np.ones(papers), power=power, resampling=Resampling(0, 1000)
        ).interval
        hits += bounds.low is not None and bounds.low <= truth <= (bounds.high or np.inf)
        notes += bool(bounds.note)
    return hits / runs, notes / runs


def balanced_accuracy(runs: int) -> None:
    """Coverage of balanced accuracy, 30 % of papers accepted."""
    rng = np.random.default_rng(2)
    for papers in (20, 40, 150):
        for accept, reject in ((0.9, 0.95), (0.8, 0.8), (0.05, 0.97)):
            hits = 0
            for _ in range(runs):
                actual = rng.random(papers) < 0.3
                right = rng.random(papers) < np.where(actual, accept, reject)
                bounds = classification(
                    actual.tolist(), (actual == right).tolist(), resampling=Resampling(0, 100)
                ).balanced.interval
                truth = (accept + reject) / 2
                hits += bounds.low is not None and bounds.low <= truth <= (bounds.high or 0.0)
            print(f"balanced {accept:.0%}/{reject:.0%} {papers:4} papers: covers {hits / runs:.1%}")


def calibration(worlds: int) -> None:
    """Coverage of D and MAE after calibration over redrawn worlds, items alone and in total."""
    for anchors in (60, 240):
        found = [_of_world(seed, anchors) for seed in range(worlds)]
        for place, name in enumerate(("D", "MAE")):
            rows = np.array([each[place] for each in found])
            truth = rows[:, 0].mean()
            items = ((rows[:, 1] <= truth) & (truth <= rows[:, 2])).mean()
            whole = ((rows[:, 3] <= truth) & (truth <= rows[:, 4])).mean()
            print(f"{name} {anchors} anchors: items alone {items:.1%}, in total {whole:.1%}")


def _of_world(seed: int, anchors: int, items: int = 300) -> list[tuple[float, ...]]:
    world = World("paper", seed, anchors=anchors, held_out=items)
    target, calibrator = world.anchors.consensus, MonotoneSpline()
    raw = [np.asarray(world.scores(a, world.anchors), dtype=float) for a in world.agents]
    held = np.column_stack([world.scores(a, world.held_out) for a in world.agents]).astype(float)

    def scores(weights: Array | None) -> Array:
        fits = [calibrator.fit(each, target, weights) for each in raw]
        return np.column_stack([curve(held[:, j]) for j, curve in enumerate(fits)])

    setting = Setting(
        "fitted", "spline", "monotone-spline", 1, tuple(world.agents), np.arange(items), held,
        scores(None), world.held_out.consensus, None, 0, {},
    )  # fmt: skip
    (figures,) = figures_of([setting], items, Resampling(seed, 1000, 0.95, "item"))
    rng = np.random.default_rng(seed)
    rows = [
        values_of(replace(setting, scores=scores(rng.exponential(size=anchors))))
        for _ in range(REFITS)
    ]
    refits, result = Refits(np.array(rows)), []
    for name in ("d", "mae"):
        plain = figures.of[name]
        wide = total(plain, refits.spread(name), REFITS)
        ends = (plain.interval.low, plain.interval.high, wide.interval.low, wide.interval.high)
        result.append((plain.value or 0.0, *(end or 0.0 for end in ends)))
    return result


def checks(runs: int) -> None:
    """How often the error test of a check is below 1 %: nothing changed, and MAE 12 to 17."""
    rng = np.random.default_rng(4)
    for name, draw in (("normal", normal), ("gross", gross)):
        for anchors in (24, 60, 240):
            found = {12.0: 0, 17.0: 0}
            for _ in range(runs):
                own, first, *later = draw(rng, (4, anchors))
                for error, second in zip(found, later, strict=True):
                    p = paired_errors(_errors(own, first, 12.0), _errors(own, second, error)).p
                    found[error] += p is not None and p < 0.01
            same, noisier = (count / runs for count in found.values())
            print(f"check {name:7}{anchors:4} anchors: same {same:.1%}, MAE 12 to 17 {noisier:.1%}")


def _errors(own: Array, chance: Array, mean: float) -> Array:
    """Errors with this mean size (if normal), 8 points of which belong to the anchor."""
    return np.asarray(8.0 * own + np.sqrt(np.pi / 2 * mean**2 - 64.0) * chance)


def grid() -> list[Design]:
    """20 to 150 papers, clustering 0 to 0.7, repeats 1 to 10, failures at random."""
    steady = [
        Design(papers, 4, (rate,) * 5, clustering=clustering, agreement=agreement)
        for papers in (20, 40, 80, 150)
        for clustering in (0.0, 0.3, 0.7)
        for rate, agreement in ((0.05, 0.0), (0.15, 1.0), (0.3, 0.5))
    ]
    noisy = [
        Design(papers, 4, (rate,) * 5, repeats, clustering, noise=noise, failures=failures)
        for papers in (20, 40, 150)
        for clustering in (0.0, 0.7)
        for rate, repeats, noise, failures in (
            (0.15, 1, 0.0, 0.2),
            (0.2, 2, 0.3, 0.0),
            (0.1, 10, 0.1, 0.1),
        )
    ]
    return steady + noisy


def designs(runs: int) -> None:
    """For each figure the coverage of designs without and with a warning, and the mean widths.

    A cell is a figure of a design. Cells outside of the limits after ``runs`` simulations are
    simulated again, `AGAIN` times as often and with other seeds, and have the result of these
    simulations alone; so do tests that reject too often, `TESTS_AGAIN` times as often.
    """
    places = range(len(grid()))
    with ProcessPoolExecutor() as pool:
        first = list(pool.map(simulated, places, repeat(runs)))
        again = list(pool.map(repeated, places, first, repeat(runs)))
    print_designs(again)


def simulated(place: int, runs: int) -> Behaviour:
    """The design of this place in the grid."""
    return behaviour(grid()[place], runs=runs, seed=FIRST_SEED + place)


def repeated(place: int, found: Behaviour, runs: int) -> Behaviour:
    """``found`` with the cells and tests that lie outside of the limits from fresh simulations."""
    design, seed = grid()[place], SECOND_SEED + place
    outside = {each.figure for each in found.intervals if is_outside(each)}
    if outside:
        fresh = behaviour(design, runs=AGAIN * runs, seed=seed)
        intervals = (
            fresh.interval(each.figure) if each.figure in outside else each
            for each in found.intervals
        )
        found = replace(found, intervals=tuple(intervals))
    if any(each.rejected > MOST_REJECTED for each in found.tests):
        fresh = behaviour(design, runs=TESTS_AGAIN * runs, seed=seed, parts=())
        tests = (
            fresh.test(each.test) if each.rejected > MOST_REJECTED else each for each in found.tests
        )
        found = replace(found, tests=tuple(tests))
    return found


def is_outside(covered: Covered) -> bool:
    """Whether an interval covers too little or too much without a mark that explains it.

    A cell with a warning has no limits. Most intervals of a conservative cell are bounds that hold
    for any dependence, which may cover more.
    """
    if covered.held is None or covered.is_warned:
        return False
    too_much = covered.held > MOST_COVERED and covered.conservative <= 0.5
    return covered.held < LEAST_COVERED or too_much


def print_designs(results: Sequence[Behaviour]) -> None:
    """The rows of the table in docs/statistics.md, and the cells outside of the limits."""
    for figure in dict.fromkeys(each.figure for found in results for each in found.intervals):
        rows = [
            each
            for found in results
            for each in found.intervals
            if each.figure == figure and each.held is not None
        ]
        plain = [each.held for each in rows if not each.is_warned and each.held is not None]
        short = [each.held for each in rows if each.is_warned and each.held is not None]
        ends = [f"{min(part):.1%} - {max(part):.1%}" if part else "-" for part in (plain, short)]
        middle = f"{np.median(plain):.1%}" if plain else "-"
        print(f"| {figure} | {len(plain)} | {ends[0]} | {middle} | {len(short)} | {ends[1]} |")
    print_conservative(results)
    for name in dict.fromkeys(each.test for found in results for each in found.tests):
        levels = [found.test(name).rejected for found in results]
        ends = [f"{min(levels):.1%} - {max(levels):.1%}", f"{np.median(levels):.1%}"]
        print(f"| p, {name} | {len(levels)} | rejects {ends[0]} | {ends[1]} | | |")
    for place, found in enumerate(results):
        for each in found.intervals:
            if is_outside(each):
                print(f"outside: design {place}, {each.figure}: {each.held:.1%} of {each.runs}")


def print_conservative(results: Sequence[Behaviour]) -> None:
    """For each figure the designs of which most intervals are conservative: their coverage and mean
    width, and those of the sharper intervals beside them.
    """
    figures = dict.fromkeys(each.figure for found in results for each in found.intervals)
    for figure in figures:
        rows = [
            each
            for found in results
            for each in found.intervals
            if each.figure == figure and each.conservative > 0.5 and not each.is_warned
        ]
        both = [
            (each.conservative_width, each.sharp_width)
            for each in rows
            if each.conservative_width is not None and each.sharp_width is not None
        ]
        held = [each.held for each in rows if each.held is not None]
        sharp = [each.sharp_held for each in rows if each.sharp_held is not None]
        if not rows:
            continue
        share = np.median([narrow / wide for wide, narrow in both]) if both else float("nan")
        print(
            f"| {figure} | {len(rows)} | {min(held):.1%} - {max(held):.1%} | {share:.0%} | "
            f"{min(sharp):.1%} - {max(sharp):.1%} |"
        )


def unequal_papers() -> None:
    """The chance that no paper flips although the rate is the upper bound for no flip, by papers
    and by effective papers: nominally 2.5 %. All pairs of a paper flip together.
    """
    print("papers, pairs of each: flips by size: bound over papers, over effective papers")
    for papers in (20, 50, 150):
        for sizes in ((2, 3, 4, 4), (1, 4), (1, 1, 1, 1, 10)):
            pairs = np.resize(np.array(sizes, dtype=float), papers)
            found = cluster_bootstrap_rates(
                np.zeros((papers, 1)), pairs[:, None], resampling=Resampling(0, 100)
            )[0].interval
            plain = clopper_pearson_interval(0, papers)
            for name, propensity in (
                ("none", np.ones(papers)),
                ("proportional", pairs),
                ("largest only", (pairs == max(sizes)).astype(float)),
            ):
                parts = []
                for high in (plain.high or 0.0, found.high or 0.0):
                    missed = missed_without_flip(pairs, propensity, high)
                    parts.append(f"{high:.1%} (missed {missed:.1%})")
                print(f"{papers} of {sizes}, {name}: {' '.join(parts)}")


def missed_without_flip(pairs: Array, propensity: Array, rate: float) -> float:
    """The chance that no paper flips, if papers flip as a whole with chances in proportion to
    ``propensity`` (at most 1) and the rate over ``pairs`` is ``rate``; 0 if no chances give it.
    """
    weights = pairs / pairs.sum()
    low, high = 0.0, 1 / float(propensity[propensity > 0].min())
    if float((weights * np.minimum(1, high * propensity)).sum()) <= rate:
        return 0.0
    for _ in range(100):
        middle = (low + high) / 2
        if float((weights * np.minimum(1, middle * propensity)).sum()) < rate:
            low = middle
        else:
            high = middle
    return float(np.prod(1 - np.minimum(1, high * propensity)))


def main(runs: int, only: str = "") -> None:
    """Print all figures, or those of designs or of papers with unequal numbers of pairs."""
    if only == "designs":
        designs(runs)
        return
    if only == "unequal":
        unequal_papers()
        return
    mean_errors(runs)
    balanced_accuracy(runs)
    calibration(max(10, runs // 40))
    checks(runs)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000, *sys.argv[2:3])
