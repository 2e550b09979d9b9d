"""Sources of papers: generated ones, public data sets of reviewed papers, and the user's own."""

from __future__ import annotations

from revkit import Register, hookimpl
from revkit_corpora.aiscientist import AIScientist
from revkit_corpora.clawrxiv import ClawRxiv
from revkit_corpora.deepreview import DeepReview
from revkit_corpora.jsonl import JsonLines
from revkit_corpora.markdown import Markdown
from revkit_corpora.openreview import OpenReview
from revkit_corpora.peerread import PeerRead
from revkit_corpora.score_table import ScoreTable
from revkit_corpora.synthetic import Synthetic

__all__ = [
    "AIScientist",
    "ClawRxiv",
    "DeepReview",
    "JsonLines",
    "Markdown",
    "OpenReview",
    "PeerRead",
    "ScoreTable",
    "Synthetic",
]


@hookimpl
def register_corpora(register: Register) -> None:
    """Register every corpus of this plugin."""
    for component in (
        AIScientist,
        ClawRxiv,
        DeepReview,
        JsonLines,
        Markdown,
        OpenReview,
        PeerRead,
        ScoreTable,
        Synthetic,
    ):
        register(component)
