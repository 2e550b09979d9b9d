"""What differs in how two runs were made: values of the spec, components, packages."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from revkit.model.values import Json
from revkit.runs.opened import OpenedRun

MOST = 200
_NOT_DECIDING = ("name", "workers", "deadline", "budget", "reports", "assert")


@dataclass(frozen=True)
class Difference:
    """One place at which two runs differ: ``where`` is "spec", "component" or "package"; a value
    that one of them lacks is None."""

    where: str
    path: str
    first: str | None
    second: str | None

    def to_json(self) -> dict[str, Json]:
        return {
            "where": self.where,
            "path": self.path,
            "first": self.first,
            "second": self.second,
        }


def differences_of(first: OpenedRun, second: OpenedRun) -> list[Difference]:
    """Every difference in spec, versions of components and packages, at most `MOST` of each."""
    parts = (
        ("spec", _leaves(_deciding(first.spec)), _leaves(_deciding(second.spec))),
        ("component", _components(first), _components(second)),
        ("package", dict(first.versions), dict(second.versions)),
    )
    found = []
    for where, one, other in parts:
        paths = sorted(
            path for path in {*one, *other} if one.get(path, "") != other.get(path, "")
        )  # fmt: skip
        found += [Difference(where, p, one.get(p), other.get(p)) for p in paths[:MOST]]
    return found


def differing_paths(first: Any, second: Any) -> list[str]:
    """The paths at which two resolved specs differ, without settings that decide no result."""
    one, other = (
        _leaves(_deciding(each)) if isinstance(each, Mapping) else {} for each in (first, second)
    )
    return sorted(path for path in {*one, *other} if one.get(path) != other.get(path))


def _deciding(spec: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in spec.items() if key not in _NOT_DECIDING}


def _leaves(value: Any) -> dict[str, str]:
    return dict(_walk("", value))


def _walk(path: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping) and value:
        for key, inner in value.items():
            yield from _walk(f"{path}.{key}" if path else str(key), inner)
    elif isinstance(value, list) and value:
        for index, inner in enumerate(value):
            yield from _walk(f"{path}[{index}]", inner)
    else:
        yield path, json.dumps(value, ensure_ascii=False, default=str)


def _components(run: OpenedRun) -> dict[str, str]:
    found = run.provenance.get("components", ())
    rows = [each for each in found if isinstance(each, Mapping)]
    return {
        str(row.get("path")): f"{row.get('name')} {str(row.get('version'))[:16]}" for row in rows
    }
