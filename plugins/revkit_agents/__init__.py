"""Control agents: reviewers of known behavior, offline, with which the harness itself is tested.

Each reads evidence like a fair reviewer, and each but two has one planted weakness on top.
"""

from __future__ import annotations

from revkit import Register, hookimpl
from revkit_agents.citation_counter import CitationCounter
from revkit_agents.confidence_reader import ConfidenceReader
from revkit_agents.constant import Constant
from revkit_agents.evidence_weigher import EvidenceWeigher
from revkit_agents.keyword_reader import KeywordReader
from revkit_agents.length_reader import LengthReader
from revkit_agents.random_verdict import RandomVerdict

__all__ = [
    "CitationCounter",
    "ConfidenceReader",
    "Constant",
    "EvidenceWeigher",
    "KeywordReader",
    "LengthReader",
    "RandomVerdict",
]


@hookimpl
def register_agents(register: Register) -> None:
    """Register the seven control agents."""
    for component in (
        CitationCounter,
        ConfidenceReader,
        Constant,
        EvidenceWeigher,
        KeywordReader,
        LengthReader,
        RandomVerdict,
    ):
        register(component)
