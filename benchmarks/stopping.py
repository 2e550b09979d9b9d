"""Early stopping: coverage at the look where a run stops, and papers saved against a fixed design.

Flips of the four pairs of a paper share a latent rate of the paper (beta, intra-paper correlation
0.2), so papers are independent and pairs are not. In the second table, each text has three reviews,
and a paper that flips more often has fewer pairs.
"""

from __future__ import annotations

import math

import numpy as np

from benchmarks.measure import table
from revkit.spec.stop_conditions import StopWhen
from revkit.stats import sequential_mean
from revkit.stats.sequential import log_capital

RATES = (0.02, 0.1, 0.15, 0.3, 0.5)
RUNS = 10_000
DETAILED = 60  # runs whose whole intervals are computed, for the number of papers
WIDTH = 0.15
MOST = 1_200
QUESTION = 0.2  # is the flip rate at most this?
SMALLEST = 0.05  # the difference from it that a fixed design is planned for, with power 80%
PAIRS, CORRELATION = 4, 0.2
REPEATS, NOISE = 3, 0.1  # a review differs from the verdict of its text with this chance
TRUTH = 1_000_000  # papers from which the true rate of pairs is computed


def shares(rate: float, papers: int, rng: np.random.Generator) -> np.ndarray:
    """Return the share of flips of each paper."""
    strength = (1 - CORRELATION) / CORRELATION
    latent = rng.beta(rate * strength, (1 - rate) * strength, papers)
    return rng.binomial(PAIRS, latent) / PAIRS


def uneven(rate: float, papers: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean flip of the pairs of each paper, and its pairs as a part of the most."""
    strength = (1 - CORRELATION) / CORRELATION
    latent = rng.beta(rate * strength, (1 - rate) * strength, papers)[:, None]
    before = rng.binomial(REPEATS, NOISE, (papers, 1)) / REPEATS
    chance = np.where(rng.random((papers, PAIRS)) < latent, 1 - NOISE, NOISE)
    after = rng.binomial(REPEATS, chance) / REPEATS
    flips = (1 - before) * after + before * (1 - after)
    made = np.arange(PAIRS) < 1 + rng.binomial(PAIRS - 1, 1 - latent)
    pairs = made.sum(axis=1)
    return (flips * made).sum(axis=1) / pairs, pairs / PAIRS


def covered_uneven(rate: float, rng: np.random.Generator) -> tuple[float, float, float]:
    """Return the true rate of pairs, the mean over papers of their own rates, and the share of runs
    whose intervals hold the first at every paper up to ``MOST``.
    """
    values, weights = uneven(rate, TRUTH, rng)
    truth = float((values * weights).sum() / weights.sum())
    level, held = math.log(20), 0
    for _ in range(RUNS):
        found, counts = uneven(rate, MOST, rng)
        held += bool(log_capital(found, np.array([truth]), 0.95, counts).max() < level)
    return truth, float(values.mean()), held / RUNS


def looks() -> list[int]:
    """Return the looks up to ``MOST`` papers."""
    found: list[int] = []
    papers = 0
    for portion in StopWhen(("",)).portions():
        papers += portion
        if papers > MOST:
            return found
        found.append(papers)
    return found


def covered(rate: float, rng: np.random.Generator) -> float:
    """Return the share of runs whose intervals hold the rate at every paper up to ``MOST``."""
    level = math.log(20)
    held = 0
    for _ in range(RUNS):
        capital = log_capital(shares(rate, MOST, rng), np.array([rate]), 0.95)
        held += bool(capital.max() < level)
    return held / RUNS


def papers_used(rate: float, rng: np.random.Generator) -> float:
    """Return the mean number of papers at the first look at which the interval is narrow."""
    used = []
    for _ in range(DETAILED):
        values, places = shares(rate, MOST, rng), looks()
        narrow = [
            each.looked for each in sequential_mean(values, places) if each.high - each.low <= WIDTH
        ]
        used.append(narrow[0] if narrow else MOST)
    return float(np.mean(used))


def papers_to_decide(rate: float, rng: np.random.Generator) -> tuple[float, float]:
    """Return the mean number of papers at the first look at which the question is settled, and the
    share of runs that settled it on the wrong side.
    """
    level, places = math.log(20), np.array(looks()) - 1
    used, wrong = [], 0
    for _ in range(RUNS):
        values = shares(rate, MOST, rng)
        best = np.maximum.accumulate(log_capital(values, np.array([QUESTION]), 0.95)[:, 0])
        settled = np.flatnonzero(best[places] >= level)
        papers = int(places[settled[0]]) + 1 if len(settled) else MOST
        used.append(papers)
        wrong += bool(len(settled)) and (values[:papers].mean() > QUESTION) != (rate > QUESTION)
    return float(np.mean(used)), wrong / RUNS


def main() -> None:
    """Print the tables of docs/scale.md."""
    rng = np.random.default_rng(0)
    variance = 0.25 * (1 + (PAIRS - 1) * CORRELATION) / PAIRS
    fixed = math.ceil(variance * (2 * 1.959964 / WIDTH) ** 2)
    planned = QUESTION * (1 - QUESTION) * variance / 0.25
    to_decide = math.ceil(planned * ((1.959964 + 0.841621) / SMALLEST) ** 2)
    rows = []
    for rate in RATES:
        decided, wrong = papers_to_decide(rate, rng)
        rows.append(
            (
                f"{rate:.0%}",
                f"{covered(rate, rng):.2%}",
                f"{decided:.0f}",
                f"{wrong:.2%}",
                f"{to_decide}",
                f"{papers_used(rate, rng):.0f}",
                f"{fixed}",
            )
        )
    header = (
        "flip rate",
        f"{RUNS:,} runs: covered at all looks",
        f"papers until <= {QUESTION:.0%} is settled",
        "settled wrongly",
        "fixed design",
        f"papers until width <= {WIDTH}",
        "fixed design",
    )
    table(header, rows)
    unequal = []
    for rate in RATES:
        truth, papers, share = covered_uneven(rate, rng)
        unequal.append((f"{rate:.0%}", f"{truth:.1%}", f"{papers:.1%}", f"{share:.2%}"))
    table(
        (
            "changed verdicts",
            "flip rate of pairs",
            "mean of the papers",
            f"{RUNS:,} runs: covered at all looks",
        ),
        unequal,
    )
