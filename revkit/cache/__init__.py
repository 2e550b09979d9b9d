"""The cache: keys identify questions, and the store contains their answers."""

from revkit.cache.attempts import Attempts, Paid, attempts_to_json, spent_on
from revkit.cache.batches import Arrived, Batch, BatchCall, Batched, Batches
from revkit.cache.keys import KeyBase, SeedBase
from revkit.cache.store import LOST_REPLY, Store

__all__ = [
    "LOST_REPLY",
    "Arrived",
    "Attempts",
    "Batch",
    "BatchCall",
    "Batched",
    "Batches",
    "KeyBase",
    "Paid",
    "SeedBase",
    "Store",
    "attempts_to_json",
    "spent_on",
]
