"""The agent `llm`: a language model that reviews papers under the form of a venue."""

from __future__ import annotations

from revkit import Register, hookimpl


@hookimpl
def register_agents(register: Register) -> None:
    """Register the agent."""
    from revkit_llm.agent import Llm

    register(Llm)


@hookimpl
def register_metrics(register: Register) -> None:
    """Register the count of calls."""
    from revkit_llm.usage import ModelUsage

    register(ModelUsage)
