"""The notebooks of the documentation run from their first cell to their last."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "notebooks"
PAGES = sorted(FOLDER.glob("*.md"))
_CELL = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_there_are_notebooks() -> None:
    assert len(PAGES) >= 3


# Ends a notebook that hangs; a busy machine takes many times as long as one at rest.
_SECONDS = 1_800


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_notebook_runs(page: Path, tmp_path: Path) -> None:
    cells = _CELL.findall(page.read_text(encoding="utf-8"))
    assert len(cells) >= 3
    (tmp_path / "notebook.py").write_text("\n".join(cells), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "notebook.py"],
        cwd=tmp_path, capture_output=True, text=True, timeout=_SECONDS,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3_000:]
    assert done.stdout.strip()
