"""The page of all tables: each command runs, and prints the columns and rows of the page."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from revkit.cli.main import cli
from tests.llm_server.server import LlmServer, object_for
from tests.plugins.revkit_baselines.samples import cycle, standard
from tests.plugins.revkit_reviewground.scripted import ANSWERS, role_in

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "tables.md"
SPECS = ROOT / "experiments"
# All tables and figures with data of the source papers.
EXPECTED = {
    "ROBUST-REV": {"section 5.1", "section 5.2", "section 5.3", "section 6", "section 7"},
    "ASC": {"section 5", "section 6"},
    "YESciEval": {"nine rubrics"},
    "ReviewGrounder and ReviewBench": {
        *(f"table {number}" for number in range(1, 10)),
        "figure 3a", "figure 3b", "figure 4", "figure 5", "figure 6",
    },
}  # fmt: skip
# Offline specs with fewer papers than by default.
SMALL = {
    "robust": ["--limit", "4"],
    "citation-existence": ["--limit", "4"],
    "yescieval": ["--limit", "2"],
    "asc": ["--limit", "20"],
}


@dataclass(frozen=True)
class Row:
    """One row of the page."""

    document: str
    what: str
    commands: tuple[str, ...]
    metric: str
    columns: tuple[str, ...]
    key: str
    rows: tuple[str, ...]


def rows_of_page() -> Iterator[Row]:
    document, before = "", ()
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            document = line[3:]
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) != 5 or cells[0] in ("table or figure", "---"):
            continue
        commands = tuple(re.findall(r"`([^`]+)`", cells[1])) or before
        before = commands
        key, _, rows = cells[4].partition(": ")
        columns = tuple(cells[3].replace("\\|", "|").split("; "))
        yield Row(
            document, cells[0], commands, cells[2].strip("`"), columns, key, tuple(rows.split("; "))
        )


ROWS = list(rows_of_page())


def test_the_page_lists_every_table_and_figure() -> None:
    for document, wanted in EXPECTED.items():
        there = " | ".join(row.what for row in ROWS if row.document == document)
        assert {each for each in wanted if each not in there} == set(), document
    for row in ROWS:
        for command in row.commands:
            assert (SPECS / f"{shlex.split(command)[2]}.yaml").is_file(), command


def reply(body: dict[str, Any]) -> str:
    """An answer of any role of any system."""
    model = str(body["model"])
    if "cyclereviewer" in model:
        return cycle()
    if "deepreviewer" in model:
        return standard()
    grounder = any(each in model for each in ("phi-4", "gpt-oss", "qwen3-4b", "qwen3-8b"))
    return json.dumps(ANSWERS[role_in(body)]) if grounder else object_for(body)


def smaller(spec: str, url: str) -> list[str]:
    """Options that make a spec small, and send its calls to the server of the tests."""
    value = yaml.safe_load((SPECS / f"{spec}.yaml").read_text(encoding="utf-8"))
    options = list(SMALL.get(spec, []))
    corpus = value["corpus"]
    if "synthetic-bench" in (corpus, corpus.get("use") if isinstance(corpus, dict) else ""):
        options += ["--limit", "3"]
    models = value.get("services", {}).get("llm", {}).get("models", {})
    if not models:
        return options
    options += ["--set", f"services.llm.default.base-url={url}"]
    options += [
        option
        for name in models
        for option in ("--set", f"services.llm.models.{name}.base-url={url}")
    ]
    for name, agent in value["agents"].items():
        given = agent.get("with", {}) if isinstance(agent, dict) else {}
        provider, _, model = str(given.get("model", "")).partition("/")
        if provider in ("anthropic", "gemini", "deepseek"):
            options += ["--set", f"agents.{name}.with.model=openai/{model}"]
    for path, labels in value.get("sweep", {}).items():
        if path.endswith(".reranker"):
            options += ["--set", f"sweep.{path}={json.dumps(dict.fromkeys(labels, ''))}"]
    return options


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    patch = pytest.MonkeyPatch()
    folder = tmp_path_factory.mktemp("tables")
    patch.chdir(folder)
    patch.setenv("OPENAI_API_KEY", "none")
    with LlmServer(reply=reply, keep=0) as server:
        yield folder, server.url
    patch.undo()


_done: set[str] = set()


def run(command: str, url: str) -> Path:
    """Run a command of the page once, and return the folder that it names."""
    words = shlex.split(command)
    assert words[:2] == ["revkit", "run"]
    out = Path(words[words.index("--out") + 1])
    if command not in _done:
        done = CliRunner().invoke(cli, [*words[1:], *smaller(words[2], url)])
        assert done.exit_code in (0, 1), done.output
        assert (out / "spec.yaml").is_file() or (out / "sweep.json").is_file(), done.output
        _done.add(command)
    return out


@pytest.mark.slow
@pytest.mark.parametrize("row", ROWS, ids=[f"{row.document}: {row.what}"[:60] for row in ROWS])
def test_each_command_prints_the_layout(row: Row, place: tuple[Path, str]) -> None:
    folder, url = place
    out = folder
    for command in row.commands:
        out = folder / run(command, url)
    (table,) = (
        each
        for each in json.loads((out / "result.json").read_text())["tables"]
        if each["name"] == row.metric
    )
    names = {column["title"]: column["name"] for column in table["columns"]}
    missing = [title for title in row.columns if title not in names]
    assert not missing, sorted(names)
    lines = (out / "tables" / f"{row.metric}.jsonl").read_text(encoding="utf-8").splitlines()
    found = [json.loads(line) for line in lines]
    there = {str(each[names[row.key]]): each for each in found}
    assert [name for name in row.rows if name not in there] == []
    if row.metric == "bench-scores":
        assert [name for name in row.rows if not there[name]["n"]] == []
