"""The examples of the guide are right for pyright, which most editors run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_examples_have_no_error_in_pyright() -> None:
    command = Path(sys.executable).with_name("pyright")
    if not command.is_file():
        pytest.skip("pyright is not installed: pip install pyright")
    done = subprocess.run(
        [command, "--project", str(ROOT)],
        capture_output=True, text=True, timeout=180, cwd=ROOT, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
