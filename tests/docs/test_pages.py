"""The pages of the documentation say what is so: specs validate, commands print what is shown.

A block of code may have a mark, a comment in the line before it:

- ``% file: NAME`` writes the block to NAME, for the blocks that follow;
- ``% plugin: NAME`` validates a spec with that file as a one-off plugin;
- ``% run`` runs the commands of a console block (those after ``$ ``: revkit, python, cat) and
  compares what they print; ``% run exit=N`` expects that exit code. A line ``...`` stands for any
  lines, ``...`` within a line for any text;
- ``% broken`` leaves a spec that is not to validate to the command that shows its errors.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import json
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import revkit

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(
    page for folder in (DOCS, DOCS / "rooms", DOCS / "reference") for page in folder.glob("*.md")
)
_FENCE = re.compile(
    r"(?P<marks>(?:^% [^\n]*\n)*)^```(?P<language>\S+)\n(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
# A slow machine prints progress; pages show none.
_PROGRESS = re.compile(r"^\d+:\d\d  [\d,]+ of [\d,]+ papers, .*\n", re.MULTILINE)
# What a fragment of a spec is completed with, so that it can be validated.
_BASE: Mapping[str, Any] = {
    "revkit": 1,
    "corpus": {"use": "synthetic", "with": {"papers": 2}},
    "agents": {"counter": "citation-counter"},
    "perturbations": {"hedging": "hedging"},
    "services": {"embedder": "hashed-ngrams"},
}


@dataclass(frozen=True)
class Block:
    """One fenced block: its language, its text, its marks by name, and its line in the page."""

    language: str
    body: str
    marks: Mapping[str, str]
    line: int


def blocks_of(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    for found in _FENCE.finditer(text):
        marks = {}
        for line in found["marks"].splitlines():
            name, _, value = line[2:].replace(":", " ", 1).strip().partition(" ")
            marks[name] = value.strip()
        line = text.count("\n", 0, found.start("body"))
        yield Block(found["language"], found["body"], marks, line)


def has(page: Path, *languages: str, mark: str = "") -> bool:
    """Whether a page has a block in one of the languages, with the mark if one is named."""
    return any(
        block.language in languages and (not mark or mark in block.marks)
        for block in blocks_of(page)
    )


def having(*languages: str, mark: str = "") -> Any:
    """Parametrise a test over the pages that have such a block."""
    found = [page for page in PAGES if has(page, *languages, mark=mark)]
    return pytest.mark.parametrize(
        "page", found, ids=[str(page.relative_to(DOCS)) for page in found]
    )


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The working directory of a reader: a new checkout's experiments and the examples."""
    shutil.copytree(ROOT / "experiments", tmp_path / "experiments")
    for example in (DOCS / "examples").glob("*.py"):
        shutil.copy(example, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("REVKIT_PLUGINS", raising=False)
    handler = signal.getsignal(signal.SIGINT)
    yield tmp_path
    signal.signal(signal.SIGINT, handler)


def write_file(block: Block, folder: Path) -> None:
    """Write a block that is marked as a file."""
    if "file" in block.marks:
        path = folder / block.marks["file"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.body, encoding="utf-8")


@having("yaml")
def test_specs_validate(page: Path, folder: Path) -> None:
    import yaml

    for block in blocks_of(page):
        write_file(block, folder)
        if block.language != "yaml" or "broken" in block.marks:
            continue
        spec = yaml.safe_load(block.body)
        plugins = block.marks.get("plugin", "").split()
        try:
            # As text: then the spec goes through revkit's own reader. JSON is YAML.
            missing = {} if "revkit" in spec else {k: v for k, v in _BASE.items() if k not in spec}
            head = "".join(f"{key}: {json.dumps(value)}\n" for key, value in missing.items())
            path = folder / "page-spec.yaml"
            path.write_text(head + block.body, encoding="utf-8")
            revkit.load(path, plugins=plugins)
        except revkit.RevkitError as error:
            pytest.fail(f"{page.name}:{block.line}: {error}")


@having("console", mark="run")
def test_commands_print_what_is_shown(page: Path, folder: Path) -> None:
    for block in blocks_of(page):
        write_file(block, folder)
        if block.language != "console" or "run" not in block.marks:
            continue
        wanted = int(block.marks["run"].removeprefix("exit=") or 0)
        for command, shown in commands_of(block.body):
            code, printed = run_revkit(command)
            where = f"{page.name}:{block.line}: {command}"
            assert code == wanted, f"{where} left with {code}:\n{printed}"
            assert re.fullmatch(pattern_of(shown), printed), (
                f"{where}\nshown:\n{shown}\nprinted:\n{printed}"
            )


def commands_of(body: str) -> Iterator[tuple[str, str]]:
    """The commands of a console block, each with what it prints."""
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        command, _, shown = part.replace("\\\n", " ").partition("\n")
        yield command, shown


def pattern_of(shown: str) -> re.Pattern[str]:
    """A pattern for what a command prints, from what a page shows of it."""
    parts = []
    for line in shown.splitlines():
        if line.strip() == "...":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(".*".join(map(re.escape, line.rstrip().split("..."))) + r"[ ]*\n")
    return re.compile("".join(parts) + r"\s*")


def run_revkit(command: str) -> tuple[int, str]:
    """Run a command; return its exit code and its output. revkit runs in this process."""
    words = shlex.split(command)
    if words[0] == "cat":
        return 0, Path(words[1]).read_text(encoding="utf-8")
    if words[0] == "python":
        done = subprocess.run(
            [sys.executable, *words[1:]],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120,
        )  # fmt: skip
        return done.returncode, done.stdout
    assert words[0] == "revkit", f"only revkit, python and cat are run, not {words[0]}"
    from revkit.cli.main import main

    output = io.StringIO()
    before = sys.argv
    sys.argv = words
    try:
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            main()
    except SystemExit as leave:
        return int(leave.code or 0), _PROGRESS.sub("", output.getvalue())
    finally:
        sys.argv = before
    raise AssertionError("main() did not exit")


@having("python", "json", "toml")
def test_blocks_can_be_read(page: Path) -> None:
    import tomllib

    for block in blocks_of(page):
        if block.body.startswith(">>> "):
            tests = doctest.DocTestParser().get_doctest(block.body, {}, page.name, None, block.line)
            assert doctest.DocTestRunner().run(tests).failed == 0, f"{page.name}:{block.line}"
        elif block.language == "python":
            compile(block.body, f"{page.name}:{block.line}", "exec")
        elif block.language == "json":
            json.loads(block.body)
        elif block.language == "toml":
            tomllib.loads(block.body)


def test_every_mark_is_known() -> None:
    known = {"file", "plugin", "run", "broken"}
    for page in PAGES:
        for block in blocks_of(page):
            assert set(block.marks) <= known, f"{page.name}:{block.line}"


def test_readme_commands_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\bmake ([a-z-]+)", readme))
    assert {"run", "test"} <= named
    assert named <= targets
    for page in PAGES:
        named = set(re.findall(r"(?:`|\$ )make ([a-z-]+)", page.read_text(encoding="utf-8")))
        assert named <= targets, page.name


def test_files_that_pages_name_exist() -> None:
    for page in PAGES:
        for path in re.findall(r"`((?:docs|experiments|schemas|revkit|plugins|tests)/[\w./-]+)`",
                               page.read_text(encoding="utf-8")):  # fmt: skip
            assert (ROOT / path).exists(), f"{page.name}: {path}"


def test_included_files_are_linked_for_readers_of_the_raw_pages() -> None:
    found = 0
    for page in sorted(DOCS.rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        for include in re.finditer(r"^```\{literalinclude\} (\S+)\n(?::.*\n)*```\n", text, re.M):
            found += 1
            following = text[include.end() :].strip().split("\n\n", 1)[0]
            assert f"]({include[1]})" in following, f"{page.name}: no link follows {include[0]}"
            assert (page.parent / include[1]).is_file()
    assert found == sum(
        page.read_text(encoding="utf-8").count("{literalinclude}") for page in DOCS.rglob("*.md")
    )
    assert found > 20


def test_the_table_of_the_readme_is_the_one_that_the_default_run_prints() -> None:
    readme = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    report = (DOCS / "examples" / "robust-report.txt").read_text(encoding="utf-8")
    shown = readme.partition("```text\n")[2].partition("```")[0]
    assert shown.partition("Agent ")[0].count("\n") <= 1  # titles take up to two lines
    assert shown in report
