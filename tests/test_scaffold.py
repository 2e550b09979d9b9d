"""A new plugin passes its own test; what a plugin gets wrong is named with its place."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import revkit
from revkit.contracts import KINDS
from revkit.errors import PluginError, RunError
from revkit.registry import load_registry
from revkit.spec import load_spec
from revkit.testing import check_component, toys

BROKEN = '''
from dataclasses import dataclass
from revkit import Agent, Review, Scale, hookimpl

{before}

def inner():
    raise KeyError("boom")

@dataclass(frozen=True)
class A(Agent):
    """Crash on every paper."""
    name = "a"
    version = "1"
    scale = Scale("ten", 1, 10)
    def review(self, {parameters}):
        inner()

@hookimpl
def {hook}(register):
    register(A)
'''


def broken(folder: Path, **changes: str) -> Path:
    """A file with an agent that crashes, with parts of it changed."""
    parts = {"before": "", "parameters": "paper, ctx", "hook": "register_agents", **changes}
    path = folder / "mine.py"
    path.write_text(BROKEN.format(**parts), encoding="utf-8")
    return path


@pytest.mark.parametrize("kind", KINDS)
def test_a_new_plugin_of_every_kind_meets_its_contract(
    kind: str, tmp_path: Path, no_plugins: None
) -> None:
    files = revkit.new_plugin("made-up", kind, tmp_path)
    names = [str(path.relative_to(tmp_path)) for path in files]
    assert names == [
        "revkit-made-up/pyproject.toml",
        "revkit-made-up/README.md",
        "revkit-made-up/experiment.yaml",
        "revkit-made-up/revkit_made_up/__init__.py",
        "revkit-made-up/revkit_made_up/py.typed",
        "revkit-made-up/tests/test_revkit_made_up.py",
    ]
    compile(files[5].read_text(encoding="utf-8"), "test", "exec")
    name = f"revkit_made_up_{kind}"
    spec = importlib.util.spec_from_file_location(name, files[3])
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    check_component(module.MadeUp)
    [entry] = load_registry([module]).entries
    assert (entry.kind, entry.name) == (kind, "made-up")


def made_packages(folder: Path) -> dict[str, tuple[Path, Path]]:
    """The module and the experiment of a new plugin, by kind."""
    found = {}
    for kind in KINDS:
        files = {path.name: path for path in revkit.new_plugin(f"made-{kind}", kind, folder)}
        found[kind] = files["__init__.py"], files["experiment.yaml"]
    return found


def test_the_experiment_of_each_new_plugin_is_valid(tmp_path: Path) -> None:
    packages = made_packages(tmp_path)
    registry = load_registry([module for module, _ in packages.values()])
    registry.check_one_offs()
    for kind, (_, spec) in packages.items():
        experiment = load_spec(spec, registry)
        assert isinstance(experiment, revkit.Experiment)
        used = {component.name for _, component in experiment.components()}
        assert (f"made-{kind}" in used) == (kind != "exporter")


@pytest.mark.slow
def test_the_experiment_of_each_new_plugin_runs(tmp_path: Path) -> None:
    packages = made_packages(tmp_path)
    for kind, (module, spec) in packages.items():
        run = revkit.run(
            spec, out=tmp_path / f"run-{kind}", store=tmp_path / "db", plugins=[module]
        )  # fmt: skip
        assert run.faults == (), kind
        assert run.records.papers, kind
    module, spec = packages["exporter"]
    written = revkit.export_with("made-exporter", spec, tmp_path / "out", plugins=[module])
    assert (tmp_path / "out" / "titles.txt").is_file(), written


def test_what_cannot_be_made_is_named(tmp_path: Path) -> None:
    with pytest.raises(PluginError, match="is not a name"):
        revkit.new_plugin("../x", "agent", tmp_path)
    with pytest.raises(PluginError, match="did you mean 'agent'"):
        revkit.new_plugin("x", "agnet", tmp_path)
    revkit.new_plugin("x", "agent", tmp_path)
    with pytest.raises(RunError, match="exists"):
        revkit.new_plugin("x", "agent", tmp_path)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"hook": "register_agent"},
            "unknown hook 'register_agent'; did you mean 'register_agents'",
        ),
        (
            {"parameters": "paper"},
            r"A.review\(self, paper\) is called as review\(self, paper, ctx\) \(mine.py:16\)",
        ),
        ({"parameters": "paper, ctx, more"}, "is called as review"),
        ({"before": "REVKIT_API = 99"}, "written for plugin API 99, .*; upgrade revkit"),
        ({"before": "REVKIT_API = 0"}, "upgrade the plugin"),
        ({"before": "REVKIT_API = '1'"}, "must be a whole number"),
    ],
)
def test_a_plugin_that_does_not_fit_is_refused_at_loading(
    changes: dict[str, str], message: str, tmp_path: Path, no_plugins: None
) -> None:
    with pytest.raises(PluginError, match=message):
        load_registry([broken(tmp_path, **changes)]).check_one_offs()


@pytest.mark.parametrize("parameters", ["paper, ctx", "paper, ctx, more=1", "*all"])
def test_what_can_be_called_is_accepted(parameters: str, tmp_path: Path, no_plugins: None) -> None:
    registry = load_registry([broken(tmp_path, parameters=parameters)])
    assert bool(registry.broken) is False


def test_a_crash_names_the_frames_of_the_plugin(
    run_toy: Callable[..., Any], toy_spec: dict[str, Any], tmp_path: Path
) -> None:
    plugin = broken(tmp_path)
    toy_spec["agents"] = {"mine": "a"}
    run = run_toy(toy_spec, plugins=[plugin])
    details = {row["detail"] for row in run.rows("outcomes")}
    place = f"{tmp_path.name}/mine.py"
    assert details == {f"KeyError: 'boom' (in {place}:17 in review > {place}:8 in inner)"}
    assert str(tmp_path) not in json.dumps(sorted(details))
    trial = revkit.check_agent(toy_spec, "mine", plugins=[toys, plugin])
    outcome = trial["outcome"]
    assert isinstance(outcome, dict)
    assert outcome["kind"] == "crashed"
    assert "mine.py:8 in inner" in str(outcome["detail"])


def test_the_commands(revkit_command: Callable[..., Any], toys_file: str, tmp_path: Path) -> None:
    made = revkit_command("new", "plugin", "made-up", "--kind", "metric")
    assert made.returncode == 0, made.stderr
    assert "next: cd revkit-made-up && pip install -e . pytest && pytest" in made.stdout
    assert "then: revkit run experiment.yaml" in made.stdout
    shown = revkit_command("plugins", "toy-papers", "--plugin", toys_file)
    assert "corpus toy-papers" in shown.stdout
    assert "papers:" in shown.stdout
    listed = json.loads(revkit_command("plugins", "--json", "--plugin", toys_file).stdout)
    assert "toy-papers" in {each["name"] for each in listed["components"]}
    unknown = revkit_command("plugins", "toy-paper", "--plugin", toys_file)
    assert (unknown.returncode, "did you mean" in unknown.stderr) == (3, True)
