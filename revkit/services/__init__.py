"""Services that a run offers to components through their `Context`."""

from revkit.services.embed import EmbedService

__all__ = ["EmbedService"]
