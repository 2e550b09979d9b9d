"""The corpus `simulated-venue`: manuscripts with planted flaws, and scores of simulated people."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import ClassVar, Literal

from revkit.contracts import Context, Corpus
from revkit.dataclass import dataclass
from revkit.model.paper import Labels, Paper
from revkit.model.rating_scale import RatingScale
from revkit.options import option
from revkit_asc.simulation.flaws import draw_flaws, severity_of
from revkit_asc.simulation.people import ADJUDICATOR, DRAWS, SCORERS, TIERS, opinions, tier_of
from revkit_asc.simulation.prose import GRADES, clusters
from revkit_asc.simulation.regimes import REGIMES
from revkit_asc.simulation.writer import write_manuscript

RegimeName = Literal["paper", "noisy", "concentrated", "topic", "clean", "calibrated"]

_SCALE = RatingScale("simulated-0-100", 0, 100, source="the simulation")


@dataclass(frozen=True)
class SimulatedVenue(Corpus):
    """Short generated manuscripts whose severity was scored by three simulated people.

    Each text shows flaws (no baseline, one seed, tuning on the test part, claims beyond the
    evidence, ...) whose points add up to the severity of what can be read. What people scored
    differs from it by what no text shows, by ``unseen`` points of the regime. ``labels.severity``
    is their consensus: the mean of three scores, or an adjudicated value where they span more than
    20 points. ``severity_se`` is its standard error as simulated, ``tier`` the quarter of
    the consensus, ``topic`` the cluster, ``quality`` 1 minus a hundredth of the severity before
    people erred; ``ratings`` are the three scores turned over, so that higher is better.

    The paper is accepted where the consensus is at most 50. With ``shares="even"`` every tier is as
    likely, so the papers can serve as anchors of the same regime; no text is in both series.
    Paper i depends on ``regime``, ``shares``, ``ctx.seed`` and i alone.
    """

    name: ClassVar[str] = "simulated-venue"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = ("*.toml",)
    papers_: int = option(1050, help="Number of manuscripts.", minimum=1)
    regime: RegimeName = option(
        "paper",
        help=(
            "Kind of world: the distribution of severities, and how closely people agree with the "
            "flaws in the text."
        ),
    )
    shares: Literal["stream", "even"] = option(
        "stream",
        help="Shares of the tiers: those of the regime's stream of submissions, or a quarter each, "
        "as in a bank of anchors.",
    )

    @property
    def synthetic(self) -> bool:
        """True: a program made the papers and their labels."""
        return True

    def papers(self, ctx: Context) -> Iterator[Paper]:
        """Yield ``papers`` manuscripts; none is skipped."""
        for index in range(self.papers_):
            yield self.paper(index, ctx.seed)

    def count(self) -> int:
        """The number of manuscripts."""
        return self.papers_

    def paper(self, index: int, seed: int) -> Paper:
        """Return manuscript ``index`` (from 0) of the endless series that ``seed`` starts."""
        import numpy

        regime = REGIMES[self.regime]
        rng = random.Random(f"venue:{self.shares}:{seed}:{index}")
        cluster = clusters()[int(rng.random() * len(clusters()))]
        even = self.shares == "even"
        quarter = rng.choices(range(len(TIERS)), None if even else regime.stream)[0]
        width = 1.0 if even else regime.width
        severity = 25.0 * (quarter + 0.5 + width * (rng.random() - 0.5))
        draws = numpy.array([[rng.gauss(0.0, 1.0) for _ in range(DRAWS)]])
        said = opinions(numpy.array([severity]), regime.people, draws)
        flaws = draw_flaws(severity + rng.gauss(0.0, regime.unseen), rng)
        manuscript = write_manuscript(cluster, flaws, rng)
        scores = [float(score) for score in said.scores[0]]
        consensus = round(float(said.consensus[0]), 2)
        settled = bool(said.adjudicated[0] == said.consensus[0])
        error = regime.people * ADJUDICATOR if settled else regime.people / SCORERS**0.5
        labels = Labels(
            accept=consensus <= 50.0,
            decision="accept" if consensus <= 50.0 else "reject",
            ratings=tuple(100.0 - score for score in scores),
            scale=_SCALE,
            confidences=(None,) * SCORERS,
            severity=consensus,
            severity_se=round(error, 3),
            tier=tier_of(consensus),
            topic=cluster.name,
            quality=round(1.0 - severity / 100.0, 4),
            extra={
                "shown": severity_of(flaws),
                "flaws": {name: GRADES[grade] for name, grade in flaws.items() if grade},
            },
        )
        prefix = "venue" if self.shares == "stream" else "anchor"
        return Paper(
            f"{prefix}-{index:05d}",
            manuscript.text,
            manuscript.title,
            labels,
            source=f"simulated-venue:{self.regime}:{self.shares}:{seed}",
        )
