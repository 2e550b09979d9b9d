"""``revkit selfcheck``: the user's own design, simulated."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import revkit
from revkit.errors import RunError, SpecError
from revkit.testing import toys

Call = Callable[..., Any]


def check(spec: Any, **options: Any) -> Any:
    return revkit.selfcheck(spec, plugins=[toys], runs=100, **options)


@pytest.fixture
def spec(no_plugins: None, toy_spec: dict[str, Any]) -> dict[str, Any]:
    return toy_spec


def test_the_design_is_that_of_the_spec(spec: dict[str, Any]) -> None:
    found = check({**spec, "repeats": 2}, papers=40, rate=0.3, noise=0.1)
    design = found.design
    assert (design.papers, design.families, design.agents, design.repeats) == (40, 1, 2, 2)
    assert (design.rates, design.noise) == ((0.3, 0.3), 0.1)
    assert found.equal.interval("net rate").runs == 100
    assert 0.85 <= found.equal.interval("flip rate").held <= 1
    assert found.equal.test("direction").rejected <= 0.15


def test_power_grows_with_the_effect_and_with_papers(spec: dict[str, Any]) -> None:
    few, many = (
        [power.found for power in check(spec, papers=n).powers if "two" in power.test]
        for n in (20, 150)
    )
    assert many == sorted(many)
    assert few[-1] < many[-1]


def test_rates_come_from_a_finished_run(spec: dict[str, Any], tmp_path: Path) -> None:
    records = tmp_path / "run" / "records"
    records.mkdir(parents=True)
    rows = []
    for paper in range(10):
        for family, index, accept in (
            ("", 0, paper < 4),
            ("words", 0, paper < 6),
            ("words", 1, paper < 6),
        ):
            rows.append(
                {"agent": "a", "paper": f"p{paper}", "perturbation": family, "index": index,
                 "repeat": 0, "accept": accept}
            )  # fmt: skip
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (records / "outcomes.jsonl").write_text(text, encoding="utf-8")
    design = check(spec, run=tmp_path / "run").design
    # 2 of 10 papers flip under both variants: rate 1/5, flips within a paper all alike
    assert design.rates == pytest.approx((0.2, 0.2))
    assert (design.accepts, design.clustering) == pytest.approx((0.4, 0.95))


def test_what_is_not_a_run_is_refused(spec: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(RunError, match="not the folder of a finished run"):
        check(spec, run=tmp_path)
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / "outcomes.jsonl").write_text('{"paper": 1}\n', encoding="utf-8")
    with pytest.raises(RunError, match="without paper, agent or verdict"):
        check(spec, run=tmp_path)


def test_a_spec_without_edits_has_nothing_to_check(spec: dict[str, Any]) -> None:
    with pytest.raises(SpecError, match="needs an agent and a perturbation"):
        check({**spec, "perturbations": {}})


def test_the_command(
    revkit_command: Call, toys_file: str, spec: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "spec.json"
    path.write_text(json.dumps(spec), encoding="utf-8")
    options = ("--plugin", toys_file, "--papers", "20", "--runs", "100")
    text = revkit_command("selfcheck", str(path), *options)
    assert text.returncode == 0, text.stderr
    assert "20 papers x 1 variant x 2 agents" in text.stdout
    lines = text.stdout.splitlines()
    first = next(place for place, line in enumerate(lines) if "no effect" in line)
    head, row = lines[first], lines[first + 1]
    assert row[head.index("finds it") + len("finds it") - 1] == "%"
    assert len(head) == len(row)
    printed = json.loads(revkit_command("selfcheck", str(path), *options, "--json").stdout)
    assert printed["design"]["papers"] == 20
    assert {each["test"] for each in printed["tests"]} >= {"direction"}
