"""Every item counts once: as worked out, or as found."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import revkit
from revkit.contracts import Agent, Context, Corpus
from revkit.model.paper import Paper
from revkit.model.review import Review, Scale


@dataclass(frozen=True)
class Copies(Corpus):
    """Twenty papers with two texts."""

    name: ClassVar[str] = "copies"

    def papers(self, ctx: Context) -> Iterator[Paper]:
        for number in range(20):
            yield Paper(f"p{number}", f"# Paper\n\nText {number % 2} of two.\n")


@dataclass(frozen=True)
class Slow(Agent):
    """Takes its time, so that copies ask while it does."""

    name: ClassVar[str] = "slow"
    scale = Scale("ten", 1, 10, accept_at=6)

    def review(self, paper: Paper, ctx: Context) -> Review:
        time.sleep(0.05)
        return Review(True, 7)


def test_items_that_ask_the_same_at_once_are_found(run_toy: Callable[..., revkit.Run]) -> None:
    spec: dict[str, Any] = {
        "revkit": 1,
        "corpus": "copies",
        "agents": {"slow": "slow"},
        "workers": 8,
    }
    done = run_toy(spec, plugins=[Copies, Slow])
    assert (done.counts.computed, done.counts.stored) == (2, 18)
