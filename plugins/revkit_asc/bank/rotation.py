"""Rotation: choose the anchors that leave a bank each quarter, so that leaked anchors do not stay
in use.

About a tenth of the anchors leave, those longest in use first, evenly over the tiers and, within a
tier, over its clusters. The rest are common to the old bank and the new one, and link the scale:
what an agent's map gives on them must not jump. No cell of tier and cluster is emptied at once.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence

from revkit.dataclass import dataclass
from revkit.errors import BadAnchors
from revkit_asc.bank.anchor import TIERS, Anchor, Bank


@dataclass(frozen=True, slots=True)
class Rotation:
    """The rotation of one quarter: the ids in ``retire`` leave, the ids in ``common`` stay, and
    each cell of (tier, cluster) needs as many fresh anchors as ``needs`` states. ``common_by_tier``
    counts the common anchors, which link the scale of both quarters.
    """

    quarter: str
    retire: tuple[str, ...]
    common: tuple[str, ...]
    needs: Mapping[tuple[str, str], int]
    common_by_tier: Mapping[str, int]

    @property
    def share(self) -> float:
        """The share of the bank that is retired, in [0, 1]."""
        return len(self.retire) / (len(self.retire) + len(self.common))


def plan_rotation(bank: Bank, quarter: str, *, share: float = 0.1, seed: int = 0) -> Rotation:
    """Choose the anchors that leave before ``quarter`` ("2026-Q2").

    From each tier ``share`` of its anchors leave, rounded to the nearest whole number, at least one
    where the tier holds two. Those in use longest go first (an unknown quarter counts as longest),
    the clusters of a tier take turns, and among equals ``seed`` decides. Each cell of tier and
    cluster keeps at least one anchor. The same arguments give the same plan; the order of anchors
    in the bank has no influence.

    Raises `BadAnchors` for a share outside (0, 0.5]: with fewer than half of the anchors in common
    the link is weaker than the scale it should carry.
    """
    if not 0.0 < share <= 0.5:
        raise BadAnchors(f"share must be above 0 and at most 0.5, not {share:g}")
    rng = random.Random(f"rotation:{seed}:{quarter}")
    retire: list[Anchor] = []
    for tier in TIERS:
        held = sorted((a for a in bank.anchors if a.tier == tier), key=lambda anchor: anchor.id)
        wanted = max(1, int(share * len(held) + 0.5)) if len(held) > 1 else 0
        retire += _leaving(held, wanted, rng)
    gone = {anchor.id for anchor in retire}
    common = [anchor for anchor in bank.anchors if anchor.id not in gone]
    return Rotation(
        quarter=quarter,
        retire=tuple(anchor.id for anchor in bank.anchors if anchor.id in gone),
        common=tuple(anchor.id for anchor in common),
        needs=dict(sorted(Counter((a.tier, a.cluster) for a in retire).items())),
        common_by_tier={tier: sum(a.tier == tier for a in common) for tier in TIERS},
    )


def _leaving(held: Sequence[Anchor], wanted: int, rng: random.Random) -> list[Anchor]:
    cells: dict[str, list[Anchor]] = {}
    for anchor in held:
        cells.setdefault(anchor.cluster, []).append(anchor)
    order = sorted(cells)
    rng.shuffle(order)
    for cell in cells.values():
        rng.shuffle(cell)
        cell.sort(key=lambda anchor: anchor.introduced)  # stable: chance decides among equals
    # Clusters with the oldest anchors begin; in each round a cluster gives one.
    queue = [
        (round_, cell[round_].introduced, place, cell[round_])
        for place, name in enumerate(order)
        for cell in (cells[name],)
        for round_ in range(len(cell) - 1)
    ]
    queue.sort(key=lambda item: item[:3])
    return [anchor for *_, anchor in queue[:wanted]]


def rotate(bank: Bank, plan: Rotation, fresh: Sequence[Anchor], date: str) -> Bank:
    """Return the bank of the next quarter: the common anchors, then the ``fresh`` ones.

    ``fresh`` must fill just the cells that ``plan`` needs, under ids and with texts that the old
    bank did not have; they are marked as introduced in the plan's quarter. Raises `BadAnchors` with
    what does not fit.
    """
    known = {anchor.id for anchor in bank.anchors}
    if known != {*plan.retire, *plan.common}:
        raise BadAnchors("the plan was made for another bank")
    given = Counter((anchor.tier, anchor.cluster) for anchor in fresh)
    for cell in sorted({*given, *plan.needs}):
        if given[cell] != plan.needs.get(cell, 0):
            raise BadAnchors(
                f"tier {cell[0]!r}, cluster {cell[1]!r}: the plan needs "
                f"{plan.needs.get(cell, 0)} fresh anchors, not {given[cell]}"
            )
    ids = [anchor.id for anchor in fresh]
    if len(set(ids)) < len(ids) or known & set(ids):
        raise BadAnchors("a fresh anchor has the id of another anchor")
    texts = {anchor.text for anchor in bank.anchors}
    if len({a.text for a in fresh} - texts) < len(fresh):
        raise BadAnchors("a fresh anchor has the text of another anchor, so it is not fresh")
    gone = set(plan.retire)
    kept = [anchor for anchor in bank.anchors if anchor.id not in gone]
    return bank.with_anchors([*kept, *(a.introduced_in(plan.quarter) for a in fresh)], date)


def first_day(quarter: str) -> str:
    """Return the first day of a quarter: "2026-04-01" for "2026-Q2"."""
    year, number = quarter.split("-Q")
    return f"{year}-{3 * int(number) - 2:02d}-01"


def quarters_between(first: str, second: str) -> int:
    """Return the number of quarters from ``first`` to ``second``."""
    (a, b), (c, d) = (map(int, quarter.split("-Q")) for quarter in (first, second))
    return 4 * (c - a) + d - b


@dataclass(frozen=True, slots=True)
class ScaleLink:
    """The change of one agent's scale between two banks, estimated on their common anchors.

    ``shift`` is the mean of (score by the new map - score by the old map) over ``anchors`` common
    anchors, in points of the common scale, ``absolute`` that of its absolute values, ``by_tier``
    the mean shift in each tier that has common anchors. None where there are none.
    """

    anchors: int
    shift: float | None
    absolute: float | None
    by_tier: Mapping[str, float]


def scale_link(
    bank: Bank, plan: Rotation, before: Mapping[str, float], after: Mapping[str, float]
) -> ScaleLink:
    """Compare the calibrated scores of one agent on the anchors that both banks share.

    ``before`` and ``after`` hold scores by the id of the anchor, by the map fitted on the old bank
    and by the one fitted on the new bank; ids that one of them lacks are not counted. The same raw
    scores under both maps show what the rotation did to the map alone. Raises `BadAnchors` for a
    score that is not finite.
    """
    common = set(plan.common)
    shifts: dict[str, list[float]] = {}
    for anchor in bank.anchors:
        if anchor.id not in common or anchor.id not in before or anchor.id not in after:
            continue
        shift = after[anchor.id] - before[anchor.id]
        if not math.isfinite(shift):
            raise BadAnchors(f"a score of anchor {anchor.id!r} is not finite")
        shifts.setdefault(anchor.tier, []).append(shift)
    every = [shift for group in shifts.values() for shift in group]
    if not every:
        return ScaleLink(0, None, None, {})
    return ScaleLink(
        anchors=len(every),
        shift=math.fsum(every) / len(every),
        absolute=math.fsum(map(abs, every)) / len(every),
        by_tier={tier: math.fsum(s) / len(s) for tier in TIERS if (s := shifts.get(tier, []))},
    )
