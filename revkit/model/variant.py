"""Variant: one perturbed version of a paper, with its edits and its checks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal, TypeAlias, get_args

from revkit.dataclass import dataclass
from revkit.model.columns import column, row_of
from revkit.model.edits import Edit
from revkit.model.structure import Part
from revkit.model.values import Json

VariantOutcome: TypeAlias = Literal["made", "declined", "gate", "crashed"]


@dataclass(frozen=True, slots=True)
class Check:
    """One gate on one variant: the measured ``value``, its ``limit``, and whether it passed.

    ``value`` and ``limit`` are numbers in ``unit``; ``detail`` is for a person. Where nothing could
    be measured, ``value`` is None and ``passed`` False.
    """

    name: str
    value: float | None
    limit: float | None
    passed: bool
    unit: str = ""
    detail: str = ""

    def to_json(self) -> dict[str, Json]:
        return row_of(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Json]) -> Check:
        return cls(**value)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Rejection:
    """The answer of a perturbation that cannot make a fair variant: the reason, in a few words.

    It is an outcome: recorded, counted and reported, never a silent gap. ``unread`` names the parts
    of the paper that had to be left alone and were not recognised, where they are the reason; the
    gate "structure" then rejects the variant.
    """

    reason: str
    unread: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class Layout:
    """The answer of a perturbation that edits nothing: the variant is the same text, written to a
    file in the layout ``name`` of the writers, or the file that the paper was read from
    (`revkit.model.paper_file.ORIGINAL`). An agent that gets the text and no file sees no
    difference.
    """

    name: str


@dataclass(frozen=True, slots=True)
class Variant:
    """The result of a perturbation for one paper: edits of its text, and every check on them.

    ``outcome`` states what became of it: "made" is a variant to review; "declined" is the family's
    answer that it cannot make a fair one, or that the edits change nothing; "gate" is a variant
    that the gate or constraint named in ``gate`` rejected ("structure" before any edit, where a
    part that the family must leave alone was not recognised); "crashed" is an error of the
    component, which says nothing about the paper. ``rejected`` holds the reason in words, and is
    empty exactly where the variant was made. The edits of a variant that a gate rejected are kept
    for the record only. ``dropped`` counts edits that a constraint pruned before the final checks.
    ``direction`` is which way the family went, as `Perturbation.direction` states it. ``layout`` is
    that of a `Layout`, whose variant has no edits.

    Raises `ValueError` where outcome, reason and gate contradict each other.
    """

    edits: tuple[Edit, ...] = ()
    checks: tuple[Check, ...] = ()
    dropped: int = 0
    rejected: str = ""
    details: Mapping[str, Json] = field(default_factory=dict)
    outcome: VariantOutcome = "made"
    gate: str = ""
    direction: str = column("The direction of its edits.", sparse=True, default="")
    layout: str = column("The layout of the file, if it differs.", sparse=True, default="")

    def __post_init__(self) -> None:
        check_outcome(self.outcome, self.rejected, self.gate)

    def to_json(self) -> dict[str, Json]:
        return row_of(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Json]) -> Variant:
        return cls(
            edits=tuple(Edit.from_json(edit) for edit in value["edits"]),  # type: ignore[union-attr,arg-type]
            checks=tuple(Check.from_json(check) for check in value["checks"]),  # type: ignore[union-attr,arg-type]
            dropped=int(value["dropped"]),  # type: ignore[arg-type]
            rejected=str(value["rejected"]),
            details=value.get("details", {}),  # type: ignore[arg-type]
            outcome=value["outcome"],  # type: ignore[arg-type]
            gate=str(value["gate"]),
            direction=str(value.get("direction", "")),
            layout=str(value.get("layout", "")),
        )


def check_outcome(outcome: VariantOutcome, rejected: str, gate: str) -> None:
    """Raise `ValueError` if the outcome of a variant contradicts its other fields."""
    if outcome not in get_args(VariantOutcome):
        raise ValueError(f"unknown outcome of a variant {outcome!r}")
    if (outcome == "made") != (not rejected):
        raise ValueError(f"outcome {outcome!r} with the reason {rejected!r}")
    if gate and outcome != "gate":
        raise ValueError(f"outcome {outcome!r} with the gate {gate!r}")
