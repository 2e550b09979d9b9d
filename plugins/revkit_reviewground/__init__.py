"""The agent `review-grounder`: a draft of a review, grounded in the paper and the literature."""

from __future__ import annotations

from revkit import Register, hookimpl


@hookimpl
def register_agents(register: Register) -> None:
    """Register the agents by their places, each imported when it is used."""
    register("review-grounder = revkit_reviewground.agent:ReviewGrounder")
