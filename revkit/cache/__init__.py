"""The cache: keys identify questions, and the store contains their answers.

Each name is loaded when it is first used: most runs make no batches.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from revkit.cache.attempts import Attempts, Paid, attempts_to_json, spent_on
    from revkit.cache.batches import Arrived, Batch, BatchCall, Batched, Batches
    from revkit.cache.claims import LONGEST_WAIT, Claims
    from revkit.cache.keys import KeyBase, SeedBase
    from revkit.cache.store import LOST_REPLY, Store
else:
    from revkit.lazy_names import lazy_names

    __getattr__ = lazy_names(
        __name__,
        {
            "attempts": "Attempts Paid attempts_to_json spent_on",
            "batches": "Arrived Batch BatchCall Batched Batches",
            "claims": "LONGEST_WAIT Claims",
            "keys": "KeyBase SeedBase",
            "store": "LOST_REPLY Store",
        },
    )

__all__ = [
    "LONGEST_WAIT",
    "LOST_REPLY",
    "Arrived",
    "Attempts",
    "Batch",
    "BatchCall",
    "Batched",
    "Batches",
    "Claims",
    "KeyBase",
    "Paid",
    "SeedBase",
    "Store",
    "attempts_to_json",
    "spent_on",
]
