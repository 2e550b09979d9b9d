"""Vectors that were computed in two ways are never mixed in silence: a run and a merge say so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

from revkit import api
from revkit.contracts import Context, ServiceName
from revkit.model.paper import Paper
from revkit.testing import toys
from tests.execution.test_shards import TOY

WAYS = ["onednn"]


@dataclass(frozen=True)
class OfMachine(toys.ToyEmbedder):
    """The toy embedder on a machine with the arithmetic ``WAYS[0]``."""

    name: ClassVar[str] = "of-machine"
    version: ClassVar[str] = "1"

    def arithmetic(self) -> str:
        return WAYS[0]


@dataclass(frozen=True)
class Embedding(toys.ToyLength):
    """Embeds each paper before the review."""

    name: ClassVar[str] = "embedding"
    version: ClassVar[str] = "1"
    uses: ClassVar[tuple[ServiceName, ...]] = ("embedder",)

    def review(self, paper: Paper, ctx: Context) -> Any:
        ctx.embed([paper.text])
        return super().review(paper, ctx)


PARTS: list[Any] = [toys, OfMachine, Embedding]
SPEC = {**TOY, "agents": {"one": "embedding"}, "services": {"embedder": "of-machine"}}


def kinds(run: Any) -> list[str]:
    return [each.kind for each in run.warnings]


def test_a_run_continued_on_another_machine_warns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "s.db"

    def run(out: str, papers: int) -> Any:
        spec = {**SPEC, "corpus": {"use": "toy-papers", "with": {"papers": papers}}}
        return api.run(spec, out=tmp_path / out, store=store, plugins=PARTS)

    assert kinds(run("first", 4)) == []
    monkeypatch.setattr("tests.execution.test_mixed_arithmetic.WAYS", ["torch"])
    assert kinds(run("again", 4)) == [], "all answers are stored: nothing is computed"
    [warning] = run("more", 6).warnings
    assert warning.kind == "mixed-arithmetic"
    assert warning.subject == "of-machine"
    assert "(onednn; torch)" in warning.detail
    assert "new --store" in warning.detail


@pytest.mark.parametrize("ways", [("onednn", "torch"), ("onednn", "onednn")])
def test_a_merge_of_shards_of_two_machines_warns(
    ways: Sequence[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, way in enumerate(ways, 1):
        monkeypatch.setattr("tests.execution.test_mixed_arithmetic.WAYS", [way])
        api.run_shard(SPEC, f"{number}/2", out=tmp_path / "shards", plugins=PARTS)
    merged = api.merge(
        [tmp_path / "shards"], out=tmp_path / "merged", store=tmp_path / "m.db", plugins=PARTS
    )
    assert kinds(merged) == (["mixed-arithmetic"] if len(set(ways)) > 1 else [])
