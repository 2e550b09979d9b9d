"""Axes of a sweep: the swept paths, each with its values and their labels."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from revkit.dataclass import dataclass
from revkit.errors import Problem, SpecError
from revkit.files.yaml_source import Path_, Source
from revkit.model.values import Json, is_number
from revkit.spec.overrides import position, steps_in

# More have no room in the name of a point.
MOST_AXES = 24
# Labels become names of folders. None ends in a dot: Windows would leave it out.
_LABEL = re.compile(r"-?[A-Za-z0-9]([A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?")
_NOT_OF_NAMES = re.compile(r"[^A-Za-z0-9._-]")
_LONGEST_QUOTE = 80
_FIXED = ("revkit", "name", "sweep", "budget", "workers", "processes", "executor", "deadline")
_PLAIN = (str, int, float, bool, type(None))


@dataclass(frozen=True)
class Axis:
    """One swept path: ``name`` is its last key, with as much of ``path`` before it as distinguishes
    it from the other axes; ``labels`` name its values, in order.
    """

    path: str
    name: str
    labels: tuple[str, ...]
    values: tuple[Json, ...]

    @property
    def numeric(self) -> bool:
        """Whether its values are numbers with no other label."""
        return all(
            is_number(value) and label == _text(value)
            for label, value in zip(self.labels, self.values, strict=True)
        )


def axes_of(source: Source) -> tuple[Axis, ...]:
    """Return the axes that the section ``sweep`` of ``source`` describes, in order.

    Raises `SpecError` with everything that is wrong with them.
    """
    section = source.value["sweep"]
    if not isinstance(section, dict) or not section:
        raise SpecError(
            [
                source.problem(
                    ("sweep",), "expected a mapping from paths to values, with at least one path"
                )
            ]
        )
    if len(section) > MOST_AXES:
        message = f"{len(section):,} paths are more than {MOST_AXES}"
        raise SpecError([source.problem(("sweep",), message)])
    problems = [
        source.problem(("sweep", *place), message, at_key=at_key)
        for path, values in section.items()
        for place, message, at_key in _axis_problems(path, values)
    ]
    paths = {path: steps_in(path.split("."), source.value) for path in section}
    problems += [
        source.problem(("sweep", long), f"is part of {short!r}", at_key=True)
        for short, long in itertools.permutations(section, 2)
        if paths[long][: len(paths[short])] == paths[short]
    ]
    problems += _lost_overrides(source, paths)
    if problems:
        raise SpecError(problems)
    names = _names(list(paths.values()))
    return tuple(
        Axis(path, name, tuple(labels), tuple(values))
        for name, (path, choices) in zip(names, section.items(), strict=True)
        for labels, values in [_labels_and_values(choices)]
    )


def _lost_overrides(source: Source, paths: Mapping[str, list[str]]) -> Iterator[Problem]:
    """Return overrides of values that the sweep itself sets, which would be lost silently."""
    # An override has a place for each mapping that it made, and last and longest its own.
    places = {label: tuple(map(str, place)) for place, label in source.set_by.items()}
    for label, way in places.items():
        for path, steps in paths.items() if way[0] != "sweep" else ():
            if way[: len(steps)] == tuple(steps):
                below = "" if len(way) == len(steps) else f", as part of {path}"
                message = f"the spec sweeps this value{below}; set sweep.{path} instead"
            elif way[: len(steps)] == (*steps[:-1], "with") and _chooses_another(source, path):
                message = (
                    f"the spec sweeps {path}, and a different component does not have the options "
                    f"of the first; sweep this value as well: sweep.{'.'.join(way)}"
                )
            elif steps[: len(way)] == list(way) and _could_leave_out(source, steps):
                message = (
                    f"the spec sweeps {path}, which this value also sets; leave it out here, and "
                    f"set sweep.{path} instead"
                )
            else:
                continue
            yield Problem(message, source=label)
            break


def _could_leave_out(source: Source, steps: Sequence[str]) -> bool:
    """Return whether the value at the end of ``steps`` is optional in the spec: the name of a
    component, and an element of a list, are not.
    """
    place: Any = source.value
    if steps[-1] == "use":
        return False
    for step in steps:
        index = position(step, place) if isinstance(place, list) else None
        if index is not None:
            place = place[index]
        elif isinstance(place, dict) and step in place:
            place = place[step]
        else:
            return False
    return index is None


def _chooses_another(source: Source, path: str) -> bool:
    """Return whether an axis is a ``use`` that some point sets to another component than the
    spec's.
    """
    place: Any = source.value
    for step in steps_in(path.split("."), source.value):
        place = place.get(step) if isinstance(place, dict) else None
    values = source.value["sweep"][path]
    _, chosen = _labels_and_values(values) if isinstance(values, dict | list) else ([], [])
    return path.endswith(".use") and any(value != place for value in chosen)


def _axis_problems(path: str, values: Any) -> Iterator[tuple[Path_, str, bool]]:
    """Return the problems of one path and its values: place, message, and whether the key is
    meant.
    """
    keys = path.split(".")
    if not all(keys):
        yield (path,), "expected path.to.key", True
    elif keys[0] in _FIXED or keys[0].startswith("x-"):
        yield (path,), f"{keys[0]!r} cannot be swept", True
    if not isinstance(values, dict | list) or not values:
        yield (path,), "expected a list of values, or a mapping from labels to values", False
        return
    items: list[tuple[str | int, Any]] = (
        list(values.items()) if isinstance(values, dict) else list(enumerate(values))
    )
    before: dict[str, str] = {}
    numbers: dict[float, str] = {}  # 1 and 1.0 are one key
    for key, value in items:
        label = key if isinstance(key, str) else _text(value)
        at_key = isinstance(key, str)
        first = before.get(label.casefold(), "")
        number = is_number(value)
        if not at_key and not isinstance(value, _PLAIN):
            yield (path, key), "give it a label: a mapping from labels to values", False
        elif not _LABEL.fullmatch(label):
            short = label if len(label) <= _LONGEST_QUOTE else label[:_LONGEST_QUOTE] + "..."
            yield (
                (path, key),
                f"{short!r} is not a label: at most 64 letters, digits, '.', '_' and '-', no '.' "
                "at either end; write a mapping from labels to values",
                at_key,
            )
        elif first == label:
            yield (path, key), f"{label!r} appears twice", at_key
        elif first:
            yield (
                (path, key),
                f"{label!r} and {first!r} differ only in the case of letters, and many systems "
                "cannot have both folders",
                at_key,
            )
        elif not at_key and number and (same := numbers.get(value)):
            yield (
                (path, key),
                f"{label!r} is the number {same!r}, which is already in the list",
                False,
            )
        before.setdefault(label.casefold(), label)
        if number:
            numbers.setdefault(value, label)


def _text(value: Any) -> str:
    """Return a plain value as its label."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    try:
        return str(value).replace("e+", "e") if isinstance(value, float) else str(value)
    except ValueError:  # a whole number of more digits than Python writes out
        return hex(value)


def _labels_and_values(values: Any) -> tuple[list[str], list[Any]]:
    if isinstance(values, dict):
        return list(values), list(values.values())
    return [_text(value) for value in values], list(values)


def _names(paths: Sequence[list[str]]) -> list[str]:
    """Return, for each path, its last key, with as many keys before it as distinguish it from the
    others.

    The ``with`` between a component and its options is left out; if ``with`` or ``use`` is the last
    key, the key before it is part of the name.
    """
    short = [[key for key in path[:-1] if key != "with"] + path[-1:] for path in paths]
    names: list[str] = []
    for ends in ([_ends(path) for path in short], [_ends(path) for path in paths]):
        names = [
            next(
                (end for end in own if sum(end in other for other in ends) == 1),
                own[-1],
            )
            for own in ends
        ]
        if len({name.casefold() for name in names}) == len(names):
            break
    return names


def _ends(path: Sequence[str]) -> list[str]:
    """Return the ends of a path, the shortest first, in a form for names of folders."""
    least = 2 if path[-1] in ("with", "use") and len(path) > 1 else 1
    lengths = range(least, len(path) + 1)
    return [_NOT_OF_NAMES.sub("-", ".".join(path[-length:])) for length in lengths]
