"""The work on one item: the input of a component, its answer, and the stored form of the answer."""

from revkit.execution.work.answer import (
    Answer,
    Calls,
    ItemStep,
    Roles,
    answer_from_json,
    asked_in,
    based_on,
    is_credible,
    screens_from_json,
)
from revkit.execution.work.worker import ItemWorker

__all__ = [
    "Answer",
    "Calls",
    "ItemStep",
    "ItemWorker",
    "Roles",
    "answer_from_json",
    "asked_in",
    "based_on",
    "is_credible",
    "screens_from_json",
]
