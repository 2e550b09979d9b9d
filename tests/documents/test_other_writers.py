"""Papers in files of other programs, read back: docs/own-papers.md has figures for 40 papers."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.written import WRITERS, read_back, sources

pytest.importorskip("pypdfium2", reason="the extra pdf is not installed")
pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", WRITERS)
def test_what_another_program_wrote_is_read(name: str, tmp_path: Path) -> None:
    if not WRITERS[name][3]():
        pytest.skip(f"not installed: {name}")
    found = read_back(name, sources(generated=5, real=1), tmp_path)
    assert found["titles"] == found["papers"] >= 5, found  # with the reasons of skipped files
    for item in ("headings", "entries"):
        assert found[f"{item} right"] >= 0.95 * found[item]
        assert found[f"{item} right"] >= 0.95 * found[f"{item} read"]
