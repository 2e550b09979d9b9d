"""The audit finds what was planted, at a rate over seeds that no one chose, and nothing else.

Each seed draws the strength of every fault, the papers and the noise. The test reads cards and the
table of cards alone.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import revkit
from revkit import stats
from revkit.files.yaml_source import read_source

FOLDER = Path(__file__).parents[1] / "experiments"
SEEDS = 50
Cell = tuple[str, str, str]  # part, column, about
# Where a card shows a fault: in one of these cells, by the option that plants it.
FOUND: Mapping[str, tuple[str, set[str]]] = {
    "hedges": ("wording", {"net_rate hedging", "reject_net hedging", "acceptance_change "}),
    "obeys": ("obedient", {"net_rate order", "reject_net order"}),
    "noise": ("hasty", {"noise_floor "}),
    "covers": ("hasty", {"core_contribution_accuracy ", "completeness_coverage "}),
    "fails": ("hasty", {"failed "}),
    "lenient": ("generous", {"removed isotonic"}),
    "invents": ("generous", {"phantom_reviewers "}),
}


def planted(draw: random.Random) -> dict[str, dict[str, float]]:
    """The agents of one audit, with faults of drawn strengths, and one without."""
    strengths = {
        "hedges": draw.uniform(0.5, 0.8),
        "obeys": draw.uniform(0.6, 1.0),
        "noise": draw.uniform(2.0, 4.0),
        "lenient": draw.uniform(2.0, 3.5),
        "covers": draw.uniform(0.0, 0.3),
        "invents": draw.uniform(0.3, 0.9),
        "fails": draw.uniform(0.05, 0.2),
    }
    agents: dict[str, dict[str, float]] = {"sound": {"noise": 0.1}}
    for option, strength in strengths.items():
        agents.setdefault(FOUND[option][0], {"noise": 0.1})[option] = strength
    return agents


def small_audit(seed: int, agents: Mapping[str, Mapping[str, float]]) -> dict[str, Any]:
    """The shipped spec with other agents, fewer papers, and without the costly attack."""
    spec: Any = read_source(FOLDER / "audit.yaml").value
    spec = {**spec, "seed": seed, "corpus": {"use": "synthetic", "with": {"papers": 40}}}
    spec["agents"] = {
        name: {"use": "planted-reviewer", "with": dict(options)} for name, options in agents.items()
    }
    spec["perturbations"] = {name: spec["perturbations"][name] for name in ("hedging", "order")}
    spec["judges"]["evidence"]["by"] = ["no-phantom-reviewers"]
    spec["rubrics"] = [*spec["judges"]["content"]["by"], "no-phantom-reviewers"]
    del spec["attack"]
    spec["metrics"] = [
        {"use": name, "with": {"resamples": 1000}}
        for name in (
            "clean-accuracy",
            "flip-rate",
            "direction",
            "calibration-agents",
            "bench-scores",
            "review-evidence",
        )
    ] + ["outcomes"]
    spec["reports"] = []
    return dict(spec)


def judged(folder: Path) -> dict[str, dict[Cell, bool]]:
    """The cells of each card that judge, and whether they show a weakness."""
    cards = json.loads((folder / "cards.json").read_text(encoding="utf-8"))["cards"]
    return {
        card["agent"]: {
            (each["part"], each["column"], each["about"]): each["weak"]
            for each in card["figures"]
            if each["weak"] is not None
        }
        for card in cards
    }


@pytest.mark.slow
@pytest.mark.simulation
def test_the_audit_finds_what_was_planted_and_nothing_else(tmp_path: Path) -> None:
    seeds = [random.SystemRandom().randrange(2**31) for _ in range(SEEDS)]
    print("seeds", seeds)  # noqa: T201 - shown where the test fails
    hits: Counter[str] = Counter()
    shown = cells = 0
    for seed in seeds:
        agents = planted(random.Random(seed))
        folder = tmp_path / str(seed)
        run = revkit.run(small_audit(seed, agents), out=folder, store=tmp_path / "store")
        assert not run.faults
        found = judged(folder)
        table = run.table("agent-cards").records()
        assert sum(row["weak"] is True for row in table) == sum(
            weak for each in found.values() for weak in each.values()
        )
        for option, (agent, places) in FOUND.items():
            weak = {f"{column} {about}" for (_, column, about), is_weak in found[agent].items()
                    if is_weak}  # fmt: skip
            hits[option] += bool(places & weak)
        for place, weak_cell in found["sound"].items():
            shown += weak_cell
            cells += 1
            if weak_cell:
                print("shown without a plant", seed, place)  # noqa: T201 - shown where the test fails
    for option in FOUND:
        rate = stats.rate(hits[option], SEEDS, 0.95)
        print(option, hits[option], SEEDS, rate.interval.low, rate.interval.high)  # noqa: T201 - shown where the test fails
    quiet = stats.rate(cells - shown, cells, 0.95)
    print("nothing shown", cells - shown, cells, quiet.interval.low, quiet.interval.high)  # noqa: T201 - shown where the test fails
    # The weakest plants have true rates near 0.9: chance alone rarely gives less than 0.7 of 50.
    assert all(hits[option] >= 0.7 * SEEDS for option in FOUND), hits
    assert sum(hits.values()) >= 0.9 * SEEDS * len(FOUND), hits
    assert cells - shown >= 0.93 * cells
