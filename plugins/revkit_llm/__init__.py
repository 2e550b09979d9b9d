"""The agent `llm`: a language model that reviews papers under the form of a venue."""

from __future__ import annotations

from revkit import Register, hookimpl


@hookimpl
def register_agents(register: Register) -> None:
    """Register the agents by module path; each module is imported only when it is used."""
    register("llm = revkit_llm.agent:Llm")


@hookimpl
def register_metrics(register: Register) -> None:
    """Register the metrics by module path; each module is imported only when it is used."""
    register("model-usage = revkit_llm.usage:ModelUsage")
    register("reading-range = revkit_llm.reading_range:ReadingRange")
    register("role-usage = revkit_llm.role_usage:RoleUsage")
