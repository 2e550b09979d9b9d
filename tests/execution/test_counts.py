"""Every item counts once: as computed, or as cached."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

import revkit
from revkit.contracts import Agent, Component, Context
from revkit.model.paper import Paper
from revkit.model.review import Failure, Outcome, Review
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


@dataclass(frozen=True)
class Failing(Agent):
    """Answers none but the second text, and slowly."""

    name: ClassVar[str] = "failing"
    scale = TEN

    def review(self, paper: Paper, ctx: Context) -> Outcome:
        time.sleep(0.05)
        return Review(True, 7) if "Text 1" in paper.text else Failure("provider", "no answer")


FAILING: dict[str, Any] = {
    "revkit": 1,
    "corpus": {"use": "numbered-papers", "with": {"papers": 20, "texts": 2}},
    "agents": {"failing": "failing"},
    "workers": 8,
}


def test_a_failure_counts_for_each_item_that_waited_and_is_never_cached(
    run_toy: Callable[..., revkit.Run],
) -> None:
    done = run_toy(FAILING, plugins=[NumberedPapers, Failing])
    assert done.counts.failed == 10
    assert "1 item computed, 10 failed, 9 cached." in done.closing


def test_recorded_failures_count_as_failed(tmp_path: Path, no_plugins: None) -> None:
    plugins: list[type[Component]] = [NumberedPapers, Failing]
    for shard in ("1/2", "2/2"):
        revkit.run_shard(FAILING, shard, out=tmp_path / "parts", plugins=plugins)
    run = revkit.merge([tmp_path / "parts"], out=tmp_path / "whole", plugins=plugins)
    assert "0 items computed, 10 failed, 10 cached." in run.closing


def test_every_name_of_the_room_is_loaded_when_it_is_used() -> None:
    import revkit.execution

    for name in revkit.execution.__all__:
        assert getattr(revkit.execution, name).__name__ == name
    with pytest.raises(AttributeError, match="has no attribute 'odd'"):
        _ = revkit.execution.odd  # type: ignore[attr-defined]
