"""The ready specs and the schema of their nested options."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from revkit.errors import SpecError
from revkit.files.yaml_source import read_source
from revkit.options import from_options, options_of
from revkit.registry import load_registry
from revkit.spec.compose import composed_schema
from revkit.spec.load import load_experiment

SPECS = sorted((Path(__file__).parents[3] / "experiments" / "agents").glob("*.yaml"))


@cache
def validator() -> Any:
    return jsonschema.Draft202012Validator(composed_schema(load_registry()))


def agent_of(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    spec: Any = read_source(path).value
    return spec, next(iter(spec["agents"].values()))


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_the_schema_accepts_the_ready_specs(path: Path) -> None:
    errors = [error.message for error in validator().iter_errors(read_source(path).value)]
    assert errors == []


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_the_schema_refuses_a_misspelt_nested_key(path: Path) -> None:
    spec, agent = agent_of(path)
    field = next(iter(agent["with"]["map"].values()))
    field["pathh"] = "$.x"
    assert not validator().is_valid(spec)


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_options_are_kept_byte_for_byte(path: Path) -> None:
    """Keys of stored reviews and draws hold this JSON: 1 must not become 1.0, nor a key appear."""
    _, agent = agent_of(path)
    component = load_registry().get("agent", agent["use"]).component
    options = options_of(from_options(component, agent["with"]))
    for name, value in agent["with"].items():
        if isinstance(value, dict | list):
            assert json.dumps(options[name]) == json.dumps(value), name


def test_a_wrong_nested_key_has_its_line_and_column(tmp_path: Path) -> None:
    path = tmp_path / "spec.yaml"
    path.write_text(
        "revkit: 1\nname: x\nseed: 1\ncorpus: {use: synthetic, with: {papers: 2}}\n"
        "agents:\n"
        "  a:\n"
        "    use: command\n"
        "    with:\n"
        "      argv: [tool]\n"
        "      map:\n"
        "        score:\n"
        "          path: $.s\n"
        "          scael: [1, 10]\n"
        "metrics: [outcomes]\n",
        encoding="utf-8",
    )
    with pytest.raises(SpecError) as caught:
        load_experiment(path, load_registry())
    (misspelt, missing) = sorted(caught.value.problems, key=lambda each: -each.line)
    assert (misspelt.line, misspelt.column) == (13, 11)
    assert "unknown key 'scael'; did you mean 'scale'?" in misspelt.message
    assert (missing.line, missing.column) == (11, 9)
    assert "scale: is missing" in missing.message
