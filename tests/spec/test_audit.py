"""The audit: one run, a card for each agent, and the same spec for language models."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import revkit
from revkit.files.yaml_source import read_source

FOLDER = Path(__file__).parents[2] / "experiments"


def spec_of(name: str) -> dict[str, Any]:
    value: Any = read_source(FOLDER / f"{name}.yaml").value
    assert isinstance(value, dict)
    return value


def test_the_spec_for_language_models_differs_in_the_agents_alone() -> None:
    scripted, models = spec_of("audit"), spec_of("audit-llm")
    assert scripted.pop("agents") != models.pop("agents")
    assert scripted == models


@pytest.mark.slow
def test_the_audit_gives_the_cards_that_its_agents_were_planted_to_have(tmp_path: Path) -> None:
    run = revkit.run(FOLDER / "audit.yaml", out=tmp_path / "audit", store=tmp_path / "store")
    assert not run.faults
    cards = {
        card["agent"]: card
        for card in json.loads((tmp_path / "audit/cards.json").read_text())["cards"]
    }
    weak = {
        name: {(each["part"], each["column"], each["about"]) for each in card["figures"]
               if each["weak"]}
        for name, card in cards.items()
    }  # fmt: skip
    assert not weak["steady"]
    assert not weak["obedient-guarded"]
    assert ("adaptive", "success", "") in weak["swayed"]
    assert ("robustness", "net_rate", "order") in weak["obedient"]
    assert {"robustness", "calibration", "content", "evidence", "failures"} == {
        part for part, *_ in weak["careless"]
    }
    for card in cards.values():
        for each in card["figures"]:
            assert each["value"] is not None or each["note"], each
            assert each["n"] is not None or each["part"] in ("cost", "defenses"), each
    shown_report = FOLDER.parent / "docs/examples/audit-report.txt"
    printed = (tmp_path / "audit/report.txt").read_text(encoding="utf-8")
    assert printed == shown_report.read_text(encoding="utf-8"), "python docs/generate.py --report"
    table = run.table("agent-cards")
    shown = [row for row in table.records() if row["weak"]]
    assert len(shown) == sum(map(len, weak.values()))
    for name in ("report.txt", "report.md", "report.html"):
        text = (tmp_path / "audit" / name).read_text(encoding="utf-8")
        assert "steady" in text
        assert "Phantom reviewers" in text or "phantom reviewers" in text
