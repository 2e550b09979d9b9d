"""Checklists: the rubric of one dimension for one paper, as key points with their places.

``labels.extra["rubrics"]`` of a paper of the bench has the same format as a `Material` with the
role "rubric" of a review that is judged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from revkit.dataclass import dataclass
from revkit.model.paper import Labels, Material, Paper
from revkit.model.strict_json import strict_json
from revkit.model.values import Json, canonical_json
from revkit_reviewbench.dimensions import BY_NAME, DIMENSIONS, name_of


class ChecklistProblem(ValueError):
    """A value is not a checklist; the text states the reason."""


@dataclass(frozen=True, slots=True)
class Point:
    """One key point: what a review should state, or, for the pitfall, must not state.

    ``place`` names where in the paper it can be checked, and ``quote`` quotes that place; both may
    be empty in rubrics that others made. A review that omits only a ``minor`` point can still get
    the full score. ``overlap`` is the measured share of its word n-grams that occur in the
    reference or a human review but not in the paper (None: not measured).

    ``absent`` is true for a point about something that the paper lacks. Then ``place`` names where
    it would be, ``quote`` is empty, and ``searched`` lists the phrases that a search in the
    paper did not find.
    """

    point: str
    place: str = ""
    quote: str = ""
    minor: bool = False
    overlap: float | None = None
    absent: bool = False
    searched: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Json]:
        """Return the point; ``absent`` and ``searched`` only for a point about an absence."""
        absence: dict[str, Json] = {"absent": True, "searched": list(self.searched)}
        return {
            "point": self.point,
            "place": self.place,
            "quote": self.quote,
            "minor": self.minor,
            "overlap": self.overlap,
            **(absence if self.absent else {}),
        }


@dataclass(frozen=True, slots=True)
class Checklist:
    """The key points of one dimension for one paper; at least one."""

    dimension: str
    points: tuple[Point, ...]

    def __post_init__(self) -> None:
        if self.dimension not in BY_NAME:
            raise ChecklistProblem(f"{self.dimension!r} is not one of the eight dimensions")
        if not self.points:
            raise ChecklistProblem(f"{self.dimension} has no key point")

    def to_json(self) -> dict[str, Json]:
        return {"dimension": self.dimension, "points": [point.to_json() for point in self.points]}

    def to_material(self) -> Material:
        """Return the checklist as a material for a judge."""
        return Material("rubric", canonical_json(self.to_json()), self.dimension)


def checklist_from_json(value: Any) -> Checklist:
    """Read the output of `Checklist.to_json`, or a rubric ``{title, description, weight}``.

    The latter is the layout of ``eval_rubrics.json``: its description is prose, which becomes one
    key point, because splitting it would be a guess. ``weight`` is not read: equation 3 of the
    paper sums scores without weights, and the pitfall's scores are negative already. Raises
    `ChecklistProblem` for another form and for an unknown dimension.
    """
    if not isinstance(value, Mapping):
        raise ChecklistProblem(f"expected an object, not {type(value).__name__}")
    name = name_of(value.get("dimension", value.get("title")))
    if not name:
        title = str(value.get("dimension", value.get("title")))[:60]
        raise ChecklistProblem(f"rubric {title!r} is not one of the eight dimensions")
    if "points" not in value:
        description = value.get("description")
        if not isinstance(description, str) or not description.strip():
            raise ChecklistProblem(f"{name} has neither points nor a description")
        return Checklist(name, (Point(" ".join(description.split())),))
    points = value["points"]
    if not isinstance(points, Sequence) or isinstance(points, str):
        raise ChecklistProblem(f"the points of {name} are not a list")
    return Checklist(name, tuple(_point(item, name) for item in points))


def _point(value: Any, name: str) -> Point:
    if isinstance(value, str):
        value = {"point": value}
    text = value.get("point") if isinstance(value, Mapping) else None
    if not isinstance(text, str) or not text.strip():
        raise ChecklistProblem(f"a key point of {name} has no text")
    overlap = value.get("overlap")
    minor = value.get("minor", False)
    if not isinstance(minor, bool):
        raise ChecklistProblem(f"`minor` of a key point of {name} must be true or false")
    absent = value.get("absent", False)
    if not isinstance(absent, bool):
        raise ChecklistProblem(f"`absent` of a key point of {name} must be true or false")
    searched = value.get("searched", ())
    if isinstance(searched, str) or not isinstance(searched, Sequence):
        raise ChecklistProblem(f"`searched` of a key point of {name} must be a list of texts")
    return Point(
        " ".join(text.split()),
        _text(value.get("place")),
        _text(value.get("quote")),
        minor,
        float(overlap) if isinstance(overlap, float | int) and overlap == overlap else None,
        absent,
        tuple(text for term in searched if (text := _text(term))),
    )


def _text(value: Any) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""


def checklists_from_json(value: Any) -> tuple[Checklist, ...]:
    """Read the rubrics of one paper, in the order of the dimensions, without duplicates. Raises
    `ChecklistProblem` as `checklist_from_json`, and for two of one dimension.
    """
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise ChecklistProblem("rubrics are not a list")
    checklists: dict[str, Checklist] = {}
    for item in value:
        checklist = checklist_from_json(item)
        if checklist.dimension in checklists:
            raise ChecklistProblem(f"{checklist.dimension} appears twice")
        checklists[checklist.dimension] = checklist
    return tuple(checklists[each.name] for each in DIMENSIONS if each.name in checklists)


def checklist_materials(labels: Labels) -> tuple[Material, ...]:
    """Return the rubrics in the labels of a paper as materials for a judge; none if it has no valid
    ones.
    """
    try:
        return tuple(c.to_material() for c in checklists_from_json(labels.extra.get("rubrics", ())))
    except ChecklistProblem:
        return ()


def checklist_of(paper: Paper, dimension: str) -> Checklist | None:
    """Return the checklist of one dimension among a review's materials; None if there is none."""
    for material in paper.materials:
        if material.role == "rubric" and material.title == dimension:
            try:
                return checklist_from_json(strict_json(material.text))
            except ValueError:
                return None
    return None


def meta_checklists() -> tuple[Checklist, ...]:
    """Return the eight meta-rubrics, with one key point each: requirements for every review of
    every paper.
    """
    return tuple(Checklist(each.name, (Point(each.asks),)) for each in DIMENSIONS)
