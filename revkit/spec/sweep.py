"""Sweeps: one spec that stands for a grid of experiments.

``sweep:`` maps paths of values, written as for ``--set``, to the values that each takes in turn: a
list, or a mapping from labels of one's own to values. Every combination is a point, and a point is
an experiment like any other.
"""

from __future__ import annotations

import copy
import itertools
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from revkit.errors import Problem, SpecError
from revkit.model.values import Json, digest_of
from revkit.options import unknown_name
from revkit.spec.experiment import Experiment
from revkit.spec.overrides import NoSuchPlace, choosing_first, set_value, with_dots
from revkit.spec.source import Path_, Source

MOST_POINTS = 1_000
# Labels become names of folders, and the names of experiments have at most so many letters.
_LABEL = re.compile(r"-?[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_MOST_LETTERS = 100
_FIXED = ("revkit", "name", "sweep", "budget", "workers")
_PLAIN = (str, int, float, bool, type(None))


@dataclass(frozen=True)
class Axis:
    """One path that is swept: ``name`` is the end of ``path`` that no other axis shares, ``labels``
    name its values, in order."""

    path: str
    name: str
    labels: tuple[str, ...]
    values: tuple[Json, ...]

    @property
    def numeric(self) -> bool:
        """Whether its values are numbers under no other label than themselves."""
        return all(
            isinstance(value, int | float) and not isinstance(value, bool) and label == _text(value)
            for label, value in zip(self.labels, self.values, strict=True)
        )


@dataclass(frozen=True)
class Point:
    """One combination of values: ``labels`` has one for each axis, in order."""

    label: str
    labels: tuple[str, ...]
    experiment: Experiment


@dataclass(frozen=True)
class Sweep:
    """A grid of experiments. ``spec`` is the spec as it was given, with its overrides."""

    name: str
    axes: tuple[Axis, ...]
    points: tuple[Point, ...]
    spec: Mapping[str, Json]

    @property
    def digest(self) -> str:
        """SHA-256 of what decides the results of all points."""
        return digest_of([[point.label, point.experiment.digest] for point in self.points])

    def point(self, label: str) -> Point:
        """The point with ``label``. Raises `SpecError` naming the labels there are."""
        for point in self.points:
            if point.label == label:
                return point
        labels = [point.label for point in self.points]
        raise SpecError([Problem(unknown_name("point", label, labels), path="sweep")])


def expand(source: Source, build: Callable[[Source], Experiment]) -> Sweep:
    """Return the sweep that ``source`` describes, each point built by ``build``.

    Raises `SpecError` with every problem of the section and of all points; one that several points
    share is told once.
    """
    axes = _axes(source)
    count = math.prod(len(axis.labels) for axis in axes)
    if count > MOST_POINTS:
        raise SpecError(
            [source.problem(("sweep",), f"{count:,} points are more than {MOST_POINTS:,}")]
        )
    problems: dict[tuple[Any, ...], Problem] = {}
    points = []
    for chosen in itertools.product(*(range(len(axis.labels)) for axis in axes)):
        labels = tuple(axis.labels[index] for axis, index in zip(axes, chosen, strict=True))
        pairs = list(zip((axis.name for axis in axes), labels, strict=True))
        try:
            experiment = build(_source_of(source, axes, chosen, pairs))
        except SpecError as error:
            for found in error.problems:
                problems.setdefault((found.source, found.line, found.column, found.message), found)
            continue
        label = ",".join(f"{name}={value}" for name, value in pairs)
        points.append(Point(label, labels, experiment))
    if problems:
        raise SpecError(sorted(problems.values(), key=lambda p: (p.line, p.column)))
    name = source.value.get("name", Experiment.name)
    return Sweep(name, axes, tuple(points), source.value)


def _axes(source: Source) -> tuple[Axis, ...]:
    section = source.value["sweep"]
    if not isinstance(section, dict) or not section:
        raise SpecError(
            [source.problem(("sweep",), "expected a mapping from paths to values, at least one")]
        )
    problems = [
        source.problem(("sweep", *place), message, at_key=at_key)
        for path, values in section.items()
        for place, message, at_key in _axis_problems(path, values)
    ]
    paths = [path.split(".") for path in section]
    problems += [
        source.problem(("sweep", ".".join(long)), f"lies below {'.'.join(short)!r}", at_key=True)
        for short, long in itertools.permutations(paths, 2)
        if long[: len(short)] == short
    ]
    for place, label in source.set_by.items():
        problems += [
            Problem(f"the spec sweeps this value; set sweep.{path} instead", source=label)
            for path in section
            if place == tuple(_steps(path, source.value))
        ]
    if problems:
        raise SpecError(problems)
    names = _names([_steps(path, source.value) for path in section])
    return tuple(
        Axis(path, name, tuple(labels), tuple(values))
        for name, (path, given) in zip(names, section.items(), strict=True)
        for labels, values in [_labelled(given)]
    )


def _axis_problems(path: str, values: Any) -> Iterator[tuple[Path_, str, bool]]:
    """What is wrong with one path and its values: place, message, and whether the key is meant."""
    keys = path.split(".")
    if not all(keys):
        yield (path,), "write it as path.to.key", True
    elif keys[0] in _FIXED or keys[0].startswith("x-"):
        yield (path,), f"{keys[0]!r} cannot be swept", True
    if not isinstance(values, dict | list) or not values:
        yield (path,), "expected a list of values, or a mapping from labels to values", False
        return
    given: list[tuple[str | int, Any]] = (
        list(values.items()) if isinstance(values, dict) else list(enumerate(values))
    )
    seen: set[str] = set()
    for key, value in given:
        label = key if isinstance(key, str) else _text(value)
        if isinstance(key, int) and not isinstance(value, _PLAIN):
            yield (path, key), "give it a label: a mapping from labels to values", False
        elif not _LABEL.fullmatch(label):
            yield (
                (path, key),
                f"{label!r} is no label: letters, digits, '.', '_' and '-', at most 64 of them; "
                "write a mapping from labels to values",
                isinstance(key, str),
            )
        elif label in seen:
            yield (path, key), f"{label!r} stands here twice", False
        seen.add(label)


def _text(value: Any) -> str:
    """A plain value as its label."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return str(value)


def _labelled(values: Any) -> tuple[list[str], list[Any]]:
    if isinstance(values, dict):
        return list(values), list(values.values())
    return [_text(value) for value in values], list(values)


def _steps(path: str, spec: Mapping[str, Any]) -> list[str]:
    first, *rest = path.split(".")
    names = spec.get(first)
    return [first, *(with_dots(rest, names) if isinstance(names, Mapping) else rest)]


def _names(paths: Sequence[list[str]]) -> list[str]:
    """For each path its last key, with as many before it as tell it from the others."""
    names = []
    for path in paths:
        for length in range(1, len(path) + 1):
            end = path[-length:]
            if sum(other[-length:] == end for other in paths) == 1:
                break
        names.append(".".join(end))
    return names


def _source_of(
    source: Source,
    axes: Sequence[Axis],
    chosen: Sequence[int],
    pairs: Sequence[tuple[str, str]],
) -> Source:
    """The source of one point: its values set, each with the place at which the sweep has it."""
    value = {key: copy.deepcopy(item) for key, item in source.value.items() if key != "sweep"}
    point = Source(
        source.name, source.text, value, dict(source.keys), dict(source.values), dict(source.set_by)
    )
    name = ".".join([value.get("name", Experiment.name), *(f"{a}-{b}" for a, b in pairs)])
    problems: list[Problem] = []
    if len(name) > _MOST_LETTERS:
        message = f"{name!r}, the name of a point, is too long: give shorter labels, or another"
        problems.append(source.problem(("sweep",), f"{message} name"))
    value["name"] = name
    settings = sorted(
        zip(axes, chosen, strict=True), key=lambda item: choosing_first(item[0].path.split("."))
    )
    for axis, index in settings:
        given = source.value["sweep"][axis.path]
        at: Path_ = ("sweep", axis.path, axis.labels[index] if isinstance(given, dict) else index)
        try:
            *made, place = set_value(point, axis.path.split("."), copy.deepcopy(axis.values[index]))
        except NoSuchPlace as error:
            problems.append(source.problem(("sweep", axis.path), str(error), at_key=True))
            continue
        for path in made:
            _move(source, at, point, path, whole=False)
        _move(source, at, point, place, whole=True)
    if problems:
        raise SpecError(problems)
    return point


def _move(source: Source, at: Path_, point: Source, place: Path_, *, whole: bool) -> None:
    """Let problems at ``place`` of a point be told at ``at`` of the spec."""
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
