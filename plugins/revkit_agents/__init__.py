"""Control agents: offline reviewers with known behavior, which serve to test revkit itself.

Each reads evidence like a fair reviewer, and each but two has one planted weakness on top. Those
whose names end in "noticer" are of another sort: each looks for one fault of edits and for nothing
else, so that a family that claims to be harmless can be tested with them.
"""

from __future__ import annotations

from revkit import Register, hookimpl


@hookimpl
def register_agents(register: Register) -> None:
    """Register the agents by module path; each module is imported only when it is used."""
    register("citation-counter = revkit_agents.citation_counter:CitationCounter")
    register("confidence-reader = revkit_agents.confidence_reader:ConfidenceReader")
    register(
        "off-topic-citation-noticer = "
        "revkit_agents.off_topic_citation_noticer:OffTopicCitationNoticer"
    )
    register("filler-noticer = revkit_agents.filler_noticer:FillerNoticer")
    register("hedged-fact-noticer = revkit_agents.hedged_fact_noticer:HedgedFactNoticer")
    register("impressed-reader = revkit_agents.impressed_reader:ImpressedReader")
    register("incoherence-noticer = revkit_agents.incoherence_noticer:IncoherenceNoticer")
    register("constant = revkit_agents.constant:Constant")
    register("evidence-weigher = revkit_agents.evidence_weigher:EvidenceWeigher")
    register("keyword-reader = revkit_agents.keyword_reader:KeywordReader")
    register("length-reader = revkit_agents.length_reader:LengthReader")
    register("planted-reviewer = revkit_agents.planted_reviewer:PlantedReviewer")
    register("prompt-follower = revkit_agents.prompt_follower:PromptFollower")
    register("random = revkit_agents.random_verdict:RandomVerdict")
