"""Files that an installed package brings along, named in options as "package:NAME/FILE"."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from revkit.files import Unreadable, located, read_text

ROOT = Path(__file__).parents[2]


def test_a_file_of_a_package_is_found_wherever_one_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    place = located("package:revkit_robustrev/pool.jsonl")
    assert place.is_file()
    assert read_text("package:revkit_robustrev/pool.jsonl") == place.read_text("utf-8")


def test_a_plain_path_stays_as_it_is() -> None:
    assert located("some/file.txt") == Path("some/file.txt")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("package:nowhere/file", "'nowhere' is not installed"),
        ("package:revkit_robustrev", "not of the form"),
        ("package:revkit.files/x", "not of the form"),
        ("package:../etc/passwd", "not of the form"),
        ("package:revkit_robustrev/../../secret", "outside of the package"),
        ("package:revkit_robustrev//etc/passwd", "outside of the package"),
    ],
)
def test_what_is_no_file_of_a_package(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        located(name)
    with pytest.raises(Unreadable, match=message):
        read_text(name)


def test_a_shipped_experiment_is_valid_outside_of_the_checkout(tmp_path: Path) -> None:
    spec = tmp_path / "spec.yaml"
    spec.write_bytes((ROOT / "experiments" / "citation-existence.yaml").read_bytes())
    done = subprocess.run(
        [sys.executable, "-m", "revkit", "validate", str(spec)],
        capture_output=True, text=True, cwd=tmp_path, timeout=240, check=False,
        env={**os.environ, "PYTHONPATH": ""},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_shipped_experiment_names_a_file_of_the_checkout_that_a_package_holds() -> None:
    for path in sorted((ROOT / "experiments").rglob("*.yaml")):
        lines = path.read_text(encoding="utf-8").splitlines()
        named = [line for line in lines if "plugins/" in line and not line.lstrip().startswith("#")]
        assert named == [], path.name
