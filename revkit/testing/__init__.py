"""For plugin authors: a context, a tiny paper, and checks that every component should pass."""

from __future__ import annotations

from revkit.contracts import Context, Services

__all__ = ["context"]


def context(seed: int = 0, services: Services = Services()) -> Context:
    """Return a context for calling a component by hand: seeded, with the services given."""
    return Context(seed=seed, services=services)
