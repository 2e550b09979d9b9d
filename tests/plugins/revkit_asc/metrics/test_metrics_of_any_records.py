"""What holds for every metric of a calibration, whatever the records."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from revkit.contracts import Curve, Metric
from revkit.model.paper import Labels
from revkit.model.records import AgentRow, Anchors, FittedMap, PaperRow, Records, Verdict
from revkit.model.review import Scale
from revkit.model.table import Table
from revkit.model.values import canonical_json
from revkit.testing import check_component
from revkit_asc.metrics import METRICS

SCALES = (Scale("severity", 0, 100, higher_is_better=False), Scale("stars", 1, 5))
SEVERITIES = st.sampled_from([None, 0.0, 40.0, 40.5, 100.0, 101.0])


class Constant(Curve):
    """One score for all."""

    def __call__(self, raw: Any) -> Any:
        return np.full(len(raw), 50.0)

    def to_json(self) -> str:
        return "constant"


@st.composite
def some_records(draw: st.DrawFn) -> Records:
    def papers(prefix: str, most: int) -> list[PaperRow]:
        return [
            PaperRow(
                f"{prefix}{i}",
                Labels(
                    severity=draw(SEVERITIES),
                    tier=draw(st.sampled_from(["", "none", "major"])),
                    topic=draw(st.sampled_from(["", "x"])),
                ),
                digest=draw(st.sampled_from(["", "same"])),
            )
            for i in range(draw(st.integers(0, most)))
        ]

    def verdicts(given: list[PaperRow], repeats: int) -> list[Verdict]:
        found = []
        for agent in agents:
            scores = [0.0, 60.0, 100.0] if agent.scale is SCALES[0] else [1.0, 3.0, 5.0]
            outcomes = st.sampled_from([*scores, *scores, None, "timeout"])
            for paper in given:
                for repeat in range(repeats):
                    said = draw(outcomes)
                    failure = said if isinstance(said, str) else ""
                    score = said if isinstance(said, float) else None
                    found.append(Verdict(agent.name, paper.id, "", 0, repeat, None, score, failure))
        return found

    agents = [AgentRow(f"g{i}", "a", SCALES[i % 2], False) for i in range(draw(st.integers(0, 3)))]
    held, repeats = papers("p", 5), draw(st.integers(1, 2))
    anchors = None
    if draw(st.booleans()):
        bank = papers("a", 5)
        curves = st.sampled_from([None, Constant()])
        maps = [
            FittedMap(agent.name, way, "c", curve := draw(curves), "" if curve else "no use")
            for agent in agents
            for way in ("one", "two")
        ]
        anchors = Anchors(bank, verdicts(bank, 1), maps, {"no text": 1})
    return Records(3, repeats, held, [], agents, [], verdicts(held, repeats), anchors=anchors)


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: str(metric.name))
def test_contract(metric: type[Metric]) -> None:
    check_component(metric)


@settings(max_examples=60, deadline=None)
@given(some_records())
def test_any_records(records: Records) -> None:
    for kind in METRICS:
        resampled = kind.name.startswith(("calibration", "common-scale"))
        options = {"resamples": 100} if resampled else {"seeds": 1}
        if kind.name == "calibration-curve":
            options = {}
        if kind.name == "calibration":
            options |= {"panel": True, "topics": True, "prior": "stream"}  # type: ignore[dict-item]
        table = kind(**options).measure(records)
        stored = Table.from_json(table.to_json())
        assert stored == table
        assert "NaN" not in canonical_json(table.to_json())
        for row in table.records():
            for name, value in row.items():
                if name.endswith("_low") and value is not None and row[name[:-3] + "high"]:
                    assert value <= row[name[:-3] + "high"]
        if kind.name == "calibration":
            settled = len(records.papers)
            assert all(row["items"] + row["left_out"] <= settled for row in table.records())
            shown = [row for row in table.records() if row["d"] is not None]
            assert all(row["mae"] is not None for row in shown)
