"""Reviewers from published papers as agents: AI Scientist, AgentReview, CycleReviewer,
DeepReviewer.
"""

from __future__ import annotations

from revkit import Register, hookimpl


@hookimpl
def register_agents(register: Register) -> None:
    """Register the agents by module path; each module is imported only when it is used."""
    register("ai-scientist = revkit_baselines.ai_scientist:AiScientist")
    register("agent-review = revkit_baselines.agent_review:AgentReview")
    register("cycle-reviewer = revkit_baselines.cycle_reviewer:CycleReviewer")
    register("deep-reviewer = revkit_baselines.deep_reviewer:DeepReviewer")
    register("deep-reviewer-search = revkit_baselines.deep_reviewer:DeepReviewerSearch")
