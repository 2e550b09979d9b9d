"""The commit and the changes that a run records, in folders of this test."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from revkit.execution.provenance import git_state

WHO = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")


def git(folder: Path, *words: str) -> str:
    command = ["git", "-C", str(folder), *WHO, *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def test_the_commit_and_whether_a_file_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    assert git_state() is None
    git(tmp_path, "init", "-q")
    assert git_state() is None  # a checkout without a commit
    (tmp_path / "a.txt").write_text("one", encoding="utf-8")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "one")
    commit = git(tmp_path, "rev-parse", "HEAD")
    assert git_state() == {"commit": commit, "changed": False}
    (tmp_path / "a.txt").write_text("two", encoding="utf-8")
    assert git_state() == {"commit": commit, "changed": True}


def test_a_run_outside_a_checkout_records_no_commit(tmp_path: Path) -> None:
    code = "from revkit.execution.provenance import git_state; print(git_state())"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path, env={"PATH": "", "PYTHONPATH": ":".join(sys.path)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == "None\n"
