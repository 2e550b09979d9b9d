"""Fixtures for the tests of corpora: the shared real data, and a way to read a corpus whole."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from revkit.contracts import Corpus
from revkit.model.paper import Paper, Skipped
from revkit.testing import context

Loaded = tuple[list[Paper], list[Skipped]]


@pytest.fixture
def load() -> Callable[[Corpus], Loaded]:
    """Read a corpus, part papers from skipped records; `count`, if any, must agree."""

    def loaded(corpus: Corpus) -> Loaded:
        items = list(corpus.papers(context()))
        assert corpus.count() in (None, len(items))
        most = corpus.most_papers()
        assert most is None or sum(isinstance(item, Paper) for item in items) <= most
        return (
            [item for item in items if isinstance(item, Paper)],
            [item for item in items if isinstance(item, Skipped)],
        )

    return loaded


@pytest.fixture
def shared_data() -> Path:
    """The folder of real papers beside the repository."""
    folder = Path(__file__).resolve().parents[4] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("needs the real papers in ../shared/data, which no checkout contains")
    return folder
