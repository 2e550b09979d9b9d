"""Test tools for plugin authors: a context, small papers and records, and the check of every
contract.

::

    from revkit.testing import check_component, context, tiny_papers

    def test_whisper():
        check_component(Whisper)
        edits = Whisper(share=0.5).perturb(tiny_papers()[0], context(seed=1))
"""

from __future__ import annotations

from revkit.contracts import Context, Services
from revkit.testing.check import check_component
from revkit.testing.embedding import embed
from revkit.testing.papers import tiny_papers
from revkit.testing.records import tiny_experiment, tiny_records, tiny_run
from revkit.testing.services import stand_ins

__all__ = [
    "check_component",
    "context",
    "embed",
    "tiny_experiment",
    "tiny_papers",
    "tiny_records",
    "tiny_run",
]


def context(seed: int = 0, services: Services | None = None) -> Context:
    """Return a context with a seed, for calling a component directly.

    ``services`` defaults to the stand-in embedder `embed`, and to `tiny_papers` as the corpus.
    """
    return Context(seed=seed, services=stand_ins(tiny_papers()) if services is None else services)
