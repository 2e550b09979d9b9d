"""Roles: the parts of a reviewer that calls models with several prompts."""

from __future__ import annotations

from revkit.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class AgentRole:
    """One role of an agent, for the run graph and for the forecast of its calls.

    ``name`` is kebab-case and the ``role`` of its `ModelRequest`s. ``model`` is the language model
    that it asks ("" for none), ``uses`` the services beside it, as "searcher". ``reads`` names the
    roles whose replies are in its prompts; its own earlier replies are not
    listed. ``calls`` is how many replies of it one review holds at most, ``input_tokens`` how long
    its prompts are at most, as estimated; None: that depends on the paper.
    """

    name: str
    model: str = ""
    uses: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    calls: int | None = 1
    input_tokens: int | None = None
