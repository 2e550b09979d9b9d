"""Whether an experiment could run now, and what the installation lacks."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

import revkit
from revkit.contracts import Agent, Context, Corpus
from revkit.errors import RunError
from revkit.model.paper import Paper
from revkit.model.review import Review, Scale
from revkit.testing import toys


@dataclass(frozen=True)
class Lacking(Agent):
    """An agent without its key, and with a file that is not there."""

    name: ClassVar[str] = "lacking"
    version: ClassVar[str] = "1"
    scale = Scale("ten", 1, 10)

    def ready(self) -> list[str]:
        return ["the environment variable SOME_API_KEY is not set"]

    def files_needed(self) -> list[str]:
        return ["prompts/mine.txt", "package:revkit/places.py", "package:revkit/none.py"]

    def review(self, paper: Paper, ctx: Context) -> Review:
        raise AssertionError("nothing is asked")


@dataclass(frozen=True)
class Nowhere(Corpus):
    """A corpus whose folder does not exist."""

    name: ClassVar[str] = "nowhere"
    version: ClassVar[str] = "1"

    def papers(self, ctx: Context) -> Any:
        raise RunError("papers/ does not exist")


def test_what_would_stop_a_run_has_its_place(
    toy_spec: dict[str, Any], tmp_path: Path, no_plugins: None
) -> None:
    assert revkit.check_ready(toy_spec, plugins=[toys]) == []
    toy_spec["agents"] = {"mine": "lacking"}
    toy_spec["corpus"] = "nowhere"
    path = tmp_path / "spec.yaml"
    path.write_text(json.dumps(toy_spec, indent=1), encoding="utf-8")
    problems = revkit.check_ready(path, plugins=[toys, Lacking, Nowhere])
    found = {(each.path, each.message.partition(" (in ")[0]) for each in problems}
    assert found == {
        ("agents.mine", "the environment variable SOME_API_KEY is not set"),
        ("agents.mine", "the file prompts/mine.txt does not exist"),
        ("agents.mine", "the file package:revkit/none.py does not exist"),
        ("corpus", "papers/ does not exist"),
    }
    lines = path.read_text(encoding="utf-8").splitlines()
    for problem in problems:
        assert problem.path.rpartition(".")[2] in lines[problem.line - 1]


def test_the_doctor_shows_no_key(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, run_toy: Any, toy_spec: dict[str, Any]
) -> None:
    monkeypatch.setenv("SECRET_API_KEY", "sk-hidden")
    monkeypatch.chdir(tmp_path)
    run_toy(toy_spec, store="store.db")
    found = revkit.doctor(toy_spec, store=tmp_path / "store.db", plugins=[toys])
    text = json.dumps([each.to_json() for each in found])
    assert "SECRET_API_KEY" in text
    assert "sk-hidden" not in text
    states = {each.subject: each.state for each in found}
    assert (states["store"], states["disk"], states["spec"]) == ("ok", "ok", "ok")
    (tmp_path / "bad.db").write_bytes(b"no database" * 100)
    bad = revkit.doctor(store=tmp_path / "bad.db")
    assert [each.state for each in bad if each.subject == "store"] == ["problem"]
    missing = revkit.doctor({"revkit": 1}, plugins=[toys])
    assert missing[-1].state == "problem"


def test_the_commands(
    revkit_command: Callable[..., Any], toy_spec: dict[str, Any], toys_file: str, tmp_path: Path
) -> None:
    (tmp_path / "spec.yaml").write_text(json.dumps(toy_spec), encoding="utf-8")
    ready = revkit_command("validate", "spec.yaml", "--ready", "--plugin", toys_file)
    assert (ready.returncode, "ok, and ready to run" in ready.stdout) == (0, True)
    shown = revkit_command("validate", "spec.yaml", "--json", "--plugin", toys_file)
    assert json.loads(shown.stdout)["agents"] == 2
    (tmp_path / "bad.yaml").write_text("revkit: 1\nagnets: {}\n", encoding="utf-8")
    bad = revkit_command("validate", "bad.yaml", "--json")
    assert bad.returncode == 2
    assert {each["line"] for each in json.loads(bad.stdout)["problems"]} >= {2}
    doctor = revkit_command("doctor", "spec.yaml", "--plugin", toys_file, "--json")
    assert doctor.returncode == 0, doctor.stdout
    assert {"subject": "spec", "state": "ok", "detail": "could run now"} in json.loads(
        doctor.stdout
    )
    assert revkit_command("doctor").stdout.startswith("ok       revkit")
    planned = json.loads(
        revkit_command("plan", "spec.yaml", "--json", "--plugin", toys_file).stdout
    )
    assert (planned["papers"], planned["reviews"]) == (6, 24)
