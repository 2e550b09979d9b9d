"""The real syntheses of YESciEval, and contexts whose corpus they are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from revkit.contracts import Context, Peer, Services
from revkit.model import Paper
from revkit.testing import context
from revkit_yescieval.corpora import SyntheticSyntheses, YESciEval

SHEETS = Path(__file__).parents[4] / "shared" / "data" / "yescieval" / "dataset" / "BioASQ" / "test"

MakeContext = Callable[[int], Context]


def _maker(papers: list[Paper]) -> MakeContext:
    peers = tuple(Peer(paper.blind(), paper.labels.topic) for paper in papers)
    services = Services(peers=lambda: peers)
    return lambda seed: Context(seed, services)


@pytest.fixture(scope="session")
def sheets() -> Path:
    """The folder of the native sheets."""
    pytest.importorskip("openpyxl", reason="needs openpyxl to read the native sheets")
    if not SHEETS.is_dir():
        pytest.skip("needs the real syntheses in ../shared/data/yescieval")
    return SHEETS


@pytest.fixture(scope="session")
def real(sheets: Path) -> dict[str, Paper]:
    """The 88 syntheses of the original sheet by their ids."""
    corpus = YESciEval(path=str(sheets / "BioASQ_dataset_synthesis.xlsx"))
    found = {p.id: p for p in corpus.papers(context()) if isinstance(p, Paper)}
    assert len(found) == 88
    return found


@pytest.fixture(scope="session")
def among_real(real: dict[str, Paper]) -> MakeContext:
    """Makes a context from a seed; its corpus is the 88 syntheses, one domain."""
    return _maker(list(real.values()))


@pytest.fixture(scope="session")
def generated() -> list[Paper]:
    """Sixty generated syntheses."""
    return list(SyntheticSyntheses().papers(context(seed=5)))


@pytest.fixture(scope="session")
def among_generated(generated: list[Paper]) -> MakeContext:
    """Makes a context from a seed; its corpus is the generated syntheses."""
    return _maker(generated)
