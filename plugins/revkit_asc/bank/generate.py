"""Generate the embedded bank again: ``python -m revkit_asc.bank.generate``; with ``--fresh``,
generate the anchors of its second quarter, ``synthetic-anchors-2026-q2.jsonl``.

240 synthetic anchors in four tiers of 60 and seven topical clusters. 240 / 28 is not whole:
each cell of tier and cluster holds 8 or 9 anchors, each cluster 34 or 35. The secret of its
watermarks is below for all to read, so they show how detection works and protect nothing.
"""

from __future__ import annotations

import random
import sys
from dataclasses import replace

from revkit_asc.bank.anchor import TIERS, Anchor, Bank, standard_errors
from revkit_asc.bank.anchor import write_bank as written
from revkit_asc.bank.rotation import first_day, plan_rotation
from revkit_asc.bank.watermark import mark, secret_digest, sites, watermark_id
from revkit_asc.simulation.flaws import draw_flaws
from revkit_asc.simulation.people import DRAWS, opinions, tier_of
from revkit_asc.simulation.prose import clusters
from revkit_asc.simulation.regimes import REGIMES
from revkit_asc.simulation.writer import Manuscript, write_manuscript

SECRET = "revkit synthetic anchors, public by design"
PER_TIER = 60
FEWEST_SITES = 18
"""A text with fewer words of the watermark's list is written again."""


def cells() -> list[tuple[int, int]]:
    """Return the (tier, cluster) of each anchor. Clusters continue from one tier to the next, so
    that the surplus anchors of each tier belong to other clusters.
    """
    count = len(clusters())
    return [(n // PER_TIER, n % count) for n in range(PER_TIER * len(TIERS))]


def synthetic_bank() -> Bank:
    """Return the embedded bank; it is the same on every machine."""
    raw = [
        synthetic_anchor(number + 1, tier, cluster)
        for number, (tier, cluster) in enumerate(cells())
    ]
    errors = standard_errors([anchor.scores for anchor in raw])
    anchors = [replace(anchor, error=error) for anchor, error in zip(raw, errors, strict=True)]
    return Bank(
        name="synthetic-anchors",
        date="2026-01-05",
        licence="Apache-2.0",
        clusters=tuple(cluster.name for cluster in clusters()),
        anchors=tuple(anchors),
        secret_digest=secret_digest(SECRET),
        about="Generated manuscripts with planted flaws, scored by three simulated people. "
        "For trying out methods; it says nothing about real reviewers.",
    )


def synthetic_anchor(number: int, tier: int, cluster: int, quarter: str = "2026-Q1") -> Anchor:
    """Return anchor ``number`` of an endless series, for a tier and a cluster (both as indices).

    The embedded bank takes the numbers from 1 to 240; later ones can be fresh anchors.
    """
    import numpy

    regime = REGIMES["paper"]
    rng = random.Random(f"anchor bank:{number}")
    while True:
        severity = 25.0 * (tier + rng.random())
        draws = numpy.array([[rng.gauss(0.0, 1.0) for _ in range(DRAWS)]])
        said = opinions(numpy.array([severity]), regime.people, draws)
        consensus = round(float(said.consensus[0]), 2)
        if tier_of(consensus) == TIERS[tier]:
            break
    shown = severity + rng.gauss(0.0, regime.unseen)
    name = f"anchor-{number:03d}"
    watermark = watermark_id(SECRET, name)
    manuscript = _written(shown, cluster, watermark, rng)
    adjudicated = float(said.adjudicated[0])
    return Anchor(
        id=name,
        tier=TIERS[tier],
        cluster=clusters()[cluster].name,
        title=manuscript.title,
        text=manuscript.text,
        scores=tuple(float(score) for score in said.scores[0]),
        consensus=consensus,
        adjudicated=None if adjudicated != adjudicated else adjudicated,
        introduced=quarter,
        watermark=watermark,
    )


def _written(shown: float, cluster: int, watermark: str, rng: random.Random) -> Manuscript:
    """Return a watermarked manuscript; its title is not changed."""
    flaws = draw_flaws(shown, rng)
    while True:
        manuscript = write_manuscript(clusters()[cluster], flaws, rng)
        text = mark(manuscript.text, SECRET, watermark)
        if len(sites(text)) >= FEWEST_SITES:
            return Manuscript(manuscript.title, text)


def fresh_anchors() -> Bank:
    """Return the 24 fresh anchors of the second quarter, in the cells that the rotation plan
    needs.
    """
    bank = synthetic_bank()
    plan = plan_rotation(bank, "2026-Q2")
    names = [cluster.name for cluster in clusters()]
    wanted = [cell for cell, count in plan.needs.items() for _ in range(count)]
    raw = [
        synthetic_anchor(number, TIERS.index(tier), names.index(cluster), "2026-Q2")
        for number, (tier, cluster) in enumerate(wanted, len(bank.anchors) + 1)
    ]
    errors = standard_errors([anchor.scores for anchor in raw])
    anchors = [replace(anchor, error=error) for anchor, error in zip(raw, errors, strict=True)]
    return replace(
        bank.with_anchors(anchors, first_day("2026-Q2")), name="synthetic-anchors-2026-q2"
    )


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
    sys.stdout.write(written(fresh_anchors() if "--fresh" in sys.argv else synthetic_bank()))
