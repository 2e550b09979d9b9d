"""Every item counts once: as computed, or as cached."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

import revkit
from revkit.contracts import Agent, Context
from revkit.model.paper import Paper
from revkit.model.review import Review
from tests.execution.numbered_papers import TEN, NumberedPapers


@dataclass(frozen=True)
class Slow(Agent):
    """Is slow, so that copies ask before it has answered."""

    name: ClassVar[str] = "slow"
    scale = TEN

    def review(self, paper: Paper, ctx: Context) -> Review:
        time.sleep(0.05)
        return Review(True, 7)


def test_equal_items_at_once_are_computed_once(
    run_toy: Callable[..., revkit.Run],
) -> None:
    spec: dict[str, Any] = {
        "revkit": 1,
        "corpus": {"use": "numbered-papers", "with": {"papers": 20, "texts": 2}},
        "agents": {"slow": "slow"},
        "workers": 8,
    }
    done = run_toy(spec, plugins=[NumberedPapers, Slow])
    assert (done.counts.computed, done.counts.stored) == (2, 18)


def test_every_name_of_the_room_is_loaded_when_it_is_used() -> None:
    import revkit.execution

    for name in revkit.execution.__all__:
        assert getattr(revkit.execution, name).__name__ == name
    with pytest.raises(AttributeError, match="has no attribute 'odd'"):
        _ = revkit.execution.odd  # type: ignore[attr-defined]
