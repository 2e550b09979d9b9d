"""What the metadata and the page on versions claim is so."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import yaml

from revkit.cache import keys, store
from revkit.calibration import artifact
from revkit.execution.bundle import manifest
from revkit.hookspecs import APIS
from revkit.pairsets import reader

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOW = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text(encoding="utf-8"))


def test_one_version_everywhere() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    heading = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert heading is not None
    assert {str(citation["version"]), heading[1]} == {PROJECT["version"]}
    assert citation["license"] in PROJECT["license"]


def test_the_workflow_tests_every_python_that_is_claimed() -> None:
    claimed = {
        each.rpartition(" ")[2]
        for each in PROJECT["classifiers"]
        if re.search(r"Python :: 3\.\d+$", each)
    }
    jobs = WORKFLOW["jobs"]
    pinned = [
        step["with"]["python-version"]
        for step in jobs["pinned"]["steps"]
        if "python-version" in step.get("with", {})
    ]
    tested = {*pinned, *jobs["newer"]["strategy"]["matrix"]["python"]}
    assert claimed == tested
    commands = [step["run"] for step in jobs["newer"]["steps"] if "run" in step]
    assert "make test" in commands


def test_the_page_states_the_numbers_of_the_formats() -> None:
    page = (ROOT / "docs/versions.md").read_text(encoding="utf-8")
    assert f"a number in the file, now {store._VERSION}" in page
    assert {artifact.FORMAT, manifest.FORMAT, reader.FORMAT, keys.FORMAT} == {1}
    assert page.count("`format: 1`") == 3
    assert APIS == (1,)
    assert "`REVKIT_API = 1`" in page
