"""Simple services for components outside of a run."""

from __future__ import annotations

from collections.abc import Iterable

from revkit.contracts import Peer, Services
from revkit.model.paper import Paper
from revkit.testing.embedding import embed


def stand_ins(papers: Iterable[Paper]) -> Services:
    """Return the replacement embedder, and ``papers`` as the corpus: without labels, by digest."""
    found = {paper.digest: Peer(paper.blind(), paper.labels.topic) for paper in papers}
    peers = tuple(found[digest] for digest in sorted(found))
    return Services(embed=embed, peers=lambda: peers)
