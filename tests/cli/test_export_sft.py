"""``revkit export sft``, and that ``revkit export`` beside it is what it was."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PLUGIN = '''
from dataclasses import dataclass
from typing import ClassVar
from revkit import Agent, Corpus, Labels, Message, Paper, Review, Scale, hookimpl
from revkit.model.training import TrainingExample

@dataclass(frozen=True)
class Pupil(Agent):
    """It learns."""
    name: ClassVar[str] = "pupil"
    scale: ClassVar[Scale] = Scale("pupil-1-10", 1, 10)
    def review(self, paper, ctx):
        return Review(score=5.0)
    def training_example(self, paper, review, ctx):
        reply = Message("assistant", review["summary"])
        return TrainingExample((Message("user", paper.text), reply))

@dataclass(frozen=True)
class Two(Corpus):
    """Two papers."""
    name: ClassVar[str] = "two"
    def papers(self, ctx):
        for name in ("a", "b"):
            labels = Labels(extra={"reviews": [{"summary": f"On {name}."}]})
            yield Paper(name, f"The text of {name} is short.", f"Title {name}", labels)

@hookimpl
def register_agents(register):
    register(Pupil)

@hookimpl
def register_corpora(register):
    register(Two)
'''


@pytest.fixture
def call(
    revkit_command: Callable[..., Any], environment: dict[str, str], tmp_path: Path
) -> Callable[..., Any]:
    (tmp_path / "plugin.py").write_text(PLUGIN, encoding="utf-8")
    (tmp_path / "spec.yaml").write_text(
        "revkit: 1\ncorpus: two\nagents: {pupil: pupil}\n", encoding="utf-8"
    )
    bench = [{"id": "A", "title": "x", "text": "Nothing alike."}]
    (tmp_path / "bench.json").write_text(json.dumps(bench), encoding="utf-8")
    environment["REVKIT_PLUGINS"] = "training"
    return revkit_command


ARGUMENTS = ("spec.yaml", "--agent", "pupil", "--bench", "bench.json", "--plugin", "plugin.py")


def test_export_sft(call: Callable[..., Any], tmp_path: Path) -> None:
    done = call("export", "sft", *ARGUMENTS)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "1 conversation to train on, 0 to validate, of 1 paper.",
        "Left out, in the bench: same id (1)",
        "Highest similarity to the bench: 0.000; papers from 0.2 on are left out",
        "Results: training",
    ]
    text = (tmp_path / "training" / "messages" / "train.jsonl").read_text(encoding="utf-8")
    assert [turn["content"] for turn in json.loads(text)["messages"]] == [
        "The text of b is short.",
        "On b.",
    ]
    assert not (tmp_path / ".revkit").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("spec.yaml",), 2, "Missing option '--agent'"),
        (("spec.yaml", "--agent", "pupil"), 2, "Missing option '--bench'"),
        ((*ARGUMENTS, "--devices", "3"), 2, "'3' is not one of"),
        ((*ARGUMENTS, "--validation", "1"), 2, "--validation"),
        ((*ARGUMENTS, "--bench", "none.json"), 1, "none.json cannot be read"),
        ((*ARGUMENTS, "--agent", "pupl"), 2, "did you mean 'pupil'"),
        ((*ARGUMENTS, "--limit", "1"), 1, "nothing to train on"),
    ],
)
def test_mistakes(
    call: Callable[..., Any], arguments: tuple[str, ...], code: int, message: str
) -> None:
    done = call("export", "sft", *arguments)
    assert done.returncode == code
    assert message in done.stderr


def test_export_of_runs_is_what_it_was(call: Callable[..., Any]) -> None:
    assert "Missing argument 'RUN_FOLDER'" in call("export").stderr
    run = call("export", "./sft", "x.revkit")
    assert run.returncode == 1
    assert "sft" in run.stderr
    told = call("export", "--help").stdout
    assert "revkit export [OPTIONS] RUN_FOLDER BUNDLE" in " ".join(told.split())
    assert "revkit export sft --help" in " ".join(told.split())
    told = " ".join(call("export", "sft", "--help").stdout.split())
    assert "revkit export sft [OPTIONS] SPEC" in told


def test_an_exporter_of_a_one_off_plugin_has_its_command(
    call: Callable[..., Any], tmp_path: Path
) -> None:
    example = Path(__file__).parents[2] / "docs" / "examples" / "every_kind.py"
    arguments = ("spec.yaml", "--plugin", str(example), "--plugin", "plugin.py")
    done = call("export", "titles", *arguments, "--upper", "true", "--out", "there")
    assert (done.returncode, done.stdout) == (0, "2 titles\nResults: there\n"), done.stderr
    assert (tmp_path / "there" / "titles.txt").read_text("utf-8") == "TITLE A\nTITLE B\n"
    done = call("export", "titles", *arguments, "--upper", "perhaps")
    assert done.returncode == 2
    done = call("export", "titles", "--help", "--plugin", str(example))
    assert "In capital letters." in done.stdout
