"""What a stored review depends on: an edit of the reviewer's code or files makes a new key."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import revkit
from revkit_external.command import Command
from revkit_external.http import Http
from revkit_external.python import Python

MAP = {"accept": {"path": "$.d", "labels": "@decision"}}
FILES = {
    "reviewer.py": "import helper, json\nfrom rules.words import WORDS\nreview = Review = f = 1\n",
    "helper.py": "def late():\n    import deep\n",
    "deep.py": "f = x = 1\n",
    "rules/__init__.py": "",
    "rules/words.py": "WORDS = 1\n",
    "rules/prompt.txt": "Review this.\n",
    "other.py": "unused = 1\n",
    "space/inner.py": "f = x = 1\n",
    "settings.yaml": "a: 1\n",
    "run.sh": "python3 x\n",
    "tool": "#!/usr/bin/env python3\nimport helper\n",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with the files of a reviewer."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def noticed(make: Callable[[], Any], folder: Path) -> set[str]:
    """The files whose change changes the identity."""
    found = set()
    for name, text in FILES.items():
        before = make().identity()
        (folder / name).write_text(text + "# changed\n", encoding="utf-8")
        if make().identity() != before:
            found.add(name)
        (folder / name).write_text(text, encoding="utf-8")
    return found


CODE = {"helper.py", "deep.py", "rules/__init__.py", "rules/words.py", "rules/prompt.txt"}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"call_": "reviewer:review"}, CODE | {"reviewer.py"}),
        ({"init": "reviewer:Review"}, CODE | {"reviewer.py"}),
        ({"call_": "space.inner:f"}, {"space/inner.py"}),
        ({"call_": "deep:f", "args": [{"attr": "other:x"}]}, {"deep.py", "other.py"}),
        ({"call_": "deep:f", "kwargs": {"c": "{start_dir}/settings.yaml"}},
         {"deep.py", "settings.yaml"}),
        ({"call_": "deep:f", "env": {"RULES": "{start_dir}/rules/prompt.txt"}},
         {"deep.py", "rules/prompt.txt"}),
    ],
)  # fmt: skip
def test_the_code_of_a_function(options: dict[str, Any], expected: set[str], folder: Path) -> None:
    def make() -> Python:
        return Python(map=MAP, path=("{start_dir}",), **options)

    assert noticed(make, folder) == expected
    assert make().ready() == []


@pytest.mark.parametrize(
    ("argv", "options", "expected"),
    [
        (("python3", "{start_dir}/reviewer.py"), {}, CODE | {"reviewer.py"}),
        (("sh", "{start_dir}/run.sh"), {}, {"run.sh"}),
        (("./run.sh",), {}, {"run.sh"}),
        (("{start_dir}/tool",), {}, {"tool", "helper.py", "deep.py"}),
        (("sh", "-c", "python3 {start_dir}/deep.py <x"), {}, {"deep.py"}),
        (("sh", "--config={start_dir}/settings.yaml"), {}, {"settings.yaml"}),
        (("python3", "-m", "deep"), {"env": {"PYTHONPATH": "{start_dir}"}}, {"deep.py"}),
        (("sh",), {"files": {"c.txt": "prompt: {start_dir}/rules/prompt.txt"}},
         {"rules/prompt.txt"}),
        (("sh",), {"stdin": "{start_dir}/settings.yaml"}, {"settings.yaml"}),
        (("sh",), {"output": {"file": "{out_dir}/x", "filter": ["sh", "{start_dir}/run.sh"]}},
         {"run.sh"}),
    ],
)  # fmt: skip
def test_the_files_of_a_program(
    argv: tuple[str, ...], options: dict[str, Any], expected: set[str], folder: Path
) -> None:
    assert noticed(lambda: Command(argv=argv, map=MAP, **options), folder) == expected


def test_where_it_stands_does_not_matter(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    agents = [
        Python(map=MAP, path=("{start_dir}",), call_="reviewer:review"),
        Command(map=MAP, argv=("python3", "{start_dir}/reviewer.py")),
    ]
    before = [agent.identity() for agent in agents]
    other = tmp_path_factory.mktemp("other")
    for name, text in FILES.items():
        (other / name).parent.mkdir(exist_ok=True)
        (other / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(other)
    assert [agent.identity() for agent in agents] == before


def environment(place: Path, version: str, content: str) -> str:
    """A made-up environment with one installed package, and one that is installed as editable."""
    site = place / "lib" / "python3.11" / "site-packages"
    (site / "their_tool").mkdir(parents=True, exist_ok=True)
    (site / "their_tool" / "__init__.py").write_text(content)
    for old in site.glob("*.dist-info"):
        for file in old.iterdir():
            file.unlink()
        old.rmdir()
    info = site / f"their_tool-{version}.dist-info"
    info.mkdir()
    (info / "RECORD").write_text(f"their_tool/__init__.py,sha256={content},1\n")
    editable = site / "mine-1.dist-info"
    editable.mkdir()
    origin = {"url": (place / "source").as_uri(), "dir_info": {"editable": True}}
    (editable / "direct_url.json").write_text(json.dumps(origin))
    (place / "source" / "src").mkdir(parents=True, exist_ok=True)
    (place / "bin").mkdir(exist_ok=True)
    program = place / "bin" / "python"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o700)
    return str(program)


def test_what_identity_lists_of_a_separate_environment(tmp_path: Path) -> None:
    program = environment(tmp_path, "1.0", "a")
    (tmp_path / "source" / "src" / "mine.py").write_text("import their_tool\n")

    def identity(call: str) -> Any:
        return Python(call_=call, map=MAP, python=program).identity()

    tool, mine = identity("their_tool:f"), identity("mine:f")
    assert tool["reviewer"]["installed"][0][:3] == ["their_tool", "their_tool", "1.0"]
    assert list(mine["reviewer"]["files"]) == ["mine.py"]
    assert mine["reviewer"]["installed"] == tool["reviewer"]["installed"]
    environment(tmp_path, "1.1", "a")
    assert identity("their_tool:f") != tool
    assert identity("mine:f") != mine
    environment(tmp_path, "1.0", "b")
    assert identity("their_tool:f") != tool
    environment(tmp_path, "1.0", "a")
    assert (identity("their_tool:f"), identity("mine:f")) == (tool, mine)
    (tmp_path / "source" / "src" / "mine.py").write_text("import their_tool\nx = 1\n")
    assert identity("mine:f") != mine


def test_nothing_known_is_reported_before_a_run(folder: Path) -> None:
    def troubles(**options: Any) -> str:
        return "\n".join(Python(**{"map": MAP, "call_": "reviewer:f", **options}).ready())

    assert "there is no module reviewer in a folder of 'path'" in troubles()
    assert "path[0]: '.' is searched in the folder of each call" in troubles(path=(".",))
    assert "write '{start_dir}/rules'" in troubles(path=("rules",))
    assert "there is no folder '{start_dir}/none'" in troubles(path=("{start_dir}/none",))
    assert troubles(path=("{start_dir}",)) == ""
    assert troubles(call_="json:dumps") == ""
    assert "no version of package 'no-such-package'" in troubles(package="no-such-package")
    command = Command(argv=(sys.executable,), package="no-such-package", map=MAP)
    assert "no version of package 'no-such-package'" in command.ready()[0]


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("def review(): ...", True),
        ("async def review(): ...", True),
        ("class review: ...", True),
        ("from elsewhere import check as review", True),
        ("if True:\n    review = print", True),
        ("def __getattr__(name): return print", True),
        ("from elsewhere import *", True),
        ("globals()['rev' + 'iew'] = print", True),
        ("def revew(): ...", False),
        ("import json", False),
    ],
)
def test_a_name_that_the_module_does_not_define_is_reported_before_a_run(
    code: str, found: bool, folder: Path
) -> None:
    (folder / "revv.py").write_text(code)
    options: dict[str, Any] = {"map": MAP, "path": ("{start_dir}",)}
    troubles = Python(**options, call_="revv:review").ready()
    assert (troubles == []) == found
    assert all(each.startswith("call: unknown name in revv.py 'review'") for each in troubles)
    method = Python(**options, init="revv:review.Reviewer", method="f").ready()
    assert (method == []) == found


def test_an_edit_is_reviewed_anew(folder: Path) -> None:
    spec = {
        "revkit": 1,
        "name": "edited",
        "corpus": {"use": "synthetic", "with": {"papers": 2}},
        "agents": {
            "mine": {
                "use": "python",
                "with": {"call": "mine:review", "path": ["{start_dir}"], "map": MAP},
            }
        },
        "metrics": ["outcomes"],
    }
    for verdict, computed in (("accept", 2), ("accept", 0), ("reject", 2)):
        code = f"def review():\n    return {{'d': '{verdict}'}}\n"
        (folder / "mine.py").write_text(code, encoding="utf-8")
        run = revkit.run(spec, store=folder / "store.sqlite", out=folder / f"out-{verdict}")
        assert run.counts.computed == computed
        assert {each.accept for each in run.records.verdicts} == {verdict == "accept"}


def test_a_service_lists_its_renderers_alone() -> None:
    agent = Http(submit={"url": "http://127.0.0.1:9/", "multipart": {"f": "@{paper_md}"}}, map=MAP)
    assert agent.reviewer_identity() == {"renderers": ["as it is"]}
