"""Someone who has only the documentation writes a perturbation in a package of their own.

The package's files, the spec and the test of it are those of docs/writing-a-plugin.md: what is
tested is what a reader copies.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "writing-a-plugin.md"
_FILE = re.compile(r"^% file: (\S+)\n(?:% [^\n]*\n)*```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MODULE = "revkit-wide-spacing/revkit_wide_spacing.py"
PROJECT = "revkit-wide-spacing/pyproject.toml"


@pytest.fixture(scope="module")
def files() -> Mapping[str, str]:
    """The files that the page shows, by name."""
    return dict(_FILE.findall(PAGE.read_text(encoding="utf-8")))


class Reader:
    """Someone with a new virtual environment in which revkit is installed."""

    def __init__(self, folder: Path, files: Mapping[str, str]) -> None:
        self.folder = folder
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        venv = folder / "venv"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
        self.python = venv / ("Scripts" if os.name == "nt" else "bin") / "python"
        # The environment of this test stands in for an installed revkit, whatever way it came.
        site = next(venv.rglob("site-packages"))
        paths = [path for path in sys.path if path and Path(path).is_dir()]
        (site / "installed.pth").write_text("\n".join(paths) + "\n", encoding="utf-8")

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a module of Python in the new environment."""
        environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "COLUMNS")}
        environment.pop("REVKIT_PLUGINS", None)
        return subprocess.run(
            [self.python, "-m", *arguments],
            cwd=self.folder, env=environment, capture_output=True, text=True, timeout=300,
        )  # fmt: skip


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory, files: Mapping[str, str]) -> Reader:
    """The reader after ``pip install``, without a network."""
    reader = Reader(tmp_path_factory.mktemp("reader"), files)
    installed = reader.run(
        "pip", "install", "--disable-pip-version-check", "--quiet", "--no-deps",
        "--no-build-isolation", "--no-index", "./revkit-wide-spacing",
    )  # fmt: skip
    assert installed.returncode == 0, installed.stdout + installed.stderr
    return reader


def test_package_is_small(files: Mapping[str, str]) -> None:
    assert len(files[MODULE].splitlines()) < 25  # blank lines included
    assert len(files[PROJECT].splitlines()) <= 10


def test_plugin_is_listed(reader: Reader) -> None:
    listed = reader.run("revkit", "plugins")
    line = re.search(r"^ +wide-spacing +\[wide-spacing\] +(.*)$", listed.stdout, re.MULTILINE)
    assert line is not None, listed.stdout + listed.stderr
    assert line[1].startswith("Insert a second space after sentences")


def test_plugin_works_in_a_spec(reader: Reader) -> None:
    run = reader.run("revkit", "run", "spacing.yaml", "--out", "spacing-run")
    assert run.returncode == 0, run.stdout + run.stderr
    shown = "5 papers, 10 variants, 15 reviews: 25 items computed, 0 cached. Results: spacing-run"
    assert run.stdout.splitlines()[-1] == shown
    assert shown in PAGE.read_text(encoding="utf-8")

    records = reader.folder / "spacing-run" / "records"
    lines = (records / "variants.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert [row["perturbation"] for row in rows] == ["every-sentence", "every-other"] * 5
    assert not any(row["rejected"] for row in rows)
    assert all(edit["new"] == " " for row in rows for edit in row["edits"])
    whole = sum(len(row["edits"]) for row in rows[::2])
    half = sum(len(row["edits"]) for row in rows[1::2])
    # 5 papers hold some hundred sentences; half of them, give or take five standard deviations.
    assert whole > 100
    assert abs(half - whole / 2) < 5 * (whole / 4) ** 0.5

    provenance = json.loads((records.parent / "provenance.json").read_text(encoding="utf-8"))
    modules = [part["module"] for part in provenance["components"]]
    assert modules.count("revkit_wide_spacing") == 2


def test_test_of_the_plugin_passes(reader: Reader) -> None:
    tested = reader.run("pytest", "-q", "-p", "no:cacheprovider", "test_wide_spacing.py")
    assert tested.returncode == 0, tested.stdout + tested.stderr
    assert "2 passed" in tested.stdout
