"""Sweeps: one spec for a grid of experiments.

``sweep:`` maps paths of values, written as for ``--set``, to the values that each takes in turn: a
list, or a mapping from labels to values. Every combination is a point, and a point is
an experiment like any other.
"""

from __future__ import annotations

import copy
import itertools
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from revkit.dataclass import dataclass
from revkit.errors import Problem, SpecError
from revkit.files.yaml_source import Path_, Source
from revkit.model.values import Json, digest_of
from revkit.options import unknown_name
from revkit.spec.axes import Axis, axes_of
from revkit.spec.experiment import Experiment
from revkit.spec.overrides import NoSuchPlace, choosing_first, set_value

MOST_POINTS = 1_000
# The longest name of an experiment, which is also the name of a folder.
_MOST_LETTERS = 100
# How much of an unknown label, and how many known ones, a message quotes.
_LONGEST_QUOTE = 300
_MOST_QUOTED = 8
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@dataclass(frozen=True)
class Point:
    """One combination of values: ``labels`` has one for each axis, in order."""

    label: str
    labels: tuple[str, ...]
    experiment: Experiment


@dataclass(frozen=True)
class Sweep:
    """A grid of experiments. ``spec`` is the original spec with its overrides."""

    name: str
    axes: tuple[Axis, ...]
    points: tuple[Point, ...]
    spec: Mapping[str, Json]

    @property
    def digest(self) -> str:
        """Return the SHA-256 of what decides the results of all points."""
        return digest_of([[point.label, point.experiment.digest] for point in self.points])

    def point(self, label: str) -> Point:
        """Return the point with ``label``. Raises `SpecError` with the known labels."""
        for point in self.points:
            if point.label == label:
                return point
        labels = [point.label for point in self.points]
        short = label[:_LONGEST_QUOTE]
        near = get_close_matches(short, labels, n=2, cutoff=0.55)
        message = unknown_name("point", short, near or labels[:_MOST_QUOTED])
        if not near and len(labels) > _MOST_QUOTED:
            message += f", ... ({len(labels):,} in all)"
        raise SpecError([Problem(message, path="sweep")])

    def changed(self, changes: Mapping[str, Any]) -> Sweep:
        """Return the sweep with other values of ``seed`` or ``limit`` at every point.

        Raises `SpecError` where it goes over one of them itself.
        """
        for axis in self.axes:
            if axis.path in changes:
                message = f"the spec sweeps {axis.path}; omit --{axis.path}"
                raise SpecError([Problem(message, path=f"sweep.{axis.path}")])
        points = tuple(
            replace(point, experiment=replace(point.experiment, **changes)) for point in self.points
        )
        return replace(self, points=points, spec={**self.spec, **changes})


def expand(source: Source, build: Callable[[Source], Experiment]) -> Sweep:
    """Return the sweep that ``source`` describes, each point built by ``build``.

    Raises `SpecError` with every problem of the section and of all points; one that several points
    share is reported once.
    """
    axes = axes_of(source)
    count = math.prod(len(axis.labels) for axis in axes)
    if count > MOST_POINTS:
        raise SpecError(
            [source.problem(("sweep",), f"{count:,} points are more than {MOST_POINTS:,}")]
        )
    _refuse_long_names(source, axes)
    problems: dict[tuple[Any, ...], Problem] = {}
    points = []
    for chosen in itertools.product(*(range(len(axis.labels)) for axis in axes)):
        labels = tuple(axis.labels[index] for axis, index in zip(axes, chosen, strict=True))
        pairs = list(zip((axis.name for axis in axes), labels, strict=True))
        point, refused = _source_of(source, axes, chosen, pairs)
        try:
            experiment = build(point)
            if refused:
                raise SpecError(refused)
        except SpecError as error:
            for problem in (*refused, *error.problems):
                place = (problem.source, problem.line, problem.column, problem.message)
                # Problems of a mapping from Python have a path only.
                problems.setdefault(place if problem.line else (*place, problem.path), problem)
            continue
        label = ",".join(f"{name}={value}" for name, value in pairs)
        points.append(Point(label, labels, experiment))
    if problems:
        raise SpecError(sorted(problems.values(), key=lambda p: (p.line, p.column)))
    name = source.value.get("name", Experiment.name)
    return Sweep(name, axes, tuple(points), source.value)


def _refuse_long_names(source: Source, axes: Sequence[Axis]) -> None:
    """Raise `SpecError` if the longest name of a point is too long."""
    pairs = [(axis.name, max(axis.labels, key=len)) for axis in axes]
    name = _name_of(source, pairs)
    if isinstance(name, str) and len(name) > _MOST_LETTERS:
        message = (
            f"{name!r}, the name of a point, is too long: {len(name)} letters, at most "
            f"{_MOST_LETTERS} are allowed; use shorter labels, or another name"
        )
        raise SpecError([source.problem(("sweep",), message)])


def _name_of(source: Source, pairs: Sequence[tuple[str, str]]) -> Any:
    """Return the name of a point's experiment; the name of the spec itself if it has no points."""
    name = source.value.get("name", Experiment.name)
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        return name
    return ".".join([name, *(f"{axis}-{label}" for axis, label in pairs)])


def _source_of(
    source: Source,
    axes: Sequence[Axis],
    chosen: Sequence[int],
    pairs: Sequence[tuple[str, str]],
) -> tuple[Source, list[Problem]]:
    """Return the source of one point, its values set, each with its place in the sweep; and the
    problems of values that have no place.
    """
    value = {key: copy.deepcopy(item) for key, item in source.value.items() if key != "sweep"}
    point = Source(
        source.name, source.text, value, dict(source.keys), dict(source.values), dict(source.set_by)
    )
    value["name"] = _name_of(source, pairs)
    problems: list[Problem] = []
    settings = sorted(
        zip(axes, chosen, strict=True), key=lambda item: choosing_first(item[0].path.split("."))
    )
    for axis, index in settings:
        given = source.value["sweep"][axis.path]
        at: Path_ = ("sweep", axis.path, axis.labels[index] if isinstance(given, dict) else index)
        try:
            *new_mappings, place = set_value(
                point, axis.path.split("."), copy.deepcopy(axis.values[index])
            )
        except NoSuchPlace as error:
            problems.append(source.problem(("sweep", axis.path), str(error), at_key=True))
            continue
        for path in new_mappings:
            _move(source, at, point, path, whole=False)
        _move(source, at, point, place, whole=True)
    return point, problems


def _move(source: Source, at: Path_, point: Source, place: Path_, *, whole: bool) -> None:
    """Report problems at ``place`` of a point at ``at`` of the spec."""
    for known, new in ((source.keys, point.keys), (source.values, point.values)):
        for path in [path for path in new if path[: len(place)] == place]:
            del new[path]
        for path, position in known.items():
            if path == at or (whole and path[: len(at)] == at):
                new[(*place, *path[len(at) :])] = position
    point.keys.setdefault(place, source.values.get(at, (0, 0)))
    for length in range(len(at), 0, -1):
        if at[:length] in source.set_by:
            point.set_by[place] = source.set_by[at[:length]]
            break
