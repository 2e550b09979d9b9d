"""What decides an answer is in its key and in a map's fingerprint, and nothing else is."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from revkit.contracts import Component
from revkit.errors import PluginError
from revkit.identity import code_digest, data_digest, data_files, version_of
from revkit.testing.toys import ToyCoin
from revkit_agents.keyword_reader import KeywordReader
from tests.compat.code import PLUGINS, ROOT, files_behind, names_in
from tests.compat.stamp import first_party

# Prints identities three times: as it is, with a comment in every source, with another prompt.
SCRIPT = """
import json, sys
from pathlib import Path
from revkit import identity
from revkit.cache import KeyBase
from revkit.calibration import fingerprint_of
from revkit.registry import load_registry

root = Path(sys.argv[1])
entries = load_registry().entries
ready = []
for entry in entries:
    options = {"model": "openai/x"} if entry.name in ("llm", "review-grounder") else {}
    try:
        ready.append((entry, entry.component(**options)))
    except Exception:
        pass

def all_of_it():
    for cached in (identity.code_digest, identity.data_digest):
        cached.cache_clear()
    found = {
        f"{entry.kind} {entry.name}": [
            identity.package_of(entry.component),
            identity.version_of(entry.component),
            identity.data_digest(entry.component),
        ]
        for entry in entries
    }
    for entry, component in ready:
        try:
            found[f"key {entry.kind} {entry.name}"] = KeyBase.of("r", [component], seed=1).digest
        except Exception as error:  # a file is needed
            continue
        if entry.kind == "agent":
            found[f"map {entry.name}"] = fingerprint_of([component])
    return found

assert Path(identity.__file__).is_relative_to(root), identity.__file__
results = [all_of_it()]
for path in root.rglob("*.py"):
    path.write_text(path.read_text("utf-8") + "\\n\\n# A remark.\\n", "utf-8")
results.append(all_of_it())
prompt = root / "revkit_llm" / "template.md"
prompt.write_text(prompt.read_text("utf-8") + "Be brief.\\n", "utf-8")
results.append(all_of_it())
print(json.dumps(results))
"""


def test_comments_change_no_key_and_no_fingerprint_and_a_prompt_does(tmp_path: Path) -> None:
    nothing = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "revkit", tmp_path / "revkit", ignore=nothing)
    shutil.copytree(ROOT / "schemas", tmp_path / "schemas")
    for folder in PLUGINS.glob("revkit_*"):
        shutil.copytree(folder, tmp_path / folder.name, ignore=nothing)
    output = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    ).stdout
    before, commented, prompted = json.loads(output)
    assert sum(name.startswith("key ") for name in before) > 90
    assert sum(name.startswith("map ") for name in before) > 12
    assert "map llm" in before
    assert commented == before
    changed = {name for name in before if prompted[name] != before[name]}
    assert changed == {"agent llm", "key agent llm", "map llm"}


def test_every_component_of_ours_has_a_reviewed_version() -> None:
    without = [
        f"{entry.kind} {entry.name}"
        for entry in first_party().entries
        if not vars(entry.component).get("version")
    ]
    assert without == []


CODE = (".py", ".pyi", ".pyc")
# Files that no component reads, or that options name: these are in the identity by their content.
NO_DATA = {
    "POOL.md",
    "works.md",
    "py.typed",
    "synthetic-venue.jsonl",
    "viewer.css",
    "viewer.html.jinja",
}


def test_every_data_file_belongs_to_a_component() -> None:
    named = {path for entry in first_party().entries for path in data_files(entry.component)}
    there = {
        path
        for path in (*PLUGINS.rglob("*"), *(ROOT / "revkit").rglob("*"))
        if path.is_file()
        and path.suffix not in (".py", ".pyi", ".pyc")
        and path.name not in NO_DATA
    } - {PLUGINS / "README.md"}
    assert sorted(there - named) == []


def test_a_component_names_the_data_files_that_its_code_names() -> None:
    files = {
        path.name: path for entry in first_party().entries for path in data_files(entry.component)
    }
    missing = []
    for entry in first_party().entries:
        if entry.kind == "exporter":  # writes a folder; nothing that it answers is stored
            continue
        named = {path.name for path in data_files(entry.component)}
        for source in files_behind(entry.component.__module__):
            read = {name for name in names_in(source) if name in files} - named
            missing += [f"{entry.kind} {entry.name}: {name}" for name in sorted(read)]
    assert missing == []


def package(folder: Path, name: str, body: str) -> str:
    (folder / name).mkdir(exist_ok=True)
    (folder / name / "__init__.py").write_text(body, encoding="utf-8")
    code_digest.cache_clear()
    sys.modules.pop(name, None)
    __import__(name)
    return code_digest(name)


def test_code_without_a_version_counts_without_comments_and_formatting(
    tmp_path: Path,
) -> None:
    sys.path.insert(0, str(tmp_path))
    try:
        first = package(tmp_path, "third_party_code", "def f(x):\n    return x + 1\n")
        same = package(tmp_path, "third_party_code", "# One.\ndef f(\n  x,\n): return (x+1)  # a\n")
        other = package(tmp_path, "third_party_code", "def f(x):\n    return x + 2\n")
        documented = package(tmp_path, "third_party_code", 'def f(x):\n    "a"\n    return x + 1\n')
        (tmp_path / "third_party_code" / "words.txt").write_text("may", encoding="utf-8")
        data = package(tmp_path, "third_party_code", "def f(x):\n    return x + 1\n")
    finally:
        sys.path.remove(str(tmp_path))
        sys.modules.pop("third_party_code", None)
    assert first == same
    assert len({first, other, documented, data}) == 4


def test_a_name_of_data_that_matches_nothing_is_refused() -> None:
    class Reading(ToyCoin):
        data = ("gone.tsv",)

    with pytest.raises(PluginError, match=r"its data 'gone\.tsv' match no file"):
        data_digest(Reading)


def test_a_class_of_another_package_adds_its_own_code() -> None:
    class Derived(KeywordReader):
        pass

    assert issubclass(Derived, Component)
    assert version_of(KeywordReader) == "1"
    assert version_of(Derived) != "1"
