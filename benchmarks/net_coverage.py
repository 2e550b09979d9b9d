"""Coverage of the net figures of noisy agents: `python -m benchmarks.net_coverage [RUNS]`.

Each run draws papers that an agent accepts with a chance of their own, ``pairs`` variants of each,
and ``repeats`` reviews of each text. Under "none" the change has no effect, under "some flip" it
turns the chance p of three papers in ten into 1 - p, under "some rise" it adds 0.3. The truth is
that of 200,000 papers. Printed are, by figure and effect, the runs whose interval is not marked as
short and their coverage, the lowest coverage of a design among them, and the marked intervals.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from revkit.model.resampling import Resampling
from revkit.stats import cluster_excess, cluster_net_risk

Array = NDArray[np.float64]
LEVEL = Resampling(1, 100)
EFFECTS = ("none", "some flip", "some rise")
FIGURES = ("net rate", "rejects flipped, net", "accepts flipped, net", "rejects - accepts, net")
CHANCES: Mapping[str, Callable[[np.random.Generator, int], Any]] = {
    "mostly decided": lambda rng, n: rng.beta(0.5, 0.5, n),
    "undecided": lambda rng, n: rng.beta(2, 2, n),
    "a fifth undecided": lambda rng, n: np.where(rng.random(n) < 0.2, 0.5, rng.random(n) < 0.5),
    "scores with noise": lambda rng, n: 1 / (1 + np.exp(-rng.normal(0, 4, n))),
}


def changed(p: Array, effect: str, rng: np.random.Generator) -> Array:
    """The chances after the change."""
    hit = rng.random(p.shape) < (0.0 if effect == "none" else 0.3)
    return np.where(hit, 1 - p if effect == "some flip" else np.minimum(1, p + 0.3), p)


def truths(chances: str, effect: str) -> tuple[float, ...]:
    """What the four figures are over 200,000 papers."""
    rng = np.random.default_rng(9)
    p = np.asarray(CHANCES[chances](rng, 200_000), dtype=float)
    q = changed(p, effect, rng)
    up, down = ((1 - p) * (q - p)).mean() / (1 - p).mean(), (p * (p - q)).mean() / p.mean()
    return float(((p - q) ** 2).mean()), float(up), float(down), float(up - down)


def main(runs: int) -> None:
    """Simulate all designs and print the table."""
    cells: dict[tuple[str, str, bool], list[tuple[int, int]]] = defaultdict(list)
    seed = 0
    for papers in (16, 24, 48, 100, 200):
        for pairs in (1, 4):
            for repeats in (2, 3, 5):
                for chances in CHANCES:
                    for effect in EFFECTS:
                        seed += 1
                        design = (papers, pairs, repeats, chances, effect, runs, seed)
                        for (figure, short), held in simulated(*design).items():
                            cells[figure, effect, short].append((sum(held), len(held)))
    print("| figure | effect | unmarked | covered | lowest of a design | marked | covered |")
    print("|---|---|---|---|---|---|---|")
    for figure in FIGURES:
        for effect in EFFECTS:
            texts = []
            for short in (False, True):
                found = cells[figure, effect, short]
                whole = sum(n for _, n in found)
                texts.append(f"{whole:,} | {100 * sum(k for k, _ in found) / whole:.1f}%")
                if not short:
                    most = [k / n for k, n in found if n >= runs * 0.8]
                    texts[-1] += f" | {100 * min(most):.1f}%"
            print(f"| {figure} | {effect} | {' | '.join(texts)} |")


def simulated(
    papers: int, pairs: int, repeats: int, chances: str, effect: str, runs: int, seed: int
) -> dict[tuple[str, bool], list[bool]]:
    """For each figure, and whether its interval is marked: which runs cover the truth."""
    rng, true = np.random.default_rng(seed), truths(chances, effect)
    found: dict[tuple[str, bool], list[bool]] = defaultdict(list)
    for _ in range(runs):
        p: Any = np.asarray(CHANCES[chances](rng, papers), dtype=float)
        q: Any = changed(np.repeat(p[:, None], pairs, 1), effect, rng)
        before, after = rng.binomial(repeats, p), rng.binomial(repeats, q)
        x, y = (before / repeats)[:, None], after / repeats
        own, other = (2 * c * (repeats - c) / (repeats * (repeats - 1)) for c in (before, after))
        up, down = ((1 - x) * y).sum(1), (x * (1 - y)).sum(1)
        noise, half = ((own[:, None] + other) / 2).sum(1), own / 2 * pairs
        risk = cluster_net_risk(
            up, down, half, (1 - x[:, 0]) * pairs, x[:, 0] * pairs, resampling=LEVEL
        )
        counts = np.full(papers, float(pairs))
        net = cluster_excess(up + down, noise, counts, resampling=LEVEL)
        estimates = (net, risk.reject_rate, risk.accept_rate, risk.difference)
        for figure, estimate, value in zip(FIGURES, estimates, true, strict=True):
            bounds = estimate.interval
            if bounds.low is not None and bounds.high is not None:
                held = bounds.low - 1e-12 <= value <= bounds.high + 1e-12
                found[figure, bounds.short].append(held)
    return found


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
