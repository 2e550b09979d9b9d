"""Role graph: the roles of a review, the input of each, and the roles that share a prompt
prefix.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from revkit.model.roles import AgentRole
from revkit.prompting import Template
from revkit_reviewground.roles import ROLES, Role

# The places of the aggregator's template, and the roles whose work is there.
_PLACES: Mapping[str, tuple[str, ...]] = {
    "draft": ("drafter",),
    "insights": ("miner",),
    "results": ("analyzer",),
    "related-work": ("searcher", "summarizer"),
}


def taking_part(without: Collection[str], *, drafts_given: bool) -> tuple[str, ...]:
    """Return the roles that are called, in order."""
    left_out = set(without)
    if "searcher" in left_out:
        left_out.add("summarizer")
    if drafts_given:
        left_out.add("drafter")
    return tuple(name for name in ROLES if name not in left_out)


def graph_of(
    roles: Mapping[str, Role],
    names: Sequence[str],
    aggregator: Template,
    *,
    works: int,
    corrections: int,
) -> tuple[AgentRole, ...]:
    """Return the roles ``names`` for the run graph; ``corrections`` is the number of times that
    findings may be sent back to the aggregator, in the same conversation.
    """
    last = tuple(
        name
        for place, readers in _PLACES.items()
        if aggregator.holds(place)
        for name in readers
        if name in names
    )
    reads: dict[str, tuple[str, ...]] = {
        "summarizer": ("searcher",),
        "miner": _PLACES["draft"],
        "analyzer": _PLACES["draft"],
        "aggregator": tuple(name for name in names if name in last),
    }
    found = [
        AgentRole(
            name,
            roles[name].sampling.model,
            ("searcher",) if name == "searcher" else (),
            tuple(each for each in reads.get(name, ()) if each in names),
            works if name == "summarizer" else 1,
            roles[name].input_tokens,
        )
        for name in names
    ]
    if corrections:
        before = (*reads["aggregator"], "aggregator")
        model = roles["aggregator"].sampling.model
        found.append(AgentRole("correction", model, (), before, corrections))
    return tuple(found)


def sharing(
    roles: Mapping[str, Role], templates: Mapping[str, Template], names: Sequence[str]
) -> dict[str, Role]:
    """Return ``roles``, with ``shared`` set for each role whose prompt may be read from a cache
    that another role filled, for providers that require marks of cached text.

    Providers that want marks put the schema of the reply before the prompt, so a cache serves one
    schema: that of drafter and aggregator. Debriefs have one too, but are asked all at once, before
    any of them could fill a cache.
    """
    pair = ("drafter", "aggregator")
    begins = {(roles[name].sampling.model, templates[name].system) for name in pair}
    placed = any(templates[name].holds("paper") for name in pair)
    both = set(pair) <= set(names) and len(begins) == 1 and not placed
    return {name: replace(role, shared=both and name in pair) for name, role in roles.items()}
