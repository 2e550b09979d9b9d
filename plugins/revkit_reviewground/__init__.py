"""The agent `review-grounder`: a draft of a review, grounded in the paper and the literature."""

from __future__ import annotations

from revkit import Register, hookimpl


@hookimpl
def register_agents(register: Register) -> None:
    """Register the agent."""
    from revkit_reviewground.agent import ReviewGrounder

    register(ReviewGrounder)
