"""Stratified samples of anchors: the same number in each tier, spread evenly over the clusters."""

from __future__ import annotations

import random
from collections.abc import Sequence

from revkit_asc.bank.anchor import TIERS, Anchor


def stratified(anchors: Sequence[Anchor], per_tier: int, rng: random.Random) -> tuple[Anchor, ...]:
    """Return ``per_tier`` anchors of each tier, drawn evenly from its clusters, in the order of the
    bank.

    Within a tier the clusters take turns, in an order drawn again in each round, and each gives one
    of its anchors at random; a cluster that has none left drops out. A tier that holds fewer gives
    all it has.
    """
    chosen: set[str] = set()
    for tier in TIERS:
        for anchor in _turns([a for a in anchors if a.tier == tier], rng)[:per_tier]:
            chosen.add(anchor.id)
    return tuple(anchor for anchor in anchors if anchor.id in chosen)


def _turns(anchors: Sequence[Anchor], rng: random.Random) -> list[Anchor]:
    by_cluster: dict[str, list[Anchor]] = {}
    for anchor in anchors:
        by_cluster.setdefault(anchor.cluster, []).append(anchor)
    for group in by_cluster.values():
        rng.shuffle(group)
    order: list[Anchor] = []
    while by_cluster:
        names = sorted(by_cluster)
        rng.shuffle(names)
        for name in names:
            order.append(by_cluster[name].pop())
            if not by_cluster[name]:
                del by_cluster[name]
    return order
