"""The searches of a finished run, from its folder alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from revkit.execution.subjects import Subjects
from revkit.model.attack import AttackRecords, AttackRow, Goal, StrategyRow, TransferRow
from revkit.model.columns import read_row


def attack_records(
    section: Any,
    subjects: Subjects,
    attacks: Iterable[Mapping[str, Any]],
    transfers: Iterable[Mapping[str, Any]],
) -> AttackRecords | None:
    """The searches that the section ``attack`` of a resolved spec describes, with their rows; None
    without a section. Raises `KeyError` or `TypeError` for a section of another form."""
    if section is None:
        return None
    baseline = _component(section["baseline"])
    named = {name: _component(value) for name, value in section["strategies"].items()}
    agents = [each.name for each in subjects.agents if not each.originals_only]
    return AttackRecords(
        goal=Goal(section["goal"], float(section.get("by") or 0.0)),
        sees=section["sees"],
        budget=section["budget"],
        confirm=section["confirm"],
        agents=[name for name in agents if not section["agents"] or name in section["agents"]],
        arms=[
            each.name
            for each in subjects.perturbations
            if not section["arms"] or each.name in section["arms"]
        ],
        strategies=[
            StrategyRow(baseline, baseline, True),
            *(StrategyRow(name, component) for name, component in named.items()),
        ],
        rows=tuple(read_row(AttackRow, row) for row in attacks),
        transfers=tuple(read_row(TransferRow, row) for row in transfers),
    )


def _component(value: Mapping[str, Any]) -> str:
    """The name of a component in a resolved spec, without that of its plugin."""
    return str(value["use"]).rpartition(":")[2]
