"""The verbs as functions: run, validate, plan, graph, schema, plugins."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import revkit
from revkit.testing import toys

pytestmark = pytest.mark.usefixtures("no_plugins")


@pytest.fixture
def spec_file(tmp_path: Path, toy_spec: dict[str, Any]) -> Path:
    from revkit.files.yaml_source import to_yaml

    path = tmp_path / "spec.yaml"
    path.write_text(to_yaml(toy_spec), encoding="utf-8")
    return path


def test_each_verb_takes_file_mapping_and_experiment(
    spec_file: Path, toy_spec: dict[str, Any]
) -> None:
    built = revkit.Experiment(
        name="toy",
        seed=3,
        corpus=toys.ToyPapers(papers_=6),
        perturbations={"words": toys.ToyWords()},
        agents={"length": toys.ToyLength(), "coin": toys.ToyCoin()},
        metrics=[toys.ToyFlips()],
        reports=[toys.ToyReport()],
    )
    for spec in (spec_file, str(spec_file), toy_spec, built):
        experiment = revkit.validate(spec, plugins=[toys])
        assert experiment.digest == built.digest
        assert revkit.plan(spec, plugins=[toys]).reviews == 24
        assert len(revkit.graph(spec, plugins=[toys]).nodes) == 8
        assert revkit.validate(spec, plugins=[toys], seed=4, limit=2).limit == 2


def test_yaml_and_python_give_the_same_numbers(
    spec_file: Path, run_toy: Callable[..., Any], toy_spec: dict[str, Any]
) -> None:
    first = run_toy(spec_file, overrides=["corpus.with.papers=9"])
    experiment = revkit.validate(toy_spec, plugins=[toys])
    from dataclasses import replace

    second = run_toy(
        replace(experiment, corpus=toys.ToyPapers(papers_=9)), out="b", store="other.db"
    )
    assert second.records.verdicts == first.records.verdicts
    assert second.tables == first.tables
    assert second.counts.computed == first.counts.computed


def test_the_default_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, toy_spec: dict[str, Any]
) -> None:
    monkeypatch.chdir(tmp_path)
    run = revkit.run(toy_spec, plugins=[toys])
    assert run.folder.parent == Path("runs")
    assert run.folder.name == f"toy-{run.experiment.digest[:8]}"
    assert Path(".revkit/store.sqlite3").is_file()
    other = revkit.run(toy_spec, plugins=[toys], seed=8)
    assert other.folder != run.folder
    assert revkit.run(toy_spec, plugins=[toys]).counts.computed == 0


def test_a_plugin_that_was_asked_for_must_load(tmp_path: Path, toy_spec: dict[str, Any]) -> None:
    (tmp_path / "bad.py").write_text("raise SystemExit(0)")
    for plugin in (tmp_path / "bad.py", tmp_path / "none.py"):
        for call in (revkit.validate, revkit.plan, revkit.graph, revkit.run):
            with pytest.raises(revkit.RevkitError, match=r"the plugin .* failed to load"):
                call(toy_spec, plugins=[toys, plugin])
        with pytest.raises(revkit.RevkitError, match=r"the plugin .* failed to load"):
            revkit.schema([plugin])
        assert len(revkit.plugins([plugin]).broken) == 1


def test_the_schema_knows_the_installed_components(toy_spec: dict[str, Any]) -> None:
    schema = revkit.schema([toys])
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    validator.validate(toy_spec)
    assert list(validator.iter_errors({**toy_spec, "corpus": "nothing"}))
    wrong = {**toy_spec, "agents": {"a": {"use": "toy-coin", "with": {"refuse": 2}}}}
    assert list(validator.iter_errors(wrong))
    wrong["agents"]["a"]["with"] = {"reject": 0.5}
    assert list(validator.iter_errors(wrong))
    for example in schema["examples"]:
        jsonschema.Draft202012Validator(
            {**schema, "$defs": revkit.schemas.read_schema("experiment")["$defs"]}
        ).validate(example)


def test_a_clash_is_written_with_its_plugin_in_the_schema(
    tmp_path: Path, toy_spec: dict[str, Any]
) -> None:
    text = Path(str(toys.__file__)).read_text(encoding="utf-8")
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    plugins: list[Any] = [toys, tmp_path / "mine.py"]
    with pytest.raises(revkit.RevkitError, match="write 'mine:toy-papers' or"):
        revkit.validate(toy_spec, plugins=plugins)
    for kind in ("corpus", "agents", "perturbations", "metrics", "reports"):
        toy_spec.pop(kind)
    toy_spec["corpus"] = "mine:toy-papers"
    toy_spec["agents"] = {"a": {"use": "revkit.testing.toys:toy-coin"}}
    assert revkit.validate(toy_spec, plugins=plugins).agents
    jsonschema.Draft202012Validator(revkit.schema(plugins)).validate(toy_spec)


def test_a_plugin_may_be_a_class_or_one_path(toy_spec: dict[str, Any]) -> None:
    spec = {"revkit": 1, "corpus": "toy-papers", "agents": {"a": "toy-coin"}}
    assert revkit.validate(spec, plugins=[toys.ToyPapers, toys.ToyCoin]).agents
    assert revkit.validate(toy_spec, plugins=str(toys.__file__)).agents
