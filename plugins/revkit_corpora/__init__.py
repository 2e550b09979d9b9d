"""Sources of papers: generated ones, public data sets of reviewed papers, and the user's own."""

from __future__ import annotations

from revkit import Register, hookimpl


@hookimpl
def register_corpora(register: Register) -> None:
    """Register every corpus of this plugin."""
    from revkit_corpora.aiscientist import AIScientist
    from revkit_corpora.clawrxiv import ClawRxiv
    from revkit_corpora.deepreview import DeepReview
    from revkit_corpora.jsonl import JsonLines
    from revkit_corpora.markdown import Markdown
    from revkit_corpora.openreview import OpenReview
    from revkit_corpora.peerread import PeerRead
    from revkit_corpora.synthetic import Synthetic

    register(AIScientist)
    register(ClawRxiv)
    register(DeepReview)
    register(JsonLines)
    register(Markdown)
    register(OpenReview)
    register(PeerRead)
    register(Synthetic)
