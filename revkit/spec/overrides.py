"""Overrides: values of a spec that the command line sets by their paths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from revkit.errors import Problem, SpecError
from revkit.files.yaml_source import Path_, Source, parse_value
from revkit.options import unknown_name

# What holds entries that a spec may lack, and no options, which may be null; "" is the spec itself.
_OF_ENTRIES = (
    "",
    "agents",
    "attack.strategies",
    "calibration.maps",
    "judges",
    "perturbations",
    "services",
    "services.llm.models",
    "sweep",
)


class NoSuchPlace(ValueError):
    """A spec has no place for a value; the text states where the path ends."""


def override(source: Source, overrides: Sequence[str]) -> None:
    """Set the values of ``overrides``, texts such as ``corpus.with.papers=10``.

    Raises `SpecError` with a problem for each that cannot be set.
    """
    problems: list[Problem] = []
    parsed: list[tuple[str, list[str], Any]] = []
    for text in overrides:
        path, equals, raw = text.partition("=")
        label = f"--set {text}"
        if not equals or not path or not all(path.split(".")):
            problems.append(Problem("write PATH=VALUE, as in corpus.with.papers=10", source=label))
            continue
        try:
            parsed.append((label, path.split("."), parse_value(raw)))
        except SpecError as error:
            problems.extend(replace(problem, source=label) for problem in error.problems)
    for label, keys, value in sorted(parsed, key=lambda item: choosing_first(item[1])):
        try:
            for place in set_value(source, keys, value):
                source.set_by[place] = label
        except NoSuchPlace as error:
            problems.append(Problem(str(error), source=label))
    if problems:
        raise SpecError(problems)


def choosing_first(keys: Sequence[str]) -> tuple[int, bool]:
    """Sort paths of values so that a component is chosen before its options are set."""
    return len(keys), keys[-1] != "use"


def set_value(source: Source, keys: Sequence[str], value: Any) -> list[Path_]:
    """Set the value at ``keys``, and return its path, after the paths of mappings created for it.

    Setting a ``use`` to another component drops the options of the old one. ``None`` removes an
    entry under a name of the user, a service or a whole section. Raises `NoSuchPlace`.
    """
    if not isinstance(source.value, dict):
        raise NoSuchPlace("the spec is not a mapping")
    place: Any = source.value
    path: Path_ = ()
    new_mappings: list[Path_] = []
    steps = _steps_of(keys, place)
    for index, key in enumerate(steps):
        step: Any = key
        if isinstance(place, list):
            step = position(key, place)
            if step is None:
                last = f"; the last entry has number {len(place) - 1}" if place else ""
                raise NoSuchPlace(
                    f"{'.'.join(steps[:index])} has no entry {key!r}: write the number of an "
                    f"entry, counted from 0{last}"
                )
        path = (*path, step)
        if index == len(steps) - 1:
            break
        child = place[step] if isinstance(place, list) else place.get(step)
        if isinstance(child, str):
            child = {"use": child}
            place[step] = child
        elif child is None:
            named = steps[0] in ("agents", "judges", "perturbations")
            if index == 1 and named and steps[2] != "use":
                raise NoSuchPlace(unknown_name(f"name under {steps[0]}", key, place))
            child = {}
            place[step] = child
            new_mappings.append(path)
        elif not isinstance(child, dict | list):
            raise NoSuchPlace(f"{'.'.join(steps[: index + 1])} has no keys")
        place = child
    if value is None and isinstance(place, dict) and ".".join(steps[:-1]) in _OF_ENTRIES:
        if path[-1] not in place:
            where = f"name under {'.'.join(steps[:-1])}" if len(steps) > 1 else "section"
            raise NoSuchPlace(unknown_name(where, steps[-1], place))
        del place[path[-1]]
        return [*new_mappings, path]
    if path[-1] == "use" and isinstance(place, dict) and place.get("use") != value:
        place.pop("with", None)
    place[path[-1]] = value
    return [*new_mappings, path]


def _steps_of(keys: Sequence[str], spec: Mapping[str, Any]) -> list[str]:
    """Return ``keys``, with parts of one name that contains dots joined."""
    first, rest = keys[0], list(keys[1:])
    if first == "sweep" and rest:
        swept = spec.get(first)
        known = swept if isinstance(swept, Mapping) else {}
        # A path that is not swept yet is one key, too.
        found = with_dots(rest, known)
        if found[:1] and found[0] in known:
            labels = known[found[0]]
            inner = isinstance(labels, Mapping)
            return [first, found[0], *(steps_in(found[1:], labels) if inner else found[1:])]
        return [first, ".".join(rest)]
    return steps_in(keys, spec)


def steps_in(keys: Sequence[str], spec: Mapping[str, Any]) -> list[str]:
    """Return ``keys`` as the steps of a path through ``spec``, with parts of one name that contains
    dots joined, as in services.llm.models.openai/gpt-4.1.timeout.
    """
    found: list[str] = []
    place: Any = spec
    rest = list(keys)
    while rest:
        if isinstance(place, Mapping):
            step, *rest = with_dots(rest, place)
            place = place.get(step)
        else:
            step, *rest = rest
            index = position(step, place) if isinstance(place, list) else None
            place = None if index is None else place[index]
        found.append(step)
    return found


def position(key: str, values: Sequence[Any]) -> int | None:
    """Return the index in a list that ``key`` names; None if it names none, or is not written as a
    number.
    """
    if not (key.isascii() and key.isdigit() and len(key) < 10) or str(int(key)) != key:
        return None
    return int(key) if int(key) < len(values) else None


def with_dots(keys: list[str], names: Mapping[str, Any]) -> list[str]:
    """Join the first ``keys`` if together they are a name that contains dots, as in gpt-4.1."""
    for count in range(len(keys), 1, -1):
        name = ".".join(keys[:count])
        if name in names:
            return [name, *keys[count:]]
    return keys
