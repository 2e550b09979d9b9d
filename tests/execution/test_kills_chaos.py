"""SIGKILL at random moments of all kinds of runs: a small version of ``benchmarks.kills``."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks.kills import KINDS, has_dask, killed

pytestmark = [
    pytest.mark.chaos,
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="finds children in /proc"),
]


needs_dask = pytest.mark.skipif(not has_dask(), reason="the extra 'dask' is not installed")


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=needs_dask if kind == "dask" else ()) for kind in KINDS]
)
def test_a_killed_run_loses_nothing(kind: str, tmp_path: Path) -> None:
    (count,) = killed(tmp_path, 2, seed=3, kinds=[kind], papers=20)
    assert count.kills >= 2
    assert not count.lost
