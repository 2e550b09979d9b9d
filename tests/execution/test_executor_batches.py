"""Shards of an executor that send their calls in batches: wait for them, or come again later."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import revkit
from revkit.errors import BatchesPending
from tests.execution.test_batches import CALLS, spec_of
from tests.execution.test_batches_chaos import PLUGIN
from tests.llm_server.server import LlmServer

pytestmark = pytest.mark.slow
SHARDS = 2


class Place:
    """A folder in which one experiment runs, with an executor or without."""

    def __init__(self, folder: Path, server: LlmServer) -> None:
        self.folder = folder
        self.server = server
        self.parts = folder / "parts.py"
        self.parts.write_text(PLUGIN, encoding="utf-8")

    def run(self, out: str, **llm: Any) -> revkit.Run:
        spec = spec_of(self.server, **llm)
        if llm:
            spec["executor"] = {"use": "local", "with": {"shards": SHARDS, "at-once": SHARDS}}
        return revkit.run(
            spec, out=self.folder / out, store=self.folder / f"{out}.db", plugins=[self.parts]
        )

    def files(self, out: str) -> dict[str, bytes]:
        return {
            path.relative_to(self.folder / out).as_posix(): path.read_bytes()
            for path in sorted((self.folder / out).rglob("*"))
            if path.is_file() and path.name not in ("provenance.json", ".revkit-run", "spec.yaml")
        }

    def check(self) -> None:
        """Every call was paid once, in a batch, and the bytes are those of single calls."""
        assert self.server.requests == 0
        assert sum(self.server.batches.paid.values()) == CALLS
        assert set(self.server.batches.paid.values()) == {1}
        self.run("single")
        assert self.files("batch") == self.files("single")


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with LlmServer(keep=0) as server:
        yield Place(tmp_path, server)


def test_shards_wait_for_their_batches(place: Place) -> None:
    place.run("batch", **{"batch": True, "batch-least": 1})
    place.check()


def test_shards_that_do_not_wait_fetch_their_results_later(place: Place) -> None:
    place.server.batches.polls = 2
    settings: dict[str, Any] = {"batch": True, "batch-least": 1, "batch-wait": 0}
    ended = 0
    for _ in range(12):
        try:
            place.run("batch", **settings)
        except BatchesPending as error:
            ended += 1
            text = str(error)
            assert "shard " in text
            assert "Run the same command again" in text
            if ended == 1:  # each shard has sent its batch
                assert all(f"shard {number}/{SHARDS}: " in text for number in (1, 2))
                assert not (place.folder / "batch").exists()
            continue
        break
    assert ended >= 2
    assert (place.folder / "batch" / "result.json").exists()
    place.check()
