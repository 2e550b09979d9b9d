"""Records of a calibration by hand: two agents, few items, maps that are straight lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from revkit.contracts import Curve
from revkit.model.paper import Labels
from revkit.model.records import AgentRow, Anchors, FittedMap, PaperRow, Records, Verdict
from revkit.model.review import Scale

SEVERE = Scale("severity-0-100", 0, 100, higher_is_better=False)
# 5 is severity 0, 4 is 25, 3 is 50, 2 is 75, 1 is 100.
STARS = Scale("stars-1-5", 1, 5)
Score = float | str | None


@dataclass(frozen=True)
class Line(Curve):
    """slope * raw + intercept; scores outside ``span`` are extrapolated."""

    slope: float = 1.0
    intercept: float = 0.0
    span: tuple[float, float] = (-1e9, 1e9)

    def __call__(self, raw: Any) -> Any:
        return self.slope * np.asarray(raw, dtype=float) + self.intercept

    def to_json(self) -> dict[str, Any]:
        return {"slope": self.slope, "intercept": self.intercept}

    def extrapolated(self, raw: Any) -> Any:
        values = np.asarray(raw, dtype=float)
        return (values < self.span[0]) | (values > self.span[1])


def verdict(agent: str, paper: str, score: Score, repeat: int = 0) -> Verdict:
    """A text is the kind of a failure, None a review without a score."""
    if isinstance(score, str):
        return Verdict(agent, paper, "", 0, repeat, None, None, score)
    return Verdict(agent, paper, "", 0, repeat, None, score)


Build = Callable[..., Records]


@pytest.fixture
def build() -> Build:
    """Records from scores by agent (one list an item, or a list of calls), and maps by way."""

    def make(
        consensus: Sequence[float | None],
        scores: Mapping[str, Sequence[Any]],
        maps: Mapping[str, Mapping[str, Curve | str]] | None = None,
        *,
        scales: Mapping[str, Scale] | None = None,
        anchors: Sequence[float] = (),
        anchor_scores: Mapping[str, Sequence[Any]] | None = None,
        tiers: Sequence[str] | None = None,
        topics: Sequence[str] | None = None,
        anchor_topics: Sequence[str] | None = None,
        digests: Sequence[str] | None = None,
        repeats: int = 1,
        seed: int = 3,
    ) -> Records:
        def calls(value: Any) -> list[Score]:
            return value if isinstance(value, list) else [value]

        def row(name: str, severity: float | None, i: int, digest: str) -> PaperRow:
            tier = tiers[i] if tiers is not None else ""
            topic = topics[i] if topics is not None else ""
            return PaperRow(name, Labels(severity=severity, tier=tier, topic=topic), digest=digest)

        def verdicts(given: Mapping[str, Sequence[Any]], prefix: str) -> list[Verdict]:
            return [
                verdict(agent, f"{prefix}{i}", score, repeat)
                for agent, column in given.items()
                for i, value in enumerate(column)
                for repeat, score in enumerate(calls(value))
            ]

        fitted = [
            FittedMap(agent, way, "line", None, curve)
            if isinstance(curve, str)
            else FittedMap(agent, way, "line", curve)
            for way, by_agent in (maps or {}).items()
            for agent, curve in by_agent.items()
        ]
        anchor_papers = [
            PaperRow(
                f"a{i}",
                Labels(
                    severity=value,
                    tier=tiers[i % len(tiers)] if tiers else "",
                    topic=anchor_topics[i] if anchor_topics else "",
                ),
                digest=f"anchor {i}",
            )
            for i, value in enumerate(anchors)
        ]
        known = scales or {}
        return Records(
            seed=seed,
            repeats=repeats,
            papers=[
                row(f"p{i}", value, i, digests[i] if digests else f"text {i}")
                for i, value in enumerate(consensus)
            ],
            perturbations=[],
            agents=[AgentRow(name, "toy", known.get(name, SEVERE), True) for name in scores],
            variants=[],
            verdicts=verdicts(scores, "p"),
            anchors=None
            if maps is None
            else Anchors(anchor_papers, verdicts(anchor_scores or {}, "a"), fitted),
        )

    return make


@pytest.fixture
def four(build: Build) -> Records:
    """Four items, agent "a" on the severity axis and "b" on stars: severities 0, 25, 75, 100."""
    return build(
        [10.0, 30.0, 50.0, 90.0],
        {"a": [20.0, 20.0, 40.0, 60.0], "b": [5.0, 4.0, 2.0, 1.0]},
        {"line": {"a": Line(2.0, -30.0, (25.0, 100.0)), "b": Line()}},
        scales={"b": STARS},
        tiers=["none", "minor", "major", "reject"],
        topics=["x", "y", "x", "y"],
    )
