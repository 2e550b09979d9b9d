"""Draw a sample of a corpus."""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from revkit.model.paper import Paper, Skipped, Undrawn
from revkit.model.sample import Sample
from revkit.model.values import canonical_json


def draw(items: Iterable[Paper | Skipped], sample: Sample) -> Iterator[Paper | Skipped]:
    """Yield the skipped records of ``items``, then an `Undrawn` for each paper that ``sample``
    leaves out, then the drawn papers in the order of the corpus.

    Ids must be unique. The corpus is read to its end first; at most ``n`` papers of each stratum
    wait in memory.
    """
    # Of each stratum the n papers with the smallest keys, the largest key first.
    kept: dict[str, list[tuple[int, int, Paper]]] = {}
    sizes: dict[str, int] = {}
    for position, item in enumerate(items):
        if isinstance(item, Skipped):
            yield item
            continue
        stratum = sample.stratum(item.labels)
        sizes[stratum] = sizes.get(stratum, 0) + 1
        heap = kept.setdefault(stratum, [])
        entry = (-_key(sample.seed, item.id), position, item)
        if len(heap) < sample.n:
            heapq.heappush(heap, entry)
        else:
            *_, out = heapq.heappushpop(heap, entry)
            yield Undrawn.of(out, stratum)
    quotas = shares(sizes, sample.n)
    drawn: list[tuple[int, Paper]] = []
    for stratum, heap in kept.items():
        ranked = sorted(heap, reverse=True)
        drawn += [(position, paper) for _, position, paper in ranked[: quotas[stratum]]]
        for _, _, paper in ranked[quotas[stratum] :]:
            yield Undrawn.of(paper, stratum)
    yield from (paper for _, paper in sorted(drawn, key=lambda pair: pair[0]))


def shares(sizes: Mapping[str, int], n: int) -> dict[str, int]:
    """Return how many papers to draw of each stratum: its share of ``n``, by largest remainder.

    Equal remainders go to the first name by the alphabet. All papers are drawn if there are at
    most ``n``.
    """
    total = sum(sizes.values())
    if total <= n:
        return dict(sizes)
    exact = {name: Fraction(n * size, total) for name, size in sizes.items()}
    quotas = {name: int(share) for name, share in exact.items()}
    left = n - sum(quotas.values())
    by_remainder = sorted(exact, key=lambda name: (quotas[name] - exact[name], name))
    for name in by_remainder[:left]:
        quotas[name] += 1
    return quotas


def _key(seed: int, paper: str) -> int:
    text = canonical_json([seed, "sample", paper])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:16], "big")
