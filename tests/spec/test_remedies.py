"""Messages that name the remedy: tabs, unclosed brackets, lists of agents, names of other kinds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import revkit
from revkit.errors import RunError, SpecError
from revkit.files.yaml_source import parse_source
from revkit.registry import load_registry
from revkit.spec import load_experiment
from revkit.testing import toys


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("revkit: 1\n\tname: x\n", "indent with spaces, not with tabs"),
        ("corpus: {use: x\nagents: {c: y}\n", "the bracket { begins at line 1, column 9"),
    ],
)
def test_malformed_yaml_names_the_remedy(text: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        parse_source(text)


def test_a_list_of_agents_and_a_name_of_another_kind(no_plugins: None) -> None:
    registry = load_registry([toys])
    spec: dict[str, Any] = {"revkit": 1, "corpus": "toy-papers", "agents": ["toy-coin"]}
    with pytest.raises(SpecError, match="write the entries as 'NAME: component', one line each"):
        load_experiment(spec, registry)
    spec |= {"agents": {"c": "toy-coin"}, "metrics": ["toy-words"]}
    with pytest.raises(SpecError, match="is a perturbation, not a metric"):
        load_experiment(spec, registry)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rubrics": ["cohesion"]}, "rubrics: rubrics need judges; add the section judges"),
        ({"seed": True}, "seed: expected a whole number, not true"),
        ({"limit": False}, "limit: expected a whole number, not false"),
        ({"calibration": {}}, "the key 'maps' is missing; write 'maps: {NAME: component}'"),
        ({"metrics": "flip-rate, score-shift"}, "; write [flip-rate, score-shift]"),
        ({"metrics": "flip-rate"}, "; write [flip-rate]"),
        ({"assert": "failures <= 1 %, or so"}, '; write ["failures <= 1 %, or so"]'),
    ],
)
def test_problems_of_a_section_name_what_is_missing_as_yaml_spells_it(
    change: dict[str, Any], message: str
) -> None:
    spec = {"revkit": 1, "corpus": "samples", "agents": {"c": "citation-counter"}, **change}
    with pytest.raises(SpecError) as caught:
        revkit.validate(spec)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("argv", "fields", "message"),
    [
        ("{paper}", {"score": {"path": "$.s", "scale": [1, 10]}}, "did you mean {paper_md}?"),
        ("{paper_md}", {"score": {"path": "$.s", "scale": [10, 1]}}, "read the mark as severity"),
        (
            "{paper_md}",
            {"accept": {"like": "score", "at-least": 6}},
            "add one, such as score: {path: $.score, ...}",
        ),
    ],
)
def test_problems_of_a_command_name_what_to_write(
    argv: str, fields: dict[str, Any], message: str
) -> None:
    agent = {"use": "command", "with": {"argv": ["cat", argv], "map": fields}}
    spec = {"revkit": 1, "corpus": "samples", "agents": {"m": agent}}
    with pytest.raises(SpecError) as caught:
        revkit.validate(spec)
    assert message in str(caught.value)


def test_another_experiment_in_the_folder_is_described(
    run_toy: Callable[..., Any], toy_spec: dict[str, Any]
) -> None:
    run_toy(toy_spec, limit=2)
    with pytest.raises(RunError, match=r"\(it differs in limit, seed\)"):
        run_toy({**toy_spec, "seed": 4}, limit=3)


def test_all_wrong_axes_are_reported_at_once(tmp_path: Path) -> None:
    path = tmp_path / "sweep.yaml"
    path.write_text(
        "revkit: 1\nname: d\nseed: 1\ncorpus: {use: synthetic, with: {papers: 2}}\n"
        "agents: {c: citation-counter}\nmetrics: [outcomes]\n"
        "sweep:\n  corpuss.with.papers: [1, 2]\n  agents.x.with.y: [1, 2]\n",
        encoding="utf-8",
    )
    with pytest.raises(SpecError) as caught:
        revkit.points(path)
    text = str(caught.value)
    assert "corpuss" in text
    assert "unknown name under agents 'x'" in text
