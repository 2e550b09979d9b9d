"""What was asked (keys) and what was answered (the store). It knows no graph."""

from revkit.cache.keys import KeyBase, SeedBase
from revkit.cache.store import Store

__all__ = ["KeyBase", "SeedBase", "Store"]
