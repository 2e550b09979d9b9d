"""Nothing is left out of the documentation, and what is copied or generated is up to date."""

from __future__ import annotations

import importlib.util
import inspect
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import revkit
from revkit.contracts import KINDS
from revkit.registry import Entry, load_registry

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
# The method of each kind that an author writes, as in the table of kinds.
METHODS = {
    "corpus": ("papers",),
    "perturbation": ("perturb",),
    "constraint": ("check",),
    "agent": ("review",),
    "defense": (),  # either of its two methods
    "rubric": (),
    "strategy": ("search",),
    "calibrator": ("fit",),
    "metric": ("measure",),
    "searcher": ("search",),
    "embedder": ("embed",),
    "reporter": ("render",),
    "exporter": ("export",),
    "executor": ("run",),
}


def read(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def load(path: Path) -> ModuleType:
    """Load a script of the documentation as a module."""
    name = f"docs_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def own_components() -> list[Entry]:
    return [entry for entry in load_registry().entries if entry.distribution == "revkit"]


def test_generated_pages_are_up_to_date() -> None:
    generate = load(DOCS / "generate.py")
    pages = generate.pages(load_registry())
    for name, text in pages.items():
        assert read(f"reference/{name}") == text, "run: python docs/generate.py"
    folder = DOCS / "reference"
    found = folder.glob("components/*/*.md")
    components = {path.relative_to(folder).as_posix() for path in found}
    assert components == {name for name in pages if name.startswith("components/")}


def test_every_component_is_documented() -> None:
    page = read("reference/components.md")
    entries = own_components()
    assert {entry.kind for entry in entries} >= {"corpus", "perturbation", "agent", "metric"}
    for entry in entries:
        name = f"{entry.kind}-{entry.name}"
        assert f"| [`{entry.name}`](#{name}) | " in page
        own = read(f"reference/components/{KINDS[entry.kind].plural}/{entry.name}.md")
        assert own.startswith(f"({name})=\n# {entry.name}\n")


def test_every_corpus_family_and_agent_stands_in_the_guide() -> None:
    pages = {
        "corpus": ("own-papers.md",),
        "perturbation": ("robust-rev.md", "yescieval.md", "reviewbench.md", "defences.md"),
        # Agents of known behaviour belong to their method, all others to who has a reviewer to try.
        "agent": (
            "own-agents.md",
            "robust-rev.md",
            "yescieval.md",
            "reviewbench.md",
            "defences.md",
        ),
    }
    for entry in own_components():
        if entry.kind in pages:
            link = f"(#{entry.kind}-{entry.name})"
            assert any(link in read(page) for page in pages[entry.kind]), link


def test_every_ready_agent_stands_in_the_table() -> None:
    page = read("own-agents.md")
    ready = sorted(path.name for path in (ROOT / "experiments" / "agents").glob("*.yaml"))
    assert len(ready) >= 4
    for name in ready:
        assert f"| `{name}` | " in page, name


def test_every_command_has_its_function() -> None:
    from revkit.cli.main import COMMANDS

    page = read("python.md")
    for name in COMMANDS:
        assert f"| `revkit {name}" in page, name


@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
def test_every_kind_is_documented(kind: object) -> None:
    assert set(METHODS) == set(KINDS)
    name, plural, base = kind.name, kind.plural, kind.base  # type: ignore[attr-defined]
    page = read("writing-a-plugin.md")
    [row] = [line for line in page.splitlines() if line.startswith(f"| [`{base.__name__}`]")]
    assert f"`register_{plural}(register)`" in row
    for method in METHODS[name]:
        assert method in base.__abstractmethods__
        parameters = inspect.signature(getattr(base, method)).parameters.values()
        arguments = [
            p.name if p.default is p.empty else f"{p.name}={p.default}" for p in parameters
        ]
        assert f"`{method}({', '.join(arguments)})`" in row
    # Whatever else is abstract is named too.
    assert all(f"`{method}" in row for method in base.__abstractmethods__)
    assert f".. autoclass:: revkit.contracts.{base.__name__}\n" in read("reference/contracts.md")


def test_every_public_name_is_documented() -> None:
    pages = "\n".join(
        page.read_text(encoding="utf-8") for page in (DOCS / "reference").glob("*.md")
    )
    whole = re.findall(r"automodule:: (\S+)\n   :members:\n", pages)
    missing = []
    for name in set(dir(revkit)) - {"__version__", "Outcome", "Register", "hookimpl"}:
        value = getattr(revkit, name)
        listed = re.search(rf"auto\w+:: \S+\.{name}\b|:members:[^\n]*\b{name}\b", pages)
        module = getattr(value, "__module__", "")
        if not listed and not any(
            module == each or module.startswith(f"{each}.") for each in whole
        ):
            missing.append(name)
    assert not missing


def test_every_statistic_is_documented() -> None:
    from revkit import stats

    page = read("reference/stats.md")
    missing = [name for name in stats.__all__ if f":: revkit.stats.{name}\n" not in page]
    assert not missing


def test_every_section_of_a_spec_is_documented() -> None:
    from revkit.schemas import read_schema

    page = read("experiments.md")
    for key in read_schema("experiment")["properties"]:
        assert f"| `{key}`" in page or f"| `{key}." in page, key


def test_every_column_of_a_record_is_documented() -> None:
    from revkit.execution.record_rows import (
        ATTACKED,
        CALIBRATED,
        JUDGED,
        PROBED,
        RECORDS,
        row_class,
    )
    from revkit.model.columns import columns_of_class

    page = read("reference/records.md")
    for record in (*RECORDS, *JUDGED, *ATTACKED, *PROBED, *CALIBRATED):
        cls = row_class(record)
        section = page.partition(f"## {record}\n")[2].partition("\n## ")[0]
        for column in columns_of_class(cls):
            assert column.help
            assert f"| `{column.name}` | " in section, (record, column.name)


def test_kinds_of_failure_are_those_that_exist() -> None:
    from typing import get_args

    from revkit.model.review import FailureKind

    section = read("writing-a-plugin.md").partition("### An agent")[2].partition("###")[0]
    for kind in get_args(FailureKind):
        assert f"`{kind}`" in section


def test_examples_keep_their_contracts() -> None:
    from revkit.testing import check_component

    module = load(DOCS / "examples" / "every_kind.py")
    registry = load_registry([module])
    entries = [entry for entry in registry.entries if entry.plugin == module.__name__]
    assert {entry.kind for entry in entries} == set(KINDS)
    for entry in entries:
        check_component(entry.component)


def test_script_of_the_python_page_runs(tmp_path: Path) -> None:
    script = DOCS / "examples" / "python_api.py"
    done = subprocess.run(
        [sys.executable, "-W", "error", script],
        cwd=tmp_path, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "exit code of the same run on the command line: 0" in done.stdout
    assert "unknown agent 'title-reade'; did you mean 'title-reader'" in done.stdout
    assert (tmp_path / "runs" / "from-python" / "result.json").is_file()


@pytest.mark.slow
@pytest.mark.model
def test_report_that_is_shown_is_that_of_the_default_run(tmp_path: Path) -> None:
    run = revkit.run(
        ROOT / "experiments" / "robust.yaml", out=tmp_path / "run", store=tmp_path / "store"
    )
    shown = read("examples/robust-report.txt")
    printed = (run.folder / "report.txt").read_text(encoding="utf-8")
    assert printed == shown, "run: python docs/generate.py --report"
