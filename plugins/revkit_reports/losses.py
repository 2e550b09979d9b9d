"""What was lost on the way: gates and what they measured, reasons of rejection, failures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from revkit.model.records import Records
from revkit_reports.reasons import grouped


@dataclass(frozen=True)
class GateLine:
    """One gate of one family over its variants: how many it judged, and what it measured."""

    family: str
    gate: str
    judged: int
    passed: int
    unit: str
    low: float | None
    middle: float | None
    high: float | None
    limits: tuple[float, ...]


def gates(records: Records) -> list[GateLine]:
    lines = []
    for family in (row.name for row in records.perturbations):
        checks: dict[str, list[tuple[float | None, float | None, bool, str]]] = {}
        for variant in records.variants:
            if variant.perturbation == family:
                for check in variant.checks:
                    checks.setdefault(check.name, []).append(
                        (check.value, check.limit, check.passed, check.unit)
                    )
        for gate, found in checks.items():
            values = [value for value, *_ in found if value is not None]
            lines.append(
                GateLine(
                    family,
                    gate,
                    len(found),
                    sum(passed for _, _, passed, _ in found),
                    found[0][3],
                    min(values, default=None),
                    median(values) if values else None,
                    max(values, default=None),
                    tuple(sorted({limit for _, limit, _, _ in found if limit is not None})),
                )
            )
    return lines


@dataclass(frozen=True)
class Loss:
    """A reason why variants are missing, and how many; ``crashed``: the perturbation raised it."""

    reason: str
    times: int
    crashed: bool = False


def rejections(records: Records) -> dict[str, Sequence[Loss]]:
    """For each family with missing variants: the reasons, errors of the perturbation first."""
    crashes: dict[str, Counter[str]] = {}
    others: dict[str, Counter[str]] = {}
    for variant in records.variants:
        if variant.outcome != "made":
            counts = crashes if variant.outcome == "crashed" else others
            counts.setdefault(variant.perturbation, Counter())[variant.rejected] += 1
    found = {
        row.name: [
            *(Loss(*each, crashed=True) for each in grouped(crashes.get(row.name, {}))),
            *(Loss(*each) for each in grouped(others.get(row.name, {}))),
        ]
        for row in records.perturbations
    }
    return {name: losses for name, losses in found.items() if losses}


def failures(records: Records) -> list[tuple[str, str, int]]:
    """Who failed, the kind of failure and how often, in the order of the experiment: agents on
    papers, agents on anchors, judges."""
    agents = [agent.name for agent in records.agents]
    anchored = records.anchors.verdicts if records.anchors is not None else ()
    judges = [judge.name for judge in records.judges]
    judged = Counter((row.judge, row.failure) for row in records.judgements if row.failure)
    return [
        *_ordered(Counter((v.agent, v.failure) for v in records.verdicts if v.failure), agents),
        *_ordered(
            Counter((v.agent, v.failure) for v in anchored if v.failure), agents, " on anchors"
        ),
        *_ordered(judged, judges, " as a judge"),
    ]


def _ordered(
    found: Mapping[tuple[str, str], int], order: Sequence[str], addition: str = ""
) -> list[tuple[str, str, int]]:
    places = {name: place for place, name in enumerate(order)}
    return [
        (name + addition, kind, times)
        for (name, kind), times in sorted(found.items(), key=lambda i: (places.get(i[0][0], -1), i))
    ]
