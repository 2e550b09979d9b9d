"""The latent values of a generated paper: its quality, its evidence, and nuisance variables.

Evidence follows quality with noise: a better paper tends to compare more methods on more datasets,
repeat its runs, report their spread, take its method apart, and gain more than the noise. Style is
drawn apart from quality: how much is cited, hedged, elaborated, and in which vocabulary.
"""

from __future__ import annotations

import random

from revkit.dataclass import dataclass

TIERS = ((25.0, "none"), (50.0, "minor"), (75.0, "major"), (100.0, "reject"))


@dataclass(frozen=True, slots=True)
class Style:
    """Nuisance variables: ``references`` is a number of works, ``paragraph`` the mean number of
    words in a paragraph, ``hedging`` and ``vocabulary`` are shares in [0, 1].
    """

    references: int
    paragraph: float
    hedging: float
    vocabulary: float
    numeric: bool


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence in the paper. ``margins`` are the gains over the best baseline, one for each
    dataset, in units of the ``spread`` of repeated runs (percentage points).
    """

    baselines: int
    seeds: int
    margins: tuple[float, ...]
    spread: float
    error_bars: bool
    ablation: bool
    limitations: bool
    test: bool
    code: bool
    overclaim: bool


@dataclass(frozen=True, slots=True)
class Latent:
    """The latent values of one paper: ``quality`` in [0, 1], and the values that follow from it."""

    quality: float
    evidence: Evidence
    style: Style

    @property
    def severity(self) -> float:
        """The severity from 0 (no flaw) to 100 (reject), which decreases with quality."""
        return round(100.0 * (1.0 - self.quality), 1)

    @property
    def tier(self) -> str:
        """The quarter of the severity axis."""
        return next(name for limit, name in TIERS if self.severity <= limit)


def draw_style(rng: random.Random) -> Style:
    """Draw a style: 5 to 30 references, uniformly on a logarithmic scale; the rest uniformly."""
    return Style(
        references=round(5.0 * 6.0 ** rng.random()),
        paragraph=47.0 + 17.0 * rng.random(),
        hedging=0.05 + 0.75 * rng.random(),
        vocabulary=0.05 + 0.9 * rng.random(),
        numeric=rng.random() < 0.55,
    )


def draw_evidence(quality: float, rng: random.Random) -> Evidence:
    """Draw the evidence of a paper with this ``quality``."""

    def seen(noise: float) -> float:
        return quality + rng.gauss(0.0, noise)

    datasets = _bounded(1 + int(4.2 * seen(0.12)), 1, 5)
    repeated = seen(0.12)
    seeds = 1 if repeated < 0.35 else 3 if repeated < 0.6 else 5 if repeated < 0.85 else 10
    gain = -0.8 + 5.5 * seen(0.12)
    return Evidence(
        baselines=_bounded(1 + int(5.5 * seen(0.12)), 1, 6),
        seeds=seeds,
        margins=tuple(gain + rng.gauss(0.0, 0.8) for _ in range(datasets)),
        spread=0.2 + 0.5 * rng.random(),
        error_bars=seeds > 1 and rng.random() < 0.92,
        ablation=seen(0.15) > 0.5,
        limitations=seen(0.2) > 0.45,
        test=seeds > 1 and seen(0.15) > 0.7,
        code=seen(0.25) > 0.6,
        overclaim=seen(0.2) < 0.4,
    )


def draw_latent(rng: random.Random) -> Latent:
    """Draw quality uniformly from [0, 1], then the evidence from it, and the style independently of
    both.
    """
    quality = round(rng.random(), 4)
    return Latent(quality, draw_evidence(quality, rng), draw_style(rng))


def _bounded(value: int, low: int, high: int) -> int:
    return max(low, min(high, value))
